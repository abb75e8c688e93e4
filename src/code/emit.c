// The emitter: one pass over a tape, each operation one or a few instructions, the same path for
// one, four and eight lanes. The bits are those of the operation table.
#include "code/emit.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// beyond this many instructions code is too large to pay
#define LIMIT (1 << 22)

// ---- operations ---------------------------------------------------------------------------------

// Is it better read where it is than what goes with it? Numbers never stay in registers.
static bool is_read_last(const emitter* e, uint32_t v, uint32_t with)
{
  return !emit_in_register(e, v) && (emit_in_register(e, with) || e->value[v].base == X86_POOL);
}

static void binary(emitter* e, const code_ins* ins, x86_arithmetic op, bool commutes, bool minus)
{
  const bool swap = commutes && is_read_last(e, ins->a, ins->b);
  const uint32_t p = swap ? ins->b : ins->a, q = swap ? ins->a : ins->b;
  const int s = emit_read_register(e, p);
  const x86_operand rm = p == q ? x86_reg(s) : emit_read(e, q);
  const int d = emit_result(e, ins);
  x86_arithmetic_do(e->x, op, d, s, rm);
  if (minus) x86_logic_do(e->x, X86_XOR, d, d, emit_pattern_at(e, EMIT_SIGN));
  emit_done(e, ins, d);
}

static void bits(emitter* e, const code_ins* ins, x86_logic op, emit_pattern with)
{
  const int s = emit_read_register(e, ins->a);
  const int d = emit_result(e, ins);
  x86_logic_do(e->x, op, d, s, emit_pattern_at(e, with));
  emit_done(e, ins, d);
}

static void root(emitter* e, const code_ins* ins)
{
  // of one double it also reads the register whose upper part it keeps
  const x86_operand rm =
      e->x->single ? x86_reg(emit_read_register(e, ins->a)) : emit_read(e, ins->a);
  const int d = emit_result(e, ins);
  x86_arithmetic_do(e->x, X86_SQRT, d, e->x->single ? rm.reg : 0, rm);
  emit_done(e, ins, d);
}

// The operand whose register the result overwrites: best one that is used here last, then one that
// must be loaded anyway.
static uint32_t overwritten(const emitter* e, const code_ins* ins)
{
  const uint32_t v[3] = {ins->c, ins->a, ins->b};
  for (int k = 0; k < 3; k++)
    if (emit_in_register(e, v[k]) && emit_dies(e, v[k])) return v[k];
  for (int k = 0; k < 3; k++)
    if (!emit_in_register(e, v[k])) return v[k];
  return ins->c;
}

static void fused(emitter* e, const code_ins* ins, int negations)
{
  const uint32_t v[3] = {ins->a, ins->b, ins->c}, over = overwritten(e, ins);
  for (int k = 0; k < 3; k++)
    if (emit_in_register(e, v[k])) emit_read_register(e, v[k]);
  int d;
  if (over == ins->c) {
    const bool swap = is_read_last(e, ins->a, ins->b);
    const uint32_t p = swap ? ins->b : ins->a, q = swap ? ins->a : ins->b;
    const int s = emit_read_register(e, p);
    const x86_operand rm = p == q ? x86_reg(s) : emit_read(e, q);
    d = emit_own(e, ins->c);
    x86_fused_do(e->x, X86_231, negations, d, s, rm);
  } else {
    const uint32_t factor = over == ins->a ? ins->b : ins->a;
    const bool factor_first = emit_in_register(e, factor);
    const int s = emit_read_register(e, factor_first ? factor : ins->c);
    const x86_operand rm = emit_read(e, factor_first ? ins->c : factor);
    d = emit_own(e, over);
    x86_fused_do(e->x, factor_first ? X86_213 : X86_132, negations, d, s, rm);
  }
  emit_done(e, ins, d);
}

// with AVX-512 masks have registers of their own
static int mask_take(emitter* e)
{
  return e->x->avx512 ? 0 : emit_register_take(e);
}

// A < B ? A : B is what the machine does; a nan in A must come through as one in B does
static void extreme(emitter* e, const code_ins* ins, x86_arithmetic op)
{
  const int a = emit_read_register(e, ins->a);
  const x86_operand b = emit_read(e, ins->b);
  const int d = emit_register_take(e), m = mask_take(e);
  x86_arithmetic_do(e->x, op, d, a, b);
  x86_compare(e->x, X86_UNORDERED, m, a, x86_reg(a));
  x86_blend(e->x, d, d, x86_reg(a), m);
  emit_done(e, ins, d);
}

