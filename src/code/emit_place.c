// Registers and homes of values while code is written.
#include "code/emit.h"

#include <assert.h>
#include <stdlib.h>

// a value in memory is brought into a free register when it is used again this soon
#define SOON 400

static uint32_t bit(int reg)
{
  return 1u << reg;
}

// inputs and constants are at home from the start
static void settle_fixed(emitter* e)
{
  const int stride = e->x->single || e->x->avx512 ? 8 : 8 * e->lanes;
  int32_t pool = EMIT_PATTERNS * EMIT_PATTERN;
  for (int i = 0; i < e->t->ins.n && e->packed; i++) {
    if (e->t->ins.at[i].op != CODE_NUMBERS) continue;
    e->value[i].base = X86_POOL;
    e->value[i].offset = pool;
    pool += EMIT_PACK;
  }
  for (int i = 0; i < e->t->ins.n; i++) {
    const code_ins* x = &e->t->ins.at[i];
    emit_value* v = &e->value[i];
    if (x->op == CODE_IN) {
      v->base = e->in;
      v->offset = 8 * ((int32_t)x->a * e->row + e->in_at);
    } else if (x->op == CODE_CONST) {
      v->base = X86_POOL;
      v->offset = pool;
      pool += stride;
    }
  }
}

int emit_lanes_of(const emitter* e, uint32_t v)
{
  return e->packed ? e->packed->lanes[v] : e->lanes;
}

int emit_lanes(emitter* e, int lanes)
{
  const int before = e->x->single ? 1 : 2 << e->x->length;
  if (!e->packed) return before;
  e->x->single = lanes == 1;
  e->x->length = lanes / 4;
  return before;
}

// next uses, from the back
static void find_uses(emitter* e)
{
  for (int i = e->t->ins.n - 1; i >= 0; i--) {
    const code_ins* x = &e->t->ins.at[i];
    const uint32_t v[3] = {x->a, x->b, x->c};
    const int n = code_op_args(x->op);
    for (int k = 0; k < n; k++) e->after[i][k] = e->value[v[k]].next;
    for (int k = 0; k < n; k++) e->value[v[k]].next = i;
  }
}

void emit_place_start(emitter* e)
{
  for (int i = 0; i < e->t->ins.n; i++)
    e->value[i] =
        (emit_value){EMIT_NEVER, EMIT_NOWHERE, EMIT_NOWHERE, 0, EMIT_NOWHERE, EMIT_NOWHERE, 0};
  for (int k = e->t->outputs - 1; k >= 0; k--) {
    e->next_output[k] = e->value[e->t->out[k]].output;
    e->value[e->t->out[k]].output = k;
  }
  settle_fixed(e);
  find_uses(e);
  for (int r = 0; r < EMIT_REGISTERS; r++) e->holds[r] = EMIT_NOWHERE;
  e->empty = e->own;
  e->locked = 0;
  e->free_slots.n = e->free_wide.n = 0;
  e->slots = 0;
  emit_pin_rounds(e);
}

x86_operand emit_home(const emitter* e, uint32_t v)
{
  const emit_value* at = &e->value[v];
  assert(at->base != EMIT_NOWHERE);
  if (at->via) {
    const emit_pointer* p = &e->pointer[at->via - 1];
    return x86_mem(p->reg, at->offset - p->offset, false);
  }
  const bool all = at->base == X86_POOL && e->x->avx512 && !e->x->single && !e->packed;
  return x86_mem(at->base, at->offset, all);
}

x86_operand emit_output_at(const emitter* e, int k)
{
  return x86_mem(e->out, 8 * (k * e->row + e->out_at), false);
}

x86_operand emit_pattern_at(const emitter* e, emit_pattern p)
{
  return x86_mem(X86_POOL, (int32_t)p * EMIT_PATTERN, e->x->avx512);
}

int emit_slot_take(emitter* e)
{
  return e->free_slots.n > 0 ? e->free_slots.at[--e->free_slots.n] : e->slots++;
}

// as many doubles as a pack has, on a boundary of so many
static int wide_slot_take(emitter* e)
{
  if (e->free_wide.n > 0) return e->free_wide.at[--e->free_wide.n];
  for (; e->slots % (EMIT_PACK / 8); e->slots++) base_push(&e->free_slots, e->slots);
  e->slots += EMIT_PACK / 8;
  return e->slots - EMIT_PACK / 8;
}

int32_t emit_slot_offset(const emitter* e, int slot)
{
  return 8 * (slot * e->blocks + e->beside) * e->lanes;
}

void emit_settle(emitter* e, uint32_t v)
{
  emit_value* at = &e->value[v];
  const bool wide = e->packed && emit_lanes_of(e, v) > 1;
  at->slot = wide ? wide_slot_take(e) : emit_slot_take(e);
  at->base = e->scratch;
  at->offset = emit_slot_offset(e, at->slot);
}

void emit_spill(emitter* e, uint32_t v)
{
  const emit_value* at = &e->value[v];
  if (at->base != EMIT_NOWHERE) return;
  emit_settle(e, v);
  const int lanes = emit_lanes(e, emit_lanes_of(e, v));
  x86_store(e->x, at->reg, emit_home(e, v));
  emit_lanes(e, lanes);
}

