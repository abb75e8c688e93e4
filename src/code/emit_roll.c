// Loops: of rounds that are alike the first is written, with addresses that move. What is kept from
// round to round goes through memory; registers begin and end empty.
#include "code/emit.h"

#include <assert.h>

static uint32_t made(const emitter* e, const code_repetition* p, int round, int j)
{
  return e->rolled->made[p->first + round * p->period + j];
}

void emit_pin_rounds(emitter* e)
{
  const code_rolled* r = e->rolled;
  if (!r) return;
  e->slots = r->frames;
  for (int i = 0; i < r->instructions; i++) {
    if (r->within[i] < 0 || r->kept[i] < 0) continue;
    const code_repetition* p = &r->at.at[r->within[i]];
    const int round = (i - p->first) / p->period;
    emit_value* v = &e->value[r->made[i]];
    v->base = e->scratch;
    v->offset = emit_slot_offset(e, p->frame + round * p->width + r->kept[i]);
  }
}

// the one place of a value that is carried from round to round
static x86_operand carried_at(const emitter* e, uint32_t v)
{
  const code_rolled* r = e->rolled;
  const int i = r->number[v];
  const code_repetition* p = &r->at.at[r->within[i]];
  const int slot = p->frame + p->count * p->width + (-2 - r->kept[i]);
  return x86_mem(e->scratch, emit_slot_offset(e, slot), false);
}

static void settle_carried(emitter* e, uint32_t v)
{
  emit_value* at = &e->value[v];
  const x86_operand home = carried_at(e, v);
  if (at->slot != EMIT_NOWHERE) base_push(&e->free_slots, at->slot);
  at->slot = EMIT_NOWHERE;
  at->base = home.base;
  at->offset = home.offset;
}

void emit_keep(emitter* e, uint32_t v)
{
  const code_rolled* r = e->rolled;
  if (!r || e->value[v].reg == EMIT_NOWHERE) return;
  const int i = r->number[v];
  if (r->within[i] < 0 || r->kept[i] == -1) return;
  if (r->kept[i] >= 0) {
    x86_store(e->x, e->value[v].reg, emit_home(e, v));
    return;
  }
  // in the place of its predecessor, if there is one, as soon as that is used up
  const code_repetition* p = e->loop;
  if (!p || (p->from && !emit_dies(e, r->made[i - p->period]))) return;
  x86_store(e->x, e->value[v].reg, carried_at(e, v));
  settle_carried(e, v);
}

// ---- what moves ---------------------------------------------------------------------------------

// where a value lives in memory whatever registers do; false for one that may have no such place
static bool lasting_home(const emitter* e, uint32_t v, x86_operand* home)
{
  const emit_value* at = &e->value[v];
  // inputs that are put out stay inputs
  const bool put_out = at->output != EMIT_NOWHERE && !emit_is_fixed(e->t->ins.at[v].op);
  *home = put_out ? emit_output_at(e, at->output) : x86_mem(at->base, at->offset, false);
  return home->base != EMIT_NOWHERE;
}

// registers calls preserve, and others
static int pointer_registers(const emitter* e, const code_repetition* p, const int** reg)
{
  static const int preserved[] = {X86_R12, X86_R13, X86_R15};
  static const int others[EMIT_POINTERS] = {X86_RAX, X86_RDI, X86_R8, X86_R9, X86_R10, X86_R11};
  for (int j = 0; j < p->period; j++)
    if (emit_is_call(e->t->ins.at[made(e, p, 0, j)].op)) {
      *reg = preserved;
      return sizeof preserved / sizeof *preserved;
    }
  *reg = others;
  return EMIT_POINTERS;
}

// v in the first round of the loop, and what stands for it in the next
static bool follow(emitter* e, const code_repetition* p, uint32_t v, uint32_t next)
{
  x86_operand here, there;
  if (v == next || !lasting_home(e, v, &here) || !lasting_home(e, next, &there)) return true;
  const int32_t stride = there.offset - here.offset;
  int k = 0;
  while (k < e->pointers && (e->pointer[k].base != here.base || e->pointer[k].stride != stride))
    k++;
  if (k == e->pointers) {
    const int* reg;
    if (k == pointer_registers(e, p, &reg)) return false;
    e->pointer[e->pointers++] = (emit_pointer){reg[k], here.base, here.offset, stride};
  }
  const int32_t via = k + 1;
  if (e->value[v].via && e->value[v].via != via) return false;
  e->value[v].via = via;
  return true;
}

// results and operands of instruction j
static int values_of(const emitter* e, const code_repetition* p, int round, int j, uint32_t v[4])
{
  const uint32_t at = made(e, p, round, j);
  const code_ins* x = &e->t->ins.at[at];
  v[0] = at;
  v[1] = x->a;
  v[2] = x->b;
  v[3] = x->c;
  return 1 + code_op_args(x->op);
}

