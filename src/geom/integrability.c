// The report: which constraints are integrable, what they hide, and how the distribution grows.
#include <stdlib.h>

#include "geom/frobenius.h"
#include "geom/geom.h"
#include "geom/growth.h"
#include "geom/potential.h"
#include "num/num.h"

static bool all_positions(const model* m, const bool* use)
{
  for (int k = 0; k < m->constraints; k++)
    if (use[k] && m->constraint[k].order != 0) return false;
  return true;
}

// kinds that need no theorem
static geom_constraint plain(const model_constraint* c)
{
  geom_constraint g = {.integrable = EXPR_UNKNOWN, .potential = EXPR_NONE};
  if (c->order == 0) {
    g.integrable = EXPR_YES;
    g.alone = true;
    g.potential = c->f;
    g.why = "a position constraint";
  } else if (c->sense) {
    g.why = "an inequality: it is no equation while it is not stressed";
  } else if (c->order == 2) {
    g.why = "a constraint on accelerations: the test is for velocity constraints";
  } else {
    g.why = "nonlinear in the velocities: Frobenius' test does not apply";
  }
  return g;
}

// a form integrable by itself: the constraint behind it
static void explain_alone(const geom_pfaff* f, const expr* numbers, int k, geom_constraint* g)
{
  g->integrable = EXPR_YES;
  g->alone = true;
  g->potential = geom_potential_find(f, f->w + k * f->N);
  if (g->potential == EXPR_NONE) g->potential = geom_potential_find(f, numbers + k * f->N);
  g->why = g->potential != EXPR_NONE
               ? "a position constraint in the form of velocities (Frobenius)"
               : "integrable (Frobenius); its potential was not found in closed form";
}

static void explain_together(expr_truth truth, geom_constraint* g)
{
  g->integrable = truth;
  g->why = truth == EXPR_YES  ? "integrable together with other constraints (Frobenius)"
           : truth == EXPR_NO ? "nonholonomic: Lie brackets of admissible motions leave it"
                              : "neither proved nor refuted by Frobenius' test";
}

static void decide(const geom_pfaff* f, const expr* numbers, const geom_points* at,
                   const bool* solid, const geom_growth* g, geom_report* r)
{
  expr_truth* together = base_arena_take(f->arena, sizeof *together * (size_t)(f->count + 1));
  geom_frobenius_together(f, numbers, at, g, solid, together);
  for (int k = 0; k < f->count; k++) {
    geom_constraint* c = &r->constraint[f->of[k]];
    if (f->m->constraint[f->of[k]].order == 0) continue;
    if (solid[k])
      explain_alone(f, numbers, k, c);
    else
      explain_together(at->count > 0 ? together[k] : EXPR_UNKNOWN, c);
  }
}

// ---- subsystems ---------------------------------------------------------------------------------

enum { MOST_FORMS = 12, MOST_TOGETHER = 4, MOST_SETS = 16 };

// are these forms, with the solid ones, closed: do the fields they leave not grow?
static bool is_closed(const geom_pfaff* f, const geom_points* at, const bool* solid, unsigned set)
{
  int form[MOST_FORMS], count = 0;
  for (int k = 0; k < f->count; k++)
    if (solid[k] || (set >> k & 1)) form[count++] = k;
  geom_fields D = geom_kernel(f, f->w, count, form, at);
  const geom_growth g = geom_growth_find(f, &D, at, solid);
  return g.whole && g.length == 1;
}

static void add_subsystem(const geom_pfaff* f, unsigned set, geom_report* r)
{
  int* list = base_arena_take(f->arena, sizeof(int) * MOST_FORMS);
  int count = 0;
  for (int k = 0; k < f->count; k++)
    if (set >> k & 1) list[count++] = f->of[k];
  r->members[r->subsystems] = count;
  r->member[r->subsystems++] = list;
}

// the smallest sets first, each with a constraint that no smaller one has
static void find_subsystems(const geom_pfaff* f, const geom_points* at, const bool* solid,
                            geom_report* r)
{
  unsigned named = 0, open = 0;
  r->subsystems = 0;
  if (f->count > MOST_FORMS || at->count == 0) return;
  for (int k = 0; k < f->count; k++)
    if (!solid[k] && r->constraint[f->of[k]].integrable == EXPR_YES) open |= 1u << k;
  r->members = base_arena_take(f->arena, sizeof(int) * MOST_SETS);
  r->member = base_arena_take(f->arena, sizeof(int*) * MOST_SETS);
  for (int size = 2; size <= MOST_TOGETHER; size++)
    for (unsigned set = 0; set < 1u << f->count && r->subsystems < MOST_SETS; set++) {
      if ((set & ~open) || __builtin_popcount(set) != size || !(set & ~named)) continue;
      if (!is_closed(f, at, solid, set)) continue;
      named |= set;
      add_subsystem(f, set, r);
    }
}

