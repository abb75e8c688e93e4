// Periodic motions on a mesh: those that part far within a period, steep ones, and the numbers of
// Gauss's method themselves.
#include "study/mesh.h"
#include "walk/bench.h"

#include "check.h"

#include <math.h>
#include <string.h>

// the model of a text whose first param is given with the run
static bench given(const char* text)
{
  bench b = bench_text(text);
  mech_free(b.system);
  CHECK(model_give(b.model, 0));
  b.system = mech_derive(b.model, b.notes);
  return b;
}

// integrals of powers up to each node and to the end, exact below the count of nodes and twice it
TEST(nodes_integrate_powers_exactly)
{
  const study_mesh_table t = study_mesh_numbers();
  for (int p = 0; p < 2 * study_mesh_degree; p++) {
    double end = 0;
    for (int j = 0; j < study_mesh_degree; j++) {
      double sum = 0, slope = 0;
      end += t.b[j] * pow(t.c[j], p);
      for (int k = 0; k < study_mesh_degree; k++) {
        sum += t.A[j][k] * pow(t.c[k], p);
        slope += t.D[j][k] * pow(t.c[k], p);
      }
      if (p >= study_mesh_degree) continue;
      CHECK_NEAR(sum, pow(t.c[j], p + 1) / (p + 1), 1e-14);
      CHECK_NEAR(slope, p ? p * pow(t.c[j], p - 1) : 0, 1e-12);
    }
    CHECK_NEAR(end, 1.0 / (p + 1), 1e-14);
  }
}

// x = 0.3 cos t moves so whatever k is; those next to it part by exp(2 pi sqrt(k)) and more within
// one period: a flight from the start would be lost. The product of the multipliers is one.
TEST(motions_that_part_far_within_a_period_are_followed)
{
  bench b = given("param k = 1\ncoord x\nkinetic x'^2/2\n"
                  "force x = k*x - x^3 - (1 + k)*0.3*cos(t) + (0.3*cos(t))^3\ninitial x = 0.3\n");
  const study_branches_options o = {.from = 0.5, .to = 9};
  study_branches* r = study_branches_find(b.system, &o, b.notes);
  CHECK(r && r->count == 1);
  const study_path* p = r ? &r->path[0] : NULL;
  double largest = 0, off = 0;
  for (int i = 0; p && i < p->points; i++) {
    const study_stability* at = p->point[i];
    largest = fmax(largest, at->largest);
    off = fmax(off, fmax(fabs(at->q[0] - 0.3), fabs(at->v[0])));
    if (at->largest < 1e4) CHECK_NEAR(at->multiplier_re[0] * at->multiplier_re[1], 1, 1e-7);
  }
  CHECK(largest > 1e7);
  CHECK_NEAR(off, 0, 1e-11);
  if (p) CHECK_NEAR(p->value[p->points - 1], 9, 1e-9);
  study_branches_free(r);
  bench_free(&b);
}

// Van der Pol at mu = 5, whose period and greatest x are known in 113 bits: jumps that the mesh has
// to follow
TEST(relaxation_has_its_period)
{
  bench b = given("param mu = 1\ncoord x\nkinetic x'^2/2\npotential x^2/2\n"
                  "force x = mu*(1 - x^2)*x'\ninitial x = 2.0086198608748431\n");
  const study_branches_options o = {.from = 0.8, .to = 5, .period = 6.6632868593231302};
  study_branches* r = study_branches_find(b.system, &o, b.notes);
  CHECK(r && r->count == 1);
  if (r && r->count) {
    const study_path* p = &r->path[0];
    CHECK_NEAR(p->value[p->points - 1], 5, 1e-12);
    CHECK_NEAR(p->point[p->points - 1]->period, 11.61223066771957003456, 1e-9);
  }
  study_branches_free(r);
  bench_free(&b);
}

// The same from the rest on: at mu = 0 all motions are circles, a family that has no end, and one
// of them, of radius 2, is where the cycles of all other mu cross it
TEST(cycles_cross_a_family_of_circles)
{
  bench b = given("param mu = 0.5\ncoord x\nkinetic x'^2/2\npotential x^2/2\n"
                  "force x = mu*(1 - x^2)*x'\n");
  const study_branches_options o = {.from = -1, .to = 1, .all = true};
  study_branches* r = study_branches_find(b.system, &o, b.notes);
  CHECK(r && r->count >= 3);
  if (r && r->count >= 3) {
    CHECK(r->path[0].specials == 1 && !strcmp(r->path[0].special[0].criticality, "degenerate"));
    CHECK(r->path[1].specials == 1 && !strcmp(r->path[1].special[0].kind, "branch"));
    if (r->path[1].specials) {
      const study_stability* at = r->path[1].special[0].at;
      CHECK_NEAR(hypot(at->q[0], at->v[0]), 2, 1e-5);
    }
    const study_path* p = &r->path[2];
    const int last = p->value[0] > p->value[p->points - 1] ? 0 : p->points - 1;
    CHECK_NEAR(p->value[last], 1, 1e-12);
    CHECK_NEAR(p->point[last]->period, 6.663286859323130, 1e-9);
    CHECK(p->point[last]->verdict == STUDY_STABLE);
  }
  study_branches_free(r);
  bench_free(&b);
}

