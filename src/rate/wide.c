// The motion as a power series with twice the digits: series.c once more.
//
// K_0 is factored in doubles; each solution is engine_wide_refined by its residual with twice the
// digits (Wilkinson's iterative refinement), which gains sixteen digits less those of the condition
// of K_0 in every turn. Orders above `wide` are found in doubles altogether.
#include "rate/rate.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_turns = 8 };
// what levels made once, with all digits, do not follow
enum {
  changes = ENGINE_STAGES | ENGINE_CHANGES | ENGINE_PARAMS | ENGINE_INEQUALITIES | ENGINE_CORNERS |
            ENGINE_HOLDS_IMPLIED
};

static void* take(engine* e, size_t count, size_t size)
{
  return base_arena_take(e->arena, (count + 1) * size);
}

// Given params as they are, not as doubles. Only where they are those of the model.
static void put_numbers(const engine* e, int count, expr* list)
{
  const engine_program* p = e->program;
  for (int i = 0; i < p->givens; i++) {
    const model_param* x = &e->model->param[p->given[i]];
    expr_substitute_all(e->s->pool, count, list, 1, &x->symbol, &x->value, list);
  }
}

rate_wide_part rate_wide_part_new(engine* e, int count, const expr* list, int order, int extra,
                                  bool exact)
{
  expr* fixed = base_alloc(sizeof *fixed * (size_t)(count + 1));
  base_kept_lock(e->s->kept);
  engine_fix(e->program, count, list, fixed);
  if (exact) put_numbers(e, count, fixed);
  rate_wide_part part = {.code = code_wide_new(e->s->pool, count, fixed, e->program->inputs,
                                               e->program->input, order, extra, NULL)};
  base_kept_unlock(e->s->kept);
  free(fixed);
  if (!part.code) return part;
  part.scratch = take(e, code_wide_scratch(part.code), sizeof(double));
  code_wide_clear(part.code, part.scratch);
  return part;
}

static rate_wide_part build_eom(engine* e, int order)
{
  const mech_system* s = e->s;
  const int n = e->n, m = e->m;
  BASE_LIST(expr) list = {0};
  for (int i = 0; i < n * n; i++) base_push(&list, mech_mass(s)[i]);
  for (int i = 0; i < n; i++) base_push(&list, s->F[i]);
  for (int i = 0; i < m * n; i++) base_push(&list, s->A[i]);
  for (int i = 0; i < m; i++) base_push(&list, s->c[i]);
  const rate_wide_part part = rate_wide_part_new(e, list.n, list.at, order, n + m, true);
  base_list_free(&list);
  return part;
}

// f0, f1, A
static rate_wide_part build_levels(engine* e, bool exact)
{
  const mech_system* s = e->s;
  const expr zero = s->zero[0];
  BASE_LIST(expr) list = {0};
  for (int i = 0; i < e->m; i++) base_push(&list, s->f0[i] == EXPR_NONE ? zero : s->f0[i]);
  for (int i = 0; i < e->m; i++) base_push(&list, s->f1[i] == EXPR_NONE ? zero : s->f1[i]);
  for (int i = 0; i < e->m * e->n; i++) base_push(&list, s->A[i]);
  const rate_wide_part part = rate_wide_part_new(e, list.n, list.at, 0, 0, exact);
  base_list_free(&list);
  return part;
}

