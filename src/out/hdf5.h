// Tables as HDF5, where the library is there.
#pragma once

#include "out/out.h"

// why no .h5 can be written, or null when it can: the library is opened to know
const char* out_hdf5_missing(void);
bool out_hdf5_write(const out_runs* r, const char* path, base_notes* notes);
