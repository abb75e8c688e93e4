// Gauss's method with eight stages: its numbers, and sums over all stages at once. Private to step.
#pragma once

#include "step/step.h"

enum { gauss16_stages = STEP_ABREAST };

// Matrices are kept by columns of eight, one for each stage they are applied to.
typedef struct gauss16_table
{
  double c[8], b[8];   // nodes and weights on [0, 1]
  double mu[64];       // a_ij / b_j; mu_ij + mu_ji = 1 to the last bit
  double mu_rest[64];  // what these numbers lost to rounding
  double over[8];      // one over prod_(m != j) (c_j - c_m)
  double legendre[64]; // coefficients on P_0 .. P_7 of the polynomial through eight values
  // 2^(-r/17), and the coefficients of a cubic for m^(-1/17) on [1, 2]: see gauss16_root
  double root[17], bend[4];
} gauss16_table;

const gauss16_table* gauss16_table_find(void);
// x^(-1/17) of a normal positive number, to 2e-4: enough for the length of a step, which waits for
// it
double gauss16_root(const gauss16_table* t, double x);
// a component with slopes, and the one whose rate it is (itself: none that is needed)
typedef struct gauss16_move
{
  int of, sum;
} gauss16_move;

// sum_j w_j f_j; its order is the same forwards and backwards
static inline double gauss16_rise(const double* w, const double* f)
{
  const double a = w[0] * f[0] + w[7] * f[7], b = w[1] * f[1] + w[6] * f[6];
  const double c = w[2] * f[2] + w[5] * f[5], d = w[3] * f[3] + w[4] * f[4];
  return (a + b) + (c + d);
}

// what a sweep over the components needs
typedef struct gauss16_sums
{
  const double *mu, *weight; // weight: h b_j
  double h;
  int count;
  const gauss16_move* move;
  double* const* Y;               // stages
  const double *y, *carry, *over; // state, what it lost to rounding, one over the unit of errors
  const double* rest; // instead of carry, eight for each component: with what mu lost; or null
  double* lines;      // work space: eight for each of a block of components
} gauss16_sums;

// components whose sums are made together
enum { gauss16_block = 16 };

// a component in turns of the iteration that look for the stages of those alone that others need
typedef struct gauss16_turned
{
  int i;
  const double* from; // what it is summed from: the stages of its rate; null: its slopes
  double* Y;
  double y, over; // its state, and one over its unit
} gauss16_turned;

// Stages y + (carry + sum_j mu_ij L_j), L_j = h b_j f_j, of every component that is moved, and with
// L_j = h b_j y_j of the one whose rate it is. Returns the largest change of the former over its
// unit.
typedef double gauss16_sweep(const gauss16_sums* s, const double* const* F);
// columns mu_ij h b_j
typedef void gauss16_fold(const double* mu, const double* weight, double* folded);
// A sweep that waits for as little as it can: y + sum_j (mu_ij h b_j) f_j for `count` components
// with slopes, then for `sums` that are summed from these, each in one sum from y on. A rounding of
// y more than those of gauss16_sweep, which is to follow when the turns are over.
typedef double gauss16_turn(const double* folded, int count, int sums, const gauss16_turned* at,
                            const double* const* F);
// By how much the stages miss y + (carry + sum_j mu_ij L_j), with the slopes that belong to them;
// those of a component with a rate, with the rate's stages put right. Eight for each in miss.
typedef void gauss16_miss(const gauss16_sums* s, const double* const* F, double* miss);
// rows i of out, eight each: the matrix times x[i], for the components that are moved
typedef void gauss16_apply(const double* matrix, int count, const gauss16_move* move,
                           const double* const* x, double* out);
// Of slopes as coefficients on P_0 .. P_7 in rows i of x, eight each: what they are at from + by
// c_l, far outside of the step that they belong to. The first terms of their polynomial, as many as
// do not outgrow those before: rounding grows as the terms do, and would be all of those that
// follow.
typedef void gauss16_far_off(const gauss16_table* t, double from, double by, int count,
                             const gauss16_move* move, double* x);
// weights h b_j that add up to h to the last bit
typedef void gauss16_weigh(double h, const double* b, double* weight);
// one number for all stages
typedef void gauss16_spread(double x, double* to);
// rest[i], eight each: carry, and the matrix times the slopes of the components that are moved; of
// the one whose rate such a component is, the matrix times its stages
typedef void gauss16_owe(const gauss16_sums* s, const double* matrix, const double* const* F,
                         double* rest);
// stages Y + times by, eight for each of n components that have some, and by what that is as
// doubles
typedef void gauss16_shift(int n, double* const* Y, double times, double* by);
// columns prod_(m != j) (x_i - c_m) over_j of the polynomial through values at c_0 .. c_7, taken at
// x_i = from + by c_i
typedef void gauss16_basis(double from, double by, const double* c, const double* over,
                           double* columns);
// Ends of a step y + (carry + sum_j h b_j f_j) of n components, f_j in rate[i] (null: none), and
// what they lose to rounding; false where one is not finite.
typedef bool gauss16_ends(const gauss16_sums* s, int n, const double* const* rate, double* end,
                          double* left);

typedef struct gauss16_kind
{
  gauss16_sweep* sweep;
  gauss16_fold* fold;
  gauss16_turn* turn;
  gauss16_miss* miss;
  gauss16_apply* apply;
  gauss16_far_off* far_off;
  gauss16_weigh* weigh;
  gauss16_spread* spread;
  gauss16_owe* owe;
  gauss16_shift* shift;
  gauss16_basis* basis;
  gauss16_ends* ends;
} gauss16_kind;

// with vectors of 1, 4 or 8 doubles; null where the processor has none
const gauss16_kind* gauss16_kind_of(int lanes);
const gauss16_kind* gauss16_kind_here(void); // the fastest; the bits are the same for all

// lanes of an ode that has none, by its right-hand side; the context of their functions is the
// gauss16_rhs, which is freed as one block
typedef struct gauss16_rhs gauss16_rhs;
gauss16_rhs* gauss16_rhs_new(const step_ode* ode);
const step_abreast* gauss16_rhs_abreast(const gauss16_rhs* r);
