// Kernels taken apart into what stays and what moves: the same numbers as the whole.
#include "check.h"
#include "code/tapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct taken
{
  int all, paid, stayed;
} taken;

static bool same(double a, double b)
{
  return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

// all outputs that are wanted, for inputs of which some moved
static void compare(const code_kernel* k, const code_kernel* stays, const code_kernel* moves,
                    graph_random* r, const int* output, const bool* moving)
{
  const size_t room = code_scratch(k) + code_scratch(moves) + (stays ? code_scratch(stays) : 0);
  const int between = stays ? code_outputs(stays) : 0;
  double *scratch = malloc(room * sizeof *scratch + 64), want[TAPE_OUTPUTS], got[TAPE_OUTPUTS];
  double* in = malloc(sizeof *in * (size_t)(TAPE_INPUTS + between));
  CHECK(code_inputs(moves) == TAPE_INPUTS + between);
  for (int i = 0; i < TAPE_INPUTS; i++) in[i] = tape_input(r);
  if (stays) code_run(stays, in, in + TAPE_INPUTS, scratch);
  for (int turn = 0; turn < 4; turn++) {
    for (int i = 0; i < TAPE_INPUTS; i++)
      if (moving[i]) in[i] = tape_input(r);
    code_run(k, in, want, scratch);
    code_run(moves, in, got, scratch);
    for (int i = 0; i < TAPE_OUTPUTS; i++)
      CHECK(output[i] < 0 ? got[i] == 0 : same(got[i], want[output[i]]));
  }
  free(in);
  free(scratch);
}

static void one_kernel(uint64_t seed, taken* t)
{
  graph_random r = {seed * 7919 + 29};
  code_kernel *k = tape_kernel(&r, 10 + (int)graph_below(&r, 120), true), *stays, *moves;
  int output[TAPE_OUTPUTS];
  bool moving[TAPE_INPUTS];
  for (int i = 0; i < TAPE_OUTPUTS; i++) output[i] = graph_below(&r, 3) ? -1 : i;
  for (int i = 0; i < TAPE_INPUTS; i++) moving[i] = graph_below(&r, 3) == 0;
  t->all++;
  if (code_split(k, TAPE_OUTPUTS, output, moving, &stays, &moves)) {
    t->paid++;
    t->stayed += stays != NULL;
    CHECK(code_operations(moves) <= code_operations(k));
    bool whole[TAPE_INPUTS], part[TAPE_INPUTS + 1000];
    CHECK(code_inputs(moves) <= TAPE_INPUTS + 1000);
    code_uses(k, whole);
    code_uses(moves, part);
    for (int i = 0; i < TAPE_INPUTS; i++) CHECK(whole[i] || !part[i]);
    compare(k, stays, moves, &r, output, moving);
  } else {
    CHECK(!stays && !moves);
  }
  code_free(stays);
  code_free(moves);
  code_free(k);
}

TEST(what_stays_and_what_moves_give_the_bits_of_the_whole)
{
  taken t = {0};
  for (uint64_t seed = 0; seed < 1000; seed++) one_kernel(seed, &t);
  // of all kinds enough to say something
  CHECK(t.paid > t.all / 4 && t.stayed > t.all / 8);
}

TEST(a_kernel_that_moves_as_a_whole_is_left_alone)
{
  expr_pool* p = expr_pool_new(0);
  const expr x = expr_symbol(p, "x"), t = expr_symbol(p, "t");
  // cos t stays and x^2 is not asked for; then neither
  const expr list[] = {expr_mul(p, x, expr_call(p, EXPR_COS, 1, &t)), expr_mul(p, x, x)};
  code_kernel *k = code_build(p, 2, list, 2, (expr[]){t, x}, NULL), *stays, *moves;
  CHECK(code_split(k, 1, (int[]){0}, (bool[]){false, true}, &stays, &moves));
  CHECK(stays && code_outputs(stays) == 1 && code_operations(moves) == 1);
  bool uses[3];
  code_uses(moves, uses);
  CHECK(uses[1] && !uses[0]);
  code_free(stays);
  code_free(moves);
  // and that is known before anything is made: lists of the splitting alone are taken
  enum { lists = 4, none_fails = 1000000 };
  base_fault_plan(BASE_FAULT_MEMORY, none_fails, 0);
  CHECK(!code_split(k, 2, (int[]){0, 1}, (bool[]){true, true}, &stays, &moves));
  CHECK(base_fault_count(BASE_FAULT_MEMORY) == lists);
  base_fault_plan(BASE_FAULT_MEMORY, 0, 0);
  CHECK(!stays && !moves);
  code_free(k);
  expr_pool_free(p);
}
