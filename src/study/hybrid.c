// Motions through events, stages, impacts, stick and slip, as the walker makes them.
//
// A flight of the time T from a state x is a run: whatever happens along it happens as in any other
// run. The end phi(T, x, p) is a smooth function of x and p as long as the same things happen in
// the same order. Its derivatives, jumps of the variations included (Aizerman and Gantmakher 1958),
// are those of the runs themselves, by differences of the sixth order,
//   phi' = (45 (f1 - f-1) - 9 (f2 - f-2) + (f3 - f-3))/(60 h),
// h made smaller until what happens is the same in all six runs and the formula of the fourth order
// says the same. Runs are exact to rounding, so that some twelve digits are left. Where no h is
// small enough the motion grazes something: there is no derivative.
#include "study/hybrid.h"
#include "study/swing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char grazing[] =
    "the motion grazes something: what happens along it is not the same next to it";
static const double widest = 8e-3;  // h, of the size of the state
static const double agreed = 1e-8;  // both formulas
static const double instant = 1e-7; // of the period: a moment beside a happening
enum { most_halvings = 9, ends = 3 };

// ---- runs ---------------------------------------------------------------------------------------

// what happens along a run, as one number (Fowler, Noll and Vo's hash)
static uint64_t way_of(const walk_state* w)
{
  const walk_track* t = walk_state_track(w);
  uint64_t hash = 14695981039346656037u;
  for (int i = 0; i < t->happenings; i++)
    for (const char* c = walk_happening_name(t, &t->happening[i]); *c; c++)
      hash = (hash ^ (unsigned char)*c) * 1099511628211u;
  const int jumps = t->restarts - t->basis_changes;
  return (hash ^ (uint64_t)jumps) * 1099511628211u;
}

static void read_memory(const study_hybrid* h, engine* e, double* out)
{
  for (int i = 0; i < h->memories; i++)
    out[i] = engine_value(e, e->model->param[h->memory_of[i]].symbol);
}

// the run that flies back at the start; one that went on by another method is made anew
static bool go_back(study_hybrid* h, base_notes* notes)
{
  if (h->fly && walk_state_again(h->fly, h->saved.at, h->saved.n, notes)) return true;
  walk_state_free(h->fly);
  const walk_options o = study_hybrid_options(h);
  h->fly = walk_state_load(h->s, &o, h->saved.at, h->saved.n, notes);
  return h->fly != NULL;
}

bool study_hybrid_begin(study_hybrid* h, const double* u, base_notes* notes)
{
  if (!go_back(h, notes)) return false;
  if (h->param >= 0) h->number[h->param] = u[2 * h->l->n + 1];
  walk_state_give(h->fly, h->number);
  walk_state_put(h->fly, u, notes);
  return true;
}

// one run from the state x; where it ends, and how fast it changes there
static bool run(study_hybrid* h, const double* x, double period, double p, double* end,
                double* speed)
{
  const int n = h->l->n;
  base_notes* quiet = base_notes_new();
  bool fine = go_back(h, quiet);
  walk_state* w = h->fly;
  if (fine) {
    if (h->param >= 0) h->number[h->param] = p;
    const double from = walk_state_time(w);
    walk_state_give(w, h->number);
    walk_state_put(w, x, quiet);
    walk_state_go_on(w, period, quiet);
    engine* e = fabs(walk_state_time(w) - from - period) <= 1e-12 * (1 + fabs(from) + period)
                    ? walk_state_engine(w)
                    : NULL;
    fine = e && !contact_accelerations(e);
    if (fine) {
      memcpy(end, e->q, sizeof(double) * (size_t)n);
      memcpy(end + n, e->v, sizeof(double) * (size_t)n);
      memcpy(speed, e->v, sizeof(double) * (size_t)n);
      memcpy(speed + n, e->a, sizeof(double) * (size_t)n);
      read_memory(h, e, h->memory_end);
    }
  }
  if (!fine)
    snprintf(h->reason, sizeof h->reason,
             "the motion could not be followed over the period: %.180s",
             w && *walk_state_track(w)->reason ? walk_state_track(w)->reason : "it ends before");
  base_notes_free(quiet);
  return fine;
}

// ---- derivatives --------------------------------------------------------------------------------

