// Answers about a text: its faults, words that may stand at a place, what a word means and where it
// is said.
#include "edit/document.h"

#include <stdlib.h>
#include <string.h>

// ---- faults -------------------------------------------------------------------------------------

// the way out stands below the reason
static const char* help_of(const edit_document* d, int i)
{
  const char* shown = base_notes_text(d->notes, i);
  const char* help = strstr(shown, "\nhelp: ");
  return help ? help + 1 : strncmp(shown, "help: ", 6) == 0 ? shown : NULL;
}

static json_t* diagnostic(const edit_document* d, int i)
{
  // Error, Warning, Information
  static const int severity[] = {[BASE_ERROR] = 1, [BASE_WARNING] = 2, [BASE_INFO] = 3};
  base_place p = base_notes_place(d->notes, i);
  // what is wrong in a file taken in, or nowhere, is told in the first line
  const bool here = p.file == 0;
  base_text text = {0};
  if (p.file > 0) base_text_printf(&text, "%s: ", base_notes_source_name(d->notes, p.file));
  base_text_add(&text, base_notes_reason(d->notes, i));
  const char* help = help_of(d, i);
  if (help) base_text_printf(&text, "\n%s", help);
  while (text.n && text.at[text.n - 1] == '\n') text.at[--text.n] = 0;
  json_t* out = json_pack(
      "{s:o, s:i, s:s, s:s}", "range", edit_position_range(d, here ? p.from : 0, here ? p.to : 0),
      "severity", severity[base_notes_level(d->notes, i)], "source", "zwang", "message", text.at);
  base_text_free(&text);
  return out;
}

json_t* edit_answer_diagnostics(const edit_document* d)
{
  json_t* list = json_array();
  for (int i = 0; i < base_notes_count(d->notes); i++)
    json_array_append_new(list, diagnostic(d, i));
  return json_pack("{s:s, s:o}", "uri", d->uri, "diagnostics", list);
}

// ---- what a word means --------------------------------------------------------------------------

static const char* usage_of(const char* (*list)(int, const char**), const char* word, size_t length)
{
  const char *name, *usage;
  for (int i = 0; (name = list(i, &usage)); i++)
    if (strlen(name) == length && memcmp(name, word, length) == 0) return usage;
  return NULL;
}

static void add_param(const model* m, const char* name, base_text* out)
{
  for (int i = 0; m && i < m->params; i++) {
    const model_param* p = &m->param[i];
    if (strcmp(p->name, name) != 0) continue;
    base_text_printf(out, "\n\n`%s` = %.12g", name, p->number / p->scale);
    if (*p->unit) base_text_printf(out, " [%s]", p->unit);
    if (p->scale != 1) base_text_printf(out, ", %.12g in SI units", p->number);
    if (p->changes) base_text_add(out, " at the start; stages or events change it");
    if (*p->note) base_text_printf(out, "\n\n%s", p->note);
  }
}

static void add_coord(const model* m, const char* name, base_text* out)
{
  for (int i = 0; m && i < m->coords; i++) {
    const model_coord* c = &m->coord[i];
    if (strcmp(c->name, name) != 0) continue;
    base_text_printf(out, "\n\ncoordinate `%s`%s%s%s", name, *c->unit ? " [" : "", c->unit,
                     *c->unit ? "]" : "");
  }
}

static void add_constraint(const model* m, const char* name, base_text* out)
{
  static const char* const level[] = {"places", "velocities", "accelerations"};
  for (int i = 0; m && i < m->constraints; i++)
    if (strcmp(m->constraint[i].name, name) == 0)
      base_text_printf(out, "\n\nconstraint of %s", level[m->constraint[i].order]);
}

// the statement that declares it, and what the model knows
static void describe(const edit_document* d, const edit_symbol* s, base_text* out)
{
  base_arena* arena = base_arena_new();
  base_text_printf(out, "```zwang\n%s\n```", base_notes_quote(d->notes, s->whole, arena));
  add_param(d->model, s->name, out);
  add_coord(d->model, s->name, out);
  add_constraint(d->model, s->name, out);
  base_arena_free(arena);
}

json_t* edit_answer_hover(const edit_document* d, size_t at)
{
  const lang_mention* m = edit_document_at(d, at);
  if (!m) return json_null();
  const char* word = d->text + m->from;
  const size_t length = m->to - m->from;
  const edit_symbol* s = m->part ? NULL : edit_document_find(d, word, length);
  base_text out = {0};
  const char* usage = m->begins ? usage_of(lang_statement_word, word, length) : NULL;
  if (!usage && !s) usage = usage_of(model_function_word, word, length);
  if (usage)
    base_text_printf(&out, "```zwang\n%s\n```", usage);
  else if (s)
    describe(d, s, &out);
  if (!out.n) {
    base_text_free(&out);
    return json_null();
  }
  json_t* found = json_pack("{s:{s:s, s:s}, s:o}", "contents", "kind", "markdown", "value", out.at,
                            "range", edit_position_range(d, m->from, m->to));
  base_text_free(&out);
  return found;
}

