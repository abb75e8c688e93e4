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
