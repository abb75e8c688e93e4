// Forces of contacts whose modes are known: those that press obey K f + q = 0, with a row and a
// column for the normal of each, and for the tangents of what sticks; the column of one that slips
// is that of its normal less mu times that of its slip.
#include "cone/contact.h"
#include "cone/small.h"

#include <math.h>
#include <string.h>

int cone_contact_pressing(cone_contact* f, const cone_contact_mode* mode)
{
  int k = 0;
  for (int i = 0; i < f->c; i++) {
    if (mode[i] == CONE_CONTACT_OPEN) continue;
    f->pressed[k++] = cone_contact_row(f, i, 0);
    for (int j = 1; j <= f->t && mode[i] == CONE_CONTACT_STICK; j++)
      f->pressed[k++] = cone_contact_row(f, i, j);
  }
  return k;
}

// response of row r to the force of column x
static double response(const cone_contact* f, int r, int x, const cone_contact_mode* mode)
{
  const double* D = f->D + (size_t)r * f->rows;
  const int contact = x / (f->t + 1), part = x % (f->t + 1);
  double direction[2], sum = D[x];
  if (part || mode[contact] == CONE_CONTACT_STICK) return sum;
  if (!cone_contact_slips(f, contact, direction)) return sum;
  for (int j = 0; j < f->t; j++)
    sum -= f->mu[contact] * direction[j] * D[cone_contact_row(f, contact, j + 1)];
  return sum;
}

void cone_contact_responses(const cone_contact* f, const cone_contact_mode* mode, int k, double* K)
{
  for (int r = 0; r < k; r++)
    for (int c = 0; c < k; c++) K[r * k + c] = response(f, f->pressed[r], f->pressed[c], mode);
}

// what was given before presses, too, and rubs where it slips
static void start_forces(cone_contact* f, const cone_contact_mode* mode)
{
  memset(f->force, 0, (size_t)f->rows * sizeof *f->force);
  for (int i = 0; i < f->c; i++) {
    double direction[2];
    if (mode[i] == CONE_CONTACT_STICK || !cone_contact_slips(f, i, direction)) continue;
    for (int j = 0; j < f->t; j++)
      f->force[cone_contact_row(f, i, j + 1)] = -f->mu[i] * f->offset[i] * direction[j];
  }
}

// Is what elimination has left on the diagonal of each row more than the rounding of K? A direction
// of slip in which nothing can move, as out of the plane of a linkage, leaves nothing else there,
// and its sign means nothing.
static bool is_regular(const cone_contact* f, int k)
{
  double least = INFINITY, most = 0;
  for (int r = 0; r < k; r++) {
    least = fmin(least, fabs(f->J[r * k + r]));
    most = fmax(most, fabs(f->J[r * k + r]));
  }
  return least > cone_contact_pivot * most;
}

void cone_contact_answer(cone_contact* f, const cone_contact_mode* mode, int k)
{
  cone_contact_responses(f, mode, k, f->J);
  f->sign = num_lu(k, f->J, f->pivot) && is_regular(f, k) ? 1 : 0;
  if (!f->sign) {
    cone_contact_responses(f, mode, k, f->J);
    num_null_factor(f->null, k, k, f->J, cone_contact_pivot);
    num_null_solve(f->null, f->J, f->F, f->step);
    return;
  }
  memcpy(f->step, f->F, (size_t)k * sizeof *f->step);
  num_lu_solve(k, f->J, f->pivot, f->step);
  for (int r = 0; r < k; r++) f->sign *= (f->J[r * k + r] < 0) == (f->pivot[r] != r) ? 1 : -1;
}

bool cone_contact_follow(cone_contact* f, const cone_contact_mode* mode)
{
  double direction[2];
  for (int i = 0; i < f->c; i++) {
    const bool slips = cone_contact_slips(f, i, direction);
    // what begins to slip has no way yet; what slips does not stick
    if (slips ? mode[i] == CONE_CONTACT_STICK
              : mode[i] == CONE_CONTACT_SLIP || mode[i] == CONE_CONTACT_SLIP_BACK)
      return false;
  }
  const int k = cone_contact_pressing(f, mode);
  start_forces(f, mode);
  for (int r = 0; r < k; r++) {
    const double* D = f->D + (size_t)f->pressed[r] * f->rows;
    f->F[r] = -f->q[f->pressed[r]];
    for (int s = 0; s < f->rows; s++) f->F[r] -= D[s] * f->force[s];
  }
  cone_contact_answer(f, mode, k);
  for (int r = 0; r < k; r++) {
    const int contact = f->pressed[r] / (f->t + 1), part = f->pressed[r] % (f->t + 1);
    f->force[f->pressed[r]] += f->step[r];
    if (part || mode[contact] == CONE_CONTACT_STICK || !cone_contact_slips(f, contact, direction))
      continue;
    const double press = cone_contact_both(f, contact) ? fabs(f->step[r]) : f->step[r];
    for (int j = 0; j < f->t; j++)
      f->force[f->pressed[r] + j + 1] -= f->mu[contact] * press * direction[j];
  }
  return true;
}
