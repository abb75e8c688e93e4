// How far contacts that press are from Painleve's paradox.
//
// With the slips as they are, the forces of the contacts that press obey K f + q = 0
// (contact_pressing.c). The normal mobility of contact i with all others answering is
// p_i = 1/(K^-1)_ii. It is positive where friction is small; the force
// grows without bound where it comes to zero, and beyond that pressing makes the gap close faster.
#include "cone/contact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool cone_contact_margins(cone_contact* f, const cone_contact_problem* p,
                          const cone_contact_mode* mode, double* margin)
{
  cone_contact_result out = {.reason = ""};
  for (int i = 0; i < p->contacts; i++) margin[i] = 1;
  if (!cone_contact_prepare(f, p, &out)) return false;
  const int k = cone_contact_pressing(f, mode);
  double *K = base_alloc(sizeof(double) * (size_t)(k * k + k + 1)), *x = K + k * k;
  int* pivot = base_alloc(sizeof(int) * (size_t)(k + 1));
  cone_contact_responses(f, mode, k, K);
  const bool regular = num_lu(k, K, pivot);
  for (int r = 0; r < k; r++) {
    if (f->pressed[r] % (f->t + 1)) continue;
    memset(x, 0, sizeof(double) * (size_t)k);
    x[r] = 1;
    if (regular) num_lu_solve(k, K, pivot, x);
    margin[f->pressed[r] / (f->t + 1)] = regular ? 1 / x[r] : 0;
  }
  free(K);
  free(pivot);
  return true;
}
