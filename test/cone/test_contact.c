// Coulomb friction at contacts: a block, a box on two feet, Painleve's rod, the cone in space,
// methods against each other.
#include "check.h"
#include "contact_make.h"

#include <stdio.h>

static const double g = 9.81;
static unsigned seed = 11;

static double unit(void)
{
  return make_unit(&seed);
}

TEST(block_on_an_incline_sticks_up_to_the_angle_of_friction)
{
  cone_contact* f = cone_contact_new(2, 0, 1, 1);
  double M[] = {3, 0, 0, 3}, N[] = {0, 1}, T[] = {1, 0}, d[] = {0}, mu[] = {0.5};
  for (int k = 0; k < 60; k++) {
    double b = k * 1.5 * M_PI / 180, F[] = {-3 * g * sin(b), -3 * g * cos(b)};
    cone_contact_problem p = {.n = 2,
                              .contacts = 1,
                              .tangents = 1,
                              .M = M,
                              .F = F,
                              .N = N,
                              .d_N = d,
                              .T = T,
                              .d_T = d,
                              .mu = mu};
    bool stick = tan(b) < 0.5;
    for (int all = 0; all < 2; all++) {
      cone_contact_result r = cone_contact_solve(f, &p, all);
      CHECK(r.status == CONE_CONTACT_SOLVED && r.unique && r.count == 1);
      CHECK_INT(r.solution[0].mode[0], stick ? CONE_CONTACT_STICK : CONE_CONTACT_SLIP_BACK);
      CHECK_NEAR(r.solution[0].w[0], stick ? 0 : -g * (sin(b) - 0.5 * cos(b)), 1e-13);
      CHECK_NEAR(r.solution[0].lambda_N[0], 3 * g * cos(b), 1e-12);
    }
    // already slipping upwards: friction adds to the weight
    double slip[] = {1e-3};
    p.slip = slip;
    cone_contact_result r = cone_contact_solve(f, &p, true);
    CHECK(r.status == CONE_CONTACT_SOLVED);
    CHECK_NEAR(r.solution[0].w[0], -g * (sin(b) + 0.5 * cos(b)), 1e-13);
  }
  cone_contact_free(f);
}

// box of width 2 and height 2 on two feet: x, y, theta about the centre; pushed at half height
TEST(box_on_two_feet_sticks_slips_or_tips)
{
  cone_contact* f = cone_contact_new(3, 0, 2, 1);
  double M[] = {1, 0, 0, 0, 1, 0, 0, 0, 2.0 / 3}, N[] = {0, 1, -1, 0, 1, 1},
         T[] = {1, 0, 1, 1, 0, 1}, d[] = {0, 0};
  for (int all = 0; all < 2; all++) {
    double mu[] = {0.5, 0.5}, F[] = {0.4 * g, -g, 0};
    cone_contact_problem p = {.n = 3,
                              .contacts = 2,
                              .tangents = 1,
                              .M = M,
                              .F = F,
                              .N = N,
                              .d_N = d,
                              .T = T,
                              .d_T = d,
                              .mu = mu};
    cone_contact_result r = cone_contact_solve(f, &p, all);
    // four forces for three coordinates: the motion is unique, the shares of friction are not
    CHECK(r.status == CONE_CONTACT_SOLVED && !r.unique);
    for (int j = 0; j < 3; j++) CHECK_NEAR(r.solution[0].w[j], 0, 1e-12);
    CHECK_NEAR(r.solution[0].lambda_N[1], g * 0.7, 1e-11);
    F[0] = 0.6 * g;
    r = cone_contact_solve(f, &p, all);
    CHECK(r.status == CONE_CONTACT_SOLVED);
    CHECK_NEAR(r.solution[0].w[0], 0.1 * g, 1e-12);
    CHECK_NEAR(r.solution[0].w[2], 0, 1e-12);
    CHECK_NEAR(r.solution[0].lambda_N[0], g * 0.25, 1e-11);
    // rough floor, hard push: the rear foot lifts
    mu[0] = mu[1] = 3;
    F[0] = 1.5 * g;
    r = cone_contact_solve(f, &p, all);
    CHECK(r.count >= 1 && r.solution[0].mode[0] == CONE_CONTACT_OPEN);
    CHECK(r.solution[0].mode[1] == CONE_CONTACT_STICK);
    CHECK_NEAR(r.solution[0].w[2], -(1.5 * g - g) / (2 + 2.0 / 3), 1e-12);
  }
  cone_contact_free(f);
}

