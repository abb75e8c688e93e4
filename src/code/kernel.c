// The door's functions: expressions in, a kernel out, and evaluation.
#include "code/kernel.h"

#include <assert.h>
#include <stdlib.h>

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
  if (!all) {
    code_tape_free(&m.tape);
    return NULL;
  }
  code_fuse(&m.tape);
  code_pair(&m.tape);

  code_kernel* k = base_alloc(sizeof *k);
  k->tape = code_order(&m.tape);
  code_tape_free(&m.tape);
  code_tape grouped = code_group(&k->tape);
  code_slots(k, &grouped);
  code_tape_free(&grouped);
  k->run = code_interpreter();
  return k;
}

void code_free(code_kernel* k)
{
  if (!k) return;
  code_tape_free(&k->tape);
  free(k->step);
  free(k->stretch);
  free(k->constant);
  free(k->out_slot);
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

int code_operations(const code_kernel* k)
{
  return k->steps;
}

size_t code_scratch(const code_kernel* k)
{
  return (size_t)k->slots;
}

void code_run(const code_kernel* k, const double* in, double* out, double* scratch)
{
  k->run(k, in, out, scratch);
}
