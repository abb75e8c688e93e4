// How far contacts that press are from Painleve's paradox.
//
// With the slips as they are, the forces of the contacts that press obey K f + q = 0
// (contact_pressing.c). The normal mobility of contact i with all others answering is
// p_i = 1/(K^-1)_ii. It is positive where friction is small; the force
// grows without bound where it comes to zero, and beyond that pressing makes the gap close faster.
#include "cone/contact.h"
#include "cone/small.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// is K x = e_r? Directions of slip in which nothing can move, and that contacts in the plane have
// not, leave K singular without a paradox
static bool is_answer(int k, const double* K, const double* x, int r)
{
  double worst = 0, size = 1;
  for (int i = 0; i < k; i++) {
    double left = i == r ? -1 : 0;
    for (int j = 0; j < k; j++) {
      left += K[i * k + j] * x[j];
      size = fmax(size, fabs(K[i * k + j] * x[j]));
    }
    worst = fmax(worst, fabs(left));
  }
  return worst <= cone_contact_good * size;
}

bool cone_contact_margins(cone_contact* f, const cone_contact_problem* p,
                          const cone_contact_mode* mode, double* margin)
{
  cone_contact_result out = {.reason = ""};
  for (int i = 0; i < p->contacts; i++) margin[i] = 1;
  if (!cone_contact_prepare(f, p, &out)) return false;
  const int k = cone_contact_pressing(f, mode);
  double* K = base_alloc(sizeof(double) * (size_t)(k * k + 1));
  cone_contact_responses(f, mode, k, K);
  for (int r = 0; r < k; r++) {
    if (f->pressed[r] % (f->t + 1)) continue;
    memset(f->F, 0, sizeof(double) * (size_t)k);
    f->F[r] = 1;
    cone_contact_answer(f, mode, k);
    margin[f->pressed[r] / (f->t + 1)] = is_answer(k, K, f->step, r) ? 1 / f->step[r] : 0;
  }
  free(K);
  return true;
}
