// Stability of a steady or periodic motion of a model.
//
// On the constraint surface and across the family of steady motions (study_steady_family) the
// changes z of the state obey z' = B z, B = U^T J U. A real part above zero: unstable. All below
// zero: stable, asymptotically in what is no shift along the family (Lyapunov; Malkin for the zeros
// of the family). In between the linear system is silent, and a definite energy may still decide.
#include "study/stability.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double plain_zero = 1e-12; // pivots of a singular matrix
static const double leads_out = 1e-7;   // of the constraint surface: the linear system is wrong
static const double at_a_corner = 1e-9; // switching functions below this are zero

static double* doubles(base_arena* a, int count)
{
  return base_arena_take(a, sizeof(double) * (size_t)(count + 1));
}

const char* study_stability_word(study_stability_verdict v)
{
  return v == STUDY_STABLE ? "stable" : v == STUDY_UNSTABLE ? "unstable" : "marginal";
}

// ---- what cannot be linearised ------------------------------------------------------------------

static bool is_smooth(engine* e, base_notes* notes)
{
  if (e->program->modes.count)
    code_run(e->program->switches, e->in, e->work.switching, e->work.scratch);
  for (int i = 0; i < e->program->modes.count; i++) {
    if (!e->mode.held[i] && fabs(e->work.switching[i]) > at_a_corner) continue;
    base_error(notes, BASE_NOWHERE,
               "the forces or constraints have a corner at this motion (sign, abs, a condition); "
               "they cannot be linearised there");
    return false;
  }
  return true;
}

// ---- eigenvalues --------------------------------------------------------------------------------

// U^T J U
static void across(const study_linear* l, int k, const double* U, double* B)
{
  const int N = 2 * l->n;
  for (int h = 0; h < k; h++)
    for (int j = 0; j < k; j++) B[h * k + j] = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < k; j++) {
      double sum = 0;
      for (int m = 0; m < N; m++) sum += l->J[i * N + m] * U[m * k + j];
      for (int h = 0; h < k; h++) B[h * k + j] += U[i * k + h] * sum;
    }
}

static void take_shapes(const study_linear* l, const double* U, const double* B, study_stability* r)
{
  const int N = 2 * l->n, k = r->count;
  double *x = doubles(r->arena, k), *y = doubles(r->arena, k);
  r->shape_re = doubles(r->arena, k * N);
  r->shape_im = doubles(r->arena, k * N);
  for (int m = 0; m < k; m++) {
    num_eigen_vector(k, B, r->re[m], r->im[m], x, y);
    for (int i = 0; i < N; i++)
      for (int j = 0; j < k; j++) {
        r->shape_re[m * N + i] += U[i * k + j] * x[j];
        r->shape_im[m * N + i] += U[i * k + j] * y[j];
      }
  }
}

// B on the complement of its null space, in place; returns the new size
static int without_null(base_arena* arena, int k, double* B, double size)
{
  double *V = doubles(arena, k * k), *T = doubles(arena, k * k), *Nt = doubles(arena, k * k);
  const int z = study_steady_null(k, k, B, size, plain_zero, V);
  if (z == 0) return k;
  for (int i = 0; i < k; i++)
    for (int h = 0; h < z; h++) Nt[h * k + i] = V[i * z + h];
  const int rest = study_steady_null(k, z, Nt, 0, plain_zero, V);
  for (int i = 0; i < k; i++)
    for (int j = 0; j < rest; j++)
      for (int m = 0; m < k; m++) T[i * rest + j] += B[i * k + m] * V[m * rest + j];
  memset(B, 0, sizeof(double) * (size_t)(k * k));
  for (int h = 0; h < rest; h++)
    for (int j = 0; j < rest; j++)
      for (int i = 0; i < k; i++) B[h * rest + j] += V[i * rest + h] * T[i * rest + j];
  return rest;
}

