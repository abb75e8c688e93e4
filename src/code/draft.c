// Kernels written value by value, and from other kernels.
#include "code/kernel.h"

#include <stdlib.h>
#include <string.h>

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

// One kernel is finished after the other. Depth first from the outputs, what waits for itself all
// along, like the speeds of a step from stage to stage, would stand alone in front of the calls of
// functions that could go on beside it, further away than a processor looks.
void code_draft_put(code_draft* d, const code_kernel* k, const int* in, int* out)
{
  const code_tape* t = &k->tape;
  uint32_t* at = base_alloc(sizeof *at * (size_t)(t->ins.n + 1));
  for (int i = 0; i < t->ins.n; i++) at[i] = copy(d, &t->ins.at[i], at, in);
  for (int i = 0; i < t->outputs; i++) {
    out[i] = (int)at[t->out[i]];
    base_push(&d->maker.tape.way, at[t->out[i]]);
  }
  d->maker.tape.led = true;
  free(at);
}

// operands of an instruction, a pair's half asked for its argument
static int operands(const code_ins* x, uint32_t v[3])
{
  v[0] = x->op == CODE_COSINE ? x->b : x->a;
  v[1] = x->b;
  v[2] = x->c;
  return code_op_args(x->op) + (x->op == CODE_COSINE);
}

// made of numbers alone, and of inputs that do not move?
static bool* find_steady(const code_tape* t, const bool* moving)
{
  bool* steady = base_alloc((size_t)t->ins.n + 1);
  for (int i = 0; i < t->ins.n; i++) {
    const code_ins* x = &t->ins.at[i];
    uint32_t v[3];
    steady[i] = x->op != CODE_IN || !moving[x->a];
    for (int k = 0, n = operands(x, v); k < n; k++) steady[i] = steady[i] && steady[v[k]];
  }
  return steady;
}

code_kernel* code_by_reciprocals(const code_kernel* k, int from)
{
  const code_tape* t = &k->tape;
  code_draft* d = code_draft_new(t->inputs);
  code_maker* m = &d->maker;
  bool* moving = base_alloc((size_t)t->inputs + 1);
  for (int i = 0; i < t->inputs; i++) moving[i] = i < from;
  bool* steady = find_steady(t, moving);
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
  free(moving);
  free(steady);
  free(in);
  free(at);
  return made;
}

void code_uses(const code_kernel* k, bool* input)
{
  const code_tape* t = &k->tape;
  memset(input, 0, (size_t)t->inputs);
  for (int i = 0; i < t->ins.n; i++)
    if (t->ins.at[i].op == CODE_IN) input[t->ins.at[i].a] = true;
}

// ---- what stays and what moves ------------------------------------------------------------------

// functions take as long as so many operations
enum { function_cost = 8 };

static int cost_of(const code_ins* x)
{
  if (x->op == CODE_CONST || x->op == CODE_IN || x->op == CODE_COSINE) return 0;
  return (x->op >= CODE_POW && x->op <= CODE_TANH) || x->op == CODE_SINCOS ? function_cost : 1;
}

static int cost(const code_kernel* k)
{
  int sum = 0;
  for (int i = 0; i < k->tape.ins.n; i++) sum += cost_of(&k->tape.ins.at[i]);
  return sum;
}

typedef struct splitting
{
  const code_tape* t;
  const bool* steady;
  bool* wanted;
  int between; // values that stay and are used by what moves
  uint32_t* value;
} splitting;

static bool is_plain(const code_ins* x)
{
  return x->op == CODE_CONST || x->op == CODE_IN;
}

// what these outputs need of what moves, and what of the rest they take from before
static void find_between(splitting* s, int outputs, const int* output)
{
  const code_tape* t = s->t;
  bool* listed = base_alloc((size_t)t->ins.n + 1);
  for (int i = 0; i < outputs; i++)
    if (output[i] >= 0) s->wanted[t->out[output[i]]] = true;
  for (int i = t->ins.n - 1; i >= 0; i--) {
    if (!s->wanted[i]) continue;
    const code_ins* x = &t->ins.at[i];
    if (s->steady[i]) {
      if (!is_plain(x) && !listed[i]) s->value[s->between++] = (uint32_t)i;
      listed[i] = true;
      continue;
    }
    uint32_t v[3];
    for (int k = 0, n = operands(x, v); k < n; k++) s->wanted[v[k]] = true;
  }
  free(listed);
}

// of what moves; a cosine without its sine is a call of its own
static int moving_cost(const splitting* s)
{
  const code_tape* t = s->t;
  int sum = 0;
  for (int i = 0; i < t->ins.n; i++) {
    const code_ins* x = &t->ins.at[i];
    if (!s->wanted[i] || s->steady[i]) continue;
    sum += x->op == CODE_COSINE && !s->wanted[x->a] ? function_cost : cost_of(x);
  }
  return sum;
}

// the kernel of what stays
static code_kernel* steady_part(const splitting* s)
{
  const code_tape* t = s->t;
  code_draft* d = code_draft_new(t->inputs);
  int* in = base_alloc(sizeof *in * (size_t)(t->inputs + s->between + 1));
  for (int i = 0; i < t->inputs; i++) in[i] = code_draft_input(d, i);
  uint32_t* at = base_alloc(sizeof *at * (size_t)(t->ins.n + 1));
  for (int i = 0; i < t->ins.n; i++)
    if (s->steady[i]) at[i] = copy(d, &t->ins.at[i], at, in);
  int* out = in + t->inputs;
  for (int i = 0; i < s->between; i++) out[i] = (int)at[s->value[i]];
  code_kernel* made = code_draft_end(d, s->between, out);
  free(in);
  free(at);
  return made;
}

// that of what moves
static code_kernel* moving_part(const splitting* s, int outputs, const int* output)
{
  const code_tape* t = s->t;
  code_draft* d = code_draft_new(t->inputs + s->between);
  int* in = base_alloc(sizeof *in * (size_t)(t->inputs + outputs + 1));
  for (int i = 0; i < t->inputs; i++) in[i] = code_draft_input(d, i);
  uint32_t* at = base_alloc(sizeof *at * (size_t)(t->ins.n + 1));
  for (int i = 0; i < s->between; i++)
    at[s->value[i]] = (uint32_t)code_draft_input(d, t->inputs + i);
  for (int i = 0; i < t->ins.n; i++)
    if (s->wanted[i] && (!s->steady[i] || is_plain(&t->ins.at[i])))
      at[i] = copy(d, &t->ins.at[i], at, in);
  int* out = in + t->inputs;
  for (int i = 0; i < outputs; i++)
    out[i] = output[i] >= 0 ? (int)at[t->out[output[i]]] : code_draft_number(d, 0);
  code_kernel* made = code_draft_end(d, outputs, out);
  free(in);
  free(at);
  return made;
}

bool code_split(const code_kernel* k, int outputs, const int* output, const bool* moving,
                code_kernel** stays, code_kernel** moves)
{
  const code_tape* t = &k->tape;
  bool* steady = find_steady(t, moving);
  splitting s = {t, steady, base_alloc((size_t)t->ins.n + 1), 0,
                 base_alloc(sizeof *s.value * (size_t)(t->ins.n + 1))};
  find_between(&s, outputs, output);
  // known before any of it is made: a long kernel takes its time
  const bool pays = 4 * moving_cost(&s) <= 3 * cost(k);
  *moves = pays ? moving_part(&s, outputs, output) : NULL;
  *stays = pays && s.between ? steady_part(&s) : NULL;
  free(steady);
  free(s.wanted);
  free(s.value);
  return pays;
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
