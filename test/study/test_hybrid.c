// Periodic motions through events, impacts, stick and slip against closed forms and published
// numbers.
#include "walk/bench.h"

#include "check.h"

#include <math.h>
#include <string.h>

static study_stability* orbit(bench* b, double period)
{
  const study_stability_options o = {.period = period};
  study_stability* r = study_stability_find(b->system, &o, b->notes);
  CHECK(r != NULL);
  return r;
}

static bench given(const char* text)
{
  bench b = bench_text(text);
  mech_free(b.system);
  CHECK(model_give(b.model, 0));
  b.system = mech_derive(b.model, b.notes);
  return b;
}

static const study_special* special(const study_branches* b, int branch, const char* kind, int k)
{
  if (!b || branch >= b->count) return NULL;
  const study_path* p = &b->path[branch];
  for (int i = 0; i < p->specials; i++)
    if (!strcmp(p->special[i].kind, kind) && k-- == 0) return &p->special[i];
  return NULL;
}

// the multiplier next to a number
static double distance(const study_stability* r, double re, double im)
{
  double least = INFINITY;
  for (int i = 0; r && i < r->multipliers; i++)
    least = fmin(least, hypot(r->multiplier_re[i] - re, r->multiplier_im[i] - im));
  return least;
}

#define WALKER(ga, th, ph, thd, phd)                                                             \
  "param ga = " ga "\ncoord th, ph [rad]\nkinetic (th'^2 + ph'^2)/2\nforce th = sin(th - ga)\n"  \
  "force ph = sin(th - ga) + (th'^2 - cos(th - ga))*sin(ph)\n"                                   \
  "initial th = " th "\ninitial ph = " ph "\ninitial th' = " thd "\ninitial ph' = " phd "\n"     \
  "event strike: ph - 2*th = 0 rising { set th = -th; set ph = -2*th; set th' = cos(2*th)*th'; " \
  "set ph' = cos(2*th)*(1 - cos(2*th))*th' }\nrun 0 .. 12\n"

// Garcia, Chatterjee, Ruina and Coleman's walker: 113-bit arithmetic through the event
TEST(the_long_gait_of_the_simplest_walker)
{
  bench b = bench_text(WALKER("0.01", "0.2073", "0.4146", "-0.2061", "-0.0172"));
  study_stability* r = orbit(&b, 3.88);
  if (r) {
    CHECK_NEAR(r->period, 3.887724576181585831, 1e-11);
    CHECK(distance(r, -0.2678076244364779, 0.5160081263930022) < 1e-10);
    CHECK(distance(r, 0, 0) < 1e-10);
    CHECK(distance(r, 1, 0) < 1e-10);
    CHECK(r->verdict == STUDY_STABLE);
    CHECK_INT(r->happenings, 1);
    CHECK_NEAR(r->happening[0].after[0], 0.2073477396247897878, 1e-11);
    CHECK_NEAR(r->happening[0].after[2], -0.2061308452387521481, 1e-11);
  }
  study_stability_free(r);
  bench_free(&b);
}

TEST(the_short_gait_of_the_simplest_walker_is_unstable)
{
  bench b = bench_text(WALKER("0.004", "0.14878", "0.29756", "-0.1588", "-0.00686"));
  study_stability* r = orbit(&b, 3.1);
  if (r) {
    CHECK_NEAR(r->period, 3.116505598348014025, 1e-10);
    CHECK(distance(r, 3.212769387633428, 0) < 1e-9);
    CHECK(distance(r, 0.5915522469844745, 0) < 1e-9);
    CHECK(r->verdict == STUDY_UNSTABLE);
  }
  study_stability_free(r);
  bench_free(&b);
}

TEST(the_first_doubling_of_the_simplest_walker)
{
  bench b = given(WALKER("0.014", "0.23145", "0.4629", "-0.2271", "-0.0215"));
  const study_branches_options o = {
      .param = 0, .from = 0.014, .to = 0.016, .period = 3.907, .points = 20};
  study_branches* r = study_branches_find(b.system, &o, b.notes);
  const study_special* x = special(r, 0, "doubling", 0);
  CHECK(x != NULL);
  if (x) CHECK_NEAR(x->value, 0.01508843794111946356, 1e-11);
  if (x) CHECK(distance(x->at, -0.2976213616849635, 0) < 1e-8);
  study_branches_free(r);
  bench_free(&b);
}

