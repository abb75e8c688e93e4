// --results and --basin: what is kept of each run.
#include "api/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_results = 1000, most_basins = 256 };

typedef struct columns
{
  int count;
  const char** name;
} columns;

static int find_column(const columns* c, const char* name)
{
  for (int i = 0; i < c->count; i++)
    if (!strcmp(c->name[i], name)) return i;
  return -1;
}

static bool unknown_column(const columns* c, const char* option, const char* name,
                           base_notes* notes)
{
  const char* near = base_nearest(name, c->name, c->count);
  base_error(notes, BASE_NOWHERE, "%s: the runs have no column `%.200s`", option, name);
  if (near)
    base_help(notes, "did you mean `%s`?", near);
  else
    base_help(notes, "columns are t, coordinates, velocities, quasi-velocities, reaction.NAME, "
                     "control.NAME and outputs");
  return false;
}

// an event of the model, or what happens to one of its constraints or contacts
static bool is_event(const model* m, const char* name)
{
  for (int i = 0; i < m->events; i++)
    if (!strcmp(m->event[i].name, name)) return true;
  static const char* const words[] = {"impact",   "rest",    "engagement", "loosening", "sticking",
                                      "slipping", "leaving", "return",     "jump"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    const size_t n = strlen(words[i]);
    if (strncmp(name, words[i], n) != 0 || strncmp(name + n, " of ", 4) != 0) continue;
    const char* of = name + n + 4;
    if (model_constraint_find(m, of) >= 0) return true;
    for (int k = 0; k < m->contacts; k++)
      if (!strcmp(m->contact[k].name, of)) return true;
  }
  return false;
}

static bool unknown_event(const model* m, const char* name, base_notes* notes)
{
  const char** word = base_alloc(sizeof *word * (size_t)(m->events + 1));
  for (int i = 0; i < m->events; i++) word[i] = m->event[i].name;
  const char* near = base_nearest(name, word, m->events);
  base_error(notes, BASE_NOWHERE, "--results: the model has no event `%.200s`", name);
  if (near) base_help(notes, "did you mean `%s`?", near);
  free(word);
  return false;
}

// "max(x)" -> "x" where the word is `function`; null where it is not
static char* argument(base_arena* a, const char* text, const char* function)
{
  const size_t n = strlen(function), length = strlen(text);
  if (strncmp(text, function, n) != 0 || text[n] != '(' || text[length - 1] != ')') return NULL;
  const char *from = text + n + 1, *to = text + length - 1;
  while (from < to && *from == ' ') from++;
  while (to > from && to[-1] == ' ') to--;
  return base_arena_strndup(a, from, (size_t)(to - from));
}

// "time(hit)" or "time(hit, 3)"
static bool read_time(api_sweep* s, char* event, sweep_wanted* w, base_notes* notes)
{
  char* comma = strrchr(event, ',');
  w->which = 1;
  if (comma) {
    char* end;
    const long which = strtol(comma + 1, &end, 10);
    if (end == comma + 1 || *end || which < 1 || which > 1000000000) {
      base_error(notes, BASE_NOWHERE, "--results %s: which occurrence is a number from 1 on",
                 w->label);
      return false;
    }
    w->which = (int)which;
    while (comma > event && comma[-1] == ' ') comma--;
    *comma = 0;
  }
  w->event = event;
  return is_event(s->source->model, event) || unknown_event(s->source->model, event, notes);
}

static bool read_result(api_sweep* s, const columns* c, const char* text, sweep_wanted* w,
                        base_notes* notes)
{
  static const char* const function[] = {
      [SWEEP_FINAL] = "final", [SWEEP_MIN] = "min", [SWEEP_MAX] = "max"};
  *w = (sweep_wanted){.label = text, .how = SWEEP_FINAL, .column = find_column(c, text)};
  if (w->column >= 0) return true;
  for (int how = SWEEP_FINAL; how <= SWEEP_MAX; how++) {
    const char* name = argument(s->arena, text, function[how]);
    if (!name) continue;
    w->how = (sweep_how)how;
    w->column = find_column(c, name);
    return w->column >= 0 || unknown_column(c, "--results", name, notes);
  }
  char* event = argument(s->arena, text, "time");
  if (event) {
    w->how = SWEEP_TIME;
    return read_time(s, event, w, notes);
  }
  w->event = argument(s->arena, text, "count");
  if (w->event) {
    w->how = SWEEP_COUNT;
    return is_event(s->source->model, w->event) || unknown_event(s->source->model, w->event, notes);
  }
  return unknown_column(c, "--results", text, notes);
}

// up to the next comma outside of brackets
static size_t piece_length(const char* text)
{
  int depth = 0;
  size_t n = 0;
  for (; text[n] && (depth > 0 || text[n] != ','); n++)
    depth += (text[n] == '(') - (text[n] == ')');
  return n;
}

static char* trimmed(base_arena* a, const char* text, size_t n)
{
  while (n > 0 && *text == ' ') text++, n--;
  while (n > 0 && text[n - 1] == ' ') n--;
  return base_arena_strndup(a, text, n);
}

