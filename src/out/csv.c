// Tables as CSV (RFC 4180): a header line, 17 significant digits (31 of runs with twice the
// digits), a line feed after each row.
#include "out/csv.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "out/number.h"

void out_csv_field(base_text* out, const char* field)
{
  if (!strpbrk(field, ",\"\r\n")) {
    base_text_add(out, field);
    return;
  }
  base_text_add(out, "\"");
  for (const char* c = field; *c; c++) {
    if (*c == '"') base_text_add(out, "\"");
    base_text_addn(out, c, 1);
  }
  base_text_add(out, "\"");
}

void out_csv_header(const walk_track* t, const out_columns* c, bool units, base_text* out)
{
  base_text head = {0};
  for (int i = 0; i < c->count; i++) {
    if (i > 0) base_text_add(out, ",");
    head.n = 0;
    out_columns_head(t, c->at[i], units, &head);
    out_csv_field(out, head.at);
  }
  base_text_free(&head);
  base_text_add(out, "\n");
}

static void add_wide(base_text* out, base_wide x)
{
  char digits[base_wide_room];
  base_text_addn(out, digits, (size_t)base_wide_print(digits, x));
}

void out_csv_row(const walk_track* t, const out_columns* c, int row, base_text* out)
{
  const size_t first = (size_t)row * (size_t)t->table.width;
  const double* value = t->table.value + first;
  for (int i = 0; i < c->count; i++) {
    const int at = c->at[i];
    if (i > 0) base_text_add(out, ",");
    if (at < 0)
      out_csv_field(out, out_columns_word(t, at, row));
    else if (!isfinite(value[at]))
      continue; // what is not defined is left empty
    else if (t->table.low)
      add_wide(out, (base_wide){value[at], t->table.low[first + (size_t)at]});
    else
      out_number_add(out, value[at]);
  }
  base_text_add(out, "\n");
}

static bool put_rows(const out_runs* r, const out_columns* c, base_text* out, out_csv_flush* flush,
                     void* context)
{
  for (int run = 0; run < r->count; run++) {
    const walk_track* t = r->track[run];
    assert(t->columns == r->track[0]->columns && t->table.width >= t->columns);
    for (int row = 0; row < t->table.rows; row++) {
      if (r->varied) {
        out_number_add(out, r->value[run]);
        base_text_add(out, ",");
      }
      out_csv_row(t, c, row, out);
      if (flush && out->n > 1 << 20 && !flush(context, out)) return false;
    }
  }
  return true;
}

bool out_csv_pieces(const out_runs* r, base_text* out, out_csv_flush* flush, void* context)
{
  assert(r->count > 0);
  assert(!r->varied || r->value);
  if (r->varied) {
    out_csv_field(out, r->varied);
    base_text_add(out, ",");
  }
  out_columns columns = out_columns_of(r);
  out_csv_header(r->track[0], &columns, r->units, out);
  const bool put = put_rows(r, &columns, out, flush, context);
  out_columns_free(&columns);
  if (!put) return false;
  return !flush || flush(context, out);
}

void out_csv(const out_runs* r, base_text* out)
{
  out_csv_pieces(r, out, NULL, NULL);
}
