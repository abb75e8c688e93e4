// Flat shapes with corners: where other corners and sides come to face each other, during a step.
#include "contact/contact.h"
#include "walk/instant.h"

#include <math.h>

enum { most_looks = 100000 };

static bool changes_at(walk_events* w, double t)
{
  return !walk_events_load(w, t) && contact_facing_changes(w->flow->e);
}

// the time in which shapes move by a part of their size at most, as fast as they are at t
static double while_at(walk_events* w, double t)
{
  return walk_events_load(w, t) ? INFINITY : contact_facing_while(w->flow->e);
}

// The step is gone along in stretches on which shapes move little; one on which they turn out to
// move much faster is halved.
void walk_facing_look(walk_events* w, double from)
{
  double low = from, length = while_at(w, from);
  for (int k = 0; k < most_looks && low < w->searched_to; k++) {
    double high = low + length < w->searched_to ? low + length : w->searched_to;
    const double next = while_at(w, high);
    if (2 * next < high - low && high - low > w->tolerance) {
      length = (high - low) / 2;
      continue;
    }
    if (!changes_at(w, high)) {
      low = high;
      length = next;
      continue;
    }
    while (high - low > w->tolerance) {
      const double middle = low + (high - low) / 2;
      if (!(middle > low && middle < high)) break;
      if (changes_at(w, middle))
        high = middle;
      else
        low = middle;
    }
    walk_events_found(w, WALK_FACING, 0, high, 0);
    return;
  }
  w->searched_to = fmin(w->searched_to, fmax(low, from));
}

void walk_facing_happen(walk_job* r, walk_instant* in, const walk_found* found)
{
  r->watch->last[WALK_FACING][found->index] = in->t;
  in->ends = in->touched = in->faced = true;
}
