// Contacts with Coulomb friction: open, sticking or slipping, decided for all of them together.
//
//   M w = F + N_B^T lambda_B + N^T lambda_N + T^T lambda_T
//   0 <= lambda_N, N w + d_N >= 0, complementary
//   slipping with u != 0:  lambda_T = -mu lambda_N u/|u|
//   at rest, u = 0:        |lambda_T| <= mu lambda_N, and = -mu lambda_N alpha/|alpha| where the
//                          slip begins with alpha = T w + d_T != 0
// While a contact sticks, constraints u = 0 hold it, in the plane one, in space two; while it slips
// the law stands in the forces. In space the law has no value at u = 0: where slip begins, the
// accelerations are those of the problem above with u = 0 until its speed is something. What that
// leaves out, the turning of u against alpha, is of the second order in that speed unless alpha
// itself begins at zero (slip_start.c).
#include "contact/beside.h"
#include "contact/contact.h"
#include "contact/paradox.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_enumerated = 4 };

// ---- the decision -------------------------------------------------------------------------------

void contact_slip_forget(engine* e)
{
  contact_inequalities* u = e->unilateral;
  memcpy(u->mode_was, u->mode, sizeof *u->mode * (size_t)u->count);
  memcpy(u->starts_was, u->starts, sizeof *u->starts * (size_t)u->count);
  for (int i = 0; i < u->count; i++)
    for (int k = 0; k < contact_slip_count(e, i); k++)
      e->mode.active[contact_inequality_constraint(e, i)->stick[k]] = false;
}

void contact_forget(engine* e, const bool* touched)
{
  if (!e->parts && e->unilateral && e->unilateral->rough) contact_slip_forget(e);
  for (int p = 0; p < e->parts; p++) {
    if (touched && !touched[p]) continue;
    contact_forget(engine_part_enter(e, p), NULL);
    engine_part_leave(e, p);
  }
}

bool contact_slips_in_space(const engine* e)
{
  bool any = false;
  for (int p = 0; p < e->parts; p++) any = any || contact_slips_in_space(e->part[p].e);
  return any || (e->unilateral && e->unilateral->rough && e->unilateral->tangents == 2);
}

// of several motions the one that goes on as before, else the one that sticks most; or that slips
// most, where that is asked for
static const cone_contact_solution* pick(const engine* e, const cone_contact_result* x, int count)
{
  const cone_contact_solution* best = &x->solution[0];
  int most = -1;
  for (int s = 0; s < x->count; s++) {
    int sticks = 0, same = 0;
    for (int r = 0; r < count; r++) {
      sticks += e->beyond == MODEL_BEYOND_SLIP ? contact_slip_moves(x->solution[s].mode[r])
                                               : x->solution[s].mode[r] == CONE_CONTACT_STICK;
      same += x->solution[s].mode[r] == e->unilateral->guess[r];
    }
    const int score = same == count && e->beyond != MODEL_BEYOND_SLIP ? 1000000 : sticks;
    if (score <= most) continue;
    most = score;
    best = &x->solution[s];
  }
  return best;
}

// contact i is in this mode from here on; `rests`: without slip now
static void take_mode(engine* e, int i, cone_contact_mode mode, bool rests)
{
  contact_inequalities* u = e->unilateral;
  const model_constraint* c = contact_inequality_constraint(e, i);
  const int slips = contact_slip_count(e, i);
  e->mode.active[u->of[i]] = mode != CONE_CONTACT_OPEN;
  u->mode[i] = mode;
  if (!slips || mode == CONE_CONTACT_OPEN) return;
  for (int k = 0; k < slips; k++) e->mode.active[c->stick[k]] = mode == CONE_CONTACT_STICK;
  if (u->corner[i] >= 0)
    e->side[u->corner[i]] = u->corner_sign[i] * (mode == CONE_CONTACT_SLIP_BACK ? -1 : 1);
  u->starts[i] = slips == 2 && rests && mode == CONE_CONTACT_SLIP;
  u->starting += u->starts[i];
}

