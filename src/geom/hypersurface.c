// Three coordinates whose curvature fixes the second tensor: the hypersurface by integration.
//
// b from Gauss's equations at every point (gauss.c), then the derivational formulas
//   d_a xi_c = G^s_ac xi_s + b_ac nu,  d_a nu = -g^sl b_al xi_s,  d_a x = xi_a  Briskin (2000),
//   (1.18)
// along the first coordinate from the middle of the box, from its nodes along the second, from
// those along the third; x on the nodes as polynomials. Nothing is fitted.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geom/embedding.h"

enum { n = 3, N = 4, SIDE = 11, STATE = N * (n + 2), BOXES = 4 };
static const double tolerance = 1e-12, works = 1e-6;

// y: x, then xi_1, xi_2, xi_3, then nu
typedef struct walk
{
  const geom_space* s;
  const double* sign; // b in the middle
  int along;
  double q[n];
} walk;

// b at q in the sense in which it is given in the middle
static bool tensor(const walk* w, const double* q, double* b)
{
  if (!geom_gauss_tensor(w->s, q, b)) return false;
  double same = 0;
  for (int i = 0; i < n * n; i++) same += b[i] * w->sign[i];
  for (int i = 0; i < n * n && same < 0; i++) b[i] = -b[i];
  return true;
}

static int rhs(void* context, double t, const double* y, double* dy)
{
  walk* w = context;
  double q[n], b[n * n];
  memcpy(q, w->q, sizeof q);
  q[w->along] = t;
  geom_place* p = geom_place_make(w->s, q);
  const bool fine = p && p->at->regular && tensor(w, q, b);
  const double *xi = y + N, *nu = y + N * (n + 1);
  for (int k = 0; k < N && fine; k++) {
    dy[k] = xi[w->along * N + k];
    double sum = 0;
    for (int c = 0; c < n; c++) {
      double turn = b[w->along * n + c] * nu[k];
      for (int s = 0; s < n; s++) turn += p->at->second[(s * n + w->along) * n + c] * xi[s * N + k];
      dy[N + c * N + k] = turn;
      for (int l = 0; l < n; l++)
        sum -= p->at->inverse[c * n + l] * b[w->along * n + l] * xi[c * N + k];
    }
    dy[N * (n + 1) + k] = sum;
  }
  geom_place_free(p);
  return fine ? 0 : 1;
}

// from t to every node on one side of it, in their order
static bool side(walk* w, double t, const double* y, int count, const double* at, double* out)
{
  double abs_tol[STATE], now[STATE];
  for (int i = 0; i < STATE; i++) abs_tol[i] = tolerance;
  const num_ode ode = {
      .n = STATE, .rhs = rhs, .context = w, .rel_tol = tolerance, .abs_tol = abs_tol};
  num_stepper* s = num_method_dop853.create(&num_method_dop853, &ode);
  memcpy(now, y, sizeof now);
  bool fine = true;
  for (int i = 0; i < count && fine; i++) {
    if (fabs(at[i] - t) > 1e-12 * (1 + fabs(t))) {
      fine = s->method->start(s, t, now, at[i]) == NUM_OK;
      for (int k = 0; fine && s->t != at[i] && k < 500; k++)
        fine = s->method->step(s, at[i]) == NUM_OK;
      fine = fine && s->t == at[i];
      memcpy(now, s->y, sizeof now);
      t = at[i];
    }
    memcpy(out + i * STATE, now, sizeof now);
  }
  s->method->destroy(s);
  return fine;
}

// from the middle to all nodes of a line, which come in descending order
static bool line(walk* w, const double* middle, const double* y, const double* node, double* out)
{
  enum { HALF = SIDE / 2 };
  double up[HALF], state[HALF * STATE];
  for (int i = 0; i < HALF; i++) up[i] = node[HALF - 1 - i];
  if (!side(w, middle[w->along], y, HALF, up, state)) return false;
  for (int i = 0; i < HALF; i++)
    memcpy(out + (HALF - 1 - i) * STATE, state + i * STATE, sizeof(double) * STATE);
  return side(w, middle[w->along], y, SIDE - HALF, node + HALF, out + HALF * STATE);
}

