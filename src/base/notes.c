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
  char* text;
  size_t length;
} source;

// a source read once more, for other values of an index; numbered from first_turn on
typedef struct turn
{
  int source;
  char* when;
} turn;

enum { first_turn = 1 << 24 };

struct base_notes
{
  BASE_LIST(source) sources;
  BASE_LIST(turn) turns;
  BASE_LIST(note) notes;
  int count[BASE_ERROR + 1];    // made so far, kept or not
  int distinct[BASE_ERROR + 1]; // of them, not the same for other values of an index
  int left_out;                 // place in notes of "n more ...", 0 when all are kept
  bool last_kept;
  bool helped;   // the last one has a way out
  bool skipping; // the last error or warning was not kept: what explains it is not either
  bool no_room;  // memory ran out: told by a note behind the others that takes none
};

static const char no_room_words[] = "memory ran out: what was asked for is not done";
static const char no_room_shown[] = "error: memory ran out: what was asked for is not done\n";
static const note no_room_note = {.level = BASE_ERROR,
                                  .reason = (char*)no_room_words,
                                  .shown = {.at = (char*)no_room_shown},
                                  .place = {-1, 0, 0}};

base_notes* base_notes_new(void)
{
  return base_alloc(sizeof(base_notes));
}

void base_notes_free(base_notes* n)
{
  if (!n) return;
  for (int i = 0; i < n->sources.n; i++) {
    free(n->sources.at[i].name);
    free(n->sources.at[i].text);
  }
  for (int i = 0; i < n->notes.n; i++) {
    free(n->notes.at[i].reason);
    base_text_free(&n->notes.at[i].shown);
  }
  for (int i = 0; i < n->turns.n; i++) free(n->turns.at[i].when);
  base_list_free(&n->sources);
  base_list_free(&n->turns);
  base_list_free(&n->notes);
  free(n);
}

int base_notes_source(base_notes* n, const char* name, const char* text, size_t length)
{
  assert(length < UINT32_MAX);
  source s = {.name = base_strdup(name), .text = base_alloc(length + 1), .length = length};
  if (length) memcpy(s.text, text, length);
  base_push_with(n, &n->sources, s);
  base_keep_with(n, s.name);
  base_keep_with(n, s.text);
  return n->sources.n - 1;
}

static bool is_known(const base_notes* n, int file)
{
  return file < n->sources.n || (file >= first_turn && file - first_turn < n->turns.n);
}

static int source_number(const base_notes* n, int file)
{
  return file < first_turn ? file : n->turns.at[file - first_turn].source;
}

static const source* source_at(const base_notes* n, int file)
{
  return &n->sources.at[source_number(n, file)];
}

// values of the indices, or null
static const char* when_of(const base_notes* n, int file)
{
  return file < first_turn ? NULL : n->turns.at[file - first_turn].when;
}

int base_notes_source_again(base_notes* n, int file, const char* when)
{
  assert(is_known(n, file) && file >= 0);
  char* words = base_strdup(when);
  base_push_with(n, &n->turns, (turn){source_number(n, file), words});
  base_keep_with(n, words);
  return first_turn + n->turns.n - 1;
}

const char* base_notes_source_name(const base_notes* n, int file)
{
  assert(is_known(n, file));
  return file < 0 ? "" : source_at(n, file)->name;
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
  if (p.file < 0 || !is_known(n, p.file)) return base_arena_strdup(a, "");
  const source* s = source_at(n, p.file);
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
  char* raw = base_vprintf(format, args);
  base_text clean = {0};
  base_excerpt_clean(&clean, raw, strlen(raw));
  free(raw);
  return base_text_take(&clean);
}

static void show(const base_notes* n, note* x, base_place p)
{
  if (p.file < 0) {
    base_text_printf(&x->shown, "%s: %s\n", level_word[x->level], x->reason);
    return;
  }
  const source* s = source_at(n, p.file);
  assert(p.from <= p.to && p.to <= s->length);
  base_excerpt_where(s->text, s->length, p.from, &x->line, &x->column);
  base_excerpt_clean(&x->shown, s->name, strlen(s->name));
  base_text_printf(&x->shown, ":%d:%d: %s: %s", x->line, x->column, level_word[x->level],
                   x->reason);
  if (when_of(n, p.file)) base_text_printf(&x->shown, " (%s)", when_of(n, p.file));
  base_text_addn(&x->shown, "\n", 1);
  base_excerpt_show(&x->shown, s->text, s->length, p, x->line);
}

