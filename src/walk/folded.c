// Where coordinates end: angles that turn about one axis there (gimbal lock), an angle at the pole
// of its radius. Masses, which know the bodies, then have rows that depend on each other, and do
// not beside that place. A run that ends there says so: other coordinates have no such place.
#include "walk/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// per coordinate, how far it lies in the motions that move no mass at the state in the input block
static void idle_motions(engine* e, double* share)
{
  const int n = e->n;
  num_null* null = num_null_new(n, n);
  double* Z = base_alloc(sizeof(double) * ((size_t)n * (size_t)n + 1));
  engine_equations(e);
  const int idle = n - num_null_factor(null, n, n, e->M, engine_folded);
  num_null_basis(null, Z);
  for (int i = 0; i < n; i++) {
    share[i] = 0;
    for (int k = 0; k < idle; k++) share[i] = hypot(share[i], Z[i * idle + k]);
  }
  free(Z);
  num_null_free(null);
}

// the coordinates of e that are folded here, by name; how many
static int name_folded(engine* e, base_text* out)
{
  const int n = e->n;
  int count = 0;
  double* kept = base_alloc(sizeof(double) * (size_t)(e->program->inputs + 2 * n + 1));
  double *here = kept + e->program->inputs, *beside = here + n;
  memcpy(kept, e->in, sizeof(double) * (size_t)e->program->inputs);
  idle_motions(e, here);
  for (int j = 0; j < n; j++) e->q[j] += 0.1 * sin(1.3 * j + 1);
  idle_motions(e, beside);
  memcpy(e->in, kept, sizeof(double) * (size_t)e->program->inputs);
  e->factored = false;
  for (int j = 0; j < n; j++)
    if (here[j] > engine_folded_share && !(beside[j] > engine_folded_share))
      base_text_printf(out, "%s`%s`", count++ ? ", " : "", e->model->coord[j].name);
  free(kept);
  return count;
}

int walk_folded_name(engine* e, base_text* out)
{
  int count = 0;
  if (e->sparse) return 0;
  if (!e->parts) return name_folded(e, out);
  for (int p = 0; p < e->parts && !count; p++) {
    count = name_folded(engine_part_enter(e, p), out);
    engine_part_leave(e, p);
  }
  return count;
}