// the ends of the six runs from u + h k (direction), k = 1, -1, 2, -2, 3, -3, into h->side; false
// where something else happens along one of them
static bool run_around(study_hybrid* h, const double* u, const double* direction, double by_p,
                       double step)
{
  const int N = 2 * h->l->n;
  const uint64_t way = h->way;
  for (int i = 0; i < 2 * ends; i++) {
    const double far = step * (i / 2 + 1) * (i % 2 ? -1 : 1);
    double* end = h->side + 2 * N * i;
    for (int j = 0; j < N; j++) h->x[j] = u[j] + far * (direction ? direction[j] : 0);
    if (!run(h, h->x, u[N], u[N + 1] + far * by_p, end, end + N)) return false;
    if (way_of(h->fly) != way) {
      snprintf(h->reason, sizeof h->reason, "%s", grazing);
      h->grazes = true;
      return false;
    }
    for (int k = 0; k < h->memories; k++) {
      const double was = h->memory[k];
      if (fabs(h->memory_end[k] - was) <= 1e-9 * (1 + fabs(was))) continue;
      snprintf(h->reason, sizeof h->reason,
               "`%.100s`, which the motion sets, is not the same next to it: such motions are not "
               "taken",
               h->s->model->param[h->memory_of[k]].name);
      return false;
    }
  }
  return true;
}

// column k of the derivatives, from the six ends; how far the formulas are apart
static double differences(const study_hybrid* h, double step, double* column)
{
  const int N = 2 * h->l->n;
  const double* f = h->side;
  double off = 0;
  for (int j = 0; j < N; j++) {
    double d[ends];
    for (int k = 0; k < ends; k++) d[k] = f[4 * N * k + j] - f[4 * N * k + 2 * N + j];
    column[j] = (45 * d[0] - 9 * d[1] + d[2]) / (60 * step);
    off = fmax(off, fabs(column[j] - (8 * d[0] - d[1]) / (12 * step)) / (1 + fabs(column[j])));
  }
  return off;
}

static bool derive(study_hybrid* h, const double* u, const double* direction, double by_p,
                   double size, double* column)
{
  const int N = 2 * h->l->n;
  double best = INFINITY, error = 0, step = widest * size;
  double* trial = base_alloc(sizeof(double) * (size_t)N);
  for (int turn = 0; turn < most_halvings && best > agreed; turn++, step /= 4) {
    if (!run_around(h, u, direction, by_p, step)) continue;
    const double off = differences(h, step, trial);
    if (!(off < best)) continue;
    best = off;
    memcpy(column, trial, sizeof(double) * (size_t)N);
    // the formula of the sixth order is better than its distance to the other by about h^2, and
    // runs are known to their rounding
    error = fmin(off, off * 1e3 * step / size) + 1e-14 * size / step;
  }
  h->error = fmax(h->error, error);
  free(trial);
  return best < INFINITY;
}

bool study_hybrid_fly(study_hybrid* h, const double* u, double* y, double* end)
{
  study_linear* l = h->l;
  engine* e = l->e;
  const int n = l->n, N = 2 * n, wide = N + 1;
  double* column = base_alloc(sizeof(double) * (size_t)(2 * N));
  double *direction = column + N, size = 0;
  bool fine = run(h, u, u[N], u[N + 1], y, end);
  if (fine) {
    h->way = way_of(h->fly);
    h->error = 0;
    h->grazes = false;
    engine_state(e, h->start->t, u, u + n);
    if (h->param >= 0) fine = engine_given_move(e, h->param, u[N + 1]);
    e->factored = false;
    fine = fine && !study_linear_at(l);
  }
  for (int j = 0; j < N; j++) size = fmax(size, fabs(u[j]));
  const int d = fine ? study_linear_tangent(l) : 0;
  memset(y + N, 0, sizeof(double) * (size_t)(N * wide));
  double* W = base_alloc(sizeof(double) * (size_t)(N * d + 1));
  memcpy(W, l->W, sizeof(double) * (size_t)(N * d));
  // along each admissible direction, what is across the constraints being put back
  for (int k = 0; k < d && fine; k++) {
    for (int j = 0; j < N; j++) direction[j] = W[j * d + k];
    fine = derive(h, u, direction, 0, size > 0 ? size : 1, column);
    for (int i = 0; i < N && fine; i++)
      for (int j = 0; j < N; j++) y[N + i * wide + j] += column[i] * direction[j];
  }
  if (h->param >= 0 && fine) {
    const double p = fabs(u[N + 1]);
    fine = derive(h, u, NULL, 1, p > 0 ? p : 1, column);
    for (int i = 0; i < N && fine; i++) y[N + i * wide + N] = column[i];
  }
  free(W);
  free(column);
  return fine;
}

