// The parts that come with zwang.
#include "api/api.h"

#include <string.h>

static int find_file(const char* name)
{
  for (int i = 0; lang_library_name(i); i++)
    if (strcmp(lang_library_name(i), name) == 0) return i;
  return -1;
}

static void tell_param(const lang_sheet_param* x, base_text* out)
{
  base_text_printf(out, "      %-5s = %s", x->name, x->value);
  if (x->unit) base_text_printf(out, " [%s]", x->unit);
  if (x->note) base_text_printf(out, "  %s", x->note);
  base_text_add(out, "\n");
}

static void tell_file(int file, base_arena* arena, base_text* out)
{
  lang_sheet* part;
  const int n = lang_library_parts(file, arena, &part);
  base_text_printf(out, "%suse std \"%s\"  %s\n", file ? "\n" : "", lang_library_name(file),
                   lang_library_title(file));
  for (int i = 0; i < n; i++) {
    base_text_printf(out, "  %s", part[i].name);
    if (part[i].told) base_text_printf(out, ": %s", part[i].told);
    base_text_add(out, "\n");
    for (int k = 0; k < part[i].params; k++) tell_param(&part[i].param[k], out);
  }
}

// ---- as JSON ------------------------------------------------------------------------------------

static void add_member(const char* key, const char* value, base_text* out)
{
  base_text_printf(out, ", \"%s\": ", key);
  out_json_quote(value ? value : "", out);
}

static void list_part(const lang_sheet* s, base_text* out)
{
  base_text_add(out, "{\"name\": ");
  out_json_quote(s->name, out);
  add_member("told", s->told, out);
  base_text_add(out, ", \"params\": [");
  for (int k = 0; k < s->params; k++) {
    base_text_printf(out, "%s{\"name\": ", k ? ", " : "");
    out_json_quote(s->param[k].name, out);
    add_member("value", s->param[k].value, out);
    add_member("unit", s->param[k].unit, out);
    add_member("note", s->param[k].note, out);
    base_text_add(out, "}");
  }
  base_text_add(out, "]}");
}

static void list_file(int file, base_arena* arena, base_text* out)
{
  lang_sheet* part;
  const int n = lang_library_parts(file, arena, &part);
  base_text_printf(out, "%s\n  {\"name\": ", file ? "," : "");
  out_json_quote(lang_library_name(file), out);
  add_member("title", lang_library_title(file), out);
  base_text_add(out, ", \"parts\": [");
  for (int i = 0; i < n; i++) {
    base_text_add(out, i ? ",\n    " : "\n    ");
    list_part(&part[i], out);
  }
  base_text_add(out, "]}");
}

// ---- the door -----------------------------------------------------------------------------------

static char* list_all(bool json)
{
  base_arena* arena = base_arena_new();
  base_text text = {0};
  if (json) base_text_add(&text, "{\"files\": [");
  for (int i = 0; lang_library_name(i); i++) (json ? list_file : tell_file)(i, arena, &text);
  if (json) base_text_add(&text, "]}\n");
  base_arena_free(arena);
  return api_hand_out_text(base_text_take(&text));
}

char* zw_parts(const char* name, const char* style, zw_notes* notes)
{
  API_ENTER(notes, NULL, API_HAS(style));
  const int how = out_style_find(style);
  if (how != OUT_TEXT && how != OUT_JSON) {
    base_error(notes->notes, BASE_NOWHERE, "there is no format `%s`", style);
    base_help(notes->notes, "choose text or json");
    return NULL;
  }
  if (!name) return list_all(how == OUT_JSON);
  const int file = find_file(name);
  if (file >= 0) {
    base_text text = {0};
    base_text_add(&text, lang_library_text(file));
    return api_hand_out_text(base_text_take(&text));
  }
  base_error(notes->notes, BASE_NOWHERE, "no parts `%s` come with the program", name);
  const char* words[64];
  int n = 0;
  for (; n < 64 && lang_library_name(n); n++) words[n] = lang_library_name(n);
  const char* near = base_nearest(name, words, n);
  if (near)
    base_help(notes->notes, "did you mean `%s`?", near);
  else
    base_help(notes->notes, "`zwang parts` lists them");
  return NULL;
}
