// Energies that jump within a step of Moreau's method.
#include "walk/energy_jumps.h"
#include "walk/moreau.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

// the share of the way at which corner i leaves this side
static double passed_at(walk_job* r, int i, double side)
{
  double low = 0, high = 1;
  while (high - low > DBL_EPSILON) {
    const double middle = low + (high - low) / 2;
    walk_moreau_load(r, middle);
    if (r->e->side[i] == side)
      low = middle;
    else
      high = middle;
  }
  return high;
}

// corners of the energies that the last step passed: 0, or 1 with the engine's reason
int walk_moreau_jumps(walk_job* r)
{
  walk_moreau* s = r->moreau;
  engine* e = r->e;
  const size_t corners = (size_t)e->program->modes.count, energies = (size_t)e->n + 3;
  s->given = 0;
  bool any = false;
  for (size_t i = 0; i < corners; i++) any = any || e->program->modes.energetic[i];
  if (!any) return 0;
  const double jumps = r->jumps;
  double* side = base_alloc(sizeof(double) * (corners + 2 * energies));
  double *before = side + corners, *after = before + energies;
  int failed = 0;
  walk_moreau_load(r, 0);
  memcpy(side, e->side, sizeof(double) * corners);
  walk_moreau_load(r, 1);
  for (int i = 0; i < e->program->modes.count && !failed; i++) {
    if (e->side[i] == side[i] || !e->program->modes.energetic[i]) continue;
    const double behind = e->side[i], x = passed_at(r, i, side[i]);
    const walk_found found = {WALK_CORNER, i, s->t + x * s->h, behind > side[i] ? 1 : -1};
    walk_moreau_load(r, x);
    e->side[i] = behind;
    walk_energy_read(e, after);
    e->side[i] = side[i];
    walk_energy_read(e, before);
    failed = walk_energy_leaps(r, &found, 1, before, after);
    walk_moreau_load(r, 1);
  }
  // the step may be made anew
  s->given = r->jumps - jumps;
  r->jumps = jumps;
  free(side);
  return failed;
}
