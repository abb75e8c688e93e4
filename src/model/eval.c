// Syntax trees into numbers and vectors, with their dimensions.
// Long sums and products are gathered along the tree's left side and built at once.

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "model/scope.h"
#include "model/surface.h"

// deeper trees are refused by the parser long before
enum { DEEPEST = 1000 };

bool model_is_comparison(const lang_node* n)
{
  return n && n->kind == LANG_BINARY && n->op >= LANG_LT;
}

bool model_dim_check(model_scope* s, base_place place, const char* verb, model_dim a, model_dim b,
                     model_dim* sum)
{
  if (model_dim_join(a, b, sum)) return true;
  base_error(s->notes, place, "cannot %s [%s] and [%s]", verb, model_dim_text(s->arena, &a),
             model_dim_text(s->arena, &b));
  return false;
}

static model_value no_value(model_scope* s, const lang_node* n, const char* reason)
{
  base_error(s->notes, n->place, "%s", reason);
  return model_value_poison();
}

// ---- names and numbers --------------------------------------------------------------------------

// 1 .. 6, 8 and 12 are the factors of textbook formulas; other numbers may stand for quantities
static model_dim number_dim(model_scope* s, expr e)
{
  long k;
  bool factor = expr_is_int(s->pool, e, &k) && ((k >= 1 && k <= 6) || k == 8 || k == 12);
  return factor ? model_dim_pure() : model_dim_unknown();
}

static model_value eval_number(model_scope* s, const lang_node* n)
{
  expr e = expr_decimal(s->pool, n->text, strlen(n->text));
  if (e == EXPR_NONE) return no_value(s, n, "this number is too large or too small");
  if (!n->unit.text) return model_value_scalar(e, number_dim(s, e));
  model_dim d;
  expr scale;
  model_scope_unit(s, n->unit, &d, &scale);
  if (scale == EXPR_NONE) return model_value_poison();
  // as sure of its unit as a param is
  d.param = d.kind == MODEL_DIM_KNOWN;
  return model_value_scalar(expr_mul(s->pool, e, scale), d);
}

static model_value entry_value(model_scope* s, const lang_node* n, model_entry* e)
{
  if (e->poisoned || e->sort == MODEL_IS_UNSUPPORTED) return model_value_poison();
  if (e->state != MODEL_DONE) {
    base_error(s->notes, n->place, "`%s` cannot be used here: it depends on this", e->name);
    return model_value_poison();
  }
  if (e->sort == MODEL_IS_ORIENTATION) {
    base_error(s->notes, n->place, "`%s` is an orientation, not a quantity", e->name);
    base_help(s->notes, "its parts are %s.w, %s.x, %s.y, %s.z and its speeds %s.wx, %s.wy, %s.wz",
              e->name, e->name, e->name, e->name, e->name, e->name, e->name);
    return model_value_poison();
  }
  if (e->sort == MODEL_IS_SPRING) {
    base_error(s->notes, n->place, "`%s` is a spring or pull, not a quantity", e->name);
    base_help(s->notes, "it has %s.length, %s.rate, %s.force and %s.energy", e->name, e->name,
              e->name, e->name);
    return model_value_poison();
  }
  if (e->sort == MODEL_IS_FUNCTION || e->sort == MODEL_IS_TABLE) {
    base_error(s->notes, n->place, "`%s` is %s: write its arguments in brackets", e->name,
               model_sort_text(e));
    return model_value_poison();
  }
  if (e->sort == MODEL_IS_SURFACE) {
    base_error(s->notes, n->place, "`%s` is %s, not a quantity", e->name,
               e->surface && e->surface->curve ? "a curve" : "a surface");
    return model_value_poison();
  }
  if (e->sort == MODEL_IS_CONTACT || e->sort == MODEL_IS_FRAME || e->sort == MODEL_IS_POINT ||
      e->sort == MODEL_IS_BODY)
    return (model_value){.kind = MODEL_THING, .thing = e};
  return e->value;
}

