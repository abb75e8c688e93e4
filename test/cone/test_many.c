// Banded equations, and many contacts against the dense methods.
#include "cone/many.h"

#include "check.h"

#include <stdlib.h>

static double next(unsigned long long* seed)
{
  *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
  return (double)(*seed >> 11) / 9007199254740992.0 * 2 - 1;
}

TEST(a_banded_system_has_the_answer_of_the_dense_one)
{
  unsigned long long seed = 5;
  cone_band* f = cone_band_new();
  for (int trial = 0; trial < 60; trial++) {
    const int r = 1 + trial % 17, b = trial % 5;
    double A[17 * 17] = {0}, x[17], y[17];
    int pivot[17];
    cone_band_clear(f, r, b);
    for (int i = 0; i < r; i++) {
      x[i] = y[i] = next(&seed);
      for (int j = 0; j < r; j++)
        if (abs(i - j) <= b) *cone_band_at(f, i, j) = A[i * r + j] = next(&seed);
    }
    CHECK(num_lu(r, A, pivot));
    CHECK(cone_band_factor(f));
    num_lu_solve(r, A, pivot, x);
    cone_band_solve(f, y);
    double size = 1;
    for (int i = 0; i < r; i++) size = fmax(size, fabs(x[i]));
    for (int i = 0; i < r; i++) CHECK_NEAR(y[i] / size, x[i] / size, 1e-9);
  }
  cone_band_free(f);
}

enum { most = 40 };

typedef struct dense
{
  int r, start[most + 1], column[most * most], of[most];
  double G[most * most], q[most], mu[most], x[most], w[most];
  cone_many_kind kind[most];
} dense;

// G = N N^T with n columns: redundant rows where n < r; q = N v for some v, so there is an answer
static dense problem(int r, int n, unsigned long long* seed)
{
  dense d = {.r = r};
  double N[most * most], v[most];
  for (int i = 0; i < r * n; i++) N[i] = next(seed) < -0.3 ? 0 : next(seed);
  for (int j = 0; j < n; j++) v[j] = next(seed);
  for (int i = 0; i < r; i++) N[i * n + i % n] += 1.5;
  for (int i = 0; i < r; i++) {
    d.start[i + 1] = (i + 1) * r;
    d.kind[i] = CONE_MANY_NORMAL;
    for (int j = 0; j < n; j++) d.q[i] += N[i * n + j] * v[j];
    for (int j = 0; j < r; j++) {
      d.column[i * r + j] = j;
      for (int k = 0; k < n; k++) d.G[i * r + j] += N[i * n + k] * N[j * n + k];
    }
  }
  return d;
}

static cone_many_result solve(cone_many* f, dense* d)
{
  const cone_many_problem p = {d->r,  d->start, d->column, d->G,  d->q,  d->kind, d->of,
                               d->mu, NULL,     NULL,      false, false, 0,       0};
  return cone_many_solve(f, &p, d->x, d->w);
}

TEST(many_contacts_without_friction_have_the_answer_of_the_dense_lcp)
{
  unsigned long long seed = 11;
  cone_many* f = cone_many_new(most);
  cone_lcp* g = cone_lcp_new(most);
  for (int trial = 0; trial < 400; trial++) {
    const int r = 1 + trial % most, n = trial % 3 == 0 ? r : 1 + r / 2;
    dense d = problem(r, n, &seed);
    const cone_many_result out = solve(f, &d);
    const cone_lcp_result want = cone_lcp_solve(g, r, d.G, d.q, NULL, NULL);
    CHECK(out.solved && out.fault <= cone_many_tolerance);
    CHECK(want.status == CONE_LCP_SOLVED);
    // impulses of redundant rows are not unique, what they make of the velocities is
    for (int i = 0; i < r && want.status == CONE_LCP_SOLVED; i++)
      CHECK_NEAR(d.w[i], want.alpha[i], 1e-7);
  }
  cone_lcp_free(g);
  cone_many_free(f);
}

TEST(equations_among_the_rows_hold)
{
  unsigned long long seed = 3;
  cone_many* f = cone_many_new(most);
  for (int trial = 0; trial < 100; trial++) {
    dense d = problem(12, 12, &seed);
    for (int i = 0; i < 4; i++) d.kind[3 * i] = CONE_MANY_EQUAL;
    CHECK(solve(f, &d).solved);
    for (int i = 0; i < 12; i++)
      if (d.kind[i] == CONE_MANY_EQUAL) CHECK_NEAR(d.w[i], 0, 1e-9);
  }
  cone_many_free(f);
}

