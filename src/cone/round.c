// The round cone y_0 >= |y_1| of one to three numbers: products and scalings in its inside.
#include "cone/round.h"

#include <math.h>

static double length_of(int size, const double* y)
{
  return size == 1 ? 0 : size == 2 ? fabs(y[1]) : hypot(y[1], y[2]);
}

// y_0^2 - |y_1|^2, without cancellation
double cone_round_det(int size, const double* y)
{
  const double l = length_of(size, y);
  return (y[0] - l) * (y[0] + l);
}

double cone_round_dot(int size, const double* a, const double* b)
{
  double sum = 0;
  for (int k = 0; k < size; k++) sum += a[k] * b[k];
  return sum;
}

void cone_round_jordan(int size, const double* a, const double* b, double* out)
{
  const double first = cone_round_dot(size, a, b);
  for (int k = 1; k < size; k++) out[k] = a[0] * b[k] + b[0] * a[k];
  out[0] = first;
}

// a o out = b
void cone_round_divide(int size, const double* a, const double* b, double* out)
{
  double first = a[0] * b[0];
  for (int k = 1; k < size; k++) first -= a[k] * b[k];
  first /= cone_round_det(size, a);
  for (int k = 1; k < size; k++) out[k] = (b[k] - first * a[k]) / a[0];
  out[0] = first;
}

// the share of the way d that stays in the cone, at most 1
double cone_round_share(int size, const double* y, const double* d)
{
  // the first root of cone_round_det(y + share d)
  double a = d[0] * d[0], b = y[0] * d[0];
  const double c = cone_round_det(size, y);
  for (int k = 1; k < size; k++) {
    a -= d[k] * d[k];
    b -= y[k] * d[k];
  }
  if (size == 1) return d[0] < 0 ? fmin(1, -y[0] / d[0]) : 1;
  const double root = b * b - a * c;
  double share = 1;
  if (a < 0 || (b < 0 && root >= 0)) share = c / (sqrt(fmax(root, 0)) - b);
  if (d[0] < 0) share = fmin(share, -y[0] / d[0]);
  return share > 0 ? fmin(share, 1) : 0; // a nan stops
}

// W^power on u, W = beta (2 v v^T - J), v = (w + e)/sqrt(2 (w_0 + 1)), w_0^2 - |w_1|^2 = 1: along
// (1, +-w_1/|w_1|) it stretches by a = w_0 + |w_1| and 1/a. These are kept apart: where contacts
// press and slip, a is so large that one would drown in the rounding of the other.
void cone_round_scaled(int size, const double* w, double beta, int power, const double* u,
                       double* out)
{
  const double l = length_of(size, w), a = w[0] + l, one = power < 0 ? 1 / beta : beta,
               both = power == 2 || power == -2 ? one * one : one,
               stretch = power == 2 || power == -2 ? a * a : a,
               plus = both * (power < 0 ? 1 / stretch : stretch),
               minus = both * (power < 0 ? stretch : 1 / stretch);
  double along = 0;
  for (int k = 1; k < size && l > 0; k++) along += w[k] / l * u[k];
  const double up = plus * (u[0] + along) / 2, down = minus * (u[0] - along) / 2;
  for (int k = size - 1; k > 0; k--) {
    const double e = l > 0 ? w[k] / l : 0;
    out[k] = both * (u[k] - along * e) + e * (up - down);
  }
  out[0] = up + down;
}
