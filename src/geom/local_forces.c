// Forces along the positions of a system near a point, and the accelerations that follow.
#include "geom/local.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double still = 1e-13; // relative: forces that are none
static const double apart = 1e-9;  // relative: forces that have no potential
static const double curved = 1e-9; // relative: what is not linear in the velocities

// ---- forces -------------------------------------------------------------------------------------

// row vector of coordinates taken along the positions: out_j += sum_i J_ij f_i
static void pull(const geom_local_work* w, const double* f, double* out)
{
  const geom_local* x = w->x;
  const int N = x->t.count;
  for (int j = 0; j < x->n; j++)
    for (int i = 0; i < x->coords; i++)
      geom_taylor_multiply(&x->t, x->t.degree, x->J + (i * x->n + j) * N, f + i * N, out + j * N);
}

// Are the forces no more than F0 + F1 v + (what T2 adds)? Judged at the point with random
// velocities: their second differences are those of T2 alone where G has none.
bool geom_local_is_affine(const geom_local* x)
{
  const mech_system* s = x->s;
  const int C = x->coords;
  double *value = base_alloc(sizeof(double) * (size_t)(x->symbols + 4 * C + 1)),
         *G = value + x->symbols, worst = 0, size = 0;
  memcpy(value, x->value, sizeof(double) * (size_t)x->symbols);
  const double at[4] = {0, 1, -1, 2.5};
  for (int k = 0; k < 4; k++) {
    for (int j = 0; j < x->symbols; j++)
      for (int i = 0; i < C; i++)
        if (x->symbol[j] == s->v[i]) value[j] = at[k] * (0.7 + 0.31 * ((i * 7) % 5));
    expr_values(s->pool, C, s->G, x->symbols, x->symbol, value, G + k * C);
  }
  for (int i = 0; i < C; i++) {
    const double *a = G + i, slope = (a[C] - a[2 * C]) / 2;
    size = fmax(size, fabs(a[0]) + fabs(a[C]) + fabs(a[2 * C]) + fabs(a[3 * C]));
    worst = fmax(worst, fabs(a[C] + a[2 * C] - 2 * a[0]));
    worst = fmax(worst, fabs(a[3 * C] - a[0] - 2.5 * slope));
    if (!isfinite(size + worst)) worst = size = INFINITY;
  }
  free(value);
  return worst <= curved * size || (worst == 0 && size == 0);
}

double geom_local_largest(int count, const double* a)
{
  double most = 0;
  for (int i = 0; i < count; i++) most = fmax(most, fabs(a[i]));
  return most;
}

// V, R, F from F(q, v) = F0 + F1 v + ...: the forces at rest less those of the potential H(q, 0)
bool geom_local_force(geom_local_work* w, double* whole)
{
  geom_local* x = w->x;
  const mech_system* s = x->s;
  expr_pool* p = s->pool;
  const geom_taylor* t = &x->t;
  const int C = x->coords, n = x->n, N = t->count;
  expr* e = base_alloc(sizeof(expr) * (size_t)(C * C + C + 2));
  expr_substitute_all(p, C, s->F, C, s->v, s->zero, e);
  for (int i = 0; i < C; i++) expr_gradient(p, s->F[i], C, s->v, e + C + i * C);
  expr_substitute_all(p, C * C, e + C, C, s->v, s->zero, e + C);
  e[C * C + C] = expr_substitute(p, s->H, C, s->v, s->zero);
  double* f = base_alloc(sizeof(double) * (size_t)((C * C + C + 1) * N + C * n * N + 1));
  double* along = f + (C * C + C + 1) * N;
  const bool fine = geom_local_expand(w, C * C + C + 1, e, f);
  x->V = geom_local_series(w, 1);
  x->R = geom_local_series(w, n);
  x->F = geom_local_series(w, n * n);
  if (fine) {
    memcpy(x->V, f + (C * C + C) * N, sizeof(double) * (size_t)N);
    pull(w, f, whole);
    // F1 J, then along J
    for (int i = 0; i < C; i++)
      for (int k = 0; k < C; k++)
        for (int j = 0; j < n; j++)
          geom_taylor_multiply(t, t->degree, f + (C + i * C + k) * N, x->J + (k * n + j) * N,
                               along + (i * n + j) * N);
    for (int h = 0; h < n; h++)
      for (int j = 0; j < n; j++)
        for (int i = 0; i < C; i++)
          geom_taylor_multiply(t, t->degree, x->J + (i * n + h) * N, along + (i * n + j) * N,
                               x->F + (h * n + j) * N);
    double* slope = base_alloc(sizeof(double) * (size_t)N);
    for (int j = 0; j < n; j++) {
      geom_taylor_diff(t, t->degree, x->V, j, slope);
      for (int k = 0; k < N; k++) x->R[j * N + k] = whole[j * N + k] + slope[k];
    }
    free(slope);
    const int sure = t->first[t->degree]; // differentiated once
    double rest = 0, all = geom_local_largest(n * N, whole);
    for (int j = 0; j < n; j++) rest = fmax(rest, geom_local_largest(sure, x->R + j * N));
    x->kept = rest <= apart * all;
    if (x->kept) memset(x->R, 0, sizeof(double) * (size_t)(n * N));
    x->speedy = geom_local_largest(n * n * N, x->F) > still * (1 + all);
    if (!x->speedy) memset(x->F, 0, sizeof(double) * (size_t)(n * n * N));
  }
  free(e);
  free(f);
  return fine;
}

// ---- accelerations ------------------------------------------------------------------------------

