// A jet from a kernel's tape: places of the series, helper series, steps.
#include "code/jet.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { wide = 8 }; // doubles of the widest vectors

// helper series an operation keeps beside its value
static int helpers(uint32_t op)
{
  switch (op) {
  case CODE_EXP:
  case CODE_LOG:
    return 1;
  case CODE_POW:
  case CODE_SIN:
  case CODE_COS:
  case CODE_TAN:
  case CODE_ATAN:
  case CODE_SINH:
  case CODE_COSH:
  case CODE_TANH:
  case CODE_ASIN:
  case CODE_ACOS:
  case CODE_ATAN2:
    return 2;
  case CODE_SINCOS:
    return 1;
  default:
    return 0;
  }
}

typedef struct making
{
  code_jet* j;
  const code_tape* t;
  const bool* needed; // per value
  jet_numbers* numbers;
  bool* steady; // with them, per value: a number, and which
  base_wide* value;
  uint32_t next; // place of the next helper
} making;

static uint32_t place(const making* m, uint32_t value)
{
  return value * (uint32_t)m->j->stride;
}

static bool number(const making* m, uint32_t value, double* z)
{
  const code_ins* x = &m->t->ins.at[value];
  if (m->numbers && m->steady[value]) return *z = m->value[value].hi, true;
  if (x->op != CODE_CONST) return false;
  *z = code_ins_const(x);
  return true;
}

static bool is_product(uint32_t op)
{
  return op == CODE_MUL || op == CODE_NMUL || op == CODE_FMA || op == CODE_FMS || op == CODE_FNMA ||
         op == CODE_FNMS;
}

// what a product with a number becomes
static uint32_t scaled_op(uint32_t op)
{
  if (op == CODE_MUL || op == CODE_NMUL) return JET_SCALE;
  return op == CODE_FMA || op == CODE_FNMA ? JET_AXPY : JET_AXMY;
}

// products with a number need no convolution
static void simplify(const making* m, const code_ins* x, jet_step* s)
{
  double z;
  if (is_product(x->op) && (number(m, x->a, &z) || number(m, x->b, &z))) {
    const bool first = number(m, x->a, &z);
    s->a = place(m, first ? x->b : x->a);
    s->b = place(m, first ? x->a : x->b);
    const bool minus = x->op == CODE_NMUL || x->op == CODE_FNMA || x->op == CODE_FNMS;
    s->z = minus ? -z : z;
    s->op = scaled_op(x->op);
  } else if ((x->op == CODE_DIV || x->op == CODE_NDIV) && number(m, x->b, &z)) {
    s->op = JET_OVER;
    s->z = x->op == CODE_DIV ? z : -z;
  } else if (x->op == CODE_POW && number(m, x->b, &z)) {
    s->op = JET_POWER;
    s->z = z;
  }
}

static uint32_t helper(making* m)
{
  const uint32_t at = m->next;
  m->j->live_at[m->j->live++] = at;
  m->next += (uint32_t)m->j->stride;
  return at;
}

// a ^ b with b a series: exp(b log a)
static void add_power(making* m, uint32_t value, const code_ins* x)
{
  jet_step* s = m->j->step + m->j->steps;
  m->j->steps += 3;
  m->j->live_at[m->j->live++] = place(m, value);
  s[0] = (jet_step){.op = CODE_LOG, .d = helper(m), .a = place(m, x->a), .x = helper(m)};
  s[1] = (jet_step){.op = CODE_MUL, .d = helper(m), .a = s[0].d, .b = place(m, x->b)};
  s[2] = (jet_step){.op = CODE_EXP, .d = place(m, value), .a = s[1].d, .x = helper(m)};
}

static void add_step(making* m, uint32_t value)
{
  const code_ins* x = &m->t->ins.at[value];
  double z;
  if (x->op == CODE_POW && !number(m, x->b, &z)) {
    add_power(m, value, x);
    return;
  }
  const int args = code_op_args(x->op);
  jet_step* s = &m->j->step[m->j->steps++];
  *s = (jet_step){.op = x->op, .d = place(m, value)};
  m->j->live_at[m->j->live++] = s->d;
  if (x->op == CODE_SINCOS) {
    s->a = place(m, x->a);
    s->y = place(m, x->b);
    m->j->live_at[m->j->live++] = s->y;
  } else {
    if (args > 0) s->a = place(m, x->a);
    if (args > 1) s->b = place(m, x->b);
    if (args > 2) s->c = place(m, x->c);
  }
  const int count = helpers(x->op);
  if (count > 0) s->x = helper(m);
  if (count > 1) s->y = helper(m);
  simplify(m, x, s);
}

