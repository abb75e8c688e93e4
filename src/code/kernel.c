// The door's functions: expressions in, a kernel out, and evaluation.
#include "code/kernel.h"

#include "code/roll.h"
#include "code/target_wasm.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

code_kernel* code_kernel_new(code_tape* t)
{
  code_angles(t);
  code_fuse(t);
  code_pair(t);
  return code_kernel_finish(t);
}

// Pairs of sine and cosine go side by side with the rest, and have the bits of that everywhere.
code_kernel* code_kernel_with_twins(code_tape* t, const code_twin* twin)
{
  code_kernel* k = code_kernel_new(t);
  if (!twin || k->level == CODE_WASM) return k;
  k->tape.own_pairs = true;
  if (k->level < CODE_AVX2 || !code_pack(&k->tape, twin, &k->packed)) return k;
  code_schedule(&k->packed);
  const int slots = code_packed_slots(&k->packed);
  if (slots > k->native_slots) k->native_slots = slots;
  return k;
}

static int native_slots(code_tape* t)
{
  if (code_level_here() == CODE_WASM) return code_wasm_slots(t);
  code_roll_find(t);
  return code_emit_slots(t);
}

// An order for the interpreter costs as much as it saves in some twenty evaluations: a long kernel
// is machine code soon after.
static void slot(code_kernel* k)
{
  if (code_native_soon(k)) {
    code_slots(k, &k->tape);
    return;
  }
  code_tape grouped = code_group(&k->tape);
  code_slots(k, &grouped);
  code_tape_free(&grouped);
}

code_kernel* code_kernel_finish(code_tape* t)
{
  code_kernel* k = base_alloc(sizeof *k);
  k->tape = code_order(t);
  code_tape_free(t);
  slot(k);
  k->native_slots = native_slots(&k->tape);
  code_native_start(k);
  return k;
}

code_kernel* code_build(const expr_pool* p, int outputs, const expr* out, int inputs,
                        const expr* in, expr* missing)
{
  assert(p && outputs >= 0 && inputs >= 0);
  expr unknown = EXPR_NONE;
  code_maker m;
  code_maker_start(&m, inputs, outputs);
  bool all = code_lower(&m, p, out, in, &unknown);
  code_maker_end(&m);
  if (missing) *missing = unknown;
  if (all) return code_kernel_new(&m.tape);
  code_tape_free(&m.tape);
  return NULL;
}

void code_free(code_kernel* k)
{
  if (!k) return;
  code_tape_free(&k->tape);
  code_packed_free(&k->packed);
  free(k->step);
  free(k->stretch);
  free(k->constant);
  free(k->out_slot);
  for (int w = 0; w < CODE_WAYS; w++) {
    base_hold_end(k->hold[w]);
    code_pages_free(&k->pages[w]);
  }
  free(k);
}

int code_inputs(const code_kernel* k)
{
  return k->tape.inputs;
}

int code_outputs(const code_kernel* k)
{
  return k->tape.outputs;
}

double code_output_number(const code_kernel* k, int output)
{
  assert(output >= 0 && output < k->tape.outputs);
  const code_ins* x = &k->tape.ins.at[k->tape.out[output]];
  return x->op == CODE_CONST ? code_ins_const(x) : NAN;
}

int code_operations(const code_kernel* k)
{
  return k->steps;
}

size_t code_scratch(const code_kernel* k)
{
  return code_scratch_lanes(k, 1);
}

size_t code_scratch_lanes(const code_kernel* k, int width)
{
  const size_t slots = (size_t)(k->slots > k->native_slots ? k->slots : k->native_slots);
  return slots * (size_t)width + (width > 1 ? CODE_ALIGNMENT : 0);
}
