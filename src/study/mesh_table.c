// The numbers of Gauss's method, of any count of nodes.
//
// With the zeros x_i of P_m on [-1, 1]: c = (1 + x)/2, b_j = 1/((1 - x_j^2) P_m'(x_j)^2); the basis
// polynomial of node j is sum_k (2k + 1) b_j P_k(x_j) P_k(x), and the integral of P_k from -1 is
// (P_(k+1) - P_(k-1))/(2k + 1), of P_0 1 + x (Hairer, Wanner, Solving ODEs II, IV.5).
#include "study/mesh.h"

#include <math.h>

enum { m = study_mesh_degree };

// P_0 .. P_(m + 1) at x
static void legendre(double x, double* P)
{
  P[0] = 1;
  P[1] = x;
  for (int k = 1; k <= m; k++) P[k + 1] = ((2 * k + 1) * x * P[k] - k * P[k - 1]) / (k + 1);
}

// integral of P_k from -1 to where P was taken
static double integral(const double* P, int k)
{
  return k ? (P[k + 1] - P[k - 1]) / (2 * k + 1) : 1 + P[1];
}

void study_mesh_basis(const study_mesh_table* t, double at, double* value, double* sum)
{
  double P[m + 2];
  legendre(2 * at - 1, P);
  for (int j = 0; j < m; j++) value[j] = sum[j] = 0;
  for (int k = 0; k < m; k++) {
    const double half = integral(P, k) / 2;
    for (int j = 0; j < m; j++) {
      value[j] += t->P[k][j] * P[k];
      sum[j] += t->P[k][j] * half;
    }
  }
}

// zero i of P_m by Newton's method from the usual guess, and the slope there
static double zero_of(int i, double* slope)
{
  double x = -cos(M_PI * (i + 0.75) / (m + 0.5)), P[m + 2];
  for (int turn = 0; turn < 8; turn++) {
    legendre(x, P);
    *slope = m * (P[m - 1] - x * P[m]) / (1 - x * x);
    x -= P[m] / *slope;
  }
  return x;
}

// of the basis polynomial k at node j: d/dx of products
static double slope_of(const double* c, int j, int k)
{
  double sum = 0;
  if (j == k) {
    for (int h = 0; h < m; h++)
      if (h != k) sum += 1 / (c[k] - c[h]);
    return sum;
  }
  double product = 1 / (c[k] - c[j]);
  for (int h = 0; h < m; h++)
    if (h != j && h != k) product *= (c[j] - c[h]) / (c[k] - c[h]);
  return product;
}

study_mesh_table study_mesh_numbers(void)
{
  study_mesh_table t = {0};
  for (int j = 0; j < m; j++) {
    double slope, P[m + 2];
    const double x = zero_of(j, &slope);
    legendre(x, P);
    t.c[j] = (1 + x) / 2;
    t.b[j] = 1 / ((1 - x * x) * slope * slope);
    for (int k = 0; k < m; k++) t.P[k][j] = (2 * k + 1) * t.b[j] * P[k];
  }
  double value[m];
  for (int j = 0; j < m; j++) study_mesh_basis(&t, t.c[j], value, t.A[j]);
  for (int j = 0; j < m; j++)
    for (int k = 0; k < m; k++) {
      for (int h = 0; h < m; h++) t.A2[j][k] += t.A[j][h] * t.A[h][k];
      t.b2[k] += t.b[j] * t.A[j][k];
      t.D[j][k] = slope_of(t.c, j, k);
    }
  return t;
}
