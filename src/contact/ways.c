// Accelerations at an instant: a table of ways to find them, of which the first is taken that takes
// all that the mode asks for. A system of parts asks it for each of them.
#include "contact/contact.h"

#include <math.h>
#include <stdio.h>

// ---- held motions -------------------------------------------------------------------------------

// sides of the held corners from s'_i = b_i + sum_j G_ij side_j = 0, then the accelerations
static int held_accelerations(engine* e)
{
  const int h = e->mode.held_count;
  const bool factored = e->factored;
  int at = 0;
  for (int i = 0; i < e->program->modes.count; i++)
    if (e->mode.held[i]) e->work.hold_list[at++] = i;
  for (int j = 0; j < h; j++) e->side[e->work.hold_list[j]] = 0;
  if (contact_ways_plain(e)) return 1;
  engine_corner_rates(e);
  for (int i = 0; i < h; i++)
    e->work.hold_b[i] = -e->work.switching[e->program->modes.count + e->work.hold_list[i]];
  for (int j = 0; j < h; j++) {
    e->side[e->work.hold_list[j]] = 1;
    e->factored = factored;
    if (contact_ways_plain(e)) return 1;
    engine_corner_rates(e);
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
  return contact_ways_plain(e);
}

// ---- part by part -------------------------------------------------------------------------------

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

// ---- the table ----------------------------------------------------------------------------------

enum {
  plain = ENGINE_MANY | ENGINE_HOLDS_CURVED,
  coupled = ENGINE_MANY | ENGINE_HOLDS_JUMP | ENGINE_HOLDS_COUPLED,
  regime = plain | coupled | ENGINE_HOLDS_REGIME,
  slip = regime | ENGINE_HOLDS_SLIP
};

// the quicker ones first
const contact_way contact_ways[CONTACT_WAYS] = {
    {"plain", 0, 0, engine_plain_accelerations},
    {"many coordinates", ENGINE_MANY, ENGINE_MANY, engine_sparse_accelerations},
    {"least on a curve", plain, ENGINE_HOLDS_CURVED, engine_curved_accelerations},
    {"held at a jump", ENGINE_MANY | ENGINE_HOLDS_JUMP, ENGINE_HOLDS_JUMP, held_accelerations},
    {"coupled", coupled, ENGINE_HOLDS_COUPLED, engine_coupled_accelerations},
    {"sliding regime", regime, ENGINE_HOLDS_REGIME, contact_regime_accelerations},
    {"slip", slip, ENGINE_HOLDS_SLIP, contact_slip_accelerations},
    {"part by part", slip | ENGINE_HOLDS_PARTS, ENGINE_HOLDS_PARTS, accelerations_of_parts},
};

engine_features contact_ways_features(const engine* e)
{
  const engine_mode* m = &e->mode;
  return (e->sparse ? ENGINE_MANY : 0u) | (m->curved ? ENGINE_HOLDS_CURVED : 0u) |
         (m->coupled ? ENGINE_HOLDS_COUPLED : 0u) | (m->held_count ? ENGINE_HOLDS_JUMP : 0u) |
         (m->regime >= 0 ? ENGINE_HOLDS_REGIME : 0u) |
         (e->unilateral && contact_slip_solves(e) ? ENGINE_HOLDS_SLIP : 0u) |
         (e->parts ? ENGINE_HOLDS_PARTS : 0u);
}

static const contact_way* first(engine_features asked)
{
  for (int i = 0; i < CONTACT_WAYS; i++)
    if (!(asked & ~contact_ways[i].takes) && !(contact_ways[i].needs & ~asked))
      return &contact_ways[i];
  return NULL;
}

int contact_ways_plain(engine* e)
{
  return first(contact_ways_features(e) & plain)->accelerations(e);
}

static int refuse(engine* e, engine_features asked)
{
  snprintf(e->reason, sizeof e->reason,
           asked & ENGINE_HOLDS_COUPLED
               ? "a constraint nonlinear in the accelerations is not taken together with "
                 "controls or forces that depend on reactions"
               : "a motion held at a jump of the forces is not taken together with a "
                 "constraint nonlinear in the accelerations");
  return 1;
}

int contact_accelerations(engine* e)
{
  if (engine_is_passing(e)) return 0;
  const engine_features asked = contact_ways_features(e);
  const contact_way* way = first(asked);
  return way ? way->accelerations(e) : refuse(e, asked);
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
  // the load of one that is not shared is known, and changes its sign where the contact is to open
  if (e->unilateral && e->mode.rows && contact_loads_pass(e) && !found && !e->sparse)
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
