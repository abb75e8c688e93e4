// Cylinders against hulls, capsules and each other: distances by another method, and what they rest
// on.
#include "shape/shape.h"

#include "check.h"

#include <math.h>
#include <string.h>

static unsigned long long seed;

static double draw(double low, double high)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

static shape_pose anywhere(double away)
{
  shape_pose x = {.p = {draw(-1, 1), draw(-1, 1), draw(-1, 1)}};
  double q[4], square = 0, size = 0;
  for (int i = 0; i < 4; i++) q[i] = draw(-1, 1);
  for (int i = 0; i < 4; i++) square += q[i] * q[i];
  for (int i = 0; i < 4; i++) q[i] /= sqrt(square);
  for (int k = 0; k < 3; k++) size = hypot(size, x.p[k]);
  for (int k = 0; k < 3; k++) x.p[k] *= away / size;
  const double w = q[0], a = q[1], b = q[2], c = q[3];
  const double R[9] = {1 - 2 * (b * b + c * c), 2 * (a * b - w * c),     2 * (a * c + w * b),
                       2 * (a * b + w * c),     1 - 2 * (a * a + c * c), 2 * (b * c - w * a),
                       2 * (a * c - w * b),     2 * (b * c + w * a),     1 - 2 * (a * a + b * b)};
  memcpy(x.R, R, sizeof R);
  return x;
}

static double clamp(double x, double most)
{
  return x > most ? most : x < -most ? -most : x;
}

// the nearest point of a cylinder, a box or the line of a capsule along z
static void project(const shape_form* f, const shape_pose* F, double x[3])
{
  double own[3];
  shape_pose_back(F, x, own);
  if (f->kind == SHAPE_CYLINDER) {
    const double rho = hypot(own[0], own[1]), share = rho > f->radius ? f->radius / rho : 1;
    own[0] *= share;
    own[1] *= share;
    own[2] = clamp(own[2], f->length / 2);
  } else {
    for (int k = 0; k < 3; k++) own[k] = clamp(own[k], fabs(f->point[0][k]));
  }
  shape_pose_point(F, own, x);
}

// of two convex bodies, by projections to and fro
static double distance(const shape_form* f, const shape_pose* F, const shape_form* g,
                       const shape_pose* G)
{
  double x[3], y[3], l = 0;
  memcpy(x, F->p, sizeof x);
  for (int i = 0; i < 10000; i++) {
    memcpy(y, x, sizeof y);
    project(g, G, y);
    memcpy(x, y, sizeof x);
    project(f, F, x);
  }
  for (int k = 0; k < 3; k++) l = hypot(l, x[k] - y[k]);
  return l - (f->kind == SHAPE_HULL ? f->radius : 0);
}

static double least_gap(const shape_form* f, const shape_pose* F, const shape_form* g,
                        const shape_pose* G, double within, int* count)
{
  shape_touch t[SHAPE_MOST_TOUCHES];
  double least = INFINITY, n[3], p[3];
  *count = shape_meet(f, F, g, G, within, t);
  for (int i = 0; i < *count; i++) least = fmin(least, shape_look(&t[i], f, F, g, G, n, p));
  return least;
}

static shape_form* box(base_arena* a, double x, double y, double z)
{
  double p[8][3];
  for (int i = 0; i < 8; i++) {
    p[i][0] = (i & 1 ? x : -x) / 2;
    p[i][1] = (i & 2 ? y : -y) / 2;
    p[i][2] = (i & 4 ? z : -z) / 2;
  }
  return shape_form_new(a, SHAPE_HULL, false, 0, 0, 8, (const double(*)[3])p);
}

static shape_form* capsule(base_arena* a, double r, double l)
{
  const double p[2][3] = {{0, 0, -l / 2}, {0, 0, l / 2}};
  return shape_form_new(a, SHAPE_HULL, false, r, 0, 2, p);
}

TEST(cylinders_are_as_far_from_others_as_they_are)
{
  base_arena* a = base_arena_new();
  const shape_form* c = shape_form_new(a, SHAPE_CYLINDER, false, 0.5, 1.2, 0, NULL);
  const shape_form* other[] = {shape_form_new(a, SHAPE_CYLINDER, false, 0.3, 1, 0, NULL),
                               capsule(a, 0.2, 1), box(a, 0.6, 0.8, 1)};
  double worst[3] = {0};
  int compared[3] = {0};
  seed = 5;
  for (int i = 0; i < 900; i++) {
    const int k = i % 3;
    const shape_pose C = anywhere(0), X = anywhere(draw(0.6, 1.6));
    const double want = distance(other[k], &X, c, &C);
    int count;
    const double gap = least_gap(other[k], &X, c, &C, 1e9, &count);
    CHECK(count > 0);
    if (want < 1e-3) continue;
    compared[k]++;
    // two sharp corners are parted by more than any axis tells until they touch
    CHECK(gap > 0 && gap < want + 1e-6);
    if (k < 2) worst[k] = fmax(worst[k], fabs(gap - want));
    int again;
    CHECK_NEAR(least_gap(c, &C, other[k], &X, 1e9, &again), gap, 1e-12);
    CHECK(again == count);
  }
  printf("# %d, %d, %d compared, apart by %.1e and %.1e\n", compared[0], compared[1], compared[2],
         worst[0], worst[1]);
  CHECK(worst[0] < 1e-5 && worst[1] < 1e-5 && compared[0] > 100 && compared[2] > 100);
  base_arena_free(a);
}

