// Least constraint with inequalities on the reference cases: ladder, corner, chain with stops,
// wedge, greedy dropping, table, the forms of the principle; redundant, contradictory, empty and
// ill-posed problems.
#include "check.h"
#include "cone/cone.h"

#include <stdlib.h>

static const double g = 9.81;

static double random_unit(unsigned* seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / (1 << 23) - 1;
}

// ladder of half length 1 and radius of gyration k at angle theta after a start from rest at
// theta0: coordinates x, y, theta; floor and wall
static cone_least_result ladder(cone_least* f, double theta0, double theta, double k2)
{
  static double M[9], F[3], N[6], d[2];
  double rate2 = 2 * g * (sin(theta0) - sin(theta)) / (1 + k2);
  memset(M, 0, sizeof M);
  M[0] = M[4] = 1;
  M[8] = k2;
  F[1] = -g;
  N[1] = 1, N[2] = -cos(theta), d[0] = sin(theta) * rate2;
  N[3] = 1, N[5] = sin(theta), d[1] = cos(theta) * rate2;
  cone_least_problem p = {.n = 3, .u = 2, .M = M, .F = F, .N_U = N, .d_U = d};
  return cone_least_solve(f, &p);
}

TEST(ladder_leaves_the_wall_at_two_thirds_of_its_height)
{
  cone_least* f = cone_least_new(3, 0, 2);
  double start[] = {M_PI / 3, 75 * M_PI / 180}, k2[] = {1.0 / 3, 1},
         floor_reaction[] = {g / 4, g / 2};
  for (int c = 0; c < 2; c++) {
    double hold = start[c], free = 0;
    for (int i = 0; i < 60; i++) {
      double mid = (hold + free) / 2;
      cone_least_result r = ladder(f, start[c], mid, k2[c]);
      CHECK(r.status == CONE_LEAST_SOLVED);
      if (r.lambda_U[1] > 0)
        hold = mid;
      else
        free = mid;
    }
    CHECK_NEAR(sin(hold), sin(start[c]) * 2 / 3, 1e-13);
    cone_least_result r = ladder(f, start[c], hold, k2[c]);
    CHECK_NEAR(r.lambda_U[0], floor_reaction[c], 1e-12 * g);
    CHECK_INT(r.mode[0], CONE_LCP_ACTIVE);
  }
  CHECK_NEAR(asin(sin(M_PI / 3) * 2 / 3), 0.615479708670387341, 1e-15);
  cone_least_free(f);
}

