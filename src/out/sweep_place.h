// Rows that have their place in the file. Private to out.
#pragma once

#include "out/sweep_table.h"

// bytes before the rows
size_t out_sweep_before(const out_sweep_head* h, out_sweep_kind kind);
// what a thread has put in its place counts from here on; false where it could not
bool out_sweep_take_receipt(out_sweep* s, const char* receipt, size_t n);
