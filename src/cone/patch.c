// Friction over a small round patch as numbers: the law of Contensou and Zhuravlev, and which
// forces it can hold. Formulas and their source stand above src/model/roll_patch.c.
//
// Where nothing moves the law has no value; it holds all forces inside of the surface that its
// values for all d = V/U run through. M/F falls as d grows, so that a force T = (T_1, T_2, M/a)
// points to one d, and that is how the contact moves where T comes to the surface.
#include "cone/cone.h"

#include <float.h>
#include <math.h>

enum { series_terms = 12, halvings = 60 };
static const double pi = 3.14159265358979323846;

static void hertz(double v, double u, double* F, double* M)
{
  const double d = v / u, d2 = d * d, x = u / v, m = x * x;
  if (v <= u) {
    *F = 3 * pi / 8 * d * (1 - d2 / 4);
    *M = 3 * pi / 16 * (1 - d2 + 3 * d2 * d2 / 8);
    return;
  }
  if (4 * u >= v) {
    const double angle = asin(x), s = sqrt(d2 - 1);
    *F = 0.75 * ((d - d * d2 / 4) * angle + s * (d / 4 + 0.5 / d));
    *M = 0.375 * ((1 - d2 + 3 * d2 * d2 / 8) * angle + s * (0.75 - 0.375 * d2));
    return;
  }
  double binomial = 1, power = 1;
  *F = 1;
  *M = 0;
  for (int n = 1; n < series_terms; n++) {
    binomial *= (2 * n - 3) / (2.0 * n);
    const double b = 3 * binomial / ((2 * n + 1) * (2 * n + 3));
    *M -= 2 * n * b / (2 * n - 1) * power * x;
    power *= m;
    *F += b * power;
  }
}

static void uniform(double v, double u, double* F, double* M)
{
  const double k = fmin(v, u) / fmax(v, u), m = k * k, rest = (1 - k) * (1 + k);
  double a = 1, b = sqrt(fmax(rest, DBL_EPSILON * DBL_EPSILON)), c = 1, S = 0, weight = 2;
  for (int n = 0; n == 0 || weight * c > DBL_EPSILON * S; n++, weight *= 2) {
    const double mean = (a + b) / 2;
    b = sqrt(a * b);
    a = mean;
    c = (n ? c * c * m * m : 1) / (16 * a * a);
    S += weight * c;
  }
  const double K = pi / (2 * a), B = K * (1 - m * S) / 2, D = K * (1 + m * S) / 2;
  *F = 4 / (3 * pi) * (2 * B + rest * D) * (v < u ? k : 1);
  *M = 4 / (9 * pi) * (v < u ? (3 - m) * B + rest * (3 - 2 * m) * D : (3 * B - D + K * S) * k);
}

void cone_patch_law(cone_patch patch, double v, double u, double* F, double* M)
{
  const bool hertzian = patch.pressure == CONE_PATCH_HERTZ;
  if (!patch.rational) {
    (hertzian ? hertz : uniform)(v, u, F, M);
    return;
  }
  const double slope = hertzian ? 3 * pi / 8 : 1, still = hertzian ? 3 * pi / 16 : 2.0 / 3,
               far = hertzian ? 0.2 : 0.25;
  *F = v / (v + u / slope);
  *M = still * u / (u + v * still / far);
}

double cone_patch_size(cone_patch patch, const double T[3], double direction[3])
{
  const double slip = hypot(T[0], T[1]), pivot = fabs(T[2]);
  double low = 0, high = pi / 2, F, M;
  for (int k = 0; k < halvings; k++) {
    const double middle = (low + high) / 2;
    cone_patch_law(patch, sin(middle), cos(middle), &F, &M);
    *(F * pivot > M * slip ? &high : &low) = middle;
  }
  const double v = slip > 0 ? sin(low) : 0, u = pivot > 0 ? cos(low) : 0;
  for (int k = 0; k < 3; k++) direction[k] = 0;
  if (!(v + u > 0)) return 0;
  cone_patch_law(patch, v, u, &F, &M);
  for (int k = 0; k < 2 && slip > 0; k++) direction[k] = -v * T[k] / slip;
  if (pivot > 0) direction[2] = -u * T[2] / pivot;
  return hypot(slip, pivot) / hypot(F, M);
}
