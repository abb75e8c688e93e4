// An order for the interpreter: equal operations side by side, so that one dispatch serves many.
// A wrong guess of the processor about the next operation costs more than the operation.
#include "code/kernel.h"

#include <assert.h>
#include <stdlib.h>

// instructions are only moved within a stretch of this many, so that values stay near their uses
#define STRETCH 1024

// One stretch [from, to) of the old order. For each value made in it: who waits for it, and for how
// many values it waits itself.
typedef struct grouping
{
  const code_tape* old;
  code_tape made;
  uint32_t* number; // by old value: the new one
  uint32_t from, to;
  int* waits;
  uint32_t* first;          // by value: its waiters begin here
  uint32_t* waiter;         // old values
  uint32_t ready[CODE_END]; // by operation: a stack of old values + 1, linked by next
  uint32_t* next;
  int count[CODE_END];
} grouping;

// the operands of a value that are made in this stretch; a cosine counts as its pair
static int inner_operands(const grouping* g, uint32_t value, uint32_t out[3])
{
  const code_ins* x = &g->old->ins.at[value];
  const uint32_t v[3] = {x->a, x->b, x->c};
  int n = 0;
  for (int k = 0; k < code_op_args(x->op); k++) {
    const code_ins* of = &g->old->ins.at[v[k]];
    uint32_t maker = of->op == CODE_COSINE ? of->a : v[k];
    if (maker >= g->from && maker < g->to) out[n++] = maker;
  }
  return n;
}

static void push_ready(grouping* g, uint32_t value)
{
  uint32_t op = g->old->ins.at[value].op;
  g->next[value - g->from] = g->ready[op];
  g->ready[op] = value + 1;
  g->count[op]++;
}

static uint32_t pop_ready(grouping* g, uint32_t op)
{
  uint32_t value = g->ready[op] - 1;
  g->ready[op] = g->next[value - g->from];
  g->count[op]--;
  return value;
}

static void find_waiters(grouping* g)
{
  uint32_t n = g->to - g->from, v[3];
  for (uint32_t i = 0; i <= n; i++) g->first[i] = 0;
  for (uint32_t i = 0; i < n; i++) {
    g->waits[i] = inner_operands(g, g->from + i, v);
    for (int k = 0; k < g->waits[i]; k++) g->first[v[k] - g->from]++;
  }
  // counts become ends, and filling from the back makes them beginnings
  for (uint32_t i = 1; i <= n; i++) g->first[i] += g->first[i - 1];
  for (uint32_t i = n; i-- > 0;)
    for (int k = inner_operands(g, g->from + i, v); k-- > 0;)
      g->waiter[--g->first[v[k] - g->from]] = g->from + i;
  for (uint32_t i = n; i-- > 0;)
    if (g->waits[i] == 0 && g->old->ins.at[g->from + i].op != CODE_COSINE)
      push_ready(g, g->from + i);
}

static uint32_t append(grouping* g, code_ins x)
{
  base_push(&g->made.ins, x);
  return (uint32_t)g->made.ins.n - 1;
}

static void place(grouping* g, uint32_t value)
{
  code_ins x = g->old->ins.at[value];
  uint32_t* v[3] = {&x.a, &x.b, &x.c};
  for (int k = 0; k < code_op_args(x.op); k++) *v[k] = g->number[*v[k]];
  uint32_t at = g->number[value] = append(g, x);
  if (x.op == CODE_SINCOS) {
    uint32_t cosine = append(g, (code_ins){CODE_COSINE, at, x.a, 0});
    g->number[x.b] = g->made.ins.at[at].b = cosine;
  }
  for (uint32_t i = g->first[value - g->from]; i < g->first[value - g->from + 1]; i++)
    if (--g->waits[g->waiter[i] - g->from] == 0) push_ready(g, g->waiter[i]);
}

static uint32_t longest_ready(const grouping* g)
{
  uint32_t best = 0;
  for (uint32_t op = 1; op < CODE_END; op++)
    if (g->count[op] > g->count[best]) best = op;
  return best;
}

// as long as one operation is ready, it goes on
static void group_stretch(grouping* g)
{
  find_waiters(g);
  for (uint32_t op; op = longest_ready(g), g->count[op] > 0;)
    while (g->count[op] > 0) place(g, pop_ready(g, op));
}

// room for the longest stretch of n values: most tapes are much shorter than STRETCH
static void take_room(grouping* g, uint32_t n)
{
  const size_t room = n < STRETCH ? n : STRETCH;
  g->waits = base_alloc_many(room + 1, sizeof *g->waits);
  g->first = base_alloc_many(room + 1, sizeof *g->first);
  g->waiter = base_alloc_many(3 * room + 1, sizeof *g->waiter);
  g->next = base_alloc_many(room + 1, sizeof *g->next);
}

static void free_room(grouping* g)
{
  free(g->waits);
  free(g->first);
  free(g->waiter);
  free(g->next);
}

code_tape code_group(const code_tape* t)
{
  grouping* g = base_alloc(sizeof *g);
  g->old = t;
  g->made = (code_tape){.inputs = t->inputs, .outputs = t->outputs};
  g->number = base_alloc((size_t)t->ins.n * sizeof *g->number + 1);
  uint32_t n = (uint32_t)t->ins.n;
  take_room(g, n);
  for (g->from = 0; g->from < n; g->from = g->to) {
    g->to = n - g->from > STRETCH ? g->from + STRETCH : n;
    // a pair stays together
    if (t->ins.at[g->to - 1].op == CODE_SINCOS) g->to--;
    group_stretch(g);
  }
  assert(g->made.ins.n == t->ins.n);

  code_tape made = g->made;
  made.out = base_alloc((size_t)t->outputs * sizeof *made.out + 1);
  for (int i = 0; i < t->outputs; i++) made.out[i] = g->number[t->out[i]];
  free_room(g);
  free(g->number);
  free(g);
  return made;
}
