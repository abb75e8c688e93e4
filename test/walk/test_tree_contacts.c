// Rough contacts on bodies of a tree: motions along the tree against the matrix of masses.
#include "bench.h"
#include "check.h"
#include "contact/contact.h"
#include "rate/rate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// a trunk on two legs of six joints, each with a foot of four points
static void write_walker(base_text* out, bool rough)
{
  base_text_printf(out, "model \"walker\"\ncoord px, py, pz\norientation Q\n"
                        "frame base = world at (px, py, pz) rotated by Q\n"
                        "body trunk mass 20 inertia (1.0, 0.9, 0.4) at (0, 0, 0) in base\n"
                        "gravity (0, 0, -9.81)\ninitial pz = 1.55\n");
  for (int leg = 0; leg < 2; leg++)
    for (int j = 0; j < 6; j++) {
      const int i = 6 * leg + j;
      base_text_printf(out, "coord j%d\ninitial j%d = %g\nforce j%d = -0.5*j%d' - 20*j%d\n", i, i,
                       leg ? 0.12 : 0.1, i, i, i);
      if (j == 0)
        base_text_printf(out, "frame L%d = base at (%g, 0, -0.3) rotated x(j%d)\n", i,
                         leg ? -0.1 : 0.1, i);
      else
        base_text_printf(out, "frame L%d = L%d at (0, 0, -0.2) rotated %c(j%d)\n", i, i - 1,
                         "xyz"[j % 3], i);
      base_text_printf(out, "body B%d mass 2 inertia (0.02, 0.02, 0.005) at (0, 0, -0.1) in L%d\n",
                       i, i);
    }
  for (int c = 0; c < 8; c++)
    base_text_printf(out,
                     "point c%d = (%g, %g, -0.2) in L%d\n"
                     "constraint floor%d: pos(c%d).z >= 0%s\n",
                     c, c & 2 ? -0.1 : 0.1, c & 4 ? -0.05 : 0.05, c & 1 ? 11 : 5, c, c,
                     rough ? " with friction 0.7" : "");
  base_text_printf(out, "run 0 .. 0.5\n");
}

static bench walker(bool rough)
{
  base_text text = {0};
  write_walker(&text, rough);
  const bench b = bench_text(text.at);
  base_text_free(&text);
  return b;
}

// what is left of M x = f but for a force along the gradients of norms, over the largest term
static double left_of(const engine* e, const double* x, const double* f)
{
  const int n = e->n;
  double* left = base_alloc(sizeof *left * (size_t)(n + 1));
  double worst = 0, size = 0;
  for (int i = 0; i < n; i++) {
    left[i] = -f[i];
    for (int j = 0; j < n; j++) {
      left[i] += e->M[i * n + j] * x[j];
      size = fmax(size, fabs(e->M[i * n + j] * x[j]));
    }
  }
  for (int k = 0; k < e->m; k++) {
    if (!engine_tree_keeps(e, k)) continue;
    const double* g = e->A + k * n;
    double along = 0, square = 0;
    for (int i = 0; i < n; i++) {
      along += g[i] * left[i];
      square += g[i] * g[i];
    }
    for (int i = 0; i < n; i++) left[i] -= g[i] * along / square;
  }
  for (int i = 0; i < n; i++) worst = fmax(worst, fabs(left[i]));
  free(left);
  return worst / size;
}

TEST(what_rows_add_to_the_motion_along_a_tree_is_what_the_masses_give)
{
  bench b = walker(true);
  engine* e = contact_engine_new(b.system, b.notes);
  CHECK(e && walk_start(e, 0, b.model->initials, b.model->initial, b.notes, NULL));
  CHECK(e && engine_tree_pays(e));
  engine_tree_motion with, without;
  for (int i = 0; i < e->n; i++) e->v[i] = sin(1.3 * i + 0.4);
  contact_slip_still(e);
  CHECK(engine_tree_move(e, false, &without) && engine_tree_move(e, true, &with));
  engine_equations(e);
  CHECK(left_of(e, with.a0, e->F) < 1e-11);
  for (int i = 0; i < e->n; i++)
    CHECK(fabs(with.a0[i] - without.a0[i]) <= 1e-10 * (1 + fabs(with.a0[i])));
  for (int k = 0; k < e->m; k++)
    if (!engine_tree_keeps(e, k)) CHECK(left_of(e, with.W + k * e->n, e->A + k * e->n) < 1e-11);
  engine_free(e);
  bench_free(&b);
}

