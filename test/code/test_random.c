// Thousands of random graphs: the tape against a slow evaluation with bounds, and against expr.
#include "check.h"
#include "code/graphs.h"

#include <math.h>
#include <stdlib.h>

#define OUTPUTS 4

typedef struct tally
{
  int all, sure, sharp;
} tally;

static void compare(const expr_pool* p, const expr* out, const expr* in, const double* x,
                    const double* got, tally* t)
{
  double direct[OUTPUTS];
  expr_values(p, OUTPUTS, out, GRAPH_INPUTS, in, x, direct);
  for (int i = 0; i < OUTPUTS; i++) {
    graph_value want = graph_reference(p, out[i], in, x);
    t->all++;
    if (!isfinite((double)want.error)) continue;
    t->sure++;
    double allowed = (double)(2 * want.error) + 1e-300;
    CHECK_NEAR(got[i], (double)want.value, allowed);
    CHECK_NEAR(got[i], direct[i], 2 * allowed);
    // well conditioned: the promise is relative
    if (want.error > 2e-14L * fabsl(want.value)) continue;
    t->sharp++;
    CHECK_NEAR(got[i], direct[i], 1e-13 * fabs(direct[i]));
  }
}

static void one_graph(expr_pool* p, const expr* in, uint64_t seed, tally* t)
{
  graph_random r = {seed * 7919 + 17};
  expr out[OUTPUTS];
  graph_make(p, &r, 5 + (int)graph_below(&r, 60), in, OUTPUTS, out);
  code_kernel* k = code_build(p, OUTPUTS, out, GRAPH_INPUTS, in, NULL);
  CHECK(k);
  // exactly as large as promised, so that the sanitizer sees a step too far
  double* scratch = malloc(code_scratch(k) * sizeof *scratch);
  for (int trial = 0; trial < 3; trial++) {
    double x[GRAPH_INPUTS], got[OUTPUTS];
    for (int i = 0; i < GRAPH_INPUTS; i++) x[i] = graph_between(&r, -2, 2);
    code_run(k, x, got, scratch);
    compare(p, out, in, x, got, t);
  }
  free(scratch);
  code_free(k);
}

TEST(four_thousand_random_graphs_agree_with_their_expressions)
{
  expr_pool* p = expr_pool_new(0);
  expr in[GRAPH_INPUTS];
  graph_symbols(p, in);
  tally t = {0};
  for (uint64_t seed = 0; seed < 4000; seed++) one_graph(p, in, seed, &t);
  CHECK(!expr_pool_full(p));
  // most of it must have been decided, or this test says little
  CHECK(t.sure > t.all * 3 / 5);
  CHECK(t.sharp > t.all * 2 / 5);
  expr_pool_free(p);
}
