// Stages of a motion by time-stepping. A stage ends at its time, which is the end of a step, or at
// the end of the first step behind which its condition holds.
#include "walk/moreau.h"

#include "contact/contact.h"
#include "walk/integrals.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// a sudden change of a param that drives the motion, by the law `limit`
static const model_set* pushes(const engine* e, const model_change* c)
{
  for (int i = 0; i < c->sets && c->carry == MODEL_CARRY_LIMIT; i++) {
    if (c->set[i].target != MODEL_SET_PARAM || c->set[i].over != EXPR_NONE) continue;
    for (int k = 0; k < e->p; k++)
      if (e->program->changing[k] == c->set[i].index && e->program->drives[k]) return &c->set[i];
  }
  return NULL;
}

void walk_moreau_stage_can(const engine* e, base_notes* notes)
{
  const model* m = e->model;
  for (int i = 1; i < m->stages; i++) {
    const model_set* s = pushes(e, &m->stage[i].change);
    if (!s) continue;
    base_error(
        notes, s->place,
        "the method `moreau` does not take sudden changes of a param that drives the motion, "
        "carried by the limit of fast ones: contacts would take part in it");
    base_help(notes, "`carry velocity` or `carry momentum`, or change it smoothly with `over`");
  }
}

bool walk_moreau_stage_first(walk_job* r)
{
  const model* m = r->s->model;
  r->stage = -1;
  r->stage_until = INFINITY;
  return !m->stages || !walk_change_first(r->e, &m->stage[0].change, r->notes);
}

bool walk_moreau_stage_over(walk_job* r)
{
  const model* m = r->s->model;
  const walk_moreau* s = r->moreau;
  if (r->stage < 0 || r->stage >= m->stages) return false;
  if (s->t >= r->stage_until) return true;
  const model_stage* now = &m->stage[r->stage];
  if (now->until == EXPR_NONE || now->until_time != EXPR_NONE || !isinf(r->stage_until))
    return false;
  engine_state(r->e, s->t, s->q, s->v);
  walk_moreau_sides(r->e);
  code_run(r->e->program->watches, r->e->in, r->watched, r->e->work.scratch);
  return r->watched[m->events + r->stage] >= 0;
}

// the change at the start of a stage, at the state between two steps
static bool change(walk_job* r, const model_change* c)
{
  engine* e = r->e;
  walk_moreau* s = r->moreau;
  const size_t bytes = sizeof(double) * (size_t)s->n;
  engine_state(e, s->t, s->q, s->v);
  walk_moreau_sides(e);
  const double before = walk_run_energy(r).H;
  if (walk_change(e, c, r->notes)) {
    char text[120];
    snprintf(text, sizeof text, "at t = %.10g: the change asked for there could not be made", s->t);
    walk_run_stop(r, WALK_UNFINISHED, text);
    return false;
  }
  engine_time(e, s->t);
  walk_moreau_let_go(e);
  if (c->releases || c->imposes) engine_set_aside(e);
  walk_moreau_sides(e);
  r->jumps += walk_run_energy(r).H - before;
  walk_integrals_jump(r);
  memcpy(s->q, e->q, bytes);
  memcpy(s->v, e->v, bytes);
  memcpy(s->q_end, s->q, bytes);
  memcpy(s->v_end, s->v, bytes);
  // what happens in the next step is compared with the state behind the change
  if (r->s->model->events) code_run(e->program->watches, e->in, r->watched, e->work.scratch);
  memcpy(r->before, r->watched, sizeof(double) * (size_t)r->s->model->events);
  return true;
}

void walk_moreau_stage_next(walk_job* r)
{
  const model* m = r->s->model;
  while (!r->over && walk_moreau_stage_over(r)) {
    if (r->stage + 1 >= m->stages) {
      // the span of the run keeps the last stage going
      r->stage_until = INFINITY;
      if (r->moreau->t < r->t_end) walk_run_tell_stage_over(r, r->moreau->t);
      if (m->stage[r->stage].until_time == EXPR_NONE) r->stage = m->stages;
      return;
    }
    if (!change(r, &m->stage[r->stage + 1].change)) return;
    walk_run_begin_stage(r, r->stage + 1);
  }
}
