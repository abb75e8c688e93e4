// The records of a sweep as HDF5, column by column in blocks, so that memory stays bounded.
#include "out/sweep_rows.h"

#ifndef ZWANG_HDF5

bool out_sweep_hdf5(const out_sweep_head* h, int part, const char* path, base_notes* notes)
{
  (void)h;
  (void)part;
  base_error(notes, BASE_NOWHERE, "cannot write `%s`: this zwang was built without HDF5", path);
  return false;
}

#else

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "out/hdf5_library.h"

enum { block_rows = 1 << 14 };

typedef struct making
{
  const out_sweep_head* h;
  int part;
  size_t record;
  hid_t file;
  out_hdf5_types types;
  bool failed;
} making;

// an attribute that is a text
static void set_text(making* m, const char* name, const char* text)
{
  hid_t space = out_h5.Screate(H5S_SCALAR), type = out_hdf5_type_text(&m->types, strlen(text));
  hid_t a = out_h5.Acreate2(m->file, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  m->failed |= a < 0 || out_h5.Awrite(a, type, text) < 0;
  if (a >= 0) out_h5.Aclose(a);
  out_hdf5_type_close(&m->types);
  out_h5.Sclose(space);
}

static hid_t new_dataset(making* m, const char* name, hid_t type)
{
  base_text link = {0};
  base_text_add(&link, name);
  for (char* c = link.at; *c; c++)
    if (*c == '/') *c = '_';
  while (out_h5.Lexists(m->file, link.at, H5P_DEFAULT) > 0) base_text_add(&link, "_");
  hsize_t size = (hsize_t)m->h->runs;
  hid_t space = out_h5.Screate_simple(1, &size, NULL), names = out_h5.Pcreate(out_h5.LINK_CREATE);
  out_h5.Pset_char_encoding(names, H5T_CSET_UTF8);
  // no times in the file: the same sweep gives the same bytes
  hid_t plain = out_h5.Pcreate(out_h5.DATASET_CREATE);
  out_h5.Pset_obj_track_times(plain, false);
  hid_t d = out_h5.Dcreate2(m->file, link.at, type, space, names, plain, H5P_DEFAULT);
  out_h5.Pclose(plain);
  m->failed |= d < 0;
  out_h5.Pclose(names);
  out_h5.Sclose(space);
  base_text_free(&link);
  return d;
}

static void write_block(making* m, hid_t d, hid_t type, int64_t first, int count, const void* from)
{
  hsize_t start = (hsize_t)first, rows = (hsize_t)count, size = (hsize_t)m->h->runs;
  hid_t there = out_h5.Screate_simple(1, &size, NULL), here = out_h5.Screate_simple(1, &rows, NULL);
  out_h5.Sselect_hyperslab(there, H5S_SELECT_SET, &start, NULL, &rows, NULL);
  m->failed |= out_h5.Dwrite(d, type, here, there, H5P_DEFAULT, from) < 0;
  out_h5.Sclose(there);
  out_h5.Sclose(here);
}

static int read_block(making* m, int64_t first, char* block)
{
  const int64_t left = m->h->runs - first;
  const int count = left < block_rows ? (int)left : block_rows;
  const size_t want = (size_t)count * m->record;
  for (size_t got = 0; got < want;) {
    const off_t at = (off_t)((size_t)first * m->record + got);
    const ssize_t k = pread(m->part, block + got, want - got, at);
    if (k <= 0) {
      m->failed = true;
      return count;
    }
    got += (size_t)k;
  }
  return count;
}

// `width` bytes from `offset` of each record become a column; basins become their names
static void write_column(making* m, const char* name, size_t offset, size_t width, bool basin)
{
  char* block = base_alloc(block_rows * m->record);
  size_t room = width;
  for (int i = 0; basin && i < m->h->basins; i++)
    if (strlen(m->h->basin[i]) > room) room = strlen(m->h->basin[i]);
  const bool number = width == sizeof(double) && !basin;
  hid_t type = number ? out_h5.NATIVE_DOUBLE : out_hdf5_type_text(&m->types, room),
        d = new_dataset(m, name, type);
  char* out = base_alloc(block_rows * room);
  for (int64_t first = 0; first < m->h->runs && !m->failed; first += block_rows) {
    const int count = read_block(m, first, block);
    memset(out, 0, block_rows * room);
    for (int i = 0; i < count; i++) {
      const char* from = block + (size_t)i * m->record + offset;
      int64_t which = -1;
      if (basin) memcpy(&which, from, sizeof which);
      // the file is not ours alone
      if (which >= m->h->basins) which = -1;
      if (which >= 0) from = m->h->basin[which];
      if (!basin) memcpy(out + (size_t)i * room, from, width);
      if (which >= 0) memcpy(out + (size_t)i * room, from, strlen(from));
    }
    if (!m->failed) write_block(m, d, type, first, count, out);
  }
  if (d >= 0) out_h5.Dclose(d);
  if (!number) out_hdf5_type_close(&m->types);
  free(block);
  free(out);
}

static void write_all(void* context)
{
  making* m = context;
  const out_sweep_head* h = m->h;
  size_t at = 0;
  set_text(m, "program", "zwang " ZWANG_VERSION);
  set_text(m, "title", h->title);
  for (int i = 0; i < h->axes; i++, at += sizeof(double))
    write_column(m, h->axis[i], at, sizeof(double), false);
  for (int i = 0; i < h->results; i++, at += sizeof(double))
    write_column(m, h->result[i], at, sizeof(double), false);
  if (h->basins) write_column(m, "basin", at, 1, true);
  write_column(m, "quality", at + sizeof(int64_t), SWEEP_REASON, false);
  write_column(m, "reason", at + sizeof(int64_t) + SWEEP_REASON, SWEEP_REASON, false);
}

bool out_sweep_hdf5(const out_sweep_head* h, int part, const char* path, base_notes* notes)
{
  if (!out_hdf5_library_open()) {
    base_error(notes, BASE_NOWHERE, "cannot write `%s`: the HDF5 library is not on this machine",
               path);
    return false;
  }
  H5E_auto2_t print;
  void* print_context;
  out_h5.Eget_auto2(H5E_DEFAULT, &print, &print_context);
  out_h5.Eset_auto2(H5E_DEFAULT, NULL, NULL);
  making m = {.h = h, .part = part, .record = out_sweep_record(h, OUT_SWEEP_HDF5)};
  const hid_t access = out_hdf5_access();
  m.file = out_h5.Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  out_h5.Pclose(access);
  m.failed = m.file < 0;
  const bool fine = m.failed || base_try(write_all, &m);
  out_hdf5_types_close(&m.types);
  if (m.file >= 0) m.failed |= out_h5.Fclose(m.file) < 0;
  out_h5.Eset_auto2(H5E_DEFAULT, print, print_context);
  if (!fine) base_no_room();
  if (m.failed) base_error(notes, BASE_NOWHERE, "cannot write `%s`: the HDF5 library failed", path);
  return !m.failed;
}

#endif
