// All stationary points on one quadric, by the secular equation.
//
// In the frame phi = 1/2 x^T A x + b^T x + c; in the eigenvectors of A, y_i:
//   y_i (nu - alpha_i) = b_i,  nu = 1 / lambda (stationarity) h(nu) = c + sum b_i^2 (p_i + alpha_i
//   p_i^2 / 2) = 0,  p_i = 1 / (nu - alpha_i)    (phi = 0) h'(nu) = -nu G(nu),  G = sum b_i^2
//   p_i^3,  G' = -3 sum b_i^2 p_i^4 < 0.
// G falls from +inf to -inf between neighbouring poles and keeps its sign outside them, so h is
// monotone between the marks {poles, the zero of G between each two, 0}: one root at most in each,
// seen by the signs at its ends. Nothing is left to chance. Roots are found as offsets from the
// nearest pole, which keeps y_i = b_i / offset exact however near the hard case is.
// Hard case, b = 0 on the eigenspace of alpha: there nu = alpha, the other y_i are as above, and
// |y|^2 in the eigenspace is what phi = 0 asks: two points, or a sphere of them.
// (Secular equation: Golub and Van Loan, 6.2.1; hard case: More and Sorensen 1983, section 3.)
// nu = 0 is the centre of the quadric: a point of it, an apex, if h(0) = 0. nu = inf is x = 0.
#include "least/stationary.h"

#include <float.h>
#include <math.h>
#include <string.h>

// eigenvalues nearer than this, relative to the largest, are one; b below it is none (all are pure
// numbers near one)
static const double same = 4e-14;
// |h| below this times its terms is zero: a double root
static const double nought = 64 * DBL_EPSILON;

typedef struct quadric
{
  least_stationary* f;
  int n;
  double V[STATIONARY_L * STATIONARY_L]; // eigenvectors of A, columns
  double e[STATIONARY_L];                // their eigenvalues, made equal within a group
  double b[STATIONARY_L];                // b in them
  double c;
  int groups;
  int first[STATIONARY_L + 1]; // group k: eigenvectors first[k] .. first[k + 1] - 1
  int poles;                   // groups with b != 0, ascending
  double alpha[STATIONARY_L], beta[STATIONARY_L]; // of the poles: alpha, |b|
  double large;                                   // largest |alpha|
  double centre, centre_error;                    // h_0 and how well it is known
} quadric;

// eigenvalues that take part in the centre; along the others it is too far away
static bool curved(const quadric* k, double alpha)
{
  return fabs(alpha) > 1e-3 * k->large;
}

// nu = at + offset, `at` a pole (or zero)
typedef struct mark
{
  double at, offset;
  bool root; // h vanishes here without a change of sign
} mark;

// h, and the size of its terms
static double secular(const quadric* k, mark x, double* terms)
{
  double nu = x.at + x.offset;
  bool near = fabs(nu) <= k->large;
  double h = near ? k->centre : k->c, t = fabs(h);
  for (int i = 0; i < k->poles; i++) {
    double a = k->alpha[i], z = k->beta[i] / ((x.at - a) + x.offset);
    bool about = near && curved(k, a);
    double first = about ? nu * z * (nu * z) / (2 * a) : k->beta[i] * z;
    double second = about ? 0 : a * z * z / 2;
    h += first + second;
    t += fabs(first) + fabs(second);
  }
  if (terms) *terms = t;
  return h;
}

static double value(const quadric* k, double at, double offset)
{
  return secular(k, (mark){at, offset, false}, NULL);
}

// G times |offset|^3, which overflows nowhere and has the sign of G
static double critical(const quadric* k, double at, double offset)
{
  double G = 0;
  for (int i = 0; i < k->poles; i++) {
    double ratio = fabs(offset) / ((at - k->alpha[i]) + offset);
    G += k->beta[i] * k->beta[i] * ratio * ratio * ratio;
  }
  return G;
}

// x from its components y along the eigenvectors; nu = 0: singular
static void hand_over(const quadric* k, const double* y, double nu)
{
  double x[STATIONARY_L] = {0}, w[STATIONARY_L], lambda[1] = {nu != 0 ? 1 / nu : 0};
  for (int i = 0; i < k->n; i++) {
    x[i] = 0;
    for (int j = 0; j < k->n; j++) x[i] += k->V[i * k->n + j] * y[j];
  }
  least_stationary_frame_place(&k->f->frame, x, w);
  if (nu == 0)
    least_stationary_add_singular(k->f, w);
  else
    least_stationary_add(k->f, w, lambda);
}

// y_i = b_i / (nu - alpha_i), zero where b_i is none
static void components(const quadric* k, mark x, double* y)
{
  for (int i = 0; i < k->n; i++) {
    double d = (x.at - k->e[i]) + x.offset;
    y[i] = k->b[i] != 0 && d != 0 ? k->b[i] / d : 0;
  }
}

