// Right-hand sides as machine code, M and F and the constraints assembled and solved within the
// kernel, beside hand-written C; and how long it takes to make the code.
// bench_code SKATER DISC PENDULUM BICYCLE (model files)
#include "bench.h"
#include "code/kernel.h"
#include "disc_hand.h"
#include "pendulum_hand.h"
#include "skater_hand.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { STATES = 64, MOST = 8, LANES = 8 };

typedef void accelerations(const double* q, const double* v, double* a);

// states to evaluate at, in the order q, v, one by one and in blocks; results are summed up so that
// none can be left out
typedef struct task
{
  code_kernel* k;
  accelerations* hand;
  int n, width;
  double state[STATES][2 * MOST];
  double block[STATES / LANES][2 * MOST][LANES];
  double *scratch, *out;
  double sum;
} task;

static void by_hand(void* context, int count)
{
  task* k = context;
  for (int i = 0; i < count; i++) {
    const double* q = k->state[i % STATES];
    k->hand(q, q + k->n, k->out);
    k->sum += k->out[0];
  }
}

static void by_code(void* context, int count)
{
  task* k = context;
  for (int i = 0; i < count; i++) {
    code_run(k->k, k->state[i % STATES], k->out, k->scratch);
    k->sum += k->out[0];
  }
}

// one piece of work is one state here too
static void by_lanes(void* context, int count)
{
  task* k = context;
  for (int i = 0; i < count / LANES; i++) {
    code_run_lanes(k->k, LANES, k->block[i % (STATES / LANES)][0], k->out, k->scratch);
    k->sum += k->out[0];
  }
}

// ---- the kernel ---------------------------------------------------------------------------------

// the system with its params as numbers
typedef struct numbers
{
  expr *M, *F, *A, *b, *in;
} numbers;

static numbers fix(const mech_system* s, base_arena* arena)
{
  const model* m = s->model;
  const int n = s->n, rows = s->m;
  expr *from = base_arena_take(arena, sizeof *from * (size_t)(m->params + 1)), *to = from;
  to = base_arena_take(arena, sizeof *to * (size_t)(m->params + 1));
  for (int i = 0; i < m->params; i++) from[i] = m->param[i].symbol, to[i] = m->param[i].value;
  const size_t room = sizeof(expr) * (size_t)(n * n + rows * n + 3 * n + rows + 1);
  numbers x = {base_arena_take(arena, room), NULL, NULL, NULL, NULL};
  x.F = x.M + n * n;
  x.A = x.F + n;
  x.b = x.A + rows * n;
  x.in = x.b + rows;
  expr_substitute_all(s->pool, n * n, s->M, m->params, from, to, x.M);
  expr_substitute_all(s->pool, n, s->F, m->params, from, to, x.F);
  expr_substitute_all(s->pool, rows * n, s->A, m->params, from, to, x.A);
  expr_substitute_all(s->pool, rows, s->c, m->params, from, to, x.b);
  for (int r = 0; r < rows; r++) x.b[r] = expr_neg(s->pool, x.b[r]);
  for (int i = 0; i < n; i++) x.in[i] = s->q[i], x.in[n + i] = s->v[i];
  return x;
}

// is the guard above zero at every state?
static bool is_safe(const task* t, const code_kernel* k)
{
  double* scratch = base_alloc(code_scratch(k) * sizeof *scratch);
  double* out = base_alloc((size_t)code_outputs(k) * sizeof *out);
  bool safe = true;
  for (int i = 0; i < STATES; i++) {
    code_run(k, t->state[i], out, scratch);
    safe = safe && out[t->n] > 0;
  }
  free(out);
  free(scratch);
  return safe;
}

