// An HDF5 file being filled: attributes, datasets, groups. It is built in memory, so that only one
// place writes to disks.
#include "out/hdf5_file.h"

#include "out/file.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_MOST = 32000 }; // an attribute holds less than 64 kB

void out_hdf5_want(out_hdf5_place p, bool fine)
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
static void free_name(out_hdf5_place p, const char* name, base_text* out)
{
  base_text_add(out, name);
  for (char* c = out->at; *c; c++)
    if (*c == '/') *c = '_';
  while (out_h5.Lexists(p.at, out->at, H5P_DEFAULT) > 0) base_text_add(out, "_");
}

// ---- attributes ---------------------------------------------------------------------------------

static void set(out_hdf5_place p, const char* name, hid_t type, const void* value)
{
  hid_t space = out_h5.Screate(H5S_SCALAR), names = utf8_names(out_h5.ATTRIBUTE_CREATE);
  hid_t a = out_h5.Acreate2(p.at, name, type, space, names, H5P_DEFAULT);
  out_hdf5_want(p, a >= 0 && out_h5.Awrite(a, type, value) >= 0);
  if (a >= 0) out_h5.Aclose(a);
  out_h5.Pclose(names);
  out_h5.Sclose(space);
}

void out_hdf5_set_real(out_hdf5_place p, const char* name, double x)
{
  set(p, name, out_h5.NATIVE_DOUBLE, &x);
}

void out_hdf5_set_int(out_hdf5_place p, const char* name, long x)
{
  int64_t value = x;
  set(p, name, out_h5.NATIVE_INT64, &value);
}

void out_hdf5_set_text(out_hdf5_place p, const char* name, const char* text)
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

static hid_t new_dataset(out_hdf5_place p, const char* name, hid_t type, int rank,
                         const hsize_t* size)
{
  base_text link = {0};
  free_name(p, name, &link);
  hid_t space = out_h5.Screate_simple(rank, size, NULL), names = utf8_names(out_h5.LINK_CREATE);
  hid_t d = out_h5.Dcreate2(p.at, link.at, type, space, names, H5P_DEFAULT, H5P_DEFAULT);
  out_hdf5_want(p, d >= 0);
  out_h5.Pclose(names);
  out_h5.Sclose(space);
  base_text_free(&link);
  return d;
}

hid_t out_hdf5_dataset(out_hdf5_place p, const char* name, hid_t type, int rows)
{
  const hsize_t size = (hsize_t)rows;
  return new_dataset(p, name, type, 1, &size);
}

void out_hdf5_values(out_hdf5_place p, hid_t d, hid_t type, const void* values)
{
  if (d < 0) return;
  out_hdf5_want(p, out_h5.Dwrite(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  out_h5.Dclose(d);
}

void out_hdf5_matrix(out_hdf5_place p, const char* name, int rows, int columns, const double* x)
{
  const hsize_t size[] = {(hsize_t)rows, (hsize_t)columns};
  const hid_t d = new_dataset(p, name, out_h5.NATIVE_DOUBLE, 2, size);
  out_hdf5_values(p, d, out_h5.NATIVE_DOUBLE, rows && columns ? x : NULL);
}

void out_hdf5_words(out_hdf5_place p, const char* name, int count, char* const* word)
{
  size_t width = 1;
  for (int i = 0; i < count; i++) width = strlen(word[i]) > width ? strlen(word[i]) : width;
  char* all = base_alloc((size_t)count * width + 1);
  for (int i = 0; i < count; i++) memcpy(all + (size_t)i * width, word[i], strlen(word[i]));
  const hid_t type = out_hdf5_type_text(&p.in->types, width);
  out_hdf5_values(p, out_hdf5_dataset(p, name, type, count), type, all);
  out_hdf5_type_close(&p.in->types);
  free(all);
}

// ---- groups -------------------------------------------------------------------------------------

out_hdf5_place out_hdf5_group(out_hdf5_place p, const char* name)
{
  base_text link = {0};
  free_name(p, name, &link);
  hid_t names = utf8_names(out_h5.LINK_CREATE);
  hid_t g = out_h5.Gcreate2(p.at, link.at, names, H5P_DEFAULT, H5P_DEFAULT);
  out_hdf5_want(p, g >= 0);
  out_h5.Pclose(names);
  base_text_free(&link);
  return (out_hdf5_place){g, p.in};
}

// ---- the file -----------------------------------------------------------------------------------

static void build(void* context)
{
  out_hdf5_file* m = context;
  m->fill((out_hdf5_place){m->file, m}, m->of);
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
static bool build_file(out_hdf5_file* m)
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

bool out_hdf5_file_write(const char* path, void (*fill)(out_hdf5_place file, const void* of),
                         const void* of, base_notes* notes)
{
  // the library would print its own stack of errors; ours is one line
  H5E_auto2_t print;
  void* print_context;
  out_h5.Eget_auto2(H5E_DEFAULT, &print, &print_context);
  out_h5.Eset_auto2(H5E_DEFAULT, NULL, NULL);
  out_hdf5_file m = {.fill = fill, .of = of};
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