rate_wide* rate_wide_new(engine* e, int order)
{
  const size_t n = (size_t)e->n, all = n + (size_t)e->m;
  rate_wide* w = take(e, 1, sizeof *w);
  w->e = e;
  w->eom = build_eom(e, order);
  w->power = rate_wide_part_new(e, 1, &e->program->power, order, 0, true);
  w->works = !code_jet_is_steady(code_wide_jet(w->power.code), 0);
  w->levels = build_levels(e, true);
  expr* list;
  const int count = engine_column_list(e->model, &list);
  w->columns = rate_wide_part_new(e, count, list, 0, 0, true);
  free(list);
  w->in = take(e, (size_t)e->program->inputs, sizeof *w->in);
  w->row = take(e, (size_t)e->m, sizeof(int));
  w->product = take(e, n * n + 2 * n * (size_t)e->m, sizeof *w->product);
  w->K = take(e, all * all, sizeof(double));
  w->K0 = take(e, all * all, sizeof *w->K0);
  w->scale = take(e, all, sizeof(double));
  w->right = take(e, all, sizeof(double));
  w->plain = take(e, all, sizeof(double));
  w->pivot = take(e, all, sizeof(int));
  w->x = take(e, all, sizeof *w->x);
  w->sum = take(e, all, sizeof *w->sum);
  w->r = take(e, all, sizeof *w->r);
  w->position = take(e, (size_t)e->m, sizeof(double));
  w->velocity = take(e, (size_t)e->m, sizeof(double));
  w->y = take(e, 2 * n + 1, sizeof *w->y);
  w->c = take(e, 2 * (2 * n + 1), sizeof *w->c);
  return w;
}

rate_wide* rate_wide_levels_new(engine* e)
{
  if (!e->mode.rows || rate_features(e) & changes) return NULL;
  const rate_wide_part levels = build_levels(e, false);
  if (!levels.code) return NULL;
  rate_wide* w = take(e, 1, sizeof *w);
  w->e = e;
  w->levels = levels;
  w->in = take(e, (size_t)e->program->inputs, sizeof *w->in);
  return w;
}

void rate_wide_free(rate_wide* w)
{
  if (!w) return;
  code_wide_free(w->eom.code);
  code_wide_free(w->power.code);
  code_wide_free(w->levels.code);
  code_wide_free(w->columns.code);
}

void rate_wide_load(rate_wide* w, base_wide t, const base_wide* y)
{
  const engine* e = w->e;
  for (int i = 0; i < e->program->inputs; i++) w->in[i] = base_wide_of(e->in[i]);
  w->in[0] = t;
  memcpy(w->in + 1, y, sizeof *y * (size_t)(2 * e->n));
}

void rate_wide_evaluate(const rate_wide* w, const rate_wide_part* part)
{
  code_wide_set(part->code, part->scratch, 0, w->e->program->inputs, 0, w->in);
  code_wide_run(part->code, 0, part->scratch);
}

// ---- the linear problem -------------------------------------------------------------------------

static void add_product(rate_wide* w, int output, int unknown, int row)
{
  if (code_jet_is_steady(code_wide_jet(w->eom.code), output)) return;
  w->product[w->products++] = (code_jet_product){output, w->e->program->inputs + unknown, row};
}

static void list_products(rate_wide* w)
{
  const engine* e = w->e;
  const int n = e->n;
  if (w->listed && w->rows == e->mode.rows &&
      memcmp(w->row, e->mode.row, sizeof(int) * (size_t)e->mode.rows) == 0)
    return;
  w->listed = true;
  w->rows = e->mode.rows;
  if (e->mode.rows) memcpy(w->row, e->mode.row, sizeof(int) * (size_t)e->mode.rows);
  w->products = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) add_product(w, i * n + j, j, i);
  for (int r = 0; r < w->rows; r++)
    for (int j = 0; j < n; j++) {
      add_product(w, rate_eom_A(e->program, w->row[r], j), j, n + r);
      add_product(w, rate_eom_A(e->program, w->row[r], j), n + r, j);
    }
}

static base_wide coefficient(const rate_wide* w, int output, int k)
{
  return code_wide_out(w->eom.code, w->eom.scratch, output, k);
}

