// Unilateral constraints in a run: engagement, loosening, impacts.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/contact.h"
#include "walk/instant.h"
#include "walk/sinks.h"
#include "walk/slip_onset.h"

static const char* const words[] = {[CONTACT_LOOSENED] = "loosening",
                                    [CONTACT_ENGAGED] = "engagement",
                                    [CONTACT_HIT] = "impact",
                                    [CONTACT_SLIPPING] = "slipping",
                                    [CONTACT_STICKING] = "sticking",
                                    [CONTACT_RESTED] = "rest",
                                    [CONTACT_REGIME] = "sliding regime",
                                    [CONTACT_JAMMED] = "impact without collision"};

// ---- the decision -------------------------------------------------------------------------------

// contacts of surfaces leave and land, and what rolls rubs against its rolling
static const char* word_for(const engine* e, contact_change now, int i)
{
  const int contact = contact_inequality_constraint(e, i)->contact;
  if (!contact) return words[now];
  const bool rolls = e->model->contact[contact - 1].rolls;
  switch (now) {
  case CONTACT_LOOSENED:
    return "leaving";
  case CONTACT_ENGAGED:
    return "landing";
  case CONTACT_SLIPPING:
    return rolls ? "start of rolling" : words[now];
  case CONTACT_STICKING:
    return rolls ? "end of rolling" : words[now];
  default:
    return words[now];
  }
}

static void remember(walk_job* r, double t, const double* y, contact_change now, int i,
                     const double* impulse)
{
  const walk_found found = {WALK_GAP, i, t, -1};
  char name[160];
  snprintf(name, sizeof name, "%s of %s", word_for(r->e, now, i), contact_inequality_name(r->e, i));
  const int before = r->track->happenings;
  walk_sinks_happening(r, &found, name, y);
  if (r->track->happenings > before)
    r->track->happening[r->track->happenings - 1].impulse = impulse;
}

void walk_contact_note(walk_job* r)
{
  contact_inequalities* u = r->e->unilateral;
  for (int i = 0; u && i < u->count; i++) {
    const contact_change now = u->present[i] ? contact_inequality_change(r->e, i) : CONTACT_KEPT;
    u->change[i] = contact_change_both(u->change[i], now);
  }
}

void walk_contact_slips(walk_job* r, const walk_instant* in)
{
  const engine* e = r->e;
  contact_inequalities* u = e->unilateral;
  for (int i = 0; u && i < u->count; i++) {
    const int corner = contact_slip_jump(e, i), k = u->of[i];
    if (corner < 0 || u->change[i] != CONTACT_KEPT || !in->active[k] || !e->mode.active[k])
      continue;
    const bool stands = contact_corner_stands(e, corner), stood = in->stands[corner];
    if (stands && !stood) u->change[i] = CONTACT_STICKING;
    if (!stands && (stood || e->side[corner] != in->side[corner])) u->change[i] = CONTACT_SLIPPING;
  }
}

// the impulses of the last impact; where two coefficients stretch the slips, along their axes
static void kicks_along_axes(engine* e, double* out)
{
  memcpy(out, e->unilateral->kick, sizeof(double) * (size_t)e->m);
  for (int k = 0; k < e->m; k++) {
    const model_constraint* c = &e->model->constraint[k];
    for (int i = 0; i < c->slips && c->stretch[0] != EXPR_NONE; i++)
      if (out[c->stick[i]] != 0) out[c->stick[i]] *= engine_value_again(e, c->stretch[i]);
  }
}

void walk_contact_tell(walk_job* r, double t, const double* y)
{
  contact_inequalities* u = r->e->unilateral;
  double* impulse = NULL;
  for (int i = 0; u && i < u->count; i++) {
    const contact_change now = walk_limit_change(r, i, u->change[i]);
    u->change[i] = CONTACT_KEPT;
    if (now == CONTACT_KEPT || r->over) continue;
    // what holds both ways is struck by others, and told with them
    if (u->both[i] && now != CONTACT_STICKING && now != CONTACT_SLIPPING) continue;
    const bool hit = u->impulse[i] > 0;
    if (hit && !impulse) {
      impulse = base_arena_take(walk_track_kept(r->track), sizeof(double) * (size_t)r->e->m);
      kicks_along_axes(r->e, impulse);
    }
    remember(r, t, y, now, i, hit ? impulse : NULL);
  }
}

