// The recurrences of power series, one for each operation.
//
// With w = f(a) and w' a known combination of series, coefficient k of w follows from lower ones:
//   w = a b         w_k = sum_j a_j b_(k-j)
//   w = a / b       w_k = (a_k - sum_(j>0) b_j w_(k-j)) / b_0
//   w = exp a       w' = w a'        k w_k = sum_j j a_j w_(k-j)
//   w = a ^ z       a w' = z w a'
//   w = tan a       w' = (1 + w^2) a',   and so on.
// Moore, Interval Analysis (1966), ch. 11; Griewank and Walther, Evaluating Derivatives (2008),
// table 13.2. `slope` is the series j a_j.
#pragma once

#include "code/jet.h"

#include <math.h>
#include <string.h>

#define ALWAYS static inline __attribute__((always_inline))

typedef double eight __attribute__((vector_size(64)));
typedef double four __attribute__((vector_size(32)));
typedef double two __attribute__((vector_size(16)));

// sum of f_j g_j over j < n, in blocks of eight: behind the last term g is zero (see jet.h)
ALWAYS double dot(const double* f, const double* g, int n)
{
  if (n <= 4) {
    four x, y;
    memcpy(&x, f, sizeof x);
    memcpy(&y, g, sizeof y);
    const four h = x * y;
    const two q = __builtin_shufflevector(h, h, 0, 1) + __builtin_shufflevector(h, h, 2, 3);
    return q[0] + q[1];
  }
  eight x, y;
  memcpy(&x, f, sizeof x);
  memcpy(&y, g, sizeof y);
  eight sum = x * y;
  for (int i = 8; i < n; i += 8) {
    memcpy(&x, f + i, sizeof x);
    memcpy(&y, g + i, sizeof y);
    sum += x * y;
  }
  const four h =
      __builtin_shufflevector(sum, sum, 0, 1, 2, 3) + __builtin_shufflevector(sum, sum, 4, 5, 6, 7);
  const two q = __builtin_shufflevector(h, h, 0, 1) + __builtin_shufflevector(h, h, 2, 3);
  return q[0] + q[1];
}

// Coefficient k of a series is `now` while order k is computed, and 0 in its places; at the end of
// the order all of them are put there. So no sum waits for what was stored a moment ago: the long
// part of a convolution is made of earlier orders, the two terms with coefficient k are added to
// it.
typedef struct at_order
{
  double* r;
  uint32_t mirror, top; // the mirror of coefficient k is at mirror + top
  uint32_t now;         // where the present coefficient of a series is
  int k;
} at_order;

#define NOW(P)        o->r[s->P + o->now]
#define FIRST(P)      o->r[s->P]
#define SET(P, VALUE) (o->r[s->P + o->now] = (VALUE))

// sum over j = 1 .. k-1 of f_j g_(k-j)
ALWAYS double inner(const at_order* o, uint32_t f, uint32_t g)
{
  return dot(o->r + f + 1, o->r + g + o->mirror + o->top + 1, o->k);
}

// sum over j = 1 .. k of f_j g_(k-j)
ALWAYS double tail(const at_order* o, uint32_t f, uint32_t g)
{
  return inner(o, f, g) + o->r[f + o->now] * o->r[g];
}

// sum over j = 0 .. k of f_j g_(k-j)
ALWAYS double whole(const at_order* o, uint32_t f, uint32_t g)
{
  return tail(o, f, g) + o->r[f] * o->r[g + o->now];
}

// w' = sign_w y a',  y' = sign_y w a': sine and cosine, plain and hyperbolic
ALWAYS void pair(const at_order* o, const jet_step* s, double sign_w, double sign_y)
{
  SET(x, o->k * NOW(a));
  SET(d, sign_w * tail(o, s->x, s->y) / o->k);
  SET(y, sign_y * tail(o, s->x, s->d) / o->k);
}

// w' = y a',  y = 1 + sign w^2
ALWAYS void tangent(const at_order* o, const jet_step* s, double sign)
{
  SET(x, o->k * NOW(a));
  SET(d, tail(o, s->x, s->y) / o->k);
  SET(y, sign * whole(o, s->d, s->d));
}

// y w' = rhs, with the series j w_j in x
ALWAYS void quotient(const at_order* o, const jet_step* s, double rhs)
{
  SET(d, (rhs - inner(o, s->x, s->y)) / (o->k * FIRST(y)));
  SET(x, o->k * NOW(d));
}

static void arctangent2(const at_order* o, const jet_step* s)
{
  const double *a = o->r + s->a, *b = o->r + s->b;
  double rhs = o->k * (NOW(a) * FIRST(b) - FIRST(a) * NOW(b));
  for (int j = 1; j < o->k; j++) rhs += (2 * j - o->k) * a[j] * b[o->k - j];
  SET(y, whole(o, s->a, s->a) + whole(o, s->b, s->b));
  quotient(o, s, rhs);
}

ALWAYS double root(const at_order* o, const jet_step* s)
{
  if (FIRST(d) == 0) return NOW(a) == 0 ? 0 : NAN; // nothing but the zero series has a root there
  return (NOW(a) - inner(o, s->d, s->d)) / (2 * FIRST(d));
}

static void power(const at_order* o, const jet_step* s, int order)
{
  SET(x, o->k * NOW(a));
  double w;
  if (FIRST(a) != 0)
    w = (s->z * tail(o, s->x, s->d) - inner(o, s->y, s->a)) / (o->k * FIRST(a));
  else
    w = s->z > 0 && (NOW(a) == 0 || (s->z > order && s->z == floor(s->z))) ? 0 : NAN;
  SET(d, w);
  SET(y, o->k * w);
}

