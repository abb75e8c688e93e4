// A tape as a WebAssembly module: one function (kernel, in, out, scratch) that evaluates one state,
// or a block of them side by side, two in a vector.
//
// Every value has a local of its own, given to another one after its last use. A browser that
// multiplies and adds in one rounding (relaxed SIMD, f64x2.relaxed_madd) keeps values in vectors,
// of which one lane counts; the bits are then those of all other targets. Where it does not, the
// product is rounded, too, and blocks are interpreted. Constants are read from the tape, which must
// stay where it is. Functions of the C library are imported, as
// they are in the table of those of this program; for blocks those of lanes.c, which take their
// operands from memory.
#include "code/wasm_writer.h"

#include <stdlib.h>

// browsers take up to 50,000 locals and 7 MB of code
enum { most_locals = 40000, most_bytes = 6000000 };

// ---- operations ---------------------------------------------------------------------------------

static void give_up_operands(code_wasm_writer* w, uint32_t at)
{
  const code_ins* x = &w->t->ins.at[at];
  const uint32_t v[3] = {x->a, x->b, x->c};
  for (int k = 0; k < code_op_args(x->op); k++) {
    const bool twice = (k > 0 && v[k] == v[0]) || (k > 1 && v[k] == v[1]);
    if (w->t->ins.at[v[k]].op == CODE_CONST || w->last[v[k]] != (int)at || twice) continue;
    base_push(&w->free, w->local[v[k]]);
  }
}

// +a*b+c, or with signs
static void multiply_add(code_wasm_writer* w, const code_ins* x)
{
  const bool negative = x->op == CODE_FNMA || x->op == CODE_FNMS;
  const bool minus = x->op == CODE_FMS || x->op == CODE_FNMS;
  code_wasm_push(w, x->a);
  code_wasm_push(w, x->b);
  if (w->fused) {
    code_wasm_push(w, x->c);
    if (minus) code_wasm_vector(w, V_NEG);
    code_wasm_vector(w, negative ? V_NMADD : V_MADD);
    return;
  }
  code_wasm_byte(&w->bytes, F64_MUL);
  if (negative) code_wasm_byte(&w->bytes, F64_NEG);
  code_wasm_push(w, x->c);
  code_wasm_byte(&w->bytes, minus ? F64_SUB : F64_ADD);
}

// operations that are one instruction
static const struct
{
  uint8_t scalar, vectors;
} instruction[CODE_END] = {[CODE_ADD] = {F64_ADD, V_ADD},   [CODE_SUB] = {F64_SUB, V_SUB},
                           [CODE_MUL] = {F64_MUL, V_MUL},   [CODE_NMUL] = {F64_MUL, V_MUL},
                           [CODE_DIV] = {F64_DIV, V_DIV},   [CODE_NDIV] = {F64_DIV, V_DIV},
                           [CODE_NEG] = {F64_NEG, V_NEG},   [CODE_ABS] = {F64_ABS, V_ABS},
                           [CODE_SQRT] = {F64_SQRT, V_SQRT}};

static void simple(code_wasm_writer* w, const code_ins* x)
{
  code_wasm_push(w, x->a);
  if (x->op == CODE_NMUL || x->op == CODE_NDIV) code_wasm_plain(w, F64_NEG, V_NEG);
  if (code_op_args(x->op) == 2) code_wasm_push(w, x->b);
  code_wasm_plain(w, instruction[x->op].scalar, instruction[x->op].vectors);
}

static void compare(code_wasm_writer* w, uint32_t a, uint32_t b, int op)
{
  code_wasm_push_scalar(w, a);
  code_wasm_push_scalar(w, b);
  code_wasm_byte(&w->bytes, op);
}

static void compare_zero(code_wasm_writer* w, uint32_t a, int op)
{
  code_wasm_push_scalar(w, a);
  code_wasm_push_number(w, 0);
  code_wasm_byte(&w->bytes, op);
}

static void sum(code_wasm_writer* w, uint32_t a, uint32_t b)
{
  code_wasm_push_scalar(w, a);
  code_wasm_push_scalar(w, b);
  code_wasm_byte(&w->bytes, F64_ADD);
}

static void splat(code_wasm_writer* w)
{
  if (w->fused) code_wasm_vector(w, V_SPLAT);
}