// th'' = tau - sin th - c th' folds at tau = 1 with a = 1/(2 c) and motions below
TEST(folds_have_their_normal_form)
{
  bench b = given("param tau = 0.5\ncoord th\nkinetic th'^2/2\n"
                  "force th = tau - sin(th) - 0.3*th'\ninitial th = 0.5\n");
  const study_branches_options o = {.from = 0.4, .to = 1.2};
  study_branches* r = study_branches_find(b.system, &o, b.notes);
  const study_special* x = NULL;
  for (int i = 0; r && i < r->path[0].specials; i++)
    if (!strcmp(r->path[0].special[i].kind, "fold")) x = &r->path[0].special[i];
  CHECK(x != NULL);
  if (x) {
    CHECK_NEAR(x->value, 1, 1e-12);
    CHECK_NEAR(x->a, 1 / 0.6, 1e-7);
    CHECK(x->form && !strcmp(x->form, "below"));
  }
  study_branches_free(r);
  bench_free(&b);
}

// Duffing's resonance: the greatest x at its folds, from 113-bit arithmetic
TEST(motions_have_their_greatest_places)
{
  bench b = given("param w = 1.2\ncoord x\nkinetic x'^2/2\npotential x^2/2+x^4/4\n"
                  "force x = -0.1*x' + 0.3*cos(w*t)\ninitial x = 0.1\n");
  const study_branches_options o = {.from = 0.8, .to = 2};
  study_branches* r = study_branches_find(b.system, &o, b.notes);
  int folds = 0;
  for (int i = 0; r && i < r->path[0].specials; i++) {
    const study_special* x = &r->path[0].special[i];
    if (strcmp(x->kind, "fold") != 0) continue;
    const study_swing* s = x->at->swing;
    CHECK(s != NULL);
    if (s) CHECK_NEAR(s->most, folds ? 0.592832191095 : 1.722252019352, 2e-12);
    if (s) CHECK_NEAR(s->least, -s->most, 2e-12);
    if (s) CHECK_NEAR(s->mean, 0, 1e-12);
    if (s) CHECK_NEAR(s->amplitude, folds ? 0.589226125008 : 1.670640253413, 2e-12);
    if (s) CHECK_NEAR(s->lag, folds ? 2.878385912266 : 1.612354107263, 2e-12);
    folds++;
  }
  CHECK(folds == 2);
  study_branches_free(r);
  bench_free(&b);
}

// from a state that is not at rest Newton's method comes to zero but for rounding, which is no
// measure of what follows
TEST(a_branch_through_zero_is_followed_from_elsewhere)
{
  bench b = given("param mu = -0.05\ncoord x\nkinetic x'^2/2\npotential x^2/2\n"
                  "force x = (mu + x^2 - x^4)*x'\ninitial x = 1.2\n");
  const study_branches_options o = {.from = -0.3, .to = 0.1};
  study_branches* r = study_branches_find(b.system, &o, b.notes);
  CHECK(r && r->path[0].points > 10 && r->path[0].specials == 1);
  if (r && r->path[0].specials) CHECK_NEAR(r->path[0].special[0].value, 0, 1e-14);
  study_branches_free(r);
  bench_free(&b);
}

// The folds of Duffing's resonance with fewer digits than usual: no worse than the tolerance, and
// on meshes that are coarser indeed.
TEST(a_coarser_tolerance_is_kept)
{
  static const double wanted[] = {1.779719524298573114, 1.324236200770565557};
  static const double tolerance[] = {1e-12, 1e-10, 1e-9};
  for (int k = 0; k < 3; k++) {
    bench b = given("param w = 2.5\ncoord x\nkinetic x'^2/2\npotential x^2/2+x^4/4\n"
                    "force x = -0.1*x' + 0.3*cos(w*t)\ninitial x = -0.057\n");
    const study_branches_options o = {
        .from = 0.8, .to = 2.6, .points = 10, .tolerance = tolerance[k]};
    study_branches* r = study_branches_find(b.system, &o, b.notes);
    double off = 0;
    CHECK(r && r->path[0].specials == 2);
    for (int i = 0; r && i < r->path[0].specials && i < 2; i++)
      off = fmax(off, fabs(r->path[0].special[i].value - wanted[i]));
    CHECK(off < tolerance[k]);
    CHECK(k == 0 || off > 1e-13);
    study_branches_free(r);
    bench_free(&b);
  }
}
