// Unilateral constraints f >= 0: the principle of least constraint with inequalities.
//
// Of the constraints that can be stressed at an instant (f = 0 and f' = 0, by their order) those
// act that the least of Gauss's function needs (Sinitsyn 1990, (1.2)-(1.4), completed by
// complementarity):
//   min 1/2 (w - w0)^T M (w - w0),  N_B w + d_B = 0,  alpha = N_U w + d_U >= 0,
// with reactions lambda >= 0, lambda.alpha = 0. Those with lambda > 0 are held as equations until
// their reaction vanishes; the others loosen. Where both vanish the next moment decides.
// A closed constraint of order 0 that closes further is an impact: velocities jump by impulses that
// obey the same principle with the restitution of each contact.
#include "contact/contact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- set-up -------------------------------------------------------------------------------------

static void* take(engine* e, int count, size_t size)
{
  return base_arena_take(e->arena, (size_t)(count + 1) * size);
}

contact_inequalities* contact_inequality_new(engine* e)
{
  const model* m = e->model;
  int count = 0;
  for (int k = 0; k < e->m; k++) count += m->constraint[k].sense || m->constraint[k].guides;
  if (!count) return NULL;
  contact_inequalities* u = take(e, 1, sizeof *u);
  const int n = e->n, rows = e->m;
  u->count = count;
  u->of = take(e, count, sizeof(int));
  u->sign = take(e, count, sizeof(double));
  u->both = take(e, count, sizeof(bool));
  u->restitution = take(e, count, sizeof(double));
  u->law = take(e, count, sizeof(int));
  u->present = take(e, count, sizeof(bool));
  u->closed = take(e, count, sizeof(bool));
  u->joins = take(e, count, sizeof(bool));
  u->apart = take(e, count, sizeof(bool));
  u->low = take(e, count, sizeof(bool));
  u->hop = take(e, count, sizeof(double));
  u->hop_speed = take(e, count, sizeof(double));
  u->was = take(e, count, sizeof(bool));
  u->bent = take(e, count, sizeof(bool));
  u->change = take(e, count, sizeof(contact_change));
  u->impulse = take(e, count, sizeof(double));
  u->kick = take(e, rows, sizeof(double));
  u->alpha = take(e, count, sizeof(double));
  u->lambda = take(e, count, sizeof(double));
  u->candidate = take(e, count, sizeof(int));
  u->pressed = take(e, count, sizeof(double));
  u->pulled = take(e, count, sizeof(double));
  u->hits = take(e, count, sizeof *u->hits);
  u->value = take(e, count, sizeof(double));
  u->N = take(e, count * n, sizeof(double));
  u->d = take(e, count, sizeof(double));
  u->NB = take(e, rows * n, sizeof(double));
  u->dB = take(e, rows, sizeof(double));
  u->w = take(e, n, sizeof(double));
  u->v = take(e, n, sizeof(double));
  u->e = take(e, count, sizeof(double));
  u->held_before = take(e, e->program->modes.count, sizeof(bool));
  int at = 0;
  for (int k = 0; k < e->m; k++) {
    const model_constraint* c = &m->constraint[k];
    if (!c->sense && !c->guides) continue;
    u->of[at] = k;
    u->sign[at] = c->guides ? 1 : c->sense;
    u->both[at] = c->guides;
    u->present[at] = !c->starts_off;
    u->law[at] = (int)c->impact;
    contact_accumulation_forget(&u->hits[at]);
    at++;
  }
  u->jammed = -1;
  u->least = cone_least_new(n, rows, count);
  e->unilateral = u;
  contact_regime_new(e);
  // parts decide by themselves
  if (e->parts) return u;
  contact_slip_new(e);
  u->impact = cone_impact_new(n, rows, count, u->tangents);
  return u;
}

// friction that is not decided with a gap
static bool has_grips_of_its_own(const model_contact* c)
{
  bool any = false;
  for (int g = 0; g < MODEL_GRIPS; g++) any = any || c->grip[g].rows;
  return any && !c->lands;
}

