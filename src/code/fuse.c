// Two rewritings of a tape in place: products fused into sums, sine and cosine made together.
#include "code/tape.h"

#include <assert.h>
#include <stdlib.h>

// how often each value is used by what the outputs need; 0 for dead values
static int* count_uses(const code_tape* t)
{
  int* uses = base_alloc((size_t)t->ins.n * sizeof *uses + 1);
  for (int i = 0; i < t->outputs; i++) uses[t->out[i]]++;
  for (int i = t->ins.n - 1; i >= 0; i--) {
    const code_ins* x = &t->ins.at[i];
    assert(x->op != CODE_SINCOS && x->op != CODE_COSINE);
    if (uses[i] == 0) continue;
    const uint32_t v[3] = {x->a, x->b, x->c};
    for (int k = 0; k < code_op_args(x->op); k++) uses[v[k]]++;
  }
  return uses;
}

// a*b + c, a*b - c and c - a*b round once when the product has no other use; of two products the
// later one is fused, which keeps the chain of a long sum short
static void fuse_products(code_tape* t, const int* uses)
{
  for (int i = 0; i < t->ins.n; i++) {
    code_ins* x = &t->ins.at[i];
    if ((x->op != CODE_ADD && x->op != CODE_SUB) || uses[i] == 0) continue;
    const code_ins *a = &t->ins.at[x->a], *b = &t->ins.at[x->b];
    bool fuse_a = a->op == CODE_MUL && uses[x->a] == 1;
    bool fuse_b = b->op == CODE_MUL && uses[x->b] == 1;
    if (fuse_b && (!fuse_a || x->b > x->a))
      *x = (code_ins){x->op == CODE_ADD ? CODE_FMA : CODE_FNMA, b->a, b->b, x->a};
    else if (fuse_a)
      *x = (code_ins){x->op == CODE_ADD ? CODE_FMA : CODE_FMS, a->a, a->b, x->b};
  }
}

// rounding is symmetric, so the negative of each of these is one operation too
static uint32_t negative_of(uint32_t op)
{
  switch (op) {
  case CODE_MUL:
    return CODE_NMUL;
  case CODE_DIV:
    return CODE_NDIV;
  case CODE_FMA:
    return CODE_FNMS;
  case CODE_FMS:
    return CODE_FNMA;
  case CODE_FNMA:
    return CODE_FMS;
  default:
    return CODE_END;
  }
}

// -(a c) with a number c is a (-c); the number takes the place of the product
static bool negate_number(code_tape* t, uint32_t product, code_ins* minus)
{
  const code_ins x = t->ins.at[product];
  if (x.op != CODE_MUL) return false;
  const bool first = t->ins.at[x.a].op == CODE_CONST;
  code_ins number = t->ins.at[first ? x.a : x.b];
  if (number.op != CODE_CONST) return false;
  number.b ^= 1u << 31;
  t->ins.at[product] = number;
  *minus = (code_ins){CODE_MUL, first ? x.b : x.a, product, 0};
  return true;
}

static void fuse_signs(code_tape* t, const int* uses)
{
  for (int i = 0; i < t->ins.n; i++) {
    code_ins* x = &t->ins.at[i];
    if (x->op != CODE_NEG || uses[i] == 0 || uses[x->a] != 1) continue;
    if (negate_number(t, x->a, x)) continue;
    code_ins of = t->ins.at[x->a];
    uint32_t op = negative_of(of.op);
    if (op != CODE_END) *x = (code_ins){op, of.a, of.b, of.c};
  }
}

void code_fuse(code_tape* t)
{
  int* uses = count_uses(t);
  fuse_products(t, uses);
  fuse_signs(t, uses);
  free(uses);
}

void code_pair(code_tape* t)
{
  // by argument: the sine of it + 1
  int* sine = base_alloc((size_t)t->ins.n * sizeof *sine + 1);
  int* uses = count_uses(t);
  for (int i = 0; i < t->ins.n; i++)
    if (t->ins.at[i].op == CODE_SIN && uses[i] > 0) sine[t->ins.at[i].a] = i + 1;
  for (int i = 0; i < t->ins.n; i++) {
    code_ins* x = &t->ins.at[i];
    if (x->op != CODE_COS || uses[i] == 0 || !sine[x->a]) continue;
    uint32_t argument = x->a, s = (uint32_t)sine[argument] - 1;
    t->ins.at[s] = (code_ins){CODE_SINCOS, argument, (uint32_t)i, 0};
    *x = (code_ins){CODE_COSINE, s, argument, 0};
  }
  free(uses);
  free(sine);
}
