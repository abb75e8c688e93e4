// The law `carry limit`: the motion through a change of duration eps, for eps to 0.
#include "contact/contact.h"
#include "rate/rate.h"
#include "walk/carry.h"
#include "walk/change.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_columns = 10, most_steps = 20000 };

// state after a change of duration eps of all sudden params together; 0 if it could be integrated
static int fast_change(engine* e, const walk_before* b, double eps, engine_profile* profile,
                       double* qv)
{
  const size_t n = (size_t)e->n;
  const double end = b->t + eps;
  engine_ramp* kept = base_alloc(sizeof *kept * (size_t)(e->p + 1));
  memcpy(kept, e->mode.ramp, sizeof *kept * (size_t)e->p);
  for (int k = 0; k < e->p; k++)
    if (b->sudden[k]) e->mode.ramp[k] = (engine_ramp){b->par[k], b->target[k], b->t, end - b->t};
  engine_profile* usual = e->profile;
  e->profile = profile;

  engine_state(e, b->t, b->q, b->v);
  const walk_carry_way way = {.f = rate_flow_new(e, engine_limit_exact, false),
                              .most_steps = most_steps,
                              .note = contact_fast_change_note};
  const int failed = walk_carry(&way, b->t, end);
  memcpy(qv, e->q, sizeof(double) * 2 * n);
  e->profile = usual;
  memcpy(e->mode.ramp, kept, sizeof *kept * (size_t)e->p);
  free(kept);
  return failed;
}

// of the first count places and speeds, of their sizes
static double difference(const engine* e, int count, const double* a, const double* b)
{
  const engine_scales* s = e->scales;
  double most = 0;
  for (int i = 0; i < count; i++) {
    const double size = fmax(i < e->n ? s->place[i] : s->speed[i - e->n], fabs(b[i]));
    if (a[i] != b[i]) most = fmax(most, fabs(a[i] - b[i]) / size);
  }
  return most;
}

// Polynomial extrapolation to eps = 0 from eps0 / 1, 2, 3, 4, 6, 8, ... (Neville); returns the
// difference of the last two columns at the best place, or nan
static double extrapolate(engine* e, const walk_before* b, double eps0, engine_profile* profile,
                          double* qv)
{
  static const int divide[most_columns] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32};
  const int n = 2 * e->n;
  double* table = base_alloc(sizeof(double) * (size_t)(most_columns * n));
  double* old = base_alloc(sizeof(double) * (size_t)n);
  double best = NAN;
  for (int k = 0; k < most_columns; k++) {
    double* row = base_alloc(sizeof(double) * (size_t)n);
    if (fast_change(e, b, eps0 / divide[k], profile, row)) {
      free(row);
      best = NAN;
      break;
    }
    // table[j] holds the entry T_{k-1, j}; rebuild it as T_{k, j}
    double* below = base_alloc(sizeof(double) * (size_t)n);
    for (int j = 0; j <= k; j++) {
      double* entry = table + j * n;
      memcpy(below, entry, sizeof(double) * (size_t)n);
      if (j == 0) {
        memcpy(entry, row, sizeof(double) * (size_t)n);
      } else {
        const double ratio = (double)divide[k] / divide[k - j] - 1;
        for (int i = 0; i < n; i++) entry[i] = row[i] + (row[i] - old[i]) / ratio;
      }
      memcpy(row, entry, sizeof(double) * (size_t)n);
      memcpy(old, below, sizeof(double) * (size_t)n);
    }
    if (k > 1) {
      const double change = difference(e, n, table + k * n, table + (k - 1) * n);
      if (!(change >= best)) {
        best = change;
        memcpy(qv, table + k * n, sizeof(double) * (size_t)n);
      }
    }
    free(row);
    free(below);
  }
  free(table);
  free(old);
  return best;
}

// error of the extrapolated limit, nan when it does not settle; qv is the best one found
static double limit_of(engine* e, const walk_before* b, engine_profile* profile, double* qv)
{
  double* trial = base_alloc(sizeof(double) * (size_t)(2 * e->n));
  double best = NAN;
  double eps0 = engine_limit_first * engine_scale_quick(e);
  for (int turn = 0; turn < 6 && !(best < engine_limit_done); turn++, eps0 *= 0.4) {
    const double error = extrapolate(e, b, eps0, profile, trial);
    if (isnan(error) || error >= best) continue;
    best = error;
    memcpy(qv, trial, sizeof(double) * (size_t)(2 * e->n));
  }
  free(trial);
  return best;
}

// is there one limit, by both shapes of the change? else an error is noted
static bool has_limit(const engine* e, const model_change* c, const walk_before* b,
                      const double* error, const double* one, const double* two, base_notes* notes)
{
  const int n2 = 2 * e->n;
  if (!(error[0] < engine_limit_settled) || !(error[1] < engine_limit_settled))
    base_error(
        notes, c->place,
        "at t = %g this instantaneous change has no limit: made faster and faster, the velocities "
        "after it do not settle",
        b->t);
  else if (difference(e, n2, one, two) > engine_limit_same)
    base_error(
        notes, c->place,
        "at t = %g this instantaneous change has no limit: the state after it depends on how the "
        "fast change is made (two ways differ by %.3g)",
        b->t, difference(e, n2, one, two));
  else
    return true;
  return false;
}

// the state at the limit; false with an error noted where an inequality does not admit it
static bool take_limit(engine* e, const model_change* c, const walk_before* b, const double* one,
                       base_notes* notes)
{
  walk_change_settle(e, b);
  memcpy(e->q, one, sizeof(double) * (size_t)(2 * e->n));
  const char* struck = contact_fast_change_beyond(e);
  if (struck)
    base_error(notes, c->place,
               "at t = %g this instantaneous change has no limit: the faster it is made, the "
               "harder `%s` is struck",
               b->t, struck);
  else if (difference(e, e->n, e->q, b->q) > engine_open_gap)
    base_warning(notes, c->place,
                 "at t = %g the fast change also moves the coordinates (by up to %.3g)", b->t,
                 difference(e, e->n, e->q, b->q));
  return !struck;
}

int walk_change_limit(engine* e, const model_change* c, walk_before* b, base_notes* notes)
{
  const size_t n2 = 2 * (size_t)e->n;
  double *one = base_alloc(sizeof(double) * 2 * n2), *two = one + n2, error[2];
  do {
    contact_fast_change_start(e);
    error[0] = limit_of(e, b, engine_profile_quintic, one);
    error[1] = error[0] < engine_limit_settled ? limit_of(e, b, engine_profile_septic, two) : NAN;
  } while (contact_fast_change_release(e));
  const bool found = has_limit(e, c, b, error, one, two, notes) && take_limit(e, c, b, one, notes);
  if (!found)
    base_help(notes,
              "give it a duration with `over`, or choose `carry velocity` or `carry momentum`");
  free(one);
  return !found;
}
