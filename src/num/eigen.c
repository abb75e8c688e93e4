// Eigenvalues and eigenvectors of a general real matrix.
//
// Balancing by powers of two (Parlett and Reinsch 1969), Householder reduction to Hessenberg form,
// then the QR iteration with Wilkinson's shift in complex numbers (Golub and Van Loan, Matrix
// Computations (2013), 7.4 and 7.5): H - s I = Q R, H <- R Q + s I until the last entry below the
// diagonal is rounding. Eigenvectors by inverse iteration on the Hessenberg form.
#include "num/num.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef double complex number;

enum { most_turns = 60, most_sweeps = 40 };

// D^-1 A D with D of powers of two that make rows and columns of like size
static void balance(int n, double* A, double* D)
{
  for (int i = 0; i < n; i++) D[i] = 1;
  bool changed = true;
  for (int sweep = 0; changed && sweep < most_sweeps; sweep++) {
    changed = false;
    for (int i = 0; i < n; i++) {
      double column = 0, row = 0;
      for (int j = 0; j < n; j++) {
        if (j == i) continue;
        column += fabs(A[j * n + i]);
        row += fabs(A[i * n + j]);
      }
      if (!(column > 0 && row > 0)) continue;
      const int power = (int)lround(0.5 * log2(row / column));
      const double f = ldexp(1, power);
      if (!power || column * f + row / f >= 0.95 * (column + row)) continue;
      changed = true;
      D[i] *= f;
      for (int j = 0; j < n; j++) A[i * n + j] /= f;
      for (int j = 0; j < n; j++) A[j * n + i] *= f;
    }
  }
}

// A P for the reflection of u, whose first entries up to k are none
static void reflect_columns(int n, double* A, int k, const double* u, double square)
{
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = k + 1; j < n; j++) sum += A[i * n + j] * u[j];
    for (int j = k + 1; j < n; j++) A[i * n + j] -= 2 * sum / square * u[j];
  }
}

// Householder reflections from both sides: A becomes zero below its first subdiagonal. Q, where it
// is wanted: their product, so that A = Q H Q^T.
static void hessenberg(int n, double* A, double* u, double* Q)
{
  for (int k = 0; k + 2 < n; k++) {
    double size = 0, norm = 0;
    for (int i = k + 1; i < n; i++) size = fmax(size, fabs(A[i * n + k]));
    if (size == 0) continue;
    for (int i = k + 1; i < n; i++) {
      u[i] = A[i * n + k] / size;
      norm += u[i] * u[i];
    }
    u[k + 1] += copysign(sqrt(norm), u[k + 1]);
    double square = 0;
    for (int i = k + 1; i < n; i++) square += u[i] * u[i];
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int i = k + 1; i < n; i++) sum += u[i] * A[i * n + j];
      for (int i = k + 1; i < n; i++) A[i * n + j] -= 2 * sum / square * u[i];
    }
    reflect_columns(n, A, k, u, square);
    if (Q) reflect_columns(n, Q, k, u, square);
    for (int i = k + 2; i < n; i++) A[i * n + k] = 0;
  }
}

// the eigenvalue of the last 2 by 2 block nearest to its last entry
static number shift_of(number a, number b, number c, number d)
{
  const number half = (a - d) / 2, root = csqrt(half * half + b * c);
  const number denominator = cabs(half + root) > cabs(half - root) ? half + root : half - root;
  return cabs(denominator) > 0 ? d - b * c / denominator : d;
}

// one QR step on the rows and columns from `low` to `high` of a Hessenberg matrix
static void step(int n, number* H, int low, int high, number s, number* cs, number* sn)
{
  for (int i = low; i <= high; i++) H[i * n + i] -= s;
  for (int k = low; k < high; k++) {
    const number x = H[k * n + k], y = H[(k + 1) * n + k];
    const double r = hypot(cabs(x), cabs(y));
    cs[k] = r > 0 ? x / r : 1;
    sn[k] = r > 0 ? y / r : 0;
    for (int j = k; j <= high; j++) {
      const number p = H[k * n + j], q = H[(k + 1) * n + j];
      H[k * n + j] = conj(cs[k]) * p + conj(sn[k]) * q;
      H[(k + 1) * n + j] = -sn[k] * p + cs[k] * q;
    }
  }
  for (int k = low; k < high; k++)
    for (int i = low; i <= (k + 1 < high ? k + 1 : high); i++) {
      const number p = H[i * n + k], q = H[i * n + k + 1];
      H[i * n + k] = p * cs[k] + q * sn[k];
      H[i * n + k + 1] = -p * conj(sn[k]) + q * conj(cs[k]);
    }
  for (int i = low; i <= high; i++) H[i * n + i] += s;
}

