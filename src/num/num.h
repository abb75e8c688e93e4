// num: numbers only: linear algebra, roots, nonlinear equations.
// Takes doubles and functions of doubles; gives doubles and a status.
// Never heard of a skater.
#pragma once

#include "base/base.h"

#include <complex.h>
// the letter stands for moments of inertia and the like
#undef I

// ---- dense linear algebra: row-major, no allocation, no calls per step beyond these -------------

// Orthogonal factorisation of a wide matrix A (m rows, n columns, m <= n usual) by Householder with
// row pivoting (QR of A^T): rank, null space, least-norm solutions. Rows are scaled first so that
// the rank does not depend on the units of a row.
typedef struct num_null num_null;
num_null* num_null_new(int m_max, int n_max);
void num_null_free(num_null* f);
// From here on |x| means |x_j / weight_j|: unknown j is measured in units of weight_j > 0, so that
// nothing below depends on the units of a column. n of them, kept, not copied; they stay as they
// are between factor and what uses it. Null, as at first: all one. Powers of two round nothing.
void num_null_weigh(num_null* f, const double* weight);
// factor; a pivot below `tolerance` times the largest ends the rank. tolerance 0 means 1e-11.
// returns the rank
int num_null_factor(num_null* f, int m, int n, const double* A, double tolerance);
int num_null_rank(const num_null* f);
// rows in the order chosen: rows order[rank..m) depend on the ones before (at this tolerance)
const int* num_null_order(const num_null* f);
// smallest kept pivot over the largest: a measure of how near the next loss of rank is
double num_null_margin(const num_null* f);
// basis of the null space, orthonormal in this measure, n by (n - rank), row-major
void num_null_basis(const num_null* f, double* Z);
// x of least norm with A x = b on the independent rows; returns the largest residual over ALL rows
// relative to the scale of each row (tells contradictory right sides apart from redundant ones)
double num_null_solve(const num_null* f, const double* A, const double* b, double* x);
// the same, where nobody asks what is left of it
void num_null_find(const num_null* f, const double* b, double* x);
// y (m) with |weight_j (A^T y - g)_j| least; of all such y the shortest, each y_i measured by the
// length of its row where columns are weighed. Returns the norm of what is left.
double num_null_solve_t(const num_null* f, const double* A, const double* g, double* y);

// ---- complex numbers ----------------------------------------------------------------------------

// glibc gives clang no CMPLX
#ifndef CMPLX
#define CMPLX(REAL, IMAGINARY) __builtin_complex((double)(REAL), (double)(IMAGINARY))
#endif

// a product without the library's care for infinities
static inline double complex num_complex_times(double complex a, double complex b)
{
  return CMPLX(creal(a) * creal(b) - cimag(a) * cimag(b),
               creal(a) * cimag(b) + cimag(a) * creal(b));
}
// LU with partial pivoting of a complex matrix, in place, the diagonal left inverted; false:
// singular
bool num_complex_lu(int n, double complex* A, int* pivot);
void num_complex_solve(int n, const double complex* A, const int* pivot, double complex* x);

// All solutions of n analytic equations in n unknowns, by monodromy (monodromy.c).
typedef struct num_monodromy
{
  int n;
  const double* size; // of each unknown, nearly
  void* context;
  // F and J = dF/dx, row-major
  void (*values)(void* context, const double complex* x, double complex* F, double complex* J);
  // what tells solutions apart, `marks` numbers: equal for those that mean the same
  int marks;
  void (*mark)(void* context, const double complex* x, double complex* out);
  int most;                     // solutions that are looked for at most
  bool (*go_on)(void* context); // asked for each path; null: to the end
  uint64_t seed;
} num_monodromy;
typedef struct num_monodromy_end
{
  int generic;       // solutions for right sides at random
  int count;         // of those, ends that are finite
  double complex* x; // count by n, to be freed
  bool whole;        // not cut off by `most` or go_on
  int lost;          // paths whose end could not be told
} num_monodromy_end;
num_monodromy_end num_monodromy_solve(const num_monodromy* p);

