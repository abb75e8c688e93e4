// The table of forms, and what all forms need to write their equations down.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "mech/factor.h"
#include "mech/form.h"

// a new form is one file and one line here
static const mech_form* const forms[] = {
    &mech_form_lagrange,
    &mech_form_lagrange_independent,
    &mech_form_maggi,
    &mech_form_appell,
    &mech_form_appell_independent,
    &mech_form_appell_substituted,
    &mech_form_appell_pseudo,
    &mech_form_nielsen,
    &mech_form_nielsen_independent,
    &mech_form_nielsen_pseudo,
    &mech_form_tzenov,
    &mech_form_tzenov_independent,
    &mech_form_tzenov_pseudo,
    &mech_form_hamel,
    &mech_form_voronets,
    &mech_form_chaplygin,
    &mech_form_kane,
    &mech_form_hamilton,
    &mech_form_gauss,
    &mech_form_udwadia,
    &mech_form_bychkov,
};

int mech_form_count(void)
{
  return (int)(sizeof forms / sizeof forms[0]);
}

const mech_form* mech_form_at(int i)
{
  assert(i >= 0 && i < mech_form_count());
  return forms[i];
}

// is the word one of the space-separated words of the list?
static bool listed(const char* list, const char* word)
{
  size_t n = strlen(word);
  if (n == 0) return false;
  for (const char* at = list; *at;) {
    size_t length = strcspn(at, " ");
    if (length == n && strncmp(at, word, n) == 0) return true;
    at += length + strspn(at + length, " ");
  }
  return false;
}

const mech_form* mech_form_find(const char* name)
{
  for (int i = 0; i < mech_form_count(); i++)
    if (strcmp(forms[i]->name, name) == 0 || listed(forms[i]->aliases, name)) return forms[i];
  return NULL;
}

bool mech_form_refuses(const mech_form* form, const mech_system* s, base_notes* notes)
{
  base_arena* arena = base_arena_new();
  const char* why = form->unsuited(s, arena);
  if (why)
    base_error(notes, BASE_NOWHERE, "the form `%s` does not suit this model: %s", form->name, why);
  base_arena_free(arena);
  return why != NULL;
}

// ---- equations ----------------------------------------------------------------------------------

mech_equations* mech_equations_new(const mech_form* form)
{
  base_arena* a = base_arena_new();
  mech_equations* e = base_arena_take(a, sizeof *e);
  e->form = form;
  e->arena = a;
  return e;
}

void mech_equations_free(mech_equations* e)
{
  if (e) base_arena_free(e->arena);
}

static bool spoiled(int n, const mech_equation* e)
{
  for (int i = 0; i < n; i++)
    if (e[i].left == EXPR_NONE || e[i].right == EXPR_NONE) return true;
  return false;
}

mech_equations* mech_equations_finish(mech_equations* e, const mech_system* s, base_notes* notes)
{
  const char* fault = NULL;
  for (int i = 0; i < e->residuals; i++)
    if (e->residual[i] == EXPR_NONE) fault = "the chosen velocities do not determine the others";
  if (spoiled(e->definitions, e->definition) || spoiled(e->count, e->equation) ||
      spoiled(e->reactions, e->reaction) || spoiled(e->forces, e->force))
    fault = "a division by zero";
  if (expr_pool_full(s->pool)) fault = "the expressions are beyond their limit";
  if (!fault) return e;
  base_error(notes, BASE_NOWHERE, "the equations of the form `%s` cannot be written down: %s",
             e->form->name, fault);
  mech_equations_free(e);
  return NULL;
}

// room for one more: doubled whenever the count is a power of two
static void* grown(base_arena* a, void* list, int count, size_t size)
{
  if (count & (count - 1)) return list;
  void* more = base_arena_take(a, size * (size_t)(count ? 2 * count : 1));
  if (count) memcpy(more, list, size * (size_t)count);
  return more;
}

static void push(mech_equations* e, mech_equation** list, int* count, mech_equation one)
{
  *list = grown(e->arena, *list, *count, sizeof one);
  one.label = base_arena_strdup(e->arena, one.label);
  (*list)[(*count)++] = one;
}

static void push_expr(mech_equations* e, expr** list, int* count, expr one)
{
  *list = grown(e->arena, *list, *count, sizeof one);
  (*list)[(*count)++] = one;
}

void mech_add_definition(mech_equations* e, const char* label, expr left, expr right)
{
  push(e, &e->definition, &e->definitions, (mech_equation){label, left, right, 0});
}

void mech_add_equation(mech_equations* e, const char* label, expr left, expr right)
{
  push(e, &e->equation, &e->count, (mech_equation){label, left, right, 0});
}

void mech_add_reaction(mech_equations* e, const char* label, expr left, expr right)
{
  push(e, &e->reaction, &e->reactions, (mech_equation){label, left, right, 0});
}

void mech_add_force(mech_equations* e, const char* label, expr left, expr right)
{
  push(e, &e->force, &e->forces, (mech_equation){label, left, right, 0});
}

