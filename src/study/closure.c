// The equations of position of a mechanism, continued to complex numbers.
#include "study/closure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef double complex cx;

static const double no_slope = 1e-11; // of a row beside the others: it says nothing of the place
static const double holds_always = 1e-8;
static const double same_after = 1e-9; // rows after a full turn, beside their size
static const double no_rank = 1e-11;   // of pivots beside the largest
static const double no_length = 1e-9;  // where all lengths are zero, but for rounding, one is usual

// ---- rows ---------------------------------------------------------------------------------------

static bool has_speed(const engine* e, expr f)
{
  return expr_has_any(e->s->pool, f, e->n, e->s->v);
}

// constraints on positions that hold, and initial equations that are no guesses
static int gather(study_closure* c, int initials, const model_initial* initial)
{
  const engine* e = c->e;
  const mech_system* s = e->s;
  int count = 0;
  const size_t room = (size_t)(e->m + initials + 1);
  c->row = base_arena_take(c->arena, sizeof(expr) * room);
  c->place = base_arena_take(c->arena, sizeof(base_place) * room);
  for (int k = 0; k < e->m; k++) {
    if (!e->mode.active[k] || e->model->constraint[k].order != 0) continue;
    c->place[count] = e->model->constraint[k].place;
    c->row[count++] = s->f0[k];
  }
  for (int i = 0; i < initials; i++) {
    if (initial[i].guess || has_speed(e, initial[i].f)) continue;
    c->place[count] = initial[i].place;
    c->row[count++] = initial[i].f;
  }
  engine_fix(e->program, count, c->row, c->row);
  return count;
}

// ---- square roots -------------------------------------------------------------------------------

// u^(k/2) with odd k; its k, or 0
static int root_of(const expr_pool* p, expr e)
{
  if (expr_kind_of(p, e) == EXPR_CALL) return expr_fn_of(p, e) == EXPR_SQRT;
  if (expr_kind_of(p, e) != EXPR_POWER || !expr_is_number(p, expr_arg(p, e, 1))) return 0;
  const double twice = 2 * expr_number(p, expr_arg(p, e, 1));
  return twice == rint(twice) && fabs(twice) < 100 && fmod(fabs(twice), 2) == 1 ? (int)twice : 0;
}

// nodes below the rows that are such and depend on coordinates, inner ones first
static int find_roots(const study_closure* c, expr** out)
{
  const mech_system* s = c->e->s;
  const expr_pool* p = s->pool;
  const int count = c->rows;
  const expr* row = c->row;
  expr most = 0;
  int found = 0;
  for (int i = 0; i < count; i++) most = row[i] > most ? row[i] : most;
  char* seen = base_alloc((size_t)most + 1);
  for (int i = 0; i < count; i++) seen[row[i]] = 1;
  for (expr e = most; e > 0; e--) {
    if (!seen[e]) continue;
    seen[e] = root_of(p, e) && expr_has_any(p, e, s->n, s->q) ? 2 : 1;
    found += seen[e] == 2;
    for (int k = 0; k < expr_arg_count(p, e); k++)
      if (!seen[expr_arg(p, e, k)]) seen[expr_arg(p, e, k)] = 1;
  }
  *out = base_arena_take(c->arena, sizeof(expr) * (size_t)(found + 1));
  int at = 0;
  for (expr e = 1; e <= most; e++)
    if (seen[e] == 2) (*out)[at++] = e;
  free(seen);
  return found;
}

// w in the place of each, and w^2 - u among the rows; returns the symbols w
static expr* lift(study_closure* c)
{
  expr_pool* p = c->e->s->pool;
  expr* node;
  const int count = c->rows, lifts = c->lifts = find_roots(c, &node);
  const size_t room = (size_t)(count + lifts + 1);
  expr *row = base_arena_take(c->arena, sizeof(expr) * room),
       *w = base_arena_take(c->arena, sizeof(expr) * room),
       *to = base_arena_take(c->arena, sizeof(expr) * room);
  base_place* place = base_arena_take(c->arena, sizeof(base_place) * room);
  for (int j = 0; j < lifts; j++) {
    w[j] = expr_symbol(p, base_arena_printf(c->arena, "root %d of the closure", j));
    to[j] = expr_pow(p, w[j], expr_int(p, root_of(p, node[j])));
    // what stands below the root has roots of its own replaced
    const expr u = expr_substitute(p, expr_arg(p, node[j], 0), j, node, to);
    row[count + j] = expr_sub(p, expr_pow(p, w[j], expr_int(p, 2)), u);
    place[count + j] = BASE_NOWHERE;
  }
  expr_substitute_all(p, count, c->row, lifts, node, to, row);
  memcpy(place, c->place, sizeof *place * (size_t)count);
  c->row = row;
  c->place = place;
  c->rows = count + lifts;
  c->N = c->n + lifts;
  return w;
}

