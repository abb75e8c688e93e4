// The matrix I - g df/dy of Newton's iteration. Private to step.
#pragma once

#include "num/num.h"

// f at y; 0, or a code: above zero where it is worth trying elsewhere
typedef int step_newton_rates(void* context, const double* y, double* f);

typedef struct step_newton_matrix step_newton_matrix;
step_newton_matrix* step_newton_new(int n);
void step_newton_free(step_newton_matrix* m);
// df/dy by difference quotients at y, whose f is known; inc: how far each component goes. The first
// time it is found which component depends on which, at a state a little beside this one, where
// nothing vanishes by chance; from then on components that no rate holds both of go together. The
// code of the rates where they refuse.
int step_newton_find(step_newton_matrix* m, step_newton_rates* rates, void* context,
                     const double* y, const double* f, const double* inc);
// false: the matrix is singular
bool step_newton_factor(step_newton_matrix* m, double g);
void step_newton_solve(const step_newton_matrix* m, double* x);
