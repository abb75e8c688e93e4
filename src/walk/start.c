// The initial state: initial equations and constraints solved together, nearest to the guesses.
//
// Positions first, from the equations that hold no velocity, then velocities with the positions
// kept; only where that fails are both solved at once (an exact velocity may fix an angle).
#include "contact/contact.h"
#include "engine/engine.h"
#include "walk/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// one scalar equation and where it comes from
typedef struct origin
{
  expr f;
  base_place place;
  const char* constraint; // its name, or null for an initial equation
  bool holds_velocity;
} origin;

typedef struct problem
{
  engine* e;
  int count;
  origin* eq;
  // the equations and unknowns of the present attempt
  int rows, unknowns;
  int* row;            // numbers into eq
  int offset;          // first unknown: 0 positions, n velocities
  code_kernel* kernel; // F of all equations, then J of all equations by q and v
  double* out;
  double* scratch;
  double* weight; // 2n
  num_rows J;     // many coordinates: pattern of the derivatives by q and v
} problem;

static int evaluate(void* context, const double* x, double* F, double* J)
{
  problem* p = context;
  engine* e = p->e;
  const int n2 = 2 * e->n;
  memcpy(e->q + p->offset, x, sizeof(double) * (size_t)p->unknowns);
  code_run(p->kernel, e->in, p->out, p->scratch);
  int bad = 0;
  for (int i = 0; i < p->rows; i++) {
    const int k = p->row[i];
    F[i] = p->out[k];
    bad |= !isfinite(F[i]);
    for (int j = 0; J && j < p->unknowns; j++) {
      J[i * p->unknowns + j] = p->out[p->count + k * n2 + p->offset + j];
      bad |= !isfinite(J[i * p->unknowns + j]);
    }
  }
  return bad;
}

static void collect(problem* p, int count, const model_initial* initial)
{
  engine* e = p->e;
  const mech_system* s = e->s;
  p->eq = base_arena_take(e->arena, sizeof(origin) * (size_t)(count + 2 * e->m + 1));
  for (int i = 0; i < count; i++)
    if (!initial[i].guess && initial[i].coord != MODEL_TIME)
      p->eq[p->count++] = (origin){initial[i].f, initial[i].place, NULL, false};
  for (int r = 0; r < e->rows; r++) {
    const int k = e->row[r];
    const model_constraint* c = &e->model->constraint[k];
    if (s->f0[k] != EXPR_NONE) p->eq[p->count++] = (origin){s->f0[k], c->place, c->name, false};
    if (s->f1[k] != EXPR_NONE) p->eq[p->count++] = (origin){s->f1[k], c->place, c->name, true};
  }
  expr_index* by_v = expr_index_new(e->n, s->v);
  for (int i = 0; i < p->count; i++)
    p->eq[i].holds_velocity = p->eq[i].holds_velocity || expr_index_any(s->pool, by_v, p->eq[i].f);
  expr_index_free(by_v);
}

// ---- many coordinates ---------------------------------------------------------------------------

typedef struct sparse_jacobian
{
  int count;
  expr* value;
} sparse_jacobian;

// the derivatives that are not zero; their pattern goes into p->J
static sparse_jacobian list_slopes(problem* p)
{
  engine* e = p->e;
  expr_index* by = expr_index_new(2 * e->n, e->input + 1);
  expr_slope_list slopes = {0};
  BASE_LIST(expr) value = {0};
  BASE_LIST(int) column = {0};
  int* start = base_arena_take(e->arena, sizeof(int) * (size_t)(p->count + 1));
  for (int i = 0; i < p->count; i++) {
    expr_slopes(e->s->pool, by, e->input + 1, p->eq[i].f, &slopes);
    for (int k = 0; k < slopes.n; k++) {
      base_push(&column, slopes.at[k].number);
      base_push(&value, slopes.at[k].value);
    }
    start[i + 1] = column.n;
  }
  int* kept = base_arena_take(e->arena, sizeof(int) * (size_t)(column.n + 1));
  if (column.n) memcpy(kept, column.at, sizeof(int) * (size_t)column.n);
  p->J = (num_rows){start, kept};
  base_list_free(&slopes);
  base_list_free(&column);
  expr_index_free(by);
  return (sparse_jacobian){value.n, value.at};
}