// the middle and the reach of the points of contact, in the plane
static void support(const shape_form* f, const shape_pose* F, const shape_form* g,
                    const shape_pose* G, double low[2], double high[2], int* count)
{
  shape_touch t[SHAPE_MOST_TOUCHES];
  low[0] = low[1] = INFINITY;
  high[0] = high[1] = -INFINITY;
  *count = shape_meet(f, F, g, G, 1e-6, t);
  for (int i = 0; i < *count; i++) {
    double n[3], p[3];
    CHECK_NEAR(shape_look(&t[i], f, F, g, G, n, p), 0, 1e-12);
    CHECK_NEAR(n[2], 1, 1e-12);
    for (int k = 0; k < 2; k++) {
      low[k] = fmin(low[k], p[k]);
      high[k] = fmax(high[k], p[k]);
    }
  }
}

TEST(cylinders_rest_on_what_lies_below_them)
{
  base_arena* a = base_arena_new();
  const shape_form* c = shape_form_new(a, SHAPE_CYLINDER, false, 0.5, 1.2, 0, NULL);
  const shape_form* b = box(a, 2, 2, 1);
  const shape_pose B = {.p = {0, 0, -0.5}, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  shape_pose C = {.p = {0.8, 0, 0.6}, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  double low[2], high[2];
  int count;
  // it stands, partly beyond the edge x = 1: from x = 0.3 to the edge, and as wide as itself
  support(c, &C, b, &B, low, high, &count);
  CHECK_NEAR(low[0], 0.3, 1e-12);
  CHECK_NEAR(high[0], 1, 1e-12);
  CHECK_NEAR(high[1], 0.5, 1e-12);
  // a box on its end: where its edges cross the rim
  const shape_pose on = {.p = {0.8, 0, 0.5}, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  const shape_pose under = {.p = {0, 0, -0.6}, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  const shape_form* narrow = box(a, 1, 0.6, 1);
  support(narrow, &on, c, &under, low, high, &count);
  CHECK_NEAR(low[0], 0.3, 1e-12);
  CHECK_NEAR(high[0], 0.5, 1e-12);
  CHECK_NEAR(high[1], 0.3, 1e-12);
  // one on the other, 0.6 aside: the lens of both
  C = (shape_pose){.p = {0.6, 0, 0.6}, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  support(c, &C, c, &under, low, high, &count);
  CHECK_NEAR(low[0], 0.1, 1e-12);
  CHECK_NEAR(high[0], 0.5, 1e-12);
  CHECK_NEAR(high[1], 0.4, 1e-12);
  // lying along x, from -0.6 to the edge of what it lies on
  C = (shape_pose){.p = {0.7, 0, 0.5}, .R = {0, 0, 1, 0, 1, 0, -1, 0, 0}};
  support(c, &C, b, &B, low, high, &count);
  CHECK(count == 2);
  CHECK_NEAR(low[0], 0.1, 1e-12);
  CHECK_NEAR(high[0], 1, 1e-12);
  // two that lie on each other alike
  const shape_pose below = {.p = {0.7, 0, -0.5}, .R = {0, 0, 1, 0, 1, 0, -1, 0, 0}};
  support(c, &C, c, &below, low, high, &count);
  CHECK(count == 2);
  CHECK_NEAR(high[0] - low[0], 1.2, 1e-8);
  base_arena_free(a);
}

// the same of capsules, which were held by one point alone
TEST(capsules_beside_each_other_touch_at_both_ends)
{
  base_arena* a = base_arena_new();
  const shape_form* c = capsule(a, 0.1, 1);
  const shape_pose A = {.p = {0, 0, 0}, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  const shape_pose B = {.p = {0.2, 0, 0}, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  shape_touch t[SHAPE_MOST_TOUCHES];
  CHECK(shape_meet(c, &A, c, &B, 1e-6, t) == 2);
  CHECK_NEAR(fabs(t[0].a[2] - t[1].a[2]), 1, 1e-15);
  base_arena_free(a);
}
