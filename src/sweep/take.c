// What is kept of a run: values of the last row, extremes over the rows, times of events, basins.
#include "sweep/sweep.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool sweep_needs_rows(const sweep_results* want)
{
  for (int i = 0; i < want->count; i++)
    if (want->wanted[i].how == SWEEP_MIN || want->wanted[i].how == SWEEP_MAX) return true;
  return false;
}

static double at(const walk_track* t, int row, int column)
{
  return t->table.value[(size_t)row * (size_t)t->table.width + (size_t)column];
}

static double extreme(const walk_track* t, int column, double sign)
{
  double most = NAN;
  for (int row = 0; row < t->table.rows; row++) {
    const double x = at(t, row, column);
    if (isnan(most) || sign * x > sign * most) most = x;
  }
  return most;
}

// time of an occurrence, nan if there was none; *count of all
static double time_of(const walk_track* t, const char* event, int which, int* count)
{
  double time = NAN;
  *count = 0;
  for (int i = 0; i < t->happenings; i++) {
    if (strcmp(walk_happening_name(t, &t->happening[i]), event) != 0) continue;
    if (++*count == which) time = t->happening[i].t;
  }
  return time;
}

static double value_of(const sweep_wanted* w, const walk_track* t)
{
  int count;
  double time;
  switch (w->how) {
  case SWEEP_FINAL:
    return at(t, t->table.rows - 1, w->column);
  case SWEEP_MIN:
    return extreme(t, w->column, -1);
  case SWEEP_MAX:
    return extreme(t, w->column, 1);
  case SWEEP_TIME:
    return time_of(t, w->event, w->which, &count);
  case SWEEP_COUNT:
    time = time_of(t, w->event, 1, &count);
    return isnan(time) ? 0 : count;
  }
  return NAN;
}

// the nearest in its own columns, whose values come one after the other; of equally near ones the
// first
static int nearest(const sweep_results* want, const double* value)
{
  int best = -1;
  double least = INFINITY;
  for (int b = 0; b < want->basins; b++) {
    double square = 0;
    for (int k = 0; k < want->basin[b].count; k++) {
      const double off = *value++ - want->basin[b].at[k];
      square += off * off;
    }
    if (!(square < least)) continue;
    least = square;
    best = b;
  }
  return best;
}

static int basin_of(const sweep_results* want, const walk_track* t)
{
  int count = 0;
  for (int b = 0; b < want->basins; b++) count += want->basin[b].count;
  double* value = base_alloc(sizeof *value * (size_t)(count + 1));
  count = 0;
  for (int b = 0; b < want->basins; b++)
    for (int k = 0; k < want->basin[b].count; k++)
      value[count++] = at(t, t->table.rows - 1, want->basin[b].column[k]);
  const int best = nearest(want, value);
  free(value);
  return best;
}

// a text as a cell of a table: one line, of limited length
static void put_text(char to[SWEEP_REASON], const char* kind, const char* text)
{
  snprintf(to, SWEEP_REASON, "%s%s", kind, text);
  for (char* c = to; *c; c++)
    if ((unsigned char)*c < ' ') *c = ' ';
  // not in the middle of a letter
  size_t n = strlen(to);
  if (n < SWEEP_REASON - 1) return;
  while (n > 0 && ((unsigned char)to[n - 1] & 0xc0) == 0x80) n--;
  if (n > 0 && (unsigned char)to[n - 1] >= 0xc0) n--;
  to[n] = 0;
}

static void drop_reason(sweep_rows* rows, int i)
{
  if (!rows->reason[i]) return;
  free(rows->reason[i]);
  rows->reason[i] = NULL;
}

void sweep_fail(const sweep_results* want, const char* reason, sweep_rows* rows, int i)
{
  for (int k = 0; k < want->count; k++) rows->result[i * want->count + k] = NAN;
  rows->basin[i] = -1;
  drop_reason(rows, i);
  rows->told = true;
  rows->reason[i] = base_alloc(SWEEP_REASON);
  put_text(rows->reason[i], "", reason);
}

const char sweep_doubtful[] = "doubtful: ";
static const char warned[] = "warned: ";

void sweep_judge(sweep_rows* rows, int i, bool doubtful, const char* text)
{
  if (!*text) return;
  char* before = rows->quality[i];
  // what was said of the row already comes behind it
  assert(!before || !strncmp(before, warned, strlen(warned)));
  base_text all = {0};
  rows->told = true;
  base_text_printf(&all, "%s%s%s", text, before ? "; " : "", before ? before + strlen(warned) : "");
  rows->quality[i] = base_alloc(SWEEP_REASON);
  put_text(rows->quality[i], doubtful ? sweep_doubtful : warned, all.at);
  base_text_free(&all);
  free(before);
}

