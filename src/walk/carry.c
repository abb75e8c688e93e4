// The motion over a short time in which nothing happens, in the mode of now.
#include "walk/carry.h"

#include <stdlib.h>

typedef struct carried
{
  const walk_carry_way* way;
  double* y;
} carried;

// back on the constraints; quasi-velocities are chosen anew before they grow singular
static step_status behind_step(void* context, step_stepper* s)
{
  const carried* c = context;
  rate_flow* f = c->way->f;
  engine* e = f->e;
  bool moved;
  if (c->way->ends && c->way->ends(c->way->context, s)) return STEP_TOO_MANY;
  if (rate_flow_load(f, s->t, s->y) || engine_project(e, &moved)) return STEP_RHS_FAILED;
  if (c->way->note && c->way->note(e, s->t - s->t_old)) return STEP_RHS_FAILED;
  const bool poor = rate_flow_is_poor(f);
  if (poor && rate_flow_rebase(f)) return STEP_RHS_FAILED;
  if (!moved && !poor) return STEP_OK;
  rate_flow_store(f, s->y[2 * e->n], c->y);
  return s->method->amend(s, c->y);
}

int walk_carry(const walk_carry_way* way, double t, double to)
{
  rate_flow* f = way->f;
  engine* e = f->e;
  if (rate_flow_rebase(f)) return 1;
  double* y = base_alloc(sizeof(double) * (size_t)(f->ode.n + 1));
  step_stepper* s = step_method_dop853.create(&step_method_dop853, &f->ode);
  carried c = {way, y};
  rate_flow_store(f, 0, y);
  const step_way steps = {.most_steps = way->most_steps, .ask = behind_step, .context = &c};
  bool moved;
  const step_status status = step_carry(s, t, y, to, &steps);
  const bool stalled = way->reached && status == STEP_TOO_MANY;
  const double end = stalled ? s->t : to;
  const int failed =
      (status != STEP_OK && !stalled) || rate_flow_load(f, end, s->y) || engine_project(e, &moved);
  if (way->reached) *way->reached = failed ? t : end;
  s->method->destroy(s);
  free(y);
  return failed;
}
