// Where a hybrid motion is followed from, and the periodic one next to it.
//
// At the start nothing must happen, nor a little before or behind, as the period ends there, too.
// Where the initial state is such an instant (after an impact, on the surface of an event), the
// motion is followed from the middle of a stretch in which nothing happens, of those with the most
// freedom the longest. So it is over a param, as instants move along. Where no periodic motion is
// found next to the initial state, the motion is given some periods to come to one that attracts
// it.
#include "study/hybrid.h"
#include "study/orbit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double tolerance = 1e-14; // of the runs
static const double clear = 0.02;      // of the period: nothing happens so near to the start
static const double farthest = 0.3;    // of the state: a periodic motion from the start
static const double found = 1e-11, closed = 1e-7, least_damping = 1e-9, most_damping = 1e-2;
enum { most_turns = 60, most_tries = 5 };

bool study_hybrid_is(const engine* e)
{
  const model* m = e->model;
  if (m->delays) return false;
  bool any = m->stages > 1 || e->unilateral || e->program->modes.count || contact_grips(e);
  for (int i = 0; i < m->events; i++) any = any || m->event[i].action == MODEL_CHANGE;
  return any;
}

// ---- the start ----------------------------------------------------------------------------------

static double* doubles(base_arena* a, int count)
{
  return base_arena_take(a, sizeof(double) * (size_t)(count + 1));
}

// the state that was asked for, into `place`; false with errors noted
static bool solve_state(const study_hybrid* h, const study_stability_options* o, double* t,
                        double* place, base_notes* notes)
{
  const engine_program* p =
      engine_program_of(h->s, (engine_kind){.most = MECH_DENSE, .given = true}, notes);
  engine* e = p ? contact_engine_of(p, h->number, notes) : NULL;
  const model* m = h->s->model;
  bool fine = e != NULL;
  if (fine) {
    for (int i = 0; i < o->given; i++)
      if (o->state[i].coord == MODEL_TIME) *t = engine_value(e, o->state[i].value);
    engine_time(e, *t);
    fine = !(m->stages && walk_change_first(e, &m->stage[0].change, notes)) &&
           walk_start(e, *t, o->given, o->state, notes, NULL);
    memcpy(place, e->q, sizeof(double) * (size_t)(2 * e->n));
    engine_free(e);
  }
  return fine;
}

walk_options study_hybrid_options(const study_hybrid* h)
{
  walk_options o = walk_options_default();
  o.tolerance = tolerance;
  o.number = h->number;
  return o;
}

walk_state* study_hybrid_run(const study_hybrid* h, const study_stability_options* o,
                             base_notes* notes)
{
  const walk_options with = study_hybrid_options(h);
  walk_state* w = walk_state_new(h->s, &with, notes);
  if (!w) return NULL;
  const char* method = walk_state_method(w);
  if (method) {
    base_error(notes, BASE_NOWHERE,
               "motions made by steps that decide about contacts (%s) have no derivatives", method);
    base_help(notes, "a method that goes from event to event has them");
    walk_state_free(w);
    return NULL;
  }
  if (!o->state) return w;
  const double from = walk_state_time(w);
  double t = from, *place = base_alloc(sizeof(double) * (size_t)(2 * h->s->n + 1));
  bool fine = solve_state(h, o, &t, place, notes);
  if (fine && t != from) {
    base_error(notes, BASE_NOWHERE, "a motion through what happens begins with the run, at t = %g",
               from);
    fine = false;
  }
  if (fine) walk_state_put(w, place, notes);
  free(place);
  if (fine) return w;
  walk_state_free(w);
  return NULL;
}

static bool lasts(const walk_state* w, double until, base_notes* notes)
{
  if (walk_state_time(w) >= until - 1e-9 * (1 + fabs(until))) return true;
  base_error(notes, BASE_NOWHERE, "the motion ends at t = %.10g, before a period is over: %s",
             walk_state_time(w), walk_state_track(w)->reason);
  return false;
}

