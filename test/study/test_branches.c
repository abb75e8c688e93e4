// Branches of steady motions: folds, crossings and Hopf points against closed forms.
#include "walk/bench.h"

#include "check.h"

#include <math.h>
#include <string.h>

// the branches of a model over its first param
static study_branches* follow(bench* b, double from, double to, bool all)
{
  const study_branches_options o = {.param = 0, .from = from, .to = to, .all = all};
  return study_branches_find(b->system, &o, b->notes);
}

// the model of a text whose first param is given with the run
static bench given(const char* text)
{
  bench b = bench_text(text);
  mech_free(b.system);
  CHECK(model_give(b.model, 0));
  b.system = mech_derive(b.model, b.notes);
  return b;
}

// special point k of its kind on a branch; null where there are fewer
static const study_special* special(const study_branches* b, int branch, const char* kind, int k)
{
  if (!b || branch >= b->count) return NULL;
  const study_path* p = &b->path[branch];
  for (int i = 0; i < p->specials; i++)
    if (!strcmp(p->special[i].kind, kind) && k-- == 0) return &p->special[i];
  return NULL;
}

// V = (x^2 - 1)^2/4 + P x: the branch from x = 1 turns back at P = 2/(3 sqrt 3), x = 1/sqrt 3
TEST(a_fold_of_equilibria_is_passed)
{
  bench b = given("param P = 0\ncoord x\nkinetic x'^2/2\npotential (x^2-1)^2/4 + P*x\n"
                  "initial x = 1\n");
  study_branches* r = follow(&b, 0, 1, false);
  const study_special* x = special(r, 0, "fold", 0);
  CHECK(x != NULL);
  if (x) {
    CHECK_NEAR(x->value, 2 / (3 * sqrt(3)), 1e-13);
    CHECK_NEAR(x->at->q[0], 1 / sqrt(3), 1e-9);
    CHECK(special(r, 0, "fold", 1) == NULL);
    CHECK(r->path[0].point[0]->verdict == STUDY_STABLE);
    CHECK(r->path[0].point[r->path[0].points - 1]->verdict == STUDY_UNSTABLE);
  }
  study_branches_free(r);
  bench_free(&b);
}

// Each begins at its special point: there no test has a sign, the null space is a plane where two
// branches cross, and in one dimension all derivatives vanish. A bead on a hoop forks where w^2 =
// g; x = m and x = 0 exchange their stability at m = 0, x = 2 m and x = m^2 - 3 m at 0.3; a
// pendulum with a torque hangs level at its fold; a column of two links, k = 1, buckles at (3 -
// sqrt 5)/2.
TEST(branches_that_begin_at_a_special_point_tell_it)
{
  static const struct
  {
    const char *text, *kind, *form, *criticality;
    double value, from, to;
  } starts[] = {
      {"param w = 4\ncoord th\nkinetic (th'^2 + w^2*sin(th)^2)/2\npotential -16*cos(th)\n"
       "force th = -0.1*th'\n",
       "branch", "pitchfork", "super", 4, 1, 5},
      {"param m = 0\ncoord x\nkinetic x'^2/2\nforce x = m*x + x^3 - 0.3*x'\n", "branch",
       "pitchfork", "sub", 0, -1, 1},
      {"param m = 0\ncoord x\nkinetic x'^2/2\nforce x = m*x - x^2 - 0.3*x'\n", "branch",
       "transcritical", NULL, 0, -1, 1},
      {"param m = 0.3\ncoord x\nkinetic x'^2/2\n"
       "force x = -(x - 2*(m - 0.3))*(x + 3*(m - 0.3) - (m - 0.3)^2) - 0.3*x'\n",
       "branch", "transcritical", NULL, 0.3, -1, 1},
      {"param P = (3 - sqrt(5))/2\ncoord a, b\n"
       "kinetic (2*a'^2 + 2*cos(a - b)*a'*b' + b'^2)/2\n"
       "potential a^2/2 + (b - a)^2/2 + P*(cos(a) + cos(b))\nforce a = -0.1*a'\n"
       "force b = -0.1*b'\n",
       "branch", "pitchfork", "super", 0.38196601125010515, 0, 1},
      {"param tau = 1\ncoord th\nkinetic th'^2/2\nforce th = tau - sin(th) - 0.5*th'\n"
       "initial th = pi/2\n",
       "fold", "below", NULL, 1, 0, 2},
      {"param mu = 0\ncoord x\nkinetic x'^2/2\npotential x^2/2\nforce x = (mu + x^2)*x'\n", "hopf",
       NULL, "sub", 0, -0.3, 0.1},
  };
  for (size_t i = 0; i < 3 * sizeof starts / sizeof *starts; i++) {
    // in the range, at its end, at its beginning
    const size_t k = i / 3;
    const double from = i % 3 == 2 ? starts[k].value : starts[k].from;
    const double to = i % 3 == 1 ? starts[k].value : starts[k].to;
    bench b = given(starts[k].text);
    study_branches* r = follow(&b, from, to, false);
    const study_special* x = special(r, 0, starts[k].kind, 0);
    CHECK(x != NULL && r->path[0].specials == 1);
    if (x) {
      CHECK_NEAR(x->value, starts[k].value, 1e-9);
      CHECK(!starts[k].form || (x->form && !strcmp(x->form, starts[k].form)));
      CHECK(!starts[k].criticality ||
            (x->criticality && !strncmp(x->criticality, starts[k].criticality, 3)));
    }
    study_branches_free(r);
    bench_free(&b);
  }
}

