// Stands in for NVIDIA's driver and run-time compiler where there is no GPU: programs are compiled
// as C and run on the processor, one thread of the device after the other. So all that the host
// does for a GPU is tried, and every text for one; how fast, and what another arithmetic does to
// the numbers, is not.
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef unsigned long long address;
enum { attribute_major = 75, failed = 999 };
// a program has variables of its own: one launch at a time
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define DRIVER __attribute__((visibility("default"))) int
// as the driver declares them; nobody else does
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

// ---- devices, contexts, programs ----------------------------------------------------------------

DRIVER cuInit(unsigned flags)
{
  return flags ? failed : 0;
}

DRIVER cuDeviceGetCount(int* count)
{
  *count = 1;
  return 0;
}

DRIVER cuDeviceGet(int* device, int number)
{
  *device = number;
  return 0;
}

DRIVER cuDeviceGetAttribute(int* value, int attribute, int device)
{
  *value = attribute == attribute_major ? 9 : 0;
  return device;
}

DRIVER cuDeviceGetName(char* name, int room, int device)
{
  snprintf(name, (size_t)room, "a stand-in");
  return device;
}

DRIVER cuDevicePrimaryCtxSetFlags_v2(int device, unsigned flags)
{
  (void)flags;
  return device;
}

DRIVER cuDevicePrimaryCtxRetain(void** context, int device)
{
  *context = &lock;
  return device;
}

DRIVER cuCtxSetCurrent(void* context)
{
  return context == &lock ? 0 : failed;
}

DRIVER cuModuleLoadData(void** module, const void* text)
{
  char folder[] = "/tmp/zwang-stand-in-XXXXXX", source[60], library[60], command[300];
  *module = NULL;
  if (!mkdtemp(folder)) return failed;
  snprintf(source, sizeof source, "%s/a.c", folder);
  snprintf(library, sizeof library, "%s/a.so", folder);
  FILE* f = fopen(source, "w");
  if (f) {
    fputs(text, f);
    fclose(f);
  }
  snprintf(command, sizeof command,
           "cc -std=gnu17 -O1 -ffp-contract=off -w -D_GNU_SOURCE -shared -fPIC %s -o %s -lm",
           source, library);
  if (f && system(command) == 0) *module = dlopen(library, RTLD_NOW);
  unlink(source);
  unlink(library);
  rmdir(folder);
  return *module ? 0 : failed;
}

DRIVER cuModuleUnload(void* module)
{
  return dlclose(module);
}

// whatever its name, a program has one function for all threads
DRIVER cuModuleGetFunction(void** function, void* module, const char* name)
{
  *function = *name ? dlsym(module, "zwang_all") : NULL;
  return *function ? 0 : failed;
}

DRIVER cuLaunchKernel(void* function, unsigned blocks, unsigned y, unsigned z, unsigned block,
                      unsigned block_y, unsigned block_z, unsigned shared, void* stream,
                      void** argument, void** extra)
{
  void (*run)(long long, void*, void*, void*);
  *(void**)&run = function;
  const long long count = *(long long*)argument[0];
  if (extra || !stream || y * z * block_y * block_z != 1 || shared) return failed;
  if ((long long)blocks * block < count || (long long)(blocks - 1) * block >= count) return failed;
  pthread_mutex_lock(&lock);
  run(count, *(void**)argument[1], *(void**)argument[2], *(void**)argument[3]);
  pthread_mutex_unlock(&lock);
  return 0;
}

// ---- memory -------------------------------------------------------------------------------------

DRIVER cuMemAlloc_v2(address* at, size_t n)
{
  *at = (address)malloc(n);
  return *at ? 0 : failed;
}

DRIVER cuMemFree_v2(address at)
{
  free((void*)at);
  return 0;
}

DRIVER cuMemHostAlloc(void** at, size_t n, unsigned flags)
{
  *at = malloc(n);
  return *at && !flags ? 0 : failed;
}

DRIVER cuMemFreeHost(void* at)
{
  free(at);
  return 0;
}

DRIVER cuMemcpyHtoDAsync_v2(address to, const void* from, size_t n, void* stream)
{
  memcpy((void*)to, from, n);
  return stream ? 0 : failed;
}

DRIVER cuMemcpyDtoHAsync_v2(void* to, address from, size_t n, void* stream)
{
  memcpy(to, (void*)from, n);
  return stream ? 0 : failed;
}

// ---- streams and events -------------------------------------------------------------------------

DRIVER cuStreamCreate(void** stream, unsigned flags)
{
  *stream = malloc(sizeof flags);
  return *stream ? 0 : failed;
}

DRIVER cuStreamDestroy_v2(void* stream)
{
  free(stream);
  return 0;
}

DRIVER cuStreamSynchronize(void* stream)
{
  return stream ? 0 : failed;
}

DRIVER cuEventCreate(void** event, unsigned flags)
{
  *event = calloc(1, sizeof(struct timespec));
  return *event && !flags ? 0 : failed;
}

DRIVER cuEventDestroy_v2(void* event)
{
  free(event);
  return 0;
}

DRIVER cuEventRecord(void* event, void* stream)
{
  (void)stream;
  return clock_gettime(CLOCK_MONOTONIC, event);
}

DRIVER cuEventElapsedTime(float* milliseconds, void* from, void* to)
{
  const struct timespec *a = from, *b = to;
  *milliseconds =
      (float)(1e3 * (double)(b->tv_sec - a->tv_sec) + 1e-6 * (double)(b->tv_nsec - a->tv_nsec));
  return 0;
}

// ---- the compiler -------------------------------------------------------------------------------

DRIVER nvrtcCreateProgram(void** program, const char* text, const char* name, int headers,
                          const char* const* header, const char* const* include)
{
  *program = strdup(text);
  return *program && name && !headers && !header && !include ? 0 : failed;
}

DRIVER nvrtcCompileProgram(void* program, int count, const char* const* options)
{
  return program && count && options ? 0 : failed;
}

DRIVER nvrtcGetCUBINSize(void* program, size_t* n)
{
  *n = strlen(program) + 1;
  return 0;
}

DRIVER nvrtcGetCUBIN(void* program, char* code)
{
  strcpy(code, program);
  return 0;
}

DRIVER nvrtcGetProgramLogSize(void* program, size_t* n)
{
  *n = 1;
  return program ? 0 : failed;
}

DRIVER nvrtcGetProgramLog(void* program, char* log)
{
  *log = 0;
  return program ? 0 : failed;
}

DRIVER nvrtcDestroyProgram(void** program)
{
  free(*program);
  *program = NULL;
  return 0;
}