static bool read_list(api_sweep* s, const columns* c, base_notes* notes)
{
  int room = 1;
  for (const char* at = s->o->results; *at; at++) room += *at == ',';
  if (room > most_results) {
    base_error(notes, BASE_NOWHERE, "--results takes at most %d results", most_results);
    return false;
  }
  sweep_wanted* wanted = base_arena_take(s->arena, sizeof *wanted * (size_t)room);
  bool fine = true;
  for (const char* at = s->o->results;; at++) {
    const size_t n = piece_length(at);
    const char* text = trimmed(s->arena, at, n);
    fine &= read_result(s, c, text, &wanted[s->want.count++], notes);
    at += n;
    if (!*at) break;
  }
  s->want.wanted = wanted;
  return fine;
}

// all columns at the end of the run
static void take_all(api_sweep* s, const columns* c)
{
  sweep_wanted* wanted = base_arena_take(s->arena, sizeof *wanted * (size_t)c->count);
  for (int i = 0; i < c->count; i++)
    wanted[i] = (sweep_wanted){.label = c->name[i], .how = SWEEP_FINAL, .column = i};
  s->want.wanted = wanted;
  s->want.count = c->count;
}

// ---- basins -------------------------------------------------------------------------------------

// "NAME: x=1, y=0"
static bool read_basin(api_sweep* s, const columns* c, const char* text, sweep_basin* b,
                       base_notes* notes)
{
  const char* colon = strchr(text, ':');
  int room = 1;
  for (const char* at = text; *at; at++) room += *at == ',';
  int* column = base_arena_take(s->arena, sizeof *column * (size_t)room);
  double* at = base_arena_take(s->arena, sizeof *at * (size_t)room);
  bool fine = colon != NULL;
  if (fine) b->name = trimmed(s->arena, text, (size_t)(colon - text));
  fine = fine && *b->name;
  for (const char* p = colon ? colon + 1 : NULL; fine && p;) {
    const size_t n = strcspn(p, ",");
    const char* piece = trimmed(s->arena, p, n);
    const char* equal = strchr(piece, '=');
    char* end = NULL;
    if (equal) at[b->count] = strtod(equal + 1, &end);
    fine = equal && end != equal + 1 && !*end && isfinite(at[b->count]);
    if (!fine) break;
    const char* name = trimmed(s->arena, piece, (size_t)(equal - piece));
    column[b->count] = find_column(c, name);
    if (column[b->count++] < 0) return unknown_column(c, "--basin", name, notes);
    p = p[n] ? p + n + 1 : NULL;
  }
  b->column = column;
  b->at = at;
  if (!fine) base_error(notes, BASE_NOWHERE, "--basin %.200s: expected \"NAME: x=1, y=0\"", text);
  return fine;
}

// ---- names of the table -------------------------------------------------------------------------

// a result called like what is swept says that it is the value at the end
static void name_table(api_sweep* s)
{
  const char** axis = base_arena_take(s->arena, sizeof *axis * (size_t)(s->plan.axes + 1));
  const char** result = base_arena_take(s->arena, sizeof *result * (size_t)(s->want.count + 1));
  const char** basin = base_arena_take(s->arena, sizeof *basin * (size_t)(s->want.basins + 1));
  for (int i = 0; i < s->plan.axes; i++) axis[i] = s->plan.axis[i].name;
  for (int i = 0; i < s->want.count; i++) {
    result[i] = s->want.wanted[i].label;
    for (int k = 0; k < s->plan.axes; k++)
      if (!strcmp(axis[k], result[i]))
        result[i] = base_arena_printf(s->arena, "final(%s)", axis[k]);
  }
  for (int i = 0; i < s->want.basins; i++) basin[i] = s->want.basin[i].name;
  s->head = (out_sweep_head){.title = s->source->model->title,
                             .axes = s->plan.axes,
                             .axis = axis,
                             .results = s->want.count,
                             .result = result,
                             .basins = s->want.basins,
                             .basin = basin,
                             .runs = sweep_plan_runs(&s->plan)};
}

bool api_sweep_read_results(api_sweep* s, base_notes* notes)
{
  const zw_sweep_options* o = s->o;
  columns c;
  c.count = walk_columns(s->source->model, s->arena, &c.name);
  s->columns = c.count;
  s->column = c.name;
  bool fine = true;
  if (o->results)
    fine = read_list(s, &c, notes);
  else
    take_all(s, &c);
  if (o->basin_count > most_basins) {
    base_error(notes, BASE_NOWHERE, "at most %d basins are told apart", most_basins);
    return false;
  }
  sweep_basin* basin = base_arena_take(s->arena, sizeof *basin * (size_t)(o->basin_count + 1));
  for (int i = 0; i < o->basin_count; i++) fine &= read_basin(s, &c, o->basin[i], &basin[i], notes);
  s->want.basins = o->basin_count;
  s->want.basin = basin;
  if (fine) name_table(s);
  return fine;
}