// `select` takes the first of two values where the condition holds
static void choose_scalar(code_wasm_writer* w, const code_ins* x)
{
  const uint32_t a = x->a, b = x->b, c = x->c;
  code_wasm_bytes* to = &w->bytes;
  switch (x->op) {
  case CODE_SIGN: // A > 0 ? 1 : A < 0 ? -1 : A
    code_wasm_push_number(w, 1), code_wasm_push_number(w, -1), code_wasm_push_scalar(w, a);
    compare_zero(w, a, F64_LT), code_wasm_byte(to, SELECT);
    compare_zero(w, a, F64_GT), code_wasm_byte(to, SELECT);
    break;
  case CODE_MIN: // A < B ? A : B <= A ? B : A + B
  case CODE_MAX:
    code_wasm_push_scalar(w, a), code_wasm_push_scalar(w, b), sum(w, a, b);
    compare(w, b, a, x->op == CODE_MIN ? F64_LE : F64_GE), code_wasm_byte(to, SELECT);
    compare(w, a, b, x->op == CODE_MIN ? F64_LT : F64_GT), code_wasm_byte(to, SELECT);
    break;
  case CODE_LESS: // A < B ? 1 : A >= B ? 0 : A + B
  case CODE_LESS_EQ:
    code_wasm_push_number(w, 1), code_wasm_push_number(w, 0), sum(w, a, b);
    compare(w, a, b, x->op == CODE_LESS ? F64_GE : F64_GT), code_wasm_byte(to, SELECT);
    compare(w, a, b, x->op == CODE_LESS ? F64_LT : F64_LE), code_wasm_byte(to, SELECT);
    break;
  default: // A > 0 ? B : A == 0 ? C : A
    code_wasm_push_scalar(w, b), code_wasm_push_scalar(w, c), code_wasm_push_scalar(w, a);
    compare_zero(w, a, F64_EQ), code_wasm_byte(to, SELECT);
    compare_zero(w, a, F64_GT), code_wasm_byte(to, SELECT);
  }
}

// lane by lane
static void choose(code_wasm_writer* w, const code_ins* x)
{
  choose_scalar(w, x);
  splat(w);
  if (w->width == 1) return;
  w->lane = 1;
  choose_scalar(w, x);
  w->lane = 0;
  code_wasm_vector(w, V_WITH_LANE);
  code_wasm_byte(&w->bytes, 1);
}

static void call(code_wasm_writer* w, const code_ins* x)
{
  for (int k = 0; k < code_op_args(x->op); k++) code_wasm_push_scalar(w, k == 0 ? x->a : x->b);
  code_wasm_byte(&w->bytes, CALL);
  code_wasm_unsigned(&w->bytes, (uint32_t)w->import_of[x->op] - 1);
  splat(w);
}

// the cosine was left by the call for the sine, and only until the next such call
static void keep_cosine(code_wasm_writer* w, uint32_t value)
{
  code_wasm_push_address(w, code_wasm_cosine_at());
  code_wasm_load(w, 0);
  code_wasm_keep(w, value);
}

static void operation(code_wasm_writer* w, const code_ins* x)
{
  switch (x->op) {
  case CODE_FMA:
  case CODE_FMS:
  case CODE_FNMA:
  case CODE_FNMS:
    multiply_add(w, x);
    return;
  case CODE_SIGN:
  case CODE_MIN:
  case CODE_MAX:
  case CODE_LESS:
  case CODE_LESS_EQ:
  case CODE_SELECT:
    choose(w, x);
    return;
  default:
    if (instruction[x->op].scalar)
      simple(w, x);
    else
      call(w, x);
  }
}

// ---- functions of blocks ------------------------------------------------------------------------
//
// They write to the scratch of the evaluation, each result to a place of its own, and each vector
// of a result comes from there where it is needed. In locals from the call on it would only be
// saved and restored around the calls that follow.

// does it go to memory and to a function, with all vectors of its operands at once?
static bool is_block_call(const code_wasm_writer* w, uint32_t op)
{
  return w->width > 1 && code_wasm_function(op);
}

