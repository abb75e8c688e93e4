// A track: its memory, and its tables as bytes.
#include "walk/rows.h"

#include <stdlib.h>
#include <string.h>

static walk_track* track_new(const model* m)
{
  base_arena* arena = base_arena_new();
  walk_track* t = base_arena_take(arena, sizeof *t);
  t->arena = t->guesses.arena = arena;
  t->model = m;
  t->reason = t->doubt = "";
  return t;
}

// most short runs have none
base_arena* walk_track_kept(walk_track* t)
{
  if (!t->kept) t->kept = base_arena_new();
  return t->kept;
}

walk_track* walk_track_new(const model* m)
{
  walk_track* t = track_new(m);
  walk_rows_columns(t);
  return t;
}

static void release(void* thing)
{
  walk_track_free(thing);
}

// a track without rows, which has the columns
static const walk_track* columns_of(const mech_system* s)
{
  const base_key key = {.what = "columns"};
  void* found;
  base_kept_open(s->kept);
  if (!base_kept_find(s->kept, key, &found)) {
    found = walk_track_new(s->model);
    base_kept_add(s->kept, key, found, release);
  }
  base_kept_unlock(s->kept);
  return found;
}

walk_track* walk_track_new_of(const mech_system* s)
{
  const walk_track* like = columns_of(s);
  walk_track* t = track_new(s->model);
  t->columns = like->columns;
  t->column = like->column;
  t->unit = like->unit;
  t->forces = like->forces;
  t->force = like->force;
  t->curve_columns = like->curve_columns;
  t->table.width = like->table.width;
  t->curves.width = like->curves.width;
  return t;
}

static void free_table(walk_table* t)
{
  free(t->value);
  free(t->low);
  free(t->stage);
  free(t->event);
  t->value = t->low = NULL;
  t->stage = t->event = NULL;
}

void walk_track_free(walk_track* t)
{
  if (!t) return;
  free_table(&t->table);
  free_table(&t->curves);
  free_table(&t->watched);
  free(t->happening);
  base_arena_free(t->kept);
  base_arena_free(t->arena);
}

static void move_table(walk_table* to, walk_table* from)
{
  const int width = to->width;
  free_table(to);
  *to = *from;
  to->width = width;
  *from = (walk_table){.width = width};
}

void walk_track_move(walk_track* to, walk_track* from)
{
  move_table(&to->table, &from->table);
  move_table(&to->curves, &from->curves);
  move_table(&to->watched, &from->watched);
  to->thinned = from->thinned;
  free(to->happening);
  base_arena_free(to->kept);
  to->happening = from->happening;
  to->happenings = from->happenings;
  to->kept = from->kept;
  from->happening = NULL;
  from->happenings = 0;
  from->kept = NULL;
}

const char* walk_happening_name(const walk_track* t, const walk_happening* h)
{
  return h->name ? h->name : t->model->event[h->event].name;
}

// ---- as bytes -----------------------------------------------------------------------------------

static void add(base_text* out, const void* bytes, size_t n)
{
  base_text_addn(out, bytes, n);
}

// rows of a table from one on: where they begin, how many, values, stages, events
static void pack_table(const walk_table* t, int from, base_text* out)
{
  const int count = t->rows - from;
  const size_t many = (size_t)count, width = (size_t)t->width;
  add(out, &from, sizeof from);
  add(out, &count, sizeof count);
  if (!count) return;
  add(out, t->value + (size_t)from * width, sizeof(double) * many * width);
  add(out, t->stage + from, sizeof(int) * many);
  add(out, t->event + from, sizeof(int) * many);
}

static void pack_happening(const walk_track* t, const walk_happening* h, base_text* out)
{
  const int length = h->name ? (int)strlen(h->name) : -1, struck = h->impulse != NULL;
  add(out, &length, sizeof length);
  if (h->name) add(out, h->name, (size_t)length);
  add(out, &h->event, sizeof h->event);
  add(out, &h->t, sizeof h->t);
  add(out, &h->direction, sizeof h->direction);
  add(out, h->row, sizeof(double) * (size_t)t->columns);
  add(out, &struck, sizeof struck);
  if (struck) add(out, h->impulse, sizeof(double) * (size_t)t->model->constraints);
}

