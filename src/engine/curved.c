// Constraints nonlinear in the accelerations: the motion takes the accelerations that make Gauss's
// function least among those that satisfy them (Do Shan 1973, part 1).
//
// Constraints affine in the accelerations are met by a = a_p + Z w. Left to find are w with
//   U(w) = 1/2 w^T H w - r^T w least,  H = Z^T M Z,  r = Z^T (F - M a_p),  f_j(a_p + Z w) = 0.
// At the start and after every restart all stationary points are looked for and the least is taken;
// inside steps the branch taken is followed by Newton's method from the anchor, its place at the
// start of the step, so that the right-hand side is a smooth function of the state.
#include "engine/inside.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- what is known in advance -------------------------------------------------------------------

// Degree of a polynomial in the accelerations, 0 where f is none: along a line in general position
// a = b + tau d the derivative of order degree + 1 vanishes.
static int degree_in(const engine_program* p, expr f)
{
  expr_pool* pool = p->s->pool;
  const expr tau = expr_symbol(pool, "(tau)");
  expr* line = base_alloc(sizeof(expr) * (size_t)(p->n + 1));
  for (int i = 0; i < p->n; i++) {
    const expr along = expr_mul(pool, expr_ratio(pool, 7 + 5 * i, 11 + 2 * i), tau);
    line[i] = expr_add(pool, expr_ratio(pool, 3 - 2 * i, 13), along);
  }
  expr g = expr_substitute(pool, f, p->n, p->s->a, line);
  free(line);
  for (int degree = 0; degree <= ENGINE_CURVED_DEGREE && g != EXPR_NONE; degree++) {
    g = expr_diff(pool, g, tau);
    if (g != EXPR_NONE && expr_is_zero(pool, g) == EXPR_YES) return degree;
  }
  return 0;
}

// f, its gradient and second derivatives by the accelerations, for every such constraint
int engine_curved_list(const engine_program* p, expr** out)
{
  const int n = p->n, each = 1 + n + n * n;
  BASE_LIST(expr) list = {0};
  for (int k = 0; k < p->m; k++) {
    if (!mech_is_nonlinear(p->s, k)) continue;
    expr* part = base_alloc(sizeof(expr) * (size_t)each);
    part[0] = p->model->constraint[k].f;
    memcpy(part + 1, p->s->A + k * n, sizeof(expr) * (size_t)n);
    for (int i = 0; i < n; i++)
      expr_gradient(p->s->pool, part[1 + i], n, p->s->a, part + 1 + n + i * n);
    for (int i = 0; i < each; i++) base_push(&list, part[i]);
    free(part);
  }
  *out = list.at;
  return list.n;
}

int* engine_curved_degrees(engine_program* p)
{
  int at = 0, *degree = engine_program_take(p, (size_t)p->m, sizeof(int));
  for (int k = 0; k < p->m; k++)
    if (mech_is_nonlinear(p->s, k)) degree[at++] = degree_in(p, p->model->constraint[k].f);
  return degree;
}

engine_curved* engine_curved_new(engine* e)
{
  int count = 0;
  for (int k = 0; k < e->m; k++) count += mech_is_nonlinear(e->s, k);
  engine_curved* f = base_arena_take(e->arena, sizeof *f);
  const size_t n = (size_t)e->n, room = (size_t)count;
  f->kernel = e->program->curved;
  f->count = count;
  f->of = base_arena_take(e->arena, sizeof(int) * (room + 1));
  f->now = base_arena_take(e->arena, sizeof(int) * (room + 1));
  f->looked_at = base_arena_take(e->arena, sizeof(int) * (room + 1));
  f->degree = e->program->curved_degree;
  f->out = base_arena_take(e->arena, sizeof(double) * (room * (1 + n + n * n) + 1));
  f->ap = base_arena_take(e->arena, sizeof(double) * n);
  f->Z = base_arena_take(e->arena, sizeof(double) * n * n);
  f->H = base_arena_take(e->arena, sizeof(double) * n * n);
  f->r = base_arena_take(e->arena, sizeof(double) * n);
  f->anchor_a = base_arena_take(e->arena, sizeof(double) * n);
  f->anchor_lambda = base_arena_take(e->arena, sizeof(double) * (size_t)(e->m + 1));
  f->found_lambda = base_arena_take(e->arena, sizeof(double) * (size_t)(e->m + 1));
  f->rival_a = base_arena_take(e->arena, sizeof(double) * n);
  f->rival_lambda = base_arena_take(e->arena, sizeof(double) * (size_t)(e->m + 1));
  int at = 0;
  for (int k = 0; k < e->m; k++)
    if (mech_is_nonlinear(e->s, k)) f->of[at++] = k;
  // more constraints than accelerations are refused where they all hold (`fits`): no room for them
  const int l_max = e->n < LEAST_STATIONARY_MOST ? e->n : LEAST_STATIONARY_MOST;
  f->solver = least_stationary_new(l_max, count < l_max ? count : l_max);
  return f;
}

