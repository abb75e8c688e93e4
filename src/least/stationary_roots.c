// Roots of one problem as starts of paths to another.
#include "least/stationary_paths.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// |mu_0| less than this beside the other multipliers: the gradients are dependent there
static const double dependent = 1e-9;

path_roots least_stationary_roots_new(int l_max, int s_max)
{
  return (path_roots){.w = base_alloc(sizeof(cx) * (size_t)PATHS_MOST * (size_t)l_max),
                      .lambda = base_alloc(sizeof(cx) * (size_t)PATHS_MOST * (size_t)(s_max + 1))};
}

void least_stationary_roots_free(path_roots* k)
{
  free(k->w);
  free(k->lambda);
}

// lambda_j = mu_j / mu_0 times this
static double multiplier_unit(const least_stationary_paths* h, int j)
{
  return h->q.unit * h->q.unit * h->pull_unit / h->q.size[h->q.index[j]];
}

// an end in w and lambda; false where the multipliers are none
static bool keep_root(path_roots* k, const least_stationary_paths* h, const cx* X)
{
  const int n = h->n, m = h->m, l = h->q.l;
  const cx* mu = X + n + 1;
  cx* w = k->w + k->count * l;
  for (int i = 0; i < l; i++) {
    w[i] = h->q.origin[i];
    for (int a = 0; a < n; a++) w[i] += h->q.T[i * n + a] * (X[a + 1] / X[0]);
  }
  double size = 0;
  for (int j = 0; j <= m; j++) size = fmax(size, cabs(mu[j]));
  if (cabs(mu[0]) < dependent * size) return false;
  for (int j = 0; j < m; j++)
    k->lambda[k->count * m + j] = mu[j + 1] / mu[0] * multiplier_unit(h, j);
  k->count++;
  return true;
}

bool least_stationary_roots_keep(path_roots* k, const least_stationary_paths* h)
{
  k->count = 0;
  bool all = true;
  for (int i = 0; i < h->count && all; i++)
    if (h->kind[i] != END_INFINITE)
      all = h->kind[i] == END_REGULAR && keep_root(k, h, h->end + i * h->N);
  if (!all) k->count = 0;
  return all;
}

// where the paths begin: (1, x, 1, mu) with x = T^-1 (w - origin), T^-1 = T^T H / unit^2
static bool write_starts(least_stationary_paths* h, const path_roots* k, const path_passage* y)
{
  const least_stationary_frame* q = &h->q;
  const int l = q->l, m = h->m;
  double R[STATIONARY_L * STATIONARY_L], part[2][STATIONARY_L];
  int pivot[STATIONARY_L];
  if (y) memcpy(R, y->R, sizeof R);
  if (y && !num_lu(l, R, pivot)) return false;
  for (int i = 0; i < k->count; i++) {
    cx* X = h->start + i * h->N;
    for (int c = 0; c < l; c++) {
      part[0][c] = creal(k->w[i * l + c]) - (y ? y->shift[c] : 0);
      part[1][c] = cimag(k->w[i * l + c]);
    }
    for (int side = 0; side < 2 && y; side++) num_lu_solve(l, R, pivot, part[side]);
    X[0] = X[l + 1] = 1;
    for (int a = 0; a < l; a++) X[a + 1] = 0;
    for (int r = 0; r < l; r++) {
      cx along = 0;
      for (int c = 0; c < l; c++)
        along += q->p->H[r * l + c] * CMPLX(part[0][c] - q->origin[c], part[1][c]);
      for (int a = 0; a < l; a++) X[a + 1] += q->T[r * l + a] * along / (q->unit * q->unit);
    }
    for (int j = 0; j < m; j++) X[l + 2 + j] = k->lambda[i * m + j] / multiplier_unit(h, j);
    if (!least_stationary_paths_patch(h, X)) return false;
  }
  return true;
}

bool least_stationary_paths_track_near(least_stationary_paths* h, const path_roots* k,
                                       const path_passage* y, bool far)
{
  h->near = true;
  h->count = k->count;
  bool all = write_starts(h, k, y);
  for (int i = 0; i < h->count && all; i++) {
    h->kind[i] = least_stationary_paths_track(h, i, h->end + i * h->N);
    all = far ? h->kind[i] != END_FAILED : h->kind[i] == END_REGULAR;
  }
  return all && least_stationary_paths_consistent(h);
}
