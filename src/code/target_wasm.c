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
#include "code/target_wasm.h"

#include <stdlib.h>

enum { F64 = 0x7c, V128 = 0x7b };
enum {
  LOCAL_GET = 0x20,
  LOCAL_SET = 0x21,
  CALL = 0x10,
  SELECT = 0x1b,
  END = 0x0b,
  F64_LOAD = 0x2b,
  F64_STORE = 0x39,
  I32_CONST = 0x41,
  F64_CONST = 0x44,
  F64_EQ = 0x61,
  F64_LT = 0x63,
  F64_GT = 0x64,
  F64_LE = 0x65,
  F64_GE = 0x66,
  F64_ABS = 0x99,
  F64_NEG = 0x9a,
  F64_SQRT = 0x9f,
  F64_ADD = 0xa0,
  F64_SUB = 0xa1,
  F64_MUL = 0xa2,
  F64_DIV = 0xa3,
  VECTOR = 0xfd,
  V_LOAD = 0x00, // behind VECTOR, as all that follow
  V_LOAD_SPLAT = 0x0a,
  V_STORE = 0x0b,
  V_SPLAT = 0x14,
  V_LANE = 0x21,
  V_WITH_LANE = 0x22,
  V_STORE_LANE = 0x5b,
  V_ABS = 0xec,
  V_NEG = 0xed,
  V_SQRT = 0xef,
  V_ADD = 0xf0,
  V_SUB = 0xf1,
  V_MUL = 0xf2,
  V_DIV = 0xf3,
  V_MADD = 0x107,
  V_NMADD = 0x108
};
enum { KERNEL, IN, OUT, SCRATCH, PARAMS };
// browsers take up to 50,000 locals and 7 MB of code
enum { most_locals = 40000, most_bytes = 6000000 };

typedef struct writer
{
  const code_tape* t;
  code_wasm_bytes bytes;
  bool fused;              // values are vectors
  int width, pairs;        // states side by side; vectors that a value has
  int pair, lane;          // those that are being written
  int imports;             // so far
  int import_of[CODE_END]; // by operation, + 1
  int* local;              // by value
  int* last;               // by value: where it is needed last
  int locals;
  BASE_LIST(int) free;
} writer;

// ---- values -------------------------------------------------------------------------------------

static void vector(writer* w, int op)
{
  code_wasm_byte(&w->bytes, VECTOR);
  code_wasm_unsigned(&w->bytes, (uint32_t)op);
}

static void push_number(writer* w, double x)
{
  code_wasm_byte(&w->bytes, F64_CONST);
  code_wasm_raw(&w->bytes, &x, sizeof x);
}

static void push_address(writer* w, int address)
{
  code_wasm_byte(&w->bytes, I32_CONST);
  code_wasm_signed(&w->bytes, address);
}

// a value of the tape onto the stack, as values are kept
static void push(writer* w, uint32_t value)
{
  const code_ins* x = &w->t->ins.at[value];
  if (x->op != CODE_CONST) {
    code_wasm_byte(&w->bytes, LOCAL_GET);
    code_wasm_unsigned(&w->bytes, (uint32_t)(w->local[value] + w->pair));
  } else if (w->fused) {
    // from where the tape has it: browsers make a vector's constant of four or five instructions
    push_address(w, (int)(intptr_t)&x->a);
    vector(w, V_LOAD_SPLAT);
    code_wasm_raw(&w->bytes, "\2", 2); // aligned to 4 bytes, no offset
  } else
    push_number(w, code_ins_const(x));
}

// and as a number
static void push_scalar(writer* w, uint32_t value)
{
  const code_ins* x = &w->t->ins.at[value];
  if (x->op == CODE_CONST) {
    push_number(w, code_ins_const(x));
    return;
  }
  push(w, value);
  if (!w->fused) return;
  vector(w, V_LANE);
  code_wasm_byte(&w->bytes, w->lane);
}

static void plain(writer* w, int scalar, int vectors)
{
  if (w->fused)
    vector(w, vectors);
  else
    code_wasm_byte(&w->bytes, scalar);
}

static int take_local(writer* w)
{
  if (w->free.n) return w->free.at[--w->free.n];
  return PARAMS + w->pairs * w->locals++;
}

// what is on the stack is a vector of a value
static void keep(writer* w, uint32_t value)
{
  if (w->pair == 0) w->local[value] = take_local(w);
  code_wasm_byte(&w->bytes, LOCAL_SET);
  code_wasm_unsigned(&w->bytes, (uint32_t)(w->local[value] + w->pair));
}

// ---- operations ---------------------------------------------------------------------------------

