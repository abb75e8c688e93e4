// All stationary points under polynomial constraints by homotopy: every isolated complex solution
// is the end of a path. The ends are checked before they are believed: regular ends must differ,
// and with every complex one its conjugate must be there.
#include "least/stationary_paths.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

least_stationary_paths* least_stationary_paths_new(int l_max, int s_max)
{
  least_stationary_paths* h = base_alloc(sizeof *h);
  h->end = base_alloc((size_t)PATHS_MOST * (size_t)(l_max + s_max + 2) * sizeof *h->end);
  h->start = base_alloc((size_t)PATHS_MOST * (size_t)(l_max + s_max + 2) * sizeof *h->start);
  return h;
}

void least_stationary_paths_free(least_stationary_paths* h)
{
  if (!h) return;
  least_stationary_monomials_free(&h->monomials);
  for (int j = 0; j < STATIONARY_L; j++) {
    for (int part = 0; part < 2; part++) {
      free(h->target.second[part][j]);
      free(h->before.second[part][j]);
    }
  }
  free(h->end);
  free(h->start);
  free(h);
}

// C(n, m) D^(n-m) prod d_j, 0 beyond what is bearable
int least_stationary_homotopy_paths(const least_stationary_frame* q)
{
  double count = 1;
  int D = 1;
  for (int j = 0; j < q->m; j++) {
    int d = q->degree[q->index[j]];
    if (d > PATHS_DEGREE) return 0;
    if (d - 1 > D) D = d - 1;
    count *= d;
    count *= (double)(q->n - j) / (j + 1);
  }
  count *= pow(D, q->n - q->m);
  return count <= PATHS_MOST ? (int)lround(count) : 0;
}

// affine coordinates of an end: x / x_0, and mu / mu_0 or, at mu_0 = 0, mu on its patch
static void affine(const least_stationary_paths* h, const cx* X, cx* z)
{
  for (int a = 0; a < h->n; a++) z[a] = X[a + 1] / X[0];
}

static double apart(int n, const cx* a, const cx* b, bool conjugate)
{
  double far = 0, size = 1;
  for (int i = 0; i < n; i++) {
    far = fmax(far, cabs(a[i] - (conjugate ? conj(b[i]) : b[i])));
    size = fmax(size, cabs(a[i]));
  }
  return far / size;
}

static double unreal(int n, const cx* a)
{
  double s = 0, size = 1;
  for (int i = 0; i < n; i++) {
    s = fmax(s, fabs(cimag(a[i])));
    size = fmax(size, cabs(a[i]));
  }
  return s / size;
}

bool least_stationary_paths_consistent(const least_stationary_paths* h)
{
  for (int k = 0; k < h->count; k++) {
    if (h->kind[k] == END_FAILED) return false;
    if (h->kind[k] != END_REGULAR) continue;
    const cx* X = h->end + k * h->N;
    cx z[STATIONARY_L], y[STATIONARY_L];
    affine(h, X, z);
    bool paired = !h->real || unreal(h->n, z) < 1e-7;
    for (int i = 0; i < h->count; i++) {
      if (i == k || h->kind[i] != END_REGULAR) continue;
      affine(h, h->end + i * h->N, y);
      if (i < k && apart(h->n, z, y, false) < 1e-9 &&
          apart(h->N, X, h->end + i * h->N, false) < 1e-9)
        return false;
      paired = paired || apart(h->n, z, y, true) < 1e-6;
    }
    if (!paired) return false;
  }
  return true;
}

// real part of an end, as coordinates of the search's frame
static void real_start(const least_stationary* f, const least_stationary_paths* h, const cx* X,
                       double* w, double* z)
{
  for (int a = 0; a < h->n; a++) z[a] = creal(X[a + 1] / X[0]);
  least_stationary_frame_place(&h->q, z, w);
  least_stationary_frame_coordinates(&f->frame, w, z);
}

// a real end, regular or not, must lead to a point near by
static bool offer_end(least_stationary* f, const least_stationary_paths* h, const cx* X)
{
  double z[STATIONARY_KKT], w[STATIONARY_L];
  real_start(f, h, X, w, z);
  return least_stationary_add(f, w, NULL) || least_stationary_add_singular(f, w);
}

static double moved(int n, const double* z, const double* y)
{
  double s = 0, size = 1;
  for (int i = 0; i < n; i++) {
    s = fmax(s, fabs(z[i] - y[i]));
    size = fmax(size, fabs(y[i]));
  }
  return s / size;
}