static void take_modes(engine* e, const cone_contact_mode* mode, const double* slip)
{
  contact_inequalities* u = e->unilateral;
  const int t = u->tangents;
  u->starting = 0;
  for (int i = 0; i < u->count; i++) {
    u->starts[i] = false;
    u->mode[i] = CONE_CONTACT_OPEN;
  }
  for (int r = 0; r < u->candidates; r++) {
    bool rests = true;
    for (int k = 0; k < t; k++) rests = rests && slip[r * t + k] == 0;
    take_mode(e, u->candidate[r], mode[r], rests);
  }
}

// several motions obey the laws, and the run is to end there
static int refuse_several(engine* e)
{
  snprintf(e->reason, sizeof e->reason,
           "Painleve's paradox: more than one motion satisfies the contacts and their friction: %s",
           e->unilateral->answers);
  return 1;
}

// with these accelerations across the contact
static bool grows(const engine* e, int i, const double* alpha)
{
  const double* out = e->work.slip_out + e->unilateral->slip[i];
  double along = 0;
  for (int k = 0; k < contact_slip_count(e, i); k++) along += alpha[k] * out[1 + k * (e->n + 1)];
  return along >
         20 * engine_noise_force * contact_slip_acceleration(e, i) * contact_slip_size(e, i);
}

// What began to slip, and would be held now as if it rested or be accelerated against its slip, has
// a speed already: friction acts against that. Are there such?
static bool were_moving(engine* e, const cone_contact_solution* s)
{
  contact_inequalities* u = e->unilateral;
  bool any = false;
  for (int r = 0; r < u->candidates; r++) {
    const int i = u->candidate[r];
    if (!u->starts[i] || contact_slip_size(e, i) <= engine_slip_stops * contact_slip_scale(e, i) ||
        (s->mode[r] != CONE_CONTACT_STICK && grows(e, i, s->alpha_T + r * u->tangents)))
      continue;
    u->starts[i] = false;
    any = true;
  }
  return any;
}

static int decide(engine* e, bool* none)
{
  contact_inequalities* u = e->unilateral;
  const int count = u->candidates, t = u->tangents;
  engine_rows(e);
  code_run(e->program->slips, e->in, e->work.slip_out, e->work.scratch);
  for (int i = 0; i < u->count; i++)
    u->starts[i] =
        u->starts[i] && u->was[i] && contact_slip_size(e, i) < 0.9 * contact_slip_begun(e, i);
  cone_contact_result x =
      contact_slip_solve(e, count, u->candidate, count <= most_enumerated, false);
  if (x.count && were_moving(e, pick(e, &x, count)))
    x = contact_slip_solve(e, count, u->candidate, count <= most_enumerated, false);
  *none = x.count != 1 && x.status != CONE_CONTACT_CONTRADICTION;
  if (!x.count) return contact_slip_no_answer(e, &x);
  contact_paradox_list(e, &x);
  if (x.count > 1 && e->beyond == MODEL_BEYOND_STOP) return refuse_several(e);
  const cone_contact_solution* s = pick(e, &x, count);
  e->ambiguous = e->ambiguous || x.count > 1;
  cone_contact_mode* mode = base_alloc(sizeof *mode * (size_t)(2 * count + 1));
  double* slip = base_alloc(sizeof *slip * (size_t)(count * t + 1));
  contact_slip_read_modes(e, s, mode);
  memcpy(slip, u->slip_now, sizeof *slip * (size_t)(count * t));
  memcpy(u->w, s->w, sizeof(double) * (size_t)e->n);
  contact_inequality_see_forces(e);
  e->ambiguous =
      e->ambiguous || contact_load_is_open(e, s->lambda_N, s->alpha_N, slip,
                                           contact_inequality_bilateral(e, false, false));
  const int failed = contact_slip_answer_later(e, s, mode);
  if (!failed) take_modes(e, mode, slip);
  free(slip);
  free(mode);
  engine_set_aside(e);
  return failed;
}

