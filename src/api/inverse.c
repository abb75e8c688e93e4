// The forces that make a motion, which a table gives.
#include "api/api.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_rows = 1000000, most_names = 1000 };
static const size_t most_bytes = (size_t)256 << 20;

// ---- a table ------------------------------------------------------------------------------------

// columns of a table that count: number of the coordinate (-1: time) and its primes
typedef struct column
{
  int coord, primes;
  bool used;
} column;

static column column_of(const model* m, const char* from, size_t n)
{
  column c = {.coord = -2};
  while (n && from[n - 1] == '\'') n--, c.primes++;
  if (n == 1 && *from == 't' && !c.primes) return (column){.coord = -1, .used = true};
  for (int i = 0; i < m->places; i++)
    if (strlen(m->coord[i].name) == n && !strncmp(m->coord[i].name, from, n)) c.coord = i;
  c.used = c.coord >= 0 && c.primes <= 2;
  return c;
}

// the field at *at, with or without quotes, and on behind its comma; false at the end of the line
static bool next_field(const char** at, const char** from, size_t* n)
{
  if (!**at || **at == '\n' || **at == '\r') return false;
  const bool quoted = **at == '"';
  *from = *at + quoted;
  *n = strcspn(*from, quoted ? "\"\r\n" : ",\r\n");
  *at = *from + *n;
  if (quoted && **at == '"') ++*at;
  if (**at == ',') ++*at;
  return true;
}

static void next_line(const char** at)
{
  *at += strcspn(*at, "\n");
  if (**at) ++*at;
}

typedef struct table
{
  const model* m;
  int columns, rows, room;
  column column[most_names];
  double* value; // rows by columns
} table;

static bool read_names(table* t, const char** at, const char* path, base_notes* notes)
{
  const char* from;
  size_t n;
  bool time = false, some = false;
  while (t->columns < most_names && next_field(at, &from, &n)) {
    const column c = t->column[t->columns++] = column_of(t->m, from, n);
    time = time || c.coord == -1;
    some = some || (c.coord >= 0 && !c.primes);
  }
  next_line(at);
  if (time && some) return true;
  base_error(notes, BASE_NOWHERE, "`%s` has no column %s", path,
             time ? "that is called as a coordinate" : "`t`");
  base_help(notes, "the first line names the columns: t, x, and x' and x'' where they are known");
  return false;
}

static bool read_rows(table* t, const char* at, const char* path, base_notes* notes)
{
  for (int line = 2; *at; line++, next_line(&at)) {
    if (*at == '\n' || *at == '\r' || *at == '#') continue;
    if (t->rows == most_rows) {
      base_error(notes, BASE_NOWHERE, "`%s` has more than %d rows", path, most_rows);
      return false;
    }
    if (t->rows == t->room) {
      t->room = t->room ? 2 * t->room : 64;
      t->value = base_realloc(t->value, sizeof(double) * (size_t)t->room * (size_t)t->columns);
    }
    double* row = t->value + (size_t)t->rows++ * (size_t)t->columns;
    for (int i = 0; i < t->columns; i++) {
      const char* from;
      size_t n;
      char* end = NULL;
      const bool there = next_field(&at, &from, &n);
      row[i] = there && n ? strtod(from, &end) : NAN;
      if (!t->column[i].used || (there && n && end == from + n && isfinite(row[i]))) continue;
      base_error(notes, BASE_NOWHERE, "line %d of `%s`: column %d is no number", line, path, i + 1);
      return false;
    }
  }
  return true;
}

static int find_column(const table* t, int coord, int primes)
{
  for (int i = 0; i < t->columns; i++)
    if (t->column[i].used && t->column[i].coord == coord && t->column[i].primes == primes) return i;
  return -1;
}

// two rows of one time are one: tables of runs have them at events
static bool order_rows(table* t, const char* path, base_notes* notes)
{
  const int time = find_column(t, -1, 0), width = t->columns;
  int kept = 0;
  for (int r = 0; r < t->rows; r++) {
    const double* row = t->value + (size_t)r * (size_t)width;
    const double before =
        kept ? t->value[(size_t)(kept - 1) * (size_t)width + (size_t)time] : -INFINITY;
    if (row[time] < before) {
      base_error(notes, BASE_NOWHERE, "`%s`: times go back at t = %.10g", path, row[time]);
      return false;
    }
    if (row[time] == before) continue;
    memmove(t->value + (size_t)kept++ * (size_t)width, row, sizeof(double) * (size_t)width);
  }
  t->rows = kept;
  if (kept) return true;
  base_error(notes, BASE_NOWHERE, "`%s` has no rows", path);
  return false;
}

// Derivatives of a column by its neighbours: the polynomial through `points` of them (Fornberg,
// Generation of finite difference formulas on arbitrarily spaced grids, 1988)
enum { points = 9 };

