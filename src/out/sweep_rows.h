// Rows of a sweep as bytes, both ways. Private to out.
#pragma once

#include "out/out.h"

// rows among these bytes, which are whole ones, that are of failed and of doubtful runs: added
void out_sweep_count(const out_sweep_head* h, bool binary, const char* bytes, size_t n,
                     out_sweep_counts* c);
// bytes of a binary row, the reason last, the quality before it
size_t out_sweep_record(const out_sweep_head* h);
// the header line of a CSV
void out_sweep_header(const out_sweep_head* h, base_text* out);
// The table so far as numbers, a row of axes and results (then the basin) per run, in order; false
// where it cannot be read.
typedef void out_sweep_row(void* context, const double* numbers, int basin);
bool out_sweep_read(const out_sweep* s, out_sweep_row* row, void* context);
// the binary rows of `part` as an HDF5 file
bool out_sweep_hdf5(const out_sweep_head* h, int part, const char* path, base_notes* notes);
