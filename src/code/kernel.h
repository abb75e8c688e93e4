// A kernel: the ordered tape, and the same as steps over a block of slots for the interpreter.
// Private to the room.
#pragma once

#include "code/tape.h"

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

// One file per way to evaluate (interp.c today) chooses a function of this type.
typedef void code_runner(const code_kernel* k, const double* in, double* out, double* scratch);

// slots: [inputs | constants | values, a slot reused once its value is no longer needed]
struct code_kernel
{
  code_tape tape; // in the order for registers; the interpreter's own order is in the steps
  code_runner* run;
  int steps, stretches, constants, slots;
  code_step* step;
  code_stretch* stretch; // ended by CODE_END
  double* constant;
  uint32_t* out_slot;
};

// the tape in an order with equal operations side by side
code_tape code_group(const code_tape* t);
// steps, constants and slots from a tape
void code_slots(code_kernel* k, const code_tape* t);
code_runner* code_interpreter(void);
