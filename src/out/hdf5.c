// Tables as HDF5: the file is built in memory, so that only one place writes to disks.
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
#include "out/hdf5_library.h"
#include "out/names.h"

enum { TEXT_MOST = 32000 }; // an attribute holds less than 64 kB

const char* out_hdf5_missing(void)
{
  return out_hdf5_library_open() ? NULL : "the HDF5 library is not on this machine";
}

// one file or one group of it being filled; the first failure stays
typedef struct making
{
  const out_runs* runs;
  hid_t file;
  out_hdf5_types types;
  bool failed;
  char* bytes; // of the finished file; null when the library failed
  size_t length;
} making;

typedef struct place
{
  hid_t at;
  making* in;
} place;

static void want(place p, bool fine)
{
  if (!fine) p.in->failed = true;
}

// names of links and attributes are UTF-8; a slash would make a folder of a name
static hid_t utf8_names(hid_t kind)
{
  hid_t list = out_h5.Pcreate(kind);
  out_h5.Pset_char_encoding(list, H5T_CSET_UTF8);
  return list;
}

// a name for a link that is not yet taken there: the columns come first
static void free_name(place p, const char* name, base_text* out)
{
  base_text_add(out, name);
  for (char* c = out->at; *c; c++)
    if (*c == '/') *c = '_';
  while (out_h5.Lexists(p.at, out->at, H5P_DEFAULT) > 0) base_text_add(out, "_");
}

// ---- attributes ---------------------------------------------------------------------------------

static void set(place p, const char* name, hid_t type, const void* value)
{
  hid_t space = out_h5.Screate(H5S_SCALAR), names = utf8_names(out_h5.ATTRIBUTE_CREATE);
  hid_t a = out_h5.Acreate2(p.at, name, type, space, names, H5P_DEFAULT);
  want(p, a >= 0 && out_h5.Awrite(a, type, value) >= 0);
  if (a >= 0) out_h5.Aclose(a);
  out_h5.Pclose(names);
  out_h5.Sclose(space);
}

static void set_real(place p, const char* name, double x)
{
  set(p, name, out_h5.NATIVE_DOUBLE, &x);
}

static void set_int(place p, const char* name, long x)
{
  int64_t value = x;
  set(p, name, out_h5.NATIVE_INT64, &value);
}

static void set_text(place p, const char* name, const char* text)
{
  size_t n = strlen(text);
  if (n > TEXT_MOST) {
    n = TEXT_MOST;
    while (n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80) n--;
  }
  set(p, name, out_hdf5_type_text(&p.in->types, n), text);
  out_hdf5_type_close(&p.in->types);
}

// ---- datasets -----------------------------------------------------------------------------------

static hid_t new_dataset(place p, const char* name, hid_t type, int rows)
{
  base_text link = {0};
  free_name(p, name, &link);
  hsize_t size = (hsize_t)rows;
  hid_t space = out_h5.Screate_simple(1, &size, NULL), names = utf8_names(out_h5.LINK_CREATE);
  hid_t d = out_h5.Dcreate2(p.at, link.at, type, space, names, H5P_DEFAULT, H5P_DEFAULT);
  want(p, d >= 0);
  out_h5.Pclose(names);
  out_h5.Sclose(space);
  base_text_free(&link);
  return d;
}