static model_value eval_name(model_scope* s, const lang_node* n)
{
  if (strcmp(n->text, "pi") == 0) return model_value_scalar(expr_pi(s->pool), model_dim_pure());
  if (strcmp(n->text, "t") == 0) return model_value_scalar(s->m->t, model_dim_of(0, 0, 1));
  if (strcmp(n->text, "world") == 0) return (model_value){.kind = MODEL_THING, .thing = s->world};
  for (int i = 0; i < s->locals; i++)
    if (strcmp(s->local[i].name, n->text) == 0) return s->local[i].value;
  model_entry* e = model_names_find(&s->names, n->text);
  if (!e && s->outputs_too) e = model_names_find(&s->output_names, n->text);
  if (e) return entry_value(s, n, e);
  if (model_names_find(&s->output_names, n->text)) {
    base_error(s->notes, n->place,
               "the output `%s` can be used only in outputs, plots, events "
               "and after `until`",
               n->text);
    base_help(s->notes, "an abbreviation for all uses is written `let %s = ...`", n->text);
  } else if (model_function_find(n->text)) {
    base_error(s->notes, n->place, "`%s` is a function", n->text);
    base_help(s->notes, "write %s", model_function_find(n->text)->usage);
  } else if (model_names_find(&s->constraint_names, n->text)) {
    base_error(s->notes, n->place, "`%s` is a constraint, not a quantity", n->text);
    base_help(s->notes, "its reaction is reaction(%s)", n->text);
  } else {
    model_scope_unknown(s, "name", n->text, n->place, MODEL_ANY_SORT);
  }
  return model_value_poison();
}

// ---- derivatives --------------------------------------------------------------------------------

static model_value eval_primes(model_scope* s, const lang_node* n)
{
  model_value v = model_eval(s, n->kid[0]);
  if (v.kind == MODEL_POISON) return v;
  if (v.kind == MODEL_THING) {
    base_error(s->notes, n->place, "%s has no derivative", model_value_describe(&v));
    base_help(s->notes, "its velocity is vel(%s)", v.thing->name);
    return model_value_poison();
  }
  if (n->primes > 3) return no_value(s, n, "more than three primes");
  int parts = v.kind == MODEL_VECTOR ? 3 : 1;
  for (int i = 0; i < parts; i++) {
    for (int k = 0; k < n->primes; k++) {
      v.e[i] = expr_total(s->pool, v.e[i]);
      // the derivative beyond the third would be taken for zero
      if (model_scope_uses(s, v.e[i]) & MODEL_USES_JERK)
        return no_value(s, n, "this holds a third time derivative; the second is the highest");
    }
    v.d[i] = model_dim_rate(v.d[i], n->primes);
  }
  return v;
}

// Q.w of an orientation: a coordinate or quasi-velocity with a name of its own; null if it is none
static model_entry* part_of(model_scope* s, const lang_node* n)
{
  if (n->kid[0]->kind != LANG_NAME) return NULL;
  base_text name = {0};
  base_text_printf(&name, "%s.%s", n->kid[0]->text, n->text);
  model_entry* e = model_names_find(&s->names, name.at);
  base_text_free(&name);
  return e;
}

static bool has_coordinates(const model_scope* s, const model_entry* joint)
{
  const size_t n = strlen(joint->name);
  bool has = false;
  for (int i = 0; i < s->entries.n && !has; i++) {
    const model_entry* e = s->entries.at[i];
    has = e->sort == MODEL_IS_COORD && strncmp(e->name, joint->name, n) == 0 && e->name[n] == '.';
  }
  return has;
}

