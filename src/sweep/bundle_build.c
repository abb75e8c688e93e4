// The kernels of many runs side by side.
//
// With q' = velocity(t, q, u) = Z u + k (mech/reduce.c) and q'' = Z u' + b, b the rest of the
// derivative along the motion, Maggi's equations are
//   Z^T M Z u' = Z^T (F - M b)
// and one kernel gives u' and q' (Kondrenkina 2018, I(3.17)). Reactions and accelerations, where a
// result needs them, come from M a = F + A^T Lambda, A a = c at the end alone.
#include "sweep/bundle.h"

#include "walk/walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_coordinates = 16, most_operations = 3000, most_simplified = 400, default_end = 10 };
static const double least_pivot = 1e-10;

typedef struct builder
{
  sweep_bundle* b;
  engine* e;
  const mech_system* s;
  expr_pool* pool;
  base_arena* arena;
  const mech_reduction* r;
  const walk_options* o;
  const int* param;
  bool events;
  int inputs;
  expr* input; // t, q, u, params
  int fixed;   // params that are numbers, and rates that are zero
  expr *from, *to;
} builder;

static expr* take(const builder* w, int count)
{
  return base_arena_take(w->arena, sizeof(expr) * (size_t)(count + 1));
}

// ---- what suits ---------------------------------------------------------------------------------

static const char* event_obstacle(const builder* w)
{
  const engine* e = w->e;
  const model* m = e->model;
  for (int i = 0; i < m->events; i++) {
    const model_action action = m->event[i].action;
    if (action == MODEL_CHANGE) return "an event changes the motion";
    if (action == MODEL_STOP && !w->events) return "an event stops the motion";
    if (w->events && e->watch_needs_accelerations[i])
      return "an event depends on accelerations or reactions";
  }
  return NULL;
}

static const char* constraint_obstacle(const engine* e)
{
  const expr_pool* pool = e->s->pool;
  for (int k = 0; k < e->m; k++) {
    const model_constraint* c = &e->model->constraint[k];
    if (c->sense || !engine_is_ideal(e, k)) return "a constraint is one-sided or held by a control";
    if (!e->active[k]) return "a constraint does not hold from the start";
    if (c->order != 1) return "a constraint is not of velocities";
    if (expr_has_any(pool, e->s->c[k], e->n, e->s->a)) return "a constraint holds accelerations";
  }
  return NULL;
}

// does param i differ between the runs?
static bool is_axis(const builder* w, int i)
{
  for (int k = 0; k < w->b->axes; k++)
    if (w->param[k] == i) return true;
  return false;
}

static const char* obstacle(const builder* w)
{
  const engine* e = w->e;
  const model* m = e->model;
  const char* method = w->o->method ? w->o->method : m->method;
  if (*method && strcmp(method, "dop853") != 0) return "another method than dop853 is asked for";
  if (m->stages) return "the model has stages";
  if (event_obstacle(w)) return event_obstacle(w);
  if (m->contacts) return "the model has contacts of surfaces";
  if (e->modes.count) return "its forces have corners or jumps";
  if (e->forces_feel || e->least || e->unilateral) return "its forces depend on reactions";
  if (e->n > most_coordinates || code_operations(e->eom) > most_operations)
    return "the model is large";
  for (int i = 0; i < e->n; i++)
    if (expr_has_any(w->pool, e->s->F[i], e->n, e->s->a)) return "forces hold accelerations";
  for (int i = 0; i < m->initials; i++)
    if (m->initial[i].coord < 0) return "an initial equation is not of one coordinate";
  for (int i = 0; i < m->params; i++)
    if (m->param[i].changes && !is_axis(w, i)) return "params change";
  return constraint_obstacle(e);
}

// ---- expressions --------------------------------------------------------------------------------

static void lay_out(builder* w)
{
  const model* m = w->s->model;
  const int n = w->b->n, l = w->r->l;
  w->input = take(w, 1 + n + l + w->b->axes);
  w->input[w->inputs++] = m->t;
  for (int i = 0; i < n; i++) w->input[w->inputs++] = w->s->q[i];
  for (int i = 0; i < l; i++) w->input[w->inputs++] = w->r->u[i];
  for (int i = 0; i < w->b->axes; i++) w->input[w->inputs++] = m->param[w->param[i]].symbol;
  w->from = take(w, 3 * m->params);
  w->to = take(w, 3 * m->params);
  for (int i = 0; i < m->params; i++) {
    const model_param* a = &m->param[i];
    const expr zero = expr_int(w->pool, 0);
    const expr rates[2] = {a->rate, a->rate2};
    if (!a->changes) {
      w->from[w->fixed] = a->symbol;
      w->to[w->fixed++] = a->value;
    }
    for (int k = 0; k < 2 && a->changes; k++) {
      w->from[w->fixed] = rates[k];
      w->to[w->fixed++] = zero;
    }
  }
}

