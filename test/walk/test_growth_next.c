// How the work of a short run grows from one size to the next: no threshold may make it jump.
#include "growth.h"

#include "check.h"

#include <math.h>
#include <stdio.h>

// rods in maximal coordinates, as models/hanging_chain.zw
static void hanging(base_text* t, int n)
{
  base_text_printf(t,
                   "param N = %d, L = 10, M = 5, l = L/N, m = M/N, g = 9.81\ngravity (0, -g, 0)\n"
                   "for i in 1..N {\n  coord x[i], y[i], a[i]\n"
                   "  frame F[i] = world at (x[i], y[i], 0) rotated z(a[i])\n"
                   "  rod R[i] mass m from (-l/2, 0, 0) to (l/2, 0, 0) in F[i]\n"
                   "  point head[i] = (-l/2, 0, 0) in F[i]\n  point tail[i] = (l/2, 0, 0) in F[i]\n"
                   "  initial a[i] = 0\n}\n"
                   "constraint hook_x: pos(head[1]).x = 0\nconstraint hook_y: pos(head[1]).y = 0\n"
                   "for i in 2..N {\n  constraint hinge_x[i]: pos(head[i]).x = pos(tail[i-1]).x\n"
                   "  constraint hinge_y[i]: pos(head[i]).y = pos(tail[i-1]).y\n}\n",
                   n);
}

// the same in angles between neighbours, as bench/chain_relative.zw
static void relative(base_text* t, int n)
{
  base_text_printf(t,
                   "param N = %d, m = 0.1, l = 0.1, g = 9.81\ngravity (0, -g, 0)\ncoord q[1]\n"
                   "frame F[1] = world rotated z(q[1])\n"
                   "rod R[1] mass m from (0, 0, 0) to (l, 0, 0) in F[1]\nfor i in 2..N {\n"
                   "  coord q[i]\n  frame F[i] = F[i-1] at (l, 0, 0) rotated z(q[i])\n"
                   "  rod R[i] mass m from (0, 0, 0) to (l, 0, 0) in F[i]\n}\n",
                   n);
}

// from the text to the end of a run of a few steps
static double work_of(void family(base_text*, int), int size)
{
  base_text text = {0};
  family(&text, size);
  const double looked = (double)expr_looks();
  bench b = bench_text(text.at);
  walk_track* t = bench_run(&b, 1e-10, 1, (const double[]){1e-6});
  CHECK(t != NULL);
  const double work =
      b.system ? (double)expr_pool_work(b.system->pool) + (double)expr_looks() - looked : 0;
  walk_track_free(t);
  bench_free(&b);
  base_text_free(&text);
  return work;
}

// At most so many times as much for one more, of few as much as M has entries more; and where one
// more takes far less, the smaller one takes too much.
static void grows_evenly(const char* name, void family(base_text*, int), int first, int last)
{
  static const double most = 1.3, least = 0.6;
  double before = 0;
  for (int n = first; n <= last; n++) {
    const double work = work_of(family, n);
    printf("# %-8s %3d: work %9.0f, %.2f times that of one less\n", name, n, work,
           before > 0 ? work / before : 0);
    const double entries = n > 1 ? (double)(n * n) / ((n - 1) * (n - 1)) : most;
    if (before > 0) CHECK(work <= fmax(most, entries) * before && work >= least * before);
    before = work;
  }
}

TEST(one_rod_more_takes_a_little_more_work)
{
  grows_evenly("hanging", hanging, 3, 24);
  grows_evenly("hanging", hanging, 99, 101);
}

TEST(one_link_more_takes_a_little_more_work)
{
  grows_evenly("relative", relative, 2, 30);
  grows_evenly("relative", relative, 63, 65);
}
