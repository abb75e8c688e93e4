// The cycles that are born at a Hopf point.
//
// Where the pair m(p) = i w crosses the axis at p0 with the rate g = d Re m/dp along the branch,
// the cycle is x = x0 + 2 Re(z q exp(i w t)) + ..., |z|^2 = -g (p - p0)/(w l1) (Kuznetsov, Elements
// of Applied Bifurcation Theory, 3.4): the square of the amplitude of coordinate j grows by
// -|2 q_j|^2 g/(w l1), on the side of the param where that is positive. The rate is the slope of
// the polynomial through the real parts at five places of the branch.
#include "study/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { places = 5 };
static const double apart = 2e-3;   // of places, in the measure of the curve
static const double level = 1e-6;   // of that: the param stays
static const double another = 0.05; // distance of the next eigenvalue, of the pair itself

// the real part of the eigenvalue next to i w; nan where there is none near
static double nearest(const study_stability* r, double w)
{
  double best = INFINITY, growth = NAN;
  for (int i = 0; i < r->count; i++) {
    const double off = hypot(r->re[i], r->im[i] - w);
    if (off < best) growth = r->re[i];
    best = fmin(best, off);
  }
  return best < another * w ? growth : NAN;
}

// the slope at the middle one of the points (x, y)
static double slope(const double* x, const double* y)
{
  const int middle = places / 2;
  double sum = 0;
  for (int i = 0; i < places; i++) {
    if (i == middle) continue;
    double share = 1 / (x[i] - x[middle]);
    for (int k = 0; k < places; k++)
      if (k != i && k != middle) share *= (x[middle] - x[k]) / (x[i] - x[k]);
    sum += share * (y[i] - y[middle]);
  }
  return sum;
}

static double growth(const study_road* r, const study_found* f)
{
  study_curve* c = r->curve;
  const size_t bytes = sizeof(double) * (size_t)c->wide;
  double *u = base_alloc(bytes), p[places], re[places];
  double* measures = study_curve_measures(c);
  if (f->measures) study_curve_restore(c, f->measures);
  void* mark = study_path_mark(r);
  if (r->brief) r->brief(r->context, true);
  bool fine = true;
  for (int k = 0; k < places && fine; k++) {
    const double along = apart * (k - places / 2);
    for (int j = 0; j < c->wide; j++) u[j] = f->place->u[j] + along * f->place->t[j];
    fine = k == places / 2 || study_curve_correct(c, f->place->t, f->place->u, along, u);
    study_stability* at = fine ? r->look(r->context, u) : NULL;
    p[k] = u[c->wide - 1];
    re[k] = at ? nearest(at, f->im) : NAN;
    fine = isfinite(re[k]);
    study_stability_free(at);
  }
  if (r->brief) r->brief(r->context, false);
  study_path_recall(r, mark);
  study_curve_restore(c, measures);
  // where the param turns back, nothing is a function of it
  const double way = apart * c->weight[c->wide - 1] * level;
  for (int k = 1; k < places && fine; k++)
    fine = (p[k] - p[k - 1]) * (p[1] - p[0]) > 0 && fabs(p[k] - p[k - 1]) > way;
  free(measures);
  free(u);
  return fine ? slope(p, re) : NAN;
}

void study_found_cycles(const study_road* r, const study_found* f, study_special* x,
                        base_arena* arena)
{
  x->growth = NAN;
  if (f->kind != STUDY_HOPF || !(f->im > 0)) return;
  x->growth = growth(r, f);
  if (!r->shape || !isfinite(x->growth) || !isfinite(x->l1) || x->l1 == 0) return;
  const int n = f->place->at->n;
  double* square = base_arena_take(arena, sizeof(double) * (size_t)(n + 1));
  if (!r->shape(r->context, f->place->u, f->im, square)) return;
  for (int j = 0; j < n; j++) square[j] *= -x->growth / (f->im * x->l1);
  x->square = square;
}
