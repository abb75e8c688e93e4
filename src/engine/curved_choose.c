// Which of the accelerations at which Gauss's function is least under constraints nonlinear in them
// the motion takes.
#include "engine/inside.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// distance of two points against the size of the accelerations in question, the free ones included
static double apart(const engine* e, const least_stationary_point* x,
                    const least_stationary_point* y)
{
  const engine_curved* f = e->least;
  double most = 0, size = 0;
  for (int k = 0; k < f->l; k++) {
    most = fmax(most, fabs(x->w[k] - y->w[k]));
    size = fmax(size, fmax(fabs(x->w[k]), fabs(y->w[k])));
    size = fmax(size, fabs(f->r[k] / f->H[k * f->l + k]));
  }
  return size > 0 ? most / size : 0;
}

// Minima with the value of the least one: they stand first. Values are compared with the constraint
// itself, U = 0 being the free motion.
static int ties(const engine* e)
{
  const engine_curved* f = e->least;
  int count = 1;
  while (count < f->minima &&
         f->minimum[count].U - f->minimum[0].U <= engine_same_least * fabs(f->minimum[count].U) &&
         apart(e, &f->minimum[count], &f->minimum[0]) > engine_other_point)
    count++;
  return count;
}

static void adopt(engine* e, const least_stationary_point* x)
{
  engine_curved* f = e->least;
  f->U = x->U;
  engine_curved_take(e, x->w);
  for (int k = 0; k < e->m; k++) f->found_lambda[k] = 0;
  for (int j = 0; j < f->active; j++) f->found_lambda[f->of[f->now[j]]] = x->lambda[j];
  engine_curved_anchor_one(e);
}

static int undetermined(engine* e, int tied)
{
  engine_curved* f = e->least;
  const char* name = engine_curved_name(e);
  if (tied > 1) {
    double w[2][LEAST_STATIONARY_MOST];
    memcpy(w[0], f->minimum[0].w, sizeof w[0]);
    memcpy(w[1], f->minimum[1].w, sizeof w[1]);
    engine_curved_take(e, w[0]);
    int most = 0;
    double* first = base_alloc(sizeof(double) * (size_t)e->n);
    memcpy(first, e->a, sizeof(double) * (size_t)e->n);
    engine_curved_take(e, w[1]);
    for (int i = 0; i < e->n; i++)
      if (fabs(e->a[i] - first[i]) > fabs(e->a[most] - first[most])) most = i;
    snprintf(
        e->reason, sizeof e->reason,
        "Gauss's function under `%s` is least at %d different accelerations (`%s''` = %.10g or "
        "%.10g): the motion is not determined",
        name, tied, e->model->coord[most].name, first[most], e->a[most]);
    free(first);
  } else if (f->continuum) {
    snprintf(e->reason, sizeof e->reason,
             "Gauss's function under `%s` is least at a continuum of accelerations: the motion is "
             "not determined",
             name);
  } else {
    snprintf(e->reason, sizeof e->reason,
             "Gauss's function under `%s` is least where the gradient of the constraint by the "
             "accelerations vanishes: the reaction is not defined",
             name);
  }
  return 1;
}

// The state a moment later along each of the tied minima: the motion takes the one that is still
// the least there; -1 where that is none or not one alone.
static int look_ahead(engine* e, int tied)
{
  engine_curved* f = e->least;
  const int n = e->n;
  double* kept = base_alloc(sizeof(double) * (size_t)(e->program->inputs + n));
  double* at = kept + e->program->inputs;
  least_stationary_point* candidate = base_alloc(sizeof *candidate * (size_t)tied);
  memcpy(kept, e->in, sizeof(double) * (size_t)e->program->inputs);
  memcpy(candidate, f->minimum, sizeof *candidate * (size_t)tied);
  int chosen = -1, count = 0;
  for (int i = 0; i < tied; i++) {
    memcpy(e->in, kept, sizeof(double) * (size_t)e->program->inputs);
    engine_curved_set_up(e);
    engine_curved_take(e, candidate[i].w);
    memcpy(at, e->a, sizeof(double) * (size_t)n);
    engine_scales_see(e, e->q, e->v, at);
    engine_glide(e, engine_look_ahead * engine_scale_quick(e), at);
    if (engine_curved_minima(e) || ties(e) > 1) continue;
    engine_curved_take(e, f->minimum[0].w);
    double moved = 0, size = 0;
    for (int j = 0; j < n; j++) {
      moved = fmax(moved, fabs(e->a[j] - at[j]));
      size = fmax(size, fabs(at[j]));
    }
    if (moved > 0.01 * size) continue;
    chosen = i;
    count++;
  }
  memcpy(e->in, kept, sizeof(double) * (size_t)e->program->inputs);
  engine_curved_minima(e);
  free(kept);
  free(candidate);
  return count == 1 ? chosen : -1;
}

int engine_curved_choose_one(engine* e, bool ahead)
{
  engine_curved* f = e->least;
  if (engine_curved_minima(e)) return 1;
  if (!f->minima) return undetermined(e, 0);
  const int tied = ties(e);
  int chosen = 0;
  if (tied > 1 && ahead) chosen = look_ahead(e, tied);
  if ((tied > 1 && !ahead) || chosen < 0) return undetermined(e, tied);
  if (f->continuum || f->minimum[chosen].kind != LEAST_STATIONARY_MINIMUM)
    return undetermined(e, 1);
  adopt(e, &f->minimum[chosen]);
  return 0;
}

bool engine_curved_find_rival(engine* e)
{
  engine_curved* f = e->least;
  least_stationary_point mine = {0};
  if (engine_curved_accelerations(e)) return false;
  engine_curved_reduce(e, e->a, f->found_lambda, mine.w, mine.lambda);
  mine.U = f->U;
  if (engine_curved_minima(e) || !f->minima || !(f->minimum[0].U < mine.U)) return false;
  if (apart(e, &f->minimum[0], &mine) < engine_other_point) return false;
  engine_curved_take(e, f->minimum[0].w);
  memcpy(f->rival_a, e->a, sizeof(double) * (size_t)e->n);
  for (int j = 0; j < f->active; j++) f->rival_lambda[f->of[f->now[j]]] = f->minimum[0].lambda[j];
  return true;
}
