// About how long a hybrid motion takes to come back, where nobody has said it.
//
// What happens along the motion happens again after a period: the times and names of all happenings
// of a run are compared with those k happenings later. Where the run has come to what attracts it,
// its last ones repeat to many digits; else the first ones, next to the initial state, repeat
// roughly, and the search for the periodic motion begins there.
#include "study/hybrid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_in_one = 24, repeats = 3 };
static const double settled = 1e-6, rough = 0.15; // times between happenings, over the period
static const double usual = 100;                  // s, where the model says no time

static double run_time(const study_hybrid* h)
{
  engine* e = walk_state_engine(h->at);
  const model* m = h->s->model;
  if (!m->has_run) return usual;
  const double time = engine_value(e, m->run_to) - engine_value(e, m->run_from);
  return time > 0 && isfinite(time) ? time : usual;
}

// the time of k happenings, from `first` on in one period and the next; nan where they do not
// repeat so well
static double period_of(const walk_track* t, int first, int k, double within)
{
  if (first < 0 || first + 2 * k >= t->happenings) return NAN;
  const walk_happening* x = t->happening + first;
  const double period = x[2 * k].t - x[k].t;
  if (!(period > 0)) return NAN;
  for (int i = 0; i <= k; i++) {
    if (strcmp(walk_happening_name(t, &x[i]), walk_happening_name(t, &x[i + k]))) return NAN;
    if (fabs(x[i + k].t - x[i].t - period) > within * period) return NAN;
  }
  return period;
}

double study_hybrid_length(study_hybrid* h, walk_state* w)
{
  base_notes* quiet = base_notes_new();
  const double time = run_time(h);
  double period = NAN;
  // a run may be too short for what attracts it
  for (int turn = 0; turn < repeats && !isfinite(period); turn++) {
    walk_state_go_on(w, turn ? 4 * time : time, quiet);
    const walk_track* t = walk_state_track(w);
    for (int k = 1; k <= most_in_one && !isfinite(period); k++)
      period = period_of(t, t->happenings - 2 * k - 1, k, settled);
  }
  const walk_track* t = walk_state_track(w);
  for (int k = 1; k <= most_in_one && !isfinite(period); k++) period = period_of(t, 0, k, rough);
  base_notes_free(quiet);
  return t->happenings ? period : 0;
}
