// The judge of an answer: what obeys the laws of contact has no fault, and whatever else has one.
#include "check.h"
#include "cone/contact.h"
#include "cone/small.h"
#include "contact_make.h"

#include <stdlib.h>

// a change of any one force changes the motion, which then obeys some law no more
TEST(every_force_that_is_changed_is_a_fault)
{
  int seen[3] = {0};
  unsigned seed = 7;
  for (int t = 1; t <= 2; t++) {
    cone_contact* f = cone_contact_new(make_n, 1, make_most, t);
    for (int trial = 0; trial < 200; trial++) {
      make_scene s;
      make_contacts(&seed, &s, 1);
      const cone_contact_problem p = make_problem(&s, 1 + trial % 3, t, trial % 2);
      if (cone_contact_solve(f, &p, false).count != 1) continue;
      const double fault = cone_contact_fault(f);
      if (!(fault <= cone_contact_good)) continue;
      seen[t]++;
      double most = f->largest;
      for (int r = 0; r < f->rows; r++) most = fmax(most, fabs(f->force[r]));
      for (int k = 0; k < 2 * f->rows; k++) {
        const double kept = f->force[k / 2];
        f->force[k / 2] += (k % 2 ? 0.01 : -0.01) * most;
        CHECK(cone_contact_fault(f) > 1e-7);
        f->force[k / 2] = kept;
      }
      CHECK_NEAR(cone_contact_fault(f), fault, 0);
    }
    cone_contact_free(f);
  }
  CHECK(seen[1] > 150 && seen[2] > 150);
}

// One body on a floor, under a weight that is large or small against all else in the problem: it
// presses, and rests or slips, by what pushes it along.
TEST(contacts_are_told_apart_at_any_size)
{
  cone_contact* f = cone_contact_new(2, 0, 1, 1);
  const double N[] = {0, 1}, T[] = {1, 0}, none[] = {0}, M[] = {1, 0, 0, 1}, mu[] = {0.5};
  for (double size = 1e-12; size < 1e13; size *= 1e3)
    for (int push = -2; push <= 2; push++) {
      const double F[] = {0.4 * push * size, -size};
      const cone_contact_problem p = {.n = 2,
                                      .contacts = 1,
                                      .tangents = 1,
                                      .M = M,
                                      .F = F,
                                      .N = N,
                                      .d_N = none,
                                      .T = T,
                                      .d_T = none,
                                      .mu = mu};
      const cone_contact_result r = cone_contact_solve(f, &p, true);
      CHECK_INT(r.count, 1);
      if (r.count < 1) continue;
      const cone_contact_mode want = push == 2    ? CONE_CONTACT_SLIP
                                     : push == -2 ? CONE_CONTACT_SLIP_BACK
                                                  : CONE_CONTACT_STICK;
      CHECK_INT(r.solution[0].mode[0], want);
      CHECK_NEAR(r.solution[0].lambda_N[0], size, 1e-12 * size);
      const double slips = abs(push) == 2 ? 0.3 * size * push / 2 : 0;
      CHECK_NEAR(r.solution[0].w[0], slips, 1e-12 * size);
    }
  cone_contact_free(f);
}
