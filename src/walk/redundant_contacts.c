// When redundant contacts change: their reactions say nothing each by itself, so the problem of all
// of them is asked whether one loosens or slips.
//
// Until t* the answer is that none does. From there on the acceleration alpha with which one
// loosens grows from zero. It shows a little late, at t1, above the rounding of the problem, and
// the parabola through alpha at t1 and twice behind it leads back to t*.
#include "contact/contact.h"
#include "walk/happenings.h"

#include <math.h>

enum { looks = 4, most_halvings = 60 };

// the contact that changes at t, -1; and how fast. `which`: only this one is asked
static int changing(walk_events* w, double t, int which, double* alpha)
{
  engine* e = w->flow->e;
  if (walk_events_load(w, t)) return -1;
  return contact_loose(e, which, alpha);
}

// t* from alpha at t1 and beyond; t1 where it cannot be told
static double onset(walk_events* w, double from, double t1, int which)
{
  const double h = engine_short_look * (w->stepper->t - w->stepper->t_old);
  const double d = fmin(h, (w->stepper->t - t1) / 2);
  double a0, a1, a2;
  if (!(d > engine_short_look * h)) return t1;
  if (changing(w, t1, which, &a0) < 0 || changing(w, t1 + d, which, &a1) < 0 ||
      changing(w, t1 + 2 * d, which, &a2) < 0)
    return t1;
  const double slope = (4 * a1 - 3 * a0 - a2) / (2 * d), bend = (a0 - 2 * a1 + a2) / (d * d);
  const double back = 2 * a0 / (slope + sqrt(fmax(0, slope * slope - 2 * a0 * bend)));
  // over so long a way the parabola is nearly its tangent, however short the step is
  const bool straight = fabs(bend) * fmax(back, d) < slope / 2;
  return slope > 0 && back > 0 && straight ? fmax(from, t1 - back) : t1;
}

void walk_redundant_look(walk_events* w, double from)
{
  const double span = w->stepper->t - from;
  double low = from, high = from, alpha;
  int which = -1;
  for (int k = 1; k <= looks && which < 0; k++) {
    low = high;
    high = k == looks ? w->stepper->t : from + span * k / looks;
    which = changing(w, high, -1, &alpha);
  }
  if (which < 0) return;
  for (int k = 0; k < most_halvings && high - low > w->tolerance; k++) {
    const double middle = low + (high - low) / 2;
    const int there = changing(w, middle, -1, &alpha);
    if (there >= 0) {
      high = middle;
      which = there;
    } else {
      low = middle;
    }
  }
  double t = onset(w, from, high, which);
  // it was met at that instant already, and not believed
  if (fabs(t - w->last[WALK_GAP][which]) <= w->same) t = high;
  walk_events_found(w, WALK_GAP, which, t, -1);
}
