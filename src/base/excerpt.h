// excerpt: a line of a source as it can be shown, with the caret under the place.
#pragma once

#include "base/base.h"

// line and column of a byte, both from 1; columns count characters
void base_excerpt_where(const char* text, size_t length, size_t at, int* line, int* column);

// the line of p.from and a line with carets under p; long lines are cut around the place
void base_excerpt_show(base_text* out, const char* text, size_t length, base_place p, int line);

// add the text with control signs and broken bytes replaced; tabs and newlines become blanks
void base_excerpt_clean(base_text* out, const char* text, size_t n);
