// Changes of a text: its layout, another name for something.
#include "edit/document.h"

#include <string.h>

json_t* edit_answer_layout(const edit_document* d)
{
  base_text out = {0};
  json_t* list = json_array();
  if (lang_layout(d->text, d->length, &out) && out.n &&
      (out.n != d->length || memcmp(out.at, d->text, out.n) != 0))
    json_array_append_new(list, json_pack("{s:o, s:s}", "range",
                                          edit_position_range(d, 0, d->length), "newText", out.at));
  base_text_free(&out);
  return list;
}

static const lang_mention* renamed(const edit_document* d, size_t at)
{
  const lang_mention* m = edit_document_at(d, at);
  if (!m || m->part) return NULL;
  return edit_document_find(d, d->text + m->from, m->to - m->from) ? m : NULL;
}

json_t* edit_change_prepare(const edit_document* d, size_t at)
{
  const lang_mention* m = renamed(d, at);
  return m ? edit_position_range(d, m->from, m->to) : json_null();
}

static bool is_same(const edit_document* d, const lang_mention* a, const lang_mention* b)
{
  const size_t length = a->to - a->from;
  return !b->part && b->to - b->from == length &&
         memcmp(d->text + a->from, d->text + b->from, length) == 0;
}

// the text with the other name
static void replace(const edit_document* d, const lang_mention* word, const char* name,
                    base_text* out)
{
  size_t at = 0;
  for (int i = 0; i < d->mentions.n; i++) {
    const lang_mention* m = &d->mentions.at[i];
    if (!is_same(d, word, m)) continue;
    base_text_addn(out, d->text + at, m->from - at);
    base_text_add(out, name);
    at = m->to;
  }
  base_text_addn(out, d->text + at, d->length - at);
}

static bool is_name(const char* name)
{
  lang_mentions list = {0};
  lang_mentions_list(name, strlen(name), &list);
  const bool one = list.n == 1 && list.at[0].from == 0 && list.at[0].to == strlen(name);
  base_list_free(&list);
  return one;
}

// The name may be taken: what was two things would be one, or the text no model.
static const char* reason_against(const edit_document* d, const char* name, const char* text,
                                  size_t length)
{
  if (!is_name(name)) return "this is no name";
  if (edit_document_find(d, name, strlen(name))) return "there is something of that name";
  edit_document* changed = edit_document_new(d->uri);
  edit_document_set(changed, text, length);
  const bool worse = base_notes_errors(changed->notes) > base_notes_errors(d->notes) ||
                     changed->symbols.n != d->symbols.n;
  edit_document_free(changed);
  return worse ? "with that name the text would be no model, or another one" : NULL;
}

json_t* edit_change_name(const edit_document* d, size_t at, const char* name, const char** reason)
{
  const lang_mention* word = renamed(d, at);
  *reason = "only what this text declares can be given another name";
  if (!word) return NULL;
  base_text text = {0};
  replace(d, word, name, &text);
  *reason = reason_against(d, name, text.at, text.n);
  base_text_free(&text);
  if (*reason) return NULL;
  json_t* edits = json_array();
  for (int i = 0; i < d->mentions.n; i++) {
    const lang_mention* m = &d->mentions.at[i];
    if (is_same(d, word, m))
      json_array_append_new(edits,
                            json_pack("{s:o, s:s}", "range", edit_position_range(d, m->from, m->to),
                                      "newText", name));
  }
  return json_pack("{s:{s:o}}", "changes", d->uri, edits);
}