static bool iterate(int n, number* H, number* cs, number* sn)
{
  int turns = 0;
  for (int high = n - 1; high > 0;) {
    int low = high;
    while (low > 0) {
      const double beside = cabs(H[low * n + low]) + cabs(H[(low - 1) * n + low - 1]);
      if (cabs(H[low * n + low - 1]) <= DBL_EPSILON * (beside > 0 ? beside : DBL_MIN)) break;
      low--;
    }
    if (low > 0) H[low * n + low - 1] = 0;
    if (low == high) {
      high--;
      turns = 0;
      continue;
    }
    if (++turns > most_turns) return false;
    number s = shift_of(H[(high - 1) * n + high - 1], H[(high - 1) * n + high],
                        H[high * n + high - 1], H[high * n + high]);
    // an exceptional shift leaves a cycle
    if (turns % 11 == 10) s += cabs(H[high * n + high - 1]);
    step(n, H, low, high, s, cs, sn);
  }
  return true;
}

// pairs become exactly conjugate, lone ones exactly real; ordered by real part, then imaginary part
static void pair(int n, double* re, double* im)
{
  double size = 0;
  for (int i = 0; i < n; i++) size = fmax(size, hypot(re[i], im[i]));
  bool* done = base_alloc((size_t)n + 1);
  for (int i = 0; i < n; i++) {
    if (done[i]) continue;
    done[i] = true;
    int partner = -1;
    double least = fabs(im[i]); // as far as it is from being real
    for (int j = i + 1; j < n; j++) {
      const double off = hypot(re[i] - re[j], im[i] + im[j]) / 2;
      if (done[j] || off >= least) continue;
      least = off;
      partner = j;
    }
    if (partner < 0) {
      im[i] = 0;
      continue;
    }
    done[partner] = true;
    re[i] = re[partner] = (re[i] + re[partner]) / 2;
    im[i] = (im[i] - im[partner]) / 2;
    im[partner] = -im[i];
  }
  free(done);
  for (int i = 1; i < n; i++)
    for (int j = i; j > 0; j--) {
      const double tie = 1e-14 * size;
      if (re[j - 1] < re[j] - tie || (re[j - 1] <= re[j] + tie && im[j - 1] <= im[j])) break;
      const double r = re[j], m = im[j];
      re[j] = re[j - 1], im[j] = im[j - 1];
      re[j - 1] = r, im[j - 1] = m;
    }
}

bool num_eigen(int n, const double* A, double* re, double* im)
{
  const size_t square = (size_t)n * (size_t)n;
  double* B = base_alloc(sizeof(double) * (square + 2 * (size_t)n + 1));
  double *D = B + square, *u = D + n;
  number* H = base_alloc(sizeof(number) * (square + 2 * (size_t)n + 1));
  bool finite = true;
  for (size_t i = 0; i < square; i++) finite = finite && isfinite(A[i]);
  if (n) memcpy(B, A, sizeof(double) * square);
  if (finite) {
    balance(n, B, D);
    hessenberg(n, B, u, NULL);
    for (size_t i = 0; i < square; i++) H[i] = B[i];
  }
  const bool solved = finite && iterate(n, H, H + square, H + square + n);
  for (int i = 0; i < n && solved; i++) {
    re[i] = creal(H[i * n + i]);
    im[i] = cimag(H[i * n + i]);
  }
  if (solved) pair(n, re, im);
  free(B);
  free(H);
  return solved;
}

// ---- eigenvectors -------------------------------------------------------------------------------

// A = Q H Q^T: with H each inverse iteration takes operations in proportion to n^2
struct num_eigenvectors
{
  int n;
  double *H, *Q, size;
  number *C, *x; // H - z, factored; the vector
  number* f;     // by columns: what was taken of the row above
  bool* swapped; // by columns: the row below came first
};

