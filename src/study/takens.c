// The normal form where an eigenvalue is zero twice with one vector (Bogdanov and Takens).
//
// On the constraint surface z' = g(z) (chart.c), A = dg/dz, B the second derivatives of g. With
//   A q0 = 0, A q1 = q0, A^T p1 = 0, A^T p0 = p1, <p0, q0> = <p1, q1> = 1, <p0, q1> = <p1, q0> = 0
// the motion on the plane of the two is x' = y, y' = a x^2 + b x y + ... with
//   a = <p1, B(q0, q0)>/2, b = <p0, B(q0, q0)> + <p1, B(q0, q1)>
// (Kuznetsov, Elements of Applied Bifurcation Theory, section 8.4). Both are known up to the scale
// of q0, which has length one here; of it and its negative the one with a > 0 is taken. The zero is
// double only as well as the point was found: vectors are those of the smallest singular value of
// A, which are told well, and q1, p0 are the shortest solutions without it.
#include "study/hopf.h"

#include "study/normal.h"

#include "num/num.h"

#include <math.h>
#include <string.h>

static const double widest = 0.02;  // step along q0, in units of the state
static const double same = 1e-12;   // coefficients of two widths, relative
static const double simple = 1e-6;  // second smallest singular value, of the largest
static const double slight = 1e-8;  // <p1, q1>, of the lengths: a zero that is triple
static const double double_ = 1e-4; // <p1, q0>, of the lengths: a zero that is simple
enum { halvings = 6 };

static double dot(int d, const double* a, const double* b)
{
  double sum = 0;
  for (int i = 0; i < d; i++) sum += a[i] * b[i];
  return sum;
}

// q0, p1 of length one and q1, p0 as above; false where the zero is none of this kind
static bool vectors(int d, const double* A, double* v[4], base_arena* arena)
{
  double *q0 = v[0], *q1 = v[1], *p0 = v[2], *p1 = v[3];
  double* room = base_arena_take(arena, sizeof(double) * (size_t)(4 * d * d + 2 * d + 1));
  double *U = room, *W = U + d * d, *T = W + d * d, *V = T + d * d;
  double *sigma = V + d * d, *turned = sigma + d, most = 0;
  memcpy(U, A, sizeof(double) * (size_t)(d * d));
  num_singular(d, d, U, W, sigma);
  int least = 0, least_turned = 0;
  for (int i = 0; i < d; i++)
    for (int j = 0; j < d; j++) T[j * d + i] = A[i * d + j];
  num_singular(d, d, T, V, turned);
  for (int k = 0; k < d; k++) {
    most = fmax(most, sigma[k]);
    if (sigma[k] < sigma[least]) least = k;
    if (turned[k] < turned[least_turned]) least_turned = k;
  }
  memcpy(p1, W + least * d, sizeof(double) * (size_t)d);
  memcpy(q0, V + least_turned * d, sizeof(double) * (size_t)d);
  memset(q1, 0, sizeof(double) * (size_t)d);
  memset(p0, 0, sizeof(double) * (size_t)d);
  for (int k = 0; k < d; k++) {
    if (k == least) continue;
    if (!(sigma[k] > simple * most)) return false;
    const double right = dot(d, W + k * d, q0) / sigma[k], left = dot(d, U + k * d, p1) / sigma[k];
    for (int i = 0; i < d; i++) q1[i] += U[k * d + i] * right;
    for (int i = 0; i < d; i++) p0[i] += W[k * d + i] * left;
  }
  const double scale = dot(d, p1, q1);
  if (!(fabs(scale) > slight * sqrt(dot(d, q1, q1)))) return false;
  if (!(fabs(dot(d, p1, q0)) < double_)) return false;
  for (int i = 0; i < d; i++) p1[i] /= scale;
  for (int i = 0; i < d; i++) p0[i] /= scale;
  const double along = dot(d, p0, q1);
  for (int i = 0; i < d; i++) p0[i] -= along * p1[i];
  return true;
}

bool study_takens_coefficients(study_linear* l, const bool* ignorable, base_arena* arena,
                               double form[2], double* error)
{
  *error = INFINITY;
  study_chart c = study_chart_new(l, ignorable, arena);
  const int d = c.d;
  double* A = base_arena_take(arena, sizeof(double) * (size_t)(d * d + 6 * d + 1));
  double *zero = A + d * d, *v[4] = {zero + d, zero + 2 * d, zero + 3 * d, zero + 4 * d};
  double* bent = zero + 5 * d;
  study_mode f = study_mode_new(&c, A, arena);
  if (d < 2 || !study_chart_slope(&c, zero, A) || !vectors(d, A, v, arena)) return false;
  memcpy(f.q.re, v[0], sizeof(double) * (size_t)d);
  double last[2] = {NAN, NAN}, h = widest;
  for (int turn = 0; turn < halvings; turn++, h /= 2) {
    if (!study_mode_bend(&f, h)) continue;
    double found[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
      for (int i = 0; i < d; i++) bent[i] = dot(d, f.B[0] + i * d, v[k]);
      if (k == 0) found[0] = dot(d, v[3], bent) / 2;
      found[1] += dot(d, v[k == 0 ? 2 : 3], bent);
    }
    const double away = fabs(found[0] - last[0]) + fabs(found[1] - last[1]);
    memcpy(last, found, sizeof last);
    if (!(away < *error)) continue;
    *error = away;
    memcpy(form, found, sizeof found);
    if (away < same * (fabs(found[0]) + fabs(found[1]))) break;
  }
  const double side = form[0] < 0 ? -1 : 1;
  for (int k = 0; k < 2; k++) form[k] *= side;
  return isfinite(*error);
}
