// A system near a point as power series: positions on the constraints, admissible velocities, and
// the accelerations that follow.
#include "geom/local.h"
#include "num/num.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PROBE = 4 };              // degree at which the radius is judged
static const double share = 0.6; // of the radius of convergence
static const double still = 1e-13; // relative: forces that are none
static const double curved = 1e-9; // relative: what forces of second degree do not explain

typedef struct work
{
  geom_local* x;
  const geom_anchor* a;
  const double** series; // of each symbol
} work;

static double* series(const work* w, int count)
{
  return base_arena_take(w->x->arena, sizeof(double) * (size_t)(count * w->x->t.count + 1));
}

// out += factor a b
static void add_product(const geom_taylor* t, double factor, const double* a, const double* b,
                        double* out)
{
  double* c = base_alloc(sizeof(double) * (size_t)t->count);
  geom_taylor_multiply(t, t->degree, a, b, c);
  for (int k = 0; k < t->count; k++) out[k] += factor * c[k];
  free(c);
}

static bool expand(const work* w, int count, const expr* e, double* out)
{
  const geom_local* x = w->x;
  return geom_taylor_expand_along(&x->t, x->s->pool, x->symbols, x->symbol, x->value, w->series,
                                  count, e, out);
}

// A(xi) Y = R with A (m by m) regular at the point, R m by k: Y = A0^-1 (R - (A - A0) Y), one degree
// more each time
static bool divide(const work* w, int m, int k, const double* A, const double* R, double* Y)
{
  const geom_taylor* t = &w->x->t;
  const int N = t->count;
  if (m == 0) return true;
  double *LU = base_alloc(sizeof(double) * (size_t)(m * m + m + 1)), *column = LU + m * m;
  int* pivot = base_alloc(sizeof(int) * (size_t)(m + 1));
  for (int i = 0; i < m * m; i++) LU[i] = A[i * N];
  const bool fine = num_lu(m, LU, pivot);
  double *B = base_alloc(sizeof(double) * (size_t)(m * m * N + 1)),
         *left = base_alloc(sizeof(double) * (size_t)(m * k * N + 1));
  memcpy(B, A, sizeof(double) * (size_t)(m * m * N));
  for (int i = 0; i < m * m; i++) B[i * N] = 0;
  for (int round = 0; round <= t->degree && fine; round++) {
    memcpy(left, R, sizeof(double) * (size_t)(m * k * N));
    for (int i = 0; i < m && round; i++)
      for (int h = 0; h < m; h++)
        for (int j = 0; j < k; j++)
          add_product(t, -1, B + (i * m + h) * N, Y + (h * k + j) * N, left + (i * k + j) * N);
    for (int j = 0; j < k; j++)
      for (int a = 0; a < N; a++) {
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

// ---- positions ----------------------------------------------------------------------------------

// q = q0 + E xi + normal eta(xi), eta degree by degree from the position constraints
static bool place(work* w, double scale)
{
  geom_local* x = w->x;
  const geom_anchor* a = w->a;
  const geom_taylor* t = &x->t;
  const int C = x->coords, n = x->n, r = a->positions, N = t->count;
  x->q = series(w, C);
  for (int i = 0; i < C; i++) {
    x->q[i * N] = a->value[a->place[i]];
    for (int j = 0; j < n; j++) x->q[i * N + t->up[j]] = x->E[i * n + j] = scale * a->E[i * n + j];
    w->series[a->place[i]] = x->q + i * N;
  }
  if (!r) return true;
  double *S = base_alloc(sizeof(double) * (size_t)(r * r + r + 1)), *eta = S + r * r;
  int* pivot = base_alloc(sizeof(int) * (size_t)(r + 1));
  for (int h = 0; h < r; h++)
    for (int k = 0; k < r; k++)
      for (int i = 0; i < C; i++) S[h * r + k] += a->normal[i * r + h] * a->normal[i * r + k];
  bool fine = num_lu(r, S, pivot);
  double* f = base_alloc(sizeof(double) * (size_t)(r * N + 1));
  for (int round = 0; round <= t->degree && fine; round++) {
    fine = expand(w, r, a->position, f);
    for (int m = 1; m < N && fine; m++) {
      for (int k = 0; k < r; k++) eta[k] = f[k * N + m];
      num_lu_solve(r, S, pivot, eta);
      for (int i = 0; i < C; i++)
        for (int k = 0; k < r; k++) x->q[i * N + m] -= a->normal[i * r + k] * eta[k];
    }
  }
  free(f);
  free(S);
  free(pivot);
  return fine;
}

// J = dq/dxi and g = J^T M J
static bool measure(work* w)
{
  geom_local* x = w->x;
  const geom_taylor* t = &x->t;
  const int C = x->coords, n = x->n, N = t->count;
  x->J = series(w, C * n);
  x->g = series(w, n * n);
  for (int i = 0; i < C; i++)
    for (int j = 0; j < n; j++)
      geom_taylor_diff(t, t->degree, x->q + i * N, j, x->J + (i * n + j) * N);
  double *M = base_alloc(sizeof(double) * (size_t)(C * C * N + 1)),
         *MJ = base_alloc(sizeof(double) * (size_t)(C * n * N + 1));
  const bool fine = expand(w, C * C, x->s->M, M);
  for (int i = 0; i < C && fine; i++)
    for (int k = 0; k < C; k++)
      for (int j = 0; j < n; j++)
        geom_taylor_multiply(t, t->degree, M + (i * C + k) * N, x->J + (k * n + j) * N,
                             MJ + (i * n + j) * N);
  for (int h = 0; h < n && fine; h++)
    for (int j = 0; j < n; j++)
      for (int i = 0; i < C; i++)
        geom_taylor_multiply(t, t->degree, x->J + (i * n + h) * N, MJ + (i * n + j) * N,
                             x->g + (h * n + j) * N);
  free(M);
  free(MJ);
  return fine;
}

// Z = (1, Y): the forms w = a J vanish along it
static bool admit(work* w)
{
  geom_local* x = w->x;
  const geom_anchor* a = w->a;
  const geom_taylor* t = &x->t;
  const int C = x->coords, n = x->n, l = x->l, m = a->speeds, N = t->count;
  x->Z = series(w, n * l);
  for (int i = 0; i < l; i++) x->Z[(i * l + i) * N] = 1;
  if (!m) return true;
  double *A = base_alloc(sizeof(double) * (size_t)(m * C * N + 1)),
         *across = base_alloc(sizeof(double) * (size_t)(m * m * N + 1)),
         *right = base_alloc(sizeof(double) * (size_t)(m * l * N + 1));
  bool fine = expand(w, m * C, a->speed, A);
  for (int k = 0; k < m && fine; k++)
    for (int j = 0; j < n; j++)
      for (int i = 0; i < C; i++)
        add_product(t, j < l ? -1 : 1, A + (k * C + i) * N, x->J + (i * n + j) * N,
                    j < l ? right + (k * l + j) * N : across + (k * m + j - l) * N);
  fine = fine && divide(w, m, l, across, right, x->Z + l * l * N);
  // zero at the point by the choice of the basis
  for (int i = 0; i < m * l && fine; i++) x->Z[(l * l + i) * N] = 0;
  free(A);
  free(across);
  free(right);
  return fine;
}

// ---- forces -------------------------------------------------------------------------------------

// row vector of coordinates taken along the positions: out_j += sum_i J_ij f_i
static void pull(const work* w, const double* f, double* out)
{
  const geom_local* x = w->x;
  const int N = x->t.count;
  for (int j = 0; j < x->n; j++)
    for (int i = 0; i < x->coords; i++)
      geom_taylor_multiply(&x->t, x->t.degree, x->J + (i * x->n + j) * N, f + i * N, out + j * N);
}

// Are the forces no more than F0 + F1 v + (what T2 adds)? Judged at the point with random velocities:
// their second differences are those of T2 alone where G has none.
static bool is_affine(const geom_local* x)
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

static double largest(int count, const double* a)
{
  double most = 0;
  for (int i = 0; i < count; i++) most = fmax(most, fabs(a[i]));
  return most;
}

// V, R, F from F(q, v) = F0 + F1 v + ...: the forces at rest less those of the potential H(q, 0)
static bool force(work* w, double* whole)
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
  const bool fine = expand(w, C * C + C + 1, e, f);
  x->V = series(w, 1);
  x->R = series(w, n);
  x->F = series(w, n * n);
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
    double rest = 0, all = largest(n * N, whole);
    for (int j = 0; j < n; j++) rest = fmax(rest, largest(sure, x->R + j * N));
    x->kept = rest <= 1e-9 * all;
    if (x->kept) memset(x->R, 0, sizeof(double) * (size_t)(n * N));
    x->speedy = largest(n * n * N, x->F) > still * (1 + all);
    if (!x->speedy) memset(x->F, 0, sizeof(double) * (size_t)(n * n * N));
  }
  free(e);
  free(f);
  return fine;
}

// ---- accelerations ------------------------------------------------------------------------------

// <Z_d, nabla_{Z_b} Z_a>, with [d][a][b]
static void connect(const work* w, double* out)
{
  const geom_local* x = w->x;
  const geom_taylor* t = &x->t;
  const int n = x->n, l = x->l, N = t->count;
  double *slope = base_alloc(sizeof(double) * (size_t)(n * n * n * N + 1)),
         *y = base_alloc(sizeof(double) * (size_t)(n * N + 1)),
         *d = base_alloc(sizeof(double) * (size_t)(2 * N + 1)), *z = d + N;
  // first kind: Gamma_i,jk = (d_j g_ik + d_k g_ij - d_i g_jk)/2
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) {
        geom_taylor_diff(t, t->degree, x->g + (i * n + j) * N, k, d);
        for (int m = 0; m < N; m++) {
          slope[((i * n + j) * n + k) * N + m] += d[m] / 2;
          slope[((i * n + k) * n + j) * N + m] += d[m] / 2;
          slope[((k * n + i) * n + j) * N + m] -= d[m] / 2;
        }
      }
  for (int a = 0; a < l; a++)
    for (int b = 0; b < l; b++) {
      memset(y, 0, sizeof(double) * (size_t)(n * N));
      for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++) {
          memset(d, 0, sizeof(double) * (size_t)(2 * N));
          geom_taylor_multiply(t, t->degree, x->Z + (j * l + a) * N, x->Z + (k * l + b) * N, d);
          for (int i = 0; i < n; i++)
            geom_taylor_multiply(t, t->degree, slope + ((i * n + j) * n + k) * N, d, y + i * N);
          geom_taylor_diff(t, t->degree, x->Z + (j * l + a) * N, k, z);
          memset(d, 0, sizeof(double) * (size_t)N);
          geom_taylor_multiply(t, t->degree, z, x->Z + (k * l + b) * N, d);
          for (int i = 0; i < n; i++)
            geom_taylor_multiply(t, t->degree, x->g + (i * n + j) * N, d, y + i * N);
        }
      for (int c = 0; c < l; c++)
        for (int i = 0; i < n; i++)
          geom_taylor_multiply(t, t->degree, x->Z + (i * l + c) * N, y + i * N,
                               out + ((c * l + a) * l + b) * N);
    }
  free(slope);
  free(y);
  free(d);
}

