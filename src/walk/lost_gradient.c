// A constraint nonlinear in the velocities that loses its gradient during a step.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/engine.h"
#include "walk/run.h"

enum { most_roots = 64 };

// The gradient of a constraint nonlinear in the velocities, against its direction at the start of
// the step: where this falls through zero with the gradient itself vanishing, the constraint stops
// to say anything about accelerations and the motion beyond is not defined (the reaction grows
// without bound).
static double gradient_product(void* context, double t)
{
  walk_events* w = context;
  engine* e = w->flow->e;
  if (walk_events_load(w, t)) return NAN;
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  double sum = 0;
  for (int j = 0; j < e->n; j++) sum += e->LA[w->looking_at * e->n + j] * w->gradient[j];
  return sum;
}

static double gradient_norm(const engine* e, int k)
{
  double sum = 0;
  for (int j = 0; j < e->n; j++) sum += e->LA[k * e->n + j] * e->LA[k * e->n + j];
  return sqrt(sum);
}

void walk_gradient_look(walk_events* w, double from)
{
  engine* e = w->flow->e;
  const step_stepper* s = w->stepper;
  (void)from;
  for (int r = 0; r < e->mode.rows && !e->mode.all_linear; r++) {
    const int k = e->mode.row[r];
    if (e->model->constraint[k].order != 1 || e->model->constraint[k].linear) continue;
    w->looking_at = k;
    gradient_product(w, s->t_old);
    memcpy(w->gradient, e->LA + k * e->n, sizeof(double) * (size_t)e->n);
    const double before = gradient_norm(e, k);
    num_root root[most_roots];
    const int roots =
        num_roots(gradient_product, w, s->t_old, s->t, w->tolerance, most_roots, root);
    for (int i = 0; i < roots; i++) {
      gradient_product(w, root[i].t);
      if (gradient_norm(e, k) > engine_lost_gradient * before) continue;
      walk_events_found(w, WALK_GRADIENT, k, root[i].t, -1);
      break;
    }
  }
}

void walk_gradient_happen(walk_job* r, walk_instant* in, const walk_found* found)
{
  char text[200];
  snprintf(text, sizeof text,
           "at t = %.10g: the constraint `%s` loses its gradient there; the motion beyond is not "
           "defined",
           in->t, r->s->model->constraint[found->index].name);
  walk_run_stop(r, WALK_UNFINISHED, text);
  in->ends = true;
}