static void push_place(code_wasm_writer* w, int base, int place)
{
  code_wasm_byte(&w->bytes, LOCAL_GET);
  code_wasm_unsigned(&w->bytes, (uint32_t)base);
  code_wasm_push_address(w, place * w->width * (int)sizeof(double));
  code_wasm_byte(&w->bytes, I32_ADD);
}

// all vectors of operand k, in memory: inputs and results of functions are there
static void push_block(code_wasm_writer* w, uint32_t value, int k)
{
  const code_ins* x = &w->t->ins.at[value];
  if (w->place[value])
    push_place(w, SCRATCH, w->place[value] - 1);
  else if (x->op == CODE_IN)
    push_place(w, IN, (int)x->a);
  else
    code_wasm_push_address(w, code_wasm_block_at(k));
}

static void store_block(code_wasm_writer* w, uint32_t value, int k)
{
  if (w->place[value] || w->t->ins.at[value].op == CODE_IN) return;
  for (w->pair = 0; w->pair < w->pairs; w->pair++) {
    code_wasm_push_address(w, code_wasm_block_at(k));
    code_wasm_store(w, value, 0);
  }
  w->pair = 0;
}

static void take_place(code_wasm_writer* w, uint32_t value)
{
  w->place[value] = ++w->places;
  w->local[value] = code_wasm_take_local(w);
}

static void block_call(code_wasm_writer* w, int i)
{
  const code_ins* x = &w->t->ins.at[i];
  const uint32_t v[2] = {x->a, x->b};
  for (int k = 0; k < code_op_args(x->op); k++) store_block(w, v[k], k);
  take_place(w, (uint32_t)i);
  if (x->op == CODE_SINCOS) take_place(w, x->b);
  push_place(w, SCRATCH, w->place[i] - 1);
  push_block(w, x->a, 0);
  if (x->op == CODE_SINCOS)
    push_place(w, SCRATCH, w->place[x->b] - 1);
  else if (code_op_args(x->op) == 2)
    push_block(w, x->b, 1);
  else
    code_wasm_push_address(w, code_wasm_block_at(1));
  code_wasm_byte(&w->bytes, CALL);
  code_wasm_unsigned(&w->bytes, (uint32_t)w->import_of[x->op] - 1);
  give_up_operands(w, (uint32_t)i);
  if (w->last[i] == i) base_push(&w->free, w->local[i]);
}

int code_wasm_slots(const code_tape* t)
{
  int places = 0;
  for (int i = 0; i < t->ins.n; i++)
    if (code_wasm_function(t->ins.at[i].op)) places += t->ins.at[i].op == CODE_SINCOS ? 2 : 1;
  return places;
}

// ---- the module ---------------------------------------------------------------------------------

// nothing is written where they stand in the tape
static bool is_silent(uint32_t op)
{
  return op == CODE_CONST || op == CODE_IN || op == CODE_COSINE;
}

// A browser takes all it can from memory before it computes, up to the next number that goes there:
// outputs go as soon as they are known, which also tells it that they are done with.
static bool goes_at_once(const code_wasm_writer* w, uint32_t value)
{
  const uint32_t op = w->t->ins.at[value].op;
  return !is_silent(op) && !is_block_call(w, op);
}

static void find_last_uses(code_wasm_writer* w)
{
  for (int i = 0; i < w->t->ins.n; i++) {
    const code_ins* x = &w->t->ins.at[i];
    const uint32_t v[3] = {x->a, x->b, x->c};
    w->last[i] = i;
    for (int k = 0; k < code_op_args(x->op); k++) w->last[v[k]] = i;
  }
  for (int i = 0; i < w->t->outputs; i++) {
    const uint32_t value = w->t->out[i];
    if (!goes_at_once(w, value)) w->last[value] = w->t->ins.n;
    w->next_output[i] = w->output[value];
    w->output[value] = i + 1;
  }
}

static void store_output(code_wasm_writer* w, int i)
{
  code_wasm_byte(&w->bytes, LOCAL_GET);
  code_wasm_unsigned(&w->bytes, OUT);
  code_wasm_store(w, w->t->out[i], i);
}

static void one_vector(code_wasm_writer* w, int i)
{
  operation(w, &w->t->ins.at[i]);
  // operands of a vector are read before it is kept, and may be in its place
  if (w->pair == 0) give_up_operands(w, (uint32_t)i);
  code_wasm_keep(w, (uint32_t)i);
  for (int o = w->output[i]; o; o = w->next_output[o - 1]) store_output(w, o - 1);
}

