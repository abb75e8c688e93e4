// Functions of blocks: the C library's, lane by lane, and the choice of code's own.
#include "code/lanes.h"

#include "code/trig.h"

#include <assert.h>
#include <math.h>

#define FUNCTION_LIST(X)      \
  X(POW, pow(a[l], b[l]))     \
  X(EXP, exp(a[l]))           \
  X(LOG, log(a[l]))           \
  X(TAN, tan(a[l]))           \
  X(ASIN, asin(a[l]))         \
  X(ACOS, acos(a[l]))         \
  X(ATAN, atan(a[l]))         \
  X(ATAN2, atan2(a[l], b[l])) \
  X(SINH, sinh(a[l]))         \
  X(COSH, cosh(a[l]))         \
  X(TANH, tanh(a[l]))

#define X(NAME, VALUE)                                          \
  static void NAME##_4(double* out, const double* a, double* b) \
  {                                                             \
    (void)b;                                                    \
    for (int l = 0; l < 4; l++) out[l] = VALUE;                 \
  }                                                             \
  static void NAME##_8(double* out, const double* a, double* b) \
  {                                                             \
    (void)b;                                                    \
    for (int l = 0; l < 8; l++) out[l] = VALUE;                 \
  }
FUNCTION_LIST(X)
#undef X

code_lanes_function* code_lanes_function_of(uint32_t op, int lanes, code_level level)
{
  assert(lanes == 4 || lanes == 8);
  switch (op) {
#define X(NAME, VALUE) \
  case CODE_##NAME:    \
    return lanes == 4 ? NAME##_4 : NAME##_8;
    FUNCTION_LIST(X)
#undef X
  case CODE_SIN:
    return code_trig_of(CODE_TRIG_SINE, lanes, level);
  case CODE_COS:
    return code_trig_of(CODE_TRIG_COSINE, lanes, level);
  case CODE_SINCOS:
    return code_trig_of(CODE_TRIG_BOTH, lanes, level);
  default:
    assert(!"a function");
    return NULL;
  }
}