static int row_of(const problem* p, int entry)
{
  int k = 0;
  while (p->J.start[k + 1] <= entry) k++;
  return k;
}

static void evaluate_all(void* context)
{
  problem* p = context;
  code_run(p->kernel, p->e->in, p->out, p->scratch);
}

static bool solve_sparse(problem* p)
{
  const engine_sparse_newton w = {.e = p->e,
                                  .count = p->count,
                                  .J = p->J,
                                  .value = p->out,
                                  .evaluate = evaluate_all,
                                  .context = p,
                                  .weight = p->weight};
  return engine_sparse_solve(&w, p->rows, p->row, p->offset, p->unknowns);
}

static bool build(problem* p, base_notes* notes)
{
  engine* e = p->e;
  expr_pool* pool = e->s->pool;
  const model* m = e->model;
  const int n2 = 2 * e->n;
  const sparse_jacobian J = e->sparse ? list_slopes(p) : (sparse_jacobian){0};
  const int count = p->count + (e->sparse ? J.count : p->count * n2);
  expr* list = base_alloc((size_t)(count ? count : 1) * sizeof *list);
  expr *from = base_alloc((size_t)m->params * sizeof *from + 1),
       *to = base_alloc((size_t)m->params * sizeof *to + 1);
  int fixed = 0;
  for (int i = 0; i < m->params; i++) {
    if (m->param[i].changes) continue;
    from[fixed] = m->param[i].symbol;
    to[fixed++] = m->param[i].value;
  }
  for (int i = 0; i < p->count; i++) {
    list[i] = p->eq[i].f;
    if (!e->sparse) expr_gradient(pool, p->eq[i].f, n2, e->input + 1, list + p->count + i * n2);
  }
  if (J.count) memcpy(list + p->count, J.value, sizeof(expr) * (size_t)J.count);
  expr_substitute_all(pool, count, list, fixed, from, to, list);
  bool whole = true;
  for (int i = 0; i < count; i++) {
    if (list[i] != EXPR_NONE || !whole) continue;
    int k = i;
    if (i >= p->count) k = e->sparse ? row_of(p, i - p->count) : (i - p->count) / n2;
    base_error(notes, p->eq[k].place, "this divides by zero for the params given");
    whole = false;
  }
  expr missing = EXPR_NONE;
  if (whole) p->kernel = code_build(pool, count, list, e->inputs, e->input, &missing);
  if (whole && !p->kernel)
    base_error(notes, BASE_NOWHERE,
               "the initial equations need `%s`, which has no value at the start",
               expr_name(pool, missing));
  if (p->kernel) {
    p->out = base_alloc(sizeof(double) * (size_t)(count ? count : 1));
    p->scratch = base_alloc(sizeof(double) * (code_scratch(p->kernel) + 1));
  }
  free(list);
  free(from);
  free(to);
  free(J.value);
  return p->kernel != NULL;
}

// which: 0 positions alone, 1 velocities alone, 2 both
static bool takes_part(const problem* p, int i, int which)
{
  return which == 2 || p->eq[i].holds_velocity == (which == 1);
}

// root mean square of the residuals at the engine's state; infinite where one is not defined
static double miss(problem* p, int which)
{
  engine* e = p->e;
  double sum = 0;
  int count = 0;
  code_run(p->kernel, e->in, p->out, p->scratch);
  for (int i = 0; i < p->count; i++) {
    if (!takes_part(p, i, which)) continue;
    sum += p->out[i] * p->out[i];
    count++;
  }
  return isfinite(sum) ? sqrt(sum / (count ? count : 1)) : INFINITY;
}

static num_newton_result attempt(problem* p, int which)
{
  engine* e = p->e;
  p->rows = 0;
  for (int i = 0; i < p->count; i++)
    if (takes_part(p, i, which)) p->row[p->rows++] = i;
  p->offset = which == 1 ? e->n : 0;
  p->unknowns = which == 2 ? 2 * e->n : e->n;
  if (!p->rows) return (num_newton_result){.solved = true};
  if (e->sparse) return (num_newton_result){.solved = solve_sparse(p)};
  double* x = base_alloc(sizeof(double) * (size_t)p->unknowns);
  memcpy(x, e->q + p->offset, sizeof(double) * (size_t)p->unknowns);
  num_newton_result r =
      num_newton(p->rows, p->unknowns, evaluate, p, p->weight + p->offset, NULL, 1e-11, 100, x);
  memcpy(e->q + p->offset, x, sizeof(double) * (size_t)p->unknowns);
  free(x);
  return r;
}