// a block of mass 1 pressed with 2 and pushed along by p: it sticks while |p| <= mu 2
static void push(double p, double want_force, double want_speed)
{
  cone_many* f = cone_many_new(2);
  dense d = {.r = 2, .start = {0, 2, 4}, .column = {0, 1, 0, 1}, .G = {1, 0, 0, 1}, .q = {-2, p}};
  d.kind[0] = CONE_MANY_NORMAL;
  d.kind[1] = CONE_MANY_TANGENT;
  d.mu[1] = 0.25;
  CHECK(solve(f, &d).solved);
  CHECK_NEAR(d.x[0], 2, 1e-11);
  CHECK_NEAR(d.x[1], want_force, 1e-11);
  CHECK_NEAR(d.w[1], want_speed, 1e-11);
  cone_many_free(f);
}

TEST(friction_holds_up_to_its_bound_and_then_slips)
{
  push(0.3, -0.3, 0);
  push(-0.4, 0.4, 0);
  push(0.8, -0.5, 0.3);
  push(-3, 0.5, -2.5);
}

TEST(rows_that_exclude_one_another_are_told)
{
  cone_many* f = cone_many_new(2);
  // x and -x both have to grow: w = (x0 - x1) - 1 and -(x0 - x1) - 1
  dense d = {
      .r = 2, .start = {0, 2, 4}, .column = {0, 1, 0, 1}, .G = {1, -1, -1, 1}, .q = {-1, -1}};
  d.kind[0] = d.kind[1] = CONE_MANY_NORMAL;
  CHECK(!solve(f, &d).solved);
  cone_many_free(f);
}

// the laws of contacts in space, three rows each, looked at one by one
// Discs in a row between walls that close in, a friction at the floor under each or none: no
// velocities obey all rows. Who has an easier problem is told by one active set, before linear
// systems and sweeps; where there is an answer it is found as ever.
TEST(rows_that_exclude_one_another_are_told_at_once_where_that_is_enough)
{
  cone_many* f = cone_many_new(most);
  for (int variant = 0; variant < 8; variant++) {
    const bool may_fail = variant & 1, narrow = variant & 2, rough = variant & 4;
    const int discs = 9, r = rough ? 3 * discs + 1 : 2 * discs + 1;
    dense d = {.r = r};
    // normal rows of neighbours, floor and slip of each: x_k is the place, y_k the height
    double N[most * most] = {0};
    const int n = 2 * discs;
    for (int i = 0; i <= discs; i++) {
      if (i < discs) N[i * n + i] = 1;
      if (i) N[i * n + i - 1] = -1;
      d.q[i] = i == 0 || i == discs ? (narrow ? -0.1 : 0.1) : 0.01 * i;
    }
    for (int k = 0; k < discs; k++) {
      N[(discs + 1 + k) * n + discs + k] = 1;
      d.q[discs + 1 + k] = -0.3;
      if (rough) N[(2 * discs + 1 + k) * n + k] = 1;
      // what leans on its neighbours joins them
      if (k) N[(discs + 1 + k) * n + discs + k - 1] = 0.1;
    }
    N[(discs + 1) * n] = 0.1;
    for (int i = 0; i < r; i++) {
      d.start[i + 1] = (i + 1) * r;
      d.kind[i] = i > 2 * discs ? CONE_MANY_TANGENT : CONE_MANY_NORMAL;
      d.of[i] = i - discs;
      d.mu[i] = 0.3;
      for (int j = 0; j < r; j++) {
        d.column[i * r + j] = j;
        for (int k = 0; k < n; k++) d.G[i * r + j] += N[i * n + k] * N[j * n + k];
      }
    }
    if (narrow)
      for (int i = 1; i < discs; i++) d.q[i] = 0;
    const cone_many_problem p = {r,    d.start, d.column, d.G,      d.q,   d.kind, d.of,
                                 d.mu, NULL,    NULL,     may_fail, false, 0,      0};
    const cone_many_result out = cone_many_solve(f, &p, d.x, d.w);
    CHECK(out.solved == !narrow);
    if (narrow && may_fail) CHECK(out.sweeps <= 8 && out.turns <= 8);
    if (narrow && !may_fail) CHECK(out.sweeps > 100);
  }
  cone_many_free(f);
}

