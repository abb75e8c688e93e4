// How polynomials are written. Private to expr.
#pragma once

#include "expr/poly.h"

// kernels are grouped level after level; what is left is written term by term, nested, or as is
// shorter
typedef enum expr_rest { EXPR_REST_FLAT, EXPR_REST_NESTED, EXPR_REST_SHORTER } expr_rest;

typedef struct expr_style
{
  int levels[4]; // of kernels, ended by -1
  expr_rest rest;
  bool numbers;  // take out common numbers also at the top
  bool line;     // all over one line
  double better; // how much shorter than the styles before it this one must be
} expr_style;

expr expr_form_write(expr_ring* r, const expr_style* style, const expr_poly* a);
// denominators 3, rates 2, functions 1, symbols 0
int expr_form_level(const expr_kernel* k);
// the number to take out: only where that leaves fewer numbers to write, or turns most signs
expr expr_form_number(expr_ring* r, const expr_poly* a, bool eager);
static inline bool expr_form_is_unit(expr c)
{
  return c == EXPR_ONE || c == EXPR_MINUS_ONE;
}
