// How far contacts that press are from Painleve's paradox.
//
// With the slips as they are, the forces of the contacts that press obey K f + q = 0: a row and a
// column for the normal of each, those of the tangents for what sticks; the column of one that
// slips is that of its normal less mu times that of its slip. The normal mobility of contact i with
// all others answering is p_i = 1/(K^-1)_ii. It is positive where friction is small; the force
// grows without bound where it comes to zero, and beyond that pressing makes the gap close faster.
#include "cone/contact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct pressing
{
  int contact, part; // part 0: the normal, else a tangent
} pressing;

static int collect(const cone_contact* f, const cone_contact_mode* mode, pressing* at)
{
  int k = 0;
  for (int i = 0; i < f->c; i++) {
    if (mode[i] == CONE_CONTACT_OPEN) continue;
    at[k++] = (pressing){i, 0};
    for (int j = 1; j <= f->t && mode[i] == CONE_CONTACT_STICK; j++) at[k++] = (pressing){i, j};
  }
  return k;
}

// response of row r to the force of column x
static double response(const cone_contact* f, int r, pressing x, const cone_contact_mode* mode)
{
  const double* D = f->D + (size_t)r * f->rows;
  double direction[2], sum = D[cone_contact_row(f, x.contact, x.part)];
  if (x.part || mode[x.contact] == CONE_CONTACT_STICK) return sum;
  if (!cone_contact_slips(f, x.contact, direction)) return sum;
  for (int j = 0; j < f->t; j++)
    sum -= f->mu[x.contact] * direction[j] * D[cone_contact_row(f, x.contact, j + 1)];
  return sum;
}

bool cone_contact_margins(cone_contact* f, const cone_contact_problem* p,
                          const cone_contact_mode* mode, double* margin)
{
  cone_contact_result out = {.reason = ""};
  for (int i = 0; i < p->contacts; i++) margin[i] = 1;
  if (!cone_contact_prepare(f, p, &out)) return false;
  const int most = f->rows + 1;
  pressing* at = base_alloc(sizeof *at * (size_t)most);
  const int k = collect(f, mode, at);
  double *K = base_alloc(sizeof(double) * (size_t)(k * k + k + 1)), *x = K + k * k;
  int* pivot = base_alloc(sizeof(int) * (size_t)(k + 1));
  for (int r = 0; r < k; r++)
    for (int c = 0; c < k; c++)
      K[r * k + c] = response(f, cone_contact_row(f, at[r].contact, at[r].part), at[c], mode);
  const bool regular = num_lu(k, K, pivot);
  for (int r = 0; r < k; r++) {
    if (at[r].part) continue;
    memset(x, 0, sizeof(double) * (size_t)k);
    x[r] = 1;
    if (regular) num_lu_solve(k, K, pivot, x);
    margin[at[r].contact] = regular ? 1 / x[r] : 0;
  }
  free(at);
  free(K);
  free(pivot);
  return true;
}
