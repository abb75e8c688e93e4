// A surface of constraints that no formula solves: points by continuation from the start.
#include "geom/chart.h"
#include "num/num.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// f(q) = 0 with q = (u, w): w follows u from the point by steps along a straight line of u, each
// with the tangent w_u = -f_w^-1 f_u and Newton's method. A step whose correction is not small
// against it is halved: it may have jumped to another branch.

enum { NEWTON = 12, HALVINGS = 8 };
static const double stride = 0.25; // of u, at most, in one step

typedef struct walk
{
  const geom_chart* c;
  double *values, *F, *J, *B, *w;
  int* pivot;
} walk;

// f and its derivatives, the block f_w factored
static bool look(walk* k, const double* q)
{
  const geom_chart* c = k->c;
  const geom_space* s = c->around;
  const int n = s->n, T = n * (n + 1) / 2, count = T + s->rest, r = c->rank;
  for (int i = 0; i < s->symbols; i++) {
    k->values[i] = s->value[i];
    for (int j = 0; j < n; j++)
      if (s->symbol[i] == s->q[j]) k->values[i] = q[j];
  }
  expr_values(s->pool, s->rest, s->jet + T, s->symbols, s->symbol, k->values, k->F);
  expr_values(s->pool, s->rest * n, s->jet + count + T * n, s->symbols, s->symbol, k->values, k->J);
  for (int i = 0; i < s->rest; i++)
    if (!isfinite(k->F[i])) return false;
  for (int i = 0; i < s->rest * n; i++)
    if (!isfinite(k->J[i])) return false;
  for (int i = 0; i < r; i++)
    for (int j = 0; j < r; j++) k->B[i * r + j] = k->J[c->row[i] * n + c->column[j]];
  return num_lu(r, k->B, k->pivot);
}

// du along the tangent, into w
static void tangent(walk* k, const double* du)
{
  const geom_chart* c = k->c;
  const int n = c->around->n;
  for (int i = 0; i < c->rank; i++) {
    k->w[i] = 0;
    for (int a = 0; a < c->d; a++) k->w[i] -= k->J[c->row[i] * n + c->chosen[a]] * du[a];
  }
  num_lu_solve(c->rank, k->B, k->pivot, k->w);
}

// Newton's method on what follows; how far it went, or nan
static double correct(walk* k, double* q)
{
  const geom_chart* c = k->c;
  double way = 0;
  for (int step = 0; step < NEWTON; step++) {
    if (!look(k, q)) return NAN;
    double most = 0;
    for (int i = 0; i < c->rank; i++) k->w[i] = -k->F[c->row[i]];
    num_lu_solve(c->rank, k->B, k->pivot, k->w);
    for (int i = 0; i < c->rank; i++) {
      q[c->column[i]] += k->w[i];
      most = fmax(most, fabs(k->w[i]) / (1 + fabs(q[c->column[i]])));
    }
    way += most;
    if (!isfinite(way)) return NAN;
    if (most < 1e-14 || (step > 3 && most < 1e-12)) return look(k, q) ? way : NAN;
  }
  return NAN;
}

// from q to u, both ends of a straight line
static bool follow(walk* k, const double* u, double* q, double* next, double* du)
{
  const geom_chart* c = k->c;
  const int n = c->around->n;
  double far = 0;
  for (int a = 0; a < c->d; a++) far = fmax(far, fabs(u[a] - q[c->chosen[a]]));
  double left = 1, part = far > stride ? stride / far : 1;
  const double least = part / (1 << HALVINGS);
  while (left > 0) {
    part = fmin(part, left);
    if (!look(k, q)) return false;
    for (int a = 0; a < c->d; a++) du[a] = (u[a] - q[c->chosen[a]]) * part / left;
    tangent(k, du);
    double size = 1e-3;
    memcpy(next, q, sizeof(double) * (size_t)n);
    for (int a = 0; a < c->d; a++) next[c->chosen[a]] += du[a];
    for (int i = 0; i < c->rank; i++) {
      next[c->column[i]] += k->w[i];
      size = fmax(size, fabs(k->w[i]));
    }
    const double way = correct(k, next);
    if (way <= 0.3 * size) {
      memcpy(q, next, sizeof(double) * (size_t)n);
      left = part == left ? 0 : left - part;
    } else if ((part /= 2) < least) {
      return false;
    }
  }
  for (int a = 0; a < c->d; a++) q[c->chosen[a]] = u[a];
  return true;
}

