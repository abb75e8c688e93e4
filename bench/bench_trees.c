// Rates of trees of bodies beside MuJoCo's forward dynamics: a trunk that is free, four limbs of
// hinges with springs and dampers; 14, 30, 62 and 126 freedoms; the same standing on a rough floor
// with two points of each limb.
// bench_trees FOLDER (for the model's text)
#include "bench.h"
#include "rate/rate.h"

#ifdef BENCH_MUJOCO
#include <mujoco/mujoco.h>
#endif

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LIMBS = 4, FEET = 2, STATES = 16 };

typedef struct tree
{
  int joints;  // a limb
  bool stands; // on eight contacts
  bool rough;  // with friction
  engine* e;
  rate_flow* f;
  double* y; // STATES of f
  double* dy;
#ifdef BENCH_MUJOCO
  mjModel* m;
  mjData* d;
#endif
  double angle[STATES][LIMBS * 32], sum;
} tree;

static int freedoms(const tree* t)
{
  return 6 + LIMBS * t->joints;
}

// ---- zwang --------------------------------------------------------------------------------------

static void write_model(const tree* t, FILE* out)
{
  fprintf(out, "coord px, py, pz\norientation Q\nframe base = world at (px, py, pz) rotated by Q\n"
               "body trunk mass 30 inertia (1.0, 0.9, 0.4) at (0, 0, 0) in base\n"
               "gravity (0, 0, -9.81)\nrun 0 .. 1\n");
  for (int k = 0; k < LIMBS; k++)
    for (int i = 0; i < t->joints; i++) {
      const int j = k * t->joints + i;
      fprintf(out, "coord j%d\n", j);
      if (i)
        fprintf(out, "frame L%d = L%d at (0, 0, -0.2) rotated %c(j%d)\n", j, j - 1, "xyz"[i % 3],
                j);
      else
        fprintf(out, "frame L%d = base at (%g, %g, -0.3) rotated x(j%d)\n", j, k % 2 ? -0.1 : 0.1,
                k / 2 ? -0.1 : 0.1, j);
      fprintf(out, "body B%d mass 2 inertia (0.02, 0.02, 0.005) at (0, 0, -0.1) in L%d\n", j, j);
      fprintf(out, "force j%d = -0.5*j%d' - 20*j%d\n", j, j, j);
    }
  for (int i = 0; i < FEET * LIMBS && t->stands; i++)
    fprintf(out,
            "point c%d = (%g, 0.05, -0.2) in L%d\n"
            "constraint floor%d: pos(c%d).z >= 0%s\n",
            i, i % FEET ? -0.04 : 0.04, (i / FEET + 1) * t->joints - 1, i, i,
            t->rough ? " with friction 0.7" : "");
}

// its limbs stand bent: all hinges around x alike from limb to limb, so that all feet are level
static double bend(int i)
{
  return i % 3 ? 0 : i % 6 ? -0.8 : 0.4;
}

static double height(const tree* t)
{
  double z = 0.3, angle = 0;
  for (int i = 0; i < t->joints && t->stands; i++) {
    angle += bend(i);
    z += 0.2 * cos(angle);
  }
  return t->stands ? z - 0.05 * sin(angle) : 0;
}

static int place_of(const tree* t, const char* name)
{
  for (int i = 0; i < t->e->n; i++)
    if (!strcmp(t->e->model->coord[i].name, name)) return i;
  exit(1);
}

static void put_state(tree* t, int state)
{
  engine* e = t->e;
  double *q = base_alloc(sizeof(double) * (size_t)e->n),
         *v = base_alloc(sizeof(double) * (size_t)e->n);
  char name[20];
  q[place_of(t, "Q.w")] = 1;
  q[place_of(t, "pz")] = height(t);
  for (int j = 0; j < LIMBS * t->joints; j++) {
    snprintf(name, sizeof name, "j%d", j);
    q[place_of(t, name)] = t->angle[state][j];
  }
  engine_state(e, 0, q, v);
  free(q);
  free(v);
}