static void root_at(const quadric* k, double at, double offset)
{
  double y[STATIONARY_L];
  components(k, (mark){at, offset, false}, y);
  hand_over(k, y, at + offset);
}

// Zero of f between two offsets of one sign where its signs differ: bisection of the exponent until
// they are within a factor of two, then regula falsi in the Illinois form. (Points are polished
// later.)
typedef double on_offset(const quadric* k, double at, double offset);
static double bracketed(const quadric* k, on_offset* f, double at, double lo, double hi,
                        double tolerance)
{
  double flo = f(k, at, lo), fhi = f(k, at, hi);
  for (int step = 0; step < 300; step++) {
    double ratio = hi / lo, mid = hi - fhi * ((hi - lo) / (fhi - flo));
    if (ratio > 2 || ratio < 0.5)
      mid = copysign(sqrt(fabs(lo)) * sqrt(fabs(hi)), lo);
    else if (!((mid - lo) * (hi - mid) > 0) || step % 8 == 7)
      mid = 0.5 * (lo + hi);
    if (mid == lo || mid == hi || fabs(hi - lo) <= tolerance * fabs(hi)) return mid;
    double fmid = f(k, at, mid);
    if (fmid == 0) return mid;
    if ((fmid > 0) == (fhi > 0))
      hi = mid, fhi = fmid, flo *= 0.5;
    else
      lo = mid, flo = fmid, fhi *= 0.5;
  }
  return 0.5 * (lo + hi);
}

// the monotone piece between two marks, neither a pole; offsets from `at` of one sign
static void piece(const quadric* k, double at, mark a, mark b)
{
  double lo = (a.at - at) + a.offset, hi = (b.at - at) + b.offset;
  if (a.root || b.root || lo == hi) return;
  if ((value(k, at, lo) > 0) != (value(k, at, hi) > 0))
    root_at(k, at, bracketed(k, value, at, lo, hi, 1e-10));
}

// the monotone piece between pole i and a mark; near the pole h has the sign of alpha (alpha = 0:
// of the offset)
static void from_pole(const quadric* k, int i, mark end)
{
  double at = k->alpha[i], hi = (end.at - at) + end.offset;
  bool above = at != 0 ? at > 0 : hi > 0;
  if (end.root || hi == 0 || (value(k, at, hi) > 0) == above) return;
  double lo = hi / 4;
  while (fabs(lo) > 1e-290 && (value(k, at, lo) > 0) != above) {
    hi = lo;
    lo /= 64;
  }
  if (fabs(lo) > 1e-290) root_at(k, at, bracketed(k, value, at, lo, hi, 1e-10));
}

// a mark where h has an extremum: is it a root? (At the centre all is known about h_0.)
static mark touch(const quadric* k, mark x)
{
  double terms, h = secular(k, x, &terms);
  bool centre = x.at + x.offset == 0;
  x.root =
      fabs(h) <= (centre ? k->centre_error + nought * (terms - fabs(k->centre)) : nought * terms);
  return x;
}

// the zero of G between poles i and i + 1, from the pole it is nearer to
static mark extremum(const quadric* k, int i)
{
  double a = k->alpha[i], b = k->alpha[i + 1], half = 0.5 * (b - a);
  bool left = critical(k, a, half) < 0;
  double at = left ? a : b, hi = left ? half : -half, lo = hi / 4;
  bool near_sign = left; // G is +inf right of a pole, -inf left of it
  while (fabs(lo) > 1e-290 && (critical(k, at, lo) > 0) != near_sign) {
    hi = lo;
    lo /= 64;
  }
  return (mark){at, bracketed(k, critical, at, lo, hi, 2 * DBL_EPSILON), false};
}

// the interval between poles i and i + 1: marks are the extremum, and nu = 0 where it lies inside
static void between(const quadric* k, int i, mark zero)
{
  double a = k->alpha[i], b = k->alpha[i + 1];
  mark z = touch(k, extremum(k, i)), first = z, second = z;
  if (a < 0 && b > 0) {
    bool before = z.at + z.offset < 0;
    first = before ? z : zero;
    second = before ? zero : z;
    if (z.at + z.offset != 0) piece(k, -a < b ? a : b, first, second);
  }
  if (z.root && z.at + z.offset != 0) root_at(k, z.at, z.offset);
  from_pole(k, i, first);
  from_pole(k, i + 1, second);
}

