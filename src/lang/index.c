// Indices of the repetitions we are in.
#include "lang/repeat.h"

#include <string.h>

const lang_index* lang_index_find(const lang_parser* p, const char* name)
{
  for (const lang_index* x = p->index; x; x = x->outer)
    if (strcmp(x->name, name) == 0) return x;
  return NULL;
}

const char* lang_index_text(const lang_parser* p)
{
  const char* text = "";
  for (const lang_index* x = p->index; x; x = x->outer)
    text = base_arena_printf(p->arena, "%s = %ld%s%s", x->name, x->value, *text ? ", " : "", text);
  return text;
}
