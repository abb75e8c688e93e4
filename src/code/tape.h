// The tape: straight-line code in single assignment, and the one table that says what each
// operation means. Private to the room.
#pragma once

#include "code/code.h"

// X(NAME, text, number of operands, value). The value is C in the operands A, B, C. Folding, the
// interpreter and the C source are all made from this text, so they agree to the last bit. Each
// value is one rounding (or one call), and a nan in an operand that counts gives nan: the branch of
// a select that is not taken does not count.
#define CODE_OP_LIST(X)                                    \
  X(ADD, "add", 2, A + B)                                  \
  X(SUB, "sub", 2, A - B)                                  \
  X(MUL, "mul", 2, A* B)                                   \
  X(DIV, "div", 2, A / B)                                  \
  X(NEG, "neg", 1, -A)                                     \
  X(NMUL, "nmul", 2, -A* B)                                \
  X(NDIV, "ndiv", 2, -A / B)                               \
  X(FMA, "fma", 3, fma(A, B, C))                           \
  X(FMS, "fms", 3, fma(A, B, -C))                          \
  X(FNMA, "fnma", 3, fma(-A, B, C))                        \
  X(FNMS, "fnms", 3, fma(-A, B, -C))                       \
  X(SQRT, "sqrt", 1, sqrt(A))                              \
  X(POW, "pow", 2, pow(A, B))                              \
  X(EXP, "exp", 1, exp(A))                                 \
  X(LOG, "log", 1, log(A))                                 \
  X(SIN, "sin", 1, sin(A))                                 \
  X(COS, "cos", 1, cos(A))                                 \
  X(TAN, "tan", 1, tan(A))                                 \
  X(ASIN, "asin", 1, asin(A))                              \
  X(ACOS, "acos", 1, acos(A))                              \
  X(ATAN, "atan", 1, atan(A))                              \
  X(ATAN2, "atan2", 2, atan2(A, B))                        \
  X(SINH, "sinh", 1, sinh(A))                              \
  X(COSH, "cosh", 1, cosh(A))                              \
  X(TANH, "tanh", 1, tanh(A))                              \
  X(ABS, "abs", 1, fabs(A))                                \
  X(SIGN, "sign", 1, A > 0 ? 1 : A < 0 ? -1 : A)           \
  X(MIN, "min", 2, A < B ? A : B <= A ? B : A + B)         \
  X(MAX, "max", 2, A > B ? A : B >= A ? B : A + B)         \
  X(LESS, "less", 2, A < B ? 1 : A >= B ? 0 : A + B)       \
  X(LESS_EQ, "less_eq", 2, A <= B ? 1 : A > B ? 0 : A + B) \
  X(SELECT, "select", 3, A > 0 ? B : A == 0 ? C : A)

typedef enum code_op {
#define X(NAME, TEXT, ARGS, VALUE) CODE_##NAME,
  CODE_OP_LIST(X)
#undef X
      CODE_CONST, // a, b: the bits of the double, c: what sets it apart from equal ones
  CODE_IN,        // a: which input
  CODE_SINCOS,    // a: argument, b: its cosine; the value is the sine
  CODE_COSINE,    // a: its sine-cosine pair, b: the argument; the value is the cosine
  // of packs (pack.c) only: two values in one register, two pairs, one value in all lanes, lane b
  // of a pack, numbers from the a-th on
  CODE_PAIR,
  CODE_QUAD,
  CODE_SPREAD,
  CODE_PICK,
  CODE_NUMBERS,
  CODE_END
} code_op;

typedef struct code_ins
{
  uint32_t op;
  uint32_t a, b, c;
} code_ins;

typedef struct code_loops code_loops;

// Values are numbered by the instruction that makes them; operands come before their use.
typedef struct code_tape
{
  int inputs, outputs;
  int early;      // so many inputs stand before all else among operands, whenever they were made
  uint32_t* out;  // the value of each output
  bool own_pairs; // of one state, too, sine-cosine pairs are by code's own kernel (trig.h)
  BASE_LIST(code_ins) ins;
  BASE_LIST(uint32_t) way; // an order of some of its values that may keep fewer alive (code_order)
  bool led;                // they are made in that order even where others keep fewer
  code_loops* loops;       // what was found to repeat in it (roll.h), or null
} code_tape;

const char* code_op_name(uint32_t op);
const char* code_op_text(uint32_t op); // the value, as in the table
// operands that are values
static inline int code_op_args(uint32_t op)
{
  static const uint8_t args[CODE_END + 1] = {
#define X(NAME, TEXT, ARGS, VALUE) [CODE_##NAME] = ARGS,
      CODE_OP_LIST(X)
#undef X
          [CODE_SINCOS] = 1,
      [CODE_PAIR] = 2, [CODE_QUAD] = 2, [CODE_SPREAD] = 1, [CODE_PICK] = 1};
  return args[op];
}
double code_op_value(uint32_t op, double A, double B, double C);
double code_ins_const(const code_ins* x);

void code_tape_free(code_tape* t);

// ---- building, with folding and sharing ---------------------------------------------------------

typedef struct code_maker
{
  code_tape tape;
  uint32_t* table; // value + 1 by hash, 0 for empty
  uint32_t mask;
  // For more digits than a double holds: only what is exact in doubles is a constant or folded;
  // other numbers are inputs behind those of the kernel.
  bool exact;
  BASE_LIST(base_wide) numbers;
} code_maker;

void code_maker_start(code_maker* m, int inputs, int outputs);
void code_maker_end(code_maker* m); // frees the table, leaves the tape
uint32_t code_make(code_maker* m, uint32_t op, uint32_t a, uint32_t b, uint32_t c);
uint32_t code_make_const(code_maker* m, double x);
// the same number as a value of its own, shared by none with another tag
uint32_t code_make_const_apart(code_maker* m, double x, uint32_t tag);
uint32_t code_make_in(code_maker* m, int i);
uint32_t code_make_number(code_maker* m, base_wide x); // of an exact maker; not below zero
uint32_t code_make_neg(code_maker* m, uint32_t a);
bool code_is_const(const code_maker* m, uint32_t value, double* x);

// ---- the walk from expressions to steps ---------------------------------------------------------

// expressions -> tape; false when a symbol is not among the inputs
bool code_lower(code_maker* m, const expr_pool* p, const expr* out, const expr* in, expr* missing);
// a symbol that stands for a value already made, be it an input or not
typedef struct code_bound
{
  expr symbol;
  uint32_t value;
} code_bound;
// `count` expressions to the values `to`
bool code_lower_bound(code_maker* m, const expr_pool* p, int count, const expr* out, const expr* in,
                      int bound, const code_bound* binding, uint32_t* to, expr* missing);
// sines and cosines of sums from those of the parts where that saves calls, in place
void code_angles(code_tape* t);
// a*b + c in one rounding, and signs that are left drawn into what they stand before; in place
void code_fuse(code_tape* t);
// sine and cosine of the same argument become one operation, in place; code_order must follow
void code_pair(code_tape* t);
// Only what the outputs need, in an order that keeps few values alive: each output with all it
// needs, one after the other, or the way of the tape first, whichever keeps fewer. The way is gone.
code_tape code_order(const code_tape* t);
int code_most_alive(const code_tape* t); // values at once, inputs and constants apart
