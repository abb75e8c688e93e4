// One motion on a mesh: its intervals closed, made from its start, and the mesh fitted to it.
//
// In an interval of length h accelerations are a polynomial through the nodes; with those as
// unknowns a_j,
//   Q_j = q + h c_j v + h^2 sum_k (A A)_jk a_k,   V_j = v + h sum_k A_jk a_k,
//   a_j = f(t_j, Q_j, V_j, p),
// which is Gauss's method for q' = v, v' = f: of order 2m at the knots (de Boor, Swartz 1973). The
// linear equations of Newton's step are solved for the nodes of each interval alone, by its first
// state and the param: what goes from interval to interval are states (condensation of parameters,
// as in Doedel's AUTO).
#include "study/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { m = study_mesh_degree, most_intervals = 4000, most_turns = 12, fewest = 4 };
static const double wasteful = 2; // intervals over those needed
static const double closed = 1e-13;
static const double least_share =
    1e-5; // of the largest acceleration: what a coordinate is measured by
static const double least_length = 1e-9; // of intervals
static const double least_change = 1e-3; // the same share, of changes

void study_profile_room(study_profile* p, const study_mesh* w, int count)
{
  if (count <= p->room) return;
  const size_t most = (size_t)(2 * count), n = (size_t)w->n, N = (size_t)w->N,
               wide = (size_t)w->wide;
  p->knot = base_realloc(p->knot, sizeof(double) * (most + 1));
  p->x = base_realloc(p->x, sizeof(double) * most * N);
  p->a = base_realloc(p->a, sizeof(double) * most * m * n);
  p->S = base_realloc(p->S, sizeof(double) * most * m * n * wide);
  p->E = base_realloc(p->E, sizeof(double) * most * N * wide);
  if (!p->u) p->u = base_alloc(sizeof(double) * (N + 2));
  p->room = (int)most;
}

void study_profile_copy(study_profile* to, const study_profile* from, const study_mesh* w)
{
  const size_t count = (size_t)from->count, n = (size_t)w->n, N = (size_t)w->N,
               wide = (size_t)w->wide;
  study_profile_room(to, w, from->count);
  memcpy(to->knot, from->knot, sizeof(double) * (count + 1));
  memcpy(to->x, from->x, sizeof(double) * count * N);
  memcpy(to->a, from->a, sizeof(double) * count * m * n);
  memcpy(to->S, from->S, sizeof(double) * count * m * n * wide);
  memcpy(to->E, from->E, sizeof(double) * count * N * wide);
  memcpy(to->u, from->u, sizeof(double) * (N + 2));
  to->count = from->count;
  to->off = from->off;
  to->reach = from->reach;
}

void study_profile_free(study_profile* p)
{
  free(p->knot);
  free(p->x);
  free(p->a);
  free(p->S);
  free(p->E);
  free(p->u);
}

// ---- one interval -------------------------------------------------------------------------------

// Most models have few coordinates, and what is done with a row is then short: for these counts the
// same is compiled with n as a number.
#define INLINE __attribute__((always_inline)) static inline

// state of node j of an interval with the length
INLINE void stage(const study_mesh* w, const double* x, const double* a, double h, int j, int n)
{
  const study_mesh_table* g = &w->g;
  for (int i = 0; i < n; i++) {
    double once = 0, twice = 0;
    for (int k = 0; k < m; k++) {
      once += g->A[j][k] * a[k * n + i];
      twice += g->A2[j][k] * a[k * n + i];
    }
    w->Q[i] = x[i] + h * (g->c[j] * x[n + i] + h * twice);
    w->V[i] = x[n + i] + h * once;
  }
}

// rows of node j, right sides and the block of unknowns, with derivatives there
INLINE void put_rows(const study_mesh* w, const double* a, double h, int j, int n)
{
  const study_linear* l = w->l;
  const int N = 2 * n;
  const double *J = l->J + n * N, *A = w->g.A[j], *A2 = w->g.A2[j];
  for (int i = 0; i < n; i++, J += N) {
    const int row = j * n + i;
    double *right = w->M + (size_t)row * (size_t)w->stride, *to = right + w->part;
    for (int k = 0; k < m; k++)
      for (int c = 0; c < n; c++) to[k * n + c] = -h * (A[k] * J[n + c] + h * A2[k] * J[c]);
    to[row] += 1;
    for (int c = 0; c < n; c++) {
      right[c] = J[c];
      right[n + c] = J[n + c] + h * w->g.c[j] * J[c];
    }
    right[N] = l->param < 0 ? 0 : l->Jp[i];
    right[N + 1] = l->e->a[i] - a[row];
  }
}

