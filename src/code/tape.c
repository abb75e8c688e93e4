// Operations by their table, and the tape's builder: equal instructions are made once, constants
// are folded.
#include "code/roll.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct
{
  const char* name;
  const char* text;
} ops[] = {
#define X(NAME, TEXT, ARGS, VALUE) [CODE_##NAME] = {TEXT, #VALUE},
    CODE_OP_LIST(X)
#undef X
        [CODE_CONST] = {"const", ""},
    [CODE_IN] = {"in", ""},
    [CODE_SINCOS] = {"sincos", ""},
    [CODE_COSINE] = {"cosine", ""},
    [CODE_PAIR] = {"pair", ""},
    [CODE_QUAD] = {"quad", ""},
    [CODE_SPREAD] = {"spread", ""},
    [CODE_PICK] = {"pick", ""},
    [CODE_NUMBERS] = {"numbers", ""},
    [CODE_END] = {"end", ""},
};

const char* code_op_name(uint32_t op)
{
  assert(op <= CODE_END);
  return ops[op].name;
}

const char* code_op_text(uint32_t op)
{
  assert(op <= CODE_END);
  return ops[op].text;
}

double code_op_value(uint32_t op, double A, double B, double C)
{
  switch (op) {
#define X(NAME, TEXT, ARGS, VALUE) \
  case CODE_##NAME:                \
    return VALUE;
    CODE_OP_LIST(X)
#undef X
  default:
    assert(!"an operation with a value");
    return NAN;
  }
}

