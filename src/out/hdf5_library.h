// The HDF5 library, opened when the first .h5 is asked for: loading it with every run would cost
// more than deriving and running a small model. Only where its headers were there (ZWANG_HDF5).
#pragma once

#include <hdf5.h>
#include <stdbool.h>

// some constants of the headers call the library by its linked name first; opening it did that
#undef H5CHECK
#undef H5OPEN
#define H5CHECK
#define H5OPEN

// the functions in use, less the letters H5 in front
#define OUT_HDF5_CALLS(X) \
  X(open)                 \
  X(get_libversion)       \
  X(Aclose)               \
  X(Acreate2)             \
  X(Awrite)               \
  X(Dclose)               \
  X(Dcreate2)             \
  X(Dwrite)               \
  X(Eget_auto2)           \
  X(Eset_auto2)           \
  X(Fclose)               \
  X(Fcreate)              \
  X(Fflush)               \
  X(Fget_file_image)      \
  X(Gclose)               \
  X(Gcreate2)             \
  X(Lexists)              \
  X(Pclose)               \
  X(Pcreate)              \
  X(Pset_char_encoding)   \
  X(Pset_fapl_core)       \
  X(Pset_fclose_degree)   \
  X(Pset_obj_track_times) \
  X(Sclose)               \
  X(Screate)              \
  X(Screate_simple)       \
  X(Sselect_hyperslab)    \
  X(Tclose)               \
  X(Tcopy)                \
  X(Tcreate)              \
  X(Tget_member_index)    \
  X(Tinsert)              \
  X(Tset_cset)            \
  X(Tset_size)            \
  X(Tset_strpad)

// the ids in use: the name here, the variable of the library
#define OUT_HDF5_IDS(X)                              \
  X(C_S1, H5T_C_S1_g)                                \
  X(NATIVE_DOUBLE, H5T_NATIVE_DOUBLE_g)              \
  X(NATIVE_INT64, H5T_NATIVE_INT64_g)                \
  X(ATTRIBUTE_CREATE, H5P_CLS_ATTRIBUTE_CREATE_ID_g) \
  X(DATASET_CREATE, H5P_CLS_DATASET_CREATE_ID_g)     \
  X(FILE_ACCESS, H5P_CLS_FILE_ACCESS_ID_g)           \
  X(LINK_CREATE, H5P_CLS_LINK_CREATE_ID_g)

typedef struct out_hdf5_library
{
#define X(name) __typeof__(H5##name)* name;
  OUT_HDF5_CALLS(X)
#undef X
#define X(name, variable) hid_t name;
  OUT_HDF5_IDS(X)
#undef X
} out_hdf5_library;

// the library, for use after out_hdf5_library_open said yes
extern out_hdf5_library out_h5;

// Types that are open, the last one first to be closed: what is left of them where memory ran out
// belongs to no file, so that nothing else closes them.
typedef struct out_hdf5_types
{
  hid_t at[3];
  int count;
} out_hdf5_types;
hid_t out_hdf5_type_keep(out_hdf5_types* types, hid_t type);
hid_t out_hdf5_type_text(out_hdf5_types* types, size_t size); // UTF-8, this many bytes
void out_hdf5_type_close(out_hdf5_types* types);
void out_hdf5_types_close(out_hdf5_types* types);
// for files that are closed with all that is open in them; to be closed
hid_t out_hdf5_access(void);

// open it if it is not open yet; false when this machine has none. Any thread may ask.
bool out_hdf5_library_open(void);

// fill `lib` from the shared library of this name, or from what the program is linked with when it
// is null; false when it is not there or not such a one
bool out_hdf5_library_load(const char* soname, out_hdf5_library* lib);
