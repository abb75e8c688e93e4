// The place where two branches cross, between two places of one of them: by the equations of the
// crossing itself, else from places around it.
#include "study/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { around = 8 };
static const double agreed = 1e-13; // two polynomials about a crossing
static const double sharper = 0.1;  // what nearer places have to bring
static const double noisy = 1e-11;  // agreement that more distant ones are tried for
static const double widest = 0.9;   // first distance of places around a crossing, over the step
static const double near_root =
    0.05; // roots of polynomials from where the test is zero, over the step
static const double nearest = 1e-4; // places around a crossing, over the step

// Where two branches cross, places near by are ill determined. Some around, at a distance, are not:
// the root of the polynomial through them, and the unknowns there. They are taken as far apart as
// the polynomial is good, that is with the same root without the outermost two.
typedef struct nodes
{
  int count, wide;
  double g[around], *u; // values of the test, unknowns
} nodes;

static void take_nodes(const study_stretch* w, double s, double spacing, nodes* n)
{
  n->count = 0;
  for (int k = 0; k < around; k++) {
    const int side = k < around / 2 ? k - around / 2 : k - around / 2 + 1;
    study_place* p = study_stretch_glance(w, s + spacing * side);
    if (!p) continue;
    n->g[n->count] = study_stretch_test(w, p);
    memcpy(n->u + n->count * n->wide, p->u, sizeof(double) * (size_t)n->wide);
    n->count += isfinite(n->g[n->count]);
    study_place_free(p);
  }
}

// Lagrange's polynomials in the value of the test at zero, of nodes from `first` to before `last`
static void root_of_nodes(const nodes* n, int first, int last, double* root)
{
  memset(root, 0, sizeof(double) * (size_t)n->wide);
  for (int k = first; k < last; k++) {
    double share = 1;
    for (int h = first; h < last; h++)
      if (h != k) share *= n->g[h] / (n->g[h] - n->g[k]);
    for (int j = 0; j < n->wide; j++) root[j] += share * n->u[k * n->wide + j];
  }
}

// the unknowns are functions of the test: with another root among the nodes they are not
static bool is_monotone(const nodes* n)
{
  for (int k = 2; k < n->count; k++)
    if (!((n->g[k] - n->g[k - 1]) * (n->g[1] - n->g[0]) > 0)) return false;
  return true;
}

// the root of nodes with this spacing, and how well two polynomials agree on it; infinite: no root
static double root_about(const study_stretch* w, double s, double spacing, nodes* n, double* root)
{
  const study_curve* c = w->r->curve;
  double *inner = root + c->wide, off = 0;
  take_nodes(w, s, spacing * w->length, n);
  if (n->count < around || !is_monotone(n)) return INFINITY;
  root_of_nodes(n, 0, around, root);
  root_of_nodes(n, 1, around - 1, inner);
  for (int j = 0; j < c->wide; j++) off = fmax(off, fabs(root[j] - inner[j]) / c->weight[j]);
  return off;
}

// The place at s where none is determined well: Newton's, else the cubic itself, off by the fourth
// power of the step
static study_place* place_about(const study_stretch* w, double s)
{
  study_place* p = study_stretch_place(w, s);
  double* u = base_alloc(sizeof(double) * (size_t)w->r->curve->wide);
  if (!p) {
    study_stretch_cubic(w, s, u);
    p = study_place_new(w->r, u, w->a->t);
  }
  free(u);
  return p;
}

// is the root of a polynomial where the test changes its sign?
static bool is_there(const study_stretch* w, double s, const double* u)
{
  const double along = study_curve_along(w->r->curve, w->a->t, w->a->u, u);
  return fabs(along - s) < near_root * fabs(w->length);
}

// by the equations of the crossing itself; null where they have no root there
static study_place* place_defined(const study_stretch* w, double s)
{
  study_place* p = place_about(w, s);
  const study_place* beside = s > w->length / 2 ? w->a : w->b;
  double* u = base_alloc(sizeof(double) * (size_t)w->r->curve->wide);
  if (p) memcpy(u, p->u, sizeof(double) * (size_t)w->r->curve->wide);
  const bool found = p && study_curve_cross(w->r->curve, beside->u, u) && is_there(w, s, u);
  study_place_free(p);
  p = found ? study_place_new(w->r, u, w->a->t) : NULL;
  free(u);
  return p;
}

study_place* study_stretch_crossing(const study_stretch* w, double s)
{
  const study_curve* c = w->r->curve;
  study_place* defined = place_defined(w, s);
  if (defined) return defined;
  nodes n = {.wide = c->wide};
  n.u = base_alloc(sizeof(double) * (size_t)(c->wide * (around + 3)));
  double *root = n.u + c->wide * around, *best = root + 2 * c->wide, least = INFINITY;
  // nearer ones are better by powers of their distance, or noisier
  for (double spacing = widest, worse = 0; spacing > nearest && worse < 2; spacing /= 3) {
    const double off = root_about(w, s, spacing, &n, root);
    worse = off < sharper * least || !isfinite(least) ? 0 : worse + 1;
    if (!(off < sharper * least)) continue;
    least = off;
    memcpy(best, root, sizeof(double) * (size_t)c->wide);
    if (least < agreed) break;
  }
  // where that is noise already, places further apart have less of it
  for (double spacing = 3 * widest; spacing < 10 * widest && least > noisy; spacing *= 3) {
    const double off = root_about(w, s, spacing, &n, root);
    if (!(off < least)) continue;
    least = off;
    memcpy(best, root, sizeof(double) * (size_t)c->wide);
  }
  const bool known = isfinite(least) && is_there(w, s, best);
  study_place* found = known ? study_place_new(w->r, best, w->a->t) : NULL;
  free(n.u);
  return found ? found : place_about(w, s);
}