static void condition(emitter* e, const code_ins* ins, x86_predicate p)
{
  const int a = emit_read_register(e, ins->a);
  const x86_operand b = emit_read(e, ins->b);
  const int d = emit_register_take(e), m = mask_take(e);
  x86_logic_do(e->x, X86_XOR, d, d, x86_reg(d));
  x86_compare(e->x, p, m, a, b);
  x86_blend(e->x, d, d, emit_pattern_at(e, EMIT_ONE), m);
  x86_compare(e->x, X86_UNORDERED, m, a, b);
  x86_blend(e->x, d, d, emit_pattern_at(e, EMIT_NAN), m);
  emit_done(e, ins, d);
}

// one with the sign of A, unless A is zero or nan
static void sign(emitter* e, const code_ins* ins)
{
  const int a = emit_read_register(e, ins->a);
  const int d = emit_register_take(e), m = mask_take(e);
  x86_logic_do(e->x, X86_AND, d, a, emit_pattern_at(e, EMIT_SIGN));
  x86_logic_do(e->x, X86_OR, d, d, emit_pattern_at(e, EMIT_ONE));
  x86_compare(e->x, X86_NOT_EQUAL, m, a, emit_pattern_at(e, EMIT_ZERO));
  x86_blend(e->x, d, a, x86_reg(d), m);
  emit_done(e, ins, d);
}

static void choose(emitter* e, const code_ins* ins)
{
  const int a = emit_read_register(e, ins->a);
  const int b = emit_read_register(e, ins->b), c = emit_read_register(e, ins->c);
  const int d = emit_register_take(e), m = mask_take(e);
  x86_compare(e->x, X86_EQUAL, m, a, emit_pattern_at(e, EMIT_ZERO));
  x86_blend(e->x, d, a, x86_reg(c), m);
  x86_compare(e->x, X86_GREATER, m, a, emit_pattern_at(e, EMIT_ZERO));
  x86_blend(e->x, d, d, x86_reg(b), m);
  emit_done(e, ins, d);
}

static void operation(emitter* e, const code_ins* ins)
{
  switch (ins->op) {
  case CODE_ADD:
    binary(e, ins, X86_ADD, true, false);
    break;
  case CODE_SUB:
    binary(e, ins, X86_SUB, false, false);
    break;
  case CODE_MUL:
    binary(e, ins, X86_MUL, true, false);
    break;
  case CODE_DIV:
    binary(e, ins, X86_DIV, false, false);
    break;
  case CODE_NMUL:
    binary(e, ins, X86_MUL, true, true);
    break;
  case CODE_NDIV:
    binary(e, ins, X86_DIV, false, true);
    break;
  case CODE_NEG:
    bits(e, ins, X86_XOR, EMIT_SIGN);
    break;
  case CODE_ABS:
    bits(e, ins, X86_AND, EMIT_MAGNITUDE);
    break;
  case CODE_SQRT:
    root(e, ins);
    break;
  case CODE_FMA:
    fused(e, ins, 0);
    break;
  case CODE_FMS:
    fused(e, ins, 2);
    break;
  case CODE_FNMA:
    fused(e, ins, 4);
    break;
  case CODE_FNMS:
    fused(e, ins, 6);
    break;
  case CODE_MIN:
    extreme(e, ins, X86_MIN);
    break;
  case CODE_MAX:
    extreme(e, ins, X86_MAX);
    break;
  case CODE_LESS:
    condition(e, ins, X86_LESS);
    break;
  case CODE_LESS_EQ:
    condition(e, ins, X86_LESS_EQUAL);
    break;
  case CODE_SIGN:
    sign(e, ins);
    break;
  case CODE_SELECT:
    choose(e, ins);
    break;
  default:
    emit_call(e, ins);
    break;
  }
}

// ---- the whole ----------------------------------------------------------------------------------

// an output is stored where it is made, once for each place it belongs
static void put_out(emitter* e, uint32_t v)
{
  emit_value* at = &e->value[v];
  if (at->output != EMIT_NOWHERE) {
    int reg = at->reg, k = e->next_output[at->output];
    at->base = e->out;
    at->offset = emit_output_at(e, at->output).offset;
    if (reg != EMIT_NOWHERE)
      x86_store(e->x, reg, emit_home(e, v));
    else if (k != EMIT_NOWHERE) // made by a call, at home in its first place
      x86_load(e->x, reg = 0, emit_home(e, v));
    for (; k != EMIT_NOWHERE; k = e->next_output[k]) x86_store(e->x, reg, emit_output_at(e, k));
  } else
    emit_keep(e, v);
  if (emit_dies(e, v)) emit_release(e, v);
}

static bool is_zero(const code_tape* t, int k)
{
  const code_ins* x = &t->ins.at[t->out[k]];
  return x->op == CODE_CONST && !x->a && !x->b;
}

