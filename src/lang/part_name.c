// Names inside of parts, and of what parts were put as.
#include "lang/reader.h"

#include <string.h>

const char* lang_part_own(const lang_parser* p, const char* name)
{
  const lang_scope* s = p->scope;
  for (int i = 0; s && i < s->count; i++)
    if (strcmp(s->name[i], name) == 0) return base_arena_printf(p->arena, "%s.%s", s->prefix, name);
  return name;
}

// the last name of a path without its indices
static const char* stem_of(base_arena* arena, const char* path)
{
  const char* dot = strrchr(path, '.');
  const char* last = dot ? dot + 1 : path;
  return base_arena_strndup(arena, last, strcspn(last, "["));
}

bool lang_part_is_instance(const lang_parser* p, const char* path)
{
  const lang_reader* r = p->reader;
  if (!r || !r->instances.n) return false;
  const char* stem = stem_of(p->arena, path);
  for (int i = 0; i < r->instances.n; i++)
    if (strcmp(r->instances.at[i], stem) == 0) return true;
  return false;
}

void lang_part_name_instance(lang_parser* p, const char* name)
{
  if (!lang_part_is_instance(p, name)) base_push(&p->reader->instances, stem_of(p->arena, name));
}