// the end of interval i with the length, and its changes
INLINE void put_end(const study_mesh* w, study_profile* p, int i, double h, double* end, int n)
{
  const int N = 2 * n, size = m * n, wide = N + 2;
  const double *x = p->x + i * N, *a = p->a + i * size;
  const double* S = p->S + (size_t)i * (size_t)(size * wide);
  for (int k = 0; k < n; k++) {
    double *E = p->E + (size_t)i * (size_t)(N * wide) + k * wide, *V = E + n * wide;
    double once = 0, twice = 0;
    for (int c = 0; c < wide; c++) E[c] = V[c] = 0;
    for (int j = 0; j < m; j++) {
      const double *row = S + (j * n + k) * wide, by = h * w->g.b[j], by2 = h * h * w->g.b2[j];
      for (int c = 0; c < wide; c++) {
        E[c] += by2 * row[c];
        V[c] += by * row[c];
      }
      once += by * a[j * n + k];
      twice += by2 * a[j * n + k];
    }
    E[k] += 1;
    E[n + k] += h;
    V[n + k] += 1;
    end[k] = x[k] + h * x[n + k] + twice;
    end[n + k] = x[n + k] + once;
  }
}

INLINE bool close_interval(study_mesh* w, study_profile* p, int i, double* end, int n)
{
  engine* e = w->l->e;
  const int N = 2 * n, size = m * n, wide = N + 2;
  const double T = p->u[N], h = T * (p->knot[i + 1] - p->knot[i]);
  const double *x = p->x + i * N, *a = p->a + i * size;
  double* S = p->S + (size_t)i * (size_t)(size * wide);
  for (int j = 0; j < m; j++) {
    stage(w, x, a, h, j, n);
    engine_state(e, w->t + T * p->knot[i] + h * w->g.c[j], w->Q, w->V);
    e->factored = false;
    if (study_linear_rates(w->l)) return false;
    put_rows(w, a, h, j, n);
  }
  if (!study_block_solve(size, wide, w->M)) return false;
  for (int k = 0; k < size; k++)
    memcpy(S + k * wide, w->M + (size_t)k * (size_t)w->stride, sizeof(double) * (size_t)wide);
  put_end(w, p, i, h, end, n);
  return true;
}

bool study_profile_close(study_mesh* w, study_profile* p, int i, double* end)
{
  switch (w->n) {
  case 1:
    return close_interval(w, p, i, end, 1);
  case 2:
    return close_interval(w, p, i, end, 2);
  default:
    return close_interval(w, p, i, end, w->n);
  }
}

void study_profile_stage(const study_mesh* w, const study_profile* p, int i, int j)
{
  const double h = p->u[w->N] * (p->knot[i + 1] - p->knot[i]);
  stage(w, p->x + i * w->N, p->a + i * m * w->n, h, j, w->n);
}

// ---- how well it is resolved --------------------------------------------------------------------

// Accelerations are one field, their changes by each part of the first state of an interval are
// others: value of field f at node j of interval i, coordinate c
static double field(const study_mesh* w, const study_profile* p, int f, int i, int j, int c)
{
  const int size = m * w->n;
  const int node = j * w->n + c;
  return f == 0
             ? p->a[i * size + node]
             : p->S[((size_t)i * (size_t)size + (size_t)node) * (size_t)w->wide + (size_t)(f - 1)];
}

// the largest part f of the states where intervals start
static double reach_of(const study_mesh* w, const study_profile* p, int f, int count)
{
  double most = 0;
  for (int i = 0; i < count; i++) most = fmax(most, fabs(p->x[i * w->N + f]));
  return most;
}

// What values of each field and coordinate are measured by, up to interval `count`: the largest of
// them. A change is also small beside what changes of the state as large as the motion bring about.
static void measure(study_mesh* w, const study_profile* p, int first, int count)
{
  for (int f = 0; f <= w->N; f++) {
    double most = 0, *scale = w->scale + f * w->n;
    for (int c = 0; c < w->n; c++) {
      if (first == 0) scale[c] = 0;
      for (int i = first; i < count; i++)
        for (int j = 0; j < m; j++) scale[c] = fmax(scale[c], fabs(field(w, p, f, i, j, c)));
      most = fmax(most, scale[c]);
    }
    const double reach = f ? reach_of(w, p, f - 1, count) : 0;
    for (int c = 0; c < w->n; c++) {
      scale[c] = fmax(scale[c], (f ? least_change : least_share) * most);
      if (reach > 0) scale[c] = fmax(scale[c], w->scale[c] / reach);
    }
  }
}

