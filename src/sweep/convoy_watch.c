// What is watched while runs go side by side in one mode: values that tell, by their signs, that
// the mode is about to end.
#include "sweep/convoy.h"

#include <math.h>
#include <string.h>

// of the squared gradient of a constraint at the beginning of a stretch
const double sweep_least_gradient = 1e-3;

expr* sweep_mode_take(const sweep_mode_maker* w, int count)
{
  return base_arena_take(w->arena, sizeof(expr) * (size_t)(count + 1));
}

// ---- what is watched ----------------------------------------------------------------------------

static void watch(sweep_mode_maker* w, expr value, sweep_watch_kind kind, int row)
{
  base_push(&w->value, value);
  base_push(&w->watch, ((sweep_watch){kind, row}));
}

// events of the model, and the end of its stage
static void watch_events(sweep_mode_maker* w)
{
  const model* m = w->e->model;
  for (int i = 0; i < m->events; i++)
    if (m->event[i].every == EXPR_NONE) watch(w, m->event[i].g, SWEEP_KEEPS, -1);
  if (w->x->stage < 0) return;
  const model_stage* stage = &m->stage[w->x->stage];
  if (stage->until != EXPR_NONE && stage->until_time == EXPR_NONE)
    watch(w, stage->until, SWEEP_KEEPS, -1);
}

// corners of the forces, by the side they are on
static void watch_corners(sweep_mode_maker* w)
{
  const engine_corners* c = &w->program->modes;
  for (int i = 0; i < c->count; i++) watch(w, c->s[i], SWEEP_KEEPS, -1);
}

// an inequality that is open has its gap, or what else it binds; one that holds presses
static void watch_inequalities(sweep_mode_maker* w)
{
  const contact_inequalities* u = w->e->unilateral;
  const mech_system* s = w->e->s;
  for (int i = 0; u && i < u->count; i++) {
    if (!u->present[i] || u->both[i]) continue;
    const int k = u->of[i], order = w->e->model->constraint[k].order;
    expr value = w->e->mode.active[k] ? w->e->model->reaction[k]
                 : order == 0         ? s->f0[k]
                 : order == 1         ? s->f1[k]
                                      : expr_neg(w->pool, s->c[k]);
    for (int j = 0; j < w->e->n && !w->e->mode.active[k] && order > 1; j++)
      value = expr_add(w->pool, value, expr_mul(w->pool, s->A[k * w->e->n + j], s->a[j]));
    watch(w, u->sign[i] < 0 ? expr_neg(w->pool, value) : value, SWEEP_ABOVE, -1);
  }
}

// surfaces that touch: what makes them a contact, and the sign of their normal force
static void watch_contacts(sweep_mode_maker* w)
{
  const model* m = w->e->model;
  const int count = engine_guard_count(m);
  expr* list = sweep_mode_take(w, count);
  engine_guard_list(m, w->pool, list);
  int at = 0;
  for (int i = 0; i < m->contacts; i++)
    for (int k = 0; k < m->contact[i].guards; k++) watch(w, list[at++], SWEEP_ABOVE, -1);
  for (int i = 0; i < m->contacts; i++)
    if (contact_guard_tells(w->e, i)) watch(w, list[count - m->contacts + i], SWEEP_KEEPS, -1);
}

// sum of the products of the gradient of constraint k with others
static expr product(const sweep_mode_maker* w, int k, const expr* other)
{
  const int n = w->e->n;
  const expr* A = w->e->s->A + k * n;
  expr sum = w->e->s->zero[0];
  for (int j = 0; j < n; j++) sum = expr_add(w->pool, sum, expr_mul(w->pool, A[j], other[j]));
  return sum;
}

// the symbols of a gradient at the beginning of a stretch
static expr* gradient_before(sweep_mode_maker* w, int k)
{
  expr* symbol = sweep_mode_take(w, w->e->n);
  for (int j = 0; j < w->e->n; j++) {
    symbol[j] = expr_symbol(w->pool, base_arena_printf(w->arena, "gradient(%d,%d)", k, j));
    base_push(&w->before, symbol[j]);
  }
  return symbol;
}

// Constraints keep their gradients, and those curved in the velocities their directions, as the
// gradient may vanish between two instants looked at; those that follow from others go on to do so.
static void watch_rows(sweep_mode_maker* w)
{
  const mech_system* s = w->e->s;
  for (int k = 0; k < w->e->m; k++) {
    const model_constraint* c = &w->e->model->constraint[k];
    if (!w->e->mode.active[k] || c->order > 1) continue;
    const expr f = c->order == 0 ? s->f0[k] : s->f1[k];
    if (w->e->mode.implied[k])
      watch(w, expr_mul(w->pool, f, f), SWEEP_WITHIN, k);
    else if (c->order == 1 && !c->linear)
      watch(w, product(w, k, gradient_before(w, k)), SWEEP_TURNS, k);
    else if (!expr_is_number(w->pool, product(w, k, s->A + k * w->e->n)))
      watch(w, product(w, k, s->A + k * w->e->n), SWEEP_LARGE, k);
  }
}

void sweep_mode_watch(sweep_mode_maker* w)
{
  watch_events(w);
  watch_corners(w);
  watch_inequalities(w);
  watch_contacts(w);
  watch_rows(w);
}

// ---- the beginning of a stretch -----------------------------------------------------------------

size_t sweep_mode_room(const sweep_mode* m)
{
  return (size_t)m->inputs + (size_t)code_outputs(m->rates) + code_scratch(m->rates);
}

// the gradients that may turn, as they are at the engine's state
static void take_gradients(const sweep_mode* m, engine* e, double* to)
{
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  for (int i = 0; i < m->watches; i++) {
    if (m->watch[i].kind != SWEEP_TURNS) continue;
    memcpy(to, e->LA + m->watch[i].row * m->n, sizeof(double) * (size_t)m->n);
    to += m->n;
  }
}

bool sweep_mode_enter(const sweep_mode* m, const walk_stretch* x, double* rest, double* scratch)
{
  engine* e = x->e;
  const int skip = 1 + 2 * m->n;
  double *in = scratch, *out = in + m->inputs;
  memcpy(in, e->in, sizeof(double) * (size_t)m->own);
  for (int i = 0; i < m->watches; i++) {
    in[m->own + 2 * i] = 1;
    in[m->own + 2 * i + 1] = 0;
  }
  if (m->inputs > m->own + 2 * m->watches) take_gradients(m, e, in + m->own + 2 * m->watches);
  code_run(m->rates, in, out, out + code_outputs(m->rates));
  if (!(out[m->n] > 0)) return false;
  for (int i = 0; i < m->watches; i++) {
    const double value = out[m->first + i];
    const sweep_watch* w = &m->watch[i];
    double *sign = &in[m->own + 2 * i], *floor = sign + 1;
    const bool keeps = w->kind == SWEEP_KEEPS;
    *sign = w->kind == SWEEP_WITHIN || (keeps && value < 0) ? -1 : 1;
    if (w->kind == SWEEP_LARGE) *floor = sweep_least_gradient * value;
    if (w->kind == SWEEP_WITHIN) {
      const double most =
          engine_met_redundant * engine_scale_row(e, w->row, e->model->constraint[w->row].order);
      *floor = -most * most;
    }
    if (!(*sign * value - *floor > 0)) return false;
  }
  memcpy(rest, in + skip, sizeof(double) * (size_t)(m->inputs - skip));
  return true;
}
