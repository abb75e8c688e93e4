// The cloth of bench/machines/cloth.zw in MuJoCo: particles on slides, tendons as threads.
//   machines_mujoco N STEP SECONDS
// prints: CPU seconds of the motion, steps, height of the far corner at the end.

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

static size_t particle(char* text, size_t room, int i, int j, int n)
{
  const double h = 1.0 / (n - 1), m = 0.2 / (n * n), J = 1e-3 * m * h * h;
  const int fixed = j == 0 && (i == 0 || i == n - 1);
  size_t at = (size_t)snprintf(text, room, "<body pos='%.17g %.17g 0'>", i * h, j * h);
  for (int k = 0; k < 3 && !fixed; k++)
    at += (size_t)snprintf(text + at, room - at, "<joint type='slide' axis='%d %d %d'/>", k == 0,
                           k == 1, k == 2);
  return at +
         (size_t)snprintf(text + at, room - at,
                          "<inertial pos='0 0 0' mass='%.17g' diaginertia='%.17g %.17g %.17g'/>"
                          "<site name='s%d_%d'/></body>",
                          m, J, J, J, i, j);
}

static size_t thread(char* text, size_t room, const int from[2], const int to[2], double k,
                     double l)
{
  return (size_t)snprintf(text, room,
                          "<spatial stiffness='%.17g' springlength='%.17g' damping='0.002'>"
                          "<site site='s%d_%d'/><site site='s%d_%d'/></spatial>",
                          k, l, from[0], from[1], to[0], to[1]);
}

// along, along the other way, across, across the other way: {from, to}
static const int threads[4][2][2] = {
    {{0, 0}, {0, 1}}, {{0, 0}, {1, 0}}, {{0, 0}, {1, 1}}, {{0, 1}, {1, 0}}};

static char* scene(int n, double step)
{
  const size_t room = 2000 + 1400 * (size_t)(n * n);
  char* text = malloc(room);
  size_t at = (size_t)snprintf(
      text, room,
      "<mujoco><compiler boundinertia='0' boundmass='0'/><option timestep='%.17g' integrator='RK4' "
      "jacobian='sparse' gravity='0 0 -9.81'><flag contact='disable' "
      "constraint='disable'/></option>"
      "<size nconmax='1' njmax='1' nstack='60000000'/><worldbody>",
      step);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) at += particle(text + at, room - at, i, j, n);
  at += (size_t)snprintf(text + at, room - at, "</worldbody><tendon>");
  for (int w = 0; w < 4; w++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        const int from[2] = {i + threads[w][0][0], j + threads[w][0][1]};
        const int to[2] = {i + threads[w][1][0], j + threads[w][1][1]};
        if (from[0] >= n || from[1] >= n || to[0] >= n || to[1] >= n) continue;
        const double k = w < 2 ? 200 : 0.3 * 200, l = (w < 2 ? 1 : sqrt(2)) / (n - 1);
        at += thread(text + at, room - at, from, to, k, l);
      }
  snprintf(text + at, room - at, "</tendon></mujoco>");
  return text;
}

int main(int count, char** word)
{
  if (count < 4) return 2;
  const int n = atoi(word[1]);
  const double step = atof(word[2]), end = atof(word[3]);
  char* text = scene(n, step);
  mjModel* m = mujoco_scene(text);
  free(text);
  if (!m) return 1;
  mjData* d = mj_makeData(m);
  const long steps = lround(end / step);
  const double began = now();
  for (long k = 0; k < steps; k++) mj_step(m, d);
  const double seconds = now() - began;
  mj_forward(m, d);
  printf("%.3f %ld %.9f\n", seconds, steps, d->xpos[3 * (m->nbody - 1) + 2]);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