// rank of the position constraints alone at the points
static int position_rank(const geom_pfaff* f, const geom_points* at)
{
  int most = 0, n = f->m->coords, rows;
  double* A = base_alloc(sizeof(double) * (size_t)(f->count * f->N + 1));
  for (int point = 0; point < at->count; point++) {
    geom_points_eval(f, at, point, f->count * f->N, f->w, A);
    // without the column of t
    rows = 0;
    for (int k = 0; k < f->count; k++) {
      if (f->m->constraint[f->of[k]].order != 0) continue;
      for (int i = 0; i < n; i++) A[rows * n + i] = A[k * f->N + i];
      rows++;
    }
    int rank = num_rank(rows, n, A, 1e-9);
    if (rank > most) most = rank;
  }
  free(A);
  return most;
}

// all constraints are positions: the manifold they cut out is what can be reached
static void grow_positions(const geom_pfaff* f, const geom_points* at, geom_report* r)
{
  r->growth_length = 1;
  r->growth_whole = true;
  r->growth = base_arena_take(r->arena, sizeof(int));
  r->growth[0] = f->m->places - r->position_rank;
  r->growth_known = at->count > 0 || f->count == 0;
  r->growth_note = r->growth_known ? "" : "no point near the given one could be evaluated";
}

static void report_growth(const geom_pfaff* f, const bool* use, const geom_growth* g,
                          geom_report* r)
{
  r->growth_length = g->length;
  r->growth = g->dimension;
  // states are free, and none of the geometry
  for (int i = 0; i < g->length; i++) r->growth[i] -= f->m->coords - f->m->places;
  r->growth_known = true;
  r->growth_whole = g->whole;
  r->growth_timed = f->timed;
  r->growth_note = f->timed ? "on the space of coordinates and time, the drift included" : "";
  if (!g->whole) r->growth_note = "not followed further: the brackets become too large";
  for (int k = 0; k < f->m->constraints; k++) {
    const model_constraint* c = &f->m->constraint[k];
    if (!use[k]) continue;
    if (c->order == 2) r->growth_note = "constraints on accelerations are left out";
    if (c->order == 1 && !c->linear) {
      r->growth_known = false;
      r->growth_note = "a constraint is nonlinear in the velocities: there is no distribution";
    }
  }
}

// a full pool answers zero to everything: then nothing found is worth telling
static void withdraw(const model* m, geom_report* r)
{
  for (int k = 0; k < m->constraints; k++) {
    if (m->constraint[k].order == 0) continue;
    r->constraint[k] = (geom_constraint){
        .integrable = EXPR_UNKNOWN, .why = "not decided: the expressions are beyond their limit"};
  }
  r->growth_known = false;
  r->growth_note = "not found: the expressions are beyond their limit";
}

// integrability and growth of the constraints in use
static void study(const geom_pfaff* f, const bool* use, geom_report* r)
{
  const model* m = f->m;
  geom_points at = geom_points_make(f);
  r->position_rank = position_rank(f, &at);
  if (all_positions(m, use)) {
    grow_positions(f, &at, r);
    return;
  }
  int* form = base_arena_take(f->arena, sizeof(int) * (size_t)(f->count + 1));
  bool* solid = base_arena_take(f->arena, sizeof(bool) * (size_t)(f->count + 1));
  expr* numbers = geom_pfaff_numbers(f);
  for (int k = 0; k < f->count; k++) {
    form[k] = k;
    solid[k] = m->constraint[f->of[k]].order == 0 ||
               geom_frobenius_alone(f, numbers + k * f->N) == EXPR_YES;
  }
  geom_fields D = {0};
  geom_growth g = {.whole = false};
  g.dimension = base_arena_take(f->arena, sizeof(int));
  if (at.count > 0) {
    D = geom_kernel(f, f->w, f->count, form, &at);
    g = geom_growth_find(f, &D, &at, solid);
  }
  report_growth(f, use, &g, r);
  if (at.count == 0) r->growth_known = false;
  decide(f, numbers, &at, solid, &g, r);
  find_subsystems(f, &at, solid, r);
}

geom_report* geom_integrability(const model* m, int n, const expr* symbols, const double* values)
{
  base_arena* arena = base_arena_new();
  geom_report* r = base_arena_take(arena, sizeof *r);
  r->arena = arena;
  r->constraints = m->constraints;
  r->constraint = base_arena_take(arena, sizeof *r->constraint * (size_t)(m->constraints + 1));
  for (int k = 0; k < m->constraints; k++) r->constraint[k] = plain(&m->constraint[k]);
  bool* use = base_arena_take(arena, sizeof(bool) * (size_t)(m->constraints + 1));
  bool later = false;
  // what a stage imposes later is judged together with all others, before those that start
  for (int k = 0; k < m->constraints; k++) {
    use[k] = model_constraint_binds(m, k); // an inequality takes no freedom away
    later |= use[k] && !model_constraint_starts(m, k);
  }
  for (int pass = later ? 0 : 1; pass < 2; pass++) {
    geom_pfaff f = geom_pfaff_make(m, use, arena, n, symbols, values);
    study(&f, use, r);
    for (int k = 0; k < m->constraints; k++) use[k] = use[k] && model_constraint_starts(m, k);
  }
  if (expr_pool_full(m->pool)) withdraw(m, r);
  return r;
}

void geom_report_free(geom_report* r)
{
  if (r) base_arena_free(r->arena);
}