enum { most_settling = 30 };

// orthonormal rows of R = J W^-1 at the engine's state into Q; how many
static int weighted_rows(problem* p, double* Q)
{
  const int n = p->unknowns, n2 = 2 * p->e->n;
  int kept = 0;
  code_run(p->kernel, p->e->in, p->out, p->scratch);
  for (int r = 0; r < p->rows && kept < n; r++) {
    const double* J = p->out + p->count + p->row[r] * n2 + p->offset;
    double *row = Q + kept * n, norm = 0;
    for (int j = 0; j < n; j++) {
      row[j] = J[j] / p->weight[p->offset + j];
      norm = hypot(norm, row[j]);
    }
    for (int j = 0; j < n && norm > 0; j++) row[j] /= norm;
    const double left = norm > 0 ? engine_left_over(kept, n, Q, row) : 0;
    if (!(left > 1e-9)) continue;
    for (int j = 0; j < n; j++) row[j] /= left;
    kept++;
  }
  return kept;
}

// d = W (g - x); its length
static double way_to(const problem* p, const double* guess, double* d)
{
  double length = 0;
  for (int j = 0; j < p->unknowns; j++) {
    const int i = p->offset + j;
    d[j] = p->weight[i] * (guess[i] - p->e->q[i]);
    length = hypot(length, d[j]);
  }
  return length;
}

// A solution found after all unknowns were moved may lie nearer to the guess g, as where some of
// them have no part in the equations. Along the admissible directions:
//   min |W (x - g)|^2 under F(x) = 0:  W dx = (1 - R^+ R) W (g - x),  R = J W^-1,
// then back to F = 0, while that comes nearer.
static void settle_near(problem* p, int which, const double* guess)
{
  const int n = p->unknowns;
  const size_t room = (size_t)((p->rows + 3) * n);
  double *Q = base_alloc(sizeof(double) * (room + 1)), *d = Q + (p->rows + 1) * n, *kept = d + n;
  double* x = p->e->q + p->offset;
  for (int turn = 0; turn < most_settling; turn++) {
    const int rows = weighted_rows(p, Q);
    const double before = way_to(p, guess, d);
    if (!(engine_left_over(rows, n, Q, d) > 1e-15 * (1 + before))) break;
    memcpy(kept, x, sizeof(double) * (size_t)n);
    for (int j = 0; j < n; j++) x[j] += d[j] / p->weight[p->offset + j];
    const num_newton_result back = attempt(p, which);
    if (back.solved && !back.nudges && way_to(p, guess, d) < before) continue;
    memcpy(x, kept, sizeof(double) * (size_t)n);
    break;
  }
  free(Q);
}

// The same for many coordinates: those that are no further from the guess than they were shaken go
// back to it, and the equations are solved from there.
static void settle_many(problem* p, int which, const double* guess, double size)
{
  const int n = p->unknowns;
  double *d = base_alloc(sizeof(double) * (size_t)(2 * n + 1)), *kept = d + n;
  double* x = p->e->q + p->offset;
  const double before = way_to(p, guess, d);
  memcpy(kept, x, sizeof(double) * (size_t)n);
  for (int j = 0; j < n; j++)
    if (fabs(x[j] - guess[p->offset + j]) <= size) x[j] = guess[p->offset + j];
  if (!attempt(p, which).solved || !(way_to(p, guess, d) < before))
    memcpy(x, kept, sizeof(double) * (size_t)n);
  free(d);
}

