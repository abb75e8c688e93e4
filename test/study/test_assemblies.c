// All assemblies of mechanisms: closed forms, published numbers, what is told where there are none.
#include "walk/bench.h"

#include "check.h"

#include <math.h>
#include <string.h>

static study_assemblies* find(bench* b)
{
  study_assemblies* r = b->system ? study_assemblies_find(b->system, b->notes) : NULL;
  if (!r) check_fail(__FILE__, __LINE__, "%s", bench_first_error(b));
  return r;
}

static double place(const study_assemblies* r, int which, const char* name)
{
  const int i = model_coord_find(r->model, name);
  return i < 0 ? NAN : r->q[which * r->n + i];
}

static const char four_bar[] =
    "rod crank from (0, 0, 0) to (0.1, 0, 0)\nrod coupler from (0, 0, 0) to (0.3, 0, 0)\n"
    "rod rocker from (0, 0, 0) to (0.25, 0, 0)\njoint A: hinge crank on world\n"
    "joint B: hinge coupler on crank at (0.1, 0, 0)\n"
    "joint D: hinge rocker on world at (0.3, 0, 0)\n"
    "joint C: hinge coupler at (0.3, 0, 0) on rocker at (0.25, 0, 0)\n";

// the rocker's end lies where two circles meet: about D, and about the crank's end
TEST(a_four_bar_has_two_assemblies)
{
  const char* const drive[] = {"A.angle=0.8"};
  bench b = bench_mechanism(four_bar, 1, drive);
  study_assemblies* r = find(&b);
  if (r) {
    CHECK(r->whole && r->lost == 0);
    CHECK_INT(r->solutions, 2);
    CHECK_INT(r->count, 2);
    const double x = 0.1 * cos(0.8), y = 0.1 * sin(0.8), a = hypot(0.3 - x, y);
    const double to = atan2(y, x - 0.3),
                 by = acos((0.25 * 0.25 + a * a - 0.3 * 0.3) / (2 * 0.25 * a));
    for (int k = 0; k < r->count; k++) {
      const double turn = place(r, k, "D.angle"),
                   off = fmin(fabs(remainder(turn - to - by, 2 * M_PI)),
                              fabs(remainder(turn - to + by, 2 * M_PI)));
      CHECK_NEAR(off, 0, 1e-12);
      CHECK_NEAR(place(r, k, "A.angle"), 0.8, 1e-14);
    }
    CHECK(fabs(place(r, 0, "D.angle") - place(r, 1, "D.angle")) > 0.1);
  }
  study_assemblies_free(r);
  bench_free(&b);
}

TEST(an_inequality_leaves_out_what_lies_beyond)
{
  const char* const drive[] = {"A.angle=0.8"};
  char text[1000] = "constraint up: D.angle >= 0\n";
  // the joint has to be known where it is spoken of, not written before
  strcat(text, four_bar);
  bench b = bench_mechanism(text, 1, drive);
  study_assemblies* r = find(&b);
  if (r) {
    CHECK_INT(r->count, 1);
    CHECK_INT(r->beyond, 1);
    CHECK(place(r, 0, "D.angle") > 0);
  }
  study_assemblies_free(r);
  bench_free(&b);
}

TEST(a_crank_that_cannot_be_reached_has_no_assembly)
{
  // three bars that are together shorter than the frame
  bench b = bench_mechanism("coord x [m]\ncoord y [m]\nconstraint hypot(x, y) = 1\n"
                            "constraint hypot(x - 3, y) = 1\n",
                            0, NULL);
  study_assemblies* r = find(&b);
  if (r) {
    CHECK_INT(r->solutions, 2);
    CHECK_INT(r->count, 0);
  }
  study_assemblies_free(r);
  bench_free(&b);
}

TEST(at_a_dead_position_two_assemblies_are_one)
{
  bench b = bench_mechanism("coord x [m]\ncoord y [m]\nconstraint hypot(x, y) = 1\n"
                            "constraint hypot(x - 3, y) = 2\n",
                            0, NULL);
  study_assemblies* r = find(&b);
  if (r) {
    CHECK_INT(r->count, 1);
    CHECK_NEAR(place(r, 0, "x"), 1, 1e-7);
    CHECK_NEAR(place(r, 0, "y"), 0, 1e-6);
  }
  study_assemblies_free(r);
  bench_free(&b);
}