// outside the poles: from the last one (or 0 beyond it) through nu = inf to the first one. h falls
// all along and is c at infinity; beyond `far` its other terms are smaller than c.
static void outside(const quadric* k, mark zero)
{
  int last = k->poles - 1;
  double sum = 0, low = k->alpha[0], high = k->alpha[last];
  for (int i = 0; i < k->poles; i++) sum += k->beta[i] * k->beta[i];
  double far = 6 * sum / fabs(k->c) + 2 * fmax(fabs(low), fabs(high));
  bool at_infinity = !isfinite(far);
  mark up = {0, far, at_infinity}, down = {0, -far, at_infinity};
  if (at_infinity) {
    double y[STATIONARY_L] = {0};
    hand_over(k, y, INFINITY);
    // no other root on the falling stretch; only the stretches before it are left
    up = down = (mark){0, 0, true};
  }
  if (high < 0) {
    from_pole(k, last, zero);
    if (!at_infinity) piece(k, high, zero, up);
  } else
    from_pole(k, last, up);
  if (low > 0) {
    from_pole(k, 0, zero);
    if (!at_infinity) piece(k, low, zero, down);
  } else
    from_pole(k, 0, down);
}

// b vanishes on the eigenspace of group g: nu = alpha, phi = 0 fixes |y| there
static void hard_case(const quadric* k, int g)
{
  double alpha = k->e[k->first[g]], y[STATIONARY_L], terms;
  mark x = {alpha, 0, false};
  double h = secular(k, x, &terms), square = -2 * h / alpha;
  if (alpha == 0 || fabs(h) <= nought * terms || square <= 0) return;
  components(k, x, y);
  for (int sign = 1; sign >= -1; sign -= 2) {
    y[k->first[g]] = sign * sqrt(square);
    hand_over(k, y, alpha);
  }
}

// eigenvalues that are one, and the poles among them; b that is none made zero
static void group(quadric* k)
{
  double size = fmax(fabs(k->e[0]), fabs(k->e[k->n - 1]));
  k->groups = k->poles = 0;
  for (int i = 0, j; i < k->n; i = j) {
    double alpha = fabs(k->e[i]) <= same * size ? 0 : k->e[i], square = 0;
    for (j = i; j < k->n && k->e[j] - k->e[i] <= same * size; j++) square += k->b[j] * k->b[j];
    bool none = sqrt(square) <= same;
    for (int m = i; m < j; m++) {
      k->e[m] = alpha;
      if (none) k->b[m] = 0;
    }
    k->first[k->groups++] = i;
    if (none) continue;
    k->alpha[k->poles] = alpha;
    k->beta[k->poles++] = sqrt(square);
  }
  k->first[k->groups] = k->n;
}

// phi at the centre, evaluated there
static void find_centre(quadric* k)
{
  const least_stationary_frame* q = &k->f->frame;
  double x[STATIONARY_L] = {0}, w[STATIONARY_L];
  k->large = fmax(fabs(k->e[0]), fabs(k->e[k->n - 1]));
  for (int i = 0; i < k->n; i++)
    for (int j = 0; j < k->n; j++)
      if (curved(k, k->e[j])) x[i] -= k->V[i * k->n + j] * k->b[j] / k->e[j];
  least_stationary_frame_place(q, x, w);
  least_stationary_frame_eval(q, w, &k->centre, NULL, NULL);
  double size = least_stationary_terms(q->p->polynomial + q->index[0], q->l, w);
  k->centre_error = 16 * DBL_EPSILON * size / q->size[q->index[0]] + 1e-28;
}

static bool quadric_at_origin(least_stationary* f, quadric* k)
{
  const least_stationary_frame* q = &f->frame;
  double A[STATIONARY_L * STATIONARY_L], b[STATIONARY_L];
  k->f = f;
  k->n = q->n;
  if (!least_stationary_frame_eval(q, q->origin, &k->c, b, A)) return false;
  least_stationary_eigen(k->n, A, k->V, k->e);
  for (int i = 0; i < k->n; i++) {
    k->b[i] = 0;
    for (int j = 0; j < k->n; j++) k->b[i] += k->V[j * k->n + i] * b[j];
  }
  group(k);
  find_centre(k);
  return true;
}

void least_stationary_quadric(least_stationary* f)
{
  quadric k;
  if (!quadric_at_origin(f, &k)) return;
  bool zero_is_pole = false;
  for (int i = 0; i < k.poles; i++) zero_is_pole |= k.alpha[i] == 0;
  mark zero = zero_is_pole ? (mark){0, 0, true} : touch(&k, (mark){0, 0, false});
  if (!zero_is_pole && zero.root) {
    double y[STATIONARY_L];
    components(&k, zero, y);
    hand_over(&k, y, 0);
  }
  for (int i = 0; i + 1 < k.poles; i++) between(&k, i, zero);
  if (k.poles > 0) outside(&k, zero);
  for (int g = 0; g < k.groups; g++)
    if (k.b[k.first[g]] == 0) {
      bool none = true;
      for (int i = k.first[g]; i < k.first[g + 1]; i++) none &= k.b[i] == 0;
      if (none) hard_case(&k, g);
    }
}
