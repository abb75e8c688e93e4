// The linear complementarity problem: against all active sets tried, against Lemke, in any units,
// from any guess, with proofs where there is no solution.
#include "check.h"
#include "cone/cone.h"

#include <stdlib.h>

enum { most = 200 };

static unsigned seed = 1;

static double unit(void)
{
  seed = seed * 1664525u + 1013904223u;
  return (double)(seed >> 8) / (1 << 23) - 1;
}

static int below(int n)
{
  return (int)((unit() + 1) / 2 * n) % n;
}

// A = G G^T with n columns; whole numbers make ties and dependence exact
static void make(int r, int n, bool whole, double* G, double* A, double* q)
{
  double* w = malloc((size_t)n * sizeof *w);
  for (int i = 0; i < r * n; i++) G[i] = whole ? below(3) - 1 : unit();
  for (int j = 0; j < n; j++) w[j] = whole ? below(3) - 1 : unit();
  for (int i = 0; i < r; i++) {
    q[i] = 0;
    for (int k = 0; k < n; k++) q[i] += G[i * n + k] * w[k];
    for (int j = 0; j < r; j++) {
      A[i * r + j] = 0;
      for (int k = 0; k < n; k++) A[i * r + j] += G[i * n + k] * G[j * n + k];
    }
  }
  free(w);
}

// every active set with independent rows until one obeys all signs
static bool every_set(int r, const double* A, const double* q, double* alpha)
{
  for (int set = 0; set < 1 << r; set++) {
    int k = 0, F[8], pivot[8];
    double B[64], x[8];
    for (int i = 0; i < r; i++)
      if (set >> i & 1) F[k++] = i;
    for (int i = 0; i < k; i++) {
      x[i] = -q[F[i]];
      for (int j = 0; j < k; j++) B[i * k + j] = A[F[i] * r + F[j]];
    }
    if (!num_lu(k, B, pivot)) continue;
    num_lu_solve(k, B, pivot, x);
    bool good = true;
    for (int i = 0; i < k; i++) good &= x[i] >= -1e-10;
    for (int i = 0; i < r; i++) {
      alpha[i] = q[i];
      for (int j = 0; j < k; j++) alpha[i] += A[i * r + F[j]] * x[j];
      good &= alpha[i] >= -1e-10 && (!(set >> i & 1) || alpha[i] < 1e-10);
    }
    if (good) return true;
  }
  return false;
}

TEST(lcp_agrees_with_every_active_set_tried)
{
  cone_lcp* f = cone_lcp_new(7);
  double G[49], A[49], q[7], alpha[7];
  int solved = 0, empty = 0;
  for (int k = 0; k < 3000; k++) {
    int r = 1 + below(7), n = 1 + below(5);
    make(r, n, k % 2, G, A, q);
    if (k % 3 == 0)
      for (int i = 0; i < r; i++) q[i] += unit();
    cone_lcp_result o = cone_lcp_solve(f, r, A, q, NULL, NULL);
    bool exists = every_set(r, A, q, alpha);
    CHECK_INT(o.status, exists ? CONE_LCP_SOLVED : CONE_LCP_INFEASIBLE);
    if (exists)
      for (int i = 0; i < r; i++) CHECK_NEAR(o.alpha[i], alpha[i], 1e-9);
    if (o.status == CONE_LCP_SOLVED) CHECK(o.residual < 1e-12);
    solved += exists;
    empty += !exists;
  }
  CHECK(solved > 2000 && empty > 100);
  cone_lcp_free(f);
}

TEST(lcp_gives_the_same_in_all_units_and_from_all_guesses)
{
  enum { r = 25 };
  cone_lcp *f = cone_lcp_new(r), *h = cone_lcp_new(r);
  double G[r * r], A[r * r], q[r], B[r * r], p[r], d[r];
  for (int k = 0; k < 200; k++) {
    make(r, 1 + below(r), k % 2, G, A, q);
    bool guess[r];
    for (int i = 0; i < r; i++) {
      d[i] = pow(10, 8 * unit());
      guess[i] = below(2);
    }
    for (int i = 0; i < r; i++) {
      p[i] = q[i] * d[i];
      for (int j = 0; j < r; j++) B[i * r + j] = d[i] * A[i * r + j] * d[j];
    }
    cone_lcp_result a = cone_lcp_solve(f, r, A, q, NULL, NULL);
    cone_lcp_result b = cone_lcp_solve(h, r, B, p, guess, NULL);
    CHECK(a.status == CONE_LCP_SOLVED && b.status == CONE_LCP_SOLVED);
    CHECK_INT(a.unique, b.unique);
    for (int i = 0; i < r; i++) {
      CHECK_INT(a.mode[i], b.mode[i]);
      CHECK_NEAR(b.alpha[i] / d[i], a.alpha[i], 1e-10);
      CHECK_NEAR(b.lambda[i] * d[i], a.lambda[i], 1e-8);
    }
  }
  cone_lcp_free(f);
  cone_lcp_free(h);
}

