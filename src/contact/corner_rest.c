// Jumps of the forces whose passages have accumulated: the motion comes to rest at them.
//
// What they still move by is small of the size of the limit. It goes by the forces that jump: along
// w_i = da/dsigma_i, the accelerations that they give,
//   v += sum_i x_i w_i  with  s = 0 of a slip, s' = 0 of a place,    q += sum_i y_i w_i  with  s =
//   0
// of least x and y, since several of them may act along one direction. s' is taken without
// accelerations: where it jumps with them, as that of x + x'|x'|, it does so by the speed that
// vanishes.
#include "contact/contact.h"
#include "contact/corners.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { turns = 4 };

typedef struct resting
{
  engine* e;
  const contact_rest* rest;
  int count, *corner; // those that come to rest
  double *w, *w0;     // along what they push, each n; accelerations
  double *J, *r, *x;  // the linear problem
} resting;

// corner i on each side
static int find_push(resting* g, int i, double* w)
{
  engine* e = g->e;
  const size_t n = (size_t)e->n;
  const double kept = e->side[i];
  e->side[i] = 1;
  int failed = contact_corner_accelerations(e);
  memcpy(g->w0, e->a, sizeof(double) * n);
  e->side[i] = -1;
  failed = failed || contact_corner_accelerations(e);
  for (size_t j = 0; j < n; j++) w[j] = (g->w0[j] - e->a[j]) / 2;
  e->side[i] = kept;
  return failed;
}

// One that holds the motion already has no sides, and where the way along it ends there are no
// accelerations that keep to it: all are let go for this.
static int find_pushes(resting* g)
{
  engine* e = g->e;
  int failed = 0;
  bool* held = base_alloc(sizeof(bool) * (size_t)(g->count + 1));
  double* side = base_alloc(sizeof(double) * (size_t)(g->count + 1));
  for (int k = 0; k < g->count; k++) {
    const int i = g->corner[k];
    held[k] = e->mode.held[i];
    side[k] = e->side[i];
    contact_corner_hold(e, i, false);
    if (held[k]) e->side[i] = side[k] < 0 ? -1 : 1;
  }
  for (int k = 0; k < g->count && !failed; k++)
    failed = find_push(g, g->corner[k], g->w + k * e->n);
  for (int k = 0; k < g->count; k++) {
    contact_corner_hold(e, g->corner[k], held[k]);
    e->side[g->corner[k]] = side[k];
  }
  free(side);
  free(held);
  return failed;
}

// what is to vanish, of velocities or of places; how many
static int residuals(resting* g, bool places, double* r)
{
  engine* e = g->e;
  int rows = 0;
  memset(e->a, 0, sizeof(double) * (size_t)e->n);
  code_run(e->program->switches, e->in, e->work.switching, e->work.scratch);
  for (int k = 0; k < g->count; k++) {
    const int i = g->corner[k];
    if (g->rest[i] == CONTACT_SLOWED && !places) r[rows++] = e->work.switching[i];
    if (g->rest[i] != CONTACT_TURNED) continue;
    r[rows++] = e->work.switching[places ? i : e->program->modes.count + i];
  }
  return rows;
}

// one step towards their zero
static void step(resting* g, bool places, num_null* null)
{
  engine* e = g->e;
  const int n = e->n;
  double *z = places ? e->q : e->v, *there = g->r + g->count;
  const double* size = places ? e->scales->place : e->scales->speed;
  const int rows = residuals(g, places, g->r);
  for (int k = 0; k < g->count; k++) {
    const double* w = g->w + k * n;
    double most = 0;
    for (int j = 0; j < n; j++)
      if (size[j] > 0) most = fmax(most, fabs(w[j]) / size[j]);
    const double h = most > 0 ? engine_difference / most : 0;
    for (int j = 0; j < n; j++) g->w0[j] = z[j];
    for (int j = 0; j < n; j++) z[j] += h * w[j];
    residuals(g, places, there);
    memcpy(z, g->w0, sizeof(double) * (size_t)n);
    for (int r = 0; r < rows; r++) g->J[r * g->count + k] = h > 0 ? (there[r] - g->r[r]) / h : 0;
  }
  for (int r = 0; r < rows; r++) g->r[r] = -g->r[r];
  if (!rows || !num_null_factor(null, rows, g->count, g->J, engine_redundant)) return;
  num_null_solve(null, g->J, g->r, g->x);
  for (int k = 0; k < g->count; k++)
    for (int j = 0; j < n; j++) z[j] += g->x[k] * g->w[k * n + j];
}

static int come_to_rest(resting* g)
{
  engine* e = g->e;
  bool moved;
  if (find_pushes(g)) return 1;
  num_null* null = num_null_new(g->count, g->count);
  for (int turn = 0; turn < turns; turn++) {
    step(g, false, null);
    step(g, true, null);
  }
  num_null_free(null);
  e->factored = false;
  if (engine_project(e, &moved)) return 1;
  for (int k = 0; k < g->count; k++) {
    const int i = g->corner[k];
    contact_corner_turn(e, i, g->rest[i] == CONTACT_TURNED);
    contact_corner_hold(e, i, true);
    e->mode.standing[i] = ENGINE_STANDS;
  }
  return contact_settle_corners(e);
}

static int rest_parts(engine* e, const contact_rest* rest)
{
  int failed = 0;
  contact_rest* own = base_alloc(sizeof *own * (size_t)(e->program->modes.count + 1));
  for (int p = 0; p < e->parts && !failed; p++) {
    const int corners = e->part[p].e->program->modes.count;
    for (int i = 0; i < corners; i++) own[i] = rest[e->part[p].corner[i]];
    failed = contact_rest_corners(engine_part_enter(e, p), own);
    engine_part_leave(e, p);
  }
  free(own);
  return failed;
}

int contact_rest_corners(engine* e, const contact_rest* rest)
{
  if (e->parts) return rest_parts(e, rest);
  const int corners = e->program->modes.count;
  resting g = {.e = e, .rest = rest, .corner = base_alloc(sizeof(int) * (size_t)(corners + 1))};
  for (int i = 0; i < corners; i++)
    if (rest[i] != CONTACT_PASSED) g.corner[g.count++] = i;
  const size_t n = (size_t)e->n, c = (size_t)g.count;
  g.w = base_alloc(sizeof(double) * (c * n + n + c * c + 3 * c + 1));
  g.w0 = g.w + c * n;
  g.J = g.w0 + n;
  g.r = g.J + c * c;
  g.x = g.r + 2 * c;
  const int failed = g.count && come_to_rest(&g);
  free(g.w);
  free(g.corner);
  return failed;
}