// the fewest operations over all ways to eliminate, and not to
static code_kernel* build(const task* t, const mech_system* s, const numbers* x)
{
  code_kernel* best = NULL;
  for (int set = 0; set < 1 << s->n; set++) {
    int dependent[MOST], count = 0;
    for (int i = 0; i < s->n; i++)
      if (set >> i & 1) dependent[count++] = i;
    if (set != 0 && count != s->m) continue;
    const code_linear problem = {.n = s->n,
                                 .rows = s->m,
                                 .M = x->M,
                                 .F = x->F,
                                 .A = x->A,
                                 .b = x->b,
                                 .dependent = set ? dependent : NULL,
                                 .tolerance = 1e-6,
                                 .simplify = true};
    code_kernel* k = code_build_solve(s->pool, &problem, 2 * s->n, x->in, NULL);
    const bool better = k && is_safe(t, k) && (!best || code_operations(k) < code_operations(best));
    code_free(better ? best : k);
    if (better) best = k;
  }
  if (!best) exit(1);
  return best;
}

// ---- states -------------------------------------------------------------------------------------

// the blade admits velocities along itself only
static void skater_admit(double* q, double* v)
{
  const double u = v[0];
  v[0] = u * cos(q[1]);
  v[2] = u * sin(q[1]);
}

// the contact runs along the heading
static void disc_admit(double* q, double* v)
{
  v[3] = 0.26 * v[2] * cos(q[0]);
  v[4] = 0.26 * v[2] * sin(q[0]);
}

static void free_of_constraints(double* q, double* v)
{
  (void)q, (void)v;
}

static void fill(task* t, void admit(double* q, double* v))
{
  srand(1);
  for (int i = 0; i < STATES; i++) {
    for (int j = 0; j < 2 * t->n; j++) t->state[i][j] = 2.0 * rand() / RAND_MAX - 1;
    admit(t->state[i], t->state[i] + t->n);
    // blocks are dense: 2 n rows of eight lanes
    double* block = t->block[i / LANES][0];
    for (int j = 0; j < 2 * t->n; j++) block[j * LANES + i % LANES] = t->state[i][j];
  }
}

static void same(const task* t)
{
  for (int i = 0; i < STATES; i++) {
    double want[MOST];
    t->hand(t->state[i], t->state[i] + t->n, want);
    code_run(t->k, t->state[i], t->out, t->scratch);
    for (int j = 0; j < t->n; j++)
      bench_near("an acceleration", t->out[j], want[j], 1e-11 * (1 + fabs(want[j])));
    code_run_lanes(t->k, LANES, t->block[i / LANES][0], t->out, t->scratch);
    for (int j = 0; j < t->n; j++)
      bench_near("a lane", t->out[j * LANES + i % LANES], want[j], 1e-11 * (1 + fabs(want[j])));
  }
}

static void compare(const char* title, const char* path, int count, accelerations* hand,
                    void admit(double* q, double* v))
{
  bench_model b = bench_read(path);
  const mech_system* s = b.system;
  task* t = base_alloc(sizeof *t);
  t->hand = hand;
  t->n = s->n;
  if (t->n > MOST) exit(1);
  fill(t, admit);
  const numbers x = fix(s, b.arena);
  t->k = build(t, s, &x);
  // whole lines of the cache, as lanes are
  const size_t line = 64 / sizeof(double), scratch = code_scratch_lanes(t->k, LANES) / line + 1;
  double* memory =
      base_alloc(sizeof(double) * (line * (scratch + 1) + (size_t)(code_outputs(t->k) * LANES)));
  t->scratch = memory + (line - (uintptr_t)memory / sizeof(double) % line) % line;
  t->out = t->scratch + line * scratch;
  if (!code_native(t->k, 1) || !code_native(t->k, LANES)) bench_say("  interpreted\n");
  same(t);
  bench_say("  kernel of %d operations\n", code_operations(t->k));
  bench_round(title, count, 1001, 3,
              (bench_contestant[]){{"hand-written C", by_hand, t, NULL},
                                   {"zwang, eight lanes, per state", by_lanes, t, NULL},
                                   {"zwang", by_code, t, NULL}});
  if (!isfinite(t->sum)) exit(1);
  code_free(t->k);
  free(memory);
  free(t);
  bench_forget(&b);
}

// ---- making code --------------------------------------------------------------------------------

static void emit(void* context, int count, int width)
{
  const code_kernel* k = context;
  for (int i = 0; i < count; i++) {
    code_pages pages;
    if (!code_emit(&pages, &k->tape, width, 1, code_level_here())) exit(1);
    code_pages_free(&pages);
  }
}

