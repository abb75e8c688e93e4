// Names that a model declares outside repetitions, known from its first reading.
#include "lang/reader.h"

#include <stdlib.h>
#include <string.h>

static int compare_names(const void* a, const void* b)
{
  return strcmp(*(const char* const*)a, *(const char* const*)b);
}

bool lang_declared_has(const lang_reader* r, const char* name)
{
  return r->declared_count &&
         bsearch(&name, r->declared, (size_t)r->declared_count, sizeof *r->declared, compare_names);
}

static bool declares(lang_statement_kind kind)
{
  return kind <= LANG_BALL || kind == LANG_QUASI || kind == LANG_STATE || kind == LANG_MEMORY ||
         kind == LANG_INPUT || kind == LANG_SURFACE;
}

void lang_declared_list(lang_reader* r)
{
  int n = 0;
  for (int i = 0; i < r->statements.n; i++) n += 1 + r->statements.at[i]->params;
  r->declared = base_arena_take(r->arena, sizeof *r->declared * (size_t)(n + 1));
  for (int i = 0; i < r->statements.n; i++) {
    const lang_statement* s = r->statements.at[i];
    if (!declares(s->kind)) continue;
    if (s->name.text) r->declared[r->declared_count++] = s->name.text;
    for (int j = 0; j < s->params && s->kind != LANG_SURFACE; j++)
      if (s->param[j].name.text) r->declared[r->declared_count++] = s->param[j].name.text;
  }
  if (r->declared_count)
    qsort(r->declared, (size_t)r->declared_count, sizeof *r->declared, compare_names);
}
