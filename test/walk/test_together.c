// Jumps of forces that act together: several dry frictions in one system, and corners beside them.
//
// Numbers by event-driven integration of each phase with all modes enumerated, independent of this
// program.
#include "bench.h"

#include "check.h"

#include <math.h>

static void check_end(const char* text, double end, const char* column, double want)
{
  bench b = bench_text(text);
  walk_track* t = bench_run(&b, 1e-12, 1, &end);
  if (!t || t->status != WALK_DONE || t->table.rows != 1)
    check_fail(__FILE__, __LINE__, "%s\n%s", text, t ? t->reason : bench_first_error(&b));
  else
    CHECK_NEAR(bench_value(t, 0, column), want, 1e-8);
  walk_track_free(t);
  bench_free(&b);
}

TEST(friction_between_two_blocks_and_under_one)
{
  static const char text[] = "coord a, b\nkinetic a'^2/2 + 2*b'^2/2\n"
                             "force a = -1*sign(a'-b') + 1.5*sin(2*t)\n"
                             "force b = 1*sign(a'-b') - 0.4*sign(b')\n"
                             "initial a' = 1\nrun 0 .. 10\n";
  check_end(text, 5, "a", 2.3338245901);
  check_end(text, 10, "a", 2.2676591315);
  check_end(text, 10, "b", 1.0406739623);
}

TEST(two_coupled_frictions_of_three_masses)
{
  static const char text[] =
      "coord x1, x2, x3\nkinetic (1*x1'^2+2*x2'^2+3*x3'^2)/2\n"
      "potential 0.524231*(x1-x2)^2+0.105344*(x2-x3)^2+2.51241*x1^2\n"
      "force x1 = 1.320*sin(4.980*t+2.82)\nforce x3 = 2.737*sin(1.178*t+3.81)\n"
      "initial x1' = 0.74\ninitial x2' = 0.05\ninitial x3' = 0.48\nrun 0 .. 6\n"
      "force x1 = -0.49*sign(x1'+x3')\nforce x3 = -0.49*sign(x1'+x3')\nforce x1 = "
      "-1.92*sign(x1')\n";
  check_end(text, 6, "x1", 0.0323615479);
  check_end(text, 6, "x3", 0.6258920797);
}

// a friction that falls with the speed of slip: abs() takes the side to which slip begins
TEST(a_block_on_a_belt_sticks_and_slips)
{
  static const char friction[] = "param Fs = 5, Fd = 3, v0 = 0.1\ncoord x\nkinetic x'^2/2\n"
                                 "potential 50*x^2\nlet u = x' - v0\n"
                                 "force x = -(Fd + (Fs-Fd)*exp(-3*abs(u)))*sign(u)\nrun 0 .. 10\n";
  static const char contact[] =
      "param Fs = 5, Fd = 3, v0 = 0.1\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential 50*x^2 + "
      "10*y\n"
      "quasi u = x' - v0\nconstraint floor: y >= 0 with friction (Fd + (Fs-Fd)*exp(-3*abs(u)))/10 "
      "along u\nrun 0 .. 10\n";
  check_end(friction, 10, "x", 0.05238266);
  check_end(contact, 10, "x", 0.05238266);
}

TEST(drag_beside_the_friction_of_a_contact_takes_its_side_again_and_again)
{
  check_end("param c = 0.8\ncoord x, y\nparticle p mass 1 = (x,y,0) in world\n"
            "gravity (0,-9.81,0)\nforce x = 6*sin(2*t) - c*x'*abs(x')\n"
            "constraint floor: pos(p).y >= 0 with friction 0.3\ninitial y = 0\ninitial x' = 0\n"
            "run 0 .. 10\n",
            10, "x", 0.0497704585);
}

// what was held before is no more once another lets go: three frictions in two directions
TEST(frictions_that_follow_from_each_other_share_the_load)
{
  static const char text[] =
      "coord x, y\nkinetic (x'^2 + 3*y'^2)/2\npotential 2.3*x^2 + 1.9*(y - x)^2\n"
      "force x = 4*sin(1.7*t) - 0.9*sign(x') - 0.5*sign(x' + y')\n"
      "force y = 3*sin(4.9*t) - 0.7*sign(y') - 0.5*sign(x' + y')\n"
      "run 0 .. 6\n";
  // the same with floors that are pressed, another road
  static const char floors[] =
      "coord x, y, a, b, c\nkinetic (x'^2 + 3*y'^2 + a'^2 + b'^2 + c'^2)/2\n"
      "potential 2.3*x^2 + 1.9*(y - x)^2 + a + b + c\nforce x = 4*sin(1.7*t)\n"
      "force y = 3*sin(4.9*t)\nquasi u = x'\nquasi v = y'\nquasi w = x' + y'\n"
      "constraint A: a >= 0 with friction 0.9 along u\nconstraint B: b >= 0 with friction 0.7 "
      "along v\n"
      "constraint C: c >= 0 with friction 0.5 along w\nrun 0 .. 6\n";
  const double end = 6;
  bench b = bench_text(floors);
  walk_track* t = bench_run(&b, 1e-12, 1, &end);
  CHECK(t && t->status == WALK_DONE);
  if (t && t->status == WALK_DONE) {
    check_end(text, end, "x", bench_value(t, 0, "x"));
    check_end(text, end, "y", bench_value(t, 0, "y"));
  }
  walk_track_free(t);
  bench_free(&b);
}