// every value, in the order of the tape; inputs that the tape does not use get a series too
static void lay_out(making* m)
{
  code_jet* j = m->j;
  const code_tape* t = m->t;
  bool* used = base_alloc((size_t)j->inputs + 1);
  for (int i = 0; i < t->ins.n; i++) {
    const code_ins* x = &t->ins.at[i];
    const uint32_t value = (uint32_t)i;
    double z;
    if (number(m, value, &z)) {
      if (m->numbers) m->numbers->low[j->constants] = m->value[i].lo;
      j->const_at[j->constants] = place(m, value);
      j->constant[j->constants++] = z;
    } else if (x->op == CODE_IN) {
      j->in[x->a] = place(m, value);
      j->live_at[j->live++] = j->in[x->a];
      used[x->a] = true;
    } else if (x->op != CODE_COSINE && m->needed[i]) {
      add_step(m, value);
    }
  }
  for (int i = 0; i < j->inputs; i++) {
    if (used[i]) continue;
    j->in[i] = m->next;
    m->next += (uint32_t)j->stride;
  }
  free(used);
}

// what is made of numbers alone
static void find_steady(making* m)
{
  const code_tape* t = m->t;
  for (int i = 0; i < t->ins.n; i++) {
    const code_ins* x = &t->ins.at[i];
    base_wide* w = &m->value[i];
    const int own = m->numbers->own;
    if (x->op == CODE_CONST) {
      *w = base_wide_of(code_ins_const(x));
      m->steady[i] = true;
    } else if (x->op == CODE_IN) {
      m->steady[i] = (int)x->a >= own;
      if (m->steady[i]) *w = m->numbers->value[(int)x->a - own];
    } else if (x->op == CODE_COSINE || x->op == CODE_SINCOS) {
      const uint32_t angle = x->op == CODE_COSINE ? x->b : x->a;
      m->steady[i] = m->steady[angle];
      const uint32_t op = x->op == CODE_COSINE ? CODE_COS : CODE_SIN;
      if (m->steady[i]) *w = code_wide_value(op, m->value[angle], *w, *w);
    } else {
      const uint32_t v[3] = {x->a, x->b, x->c};
      base_wide z[3] = {0};
      m->steady[i] = true;
      for (int k = 0; k < code_op_args(x->op); k++) {
        m->steady[i] = m->steady[i] && m->steady[v[k]];
        z[k] = m->value[v[k]];
      }
      if (m->steady[i]) *w = code_wide_value(x->op, z[0], z[1], z[2]);
    }
  }
}

static void find_stretches(code_jet* j)
{
  j->stretch = base_alloc((size_t)(j->steps + 1) * sizeof *j->stretch);
  int n = 0;
  for (int i = 0; i < j->steps; i++) {
    if (n == 0 || j->stretch[n - 1].op != j->step[i].op)
      j->stretch[n++] = (code_stretch){j->step[i].op, 0};
    j->stretch[n - 1].count++;
  }
  j->stretch[n] = (code_stretch){CODE_END, 0};
}

// what the outputs asked for are made of; a cosine comes with its pair
static bool* find_needed(const code_tape* t, int count, const int* outputs)
{
  bool* needed = base_alloc((size_t)t->ins.n + 1);
  for (int i = 0; i < count; i++) needed[t->out[outputs[i]]] = true;
  for (int i = t->ins.n - 1; i >= 0; i--) {
    const code_ins* x = &t->ins.at[i];
    if (!needed[i]) continue;
    const uint32_t v[3] = {x->a, x->b, x->c};
    const int args = x->op == CODE_COSINE ? 1 : code_op_args(x->op);
    for (int k = 0; k < args; k++) needed[v[k]] = true;
  }
  return needed;
}

code_jet* code_jet_new(const code_kernel* k, int order, int extra)
{
  const int count = k->tape.outputs;
  int* all = base_alloc((size_t)(count + 1) * sizeof *all);
  for (int i = 0; i < count; i++) all[i] = i;
  code_jet* j = code_jet_new_of(k, count, all, order, extra);
  free(all);
  return j;
}

code_jet* code_jet_new_of(const code_kernel* k, int count, const int* outputs, int order, int extra)
{
  return code_jet_build(&k->tape, count, outputs, order, extra, NULL);
}