// Eigenvalues of B. Zeros that are no part of the family (a turn that comes with a lean) are taken
// out first by their vectors, again and again while there are any: as members of a chain they would
// only be known to a root of rounding. `size` is what entries of B are compared with.
static bool eigenvalues(base_arena* arena, int k, const double* B, double size, double* re,
                        double* im)
{
  double* C = doubles(arena, k * k);
  memcpy(C, B, sizeof(double) * (size_t)(k * k));
  int rest = k;
  for (int before = k + 1; rest > 0 && rest < before;) {
    before = rest;
    rest = without_null(arena, rest, C, size);
  }
  if (!num_eigen(rest, C, re, im)) return false;
  // zeros to their place among the others, which are in order
  for (int h = rest; h < k; h++) {
    int at = h;
    for (; at > 0 && re[at - 1] > 0; at--) {
      re[at] = re[at - 1];
      im[at] = im[at - 1];
    }
    re[at] = im[at] = 0;
  }
  return true;
}

static double largest(int count, const double* x)
{
  double most = 0;
  for (int i = 0; i < count; i++) most = fmax(most, fabs(x[i]));
  return most;
}

// the group that carries the motion along: with shifts of ignorable coordinates alone, or turns too
typedef struct carrier
{
  study_symmetry s;
  double* xi;
  bool relative;
} carrier;

static bool spectrum(study_linear* l, const carrier* c, study_stability* r, base_notes* notes)
{
  const int N = 2 * l->n;
  double *F = doubles(r->arena, N * N), *U = doubles(r->arena, N * N),
         *B = doubles(r->arena, N * N);
  r->dimension = study_linear_tangent(l);
  if (c->relative) study_relative_turn(l, &c->s, c->xi);
  const double off = study_linear_reduce(l, B);
  if (!(off < leads_out)) {
    base_error(
        notes, BASE_NOWHERE,
        "the linearised equations do not keep the constraints (off by %.1e): the constraints "
        "lose rank at this motion",
        off);
    return false;
  }
  r->family = c->relative ? study_relative_family(l, &c->s, F, U)
                          : study_steady_family(l, r->ignorable, F, U);
  r->count = r->dimension - r->family;
  across(l, r->count, U, B);
  r->re = doubles(r->arena, r->count);
  r->im = doubles(r->arena, r->count);
  if (!eigenvalues(r->arena, r->count, B, largest(N * N, l->J), r->re, r->im)) {
    base_error(notes, BASE_NOWHERE, "the eigenvalues could not be computed");
    return false;
  }
  take_shapes(l, U, B, r);
  study_stability_judge(l, &c->s, c->relative ? NULL : F, r);
  return true;
}

// ---- the answer ---------------------------------------------------------------------------------

static void keep_state(const engine* e, study_stability* r)
{
  r->t = e->in[0];
  memcpy(r->q, e->q, sizeof(double) * (size_t)e->n);
  memcpy(r->v, e->v, sizeof(double) * (size_t)e->n);
}

static study_stability* make(const engine* e)
{
  base_arena* arena = base_arena_new();
  study_stability* r = base_arena_take(arena, sizeof *r);
  r->arena = arena;
  r->model = e->model;
  r->n = e->n;
  r->q = doubles(arena, e->n);
  r->v = doubles(arena, e->n);
  r->ignorable = base_arena_take(arena, sizeof(bool) * (size_t)(e->n + 1));
  return r;
}

static bool is_near(int n, const double* a, const double* b)
{
  for (int i = 0; i < n; i++)
    if (fabs(a[i] - b[i]) > 1e-9 * (1 + fabs(a[i]))) return false;
  return true;
}

