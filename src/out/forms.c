// The table of forms: which suit the model, and why the others do not.
#include "out/json_text.h"
#include "out/out.h"
#include "out/text.h"

#include <string.h>

static void write_json(const mech_system* s, base_arena* arena, base_text* out)
{
  json_t *o = json_object(), *list = json_array();
  for (int i = 0; i < mech_form_count(); i++) {
    const mech_form* f = mech_form_at(i);
    const char* why_not = mech_form_unsuited(f, s, arena);
    json_t *one = json_object(), *aliases = json_array();
    for (const char* a = f->aliases; a && *a; a += strcspn(a, " "), a += strspn(a, " "))
      out_json_push(aliases, json_stringn(a, strcspn(a, " ")));
    out_json_set(one, "name", out_json_string(f->name));
    out_json_set(one, "aliases", aliases);
    out_json_set(one, "title", out_json_string(f->title));
    out_json_set(one, "needs", out_json_string(f->needs));
    out_json_set(one, "suits", json_boolean(!why_not));
    out_json_set(one, "reason", out_json_string(why_not ? why_not : ""));
    out_json_push(list, one);
  }
  out_json_set(o, "forms", list);
  out_json_print(out, o, true);
}

static void write_text(const mech_system* s, base_arena* arena, base_text* out)
{
  int width = 0;
  for (int i = 0; i < mech_form_count(); i++) {
    int columns = out_text_columns(mech_form_at(i)->name);
    width = columns > width ? columns : width;
  }
  for (int i = 0; i < mech_form_count(); i++) {
    const mech_form* f = mech_form_at(i);
    const char* why_not = mech_form_unsuited(f, s, arena);
    out_text_pad(out, f->name, width + 2);
    base_text_printf(out, "%s\n", f->title);
    if (f->aliases && f->aliases[0])
      base_text_printf(out, "%*salso %s\n", width + 2, "", f->aliases);
    base_text_printf(out, "%*s", width + 2, "");
    if (why_not) {
      base_text_add(out, "does not suit this model: ");
      out_text_plain(out, why_not);
    } else {
      base_text_printf(out, "suits this model; %s", f->needs);
    }
    base_text_add(out, "\n");
  }
}

void out_forms(const mech_system* s, bool json, base_text* out)
{
  base_arena* arena = base_arena_new();
  (json ? write_json : write_text)(s, arena, out);
  base_arena_free(arena);
}
