// The stages of a step written out as one kernel give the bits of stages made one by one.
#include "check.h"
#include "sweep/stages.h"

#include <math.h>
#include <stdlib.h>

enum { width = 8, most = 2 * width, inputs = 4, outputs = 5, watched = 4 };

// x' = v, v' = sin(x) (c - x^2) - v/10 with c of each run; carried along -v^2/10, watched v + 1
typedef struct problem
{
  code_kernel *rates, *stages;
  double* scratch;
  step_lanes_problem p;
} problem;

static void rates(void* context, const double* in, double* out)
{
  const problem* x = context;
  code_run_lanes(x->rates, width, in, out, x->scratch);
}

static void stages(void* context, const double* in, double* out)
{
  const problem* x = context;
  code_run_lanes(x->stages, width, in, out, x->scratch);
}

static void pair(void* context, const double* in, double* out)
{
  const problem* x = context;
  code_run_pair(x->stages, width, in, out, x->scratch);
}

static const int row[] = {2, 0};

static void open(problem* x, int watches)
{
  expr_pool* pool = expr_pool_new(0);
  const expr t = expr_symbol(pool, "t"), q = expr_symbol(pool, "q"), v = expr_symbol(pool, "v"),
             c = expr_symbol(pool, "c"), tenth = expr_ratio(pool, 1, 10);
  const expr drag = expr_mul(pool, tenth, v);
  const expr force = expr_sub(
      pool, expr_mul(pool, expr_fn1(pool, EXPR_SIN, q), expr_sub(pool, c, expr_mul(pool, q, q))),
      drag);
  const expr out[outputs] = {force, expr_int(pool, 1), v, expr_neg(pool, expr_mul(pool, drag, v)),
                             expr_add(pool, v, expr_int(pool, 1))};
  expr missing = EXPR_NONE;
  x->rates = code_build(pool, outputs, out, inputs, (expr[]){t, q, v, c}, &missing);
  expr_pool_free(pool);
  x->p = (step_lanes_problem){.n = 2,
                              .places = 1,
                              .width = width,
                              .inputs = inputs,
                              .outputs = outputs,
                              .row = row,
                              .guard = 1,
                              .along = 3,
                              .watch = watched,
                              .watches = watches,
                              .rel_tol = 1e-9,
                              .rates = rates};
  x->stages = sweep_stages_new(&x->rates, &x->p);
  code_native(x->stages, width);
  CHECK(x->stages != NULL);
  const size_t one = code_scratch_lanes(x->rates, width),
               all = x->stages ? code_scratch_lanes(x->stages, most) : 0;
  x->scratch = base_alloc(sizeof(double) * (one > all ? one : all));
}

static void close(problem* x)
{
  code_free(x->rates);
  code_free(x->stages);
  free(x->scratch);
}

typedef struct end
{
  step_lanes_state state;
  double t, y[2], sum;
  int64_t steps;
} end;

// Every lane from a start of its own until it has ended or left; those from `first` on. Lanes of a
// second block go on until the last of them while the first is idle.
static void run(problem* x, bool at_once, bool both, int first, end* ends)
{
  x->p.stages = at_once ? stages : NULL;
  x->p.pair = both ? pair : NULL;
  const int lanes = step_lanes_abreast(&x->p);
  CHECK_INT(lanes, both ? most : width);
  step_lanes* s = step_lanes_new(&x->p, x);
  for (int l = 0; l < lanes; l++) {
    const int i = first + l;
    const double y[] = {0.1 + 0.2 * i, 0.3 * i}, c = 1 + 0.1 * i;
    step_lanes_put(s, l,
                   &(step_lanes_run){.t_end = 5 + i, .longest = INFINITY, .y = y, .rest = &c});
    ends[i].state = STEP_LANES_RUNNING;
  }
  for (int left = lanes; left;) {
    const uint32_t news = step_lanes_step(s);
    if (!news) continue;
    int with = -1;
    for (int l = 0; l < lanes; l++) {
      const step_lanes_state state = step_lanes_look(s, l);
      if (state == STEP_LANES_RUNNING) with = l;
      CHECK(!(news >> l & 1) == (state == STEP_LANES_RUNNING || state == STEP_LANES_IDLE));
      if (!(news >> l & 1)) continue;
      end* e = &ends[first + l];
      e->state = state;
      e->t = step_lanes_get(s, l, e->y, &e->steps);
      e->sum = step_lanes_sum(s, l);
      left--;
    }
    for (int l = 0; l < lanes && left; l++)
      if (news >> l & 1) step_lanes_idle(s, l, with);
  }
  step_lanes_free(s);
}

static void check_same(const end* a, const end* b)
{
  CHECK(a->state == b->state && a->steps == b->steps && a->steps > 5);
  CHECK_NEAR(a->t, b->t, 0);
  CHECK_NEAR(a->y[0], b->y[0], 0);
  CHECK_NEAR(a->y[1], b->y[1], 0);
  CHECK_NEAR(a->sum, b->sum, 0);
}

static int compare(int watches)
{
  problem x;
  open(&x, watches);
  end one_by_one[most], at_once[most], in_pairs[most];
  for (int first = 0; first < most; first += width) {
    run(&x, false, false, first, one_by_one);
    run(&x, true, false, first, at_once);
  }
  // as code for both blocks, and without it
  run(&x, true, true, 0, in_pairs);
  for (int l = 0; l < most; l++) check_same(&one_by_one[l], &in_pairs[l]);
  CHECK(code_native_pair(x.stages, width) || !code_native(x.stages, width));
  run(&x, true, true, 0, in_pairs);
  int gone = 0;
  for (int l = 0; l < most; l++) {
    check_same(&one_by_one[l], &at_once[l]);
    check_same(&one_by_one[l], &in_pairs[l]);
    // where energy is lost, the sum is what was lost
    CHECK(one_by_one[l].sum < 0);
    gone += one_by_one[l].state == STEP_LANES_LEFT;
  }
  close(&x);
  return gone;
}

TEST(stages_at_once_are_the_stages_one_by_one)
{
  CHECK(compare(0) == 0);
}

TEST(what_is_watched_is_seen_at_the_stages_of_both)
{
  const int gone = compare(1);
  CHECK(gone > 0 && gone < most);
}

TEST(long_rates_are_called_stage_by_stage)
{
  expr_pool* pool = expr_pool_new(0);
  const expr in[] = {expr_symbol(pool, "t"), expr_symbol(pool, "q"), expr_symbol(pool, "v")};
  expr sum = in[1];
  for (int i = 1; i < 500; i++)
    sum = expr_add(pool, sum, expr_fn1(pool, EXPR_SIN, expr_mul(pool, expr_int(pool, i), in[1])));
  expr missing;
  code_kernel* k = code_build(pool, 3, (expr[]){sum, expr_int(pool, 1), in[2]}, 3, in, &missing);
  const step_lanes_problem p = {.n = 2,
                                .places = 1,
                                .width = width,
                                .inputs = 3,
                                .outputs = 3,
                                .row = row,
                                .guard = 1,
                                .along = -1};
  CHECK(!sweep_stages_new(&k, &p));
  code_free(k);
  expr_pool_free(pool);
}
