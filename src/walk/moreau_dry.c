// Forces with the sign of a velocity in time-stepping: dry friction that no contact presses.
//
// A force F = F0 + d sign(u) with d = -c du/dq', c >= 0, takes power from u alone. In a step it is
// an impulse of at most h c against u at its end, and whatever holds u at zero: a tangent row of
// the contact problem whose pressure is known. That pressure is a row of its own, 0 <= x, x >= h c,
// complementary, which moves nothing.
#include "walk/moreau.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { trials = 3 };

// the force of one corner
typedef struct dry
{
  expr u, c;
  expr *d, *slope; // per coordinate
} dry;

// c = -d_j/u_j of the first coordinate that u moves; false where there is none, or F is not linear
// in the sign
static bool look(engine* e, const expr* F, expr node, dry* out)
{
  expr_pool* p = e->s->pool;
  const expr side = expr_symbol(p, "side of dry friction");
  out->u = expr_arg(p, node, 0);
  out->c = EXPR_NONE;
  for (int j = 0; j < e->n; j++) {
    const expr held = expr_substitute(p, F[j], 1, &node, &side);
    out->d[j] = expr_diff(p, held, side);
    out->slope[j] = expr_diff(p, out->u, e->s->v[j]);
    if (expr_has(p, out->d[j], side)) return false;
    if (out->c == EXPR_NONE && out->slope[j] != expr_int(p, 0))
      out->c = expr_neg(p, expr_div(p, out->d[j], out->slope[j]));
  }
  return out->c != EXPR_NONE;
}

// is d = -c du/dq', c not negative, at states of no special kind, reactions having this sign?
static bool takes_power(engine* e, const dry* f, double sign)
{
  const int n = e->n;
  double* kept = base_alloc(sizeof(double) * (size_t)(e->program->inputs + 2 * n + 1));
  double *d = kept + e->program->inputs, *slope = d + n, c;
  bool fine = true;
  memcpy(kept, e->in, sizeof(double) * (size_t)e->program->inputs);
  for (int k = 0; k < trials && fine; k++) {
    for (int j = 0; j < n; j++) {
      e->q[j] += 0.1 * sin(1.3 * j + k + 1);
      e->v[j] = cos(2.1 * j + 1.7 * k + 0.4);
    }
    for (int i = 0; i < e->m; i++) {
      const int sense = e->model->constraint[i].sense;
      e->lambda[i] = (sense ? sense : sign) * (1 + 0.5 * sin(1.9 * i + k));
    }
    engine_values(e, n, f->d, d);
    engine_values(e, n, f->slope, slope);
    engine_values(e, 1, &f->c, &c);
    double size = 0;
    for (int j = 0; j < n; j++) size = fmax(size, fabs(d[j]));
    fine = c >= 0;
    for (int j = 0; j < n; j++)
      fine = fine && fabs(d[j] + c * slope[j]) <= engine_moreau_law * size;
  }
  memcpy(e->in, kept, sizeof(double) * (size_t)e->program->inputs);
  free(kept);
  return fine;
}

// its corner in the program; -1: it has none
static int corner_of(const engine* e, expr node)
{
  const engine_corners* all = &e->program->modes;
  engine_numbers(e->program, 1, &node, &node);
  for (int i = 0; i < all->nodes; i++)
    if (all->node[i] == node) return all->of[i];
  return -1;
}

void walk_moreau_dry(walk_moreau* s, expr* F)
{
  engine* e = s->e;
  expr_pool* p = e->s->pool;
  const engine_corners found = engine_corners_find(p, e->arena, e->n, F, 0, 0, NULL);
  const size_t bytes = sizeof(expr) * (size_t)(e->n + 1);
  const expr zero = expr_int(p, 0);
  s->dry_slip = base_arena_take(e->arena, sizeof(expr) * (size_t)(found.count + 1));
  s->dry_bound = base_arena_take(e->arena, sizeof(expr) * (size_t)(found.count + 1));
  s->dry_corner = base_arena_take(e->arena, sizeof(int) * (size_t)(found.count + 1));
  for (int i = 0; i < found.count; i++) {
    dry f = {.d = base_arena_take(e->arena, bytes), .slope = base_arena_take(e->arena, bytes)};
    if (!found.slides[i] || !expr_has_any(p, found.s[i], e->n, e->s->v)) continue;
    // a pressing force written without abs() has one sign or the other
    if (!look(e, F, found.node[i], &f) || !(takes_power(e, &f, 1) || takes_power(e, &f, -1)))
      continue;
    s->dry_slip[s->dries] = f.u;
    s->dry_corner[s->dries] = corner_of(e, found.node[i]);
    s->dry_bound[s->dries++] = f.c;
    for (int j = 0; j < e->n; j++) F[j] = expr_substitute(p, F[j], 1, &found.node[i], &zero);
  }
}

void walk_moreau_dry_sides(const walk_moreau* s)
{
  for (int i = 0; i < s->dries; i++)
    if (s->dry_corner[i] >= 0 && isfinite(s->dry_side[i]))
      s->e->side[s->dry_corner[i]] = s->dry_side[i];
}
