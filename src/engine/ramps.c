// Params that change smoothly in time: value and rates at an instant.
#include "engine/engine.h"

#include <math.h>

// s = 10 x^3 - 15 x^4 + 6 x^5: value, slope and curvature vanish at both ends up to the second
// order
void engine_profile_quintic(double x, double* s, double* s1, double* s2)
{
  *s = x * x * x * (10 + x * (-15 + 6 * x));
  *s1 = 30 * x * x * (1 - x) * (1 - x);
  *s2 = 60 * x * (1 - x) * (1 - 2 * x);
}

// s = 35 x^4 - 84 x^5 + 70 x^6 - 20 x^7: another way of making the same change
void engine_profile_septic(double x, double* s, double* s1, double* s2)
{
  const double y = 1 - x;
  *s = x * x * x * x * (35 + x * (-84 + x * (70 - 20 * x)));
  *s1 = 140 * x * x * x * y * y * y;
  *s2 = 420 * x * x * y * y * (1 - 2 * x);
}

// t - start is exact near the start of the ramp, so that the phase of a short one late in a run
// keeps its digits
double engine_ramp_phase(const engine_ramp* r, double t, double rest)
{
  return r->length > 0 ? (t - r->start + rest) / r->length : 1;
}

void engine_params_at(engine* e, double t)
{
  for (int i = 0; i < e->p; i++) {
    const engine_ramp* r = &e->mode.ramp[i];
    const double x = engine_ramp_phase(r, t, e->t_rest);
    e->rate[i] = 0;
    e->rate2[i] = 0;
    if (x >= 1) {
      e->par[i] = r->to;
    } else if (x <= 0) {
      e->par[i] = r->from;
    } else {
      double s, s1, s2;
      e->profile(x, &s, &s1, &s2);
      const double d = r->to - r->from;
      e->par[i] = r->from + d * s;
      e->rate[i] = d * s1 / r->length;
      e->rate2[i] = d * s2 / (r->length * r->length);
    }
  }
  if (e->delays && e->delays->recording) engine_delays_at(e, t);
}

double engine_ramp_next(const engine* e, double t)
{
  double next = INFINITY;
  for (int i = 0; i < e->p; i++) {
    const double end = e->mode.ramp[i].start + e->mode.ramp[i].length;
    if (e->mode.ramp[i].length > 0 && end > t && end < next) next = end;
  }
  return next;
}