int walk_contact_follow(walk_job* r, walk_instant* in)
{
  engine* e = r->e;
  if (!e->unilateral) return 0;
  if (contact_accelerations(e)) return 1;
  bool* touched = base_alloc((size_t)e->parts + 1);
  const bool overrun = contact_overrun(e, touched);
  const double before = overrun ? walk_run_energy(r).H : 0;
  int failed = overrun && contact_inequality_decide(e, true, NULL, touched);
  free(touched);
  if (!overrun || failed) return failed;
  walk_contact_note(r);
  engine_set_aside(e);
  const bool asked = in->set || in->touched;
  failed = contact_sides(e) || walk_bounces_rest(r, in, asked);
  // what was lost by impacts, and done meanwhile
  if (!failed) r->jumps += walk_run_energy(r).H - before;
  return failed;
}

// A contact that loosens from here on while its gap still closes, by a speed that is nothing
// against the motion, would close again at once, and again: that speed is taken away.
static int stop_creeping(engine* e, const bool* closing)
{
  const contact_inequalities* u = e->unilateral;
  bool *creeps = base_alloc((size_t)u->count + 1), any = false;
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  for (int i = 0; i < u->count; i++) {
    creeps[i] = closing[i] && u->present[i] && !e->mode.active[u->of[i]] &&
                e->model->constraint[u->of[i]].order == 0 && contact_inequality_rate(e, i) < 0;
    any = any || creeps[i];
  }
  int failed = 0;
  for (int on = 1; on >= 0 && any && !failed; on--) {
    for (int i = 0; i < u->count; i++)
      if (creeps[i]) e->mode.active[u->of[i]] = on;
    engine_rows(e);
    if (on) failed = engine_kick(e, NULL);
  }
  free(creeps);
  return failed;
}

// What has come to its end has no slip left: the last of it need not be along its acceleration,
// where friction and forces nearly balance, and would be a way of its own to slip. A share stays
// that is nothing to the decision: until then the law of slip acts, which has no value without any.
static int take_rest(engine* e, bool* stops)
{
  const contact_inequalities* u = e->unilateral;
  bool any = false;
  for (int i = 0; i < u->count; i++) {
    stops[i] = stops[i] && contact_slip_goes_on(e, i);
    any = any || stops[i];
  }
  if (!any) return 0;
  double* before = base_alloc(sizeof(double) * (size_t)(e->n + 1));
  memcpy(before, e->v, sizeof(double) * (size_t)e->n);
  int failed = 0;
  for (int on = 1; on >= 0 && !failed; on--) {
    for (int i = 0; i < u->count; i++) {
      const model_constraint* c = contact_inequality_constraint(e, i);
      for (int k = 0; k < c->slips && stops[i]; k++) e->mode.active[c->stick[k]] = on;
    }
    // to the parts, which look at their own
    engine_rows(e);
    engine_set_aside(e);
    if (on) failed = engine_kick(e, NULL);
  }
  for (int j = 0; j < e->n; j++) e->v[j] += engine_slip_left * (before[j] - e->v[j]);
  free(before);
  return failed;
}

