// The chain of models/hanging_chain.zw in MuJoCo: N rods on hinges, let go from the horizontal.
//   chain_mujoco N STEP SECONDS
// prints: CPU seconds, largest relative error of the energy, height of the free end.

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

// bodies within bodies, as it wants them; rods thin, in the plane of x and z
static char* scene(int n, double step)
{
  const double l = 10.0 / n, m = 5.0 / n, J = m * l * l / 12;
  const size_t room = 600 + 400 * (size_t)n;
  char* text = malloc(room);
  size_t at = (size_t)snprintf(
      text, room,
      "<mujoco><compiler boundinertia='0' boundmass='0'/><option timestep='%.17g' integrator='RK4' "
      "gravity='0 0 -9.81'><flag energy='enable' contact='disable' constraint='disable'/></option>"
      "<size nconmax='1' njmax='1' nstack='20000000'/><worldbody>",
      step);
  for (int i = 0; i < n; i++)
    at += (size_t)snprintf(text + at, room - at,
                           "<body pos='%.17g 0 0'><joint type='hinge' axis='0 1 0'/>"
                           "<inertial pos='%.17g 0 0' mass='%.17g' "
                           "diaginertia='%.17g %.17g %.17g'/>",
                           i ? l : 0, l / 2, m, 1e-3 * J, J, J);
  for (int i = 0; i < n; i++) at += (size_t)snprintf(text + at, room - at, "</body>");
  snprintf(text + at, room - at, "</worldbody></mujoco>");
  return text;
}

int main(int count, char** word)
{
  const int n = count > 1 ? atoi(word[1]) : 16;
  const double step = count > 2 ? atof(word[2]) : 1e-3, end = count > 3 ? atof(word[3]) : 1;
  char* text = scene(n, step);
  mjModel* m = mujoco_scene(text);
  free(text);
  if (!m) return 1;
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  const double from = d->energy[0] + d->energy[1], scale = 5 * 9.81 * 5;
  const long steps = lround(end / step), every = steps > 20 ? steps / 20 : 1;
  double worst = 0;
  const double began = now();
  for (long k = 1; k <= steps; k++) {
    mj_step(m, d);
    if (k % every) continue;
    mj_forward(m, d);
    worst = fmax(worst, fabs(d->energy[0] + d->energy[1] - from) / scale);
  }
  const double seconds = now() - began;
  mj_forward(m, d);
  const double* tip = d->xpos + 3 * (m->nbody - 1);
  const double* turn = d->xmat + 9 * (m->nbody - 1);
  printf("%.4f %.3e %.9f\n", seconds, worst, tip[2] + 10.0 / n * turn[6]);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
