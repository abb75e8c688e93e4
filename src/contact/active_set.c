// Which inequalities can be stressed at an instant, and which of them act: the least of Gauss's
// function under all of them.
#include "contact/contact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int contact_active_set_closed(engine* e, const bool* closing)
{
  contact_inequalities* u = e->unilateral;
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  for (int i = 0; i < u->count; i++) {
    const bool place = contact_inequality_constraint(e, i)->order == 0;
    const double gap = place ? contact_inequality_gap(e, i) : 0,
                 length = place ? contact_inequality_length(e, i) : 1;
    // what is held is closed, unless its gap has jumped open
    const bool held = e->mode.active[u->of[i]] && gap <= engine_beyond_gap * length;
    const bool known = (closing && closing[i]) || held;
    const bool near = place && gap <= engine_noise_gap * length && !u->apart[i];
    u->closed[i] = u->present[i] && (near || known);
    if (u->both[i]) u->closed[i] = e->mode.active[u->of[i]];
    if (!u->closed[i] || u->both[i] || gap >= -engine_beyond_gap * length) continue;
    snprintf(e->reason, sizeof e->reason, "the constraint `%s` is violated by %.3g",
             contact_inequality_name(e, i), -gap);
    return 1;
  }
  return 0;
}

void contact_active_set_candidates(engine* e, const bool* closing)
{
  contact_inequalities* u = e->unilateral;
  u->candidates = 0;
  for (int i = 0; i < u->count; i++) {
    const int order = contact_inequality_constraint(e, i)->order;
    if (!u->present[i]) continue;
    const bool still =
        contact_inequality_rate(e, i) <= engine_noise_speed * contact_inequality_speed(e, i);
    // what was held does not move, however its rounding looks against a motion that is nothing;
    // unless a blow at this instant has moved it
    const bool held = u->was[i] && !u->struck && !u->bent[i];
    const bool told = (closing && closing[i]) || (u->was[i] && !u->struck);
    u->bent[i] = false;
    const bool candidate =
        u->both[i]   ? e->mode.active[u->of[i]]
        : order == 0 ? u->closed[i] && (still || held)
        : order == 1 ? still || (told && fabs(contact_inequality_rate(e, i)) <=
                                             engine_told_slip * contact_inequality_speed(e, i))
                     : true;
    if (candidate) u->candidate[u->candidates++] = i;
  }
}

int contact_inequality_candidates(engine* e)
{
  if (contact_active_set_closed(e, NULL)) return 1;
  contact_active_set_candidates(e, NULL);
  return 0;
}

// w, and lambda and alpha of the candidates, at the state in the input block
static int least_constraint(engine* e)
{
  contact_inequalities* u = e->unilateral;
  engine_equations(e);
  for (int r = 0; r < u->candidates; r++) contact_inequality_row(e, u->candidate[r], false, r);
  const cone_least_problem p = {.n = e->n,
                                .b = contact_inequality_bilateral(e, false, false),
                                .u = u->candidates,
                                .M = e->M,
                                .F = e->F,
                                .N_B = u->NB,
                                .d_B = u->dB,
                                .N_U = u->N,
                                .d_U = u->d,
                                .unit = e->work.unit};
  const cone_least_result x = cone_least_solve(u->least, &p);
  if (x.status != CONE_LEAST_SOLVED) {
    snprintf(e->reason, sizeof e->reason, "the constraints admit no accelerations together: %s",
             x.reason);
    return 1;
  }
  memcpy(u->w, x.w, sizeof(double) * (size_t)e->n);
  for (int r = 0; r < u->candidates; r++) {
    u->lambda[u->candidate[r]] = x.lambda_U[r];
    u->alpha[u->candidate[r]] = x.alpha_U[r];
  }
  return 0;
}

int contact_active_set_free(engine* e)
{
  const int kept = e->unilateral->candidates;
  e->unilateral->candidates = 0;
  const int failed = least_constraint(e);
  e->unilateral->candidates = kept;
  return failed;
}

