// How large the components of y are.
#include "rate/rate.h"

#include <math.h>

double rate_flow_speed_size(const rate_flow* f, int k, const double* speed)
{
  const int n = f->e->n;
  double sum = 0;
  if (!f->reduced) return speed[k];
  for (int j = 0; j < n && k < f->l; j++) sum += fabs(f->C[k * n + j]) * speed[j];
  return sum;
}

double rate_flow_size(const rate_flow* f, int i)
{
  const engine_scales* s = f->e->scales;
  const int n = f->e->n;
  return i < n ? s->place[i] : i < 2 * n ? rate_flow_speed_size(f, i - n, s->speed) : 0;
}

// What has rested so far has rounding for its speed. What its forces, which balance, would give it
// tells how much of that is none.
double rate_flow_size_at_rest(const rate_flow* f, int i)
{
  const int n = f->e->n;
  const double seen = rate_flow_size(f, i);
  if (i < n || i >= 2 * n) return seen;
  const double given = rate_flow_speed_size(f, i - n, f->e->scales->speed_terms);
  return seen < engine_noise_state * given ? given : seen;
}
