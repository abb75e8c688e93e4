// Truncated polynomials in several variables: monomials, products, functions of them.
#include "geom/taylor.h"
#include "num/num.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MONOMIALS = 60000 };

static int* integers(base_arena* a, int count)
{
  return base_arena_take(a, sizeof(int) * (size_t)(count + 1));
}

static int monomials(int m, int degree)
{
  double count = 1;
  for (int k = 1; k <= degree; k++) count = count * (m + k) / k;
  return count > MOST_MONOMIALS ? -1 : (int)(count + 0.5);
}

// the product of a monomial with a variable, among those of the next degree
static int find_up(const geom_taylor* t, int a, int i, int d)
{
  for (int b = t->first[d + 1]; b < t->first[d + 2]; b++) {
    bool same = true;
    for (int j = 0; j < t->m && same; j++)
      same = t->power[b * t->m + j] == t->power[a * t->m + j] + (j == i);
    if (same) return b;
  }
  return -1;
}

// up[a][i] for i below the last variable of a by way of its parent
static void fill_up(geom_taylor* t, int d)
{
  for (int a = t->first[d]; a < t->first[d + 1]; a++)
    for (int i = 0; i < t->m; i++) {
      int* to = &t->up[a * t->m + i];
      if (*to >= 0) continue;
      // a = p x_l: a x_i = (p x_i) x_l, and p x_i is known
      const int p = t->parent[a], l = t->last[a];
      const int side = p >= 0 ? t->up[p * t->m + i] : -1;
      *to = side >= 0 && t->up[side * t->m + l] >= 0 ? t->up[side * t->m + l] : find_up(t, a, i, d);
    }
}

bool geom_taylor_make(int m, int degree, base_arena* arena, geom_taylor* t)
{
  *t = (geom_taylor){.arena = arena, .m = m, .degree = degree, .count = monomials(m, degree)};
  if (t->count < 0) return false;
  t->first = integers(arena, degree + 2);
  t->parent = integers(arena, t->count);
  t->last = integers(arena, t->count);
  t->product = integers(arena, t->count);
  t->up = integers(arena, t->count * m);
  t->power = integers(arena, t->count * m);
  memset(t->up, -1, sizeof(int) * (size_t)(t->count * m));
  t->parent[0] = t->last[0] = -1;
  int at = 1;
  t->first[1] = 1;
  for (int d = 0; d < degree; d++) {
    // each monomial of the next degree once: its variables in ascending order
    for (int a = t->first[d]; a < t->first[d + 1]; a++)
      for (int i = a ? t->last[a] : 0; i < m; i++) {
        t->parent[at] = a;
        t->last[at] = i;
        memcpy(t->power + at * m, t->power + a * m, sizeof(int) * (size_t)m);
        t->power[at * m + i]++;
        t->up[a * m + i] = at++;
      }
    t->first[d + 2] = at;
    fill_up(t, d);
  }
  return true;
}

void geom_taylor_multiply(const geom_taylor* t, int d, const double* a, const double* b,
                          double* out)
{
  int* to = t->product;
  for (int da = 0; da <= d; da++)
    for (int i = t->first[da]; i < t->first[da + 1]; i++) {
      if (a[i] == 0) continue;
      to[0] = i;
      out[i] += a[i] * b[0];
      const int end = t->first[d - da + 1];
      for (int j = 1; j < end; j++) {
        to[j] = t->up[to[t->parent[j]] * t->m + t->last[j]];
        out[to[j]] += a[i] * b[j];
      }
    }
}

void geom_taylor_diff(const geom_taylor* t, int d, const double* a, int i, double* out)
{
  for (int k = 0; k < t->first[d + 1]; k++) {
    const int from = t->up[k * t->m + i];
    out[k] = from >= 0 ? a[from] * t->power[from * t->m + i] : 0;
  }
}

void geom_taylor_compose(const geom_taylor* t, const double* a, const double* f, double* out)
{
  double *h = base_alloc(sizeof(double) * (size_t)(2 * t->count)), *next = h + t->count;
  memcpy(h, a, sizeof(double) * (size_t)t->count);
  h[0] = 0;
  memset(out, 0, sizeof(double) * (size_t)t->count);
  out[0] = f[t->degree];
  for (int k = t->degree - 1; k >= 0; k--) {
    memset(next, 0, sizeof(double) * (size_t)t->count);
    geom_taylor_multiply(t, t->degree, h, out, next);
    memcpy(out, next, sizeof(double) * (size_t)t->count);
    out[0] += f[k];
  }
  free(h);
}

bool geom_taylor_power(const geom_taylor* t, const double* a, double p, double* out)
{
  double* f = base_alloc(sizeof(double) * (size_t)(t->degree + 1));
  const bool whole = p == floor(p) && p >= 0;
  double factor = 1;
  bool fine = true;
  for (int k = 0; k <= t->degree; k++) {
    // (a0 + h)^p = sum binomial(p, k) a0^(p - k) h^k
    f[k] = factor == 0 ? 0 : factor * pow(a[0], p - k);
    fine = fine && isfinite(f[k]);
    factor *= (p - k) / (k + 1);
    if (whole && k >= p) factor = 0;
  }
  if (fine) geom_taylor_compose(t, a, f, out);
  free(f);
  return fine;
}

// A(xi) Y = R with A (m by m) regular at the point, R m by k: Y = A0^-1 (R - (A - A0) Y), one
// degree more each time
bool geom_taylor_divide(const geom_taylor* t, int m, int k, const double* A, const double* R,
                        double* Y)
{
  const int N = t->count;
  if (m == 0) return true;
  double *LU = base_alloc(sizeof(double) * (size_t)(m * m + m + 1)), *column = LU + m * m;
  int* pivot = base_alloc(sizeof(int) * (size_t)(m + 1));
  for (int i = 0; i < m * m; i++) LU[i] = A[i * N];
  const bool fine = num_lu(m, LU, pivot);
  double *B = base_alloc(sizeof(double) * (size_t)(m * m * N + 1)),
         *left = base_alloc(sizeof(double) * (size_t)(m * k * N + 1));
  for (int i = 0; i < m * m * N; i++) B[i] = i % N ? -A[i] : 0;
  for (int round = 0; round <= t->degree && fine; round++) {
    memcpy(left, R, sizeof(double) * (size_t)(m * k * N));
    for (int i = 0; i < m && round; i++)
      for (int h = 0; h < m; h++)
        for (int j = 0; j < k; j++)
          geom_taylor_multiply(t, round, B + (i * m + h) * N, Y + (h * k + j) * N,
                               left + (i * k + j) * N);
    for (int j = 0; j < k; j++)
      for (int a = t->first[round]; a < t->first[round + 1]; a++) {
        for (int i = 0; i < m; i++) column[i] = left[(i * k + j) * N + a];
        num_lu_solve(m, LU, pivot, column);
        for (int i = 0; i < m; i++) Y[(i * k + j) * N + a] = column[i];
      }
  }
  free(LU);
  free(pivot);
  free(B);
  free(left);
  return fine;
}