// the multiplier is cos^2 (2 al), here 1/2; after the impact w^2 = 4 sin al sin ga cot^2 (2 al)
TEST(the_rimless_wheel_has_its_multiplier_in_closed_form)
{
  bench b = bench_text("param al = pi/8, ga = 0.08\ncoord th [rad]\nkinetic th'^2/2\n"
                       "potential cos(th)\ninitial th = ga - al\ninitial th' = 0.4\n"
                       "event step: th - (ga + al) = 0 rising { set th = ga - al; "
                       "set th' = cos(2*al)*th' }\nrun 0 .. 12\n");
  study_stability* r = orbit(&b, 3);
  if (r) {
    CHECK_NEAR(r->period, 3.2403051389983936313, 1e-11);
    CHECK(distance(r, 0.5, 0) < 1e-10);
    CHECK_NEAR(r->happening[0].after[1], sqrt(4 * sin(M_PI / 8) * sin(0.08)), 1e-11);
  }
  study_stability_free(r);
  bench_free(&b);
}

// linear flow and the saltation matrix of the impact, evaluated with 40 digits
TEST(the_impact_oscillator)
{
  bench b = bench_text("param w = 1.5\ncoord x\nkinetic x'^2/2\npotential x^2/2\n"
                       "force x = -0.1*x' + cos(w*t)\n"
                       "constraint stop: 0.5 - x >= 0 with restitution 0.7\n"
                       "initial x' = 1\nrun 0 .. 50\n");
  study_stability* r = orbit(&b, 0);
  if (r) {
    CHECK(distance(r, 0.1921657273466352, 0.5342156680171997) < 1e-10);
    CHECK_NEAR(r->happening[0].before[1], 2.380144175983548756, 1e-11);
    CHECK_NEAR(1.5 * r->happening[0].t, 0.5022566306146282425, 1e-11);
  }
  study_stability_free(r);
  bench_free(&b);
}

// Born at Gam = pi (1 - e)/(1 + e), doubled where Gam^2 is that squared and (2 (1+e^2)/(1+e)^2)^2
TEST(the_ball_on_a_vibrating_table)
{
  bench b = given("param Gam = 1.2\ncoord y\nkinetic y'^2/2\npotential y\n"
                  "constraint floor: y - Gam*sin(t) >= 0 with restitution 0.5\n"
                  "initial y = 2\ninitial y' = 3\nrun 0 .. 50\n");
  const study_branches_options o = {.param = 0, .from = 1, .to = 1.6, .points = 15};
  study_branches* r = study_branches_find(b.system, &o, b.notes);
  const study_special *fold = special(r, 0, "fold", 0), *twice = special(r, 0, "doubling", 0);
  CHECK(fold && twice);
  if (fold) CHECK_NEAR(fold->value, M_PI / 3, 1e-10);
  if (twice) CHECK_NEAR(twice->value, hypot(M_PI / 3, 2 * 1.25 / 2.25), 1e-9);
  if (twice) CHECK(twice->criticality && !strcmp(twice->criticality, "super"));
  study_branches_free(r);
  bench_free(&b);
}

// slip for pi + 2 atan(vb/d), stick for 2 d/vb; what was before the stick is forgotten
TEST(a_stick_slip_cycle_forgets_everything)
{
  bench b = bench_text("param vb = 0.2, fs = 1.5, fk = 1\ncoord x\nkinetic x'^2/2\n"
                       "potential x^2/2\nforce x = fk\nconstraint belt: x' = vb\n"
                       "stage slip { release belt }\n"
                       "event catch: x' - vb = 0 rising { impose belt }\n"
                       "event break: x - fs = 0 rising { release belt }\n"
                       "initial x = 1.5\ninitial x' = 0.1\nrun 0 .. 40\n");
  study_stability* r = orbit(&b, 8.5);
  if (r) {
    CHECK_NEAR(r->period, M_PI + 2 * atan(0.4) + 5, 1e-10);
    CHECK(distance(r, 0, 0) < 1e-10);
    CHECK(r->verdict == STUDY_STABLE);
  }
  study_stability_free(r);
  bench_free(&b);
}

