// Geodesics on the surface that position constraints leave, in all coordinates of the model.
//
// With the metric g of the space around, its Christoffel symbols, and constraints f_k = 0:
//   H_k(X, Y) = f_k,ij X^i Y^j - Gamma^m_ij X^i Y^j f_k,m
//   II(X, Y)  = - S^kl H_l(X, Y) grad f_k,  S_kl = g^ij f_k,i f_l,j
// are the second derivatives and the normal part of the derivative of Y along X. The geodesic has
// v' = -Gamma(v, v) + II(v, v), a parallel field e' = -Gamma(v, e) + II(v, e), and fields across it
// that vanish at its start, A in a parallel orthonormal frame e_a, satisfy Jacobi's equation
//   A_ab'' = - K_ac A_cb,  K_ab = R(e_a, v, e_b, v) + <II(a, b), II(v, v)> - <II(a, v), II(b, v)>
// (Gauss), where <II(X, Y), II(Z, W)> = S^kl H_k(X, Y) H_l(Z, W). No chart is chosen, so the way
// may lead anywhere on the surface.
#include "geom/geodesic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "num/num.h"

enum { MOST_STEPS = 20000, MOST_CONJUGATES = 200 };

typedef struct guide
{
  const geom_space* s;
  int n, r, k; // coordinates, constraints that count, dimensions across the geodesic
  int* row;    // those constraints
  base_arena* work;
  // at the state
  geom_numbers* at;
  double *f, *df, *ddf;
  double* up; // r by n: gradients with raised index
  double* S;  // r by r, factored
  double *across, *bent;
} guide;

// ---- one instant --------------------------------------------------------------------------------

static bool look(guide* w, const double* q)
{
  const int n = w->n, r = w->r, m = w->s->rest;
  geom_jet j = geom_jet_take(w->work, n);
  w->f = geom_take(w->work, m * (1 + n + n * n), sizeof(double));
  w->df = w->f + m;
  w->ddf = w->df + m * n;
  if (!geom_space_jets(w->s, q, w->work, &j, w->f, w->df, w->ddf)) return false;
  w->at = geom_numbers_make(w->work, &j);
  if (!w->at->regular) return false;
  w->up = geom_take(w->work, r * n + r * r + 2 * r, sizeof(double));
  w->S = w->up + r * n;
  w->across = w->S + r * r;
  w->bent = w->across + r;
  for (int a = 0; a < r; a++)
    for (int i = 0; i < n; i++)
      for (int l = 0; l < n; l++)
        w->up[a * n + i] += w->at->inverse[i * n + l] * w->df[w->row[a] * n + l];
  for (int a = 0; a < r; a++)
    for (int b = 0; b < r; b++)
      for (int i = 0; i < n; i++) w->S[a * r + b] += w->up[a * n + i] * w->df[w->row[b] * n + i];
  return r == 0 || num_cholesky(r, w->S, 0);
}

// Gamma(X, Y) into out
static void connect(const guide* w, const double* X, const double* Y, double* out)
{
  const int n = w->n;
  for (int m = 0; m < n; m++) {
    out[m] = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) out[m] += w->at->second[(m * n + i) * n + j] * X[i] * Y[j];
  }
}

// H(X, Y), one for each constraint; `along`: Gamma(X, Y)
static void bend(const guide* w, const double* X, const double* Y, const double* along, double* H)
{
  const int n = w->n;
  for (int a = 0; a < w->r; a++) {
    const double *d = w->df + w->row[a] * n, *dd = w->ddf + w->row[a] * n * n;
    H[a] = 0;
    for (int i = 0; i < n; i++) {
      H[a] -= along[i] * d[i];
      for (int j = 0; j < n; j++) H[a] += dd[i * n + j] * X[i] * Y[j];
    }
  }
}

// the rate of a field Y that is parallel along v; H(v, Y) is left in H
static void carry(const guide* w, const double* v, const double* Y, double* H, double* rate)
{
  connect(w, v, Y, rate);
  bend(w, v, Y, rate, H);
  double* x = w->bent;
  for (int a = 0; a < w->r; a++) x[a] = H[a];
  if (w->r) num_cholesky_solve(w->r, w->S, x);
  for (int i = 0; i < w->n; i++) {
    rate[i] = -rate[i];
    for (int a = 0; a < w->r; a++) rate[i] -= x[a] * w->up[a * w->n + i];
  }
}