static int choose(engine* e, bool* none)
{
  if (!e->unilateral->beside) return decide(e, none);
  contact_beside_choose(e, true);
  const int failed = decide(e, none);
  contact_beside_choose(e, false);
  return failed;
}

// Where no motion obeys the laws, or several do, an impact without collision may be asked for.
int contact_slip_choose(engine* e)
{
  bool paradox = false;
  const int failed = choose(e, &paradox);
  const int jams = paradox ? contact_paradox_beyond(e) : -1;
  if (jams < 0) return failed;
  contact_slip_forget(e);
  for (int i = 0; i < e->unilateral->count; i++)
    e->mode.active[e->unilateral->of[i]] = e->unilateral->both[i];
  if (contact_paradox_strike(e, jams) || contact_impact_settle(e, true)) return 1;
  contact_active_set_candidates(e, NULL);
  return choose(e, &paradox);
}

contact_change contact_slip_change(const engine* e, int i)
{
  const contact_inequalities* u = e->unilateral;
  if (!contact_slip_count(e, i)) return CONTACT_KEPT;
  // in space one that has come to an end and begins again goes another way
  if (u->mode[i] == u->mode_was[i])
    return u->starts[i] && !u->starts_was[i] ? CONTACT_SLIPPING : CONTACT_KEPT;
  if (contact_slip_moves(u->mode[i])) return CONTACT_SLIPPING;
  return contact_slip_moves(u->mode_was[i]) ? CONTACT_STICKING : CONTACT_KEPT;
}

// ---- accelerations ------------------------------------------------------------------------------

bool contact_slip_solves(const engine* e)
{
  const contact_inequalities* u = e->unilateral;
  if (!u || !u->rough || e->by_impulses) return u && u->rough && u->starting;
  return u->tree || u->starting || contact_is_redundant(e);
}

bool contact_is_redundant(const engine* e)
{
  const contact_inequalities* u = e->unilateral;
  bool any = contact_loads_pass(e);
  for (int p = 0; p < e->parts && !any; p++) any = contact_is_redundant(e->part[p].e);
  // what begins to slip is held as if it rested, and shares with what sticks
  any = any || (u && u->rough && u->starting);
  return any || (u && u->beside && contact_beside_shares(e));
}

bool contact_is_redundant_beside(const engine* e, int k)
{
  return contact_is_redundant(e->parts ? e->part[e->part_of_row[k]].e : e);
}

int contact_slip_active(engine* e)
{
  contact_inequalities* u = e->unilateral;
  u->candidates = 0;
  for (int i = 0; i < u->count; i++)
    if (e->mode.active[u->of[i]]) u->candidate[u->candidates++] = i;
  return u->candidates;
}

// The sign with which the problem of these modes goes on; where contacts share their load it has
// none but that of a rounding.
static bool is_turned(engine* e, int count, int sign)
{
  const contact_inequalities* u = e->unilateral;
  if (contact_is_redundant(e)) return false;
  engine_orientation now = {.sign = sign, .size = e->n + count};
  for (int r = 0; r < count; r++)
    now.sides =
        31 * (31 * now.sides + (unsigned)u->candidate[r]) + (unsigned)u->mode[u->candidate[r]];
  return engine_is_turned(e, now);
}

static int no_bound(engine* e)
{
  snprintf(e->reason, sizeof e->reason,
           "the reactions of contacts with friction have no bound there (Painleve's paradox)");
  return 1;
}

