// Declared integrals of the motion: kept, lost, wrong.
#include "bench.h"

#include "check.h"

static const char planet[] = "coord x, y\n"
                             "particle P mass 1 = (x, y, 0) in world\n"
                             "potential -1/hypot(x, y)\n"
                             "initial x = 1\n"
                             "initial y' = 1.1\n"
                             "integral E = energy()\n"
                             "integral K = angmomentum()\n"
                             "run 0 .. 20\n";

TEST(integrals_of_a_planet_are_kept_to_the_tolerance)
{
  bench b = bench_text(planet);
  walk_track* t = bench_run(&b, 1e-10, 0, NULL);
  CHECK(t && t->integrals == 4);
  if (t && t->integrals == 4) {
    CHECK_TEXT(t->integral[0].name, "E");
    CHECK_TEXT(t->integral[3].name, "K.z");
    CHECK_NEAR(t->integral[0].start, 1.1 * 1.1 / 2 - 1, 1e-15);
    CHECK_NEAR(t->integral[3].start, 1.1, 1e-15);
    CHECK(t->integral[0].drift > 0 && t->integral[0].drift < 1e-9);
    CHECK(t->integral[3].drift < 1e-9);
    CHECK_NEAR(bench_value(t, 0, "K.z"), 1.1, 1e-15);
  }
  walk_track_free(t);
  // a loose tolerance shows
  t = bench_run(&b, 1e-4, 0, NULL);
  CHECK(t && t->integral[0].drift > 1e-9);
  walk_track_free(t);
  bench_free(&b);
}

static study_conservation verified(const char* text, bool conserves)
{
  bench b = bench_text(text);
  CHECK(b.system != NULL);
  study_conservation x = {.rate = NAN, .drift = NAN};
  study_verdict* v = b.system ? study_verify(b.system, 5, b.notes) : NULL;
  CHECK(v && v->integrals > 0 && v->conserves == conserves);
  if (v && v->integrals) x = v->integral[0];
  x.name = "";
  study_verdict_free(v);
  bench_free(&b);
  return x;
}

TEST(a_wrong_integral_is_told_from_one_that_steps_lose)
{
  study_conservation right = verified(planet, true);
  CHECK(right.conserved && right.steady && right.rate < 1e-13);
  study_conservation wrong = verified("coord x\nkinetic x'^2/2\npotential x^2/2\ninitial x = 1\n"
                                      "integral E = x'^2 + x^2/2\nrun 0 .. 3\n",
                                      false);
  CHECK(!wrong.steady && !wrong.conserved && wrong.rate > 0.01 && wrong.drift > 0.1);
  // a wall that no event announces takes energy; the rate at states away from it is zero
  study_conservation lost = verified("coord x\nkinetic x'^2/2\nforce x = -x'*step(x - 2)\n"
                                     "initial x' = 1\nintegral E = x'^2/2\nrun 0 .. 3\n",
                                     false);
  CHECK(lost.steady && !lost.conserved && lost.drift > 0.1);
}

TEST(integrals_start_anew_at_jumps)
{
  bench b = bench_text("coord h\nparam g = 9.81\nkinetic h'^2/2\npotential g*h\ninitial h = 1\n"
                       "event bounce: h = 0 falling { set h' = -0.5*h' }\n"
                       "integral E = energy()\nrun 0 .. 1\n");
  walk_track* t = bench_run(&b, 1e-10, 0, NULL);
  CHECK(t && t->happenings > 0 && t->integral[0].drift < 1e-9);
  walk_track_free(t);
  bench_free(&b);
}

TEST(an_integral_that_is_zero_has_a_size)
{
  // angular momentum zero: x*y' and y*x' are not
  bench b = bench_text("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential (x^2 + y^2)/2\n"
                       "initial x = 1\ninitial y = 2\n"
                       "integral K = (1 + t^2)/(1 + t^2)*(x*y' - y*x')\nrun 0 .. 5\n");
  walk_track* t = bench_run(&b, 1e-10, 0, NULL);
  CHECK(t && t->integral[0].start == 0 && t->integral[0].drift < 1e-9);
  walk_track_free(t);
  bench_free(&b);
}

TEST(a_model_without_a_run_is_followed_for_a_while)
{
  study_conservation x = verified("coord x\nkinetic x'^2/2\npotential x^2/2\ninitial x = 1\n"
                                  "integral E = energy()\n",
                                  true);
  CHECK(x.conserved && x.drift > 0);
}
