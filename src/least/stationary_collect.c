// Candidates become points: polished to rounding, judged, merged with their likes, and those that
// are one of a continuum told apart from isolated ones.
#include "least/stationary.h"

#include <math.h>
#include <string.h>

// a candidate whose equations are not met better than this is none
static const double met = 1e-9;
// the Lagrangian is flat along a direction: worth asking whether a continuum runs there
static const double flat_enough = 1e-8;

static double apart(const least_stationary_frame* q, const double* a, const double* b)
{
  double d[STATIONARY_L];
  for (int i = 0; i < q->l; i++) d[i] = a[i] - b[i];
  return least_stationary_frame_length(q, d);
}

static bool same_value(const least_stationary_frame* q, double a, double b)
{
  return fabs(a - b) <= 1e-8 * fmax(fmax(a, b), 1e-3 * q->unit * q->unit);
}

// Walk along the flat direction and correct back: still stationary, still away, U the same?
static bool neighbour_is_stationary(least_stationary* f, const least_stationary_point* at,
                                    const least_stationary_flat* flat, double step)
{
  const least_stationary_frame* q = &f->frame;
  double w[STATIONARY_L], z[STATIONARY_KKT];
  least_stationary_point other;
  least_stationary_flat other_flat;
  for (int i = 0; i < q->l; i++) w[i] = at->w[i] + step * q->unit * flat->along[i];
  least_stationary_frame_coordinates(q, w, z);
  least_stationary_multipliers(q, w, z + q->n);
  if (!(least_stationary_levenberg(q, least_stationary_kkt, q->n + q->m, q->n + q->m, 60, z) <
        1e-12))
    return false;
  least_stationary_frame_place(q, z, w);
  return least_stationary_judge(f, w, &other, &other_flat) && other.residual <= met &&
         other.rank == at->rank && other_flat.least < 10 * flat_enough &&
         apart(q, w, at->w) > 0.5 * fabs(step) * q->unit && same_value(q, other.U, at->U);
}

static bool one_of_continuum(least_stationary* f, const least_stationary_point* at,
                             const least_stationary_flat* flat)
{
  if (!(flat->least <= flat_enough)) return false;
  static const double steps[] = {1e-2, -1e-2, 1e-3, -1e-3};
  for (int i = 0; i < 4; i++)
    if (neighbour_is_stationary(f, at, flat, steps[i])) return true;
  return false;
}

// the point of the set that the new one is, or -1. An unpolished point is known to half the digits.
static int find_same(const least_stationary* f, const least_stationary_point* at, bool polished)
{
  const least_stationary_frame* q = &f->frame;
  const least_stationary_set* set = &f->set;
  double far = least_stationary_frame_length(q, at->w);
  for (int i = 0; i < set->count; i++) {
    const least_stationary_point* known = set->point + i;
    bool singular = at->kind == LEAST_STATIONARY_SINGULAR && known->kind == at->kind;
    double size = fmax(far, least_stationary_frame_length(q, known->w));
    double near = singular                          ? 1e-4 * q->unit
                  : polished && f->flat[i].polished ? 1e-8 * size + 1e-12 * q->unit
                                                    : 1e-4 * size;
    if (apart(q, at->w, known->w) <= near) return i;
  }
  return -1;
}

static bool known_continuum(const least_stationary* f, const least_stationary_point* at,
                            const least_stationary_flat* flat)
{
  for (int i = 0; flat->least <= 10 * flat_enough && i < f->set.count; i++)
    if (f->set.point[i].continuum && f->set.point[i].rank == at->rank &&
        same_value(&f->frame, f->set.point[i].U, at->U))
      return true;
  return false;
}

static void keep(least_stationary* f, least_stationary_point* at, least_stationary_flat* flat)
{
  least_stationary_set* set = &f->set;
  int i = find_same(f, at, flat->polished);
  if (i >= 0) {
    bool better = flat->polished > f->flat[i].polished ||
                  (flat->polished == f->flat[i].polished && at->residual < set->point[i].residual);
    if (!better || set->point[i].continuum) return;
  } else {
    if (known_continuum(f, at, flat)) return;
    if (set->count == LEAST_STATIONARY_POINTS) {
      f->overflow = true;
      return;
    }
    i = set->count++;
  }
  if (at->kind != LEAST_STATIONARY_SINGULAR) at->continuum = one_of_continuum(f, at, flat);
  if (at->continuum && fabs(at->curvature) <= 10 * flat_enough)
    at->kind = LEAST_STATIONARY_DEGENERATE;
  set->point[i] = *at;
  f->flat[i] = *flat;
}

bool least_stationary_add(least_stationary* f, const double* w, const double* lambda)
{
  const least_stationary_frame* q = &f->frame;
  least_stationary_point at;
  least_stationary_flat flat = {0};
  double moved[STATIONARY_L], y[STATIONARY_L];
  memcpy(moved, w, (size_t)q->l * sizeof *w);
  if (lambda)
    memcpy(y, lambda, (size_t)q->m * sizeof *y);
  else
    least_stationary_multipliers(q, w, y);
  bool polished = least_stationary_newton(q, moved, y, 30, NULL);
  if (!least_stationary_judge(f, polished ? moved : w, &at, &flat)) return false;
  flat.polished = polished;
  if (!(at.residual <= met)) return false;
  keep(f, &at, &flat);
  return true;
}

bool least_stationary_add_singular(least_stationary* f, const double* w)
{
  least_stationary_point at;
  least_stationary_flat flat = {0};
  if (!least_stationary_judge(f, w, &at, &flat) || at.kind != LEAST_STATIONARY_SINGULAR ||
      !(at.residual <= met))
    return false;
  flat.polished = true;
  keep(f, &at, &flat);
  return true;
}
