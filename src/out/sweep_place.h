// Rows that have their place in the file. Private to out.
#pragma once

#include "out/sweep_table.h"

// bytes before the rows
size_t out_sweep_before(const out_sweep_head* h, out_sweep_kind kind);
// the file as long as it will be, so that pieces of it can be mapped
struct out_sweep_places* out_sweep_no_places(void);
void out_sweep_make_places(out_sweep* s);
void out_sweep_leave_places(out_sweep* s);
// what a thread has put in its place counts from here on; false where it could not
bool out_sweep_take_receipt(out_sweep* s, const char* receipt, size_t n);
