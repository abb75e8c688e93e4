// The motion of the representing point in the coordinates of the Euclidean space.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geom/chart.h"
#include "geom/embedding.h"
#include "num/num.h"
#include "step/step.h"

// x'' = P + N with P = x_a g^ab Q_b along the surface and N = x_ab q_a' q_b' without its part along
// it, the reaction of the constraints D(x) = 0                    Briskin (2000), (1.21), (1.22)
// q comes back from x by Newton's method, q' from x' = x_a q_a'.

enum { most_steps = 200000 };

// ---- forces -------------------------------------------------------------------------------------

// Q_b on the space's coordinates: in q, q', t; EXPR_NONE where one holds what is not known there
static void forces(const geom_space* s, expr* Q)
{
  const model* m = s->m;
  expr_pool* p = s->pool;
  const int n = s->n, room = 2 * s->gone;
  expr* from = base_alloc(sizeof(expr) * (size_t)(2 * room + 1));
  expr* to = from + room;
  for (int k = 0; k < s->gone; k++) {
    from[k] = m->coord[s->gone_coord[k]].q;
    to[k] = s->gone_value[k];
    from[s->gone + k] = m->coord[s->gone_coord[k]].v;
    to[s->gone + k] = expr_total(p, s->gone_value[k]);
  }
  const expr V = expr_substitute(p, m->V, room, from, to);
  for (int a = 0; a < n; a++) {
    Q[a] = expr_sub(p, m->Q[s->coord[a]], expr_diff(p, V, s->q[a]));
    for (int k = 0; k < s->gone; k++)
      Q[a] = expr_add(p, Q[a],
                      expr_mul(p, m->Q[s->gone_coord[k]], expr_diff(p, s->gone_value[k], s->q[a])));
    Q[a] = geom_tidy(p, expr_substitute(p, Q[a], room, from, to));
  }
  free(from);
}

enum { MOST_SHOWN = 3000 };

void geom_embedding_forces(geom_embedding* e)
{
  const geom_space* s = e->s;
  expr_pool* p = s->pool;
  const int n = e->n, N = e->N;
  // otherwise there is more to the equations than P
  if (!s->inverse || s->moving || s->timed || s->velocity > 0) return;
  expr* Q = geom_take(e->arena, n, sizeof(expr));
  forces(s, Q);
  e->P = geom_take(e->arena, N, sizeof(expr));
  for (int k = 0; k < N; k++) {
    expr sum = expr_int(p, 0);
    for (int a = 0; a < n; a++)
      for (int b = 0; b < n; b++)
        sum = expr_add(
            p, sum,
            expr_product(p, 3,
                         (expr[]){e->map->formula[N + k * n + a], s->inverse[a * n + b], Q[b]}));
    e->P[k] = expr_size(p, 1, &sum) <= 300 ? expr_simplify(p, sum) : sum;
  }
  // longer ones say less than x_k,a g^ab Q_b
  if (expr_pool_full(p) || expr_size(p, N, e->P) > MOST_SHOWN) e->P = NULL;
}

// ---- one instant --------------------------------------------------------------------------------

typedef struct runner
{
  const geom_embedding* e;
  int n, N, symbols;
  expr* symbol; // of the space, the velocities and t
  double* value;
  // the space the forces are of: that around a chart
  const geom_space* of;
  int *q_at, *v_at, t_at;
  expr* Q;
  double *all, *slope, *force; // its coordinates, their slopes by the chart's, its forces
  double* q;                   // where the point was last
  double *v, *x, *dx, *ddx, *G, *F, *bend, *normal;
  bool outside;
  double* first; // the normal at the start
} runner;

static int place_of(runner* r, expr symbol)
{
  for (int i = 0; i < r->symbols; i++)
    if (r->symbol[i] == symbol) return i;
  r->symbol[r->symbols] = symbol;
  return r->symbols++;
}

// dx and Gram matrix factored at q; false outside the box or where the map is singular
static bool look(runner* r, bool bend)
{
  const geom_embedding* e = r->e;
  const int n = r->n, N = r->N;
  if (!geom_embedding_inside(e, r->q)) return !(r->outside = true);
  geom_embedding_at(e, r->q, r->x, r->dx, bend ? r->ddx : NULL);
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++) {
      r->G[a * n + b] = 0;
      for (int k = 0; k < N; k++) r->G[a * n + b] += r->dx[k * n + a] * r->dx[k * n + b];
    }
  return num_cholesky(n, r->G, 0);
}

// v = g^-1 dx^T w
static void along(const runner* r, const double* w, double* v)
{
  for (int a = 0; a < r->n; a++) {
    v[a] = 0;
    for (int k = 0; k < r->N; k++) v[a] += r->dx[k * r->n + a] * w[k];
  }
  num_cholesky_solve(r->n, r->G, v);
}

