// Scales of a run, from what was seen of each coordinate. See scales.h.
//
// With masses m_j = M_jj and speeds V_j seen of the coordinates of a group, the kinetic energy has
// been about K, sqrt(K) = max sqrt(m_j) V_j. Coordinate i would have the speed sqrt(K/m_i) if it
// had all of it: the numbers its speed is computed from are of that size, in its own unit. Of
// accelerations and places the same.
#include "engine/scales.h"
#include "engine/inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// growth that is not worth another reckoning
static const double grown = 1.05;
// A motion that has less than this of the speed which all of the energy of its group would give is
// measured by that much: a coordinate that does not quite rest is no motion of its own, and a body
// that spins fast may nod slowly.
static const double share = 1e-2;
// Up to this times its own size it is measured by the others: what moves with them and less than
// they do is as exact as they are, to the tolerance of its own size.
static const double most_lent = 10;
// of the root of the energy of a group: who has more shows how fast its places change
static const double counts = 0.1;

// numbers that are kept on the stack
enum { most_few = 96 };

// of that, what passes to others where constraints of all are factored together
static const double leaks = 0.3;

typedef struct members
{
  int count;
  const int* of;
} members;

static members members_of(const engine_scales* s, int g)
{
  return (members){s->of.from[g + 1] - s->of.from[g], s->of.member + s->of.from[g]};
}

engine_scales* engine_scales_new(engine* e)
{
  engine_scales* s = engine_take(e, 1, sizeof *s);
  const int n = e->n;
  const engine_room list[] = {{&s->mass, n},         {&s->place, n},       {&s->speed, n},
                              {&s->acceleration, n}, {&s->place_terms, n}, {&s->speed_terms, n},
                              {&s->rate_terms, n},   {&s->like, n},        {&s->root, n},
                              {&s->inverse_root, n}};
  engine_rooms(e, sizeof list / sizeof *list, list);
  s->seen = engine_take(e, e->n, sizeof *s->seen);
  s->of = e->program->coupled;
  s->all = engine_take(e, s->of.groups, sizeof *s->all);
  s->massless = true; // until masses are seen
  return s;
}

// ---- what follows from what was seen
// -------------------------------------------------------------

// Called nearly each step while a motion grows, so that roots and divisions by masses are kept.
static inline double larger(double a, double b)
{
  return a > b ? a : b;
}

static inline double smaller(double a, double b)
{
  return a < b ? a : b;
}

// masses of coordinates that have next to none are those of their like, or of what they are bound
// to
static void find_masses(engine* e, engine_scales* s)
{
  engine_masses(e, s->mass, s->like);
  s->massless = false;
  for (int i = 0; i < e->n; i++) {
    if (s->mass[i] > engine_least_mass * s->like[i]) s->like[i] = s->mass[i];
    s->root[i] = s->like[i] > 0 ? sqrt(s->like[i]) : 0;
    s->inverse_root[i] = s->root[i] > 0 ? 1 / s->root[i] : 0;
    s->massless = s->massless || !(s->root[i] > 0);
  }
}

static inline void take(engine_seen* c, double by, const engine_seen* x)
{
  c->place = larger(by * x->place, c->place);
  c->speed = larger(by * x->speed, c->speed);
  c->acceleration = larger(by * x->acceleration, c->acceleration);
  c->terms = larger(by * x->terms, c->terms);
}

// How long the motion of a group takes to change its places: of those who have its energy, the
// least L/V, compared without division, and no longer than the run, as what comes from rest with
// the speed of a rounding would be. `most`: the root of that energy.
static inline double time_of(const engine_scales* s, members m, double most)
{
  double L = 0, V = 0;
  for (int k = 0; k < m.count; k++) {
    const int j = m.of[k];
    const engine_seen* x = &s->seen[j];
    if (!(x->speed > 0 && s->root[j] * x->speed >= counts * most)) continue;
    if (V > 0 && !(x->place * V < L * x->speed)) continue;
    L = x->place;
    V = x->speed;
  }
  const double time = V > 0 ? L / V : 0;
  return s->span > 0 ? smaller(time, s->span) : time;
}

// a size seen, and up to ten times that where others have more
static inline double lent(double seen, double all)
{
  return larger(seen, smaller(all, most_lent * seen));
}