double code_ins_const(const code_ins* x)
{
  assert(x->op == CODE_CONST);
  uint64_t bits = (uint64_t)x->b << 32 | x->a;
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

void code_tape_free(code_tape* t)
{
  base_list_free(&t->ins);
  base_list_free(&t->way);
  free(t->out);
  t->out = NULL;
  code_loops_free(t->loops);
  t->loops = NULL;
}

// ---- building -----------------------------------------------------------------------------------

void code_maker_start(code_maker* m, int inputs, int outputs)
{
  memset(m, 0, sizeof *m);
  m->tape.inputs = inputs;
  m->tape.outputs = outputs;
  m->tape.out = base_alloc((size_t)outputs * sizeof *m->tape.out + 1);
  m->mask = 255;
  m->table = base_alloc(((size_t)m->mask + 1) * sizeof *m->table);
}

void code_maker_end(code_maker* m)
{
  free(m->table);
  m->table = NULL;
}

static uint32_t hash(const code_ins* x)
{
  const uint64_t h = ((uint64_t)x->a << 32 | x->b) * 0x9e3779b97f4a7c15u;
  return (uint32_t)(((h ^ (h >> 29) ^ ((uint64_t)x->c << 32 | x->op)) * 0xbf58476d1ce4e5b9u) >> 32);
}

static bool is_same(const code_ins* x, const code_ins* y)
{
  return x->a == y->a && x->op == y->op && x->b == y->b && x->c == y->c;
}

// Where an instruction is looked for: near those of what is made of values as late, and where NEAR
// of these places are taken near those of them that found none either, anywhere in the table. Of a
// long tape what is at work stays in the cache.
enum { NEAR = 8, SPREAD = 64, TRIES = 6 };

typedef struct search
{
  uint32_t hash, at, group;
  int left, tries; // places nearby and groups of places that are still to be looked at
} search;

static inline search search_for(const code_ins* x)
{
  const uint32_t h = hash(x), some = x->a > x->b ? x->a : x->b, latest = some > x->c ? some : x->c,
                 group = 2 * latest / SPREAD;
  const bool number = x->op == CODE_CONST;
  return (search){h, number ? h : group * SPREAD + h % SPREAD, group, NEAR, number ? 0 : TRIES};
}

static inline void step_on(search* s)
{
  if (--s->left > 0) {
    s->at++;
  } else if (s->tries > 0) {
    const uint64_t other = ((uint64_t)s->group * TRIES + (uint64_t)s->tries) * 0x9e3779b97f4a7c15u;
    s->at = (uint32_t)(other >> 32) * SPREAD + (s->hash >> s->tries) % SPREAD;
    s->left = NEAR;
    s->tries--;
  } else {
    s->at += s->hash / SPREAD | 1;
  }
}

// the place of an equal instruction, or the empty place where it belongs
static uint32_t* place(code_maker* m, const code_ins* x)
{
  for (search s = search_for(x);; step_on(&s)) {
    uint32_t* const at = &m->table[s.at & m->mask];
    if (!*at || is_same(&m->tape.ins.at[*at - 1], x)) return at;
  }
}

// all on the tape differ
static void grow(code_maker* m)
{
  free(m->table);
  m->mask = 2 * m->mask + 1;
  m->table = base_alloc(((size_t)m->mask + 1) * sizeof *m->table);
  for (int i = 0; i < m->tape.ins.n; i++) {
    search s = search_for(&m->tape.ins.at[i]);
    while (m->table[s.at & m->mask]) step_on(&s);
    m->table[s.at & m->mask] = (uint32_t)i + 1;
  }
}

static uint32_t share(code_maker* m, code_ins x)
{
  uint32_t* at = place(m, &x);
  if (*at) return *at - 1;
  base_push(&m->tape.ins, x);
  uint32_t made = (uint32_t)m->tape.ins.n - 1;
  *at = made + 1;
  // at most half full
  if ((uint32_t)m->tape.ins.n > m->mask / 2) grow(m);
  return made;
}

uint32_t code_make_const_apart(code_maker* m, double x, uint32_t tag)
{
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return share(m, (code_ins){CODE_CONST, (uint32_t)bits, (uint32_t)(bits >> 32), tag});
}

uint32_t code_make_const(code_maker* m, double x)
{
  return code_make_const_apart(m, x, 0);
}

uint32_t code_make_in(code_maker* m, int i)
{
  assert(i >= 0 && i < m->tape.inputs);
  return share(m, (code_ins){CODE_IN, (uint32_t)i, 0, 0});
}

uint32_t code_make_number(code_maker* m, base_wide x)
{
  assert(m->exact && x.hi >= 0);
  if (x.lo == 0) return code_make_const(m, x.hi);
  const int before = m->tape.inputs - m->numbers.n;
  for (int i = 0; i < m->numbers.n; i++)
    if (base_wide_equal(m->numbers.at[i], x)) return code_make_in(m, before + i);
  base_push(&m->numbers, x);
  m->tape.inputs++;
  return code_make_in(m, m->tape.inputs - 1);
}

bool code_is_const(const code_maker* m, uint32_t value, double* x)
{
  const code_ins* ins = &m->tape.ins.at[value];
  if (ins->op != CODE_CONST) return false;
  *x = code_ins_const(ins);
  return true;
}

uint32_t code_make_neg(code_maker* m, uint32_t a)
{
  code_ins x = m->tape.ins.at[a];
  if (x.op == CODE_NEG) return x.a;
  // rounding is symmetric, so the difference turned round is the same number
  if (x.op == CODE_SUB) return code_make(m, CODE_SUB, x.b, x.a, 0);
  return code_make(m, CODE_NEG, a, 0, 0);
}

// the operand that alone is the result: x + 0, x * 1, x / 1, the lesser of x and x; false where
// there is none
static bool shorten(const code_maker* m, uint32_t op, uint32_t a, uint32_t b, uint32_t* made)
{
  if ((op == CODE_MIN || op == CODE_MAX) && a == b) return *made = a, true;
  bool adds = op == CODE_ADD || op == CODE_SUB, scales = op == CODE_MUL || op == CODE_DIV;
  if (!adds && !scales) return false;
  double neutral = adds ? 0 : 1, x = NAN, y = NAN;
  bool swaps = op == CODE_ADD || op == CODE_MUL;
  if (code_is_const(m, b, &y) && y == neutral) return *made = a, true;
  if (swaps && code_is_const(m, a, &x) && x == neutral) return *made = b, true;
  return false;
}

// is the value a double?
static bool folds_exactly(uint32_t op, double a, double b)
{
  switch (op) {
  case CODE_ADD:
    return base_wide_two_sum(a, b).lo == 0;
  case CODE_SUB:
    return base_wide_two_sum(a, -b).lo == 0;
  case CODE_MUL:
    return base_wide_two_product(a, b).lo == 0;
  case CODE_NEG:
  case CODE_ABS:
  case CODE_SIGN:
  case CODE_MIN:
  case CODE_MAX:
  case CODE_LESS:
  case CODE_LESS_EQ:
  case CODE_SELECT:
    return true;
  default:
    return false;
  }
}

// the value of op when all operands are numbers
static bool fold(code_maker* m, uint32_t op, const uint32_t v[3], uint32_t* made)
{
  double x[3] = {0};
  for (int i = 0; i < code_op_args(op); i++)
    if (!code_is_const(m, v[i], &x[i])) return false;
  if (m->exact && !folds_exactly(op, x[0], x[1])) return false;
  *made = code_make_const(m, code_op_value(op, x[0], x[1], x[2]));
  return true;
}

// Does b come before a? Early inputs come first, by their numbers, whichever was met first; the
// rest as they were made.
static bool turned(const code_maker* m, uint32_t a, uint32_t b)
{
  const code_ins *x = &m->tape.ins.at[a], *y = &m->tape.ins.at[b];
  const uint32_t early = (uint32_t)m->tape.early;
  const bool x_early = x->op == CODE_IN && x->a < early, y_early = y->op == CODE_IN && y->a < early;
  if (x_early && y_early) return x->a > y->a;
  return x_early || y_early ? y_early : a > b;
}

uint32_t code_make(code_maker* m, uint32_t op, uint32_t a, uint32_t b, uint32_t c)
{
  assert(op < CODE_CONST && a < (uint32_t)m->tape.ins.n);
  assert(code_op_args(op) < 2 || b < (uint32_t)m->tape.ins.n);
  assert(code_op_args(op) < 3 || c < (uint32_t)m->tape.ins.n);
  uint32_t made;
  if (fold(m, op, (uint32_t[]){a, b, c}, &made) || shorten(m, op, a, b, &made)) return made;
  // one order of the operands, so that a*b and b*a are shared
  if ((op == CODE_ADD || op == CODE_MUL) && turned(m, a, b))
    return share(m, (code_ins){op, b, a, 0});
  return share(m, (code_ins){op, a, b, c});
}
