// A text and what is known of it: its statements, its faults, the names it declares.
#include "edit/document.h"

#include <stdlib.h>
#include <string.h>

static char* copy(const char* text, size_t length)
{
  char* out = base_alloc(length + 1);
  memcpy(out, text, length);
  out[length] = 0;
  return out;
}

static int digit(char c)
{
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

// file:///a/b%20c.zw -> /a/b c.zw, without its last part; null for other addresses
static char* folder_of(const char* uri)
{
  if (strncmp(uri, "file://", 7) != 0) return NULL;
  base_text out = {0};
  for (const char* c = uri + 7; *c; c++) {
    const int high = *c == '%' ? digit(c[1]) : -1, low = high >= 0 ? digit(c[2]) : -1;
    const char byte = low >= 0 ? (char)(16 * high + low) : *c;
    base_text_addn(&out, &byte, 1);
    if (low >= 0) c += 2;
  }
  char* path = base_text_take(&out);
  char* slash = strrchr(path, '/');
  if (slash) slash[slash == path] = 0;
  return path;
}

edit_document* edit_document_new(const char* uri)
{
  edit_document* d = base_alloc(sizeof *d);
  *d = (edit_document){.uri = copy(uri, strlen(uri)), .folder = folder_of(uri)};
  edit_document_set(d, "", 0);
  return d;
}

static void forget(edit_document* d)
{
  if (d->model) model_free(d->model);
  if (d->arena) base_arena_free(d->arena);
  if (d->notes) base_notes_free(d->notes);
  base_list_free(&d->symbols);
  base_list_free(&d->mentions);
  free(d->text);
  d->model = NULL;
}

void edit_document_free(edit_document* d)
{
  forget(d);
  free(d->uri);
  free(d->folder);
  free(d);
}

// ---- what is declared ---------------------------------------------------------------------------

static void declare(edit_document* d, const lang_statement* s, lang_word word)
{
  if (!word.text || word.place.to <= word.place.from) return;
  base_push(&d->symbols, ((edit_symbol){word.text, word.place, s->place, s->kind}));
}

// does the name of such a statement stand for something declared elsewhere?
static bool only_uses(lang_statement_kind kind)
{
  static const lang_statement_kind kinds[] = {LANG_FORCE, LANG_TORQUE, LANG_RESIST,  LANG_RATE,
                                              LANG_ROLL,  LANG_SLIDE,  LANG_METHOD,  LANG_BEYOND,
                                              LANG_TRACE, LANG_MODEL,  LANG_INITIAL, LANG_SHOW};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (kind == kinds[i]) return true;
  return false;
}

static bool lists_names(lang_statement_kind kind)
{
  return kind == LANG_PARAM || kind == LANG_COORD || kind == LANG_ORIENTATION ||
         kind == LANG_STATE || kind == LANG_MEMORY || kind == LANG_INPUT;
}

static void list_symbols(edit_document* d)
{
  for (int i = 0; d->tree && i < d->tree->count; i++) {
    const lang_statement* s = d->tree->at[i];
    if (!only_uses(s->kind)) declare(d, s, s->name);
    if (s->kind == LANG_ROLL || s->kind == LANG_SLIDE) declare(d, s, s->by);
    for (int k = 0; lists_names(s->kind) && k < s->params; k++) declare(d, s, s->param[k].name);
  }
}

void edit_document_set(edit_document* d, const char* text, size_t length)
{
  char* fresh = copy(text, length);
  forget(d);
  d->text = fresh;
  d->length = length;
  d->arena = base_arena_new();
  d->notes = base_notes_new();
  d->tree = lang_parse("model", d->text, length, d->folder, NULL, d->arena, d->notes);
  if (d->tree && !base_notes_errors(d->notes)) d->model = model_build(d->tree, 0, NULL, d->notes);
  if (d->model && base_notes_errors(d->notes)) {
    model_free(d->model);
    d->model = NULL;
  }
  list_symbols(d);
  lang_mentions_list(d->text, length, &d->mentions);
}

const edit_symbol* edit_document_find(const edit_document* d, const char* name, size_t length)
{
  for (int i = 0; i < d->symbols.n; i++) {
    const edit_symbol* s = &d->symbols.at[i];
    const bool same = strncmp(s->name, name, length) == 0;
    if (same && (!s->name[length] || s->name[length] == '[') && s->place.file == 0) return s;
  }
  return NULL;
}

const lang_mention* edit_document_at(const edit_document* d, size_t at)
{
  for (int i = 0; i < d->mentions.n; i++) {
    const lang_mention* m = &d->mentions.at[i];
    if (m->from <= at && at <= m->to) return m;
  }
  return NULL;
}
