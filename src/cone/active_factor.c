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

// to <- (to - p a) - q b
static inline void take_off(int n, double p, const double* a, double q, const double* b, double* to)
{
  int j = 0;
  for (; j + 2 <= n; j += 2) {
    const cone_active_two left =
        (cone_active_load(to + j) - p * cone_active_load(a + j)) - q * cone_active_load(b + j);
    memcpy(to + j, &left, sizeof left);
  }
  for (; j < n; j++) to[j] = (to[j] - p * a[j]) - q * b[j];
}

// two rows at a time: x is read and written half as often
void cone_active_factor_back(const cone_active_factor* f, double* x)
{
  int k = f->k - 1;
  for (; k > 0; k -= 2) {
    const double *L = cone_active_factor_row(f, k), *above = cone_active_factor_row(f, k - 1);
    x[k] /= L[k];
    x[k - 1] = (x[k - 1] - x[k] * L[k - 1]) / above[k - 1];
    take_off(k - 1, x[k], L, x[k - 1], above, x);
  }
  if (k == 0) x[0] /= cone_active_factor_row(f, 0)[0];
}
