// Accelerations along the tree of masses against the matrix of the kinetic energy.
#include "bench.h"
#include "check.h"
#include "rate/rate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double between(double a, double b)
{
  return a + (b - a) * rand() / RAND_MAX;
}

// a state near the start, quaternions of norm one, which stays
static void wander(engine* e)
{
  engine_time(e, between(0, 1));
  for (int i = 0; i < e->n; i++) {
    e->q[i] += between(-0.5, 0.5);
    e->v[i] += between(-1, 1);
  }
  const model_tree* t = model_tree_make((model*)e->model);
  for (int i = 0; t && i < t->nodes; i++) {
    if (!t->node[i].by_quaternion) continue;
    double Q[4], norm = 0;
    for (int k = 0; k < 4; k++) Q[k] = between(-1, 1);
    for (int k = 0; k < 4; k++) norm += Q[k] * Q[k];
    double along = 0;
    for (int k = 0; k < 4; k++) {
      const int c = t->node[i].joint[k].coord;
      e->q[c] = Q[k] / sqrt(norm);
      along += e->q[c] * e->v[c];
    }
    for (int k = 0; k < 4; k++)
      e->v[t->node[i].joint[k].coord] -= along * e->q[t->node[i].joint[k].coord];
  }
}

static code_kernel* kernel_along(engine* e)
{
  base_kept_lock(e->s->kept);
  const rate_rows p = rate_shared_problem(e, false)->rows;
  base_kept_unlock(e->s->kept);
  code_tree tree;
  if (!engine_tree_take(e, &tree)) return NULL;
  const code_linear problem = {.n = e->n,
                               .rows = e->mode.rows,
                               .tree = &tree,
                               .F = engine_tree_forces(e, p.F),
                               .A = p.A,
                               .b = p.b,
                               .tolerance = 1e-8,
                               .multipliers = true};
  code_kernel* k =
      code_build_solve(e->s->pool, &problem, e->program->inputs, e->program->input, NULL);
  engine_tree_leave(&tree);
  return k;
}

// Without what is along a quaternion itself: the force that keeps its norm is nobody's, and weights
// have a part in it by the way they are written down.
static void forget_norms(engine* e, double* left)
{
  const model_tree* t = model_tree_make((model*)e->model);
  for (int i = 0; t && i < t->nodes; i++) {
    if (!t->node[i].by_quaternion) continue;
    double along = 0, square = 0;
    for (int k = 0; k < 4; k++) {
      const int c = t->node[i].joint[k].coord;
      along += left[c] * e->q[c];
      square += e->q[c] * e->q[c];
    }
    for (int k = 0; k < 4; k++) {
      const int c = t->node[i].joint[k].coord;
      left[c] -= along / square * e->q[c];
    }
  }
}

// what is left of M a = F + A^T lambda and A a = c, against the largest terms
static double left_over(engine* e, const double* a, const double* lambda)
{
  double worst = 0;
  const int n = e->n;
  engine_equations(e);
  double *left_of = base_alloc(sizeof(double) * 2 * (size_t)(n + 1)), *size_of = left_of + n;
  for (int i = 0; i < n; i++) {
    double left = -e->F[i], size = fabs(e->F[i]) + 1e-3;
    for (int j = 0; j < n; j++) {
      left += e->M[i * n + j] * a[j];
      size = fmax(size, fabs(e->M[i * n + j] * a[j]));
    }
    for (int r = 0; r < e->mode.rows; r++) left -= e->A[e->mode.row[r] * n + i] * lambda[r];
    left_of[i] = left;
    size_of[i] = size;
  }
  forget_norms(e, left_of);
  for (int i = 0; i < n; i++) worst = fmax(worst, fabs(left_of[i]) / size_of[i]);
  free(left_of);
  for (int r = 0; r < e->mode.rows; r++) {
    const int row = e->mode.row[r];
    double left = -e->c[row], size = fabs(e->c[row]) + 1e-3;
    for (int j = 0; j < n; j++) {
      left += e->A[row * n + j] * a[j];
      size = fmax(size, fabs(e->A[row * n + j] * a[j]));
    }
    worst = fmax(worst, fabs(left) / size);
  }
  return worst;
}

// is there a tree, and does it solve the equations at states near the start?
static bool holds(const char* name, const bench* b)
{
  engine* e = b->system ? contact_engine_new(b->system, b->notes) : NULL;
  if (!e) return false;
  const bool started = walk_start(e, 0, b->model->initials, b->model->initial, b->notes, NULL);
  code_kernel* k = started && !e->sparse ? kernel_along(e) : NULL;
  int safe = 0;
  if (k) {
    double* out = base_alloc(sizeof *out * (size_t)(code_outputs(k) + 1));
    double* scratch = base_alloc(sizeof *scratch * (code_scratch(k) + 1));
    for (int turn = 0; turn < 5; turn++) {
      if (turn) wander(e);
      code_run(k, e->in, out, scratch);
      if (!(out[e->n + e->mode.rows] > 0)) continue;
      safe++;
      const double left = left_over(e, out, out + e->n);
      if (!(left < 1e-9)) check_fail(__FILE__, __LINE__, "%s: %g is left", name, left);
    }
    free(out);
    free(scratch);
  }
  code_free(k);
  engine_free(e);
  return safe > 0;
}

