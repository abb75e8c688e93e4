// Random tapes: operands from near and far, so that registers run out in every way.
#include "code/tapes.h"

#include <float.h>
#include <math.h>

static uint32_t pick(graph_random* r, const code_maker* m)
{
  const uint32_t n = (uint32_t)m->tape.ins.n;
  const uint32_t reach = (uint32_t[]){8, 40, 300, n}[graph_below(r, 4)];
  return n - 1 - graph_below(r, reach < n ? reach : n);
}

static bool is_function(uint32_t op)
{
  return op >= CODE_POW && op <= CODE_TANH;
}

static uint32_t pick_op(graph_random* r, bool tame)
{
  // mostly arithmetic, as tapes of mechanics are; the fused operations come from fusing
  static const uint32_t common[] = {CODE_ADD, CODE_SUB, CODE_MUL, CODE_MUL, CODE_ADD, CODE_NEG};
  if (graph_below(r, 3)) return common[graph_below(r, 6)];
  uint32_t op;
  do op = graph_below(r, CODE_CONST);
  while (tame && is_function(op));
  return op;
}

// long tapes would lose all numbers to overflow
static uint32_t between_ones(code_maker* m, uint32_t a)
{
  const uint32_t one = code_make_const(m, 1), minus_one = code_make_const(m, -1);
  return code_make(m, CODE_MIN, code_make(m, CODE_MAX, a, minus_one, 0), one, 0);
}

code_kernel* tape_kernel(graph_random* r, int size, bool tame)
{
  code_maker m;
  code_maker_start(&m, TAPE_INPUTS, TAPE_OUTPUTS);
  for (int i = 0; i < TAPE_INPUTS; i++) code_make_in(&m, i);
  code_make_const(&m, 0.75);
  uint32_t angle = 0;
  for (int i = 0; i < size; i++) {
    const uint32_t op = pick_op(r, tame);
    uint32_t a = pick(r, &m);
    // sine and cosine often share their argument
    if (op == CODE_SIN || op == CODE_COS) angle = a = graph_below(r, 2) ? angle : a;
    if (tame && graph_below(r, 2)) a = between_ones(&m, a);
    if (tame && op == CODE_SQRT) a = code_make(&m, CODE_ABS, a, 0, 0);
    if (graph_below(r, 40) == 0) code_make_const(&m, graph_between(r, -2, 2));
    const int n = code_op_args(op);
    code_make(&m, op, a, n > 1 ? pick(r, &m) : 0, n > 2 ? pick(r, &m) : 0);
  }
  for (int i = 0; i < TAPE_OUTPUTS; i++) m.tape.out[i] = pick(r, &m);
  code_maker_end(&m);
  return code_kernel_new(&m.tape);
}

double tape_input(graph_random* r)
{
  static const double special[] = {NAN,      INFINITY, -INFINITY, 0.0, -0.0, DBL_TRUE_MIN, DBL_MAX,
                                   -DBL_MIN, 1e-310,   1e300,     1.0, -1.0, 3e9};
  if (graph_below(r, 12) == 0) return special[graph_below(r, sizeof special / sizeof *special)];
  return graph_between(r, -3, 3);
}