double study_profile_tail(const study_mesh* w, const study_profile* p, int i)
{
  double tail = 0;
  for (int f = 0; f <= w->N; f++)
    for (int c = 0; c < w->n; c++) {
      const double scale = w->scale[f * w->n + c];
      double last[2] = {0, 0};
      for (int j = 0; j < m && scale > 0; j++) {
        const double value = field(w, p, f, i, j, c) / scale;
        last[0] += w->g.P[m - 1][j] * value;
        last[1] += w->g.P[m - 2][j] * value;
      }
      // of even and odd motions every other one is nothing
      tail = fmax(tail, fmax(fabs(last[0]), 0.1 * fabs(last[1])));
    }
  return tail;
}

// ---- from the start -----------------------------------------------------------------------------

// accelerations of interval i from those of the one before, or from the state alone
static bool guess(study_mesh* w, study_profile* p, int i)
{
  engine* e = w->l->e;
  const int n = w->n, size = m * n;
  double value[m], sum[m], *a = p->a + i * size;
  if (i == 0) {
    engine_state(e, w->t, p->x, p->x + n);
    e->factored = false;
    if (study_linear_rates(w->l)) return false;
    for (int j = 0; j < m; j++) memcpy(a + j * n, e->a, sizeof(double) * (size_t)n);
    return true;
  }
  const double before = p->knot[i] - p->knot[i - 1], here = p->knot[i + 1] - p->knot[i];
  for (int j = 0; j < m; j++) {
    study_mesh_basis(&w->g, 1 + w->g.c[j] * here / before, value, sum);
    for (int c = 0; c < n; c++) {
      a[j * n + c] = 0;
      for (int k = 0; k < m; k++) a[j * n + c] += value[k] * (a - size)[k * n + c];
      // far away the polynomial is no guess
      if (!(fabs(a[j * n + c]) < 2 * w->scale[c])) a[j * n + c] = (a - size)[(m - 1) * n + c];
    }
  }
  return true;
}

// Newton's method for the nodes of interval i; false where it does not come to rest
static bool settle(study_mesh* w, study_profile* p, int i, double* end)
{
  const int size = m * w->n;
  double *a = p->a + i * size, last = INFINITY;
  if (!guess(w, p, i)) return false;
  for (int turn = 0; turn < most_turns; turn++) {
    if (!study_profile_close(w, p, i, end)) return false;
    const double* S = p->S + (size_t)i * (size_t)(size * w->wide) + w->N + 1;
    double off = 0, most = 0;
    for (int k = 0; k < size; k++) {
      a[k] += S[k * w->wide];
      off = fmax(off, fabs(S[k * w->wide]));
      most = fmax(most, fabs(a[k]));
    }
    if (!isfinite(off)) return false;
    if (off <= closed * most || (off < 1e-9 * most && off > 0.5 * last))
      return study_profile_close(w, p, i, end);
    last = off;
  }
  return false;
}

bool study_profile_march(study_mesh* w, study_profile* p, int most, const double* u)
{
  const int N = w->N;
  double h = 1.0 / 16;
  study_profile_room(p, w, 16);
  memcpy(p->u, u, sizeof(double) * (size_t)(N + 2));
  memcpy(p->x, u, sizeof(double) * (size_t)N);
  p->knot[0] = 0;
  for (p->count = 0; p->count < most && p->count < most_intervals;) {
    const int i = p->count;
    study_profile_room(p, w, i + 2);
    const bool last = p->knot[i] + h > 1 - 1e-3 * h;
    p->knot[i + 1] = last ? 1 : p->knot[i] + h;
    const double length = p->knot[i + 1] - p->knot[i];
    double tail = INFINITY;
    if (settle(w, p, i, w->last)) {
      measure(w, p, i, i + 1);
      tail = study_profile_tail(w, p, i);
    }
    const double share = tail > 0 ? pow(w->wanted / tail, 1.0 / (m - 1)) : 2;
    h = length * (isfinite(share) ? fmin(2, fmax(0.2, 0.9 * share)) : 0.2);
    if (!(tail < w->coarse)) {
      if (h < least_length) return false;
      continue;
    }
    p->count++;
    if (last) return true;
    memcpy(p->x + (i + 1) * N, w->last, sizeof(double) * (size_t)N);
  }
  return false;
}

// ---- another mesh -------------------------------------------------------------------------------

