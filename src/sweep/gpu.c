// Runs of a sweep on a GPU: the kernels of the model and the steps as one CUDA program, one run a
// thread, many thousands at a time.
#include "sweep/gpu.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// runs at a time: twice what the largest devices hold at once, so that others follow where some end
// early
enum { chunk = 1 << 16, threads_per_block = 128 };

struct sweep_gpu
{
  sweep_device device;
  const sweep_bundle* bundle;
  const sweep_results* want;
  int axes, columns, times;
  void *module, *function;
  pthread_mutex_t lock; // of what follows
  sweep_busy busy;
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

// ---- one thread's runs --------------------------------------------------------------------------

struct sweep_gpu_worker
{
  sweep_gpu* g;
  sweep_hand hand;
  sweep_gpu_order* order;
};

static size_t width_bytes(const sweep_gpu* g)
{
  return sizeof(double) * (size_t)sweep_gpu_width(g);
}

sweep_gpu_worker* sweep_gpu_worker_open(sweep_gpu* g)
{
  sweep_gpu_worker* w = base_alloc(sizeof *w);
  w->g = g;
  w->order = sweep_gpu_order_new(g->axes, chunk);
  const size_t in = sizeof(double) * (size_t)(g->axes + 1), out = width_bytes(g) + sizeof(int);
  if (sweep_hand_open(&w->hand, &g->device) &&
      sweep_hand_need(&w->hand, in * (size_t)chunk, (out + sizeof(double)) * (size_t)chunk))
    return w;
  sweep_gpu_worker_close(w);
  return NULL;
}

void sweep_gpu_worker_close(sweep_gpu_worker* w)
{
  if (!w) return;
  sweep_hand_close(&w->hand);
  sweep_gpu_order_free(w->order);
  free(w);
}

double* sweep_gpu_values(sweep_gpu_worker* w)
{
  return w->hand.in;
}

bool sweep_gpu_run(sweep_gpu_worker* w, int count, double** result, const int** trials, bool* all)
{
  sweep_gpu* g = w->g;
  const size_t values = sizeof(double) * (size_t)g->axes * (size_t)count,
               results = width_bytes(g) * (size_t)count;
  int* order = (int*)(void*)((char*)w->hand.in + values);
  sweep_gpu_order_find(w->order, count, w->hand.in, order);
  sweep_span span;
  if (!sweep_hand_run(&w->hand, g->function, threads_per_block, count,
                      values + sizeof *order * (size_t)count, results,
                      results + sizeof(int) * (size_t)count, &span))
    return false;
  *result = w->hand.out;
  *trials = (const int*)(const void*)((const char*)w->hand.out + results);
  long long made = 0;
  int elsewhere = 0;
  for (int i = 0; i < count; i++) {
    made += (*trials)[i];
    elsewhere += (*trials)[i] == 0;
  }
  *all = !elsewhere;
  pthread_mutex_lock(&g->lock);
  sweep_busy_add(&g->busy, &span);
  g->report.seconds = g->busy.seconds;
  g->report.trials += made;
  pthread_mutex_unlock(&g->lock);
  return true;
}
