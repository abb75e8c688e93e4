// Notes to the user: collected with their places, counted, kept up to a bound.
#include "base/base.h"
#include "base/excerpt.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_kept = 100 };

typedef struct note
{
  base_level level;
  char* reason;
  base_text shown;
  int line, column;
  base_place place; // in the source as it was first read
  bool again;       // the same was met for another value of an index
} note;

typedef struct source
{
  char* name;
  char* text; // of the source `first` where that is another one
  size_t length;
  int first;
  char* when; // values of the indices, or null
} source;

struct base_notes
{
  BASE_LIST(source) sources;
  BASE_LIST(note) notes;
  int count[BASE_ERROR + 1];    // made so far, kept or not
  int distinct[BASE_ERROR + 1]; // of them, not the same for other values of an index
  int left_out;              // place in notes of "n more ...", 0 when all are kept
  bool last_kept;
};

base_notes* base_notes_new(void)
{
  return base_alloc(sizeof(base_notes));
}

void base_notes_free(base_notes* n)
{
  if (!n) return;
  for (int i = 0; i < n->sources.n; i++) {
    free(n->sources.at[i].when);
    if (n->sources.at[i].first != i) continue;
    free(n->sources.at[i].name);
    free(n->sources.at[i].text);
  }
  for (int i = 0; i < n->notes.n; i++) {
    free(n->notes.at[i].reason);
    base_text_free(&n->notes.at[i].shown);
  }
  base_list_free(&n->sources);
  base_list_free(&n->notes);
  free(n);
}

int base_notes_source(base_notes* n, const char* name, const char* text, size_t length)
{
  assert(length < UINT32_MAX);
  source s = {.name = base_strdup(name), .text = base_alloc(length + 1), .length = length};
  if (length) memcpy(s.text, text, length);
  s.first = n->sources.n;
  base_push(&n->sources, s);
  return n->sources.n - 1;
}

int base_notes_source_again(base_notes* n, int file, const char* when)
{
  assert(0 <= file && file < n->sources.n);
  source s = n->sources.at[file];
  s.when = base_strdup(when);
  base_push(&n->sources, s);
  return n->sources.n - 1;
}

const char* base_notes_source_name(const base_notes* n, int file)
{
  assert(file < n->sources.n);
  return file < 0 ? "" : n->sources.at[file].name;
}

const char* base_notes_source_text(const base_notes* n, int file, size_t* length)
{
  if (file < 0 || file >= n->sources.n) return NULL;
  *length = n->sources.at[file].length;
  return n->sources.at[file].text;
}

int base_notes_sources(const base_notes* n)
{
  return n->sources.n;
}

char* base_notes_quote(const base_notes* n, base_place p, base_arena* a)
{
  // a place of other notes means nothing here
  if (p.file < 0 || p.file >= n->sources.n) return base_arena_strdup(a, "");
  const source* s = &n->sources.at[p.file];
  assert(p.from <= p.to && p.to <= s->length);
  char* copy = base_arena_take(a, (size_t)(p.to - p.from) + 1);
  memcpy(copy, s->text + p.from, p.to - p.from);
  return copy;
}

base_place base_place_join(base_place a, base_place b)
{
  if (a.file < 0) return b;
  if (a.file != b.file) return a;
  return (base_place){a.file, a.from < b.from ? a.from : b.from, a.to > b.to ? a.to : b.to};
}

// ---- making a note ------------------------------------------------------------------------------

static const char* const level_word[] = {
    [BASE_INFO] = "note", [BASE_WARNING] = "warning", [BASE_ERROR] = "error"};

// the reason may quote what the user wrote: nothing of it may steer the terminal
static char* format_reason(const char* format, va_list args)
{
  char* raw = NULL;
  int length = vasprintf(&raw, format, args);
  assert(length >= 0);
  base_text clean = {0};
  base_excerpt_clean(&clean, raw, (size_t)length);
  free(raw);
  return base_text_take(&clean);
}

static void show(const base_notes* n, note* x, base_place p)
{
  if (p.file < 0) {
    base_text_printf(&x->shown, "%s: %s\n", level_word[x->level], x->reason);
    return;
  }
  const source* s = &n->sources.at[p.file];
  assert(p.from <= p.to && p.to <= s->length);
  base_excerpt_where(s->text, s->length, p.from, &x->line, &x->column);
  base_excerpt_clean(&x->shown, s->name, strlen(s->name));
  base_text_printf(&x->shown, ":%d:%d: %s: %s", x->line, x->column, level_word[x->level],
                   x->reason);
  if (s->when) base_text_printf(&x->shown, " (%s)", s->when);
  base_text_addn(&x->shown, "\n", 1);
  base_excerpt_show(&x->shown, s->text, s->length, p, x->line);
}