static void write_dataset(place p, hid_t d, hid_t type, const void* values)
{
  if (d < 0) return;
  want(p, out_h5.Dwrite(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  out_h5.Dclose(d);
}

static void write_numbers(place p, const walk_track* t, int column, double* x)
{
  int rows = t->table.rows;
  for (int i = 0; i < rows; i++)
    x[i] = t->table.value[(size_t)i * (size_t)t->table.width + (size_t)column];
  hid_t d = new_dataset(p, t->column[column], out_h5.NATIVE_DOUBLE, rows);
  if (d >= 0) set_text((place){d, p.in}, "unit", t->unit && t->unit[column] ? t->unit[column] : "");
  write_dataset(p, d, out_h5.NATIVE_DOUBLE, x);
}

// one word per row, all of the width of the longest
static void write_words(place p, const walk_track* t, int column)
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
  write_dataset(p, new_dataset(p, out_columns_name(t, column), type, t->table.rows), type, words);
  out_hdf5_type_close(&p.in->types);
  free(words);
}

static void write_columns(place p, const walk_track* t)
{
  out_columns chosen = out_columns_of(p.in->runs);
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
static void add_field(place p, hid_t table, const char* name, size_t offset, hid_t type)
{
  base_text field = {0};
  base_text_add(&field, name);
  while (out_h5.Tget_member_index(table, field.at) >= 0) base_text_add(&field, "_");
  want(p, out_h5.Tinsert(table, field.at, offset, type) >= 0);
  base_text_free(&field);
}

static void write_events(place p, const walk_track* t)
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
  write_dataset(p, new_dataset(p, "events", table, t->happenings), table, records);
  out_hdf5_type_close(types);
  out_hdf5_type_close(types);
  free(records);
}

// ---- groups of attributes -----------------------------------------------------------------------

static place open_group(place p, const char* name)
{
  base_text link = {0};
  free_name(p, name, &link);
  hid_t names = utf8_names(out_h5.LINK_CREATE);
  hid_t g = out_h5.Gcreate2(p.at, link.at, names, H5P_DEFAULT, H5P_DEFAULT);
  want(p, g >= 0);
  out_h5.Pclose(names);
  base_text_free(&link);
  return (place){g, p.in};
}

static void write_params(place p, const model* m)
{
  place g = open_group(p, "params");
  for (int i = 0; g.at >= 0 && i < m->params; i++)
    if (!m->param[i].made) set_real(g, m->param[i].name, m->param[i].number);
  if (g.at >= 0) out_h5.Gclose(g.at);
}

static void write_residuals(place p, const walk_track* t)
{
  place g = open_group(p, "residuals");
  for (int i = 0; g.at >= 0 && t->residual && i < t->model->constraints; i++) {
    const walk_residual* r = &t->residual[i];
    place one = open_group(g, t->model->constraint[i].name);
    if (one.at < 0) continue;
    set_real(one, "position", r->position);
    set_real(one, "velocity", r->velocity);
    set_real(one, "acceleration", r->acceleration);
    out_h5.Gclose(one.at);
  }
  if (g.at >= 0) out_h5.Gclose(g.at);
}

static void write_statistics(place p, const walk_track* t)
{
  place g = open_group(p, "statistics");
  if (g.at < 0) return;
  set_text(g, "method", t->method ? t->method : "");
  set_text(g, "method_why", t->method_why ? t->method_why : "");
  if (t->counts.order) set_int(g, "order", t->counts.order);
  set_real(g, "tolerance", t->tolerance);
  set_real(g, "t_from", t->t_from);
  set_real(g, "t_to", t->t_to);
  set_real(g, "t_reached", t->t_reached);
  set_int(g, "steps", t->counts.steps);
  set_int(g, "rejected", t->counts.rejected);
  set_int(g, "evaluations", t->counts.evaluations);
  set_int(g, "restarts", t->restarts);
  set_int(g, "impacts", (int)t->impacts);
  set_int(g, "basis_changes", t->basis_changes);
  if (t->digits.asked) set_real(g, "digits", t->digits.good);
  set_real(g, "energy_start", t->energy_start);
  set_real(g, "energy_end", t->energy_end);
  set_real(g, "energy_work", t->energy_work);
  set_real(g, "energy_balance", t->energy_balance);
  set_real(g, "energy_scale", t->energy_scale);
  set_real(g, "seconds", t->seconds);
  base_text redundant = {0};
  base_text_add(&redundant, "");
  for (int i = 0; i < t->redundant; i++)
    base_text_printf(&redundant, "%s%s", i ? " " : "",
                     t->model->constraint[t->redundant_row[i]].name);
  set_text(g, "redundant", redundant.at);
  base_text_free(&redundant);
  base_text guesses = {0};
  base_text_add(&guesses, "");
  for (int i = 0; i < t->guesses.count; i++)
    base_text_printf(&guesses, "%s%s: %.17g", i ? "; " : "", t->guesses.at[i].text,
                     t->guesses.at[i].moved);
  set_text(g, "guesses_moved", guesses.at);
  base_text_free(&guesses);
  write_residuals(g, t);
  out_h5.Gclose(g.at);
}

static void write_warnings(place p, const base_notes* notes)
{
  base_text all = {0};
  base_text_add(&all, "");
  for (int i = 0; notes && i < base_notes_count(notes); i++)
    if (base_notes_level(notes, i) == BASE_WARNING)
      base_text_printf(&all, "%s%s", all.n ? "\n" : "", base_notes_reason(notes, i));
  set_text(p, "warnings", all.at);
  base_text_free(&all);
}

static void write_track(place p, const walk_track* t)
{
  set_text(p, "title", t->model->title);
  set_text(p, "status", out_status_word(t->status));
  set_text(p, "reason", t->reason ? t->reason : "");
  set_text(p, "doubt", t->doubt ? t->doubt : "");
  write_columns(p, t);
  if (out_has_events(t)) write_events(p, t);
  write_params(p, t->model);
  write_statistics(p, t);
}

static void write_runs(place file, const out_runs* r)
{
  set_text(file, "program", "zwang " ZWANG_VERSION);
  write_warnings(file, r->notes);
  if (r->count == 1 && !r->varied) {
    write_track(file, r->track[0]);
    return;
  }
  set_text(file, "title", r->track[0]->model->title);
  if (r->varied) set_text(file, "varied", r->varied);
  for (int i = 0; i < r->count; i++) {
    char name[24];
    snprintf(name, sizeof name, "run%d", i);
    place g = open_group(file, name);
    if (g.at < 0) continue;
    if (r->varied) set_real(g, "value", r->value[i]);
    write_track(g, r->track[i]);
    out_h5.Gclose(g.at);
  }
}

// ---- the file -----------------------------------------------------------------------------------

static void build(void* context)
{
  making* m = context;
  write_runs((place){m->file, m}, m->runs);
  if (m->failed || out_h5.Fflush(m->file, H5F_SCOPE_GLOBAL) < 0) return;
  const ssize_t n = out_h5.Fget_file_image(m->file, NULL, 0);
  if (n <= 0) return;
  char* bytes = base_alloc((size_t)n);
  m->length = (size_t)n;
  if (out_h5.Fget_file_image(m->file, bytes, (size_t)n) == n)
    m->bytes = bytes;
  else
    free(bytes);
}

// false where memory ran out: everything is closed then, too
static bool build_file(making* m)
{
  // The library first opens a file of this name, for writing, even though it then only works in
  // memory: a name that no file can have.
  static const char nowhere[] = "/dev/null/table";
  const hid_t access = out_hdf5_access();
  out_h5.Pset_fapl_core(access, 1 << 16, 0);
  m->file = out_h5.Fcreate(nowhere, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  out_h5.Pclose(access);
  if (m->file < 0) return true;
  const bool fine = base_try(build, m);
  out_hdf5_types_close(&m->types);
  out_h5.Fclose(m->file);
  return fine;
}

bool out_hdf5_write(const out_runs* r, const char* path, base_notes* notes)
{
  assert(r->count > 0);
  if (out_hdf5_missing()) {
    base_error(notes, BASE_NOWHERE, "cannot write `%s`: %s", path, out_hdf5_missing());
    return false;
  }
  // the library would print its own stack of errors; ours is one line
  H5E_auto2_t print;
  void* print_context;
  out_h5.Eget_auto2(H5E_DEFAULT, &print, &print_context);
  out_h5.Eset_auto2(H5E_DEFAULT, NULL, NULL);
  making m = {.runs = r};
  const bool fine = build_file(&m);
  out_h5.Eset_auto2(H5E_DEFAULT, print, print_context);
  if (!fine) base_no_room();
  if (!m.bytes) {
    base_error(notes, BASE_NOWHERE, "cannot write `%s`: the HDF5 library failed", path);
    return false;
  }
  bool done = out_file_write(path, m.bytes, m.length, notes);
  free(m.bytes);
  return done;
}

#endif