// the relative equilibrium next to one of the states, the one that keeps more initial equations
static bool find_turning(study_linear* l, int count, const model_initial* initial, int starts,
                         double* const* start, study_stability* r, carrier* c)
{
  engine* e = l->e;
  const size_t bytes = sizeof(double) * (size_t)(2 * e->n);
  double *best = doubles(r->arena, 2 * e->n), *xi = doubles(r->arena, c->s.count);
  int kept = -1;
  for (int i = 0; i < starts && kept < 1; i++) {
    int now = 0;
    memcpy(e->q, start[i], bytes);
    e->factored = false;
    if (!study_relative_find(l, &c->s, count, initial, r->arena, xi, &now) || now <= kept) continue;
    kept = now;
    memcpy(best, e->q, bytes);
    memcpy(c->xi, xi, sizeof(double) * (size_t)c->s.count);
  }
  if (kept < 0) return false;
  memcpy(e->q, best, bytes);
  e->factored = false;
  study_relative_calm(l, &c->s, c->xi);
  r->moved = !is_near(2 * e->n, start[0], best);
  r->C = doubles(r->arena, e->n * e->n);
  r->c = doubles(r->arena, e->n);
  study_symmetry_sum(&c->s, c->xi, 0, r->C, r->c);
  return true;
}

// Shifts of ignorable coordinates first: what they carry along is steady in the coordinates. Where
// the state moves otherwise and a symmetry explains how, the relative equilibrium next to it.
static bool find_carried(study_linear* l, int count, const model_initial* initial, bool turning,
                         int starts, double* const* start, study_stability* r, carrier* c,
                         base_notes* notes)
{
  engine* e = l->e;
  const size_t bytes = sizeof(double) * (size_t)(2 * e->n);
  double* found = doubles(r->arena, 2 * e->n);
  base_notes* quiet = base_notes_new();
  memcpy(e->q, start[0], bytes);
  e->factored = false;
  const bool plain = study_steady_find(l, r->ignorable, count, initial, &r->moved, quiet);
  const bool warned = base_notes_count(quiet) > 0;
  base_notes_free(quiet);
  memcpy(found, e->q, bytes);
  memcpy(e->q, start[0], bytes);
  e->factored = false;
  bool explained = false;
  if (!plain || r->moved || turning) {
    c->s = study_symmetry_find(l, 0, r->arena);
    c->xi = doubles(r->arena, c->s.count);
    explained = study_relative_explains(&c->s, e, r->ignorable);
    c->relative = explained && find_turning(l, count, initial, starts, start, r, c);
    if (c->relative) return true;
  }
  if (explained) {
    base_error(notes, BASE_NOWHERE,
               "the initial state turns with a symmetry of the equations, but no motion near it "
               "turns steadily");
    base_help(notes, "give a state nearer to one with `--state \"x=1, x'=2\"`");
    return false;
  }
  memcpy(e->q, start[0], bytes);
  e->factored = false;
  // once more aloud
  if ((!plain || warned) && !study_steady_find(l, r->ignorable, count, initial, &r->moved, notes))
    return false;
  memcpy(e->q, found, bytes);
  e->factored = false;
  c->s = study_symmetry_shifts(e->n, r->ignorable, r->arena);
  return true;
}

static bool steady(study_linear* l, const study_stability_options* o, study_stability* r,
                   base_notes* notes)
{
  engine* e = l->e;
  const model* m = e->model;
  const bool own = !o->state;
  carrier c = {0};
  // the motion found last, then the initial state
  double* start[2] = {doubles(r->arena, 2 * e->n), doubles(r->arena, 2 * e->n)};
  const bool follow = o->near && o->near->n == e->n;
  memcpy(start[follow], e->q, sizeof(double) * (size_t)(2 * e->n));
  if (follow) {
    memcpy(start[0], o->near->q, sizeof(double) * (size_t)e->n);
    memcpy(start[0] + e->n, o->near->v, sizeof(double) * (size_t)e->n);
  }
  if (!find_carried(l, own ? m->initials : o->given, own ? m->initial : o->state,
                    follow && o->near->C, 1 + follow, start, r, &c, notes))
    return false;
  if (contact_sides(e) || study_linear_at(l)) {
    base_error(notes, BASE_NOWHERE, "no accelerations at the steady motion: %s", e->reason);
    return false;
  }
  if (!is_smooth(e, notes)) return false;
  keep_state(e, r);
  if (!spectrum(l, &c, r, notes)) return false;
  if (o->all && !c.relative)
    study_stability_others(l, own ? m->initials : o->given, own ? m->initial : o->state, o->near,
                           r);
  return true;
}

