// Rates of trees of bodies beside MuJoCo's forward dynamics: a trunk that is free, four limbs of
// hinges with springs and dampers; 14, 30, 62 and 126 freedoms.
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

enum { LIMBS = 4, STATES = 16 };

typedef struct tree
{
  int joints; // a limb
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
  t->f = rate_flow_new(t->e, 1e-6, false);
  t->e->evaluations = 1000000;
  put_state(t, 0);
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
                    "gravity='0 0 -9.81'><flag contact='disable' constraint='disable'/></option>"
                    "<worldbody><body><freejoint/><inertial pos='0 0 0' mass='30' "
                    "diaginertia='1.0 0.9 0.4'/>");
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

static double compare(tree* t, const char* folder)
{
  char title[100];
  for (int i = 0; i < STATES; i++)
    for (int j = 0; j < LIMBS * t->joints; j++) t->angle[i][j] = 0.6 * rand() / RAND_MAX - 0.3;
  bench_model b = open_zwang(t, folder);
  snprintf(title, sizeof title, "%d freedoms", freedoms(t));
#ifdef BENCH_MUJOCO
  open_mujoco(t);
  same(t);
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
  double before = 0;
  bench_begin("Rates of a tree of bodies");
  for (int i = 0; i < 4; i++) {
    t = (tree){.joints = joints[i]};
    const double least = compare(&t, argv[1]);
    if (i)
      bench_say("    exponent from %d to %d freedoms: %.2f\n", 6 + LIMBS * joints[i - 1],
                freedoms(&t),
                log(least / before) / log((double)freedoms(&t) / (6 + LIMBS * joints[i - 1])));
    before = least;
  }
  return 0;
}