// One vector of all values of a stretch without calls after the other: what a browser has in
// registers at a time is then that of one vector. Each has locals of its own, those that it shares
// with other values are free for all of them alike.
static void stretch(code_wasm_writer* w, int from, int to)
{
  for (w->pair = 0; w->pair < w->pairs; w->pair++) {
    w->stretch++;
    for (int i = from; i < to; i++) {
      const code_ins* x = &w->t->ins.at[i];
      if (x->op == CODE_IN && w->pair == 0) w->local[i] = code_wasm_take_local(w);
      if (!is_silent(x->op)) one_vector(w, i);
      if (x->op == CODE_CONST || x->op == CODE_COSINE || w->pair > 0) continue;
      if (x->op == CODE_SINCOS) keep_cosine(w, x->b);
      if (w->last[i] == i) base_push(&w->free, w->local[i]);
    }
    for (int o = 0; o < w->t->outputs && to == w->t->ins.n; o++)
      if (!goes_at_once(w, w->t->out[o])) store_output(w, o);
  }
  w->pair = 0;
}

static void body(code_wasm_writer* w)
{
  for (int i = 0, to = 0;; i = to) {
    while (to < w->t->ins.n && !is_block_call(w, w->t->ins.at[to].op)) to++;
    stretch(w, i, to);
    if (to == w->t->ins.n) break;
    block_call(w, to++);
  }
  code_wasm_byte(&w->bytes, END);
}

static void find_imports(code_wasm_writer* w, code_wasm_module* m)
{
  for (int i = 0; i < w->t->ins.n; i++) {
    const uint32_t op = w->t->ins.at[i].op;
    if (op >= CODE_END || w->import_of[op] || !code_wasm_function(op)) continue;
    m->function[w->imports] = op;
    w->import_of[op] = ++w->imports;
  }
  m->functions = w->imports;
}

static void assemble(code_wasm_writer* w, code_wasm_module* m)
{
  code_wasm_bytes* b = &m->bytes;
  code_wasm_raw(b, "\0asm\1\0\0", 8);
  code_wasm_types(b);
  code_wasm_imports(b, m);
  code_wasm_section(b, 3, 2, (int[]){1, WASM_RUNNER});
  code_wasm_section(b, 7, 5, (int[]){1, 1, 'r', 0, m->functions});
  code_wasm_byte(b, 10);
  const int start = b->n;
  code_wasm_byte(b, 1);
  const int function = b->n;
  code_wasm_byte(b, 1);
  code_wasm_unsigned(b, (uint32_t)(w->pairs * w->locals));
  code_wasm_byte(b, w->fused ? V128 : F64);
  code_wasm_raw(b, w->bytes.at, (size_t)w->bytes.n);
  code_wasm_enclose(b, function);
  code_wasm_enclose(b, start);
}

bool code_wasm_write(code_wasm_module* m, const code_tape* t, int width, bool fused)
{
  *m = (code_wasm_module){.width = width};
  if (width > 1 && !fused) return false;
  code_wasm_writer w = {
      .t = t, .fused = fused, .width = width, .pairs = width == 1 ? 1 : width / 2};
  w.local = base_alloc((size_t)t->ins.n * sizeof *w.local + 1);
  w.last = base_alloc((size_t)t->ins.n * sizeof *w.last + 1);
  w.place = base_alloc((size_t)t->ins.n * sizeof *w.place + 1);
  w.loaded = base_alloc((size_t)t->ins.n * sizeof *w.loaded + 1);
  w.output = base_alloc((size_t)t->ins.n * sizeof *w.output + 1);
  w.next_output = base_alloc((size_t)t->outputs * sizeof *w.next_output + 1);
  find_imports(&w, m);
  find_last_uses(&w);
  body(&w);
  const bool fits = w.pairs * w.locals <= most_locals && w.bytes.n <= most_bytes;
  if (fits) assemble(&w, m);
  free(w.local);
  free(w.last);
  free(w.place);
  free(w.loaded);
  free(w.output);
  free(w.next_output);
  base_list_free(&w.free);
  base_list_free(&w.bytes);
  return fits;
}