void mech_add_unknown(mech_equations* e, expr unknown)
{
  push_expr(e, &e->unknown, &e->unknowns, unknown);
}

void mech_add_residual(mech_equations* e, expr residual)
{
  push_expr(e, &e->residual, &e->residuals, residual);
}

void mech_add_remark(mech_equations* e, mech_remark remark)
{
  e->remark = grown(e->arena, e->remark, e->remarks, sizeof remark);
  remark.name = base_arena_strdup(e->arena, remark.name);
  e->remark[e->remarks++] = remark;
}

// one factor, without its exponent and the number in front
static void assume_factor(mech_equations* e, const mech_system* s, expr f)
{
  expr_pool* p = s->pool;
  if (!mech_is_of_state(s, f)) return;
  if (expr_kind_of(p, f) == EXPR_POWER && expr_is_number(p, expr_arg(p, f, 1)))
    f = expr_arg(p, f, 0);
  for (int i = 0; i < e->assumptions; i++)
    if (e->assumption[i] == f) return;
  push_expr(e, &e->assumption, &e->assumptions, f);
}

void mech_add_assumption(mech_equations* e, const mech_system* s, expr assumption)
{
  if (assumption == EXPR_NONE) return;
  bool product = expr_kind_of(s->pool, assumption) == EXPR_PRODUCT;
  if (!product) assume_factor(e, s, assumption);
  for (int i = 0; product && i < expr_arg_count(s->pool, assumption); i++)
    assume_factor(e, s, expr_arg(s->pool, assumption, i));
}

// ---- pieces of mechanics ------------------------------------------------------------------------

expr* mech_take(base_arena* arena, int count)
{
  return base_arena_take(arena, sizeof(expr) * (size_t)(count > 0 ? count : 1));
}

expr mech_tidy(const mech_system* s, expr e)
{
  if (!s->small || expr_size_within(s->pool, 1, &e, MECH_SHORT) > MECH_SHORT) return e;
  return expr_simplify(s->pool, e);
}

expr mech_dot(expr_pool* p, int n, const expr* x, int x_stride, const expr* y, int y_stride)
{
  const expr zero = expr_int(p, 0);
  expr sum = zero;
  for (int i = 0; i < n; i++) {
    const expr a = x[i * x_stride], b = y[i * y_stride];
    if (a != zero && b != zero) sum = expr_add(p, sum, expr_mul(p, a, b));
  }
  return sum;
}

void mech_row_times(const mech_system* s, const expr* z, int stride, const expr* M,
                    expr_slope_list* out)
{
  expr_pool* p = s->pool;
  const int n = s->n;
  BASE_LIST(int) held = {0};
  for (int i = 0; i < n; i++)
    if (z[i * stride] != s->zero[0]) base_push(&held, i);
  for (int j = 0; j < n; j++) {
    expr sum = s->zero[0];
    for (int k = 0; k < held.n; k++) {
      const expr m = M[held.at[k] * n + j];
      if (m != s->zero[0]) sum = expr_add(p, sum, expr_mul(p, z[held.at[k] * stride], m));
    }
    if (sum != s->zero[0]) base_push(out, (expr_slope){j, sum});
  }
  base_list_free(&held);
}

void mech_add_slopes(const mech_system* s, const expr_index* index, const expr* by, expr e,
                     expr_slope_list* out)
{
  expr_numbers held = {0};
  expr_index_list(s->pool, index, e, &held);
  for (int i = 0; i < held.n; i++) {
    const expr d = expr_diff(s->pool, e, by[held.at[i]]);
    if (d != s->zero[0]) base_push(out, (expr_slope){held.at[i], d});
  }
  base_list_free(&held);
}

mech_sides mech_sides_lagrange(const mech_system* s)
{
  return (mech_sides){mech_mass(s), s->h, s->G};
}

mech_sides mech_sides_from(const mech_system* s, const expr* left, base_arena* arena)
{
  int n = s->n;
  expr *M = mech_take(arena, n * n), *h = mech_take(arena, n);
  for (int i = 0; i < n; i++) {
    expr_gradient(s->pool, left[i], n, s->a, M + i * n);
    for (int j = 0; j < n; j++) M[i * n + j] = mech_tidy(s, M[i * n + j]);
  }
  expr_substitute_all(s->pool, n, left, n, s->a, s->zero, h);
  for (int i = 0; i < n; i++) h[i] = mech_tidy(s, h[i]);
  return (mech_sides){M, h, s->G};
}

expr mech_sides_residual(const mech_system* s, const mech_sides* sides, int i)
{
  expr left = mech_dot(s->pool, s->n, sides->M + i * s->n, 1, s->a, 1);
  left = expr_add(s->pool, left, sides->h[i]);
  return expr_sub(s->pool, left, sides->G[i]);
}

