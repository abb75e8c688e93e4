// Lyapunov exponents of motions through events, impacts and corners of forces, as the walker makes
// them.
//
// Beside the run others begin a little off, along orthonormal directions; after each block of time
// their distances over that little are the columns X of what the smooth case integrates, jumps of
// the variations included (Mueller, Chaos, Solitons and Fractals 5 (1995), 1671), and they are made
// orthonormal anew. Runs are exact to 1e-14, so that seven digits of each X are left.
#include "study/chaos.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double little = 1e-7;   // of the size of the state
static const double looking = 0.1;   // of the time there is, for how long blocks are to be
static const double shortest = 2e-3; // of the same: blocks of a short run
static const double later = 1e-3;    // of a block: where its end is no instant to save a run at
static const double effort = 50;     // steps that a run of a block counts for
static const double lost = 1e-6;     // growth within a block that is not told from nothing
enum { doublings = 20, many_steps = 200, many_happenings = 40, steps_a_block = 8, tries = 10 };

typedef struct runs
{
  study_exponents* w;
  study_hybrid* h;
  walk_state *first, *beside;
  base_text saved;
  int N;
  double *x, *end, *X; // the state before and behind a block; N directions, row by row
} runs;

static bool read_state(walk_state* from, double* x)
{
  const engine* e = walk_state_engine(from);
  if (e) memcpy(x, e->q, sizeof(double) * (size_t)(2 * e->n));
  return e != NULL;
}

static bool goes_on(walk_state* w, double by, base_notes* notes)
{
  const double to = walk_state_time(w) + by;
  walk_state_go_on(w, by, notes);
  return walk_state_time(w) >= to - 1e-12 * (1 + fabs(to));
}

// The run led on until something is known of it, through no more than a part of the time there is:
// how long a block is. Nan where it ends.
static double choose_block(runs* r, base_notes* notes)
{
  const walk_track* t = walk_state_track(r->first);
  const double from = walk_state_time(r->first), span = r->w->o->until - from;
  double by = fmin(1, looking * span), all = 0;
  for (int k = 0; k < doublings && all < looking * span; k++) {
    if (!goes_on(r->first, by, notes)) return NAN;
    all += by;
    by = fmin(2 * by, looking * span);
    if (t->counts.steps >= many_steps || t->happenings >= many_happenings) break;
  }
  const double parts = fmax(t->happenings, (double)t->counts.steps / steps_a_block);
  return fmin(all / fmax(parts, 1), shortest * span);
}

// saved where it is, or a little later; false where it cannot be
static bool save(runs* r, double block, base_notes* notes)
{
  for (int k = 0; k < tries; k++) {
    base_notes* quiet = base_notes_new();
    r->saved.n = 0;
    const bool saved = walk_state_save(r->first, &r->saved, quiet);
    base_notes_free(quiet);
    if (saved) return true;
    if (!goes_on(r->first, ldexp(later * block, k), notes)) return false;
  }
  return false;
}

// the run beside, from the saved one moved along direction k; its end
static bool go_beside(runs* r, double by, int k, double size, double block, double* end,
                      base_notes* notes)
{
  if (!r->beside || !walk_state_again(r->beside, r->saved.at, r->saved.n, notes)) {
    walk_state_free(r->beside);
    const walk_options o = study_hybrid_options(r->h);
    r->beside = walk_state_load(r->h->s, &o, r->saved.at, r->saved.n, notes);
    if (!r->beside) return false;
  }
  for (int i = 0; i < r->N; i++) end[i] = r->x[i] + by * size * r->X[k * r->N + i];
  walk_state_put(r->beside, end, notes);
  return goes_on(r->beside, block, notes) && read_state(r->beside, end);
}

