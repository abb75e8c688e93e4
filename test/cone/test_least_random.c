// Ten thousand random least-constraint problems: up to 40 constraints, degenerate, redundant and in
// mixed units. Every one is solved or proved empty; complementarity, agreement with a second
// solver (Lemke on a matrix made another way), proofs checked.
#include "check.h"
#include "cone/cone.h"

#include <stdio.h>
#include <stdlib.h>

enum { N = 24, B = 10, U = 40, K = N + B };

typedef struct problem
{
  int n, b, u, independent; // the first bilateral rows are independent
  double M[N * N], F[N], NB[B * N], dB[B], NU[U * N], dU[U];
} problem;

static unsigned long long state = 88172645463325252ull;

static double unit(void)
{
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (double)(state >> 11) / (double)(1ull << 52) - 1;
}

static int below(int n)
{
  return (int)((unit() + 1) / 2 * n) % n;
}

// whole numbers make ties, zeros and dependence exact
static double entry(bool whole)
{
  return whole ? below(3) - 1 : unit();
}

// row `to` a combination of two others; with weights >= 0 it follows from them
static void combine(int n, int rows, double* N_, double* d, int to, bool whole)
{
  double *row = N_ + to * n, a = whole ? 1 : fabs(unit()), b = whole ? below(2) : fabs(unit());
  int i = below(rows), j = below(rows);
  for (int k = 0; k < n; k++) row[k] = a * N_[i * n + k] + b * N_[j * n + k];
  d[to] = a * d[i] + b * d[j];
}

static void masses(problem* p, bool whole)
{
  double R[N * N];
  int n = p->n;
  for (int i = 0; i < n * n; i++) R[i] = entry(whole);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      p->M[i * n + j] = i == j ? 1 : 0;
      for (int k = 0; k < n; k++) p->M[i * n + j] += R[i * n + k] * R[j * n + k] / n;
    }
}

// rows and coordinates in units that have nothing to do with each other
static void change_units(problem* p)
{
  double c[N];
  for (int j = 0; j < p->n; j++) c[j] = pow(10, 3 * unit());
  for (int i = 0; i < p->n; i++) {
    p->F[i] *= c[i];
    for (int j = 0; j < p->n; j++) p->M[i * p->n + j] *= c[i] * c[j];
  }
  for (int i = 0; i < p->b + p->u; i++) {
    double* row = i < p->b ? p->NB + i * p->n : p->NU + (i - p->b) * p->n;
    double s = pow(10, 4 * unit());
    for (int j = 0; j < p->n; j++) row[j] *= s * c[j];
    *(i < p->b ? p->dB + i : p->dU + i - p->b) *= s;
  }
}

// kinds: 0 consistent (all rows obeyed by one motion), 1 random constants (often empty)
static void make(problem* p, int kind, bool whole, bool units)
{
  double w[N];
  int n = p->n = 1 + below(N);
  p->independent = p->b = below(n < 6 ? n : 6);
  p->u = 1 + below(U);
  masses(p, whole);
  for (int j = 0; j < n; j++) {
    w[j] = entry(whole);
    p->F[j] = 3 * entry(whole);
  }
  for (int i = 0; i < p->b; i++) {
    p->dB[i] = 0;
    for (int j = 0; j < n; j++) {
      // a triangle of ones keeps them independent
      p->NB[i * n + j] = j == i ? 2 : j < i ? 0 : entry(whole) / 2;
      p->dB[i] -= p->NB[i * n + j] * w[j];
    }
  }
  for (int i = 0; i < p->u; i++) {
    // touching or with room
    p->dU[i] = below(2) ? fabs(entry(whole)) : 0;
    for (int j = 0; j < n; j++) {
      p->NU[i * n + j] = entry(whole);
      p->dU[i] -= p->NU[i * n + j] * w[j];
    }
    if (kind == 1) p->dU[i] += 0.5 * entry(whole) - 0.3;
  }
  if (below(2))
    for (int k = p->u / 3; k > 0; k--) combine(n, p->u, p->NU, p->dU, below(p->u), whole);
  // two that face each other and leave no room
  if (p->u > 1 && below(2)) {
    int i = below(p->u), j = (i + 1) % p->u;
    p->dU[i] = p->dU[j] = 0;
    for (int k = 0; k < n; k++) {
      p->NU[j * n + k] = -p->NU[i * n + k];
      p->dU[i] -= p->NU[i * n + k] * w[k];
      p->dU[j] -= p->NU[j * n + k] * w[k];
    }
  }
  if (p->b && below(2)) {
    combine(n, p->b, p->NB, p->dB, p->b, true);
    p->b++;
  }
  if (units) change_units(p);
}

