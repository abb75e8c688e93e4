// Which kernel takes states side by side, and where everything stands in it.
//
// Velocities are eliminated only where their columns of A are numbers, so that the kernel serves at
// every state, some of them after a turn (blade.c); else all are taken as they are. What was found
// is kept for all runs by the velocities that the rows make dependent at the start: then only
// whether it is safe there is asked again.
#include "rate/fused.h"
#include "rate/lanes.h"

#include <stdlib.h>

enum { most_few = 128 }; // numbers that are kept on the stack

// ---- elimination by numbers ---------------------------------------------------------------------

static bool find_numbers(const engine* e, const rate_rows* p, const int* dependent)
{
  for (int r = 0; r < p->rows; r++)
    for (int d = 0; d < p->rows; d++)
      if (!engine_is_constant(e->program, p->A[r * p->n + dependent[d]])) return false;
  return true;
}

static void leave(void* thing)
{
  (void)thing;
}

// the same, found once for these rows and velocities: expressions are looked at with the lock held
static bool are_numbers(engine* e, const rate_problem* p, const int* dependent)
{
  static char yes;
  rate_key room;
  const base_key key =
      rate_key_by(&room, e, "numbers", 1, &(int){p->turned}, p->rows.rows, dependent);
  void* found;
  if (!base_kept_find(e->s->kept, key, &found)) {
    found = find_numbers(e, &p->rows, dependent) ? &yes : NULL;
    engine_keep(e, key, found, leave);
  }
  rate_key_end(&room);
  return found;
}

// The velocities that the rows of a turned problem make dependent at the engine's state.
static bool choose_turned(engine* e, const rate_problem* p, int* dependent)
{
  // scratch begins a line
  const size_t entries = ((size_t)code_outputs(p->A) + ENGINE_LINE - 1) / ENGINE_LINE * ENGINE_LINE,
               room = entries + code_scratch(p->A);
  _Alignas(64) double few[most_few];
  double* A = room > most_few ? base_alloc(room * sizeof *A) : few;
  code_run(p->A, e->in, A, A + entries);
  const bool chosen = rate_choose_dependent(e, A, dependent);
  if (A != few) free(A);
  return chosen;
}

// ---- many coordinates ---------------------------------------------------------------------------

// the rows that hold, entry by entry
typedef struct held_rows
{
  int *start, *column;
  expr *A, *b, *lambda;
} held_rows;

static held_rows rows_held(const engine* e, const rate_equations* q, base_arena* arena)
{
  const mech_rows* A = &e->s->A_rows;
  const size_t rows = (size_t)e->mode.rows + 1, count = (size_t)A->count + 1;
  held_rows h = {.start = base_arena_take(arena, rows * sizeof *h.start),
                 .column = base_arena_take(arena, count * sizeof *h.column),
                 .A = base_arena_take(arena, count * sizeof *h.A),
                 .b = base_arena_take(arena, 2 * rows * sizeof *h.b)};
  h.lambda = h.b + rows;
  int at = 0;
  for (int r = 0; r < e->mode.rows; r++) {
    const int k = e->mode.row[r];
    h.b[r] = q->b[k];
    h.lambda[r] = e->model->reaction[k];
    for (int i = A->start[k]; i < A->start[k + 1]; i++) {
      h.column[at] = A->column[i];
      h.A[at++] = q->A[i];
    }
    h.start[r + 1] = at;
  }
  return h;
}

static code_kernel* build_entries(engine* e)
{
  const rate_equations* q = rate_shared_equations(e->program);
  base_arena* arena = base_arena_new();
  const held_rows h = rows_held(e, q, arena);
  const code_pattern M = {e->s->M_rows.start, e->s->M_rows.column}, A = {h.start, h.column};
  const code_linear problem = {.n = e->n,
                               .rows = e->mode.rows,
                               .M = q->M,
                               .M_at = &M,
                               .F = q->F,
                               .A = h.A,
                               .A_at = &A,
                               .b = h.b,
                               .tolerance = rate_fused_least_pivot,
                               .others = q->power != e->s->zero[0],
                               .other = &q->power,
                               .unknown = e->s->a,
                               .multiplier = h.lambda};
  code_kernel* k =
      code_build_solve(e->s->pool, &problem, e->program->inputs, e->program->input, NULL);
  base_arena_free(arena);
  if (k && !expr_pool_full(e->s->pool)) return k;
  code_free(k);
  return NULL;
}

