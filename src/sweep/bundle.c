// Many runs side by side: starts, steps and results in lanes, lanes filled again as runs end.
#include "sweep/bundle_worker.h"

#include "sweep/stages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void rates(void* context, const double* in, double* out);
static void settle(void* context, double* in, double* well);
static void stages(void* context, const double* in, double* out);
static void pair(void* context, const double* in, double* out);

static step_lanes_problem problem_of(const sweep_bundle* b)
{
  return (step_lanes_problem){.n = b->n + b->l,
                              .places = b->n,
                              .width = b->width,
                              .inputs = 1 + b->n + b->l + b->axes,
                              .outputs = code_outputs(b->rates),
                              .row = b->row,
                              .guard = b->l,
                              .along = b->work,
                              .watch = b->watch,
                              .watches = b->watches,
                              .rel_tol = b->tolerance,
                              .rates = rates,
                              .settle = sweep_settles(&b->settle) ? settle : NULL,
                              .stages = b->stages ? stages : NULL,
                              .pair = b->pairs ? pair : NULL};
}

static void number_rows(sweep_bundle* b)
{
  b->row = base_alloc(sizeof(int) * (size_t)(b->n + b->l + 1));
  for (int i = 0; i < b->n; i++) b->row[i] = b->l + 1 + i;
  for (int i = 0; i < b->l; i++) b->row[b->n + i] = i;
}

// is the run of the model's own numbers one that can be made so?
static bool makes_run(const sweep_bundle* b, const model* m, const int* param)
{
  double* value = base_alloc(sizeof(double) * (size_t)(b->axes + b->columns + 1));
  for (int i = 0; i < b->axes; i++) value[i] = m->param[param[i]].number;
  bool done = false;
  sweep_bundle_worker* w = sweep_bundle_open(b);
  sweep_bundle_run(w, 1, value, value + b->axes, &done);
  sweep_bundle_close(w);
  free(value);
  return done;
}

sweep_bundle* sweep_bundle_new(mech_system* s, const walk_options* o, int axes, const int* param,
                               int columns, const int* column, bool events, const char** why)
{
  base_notes* quiet = base_notes_new();
  engine* e = contact_engine_new(s, quiet);
  base_notes_free(quiet);
  *why = "it cannot be made ready";
  if (!e) return NULL;
  sweep_bundle* b = base_alloc(sizeof *b);
  b->n = s->n;
  b->m = s->m;
  b->axes = axes;
  b->columns = columns;
  b->width = code_lanes();
  const bool made = sweep_bundle_build(b, e, o, param, column, events, why);
  engine_free(e);
  if (!made) {
    sweep_bundle_free(b);
    return NULL;
  }
  number_rows(b);
  const step_lanes_problem p = problem_of(b);
  b->stages = sweep_stages_new(&b->rates, &p);
  b->pairs = sweep_stages_pair(b->stages, b->width);
  code_native_all(7,
                  (code_kernel*[]){b->rates, b->start, b->results, b->energy, b->nearest,
                                   b->settle.places, b->settle.speeds},
                  b->width);
  // what is not found at once by the model as it is will hardly be by others
  *why = "its start is not found at once";
  if (!b->rows || makes_run(b, s->model, param)) return b;
  sweep_bundle_free(b);
  return NULL;
}

void sweep_bundle_free(sweep_bundle* b)
{
  if (!b) return;
  code_free(b->rates);
  code_free(b->stages);
  free(b->row);
  code_free(b->start);
  code_free(b->nearest);
  code_free(b->results);
  code_free(b->energy);
  code_free(b->looks);
  sweep_settle_free(&b->settle);
  code_free(b->changed);
  free(b->stops);
  free(b->jump);
  free(b->direction);
  free(b);
}

// ---- one thread ---------------------------------------------------------------------------------

static void rates(void* context, const double* in, double* out)
{
  sweep_bundle_worker* w = context;
  code_run_lanes(w->b->rates, w->b->width, in, out, w->scratch);
}

static void stages(void* context, const double* in, double* out)
{
  sweep_bundle_worker* w = context;
  code_run_lanes(w->b->stages, w->b->width, in, out, w->scratch);
}

static void pair(void* context, const double* in, double* out)
{
  sweep_bundle_worker* w = context;
  code_run_pair(w->b->stages, w->b->width, in, out, w->scratch);
}

static void settle(void* context, double* in, double* well)
{
  sweep_bundle_worker* w = context;
  sweep_settle_lanes(&w->b->settle, w->b->width, w->shift, w->scratch, in, well);
}

static double* doubles(size_t count)
{
  return base_alloc(sizeof(double) * (count + 1));
}

static size_t scratch_of(const sweep_bundle* b)
{
  const code_kernel* all[] = {b->rates, b->stages, b->start, b->results, b->nearest, b->energy};
  size_t most = sweep_settle_scratch(&b->settle, b->width);
  const step_lanes_problem p = problem_of(b);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    const size_t room = all[i] ? code_scratch_lanes(all[i], step_lanes_abreast(&p)) : 0;
    if (room > most) most = room;
  }
  return most;
}

