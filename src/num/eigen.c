// Eigenvalues and eigenvectors of a general real matrix.
//
// Balancing by powers of two (Parlett and Reinsch 1969), Householder reduction to Hessenberg form,
// then the QR iteration with Wilkinson's shift in complex numbers (Golub and Van Loan, Matrix
// Computations (2013), 7.4 and 7.5): H - s I = Q R, H <- R Q + s I until the last entry below the
// diagonal is rounding. Eigenvectors by inverse iteration on the balanced matrix.
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

// Householder reflections from both sides: A becomes zero below its first subdiagonal
static void hessenberg(int n, double* A, double* u)
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
    for (int i = 0; i < n; i++) {
      double sum = 0;
      for (int j = k + 1; j < n; j++) sum += A[i * n + j] * u[j];
      for (int j = k + 1; j < n; j++) A[i * n + j] -= 2 * sum / square * u[j];
    }
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
    hessenberg(n, B, u);
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

// L U of C in place with row exchanges, the factors of L below the diagonal; a pivot that vanishes
// is taken as rounding
static void factor(int n, number* C, int* pivot, double size)
{
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (cabs(C[i * n + k]) > cabs(C[best * n + k])) best = i;
    pivot[k] = best;
    for (int j = 0; j < n && best != k; j++) {
      const number keep = C[k * n + j];
      C[k * n + j] = C[best * n + j];
      C[best * n + j] = keep;
    }
    if (cabs(C[k * n + k]) < DBL_EPSILON * size) C[k * n + k] = DBL_EPSILON * size;
    for (int i = k + 1; i < n; i++) {
      const number f = C[i * n + k] /= C[k * n + k];
      if (f == 0) continue;
      for (int j = k + 1; j < n; j++) C[i * n + j] -= f * C[k * n + j];
    }
  }
}

static void solve(int n, const number* C, const int* pivot, number* x)
{
  for (int k = 0; k < n; k++) {
    const number keep = x[k];
    x[k] = x[pivot[k]];
    x[pivot[k]] = keep;
  }
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) x[i] -= C[i * n + k] * x[k];
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) x[i] -= C[i * n + j] * x[j];
    x[i] /= C[i * n + i];
  }
}

void num_eigen_vector(int n, const double* A, double re, double im, double* x_re, double* x_im)
{
  number* C = base_alloc(sizeof(number) * ((size_t)n * (size_t)n + (size_t)n + 1));
  number* x = C + (size_t)n * (size_t)n;
  double size = DBL_MIN;
  for (int i = 0; i < n * n; i++) size = fmax(size, fabs(A[i]));
  // no symmetry of the matrix makes this start orthogonal to what is looked for
  for (int i = 0; i < n; i++) x[i] = cos(1 + 2.3 * i) + _Complex_I * sin(0.7 + 1.1 * i) * (im != 0);
  int* pivot = base_alloc(sizeof(int) * ((size_t)n + 1));
  for (int i = 0; i < n * n; i++) C[i] = A[i];
  for (int i = 0; i < n; i++) C[i * n + i] -= re + _Complex_I * im;
  factor(n, C, pivot, size);
  for (int turn = 0; turn < 4; turn++) {
    solve(n, C, pivot, x);
    int most = 0;
    for (int i = 1; i < n; i++)
      if (cabs(x[i]) > cabs(x[most]) * (1 + 1e-9)) most = i;
    const number scale = x[most];
    for (int i = 0; i < n; i++) x[i] /= scale;
  }
  for (int i = 0; i < n; i++) {
    x_re[i] = creal(x[i]);
    x_im[i] = cimag(x[i]);
  }
  free(pivot);
  free(C);
}
