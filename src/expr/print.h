// What the printers share: pieces of text waiting on a stack, products taken apart, terms in order.
#pragma once

#include "expr/pool.h"

// a text longer than this ends in "..."
#define EXPR_PRINT_MOST ((size_t)16 << 20)

// how tightly the place of a piece binds; what binds less is put in brackets
typedef enum expr_bind {
  EXPR_BIND_SUM,
  EXPR_BIND_TERM,   // a factor follows or precedes
  EXPR_BIND_FACTOR, // after a slash
  EXPR_BIND_BASE,   // before a power sign
} expr_bind;

typedef struct expr_piece
{
  const char* text; // null: an expression
  expr e;
  expr_bind bind;
  bool plus;       // the sign was already written
  bool turned;     // of a sum: with all signs turned
  bool above_only; // of a number: what stands above the line
  bool below_only; // of a number: what stands below the line
} expr_piece;

typedef struct expr_printer expr_printer;

// how one kind of text writes what the kinds do not share
typedef struct expr_style
{
  const char *open, *close; // brackets
  const char *root, *root_end;
  const char *pi, *less_eq;
  const char *times, *times_number; // between factors; between two numbers
  expr_bind fraction; // a fraction of numbers is in brackets where its place binds tighter
  void (*number)(expr_printer* w, expr e); // without its sign
  void (*symbol)(expr_printer* w, expr e);
  void (*product)(expr_printer* w, expr_piece piece);
  void (*power)(expr_printer* w, expr_piece piece);
  void (*call)(expr_printer* w, expr_piece piece);
  void (*branch)(expr_printer* w, expr e);
} expr_style;

struct expr_printer
{
  const expr_pool* p;
  base_text* out;
  const expr_style* style;
  BASE_LIST(expr_piece) stack;
};

void expr_piece_text(expr_printer* w, const char* text);
void expr_piece_expr(expr_printer* w, expr e, expr_bind bind);
void expr_piece_plus(expr_printer* w, expr e, expr_bind bind);     // without its minus sign
void expr_piece_turned(expr_printer* w, expr sum, expr_bind bind); // with all signs turned
// pieces pushed since the mark come out in the order in which they were pushed
void expr_piece_turn(expr_printer* w, int mark);
// write e in the printer's style
void expr_print_run(expr_printer* w, expr e);
void expr_piece_arguments(expr_printer* w, expr e, const char* between);

// a product as sign * number * factors above / factors below; radicals of numbers are apart
typedef struct expr_split
{
  bool minus;
  expr turned;     // the factor whose signs are turned instead of writing a minus
  bool decimal;    // the number is written as a decimal above the line
  expr number;     // EXPR_ONE when there is none
  expr_list above; // factors as they stand
  expr_list below; // factors whose exponents are negative numbers
  expr_list roots; // numbers below one square root
} expr_split;

void expr_split_of(const expr_pool* p, expr e, expr_split* s);
void expr_split_end(expr_split* s);
// the number of a product, where it has to be written; `alone`: nothing else stands above
bool expr_piece_factor_number(expr_printer* w, const expr_split* s, bool alone);
// the first square root among `count` factors above, which the roots of numbers join
expr expr_split_joined(const expr_pool* p, const expr_split* s, int count);
// one root of all numbers below roots, and of the joined one
void expr_piece_roots(expr_printer* w, const expr_split* s, expr joined);
// a factor above the line
void expr_piece_factor(expr_printer* w, const expr_split* s, expr f, expr_bind bind);
// the terms of a sum as a person orders them: no leading minus when it can be avoided
void expr_terms_nice(const expr_pool* p, expr sum, bool turned, expr_list* out);
// is e written with a minus sign? -k*(a - b) is not: it becomes k*(b - a)
bool expr_minus_sign(const expr_pool* p, expr e);

// \left( and \right) of what was written from there on become plain where nothing inside is high
void expr_latex_brackets(base_text* out, size_t from);

// |number| as text: 12, 0.6, 2/3; whether it is written with a decimal point or as a whole number
bool expr_number_is_decimal(const expr_pool* p, expr e);
void expr_number_text(const expr_pool* p, base_text* out, expr e);
void expr_number_above(const expr_pool* p, base_text* out, expr e);
void expr_number_below(const expr_pool* p, base_text* out, expr e);