// At a state that a step tries: first by M, until the tree has paid for itself, which leaves M as
// it was.
TEST(rows_without_friction_hold_along_a_tree_as_by_the_masses)
{
  bench b = walker(false);
  engine* e = contact_engine_new(b.system, b.notes);
  CHECK(e && walk_start(e, 0, b.model->initials, b.model->initial, b.notes, NULL));
  const size_t bytes = sizeof(double) * (size_t)e->n;
  double* a = base_alloc(bytes + 1);
  int along = 0;
  for (int i = 0; i < e->unilateral->count; i++) e->mode.active[e->unilateral->of[i]] = i < 4;
  engine_rows(e);
  for (int i = 0; i < e->n; i++) {
    e->q[i] += i < 3 || i > 6 ? 0.3 * sin(2.1 * i) : 0;
    e->v[i] = 0.3 * cos(1.7 * i);
  }
  e->trial = true;
  for (int i = 0; i < 10000 && !along; i++) {
    engine_velocity_rows(e);
    CHECK(e->rank == e->mode.rows && e->margin > 0.01);
    e->M[0] = NAN;
    CHECK(contact_accelerations(e) == 0);
    along = isnan(e->M[0]) ? i : 0;
    if (!along) memcpy(a, e->a, bytes);
  }
  CHECK(along > 100);
  for (int i = 0; i < e->n; i++) CHECK(fabs(a[i] - e->a[i]) <= 1e-10 * (1 + fabs(a[i])));
  // who asks for reactions has the masses
  e->trial = false;
  CHECK(contact_accelerations(e) == 0 && !isnan(e->M[0]));
  free(a);
  engine_free(e);
  bench_free(&b);
}

// the same motion with M, in which the contacts of both feet slip and stick
TEST(contacts_along_a_tree_move_as_by_the_matrix_of_masses)
{
  bench b = walker(true);
  engine* e = contact_engine_new(b.system, b.notes);
  CHECK(e && walk_start(e, 0, b.model->initials, b.model->initial, b.notes, NULL));
  CHECK(e && e->unilateral->tree);
  contact_inequalities* u = e->unilateral;
  struct contact_tree* tree = u->tree;
  double* a = base_alloc(sizeof *a * (size_t)(e->n + e->m + 1));
  for (int trial = 0; trial < 6; trial++) {
    for (int i = 0; i < e->n; i++) {
      e->q[i] += i < 3 || i > 6 ? 0.05 * sin(2.1 * i + trial) : 0;
      e->v[i] = 0.3 * cos(1.7 * i + trial);
    }
    for (int i = 0; i < u->count; i++) {
      // one slips on each foot, another sticks
      const bool closed = i < 4, sticks = (i < 2) == (trial % 2);
      e->mode.active[u->of[i]] = closed;
      u->mode[i] = !closed ? CONE_CONTACT_OPEN : sticks ? CONE_CONTACT_STICK : CONE_CONTACT_SLIP;
      for (int k = 0; k < 2; k++)
        e->mode.active[contact_inequality_constraint(e, i)->stick[k]] = closed && sticks;
    }
    engine_rows(e);
    u->tree = tree;
    CHECK(contact_slip_accelerations(e) == 0);
    memcpy(a, e->a, sizeof *a * (size_t)e->n);
    memcpy(a + e->n, e->lambda, sizeof *a * (size_t)e->m);
    u->tree = NULL;
    CHECK(contact_slip_accelerations(e) == 0);
    for (int i = 0; i < e->n; i++) CHECK(fabs(a[i] - e->a[i]) <= 1e-8 * (1 + fabs(e->a[i])));
    for (int k = 0; k < e->m; k++)
      CHECK(fabs(a[e->n + k] - e->lambda[k]) <= 1e-8 * (100 + fabs(e->lambda[k])));
  }
  u->tree = tree;
  free(a);
  engine_free(e);
  bench_free(&b);
}

TEST(a_walker_that_falls_comes_to_the_end_of_its_run)
{
  bench b = walker(true);
  walk_options o = walk_options_default();
  o.points = 2;
  walk_track* t = walk_run(b.system, &o, b.notes);
  CHECK(t && t->status == WALK_DONE);
  walk_track_free(t);
  // asked for events there is a reason where they end
  o.contacts = WALK_CONTACTS_EVENTS;
  t = walk_run(b.system, &o, b.notes);
  CHECK(t && (t->status == WALK_DONE || *t->reason));
  CHECK(t && strcmp(t->method, "moreau") != 0);
  walk_track_free(t);
  bench_free(&b);
}
