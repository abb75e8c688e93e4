// The tape as text for people and golden files: `t3 = fma in0 t1 0.5`.
#include "code/kernel.h"

#include <assert.h>
#include <stdlib.h>

static void operand(const code_tape* t, const int* name, uint32_t value, base_text* out)
{
  const code_ins* x = &t->ins.at[value];
  if (x->op == CODE_IN)
    base_text_printf(out, " in%u", x->a);
  else if (x->op == CODE_CONST) {
    base_text_add(out, " ");
    base_text_double(out, code_ins_const(x));
  } else
    base_text_printf(out, " t%d", name[value]);
}

void code_print(const code_kernel* k, base_text* out)
{
  const code_tape* t = &k->tape;
  int* name = base_alloc((size_t)t->ins.n * sizeof *name + 1);
  int made = 0;
  for (int i = 0; i < t->ins.n; i++) {
    const code_ins* x = &t->ins.at[i];
    if (x->op == CODE_IN || x->op == CODE_CONST || x->op == CODE_COSINE) continue;
    name[i] = ++made;
    base_text_printf(out, "t%d", name[i]);
    if (x->op == CODE_SINCOS) {
      name[x->b] = ++made;
      base_text_printf(out, ", t%d", made);
    }
    base_text_printf(out, " = %s", code_op_name(x->op));
    const uint32_t v[3] = {x->a, x->b, x->c};
    for (int n = 0; n < code_op_args(x->op); n++) operand(t, name, v[n], out);
    base_text_add(out, "\n");
  }
  for (int i = 0; i < t->outputs; i++) {
    base_text_printf(out, "out%d =", i);
    operand(t, name, t->out[i], out);
    base_text_add(out, "\n");
  }
  free(name);
}