// the frame in the middle: rows of the Cholesky factor, the normal along the last axis
static bool frame(const geom_space* s, const double* q, double* y)
{
  double L[n * n];
  memset(y, 0, sizeof(double) * STATE);
  if (!geom_space_metric(s, q, L) || !num_cholesky(n, L, 0)) return false;
  for (int a = 0; a < n; a++)
    for (int k = 0; k <= a; k++) y[N + a * N + k] = L[a * n + k];
  y[N * (n + 1) + n] = 1;
  return true;
}

// x on the grid as polynomials
static void take(geom_patch* p, const double* grid)
{
  double wave[SIDE][SIDE];
  for (int d = 0; d < SIDE; d++)
    for (int i = 0; i < SIDE; i++)
      wave[d][i] = (d ? 2.0 : 1.0) / SIDE * cos(d * M_PI * (i + 0.5) / SIDE);
  for (int h = 0; h < p->basis; h++) {
    const int* d = p->power + h * n;
    for (int at = 0; at < SIDE * SIDE * SIDE; at++) {
      const double w =
          wave[d[0]][at / (SIDE * SIDE)] * wave[d[1]][at / SIDE % SIDE] * wave[d[2]][at % SIDE];
      for (int k = 0; k < N; k++) p->c[k * p->basis + h] += w * grid[at * STATE + k];
    }
  }
}

static bool on_box(geom_embedding* e, const double* low, const double* high, geom_patch* p)
{
  double middle[n], y[STATE], sign[n * n], node[n][SIDE];
  for (int a = 0; a < n; a++) {
    middle[a] = (low[a] + high[a]) / 2;
    for (int i = 0; i < SIDE; i++)
      node[a][i] = middle[a] + (high[a] - low[a]) / 2 * cos(M_PI * (i + 0.5) / SIDE);
  }
  if (!geom_gauss_tensor(e->s, middle, sign) || !frame(e->s, middle, y)) return false;
  double* grid = base_alloc(sizeof(double) * STATE * (SIDE + SIDE * SIDE + SIDE * SIDE * SIDE));
  double *two = grid + STATE * SIDE * SIDE * SIDE, *one = two + STATE * SIDE * SIDE;
  walk w = {.s = e->s, .sign = sign};
  memcpy(w.q, middle, sizeof w.q);
  bool fine = line(&w, middle, y, node[0], one);
  for (int i = 0; i < SIDE && fine; i++) {
    w.along = 1;
    w.q[0] = node[0][i];
    fine = line(&w, middle, one + i * STATE, node[1], two + i * SIDE * STATE);
    for (int j = 0; j < SIDE && fine; j++) {
      w.along = 2;
      w.q[1] = node[1][j];
      const int at = i * SIDE + j;
      fine = line(&w, middle, two + at * STATE, node[2], grid + at * SIDE * STATE);
    }
    w.q[1] = middle[1];
  }
  if (fine) {
    *p = geom_patch_take(e->arena, n, N, SIDE - 1, low, high);
    take(p, grid);
  }
  free(grid);
  return fine;
}

static void patch_slope(const void* map, const double* q, double* dx)
{
  geom_patch_eval(map, q, NULL, dx, NULL);
}

bool geom_hypersurface_find(geom_embedding* e)
{
  double low[n], high[n];
  if (e->n != n) return false;
  memcpy(low, e->low, sizeof low);
  memcpy(high, e->high, sizeof high);
  for (int i = 0; i < BOXES; i++) {
    double *l = geom_take(e->arena, 2 * n, sizeof(double)), *h = l + n;
    memcpy(l, low, sizeof low);
    memcpy(h, high, sizeof high);
    geom_patch p;
    if (on_box(e, l, h, &p)) {
      const double error = geom_isometry_error(e->s, &p, patch_slope, N, l, h, 11);
      if (error < works) {
        if (i) geom_embedding_note(e, "on a part of the region only, around the point");
        e->low = l;
        e->high = h;
        return geom_embedding_patch(e, &p, error, "a hypersurface");
      }
    }
    geom_embedding_shrink(e, low, high);
  }
  return false;
}
