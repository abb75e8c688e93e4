// Tables, samples and joined conditions against closed forms.

#include <math.h>
#include <string.h>

#include "bench.h"
#include "check.h"

// the last row of a run
static walk_track* run_to(bench* b, double end)
{
  const double at[] = {end};
  return bench_run(b, 1e-12, 1, at);
}

static double end_of(const char* text, double end, const char* column)
{
  bench b = bench_text(text);
  walk_track* t = run_to(&b, end);
  const double x = bench_value(t, t->table.rows - 1, column);
  walk_track_free(t);
  bench_free(&b);
  return x;
}

#define MASS "coord x\nkinetic x'^2/2\ninitial x = 1\ninitial x' = 0.3\nrun 0 .. 4\n"

// values of -x + x^3/4: a cubic through them is that cubic, between and beyond
TEST(a_cubic_table_of_a_cubic_is_that_cubic)
{
  const double want = end_of(MASS "force x = -x + x^3/4\n", 4, "x");
  CHECK_NEAR(end_of(MASS "table f(s) = (-0.5, 15/32), (0, 0), (0.2, -0.198), (0.7, -0.61425) cubic "
                         "outside extend\nforce x = f(x)\n",
                    4, "x"),
             want, 1e-10);
}

TEST(a_parabola_goes_through_three_points)
{
  CHECK_NEAR(end_of(MASS "table f(s) = (2, -4), (-1, -1), (0, 0) cubic outside extend\nforce x = "
                         "f(x)\n",
                    1, "x"),
             end_of(MASS "force x = -x^2\n", 1, "x"), 1e-10);
}

TEST(a_linear_table_has_the_corners_of_abs)
{
  CHECK_NEAR(end_of(MASS "table f(s) = (-3, 3), (0, 0), (3, -6)\nforce x = f(x)\n", 4, "x"),
             end_of(MASS "force x = -1.5*x - 0.5*abs(x)\n", 4, "x"), 1e-9);
}

TEST(steps_jump_and_hold_outside)
{
  CHECK_NEAR(
      end_of(MASS "table f(s) = (-1, 1), (0.5, -1) steps outside hold\nforce x = f(x)\n", 4, "x"),
      end_of(MASS "force x = -sign(x - 0.5)\n", 4, "x"), 1e-9);
}

// x y is linear in each of its arguments, and of third degree it is a product of cubics
TEST(a_grid_is_a_table_of_two_arguments)
{
  static const char two[] = "coord x, y\nkinetic (x'^2 + y'^2)/2\ninitial x = 1\n"
                            "initial y' = 1\nforce y = -y\nrun 0 .. 2\n";
  base_text text = {0}, exact = {0};
  base_text_printf(&text, "%stable f(a, b) = ", two);
  for (int i = -3; i <= 3; i++)
    for (int j = -3; j <= 3; j++)
      base_text_printf(&text, "%s(%d, %d, %d)", i + j > -6 ? ", " : "", i, j, -i * i * i * j * j);
  base_text_add(&text, " cubic outside extend\nforce x = f(x, y)\n");
  base_text_printf(&exact, "%sforce x = -x^3*y^2\n", two);
  CHECK_NEAR(end_of(text.at, 2, "x"), end_of(exact.at, 2, "x"), 1e-10);
  base_text_free(&text);
  base_text_free(&exact);
  CHECK_NEAR(end_of("coord x, y\nkinetic (x'^2 + y'^2)/2\ninitial x = 1\ninitial y' = 1\n"
                    "table f(a, b) = (-5, -5, 25), (-5, 5, -25), (5, -5, -25), (5, 5, 25)\n"
                    "force x = -f(x, y)\nrun 0 .. 2\n",
                    2, "x"),
             end_of("coord x, y\nkinetic (x'^2 + y'^2)/2\ninitial x = 1\ninitial y' = 1\n"
                    "force x = -x*y\nrun 0 .. 2\n",
                    2, "x"),
             1e-10);
}

// x = 1 + 0.3 t leaves the range at x = 2
TEST(a_run_ends_where_a_table_is_left)
{
  bench b = bench_text(MASS "table f(s) = (0, 0), (2, 0)\nforce x = f(x)\n");
  walk_track* t = run_to(&b, 4);
  CHECK(t->status == WALK_UNFINISHED);
  CHECK_NEAR(t->t_reached, 1 / 0.3, 1e-12);
  CHECK(strstr(t->reason, "table `f`: s goes above 2"));
  walk_track_free(t);
  bench_free(&b);
}

// held between samples, the force of the controller is one number
TEST(a_sampled_controller_is_its_recursion)
{
  double x = 1, v = 0.3, T = 0.05, sum = 0;
  for (int i = 0; i < 80; i++) {
    sum += x;
    const double u = -4 * x - 3 * v - 0.1 * sum;
    x += v * T + u * T * T / 2;
    v += u * T;
  }
  static const char text[] =
      MASS "memory u = 0, sum = 0\nforce x = u\n"
           "sample pi every 0.05 { sum = sum + x; u = -4*x - 3*x' - 0.1*sum }\n";
  CHECK_NEAR(end_of(text, 4, "x"), x, 1e-13);
  CHECK_NEAR(end_of(text, 4, "x'"), v, 1e-13);
}