static void bind(emitter* e, uint32_t v, int reg)
{
  e->value[v].reg = reg;
  e->holds[reg] = (int)v;
  e->empty &= ~bit(reg);
}

static void unbind(emitter* e, uint32_t v)
{
  if (e->value[v].reg == EMIT_NOWHERE) return;
  e->holds[e->value[v].reg] = EMIT_NOWHERE;
  e->empty |= bit(e->value[v].reg);
  e->value[v].reg = EMIT_NOWHERE;
}

// a value with a home leaves a little sooner: it costs no store
static int furthest(const emitter* e)
{
  int best = EMIT_NOWHERE;
  int64_t distance = -1;
  for (uint32_t left = e->own & ~e->locked; left; left &= left - 1) {
    const int r = __builtin_ctz(left);
    const emit_value* v = &e->value[e->holds[r]];
    const int64_t d = 2 * (int64_t)v->next + (v->base != EMIT_NOWHERE ? 40 : 0);
    if (d > distance) {
      distance = d;
      best = r;
    }
  }
  assert(best != EMIT_NOWHERE);
  return best;
}

int emit_register_take(emitter* e)
{
  const uint32_t any = e->empty & ~e->locked;
  const int r = any ? __builtin_ctz(any) : furthest(e);
  if (e->holds[r] != EMIT_NOWHERE) {
    const uint32_t v = (uint32_t)e->holds[r];
    emit_spill(e, v);
    unbind(e, v);
  }
  e->locked |= bit(r);
  return r;
}

bool emit_in_register(const emitter* e, uint32_t v)
{
  return e->value[v].reg != EMIT_NOWHERE;
}

bool emit_dies(const emitter* e, uint32_t v)
{
  return e->value[v].next == EMIT_NEVER;
}

// is a value that is in memory used again so soon that a register is well spent on it?
static bool is_worth_keeping(const emitter* e, uint32_t v)
{
  const int32_t next = e->value[v].next;
  if (next == EMIT_NEVER || e->value[v].base == X86_POOL) return false;
  if (e->empty & ~e->locked) return next - e->at < SOON;
  for (uint32_t left = e->own & ~e->locked; left; left &= left - 1) {
    const emit_value* other = &e->value[e->holds[__builtin_ctz(left)]];
    if (other->base != EMIT_NOWHERE && other->next > next) return true;
  }
  return false;
}

static int load(emitter* e, uint32_t v, bool keep)
{
  const int r = emit_register_take(e);
  const int lanes = emit_lanes(e, emit_lanes_of(e, v));
  x86_load(e->x, r, emit_home(e, v));
  emit_lanes(e, lanes);
  if (keep) bind(e, v, r);
  return r;
}

int emit_read_register(emitter* e, uint32_t v)
{
  if (!emit_in_register(e, v)) return load(e, v, is_worth_keeping(e, v));
  e->locked |= bit(e->value[v].reg);
  return e->value[v].reg;
}

x86_operand emit_read(emitter* e, uint32_t v)
{
  if (!emit_in_register(e, v) && !is_worth_keeping(e, v)) return emit_home(e, v);
  return x86_reg(emit_read_register(e, v));
}

int emit_own(emitter* e, uint32_t v)
{
  if (!emit_in_register(e, v)) return load(e, v, false);
  const int r = e->value[v].reg;
  e->locked |= bit(r);
  if (emit_dies(e, v)) {
    unbind(e, v);
    return r;
  }
  const int copy = emit_register_take(e);
  x86_load(e->x, copy, x86_reg(r));
  return copy;
}

int emit_result(emitter* e, const code_ins* ins)
{
  const uint32_t v[3] = {ins->a, ins->b, ins->c};
  for (int k = 0; k < code_op_args(ins->op); k++)
    if (emit_dies(e, v[k])) unbind(e, v[k]);
  // registers without a value are free again, and those read may not be evicted
  e->locked &= ~e->empty;
  return emit_register_take(e);
}

void emit_release(emitter* e, uint32_t v)
{
  unbind(e, v);
  if (e->value[v].slot == EMIT_NOWHERE) return;
  const bool wide = e->packed && emit_lanes_of(e, v) > 1;
  if (wide)
    base_push(&e->free_wide, e->value[v].slot);
  else
    base_push(&e->free_slots, e->value[v].slot);
  e->value[v].slot = EMIT_NOWHERE;
}

void emit_done(emitter* e, const code_ins* ins, int d)
{
  const uint32_t v[3] = {ins->a, ins->b, ins->c};
  for (int k = 0; k < code_op_args(ins->op); k++)
    if (emit_dies(e, v[k])) emit_release(e, v[k]);
  if (d >= 0) bind(e, (uint32_t)e->at, d);
  e->locked = 0;
}

void emit_forget_registers(emitter* e)
{
  for (int r = 0; r < EMIT_REGISTERS; r++)
    if (e->holds[r] != EMIT_NOWHERE) unbind(e, (uint32_t)e->holds[r]);
}

bool emit_is_fixed(uint32_t op)
{
  return op == CODE_IN || op == CODE_CONST || op == CODE_NUMBERS;
}

// As many as values are alive at once: a result beside its operands, a cosine beside its sine, and
// two for constants on their way into a call; what loops keep, and how often one has still to go.
int code_emit_slots(const code_tape* t)
{
  return code_most_alive(t) + 3 + (t->loops ? t->loops->frames : 0) + 1;
}