// fixed params as numbers, rates of the others as zero; false where one divides by zero
static bool fix(const builder* w, int count, expr* list)
{
  expr_substitute_all(w->pool, count, list, w->fixed, w->from, w->to, list);
  bool whole = true;
  for (int i = 0; i < count; i++) whole = whole && list[i] != EXPR_NONE;
  return whole && !expr_pool_full(w->pool);
}

// the same in u in place of q'
static bool reduce(const builder* w, int count, expr* list)
{
  expr_substitute_all(w->pool, count, list, w->b->n, w->s->v, w->r->velocity, list);
  return fix(w, count, list);
}

static expr dot(const builder* w, int count, const expr* a, int a_step, const expr* b, int b_step)
{
  expr sum = expr_int(w->pool, 0);
  for (int i = 0; i < count; i++)
    sum = expr_add(w->pool, sum, expr_mul(w->pool, a[i * a_step], b[i * b_step]));
  return sum;
}

static void simplify(const builder* w, int count, expr* list)
{
  if (code_operations(w->e->eom) > most_simplified) return;
  for (int i = 0; i < count; i++) list[i] = expr_simplify(w->pool, list[i]);
}

// ---- kernels ------------------------------------------------------------------------------------

// b_i = sum_j d velocity_i/dq_j velocity_j + d velocity_i/dt, u held
static void bend(const builder* w, const expr* velocity, expr* b)
{
  const int n = w->b->n;
  expr* slope = take(w, n);
  for (int i = 0; i < n; i++) {
    expr_gradient(w->pool, velocity[i], n, w->s->q, slope);
    b[i] = expr_add(w->pool, dot(w, n, slope, 1, velocity, 1),
                    expr_diff(w->pool, velocity[i], w->s->model->t));
  }
}

static bool build_rates(builder* w)
{
  const int n = w->b->n, l = w->r->l;
  const mech_system* s = w->s;
  expr *M = take(w, n * n), *F = take(w, n), *Z = take(w, n * l), *v = take(w, n), *b = take(w, n);
  expr *MZ = take(w, n * l), *Mu = take(w, l * l), *Fu = take(w, l), *rest = take(w, n);
  memcpy(M, s->M, sizeof(expr) * (size_t)(n * n));
  memcpy(F, s->F, sizeof(expr) * (size_t)n);
  memcpy(Z, w->r->Z, sizeof(expr) * (size_t)(n * l));
  memcpy(v, w->r->velocity, sizeof(expr) * (size_t)n);
  if (!reduce(w, n * n, M) || !reduce(w, n, F) || !fix(w, n * l, Z) || !fix(w, n, v)) return false;
  bend(w, v, b);
  for (int i = 0; i < n; i++) {
    rest[i] = expr_sub(w->pool, F[i], dot(w, n, M + i * n, 1, b, 1));
    for (int k = 0; k < l; k++) MZ[i * l + k] = dot(w, n, M + i * n, 1, Z + k, l);
  }
  for (int k = 0; k < l; k++) {
    for (int h = 0; h < l; h++) Mu[k * l + h] = dot(w, n, Z + k, l, MZ + h, l);
    Fu[k] = dot(w, n, Z + k, l, rest, 1);
  }
  simplify(w, l * l, Mu);
  simplify(w, l, Fu);
  if (expr_pool_full(w->pool)) return false;
  const code_linear problem = {
      .n = l, .M = Mu, .F = Fu, .tolerance = least_pivot, .others = n, .other = v};
  w->b->rates = code_build_solve(w->pool, &problem, w->inputs, w->input, NULL);
  return w->b->rates != NULL;
}

// what a column shows, in t, q, q', q'' and reactions
static void list_columns(const builder* w, const int* column, expr* out)
{
  const model* m = w->s->model;
  walk_track track = {.model = m, .arena = w->arena};
  walk_rows_columns(&track);
  expr* all = take(w, track.columns);
  int at = 0;
  all[at++] = m->t;
  for (int i = 0; i < m->coords; i++) all[at++] = m->coord[i].q;
  for (int i = 0; i < m->coords; i++) all[at++] = m->coord[i].v;
  for (int i = 0; i < m->quasis; i++)
    if (m->quasi[i].order == 1) all[at++] = m->quasi[i].value;
  for (int i = 0; i < track.forces; i++) all[at++] = m->reaction[track.force[i]];
  for (int i = 0; i < m->outputs; i++) all[at++] = m->output[i].value;
  for (int i = 0; i < w->b->columns; i++) out[i] = all[column[i]];
}

