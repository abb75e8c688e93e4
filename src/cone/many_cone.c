// The nearest point of a cone of friction, |x_t| <= mu x_n, and how it follows what it is nearest
// to.
//
// Inside the cone y is itself nearest, below the polar cone, mu |y_t| <= -y_n, the tip is; else
//   x_n = a = (y_n + mu |y_t|)/(1 + mu^2),   x_t = mu a t,   t = y_t/|y_t|,
// with the slopes  dx_n = da, dx_t = mu da t + mu a/|y_t| (1 - t t^T) dy_t,
// da = (dy_n + mu t.dy_t)/(1 + mu^2).
#include "cone/many.h"

#include <math.h>
#include <string.h>

bool cone_many_is_round(const cone_many* f)
{
  for (int n = 0; n < f->p->r; n++) {
    const int tangents = f->first[n + 1] - f->first[n];
    if (tangents == 0) continue;
    const int i = f->tangent[f->first[n]];
    if (!(f->p->mu[i] > 0) || tangents > 2) return false;
    if (tangents == 2 && cone_many_pair(f, i) < 0) return false;
  }
  return true;
}

bool cone_many_nearest(int size, double mu, double* y, double* slope)
{
  double length = 0, t[CONE_MANY_ROUND] = {1};
  for (int k = 1; k < size; k++) length = hypot(length, y[k]);
  const bool holds = size > 1 ? length <= mu * y[0] : y[0] > 0;
  if (slope) memset(slope, 0, sizeof(double) * (size_t)(size * size));
  if (holds) {
    for (int k = 0; k < size && slope; k++) slope[k * size + k] = 1;
    return false;
  }
  if (mu * length <= -y[0]) {
    memset(y, 0, sizeof(double) * (size_t)size);
    return false;
  }
  const double share = 1 / (1 + mu * mu), a = share * (y[0] + mu * length);
  for (int k = 1; k < size; k++) t[k] = mu * y[k] / length;
  for (int i = 0; i < size && slope; i++)
    for (int j = 0; j < size; j++) {
      slope[i * size + j] = share * t[i] * t[j];
      if (i && j && size > 2)
        slope[i * size + j] += mu * a / length * ((i == j) - t[i] * t[j] / (mu * mu));
    }
  for (int k = 0; k < size; k++) y[k] = a * t[k];
  return true;
}