// coefficient j of a series, j up to the present order
static double coefficient(const at_order* o, uint32_t p, int j)
{
  return o->r[j < o->k ? p + (uint32_t)j : p + o->now];
}

// sign of the first coefficient that is not zero: of the series just behind its start
static int leading_sign(const at_order* o, uint32_t a)
{
  for (int j = 0; j <= o->k; j++) {
    const double x = coefficient(o, a, j);
    if (x != 0) return x > 0 ? 1 : -1;
  }
  return 0;
}

// is a below b at the start, or just behind it?
static bool below(const at_order* o, uint32_t a, uint32_t b)
{
  for (int j = 0; j <= o->k; j++) {
    const double x = coefficient(o, a, j), y = coefficient(o, b, j);
    if (x != y) return x < y;
  }
  return true;
}

// What follows is inlined with an operation that is a constant: one of the three is left of it.

// sums, products, quotients; false: another operation
ALWAYS bool arithmetic(const at_order* o, const jet_step* s, uint32_t op)
{
  switch (op) {
  case CODE_ADD:
    SET(d, NOW(a) + NOW(b));
    return true;
  case CODE_SUB:
    SET(d, NOW(a) - NOW(b));
    return true;
  case CODE_NEG:
    SET(d, -NOW(a));
    return true;
  case CODE_MUL:
    SET(d, whole(o, s->a, s->b));
    return true;
  case CODE_NMUL:
    SET(d, -whole(o, s->a, s->b));
    return true;
  case CODE_FMA:
    SET(d, NOW(c) + whole(o, s->a, s->b));
    return true;
  case CODE_FMS:
    SET(d, whole(o, s->a, s->b) - NOW(c));
    return true;
  case CODE_FNMA:
    SET(d, NOW(c) - whole(o, s->a, s->b));
    return true;
  case CODE_FNMS:
    SET(d, -NOW(c) - whole(o, s->a, s->b));
    return true;
  case JET_SCALE:
    SET(d, s->z * NOW(a));
    return true;
  case JET_OVER:
    SET(d, NOW(a) / s->z);
    return true;
  case JET_AXPY:
    SET(d, s->z * NOW(a) + NOW(c));
    return true;
  case JET_AXMY:
    SET(d, s->z * NOW(a) - NOW(c));
    return true;
  case CODE_DIV:
    SET(d, (NOW(a) - tail(o, s->b, s->d)) / FIRST(b));
    return true;
  case CODE_NDIV:
    SET(d, (-NOW(a) - tail(o, s->b, s->d)) / FIRST(b));
    return true;
  default:
    return false;
  }
}

// roots, powers, and the functions of angles; false: another operation
ALWAYS bool function(const at_order* o, const jet_step* s, uint32_t op, int order)
{
  switch (op) {
  case CODE_SQRT:
    SET(d, root(o, s));
    return true;
  case JET_POWER:
    power(o, s, order);
    return true;
  case CODE_EXP:
    SET(x, o->k * NOW(a));
    SET(d, tail(o, s->x, s->d) / o->k);
    return true;
  case CODE_LOG:
    SET(d, (NOW(a) - inner(o, s->x, s->a) / o->k) / FIRST(a));
    SET(x, o->k * NOW(d));
    return true;
  case CODE_SIN:
  case CODE_SINCOS:
    pair(o, s, 1, -1);
    return true;
  case CODE_COS:
    pair(o, s, -1, 1);
    return true;
  case CODE_SINH:
  case CODE_COSH:
    pair(o, s, 1, 1);
    return true;
  case CODE_TAN:
    tangent(o, s, 1);
    return true;
  case CODE_TANH:
    tangent(o, s, -1);
    return true;
  case CODE_ATAN:
    SET(y, whole(o, s->a, s->a));
    quotient(o, s, o->k * NOW(a));
    return true;
  case CODE_ASIN: // y = sqrt(1 - a^2),  y' = -a w'
    quotient(o, s, o->k * NOW(a));
    SET(y, -tail(o, s->x, s->a) / o->k);
    return true;
  case CODE_ACOS:
    quotient(o, s, -o->k * NOW(a));
    SET(y, tail(o, s->x, s->a) / o->k);
    return true;
  case CODE_ATAN2:
    arctangent2(o, s);
    return true;
  default:
    return false;
  }
}

ALWAYS void choice(const at_order* o, const jet_step* s, uint32_t op)
{
  switch (op) {
  case CODE_ABS:
    SET(d, leading_sign(o, s->a) * NOW(a));
    break;
  case CODE_MIN:
    SET(d, below(o, s->a, s->b) ? NOW(a) : NOW(b));
    break;
  case CODE_MAX:
    SET(d, below(o, s->b, s->a) ? NOW(a) : NOW(b));
    break;
  case CODE_SELECT:
    SET(d, FIRST(a) > 0 ? NOW(b) : FIRST(a) == 0 ? NOW(c) : NAN);
    break;
  default: // sign and comparisons: steps
    SET(d, 0);
    break;
  }
}

ALWAYS void go(const at_order* o, const jet_step* s, uint32_t op, int order)
{
  if (!arithmetic(o, s, op) && !function(o, s, op, order)) choice(o, s, op);
}