// does output k go on where the one before ended: zeros, or inputs in their order?
static bool goes_on(const code_tape* t, int k)
{
  const code_ins *before = &t->ins.at[t->out[k - 1]], *x = &t->ins.at[t->out[k]];
  if (is_zero(t, k - 1)) return is_zero(t, k);
  return before->op == CODE_IN && x->op == CODE_IN && x->a == before->a + 1;
}

static x86_operand fixed_at(const emitter* e, int k)
{
  if (!is_zero(e->t, k)) return emit_home(e, e->t->out[k]);
  x86_operand zero = emit_pattern_at(e, EMIT_ZERO);
  zero.all = false;
  return zero;
}

// Matrices of many coordinates are mostly zeros, and rates of places are velocities. From output k
// on: four at a time, as many as there are; returns how many.
static int put_run(emitter* e, int k)
{
  enum { AT_ONCE = 4 };
  const code_tape* t = e->t;
  int run = is_zero(t, k) || t->ins.at[t->out[k]].op == CODE_IN;
  while (run && k + run < t->outputs && goes_on(t, k + run)) run++;
  if (!e->x->single || run < AT_ONCE) return 0;
  const x86_code own = *e->x;
  e->x->single = false;
  e->x->length = 1;
  const bool zeros = is_zero(t, k);
  for (int i = 0; i < run; i += AT_ONCE) {
    const int at = k + (i + AT_ONCE <= run ? i : run - AT_ONCE);
    if (!zeros || !i) x86_load(e->x, 0, fixed_at(e, at));
    x86_store(e->x, 0, emit_output_at(e, at));
  }
  e->x->single = own.single;
  e->x->length = own.length;
  return run;
}

static void put_fixed(emitter* e)
{
  const code_tape* t = e->t;
  bool uppers = false;
  for (int k = 0, run; k < t->outputs; k += run ? run : 1) {
    run = put_run(e, k);
    uppers = uppers || run;
    if (run || !emit_is_fixed(t->ins.at[t->out[k]].op)) continue;
    x86_load(e->x, 0, emit_home(e, t->out[k]));
    x86_store(e->x, 0, emit_output_at(e, k));
  }
  if (uppers) x86_clear_uppers(e->x);
}

// A call leaves no register of any block as it was, so that all have their homes first.
void emit_instruction(emitter* e, int at)
{
  const code_ins* ins = &e->t->ins.at[at];
  if (emit_is_fixed(ins->op) || ins->op == CODE_COSINE) return;
  const uint32_t v[3] = {ins->a, ins->b, ins->c};
  for (int b = 0; b < e->blocks; b++) {
    e[b].at = at;
    for (int k = 0; k < code_op_args(ins->op); k++) e[b].value[v[k]].next = e[b].after[at][k];
    emit_lanes(&e[b], emit_lanes_of(&e[b], (uint32_t)at));
    if (emit_is_call(ins->op)) emit_call_prepare(&e[b], ins);
  }
  for (int b = 0; b < e->blocks; b++) {
    if (!e->packed || !emit_pack(&e[b], ins)) operation(&e[b], ins);
    put_out(&e[b], (uint32_t)at);
    if (ins->op == CODE_SINCOS) put_out(&e[b], ins->b);
  }
}

// blocks in turns: the results of one are on their way while another is worked at
static void body(emitter* e)
{
  for (int b = 0; b < e->blocks; b++) emit_place_start(&e[b]);
  const code_rolled* r = e->rolled;
  emit_set_anchors(e, 0);
  for (int at = 0, loop = 0; at < e->t->ins.n; at++) {
    const code_repetition* p = r && loop < r->at.n ? &r->at.at[loop] : NULL;
    const bool alike = p && at == (int)r->made[p->first + p->from * p->period];
    loop += alike;
    if (alike && emit_loop(e, p))
      at = (int)r->made[p->first + p->to * p->period - 1];
    else {
      emit_instruction(e, at);
      if (at == e->last_call) emit_set_anchors(e, at + 1);
    }
  }
  emit_lanes(e, 1);
  for (int b = 0; b < e->blocks; b++) put_fixed(&e[b]);
}

static void doubles(x86_code* x, uint64_t pattern, int times)
{
  for (int i = 0; i < times; i++) x86_bytes(x, &pattern, 8);
}