bool contact_inequality_can(const engine* e, base_notes* notes)
{
  const contact_inequalities* u = e->unilateral;
  // a coefficient of nothing has no force that could feel the pressure
  for (int i = 0; i < u->count && !u->rough && e->program->forces_feel; i++) {
    const model_constraint* c = contact_inequality_constraint(e, i);
    if (c->friction == EXPR_NONE || c->slips < 2) continue;
    base_error(notes, c->place, "friction in space is not taken beside %s",
               e->least           ? "a constraint nonlinear in the accelerations"
               : u->corner_shared ? "a friction in the plane along whose slip another force jumps"
                                  : "a friction in the plane that depends on reactions in several "
                                    "ways");
    if (!e->least && u->corner_shared)
      base_help(notes, "smooth that force, for example with tanh, or leave it to the friction of "
                       "the contact");
    return false;
  }
  for (int i = 0; i < e->model->contacts; i++)
    for (int j = 0; j < e->model->contacts; j++)
      if (e->model->contact[i].lands && has_grips_of_its_own(&e->model->contact[j])) {
        base_error(notes, e->model->contact[i].place,
                   "impacts are not modelled beside friction against pivoting, against the rolling "
                   "of what slides, or of a contact that cannot let go");
        base_help(notes, "that of `%s`; leave the restitution away, or that friction",
                  e->model->contact[j].name);
        return false;
      }
  for (int j = 0; j < u->links; j++) {
    // what rolls rubs against its rolling, not against its slip
    const model_constraint* rail = contact_inequality_constraint(e, u->link_of[j]);
    if (rail->friction == EXPR_NONE || rail->contact) continue;
    base_error(notes, e->model->constraint[u->link[j]].place,
               "what holds only while a contact does is not taken beside friction of that contact");
    base_help(notes,
              "friction says by itself how long the contact grips: leave the constraint away");
    return false;
  }
  return true;
}

void contact_inequality_free(contact_inequalities* u)
{
  if (!u) return;
  cone_least_free(u->least);
  cone_impact_free(u->impact);
  cone_contact_free(u->contact);
}

void contact_inequality_use_siconos(engine* e)
{
  contact_inequalities* u = e->unilateral;
  e->siconos = true;
  for (int p = 0; p < e->parts; p++) contact_inequality_use_siconos(e->part[p].e);
  if (!u || e->parts) return;
  cone_impact_use_siconos(u->impact);
  if (u->contact) cone_contact_use_siconos(u->contact);
}

static int see(engine* e)
{
  contact_inequality_see(e);
  return 0;
}

void contact_inequality_see(engine* e)
{
  if (e->parts) {
    contact_parts_count(e, see);
    engine_scales_see_all(e, e->q, e->v, e->a);
    return;
  }
  memcpy(e->unilateral->w, e->a, sizeof(double) * (size_t)e->n);
  contact_inequality_see_forces(e);
}

// ---- the start ----------------------------------------------------------------------------------

int contact_inequality_hold_violated(engine* e)
{
  if (e->parts) return contact_parts_count(e, contact_inequality_hold_violated);
  contact_inequalities* u = e->unilateral;
  int added = 0;
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  for (int i = 0; i < u->count; i++) {
    const int order = contact_inequality_constraint(e, i)->order;
    if (!u->present[i] || u->both[i] || e->mode.active[u->of[i]] || order == 2) continue;
    const double over = order == 0 ? contact_inequality_gap(e, i) : contact_inequality_rate(e, i);
    if (!(over < -engine_noise_gap * (order == 0 ? contact_inequality_length(e, i)
                                                 : contact_inequality_speed(e, i))))
      continue;
    e->mode.active[u->of[i]] = true;
    added++;
  }
  if (added) engine_rows(e);
  return added;
}

const model_constraint* contact_inequality_without_way(engine* e)
{
  const contact_inequalities* u = e->unilateral;
  const model_constraint* found = NULL;
  for (int p = 0; p < e->parts && !found; p++) {
    if (!e->part[p].e->unilateral) continue;
    found = contact_inequality_without_way(engine_part_enter(e, p));
    engine_part_leave(e, p);
  }
  if (e->parts || !u) return found;
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  for (int i = 0; i < u->count && !found; i++) {
    const model_constraint* c = contact_inequality_constraint(e, i);
    if (u->present[i] && !u->both[i] && c->order == 0 && contact_inequality_gap(e, i) < 0 &&
        !isfinite(contact_inequality_length(e, i)))
      found = c;
  }
  return found;
}

