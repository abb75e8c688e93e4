// A kernel: the ordered tape, and the same as steps over a block of slots for the interpreter.
// Private to the room.
#pragma once

#include "code/tape.h"

// slot d = op(slots a, b, c); a sine-cosine step writes the cosine to slot b
typedef struct code_step
{
  uint32_t op, d, a, b, c;
} code_step;

// One file per way to evaluate (interp.c today) chooses a function of this type.
typedef void code_runner(const code_kernel* k, const double* in, double* out, double* scratch);

// slots: [inputs | constants | values, a slot reused once its value is no longer needed]
struct code_kernel
{
  code_tape tape;
  code_runner* run;
  int steps, constants, slots;
  code_step* step; // ended by CODE_END
  double* constant;
  uint32_t* out_slot;
};

void code_slots(code_kernel* k); // fills all but run from the tape
code_runner* code_interpreter(void);
