// How the work from a text to a tape grows with the length of a chain, counted, not timed.
#include "bench.h"

#include "check.h"

#include <stdio.h>
#include <stdlib.h>

// a pendulum of n links on a cart
static char* chain(int n)
{
  base_text t = {0};
  base_text_add(&t, "param m0 = 2, g = 9.81\ncoord x, q1");
  for (int i = 2; i <= n; i++) base_text_printf(&t, ", q%d", i);
  base_text_add(&t, "\nparticle P0 mass m0 = (x, 0, 0) in world\nlet x0 = x\nlet y0 = 0*x\n");
  for (int i = 1; i <= n; i++)
    base_text_printf(
        &t,
        "param m%d = 1, l%d = 1\nlet x%d = x%d - l%d*sin(q%d)\n"
        "let y%d = y%d + l%d*cos(q%d)\nparticle P%d mass m%d = (x%d, y%d, 0) in world\n",
        i, i, i, i - 1, i, i, i, i - 1, i, i, i, i, i, i);
  base_text_add(&t, "gravity (0, -g, 0)\n");
  return base_text_take(&t);
}

// nodes asked for while the system was made, distinct nodes of M, h and G, operations of their tape
typedef struct effort
{
  double work, nodes, operations;
} effort;

static effort effort_of(int links)
{
  char* text = chain(links);
  bench b = bench_text(text);
  const mech_system* s = b.system;
  const int n = s->n, count = n * n + 2 * n, inputs = 2 * n + b.model->params;
  expr *list = malloc(sizeof(expr) * (size_t)(count + inputs)), *in = list + count;
  memcpy(list, s->M, sizeof(expr) * (size_t)(n * n));
  memcpy(list + n * n, s->h, sizeof(expr) * (size_t)n);
  memcpy(list + n * n + n, s->G, sizeof(expr) * (size_t)n);
  memcpy(in, s->q, sizeof(expr) * (size_t)n);
  memcpy(in + n, s->v, sizeof(expr) * (size_t)n);
  for (int i = 0; i < b.model->params; i++) in[2 * n + i] = b.model->param[i].symbol;
  effort e = {.work = (double)expr_pool_work(s->pool),
              .nodes = (double)expr_size(s->pool, count, list)};
  code_kernel* k = code_build(s->pool, count, list, inputs, in, NULL);
  e.operations = code_operations(k);
  code_free(k);
  free(list);
  bench_free(&b);
  free(text);
  return e;
}

// The equations have n^2 entries. Tapes grow with them; the sums over the masses that each link
// carries are made anew for each column of M, so that derivation comes near n^3 for long chains.
TEST(work_and_equations_of_a_chain_grow_as_they_should)
{
  static const int links[] = {7, 14, 28, 56};
  effort before = {0};
  for (int i = 0; i < 4; i++) {
    const effort e = effort_of(links[i]);
    printf("# %3d links: work %.0f, nodes %.0f, operations %.0f\n", links[i], e.work, e.nodes,
           e.operations);
    if (i > 0) {
      CHECK(e.work / before.work <= 6.6);
      CHECK(e.operations / before.operations <= 1.25 * e.nodes / before.nodes);
      CHECK(e.nodes / before.nodes <= 4.4);
    }
    before = e;
  }
}