static bool accelerate(work* w, const double* whole)
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
        geom_taylor_multiply(t, t->degree, x->g + (i * n + j) * N, z, gZ + (i * l + a) * N);
        geom_taylor_multiply(t, t->degree, x->F + (i * n + j) * N, z, FZ + (i * l + a) * N);
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
  const bool fine = divide(w, l, wide, S, right, answer);
  x->Gamma = series(w, l * l * l);
  x->B = series(w, l * l);
  x->G = series(w, l);
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

// ---- units --------------------------------------------------------------------------------------

// one over the radius of convergence, by the growth of the coefficients from degree `from` on
static double growth(const geom_taylor* t, int count, const double* a, int from)
{
  double base = 0, worst = 0;
  for (int i = 0; i < count; i++)
    base = fmax(base, largest(t->first[from + 1] - t->first[from], a + i * t->count + t->first[from]));
  for (int d = from + 1; d < t->degree && base > 0; d++)
    for (int i = 0; i < count; i++) {
      const double c = largest(t->first[d + 1] - t->first[d], a + i * t->count + t->first[d]);
      worst = fmax(worst, pow(c / base, 1.0 / (d - from)));
    }
  return worst;
}

static void scale_time(geom_local* x)
{
  const int N = x->t.count, l = x->l;
  const double G = largest(l * N, x->G);
  x->rate = G > 0 ? sqrt(G) : 1;
  for (int i = 0; i < l * N; i++) x->G[i] /= x->rate * x->rate;
  for (int i = 0; i < l * l * N; i++) x->B[i] /= x->rate;
}