// q of the nearest point of the surface
static bool invert(runner* r, const double* x)
{
  double* off = r->normal;
  for (int step = 0; step < 30; step++) {
    if (!look(r, false)) return false;
    for (int k = 0; k < r->N; k++) off[k] = x[k] - r->x[k];
    along(r, off, r->v);
    double most = 0;
    for (int a = 0; a < r->n; a++) {
      r->q[a] += r->v[a];
      most = fmax(most, fabs(r->v[a]) / (1 + fabs(r->q[a])));
    }
    if (!isfinite(most)) return false;
    if (most < 1e-14) return true;
    // rounding of a map in numbers may keep the last digit from settling
    if (step > 5 && most < 1e-12) return true;
  }
  return false;
}

// Q_a = Q_i q_i,a at q, v into F
static bool force(runner* r)
{
  const geom_chart* c = r->e->s->chart;
  const int n = r->n, all = r->of->n;
  if (c && !geom_chart_solve(c, r->q, r->all, r->slope)) return false;
  for (int i = 0; i < all; i++) {
    double v = c ? 0 : r->v[i];
    for (int a = 0; c && a < n; a++) v += r->slope[i * n + a] * r->v[a];
    r->value[r->q_at[i]] = c ? r->all[i] : r->q[i];
    r->value[r->v_at[i]] = v;
  }
  expr_values(r->of->pool, all, r->Q, r->symbols, r->symbol, r->value, r->force);
  for (int a = 0; a < n; a++) {
    r->F[a] = c ? 0 : r->force[a];
    for (int i = 0; c && i < all; i++) r->F[a] += r->slope[i * n + a] * r->force[i];
  }
  return true;
}

// fills q, v, and the acceleration; the normal part is left in r->normal
static bool accelerate(runner* r, double t, const double* x, const double* w, double* a)
{
  const int n = r->n, N = r->N;
  if (!invert(r, x) || !look(r, true)) return false;
  along(r, w, r->v);
  r->value[r->t_at] = t;
  if (!force(r)) return false;
  num_cholesky_solve(n, r->G, r->F);
  for (int k = 0; k < N; k++) {
    r->normal[k] = 0;
    for (int i = 0; i < n * n; i++)
      r->normal[k] += r->ddx[k * n * n + i] * r->v[i / n] * r->v[i % n];
  }
  along(r, r->normal, r->bend);
  for (int k = 0; k < N; k++) {
    double tangent = 0;
    for (int i = 0; i < n; i++) {
      r->normal[k] -= r->dx[k * n + i] * r->bend[i];
      tangent += r->dx[k * n + i] * r->F[i];
    }
    a[k] = tangent + r->normal[k];
    if (!isfinite(a[k])) return false;
  }
  return true;
}

static int rhs(void* context, double t, const double* y, double* dy)
{
  runner* r = context;
  memcpy(dy, y + r->N, sizeof(double) * (size_t)r->N);
  return accelerate(r, t, y, y + r->N, dy + r->N) ? 0 : 1;
}

// ---- the run ------------------------------------------------------------------------------------

static const char* unsuited(const geom_embedding* e)
{
  const geom_space* s = e->s;
  const model* m = s->m;
  if (e->N == 0) return "there is no embedding";
  if (s->velocity > 0) return "velocity constraints hold";
  if (s->timed || s->moving) return "the kinetic energy is not that of a metric at rest";
  if (m->stages > 0 || m->events > 0) return "the model has stages or events";
  for (int i = 0; i < m->coords; i++)
    if (expr_has_any(s->pool, m->Q[i], m->constraints, m->reaction))
      return "forces depend on reactions";
  for (int k = 0; k < s->gone; k++)
    if (expr_has(s->pool, s->gone_value[k], m->t)) return "the constraints move";
  return NULL;
}

static runner prepare(const geom_embedding* e, base_arena* arena, const double* q)
{
  const geom_space* s = e->s->chart ? e->s->chart->around : e->s;
  const int n = e->n, N = e->N, all = s->n, room = s->symbols + 2 * all + 1;
  runner r = {.e = e, .n = n, .N = N, .of = s};
  r.symbol = geom_take(arena, room, sizeof(expr));
  r.value = geom_take(arena, room, sizeof(double));
  for (r.symbols = 0; r.symbols < s->symbols; r.symbols++) {
    r.symbol[r.symbols] = s->symbol[r.symbols];
    r.value[r.symbols] = s->value[r.symbols];
  }
  r.q_at = geom_take(arena, 2 * all, sizeof(int));
  r.v_at = r.q_at + all;
  for (int i = 0; i < all; i++) {
    r.q_at[i] = place_of(&r, s->q[i]);
    r.v_at[i] = place_of(&r, s->m->coord[s->coord[i]].v);
  }
  r.t_at = place_of(&r, s->m->t);
  r.Q = geom_take(arena, all, sizeof(expr));
  forces(s, r.Q);
  r.all = geom_take(arena, all * (2 + n), sizeof(double));
  r.force = r.all + all;
  r.slope = r.force + all;
  double* at = geom_take(arena, 4 * n + n * n + 3 * N + N * n + N * n * n, sizeof(double));
  r.q = at;
  r.v = r.q + n;
  r.F = r.v + n;
  r.bend = r.F + n;
  r.G = r.bend + n;
  r.x = r.G + n * n;
  r.normal = r.x + N;
  r.first = r.normal + N;
  r.dx = r.first + N;
  r.ddx = r.dx + N * n;
  memcpy(r.q, q, sizeof(double) * (size_t)n);
  return r;
}