// Painleve (1895): rod of half length 1, its lower end slips; alpha_N = D lambda_N + q with
// D = 1 + 3 cos (cos - mu sin): D < 0 needs mu > 4/3
TEST(painleves_rod_has_no_motion_or_several)
{
  cone_contact* f = cone_contact_new(3, 0, 1, 1);
  double M[] = {1, 0, 0, 0, 1, 0, 0, 0, 1.0 / 3}, F[] = {0, -g, 0}, slip[] = {-2}, none[] = {0};
  int seen_none = 0, seen_two = 0;
  for (int k = 0; k < 2000; k++) {
    double theta = (unit() + 1) * M_PI / 4, rate = 4 * unit(), mu[] = {(unit() + 1) * 1.5};
    double c = cos(theta), s = sin(theta), N[] = {0, 1, -c}, T[] = {1, 0, s};
    double dN[] = {s * rate * rate}, dT[] = {c * rate * rate};
    double D = 1 + 3 * c * (c - mu[0] * s), q = -g + dN[0];
    if (fabs(D) < 1e-3 || fabs(q) < 1e-3) continue;
    cone_contact_problem p = {.n = 3,
                              .contacts = 1,
                              .tangents = 1,
                              .M = M,
                              .F = F,
                              .N = N,
                              .d_N = dN,
                              .T = T,
                              .d_T = dT,
                              .mu = mu,
                              .slip = slip};
    cone_contact_result r = cone_contact_solve(f, &p, true);
    int count = D > 0 ? 1 : q < 0 ? 0 : 2;
    CHECK(r.enumerated);
    CHECK_INT(r.count, count);
    CHECK_INT(r.status, count == 0   ? CONE_CONTACT_NONE
                        : count == 1 ? CONE_CONTACT_SOLVED
                                     : CONE_CONTACT_SEVERAL);
    CHECK(D > 0 || mu[0] > 4.0 / 3);
    for (int i = 0; i < r.count; i++)
      if (r.solution[i].mode[0] == CONE_CONTACT_SLIP_BACK)
        CHECK_NEAR(r.solution[i].lambda_N[0], -q / D, 1e-9 * fabs(q / D));
    seen_none += count == 0;
    seen_two += count == 2;
    // the guess decides which comes first
    cone_contact_mode guess[] = {CONE_CONTACT_SLIP_BACK};
    p.guess = guess;
    if (count == 2)
      CHECK_INT(cone_contact_solve(f, &p, true).solution[0].mode[0], CONE_CONTACT_SLIP_BACK);
    // without a search for all, none is still proved
    if (count == 0) CHECK_INT(cone_contact_solve(f, &p, false).status, CONE_CONTACT_NONE);
    // from rest the same rod may stick: there is always a motion
    p.slip = none;
    CHECK(cone_contact_solve(f, &p, true).count >= 1);
  }
  printf("# %d without a motion, %d with two, of 2000\n", seen_none, seen_two);
  CHECK(seen_none > 10 && seen_two > 10);
  cone_contact_free(f);
}

enum { n = make_n, most = make_most };

TEST(lemke_finds_one_of_the_motions_all_combinations_give)
{
  cone_contact *f = cone_contact_new(n, 1, most, 1), *h = cone_contact_new(n, 1, most, 1);
  make_scene s;
  int several = 0, none = 0, lemke = 0;
  for (int k = 0; k < 150; k++) {
    make_contacts(&seed, &s, k % 3 ? 0.4 : 3);
    cone_contact_problem p = make_problem(&s, 1 + k % 4, 1, true);
    cone_contact_result all = cone_contact_solve(f, &p, true),
                        one = cone_contact_solve(h, &p, false);
    CHECK(all.status >= 0 && one.status >= 0);
    several += all.count > 1;
    none += all.count == 0;
    lemke += strcmp(one.method, "lemke") == 0;
    CHECK_INT(one.count > 0, all.count > 0);
    if (one.count == 0) continue;
    CHECK(one.solution[0].residual < 1e-10);
    double nearest = INFINITY;
    for (int i = 0; i < all.count; i++) {
      CHECK(all.solution[i].residual < 1e-9);
      double apart = 0;
      for (int j = 0; j < n; j++)
        apart = fmax(apart, fabs(all.solution[i].w[j] - one.solution[0].w[j]));
      nearest = fmin(nearest, apart);
    }
    CHECK(nearest < 1e-7);
  }
  printf("# %d by lemke, %d with several, %d with none, of 150\n", lemke, several, none);
  CHECK(lemke > 100 && several > 0);
  cone_contact_free(f);
  cone_contact_free(h);
}

