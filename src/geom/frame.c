// A frame carried over the space: flat coordinates, or the hypersurface of a known second tensor.
//
// With b = 0 (flat), or b from Gauss's equations at every point where the curvature of three
// coordinates fixes it (gauss.c), the derivational formulas
//   d_a xi_c = G^s_ac xi_s + b_ac nu,  d_a nu = -g^sl b_al xi_s,  d_a x = xi_a  Briskin (2000),
//   (1.18)
// are integrated along the first coordinate from the middle of the box, from its nodes along the
// second, from those along the third; x on the nodes as polynomials. Nothing is fitted.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geom/embedding.h"
#include "num/num.h"
#include "step/step.h"

enum { MOST = 3, MOST_STATE = (MOST + 1) * (MOST + 2), MOST_SIDE = 31, BOXES = 4 };
static const double tolerance = 1e-12, works = 1e-6;

// y: x, then xi_1, ..., xi_n, then nu, each of n + 1 numbers
typedef struct walk
{
  const geom_space* s;
  int n, N, state, side;
  bool flat;
  int along;
  double b[MOST * MOST]; // in the middle: which sign is meant
  double q[MOST], middle[MOST];
  double node[MOST][MOST_SIDE]; // descending
  double* grid;                 // x at the nodes, N to each
} walk;

// b at q in the sense in which it is given in the middle
static bool tensor(const walk* w, const double* q, double* b)
{
  const int n = w->n;
  double same = 0;
  memset(b, 0, sizeof(double) * (size_t)(n * n));
  if (w->flat) return true;
  if (!geom_gauss_tensor(w->s, q, b)) return false;
  for (int i = 0; i < n * n; i++) same += b[i] * w->b[i];
  for (int i = 0; i < n * n && same < 0; i++) b[i] = -b[i];
  return true;
}

static int rhs(void* context, double t, const double* y, double* dy)
{
  walk* w = context;
  const int n = w->n, N = w->N, a = w->along;
  double q[MOST], b[MOST * MOST];
  memcpy(q, w->q, sizeof q);
  q[a] = t;
  geom_place* p = geom_place_make(w->s, q);
  const bool fine = p && p->at->regular && tensor(w, q, b);
  const double *xi = y + N, *nu = y + N * (n + 1);
  for (int k = 0; k < N && fine; k++) {
    dy[k] = xi[a * N + k];
    double sum = 0;
    for (int c = 0; c < n; c++) {
      double turn = b[a * n + c] * nu[k];
      for (int s = 0; s < n; s++) turn += p->at->second[(s * n + a) * n + c] * xi[s * N + k];
      dy[N + c * N + k] = turn;
      for (int l = 0; l < n; l++) sum -= p->at->inverse[c * n + l] * b[a * n + l] * xi[c * N + k];
    }
    dy[N * (n + 1) + k] = sum;
  }
  geom_place_free(p);
  return fine ? 0 : 1;
}

// ---- lines --------------------------------------------------------------------------------------

// from t to every place on one side of it, in their order
static bool reach(walk* w, double t, const double* y, int count, const double* at, double* out)
{
  double abs_tol[MOST_STATE], now[MOST_STATE];
  for (int i = 0; i < w->state; i++) abs_tol[i] = tolerance;
  const step_ode ode = {
      .n = w->state, .rhs = rhs, .context = w, .rel_tol = tolerance, .abs_tol = abs_tol};
  const size_t bytes = sizeof(double) * (size_t)w->state;
  step_stepper* s = step_method_dop853.create(&step_method_dop853, &ode);
  memcpy(now, y, bytes);
  bool fine = true;
  for (int i = 0; i < count && fine; i++) {
    // a node in the middle is the middle up to rounding
    if (fabs(at[i] - t) > 1e-12 * (1 + fabs(t))) {
      fine = step_carry(s, t, now, at[i], &(step_way){.most_steps = 500}) == STEP_OK;
      memcpy(now, s->y, bytes);
      t = at[i];
    }
    memcpy(out + i * w->state, now, bytes);
  }
  s->method->destroy(s);
  return fine;
}