// Where a range ends to the last digit at what is special, or nearer than eigenvalues tell, that is
// told once, however it is reached; arms that lie beyond it are none of the answer.
TEST(a_range_that_ends_at_a_special_point_tells_it)
{
  bench b = given("param P = 1\ncoord a, b\nkinetic (3*a'^2 + 2*cos(a-b)*a'*b' + b'^2)/2\n"
                  "potential (a^2 + (b-a)^2)/2\nforce a = -0.2*a' + 0.1*b' + P*sin(a-b)\n"
                  "force b = -0.1*(b'-a')\n");
  for (int k = -1; k <= 1; k++) {
    study_branches* r = follow(&b, 1, 2057.0 / 1400 + 1e-11 * k, false);
    const study_special* x = special(r, 0, "hopf", 0);
    CHECK(x != NULL && r->path[0].specials == 1);
    if (x) CHECK_NEAR(x->value, 2057.0 / 1400, 1e-12);
    study_branches_free(r);
  }
  bench_free(&b);
  b = given("param k = -0.5\ncoord x\nkinetic x'^2/2\nforce x = k*x - x^3 - x'\n");
  for (int side = 0; side < 2; side++) {
    study_branches* r = follow(&b, -1, side ? 0 : -0.001, true);
    CHECK(r && r->count == 1 && r->path[0].specials == side);
    study_branches_free(r);
  }
  study_branches* r = follow(&b, -1, 0.1, true);
  CHECK(r && r->count == 2 && r->path[0].specials == 1);
  study_branches_free(r);
  bench_free(&b);
}

// x'' = -P + 2 (sqrt 2/sqrt(1 + x^2) - 1) x - x'/10 snaps through at P = +-(2^(1/3) - 1)^(3/2) 2,
// at mirrored places: there the form x' = a x^2 says that both are unstable, and with the same a.
// x'' = (mu - x^2) x' - x and x'' = (mu + x^2) x' - x have a weak focus at mu = 0, of either kind.
TEST(motions_at_special_points_are_judged_by_their_normal_forms)
{
  bench b = given("param P = 0\ncoord x\nkinetic x'^2/2\n"
                  "force x = -P + 2*(sqrt(2)/sqrt(1 + x^2) - 1)*x - 0.1*x'\ninitial x = 1\n");
  study_branches* r = follow(&b, -0.5, 0.5, false);
  for (int k = 0; k < 2; k++) {
    const study_special* x = special(r, 0, "fold", k);
    CHECK(x != NULL);
    if (!x) continue;
    CHECK_NEAR(fabs(x->value), 2 * pow(cbrt(2) - 1, 1.5), 1e-13);
    CHECK(x->at->verdict == STUDY_UNSTABLE);
    // -f''/2 over the damping
    CHECK_NEAR(x->a, 3 * sqrt(2) * fabs(x->at->q[0]) * pow(2, -5.0 / 6) / 0.1, 1e-7);
  }
  study_branches_free(r);
  bench_free(&b);
  for (int sign = -1; sign <= 1; sign += 2) {
    b = given(sign < 0 ? "param mu = -0.1\ncoord x\nkinetic x'^2/2\npotential x^2/2\n"
                         "force x = (mu - x^2)*x'\n"
                       : "param mu = -0.1\ncoord x\nkinetic x'^2/2\npotential x^2/2\n"
                         "force x = (mu + x^2)*x'\n");
    r = follow(&b, -0.2, 0.2, false);
    const study_special* x = special(r, 0, "hopf", 0);
    CHECK(x != NULL);
    if (x) CHECK(x->at->verdict == (sign < 0 ? STUDY_STABLE : STUDY_UNSTABLE));
    study_branches_free(r);
    bench_free(&b);
  }
}

