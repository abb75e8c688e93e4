// gnuplot as a child process: a script in, a picture out.
#pragma once

#include "base/base.h"

// Run the script; what gnuplot writes to its standard output is the picture (a fresh block).
// Null with the reason noted: gnuplot absent, failed, or slower than `seconds`.
char* out_gnuplot(const char* script, size_t n, double seconds, size_t* length, base_notes* notes);