static bool compile(study_closure* c, const expr* w, base_notes* notes)
{
  const engine* e = c->e;
  const engine_program* g = e->program;
  expr_pool* p = e->s->pool;
  const int M = c->rows, N = c->N, inputs = g->inputs + c->lifts;
  expr *list = base_arena_take(c->arena, sizeof(expr) * (size_t)(M + M * N + 1)),
       *by = base_arena_take(c->arena, sizeof(expr) * (size_t)(N + 1)),
       *in = base_arena_take(c->arena, sizeof(expr) * (size_t)(inputs + 1)), missing = EXPR_NONE;
  for (int i = 0; i < N; i++) by[i] = i < c->n ? e->s->q[i] : w[i - c->n];
  for (int i = 0; i < inputs; i++) in[i] = i < g->inputs ? g->input[i] : w[i - g->inputs];
  bool whole = true;
  for (int k = 0; k < M; k++) {
    list[k] = c->row[k];
    expr_gradient(p, c->row[k], N, by, list + M + k * N);
  }
  for (int i = 0; i < M + M * N; i++) whole = whole && list[i] != EXPR_NONE;
  c->kernel = whole ? code_build(p, M + M * N, list, inputs, in, &missing) : NULL;
  if (!c->kernel) {
    base_error(notes, BASE_NOWHERE, "the equations of position cannot be evaluated%s%s",
               missing ? ": no value of " : "", missing ? expr_name(p, missing) : "");
    return false;
  }
  c->in = base_arena_take(c->arena, 2 * sizeof(double) * (size_t)(inputs + 1));
  c->out = base_arena_take(c->arena, 2 * sizeof(double) * (size_t)(M + M * N + 1));
  c->scratch = base_arena_take(c->arena, sizeof(double) * code_scratch_complex(c->kernel));
  for (int i = 0; i < g->inputs; i++) c->in[2 * i] = e->in[i];
  return true;
}

void study_closure_run(study_closure* c, const cx* x)
{
  const int first = c->e->program->inputs;
  memcpy(c->in + 2, x, sizeof(cx) * (size_t)c->n);
  memcpy(c->in + 2 * (size_t)first, x + c->n, sizeof(cx) * (size_t)c->lifts);
  code_run_complex(c->kernel, c->in, c->out, c->scratch);
  c->work += code_operations(c->kernel) + (long)c->N * c->N * c->N / 3;
}

void study_closure_values(void* closure, const cx* x, cx* F, cx* J)
{
  study_closure* c = closure;
  const int M = c->rows, N = c->N;
  study_closure_run(c, x);
  const cx *f = (const cx*)c->out, *slope = f + M;
  if (!c->mix) {
    memcpy(F, f, sizeof(cx) * (size_t)N);
    memcpy(J, slope, sizeof(cx) * (size_t)(N * N));
    return;
  }
  for (int i = 0; i < N; i++) {
    F[i] = 0;
    for (int j = 0; j < N; j++) J[i * N + j] = 0;
    for (int k = 0; k < M; k++) {
      const cx share = c->mix[i * M + k];
      if (share == 0) continue;
      F[i] += num_complex_times(share, f[k]);
      for (int j = 0; j < N; j++) J[i * N + j] += num_complex_times(share, slope[k * N + j]);
    }
  }
}

// ---- what the equations are like ----------------------------------------------------------------

static double uniform(uint64_t* seed)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) / 9007199254740992.0 * 2 - 1;
}

