// Roots isolated on a polynomial: random ones with known roots, clusters, touching, noise.
#include "check.h"
#include "num/num.h"

#include <stdint.h>
#include <string.h>

typedef struct polynomial
{
  int d, calls;
  double c[num_series_most + 1], wiggle;
} polynomial;

static double value(void* context, double t)
{
  polynomial* p = context;
  double sum = 0;
  p->calls++;
  for (int k = p->d; k >= 0; k--) sum = sum * t + p->c[k];
  return sum + p->wiggle * sin(1e3 * t);
}

// the product of (t - root)
static polynomial with_roots(int n, const double* root)
{
  polynomial p = {.d = n, .c = {1}};
  for (int i = 0; i < n; i++)
    for (int k = i + 1; k >= 0; k--) p.c[k] = (k ? p.c[k - 1] : 0) - root[i] * p.c[k];
  return p;
}

static int find(polynomial* p, double a, double b, double noise, num_root* out)
{
  return num_roots_series(value, p, 0, p->d, p->c, noise, a, b, 1e-13, 32, out);
}

TEST(series_roots_are_all_found_in_order_with_their_directions)
{
  uint64_t seed = 7;
  for (int turn = 0; turn < 2000; turn++) {
    double root[6];
    int inside = 0, n = 1 + turn % 6;
    for (int i = 0; i < n; i++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      root[i] = -0.5 + 2 * (double)(seed >> 11) / 9007199254740992.0;
      // ascending and apart
      if (i && root[i] < root[i - 1] + 0.02) root[i] = root[i - 1] + 0.02;
    }
    for (int i = 0; i < n; i++) inside += root[i] > 0 && root[i] < 1;
    polynomial p = with_roots(n, root);
    num_root out[32];
    CHECK_INT(find(&p, 0, 1, 1e-13, out), inside);
    for (int i = 0, at = 0; i < n && at < inside; i++) {
      if (root[i] <= 0 || root[i] >= 1) continue;
      CHECK_NEAR(out[at].t, root[i], 1e-7);
      CHECK_INT(out[at++].direction, (n - i) % 2 ? 1 : -1);
    }
  }
}

TEST(series_roots_nearer_than_any_sample_are_two)
{
  polynomial p = with_roots(3, (double[]){0.5, 0.500002, 0.9});
  num_root out[32];
  CHECK_INT(find(&p, 0, 1, 1e-15, out), 3);
  CHECK_NEAR(out[0].t, 0.5, 1e-9);
  CHECK_NEAR(out[1].t, 0.500002, 1e-9);
  CHECK(out[0].direction == -out[1].direction);
}

TEST(series_roots_that_touch_or_lie_where_halves_meet_count_once)
{
  polynomial p = with_roots(1, (double[]){0.5});
  num_root out[32];
  CHECK_INT(find(&p, 0, 1, 1e-12, out), 1);
  CHECK_NEAR(out[0].t, 0.5, 1e-12);
  CHECK_INT(out[0].direction, 1);
  p = with_roots(2, (double[]){0.37, 0.37});
  CHECK_INT(find(&p, 0, 1, 1e-15, out), 1);
  CHECK_NEAR(out[0].t, 0.37, 1e-6);
  CHECK_INT(out[0].direction, 0);
}

TEST(series_without_roots_never_ask_the_function)
{
  polynomial p = with_roots(4, (double[]){-0.1, -2, 1.1, 3});
  num_root out[32];
  CHECK_INT(find(&p, 0, 1, 1e-12, out), 0);
  CHECK_INT(p.calls, 0);
}

// the function is not quite its polynomial: the roots are those of the function
TEST(series_roots_are_those_of_the_function)
{
  polynomial p = with_roots(3, (double[]){0.2, 0.6, 0.7});
  p.wiggle = 1e-7;
  num_root out[32];
  CHECK_INT(find(&p, 0, 1, 2e-7, out), 3);
  for (int i = 0; i < 3; i++) CHECK_NEAR(value(&p, out[i].t), 0, 1e-12);
}

// In the middle of a step that is short beside its time: halving comes to pieces of no length.
TEST(series_roots_in_the_middle_of_a_short_step_are_found)
{
  const double from = 8.71949370029, length = 1.78052e-06;
  for (int turn = 1; turn < 64; turn++) {
    const double root = from + length * turn / 64;
    polynomial p = {.d = 4, .c = {-0.2 * root, 0.2}};
    const double about[5] = {-0.2 * (root - from), 0.2};
    num_root out[32];
    CHECK_INT(
        num_roots_series(value, &p, from, 4, about, 1e-21, from, from + length, 1e-13, 32, out), 1);
    CHECK_NEAR(out[0].t, root, 1e-12);
    CHECK_INT(out[0].direction, 1);
  }
}