void engine_curved_free(engine_curved* f)
{
  if (!f) return;
  least_stationary_free(f->solver);
  free(f->term);
}

// ---- the problem at a state ---------------------------------------------------------------------

int engine_curved_evaluate(void* context, const double* w, double* phi, double* grad, double* hess)
{
  engine* e = context;
  engine_curved* f = e->least;
  const int n = e->n, l = f->l, each = 1 + n + n * n;
  for (int i = 0; i < n; i++) {
    e->a[i] = f->ap[i];
    for (int k = 0; k < l; k++) e->a[i] += f->Z[i * l + k] * w[k];
  }
  code_run(f->kernel, e->in, f->out, e->work.scratch);
  for (int j = 0; j < f->active; j++) {
    const double *value = f->out + f->now[j] * each, *g = value + 1, *h = g + n;
    if (!isfinite(*value)) return 1;
    if (phi) phi[j] = *value;
    for (int k = 0; k < l && grad; k++) {
      double sum = 0;
      for (int i = 0; i < n; i++) sum += g[i] * f->Z[i * l + k];
      grad[j * l + k] = sum;
      if (!isfinite(sum)) return 1;
    }
    for (int k = 0; k < l && hess; k++) {
      double* row = e->work.x;
      for (int i = 0; i < n; i++) {
        row[i] = 0;
        for (int i2 = 0; i2 < n; i2++) row[i] += h[i * n + i2] * f->Z[i2 * l + k];
      }
      for (int k2 = 0; k2 < l; k2++) {
        double sum = 0;
        for (int i = 0; i < n; i++) sum += f->Z[i * l + k2] * row[i];
        hess[(j * l + k2) * l + k] = sum;
        if (!isfinite(sum)) return 1;
      }
    }
  }
  return 0;
}

// the rows affine in the accelerations, packed; how many
static int affine_rows(engine* e)
{
  const int n = e->n;
  int rows = 0;
  for (int r = 0; r < e->mode.rows; r++) {
    const int k = e->mode.row[r];
    if (mech_is_nonlinear(e->s, k)) continue;
    memcpy(e->work.Ar + rows * n, e->A + k * n, sizeof(double) * (size_t)n);
    e->work.br[rows++] = e->c[k];
  }
  return rows;
}

void engine_curved_set_up(engine* e)
{
  engine_curved* f = e->least;
  const int n = e->n;
  engine_equations(e);
  e->factored = false;
  f->active = 0;
  for (int j = 0; j < f->count; j++)
    if (e->mode.active[f->of[j]]) f->now[f->active++] = j;
  const int rows = affine_rows(e), rank = num_null_factor(e->work.null, rows, n, e->work.Ar, 0);
  f->l = n - rank;
  num_null_basis(e->work.null, f->Z);
  num_null_solve(e->work.null, e->work.Ar, e->work.br, f->ap);
  const int l = f->l;
  for (int i = 0; i < n; i++) {
    e->work.g[i] = e->F[i];
    for (int j = 0; j < n; j++) e->work.g[i] -= e->M[i * n + j] * f->ap[j];
  }
  for (int k = 0; k < l; k++) {
    f->r[k] = 0;
    for (int i = 0; i < n; i++) {
      f->r[k] += f->Z[i * l + k] * e->work.g[i];
      e->work.x[i] = 0;
      for (int j = 0; j < n; j++) e->work.x[i] += e->M[i * n + j] * f->Z[j * l + k];
    }
    for (int h = 0; h < l; h++) {
      double sum = 0;
      for (int i = 0; i < n; i++) sum += f->Z[i * l + h] * e->work.x[i];
      f->H[h * l + k] = sum;
    }
  }
}

static least_stationary_problem problem_of(engine* e)
{
  engine_curved* f = e->least;
  return (least_stationary_problem){.l = f->l,
                                    .s = f->active,
                                    .H = f->H,
                                    .r = f->r,
                                    .eval = engine_curved_evaluate,
                                    .context = e,
                                    .wide = e->n,
                                    .place = f->ap,
                                    .basis = f->Z};
}

