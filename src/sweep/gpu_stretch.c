// Plain stretches of runs on a GPU: the kernels of a mode and the steps as one CUDA program, one
// run a thread.
#include "sweep/convoy.h"
#include "sweep/gpu.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { threads_per_block = 64 };

static const char on_a_processor[] =
    "#ifndef __CUDACC__\n"
    "void zwang_all(long long count, const double* from, double* to);\n"
    "void zwang_all(long long count, const double* from, double* to)\n"
    "{\n"
    "  for (blockIdx.x = 0; blockIdx.x < count; blockIdx.x++) zwang_stretch(count, from, to);\n"
    "}\n"
    "#endif\n";

void sweep_stretch_source(const sweep_mode* m, double tolerance, base_text* out)
{
  base_text_add(out, sweep_gpu_prelude);
  base_text_printf(out,
                   "#define PLACES %d\n#define SPEEDS %d\n#define WORK %d\n#define INPUTS %d\n"
                   "#define OUTPUTS %d\n#define POWER %d\n#define FIRST_WATCH %d\n"
                   "#define WATCHES %d\n#define PUTS_PLACES %d\n#define PUTS_SPEEDS %d\n"
                   "#define STRAIGHT %d\n#define TOLERANCE %.17g\n",
                   m->n, m->n, m->power >= 0, m->inputs, code_outputs(m->rates),
                   m->power >= 0 ? m->power : 0, m->first, m->watches, m->places != NULL,
                   m->speeds != NULL, m->straight, tolerance);
  base_text_add(out, "#define SLOPES 13\n#define OWN const double* rest; bool passed;\n"
                     "#define BEFORE_END 1\n#define FORGET(R) ((R)->passed = false)\n"
                     "#define PASSED(R) ((R)->passed)\n");
  sweep_gpu_both(code_operations(m->rates), out);
  code_print_cuda(m->rates, "rates", out);
  if (m->places) code_print_cuda(m->places, "places", out);
  if (m->speeds) code_print_cuda(m->speeds, "speeds", out);
  for (int i = 0; sweep_stretch_text[i]; i++) base_text_add(out, sweep_stretch_text[i]);
  base_text_add(out, on_a_processor);
}

// ---- programs -----------------------------------------------------------------------------------

// of one mode and tolerance; function null: it was not accepted
typedef struct program
{
  const sweep_mode* mode;
  double tolerance;
  void *module, *function;
} program;

struct sweep_gpu_carrier
{
  sweep_carrier carrier;
  sweep_device device;
  base_notes* notes;
  pthread_mutex_t lock; // one thread has the device
  BASE_LIST(program) programs;
  sweep_gpu_report report;
  bool failed;
};

static const program* program_of(sweep_gpu_carrier* g, const sweep_mode* m, double tolerance)
{
  for (int i = 0; i < g->programs.n; i++)
    if (g->programs.at[i].mode == m && g->programs.at[i].tolerance == tolerance)
      return &g->programs.at[i];
  program p = {.mode = m, .tolerance = tolerance};
  base_text text = {0};
  const double began = sweep_device_now();
  sweep_stretch_source(m, tolerance, &text);
  if (!sweep_device_load(&g->device, text.at, "zwang_stretch", &p.module, &p.function, g->notes))
    p.function = NULL;
  base_text_free(&text);
  g->report.compile += sweep_device_now() - began;
  g->report.operations = code_operations(m->rates);
  base_push_with(g, &g->programs, p);
  return &g->programs.at[g->programs.n - 1];
}

static bool carry_alone(sweep_gpu_carrier* g, const sweep_mode* m, double tolerance, int count,
                        const double* from, double* to)
{
  const sweep_cuda* c = g->device.cuda;
  const program* p = program_of(g, m, tolerance);
  const size_t in = sizeof(double) * (size_t)count * (size_t)(m->inputs + 2),
               out = sizeof(double) * (size_t)count * (size_t)(4 + 2 * m->n);
  unsigned long long at_from = 0, at_to = 0;
  long long number = count;
  void* arguments[] = {&number, &at_from, &at_to};
  const unsigned blocks = ((unsigned)count + threads_per_block - 1) / threads_per_block;
  bool fine = p->function && !c->context_set(g->device.context) && !c->memory_take(&at_from, in) &&
              !c->memory_take(&at_to, out) && !c->to_device(at_from, from, in);
  const double began = sweep_device_now();
  fine = fine &&
         !c->launch(p->function, blocks, 1, 1, threads_per_block, 1, 1, 0, NULL, arguments, NULL) &&
         !c->synchronize();
  g->report.seconds += sweep_device_now() - began;
  fine = fine && !c->to_host(to, at_to, out);
  if (at_from) c->memory_free(at_from);
  if (at_to) c->memory_free(at_to);
  for (int i = 0; fine && i < count; i++)
    g->report.trials += (long long)to[(size_t)i * (size_t)(4 + 2 * m->n) + 2];
  return fine;
}

static bool carry(void* context, const sweep_mode* m, double tolerance, int count,
                  const double* from, double* to)
{
  sweep_gpu_carrier* g = context;
  pthread_mutex_lock(&g->lock);
  const bool fine = carry_alone(g, m, tolerance, count, from, to);
  g->failed = g->failed || !fine;
  pthread_mutex_unlock(&g->lock);
  return fine;
}

sweep_gpu_carrier* sweep_gpu_carrier_open(base_notes* notes)
{
  sweep_device device = {0};
  if (!sweep_device_open(&device, notes)) return NULL;
  sweep_gpu_carrier* g = base_alloc(sizeof *g);
  g->device = device;
  g->notes = notes;
  g->carrier = (sweep_carrier){.context = g, .carry = carry};
  memcpy(g->report.name, device.name, sizeof g->report.name);
  pthread_mutex_init(&g->lock, NULL);
  return g;
}

void sweep_gpu_carrier_close(sweep_gpu_carrier* g)
{
  if (!g) return;
  for (int i = 0; i < g->programs.n; i++)
    if (g->programs.at[i].module) g->device.cuda->module_unload(g->programs.at[i].module);
  base_list_free(&g->programs);
  pthread_mutex_destroy(&g->lock);
  free(g);
}

const sweep_carrier* sweep_gpu_carrier_of(const sweep_gpu_carrier* g)
{
  return &g->carrier;
}

const sweep_gpu_report* sweep_gpu_carrier_look(const sweep_gpu_carrier* g)
{
  return &g->report;
}

bool sweep_gpu_carrier_failed(const sweep_gpu_carrier* g)
{
  return g->failed;
}
