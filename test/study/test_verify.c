// What `verify` says of a model, against closed forms: how much worse every other admissible
// acceleration is, and which of several declared integrals are kept.
#include "../walk/bench.h"
#include "check.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Bodies of mass k on floors, and as many floors above them. A change d of the accelerations that
// loosens gains m d^2/2 and the work of the pressure, m g |d|: together 1 + 2 g/|d| of the first
// for one body, d being drawn between -1 and 1 where the body rests.
TEST(only_changes_that_loosen_what_presses_are_admitted)
{
  for (int above = 0; above < 2; above++) {
    char text[200];
    snprintf(text, sizeof text,
             "coord z\nkinetic z'^2\npotential %s%g*z\n%s\ninitial z = 0\nrun 0 .. 1\n",
             above ? "-" : "", 2 * 9.81,
             above ? "constraint roof: z <= 0" : "constraint floor: z >= 0");
    bench b = bench_text(text);
    study_verdict* v = b.system ? study_verify(b.system, 1, b.notes) : NULL;
    CHECK(v && v->states == 1 && v->least && v->agrees);
    // the largest of twenty draws is not far from 1
    if (v) CHECK(v->gauss_gain >= 1 + 2 * 9.81 && v->gauss_gain < 1 + 2 * 9.81 / 0.6);
    study_verdict_free(v);
    bench_free(&b);
  }
}

// two pressed against one corner: what loosens one and presses the other is no change either
TEST(changes_must_loosen_all_that_press)
{
  bench b =
      bench_text("coord x, y, s\nkinetic (x'^2 + y'^2 + s'^2)/2\npotential 3*x + 4*y + s^2\n"
                 "constraint left: x >= 0\nconstraint down: y >= 0\ninitial s = 1\nrun 0 .. 1\n");
  study_verdict* v = b.system ? study_verify(b.system, 1, b.notes) : NULL;
  CHECK(v && v->least && v->gauss_gain > 1 && isfinite(v->gauss_gain));
  study_verdict_free(v);
  bench_free(&b);
}

// Of a planet's declared integrals some are wrong: each is judged by its own name, wherever it
// stands among the others.
TEST(each_of_several_integrals_is_judged_alone)
{
  static const char* const right[2] = {"(x'^2 + y'^2)/2 - 1/hypot(x, y)", "x*y' - y*x'"};
  static const char* const wrong[2] = {"x'^2 + y'^2", "x*y' + y*x'"};
  for (unsigned broken = 0; broken < 8; broken++) {
    char text[500];
    int at = snprintf(text, sizeof text,
                      "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential -1/hypot(x, y)\n"
                      "initial x = 1\ninitial y' = 1.2\nrun 0 .. 4\n");
    for (unsigned k = 0; k < 3; k++)
      at += snprintf(text + at, sizeof text - (size_t)at, "integral I%u = %s\n", k,
                     (broken >> k & 1 ? wrong : right)[k % 2]);
    bench b = bench_text(text);
    study_verdict* v = b.system ? study_verify(b.system, 5, b.notes) : NULL;
    walk_options o = walk_options_default();
    walk_track* t = b.system ? walk_run(b.system, &o, b.notes) : NULL;
    CHECK(v && t && v->integrals == 3 && v->conserves == !broken);
    for (int k = 0; v && t && k < v->integrals; k++) {
      const study_conservation* x = &v->integral[k];
      const bool kept = !(broken >> k & 1);
      char name[16];
      snprintf(name, sizeof name, "I%d", k);
      CHECK_TEXT(x->name, name);
      CHECK(x->steady == kept && x->conserved == kept);
      CHECK(kept ? x->rate < 1e-12 : x->rate > 1e-3);
      CHECK(kept ? x->drift < 1e-8 : x->drift > 0.1);
      // each step may add an error of ten tolerances
      const double allowed = 10 * (double)t->counts.steps * t->tolerance;
      CHECK_NEAR(x->bound, allowed, 1e-9 * allowed);
    }
    walk_track_free(t);
    study_verdict_free(v);
    bench_free(&b);
  }
}

// A ring around a moving waist: two of the three angular velocities on the axes of the contact are
// free, and the first two of them all but depend on each other there. Every form is well
// conditioned with speeds that numbers choose.
TEST(forms_take_speeds_that_are_well_determined_where_they_are_used)
{
  bench b = bench_text(
      "param R = 0.5, a = 0.02, m = 0.3, rw = 0.12\n"
      "surface band(u, v) = ((R + a - a*cos(u))*cos(v), (R + a - a*cos(u))*sin(v), a*sin(u))\n"
      "frame waist = world at (0.03*cos(12*t), 0.03*sin(12*t), 0)\n"
      "body hoop mass m inertia (m*R^2/2, m*R^2/2, m*R^2)\n"
      "roll hoop as band on waist as cylinder(rw) at c with hold\n"
      "constraint flat: pos(hoop).z = 0\n"
      "initial rotation(hoop) = z(0)\ninitial pos(hoop) = (0.03 - R + rw, 0, 0)\n"
      "initial omega(hoop) = (0, 0, 10)\nrun 0 .. 2\n");
  study_verdict* v = b.system ? study_verify(b.system, 6, b.notes) : NULL;
  CHECK(v && v->states == 6 && v->agrees);
  for (int i = 0; v && i < v->forms; i++)
    if (!v->agreement[i].unsuited) CHECK(v->agreement[i].difference < 1e-12);
  study_verdict_free(v);
  bench_free(&b);
}

// rods in relative angles; n of them
static bench chain_of(int n)
{
  base_text text = {0};
  base_text_printf(&text, "gravity (0, -9.81, 0)\ncoord q1\nframe F1 = world rotated z(q1)\n"
                          "rod R1 mass 0.1 from (0, 0, 0) to (0.1, 0, 0) in F1\n");
  for (int i = 2; i <= n; i++)
    base_text_printf(&text,
                     "coord q%d\nframe F%d = F%d at (0.1, 0, 0) rotated z(q%d)\n"
                     "rod R%d mass 0.1 from (0, 0, 0) to (0.1, 0, 0) in F%d\n",
                     i, i, i - 1, i, i, i);
  base_text_printf(&text, "run 0 .. 1\n");
  const bench b = bench_text(text.at);
  base_text_free(&text);
  return b;
}

// Along a chain rounding grows with a high power of its length: forms may differ by as much, but by
// no more, and none of them is too large to be written.
TEST(every_form_of_a_long_chain_agrees)
{
  static const int rods[] = {9, 24, 40};
  for (int i = 0; i < 3; i++) {
    bench b = chain_of(rods[i]);
    study_verdict* v = b.system ? study_verify(b.system, 2, b.notes) : NULL;
    CHECK(v && v->states == 2 && v->agrees && v->least);
    for (int k = 0; v && k < v->forms; k++) {
      const study_agreement* a = &v->agreement[k];
      CHECK(a->unsuited || (a->states == 2 && a->refused == 0 && a->difference < 1e-9));
    }
    study_verdict_free(v);
    bench_free(&b);
  }
}