static bool gallery_holds(const char* name)
{
  bench b = bench_file(name);
  const bool tree = holds(name, &b);
  bench_free(&b);
  return tree;
}

static bool system_holds(const char* name)
{
  bench b = bench_system(name);
  const bool tree = holds(name, &b);
  bench_free(&b);
  return tree;
}

TEST(trees_of_the_gallery_solve_its_equations)
{
  CHECK(bench_gallery(gallery_holds) >= 30);
  CHECK(bench_systems(system_holds) >= 5);
}

// ---- random trees -------------------------------------------------------------------------------

// a body on frame i, of one of many kinds
static void put_body(base_text* out, int i)
{
  switch (rand() % 6) {
  case 0:
    base_text_printf(out, "particle P%d = (0.1, 0.2, -0.3) in F%d mass 0.7\n", i, i);
    break;
  case 1:
    base_text_printf(out, "rod R%d mass 0.5 from (0, 0, 0) to (0.2, 0.3, -0.4) in F%d\n", i, i);
    break;
  case 2: // of revolution about z
    base_text_printf(out, "body B%d mass 2 inertia (0.02, 0.02, 0.005) at (0, 0, -0.1) in F%d\n", i,
                     i);
    break;
  case 3:
    base_text_printf(out, "ball S%d mass 0.9 radius 0.2 at (0, 0, 0) in F%d\n", i, i);
    break;
  case 4:
    base_text_printf(out, "coord d%d\nparticle M%d = (d%d, 0.1, 0) in F%d mass 0.4\n", i, i, i, i);
    break;
  default:
    base_text_printf(out,
                     "body B%d mass 1.5 inertia (0.02, 0.03, 0.01, 0.001, 0.002, -0.001) "
                     "at (0.1, 0, 0.1) in F%d\n",
                     i, i);
  }
}

static void put_turn(base_text* out, int i)
{
  switch (rand() % 8) {
  case 7: // driven, about an axis that turns
    base_text_printf(out, " rotated y(3*t + 0.2*t^2) x(a%d + sin(t))", i);
    break;
  case 0:
    base_text_printf(out, " rotated x(a%d)", i);
    break;
  case 1:
    base_text_printf(out, " rotated y(a%d)", i);
    break;
  case 2:
    base_text_printf(out, " rotated x(0.3) z(a%d)", i);
    break;
  case 3:
    base_text_printf(out, " rotated z(a%d) x(b%d) z(c%d)", i, i, i);
    break;
  case 4:
    base_text_printf(out, " rotated by Q%d", i);
    break;
  default:
    base_text_printf(out, " rotated z(a%d)", i);
  }
}

// on one of those before, the last of them where the tree is to be deep
static void put_frame(base_text* out, int i, bool deep)
{
  base_text turn = {0}, parent = {0};
  const int of = deep && rand() % 8 ? i - 1 : rand() % i;
  if (of) base_text_printf(&parent, "F%d", of);
  put_turn(&turn, i);
  if (strstr(turn.at, "by Q")) base_text_printf(out, "orientation Q%d\n", i);
  if (strstr(turn.at, "(a")) base_text_printf(out, "coord a%d\n", i);
  if (strstr(turn.at, "(b")) base_text_printf(out, "coord b%d, c%d\n", i, i);
  const int where = rand() % 6;
  if (where == 1) base_text_printf(out, "coord x%d, y%d\n", i, i);
  if (where == 3) base_text_printf(out, "coord x%d\n", i);
  base_text_printf(out, "frame F%d = %s", i, of ? parent.at : "world");
  if (where == 1) base_text_printf(out, " at (x%d, 0.2, y%d)", i, i);
  if (where == 2) base_text_printf(out, " at (0.3*sin(2*t), %.3f, t^2)", between(-1, 1));
  if (where == 3) base_text_printf(out, " at (0.3, %.3f*x%d, x%d^2 + t)", between(-1, 1), i, i);
  if (where > 3) base_text_printf(out, " at (0.3, %.3f, -0.2)", between(-1, 1));
  base_text_printf(out, "%s\n", turn.at);
  base_text_free(&turn);
  base_text_free(&parent);
}

