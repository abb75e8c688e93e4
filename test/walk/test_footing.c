// Boxes, hulls and capsules in space, event by event: against closed forms, against each other and
// against steps of time.
#include "bench.h"

#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { most_text = 4096, most_columns = 16 };

// a text that uses files beside it
static bench from_text(const char* text)
{
  char path[64];
  snprintf(path, sizeof path, "footing_%ld.zw", (long)getpid());
  FILE* f = fopen(path, "w");
  if (f) fputs(text, f);
  if (f) fclose(f);
  const bench b = bench_path(path);
  remove(path);
  return b;
}

// columns of the last row, event by event (h = 0) or by steps of time; false: there is no run
static bool at_end(const char* text, double h, int count, const char* const* column, double* out)
{
  char whole[most_text];
  snprintf(whole, sizeof whole, "%s%s", text, h > 0 ? "method moreau\n" : "method dop853\n");
  bench b = from_text(whole);
  walk_options o = walk_options_default();
  o.points = 2;
  o.step = h;
  walk_track* t = b.system ? walk_run(b.system, &o, b.notes) : NULL;
  const bool fine = t && t->status == WALK_DONE;
  if (!fine)
    check_fail(__FILE__, __LINE__, "no run: %s\n%s", t ? t->reason : bench_first_error(&b), whole);
  for (int i = 0; i < count; i++)
    out[i] = fine ? bench_value(t, t->table.rows - 1, column[i]) : NAN;
  walk_track_free(t);
  bench_free(&b);
  return fine;
}

// ---- files of hulls -----------------------------------------------------------------------------

typedef struct triangle
{
  int at[3];
} triangle;

static void write_hull(const char* path, double (*point)[3], int triangles, const triangle* t)
{
  FILE* f = fopen(path, "w");
  if (!f) return;
  fputs("solid hull\n", f);
  for (int i = 0; i < triangles; i++) {
    fputs("facet normal 0 0 0\nouter loop\n", f);
    for (int k = 0; k < 3; k++) {
      const double* p = point[t[i].at[k]];
      fprintf(f, "vertex %.17g %.17g %.17g\n", p[0], p[1], p[2]);
    }
    fputs("endloop\nendfacet\n", f);
  }
  fputs("endsolid hull\n", f);
  fclose(f);
}

// a box as a file
static void write_box(const char* path, double a, double b, double c)
{
  static const triangle sides[] = {{{0, 2, 3}}, {{0, 3, 1}}, {{4, 5, 7}}, {{4, 7, 6}},
                                   {{0, 1, 5}}, {{0, 5, 4}}, {{2, 6, 7}}, {{2, 7, 3}},
                                   {{0, 4, 6}}, {{0, 6, 2}}, {{1, 3, 7}}, {{1, 7, 5}}};
  double p[8][3];
  for (int i = 0; i < 8; i++) {
    p[i][0] = (i & 1 ? a : -a) / 2;
    p[i][1] = (i & 2 ? b : -b) / 2;
    p[i][2] = (i & 4 ? c : -c) / 2;
  }
  write_hull(path, p, 12, sides);
}

static void write_octahedron(const char* path, double r)
{
  static const triangle sides[] = {{{0, 2, 4}}, {{2, 1, 4}}, {{1, 3, 4}}, {{3, 0, 4}},
                                   {{2, 0, 5}}, {{1, 2, 5}}, {{3, 1, 5}}, {{0, 3, 5}}};
  double p[6][3] = {{r, 0, 0}, {-r, 0, 0}, {0, r, 0}, {0, -r, 0}, {0, 0, r}, {0, 0, -r}};
  write_hull(path, p, 8, sides);
}

typedef struct hulls
{
  char small[64], large[64], round[64]; // paths: box(0.4, 0.6, 0.2), box(1, 1, 1), an octahedron
} hulls;