// How long the last bit of slip in space takes that is nothing any more, |u|/|u'|; and of whom.
// Where friction and forces nearly balance that is no moment: accelerations would change in it, and
// the bit is taken at once.
static int find_stops(walk_job* r, double t, bool* stops, double* left)
{
  engine* e = r->e;
  const double due = fmin(r->t_end, walk_run_due(r)) - t,
               moment = fmin(engine_brief * engine_scale_quick(e), due);
  *left = -1;
  for (int i = 0; i < e->unilateral->count; i++) {
    stops[i] = false;
    if (!contact_slip_has_stopped(e, i, r->f->ode.rel_tol)) continue;
    const double speed = contact_slip_speed(e, i);
    if (contact_accelerations(e)) return 1;
    const double rate = contact_slip_rate(e, i);
    if (!(rate < 0)) continue;
    stops[i] = true;
    *left = fmax(*left, speed < -rate * moment ? speed / -rate : 0);
  }
  return 0;
}

// What the forces do meanwhile is their work, and no jump of the energy. Of the slip that lasts
// longest a share of a share stays: without any its law would have no value where others are
// stopped.
static int end_slips(walk_job* r, walk_instant* in, bool* stops, double left)
{
  engine* e = r->e;
  bool moved;
  const double before = walk_run_energy(r).H,
               until = (1 - engine_slip_left * engine_slip_left) * left;
  for (int j = 0; j < e->n; j++) {
    e->q[j] += left * (e->v[j] + left / 2 * e->a[j]);
    e->v[j] += until * e->a[j];
  }
  in->until += left;
  engine_time(e, in->until);
  if (engine_project(e, &moved) || take_rest(e, stops)) return 1;
  const double done = walk_run_energy(r).H - before;
  in->work += done;
  in->H += done;
  return 0;
}

// slip in space that is nothing any more ends a moment later
static int come_to_stand(walk_job* r, walk_instant* in)
{
  engine* e = r->e;
  double left;
  bool* stops = base_alloc((size_t)e->unilateral->count + 1);
  int failed = find_stops(r, in->until, stops, &left);
  if (!failed && left >= 0) failed = end_slips(r, in, stops, left);
  free(stops);
  return failed;
}

void walk_slip_ended(walk_job* r, walk_found_list* out)
{
  engine* e = r->e;
  const contact_inequalities* u = e->unilateral;
  if (!contact_slips_in_space(e)) return;
  if (rate_flow_load(r->f, r->stepper->t, r->stepper->y)) return;
  for (int i = 0; i < u->count; i++)
    if (contact_slip_has_stopped(e, i, r->f->ode.rel_tol))
      base_push(out, (walk_found){WALK_SLIP, i, r->stepper->t, -1});
}

void walk_slips_begin(walk_job* r, walk_instant* in)
{
  engine* e = r->e;
  if (r->over || !walk_onset_count(r, &walk_slip_contacts, in)) return;
  if (rate_flow_rebase(r->f)) {
    walk_run_give_up(r, e->reason);
    return;
  }
  double* y = base_alloc(sizeof(double) * (size_t)r->f->ode.n);
  rate_flow_store(r->f, in->work, y);
  // what happened is told before the stretch behind it
  walk_contact_tell(r, in->until, y);
  const double t = r->over ? NAN : walk_onset(r, &walk_slip_contacts, in, in->until, y, &in->work);
  free(y);
  if (isnan(t)) return;
  in->until = t;
  engine_set_aside(e);
}

// Rows that are due in the time which impacts, or the end of a slip, took together until the
// engine's state: back from it by its accelerations.
int walk_contacts_rows(walk_job* r, const walk_instant* in)
{
  engine* e = r->e;
  walk_rows* c = r->record;
  const double t = in->until;
  const int n = e->n;
  if (!(c->due < c->count && c->times[c->due] < t)) return 0;
  walk_aside_begin(c->aside, r->f);
  if (rate_flow_rebase(r->f) || contact_accelerations(e)) {
    walk_aside_end(c->aside, r->f);
    return 1;
  }
  double* kept = base_alloc(sizeof(double) * (size_t)(3 * n + r->f->ode.n));
  double *q = kept, *v = q + n, *a = v + n, *y = a + n;
  memcpy(q, e->q, sizeof(double) * (size_t)(2 * n));
  memcpy(a, e->a, sizeof(double) * (size_t)n);
  while (!r->over && c->due < c->count && c->times[c->due] < t) {
    const double at = c->times[c->due++], h = at - t;
    for (int j = 0; j < n; j++) {
      e->q[j] = q[j] + h * (v[j] + h / 2 * a[j]);
      e->v[j] = v[j] + h * a[j];
    }
    engine_time(e, at);
    rate_flow_store(r->f, in->work, y);
    walk_run_add_row(r, at, y, -1);
  }
  walk_aside_end(c->aside, r->f);
  free(kept);
  return 0;
}