void study_hybrid_give(study_hybrid* h, int param, double value)
{
  h->number[param] = value;
}

// ---- what is known of it ------------------------------------------------------------------------

// the state of the run led back, or on, by a moment with its accelerations; false where it has none
static bool state_near(walk_state* w, double moment, double* out)
{
  engine* e = walk_state_engine(w);
  if (!e || contact_accelerations(e)) return false;
  for (int i = 0; i < e->n; i++) {
    out[i] = e->q[i] + moment * e->v[i] + moment * moment / 2 * e->a[i];
    out[e->n + i] = e->v[i] + moment * e->a[i];
  }
  return true;
}

typedef struct flight
{
  study_hybrid* h;
  const double* u;
  double from; // the start in the time of the run
} flight;

static bool begin_flight(void* context)
{
  flight* f = context;
  base_notes* quiet = base_notes_new();
  const bool fine = study_hybrid_begin(f->h, f->u, quiet);
  f->from = fine ? walk_state_time(f->h->fly) : 0;
  base_notes_free(quiet);
  return fine;
}

static bool go_in_flight(void* context, double t, double* x)
{
  flight* f = context;
  walk_state* w = f->h->fly;
  base_notes* quiet = base_notes_new();
  const double by = f->from + t - f->h->start->t - walk_state_time(w);
  if (by > 0) walk_state_go_on(w, by, quiet);
  base_notes_free(quiet);
  engine* e = walk_state_engine(w);
  if (!e || contact_accelerations(e)) return false;
  memcpy(x, e->q, sizeof(double) * (size_t)(2 * e->n));
  memcpy(x + 2 * e->n, e->a, sizeof(double) * (size_t)e->n);
  return true;
}

static void tell_swings(study_hybrid* h, const double* u, study_stability* r)
{
  flight f = {.h = h, .u = u};
  study_swings_follow(r, &(study_followed){begin_flight, go_in_flight, &f});
}

// The flight once more, stopped a moment before and behind each happening, from where the states on
// both sides of it are told.
void study_hybrid_keep(study_hybrid* h, const double* u, study_stability* r)
{
  const int N = 2 * h->l->n;
  r->hybrid = true;
  r->way = h->way;
  r->derived = h->error;
  if (!run(h, u, u[N], u[N + 1], h->side, h->side + N)) return;
  const walk_track* t = walk_state_track(h->fly);
  const double from = walk_state_time(h->fly) - u[N], moment = instant * u[N];
  r->happening = base_arena_take(r->arena, sizeof *r->happening * (size_t)(t->happenings + 1));
  for (int i = 0; i < t->happenings; i++) {
    study_happening* x = &r->happening[r->happenings++];
    x->name = base_arena_strdup(r->arena, walk_happening_name(t, &t->happening[i]));
    x->t = t->happening[i].t - from;
  }
  base_notes* quiet = base_notes_new();
  if (!study_hybrid_begin(h, u, quiet)) r->happenings = 0;
  for (int i = 0; i < r->happenings; i++) {
    study_happening* x = &r->happening[i];
    if (i > 0 && x->t - x[-1].t < 3 * moment) {
      x->before = x[-1].before;
      x->after = x[-1].after;
      continue;
    }
    double* states = base_arena_take(r->arena, sizeof(double) * (size_t)(2 * N + 1));
    walk_state_go_on(h->fly, from + x->t - moment - walk_state_time(h->fly), quiet);
    const double early = from + x->t - walk_state_time(h->fly);
    if (state_near(h->fly, early, states)) x->before = states;
    walk_state_go_on(h->fly, early + moment, quiet);
    if (state_near(h->fly, from + x->t - walk_state_time(h->fly), states + N))
      x->after = states + N;
  }
  base_notes_free(quiet);
  tell_swings(h, u, r);
}

const char* study_hybrid_reason(const study_hybrid* h)
{
  return h->grazes ? grazing : NULL;
}