static bool random_holds(int seed)
{
  base_text text = {0};
  srand((unsigned)seed);
  const int frames = 2 + rand() % 5;
  base_text_printf(&text, "gravity (0, 1 + sin(3*t), -9.81)\n");
  for (int i = 1; i <= frames; i++) {
    put_frame(&text, i, false);
    put_body(&text, i);
    base_text_printf(
        &text, "body C%d mass 0.3 inertia (0.01, 0.02, 0.03) at (0.1, 0.2, 0.3) in F%d\n", i, i);
  }
  if (seed % 4 == 0) base_text_printf(&text, "potential 3*(pos(C%d).x - pos(C1).z)^2\n", frames);
  if (seed % 5 == 0) base_text_printf(&text, "force (1, -2, 3) in world at C%d\n", frames);
  if (seed % 7 == 0) // which is no rigid body
    base_text_printf(&text, "particle melts = (0.4, 0, 0) in F1 mass 2 - sin(t)\n");
  if (seed % 3 == 0)
    base_text_printf(&text, "constraint bar: (pos(C%d).x - 1)^2 + pos(C1).y^2 = 2\n", frames);
  base_text_printf(&text, "run 0 .. 1\n");
  bench b = bench_text(text.at);
  CHECK(b.system);
  char name[20];
  snprintf(name, sizeof name, "tree %d", seed);
  const bool tree = b.system && holds(name, &b);
  bench_free(&b);
  base_text_free(&text);
  return tree;
}

TEST(random_trees_solve_their_equations)
{
  int count = 0;
  for (int seed = 1; seed <= 60; seed++) count += random_holds(seed);
  CHECK(count >= 40);
  printf("# %d of 60 are trees\n", count);
}

// ---- random machines ----------------------------------------------------------------------------

// a joint of body i on one of those before; every second axis is oblique
static void put_joint(base_text* out, int kind, int i)
{
  static const char* const kinds[] = {"weld",        "hinge",     "slider",    "screw",
                                      "cylindrical", "universal", "spherical", "planar"};
  static const char* const axes[] = {"x", "y", "-z", "(1, 1, 0)", "(0.6, 0, 0.8)", "(1, 2, -2)"};
  const char *own = axes[rand() % 6], *other = rand() % 2 ? own : axes[rand() % 6];
  // those of a universal joint cross at right angles
  if (kind == 5) own = "(0.6, 0, 0.8)";
  if (kind == 5) other = rand() % 2 ? "y" : "(0.8, 0, -0.6)";
  base_text_printf(out, "body B%d mass %.3f inertia (0.02, 0.03, 0.01) at (0.1, %.3f, -0.2)\n", i,
                   between(0.2, 2), between(-1, 1));
  base_text_printf(out, "joint J%d: %s B%d at (0, 0.1, 0.2) axis %s on ", i, kinds[kind], i, own);
  if (i == 1)
    base_text_printf(out, "world axis %s", other);
  else
    base_text_printf(out, "B%d at (0.2, 0, -0.3) axis %s", 1 + rand() % (i - 1), other);
  base_text_printf(out, kind == 3 ? " pitch 0.3\n" : "\n");
}

static bool machine_holds(int seed)
{
  base_text text = {0};
  srand((unsigned)seed);
  base_text_printf(&text, "gravity (0, 1, -9.81)\n");
  const int bodies = 2 + rand() % 7;
  for (int i = 1; i <= bodies; i++) put_joint(&text, i > 1 ? rand() % 8 : 1 + seed % 7, i);
  base_text_printf(&text, "run 0 .. 1\n");
  bench b = bench_text(text.at);
  char name[30];
  snprintf(name, sizeof name, "machine %d", seed);
  const bool tree = b.system && holds(name, &b);
  if (!tree) check_fail(__FILE__, __LINE__, "no tree:\n%s", text.at);
  bench_free(&b);
  base_text_free(&text);
  return tree;
}

// whatever the joints are, and wherever their axes point
TEST(random_machines_are_trees_that_solve_their_equations)
{
  for (int seed = 1; seed <= 120; seed++) CHECK(machine_holds(seed));
}

// ---- masses by numbers --------------------------------------------------------------------------

// the largest difference between M along the joints and M as it is written, against its entries
static double apart(engine* e)
{
  const int n = e->n;
  double worst = 0;
  base_kept_lock(e->s->kept);
  const code_kernel* k = engine_full_equations(e->program);
  base_kept_unlock(e->s->kept);
  double* out = base_alloc(sizeof *out * (size_t)(code_outputs(k) + 1));
  double* scratch = base_alloc(sizeof *scratch * (code_scratch(k) + 1));
  code_run(k, e->in, out, scratch);
  engine_equations(e);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      worst = fmax(worst, fabs(e->M[i * n + j] - out[i * n + j]) /
                              sqrt(1e-30 + out[i * n + i] * out[j * n + j]));
  for (int i = 0; i < n; i++)
    worst = fmax(worst, fabs(e->F[i] - out[n * n + i]) / (1 + fabs(e->F[i])));
  free(out);
  free(scratch);
  return worst;
}

