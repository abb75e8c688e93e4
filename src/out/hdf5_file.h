// An HDF5 file being filled. Only where the library's headers were there (ZWANG_HDF5).
#pragma once

#include "base/base.h"
#include "out/hdf5_library.h"

typedef struct out_hdf5_file out_hdf5_file;

// the file, a group or a dataset of it
typedef struct out_hdf5_place
{
  hid_t at;
  out_hdf5_file* in;
} out_hdf5_place;

// the first failure stays
struct out_hdf5_file
{
  void (*fill)(out_hdf5_place file, const void* of);
  const void* of;
  hid_t file;
  out_hdf5_types types;
  bool failed;
  char* bytes; // of the finished file; null when the library failed
  size_t length;
};

void out_hdf5_want(out_hdf5_place p, bool fine);

// attributes
void out_hdf5_set_real(out_hdf5_place p, const char* name, double x);
void out_hdf5_set_int(out_hdf5_place p, const char* name, long x);
void out_hdf5_set_text(out_hdf5_place p, const char* name, const char* text);

// a dataset of so many rows, and its values, which close it
hid_t out_hdf5_dataset(out_hdf5_place p, const char* name, hid_t type, int rows);
void out_hdf5_values(out_hdf5_place p, hid_t d, hid_t type, const void* values);
void out_hdf5_matrix(out_hdf5_place p, const char* name, int rows, int columns, const double* x);
void out_hdf5_words(out_hdf5_place p, const char* name, int count, char* const* word);

// to be closed by Gclose where its id is not negative
out_hdf5_place out_hdf5_group(out_hdf5_place p, const char* name);

// the file that `fill` makes of `of`; the library is there
bool out_hdf5_file_write(const char* path, void (*fill)(out_hdf5_place file, const void* of),
                         const void* of, base_notes* notes);