static int factor(rate_wide* w)
{
  const engine* e = w->e;
  const int n = e->n, all = n + w->rows;
  double size = 0, *scale = w->scale;
  for (int i = 0; i < n; i++) scale[i] = e->work.weight[i];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      w->K0[i * all + j] = base_wide_scale(coefficient(w, i * n + j, 0), scale[i] * scale[j]);
      size = fmax(size, fabs(w->K0[i * all + j].hi));
    }
  for (int r = 0; r < w->rows; r++) {
    double most = 0;
    for (int j = 0; j < n; j++)
      most =
          fmax(most, fabs(scale[j] * coefficient(w, rate_eom_A(e->program, w->row[r], j), 0).hi));
    scale[n + r] = rate_series_scale(size, most);
    for (int j = 0; j < n; j++) {
      const base_wide a = base_wide_scale(coefficient(w, rate_eom_A(e->program, w->row[r], j), 0),
                                          scale[n + r] * scale[j]);
      w->K0[(n + r) * all + j] = w->K0[j * all + n + r] = a;
    }
    for (int k = 0; k < w->rows; k++) w->K0[(n + r) * all + n + k] = base_wide_of(0);
  }
  for (int i = 0; i < all * all; i++) w->K[i] = w->K0[i].hi;
  return !num_lu(all, w->K, w->pivot);
}

// w->x from the right side w->r, which becomes its residual; 1 where it does not settle
static int refine(rate_wide* w, int all)
{
  double most = 0, step = 0;
  for (int i = 0; i < all; i++) w->x[i] = base_wide_of(0);
  for (int turn = 0; turn < most_turns; turn++) {
    for (int i = 0; i < all; i++) w->plain[i] = w->r[i].hi;
    num_lu_solve(all, w->K, w->pivot, w->plain);
    step = 0;
    for (int i = 0; i < all; i++) {
      w->x[i] = base_wide_add(w->x[i], base_wide_of(w->plain[i]));
      step = fmax(step, fabs(w->plain[i]));
      most = fmax(most, fabs(w->x[i].hi));
    }
    if (!(step > engine_wide_refined * most)) break;
    for (int i = 0; i < all; i++)
      for (int j = 0; j < all; j++)
        if (w->plain[j] != 0)
          w->r[i] = base_wide_sub(w->r[i], base_wide_scale(w->K0[i * all + j], w->plain[j]));
  }
  return !(step <= engine_wide_hopeless * most) && most > 0;
}

// the unknowns of order k into w->x and beside the inputs of the jet
static int solve(rate_wide* w, int k)
{
  const engine* e = w->e;
  const int n = e->n, all = n + w->rows;
  for (int i = 0; i < all; i++) w->sum[i] = base_wide_of(0);
  code_wide_products(w->eom.code, w->eom.scratch, k, w->products, w->product, w->sum);
  for (int i = 0; i < n; i++)
    w->r[i] = base_wide_sub(coefficient(w, rate_eom_F(e->program, i), k), w->sum[i]);
  for (int r = 0; r < w->rows; r++)
    w->r[n + r] =
        base_wide_sub(coefficient(w, rate_eom_c(e->program, w->row[r]), k), w->sum[n + r]);
  for (int i = 0; i < all; i++) w->r[i] = base_wide_scale(w->r[i], w->scale[i]);
  const int failed = refine(w, all);
  for (int i = 0; i < all; i++) w->x[i] = base_wide_scale(w->x[i], w->scale[i]);
  code_wide_set(w->eom.code, w->eom.scratch, e->program->inputs, all, k, w->x);
  return failed;
}

// the same in doubles
static void solve_plain(rate_wide* w, int k)
{
  const engine* e = w->e;
  const code_jet* j = code_wide_jet(w->eom.code);
  const int n = e->n, all = n + w->rows;
  double* x = w->plain;
  for (int i = 0; i < all; i++) w->right[i] = 0;
  code_jet_products(j, w->eom.scratch, k, w->products, w->product, w->right);
  for (int i = 0; i < n; i++)
    x[i] = code_jet_out(j, w->eom.scratch, rate_eom_F(e->program, i))[k] - w->right[i];
  for (int r = 0; r < w->rows; r++)
    x[n + r] =
        code_jet_out(j, w->eom.scratch, rate_eom_c(e->program, w->row[r]))[k] - w->right[n + r];
  for (int i = 0; i < all; i++) x[i] *= w->scale[i];
  num_lu_solve(all, w->K, w->pivot, x);
  for (int i = 0; i < all; i++) x[i] *= w->scale[i];
  code_jet_set_all(j, w->eom.scratch, e->program->inputs, all, k, x);
  for (int i = 0; i < all; i++) w->x[i] = base_wide_of(x[i]);
}