num_eigenvectors* num_eigenvectors_new(int n, const double* A)
{
  const size_t square = (size_t)n * (size_t)n, m = (size_t)n;
  num_eigenvectors* v = base_alloc(sizeof *v);
  v->n = n;
  v->H = base_alloc(sizeof(double) * (2 * square + m + 1));
  v->Q = v->H + square;
  v->C = base_alloc(sizeof(number) * (square + 2 * m + 1));
  v->x = v->C + square;
  v->f = v->x + m;
  v->swapped = base_alloc(m + 1);
  v->size = DBL_MIN;
  for (size_t i = 0; i < square; i++) v->size = fmax(v->size, fabs(v->H[i] = A[i]));
  for (size_t i = 0; i < m; i++) v->Q[i * m + i] = 1;
  hessenberg(n, v->H, v->Q + square, v->Q);
  return v;
}

void num_eigenvectors_free(num_eigenvectors* v)
{
  if (!v) return;
  free(v->H);
  free(v->C);
  free(v->swapped);
  free(v);
}

// L U of H - z with row exchanges; a pivot that vanishes is taken as rounding
static void factor(num_eigenvectors* v, number z)
{
  const int n = v->n;
  const double least = DBL_EPSILON * v->size;
  for (int i = 0; i < n * n; i++) v->C[i] = v->H[i];
  for (int i = 0; i < n; i++) v->C[i * n + i] -= z;
  for (int k = 0; k < n; k++) {
    number *row = v->C + k * n, *below = row + n;
    v->swapped[k] = k + 1 < n && cabs(below[k]) > cabs(row[k]);
    for (int j = k; j < n && v->swapped[k]; j++) {
      const number keep = row[j];
      row[j] = below[j];
      below[j] = keep;
    }
    if (cabs(row[k]) < least) row[k] = least;
    if (k + 1 == n) return;
    v->f[k] = below[k] / row[k];
    if (v->f[k] == 0) continue;
    for (int j = k + 1; j < n; j++) below[j] -= v->f[k] * row[j];
  }
}

static void solve(num_eigenvectors* v)
{
  const int n = v->n;
  number* x = v->x;
  for (int k = 0; k + 1 < n; k++) {
    if (v->swapped[k]) {
      const number keep = x[k];
      x[k] = x[k + 1];
      x[k + 1] = keep;
    }
    x[k + 1] -= v->f[k] * x[k];
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) x[i] -= v->C[i * n + j] * x[j];
    x[i] /= v->C[i * n + i];
  }
}

// so that the largest entry is one
static void scale(int n, number* x)
{
  int most = 0;
  for (int i = 1; i < n; i++)
    if (cabs(x[i]) > cabs(x[most]) * (1 + 1e-9)) most = i;
  const number by = n ? x[most] : 1;
  for (int i = 0; i < n; i++) x[i] /= by;
}

void num_eigenvectors_of(num_eigenvectors* v, double re, double im, double* x_re, double* x_im)
{
  const int n = v->n;
  factor(v, re + _Complex_I * im);
  // no symmetry of the matrix makes this start orthogonal to what is looked for
  for (int i = 0; i < n; i++)
    v->x[i] = cos(1 + 2.3 * i) + _Complex_I * sin(0.7 + 1.1 * i) * (im != 0);
  for (int turn = 0; turn < 4; turn++) {
    solve(v);
    scale(n, v->x);
  }
  for (int i = 0; i < n; i++) {
    v->f[i] = 0;
    for (int j = 0; j < n; j++) v->f[i] += v->Q[i * n + j] * v->x[j];
  }
  scale(n, v->f);
  for (int i = 0; i < n; i++) {
    x_re[i] = creal(v->f[i]);
    x_im[i] = cimag(v->f[i]);
  }
}

void num_eigen_vector(int n, const double* A, double re, double im, double* x_re, double* x_im)
{
  num_eigenvectors* v = num_eigenvectors_new(n, A);
  num_eigenvectors_of(v, re, im, x_re, x_im);
  num_eigenvectors_free(v);
}