static void tell_undefined(const sweep_results* want, sweep_rows* rows, int i)
{
  base_text all = {0};
  for (int k = 0; k < want->count; k++) {
    const sweep_wanted* w = &want->wanted[k];
    if (w->event || isfinite(rows->result[i * want->count + k])) continue;
    base_text_printf(&all, "%s`%s`", all.n ? ", " : "", w->label);
  }
  if (all.n) {
    base_text_add(&all, " not defined there");
    sweep_judge(rows, i, false, all.at);
  }
  base_text_free(&all);
}

// results that no run can give there: an event that did not happen has no time, and needs no word
static inline void judge_undefined(const sweep_results* want, sweep_rows* rows, int i)
{
  const double* result = rows->result + i * want->count;
  bool defined = true;
  for (int k = 0; k < want->count; k++) defined = defined && isfinite(result[k]);
  if (!defined) tell_undefined(want, rows, i);
}

void sweep_take(const sweep_results* want, const walk_track* t, sweep_rows* rows, int i)
{
  if (t->status == WALK_UNFINISHED || t->status == WALK_INTERRUPTED || !t->table.rows) {
    sweep_fail(want, *t->reason ? t->reason : "the run left no rows", rows, i);
    return;
  }
  for (int k = 0; k < want->count; k++)
    rows->result[i * want->count + k] = value_of(&want->wanted[k], t);
  rows->basin[i] = basin_of(want, t);
  drop_reason(rows, i);
  judge_undefined(want, rows, i);
}

int sweep_columns(const sweep_results* want, bool events, base_arena* arena, int** column)
{
  int room = want->count, count = 0;
  for (int b = 0; b < want->basins; b++) room += want->basin[b].count;
  int* out = *column = base_arena_take(arena, sizeof *out * (size_t)(room + 1));
  for (int i = 0; i < want->count; i++) {
    const sweep_how how = want->wanted[i].how;
    if (how == SWEEP_FINAL)
      out[count++] = want->wanted[i].column;
    else if (!events || how == SWEEP_MIN || how == SWEEP_MAX)
      return -1;
  }
  for (int b = 0; b < want->basins; b++)
    for (int k = 0; k < want->basin[b].count; k++) out[count++] = want->basin[b].column[k];
  return count;
}

void sweep_take_columns(const sweep_results* want, const double* value, const double* times,
                        sweep_rows* rows, int i)
{
  for (int k = 0; k < want->count; k++)
    rows->result[i * want->count + k] = want->wanted[k].how == SWEEP_FINAL ? *value++ : *times++;
  rows->basin[i] = want->basins ? nearest(want, value) : -1;
  drop_reason(rows, i);
  judge_undefined(want, rows, i);
}

// are the results of all runs, one after the other, what is wanted of them?
static bool are_ends(const sweep_results* want, int width)
{
  bool ends = !want->basins && width == want->count;
  for (int k = 0; k < want->count; k++) ends = ends && want->wanted[k].how == SWEEP_FINAL;
  return ends;
}

void sweep_take_chunk(const sweep_results* want, double* value, int columns, int width,
                      sweep_rows* rows)
{
  enum { piece = 256 }; // rows that stay in the first cache until they are looked at
  const bool ends = are_ends(want, width);
  if (ends) rows->result = value;
  for (int from = 0, to; from < rows->count; from = to) {
    to = from + piece < rows->count ? from + piece : rows->count;
    double none = 0;
    if (ends) {
      const size_t first = (size_t)from * (size_t)width, n = (size_t)(to - from) * (size_t)width;
      for (size_t k = 0; k < n; k++) none += 0 * value[first + k];
      for (int i = from; i < to; i++) rows->basin[i] = -1;
    }
    // of those that are all defined there is nothing to be told
    if (ends && none == 0) continue;
    for (int i = from; i < to; i++) {
      const double* row = value + (size_t)i * (size_t)width;
      sweep_take_columns(want, row, row + columns, rows, i);
    }
  }
}

void sweep_take_ends(const sweep_results* want, sweep_rows* rows, int i)
{
  rows->basin[i] = -1;
  drop_reason(rows, i);
  judge_undefined(want, rows, i);
}