static bool solve_one(problem* p, int which, bool* shaken)
{
  engine* e = p->e;
  const int n2 = 2 * e->n;
  double *guess = base_alloc(sizeof(double) * (size_t)n2),
         *best = base_alloc(sizeof(double) * (size_t)n2);
  memcpy(guess, e->q, sizeof(double) * (size_t)n2);
  uint64_t seed = 20181;
  double least = miss(p, which);
  memcpy(best, guess, sizeof(double) * (size_t)n2);
  bool solved = false;
  for (int turn = 0; turn < 13 && !solved; turn++) {
    memcpy(e->q, guess, sizeof(double) * (size_t)n2);
    const int from = which == 1 ? e->n : 0, n = which == 2 ? n2 : e->n;
    const double size = 1e-3 * pow(10, (turn - 1) / 3);
    if (turn) engine_shake(e->q + from, n, guess + from, size, &seed);
    const num_newton_result found = attempt(p, which);
    solved = found.solved;
    *shaken = *shaken || (solved && turn > 0);
    if (solved && turn && e->sparse) settle_many(p, which, guess, size);
    if (solved && (turn || found.nudges) && !e->sparse) settle_near(p, which, guess);
    const double residual = miss(p, which);
    if (solved || residual < least) {
      least = residual;
      memcpy(best, e->q, sizeof(double) * (size_t)n2);
    }
  }
  memcpy(e->q, best, sizeof(double) * (size_t)n2);
  free(guess);
  free(best);
  return solved;
}

static void report(problem* p, base_notes* notes)
{
  engine* e = p->e;
  code_run(p->kernel, e->in, p->out, p->scratch);
  int worst = -1, undefined = -1;
  for (int i = 0; i < p->count; i++) {
    if (!isfinite(p->out[i]) && undefined < 0) undefined = i;
    if (worst < 0 || fabs(p->out[i]) > fabs(p->out[worst])) worst = i;
  }
  if (undefined >= 0) {
    base_error(
        notes, p->eq[undefined].place,
        "%s%s has no finite value at the start (a division by zero, or a root or logarithm of "
        "a negative number)",
        p->eq[undefined].constraint ? "constraint " : "this initial equation",
        p->eq[undefined].constraint ? p->eq[undefined].constraint : "");
    base_help(notes, "give a guess away from that point with `initial NAME ~ VALUE`");
    return;
  }
  base_text names = {0};
  int listed = 0;
  for (int i = 0; i < p->count; i++) {
    if (!(fabs(p->out[i]) > 1e-9 * (1 + fabs(p->out[worst])))) continue;
    if (++listed > 6) continue;
    base_text_add(&names, listed > 1 ? ", " : "");
    if (p->eq[i].constraint)
      base_text_printf(&names, "constraint `%s`%s is off by %.6g", p->eq[i].constraint,
                       p->eq[i].holds_velocity ? " (velocities)" : "", p->out[i]);
    else
      base_text_printf(&names, "`%s` is off by %.6g",
                       base_notes_quote(notes, p->eq[i].place, e->arena), p->out[i]);
  }
  if (listed > 6) base_text_printf(&names, " and %d more", listed - 6);
  bool asked = false;
  for (int i = 0; i < p->count; i++) asked = asked || !p->eq[i].constraint;
  base_error(notes, worst >= 0 ? p->eq[worst].place : BASE_NOWHERE,
             "%s; at the nearest state found %s",
             asked ? "the initial values and the constraints contradict each other"
                   : "no state satisfies the constraints together",
             names.at ? names.at : "they stay unsolved");
  if (asked)
    base_help(notes,
              "write `~` in place of `=` where a value is only a guess that may be adjusted");
  base_text_free(&names);
}

// general guesses such as `pos(P).x ~ 0.3`: a first solve takes them as equations
static void take_guesses(problem* p, int count, const model_initial* initial, base_notes* notes)
{
  engine* e = p->e;
  int general = 0;
  for (int i = 0; i < count; i++) {
    const model_initial* g = &initial[i];
    if (g->coord < 0) {
      general += g->guess;
      continue;
    }
    const double value = engine_value(e, g->value);
    (g->order ? e->v : e->q)[g->coord] = value;
    if (g->guess) p->weight[g->order * e->n + g->coord] = 10;
  }
  if (!general) return;
  problem wish = {.e = e, .weight = p->weight};
  model_initial* all = base_arena_take(e->arena, sizeof *all * (size_t)count);
  memcpy(all, initial, sizeof *all * (size_t)count);
  for (int i = 0; i < count; i++) all[i].guess = all[i].guess && all[i].coord >= 0;
  collect(&wish, count, all);
  wish.row = base_arena_take(e->arena, sizeof(int) * (size_t)(wish.count + 1));
  if (build(&wish, notes)) {
    bool shaken = false;
    double* before = base_alloc(sizeof(double) * (size_t)(2 * e->n));
    memcpy(before, e->q, sizeof(double) * (size_t)(2 * e->n));
    if (!(solve_one(&wish, 0, &shaken) && solve_one(&wish, 1, &shaken)) &&
        !attempt(&wish, 2).solved)
      memcpy(e->q, before, sizeof(double) * (size_t)(2 * e->n));
    free(before);
  }
  code_free(wish.kernel);
  free(wish.out);
  free(wish.scratch);
}