// How far from the initial state the start is, not before `settle`; nan with errors noted
static double choose_start(const study_hybrid* h, const study_stability_options* o, double settle,
                           base_notes* notes)
{
  const double period = h->start->period;
  walk_state* w = study_hybrid_run(h, o, notes);
  if (!w) return NAN;
  walk_state_go_on(w, settle, notes);
  const double from = walk_state_time(w);
  engine* first = walk_state_engine(w);
  bool near = !first || study_hybrid_meets(first, clear * period);
  walk_state_go_on(w, (1 + clear) * period, notes);
  const walk_track* t = walk_state_track(w);
  double best = NAN, *at = base_alloc(sizeof(double) * (size_t)(t->happenings + 2));
  int count = 0;
  for (int i = 0; i < t->happenings; i++) {
    const double x = t->happening[i].t - from;
    near = near || h->param >= 0 || x < clear * period || x > (1 - clear) * period;
    if (x < period) at[++count] = x;
  }
  at[count + 1] = period;
  if (lasts(w, from + period, notes)) best = 0;
  walk_state_free(w);
  w = best == 0 && near ? study_hybrid_run(h, o, notes) : NULL;
  if (w) walk_state_go_on(w, settle, notes);
  int fewest = 1 << 30;
  double longest = 0;
  for (int i = 0; i <= count && w; i++) {
    const double length = at[i + 1] - at[i], middle = (at[i] + at[i + 1]) / 2;
    if (length < 2 * clear * period) continue;
    walk_state_go_on(w, from + middle - walk_state_time(w), notes);
    const engine* e = walk_state_engine(w);
    if (!e || e->mode.rows > fewest || (e->mode.rows == fewest && length < longest)) continue;
    fewest = e->mode.rows;
    longest = length;
    best = middle;
  }
  walk_state_free(w);
  free(at);
  return settle + best;
}

// the run up to the start, saved there; the state into h->start
static bool stand(study_hybrid* h, const study_stability_options* o, double far, base_notes* notes)
{
  base_notes* quiet = base_notes_new();
  bool saved = false;
  for (int turn = 0; turn < most_tries && !saved; turn++) {
    walk_state_free(h->at);
    h->at = study_hybrid_run(h, o, quiet);
    if (!h->at) break;
    walk_state_go_on(h->at, far * (1 + 0.003 * turn) + 1e-4 * turn * h->start->period, quiet);
    h->saved.n = 0;
    saved = walk_state_save(h->at, &h->saved, quiet);
  }
  base_notes_free(quiet);
  const engine* e = saved ? walk_state_engine(h->at) : NULL;
  if (!e) {
    base_error(notes, BASE_NOWHERE, "no instant of the motion was found at which nothing happens");
    return false;
  }
  h->start->t = walk_state_time(h->at);
  memcpy(h->start->q, e->q, sizeof(double) * (size_t)e->n);
  memcpy(h->start->v, e->v, sizeof(double) * (size_t)e->n);
  return true;
}

// ---- all of it ----------------------------------------------------------------------------------

// the period from the motion itself, where it is asked for; false with an error noted
static bool find_length(study_hybrid* h, const study_stability_options* o, base_notes* notes)
{
  walk_state* w = o->orbit ? study_hybrid_run(h, o, notes) : NULL;
  double period = w ? study_hybrid_length(h, w) : NAN;
  walk_state_free(w);
  if (period == 0 && !study_orbit_guess(h->l, h->start->ignorable, &period)) period = NAN;
  h->start->period = period;
  h->start->own_period = false;
  if (isfinite(period)) return true;
  base_error(notes, BASE_NOWHERE,
             o->orbit ? "what happens along the motion does not happen again after a period"
                      : "no period of the motion is known");
  base_help(notes, "say about how long it is with `--period T`");
  return false;
}

// what the linear equations at the initial state tell: period, and whether time is noticed
static bool look(study_hybrid* h, const study_stability_options* o, base_notes* notes)
{
  study_stability* r = h->start;
  bool timed = false;
  engine* e = walk_state_engine(h->at);
  if (!e || !(h->l = study_linear_new_by(e, h->param, notes)) ||
      !study_steady_look(h->l, r->ignorable, &timed, notes))
    return false;
  const bool in_equations = timed;
  study_hybrid_notice(h, r->ignorable, &timed);
  h->timed = timed;
  r->own_period = !(o->period > 0);
  if (o->period > 0) r->period = in_equations ? study_period_told(h->l, o->period) : o->period;
  if (o->period > 0 && in_equations && !study_period_repeats(h->l, r->period)) {
    base_error(notes, BASE_NOWHERE, "the equations depend on time, but not with the period %.10g s",
               o->period);
    base_help(notes, "the period of a term cos(k*t) is 2*pi/k");
    return false;
  }
  if (o->period > 0 || (timed && study_period_find(h->l, &r->period))) return true;
  return find_length(h, o, notes);
}

static void note_memory(study_hybrid* h)
{
  const model* m = h->s->model;
  h->memory_of = base_arena_take(h->arena, sizeof(int) * (size_t)(m->params + 1));
  for (int i = 0; i < m->params; i++)
    if (m->param[i].changes) h->memory_of[h->memories++] = i;
  h->memory = doubles(h->arena, h->memories);
  h->memory_end = doubles(h->arena, h->memories);
  for (int i = 0; i < h->memories; i++)
    h->memory[i] = engine_value(h->l->e, m->param[h->memory_of[i]].symbol);
}

