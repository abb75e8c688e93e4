// Whole motions in long arithmetic: against closed forms, and what is not taken.
#include "certify/certify.h"
#include "check.h"
#include "lang/lang.h"

#include <arb.h>
#include <stdlib.h>

typedef struct bench
{
  base_arena* arena;
  base_notes* notes;
  model* model;
  mech_system* system;
  certify_system* c;
} bench;

static void open_bench(bench* b, const char* text)
{
  b->arena = base_arena_new();
  b->notes = base_notes_new();
  const lang_limits limits = lang_limits_default();
  lang_tree* tree = lang_parse("test", text, strlen(text), NULL, &limits, b->arena, b->notes);
  b->model = model_build(tree, 0, NULL, b->notes);
  b->system = mech_derive(b->model, b->notes);
  b->c = certify_system_new(b->system, b->notes);
}

static void close_bench(bench* b)
{
  certify_system_free(b->c);
  mech_free(b->system);
  model_free(b->model);
  base_notes_free(b->notes);
  base_arena_free(b->arena);
}

static certify_end* run(bench* b, const double* q, const double* v, int digits, bool proves)
{
  const certify_request r = {.q = q, .v = v, .until = NAN, .digits = digits, .proves = proves};
  certify_end* e = b->c ? certify_run(b->c, &r, b->notes) : NULL;
  if (!e)
    check_fail(__FILE__, __LINE__, "%s", base_notes_text(b->notes, base_notes_count(b->notes) - 1));
  return e;
}

// is the true value within the error of the decimals?
static void check_holds(const char* decimals, double error, const arb_t truth, double widest)
{
  arb_t x;
  arb_init(x);
  arb_set_str(x, decimals, 400);
  mag_t radius;
  mag_init(radius);
  mag_set_d(radius, error);
  arb_add_error_mag(x, radius);
  CHECK(arb_contains(x, truth));
  CHECK(error > 0 && error < widest);
  mag_clear(radius);
  arb_clear(x);
}

TEST(an_oscillator_is_a_cosine)
{
  bench b;
  open_bench(
      &b, "coord x\nkinetic x'^2/2\npotential x^2/2\ninitial x = 1\ninitial x' = 0\nrun 0 .. 10\n");
  const double q = 1, v = 0;
  arb_t truth;
  arb_init(truth);
  for (int proves = 0; proves < 2; proves++) {
    certify_end* e = run(&b, &q, &v, 40, proves);
    if (!e) continue;
    arb_set_ui(truth, 10);
    arb_cos(truth, truth, 400);
    check_holds(e->q[0], e->q_error[0], truth, 1e-39);
    arb_set_ui(truth, 10);
    arb_sin(truth, truth, 400);
    arb_neg(truth, truth);
    check_holds(e->v[0], e->v_error[0], truth, 1e-39);
    certify_end_free(e);
  }
  arb_clear(truth);
  close_bench(&b);
}

// x^2 + y^2 = 1 without forces turns steadily: x = cos(3 t/5 ...) from a start at 3/5, 4/5
TEST(a_bead_on_a_ring_turns_steadily)
{
  bench b;
  open_bench(&b, "coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint ring: x^2 + y^2 = 1\n"
                 "initial x = 3/5\ninitial y ~ 0.8\ninitial x' = -4/5\nrun 0 .. 7\n");
  // near the start only: the digits are found
  const double q[] = {0.6, 0.8}, v[] = {-0.8, 0.6};
  certify_end* e = run(&b, q, v, 30, true);
  arb_t truth, angle;
  arb_init(truth);
  arb_init(angle);
  arb_set_d(angle, 0.75);
  arb_inv(angle, angle, 400);
  arb_atan(angle, angle, 400); // atan(4/3)
  arb_add_ui(angle, angle, 7, 400);
  if (e) {
    arb_cos(truth, angle, 400);
    check_holds(e->q[0], e->q_error[0], truth, 1e-29);
    arb_sin(truth, angle, 400);
    check_holds(e->q[1], e->q_error[1], truth, 1e-29);
    CHECK(e->drift < 1e-28);
  }
  certify_end_free(e);
  arb_clear(truth);
  arb_clear(angle);
  close_bench(&b);
}