static void give_up_operands(writer* w, uint32_t at)
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
static void multiply_add(writer* w, const code_ins* x)
{
  const bool negative = x->op == CODE_FNMA || x->op == CODE_FNMS;
  const bool minus = x->op == CODE_FMS || x->op == CODE_FNMS;
  push(w, x->a);
  push(w, x->b);
  if (w->fused) {
    push(w, x->c);
    if (minus) vector(w, V_NEG);
    vector(w, negative ? V_NMADD : V_MADD);
    return;
  }
  code_wasm_byte(&w->bytes, F64_MUL);
  if (negative) code_wasm_byte(&w->bytes, F64_NEG);
  push(w, x->c);
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

static void simple(writer* w, const code_ins* x)
{
  push(w, x->a);
  if (x->op == CODE_NMUL || x->op == CODE_NDIV) plain(w, F64_NEG, V_NEG);
  if (code_op_args(x->op) == 2) push(w, x->b);
  plain(w, instruction[x->op].scalar, instruction[x->op].vectors);
}

static void compare(writer* w, uint32_t a, uint32_t b, int op)
{
  push_scalar(w, a);
  push_scalar(w, b);
  code_wasm_byte(&w->bytes, op);
}

static void compare_zero(writer* w, uint32_t a, int op)
{
  push_scalar(w, a);
  push_number(w, 0);
  code_wasm_byte(&w->bytes, op);
}

static void sum(writer* w, uint32_t a, uint32_t b)
{
  push_scalar(w, a);
  push_scalar(w, b);
  code_wasm_byte(&w->bytes, F64_ADD);
}

static void splat(writer* w)
{
  if (w->fused) vector(w, V_SPLAT);
}

// `select` takes the first of two values where the condition holds
static void choose_scalar(writer* w, const code_ins* x)
{
  const uint32_t a = x->a, b = x->b, c = x->c;
  code_wasm_bytes* to = &w->bytes;
  switch (x->op) {
  case CODE_SIGN: // A > 0 ? 1 : A < 0 ? -1 : A
    push_number(w, 1), push_number(w, -1), push_scalar(w, a);
    compare_zero(w, a, F64_LT), code_wasm_byte(to, SELECT);
    compare_zero(w, a, F64_GT), code_wasm_byte(to, SELECT);
    break;
  case CODE_MIN: // A < B ? A : B <= A ? B : A + B
  case CODE_MAX:
    push_scalar(w, a), push_scalar(w, b), sum(w, a, b);
    compare(w, b, a, x->op == CODE_MIN ? F64_LE : F64_GE), code_wasm_byte(to, SELECT);
    compare(w, a, b, x->op == CODE_MIN ? F64_LT : F64_GT), code_wasm_byte(to, SELECT);
    break;
  case CODE_LESS: // A < B ? 1 : A >= B ? 0 : A + B
  case CODE_LESS_EQ:
    push_number(w, 1), push_number(w, 0), sum(w, a, b);
    compare(w, a, b, x->op == CODE_LESS ? F64_GE : F64_GT), code_wasm_byte(to, SELECT);
    compare(w, a, b, x->op == CODE_LESS ? F64_LT : F64_LE), code_wasm_byte(to, SELECT);
    break;
  default: // A > 0 ? B : A == 0 ? C : A
    push_scalar(w, b), push_scalar(w, c), push_scalar(w, a);
    compare_zero(w, a, F64_EQ), code_wasm_byte(to, SELECT);
    compare_zero(w, a, F64_GT), code_wasm_byte(to, SELECT);
  }
}

// lane by lane
static void choose(writer* w, const code_ins* x)
{
  choose_scalar(w, x);
  splat(w);
  if (w->width == 1) return;
  w->lane = 1;
  choose_scalar(w, x);
  w->lane = 0;
  vector(w, V_WITH_LANE);
  code_wasm_byte(&w->bytes, 1);
}

static void call(writer* w, const code_ins* x)
{
  for (int k = 0; k < code_op_args(x->op); k++) push_scalar(w, k == 0 ? x->a : x->b);
  code_wasm_byte(&w->bytes, CALL);
  code_wasm_unsigned(&w->bytes, (uint32_t)w->import_of[x->op] - 1);
  splat(w);
}

static void memory(writer* w, int scalar, int vectors, int offset)
{
  plain(w, scalar, vectors);
  code_wasm_unsigned(&w->bytes, 3); // aligned to 8 bytes
  code_wasm_unsigned(&w->bytes, (uint32_t)offset);
  if (w->fused && vectors == V_STORE_LANE) code_wasm_byte(&w->bytes, 0);
}

// one number, or a vector of a block
static void load_here(writer* w, int place)
{
  const int one = w->width == 1 ? V_LOAD_SPLAT : V_LOAD;
  memory(w, F64_LOAD, one, (place * w->width + 2 * w->pair) * (int)sizeof(double));
}

static void store_here(writer* w, int place)
{
  const int one = w->width == 1 ? V_STORE_LANE : V_STORE;
  memory(w, F64_STORE, one, (place * w->width + 2 * w->pair) * (int)sizeof(double));
}

static void load(writer* w, int from, int place)
{
  code_wasm_byte(&w->bytes, LOCAL_GET);
  code_wasm_unsigned(&w->bytes, (uint32_t)from);
  load_here(w, place);
}

// For the first vector the operands go to memory, whole, and the function is called; then each
// vector of what comes back is loaded.
static void call_block(writer* w, const code_ins* x)
{
  if (w->pair == 0) {
    for (int k = 0; k < code_op_args(x->op); k++)
      for (w->pair = 0; w->pair < w->pairs; w->pair++) {
        push_address(w, code_wasm_block_at(1 + k));
        push(w, k == 0 ? x->a : x->b);
        store_here(w, 0);
      }
    w->pair = 0;
    for (int k = 0; k < 3; k++) push_address(w, code_wasm_block_at(k));
    code_wasm_byte(&w->bytes, CALL);
    code_wasm_unsigned(&w->bytes, (uint32_t)w->import_of[x->op] - 1);
  }
  push_address(w, code_wasm_block_at(0));
  load_here(w, 0);
}

// the cosine was left by the call for the sine, and only until the next such call
static void keep_cosine(writer* w, uint32_t value)
{
  for (w->pair = 0; w->pair < w->pairs; w->pair++) {
    push_address(w, w->width == 1 ? code_wasm_cosine_at() : code_wasm_block_at(2));
    load_here(w, 0);
    keep(w, value);
  }
  w->pair = 0;
}

static void operation(writer* w, const code_ins* x)
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
  case CODE_IN:
    load(w, IN, (int)x->a);
    return;
  default:
    if (instruction[x->op].scalar)
      simple(w, x);
    else if (w->width == 1)
      call(w, x);
    else
      call_block(w, x);
  }
}

