// Dead code out, and an order that keeps few values alive: functions of inputs first, since a call
// empties all registers; then depth first from the outputs, the deeper operand first. Of a linear
// problem that goes through all of it once for the factors, once more for the right sides, and
// again for the pivots that are watched; whoever made it knows a way that takes all three together
// (ldl.c). Kernels made of kernels keep their order (draft.c).
#include "code/tape.h"

#include <assert.h>
#include <stdlib.h>

#define NOT_YET UINT32_MAX
// values that are alive at once, of which registers hold about half: their order matters little
#define FEW 64
// a way of so many values is that of a long problem, where it always keeps fewer
#define MANY 2000

typedef struct ordering
{
  const code_tape* from;
  code_tape to;
  uint32_t* number; // by old value: the new one
  int* depth;
  BASE_LIST(uint32_t) open;
} ordering;

// longest way down to an input; a pair lies at its argument whichever half comes first
static void measure(ordering* o)
{
  for (int i = 0; i < o->from->ins.n; i++) {
    const code_ins* x = &o->from->ins.at[i];
    const uint32_t v[3] = {x->op == CODE_COSINE ? x->b : x->a, x->b, x->c};
    int deepest = -1;
    for (int k = 0; k < code_op_args(x->op) + (x->op == CODE_COSINE); k++)
      if (o->depth[v[k]] > deepest) deepest = o->depth[v[k]];
    o->depth[i] = deepest + 1;
  }
}

// a cosine is made by its pair
static uint32_t maker_of(const ordering* o, uint32_t value)
{
  const code_ins* x = &o->from->ins.at[value];
  return x->op == CODE_COSINE ? x->a : value;
}

static uint32_t append(ordering* o, code_ins x)
{
  base_push(&o->to.ins, x);
  return (uint32_t)o->to.ins.n - 1;
}

static void place(ordering* o, uint32_t value)
{
  code_ins x = o->from->ins.at[value];
  if (x.op == CODE_SINCOS) {
    uint32_t s = append(o, (code_ins){CODE_SINCOS, o->number[x.a], 0, 0});
    uint32_t c = append(o, (code_ins){CODE_COSINE, s, o->number[x.a], 0});
    o->to.ins.at[s].b = c;
    o->number[value] = s;
    o->number[x.b] = c;
    return;
  }
  uint32_t* v[3] = {&x.a, &x.b, &x.c};
  for (int k = 0; k < code_op_args(x.op); k++) *v[k] = o->number[*v[k]];
  o->number[value] = append(o, x);
}

// push the operands still missing, the deepest last so that it is made first
static bool push_operands(ordering* o, uint32_t value)
{
  const code_ins* x = &o->from->ins.at[value];
  uint32_t v[3] = {x->a, x->b, x->c};
  int n = 0;
  for (int k = 0; k < code_op_args(x->op); k++)
    if (o->number[v[k]] == NOT_YET) v[n++] = maker_of(o, v[k]);
  for (int i = 1; i < n; i++)
    for (int k = i; k > 0 && o->depth[v[k]] < o->depth[v[k - 1]]; k--) {
      uint32_t swap = v[k];
      v[k] = v[k - 1];
      v[k - 1] = swap;
    }
  for (int k = 0; k < n; k++) base_push(&o->open, v[k]);
  return n > 0;
}

static void reach(ordering* o, uint32_t output)
{
  base_push(&o->open, maker_of(o, output));
  while (o->open.n > 0) {
    uint32_t value = o->open.at[o->open.n - 1];
    if (o->number[value] == NOT_YET) {
      if (push_operands(o, value)) continue;
      place(o, value);
    }
    o->open.n--;
  }
}

static bool is_fixed(uint32_t op)
{
  return op == CODE_IN || op == CODE_CONST || op == CODE_NUMBERS;
}

