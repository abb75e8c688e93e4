// Functions of numbers and vectors; the table of all functions by name; calls of these and of the
// functions of a model.

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "model/scope.h"
#include "model/table.h"

// ---- arguments ----------------------------------------------------------------------------------

static bool number_args(model_scope* s, const lang_node* n, expr* e, model_dim* d)
{
  bool fine = true;
  for (int i = 0; i < n->n; i++)
    fine &= model_eval_scalar(s, n->kid[i], "the argument of a function", &e[i], &d[i]);
  return fine;
}

static model_value checked(model_scope* s, const lang_node* n, expr e, model_dim d)
{
  if (e != EXPR_NONE) return model_value_scalar(e, d);
  base_error(s->notes, n->place, "`%s` has no value here", n->text);
  return model_value_poison();
}

// ---- one number ---------------------------------------------------------------------------------

// sin, exp and the like take pure numbers
static model_value call_pure(model_scope* s, const lang_node* n, int which)
{
  expr e;
  model_dim d;
  if (!number_args(s, n, &e, &d)) return model_value_poison();
  if (model_dim_has_unit(&d)) {
    base_error(s->notes, n->kid[0]->place, "`%s` takes a pure number, this is in [%s]", n->text,
               model_dim_text(s->arena, &d));
    return model_value_poison();
  }
  model_dim result = d.kind == MODEL_DIM_KNOWN ? model_dim_weak() : d;
  return checked(s, n, expr_fn1(s->pool, (expr_fn)which, e), result);
}

// sqrt, abs, sign take any
static model_value call_any(model_scope* s, const lang_node* n, int which)
{
  expr e;
  model_dim d;
  if (!number_args(s, n, &e, &d)) return model_value_poison();
  if (which == EXPR_SQRT) d = model_dim_pow(d, 0.5);
  if (which == EXPR_SIGN) d = model_dim_weak();
  return checked(s, n, expr_fn1(s->pool, (expr_fn)which, e), d);
}

// 0 for x < 0, 1 for x >= 0
static model_value call_step(model_scope* s, const lang_node* n, int which)
{
  (void)which;
  expr_pool* p = s->pool;
  expr e, zero = expr_int(p, 0), one = expr_int(p, 1);
  model_dim d;
  if (!number_args(s, n, &e, &d)) return model_value_poison();
  return checked(s, n, expr_if(p, expr_less(p, e, zero), zero, one), model_dim_weak());
}

// ---- several numbers ----------------------------------------------------------------------------

enum { MANY = 64 };

// all arguments are of one dimension
static bool like_args(model_scope* s, const lang_node* n, expr* e, model_dim* d)
{
  model_dim each[MANY] = {0};
  if (n->n > MANY) {
    base_error(s->notes, n->place, "more than %d arguments", MANY);
    return false;
  }
  if (!number_args(s, n, e, each)) return false;
  *d = each[0];
  for (int i = 1; i < n->n; i++)
    if (!model_dim_check(s, n->place, "compare", *d, each[i], d)) return false;
  return true;
}

static model_value call_extreme(model_scope* s, const lang_node* n, int which)
{
  expr e[MANY];
  model_dim d;
  if (!like_args(s, n, e, &d)) return model_value_poison();
  for (int i = 1; i < n->n; i++) {
    expr pair[2] = {e[0], e[i]};
    e[0] = expr_call(s->pool, (expr_fn)which, 2, pair);
  }
  return checked(s, n, e[0], d);
}

static model_value call_atan2(model_scope* s, const lang_node* n, int which)
{
  (void)which;
  expr e[MANY];
  model_dim d;
  if (!like_args(s, n, e, &d)) return model_value_poison();
  return checked(s, n, expr_call(s->pool, EXPR_ATAN2, 2, e), model_dim_weak());
}

static model_value call_hypot(model_scope* s, const lang_node* n, int which)
{
  (void)which;
  expr_pool* p = s->pool;
  expr e[MANY], two = expr_int(p, 2);
  model_dim d;
  if (!like_args(s, n, e, &d)) return model_value_poison();
  for (int i = 0; i < n->n; i++) e[i] = expr_pow(p, e[i], two);
  return checked(s, n, expr_fn1(p, EXPR_SQRT, expr_sum(p, n->n, e)), d);
}

