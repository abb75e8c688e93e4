// Stability of a steady or periodic motion of a model.
//
// On the constraint surface and across the family of steady motions (study_steady_family) the
// changes z of the state obey z' = B z, B = U^T J U. A real part above zero: unstable. All below
// zero: stable, asymptotically in what is no shift along the family (Lyapunov; Malkin for the zeros
// of the family). In between the linear system is silent, and a definite energy may still decide.
#include "study/branch.h"
#include "study/orbit.h"
#include "study/swing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static void say_changed(const model_event* event, base_notes* notes)
{
  base_error(notes, event->place,
             "this changes the motion: linear equations about a steady motion do not know of it");
  base_help(notes, "a periodic motion through it is looked at with `--period T`");
}

// Events that change the motion leave alone what stays away from where they happen.
bool study_stability_is_undisturbed(engine* e, base_notes* notes)
{
  const model* m = e->model;
  for (int i = 0; i < m->events; i++) {
    if (m->event[i].action != MODEL_CHANGE) continue;
    if (fabs(engine_value(e, m->event[i].g)) > at_a_corner) continue;
    say_changed(&m->event[i], notes);
    return false;
  }
  return true;
}

bool study_stability_is_smooth(engine* e, base_notes* notes)
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

// ---- the answer ---------------------------------------------------------------------------------

// Newton's method comes to zero by squares, and never there: 1e-172 m is nothing
static double plain(double x)
{
  return fabs(x) < 1e-100 ? 0 : x;
}

void study_stability_keep(const engine* e, study_stability* r)
{
  r->t = e->in[0];
  for (int i = 0; i < e->n; i++) {
    r->q[i] = plain(e->q[i]);
    r->v[i] = plain(e->v[i]);
  }
}

study_stability* study_stability_new(const engine* e)
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

// the motion in the engine, which turns, is the one looked for from `start`
static void take_turning(study_linear* l, const double* start, study_stability* r, study_carrier* c)
{
  engine* e = l->e;
  study_relative_calm(l, &c->s, c->xi);
  r->moved = !is_near(2 * e->n, start, e->q);
  r->C = doubles(r->arena, e->n * e->n);
  r->c = doubles(r->arena, e->n);
  study_symmetry_sum(&c->s, c->xi, 0, r->C, r->c);
}

// the relative equilibrium next to one of the states, the one that keeps more initial equations
static bool find_turning(study_linear* l, int count, const model_initial* initial, int starts,
                         double* const* start, study_stability* r, study_carrier* c)
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
  take_turning(l, start[0], r, c);
  return true;
}

// Where the motion found without a turn (the engine's) has left exact initial equations, one that
// turns may have more of them, or the same number with an earlier one: a lean that was told is not
// given up for the upright. That one into the engine, or nothing is done.
static bool find_kept(study_linear* l, int count, const model_initial* initial, const double* start,
                      bool plain, study_stability* r, study_carrier* c)
{
  engine* e = l->e;
  const size_t bytes = sizeof(double) * (size_t)(2 * e->n);
  double* found = doubles(r->arena, 2 * e->n);
  int first = 0, first_turning = 0, shifts = 0;
  for (int i = 0; i < e->n; i++) shifts += r->ignorable[i];
  const int broken = plain ? study_kept_broken(e, &c->s, count, initial, &first) : count + 1;
  if (broken == 0 || c->s.count <= shifts) return false;
  memcpy(found, e->q, bytes);
  memcpy(e->q, start, bytes);
  e->factored = false;
  bool better = study_relative_keep(l, &c->s, count, initial, r->arena, c->xi);
  const int more = better ? study_kept_broken(e, &c->s, count, initial, &first_turning) : 0;
  better = better && (more < broken || (more == broken && first_turning > first));
  if (better) take_turning(l, start, r, c);
  if (!better) memcpy(e->q, found, bytes);
  e->factored = false;
  return better;
}

static void warn_of_broken(engine* e, const study_carrier* c, int count,
                           const model_initial* initial, base_notes* notes)
{
  int first;
  if (!study_kept_broken(e, &c->s, count, initial, &first)) return;
  const bool named = initial[first].coord >= 0;
  base_warning(notes, BASE_NOWHERE,
               "no steady motion has all that is given; the one shown keeps what is given first, "
               "and leaves %s%s%s",
               named ? "`" : "an equation", named ? e->model->coord[initial[first].coord].name : "",
               named ? (initial[first].order ? "'`" : "`") : "");
}