// With the constraints active now. `seed`: guesses where nothing is said, null for those of the
// model; `moved`: how far the coordinates had to go from the guesses.
static bool start_with(engine* e, double t, int count, const model_initial* initial,
                       base_notes* notes, const double* seed, double* moved)
{
  const int n2 = 2 * e->n;
  problem p = {.e = e};
  engine_time(e, t);
  for (int i = 0; i < n2; i++) e->q[i] = i >= e->n ? 0 : seed ? seed[i] : e->model->coord[i].start;
  p.weight = base_arena_take(e->arena, sizeof(double) * (size_t)n2);
  for (int i = 0; i < n2; i++) p.weight[i] = 1;
  take_guesses(&p, count, initial, notes);
  collect(&p, count, initial);
  p.row = base_arena_take(e->arena, sizeof(int) * (size_t)(p.count + 1));
  bool solved = false, shaken = false;
  if (build(&p, notes)) {
    double* guess = base_alloc(sizeof(double) * (size_t)n2);
    memcpy(guess, e->q, sizeof(double) * (size_t)n2);
    solved = solve_one(&p, 0, &shaken) && solve_one(&p, 1, &shaken);
    if (!solved) {
      memcpy(e->q, guess, sizeof(double) * (size_t)n2);
      solved = solve_one(&p, 2, &shaken);
    }
    *moved = 0;
    for (int i = 0; i < e->n; i++) *moved = hypot(*moved, p.weight[i] * (e->q[i] - guess[i]));
    free(guess);
    if (!solved) report(&p, notes);
    if (solved && shaken) {
      base_warning(
          notes, BASE_NOWHERE,
          "the guesses lie where a constraint has no gradient; one of several initial states "
          "was chosen");
      base_help(notes, "give guesses with `initial NAME ~ VALUE` to choose another");
    }
  }
  code_free(p.kernel);
  free(p.out);
  free(p.scratch);
  return solved;
}

static void tell_of_impacts(const engine* e, base_notes* notes)
{
  const contact_inequalities* u = e->unilateral;
  for (int i = 0; i < u->count; i++) {
    const model_constraint* c = &e->model->constraint[u->of[i]];
    if (u->impulse[i] > 0)
      base_warning(notes, c->place,
                   "the initial state runs into `%s`: the velocities are those after the impact",
                   contact_inequality_name(e, i));
  }
}

// do the surfaces of contact i land, and are not released?
static bool may_land(const engine* e, int i)
{
  const model_contact* c = &e->model->contact[i];
  return c->lands && e->unilateral->present[contact_inequality_find(e->unilateral, c->gap)];
}

// Contacts of surfaces that can land touch at the start, but for the i with bit i in `apart`.
static void touch(engine* e, unsigned apart)
{
  const contact_inequalities* u = e->unilateral;
  for (int i = 0; i < e->model->contacts; i++)
    if (may_land(e, i)) e->active[e->model->contact[i].gap] = !(apart >> i & 1);
  for (int j = 0; j < u->links; j++)
    if (e->model->constraint[u->link[j]].contact)
      e->active[u->link[j]] = u->link_present[j] && e->active[u->of[u->link_of[j]]];
}

static void tie(engine* e, unsigned apart, bool on)
{
  for (int i = 0; apart && i < e->model->contacts; i++) {
    const model_near* near = &e->model->contact[i].near;
    for (int k = 0; k < near->count && apart >> i & 1; k++) e->active[near->row[k]] = on;
  }
  engine_rows(e);
}