static hulls write_hulls(void)
{
  hulls h;
  char* path[] = {h.small, h.large, h.round};
  for (int i = 0; i < 3; i++)
    snprintf(path[i], sizeof h.small, "footing_%ld_%d.stl", (long)getpid(), i);
  write_box(h.small, 0.4, 0.6, 0.2);
  write_box(h.large, 1, 1, 1);
  write_octahedron(h.round, 0.3);
  return h;
}

static void forget_hulls(const hulls* h)
{
  remove(h->small);
  remove(h->large);
  remove(h->round);
}

// ---- a box dropped flat -------------------------------------------------------------------------

// It falls by 0.4 and bounces with half of its speed: all bounces end after T (1 + e)/(1 - e), and
// it rests on the corners of the overlap, which bear its weight.
TEST(a_box_dropped_flat_comes_to_rest)
{
  const hulls h = write_hulls();
  const char* const top[] = {"box(0.4, 0.6, 0.2)", h.small};
  const char* const bottom[] = {"box(1, 1, 1)", h.large, "box(0.3, 0.2, 1)", "plane"};
  static const char form[] =
      "gravity (0, 0, -9.81)\nbox b mass 2 size (0.4, 0.6, 0.2)\nframe w = world at (0, 0, %s)\n"
      "contact c: b as %s%s%s, w as %s%s%s with friction 0.3 with restitution 0.5\n"
      "initial pos(b) = (0.05, 0.02, 1)\ninitial vel(b) = (0, 0, 0)\ninitial omega(b) = (0, 0, 0)\n"
      "output z = pos(b).z\noutput v = vel(b).z\noutput N = reaction(c)\noutput g = gap(c)\n"
      "output s = state(c)\nrun 0 .. %.17g\n";
  static const char* const columns[] = {"z", "v", "N", "g", "s"};
  const double T = sqrt(0.8 / 9.81), v = 9.81 * T;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 4; j++) {
      // boxes on planes have rows of their own
      if (!i && j == 3) continue;
      const bool file_a = i == 1, file_b = j == 1;
      const double times[] = {0.9 * T, 1.5 * T, 4 * T};
      for (int k = 0; k < 3; k++) {
        char text[most_text];
        double got[5];
        const char *open_a = file_a ? "hull \"" : "", *shut_a = file_a ? "\"" : "";
        const char *open_b = file_b ? "hull \"" : "", *shut_b = file_b ? "\"" : "";
        snprintf(text, sizeof text, form, j == 3 ? "0.5" : "0", open_a, top[i], shut_a, open_b,
                 bottom[j], shut_b, times[k]);
        if (!at_end(text, 0, 5, columns, got)) continue;
        const double t = times[k] - T, hop = v / 2 * t - 9.81 * t * t / 2;
        CHECK_NEAR(got[3], k == 0 ? 0.4 * (1 - 0.81) : k == 1 ? hop : 0, 1e-11);
        CHECK_NEAR(got[0], got[3] + 0.6, 1e-11);
        CHECK_NEAR(got[1], k == 0 ? -0.9 * v : k == 1 ? v / 2 - 9.81 * t : 0, 1e-10);
        CHECK_NEAR(got[2], k == 2 ? 2 * 9.81 : 0, 1e-9);
        CHECK(got[4] == (k == 2));
      }
    }
  forget_hulls(&h);
}

// ---- a box on a slope ---------------------------------------------------------------------------

TEST(a_box_slides_down_a_box)
{
  static const char text[] =
      "param al = 0.5\ngravity (0, 0, -9.81)\nframe s = world rotated y(al)\n"
      "box b mass 2 size (0.4, 0.6, 0.2)\n"
      "contact c: s as box(20, 2, 1), b as box(0.4, 0.6, 0.2) with friction 0.3\n"
      "initial pos(b, s) = (-1, 0.1, 0.6)\ninitial rotation(b) = y(al) z(0.7)\n"
      "initial vel(b) = (0, 0, 0)\ninitial omega(b) = (0, 0, 0)\noutput p = pos(b, s)\n"
      "output N = reaction(c)\noutput F = friction(c)\noutput w = norm(omega(b))\nrun 0 .. 1\n";
  static const char* const columns[] = {"p.x", "p.y", "p.z", "N", "F", "w"};
  const double g = 9.81, N = 2 * g * cos(0.5);
  double got[6];
  if (!at_end(text, 0, 6, columns, got)) return;
  CHECK_NEAR(got[0], -1 + g / 2 * (sin(0.5) - 0.3 * cos(0.5)), 1e-9);
  CHECK_NEAR(got[1], 0.1, 1e-9);
  CHECK_NEAR(got[2], 0.6, 1e-12);
  CHECK_NEAR(got[3], N, 1e-9);
  CHECK_NEAR(got[4], 0.3 * N, 1e-9);
  CHECK_NEAR(got[5], 0, 1e-8);
}