// V = (x - e)^2/2 - P (1 - cos x): stable all along, nothing special
TEST(an_imperfect_column_bends_without_a_jump)
{
  bench b = given("param P = 0, e = 0.01\ncoord x\nkinetic x'^2/2\n"
                  "potential (x-e)^2/2 - P*(1-cos(x))\ninitial x = 0.01\n");
  study_branches* r = follow(&b, 0, 3, false);
  CHECK(r && r->path[0].specials == 0);
  for (int i = 0; r && i < r->path[0].points; i++) {
    const double x = r->path[0].point[i]->q[0];
    CHECK_NEAR(x - 0.01 - r->path[0].value[i] * sin(x), 0, 1e-12);
    CHECK(x > 0 && r->path[0].point[i]->verdict == STUDY_STABLE);
  }
  if (r) CHECK_NEAR(r->path[0].value[r->path[0].points - 1], 3, 0);
  study_branches_free(r);
  bench_free(&b);
}

// th'' = W sin th cos th - sin th - c th': a supercritical fork at W = 1, arms cos th = 1/W
TEST(arms_of_a_fork_are_found)
{
  bench b = given("param W = 0.5\ncoord th\nkinetic th'^2/2\npotential -cos(th)\n"
                  "force th = W*sin(th)*cos(th) - 0.1*th'\n");
  study_branches* r = follow(&b, 0.2, 2, true);
  CHECK(r && r->count == 2);
  const study_special* x = special(r, 0, "branch", 0);
  CHECK(x != NULL);
  if (x && r->count == 2) {
    CHECK_NEAR(x->value, 1, 1e-11);
    CHECK(!strcmp(x->form, "pitchfork") && !strcmp(x->criticality, "super"));
    const study_path* arm = &r->path[1];
    for (int end = 0; end < 2; end++) {
      const int i = end ? arm->points - 1 : 0;
      CHECK_NEAR(arm->value[i], 2, 0);
      CHECK_NEAR(fabs(arm->point[i]->q[0]), M_PI / 3, 1e-12);
      CHECK(arm->point[i]->verdict == STUDY_STABLE);
    }
    CHECK(arm->point[0]->q[0] * arm->point[arm->points - 1]->q[0] < 0);
  }
  study_branches_free(r);
  bench_free(&b);
}

// the truss of von Mises with a free apex, h = 3: forks before and behind the limit point
TEST(a_truss_breaks_its_symmetry_before_it_snaps)
{
  bench b = given("param P = 0\ncoord x, y\nkinetic (x'^2+y'^2)/2\n"
                  "potential (sqrt((1+x)^2+y^2) - sqrt(10))^2/2 + (sqrt((1-x)^2+y^2) - "
                  "sqrt(10))^2/2 + P*y\nforce x = -0.1*x'\nforce y = -0.1*y'\ninitial y = 3\n");
  study_branches* r = follow(&b, -3, 3, false);
  const study_special *fold = special(r, 0, "fold", 0), *first = special(r, 0, "branch", 0),
                      *second = special(r, 0, "branch", 1);
  CHECK(fold && first && second);
  if (fold && first && second) {
    CHECK_NEAR(fold->value, 2.480755989014086398, 1e-13);
    CHECK_NEAR(first->value, 0.7834980667385532247, 1e-9);
    CHECK(!strcmp(first->criticality, "sub"));
    CHECK_NEAR(second->value, 2.386312754012515, 1e-9);
  }
  study_branches_free(r);
  bench_free(&b);
}

// Ziegler's double pendulum under a following load: 41/28 + c^2/2 with damping c, 7/2 - sqrt 2
// without, where two frequencies meet
TEST(a_following_load_makes_it_flutter)
{
  static const char* const damping[2] = {"0.1", "0"};
  for (int k = 0; k < 2; k++) {
    char text[500];
    snprintf(text, sizeof text,
             "param P = 1, c = %s\ncoord a, b\nparticle m1 mass 2 = (sin(a), cos(a), 0)\n"
             "particle m2 mass 1 = (sin(a)+sin(b), cos(a)+cos(b), 0)\n"
             "potential a^2/2 + (b-a)^2/2\nforce a = P*sin(a-b) - 2*c*a' + c*b'\n"
             "force b = -c*(b'-a')\n",
             damping[k]);
    bench b = given(text);
    study_branches* r = follow(&b, 0, 3, false);
    const study_special* x = special(r, 0, k ? "krein" : "hopf", 0);
    CHECK(x != NULL);
    if (x) {
      CHECK_NEAR(x->value, k ? 3.5 - sqrt(2) : 2057.0 / 1400, k ? 1e-11 : 1e-13);
      CHECK_NEAR(x->im, k ? pow(2, -0.25) : sqrt(2.0 / 7), 1e-7);
    }
    study_branches_free(r);
    bench_free(&b);
  }
}

