// What expressions hold: coordinates, velocities, time, reactions; and their numbers.

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/scope.h"

void model_scope_mark(model_scope* s, expr symbol, int uses)
{
  while (s->symbols.n <= (int)symbol) base_push(&s->symbols, 0);
  s->symbols.at[symbol] = (unsigned short)uses;
  s->uses_of_any |= uses;
  if (++s->symbol_count <= s->buffer_room) return;
  s->buffer_room = s->buffer_room ? 2 * s->buffer_room : 64;
  s->buffer = base_realloc(s->buffer, (size_t)s->buffer_room * sizeof *s->buffer);
}

void model_scope_hold(model_scope* s, int n, expr* e)
{
  expr from[3 * MODEL_GIVES], to[3 * MODEL_GIVES];
  for (int i = 0; i < MODEL_GIVES; i++) {
    from[i] = s->give[i];
    from[MODEL_GIVES + i] = s->give_v[i];
    from[2 * MODEL_GIVES + i] = s->give_a[i];
  }
  for (int i = 0; i < 3 * MODEL_GIVES; i++) to[i] = expr_int(s->pool, 0);
  expr_substitute_all(s->pool, n, e, 3 * MODEL_GIVES, from, to, e);
}

expr model_scope_held(model_scope* s, expr e)
{
  if (s->give[0]) model_scope_hold(s, 1, &e);
  return e;
}

int model_scope_uses(model_scope* s, expr e)
{
  if (e == EXPR_NONE || s->symbol_count == 0) return 0;
  e = model_scope_held(s, e);
  int n = expr_symbols(s->pool, 1, &e, s->symbol_count, s->buffer), uses = 0;
  assert(n <= s->symbol_count);
  for (int i = 0; i < n; i++)
    if ((int)s->buffer[i] < s->symbols.n) uses |= s->symbols.at[s->buffer[i]];
  return uses;
}

int model_scope_uses_value(model_scope* s, const model_value* v)
{
  int uses = 0, n = v->kind == MODEL_VECTOR ? 3 : v->kind == MODEL_SCALAR ? 1 : 0;
  for (int i = 0; i < n; i++) uses |= model_scope_uses(s, v->e[i]);
  return uses;
}

expr model_scope_exact(model_scope* s, expr e)
{
  if (e == EXPR_NONE) return e;
  int n = expr_symbols(s->pool, 1, &e, s->symbol_count, s->buffer);
  BASE_LIST(expr) from = {0}, to = {0};
  for (int i = 0; i < n; i++) {
    // a symbol is a param when its entry says so
    model_entry* x = model_names_find(&s->names, expr_name(s->pool, s->buffer[i]));
    if (!x || x->sort != MODEL_IS_PARAM || x->poisoned) continue;
    const model_param* p = &s->m->param[x->index];
    if (p->symbol != s->buffer[i] || p->value == EXPR_NONE) continue;
    base_push(&from, p->symbol);
    base_push(&to, p->value);
  }
  if (from.n) e = expr_substitute(s->pool, e, from.n, from.at, to.at);
  base_list_free(&from);
  base_list_free(&to);
  return e;
}

static double number_of(model_scope* s, expr e)
{
  expr exact = model_scope_exact(s, e);
  return exact == EXPR_NONE ? NAN : expr_value(s->pool, exact, 0, NULL, NULL);
}

// What is no number by itself; room doubles whenever the count is a power of two.
static void remember(model* m, int* count, expr** list, expr e)
{
  if (expr_is_number(m->pool, e)) return;
  if ((*count & (*count - 1)) == 0) {
    expr* more = base_arena_take(m->arena, sizeof *more * (size_t)(2 * *count + 1));
    if (*count) memcpy(more, *list, sizeof *more * (size_t)*count);
    *list = more;
  }
  (*list)[(*count)++] = e;
}

expr model_scope_asked(model_scope* s, expr e)
{
  if (e != EXPR_NONE) remember(s->m, &s->m->asked, &s->m->ask, e);
  return model_scope_exact(s, e);
}

double model_scope_number(model_scope* s, expr e)
{
  const double value = number_of(s, e);
  if (!isnan(value)) remember(s->m, &s->m->asked, &s->m->ask, e);
  return value;
}

double model_scope_bound(model_scope* s, expr e)
{
  const double value = number_of(s, e);
  if (!isnan(value)) remember(s->m, &s->m->bounds, &s->m->bound, e);
  return value;
}

void model_scope_unit(model_scope* s, lang_unit unit, model_dim* dim, expr* scale)
{
  *dim = model_dim_unknown();
  *scale = expr_int(s->pool, 1);
  if (!unit.text) return;
  for (int i = 0; i < s->bad_units.n; i++)
    if (memcmp(&s->bad_units.at[i], &unit.place, sizeof unit.place) == 0) return;
  if (!model_unit_read(unit.text, unit.place, s->pool, s->notes, dim, scale))
    base_push(&s->bad_units, unit.place);
  s->m->weighed = s->m->weighed || (dim->kind == MODEL_DIM_KNOWN && dim->e[1]);
}