// ---- what happens -------------------------------------------------------------------------------

// the part of the system in which something was found about an inequality
static void touch(const walk_job* r, walk_instant* in, const walk_found* found)
{
  const engine* e = r->e;
  if (!e->parts) return;
  const int part = found->kind == WALK_CORNER ? contact_slip_owner(e, found->index)
                                              : e->unilateral->part[found->index];
  if (part >= 0) in->parts[part] = true;
}

// a regime that ends by its link taking hold: velocities jump then
static void tell_regime(walk_job* r, walk_instant* in, const walk_found* found)
{
  engine* e = r->e;
  bool moved;
  if (!e->unilateral->links) return;
  if (rate_flow_load(r->f, in->t, in->y) || engine_project(e, &moved)) return;
  if (!contact_regime_grips(e, found->index)) return;
  char name[160];
  snprintf(name, sizeof name, "end of sliding regime of %s",
           contact_inequality_name(e, found->index));
  walk_sinks_happening(r, found, name, in->y);
}

void walk_gap_tell(walk_job* r, walk_instant* in, const walk_found* found)
{
  const engine* e = r->e;
  const int k = e->unilateral->of[found->index];
  touch(r, in, found);
  // velocities may jump: the state before is shown, too
  const bool closes = !e->mode.active[k] && r->s->model->constraint[k].order == 0;
  if (closes && !r->record->fixed_rows && !in->shown) walk_run_add_row(r, in->t, in->y, -1);
  in->shown = in->shown || closes;
  if (!r->over) tell_regime(r, in, found);
}

void walk_gap_happen(walk_job* r, walk_instant* in, const walk_found* found)
{
  r->watch->last[found->kind][found->index] = in->t;
  touch(r, in, found);
  if (found->kind == WALK_GAP) in->closing[found->index] = true;
  in->touched = in->ends = true;
}

// corners and sides that face each other from here on are decided about with all others
static int face_anew(const walk_job* r, walk_instant* in)
{
  const contact_inequalities* u = r->e->unilateral;
  bool *changed = base_alloc((size_t)u->count + 1), any = false;
  const int failed = contact_facing_choose(r->e, changed, &any);
  if (any) in->recounted = true;
  for (int i = 0; i < u->count && r->e->parts; i++)
    if (changed[i]) in->parts[u->part[i]] = true;
  free(changed);
  return failed;
}

int walk_contacts_decide(walk_job* r, walk_instant* in)
{
  engine* e = r->e;
  const contact_inequalities* u = e->unilateral;
  if ((in->faced || in->set) && face_anew(r, in)) return 1;
  bool* moved = in->set ? contact_touched_since(e, &in->kept) : NULL;
  for (int p = 0; p < e->parts && moved; p++) in->parts[p] = in->parts[p] || moved[p];
  free(moved);
  if (in->touched && (walk_impact_place(r, in) || come_to_stand(r, in))) return 1;
  if (contact_inequality_decide(e, true, in->closing, in->parts) || stop_creeping(e, in->closing))
    return 1;
  walk_contact_note(r);
  in->jumped = in->jumped || u->engaged;
  for (int i = 0; i < u->count; i++) in->jumped = in->jumped || u->impulse[i] > 0;
  const double t = in->until;
  const int failed = walk_bounces_rest(r, in, false);
  // one that is found closed on its way comes to rest without an impact of its own
  in->jumped = in->jumped || in->until > t;
  return failed;
}
