// Householder factorisation of a wide matrix with row pivoting: rank, null space, least-norm
// solutions. Golub and Van Loan, Matrix Computations (2013), 5.4 and 5.5.
#include "num/null.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t up(size_t bytes)
{
  return (bytes + 15) & ~(size_t)15;
}

size_t num_null_size(int m_max, int n_max)
{
  size_t m = (size_t)m_max, n = (size_t)n_max, d = sizeof(double);
  size_t longer = m > n ? m : n;
  return up(sizeof(num_null)) + up(m * n * d) + up(num_null_across(m) * n * d) + 5 * up(m * d) +
         up(longer * d) + up(m * m * d) + up(m * sizeof(int));
}

num_null* num_null_place(void* memory, int m_max, int n_max)
{
  assert(m_max >= 0 && n_max >= 0);
  size_t m = (size_t)m_max, n = (size_t)n_max, d = sizeof(double);
  char* p = memory;
  num_null* f = memory;
  memset(f, 0, sizeof *f);
  f->m_max = m_max;
  f->n_max = n_max;
  p += up(sizeof *f);
  f->W = (double*)p, p += up(m * n * d);
  f->across = (double*)p, p += up(num_null_across(m) * n * d);
  f->norm = (double*)p, p += up(m * d);
  f->diagonal = (double*)p, p += up(m * d);
  f->tau = (double*)p, p += up(m * d);
  f->left = (double*)p, p += up(m * d);
  f->u = (double*)p, p += up(m * d);
  f->scratch = (double*)p, p += up((m > n ? m : n) * d);
  f->N = (double*)p, p += up(m * m * d);
  f->order = (int*)p;
  return f;
}

num_null* num_null_new(int m_max, int n_max)
{
  return num_null_place(base_alloc(num_null_size(m_max, n_max)), m_max, n_max);
}

void num_null_free(num_null* f)
{
  free(f);
}

void num_null_weigh(num_null* f, const double* weight)
{
  f->weight = weight;
}

// the euclidean norm of numbers whose squares overflow, vanish, or are none
__attribute__((cold, noinline)) static double length_by_largest(int n, const double* x)
{
  double most = 0, s = 0;
  for (int i = 0; i < n; i++) {
    if (!isfinite(x[i])) return NAN;
    most = fmax(most, fabs(x[i]));
  }
  if (most == 0) return 0;
  for (int i = 0; i < n; i++) s += (x[i] / most) * (x[i] / most);
  return most * sqrt(s);
}

// euclidean norm; squares only where they neither overflow nor vanish
static inline double length(int n, const double* x)
{
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * x[i];
  return s > 1e-280 && s < 1e280 ? sqrt(s) : length_by_largest(n, x);
}

// a row with its columns weighed, put into w; where nothing is weighed the row itself
static inline const double* weighed(const num_null* f, const double* a, double* w)
{
  const double* weight = f->weight;
  if (!weight) return a;
  for (int j = 0; j < f->n; j++) w[j] = a[j] * weight[j];
  return w;
}

// rows of unit length into W; rows of zeros go to the end
static void load(num_null* f, const double* A)
{
  int n = f->n, live = 0, last = f->m;
  f->broken = false;
  for (int i = 0; i < f->m; i++) {
    double* w = f->W + (size_t)live * n;
    const double* a = weighed(f, A + (size_t)i * n, w);
    double s = length(n, a);
    f->norm[i] = s;
    if (!isfinite(s)) f->broken = true;
    if (s == 0) {
      f->order[--last] = i;
      continue;
    }
    double square = 0;
    for (int j = 0; j < n; j++) {
      w[j] = a[j] / s;
      square += w[j] * w[j];
    }
    f->left[live] = square;
    f->order[live++] = i;
  }
  // the zero rows were filled from behind
  for (int i = live, j = f->m - 1; i < j; i++, j--) {
    int o = f->order[i];
    f->order[i] = f->order[j];
    f->order[j] = o;
  }
  f->live = live;
}

// the longest remainder at or after row k; of nearly equal ones the earliest in A's order
static int longest(const num_null* f, int k)
{
  int best = k;
  for (int j = k + 1; j < f->live; j++) {
    double l = f->left[j], b = f->left[best];
    if (l > b * (1 + 1e-8) || (l > b * (1 - 1e-8) && f->order[j] < f->order[best])) best = j;
  }
  return best;
}

static void swap_rows(num_null* f, int a, int b)
{
  const bool many = f->live >= NUM_NULL_WIDE;
  const size_t step = many ? num_null_columns(f) : 1, row = many ? 1 : (size_t)f->n;
  double *W = many ? f->across : f->W, *x = W + (size_t)a * row, *y = W + (size_t)b * row;
  for (size_t j = 0; j < (size_t)f->n; j++) {
    double t = x[j * step];
    x[j * step] = y[j * step];
    y[j * step] = t;
  }
  double t = f->left[a];
  f->left[a] = f->left[b];
  f->left[b] = t;
  int o = f->order[a];
  f->order[a] = f->order[b];
  f->order[b] = o;
}