void engine_curved_take(engine* e, const double* w)
{
  engine_curved* f = e->least;
  const int n = e->n, l = f->l;
  for (int i = 0; i < n; i++) {
    e->a[i] = f->ap[i];
    for (int k = 0; k < l; k++) e->a[i] += f->Z[i * l + k] * w[k];
  }
  engine_equations(e);
  for (int r = 0; r < e->mode.rows; r++) {
    memcpy(e->work.Ar + r * n, e->A + e->mode.row[r] * n, sizeof(double) * (size_t)n);
    e->work.br[r] = e->c[e->mode.row[r]];
  }
  e->rank = num_null_factor(e->work.null, e->mode.rows, n, e->work.Ar, 0);
  e->margin = num_null_margin(e->work.null);
}

const char* engine_curved_name(const engine* e)
{
  return e->model->constraint[e->least->of[e->least->now[0]]].name;
}

// ---- following ----------------------------------------------------------------------------------

void engine_curved_reduce(const engine* e, const double* a, const double* all_lambda, double* w,
                          double* lambda)
{
  const engine_curved* f = e->least;
  for (int k = 0; k < f->l; k++) {
    w[k] = 0;
    for (int i = 0; i < e->n; i++) w[k] += f->Z[i * f->l + k] * a[i];
  }
  for (int j = 0; j < f->active; j++) lambda[j] = all_lambda[f->of[f->now[j]]];
}

// Has the solver room for the state set up, and is something left to choose? The rank of the affine
// rows, and with it l, may change along a motion.
static bool fits(const engine_curved* f)
{
  return f->l >= 1 && f->l <= LEAST_STATIONARY_MOST && f->active <= f->l;
}

// the stationary point next to (a, lambda) at the state set up
static least_stationary_status follow(engine* e, const double* a, const double* all_lambda,
                                      double* w, double* lambda, double* U)
{
  least_stationary_step step = {0};
  const least_stationary_problem p = problem_of(e);
  if (!fits(e->least)) return LEAST_STATIONARY_LOST;
  engine_curved_reduce(e, a, all_lambda, w, lambda);
  const least_stationary_status status =
      least_stationary_follow(e->least->solver, &p, 0, w, lambda, &step);
  *U = step.U;
  return status;
}

int engine_curved_accelerations(engine* e)
{
  engine_curved* f = e->least;
  double w[LEAST_STATIONARY_MOST], lambda[LEAST_STATIONARY_MOST];
  engine_curved_set_up(e);
  const least_stationary_status status = follow(e, f->anchor_a, f->anchor_lambda, w, lambda, &f->U);
  f->lost = status == LEAST_STATIONARY_LOST || status == LEAST_STATIONARY_FOLD ||
            status == LEAST_STATIONARY_RANK;
  if (status == LEAST_STATIONARY_FOLLOWED) {
    engine_curved_take(e, w);
    for (int k = 0; k < e->m; k++) f->found_lambda[k] = 0;
    for (int j = 0; j < f->active; j++) f->found_lambda[f->of[f->now[j]]] = lambda[j];
    return 0;
  }
  if (status == LEAST_STATIONARY_UNEVALUABLE)
    snprintf(e->reason, sizeof e->reason,
             "the constraint `%s` has no finite value for accelerations near the motion, or some "
             "motion has no inertia",
             engine_curved_name(e));
  else if (status == LEAST_STATIONARY_RANK)
    snprintf(e->reason, sizeof e->reason,
             "the gradient of the constraint `%s` by the accelerations vanishes",
             engine_curved_name(e));
  else
    snprintf(e->reason, sizeof e->reason, "the branch of least constraint under `%s` ends",
             engine_curved_name(e));
  return 1;
}

void engine_curved_anchor_one(engine* e)
{
  engine_curved* f = e->least;
  memcpy(f->anchor_a, e->a, sizeof(double) * (size_t)e->n);
  memcpy(f->anchor_lambda, f->found_lambda, sizeof(double) * (size_t)e->m);
}

// ---- all stationary points ----------------------------------------------------------------------

// a point found on the polynomials, brought to rounding on the constraints themselves
static bool polish(engine* e, least_stationary_point* x)
{
  const least_stationary_problem p = problem_of(e);
  least_stationary_step step;
  if (x->kind != LEAST_STATIONARY_MINIMUM) return true;
  if (least_stationary_follow(e->least->solver, &p, 0, x->w, x->lambda, &step)) return false;
  x->U = step.U;
  x->curvature = step.curvature;
  return true;
}

// other constraints than last time: nothing is known of them
static void forget_others(engine_curved* f)
{
  const size_t size = sizeof(int) * (size_t)f->active;
  if (f->looked == f->active && !memcmp(f->looked_at, f->now, size)) return;
  least_stationary_forget(f->solver);
  memcpy(f->looked_at, f->now, size);
  f->looked = f->active;
}