void walk_track_pack(const walk_track* t, walk_known* known, base_text* out)
{
  const int fresh = t->happenings - known->happenings;
  pack_table(&t->table, known->rows, out);
  // what was thinned since is known no more
  pack_table(&t->curves, t->thinned == known->thinned ? known->curves : 0, out);
  add(out, &t->thinned, sizeof t->thinned);
  add(out, &fresh, sizeof fresh);
  for (int i = known->happenings; i < t->happenings; i++) pack_happening(t, &t->happening[i], out);
  *known = (walk_known){t->table.rows, t->curves.rows, t->thinned, t->happenings};
}

// ---- and back -----------------------------------------------------------------------------------

typedef struct bytes
{
  const char* at;
  size_t left;
} bytes;

static bool get(bytes* b, void* to, size_t n)
{
  if (n > b->left) return false;
  memcpy(to, b->at, n);
  b->at += n;
  b->left -= n;
  return true;
}

static bool unpack_table(walk_table* t, bytes* b)
{
  int from, count;
  if (!get(b, &from, sizeof from) || !get(b, &count, sizeof count)) return false;
  if (from < 0 || from > t->rows || count < 0) return false;
  const size_t many = (size_t)count, width = (size_t)t->width;
  if (many > b->left / (sizeof(double) * width + 2 * sizeof(int))) return false;
  t->rows = from + count;
  if (t->rows > t->room) {
    t->room = 2 * t->rows;
    t->value = base_realloc(t->value, sizeof(double) * (size_t)t->room * width);
    t->stage = base_realloc(t->stage, sizeof(int) * (size_t)t->room);
    t->event = base_realloc(t->event, sizeof(int) * (size_t)t->room);
  }
  return !count || (get(b, t->value + (size_t)from * width, sizeof(double) * many * width) &&
                    get(b, t->stage + from, sizeof(int) * many) &&
                    get(b, t->event + from, sizeof(int) * many));
}

static bool unpack_happening(walk_track* t, bytes* b)
{
  walk_happening h = {0};
  int length, struck;
  if (!get(b, &length, sizeof length) || (length > 0 && (size_t)length > b->left)) return false;
  if (length >= 0) {
    h.name = base_arena_strndup(walk_track_kept(t), b->at, (size_t)length);
    b->at += length;
    b->left -= (size_t)length;
  }
  h.row = base_arena_take(walk_track_kept(t), sizeof(double) * (size_t)t->columns);
  if (!get(b, &h.event, sizeof h.event) || !get(b, &h.t, sizeof h.t) ||
      !get(b, &h.direction, sizeof h.direction) ||
      !get(b, h.row, sizeof(double) * (size_t)t->columns) || !get(b, &struck, sizeof struck))
    return false;
  if (h.event >= t->model->events || (h.event < 0 && !h.name)) return false;
  if (struck) {
    const size_t n = sizeof(double) * (size_t)t->model->constraints;
    double* impulse = base_arena_take(walk_track_kept(t), n);
    if (!get(b, impulse, n)) return false;
    h.impulse = impulse;
  }
  walk_track_add(t, h);
  return true;
}

// do the rows speak of stages, events and happenings that there are?
static bool is_sound(const walk_track* t, const walk_table* table)
{
  for (int i = 0; i < table->rows; i++)
    if (table->stage[i] >= t->model->stages || table->event[i] >= t->model->events ||
        (table->event[i] < -1 && (int64_t)-2 - table->event[i] >= t->happenings))
      return false;
  return true;
}

bool walk_track_unpack(walk_track* t, const char** at, size_t* left)
{
  bytes b = {*at, *left};
  int fresh;
  if (!unpack_table(&t->table, &b) || !unpack_table(&t->curves, &b)) return false;
  if (!get(&b, &t->thinned, sizeof t->thinned) || !get(&b, &fresh, sizeof fresh)) return false;
  for (int i = 0; i < fresh; i++)
    if (!unpack_happening(t, &b)) return false;
  if (!is_sound(t, &t->table) || !is_sound(t, &t->curves)) return false;
  *at = b.at;
  *left = b.left;
  return true;
}

void walk_track_add(walk_track* t, walk_happening h)
{
  if ((t->happenings & (t->happenings + 1)) == 0)
    t->happening =
        base_realloc(t->happening, sizeof *t->happening * (size_t)(2 * t->happenings + 2));
  t->happening[t->happenings++] = h;
}