static bool find_pointers(emitter* e, const code_repetition* p)
{
  uint32_t v[4], next[4];
  bool fine = true;
  e->pointers = 0;
  for (int j = 0; j < p->period && fine; j++) {
    const int n = values_of(e, p, p->from, j, v);
    values_of(e, p, p->from + 1, j, next);
    for (int k = 0; k < n; k++) fine = fine && follow(e, p, v[k], next[k]);
  }
  // what stands in one place is no moving thing elsewhere
  for (int j = 0; j < p->period && fine; j++) {
    const int n = values_of(e, p, p->from, j, v);
    values_of(e, p, p->from + 1, j, next);
    for (int k = 0; k < n; k++) fine = fine && (v[k] != next[k] || !e->value[v[k]].via);
  }
  return fine;
}

static void forget_pointers(emitter* e, const code_repetition* p)
{
  uint32_t v[4];
  for (int j = 0; j < p->period; j++)
    for (int n = values_of(e, p, p->from, j, v); n; n--) e->value[v[n - 1]].via = 0;
  e->pointers = 0;
}

// ---- the loop -----------------------------------------------------------------------------------

static void empty_registers(emitter* e)
{
  for (int r = 0; r < EMIT_REGISTERS; r++)
    if (e->holds[r] != EMIT_NOWHERE && !emit_dies(e, (uint32_t)e->holds[r]))
      emit_spill(e, (uint32_t)e->holds[r]);
  emit_forget_registers(e);
}

static bool is_carried(const emitter* e, uint32_t v)
{
  return e->rolled->kept[e->rolled->number[v]] < -1;
}

// Registers are empty: what the round before the first, or the first itself, leaves to the next one
// goes where that looks for it.
static void carry(emitter* e, int round)
{
  const code_repetition* p = e->loop;
  for (int j = 0; j < p->period; j++) {
    const uint32_t v = made(e, p, round, j);
    if (!is_carried(e, v) || emit_dies(e, v)) continue;
    const x86_operand from = emit_home(e, v), to = carried_at(e, v);
    if (from.base == to.base && from.offset == to.offset) continue;
    x86_load(e->x, 0, from);
    x86_store(e->x, 0, to);
    settle_carried(e, v);
  }
}

// what is still in registers, at once
static void carry_registers(emitter* e)
{
  for (int r = 0; r < EMIT_REGISTERS; r++) {
    const int v = e->holds[r];
    if (v == EMIT_NOWHERE || e->value[v].base != EMIT_NOWHERE) continue;
    x86_store(e->x, r, carried_at(e, (uint32_t)v));
    settle_carried(e, (uint32_t)v);
  }
  emit_forget_registers(e);
}

// the rounds behind the first: what they use is used, what they put out or carry is at home
static void pass_over(emitter* e, const code_repetition* p)
{
  for (int i = p->period; i < (p->to - p->from) * p->period; i++) {
    uint32_t v[4];
    const int n = values_of(e, p, p->from, i, v);
    emit_value* at = &e->value[v[0]];
    if (at->output != EMIT_NOWHERE) {
      at->base = e->out;
      at->offset = emit_output_at(e, at->output).offset;
    } else if (is_carried(e, v[0]))
      settle_carried(e, v[0]);
    for (int k = 1; k < n; k++) {
      e->value[v[k]].next = e->after[v[0]][k - 1];
      if (emit_dies(e, v[k])) emit_release(e, v[k]);
    }
  }
}

bool emit_loop(emitter* e, const code_repetition* p)
{
  if (!find_pointers(e, p)) {
    forget_pointers(e, p);
    return false;
  }
  empty_registers(e);
  e->loop = p;
  if (p->from) carry(e, p->from - 1);
  e->x->anchors = 0;
  const int counter = emit_slot_take(e);
  const x86_operand count = x86_mem(e->scratch, emit_slot_offset(e, counter), false);
  x86_count_start(e->x, count, p->to - p->from);
  for (int k = 0; k < e->pointers; k++)
    x86_address(e->x, e->pointer[k].reg, e->pointer[k].base, e->pointer[k].offset);
  const int top = e->x->bytes.n;
  for (int j = 0; j < p->period; j++) emit_instruction(e, (int)made(e, p, p->from, j));
  carry_registers(e);
  carry(e, p->from);
  for (int k = 0; k < e->pointers; k++) x86_step(e->x, e->pointer[k].reg, e->pointer[k].stride);
  x86_count_down(e->x, count, top);
  base_push(&e->free_slots, counter);
  forget_pointers(e, p);
  pass_over(e, p);
  e->loop = NULL;
  emit_set_anchors(e, (int)made(e, p, p->to - 1, p->period - 1) + 1);
  return true;
}
