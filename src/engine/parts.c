// A system of several parts, each with an engine of its own (divide.c): the whole lends its instant
// to a part and takes back what the part has found.
#include "engine/engine.h"

#include <string.h>

engine* engine_part_enter(engine* e, int which)
{
  const engine_part* p = &e->part[which];
  engine* x = p->e;
  x->in[0] = e->in[0];
  memcpy(x->par, e->par, sizeof(double) * (size_t)(3 * e->p));
  for (int i = 0; i < p->n; i++) {
    x->q[i] = e->q[p->coord[i]];
    x->v[i] = e->v[p->coord[i]];
    x->a[i] = e->a[p->coord[i]];
  }
  for (int i = 0; i < p->others; i++) {
    x->other[i] = e->q[p->other[i]];
    x->other[p->others + i] = e->v[p->other[i]];
    x->other_a[i] = e->a[p->other[i]];
  }
  for (int k = 0; k < p->m; k++) {
    x->lambda[k] = e->lambda[p->row[k]];
    x->holds[k] = e->holds[p->row[k]];
  }
  for (int i = 0; i < x->program->modes.count; i++) x->side[i] = e->side[p->corner[i]];
  x->t_rest = e->t_rest;
  x->profile = e->profile;
  x->look_ahead = e->look_ahead;
  x->beyond = e->beyond;
  x->every_bit = e->every_bit;
  x->deciding = e->deciding;
  x->ambiguous = false;
  x->factored = false;
  *x->reason = 0;
  return x;
}

// the rows that hold in the part are those of the whole; true if that changes the whole
static bool give_rows(engine* e, const engine_part* p)
{
  const engine* x = p->e;
  bool changed = false;
  for (int k = 0; k < p->m; k++) {
    const int row = p->row[k];
    changed = changed || e->mode.active[row] != x->mode.active[k] ||
              e->mode.implied[row] != x->mode.implied[k];
    e->mode.implied_count += x->mode.implied[k] - e->mode.implied[row];
    e->mode.active[row] = x->mode.active[k];
    e->mode.implied[row] = x->mode.implied[k];
    e->mode.open_load[row] = x->mode.open_load[k];
    e->holds[row] = x->holds[k];
    e->lambda[row] = x->lambda[k];
  }
  return changed;
}

void engine_part_leave(engine* e, int which)
{
  const engine_part* p = &e->part[which];
  const engine* x = p->e;
  for (int i = 0; i < p->n; i++) {
    e->q[p->coord[i]] = x->q[i];
    e->v[p->coord[i]] = x->v[i];
    e->a[p->coord[i]] = x->a[i];
  }
  for (int i = 0; i < x->program->modes.count; i++) {
    const int corner = p->corner[i];
    e->side[corner] = x->side[i];
    e->mode.held_count += x->mode.held[i] - e->mode.held[corner];
    e->mode.held[corner] = x->mode.held[i];
    e->mode.resting[corner] = x->mode.resting[i];
    e->mode.pressed[corner] = x->mode.pressed[i];
    e->mode.twice_count += x->mode.twice[i] - e->mode.twice[corner];
    e->mode.twice[corner] = x->mode.twice[i];
  }
  e->ambiguous = e->ambiguous || x->ambiguous;
  if (*x->reason) memcpy(e->reason, x->reason, sizeof e->reason);
  if (give_rows(e, p)) engine_rows_count(e);
}

int engine_each_part(engine* e, int (*what)(engine*))
{
  int failed = 0;
  for (int p = 0; p < e->parts && !failed; p++) {
    failed = what(engine_part_enter(e, p));
    engine_part_leave(e, p);
  }
  return failed;
}

bool engine_is_large(const engine* e)
{
  bool large = e->sparse;
  for (int p = 0; p < e->parts; p++) large = large || e->part[p].e->sparse;
  return large;
}

// M, F, A and c as the part has evaluated them
void engine_part_show(engine* e, int which)
{
  const engine_part* p = &e->part[which];
  const engine* x = p->e;
  const int n = e->n;
  if (e->sparse) return;
  for (int i = 0; i < p->n; i++) e->F[p->coord[i]] = x->F[i];
  for (int k = 0; k < p->m; k++) e->c[p->row[k]] = x->c[k];
  if (x->sparse) {
    const engine_sparse* t = x->sparse;
    for (int i = 0; i < p->n; i++)
      for (int at = t->M.start[i]; at < t->M.start[i + 1]; at++) {
        const int a = p->coord[i], b = p->coord[t->M.column[at]];
        e->M[a * n + b] = e->M[b * n + a] = t->M_value[at];
      }
    for (int k = 0; k < p->m; k++)
      for (int at = t->A.start[k]; at < t->A.start[k + 1]; at++)
        e->A[p->row[k] * n + p->coord[t->A.column[at]]] = t->A_value[at];
    return;
  }
  for (int i = 0; i < p->n; i++)
    for (int j = 0; j < p->n; j++) e->M[p->coord[i] * n + p->coord[j]] = x->M[i * p->n + j];
  for (int k = 0; k < p->m; k++)
    for (int j = 0; j < p->n; j++) e->A[p->row[k] * n + p->coord[j]] = x->A[k * p->n + j];
}
