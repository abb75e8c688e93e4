// Which velocities the active rows make dependent: those by whose columns elimination is safest.
#include "rate/rate.h"

#include <math.h>
#include <string.h>

// digits are lost where a pivot of a row of A is a small part of the row
static const double least_row_pivot = 0.1;

// the largest entry left, in a row not done and a column not taken
static double largest(const engine* e, const double* W, const int* done, int* row, int* column)
{
  double most = 0;
  for (int r = 0; r < e->mode.rows; r++)
    for (int j = 0; j < e->n && done[r] < 0; j++)
      if (fabs(W[r * e->n + j]) > most) {
        most = fabs(W[r * e->n + j]);
        *row = r;
        *column = j;
      }
  return most;
}

// Dependent velocities by elimination with the largest pivots, on weighed rows of unit length;
// false where rows are dependent. A: the active rows; dependent: in the order of coordinates.
bool rate_choose_dependent(engine* e, const double* A, int* dependent)
{
  const int n = e->n;
  double* W = e->work.Ar;
  int* done = e->work.fused_order;
  for (int r = 0; r < e->mode.rows; r++) {
    double norm = 0;
    for (int j = 0; j < n; j++) {
      W[r * n + j] = A[r * n + j] * e->work.weight[j];
      norm += W[r * n + j] * W[r * n + j];
    }
    if (!(norm > 0)) return false;
    for (int j = 0; j < n; j++) W[r * n + j] /= sqrt(norm);
    done[r] = -1;
  }
  for (int step = 0; step < e->mode.rows; step++) {
    int row = 0, column = 0;
    if (!(largest(e, W, done, &row, &column) > least_row_pivot)) return false;
    done[row] = column;
    for (int r = 0; r < e->mode.rows; r++) {
      if (done[r] >= 0) continue;
      const double factor = W[r * n + column] / W[row * n + column];
      for (int j = 0; j < n; j++) W[r * n + j] -= factor * W[row * n + j];
      W[r * n + column] = 0;
    }
  }
  int count = 0;
  for (int j = 0; j < n; j++)
    for (int r = 0; r < e->mode.rows; r++)
      if (done[r] == j) dependent[count++] = j;
  return true;
}
