// How many digits of the last row of a run are good, and runs that are asked for digits.
//
// The same run is made once more, a hundred times more exact and from a first state that is off by
// a few roundings. What the two ends differ by is the error of the first one: that of its steps,
// which the second pass hardly has, and that of its roundings, which the second pass has in another
// way. Whatever the motion makes of small errors, it makes of both. A method of fixed steps is of
// the first order: there steps of twice the length are off by as much more as the run is off.
#include "engine/engine.h"
#include "step/step.h"
#include "walk/walk.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Relative to the tolerance of the run: small enough that the second pass has none of its errors,
// large enough not to cost much more, by 100^(1/order).
static const double tighter = 0.01;
// Of each number of the first state, in units of its last place: as much as it is rounded itself.
// More would hide the errors of the steps where it happens to be like them.
static const double off_at_first = 2 * DBL_EPSILON;
// Two errors of one size may happen to be alike; that they are within a part of this is rare.
static const double alike = 2;
// what is said at most of numbers of 53 bits, and of twice as many: the last one is rounding
static const double most_digits = 14.5, most_wide_digits = 29;
enum { most_attempts = 8 };
static const double spare_digits =
    0.5; // asked for beyond what is missing, so that one try suffices

static bool leaps(const walk_track* t)
{
  const step_method* method = step_method_find(t->method);
  return method && method->leap_form;
}

double walk_digits_size(const walk_track* t, int shown)
{
  const model* m = t->model;
  return t->digits.size[shown < m->places ? shown : shown + m->coords - m->places];
}

static double least_of(double tolerance)
{
  return tolerance < engine_doubles_end ? engine_wide_end : engine_doubles_end;
}

void walk_digits_leave(walk_track* t, const char* why)
{
  t->digits.asked = true;
  t->digits.good = NAN;
  t->digits.why = base_arena_strdup(t->arena, why);
}

// ---- two ends -----------------------------------------------------------------------------------

// row, column of a table, with what it has beyond doubles
static double difference(const walk_table* a, const walk_table* b, int column)
{
  const size_t i = (size_t)(a->rows - 1) * (size_t)a->width + (size_t)column;
  const size_t k = (size_t)(b->rows - 1) * (size_t)b->width + (size_t)column;
  const double low = (a->low ? a->low[i] : 0) - (b->low ? b->low[k] : 0);
  return fabs(a->value[i] - b->value[k] + low);
}

static void compare(walk_track* t, const walk_track* other)
{
  const double most = t->tolerance < engine_doubles_end ? most_wide_digits : most_digits;
  walk_digits* d = &t->digits;
  d->asked = true;
  d->good = d->good > 0 ? fmin(d->good, most) : most;
  d->column = -1;
  for (int i = 0; i < t->model->places + t->model->coords; i++) {
    const double off = difference(&t->table, &other->table, 1 + i);
    const double share = off > 0 ? alike * off / walk_digits_size(t, i) : 0;
    // not a number: nothing is good
    const double good = share >= 0 ? fmax(0, -log10(share)) : 0;
    if (good >= d->good) continue;
    d->good = good;
    d->column = 1 + i;
  }
}

// ---- the second pass ----------------------------------------------------------------------------

// the same run, of which nobody keeps anything but its end
static walk_options of_no_rows(const walk_options* o)
{
  walk_options bare = *o;
  bare.curves = false;
  bare.watched = bare.at_count = 0;
  bare.every = 0;
  bare.points = 2;
  bare.keeper = NULL;
  bare.onward = NULL;
  return bare;
}

static walk_options second_pass(const walk_options* o, const walk_track* t, const double* end)
{
  walk_options second = of_no_rows(o);
  second.at_count = t->status == WALK_DONE;
  second.at = end;
  if (leaps(t)) {
    second.step = 2 * (t->t_reached - t->t_from) / (double)t->counts.steps;
    return second;
  }
  second.tolerance = fmax(tighter * t->tolerance, least_of(t->tolerance));
  second.off_at_first = off_at_first;
  return second;
}