// the motion by the full matrix (M, N_B^T; N_B, 0) and Lemke; false: a ray
static bool second(const problem* p, cone_lcp* f, double* w)
{
  static double X[K * K], C[U * K], A[U * U], q[U], z[U], free_motion[K];
  int n = p->n, k = n + p->independent, pivot[K];
  for (int i = 0; i < k; i++)
    for (int j = 0; j < k; j++)
      X[i * k + j] = i < n && j < n ? p->M[i * n + j]
                     : i < n        ? p->NB[(j - n) * n + i]
                     : j < n        ? p->NB[(i - n) * n + j]
                                    : 0;
  if (!num_lu(k, X, pivot)) return false;
  for (int i = 0; i < k; i++) free_motion[i] = i < n ? p->F[i] : -p->dB[i - n];
  num_lu_solve(k, X, pivot, free_motion);
  for (int s = 0; s < p->u; s++) {
    double* c = C + s * k;
    for (int i = 0; i < k; i++) c[i] = i < n ? p->NU[s * n + i] : 0;
    num_lu_solve(k, X, pivot, c);
  }
  for (int s = 0; s < p->u; s++) {
    q[s] = p->dU[s];
    for (int j = 0; j < n; j++) q[s] += p->NU[s * n + j] * free_motion[j];
    for (int t = 0; t < p->u; t++) {
      A[s * p->u + t] = 0;
      for (int j = 0; j < n; j++) A[s * p->u + t] += p->NU[s * n + j] * C[t * k + j];
    }
  }
  if (cone_lcp_lemke(f, p->u, A, q, z) != CONE_LCP_SOLVED) return false;
  for (int j = 0; j < n; j++) {
    w[j] = free_motion[j];
    for (int s = 0; s < p->u; s++) w[j] += C[s * k + j] * z[s];
  }
  return true;
}

// one row in units of c, and its constant, made of length one
static void plain_row(int n, const double* c, double* row, double* d)
{
  double square = 0;
  for (int j = 0; j < n; j++) {
    row[j] /= c[j];
    square += row[j] * row[j];
  }
  const double length = square > 0 ? sqrt(square) : 1;
  for (int j = 0; j < n; j++) row[j] /= length;
  *d /= length;
}

// Lemke's method knows no units: masses and rows are brought to one size for it.
static bool second_in_plain_units(const problem* p, cone_lcp* f, double* w)
{
  static problem q;
  double c[N];
  q = *p;
  for (int j = 0; j < p->n; j++) c[j] = sqrt(p->M[j * p->n + j]);
  for (int i = 0; i < p->n; i++) {
    q.F[i] /= c[i];
    for (int j = 0; j < p->n; j++) q.M[i * p->n + j] /= c[i] * c[j];
  }
  for (int i = 0; i < p->b; i++) plain_row(p->n, c, q.NB + i * p->n, &q.dB[i]);
  for (int i = 0; i < p->u; i++) plain_row(p->n, c, q.NU + i * p->n, &q.dU[i]);
  if (!second(&q, f, w)) return false;
  for (int j = 0; j < p->n; j++) w[j] /= c[j];
  return true;
}

// size of the motion and of the forces, each measured with the masses
static double size_of(const problem* p, const double* w)
{
  double most = 0;
  for (int j = 0; j < p->n; j++) {
    double m = sqrt(p->M[j * p->n + j]);
    most = fmax(most, fmax(fabs(w[j]) * m, fabs(p->F[j]) / m));
  }
  return most;
}

// size of the terms of a row for motions of that size
static double scale_of(const problem* p, const double* row, double motion, double d)
{
  double s = fabs(d);
  for (int j = 0; j < p->n; j++) s += fabs(row[j]) * motion / sqrt(p->M[j * p->n + j]);
  return s;
}

static double value(const problem* p, const double* row, const double* w, double d)
{
  for (int j = 0; j < p->n; j++) d += row[j] * w[j];
  return d;
}

// how far the balance of forces is off, over the largest force
static double imbalance(const problem* p, const cone_least_result* r, double motion)
{
  double worst = 0, size = motion;
  for (int i = 0; i < p->n; i++) {
    double s = -p->F[i], m = sqrt(p->M[i * p->n + i]);
    for (int j = 0; j < p->n; j++) s += p->M[i * p->n + j] * r->w[j];
    for (int k = 0; k < p->b + p->u; k++) {
      double t = k < p->b ? p->NB[k * p->n + i] * r->lambda_B[k]
                          : p->NU[(k - p->b) * p->n + i] * r->lambda_U[k - p->b];
      s -= t;
      size = fmax(size, fabs(t) / m);
    }
    worst = fmax(worst, fabs(s) / m);
  }
  return size > 0 ? worst / size : 0;
}