static const code_kernel* entries_kernel(engine* e)
{
  rate_key room;
  const base_key key = rate_key_by(&room, e, "kernel of entries", 0, NULL, 0, NULL);
  void* found;
  if (!base_kept_find(e->s->kept, key, &found)) {
    found = build_entries(e);
    rate_shared_keep_kernel(e, key, found);
  }
  rate_key_end(&room);
  return found;
}

// ---- the search ---------------------------------------------------------------------------------

typedef struct search
{
  engine* e;
  rate_velocities which;
  rate_fused f;               // what kernels are asked for
  bool chosen;                // each row has a dependent velocity, f.dependent
  const rate_problem* turned; // the problem with turns, where the rows as they are do not serve
  bool sure;                  // the same would be found wherever these velocities are dependent
  const rate_problem* problem;
  const code_kernel* kernel;
  bool eliminates;
} search;

// the rows as they are; true where these have settled it
static bool look_plainly(search* s)
{
  engine* e = s->e;
  if (e->sparse) {
    s->kernel = entries_kernel(e);
    if (s->kernel && !rate_fused_is_safe(e, s->kernel, e->n, s->f.out)) {
      s->kernel = NULL;
      s->sure = false;
    }
    return true;
  }
  s->problem = rate_shared_problem(e, false);
  if (e->mode.rows == 0 ||
      (s->which != RATE_ALL && s->chosen && are_numbers(e, s->problem, s->f.dependent)))
    s->kernel = rate_fused_cheapest(e, &s->f, s->problem, &s->sure);
  s->eliminates = s->kernel && e->mode.rows;
  if (s->kernel || s->f.effort < 2 || s->which != RATE_TURNED) return s->kernel;
  const rate_problem* p = rate_shared_problem(e, true);
  if (p->turned && p->A) s->turned = p;
  return false;
}

// The same of the turned ones. The guard must be a number, too: the general way knows nothing of
// turns.
static void look_turned(search* s)
{
  engine* e = s->e;
  if (!s->chosen || !are_numbers(e, s->turned, s->f.dependent)) return;
  s->kernel = rate_fused_cheapest(e, &s->f, s->turned, &s->sure);
  if (!s->kernel) return;
  s->eliminates = true;
  s->problem = s->turned;
}

static void look_free(search* s)
{
  if (!s->kernel && s->problem)
    s->kernel = rate_fused_cheapest_free(s->e, &s->f, s->problem, &s->sure);
}

// ---- what is kept -------------------------------------------------------------------------------

static void number_outputs(const engine* e, rate_lanes_choice* c)
{
  c->guard = 0;
  for (int i = 0; i < e->n; i++) {
    if (!c->depends[i]) c->put[i] = c->guard++;
    c->put_rate[i] = c->depends[i] ? 0 : -1;
  }
  for (int k = 0; k < 2 * c->turns; k++) c->put_rate[c->pair[k]] = 0;
  int at = c->guard + 1;
  for (int i = 0; i < e->n; i++)
    if (c->put_rate[i] == 0) c->put_rate[i] = at++;
  c->any = c->guard < e->n;
  c->meets = c->any || !c->rows;
  for (int r = 0; r < c->rows; r++)
    c->meets = c->meets && e->model->constraint[c->row[r]].order > 0;
  c->power = c->kernel && at < code_outputs(c->kernel) ? at : -1;
  c->watched = c->kernel && !(code_output_number(c->kernel, c->guard) > 0);
}

static rate_lanes_choice* choice_of(const search* s)
{
  engine* e = s->e;
  const size_t n = (size_t)e->n + 1, rows = (size_t)e->mode.rows;
  base_arena* arena = base_arena_new();
  rate_lanes_choice* c = base_arena_take(arena, sizeof *c);
  *c = (rate_lanes_choice){.arena = arena,
                           .kernel = s->kernel,
                           .rows = e->mode.rows,
                           .row = base_arena_take(arena, (rows + 1) * sizeof(int)),
                           .depends = base_arena_take(arena, n * sizeof(bool)),
                           .put = base_arena_take(arena, n * sizeof(int)),
                           .put_rate = base_arena_take(arena, n * sizeof(int))};
  if (rows) memcpy(c->row, e->mode.row, sizeof(int) * rows);
  for (int d = 0; s->eliminates && d < e->mode.rows; d++) c->depends[s->f.dependent[d]] = true;
  if (s->kernel && s->problem && s->problem->turned) {
    c->turns = s->problem->rows.turns;
    c->pair = s->problem->rows.pair;
    c->turn = s->problem->turn;
    if (!c->turn) c->kernel = NULL;
  }
  number_outputs(e, c);
  rate_lanes_turn_make(e, c);
  return c;
}

