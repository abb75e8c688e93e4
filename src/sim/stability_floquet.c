// Periodic motions: multipliers of the linearised equations over one period.
//
// With the state x(t) its changes obey X' = J(t) X; from a basis W of the admissible changes at the
// start, X(T) = W Phi where the motion closes, and the eigenvalues of Phi are the multipliers
// (Floquet 1883). J is exact at every state, and X is integrated together with x.
#include "sim/stability.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double tolerance = 1e-13, closed = 1e-7;
// Moduli nearer to one than this are not told from it: a double multiplier is known to the root of
// the tolerance only.
static const double one = 1e-5;
enum { most_steps = 200000, times = 5 };

// y = (q, v, X), X of d columns stored row by row
typedef struct flight
{
  sim_linear* l;
  int d;
} flight;

static int rhs(void* context, double t, const double* y, double* dy)
{
  const flight* f = context;
  sim_linear* l = f->l;
  sim_engine* e = l->e;
  const int n = e->n, N = 2 * n, d = f->d;
  sim_engine_state(e, t, y, y + n);
  if (sim_linear_at(l)) return 1;
  memcpy(dy, y + n, sizeof(double) * (size_t)n);
  memcpy(dy + n, e->a, sizeof(double) * (size_t)n);
  const double *X = y + N, *J = l->J + n * N;
  double* dX = dy + N;
  memcpy(dX, X + n * d, sizeof(double) * (size_t)(n * d));
  for (int i = 0; i < n; i++)
    for (int k = 0; k < d; k++) {
      double sum = 0;
      for (int j = 0; j < N; j++) sum += J[i * N + j] * X[j * d + k];
      dX[(n + i) * d + k] = sum;
    }
  return 0;
}

static bool fly(flight* f, double t, double period, double* y, base_notes* notes)
{
  const int size = 2 * f->l->n * (1 + f->d);
  double* abs_tol = base_alloc(sizeof(double) * (size_t)size);
  for (int i = 0; i < size; i++) abs_tol[i] = tolerance;
  const num_ode ode = {
      .n = size, .rhs = rhs, .context = f, .rel_tol = tolerance, .abs_tol = abs_tol};
  const num_method* method = &num_method_dop853;
  num_stepper* s = method->create(method, &ode);
  num_status status = method->start(s, t, y, t + period);
  while (status == NUM_OK && s->t < t + period && s->counts.steps < most_steps)
    status = method->step(s, t + period);
  memcpy(y, s->y, sizeof(double) * (size_t)size);
  const bool done = status == NUM_OK && s->t >= t + period;
  if (!done)
    base_error(notes, BASE_NOWHERE,
               "the motion could not be followed over the period: at t = %.6g %s", s->t,
               s->reason[0] ? s->reason : "the steps became too many");
  method->destroy(s);
  free(abs_tol);
  return done;
}

// what is missing for the state to come back; ignorable coordinates may have moved on
static double gap(const sim_stability* r, const bool* ignorable, const double* y)
{
  double most = 0;
  for (int i = 0; i < r->n; i++) {
    if (!ignorable[i]) most = fmax(most, fabs(y[i] - r->q[i]) / (1 + fabs(r->q[i])));
    most = fmax(most, fabs(y[r->n + i] - r->v[i]) / (1 + fabs(r->v[i])));
  }
  return most;
}

// Do the equations themselves repeat after a period? Their derivatives are compared at times that
// have nothing to do with it, the state and the accelerations being those of the start.
static bool repeats(sim_linear* l, const sim_stability* r)
{
  sim_engine* e = l->e;
  const int count = (l->n + 3 * e->m) * l->width;
  double *before = base_alloc(sizeof(double) * (size_t)(count + 1)), off = 0, size = 0;
  for (int turn = 0; turn < times; turn++) {
    const double t = r->t + r->period * turn * 0.3819660112501051;
    sim_engine_state(e, t, r->q, r->v);
    code_run(l->kernel, e->in, before, l->scratch);
    sim_engine_time(e, t + r->period);
    code_run(l->kernel, e->in, l->out, l->scratch);
    for (int i = 0; i < count; i++) {
      off = fmax(off, fabs(l->out[i] - before[i]));
      size = fmax(size, fabs(before[i]));
    }
  }
  free(before);
  sim_engine_state(e, r->t, r->q, r->v);
  return off <= closed * size;
}