TEST(particle_in_a_corner_presses_on_the_right_walls)
{
  cone_least* f = cone_least_new(2, 0, 2);
  double s = sin(40 * M_PI / 180), c = cos(40 * M_PI / 180), M[] = {1, 0, 0, 1}, d[] = {0, 0};
  double N[] = {0, 1, s, -c};
  // degrees, then floor and wall pressed
  struct
  {
    double b;
    int floor, wall;
  } cases[] = {{20, 0, 0},  {-30, 1, 0}, {-89, 1, 0},  {41, 0, 1},
               {129, 0, 1}, {131, 1, 1}, {-110, 1, 1}, {180, 1, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double b = cases[i].b * M_PI / 180, F[] = {10 * cos(b), 10 * sin(b)};
    cone_least_problem p = {.n = 2, .u = 2, .M = M, .F = F, .N_U = N, .d_U = d};
    cone_least_result r = cone_least_solve(f, &p);
    CHECK(r.status == CONE_LEAST_SOLVED && r.unique);
    CHECK_INT(r.mode[0] == CONE_LCP_ACTIVE, cases[i].floor);
    CHECK_INT(r.mode[1] == CONE_LCP_ACTIVE, cases[i].wall);
    if (cases[i].b == -30) {
      CHECK_NEAR(r.lambda_U[0], 5, 1e-12);
      CHECK_NEAR(r.alpha_U[1], 5.56670399226420, 1e-12);
    }
    if (cases[i].b == -110) {
      CHECK_NEAR(r.lambda_U[0], 13.4729635533386, 1e-11);
      CHECK_NEAR(r.lambda_U[1], 5.32088886237956, 1e-11);
    }
  }
  cone_least_free(f);
}

TEST(chain_with_stops_holds_and_lets_go)
{
  cone_least* f = cone_least_new(2, 0, 2);
  double M[] = {2, 1, 1, 1}, N[] = {1, 0, -1, 1}, d[] = {0, 0};
  for (int sign = -1; sign <= 1; sign += 2) {
    double F[] = {-2.0 * sign, -sign};
    cone_least_problem p = {.n = 2, .u = 2, .M = M, .F = F, .N_U = N, .d_U = d};
    cone_least_result r = cone_least_solve(f, &p);
    CHECK_NEAR(r.lambda_U[0], sign > 0 ? 3 : 0, 1e-14);
    CHECK_NEAR(r.lambda_U[1], sign > 0 ? 1 : 0.2, 1e-14);
    CHECK_NEAR(r.alpha_U[0], sign > 0 ? 0 : 0.6, 1e-14);
    CHECK_NEAR(r.alpha_U[1], 0, 0);
  }
  cone_least_free(f);
}

TEST(block_on_a_wedge_changes_its_contacts_with_the_force)
{
  cone_least* f = cone_least_new(3, 0, 3);
  double s = 0.6, c = 0.8, M[] = {2, 0, 0, 0, 1, 0, 0, 0, 1}, d[] = {0, 0, 0};
  double N[] = {s, -s, c, -1, 0, 0, -c, c, s};
  double forces[] = {0, 5, 40, -1, -20, -22.4, -23, -100};
  for (int i = 0; i < 8; i++) {
    double f1 = forces[i], F[] = {f1, 0, -10};
    cone_least_problem p = {.n = 3, .u = 3, .M = M, .F = F, .N_U = N, .d_U = d};
    cone_least_result r = cone_least_solve(f, &p);
    bool rest = f1 >= 0, foot = f1 >= -22.5;
    CHECK_NEAR(r.lambda_U[0], rest ? 8 : foot ? 8 - f1 / 5 : (8 - 0.3 * f1) / 1.18, 1e-12);
    CHECK_NEAR(r.lambda_U[1], rest ? f1 : 0, 1e-12);
    CHECK_NEAR(r.lambda_U[2], rest ? 6 : foot ? 6 + 4 * f1 / 15 : 0, 1e-12);
    if (!rest && foot) CHECK_NEAR(r.w[0], f1 / 3, 1e-12);
  }
  cone_least_free(f);
}

TEST(dropping_the_worst_multiplier_would_fail_here)
{
  cone_least* f = cone_least_new(3, 0, 3);
  double M[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, N[] = {1, -1, 1, -1, -2, 0, 0, 2, 0}, d[] = {0, 0, 0};
  double F[] = {-3, 0, 2};
  // warm starts from every set lead to the same
  for (int set = 0; set < 8; set++) {
    bool guess[] = {set & 1, set & 2, set & 4};
    cone_least_problem p = {.n = 3, .u = 3, .M = M, .F = F, .N_U = N, .d_U = d, .guess = guess};
    cone_least_result r = cone_least_solve(f, &p);
    CHECK_NEAR(r.lambda_U[0], 0.5, 1e-14);
    CHECK_NEAR(r.lambda_U[1], 0, 0);
    CHECK_NEAR(r.lambda_U[2], 0.25, 1e-14);
    CHECK_NEAR(r.alpha_U[1], 2.5, 1e-14);
  }
  cone_least_free(f);
}

TEST(table_on_four_legs_is_loaded_equally)
{
  cone_least* f = cone_least_new(3, 0, 4);
  double M[] = {1, 0, 0, 0, 0.5, 0, 0, 0, 0.5}, d[] = {0, 0, 0, 0}, F[] = {-g, 0, 0};
  double N[] = {1, 1, 1, 1, 1, -1, 1, -1, 1, 1, -1, -1};
  cone_least_problem p = {.n = 3, .u = 4, .M = M, .F = F, .N_U = N, .d_U = d};
  cone_least_result r = cone_least_solve(f, &p);
  CHECK(r.status == CONE_LEAST_SOLVED && !r.unique);
  for (int i = 0; i < 4; i++) CHECK_NEAR(r.lambda_U[i], 2.4525, 1e-14);
  for (int i = 0; i < 3; i++) CHECK_NEAR(r.w[i], 0, 1e-14);
  double tilted[] = {-g, 12, 3};
  p.F = tilted;
  r = cone_least_solve(f, &p);
  CHECK(r.status == CONE_LEAST_SOLVED && r.unique);
  CHECK_NEAR(r.w[0], 1.46, 1e-13);
  CHECK_NEAR(r.w[1], 1.46, 1e-13);
  CHECK_NEAR(r.w[2], 0, 1e-13);
  CHECK(r.mode[0] == CONE_LCP_LOOSE && r.mode[1] == CONE_LCP_LOOSE);
  CHECK(r.mode[2] == CONE_LCP_ACTIVE && r.mode[3] == CONE_LCP_ACTIVE);
  cone_least_free(f);
}

static double deviation(int n, const double* M, const double* a, const double* b)
{
  double s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) s += M[i * n + j] * (a[i] - b[i]) * (a[j] - b[j]) / 2;
  return s;
}

// (1.10): S(w',w0) - S(w,w0) >= S(w',w) for every possible w', and for w' that loosen more
TEST(the_motion_deviates_least_from_the_free_one)
{
  enum { n = 9, b = 2, u = 4 };
  cone_least *f = cone_least_new(n, b, u), *other = cone_least_new(n, b, u);
  unsigned seed = 7;
  double least = INFINITY;
  for (int system = 0; system < 300; system++) {
    double R[n * n], M[n * n], F[n], w0[n], NB[b * n], NU[u * n], dB[b], dU[u];
    for (int i = 0; i < n * n; i++) R[i] = random_unit(&seed);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        M[i * n + j] = i == j ? 0.5 : 0;
        for (int k = 0; k < n; k++) M[i * n + j] += R[i * n + k] * R[j * n + k];
      }
    for (int i = 0; i < n; i++) w0[i] = random_unit(&seed);
    for (int i = 0; i < n; i++) {
      F[i] = 0;
      for (int j = 0; j < n; j++) F[i] += M[i * n + j] * w0[j];
    }
    for (int i = 0; i < b * n; i++) NB[i] = random_unit(&seed);
    for (int i = 0; i < u * n; i++) NU[i] = random_unit(&seed);
    for (int i = 0; i < b; i++) dB[i] = random_unit(&seed);
    for (int i = 0; i < u; i++) dU[i] = random_unit(&seed);
    cone_least_problem p = {n, b, u, M, F, NB, dB, NU, dU, NULL, NULL, NULL, NULL};
    cone_least_result r = cone_least_solve(f, &p);
    CHECK(r.status == CONE_LEAST_SOLVED);
    double S = deviation(n, M, r.w, w0);
    for (int k = 0; k < 40; k++) {
      // a possible motion: the one nearest to another free one, with room to loosen
      double F2[n], room[u];
      for (int i = 0; i < n; i++) F2[i] = F[i] + 4 * random_unit(&seed);
      for (int i = 0; i < u; i++) room[i] = dU[i] - fabs(random_unit(&seed)) * (k % 2);
      cone_least_problem p2 = p;
      p2.F = F2;
      p2.d_U = room;
      cone_least_result t = cone_least_solve(other, &p2);
      double apart = deviation(n, M, t.w, r.w);
      if (apart < 1e-8) continue;
      least = fmin(least, (deviation(n, M, t.w, w0) - S) / apart);
    }
  }
  CHECK(least >= 1 - 1e-6);
  cone_least_free(f);
  cone_least_free(other);
}

