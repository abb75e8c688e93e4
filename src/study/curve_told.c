// Newton's step next to a crossing, where one direction is hardly told.
//
// With J = sum_k sigma_k p_k q_k^T the step is sum_k q_k (p_k . F)/sigma_k. Where two branches
// cross a singular value vanishes: its part of the step is rounding over nearly nothing, and would
// lead off the branch, further the nearer the crossing is. Parts whose p_k . F is no more than the
// rounding of the equations are left out: along those directions the motion stays where the places
// before say that the branch goes.
#include "study/curve.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double roundings = 2;    // units of the last digit that values are off by
static const double least = 0.1;      // of the largest equation: what others are measured by
static const double dependent = 1e-9; // singular values of equations that follow from others
static const double weak = 1e-3;      // singular values, over the largest, that are looked at

// largest derivatives of each equation in size[], by unknowns as large as they are; the largest of
// all is returned
static double sizes(const study_curve* c, const double* u, double* size)
{
  double most = 0;
  for (int i = 0; i <= c->rows; i++) {
    size[i] = 0;
    for (int j = 0; j < c->wide; j++)
      size[i] = fmax(size[i], fabs(c->J[i * c->wide + j]) * fmax(1, fabs(u[j]) / c->weight[j]));
    if (i < c->rows) most = fmax(most, size[i]);
  }
  return most;
}

void study_curve_told_step(study_curve* c, const double* u)
{
  const int wide = c->wide, all = c->rows + 1;
  double* size = base_alloc(sizeof(double) * (size_t)(all + wide * all));
  double *T = size + all, most = 0;
  const double largest = sizes(c, u, size);
  // accelerations come from one linear problem: each is as exact as the largest of them, so that
  // small ones are not to be scaled up
  for (int i = 0; i < c->rows; i++) size[i] = fmax(size[i], least * largest);
  size[c->rows] = 1;
  for (int i = 0; i < all; i++)
    for (int j = 0; j < wide; j++) T[j * all + i] = c->J[i * wide + j] / size[i];
  num_singular(wide, all, T, c->W, c->sigma);
  for (int k = 0; k < wide; k++) most = fmax(most, c->sigma[k]);
  memset(c->y, 0, sizeof(double) * (size_t)wide);
  for (int k = 0; k < wide; k++) {
    if (!(c->sigma[k] > dependent * most)) continue;
    double sum = 0, noise = 0;
    for (int i = 0; i < all; i++) {
      const double p = T[k * all + i];
      sum += p * c->F[i] / size[i];
      noise += fabs(p) * (i == c->rows ? 1 : fmax(size[i], largest) / size[i]);
    }
    if (c->sigma[k] < weak * most && fabs(sum) < roundings * DBL_EPSILON * noise) continue;
    for (int j = 0; j < wide; j++) c->y[j] += c->W[k * wide + j] * sum / c->sigma[k];
  }
  free(size);
}