// The directions made orthonormal, and what they have grown by. Where something sticks some changes
// of the state are lost altogether: their growth is minus infinity, and they begin anew across the
// others.
static void take_growth(runs* r, double* grown)
{
  const int N = r->N;
  double* best = base_alloc(sizeof(double) * (size_t)N);
  for (int k = 0; k < N; k++) {
    double *c = r->X + k * N, size = study_exponents_across(N, k, r->X);
    grown[k] = size > lost ? log(size) : -INFINITY;
    // the unit vector of which most is across those before
    double most = 0;
    for (int i = 0; i < N && !(size > lost); i++) {
      for (int h = 0; h < N; h++) c[h] = h == i;
      const double left = study_exponents_across(N, k, r->X);
      if (left > most) memcpy(best, c, sizeof(double) * (size_t)N);
      most = fmax(most, left);
    }
    if (most > 0) memcpy(c, best, sizeof(double) * (size_t)N);
    if (most > 0) size = most;
    for (int h = 0; h < N; h++) c[h] /= size;
  }
  free(best);
}

// one block; false with a reason
static const char* follow_block(runs* r, double block, double* grown, base_notes* notes)
{
  const int N = r->N;
  double size = 0;
  if (!save(r, block, notes) || !read_state(r->first, r->x))
    return "something is under way there, and the run cannot be saved";
  for (int i = 0; i < N; i++) size = fmax(size, fabs(r->x[i]));
  if (!(size > 0)) size = 1;
  if (!goes_on(r->first, block, notes) || !read_state(r->first, r->end))
    return walk_state_track(r->first)->reason;
  double* end = base_alloc(sizeof(double) * (size_t)N);
  bool fine = true;
  for (int k = 0; k < N && fine; k++) {
    fine = go_beside(r, little, k, size, block, end, notes);
    for (int i = 0; i < N; i++) r->X[k * N + i] = (end[i] - r->end[i]) / (little * size);
  }
  free(end);
  if (!fine) return "a run next to it ends";
  take_growth(r, grown);
  r->w->r->steps += (long)(effort * (N + 1));
  return NULL;
}

static bool follow(runs* r, base_notes* notes)
{
  study_exponents* w = r->w;
  base_notes* quiet = base_notes_new();
  double* grown = base_alloc(sizeof(double) * (size_t)r->N);
  const double end = w->o->until, block = choose_block(r, quiet);
  const char* why = isnan(block) ? walk_state_track(r->first)->reason : NULL;
  double t = walk_state_time(r->first);
  while (!why && t < end && !study_exponents_enough(w)) {
    why = follow_block(r, block, grown, quiet);
    if (!why) study_exponents_note(w, grown, block);
    t = walk_state_time(r->first);
  }
  base_notes_free(quiet);
  free(grown);
  if (!why) return study_exponents_conclude(w, t, notes);
  base_error(notes, BASE_NOWHERE, "the motion could not be followed beyond t = %.6g: %s", t, why);
  return false;
}

bool study_exponents_by_runs(study_exponents* w, mech_system* s, base_notes* notes)
{
  study_chaos* out = w->r;
  const int N = 2 * s->n, params = s->model->params;
  study_hybrid h = {.s = s, .param = -1};
  h.number = base_arena_take(out->arena, sizeof(double) * (size_t)(params + 1));
  for (int i = 0; i < params; i++) h.number[i] = s->model->param[i].number;
  const study_stability_options start = {.given = w->o->given, .state = w->o->state};
  runs r = {.w = w, .h = &h, .N = N, .first = study_hybrid_run(&h, &start, notes)};
  if (!r.first) return false;
  r.x = base_arena_take(out->arena, sizeof(double) * (size_t)(2 * N + N * N + 1));
  r.end = r.x + N;
  r.X = r.end + N;
  for (int k = 0; k < N; k++) r.X[k * N + k] = 1;
  w->d = N;
  out->value = base_arena_take(out->arena, sizeof(double) * (size_t)(2 * N + 2));
  out->error = out->value + N + 1;
  out->from = walk_state_time(r.first);
  out->point = base_arena_take(out->arena, sizeof(double));
  const bool fine = follow(&r, notes);
  walk_state_free(r.first);
  walk_state_free(r.beside);
  base_text_free(&r.saved);
  return fine;
}