TEST(redundant_bilateral_rows_are_fine_and_contradictory_ones_are_named)
{
  cone_least* f = cone_least_new(2, 3, 1);
  double M[] = {1, 0, 0, 1}, F[] = {3, -1}, NB[] = {1, 1, 2, 2, 1, 1}, dB[] = {0, 0, 0},
         NU[] = {0, 1}, dU[] = {0};
  cone_least_problem p = {2, 3, 1, M, F, NB, dB, NU, dU, NULL, NULL, NULL, NULL};
  cone_least_result r = cone_least_solve(f, &p);
  CHECK(r.status == CONE_LEAST_SOLVED);
  CHECK_INT(r.rank_B, 1);
  CHECK_NEAR(r.w[0], 0, 1e-14);
  CHECK_NEAR(r.w[1], 0, 1e-14);
  // forces (3, -1) + lambda_B (1, 1) + lambda_U (0, 1) = 0
  double sum = r.lambda_B[0] + 2 * r.lambda_B[1] + r.lambda_B[2];
  CHECK_NEAR(sum, -3, 1e-13);
  CHECK_NEAR(r.lambda_B[1], 2 * r.lambda_B[0], 1e-13);
  CHECK_NEAR(r.lambda_U[0], 4, 1e-13);
  dB[1] = 1;
  CHECK(cone_least_solve(f, &p).status == CONE_LEAST_CONTRADICTION);
  double noise[] = {0, 2, 0};
  p.noise_B = noise;
  CHECK(cone_least_solve(f, &p).status == CONE_LEAST_SOLVED);
  cone_least_free(f);
}