// a law of friction that jumps, held at the jump while it sticks, and the same as a contact: two
// ways of the walker, one cycle
TEST(stick_slip_by_a_force_and_by_a_contact)
{
  double period[2] = {0};
  for (int i = 0; i < 2; i++) {
    bench b =
        bench_text(i ? "param vb = 0.2\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2/2 + y\n"
                       "quasi u = x' - vb\n"
                       "constraint floor: y >= 0 with friction 1 + 0.5*exp(-40*abs(u)) along u\n"
                       "initial x = 1.5\ninitial x' = 0.1\nrun 0 .. 40\n"
                     : "param vb = 0.2\ncoord x\nkinetic x'^2/2\npotential x^2/2\n"
                       "force x = (1 + 0.5*exp(-40*abs(x' - vb)))*sign(vb - x')\n"
                       "initial x = 1.5\ninitial x' = 0.1\nrun 0 .. 40\n");
    study_stability* r = orbit(&b, 9);
    if (r) period[i] = r->period;
    CHECK(distance(r, 0, 0) < 1e-9);
    study_stability_free(r);
    bench_free(&b);
  }
  CHECK(period[0] > 9);
  CHECK_NEAR(period[0], period[1], 1e-9);
}

// without impacts the amplitude is F/sqrt((1 - w^2)^2 + (2 z w)^2): the stop is met there
TEST(a_branch_ends_where_its_motion_grazes_the_stop)
{
  bench b = given("param s = 1\ncoord x\nkinetic x'^2/2\npotential x^2/2\n"
                  "force x = -0.1*x' + cos(1.5*t)\n"
                  "constraint stop: s - x >= 0 with restitution 0.7\nrun 0 .. 50\n");
  const study_branches_options o = {.param = 0, .from = 0.6, .to = 1.2, .points = 10};
  study_branches* r = study_branches_find(b.system, &o, b.notes);
  const study_special* x = special(r, 0, "grazing", 0);
  CHECK(x != NULL);
  if (x) CHECK_NEAR(x->value, 0.7943014707895376376, 1e-6);
  study_branches_free(r);
  bench_free(&b);
}

// each passage doubles the speed: nothing comes back
TEST(an_event_that_kicks_is_not_left_out)
{
  bench b = bench_text("coord x\nkinetic x'^2/2\npotential x^2/2\ninitial x = 1\n"
                       "event kick: x = 0.5 rising { set x' = 2*x' }\nrun 0 .. 20\n");
  const study_stability_options o = {.period = 2 * M_PI};
  study_stability* r = study_stability_find(b.system, &o, b.notes);
  CHECK(r == NULL);
  study_stability_free(r);
  bench_free(&b);
}

// an event far from a steady motion leaves it alone, one at it does not
TEST(events_count_where_they_happen)
{
  for (int i = 0; i < 2; i++) {
    bench b = bench_text(i ? "coord x\nkinetic x'^2/2\npotential x^2/2\nforce x = -x'\n"
                             "event brake: x = 0 { set x' = x'/2 }\nrun 0 .. 20\n"
                           : "coord x\nkinetic x'^2/2\npotential x^2/2\nforce x = -x'\n"
                             "event brake: x = 1 { set x' = x'/2 }\nrun 0 .. 20\n");
    const study_stability_options o = {0};
    study_stability* r = study_stability_find(b.system, &o, b.notes);
    CHECK((r == NULL) == (i == 1));
    if (r) CHECK(r->verdict == STUDY_STABLE);
    study_stability_free(r);
    bench_free(&b);
  }
}

// bounces without loss come in a family, T = 2 sqrt(2 y): the one next to the start is found, and
// not the rest on the floor
TEST(bounces_without_loss_are_a_family)
{
  bench b = bench_text("coord y\nkinetic y'^2/2\npotential y\n"
                       "constraint floor: y >= 0 with restitution 1\ninitial y = 1\nrun 0 .. 20\n");
  study_stability* r = orbit(&b, 2.8);
  if (r) {
    CHECK_NEAR(r->period, 2 * sqrt(2 * r->q[0]), 1e-9);
    CHECK(r->q[0] > 0.9 && r->q[0] < 1.1);
    CHECK(distance(r, 1, 0) < 1e-4);
    CHECK_INT(r->happenings, 1);
  }
  study_stability_free(r);
  bench_free(&b);
}

