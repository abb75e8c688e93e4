// Contacts whose mode the forces of an instant leave open: the next moment decides.
#include "contact/beside.h"
#include "contact/contact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_looks = 4 };
static const double look_further = 10; // times as far as the last look ahead

int contact_slip_no_answer(engine* e, const cone_contact_result* x)
{
  if (x->status == CONE_CONTACT_NONE)
    snprintf(e->reason, sizeof e->reason,
             "no reactions and accelerations satisfy the contacts and their friction together: the "
             "motion does not exist (Painleve's paradox)");
  else
    snprintf(e->reason, sizeof e->reason, "the contacts and their friction: %s", x->reason);
  return 1;
}

// where neither force nor motion shows at a contact, or where it stands at the very limit of
// sticking, the next moment decides
static bool is_open_question(engine* e, const cone_contact_solution* x, int r)
{
  const contact_inequalities* u = e->unilateral;
  const int i = u->candidate[r], t = u->tangents;
  if (!u->both[i] && x->lambda_N[r] <= contact_inequality_least_force(e, i))
    return x->alpha_N[r] <= contact_inequality_least_acceleration(e, i);
  double size = 0, rate = 0, slip = 0, scale = 0;
  for (int k = 0; k < t; k++) {
    size = hypot(size, x->lambda_T[r * t + k]);
    rate = hypot(rate, x->alpha_T[r * t + k]);
    slip = hypot(slip, u->slip_now[r * t + k]);
    scale = fmax(scale, engine_scale_acceleration(e, u->T + (r * t + k) * e->n));
  }
  if (!contact_slip_count(e, i) || slip > 0) return false;
  const double most = u->mu[r] * fabs(x->lambda_N[r]);
  return most - size <= engine_at_limit * most && rate <= engine_slow_limit * scale;
}

// Modes of the candidates. In a problem of both kinds one in the plane has its way by its only
// part: what slips goes on, what rests goes where it is accelerated.
void contact_slip_read_modes(const engine* e, const cone_contact_solution* s,
                             cone_contact_mode* mode)
{
  const contact_inequalities* u = e->unilateral;
  const int t = u->tangents;
  for (int r = 0; r < u->candidates; r++) {
    const double way = u->slip_now[r * t] != 0 ? u->slip_now[r * t] : s->alpha_T[r * t];
    const bool back = contact_slip_count(e, u->candidate[r]) == 1 && way < 0;
    mode[r] = back && s->mode[r] == CONE_CONTACT_SLIP ? CONE_CONTACT_SLIP_BACK : s->mode[r];
  }
}

// The modes at time h from now along the accelerations in u->w, and which of the questions that are
// open now still are. What rests now has no slip then, but a rate of it: along straight
// accelerations a slip would show that is of the second order, as the rate's own change is,
// wherever coordinates are bent or measured from what moves.
static int moment_later(engine* e, double h, cone_contact_mode* mode, bool* open)
{
  contact_inequalities* u = e->unilateral;
  const int t = u->tangents;
  double* kept = base_alloc(sizeof(double) * (size_t)e->program->inputs);
  bool* starts = base_alloc((size_t)u->count + 1);
  memcpy(kept, e->in, sizeof(double) * (size_t)e->program->inputs);
  memcpy(starts, u->starts, (size_t)u->count);
  for (int r = 0; r < u->candidates; r++) {
    double slip = 0;
    for (int k = 0; k < t; k++) slip = hypot(slip, u->slip_now[r * t + k]);
    u->starts[u->candidate[r]] = slip == 0;
  }
  engine_glide(e, h, u->w);
  const cone_contact_result x = contact_slip_solve(e, u->candidates, u->candidate, false, false);
  if (x.count) contact_slip_read_modes(e, &x.solution[0], mode);
  for (int r = 0; r < u->candidates && x.count; r++)
    open[r] = open[r] && is_open_question(e, &x.solution[0], r);
  memcpy(e->in, kept, sizeof(double) * (size_t)e->program->inputs);
  memcpy(u->starts, starts, (size_t)u->count);
  free(starts);
  free(kept);
  return x.count ? 0 : contact_slip_no_answer(e, &x);
}

static bool any_of(const bool* flag, int count)
{
  bool any = false;
  for (int r = 0; r < count; r++) any = any || flag[r];
  return any;
}

// Which stand at the limit of sticking: they slip before they open.
static void find_pressing(engine* e, const cone_contact_solution* s, const bool* open, bool* out)
{
  const contact_inequalities* u = e->unilateral;
  for (int r = 0; r < u->candidates; r++)
    out[r] = open[r] && s->lambda_N[r] > contact_inequality_least_force(e, u->candidate[r]);
}

static bool any_opened(const bool* pressing, const cone_contact_mode* later, int count)
{
  bool any = false;
  for (int r = 0; r < count; r++) any = any || (pressing[r] && later[r] == CONE_CONTACT_OPEN);
  return any;
}

// Modes of contacts about which the next moment decides; room for as many behind them. One that
// leaves its limit slowly, beside forces of others that change fast, does not show it within the
// error of the answer at once: where the question stays open the look goes further, and where a
// force vanishes before it the look is nearer. What stays at its limit as far as that is left as it
// is there.
int contact_slip_answer_later(engine* e, const cone_contact_solution* s, cone_contact_mode* mode)
{
  const int count = e->unilateral->candidates;
  bool *open = base_alloc(3 * (size_t)count + 1), *still = open + count, *pressing = still + count;
  double h = contact_inequality_moment(e);
  int failed = 0, looks = 0;
  bool further = false;
  for (int r = 0; r < count; r++) open[r] = is_open_question(e, s, r);
  find_pressing(e, s, open, pressing);
  while (looks++ < most_looks && !failed && any_of(open, count)) {
    memcpy(still, open, (size_t)count);
    failed = moment_later(e, h, mode + count, still);
    // further away there may be none of these modes any more
    if (further && failed)
      failed = 0, *e->reason = 0, looks = most_looks;
    else if (!failed && any_opened(pressing, mode + count, count))
      h /= look_further, looks = further ? most_looks : looks;
    else if (!failed) {
      for (int r = 0; r < count; r++)
        if (open[r]) mode[r] = mode[count + r];
      memcpy(open, still, (size_t)count);
      h *= look_further;
      further = true;
    }
  }
  free(open);
  return failed;
}
