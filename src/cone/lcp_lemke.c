// The linear complementarity problem for any matrix, by Lemke's method with the lexicographic rule.
// w = B z + q + z0, w, z, z0 >= 0, w.z = 0: z0 is driven to zero along a path of almost
// complementary bases. Cottle, Pang and Stone, The Linear Complementarity Problem (1992), 4.4, 4.9.
#include "cone/lcp.h"
#include "cone/small.h"

#include <assert.h>
#include <math.h>
#include <string.h>

typedef struct tableau
{
  int r, width;
  double* T;   // r by width: columns of w, z, z0 and the right side
  int* basis;  // r: column basic in each row
  double most; // largest |q|
} tableau;

static double* row(const tableau* t, int i)
{
  return t->T + (size_t)i * t->width;
}

static void fill(tableau* t, const double* B, const double* q)
{
  int r = t->r;
  memset(t->T, 0, (size_t)r * t->width * sizeof *t->T);
  for (int i = 0; i < r; i++) {
    double* Ti = row(t, i);
    Ti[i] = 1;
    for (int j = 0; j < r; j++) Ti[r + j] = -B[(size_t)i * r + j];
    Ti[2 * r] = -1;
    Ti[2 * r + 1] = q[i];
    t->basis[i] = i;
  }
}

static void pivot(tableau* t, int i, int column)
{
  double* Ti = row(t, i);
  double p = Ti[column];
  for (int c = 0; c < t->width; c++) Ti[c] /= p;
  Ti[column] = 1;
  for (int k = 0; k < t->r; k++) {
    if (k == i) continue;
    double* Tk = row(t, k);
    double m = Tk[column];
    if (m == 0) continue;
    for (int c = 0; c < t->width; c++) Tk[c] -= m * Ti[c];
    Tk[column] = 0;
  }
  t->basis[i] = column;
}

// is row i over its entry lexicographically before row k over its own: right side first, then the
// columns of the basis inverse
static bool before(const tableau* t, int i, double pi, int k, double pk)
{
  const double *Ti = row(t, i), *Tk = row(t, k);
  int right = t->width - 1;
  double x = Ti[right] / pi, y = Tk[right] / pk;
  if (fabs(x - y) > cone_lemke_same * (fabs(x) + fabs(y) + t->most)) return x < y;
  for (int c = 0; c < t->r; c++) {
    x = Ti[c] / pi;
    y = Tk[c] / pk;
    if (fabs(x - y) > cone_lemke_same * (fabs(x) + fabs(y) + 1)) return x < y;
  }
  return false;
}

// the row that leaves when `column` enters; -1: a ray. z0 leaves wherever it can.
static int leaving(const tableau* t, int column)
{
  double most = 0;
  for (int i = 0; i < t->r; i++) most = fmax(most, fabs(row(t, i)[column]));
  int best = -1;
  for (int i = 0; i < t->r; i++) {
    double p = row(t, i)[column];
    if (!(p > cone_lemke_pivot * most)) continue;
    if (best < 0 || before(t, i, p, best, row(t, best)[column])) best = i;
  }
  if (best < 0) return -1;
  double bound = fmax(0, row(t, best)[t->width - 1] / row(t, best)[column]);
  for (int i = 0; i < t->r; i++) {
    double p = row(t, i)[column];
    if (t->basis[i] == 2 * t->r && p > cone_lemke_pivot * most &&
        row(t, i)[t->width - 1] / p <= bound * (1 + cone_lemke_same) + cone_lemke_same * t->most)
      return i;
  }
  return best;
}

static int first_row(const tableau* t)
{
  int best = 0;
  for (int i = 1; i < t->r; i++)
    if (before(t, i, 1, best, 1)) best = i;
  return best;
}

// the value of z0
static double artificial(const tableau* t)
{
  for (int i = 0; i < t->r; i++)
    if (t->basis[i] == 2 * t->r) return row(t, i)[t->width - 1];
  return 0;
}

// z on the basis found, solved afresh from B and q
static void finish(cone_lcp* f, const tableau* t, const double* B, const double* q, double* z)
{
  int r = t->r, k = 0;
  memset(z, 0, (size_t)r * sizeof *z);
  for (int i = 0; i < r; i++)
    if (t->basis[i] >= r && t->basis[i] < 2 * r) f->B[k++] = t->basis[i] - r;
  for (int i = 0; i < k; i++)
    for (int j = 0; j < k; j++) f->P[i * k + j] = B[(size_t)f->B[i] * r + f->B[j]];
  // redundant rows on the basis: the values of the tableau
  if (!num_lu(k, f->P, f->pivot)) {
    for (int i = 0; i < r; i++)
      if (t->basis[i] >= r && t->basis[i] < 2 * r)
        z[t->basis[i] - r] = fmax(0, row(t, i)[t->width - 1]);
    return;
  }
  for (int pass = 0; pass < 3; pass++) {
    for (int i = 0; i < k; i++) {
      long double s = -q[f->B[i]];
      for (int j = 0; j < k; j++) s -= (long double)B[(size_t)f->B[i] * r + f->B[j]] * z[f->B[j]];
      f->p[i] = (double)s;
    }
    num_lu_solve(k, f->P, f->pivot, f->p);
    for (int i = 0; i < k; i++) z[f->B[i]] += f->p[i];
  }
  for (int i = 0; i < k; i++)
    if (z[f->B[i]] < 0) z[f->B[i]] = 0;
}

cone_lcp_status cone_lcp_lemke(cone_lcp* f, int r, const double* B, const double* q, double* z)
{
  assert(r >= 0 && r <= f->r_max);
  tableau t = {r, 2 * r + 2, f->tableau, f->basis, 0};
  memset(z, 0, (size_t)r * sizeof *z);
  bool needed = false;
  for (int i = 0; i < r; i++) {
    needed |= !(q[i] >= 0);
    t.most = fmax(t.most, fabs(q[i]));
  }
  if (!needed) return CONE_LCP_SOLVED;

  fill(&t, B, q);
  int i = first_row(&t), column = 2 * r;
  for (int turn = 0; turn < 100 * (r + 1); turn++) {
    int left = t.basis[i];
    pivot(&t, i, column);
    column = left < r ? left + r : left - r;
    i = left == 2 * r ? -1 : leaving(&t, column);
    if (i >= 0) continue;
    // z0 out of the basis, or a ray on which it is zero already
    if (left != 2 * r && artificial(&t) > cone_lemke_left * t.most) return CONE_LCP_FAILED;
    finish(f, &t, B, q, z);
    return CONE_LCP_SOLVED;
  }
  return CONE_LCP_FAILED;
}