static void check_cones(const dense* d)
{
  for (int i = 0; i < d->r; i += 3) {
    const double N = d->x[i], bound = d->mu[i + 1] * N;
    const double *T = d->x + i + 1, *u = d->w + i + 1, slip = hypot(u[0], u[1]);
    CHECK(N >= 0 && d->w[i] >= -1e-9);
    CHECK(fmin(N, d->w[i]) <= 1e-9);
    CHECK(hypot(T[0], T[1]) <= bound * (1 + 1e-9) + 1e-12);
    for (int k = 0; k < 2 && slip > 1e-6; k++) CHECK_NEAR(T[k], -bound * u[k] / slip, 1e-6);
  }
}

TEST(friction_in_space_lies_in_circular_cones)
{
  unsigned long long seed = 29;
  cone_many* f = cone_many_new(most);
  int solved = 0;
  for (int trial = 0; trial < 300; trial++) {
    const int contacts = 1 + trial % 12, r = 3 * contacts;
    dense d = problem(r, trial % 2 ? r : 1 + 2 * r / 3, &seed);
    int pair[most];
    for (int i = 0; i < r; i++) {
      d.kind[i] = i % 3 ? CONE_MANY_TANGENT : CONE_MANY_NORMAL;
      d.of[i] = i - i % 3;
      d.mu[i] = 0.1 + 0.05 * (trial % 7);
      pair[i] = i % 3 == 1 ? i + 1 : i - 1;
    }
    const cone_many_problem p = {r,    d.start, d.column, d.G,   d.q,   d.kind, d.of,
                                 d.mu, pair,    NULL,     false, false, 0,      0};
    const cone_many_result out = cone_many_solve(f, &p, d.x, d.w);
    solved += out.solved;
    if (out.solved) check_cones(&d);
  }
  // there need not be an answer to every one; the laws do not promise it
  CHECK(solved >= 290);
  cone_many_free(f);
}

TEST(a_push_across_the_axes_slips_along_itself)
{
  cone_many* f = cone_many_new(3);
  const int start[] = {0, 1, 2, 3}, column[] = {0, 1, 2}, of[] = {0, 0, 0}, pair[] = {-1, 2, 1};
  const double G[] = {1, 2, 2}, q[] = {-2, 3, 4}, mu[] = {0, 0.5, 0.5};
  const cone_many_kind kind[] = {CONE_MANY_NORMAL, CONE_MANY_TANGENT, CONE_MANY_TANGENT};
  double x[3] = {0}, w[3];
  const cone_many_problem p = {3,  start, column, G,     q,     kind, of,
                               mu, pair,  NULL,   false, false, 0,    0};
  CHECK(cone_many_solve(f, &p, x, w).solved);
  CHECK_NEAR(x[1], -0.6, 1e-11);
  CHECK_NEAR(x[2], -0.8, 1e-11);
  CHECK_NEAR(w[1], 1.8, 1e-11);
  CHECK_NEAR(w[2], 2.4, 1e-11);
  cone_many_free(f);
}

// A contact alone in space is solved in one sweep, be it held, or slipping however slowly: the push
// along it is its bound at rest and a little more, and the guess points elsewhere.
TEST(a_sweep_solves_a_contact_in_space_that_slips_slowly)
{
  unsigned long long seed = 29;
  cone_many* f = cone_many_new(16);
  int slow = 0;
  for (int trial = 0; trial < 300; trial++) {
    dense d = problem(3, 3, &seed);
    const double bound = 0.1 + fabs(next(&seed)), more = pow(10, -(trial % 8));
    const int pair[] = {-1, 2, 1};
    double held[3] = {1 + fabs(next(&seed)), 0, 0}, angle = 3 * next(&seed);
    d.kind[1] = d.kind[2] = CONE_MANY_TANGENT;
    d.mu[1] = d.mu[2] = bound;
    held[1] = bound * held[0] * (1 + more) * cos(angle);
    held[2] = bound * held[0] * (1 + more) * sin(angle);
    for (int i = 0; i < 3; i++) {
      d.q[i] = 0;
      for (int j = 0; j < 3; j++) d.q[i] -= d.G[3 * i + j] * held[j];
    }
    d.x[0] = held[0];
    d.x[1] = bound * held[0] * cos(angle + 0.5);
    d.x[2] = bound * held[0] * sin(angle + 0.5);
    const cone_many_problem p = {.r = 3,
                                 .start = d.start,
                                 .column = d.column,
                                 .G = d.G,
                                 .q = d.q,
                                 .kind = d.kind,
                                 .of = d.of,
                                 .mu = d.mu,
                                 .pair = pair};
    f->p = &p;
    cone_many_sort(f);
    cone_many_enter(f, &p, d.x, 0, 3);
    cone_many_prepare(f);
    cone_many_sweep(f, false);
    cone_many_product(f);
    CHECK(cone_many_fault(f) <= 1e-11);
    cone_many_leave(f, 0, 3, d.x, d.w);
    const double slip = hypot(d.w[1], d.w[2]);
    slow += d.x[0] > 0 && slip > 0 && slip < 1e-5;
    if (d.x[0] > 0) CHECK_NEAR(hypot(d.x[1], d.x[2]), bound * d.x[0], 1e-11);
  }
  CHECK(slow > 50);
  cone_many_free(f);
}

