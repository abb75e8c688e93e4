// Surfaces with the metric of a double pendulum, and of one whose tip drives a Scotch yoke: the
// true error of the metric on 41 by 41 points of every box, by the second tensor and by the map
// itself.
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "geom/codazzi.h"
#include "geom/embedding.h"

typedef struct box
{
  const char* name;
  bool yoke;
  double low[2], high[2];
  int second, map; // degrees asked for
} box;

static const box boxes[] = {
    {"K > 0, +-0.5", false, {-0.5, -0.5}, {0.5, 0.5}, 18, 14},
    {"K < 0, [-.4,.4]x[2.2,3]", false, {-0.4, 2.2}, {0.4, 3}, 18, 18},
    {"mixed, [-.5,.5]x[1,2.2]", false, {-0.5, 1}, {0.5, 2.2}, 18, 14},
    {"yoke +-0.6", true, {-0.6, -0.6}, {0.6, 0.6}, 18, 18},
    {"yoke +-1.0", true, {-1, -1}, {1, 1}, 24, 22},
    {"yoke +-1.5", true, {-1.5, -1.5}, {1.5, 1.5}, 22, 22},
    {"[-1,1]x[-1.5,2.5]", false, {-1, -1.5}, {1, 2.5}, 22, 22},
};

static double seconds(void)
{
  return (double)clock() / CLOCKS_PER_SEC;
}

static void slope(const void* map, const double* q, double* dx)
{
  geom_patch_eval(map, q, NULL, dx, NULL);
}

static double error_of(const geom_space* s, const geom_patch* x)
{
  return geom_isometry_error(s, x, slope, 3, x->low, x->high, 41);
}

static void second_route(const geom_space* s, const box* b, base_arena* arena, int degree)
{
  geom_second second = {0};
  geom_patch x = {0};
  double apart = 0, from = seconds();
  if (!geom_second_find(s, arena, b->low, b->high, NULL, degree, 1e-14, &second)) return;
  const double residual = second.residual;
  if (!geom_second_surface(s, arena, &second, b->low, b->high, degree + 4, &x, &apart)) return;
  bench_say("%-26s second tensor, degree %2d: equations %.0e, metric %.1e, %.1f s\n", b->name,
            second.b.degree, residual, error_of(s, &x), seconds() - from);
}

static void map_route(geom_space* s, const box* b, base_arena* arena)
{
  geom_embedding e = {.arena = arena, .s = s, .n = 2, .thorough = true};
  double from = seconds(), work = INFINITY;
  const geom_isometry r = geom_embedding_fit(&e, 3, b->low, b->high, NULL, &work);
  bench_say("%-26s map, degree %2d: metric %.1e, %.1f s\n", b->name, r.patch.degree, r.error,
            seconds() - from);
}

static geom_space* space_of(const model* m, const double* q, base_notes* notes)
{
  expr symbol[8];
  double value[8] = {0};
  int n = 0;
  symbol[n++] = m->t;
  for (int i = 0; i < m->coords; i++) {
    value[n] = q ? q[i] : 0;
    symbol[n++] = m->coord[i].q;
  }
  return geom_space_make(m, NULL, &(geom_metric){0}, n, symbol, value, notes);
}

// three coordinates in 4, 5 and 6 dimensions, on a box of half a unit around the point
static void three(const char* path, const char* name, const double* q)
{
  bench_model m = bench_read(path);
  geom_space* s = space_of(m.model, q, m.notes);
  double low[3], high[3];
  for (int i = 0; i < 3; i++) low[i] = q[i] - 0.25, high[i] = q[i] + 0.25;
  for (int N = 4; N <= 6; N++) {
    base_arena* arena = base_arena_new();
    geom_embedding e = {.arena = arena, .s = s, .n = 3, .thorough = true};
    double from = seconds(), work = 6e11;
    const geom_isometry r = geom_embedding_fit(&e, N, low, high, NULL, &work);
    bench_say("%-26s map into %d dimensions, degree %2d: metric %.1e (%.1e at the degree below), "
              "%.1f s\n",
              name, N, r.patch.degree, r.error, r.before, seconds() - from);
    base_arena_free(arena);
  }
  geom_space_free(s);
  bench_forget(&m);
}

int main(int count, char** argument)
{
  if (count < 6) return 1;
  bench_begin("surfaces from metrics");
  bench_model free_one = bench_read(argument[1]), yoke = bench_read(argument[2]);
  const int only = count > 6 ? atoi(argument[6]) : -1;
  geom_space* space[2] = {space_of(free_one.model, NULL, free_one.notes),
                          space_of(yoke.model, NULL, yoke.notes)};
  for (int i = 0; i < (int)(sizeof boxes / sizeof *boxes); i++) {
    if (only >= 0 && i != only) continue;
    base_arena* arena = base_arena_new();
    for (int degree = 10; degree < boxes[i].second; degree += 4)
      second_route(space[boxes[i].yoke], &boxes[i], arena, degree);
    second_route(space[boxes[i].yoke], &boxes[i], arena, boxes[i].second);
    map_route(space[boxes[i].yoke], &boxes[i], arena);
    base_arena_free(arena);
  }
  if (only >= 0 && only < (int)(sizeof boxes / sizeof *boxes)) return 0;
  three(argument[3], "three point masses", (double[]){0.2, 1, 0.3});
  three(argument[4], "three uniform rods", (double[]){0.2, 1, 0.3});
  three(argument[5], "symmetric top 1, 1, 0.5", (double[]){0, 1, 0});
  return 0;
}
