// A system near a point as power series: positions on the constraints, admissible velocities, and
// the accelerations that follow.
#include "geom/local.h"
#include "num/num.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PROBE = 4 };              // degree at which the radius is judged
static const double share = 0.6; // of the radius of convergence

double* geom_local_series(const geom_local_work* w, int count)
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

bool geom_local_expand(const geom_local_work* w, int count, const expr* e, double* out)
{
  const geom_local* x = w->x;
  return geom_taylor_expand_along(&x->t, x->s->pool, x->symbols, x->symbol, x->value, w->series,
                                  count, e, out);
}

bool geom_local_divide(const geom_local_work* w, int m, int k, const double* A, const double* R,
                       double* Y)
{
  return geom_taylor_divide(&w->x->t, m, k, A, R, Y);
}

// ---- positions ----------------------------------------------------------------------------------

// q = q0 + E xi + normal eta(xi), eta degree by degree from the position constraints
static bool place(geom_local_work* w, double scale)
{
  geom_local* x = w->x;
  const geom_anchor* a = w->a;
  const geom_taylor* t = &x->t;
  const int C = x->coords, n = x->n, r = a->positions, N = t->count;
  x->q = geom_local_series(w, C);
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
    fine = geom_local_expand(w, r, a->position, f);
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
static bool measure(geom_local_work* w)
{
  geom_local* x = w->x;
  const geom_taylor* t = &x->t;
  const int C = x->coords, n = x->n, N = t->count;
  x->J = geom_local_series(w, C * n);
  x->g = geom_local_series(w, n * n);
  for (int i = 0; i < C; i++)
    for (int j = 0; j < n; j++)
      geom_taylor_diff(t, t->degree, x->q + i * N, j, x->J + (i * n + j) * N);
  double *M = base_alloc(sizeof(double) * (size_t)(C * C * N + 1)),
         *MJ = base_alloc(sizeof(double) * (size_t)(C * n * N + 1));
  const bool fine = geom_local_expand(w, C * C, mech_mass(x->s), M);
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
static bool admit(geom_local_work* w)
{
  geom_local* x = w->x;
  const geom_anchor* a = w->a;
  const geom_taylor* t = &x->t;
  const int C = x->coords, n = x->n, l = x->l, m = a->speeds, N = t->count;
  x->Z = geom_local_series(w, n * l);
  for (int i = 0; i < l; i++) x->Z[(i * l + i) * N] = 1;
  if (!m) return true;
  double *A = base_alloc(sizeof(double) * (size_t)(m * C * N + 1)),
         *across = base_alloc(sizeof(double) * (size_t)(m * m * N + 1)),
         *right = base_alloc(sizeof(double) * (size_t)(m * l * N + 1));
  bool fine = geom_local_expand(w, m * C, a->speed, A);
  for (int k = 0; k < m && fine; k++)
    for (int j = 0; j < n; j++)
      for (int i = 0; i < C; i++)
        add_product(t, j < l ? -1 : 1, A + (k * C + i) * N, x->J + (i * n + j) * N,
                    j < l ? right + (k * l + j) * N : across + (k * m + j - l) * N);
  fine = fine && geom_local_divide(w, m, l, across, right, x->Z + l * l * N);
  // zero at the point by the choice of the basis
  for (int i = 0; i < m * l && fine; i++) x->Z[(l * l + i) * N] = 0;
  free(A);
  free(across);
  free(right);
  return fine;
}

// ---- units --------------------------------------------------------------------------------------

// one over the radius of convergence, by the growth of the coefficients from degree `from` on
static double growth(const geom_taylor* t, int count, const double* a, int from)
{
  double base = 0, worst = 0;
  for (int i = 0; i < count; i++)
    base = fmax(base, geom_local_largest(t->first[from + 1] - t->first[from],
                                         a + i * t->count + t->first[from]));
  for (int d = from + 1; d < t->degree && base > 0; d++)
    for (int i = 0; i < count; i++) {
      const double c =
          geom_local_largest(t->first[d + 1] - t->first[d], a + i * t->count + t->first[d]);
      worst = fmax(worst, pow(c / base, 1.0 / (d - from)));
    }
  return worst;
}

static void scale_time(geom_local* x)
{
  const int N = x->t.count, l = x->l;
  const double G = geom_local_largest(l * N, x->G);
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
  geom_local_work w = {.x = x, .a = a};
  bool fine = geom_taylor_make(x->n, degree, x->arena, &x->t);
  if (fine) {
    w.series = base_arena_take(x->arena, sizeof(double*) * (size_t)(x->symbols + 1));
    double* whole = geom_local_series(&w, x->n);
    fine = place(&w, scale) && measure(&w) && admit(&w) && geom_local_force(&w, whole) &&
           geom_local_accelerate(&w, whole);
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
    if (probe && !geom_local_is_affine(probe)) {
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
