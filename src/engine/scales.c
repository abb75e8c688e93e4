// Scales of a run, from what was seen of each coordinate. See scales.h.
//
// With masses m_j = M_jj and speeds V_j seen of the coordinates of a group, the kinetic energy has
// been about K = max m_j V_j^2. Coordinate i would have the speed sqrt(K/m_i) if it had all of it:
// the numbers its speed is computed from are of that size, in its own unit. Of accelerations and
// places the same.
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
// of the energy of a group: who has more shows how fast its places change
static const double counts = 1e-2;

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
  double** list[] = {&s->mass,        &s->seen_place,  &s->seen_speed, &s->seen_acceleration,
                     &s->seen_terms,  &s->place,       &s->speed,      &s->acceleration,
                     &s->place_terms, &s->speed_terms, &s->rate_terms, &s->speed_noise,
                     &s->rate_noise,  &s->like};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) *list[i] = engine_doubles(e, e->n);
  s->of = e->program->coupled;
  return s;
}

// ---- what follows from what was seen
// -------------------------------------------------------------

// the largest m_j x_j^2 of these coordinates
static double most_of(const engine_scales* s, members m, const double* x)
{
  double most = 0;
  for (int k = 0; k < m.count; k++) most = fmax(most, s->like[m.of[k]] * x[m.of[k]] * x[m.of[k]]);
  return most;
}

// the largest x_j, where masses say nothing
static double largest_of(members m, const double* x)
{
  double most = 0;
  for (int k = 0; k < m.count; k++) most = fmax(most, x[m.of[k]]);
  return most;
}

// masses of coordinates that have next to none are those of their like, or of what they are bound
// to
static void find_masses(engine* e, engine_scales* s)
{
  engine_masses(e, s->mass, s->like);
  for (int i = 0; i < e->n; i++)
    if (s->mass[i] > engine_least_mass * s->like[i]) s->like[i] = s->mass[i];
}

// how long the motion of a group takes to change its places: of those who have its energy
static double time_of(const engine_scales* s, members m, double energy)
{
  double least = INFINITY;
  for (int k = 0; k < m.count; k++) {
    const int j = m.of[k];
    const double V = s->seen_speed[j];
    if (V > 0 && s->like[j] * V * V >= counts * energy) least = fmin(least, s->seen_place[j] / V);
  }
  return isfinite(least) ? least : 0;
}

// a size of all of some coordinates, in the unit of one of them
typedef struct common
{
  double most, largest;
} common;

static common common_of(const engine_scales* s, members m, const double* x)
{
  return (common){most_of(s, m, x), largest_of(m, x)};
}

static double for_one(const engine_scales* s, int i, common c)
{
  return s->like[i] > 0 ? sqrt(c.most / s->like[i]) : c.largest;
}

// a size seen, and up to ten times that where others have more
static double lent(double seen, double all)
{
  return fmax(seen, fmin(all, most_lent * seen));
}

static void scale_group(engine_scales* s, members m)
{
  const common V = common_of(s, m, s->seen_speed), L = common_of(s, m, s->seen_place),
               A = common_of(s, m, s->seen_acceleration), B = common_of(s, m, s->seen_terms);
  const double time = time_of(s, m, V.most), moment = engine_moment * s->span,
               part = engine_step_part * s->span;
  for (int k = 0; k < m.count; k++) {
    const int i = m.of[k];
    const double all_speed = for_one(s, i, V), all_place = for_one(s, i, L);
    s->acceleration[i] = fmax(s->seen_acceleration[i], for_one(s, i, A));
    const double terms = fmax(s->acceleration[i], for_one(s, i, B));
    s->rate_terms[i] = terms;
    s->speed_terms[i] = fmax(fmax(all_speed, sqrt(terms * all_place)), terms * part);
    // V^2/A, where the motion turns, or as far as it comes
    const double way = all_speed * fmin(s->span, terms > 0 ? all_speed / terms : s->span);
    s->place_terms[i] = fmax(fmax(all_place, way), s->speed_terms[i] * part);
    s->speed[i] = fmax(lent(s->seen_speed[i], all_speed),
                       fmax(share * all_speed, s->acceleration[i] * moment));
    s->place[i] = fmax(lent(s->seen_place[i], all_place), s->speed[i] * fmax(share * time, moment));
  }
}