// Where surfaces start apart, the place of the bodies is found first, then the points of the bases
// that are next to them: a guess of all coordinates, null where there is none to be made.
static double* seed_of(engine* e, double t, int count, const model_initial* initial,
                       base_notes* notes, unsigned apart, double* moved)
{
  const int before = base_notes_count(notes);
  *moved = 0;
  if (!apart) return NULL;
  tie(e, apart, false);
  bool met = start_with(e, t, count, initial, notes, NULL, moved);
  tie(e, apart, true);
  for (int i = 0; met && i < e->model->contacts; i++)
    if (apart >> i & 1) met = contact_foot_seed(e, i);
  base_notes_cut(notes, before);
  if (!met) return NULL;
  double* seed = base_arena_take(e->arena, sizeof(double) * (size_t)e->n);
  memcpy(seed, e->q, sizeof(double) * (size_t)e->n);
  return seed;
}

// are those that are to be apart so, or about to?
static bool are_apart(engine* e, unsigned apart)
{
  for (int i = 0; i < e->model->contacts; i++)
    if (contact_foot_is_followed(e, i) && contact_foot_change(e, i)) return false;
  code_run(e->levels, e->in, e->level_out, e->scratch);
  for (int i = 0; apart && i < e->model->contacts; i++) {
    if (!(apart >> i & 1)) continue;
    const int k = contact_inequality_find(e->unilateral, e->model->contact[i].gap);
    const double gap = contact_inequality_gap(e, k) / contact_inequality_length(e);
    const double rate = contact_inequality_rate(e, k) / contact_inequality_speed(e);
    if (gap < -contact_gap_noise || (gap <= contact_gap_noise && fabs(rate) <= contact_speed_noise))
      return false;
  }
  return true;
}

// Inequalities are left aside first; those that the state then violates hold as equations in the
// next attempt, which finds the nearest state that obeys them.
static bool start_apart(engine* e, double t, int count, const model_initial* initial,
                        base_notes* notes, unsigned apart, double* moved)
{
  contact_inequalities* u = e->unilateral;
  for (int i = 0; u && i < u->count; i++) e->active[u->of[i]] = false;
  for (int j = 0; u && j < u->links; j++) e->active[u->link[j]] = false;
  if (u) touch(e, apart);
  engine_rows(e);
  double seeded;
  const double* seed = seed_of(e, t, count, initial, notes, apart, &seeded);
  if (!start_with(e, t, count, initial, notes, seed, moved)) return false;
  *moved += seeded;
  if (!are_apart(e, apart)) return false;
  while (u && contact_inequality_hold_violated(e))
    if (!start_with(e, t, count, initial, notes, seed, moved)) return false;
  if (u && contact_regime_start(e) && !start_with(e, t, count, initial, notes, seed, moved))
    return false;
  if (!u || e->by_impulses) return true;
  engine_time(e, t);
  if (!contact_first_sides(e) && !contact_inequality_decide(e, e->look_ahead, NULL, NULL)) {
    tell_of_impacts(e, notes);
    return true;
  }
  base_error(notes, BASE_NOWHERE, "at the start: %s", e->reason);
  return false;
}

// Surfaces that roll or slide touch, unless what is given exactly puts them apart: the fewest are
// apart with which it can be met, and of those the ones nearest to the guesses.
bool walk_start(engine* e, double t, int count, const model_initial* initial, base_notes* notes)
{
  enum { most_apart = 8 };
  const int before = base_notes_count(notes);
  unsigned all = 0;
  double moved;
  for (int i = 0; e->unilateral && i < e->model->contacts && i < most_apart; i++)
    if (may_land(e, i)) all |= 1u << i;
  if (start_apart(e, t, count, initial, notes, 0, &moved)) return true;
  const int failed = base_notes_count(notes);
  for (int many = 1; all && many <= most_apart; many++) {
    unsigned best = 0;
    double least = INFINITY;
    for (unsigned apart = 1; apart <= all; apart++) {
      if ((apart & ~all) || __builtin_popcount(apart) != many) continue;
      const bool met = start_apart(e, t, count, initial, notes, apart, &moved);
      base_notes_cut(notes, failed);
      if (!met || !(moved < least)) continue;
      least = moved;
      best = apart;
    }
    if (!best) continue;
    base_notes_cut(notes, before);
    return start_apart(e, t, count, initial, notes, best, &moved);
  }
  return false;
}
