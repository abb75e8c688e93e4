// Pseudo-arclength continuation: Newton's method across a tangent (Keller 1977).
//
// Unknowns are measured by weights, y_j = u_j/w_j. On the plane t . (y - y0) = s across a unit
// tangent t the solution is regular wherever the curve is, folds of the param included. Equations
// may be more than unknowns (constraints that depend on others, conditions that follow from
// symmetry): steps are the shortest that solve those that are independent, and at the end all have
// to hold.
#include "study/curve.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_turns = 14 };
static const double converged = 1e-15, slack = 1e-8;  // steps, and what equations may be off by
static const double squared = 1e-9, steep = 1e-3;     // steps whose square is rounding
static const double vanishing = 1e-7, silent = 1e-13; // of derivatives and values, rounding
static const double growth = 4;                       // of what is small yet, over the range
static const double none = 1e-12;                     // unknowns that are zero but for rounding
static const double weak = 1e-3;                      // pivots that rounding comes through
static const double dependent = 1e-9;                 // pivots of equations that follow from others

study_curve study_curve_new(int wide, int rows, num_equations* f, void* context)
{
  study_curve c = {.wide = wide, .rows = rows, .f = f, .context = context, .squared = squared};
  const size_t w = (size_t)wide, r = (size_t)rows + 1;
  c.weight = base_alloc(sizeof(double) * w);
  c.size = base_alloc(sizeof(double) * r);
  c.F = base_alloc(sizeof(double) * r);
  c.J = base_alloc(sizeof(double) * r * w);
  c.y = base_alloc(sizeof(double) * w);
  c.W = base_alloc(sizeof(double) * (w * w + w * r));
  c.sigma = base_alloc(sizeof(double) * w);
  c.seen = base_alloc(sizeof(double) * 2 * w);
  c.null = num_null_new(rows + 1, wide);
  for (int j = 0; j < wide; j++) c.weight[j] = 1;
  return c;
}

void study_curve_free(study_curve* c)
{
  free(c->weight);
  free(c->size);
  free(c->F);
  free(c->J);
  free(c->y);
  free(c->W);
  free(c->sigma);
  free(c->seen);
  num_null_free(c->null);
}

double study_curve_dot(const study_curve* c, const double* a, const double* b)
{
  double sum = 0;
  for (int j = 0; j < c->wide; j++) sum += a[j] / c->weight[j] * (b[j] / c->weight[j]);
  return sum;
}

double study_curve_along(const study_curve* c, const double* a, const double* from,
                         const double* to)
{
  double sum = 0;
  for (int j = 0; j < c->wide; j++) sum += a[j] / c->weight[j] * ((to[j] - from[j]) / c->weight[j]);
  return sum;
}

// F and J at u, the columns of J in the measure of the weights
static bool evaluate(study_curve* c, const double* u)
{
  c->is_seen = false;
  if (c->f(c->context, u, c->F, c->J)) return false;
  for (int i = 0; i < c->rows; i++)
    for (int j = 0; j < c->wide; j++) {
      c->J[i * c->wide + j] *= c->weight[j];
      if (!isfinite(c->J[i * c->wide + j])) return false;
    }
  return true;
}

// the same at a solution
static bool evaluate_there(study_curve* c, const double* u)
{
  const size_t wide = (size_t)c->wide;
  if (c->settle) c->settle(c->context);
  if (!evaluate(c, u)) return false;
  memcpy(c->seen, u, sizeof(double) * wide);
  memcpy(c->seen + wide, c->weight, sizeof(double) * wide);
  return c->is_seen = true;
}

// are the derivatives at u those that were found last, for a tangent?
static bool is_seen(const study_curve* c, const double* u)
{
  const size_t wide = (size_t)c->wide;
  return c->is_seen && !memcmp(c->seen, u, sizeof(double) * wide) &&
         !memcmp(c->seen + wide, c->weight, sizeof(double) * wide);
}

void study_curve_measure(study_curve* c, const double* u)
{
  if (!is_seen(c, u) && !evaluate_there(c, u)) return;
  for (int i = 0; i < c->rows; i++) {
    c->size[i] /= 10;
    for (int j = 0; j < c->wide; j++) c->size[i] = fmax(c->size[i], fabs(c->J[i * c->wide + j]));
  }
}