// A joint has coordinates where it places a body, else it is equations. True with an error noted
// where that is what stands before the dot, or where nothing of that name is.
static bool is_lost(model_scope* s, const lang_node* n)
{
  const lang_node* name = n->kid[0];
  if (name->kind != LANG_NAME || model_names_find(&s->names, name->text)) return false;
  const model_entry* e = model_names_find(&s->constraint_names, name->text);
  const bool joint = e && e->statement && e->statement->kind == LANG_JOINT;
  const bool part = strlen(n->text) == 1 && n->text[0] >= 'x' && n->text[0] <= 'z';
  if (!joint && (e || part || s->locals || model_names_find(&s->output_names, name->text)))
    return false;
  if (joint && !has_coordinates(s, e)) {
    base_error(s->notes, n->place,
               "the joint `%s` has no coordinate `%s`: it closes a loop, and is a constraint",
               e->name, n->text);
    base_help(s->notes, "the first joint that names a body places it, and has coordinates");
    return true;
  }
  base_text text = {0};
  base_text_printf(&text, "%s.%s", name->text, n->text);
  const bool column = !strcmp(name->text, "reaction") || !strcmp(name->text, "control");
  if (column && model_names_find(&s->constraint_names, n->text)) {
    base_error(s->notes, n->place, "`%s` is a column of the results", text.at);
    base_help(s->notes, "in a model it is written %s(%s)", name->text, n->text);
    base_text_free(&text);
    return true;
  }
  model_scope_unknown(s, "coordinate", text.at, n->place,
                      1 << MODEL_IS_COORD | 1 << MODEL_IS_QUASI);
  base_text_free(&text);
  return true;
}

static model_value eval_field(model_scope* s, const lang_node* n)
{
  model_entry* part = part_of(s, n);
  if (part) return entry_value(s, n, part);
  if (is_lost(s, n)) return model_value_poison();
  model_value v = model_eval(s, n->kid[0]);
  if (v.kind == MODEL_POISON) return v;
  int k = strlen(n->text) == 1 && n->text[0] >= 'x' && n->text[0] <= 'z' ? n->text[0] - 'x' : -1;
  if (v.kind == MODEL_VECTOR && k >= 0) return model_value_scalar(v.e[k], v.d[k]);
  if (v.kind == MODEL_VECTOR) {
    base_error(s->notes, n->place, "a vector has the parts .x, .y and .z, not .%s", n->text);
  } else {
    base_error(s->notes, n->place, "%s has no part .%s", model_value_describe(&v), n->text);
    if (v.kind == MODEL_THING && k >= 0)
      base_help(s->notes, "write pos(%s).%s", v.thing->name, n->text);
    else if (v.kind == MODEL_SCALAR && n->kid[0]->kind == LANG_NAME)
      base_help(s->notes,
                !strcmp(n->text, "dot") || !strcmp(n->text, "dt")
                    ? "a rate is written with a prime: %s'"
                    : "`%s` is a number: it stands alone",
                n->kid[0]->text);
  }
  return model_value_poison();
}

static model_value eval_tuple(model_scope* s, const lang_node* n)
{
  model_value v = {.kind = MODEL_VECTOR};
  if (n->n != 3) {
    base_error(s->notes, n->place, "a vector has three parts, this has %d", n->n);
    if (n->n == 2) base_help(s->notes, "in the plane the third is zero: (x, y, 0)");
    return model_value_poison();
  }
  for (int i = 0; i < 3; i++)
    if (!model_eval_scalar(s, n->kid[i], "a part of a vector", &v.e[i], &v.d[i]))
      v.kind = MODEL_POISON;
  return v;
}

// ---- arithmetic ---------------------------------------------------------------------------------

// A running sum or product: its parts are kept in lists until another kind of operation comes.
typedef struct chain
{
  bool product;
  model_value v; // kind and dimensions of the whole; e[] once closed
  BASE_LIST(expr) part[3];
  expr vector[3]; // product: the one vector in it
} chain;

static void chain_free(chain* c)
{
  for (int i = 0; i < 3; i++) base_list_free(&c->part[i]);
}