// Cholesky of a symmetric positive definite matrix in place (lower part); false if a pivot falls
// below tolerance * its diagonal before elimination (0 means 1e-13)
bool num_cholesky(int n, double* S, double tolerance);
void num_cholesky_solve(int n, const double* L, double* x);
// LU with partial pivoting in place; false if singular to working precision
bool num_lu(int n, double* A, int* pivot);
void num_lu_solve(int n, const double* A, const int* pivot, double* x);
// the same of the columns of X, which are written row by row: bit for bit what each by itself
// gives. Their number is a multiple of NUM_LU_COLUMNS; what is not needed may be zero.
enum { NUM_LU_STEP = 8, NUM_LU_COLUMNS = 2 * NUM_LU_STEP };
void num_lu_solve_many(int n, const double* A, const int* pivot, int columns, double* X);
// C = A B, row by row; each entry a sum in the order of the inner index
void num_multiply(int rows, int inner, int columns, const double* A, const double* B, double* C);
// C = A^T B, n by n and known to be symmetric; A and B have `inner` rows
void num_multiply_symmetric(int inner, int n, const double* A, const double* B, double* C);
// A x = b for b in x, unknowns that no row couples by themselves; A is lost. The sign of the
// determinant, 0 where pivots differ by more than the margin: x means nothing then. `memory` is
// work space of the size given.
size_t num_lu_apart_size(int n);
int num_lu_apart(int n, double* A, double* x, double margin, void* memory);
// W A = diag(sigma) U: the singular values of A (m by n), in no order; A becomes U, with rows of
// length one (those of no singular value stay zero), W (m by m) holds the left vectors as rows
void num_singular(int m, int n, double* A, double* W, double* sigma);
// rank of an m by n matrix by QR with column pivoting on a scaled copy (allocates; not for steps)
int num_rank(int m, int n, const double* A, double tolerance);
// x with |A x - b| least, A m by n (m >= n) row-major of full column rank; A and b are overwritten,
// the triangle R of A = Q R stands on top of A (allocates from 96 unknowns on)
void num_least_squares(int m, int n, double* A, double* b, double* x);

// ---- sparse linear algebra (saddle.c) -----------------------------------------------------------

// a pattern of entries, row by row: those of row i are column[start[i] .. start[i + 1])
typedef struct num_rows
{
  const int *start, *column;
} num_rows;

// K x + A^T y = f, A x = c with sparse K (n by n, symmetric, its lower triangle) and A (m by n).
// The order of elimination is found once; factor and solve allocate nothing, and cost what the
// factor holds: linear in n along chains and trees.
typedef struct num_saddle num_saddle;
// stiff: for K that is positive definite only along the directions A leaves free. Null where the
// factor would have more than 67 million entries.
num_saddle* num_saddle_new(int n, const num_rows* K, int m, const num_rows* A, bool stiff);
void num_saddle_free(num_saddle* s);
size_t num_saddle_entries(const num_saddle* s); // of the factor
double num_saddle_work(const num_saddle* s);    // multiplications of a factorisation
// Values in the order of the patterns. Rows not in use (null: all are) drop out with y = 0, and so
// do rows that depend on others: those whose pivot is below `tolerance` of what it was. share:
// - share a K^-1 a^T is put on the diagonal of each row. -1, or the coordinate without mass.
int num_saddle_factor(num_saddle* s, const double* K, const double* A, const bool* use,
                      double share, double tolerance);
bool num_saddle_is_dependent(const num_saddle* s, int k); // or not in use
// null f, c: zero; null y: not wanted
void num_saddle_solve(num_saddle* s, const double* f, const double* c, double* x, double* y);

// A x = f with A of blocks, sparse, whose pattern is symmetric and whose symmetric part is positive
// definite: LU without pivoting (fronts.c). Grows as it must; what is there fits what comes.
typedef struct num_fronts num_fronts;
num_fronts* num_fronts_new(void);
void num_fronts_free(num_fronts* s);
// Nodes of size[i] unknowns each, and the neighbours of each, itself among them, ascending. The
// order of elimination is found anew where these are others than last time. False: no order.
bool num_fronts_pattern(num_fronts* s, int nodes, const int* size, const num_rows* near);
double num_fronts_work(const num_fronts* s); // multiplications of a factorisation
void num_fronts_clear(num_fronts* s);
// the block of rows of node i, columns of node j, row-major; null where they are no neighbours
double* num_fronts_block(num_fronts* s, int i, int j);
bool num_fronts_factor(num_fronts* s);                 // false: a pivot is nothing
void num_fronts_solve(const num_fronts* s, double* x); // x: f, then the answer; node after node