// ---- what is watched ----------------------------------------------------------------------------

bool contact_inequality_needs(const engine* e, int i)
{
  return e->mode.active[e->unilateral->of[i]] || contact_inequality_constraint(e, i)->order == 2;
}

// Where the contact problem itself is solved a reaction is never negative: from where it has come
// to zero on, the contact opens with an acceleration that stands for it.
static double freed(const engine* e, int i)
{
  if (!contact_slip_solves(e) || e->lambda[e->unilateral->of[i]] != 0) return 0;
  const double mobility = engine_scale_mobility(e, e->A + e->unilateral->of[i] * e->n);
  return mobility > 0 ? e->unilateral->alpha[i] / mobility : 0;
}

double contact_inequality_watch(const engine* e, int i)
{
  const contact_inequalities* u = e->unilateral;
  const int k = u->of[i];
  if (!u->present[i] || u->both[i]) return 1;
  if (e->mode.regime == i) return u->theta * (1 - u->theta);
  if (e->mode.active[k]) return u->sign[i] * e->lambda[k] - freed(e, i);
  if (contact_inequality_constraint(e, i)->order == 0) return u->sign[i] * e->f0[k];
  if (contact_inequality_constraint(e, i)->order == 1) return u->sign[i] * e->f1[k];
  double sum = -e->c[k];
  for (int j = 0; j < e->n; j++) sum += e->A[k * e->n + j] * e->a[j];
  return u->sign[i] * sum;
}

static double value_in_part(engine* e, int i)
{
  engine* x = contact_parts_enter(e, &i);
  return contact_inequality_value(x, i);
}

double contact_inequality_value(engine* e, int i)
{
  if (!contact_inequality_needs(e, i)) {
    code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
    return contact_inequality_watch(e, i);
  }
  if (e->parts) return value_in_part(e, i);
  if (contact_accelerations(e)) return NAN;
  contact_reactions(e);
  return contact_inequality_watch(e, i);
}

// those that need accelerations, in one engine whose instant is set
static void stressed_values(engine* e, double* value)
{
  const contact_inequalities* u = e->unilateral;
  bool any = false;
  for (int i = 0; i < u->count; i++) any = any || (u->present[i] && contact_inequality_needs(e, i));
  if (!any) return;
  const bool failed = contact_accelerations(e);
  if (!failed) contact_reactions(e);
  for (int i = 0; i < u->count; i++)
    if (u->present[i] && contact_inequality_needs(e, i))
      value[i] = failed ? NAN : contact_inequality_watch(e, i);
}

static void values_in_part(engine* e, int p, double* value)
{
  const contact_inequalities *u = e->unilateral, *own = e->part[p].e->unilateral;
  if (!own) return;
  bool any = false;
  for (int i = 0; i < u->count && !any; i++)
    any = u->part[i] == p && u->present[i] && contact_inequality_needs(e, i);
  if (!any) return;
  stressed_values(engine_part_enter(e, p), own->value);
  for (int i = 0; i < u->count; i++)
    if (u->part[i] == p && u->present[i] && contact_inequality_needs(e, i))
      value[i] = own->value[u->number[i]];
}

void contact_inequality_values(engine* e, double* value)
{
  const contact_inequalities* u = e->unilateral;
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  for (int i = 0; i < u->count; i++)
    value[i] = contact_inequality_needs(e, i) ? NAN : contact_inequality_watch(e, i);
  if (!e->parts) stressed_values(e, value);
  for (int p = 0; p < e->parts; p++) values_in_part(e, p, value);
}

