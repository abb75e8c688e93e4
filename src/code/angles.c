// Sines and cosines of sums and differences from those of the parts, where many combinations share
// few parts:
//   sin(x +- y) = sin x cos y +- cos x sin y,   cos(x +- y) = cos x cos y -+ sin x sin y
// as a hand would write a chain of pendulums. Each result is within a few 1e-16 of 1, like the
// functions themselves.
#include "code/tape.h"

#include <stdlib.h>

// a sum within a sum, and no further: products of products cost more than they save
#define DEPTH 3

// what a sine with its cosine costs, and what it costs to combine one, in operations
#define CALL    30
#define COMBINE 6

typedef struct angles
{
  const code_tape* old;
  bool *live, *argument, *part; // by old value
  code_maker made;
  uint32_t* number; // by old value: the new one
} angles;

static bool is_sum(const code_tape* t, uint32_t v)
{
  return t->ins.at[v].op == CODE_ADD || t->ins.at[v].op == CODE_SUB;
}

static bool is_trig(uint32_t op)
{
  return op == CODE_SIN || op == CODE_COS;
}

static void find_live(angles* g)
{
  const code_tape* t = g->old;
  for (int i = 0; i < t->outputs; i++) g->live[t->out[i]] = true;
  for (int i = t->ins.n - 1; i >= 0; i--) {
    const code_ins* x = &t->ins.at[i];
    const uint32_t v[3] = {x->a, x->b, x->c};
    for (int k = 0; k < code_op_args(x->op); k++) g->live[v[k]] |= g->live[i];
    if (g->live[i] && is_trig(x->op)) g->argument[x->a] = true;
  }
}

static void find_parts(angles* g, uint32_t v, int depth)
{
  const code_ins* x = &g->old->ins.at[v];
  if (depth == 0 || !is_sum(g->old, v)) {
    // a number's sine is folded
    g->part[v] = x->op != CODE_CONST;
    return;
  }
  find_parts(g, x->a, depth - 1);
  find_parts(g, x->b, depth - 1);
}

static bool pays(angles* g)
{
  int arguments = 0, parts = 0, combined = 0;
  for (int i = 0; i < g->old->ins.n; i++) {
    if (!g->argument[i]) continue;
    arguments++;
    combined += is_sum(g->old, (uint32_t)i);
    find_parts(g, (uint32_t)i, DEPTH);
  }
  for (int i = 0; i < g->old->ins.n; i++) parts += g->part[i];
  return CALL * (arguments - parts) > COMBINE * combined;
}

// the sine or cosine of an old value
static uint32_t combine(angles* g, uint32_t op, uint32_t v, int depth)
{
  const code_ins* x = &g->old->ins.at[v];
  if (depth == 0 || !is_sum(g->old, v)) return code_make(&g->made, op, g->number[v], 0, 0);
  const uint32_t sx = combine(g, CODE_SIN, x->a, depth - 1);
  const uint32_t cx = combine(g, CODE_COS, x->a, depth - 1);
  const uint32_t sy = combine(g, CODE_SIN, x->b, depth - 1);
  const uint32_t cy = combine(g, CODE_COS, x->b, depth - 1);
  const bool sine = op == CODE_SIN, plus = x->op == CODE_ADD;
  const uint32_t first = code_make(&g->made, CODE_MUL, sine ? sx : cx, cy, 0);
  const uint32_t second = code_make(&g->made, CODE_MUL, sine ? cx : sx, sy, 0);
  return code_make(&g->made, sine == plus ? CODE_ADD : CODE_SUB, first, second, 0);
}

static uint32_t make(angles* g, uint32_t i)
{
  const code_ins* x = &g->old->ins.at[i];
  if (x->op == CODE_CONST) return code_make_const_apart(&g->made, code_ins_const(x), x->c);
  if (x->op == CODE_IN) return code_make_in(&g->made, (int)x->a);
  if (is_trig(x->op)) return combine(g, x->op, x->a, DEPTH);
  const uint32_t v[3] = {x->a, x->b, x->c};
  uint32_t w[3] = {0};
  for (int k = 0; k < code_op_args(x->op); k++) w[k] = g->number[v[k]];
  return code_make(&g->made, x->op, w[0], w[1], w[2]);
}

static code_tape rewrite(angles* g)
{
  const code_tape* t = g->old;
  g->number = base_alloc((size_t)t->ins.n * sizeof *g->number + 1);
  code_maker_start(&g->made, t->inputs, t->outputs);
  g->made.tape.early = t->early;
  for (int i = 0; i < t->ins.n; i++)
    if (g->live[i]) g->number[i] = make(g, (uint32_t)i);
  for (int i = 0; i < t->outputs; i++) g->made.tape.out[i] = g->number[t->out[i]];
  for (int i = 0; i < t->way.n; i++)
    if (g->live[t->way.at[i]]) base_push(&g->made.tape.way, g->number[t->way.at[i]]);
  code_maker_end(&g->made);
  free(g->number);
  return g->made.tape;
}

void code_angles(code_tape* t)
{
  const size_t n = (size_t)t->ins.n + 1;
  angles g = {.old = t};
  g.live = base_alloc(3 * n * sizeof *g.live);
  g.argument = g.live + n;
  g.part = g.argument + n;
  find_live(&g);
  if (pays(&g)) {
    const code_tape made = rewrite(&g);
    code_tape_free(t);
    *t = made;
  }
  free(g.live);
}
