// A kernel: the ordered tape, and the same as steps over a block of slots for the interpreter.
// Private to the room.
#pragma once

#include "code/native.h"
#include "code/pack.h"

// slot d = op(slots a, b, c); a sine-cosine step writes the cosine to slot b
typedef struct code_step
{
  uint32_t d, a, b, c;
} code_step;

// `count` steps with the same operation
typedef struct code_stretch
{
  uint32_t op, count;
} code_stretch;

// 1, 4, 8; two of 4, two of 8
enum { CODE_WIDTHS = 3, CODE_WAYS = 5 };

// slots: [inputs | constants | values, a slot reused once its value is no longer needed]
struct code_kernel
{
  // by width (1, 4, 8), then two blocks of 4 and of 8: how it is evaluated now (code_run looks here
  // first; null: the blocks one after the other), how often it was interpreted, its machine code
  code_runner* _Atomic run[CODE_WAYS];
  atomic_int evaluations[CODE_WIDTHS];
  code_pages pages[CODE_WAYS];
  base_hold hold[CODE_WAYS]; // of the pages
  int native_slots;
  code_tape tape;   // in the order for registers; the interpreter's own order is in the steps
  code_level level; // how far machine code may go
  int worth;        // evaluations from which on it is worth its making
  int steps, stretches, constants, slots;
  code_step* step;
  code_stretch* stretch; // ended by CODE_END
  double* constant;
  uint32_t* out_slot;
  code_packed packed; // the tape of one state with what is alike side by side; empty: nothing is
};

// a kernel from a tape as it was lowered, which is used up
code_kernel* code_kernel_new(code_tape* t);
// the same with inputs that are alike (twins.h); null where none are
code_kernel* code_kernel_with_twins(code_tape* t, const code_twin* twin);
// the same without a change of its operations
code_kernel* code_kernel_finish(code_tape* t);
// the tape in an order with equal operations side by side
code_tape code_group(const code_tape* t);
// steps, constants and slots from a tape
void code_slots(code_kernel* k, const code_tape* t);
code_runner* code_interpreter(int width);
// will it be machine code after a few evaluations, by the length of its tape?
bool code_native_soon(const code_kernel* k);
// interpreted at first, machine code once that pays
void code_native_start(code_kernel* k);
