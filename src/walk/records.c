// What is kept of a run as it goes, whatever makes its steps: rows, curves, residuals, energy,
// progress.
#include "contact/contact.h"
#include "engine/engine.h"
#include "walk/losses.h"
#include "walk/singular.h"

#include <math.h>
#include <string.h>

enum { least_curve_points = 4, curve_points_per_run = 1500 };

walk_energy walk_run_energy(walk_job* r)
{
  double out[engine_energies];
  code_run(r->e->program->energy, r->e->in, out, r->e->work.scratch);
  return (walk_energy){.H = out[0], .T = out[1], .E = out[1] + out[3]};
}

void walk_run_add_row(walk_job* r, double t, const double* y, int event)
{
  const char* doing = r->doing;
  r->doing = "a row could not be evaluated";
  walk_losses_show(r, t);
  if (walk_rows_row(r->record, t, y, r->stage, event) && !walk_singular_lost(r))
    walk_run_give_up(r, r->e->reason);
  r->doing = doing;
}

// rows that are due up to `until`, from the dense output of the last step
void walk_run_rows_up_to(walk_job* r, double until, bool to_the_end)
{
  walk_rows* c = r->record;
  step_stepper* s = r->stepper;
  while (!r->over && c->due < c->count && c->times[c->due] <= until) {
    const double t = c->times[c->due++];
    if (t == s->t && to_the_end && r->placed) {
      walk_losses_show(r, t);
      if (walk_rows_here(c, t, r->stage, -1)) walk_run_give_up(r, r->e->reason);
      continue;
    }
    // the first dense output of a step may evaluate the equations
    walk_aside_begin(c->aside, r->f);
    if (t == s->t && to_the_end)
      memcpy(r->y, s->y, sizeof(double) * (size_t)r->f->ode.n);
    else
      s->method->dense(s, t, r->y);
    walk_run_add_row(r, t, r->y, -1);
    walk_aside_end(c->aside, r->f);
  }
}

// long steps get more points, so that curves look round
static int curve_points(const walk_job* r, double length)
{
  const double span = isfinite(r->t_end) ? r->t_end - r->track->t_from : 20 * length;
  return (int)fmin(fmax(ceil(curve_points_per_run * length / span), least_curve_points), 200);
}

void walk_run_curves_up_to(walk_job* r, double from, double until)
{
  if (!r->record->curves || !(until > from)) return;
  const int count = curve_points(r, until - from);
  bool failed = false;
  for (int i = 1; i <= count && !failed; i++) {
    const double t = i == count ? until : from + (until - from) * i / count;
    walk_losses_show(r, t);
    walk_aside_begin(r->record->aside, r->f);
    r->stepper->method->dense(r->stepper, t, r->y);
    failed = walk_rows_curve(r->record, t, r->y, r->stage);
    walk_aside_end(r->record->aside, r->f);
  }
}

void walk_run_keep_residuals(walk_job* r, const double* position, const double* velocity)
{
  const contact_inequalities* u = r->e->unilateral;
  for (int k = 0, i = 0; k < r->e->m; k++) {
    walk_residual* most = &r->track->residual[k];
    // inequalities that are off, in the order of the constraints, may be violated
    while (u && i < u->count && u->of[i] < k) i++;
    if (u && i < u->count && u->of[i] == k && !u->present[i]) continue;
    // not a number: the level is absent
    if (position[k] >= 0 && !(position[k] <= most->position)) most->position = position[k];
    if (velocity[k] >= 0 && !(velocity[k] <= most->velocity)) most->velocity = velocity[k];
  }
}

void walk_run_note_residuals(walk_job* r)
{
  engine* e = r->e;
  if (r->f && r->f->wide)
    rate_wide_residuals(r->f->wide, e->work.g, e->work.br);
  else
    engine_residuals(e, e->work.g, e->work.br);
  walk_run_keep_residuals(r, e->work.g, e->work.br);
}

// constraints of second order: what the accelerations of the engine leave of them, over the
// gradient
void walk_run_note_accelerations(walk_job* r)
{
  const engine* e = r->e;
  for (int i = 0; i < e->mode.rows; i++) {
    const int k = e->mode.row[i];
    if (e->model->constraint[k].order != 2) continue;
    const double left = engine_row_dot(e, k, e->a) - e->c[k], norm = engine_row_norm(e, k);
    walk_residual* most = &r->track->residual[k];
    most->acceleration = fmax(isnan(most->acceleration) ? 0 : most->acceleration,
                              norm > 0 ? fabs(left) / norm : fabs(left));
  }
}

// the larger of most and |x|, of which most is a number
static inline double at_least(double most, double x)
{
  return fabs(x) > most ? fabs(x) : most;
}

void walk_run_see_energy(walk_job* r, walk_energy now, double work)
{
  walk_track* t = r->track;
  t->energy_scale = at_least(at_least(at_least(t->energy_scale, now.H), now.T), work);
}

// The integrator carries the work that changes H; where bases move or energies are linear in
// velocities, T + V differs from H, and the difference is work of what moves the bases.
void walk_run_keep_energy(walk_job* r, walk_energy now, double work)
{
  walk_track* t = r->track;
  t->energy_end = now.E;
  t->energy_work = work + (now.E - now.H) - (r->start.E - r->start.H);
  t->energy_jumps = r->jumps;
  t->energy_balance = now.H - r->start.H - r->jumps - work;
  walk_run_see_energy(r, now, work);
}

void walk_run_note_energy(walk_job* r, const double* y)
{
  walk_run_keep_energy(r, walk_run_energy(r), y[2 * r->e->n]);
}

bool walk_run_asks(walk_job* r, double t, double step, long steps)
{
  if (!r->o->progress) return true;
  double worst = 0;
  for (int k = 0; k < r->e->m; k++) {
    if (r->track->residual[k].position > worst) worst = r->track->residual[k].position;
    if (r->track->residual[k].velocity > worst) worst = r->track->residual[k].velocity;
  }
  const walk_progress p = {t, r->track->t_from, r->t_end, step, worst, steps};
  if (r->o->progress(r->o->progress_context, &p)) return true;
  walk_run_stop(r, WALK_INTERRUPTED, "interrupted; what was computed is kept");
  return false;
}
