// Dividing a system of several groups into parts, each with a program and an engine of its own.
//
// What one group decides depends on the places and velocities of the others, and on nothing else of
// them: these are further inputs of its kernels. All groups in which nothing switches make one part
// together.
#include "engine/inside.h"

#include <stdlib.h>

// numbers i of 0 .. count with group[i] in the part, ascending; how many
static int members(const bool* in, int count, const int* group, int* out)
{
  int found = 0;
  for (int i = 0; i < count; i++)
    if (in[group[i]]) out[found++] = i;
  return found;
}

static void map_corners(engine_program* whole, engine_part* p)
{
  const engine_corners* corners = &p->program->modes;
  p->corner = engine_program_take(whole, (size_t)corners->count, sizeof(int));
  for (int j = 0; j < corners->nodes; j++)
    for (int i = 0; i < whole->modes.nodes; i++)
      if (whole->modes.node[i] == corners->node[j]) p->corner[corners->of[j]] = whole->modes.of[i];
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
  const engine_kind kind = {.large = true,
                            .is_part = true,
                            .others = p->others,
                            .other = other,
                            .given = whole->givens > 0};
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

bool engine_parts_open(engine* e, engine_build_part* build, const double* number, base_notes* notes)
{
  const engine_program* whole = e->program;
  if (!whole->parts) return true;
  e->part = engine_take(e, (size_t)whole->parts, sizeof *e->part);
  e->part_of_coord = whole->part_of_coord;
  e->part_of_row = whole->part_of_row;
  for (; e->parts < whole->parts; e->parts++) {
    engine_part* p = &e->part[e->parts];
    *p = whole->part[e->parts];
    p->e = build(p->program, number, notes);
    if (!p->e) return false;
    p->e->mode.ramp = e->mode.ramp;
  }
  engine_rows(e);
  return true;
}
