// A GPU and programs on it, made from text at run time.
#include "sweep/gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { attribute_major = 75, attribute_minor = 76 };
enum { wait_asleep = 4 }; // CU_CTX_SCHED_BLOCKING_SYNC

// plain C stands in for what CUDA has and C has not
const char sweep_gpu_prelude[] =
    "#ifdef __CUDACC__\n"
    "#define NAN __longlong_as_double(0x7ff8000000000000LL)\n"
    "#define INFINITY __longlong_as_double(0x7ff0000000000000LL)\n"
    "// six digits of 1/x\n"
    "static __device__ double roughly_over(double x)\n"
    "{\n"
    "  double y;\n"
    "  asm(\"rcp.approx.ftz.f64 %0, %1;\" : \"=d\"(y) : \"d\"(x));\n"
    "  return y;\n"
    "}\n"
    "#else\n"
    "#include <math.h>\n"
    "#include <stdbool.h>\n"
    "#define __device__\n"
    "#define __global__\n"
    "#define __noinline__\n"
    "static struct { long long x; } blockIdx, blockDim = {1}, threadIdx;\n"
    "static inline double roughly_over(double x)\n"
    "{\n"
    "  return 1 / x;\n"
    "}\n"
    "#endif\n";

// larger kernels call sine and cosine rather than hold copies of them
enum { many_operations = 400 };

void sweep_gpu_both(int operations, base_text* out)
{
  base_text_printf(out,
                   "static __device__ %svoid both(double x, double* sine, double* cosine)\n{\n"
                   "  sincos(x, sine, cosine);\n}\n\n",
                   operations > many_operations ? "__noinline__ " : "");
}

double sweep_device_now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool sweep_device_open(sweep_device* d, base_notes* notes)
{
  const sweep_cuda* c = d->cuda = sweep_cuda_open(notes);
  if (!c) return false;
  // a thread that waits for the device leaves its core to another; where that is not to be had, the
  // sweep is slower and no more
  const bool found = !c->device_get(&d->number, 0);
  if (found) c->context_flags(d->number, wait_asleep);
  if (!found || c->device_attribute(&d->major, attribute_major, d->number) ||
      c->device_attribute(&d->minor, attribute_minor, d->number) ||
      c->context_retain(&d->context, d->number) || c->context_set(d->context) ||
      c->event_create(&d->epoch, 0) || c->event_record(d->epoch, NULL)) {
    base_error(notes, BASE_NOWHERE, "--device gpu: the GPU cannot be used");
    return false;
  }
  c->device_name(d->name, sizeof d->name, d->number);
  return true;
}

// the program for this device; null with an error noted
static char* compile(const sweep_cuda* c, const char* text, int major, int minor, base_notes* notes)
{
  void* program = NULL;
  char target[40];
  snprintf(target, sizeof target, "--gpu-architecture=sm_%d%d", major, minor);
  // so many let a multiprocessor hold twelve warps; measured to be the quickest
  const char* const options[] = {target, "--device-as-default-execution-space",
                                 "--maxrregcount=168"};
  size_t size = 0;
  char* code = NULL;
  if (!c->program_create(&program, text, "sweep.cu", 0, NULL, NULL) &&
      !c->program_compile(program, 3, options) && !c->program_size(program, &size)) {
    code = base_alloc(size + 1);
    if (c->program_code(program, code)) {
      free(code);
      code = NULL;
    }
  }
  if (!code) {
    size_t length = 0;
    if (program) c->log_size(program, &length);
    char* log = base_alloc(length + 1);
    if (program && length) c->log_text(program, log);
    base_error(notes, BASE_NOWHERE,
               "--device gpu: the program for the GPU was not accepted: %.400s", log);
    free(log);
  }
  if (program) c->program_destroy(&program);
  return code;
}

bool sweep_device_load(const sweep_device* d, const char* text, const char* function, void** module,
                       void** at, base_notes* notes)
{
  const sweep_cuda* c = d->cuda;
  if (c->context_set(d->context)) return false;
  char* code = compile(c, text, d->major, d->minor, notes);
  const bool fine =
      code && !c->module_load(module, code) && !c->module_function(at, *module, function);
  if (code && !fine) base_error(notes, BASE_NOWHERE, "--device gpu: the program was not loaded");
  free(code);
  return fine;
}
