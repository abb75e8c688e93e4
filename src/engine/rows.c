// Which rows hold, counted after every change, in the whole and in its parts.
#include "engine/inside.h"

bool engine_is_ideal(const engine* e, int k)
{
  return e->s->role[k].ideal;
}

bool engine_rank_counts(const engine* e, int k)
{
  return e->model->constraint[k].order < 2 && engine_is_ideal(e, k);
}

void engine_rows_count(engine* e)
{
  e->mode.rows = e->mode.ranked = 0;
  e->mode.all_linear = true;
  e->mode.second_order = false;
  e->factored = false;
  e->orientation = (engine_orientation){0};
  e->mode.coupled = e->program->forces_feel;
  e->mode.curved = false;
  for (int k = 0; k < e->m; k++) {
    // what is hidden in a servo constraint holds with it
    if (!engine_is_ideal(e, k)) {
      e->mode.active[k] = e->mode.active[e->s->role[k].servo];
      e->mode.coupled = e->mode.coupled || e->mode.active[k];
    }
    if (!e->parts) e->holds[k] = e->mode.active[k];
    e->mode.curved = e->mode.curved || (e->mode.active[k] && mech_is_nonlinear(e->s, k));
    if (!e->mode.active[k] || e->mode.implied[k]) continue;
    e->mode.row[e->mode.rows++] = k;
    e->mode.ranked += engine_rank_counts(e, k);
    const model_constraint* c = &e->model->constraint[k];
    e->mode.all_linear = e->mode.all_linear && (c->order != 1 || c->linear);
    e->mode.second_order = e->mode.second_order || c->order == 2;
  }
}

// the rows of the whole to its parts
static void give_to_parts(engine* e)
{
  for (int i = 0; i < e->parts; i++) {
    const engine_part* p = &e->part[i];
    engine* x = p->e;
    x->mode.implied_count = 0;
    for (int k = 0; k < p->m; k++) {
      x->mode.active[k] = e->mode.active[p->row[k]];
      x->mode.implied[k] = e->mode.implied[p->row[k]];
      x->mode.implied_count += x->mode.implied[k];
      x->mode.open_load[k] = e->mode.open_load[p->row[k]];
    }
    engine_rows(x);
    for (int k = 0; k < p->m; k++) e->holds[p->row[k]] = x->holds[k];
  }
}

void engine_rows(engine* e)
{
  engine_rows_count(e);
  if (e->sparse) engine_sparse_rows(e);
  if (e->part_laws) e->part_laws(e);
  if (e->parts) {
    give_to_parts(e);
    return;
  }
  if (e->hold_laws) e->hold_laws(e);
  // surfaces that are apart do not rub
  for (int i = 0; i < e->model->contacts; i++)
    for (int k = 0; k < MODEL_GRIPS && !e->mode.active[e->model->contact[i].gap]; k++)
      if (e->model->contact[i].grip[k].rows) e->holds[e->model->contact[i].grip[k].stick[0]] = 1;
}

int engine_implied_beside(const engine* e, int k)
{
  return e->parts ? e->part[e->part_of_row[k]].e->mode.implied_count : e->mode.implied_count;
}

bool engine_is_led(const engine* e)
{
  if (e->mode.rows < e->n) return false;
  for (int i = 0; i < e->n; i++)
    if (fabs(e->v[i]) > engine_noise_kick * e->scales->speed[i]) return true;
  return false;
}
