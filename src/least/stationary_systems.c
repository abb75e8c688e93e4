// Start and target systems of the homotopy, with their Jacobians.
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
  return cos(angle) + I * sin(angle);
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
  if (!least_stationary_complex_lu(n, A, pivot)) return false;
  least_stationary_complex_solve(n, A, pivot, x);
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

static cx apply(int n, const cx* form, const cx* x)
{
  cx s = 0;
  for (int i = 0; i < n; i++) s += form[i] * x[i];
  return s;
}

// value of a product of linear forms in the first n unknowns; its gradient times `factor` to J
static cx product(int count, const cx (*form)[PATHS_FORM], int n, const cx* x, cx factor, cx* J)
{
  cx v[PATHS_DEGREE], before = 1, after[PATHS_DEGREE + 1];
  after[count] = 1;
  for (int k = count - 1; k >= 0; k--) after[k] = after[k + 1] * (v[k] = apply(n, form[k], x));
  for (int k = 0; k < count; k++) {
    cx rest = factor * before * after[k + 1];
    for (int i = 0; i < n; i++) J[i] += rest * form[k][i];
    before *= v[k];
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
    for (int j = 0; j <= m; j++) J[a * N + n + 1 + j] = in_x * h->in_mu[a][j];
    G[a] = in_x * in_mu;
  }
  for (int j = 0; j < m; j++)
    G[n + j] = product(h->degree[j], h->in_phi[j], n + 1, X, 1, J + (n + j) * N);
}

// ---- target -------------------------------------------------------------------------------------

static cx power(cx x, int k)
{
  cx y = 1;
  for (; k > 0; k--) y *= x;
  return y;
}

// one homogenised monomial by its factors, as in stationary_polynomial.c
typedef struct factors
{
  int n;
  int variable[PATHS_FORM];
  cx a[PATHS_FORM], b[PATHS_FORM], e[PATHS_FORM];
} factors;

static void add_factor(factors* k, int variable, cx x, int p)
{
  if (p == 0) return;
  cx two = p > 1 ? power(x, p - 2) : 0, one = p > 1 ? two * x : 1;
  k->variable[k->n] = variable;
  k->a[k->n] = one * x;
  k->b[k->n] = p * one;
  k->e[k->n++] = p * (p - 1) * two;
}

static cx others(const factors* k, double c, int x, int y)
{
  cx v = c;
  for (int i = 0; i < k->n; i++)
    if (i != x && i != y) v *= k->a[i];
  return v;
}

// value, gradient, lower Hessian in W = (x_0, w), of side l + 1
static void homogeneous(const least_polynomial* f, int l, int degree, const cx* W, cx* v, cx* g,
                        cx* H)
{
  int L = l + 1;
  *v = 0;
  memset(g, 0, (size_t)L * sizeof *g);
  memset(H, 0, (size_t)(L * L) * sizeof *H);
  for (int t = 0; t < f->terms; t++) {
    double c = f->term[t].c;
    if (c == 0) continue;
    factors k = {0};
    int left = degree;
    for (int i = 0; i < l; i++) {
      add_factor(&k, i + 1, W[i + 1], f->term[t].power[i]);
      left -= f->term[t].power[i];
    }
    add_factor(&k, 0, W[0], left);
    *v += others(&k, c, -1, -1);
    for (int i = 0; i < k.n; i++) {
      g[k.variable[i]] += k.b[i] * others(&k, c, i, -1);
      for (int j = 0; j <= i; j++) {
        cx s = i == j ? k.e[i] * others(&k, c, i, -1) : k.b[i] * k.b[j] * others(&k, c, i, j);
        H[k.variable[i] * L + k.variable[j]] += s;
        if (i != j) H[k.variable[j] * L + k.variable[i]] += s;
      }
    }
  }
}

// the same in x_0, x: B = [1 0; origin T]
static void in_frame(const least_stationary_frame* q, const cx* g, const cx* H, double scale,
                     cx* gx, cx* Hx)
{
  int l = q->l, n = q->n, L = l + 1, M = n + 1;
  cx HB[PATHS_FORM * PATHS_FORM];
  for (int a = 0; a < M; a++) {
    gx[a] = a == 0 ? g[0] : 0;
    for (int i = 0; i < l; i++) gx[a] += (a ? q->T[i * n + a - 1] : q->origin[i]) * g[i + 1];
    gx[a] *= scale;
    for (int c = 0; c < L; c++) {
      cx s = a == 0 ? H[c * L] : 0;
      for (int i = 0; i < l; i++) s += (a ? q->T[i * n + a - 1] : q->origin[i]) * H[c * L + i + 1];
      HB[c * M + a] = s * scale;
    }
  }
  for (int a = 0; a < M; a++)
    for (int b = 0; b < M; b++) {
      cx s = a == 0 ? HB[b] : 0;
      for (int i = 0; i < l; i++)
        s += (a ? q->T[i * n + a - 1] : q->origin[i]) * HB[(i + 1) * M + b];
      Hx[a * M + b] = s;
    }
}

void least_stationary_paths_target(const least_stationary_paths* h, const cx* X, cx* F, cx* J)
{
  const least_stationary_frame* q = &h->q;
  int n = h->n, m = h->m, N = h->N, l = q->l, M = n + 1;
  const cx* mu = X + M;
  cx W[PATHS_FORM], g[PATHS_FORM], H[PATHS_FORM * PATHS_FORM], v;
  cx gx[PATHS_FORM], Hx[PATHS_FORM * PATHS_FORM];
  memset(J, 0, (size_t)(N * N) * sizeof *J);
  W[0] = X[0];
  for (int i = 0; i < l; i++) {
    W[i + 1] = q->origin[i] * X[0];
    for (int a = 0; a < n; a++) W[i + 1] += q->T[i * n + a] * X[a + 1];
  }
  cx flat = power(X[0], h->D - 1), slope = h->D > 1 ? (h->D - 1) * power(X[0], h->D - 2) : 0;
  for (int a = 0; a < n; a++) {
    cx seen = X[a + 1] / h->pull_unit + h->pull[a] * X[0];
    F[a] = mu[0] * seen * flat;
    J[a * N] = mu[0] * (seen * slope + h->pull[a] * flat);
    J[a * N + a + 1] = mu[0] * flat / h->pull_unit;
    J[a * N + M] = seen * flat;
  }
  for (int j = 0; j < m; j++) {
    int row = q->index[j], e = h->D - h->degree[j] + 1;
    double scale = 1 / q->size[row];
    homogeneous(q->p->polynomial + row, l, h->degree[j], W, &v, g, H);
    in_frame(q, g, H, scale, gx, Hx);
    F[n + j] = v * scale;
    for (int a = 0; a < M; a++) J[(n + j) * N + a] = gx[a];
    cx pe = power(X[0], e), de = e > 0 ? e * power(X[0], e - 1) : 0;
    for (int a = 0; a < n; a++) {
      F[a] -= mu[j + 1] * pe * gx[a + 1];
      J[a * N] -= mu[j + 1] * (de * gx[a + 1]);
      for (int b = 0; b < M; b++) J[a * N + b] -= mu[j + 1] * pe * Hx[(a + 1) * M + b];
      J[a * N + M + j + 1] = -pe * gx[a + 1];
    }
  }
}