// can there be minima at the state set up? 0, or 1 with the reason
static int impossible(engine* e)
{
  const engine_curved* f = e->least;
  if (fits(f)) return 0;
  if (f->l > LEAST_STATIONARY_MOST)
    snprintf(
        e->reason, sizeof e->reason,
        "constraints nonlinear in the accelerations are taken with up to %d degrees of freedom",
        LEAST_STATIONARY_MOST);
  else
    snprintf(e->reason, sizeof e->reason, "the constraint `%s` leaves no accelerations free",
             engine_curved_name(e));
  return 1;
}

// is there none among all? 0, or 1 with the reason
static int none(engine* e, const least_stationary_set* all)
{
  if (!all)
    snprintf(e->reason, sizeof e->reason,
             "the constraint `%s` has no finite value, or some motion has no inertia",
             engine_curved_name(e));
  else if (all->empty)
    snprintf(e->reason, sizeof e->reason,
             "no accelerations satisfy the constraint `%s` (the nearest miss it by %.2g of their "
             "size%s)",
             engine_curved_name(e), all->least_phi,
             all->complete ? "" : ", as far as a search shows");
  return !all || all->empty;
}

// The local minima at the state in the input block, least first, into f->minimum; all other
// stationary points cannot be the motion. 0, or 1 with the reason.
int engine_curved_minima(engine* e)
{
  engine_curved* f = e->least;
  least_polynomial list[LEAST_STATIONARY_MOST];
  engine_curved_set_up(e);
  f->minima = 0;
  if (impossible(e)) return 1;
  least_stationary_problem p = problem_of(e);
  p.polynomial = engine_curved_polynomials(e, list);
  forget_others(f);
  const least_stationary_set* all = least_stationary_again(f->solver, &p);
  if (none(e, all)) return 1;
  f->complete = all->complete;
  f->continuum = all->continuum;
  const double least = all->point[0].U;
  for (int i = 0; i < all->count && f->minima < ENGINE_CURVED_MINIMA; i++) {
    least_stationary_point x = all->point[i];
    const bool candidate = x.kind == LEAST_STATIONARY_MINIMUM || x.U == least;
    if (!candidate || !polish(e, &x)) continue;
    f->minimum[f->minima++] = x;
  }
  return 0;
}

// ---- beside the branch followed -----------------------------------------------------------------

double engine_curved_lead(engine* e)
{
  engine_curved* f = e->least;
  double w[LEAST_STATIONARY_MOST], lambda[LEAST_STATIONARY_MOST], mine, other;
  engine_curved_set_up(e);
  if (follow(e, f->anchor_a, f->anchor_lambda, w, lambda, &mine)) return -INFINITY;
  if (follow(e, f->rival_a, f->rival_lambda, w, lambda, &other)) return INFINITY;
  return other - mine;
}

static int equations(void* context, const double* w, double* F, double* J)
{
  return engine_curved_evaluate(context, w, F, J, NULL);
}

double engine_curved_gain(engine* e, const double* thrown)
{
  engine_curved* f = e->least;
  const int l = f->l, n = e->n;
  double w[LEAST_STATIONARY_MOST], other[LEAST_STATIONARY_MOST], size = 0;
  double* kept = base_alloc(sizeof(double) * (size_t)n);
  memcpy(kept, e->a, sizeof(double) * (size_t)n);
  for (int k = 0; k < l; k++) {
    w[k] = 0;
    for (int i = 0; i < n; i++) w[k] += f->Z[i * l + k] * e->a[i];
    size = fmax(size, fabs(w[k]));
  }
  for (int k = 0; k < l; k++) other[k] = w[k] + 3 * (size > 0 ? size : 1) * thrown[k];
  const bool there =
      num_newton(f->active, l, equations, e, NULL, NULL, engine_gain_solved, 100, other).solved;
  // U(other) - U(w) and 1/2 d^T H d
  double gain = 0, square = 0, inertia = 0;
  for (int k = 0; k < l; k++)
    for (int h = 0; h < l; h++) {
      inertia = fmax(inertia, fabs(f->H[k * l + h]));
      gain += (other[k] * other[h] - w[k] * w[h]) * f->H[k * l + h] / 2;
      square += (other[k] - w[k]) * (other[h] - w[h]) * f->H[k * l + h] / 2;
    }
  for (int k = 0; k < l; k++) gain -= f->r[k] * (other[k] - w[k]);
  memcpy(e->a, kept, sizeof(double) * (size_t)n);
  free(kept);
  return there && square > engine_gain_apart * inertia * size * size ? gain / square : INFINITY;
}
