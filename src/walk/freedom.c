// What is left free of a mechanism that is to be driven.
#include "walk/run.h"

#include <math.h>

bool walk_freedom_left(engine* e, base_notes* notes)
{
  const model* m = e->model;
  const int rank = engine_velocity_rows(e), left = m->places - rank;
  if (left <= 0) return false;
  base_text names = {0};
  int named = 0;
  for (int i = 0; i < m->places; i++) {
    double most = 0;
    for (int k = 0; k < e->n - rank; k++) most = fmax(most, fabs(e->work.Z[i * (e->n - rank) + k]));
    if (most < engine_moves_freely) continue;
    base_text_printf(&names, "%s`%s`", named++ ? ", " : "", m->coord[i].name);
  }
  base_error(notes, BASE_NOWHERE,
             "%d freedom%s of the mechanism %s not driven: %s can move at the start", left,
             left == 1 ? "" : "s", left == 1 ? "is" : "are", names.at ? names.at : "");
  base_help(notes, "drive it with --drive \"NAME=FROM..TO\", or in the model: constraint NAME = "
                   "EXPRESSION of t");
  base_text_free(&names);
  return true;
}
