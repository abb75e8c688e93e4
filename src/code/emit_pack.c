// What joins values to packs and parts them again.
#include "code/emit.h"

// two values side by side, or two pairs
static void join(emitter* e, const code_ins* ins)
{
  const int s = emit_read_register(e, ins->a);
  const x86_operand rm = ins->a == ins->b ? x86_reg(s) : emit_read(e, ins->b);
  const int d = emit_result(e, ins);
  if (ins->op == CODE_PAIR)
    x86_join_two(e->x, d, s, rm);
  else
    x86_join_pairs(e->x, d, s, rm);
  emit_done(e, ins, d);
}

static void spread(emitter* e, const code_ins* ins)
{
  const x86_operand rm = emit_read(e, ins->a);
  const int d = emit_result(e, ins);
  x86_spread(e->x, d, rm);
  emit_done(e, ins, d);
}

// out of the pack's register straight to its only place, which is its home
static void pick_output(emitter* e, const code_ins* ins)
{
  emit_value* v = &e->value[e->at];
  const x86_operand to = emit_output_at(e, v->output);
  int s = emit_read_register(e, ins->a);
  if (ins->b >= 2) {
    const int upper = emit_register_take(e);
    x86_upper_pair(e->x, upper, s);
    s = upper;
  }
  if (ins->b % 2)
    x86_store_second(e->x, s, to);
  else
    x86_store(e->x, s, to);
  v->base = to.base;
  v->offset = to.offset;
  emit_done(e, ins, EMIT_NOWHERE);
}

// Its home is a part of the pack's, which is kept from now on; an output is brought to its place
// by way of a register.
static void pick(emitter* e, const code_ins* ins)
{
  const int output = e->value[e->at].output;
  if (output != EMIT_NOWHERE && e->next_output[output] == EMIT_NOWHERE &&
      emit_in_register(e, ins->a)) {
    pick_output(e, ins);
    return;
  }
  emit_value *pack = &e->value[ins->a], *v = &e->value[e->at];
  emit_spill(e, ins->a);
  pack->slot = EMIT_NOWHERE;
  v->base = pack->base;
  v->offset = pack->offset + 8 * (int32_t)ins->b;
  int d = EMIT_NOWHERE;
  if (v->output != EMIT_NOWHERE)
    x86_load(e->x, d = emit_register_take(e), emit_home(e, (uint32_t)e->at));
  emit_done(e, ins, d);
}

bool emit_pack(emitter* e, const code_ins* ins)
{
  if (ins->op == CODE_PAIR || ins->op == CODE_QUAD)
    join(e, ins);
  else if (ins->op == CODE_SPREAD)
    spread(e, ins);
  else if (ins->op == CODE_PICK)
    pick(e, ins);
  else
    return false;
  return true;
}