// Bicycle, upright from several ranges: weave and capsize speed (Meijaard and others 2007)
TEST(a_bicycle_weaves_and_capsizes)
{
  bench b = bench_file("whipple_bicycle");
  const int v = model_param_find(b.model, "v");
  mech_free(b.system);
  CHECK(model_give(b.model, v));
  b.system = mech_derive(b.model, b.notes);
  static const struct
  {
    double from, to;
    int points;
  } tries[] = {{2, 8, 21}, {1, 10, 7}, {3, 7, 41}};
  for (int k = 0; k < 3; k++) {
    const study_branches_options o = {
        .param = v, .from = tries[k].from, .to = tries[k].to, .points = tries[k].points};
    study_branches* r = study_branches_find(b.system, &o, b.notes);
    const study_special *weave = special(r, 0, "hopf", 0), *capsize = special(r, 0, "branch", 0);
    CHECK(weave && capsize);
    if (weave && capsize) {
      CHECK_NEAR(weave->value, 4.292382536341117, 1e-9);
      CHECK_NEAR(capsize->value, 6.024262015388373, 1e-8);
      for (int i = 0; i < r->path[0].points; i++) CHECK_INT(r->path[0].point[i]->count, 4);
    }
    study_branches_free(r);
  }
  bench_free(&b);
}

// with all that leaves it: circular motions from the capsize speed on, once
TEST(circular_motions_leave_a_bicycle_once)
{
  bench b = bench_file("whipple_bicycle");
  const int v = model_param_find(b.model, "v");
  mech_free(b.system);
  CHECK(model_give(b.model, v));
  b.system = mech_derive(b.model, b.notes);
  const study_branches_options o = {.param = v, .from = 5, .to = 7, .points = 20, .all = true};
  study_branches* r = study_branches_find(b.system, &o, b.notes);
  CHECK(r && r->count == 2 && r->path[1].specials == 1);
  const study_special* crossing = special(r, 1, "branch", 0);
  CHECK(crossing != NULL);
  if (crossing) CHECK_NEAR(crossing->value, 6.024262015388373, 1e-9);
  study_branches_free(r);
  bench_free(&b);
}

// x'' + 0.1 x' + (1 + eps cos 2t) x = 0 from eps = 0, where time is hidden: the rest doubles its
// period at eps = 0.2001093421488693 (Hill's determinant) all the same
TEST(an_amplitude_of_nothing_does_not_hide_the_time)
{
  bench b = given("param eps = 0\ncoord x\nkinetic x'^2/2\npotential x^2/2\n"
                  "force x = -0.1*x' - eps*cos(2*t)*x\n");
  study_branches* r = follow(&b, 0, 0.5, false);
  const study_special* x = special(r, 0, "doubling", 0);
  CHECK(x != NULL);
  if (x) CHECK_NEAR(x->value, 0.2001093421488693, 1e-11);
  study_branches_free(r);
  bench_free(&b);
}

// an event that changes the motion is no part of linear equations
TEST(what_an_event_changes_is_refused)
{
  bench_stability_refused("coord x\nkinetic x'^2/2\npotential x^2/2\n"
                          "event brake: x = 0 { set x' = x'/2 }\ninitial x = 1\nrun 0 .. 1\n",
                          0, "changes the motion");
}

// ---- periodic motions ---------------------------------------------------------------------------

// x'' + 0.1 x' + x + x^3 = 0.3 cos(w t): folds of the resonance curve (113-bit shooting)
TEST(the_resonance_of_duffing_folds_twice)
{
  bench b = given("param w = 1.2\ncoord x\nkinetic x'^2/2\npotential x^2/2+x^4/4\n"
                  "force x = -0.1*x' + 0.3*cos(w*t)\ninitial x = 0.1\n");
  study_branches* r = follow(&b, 0.8, 2, false);
  const study_special *upper = special(r, 0, "fold", 0), *lower = special(r, 0, "fold", 1);
  CHECK(upper && lower);
  if (upper && lower) {
    CHECK_NEAR(upper->value, 1.779719524298573114, 1e-11);
    CHECK_NEAR(upper->at->q[0], -0.06456116852652050736, 1e-6);
    CHECK_NEAR(lower->value, 1.324236200770565557, 1e-11);
    for (int k = 0; k < 2; k++) {
      const study_stability* at = (k ? lower : upper)->at;
      CHECK_NEAR(at->period, 2 * M_PI / (k ? lower : upper)->value, 1e-12);
      // the other multiplier: exp(-0.1 T)
      CHECK_NEAR(at->multiplier_re[0] * at->multiplier_re[1], exp(-0.1 * at->period), 1e-9);
    }
  }
  study_branches_free(r);
  bench_free(&b);
}

