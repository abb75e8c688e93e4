// Named expressions: let, quasi, output, integral.

#include <stdlib.h>
#include <string.h>

#include "model/parts.h"

void model_let_resolve(model_scope* s, model_entry* e)
{
  if (e->made) {
    model_spring_resolve(s, e);
    return;
  }
  e->value = model_eval(s, e->statement->value);
  e->poisoned = e->value.kind == MODEL_POISON;
  if (e->value.kind != MODEL_THING) return;
  base_error(s->notes, e->statement->value->place, "a let is a number or a vector, `%s` is %s",
             e->value.thing->name, model_value_describe(&e->value));
  base_help(s->notes, "its place is pos(%s)", e->value.thing->name);
  e->poisoned = true;
}

int model_coord_of(const model_scope* s, expr e, int* primes)
{
  if (expr_kind_of(s->pool, e) != EXPR_SYMBOL) return -1;
  const char* name = expr_name(s->pool, e);
  size_t n = strcspn(name, "'");
  char* bare = base_strndup(name, n);
  *primes = (int)strlen(name + n);
  const model_entry* x = model_names_find(&s->names, bare);
  free(bare);
  // the speed of a state has its bare name
  if (x && x->sort == MODEL_IS_STATE) ++*primes;
  return x && (x->sort == MODEL_IS_COORD || x->sort == MODEL_IS_STATE) ? x->index : -1;
}

const char* model_unit_of(model_scope* s, expr e, model_dim d)
{
  int primes, i = model_coord_of(s, e, &primes);
  const char* unit = i >= 0 ? s->m->coord[i].unit : "";
  if (i >= s->m->places) primes--;
  if (i >= 0 && primes == 0) return unit;
  if (strcmp(unit, "rad") == 0) return primes == 1 ? "rad/s" : "rad/s^2";
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
  if (!model_expect_free(s, n, value, never, "a quasi-velocity") ||
      !model_delay_free(s, n, value, "a quasi-velocity") ||
      !model_state_free(s, n, value, "a quasi-velocity"))
    return;
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

// The table would have two columns of one name; true where that was said. Coordinates of bodies
// have names that the model did not choose: the output is then written beside them.
static bool refuse_column(model_scope* s, const model_entry* o, const char* column)
{
  static const char* const own[] = {"t", "stage", "event"};
  const char *kind = o->statement->kind == LANG_INTEGRAL ? "integral" : "output", *of = NULL;
  const model_entry* e = model_names_find(&s->names, column);
  if (e && (e->sort == MODEL_IS_COORD || e->sort == MODEL_IS_STATE || e->sort == MODEL_IS_QUASI))
    of = model_sort_text(e);
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (strcmp(column, own[i]) == 0) of = "a column that zwang writes";
  if (e && of && e->made)
    base_warning(s->notes, o->place, "the table has two columns `%s`: %s, then the %s", column, of,
                 kind);
  else if (of)
    base_error(s->notes, o->place,
               "the %s `%s` has the name of %s: the table would have two columns of it", kind,
               column, of);
  return of;
}

static void refuse_same_column(model_scope* s, const model_entry* o)
{
  bool said = o->value.kind != MODEL_VECTOR && refuse_column(s, o, o->name);
  for (int i = 0; i < 3 && o->value.kind == MODEL_VECTOR && !said; i++)
    said = refuse_column(s, o, base_arena_printf(s->arena, "%s.%c", o->name, "xyz"[i]));
}

// what stays constant is told by the state alone
static bool is_of_state(model_scope* s, const model_entry* e)
{
  int never = MODEL_USES_ACCELERATION | MODEL_USES_JERK | MODEL_USES_REACTION | MODEL_USES_DELAY;
  const lang_node* n = e->statement->value;
  for (int i = 0; i < (e->value.kind == MODEL_VECTOR ? 3 : 1); i++)
    if (!model_expect_free(s, n, e->value.e[i], never, "an integral of the motion")) return false;
  return true;
}

void model_output_resolve(model_scope* s, model_entry* e)
{
  const lang_node* n = e->statement->value;
  bool integral = e->statement->kind == LANG_INTEGRAL;
  s->outputs_too = true;
  e->value = model_eval(s, n);
  s->outputs_too = false;
  e->poisoned = e->value.kind == MODEL_POISON;
  refuse_same_column(s, e);
  if (e->value.kind == MODEL_THING) {
    base_error(s->notes, n->place, "an %s is a number or a vector, this is %s",
               integral ? "integral" : "output", model_value_describe(&e->value));
    e->poisoned = true;
  }
  if (integral && !e->poisoned) e->poisoned = !is_of_state(s, e);
}

// a vector gives three columns: NAME.x, NAME.y, NAME.z
void model_output_build(model_scope* s, const model_entry* e)
{
  model* m = s->m;
  const model_value* v = &e->value;
  int parts = e->poisoned ? 0 : v->kind == MODEL_VECTOR ? 3 : 1;
  for (int i = 0; i < parts; i++) {
    const char* name = e->name;
    if (parts == 3) name = base_arena_printf(s->arena, "%s.%c", e->name, "xyz"[i]);
    m->output[m->outputs++] = (model_output){.name = name,
                                             .unit = model_unit_of(s, v->e[i], v->d[i]),
                                             .value = v->e[i],
                                             .integral = e->statement->kind == LANG_INTEGRAL,
                                             .place = e->place};
  }
}
