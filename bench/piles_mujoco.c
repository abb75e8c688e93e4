// A scene of piles.py in MuJoCo, elliptic cones: piles_mujoco SCENE ITERATIONS SOLVER; what it
// prints: piles_scene.h. Its memory, rows times rows and rows times freedoms, is counted by an int:
// there are no more than MOST_ROWS.
#include "piles_scene.h"

#include <mujoco/mujoco.h>

enum { MOST_ROWS = 8000 };

// of a contact: with rolling and pivoting friction, or against slip alone
static int rows_of(const scene* s)
{
  return s->rolling > 0 ? 6 : 3;
}

static void write_scene(const scene* s, int iterations, const char* solver, FILE* f)
{
  const int all = 20 * rows_of(s) * s->count + 500, rows = all < MOST_ROWS ? all : MOST_ROWS;
  fprintf(f,
          "<mujoco><option timestep='%.17g' cone='elliptic' solver='%s' iterations='%d' "
          "tolerance='1e-12' gravity='0 0 -9.81'/><size njmax='%d' nconmax='%d' nstack='%d'/>"
          "<default><geom friction='%g %g %g' condim='%d'/></default><worldbody>",
          s->step, solver, iterations, rows, rows / rows_of(s), 200000000, s->friction, s->rolling,
          s->rolling, rows_of(s));
  const char* walls[] = {"0 0 0' zaxis='0 0 1", "-1 0 0' zaxis='1 0 0", "1 0 0' zaxis='-1 0 0",
                         "0 -1 0' zaxis='0 1 0", "0 1 0' zaxis='0 -1 0"};
  for (int i = 0; i < 5; i++) {
    double p[3];
    char axis[40];
    sscanf(walls[i], "%lf %lf %lf' %39[^\n]", &p[0], &p[1], &p[2], axis);
    fprintf(f, "<geom type='plane' size='5 5 1' pos='%g %g %g' %s'/>", s->half * p[0],
            s->half * p[1], s->half * p[2], axis);
  }
  for (int i = 0; i < s->count; i++) {
    const solid* x = &s->solid[i];
    fprintf(f, "<body pos='%.17g %.17g %.17g'><freejoint/>", x->at[0], x->at[1], x->at[2]);
    if (x->box)
      fprintf(f, "<geom type='box' size='%g %g %g' mass='1'/></body>", x->size[0] / 2,
              x->size[1] / 2, x->size[2] / 2);
    else
      fprintf(f, "<geom type='sphere' size='%g' mass='1'/></body>", x->size[0]);
  }
  fprintf(f, "</worldbody></mujoco>");
}

// forces and velocities at the state reached
static double laws(const mjModel* m, const mjData* d, const scene* s)
{
  double worst = 0;
  for (int i = 0; i < d->ncon; i++) {
    mjtNum f[6];
    const int at = d->contact[i].efc_address;
    if (at < 0) continue;
    mj_contactForce(m, d, i, f);
    worst = fmax(
        worst, law_left(-d->efc_vel[at], f[0] * s->step, hypot(f[1], f[2]) * s->step, s->friction));
  }
  return worst;
}

int main(int count, char** word)
{
  scene s;
  char path[] = "/tmp/pilesXXXXXX.xml", why[1000] = "";
  if (count < 4 || scene_read(word[1], &s)) return 2;
  FILE* f = fdopen(mkstemps(path, 4), "w");
  write_scene(&s, atoi(word[2]), word[3], f);
  fclose(f);
  mjModel* m = mj_loadXML(path, NULL, why, sizeof why);
  remove(path);
  if (!m) {
    fprintf(stderr, "MuJoCo: %s\n", why);
    return 1;
  }
  mjData* d = mj_makeData(m);
  double deepest = 0, left = 0, speed = 0, spent = 0;
  for (int i = 0; i < s.count; i++)
    for (int k = 0; k < 3; k++) d->qvel[6 * i + 3 + k] = s.solid[i].spin[k];
  for (int k = 0; k < s.steps; k++) {
    const double from = now();
    mj_step(m, d);
    spent += now() - from;
    if (d->warning[mjWARN_CNSTRFULL].number || d->warning[mjWARN_CONTACTFULL].number) {
      fprintf(stderr,
              "MuJoCo: more than %d rows after %.3g s of motion, which its memory, counted by an "
              "int, has no room for\n",
              m->njmax, (k + 1) * s.step);
      return 1;
    }
    for (int i = 0; i < d->ncon; i++) deepest = fmax(deepest, -d->contact[i].dist);
    if (10 * k < 9 * s.steps) continue;
    mj_forward(m, d);
    left = fmax(left, laws(m, d, &s));
  }
  for (int i = 0; i < s.count; i++)
    speed =
        fmax(speed, sqrt(d->qvel[6 * i] * d->qvel[6 * i] + d->qvel[6 * i + 1] * d->qvel[6 * i + 1] +
                         d->qvel[6 * i + 2] * d->qvel[6 * i + 2]));
  tell(spent, deepest, left, speed);
  return 0;
}
