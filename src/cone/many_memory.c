// Memory of cone_many.
#include "cone/many.h"

#include <stdlib.h>

void cone_many_room(cone_many* f, int rows)
{
  if (rows <= f->r_max) return;
  f->r_max = rows;
  const size_t r = (size_t)rows + 1;
  double* m = f->diagonal = base_realloc(f->diagonal, (6 + 1 + CONE_MANY_TANGENTS) * r * sizeof *m);
  f->centre = m + r;
  f->right = m + 2 * r;
  f->unit = m + 3 * r;
  f->turn = m + 4 * r;
  f->best = m + 5 * r;
  f->block = m + 6 * r;
  int* k = f->order = base_realloc(f->order, 8 * r * sizeof *k);
  f->index = k + r;
  f->unknown = k + 2 * r;
  f->first = k + 3 * r;
  f->tangent = k + 4 * r;
  f->block_at = k + 5 * r;
  f->place = k + 6 * r;
  f->end = k + 7 * r;
  f->state = base_realloc(f->state, r * sizeof *f->state);
  f->seen = base_realloc(f->seen, r * sizeof *f->seen);
  f->alike = base_realloc(f->alike, r * sizeof *f->alike);
}

cone_many* cone_many_new(int r_max)
{
  cone_many* f = base_alloc(sizeof *f);
  *f = (cone_many){.band = cone_band_new()};
  cone_many_room(f, r_max > CONE_MANY_SMALL ? r_max : CONE_MANY_SMALL);
  return f;
}

void cone_many_free(cone_many* f)
{
  if (!f) return;
  cone_many_free(f->patch);
  cone_many_island* s = &f->island;
  cone_band_free(f->band);
  free(f->diagonal);
  free(f->order);
  free(f->state);
  free(f->seen);
  free(f->alike);
  free(f->inner.memory);
  free(f->inner.H);
  free(f->near.memory);
  free(f->relax.memory);
  free(f->active.S);
  free(f->active.set.F);
  free(f->active.set.in);
  cone_many_bodies_free(&f->bodies);
  void* lists[] = {s->start, s->column, s->of, s->pair, s->G, s->q, s->mu, s->x, s->w, s->kind};
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) free(lists[k]);
  free(f);
}