static double slope(const table* t, int which, int row, int order)
{
  const int time = find_column(t, -1, 0), count = t->rows < points ? t->rows : points;
  int first = row - count / 2;
  if (first < 0) first = 0;
  if (first > t->rows - count) first = t->rows - count;
  const size_t width = (size_t)t->columns;
  double w[points][3] = {{1}}, c1 = 1, sum = 0;
  const double at = t->value[(size_t)row * width + (size_t)time];
  for (int i = 1; i < count; i++) {
    const double x = t->value[(size_t)(first + i) * width + (size_t)time];
    double c2 = 1;
    for (int j = 0; j < i; j++) {
      const double y = t->value[(size_t)(first + j) * width + (size_t)time], c3 = x - y;
      c2 *= c3;
      if (j == i - 1)
        for (int k = 2; k >= 0; k--)
          w[i][k] = c1 / c2 * ((k ? k * w[i - 1][k - 1] : 0) - (y - at) * w[i - 1][k]);
      for (int k = 2; k >= 0; k--) w[j][k] = ((x - at) * w[j][k] - (k ? k * w[j][k - 1] : 0)) / c3;
    }
    c1 = c2;
  }
  for (int i = 0; i < count; i++)
    sum += w[i][order] * t->value[(size_t)(first + i) * width + (size_t)which];
  return sum;
}

static bool take_table(const model* m, const char* path, base_arena* arena, study_motion* out,
                       base_notes* notes)
{
  size_t length;
  const char* why;
  char* text = base_file_read(path, most_bytes, &length, &why);
  if (!text) {
    base_error(notes, BASE_NOWHERE, "--motion: cannot read `%s`: %s", path, why);
    return false;
  }
  table* t = base_arena_take(arena, sizeof *t);
  t->m = m;
  const char* at = text;
  const bool fine = read_names(t, &at, path, notes) && read_rows(t, at, path, notes) &&
                    order_rows(t, path, notes);
  free(text);
  bool guessed = false;
  out->coord = base_arena_take(arena, sizeof(int) * (size_t)(t->columns + 1));
  for (int i = 0; fine && i < t->columns; i++)
    if (t->column[i].used && t->column[i].coord >= 0 && !t->column[i].primes)
      out->coord[out->coords++] = t->column[i].coord;
  out->rows = fine ? t->rows : 0;
  const size_t rows = (size_t)out->rows, coords = (size_t)out->coords;
  out->t = base_arena_take(arena, sizeof(double) * (rows + 1));
  out->value = base_arena_take(arena, sizeof(double) * (3 * rows * coords + 1));
  for (int r = 0; r < out->rows; r++) {
    const double* row = t->value + (size_t)r * (size_t)t->columns;
    out->t[r] = row[find_column(t, -1, 0)];
    for (int i = 0; i < out->coords; i++) {
      const int x = find_column(t, out->coord[i], 0), v = find_column(t, out->coord[i], 1),
                a = find_column(t, out->coord[i], 2);
      double* to = out->value + (size_t)r * 3 * coords + (size_t)i;
      to[0] = row[x];
      to[coords] = v >= 0 ? row[v] : slope(t, x, r, 1);
      to[2 * coords] = a >= 0 ? row[a] : v >= 0 ? slope(t, v, r, 1) : slope(t, x, r, 2);
      guessed = guessed || v < 0 || a < 0;
    }
  }
  free(t->value);
  if (guessed)
    base_info(notes, BASE_NOWHERE,
              "velocities or accelerations that `%s` does not have are taken from its rows, by "
              "polynomials through %d of them",
              path, points);
  return fine;
}

// ---- what is asked for --------------------------------------------------------------------------

// names with commas between, or all coordinates of the motion; how many, -1 with errors noted
static int read_along(const model* m, const char* names, const study_motion* motion,
                      base_arena* arena, int** out, base_notes* notes)
{
  int count = 0;
  *out = base_arena_take(arena, sizeof(int) * (size_t)(most_names + motion->coords));
  for (int i = 0; !names && i < motion->coords; i++) (*out)[count++] = motion->coord[i];
  for (const char* at = names; at && *at && count < most_names;) {
    const size_t n = strcspn(at, ", ");
    const char* name = base_arena_strndup(arena, at, n);
    const int i = n ? model_coord_find(m, name) : -1;
    if (n && (i < 0 || i >= m->places)) {
      base_error(notes, BASE_NOWHERE, "there is no coordinate `%s` along which a force could act",
                 name);
      return -1;
    }
    if (n) (*out)[count++] = i;
    at += n + strspn(at + n, ", ");
  }
  if (count) return count;
  base_error(notes, BASE_NOWHERE, "--along names no coordinate");
  return -1;
}

char* zw_inverse(zw_system* s, const char* motion, const char* along, const char* style,
                 zw_notes* notes)
{
  API_ENTER(notes, NULL, API_IS(SYSTEM, s), API_HAS(motion), API_HAS(style));
  base_notes* n = notes->notes;
  if (!out_inverse_write(NULL, style, NULL)) {
    base_error(n, BASE_NOWHERE, "there is no format `%s`", style);
    base_help(n, "the formats are csv and json");
    return NULL;
  }
  base_arena* arena = base_arena_new();
  study_motion given = {0};
  int* list = NULL;
  const int forces = take_table(s->model, motion, arena, &given, n)
                         ? read_along(s->model, along, &given, arena, &list, n)
                         : -1;
  study_inverse* r = forces > 0 ? study_inverse_find(s->system, &given, forces, list, n) : NULL;
  base_text text = {0};
  if (r) out_inverse_write(r, style, &text);
  study_inverse_free(r);
  base_arena_free(arena);
  return r ? api_hand_out_text(base_text_take(&text)) : NULL;
}