// H w[k..n) = (beta, 0, ...), with v kept in w[k+1..n)
static void reflect(num_null* f, int k)
{
  int n = f->n;
  double* w = f->W + (size_t)k * n;
  double tail = 0;
  for (int j = k + 1; j < n; j++) tail += w[j] * w[j];
  if (tail == 0) {
    f->tau[k] = 0;
    f->diagonal[k] = w[k];
    return;
  }
  double alpha = w[k], beta = -copysign(sqrt(alpha * alpha + tail), alpha);
  double scale = 1 / (alpha - beta);
  f->tau[k] = (beta - alpha) / beta;
  f->diagonal[k] = beta;
  for (int j = k + 1; j < n; j++) w[j] *= scale;
}

// what of v of H_k is not zero, behind its first element, lies from `from` to before `end`: a row
// that binds few coordinates turns few
typedef struct span
{
  int from, end;
} span;

static span span_of(const num_null* f, int k)
{
  const double* v = f->W + (size_t)k * f->n;
  span s = {k + 1, f->n};
  while (s.end > s.from && v[s.end - 1] == 0) s.end--;
  while (s.from < s.end && v[s.from] == 0) s.from++;
  return s;
}

// apply H_k to a vector of length n; false where it stays as it is
static inline bool turn_within(const num_null* f, int k, span within, double* x)
{
  const double* v = f->W + (size_t)k * f->n;
  double s = x[k];
  for (int j = within.from; j < within.end; j++) s += v[j] * x[j];
  s *= f->tau[k];
  if (s == 0) return false;
  x[k] -= s;
  for (int j = within.from; j < within.end; j++) x[j] -= s * v[j];
  return true;
}

static void turn(const num_null* f, int k, double* x)
{
  turn_within(f, k, span_of(f, k), x);
}

// what is left of a row below the k-th reflection, summed afresh: no cancellation to watch for
static double remainder_square(const num_null* f, int k, const double* w)
{
  double s = 0;
  for (int j = k + 1; j < f->n; j++) s += w[j] * w[j];
  return s;
}

// H_k on the rows behind it
static void turn_rows(num_null* f, int k)
{
  const span within = span_of(f, k);
  for (int j = k + 1; j < f->live; j++) {
    double* w = f->W + (size_t)j * f->n;
    // of a row that knows nothing of this one as much is left as before
    if (!turn_within(f, k, within, w) && w[k] == 0) continue;
    f->left[j] = remainder_square(f, k, w);
  }
}

int num_null_factor(num_null* f, int m, int n, const double* A, double tolerance)
{
  assert(m >= 0 && m <= f->m_max && n >= 0 && n <= f->n_max);
  if (tolerance <= 0) tolerance = 1e-11;
  f->m = m;
  f->n = n;
  f->rank = 0;
  f->margin = 1;
  load(f, A);
  if (f->broken) return 0;

  const bool many = f->live >= NUM_NULL_WIDE;
  if (many) num_null_spread(f);
  int most = f->live < n ? f->live : n;
  double largest = 0, smallest = 0;
  for (int k = 0; k < most; k++) {
    int p = longest(f, k);
    double pivot = sqrt(f->left[p]);
    if (k == 0) largest = pivot;
    if (pivot <= tolerance * largest) break;
    smallest = k == 0 || pivot < smallest ? pivot : smallest;
    if (p != k) swap_rows(f, k, p);
    if (many) num_null_take_row(f, k);
    reflect(f, k);
    f->rank = k + 1;
    if (many)
      num_null_turn_rows(f, k);
    else
      turn_rows(f, k);
  }
  for (int k = f->rank; k < f->live && many; k++) num_null_take_row(f, k);
  if (f->rank > 0) f->margin = smallest / largest;
  return f->rank;
}

int num_null_rank(const num_null* f)
{
  return f->rank;
}

const int* num_null_order(const num_null* f)
{
  return f->order;
}

double num_null_margin(const num_null* f)
{
  return f->broken ? 0 : f->margin;
}

// Z = D H_0 ... H_{r-1} (0; 1), worked on row by row
void num_null_basis(const num_null* f, double* Z)
{
  int n = f->n, r = f->rank, q = n - r;
  if (f->broken) {
    for (int i = 0; i < n * q; i++) Z[i] = NAN;
    return;
  }
  memset(Z, 0, (size_t)n * (size_t)q * sizeof *Z);
  for (int c = 0; c < q; c++) Z[(r + c) * q + c] = 1;
  for (int k = r - 1; k >= 0; k--) num_null_turn_all(f, k, q, Z);
  for (int i = 0; i < n && f->weight; i++)
    for (int c = 0; c < q; c++) Z[i * q + c] *= f->weight[i];
}

