// A table for people: the heads with their units, the columns one below the other, nine digits.
#include <math.h>
#include <stdlib.h>

#include "out/columns.h"
#include "out/text.h"

enum { digits_shown = 9 };

typedef struct sheet
{
  int rows, columns; // with the head
  base_text* cell;   // row by row
} sheet;

static void fill_row(sheet* s, int at, const out_runs* r, int run, const out_columns* c, int row)
{
  const walk_track* t = r->track[run];
  const double* value = t->table.value + (size_t)row * (size_t)t->table.width;
  base_text* cell = s->cell + (size_t)at * (size_t)s->columns;
  if (r->varied) out_text_number(cell++, r->value[run], digits_shown);
  for (int i = 0; i < c->count; i++)
    if (c->at[i] < 0)
      out_text_plain(cell + i, out_columns_word(t, c->at[i], row));
    else if (isfinite(value[c->at[i]]))
      out_text_number(cell + i, value[c->at[i]], digits_shown);
}

static sheet fill(const out_runs* r, const out_columns* c)
{
  sheet s = {1, c->count + (r->varied != NULL), NULL};
  for (int run = 0; run < r->count; run++) s.rows += r->track[run]->table.rows;
  s.cell = base_alloc(sizeof *s.cell * (size_t)s.rows * (size_t)s.columns);
  base_text head = {0};
  base_text* cell = s.cell;
  if (r->varied) out_text_plain(cell++, r->varied);
  for (int i = 0; i < c->count; i++) {
    head.n = 0;
    out_columns_head(r->track[0], c->at[i], true, &head);
    out_text_plain(cell + i, head.at);
  }
  base_text_free(&head);
  int at = 1;
  for (int run = 0; run < r->count; run++)
    for (int row = 0; row < r->track[run]->table.rows; row++) fill_row(&s, at++, r, run, c, row);
  return s;
}

static int width_of(const sheet* s, int column)
{
  int most = 0;
  for (int row = 0; row < s->rows; row++) {
    const base_text* cell = &s->cell[(size_t)row * (size_t)s->columns + (size_t)column];
    const int wide = cell->n ? out_text_columns(cell->at) : 0;
    if (wide > most) most = wide;
  }
  return most;
}

// numbers to the right, so that their heads stand over them
void out_rows(const out_runs* r, base_text* out)
{
  out_columns c = out_columns_of(r);
  sheet s = fill(r, &c);
  int* width = base_alloc(sizeof *width * (size_t)s.columns);
  for (int i = 0; i < s.columns; i++) width[i] = width_of(&s, i);
  for (int row = 0; row < s.rows; row++) {
    for (int i = 0; i < s.columns; i++) {
      base_text* cell = &s.cell[(size_t)row * (size_t)s.columns + (size_t)i];
      const char* words = cell->n ? cell->at : "";
      base_text_printf(out, "%s%*s%s", i ? "  " : "", width[i] - out_text_columns(words), "",
                       words);
      base_text_free(cell);
    }
    base_text_add(out, "\n");
  }
  free(width);
  free(s.cell);
  out_columns_free(&c);
}
