// Private to num: least squares of many unknowns.
#pragma once

// as num_least_squares, by blocks; allocates
void num_least_squares_blocked(int m, int n, double* A, double* b, double* x);