void walk_digits_find(mech_system* s, const walk_options* o, walk_track* t)
{
  if (t->status != WALK_DONE && t->status != WALK_STOPPED) {
    walk_digits_leave(t, "the run did not come to its end");
    return;
  }
  if (!t->table.rows) {
    walk_digits_leave(t, "there is no row at its end");
    return;
  }
  const double* last = t->table.value + (size_t)(t->table.rows - 1) * (size_t)t->table.width;
  const walk_options second = second_pass(o, t, last);
  base_notes* quiet = base_notes_new();
  walk_track* other = walk_run(s, &second, quiet);
  base_notes_free(quiet);
  if (other && other->status == WALK_INTERRUPTED)
    walk_digits_leave(t, "the second pass that tells was interrupted");
  else if (!other || other->status != t->status || !other->table.rows)
    walk_digits_leave(t, "a second pass, more exact, did not come to the same end");
  else
    compare(t, other);
  walk_track_free(other);
}

// ---- digits asked for ---------------------------------------------------------------------------

// the tolerance of the next attempt, not below what its numbers allow; doubles are tried to their
// end before twice the digits are
static double next_tolerance(double now, double missing)
{
  const double next = now * pow(10, -fmax(missing + spare_digits, 1));
  if (now > engine_doubles_end && next < engine_doubles_end) return engine_doubles_end;
  return fmax(next, engine_wide_end);
}

// makes the steps of the next attempt finer; false where they cannot be
static bool refine(walk_options* o, const walk_track* t, double missing)
{
  if (leaps(t)) {
    o->step = (t->t_reached - t->t_from) / (double)t->counts.steps *
              pow(10, -fmax(missing + spare_digits, 0));
    return true;
  }
  o->tolerance = next_tolerance(t->tolerance, missing);
  return o->tolerance < t->tolerance;
}

// the first attempt has a tolerance of the digits themselves
static walk_options first_attempt(const walk_options* o, double wanted)
{
  walk_options first = of_no_rows(o);
  first.tolerance = fmin(fmax(pow(10, -wanted), engine_doubles_end), engine_loosest);
  return first;
}

// tries tolerances (or steps) until the digits are there; those of the best run into `o`, and what
// is known of it into `found`
static void search(mech_system* s, walk_options* o, double wanted, walk_digits* found)
{
  walk_options now = first_attempt(o, wanted);
  bool more = true;
  found->good = -1;
  for (int k = 0; k < most_attempts && more; k++) {
    base_notes* quiet = base_notes_new();
    walk_track* t = walk_run(s, &now, quiet);
    base_notes_free(quiet);
    if (!t) return;
    walk_digits_find(s, &now, t);
    if (t->digits.good > found->good) {
      *found = (walk_digits){.asked = true, .good = t->digits.good, .column = t->digits.column};
      o->tolerance = leaps(t) ? o->tolerance : now.tolerance;
      o->step = now.step;
    }
    more = t->digits.good < wanted && refine(&now, t, wanted - t->digits.good);
    walk_track_free(t);
  }
}

walk_track* walk_digits_run(mech_system* s, const walk_options* o, double wanted, base_notes* notes)
{
  walk_digits found;
  walk_options best = *o;
  search(s, &best, wanted, &found);
  walk_track* t = walk_run(s, &best, notes);
  if (!t) return NULL;
  if (found.good < 0) {
    // why is told by what came of the run itself
    walk_digits_find(s, &best, t);
    found = t->digits;
  }
  found.size = t->digits.size;
  t->digits = found;
  if (found.good >= wanted) return t;
  const char* doubt =
      isnan(found.good)
          ? base_arena_printf(t->arena, "how many digits are good is not known: %s", found.why)
          : base_arena_printf(t->arena, "%.3g digits were asked for, %.3g were reached", wanted,
                              found.good);
  if (!*t->doubt) t->doubt = doubt;
  base_warning(notes, BASE_NOWHERE, "%s", doubt);
  return t;
}
