// Decisions in a system of parts: each is made in the part it concerns, as if that were alone.
//
// The inequalities of the whole are what the walk looks at; those of the parts are what decides.
// What a stage releases goes down with the rows, what a decision found comes up after it.
#include "contact/contact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void* take(engine* e, int count, size_t size)
{
  return engine_take(e, (size_t)count + 1, size);
}

// what is present goes down
static void hold_parts(engine* e)
{
  const contact_inequalities* u = e->unilateral;
  for (int i = 0; i < u->count; i++)
    e->part[u->part[i]].e->unilateral->present[u->number[i]] = u->present[i];
  for (int j = 0; j < u->links; j++)
    e->part[u->part[u->link_of[j]]].e->unilateral->link_present[u->link_number[j]] =
        u->link_present[j];
}

void contact_parts_new(engine* e)
{
  contact_inequalities* u = e->unilateral;
  u->part = take(e, u->count, sizeof(int));
  u->number = take(e, u->count, sizeof(int));
  u->link_number = take(e, u->links, sizeof(int));
  for (int p = 0; p < e->parts; p++) {
    const engine_part* part = &e->part[p];
    const contact_inequalities* own = part->e->unilateral;
    for (int j = 0; own && j < own->count; j++) {
      const int i = contact_inequality_find(u, part->row[own->of[j]]);
      u->part[i] = p;
      u->number[i] = j;
    }
    for (int j = 0; own && j < own->links; j++)
      u->link_number[contact_regime_find(u, part->row[own->link[j]])] = j;
  }
  e->part_laws = hold_parts;
}

engine* contact_inequality_place(const engine* e, int* i)
{
  const contact_inequalities* u = e->unilateral;
  if (!e->parts) return (engine*)e;
  engine* x = e->part[u->part[*i]].e;
  *i = u->number[*i];
  return x;
}

// its part, with the instant lent to it; *i becomes the number there
static engine* enter(engine* e, int* i)
{
  const int number = *i;
  contact_inequality_place(e, i);
  return engine_part_enter(e, e->unilateral->part[number]);
}

// ---- accelerations and sides --------------------------------------------------------------------

int contact_parts_accelerations(engine* e)
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

double contact_parts_reactions(engine* e)
{
  double left = 0;
  for (int p = 0; p < e->parts; p++) {
    left = fmax(left, contact_reactions(engine_part_enter(e, p)));
    engine_part_leave(e, p);
  }
  return left;
}

int contact_parts_meet_corner(engine* e, int corner, int direction)
{
  int failed = 0;
  for (int p = 0; p < e->parts && !failed; p++)
    for (int i = 0; i < e->part[p].e->program->modes.count && !failed; i++) {
      if (e->part[p].corner[i] != corner) continue;
      failed = contact_meet_corner(engine_part_enter(e, p), i, direction);
      engine_part_leave(e, p);
    }
  return failed;
}

int contact_parts_owner(const engine* e, int corner)
{
  for (int p = 0; p < e->parts; p++)
    for (int i = 0; i < e->part[p].e->program->modes.count; i++)
      if (e->part[p].corner[i] == corner && contact_slip_owns(e->part[p].e, i)) return p;
  return -1;
}

// ---- the decision -------------------------------------------------------------------------------

// flags of the whole's inequalities as those of a part, in `own`
static const bool* flags_in(const engine* e, int p, const bool* flag, bool* own)
{
  const contact_inequalities* u = e->unilateral;
  for (int i = 0; i < u->count && flag; i++)
    if (u->part[i] == p) own[u->number[i]] = flag[i];
  return flag ? own : NULL;
}

// nothing touches it: all stays as it is
static void stay(engine* e)
{
  contact_inequalities* u = e->unilateral;
  for (int i = 0; i < u->count; i++) {
    u->was[i] = e->mode.active[u->of[i]];
    u->impulse[i] = 0;
    u->mode_was[i] = u->mode[i];
  }
  memset(u->kick, 0, sizeof(double) * (size_t)e->m);
  u->struck = u->engaged = false;
  u->regime_was = e->mode.regime;
}

// what was found, to be told
static void bring_up(engine* e, int p)
{
  contact_inequalities* u = e->unilateral;
  const engine_part* part = &e->part[p];
  contact_inequalities* own = part->e->unilateral;
  for (int i = 0; i < u->count; i++) {
    if (u->part[i] != p) continue;
    const int j = u->number[i];
    u->impulse[i] = own->impulse[j];
    u->low[i] = own->low[j];
    u->hop[i] = own->hop[j];
  }
  for (int k = 0; k < part->m; k++) u->kick[part->row[k]] = own->kick[k];
  u->struck = u->struck || own->struck;
  u->engaged = u->engaged || own->engaged;
  u->gained += own->gained;
  own->gained = 0;
}

// has an open one come to its limit meanwhile?
static bool runs_into(engine* e)
{
  const contact_inequalities* u = e->unilateral;
  bool any = false;
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  for (int i = 0; i < u->count; i++) {
    if (!u->present[i] || e->mode.active[u->of[i]]) continue;
    const int order = contact_inequality_constraint(e, i)->order;
    const double still = engine_noise_speed * contact_inequality_speed(e, i),
                 near = engine_noise_gap * contact_inequality_length(e, i);
    any = any || (contact_inequality_rate(e, i) < -still &&
                  (order == 1 || (order == 0 && contact_inequality_gap(e, i) <= near)));
  }
  return any;
}

bool contact_parts_touch(const engine* e, int p, const bool* closing)
{
  const contact_inequalities* u = e->unilateral;
  for (int i = 0; closing && i < u->count; i++)
    if (u->part[i] == p && closing[i]) return true;
  return false;
}