TEST(lcp_of_two_hundred_constraints_is_solved_and_agrees_with_lemke)
{
  cone_lcp* f = cone_lcp_new(most);
  double* m = malloc((2 * most * most + 2 * most) * sizeof *m);
  double *G = m, *A = m + most * most, *q = A + most * most, *z = q + most;
  for (int k = 0; k < 6; k++) {
    make(most, k < 3 ? 60 : most, k % 2, G, A, q);
    cone_lcp_result o = cone_lcp_solve(f, most, A, q, NULL, NULL);
    CHECK(o.status == CONE_LCP_SOLVED && o.residual < 1e-12);
    cone_lcp* h = cone_lcp_new(most);
    CHECK(cone_lcp_lemke(h, most, A, q, z) == CONE_LCP_SOLVED);
    cone_lcp_free(h);
    for (int i = 0; i < most; i++) {
      double a = q[i];
      for (int j = 0; j < most; j++) a += A[i * most + j] * z[j];
      CHECK_NEAR(a, o.alpha[i], 1e-8);
    }
  }
  cone_lcp_free(f);
  free(m);
}

TEST(lcp_tells_whether_the_multipliers_are_unique)
{
  cone_lcp* f = cone_lcp_new(3);
  // the same row twice
  double A[] = {1, 1, 1, 1}, q[] = {-2, -2};
  cone_lcp_result o = cone_lcp_solve(f, 2, A, q, NULL, NULL);
  CHECK(!o.unique);
  CHECK_NEAR(o.lambda[0], 1, 1e-15);
  CHECK_NEAR(o.lambda[1], 1, 1e-15);
  // opposite rows that both touch: both may press with any common force
  double B[] = {1, -1, -1, 1}, p[] = {0, 0};
  o = cone_lcp_solve(f, 2, B, p, NULL, NULL);
  CHECK(!o.unique && o.degenerate == 2);
  CHECK_NEAR(o.lambda[0], 0, 0);
  // dependent rows, all touching, but no force can be added: (1,0), (0,1), (1,1) unloaded
  double C[] = {1, 0, 1, 0, 1, 1, 1, 1, 2}, s[] = {0, 0, 0};
  o = cone_lcp_solve(f, 3, C, s, NULL, NULL);
  CHECK(o.unique && o.degenerate == 3);
  // an empty problem
  o = cone_lcp_solve(f, 0, NULL, NULL, NULL, NULL);
  CHECK(o.status == CONE_LCP_SOLVED && o.unique);
  cone_lcp_free(f);
}

TEST(lcp_believes_an_emptiness_only_beyond_the_noise)
{
  cone_lcp* f = cone_lcp_new(2);
  double A[] = {1, -1, -1, 1}, q[] = {1, -1 - 1e-7}, noise[] = {1e-6, 1e-6};
  cone_lcp_result o = cone_lcp_solve(f, 2, A, q, NULL, NULL);
  CHECK(o.status == CONE_LCP_INFEASIBLE);
  CHECK_NEAR(o.y[0], o.y[1], 1e-15);
  o = cone_lcp_solve(f, 2, A, q, NULL, noise);
  CHECK(o.status == CONE_LCP_SOLVED);
  // a row nothing can change
  double Z[] = {0, 0, 0, 1}, p[] = {-1, 1};
  o = cone_lcp_solve(f, 2, Z, p, NULL, NULL);
  CHECK(o.status == CONE_LCP_INFEASIBLE && o.y[0] > 0 && o.y[1] == 0);
  p[0] = 1;
  CHECK(cone_lcp_solve(f, 2, Z, p, NULL, NULL).status == CONE_LCP_SOLVED);
  cone_lcp_free(f);
}

TEST(lcp_refuses_what_is_no_matrix_of_least_constraint)
{
  cone_lcp* f = cone_lcp_new(2);
  double negative[] = {-1, 0, 0, 1}, indefinite[] = {1, 2, 2, 1}, hollow[] = {0, 1, 1, 1},
         q[] = {-1, -1};
  CHECK(cone_lcp_solve(f, 2, negative, q, NULL, NULL).status == CONE_LCP_FAILED);
  CHECK(cone_lcp_solve(f, 2, indefinite, q, NULL, NULL).status == CONE_LCP_FAILED);
  CHECK(cone_lcp_solve(f, 2, hollow, q, NULL, NULL).status == CONE_LCP_FAILED);
  double fine[] = {1, 0, 0, 1}, bad[] = {NAN, 0};
  CHECK(cone_lcp_solve(f, 2, fine, bad, NULL, NULL).status == CONE_LCP_FAILED);
  cone_lcp_free(f);
}

TEST(lemke_solves_a_matrix_that_is_not_symmetric_and_stops_on_a_ray)
{
  cone_lcp* f = cone_lcp_new(3);
  double B[] = {1, 2, 0, 0, 1, 2, 2, 0, 1}, q[] = {-1, -1, -1}, z[3];
  CHECK(cone_lcp_lemke(f, 3, B, q, z) == CONE_LCP_SOLVED);
  for (int i = 0; i < 3; i++) CHECK_NEAR(z[i], 1.0 / 3, 1e-15);
  double C[] = {-1};
  CHECK(cone_lcp_lemke(f, 1, C, q, z) == CONE_LCP_FAILED);
  cone_lcp_free(f);
}