static bool build_results(builder* w, const int* column)
{
  const int n = w->b->n, m = w->b->m, count = w->b->columns;
  const mech_system* s = w->s;
  expr* list = take(w, count);
  list_columns(w, column, list);
  bool dynamic = false;
  for (int i = 0; i < count; i++)
    dynamic = dynamic || expr_has_any(w->pool, list[i], n, s->a) ||
              expr_has_any(w->pool, list[i], m, s->model->reaction);
  if (!reduce(w, count, list)) return false;
  if (!dynamic) {
    w->b->results = code_build(w->pool, count, list, w->inputs, w->input, NULL);
    return w->b->results != NULL;
  }
  expr *M = take(w, n * n), *F = take(w, n), *A = take(w, m * n), *b = take(w, m);
  memcpy(M, s->M, sizeof(expr) * (size_t)(n * n));
  memcpy(F, s->F, sizeof(expr) * (size_t)n);
  if (m) memcpy(A, s->A, sizeof(expr) * (size_t)(m * n));
  for (int k = 0; k < m; k++) b[k] = expr_neg(w->pool, s->c[k]);
  if (!reduce(w, n * n, M) || !reduce(w, n, F) || !reduce(w, m * n, A) || !reduce(w, m, b))
    return false;
  const code_linear problem = {.n = n,
                               .rows = m,
                               .M = M,
                               .F = F,
                               .A = A,
                               .b = b,
                               .tolerance = least_pivot,
                               .others = count,
                               .other = list,
                               .unknown = s->a,
                               .multiplier = s->model->reaction};
  w->b->results = code_build_solve(w->pool, &problem, w->inputs, w->input, NULL);
  w->b->before = n + 1;
  return w->b->results != NULL;
}

// ---- starts -------------------------------------------------------------------------------------

// guesses and given values as in start.c; a velocity that is given stays
typedef struct beginning
{
  expr t_from, t_to;
  expr *q, *v;
  double* weight; // of velocities; 0: given
} beginning;

static beginning find_beginning(const builder* w)
{
  const model* m = w->s->model;
  const int n = w->b->n;
  beginning g = {.q = take(w, n), .v = take(w, n)};
  g.weight = base_arena_take(w->arena, sizeof(double) * (size_t)(n + 1));
  g.t_from = m->has_run ? m->run_from : expr_int(w->pool, 0);
  g.t_to = m->has_run ? m->run_to : expr_int(w->pool, default_end);
  for (int i = 0; i < n; i++) {
    g.q[i] = expr_int(w->pool, m->coord[i].start);
    g.v[i] = expr_int(w->pool, 0);
    g.weight[i] = 1;
  }
  for (int i = 0; i < m->initials; i++) {
    const model_initial* x = &m->initial[i];
    (x->order ? g.v : g.q)[x->coord] = x->value;
    if (x->order) g.weight[x->coord] = x->guess ? 10 : 0;
  }
  // a given value stands above a guess
  for (int i = 0; i < m->initials; i++) {
    const model_initial* x = &m->initial[i];
    if (x->guess) continue;
    (x->order ? g.v : g.q)[x->coord] = x->value;
    if (x->order) g.weight[x->coord] = 0;
  }
  return g;
}

// expressions of the state at the start, with the velocities v
static bool at_start(const builder* w, const beginning* g, const expr* v, int count, expr* list)
{
  const int n = w->b->n;
  expr *from = take(w, 2 * n + 1), *to = take(w, 2 * n + 1);
  from[2 * n] = w->s->model->t;
  to[2 * n] = g->t_from;
  memcpy(from, w->s->q, sizeof(expr) * (size_t)n);
  memcpy(from + n, w->s->v, sizeof(expr) * (size_t)n);
  memcpy(to, g->q, sizeof(expr) * (size_t)n);
  memcpy(to + n, v, sizeof(expr) * (size_t)n);
  // values may hold the time
  expr_substitute_all(w->pool, 2 * n, to, 1, from + 2 * n, to + 2 * n, to);
  expr_substitute_all(w->pool, count, list, 2 * n + 1, from, to, list);
  return fix(w, count, list);
}