// A block slides over the edge of a table and tips where the line of weight and friction meets it:
// x = -mu h/2, which is reached at v0 t - mu g t^2/2 = 0.4 - mu h/2; free in space, and moving in a
// plane, where corners behind each other are one.
TEST(a_sliding_box_tips_over_an_edge_of_a_box)
{
  static const char free_box[] =
      "box b mass 1 size (0.4, 0.3, 0.2)\ninitial pos(b) = (-0.4, 0, 0.1)\n"
      "initial vel(b) = (1.5, 0, 0)\ninitial omega(b) = (0, 0, 0)\n";
  static const char in_plane[] =
      "coord x, z, a\nframe F = world at (x, 0, z) rotated y(a)\nbody b mass 1 "
      "inertia (1, (0.4^2 + 0.2^2)/12, 1) at (0, 0, 0) in F\ninitial x = -0.4\ninitial z = 0.1\n"
      "initial x' = 1.5\n";
  const double mu = 0.2, g = 9.81, way = 0.4 - mu * 0.2 / 2;
  const double due = (1.5 - sqrt(1.5 * 1.5 - 2 * mu * g * way)) / (mu * g);
  for (int k = 0; k < 2; k++) {
    char text[most_text];
    snprintf(text, sizeof text,
             "gravity (0, 0, -9.81)\n%sframe w = world at (-0.5, 0, -0.25)\ncontact c: b as "
             "box(0.4, 0.3, 0.2), w as box(1, 2, 0.5) with friction 0.2\nrun 0 .. 0.5\n"
             "method dop853\n",
             k ? in_plane : free_box);
    bench b = bench_text(text);
    walk_options o = walk_options_default();
    walk_track* t = b.system ? walk_run(b.system, &o, b.notes) : NULL;
    double tips = NAN;
    for (int i = 0; t && i < t->happenings && isnan(tips); i++)
      if (!strncmp(t->happening[i].name, "loosening of c.", 15)) tips = t->happening[i].t;
    CHECK(t && t->status == WALK_DONE);
    CHECK_NEAR(tips, due, 1e-9);
    walk_track_free(t);
    bench_free(&b);
  }
}

// ---- two edges ----------------------------------------------------------------------------------