static bool* find_live(const code_tape* t)
{
  bool* live = base_alloc((size_t)t->ins.n + 1);
  for (int i = 0; i < t->outputs; i++) live[t->out[i]] = true;
  for (int i = t->ins.n - 1; i >= 0; i--) {
    const code_ins* x = &t->ins.at[i];
    const uint32_t v[3] = {x->a, x->b, x->c};
    for (int k = 0; k < code_op_args(x->op); k++) live[v[k]] |= live[i];
    // a pair lives by either half; its argument comes before both
    if (x->op == CODE_COSINE) live[x->a] |= live[i], live[x->b] |= live[i];
  }
  return live;
}

static bool is_function_of_inputs(const code_tape* t, const code_ins* x)
{
  if (x->op != CODE_SINCOS && !(x->op >= CODE_POW && x->op <= CODE_TANH)) return false;
  const uint32_t v[3] = {x->a, x->b, x->c};
  for (int k = 0; k < code_op_args(x->op); k++) {
    const uint32_t op = t->ins.at[v[k]].op;
    if (op != CODE_IN && op != CODE_CONST) return false;
  }
  return true;
}

static void reach_functions(ordering* o, const bool* live)
{
  for (int i = 0; i < o->from->ins.n; i++)
    if (live[i] && is_function_of_inputs(o->from, &o->from->ins.at[i])) reach(o, (uint32_t)i);
}

// Values of a way wait in memory as it is: there a function is called where it is needed.
static code_tape order_by(const code_tape* t, int ways, const uint32_t* way)
{
  size_t n = (size_t)t->ins.n;
  ordering o = {.from = t, .to = {.inputs = t->inputs, .outputs = t->outputs}};
  o.number = base_alloc(n * sizeof *o.number + 1);
  o.depth = base_alloc(n * sizeof *o.depth + 1);
  o.to.out = base_alloc((size_t)t->outputs * sizeof *o.to.out + 1);
  for (size_t i = 0; i < n; i++) o.number[i] = NOT_YET;
  measure(&o);

  bool* live = find_live(t);
  if (!ways) reach_functions(&o, live);
  for (int i = 0; i < ways; i++)
    if (live[way[i]]) reach(&o, way[i]);
  free(live);
  for (int i = 0; i < t->outputs; i++) {
    reach(&o, t->out[i]);
    o.to.out[i] = o.number[t->out[i]];
    assert(o.to.out[i] != NOT_YET);
  }
  free(o.number);
  free(o.depth);
  base_list_free(&o.open);
  return o.to;
}

int code_most_alive(const code_tape* t)
{
  int* last = base_alloc((size_t)t->ins.n * sizeof *last + 1);
  for (int i = 0; i < t->ins.n; i++) {
    const code_ins* x = &t->ins.at[i];
    const uint32_t v[3] = {x->a, x->b, x->c};
    for (int k = 0; k < code_op_args(x->op); k++) last[v[k]] = i;
  }
  int alive = 0, most = 0;
  for (int i = 0; i < t->ins.n; i++) {
    const code_ins* x = &t->ins.at[i];
    if (is_fixed(x->op)) continue;
    if (++alive > most) most = alive;
    const uint32_t v[3] = {x->a, x->b, x->c};
    for (int k = 0; k < code_op_args(x->op); k++) {
      const bool again = (k > 0 && v[k] == v[0]) || (k > 1 && v[k] == v[1]);
      if (!again && last[v[k]] == i && !is_fixed(t->ins.at[v[k]].op)) alive--;
    }
    if (last[i] == 0) alive--;
  }
  free(last);
  return most;
}

code_tape code_order(const code_tape* t)
{
  if (t->way.n > MANY || t->led) return order_by(t, t->way.n, t->way.at);
  code_tape plain = order_by(t, 0, NULL);
  const int alive = t->way.n ? code_most_alive(&plain) : 0;
  if (alive <= FEW) return plain;
  code_tape led = order_by(t, t->way.n, t->way.at);
  const bool better = code_most_alive(&led) < alive;
  code_tape_free(better ? &plain : &led);
  return better ? led : plain;
}
