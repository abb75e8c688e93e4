// Accelerations and reactions with all that is held and pressed at an instant: by whichever problem
// the mode asks for, part by part.
#include "contact/contact.h"

#include <math.h>
#include <stdio.h>

// sides of the held corners from s'_i = b_i + sum_j G_ij side_j = 0, then the accelerations
static int held_accelerations(engine* e)
{
  const int h = e->mode.held_count;
  const bool factored = e->factored;
  int at = 0;
  for (int i = 0; i < e->program->modes.count; i++)
    if (e->mode.held[i]) e->work.hold_list[at++] = i;
  for (int j = 0; j < h; j++) e->side[e->work.hold_list[j]] = 0;
  if (engine_plain_accelerations(e)) return 1;
  code_run(e->program->switches, e->in, e->work.switching, e->work.scratch);
  for (int i = 0; i < h; i++)
    e->work.hold_b[i] = -e->work.switching[e->program->modes.count + e->work.hold_list[i]];
  for (int j = 0; j < h; j++) {
    e->side[e->work.hold_list[j]] = 1;
    e->factored = factored;
    if (engine_plain_accelerations(e)) return 1;
    code_run(e->program->switches, e->in, e->work.switching, e->work.scratch);
    for (int i = 0; i < h; i++)
      e->work.hold_G[i * h + j] =
          e->work.switching[e->program->modes.count + e->work.hold_list[i]] + e->work.hold_b[i];
    e->side[e->work.hold_list[j]] = 0;
  }
  if (!num_lu(h, e->work.hold_G, e->work.hold_pivot)) {
    snprintf(e->reason, sizeof e->reason,
             "the forces that hold the motion at a jump are not determined");
    return 1;
  }
  num_lu_solve(h, e->work.hold_G, e->work.hold_pivot, e->work.hold_b);
  for (int j = 0; j < h; j++) e->side[e->work.hold_list[j]] = e->work.hold_b[j];
  e->factored = factored;
  return engine_plain_accelerations(e);
}

static int accelerations_of_parts(engine* e)
{
  const bool margin_known = e->factored;
  double margin = 1;
  int failed = 0;
  e->factored = false;
  e->rank = 0;
  for (int p = 0; p < e->parts && !failed; p++) {
    engine* x = engine_part_enter(e, p);
    failed = contact_accelerations(x);
    engine_part_leave(e, p);
    engine_part_show(e, p);
    if (x->mode.rows) margin = fmin(margin, x->margin);
    if (x->mode.rows) e->rank += x->rank;
  }
  if (!margin_known) e->margin = margin;
  if (e->sparse) code_run(e->program->eom, e->in, e->work.eom_out, e->work.scratch);
  return failed;
}

int contact_accelerations(engine* e)
{
  if (engine_is_passing(e)) return 0;
  if (e->parts) return accelerations_of_parts(e);
  if (contact_slip_solves(e)) return contact_slip_accelerations(e);
  if (contact_regime_rules(e)) return contact_regime_accelerations(e);
  if (e->mode.curved && (e->mode.coupled || e->mode.held_count)) {
    snprintf(e->reason, sizeof e->reason,
             e->mode.coupled
                 ? "a constraint nonlinear in the accelerations is not taken together with "
                   "controls or forces that depend on reactions"
                 : "a motion held at a jump of the forces is not taken together with a "
                   "constraint nonlinear in the accelerations");
    return 1;
  }
  if (e->mode.coupled) return engine_coupled_accelerations(e);
  return e->mode.held_count ? held_accelerations(e) : engine_plain_accelerations(e);
}

static double reactions_of_parts(engine* e)
{
  double left = 0;
  for (int p = 0; p < e->parts; p++) {
    left = fmax(left, contact_reactions(engine_part_enter(e, p)));
    engine_part_leave(e, p);
  }
  return left;
}

double contact_reactions(engine* e)
{
  if (engine_is_passing(e)) return 0;
  if (e->parts) return reactions_of_parts(e);
  const bool found = e->mode.coupled || e->mode.regime >= 0; // with the accelerations
  const double left = engine_plain_reactions(e);
  if (e->unilateral && e->mode.rows && e->mode.implied_count && !found && !e->sparse)
    contact_inequality_reactions(e);
  return left;
}

int contact_accelerations_beside(engine* e, int k)
{
  const int p = e->parts ? e->part_of_row[k] : 0;
  engine* x = e->parts ? engine_part_enter(e, p) : e;
  const int failed = contact_accelerations(x);
  if (!failed) contact_reactions(x);
  if (!e->parts) return failed;
  engine_part_leave(e, p);
  engine_part_show(e, p);
  return failed;
}