// Boxes on their edges, one along x and one along y, meet at the point (0.1, 0.2): the normal is z,
// and the impulse J = (1 + e) u/(1/m + 1/M + x^2/I + y^2/K), with the arms of the point about both
// centres and the inertias about the axes across.
TEST(free_boxes_meet_with_crossed_edges)
{
  static const char* const shapes[] = {"box(1, 0.3, 0.3)", "capsule(0.2, 0.6)"};
  static const char form[] =
      "body a mass 1 inertia (0.015, 0.09, 0.09)\nbody b mass 2 inertia (0.03, 0.18, 0.18)\n"
      "contact c: a as %s, b as %s with restitution 0.8\n"
      "initial pos(a) = (0, 0.2, 0.5)\ninitial pos(b) = (0.1, 0, -0.5)\n"
      "initial rotation(a) = %s\ninitial rotation(b) = z(pi/2) %s\n"
      "initial vel(a) = (0, 0, -1)\ninitial vel(b) = (0, 0, 1)\n"
      "initial omega(a) = (0, 0, 0)\ninitial omega(b) = (0, 0, 0)\noutput e = energy()\n"
      "output u = vel(a).z\noutput v = vel(b).z\noutput w = omega(a).y\noutput x = omega(b).x\n"
      "output gone = gap(c)\nrun 0 .. 0.6\n";
  static const char* const columns[] = {"u", "v", "w", "x", "e", "gone"};
  for (int k = 0; k < 2; k++) {
    char text[most_text];
    double got[6];
    snprintf(text, sizeof text, form, shapes[k], shapes[k], k ? "y(pi/2)" : "x(pi/4)",
             k ? "y(pi/2)" : "x(pi/4)");
    if (!at_end(text, 0, 6, columns, got)) continue;
    // a capsule lies along z of its body
    const double Ka = k ? 0.09 : 0.09, Kb = 0.18, x = 0.1, y = 0.2;
    const double J = 1.8 * 2 / (1 + 0.5 + x * x / Ka + y * y / Kb);
    CHECK_NEAR(got[0], -1 + J, 1e-10);
    CHECK_NEAR(got[1], 1 - J / 2, 1e-10);
    // the point parts with 0.8 of the speed: momentum of both together is that before
    CHECK_NEAR(got[0] + 2 * got[1], 1, 1e-12);
    const double lost = (1 - 0.64) / 2 * 4 / (1 + 0.5 + x * x / Ka + y * y / Kb);
    CHECK_NEAR(got[4], 1.5 - lost, 1e-10);
    CHECK(got[5] > 0.05);
  }
}

// ---- the same body, written otherwise -----------------------------------------------------------

