// Kernels written value by value, and from other kernels.
#include "code/kernel.h"

#include <stdlib.h>

struct code_draft
{
  code_maker maker;
};

code_draft* code_draft_new(int inputs)
{
  code_draft* d = base_alloc(sizeof *d);
  code_maker_start(&d->maker, inputs, 0);
  return d;
}

int code_draft_input(code_draft* d, int i)
{
  return (int)code_make_in(&d->maker, i);
}

int code_draft_number(code_draft* d, double x)
{
  return (int)code_make_const(&d->maker, x);
}

int code_draft_fma(code_draft* d, int a, int b, int c)
{
  return (int)code_make(&d->maker, CODE_FMA, (uint32_t)a, (uint32_t)b, (uint32_t)c);
}

int code_draft_mul(code_draft* d, int a, int b)
{
  return (int)code_make(&d->maker, CODE_MUL, (uint32_t)a, (uint32_t)b, 0);
}

int code_draft_sub(code_draft* d, int a, int b)
{
  return (int)code_make(&d->maker, CODE_SUB, (uint32_t)a, (uint32_t)b, 0);
}

int code_draft_least(code_draft* d, int a, int b)
{
  return (int)code_make(&d->maker, CODE_MIN, (uint32_t)a, (uint32_t)b, 0);
}

// a pair of sine and cosine is taken apart here, and put together again at the end
static uint32_t copy(code_draft* d, const code_ins* x, const uint32_t* at, const int* in)
{
  code_maker* m = &d->maker;
  const int args = code_op_args(x->op);
  switch (x->op) {
  case CODE_CONST:
    return code_make_const(m, code_ins_const(x));
  case CODE_IN:
    return (uint32_t)in[x->a];
  case CODE_SINCOS:
    return code_make(m, CODE_SIN, at[x->a], 0, 0);
  case CODE_COSINE:
    return code_make(m, CODE_COS, at[x->b], 0, 0);
  default:
    return code_make(m, x->op, at[x->a], args > 1 ? at[x->b] : 0, args > 2 ? at[x->c] : 0);
  }
}

void code_draft_put(code_draft* d, const code_kernel* k, const int* in, int* out)
{
  const code_tape* t = &k->tape;
  uint32_t* at = base_alloc(sizeof *at * (size_t)(t->ins.n + 1));
  for (int i = 0; i < t->ins.n; i++) at[i] = copy(d, &t->ins.at[i], at, in);
  for (int i = 0; i < t->outputs; i++) out[i] = (int)at[t->out[i]];
  free(at);
}

// made of inputs from `from` on and of numbers alone?
static bool* find_steady(const code_tape* t, int from)
{
  bool* steady = base_alloc((size_t)t->ins.n + 1);
  for (int i = 0; i < t->ins.n; i++) {
    const code_ins* x = &t->ins.at[i];
    const uint32_t v[3] = {x->op == CODE_COSINE ? x->b : x->a, x->b, x->c};
    steady[i] = x->op != CODE_IN || (int)x->a >= from;
    for (int k = 0; k < code_op_args(x->op) + (x->op == CODE_COSINE); k++)
      steady[i] = steady[i] && steady[v[k]];
  }
  return steady;
}

code_kernel* code_by_reciprocals(const code_kernel* k, int from)
{
  const code_tape* t = &k->tape;
  code_draft* d = code_draft_new(t->inputs);
  code_maker* m = &d->maker;
  bool* steady = find_steady(t, from);
  int* in = base_alloc(sizeof *in * (size_t)(t->inputs + t->outputs + 1));
  for (int i = 0; i < t->inputs; i++) in[i] = code_draft_input(d, i);
  uint32_t* at = base_alloc(sizeof *at * (size_t)(t->ins.n + 1));
  for (int i = 0; i < t->ins.n; i++) {
    const code_ins* x = &t->ins.at[i];
    if ((x->op == CODE_DIV || x->op == CODE_NDIV) && steady[x->b] && !steady[x->a])
      at[i] = code_make(m, x->op == CODE_DIV ? CODE_MUL : CODE_NMUL, at[x->a],
                        code_make(m, CODE_DIV, code_make_const(m, 1), at[x->b], 0), 0);
    else
      at[i] = copy(d, x, at, in);
  }
  int* out = in + t->inputs;
  for (int i = 0; i < t->outputs; i++) out[i] = (int)at[t->out[i]];
  code_kernel* made = code_draft_end(d, t->outputs, out);
  free(steady);
  free(in);
  free(at);
  return made;
}

code_kernel* code_draft_end(code_draft* d, int outputs, const int* out)
{
  code_tape t = d->maker.tape;
  code_maker_end(&d->maker);
  free(d);
  free(t.out);
  t.outputs = outputs;
  t.out = base_alloc(sizeof *t.out * (size_t)(outputs + 1));
  for (int i = 0; i < outputs; i++) t.out[i] = (uint32_t)out[i];
  code_pair(&t);
  return code_kernel_finish(&t);
}