// ---- the recurrence -----------------------------------------------------------------------------

static void set_part(const rate_wide_part* part, int first, int count, int k,
                     const base_wide* value)
{
  code_wide_set(part->code, part->scratch, first, count, k, value);
}

static void run_part(const rate_wide_part* part, int k, bool wide)
{
  if (wide)
    code_wide_run(part->code, k, part->scratch);
  else
    code_jet_run(code_wide_jet(part->code), k, part->scratch);
}

static base_wide out_of(const rate_wide_part* part, int output, int k, bool wide)
{
  base_wide x = code_wide_out(part->code, part->scratch, output, k);
  if (!wide) x.lo = 0;
  return x;
}

// the power at order k, with the accelerations and reactions just found
static base_wide power_at(rate_wide* w, int k, bool wide)
{
  const engine* e = w->e;
  if (!w->works) return k ? base_wide_of(0) : out_of(&w->power, 0, 0, true);
  if (e->program->work_needs_reactions) {
    for (int r = 0; r < e->m; r++) w->sum[r] = base_wide_of(0);
    for (int r = 0; r < w->rows; r++) w->sum[w->row[r]] = base_wide_neg(w->x[e->n + r]);
    set_part(&w->power, 1 + 3 * e->n + 3 * e->p, e->m, k, w->sum);
  }
  set_part(&w->power, 1 + 2 * e->n + 3 * e->p, e->n, k, w->x);
  run_part(&w->power, k, wide);
  return out_of(&w->power, 0, k, wide);
}

static int refuse(rate_wide* w, const char* why)
{
  snprintf(w->e->reason, sizeof w->e->reason, "%s", why);
  code_wide_clear(w->eom.code, w->eom.scratch);
  code_wide_clear(w->power.code, w->power.scratch);
  return 1;
}

static void set_motion(rate_wide* w, int k, const base_wide* here)
{
  const base_wide time = base_wide_of(k == 1);
  const rate_wide_part* parts[2] = {&w->eom, &w->power};
  for (int i = 0; i < 1 + w->works; i++) {
    if (k <= 2) set_part(parts[i], 0, 1, k, &time);
    set_part(parts[i], 1, 2 * w->e->n, k, here);
  }
}

int rate_wide_expand(void* flow, base_wide t, const base_wide* y, int order, int wide, base_wide* c)
{
  const rate_flow* f = flow;
  rate_wide* w = f->wide;
  const int n = w->e->n, width = 2 * n + 1;
  list_products(w);
  rate_wide_load(w, t, y);
  set_part(&w->eom, 0, w->e->program->inputs, 0, w->in);
  set_part(&w->power, 0, w->e->program->inputs, 0, w->in);
  memcpy(c, y, sizeof *y * (size_t)width);
  for (int k = 0; k < order; k++) {
    base_wide *here = c + k * width, *next = here + width;
    // what is of order k + 1 here follows from order k of the equations
    const bool is_wide = k <= wide;
    if (k > 0) set_motion(w, k, here);
    run_part(&w->eom, k, is_wide);
    if (k == 0 && factor(w))
      return refuse(w, "the equations for accelerations and reactions are singular");
    if (is_wide && solve(w, k))
      return refuse(w, "the equations for accelerations and reactions are too near singular");
    if (!is_wide) solve_plain(w, k);
    const base_wide step = base_wide_of(k + 1);
    for (int i = 0; i < n; i++) {
      next[i] = base_wide_div(here[n + i], step);
      next[n + i] = base_wide_div(w->x[i], step);
    }
    next[2 * n] = base_wide_div(power_at(w, k, is_wide), step);
  }
  for (int i = 0; i < width; i++)
    if (!isfinite(c[order * width + i].hi))
      return refuse(w, "the motion has no power series: something in it is not smooth");
  return 0;
}
