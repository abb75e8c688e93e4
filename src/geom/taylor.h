// Private to geom: expressions as polynomials about a point, cut off at a total degree.
#pragma once

#include "geom/pfaff.h"

// monomials of m variables in the order of their degrees; a polynomial is one double for each
typedef struct geom_taylor
{
  base_arena* arena;
  int m, degree, count;
  int* first;   // of each degree, and count at the end
  int* parent;  // the monomial without its last variable
  int* last;    // that variable
  int* up;      // [monomial * m + variable]: their product, -1 beyond the degree
  int* power;   // [monomial * m + variable]
  int* product; // work space
} geom_taylor;

// false where there would be too many monomials
bool geom_taylor_make(int m, int degree, base_arena* arena, geom_taylor* t);
// out += a b up to the degree d
void geom_taylor_multiply(const geom_taylor* t, int d, const double* a, const double* b,
                          double* out);
// derivative by variable i, up to the degree d
void geom_taylor_diff(const geom_taylor* t, int d, const double* a, int i, double* out);
// sum f_k h^k with h = a without its constant; f has degree + 1 coefficients
void geom_taylor_compose(const geom_taylor* t, const double* a, const double* f, double* out);
// a^p; false where that has no value
bool geom_taylor_power(const geom_taylor* t, const double* a, double p, double* out);
// A Y = R with A (m by m) regular at the point, R m by k; false where it is not
bool geom_taylor_divide(const geom_taylor* t, int m, int k, const double* A, const double* R,
                        double* Y);
// Expressions: variable[j] is coordinate number j of f->x; the point is `values` for f->symbol.
// False where one has no value there.
bool geom_taylor_expand(const geom_taylor* t, const geom_pfaff* f, const int* variable,
                        const double* values, int count, const expr* e, double* out);
// The same with symbols that are polynomials: series[i] is that of symbol[i], null: it is values[i]
bool geom_taylor_expand_along(const geom_taylor* t, const expr_pool* pool, int symbols,
                              const expr* symbol, const double* values, const double* const* series,
                              int count, const expr* e, double* out);
