// The end of a branch where its motions come to graze something.
//
// Newton's method has no derivatives there: beyond, something else happens. How near the motions of
// the branch come to it, g, goes smoothly to zero on this side, and their unknowns are smooth
// functions of it: Lagrange's polynomial in g, at zero. Places with twice the g of the one before
// are far enough apart for that.
#include "study/path.h"

#include <math.h>
#include <string.h>

enum { most_nodes = 5 };
static const double slower = 0.05; // of the longest period: places that tell how it grows
static const double nearer = 0.5;  // of what the param has changed: how far the end is at most

typedef struct nodes
{
  int count;
  double g[most_nodes];
  const double* u[most_nodes];
} nodes;

static nodes take_nodes(const study_road* r, const study_places* points)
{
  nodes n = {0};
  study_touch touch = {.surface = -1};
  for (int i = points->n - 1; i >= 0 && n.count < most_nodes; i--) {
    const double* u = points->at[i]->u;
    if (!r->touch(r->context, u, &touch)) break;
    const double last = n.count ? n.g[n.count - 1] : 0;
    if (touch.value * last < 0 || (n.count && fabs(touch.value) < fabs(last))) break;
    if (n.count && fabs(touch.value) < 2 * fabs(last)) continue;
    n.g[n.count] = touch.value;
    n.u[n.count++] = u;
  }
  return n;
}

static double distance(const study_curve* c, const double* a, const double* b)
{
  double sum = 0;
  for (int j = 0; j < c->wide; j++) sum = fmax(sum, fabs(a[j] - b[j]) / c->weight[j]);
  return sum;
}

bool study_path_touching(const study_road* r, const study_places* points, double* u)
{
  if (!r->touch || r->locus || points->n < 2) return false;
  const int wide = r->curve->wide;
  const nodes n = take_nodes(r, points);
  memset(u, 0, sizeof(double) * (size_t)wide);
  for (int k = 0; k < n.count; k++) {
    double share = 1;
    for (int h = 0; h < n.count; h++)
      if (h != k) share *= n.g[h] / (n.g[h] - n.g[k]);
    for (int j = 0; j < wide; j++) u[j] += share * n.u[k][j];
  }
  // no further than the places that tell of it are apart
  return n.count > 1 && distance(r->curve, u, n.u[0]) <= 2 * distance(r->curve, n.u[0], n.u[1]);
}

// ---- motions that nearly come to rest -----------------------------------------------------------

// how far the param is from that of the last place, over the same one place on, with the rate
static double ratio(double rate, const double* T)
{
  const double one = exp(-rate * (T[1] - T[0])) - 1;
  return (exp(-rate * (T[2] - T[0])) - 1) / one;
}

// the rate with which p(T) = p* + c exp(-rate T) through three places, the last first; 0: none
static double find_rate(const double* p, const double* T)
{
  const double want = (p[2] - p[0]) / (p[1] - p[0]);
  double low = 1e-3 / (T[0] - T[2]), high = 100 / (T[0] - T[2]);
  if (!(ratio(low, T) < want && want < ratio(high, T))) return 0;
  for (int turn = 0; turn < 100; turn++) {
    const double middle = sqrt(low * high);
    *(ratio(middle, T) < want ? &low : &high) = middle;
  }
  return low;
}

// A motion that passes a saddle nearer and nearer takes -ln(p - p*)/rate for that, and what happens
// there is not the same next to it, long before the motion comes to rest. The param is a smooth
// function of exp(-rate T): Lagrange's polynomial in that, at zero.
bool study_path_standing(const study_road* r, const study_places* points, double* value)
{
  double p[most_nodes], T[most_nodes], x[most_nodes];
  const int last = r->curve->wide - 1;
  int count = 0;
  for (int i = points->n - 1; i >= 0 && count < most_nodes - 1; i--) {
    const double period = points->at[i]->at->period;
    if (count && period > T[count - 1]) break;
    if (count && T[count - 1] - period < slower * T[0]) continue;
    p[count] = points->at[i]->u[last];
    T[count++] = period;
  }
  const double rate = count > 2 ? find_rate(p, T) : 0;
  if (r->locus || !(rate > 0)) return false;
  for (int k = 0; k < count; k++) x[k] = exp(-rate * (T[k] - T[0]));
  *value = 0;
  for (int k = 0; k < count; k++) {
    double share = 1;
    for (int h = 0; h < count; h++)
      if (h != k) share *= x[h] / (x[h] - x[k]);
    *value += share * p[k];
  }
  return fabs(*value - p[0]) < nearer * fabs(p[2] - p[0]);
}
