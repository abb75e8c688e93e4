// Random states of a system with the accelerations that follow, and what integrals are made of.
#include "geom/ansatz.h"
#include "num/num.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double spread = 1.1; // how far places lie from the start

// the same states on every machine
static double uniform(uint64_t* seed)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

typedef struct maker
{
  const mech_system* s;
  const geom_library* l;
  base_arena* arena;
  int further, symbols;
  const expr* symbol;
  // M, F, A, c, dT/dv, d2T/dvdq, dT/dq, dV/dq, basis with slopes, further functions with slopes
  int count, at[11];
  expr* e;
  double* x;
} maker;

static void push(maker* w, int part, int count, const expr* e)
{
  w->at[part] = w->count;
  if (count) memcpy(w->e + w->count, e, sizeof(expr) * (size_t)count);
  w->count += count;
}

// one list of all that has to be evaluated at a state
static void list(maker* w, const expr* u)
{
  const mech_system* s = w->s;
  expr_pool* p = s->pool;
  const int n = s->n, L = w->l->count, U = w->further;
  w->e = base_arena_take(w->arena, sizeof(expr) * (size_t)(n * n * 2 + n * 5 + s->m * (n + 1) +
                                                           L * (1 + n) + U * (1 + n) + 1));
  expr* e = base_alloc(sizeof(expr) * (size_t)(n * n + U * n + n + 1));
  push(w, 0, n * n, mech_mass(s));
  push(w, 1, n, s->F);
  push(w, 2, s->m * n, s->A);
  push(w, 3, s->m, s->c);
  for (int i = 0; i < n; i++) e[i] = expr_diff(p, s->model->T, s->v[i]);
  push(w, 4, n, e);
  expr* slope = e + n;
  for (int i = 0; i < n; i++) expr_gradient(p, e[i], n, s->q, slope + i * n);
  push(w, 5, n * n, slope);
  expr_gradient(p, s->model->T, n, s->q, e);
  push(w, 6, n, e);
  expr_gradient(p, s->model->V, n, s->q, e);
  push(w, 7, n, e);
  push(w, 8, L, w->l->f);
  push(w, 9, L * n, w->l->slope);
  for (int i = 0; i < U; i++) expr_gradient(p, u[i], n, s->q, e + i * n);
  push(w, 10, U, u);
  memcpy(w->e + w->count, e, sizeof(expr) * (size_t)(U * n));
  w->count += U * n;
  w->x = base_arena_take(w->arena, sizeof(double) * (size_t)(w->count + 1));
  free(e);
}

// M a = F + A^T Lambda, A a = c in the directions E (n by l) that all constraints leave
static bool accelerate(const maker* w, const geom_anchor* a, double* out)
{
  const mech_system* s = w->s;
  const int n = s->n, l = a->l;
  const double *M = w->x + w->at[0], *F = w->x + w->at[1], *A = w->x + w->at[2],
               *c = w->x + w->at[3];
  double *rows = base_alloc(sizeof(double) * (size_t)(s->m * (n + 1) + l * l + l + n + 1)),
         *right = rows + s->m * n, *S = right + s->m, *u = S + l * l, *rest = u + l;
  int held = 0;
  for (int k = 0; k < s->m; k++) {
    if (!model_constraint_starts(s->model, k) || !model_constraint_binds(s->model, k)) continue;
    memcpy(rows + held * n, A + k * n, sizeof(double) * (size_t)n);
    right[held++] = c[k];
  }
  memset(out, 0, sizeof(double) * (size_t)n);
  if (held) {
    num_null* f = num_null_new(held, n);
    num_null_factor(f, held, n, rows, 1e-9);
    num_null_find(f, right, out);
    num_null_free(f);
  }
  for (int i = 0; i < n; i++) {
    rest[i] = F[i];
    for (int j = 0; j < n; j++) rest[i] -= M[i * n + j] * out[j];
  }
  for (int b = 0; b < l; b++)
    for (int i = 0; i < n; i++) {
      u[b] += a->E[i * a->n + b] * rest[i];
      for (int d = 0; d < l; d++)
        for (int j = 0; j < n; j++)
          S[b * l + d] += a->E[i * a->n + b] * M[i * n + j] * a->E[j * a->n + d];
    }
  const bool fine = num_cholesky(l, S, 0);
  if (fine) num_cholesky_solve(l, S, u);
  for (int i = 0; i < n && fine; i++)
    for (int b = 0; b < l; b++) out[i] += a->E[i * a->n + b] * u[b];
  free(rows);
  return fine;
}

static double* room(const maker* w, int count)
{
  return base_arena_take(w->arena, sizeof(double) * (size_t)(count + 1));
}