// R11^T z = b by rows of W, then x = D Q (z; 0)
void num_null_find(const num_null* f, const double* b, double* x)
{
  int n = f->n, r = f->rank;
  if (f->broken) {
    for (int j = 0; j < n; j++) x[j] = NAN;
    return;
  }
  for (int k = 0; k < r; k++) {
    const double* w = f->W + (size_t)k * n;
    int i = f->order[k];
    double s = b[i] / f->norm[i];
    for (int j = 0; j < k; j++) s -= w[j] * x[j];
    x[k] = s / f->diagonal[k];
  }
  for (int j = r; j < n; j++) x[j] = 0;
  for (int k = r - 1; k >= 0; k--) turn(f, k, x);
  weighed(f, x, x);
}

double num_null_solve(const num_null* f, const double* A, const double* b, double* x)
{
  const int m = f->m, n = f->n;
  num_null_find(f, b, x);
  if (f->broken) return NAN;
  double worst = 0;
  for (int i = 0; i < m; i++) {
    double s = -b[i];
    for (int j = 0; j < n; j++) s += A[(size_t)i * n + j] * x[j];
    if (f->norm[i] > 0) s /= f->norm[i];
    // a comparison that lets nan through
    if (!(fabs(s) <= worst)) worst = fabs(s);
  }
  return worst;
}

// u := R11^{-1} u
static void back_substitute(const num_null* f, double* u)
{
  for (int k = f->rank - 1; k >= 0; k--) {
    double s = u[k];
    for (int j = k + 1; j < f->rank; j++) s -= f->W[(size_t)j * f->n + k] * u[j];
    u[k] = s / f->diagonal[k];
  }
}

// take the components along the orthonormal rows 0..q of N out of y
static void remove_along(const num_null* f, int q, double* y)
{
  for (int c = 0; c < q; c++) {
    const double* v = f->N + (size_t)c * f->m;
    double s = 0;
    for (int i = 0; i < f->m; i++) s += v[i] * y[i];
    for (int i = 0; i < f->m; i++) y[i] -= s * v[i];
  }
}

// what y_i is measured by: where columns have units, rows have them, too
static double unit_of(const num_null* f, int i)
{
  return f->weight || f->norm[i] == 0 ? 1 : f->norm[i];
}

// orthonormal basis of the null space of A^T, one vector per row of N, in A's order and the units
// of y: for each dependent row d, R11 u + R12 e_d = 0
static void null_of_transpose(const num_null* f)
{
  int m = f->m, r = f->rank, q = f->live - r;
  for (int c = 0; c < q; c++) {
    double* v = f->N + (size_t)c * m;
    const double* w = f->W + (size_t)(r + c) * f->n;
    for (int k = 0; k < r; k++) f->u[k] = -w[k];
    back_substitute(f, f->u);
    memset(v, 0, (size_t)m * sizeof *v);
    for (int k = 0; k < r; k++) v[f->order[k]] = f->u[k] / unit_of(f, f->order[k]);
    v[f->order[r + c]] = 1 / unit_of(f, f->order[r + c]);
    // Gram-Schmidt; twice is enough
    for (int pass = 0; pass < 2; pass++) {
      double s = length(m, v);
      for (int i = 0; i < m; i++) v[i] /= s;
      remove_along(f, c, v);
    }
    double s = length(m, v);
    for (int i = 0; i < m; i++) v[i] /= s;
  }
}

// D A^T y = S^T (norm y): u on the independent rows solves R11 u = (Q^T D g)(1..r); then the part
// of y in the null space of A^T is taken away, which makes it the shortest
double num_null_solve_t(const num_null* f, const double* A, const double* g, double* y)
{
  int m = f->m, n = f->n, r = f->rank;
  if (f->broken) {
    for (int i = 0; i < m; i++) y[i] = NAN;
    return NAN;
  }
  double* c = f->scratch;
  for (int j = 0; j < n; j++) c[j] = f->weight ? g[j] * f->weight[j] : g[j];
  for (int k = 0; k < r; k++) turn(f, k, c);
  for (int k = 0; k < r; k++) f->u[k] = c[k];
  back_substitute(f, f->u);
  for (int i = 0; i < m; i++) y[i] = 0;
  for (int k = 0; k < r; k++) y[f->order[k]] = f->u[k] / unit_of(f, f->order[k]);
  if (f->live > r) {
    null_of_transpose(f);
    remove_along(f, f->live - r, y);
    remove_along(f, f->live - r, y);
  }
  for (int i = 0; i < m && f->weight; i++) y[i] /= f->norm[i] > 0 ? f->norm[i] : 1;

  double square = 0;
  for (int j = 0; j < n; j++) {
    double s = g[j];
    for (int i = 0; i < m; i++) s -= A[(size_t)i * n + j] * y[i];
    if (f->weight) s *= f->weight[j];
    square += s * s;
  }
  return sqrt(square);
}
