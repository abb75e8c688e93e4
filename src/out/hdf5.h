// Tables as HDF5, where the library is there.
#pragma once

#include "out/out.h"

bool out_hdf5_is_built(void);
bool out_hdf5_write(const out_runs* r, const char* path, base_notes* notes);
