// Words of the user and numbers, made fit for a terminal: clean, padded, wrapped.
#pragma once

#include "base/base.h"

// one line of valid UTF-8 without control characters (each becomes a space)
void out_text_plain(base_text* out, const char* words);
char* out_text_clean(base_arena* arena, const char* words);
// the same, padded with spaces to this many columns
void out_text_pad(base_text* out, const char* words, int columns);
int out_text_columns(const char* words);
// a number for people: up to `digits` significant digits, "-" for nan
void out_text_number(base_text* out, double x, int digits);
// a formula that may be long: broken after + or - so that no line is wider than it must be; lines
// after the first start with `indent` spaces, the first is taken to start at column `at`
void out_text_wrap(base_text* out, const char* formula, int at, int indent, int width);