static double times(const guide* w, const double* G, const double* H)
{
  double sum = 0;
  for (int a = 0; a < w->r; a++) w->bent[a] = H[a];
  if (w->r) num_cholesky_solve(w->r, w->S, w->bent);
  for (int a = 0; a < w->r; a++) sum += G[a] * w->bent[a];
  return sum;
}

// R(X, v, Y, v) of the space around
static double curvature(const guide* w, const double* X, const double* Y, const double* v)
{
  const int n = w->n;
  double sum = 0;
  for (int l = 0; l < n; l++)
    for (int x = 0; x < n; x++)
      for (int b = 0; b < n; b++)
        for (int a = 0; a < n; a++)
          if (l != x && a != b) sum += geom_riemann(w->at, l, x, b, a) * X[l] * v[x] * Y[b] * v[a];
  return sum;
}

// ---- the way ------------------------------------------------------------------------------------

// state: q, v (n each), frame (k by n), A, A' (k by k each), time
static int state_size(const guide* w)
{
  return 2 * w->n + w->k * w->n + 2 * w->k * w->k + 1;
}

static int rhs(void* context, double t, const double* y, double* dy)
{
  (void)t;
  guide* w = context;
  const int n = w->n, k = w->k, r = w->r;
  const size_t mark = base_arena_mark(w->work);
  const double *v = y + n, *e = v + n, *A = e + k * n;
  double* dA = dy + 2 * n + k * n;
  bool fine = look(w, y);
  if (fine) {
    double* H = geom_take(w->work, (k + 2) * r + k * k + n, sizeof(double));
    double *Hv = H + k * r, *Hab = Hv + r, *K = Hab + r, *along = K + k * k;
    memcpy(dy, v, sizeof(double) * (size_t)n);
    carry(w, v, v, Hv, dy + n);
    for (int a = 0; a < k; a++) carry(w, v, e + a * n, H + a * r, dy + 2 * n + a * n);
    for (int a = 0; a < k; a++)
      for (int b = a; b < k; b++) {
        connect(w, e + a * n, e + b * n, along);
        bend(w, e + a * n, e + b * n, along, Hab);
        K[a * k + b] = K[b * k + a] = curvature(w, e + a * n, e + b * n, v) + times(w, Hab, Hv) -
                                      times(w, H + a * r, H + b * r);
      }
    memcpy(dA, A + k * k, sizeof(double) * (size_t)(k * k));
    for (int a = 0; a < k; a++)
      for (int b = 0; b < k; b++) {
        dA[k * k + a * k + b] = 0;
        for (int c = 0; c < k; c++) dA[k * k + a * k + b] -= K[a * k + c] * A[c * k + b];
      }
    dA[2 * k * k] = 0;
    if (w->s->factor != EXPR_NONE) {
      const double* values = geom_space_values(w->s, y, w->work);
      dA[2 * k * k] = 1 / expr_value(w->s->pool, w->s->factor, w->s->symbols, w->s->symbol, values);
    }
    for (int i = 0; i < state_size(w); i++) fine = fine && isfinite(dy[i]);
  }
  base_arena_cut(w->work, mark);
  return fine ? 0 : 1;
}

static double inner(const guide* w, const double* X, const double* Y)
{
  double sum = 0;
  for (int i = 0; i < w->n; i++)
    for (int j = 0; j < w->n; j++) sum += w->at->g[i * w->n + j] * X[i] * Y[j];
  return sum;
}

