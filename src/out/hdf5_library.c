// The HDF5 library, opened at run time and kept until the program ends.
#include "out/hdf5_library.h"

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
