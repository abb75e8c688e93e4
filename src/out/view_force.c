// The reaction of a constraint as forces at points. With J = dr/dq of a point, a force F there acts
// on the coordinates with J^T F, so the reaction Lambda g, g the gradient of the constraint, is
//   at one point        g = J^T n                       Lambda n
//   at two, opposite    g = (J1 - J2)^T n               Lambda n, -Lambda n: a rod, a joint
//   at two, apart       g = J1^T n1 + J2^T n2           Lambda n1, Lambda n2: a rope over a pulley
// the last only where no coordinate moves both, so that n1 and n2 are determined. n is found by
// least squares, and refused where something of g is left.
#include "out/view.h"

#include <math.h>
#include <stdlib.h>

void out_view_eigen(double A[3][3], double V[3][3])
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) V[i][j] = i == j;
  for (int sweep = 0; sweep < 40; sweep++)
    for (int p = 0; p < 2; p++)
      for (int q = p + 1; q < 3; q++) {
        if (A[p][q] == 0) continue;
        const double angle = 0.5 * atan2(2 * A[p][q], A[q][q] - A[p][p]);
        const double c = cos(angle), s = sin(angle);
        for (int k = 0; k < 3; k++) {
          const double a = A[k][p], b = A[k][q];
          A[k][p] = c * a - s * b, A[k][q] = s * a + c * b;
        }
        for (int k = 0; k < 3; k++) {
          const double a = A[p][k], b = A[q][k];
          A[p][k] = c * a - s * b, A[q][k] = s * a + c * b;
        }
        for (int k = 0; k < 3; k++) {
          const double a = V[k][p], b = V[k][q];
          V[k][p] = c * a - s * b, V[k][q] = s * a + c * b;
        }
      }
}

// what may be left of the gradient, relative
static const double left_over = 1e-7;

// n = (J J^T)^+ J g
static void least_squares(int coords, const double* g, const double* J, double n[3])
{
  double A[3][3], V[3][3], b[3];
  for (int i = 0; i < 3; i++) {
    b[i] = 0;
    for (int c = 0; c < coords; c++) b[i] += J[i * coords + c] * g[c];
    for (int k = 0; k < 3; k++) {
      A[i][k] = 0;
      for (int c = 0; c < coords; c++) A[i][k] += J[i * coords + c] * J[k * coords + c];
    }
  }
  out_view_eigen(A, V);
  const double most = fmax(A[0][0], fmax(A[1][1], A[2][2]));
  for (int i = 0; i < 3; i++) n[i] = 0;
  for (int k = 0; k < 3; k++) {
    if (!(A[k][k] > 1e-12 * most)) continue;
    const double along = (V[0][k] * b[0] + V[1][k] * b[1] + V[2][k] * b[2]) / A[k][k];
    for (int i = 0; i < 3; i++) n[i] += along * V[i][k];
  }
}

// takes J^T n from g
static void take_off(int coords, const double* J, const double n[3], double* g)
{
  for (int c = 0; c < coords; c++)
    g[c] -= J[c] * n[0] + J[coords + c] * n[1] + J[2 * coords + c] * n[2];
}

static bool is_small(int coords, const double* left, const double* g)
{
  double norm = 0, rest = 0;
  for (int c = 0; c < coords; c++) {
    norm += g[c] * g[c];
    rest += left[c] * left[c];
  }
  return rest <= left_over * left_over * norm;
}

static bool moves(int coords, const double* J, int c)
{
  return J[c] != 0 || J[coords + c] != 0 || J[2 * coords + c] != 0;
}

// one row: n at the first point and, where there is a second, at that; `work` holds 4 coords
static bool solve_row(int coords, const double* g, const double* const J[2], out_force_kind kind,
                      double n[2][3], double* work)
{
  double *left = work, *apart = work + coords;
  for (int c = 0; c < coords; c++) left[c] = g[c];
  if (kind == OUT_FORCE_OPPOSITE) {
    for (int i = 0; i < 3 * coords; i++) apart[i] = J[0][i] - J[1][i];
    least_squares(coords, g, apart, n[0]);
    take_off(coords, apart, n[0], left);
    for (int k = 0; k < 3; k++) n[1][k] = -n[0][k];
    return is_small(coords, left, g);
  }
  for (int i = 0; i < (kind == OUT_FORCE_APART ? 2 : 1); i++) {
    least_squares(coords, g, J[i], n[i]);
    take_off(coords, J[i], n[i], left);
  }
  for (int c = 0; c < coords && kind == OUT_FORCE_APART; c++)
    if (moves(coords, J[0], c) && moves(coords, J[1], c)) return false;
  return is_small(coords, left, g);
}

bool out_view_force(const model* m, const model_scene* s, const int part[2], out_force_kind kind,
                    const walk_table* seen, double* const force[2])
{
  const int coords = m->coords, points = kind == OUT_FORCE_SINGLE ? 1 : 2;
  double* work = base_alloc(sizeof(double) * 4 * (size_t)(coords + 1));
  bool fits = seen->rows > 0;
  for (int i = 0; i < seen->rows && fits; i++) {
    const double *J[2] = {NULL, NULL}, *row = NULL;
    double n[2][3];
    for (int k = points - 1; k >= 0; k--) {
      row = seen->value + (size_t)i * (size_t)seen->width + (size_t)out_seen_force(m, s, part[k]);
      J[k] = row + 1 + coords;
    }
    fits = solve_row(coords, row + 1, J, kind, n, work);
    for (int k = 0; k < points && fits; k++)
      for (int c = 0; c < 3; c++) force[k][3 * i + c] = row[0] * n[k][c];
  }
  free(work);
  return fits;
}

bool out_view_moves(const model* m, const model_scene* s, int part, const walk_table* seen)
{
  const int at = out_seen_force(m, s, part) + 1 + m->coords;
  for (int i = 0; i < seen->rows; i++)
    for (int c = 0; c < m->coords; c++)
      if (moves(m->coords, seen->value + (size_t)i * (size_t)seen->width + (size_t)at, c))
        return true;
  return false;
}