sweep_bundle_worker* sweep_bundle_open(const sweep_bundle* b)
{
  sweep_bundle_worker* w = base_alloc(sizeof *w);
  const size_t width = (size_t)b->width, state = (size_t)(b->n + b->l);
  w->b = b;
  const step_lanes_problem p = problem_of(b);
  w->lanes = step_lanes_new(&p, w);
  w->scratch = doubles(scratch_of(b));
  w->shift = doubles(sweep_settle_room(&b->settle, b->width));
  w->start_in = doubles(width * (size_t)b->axes);
  w->start_out = doubles(width * (size_t)code_outputs(b->start));
  w->near_out = doubles(b->nearest ? width * (size_t)code_outputs(b->nearest) : 0);
  w->y = doubles(state);
  w->energy_out = doubles(width * (size_t)code_outputs(b->energy));
  w->abreast = step_lanes_abreast(&p);
  w->run = base_alloc(sizeof(int) * (size_t)w->abreast);
  w->account = base_alloc(sizeof(sweep_account) * (size_t)w->abreast);
  w->ready = (sweep_ready){.run = base_alloc(sizeof(int) * width),
                           .fine = base_alloc(width),
                           .in = doubles(width * (size_t)p.inputs),
                           .account = base_alloc(sizeof(sweep_account) * width)};
  w->ended = (sweep_ended){.run = base_alloc(sizeof(int) * width),
                           .in = doubles(width * (size_t)p.inputs),
                           .out = doubles(width * (size_t)code_outputs(b->results)),
                           .account = base_alloc(sizeof(sweep_account) * width)};
  return w;
}

void sweep_bundle_close(sweep_bundle_worker* w)
{
  if (!w) return;
  step_lanes_free(w->lanes);
  void* const all[] = {w->shift,      w->scratch,      w->start_in,      w->start_out, w->near_out,
                       w->y,          w->energy_out,   w->run,           w->account,   w->ready.run,
                       w->ready.fine, w->ready.in,     w->ready.account, w->ended.run, w->ended.in,
                       w->ended.out,  w->ended.account};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
  free(w);
}

// ---- runs ---------------------------------------------------------------------------------------

// the next run that can be made in lanes goes into this one; false: there is none
static bool fill(sweep_bundle_worker* w, int lane)
{
  sweep_ready* r = &w->ready;
  for (;;) {
    if (r->next == r->count) sweep_bundle_make_ready(w);
    if (!r->count) return false;
    const int i = r->next++;
    if (!r->fine[i]) continue;
    w->run[lane] = r->run[i];
    w->account[lane] = r->account[i];
    step_lanes_take(w->lanes, lane, i);
    return true;
  }
}

// ---- ends ---------------------------------------------------------------------------------------

// has energy changed by the work of the forces alone? As walk/trust.c has it; of the energies
// between start and end nothing is known here, so that this is the stricter.
static bool is_trusted(const sweep_bundle* b, const sweep_account* a, double H, double T)
{
  const double largest =
      sweep_larger(sweep_larger(a->largest, fabs(H)), sweep_larger(fabs(T), fabs(a->work)));
  return fabs(H - a->H - a->work) <= b->allowed * (largest > 0 ? largest : 1);
}

static void put_out(sweep_bundle_worker* w)
{
  const sweep_bundle* b = w->b;
  sweep_ended* e = &w->ended;
  const int W = b->width, inputs = 1 + b->n + b->l + b->axes;
  for (int lane = e->count; lane < W && e->count; lane++)
    for (int i = 0; i < inputs; i++) e->in[i * W + lane] = e->in[i * W];
  if (e->count) {
    code_run_lanes(b->results, W, e->in, e->out, w->scratch);
    code_run_lanes(b->energy, W, e->in, w->energy_out, w->scratch);
  }
  for (int lane = 0; lane < e->count; lane++) {
    const int run = e->run[lane];
    const double H = w->energy_out[lane], T = w->energy_out[W + lane];
    w->done[run] = (!b->before || e->out[(b->before - 1) * W + lane] > 0) &&
                   is_trusted(b, &e->account[lane], H, T);
    for (int i = 0; i < b->columns; i++)
      w->result[run * b->columns + i] = e->out[(b->before + i) * W + lane];
  }
  e->count = 0;
}

static void finish(sweep_bundle_worker* w, int lane)
{
  const sweep_bundle* b = w->b;
  sweep_ended* e = &w->ended;
  const int W = b->width, at = e->count++, run = w->run[lane];
  e->run[at] = run;
  e->in[at] = step_lanes_get(w->lanes, lane, w->y, NULL);
  e->account[at] = w->account[lane];
  e->account[at].work = step_lanes_sum(w->lanes, lane);
  for (int i = 0; i < b->n + b->l; i++) e->in[(1 + i) * W + at] = w->y[i];
  for (int i = 0; i < b->axes; i++)
    e->in[(1 + b->n + b->l + i) * W + at] = w->value[run * b->axes + i];
  if (e->count == W) put_out(w);
}

// these lanes, a bit each, get another run or go along with one; false: all are done
static bool deal(sweep_bundle_worker* w, uint32_t lanes)
{
  uint32_t idle = 0;
  for (; lanes; lanes &= lanes - 1) {
    const int lane = __builtin_ctz(lanes);
    if (w->run[lane] >= 0 && step_lanes_look(w->lanes, lane) == STEP_LANES_ENDED) finish(w, lane);
    w->run[lane] = -1;
    if (!fill(w, lane)) idle |= 1u << lane;
  }
  int with = w->abreast - 1;
  while (with >= 0 && w->run[with] < 0) with--;
  for (; idle && with >= 0; idle &= idle - 1) step_lanes_idle(w->lanes, __builtin_ctz(idle), with);
  return with >= 0;
}

void sweep_bundle_run(sweep_bundle_worker* w, int count, const double* value, double* result,
                      bool* done)
{
  w->count = count;
  w->taken = 0;
  w->value = value;
  w->result = result;
  w->done = done;
  w->ready.count = w->ready.next = 0;
  memset(done, 0, (size_t)count);
  for (int lane = 0; lane < w->abreast; lane++) w->run[lane] = -1;
  bool busy = deal(w, (1u << w->abreast) - 1);
  while (busy) {
    const uint32_t news = step_lanes_step(w->lanes);
    if (news) busy = deal(w, news);
  }
  put_out(w);
}