// three legs of two bars each: postures of a plane platform (Hunt 1983; Gosselin and others 1992)
TEST(a_plane_platform_has_six_postures)
{
  bench b = bench_mechanism(
      "coord x [m]\ncoord y [m]\ncoord f [rad]\nframe F = world at (x, y, 0) rotated z(f)\n"
      "point P = (0, 0, 0) in F\npoint Q = (0.6, 0, 0) in F\npoint R = (0.2, 0.5, 0) in F\n"
      "constraint norm(pos(P) - (0.62, 0.78, 0)) = 1\n"
      "constraint norm(pos(Q) - (1.81, 1.11, 0)) = 1\n"
      "constraint norm(pos(R) - (1.37, 1.24, 0)) = 1\n",
      0, NULL);
  study_assemblies* r = find(&b);
  if (r) CHECK_INT(r->solutions, 6);
  study_assemblies_free(r);
  bench_free(&b);
}

// Dietmaier, The Stewart-Gough platform of general geometry can have 40 real postures (1998)
static const char platform[] =
    "body plate\njoint ride: free plate on world\n"
    "joint l1: distance plate on world length 1\n"
    "joint l2: distance plate at (0.542805, 0, 0) on world at (1.107915, 0, 0) length 0.645275\n"
    "joint l3: distance plate at (0.956919, -0.528915, 0) on world at (0.549094, 0.756063, 0) "
    "length 1.086284\n"
    "joint l4: distance plate at (0.665885, -0.353482, 1.402538) on world at (0.735077, -0.223935, "
    "0.525991) length 1.503439\n"
    "joint l5: distance plate at (0.478359, 1.158742, 0.107672) on world at (0.514188, -0.526063, "
    "-0.368418) length 1.281933\n"
    "joint l6: distance plate at (-0.137087, -0.235121, 0.353913) on world at (0.590473, 0.094733, "
    "-0.205018) length 0.771071\n";

TEST(dietmaiers_platform_has_forty_postures)
{
  bench b = bench_mechanism(platform, 0, NULL);
  study_assemblies* r = find(&b);
  if (r) {
    CHECK(r->whole && r->lost == 0);
    CHECK_INT(r->solutions, 40);
    CHECK_INT(r->count, 40);
    for (int k = 0; k < r->count; k++) {
      const double x = place(r, k, "ride.x"), y = place(r, k, "ride.y"), z = place(r, k, "ride.z"),
                   w = place(r, k, "ride.qw");
      CHECK_NEAR(x * x + y * y + z * z, 1, 1e-12);
      CHECK(w >= -1e-9);
    }
  }
  study_assemblies_free(r);
  bench_free(&b);
}

// more equations than unknowns: Bennett's linkage moves all the same, and each place of one hinge
// has one of the others, tan(u/2) tan(v/2) = const
TEST(bennetts_linkage_is_assembled_in_one_way)
{
  const char* const drive[] = {"A.angle=1"};
  bench b = bench_mechanism(
      "param a = 0.3 [m], b = 0.4 [m], u = 0.5\nlet v = asin(b/a*sin(u))\n"
      "rod link1 from (0, 0, 0) to (a, 0, 0)\nrod link2 from (0, 0, 0) to (b, 0, 0)\n"
      "rod link3 from (0, 0, 0) to (a, 0, 0)\n"
      "joint A: hinge link1 on world at (b, 0, 0) axis (0, -sin(v), cos(v))\n"
      "joint B: hinge link2 on link1 at (a, 0, 0) axis (0, -sin(u), cos(u))\n"
      "joint D: hinge link3 at (a, 0, 0) axis (0, -sin(u), cos(u)) on world\n"
      "joint C: hinge link3 on link2 at (b, 0, 0) axis (0, -sin(v), cos(v))\n",
      1, drive);
  study_assemblies* r = find(&b);
  if (r) {
    CHECK_INT(r->count, 1);
    const double u = 0.5, v = asin(0.4 / 0.3 * sin(u));
    const double know = sin((v + u) / 2) / sin((v - u) / 2);
    CHECK_NEAR(fabs(tan(0.5) * tan(place(r, 0, "B.angle") / 2)), fabs(know), 1e-9);
  }
  study_assemblies_free(r);
  bench_free(&b);
}

TEST(what_is_not_driven_is_refused)
{
  bench b = bench_mechanism(four_bar, 0, NULL);
  CHECK(b.system && study_assemblies_find(b.system, b.notes) == NULL);
  CHECK(strstr(bench_first_error(&b), "1 freedom of the mechanism is not driven") != NULL);
  bench_free(&b);
}