// a singular end is known to few digits: let the real iterations find the point next to it
static bool offer_rough_end(least_stationary* f, const least_stationary_paths* h, const cx* X)
{
  const least_stationary_frame* q = &f->frame;
  int n = h->n, m = h->m, N = n + m;
  const cx* mu = X + n + 1;
  double z[STATIONARY_KKT], y[STATIONARY_KKT], w[STATIONARY_L], size = 0;
  bool found = false;
  real_start(f, h, X, w, y);
  memcpy(z, y, sizeof z);
  least_stationary_multipliers(q, w, z + n);
  if (least_stationary_levenberg(q, least_stationary_kkt, N, N, 80, z) < 1e-9 &&
      moved(n, z, y) < 1e-2) {
    least_stationary_frame_place(q, z, w);
    found = least_stationary_add(f, w, z + n);
  }
  memcpy(z, y, sizeof z);
  for (int j = 1; j <= m; j++) size = fmax(size, cabs(mu[j]));
  for (int j = 0; j < m; j++) z[n + j] = creal(mu[j + 1] / mu[1]) + (j == 0 && size == 0);
  if (least_stationary_levenberg(q, least_stationary_dependent, N + 1, N, 80, z) < 1e-9 &&
      moved(n, z, y) < 1e-2) {
    least_stationary_frame_place(q, z, w);
    found = least_stationary_add_singular(f, w) || found;
  }
  return found;
}

bool least_stationary_paths_collect(least_stationary* f)
{
  const least_stationary_paths* h = f->paths;
  bool all = true;
  for (int k = 0; k < h->count; k++) {
    const cx* X = h->end + k * h->N;
    if (h->kind[k] != END_REGULAR && h->kind[k] != END_SINGULAR) continue;
    cx z[STATIONARY_L];
    affine(h, X, z);
    double off = unreal(h->n, z);
    if (h->kind[k] == END_REGULAR) {
      if (off < 1e-7 && !offer_end(f, h, X)) all = false;
    } else if (off < 1e-2 && !offer_rough_end(f, h, X) && off < 1e-3)
      all = false;
  }
  return all;
}

// the set's own length, seen from the place of the affine set nearest to w = 0
static void look_from_zero(least_stationary_paths* h)
{
  least_stationary_frame* q = &h->q;
  int l = q->l, n = q->n;
  double rate = q->shortest / q->unit, square = q->unit * q->unit;
  for (int k = 0; k < n; k++) {
    double t = 0;
    for (int i = 0; i < l; i++)
      for (int c = 0; c < l; c++) t += q->T[i * n + k] * q->p->H[i * l + c] * q->origin[c];
    h->pull[k] = -t / square;
  }
  for (int i = 0; i < l; i++)
    for (int k = 0; k < n; k++) q->origin[i] += q->T[i * n + k] * h->pull[k];
  double size = 1;
  for (int k = 0; k < n; k++) size = fmax(size, fabs(h->pull[k] /= rate));
  for (int k = 0; k < n; k++) h->pull[k] /= size;
  h->pull_unit = size;
  q->unit *= rate;
  for (int i = 0; i < l * n; i++) q->T[i] *= rate;
  for (int j = 0; j < h->m; j++) {
    double box[STATIONARY_L] = {0};
    for (int i = 0; i < l; i++) {
      box[i] = fabs(q->origin[i]);
      for (int k = 0; k < n; k++) box[i] += fabs(q->T[i * n + k]);
    }
    q->size[q->index[j]] = least_stationary_terms(q->p->polynomial + q->index[j], l, box);
  }
}

bool least_stationary_paths_track_all(least_stationary_paths* h)
{
  h->near = false;
  h->count = least_stationary_homotopy_paths(&h->q);
  bool sound = false;
  for (int attempt = 0; attempt < 3 && !sound; attempt++) {
    h->care = 1 << (2 * attempt);
    least_stationary_paths_choose(h, (unsigned)attempt);
    for (int k = 0; k < h->count; k++)
      h->kind[k] = least_stationary_paths_track(h, k, h->end + k * h->N);
    sound = least_stationary_paths_consistent(h);
  }
  return sound;
}

void least_stationary_paths_prepare(least_stationary* f)
{
  least_stationary_paths* h = f->paths;
  const least_stationary_frame* q = &f->frame;
  h->q = *q;
  h->n = q->n;
  h->m = q->m;
  h->N = q->n + q->m + 2;
  h->D = 1;
  for (int j = 0; j < h->m; j++) {
    h->degree[j] = q->degree[q->index[j]];
    if (h->degree[j] - 1 > h->D) h->D = h->degree[j] - 1;
  }
  memset(h->pull, 0, sizeof h->pull);
  h->pull_unit = 1;
  if (q->unit > 3 * q->shortest) look_from_zero(h);
  least_stationary_monomials_make(&h->monomials, h->n + 1, h->D + 1);
  h->real = true;
  least_stationary_paths_write_target(h);
}

bool least_stationary_homotopy(least_stationary* f)
{
  least_stationary_paths* h = f->paths;
  least_stationary_paths_prepare(f);
  bool sound = least_stationary_paths_track_all(h);
  f->set.paths = h->count;
  return least_stationary_paths_collect(f) && sound;
}
