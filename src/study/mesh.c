// Motions on a mesh, one after the other: Newton's method on all unknowns, seen from the few.
//
// Whoever asks knows u = (state at the start, period, param) alone. When u changes, all states and
// accelerations of the mesh go along by the linear equations of the motion before, with what closed
// them: that is Newton's step on the full equations where the change of u is one on the condensed
// ones (lifted Newton method: Albersmeyer, Diehl, SIAM J. Optim. 20 (2010), 1655). So states far
// along the motion are not those of a flight from its start, which unstable motions leave.
#include "study/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { m = study_mesh_degree, most_turns = 12, most_meshes = 6 };
// intervals of a motion that is not near to the one before: times those of that, and so many
enum { more = 4, some = 32, most_intervals = 4000 };
static const double usable = 0.3; // what Newton's step may add to be one of a motion near by
static const double near = 1e-4;  // the mesh is looked at
static const double whole = 1e-11;
static const double usual_tail = 2e-5;  // of motions as exact as usual
static const double most_wanted = 5e-3; // tails beyond are no measure of errors

study_mesh* study_mesh_new(study_linear* l, double tolerance)
{
  const int n = l->n, N = 2 * n, size = m * n;
  study_mesh* w = base_alloc(sizeof *w);
  *w = (study_mesh){.l = l, .g = study_mesh_numbers(), .n = n, .N = N, .wide = N + 2};
  // errors are squares of tails and less
  w->wanted = fmin(most_wanted, usual_tail * sqrt(tolerance / STUDY_EXACT));
  w->coarse = 3 * w->wanted;
  w->whole = fmax(whole, tolerance);
  w->part = study_block_part(w->wide);
  w->stride = w->part + study_block_part(size);
  w->M = base_alloc(sizeof(double) *
                    (size_t)(size * w->stride + 2 * N * w->wide + 2 * N + n * (N + 1)));
  w->P = w->M + size * w->stride;
  w->Q = w->P + 2 * N * w->wide;
  w->V = w->Q + n;
  w->last = w->V + n;
  w->scale = w->last + N;
  w->now.off = w->good.off = INFINITY;
  return w;
}

void study_mesh_free(study_mesh* w)
{
  if (!w) return;
  study_profile_free(&w->now);
  study_profile_free(&w->good);
  free(w->M);
  free(w);
}

void study_mesh_forget(study_mesh* w)
{
  w->now.off = w->good.off = INFINITY;
}

void study_mesh_keep(study_mesh* w)
{
  study_profile_copy(&w->good, &w->now, w);
  w->fitted = false;
}

bool study_mesh_settle(study_mesh* w)
{
  w->settle = true;
  return !(w->now.off <= w->whole);
}

bool study_mesh_knows(const study_mesh* w)
{
  return w->good.off < usable;
}

double study_mesh_off(const study_mesh* w)
{
  return w->now.off;
}

// states and accelerations go along their own motion, to the same shares of a longer period
static void stretch(const study_mesh* w, study_profile* p, double by)
{
  const int n = w->n, size = m * n;
  const double T = p->u[w->N];
  double value[m], sum[m], slope[m];
  study_mesh_basis(&w->g, 0, value, sum);
  for (int i = 0; i < p->count; i++) {
    const double length = p->knot[i + 1] - p->knot[i];
    double *x = p->x + i * w->N, *a = p->a + i * size;
    for (int c = 0; c < n; c++) {
      double first = 0;
      for (int j = 0; j < m; j++) {
        first += value[j] * a[j * n + c];
        slope[j] = 0;
        for (int k = 0; k < m; k++) slope[j] += w->g.D[j][k] * a[k * n + c] / (T * length);
      }
      x[c] += p->knot[i] * by * x[n + c];
      x[n + c] += p->knot[i] * by * first;
      for (int j = 0; j < m; j++) a[j * n + c] += (p->knot[i] + w->g.c[j] * length) * by * slope[j];
    }
  }
}

// along the linear equations of p to those of u
static void move(const study_mesh* w, study_profile* p, const double* u)
{
  const int N = w->N, size = m * w->n;
  double *D = w->P, *next = D + w->wide;
  for (int j = 0; j < N; j++) D[j] = u[j] - p->u[j];
  D[N] = u[N + 1] - p->u[N + 1];
  D[N + 1] = 1;
  next[N] = D[N];
  next[N + 1] = 1;
  for (int i = 0; i < p->count; i++) {
    const double *S = p->S + (size_t)i * (size_t)(size * w->wide), *E = p->E + i * N * w->wide;
    for (int k = 0; k < size; k++) {
      double by = 0;
      for (int c = 0; c < w->wide; c++) by += S[k * w->wide + c] * D[c];
      p->a[i * size + k] += by;
    }
    for (int r = 0; r < N; r++) {
      next[r] = 0;
      for (int c = 0; c < w->wide; c++) next[r] += E[r * w->wide + c] * D[c];
      p->x[i * N + r] += D[r];
    }
    memcpy(D, next, sizeof(double) * (size_t)N);
  }
  const double by = u[N] - p->u[N];
  if (by != 0) stretch(w, p, by);
  memcpy(p->u, u, sizeof(double) * (size_t)(N + 2));
  // exactly: nothing is lost to rounding at the start
  memcpy(p->x, u, sizeof(double) * (size_t)N);
}

