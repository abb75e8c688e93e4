// code: lists of expressions become kernels that are evaluated fast and often.
// Takes expressions and the symbols that are inputs; gives a kernel, and C source of it.
// Knows no mechanics and no integrators.
#pragma once

#include "expr/expr.h"

// A kernel is a straight-line tape: out[0..outputs) from in[0..inputs). It is const after it is
// built; each user brings its own scratch block.
typedef struct code_kernel code_kernel;

// Every symbol of the outputs must be among the inputs; otherwise null, and *missing names one.
code_kernel* code_build(const expr_pool* p, int outputs, const expr* out, int inputs,
                        const expr* in, expr* missing);
void code_free(code_kernel* k);

int code_inputs(const code_kernel* k);
int code_outputs(const code_kernel* k);
int code_operations(const code_kernel* k); // real operations on the tape
size_t code_scratch(const code_kernel* k); // doubles of scratch one evaluation needs

// evaluate: no allocation, no lock; out may not overlap in
void code_run(const code_kernel* k, const double* in, double* out, double* scratch);

// the tape as text, one operation a line, for tests and people
void code_print(const code_kernel* k, base_text* out);

// the kernel as a C99 function `void NAME(const double* in, double* out)` that needs only <math.h>
void code_print_c(const code_kernel* k, const char* name, base_text* out);

// ---- power series
// -------------------------------------------------------------------------------

// A jet evaluates a kernel on power series in one variable, order by order: coefficient k of every
// output from coefficients 0 to k of the inputs. So the series of a solution can be grown: what
// comes out at order k may set an input at order k + 1. Cost of an order k is O(k) per operation.
// A jet is const after it is built; each user brings a scratch block, cleared once.
typedef struct code_jet code_jet;

// orders 0 .. order; `extra` further series are kept beside the inputs, numbered after them, for
// products. The kernel is not needed afterwards.
code_jet* code_jet_new(const code_kernel* k, int order, int extra);
// of these outputs alone, numbered anew
code_jet* code_jet_new_of(const code_kernel* k, int count, const int* outputs, int order,
                          int extra);
void code_jet_free(code_jet* j);
size_t code_jet_scratch(const code_jet* j); // doubles of scratch
// ready for a new expansion; also after one that was not finite
void code_jet_clear(const code_jet* j, double* scratch);
void code_jet_set(const code_jet* j, double* scratch, int input, int k, double value);
// Coefficient k of everything; orders are run upwards from 0, one may be run again. Where a
// function has a corner, the branch taken at order 0 counts; where it has no derivative, nan.
void code_jet_run(const code_jet* j, int k, double* scratch);
// coefficients of an output or an input, ascending
const double* code_jet_out(const code_jet* j, const double* scratch, int output);
const double* code_jet_in(const code_jet* j, const double* scratch, int input);
bool code_jet_is_steady(const code_jet* j, int output); // a number: all but coefficient 0 vanish

// sum[row] += out_1 in_(k-1) + ... + out_k in_0 for each product of an output and an input
typedef struct code_jet_product
{
  int output, input, row;
} code_jet_product;
void code_jet_products(const code_jet* j, const double* scratch, int k, int count,
                       const code_jet_product* list, double* sum);
