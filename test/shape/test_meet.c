// Points of contact of pairs of shapes, against what can be seen.
#include "shape/shape.h"

#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static shape_pose at(double x, double y, double z)
{
  return (shape_pose){.p = {x, y, z}, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
}

static shape_pose turned(double x, double y, double z, int axis, double phi)
{
  shape_pose P = at(x, y, z);
  const int i = (axis + 1) % 3, j = (axis + 2) % 3;
  P.R[3 * i + i] = P.R[3 * j + j] = cos(phi);
  P.R[3 * j + i] = sin(phi);
  P.R[3 * i + j] = -sin(phi);
  return P;
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

static shape_form* ball(base_arena* a, double r)
{
  const double p[1][3] = {{0, 0, 0}};
  return shape_form_new(a, SHAPE_HULL, false, r, 0, 1, p);
}

static double least_gap(const shape_form* f, const shape_pose* F, const shape_form* g,
                        const shape_pose* G, int* count)
{
  shape_touch t[SHAPE_MOST_TOUCHES];
  double least = INFINITY, n[3], p[3];
  *count = shape_meet(f, F, g, G, 1e9, t);
  for (int i = 0; i < *count; i++) least = fmin(least, shape_look(&t[i], f, F, g, G, n, p));
  return least;
}

TEST(a_box_has_six_sides_and_twelve_edges)
{
  base_arena* a = base_arena_new();
  const shape_form* f = box(a, 1, 2, 3);
  CHECK(f->faces == 6);
  CHECK(f->edges == 12);
  CHECK(f->ways == 3);
  CHECK_NEAR(f->reach, sqrt(14) / 2, 1e-15);
  for (int i = 0; i < 6; i++) CHECK(f->face[i].count == 4);
  const double flat[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  CHECK(!shape_form_new(a, SHAPE_HULL, false, 0, 0, 4, flat));
  base_arena_free(a);
}

// points of a cube, of its sides and inside of it: what is not a corner is let go
TEST(a_hull_of_many_points_is_its_corners)
{
  base_arena* a = base_arena_new();
  double p[125][3];
  for (int i = 0; i < 125; i++) {
    p[i][0] = i % 5;
    p[i][1] = i / 5 % 5;
    p[i][2] = i / 25;
  }
  const shape_form* f = shape_form_new(a, SHAPE_HULL, false, 0, 0, 125, (const double(*)[3])p);
  CHECK(f && f->faces == 6 && f->edges == 12);
  // a ball of points: Euler's corners - edges + sides = 2
  for (int i = 0; i < 100; i++) {
    const double z = 1 - 2 * (i + 0.5) / 100, phi = 2.399963 * i;
    p[i][0] = sqrt(1 - z * z) * cos(phi);
    p[i][1] = sqrt(1 - z * z) * sin(phi);
    p[i][2] = z;
  }
  f = shape_form_new(a, SHAPE_HULL, false, 0, 0, 100, (const double(*)[3])p);
  CHECK(f && 100 - f->edges + f->faces == 2);
  base_arena_free(a);
}

TEST(a_box_lies_on_a_box_with_four_corners)
{
  base_arena* a = base_arena_new();
  const shape_form *f = box(a, 1, 1, 1), *g = box(a, 2, 2, 2);
  shape_pose F = turned(0.2, 0.1, 1.6, 2, 0.3), G = at(0, 0, 0);
  shape_touch t[SHAPE_MOST_TOUCHES];
  double n[3], p[3];
  const int count = shape_meet(f, &F, g, &G, 0.2, t);
  CHECK(count == 4);
  for (int i = 0; i < count; i++) {
    CHECK_NEAR(shape_look(&t[i], f, &F, g, &G, n, p), 0.1, 1e-14);
    CHECK_NEAR(n[2], 1, 1e-15);
    for (int j = 0; j < i; j++) CHECK(t[i].feature != t[j].feature);
  }
  CHECK(shape_meet(f, &F, g, &G, 0.05, t) == 0);
  // the other way round the normal is, too
  CHECK(shape_meet(g, &G, f, &F, 0.2, t) == 4);
  CHECK_NEAR(shape_look(&t[0], g, &G, f, &F, n, p), 0.1, 1e-14);
  CHECK_NEAR(n[2], -1, 1e-15);
  // it lies half over the edge
  F = at(1.2, 0, 1.4);
  CHECK(shape_meet(f, &F, g, &G, 0.2, t) == 4);
  for (int i = 0; i < 4; i++) {
    CHECK_NEAR(shape_look(&t[i], f, &F, g, &G, n, p), -0.1, 1e-14);
    CHECK(p[0] <= 1 + 1e-12 && p[0] >= 0.7 - 1e-12);
  }
  base_arena_free(a);
}

TEST(edges_cross)
{
  // both on edge, one turned: their edges cross at right angles
  base_arena* a = base_arena_new();
  const shape_form* f = box(a, 1, 1, 1);
  const shape_pose F = turned(0, 0, 1.5, 0, M_PI / 4), G = turned(0, 0, 0, 1, M_PI / 4);
  int count;
  CHECK_NEAR(least_gap(f, &F, f, &G, &count), 1.5 - sqrt(2), 1e-14);
  CHECK(count == 1);
  base_arena_free(a);
}

TEST(a_ball_meets_side_edge_and_corner_of_a_box)
{
  base_arena* a = base_arena_new();
  const shape_form *b = ball(a, 0.25), *f = box(a, 2, 2, 2);
  const shape_pose G = turned(0, 0, 0, 2, 0.7);
  const double from[4][3] = {{0.3, 0.2, 2}, {2, 0.3, 2}, {2, 2, 2}, {0.9, 0, 0}};
  const double want[4] = {1, sqrt(2), sqrt(3), -0.1};
  for (int i = 0; i < 4; i++) {
    shape_pose B = at(0, 0, 0);
    int count;
    shape_pose_point(&G, from[i], B.p);
    CHECK_NEAR(least_gap(b, &B, f, &G, &count), want[i] - 0.25, 1e-14);
    CHECK_NEAR(least_gap(f, &G, b, &B, &count), want[i] - 0.25, 1e-14);
    CHECK(count == 1);
  }
  base_arena_free(a);
}

TEST(capsules_lie_beside_and_across_each_other)
{
  base_arena* a = base_arena_new();
  const double ends[2][3] = {{0, 0, -1}, {0, 0, 1}};
  const shape_form* c = shape_form_new(a, SHAPE_HULL, false, 0.1, 2, 2, ends);
  const shape_form* f = box(a, 4, 4, 4);
  shape_pose A = at(0.5, 0, 0.4), B = at(0, 0, 0);
  int count;
  CHECK_NEAR(least_gap(c, &A, c, &B, &count), 0.3, 1e-14);
  CHECK(count == 2);
  A = turned(0.5, 0, 0.4, 0, 1);
  CHECK_NEAR(least_gap(c, &A, c, &B, &count), 0.3, 1e-14);
  CHECK(count == 1);
  A = at(0, 0, 2.3);
  CHECK_NEAR(least_gap(c, &A, c, &B, &count), 0.1, 1e-14);
  // flat on a box: both ends; across its edge: the middle
  A = turned(0, 0, 2.2, 1, M_PI / 2);
  CHECK_NEAR(least_gap(c, &A, f, &B, &count), 0.1, 1e-14);
  CHECK(count >= 2);
  A = turned(2 + 0.5, 0, 2 + 0.5, 1, -M_PI / 4);
  CHECK_NEAR(least_gap(c, &A, f, &B, &count), 0.5 * sqrt(2) - 0.1, 1e-14);
  base_arena_free(a);
}

TEST(a_cylinder_stands_lies_and_leans)
{
  base_arena* a = base_arena_new();
  const shape_form* c = shape_form_new(a, SHAPE_CYLINDER, false, 0.5, 2, 0, NULL);
  const shape_form* plane = shape_form_new(a, SHAPE_PLANE, false, 0, 0, 0, NULL);
  const shape_form* b = ball(a, 0.25);
  const shape_pose ground = at(0, 0, 0);
  shape_touch t[SHAPE_MOST_TOUCHES];
  shape_pose C = at(0, 0, 1), B = at(1, 0, 1.5);
  int count;
  CHECK(shape_meet(c, &C, plane, &ground, 1e-6, t) == 8);
  C = turned(0, 0, 0.5, 0, M_PI / 2);
  CHECK(shape_meet(c, &C, plane, &ground, 1e-6, t) == 2);
  C = turned(0, 0, 1, 1, 0.4);
  CHECK_NEAR(least_gap(c, &C, plane, &ground, &count), 1 - cos(0.4) - 0.5 * sin(0.4), 1e-14);
  C = at(0, 0, 1);
  CHECK_NEAR(least_gap(b, &B, c, &C, &count), 0.25, 1e-14);
  B = at(0.8, 0, 2.4);
  CHECK_NEAR(least_gap(b, &B, c, &C, &count), 0.5 - 0.25, 1e-14);
  B = at(0.1, 0.1, 2.4);
  CHECK_NEAR(least_gap(b, &B, c, &C, &count), 0.4 - 0.25, 1e-14);
  base_arena_free(a);
}

TEST(polygons_in_the_plane_touch_in_two_points)
{
  base_arena* a = base_arena_new();
  const double square[4][3] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  const double ends[2][3] = {{-2, 0, 0}, {2, 0, 0}};
  const double one[1][3] = {{0, 0, 0}};
  const shape_form* f = shape_form_new(a, SHAPE_HULL, true, 0, 0, 4, square);
  const shape_form* s = shape_form_new(a, SHAPE_HULL, true, 0, 0, 2, ends);
  const shape_form* c = shape_form_new(a, SHAPE_HULL, true, 0.5, 0, 1, one);
  shape_pose A = at(0.5, 2.1, 0), B = at(0, 0, 0);
  int count;
  CHECK_NEAR(least_gap(f, &A, f, &B, &count), 0.1, 1e-14);
  CHECK(count == 2);
  A = turned(0.5, 1 + sqrt(2) + 0.1, 0, 2, M_PI / 4);
  CHECK_NEAR(least_gap(f, &A, f, &B, &count), 0.1, 1e-14);
  // on a segment, from both sides
  A = at(0.5, 1.1, 0);
  CHECK_NEAR(least_gap(f, &A, s, &B, &count), 0.1, 1e-14);
  A = at(0.5, -1.1, 0);
  CHECK_NEAR(least_gap(f, &A, s, &B, &count), 0.1, 1e-14);
  // a circle beside a line and beside its end
  A = at(0, 0.7, 0);
  CHECK_NEAR(least_gap(c, &A, s, &B, &count), 0.2, 1e-14);
  A = at(2.6, 0.8, 0);
  CHECK_NEAR(least_gap(c, &A, s, &B, &count), 0.5, 1e-14);
  A = at(1.6, 1.8, 0);
  CHECK_NEAR(least_gap(c, &A, f, &B, &count), 0.5, 1e-14);
  base_arena_free(a);
}

static double number(double low, double high)
{
  return low + (high - low) * rand() / RAND_MAX;
}

// P turned about z by yaw, then about an axis in the plane z = 0 by a little
static shape_pose leaning(double x, double y, double z, double yaw, double to, double tilt)
{
  const double u[3] = {cos(to), sin(to), 0}, c = cos(tilt), s = sin(tilt);
  const double R[9] = {c + u[0] * u[0] * (1 - c),
                       u[0] * u[1] * (1 - c),
                       u[1] * s,
                       u[0] * u[1] * (1 - c),
                       c + u[1] * u[1] * (1 - c),
                       -u[0] * s,
                       -u[1] * s,
                       u[0] * s,
                       c};
  const shape_pose Z = turned(0, 0, 0, 2, yaw);
  shape_pose P = {.p = {x, y, z}};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++) P.R[3 * i + j] += R[3 * i + k] * Z.R[3 * k + j];
  return P;
}

// What lies on a part of a side and sticks out has the same points to lie on when it is tilted by
// anything, though an axis across two edges then parts both most: each corner of what is common to
// both sides, and no point twice.
TEST(a_tilted_box_has_the_points_of_one_that_lies)
{
  base_arena* a = base_arena_new();
  const shape_form *f = box(a, 0.8, 0.7, 0.6), *g = box(a, 0.7, 0.9, 0.5);
  int crossed = 0;
  srand(11);
  for (int turn = 0; turn < 300; turn++) {
    const double x = number(-0.4, 0.4), y = number(-0.5, 0.5), yaw = number(0, 6),
                 to = number(0, 6), tilt = pow(10, number(-9, -3));
    const shape_pose G = at(0, 0, 0), flat = leaning(x, y, 0.551, yaw, 0, 0),
                     F = leaning(x, y, 0.551, yaw, to, tilt);
    shape_touch t[SHAPE_MOST_TOUCHES], there[SHAPE_MOST_TOUCHES];
    double n[3], p[3], q[3];
    const int count = shape_meet(f, &flat, g, &G, 0.1, t),
              tilted = shape_meet(f, &F, g, &G, 0.1, there);
    CHECK(count >= 3 && tilted == count);
    for (int i = 0; i < tilted; i++) crossed += there[i].normal == SHAPE_OF_EDGES;
    for (int i = 0; i < count; i++) {
      double nearest = INFINITY;
      shape_look(&t[i], f, &flat, g, &G, n, p);
      for (int j = 0; j < tilted; j++) {
        shape_look(&there[j], f, &F, g, &G, n, q);
        nearest = fmin(nearest, hypot(hypot(p[0] - q[0], p[1] - q[1]), p[2] - q[2]));
      }
      CHECK(nearest <= 4 * tilt);
    }
  }
  CHECK(crossed > 30);
  base_arena_free(a);
}

// the rate of the gap is that of the points along the normal, to first order
TEST(a_point_is_followed)
{
  base_arena* a = base_arena_new();
  const shape_form* f = box(a, 1, 1.3, 0.7);
  const shape_pose G = turned(0, 0, 0, 0, 0.2);
  shape_touch t[SHAPE_MOST_TOUCHES];
  const double h = 1e-6;
  for (int k = 0; k < 3; k++) {
    const shape_pose F = turned(0.1, 0.2, 1.1, k, 0.6), after = turned(0.1, 0.2, 1.1, k, 0.6 + h);
    const int count = shape_meet(f, &F, f, &G, 1, t);
    CHECK(count > 0);
    for (int i = 0; i < count; i++) {
      double n[3], p[3], m[3], q[3], w[3] = {0}, r[3];
      const double now = shape_look(&t[i], f, &F, f, &G, n, p);
      const double then = shape_look(&t[i], f, &after, f, &G, m, q);
      w[k] = 1;
      for (int j = 0; j < 3; j++) r[j] = p[j] - F.p[j];
      const double rate = n[0] * (w[1] * r[2] - w[2] * r[1]) + n[1] * (w[2] * r[0] - w[0] * r[2]) +
                          n[2] * (w[0] * r[1] - w[1] * r[0]);
      CHECK_NEAR((then - now) / h, rate, 1e-5);
    }
  }
  base_arena_free(a);
}

TEST(near_pairs_are_those_that_overlap)
{
  enum { n = 200 };
  double box[6 * n];
  shape_pairs out = {0};
  srand(7);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) {
      box[6 * i + k] = rand() / (double)RAND_MAX;
      box[6 * i + 3 + k] = box[6 * i + k] + 0.2 * rand() / (double)RAND_MAX;
    }
  shape_sweep* s = shape_sweep_new(n);
  shape_sweep_find(s, n, box, &out);
  int at_pair = 0;
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++) {
      bool meet = true;
      for (int k = 0; k < 3; k++)
        meet = meet && box[6 * i + k] <= box[6 * j + 3 + k] && box[6 * j + k] <= box[6 * i + 3 + k];
      if (!meet) continue;
      CHECK(at_pair < out.n && out.at[at_pair].i == i && out.at[at_pair].j == j);
      at_pair++;
    }
  CHECK(at_pair == out.n && out.n > 100);
  base_list_free(&out);
  shape_sweep_free(s);
}