// all intervals closed, and how far they are from that
static bool close_all(study_mesh* w, study_profile* p)
{
  const int N = w->N, size = m * w->n;
  double most = 0, added = 0, far = 0, gap = 0;
  p->off = INFINITY;
  for (int i = 0; i < p->count; i++) {
    if (!study_profile_close(w, p, i, w->last)) return false;
    const double *S = p->S + (size_t)i * (size_t)(size * w->wide) + N + 1, *x = p->x + i * N;
    double* E = p->E + i * N * w->wide;
    for (int k = 0; k < size; k++) {
      most = fmax(most, fabs(p->a[i * size + k]));
      added = fmax(added, fabs(S[k * w->wide]));
    }
    for (int r = 0; r < N; r++) {
      const bool end = i == p->count - 1;
      const double missed = end ? 0 : w->last[r] - x[N + r];
      E[r * w->wide + N + 1] += missed;
      far = fmax(far, fabs(x[r]));
      gap = fmax(gap, fabs(missed));
    }
  }
  p->reach = far;
  p->off = (most > 0 ? added / most : added) + (far > 0 ? gap / far : gap);
  return isfinite(p->off);
}

// from which of the motions known to go on; null: from none
static const study_profile* nearest(const study_mesh* w, const double* u)
{
  const study_profile *list[2] = {&w->now, &w->good}, *best = NULL;
  double least = INFINITY;
  for (int k = 0; k < 2; k++) {
    if (!(list[k]->off < usable)) continue;
    double far = 0;
    for (int j = 0; j < w->N + 2; j++) {
      const double size = fmax(fabs(u[j]) + fabs(list[k]->u[j]), j < w->N ? list[k]->reach : 0);
      if (size > 0) far = fmax(far, fabs(u[j] - list[k]->u[j]) / size);
    }
    if (far < least) best = list[k];
    least = fmin(least, far);
  }
  return best;
}

// the end of the last interval, and what all intervals before it make of the start
static void condense(const study_mesh* w, const study_profile* p, double* y)
{
  const int N = w->N, wide = w->wide;
  double *P = w->P, *next = P + N * wide;
  for (int k = 0; k < N * wide; k++) P[k] = k % wide == k / wide;
  for (int i = 0; i < p->count; i++) {
    const double* E = p->E + i * N * wide;
    for (int r = 0; r < N; r++)
      for (int c = 0; c < wide; c++) {
        double sum = c >= N ? E[r * wide + c] : 0;
        for (int k = 0; k < N; k++) sum += E[r * wide + k] * P[k * wide + c];
        next[r * wide + c] = sum;
      }
    memcpy(P, next, sizeof(double) * (size_t)(N * wide));
  }
  for (int r = 0; r < N; r++) {
    y[r] = w->last[r] + P[r * wide + N + 1];
    memcpy(y + N + r * (N + 1), P + r * wide, sizeof(double) * (size_t)(N + 1));
  }
}

// to u, from the motions known or from the start of this one
static bool reach(study_mesh* w, const double* u)
{
  const study_profile* from = nearest(w, u);
  for (int turn = from ? 0 : 2; turn < 3; turn++) {
    if (turn == 1 && (from == &w->good || !study_mesh_knows(w))) continue;
    if (turn < 2) {
      const study_profile* base = turn ? &w->good : from;
      if (base != &w->now) study_profile_copy(&w->now, base, w);
      move(w, &w->now, u);
    } else if (!study_profile_march(
                   w, &w->now, study_mesh_knows(w) ? more * w->good.count + some : most_intervals,
                   u)) {
      w->now.off = INFINITY;
      return false;
    }
    if (close_all(w, &w->now) && w->now.off < usable) return true;
  }
  return false;
}

bool study_mesh_fly(study_mesh* w, double t, const double* u, double* y)
{
  w->t = t;
  if (!reach(w, u)) return false;
  for (int turn = 0; turn < most_turns && w->settle && w->now.off > w->whole; turn++) {
    move(w, &w->now, u);
    if (!close_all(w, &w->now)) return false;
  }
  w->settle = false;
  for (int turn = 0; turn < most_meshes && !w->fitted && w->now.off < near; turn++) {
    w->fitted = !study_profile_adapt(w, &w->now);
    if (!w->fitted && !close_all(w, &w->now)) return false;
  }
  condense(w, &w->now, y);
  return true;
}
