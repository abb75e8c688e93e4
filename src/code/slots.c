// Tape to steps: each value gets a slot of the scratch block, reused after its last use.
#include "code/kernel.h"

#include <assert.h>
#include <stdlib.h>

typedef struct allocation
{
  code_kernel* k;
  const code_tape* t;
  uint32_t* slot; // by value
  int* last;      // by value: the instruction that uses it last
  BASE_LIST(uint32_t) free_slots;
} allocation;

static bool is_fixed(const code_tape* t, uint32_t value)
{
  uint32_t op = t->ins.at[value].op;
  return op == CODE_IN || op == CODE_CONST;
}

static void find_last_uses(allocation* a)
{
  const code_tape* t = a->t;
  for (int i = 0; i < t->ins.n; i++) {
    const code_ins* x = &t->ins.at[i];
    const uint32_t v[3] = {x->a, x->b, x->c};
    for (int k = 0; k < code_op_args(x->op); k++) a->last[v[k]] = i;
  }
  // outputs are read after the end
  for (int i = 0; i < t->outputs; i++) a->last[t->out[i]] = t->ins.n;
}

// as much as is needed: kernels stay, and many values are inputs
static void take_room(allocation* a)
{
  code_kernel* k = a->k;
  size_t constants = 0, steps = 0;
  for (int i = 0; i < a->t->ins.n; i++) {
    const uint32_t op = a->t->ins.at[i].op;
    constants += op == CODE_CONST;
    steps += op != CODE_CONST && op != CODE_IN && op != CODE_COSINE;
  }
  k->constant = base_alloc(constants * sizeof *k->constant + 1);
  k->step = base_alloc(steps * sizeof *k->step + 1);
  k->stretch = base_alloc((steps + 1) * sizeof *k->stretch);
  k->out_slot = base_alloc((size_t)a->t->outputs * sizeof *k->out_slot + 1);
}

static void place_fixed(allocation* a)
{
  code_kernel* k = a->k;
  for (int i = 0; i < a->t->ins.n; i++) {
    const code_ins* x = &a->t->ins.at[i];
    if (x->op == CODE_IN) a->slot[i] = x->a;
    if (x->op != CODE_CONST) continue;
    a->slot[i] = (uint32_t)(a->t->inputs + k->constants);
    k->constant[k->constants++] = code_ins_const(x);
  }
  k->slots = a->t->inputs + k->constants;
}

static uint32_t take(allocation* a)
{
  if (a->free_slots.n > 0) return a->free_slots.at[--a->free_slots.n];
  return (uint32_t)a->k->slots++;
}

static void release_operands(allocation* a, int i)
{
  const code_tape* t = a->t;
  const code_ins* x = &t->ins.at[i];
  const uint32_t v[3] = {x->a, x->b, x->c};
  for (int k = 0; k < code_op_args(x->op); k++) {
    bool again = (k > 0 && v[k] == v[0]) || (k > 1 && v[k] == v[1]);
    if (!again && a->last[v[k]] == i && !is_fixed(t, v[k]))
      base_push(&a->free_slots, a->slot[v[k]]);
  }
}

static void add_step(allocation* a, int i)
{
  code_kernel* k = a->k;
  const code_ins* x = &a->t->ins.at[i];
  code_step s = {0};
  int n = code_op_args(x->op);
  if (n > 0) s.a = a->slot[x->a];
  if (n > 1) s.b = a->slot[x->b];
  if (n > 2) s.c = a->slot[x->c];
  release_operands(a, i);
  s.d = a->slot[i] = take(a);
  if (x->op == CODE_SINCOS) s.b = a->slot[i + 1] = take(a);
  k->step[k->steps++] = s;
  if (k->stretches == 0 || k->stretch[k->stretches - 1].op != x->op)
    k->stretch[k->stretches++] = (code_stretch){x->op, 0};
  k->stretch[k->stretches - 1].count++;
}

void code_slots(code_kernel* k, const code_tape* t)
{
  allocation a = {.k = k, .t = t};
  a.slot = base_alloc((size_t)t->ins.n * sizeof *a.slot + 1);
  a.last = base_alloc((size_t)t->ins.n * sizeof *a.last + 1);
  take_room(&a);
  find_last_uses(&a);
  place_fixed(&a);

  for (int i = 0; i < t->ins.n; i++) {
    if (is_fixed(t, (uint32_t)i)) continue;
    // made by the sine before it
    if (t->ins.at[i].op == CODE_COSINE)
      assert(i > 0 && t->ins.at[i - 1].op == CODE_SINCOS);
    else
      add_step(&a, i);
  }
  k->stretch[k->stretches] = (code_stretch){CODE_END, 0};
  k->stretch = base_realloc(k->stretch, ((size_t)k->stretches + 1) * sizeof *k->stretch);
  for (int i = 0; i < t->outputs; i++) k->out_slot[i] = a.slot[t->out[i]];
  free(a.slot);
  free(a.last);
  base_list_free(&a.free_slots);
}