// largest fault of the conditions themselves: rows, signs, complementarity, balance
static double fault(const problem* p, const cone_least_result* r)
{
  double motion = size_of(p, r->w), worst = imbalance(p, r, motion);
  for (int i = 0; i < p->b; i++) {
    double size = scale_of(p, p->NB + i * p->n, motion, p->dB[i]);
    if (size > 0) worst = fmax(worst, fabs(value(p, p->NB + i * p->n, r->w, p->dB[i])) / size);
  }
  for (int s = 0; s < p->u; s++) {
    double size = scale_of(p, p->NU + s * p->n, motion, p->dU[s]);
    double a = value(p, p->NU + s * p->n, r->w, p->dU[s]);
    CHECK(r->lambda_U[s] >= 0);
    if (size > 0) worst = fmax(worst, (r->lambda_U[s] > 0 ? fabs(a) : -a) / size);
  }
  return worst;
}

// y_U >= 0, N_U^T y_U + N_B^T y_B = 0, d.y < 0
static bool proves(const problem* p, const cone_least_result* r)
{
  double sum = 0, size = 0;
  for (int i = 0; i < p->b + p->u; i++) {
    double t = i < p->b ? p->dB[i] * r->y_B[i] : p->dU[i - p->b] * r->y_U[i - p->b];
    sum += t;
    size += fabs(t);
    if (i >= p->b && r->y_U[i - p->b] < 0) return false;
  }
  if (!(sum < -1e-12 * size)) return false;
  double worst = 0, largest = 0;
  for (int j = 0; j < p->n; j++) {
    double s = 0, m = sqrt(p->M[j * p->n + j]);
    for (int i = 0; i < p->b + p->u; i++) {
      double t = i < p->b ? p->NB[i * p->n + j] * r->y_B[i]
                          : p->NU[(i - p->b) * p->n + j] * r->y_U[i - p->b];
      s += t;
      largest = fmax(largest, fabs(t) / m);
    }
    worst = fmax(worst, fabs(s) / m);
  }
  return worst <= 1e-10 * largest;
}

// |a - b| over the size of the motion
static double apart(const problem* p, const double* a, const double* b)
{
  double d = 0;
  for (int j = 0; j < p->n; j++) {
    double m = p->M[j * p->n + j];
    d += m * (a[j] - b[j]) * (a[j] - b[j]);
  }
  double s = size_of(p, a);
  return s > 0 ? sqrt(d) / s : 0;
}

TEST(ten_thousand_random_problems_of_least_constraint_have_an_answer_or_a_proof)
{
  static problem p;
  cone_least* f = cone_least_new(N, B, U);
  cone_lcp* lemke = cone_lcp_new(U);
  int solved = 0, empty = 0, redundant = 0, degenerate = 0, compared = 0, other = 0;
  double worst = 0, farthest = 0;
  for (int k = 0; k < 10000; k++) {
    bool units = k % 3 == 2;
    int kind = k % 5 == 0;
    make(&p, kind, k % 2, units);
    cone_least_problem l = {p.n,  p.b,  p.u,  p.M,  p.F,  p.NB, p.dB,
                            p.NU, p.dU, NULL, NULL, NULL, NULL};
    cone_least_result r = cone_least_solve(f, &l);
    double w[N];
    if (r.status == CONE_LEAST_SOLVED) {
      solved++;
      redundant += !r.unique || r.rank_B < p.b;
      degenerate += r.degenerate > 0;
      double off = fault(&p, &r);
      worst = fmax(worst, off);
      if (!(off <= 1e-10)) check_fail(__FILE__, __LINE__, "problem %d is off by %g", k, off);
      if (!(units ? second_in_plain_units : second)(&p, lemke, w)) {
        check_fail(__FILE__, __LINE__, "problem %d: the second solver found nothing", k);
        continue;
      }
      compared++;
      farthest = fmax(farthest, apart(&p, w, r.w));
      if (!(apart(&p, w, r.w) <= 1e-8))
        check_fail(__FILE__, __LINE__, "problem %d: solvers apart by %g", k, apart(&p, w, r.w));
    } else if (r.status == CONE_LEAST_INFEASIBLE) {
      empty++;
      if (kind == 0) check_fail(__FILE__, __LINE__, "problem %d has a solution", k);
      if (!proves(&p, &r)) check_fail(__FILE__, __LINE__, "problem %d: the proof is none", k);
      if ((units ? second_in_plain_units : second)(&p, lemke, w))
        check_fail(__FILE__, __LINE__, "problem %d has a solution", k);
    } else {
      other++;
      check_fail(__FILE__, __LINE__, "problem %d: %s (%g)", k, r.reason, r.residual);
    }
  }
  printf("# %d solved (%d redundant, %d degenerate), %d proved empty; worst fault %.1e, %d "
         "compared: %.1e apart\n",
         solved, redundant, degenerate, empty, worst, compared, farthest);
  CHECK_INT(other, 0);
  CHECK(solved > 7000 && empty > 300 && redundant > 2000 && degenerate > 1000);
  cone_least_free(f);
  cone_lcp_free(lemke);
}
