// All solutions of analytic equations: polynomials and sines whose solutions are known.
#include "check.h"
#include "num/num.h"

#include <math.h>
#include <stdlib.h>

typedef double complex cx;

// x^2 + y^2 = 5, x y = 2
static void conics(void* context, const cx* x, cx* F, cx* J)
{
  (void)context;
  F[0] = x[0] * x[0] + x[1] * x[1] - 5;
  F[1] = x[0] * x[1] - 2;
  J[0] = 2 * x[0];
  J[1] = 2 * x[1];
  J[2] = x[1];
  J[3] = x[0];
}

static void themselves(void* context, const cx* x, cx* out)
{
  const int n = *(const int*)context;
  for (int i = 0; i < n; i++) out[i] = x[i];
}

static const double ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};

TEST(two_conics_meet_in_four_points)
{
  int n = 2;
  const num_monodromy p = {.n = n,
                           .size = ones,
                           .context = &n,
                           .values = conics,
                           .marks = n,
                           .mark = themselves,
                           .most = 100,
                           .seed = 5};
  num_monodromy_end r = num_monodromy_solve(&p);
  CHECK(r.whole && r.lost == 0);
  CHECK_INT(r.count, 4);
  double sum = 0;
  for (int k = 0; k < r.count; k++) {
    const double a = creal(r.x[2 * k]), b = creal(r.x[2 * k + 1]);
    CHECK_NEAR(a * a + b * b, 5, 1e-12);
    CHECK_NEAR(a * b, 2, 1e-12);
    sum += fabs(a);
  }
  // 1, 2, and both with the other sign
  CHECK_NEAR(sum, 6, 1e-12);
  free(r.x);
}

// x^5 = 1 and y^3 = x: 15 solutions; those of the first alone are far fewer than loops may miss
static void powers(void* context, const cx* x, cx* F, cx* J)
{
  (void)context;
  F[0] = cpow(x[0], 5) - 1;
  F[1] = x[1] * x[1] * x[1] - x[0];
  J[0] = 5 * cpow(x[0], 4);
  J[1] = 0;
  J[2] = -1;
  J[3] = 3 * x[1] * x[1];
}

TEST(powers_have_all_their_roots)
{
  int n = 2;
  const num_monodromy p = {.n = n,
                           .size = ones,
                           .context = &n,
                           .values = powers,
                           .marks = n,
                           .mark = themselves,
                           .most = 100,
                           .seed = 5};
  num_monodromy_end r = num_monodromy_solve(&p);
  CHECK_INT(r.count, 15);
  for (int k = 0; k < r.count; k++) CHECK_NEAR(cabs(cpow(r.x[2 * k + 1], 15) - 1), 0, 1e-11);
  free(r.x);
}

static void angle(void* context, const cx* x, cx* F, cx* J)
{
  (void)context;
  F[0] = ccos(x[0]) - 0.5;
  J[0] = -csin(x[0]);
}

static void turned(void* context, const cx* x, cx* out)
{
  (void)context;
  out[0] = cexp(_Complex_I * x[0]);
}

TEST(angles_count_once_for_all_turns)
{
  const num_monodromy p = {
      .n = 1, .size = ones, .values = angle, .marks = 1, .mark = turned, .most = 100, .seed = 5};
  num_monodromy_end r = num_monodromy_solve(&p);
  CHECK_INT(r.count, 2);
  for (int k = 0; k < r.count; k++)
    CHECK_NEAR(fabs(remainder(creal(r.x[k]), 2 * M_PI)), M_PI / 3, 1e-12);
  free(r.x);
}

static bool never(void* context)
{
  (void)context;
  return false;
}

TEST(a_search_that_is_broken_off_says_so)
{
  int n = 2;
  const num_monodromy p = {.n = n,
                           .size = ones,
                           .context = &n,
                           .values = conics,
                           .marks = n,
                           .mark = themselves,
                           .most = 100,
                           .go_on = never};
  num_monodromy_end r = num_monodromy_solve(&p);
  CHECK(!r.whole);
  CHECK_INT(r.count, 0);
  free(r.x);
}

// x^2 = 1, without a value half way between where the paths start and the solutions
typedef struct hole
{
  int calls;
  cx start;
} hole;

static void with_a_hole(void* context, const cx* x, cx* F, cx* J)
{
  enum { looks = 8 }; // at random places, before the one that paths start from
  hole* h = context;
  F[0] = x[0] * x[0] - 1;
  J[0] = 2 * x[0];
  if (h->calls++ == looks) h->start = F[0];
  if (h->calls > looks + 1 && cabs(F[0] - h->start / 2) < 0.2 * cabs(h->start)) F[0] = J[0] = NAN;
}

static void itself(void* context, const cx* x, cx* out)
{
  (void)context;
  out[0] = x[0];
}

TEST(a_path_that_is_barred_goes_another_way)
{
  for (unsigned seed = 1; seed <= 10; seed++) {
    hole h = {0};
    const num_monodromy p = {.n = 1,
                             .size = ones,
                             .context = &h,
                             .values = with_a_hole,
                             .marks = 1,
                             .mark = itself,
                             .most = 100,
                             .seed = seed};
    num_monodromy_end r = num_monodromy_solve(&p);
    CHECK_INT(r.generic, 2);
    CHECK_INT(r.count + r.lost, 2);
    CHECK(r.count > 0);
    for (int k = 0; k < r.count; k++) CHECK_NEAR(cabs(r.x[k] * r.x[k] - 1), 0, 1e-12);
    free(r.x);
  }
}
