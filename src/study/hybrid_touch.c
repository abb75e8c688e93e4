// How near a motion comes to something that does not happen along it.
//
// Each surface g of the model (an event, the end of a stage, a gap) has extrema towards zero along
// a flight: g' = 0, g g'' > 0. The motion grazes the surface where one of them is zero; until then
// it is a smooth function of the motion, whatever becomes of the flights beyond. From the other
// side, where the thing happens, the rate with which the surface is met goes to zero there; the
// motion is a smooth function of that rate, and not of the extremum behind, which is its square
// (Nordmark, J. Sound Vib. 145 (1991), 279).
#include "study/hybrid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { pieces = 128 };               // of the flight, each with at most one extremum
static const double held = 1e-9;     // of the largest value: below it the surface is kept to
static const double moment = 1e-6;   // of the period, for rates
static const double resolved = 1e-9; // of the period: the value is flat there

typedef struct flight
{
  study_hybrid* h;
  const double* u;
  const expr* surface; // those looked at
  int surfaces;
  double* value; // [surface][time], and rates behind
  base_notes* quiet;
} flight;

static double period_of(const flight* f)
{
  return f->u[2 * f->h->l->n];
}

// value and rate of a surface at the state of the engine, which is left as it was; its
// accelerations are known
static double look(engine* e, expr g, double dt, double* rate)
{
  const int n = e->n, N = 2 * n;
  const double t = e->in[0], value = engine_value(e, g);
  double beside[2], *here = base_alloc(sizeof(double) * (size_t)(N + 1));
  memcpy(here, e->q, sizeof(double) * (size_t)n);
  memcpy(here + n, e->v, sizeof(double) * (size_t)n);
  for (int side = 0; side < 2; side++) {
    const double d = side ? dt : -dt;
    for (int i = 0; i < n; i++) {
      e->q[i] = here[i] + d * here[n + i] + d * d / 2 * e->a[i];
      e->v[i] = here[n + i] + d * e->a[i];
    }
    engine_time(e, t + d);
    beside[side] = engine_value(e, g);
  }
  memcpy(e->q, here, sizeof(double) * (size_t)n);
  memcpy(e->v, here + n, sizeof(double) * (size_t)n);
  engine_time(e, t);
  e->factored = false;
  free(here);
  *rate = (beside[1] - beside[0]) / (2 * dt);
  return value;
}

// values and rates of all surfaces at the ends of all pieces; false where the flight has an end
static bool sample(flight* f)
{
  const double T = period_of(f);
  if (!study_hybrid_begin(f->h, f->u, f->quiet)) return false;
  for (int i = 0; i <= pieces; i++) {
    if (i) walk_state_go_on(f->h->fly, T / pieces, f->quiet);
    engine* e = walk_state_engine(f->h->fly);
    if (!e || contact_accelerations(e)) return false;
    for (int k = 0; k < f->surfaces; k++) {
      double* to = f->value + 2 * (k * (pieces + 1) + i);
      to[0] = look(e, f->surface[k], moment * T, to + 1);
    }
  }
  return true;
}

// does something happen in this piece of the flight sampled last?
static bool has_happened(const flight* f, int piece)
{
  const walk_track* t = walk_state_track(f->h->fly);
  const double T = period_of(f), from = walk_state_time(f->h->fly) - T;
  for (int i = 0; i < t->happenings; i++)
    if (fabs((t->happening[i].t - from) / T * pieces - piece - 0.5) < 0.51) return true;
  return false;
}

static double rate_at(void* context, double t)
{
  flight* f = context;
  if (!study_hybrid_begin(f->h, f->u, f->quiet)) return NAN;
  walk_state_go_on(f->h->fly, t, f->quiet);
  engine* e = walk_state_engine(f->h->fly);
  double rate;
  if (!e || contact_accelerations(e)) return NAN;
  f->value[0] = look(e, f->surface[0], moment * period_of(f), &rate);
  return rate;
}

// The extremum nearest to zero, of the largest value of its surface; or, where a surface is given,
// that of it which is nearest in time. Roughly, and the piece that holds it; -1: none.
static int choose(const flight* f, const study_touch* touch, double* off_by)
{
  double least = INFINITY;
  int best = -1;
  for (int k = 0; k < f->surfaces; k++) {
    const double* y = f->value + 2 * k * (pieces + 1);
    double size = 0;
    for (int i = 0; i <= pieces; i++) size = fmax(size, fabs(y[2 * i]));
    for (int i = 0; i < pieces; i++) {
      const double *a = y + 2 * i, *b = a + 2;
      const bool turns = a[0] * a[1] < 0 && a[1] * b[1] < 0 && a[0] * b[0] > 0;
      if (!turns || fmin(fabs(a[0]), fabs(b[0])) < held * size || has_happened(f, i)) continue;
      const double x = a[1] / (a[1] - b[1]), at = (i + x) / pieces;
      const double off = touch->surface < 0
                             ? fabs(a[0] + a[1] * x * period_of(f) / pieces / 2) / size
                             : fabs(at - touch->at);
      if (!(off < least)) continue;
      least = off;
      best = k * pieces + i;
    }
  }
  *off_by = least;
  return best;
}

