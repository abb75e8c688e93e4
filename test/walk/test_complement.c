// Velocities of the states that a step tries, by what was found where quasi-velocities were chosen,
// against those by a basis of the admissible directions at each state.
#include "bench.h"
#include "check.h"
#include "rate/rate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most = 80, states = 100 };

// a flow by quasi-velocities at the start of the model; no kernels are made
static rate_flow* flow_of(const bench* b)
{
  engine* e = contact_engine_new(b->system, b->notes);
  if (!e) return NULL;
  const bool started = walk_start(e, 0, b->model->initials, b->model->initial, b->notes, NULL);
  engine_time(e, 0);
  rate_flow* f = rate_flow_new(e, 1e-10, false);
  if (started && !contact_sides(e) && !rate_flow_rebase(f)) return f;
  engine_free(e);
  return NULL;
}

static double largest(int n, const double* x)
{
  double size = 0;
  for (int i = 0; i < n; i++) size = fmax(size, fabs(x[i]));
  return size;
}

// so far away from where the choice was made; how often nothing had to be factored
static int compare(rate_flow* f, double far)
{
  engine* e = f->e;
  const int n = e->n;
  double start[most], y[most], dy[most];
  int used = 0;
  rate_flow_store(f, 0, start);
  for (int turn = 0; turn < states; turn++) {
    for (int i = 0; i < f->ode.n; i++)
      y[i] = start[i] + (i < f->ode.n - 1 ? far * (2.0 * rand() / RAND_MAX - 1) : 0);
    CHECK(!f->ode.rhs(f, 0, y, dy));
    used += e->bound;
    CHECK(!rate_flow_load(f, 0, y));
    CHECK(!e->bound);
    for (int i = 0; i < n; i++) CHECK_NEAR(dy[i], e->v[i], 1e-13 * (1 + largest(n, e->v)));
  }
  return used;
}

static void check(const char* name, double far, bool all)
{
  bench b = bench_file(name);
  rate_flow* f = b.system ? flow_of(&b) : NULL;
  CHECK(f && f->reduced && f->ode.n <= most);
  if (f && f->reduced && f->ode.n <= most) {
    srand(5);
    const int used = compare(f, far);
    CHECK(used > 0 && (used == states) == all);
  }
  if (f) engine_free(f->e);
  bench_free(&b);
}

TEST(velocities_follow_from_the_choice_of_quasi_velocities)
{
  const char* names[] = {"skater_benchmark", "rolling_disc", "chaplygin_sleigh", "chaplygin_ball"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) check(names[i], 0.01, true);
}

// the blade turns by more than a right angle within some of these
TEST(far_from_where_quasi_velocities_were_chosen_a_basis_is_found)
{
  check("skater_benchmark", 4, false);
}