// Multipliers that are one because a shift leads to another such motion: of an ignorable
// coordinate, or along the motion itself where time does not appear.
static int expected_ones(const sim_stability* r, bool timed)
{
  int count = 0;
  bool moves = false;
  for (int i = 0; i < r->n; i++) {
    count += r->ignorable[i];
    moves = moves || (!r->ignorable[i] && fabs(r->v[i]) > 0);
  }
  return count + (!timed && moves);
}

static void judge(sim_stability* r, bool timed)
{
  int ones = 0, on_circle = 0;
  r->largest = -INFINITY;
  for (int i = 0; i < r->multipliers; i++) {
    const double modulus = hypot(r->multiplier_re[i], r->multiplier_im[i]);
    ones += hypot(r->multiplier_re[i] - 1, r->multiplier_im[i]) < one;
    on_circle += fabs(modulus - 1) <= one;
    r->largest = fmax(r->largest, modulus - 1);
  }
  r->verdict = SIM_MARGINAL;
  if (r->largest > one) {
    r->verdict = SIM_UNSTABLE;
    r->why = "a multiplier lies outside the unit circle";
  } else if (on_circle == 0) {
    r->verdict = SIM_STABLE;
    r->why = "all multipliers lie inside the unit circle";
  } else if (on_circle == ones && ones <= expected_ones(r, timed)) {
    r->verdict = SIM_STABLE;
    r->why = "all multipliers but those of shifts along the motion lie inside the unit circle";
  } else {
    r->why = "multipliers lie on the unit circle: linearisation does not decide";
  }
}

bool sim_floquet(sim_linear* l, const bool* ignorable, bool timed, sim_stability* r,
                 base_notes* notes)
{
  sim_engine* e = l->e;
  const int n = e->n, N = 2 * n;
  if (sim_linear_at(l)) {
    base_error(notes, BASE_NOWHERE, "no accelerations at the start: %s", e->reason);
    return false;
  }
  if (timed && !repeats(l, r)) {
    base_error(notes, BASE_NOWHERE, "the equations depend on time, but not with the period %.10g s",
               r->period);
    base_help(notes, "the period of a term cos(k*t) is 2*pi/k");
    return false;
  }
  if (sim_linear_at(l)) return false;
  const int d = r->dimension = sim_linear_tangent(l);
  double *y = base_arena_take(r->arena, sizeof(double) * (size_t)(N * (1 + d) + 1)),
         *W = base_arena_take(r->arena, sizeof(double) * (size_t)(N * d + 1)),
         *Phi = base_arena_take(r->arena, sizeof(double) * (size_t)(d * d + 1));
  memcpy(W, l->W, sizeof(double) * (size_t)(N * d));
  memcpy(y, e->q, sizeof(double) * (size_t)N);
  memcpy(y + N, W, sizeof(double) * (size_t)(N * d));
  flight f = {l, d};
  if (!fly(&f, r->t, r->period, y, notes)) return false;
  r->closure = gap(r, ignorable, y);
  if (!(r->closure < closed)) {
    base_error(notes, BASE_NOWHERE,
               "the motion does not come back after %.10g s: off by %.3g of the state", r->period,
               r->closure);
    base_help(notes, "give a state of the periodic motion with `--state`, and its period");
    return false;
  }
  for (int h = 0; h < d; h++)
    for (int k = 0; k < d; k++)
      for (int i = 0; i < N; i++) Phi[h * d + k] += W[i * d + h] * y[N + i * d + k];
  r->multipliers = d;
  r->multiplier_re = base_arena_take(r->arena, sizeof(double) * (size_t)(d + 1));
  r->multiplier_im = base_arena_take(r->arena, sizeof(double) * (size_t)(d + 1));
  if (!num_eigen(d, Phi, r->multiplier_re, r->multiplier_im)) {
    base_error(notes, BASE_NOWHERE, "the multipliers could not be computed");
    return false;
  }
  judge(r, timed);
  return true;
}