TEST(a_particle_in_space_sticks_in_the_cone_and_slips_against_its_motion)
{
  cone_contact* f = cone_contact_new(3, 0, 1, 2);
  double M[] = {2, 0, 0, 0, 2, 0, 0, 0, 2}, N[] = {0, 0, 1}, T[] = {1, 0, 0, 0, 1, 0}, d[] = {0, 0},
         mu[] = {0.5};
  for (int k = 0; k < 40; k++) {
    double angle = M_PI * unit(), push = 2 * g * (unit() + 1) / 2 + 0.01,
           F[] = {push * cos(angle), push * sin(angle), -2 * g};
    cone_contact_problem p = {.n = 3,
                              .contacts = 1,
                              .tangents = 2,
                              .M = M,
                              .F = F,
                              .N = N,
                              .d_N = d,
                              .T = T,
                              .d_T = d,
                              .mu = mu};
    cone_contact_result r = cone_contact_solve(f, &p, false);
    double w = fmax(0, push - g) / 2;
    CHECK(r.status == CONE_CONTACT_SOLVED);
    CHECK_NEAR(r.solution[0].w[0], w * cos(angle), 1e-11);
    CHECK_NEAR(r.solution[0].w[1], w * sin(angle), 1e-11);
    CHECK_INT(r.solution[0].mode[0], push < g ? CONE_CONTACT_STICK : CONE_CONTACT_SLIP);
    double slip[] = {3, -4};
    p.slip = slip;
    r = cone_contact_solve(f, &p, false);
    CHECK_NEAR(r.solution[0].lambda_T[0], -0.6 * g, 1e-11);
    CHECK_NEAR(r.solution[0].lambda_T[1], 0.8 * g, 1e-11);
    // pulled up: open
    F[2] = 1;
    r = cone_contact_solve(f, &p, false);
    CHECK(r.solution[0].mode[0] == CONE_CONTACT_OPEN && r.solution[0].lambda_T[0] == 0);
  }
  cone_contact_free(f);
}

TEST(many_contacts_in_space_obey_the_law_of_coulomb)
{
  cone_contact* f = cone_contact_new(n, 1, most, 2);
  make_scene s;
  int solved = 0;
  double worst = 0;
  for (int k = 0; k < 300; k++) {
    make_contacts(&seed, &s, 0.5);
    cone_contact_problem p = make_problem(&s, 1 + k % most, 2, k % 2);
    cone_contact_result r = cone_contact_solve(f, &p, false);
    solved += r.status == CONE_CONTACT_SOLVED;
    // contacts that jam may have no motion; then nothing is claimed
    CHECK(r.status == CONE_CONTACT_SOLVED || (r.status == CONE_CONTACT_FAILED && r.count == 0));
    if (r.status != CONE_CONTACT_SOLVED) continue;
    const cone_contact_solution* o = &r.solution[0];
    worst = fmax(worst, o->residual);
    for (int i = 0; i < p.contacts; i++) {
      const double *t = o->lambda_T + 2 * i, *a = o->alpha_T + 2 * i;
      double bound = s.mu[i] * o->lambda_N[i];
      CHECK(o->lambda_N[i] >= 0 && o->alpha_N[i] > -1e-9);
      CHECK(hypot(t[0], t[1]) <= bound + 1e-9);
      bool slips = p.slip && hypot(s.slip[2 * i], s.slip[2 * i + 1]) > 0;
      // what slips is braked with all of the friction
      if (!slips && hypot(a[0], a[1]) > 1e-6)
        CHECK_NEAR(t[0] * a[0] + t[1] * a[1], -bound * hypot(a[0], a[1]), 1e-8);
    }
  }
  printf("# %d of 300 solved, worst fault %.1e\n", solved, worst);
  CHECK(solved >= 290 && worst < 1e-10);
  cone_contact_free(f);
}