static inline void take_members(const engine_scales* s, members m, engine_common* c)
{
  for (int k = 0; k < m.count; k++) take(&c->most, s->root[m.of[k]], &s->seen[m.of[k]]);
  for (int k = 0; s->massless && k < m.count; k++) take(&c->largest, 1, &s->seen[m.of[k]]);
}

// the same where accelerations and terms are those taken last
static inline void take_moving(const engine_scales* s, members m, engine_common* c)
{
  // not in *c: each would wait for what the last has stored
  double place = 0, speed = 0;
  for (int k = 0; k < m.count; k++) {
    const double by = s->root[m.of[k]];
    place = larger(by * s->seen[m.of[k]].place, place);
    speed = larger(by * s->seen[m.of[k]].speed, speed);
  }
  c->most.place = place;
  c->most.speed = speed;
  if (!s->massless) return;
  place = speed = 0;
  for (int k = 0; k < m.count; k++) {
    place = larger(s->seen[m.of[k]].place, place);
    speed = larger(s->seen[m.of[k]].speed, speed);
  }
  c->largest.place = place;
  c->largest.speed = speed;
}

// Of the numbers that a motion of these sizes is computed from
typedef struct terms
{
  double place, speed, rate;
} terms;

static inline terms terms_of(const engine_scales* s, const engine_seen* x)
{
  const double part = engine_step_part * s->span, rate = larger(x->acceleration, x->terms),
               speed = larger(larger(x->speed, sqrt(rate * x->place)), rate * part);
  // V^2/A, where the motion turns, or as far as it comes
  const double way = x->speed * (x->speed < rate * s->span ? x->speed / rate : s->span);
  return (terms){larger(larger(x->place, way), speed * part), speed, rate};
}

// how long is counted: a share of the time of the group, a moment of the run
typedef struct times
{
  double moving, moment;
} times;

// The sizes of the motion of coordinate i, and of the numbers it is computed from, given those of
// its group; by: its unit in that of the group. Its acceleration is known.
static inline void scale_motion(engine_scales* s, int i, double by, const engine_seen* all, terms t,
                                times time)
{
  const engine_seen* seen = &s->seen[i];
  const double most = by * all->speed;
  const double speed =
      larger(lent(seen->speed, most), larger(share * most, s->acceleration[i] * time.moment));
  s->speed[i] = speed;
  s->place[i] = larger(lent(seen->place, by * all->place), speed * time.moving);
  s->speed_terms[i] = by * t.speed;
  s->place_terms[i] = by * t.place;
}

static inline void scale_moving(engine_scales* s, members m, const engine_common* c)
{
  const double moment = engine_moment * s->span;
  const times time = {larger(share * time_of(s, m, c->most.speed), moment), moment};
  const terms most = terms_of(s, &c->most);
  for (int k = 0; k < m.count; k++)
    scale_motion(s, m.of[k], s->inverse_root[m.of[k]], &c->most, most, time);
  if (!s->massless) return;
  const terms largest = terms_of(s, &c->largest);
  for (int k = 0; k < m.count; k++)
    if (!(s->root[m.of[k]] > 0)) scale_motion(s, m.of[k], 1, &c->largest, largest, time);
}

static inline void scale_rates(engine_scales* s, members m, const engine_common* c)
{
  for (int k = 0; k < m.count; k++) {
    const int i = m.of[k];
    const bool weighs = s->root[i] > 0;
    const engine_seen* all = weighs ? &c->most : &c->largest;
    const double by = weighs ? s->inverse_root[i] : 1;
    s->acceleration[i] = larger(s->seen[i].acceleration, by * all->acceleration);
    s->rate_terms[i] = by * larger(all->acceleration, all->terms);
  }
}

static void renew(engine* e)
{
  engine_scales* s = e->scales;
  for (int g = 0; g < s->of.groups; g++) {
    engine_common* c = &s->all[g];
    const members m = members_of(s, g);
    *c = (engine_common){0};
    take_members(s, m, c);
    scale_rates(s, m, c);
    scale_moving(s, m, c);
  }
}