static void by_zwang(void* context, int count)
{
  tree* t = context;
  for (int i = 0; i < count; i++) {
    if (t->f->ode.rhs(t->f, 0, t->y + (size_t)(i % STATES) * (size_t)t->f->ode.n, t->dy)) exit(1);
    t->sum += t->dy[0];
  }
}

static bench_model open_zwang(tree* t, const char* folder)
{
  char path[4096];
  snprintf(path, sizeof path, "%s/bench_tree_%ld.zw", folder, (long)getpid());
  FILE* out = fopen(path, "w");
  if (!out) exit(1);
  write_model(t, out);
  fclose(out);
  bench_model b = bench_read(path);
  unlink(path);
  t->e = contact_engine_new(b.system, b.notes);
  if (!t->e) exit(1);
  t->e->evaluations = 1000000;
  put_state(t, 0);
  // at the first state all feet press, and stick
  if (t->stands &&
      (contact_inequality_decide(t->e, false, NULL, NULL) || contact_closed(t->e) != FEET * LIMBS))
    exit(1);
  t->f = rate_flow_new(t->e, 1e-6, false);
  if (rate_flow_rebase(t->f)) exit(1);
  const size_t n = (size_t)t->f->ode.n;
  t->y = base_alloc(sizeof(double) * n * STATES);
  t->dy = base_alloc(sizeof(double) * n);
  for (int i = 0; i < STATES; i++) {
    put_state(t, i);
    rate_flow_store(t->f, 0, t->y + (size_t)i * n);
  }
  return b;
}

// ---- MuJoCo -------------------------------------------------------------------------------------

#ifdef BENCH_MUJOCO
static char* scene(const tree* t)
{
  static const char* const axis[] = {"1 0 0", "0 1 0", "0 0 1"};
  base_text x = {0};
  base_text_add(&x, "<mujoco><compiler angle='radian' boundmass='0' boundinertia='0'/><option "
                    "gravity='0 0 -9.81'>");
  if (t->stands)
    base_text_printf(&x,
                     "</option><default><geom friction='0.7 0 0' condim='%d'/></default>"
                     "<worldbody><geom type='plane' size='9 9 1'/>",
                     t->rough ? 3 : 1);
  else
    base_text_add(&x, "<flag contact='disable' constraint='disable'/></option><worldbody>");
  base_text_add(&x,
                "<body><freejoint/><inertial pos='0 0 0' mass='30' diaginertia='1.0 0.9 0.4'/>");
  for (int k = 0; k < LIMBS; k++) {
    for (int i = 0; i < t->joints; i++) {
      if (i)
        base_text_add(&x, "<body pos='0 0 -0.2'>");
      else
        base_text_printf(&x, "<body pos='%g %g -0.3'>", k % 2 ? -0.1 : 0.1, k / 2 ? -0.1 : 0.1);
      base_text_printf(&x,
                       "<joint type='hinge' axis='%s' damping='0.5' stiffness='20'/><inertial "
                       "pos='0 0 -0.1' mass='2' diaginertia='0.02 0.02 0.005'/>",
                       axis[i % 3]);
    }
    for (int i = 0; i < FEET && t->stands; i++)
      base_text_printf(&x, "<geom type='sphere' size='0.01' pos='%g 0.05 -0.19'/>",
                       i ? -0.04 : 0.04);
    for (int i = 0; i < t->joints; i++) base_text_add(&x, "</body>");
  }
  base_text_add(&x, "</body></worldbody></mujoco>");
  return base_text_take(&x);
}

static void open_mujoco(tree* t)
{
  static mjVFS files;
  char why[1000] = "", *text = scene(t);
  mj_defaultVFS(&files);
  const int size = (int)strlen(text) + 1;
  mj_makeEmptyFileVFS(&files, "tree.xml", size);
  memcpy(files.filedata[mj_findFileVFS(&files, "tree.xml")], text, (size_t)size);
  t->m = mj_loadXML("tree.xml", &files, why, sizeof why);
  mj_deleteVFS(&files);
  free(text);
  if (!t->m) {
    fprintf(stderr, "MuJoCo: %s\n", why);
    exit(1);
  }
  t->d = mj_makeData(t->m);
}

