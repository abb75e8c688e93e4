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
// numbers that are kept on the stack
enum { most_few = 96 };

// of their sizes, to a neighbour
static const double beside = 0.05;

// of each constraint at the state in the input block
static void norms(engine* e, double* out)
{
  if (e->sparse)
    code_run(e->program->eom, e->in, e->work.eom_out, e->work.scratch);
  else
    code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  for (int k = 0; k < e->m; k++) out[k] = engine_level_norm(e, k);
}

// what constraint k is like when all that enters it moves by its size
static double terms_of(const engine* e, int k, const double* size)
{
  double sum = 0;
  for (int j = 0; j < e->n; j++)
    sum = e->sparse ? fmax(sum, engine_row_norm(e, k) * size[j])
                    : sum + fabs(e->LA[k * e->n + j]) * size[j];
  return sum;
}

// does some state that satisfies the other constraints break this one?
static bool says_more(engine* e, int k, const double* here, const double* size)
{
  const int order = e->model->constraint[k].order;
  uint64_t seed = 23;
  bool broken = false;
  for (int turn = 0; turn < neighbours && !broken; turn++) {
    bool moved;
    engine_shake(e->q, 2 * e->n, here, beside, size, &seed);
    e->factored = false;
    if (engine_project(e, &moved)) continue;
    code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
    broken = fabs(order == 0 ? e->f0[k] : e->f1[k]) >
             engine_terms_off * terms_of(e, k, size + order * e->n);
  }
  return broken;
}

// zero, or by orders smaller than beside this state, as a solver leaves it at a double root
static void find(engine* e, const double* here, double* size, bool* none)
{
  double few[most_few], *norm = few;
  if (2 * e->m > most_few) norm = base_alloc(sizeof(double) * (size_t)(2 * e->m));
  uint64_t seed = 5;
  norms(e, norm);
  for (int i = 0; i < 2 * e->n; i++) size[i] = fabs(here[i]);
  engine_shake(e->q, 2 * e->n, here, engine_beside, size, &seed);
  e->factored = false;
  norms(e, norm + e->m);
  for (int k = 0; k < e->m; k++)
    none[k] = k < e->s->written && e->mode.active[k] && e->model->constraint[k].order < 2 &&
              engine_is_ideal(e, k) &&
              (norm[k] == 0 || norm[k] < engine_no_gradient * norm[e->m + k]);
  if (norm != few) free(norm);
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
  double few[most_few], *here = few;
  bool few_flags[most_few], *none = few_flags, missing = false;
  if (4 * e->n > most_few) here = base_alloc(2 * bytes);
  if (2 * e->m > most_few) none = base_alloc((size_t)(2 * e->m));
  double* size = here + 2 * e->n;
  bool* implied = none + e->m;
  memcpy(here, e->q, bytes);
  memcpy(implied, e->mode.implied, (size_t)e->m);
  find(e, here, size, none);
  memcpy(e->q, here, bytes);
  if (memchr(none, true, (size_t)e->m)) {
    engine_state_sizes(e, size);
    // what the others say is said without any of these
    for (int k = 0; k < e->m; k++) e->mode.implied[k] = implied[k] || none[k];
    engine_rows(e);
    for (int k = 0; k < e->m; k++) {
      if (!none[k] || !says_more(e, k, here, size)) continue;
      tell(&e->model->constraint[k], notes);
      missing = true;
    }
    memcpy(e->mode.implied, implied, (size_t)e->m);
    engine_rows(e);
    memcpy(e->q, here, bytes);
  }
  e->factored = false;
  if (here != few) free(here);
  if (none != few_flags) free(none);
  return missing;
}
