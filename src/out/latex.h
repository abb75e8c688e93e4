// LaTeX helpers: words escaped, long formulas broken into lines, letters declared.
#pragma once

#include "base/base.h"

// the user's words as running text
void out_latex_words(base_text* out, const char* words);
// a formula whose letters of other alphabets are set as text: mathematics has no fonts for them
void out_latex_math(base_text* out, const char* formula);
// rough width of a formula in letters
double out_latex_width(const char* formula, size_t n);
// break a formula before + and - so that no line is wider than it must be; lines are joined by
// `between`, and brackets that are broken lose their \left and \right. Returns the widest line.
double out_latex_wrap(base_text* out, const char* formula, double width, const char* between);
// declarations for pdflatex of every letter in `body` that it does not know by itself
void out_latex_letters(base_text* out, const char* body);