// 3u^2 - 2u^3 with u = (x - a)/(b - a), 0 below u = 0 and 1 above u = 1; b may lie below a
static model_value call_smoothstep(model_scope* s, const lang_node* n, int which)
{
  (void)which;
  expr_pool* p = s->pool;
  expr e[MANY];
  model_dim d;
  if (!like_args(s, n, e, &d)) return model_value_poison();
  expr a = e[0], b = e[1], x = e[2], zero = expr_int(p, 0), one = expr_int(p, 1);
  expr u = expr_div(p, expr_sub(p, x, a), expr_sub(p, b, a));
  if (u == EXPR_NONE) {
    base_error(s->notes, n->place, "the two bounds of smoothstep are equal");
    return model_value_poison();
  }
  expr slope = expr_sub(p, expr_int(p, 3), expr_mul(p, expr_int(p, 2), u));
  expr between = expr_mul(p, expr_pow(p, u, expr_int(p, 2)), slope);
  expr upper = expr_if(p, expr_less(p, u, one), between, one);
  return checked(s, n, expr_if(p, expr_less(p, u, zero), zero, upper), model_dim_weak());
}

// ---- choice -------------------------------------------------------------------------------------

static model_value call_if(model_scope* s, const lang_node* n, int which)
{
  (void)which;
  expr unused;
  bool fine = model_expect_condition(s, n->kid[0], &unused);
  expr a[3], b[3];
  model_value v = {.kind = MODEL_SCALAR};
  int parts;
  fine &= model_eval_sides(s, n->kid[1], n->kid[2], &parts, a, b, v.d);
  if (!fine) return model_value_poison();
  for (int i = 0; i < parts; i++) model_expect_choice(s, n->kid[0], a[i], b[i], &v.e[i]);
  if (parts == 3) v.kind = MODEL_VECTOR;
  return v;
}

// ---- vectors ------------------------------------------------------------------------------------

// one dimension for a whole vector, where its parts agree
static model_dim whole_dim(const model_dim d[3])
{
  model_dim all;
  if (!model_dim_join(d[0], d[1], &all)) return model_dim_unknown();
  return model_dim_join(all, d[2], &all) ? all : model_dim_unknown();
}

static model_value call_vectors(model_scope* s, const lang_node* n, int which)
{
  expr a[3], b[3], c[3];
  model_dim da[3], db[3];
  bool fine = model_eval_vector(s, n->kid[0], "the argument", a, da);
  if (which != 'n') fine &= model_eval_vector(s, n->kid[1], "the argument", b, db);
  if (!fine) return model_value_poison();
  if (which == 'n') {
    expr square = model_vec_dot(s->pool, a, a);
    return checked(s, n, expr_fn1(s->pool, EXPR_SQRT, square), whole_dim(da));
  }
  model_dim d = model_dim_mul(whole_dim(da), whole_dim(db));
  if (which == 'd') return model_value_scalar(model_vec_dot(s->pool, a, b), d);
  model_vec_cross(s->pool, a, b, c);
  return model_value_vector(c, d);
}

// ---- the table ----------------------------------------------------------------------------------

const model_function model_math_functions[] = {
    {"sqrt", 1, 1, "sqrt(x)", call_any, EXPR_SQRT, false},
    {"abs", 1, 1, "abs(x)", call_any, EXPR_ABS, false},
    {"sign", 1, 1, "sign(x)", call_any, EXPR_SIGN, false},
    {"exp", 1, 1, "exp(x)", call_pure, EXPR_EXP, false},
    {"log", 1, 1, "log(x)", call_pure, EXPR_LOG, false},
    {"sin", 1, 1, "sin(x)", call_pure, EXPR_SIN, false},
    {"cos", 1, 1, "cos(x)", call_pure, EXPR_COS, false},
    {"tan", 1, 1, "tan(x)", call_pure, EXPR_TAN, false},
    {"asin", 1, 1, "asin(x)", call_pure, EXPR_ASIN, false},
    {"acos", 1, 1, "acos(x)", call_pure, EXPR_ACOS, false},
    {"atan", 1, 1, "atan(x)", call_pure, EXPR_ATAN, false},
    {"sinh", 1, 1, "sinh(x)", call_pure, EXPR_SINH, false},
    {"cosh", 1, 1, "cosh(x)", call_pure, EXPR_COSH, false},
    {"tanh", 1, 1, "tanh(x)", call_pure, EXPR_TANH, false},
    {"atan2", 2, 2, "atan2(y, x)", call_atan2, 0, false},
    {"min", 2, -1, "min(a, b)", call_extreme, EXPR_MIN, false},
    {"max", 2, -1, "max(a, b)", call_extreme, EXPR_MAX, false},
    {"hypot", 2, 3, "hypot(x, y)", call_hypot, 0, false},
    {"step", 1, 1, "step(x)", call_step, 0, false},
    {"smoothstep", 3, 3, "smoothstep(a, b, x)", call_smoothstep, 0, false},
    {"if", 3, 3, "if(x > 0, a, b)", call_if, 0, false},
    {"dot", 2, 2, "dot(a, b)", call_vectors, 'd', false},
    {"cross", 2, 2, "cross(a, b)", call_vectors, 'c', false},
    {"norm", 1, 1, "norm(a)", call_vectors, 'n', false},
};
const int model_math_function_count = sizeof model_math_functions / sizeof *model_math_functions;

