// The stages of a step of dop853 in lanes, said operation by operation to whoever writes them down:
// the same operations in the same order as those of lanes_kernel.h, so that the bits are the same;
// but where a slope does not change in a step its terms are one, which is a rounding less.
#include "step/dop853_table.h"
#include "step/step.h"

#include <stdlib.h>

enum { stages = 12, most_terms = 10 };

// slope `stage` times `coefficient`; terms in the order in which they are summed up
typedef struct term
{
  int stage;
  double coefficient;
} term;

static const struct
{
  double time;
  term term[most_terms];
  int terms;
} stage_table[stages] = {
    [1] = {c1, {{0, a1_0}}, 1},
    [2] = {c2, {{0, a2_0}, {1, a2_1}}, 2},
    [3] = {c3, {{0, a3_0}, {2, a3_2}}, 2},
    [4] = {c4, {{0, a4_0}, {2, a4_2}, {3, a4_3}}, 3},
    [5] = {c5, {{0, a5_0}, {3, a5_3}, {4, a5_4}}, 3},
    [6] = {c6, {{0, a6_0}, {3, a6_3}, {4, a6_4}, {5, a6_5}}, 4},
    [7] = {c7, {{0, a7_0}, {3, a7_3}, {4, a7_4}, {5, a7_5}, {6, a7_6}}, 5},
    [8] = {c8, {{0, a8_0}, {3, a8_3}, {4, a8_4}, {5, a8_5}, {6, a8_6}, {7, a8_7}}, 6},
    [9] = {c9, {{0, a9_0}, {3, a9_3}, {4, a9_4}, {5, a9_5}, {6, a9_6}, {7, a9_7}, {8, a9_8}}, 7},
    [10] = {c10,
            {{0, a10_0},
             {3, a10_3},
             {4, a10_4},
             {5, a10_5},
             {6, a10_6},
             {7, a10_7},
             {8, a10_8},
             {9, a10_9}},
            8},
    [11] = {1,
            {{0, a11_0},
             {3, a11_3},
             {4, a11_4},
             {5, a11_5},
             {6, a11_6},
             {7, a11_7},
             {8, a11_8},
             {9, a11_9},
             {10, a11_10}},
            9},
};

enum { last_terms = 7 };
// of the differences to the first slope
static const term slope_table[last_terms] = {{5, b_5}, {6, b_6},   {7, b_7},  {8, b_8},
                                             {9, b_9}, {10, b_10}, {11, b_11}};
static const term fifth_table[last_terms] = {{5, e_5}, {6, e_6},   {7, e_7},  {8, e_8},
                                             {9, e_9}, {10, e_10}, {11, e_11}};
// and of slopes, without their errors
static const term plain_table[last_terms + 1] = {{0, b_0}, {5, b_5}, {6, b_6},   {7, b_7},
                                                 {8, b_8}, {9, b_9}, {10, b_10}, {11, b_11}};

typedef struct speller
{
  const step_lanes_problem* p;
  const step_lanes_pen* pen;
  int kept;
  int *y, *k; // values: of the state; slope j of number i at i stages + j
  int t, h;
} speller;

static int number(const speller* s, double x)
{
  return s->pen->number(s->pen->context, x);
}

// terms with the same slope are one, as where it does not change in a step
static int sum(const speller* s, int terms, const term* x, const int* k)
{
  int value = -1;
  for (int i = 0; i < terms; i++) {
    double coefficient = 0;
    bool before = false;
    for (int j = 0; j < terms; j++) {
      if (k[x[j].stage] != k[x[i].stage]) continue;
      before = before || j < i;
      coefficient += x[j].coefficient;
    }
    if (before) continue;
    const int by = number(s, coefficient), slope = k[x[i].stage];
    value = value < 0 ? s->pen->mul(s->pen->context, by, slope)
                      : s->pen->fma(s->pen->context, by, slope, value);
  }
  return value;
}

