// A watch over the steps of a run: those that do not get on end it, or its method.
//
// Five places of the motion are kept, `apart` attempts from each other. Three things are found by
// them:
//   - time stands still;
//   - steps have fallen to nothing: these attempts brought a millionth of the way made, and their
//     mean is a small part of the mean so far. So a motion comes to a point behind which its
//     equations do not continue;
//   - steps are far shorter than the motion asks for. A cubic through four of the places meets the
//     fifth to the tolerance, so that one step of any method would cover thousands of these
//     attempts, and yet more of them would be needed than anybody waits for. This is a fault of the
//     error estimate, or a stiff system.
// A motion that needs many steps because it is long, or fast, is none of these: thousands of
// attempts turn it many times, or the mean of the steps stays as it is.
#include "walk/watchdog.h"

#include "engine/engine.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { samples = walk_watchdog_samples };
enum { usually_apart = 500, apart_for_others = 100, most_hopeless = 5 };
// attempts that nobody waits for, at a microsecond each a quarter of an hour
static const double too_many = 1e9;
// operations that take about that microsecond
static const double usual_effort = 1000;
// the same of methods with a history, whose steps cost a hundred times as much: what would be one
// step of theirs is thousands of attempts by rounding alone, and another method does not feel it
static const double too_many_with_history = 1e5;
// the same where another method stands by, to which such a motion is a few steps
static const double too_many_beside_others = 3e4;
// steps that grow by this between the first and the last attempts looked at are on their way
static const double growing = 1.5;
// how well the cubic must meet the place left out, in tolerances and in roundings of the largest
static const double met = 100;

void walk_watchdog_start(walk_watchdog* p, int n, double* place, double tolerance, double t)
{
  // one by one: short runs would feel the reason and the places being cleared
  p->n = n;
  p->tolerance = tolerance;
  p->from = t;
  p->place = place;
  p->apart = usually_apart;
  p->absolute = NULL;
  p->looked = 0;
  p->effort = 0;
  p->reason[0] = 0;
  walk_watchdog_forget(p);
  memset(place + samples * n, 0, sizeof *place * (size_t)n);
}

void walk_watchdog_start_for_others(walk_watchdog* p, int n, double* place, double tolerance,
                                    const double* absolute, double t)
{
  walk_watchdog_start(p, n, place, tolerance, t);
  p->apart = apart_for_others;
  p->absolute = absolute;
}

void walk_watchdog_forget(walk_watchdog* p)
{
  p->count = 0;
  p->hopeless = 0;
}

static void keep(walk_watchdog* p, double t, const double* q)
{
  const size_t n = (size_t)p->n;
  if (p->count == samples) {
    memmove(p->place, p->place + n, (samples - 1) * n * sizeof *q);
    memmove(p->t, p->t + 1, (samples - 1) * sizeof *p->t);
    p->count--;
  }
  memcpy(p->place + (size_t)p->count * n, q, n * sizeof *q);
  p->t[p->count++] = t;
  double* seen = p->place + samples * n;
  for (size_t i = 0; i < n; i++) seen[i] = fmax(seen[i], fabs(q[i]));
}

// after so many attempts since the last, and with all places there
static bool is_due(walk_watchdog* p, double t, long attempts, const double* q)
{
  if (attempts < p->looked + p->apart && p->count) return false;
  p->looked = attempts;
  keep(p, t, q);
  return p->count == samples;
}

// weights of the cubic through the places but the middle one, taken there; false where two of the
// times are one
static bool cubic(const double* t, double w[samples])
{
  for (int j = 0; j < samples; j++) {
    w[j] = j == 2 ? 0 : 1;
    for (int k = 0; k < samples && j != 2; k++) {
      if (k == 2 || k == j) continue;
      if (t[j] == t[k]) return false;
      w[j] *= (t[2] - t[k]) / (t[j] - t[k]);
    }
  }
  return true;
}

// by its size here, or, where what a method leaves of its tolerance is to be smooth, by the largest
static bool is_smooth(const walk_watchdog* p, bool by_largest)
{
  double w[samples], largest = 0;
  if (!cubic(p->t, w)) return false;
  for (int i = 0; i < p->n; i++) largest = fmax(largest, fabs(p->place[2 * p->n + i]));
  for (int i = 0; i < p->n; i++) {
    const double middle = p->place[2 * p->n + i];
    double sum = 0;
    for (int j = 0; j < samples; j++) sum += w[j] * p->place[j * p->n + i];
    const double size = by_largest ? p->place[samples * p->n + i] : fabs(middle);
    const double own = p->tolerance * size + (p->absolute ? p->absolute[i] : 0);
    const double allowed = met * own + engine_met_by_rounding * largest;
    if (!(fabs(sum - middle) <= allowed)) return false;
  }
  return true;
}

// far shorter steps than the motion asks for, and no sign of longer ones
static bool is_hopeless(const walk_watchdog* p, double left, double most, bool by_largest)
{
  const double* t = p->t;
  const double needed = left / (t[samples - 1] - t[0]) * ((samples - 1) * p->apart);
  const bool grow = t[4] - t[3] > growing * (t[1] - t[0]);
  return needed > most && !grow && is_smooth(p, by_largest);
}

// these attempts brought nothing of the way made, by steps that are nothing beside those so far
static bool have_fallen(const walk_watchdog* p, double t, long attempts)
{
  const double way = t - p->t[0], made = t - p->from;
  return way < engine_fallen * made &&
         way / ((samples - 1) * p->apart) < engine_collapsed * made / (double)attempts;
}

static bool say(walk_watchdog* p, const char* what, double value, const char* more)
{
  snprintf(p->reason, sizeof p->reason, "%s%.2g%s", what, value, more);
  return false;
}

bool walk_watchdog_look(walk_watchdog* p, double t, double end, long attempts, const double* q,
                        bool history)
{
  assert(isfinite(end));
  if (!is_due(p, t, attempts, q)) return true;
  const int looked_at = (samples - 1) * p->apart;
  const double way = t - p->t[0], step = way / looked_at;
  if (!(way > 0)) {
    snprintf(p->reason, sizeof p->reason, "%d attempts did not get on in time", looked_at);
    return false;
  }
  if (have_fallen(p, t, attempts))
    return say(p, "steps of ", step,
               " s no longer get on; the equations are singular there, or jump to and fro");
  const double longer = fmax(1, p->effort / usual_effort);
  const double most = history ? too_many_with_history : too_many / longer;
  p->hopeless = is_hopeless(p, end - t, most, false) ? p->hopeless + 1 : 0;
  if (p->hopeless < most_hopeless) return true;
  return say(p, "steps of ", step, " s, far shorter than the motion needs, make no headway");
}

bool walk_watchdog_drags(walk_watchdog* p, double t, double end, long attempts, const double* q)
{
  if (!is_due(p, t, attempts, q)) return false;
  // before a point behind which the equations do not continue no method gets on
  const bool drags =
      !have_fallen(p, t, attempts) && is_hopeless(p, end - t, too_many_beside_others, true);
  p->hopeless = drags ? p->hopeless + 1 : 0;
  if (p->hopeless < most_hopeless) return false;
  const double step = (t - p->t[0]) / ((samples - 1) * p->apart);
  return !say(p, "steps of ", step, " s are far shorter than the motion asks for");
}