double* study_curve_measures(const study_curve* c)
{
  double* out = base_alloc(sizeof(double) * (size_t)(c->wide + c->rows));
  memcpy(out, c->weight, sizeof(double) * (size_t)c->wide);
  memcpy(out + c->wide, c->size, sizeof(double) * (size_t)c->rows);
  return out;
}

void study_curve_restore(study_curve* c, const double* measures)
{
  memcpy(c->weight, measures, sizeof(double) * (size_t)c->wide);
  memcpy(c->size, measures + c->wide, sizeof(double) * (size_t)c->rows);
}

// An equation whose derivatives vanish here but for rounding says nothing, as long as it holds: its
// rows are not to be scaled up. True where row i is such a one, `most` being the largest row.
static bool is_silent(const study_curve* c, int i, double most)
{
  double size = 0;
  for (int j = 0; j < c->wide; j++) size = fmax(size, fabs(c->J[i * c->wide + j]));
  return size < vanishing * most && fabs(c->F[i]) < silent * most;
}

static double largest(const study_curve* c)
{
  double most = 0;
  for (int i = 0; i < c->rows * c->wide; i++) most = fmax(most, fabs(c->J[i]));
  return most;
}

// do all equations hold as well as rounding lets them?
static bool all_hold(const study_curve* c)
{
  for (int i = 0; i < c->rows; i++) {
    double size = 1;
    for (int j = 0; j < c->wide; j++) size = fmax(size, fabs(c->J[i * c->wide + j]));
    if (fabs(c->F[i]) > slack * size) return false;
  }
  return true;
}

// is nothing left behind a step, relative, after the last?
static bool has_squared(const study_curve* c, double step, double last)
{
  return !c->rough && step < c->squared && step < steep * last;
}

// u moved by y: how far, and how large the unknowns are, the param left out and taken in. A narrow
// range of it is far from zero in its own measure, and the others are not. Flights are exact to
// what they are large by, the param included.
static double take_step(const study_curve* c, double* u, double* size, double* rounded)
{
  double step = 0;
  *size = *rounded = 1;
  for (int j = 0; j < c->wide; j++) {
    u[j] += c->weight[j] * c->y[j];
    step = fmax(step, fabs(c->y[j]));
    *rounded = fmax(*size, fabs(u[j]) / c->weight[j]);
    if (j < c->wide - 1 || !c->plain) *size = *rounded;
  }
  return step;
}

int study_curve_correct(study_curve* c, const double* t, const double* from, double along,
                        double* u)
{
  const int wide = c->wide, rows = c->rows;
  double last = INFINITY;
  int near = 0;
  for (int turn = 1; turn <= most_turns; turn++) {
    if (!evaluate(c, u)) return 0;
    double *row = c->J + rows * wide, most = largest(c);
    for (int i = 0; i < rows; i++)
      if (is_silent(c, i, most)) memset(c->J + i * wide, 0, sizeof(double) * (size_t)wide);
    c->F[rows] = -along;
    for (int j = 0; j < wide; j++) {
      row[j] = t[j] / c->weight[j];
      c->F[rows] += row[j] * (u[j] - from[j]) / c->weight[j];
    }
    for (int i = 0; i <= rows; i++) c->F[i] = -c->F[i];
    num_null_factor(c->null, rows + 1, wide, c->J, dependent);
    if (c->plain && num_null_margin(c->null) < weak)
      study_curve_told_step(c, u);
    else
      num_null_solve(c->null, c->J, c->F, c->y);
    double size, rounded;
    const double step = take_step(c, u, &size, &rounded);
    if (!isfinite(step)) return 0;
    if (step < slack * size && !near) near = turn;
    // Newton's steps square: behind a step this short and so much shorter, nothing is left
    if (turn > 1 && has_squared(c, step / size, last / size)) return near;
    // finished to rounding: the last step is no shorter than the one before
    if (step < converged * rounded || (near && step > 0.5 * last)) return all_hold(c) ? near : 0;
    // a step that does not become shorter leads elsewhere, if anywhere
    if (turn > 2 && step > 0.5 * last) return 0;
    last = step;
  }
  return 0;
}

