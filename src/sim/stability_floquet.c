// Periodic motions: multipliers of the linearised equations over one period.
//
// With the state x(t) its changes obey X' = J(t) X; from a basis W of the admissible changes at the
// start, X(T) = W Phi where the motion closes, and the eigenvalues of Phi are the multipliers
// (Floquet 1883). J is exact at every state, and X is integrated together with x.
#include "sim/orbit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Moduli nearer to one than this are not told from it: a double multiplier is known to the root of
// the tolerance only.
static const double one = 1e-5;
enum { times = 5 };

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
  return off <= sim_orbit_closed * size;
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
  const int N = 2 * e->n;
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
  sim_orbit o = sim_orbit_new(l, ignorable, timed, r->arena);
  if (!sim_orbit_close(&o, r, notes)) return false;
  const int d = r->dimension = o.d;
  double* Phi = base_arena_take(r->arena, sizeof(double) * (size_t)(d * d + 1));
  for (int h = 0; h < d; h++)
    for (int k = 0; k < d; k++)
      for (int i = 0; i < N; i++) Phi[h * d + k] += o.W[i * d + h] * o.y[N + i * d + k];
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
