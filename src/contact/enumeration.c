// Inequalities where forces depend on reactions in other ways than friction of contacts.
#include "contact/contact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Friction and other laws of resistance: the problem is no minimum any more, and may have no
// solution or several. Every set of candidates is tried as the active one.
enum { most_tried = 12 };

static bool obeys(engine* e)
{
  const contact_inequalities* u = e->unilateral;
  memcpy(u->w, e->a, sizeof(double) * (size_t)e->n);
  contact_inequality_see_forces(e);
  for (int r = 0; r < u->candidates; r++) {
    const int i = u->candidate[r], k = u->of[i];
    double alpha = -e->c[k];
    for (int j = 0; j < e->n; j++) alpha += e->A[k * e->n + j] * e->a[j];
    u->lambda[i] = e->mode.active[k] ? u->sign[i] * e->lambda[k] : 0;
    u->alpha[i] = e->mode.active[k] ? 0 : u->sign[i] * alpha;
    if (u->lambda[i] < -contact_inequality_least_force(e, i) ||
        u->alpha[i] < -contact_inequality_least_acceleration(e, i))
      return false;
  }
  return true;
}

// accelerations with the candidates of the set held; corners that held the motion before may do so
static int try_set(engine* e, unsigned set)
{
  const contact_inequalities* u = e->unilateral;
  memcpy(e->mode.held, u->held_before, (size_t)e->program->modes.count);
  e->mode.held_count = 0;
  for (int i = 0; i < e->program->modes.count; i++) e->mode.held_count += e->mode.held[i];
  for (int i = 0; i < u->count; i++) e->mode.active[u->of[i]] = false;
  for (int r = 0; r < u->candidates; r++) e->mode.active[u->of[u->candidate[r]]] = set >> r & 1;
  contact_regime_follow(e, NULL);
  engine_rows(e);
  engine_set_aside(e);
  return contact_sides(e) || contact_accelerations(e);
}

// is a set right that holds a constraint without reaction, or leaves one open without loosening?
// the next moment tells
static bool lasts(engine* e)
{
  double* kept = base_alloc(sizeof(double) * (size_t)e->program->inputs);
  memcpy(kept, e->in, sizeof(double) * (size_t)e->program->inputs);
  const double h = contact_inequality_moment(e);
  engine_glide(e, h, kept + (e->a - e->in));
  bool moved;
  const bool fine = !engine_project(e, &moved) && !contact_accelerations(e) && obeys(e);
  memcpy(e->in, kept, sizeof(double) * (size_t)e->program->inputs);
  free(kept);
  return fine;
}

int contact_enumeration_choose(engine* e)
{
  contact_inequalities* u = e->unilateral;
  if (u->candidates > most_tried) {
    snprintf(e->reason, sizeof e->reason,
             "more than %d contacts with forces that depend on reactions close at once",
             most_tried);
    return 1;
  }
  memcpy(u->held_before, e->mode.held, (size_t)e->program->modes.count);
  unsigned found = 0, count = 0, tried = 0;
  const bool told = e->ambiguous;
  bool several = false;
  double* first = base_alloc(sizeof(double) * (size_t)(e->n + 1));
  for (unsigned set = 0; set < 1u << u->candidates; set++) {
    if (try_set(e, set)) continue;
    tried++;
    if (!obeys(e) || !lasts(e)) continue;
    double apart = 0, size = 0;
    for (int j = 0; j < e->n; j++) {
      apart = fmax(apart, fabs(e->a[j] - first[j]));
      size = fmax(size, fabs(first[j]));
    }
    // later sets hold more: sticking together is preferred to parting where both are right
    several = several || (count && apart > engine_two_answers * size);
    memcpy(first, e->a, sizeof(double) * (size_t)e->n);
    found = set;
    count++;
  }
  free(first);
  // no set has accelerations at all: why that is was said
  if (!tried && *e->reason) return 1;
  if (!count) {
    snprintf(e->reason, sizeof e->reason,
             "no reactions and accelerations satisfy the contacts and their friction together: the "
             "motion does not exist (Painleve's paradox)");
    return 1;
  }
  // what sets that were not taken left open does not count
  e->ambiguous = told;
  const int failed = try_set(e, found);
  e->ambiguous = e->ambiguous || several;
  return failed;
}
