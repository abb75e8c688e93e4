// Impacts: three balls, a rod, an eccentric disc, laws against each other, energy, friction.
#include "check.h"
#include "contact_make.h"

static unsigned seed = 5;

static double unit(void)
{
  return make_unit(&seed);
}

// three equal balls in a row, touching: gaps x2 - x1, x3 - x2
static cone_impact_result balls(cone_impact* f, const double* v, double e, cone_impact_law law,
                                bool sequential)
{
  static const double M[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, N[] = {-1, 1, 0, 0, -1, 1}, zero[2];
  double each[] = {e, e};
  cone_impact_problem p = {.contact = {.n = 3, .contacts = 2, .M = M, .N = N, .d_N = zero},
                           .v = v,
                           .e = each,
                           .law = law,
                           .sequential = sequential};
  return cone_impact_solve(f, &p);
}

static void check_three(const double* got, double a, double b, double c)
{
  CHECK_NEAR(got[0], a, 1e-14);
  CHECK_NEAR(got[1], b, 1e-14);
  CHECK_NEAR(got[2], c, 1e-14);
}

TEST(three_balls_together_and_one_after_the_other)
{
  cone_impact* f = cone_impact_new(3, 0, 2, 0);
  double v[] = {1, 0, 0};
  cone_impact_law laws[] = {CONE_IMPACT_NEWTON, CONE_IMPACT_POISSON, CONE_IMPACT_MOREAU};
  for (int l = 0; l < 3; l++) {
    cone_impact_result r = balls(f, v, 0, laws[l], false);
    CHECK(r.status == CONE_CONTACT_SOLVED);
    check_three(r.v, 1.0 / 3, 1.0 / 3, 1.0 / 3);
  }
  for (int l = 0; l < 3; l += 2) {
    check_three(balls(f, v, 1, laws[l], false).v, -1.0 / 3, 2.0 / 3, 2.0 / 3);
    check_three(balls(f, v, 0.5, laws[l], false).v, 0, 0.5, 0.5);
  }
  cone_impact_result r = balls(f, v, 1, CONE_IMPACT_NEWTON, true);
  check_three(r.v, 0, 0, 1);
  CHECK_INT(r.rounds, 2);
  CHECK(!r.gained && !r.damped);
  cone_impact_free(f);
}

// Poisson: P_c = (2/3, 1/3) presses both pairs, expansion returns e of each
TEST(poisson_returns_what_compression_took)
{
  cone_impact* f = cone_impact_new(3, 0, 2, 0);
  double v[] = {1, 0, 0};
  cone_impact_result r = balls(f, v, 1, CONE_IMPACT_POISSON, false);
  check_three(r.v, -1.0 / 3, 2.0 / 3, 2.0 / 3);
  CHECK_NEAR(r.P_N[0], 4.0 / 3, 1e-14);
  CHECK_NEAR(r.P_N[1], 2.0 / 3, 1e-14);
  CHECK_NEAR(r.energy_after, r.energy_before, 1e-15);
  cone_impact_free(f);
}

TEST(a_contact_that_separates_before_the_shock_is_hit_again)
{
  cone_impact* f = cone_impact_new(3, 0, 2, 0);
  double v[] = {1, 0, 0.5};
  cone_impact_result r = balls(f, v, 1, CONE_IMPACT_NEWTON, false);
  check_three(r.v, 0, 0.5, 1);
  CHECK(r.rounds > 1);
  CHECK_NEAR(r.energy_after, r.energy_before, 1e-14);
  cone_impact_free(f);
}

// rod of length 2 and mass 1, both ends over the floor: y, theta
TEST(rod_lands_on_both_ends_or_on_one)
{
  cone_impact* f = cone_impact_new(2, 0, 2, 0);
  double M[] = {1, 0, 0, 1.0 / 3}, N[] = {1, -1, 1, 1}, d[] = {0, 0}, e[] = {0, 0}, v[] = {-1, 0.5};
  cone_impact_problem p = {
      .contact = {.n = 2, .contacts = 2, .M = M, .N = N, .d_N = d}, .v = v, .e = e};
  cone_impact_result r = cone_impact_solve(f, &p);
  CHECK_NEAR(r.P_N[0], 7.0 / 12, 1e-14);
  CHECK_NEAR(r.P_N[1], 5.0 / 12, 1e-14);
  CHECK_NEAR(r.energy_after, 0, 1e-15);
  // one end only
  double flat[] = {-1, 0};
  p.v = flat;
  p.contact.contacts = 1;
  r = cone_impact_solve(f, &p);
  CHECK_NEAR(r.v[0], -0.75, 1e-14);
  CHECK_NEAR(r.v[1], -0.75, 1e-14);
  CHECK_NEAR(r.energy_after / r.energy_before, 0.75, 1e-14);
  cone_impact_free(f);
}

// eccentric disc coming back to the rail, rolling link kept: the reference case D1
TEST(disc_with_a_bilateral_link_lands)
{
  cone_impact* f = cone_impact_new(3, 1, 1, 0);
  double R = 1, a = 0.5, J = 0.3, phi = 3.97576985566099327, w = 9.38600649055913123;
  double c = cos(phi), s = sin(phi), M[] = {1, 0, a * c, 0, 1, -a * s, a * c, -a * s, J + a * a};
  double NB[] = {1, 0, -R}, N[] = {0, 1, 0}, d[] = {0}, e[] = {0},
         v[] = {R * w, -7.85186946055404292, w};
  cone_impact_problem p = {
      .contact = {.n = 3, .b = 1, .contacts = 1, .M = M, .N_B = NB, .d_B = d, .N = N, .d_N = d},
      .v = v,
      .e = e};
  for (int law = 0; law < 3; law++) {
    p.law = (cone_impact_law)law;
    e[0] = 0;
    cone_impact_result r = cone_impact_solve(f, &p);
    CHECK_NEAR(r.v[2], 6.07460713328280364, 1e-13);
    CHECK_NEAR(r.P_N[0], 6.62541982923157767, 1e-13);
    CHECK_NEAR(r.P_B[0], -2.19912118718059658, 1e-13);
    e[0] = 0.5;
    r = cone_impact_solve(f, &p);
    CHECK_NEAR(r.v[2], 4.41890745464463985, 1e-13);
    CHECK_NEAR(r.v[1], 3.92593473027702146, 1e-13);
  }
  cone_impact_free(f);
}

// A rod of half length 1 strikes a rough floor with its end, e = 0. Each way to do so by hand:
//   sticking   W (P_n, P_t) = -(g, u),  |P_t| <= mu P_n
//   slipping   P_t = -way mu P_n, P_n = -g/(W_nn - way mu W_nt), then way (u + W_nt P_n + W_tt P_t)
//   > 0
// with W = J M^-1 J^T, g < 0 and u the speeds of the end before.
static int ways_by_hand(double c, double s, double g, double u, double mu, double* nearest)
{
  const double W_nn = 1 + 3 * c * c, W_nt = 3 * c * s, W_tt = 1 + 3 * s * s;
  const double det = W_nn * W_tt - W_nt * W_nt;
  const double n = (-g * W_tt + u * W_nt) / det, t = (g * W_nt - u * W_nn) / det;
  int count = n >= 0 && fabs(t) <= mu * n;
  *nearest = fabs(mu * n - fabs(t));
  for (int way = -1; way <= 1; way += 2) {
    const double D = W_nn - way * mu * W_nt, P = -g / D;
    const double after = way * (u + W_nt * P - way * mu * W_tt * P);
    count += P > 0 && after > 0;
    *nearest = fmin(*nearest, fmin(fabs(D), fabs(after)));
  }
  return count;
}

// the end of a rod, whatever its friction, strikes in one way only
TEST(a_rod_strikes_a_rough_floor_in_the_way_found_by_hand)
{
  cone_impact* f = cone_impact_new(3, 0, 1, 1);
  const double M[] = {1, 0, 0, 0, 1, 0, 0, 0, 1.0 / 3}, d[] = {0}, e[] = {0};
  int compared = 0;
  for (int k = 0; k < 3000; k++) {
    const double theta = (unit() + 1) * M_PI / 2, mu[] = {(unit() + 1) * 3};
    const double c = cos(theta), s = sin(theta), N[] = {0, 1, -c}, T[] = {1, 0, -s};
    double v[] = {3 * unit(), -2 - unit(), unit()}, nearest;
    const double g = v[1] - c * v[2], u = v[0] - s * v[2];
    if (g > -1e-2) continue;
    const cone_impact_problem p = {.contact = {.n = 3,
                                               .contacts = 1,
                                               .tangents = 1,
                                               .M = M,
                                               .N = N,
                                               .d_N = d,
                                               .T = T,
                                               .d_T = d,
                                               .mu = mu},
                                   .v = v,
                                   .e = e};
    const int ways = ways_by_hand(c, s, g, u, mu[0], &nearest);
    if (nearest < 1e-6) continue;
    const cone_impact_result r = cone_impact_solve(f, &p);
    CHECK_INT(ways, 1);
    CHECK_INT(r.status, CONE_CONTACT_SOLVED);
    CHECK_NEAR(r.g[0], 0, 1e-11);
    CHECK(fabs(r.P_T[0]) <= mu[0] * r.P_N[0] + 1e-11);
    CHECK(r.energy_after <= r.energy_before);
    compared++;
  }
  CHECK(compared > 2000);
  cone_impact_free(f);
}

enum { n = make_n, c = 4 };

static void random_problem(double* M, double* N, double* v)
{
  make_mass(&seed, n, 0.3, M);
  for (int i = 0; i < c * n; i++) N[i] = unit();
  for (int j = 0; j < n; j++) v[j] = unit();
  // all contacts approach
  for (int i = 0; i < c; i++) {
    double g = 0;
    for (int j = 0; j < n; j++) g += N[i * n + j] * v[j];
    for (int j = 0; j < n && g > 0; j++) N[i * n + j] = -N[i * n + j];
  }
}

TEST(newton_and_moreau_agree_and_the_energy_falls_as_the_theorem_says)
{
  cone_impact *f = cone_impact_new(n, 0, c, 0), *h = cone_impact_new(n, 0, c, 0);
  double M[n * n], N[c * n], v[n], d[c] = {0}, e[c];
  for (int k = 0; k < 300; k++) {
    random_problem(M, N, v);
    double common = (unit() + 1) / 2;
    for (int i = 0; i < c; i++) e[i] = common;
    cone_impact_problem p = {
        .contact = {.n = n, .contacts = c, .M = M, .N = N, .d_N = d}, .v = v, .e = e, .most = 50};
    cone_impact_result a = cone_impact_solve(f, &p);
    p.law = CONE_IMPACT_MOREAU;
    cone_impact_result b = cone_impact_solve(h, &p);
    CHECK(a.status == CONE_CONTACT_SOLVED && b.status == CONE_CONTACT_SOLVED);
    for (int j = 0; j < n; j++) CHECK_NEAR(a.v[j], b.v[j], 1e-9 * (1 + fabs(a.v[j])));
    // different e: T+ - T- = -1/2 sum P (1 - e) |g-| for one simultaneous impact
    for (int i = 0; i < c; i++) e[i] = (unit() + 1) / 2;
    p.law = CONE_IMPACT_NEWTON;
    a = cone_impact_solve(f, &p);
    CHECK(!a.gained);
    CHECK_INT(a.rounds, 1);
    double lost = 0;
    for (int i = 0; i < c; i++) {
      double g = 0;
      for (int j = 0; j < n; j++) g += N[i * n + j] * v[j];
      lost += a.P_N[i] * (1 - e[i]) * fabs(g) / 2;
      CHECK(a.g[i] >= -1e-12);
    }
    CHECK_NEAR(a.energy_before - a.energy_after, lost, 1e-10 * a.energy_before);
  }
  cone_impact_free(f);
  cone_impact_free(h);
}

TEST(a_particle_that_hits_the_floor_with_friction_slips_or_stops)
{
  cone_impact *f = cone_impact_new(2, 0, 1, 1), *space = cone_impact_new(3, 0, 1, 2);
  double M[] = {2, 0, 0, 2}, N[] = {0, 1}, T[] = {1, 0}, d[] = {0, 0}, mu[] = {0.3}, e[] = {0.5},
         v[] = {4, -2};
  double M3[] = {2, 0, 0, 0, 2, 0, 0, 0, 2}, N3[] = {0, 0, 1}, T3[] = {1, 0, 0, 0, 1, 0},
         v3[] = {2.4, 3.2, -2};
  for (int law = 0; law < 2; law++)
    for (int k = 0; k < 2; k++) {
      mu[0] = k ? 3 : 0.3;
      cone_impact_problem p = {.contact = {.n = 2,
                                           .contacts = 1,
                                           .tangents = 1,
                                           .M = M,
                                           .N = N,
                                           .d_N = d,
                                           .T = T,
                                           .d_T = d,
                                           .mu = mu},
                               .v = v,
                               .e = e,
                               .law = (cone_impact_law)law};
      cone_impact_result r = cone_impact_solve(f, &p);
      CHECK(r.status == CONE_CONTACT_SOLVED && !r.gained);
      // P_N = m (1 + e) 2 = 6, friction at most mu of it
      CHECK_NEAR(r.P_N[0], 6, 1e-13);
      CHECK_NEAR(r.v[1], 1, 1e-13);
      CHECK_NEAR(r.v[0], k ? 0 : 4 - 0.9, 1e-13);
      CHECK_NEAR(r.P_T[0], k ? -8 : -1.8, 1e-13);
      p.contact = (cone_contact_problem){.n = 3,
                                         .contacts = 1,
                                         .tangents = 2,
                                         .M = M3,
                                         .N = N3,
                                         .d_N = d,
                                         .T = T3,
                                         .d_T = d,
                                         .mu = mu};
      p.v = v3;
      r = cone_impact_solve(space, &p);
      CHECK(r.status == CONE_CONTACT_SOLVED);
      CHECK_NEAR(hypot(r.v[0], r.v[1]), k ? 0 : 4 - 0.9, 1e-12);
      CHECK_NEAR(r.v[0] * 4, r.v[1] * 3, 1e-12);
    }
  cone_impact_free(f);
  cone_impact_free(space);
}

TEST(impacts_without_end_are_damped_and_wrong_coefficients_refused)
{
  cone_impact* f = cone_impact_new(3, 0, 2, 0);
  static const double M[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, N[] = {-1, 1, 0, 0, -1, 1}, zero[2];
  double e[] = {0.1, 0.1}, v[] = {1, 0, 0};
  cone_impact_problem p = {.contact = {.n = 3, .contacts = 2, .M = M, .N = N, .d_N = zero},
                           .v = v,
                           .e = e,
                           .sequential = true,
                           .most = 3};
  cone_impact_result r = cone_impact_solve(f, &p);
  CHECK(r.damped && r.rounds == 4);
  CHECK(r.g[0] >= -1e-14 && r.g[1] >= -1e-14);
  e[1] = 1.5;
  CHECK(cone_impact_solve(f, &p).status == CONE_CONTACT_FAILED);
  cone_impact_free(f);
}

// Several contacts may strike in several ways: the impact says so exactly where the problem of its
// velocities, all modes of which are tried, has several answers, and takes one of them.
TEST(several_impacts_are_told)
{
  cone_impact* f = cone_impact_new(n, 1, make_most, 1);
  cone_contact* all = cone_contact_new(n, 1, make_most, 1);
  const double e[make_most] = {0};
  make_scene s;
  int several = 0;
  for (int k = 0; k < 400; k++) {
    make_contacts(&seed, &s, 6);
    double momentum[n] = {0}, v[n], nearest = INFINITY;
    for (int j = 0; j < n; j++) v[j] = unit();
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) momentum[i] += s.M[i * n + j] * v[j];
    const cone_impact_problem p = {
        .contact = make_problem(&s, 2 + k % 3, 1, false), .v = v, .e = e};
    cone_contact_problem same = p.contact;
    same.F = momentum;
    const cone_impact_result r = cone_impact_solve(f, &p);
    const cone_contact_result want = cone_contact_solve(all, &same, true);
    CHECK_INT(r.status >= 0 && r.status != CONE_CONTACT_NONE, want.count > 0);
    if (!want.count || r.rounds > 1) continue;
    CHECK_INT(r.status == CONE_CONTACT_SEVERAL, want.count > 1);
    for (int i = 0; i < want.count; i++) {
      double off = 0;
      for (int j = 0; j < n; j++) off = fmax(off, fabs(want.solution[i].w[j] - r.v[j]));
      nearest = fmin(nearest, off);
    }
    CHECK(nearest < 1e-8);
    several += want.count > 1;
  }
  CHECK(several > 3);
  cone_contact_free(all);
  cone_impact_free(f);
}
