// States of first order: z' = f(t, q, v, z).
//
// A state is the speed of a coordinate of unit inertia that nothing else holds: along it the
// equations read 1 z' = f, f standing for its force. So it goes the way of all speeds, through
// every form, method, event and sweep. Its inertia is none of the mechanics: kinetic energies are
// told without it (T_states). The place of that coordinate, the integral of z, is not shown; states
// are the last of the coordinates.

#include <stdlib.h>

#include "model/parts.h"

void model_state_begin(model_scope* s, model_entry* e)
{
  const lang_param* from = &e->statement->param[e->part];
  model_coord* x = &s->m->coord[e->index];
  x->name = e->name;
  x->unit = from->unit.text ? base_arena_strdup(s->arena, from->unit.text) : "";
  x->place = e->place;
  x->q = expr_symbol(s->pool, base_arena_printf(s->arena, "\u222B%s", e->name));
  // where the name is taken, which is an error, the symbols of the other stay its own
  const bool own = model_names_find(&s->names, e->name) == e;
  const char* name = own ? e->name : expr_name(s->pool, x->q);
  x->v = expr_symbol(s->pool, own ? name : base_arena_printf(s->arena, "(%s)", name));
  x->a = expr_symbol(s->pool, base_arena_printf(s->arena, "%s'", name));
  const expr jerk = expr_symbol(s->pool, base_arena_printf(s->arena, "%s''", name));
  model_coord_mark(s, x, jerk, e->index);
  model_scope_mark(s, x->v, MODEL_USES_VELOCITY | MODEL_USES_FIRST);
  model_scope_mark(s, x->a, MODEL_USES_ACCELERATION | MODEL_USES_FIRST);
  e->value = model_value_scalar(x->v, model_coord_dim(s, from->unit));
  e->state = MODEL_DONE;
}

void model_state_number(model_scope* s)
{
  model* m = s->m;
  m->places = m->coords;
  for (int i = 0; i < s->entries.n; i++)
    if (s->entries.at[i]->sort == MODEL_IS_STATE) s->entries.at[i]->index = m->coords++;
}

// 1/2 sum z^2
expr model_state_inertia(model_scope* s)
{
  const model* m = s->m;
  expr sum = expr_int(s->pool, 0);
  const expr half = expr_div(s->pool, expr_int(s->pool, 1), expr_int(s->pool, 2));
  for (int i = m->places; i < m->coords; i++)
    sum = expr_add(s->pool, sum,
                   expr_mul(s->pool, half, expr_pow(s->pool, m->coord[i].v, expr_int(s->pool, 2))));
  return sum;
}

expr model_kinetic(const model* m)
{
  return expr_sub(m->pool, m->T, m->T_states);
}

// the state that a statement `rate` speaks of; -1 with an error noted
static int rated(model_scope* s, const lang_statement* st)
{
  const model_entry* e = model_names_find(&s->names, st->name.text);
  if (e && e->sort == MODEL_IS_STATE) return e->index;
  if (!e) {
    model_scope_unknown(s, "state", st->name.text, st->name.place, 1 << MODEL_IS_STATE);
  } else if (e->sort != MODEL_IS_UNSUPPORTED) {
    base_error(s->notes, st->name.place, "only a state has a rate of its own, `%s` is %s", e->name,
               model_sort_text(e));
    if (e->sort == MODEL_IS_COORD)
      base_help(s->notes, "its velocity is bound by a constraint: constraint %s' = ...", e->name);
    else
      base_help(s->notes, "declare it by `state %s = 0` in its place", e->name);
  }
  return -1;
}

static bool read_rate(model_scope* s, const lang_statement* st, expr* f)
{
  model_dim d;
  if (!model_eval_scalar(s, st->value, "a rate", f, &d)) return false;
  const int never = MODEL_USES_JERK | MODEL_USES_ACCELERATION;
  if (!model_expect_free(s, st->value, *f, never, "a rate")) return false;
  const model_entry* e = model_names_find(&s->names, st->name.text);
  if (e->value.d[0].kind != MODEL_DIM_KNOWN) return true;
  return model_expect_dim(s, st->value, d, model_dim_rate(e->value.d[0], 1), "this rate");
}

static void name_missing(model_scope* s, const lang_statement* const* given)
{
  const model* m = s->m;
  for (int i = m->places; i < m->coords; i++) {
    if (given[i]) continue;
    base_error(s->notes, m->coord[i].place, "the state `%s` has no rate", m->coord[i].name);
    base_help(s->notes, "say how it changes: rate %s = ...", m->coord[i].name);
  }
}

void model_state_rates(model_scope* s, expr* rate)
{
  const model* m = s->m;
  const lang_statement** given = base_alloc(sizeof *given * (size_t)(m->coords + 1));
  for (int k = 0; k < s->tree->count; k++) {
    const lang_statement* st = s->tree->at[k];
    if (st->kind != LANG_RATE || !st->name.text) continue;
    const int i = rated(s, st);
    if (i < 0) continue;
    expr f;
    if (given[i]) {
      base_error(s->notes, st->place, "the rate of `%s` is given twice", m->coord[i].name);
      base_info(s->notes, given[i]->place, "it was first given here");
    } else if (read_rate(s, st, &f)) {
      rate[i] = f;
    }
    given[i] = st;
  }
  if (!s->errors_before) name_missing(s, given);
  free(given);
}

// where they start, exact as any initial value
void model_state_starts(model_scope* s, model_initials* list)
{
  for (int k = 0; k < s->entries.n; k++) {
    const model_entry* e = s->entries.at[k];
    if (e->sort != MODEL_IS_STATE || !e->node) continue;
    const model_coord* x = &s->m->coord[e->index];
    expr value;
    model_dim d;
    const int never = MODEL_USES_ACCELERATION | MODEL_USES_JERK | MODEL_USES_REACTION;
    if (!model_eval_scalar(s, e->node, "the start of a state", &value, &d) ||
        !model_expect_dim(s, e->node, d, e->value.d[0], "this state") ||
        !model_expect_free(s, e->node, value, never, "the start of a state"))
      continue;
    model_initial start = {.f = expr_sub(s->pool, x->v, value), .coord = -1, .place = e->place};
    if (!(model_scope_uses(s, value) & MODEL_USES_STATE)) {
      start.coord = e->index;
      start.order = 1;
      start.value = value;
    }
    base_push(list, start);
  }
}

bool model_state_free(model_scope* s, const lang_node* n, expr f, const char* what)
{
  if (!(s->uses_of_any & MODEL_USES_FIRST)) return true;
  if (!(model_scope_uses(s, f) & MODEL_USES_FIRST)) return true;
  base_error(s->notes, n->place, "%s cannot depend on a state of first order", what);
  return false;
}