// x'' + x'/2 + sin x = A cos(2t/3): the symmetric orbit breaks its symmetry, then periods double
TEST(a_driven_pendulum_begins_its_cascade)
{
  bench b = given("param A = 0.95\ncoord x\nkinetic x'^2/2\npotential -cos(x)\n"
                  "force x = -x'/2 + A*cos(2*t/3)\n");
  const study_branches_options o = {.from = 0.9, .to = 1.0815, .points = 40, .all = true};
  study_branches* r = study_branches_find(b.system, &o, b.notes);
  const study_special *fork = special(r, 0, "branch", 0), *first = special(r, 1, "doubling", 0),
                      *second = special(r, 2, "doubling", 0);
  CHECK(fork && first && second);
  if (fork && first && second) {
    CHECK_NEAR(fork->value, 1.004319477426467864, 1e-9);
    CHECK_NEAR(first->value, 1.066372862455207005, 1e-10);
    CHECK_NEAR(second->value, 1.079313905903715506, 1e-10);
    CHECK_NEAR(second->at->period, 6 * M_PI, 1e-10);
  }
  study_branches_free(r);
  bench_free(&b);
}

// Forced van der Pol: the end of entrainment. Damped Mathieu: the rest loses its stability by a
// doubling (Hill's determinant).
TEST(multipliers_leave_the_circle_elsewhere)
{
  bench b = given("param F = 0.9\ncoord x\nkinetic x'^2/2\npotential x^2/2\n"
                  "force x = 0.2*(1-x^2)*x' + F*cos(1.2*t)\ninitial x = -1.4\ninitial x' = -0.4\n");
  study_branches* r = follow(&b, 0.5, 1, false);
  const study_special* x = special(r, 0, "torus", 0);
  CHECK(x != NULL);
  if (x) CHECK_NEAR(x->value, 0.6465859043765667177, 1e-11);
  if (x) CHECK_NEAR(x->im / (2 * M_PI), 0.1618607883264970697, 1e-9);
  // at F = 0.6455 the torus was run with another program: mean square of its distance from its
  // centre 0.0150418 = 2 (|m| - 1)/|Re d| and more of second order, with |m| - 1 = 0.002016
  if (x) CHECK_NEAR(x->a, -2 * 0.002016 / 0.0150418, 0.002);
  if (x) CHECK(x->criticality && !strcmp(x->criticality, "super"));
  study_branches_free(r);
  bench_free(&b);
  b = given("param eps = 0.1\ncoord x\nkinetic x'^2/2\npotential x^2/2\n"
            "force x = -0.1*x' - eps*cos(1.9*t)*x\n");
  r = follow(&b, 0, 0.5, false);
  x = special(r, 0, "doubling", 0);
  CHECK(x != NULL);
  if (x) CHECK_NEAR(x->value, 0.2762634218515693, 1e-11);
  if (x) CHECK(x->a == 0 && x->criticality && !strcmp(x->criticality, "degenerate"));
  study_branches_free(r);
  bench_free(&b);
}

// x'' - (mu + x^2 - x^4) x' + x = 0: cycles fold, and end where they have no size
// Mathieu's equation at q = 1: borders of the tongues (eigenvalues of the infinite matrices in 40
// digits). The fifth is 1.4e-5 wide, steps are 0.28.
TEST(tongues_narrower_than_a_step_are_found)
{
  static const double want[] = {-0.4551386041074135, -0.1102488169920952, 1.859108072514364,
                                3.917024772998471,   4.371300982735086,   9.047739259809375,
                                9.078368847203102,   16.03297008140579,   16.03383234035951,
                                25.02084082328977,   25.02085434544858};
  bench b = given("param a = 0.5\ncoord x\nkinetic x'^2/2\nforce x = -(a - 2*cos(2*t))*x\n");
  study_branches* all = follow(&b, -1, 27, false);
  CHECK(all && all->path[0].specials == 11);
  for (int i = 0; all && i < all->path[0].specials && i < 11; i++)
    CHECK_NEAR(all->path[0].special[i].value, want[i], i == 7 || i == 8 ? 1e-10 : 1e-11);
  study_branches_free(all);
  bench_free(&b);
}