static bool record(runner* r, geom_motion* out, const double* y)
{
  const int n = r->n, N = r->N;
  double* a = base_alloc(sizeof(double) * (size_t)N);
  const double t = out->t[out->rows];
  const bool fine = accelerate(r, t, y, y + N, a);
  free(a);
  if (!fine) return false;
  double size = 0, same = 0;
  for (int k = 0; k < N; k++) {
    size += r->normal[k] * r->normal[k];
    same += r->normal[k] * r->first[k];
  }
  // the sense of the first normal that is not nothing is carried along the surface
  if (size > 0) {
    const double sign = same < 0 ? -1 : 1;
    for (int k = 0; k < N; k++) r->first[k] = sign * r->normal[k];
    out->reaction[out->rows] = sign * sqrt(size);
  }
  memcpy(out->x + out->rows * N, y, sizeof(double) * (size_t)N);
  memcpy(out->q + out->rows * n, r->q, sizeof(double) * (size_t)n);
  out->rows++;
  return true;
}

// rows that are due in the last step
typedef struct recorder
{
  runner* r;
  geom_motion* out;
  int rows;
  double* y;
} recorder;

static step_status record_step(void* context, step_stepper* s)
{
  const recorder* c = context;
  geom_motion* out = c->out;
  while (out->rows < c->rows && out->t[out->rows] <= s->t) {
    s->method->dense(s, out->t[out->rows], c->y);
    if (record(c->r, out, c->y)) continue;
    c->r->outside = true;
    return STEP_RHS_FAILED;
  }
  return STEP_OK;
}

static const char* go(runner* r, geom_motion* out, int rows, const double* v, double tolerance)
{
  const int n = r->n, N = r->N;
  double* y = geom_take(out->arena, 4 * N, sizeof(double));
  double* abs_tol = y + 2 * N;
  if (!look(r, false)) return "the start is outside the region of the map";
  double size = 0;
  for (int k = 0; k < N; k++) {
    y[k] = r->x[k];
    for (int i = 0; i < n; i++) y[N + k] += r->dx[k * n + i] * v[i];
    size = fmax(size, fabs(y[k]));
  }
  for (int k = 0; k < 2 * N; k++) abs_tol[k] = tolerance * fmax(size, 1e-3);
  if (!record(r, out, y)) return "the start cannot be evaluated";
  const step_ode ode = {
      .n = 2 * N, .rhs = rhs, .context = r, .rel_tol = tolerance, .abs_tol = abs_tol};
  step_stepper* s = step_method_dop853.create(&step_method_dop853, &ode);
  recorder c = {r, out, rows, y};
  const step_way way = {.most_steps = most_steps, .ask = record_step, .context = &c};
  const step_status status = step_carry(s, out->t[0], y, out->t[rows - 1], &way);
  s->method->destroy(s);
  if (status == STEP_OK) return NULL;
  if (status == STEP_TOO_MANY) return "the run takes too many steps";
  return r->outside ? "it leaves the region of the map" : "it could not be continued";
}

geom_motion* geom_motion_run(const geom_embedding* e, const double* q, const double* v, int rows,
                             const double* t, double tolerance)
{
  base_arena* arena = base_arena_new();
  geom_motion* out = base_arena_take(arena, sizeof *out);
  out->arena = arena;
  out->n = e->n;
  out->N = e->N;
  out->why = unsuited(e);
  if (out->why || rows < 2) return out;
  out->t = geom_take(arena, rows, sizeof(double));
  memcpy(out->t, t, sizeof(double) * (size_t)rows);
  out->q = geom_take(arena, rows * e->n, sizeof(double));
  out->x = geom_take(arena, rows * e->N, sizeof(double));
  out->reaction = geom_take(arena, rows, sizeof(double));
  runner r = prepare(e, arena, q);
  out->why = go(&r, out, rows, v, tolerance);
  return out;
}

void geom_motion_free(geom_motion* m)
{
  if (m) base_arena_free(m->arena);
}