int contact_slip_accelerations(engine* e)
{
  contact_inequalities* u = e->unilateral;
  const int count = contact_slip_active(e), t = u->tangents;
  bool along;
  cone_contact_result x = contact_slip_go_on(e, count, u->candidate, &along);
  along = along && x.count;
  if (x.count && is_turned(e, count, x.sign)) return no_bound(e);
  if (!x.count) x = contact_slip_solve(e, count, u->candidate, false, true);
  if (!x.count) return contact_slip_no_answer(e, &x);
  const cone_contact_solution* s = &x.solution[0];
  memcpy(e->a, s->w, sizeof(double) * (size_t)e->n);
  if (u->beside) contact_beside_take(e, count, u->candidate, s);
  for (int k = 0, b = 0; k < e->m && !u->beside && !along; k++)
    if (contact_inequality_binds(e, k, false, false)) e->lambda[k] = s->lambda_B[b++];
  for (int r = 0; r < count; r++) {
    const int i = u->candidate[r];
    const model_constraint* c = contact_inequality_constraint(e, i);
    e->lambda[u->of[i]] = u->sign[i] * s->lambda_N[r];
    u->alpha[i] = s->alpha_N[r];
    for (int k = 0; k < contact_slip_count(e, i); k++)
      if (e->mode.active[c->stick[k]] || u->starts[i])
        e->lambda[c->stick[k]] = s->lambda_T[r * t + k];
  }
  if (along) contact_tree_reactions(e, count, s);
  for (int i = 0; i < e->n; i++)
    if (!isfinite(e->a[i])) return contact_slip_no_answer(e, &x);
  return 0;
}

double contact_slip_power(engine* e)
{
  const contact_inequalities* u = e->unilateral;
  double power = 0;
  if (e->parts) return contact_parts_sum(e, contact_slip_power);
  if (!u->starting) return 0;
  code_run(e->program->slips, e->in, e->work.slip_out, e->work.scratch);
  for (int i = 0; i < u->count; i++)
    for (int k = 0; k < 2 && u->starts[i]; k++)
      power += e->lambda[contact_inequality_constraint(e, i)->stick[k]] *
               e->work.slip_out[u->slip[i] + 1 + k * (e->n + 1)];
  return power;
}

int contact_slip_owner(const engine* e, int corner)
{
  for (int p = 0; p < e->parts; p++)
    for (int i = 0; i < e->part[p].e->program->modes.count; i++)
      if (e->part[p].corner[i] == corner && contact_slip_owns(e->part[p].e, i)) return p;
  return -1;
}

bool contact_slip_owns(const engine* e, int corner)
{
  const contact_inequalities* u = e->unilateral;
  if (e->parts) return contact_slip_owner(e, corner) >= 0;
  for (int i = 0; u && u->rough && i < u->count; i++)
    if (u->corner[i] == corner) return true;
  return false;
}

int contact_slip_jump(const engine* e, int i)
{
  const engine* x = contact_inequality_place(e, &i);
  const contact_inequalities* u = x->unilateral;
  if (u->rough || !u->tangents || u->corner[i] < 0) return -1;
  for (int p = 0; p < e->parts; p++)
    if (e->part[p].e == x) return e->part[p].corner[u->corner[i]];
  return u->corner[i];
}

bool contact_slip_gripped(const engine* e, int i)
{
  e = contact_inequality_place(e, &i);
  return e->unilateral->tangents && e->unilateral->gripped[i];
}

bool contact_slip_is_idle(const engine* e, int corner)
{
  const contact_inequalities* u = e->unilateral;
  for (int p = 0; p < e->parts; p++)
    for (int i = 0; i < e->part[p].e->program->modes.count; i++)
      if (e->part[p].corner[i] == corner && contact_slip_is_idle(e->part[p].e, i)) return true;
  for (int i = 0; !e->parts && u && u->rough && i < u->count; i++)
    if (u->corner[i] == corner)
      return !e->mode.active[u->of[i]] || u->mode[i] == CONE_CONTACT_STICK;
  return false;
}

bool contact_slip_is_off(const engine* e, int corner)
{
  const contact_inequalities* u = e->unilateral;
  bool off = false;
  for (int p = 0; p < e->parts; p++)
    for (int i = 0; i < e->part[p].e->program->modes.count; i++)
      if (e->part[p].corner[i] == corner) off = off || contact_slip_is_off(e->part[p].e, i);
  for (int i = 0; !e->parts && u && u->rough && i < u->count; i++) {
    if (u->corner[i] != corner) continue;
    if (u->present[i] && e->mode.active[u->of[i]]) return false;
    off = true;
  }
  return off;
}
