// Is the metric flat? Refuted by a point with curvature, proved by a Riemann tensor that vanishes.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geom/space.h"

// points tried beside the one given, and what of the terms of R is taken for rounding
enum { TRIES = 12 };
static const double rounding = 1e-9, weak = 1e-14;

// the same points on every machine
static double uniform(uint64_t* seed)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

// a component of R at the place that is no rounding; false if there is none
static bool find_curvature(const geom_place* p, geom_verdict* out)
{
  const geom_numbers* r = p->at;
  const int n = r->n, P = geom_pairs(n);
  if (!r->regular) return false;
  // rounding of the inverse is magnified where the metric is nearly degenerate
  double most = 0, least = 0;
  for (int i = 0; i < n; i++) {
    most = fmax(most, r->g[i * n + i]);
    least = fmax(least, r->inverse[i * n + i]);
  }
  const double noise = fmax(rounding, 1e-13 * most * least);
  // those that are next to nothing beside the metric may be rounding all the same: the others first
  double best = noise;
  for (double least_value = weak * most; best == noise; least_value = 0) {
    for (int l = 0; l < n; l++)
      for (int x = l + 1; x < n; x++)
        for (int b = l; b < n; b++)
          for (int a = b + 1; a < n; a++) {
            const int k = geom_pair(n, l, x) * P + geom_pair(n, b, a);
            const double part = fabs(r->riemann[k]) / r->size[k];
            if (!(part > best) || fabs(r->riemann[k]) < least_value) continue;
            best = part;
            out->value = r->riemann[k];
            memcpy(out->index, (int[4]){l, x, b, a}, sizeof out->index);
          }
    if (least_value == 0) break;
  }
  return best > noise;
}

// next to nothing beside the metric, coordinates being of the size of one
static bool is_weak(const geom_place* p, double value)
{
  double most = 0;
  for (int i = 0; i < p->n; i++) most = fmax(most, p->at->g[i * p->n + i]);
  return fabs(value) < weak * most;
}

static void take(geom_space* s, const geom_place* p, geom_verdict* out)
{
  out->q = geom_take(s->arena, s->n, sizeof(double));
  memcpy(out->q, p->q, sizeof(double) * (size_t)s->n);
  out->chosen = geom_take(s->arena, p->n, sizeof(int));
  memcpy(out->chosen, p->chosen, sizeof(int) * (size_t)p->n);
  out->chosen_count = p->n;
}

// Looks at the point given and at others around it, until a component is clearly not zero; counts
// where the metric could be evaluated. `faint`: only such were found that may be rounding.
static int look_around(geom_space* s, geom_verdict* out, bool* faint)
{
  uint64_t seed = 20000131;
  int seen = 0;
  *faint = false;
  double* q = base_alloc(sizeof(double) * (size_t)s->n);
  for (int i = 0; i <= TRIES && out->flat == EXPR_UNKNOWN; i++) {
    geom_place* p = geom_place_make(s, i ? q : NULL);
    if (p && p->at->regular) {
      seen++;
      geom_verdict here = *out;
      if (find_curvature(p, &here)) {
        const bool weak_one = is_weak(p, here.value);
        *out = here;
        *faint |= weak_one;
        if (!weak_one) {
          out->flat = EXPR_NO;
          take(s, p, out);
          *faint = false;
        }
      } else if (p->n == 1) {
        out->flat = EXPR_YES;
      }
    }
    geom_place_free(p);
    for (int k = 0; k < s->n; k++)
      for (int j = 0; j < s->symbols; j++)
        if (s->symbol[j] == s->q[k])
          q[k] = s->value[j] + (0.2 + 0.1 * i) * (1 + 0.5 * fabs(s->value[j])) * uniform(&seed);
  }
  free(q);
  return seen;
}

// every component with the params as symbols (values false) or at their values
static bool vanishes(geom_space* s, bool values)
{
  const model* m = s->m;
  const int P = geom_pairs(s->n);
  expr* from = base_alloc(sizeof(expr) * (size_t)(2 * m->params + 1));
  expr* to = from + m->params;
  int count = 0;
  for (int i = 0; values && i < m->params; i++)
    if (m->param[i].value != EXPR_NONE) {
      from[count] = m->param[i].symbol;
      to[count++] = m->param[i].value;
    }
  bool zero = true;
  for (int i = 0; i < P && zero; i++)
    for (int j = i; j < P && zero; j++) {
      expr e = s->riemann[i * P + j];
      if (values) e = expr_substitute(s->pool, e, count, from, to);
      zero = expr_is_zero(s->pool, e) == EXPR_YES;
    }
  free(from);
  return zero;
}

static bool is_constant(const geom_space* s)
{
  for (int i = 0; i < s->n * s->n; i++)
    if (expr_has_any(s->pool, s->g[i], s->n, s->q)) return false;
  return true;
}

// det g = 0 identically; without formulas of it, at the point
static bool is_degenerate(const geom_space* s)
{
  if (s->rest > 0) return false;
  if (s->det != EXPR_NONE) return expr_is_zero(s->pool, s->det) == EXPR_YES;
  geom_place* p = geom_place_make(s, NULL);
  const bool degenerate = p && !p->at->regular;
  geom_place_free(p);
  return degenerate;
}

geom_verdict geom_flat(geom_space* s)
{
  geom_verdict v = {.flat = EXPR_UNKNOWN};
  if (is_degenerate(s)) {
    v.why = "the metric is degenerate: some motion has no kinetic energy";
    return v;
  }
  if (s->n == 1) {
    v.flat = EXPR_YES;
    v.why = "one coordinate: the length along it makes T a square";
    return v;
  }
  if (s->rest == 0 && is_constant(s)) {
    v.flat = EXPR_YES;
    v.why = "the metric is constant";
    return v;
  }
  bool faint;
  const int seen = look_around(s, &v, &faint);
  if (v.flat == EXPR_YES) {
    v.why = "the constraints leave one dimension: the length along it makes T a square";
    return v;
  }
  // so little may be rounding of entries that cancel at these params: the formulas decide
  if (faint) {
    const bool zero = s->riemann && vanishes(s, true) && !expr_pool_full(s->pool);
    v.flat = zero ? EXPR_YES : EXPR_UNKNOWN;
    v.why =
        zero ? "the Riemann tensor vanishes identically at these params"
             : "the Riemann tensor is nearly zero near the point: rounding, or a small curvature";
    return v;
  }
  if (v.flat == EXPR_NO) {
    v.why = "a component of the Riemann tensor is not zero";
    return v;
  }
  if (!s->riemann) {
    v.why = seen ? base_arena_printf(s->arena, "no curvature at %d points, but no proof", seen)
                 : "the metric could not be evaluated, or is degenerate, near the point";
  } else if (vanishes(s, false)) {
    v.flat = EXPR_YES;
    v.why = "the Riemann tensor vanishes identically, whatever the params";
  } else if (vanishes(s, true)) {
    v.flat = EXPR_YES;
    v.why = "the Riemann tensor vanishes identically at these params";
  } else {
    v.why = base_arena_printf(
        s->arena, "the Riemann tensor is zero at %d points, but no formula proves it", seen);
  }
  if (v.flat == EXPR_YES && expr_pool_full(s->pool)) v.flat = EXPR_UNKNOWN;
  return v;
}
