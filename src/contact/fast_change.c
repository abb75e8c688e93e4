// Inequalities in a change made faster and faster: what is held could be pulled, which no contact
// does. Impulses of the reactions are summed over the change, those that press and those that pull;
// with the second the contact opens, and the change is looked at again without it.
#include "contact/contact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void contact_fast_change_start(engine* e)
{
  contact_inequalities* u = e->unilateral;
  if (!u) return;
  memset(u->pressed, 0, sizeof(double) * (size_t)u->count);
  memset(u->pulled, 0, sizeof(double) * (size_t)u->count);
}

// the reactions at the state in the input block act for dt
int contact_fast_change_note(engine* e, double dt)
{
  contact_inequalities* u = e->unilateral;
  if (!u) return 0;
  if (contact_accelerations(e)) return 1;
  contact_reactions(e);
  for (int i = 0; i < u->count; i++) {
    if (!e->mode.active[u->of[i]]) continue;
    const double impulse = u->sign[i] * e->lambda[u->of[i]] * dt;
    u->pressed[i] += fmax(impulse, 0);
    u->pulled[i] += fmax(-impulse, 0);
  }
  return 0;
}

// with what holds while it touches
static void let_go(engine* e, int i)
{
  contact_inequalities* u = e->unilateral;
  e->mode.active[u->of[i]] = false;
  for (int j = 0; j < u->links; j++)
    if (u->link_of[j] == i) e->mode.active[u->link[j]] = false;
  u->change[i] = CONTACT_LOOSENED;
}

// an impulse that all of the speed seen along it would need, but for rounding
static double least_pull(const engine* e, int i)
{
  const double* row = e->LA + e->unilateral->of[i] * e->n;
  const double mobility = engine_scale_mobility(e, row);
  return mobility > 0 ? engine_pulls * engine_scale_speed(e, row) / mobility : 0;
}

bool contact_fast_change_release(engine* e)
{
  contact_inequalities* u = e->unilateral;
  bool any = false;
  for (int i = 0; u && i < u->count; i++) {
    if (!e->mode.active[u->of[i]] || u->both[i] ||
        !(u->pulled[i] > engine_pulled * u->pressed[i] + least_pull(e, i)))
      continue;
    let_go(e, i);
    any = true;
  }
  if (any) engine_rows(e);
  return any;
}

const char* contact_fast_change_beyond(engine* e)
{
  contact_inequalities* u = e->unilateral;
  if (!u) return NULL;
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  for (int i = 0; i < u->count; i++) {
    const model_constraint* c = contact_inequality_constraint(e, i);
    if (u->present[i] && !u->both[i] && c->order == 0 &&
        contact_inequality_gap(e, i) < -engine_beyond_gap * contact_inequality_length(e, i))
      return contact_inequality_name(e, i);
  }
  return NULL;
}

void contact_fast_change_open(engine* e)
{
  contact_inequalities* u = e->unilateral;
  if (!u) return;
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  for (int i = 0; i < u->count; i++) {
    if (!e->mode.active[u->of[i]] || u->both[i] || contact_inequality_constraint(e, i)->order ||
        contact_inequality_gap(e, i) <= engine_open_gap * contact_inequality_length(e, i))
      continue;
    let_go(e, i);
  }
  engine_rows(e);
}

// the active contact of order 0 that the jump from these velocities pulls most, -1
static int most_pulled(engine* e, const double* before, const double* g)
{
  contact_inequalities* u = e->unilateral;
  int count = 0, worst = -1, *row = base_alloc(sizeof(int) * (size_t)(u->count + 1));
  for (int i = 0; i < u->count; i++)
    if (e->mode.active[u->of[i]] && !u->both[i] && contact_inequality_constraint(e, i)->order == 0)
      row[count++] = i;
  double *P = base_alloc(sizeof(double) * (size_t)(count + 1)), most = 0, size = 0;
  engine_equations(e);
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  if (count) contact_accumulation_impulses(e, count, row, before, g, P);
  for (int i = 0; i < e->n; i++)
    for (int j = 0; j < e->n; j++) size = fmax(size, fabs(e->M[i * e->n + j] * e->v[j]));
  for (int i = 0; i < e->n; i++)
    for (int j = 0; j < e->n; j++) size = fmax(size, fabs(e->M[i * e->n + j] * before[j]));
  for (int r = 0; r < count; r++) {
    const double pulled = -P[r] * contact_inequality_norm(e, e->LA, u->of[row[r]]);
    if (pulled > fmax(most, engine_pulls * size)) most = pulled, worst = row[r];
  }
  free(row);
  free(P);
  return worst;
}

int contact_fast_change_kick(engine* e, const double* g)
{
  contact_inequalities* u = e->unilateral;
  if (!u) return engine_kick(e, g);
  double* before = base_alloc(sizeof(double) * (size_t)e->n);
  memcpy(before, e->v, sizeof(double) * (size_t)e->n);
  int failed, worst;
  while (!(failed = engine_kick(e, g)) && (worst = most_pulled(e, before, g)) >= 0) {
    let_go(e, worst);
    engine_rows(e);
    memcpy(e->v, before, sizeof(double) * (size_t)e->n);
  }
  free(before);
  return failed;
}
