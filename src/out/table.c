// Tables into files: the ending chooses the writer.
#include <string.h>
#include <strings.h>

#include "out/csv.h"
#include "out/file.h"
#include "out/hdf5.h"
#include "out/out.h"
#include "out/undefined.h"

typedef enum format { FORMAT_NONE, FORMAT_CSV, FORMAT_JSON, FORMAT_HDF5 } format;

static format format_of(const char* path)
{
  if (strcmp(path, "-") == 0) return FORMAT_CSV;
  const char* name = strrchr(path, '/');
  const char* dot = strrchr(name ? name : path, '.');
  if (dot && strcasecmp(dot, ".csv") == 0) return FORMAT_CSV;
  if (dot && strcasecmp(dot, ".json") == 0) return FORMAT_JSON;
  if (dot && strcasecmp(dot, ".h5") == 0) return FORMAT_HDF5;
  // a device or a pipe has no ending to go by
  return out_file_kind_of(path) == OUT_FILE_SPECIAL ? FORMAT_CSV : FORMAT_NONE;
}

// 0, or 1 with the reason noted
static int name_check(const char* path, format f, base_notes* notes)
{
  if (f == FORMAT_NONE && out_file_kind_of(path) == OUT_FILE_FOLDER) {
    base_error(notes, BASE_NOWHERE, "cannot write a table to `%s`: it is a folder", path);
    return 1;
  }
  if (f == FORMAT_NONE) {
    base_error(notes, BASE_NOWHERE, "cannot tell the format of `%s` from its ending", path);
    base_help(notes, "use a name that ends in .csv, .json or .h5, or `-` for CSV on stdout");
    return 1;
  }
  if (f == FORMAT_HDF5 && out_hdf5_missing()) {
    base_error(notes, BASE_NOWHERE, "cannot write `%s`: %s", path, out_hdf5_missing());
    base_help(notes, "use a name that ends in .csv or .json");
    return 1;
  }
  return 0;
}

int out_table_check(const char* path, base_notes* notes)
{
  int wrong = name_check(path, format_of(path), notes);
  if (wrong) return wrong;
  return out_file_check(path, notes) ? 0 : 2;
}

static bool flush_to_file(void* context, base_text* out)
{
  bool added = out_file_add(context, out->at, out->n);
  out->n = 0;
  return added;
}

static bool write_csv(const out_runs* r, const char* path, base_notes* notes)
{
  out_file f;
  if (!out_file_open(&f, path, notes)) return false;
  base_text piece = {0};
  out_csv_pieces(r, &piece, flush_to_file, &f);
  base_text_free(&piece);
  return out_file_close(&f, notes);
}

static bool write_json(const out_runs* r, const char* path, base_notes* notes)
{
  base_text text = {0};
  out_json(r, &text);
  bool done = out_file_write(path, text.at, text.n, notes);
  base_text_free(&text);
  return done;
}

int out_table_write(const out_runs* r, const char* path, base_notes* notes)
{
  format f = format_of(path);
  int wrong = name_check(path, f, notes);
  if (wrong) return wrong;
  out_undefined_note(r, notes);
  bool done = f == FORMAT_CSV    ? write_csv(r, path, notes)
              : f == FORMAT_JSON ? write_json(r, path, notes)
                                 : out_hdf5_write(r, path, notes);
  return done ? 0 : 2;
}