TEST(cycles_of_a_galloping_oscillator_fold)
{
  bench b = given("param mu = -0.05\ncoord x\nkinetic x'^2/2\npotential x^2/2\n"
                  "force x = (mu + x^2 - x^4)*x'\ninitial x = 1.2\n");
  const study_branches_options o = {.from = -0.3, .to = 0.1, .points = 50, .period = 6.28};
  study_branches* r = study_branches_find(b.system, &o, b.notes);
  const study_special* x = special(r, 0, "fold", 0);
  CHECK(x != NULL);
  if (x) CHECK_NEAR(x->value, -0.1249932169028515178, 1e-11);
  if (x) CHECK_NEAR(x->at->period, 6.285231102807082074, 1e-6);
  CHECK(special(r, 0, "fold", 1) == NULL);
  study_branches_free(r);
  bench_free(&b);
}

// Hopf points with their first Lyapunov coefficient: closed forms of the loads, the coefficient by
// third derivatives in 80 digits
TEST(hopf_points_have_their_lyapunov_coefficient)
{
  static const struct
  {
    const char* text;
    double from, to, value, w, l1;
  } one[] = {
      {"param P = 1, c = 0.1\ncoord a, b\nkinetic (3*a'^2 + 2*cos(a-b)*a'*b' + b'^2)/2\n"
       "potential (a^2 + (b-a)^2)/2\nforce a = -2*c*a' + c*b' + P*sin(a-b)\n"
       "force b = -c*(b'-a')\n",
       1, 2, 2057.0 / 1400, 0.5345224838248487694, -0.01679656354340191351},
      {"param tau = 0.9, c0 = -0.3, c1 = 1\ncoord th\nkinetic th'^2/2\n"
       "force th = tau - sin(th) - (c0 + c1*cos(th))*th'\ninitial th = 1.1\n",
       0.9, 0.98, 0.9539392014169456492, 0.5477225575051661135, 1.170347345096508789},
      // the same on a circle: its coordinates are those of a plane
      {"param tau = 0.9, c0 = -0.3, c1 = 1\ncoord x, y\nkinetic (x'^2 + y'^2)/2\n"
       "constraint rod: x^2 + y^2 = 1\nforce x = -y*(tau - y - (c0 + c1*x)*(x*y' - y*x'))\n"
       "force y = x*(tau - y - (c0 + c1*x)*(x*y' - y*x'))\ninitial x ~ 0.45\ninitial y ~ 0.9\n",
       0.9, 0.98, 0.9539392014169456492, 0.5477225575051661135, 1.170347345096508789},
      {"param V = 30\ncoord y, psi\nkinetic 600*y'^2 + 400*psi'^2\n"
       "force y = -1.2e7*(y'/V - psi) - 5e5*y - 5e8*y^3\n"
       "force psi = -1.6e7*(0.72^2*psi'/V + 0.1*0.72*y/0.46) - 5e5*psi\n",
       30, 50, 41.465195799636825906, 22.780502543860282962, -0.16188920112779413457},
      // the same rotor beside a constraint and an ignorable coordinate
      {"param Om = 2, c = 0.15\ncoord x, y, z, s\nkinetic (x'^2 + y'^2 + z'^2 + s'^2)/2\n"
       "constraint flat: z = 0\nforce x = -c*x' - x - 0.05*Om*y - (x^2 + y^2)*x\n"
       "force y = -c*y' - y + 0.05*Om*x - (x^2 + y^2)*y\nforce s = -s'\n",
       2, 4, 3, 1, -0.03729024238657551274},
  };
  for (size_t i = 0; i < sizeof one / sizeof one[0]; i++) {
    bench b = given(one[i].text);
    study_branches* r = follow(&b, one[i].from, one[i].to, false);
    const study_special* x = special(r, 0, "hopf", 0);
    CHECK(x != NULL);
    if (x) {
      CHECK_NEAR(x->value, one[i].value, 1e-10 * one[i].value);
      CHECK_NEAR(x->im, one[i].w, 1e-9 * one[i].w);
      CHECK_NEAR(x->l1, one[i].l1, 1e-8);
      CHECK(x->criticality && !strcmp(x->criticality, one[i].l1 < 0 ? "super" : "sub"));
    }
    study_branches_free(r);
    bench_free(&b);
  }
}