// only places and speeds were seen: in most steps of a motion that grows
static void renew_moving(engine* e)
{
  engine_scales* s = e->scales;
  for (int g = 0; g < s->of.groups; g++) {
    const members m = members_of(s, g);
    take_moving(s, m, &s->all[g]);
    scale_moving(s, m, &s->all[g]);
  }
}

// Where constraints are factored together all coordinates have the rounding of all of them, also
// those that nothing couples.
void engine_scales_noise(const engine* e, double* speed, double* rate)
{
  const engine_scales* s = e->scales;
  const double part = e->m ? leaks : 0;
  engine_common whole = {0};
  for (int g = 0; g < s->of.groups; g++) take_members(s, members_of(s, g), &whole);
  for (int i = 0; i < e->n; i++) {
    const bool weighs = s->root[i] > 0;
    const double by = part * (weighs ? s->inverse_root[i] : 1);
    const engine_seen* all = weighs ? &whole.most : &whole.largest;
    speed[i] = engine_balanced * larger(s->speed_terms[i], by * all->speed);
    rate[i] = engine_balanced * larger(s->rate_terms[i], by * all->acceleration);
  }
}

static inline bool see(double* seen, double size)
{
  if (!(size > grown * *seen)) return false; // nearly always
  const bool grew = isfinite(size);
  if (grew) *seen = size;
  return grew;
}

static bool raise_to(double* seen, double size)
{
  const bool grew = size > *seen;
  if (grew) *seen = size;
  return grew;
}

// what the whole has seen of the coordinates of a part, the part has seen, too
static void hand_down(const engine* e)
{
  const engine_scales* from = e->scales;
  for (int p = 0; p < e->parts; p++) {
    const engine_part* part = &e->part[p];
    engine_scales* to = part->e->scales;
    bool grew = false;
    for (int i = 0; i < part->n; i++) {
      const int k = part->coord[i];
      grew = raise_to(&to->seen[i].place, from->seen[k].place) || grew;
      grew = raise_to(&to->seen[i].speed, from->seen[k].speed) || grew;
      grew = raise_to(&to->seen[i].acceleration, from->seen[k].acceleration) || grew;
    }
    if (grew) renew(part->e);
  }
}

bool engine_scales_see(engine* e, const double* q, const double* v, const double* a)
{
  engine_scales* s = e->scales;
  if (s->frozen) return false;
  bool grew = false;
  for (int i = 0; i < e->n; i++) {
    engine_seen* x = &s->seen[i];
    if (q) grew |= see(&x->place, fabs(q[i]));
    if (v) grew |= see(&x->speed, fabs(v[i]));
    if (a) grew |= see(&x->acceleration, fabs(a[i]));
  }
  if (grew) renew(e);
  if (grew) hand_down(e);
  return grew;
}

bool engine_scales_see_steered(engine* e, const double* q, const double* v, const bool* quiet)
{
  engine_seen* seen = e->scales->seen;
  const int n = e->n;
  bool grew = false;
  for (int i = 0; i < n; i++) {
    grew |= see(&seen[i].place, fabs(q[i]));
    if (!quiet || !quiet[i]) grew |= see(&seen[i].speed, fabs(v[i]));
  }
  if (grew) renew_moving(e);
  if (grew) hand_down(e);
  return grew;
}

// forces at the state in the input block, and how much they differ from those given
static bool see_difference(engine* e, const double* F, double factor)
{
  engine_scales* s = e->scales;
  bool grew = false;
  code_run(e->program->eom, e->in, e->work.eom_out, e->work.scratch);
  for (int i = 0; i < e->n; i++) {
    const double size = s->like[i] > 0 ? factor * fabs(e->F[i] - F[i]) / s->like[i] : 0;
    grew |= see(&s->seen[i].terms, size);
  }
  return grew;
}

