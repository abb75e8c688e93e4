// Polynomials with rational coefficients over kernels: symbols, functions, roots, and sums that
// stand in denominators. Exponents may be negative.
#pragma once

#include "expr/pool.h"

#define EXPR_POLY_TERMS 3000
// kernels that may join after the ring was made (functions of sums of angles)
#define EXPR_RING_SPARE 80

typedef struct expr_poly
{
  int n, room;
  int8_t* power; // n rows of ring->width exponents; in the block of coef
  expr* coef;    // ids of numbers, none zero
} expr_poly;     // terms sorted by their rows, no two equal

typedef enum expr_kernel_kind {
  EXPR_KERNEL_SYMBOL, // plain symbol or pi
  EXPR_KERNEL_RATE,   // symbol with primes
  EXPR_KERNEL_SINE,   // sin or sinh, its cosine in `pair`
  EXPR_KERNEL_COSINE,
  EXPR_KERNEL_ROOT, // b^(1/d): its power d is b
  EXPR_KERNEL_ABS,  // its square is that of its argument
  EXPR_KERNEL_SUM,  // a sum in a denominator, or one that stays closed
  EXPR_KERNEL_OTHER
} expr_kernel_kind;

typedef struct expr_kernel
{
  expr e;
  expr_kernel_kind kind;
  int pair;  // of a sine its cosine and back, else -1
  int sign;  // cos^2 + sign sin^2 = 1
  int below; // of a root: d
} expr_kernel;

typedef enum expr_ring_mode {
  EXPR_RING_PLAIN,
  EXPR_RING_SPLIT, // angles are split into their parts
  EXPR_RING_OPAQUE // sums inside the given sum are kernels
} expr_ring_mode;

typedef struct expr_poly_spare expr_poly_spare;
typedef struct expr_ring
{
  expr_pool* p;
  int n, width;
  BASE_LIST(expr_kernel) kernel;
  expr_map index; // expression -> kernel + 1
  expr_map unit;  // part of an angle -> the largest number that divides its multiples
  expr_ring_mode mode;
  expr top;               // opaque: the only sum that is read
  expr_poly_spare* spare; // blocks of small polynomials, for the next ones
  void* terms;            // written last; null: none
  long work;              // left
  bool failed;            // ran out of work or of exponents: results mean nothing
} expr_ring;

// the ring of the kernels in n expressions; false when they have too many or are too deep
bool expr_ring_of(expr_ring* r, expr_pool* p, int n, const expr* e, expr_ring_mode mode, long work);
void expr_ring_free(expr_ring* r);
int expr_ring_find(const expr_ring* r, expr e); // -1 when absent
int expr_ring_add(expr_ring* r, expr e);        // -1 when there is no room
expr_poly expr_poly_of(expr_ring* r, expr e);
// do two different angles of the ring share a part?
bool expr_ring_has_related_angles(expr_ring* r);
// Would a polynomial only become longer by splitting its angles? So it is where each term holds one
// sine or cosine at most, and no two angles have the same parts, each of which is taken once: then
// what they become has no terms in common.
bool expr_poly_is_split_in_vain(expr_ring* r, const expr_poly* a);

expr_poly expr_poly_copy(expr_ring* r, const expr_poly* a);
void expr_poly_free(expr_ring* r, expr_poly* a);
void expr_poly_free_spare(expr_ring* r);
void expr_poly_push(expr_ring* r, expr_poly* a, expr coef, const int8_t* power); // unsorted
void expr_poly_tidy(expr_ring* r, expr_poly* a); // sorts and merges after pushing
expr_poly expr_poly_number(expr_ring* r, expr number);
expr_poly expr_poly_kernel(expr_ring* r, int kernel, int power);
void expr_poly_add(expr_ring* r, expr_poly* a, const expr_poly* b, expr times); // a += times b
expr_poly expr_poly_mul(expr_ring* r, const expr_poly* a, const expr_poly* b);
expr_poly expr_poly_pow(expr_ring* r, const expr_poly* a, int n);
// a / b when it leaves no rest; both without negative exponents
bool expr_poly_divide(expr_ring* r, const expr_poly* a, const expr_poly* b, expr_poly* out);
// q with q^2 = a, if there is one
bool expr_poly_root(expr_ring* r, const expr_poly* a, expr_poly* out);
// exponents of a row that may not be zero, a multiple of eight
static inline int expr_ring_used(const expr_ring* r)
{
  return (r->kernel.n + 7) / 8 * 8;
}
static inline int8_t* expr_poly_row(const expr_ring* r, const expr_poly* a, int i)
{
  return a->power + (size_t)i * (size_t)r->width;
}
// term of the row, or -1
int expr_poly_find(const expr_ring* r, const expr_poly* a, const int8_t* row);
// the product that a row stands for, times a number
expr expr_poly_term(expr_ring* r, expr coef, const int8_t* row);

// reduces powers of roots and absolute values
void expr_poly_reduce_roots(expr_ring* r, expr_poly* a);
// b^(1/d) * (what b divides) becomes a higher power of the root; true when that was found
bool expr_poly_raise_roots(expr_ring* r, expr_poly* a);
// replaces sin^2 of every pair (or cos^2) by means of cos^2 + sign sin^2 = 1
void expr_poly_drop_square(expr_ring* r, expr_poly* a, int kernel);
// replaces the square of the first of four kernels whose squares add up to one
void expr_poly_drop_unit(expr_ring* r, expr_poly* a, const int kernel[4]);
// for each angle: as it stands, without sin^2, or without cos^2, whichever is shortest; and for
// each unit quaternion without the square of one of its four
bool expr_poly_choose_squares(expr_ring* r, expr_poly* a);
void expr_poly_choose_units(expr_ring* r, expr_poly* a);
bool expr_poly_has_square(const expr_ring* r, const expr_poly* a, int kernel);
long expr_poly_length(const expr_ring* r, const expr_poly* a); // about how many operations it takes
// fewer terms by cos^2 + sin^2 = 1 and by sums of angles
void expr_poly_shorten(expr_ring* r, expr_poly* a);
// multiplies by the sums in denominators and cancels what divides; the denominators come back
void expr_poly_join(expr_ring* r, expr_poly* a);

// zero by the relations of the kernels?
bool expr_poly_is_zero(expr_ring* r, const expr_poly* a);
// multiplies by whatever stands below the line, so that only the zeros stay the same
void expr_poly_clear_below(expr_ring* r, expr_poly* a);

// multiplies all polynomials of a row by what stands below the line in any of them
void expr_poly_clear_row(expr_ring* r, int n, expr_poly* row);

// the polynomial as an expression that a person would write; EXPR_NONE when the work ran out
expr expr_poly_form(expr_ring* r, const expr_poly* a);
// Operations that any way takes at least: each symbol, sine, cosine and closed sum stands there
// once, what goes between two of them is one, and so is a power. 0 where other kernels may become
// one.
double expr_poly_least(const expr_ring* r, const expr_poly* a);
// The same in some ways alone, a bit for each, or in all of them where none is set; *ways become
// those that were near the best, at most EXPR_NEAR times as long.
#define EXPR_NEAR 1.1
expr expr_poly_form_in(expr_ring* r, const expr_poly* a, unsigned* ways);

// Is there nothing to take out, to add up or to write in another way? So it is with sums of
// symbols, products of their powers, and products of these and one sum, which has been looked at
// before: no number may go into it, nor a sign.
bool expr_is_bare(const expr_pool* p, expr e);
