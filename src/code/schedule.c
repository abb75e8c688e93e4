// Packs in an order in which results are there when they are needed.
//
// Depth first from the outputs, a tape of a tree goes up and down its limbs several times, and on
// every way each value waits for the one before it: inertias from the tips to the trunk,
// velocities from the trunk to the tips. A processor looks ahead over some hundred instructions,
// too few to find another way beside the one it waits on. So instructions are taken as a processor
// would take them that looks further ahead: in every cycle those of the earliest whose operands are
// there. Each computes what it did before.
#include "code/pack.h"

#include "code/emit.h"

#include <stdlib.h>
#include <string.h>

enum {
  A_CYCLE = 2,   // instructions at once: more fill more waiting, but need more memory
  AHEAD = 1200,  // instructions looked over; those further on would wait in memory for too long
  LONGEST = 32,  // more cycles than any result takes
  ARITHMETIC = 4 // cycles
};

typedef BASE_LIST(uint32_t) values;

typedef struct schedule
{
  const code_packed* from;
  int32_t *missing, *first_user, *next_user; // operands; uses by value, 3 for each instruction
  values ready;                              // a heap, the earliest on top
  values later[LONGEST];                     // by the cycle in which they are ready
  uint32_t* number;
  code_packed to;
} schedule;

static int cycles_of(uint32_t op)
{
  switch (op) {
  case CODE_DIV:
  case CODE_NDIV:
    return 14;
  case CODE_SQRT:
    return 20;
  case CODE_PICK:
    return 10;
  case CODE_PAIR:
  case CODE_QUAD:
  case CODE_SPREAD:
    return 3;
  default:
    return ARITHMETIC;
  }
}

static void push_ready(schedule* s, uint32_t v)
{
  base_push(&s->ready, v);
  uint32_t* heap = s->ready.at;
  for (int i = s->ready.n - 1; i > 0 && heap[i] < heap[(i - 1) / 2]; i = (i - 1) / 2) {
    const uint32_t swap = heap[i];
    heap[i] = heap[(i - 1) / 2];
    heap[(i - 1) / 2] = swap;
  }
}

static uint32_t pop_ready(schedule* s)
{
  uint32_t* heap = s->ready.at;
  const uint32_t top = heap[0];
  const int n = --s->ready.n;
  heap[0] = heap[n];
  for (int i = 0, k; (k = 2 * i + 1) < n; i = k) {
    if (k + 1 < n && heap[k + 1] < heap[k]) k++;
    if (heap[i] <= heap[k]) break;
    const uint32_t swap = heap[i];
    heap[i] = heap[k];
    heap[k] = swap;
  }
  return top;
}

static void place(schedule* s, uint32_t v)
{
  const code_ins* x = &s->from->tape.ins.at[v];
  code_ins made = *x;
  uint32_t* const of[3] = {&made.a, &made.b, &made.c};
  for (int k = 0; k < code_op_args(x->op); k++) *of[k] = s->number[*of[k]];
  const int at = s->to.tape.ins.n;
  s->number[v] = (uint32_t)at;
  base_push(&s->to.tape.ins, made);
  s->to.lanes[at] = s->from->lanes[v];
}

// what comes before and with the last call stays where it is
static int begin(const code_tape* t)
{
  int from = 0;
  for (int i = 0; i < t->ins.n; i++)
    if (emit_is_call(t->ins.at[i].op) || t->ins.at[i].op == CODE_COSINE) from = i + 1;
  return from;
}

static void count_needs(schedule* s, int begin)
{
  const code_tape* t = &s->from->tape;
  for (int i = 0; i < t->ins.n; i++) s->first_user[i] = -1;
  for (int i = begin; i < t->ins.n; i++) {
    const code_ins* x = &t->ins.at[i];
    const uint32_t v[3] = {x->a, x->b, x->c};
    for (int k = 0; k < code_op_args(x->op); k++) {
      if (s->number[v[k]] != UINT32_MAX) continue;
      s->missing[i]++;
      s->next_user[3 * i + k] = s->first_user[v[k]];
      s->first_user[v[k]] = 3 * i + k;
    }
    if (s->number[i] == UINT32_MAX && !s->missing[i]) push_ready(s, (uint32_t)i);
  }
}

static void give(schedule* s, uint32_t v, int cycle)
{
  const int there = (cycle + cycles_of(s->from->tape.ins.at[v].op)) % LONGEST;
  for (int32_t use = s->first_user[v]; use >= 0; use = s->next_user[use])
    if (--s->missing[use / 3] == 0) base_push(&s->later[there], (uint32_t)use / 3);
}

static void run(schedule* s, int begin)
{
  const int n = s->from->tape.ins.n;
  uint32_t earliest = (uint32_t)begin;
  for (int cycle = 0; s->to.tape.ins.n < n; cycle++) {
    values* now = &s->later[cycle % LONGEST];
    for (int i = 0; i < now->n; i++) push_ready(s, now->at[i]);
    now->n = 0;
    for (int k = 0; k < A_CYCLE && s->ready.n; k++) {
      while (earliest < (uint32_t)n && s->number[earliest] != UINT32_MAX) earliest++;
      if (s->ready.at[0] > earliest + AHEAD) break;
      const uint32_t v = pop_ready(s);
      place(s, v);
      give(s, v, cycle);
    }
  }
}

void code_schedule(code_packed* p)
{
  const code_tape* t = &p->tape;
  const size_t n = (size_t)t->ins.n;
  schedule s = {.from = p, .to = *p};
  s.to.tape.ins.n = s.to.tape.ins.room = 0;
  s.to.tape.ins.at = NULL;
  s.to.lanes = base_alloc(n + 1);
  s.number = base_alloc(n * sizeof *s.number + 1);
  s.missing = base_alloc(n * sizeof *s.missing + 1);
  s.first_user = base_alloc(n * sizeof *s.first_user + 1);
  s.next_user = base_alloc(3 * n * sizeof *s.next_user + 1);
  memset(s.number, 0xff, n * sizeof *s.number);
  const int from = begin(t);
  for (int i = 0; i < from; i++) s.number[i] = (uint32_t)i;
  for (int i = 0; i < from; i++) place(&s, (uint32_t)i);
  for (int i = from; i < t->ins.n; i++)
    if (emit_is_fixed(t->ins.at[i].op)) place(&s, (uint32_t)i);
  count_needs(&s, from);
  run(&s, from);
  for (int i = 0; i < t->outputs; i++) t->out[i] = s.number[t->out[i]];
  for (int i = 0; i < LONGEST; i++) base_list_free(&s.later[i]);
  base_list_free(&s.ready);
  free(s.number);
  free(s.missing);
  free(s.first_user);
  free(s.next_user);
  free(p->lanes);
  base_list_free(&p->tape.ins);
  *p = s.to;
}
