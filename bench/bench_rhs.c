// One right-hand side by the tape beside hand-written C.
// bench_rhs SKATER PENDULUM (model files)
#include "bench.h"
#include "pendulum_hand.h"
#include "rate/rate.h"
#include "skater_hand.h"

#include <math.h>
#include <stdlib.h>

enum { STATES = 64, MOST = 8 };

// states to evaluate at, and the results, summed up so that none can be left out
typedef struct task
{
  engine* e;
  rate_flow* f; // as in a long run
  double y[STATES][2 * MOST + 1];
  double q[STATES][MOST], v[STATES][MOST];
  double sum;
} task;

static void by_tape(void* context, int count)
{
  task* k = context;
  engine* e = k->e;
  for (int i = 0; i < count; i++) {
    engine_state(e, 0, k->q[i % STATES], k->v[i % STATES]);
    code_run(e->program->eom, e->in, e->work.eom_out, e->work.scratch);
    k->sum += e->F[0];
  }
}

static void by_zwang(void* context, int count)
{
  task* k = context;
  for (int i = 0; i < count; i++) {
    engine_state(k->e, 0, k->q[i % STATES], k->v[i % STATES]);
    if (contact_accelerations(k->e)) exit(1);
    k->sum += k->e->a[0];
  }
}

// what an integrator calls: y' of (q, u, work)
static void in_a_run(void* context, int count)
{
  task* k = context;
  double dy[2 * MOST + 1];
  for (int i = 0; i < count; i++) {
    if (k->f->ode.rhs(k->f, 0, k->y[i % STATES], dy)) exit(1);
    k->sum += dy[0];
  }
}

static void skater_by_hand(void* context, int count)
{
  task* k = context;
  for (int i = 0; i < count; i++) {
    double a[3];
    skater_hand_accelerations(k->q[i % STATES], k->v[i % STATES], a);
    k->sum += a[0];
  }
}

static void pendulum_by_hand(void* context, int count)
{
  task* k = context;
  for (int i = 0; i < count; i++) {
    double a[PENDULUM_LINKS];
    pendulum_hand_accelerations(k->q[i % STATES], k->v[i % STATES], a);
    k->sum += a[0];
  }
}

static task task_new(bench_model* b)
{
  task k = {.e = contact_engine_new(b->system, b->notes)};
  if (!k.e || k.e->n > MOST) exit(1);
  srand(1);
  for (int i = 0; i < STATES; i++)
    for (int j = 0; j < k.e->n; j++) {
      k.q[i][j] = 2.0 * rand() / RAND_MAX - 1;
      k.v[i][j] = 2.0 * rand() / RAND_MAX - 1;
    }
  return k;
}

// the blade admits velocities along itself only
static void skater_admit(task* k)
{
  for (int i = 0; i < STATES; i++) {
    const double u = k->v[i][0], theta = k->q[i][1];
    k->v[i][0] = u * cos(theta);
    k->v[i][2] = u * sin(theta);
  }
}

// the flow of a run that is long enough for a kernel of its own, and its states
static void begin_run(task* k)
{
  engine* e = k->e;
  k->f = rate_flow_new(e, 1e-6, false);
  e->evaluations = 1000000;
  engine_state(e, 0, k->q[0], k->v[0]);
  if (rate_flow_rebase(k->f) || !k->f->fused) exit(1);
  for (int i = 0; i < STATES; i++) {
    engine_state(e, 0, k->q[i], k->v[i]);
    rate_flow_store(k->f, 0, k->y[i]);
  }
}

typedef void accelerations(const double* q, const double* v, double* a);

static void same(task* k, accelerations* hand)
{
  for (int i = 0; i < STATES; i++) {
    double a[MOST];
    hand(k->q[i], k->v[i], a);
    engine_state(k->e, 0, k->q[i], k->v[i]);
    if (contact_accelerations(k->e)) exit(1);
    for (int j = 0; j < k->e->n; j++)
      bench_near("an acceleration", k->e->a[j], a[j], 1e-11 * (1 + fabs(a[j])));
    double dy[2 * MOST + 1];
    if (k->f->ode.rhs(k->f, 0, k->y[i], dy)) exit(1);
    for (int j = 0; j < k->f->l; j++) {
      const double want = a[k->f->fused->independent[j]];
      bench_near("an acceleration in a run", dy[k->e->n + j], want, 1e-11 * (1 + fabs(want)));
    }
  }
}

static void compare(const char* title, task* k, int count, accelerations* check, bench_work* hand)
{
  begin_run(k);
  same(k, check);
  bench_say("  tape of %d operations, kernel of a run %d\n", code_operations(k->e->program->eom),
            code_operations(k->f->fused->kernel));
  bench_round(title, count, 1001, 4,
              (bench_contestant[]){{"hand-written C", hand, k, NULL},
                                   {"zwang: tape and linear problem", by_zwang, k, NULL},
                                   {"zwang: tape alone (M, F, A, c)", by_tape, k, NULL},
                                   {"zwang: in a long run", in_a_run, k, NULL}});
}

int main(int argc, char** argv)
{
  if (argc != 3) return 1;
  bench_model skater = bench_read(argv[1]), pendulum = bench_read(argv[2]);
  task one = task_new(&skater), eight = task_new(&pendulum);
  skater_admit(&one);
  bench_processor_time();
  bench_begin("One right-hand side, accelerations from places and velocities");
  compare("skater", &one, 1000, skater_hand_accelerations, skater_by_hand);
  compare("eight pendulums", &eight, 200, pendulum_hand_accelerations, pendulum_by_hand);
  // a sum that is not a number would mean that something else was timed
  const bool fine = isfinite(one.sum) && isfinite(eight.sum);
  engine_free(one.e);
  engine_free(eight.e);
  bench_forget(&skater);
  bench_forget(&pendulum);
  return fine ? 0 : 1;
}
