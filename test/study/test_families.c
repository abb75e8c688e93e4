// Branches along which the param stands still: families at one value, and motions that come near to
// one from rest to rest. Their tests go through zero by rounding only.
#include "walk/bench.h"

#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static study_branches* follow(const char* text, double from, double to, bench* b)
{
  *b = bench_text(text);
  mech_free(b->system);
  CHECK(model_give(b->model, 0));
  b->system = mech_derive(b->model, b->notes);
  const study_branches_options o = {.param = 0, .from = from, .to = to, .all = true};
  return study_branches_find(b->system, &o, b->notes);
}

// x'' - mu (1 - x^2) x' + x = 0 (van der Pol): at mu = 0 every circle is a motion, so that the
// branch born there is a family at one value. One circle is special, that of radius 2, from which
// the cycles of all other mu leave; nothing else that is told from rounding.
TEST(circles_of_van_der_pol_are_a_family)
{
  bench b;
  study_branches* r = follow("param mu = 0.1\ncoord x\nkinetic x'^2/2\npotential x^2/2\n"
                             "force x = mu*(1-x^2)*x'\n",
                             -0.5, 2, &b);
  CHECK(r && r->count == 3);
  if (r && r->count == 3) {
    const study_path* p = &r->path[1];
    CHECK(p->specials == 1);
    if (p->specials == 1) CHECK_NEAR(fabs(p->special[0].at->q[0]), 2, 1e-5);
    CHECK(strstr(p->ends[0], "family") != NULL || strstr(p->ends[1], "family") != NULL);
    for (int i = 0; i < p->points; i++) {
      // Closing a circle of radius A tells mu by pi A (1 - A^2/4) mu (averaging, exact at mu = 0):
      // a rounding of A is one of mu, more of it the nearer the circle is to the special one.
      const double *x = p->point[i]->q, *v = p->point[i]->v;
      const double tells = fabs(1 - (x[0] * x[0] + v[0] * v[0]) / 4);
      CHECK_NEAR(tells * p->value[i], 0, 1e-15);
      CHECK_NEAR(p->point[i]->period, 2 * M_PI, 1e-10);
    }
  }
  study_branches_free(r);
  bench_free(&b);
}

// x'' = a x - x^3 - (b - x^2) x': cycles are born at a = b about x = +-sqrt(a), take in the origin
// at their end and have the multiplier exp(-int (b - x^2) dt) < 1 all the way.
TEST(cycles_end_near_a_motion_from_rest_to_rest)
{
  bench b;
  study_branches* r = follow("param a = 1, b = 1.5\ncoord x\nkinetic x'^2/2\n"
                             "potential -a*x^2/2 + x^4/4\nforce x = (x^2-b)*x'\ninitial x = 1\n",
                             1.2, 2, &b);
  int cycles = 0;
  for (int k = 0; r && k < r->count; k++) {
    const study_path* p = &r->path[k];
    if (!(p->point[0]->period > 0)) continue;
    cycles++;
    CHECK(p->specials == 0);
    double longest = 0;
    for (int i = 0; i < p->points; i++) {
      const study_stability* s = p->point[i];
      double off = INFINITY;
      for (int j = 0; j < s->multipliers; j++)
        off = fmin(off, hypot(s->multiplier_re[j] - 1, s->multiplier_im[j]));
      CHECK(off < 1e-5);
      CHECK(s->verdict != STUDY_UNSTABLE);
      longest = fmax(longest, s->period);
    }
    CHECK(longest > 12);
    CHECK(strstr(p->ends[0], "part too far") != NULL || strstr(p->ends[1], "part too far") != NULL);
  }
  CHECK(cycles > 0);
  study_branches_free(r);
  bench_free(&b);
}

// A param that a guess alone has moves nothing, which is said; one that moves the motion, or what
// is next to it, is followed in silence.
TEST(a_param_that_changes_nothing_is_told)
{
  static const struct
  {
    const char* text;
    int notes;
  } rows[] = {{"param p = 1\ncoord x\nkinetic x'^2/2\npotential x^2/2\ninitial x ~ p\n", 1},
              {"param p = 1\ncoord x\nkinetic x'^2/2\npotential p*x^2/2\n", 0},
              {"param p = 1\ncoord x\nkinetic x'^2/2\npotential x^2/2 - p*x\n", 0},
              {"param p = 1\ncoord x\nkinetic x'^2/2\npotential x^2/2\nforce x = -p*x'\n", 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    bench b;
    study_branches* r = follow(rows[i].text, 1, 2, &b);
    CHECK(r != NULL);
    CHECK((base_notes_count(b.notes) > 0) == (rows[i].notes > 0));
    study_branches_free(r);
    bench_free(&b);
  }
}

// Of a square and of a cube: two and three eigenvalues go through zero at once, where the param
// grows along the branch.
TEST(several_eigenvalues_at_once_are_one_crossing)
{
  static const char* const text[] = {
      "param p = 1\ncoord x, y\nkinetic (x'^2+y'^2)/2\n"
      "potential -p*(x^2+y^2)/2 + (x^4+y^4)/4\nforce x = -x'\nforce y = -y'\n",
      "param p = 1\ncoord x, y, z\nkinetic (x'^2+y'^2+z'^2)/2\n"
      "potential -p*(x^2+y^2+z^2)/2 + (x^4+y^4+z^4)/4\n"
      "force x = -x'\nforce y = -y'\nforce z = -z'\n"};
  for (int i = 0; i < 2; i++) {
    bench b;
    study_branches* r = follow(text[i], -0.7, 0.5, &b);
    CHECK(r && r->path[0].specials == 1);
    if (r && r->path[0].specials == 1) {
      const study_special* x = &r->path[0].special[0];
      CHECK(x->several == i + 2 && abs(x->behind - x->before) == i + 2);
      CHECK((x->behind > x->before) == x->up);
      CHECK_NEAR(x->value, 0, 1e-12);
      CHECK(r->count == 1 + (i ? 26 : 8));
    }
    study_branches_free(r);
    bench_free(&b);
  }
}