// Friction by which contacts jam each other: states run in circles, and Newton has to change them
// one by one. Whatever it takes for an answer obeys the laws.
TEST(newton_among_jammed_contacts_is_right_where_it_ends)
{
  unsigned long long seed = 29;
  cone_many* f = cone_many_new(most);
  int solved = 0;
  for (int trial = 0; trial < 300; trial++) {
    const int contacts = 4 + trial % 9, r = 3 * contacts;
    dense d = problem(r, trial % 2 ? r : 1 + 2 * r / 3, &seed);
    int pair[most], turns = 0;
    for (int i = 0; i < r; i++) {
      d.kind[i] = i % 3 ? CONE_MANY_TANGENT : CONE_MANY_NORMAL;
      d.of[i] = i - i % 3;
      d.mu[i] = 5 + 5 * (trial % 7);
      pair[i] = i % 3 == 1 ? i + 1 : i - 1;
    }
    const cone_many_problem p = {r,    d.start, d.column, d.G,   d.q,   d.kind, d.of,
                                 d.mu, pair,    NULL,     false, false, 0,      0};
    double worst = 0;
    f->p = &p;
    cone_many_sort(f);
    for (int from = 0, to; from < r; from = to) {
      f->p = &p;
      to = cone_many_end(f, from);
      cone_many_enter(f, &p, d.x, from, to);
      cone_many_prepare(f);
      cone_many_product(f);
      worst = fmax(worst, cone_many_newton(f, true, &turns));
      cone_many_leave(f, from, to, d.x, d.w);
    }
    solved += worst <= 1e-11;
    if (worst <= 1e-11) check_cones(&d);
  }
  CHECK(solved > 150);
  cone_many_free(f);
}

// Rows in the plane, a normal and a tangent each, or normal ones and equations alone, redundant or
// not: the active set by itself, from nothing, in rounds. Without friction one round is all.
TEST(an_active_set_ends_where_the_laws_hold)
{
  unsigned long long seed = 71;
  cone_many* f = cone_many_new(most);
  int ended = 0;
  for (int trial = 0; trial < 300; trial++) {
    const int r = 2 + 2 * (trial % 19), rounds = trial % 3 ? 30 : 1;
    dense d = problem(r, trial % 2 ? r : 1 + 2 * r / 3, &seed);
    int changes = 0;
    for (int i = 0; i < r; i++) {
      d.of[i] = i - i % 2;
      d.mu[i] = 0.1 + 0.05 * (trial % 7);
      if (i % 2) d.kind[i] = rounds > 1 ? CONE_MANY_TANGENT : d.kind[i];
      if (rounds == 1 && i == 1) d.kind[i] = CONE_MANY_EQUAL;
    }
    const cone_many_problem p = {r,    d.start, d.column, d.G,   d.q,   d.kind, d.of,
                                 d.mu, NULL,    NULL,     false, false, 0,      0};
    f->p = &p;
    cone_many_sort(f);
    cone_many_enter(f, &p, d.x, 0, r);
    cone_many_prepare(f);
    cone_many_product(f);
    CHECK(cone_many_active_begin(f));
    double fault = 1;
    for (int k = 0; k < rounds && fault > 1e-10 && cone_many_active_round(f, &changes); k++) {
      cone_many_product(f);
      fault = cone_many_fault(f);
    }
    CHECK(rounds > 1 || fault <= 1e-10);
    ended += fault <= 1e-10;
  }
  // slips that follow one another need not come to an end, but mostly do
  CHECK(ended > 270);
  cone_many_free(f);
}
