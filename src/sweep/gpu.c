// Runs of a sweep on a GPU: the kernels of the model and the steps as one CUDA program, one run a
// thread, many thousands at a time.
#include "sweep/gpu.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { chunk = 1 << 17, threads_per_block = 128 };

struct sweep_gpu
{
  sweep_device device;
  const sweep_bundle* bundle;
  const sweep_results* want;
  int axes, columns, times;
  void *module, *function;
  pthread_mutex_t lock; // one thread has the device, others put rows into words meanwhile
  sweep_gpu_report report;
};

// ---- the text -----------------------------------------------------------------------------------

static const char on_a_processor[] =
    "#ifndef __CUDACC__\n"
    "void zwang_all(long long count, const double* value, double* result, int* trials);\n"
    "void zwang_all(long long count, const double* value, double* result, int* trials)\n"
    "{\n"
    "  for (blockIdx.x = 0; blockIdx.x < count; blockIdx.x++)\n"
    "    zwang_runs(count, value, result, trials);\n"
    "}\n"
    "#endif\n";

static int event_of(const sweep_gpu_problem* p, const char* name)
{
  for (int i = 0; i < p->events; i++)
    if (!strcmp(p->event[i], name)) return i;
  return -1;
}

// times and counts that are wanted: which event, and which occurrence (0: their count)
static int add_times(const sweep_gpu_problem* p, base_text* out)
{
  base_text event = {0}, which = {0};
  int count = 0;
  base_text_add(&event, "#define TIME_EVENT(I) (");
  base_text_add(&which, "#define TIME_WHICH(I) (");
  for (int i = 0; i < p->want->count; i++) {
    const sweep_wanted* w = &p->want->wanted[i];
    if (w->how != SWEEP_TIME && w->how != SWEEP_COUNT) continue;
    base_text_printf(&event, "(I) == %d ? %d : ", count, event_of(p, w->event));
    base_text_printf(&which, "(I) == %d ? %d : ", count, w->how == SWEEP_TIME ? w->which : 0);
    count++;
  }
  base_text_printf(out, "#define TIMES %d\n%s-1)\n%s-1)\n", count, event.at, which.at);
  base_text_free(&event);
  base_text_free(&which);
  return count;
}

int sweep_gpu_source(const sweep_gpu_problem* p, base_text* out)
{
  base_text_add(out, sweep_gpu_prelude);
  sweep_bundle_print(p->bundle, out);
  const int times = add_times(p, out);
  for (int i = 0; sweep_gpu_text[i]; i++) base_text_add(out, sweep_gpu_text[i]);
  base_text_add(out, on_a_processor);
  return times;
}

// null, or the event wanted that is none of the model's
static const char* strange_event(const sweep_gpu_problem* p)
{
  for (int i = 0; i < p->want->count; i++) {
    const sweep_wanted* w = &p->want->wanted[i];
    if ((w->how == SWEEP_TIME || w->how == SWEEP_COUNT) && event_of(p, w->event) < 0)
      return w->event;
  }
  return NULL;
}

// ---- making it ready ----------------------------------------------------------------------------

static bool load(sweep_gpu* g, const sweep_gpu_problem* p, base_notes* notes)
{
  base_text text = {0};
  g->times = sweep_gpu_source(p, &text);
  const double began = sweep_device_now();
  const bool fine =
      sweep_device_load(&g->device, text.at, "zwang_runs", &g->module, &g->function, notes);
  g->report.compile = sweep_device_now() - began;
  base_text_free(&text);
  return fine;
}

sweep_gpu* sweep_gpu_open(const sweep_gpu_problem* p, base_notes* notes)
{
  const char* strange = strange_event(p);
  if (strange) {
    base_error(notes, BASE_NOWHERE, "--device gpu: `%s` is no event of the model", strange);
    return NULL;
  }
  sweep_device device = {0};
  if (!sweep_device_open(&device, notes)) return NULL;
  sweep_gpu* g = base_alloc(sizeof *g);
  g->device = device;
  memcpy(g->report.name, device.name, sizeof g->report.name);
  pthread_mutex_init(&g->lock, NULL);
  g->bundle = p->bundle;
  g->want = p->want;
  g->axes = p->axes;
  g->columns = p->columns;
  g->report.operations = sweep_bundle_operations(p->bundle);
  if (load(g, p, notes)) return g;
  sweep_gpu_close(g);
  return NULL;
}

void sweep_gpu_close(sweep_gpu* g)
{
  if (!g) return;
  if (g->module) g->device.cuda->module_unload(g->module);
  pthread_mutex_destroy(&g->lock);
  free(g);
}

int sweep_gpu_chunk(void)
{
  return chunk;
}

int sweep_gpu_width(const sweep_gpu* g)
{
  return g->columns + g->times;
}

const sweep_gpu_report* sweep_gpu_look(const sweep_gpu* g)
{
  return &g->report;
}

// ---- runs ---------------------------------------------------------------------------------------

typedef struct memory
{
  unsigned long long value, result, trials;
} memory;

static bool run_alone(sweep_gpu* g, int count, const double* value, double* result, int* trials)
{
  const sweep_cuda* c = g->device.cuda;
  const size_t runs = (size_t)count, width = (size_t)sweep_gpu_width(g);
  memory m = {0};
  long long number = count;
  void* arguments[] = {&number, &m.value, &m.result, &m.trials};
  const unsigned blocks = ((unsigned)count + threads_per_block - 1) / threads_per_block;
  bool fine = !c->context_set(g->device.context) &&
              !c->memory_take(&m.value, runs * (size_t)g->axes * sizeof(double)) &&
              !c->memory_take(&m.result, runs * (width + 1) * sizeof(double)) &&
              !c->memory_take(&m.trials, runs * sizeof(int)) &&
              !c->to_device(m.value, value, runs * (size_t)g->axes * sizeof(double));
  const double began = sweep_device_now();
  fine = fine &&
         !c->launch(g->function, blocks, 1, 1, threads_per_block, 1, 1, 0, NULL, arguments, NULL) &&
         !c->synchronize();
  g->report.seconds += sweep_device_now() - began;
  fine = fine && !c->to_host(result, m.result, runs * width * sizeof(double)) &&
         !c->to_host(trials, m.trials, runs * sizeof(int));
  if (m.value) c->memory_free(m.value);
  if (m.result) c->memory_free(m.result);
  if (m.trials) c->memory_free(m.trials);
  for (int i = 0; fine && i < count; i++) g->report.trials += trials[i];
  return fine;
}

bool sweep_gpu_run(sweep_gpu* g, int count, const double* value, double* result, int* trials)
{
  pthread_mutex_lock(&g->lock);
  const bool fine = run_alone(g, count, value, result, trials);
  pthread_mutex_unlock(&g->lock);
  return fine;
}