void engine_scales_see_terms(engine* e)
{
  const engine_scales* s = e->scales;
  const int n = e->n;
  double few[most_few], *kept = few;
  if (e->program->inputs + n > most_few)
    kept = base_alloc(sizeof(double) * (size_t)(e->program->inputs + n));
  double* F = kept + e->program->inputs;
  memcpy(kept, e->in, sizeof(double) * (size_t)e->program->inputs);
  code_run(e->program->eom, e->in, e->work.eom_out, e->work.scratch);
  memcpy(F, e->F, sizeof(double) * (size_t)n);
  // signs of no pattern, so that nothing cancels
  for (int i = 0; i < n; i++) {
    e->q[i] += (i * i % 3 ? engine_terms_step : -engine_terms_step) * s->place[i];
    e->v[i] += (i * i % 5 ? engine_terms_step : -engine_terms_step) * s->speed[i];
  }
  bool grew = see_difference(e, F, 1 / engine_terms_step);
  memcpy(e->in, kept, sizeof(double) * (size_t)e->program->inputs);
  engine_time(e, kept[0] + engine_terms_step * s->span);
  grew = see_difference(e, F, 1 / engine_terms_step) || grew;
  engine_time(e, kept[0]);
  for (int i = 0; i < e->program->modes.count; i++) e->side[i] = e->side[i] > 0 ? -1 : 1;
  grew = (e->program->modes.count && see_difference(e, F, 1)) || grew;
  memcpy(e->in, kept, sizeof(double) * (size_t)e->program->inputs);
  if (kept != few) free(kept);
  code_run(e->program->eom, e->in, e->work.eom_out, e->work.scratch);
  if (grew) renew(e);
}

void engine_scales_freeze(engine* e, bool frozen)
{
  e->scales->frozen = frozen;
  for (int p = 0; p < e->parts; p++) engine_scales_freeze(e->part[p].e, frozen);
}

void engine_scales_forget(engine* e)
{
  for (int i = 0; i < e->n; i++) e->scales->seen[i].place = e->scales->seen[i].speed = 0;
}

// masses and forces as evaluated last; what follows is not reckoned yet
static bool take_forces(engine* e)
{
  engine_scales* s = e->scales;
  bool grew = false;
  if (s->frozen) return false;
  for (int i = 0; i < e->n; i++) {
    const double mass = engine_mass_of(e, i);
    grew |= see(&s->mass[i], mass);
  }
  if (grew) find_masses(e, s);
  for (int i = 0; i < e->n; i++) {
    const double rate = s->like[i] > 0 ? fabs(e->F[i]) / s->like[i] : 0;
    grew |= see(&s->seen[i].acceleration, rate);
  }
  return grew;
}

void engine_scales_see_forces(engine* e)
{
  if (take_forces(e)) renew(e);
}

void engine_scales_see_all(engine* e, const double* q, const double* v, const double* a)
{
  const bool forces = take_forces(e);
  if (!engine_scales_see(e, q, v, a) && forces) renew(e);
}

// has something been seen of a coordinate? Else all that follows is zero, whatever the span
static bool has_seen(const engine* e)
{
  bool any = false;
  for (int i = 0; i < e->n && !any; i++) {
    const engine_seen* x = &e->scales->seen[i];
    any = x->place > 0 || x->speed > 0 || x->acceleration > 0 || x->terms > 0;
  }
  return any;
}

void engine_scales_span(engine* e, double span)
{
  e->scales->span = isfinite(span) ? span : 0;
  if (has_seen(e)) renew(e);
  for (int p = 0; p < e->parts; p++) engine_scales_span(e->part[p].e, span);
}

// ---- times -----------------------------------------------------------------------------------

double engine_scale_instant(const engine* e, double t)
{
  return fmax(fabs(t), engine_step_part * e->scales->span);
}

// L/V, V/A, and the time in which it falls by L
static double longest_time(double L, double V, double A)
{
  return fmax(fmax(V > 0 ? L / V : 0, A > 0 ? V / A : 0), A > 0 ? sqrt(L / A) : 0);
}

double engine_scale_motion(const engine* e)
{
  const engine_scales* s = e->scales;
  double most = 0;
  for (int i = 0; i < e->n; i++)
    most = fmax(most, longest_time(s->seen[i].place, s->seen[i].speed, s->seen[i].acceleration));
  return most > 0 ? most : 1;
}

// the shortest of its coordinates' longest times: none of them gets far in a part of it
double engine_scale_quick(const engine* e)
{
  const engine_scales* s = e->scales;
  double least = s->span > 0 ? s->span : INFINITY;
  for (int i = 0; i < e->n; i++) {
    const double time = longest_time(s->place[i], s->speed[i], s->acceleration[i]);
    if (time > 0) least = fmin(least, time);
  }
  return isfinite(least) ? least : 1;
}