expr* mech_sides_residuals(const mech_system* s, const mech_sides* sides, base_arena* arena)
{
  expr* r = mech_take(arena, s->n);
  for (int i = 0; i < s->n; i++) r[i] = mech_sides_residual(s, sides, i);
  return r;
}

void mech_add_projected(mech_equations* e, const mech_system* s, const mech_sides* sides,
                        const char* label, const expr* z, int stride, expr also_right)
{
  expr_pool* p = s->pool;
  int n = s->n;
  expr left = s->zero[0], residual = expr_neg(p, also_right);
  expr_slope_list row = {0};
  mech_row_times(s, z, stride, sides->M, &row);
  for (int k = 0; k < row.n; k++)
    left = expr_add(p, left, expr_mul(p, mech_tidy(s, row.at[k].value), s->a[row.at[k].number]));
  base_list_free(&row);
  expr rest = mech_tidy(s, mech_dot(p, n, z, stride, sides->h, 1));
  expr right = mech_dot(p, n, z, stride, sides->G, 1);
  left = mech_tidy(s, expr_add(p, left, rest));
  right = mech_tidy(s, expr_add(p, right, also_right));
  mech_add_equation(e, label, left, right);
  for (int i = 0; i < n; i++)
    if (z[i * stride] != s->zero[0])
      residual =
          expr_add(p, residual, expr_mul(p, z[i * stride], mech_sides_residual(s, sides, i)));
  mech_add_residual(e, residual);
}

// the number in front, without its sign; of a sum the one all terms carry, else 1
static expr number_before(expr_pool* p, expr e)
{
  bool sum = expr_kind_of(p, e) == EXPR_SUM;
  expr common = EXPR_NONE;
  for (int i = 0; i < (sum ? expr_arg_count(p, e) : 1); i++) {
    expr c = mech_factor_number(p, sum ? expr_arg(p, e, i) : e);
    if (expr_number(p, c) < 0) c = expr_neg(p, c);
    if (common != EXPR_NONE && c != common) return expr_int(p, 1);
    common = c;
  }
  return common;
}

static expr divided(expr_pool* p, expr e, expr c)
{
  if (expr_kind_of(p, e) != EXPR_SUM) return expr_div(p, e, c);
  expr sum = expr_int(p, 0);
  for (int i = 0; i < expr_arg_count(p, e); i++)
    sum = expr_add(p, sum, expr_div(p, expr_arg(p, e, i), c));
  return sum;
}

// a number in front of both sides says nothing
static void divide_number(const mech_system* s, expr* left, expr* right)
{
  expr_pool* p = s->pool;
  expr c = number_before(p, *left);
  if (*right != s->zero[0] && c != number_before(p, *right)) return;
  *left = divided(p, *left, c);
  *right = divided(p, *right, c);
}

static expr constraint_left(const mech_system* s, int k)
{
  return mech_dot(s->pool, s->n, s->A + k * s->n, 1, s->a, 1);
}

void mech_add_constraint_residual(mech_equations* e, const mech_system* s, int k)
{
  if (mech_is_nonlinear(s, k))
    mech_add_residual(e, s->model->constraint[k].f);
  else
    mech_add_residual(e, expr_sub(s->pool, constraint_left(s, k), s->c[k]));
}

void mech_add_constraint(mech_equations* e, const mech_system* s, int k)
{
  if (mech_is_nonlinear(s, k)) {
    const model_constraint* f = &s->model->constraint[k];
    mech_add_equation(e, f->name, mech_tidy(s, f->f), s->zero[0]);
    mech_add_constraint_residual(e, s, k);
    return;
  }
  expr left = mech_tidy(s, constraint_left(s, k)), right = s->c[k];
  divide_number(s, &left, &right);
  mech_add_equation(e, s->model->constraint[k].name, left, right);
  mech_add_constraint_residual(e, s, k);
}

void mech_add_accelerations(mech_equations* e, const mech_system* s)
{
  for (int i = 0; i < s->n; i++) mech_add_unknown(e, s->a[i]);
}

void mech_add_reactions(mech_equations* e, const mech_system* s, const mech_sides* sides, int rank,
                        const int* row, const expr* R, expr D, base_notes* notes)
{
  expr* force = mech_sides_residuals(s, sides, e->arena);
  for (int k = 0; k < s->m; k++) {
    const model_constraint* f = &s->model->constraint[k];
    int at = 0;
    if (mech_is_norm(s, k)) continue;
    while (at < rank && row[at] != k) at++;
    expr right = s->zero[0];
    if (at < rank) {
      right = mech_dot(s->pool, s->n, R + at, rank, force, 1);
      right = expr_div(s->pool, mech_tidy(s, right), D);
    } else {
      static const char why[] =
          " depends on the others: its reaction is taken as zero here, theirs carry it";
      base_info(notes, f->place, "constraint `%s`%s", f->name, why);
      mech_add_remark(e, (mech_remark){"the constraint ", f->name, why});
    }
    mech_add_reaction(e, f->name, s->model->reaction[k], right);
  }
}
