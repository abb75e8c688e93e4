// The systems at both ends of a homotopy, with their Jacobians.
#include "least/stationary_paths.h"

#include <math.h>
#include <string.h>

// ---- random numbers, the same on every machine --------------------------------------------------

static double uniform(uint64_t* state)
{
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static cx on_circle(uint64_t* state)
{
  double angle = 6.283185307179586 * uniform(state);
  return cos(angle) + _Complex_I * sin(angle);
}

static void choose_form(uint64_t* state, int n, cx* form)
{
  for (int i = 0; i < n; i++) form[i] = (0.5 + uniform(state)) * on_circle(state) / sqrt(n);
}

void least_stationary_paths_choose(least_stationary_paths* h, unsigned seed)
{
  uint64_t state = 0x5a77616e67u + 7919u * (uint64_t)seed;
  h->gamma = on_circle(&state);
  for (int a = 0; a < h->n; a++) {
    for (int k = 0; k < h->D; k++) choose_form(&state, h->n + 1, h->in_x[a][k]);
    choose_form(&state, h->m + 1, h->in_mu[a]);
  }
  for (int j = 0; j < h->m; j++)
    for (int k = 0; k < h->degree[j]; k++) choose_form(&state, h->n + 1, h->in_phi[j][k]);
  choose_form(&state, h->n + 1, h->patch_x);
  choose_form(&state, h->m + 1, h->patch_mu);
}

// ---- start --------------------------------------------------------------------------------------

static bool meet(int n, cx* A, cx* x)
{
  int pivot[PATHS_SIDE];
  for (int i = 0; i < n; i++) x[i] = i == n - 1;
  if (!num_complex_lu(n, A, pivot)) return false;
  num_complex_solve(n, A, pivot, x);
  return true;
}

// subset number k of m rows out of n, as flags
static void subset(int n, int m, int k, bool* in)
{
  for (int i = 0; i < n; i++) {
    // how many subsets take row i: C(n - i - 1, m - 1)
    double ways = m > 0 ? 1 : 0;
    for (int c = 1; c < m; c++) ways = ways * (n - i - 1 - (c - 1)) / c;
    in[i] = m > 0 && k < (int)lround(ways);
    if (in[i])
      m--;
    else
      k -= (int)lround(ways);
  }
}

bool least_stationary_paths_start(const least_stationary_paths* h, int k, cx* X)
{
  int n = h->n, m = h->m, row = 0, row_mu = 0;
  bool in[STATIONARY_L];
  int each = 1;
  for (int i = 0; i < n - m; i++) each *= h->D;
  for (int j = 0; j < m; j++) each *= h->degree[j];
  subset(n, m, k / each, in);
  k %= each;
  cx A[PATHS_FORM * PATHS_FORM], B[PATHS_FORM * PATHS_FORM];
  for (int a = 0; a < n; a++) {
    if (in[a])
      memcpy(B + row_mu++ * (m + 1), h->in_mu[a], (size_t)(m + 1) * sizeof *B);
    else {
      memcpy(A + row++ * (n + 1), h->in_x[a][k % h->D], (size_t)(n + 1) * sizeof *A);
      k /= h->D;
    }
  }
  for (int j = 0; j < m; j++) {
    memcpy(A + row++ * (n + 1), h->in_phi[j][k % h->degree[j]], (size_t)(n + 1) * sizeof *A);
    k /= h->degree[j];
  }
  memcpy(A + n * (n + 1), h->patch_x, (size_t)(n + 1) * sizeof *A);
  memcpy(B + m * (m + 1), h->patch_mu, (size_t)(m + 1) * sizeof *B);
  return meet(n + 1, A, X) && meet(m + 1, B, X + n + 1);
}

bool least_stationary_paths_patch(const least_stationary_paths* h, cx* X)
{
  const int M = h->n + 1;
  cx in_x = 0, in_mu = 0;
  for (int i = 0; i < M; i++) in_x += h->patch_x[i] * X[i];
  for (int j = 0; j <= h->m; j++) in_mu += h->patch_mu[j] * X[M + j];
  if (in_x == 0 || in_mu == 0) return false;
  for (int i = 0; i < M; i++) X[i] /= in_x;
  for (int j = 0; j <= h->m; j++) X[M + j] /= in_mu;
  return true;
}

static cx apply(int n, const cx* form, const cx* x)
{
  cx s = 0;
  for (int i = 0; i < n; i++) s += cx_times(form[i], x[i]);
  return s;
}

// value of a product of linear forms in the first n unknowns; its gradient times `factor` to J
static cx product(int count, const cx (*form)[PATHS_FORM], int n, const cx* x, cx factor, cx* J)
{
  cx v[PATHS_DEGREE], before = 1, after[PATHS_DEGREE + 1];
  after[count] = 1;
  for (int k = count - 1; k >= 0; k--)
    after[k] = cx_times(after[k + 1], v[k] = apply(n, form[k], x));
  for (int k = 0; k < count; k++) {
    cx rest = cx_times(factor, cx_times(before, after[k + 1]));
    for (int i = 0; i < n; i++) J[i] += cx_times(rest, form[k][i]);
    before = cx_times(before, v[k]);
  }
  return before;
}

void least_stationary_paths_origin(const least_stationary_paths* h, const cx* X, cx* G, cx* J)
{
  int n = h->n, m = h->m, N = h->N;
  const cx* mu = X + n + 1;
  memset(J, 0, (size_t)(N * N) * sizeof *J);
  for (int a = 0; a < n; a++) {
    cx in_mu = apply(m + 1, h->in_mu[a], mu);
    cx in_x = product(h->D, h->in_x[a], n + 1, X, in_mu, J + a * N);
    for (int j = 0; j <= m; j++) J[a * N + n + 1 + j] = cx_times(in_x, h->in_mu[a][j]);
    G[a] = cx_times(in_x, in_mu);
  }
  for (int j = 0; j < m; j++)
    G[n + j] = product(h->degree[j], h->in_phi[j], n + 1, X, 1, J + (n + j) * N);
}

// ---- systems written out -----------------------------------------------------------------------

static cx power(cx x, int k)
{
  cx y = 1;
  for (; k > 0; k--) y = cx_times(y, x);
  return y;
}

// value, gradient and Hessian of form j, M = n + 1 variables
static cx form_at(const least_stationary_paths* h, const path_system* s, int j, const cx* X, cx* g,
                  cx* H)
{
  const int d = h->degree[j], M = h->n + 1, pairs = M * (M + 1) / 2;
  const cx* monomial = least_stationary_monomials_at(&h->monomials, d - 2, X);
  cx sum[PATHS_FORM * (PATHS_FORM + 1) / 2] = {0}, value = 0;
  for (int part = 0; part < s->parts; part++)
    for (int i = 0; i < h->monomials.count[d - 2]; i++) {
      const double* second = s->second[part][j] + i * pairs;
      const cx weight = part ? CMPLX(-cimag(monomial[i]), creal(monomial[i])) : monomial[i];
      for (int k = 0; k < pairs; k++) sum[k] += second[k] * weight;
    }
  for (int a = 0, k = 0; a < M; a++)
    for (int b = a; b < M; b++) H[a * M + b] = H[b * M + a] = sum[k++];
  for (int a = 0; a < M; a++) {
    g[a] = 0;
    for (int b = 0; b < M; b++) g[a] += cx_times(H[a * M + b], X[b]);
    g[a] /= d - 1;
    value += cx_times(g[a], X[a]);
  }
  return value / d;
}

// mu_0 (S x + o x_0) x_0^(D-1) and its derivatives
static void quadratic_at(const least_stationary_paths* h, const path_system* s, const cx* X, cx* F,
                         cx* J)
{
  const int n = h->n, N = h->N, M = n + 1;
  const cx mu = X[M];
  const cx flat = power(X[0], h->D - 1);
  const cx slope = h->D > 1 ? (h->D - 1) * power(X[0], h->D - 2) : 0;
  const cx weight = cx_times(mu, flat);
  for (int a = 0; a < n; a++) {
    cx seen = cx_times(s->o[a], X[0]);
    for (int b = 0; b < n; b++) seen += cx_times(s->S[a * n + b], X[b + 1]);
    F[a] = cx_times(weight, seen);
    J[a * N] = cx_times(mu, cx_times(seen, slope)) + cx_times(s->o[a], weight);
    for (int b = 0; b < n; b++) J[a * N + b + 1] = cx_times(s->S[a * n + b], weight);
    J[a * N + M] = cx_times(seen, flat);
  }
}

void least_stationary_paths_system(const least_stationary_paths* h, const path_system* s,
                                   const cx* X, cx* F, cx* J)
{
  const int n = h->n, m = h->m, N = h->N, M = n + 1;
  const cx* mu = X + M;
  cx g[PATHS_FORM], H[PATHS_FORM * PATHS_FORM];
  memset(J, 0, (size_t)(N * N) * sizeof *J);
  quadratic_at(h, s, X, F, J);
  for (int j = 0; j < m; j++) {
    F[n + j] = form_at(h, s, j, X, g, H);
    for (int a = 0; a < M; a++) J[(n + j) * N + a] = g[a];
    const int e = h->D - h->degree[j] + 1;
    const cx pe = power(X[0], e), de = e > 0 ? e * power(X[0], e - 1) : 0;
    const cx weight = cx_times(mu[j + 1], pe), slope = cx_times(mu[j + 1], de);
    for (int a = 0; a < n; a++) {
      F[a] -= cx_times(weight, g[a + 1]);
      J[a * N] -= cx_times(slope, g[a + 1]);
      for (int b = 0; b < M; b++) J[a * N + b] -= cx_times(weight, H[(a + 1) * M + b]);
      J[a * N + M + j + 1] = -cx_times(pe, g[a + 1]);
    }
  }
}