// one note at the end tells how many more there are
static void leave_out(base_notes* n)
{
  if (!n->left_out) {
    base_push_with(n, &n->notes, (note){.level = BASE_INFO});
    n->left_out = n->notes.n - 1;
  }
  int more = 0;
  for (int i = 0; i <= BASE_ERROR; i++)
    if (n->distinct[i] > most_kept) more += n->distinct[i] - most_kept;
  // in place: there may be millions
  note* x = &n->notes.at[n->left_out];
  enum { room = 64 };
  if (!x->reason) x->reason = base_alloc_with(n, room);
  snprintf(x->reason, room, "%d more like these, not shown", more);
  x->shown.n = 0;
  show(n, x, BASE_NOWHERE);
  base_keep_with(n, x->shown.at);
}

static bool when_of_note(const base_notes* n, base_place p)
{
  return p.file >= 0 && when_of(n, p.file);
}

// was a note of this level made at this place for another value of an index?
static bool is_repeated(base_notes* n, base_level level, base_place p)
{
  if (!when_of_note(n, p)) return false;
  const int first = source_number(n, p.file);
  for (int i = 0; i < n->notes.n; i++) {
    note* x = &n->notes.at[i];
    if (x->level != level || x->place.file < 0) continue;
    if (x->place.file == p.file) continue;
    if (source_number(n, x->place.file) != first) continue;
    if (x->place.from != p.from || x->place.to != p.to) continue;
    if (!x->again) base_text_add(&x->shown, "note: the same for other values of the index\n");
    x->again = true;
    return true;
  }
  return false;
}

static void push(base_notes* n, note x, base_place p)
{
  show(n, &x, p);
  base_push_with(n, &n->notes, x);
  base_keep_with(n, x.reason);
  base_keep_with(n, x.shown.at);
}

// Memory ran out before: what is said of it takes its place among the others.
static void tell_no_room(base_notes* n)
{
  if (!n->no_room) return;
  push(n, (note){.level = BASE_ERROR, .reason = base_strdup(no_room_words)}, BASE_NOWHERE);
  n->count[BASE_ERROR]++;
  n->distinct[BASE_ERROR]++;
  n->no_room = false;
}

static void add(base_notes* n, base_level level, base_place p, const char* format, va_list args)
{
  // a place of other notes means nothing here
  if (!is_known(n, p.file) || (p.file >= 0 && p.to > source_at(n, p.file)->length))
    p = BASE_NOWHERE;
  tell_no_room(n);
  n->count[level]++;
  n->last_kept = false;
  n->helped = false;
  if (level == BASE_INFO && n->skipping && when_of_note(n, p)) return;
  n->skipping = is_repeated(n, level, p);
  if (n->skipping) return;
  n->last_kept = n->distinct[level]++ < most_kept;
  if (!n->last_kept) {
    leave_out(n);
    return;
  }
  push(n, (note){.level = level, .reason = format_reason(format, args), .place = p}, p);
}

void base_notes_no_room(base_notes* n)
{
  n->no_room = true;
  n->last_kept = false;
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
  n->helped = true;
  if (!n->last_kept) return;
  va_list args;
  va_start(args, format);
  char* way_out = format_reason(format, args);
  va_end(args);
  base_text_printf(&n->notes.at[n->notes.n - 1].shown, "help: %s\n", way_out);
  free(way_out);
}

bool base_notes_helped(const base_notes* n)
{
  return n->helped;
}

// ---- reading them -------------------------------------------------------------------------------

int base_notes_count(const base_notes* n)
{
  return n->notes.n + n->no_room;
}

int base_notes_errors(const base_notes* n)
{
  return n->count[BASE_ERROR] + n->no_room;
}

static const note* get(const base_notes* n, int i)
{
  if (n->no_room && i == n->notes.n) return &no_room_note;
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
  n->no_room = false;
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

base_place base_notes_place(const base_notes* n, int i)
{
  return n->notes.at[i].place;
}

void base_notes_where(const base_notes* n, int i, int* line, int* column)
{
  *line = get(n, i)->line;
  *column = get(n, i)->column;
}
