// CSV in pieces, so that a long table need not be held as text at once.
#pragma once

#include "out/columns.h"

// a field is quoted when it holds a comma, a quote or a line break
void out_csv_field(base_text* out, const char* field);

// the names of these columns of one run, and a row of it
void out_csv_header(const walk_track* t, const out_columns* c, bool units, base_text* out);
void out_csv_row(const walk_track* t, const out_columns* c, int row, base_text* out);

// Called now and then with what has been written so far; takes it and empties the text.
// False stops the writing.
typedef bool out_csv_flush(void* context, base_text* out);
bool out_csv_pieces(const out_runs* r, base_text* out, out_csv_flush* flush, void* context);
