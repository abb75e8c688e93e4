// The table of forms, and what all forms need to write their equations down.
#include <assert.h>
#include <string.h>

#include "mech/factor.h"
#include "mech/form.h"

// a new form is one file and one line here
static const mech_form* const forms[] = {&mech_form_lagrange, &mech_form_maggi};

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

// ---- equations
// ------------------------------------------------------------------------------------

static void* take(base_arena* a, int n, size_t size)
{
  return base_arena_take(a, (size_t)(n > 0 ? n : 1) * size);
}

mech_equations* mech_equations_new(const mech_form* form, mech_room room)
{
  base_arena* a = base_arena_new();
  mech_equations* e = base_arena_take(a, sizeof *e);
  e->form = form;
  e->arena = a;
  e->definition = take(a, room.definitions, sizeof(mech_equation));
  e->equation = take(a, room.equations, sizeof(mech_equation));
  e->reaction = take(a, room.reactions, sizeof(mech_equation));
  e->unknown = take(a, room.unknowns, sizeof(expr));
  e->residual = take(a, room.residuals, sizeof(expr));
  e->assumption = take(a, room.assumptions, sizeof(expr));
  return e;
}

void mech_equations_free(mech_equations* e)
{
  if (e) base_arena_free(e->arena);
}

static mech_equation equation(mech_equations* e, const char* label, expr left, expr right)
{
  return (mech_equation){base_arena_strdup(e->arena, label), left, right};
}

void mech_add_definition(mech_equations* e, const char* label, expr left, expr right)
{
  e->definition[e->definitions++] = equation(e, label, left, right);
}

void mech_add_equation(mech_equations* e, const char* label, expr left, expr right)
{
  e->equation[e->count++] = equation(e, label, left, right);
}

void mech_add_reaction(mech_equations* e, const char* label, expr left, expr right)
{
  e->reaction[e->reactions++] = equation(e, label, left, right);
}

void mech_add_unknown(mech_equations* e, expr unknown)
{
  e->unknown[e->unknowns++] = unknown;
}

void mech_add_residual(mech_equations* e, expr residual)
{
  e->residual[e->residuals++] = residual;
}

void mech_add_assumption(mech_equations* e, expr assumption)
{
  for (int i = 0; i < e->assumptions; i++)
    if (e->assumption[i] == assumption) return;
  e->assumption[e->assumptions++] = assumption;
}

// ---- pieces of mechanics
// ----------------------------------------------------------------------------

expr mech_tidy(const mech_system* s, expr e)
{
  if (!s->small || expr_size(s->pool, 1, &e) > MECH_SHORT) return e;
  return expr_simplify(s->pool, e);
}

expr mech_dot(expr_pool* p, int n, const expr* x, int x_stride, const expr* y, int y_stride)
{
  expr sum = expr_int(p, 0);
  for (int i = 0; i < n; i++) sum = expr_add(p, sum, expr_mul(p, x[i * x_stride], y[i * y_stride]));
  return sum;
}

expr mech_lagrange_residual(const mech_system* s, int i)
{
  expr inertia = mech_dot(s->pool, s->n, s->M + i * s->n, 1, s->a, 1);
  return expr_sub(s->pool, inertia, s->F[i]);
}

void mech_add_projected(mech_equations* e, const mech_system* s, const char* label, const expr* z,
                        int stride, expr also_right)
{
  expr left = expr_int(s->pool, 0);
  for (int j = 0; j < s->n; j++) {
    expr mass = mech_tidy(s, mech_dot(s->pool, s->n, z, stride, s->M + j, s->n));
    left = expr_add(s->pool, left, expr_mul(s->pool, mass, s->a[j]));
  }
  expr rest = mech_tidy(s, mech_dot(s->pool, s->n, z, stride, s->h, 1));
  expr right = mech_dot(s->pool, s->n, z, stride, s->G, 1);
  left = mech_tidy(s, expr_add(s->pool, left, rest));
  right = mech_tidy(s, expr_add(s->pool, right, also_right));
  mech_add_equation(e, label, left, right);
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

void mech_add_constraint(mech_equations* e, const mech_system* s, int k)
{
  expr sum = mech_dot(s->pool, s->n, s->A + k * s->n, 1, s->a, 1);
  expr left = mech_tidy(s, sum), right = s->c[k];
  divide_number(s, &left, &right);
  mech_add_equation(e, s->model->constraint[k].name, left, right);
  mech_add_residual(e, expr_sub(s->pool, sum, s->c[k]));
}
