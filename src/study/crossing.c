// Where two curves of solutions cross: by a defining system of its own.
//
// Off the crossing F(u) + mu p = 0 has solutions for all u0 + a n1 + b n2 + ..., with p across the
// range of J and n1, n2 the plane of its null space there (Lyapunov and Schmidt). mu(a, b) is zero
// along both curves, so that they cross where its derivatives vanish: those of the bordered system
//   J w_i + g_i p = 0,  n_k . w_i = 1 if i = k, else 0,  mu_a = g_1, mu_b = g_2
// (Govaerts 2000, chapter 4), which stays regular there. The root of g is found by Newton's method,
// with second derivatives of mu from differences of g; it is as exact as J itself is. Where mu is
// not zero at the root the curves pass each other without meeting.
#include "study/curve.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_turns = 12, most_corrections = 10 };
static const double vanishing = 1e-7; // rows of J that say nothing, over the largest
static const double dependent = 1e-9; // pivots of equations that follow from others
static const double finished = 1e-13; // steps in the plane
static const double solved = 1e-14;   // steps across it
static const double meets = 1e-9;     // mu at a crossing
static const double spacing = 1e-3;   // of differences
static const double far = 0.3;        // steps that lead elsewhere

typedef struct crossing
{
  study_curve* c;
  int wide, rows;
  double *u, *from;  // unknowns now, and where the plane is put up
  double *p, *n;     // across the range; the plane, two rows
  double *M, *b, *x; // the bordered system
  double mu, g[2];
  num_null* null;
} crossing;

// J and F in the measure of unknowns and equations; the largest entry, nan where there is no value
static double evaluate(study_curve* c, const double* u)
{
  double most = 0;
  c->is_seen = false;
  if (c->f(c->context, u, c->F, c->J)) return NAN;
  for (int i = 0; i < c->rows; i++)
    for (int j = 0; j < c->wide; j++)
      most = fmax(most, fabs(c->J[i * c->wide + j] *= c->weight[j]));
  for (int i = 0; i < c->rows; i++) {
    const double scale = c->size[i] > vanishing * most ? c->size[i] : INFINITY;
    c->F[i] /= scale;
    for (int j = 0; j < c->wide; j++) c->J[i * c->wide + j] /= scale;
  }
  return most;
}

// right singular vectors (rows of c->W) and left ones (rows of T, `rows` wide) at u, and the
// numbers of the two smallest
static bool take_apart(study_curve* c, const double* u, double* T, int k[2])
{
  if (c->settle) c->settle(c->context);
  if (!isfinite(evaluate(c, u))) return false;
  for (int i = 0; i < c->rows; i++)
    for (int j = 0; j < c->wide; j++) T[j * c->rows + i] = c->J[i * c->wide + j];
  num_singular(c->wide, c->rows, T, c->W, c->sigma);
  k[0] = k[1] = -1;
  for (int j = 0; j < c->wide; j++)
    if (k[0] < 0 || c->sigma[j] < c->sigma[k[0]]) {
      k[1] = k[0];
      k[0] = j;
    } else if (k[1] < 0 || c->sigma[j] < c->sigma[k[1]]) {
      k[1] = j;
    }
  return k[1] >= 0;
}

// the bordered matrix at the unknowns now
static bool border(crossing* x)
{
  const study_curve* c = x->c;
  const int wide = x->wide + 1;
  if (!isfinite(evaluate(x->c, x->u))) return false;
  memset(x->M, 0, sizeof(double) * (size_t)((x->rows + 2) * wide));
  for (int i = 0; i < x->rows; i++) {
    memcpy(x->M + i * wide, c->J + i * x->wide, sizeof(double) * (size_t)x->wide);
    x->M[i * wide + x->wide] = x->p[i];
  }
  for (int k = 0; k < 2; k++)
    memcpy(x->M + (x->rows + k) * wide, x->n + k * x->wide, sizeof(double) * (size_t)x->wide);
  return num_null_factor(x->null, x->rows + 2, wide, x->M, dependent) == wide;
}