// X without its parts across the constraints and along the `count` unit vectors at e, made of
// length one; false where nothing is left
static bool straighten(const guide* w, int count, const double* e, double* X)
{
  const int n = w->n;
  double whole = sqrt(inner(w, X, X));
  if (!(whole > 0) || !isfinite(whole)) return false;
  for (int round = 0; round < 2; round++) {
    double* x = w->bent;
    for (int a = 0; a < w->r; a++) {
      x[a] = 0;
      for (int i = 0; i < n; i++) x[a] += w->df[w->row[a] * n + i] * X[i];
    }
    if (w->r) num_cholesky_solve(w->r, w->S, x);
    for (int a = 0; a < w->r; a++)
      for (int i = 0; i < n; i++) X[i] -= x[a] * w->up[a * n + i];
    for (int k = 0; k < count; k++) {
      const double part = inner(w, X, e + k * n);
      for (int i = 0; i < n; i++) X[i] -= part * e[k * n + i];
    }
  }
  const double left = sqrt(inner(w, X, X));
  for (int i = 0; i < n; i++) X[i] /= left;
  return left > 1e-6 * whole;
}

// direction and frame at the start
static const char* begin(guide* w, const double* v, double* y)
{
  const int n = w->n;
  if (!look(w, y)) return "the metric has no value at the point";
  double *basis = y + n, *e = geom_take(w->work, n * n, sizeof(double));
  memcpy(e, v, sizeof(double) * (size_t)n);
  if (!straighten(w, 0, NULL, e)) return "the state is at rest: there is no direction to go";
  memcpy(basis, e, sizeof(double) * (size_t)n);
  for (int found = 1, tried = 0; found <= w->k && tried < n; tried++) {
    double* X = basis + found * n;
    memset(X, 0, sizeof(double) * (size_t)n);
    X[tried] = 1;
    found += straighten(w, found, basis, X);
    if (tried + 1 == n && found <= w->k) return "the metric is degenerate at the point";
  }
  double* A = y + 2 * n + w->k * n;
  memset(A, 0, sizeof(double) * (size_t)(2 * w->k * w->k + 1));
  for (int a = 0; a < w->k; a++) A[w->k * w->k + a * w->k + a] = 1;
  return NULL;
}

// ---- what is seen on the way --------------------------------------------------------------------

typedef struct follower
{
  guide* w;
  geom_geodesic* out;
  const geom_geodesic_ask* ask;
  step_stepper* stepper;
  double *y, *at;
  int* multiple;
  geom_fields fields;
} follower;

static void fields_at(void* context, double s, double* y)
{
  follower* c = context;
  const int k = c->w->k;
  c->stepper->method->dense(c->stepper, s, c->y);
  memcpy(y, c->y + 2 * c->w->n + k * c->w->n, sizeof(double) * (size_t)(2 * k * k));
}

static void record(follower* c, double s)
{
  geom_geodesic* out = c->out;
  guide* w = c->w;
  const int n = w->n;
  const size_t mark = base_arena_mark(w->work);
  memcpy(out->q + out->rows * n, c->y, sizeof(double) * (size_t)n);
  memcpy(out->v + out->rows * n, c->y + n, sizeof(double) * (size_t)n);
  out->at[out->rows] = s;
  if (out->time) out->time[out->rows] = c->y[state_size(w) - 1];
  if (look(w, c->y)) {
    out->unit = fmax(out->unit, fabs(inner(w, c->y + n, c->y + n) - 1));
    for (int k = 0; k < w->s->rest; k++) out->off = fmax(out->off, fabs(w->f[k]));
  }
  out->rows++;
  base_arena_cut(w->work, mark);
}

// the states at the times asked for that lie within the last step; time only grows
static void record_instants(follower* c)
{
  geom_geodesic* out = c->out;
  step_stepper* s = c->stepper;
  const int last = state_size(c->w) - 1;
  while (out->instants < c->ask->instants && out->time && c->ask->t[out->instants] <= s->y[last]) {
    double low = s->t_old, high = s->t;
    for (int i = 0; i < 60 && low < high; i++) {
      const double middle = low + (high - low) / 2;
      if (!(middle > low && middle < high)) break;
      s->method->dense(s, middle, c->y);
      *(c->y[last] < c->ask->t[out->instants] ? &low : &high) = middle;
    }
    s->method->dense(s, high, c->y);
    memcpy(out->then + out->instants * c->w->n, c->y, sizeof(double) * (size_t)c->w->n);
    out->instants++;
  }
}

