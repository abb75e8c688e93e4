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
