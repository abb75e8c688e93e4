// Chebyshev polynomials of degree 16 on [-1, 1]: fit, value, derivative, part.
#pragma once

enum { num_chebyshev_degree = 16, num_chebyshev_terms = num_chebyshev_degree + 1 };

typedef struct num_chebyshev
{
  double c[num_chebyshev_terms]; // p(x) = sum c_k T_k(x)
} num_chebyshev;

// node j: cos(pi j / degree), from 1 down to -1
double num_chebyshev_node(int j);
// the polynomial through values at the nodes
num_chebyshev num_chebyshev_fit(const double* values);
double num_chebyshev_value(const num_chebyshev* p, double x);
num_chebyshev num_chebyshev_derivative(const num_chebyshev* p);
// q(x) = p on [from, to], brought to [-1, 1]
num_chebyshev num_chebyshev_part(const num_chebyshev* p, double from, double to);
// sum of |c_k| for k >= 1: p stays within this of c_0
double num_chebyshev_spread(const num_chebyshev* p);