// the second tangent without effect: the cone is the planar law
TEST(the_cone_with_one_direction_is_the_planar_law)
{
  cone_contact *f = cone_contact_new(n, 1, most, 2), *h = cone_contact_new(n, 1, most, 1);
  make_scene s;
  int compared = 0;
  for (int k = 0; k < 100; k++) {
    make_contacts(&seed, &s, 0.3);
    double T[2 * most * n] = {0};
    for (int i = 0; i < most; i++) memcpy(T + 2 * i * n, s.T + i * n, n * sizeof *T);
    cone_contact_problem planar = make_problem(&s, 1 + k % 4, 1, false), p = planar;
    p.tangents = 2;
    p.T = T;
    cone_contact_result a = cone_contact_solve(f, &p, false),
                        b = cone_contact_solve(h, &planar, true);
    if (a.status != CONE_CONTACT_SOLVED || b.status != CONE_CONTACT_SOLVED) continue;
    compared++;
    for (int j = 0; j < n; j++) CHECK_NEAR(a.solution[0].w[j], b.solution[0].w[j], 1e-8);
  }
  CHECK(compared > 90);
  cone_contact_free(f);
  cone_contact_free(h);
}

// nor does it make a paradox where the contact sticks
TEST(margins_do_not_ask_for_a_direction_that_is_none)
{
  cone_contact *f = cone_contact_new(n, 1, most, 2), *h = cone_contact_new(n, 1, most, 1);
  make_scene s;
  for (int k = 0; k < 100; k++) {
    make_contacts(&seed, &s, 0.3);
    double T[2 * most * n] = {0}, slip[2 * most] = {0.5}, a[most], b[most];
    for (int i = 0; i < most; i++) memcpy(T + 2 * i * n, s.T + i * n, n * sizeof *T);
    cone_contact_problem planar = make_problem(&s, 2, 1, false), p = planar;
    const cone_contact_mode mode[] = {CONE_CONTACT_SLIP, CONE_CONTACT_STICK};
    planar.slip = p.slip = slip;
    p.tangents = 2;
    p.T = T;
    CHECK(cone_contact_margins(f, &p, mode, a) && cone_contact_margins(h, &planar, mode, b));
    for (int i = 0; i < 2; i++) CHECK_NEAR(a[i], b[i], 1e-9 * (1 + fabs(b[i])));
  }
  cone_contact_free(f);
  cone_contact_free(h);
}

// along a row that leads it, which friction cannot move: the row carries the friction of the law
TEST(what_is_led_to_slip_rubs_by_its_law)
{
  double M[] = {1, 0, 0, 1}, F[] = {0, -10}, N[] = {0, 1}, T[] = {1, 0, 0, 0}, d[] = {0, 0},
         mu[] = {0.3}, NB[] = {1, 0}, slip[] = {0.5, 0};
  for (int tangents = 1; tangents <= 2; tangents++)
    for (int begins = 0; begins < 2; begins++) {
      cone_contact* f = cone_contact_new(2, 1, 1, tangents);
      double dB[] = {begins};
      cone_contact_problem p = {.n = 2,
                                .b = 1,
                                .contacts = 1,
                                .tangents = tangents,
                                .M = M,
                                .F = F,
                                .N_B = NB,
                                .d_B = dB,
                                .N = N,
                                .d_N = d,
                                .T = T,
                                .d_T = d,
                                .mu = mu,
                                .slip = begins ? NULL : slip};
      cone_contact_result r = cone_contact_solve(f, &p, false);
      CHECK(r.status == CONE_CONTACT_SOLVED);
      CHECK_NEAR(r.solution[0].lambda_T[0], begins ? 3 : -3, 1e-9);
      CHECK_NEAR(r.solution[0].lambda_B[0], begins ? -4 : 3, 1e-9);
      cone_contact_free(f);
    }
}
