// Constraints without a gradient at the start: (x - 1)^2 = 0, or x' y' = 0 at rest.
//
// A reaction acts along the gradient by q or q'. Where that is zero nothing can hold the
// constraint, and the motion is not defined, unless the other constraints say the same: then any
// neighbouring state that satisfies them satisfies it, too.
#include "contact/contact.h"
#include "engine/engine.h"
#include "walk/run.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { neighbours = 3 };

// every place and speed somewhere within `size` of `from`, or within that share of itself
static void go_beside(engine* e, const double* from, double size, bool in_proportion,
                      uint64_t* seed)
{
  for (int i = 0; i < 2 * e->n; i++) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    const double share = (double)(*seed >> 11) / 4503599627370496.0 - 1;
    e->q[i] = from[i] + size * share * (in_proportion ? fabs(from[i]) : 1);
  }
  e->factored = false;
}

// of each constraint at the state in the input block
static void norms(engine* e, double* out)
{
  if (e->sparse)
    code_run(e->program->eom, e->in, e->work.eom_out, e->work.scratch);
  else
    code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  for (int k = 0; k < e->m; k++) out[k] = engine_level_norm(e, k);
}

// does some state that satisfies the other constraints break this one?
static bool says_more(engine* e, int k, const double* here)
{
  const int order = e->model->constraint[k].order;
  uint64_t seed = 23;
  bool broken = false;
  for (int turn = 0; turn < neighbours && !broken; turn++) {
    bool moved;
    go_beside(e, here, 0.05, false, &seed);
    if (engine_project(e, &moved)) continue;
    code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
    broken = fabs(order == 0 ? e->f0[k] : e->f1[k]) >
             engine_met_redundant * engine_scale_row(e, k, order);
  }
  return broken;
}

// zero, or by orders smaller than beside this state, as a solver leaves it at a double root
static void find(engine* e, const double* here, bool* none)
{
  double* norm = base_alloc(sizeof(double) * (size_t)(2 * e->m));
  uint64_t seed = 5;
  norms(e, norm);
  go_beside(e, here, engine_beside, true, &seed);
  norms(e, norm + e->m);
  for (int k = 0; k < e->m; k++)
    none[k] = k < e->s->written && e->mode.active[k] && e->model->constraint[k].order < 2 &&
              engine_is_ideal(e, k) &&
              (norm[k] == 0 || norm[k] < engine_no_gradient * norm[e->m + k]);
  free(norm);
}

static void tell(const model_constraint* c, base_notes* notes)
{
  base_error(notes, c->place,
             "the constraint `%s` has no gradient at the start: no reaction can hold it, and the "
             "motion from there is not defined",
             c->name);
  base_help(notes, c->order == 0 ? "write it so that it changes sign where it is met, as x = 1 for "
                                   "(x - 1)^2 = 0, or start elsewhere"
                                 : "start at a place and with velocities at which it has one");
}

bool walk_gradient_missing(engine* e, base_notes* notes)
{
  if (!e->mode.rows || contact_guard_broken(e)) return false;
  const size_t bytes = sizeof(double) * (size_t)(2 * e->n);
  double* here = base_alloc(bytes);
  bool *none = base_alloc((size_t)(2 * e->m)), *implied = none + e->m, missing = false;
  memcpy(here, e->q, bytes);
  memcpy(implied, e->mode.implied, (size_t)e->m);
  find(e, here, none);
  // what the others say is said without any of these
  for (int k = 0; k < e->m; k++) e->mode.implied[k] = implied[k] || none[k];
  engine_rows(e);
  for (int k = 0; k < e->m; k++) {
    if (!none[k] || !says_more(e, k, here)) continue;
    tell(&e->model->constraint[k], notes);
    missing = true;
  }
  memcpy(e->mode.implied, implied, (size_t)e->m);
  engine_rows(e);
  memcpy(e->q, here, bytes);
  e->factored = false;
  free(here);
  free(none);
  return missing;
}