// the filter of a mass on noise-free readings: x_hat goes to x as its gains say
TEST(an_estimator_runs_in_samples)
{
  double x = 1, v = 0.3, a = 0, b = 0;
  const double T = 0.1;
  for (int i = 0; i < 40; i++) {
    const double off = x - a;
    a += 0.5 * off;
    b += 0.4 * off;
    a += T * b;
    x += T * v;
  }
  static const char text[] = MASS
      "memory a, b, off\noutput e = a\n"
      "sample kalman every 0.1 { off = x - a; a = a + 0.5*off; b = b + 0.4*off; a1 = a + 0.1*b }\n"
      "memory a1\nsample shift every 0.1 from 0.05 { a = a1 }\n";
  CHECK_NEAR(end_of(text, 3.99, "e"), a, 1e-12);
}

TEST(samples_begin_at_their_offset_and_meet_events)
{
  static const char text[] = "state z = 0\nrate z = 1\nmemory n, m\n"
                             "sample s every 0.5 from 0.25 { n = n + 1 }\n"
                             "event e: z = 0.75 rising { set m = n }\n"
                             "output count = n\noutput seen = m\nrun 0 .. 2\n";
  CHECK_NEAR(end_of(text, 2, "count"), 4, 0);
}

TEST(conditions_are_joined)
{
  const double both = end_of(MASS "force x = if(x > 1.1 and x < 1.4, 1, 0)\n", 4, "x'");
  CHECK_NEAR(both, sqrt(0.09 + 2 * 0.3), 1e-11);
  CHECK_NEAR(end_of(MASS "force x = if(not (x <= 1.1 or x >= 1.4), 1, 0)\n", 4, "x'"), both, 1e-12);
}

// parts on a cart, on one another and in a repetition, beside the same written out
TEST(parts_are_what_they_stand_for)
{
  static const char cart[] = "coord s\nframe cart = world at (s, 0, 0)\n"
                             "particle C mass 3 = (0, 0, 0) in cart\ngravity (0, 0, -9.81)\n";
  base_text parts = {0}, plain = {0};
  base_text_printf(&parts,
                   "%spart Arm(l = 0.4, m = 2) {\nparticle tip mass m = (0, 0, -l) in rod\n"
                   "coord phi\nframe rod = base rotated y(phi)\nforce phi = -0.1*phi'\n}\n"
                   "put Arm(l = 0.45) on cart at (0.1, 0, 0) as left\n"
                   "put Arm() on left.rod at (0, 0, -left.l) rotated y(0.2) as lower\n"
                   "for i in 1..2 { put Arm(l = 0.1*i) on cart as leg[i] }\n"
                   "initial left.phi = 0.5\ninitial leg[2].phi' = 2\nrun 0 .. 1\n",
                   cart);
  base_text_printf(&plain,
                   "%scoord a, b, c, d\nframe A = cart at (0.1, 0, 0) rotated y(a)\n"
                   "frame B = A at (0, 0, -0.45) rotated y(0.2) y(b)\n"
                   "frame E = cart rotated y(c)\nframe F = cart rotated y(d)\n"
                   "particle P mass 2 = (0, 0, -0.45) in A\n"
                   "particle Q mass 2 = (0, 0, -0.4) in B\n"
                   "particle R mass 2 = (0, 0, -0.1) in E\n"
                   "particle S mass 2 = (0, 0, -0.2) in F\n"
                   "force a = -0.1*a'\nforce b = -0.1*b'\nforce c = -0.1*c'\n"
                   "force d = -0.1*d'\ninitial a = 0.5\ninitial d' = 2\nrun 0 .. 1\n",
                   cart);
  CHECK_NEAR(end_of(parts.at, 1, "lower.phi"), end_of(plain.at, 1, "b"), 1e-11);
  CHECK_NEAR(end_of(parts.at, 1, "leg[2].phi'"), end_of(plain.at, 1, "d'"), 1e-11);
  base_text_free(&parts);
  base_text_free(&plain);
}

// A table that ends where the run does is not left, be it asked in samples; and `outside` need not
// stand before what is done there.
TEST(a_table_may_end_with_the_run)
{
  bench b = bench_text("coord x\nkinetic x'^2/2\ntable f(t) = (0, 0), (1, 0.3), (2, 0.3), (3, 0)\n"
                       "table g(x) = (0, 0), (0.1, 1) linear hold\nmemory u = 0\n"
                       "sample s every 0.02 { u = f(t) }\nforce x = u\noutput h = g(x)\n"
                       "run 0 .. 3\n");
  walk_track* t = bench_run(&b, 1e-10, 0, NULL);
  CHECK_INT(t ? (int)t->status : -1, WALK_DONE);
  // means of the values at the samples: x' = 0.02 (sum of f over them)
  if (t) CHECK_NEAR(bench_value(t, t->table.rows - 1, "x'"), 0.6, 1e-12);
  if (t) CHECK_NEAR(bench_value(t, t->table.rows - 1, "h"), 1, 0);
  walk_track_free(t);
  bench_free(&b);
}