// by the velocities that the rows make dependent: the choice, or, where those do not serve, the
// problem with turns, by which they are found anew
typedef struct way
{
  rate_lanes_choice* choice;
  const rate_problem* turned;
} way;

static void release(void* thing)
{
  way* w = thing;
  if (w->choice) base_arena_free(w->choice->arena);
  free(w);
}

static const way* find(engine* e, base_key key)
{
  void* found;
  return base_kept_find(e->s->kept, key, &found) ? found : NULL;
}

// in this engine alone where it is not sure, or something in it is this engine's
static const way* keep(search* s, base_key key, way found, int attached)
{
  engine* e = s->e;
  way* w = base_alloc(sizeof *w);
  *w = found;
  if (s->sure && e->attached.n == attached)
    engine_keep(e, key, w, release);
  else
    engine_attach(e, release, w);
  return w;
}

static const way* make(search* s, base_key key, int attached)
{
  look_free(s);
  return keep(s, key, (way){.choice = choice_of(s)}, attached);
}

static bool serves(const search* s, const way* w)
{
  const rate_lanes_choice* c = w ? w->choice : NULL;
  return c && (!c->kernel || rate_fused_is_safe(s->e, c->kernel, c->guard, s->f.out));
}

static base_key key_of(rate_key* room, const search* s, bool turned)
{
  const int first[] = {(int)s->which, turned, s->chosen};
  return rate_key_by(room, s->e, "lanes", sizeof first / sizeof *first, first,
                     s->chosen ? s->e->mode.rows : 0, s->f.dependent);
}

static const way* by_turns(search* s, int attached)
{
  s->chosen = choose_turned(s->e, s->turned, s->f.dependent);
  rate_key room;
  const base_key key = key_of(&room, s, true);
  const way* w = find(s->e, key);
  if (!serves(s, w)) {
    s->sure = s->sure && !w;
    s->problem = rate_shared_problem(s->e, false);
    look_turned(s);
    w = make(s, key, attached);
  }
  rate_key_end(&room);
  return w;
}

static const way* by_rows(search* s)
{
  engine* e = s->e;
  const int attached = e->attached.n;
  rate_key room;
  const base_key key = key_of(&room, s, false);
  const way* w = find(e, key);
  if (w && w->turned) {
    s->turned = w->turned;
  } else if (!serves(s, w)) {
    s->sure = s->sure && !w;
    const bool settled = look_plainly(s);
    if (settled || !s->turned)
      w = make(s, key, attached);
    else
      keep(s, key, (way){.turned = s->turned}, attached);
  }
  rate_key_end(&room);
  return s->turned ? by_turns(s, attached) : w;
}

const rate_lanes_choice* rate_lanes_choose(engine* e, rate_velocities which)
{
  const bool small = engine_operations(e->program) <= rate_fused_most_exact;
  search s = {.e = e, .which = which, .sure = true};
  s.f = (rate_fused){.rows = e->mode.rows,
                     .dependent = e->work.fused_order + e->m,
                     .out = base_arena_take(e->arena, sizeof(double) * (size_t)(2 * e->n + 2)),
                     .effort = small ? 2 : 1,
                     .brief = true};
  if (rate_features(e) & ~(engine_features)RATE_TAKES_LANES) return NULL;
  if (!e->sparse) {
    code_run(e->program->eom, e->in, e->work.eom_out, e->work.scratch);
    e->factored = false;
    s.chosen = e->mode.rows && which != RATE_ALL && rate_fused_active(e, s.f.dependent);
  }
  base_kept_open(e->s->kept);
  const way* w = by_rows(&s);
  base_kept_unlock(e->s->kept);
  return w->choice;
}
