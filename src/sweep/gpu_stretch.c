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
                   m->power >= 0 ? m->power : 0, m->first, m->watches, m->settle.places != NULL,
                   m->settle.speeds != NULL, m->settle.straight, tolerance);
  base_text_add(out,
                "#define SLOPES 13\n#define OWN const double* rest; bool passed; int stage; double "
                "g[5][WATCHES + 1];\n"
                "#define BEFORE_END 1\n#define FORGET(R) ((R)->passed = false, (R)->stage = 0)\n"
                "#define PASSED(R) ((R)->passed || grazes(R))\n");
  sweep_gpu_both(code_operations(m->rates), out);
  code_print_cuda(m->rates, "rates", out);
  if (m->settle.places) code_print_cuda(m->settle.places, "places", out);
  if (m->settle.speeds) code_print_cuda(m->settle.speeds, "speeds", out);
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
  pthread_mutex_t lock; // of what follows
  BASE_LIST(program) programs;
  BASE_LIST(sweep_hand*) idle; // hands that no thread has
  sweep_busy busy;
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

// ---- hands --------------------------------------------------------------------------------------

// one that is idle, or a new one; null where the device failed
static sweep_hand* hand_of(sweep_gpu_carrier* g)
{
  if (g->idle.n) return g->idle.at[--g->idle.n];
  sweep_hand* h = base_alloc_with(g, sizeof *h);
  if (sweep_hand_open(h, &g->device)) return h;
  sweep_hand_close(h);
  free(h);
  return NULL;
}

static bool carry_with(sweep_hand* h, void* function, const sweep_mode* m, int count,
                       const double* from, double* to, sweep_span* span)
{
  const size_t in = sizeof(double) * (size_t)count * (size_t)(m->inputs + 2),
               out = sizeof(double) * (size_t)count * (size_t)(4 + 2 * m->n);
  if (!sweep_hand_need(h, in, out)) return false;
  memcpy(h->in, from, in);
  if (!sweep_hand_run(h, function, threads_per_block, count, in, 0, out, span)) return false;
  memcpy(to, h->out, out);
  return true;
}

static bool carry(void* context, const sweep_mode* m, double tolerance, int count,
                  const double* from, double* to)
{
  sweep_gpu_carrier* g = context;
  pthread_mutex_lock(&g->lock);
  void* function = program_of(g, m, tolerance)->function;
  sweep_hand* h = function ? hand_of(g) : NULL;
  pthread_mutex_unlock(&g->lock);
  sweep_span span = {0};
  const bool fine = h && carry_with(h, function, m, count, from, to, &span);
  long long trials = 0;
  for (int i = 0; fine && i < count; i++)
    trials += (long long)to[(size_t)i * (size_t)(4 + 2 * m->n) + 2];
  pthread_mutex_lock(&g->lock);
  sweep_busy_add(&g->busy, &span);
  g->report.seconds = g->busy.seconds;
  g->report.trials += trials;
  g->failed = g->failed || !fine;
  if (h) base_push_with(g, &g->idle, h);
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
  for (int i = 0; i < g->idle.n; i++) {
    sweep_hand_close(g->idle.at[i]);
    free(g->idle.at[i]);
  }
  base_list_free(&g->idle);
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
