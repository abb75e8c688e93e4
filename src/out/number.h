// Doubles as text with 17 significant digits, and with null for what JSON cannot say.
#pragma once

#include "base/base.h"

// the characters of printf's "%.17g", faster; returns how many (at most 31, then a zero byte)
int out_number(char digits[32], double x);
void out_number_add(base_text* out, double x);