// a moment later along the accelerations found, with the same candidates
static int moment_later(engine* e, void (*hold_on)(engine*), double* lambda, double* alpha)
{
  contact_inequalities* u = e->unilateral;
  const int n = e->n;
  double* kept = base_alloc(sizeof(double) * (size_t)e->program->inputs);
  memcpy(kept, e->in, sizeof(double) * (size_t)e->program->inputs);
  const double h = contact_inequality_moment(e);
  engine_glide(e, h, u->w);
  if (hold_on) hold_on(e);
  double* before = base_alloc(sizeof(double) * (size_t)(2 * u->count + n + 1));
  memcpy(before, u->lambda, sizeof(double) * (size_t)u->count);
  memcpy(before + u->count, u->alpha, sizeof(double) * (size_t)u->count);
  memcpy(before + 2 * u->count, u->w, sizeof(double) * (size_t)n);
  const int failed = least_constraint(e);
  memcpy(lambda, u->lambda, sizeof(double) * (size_t)u->count);
  memcpy(alpha, u->alpha, sizeof(double) * (size_t)u->count);
  memcpy(u->lambda, before, sizeof(double) * (size_t)u->count);
  memcpy(u->alpha, before + u->count, sizeof(double) * (size_t)u->count);
  memcpy(u->w, before + 2 * u->count, sizeof(double) * (size_t)n);
  memcpy(e->in, kept, sizeof(double) * (size_t)e->program->inputs);
  free(kept);
  free(before);
  return failed;
}

// hold what is stressed; where neither reaction nor loosening shows, the next moment decides
int contact_active_set_choose(engine* e, void (*hold_on)(engine*))
{
  contact_inequalities* u = e->unilateral;
  if (least_constraint(e)) return 1;
  contact_inequality_see_forces(e);
  double* later = base_alloc(sizeof(double) * (size_t)(2 * u->count + 1));
  double* later_alpha = later + u->count;
  bool looked = false;
  for (int i = 0; i < u->count; i++) e->mode.active[u->of[i]] = false;
  for (int r = 0; r < u->candidates; r++) {
    const int i = u->candidate[r], k = u->of[i];
    bool on = u->lambda[i] > contact_inequality_least_force(e, i);
    if (!on && !(u->alpha[i] > contact_inequality_least_acceleration(e, i))) {
      if (!looked && moment_later(e, hold_on, later, later_alpha)) {
        free(later);
        return 1;
      }
      looked = true;
      // one that only touches stays, and does so in whatever coordinates
      const double none = engine_only_touches * engine_scale_acceleration(e, e->A + k * e->n);
      on = later[i] > 0 || !(later_alpha[i] > none);
    }
    e->mode.active[k] = on;
  }
  free(later);
  return 0;
}

// ---- redundant contacts -------------------------------------------------------------------------

static void active_candidates(engine* e)
{
  contact_inequalities* u = e->unilateral;
  u->candidates = 0;
  for (int i = 0; i < u->count; i++)
    if (e->mode.active[u->of[i]]) u->candidate[u->candidates++] = i;
}

void contact_inequality_reactions(engine* e)
{
  contact_inequalities* u = e->unilateral;
  active_candidates(e);
  if (!u->candidates || least_constraint(e)) return;
  for (int r = 0; r < u->candidates; r++) {
    const int i = u->candidate[r];
    e->lambda[u->of[i]] = u->sign[i] * u->lambda[i];
  }
}

int contact_inequality_loose(engine* e, int which, double* alpha)
{
  contact_inequalities* u = e->unilateral;
  active_candidates(e);
  if (!u->candidates || least_constraint(e)) return -1;
  contact_inequality_see_forces(e);
  for (int r = 0; r < u->candidates; r++) {
    const int i = u->candidate[r];
    *alpha = u->alpha[i] / contact_inequality_norm(e, e->A, u->of[i]);
    if (which < 0 ? u->alpha[i] > contact_inequality_least_acceleration(e, i) : i == which)
      return i;
  }
  return -1;
}