// as `make_up` of lanes_kernel.h
static void make_up(const speller* s, const int* k, int* slope, int* fifth, int* third)
{
  const step_lanes_pen* pen = s->pen;
  int apart[stages];
  for (int i = 0; i < last_terms; i++) {
    const int stage = slope_table[i].stage;
    apart[stage] = pen->sub(pen->context, k[stage], k[0]);
  }
  const int grown = sum(s, last_terms, slope_table, apart);
  *slope = pen->fma(pen->context, number(s, 1), k[0], grown);
  *fifth = sum(s, last_terms, fifth_table, apart);
  *third = pen->fma(pen->context, number(s, -w_11), apart[11],
                    pen->fma(pen->context, number(s, -w_8), apart[8], grown));
}

static void spell_stage(speller* s, int stage, int* in, int* out)
{
  const step_lanes_problem* p = s->p;
  const step_lanes_pen* pen = s->pen;
  in[0] = pen->fma(pen->context, number(s, stage_table[stage].time), s->h, s->t);
  for (int i = 0; i < p->n; i++)
    in[1 + i] = pen->fma(
        pen->context, s->h,
        sum(s, stage_table[stage].terms, stage_table[stage].term, s->k + i * stages), s->y[i]);
  pen->rates(pen->context, in, out);
}

static void keep(speller* s, int stage, const int* out)
{
  const step_lanes_problem* p = s->p;
  int at = 0;
  for (int i = 0; i < p->n; i++) s->k[at++ * stages + stage] = out[p->row[i]];
  if (p->along >= 0) s->k[at++ * stages + stage] = out[p->along];
  for (int i = 0; i < p->watches; i++) s->k[at++ * stages + stage] = out[p->watch + i];
}

int step_lanes_kept(const step_lanes_problem* p)
{
  return p->n + (p->along >= 0) + p->watches;
}

int step_lanes_made(const step_lanes_problem* p)
{
  return 4 * p->n + (p->along >= 0) + 1 + 4 * p->watches;
}

void step_lanes_spell(const step_lanes_problem* p, const step_lanes_pen* pen, const int* given,
                      int* made)
{
  speller s = {.p = p, .pen = pen, .kept = step_lanes_kept(p)};
  s.k = base_alloc(sizeof(int) * (size_t)(s.kept * stages + p->inputs + p->outputs + 1));
  int *in = s.k + s.kept * stages, *out = in + p->inputs, at = 0, guard = -1;
  s.t = given[0];
  s.y = base_alloc(sizeof(int) * (size_t)(p->n + 1));
  for (int i = 0; i < p->n; i++) s.y[i] = given[1 + i];
  for (int i = 0; i < p->inputs; i++) in[i] = given[i];
  s.h = given[p->inputs];
  for (int i = 0; i < s.kept; i++) s.k[i * stages] = given[p->inputs + 1 + i];
  for (int stage = 1; stage < stages; stage++) {
    spell_stage(&s, stage, in, out);
    keep(&s, stage, out);
    guard = stage == 1 ? out[p->guard] : pen->least(pen->context, out[p->guard], guard);
  }
  const int moving = p->n + (p->along >= 0);
  for (int i = 0; i < p->n; i++)
    make_up(&s, s.k + i * stages, &made[i], &made[moving + i], &made[moving + p->n + i]);
  for (int i = p->n; i < moving; i++)
    made[i] = sum(&s, last_terms + 1, plain_table, s.k + i * stages);
  at = moving + 2 * p->n;
  for (int i = 0; i < p->n; i++) made[at++] = s.k[i * stages + 11];
  made[at++] = guard;
  for (int i = 0; i < p->watches; i++) {
    const int* k = s.k + (moving + i) * stages;
    int least = k[1];
    for (int stage = 2; stage < stages; stage++) least = pen->least(pen->context, k[stage], least);
    made[at++] = least;
    made[at++] = k[5];
    made[at++] = k[9];
    made[at++] = k[10];
  }
  free(s.y);
  free(s.k);
}