// the rimless wheel, multiplier cos^2(2 al) = 1/2: its period comes from its own steps
TEST(a_period_is_found_from_what_happens)
{
  bench b = bench_text("param al = pi/8, ga = 0.08\ncoord th [rad]\nkinetic th'^2/2\n"
                       "potential cos(th)\ninitial th = ga - al\ninitial th' = 0.4\n"
                       "event step: th - (ga + al) = 0 rising { set th = ga - al; "
                       "set th' = cos(2*al)*th' }\nrun 0 .. 12\n");
  const study_stability_options o = {.orbit = true};
  study_stability* r = study_stability_find(b.system, &o, b.notes);
  CHECK(r != NULL);
  if (r) {
    CHECK_NEAR(r->period, 3.2403051389983936313, 1e-10);
    CHECK(distance(r, 0.5, 0) < 1e-9);
    CHECK_INT(r->happenings, 1);
  }
  study_stability_free(r);
  bench_free(&b);
}

// a motion that never meets its stop has a period nevertheless
TEST(a_period_is_found_where_nothing_happens)
{
  bench b = bench_text("coord x\nkinetic x'^2/2\npotential x^2/2\n"
                       "constraint stop: 5 - x >= 0 with restitution 0.5\ninitial x = 1\n");
  const study_stability_options o = {.orbit = true};
  study_stability* r = study_stability_find(b.system, &o, b.notes);
  CHECK(r && r->happenings == 0);
  if (r) CHECK_NEAR(r->period, 2 * acos(-1), 1e-10);
  study_stability_free(r);
  bench_free(&b);
}

// a ball on a table comes in phase for Gam > pi (1 - e)/(1 + e): all along the curve of folds
TEST(folds_of_bounces_are_followed_over_two_params)
{
  bench b = bench_text("param Gam = 1.2, e = 0.5\ncoord y\nkinetic y'^2/2\npotential y\n"
                       "constraint floor: y - Gam*sin(t) >= 0 with restitution e\n"
                       "initial y = 2\ninitial y' = 3\nrun 0 .. 50\n");
  mech_free(b.system);
  CHECK(model_give(b.model, 0) && model_give(b.model, 1));
  b.system = mech_derive(b.model, b.notes);
  const study_branches_options o = {.param = 0,
                                    .from = 1,
                                    .to = 1.25,
                                    .points = 5,
                                    .both = true,
                                    .second = 1,
                                    .second_from = 0.48,
                                    .second_to = 0.52};
  study_branches* r = study_branches_find(b.system, &o, b.notes);
  CHECK(r && r->loci == 1 && r->locus[0].points > 2);
  for (int i = 0; r && r->loci == 1 && i < r->locus[0].points; i++) {
    const double e = r->locus[0].b[i];
    CHECK_NEAR(r->locus[0].a[i], acos(-1) * (1 - e) / (1 + e), 1e-8);
  }
  study_branches_free(r);
  bench_free(&b);
}

// Stick and slip on a belt: greatest and least stretch about the force of slipping, 1 +-
// sqrt(0.29). Nodes lie next to instants at which it begins to slip, on both sides.
TEST(stick_and_slip_swings_as_far_as_a_circle_says)
{
  bench b = bench_text("coord x\nkinetic x'^2/2\npotential x^2/2\nforce x = 1\n"
                       "constraint belt: x' = 0.2\nstage slip { release belt }\n"
                       "event catch: x' - 0.2 = 0 rising { impose belt }\n"
                       "event break: x - 1.5 = 0 rising { release belt }\n"
                       "initial x = 1.5\ninitial x' = 0.1\nrun 0 .. 40\n");
  study_stability* r = orbit(&b, 8.5);
  CHECK(r && r->swing);
  if (r && r->swing) {
    CHECK_NEAR(r->swing->most, 1 + hypot(0.5, 0.2), 1e-12);
    CHECK_NEAR(r->swing->least, 1 - hypot(0.5, 0.2), 1e-12);
    CHECK_NEAR(r->swing->mean, 1, 1e-11); // the closed path is the same upside down
  }
  study_stability_free(r);
  bench_free(&b);
}
