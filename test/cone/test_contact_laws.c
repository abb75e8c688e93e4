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

// What slips does not go on sticking, and what rests has no direction to slip in: whatever forces
// were found before, such modes are not gone on with.
TEST(modes_that_the_slip_excludes_do_not_go_on)
{
  const double N[] = {0, 0, 1}, T[] = {1, 0, 0, 0, 1, 0}, none[] = {0, 0}, mu[] = {0.5},
               M[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, F[] = {0.1, 0.2, -1}, slip[] = {0.3, -0.1};
  for (int t = 1; t <= 2; t++) {
    cone_contact* f = cone_contact_new(3, 0, 1, t);
    cone_contact_mode guess[] = {CONE_CONTACT_STICK};
    cone_contact_problem p = {.n = 3,
                              .contacts = 1,
                              .tangents = t,
                              .M = M,
                              .F = F,
                              .N = N,
                              .d_N = none,
                              .T = T,
                              .d_T = none,
                              .mu = mu,
                              .guess = guess};
    CHECK(cone_contact_go_on(f, &p).status == CONE_CONTACT_SOLVED);
    p.slip = slip;
    CHECK(cone_contact_go_on(f, &p).status == CONE_CONTACT_FAILED);
    guess[0] = CONE_CONTACT_SLIP;
    CHECK(cone_contact_go_on(f, &p).status == CONE_CONTACT_SOLVED);
    p.slip = NULL;
    CHECK(cone_contact_go_on(f, &p).status == CONE_CONTACT_FAILED);
    cone_contact_free(f);
  }
}

// A contact that can hardly move along without opening, as a wedge: it presses ten million times as
// hard as it is pushed, and rounding is that of these forces. The one that does comes first or
// last.
TEST(a_jammed_contact_goes_on_wherever_it_stands)
{
  const int places[] = {0, 1};
  unsigned seed = 3;
  cone_contact* f = cone_contact_new(4, 0, 2, 1);
  const double M[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, mu[] = {1, 1},
               none[] = {0, 0};
  for (int trial = 0; trial < 100; trial++) {
    const int at = places[trial % 2];
    double N[8] = {0}, T[8] = {0}, F[4];
    const double s = 3e-4 * (1.5 + make_unit(&seed)), c = sqrt(1 - s * s), fast = 1e4;
    N[at * 4] = 1;
    T[at * 4] = fast * c;
    T[at * 4 + 1] = fast * s;
    N[(1 - at) * 4 + 2] = 1;
    T[(1 - at) * 4 + 3] = 1;
    // pushed at right angles to its slip
    F[0] = F[2] = -1.5 + make_unit(&seed) / 2;
    F[1] = -F[0] * c / s;
    F[3] = 0;
    const cone_contact_mode guess[] = {CONE_CONTACT_STICK, CONE_CONTACT_STICK};
    const cone_contact_problem p = {.n = 4,
                                    .contacts = 2,
                                    .tangents = 1,
                                    .M = M,
                                    .F = F,
                                    .N = N,
                                    .d_N = none,
                                    .T = T,
                                    .d_T = none,
                                    .mu = mu,
                                    .guess = guess};
    const cone_contact_result r = cone_contact_go_on(f, &p);
    CHECK_INT(r.status, CONE_CONTACT_SOLVED);
    if (r.status != CONE_CONTACT_SOLVED) continue;
    CHECK_NEAR(r.solution[0].lambda_N[at] * s * s / -F[0], 1, 1e-4);
  }
  cone_contact_free(f);
}

// Units of a gap and of its slip, powers of two, each contact its own: the motion is the same to
// the last digit, and the forces are in the inverse units.
TEST(units_of_contacts_do_not_matter)
{
  int solved[3] = {0};
  unsigned seed = 5;
  for (int t = 1; t <= 2; t++) {
    cone_contact *f = cone_contact_new(make_n, 1, make_most, t),
                 *h = cone_contact_new(make_n, 1, make_most, t);
    for (int trial = 0; trial < 200; trial++) {
      make_scene s, u;
      make_contacts(&seed, &s, 0.5);
      u = s;
      double unit[make_most];
      for (int i = 0; i < make_most; i++) unit[i] = ldexp(1, (int)(30 * make_unit(&seed)));
      for (int k = 0; k < make_most * make_n; k++) u.N[k] *= unit[k / make_n];
      for (int k = 0; k < make_most * t * make_n; k++) u.T[k] *= unit[k / (t * make_n)];
      for (int k = 0; k < make_most * t; k++) u.slip[k] *= unit[k / t];
      const int contacts = 1 + trial % 4;
      const cone_contact_problem p = make_problem(&s, contacts, t, trial % 2),
                                 q = make_problem(&u, contacts, t, trial % 2);
      const cone_contact_result a = cone_contact_solve(f, &p, false),
                                b = cone_contact_solve(h, &q, false);
      CHECK_INT(a.status, b.status);
      CHECK_INT(a.count, b.count);
      if (a.count < 1 || b.count < 1) continue;
      solved[t]++;
      for (int j = 0; j < make_n; j++) CHECK_NEAR(b.solution[0].w[j], a.solution[0].w[j], 0);
      for (int i = 0; i < contacts; i++)
        CHECK_NEAR(b.solution[0].lambda_N[i] * unit[i], a.solution[0].lambda_N[i], 0);
    }
    cone_contact_free(f);
    cone_contact_free(h);
  }
  CHECK(solved[1] > 150 && solved[2] > 150);
}

// A foot in space whose mechanism moves in a plane: friction across it moves nothing but a
// rounding. No sign is told of what that decides, and the forces in the plane are those of the
// plane.
TEST(a_direction_in_which_nothing_moves_has_no_sign)
{
  const double N[] = {0, 1, 0}, none[] = {0, 0}, mu[] = {0.5}, F[] = {0.1, -1, 0},
               M[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const cone_contact_mode guess[] = {CONE_CONTACT_STICK};
  cone_contact* f = cone_contact_new(3, 0, 1, 2);
  for (int k = 0; k < 3; k++) {
    const double rounding[] = {1e-14, -1e-14, 0}, T[] = {1, 0, 0, 0, 0, rounding[k]};
    const cone_contact_problem p = {.n = 3,
                                    .contacts = 1,
                                    .tangents = 2,
                                    .M = M,
                                    .F = F,
                                    .N = N,
                                    .d_N = none,
                                    .T = T,
                                    .d_T = none,
                                    .mu = mu,
                                    .guess = guess};
    const cone_contact_result r = cone_contact_go_on(f, &p);
    CHECK_INT(r.status, CONE_CONTACT_SOLVED);
    CHECK_INT(r.sign, 0);
    if (!r.count) continue;
    CHECK_NEAR(r.solution[0].lambda_N[0], 1, 1e-14);
    CHECK_NEAR(r.solution[0].lambda_T[0], -0.1, 1e-14);
    CHECK_NEAR(r.solution[0].lambda_T[1], 0, 1e-14);
  }
  cone_contact_free(f);
}
