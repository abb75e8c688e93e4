// Cells without a value: a coordinate at its pole, an output where it is not defined. They are left
// empty, and that is said once.
#include "out/undefined.h"

#include <math.h>

enum { most_named = 4 };

typedef struct found
{
  int columns, rows; // with such cells
  double first;      // time of the first row; of the first run that has one
} found;

static double cell(const walk_track* t, int row, int column)
{
  return t->table.value[(size_t)row * (size_t)t->table.width + (size_t)column];
}

// 0 times a number is 0, times anything else nan
static bool has_gap(int count, const double* x)
{
  double sick[2] = {0};
  int i = 0;
  for (; i + 2 <= count; i += 2)
    for (int k = 0; k < 2; k++) sick[k] += 0 * x[i + k];
  for (; i < count; i++) sick[0] += 0 * x[i];
  return !(sick[0] + sick[1] == 0);
}

static void look_at_rows(const walk_track* t, found* f)
{
  for (int row = 0; row < t->table.rows; row++) {
    if (!has_gap(t->columns, t->table.value + (size_t)row * (size_t)t->table.width)) continue;
    if (!f->rows++) f->first = cell(t, row, 0);
  }
}

static bool column_has_gap(const out_runs* r, int column)
{
  for (int run = 0; run < r->count; run++)
    for (int row = 0; row < r->track[run]->table.rows; row++)
      if (!isfinite(cell(r->track[run], row, column))) return true;
  return false;
}

void out_undefined_note(const out_runs* r, base_notes* notes)
{
  found f = {0};
  for (int run = 0; run < r->count; run++) look_at_rows(r->track[run], &f);
  if (!f.rows) return;
  const walk_track* t = r->track[0];
  base_text list = {0};
  for (int i = 0; i < t->columns; i++) {
    if (!column_has_gap(r, i)) continue;
    if (f.columns++ < most_named)
      base_text_printf(&list, "%s`%s`", f.columns > 1 ? ", " : "", t->column[i]);
  }
  if (f.columns > most_named) base_text_printf(&list, " and %d more", f.columns - most_named);
  base_text_printf(&list, " %s no value at t = %.10g", f.columns == 1 ? "has" : "have", f.first);
  if (f.rows > 1)
    base_text_printf(&list, " and in %d more row%s", f.rows - 1, f.rows > 2 ? "s" : "");
  base_warning(notes, BASE_NOWHERE, "%s: these cells are left empty", list.at);
  base_text_free(&list);
}