int contact_parts_decide(engine* e, bool impacts, const bool* closing, const bool* touched)
{
  contact_inequalities* u = e->unilateral;
  bool* own = base_alloc((size_t)u->count + 1);
  int failed = 0;
  u->struck = u->engaged = false;
  for (int p = 0; p < e->parts; p++) {
    if (!e->part[p].e->unilateral) continue;
    engine* x = engine_part_enter(e, p);
    const bool told = !touched || touched[p] || contact_parts_touch(e, p, closing);
    if (failed || !(told || runs_into(x)))
      stay(x);
    else
      failed = contact_inequality_decide(x, impacts, flags_in(e, p, closing, own), NULL);
    engine_part_leave(e, p);
    bring_up(e, p);
  }
  free(own);
  return failed;
}

int contact_parts_kick(engine* e, const bool* closing)
{
  int failed = 0;
  bool* own = base_alloc((size_t)e->unilateral->count + 1);
  for (int p = 0; p < e->parts && !failed; p++) {
    if (!contact_parts_touch(e, p, closing)) continue;
    failed = contact_accumulation_kick(engine_part_enter(e, p), flags_in(e, p, closing, own));
    engine_part_leave(e, p);
  }
  free(own);
  return failed;
}

// each part by itself; how many said yes
int contact_parts_count(engine* e, int (*what)(engine*))
{
  int count = 0;
  for (int p = 0; p < e->parts; p++) {
    if (!e->part[p].e->unilateral) continue;
    count += what(engine_part_enter(e, p));
    engine_part_leave(e, p);
  }
  return count;
}

double contact_parts_sum(engine* e, double (*what)(engine*))
{
  double sum = 0;
  for (int p = 0; p < e->parts; p++)
    if (e->part[p].e->unilateral) sum += what(engine_part_enter(e, p));
  return sum;
}

int contact_parts_loose(engine* e, int which, double* alpha)
{
  const contact_inequalities* u = e->unilateral;
  for (int i = 0; i < u->count; i++) {
    // each part once, by its first
    const int p = u->part[i];
    if (u->number[i] || (which >= 0 && u->part[which] != p)) continue;
    if (!e->part[p].e->mode.implied_count) continue;
    const int found =
        contact_loose(engine_part_enter(e, p), which < 0 ? -1 : u->number[which], alpha);
    for (int j = 0; j < u->count && found >= 0; j++)
      if (u->part[j] == p && u->number[j] == found) return j;
  }
  return -1;
}

// ---- what something happens to ------------------------------------------------------------------

bool contact_are_together(const engine* e, int i, int j)
{
  return !e->parts || e->unilateral->part[i] == e->unilateral->part[j];
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

contact_before contact_before_keep(const engine* e)
{
  const contact_inequalities* u = e->unilateral;
  contact_before b = {0};
  if (!e->parts) return b;
  b.in = base_alloc(sizeof(double) * (size_t)e->program->inputs);
  memcpy(b.in, e->in, sizeof(double) * (size_t)e->program->inputs);
  b.active = base_alloc((size_t)e->m + 1);
  memcpy(b.active, e->mode.active, (size_t)e->m);
  b.present = base_alloc((size_t)e->m + 1);
  for (int i = 0; u && i < u->count; i++) b.present[u->of[i]] = u->present[i];
  for (int j = 0; u && j < u->links; j++) b.present[u->link[j]] = u->link_present[j];
  return b;
}

void contact_before_free(contact_before* b)
{
  free(b->in);
  free(b->active);
  free(b->present);
}

// the state of a part, but for rounding, or a param in its forces
static bool has_moved(const engine* e, const engine_part* p, const contact_before* b)
{
  const double *q = b->in + (e->q - e->in), *v = b->in + (e->v - e->in),
               *par = b->in + (e->par - e->in);
  bool moved = false;
  for (int i = 0; i < p->n; i++) {
    const int k = p->coord[i];
    moved = moved || fabs(e->q[k] - q[k]) > engine_noise_moved * e->scales->place_terms[k] ||
            fabs(e->v[k] - v[k]) > engine_noise_moved * e->scales->speed_terms[k];
  }
  for (int i = 0; i < e->p; i++) moved = moved || (p->param[i] && e->par[i] != par[i]);
  return moved;
}

bool* contact_touched_since(const engine* e, const contact_before* b)
{
  const contact_inequalities* u = e->unilateral;
  if (!e->parts) return NULL;
  bool* touched = base_alloc((size_t)e->parts + 1);
  for (int p = 0; p < e->parts; p++) {
    const engine_part* part = &e->part[p];
    touched[p] = has_moved(e, part, b);
    for (int k = 0; k < part->m; k++)
      touched[p] = touched[p] || e->mode.active[part->row[k]] != b->active[part->row[k]];
  }
  for (int i = 0; u && i < u->count; i++)
    if (u->present[i] != b->present[u->of[i]]) touched[u->part[i]] = true;
  for (int j = 0; u && j < u->links; j++)
    if (u->link_present[j] != b->present[u->link[j]]) touched[u->part[u->link_of[j]]] = true;
  return touched;
}

// ---- one inequality -----------------------------------------------------------------------------

double contact_parts_value(engine* e, int i)
{
  engine* x = enter(e, &i);
  return contact_inequality_value(x, i);
}

double contact_parts_slip_watch(engine* e, int i)
{
  engine* x = enter(e, &i);
  return contact_slip_watch(x, i);
}

double contact_parts_slip_speed(engine* e, int i)
{
  engine* x = enter(e, &i);
  return contact_slip_speed(x, i);
}