static void anywhere(const study_closure* c, uint64_t* seed, cx* x)
{
  for (int i = 0; i < c->N; i++) {
    const double a = uniform(seed), b = uniform(seed);
    x[i] = c->size[i] * CMPLX(a, b);
  }
}

// rows that no coordinate changes say nothing; false where one of them does not hold
static bool drop_constant(study_closure* c, cx* x, uint64_t* seed, bool* drop, base_notes* notes)
{
  const int M = c->rows, N = c->N;
  double* slope = base_arena_take(c->arena, sizeof(double) * (size_t)(M + 1));
  double largest = 0;
  for (int turn = 0; turn < 3; turn++) {
    anywhere(c, seed, x);
    study_closure_run(c, x);
    const cx* J = (const cx*)c->out + M;
    for (int k = 0; k < M; k++)
      for (int i = 0; i < N; i++) slope[k] = fmax(slope[k], c->size[i] * cabs(J[k * N + i]));
  }
  for (int k = 0; k < M; k++) largest = fmax(largest, slope[k]);
  for (int k = 0; k < M; k++) {
    drop[k] = slope[k] <= no_slope * largest;
    if (!drop[k] || cabs(((const cx*)c->out)[k]) <= holds_always * fmax(1, largest)) continue;
    base_error(notes, c->place[k], "this cannot hold in any position");
    return false;
  }
  return true;
}

// is every row the same with x_i changed so, wherever it is?
static bool is_same(study_closure* c, cx* x, cx* before, uint64_t* seed, const bool* flip, int turn)
{
  const int M = c->rows;
  for (int tries = 0; tries < 2; tries++) {
    anywhere(c, seed, x);
    study_closure_run(c, x);
    memcpy(before, c->out, sizeof(cx) * (size_t)M);
    for (int i = 0; i < c->n; i++) {
      if (flip && flip[i]) x[i] = -x[i];
      if (i == turn) x[i] += 2 * M_PI;
    }
    study_closure_run(c, x);
    const cx* after = (const cx*)c->out;
    for (int k = 0; k < M; k++)
      if (!(cabs(after[k] - before[k]) <= same_after * (1 + cabs(before[k])))) return false;
  }
  return true;
}

// turns by 2 pi, and signs of quaternions, that leave everything as it is
static void find_symmetries(study_closure* c, cx* x, uint64_t* seed)
{
  const model* m = c->e->model;
  cx* before = base_arena_take(c->arena, sizeof(cx) * (size_t)(c->rows + 1));
  bool* flip = base_arena_take(c->arena, (size_t)(c->n + 1));
  for (int i = 0; i < c->n; i++) {
    const int vector = m->coord[i].vector;
    if (!vector) {
      c->periodic[i] = is_same(c, x, before, seed, NULL, i);
      continue;
    }
    if (c->even[i]) continue;
    int parts = 0;
    for (int j = 0; j < c->n; j++) parts += flip[j] = m->coord[j].vector == vector;
    const bool even = parts == 4 && is_same(c, x, before, seed, flip, -1);
    for (int j = 0; j < c->n; j++) c->even[j] = c->even[j] || (even && flip[j]);
  }
}

// more rows than unknowns are mixed at random; solutions of all are among those of the mixed ones
static void mix_rows(study_closure* c, const bool* drop, uint64_t* seed)
{
  const int M = c->rows, N = c->N;
  int kept = 0, at = 0;
  for (int k = 0; k < M; k++) kept += !drop[k];
  if (kept == M && M == N) return;
  c->mix = base_arena_take(c->arena, sizeof(cx) * (size_t)(N * M + 1));
  for (int k = 0; k < M; k++) {
    if (drop[k]) continue;
    const int own = at++;
    for (int i = 0; i < N; i++) {
      const double a = uniform(seed), b = uniform(seed);
      c->mix[i * M + k] = own < N ? own == i : CMPLX(a, b);
    }
  }
}

