// The released and the comparison system of the principle of least constraint.
#include "walk/bench.h"

#include "check.h"

#include <stdlib.h>
#include <string.h>

static study_point* released(bench* b, const char* text, const char* name)
{
  *b = bench_text(text);
  study_point* p = study_point_solve(b->system, NULL, 0, NULL, b->notes);
  bool* named = base_alloc((size_t)(p ? p->m : 0) + 1);
  for (int k = 0; p && k < p->m; k++) named[k] = !strcmp(b->model->constraint[k].name, name);
  if (!p || !study_point_release(b->system, p, named, b->notes))
    check_fail(__FILE__, __LINE__, "no released system");
  free(named);
  return p;
}

static void close(bench* b, study_point* p)
{
  study_point_free(p);
  bench_free(b);
}

// w0 = 10 (cos b, sin b); the floor presses with 5, the wall loosens with 10 cos 30 sin 40
TEST(in_a_corner_both_forms_of_the_principle_have_their_systems)
{
  bench b;
  study_point* p =
      released(&b,
               "param b = -30*pi/180, c = 40*pi/180\ncoord x, y\nkinetic (x'^2 + y'^2)/2\n"
               "force x = 10*cos(b)\nforce y = 10*sin(b)\nconstraint floor: y >= 0\n"
               "constraint wall: y*cos(c) - x*sin(c) <= 0\nrun 0 .. 1\n",
               "floor");
  const double degree = acos(-1) / 180, n[2] = {sin(40 * degree), -cos(40 * degree)};
  const double w0[2] = {10 * cos(30 * degree), -5}, alpha = 10 * cos(30 * degree) * n[0];
  const double lift = alpha - w0[0] * n[0] - w0[1] * n[1];
  const study_released* r = p->released;
  CHECK_NEAR(r->w0[0], w0[0], 1e-13);
  CHECK_NEAR(r->w0[1], w0[1], 1e-13);
  CHECK_NEAR(r->from_released, 12.5, 1e-12);
  CHECK_NEAR(-r->alpha[1], alpha, 1e-12);
  CHECK_NEAR(r->w[0], w0[0] + lift * n[0], 1e-12);
  CHECK_NEAR(r->w[1], w0[1] + lift * n[1], 1e-12);
  close(&b, p);
}

// digest of the paper's example 2: x'' = a w^2 sin, y'' = -g + a w^2 cos, phi'' = 0 when free
TEST(a_loaded_disc_released_of_rail_and_grip_is_free)
{
  bench b;
  study_point* p =
      released(&b,
               "param m = 1, R = 1, a = 0.5, J = 0.3, g = 9.81\ncoord x, y, phi\n"
               "frame disc = world at (x, y, 0) rotated z(-phi)\n"
               "body load mass m inertia (J, J, J) at (0, a, 0) in disc\ngravity (0, -g, 0)\n"
               "constraint rail: y - R >= 0\nconstraint grip: x' - R*phi' = 0\ninitial y = R\n"
               "initial phi = -2\ninitial phi' = 8.5\n",
               "grip");
  const study_released* r = p->released;
  CHECK_NEAR(r->w0[0], 0.5 * 8.5 * 8.5 * sin(-2), 1e-11);
  CHECK_NEAR(r->w0[1], -9.81 + 0.5 * 8.5 * 8.5 * cos(-2), 1e-11);
  CHECK_NEAR(r->w0[2], 0, 1e-11);
  // the rail kept: the motion differs by the grip alone
  CHECK_NEAR(r->w[1], 0, 1e-11);
  CHECK(r->from_comparison < r->from_released);
  close(&b, p);
}

// friction is an active force of the value it has in the motion
TEST(friction_belongs_to_the_active_forces)
{
  bench b;
  study_point* p = released(&b,
                            "coord x, y\nparticle P mass 2 = (x, y, 0) in world\n"
                            "gravity (0, -10, 0)\nconstraint floor: y >= 0 with friction 0.3\n"
                            "initial x' = 1\n",
                            "floor");
  CHECK_NEAR(p->released->w0[0], -3, 1e-12);
  CHECK_NEAR(p->released->w0[1], -10, 1e-12);
  CHECK_NEAR(p->released->from_released, 100, 1e-10);
  close(&b, p);
}
