// Events on a step of the series: the event functions as polynomials in time.
//
// The jets of the event functions, fed with the series of the motion, give each of them as a
// polynomial on the step; its roots are isolated there, and polished on the function itself.
#include "rate/rate.h"

#include <math.h>
#include <string.h>

// the inputs of order k along the motion; accelerations and reactions are known to one order less
static void feed(rate_series* s, int k)
{
  const engine* e = s->e;
  const int n = e->n, a = 1 + 2 * n + 3 * e->p, width = 2 * n + 1;
  double* scratch = s->watch_scratch;
  if (k == 0) code_jet_set_all(s->watches, scratch, 0, e->program->inputs, 0, s->start);
  if (k > 0) rate_series_given(s, s->watches, scratch, k);
  code_jet_set_all(s->watches, scratch, 1, 2 * n, k, s->motion + k * width);
  if (k == s->expanded) return;
  for (int i = 0; i < n; i++)
    code_jet_set(s->watches, scratch, a + i, k, (k + 1) * s->motion[(k + 1) * width + n + i]);
  for (int r = 0; r < s->rows; r++)
    code_jet_set(s->watches, scratch, a + n + s->row[r], k, -s->multiplier[k * e->m + r]);
}

static bool all_finite(const rate_series* s)
{
  for (int i = 0; i < code_outputs(s->e->program->watches); i++) {
    const double* c = code_jet_out(s->watches, s->watch_scratch, i);
    for (int k = 0; k <= s->expanded; k++)
      if (!isfinite(c[k])) return false;
  }
  return true;
}

void rate_series_watch(rate_series* s, double t)
{
  s->watching = false;
  if (!s->watches || !s->expanded || s->t != t) return;
  for (int k = 0; k <= s->expanded; k++) {
    feed(s, k);
    code_jet_run(s->watches, k, s->watch_scratch);
  }
  s->watching = all_finite(s);
  if (!s->watching) code_jet_clear(s->watches, s->watch_scratch);
}

int rate_series_roots(rate_series* s, int which, num_function* f, void* context, double a, double b,
                      double tolerance, int room, num_root* out)
{
  if (!s->watching) return num_roots(f, context, a, b, tolerance, room, out);
  const double* c = code_jet_out(s->watches, s->watch_scratch, which);
  const int degree = s->expanded - s->e->program->watch_needs_accelerations[which];
  double size = 0, power = 1, end = 0;
  for (int k = 0; k <= degree; k++, power *= b - s->t) {
    const double term = fabs(c[k] * power);
    size += term;
    if (k > degree - 3) end += term;
  }
  if (!(end <= engine_series_converged * size))
    return num_roots(f, context, a, b, tolerance, room, out);
  // what is left out is less than the last terms; the state at the end was moved a little
  const double noise = end + engine_series_noise * size;
  return num_roots_series(f, context, s->t, degree, c, noise, a, b, tolerance, room, out);
}
