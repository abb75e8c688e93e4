// What the parts are that come with the program: their names, params and what is said of them.
#include "lang/library.h"
#include "lang/reader.h"

#include <ctype.h>
#include <string.h>

const char* lang_library_name(int file)
{
  for (int i = 0; lang_library[i].name; i++)
    if (i == file) return lang_library[i].name;
  return NULL;
}

const char* lang_library_title(int file)
{
  return lang_library_name(file) ? lang_library[file].title : NULL;
}

const char* lang_library_text(int file)
{
  return lang_library_name(file) ? lang_library[file].text : NULL;
}

// the line of comment above the word `part`; null where there is none
static const char* told_above(const lang_part_text* x, base_arena* arena)
{
  const char* text = x->source.text;
  uint32_t end = x->place.from;
  while (end > 0 && text[end - 1] != '\n') end--;
  if (end == 0) return NULL;
  uint32_t from = --end;
  while (from > 0 && text[from - 1] != '\n') from--;
  if (text[from] != '#') return NULL;
  do from++;
  while (from < end && text[from] == ' ');
  return base_arena_strndup(arena, text + from, end - from);
}

static const char* written(const lang_part_text* x, base_place place, base_arena* arena)
{
  return base_arena_strndup(arena, x->source.text + place.from, place.to - place.from);
}

static lang_sheet sheet_of(const lang_part_text* x, base_arena* arena)
{
  lang_sheet s = {.name = x->name, .told = told_above(x, arena), .params = x->params};
  s.param = base_arena_take(arena, sizeof *s.param * (size_t)(x->params + 1));
  for (int i = 0; i < x->params; i++)
    s.param[i] = (lang_sheet_param){.name = x->param[i].name.text,
                                    .value = written(x, x->param[i].value->place, arena),
                                    .unit = x->param[i].unit.text,
                                    .note = x->param[i].note};
  return s;
}

int lang_library_parts(int file, base_arena* arena, lang_sheet** out)
{
  *out = NULL;
  if (!lang_library_name(file)) return 0;
  const lang_limits limits = lang_limits_default();
  base_notes* mute = base_notes_new();
  lang_reader r = {.limits = &limits, .arena = arena, .notes = mute};
  const lang_library_file* f = &lang_library[file];
  lang_reader_text(&r, f->name, f->text, strlen(f->text), NULL);
  const int n = r.parts.n;
  *out = base_arena_take(arena, sizeof **out * (size_t)(n + 1));
  for (int i = 0; i < n; i++) (*out)[i] = sheet_of(&r.parts.at[i], arena);
  base_list_free(&r.statements);
  base_list_free(&r.files);
  base_list_free(&r.sources);
  base_list_free(&r.parts);
  base_list_free(&r.instances);
  base_notes_free(mute);
  return n;
}