// the coordinates from `depth` on, from the state y in their middle; at: number of the node so far
static bool fill(walk* w, int depth, const double* y, int at)
{
  if (depth == w->n) {
    memcpy(w->grid + at * w->N, y, sizeof(double) * (size_t)w->N);
    return true;
  }
  const int half = w->side / 2;
  double* up = base_alloc(sizeof(double) * (size_t)(w->side * (w->state + 1)));
  double *state = up + w->side, *node = w->node[depth];
  for (int i = 0; i < half; i++) up[i] = node[half - 1 - i];
  w->along = depth;
  bool fine = reach(w, w->middle[depth], y, half, up, state) &&
              reach(w, w->middle[depth], y, w->side - half, node + half, state + half * w->state);
  for (int i = 0; i < w->side && fine; i++) {
    w->q[depth] = node[i];
    const int from = i < half ? half - 1 - i : i;
    fine = fill(w, depth + 1, state + from * w->state, at * w->side + i);
  }
  w->q[depth] = w->middle[depth];
  free(up);
  return fine;
}

// ---- the map ------------------------------------------------------------------------------------

// the frame in the middle: rows of the Cholesky factor, the normal along the last axis
static bool frame(const walk* w, double* y)
{
  const int n = w->n, N = w->N;
  double L[MOST * MOST];
  memset(y, 0, sizeof(double) * MOST_STATE);
  if (!geom_space_metric(w->s, w->middle, L) || !num_cholesky(n, L, 0)) return false;
  for (int a = 0; a < n; a++)
    for (int k = 0; k <= a; k++) y[N + a * N + k] = L[a * n + k];
  y[N * (n + 1) + n] = 1;
  return true;
}

// x on the grid as polynomials
static void take(const walk* w, int nodes, geom_patch* p)
{
  const int side = w->side;
  double wave[MOST_SIDE][MOST_SIDE];
  for (int d = 0; d < side; d++)
    for (int i = 0; i < side; i++)
      wave[d][i] = (d ? 2.0 : 1.0) / side * cos(d * M_PI * (i + 0.5) / side);
  for (int h = 0; h < p->basis; h++)
    for (int at = 0; at < nodes; at++) {
      double part = 1;
      for (int a = w->n - 1, rest = at; a >= 0; a--, rest /= side)
        part *= wave[p->power[h * w->n + a]][rest % side];
      for (int k = 0; k < p->N; k++) p->c[k * p->basis + h] += part * w->grid[at * w->N + k];
    }
}

static bool on_box(geom_embedding* e, bool flat, const double* low, const double* high,
                   geom_patch* p)
{
  const int n = e->n;
  walk w = {.s = e->s, .n = n, .N = n + 1, .state = (n + 1) * (n + 2), .flat = flat};
  w.side = n == 2 ? MOST_SIDE : 11;
  for (int a = 0; a < n; a++) {
    w.q[a] = w.middle[a] = (low[a] + high[a]) / 2;
    for (int i = 0; i < w.side; i++)
      w.node[a][i] = w.middle[a] + (high[a] - low[a]) / 2 * cos(M_PI * (i + 0.5) / w.side);
  }
  double y[MOST_STATE];
  if (!flat && !geom_gauss_tensor(e->s, w.middle, w.b)) return false;
  if (!frame(&w, y)) return false;
  int nodes = 1;
  for (int a = 0; a < n; a++) nodes *= w.side;
  w.grid = base_alloc(sizeof(double) * (size_t)(nodes * w.N));
  const bool fine = fill(&w, 0, y, 0);
  if (fine) {
    *p = geom_patch_take(e->arena, n, flat ? n : n + 1, w.side - 1, low, high);
    take(&w, nodes, p);
  }
  free(w.grid);
  return fine;
}

static void patch_slope(const void* map, const double* q, double* dx)
{
  geom_patch_eval(map, q, NULL, dx, NULL);
}

bool geom_frame_find(geom_embedding* e, bool flat)
{
  const int n = e->n;
  const size_t bytes = sizeof(double) * (size_t)n;
  double low[MOST], high[MOST];
  if (n < 2 || n > MOST || (!flat && n != 3)) return false;
  memcpy(low, e->low, bytes);
  memcpy(high, e->high, bytes);
  for (int i = 0; i < BOXES; i++) {
    double *l = geom_take(e->arena, 2 * n, sizeof(double)), *h = l + n;
    memcpy(l, low, bytes);
    memcpy(h, high, bytes);
    geom_patch p;
    if (on_box(e, flat, l, h, &p)) {
      const double error = geom_isometry_error(e->s, &p, patch_slope, p.N, l, h, n == 2 ? 41 : 11);
      if (error < works) {
        if (i) geom_embedding_note(e, "on a part of the region only, around the point");
        e->low = l;
        e->high = h;
        return geom_embedding_patch(e, &p, error,
                                    flat ? "canonical coordinates" : "a hypersurface");
      }
    }
    geom_embedding_shrink(e, low, high);
  }
  return false;
}