static void by_mujoco(void* context, int count)
{
  tree* t = context;
  for (int i = 0; i < count; i++) {
    memcpy(t->d->qpos + 7, t->angle[i % STATES], sizeof(double) * (size_t)(LIMBS * t->joints));
    mj_forward(t->m, t->d);
    t->sum += t->d->qacc[0];
  }
}

// the joints turn alike
static void same(tree* t)
{
  char name[20];
  for (int i = 0; i < STATES; i++) {
    put_state(t, i);
    if (contact_accelerations(t->e)) exit(1);
    memcpy(t->d->qpos + 7, t->angle[i], sizeof(double) * (size_t)(LIMBS * t->joints));
    mj_forward(t->m, t->d);
    for (int j = 0; j < LIMBS * t->joints; j++) {
      snprintf(name, sizeof name, "j%d", j);
      const double want = t->d->qacc[6 + j];
      bench_near("an acceleration", t->e->a[place_of(t, name)], want, 1e-8 * (100 + fabs(want)));
    }
  }
}
#endif

// ---- growth -------------------------------------------------------------------------------------

static double least_time(tree* t)
{
  double least = INFINITY;
  for (int i = 0; i < 200; i++) {
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    by_zwang(t, STATES);
    clock_gettime(CLOCK_MONOTONIC, &to);
    const double took =
        (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
    least = fmin(least, took / STATES);
  }
  return least;
}

// by chance; of one that stands as it does, and bent a little
static void put_angles(tree* t)
{
  for (int i = 0; i < STATES; i++)
    for (int j = 0; j < LIMBS * t->joints; j++) {
      const double chance = (double)rand() / RAND_MAX;
      t->angle[i][j] =
          !t->stands ? 0.6 * chance - 0.3 : bend(j % t->joints) + (i ? 1e-4 * chance : 0);
    }
}

static double compare(tree* t, const char* folder)
{
  char title[100];
  put_angles(t);
  bench_model b = open_zwang(t, folder);
  snprintf(title, sizeof title, "%d freedoms%s", freedoms(t),
           !t->stands ? ""
           : t->rough ? ", eight contacts with friction"
                      : ", eight contacts without friction");
#ifdef BENCH_MUJOCO
  open_mujoco(t);
  if (!t->stands) same(t);
  t->d->qpos[2] = t->stands ? height(t) - 1e-3 : 0;
  by_mujoco(t, STATES);
  if (t->d->ncon != (t->stands ? FEET * LIMBS : 0)) exit(1);
  bench_round(title, STATES, 201, 2,
              (bench_contestant[]){{"MuJoCo, mj_forward", by_mujoco, t, NULL},
                                   {"zwang, in a run", by_zwang, t, NULL}});
  mj_deleteData(t->d);
  mj_deleteModel(t->m);
#else
  bench_round(title, STATES, 201, 1, (bench_contestant[]){{"zwang, in a run", by_zwang, t, NULL}});
#endif
  const double least = least_time(t);
  if (!isfinite(t->sum)) exit(1);
  free(t->y);
  free(t->dy);
  engine_free(t->e);
  bench_forget(&b);
  return least;
}

int main(int argc, char** argv)
{
  if (argc != 2) return 1;
  static tree t;
  const int joints[] = {2, 6, 14, 30};
  double first = 0, before = 0;
  bench_begin("Rates of a tree of bodies");
  for (int i = 0; i < 4; i++) {
    t = (tree){.joints = joints[i]};
    const double least = compare(&t, argv[1]), size = freedoms(&t);
    const int others[] = {6 + LIMBS * joints[i ? i - 1 : 0], 6 + LIMBS * joints[0]};
    if (!i) first = least;
    if (i)
      bench_say("    exponent from %d to %d freedoms: %.2f\n", others[0], freedoms(&t),
                log(least / before) / log(size / others[0]));
    if (i == 3)
      bench_say("    exponent from %d to %d freedoms: %.2f\n", others[1], freedoms(&t),
                log(least / first) / log(size / others[1]));
    before = least;
  }
  for (int rough = 0; rough < 2; rough++)
    for (int i = 1; i < 3; i++) {
      t = (tree){.joints = joints[i], .stands = true, .rough = rough};
      compare(&t, argv[1]);
    }
  return 0;
}
