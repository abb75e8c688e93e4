// Random tapes for the tests of machine code: every operation, many values alive at once.
#pragma once

#include "code/graphs.h"
#include "code/kernel.h"

#define TAPE_INPUTS  12
#define TAPE_OUTPUTS 10

// a kernel of about `size` operations; `tame` leaves out the functions of the C library
code_kernel* tape_kernel(graph_random* r, int size, bool tame);
// ordinary numbers, and now and then nan, infinities, zeros of both signs, subnormal and huge ones
double tape_input(graph_random* r);
