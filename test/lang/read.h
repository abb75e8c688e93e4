// Helpers of the tests of lang: texts in, printed trees or notes out.
#pragma once

#include "lang/lang.h"

// the tree of a text as printed, or all notes when there are errors; valid until the next call
const char* read_text(const char* text);
const char* read_bytes(const char* text, size_t n, const lang_limits* limits);
const char* read_expression(const char* text);
const char* read_file(const char* path, const lang_limits* limits);

// number of errors of a text
int read_errors(const char* text);
