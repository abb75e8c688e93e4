// A ball rolls down a slope in MuJoCo: rolling_mujoco STEP SECONDS.
// prints: CPU seconds, distance along the slope. Contacts are soft there: they are made as stiff as
// the step allows.

#include "mujoco_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static mjModel* slope(double step)
{
  char text[1200];
  const double g = 9.81, tilt = 0.3;
  snprintf(text, sizeof text,
           "<mujoco><option timestep='%.17g' integrator='RK4' cone='elliptic' "
           "gravity='%.17g 0 %.17g' impratio='100'/><worldbody>"
           "<geom type='plane' size='50 50 1' friction='1 0 0' solref='%.17g 1'/>"
           "<body pos='0 0 0.1'><freejoint/><geom type='sphere' size='0.1' "
           "mass='0.2' friction='1 0 0' solref='%.17g 1'/></body>"
           "</worldbody></mujoco>",
           step, g * sin(tilt), -g * cos(tilt), 2 * step, 2 * step);
  return mujoco_scene(text);
}

int main(int count, char** word)
{
  const double step = count > 1 ? atof(word[1]) : 1e-3, end = count > 2 ? atof(word[2]) : 2;
  mjModel* m = slope(step);
  if (!m) return 1;
  mjData* d = mj_makeData(m);
  const double began = now();
  for (long k = lround(end / step); k > 0; k--) mj_step(m, d);
  printf("%.6f %.12g\n", now() - began, d->qpos[0]);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