// the velocities nearest to the guesses that meet the constraints, those given kept:
//   D d = A_f^T lambda, A_f d + f1 = 0
static bool build_nearest(builder* w, const beginning* g)
{
  const int n = w->b->n, m = w->b->m, l = w->r->l;
  const mech_system* s = w->s;
  int* which = base_arena_take(w->arena, sizeof(int) * (size_t)(n + 1));
  int count = 0;
  for (int i = 0; i < n; i++)
    if (g->weight[i] > 0) which[count++] = i;
  if (!m || count < m) return true;
  expr *D = take(w, count * count), *zero = take(w, count), *A = take(w, m * count);
  expr *f = take(w, m), *d = take(w, count), *v = take(w, n), *other = take(w, l + m);
  memcpy(v, g->v, sizeof(expr) * (size_t)n);
  for (int i = 0; i < count; i++) {
    const double weight = g->weight[which[i]];
    d[i] = expr_symbol(w->pool, base_arena_printf(w->arena, "change(%d)", i));
    v[which[i]] = expr_add(w->pool, v[which[i]], d[i]);
    zero[i] = expr_int(w->pool, 0);
    for (int k = 0; k < count; k++)
      D[i * count + k] = expr_int(w->pool, k == i ? (long)(weight * weight) : 0);
    for (int k = 0; k < m; k++) A[k * count + i] = s->A[k * n + which[i]];
  }
  memcpy(f, s->f1, sizeof(expr) * (size_t)m);
  memcpy(other, w->r->meaning, sizeof(expr) * (size_t)l);
  memcpy(other + l, s->f1, sizeof(expr) * (size_t)m);
  if (!at_start(w, g, g->v, m, f) || !at_start(w, g, g->v, m * count, A) ||
      !at_start(w, g, v, l + m, other))
    return false;
  const code_linear problem = {.n = count,
                               .rows = m,
                               .M = D,
                               .F = zero,
                               .A = A,
                               .b = f,
                               .tolerance = least_pivot,
                               .others = l + m,
                               .other = other,
                               .unknown = d};
  w->b->free = count;
  w->b->nearest =
      code_build_solve(w->pool, &problem, w->b->axes, w->input + w->inputs - w->b->axes, NULL);
  return true;
}

static bool build_start(builder* w)
{
  const int n = w->b->n, l = w->r->l, m = w->b->m, bounds = w->s->model->bounds;
  const int count = 2 + n + l + m + bounds;
  const beginning g = find_beginning(w);
  expr* list = take(w, count);
  list[0] = g.t_from;
  list[1] = isnan(w->o->until) ? g.t_to : expr_double(w->pool, w->o->until);
  memcpy(list + 2, w->s->q, sizeof(expr) * (size_t)n);
  memcpy(list + 2 + n, w->r->meaning, sizeof(expr) * (size_t)l);
  if (m) memcpy(list + 2 + n + l, w->s->f1, sizeof(expr) * (size_t)m);
  if (bounds) memcpy(list + 2 + n + l + m, w->s->model->bound, sizeof(expr) * (size_t)bounds);
  w->b->bounds = bounds;
  if (!at_start(w, &g, g.v, count, list)) return false;
  w->b->start =
      code_build(w->pool, count, list, w->b->axes, w->input + w->inputs - w->b->axes, NULL);
  return w->b->start && build_nearest(w, &g);
}

static bool build_watches(builder* w)
{
  const model* m = w->s->model;
  if (!w->events || !m->events) return true;
  expr* list = take(w, m->events);
  w->b->stops = base_alloc((size_t)m->events);
  w->b->direction = base_alloc(sizeof(int) * (size_t)m->events);
  for (int i = 0; i < m->events; i++) {
    list[i] = m->event[i].g;
    w->b->stops[i] = m->event[i].action == MODEL_STOP;
    w->b->direction[i] = m->event[i].direction;
  }
  w->b->events = m->events;
  if (!reduce(w, m->events, list)) return false;
  w->b->watches = code_build(w->pool, m->events, list, w->inputs, w->input, NULL);
  return w->b->watches != NULL;
}

static bool depends_on_time(const mech_system* s)
{
  bool depends = false;
  for (int i = 0; i < s->n; i++) depends = depends || expr_has(s->pool, s->F[i], s->model->t);
  for (int k = 0; k < s->m; k++) depends = depends || expr_has(s->pool, s->c[k], s->model->t);
  for (int i = 0; i < s->model->events; i++)
    depends = depends || expr_has(s->pool, s->model->event[i].g, s->model->t);
  return depends;
}

bool sweep_bundle_build(sweep_bundle* b, engine* e, const walk_options* o, const int* param,
                        const int* column, bool events, const char** why)
{
  builder w = {.b = b,
               .e = e,
               .s = e->s,
               .pool = e->s->pool,
               .arena = e->arena,
               .o = o,
               .param = param,
               .events = events};
  *why = obstacle(&w);
  if (*why) return false;
  w.r = mech_reduce(e->s, e->arena);
  *why = "its velocities have no quasi-velocities that serve everywhere";
  if (!w.r || w.r->l < 1) return false;
  b->l = w.r->l;
  b->by_time = depends_on_time(e->s);
  b->tolerance = o->tolerance > 0          ? o->tolerance
                 : e->model->tolerance > 0 ? e->model->tolerance
                                           : 1e-10;
  lay_out(&w);
  *why = "its equations cannot be made into one kernel";
  return build_rates(&w) && build_results(&w, column) && build_start(&w) && build_watches(&w);
}