study_stability* study_stability_here(study_linear* l, const study_stability* like,
                                      base_notes* notes)
{
  engine* e = l->e;
  study_stability* r = make(e);
  memcpy(r->ignorable, like->ignorable, (size_t)e->n);
  carrier c = {.s = study_symmetry_shifts(e->n, r->ignorable, r->arena)};
  if (!contact_sides(e) && !study_linear_at(l) && is_smooth(e, notes)) {
    keep_state(e, r);
    r->moved = true;
    if (spectrum(l, &c, r, notes)) return r;
  }
  study_stability_free(r);
  return NULL;
}

static bool find(study_linear* l, const study_stability_options* o, study_stability* r,
                 base_notes* notes)
{
  engine* e = l->e;
  bool timed;
  if (!is_smooth(e, notes) || !study_steady_look(l, r->ignorable, &timed, notes)) return false;
  if (contact_sides(e)) return false;
  if (o->period > 0 || (timed && study_period_find(l, &r->period))) {
    r->own_period = !(o->period > 0);
    if (o->period > 0) r->period = o->period;
    keep_state(e, r);
    return study_floquet(l, r->ignorable, timed, r, notes);
  }
  if (timed) {
    base_error(notes, BASE_NOWHERE,
               "the equations depend on time, and no period of theirs was found: no motion is "
               "steady, its eigenvalues say nothing");
    base_help(notes, "where they are periodic, say `--period T`");
    return false;
  }
  return steady(l, o, r, notes);
}

bool study_stability_begin(engine* e, const study_stability_options* o, base_notes* notes)
{
  const model* m = e->model;
  if (m->delays) {
    base_error(
        notes, m->delay[0].place,
        "with a delay a motion depends on all that was before: no equations of finitely many "
        "states are linear ones of it");
    base_help(notes, "a lag of first order may stand for it: state z, rate z = (x - z)/T");
    return false;
  }
  bool touches = e->unilateral;
  for (int i = 0; i < m->meetings; i++) touches = touches || m->meeting[i].looked_for;
  if (touches) {
    base_error(notes, BASE_NOWHERE,
               "the model has inequalities: its motion is not smooth, and stability is not decided "
               "by linear equations");
    base_help(notes, m->contacts ? "write the constraints that hold in the steady motion as "
                                   "equations, and contacts that stay without `release`"
                                 : "write the constraints that hold in the steady motion as "
                                   "equations");
    return false;
  }
  engine_time(e, 0);
  double t = m->has_run ? engine_value(e, m->run_from) : 0;
  for (int i = 0; i < o->given; i++)
    if (o->state[i].coord == MODEL_TIME) t = engine_value(e, o->state[i].value);
  engine_time(e, t);
  if (m->stages && walk_change_first(e, &m->stage[0].change, notes)) return false;
  if (!walk_start(e, t, o->state ? o->given : m->initials, o->state ? o->state : m->initial, notes,
                  NULL))
    return false;
  engine_time(e, t);
  if (walk_gradient_missing(e, notes)) return false;
  engine_set_aside(e);
  return walk_first_accelerations(e, notes);
}

study_stability* study_stability_find(mech_system* s, const study_stability_options* o,
                                      base_notes* notes)
{
  engine* e = contact_engine_new(s, notes);
  if (!e) return NULL;
  study_linear* l = study_stability_begin(e, o, notes) ? study_linear_new(e, notes) : NULL;
  study_stability* r = l ? make(e) : NULL;
  if (r && !find(l, o, r, notes)) {
    study_stability_free(r);
    r = NULL;
  }
  study_linear_free(l);
  engine_free(e);
  return r;
}

void study_stability_free(study_stability* r)
{
  if (!r) return;
  for (int k = 0; k < r->others; k++) study_stability_free(r->other[k]);
  base_arena_free(r->arena);
}