static model_value chain_close(model_scope* s, chain* c)
{
  expr_pool* p = s->pool;
  model_value v = c->v;
  int parts = v.kind == MODEL_VECTOR ? 3 : v.kind == MODEL_SCALAR ? 1 : 0;
  if (parts && c->product) {
    expr all = c->part[0].n ? expr_product(p, c->part[0].n, c->part[0].at) : expr_int(p, 1);
    if (v.kind == MODEL_SCALAR)
      v.e[0] = all;
    else
      model_vec_scale(p, all, c->vector, v.e);
  } else {
    for (int i = 0; i < parts; i++) v.e[i] = expr_sum(p, c->part[i].n, c->part[i].at);
  }
  chain_free(c);
  return v;
}

static void chain_start(chain* c, model_value v, bool product)
{
  *c = (chain){.product = product, .v = v};
  if (v.kind == MODEL_SCALAR) base_push(&c->part[0], v.e[0]);
  if (v.kind == MODEL_VECTOR && product) memcpy(c->vector, v.e, sizeof v.e);
  if (v.kind == MODEL_VECTOR && !product)
    for (int i = 0; i < 3; i++) base_push(&c->part[i], v.e[i]);
}

static void chain_poison(chain* c)
{
  c->v.kind = MODEL_POISON;
}

static void chain_add(model_scope* s, chain* c, const lang_node* n, model_value b)
{
  const char* verb = n->op == LANG_ADD ? "add" : "subtract";
  if (c->v.kind != b.kind) {
    base_error(s->notes, n->place, "cannot %s %s and %s", verb, model_value_describe(&c->v),
               model_value_describe(&b));
    chain_poison(c);
    return;
  }
  for (int i = 0; i < (b.kind == MODEL_VECTOR ? 3 : 1); i++) {
    if (!model_dim_check(s, n->place, verb, c->v.d[i], b.d[i], &c->v.d[i])) {
      chain_poison(c);
      return;
    }
    base_push(&c->part[i], n->op == LANG_SUB ? expr_neg(s->pool, b.e[i]) : b.e[i]);
  }
}

static void chain_multiply(model_scope* s, chain* c, const lang_node* n, model_value b)
{
  bool over = n->op == LANG_DIV;
  if (b.kind == MODEL_VECTOR && (over || c->v.kind == MODEL_VECTOR)) {
    base_error(s->notes, n->place,
               over ? "cannot divide by a vector" : "a product of two vectors is not defined");
    if (!over) base_help(s->notes, "write dot(a, b) or cross(a, b)");
    chain_poison(c);
    return;
  }
  if (b.kind == MODEL_VECTOR) {
    memcpy(c->vector, b.e, sizeof b.e);
    for (int i = 0; i < 3; i++) b.d[i] = model_dim_mul(c->v.d[0], b.d[i]);
    memcpy(c->v.d, b.d, sizeof b.d);
    c->v.kind = MODEL_VECTOR;
    return;
  }
  expr factor = over ? expr_div(s->pool, expr_int(s->pool, 1), b.e[0]) : b.e[0];
  if (factor == EXPR_NONE) {
    base_error(s->notes, n->kid[1]->place, "division by zero");
    chain_poison(c);
    return;
  }
  base_push(&c->part[0], factor);
  for (int i = 0; i < (c->v.kind == MODEL_VECTOR ? 3 : 1); i++)
    c->v.d[i] = over ? model_dim_div(c->v.d[i], b.d[0]) : model_dim_mul(c->v.d[i], b.d[0]);
}

static model_dim power_dim(model_scope* s, const lang_node* n, model_value a, model_value b)
{
  if (model_dim_has_unit(&b.d[0])) {
    base_error(s->notes, n->kid[1]->place, "an exponent is a pure number, this is in [%s]",
               model_dim_text(s->arena, &b.d[0]));
    return model_dim_unknown();
  }
  if (a.d[0].kind != MODEL_DIM_KNOWN) return a.d[0];
  if (!expr_is_number(s->pool, b.e[0]))
    return model_dim_is_one(&a.d[0]) ? a.d[0] : model_dim_unknown();
  return model_dim_pow(a.d[0], expr_number(s->pool, b.e[0]));
}

