// Functions of blocks of 4 or 8 states side by side. Private to the room.
#pragma once

#include "code/native.h"

// out[l] = f(a[l]) or f(a[l], b[l]); for the pair the sines go to out and the cosines to b
typedef void code_lanes_function(double* out, const double* a, double* b);

// Sine and cosine by code's own kernel, the same bits at every level; all others by the C library
// lane by lane, the same bits as of one state.
code_lanes_function* code_lanes_function_of(uint32_t op, int lanes, code_level level);