static geom_local* make(const geom_anchor* a, int degree, double scale, const char** why)
{
  geom_local* x = base_alloc(sizeof *x);
  *x = (geom_local){.arena = base_arena_new(), .s = a->s, .symbols = a->symbols, .radius = scale};
  x->symbol = a->symbol;
  x->value = a->value;
  x->coords = a->s->n;
  x->n = a->n;
  x->l = a->l;
  x->E = base_arena_take(x->arena, sizeof(double) * (size_t)(x->coords * x->n + 1));
  work w = {.x = x, .a = a};
  bool fine = geom_taylor_make(x->n, degree, x->arena, &x->t);
  if (fine) {
    w.series = base_arena_take(x->arena, sizeof(double*) * (size_t)(x->symbols + 1));
    double* whole = series(&w, x->n);
    fine = place(&w, scale) && measure(&w) && admit(&w) && force(&w, whole) && accelerate(&w, whole);
  }
  *why = fine ? NULL : "its equations cannot be developed into series near this state";
  if (fine) scale_time(x);
  if (fine) return x;
  geom_local_free(x);
  return NULL;
}

geom_local* geom_local_make(const mech_system* s, int symbols, const expr* symbol,
                            const double* value, int degree, int number, const char** why)
{
  geom_anchor a;
  base_arena* arena = base_arena_new();
  geom_local* x = NULL;
  if (!(*why = geom_local_unsuited(s)) &&
      geom_anchor_find(s, symbols, symbol, value, number, arena, &a, why)) {
    geom_local* probe = make(&a, PROBE, 1, why);
    double most = 0;
    if (probe && !is_affine(probe)) {
      *why = "its forces are not linear in the velocities";
      geom_local_free(probe);
      probe = NULL;
    }
    if (probe) {
      const geom_taylor* t = &probe->t;
      most = fmax(growth(t, probe->n * probe->n, probe->g, 0), growth(t, 1, probe->V, 1));
      most = fmax(most, growth(t, probe->n * probe->l, probe->Z, 0));
      geom_local_free(probe);
      x = make(&a, degree, most > 0 ? share / most : 1, why);
    }
  }
  if (x) {
    x->symbol = base_arena_take(x->arena, sizeof(expr) * (size_t)(symbols + 1));
    x->value = base_arena_take(x->arena, sizeof(double) * (size_t)(symbols + 1));
    memcpy(x->symbol, a.symbol, sizeof(expr) * (size_t)symbols);
    memcpy(x->value, a.value, sizeof(double) * (size_t)symbols);
  }
  base_arena_free(arena);
  return x;
}

void geom_local_free(geom_local* x)
{
  if (!x) return;
  base_arena_free(x->arena);
  free(x);
}
