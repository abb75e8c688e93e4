// Doubles as text: the shortest that reads back as the same number.
#pragma once

#include "base/base.h"

// the fewest digits that read back equal, of those the nearest, laid out as by printf's %g;
// returns how many characters (at most 31, then a zero byte)
int out_number(char digits[32], double x);
void out_number_add(base_text* out, double x);
// n of them, a comma before each
void out_numbers_add(base_text* out, int n, const double* x);
