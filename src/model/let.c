// Named expressions: let, quasi, output.

#include <string.h>

#include "model/parts.h"

void model_let_resolve(model_scope* s, model_entry* e)
{
  e->value = model_eval(s, e->statement->value);
  e->poisoned = e->value.kind == MODEL_POISON;
  if (e->value.kind != MODEL_THING) return;
  base_error(s->notes, e->statement->value->place, "a let is a number or a vector, `%s` is %s",
             e->value.thing->name, model_value_describe(&e->value));
  base_help(s->notes, "its place is pos(%s)", e->value.thing->name);
  e->poisoned = true;
}

// of x' or x'': the coordinate and the number of primes
static const model_coord* coord_of(const model_scope* s, expr e, int* primes)
{
  if (expr_kind_of(s->pool, e) != EXPR_SYMBOL) return NULL;
  const char* name = expr_name(s->pool, e);
  size_t n = strcspn(name, "'");
  char bare[256];
  if (n >= sizeof bare) return NULL;
  memcpy(bare, name, n);
  bare[n] = 0;
  *primes = (int)strlen(name + n);
  const model_entry* x = model_names_find(&s->names, bare);
  return x && x->sort == MODEL_IS_COORD ? &s->m->coord[x->index] : NULL;
}

const char* model_unit_of(model_scope* s, expr e, model_dim d)
{
  int primes;
  const model_coord* x = coord_of(s, e, &primes);
  if (x && primes == 0) return x->unit;
  if (x && strcmp(x->unit, "rad") == 0) return primes == 1 ? "rad/s" : "rad/s^2";
  if (d.kind != MODEL_DIM_KNOWN || model_dim_is_one(&d)) return "";
  return model_dim_text(s->arena, &d);
}

void model_quasi_resolve(model_scope* s, model_entry* e)
{
  const lang_node* n = e->statement->value;
  expr value;
  model_dim d;
  e->poisoned = true;
  if (!model_eval_scalar(s, n, "a quasi-velocity", &value, &d)) return;
  int never = MODEL_USES_REACTION | MODEL_USES_JERK;
  if (!model_expect_free(s, n, value, never, "a quasi-velocity")) return;
  int order = model_highest_order(s, value);
  if (order < 1) {
    base_error(s->notes, n->place, "the quasi-velocity `%s` holds no velocity", e->name);
    base_help(s->notes, "an abbreviation is written `let %s = ...`", e->name);
    return;
  }
  e->value = model_value_scalar(value, d);
  e->poisoned = false;
  model_quasi* q = &s->m->quasi[e->index];
  *q = (model_quasi){.name = e->name,
                     .unit = model_unit_of(s, value, d),
                     .value = value,
                     .order = order,
                     .place = e->place};
}

// the table would have two columns of one name
static void warn_same_column(model_scope* s, const lang_statement* st)
{
  model_entry* e = model_names_find(&s->names, st->name.text);
  if (e && (e->sort == MODEL_IS_COORD || e->sort == MODEL_IS_QUASI))
    base_warning(s->notes, st->name.place,
                 "the output `%s` has the name of %s: the table will "
                 "have two columns of this name",
                 st->name.text, model_sort_text(e));
}

static void declare_output(model_scope* s, const lang_statement* st)
{
  model_entry* old = model_names_find(&s->output_names, st->name.text);
  if (old) {
    base_error(s->notes, st->name.place, "the output `%s` is declared twice", st->name.text);
    base_info(s->notes, old->place, "`%s` was first declared here", st->name.text);
    return;
  }
  model_entry* e = base_arena_take(s->arena, sizeof *e);
  e->name = base_arena_strdup(s->arena, st->name.text);
  e->place = st->name.place;
  model_names_add(&s->output_names, e);
}

// a vector gives three columns: NAME.x, NAME.y, NAME.z
void model_output_build(model_scope* s, const lang_statement* st)
{
  model* m = s->m;
  if (!st->name.text) return;
  declare_output(s, st);
  warn_same_column(s, st);
  model_value v = model_eval(s, st->value);
  if (v.kind == MODEL_THING)
    base_error(s->notes, st->value->place, "an output is a number or a vector, this is %s",
               model_value_describe(&v));
  int parts = v.kind == MODEL_VECTOR ? 3 : v.kind == MODEL_SCALAR ? 1 : 0;
  for (int i = 0; i < parts; i++) {
    const char* name = parts == 3 ? base_arena_printf(s->arena, "%s.%c", st->name.text, "xyz"[i])
                                  : base_arena_strdup(s->arena, st->name.text);
    m->output[m->outputs++] = (model_output){.name = name,
                                             .unit = model_unit_of(s, v.e[i], v.d[i]),
                                             .value = v.e[i],
                                             .place = st->name.place};
  }
}