TEST(closing_walls_are_infeasible_with_a_proof)
{
  cone_least* f = cone_least_new(2, 1, 2);
  // x + y = 1 for ever, x >= 1 and y >= 1 wanted
  double M[] = {2, 0, 0, 5}, F[] = {3, -1}, NB[] = {1, 1}, dB[] = {-1}, NU[] = {1, 0, 0, 1},
         dU[] = {-1, -1};
  cone_least_problem p = {2, 1, 2, M, F, NB, dB, NU, dU, NULL, NULL, NULL, NULL};
  cone_least_result r = cone_least_solve(f, &p);
  CHECK(r.status == CONE_LEAST_INFEASIBLE);
  CHECK(r.y_U[0] > 0 && r.y_U[1] > 0);
  CHECK_NEAR(r.y_U[0] + r.y_B[0], 0, 1e-14 * r.y_U[0]);
  CHECK_NEAR(r.y_U[1] + r.y_B[0], 0, 1e-14 * r.y_U[0]);
  CHECK(dU[0] * r.y_U[0] + dU[1] * r.y_U[1] + dB[0] * r.y_B[0] < -0.5 * r.y_U[0]);
  // a unilateral row that says less than the bilateral one, then one that says the contrary
  double copy[] = {1, 1, 0, 1}, d[] = {0, 5};
  p.N_U = copy, p.d_U = d;
  r = cone_least_solve(f, &p);
  CHECK(r.status == CONE_LEAST_SOLVED);
  CHECK_NEAR(r.alpha_U[0], 1, 1e-14);
  d[0] = -1.5;
  r = cone_least_solve(f, &p);
  CHECK(r.status == CONE_LEAST_INFEASIBLE);
  CHECK(r.y_U[0] > 0 && r.y_U[1] == 0);
  cone_least_free(f);
}

// disc whose mass centre is at the instantaneous centre: J = 0, cos phi = -R/a
TEST(a_massless_motion_is_not_well_posed)
{
  cone_least* f = cone_least_new(3, 1, 1);
  double a = 1.25, R = 1, c = -R / a, s = sqrt(1 - c * c), w = 3;
  double M[] = {1, 0, a * c, 0, 1, -a * s, a * c, -a * s, a * a};
  double F[] = {a * w * w * s, -g + a * w * w * c, -a * s * (-g)};
  double NB[] = {1, 0, -R}, dB[] = {0}, NU[] = {0, 1, 0}, dU[] = {0};
  cone_least_problem p = {3, 1, 1, M, F, NB, dB, NU, dU, NULL, NULL, NULL, NULL};
  cone_least_result r = cone_least_solve(f, &p);
  CHECK(r.status == CONE_LEAST_SINGULAR);
  CHECK_NEAR(r.direction[0] / r.direction[2], R, 1e-12);
  CHECK_NEAR(r.direction[1] / r.direction[2], a * s, 1e-12);
  // a singular M that is definite where it matters
  double M2[] = {0, 0, 0, 0, 1, 0, 0, 0, 1};
  p.M = M2;
  r = cone_least_solve(f, &p);
  CHECK(r.status == CONE_LEAST_SOLVED);
  CHECK_NEAR(r.w[1], 0, 1e-14);
  CHECK_NEAR(r.w[2], F[2] + F[0], 1e-13);
  cone_least_free(f);
}

TEST(numbers_that_are_not_finite_are_refused)
{
  cone_least* f = cone_least_new(1, 1, 1);
  double M[] = {1}, F[] = {NAN}, N[] = {1}, d[] = {0};
  cone_least_problem p = {.n = 1, .u = 1, .M = M, .F = F, .N_U = N, .d_U = d};
  CHECK(cone_least_solve(f, &p).status == CONE_LEAST_FAILED);
  F[0] = 1, N[0] = INFINITY;
  CHECK(cone_least_solve(f, &p).status == CONE_LEAST_FAILED);
  cone_least_free(f);
}
