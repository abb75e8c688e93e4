// Slopes of large expressions by numbers against those of differentiated expressions.
#include "../walk/bench.h"
#include "check.h"
#include "contact/contact.h"
#include "study/linear.h"
#include "study/slopes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { links = 90 };

// with springs, drag and a sliding weight on top
static bench chain(void)
{
  base_text text = {0};
  base_text_printf(&text, "gravity (0.3, -9.81, 0)\ncoord s\nframe F0 = world at (s, 0, 0)\n"
                          "particle P = (0, 0.1, 0) in F0 mass 2\nforce s = -3*s - s'^3\n");
  for (int i = 1; i <= links; i++)
    base_text_printf(&text,
                     "coord q%d\nframe F%d = F%d at (0.1, 0, 0) rotated %c(q%d)\n"
                     "rod R%d mass 0.2 from (0, 0, 0) to (0.1, 0, 0) in F%d\n"
                     "force q%d = -sin(q%d) - 0.1*q%d'*abs(q%d')\n",
                     i, i, i - 1, i % 4 ? 'z' : 'y', i, i, i, i, i, i, i);
  base_text_printf(&text, "run 0 .. 1\n");
  const bench b = bench_text(text.at);
  base_text_free(&text);
  return b;
}

TEST(slopes_by_numbers_are_those_of_expressions)
{
  bench b = chain();
  engine* e = b.system ? contact_engine_new(b.system, b.notes) : NULL;
  CHECK(e);
  if (!e) return;
  const int n = e->n, N = 2 * n;
  for (int i = 0; i < N; i++) e->q[i] = sin(1 + 2.1 * i) / 2;
  int* input = base_alloc(sizeof *input * (size_t)N);
  double* out = base_alloc(sizeof *out * (size_t)(n * N));
  study_slopes_inputs(e, input);
  study_slopes* s = study_slopes_new(e, n, e->s->F, N);
  CHECK(s);
  if (s) study_slopes_at(s, N, input, N, out);
  for (int k = 0; s && k < 60; k++) {
    const int i = (7 * k) % n, j = (11 * k) % N;
    const expr by = j < n ? e->s->q[j] : e->s->v[j - n];
    const double want = engine_value(e, expr_diff(e->s->pool, e->s->F[i], by));
    CHECK_NEAR(out[i * N + j], want, 1e-11 * (1 + fabs(want)));
  }
  study_slopes_free(s);
  free(input);
  free(out);
  engine_free(e);
  bench_free(&b);
}

// a chain of equal rods hangs: its slowest swing tends to that of a heavy string of its length,
// w = j0/2 sqrt(g/L), j0 = 2.404825557695773 the first zero of J0 (Bernoulli, 1732)
TEST(a_long_chain_swings_as_a_heavy_string)
{
  enum { rods = 48 };
  base_text text = {0};
  for (int i = 1; i <= rods; i++) {
    if (i == 1)
      base_text_printf(&text, "gravity (0, -9.81, 0)\ncoord q1\nframe F1 = world rotated z(q1)\n");
    else
      base_text_printf(&text, "coord q%d\nframe F%d = F%d at (0, -%.15g, 0) rotated z(q%d)\n", i, i,
                       i - 1, 1.0 / rods, i);
    base_text_printf(&text, "rod R%d mass 1 from (0, 0, 0) to (0, -%.15g, 0) in F%d\n", i,
                     1.0 / rods, i);
  }
  base_text_printf(&text, "run 0 .. 1\n");
  bench b = bench_text(text.at);
  study_stability* s = bench_stability(&b, 0);
  double slowest = INFINITY;
  for (int i = 0; s && i < s->count; i++)
    if (fabs(s->im[i]) < slowest) slowest = fabs(s->im[i]);
  const double string = 2.404825557695773 / 2 * sqrt(9.81);
  // rods are no string: they differ by the square of their length
  CHECK(s && fabs(slowest / string - 1) < 1.0 / rods / rods * 3);
  study_stability_free(s);
  bench_free(&b);
  base_text_free(&text);
}
