// Polynomials made orthonormal: columns of their coefficients, most of which are zero.
#include "geom/jets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// L with L L^T = G, size by size, in the place of G; false where a column depends on those before
static bool cholesky(size_t size, double* G)
{
  for (size_t j = 0; j < size; j++)
    for (size_t i = j; i < size; i++) {
      double sum = G[i * size + j];
      for (size_t k = 0; k < j; k++) sum -= G[i * size + k] * G[j * size + k];
      if (i == j && !(sum > 0)) return false;
      G[i * size + j] = i == j ? sqrt(sum) : sum / G[j * size + j];
    }
  return true;
}

// Columns of P made orthonormal, rows by size: P L^-T, L L^T = P^T P, twice for the rounding
// (Yamamoto, Nakatsukasa, Yanagisawa, Fukaya, Electron. Trans. Numer. Anal. 44 (2015), 306). They
// nearly are already, being old ones turned and a kernel's; and most numbers of a row are zero.
void geom_jets_orthonormal(size_t rows, size_t size, double* P)
{
  double* G = base_alloc(sizeof(double) * (size * size + 1));
  for (int pass = 0; pass < 2; pass++) {
    memset(G, 0, sizeof(double) * size * size);
    for (size_t i = 0; i < rows; i++)
      for (size_t j = 0; j < size; j++) {
        const double* at = P + i * size;
        if (at[j] == 0) continue;
        for (size_t k = 0; k <= j; k++) G[j * size + k] += at[j] * at[k];
      }
    if (!cholesky(size, G)) break;
    for (size_t i = 0; i < rows; i++) {
      double* at = P + i * size;
      size_t first = 0;
      while (first < size && at[first] == 0) first++;
      for (size_t j = first; j < size; j++) {
        double x = at[j];
        for (size_t k = first; k < j; k++) x -= G[j * size + k] * at[k];
        at[j] = x / G[j * size + j];
      }
    }
  }
  free(G);
}

double geom_jets_orthonormal_effort(size_t rows, size_t size, const double* P)
{
  double sum = (double)size * (double)size * (double)size / 6;
  for (size_t i = 0; i < rows; i++) {
    const double* at = P + i * size;
    size_t first = size;
    for (size_t j = size; j-- > 0;) {
      if (at[j] == 0) continue;
      sum += (double)j;
      first = j;
    }
    sum += (double)(size - first) * (double)(size - first) / 2;
  }
  return 2 * sum;
}