// ---- the module ---------------------------------------------------------------------------------

static void find_last_uses(writer* w)
{
  for (int i = 0; i < w->t->ins.n; i++) {
    const code_ins* x = &w->t->ins.at[i];
    const uint32_t v[3] = {x->a, x->b, x->c};
    w->last[i] = i;
    for (int k = 0; k < code_op_args(x->op); k++) w->last[v[k]] = i;
  }
  for (int i = 0; i < w->t->outputs; i++) w->last[w->t->out[i]] = w->t->ins.n;
}

static void body(writer* w)
{
  for (int i = 0; i < w->t->ins.n; i++) {
    const code_ins* x = &w->t->ins.at[i];
    if (x->op == CODE_CONST || x->op == CODE_COSINE) continue;
    // operands of a vector are read before it is kept, and may be in its place
    for (w->pair = 0; w->pair < w->pairs; w->pair++) {
      operation(w, x);
      if (w->pair == 0) give_up_operands(w, (uint32_t)i);
      keep(w, (uint32_t)i);
    }
    w->pair = 0;
    if (x->op == CODE_SINCOS) keep_cosine(w, x->b);
    if (w->last[i] == i) base_push(&w->free, w->local[i]);
  }
  for (int i = 0; i < w->t->outputs; i++)
    for (w->pair = 0; w->pair < w->pairs; w->pair++) {
      code_wasm_byte(&w->bytes, LOCAL_GET);
      code_wasm_unsigned(&w->bytes, OUT);
      push(w, w->t->out[i]);
      store_here(w, i);
    }
  code_wasm_byte(&w->bytes, END);
}

static void find_imports(writer* w, code_wasm_module* m)
{
  for (int i = 0; i < w->t->ins.n; i++) {
    const uint32_t op = w->t->ins.at[i].op;
    if (op >= CODE_END || w->import_of[op] || !code_wasm_function(op)) continue;
    m->function[w->imports] = op;
    w->import_of[op] = ++w->imports;
  }
  m->functions = w->imports;
}

static void assemble(writer* w, code_wasm_module* m)
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
  writer w = {.t = t, .fused = fused, .width = width, .pairs = width == 1 ? 1 : width / 2};
  w.local = base_alloc((size_t)t->ins.n * sizeof *w.local + 1);
  w.last = base_alloc((size_t)t->ins.n * sizeof *w.last + 1);
  find_imports(&w, m);
  find_last_uses(&w);
  body(&w);
  const bool fits = w.pairs * w.locals <= most_locals && w.bytes.n <= most_bytes;
  if (fits) assemble(&w, m);
  free(w.local);
  free(w.last);
  base_list_free(&w.free);
  base_list_free(&w.bytes);
  return fits;
}