// A ball rolls off the edge of a box with friction, a box tumbles onto one: as a hull from a file
// the box is the same.
TEST(a_hull_of_a_box_is_that_box)
{
  const hulls h = write_hulls();
  static const char form[] =
      "gravity (0, 0, -9.81)\n%s mass 1 %s\ncontact c: b as %s, world as %s%s%s with friction "
      "0.3\ninitial pos(b) = (0.4, 0.1, 0.9)\ninitial vel(b) = (0.6, 0.1, 0)\n"
      "initial omega(b) = (1, -2, 0.5)\n%soutput p = pos(b)\noutput w = omega(b)\n"
      "output g = gap(c)\nrun 0 .. 0.7\n";
  static const char* const columns[] = {"p.x", "p.y", "p.z", "w.x", "w.y", "w.z", "g"};
  static const struct
  {
    const char *body, *sizes, *shape, *more;
  } cases[] = {{"ball b", "radius 0.2", "sphere(0.2)", ""},
               {"box b", "size (0.4, 0.6, 0.2)", "box(0.4, 0.6, 0.2)",
                "initial rotation(b) = x(0.4) y(0.3)\n"},
               {"box b", "size (0.4, 0.6, 0.2)", "capsule(0.1, 0.4)",
                "initial rotation(b) = x(1.4) y(0.3)\n"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[2][most_text];
    double got[2][7];
    for (int k = 0; k < 2; k++)
      snprintf(text[k], sizeof text[k], form, cases[i].body, cases[i].sizes, cases[i].shape,
               k ? "hull \"" : "", k ? h.large : "box(1, 1, 1)", k ? "\"" : "", cases[i].more);
    if (!at_end(text[0], 0, 7, columns, got[0]) || !at_end(text[1], 0, 7, columns, got[1]))
      continue;
    for (int k = 0; k < 7; k++) CHECK_NEAR(got[1][k], got[0][k], 1e-6);
    CHECK(got[0][6] > -1e-9 && got[0][2] < 0.85);
  }
  forget_hulls(&h);
}

// A capsule lies across a bar narrower than it: on both edges of the bar, each bearing what the
// lever gives it. Its middle is 0.05 from that of the bar, the edges 0.2 apart.
TEST(a_capsule_rests_across_two_edges)
{
  static const char text[] =
      "gravity (0, 0, -9.81)\nbody b mass 2 inertia (0.2, 0.2, 0.02)\n"
      "contact c: b as capsule(0.1, 0.8), world as box(0.2, 1, 0.4) with friction 0.4\n"
      "initial pos(b) = (0.05, 0, 0.4)\ninitial rotation(b) = y(pi/2)\ninitial vel(b) = (0, 0, 0)\n"
      "initial omega(b) = (0, 0, 0)\noutput z = pos(b).z\noutput N = reaction(c)\n"
      "output v = norm(vel(b))\nrun 0 .. 1\n";
  static const char* const columns[] = {"z", "N", "v"};
  double got[3];
  if (!at_end(text, 0, 3, columns, got)) return;
  CHECK_NEAR(got[0], 0.3, 1e-10);
  CHECK_NEAR(got[1], 2 * 9.81, 1e-8);
  CHECK_NEAR(got[2], 0, 1e-9);
}

// ---- blows that follow each other at once ------------------------------------------------------

// A plate in the plane of x and z, without weight: height and speed, angle and rate about y
typedef struct plate
{
  double z, u, angle, w;
} plate;

static const double plate_mass = 2, plate_inertia = 0.09, plate_long = 0.4, plate_high = 0.05,
                    plate_bounce = 0.5;

// of the lower edge on side 1 or -1: where it is from the middle
static void edge_of(const plate* p, int side, double r[2])
{
  const double x = side * plate_long, z = -plate_high;
  r[0] = x * cos(p->angle) + z * sin(p->angle);
  r[1] = -x * sin(p->angle) + z * cos(p->angle);
}

// the time until that edge touches the floor, where it comes down to it
static double until_touch(const plate* p, int side)
{
  plate then = *p;
  double r[2], t = 0;
  edge_of(p, side, r);
  if (!(p->u - p->w * r[0] < 0)) return INFINITY;
  for (int turn = 0; turn < 50; turn++) {
    t -= (then.z + r[1]) / (then.u - then.w * r[0]);
    then.z = p->z + p->u * t;
    then.angle = p->angle + p->w * t;
    edge_of(&then, side, r);
  }
  return t;
}

// it flies until an edge touches the floor, and is struck there; false: none does before the end
static bool strike_next(plate* p, double* left)
{
  const double ahead = until_touch(p, 1), behind = until_touch(p, -1), t = fmin(ahead, behind);
  double r[2];
  if (!(t < *left)) return false;
  *left -= t;
  p->z += p->u * t;
  p->angle += p->w * t;
  edge_of(p, ahead < behind ? 1 : -1, r);
  const double speed = p->u - p->w * r[0],
               P = -(1 + plate_bounce) * speed / (1 / plate_mass + r[0] * r[0] / plate_inertia);
  p->u += P / plate_mass;
  p->w -= r[0] * P / plate_inertia;
  return true;
}

// A plate that is all but level strikes the floor with one edge, a moment later with the other, and
// so on until both leave: one blow after the other, however short the moment. Steps of time come to
// the same where they are shorter than it; longer ones take all blows as one, and the plate leaves
// level.
TEST(an_edge_is_struck_a_moment_after_the_other)
{
  static const char* const columns[] = {"u", "w"};
  const double tilt[] = {1e-2, 1e-4, 1e-6};
  for (int k = 0; k < 3; k++) {
    char text[most_text];
    plate p = {.z = 0.1, .u = -1, .angle = tilt[k]};
    snprintf(text, sizeof text,
             "body b mass %g inertia (0.05, %g, 0.1)\n"
             "contact c: b as box(%g, 0.3, %g), world as plane with restitution %g\n"
             "initial pos(b) = (0, 0, %g)\ninitial vel(b) = (0, 0, %g)\n"
             "initial rotation(b) = y(%g)\ninitial omega(b) = (0, 0, 0)\n"
             "output u = vel(b).z\noutput w = omega(b).y\nrun 0 .. 0.1\n",
             plate_mass, plate_inertia, 2 * plate_long, 2 * plate_high, plate_bounce, p.z, p.u,
             p.angle);
    double got[2], left = 0.1;
    int blows = 0;
    while (blows < 20 && strike_next(&p, &left)) blows++;
    CHECK(blows > 1 && blows < 20);
    if (!at_end(text, 0, 2, columns, got)) continue;
    CHECK_NEAR(got[0], p.u, 1e-9);
    CHECK_NEAR(got[1], p.w, 1e-9);
    // the pause is about the tilt in seconds
    if (k || !at_end(text, 5e-4, 2, columns, got)) continue;
    CHECK_NEAR(got[0], p.u, 2e-2);
    CHECK_NEAR(got[1], p.w, 2e-2);
  }
}

// ---- drawn pairs against steps of time ----------------------------------------------------------

static double drawn(uint64_t* seed, double from, double to)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return from + (to - from) * (double)(*seed >> 11) * 0x1p-53;
}