// A blade: x' sin phi = y' cos phi with phi = t and speed 1 draws a circle.
TEST(a_blade_draws_a_circle)
{
  bench b;
  open_bench(&b, "coord x, y, phi\nkinetic (x'^2 + y'^2 + phi'^2)/2\n"
                 "constraint blade: x'*sin(phi) = y'*cos(phi)\n"
                 "initial x = 0\ninitial y = 0\ninitial phi = 0\ninitial x' = 1\ninitial phi' = "
                 "1\nrun 0 .. 5\n");
  const double q[] = {0, 0, 0}, v[] = {1, 0, 1};
  certify_end* e = run(&b, q, v, 25, true);
  arb_t truth;
  arb_init(truth);
  if (e) {
    arb_set_ui(truth, 5);
    arb_sin(truth, truth, 400);
    check_holds(e->q[0], e->q_error[0], truth, 1e-24);
  }
  certify_end_free(e);
  arb_clear(truth);
  close_bench(&b);
}

// the forces on a falling body hold its reaction: friction of a slide that never stops
TEST(forces_affine_in_reactions_are_taken)
{
  bench b;
  open_bench(&b, "param mu = 1/10\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential 10*y\n"
                 "constraint floor: y = 0\nresist floor = -mu*reaction(floor) along x\n"
                 "initial x = 0\ninitial x' = 5\nrun 0 .. 2\n");
  if (!b.c) {
    check_fail(__FILE__, __LINE__, "%s", base_notes_text(b.notes, 0));
  } else {
    const double q[] = {0, 0}, v[] = {5, 0};
    certify_end* e = run(&b, q, v, 20, true);
    arb_t truth;
    arb_init(truth);
    arb_set_ui(truth, 8); // 5*2 - 1*2^2/2
    if (e) check_holds(e->q[0], e->q_error[0], truth, 1e-18);
    certify_end_free(e);
    arb_clear(truth);
  }
  close_bench(&b);
}

static void check_refused(const char* text, const char* reason)
{
  bench b;
  open_bench(&b, text);
  CHECK(!b.c);
  const char* got = base_notes_count(b.notes) ? base_notes_text(b.notes, 0) : "";
  if (!strstr(got, reason)) check_fail(__FILE__, __LINE__, "`%s` does not say `%s`", got, reason);
  close_bench(&b);
}

TEST(what_switches_is_refused_with_its_name)
{
  check_refused(
      "coord y\nkinetic y'^2/2\npotential y\nconstraint floor: y >= 0\ninitial y = 1\nrun 0 .. 1\n",
      "an inequality");
  check_refused(
      "coord y\nkinetic y'^2/2\ninitial y = 1\nevent low: y = 0 falling stop\nrun 0 .. 1\n",
      "an event that does more than report");
}

TEST(a_corner_on_the_way_ends_the_proof)
{
  bench b;
  open_bench(
      &b, "coord x\nkinetic x'^2/2\npotential abs(x)\ninitial x = 1\ninitial x' = 0\nrun 0 .. 2\n");
  const double q = 1, v = 0;
  const certify_request r = {
      .q = &q, .v = &v, .until = NAN, .digits = 10, .proves = true, .bits = 600};
  certify_end* e = certify_run(b.c, &r, b.notes);
  CHECK(!e);
  CHECK(base_notes_errors(b.notes) == 1);
  certify_end_free(e);
  close_bench(&b);
}

// the sides are those of the start, whichever they are, until one is left
TEST(without_a_proof_corners_are_seen_as_well)
{
  bench b;
  open_bench(&b, "coord x\nkinetic x'^2/2\npotential abs(x)\ninitial x = -1\ninitial x' = 0\n"
                 "run 0 .. 1\n");
  const double q = -1, v = 0;
  certify_end* e = run(&b, &q, &v, 20, false);
  if (e) CHECK_NEAR(atof(e->q[0]), -0.5, 1e-15);
  certify_end_free(e);
  // it comes to zero at sqrt(2)
  const certify_request r = {.q = &q, .v = &v, .until = 1.5, .digits = 20};
  e = certify_run(b.c, &r, b.notes);
  CHECK(!e);
  certify_end_free(e);
  close_bench(&b);
}