code_jet* code_jet_build(const code_tape* tape, int count, const int* outputs, int order, int extra,
                         jet_numbers* numbers)
{
  assert(order >= 0 && extra >= 0);
  code_jet* j = base_alloc(sizeof *j);
  code_tape t = code_group(tape);
  j->order = order;
  j->own = numbers ? numbers->own : t.inputs;
  j->inputs = j->own + extra;
  j->outputs = count;
  j->stride = (order + wide) / wide * wide + wide;
  j->now = (uint32_t)j->stride - 1; // behind what sums reach
  const size_t n = (size_t)t.ins.n + 1;
  j->live_at = base_alloc(5 * n * sizeof *j->live_at);
  j->step = base_alloc(3 * n * sizeof *j->step);
  j->const_at = base_alloc(n * sizeof *j->const_at);
  j->constant = base_alloc(n * sizeof *j->constant);
  j->in = base_alloc((size_t)(j->inputs + 1) * sizeof *j->in);
  j->out = base_alloc((size_t)(j->outputs + 1) * sizeof *j->out);
  j->steady = base_alloc((size_t)(j->outputs + 1) * sizeof *j->steady);
  bool* needed = find_needed(&t, count, outputs);
  making m = {.j = j, .t = &t, .needed = needed, .next = (uint32_t)(t.ins.n * j->stride)};
  if (numbers) {
    m.numbers = numbers;
    m.steady = base_alloc(n * sizeof *m.steady);
    m.value = base_alloc(n * sizeof *m.value);
    numbers->low = base_alloc(n * sizeof *numbers->low);
    find_steady(&m);
  }
  lay_out(&m);
  for (int i = 0; i < count; i++) {
    const uint32_t value = t.out[outputs[i]];
    j->out[i] = place(&m, value);
    double z;
    j->steady[i] = number(&m, value, &z);
  }
  free(needed);
  free(m.steady);
  free(m.value);
  j->mirror = m.next;
  find_stretches(j);
  code_jet_choose(j);
  code_tape_free(&t);
  return j;
}

void code_jet_free(code_jet* j)
{
  if (!j) return;
  free(j->step);
  free(j->stretch);
  free(j->live_at);
  free(j->const_at);
  free(j->constant);
  free(j->in);
  free(j->out);
  free(j->steady);
  free(j);
}

size_t code_jet_scratch(const code_jet* j)
{
  return 2 * (size_t)j->mirror + wide;
}

void code_jet_clear(const code_jet* j, double* scratch)
{
  memset(scratch, 0, code_jet_scratch(j) * sizeof *scratch);
  for (int i = 0; i < j->constants; i++) {
    scratch[j->const_at[i]] = j->constant[i];
    scratch[j->const_at[i] + j->mirror + (uint32_t)j->order] = j->constant[i];
  }
}

void code_jet_set(const code_jet* j, double* scratch, int input, int k, double value)
{
  code_jet_set_all(j, scratch, input, 1, k, &value);
}

// at order 0, and beside the tape, into its places at once; else it is put there when the order is
// done
void code_jet_set_all(const code_jet* j, double* scratch, int first, int count, int k,
                      const double* value)
{
  assert(first >= 0 && first + count <= j->inputs && k >= 0 && k <= j->order);
  const uint32_t *in = j->in + first, up = (uint32_t)k, down = j->mirror + (uint32_t)(j->order - k);
  if (k > 0 && first < j->own) {
    for (int i = 0; i < count; i++) scratch[in[i] + j->now] = value[i];
    return;
  }
  for (int i = 0; i < count; i++) {
    scratch[in[i] + up] = value[i];
    scratch[in[i] + down] = value[i];
  }
}

const double* code_jet_out(const code_jet* j, const double* scratch, int output)
{
  return scratch + j->out[output];
}

const double* code_jet_in(const code_jet* j, const double* scratch, int input)
{
  return scratch + j->in[input];
}

bool code_jet_is_smooth(const code_jet* j)
{
  for (int i = 0; i < j->steps; i++) switch (j->step[i].op) {
    case CODE_ABS:
    case CODE_SIGN:
    case CODE_MIN:
    case CODE_MAX:
    case CODE_LESS:
    case CODE_LESS_EQ:
    case CODE_SELECT:
      return false;
    default:
      break;
    }
  return true;
}

bool code_jet_is_steady(const code_jet* j, int output)
{
  return j->steady[output];
}

void code_jet_products(const code_jet* j, const double* scratch, int k, int count,
                       const code_jet_product* list, double* sum)
{
  if (k > 0) j->products(j, scratch, k, count, list, sum);
}