// velocities that nothing determines, anywhere
static int freedoms(study_closure* c, const bool* drop, cx* x, uint64_t* seed)
{
  const int M = c->rows, N = c->N;
  num_null* f = num_null_new(2 * M, 2 * N);
  double* A = base_alloc(sizeof(double) * (size_t)(4 * M * N + 1));
  anywhere(c, seed, x);
  study_closure_run(c, x);
  const cx* J = (const cx*)c->out + M;
  int rows = 0;
  // a complex matrix as a real one of twice the side
  for (int k = 0; k < M; k++) {
    if (drop[k]) continue;
    for (int part = 0; part < 2; part++, rows++)
      for (int j = 0; j < N; j++) {
        const cx z = c->size[j] * J[k * N + j];
        A[rows * 2 * N + j] = part ? cimag(z) : creal(z);
        A[rows * 2 * N + N + j] = part ? creal(z) : -cimag(z);
      }
  }
  const int rank = num_null_factor(f, rows, 2 * N, A, no_rank);
  num_null_free(f);
  free(A);
  return N - rank / 2;
}

// an angle, or a part of a unit vector
static bool has_own_size(const study_closure* c, int i)
{
  const model_coord* x = &c->e->model->coord[i];
  return x->vector || c->periodic[i] || !strcmp(x->unit, "rad") || !strcmp(x->unit, "1");
}

// sizes of lengths are those of a position that was found, if there is one
static void find_sizes(study_closure* c)
{
  double largest = 0;
  for (int i = 0; i < c->n; i++)
    if (!has_own_size(c, i)) largest = fmax(largest, fabs(c->e->q[i]));
  for (int i = 0; i < c->N; i++)
    c->size[i] = largest <= no_length || (i < c->n && has_own_size(c, i)) ? 1 : largest;
}

study_closure* study_closure_new(engine* e, int initials, const model_initial* initial,
                                 base_notes* notes)
{
  base_arena* arena = base_arena_new();
  study_closure* c = base_arena_take(arena, sizeof *c);
  *c = (study_closure){.e = e, .arena = arena, .n = e->model->places};
  uint64_t seed = 20;
  c->rows = gather(c, initials, initial);
  const expr* w = lift(c);
  c->size = base_arena_take(arena, sizeof(double) * (size_t)(c->N + 1));
  c->periodic = base_arena_take(arena, (size_t)(c->n + 1));
  c->even = base_arena_take(arena, (size_t)(c->n + 1));
  bool* drop = base_arena_take(arena, (size_t)(c->rows + 1));
  cx* x = base_arena_take(arena, sizeof(cx) * (size_t)(c->N + 1));
  find_sizes(c);
  bool fine = compile(c, w, notes);
  if (fine) find_symmetries(c, x, &seed);
  find_sizes(c);
  fine = fine && drop_constant(c, x, &seed, drop, notes);
  const int left = fine ? freedoms(c, drop, x, &seed) : 0;
  if (left > 0) {
    base_error(notes, BASE_NOWHERE, "%d freedom%s of the mechanism %s not driven", left,
               left == 1 ? "" : "s", left == 1 ? "is" : "are");
    base_help(notes, "say where it is: --drive \"NAME=EXPRESSION\", or in the model by a drive or "
                     "`initial NAME = ...`");
    fine = false;
  }
  if (fine) {
    mix_rows(c, drop, &seed);
    return c;
  }
  study_closure_free(c);
  return NULL;
}

void study_closure_free(study_closure* c)
{
  if (!c) return;
  code_free(c->kernel);
  base_arena_free(c->arena);
}

// ---- telling positions apart --------------------------------------------------------------------

enum { MARKS_OF_QUATERNION = 4 };

int study_closure_marks(const study_closure* c)
{
  return MARKS_OF_QUATERNION * c->n;
}

// of the parts of a quaternion the products with the others, which have no sign
void study_closure_mark(void* closure, const cx* x, cx* out)
{
  const study_closure* c = closure;
  const model* m = c->e->model;
  for (int i = 0; i < c->n; i++) {
    cx* to = out + MARKS_OF_QUATERNION * i;
    int at = 0;
    for (int j = 0; j < MARKS_OF_QUATERNION; j++) to[j] = 0;
    if (c->periodic[i]) {
      to[0] = cexp(_Complex_I * x[i]);
    } else if (!c->even[i]) {
      to[0] = x[i] / c->size[i];
    } else {
      for (int j = 0; j < c->n && at < MARKS_OF_QUATERNION; j++)
        if (m->coord[j].vector == m->coord[i].vector) to[at++] = num_complex_times(x[i], x[j]);
    }
  }
}