// Where constraints are factored together all coordinates have the rounding of all of them, also
// those that nothing couples.
static void find_noise(const engine* e, engine_scales* s)
{
  const members all = {e->n, s->of.member};
  const common V = common_of(s, all, s->seen_speed), A = common_of(s, all, s->seen_acceleration);
  const double leak = e->m ? leaks : 0;
  for (int i = 0; i < e->n; i++) {
    s->speed_noise[i] = engine_balanced * fmax(s->speed_terms[i], leak * for_one(s, i, V));
    s->rate_noise[i] = engine_balanced * fmax(s->rate_terms[i], leak * for_one(s, i, A));
  }
}

static void renew(engine* e)
{
  engine_scales* s = e->scales;
  for (int g = 0; g < s->of.groups; g++) scale_group(s, members_of(s, g));
  find_noise(e, s);
}

static bool grow(int n, double* seen, const double* x, const bool* quiet)
{
  bool grew = false;
  for (int i = 0; x && i < n; i++) {
    const double size = fabs(x[i]);
    if (!(size > grown * seen[i]) || !isfinite(size) || (quiet && quiet[i])) continue;
    seen[i] = size;
    grew = true;
  }
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
      grew = raise_to(&to->seen_place[i], from->seen_place[k]) || grew;
      grew = raise_to(&to->seen_speed[i], from->seen_speed[k]) || grew;
      grew = raise_to(&to->seen_acceleration[i], from->seen_acceleration[k]) || grew;
    }
    if (grew) renew(part->e);
  }
}

bool engine_scales_see(engine* e, const double* q, const double* v, const double* a)
{
  engine_scales* s = e->scales;
  if (s->frozen) return false;
  bool grew = grow(e->n, s->seen_place, q, NULL);
  grew = grow(e->n, s->seen_speed, v, NULL) || grew;
  grew = grow(e->n, s->seen_acceleration, a, NULL) || grew;
  if (grew) renew(e);
  if (grew) hand_down(e);
  return grew;
}

bool engine_scales_see_steered(engine* e, const double* q, const double* v, const bool* quiet)
{
  bool grew = grow(e->n, e->scales->seen_place, q, NULL);
  grew = grow(e->n, e->scales->seen_speed, v, quiet) || grew;
  if (grew) renew(e);
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
    if (!(size > grown * s->seen_terms[i]) || !isfinite(size)) continue;
    s->seen_terms[i] = size;
    grew = true;
  }
  return grew;
}

void engine_scales_see_terms(engine* e)
{
  const engine_scales* s = e->scales;
  const int n = e->n;
  double* kept = base_alloc(sizeof(double) * (size_t)(e->program->inputs + n));
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
  free(kept);
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
  const size_t bytes = sizeof(double) * (size_t)e->n;
  memset(e->scales->seen_place, 0, bytes);
  memset(e->scales->seen_speed, 0, bytes);
}

void engine_scales_see_forces(engine* e)
{
  engine_scales* s = e->scales;
  bool grew = false;
  if (s->frozen) return;
  for (int i = 0; i < e->n; i++) {
    const double mass = engine_mass_of(e, i);
    if (!(mass > grown * s->mass[i]) || !isfinite(mass)) continue;
    s->mass[i] = mass;
    grew = true;
  }
  if (grew) find_masses(e, s);
  for (int i = 0; i < e->n; i++) {
    const double rate = s->like[i] > 0 ? fabs(e->F[i]) / s->like[i] : 0;
    if (!(rate > grown * s->seen_acceleration[i]) || !isfinite(rate)) continue;
    s->seen_acceleration[i] = rate;
    grew = true;
  }
  if (grew) renew(e);
}

void engine_scales_span(engine* e, double span)
{
  e->scales->span = isfinite(span) ? span : 0;
  renew(e);
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
    most = fmax(most, longest_time(s->seen_place[i], s->seen_speed[i], s->seen_acceleration[i]));
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
