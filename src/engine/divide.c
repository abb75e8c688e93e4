// Dividing a system of several groups into parts, each with an engine of its own.
//
// What one group decides depends on the places and velocities of the others, and on nothing else of
// them: these are further inputs of its kernels. All groups in which nothing switches make one part
// together.
#include "engine/engine.h"

#include <stdlib.h>

// numbers i of 0 .. count with group[i] in the part, ascending; how many
static int members(const bool* in, int count, const int* group, int* out)
{
  int found = 0;
  for (int i = 0; i < count; i++)
    if (in[group[i]]) out[found++] = i;
  return found;
}

static void map_corners(engine* e, engine_part* p)
{
  p->corner = engine_take(e, (size_t)p->e->program->modes.count, sizeof(int));
  for (int j = 0; j < p->e->program->modes.count; j++)
    for (int i = 0; i < e->program->modes.count; i++)
      if (e->program->modes.node[i] == p->e->program->modes.node[j]) p->corner[j] = i;
}

static bool build_part(engine* e, const engine_groups* g, const bool* in, engine_build_part* build,
                       base_notes* notes)
{
  engine_part* p = &e->part[e->parts];
  p->coord = engine_take(e, (size_t)e->n, sizeof(int));
  p->row = engine_take(e, (size_t)e->m, sizeof(int));
  p->n = members(in, e->n, g->of_coord, p->coord);
  p->m = members(in, e->m, g->of_row, p->row);
  mech_system* s = engine_part_system(e, p, g, in);
  expr* other = engine_take(e, (size_t)(2 * p->others), sizeof(expr));
  for (int i = 0; i < p->others; i++) {
    other[i] = e->model->coord[p->other[i]].q;
    other[p->others + i] = e->model->coord[p->other[i]].v;
  }
  const engine_kind kind = {.large = true, .is_part = true, .others = p->others, .other = other};
  p->e = build(s, kind, notes);
  if (!p->e) return false;
  e->parts++;
  p->e->mode.ramp = e->mode.ramp;
  map_corners(e, p);
  for (int i = 0; i < p->n; i++) e->part_of_coord[p->coord[i]] = e->parts - 1;
  for (int k = 0; k < p->m; k++) e->part_of_row[p->row[k]] = e->parts - 1;
  return true;
}

bool engine_divide(engine* e, engine_build_part* build, base_notes* notes)
{
  const engine_groups g = e->groups = engine_groups_find(e);
  int plain = 0;
  for (int i = 0; i < g.count; i++) plain += g.plain[i];
  if (g.count < 2 || plain == g.count) return true;
  e->part = engine_take(e, (size_t)g.count, sizeof *e->part);
  e->part_of_coord = engine_take(e, (size_t)e->n, sizeof(int));
  e->part_of_row = engine_take(e, (size_t)e->m, sizeof(int));
  bool fine = true, *in = base_alloc((size_t)g.count + 1);
  for (int i = -1; i < g.count && fine; i++) {
    for (int k = 0; k < g.count; k++) in[k] = i < 0 ? g.plain[k] : k == i;
    if (i < 0 ? plain : !g.plain[i]) fine = build_part(e, &g, in, build, notes);
  }
  free(in);
  if (fine) engine_rows(e);
  return fine;
}
