// The reaction of a constraint as a force at a point, where it is one: n with gradient = J^T n by
// least squares, J = dr/dq of the point; the force is the reaction times n.
#include <math.h>

#include "out/view.h"

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

// n = (J J^T)^+ J g; false where J^T n is not g
static bool solve(int coords, const double* g, const double* J, double n[3])
{
  double A[3][3], V[3][3], b[3], norm = 0, left = 0;
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
  for (int c = 0; c < coords; c++) {
    const double off = g[c] - J[c] * n[0] - J[coords + c] * n[1] - J[2 * coords + c] * n[2];
    norm += g[c] * g[c];
    left += off * off;
  }
  return left <= left_over * left_over * norm;
}

bool out_view_force(const model* m, const model_scene* s, int part, const sim_table* seen,
                    double* force)
{
  const int at = out_seen_force(m, s, part), coords = m->coords;
  for (int i = 0; i < seen->rows; i++) {
    const double* row = seen->value + (size_t)i * (size_t)seen->width + (size_t)at;
    double n[3];
    if (!solve(coords, row + 1, row + 1 + coords, n)) return false;
    for (int k = 0; k < 3; k++) force[3 * i + k] = row[0] * n[k];
  }
  return seen->rows > 0;
}