void study_profile_at(const study_mesh* w, const study_profile* p, int i, double s, double* x,
                      double* a)
{
  const int n = w->n, size = m * n;
  const double length = p->knot[i + 1] - p->knot[i], at = (s - p->knot[i]) / length;
  const double h = length * p->u[w->N];
  double value[m], sum[m], inner[m], twice[m] = {0};
  study_mesh_basis(&w->g, at, value, sum);
  for (int k = 0; k < m && x; k++) {
    double ignored[m];
    study_mesh_basis(&w->g, at * w->g.c[k], ignored, inner);
    for (int j = 0; j < m; j++) twice[j] += at * w->g.b[k] * inner[j];
  }
  for (int c = 0; c < n; c++) {
    const double *from = p->x + i * w->N, *f = p->a + i * size;
    double once = 0, second = 0, now = 0;
    for (int j = 0; j < m; j++) {
      once += sum[j] * f[j * n + c];
      second += twice[j] * f[j * n + c];
      now += value[j] * f[j * n + c];
    }
    if (x) x[c] = from[c] + h * (at * from[n + c] + h * second);
    if (x) x[n + c] = from[n + c] + h * once;
    if (a) a[c] = now;
  }
}

void study_profile_speed(const study_mesh* w, const study_profile* p, int i, int c, double s,
                         double* speed, double* change)
{
  const double length = p->knot[i + 1] - p->knot[i], h = length * p->u[w->N];
  const double* a = p->a + i * m * w->n + c;
  double value[m], sum[m], once = 0;
  study_mesh_basis(&w->g, (s - p->knot[i]) / length, value, sum);
  *change = 0;
  for (int j = 0; j < m; j++) {
    once += sum[j] * a[j * w->n];
    *change += value[j] * a[j * w->n];
  }
  *speed = p->x[i * w->N + w->n + c] + h * once;
}

// how many intervals the motion needs at each of those there are, tails as even as can be
static double densities(const study_mesh* w, const study_profile* p, double* need)
{
  double sum = 0;
  for (int i = 0; i < p->count; i++) {
    const double length = p->knot[i + 1] - p->knot[i], tail = study_profile_tail(w, p, i);
    need[i] = fmax(fmin(pow(tail / w->wanted, 1.0 / (m - 1)), 4), fewest * length);
  }
  // neighbours are of like length
  for (int turn = 0; turn < 2; turn++)
    for (int k = 1; k < p->count; k++) {
      const int i = turn ? p->count - 1 - k : k, j = turn ? i + 1 : i - 1;
      const double ratio = (p->knot[i + 1] - p->knot[i]) / (p->knot[j + 1] - p->knot[j]);
      need[i] = fmax(need[i], need[j] * ratio / 3);
    }
  for (int i = 0; i < p->count; i++) sum += need[i];
  return sum;
}

static void spread(const study_mesh* w, const study_profile* old, const double* need, double sum,
                   study_profile* p)
{
  const int n = w->n, size = m * n;
  int at = 0;
  double passed = 0;
  p->knot[0] = 0;
  for (int k = 1; k < p->count; k++) {
    const double want = sum * k / p->count;
    while (at < old->count - 1 && passed + need[at] < want) passed += need[at++];
    p->knot[k] = old->knot[at] + (old->knot[at + 1] - old->knot[at]) * (want - passed) / need[at];
  }
  p->knot[p->count] = 1;
  at = 0;
  for (int k = 0; k < p->count; k++)
    for (int j = -1; j < m; j++) {
      const double s = p->knot[k] + (j < 0 ? 0 : w->g.c[j] * (p->knot[k + 1] - p->knot[k]));
      while (at < old->count - 1 && old->knot[at + 1] < s) at++;
      while (at > 0 && old->knot[at] > s) at--;
      study_profile_at(w, old, at, s, j < 0 ? p->x + k * w->N : NULL,
                       j < 0 ? NULL : p->a + k * size + j * n);
    }
}

bool study_profile_adapt(study_mesh* w, study_profile* p)
{
  double worst = 0;
  measure(w, p, 0, p->count);
  for (int i = 0; i < p->count; i++) worst = fmax(worst, study_profile_tail(w, p, i));
  double* need = base_alloc(sizeof(double) * (size_t)(p->count + 1));
  const double sum = densities(w, p, need);
  const int count = (int)fmin(ceil(sum), most_intervals);
  const bool change = worst > w->coarse || p->count > wasteful * count + fewest;
  if (change) {
    study_profile old = {0};
    study_profile_copy(&old, p, w);
    study_profile_room(p, w, count);
    p->count = count;
    spread(w, &old, need, sum, p);
    study_profile_free(&old);
  }
  free(need);
  return change;
}
