// Bracketed root by the ITP method: interpolate, truncate, project.
// Oliveira and Takahashi, ACM Trans. Math. Software 47 (2020), 5.
#include "num/num.h"

#include <assert.h>
#include <float.h>
#include <math.h>

double num_bracket(num_function* f, void* context, double lo, double f_lo, double hi, double f_hi,
                   double tolerance)
{
  assert(lo <= hi);
  double sign = f_hi > 0 ? 1 : -1;
  double eps = fmax(tolerance / 2, 2 * DBL_EPSILON * fmax(fabs(lo), fabs(hi)));
  double k1 = 0.2 / fmax(hi - lo, DBL_MIN);
  int half = (int)ceil(log2(fmax((hi - lo) / (2 * eps), 1))), slack = 2;
  for (int j = 0; hi - lo > 2 * eps && j < 200; j++) {
    double middle = (lo + hi) / 2, radius = ldexp(eps, half + slack - j) - (hi - lo) / 2;
    // interpolate: regula falsi
    double guess = (f_hi * lo - f_lo * hi) / (f_hi - f_lo);
    if (!(guess >= lo && guess <= hi)) guess = middle;
    // truncate: a little towards the middle
    double side = middle >= guess ? 1 : -1, delta = k1 * (hi - lo) * (hi - lo);
    double x = delta <= fabs(middle - guess) ? guess + side * delta : middle;
    // project: not farther from the middle than bisection's budget allows
    if (!(fabs(x - middle) <= radius)) x = middle - side * fmax(radius, 0);
    if (!(x > lo && x < hi)) x = middle;
    double y = f(context, x);
    if (y == 0 || !isfinite(y)) return x;
    if (y * sign > 0) {
      hi = x;
      f_hi = y;
    } else {
      lo = x;
      f_lo = y;
    }
  }
  return (lo + hi) / 2;
}