// right singular vectors of J at u as rows of W, with their singular values; false: no value there
static bool take_apart(study_curve* c, const double* u)
{
  const int wide = c->wide, rows = c->rows;
  double* T = c->W + wide * wide;
  if (!evaluate_there(c, u)) return false;
  // equations are of any size; where branches cross, all derivatives of one may vanish
  const double most = largest(c);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < wide; j++)
      T[j * rows + i] = c->size[i] > vanishing * most ? c->J[i * wide + j] / c->size[i] : 0;
  num_singular(wide, rows, T, c->W, c->sigma);
  return true;
}

// numbers of the two smallest singular values; returns the second over the largest
static double two_smallest(const study_curve* c, int k[2])
{
  double most = 0;
  k[0] = k[1] = -1;
  for (int j = 0; j < c->wide; j++) {
    most = fmax(most, c->sigma[j]);
    if (k[0] < 0 || c->sigma[j] < c->sigma[k[0]]) {
      k[1] = k[0];
      k[0] = j;
    } else if (k[1] < 0 || c->sigma[j] < c->sigma[k[1]]) {
      k[1] = j;
    }
  }
  return k[1] >= 0 && most > 0 ? c->sigma[k[1]] / fmax(most, 1) : 0;
}

static void scale_to_one(const study_curve* c, double* t)
{
  const double size = sqrt(study_curve_dot(c, t, t));
  for (int j = 0; j < c->wide; j++) t[j] /= size;
}

double study_curve_tangent(study_curve* c, const double* u, const double* before, double* t)
{
  const int wide = c->wide;
  int k[2];
  if (!take_apart(c, u)) return NAN;
  const double second = two_smallest(c, k);
  double share[2] = {1, 0};
  // where two curves cross, the one that goes on
  if (before)
    for (int h = 0; h < 2; h++) {
      share[h] = 0;
      if (k[h] < 0 || (h && second > 1e-7)) continue;
      for (int j = 0; j < wide; j++) share[h] += c->W[k[h] * wide + j] * before[j] / c->weight[j];
    }
  if (!(hypot(share[0], share[1]) > 0)) share[0] = 1;
  for (int j = 0; j < wide; j++)
    t[j] = c->weight[j] * (share[0] * c->W[k[0] * wide + j] +
                           (share[1] != 0 ? share[1] * c->W[k[1] * wide + j] : 0));
  scale_to_one(c, t);
  const double side = before ? study_curve_dot(c, t, before) : t[wide - 1];
  for (int j = 0; j < wide && side < 0; j++) t[j] = -t[j];
  return second;
}

void study_curve_across(study_curve* c, const double* u, const double* t, double* out)
{
  const int wide = c->wide;
  int k[2];
  memset(out, 0, sizeof(double) * (size_t)wide);
  if (!take_apart(c, u)) return;
  two_smallest(c, k);
  // of the plane of the two, what is across t
  double share[2] = {0, 0};
  for (int h = 0; h < 2 && k[h] >= 0; h++)
    for (int j = 0; j < wide; j++) share[h] += c->W[k[h] * wide + j] * t[j] / c->weight[j];
  for (int j = 0; j < wide && k[1] >= 0; j++)
    out[j] = c->weight[j] * (share[1] * c->W[k[0] * wide + j] - share[0] * c->W[k[1] * wide + j]);
  scale_to_one(c, out);
}

// unknowns are measured by their size, or by what they change over the range if that is more
void study_curve_weigh(study_curve* c, const double* u, double range)
{
  const int last = c->wide - 1;
  double *t = base_alloc(sizeof(double) * (size_t)c->wide), most = 0;
  for (int j = 0; j < last; j++) c->weight[j] = 1;
  c->weight[last] = range;
  study_curve_measure(c, u);
  const bool sloped = isfinite(study_curve_tangent(c, u, NULL, t)) && fabs(t[last]) > 1e-3 * range;
  for (int j = 0; j < last; j++) {
    const double slope = sloped ? fabs(t[j] / t[last]) * range : 0;
    const bool bounded = c->newborn && fabs(u[j]) > none;
    c->weight[j] = fmax(fabs(u[j]), bounded ? fmin(slope, growth * fabs(u[j])) : slope);
    most = fmax(most, c->weight[j]);
  }
  // what Newton's method has left of zero is no measure
  for (int j = 0; j < last; j++) c->weight[j] = most > none ? fmax(c->weight[j], 0.1 * most) : 1;
  study_curve_measure(c, u);
  free(t);
}
