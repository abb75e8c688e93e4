// Flat metrics of spherical kind: dr^2 + r^2 h with h the metric of a sphere.
//
// Where g_jj = c is constant, g_ja = 0 and g_ab = c q_j^2 h_ab with h free of q_j, the space is a
// cone over h; it is flat where h is the metric of the unit sphere, and x = sqrt(c) q_j X with a
// map X of the sphere.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geom/embedding.h"
#include "geom/formula.h"

// coordinates and metric h of what the cone of coordinate j stands on; false where there is none
static bool base_of(const geom_space* s, int j, expr* q, expr* h)
{
  expr_pool* p = s->pool;
  const int n = s->n;
  const expr c = s->g[j * n + j];
  const expr size = expr_product(p, 3, (expr[]){c, s->q[j], s->q[j]});
  if (expr_has_any(p, c, n, s->q)) return false;
  int rows = 0;
  for (int a = 0; a < n; a++) {
    if (a == j) continue;
    if (expr_is_zero(p, s->g[a * n + j]) != EXPR_YES) return false;
    int columns = 0;
    for (int b = 0; b < n; b++) {
      if (b == j) continue;
      const expr e = expr_simplify(p, expr_div(p, s->g[a * n + b], size));
      if (e == EXPR_NONE || expr_has(p, e, s->q[j])) return false;
      h[rows * (n - 1) + columns++] = e;
    }
    q[rows++] = s->q[a];
  }
  return true;
}

static bool stand(geom_embedding* e, int j, const expr* q, const expr* h)
{
  const geom_space* s = e->s;
  expr_pool* p = s->pool;
  const int n = e->n;
  geom_space* part = geom_space_part(s, n - 1, q, h);
  geom_space_curve(part);
  const geom_verdict flat = geom_flat(part);
  double *low = geom_take(e->arena, 2 * n, sizeof(double)), *high = low + n;
  for (int a = 0, k = 0; a < n; a++)
    if (a != j) low[k] = e->low[a], high[k++] = e->high[a];
  geom_embedding* ball = geom_embed(part, &flat, low, high, false);
  bool found = ball->x && ball->N == n;
  if (found) {
    expr* x = geom_take(e->arena, n, sizeof(expr));
    const expr r = expr_mul(p, geom_root(p, s->g[j * n + j]), s->q[j]);
    for (int k = 0; k < n; k++) x[k] = expr_mul(p, r, ball->x[k]);
    found = geom_has_metric(p, n, s->q, s->g, n, x) &&
            geom_embedding_formula(e, n, x, "canonical coordinates");
  }
  geom_embedding_free(ball);
  geom_space_free(part);
  return found;
}

bool geom_cone_find(geom_embedding* e)
{
  const int n = e->n;
  if (n != 3) return false;
  expr q[3], h[9];
  for (int j = 0; j < n; j++)
    if (base_of(e->s, j, q, h) && stand(e, j, q, h)) return true;
  return false;
}