int model_function_count(void)
{
  return model_math_function_count + model_mechanics_function_count;
}

const model_function* model_function_at(int i)
{
  assert(i >= 0 && i < model_function_count());
  return i < model_math_function_count ? &model_math_functions[i]
                                       : &model_mechanics_functions[i - model_math_function_count];
}

const char* model_function_word(int i, const char** usage)
{
  if (i < 0 || i >= model_function_count()) return NULL;
  *usage = model_function_at(i)->usage;
  return model_function_at(i)->name;
}

const model_function* model_function_find(const char* name)
{
  for (int i = 0; i < model_function_count(); i++)
    if (strcmp(model_function_at(i)->name, name) == 0) return model_function_at(i);
  return NULL;
}

// What a mechanism does not know: whatever is made of it is told by the symbol, and left out
// (mechanism.c).
static model_value hide(model_scope* s, model_value v)
{
  const expr none = expr_symbol(s->pool, "(masses and forces)");
  model_scope_mark(s, none, MODEL_USES_REACTION);
  for (int i = 0; i < 3 && (v.kind == MODEL_SCALAR || v.kind == MODEL_VECTOR); i++)
    if (v.kind == MODEL_VECTOR || i == 0) v.e[i] = expr_add(s->pool, v.e[i], none);
  return v;
}

// ---- calls --------------------------------------------------------------------------------------

// bodies that are read in all, so that functions of functions end
enum { MOST_CALLS = 200000 };

static model_value refused(model_scope* s, const lang_node* n, const char* reason)
{
  base_error(s->notes, n->place, "%s", reason);
  return model_value_poison();
}

// a function of the model: its body with the arguments in the place of their names
static model_value eval_own(model_scope* s, const lang_node* n, const model_entry* f)
{
  const lang_statement* st = f->statement;
  if (f->poisoned) return model_value_poison();
  if (!st || f->state != MODEL_DONE) return refused(s, n, "this function cannot be used here");
  if (n->n != st->params) {
    base_error(s->notes, n->place, "`%s` takes %d argument%s, not %d", f->name, st->params,
               st->params == 1 ? "" : "s", n->n);
    return model_value_poison();
  }
  if (++s->called > MOST_CALLS) return refused(s, n, "too many calls of functions");
  model_local* local = base_alloc(sizeof *local * (size_t)st->params);
  bool fine = true;
  for (int i = 0; i < st->params; i++) {
    local[i] = (model_local){st->param[i].name.text, model_eval(s, n->kid[i])};
    fine = fine && local[i].value.kind != MODEL_POISON;
  }
  const int locals = s->locals;
  const model_local* outside = s->local;
  s->locals = st->params;
  s->local = local;
  const model_value v = fine ? model_eval(s, st->value) : model_value_poison();
  s->locals = locals;
  s->local = outside;
  free(local);
  return v;
}

// a number outside is refused here, anything else is watched
static bool watch(model_scope* s, const lang_node* n, const model_entry* e, int k, expr x)
{
  const model_table* t = e->table;
  const double low = t->knot[k][0], high = t->knot[k][t->count[k] - 1];
  if (t->outside != MODEL_TABLE_REFUSE) return true;
  const int moving = MODEL_USES_STATE | MODEL_USES_TIME | MODEL_USES_CHANGING | MODEL_USES_RATE;
  if (!(model_scope_uses(s, x) & moving)) {
    const double at = model_scope_number(s, x);
    if (at >= low && at <= high) return true;
    base_error(s->notes, n->kid[k]->place, "the table `%s` is asked at %g, it goes from %g to %g",
               e->name, at, low, high);
    base_help(s->notes, "say what holds there: table %s(...) = ... outside hold", e->name);
    return false;
  }
  for (int i = 0; i < s->ranges.n; i++)
    if (s->ranges.at[i].table == e && s->ranges.at[i].x == x) return true;
  base_push(&s->ranges, ((model_range){e, k, x, n->kid[k]->place}));
  return true;
}

