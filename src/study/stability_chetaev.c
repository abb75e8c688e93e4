// Chetaev's criterion for the top on a vibrating pivot, as a verdict beside the multipliers.
//
// In a plane of two coordinates z = (x, y) whose changes obey
//   z'' = gyro J z' + b(t) z,   J = (0 -1; 1 0)
// (a sleeping top: gyro = C r0/A, b = m z0 (g + w'')/A - mu (1 - C/A), w(t) the height of the
// pivot) Chetaev's function V = x1 y2 - x2 y1 of angular velocities and direction cosines has a
// positive definite rate where gyro^2 < 4 min b: the motion is unstable. For a pivot alpha cos(k t)
//   C^2 r0^2 - 4 m z0 A (g - alpha k^2) + 4 mu A (A - C) < 0,
// the corrected form of the published inequalities. In axes that turn with w, gyro becomes gyro
// - 2 w and b becomes b + w^2 - gyro w: the criterion is the same. Elsewhere it is silent.
//
// A motion may be at rest but for ignorable coordinates, or carried along by a symmetry with v = C
// q
// + c (a spin by quaternion); in axes that move along, with J = (0 1; J_q J_v),
//   z'' = (J_q + J_v C - C^2) z + (J_v - 2 C) z'.
#include "study/stability.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { samples = 240, turns = 60 };
static const double small = 1e-9; // against the largest entry of the linear system

typedef struct plane
{
  double gyro, b;
  bool isotropic;
} plane;

// the two rows of J of the accelerations of i and j
static plane look(const study_linear* l, int i, int j, double size)
{
  const int n = l->n, N = 2 * n;
  const double *x = l->J + (n + i) * N, *y = l->J + (n + j) * N;
  plane p = {.gyro = y[n + i], .b = x[i], .isotropic = true};
  for (int k = 0; k < N; k++) {
    const double want_x = k == i ? p.b : k == n + j ? -p.gyro : 0;
    const double want_y = k == j ? p.b : k == n + i ? p.gyro : 0;
    p.isotropic =
        p.isotropic && fabs(x[k] - want_x) <= small * size && fabs(y[k] - want_y) <= small * size;
  }
  return p;
}

typedef struct moving
{
  study_linear* l;
  const study_stability* r;
  const double* C; // n by n
} moving;

// the rows of the accelerations in axes that move along
static void turn_rows(const moving* m)
{
  const int n = m->l->n, N = 2 * n;
  const double* C = m->C;
  for (int i = 0; i < n; i++) {
    double* row = m->l->J + (n + i) * N;
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) row[j] += row[n + k] * C[k * n + j] - C[i * n + k] * C[k * n + j];
    for (int j = 0; j < n; j++) row[n + j] -= 2 * C[i * n + j];
  }
}

// J there at the state of r and another time; false where something accelerates otherwise
static bool go_to(const moving* m, double t, double* size)
{
  study_linear* l = m->l;
  engine* e = l->e;
  const int n = l->n;
  engine_state(e, t, m->r->q, m->r->v);
  e->factored = false;
  if (study_linear_at(l)) return false;
  *size = 0;
  for (int i = 0; i < 4 * n * n; i++) *size = fmax(*size, fabs(l->J[i]));
  for (int i = 0; i < n; i++) {
    double off = e->a[i];
    for (int j = 0; j < n; j++) off -= m->C[i * n + j] * e->v[j];
    if (fabs(off) > small * *size) return false;
  }
  turn_rows(m);
  return true;
}

// b of the plane at a time; nan where the plane is none
static double b_at(const moving* m, const int* pair, double gyro, double t)
{
  double size;
  if (!go_to(m, t, &size)) return NAN;
  const plane p = look(m->l, pair[0], pair[1], size);
  return p.isotropic && fabs(p.gyro - gyro) <= 10 * small * size ? p.b : NAN;
}

// the least b over a period: samples, then the golden section about the least of them
static double least_b(const moving* m, const int* pair, double gyro)
{
  const study_stability* r = m->r;
  const double step = r->period / samples, golden = 0.6180339887498949;
  double least = INFINITY, at = r->t;
  for (int i = 0; i < samples; i++) {
    const double b = b_at(m, pair, gyro, r->t + i * step);
    if (isnan(b)) return NAN;
    if (b < least) least = b, at = r->t + i * step;
  }
  double low = at - step, high = at + step;
  for (int i = 0; i < turns; i++) {
    const double x1 = high - golden * (high - low), x2 = low + golden * (high - low);
    const double b1 = b_at(m, pair, gyro, x1), b2 = b_at(m, pair, gyro, x2);
    least = fmin(least, fmin(b1, b2));
    if (b1 < b2)
      high = x2;
    else
      low = x1;
  }
  return least;
}

static void try_pair(const moving* m, study_stability* r, int i, int j)
{
  double size;
  if (!go_to(m, r->t, &size)) return;
  const plane p = look(m->l, i, j, size);
  if (!p.isotropic) return;
  const int pair[2] = {i, j};
  const double least = least_b(m, pair, p.gyro);
  if (!isfinite(least)) return;
  const double value = p.gyro * p.gyro - 4 * least, terms = p.gyro * p.gyro + 4 * fabs(least);
  // of several planes the one that speaks, or the one nearest to it
  if (r->chetaev.fits && value >= r->chetaev.value) return;
  r->chetaev = (study_chetaev){.fits = true,
                               .speaks = value < -1e-9 * terms,
                               .pair = {i, j},
                               .gyro = p.gyro,
                               .least = least,
                               .value = value};
}

void study_chetaev_look(study_linear* l, const study_symmetry* s, study_stability* r)
{
  const int n = r->n;
  double* C = base_alloc(sizeof(double) * (size_t)(n * n + n + (s ? s->count : 0) + 1));
  bool carried = true;
  if (s) {
    double* xi = C + n * n + n;
    carried = study_relative_speed(s, r->q, r->v, xi) < 1e-6;
    study_symmetry_sum(s, xi, 0, C, C + n * n);
  }
  for (int i = 0; i < n && !s; i++) carried = carried && (r->ignorable[i] || r->v[i] == 0);
  const moving m = {.l = l, .r = r, .C = C};
  for (int i = 0; i < n && carried; i++)
    for (int j = i + 1; j < n; j++)
      if (!r->ignorable[i] && !r->ignorable[j]) try_pair(&m, r, i, j);
  free(C);
}
