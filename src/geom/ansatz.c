// Linear equations for the coefficients of an ansatz, and their solutions in simple numbers.
#include "geom/ansatz.h"
#include "num/num.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BELOW = 96 };
static const double nothing = 1e-6;  // of the largest coefficient of a solution
static const double fraction = 1e-7; // relative: how near a simple fraction has to be
static const double gap = 1e-10;     // pivots of the equations, relative

static bool simple(double c, long* above, long* below)
{
  for (*below = 1; *below <= MOST_BELOW; ++*below) {
    *above = lround(c * (double)*below);
    if (*above && fabs(c * (double)*below - (double)*above) <= fraction * fabs((double)*above))
      return true;
  }
  return false;
}

expr geom_ansatz_number(expr_pool* p, double c)
{
  long above, below;
  if (fabs(c) < 1e6 && simple(c, &above, &below)) return expr_ratio(p, above, below);
  char text[32];
  snprintf(text, sizeof text, "%.12g", fabs(c));
  const expr e = expr_decimal(p, text, strlen(text));
  return c < 0 ? expr_neg(p, e) : e;
}

// Rows in echelon form, from the first column on: simple functions stand first.
static void reduce(int rows, int columns, double* Z)
{
  for (int done = 0, column = 0; done < rows && column < columns; column++) {
    int best = done;
    for (int i = done; i < rows; i++)
      if (fabs(Z[i * columns + column]) > fabs(Z[best * columns + column])) best = i;
    double most = 0;
    for (int i = done; i < rows; i++)
      for (int j = 0; j < columns; j++) most = fmax(most, fabs(Z[i * columns + j]));
    if (fabs(Z[best * columns + column]) <= nothing * most) {
      for (int i = done; i < rows; i++) Z[i * columns + column] = 0;
      continue;
    }
    for (int j = 0; j < columns; j++) {
      const double x = Z[best * columns + j];
      Z[best * columns + j] = Z[done * columns + j];
      Z[done * columns + j] = x;
    }
    const double pivot = Z[done * columns + column];
    for (int j = 0; j < columns; j++) Z[done * columns + j] /= pivot;
    for (int i = 0; i < rows; i++) {
      const double factor = Z[i * columns + column];
      if (i == done || factor == 0) continue;
      for (int j = 0; j < columns; j++) Z[i * columns + j] -= factor * Z[done * columns + j];
      Z[i * columns + column] = 0;
    }
    done++;
  }
  for (int i = 0; i < rows; i++) {
    double most = 0;
    for (int j = 0; j < columns; j++) most = fmax(most, fabs(Z[i * columns + j]));
    for (int j = 0; j < columns; j++)
      if (fabs(Z[i * columns + j]) <= nothing * most) Z[i * columns + j] = 0;
  }
}

int geom_ansatz_solve(int rows, int columns, double* A, const double* size, base_arena* arena,
                      double** out)
{
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) A[i * columns + j] /= size[j];
  num_null* f = num_null_new(rows, columns);
  const int rank = num_null_factor(f, rows, columns, A, gap), left = columns - rank;
  double *Z = base_alloc(sizeof(double) * (size_t)(columns * (left + 1))),
         *R = base_arena_take(arena, sizeof(double) * (size_t)(columns * (left + 1)));
  if (left > 0) num_null_basis(f, Z);
  for (int j = 0; j < columns; j++)
    for (int i = 0; i < left; i++) R[i * columns + j] = Z[j * left + i] / size[j];
  num_null_free(f);
  free(Z);
  reduce(left, columns, R);
  *out = R;
  return left;
}
