// Jets: a tape evaluated on power series, one order after the other. Private to the room.
#pragma once

#include "code/kernel.h"

// Operations of jets beyond those of tapes: one factor is a number, kept in `z`.
enum {
  JET_SCALE = CODE_END + 1, // z a
  JET_OVER,                 // a / z
  JET_AXPY,                 // z a + c
  JET_AXMY,                 // z a - c
  JET_POWER                 // a ^ z
};

// d = op(a, b, c) with the helper series x and y. All are places of series in the scratch block:
// coefficient k of the series at place p is r[p + k], and once more, in falling order, at
// r[p + mirror + order - k], so that every convolution runs forwards through both its factors.
// Behind coefficient 0 of the mirror there are zeros, so that no convolution has a remainder.
typedef struct jet_step
{
  uint32_t op;
  uint32_t d, a, b, c, x, y;
  double z;
} jet_step;

typedef void jet_runner(const code_jet* j, int k, double* r);
typedef void jet_product_runner(const code_jet* j, const double* r, int k, int count,
                                const code_jet_product* list, double* sum);

struct code_jet
{
  int order, stride, own, inputs, outputs, steps, constants;
  uint32_t mirror, now; // from the place of a series: its mirror, its present coefficient
  int live;             // series that are not numbers, without those kept beside
  uint32_t* live_at;
  jet_step* step;
  code_stretch* stretch; // ended by CODE_END
  uint32_t *in, *out;    // places
  bool* steady;          // per output: a number
  uint32_t* const_at;    // places of numbers
  double* constant;
  jet_runner* run; // orders above 0
  jet_product_runner* products;
};

void code_jet_choose(code_jet* j); // the fastest functions of this processor

// Numbers of twice the digits that stand behind the own inputs of a tape: what follows from them
// and from constants alone is computed when the jet is made, and is a constant of it with a low
// part.
typedef struct jet_numbers
{
  int own; // inputs that are series
  const base_wide* value;
  double* low; // out: low parts of the constants of the jet
} jet_numbers;
// of these outputs; numbers may be null
code_jet* code_jet_build(const code_tape* tape, int count, const int* outputs, int order, int extra,
                         jet_numbers* numbers);

// the value of an operation with twice the digits
base_wide code_wide_value(uint32_t op, base_wide A, base_wide B, base_wide C);