static void draw_pair(uint64_t seed, const char* a, const char* b, size_t room, char* text)
{
  double x[16];
  for (int k = 0; k < 16; k++) x[k] = drawn(&seed, -1, 1);
  snprintf(text, room,
           "body a mass 1 inertia (0.03, 0.02, 0.025)\nbody b mass 2 inertia (0.06, 0.05, 0.04)\n"
           "contact c: a as %s, b as %s with friction %.3f with restitution %.3f\n"
           "initial pos(a) = (%.5f, %.5f, 0.8)\ninitial vel(a) = (0, 0, -2)\n"
           "initial rotation(a) = x(%.5f) y(%.5f) z(%.5f)\n"
           "initial omega(a) = (%.5f, %.5f, %.5f)\n"
           "initial pos(b) = (0, 0, 0)\ninitial vel(b) = (0, 0, 0)\n"
           "initial rotation(b) = x(%.5f) y(%.5f) z(%.5f)\n"
           "initial omega(b) = (%.5f, %.5f, %.5f)\noutput p = pos(a)\noutput q = pos(b)\n"
           "output l = 1*vel(a) + 2*vel(b)\noutput e = energy()\noutput g = gap(c)\nrun 0 .. 0.6\n",
           a, b, 0.2 * (1 + x[0]), 0.4 * (1 + x[1]), 0.1 * x[2], 0.1 * x[3], 3 * x[4], 3 * x[5],
           3 * x[6], x[7], x[8], x[9], 3 * x[10], 3 * x[11], 3 * x[12], x[13], x[14], x[15]);
}

TEST(drawn_pairs_in_space_move_as_those_that_are_looked_for)
{
  static const char* const columns[] = {"p.x", "p.y", "p.z", "q.x", "q.y", "q.z",
                                        "l.x", "l.y", "l.z", "e",   "g"};
  const hulls h = write_hulls();
  char hull[128];
  snprintf(hull, sizeof hull, "hull \"%s\"", h.round);
  const char* const shapes[] = {"box(0.5, 0.4, 0.3)", "capsule(0.15, 0.4)", hull, "sphere(0.25)"};
  int struck = 0, pairs = 0;
  for (int i = 0; i < 3; i++)
    for (int j = i; j < 4; j++) {
      if (j == 3 && i < 2) continue; // formulas of their own
      for (uint64_t seed = 1; seed <= 2; seed++, pairs++) {
        char text[most_text];
        double at[3][most_columns];
        draw_pair(7919 * seed + (uint64_t)(17 * i + j), shapes[i], shapes[j], sizeof text, text);
        if (!at_end(text, 0, 11, columns, at[0]) || !at_end(text, 1e-3, 11, columns, at[1]) ||
            !at_end(text, 5e-4, 11, columns, at[2]))
          continue;
        struck += hypot(at[0][3], hypot(at[0][4], at[0][5])) > 1e-3;
        for (int k = 0; k < 6; k++)
          CHECK_NEAR(at[2][k], at[0][k], 5 * fabs(at[2][k] - at[1][k]) + 2e-3);
        CHECK_NEAR(at[0][6], 0, 1e-10);
        CHECK_NEAR(at[0][7], 0, 1e-10);
        CHECK_NEAR(at[0][8], -2, 1e-10);
        CHECK(at[0][10] > -1e-9);
      }
    }
  CHECK(struck >= pairs - 2);
  forget_hulls(&h);
}
