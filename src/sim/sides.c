// On which side of each corner the motion is.
#include "sim/engine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// the switching function a moment later, if corner i is taken on the given side; nan if unknown
static double moment_later(sim_engine* e, int i, double side)
{
  const int n = e->n;
  double* kept = base_alloc(sizeof(double) * (size_t)e->inputs);
  memcpy(kept, e->in, sizeof(double) * (size_t)e->inputs);
  e->side[i] = side;
  double value = NAN;
  if (!sim_accelerations(e)) {
    double fastest = 1;
    for (int j = 0; j < n; j++) fastest = fmax(fastest, fmax(fabs(e->v[j]), fabs(e->a[j])));
    const double h = 1e-6 / fastest;
    for (int j = 0; j < n; j++) {
      e->q[j] += h * (e->v[j] + h / 2 * e->a[j]);
      e->v[j] += h * e->a[j];
    }
    sim_engine_time(e, e->in[0] + h);
    code_run(e->switches, e->in, e->switching, e->scratch);
    value = e->switching[i];
  }
  memcpy(e->in, kept, sizeof(double) * (size_t)e->inputs);
  e->factored = false;
  free(kept);
  return value;
}

int sim_sides(sim_engine* e)
{
  // inner corners first: outer switching functions hold them
  for (int i = 0; i < e->modes.count; i++) {
    code_run(e->switches, e->in, e->switching, e->scratch);
    const double s = e->switching[i];
    if (s != 0 && !isnan(s)) {
      e->side[i] = s > 0 ? 1 : -1;
      continue;
    }
    const double above = moment_later(e, i, 1), below = moment_later(e, i, -1);
    if (above > 0) {
      e->side[i] = 1;
    } else if (below < 0) {
      e->side[i] = -1;
    } else if (above == 0 || below == 0) {
      e->side[i] = 1; // the corner does not matter here
    } else if (isnan(above) || isnan(below)) {
      e->side[i] = 1;
    } else {
      snprintf(e->reason, sizeof e->reason,
               "a force with a jump holds the motion where it jumps (as dry friction at rest "
               "does); that is not "
               "supported yet: smooth the jump, for example with tanh");
      return 1;
    }
  }
  return 0;
}