// The rate with which happening i of the flight sampled last is met: that of the surface which is
// nearest to zero there, and its number; nan: it has none
static double rate_of_meeting(flight* f, const expr* all, int count, double t, int* surface)
{
  const double T = period_of(f), short_of = moment * T;
  if (t < 2 * short_of || !study_hybrid_begin(f->h, f->u, f->quiet)) return NAN;
  walk_state_go_on(f->h->fly, t - short_of, f->quiet);
  engine* e = walk_state_engine(f->h->fly);
  if (!e || contact_accelerations(e)) return NAN;
  for (int i = 0; i < e->n; i++) {
    e->q[i] += short_of * e->v[i] + short_of * short_of / 2 * e->a[i];
    e->v[i] += short_of * e->a[i];
  }
  engine_time(e, e->in[0] + short_of);
  double least = INFINITY, met = NAN;
  for (int k = 0; k < count; k++) {
    double rate;
    const double off = fabs(look(e, all[k], short_of, &rate));
    if (!(off < least) || rate == 0) continue;
    least = off;
    met = rate;
    *surface = k;
  }
  return met;
}

// What is met slowest along the flight sampled last, beside the largest rate of its surface in it;
// where one is given, that nearest in time. Infinite: nothing.
static double choose_met(flight* f, const expr* all, int count, study_touch* touch)
{
  const walk_track* track = walk_state_track(f->h->fly);
  const int happenings = track->happenings;
  const double T = period_of(f), from = walk_state_time(f->h->fly) - T;
  double *at = base_alloc(sizeof(double) * (size_t)(happenings + 1)), best = INFINITY;
  for (int i = 0; i < happenings; i++) at[i] = track->happening[i].t - from;
  const study_touch asked = *touch;
  for (int i = 0; i < happenings; i++) {
    int k = 0;
    double fastest = 0;
    const double rate = rate_of_meeting(f, all, count, at[i], &k);
    for (int j = 0; j <= pieces && f->surfaces == count; j++)
      fastest = fmax(fastest, fabs(f->value[2 * (k * (pieces + 1) + j) + 1]));
    const double off = asked.surface < 0 ? fabs(rate) / fastest : fabs(at[i] / T - asked.at);
    if (!(off < best) || (asked.surface >= 0 && k != asked.surface)) continue;
    best = off;
    *touch = (study_touch){.surface = k, .at = at[i] / T, .value = rate, .met = true};
  }
  free(at);
  return best;
}

static bool touch_of(study_hybrid* h, const double* u, study_touch* touch)
{
  int count;
  expr* all = study_hybrid_surfaces(h->l->e, &count);
  const bool one = touch->surface >= 0 && !touch->met;
  flight f = {.h = h, .u = u, .surface = one ? all + touch->surface : all};
  f.surfaces = one ? 1 : count;
  f.value = base_alloc(sizeof(double) * (size_t)(2 * (pieces + 1) * f.surfaces + 2));
  f.quiet = base_notes_new();
  double near = INFINITY;
  study_touch slowest = *touch;
  const bool sampled = sample(&f), any = touch->surface < 0;
  const int best = sampled && !touch->met ? choose(&f, touch, &near) : -1;
  const double slow = sampled && !one ? choose_met(&f, all, count, &slowest) : INFINITY;
  const bool met = isfinite(slow) && (!any || slow < near);
  if (met) {
    *touch = slowest;
  } else if (best >= 0) {
    const int k = best / pieces, i = best % pieces;
    const double* y = f.value + 2 * (k * (pieces + 1) + i);
    const double T = period_of(&f), from = y[1], to = y[3];
    touch->surface = one ? touch->surface : k;
    f.surface = all + touch->surface;
    const double t =
        num_bracket(rate_at, &f, T * i / pieces, from, T * (i + 1) / pieces, to, resolved * T);
    touch->at = t / T;
    touch->value = isfinite(rate_at(&f, t)) ? f.value[0] : NAN;
  }
  base_notes_free(f.quiet);
  free(f.value);
  free(all);
  return (met || best >= 0) && isfinite(touch->value);
}

bool study_rounds_touch(void* context, const double* u, study_touch* touch)
{
  const study_rounds* o = context;
  return o->hybrid && touch_of(o->hybrid, u, touch);
}