// first kind: Gamma_i,jk = (d_j g_ik + d_k g_ij - d_i g_jk)/2
static double* christoffel(const geom_local* x)
{
  const geom_taylor* t = &x->t;
  const int n = x->n, N = t->count;
  double *out = base_alloc(sizeof(double) * (size_t)(n * n * n * N + 1)),
         *d = base_alloc(sizeof(double) * (size_t)(N + 1));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) {
        geom_taylor_diff(t, t->degree, x->g + (i * n + j) * N, k, d);
        for (int m = 0; m < N; m++) {
          out[((i * n + j) * n + k) * N + m] += d[m] / 2;
          out[((i * n + k) * n + j) * N + m] += d[m] / 2;
          out[((k * n + i) * n + j) * N + m] -= d[m] / 2;
        }
      }
  free(d);
  return out;
}

// y_i = sum_j T_ij Z_ja + g_ij D_j for b and a, where T_ij = sum_k Gamma_i,jk Z_kb is known and
// D_j = sum_k d_k Z_ja Z_kb. Of products the first factor is the one with few terms: Z is one and
// zero where no velocities are constrained.
static void derive_along(const geom_local* x, int a, int b, const double* T, double* D, double* y)
{
  const geom_taylor* t = &x->t;
  const int n = x->n, l = x->l, N = t->count;
  double* slope = D + N;
  memset(y, 0, sizeof(double) * (size_t)(n * N));
  for (int j = 0; j < n; j++) {
    const double* Z = x->Z + (j * l + a) * N;
    memset(D, 0, sizeof(double) * (size_t)N);
    for (int k = 0; k < n; k++) {
      geom_taylor_diff(t, t->degree, Z, k, slope);
      geom_taylor_multiply(t, t->degree, slope, x->Z + (k * l + b) * N, D);
    }
    for (int i = 0; i < n; i++) {
      geom_taylor_multiply(t, t->degree, Z, T + (i * n + j) * N, y + i * N);
      geom_taylor_multiply(t, t->degree, D, x->g + (i * n + j) * N, y + i * N);
    }
  }
}

// <Z_d, nabla_{Z_b} Z_a>, with [d][a][b]: one factor summed over after the other
static void connect(const geom_local_work* w, double* out)
{
  const geom_local* x = w->x;
  const geom_taylor* t = &x->t;
  const int n = x->n, l = x->l, N = t->count;
  double *Gamma = christoffel(x), *T = base_alloc(sizeof(double) * (size_t)(n * n * N + 1)),
         *y = base_alloc(sizeof(double) * (size_t)(n * N + 1)),
         *D = base_alloc(sizeof(double) * (size_t)(2 * N + 1));
  for (int b = 0; b < l; b++) {
    memset(T, 0, sizeof(double) * (size_t)(n * n * N));
    for (int i = 0; i < n * n; i++)
      for (int k = 0; k < n; k++)
        geom_taylor_multiply(t, t->degree, x->Z + (k * l + b) * N, Gamma + (i * n + k) * N,
                             T + i * N);
    for (int a = 0; a < l; a++) {
      derive_along(x, a, b, T, D, y);
      for (int c = 0; c < l; c++)
        for (int i = 0; i < n; i++)
          geom_taylor_multiply(t, t->degree, x->Z + (i * l + c) * N, y + i * N,
                               out + ((c * l + a) * l + b) * N);
    }
  }
  free(Gamma);
  free(T);
  free(y);
  free(D);
}

bool geom_local_accelerate(geom_local_work* w, const double* whole)
{
  geom_local* x = w->x;
  const geom_taylor* t = &x->t;
  const int n = x->n, l = x->l, N = t->count, wide = l * l + l + 1;
  double *S = base_alloc(sizeof(double) * (size_t)(l * l * N + 1)),
         *gZ = base_alloc(sizeof(double) * (size_t)(2 * n * l * N + 1)), *FZ = gZ + n * l * N,
         *right = base_alloc(sizeof(double) * (size_t)(l * wide * N + 1)),
         *answer = base_alloc(sizeof(double) * (size_t)(l * wide * N + 1)),
         *c3 = base_alloc(sizeof(double) * (size_t)(l * l * l * N + 1));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int a = 0; a < l; a++) {
        const double* z = x->Z + (j * l + a) * N;
        geom_taylor_multiply(t, t->degree, z, x->g + (i * n + j) * N, gZ + (i * l + a) * N);
        geom_taylor_multiply(t, t->degree, z, x->F + (i * n + j) * N, FZ + (i * l + a) * N);
      }
  connect(w, c3);
  for (int c = 0; c < l; c++) {
    for (int i = 0; i < n; i++) {
      const double* z = x->Z + (i * l + c) * N;
      for (int a = 0; a < l; a++) {
        geom_taylor_multiply(t, t->degree, z, gZ + (i * l + a) * N, S + (c * l + a) * N);
        geom_taylor_multiply(t, t->degree, z, FZ + (i * l + a) * N,
                             right + (c * wide + l * l + a) * N);
      }
      geom_taylor_multiply(t, t->degree, z, whole + i * N, right + (c * wide + l * l + l) * N);
    }
    memcpy(right + c * wide * N, c3 + c * l * l * N, sizeof(double) * (size_t)(l * l * N));
  }
  const bool fine = geom_local_divide(w, l, wide, S, right, answer);
  x->Gamma = geom_local_series(w, l * l * l);
  x->B = geom_local_series(w, l * l);
  x->G = geom_local_series(w, l);
  for (int c = 0; c < l && fine; c++) {
    memcpy(x->Gamma + c * l * l * N, answer + c * wide * N, sizeof(double) * (size_t)(l * l * N));
    memcpy(x->B + c * l * N, answer + (c * wide + l * l) * N, sizeof(double) * (size_t)(l * N));
    memcpy(x->G + c * N, answer + (c * wide + l * l + l) * N, sizeof(double) * (size_t)N);
  }
  free(S);
  free(gZ);
  free(right);
  free(answer);
  free(c3);
  return fine;
}