// (I - g J) x = b for J of a given pattern, column by column, which must last (shifted.c). Values
// in the order of the pattern, which last as long as the factors. False: it is singular.
typedef struct num_shifted num_shifted;
num_shifted* num_shifted_new(int n, const num_rows* columns);
void num_shifted_free(num_shifted* s);
bool num_shifted_factor(num_shifted* s, double g, const double* J);
void num_shifted_solve(const num_shifted* s, double* x); // x: b, then the answer
bool num_shifted_is_dense(const num_shifted* s);

// Eigenvalues of a real matrix (allocates; not for steps), by real part, then imaginary part; pairs
// are exactly conjugate. False where the matrix is not finite or the iteration does not end.
bool num_eigen(int n, const double* A, double* re, double* im);
// the vector of an eigenvalue found, its largest entry one
void num_eigen_vector(int n, const double* A, double re, double im, double* x_re, double* x_im);
// the same of one eigenvalue after another
typedef struct num_eigenvectors num_eigenvectors;
num_eigenvectors* num_eigenvectors_new(int n, const double* A);
void num_eigenvectors_of(num_eigenvectors* v, double re, double im, double* x_re, double* x_im);
void num_eigenvectors_free(num_eigenvectors* v);

// ---- nonlinear equations ------------------------------------------------------------------------

// F: n unknowns, m equations; J row-major m by n. Nonzero return: not evaluable here.
typedef int num_equations(void* context, const double* x, double* F, double* J);

typedef struct num_newton_result
{
  bool solved;
  int iterations;
  double residual; // largest |F_i| / scale_i at the end; infinite if the guess cannot be evaluated
  int worst;       // index of that equation (0 where residual is infinite)
  int nudges;      // moves of all unknowns away from points where J says nothing
} num_newton_result;

// Nearest solution to the guess: Gauss-Newton with least-norm steps (weights w_j > 0 make x_j move
// less; null: all one), damped by backtracking, finished to rounding. Redundant consistent
// equations are fine. scale (m, may be null) are the natural sizes of the equations.
num_newton_result num_newton(int m, int n, num_equations* f, void* context, const double* weight,
                             const double* scale, double tolerance, int most, double* x);

// ---- roots on an interval -----------------------------------------------------------------------

enum { num_series_most = 30 }; // highest order of a power series

typedef double num_function(void* context, double t);
// t in [lo, hi] with f_lo f_hi < 0 to within `tolerance`; ITP method, at most as many evaluations
// as bisection plus a few
double num_bracket(num_function* f, void* context, double lo, double f_lo, double hi, double f_hi,
                   double tolerance);
// All sign changes and touching zeros of a smooth f on [a, b], ascending, each to `tolerance` in t:
// Chebyshev interpolation with recursive halving until the tail is below noise, roots isolated on
// the polynomial, polished on f itself. Returns how many were found (at most room).
typedef struct num_root
{
  double t;
  int direction; // +1 rising, -1 falling, 0 touching without change of sign
} num_root;
int num_roots(num_function* f, void* context, double a, double b, double tolerance, int room,
              num_root* out);
// The places of [a, b] where that looks first, from b down to a, for who has many functions to look
// at and samples them together; and whether samples there show a function that stays on one side of
// zero.
enum { NUM_ROOTS_SAMPLES = 17 };
double num_roots_sample(double a, double b, int j);
bool num_roots_none(const double* sample);
// The same for a function whose noise is known: what is not resolved soon is compared with
// noise(context), and of stretches on which |f| is no more than that only the signs count.
typedef double num_size(void* context);
int num_roots_beyond(num_function* f, num_size* noise, void* context, double a, double b,
                     double tolerance, int room, num_root* out);
// The same for a function that differs from the polynomial sum_k c_k (t - origin)^k, of a degree up
// to num_series_most, by no more than `noise`: its roots are isolated on the polynomial, none is
// missed where the function stands out of the noise, and f is asked near them only.
int num_roots_series(num_function* f, void* context, double origin, int degree, const double* c,
                     double noise, double a, double b, double tolerance, int room, num_root* out);