// x'' - (mu + x^2 - x^4) x' + x = 0: cycles are born at mu = 0 to the stable side and turn back at
// a fold, known from arithmetic of 113 bits
TEST(cycles_are_followed_from_where_they_are_born)
{
  bench b = given("param mu = -0.05\ncoord x\nkinetic x'^2/2\npotential x^2/2\n"
                  "force x = (mu + x^2 - x^4)*x'\n");
  const study_branches_options o = {.param = 0, .from = -0.3, .to = 0.1, .all = true, .points = 40};
  study_branches* r = study_branches_find(b.system, &o, b.notes);
  const study_special *hopf = special(r, 0, "hopf", 0), *fold = special(r, 1, "fold", 0);
  CHECK(hopf && fold);
  if (hopf) CHECK_NEAR(hopf->l1, 0.25, 1e-9);
  if (fold) CHECK_NEAR(fold->value, -0.1249932169028515178, 1e-11);
  if (fold) CHECK_NEAR(fold->at->period, 6.285231102807082074, 1e-6);
  if (fold) CHECK_INT(r->path[1].from, 0);
  study_branches_free(r);
  bench_free(&b);
}

// A spring that stiffens: at rest at both ends, in phase; 113-bit shooting
TEST(normal_modes_are_followed_over_their_energy)
{
  bench b = bench_text("coord x1, x2\nkinetic (x1'^2 + x2'^2)/2\n"
                       "potential (x1^2 + x2^2 + (x1 - x2)^2)/2 + x1^4/8\n"
                       "initial x1 = 0.6\ninitial x2 = 0.637\n");
  study_branches_options o = {.over = STUDY_OVER_ENERGY,
                              .from = 0.1,
                              .to = 4.303275241902054829,
                              .period = 6.09,
                              .points = 20};
  study_branches* r = study_branches_find(b.system, &o, b.notes);
  CHECK(r && r->path[0].specials == 0);
  if (r) {
    const study_stability* x = r->path[0].point[r->path[0].points - 1];
    double least = 1;
    for (int i = 0; i < x->multipliers; i++) least = fmin(least, x->multiplier_re[i]);
    CHECK_NEAR(2 * M_PI / x->period, 1.152625359392756390, 1e-12);
    CHECK_NEAR(2 * least, -0.3992685547185758752, 1e-10);
  }
  study_branches_free(r);
  // the same family by its period
  o.over = STUDY_OVER_PERIOD;
  o.from = 2 * M_PI / 1.152625359392756390;
  o.to = 6.2;
  r = study_branches_find(b.system, &o, b.notes);
  if (r) {
    const study_stability* x = r->path[0].point[0];
    const double q = x->q[0], p = x->q[1];
    const double E =
        (x->v[0] * x->v[0] + x->v[1] * x->v[1] + q * q + p * p + (q - p) * (q - p)) / 2;
    CHECK_NEAR(E + q * q * q * q / 8, 4.303275241902054829, 1e-10);
  }
  study_branches_free(r);
  // none to be told apart
  o.from = 7;
  o.to = 8;
  CHECK(study_branches_find(b.system, &o, b.notes) == NULL);
  bench_free(&b);
}

// ---- two params ---------------------------------------------------------------------------------

static bench given_two(const char* text)
{
  bench b = bench_text(text);
  mech_free(b.system);
  CHECK(model_give(b.model, 0) && model_give(b.model, 1));
  b.system = mech_derive(b.model, b.notes);
  return b;
}

static study_branches* follow_both(bench* b, double from, double to, double low, double high)
{
  const study_branches_options o = {.param = 0,
                                    .from = from,
                                    .to = to,
                                    .points = 50,
                                    .both = true,
                                    .second = 1,
                                    .second_from = low,
                                    .second_to = high};
  return study_branches_find(b->system, &o, b->notes);
}

static const study_locus* locus(const study_branches* r, const char* kind)
{
  for (int i = 0; r && i < r->loci; i++)
    if (!strcmp(r->locus[i].kind, kind)) return &r->locus[i];
  return NULL;
}

// The bead on a hoop that turns about an axis beside its centre: folds at sin th = -eps^(1/3),
// W = (1 - eps^(2/3))^(-3/2), and a cusp at (1, 0)
TEST(folds_of_a_hoop_meet_in_a_cusp)
{
  bench b = given_two("param W = 1.3, eps = 0.01\ncoord th\nkinetic th'^2/2\n"
                      "force th = W*(eps + sin(th))*cos(th) - sin(th) - 0.1*th'\n"
                      "initial th = -0.7\n");
  study_branches* r = follow_both(&b, 0.9, 1.4, -0.05, 0.05);
  const study_locus* x = locus(r, "fold");
  CHECK(x && r->loci == 1 && x->specials == 1 && !strcmp(x->special[0].kind, "cusp"));
  if (x && x->specials) {
    CHECK_NEAR(x->special[0].a, 1, 1e-12);
    CHECK_NEAR(x->special[0].b, 0, 1e-12);
  }
  for (int i = 0; x && i < x->points; i++)
    CHECK_NEAR(x->a[i], pow(1 - pow(cbrt(x->b[i]), 2), -1.5), 1e-10);
  study_branches_free(r);
  bench_free(&b);
}