static void take_forms(const maker* w, const geom_anchor* a, geom_state* y)
{
  const mech_system* s = w->s;
  const int n = s->n;
  y->speeds = a->speeds;
  y->positions = a->positions;
  y->w = room(w, a->speeds * n);
  y->wq = room(w, a->speeds * n);
  y->x = room(w, a->positions * n);
  for (int k = 0; k < a->positions; k++)
    for (int i = 0; i < n; i++) y->x[k * n + i] = a->normal[i * a->positions + k];
  expr_values(s->pool, a->speeds * n, a->speed, a->symbols, a->symbol, a->value, y->w);
  for (int k = 0; k < a->speeds; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        const expr d = expr_diff(s->pool, a->speed[k * n + j], s->q[i]);
        if (!expr_is_number(s->pool, d))
          y->wq[k * n + i] += y->v[j] * expr_value(s->pool, d, a->symbols, a->symbol, a->value);
      }
}

static bool fill(maker* w, const geom_anchor* a, bool free_speeds, uint64_t* seed, geom_state* y)
{
  const mech_system* s = w->s;
  const int n = s->n, L = w->l->count, U = w->further, directions = free_speeds ? a->n : a->l;
  y->q = room(w, 7 * n + 2 * L + 2 * U + L * n);
  y->v = y->q + n;
  y->a = y->v + n;
  y->p = y->a + n;
  y->dp = y->p + n;
  y->Tq = y->dp + n;
  y->Vq = y->Tq + n;
  y->f = y->Vq + n;
  y->df = y->f + L;
  y->u = y->df + L;
  y->du = y->u + U;
  y->g = y->du + U;
  for (int b = 0; b < directions; b++) {
    const double u = uniform(seed);
    for (int i = 0; i < n; i++) y->v[i] += u * a->E[i * a->n + b];
  }
  for (int i = 0; i < n; i++) y->q[i] = a->value[a->place[i]];
  for (int j = 0; j < a->symbols; j++)
    for (int i = 0; i < n; i++)
      if (a->symbol[j] == s->v[i]) a->value[j] = y->v[i];
  expr_values(s->pool, w->count, w->e, a->symbols, a->symbol, a->value, w->x);
  for (int i = 0; i < w->count; i++)
    if (!isfinite(w->x[i])) return false;
  if (!free_speeds && !accelerate(w, a, y->a)) return false;
  const double *M = w->x + w->at[0], *P = w->x + w->at[4], *Pq = w->x + w->at[5],
               *g = w->x + w->at[9], *ug = w->x + w->at[10] + U;
  for (int i = 0; i < n; i++) {
    y->p[i] = P[i];
    y->Tq[i] = w->x[w->at[6] + i];
    y->Vq[i] = w->x[w->at[7] + i];
    for (int j = 0; j < n; j++) y->dp[i] += M[i * n + j] * y->a[j] + Pq[i * n + j] * y->v[j];
  }
  memcpy(y->f, w->x + w->at[8], sizeof(double) * (size_t)L);
  memcpy(y->g, g, sizeof(double) * (size_t)(L * n));
  memcpy(y->u, w->x + w->at[10], sizeof(double) * (size_t)U);
  for (int k = 0; k < L; k++)
    for (int i = 0; i < n; i++) y->df[k] += g[k * n + i] * y->v[i];
  for (int k = 0; k < U; k++)
    for (int i = 0; i < n; i++) y->du[k] += ug[k * n + i] * y->v[i];
  take_forms(w, a, y);
  return true;
}

bool geom_states_make(const mech_system* s, int symbols, const expr* symbol, const double* value,
                      const geom_library* l, int further, const expr* u, bool free_speeds,
                      int count, int seed, base_arena* arena, geom_states* out)
{
  maker w = {.s = s, .l = l, .arena = arena, .further = further, .symbols = symbols};
  w.symbol = symbol;
  list(&w, u);
  *out = (geom_states){.basis = l, .n = s->n, .further = further};
  out->at = base_arena_take(arena, sizeof *out->at * (size_t)(count + 1));
  double* start = base_alloc(sizeof(double) * (size_t)(symbols + 1));
  uint64_t random = 977u + 31u * (uint64_t)seed;
  // places as far apart as can be: functions are hard to tell from each other on a small region
  double wide = spread;
  for (int tried = 0, kept = 0; tried < 6 * count && out->count < count; tried++) {
    if (tried % 16 == 0) {
      if (tried && out->count - kept < 4) wide *= 0.5;
      kept = out->count;
    }
    base_arena* work = base_arena_new();
    geom_anchor a;
    const char* why;
    memcpy(start, value, sizeof(double) * (size_t)symbols);
    for (int j = 0; j < symbols; j++)
      for (int i = 0; i < s->n; i++)
        if (symbol[j] == s->q[i]) start[j] += wide * (1 + fabs(start[j])) * uniform(&random);
    out->at[out->count] = (geom_state){0};
    if (geom_anchor_find(s, symbols, symbol, start, seed + tried, work, &a, &why) &&
        fill(&w, &a, free_speeds, &random, &out->at[out->count]))
      out->count++;
    base_arena_free(work);
  }
  free(start);
  return out->count == count;
}