bool geom_chart_solve(const geom_chart* c, const double* u, double* q, double* slope)
{
  const geom_space* s = c->around;
  const int n = s->n, r = c->rank;
  double* room = base_alloc(sizeof(double) *
                            (size_t)(s->symbols + s->rest * (1 + n) + r * (r + 1) + n + c->d + 1));
  walk k = {.c = c, .values = room, .pivot = base_alloc(sizeof(int) * (size_t)(r + 1))};
  k.F = k.values + s->symbols;
  k.J = k.F + s->rest;
  k.B = k.J + s->rest * n;
  k.w = k.B + r * r;
  double *next = k.w + r, *du = next + n;
  memcpy(q, c->base, sizeof(double) * (size_t)n);
  bool fine = follow(&k, u, q, next, du) && (!slope || look(&k, q));
  for (int a = 0; a < c->d && fine && slope; a++) {
    for (int b = 0; b < c->d; b++) du[b] = a == b;
    tangent(&k, du);
    for (int b = 0; b < c->d; b++) slope[c->chosen[b] * c->d + a] = a == b;
    for (int i = 0; i < r; i++) slope[c->column[i] * c->d + a] = k.w[i];
  }
  free(k.pivot);
  free(room);
  return fine;
}

geom_space* geom_chart_make(const geom_space* s)
{
  geom_place* at = geom_place_make(s, NULL);
  if (!at || !at->at->regular) {
    geom_place_free(at);
    return NULL;
  }
  base_arena* arena = base_arena_new();
  geom_space* p = base_arena_take(arena, sizeof *p);
  geom_chart* c = base_arena_take(arena, sizeof *c);
  *p = *s;
  p->arena = arena;
  p->chart = c;
  p->n = c->d = at->n;
  p->g = p->inverse = p->first = p->second = p->riemann = p->ricci = p->sectional = NULL;
  p->det = p->scalar = EXPR_NONE;
  p->rest = 0;
  c->around = s;
  c->rank = at->rank;
  c->chosen = geom_take(arena, s->n, sizeof(int));
  c->column = geom_take(arena, s->n, sizeof(int));
  c->row = geom_take(arena, s->n, sizeof(int));
  c->base = geom_take(arena, s->n, sizeof(double));
  memcpy(c->base, at->q, sizeof(double) * (size_t)s->n);
  memcpy(c->chosen, at->chosen, sizeof(int) * (size_t)c->d);
  memcpy(c->column, at->column, sizeof(int) * (size_t)c->rank);
  memcpy(c->row, at->row, sizeof(int) * (size_t)c->rank);
  p->q = geom_take(arena, c->d, sizeof(expr));
  p->coord = geom_take(arena, c->d, sizeof(int));
  for (int a = 0; a < c->d; a++) {
    p->q[a] = s->q[c->chosen[a]];
    p->coord[a] = s->coord[c->chosen[a]];
  }
  // the point itself, brought onto the surface
  p->value = geom_take(arena, s->symbols, sizeof(double));
  memcpy(p->value, s->value, sizeof(double) * (size_t)s->symbols);
  for (int k = 0; k < s->symbols; k++)
    for (int i = 0; i < s->n; i++)
      if (s->symbol[k] == s->q[i]) p->value[k] = at->q[i];
  geom_place_free(at);
  return p;
}