// the solution above a, b of the plane, and the derivatives of mu there
static bool stand(crossing* x, const double* at)
{
  const study_curve* c = x->c;
  double step = INFINITY;
  for (int turn = 0; turn < most_corrections && step > solved; turn++) {
    if (!border(x)) return false;
    for (int i = 0; i < x->rows; i++) x->b[i] = -c->F[i] - x->mu * x->p[i];
    for (int k = 0; k < 2; k++) {
      x->b[x->rows + k] = at[k];
      for (int j = 0; j < x->wide; j++)
        x->b[x->rows + k] -= x->n[k * x->wide + j] * (x->u[j] - x->from[j]) / c->weight[j];
    }
    num_null_find(x->null, x->b, x->x);
    const double last = step;
    step = 0;
    for (int j = 0; j < x->wide; j++) {
      x->u[j] += c->weight[j] * x->x[j];
      step = fmax(step, fabs(x->x[j]));
    }
    x->mu += x->x[x->wide];
    if (!(step < far) || (turn > 3 && step > 1e-9 && step > 0.5 * last)) return false;
    if (step < 1e-12 && step > 0.5 * last) break; // rounding
  }
  if (!border(x)) return false;
  for (int k = 0; k < 2; k++) {
    memset(x->b, 0, sizeof(double) * (size_t)(x->rows + 2));
    x->b[x->rows + k] = 1;
    num_null_find(x->null, x->b, x->x);
    x->g[k] = x->x[x->wide];
  }
  return isfinite(x->g[0]) && isfinite(x->g[1]);
}

// second derivatives of mu at `at`, by differences
static bool bend(crossing* x, const double* at, double H[4])
{
  for (int k = 0; k < 2; k++) {
    double side[2][2];
    for (int s = 0; s < 2; s++) {
      double there[2] = {at[0], at[1]};
      there[k] += s ? -spacing : spacing;
      if (!stand(x, there)) return false;
      memcpy(side[s], x->g, sizeof x->g);
    }
    for (int i = 0; i < 2; i++) H[i * 2 + k] = (side[0][i] - side[1][i]) / (2 * spacing);
  }
  return true;
}

static bool solve(crossing* x)
{
  double at[2] = {0, 0}, H[4], last = INFINITY;
  if (!stand(x, at) || !bend(x, at, H)) return false;
  const double size = fmax(fmax(fabs(H[0]), fabs(H[1])), fmax(fabs(H[2]), fabs(H[3])));
  const double det = H[0] * H[3] - H[1] * H[2];
  // two curves that cross at an angle: mu has a saddle there
  if (!(det < -1e-12 * size * size)) return false;
  for (int turn = 0; turn < most_turns; turn++) {
    if (!stand(x, at)) return false;
    const double da = (H[1] * x->g[1] - H[3] * x->g[0]) / det;
    const double db = (H[2] * x->g[0] - H[0] * x->g[1]) / det;
    const double step = hypot(da, db);
    if (!(step < far)) return false;
    if (step < finished || (step < 1e-10 && step > 0.5 * last)) return fabs(x->mu) < meets;
    if (turn > 2 && step > 0.5 * last) return false;
    at[0] += da;
    at[1] += db;
    last = step;
  }
  return false;
}

bool study_curve_cross(study_curve* c, const double* beside, double* u)
{
  const int wide = c->wide, rows = c->rows;
  crossing x = {.c = c, .wide = wide, .rows = rows, .mu = 0};
  const size_t room = (size_t)(2 * wide + rows + 2 * wide + (rows + 2) * (wide + 1) + (rows + 2) +
                               (wide + 1) + wide * rows);
  x.u = base_alloc(sizeof(double) * room);
  x.from = x.u + wide;
  x.p = x.from + wide;
  x.n = x.p + rows;
  x.M = x.n + 2 * wide;
  x.b = x.M + (rows + 2) * (wide + 1);
  x.x = x.b + rows + 2;
  double* T = x.x + wide + 1;
  x.null = num_null_new(rows + 2, wide + 1);
  int k[2];
  bool fine = c->plain && take_apart(c, beside, T, k) && c->sigma[k[1]] > 0;
  if (fine) memcpy(x.p, T + k[1] * rows, sizeof(double) * (size_t)rows);
  fine = fine && take_apart(c, u, T, k);
  for (int i = 0; i < 2 && fine; i++)
    memcpy(x.n + i * wide, c->W + k[i] * wide, sizeof(double) * (size_t)wide);
  memcpy(x.u, u, sizeof(double) * (size_t)wide);
  memcpy(x.from, u, sizeof(double) * (size_t)wide);
  if (fine) c->plain(c->context, true);
  fine = fine && solve(&x);
  if (c->plain) c->plain(c->context, false);
  if (fine) memcpy(u, x.u, sizeof(double) * (size_t)wide);
  num_null_free(x.null);
  free(x.u);
  return fine;
}