// one note at the end tells how many more there are
static void leave_out(base_notes* n)
{
  if (!n->left_out) {
    n->left_out = n->notes.n;
    base_push(&n->notes, (note){.level = BASE_INFO});
  }
  int more = 0;
  for (int i = 0; i <= BASE_ERROR; i++)
    if (n->distinct[i] > most_kept) more += n->distinct[i] - most_kept;
  // in place: there may be millions
  note* x = &n->notes.at[n->left_out];
  enum { room = 64 };
  if (!x->reason) x->reason = base_alloc(room);
  snprintf(x->reason, room, "%d more like these, not shown", more);
  x->shown.n = 0;
  show(n, x, BASE_NOWHERE);
}

// was a note of this level made at this place for another value of an index?
static bool is_repeated(base_notes* n, base_level level, base_place p)
{
  if (p.file < 0 || !n->sources.at[p.file].when) return false;
  const int first = n->sources.at[p.file].first;
  for (int i = 0; i < n->notes.n; i++) {
    note* x = &n->notes.at[i];
    if (x->level != level || x->place.file < 0) continue;
    if (x->place.file == p.file) continue;
    if (n->sources.at[x->place.file].first != first) continue;
    if (x->place.from != p.from || x->place.to != p.to) continue;
    if (!x->again) base_text_add(&x->shown, "note: the same for other values of the index\n");
    x->again = true;
    return true;
  }
  return false;
}

static void add(base_notes* n, base_level level, base_place p, const char* format, va_list args)
{
  if (p.file >= n->sources.n) p = BASE_NOWHERE; // a place of other notes means nothing here
  n->count[level]++;
  n->last_kept = false;
  if (is_repeated(n, level, p)) return;
  n->last_kept = n->distinct[level]++ < most_kept;
  if (!n->last_kept) {
    leave_out(n);
    return;
  }
  note x = {.level = level, .reason = format_reason(format, args), .place = p};
  show(n, &x, p);
  base_push(&n->notes, x);
}

void base_error(base_notes* n, base_place p, const char* format, ...)
{
  va_list args;
  va_start(args, format);
  add(n, BASE_ERROR, p, format, args);
  va_end(args);
}

void base_warning(base_notes* n, base_place p, const char* format, ...)
{
  va_list args;
  va_start(args, format);
  add(n, BASE_WARNING, p, format, args);
  va_end(args);
}

void base_info(base_notes* n, base_place p, const char* format, ...)
{
  va_list args;
  va_start(args, format);
  add(n, BASE_INFO, p, format, args);
  va_end(args);
}

void base_help(base_notes* n, const char* format, ...)
{
  if (!n->last_kept) return;
  va_list args;
  va_start(args, format);
  char* way_out = format_reason(format, args);
  va_end(args);
  base_text_printf(&n->notes.at[n->notes.n - 1].shown, "help: %s\n", way_out);
  free(way_out);
}

// ---- reading them -------------------------------------------------------------------------------

int base_notes_count(const base_notes* n)
{
  return n->notes.n;
}

int base_notes_errors(const base_notes* n)
{
  return n->count[BASE_ERROR];
}

static const note* get(const base_notes* n, int i)
{
  assert(0 <= i && i < n->notes.n);
  return &n->notes.at[i];
}

void base_notes_cut(base_notes* n, int from)
{
  for (int i = from; i < n->notes.n; i++) {
    free(n->notes.at[i].reason);
    base_text_free(&n->notes.at[i].shown);
  }
  if (n->notes.n > from) n->notes.n = from;
  if (n->left_out >= from) n->left_out = 0;
  memset(n->count, 0, sizeof n->count);
  for (int i = 0; i < n->notes.n; i++) n->count[n->notes.at[i].level]++;
  memcpy(n->distinct, n->count, sizeof n->count);
  n->last_kept = false;
}

base_level base_notes_level(const base_notes* n, int i)
{
  return get(n, i)->level;
}

const char* base_notes_text(const base_notes* n, int i)
{
  return get(n, i)->shown.at;
}

const char* base_notes_reason(const base_notes* n, int i)
{
  return get(n, i)->reason;
}

void base_notes_where(const base_notes* n, int i, int* line, int* column)
{
  *line = get(n, i)->line;
  *column = get(n, i)->column;
}
