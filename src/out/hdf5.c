// Tables as HDF5.
#include "out/hdf5.h"

#ifndef ZWANG_HDF5

const char* out_hdf5_missing(void)
{
  return "this zwang was built without HDF5";
}

bool out_hdf5_write(const out_runs* r, const char* path, base_notes* notes)
{
  (void)r;
  base_error(notes, BASE_NOWHERE, "cannot write `%s`: %s", path, out_hdf5_missing());
  return false;
}

#else

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "out/columns.h"
#include "out/file.h"
#include "out/hdf5_file.h"
#include "out/names.h"

const char* out_hdf5_missing(void)
{
  return out_hdf5_library_open() ? NULL : "the HDF5 library is not on this machine";
}

// ---- datasets -----------------------------------------------------------------------------------

static void write_numbers(out_hdf5_place p, const walk_track* t, int column, double* x)
{
  int rows = t->table.rows;
  for (int i = 0; i < rows; i++)
    x[i] = t->table.value[(size_t)i * (size_t)t->table.width + (size_t)column];
  hid_t d = out_hdf5_dataset(p, t->column[column], out_h5.NATIVE_DOUBLE, rows);
  if (d >= 0)
    out_hdf5_set_text((out_hdf5_place){d, p.in}, "unit",
                      t->unit && t->unit[column] ? t->unit[column] : "");
  out_hdf5_values(p, d, out_h5.NATIVE_DOUBLE, x);
}

// one word per row, all of the width of the longest
static void write_words(out_hdf5_place p, const walk_track* t, int column)
{
  size_t width = 1, rows = (size_t)t->table.rows;
  for (size_t i = 0; i < rows; i++) {
    size_t n = strlen(out_columns_word(t, column, (int)i));
    if (n > width) width = n;
  }
  char* words = base_alloc(rows * width + 1);
  for (size_t i = 0; i < rows; i++) {
    const char* w = out_columns_word(t, column, (int)i);
    memcpy(words + i * width, w, strlen(w));
  }
  hid_t type = out_hdf5_type_text(&p.in->types, width);
  out_hdf5_values(p, out_hdf5_dataset(p, out_columns_name(t, column), type, t->table.rows), type,
                  words);
  out_hdf5_type_close(&p.in->types);
  free(words);
}

static void write_columns(out_hdf5_place p, const out_runs* runs, const walk_track* t)
{
  out_columns chosen = out_columns_of(runs);
  double* x = base_alloc(((size_t)t->table.rows + 1) * sizeof *x);
  for (int i = 0; i < chosen.count; i++)
    if (chosen.at[i] < 0)
      write_words(p, t, chosen.at[i]);
    else
      write_numbers(p, t, chosen.at[i], x);
  free(x);
  out_columns_free(&chosen);
}

// ---- events: a table with the name, the direction, and the value of every column ----------------

// add a field to a compound type under a name not yet taken
static void add_field(out_hdf5_place p, hid_t table, const char* name, size_t offset, hid_t type)
{
  base_text field = {0};
  base_text_add(&field, name);
  while (out_h5.Tget_member_index(table, field.at) >= 0) base_text_add(&field, "_");
  out_hdf5_want(p, out_h5.Tinsert(table, field.at, offset, type) >= 0);
  base_text_free(&field);
}

static void write_events(out_hdf5_place p, const walk_track* t)
{
  size_t width = 1, rows = (size_t)t->happenings, columns = (size_t)t->columns;
  for (int i = 0; i < t->happenings; i++) {
    size_t n = strlen(walk_happening_name(t, &t->happening[i]));
    if (n > width) width = n;
  }
  width = (width + 7) / 8 * 8;
  size_t size = width + 8 + columns * sizeof(double);
  char* records = base_alloc(rows * size + 1);
  for (size_t i = 0; i < rows; i++) {
    const walk_happening* h = &t->happening[i];
    const char* name = walk_happening_name(t, h);
    int64_t direction = h->direction;
    memcpy(records + i * size, name, strlen(name));
    memcpy(records + i * size + width, &direction, 8);
    if (h->row) memcpy(records + i * size + width + 8, h->row, columns * sizeof(double));
  }

  out_hdf5_types* types = &p.in->types;
  hid_t name_type = out_hdf5_type_text(types, width),
        table = out_hdf5_type_keep(types, out_h5.Tcreate(H5T_COMPOUND, size));
  for (size_t c = 0; c < columns; c++)
    add_field(p, table, t->column[c], width + 8 + c * sizeof(double), out_h5.NATIVE_DOUBLE);
  add_field(p, table, "name", 0, name_type);
  add_field(p, table, "direction", width, out_h5.NATIVE_INT64);
  out_hdf5_values(p, out_hdf5_dataset(p, "events", table, t->happenings), table, records);
  out_hdf5_type_close(types);
  out_hdf5_type_close(types);
  free(records);
}

// ---- groups of attributes -----------------------------------------------------------------------

static void write_params(out_hdf5_place p, const model* m)
{
  out_hdf5_place g = out_hdf5_group(p, "params");
  for (int i = 0; g.at >= 0 && i < m->params; i++)
    if (!m->param[i].made) out_hdf5_set_real(g, m->param[i].name, m->param[i].number);
  if (g.at >= 0) out_h5.Gclose(g.at);
}

