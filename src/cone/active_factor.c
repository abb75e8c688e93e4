// Rows enter the factor of an active set at its end, and leave it anywhere: the row leaves L, and
// rotations of columns make L triangular again (Gill, Golub, Murray and Saunders 1974).
#include "cone/active_factor.h"

#include <math.h>
#include <string.h>

void cone_active_factor_append(cone_active_factor* f, int s, const double* u, double left)
{
  double* L = cone_active_factor_row(f, f->k);
  memcpy(L, u, sizeof(double) * (size_t)f->k);
  L[f->k] = sqrt(left);
  f->F[f->k++] = s;
  f->in[s] = true;
}

int cone_active_factor_leave(cone_active_factor* f, int at)
{
  const int gone = f->F[at];
  f->in[gone] = false;
  f->k--;
  for (int i = at; i < f->k; i++) {
    f->F[i] = f->F[i + 1];
    memcpy(cone_active_factor_row(f, i), cone_active_factor_row(f, i + 1),
           sizeof(double) * (size_t)(i + 2));
  }
  for (int c = at; c < f->k; c++) {
    const double* L = cone_active_factor_row(f, c);
    const double length = hypot(L[c], L[c + 1]), cosine = L[c] / length, sine = L[c + 1] / length;
    for (int i = c; i < f->k; i++) {
      double* to = cone_active_factor_row(f, i);
      const double p = to[c], q = to[c + 1];
      to[c] = cosine * p + sine * q;
      to[c + 1] = cosine * q - sine * p;
    }
  }
  return gone;
}

// to += m from
static inline void add(int n, double m, const double* from, double* to)
{
  int j = 0;
  for (; j + 4 <= n; j += 4) {
    const cone_active_four sum = cone_active_load(to + j) + m * cone_active_load(from + j);
    memcpy(to + j, &sum, sizeof sum);
  }
  for (; j < n; j++) to[j] += m * from[j];
}

void cone_active_factor_back(const cone_active_factor* f, double* x)
{
  for (int k = f->k - 1; k >= 0; k--) {
    const double* L = cone_active_factor_row(f, k);
    x[k] /= L[k];
    add(k, -x[k], L, x);
  }
}