static step_status follow(void* context, step_stepper* s)
{
  follower* c = context;
  geom_geodesic* out = c->out;
  const int n = c->w->n, rows = c->ask->rows;
  c->stepper = s;
  for (;;) {
    const double at = c->ask->length * out->rows / (rows - 1);
    if (out->rows >= rows || at > s->t) break;
    s->method->dense(s, at, c->y);
    record(c, at);
  }
  record_instants(c);
  const int found =
      geom_conjugate_find(&c->fields, fields_at, c, s->t_old, s->t, c->at, c->multiple);
  for (int i = 0; i < found && out->conjugates < MOST_CONJUGATES; i++) {
    geom_conjugate* x = &out->conjugate[out->conjugates++];
    *x = (geom_conjugate){.at = c->at[i], .multiple = c->multiple[i]};
    x->q = geom_take(out->arena, n, sizeof(double));
    s->method->dense(s, x->at, c->y);
    memcpy(x->q, c->y, sizeof(double) * (size_t)n);
  }
  return STEP_OK;
}

static const char* go(guide* w, geom_geodesic* out, const geom_geodesic_ask* ask)
{
  const int size = state_size(w), n = w->n, k = w->k;
  double *y = geom_take(out->arena, size, sizeof(double)),
         *abs_tol = geom_take(out->arena, size, sizeof(double));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < w->s->symbols; j++)
      if (w->s->symbol[j] == w->s->q[i]) y[i] = w->s->value[j];
  const char* why = begin(w, ask->v, y);
  if (why) return why;
  // lengths across are of the size of the way, velocities of one over the metric
  for (int i = 0; i < size; i++) {
    const double unit = i < n                  ? ask->length * fabs(y[n + i])
                        : i < 2 * n + k * n    ? fabs(y[i])
                        : i < size - 1 - k * k ? ask->length
                                               : 1;
    abs_tol[i] = ask->tolerance * (unit > 0 ? unit : 1e-3 * (1 + ask->length));
  }
  const step_ode ode = {
      .n = size, .rhs = rhs, .context = w, .rel_tol = ask->tolerance, .abs_tol = abs_tol};
  step_stepper* s = step_method_dop853.create(&step_method_dop853, &ode);
  follower c = {.w = w, .out = out, .ask = ask, .stepper = s};
  c.y = geom_take(out->arena, size, sizeof(double));
  c.at = geom_take(out->arena, k, sizeof(double));
  c.multiple = geom_take(out->arena, k, sizeof(int));
  c.fields = (geom_fields){k, geom_take(out->arena, geom_conjugate_room(k), sizeof(double))};
  const step_way way = {.most_steps = MOST_STEPS, .ask = follow, .context = &c};
  const step_status status = step_carry(s, 0, y, ask->length, &way);
  s->method->destroy(s);
  if (status == STEP_OK) return NULL;
  return status == STEP_TOO_MANY ? "it takes too many steps"
                                 : "the metric ends there: it could not be followed on";
}

geom_geodesic* geom_geodesic_make(const geom_space* whole, const geom_geodesic_ask* ask)
{
  base_arena* arena = base_arena_new();
  geom_geodesic* out = base_arena_take(arena, sizeof *out);
  out->arena = arena;
  out->s = whole;
  out->n = whole->n;
  const int n = out->n, rows = ask->rows;
  out->at = geom_take(arena, rows, sizeof(double));
  out->q = geom_take(arena, rows * n, sizeof(double));
  out->v = geom_take(arena, rows * n, sizeof(double));
  out->conjugate = geom_take(arena, MOST_CONJUGATES, sizeof *out->conjugate);
  if (whole->factor != EXPR_NONE) out->time = geom_take(arena, rows, sizeof(double));
  if (ask->instants) out->then = geom_take(arena, ask->instants * n, sizeof(double));
  geom_place* p = geom_place_make(whole, NULL);
  if (p) {
    guide w = {.s = whole, .n = n, .r = p->rank, .k = p->n - 1, .row = p->row};
    w.work = base_arena_new();
    out->d = p->n;
    out->why = go(&w, out, ask);
    base_arena_free(w.work);
  } else {
    out->why = "the metric has no value at the point";
  }
  geom_place_free(p);
  return out;
}

void geom_geodesic_free(geom_geodesic* g)
{
  if (g) base_arena_free(g->arena);
}
