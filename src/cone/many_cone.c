// The law of a contact between its impulse and what it asks for, y = x - rho w, and how the impulse
// follows y (Alart and Curnier 1991):
//   x_n = max(0, y_n),   x_t the point of the disc |x_t| <= mu x_n that is nearest to y_t.
// On the edge of the disc, with t = y_t/|y_t|,
//   dx_t = mu dx_n t + mu x_n/|y_t| (1 - t t^T) dy_t.
// Slip, rolling and pivoting have a disc each, and know of one another by x_n alone.
#include "cone/many.h"
#include "cone/small.h"

#include <math.h>
#include <string.h>

bool cone_many_is_bounded(const cone_many* f)
{
  for (int i = 0; i < f->p->r; i++)
    if (f->p->kind[i] == CONE_MANY_TANGENT && !(f->p->mu[i] > 0)) return false;
  return true;
}

bool cone_many_is_round(const cone_many* f)
{
  for (int n = 0; n < f->p->r; n++) {
    const int tangents = f->first[n + 1] - f->first[n];
    if (tangents > 2) return false;
    if (tangents == 2 && cone_many_pair(f, f->tangent[f->first[n]]) < 0) return false;
  }
  return cone_many_is_bounded(f);
}

cone_many_discs cone_many_discs_of(const cone_many* f, int n)
{
  const int *row = f->tangent + f->first[n], tangents = f->first[n + 1] - f->first[n];
  cone_many_discs d = {.size = 1 + tangents, .first = {1}};
  // two in space stand side by side
  for (int k = 0; k < tangents;) {
    d.mu[d.groups] = f->p->mu[row[k]];
    k += cone_many_pair(f, row[k]) < 0 ? 1 : 2;
    d.first[++d.groups] = 1 + k;
  }
  return d;
}

// the rows from .. to of a contact, x_n and its slope being known
static bool disc_law(int size, int from, int to, double mu, double* y, double* slope)
{
  double length = 0;
  for (int a = from; a < to; a++) length = hypot(length, y[a]);
  if (length <= mu * y[0]) {
    for (int a = from; a < to; a++) slope[a * size + a] = 1;
    return false;
  }
  const double share = mu * y[0] / length;
  for (int a = from; a < to; a++) {
    const double t = y[a] / length;
    slope[a * size] = mu * slope[0] * t;
    for (int b = from; b < to; b++) slope[a * size + b] = share * ((a == b) - t * y[b] / length);
  }
  for (int a = from; a < to; a++) y[a] *= share;
  return true;
}

bool cone_many_law(const cone_many_discs* d, double* y, double* slope)
{
  bool slips = false;
  memset(slope, 0, sizeof(double) * (size_t)(d->size * d->size));
  slope[0] = y[0] > 0 ? 1 : 0;
  if (!(y[0] > 0)) y[0] = 0;
  for (int g = 0; g < d->groups; g++)
    if (disc_law(d->size, d->first[g], d->first[g + 1], d->mu[g], y, slope)) slips = true;
  return slips;
}

// ---- breaches -----------------------------------------------------------------------------------

// what a row asks for: x - w/G_ii of it, and of the other tangent
static double asked(const cone_many* f, int i, double* other)
{
  const double d = cone_many_scale(f, i);
  const int o = cone_many_pair(f, i);
  *other = o < 0 ? 0 : f->x[o] - f->w[o] / d;
  return f->x[i] - f->w[i] / d;
}

double cone_many_off(const cone_many* f, int i)
{
  double y;
  const double x = asked(f, i, &y);
  const bool normal = f->p->kind[i] == CONE_MANY_NORMAL;
  const double law = normal ? (x > 0 ? x : 0) : cone_many_projected(f, i, x, y);
  return cone_many_scale(f, i) * fabs(f->x[i] - law);
}

// Against the largest q; the cone_many_rounding of large impulses is excused, not their size, which
// grows without end where rows exclude one another; so it is believed up to cone_many_largest.
double cone_many_fault(const cone_many* f)
{
  double worst = 0, scale = 0, large = 0;
  for (int i = 0; i < f->p->r; i++) {
    const double off = cone_many_off(f, i);
    if (!(off <= worst)) worst = off; // keeps a nan
    const double q = fabs(f->p->q[i]), impulse = cone_many_scale(f, i) * fabs(f->x[i]);
    if (q > scale) scale = q;
    if (impulse > large) large = impulse;
  }
  if (worst <= cone_many_rounding * fmin(large, cone_many_largest * scale)) return 0;
  return scale > 0 ? worst / scale : worst;
}

// How the fault that is allowed grows with the work beyond what was to be enough: from 1e-9 to 1e-3
// in less than six times of it. What is solved for less is as good as it can be, whatever its size;
// and there is no island that takes for ever.
static const double growth = 8;

double cone_many_allowed(const cone_many* f)
{
  if (!(f->p->graded > cone_many_enough && f->work > f->p->effort)) return cone_many_enough;
  return fmin(cone_many_enough * pow(f->work / f->p->effort, growth), f->p->graded);
}
