// What the tests of expr share: reading texts, showing expressions, random expressions and points.
#pragma once

#include "check.h"
#include "expr/expr.h"

#include <stdlib.h>

// the expression of a text in the notation of expr_print; fails loudly on anything else
expr read_expr(expr_pool* p, const char* text);

char* show_expr(const expr_pool* p, expr e);
char* show_latex(const expr_pool* p, expr e);

#define CHECK_EXPR(P, E, WANT)        \
  do {                                \
    char* got_ = show_expr((P), (E)); \
    CHECK_TEXT(got_, (WANT));         \
    free(got_);                       \
  } while (0)

#define CHECK_LATEX(P, E, WANT)        \
  do {                                 \
    char* got_ = show_latex((P), (E)); \
    CHECK_TEXT(got_, (WANT));          \
    free(got_);                        \
  } while (0)

// a stream of random numbers, the same on every machine
typedef struct random_stream
{
  uint64_t state;
} random_stream;

uint32_t random_below(random_stream* r, uint32_t n); // 0 .. n-1
double random_between(random_stream* r, double from, double to);

// a tree of about `size` operations over x, y, z, u'; `smooth` leaves out abs, sign, min, max, if
#define RANDOM_SYMBOLS 4
void random_symbols(expr_pool* p, expr out[RANDOM_SYMBOLS]);
expr random_expr(expr_pool* p, random_stream* r, int size, bool smooth);
// sums of products of symbols, sines, cosines and roots, as mechanics makes them, and quotients of
// such
expr random_mechanics(expr_pool* p, random_stream* r);