// Shifts of ignorable coordinates first: what they carry along is steady in the coordinates. Where
// the state moves otherwise and a symmetry explains how, the relative equilibrium next to it.
static bool find_carried(study_linear* l, int count, const model_initial* initial, bool turning,
                         int starts, double* const* start, study_stability* r, study_carrier* c,
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
    memcpy(e->q, found, bytes);
    e->factored = false;
    c->relative = find_kept(l, count, initial, start[0], plain, r, c);
    if (c->relative) {
      warn_of_broken(e, c, count, initial, notes);
      return true;
    }
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

bool study_steady_next(study_linear* l, const study_stability_options* o, study_stability* r,
                       study_carrier* c, base_notes* notes)
{
  engine* e = l->e;
  const model* m = e->model;
  const bool own = !o->state;
  // the motion found last, then the initial state
  double* start[2] = {doubles(r->arena, 2 * e->n), doubles(r->arena, 2 * e->n)};
  const bool follow = o->near && o->near->n == e->n;
  memcpy(start[follow], e->q, sizeof(double) * (size_t)(2 * e->n));
  if (follow) {
    memcpy(start[0], o->near->q, sizeof(double) * (size_t)e->n);
    memcpy(start[0] + e->n, o->near->v, sizeof(double) * (size_t)e->n);
  }
  if (!find_carried(l, own ? m->initials : o->given, own ? m->initial : o->state,
                    follow && o->near->C, 1 + follow, start, r, c, notes))
    return false;
  if (contact_sides(e) || study_linear_at(l)) {
    base_error(notes, BASE_NOWHERE, "no accelerations at the steady motion: %s", e->reason);
    return false;
  }
  return study_stability_is_smooth(e, notes) && study_stability_is_undisturbed(e, notes);
}

static bool steady(study_linear* l, const study_stability_options* o, study_stability* r,
                   base_notes* notes)
{
  engine* e = l->e;
  const model* m = e->model;
  const bool own = !o->state;
  study_carrier c = {0};
  if (!study_steady_next(l, o, r, &c, notes)) return false;
  study_stability_keep(e, r);
  if (!study_spectrum(l, &c, NULL, r, notes)) return false;
  if (o->all && !c.relative)
    study_stability_others(l, own ? m->initials : o->given, own ? m->initial : o->state, o->near,
                           r);
  return true;
}

study_stability* study_stability_here(study_linear* l, const study_stability* like,
                                      base_notes* notes)
{
  engine* e = l->e;
  study_stability* r = study_stability_new(e);
  memcpy(r->ignorable, like->ignorable, (size_t)e->n);
  study_carrier c = {.s = study_symmetry_shifts(e->n, r->ignorable, r->arena)};
  if (!contact_sides(e) && !study_linear_at(l) && study_stability_is_smooth(e, notes)) {
    study_stability_keep(e, r);
    r->moved = true;
    if (study_spectrum(l, &c, NULL, r, notes)) return r;
  }
  study_stability_free(r);
  return NULL;
}

bool study_orbit_length(study_linear* l, const bool* ignorable, double* period, base_notes* notes)
{
  if (study_orbit_guess(l, ignorable, period)) return true;
  base_error(notes, BASE_NOWHERE,
             "the motion does not come near to where it was: no period of it is known");
  base_help(notes, "give a state nearer to a periodic motion with `--state`, or its period with "
                   "`--period T`");
  return false;
}

static bool find(study_linear* l, const study_stability_options* o, study_stability* r,
                 base_notes* notes)
{
  engine* e = l->e;
  bool timed;
  if (!study_stability_is_smooth(e, notes) || !study_steady_look(l, r->ignorable, &timed, notes))
    return false;
  if (contact_sides(e)) return false;
  double about = o->period;
  if (o->orbit && !timed && !(about > 0) && !study_orbit_length(l, r->ignorable, &about, notes))
    return false;
  if (about > 0 || (timed && study_period_find(l, &r->period))) {
    r->own_period = !(about > 0);
    if (about > 0) r->period = about;
    study_stability_keep(e, r);
    if (!study_floquet(l, r->ignorable, timed, r, notes)) return false;
    if (o->swings) study_swings_by_steps(l, r);
    return true;
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

// Samples change all motions. Of stages the first is looked at, which is said.
static bool is_left_alone(const model* m, base_notes* notes)
{
  for (int i = 0; i < m->events; i++) {
    if (m->event[i].every == EXPR_NONE) continue;
    say_changed(&m->event[i], notes);
    return false;
  }
  if (m->stages > 1)
    base_warning(notes, m->stage[0].place,
                 "stage `%s`, the first of %d, is looked at, as if it lasted for ever",
                 m->stage[0].name, m->stages);
  return true;
}

bool study_stability_touches(const engine* e)
{
  const model* m = e->model;
  bool touches = e->unilateral;
  for (int i = 0; i < m->meetings; i++) touches = touches || m->meeting[i].looked_for;
  return touches;
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
  if (study_stability_touches(e)) {
    base_error(notes, BASE_NOWHERE,
               "the model has inequalities: its motion is not smooth, and stability is not decided "
               "by linear equations");
    base_help(notes, m->contacts ? "write the constraints that hold in the steady motion as "
                                   "equations, and contacts that stay without `release`; a "
                                   "periodic motion is looked at with `--period T`"
                                 : "write the constraints that hold in the steady motion as "
                                   "equations; a periodic motion is looked at with `--period T`");
    return false;
  }
  if (!is_left_alone(m, notes)) return false;
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
  if (study_hybrid_is(e) && (o->period > 0 || o->orbit || study_hybrid_timed(e))) {
    engine_free(e);
    return study_hybrid_orbit(s, o, notes);
  }
  study_linear* l = study_stability_begin(e, o, notes) ? study_linear_new(e, notes) : NULL;
  study_stability* r = l ? study_stability_new(e) : NULL;
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
