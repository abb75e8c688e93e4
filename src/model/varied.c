// What runs of one model may differ in beside its text: params, and where coordinates start.

#include <stdlib.h>
#include <string.h>

#include "model/parts.h"

// "x" or "x'" -> the coordinate and the order
static bool find_coord(const model* m, const char* name, model_varied* out)
{
  const size_t length = strlen(name);
  const bool primed = length > 1 && name[length - 1] == '\'';
  char* plain = base_strndup(name, length - primed);
  out->coord = model_coord_find(m, plain);
  out->order = primed || out->coord >= m->places;
  if (primed && out->coord >= m->places) out->coord = -1;
  free(plain);
  return out->coord >= 0;
}

static void tell_unknown(const model* m, const char* option, const char* name, base_notes* notes)
{
  const char** word = base_alloc(sizeof *word * (size_t)(m->params + m->coords + 1));
  int count = 0;
  for (int i = 0; i < m->params; i++) word[count++] = m->param[i].name;
  for (int i = 0; i < m->coords; i++) word[count++] = m->coord[i].name;
  const char* near = base_nearest(name, word, count);
  base_error(notes, BASE_NOWHERE, "%s: the model has no param or coordinate `%s`", option, name);
  if (near) base_help(notes, "did you mean `%s`?", near);
  free(word);
}

bool model_varied_find(const model* m, const char* option, const char* name, base_notes* notes,
                       model_varied* out)
{
  *out = (model_varied){.param = model_param_find(m, name), .coord = -1};
  if (out->param >= 0 || find_coord(m, name, out)) return true;
  tell_unknown(m, option, name, notes);
  return false;
}

void model_start_set(model* m, const model_varied* v, expr value)
{
  const model_coord* c = &m->coord[v->coord];
  model_initial* list = base_arena_take(m->arena, sizeof *list * (size_t)(m->initials + 2));
  model_initial own = {.coord = v->coord, .order = v->order, .value = value, .place = c->place};
  own.f = expr_sub(m->pool, v->order ? c->v : c->q, value);
  int count = 0;
  for (int i = 0; i < m->initials; i++) {
    const model_initial* x = &m->initial[i];
    if (x->coord != v->coord || x->order != v->order)
      list[count++] = *x;
    else
      own.guess = x->guess;
  }
  list[count++] = own;
  m->initial = list;
  m->initials = count;
}

// a further param, as the start
static model_param* add_param(model* m, const model_varied* v)
{
  expr_pool* p = m->pool;
  model_param* list = base_arena_take(m->arena, sizeof *list * (size_t)(m->params + 2));
  memcpy(list, m->param, sizeof *list * (size_t)m->params);
  model_param* x = &list[m->params];
  const model_coord* c = &m->coord[v->coord];
  x->name = base_arena_printf(m->arena, "start(%s)", expr_name(p, v->order ? c->v : c->q));
  x->unit = x->note = "";
  x->symbol = expr_symbol(p, x->name);
  x->value = expr_int(p, 0);
  x->definition = x->rate = x->rate2 = EXPR_NONE;
  x->scale = 1;
  x->place = m->coord[v->coord].place;
  m->param = list;
  m->params++;
  model_start_set(m, v, x->symbol);
  return x;
}

int model_start_given(model* m, const model_varied* v)
{
  add_param(m, v)->given = true;
  return m->params - 1;
}

int model_start_param(model* m, const model_varied* v)
{
  expr_pool* p = m->pool;
  model_param* x = add_param(m, v);
  x->rate = expr_symbol(p, base_arena_printf(m->arena, "%s'", x->name));
  x->rate2 = expr_symbol(p, base_arena_printf(m->arena, "%s''", x->name));
  expr_rate_set(p, x->symbol, x->rate);
  expr_rate_set(p, x->rate, x->rate2);
  x->changes = true;
  return m->params - 1;
}
