// The contact problem handed to Siconos: cones in space, whatever the contacts are.
//
// In the plane the second tangent has v = r alone, so that it carries nothing. A contact that slips
// in the direction s has lambda_T = -mu lambda_N s: its column becomes N - mu T s, its tangents
// carry nothing, and its bound is none.
#include "cone/contact.h"
#include "cone/siconos.h"
#include "cone/small.h"

#include <stdlib.h>
#include <string.h>

// column of the force (i, k) of ours, row by row of theirs
static void fill(const cone_contact* f, int i, int k, double factor, bool* slips, double* column)
{
  for (int j = 0; j < f->c; j++)
    for (int l = 0; l <= f->t; l++) {
      if (l && slips[j]) continue;
      const size_t r = (size_t)cone_contact_row(f, j, l), s = (size_t)cone_contact_row(f, i, k);
      column[3 * j + l] += factor * f->D[r * (size_t)f->rows + s];
    }
}

bool cone_contact_siconos(cone_contact* f)
{
  const size_t rows = 3 * (size_t)f->c;
  if (f->base || cone_siconos_absent()) return false;
  double *D = base_alloc((rows * rows + 1) * sizeof *D), *q = base_alloc((rows + 1) * sizeof *q),
         *mu = base_alloc(((size_t)f->c + 1) * sizeof *mu), *r = base_alloc((rows + 1) * sizeof *r);
  bool* slips = base_alloc((size_t)f->c + 1);
  double direction[2];
  for (int i = 0; i < f->c; i++) slips[i] = cone_contact_slips(f, i, direction);
  for (int i = 0; i < f->c; i++) {
    double* columns = D + 3 * (size_t)i * rows;
    cone_contact_slips(f, i, direction);
    mu[i] = slips[i] ? 0 : f->mu[i];
    fill(f, i, 0, 1, slips, columns);
    for (int k = 1; k <= 2; k++) {
      double* column = columns + (size_t)k * rows;
      q[3 * i + k] = 0;
      if (k <= f->t && slips[i])
        fill(f, i, k, -f->mu[i] * direction[k - 1], slips, columns);
      else if (k <= f->t)
        fill(f, i, k, 1, slips, column);
      if (k > f->t || slips[i])
        column[3 * i + k] = 1;
      else
        q[3 * i + k] = f->q[cone_contact_row(f, i, k)];
    }
    q[3 * i] = f->q[cone_contact_row(f, i, 0)];
  }
  const bool found = cone_siconos_solve(f->c, D, q, mu, cone_siconos_contact, r);
  for (int i = 0; i < f->c; i++) {
    cone_contact_slips(f, i, direction);
    const double N = r[3 * i];
    f->force[cone_contact_row(f, i, 0)] = N;
    for (int k = 1; k <= f->t; k++)
      f->force[cone_contact_row(f, i, k)] =
          slips[i] ? -f->mu[i] * N * direction[k - 1] : r[3 * i + k];
  }
  free(slips);
  free(r);
  return found;
}