// th'' = tau - sin th - (c0 + cos th) th': Hopf points at cos th = -c0, folds at tau = 1, which
// meet at c0 = 0. Ziegler's pendulum under a load that follows partly, c1 = c2 = 0.1: flutter at P
// = 1.3992101451653587 for alpha = 0.75, and a double zero at (3/2, 5/9), whatever the damping.
TEST(hopf_points_end_in_a_double_zero)
{
  bench b = given_two("param tau = 0.9, c0 = -0.3\ncoord th\nkinetic th'^2/2\n"
                      "force th = tau - sin(th) - (c0 + cos(th))*th'\ninitial th = 1.1\n");
  study_branches* r = follow_both(&b, 0.5, 1.2, -0.6, 0.1);
  for (int k = 0; k < 2; k++) {
    const study_locus* x = locus(r, k ? "hopf" : "fold");
    CHECK(x && x->specials == 1 && !strcmp(x->special[0].kind, "bogdanov-takens"));
    if (x && x->specials) {
      CHECK_NEAR(x->special[0].a, 1, 1e-11);
      CHECK_NEAR(x->special[0].b, 0, 1e-11);
    }
    for (int i = 0; x && i < x->points; i++)
      CHECK_NEAR(x->a[i], k ? sqrt(1 - x->b[i] * x->b[i]) : 1, 1e-10);
  }
  study_branches_free(r);
  bench_free(&b);
  b = given_two("param P = 0.3, al = 0.75\ncoord a, b\n"
                "kinetic (3*a'^2 + 2*cos(a-b)*a'*b' + b'^2)/2\npotential (a^2 + (b-a)^2)/2\n"
                "force a = -0.2*a' + 0.1*b' + P*sin(a - al*b)\n"
                "force b = -0.1*(b' - a') + P*sin((1 - al)*b)\n");
  r = follow_both(&b, 0, 3, 0.3, 0.9);
  const study_locus* x = locus(r, "hopf");
  CHECK(x && x->specials == 1);
  if (x && x->specials) {
    CHECK_NEAR(x->special[0].a, 1.5, 1e-11);
    CHECK_NEAR(x->special[0].b, 5.0 / 9, 1e-11);
    CHECK_NEAR(x->b[x->points - 1], 0.9, 0);
    CHECK_NEAR(x->a[x->points - 1], 1.4151097303908532, 1e-11);
  }
  study_branches_free(r);
  bench_free(&b);
}

// x'' - (mu + b x^2 - x^4) x' + x = 0: Hopf points at mu = 0, whose cycles are stable for b < 0.
// Damped Mathieu: the border of the first tongue (Hill's determinant).
TEST(criticality_changes_and_tongues_have_borders)
{
  bench b = given_two("param mu = -0.05, b = -0.3\ncoord x\nkinetic x'^2/2\npotential x^2/2\n"
                      "force x = (mu + b*x^2 - x^4)*x'\n");
  study_branches* r = follow_both(&b, -0.2, 0.2, -0.5, 0.7);
  const study_locus* x = locus(r, "hopf");
  CHECK(x && x->specials == 1 && !strcmp(x->special[0].kind, "bautin"));
  if (x && x->specials) CHECK_NEAR(x->special[0].a, 0, 1e-11);
  if (x && x->specials) CHECK_NEAR(x->special[0].b, 0, 1e-8);
  study_branches_free(r);
  bench_free(&b);
  b = given_two("param eps = 0.1, w = 2\ncoord x\nkinetic x'^2/2\npotential x^2/2\n"
                "force x = -0.1*x' - eps*cos(w*t)*x\n");
  r = follow_both(&b, 0, 0.5, 1.9, 2.01);
  x = locus(r, "doubling");
  CHECK(x != NULL);
  bool seen = false;
  for (int i = 0; x && i < 2; i++) {
    const int at = i ? x->points - 1 : 0;
    if (x->b[at] != 1.9) continue;
    seen = true;
    CHECK_NEAR(x->a[at], 0.2762634218515693, 1e-11);
  }
  CHECK(seen);
  study_branches_free(r);
  bench_free(&b);
}