static int loose_in_parts(engine* e, int which, double* alpha)
{
  const contact_inequalities* u = e->unilateral;
  for (int i = 0; i < u->count; i++) {
    // each part once, by its first
    const int p = u->part[i];
    if (u->number[i] || (which >= 0 && u->part[which] != p)) continue;
    if (!contact_is_redundant(e->part[p].e)) continue;
    const int found =
        contact_loose(engine_part_enter(e, p), which < 0 ? -1 : u->number[which], alpha);
    for (int j = 0; j < u->count && found >= 0; j++)
      if (u->part[j] == p && u->number[j] == found) return j;
  }
  return -1;
}

int contact_closed(const engine* e)
{
  const contact_inequalities* u = e->unilateral;
  int closed = 0;
  for (int i = 0; u && i < u->count; i++) closed += e->mode.active[u->of[i]];
  return closed;
}

int contact_loose(engine* e, int which, double* alpha)
{
  if (e->parts) return loose_in_parts(e, which, alpha);
  return e->unilateral->rough ? contact_slip_loose(e, which, alpha)
                              : contact_inequality_loose(e, which, alpha);
}

// loosening acceleration of i at the accelerations a
static double loosens_by(const engine* e, int i, const double* a)
{
  const int k = e->unilateral->of[i];
  return e->unilateral->sign[i] * (engine_row_dot(e, k, a) - e->c[k]);
}

// Is i, which stands open at its limit without moving, about to close: at the accelerations in w,
// or a moment later, where friction that held it there has just come to its bound? Levels
// evaluated.
static bool closes_from_rest(engine* e, int i)
{
  const contact_inequalities* u = e->unilateral;
  const model_constraint* c = contact_inequality_constraint(e, i);
  if (c->order > 1 || e->mode.active[u->of[i]]) return false;
  if (!c->order &&
      !(contact_inequality_gap(e, i) <= engine_noise_gap * contact_inequality_length(e, i)))
    return false;
  if (!(fabs(contact_inequality_rate(e, i)) <= engine_noise_speed * contact_inequality_speed(e, i)))
    return false;
  const double alpha = loosens_by(e, i, u->w), least = contact_inequality_least_acceleration(e, i);
  if (!(fabs(alpha) <= least)) return alpha < 0;
  double* kept = base_alloc(sizeof(double) * (size_t)e->program->inputs);
  memcpy(kept, e->in, sizeof(double) * (size_t)e->program->inputs);
  engine_glide(e, contact_inequality_moment(e), u->w);
  const bool closes = !contact_accelerations(e) && loosens_by(e, i, e->a) < -least;
  memcpy(e->in, kept, sizeof(double) * (size_t)e->program->inputs);
  e->factored = false;
  engine_equations(e);
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  free(kept);
  return closes;
}

bool contact_inequality_is_overrun(engine* e)
{
  const contact_inequalities* u = e->unilateral;
  double alpha;
  memcpy(u->w, e->a, sizeof(double) * (size_t)e->n);
  contact_inequality_see_forces(e);
  contact_reactions(e);
  if (contact_slip_is_turned(e)) return true;
  for (int i = 0; i < u->count; i++) {
    if (!u->present[i] || e->mode.regime == i || !contact_inequality_needs(e, i)) continue;
    const double least = e->mode.active[u->of[i]] ? contact_inequality_least_force(e, i)
                                                  : contact_inequality_least_acceleration(e, i);
    if (contact_inequality_watch(e, i) < -least) return true;
  }
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  for (int i = 0; i < u->count; i++)
    if (u->present[i] && closes_from_rest(e, i)) return true;
  if (u->rough) return contact_slip_loose(e, -1, &alpha) >= 0;
  return e->mode.implied_count && !e->program->forces_feel &&
         contact_inequality_loose(e, -1, &alpha) >= 0;
}

bool contact_overrun(engine* e, bool* touched)
{
  bool any = false;
  if (!e->parts) return touched[0] = contact_inequality_is_overrun(e);
  for (int p = 0; p < e->parts; p++) {
    if (!e->part[p].e->unilateral) continue;
    touched[p] = contact_inequality_is_overrun(engine_part_enter(e, p));
    engine_part_leave(e, p);
    any = any || touched[p];
  }
  return any;
}
