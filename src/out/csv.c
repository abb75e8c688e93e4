// Tables as CSV (RFC 4180): a header line, 17 significant digits (31 of runs with twice the
// digits), a line feed after each row.
#include "out/csv.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "out/names.h"
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

void out_csv_header(const walk_track* t, base_text* out)
{
  for (int i = 0; i < t->columns; i++) {
    if (i > 0) base_text_add(out, ",");
    out_csv_field(out, t->column[i]);
  }
  if (t->model->stages > 0) base_text_add(out, ",stage");
  if (out_has_events(t)) base_text_add(out, ",event");
  base_text_add(out, "\n");
}

static void add_wide(base_text* out, base_wide x)
{
  char digits[base_wide_room];
  base_text_addn(out, digits, (size_t)base_wide_print(digits, x));
}

void out_csv_row(const walk_track* t, int row, base_text* out)
{
  const double* value = t->table.value + (size_t)row * (size_t)t->table.width;
  for (int i = 0; i < t->columns; i++) {
    if (i > 0) base_text_add(out, ",");
    // what is not defined is left empty
    if (!isfinite(value[i])) continue;
    if (t->table.low)
      add_wide(out, (base_wide){value[i], t->table.low[value - t->table.value + i]});
    else
      out_number_add(out, value[i]);
  }
  if (t->model->stages > 0) {
    base_text_add(out, ",");
    out_csv_field(out, out_stage_name(t, row));
  }
  if (out_has_events(t)) {
    base_text_add(out, ",");
    out_csv_field(out, out_event_name(t, row));
  }
  base_text_add(out, "\n");
}

bool out_csv_pieces(const out_runs* r, base_text* out, out_csv_flush* flush, void* context)
{
  assert(r->count > 0);
  assert(!r->varied || r->value);
  if (r->varied) {
    out_csv_field(out, r->varied);
    base_text_add(out, ",");
  }
  out_csv_header(r->track[0], out);
  for (int run = 0; run < r->count; run++) {
    const walk_track* t = r->track[run];
    assert(t->columns == r->track[0]->columns && t->table.width >= t->columns);
    for (int row = 0; row < t->table.rows; row++) {
      if (r->varied) {
        out_number_add(out, r->value[run]);
        base_text_add(out, ",");
      }
      out_csv_row(t, row, out);
      if (flush && out->n > 1 << 20 && !flush(context, out)) return false;
    }
  }
  return !flush || flush(context, out);
}

void out_csv(const out_runs* r, base_text* out)
{
  out_csv_pieces(r, out, NULL, NULL);
}
