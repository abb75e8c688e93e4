// Constraints as homogeneous forms in the unknowns of the paths, written out once for a problem so
// that a step along a path costs few operations.
//
// With x_0 the constraint of degree d is a form in X = (x_0, x_1 .. x_n): sum c_g X^g over the
// exponents g with |g| = d. Its second derivatives are forms of degree d - 2, and by Euler
//   grad = hess X / (d - 1),   value = grad X / d.
#include "least/stationary_paths.h"

#include <stdlib.h>
#include <string.h>

static int last_variable(const path_monomials* k, int degree, int i)
{
  const unsigned char* power = k->power[degree] + i * k->M;
  int last = k->M - 1;
  while (last > 0 && power[last] == 0) last--;
  return last;
}

// monomials of the next degree: each is one of this degree times a variable not before its last
static void make_degree(path_monomials* k, int degree)
{
  const int M = k->M, count = k->count[degree];
  k->times[degree] = base_realloc(k->times[degree], sizeof(int) * (size_t)(count * M));
  int made = 0;
  for (int i = 0; i < count; i++)
    for (int v = degree ? last_variable(k, degree, i) : 0; v < M; v++)
      k->times[degree][i * M + v] = made++;
  k->count[degree + 1] = made;
  k->power[degree + 1] = base_realloc(k->power[degree + 1], (size_t)(made * M));
  for (int i = 0; i < count; i++)
    for (int v = degree ? last_variable(k, degree, i) : 0; v < M; v++) {
      unsigned char* power = k->power[degree + 1] + k->times[degree][i * M + v] * M;
      memcpy(power, k->power[degree] + i * M, (size_t)M);
      power[v]++;
    }
}

// the other products: with i = j X_last it is i X_v = (j X_v) X_last
static void complete_degree(path_monomials* k, int degree)
{
  const int M = k->M;
  for (int j = 0; j < k->count[degree - 1]; j++)
    for (int last = degree > 1 ? last_variable(k, degree - 1, j) : 0; last < M; last++) {
      const int i = k->times[degree - 1][j * M + last];
      for (int v = 0; v < last; v++)
        k->times[degree][i * M + v] = k->times[degree][k->times[degree - 1][j * M + v] * M + last];
    }
}

void least_stationary_monomials_make(path_monomials* k, int M, int degree)
{
  if (k->M == M && k->degree >= degree) return;
  k->M = M;
  k->degree = degree;
  k->count[0] = 1;
  k->power[0] = base_realloc(k->power[0], (size_t)M);
  memset(k->power[0], 0, (size_t)M);
  int all = 1;
  for (int d = 0; d < degree; d++) {
    make_degree(k, d);
    if (d > 0) complete_degree(k, d);
    all += k->count[d + 1];
  }
  const size_t most = (size_t)k->count[degree];
  k->product = base_realloc(k->product, sizeof(double) * most);
  k->next = base_realloc(k->next, sizeof(double) * most);
  k->value = base_realloc(k->value, sizeof(cx) * (size_t)all);
}

void least_stationary_monomials_free(path_monomials* k)
{
  for (int d = 0; d <= PATHS_DEGREE; d++) {
    free(k->times[d]);
    free(k->power[d]);
  }
  free(k->product);
  free(k->next);
  free(k->value);
}

const cx* least_stationary_monomials_at(const path_monomials* k, int degree, const cx* X)
{
  cx* value = k->value;
  value[0] = 1;
  for (int d = 0; d < degree; d++) {
    cx* next = value + k->count[d];
    for (int i = 0; i < k->count[d]; i++)
      for (int v = d ? last_variable(k, d, i) : 0; v < k->M; v++)
        next[k->times[d][i * k->M + v]] = cx_times(value[i], X[v]);
    value = next;
  }
  return value;
}

// product of degree d times a linear form, into the other buffer; the buffers change places
static void times_linear(const path_monomials* k, int d, double** product, double** next,
                         const double* linear)
{
  const int M = k->M;
  memset(*next, 0, sizeof(double) * (size_t)k->count[d + 1]);
  for (int i = 0; i < k->count[d]; i++) {
    if ((*product)[i] == 0) continue;
    for (int v = 0; v < M; v++)
      if (linear[v] != 0) (*next)[k->times[d][i * M + v]] += (*product)[i] * linear[v];
  }
  double* kept = *product;
  *product = *next;
  *next = kept;
}

// one monomial in w with w_i = origin_i x_0 + sum_a T_ia x_a and x_0 filling up the degree
static const double* write_out(const path_monomials* k, const path_place* at,
                               const least_monomial* y, int degree, double c)
{
  const int n = k->M - 1, l = at->p->l;
  double *product = k->product, *next = k->next, linear[PATHS_FORM] = {1};
  int d = 0, total = 0;
  product[0] = c;
  for (int i = 0; i < l; i++) total += y->power[i];
  for (; d < degree - total; d++) times_linear(k, d, &product, &next, linear);
  for (int i = 0; i < l; i++) {
    if (!y->power[i]) continue;
    linear[0] = at->origin[i];
    for (int a = 0; a < n; a++) linear[a + 1] = at->T[i * n + a];
    for (int p = 0; p < y->power[i]; p++) times_linear(k, d++, &product, &next, linear);
  }
  return product;
}

// of a product c X^g, seen from each monomial X^g / (X_a X_b): c g_a g_b, or c g_a (g_a - 1)
static void add_seconds(const path_monomials* k, int degree, const double* product, double* second)
{
  const int M = k->M;
  for (int i = 0; i < k->count[degree - 2]; i++)
    for (int a = 0; a < M; a++) {
      const int once = k->times[degree - 2][i * M + a];
      for (int b = a; b < M; b++, second++) {
        const int twice = k->times[degree - 1][once * M + b];
        const unsigned char* g = k->power[degree] + twice * M;
        *second += product[twice] * (a == b ? g[a] * (g[a] - 1) : g[a] * g[b]);
      }
    }
}

void least_stationary_form_make(const path_monomials* k, const path_place* at,
                                const least_polynomial* y, int degree, double scale, double* second)
{
  const int pairs = k->M * (k->M + 1) / 2;
  memset(second, 0, sizeof(double) * (size_t)(k->count[degree - 2] * pairs));
  for (int t = 0; t < y->terms; t++)
    if (y->term[t].c != 0)
      add_seconds(k, degree, write_out(k, at, y->term + t, degree, y->term[t].c * scale), second);
}
