// Values of a tape in a WebAssembly function: locals, constants, lanes.
#include "code/wasm_writer.h"

void code_wasm_vector(code_wasm_writer* w, int op)
{
  code_wasm_byte(&w->bytes, VECTOR);
  code_wasm_unsigned(&w->bytes, (uint32_t)op);
}

void code_wasm_push_number(code_wasm_writer* w, double x)
{
  code_wasm_byte(&w->bytes, F64_CONST);
  code_wasm_raw(&w->bytes, &x, sizeof x);
}

void code_wasm_push_address(code_wasm_writer* w, int address)
{
  code_wasm_byte(&w->bytes, I32_CONST);
  code_wasm_signed(&w->bytes, address);
}

void code_wasm_push(code_wasm_writer* w, uint32_t value)
{
  const code_ins* x = &w->t->ins.at[value];
  if (x->op != CODE_CONST) {
    code_wasm_byte(&w->bytes, LOCAL_GET);
    code_wasm_unsigned(&w->bytes, (uint32_t)(w->local[value] + w->pair));
  } else if (w->fused) {
    // from where the tape has it: browsers make a vector's constant of four or five instructions
    code_wasm_push_address(w, (int)(intptr_t)&x->a);
    code_wasm_vector(w, V_LOAD_SPLAT);
    code_wasm_raw(&w->bytes, "\2", 2); // aligned to 4 bytes, no offset
  } else
    code_wasm_push_number(w, code_ins_const(x));
}

void code_wasm_push_scalar(code_wasm_writer* w, uint32_t value)
{
  const code_ins* x = &w->t->ins.at[value];
  if (x->op == CODE_CONST) {
    code_wasm_push_number(w, code_ins_const(x));
    return;
  }
  code_wasm_push(w, value);
  if (!w->fused) return;
  code_wasm_vector(w, V_LANE);
  code_wasm_byte(&w->bytes, w->lane);
}

void code_wasm_plain(code_wasm_writer* w, int scalar, int vectors)
{
  if (w->fused)
    code_wasm_vector(w, vectors);
  else
    code_wasm_byte(&w->bytes, scalar);
}

static int take_local(code_wasm_writer* w)
{
  if (w->free.n) return w->free.at[--w->free.n];
  return PARAMS + w->pairs * w->locals++;
}

void code_wasm_keep(code_wasm_writer* w, uint32_t value)
{
  if (w->pair == 0) w->local[value] = take_local(w);
  code_wasm_byte(&w->bytes, LOCAL_SET);
  code_wasm_unsigned(&w->bytes, (uint32_t)(w->local[value] + w->pair));
}