static void emit_one(void* context, int count)
{
  emit(context, count, 1);
}

static void emit_four(void* context, int count)
{
  emit(context, count, 4);
}

static void emit_eight(void* context, int count)
{
  emit(context, count, LANES);
}

// pages included
static void time_emitting(const char* what, code_kernel* k)
{
  char title[120];
  snprintf(title, sizeof title, "making the code of %d operations, %s", code_operations(k), what);
  bench_round(title, 10, 201, 3,
              (bench_contestant[]){{"for one state", emit_one, k, NULL},
                                   {"for four lanes", emit_four, k, NULL},
                                   {"for eight lanes", emit_eight, k, NULL}});
  code_free(k);
}

// the entries of M, F, A and c of a system
static void time_emitting_model(const char* path)
{
  bench_model b = bench_read(path);
  const mech_system* s = b.system;
  const numbers x = fix(s, b.arena);
  const int count = s->n * s->n + s->n + s->m * s->n + s->m;
  code_kernel* k = code_build(s->pool, count, x.M, 2 * s->n, x.in, NULL);
  if (!k) exit(1);
  time_emitting("the Whipple bicycle", k);
  bench_forget(&b);
}

// The mass matrix and the forces of a plane chain of links of different lengths, entry by entry
// until there are as many operations as wanted:
//   M_ij = m_ij l_i l_j cos(q_i - q_j),  F_i = sum_j m_ij l_i l_j sin(q_i - q_j) q_j'^2 + g_i sin
//   q_i
static code_kernel* chain_of(int operations)
{
  enum { links = 24 };
  expr_pool* p = expr_pool_new(0);
  expr in[2 * links], out[links * (links + 3) / 2];
  int count = 0;
  code_kernel* k = NULL;
  char name[20];
  for (int i = 0; i < links; i++) {
    snprintf(name, sizeof name, "q%d", i);
    in[i] = expr_symbol(p, name);
    snprintf(name, sizeof name, "q%d'", i);
    in[links + i] = expr_symbol(p, name);
  }
  for (int i = 0; i < links; i++) {
    expr force = expr_mul(p, expr_ratio(p, 981 * (links - i), 100), expr_fn1(p, EXPR_SIN, in[i]));
    for (int j = 0; j < links; j++) {
      const expr between = expr_sub(p, in[i], in[j]);
      const expr m = expr_ratio(p, (links - (i > j ? i : j)) * (10 + i) * (10 + j), 100);
      const expr swing = expr_pow(p, in[links + j], expr_int(p, 2));
      const expr parts[] = {m, expr_fn1(p, EXPR_SIN, between), swing};
      force = expr_add(p, force, expr_product(p, 3, parts));
      if (j <= i) out[count++] = expr_mul(p, m, expr_fn1(p, EXPR_COS, between));
    }
    out[count++] = force;
  }
  // the most entries that stay within the number wanted
  for (int low = 0, high = count; low < high;) {
    const int middle = (low + high + 1) / 2;
    code_kernel* next = code_build(p, middle, out, 2 * links, in, NULL);
    if (!next) exit(1);
    const bool fits = code_operations(next) <= operations;
    code_free(fits ? k : next);
    if (fits)
      k = next, low = middle;
    else
      high = middle - 1;
  }
  expr_pool_free(p);
  return k;
}

int main(int argc, char** argv)
{
  if (argc != 5) return 1;
  bench_processor_time();
  bench_begin(
      "Right-hand sides solved within the kernel, accelerations from places and velocities");
  compare("skater", argv[1], 1024, skater_hand_accelerations, skater_admit);
  compare("rolling disc", argv[2], 512, disc_hand_accelerations, disc_admit);
  compare("eight pendulums", argv[3], 192, pendulum_hand_accelerations, free_of_constraints);
  if (code_level_here() == CODE_INTERPRETED) return 0;
  time_emitting_model(argv[4]);
  time_emitting("a chain of links", chain_of(1800));
  return 0;
}
