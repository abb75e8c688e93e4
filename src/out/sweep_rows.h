// Rows of a sweep as bytes, both ways. Private to out.
#pragma once

#include "out/out.h"

// rows among these bytes, which are whole ones, that are of failed and of doubtful runs: added
void out_sweep_count(const out_sweep_head* h, out_sweep_kind kind, const char* bytes, size_t n,
                     out_sweep_counts* c);
// bytes of a row that becomes HDF5 (the reason last, the quality before it) or of one of NumPy (the
// quality last: 0, 1 doubtful, -1 failed); 0: they differ
size_t out_sweep_record(const out_sweep_head* h, out_sweep_kind kind);
// some of NumPy, one after the other
void out_sweep_numbers(const out_sweep_head* h, const sweep_rows* r, int from, int count,
                       double* to);
// what comes before the rows
void out_sweep_header(const out_sweep_head* h, out_sweep_kind kind, base_text* out);
void out_sweep_npy_header(const out_sweep_head* h, base_text* out);
// The table so far as numbers, a row of axes and results (then the basin) per run, in order; false
// where it cannot be read.
typedef void out_sweep_row(void* context, const double* numbers, int basin);
bool out_sweep_read(const out_sweep* s, out_sweep_row* row, void* context);
// the binary rows of `part` as an HDF5 file
bool out_sweep_hdf5(const out_sweep_head* h, int part, const char* path, base_notes* notes);
