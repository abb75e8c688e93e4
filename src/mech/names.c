// Names for what a form brings along: never one the model has.
#include <string.h>

#include "mech/form.h"

bool mech_name_is_taken(const model* m, const char* name)
{
  for (int i = 0; i < m->coords; i++)
    if (strcmp(m->coord[i].name, name) == 0) return true;
  for (int i = 0; i < m->params; i++)
    if (strcmp(m->param[i].name, name) == 0) return true;
  for (int i = 0; i < m->quasis; i++)
    if (strcmp(m->quasi[i].name, name) == 0) return true;
  for (int i = 0; i < m->outputs; i++)
    if (strcmp(m->output[i].name, name) == 0) return true;
  for (int i = 0; i < m->constraints; i++)
    if (strcmp(m->constraint[i].name, name) == 0) return true;
  return strcmp(name, "t") == 0;
}

const char* mech_name_free(const mech_system* s, base_arena* arena, const char* wish)
{
  const char* name = wish;
  while (mech_name_is_taken(s->model, name)) name = base_arena_printf(arena, "%s_", name);
  return name;
}

expr mech_name_symbol(const mech_system* s, base_arena* arena, const char* wish, const char* primes)
{
  const char* name = mech_name_free(s, arena, wish);
  return expr_symbol(s->pool, base_arena_printf(arena, "%s%s", name, primes));
}