// ---- words that may stand here ------------------------------------------------------------------

// of the protocol: Function, Field, Variable, Class, Keyword, Constant, Event
enum {
  AS_FUNCTION = 3,
  AS_FIELD = 5,
  AS_VARIABLE = 6,
  AS_CLASS = 7,
  AS_KEYWORD = 14,
  AS_CONSTANT = 21,
  AS_EVENT = 23
};

static int sort_of(lang_statement_kind kind)
{
  if (kind == LANG_PARAM || kind == LANG_INPUT || kind == LANG_MEMORY) return AS_CONSTANT;
  if (kind == LANG_COORD || kind == LANG_ORIENTATION || kind == LANG_STATE) return AS_FIELD;
  if (kind == LANG_FUNCTION || kind == LANG_TABLE) return AS_FUNCTION;
  if (kind == LANG_EVENT || kind == LANG_STAGE || kind == LANG_SAMPLE) return AS_EVENT;
  const bool solid = (LANG_FRAME <= kind && kind <= LANG_BALL) || kind == LANG_JOINT;
  return solid ? AS_CLASS : AS_VARIABLE;
}

static void offer(json_t* list, const char* word, int sort, const char* detail)
{
  json_array_append_new(
      list, json_pack("{s:s, s:i, s:s}", "label", word, "kind", sort, "detail", detail));
}

// the line up to here holds nothing but the word that is being written
static bool begins_statement(const edit_document* d, size_t at)
{
  while (at > 0 && !strchr(" \t\n;{}", d->text[at - 1])) at--;
  while (at > 0 && (d->text[at - 1] == ' ' || d->text[at - 1] == '\t')) at--;
  return at == 0 || strchr("\n;{}", d->text[at - 1]);
}

json_t* edit_answer_completion(const edit_document* d, size_t at)
{
  json_t* list = json_array();
  const char *word, *usage;
  if (begins_statement(d, at)) {
    for (int i = 0; (word = lang_statement_word(i, &usage)); i++)
      offer(list, word, AS_KEYWORD, usage);
    return list;
  }
  base_arena* arena = base_arena_new();
  for (int i = 0; i < d->symbols.n; i++) {
    const edit_symbol* s = &d->symbols.at[i];
    offer(list, s->name, sort_of(s->kind), base_notes_quote(d->notes, s->whole, arena));
  }
  base_arena_free(arena);
  for (int i = 0; (word = model_function_word(i, &usage)); i++)
    if (!strchr(word, '_')) offer(list, word, AS_FUNCTION, usage);
  return list;
}

// ---- where it is said ---------------------------------------------------------------------------

static json_t* location(const edit_document* d, size_t from, size_t to)
{
  return json_pack("{s:s, s:o}", "uri", d->uri, "range", edit_position_range(d, from, to));
}

static const edit_symbol* symbol_at(const edit_document* d, size_t at)
{
  const lang_mention* m = edit_document_at(d, at);
  return m && !m->part ? edit_document_find(d, d->text + m->from, m->to - m->from) : NULL;
}

json_t* edit_answer_definition(const edit_document* d, size_t at)
{
  const edit_symbol* s = symbol_at(d, at);
  return s ? location(d, s->place.from, s->place.to) : json_null();
}

json_t* edit_answer_references(const edit_document* d, size_t at)
{
  json_t* list = json_array();
  const lang_mention* word = symbol_at(d, at) ? edit_document_at(d, at) : NULL;
  for (int i = 0; word && i < d->mentions.n; i++) {
    const lang_mention* m = &d->mentions.at[i];
    const size_t length = word->to - word->from;
    if (m->part || m->to - m->from != length) continue;
    if (memcmp(d->text + m->from, d->text + word->from, length) == 0)
      json_array_append_new(list, location(d, m->from, m->to));
  }
  return list;
}

json_t* edit_answer_symbols(const edit_document* d)
{
  // of the protocol for symbols: Class, Field, Function, Variable, Constant, Event
  static const int sort[] = {[AS_CLASS] = 5,     [AS_FIELD] = 8,     [AS_FUNCTION] = 12,
                             [AS_VARIABLE] = 13, [AS_CONSTANT] = 14, [AS_EVENT] = 24};
  json_t* list = json_array();
  for (int i = 0; i < d->symbols.n; i++) {
    const edit_symbol* s = &d->symbols.at[i];
    if (s->place.file != 0) continue;
    json_array_append_new(
        list, json_pack("{s:s, s:i, s:o, s:o}", "name", s->name, "kind", sort[sort_of(s->kind)],
                        "range", edit_position_range(d, s->whole.from, s->whole.to),
                        "selectionRange", edit_position_range(d, s->place.from, s->place.to)));
  }
  return list;
}