static study_hybrid* make(mech_system* s, const double* number, int param,
                          const study_stability_options* o, int settle, base_arena* arena,
                          base_notes* notes)
{
  study_hybrid* h = base_arena_take(arena, sizeof *h);
  *h = (study_hybrid){.s = s, .arena = arena, .param = param};
  const int params = s->model->params, N = 2 * s->n;
  h->number = doubles(arena, params);
  for (int i = 0; i < params; i++) h->number[i] = number ? number[i] : s->model->param[i].number;
  h->x = doubles(arena, N);
  h->side = doubles(arena, 12 * N);
  h->at = study_hybrid_run(h, o, notes);
  const engine* e = h->at ? walk_state_engine(h->at) : NULL;
  if (e) h->start = study_stability_new(e);
  double far = e && look(h, o, notes) ? choose_start(h, o, settle * h->start->period, notes) : NAN;
  study_linear_free(h->l);
  h->l = NULL;
  if (isfinite(far) && stand(h, o, far, notes) &&
      (h->l = study_linear_new_by(walk_state_engine(h->at), param, notes))) {
    note_memory(h);
    h->stage = walk_state_stage(h->at);
    h->fly = study_hybrid_run(h, o, notes);
    if (h->fly) return h;
  }
  if (!base_notes_count(notes)) base_error(notes, BASE_NOWHERE, "the motion has no start");
  study_hybrid_free(h);
  return NULL;
}

void study_hybrid_free(study_hybrid* h)
{
  if (!h) return;
  study_linear_free(h->l);
  walk_state_free(h->at);
  walk_state_free(h->fly);
  study_stability_free(h->start);
  base_text_free(&h->saved);
}

// ---- the periodic motion next to it -------------------------------------------------------------

// one step of Newton's method in state and period (in the state alone with the period told), no
// further than a part of their size
static bool step(const study_rounds* o, bool told, double damping, const double* F, const double* J,
                 double* u)
{
  const int N = 2 * o->l->n, rows = study_rounds_rows(o), wide = N + 1, all = rows + wide;
  double* A = base_alloc(sizeof(double) * (size_t)(all * wide + all + wide));
  double *b = A + all * wide, *y = b + all, size = 0, most = 0;
  for (int i = 0; i < rows; i++) {
    b[i] = -F[i];
    memcpy(A + i * wide, J + i * (N + 2), sizeof(double) * (size_t)wide);
    if (told) A[i * wide + N] = 0;
    for (int j = 0; j < wide; j++) size = fmax(size, fabs(A[i * wide + j]));
  }
  // The shortest of many: a little of every unknown is asked to be nothing, the more the farther
  // the motion is from coming back (Levenberg 1944): families are not left for far away.
  for (int j = 0; j < wide; j++) A[(rows + j) * wide + j] = damping * (size + 1);
  num_least_squares(all, wide, A, b, y);
  for (int j = 0; j < N; j++) most = fmax(most, fabs(y[j]) / (0.5 * (1 + fabs(u[j]))));
  most = fmax(most, fabs(y[N]) / (0.2 * u[N]));
  bool fine = isfinite(most);
  for (int j = 0; j < wide && fine; j++) u[j] += y[j] / fmax(1, most);
  free(A);
  return fine && u[N] > 0;
}

static double gap(const study_rounds* o, const double* u, const double* F)
{
  const int N = 2 * o->l->n;
  double most = 0;
  for (int i = 0; i < N + o->constraints; i++)
    most = fmax(most, fabs(F[i]) / (1 + (i < N ? fabs(u[i]) : 0)));
  return most;
}

// what is missing in the end, the flight to it being the last; nan where nothing was found
static double close_up(study_rounds* o, bool told, double* u)
{
  const int N = 2 * o->l->n, rows = study_rounds_rows(o);
  double* F = base_alloc(sizeof(double) * (size_t)(rows * (N + 3) + N + 2));
  double *J = F + rows, *best = J + rows * (N + 2), last = INFINITY, least = NAN;
  for (int turn = 0; turn < most_turns; turn++) {
    if (study_rounds_at(o, u, F, J)) break;
    const double off = gap(o, u, F);
    if (off < closed && !(off >= least)) {
      least = off;
      memcpy(best, u, sizeof(double) * (size_t)(N + 2));
    }
    if (off < found || (off < closed && off > last / 2)) break;
    last = off;
    if (!step(o, told, fmin(fmax(off, least_damping), most_damping), F, J, u)) break;
  }
  if (isfinite(least)) {
    memcpy(u, best, sizeof(double) * (size_t)(N + 2));
    if (study_rounds_at(o, u, F, J)) least = NAN;
  }
  free(F);
  return least;
}

