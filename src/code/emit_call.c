// Functions that are called: of one state by value, as the C library has them; of blocks through
// memory, by lanes.c. A call leaves no vector register as it was, so all that is needed later is at
// home before it.
#include "code/emit.h"

#include "code/trig.h"

#include <assert.h>
#include <math.h>

typedef double function1(double);
typedef double function2(double, double);

static const struct
{
  function1* one;
  function2* two;
} functions[] = {
    [CODE_POW] = {.two = pow},     [CODE_EXP] = {.one = exp},   [CODE_LOG] = {.one = log},
    [CODE_SIN] = {.one = sin},     [CODE_COS] = {.one = cos},   [CODE_TAN] = {.one = tan},
    [CODE_ASIN] = {.one = asin},   [CODE_ACOS] = {.one = acos}, [CODE_ATAN] = {.one = atan},
    [CODE_ATAN2] = {.two = atan2}, [CODE_SINH] = {.one = sinh}, [CODE_COSH] = {.one = cosh},
    [CODE_TANH] = {.one = tanh},
};

bool emit_is_call(uint32_t op)
{
  if (op == CODE_SINCOS) return true;
  const bool listed = op < sizeof functions / sizeof *functions;
  return listed && (functions[op].one || functions[op].two);
}

// an output lives where it is put out, anything else in a slot
static void settle_result(emitter* e, uint32_t v)
{
  emit_value* at = &e->value[v];
  if (at->base != EMIT_NOWHERE) return;
  if (at->output != EMIT_NOWHERE) {
    at->base = e->out;
    at->offset = emit_output_at(e, at->output).offset;
    return;
  }
  emit_settle(e, v);
}

static void address_of(emitter* e, int reg, uint32_t v)
{
  const x86_operand home = emit_home(e, v);
  x86_address(e->x, reg, home.base, home.offset);
}

static void function_address(x86_code* x, uint32_t op)
{
  const void* at;
  if (functions[op].one)
    *(function1**)&at = functions[op].one;
  else
    *(function2**)&at = functions[op].two;
  x86_call(x, at);
}

static x86_operand wherever(const emitter* e, uint32_t v)
{
  return emit_in_register(e, v) ? x86_reg(e->value[v].reg) : emit_home(e, v);
}

// arguments to the first registers; the second by way of one that holds neither
static void pass_values(emitter* e, const code_ins* ins)
{
  if (code_op_args(ins->op) == 1) {
    x86_load(e->x, 0, wherever(e, ins->a));
    return;
  }
  const int by_way = e->value[ins->a].reg == 2 ? 3 : 2;
  x86_load(e->x, by_way, wherever(e, ins->b));
  x86_load(e->x, 0, wherever(e, ins->a));
  x86_load(e->x, 1, x86_reg(by_way));
}

static void call_by_value(emitter* e, const code_ins* ins)
{
  pass_values(e, ins);
  if (ins->op != CODE_SINCOS) {
    function_address(e->x, ins->op);
    emit_forget_registers(e);
    emit_done(e, ins, 0);
    return;
  }
  settle_result(e, (uint32_t)e->at);
  settle_result(e, ins->b);
  address_of(e, X86_RDI, (uint32_t)e->at);
  address_of(e, X86_RSI, ins->b);
  void (*const both)(double, double*, double*) = e->t->own_pairs ? code_trig_one : sincos;
  const void* at;
  *(void (**)(double, double*, double*)) & at = both;
  x86_call(e->x, at);
  emit_forget_registers(e);
  emit_done(e, ins, -1);
}

// a block in memory with the value; constants get one for the time of the call
static void pass_block(emitter* e, int reg, uint32_t v, int* borrowed)
{
  *borrowed = EMIT_NOWHERE;
  if (e->value[v].base == X86_POOL) {
    *borrowed = emit_slot_take(e);
    const x86_operand block = x86_mem(e->scratch, emit_slot_offset(e, *borrowed), false);
    x86_load(e->x, 0, emit_home(e, v));
    x86_store(e->x, 0, block);
    x86_address(e->x, reg, block.base, block.offset);
  } else
    address_of(e, reg, v);
}

static void call_by_block(emitter* e, const code_ins* ins)
{
  int borrowed[2] = {EMIT_NOWHERE, EMIT_NOWHERE};
  const bool two = code_op_args(ins->op) == 2;
  pass_block(e, X86_RSI, ins->a, &borrowed[0]);
  if (two) pass_block(e, X86_RDX, ins->b, &borrowed[1]);
  settle_result(e, (uint32_t)e->at);
  address_of(e, X86_RDI, (uint32_t)e->at);
  if (ins->op == CODE_SINCOS) {
    settle_result(e, ins->b);
    address_of(e, X86_RDX, ins->b);
  }
  x86_clear_uppers(e->x);
  code_lanes_function* const f = code_lanes_function_of(ins->op, emit_lanes_of(e, (uint32_t)e->at),
                                                        e->x->avx512 ? CODE_AVX512 : CODE_AVX2);
  const void* at;
  *(code_lanes_function**)&at = f;
  x86_call(e->x, at);
  for (int k = 0; k < 2; k++)
    if (borrowed[k] != EMIT_NOWHERE) base_push(&e->free_slots, borrowed[k]);
  emit_forget_registers(e);
  emit_done(e, ins, -1);
}

void emit_call_prepare(emitter* e, const code_ins* ins)
{
  for (int r = 0; r < EMIT_REGISTERS; r++)
    if (e->holds[r] != EMIT_NOWHERE && !emit_dies(e, (uint32_t)e->holds[r]))
      emit_spill(e, (uint32_t)e->holds[r]);
  if (e->x->single) return;
  // both have their homes before a constant's block passes through a register
  emit_spill(e, ins->a);
  if (code_op_args(ins->op) == 2) emit_spill(e, ins->b);
}

void emit_call(emitter* e, const code_ins* ins)
{
  if (e->x->single) {
    if (e->packed) x86_clear_uppers(e->x);
    call_by_value(e, ins);
  } else
    call_by_block(e, ins);
}