// bit patterns and constants, then the code on a line of its own
static void pool(emitter* e)
{
  static const uint64_t patterns[EMIT_PATTERNS] = {[EMIT_SIGN] = 1ull << 63,
                                                   [EMIT_MAGNITUDE] = ~(1ull << 63),
                                                   [EMIT_ONE] = 0x3ff0000000000000,
                                                   [EMIT_NAN] = ~0ull,
                                                   [EMIT_ZERO] = 0};
  for (int i = 0; i < EMIT_PATTERNS; i++) doubles(e->x, patterns[i], EMIT_PATTERN / 8);
  if (e->packed) x86_bytes(e->x, e->packed->number.at, 8 * e->packed->number.n);
  const int times = e->x->single || e->x->avx512 ? 1 : e->lanes;
  for (int i = 0; i < e->t->ins.n; i++) {
    const code_ins* x = &e->t->ins.at[i];
    if (x->op == CODE_CONST) doubles(e->x, (uint64_t)x->b << 32 | x->a, times);
  }
  static const uint8_t zeros[64];
  x86_bytes(e->x, zeros, (64 - e->x->bytes.n % 64) % 64);
}

static int last_call(const code_tape* t)
{
  for (int i = t->ins.n - 1; i >= 0; i--)
    if (emit_is_call(t->ins.at[i].op)) return i;
  return -1;
}

// registers are shared out among blocks that are worked at in turns
static void emitter_open(emitter* e, const emitter* like, int beside, int registers)
{
  const code_tape* t = like->t;
  const int each = registers / like->blocks;
  *e = *like;
  e->beside = beside;
  e->own = (each == EMIT_REGISTERS ? ~0u : (1u << each) - 1) << beside * each;
  // all that is read in them is written first
  e->value = base_realloc(NULL, (size_t)t->ins.n * sizeof *e->value + 1);
  e->after = base_realloc(NULL, (size_t)t->ins.n * sizeof *e->after + 1);
  e->next_output = base_realloc(NULL, (size_t)t->outputs * sizeof *e->next_output + 1);
}

static void emitter_close(emitter* e)
{
  free(e->value);
  free(e->after);
  free(e->next_output);
  base_list_free(&e->free_slots);
  base_list_free(&e->free_wide);
}

// Blocks lie one behind the other; without AVX-512, one of eight is two registers of four, which
// are made one after the other.
static void bodies(emitter* e, int width)
{
  for (int part = 0; part * e->lanes < width; part++) {
    for (int b = 0; b < e->blocks; b++) {
      e[b].in_at = b * e->t->inputs * width + part * e->lanes;
      e[b].out_at = b * e->t->outputs * width + part * e->lanes;
    }
    body(e);
  }
}

// sheaf: null where the code has pages of its own
static bool emit(code_sheaf* sheaf, code_pages* p, const code_tape* t, const code_packed* packed,
                 int width, int blocks, code_level level)
{
  assert(width == 1 || width == 4 || width == 8);
  assert(blocks == 1 || blocks == CODE_BLOCKS);
  if (level == CODE_INTERPRETED || t->ins.n > LIMIT) return false;
  const int call = last_call(t);
  const bool avx512 = level == CODE_AVX512, calls = call >= 0;
  const int lanes = width == 8 && !avx512 ? 4 : width;
  x86_code x = {.single = width == 1, .avx512 = avx512, .length = lanes / 4};
  emitter e[CODE_BLOCKS] = {{.t = t,
                             .packed = packed,
                             .x = &x,
                             .lanes = lanes,
                             .row = width,
                             .last_call = call,
                             .blocks = blocks}};

  code_rolled rolled = {0};
  if (blocks == 1 && !packed) rolled = code_roll(t);
  if (rolled.at.n) e->rolled = &rolled;
  x86_reserve(&x, 4096 + 24 * t->ins.n * blocks);
  pool(e);
  const size_t entry = (size_t)x.bytes.n;
  emit_enter(e, calls);
  const emitter like = *e;
  for (int b = 0; b < blocks; b++) emitter_open(&e[b], &like, b, avx512 ? 32 : 16);
  bodies(e, width);
  emit_leave(e, calls);
  bool made = true;
  if (sheaf)
    code_sheaf_add(sheaf, p, x.bytes.n, x.bytes.at, entry);
  else
    made = code_pages_new(p, (size_t)x.bytes.n, x.bytes.at, entry);
  p->slots = e->slots;
  for (int b = 0; b < blocks; b++) emitter_close(&e[b]);
  base_list_free(&x.bytes);
  code_rolled_free(&rolled);
  return made;
}

bool code_emit_packed(code_pages* p, const code_packed* packed, code_level level)
{
  return emit(NULL, p, &packed->tape, packed, 1, 1, level);
}

bool code_emit(code_pages* p, const code_tape* t, int width, int blocks, code_level level)
{
  return emit(NULL, p, t, NULL, width, blocks, level);
}

bool code_emit_piece(code_sheaf* s, code_pages* p, const code_tape* t, int width, code_level level)
{
  return emit(s, p, t, NULL, width, 1, level);
}
