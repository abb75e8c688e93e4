// A row with twice the digits: state, accelerations, reactions and all columns at one time.
#include "walk/rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// accelerations and reactions at the state in w->y, into the input block
static int find_accelerations(rate_wide* w, rate_flow* flow, base_wide t)
{
  const engine* e = w->e;
  if (rate_wide_expand(flow, t, w->y, 1, 1, w->c)) return 1;
  base_wide *a = w->in + 1 + 2 * e->n + 3 * e->p, *lambda = a + e->n;
  rate_wide_load(w, t, w->y);
  memcpy(a, w->x, sizeof *a * (size_t)e->n);
  for (int k = 0; k < e->m; k++) lambda[k] = base_wide_of(0);
  for (int r = 0; r < w->rows; r++) lambda[w->row[r]] = base_wide_neg(w->x[e->n + r]);
  return 0;
}

int walk_wide_row(rate_wide* w, const walk_rows* r, double t, double* high, double* low)
{
  const engine* e = w->e;
  const walk_track* track = r->track;
  const base_wide time = step_method_taylor_wide_time(w->stepper, t);
  step_method_taylor_wide_dense(w->stepper, t, w->y);
  if (rate_wide_settle(r->flow, time, w->y)) {
    snprintf(w->e->reason, sizeof w->e->reason, "the state cannot be brought to the constraints");
    return 1;
  }
  if (find_accelerations(w, r->flow, time)) return 1;
  rate_wide_evaluate(w, &w->columns);
  const base_wide *state = w->in + 1, *lambda = w->in + 1 + 3 * e->n + 3 * e->p;
  // t, q, v, quasi-velocities, reactions, and the rest of the kernel's
  const int places = e->model->places, shown_states = places + e->n;
  const int rest = track->columns - 1 - shown_states - track->forces;
  const int shown = engine_contacts_shown(e->model) + e->model->outputs, quasi = rest - shown;
  for (int i = 0, from = 0; i < track->columns; i++) {
    const int at = i - 1 - shown_states - quasi;
    base_wide x;
    if (i == 0)
      x = time;
    else if (i <= shown_states)
      x = state[i <= places ? i - 1 : i - 1 + e->n - places];
    else if (at >= 0 && at < track->forces)
      x = lambda[track->force[at]];
    else
      x = code_wide_out(w->columns.code, w->columns.scratch, from++, 0);
    high[i] = x.hi;
    low[i] = x.lo;
  }
  return 0;
}
