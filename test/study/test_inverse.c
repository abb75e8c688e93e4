// Inverse dynamics: closed forms, a loop, forces beyond the freedoms, motions that cannot be.
#include "walk/bench.h"

#include "check.h"

#include <math.h>
#include <string.h>

// m1 = 2, m2 = 1, l1 = 0.5, l2 = 0.4, g = 9.81
static const char arm[] =
    "coord a [rad]\ncoord b [rad]\nparticle P mass 2 = (0.5*cos(a), 0.5*sin(a), 0)\n"
    "particle Q mass 1 = (0.5*cos(a) + 0.4*cos(a + b), 0.5*sin(a) + 0.4*sin(a + b), 0)\n"
    "gravity (0, -9.81, 0)\n";

TEST(an_arm_of_two_links)
{
  bench s = bench_text(arm);
  int coord[] = {0, 1};
  double t[] = {0.1}, value[] = {0.3, 0.7, 1.1, -0.4, 2, -3};
  const study_motion m = {.rows = 1, .coords = 2, .coord = coord, .t = t, .value = value};
  study_inverse* r = s.system ? study_inverse_find(s.system, &m, 2, coord, s.notes) : NULL;
  CHECK(r != NULL);
  if (r) {
    const double a = 0.3, b = 0.7, u = 1.1, v = -0.4, A = 2, B = -3, h = 0.2 * sin(b), g = 9.81;
    const double M11 = 0.75 + 0.16 + 0.4 * cos(b), M12 = 0.16 + 0.2 * cos(b), M22 = 0.16;
    CHECK_NEAR(r->force[0],
               M11 * A + M12 * B - h * (2 * u * v + v * v) + 1.5 * g * cos(a) +
                   0.4 * g * cos(a + b),
               1e-13);
    CHECK_NEAR(r->force[1], M12 * A + M22 * B + h * u * u + 0.4 * g * cos(a + b), 1e-13);
    CHECK_INT(r->redundant, 0);
  }
  study_inverse_free(r);
  bench_free(&s);
}

// a bead on a circle, moved by a force along x alone, or along both
static const char bead[] = "coord x [m]\ncoord y [m]\nparticle P mass 2 = (x, y, 0)\n"
                           "gravity (0, -9, 0)\nconstraint hypot(x, y) = 1\ninitial x ~ 0.6\n"
                           "initial y ~ -0.8\n";

TEST(forces_pass_through_constraints)
{
  bench s = bench_text(bead);
  int coord[] = {0}, both[] = {0, 1};
  // at rest at x = 0.6, y = -0.8: the weight 18 has 18 * 0.6 along the circle, x has 0.8 of it
  double t[] = {0}, value[] = {0.6, 0, 0};
  const study_motion m = {.rows = 1, .coords = 1, .coord = coord, .t = t, .value = value};
  study_inverse* r = s.system ? study_inverse_find(s.system, &m, 1, coord, s.notes) : NULL;
  CHECK(r != NULL);
  if (r) CHECK_NEAR(r->force[0], 18 * 0.6 / 0.8, 1e-11);
  study_inverse_free(r);
  r = s.system ? study_inverse_find(s.system, &m, 2, both, s.notes) : NULL;
  CHECK(r != NULL);
  if (r) {
    // the smallest lies along the circle
    CHECK_INT(r->redundant, 1);
    CHECK_NEAR(r->force[0], 18 * 0.6 * 0.8, 1e-11);
    CHECK_NEAR(r->force[1], 18 * 0.6 * 0.6, 1e-11);
  }
  study_inverse_free(r);
  bench_free(&s);
}

static void refused(const char* text, int coords, const double* given, int forces, int* along,
                    const char* why)
{
  bench s = bench_text(text);
  int coord[] = {0, 1};
  double t[] = {0}, value[6];
  memcpy(value, given, sizeof(double) * (size_t)(3 * coords));
  const study_motion m = {.rows = 1, .coords = coords, .coord = coord, .t = t, .value = value};
  CHECK(s.system && study_inverse_find(s.system, &m, forces, along, s.notes) == NULL);
  if (!strstr(bench_first_error(&s), why))
    check_fail(__FILE__, __LINE__, "%s", bench_first_error(&s));
  bench_free(&s);
}

TEST(what_cannot_be_is_refused)
{
  int first[] = {0}, both[] = {0, 1};
  const double off[] = {0.6, 0.6, 0, 0, 0, 0}, one[] = {0.3, 1, 2}, two[] = {0.3, 0.7, 1, 1, 2, 2};
  refused(bead, 2, off, 2, both, "contradict the constraints");
  refused(arm, 1, one, 2, both, "does not tell the places of `b`");
  refused(arm, 2, two, 1, first, "cannot make this motion");
}