static model_value eval_power(model_scope* s, const lang_node* n, model_value a, model_value b)
{
  if (a.kind != MODEL_SCALAR || b.kind != MODEL_SCALAR) {
    base_error(s->notes, n->place, "a power needs numbers, not %s",
               model_value_describe(a.kind != MODEL_SCALAR ? &a : &b));
    if (a.kind == MODEL_VECTOR) base_help(s->notes, "the square of a vector is dot(a, a)");
    return model_value_poison();
  }
  expr e = expr_pow(s->pool, a.e[0], b.e[0]);
  if (e == EXPR_NONE) return no_value(s, n, "this power has no value");
  return model_value_scalar(e, power_dim(s, n, a, b));
}

static bool is_number_or_vector(model_scope* s, const lang_node* n, const model_value* v)
{
  if (v->kind != MODEL_THING) return v->kind != MODEL_POISON;
  base_error(s->notes, n->place, "`%s` is %s, not a number or vector", v->thing->name,
             model_value_describe(v));
  base_help(s->notes, "its place is pos(%s)", v->thing->name);
  return false;
}

// one more operation on the running value
static void chain_step(model_scope* s, chain* c, const lang_node* n)
{
  model_value b = model_eval(s, n->kid[1]);
  bool fine = is_number_or_vector(s, n->kid[1], &b);
  if (c->v.kind == MODEL_POISON) return;
  if (!fine) {
    chain_poison(c);
    return;
  }
  if (n->op == LANG_POW) {
    model_value a = chain_close(s, c);
    chain_start(c, eval_power(s, n, a, b), false);
    return;
  }
  bool product = n->op == LANG_MUL || n->op == LANG_DIV;
  if (product != c->product) {
    model_value a = chain_close(s, c);
    chain_start(c, a, product);
  }
  if (product)
    chain_multiply(s, c, n, b);
  else
    chain_add(s, c, n, b);
}

static model_value eval_binary(model_scope* s, const lang_node* n)
{
  BASE_LIST(const lang_node*) spine = {0};
  for (; n->kind == LANG_BINARY && !model_is_comparison(n); n = n->kid[0]) base_push(&spine, n);
  model_value first = model_eval(s, n);
  if (!is_number_or_vector(s, n, &first)) first = model_value_poison();
  chain c;
  chain_start(&c, first, false);
  for (int i = spine.n - 1; i >= 0; i--) chain_step(s, &c, spine.at[i]);
  base_list_free(&spine);
  return chain_close(s, &c);
}

static model_value eval_negate(model_scope* s, const lang_node* n)
{
  model_value v = model_eval(s, n->kid[0]);
  if (!is_number_or_vector(s, n->kid[0], &v)) return model_value_poison();
  for (int i = 0; i < (v.kind == MODEL_VECTOR ? 3 : 1); i++) v.e[i] = expr_neg(s->pool, v.e[i]);
  return v;
}

static model_value eval_node(model_scope* s, const lang_node* n)
{
  switch (n->kind) {
  case LANG_NUMBER:
    return eval_number(s, n);
  case LANG_NAME:
    return eval_name(s, n);
  case LANG_PRIMES:
    return eval_primes(s, n);
  case LANG_FIELD:
    return eval_field(s, n);
  case LANG_CALL:
    return model_eval_call(s, n);
  case LANG_TUPLE:
    return eval_tuple(s, n);
  case LANG_NEGATE:
    return eval_negate(s, n);
  case LANG_BINARY:
    break;
  }
  if (!model_is_comparison(n)) return eval_binary(s, n);
  return no_value(s, n, "a comparison stands only in if(...) and after `until`");
}

model_value model_eval(model_scope* s, const lang_node* n)
{
  if (!n) return model_value_poison();
  if (s->depth >= DEEPEST) return no_value(s, n, "this expression is nested too deeply");
  s->depth++;
  model_value v = eval_node(s, n);
  s->depth--;
  return v;
}
