// Generalised coordinates: each is a symbol x whose rates are the symbols x', x'', x'''.

#include "model/parts.h"

#include <string.h>

static void check_unit(model_scope* s, lang_unit unit, const model_dim* d, expr scale)
{
  if (scale == expr_int(s->pool, 1)) return;
  base_error(s->notes, unit.place, "coordinates are kept in SI units, [%s] is not one of them",
             unit.text);
  base_help(s->notes, "write [%s] here; numbers may have the other one: 45 [%s]",
            model_dim_is_one(d) ? "rad" : model_dim_text(s->arena, d), unit.text);
}

void model_coord_mark(model_scope* s, const model_coord* x, expr jerk, int number)
{
  expr_pool* p = s->pool;
  expr_rate_set(p, x->q, x->v);
  expr_rate_set(p, x->v, x->a);
  expr_rate_set(p, x->a, jerk);
  // written in the order they are declared
  const expr written[4] = {x->q, x->v, x->a, jerk};
  for (int i = 0; i < 4; i++) expr_rank_set(p, written[i], MODEL_RANK_COORD + number);
  model_scope_mark(s, x->q, MODEL_USES_COORD);
  model_scope_mark(s, x->v, MODEL_USES_VELOCITY);
  model_scope_mark(s, x->a, MODEL_USES_ACCELERATION);
  model_scope_mark(s, jerk, MODEL_USES_JERK);
}

model_dim model_coord_dim(model_scope* s, lang_unit unit)
{
  model_dim d;
  expr scale;
  model_scope_unit(s, unit, &d, &scale);
  check_unit(s, unit, &d, scale);
  d.coord = d.kind == MODEL_DIM_KNOWN;
  return d;
}

// x and so many primes
static expr primed(model_scope* s, const char* name, size_t primes)
{
  const size_t n = strlen(name);
  char* text = base_arena_take(s->arena, n + primes + 1);
  memcpy(text, name, n);
  memset(text + n, '\'', primes);
  return expr_symbol(s->pool, text);
}

void model_coord_begin(model_scope* s, model_entry* e)
{
  expr_pool* p = s->pool;
  lang_unit unit = e->made ? (lang_unit){*e->unit ? e->unit : NULL, e->place}
                           : e->statement->param[e->part].unit;
  model_coord* x = &s->m->coord[e->index];
  x->name = e->name;
  x->unit = unit.text ? base_arena_strdup(s->arena, unit.text) : "";
  x->start = e->start;
  x->vector = e->vector;
  x->place = e->place;
  x->q = expr_symbol(p, e->name);
  x->v = primed(s, e->name, 1);
  x->a = primed(s, e->name, 2);
  expr jerk = primed(s, e->name, 3);
  model_coord_mark(s, x, jerk, e->index);
  e->value = model_value_scalar(x->q, model_coord_dim(s, unit));
  e->state = MODEL_DONE;
}

model_entry* model_coord_make(model_scope* s, const model_entry* owner, const char* part,
                              const char* unit, int start)
{
  const char* name = base_arena_printf(s->arena, "%s.%s", owner->name, part);
  model_entry* e = model_scope_new_entry(s, MODEL_IS_COORD, name, owner->place);
  e->made = true;
  e->unit = unit;
  e->start = start;
  e->index = s->m->coords++;
  if (!model_names_find(&s->names, name)) model_names_add(&s->names, e);
  return e;
}

void model_coord_make_vector(model_scope* s, const model_entry* owner, int count,
                             const char* const* part, int which, int start)
{
  const int vector = s->m->coords + 1;
  for (int i = 0; i < count; i++)
    model_coord_make(s, owner, part[i], "", i == which ? start : 0)->vector = vector;
}
