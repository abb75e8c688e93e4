// Random points near the given one, brought onto the position constraints by Newton's method.
#include "geom/points.h"
#include "num/num.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// the same points on every machine: a linear congruential sequence
static double uniform(uint64_t* seed)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

// the position constraints and their gradients, for Newton
typedef struct level
{
  const geom_pfaff* f;
  int m, n;
  expr* e;     // m constraints, then m by n derivatives
  double* all; // symbol values
  int* place;  // of each coordinate among the symbols
  double* out;
} level;

static int equations(void* context, const double* x, double* F, double* J)
{
  level* l = context;
  for (int i = 0; i < l->n; i++) l->all[l->place[i]] = x[i];
  expr_values(l->f->pool, l->m * (1 + l->n), l->e, l->f->symbols, l->f->symbol, l->all, l->out);
  for (int i = 0; i < l->m * (1 + l->n); i++)
    if (!isfinite(l->out[i])) return 1;
  memcpy(F, l->out, sizeof(double) * (size_t)l->m);
  if (J) memcpy(J, l->out + l->m, sizeof(double) * (size_t)(l->m * l->n));
  return 0;
}

static level level_make(const geom_pfaff* f)
{
  const model* m = f->m;
  level l = {.f = f, .n = m->coords};
  for (int k = 0; k < f->count; k++) l.m += m->constraint[f->of[k]].order == 0;
  size_t room = (size_t)(l.m * (1 + l.n) + 1);
  l.e = base_arena_take(f->arena, sizeof(expr) * room);
  l.out = base_arena_take(f->arena, sizeof(double) * room);
  l.place = base_arena_take(f->arena, sizeof(int) * (size_t)(l.n + 1));
  int at = 0;
  for (int k = 0; k < f->count; k++) {
    const model_constraint* c = &m->constraint[f->of[k]];
    if (c->order != 0) continue;
    l.e[at] = c->f;
    expr_gradient(f->pool, c->f, l.n, f->x, l.e + l.m + at * l.n);
    at++;
  }
  for (int i = 0; i < l.n; i++)
    while (f->symbol[l.place[i]] != m->coord[i].q) l.place[i]++;
  return l;
}

// one try at a distance; false where it cannot be projected or evaluated
static bool throw_point(level* l, double distance, uint64_t* seed, double* values)
{
  const geom_pfaff* f = l->f;
  memcpy(values, f->value, sizeof(double) * (size_t)f->symbols);
  l->all = values;
  double* x = base_alloc(sizeof(double) * (size_t)(l->n + 1));
  for (int i = 0; i < f->symbols; i++)
    if (f->timed && f->symbol[i] == f->m->t) values[i] += distance * uniform(seed);
  for (int i = 0; i < l->n; i++) {
    double q = values[l->place[i]];
    x[i] = q + distance * (1 + fabs(q)) * uniform(seed);
    values[l->place[i]] = x[i];
  }
  bool fine = true;
  if (l->m > 0) fine = num_newton(l->m, l->n, equations, l, NULL, NULL, 1e-12, 50, x).solved;
  for (int i = 0; i < l->n; i++) values[l->place[i]] = x[i];
  free(x);
  // the forms must have values there
  double* w = base_alloc(sizeof(double) * (size_t)(f->count * f->N + 1));
  expr_values(f->pool, f->count * f->N, f->w, f->symbols, f->symbol, values, w);
  for (int i = 0; i < f->count * f->N; i++) fine &= isfinite(w[i]);
  free(w);
  return fine;
}

geom_points geom_points_make(const geom_pfaff* f)
{
  geom_points p = {0};
  p.values = base_arena_take(f->arena, sizeof(double) * (size_t)(GEOM_POINTS * f->symbols + 1));
  level l = level_make(f);
  uint64_t seed = 20180607;
  for (double distance = 0.3; distance > 1e-4 && p.count < GEOM_POINTS; distance /= 2)
    for (int i = 0; i < GEOM_POINTS && p.count < GEOM_POINTS; i++)
      if (throw_point(&l, distance, &seed, p.values + p.count * f->symbols)) p.count++;
  return p;
}

void geom_points_eval(const geom_pfaff* f, const geom_points* at, int point, int count,
                      const expr* e, double* out)
{
  expr_values(f->pool, count, e, f->symbols, f->symbol, at->values + point * f->symbols, out);
}