static void write_residuals(out_hdf5_place p, const walk_track* t)
{
  out_hdf5_place g = out_hdf5_group(p, "residuals");
  for (int i = 0; g.at >= 0 && t->residual && i < t->model->constraints; i++) {
    const walk_residual* r = &t->residual[i];
    out_hdf5_place one = out_hdf5_group(g, t->model->constraint[i].name);
    if (one.at < 0) continue;
    out_hdf5_set_real(one, "position", r->position);
    out_hdf5_set_real(one, "velocity", r->velocity);
    out_hdf5_set_real(one, "acceleration", r->acceleration);
    out_h5.Gclose(one.at);
  }
  if (g.at >= 0) out_h5.Gclose(g.at);
}

static void write_statistics(out_hdf5_place p, const walk_track* t)
{
  out_hdf5_place g = out_hdf5_group(p, "statistics");
  if (g.at < 0) return;
  out_hdf5_set_text(g, "method", t->method ? t->method : "");
  out_hdf5_set_text(g, "method_why", t->method_why ? t->method_why : "");
  if (t->counts.order) out_hdf5_set_int(g, "order", t->counts.order);
  out_hdf5_set_real(g, "tolerance", t->tolerance);
  out_hdf5_set_real(g, "t_from", t->t_from);
  out_hdf5_set_real(g, "t_to", t->t_to);
  out_hdf5_set_real(g, "t_reached", t->t_reached);
  out_hdf5_set_int(g, "steps", t->counts.steps);
  out_hdf5_set_int(g, "rejected", t->counts.rejected);
  out_hdf5_set_int(g, "evaluations", t->counts.evaluations);
  out_hdf5_set_int(g, "restarts", t->restarts);
  out_hdf5_set_int(g, "impacts", (int)t->impacts);
  out_hdf5_set_int(g, "basis_changes", t->basis_changes);
  if (t->digits.asked) out_hdf5_set_real(g, "digits", t->digits.good);
  out_hdf5_set_real(g, "energy_start", t->energy_start);
  out_hdf5_set_real(g, "energy_end", t->energy_end);
  out_hdf5_set_real(g, "energy_work", t->energy_work);
  out_hdf5_set_real(g, "energy_balance", t->energy_balance);
  out_hdf5_set_real(g, "energy_scale", t->energy_scale);
  out_hdf5_set_real(g, "seconds", t->seconds);
  base_text redundant = {0};
  base_text_add(&redundant, "");
  for (int i = 0; i < t->redundant; i++)
    base_text_printf(&redundant, "%s%s", i ? " " : "",
                     t->model->constraint[t->redundant_row[i]].name);
  out_hdf5_set_text(g, "redundant", redundant.at);
  base_text_free(&redundant);
  base_text guesses = {0};
  base_text_add(&guesses, "");
  for (int i = 0; i < t->guesses.count; i++)
    base_text_printf(&guesses, "%s%s: %.17g", i ? "; " : "", t->guesses.at[i].text,
                     t->guesses.at[i].moved);
  out_hdf5_set_text(g, "guesses_moved", guesses.at);
  base_text_free(&guesses);
  write_residuals(g, t);
  out_h5.Gclose(g.at);
}

static void write_warnings(out_hdf5_place p, const base_notes* notes)
{
  base_text all = {0};
  base_text_add(&all, "");
  for (int i = 0; notes && i < base_notes_count(notes); i++)
    if (base_notes_level(notes, i) == BASE_WARNING)
      base_text_printf(&all, "%s%s", all.n ? "\n" : "", base_notes_reason(notes, i));
  out_hdf5_set_text(p, "warnings", all.at);
  base_text_free(&all);
}

static void write_track(out_hdf5_place p, const out_runs* runs, const walk_track* t)
{
  out_hdf5_set_text(p, "title", t->model->title);
  out_hdf5_set_text(p, "status", out_status_word(t->status));
  out_hdf5_set_text(p, "reason", t->reason ? t->reason : "");
  out_hdf5_set_text(p, "doubt", t->doubt ? t->doubt : "");
  write_columns(p, runs, t);
  if (out_has_events(t)) write_events(p, t);
  write_params(p, t->model);
  write_statistics(p, t);
}

static void write_runs(out_hdf5_place file, const out_runs* r)
{
  out_hdf5_set_text(file, "program", "zwang " ZWANG_VERSION);
  write_warnings(file, r->notes);
  if (r->count == 1 && !r->varied) {
    write_track(file, r, r->track[0]);
    return;
  }
  out_hdf5_set_text(file, "title", r->track[0]->model->title);
  if (r->varied) out_hdf5_set_text(file, "varied", r->varied);
  for (int i = 0; i < r->count; i++) {
    char name[24];
    snprintf(name, sizeof name, "run%d", i);
    out_hdf5_place g = out_hdf5_group(file, name);
    if (g.at < 0) continue;
    if (r->varied) out_hdf5_set_real(g, "value", r->value[i]);
    write_track(g, r, r->track[i]);
    out_h5.Gclose(g.at);
  }
}

static void fill(out_hdf5_place file, const void* runs)
{
  write_runs(file, runs);
}

bool out_hdf5_write(const out_runs* r, const char* path, base_notes* notes)
{
  assert(r->count > 0);
  if (out_hdf5_missing()) {
    base_error(notes, BASE_NOWHERE, "cannot write `%s`: %s", path, out_hdf5_missing());
    return false;
  }
  return out_hdf5_file_write(path, fill, r, notes);
}

#endif
