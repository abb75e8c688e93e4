// The kernels of many runs side by side.
//
// With q' = velocity(t, q, u) = Z u + k (mech/reduce.c) and q'' = Z u' + b, b the rest of the
// derivative along the motion, Maggi's equations are
//   Z^T M Z u' = Z^T (F - M b)
// and one kernel gives u' and q' (Kondrenkina 2018, I(3.17)). Reactions and accelerations, where a
// result needs them, come from M a = F + A^T Lambda, A a = c at the end alone.
#include "sweep/bundle_build.h"

#include "rate/rate.h"
#include "walk/walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_coordinates = 16, most_simplified = 400 };
// Of what the table of rates knows. Params may be those in which the runs differ; of constraints
// those of velocities are taken that hold from the start.
enum {
  takes = ENGINE_PARAMS | ENGINE_HOLDS_NONLINEAR | ENGINE_HOLDS_IMPLIED | ENGINE_HOLDS_PARTS |
          ENGINE_NEAR_SINGULAR
};
const double sweep_build_pivot = 1e-10;
// Of what an ordinary run may be off in its energy balance: one that comes near that is left to it,
// so that both judge alike.
static const double trusted_part = 0.5;

expr* sweep_build_take(const sweep_builder* w, int count)
{
  return base_arena_take(w->arena, sizeof(expr) * (size_t)(count + 1));
}

// ---- what suits ---------------------------------------------------------------------------------

static const char* constraint_obstacle(const engine* e)
{
  for (int k = 0; k < e->m; k++) {
    const model_constraint* c = &e->model->constraint[k];
    if (!e->mode.active[k]) return "a constraint does not hold from the start";
    if (c->order > 1) return "a constraint is of accelerations";
  }
  return NULL;
}

// does param i differ between the runs?
static bool is_axis(const sweep_builder* w, int i)
{
  for (int k = 0; k < w->b->axes; k++)
    if (w->param[k] == i) return true;
  return false;
}

static const char* obstacle(const sweep_builder* w)
{
  engine* e = w->e;
  const model* m = e->model;
  const engine_features some = w->events ? takes | ENGINE_CHANGES : takes,
                        asked = rate_features(e) & ~some;
  const char* method = w->o->method ? w->o->method : m->method;
  if (*method && strcmp(method, "dop853") != 0) return "another method than dop853 is asked for";
  if (asked) return engine_features_reason(asked);
  if (sweep_build_events_obstacle(w)) return sweep_build_events_obstacle(w);
  if (m->contacts) return "the model has contacts of surfaces";
  if (e->n > most_coordinates) return "it is too large";
  if (sweep_build_start_obstacle(w)) return sweep_build_start_obstacle(w);
  for (int i = 0; i < m->params; i++)
    if (m->param[i].changes && !is_axis(w, i)) return "params change";
  return constraint_obstacle(e);
}

// ---- expressions --------------------------------------------------------------------------------

