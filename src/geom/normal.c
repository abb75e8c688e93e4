// The second tensor of a hypersurface from its map.
#include <math.h>
#include <stdlib.h>

#include "geom/embedding.h"
#include "num/num.h"

// b_ab = x_ab . nu, nu the unit normal, in the sense in which the trace g^ab b_ab is not negative
bool geom_embedding_second(const geom_embedding* e, const double* q, double* b)
{
  const int n = e->n, N = e->N;
  if (N != n + 1 || !geom_embedding_inside(e, q)) return false;
  double* dx = base_alloc(sizeof(double) * (size_t)(2 * N * n + N * n * n + N + n * n));
  double *rows = dx + N * n, *ddx = rows + N * n, *nu = ddx + N * n * n, *g = nu + N, trace = 0;
  geom_embedding_at(e, q, NULL, dx, ddx);
  for (int a = 0; a < n; a++)
    for (int k = 0; k < N; k++) rows[a * N + k] = dx[k * n + a];
  num_null* f = num_null_new(n, N);
  bool fine = num_null_factor(f, n, N, rows, 0) == n;
  if (fine) num_null_basis(f, nu);
  num_null_free(f);
  for (int i = 0; i < n * n; i++) {
    b[i] = 0;
    for (int k = 0; k < N; k++) b[i] += ddx[k * n * n + i] * nu[k];
    g[i] = 0;
    for (int k = 0; k < N; k++) g[i] += dx[k * n + i / n] * dx[k * n + i % n];
  }
  fine = fine && num_cholesky(n, g, 0);
  for (int a = 0; a < n && fine; a++) {
    double* column = rows;
    for (int c = 0; c < n; c++) column[c] = b[c * n + a];
    num_cholesky_solve(n, g, column);
    trace += column[a];
  }
  for (int i = 0; i < n * n; i++) {
    if (trace < 0) b[i] = -b[i];
    fine = fine && isfinite(b[i]);
  }
  free(dx);
  return fine;
}