static bool comes_back(study_hybrid* h, base_notes* notes)
{
  const model* m = h->s->model;
  if (walk_state_stage(h->fly) != h->stage) {
    base_error(notes, BASE_NOWHERE, "the motion is in another stage after the period");
    return false;
  }
  for (int i = 0; i < h->memories; i++) {
    if (fabs(h->memory_end[i] - h->memory[i]) <= 1e-9 * (1 + fabs(h->memory[i]))) continue;
    base_error(notes, BASE_NOWHERE, "the motion does not come back: it sets `%s` from %g to %g",
               m->param[h->memory_of[i]].name, h->memory[i], h->memory_end[i]);
    return false;
  }
  return true;
}

// rest comes back after any time
static bool moves(const study_rounds* o)
{
  double speed = 0;
  for (int i = 0; i < 2 * o->l->n; i++) speed = fmax(speed, fabs(o->end[i]));
  return speed > 1e-9;
}

// is it the motion next to the start? Another one far away is no answer where any phase would do.
static bool is_next(const study_rounds* o, const double* u)
{
  double size = 0, off = 0;
  for (int i = 0; i < 2 * o->l->n; i++) {
    size = fmax(size, fabs(o->start[i]));
    off = fmax(off, fabs(u[i] - o->start[i]));
  }
  return off <= farthest * size;
}

static study_rounds* find(study_hybrid* h, double value, double* u, base_notes* notes)
{
  const study_stability* r = h->start;
  study_rounds* o = study_rounds_new(h->l, r->ignorable, h->timed, r, value, h, h->arena, u);
  o->run = study_hybrid_fly;
  for (int i = 0; i < r->n; i++) o->angle[i] = o->angle[i] && study_hybrid_turns(h, i);
  const double told = r->period;
  *h->reason = 0;
  h->start->closure = close_up(o, false, u);
  // of a family along which the period changes all but one are lost where it is free
  const double off = isfinite(h->start->closure) ? u[2 * r->n] / told : 0;
  if (!o->timed && !(off > 0.5 && off < 2)) {
    memcpy(u, o->start, sizeof(double) * (size_t)(2 * r->n + 2));
    h->start->closure = close_up(o, true, u);
  }
  if (isfinite(h->start->closure) && (o->timed || (moves(o) && is_next(o, u)))) {
    if (comes_back(h, notes)) return o;
  } else {
    base_error(notes, BASE_NOWHERE,
               "no periodic motion was found next to the initial state with a period of about "
               "%.10g s%s%s",
               told, *h->reason ? ": " : "", h->reason);
    base_help(notes, "give a state nearer to a periodic motion with `--state`, and its period");
  }
  study_rounds_free(o);
  return NULL;
}

study_hybrid* study_hybrid_find(mech_system* s, const double* number, int param,
                                const study_stability_options* o, base_arena* arena,
                                study_rounds** rounds, double* u, base_notes* notes)
{
  static const int settle[] = {0, 30, 300, 0};
  for (size_t turn = 0; turn < sizeof settle / sizeof *settle; turn++) {
    const bool last = turn + 1 == sizeof settle / sizeof *settle;
    // another stage is another motion
    if (settle[turn] && s->model->stages > 1) continue;
    base_notes* quiet = base_notes_new();
    study_hybrid* h = make(s, number, param, o, settle[turn], arena, last ? notes : quiet);
    *rounds = h ? find(h, param < 0 ? 0 : number[param], u, last ? notes : quiet) : NULL;
    base_notes_free(quiet);
    if (*rounds) return h;
    study_hybrid_free(h);
  }
  return NULL;
}

study_stability* study_hybrid_orbit(mech_system* s, const study_stability_options* o,
                                    base_notes* notes)
{
  base_arena* arena = base_arena_new();
  study_stability* r = NULL;
  study_rounds* rounds = NULL;
  double* u = doubles(arena, 2 * s->n + 2);
  study_hybrid* h = study_hybrid_find(s, NULL, -1, o, arena, &rounds, u, notes);
  if (h) {
    r = study_rounds_look(rounds, u);
    if (!r) base_error(notes, BASE_NOWHERE, "the multipliers could not be computed: %s", h->reason);
    if (r) r->closure = h->start->closure;
    if (r) r->own_period = h->start->own_period;
  }
  study_rounds_free(rounds);
  study_hybrid_free(h);
  base_arena_free(arena);
  return r;
}
