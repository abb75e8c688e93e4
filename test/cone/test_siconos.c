// Siconos as a second, independent solver of contacts with friction.
#include "check.h"
#include "contact_make.h"

#include <stdio.h>
#include <stdlib.h>

// the reason why it cannot be asked, shown once in each test
static bool is_absent(void)
{
  const char* why = cone_siconos_absent();
  if (why) check_skip(why);
  return why != NULL;
}

// how far the motions are apart, over their size
static double apart(const double* a, const double* b)
{
  double most = 1, off = 0;
  for (int j = 0; j < make_n; j++) {
    most = fmax(most, fabs(a[j]));
    off = fmax(off, fabs(a[j] - b[j]));
  }
  return off / most;
}

// Friction so small that the motion is the only one: both must find it.
static void compare(int tangents, unsigned seed, int problems, double rough)
{
  cone_contact *own = cone_contact_new(make_n, 1, make_most, tangents),
               *second = cone_contact_new(make_n, 1, make_most, tangents);
  cone_contact_use_siconos(second);
  make_scene s;
  int compared = 0, by_siconos = 0, others = 0;
  double worst = 0;
  for (int k = 0; k < problems; k++) {
    make_contacts(&seed, &s, rough);
    const cone_contact_problem p = make_problem(&s, 1 + k % make_most, tangents, k % 2);
    const cone_contact_result a = cone_contact_solve(own, &p, tangents == 1),
                              b = cone_contact_solve(second, &p, false);
    by_siconos += !strcmp(b.method, "siconos");
    if (!a.count || !b.count) continue;
    CHECK(b.solution[0].residual < 1e-9);
    double nearest = INFINITY;
    for (int i = 0; i < a.count; i++)
      nearest = fmin(nearest, apart(a.solution[i].w, b.solution[0].w));
    compared++;
    // in the plane all motions are known; in space another one may have been met
    if (nearest > 1e-8)
      others++;
    else
      worst = fmax(worst, nearest);
  }
  printf("# %d of %d compared, %d answered by Siconos, %d other motions, worst difference %.1e\n",
         compared, problems, by_siconos, others, worst);
  CHECK(compared > problems * 95 / 100);
  CHECK(by_siconos > problems * 9 / 10);
  CHECK(others <= (tangents == 2 ? problems / 100 : 0));
  cone_contact_free(own);
  cone_contact_free(second);
}

TEST(siconos_agrees_on_contacts_in_the_plane)
{
  if (is_absent()) return;
  compare(1, 3, 300, 0.4);
}

TEST(siconos_agrees_on_contacts_in_space)
{
  if (is_absent()) return;
  compare(2, 4, 300, 0.4);
}

TEST(an_impact_by_siconos_is_the_same)
{
  if (is_absent()) return;
  cone_impact *own = cone_impact_new(3, 0, 1, 2), *second = cone_impact_new(3, 0, 1, 2);
  cone_impact_use_siconos(second);
  const double M[] = {2, 0, 0, 0, 2, 0, 0, 0, 2}, N[] = {0, 0, 1}, T[] = {1, 0, 0, 0, 1, 0},
               d[] = {0, 0}, mu[] = {0.3}, e[] = {0.5}, v[] = {2.4, 3.2, -2};
  const cone_impact_problem p = {.contact = {.n = 3,
                                             .contacts = 1,
                                             .tangents = 2,
                                             .M = M,
                                             .N = N,
                                             .d_N = d,
                                             .T = T,
                                             .d_T = d,
                                             .mu = mu},
                                 .v = v,
                                 .e = e};
  const cone_impact_result a = cone_impact_solve(own, &p), b = cone_impact_solve(second, &p);
  for (int j = 0; j < 3; j++) CHECK_NEAR(b.v[j], a.v[j], 1e-10);
  CHECK_NEAR(hypot(b.v[0], b.v[1]), 4 - 0.9, 1e-10);
  cone_impact_free(own);
  cone_impact_free(second);
}

// equations, contacts in the plane with friction, in a chain: each row meets its neighbours
TEST(siconos_agrees_on_many_contacts_with_equations)
{
  enum { r = 24 };
  if (is_absent()) return;
  cone_many *own = cone_many_new(r), *second = cone_many_new(r);
  cone_many_use_siconos(second);
  unsigned seed = 9;
  for (int trial = 0; trial < 60; trial++) {
    double N[r * r], G[r * r] = {0}, q[r], mu[r] = {0}, x[2][r] = {{0}}, w[2][r] = {{0}};
    int start[r + 1] = {0}, column[r * r], of[r] = {0};
    cone_many_kind kind[r];
    for (int i = 0; i < r * r; i++)
      N[i] = i / r == i % r ? 2 : abs(i / r - i % r) <= 2 ? make_unit(&seed) : 0;
    for (int i = 0; i < r; i++) {
      // every third row an equation, then a normal and its tangent
      kind[i] = i % 3 == 0 ? CONE_MANY_EQUAL : i % 3 == 1 ? CONE_MANY_NORMAL : CONE_MANY_TANGENT;
      of[i] = i % 3 == 2 ? i - 1 : 0;
      mu[i] = i % 3 == 2 ? 0.2 : 0;
      q[i] = make_unit(&seed);
      start[i + 1] = (i + 1) * r;
      for (int j = 0; j < r; j++) {
        column[i * r + j] = j;
        for (int k = 0; k < r; k++) G[i * r + j] += N[i * r + k] * N[j * r + k];
      }
    }
    const cone_many_problem p = {r,  start, column, G,     q,     kind, of,
                                 mu, NULL,  NULL,   false, false, 0,    0};
    CHECK(cone_many_solve(own, &p, x[0], w[0]).solved);
    const cone_many_result got = cone_many_solve(second, &p, x[1], w[1]);
    CHECK(got.solved);
    // its own answer: nothing of ours was needed to mend it
    CHECK(got.sweeps == 0 && got.turns == 0 && got.fault <= cone_many_tolerance);
    for (int i = 0; i < r; i++) CHECK_NEAR(x[1][i], x[0][i], 1e-8);
  }
  cone_many_free(own);
  cone_many_free(second);
}
