// Eigenvalues and eigenvectors of a general real matrix.
//
// Balancing by powers of two (Parlett and Reinsch 1969), Householder reduction to Hessenberg form,
// then Francis's QR iteration (Golub and Van Loan, Matrix Computations (2013), 7.4 and 7.5): two
// steps with the eigenvalues of the last 2 by 2 block as shifts at once, in real numbers, until the
// last entry below the diagonal or the one above it is rounding. Eigenvectors by inverse iteration
// on the Hessenberg form.
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

// I - b v v^T of three rows, which takes (p, q, r) onto (-size, 0, 0)
typedef struct mirror
{
  double v[3], b, size;
} mirror;

static mirror mirror_of(double p, double q, double r)
{
  const double scale = fabs(p) + fabs(q) + fabs(r);
  if (!(scale > 0)) return (mirror){0};
  p /= scale, q /= scale, r /= scale;
  const double norm = copysign(sqrt(p * p + q * q + r * r), p);
  return (mirror){{p + norm, q, r}, 1 / (norm * (p + norm)), norm * scale};
}

// the mirror at rows and columns k to k + `rows` - 1 of the block from `low` to `high`, both sides
static void apply(int n, double* H, int low, int high, int k, int rows, const mirror* m)
{
  for (int j = k; j <= high; j++) {
    double sum = 0;
    for (int i = 0; i < rows; i++) sum += m->v[i] * H[(k + i) * n + j];
    for (int i = 0; i < rows; i++) H[(k + i) * n + j] -= m->b * sum * m->v[i];
  }
  for (int i = low; i <= (k + 3 < high ? k + 3 : high); i++) {
    double sum = 0, *row = H + i * n + k;
    for (int j = 0; j < rows; j++) sum += row[j] * m->v[j];
    for (int j = 0; j < rows; j++) row[j] -= m->b * sum * m->v[j];
  }
}

// A double step on the rows and columns from `low` to `high`, at least three, with the shifts of
// the sum x + y and the product x y - w. The first column of (H - s1)(H - s2) over the entry below
// the corner is led to the first axis; what that leaves below the diagonal is driven out.
static void step(int n, double* H, int low, int high, double x, double y, double w)
{
  const double *row = H + low * n + low, *below = row + n;
  double p = ((x - row[0]) * (y - row[0]) - w) / below[0] + row[1];
  double q = row[0] + below[1] - x - y, r = below[n + 1];
  for (int k = low; k < high; k++) {
    const int rows = k + 2 <= high ? 3 : 2;
    double* behind = H + k * n + k - 1;
    if (k > low) p = behind[0], q = behind[n], r = rows == 3 ? behind[2 * n] : 0;
    const mirror m = mirror_of(p, q, r);
    if (m.size == 0) continue;
    if (k > low) {
      behind[0] = -m.size;
      for (int i = 1; i < rows; i++) behind[i * n] = 0;
    }
    apply(n, H, low, high, k, rows, &m);
  }
}

// the eigenvalues of the block of rows and columns k, k + 1
static void solve_block(int n, const double* H, int k, double* re, double* im)
{
  const double *row = H + k * n + k, *below = row + n, d = below[1];
  const double half = (row[0] - d) / 2, product = row[1] * below[0];
  const double root = half * half + product;
  im[k] = im[k + 1] = 0;
  if (root < 0) {
    re[k] = re[k + 1] = d + half;
    im[k + 1] = sqrt(-root);
    im[k] = -im[k + 1];
    return;
  }
  const double z = half + copysign(sqrt(root), half);
  re[k] = d + z;
  re[k + 1] = z != 0 ? d - product / z : d;
}

// where the block that ends at `high` begins: the entry before is rounding
static int block_of(int n, double* H, int high, double size)
{
  int low = high;
  for (; low > 0; low--) {
    const double beside = fabs(H[low * n + low]) + fabs(H[(low - 1) * n + low - 1]);
    if (fabs(H[low * n + low - 1]) <= DBL_EPSILON * (beside > 0 ? beside : size)) break;
  }
  if (low > 0) H[low * n + low - 1] = 0;
  return low;
}

static bool iterate(int n, double* H, double* re, double* im)
{
  int turns = 0;
  double size = DBL_MIN;
  for (int i = 0; i < n * n; i++) size = fmax(size, fabs(H[i]));
  for (int high = n - 1; high >= 0;) {
    const int low = block_of(n, H, high, size);
    if (high - low < 2) {
      if (low == high) {
        re[high] = H[high * n + high];
        im[high] = 0;
      } else
        solve_block(n, H, low, re, im);
      high = low - 1;
      turns = 0;
      continue;
    }
    if (++turns > most_turns) return false;
    const double* corner = H + high * n + high;
    double x = corner[0], y = corner[-n - 1], w = corner[-1] * corner[-n];
    // an exceptional shift leaves a cycle
    if (turns % 11 == 10) {
      const double s = fabs(corner[-1]) + fabs(corner[-n - 2]);
      x = y = corner[0] + 0.75 * s;
      w = -0.4375 * s * s;
    }
    step(n, H, low, high, x, y, w);
  }
  return true;
}

// by real part, then imaginary part
static void order(int n, double* re, double* im)
{
  double size = 0;
  for (int i = 0; i < n; i++) size = fmax(size, fmax(fabs(re[i]), fabs(im[i])));
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
  double* H = base_alloc(sizeof(double) * (square + 2 * (size_t)n + 1));
  double *D = H + square, *u = D + n;
  bool finite = true;
  for (size_t i = 0; i < square; i++) finite = finite && isfinite(A[i]);
  if (n) memcpy(H, A, sizeof(double) * square);
  if (finite) {
    balance(n, H, D);
    hessenberg(n, H, u, NULL);
  }
  const bool solved = finite && iterate(n, H, re, im);
  if (solved) order(n, re, im);
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