// legs of so many joints on a body that floats, each with what hangs at its side
static bench deep_tree(int seed, int joints)
{
  enum { legs = 3 };
  base_text text = {0};
  srand((unsigned)seed);
  base_text_printf(&text, "gravity (0, 1, -9.81)\ncoord x, y, z\norientation Q\n"
                          "frame F0 = world at (x, y, z) rotated by Q\n"
                          "body trunk mass 3 inertia (1, 0.9, 0.4) at (0, 0, 0.1) in F0\n");
  for (int i = 1; i <= legs * joints; i++) {
    const int of = i % joints == 1 ? 0 : i - 1;
    if (rand() % 9)
      base_text_printf(&text, "coord a%d\nframe F%d = F%d at (0.3, %.3f, -0.2) rotated %c(a%d)\n",
                       i, i, of, between(-1, 1), 'x' + rand() % 3, i);
    else
      base_text_printf(&text, "coord a%d\nframe F%d = F%d at (0.2, a%d, 0.1)\n", i, i, of, i);
    base_text_printf(
        &text,
        "body C%d mass %.3f inertia (0.01, 0.02, 0.03, 0.001, 0.002, 0) at (0.1, 0, 0.3) in F%d\n",
        i, between(0.2, 2), i);
  }
  base_text_printf(&text, "run 0 .. 1\n");
  const bench b = bench_text(text.at);
  base_text_free(&text);
  return b;
}

TEST(deep_trees_have_by_numbers_the_masses_that_would_be_written)
{
  // of more than sixty coordinates and of fewer
  static const int joints[] = {20, 20, 20, 12, 6, 4};
  for (int seed = 0; seed < (int)(sizeof joints / sizeof *joints); seed++) {
    bench b = deep_tree(seed, joints[seed]);
    CHECK(b.system);
    engine* e = b.system ? contact_engine_new(b.system, b.notes) : NULL;
    CHECK(e && b.system->hung && !b.system->M);
    for (int turn = 0; e && turn < 3; turn++) {
      wander(e);
      CHECK_NEAR(apart(e), 0, 1e-12);
    }
    if (e) engine_free(e);
    bench_free(&b);
  }
}

// a chain of parallel axes: longer than a sum that is kept in one piece
TEST(chains_of_any_length_are_trees)
{
  base_text text = {0};
  base_text_printf(&text, "gravity (0, -9.81, 0)\nfor i in 1..300 { coord q[i] }\n"
                          "frame F1 = world rotated z(q[1])\nrod R1 mass 1 from (0, 0, 0) to "
                          "(0.1, 0, 0) in F1\n");
  for (int i = 2; i <= 300; i++)
    base_text_printf(
        &text,
        "frame F%d = F%d at (0.1, 0, 0) rotated z(q[%d])\nrod R%d mass 1 from (0, 0, 0) "
        "to (0.1, 0, 0) in F%d\n",
        i, i - 1, i, i, i);
  base_text_printf(&text, "run 0 .. 1\n");
  bench b = bench_text(text.at);
  CHECK(b.system && b.system->hung && b.system->hung->nodes == 300);
  for (int i = 0; b.system && b.system->hung && i < 300; i++)
    CHECK(b.system->hung->node[i].joints == 1 && b.system->hung->node[i].joint[0].coord == i);
  bench_free(&b);
  base_text_free(&text);
}

// legs with a quaternion each, on one trunk or on a body of their own
static bool hangs(int legs, bool together)
{
  base_text text = {0};
  base_text_printf(&text, "body T1 mass 9 inertia (1, 2, 3)\njoint F1: free T1 on world\n");
  for (int i = 1; i <= legs; i++) {
    const int on = together ? 1 : i;
    if (on > 1)
      base_text_printf(&text, "body T%d mass 9 inertia (1, 2, 3)\njoint F%d: free T%d on world\n",
                       i, i, i);
    base_text_printf(&text,
                     "rod A%d mass 1 from (0, 0, 0) to (0.1, 0, -1)\n"
                     "joint H%d: spherical A%d on T%d at (1, %d, 0)\n"
                     "rod B%d mass 1 from (0, 0, 0) to (0, 0, -1)\n"
                     "joint K%d: hinge B%d axis y on A%d at (0, 0, -1) axis y\n",
                     i, i, i, on, i, i, i, i, i);
  }
  base_text_printf(&text, "run 0 .. 1\n");
  bench b = bench_text(text.at);
  CHECK(b.system);
  const bool hung = b.system && b.system->hung;
  bench_free(&b);
  base_text_free(&text);
  return hung;
}

// however it branches: M alone is singular where quaternions are
TEST(one_machine_with_quaternions_hangs_and_many_small_ones_do_not)
{
  CHECK(hangs(30, true));
  CHECK(!hangs(30, false));
}
