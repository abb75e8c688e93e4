// A system of several groups, each with an engine of its own.
//
// What one group decides depends on the places and velocities of the others, and on nothing else of
// them: these are further inputs of its kernels. All groups in which nothing switches make one part
// together. The whole lends its instant to a part and takes back what the part has found.
#include "engine/inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// numbers i of 0 .. count with group[i] in the part, ascending; how many
static int members(const bool* in, int count, const int* group, int* out)
{
  int found = 0;
  for (int i = 0; i < count; i++)
    if (in[group[i]]) out[found++] = i;
  return found;
}

// ---- parts --------------------------------------------------------------------------------------

static void map_corners(engine_program* whole, engine_part* p)
{
  const engine_corners* corners = &p->program->modes;
  p->corner = engine_program_take(whole, (size_t)corners->count, sizeof(int));
  for (int j = 0; j < corners->count; j++)
    for (int i = 0; i < whole->modes.count; i++)
      if (whole->modes.node[i] == corners->node[j]) p->corner[j] = i;
}

static bool add_part(engine_program* whole, const bool* in, base_notes* notes)
{
  const engine_groups* g = &whole->groups;
  engine_part* p = &whole->part[whole->parts];
  p->coord = engine_program_take(whole, (size_t)whole->n, sizeof(int));
  p->row = engine_program_take(whole, (size_t)whole->m, sizeof(int));
  p->n = members(in, whole->n, g->of_coord, p->coord);
  p->m = members(in, whole->m, g->of_row, p->row);
  mech_system* s = engine_part_system(whole, p, in);
  expr* other = engine_program_take(whole, (size_t)(2 * p->others), sizeof(expr));
  for (int i = 0; i < p->others; i++) {
    other[i] = whole->model->coord[p->other[i]].q;
    other[p->others + i] = whole->model->coord[p->other[i]].v;
  }
  const engine_kind kind = {.large = true, .is_part = true, .others = p->others, .other = other};
  p->program = engine_program_make(s, kind, notes);
  if (!p->program) return false;
  whole->parts++;
  map_corners(whole, p);
  for (int i = 0; i < p->n; i++) whole->part_of_coord[p->coord[i]] = whole->parts - 1;
  for (int k = 0; k < p->m; k++) whole->part_of_row[p->row[k]] = whole->parts - 1;
  return true;
}

bool engine_divide(engine_program* whole, base_notes* notes)
{
  const engine_groups g = whole->groups = engine_groups_find(whole);
  int plain = 0;
  for (int i = 0; i < g.count; i++) plain += g.plain[i];
  if (g.count < 2 || plain == g.count) return true;
  whole->part = engine_program_take(whole, (size_t)g.count, sizeof *whole->part);
  whole->part_of_coord = engine_program_take(whole, (size_t)whole->n, sizeof(int));
  whole->part_of_row = engine_program_take(whole, (size_t)whole->m, sizeof(int));
  bool fine = true, *in = base_alloc((size_t)g.count + 1);
  for (int i = -1; i < g.count && fine; i++) {
    for (int k = 0; k < g.count; k++) in[k] = i < 0 ? g.plain[k] : k == i;
    if (i < 0 ? plain : !g.plain[i]) fine = add_part(whole, in, notes);
  }
  free(in);
  return fine;
}

bool engine_parts_open(engine* e, engine_build_part* build, base_notes* notes)
{
  const engine_program* whole = e->program;
  if (!whole->parts) return true;
  e->part = engine_take(e, (size_t)whole->parts, sizeof *e->part);
  e->part_of_coord = whole->part_of_coord;
  e->part_of_row = whole->part_of_row;
  for (; e->parts < whole->parts; e->parts++) {
    engine_part* p = &e->part[e->parts];
    *p = whole->part[e->parts];
    p->e = build(p->program, notes);
    if (!p->e) return false;
    p->e->mode.ramp = e->mode.ramp;
  }
  engine_rows(e);
  return true;
}

void engine_parts_free(engine* e)
{
  for (int p = 0; p < e->parts; p++) engine_free(e->part[p].e);
}

// ---- the instant --------------------------------------------------------------------------------

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

int engine_part_kick(engine* e, int which, const double* g)
{
  const engine_part* p = &e->part[which];
  double* own = base_alloc(sizeof(double) * (size_t)(p->n + 1));
  for (int i = 0; i < p->n && g; i++) own[i] = g[p->coord[i]];
  const int failed = engine_kick(engine_part_enter(e, which), g ? own : NULL);
  engine_part_leave(e, which);
  free(own);
  return failed;
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

// the rows of the whole to its parts
void engine_parts_take_rows(engine* e)
{
  for (int i = 0; i < e->parts; i++) {
    const engine_part* p = &e->part[i];
    engine* x = p->e;
    x->mode.implied_count = 0;
    for (int k = 0; k < p->m; k++) {
      x->mode.active[k] = e->mode.active[p->row[k]];
      x->mode.implied[k] = e->mode.implied[p->row[k]];
      x->mode.implied_count += x->mode.implied[k];
    }
    engine_rows(x);
    for (int k = 0; k < p->m; k++) e->holds[p->row[k]] = x->holds[k];
  }
}

// ---- a moment later -----------------------------------------------------------------------------

void engine_glide(engine* e, double h, const double* a)
{
  const int others = e->others;
  for (int j = 0; j < e->n; j++) {
    e->q[j] += h * (e->v[j] + h / 2 * a[j]);
    e->v[j] += h * a[j];
  }
  for (int j = 0; j < others; j++) {
    e->other[j] += h * (e->other[others + j] + h / 2 * e->other_a[j]);
    e->other[others + j] += h * e->other_a[j];
  }
  engine_time(e, e->in[0] + h);
}