static void lay_out(sweep_builder* w)
{
  const model* m = w->s->model;
  const int n = w->b->n, l = w->r->l;
  w->input = sweep_build_take(w, 1 + n + l + w->b->axes);
  w->input[w->inputs++] = m->t;
  for (int i = 0; i < n; i++) w->input[w->inputs++] = w->s->q[i];
  for (int i = 0; i < l; i++) w->input[w->inputs++] = w->r->u[i];
  for (int i = 0; i < w->b->axes; i++) w->input[w->inputs++] = m->param[w->param[i]].symbol;
  w->from = sweep_build_take(w, 3 * m->params);
  w->to = sweep_build_take(w, 3 * m->params);
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

bool sweep_build_fix(const sweep_builder* w, int count, expr* list)
{
  expr_substitute_all(w->pool, count, list, w->fixed, w->from, w->to, list);
  bool whole = true;
  for (int i = 0; i < count; i++) whole = whole && list[i] != EXPR_NONE;
  return whole && !expr_pool_full(w->pool);
}

bool sweep_build_reduce(const sweep_builder* w, int count, expr* list)
{
  expr_substitute_all(w->pool, count, list, w->b->n, w->s->v, w->r->velocity, list);
  return sweep_build_fix(w, count, list);
}

static expr dot(const sweep_builder* w, int count, const expr* a, int a_step, const expr* b,
                int b_step)
{
  expr sum = expr_int(w->pool, 0);
  for (int i = 0; i < count; i++)
    sum = expr_add(w->pool, sum, expr_mul(w->pool, a[i * a_step], b[i * b_step]));
  return sum;
}

static void simplify(const sweep_builder* w, int count, expr* list)
{
  if (code_operations(w->e->program->eom) > most_simplified) return;
  for (int i = 0; i < count; i++) list[i] = expr_simplify(w->pool, list[i]);
}

// ---- kernels ------------------------------------------------------------------------------------

// b_i = sum_j d velocity_i/dq_j velocity_j + d velocity_i/dt, u held
static void bend(const sweep_builder* w, const expr* velocity, expr* b)
{
  const int n = w->b->n;
  expr* slope = sweep_build_take(w, n);
  for (int i = 0; i < n; i++) {
    expr_gradient(w->pool, velocity[i], n, w->s->q, slope);
    b[i] = expr_add(w->pool, dot(w, n, slope, 1, velocity, 1),
                    expr_diff(w->pool, velocity[i], w->s->model->t));
  }
}

// of M a = F + A^T Lambda with a = Z u' + b: M Z, and F - M b; velocities in u, then the power
typedef struct reduced
{
  expr *MZ, *rest, *v;
  expr* rate; // symbols of u'
} reduced;

// The power that changes H; false where it holds accelerations. Constraints that move have a share
// in it, the sum of Lambda_k (A v)_k, for which the reactions need not be known: A^T Lambda =
// M a - F, and a = Z u' + b.
static bool find_power(const sweep_builder* w, const reduced* x, expr* power)
{
  const int n = w->b->n, m = w->b->m, l = w->r->l;
  const expr* reaction = w->s->model->reaction;
  *power = w->e->program->power;
  if (expr_has_any(w->pool, *power, n, w->s->a)) return false;
  const bool moved = expr_has_any(w->pool, *power, m, reaction);
  for (int k = 0; k < m && moved; k++)
    *power = expr_substitute(w->pool, *power, 1, &reaction[k], w->s->zero);
  if (!sweep_build_reduce(w, 1, power)) return false;
  for (int i = 0; i < n && moved; i++) {
    const expr push = expr_sub(w->pool, dot(w, l, x->MZ + i * l, 1, x->rate, 1), x->rest[i]);
    *power = expr_add(w->pool, *power, expr_mul(w->pool, x->v[i], push));
  }
  return !expr_pool_full(w->pool);
}

static expr* rate_symbols(const sweep_builder* w)
{
  expr* rate = sweep_build_take(w, w->r->l);
  for (int i = 0; i < w->r->l; i++)
    rate[i] = expr_symbol(w->pool, base_arena_printf(w->arena, "rate(%d)", i));
  return rate;
}

static bool build_energy(sweep_builder* w)
{
  expr list[] = {w->s->H, model_kinetic(w->s->model)};
  if (!sweep_build_reduce(w, 2, list)) return false;
  simplify(w, 2, list);
  w->b->energy = code_build(w->pool, 2, list, w->inputs, w->input, NULL);
  return w->b->energy != NULL;
}

static bool build_rates(sweep_builder* w)
{
  const int n = w->b->n, l = w->r->l;
  const mech_system* s = w->s;
  expr *M = sweep_build_take(w, n * n), *F = sweep_build_take(w, n),
       *Z = sweep_build_take(w, n * l), *v = sweep_build_take(w, n + 1),
       *b = sweep_build_take(w, n);
  expr *MZ = sweep_build_take(w, n * l), *Mu = sweep_build_take(w, l * l),
       *Fu = sweep_build_take(w, l), *rest = sweep_build_take(w, n);
  memcpy(M, mech_mass(s), sizeof(expr) * (size_t)(n * n));
  memcpy(F, s->F, sizeof(expr) * (size_t)n);
  memcpy(Z, w->r->Z, sizeof(expr) * (size_t)(n * l));
  memcpy(v, w->r->velocity, sizeof(expr) * (size_t)n);
  if (!sweep_build_reduce(w, n * n, M) || !sweep_build_reduce(w, n, F) ||
      !sweep_build_fix(w, n * l, Z) || !sweep_build_fix(w, n, v))
    return false;
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
  const reduced x = {MZ, rest, v, rate_symbols(w)};
  if (!find_power(w, &x, &v[n])) return false;
  simplify(w, 1, &v[n]);
  const bool works = v[n] != expr_int(w->pool, 0);
  w->b->work = works ? l + 1 + n : -1;
  const code_linear problem = {.n = l,
                               .M = Mu,
                               .F = Fu,
                               .tolerance = sweep_build_pivot,
                               .others = n + works,
                               .other = v,
                               .unknown = x.rate};
  w->b->rates = code_build_solve(w->pool, &problem, w->inputs, w->input, NULL);
  return w->b->rates != NULL;
}

// what a column shows, in t, q, q', q'' and reactions
static void list_columns(const sweep_builder* w, const int* column, expr* out)
{
  const model* m = w->s->model;
  walk_track track = {.model = m, .arena = w->arena};
  walk_rows_columns(&track);
  expr* all = sweep_build_take(w, track.columns);
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

static bool build_results(sweep_builder* w, const int* column)
{
  const int n = w->b->n, m = w->b->m, count = w->b->columns;
  const mech_system* s = w->s;
  expr* list = sweep_build_take(w, count);
  list_columns(w, column, list);
  bool dynamic = false;
  for (int i = 0; i < count; i++)
    dynamic = dynamic || expr_has_any(w->pool, list[i], n, s->a) ||
              expr_has_any(w->pool, list[i], m, s->model->reaction);
  if (!sweep_build_reduce(w, count, list)) return false;
  if (!dynamic) {
    w->b->results = code_build(w->pool, count, list, w->inputs, w->input, NULL);
    return w->b->results != NULL;
  }
  expr *M = sweep_build_take(w, n * n), *F = sweep_build_take(w, n),
       *A = sweep_build_take(w, m * n), *b = sweep_build_take(w, m);
  memcpy(M, mech_mass(s), sizeof(expr) * (size_t)(n * n));
  memcpy(F, s->F, sizeof(expr) * (size_t)n);
  if (m) memcpy(A, s->A, sizeof(expr) * (size_t)(m * n));
  for (int k = 0; k < m; k++) b[k] = expr_neg(w->pool, s->c[k]);
  if (!sweep_build_reduce(w, n * n, M) || !sweep_build_reduce(w, n, F) ||
      !sweep_build_reduce(w, m * n, A) || !sweep_build_reduce(w, m, b))
    return false;
  const code_linear problem = {.n = n,
                               .rows = m,
                               .M = M,
                               .F = F,
                               .A = A,
                               .b = b,
                               .tolerance = sweep_build_pivot,
                               .others = count,
                               .other = list,
                               .unknown = s->a,
                               .multiplier = s->model->reaction};
  w->b->results = code_build_solve(w->pool, &problem, w->inputs, w->input, NULL);
  w->b->before = n + 1;
  return w->b->results != NULL;
}

// ---- all of them
// ----------------------------------------------------------------------------------

// an event that comes when time does cannot be stepped over
static bool depends_on_time(const mech_system* s)
{
  bool depends = false;
  for (int i = 0; i < s->n; i++) depends = depends || expr_has(s->pool, s->F[i], s->model->t);
  for (int k = 0; k < s->m; k++) depends = depends || expr_has(s->pool, s->c[k], s->model->t);
  for (int i = 0; i < s->model->events; i++)
    depends =
        depends || !expr_is_number(s->pool, expr_diff(s->pool, s->model->event[i].g, s->model->t));
  return depends;
}

bool sweep_bundle_build(sweep_bundle* b, engine* e, const walk_options* o, const int* param,
                        const int* column, bool events, const char** why)
{
  sweep_builder w = {.b = b,
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
  w.whole = !w.r && e->m > 0;
  if (w.whole) {
    *why = sweep_build_whole_obstacle(&w);
    if (*why) return false;
    w.r = sweep_build_whole(&w);
  }
  *why = "its velocities have no quasi-velocities that serve everywhere";
  if (!w.r || w.r->l < 1) return false;
  b->l = w.r->l;
  b->by_time = depends_on_time(e->s);
  b->tolerance = o->tolerance > 0          ? o->tolerance
                 : e->model->tolerance > 0 ? e->model->tolerance
                                           : 1e-10;
  lay_out(&w);
  *why = "its equations cannot be made into one kernel";
  b->allowed = trusted_part * walk_trust_allowed(b->tolerance);
  const bool built = (w.whole ? sweep_build_whole_rates : build_rates)(&w) && build_energy(&w) &&
                     build_results(&w, column) && sweep_build_start(&w) && sweep_build_events(&w);
  // as in convoys, where constraints or the start are not of the simplest
  if (w.whole || b->rows != b->m) b->tolerance *= sweep_finer;
  return built;
}