static model_value eval_table(model_scope* s, const lang_node* n, const model_entry* e)
{
  const model_table* t = e->table;
  if (e->poisoned || e->state != MODEL_DONE) return model_value_poison();
  if (n->n != t->arguments) {
    base_error(s->notes, n->place, "`%s` takes %d argument%s, not %d", e->name, t->arguments,
               t->arguments == 1 ? "" : "s", n->n);
    return model_value_poison();
  }
  expr x[2];
  model_dim d;
  for (int k = 0; k < t->arguments; k++)
    if (!model_eval_scalar(s, n->kid[k], "what a table is asked for", &x[k], &d) ||
        !model_expect_dim(s, n->kid[k], d, t->dim[k], "this argument") || !watch(s, n, e, k, x[k]))
      return model_value_poison();
  return model_value_scalar(model_table_expr(s->pool, t, x), t->dim[t->arguments]);
}

// x(0), as others write a start
static bool is_at_zero(const lang_node* n)
{
  return n->n == 1 && n->kid[0]->kind == LANG_NUMBER && strcmp(n->kid[0]->text, "0") == 0;
}

// what other languages call a derivative
static bool is_derivative(const char* name)
{
  static const char* const names[] = {"diff", "der", "derivative", "dot", "ddt", "D"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

// functions under the names that they have elsewhere
static const char* other_name(const char* name)
{
  static const char* const names[][2] = {{"ln", "log"},
                                         {"arcsin", "asin"},
                                         {"arccos", "acos"},
                                         {"arctan", "atan"},
                                         {"arctan2", "atan2"},
                                         {"atg", "atan"},
                                         {"tg", "tan"},
                                         {"sgn", "sign"},
                                         {"signum", "sign"},
                                         {"fabs", "abs"},
                                         {"heaviside", "step"},
                                         {"root", "sqrt"},
                                         {"pow", "a^b"},
                                         {"sh", "sinh"},
                                         {"ch", "cosh"},
                                         {"th", "tanh"},
                                         {"distance", "norm(pos(P) - pos(Q))"},
                                         {"dist", "norm(pos(P) - pos(Q))"},
                                         {"length", "norm(a)"},
                                         {"len", "norm(a)"},
                                         {"mag", "norm(a)"},
                                         {"magnitude", "norm(a)"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i][0], name) == 0) return names[i][1];
  return NULL;
}

model_value model_eval_call(model_scope* s, const lang_node* n)
{
  const model_function* f = model_function_find(n->text);
  model_entry* own = model_names_find(&s->names, n->text);
  if (own && own->sort == MODEL_IS_FUNCTION) return eval_own(s, n, own);
  if (own && own->sort == MODEL_IS_TABLE) return eval_table(s, n, own);
  if (!f && own) {
    base_error(s->notes, n->place, "`%s` is %s, not a function", n->text,
               model_sort_text(model_names_find(&s->names, n->text)));
    if (is_at_zero(n))
      base_help(s->notes, "a start is written without (0): initial %s = 1", n->text);
    else
      base_help(s->notes, "a product is written with `*`");
    return model_value_poison();
  }
  if (!f) {
    BASE_LIST(const char*) words = {0};
    for (int i = 0; i < model_function_count(); i++) base_push(&words, model_function_at(i)->name);
    base_error(s->notes, n->place, "unknown function `%s`", n->text);
    const char* near = other_name(n->text);
    if (!near) near = base_nearest(n->text, words.at, words.n);
    if (is_derivative(n->text))
      base_help(s->notes, "a rate is written with a prime: x'");
    else if (near)
      base_help(s->notes, "did you mean `%s`?", near);
    else
      base_help(s->notes, "a function of your own is written: function %s(x) = ...", n->text);
    base_list_free(&words);
    return model_value_poison();
  }
  if (n->n < f->least || (f->most >= 0 && n->n > f->most)) {
    base_error(s->notes, n->place, "`%s` does not take %d argument%s", f->name, n->n,
               n->n == 1 ? "" : "s");
    base_help(s->notes, "it is written %s", f->usage);
    return model_value_poison();
  }
  const model_value v = f->call(s, n, f->which);
  return f->dynamic && s->m->mechanism ? hide(s, v) : v;
}
