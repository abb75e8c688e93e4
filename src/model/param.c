// Params: exact values in SI units. One that stages or events set stays a symbol with rates, and
// what is defined through it follows it.

#include <math.h>

#include "model/parts.h"
#include "model/table.h"

static void add_rates(model_scope* s, model_param* x)
{
  expr_pool* p = s->pool;
  x->rate = expr_symbol(p, base_arena_printf(s->arena, "%s'", x->name));
  x->rate2 = expr_symbol(p, base_arena_printf(s->arena, "%s''", x->name));
  expr third = expr_symbol(p, base_arena_printf(s->arena, "%s'''", x->name));
  expr_rate_set(p, x->symbol, x->rate);
  expr_rate_set(p, x->rate, x->rate2);
  expr_rate_set(p, x->rate2, third);
  model_scope_mark(s, x->rate, MODEL_USES_RATE | MODEL_USES_CHANGING);
  model_scope_mark(s, x->rate2, MODEL_USES_RATE | MODEL_USES_CHANGING);
  model_scope_mark(s, third, MODEL_USES_JERK | MODEL_USES_CHANGING);
}

void model_param_begin(model_scope* s, model_entry* e)
{
  const lang_param* from = &e->statement->param[e->part];
  model_param* x = &s->m->param[e->index];
  x->name = e->name;
  x->unit = from->unit.text ? base_arena_strdup(s->arena, from->unit.text) : "";
  x->note = from->note ? base_arena_strdup(s->arena, from->note) : "";
  x->place = e->place;
  x->symbol = expr_symbol(s->pool, e->name);
  x->value = x->definition = x->rate = x->rate2 = EXPR_NONE;
  x->number = NAN;
  x->input = e->statement->kind == LANG_INPUT;
  model_scope_mark(s, x->symbol, x->changes ? MODEL_USES_CHANGING : 0);
  if (x->changes) add_rates(s, x);
  const expr written[3] = {x->symbol, x->rate, x->rate2};
  for (int i = 0; i < 3; i++) expr_rank_set(s->pool, written[i], MODEL_RANK_PARAM + e->index);
  model_dim d;
  model_scope_unit(s, from->unit, &d, &e->scale);
  x->scale = e->scale == EXPR_NONE ? NAN : expr_value(s->pool, e->scale, 0, NULL, NULL);
  d.param = d.kind == MODEL_DIM_KNOWN;
  e->value = model_value_scalar(x->symbol, d);
}

static bool has_number(model_scope* s, model_entry* e, model_param* x)
{
  x->number = expr_value(s->pool, x->value, 0, NULL, NULL);
  if (isfinite(x->number)) return true;
  base_error(s->notes, e->node->place, "the param `%s` has no finite value", e->name);
  return false;
}

void model_param_resolve(model_scope* s, model_entry* e)
{
  model_param* x = &s->m->param[e->index];
  expr value;
  model_dim d;
  e->poisoned = true;
  const lang_statement_kind kind = e->statement->kind;
  if (e->table) {
    x->value = expr_int(s->pool, 0);
    x->number = 0;
    e->value.e[0] = model_table_expr(s->pool, e->table, &s->m->t);
    e->poisoned = false;
    return;
  }
  // a memory and an input are zero where nothing is said
  if (!e->node && kind != LANG_PARAM) {
    x->value = expr_int(s->pool, 0);
    x->number = 0;
    e->poisoned = false;
    return;
  }
  if (!model_eval_scalar(s, e->node, kind == LANG_PARAM ? "a param" : "where it starts", &value,
                         &d))
    return;
  int moving = MODEL_USES_STATE | MODEL_USES_TIME | MODEL_USES_JERK | MODEL_USES_RATE;
  if (!model_expect_free(s, e->node, value, moving, "a param")) {
    base_help(s->notes, "what changes with the motion is written `let %s = ...`", e->name);
    return;
  }
  if (!model_expect_dim(s, e->node, d, e->value.d[0], "this param")) return;
  // a bare number is in the unit written behind it, a quantity with a unit is in SI already
  if (model_dim_is_bare(d)) value = expr_mul(s->pool, value, e->scale);
  x->value = model_scope_exact(s, value);
  x->definition = x->value == value ? EXPR_NONE : value;
  if (!has_number(s, e, x)) return;
  // without a unit of its own it takes that of its value
  if (e->value.d[0].kind != MODEL_DIM_KNOWN && d.kind == MODEL_DIM_KNOWN) e->value.d[0] = d;
  e->follows = !x->changes && (model_scope_uses(s, value) & MODEL_USES_CHANGING) != 0;
  if (e->follows) e->value.e[0] = value;
  e->poisoned = false;
}
