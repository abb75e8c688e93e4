// The HDF5 library, opened at run time and kept until the program ends.
#include "out/hdf5_library.h"

#include <assert.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// what the headers and the library opened must share: ids of 64 bits, as of 1.10
_Static_assert(sizeof(hid_t) == sizeof(int64_t), "HDF5 before 1.10");

static bool version_fits(const out_hdf5_library* lib)
{
  unsigned major = 0, minor = 0, release = 0;
  return lib->get_libversion(&major, &minor, &release) >= 0 && major == 1 && minor >= 10;
}

// every function, then the library at work, then its ids, which only then have their values
static bool fill(void* opened, out_hdf5_library* lib)
{
#define X(name)                               \
  {                                           \
    void* found = dlsym(opened, "H5" #name);  \
    if (!found) return false;                 \
    memcpy(&lib->name, &found, sizeof found); \
  }
  OUT_HDF5_CALLS(X)
#undef X
  if (!version_fits(lib) || lib->open() < 0) return false;
#define X(name, variable)                          \
  {                                                \
    const hid_t* found = dlsym(opened, #variable); \
    if (!found) return false;                      \
    lib->name = *found;                            \
  }
  OUT_HDF5_IDS(X)
#undef X
  return true;
}

bool out_hdf5_library_load(const char* soname, out_hdf5_library* lib)
{
  void* opened = dlopen(soname, RTLD_NOW | RTLD_LOCAL);
  if (!opened) return false;
  if (fill(opened, lib)) return true;
  dlclose(opened);
  return false;
}

// first the one the program has already (null): two in one process would share half their
// variables; then the one this was built beside, then the names it goes by elsewhere
static const char* const sonames[] = {
    NULL, ZWANG_HDF5, "libhdf5_serial.so.103", "libhdf5.so.103", "libhdf5_serial.so", "libhdf5.so"};
out_hdf5_library out_h5;
static bool loaded;

static void load_any(void)
{
  for (size_t i = 0; i < sizeof sonames / sizeof *sonames && !loaded; i++)
    loaded = out_hdf5_library_load(sonames[i], &out_h5);
}

bool out_hdf5_library_open(void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load_any);
  return loaded;
}

// ---- what is open -------------------------------------------------------------------------------

hid_t out_hdf5_type_keep(out_hdf5_types* types, hid_t type)
{
  assert(types->count < (int)(sizeof types->at / sizeof *types->at));
  types->at[types->count++] = type;
  return type;
}

hid_t out_hdf5_type_text(out_hdf5_types* types, size_t size)
{
  const hid_t type = out_hdf5_type_keep(types, out_h5.Tcopy(out_h5.C_S1));
  out_h5.Tset_size(type, size > 0 ? size : 1);
  out_h5.Tset_strpad(type, H5T_STR_NULLPAD);
  out_h5.Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

void out_hdf5_type_close(out_hdf5_types* types)
{
  out_h5.Tclose(types->at[--types->count]);
}

void out_hdf5_types_close(out_hdf5_types* types)
{
  while (types->count) out_hdf5_type_close(types);
}

hid_t out_hdf5_access(void)
{
  const hid_t access = out_h5.Pcreate(out_h5.FILE_ACCESS);
  out_h5.Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  return access;
}
