// Random expression graphs for the tests of code, and their values with bounds of rounding errors.
#pragma once

#include "code/code.h"

#define GRAPH_INPUTS 6

// a stream of random numbers of its own, the same on every machine
typedef struct graph_random
{
  uint64_t state;
} graph_random;

uint32_t graph_below(graph_random* r, uint32_t n); // 0 .. n-1
double graph_between(graph_random* r, double from, double to);

// symbols x0 .. x5
void graph_symbols(expr_pool* p, expr in[GRAPH_INPUTS]);
// a graph of about `size` nodes with much sharing; its last `outputs` nodes
void graph_make(expr_pool* p, graph_random* r, int size, const expr in[GRAPH_INPUTS], int outputs,
                expr* out);

// A value in long double and how far any sensible evaluation in double may be from it; error is
// infinite where that cannot be said (a branch on the border, a pole, overflow).
typedef struct graph_value
{
  long double value, error;
} graph_value;

graph_value graph_reference(const expr_pool* p, expr e, const expr in[GRAPH_INPUTS],
                            const double x[GRAPH_INPUTS]);
