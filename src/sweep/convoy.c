// Runs that go side by side wherever they are in the same mode. Each is a run of its own (an escort
// of walk): its start, what happens on its way and its end are those of an ordinary run. A plain
// stretch is stepped over in a lane; where a value that is watched passes zero, and before the end,
// the run is set down in front of that step and goes on by itself.
#include "sweep/convoy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  runs_per_lane = 2,   // so that lanes find another run in the same mode
  runs_carried = 2048, // at a time, where someone else makes the steps
  few_steps = 4,       // a stretch of less is hardly worth the way into it
  most_short = 8       // such stretches in a row after which a run goes on by itself
};
// Of the tolerance: an ordinary run goes by series or Gauss's method, whose steps leave less behind
// than those of dop853 do at the same one. Measured on the gallery, so that both are off alike.
const double sweep_finer = 0.03;

typedef struct member
{
  walk_escort* w; // null: free
  base_notes* notes;
  int run;
  int said;         // notes at its start
  bool along;       // it was in a lane
  int turns;        // of its own that are due before it looks for a lane again
  double alone_to;  // the same as a time
  int brief;        // stretches in a row that were too short
  walk_stretch x;   // the present one
  double* rest;     // its inputs
  size_t rest_room; // of that
} member;

// those in one mode
typedef struct set
{
  sweep_convoy* c;
  const sweep_mode* m;
  double tolerance;
  step_lanes* lanes;
  int* member; // of each lane, -1: idle
  int busy;
  BASE_LIST(int) waiting;
  double* shift; // outputs of what puts states on the constraints
} set;

struct sweep_convoy
{
  mech_system* s;
  const sweep_carrier* carrier; // null: lanes of this processor
  int width, members;
  member* member;
  BASE_LIST(set*) sets;
  double *scratch, *room, *y;
  size_t scratch_room, room_room;
  const sweep_convoy_task* task;
  sweep_convoy_counts counts;
};

sweep_convoy* sweep_convoy_open(mech_system* s, const sweep_carrier* carrier)
{
  sweep_convoy* c = base_alloc(sizeof *c);
  c->s = s;
  c->width = code_lanes();
  c->carrier = carrier;
  c->members = carrier ? runs_carried : runs_per_lane * c->width;
  c->member = base_alloc(sizeof *c->member * (size_t)c->members);
  c->y = base_alloc(sizeof(double) * (size_t)(2 * s->n + 1));
  return c;
}

void sweep_convoy_close(sweep_convoy* c)
{
  if (!c) return;
  for (int i = 0; i < c->sets.n; i++) {
    set* x = c->sets.at[i];
    step_lanes_free(x->lanes);
    base_list_free(&x->waiting);
    free(x->member);
    free(x->shift);
    free(x);
  }
  base_list_free(&c->sets);
  for (int i = 0; i < c->members; i++) free(c->member[i].rest);
  free(c->member);
  free(c->scratch);
  free(c->room);
  free(c->y);
  free(c);
}

sweep_convoy_counts sweep_convoy_look(const sweep_convoy* c)
{
  return c->counts;
}

static void need(double** at, size_t* room, size_t count)
{
  if (count <= *room) return;
  free(*at);
  *at = base_alloc(sizeof(double) * (count + 1));
  *room = count;
}

// ---- steps --------------------------------------------------------------------------------------

static void rates(void* context, const double* in, double* out)
{
  const set* x = context;
  code_run_lanes(x->m->rates, x->c->width, in, out, x->c->scratch);
}

static void stages(void* context, const double* in, double* out)
{
  const set* x = context;
  code_run_lanes(x->m->stages, x->c->width, in, out, x->c->scratch);
}

static void settle(void* context, double* in, double* well)
{
  const set* x = context;
  sweep_settle_lanes(&x->m->settle, x->c->width, x->shift, x->c->scratch, in, well);
}

static set* new_set(sweep_convoy* c, const sweep_mode* m, double tolerance)
{
  set* x = base_alloc(sizeof *x);
  *x = (set){.c = c, .m = m, .tolerance = tolerance};
  step_lanes_problem p = sweep_mode_problem(m, c->width);
  p.rel_tol = tolerance;
  p.rates = rates;
  p.settle = sweep_settles(&m->settle) ? settle : NULL;
  p.stages = m->stages ? stages : NULL;
  x->lanes = step_lanes_new(&p, x);
  x->member = base_alloc(sizeof(int) * (size_t)c->width);
  for (int l = 0; l < c->width; l++) x->member[l] = -1;
  const size_t own = code_scratch_lanes(m->rates, c->width),
               theirs = sweep_settle_scratch(&m->settle, c->width);
  need(&c->scratch, &c->scratch_room, own > theirs ? own : theirs);
  if (m->stages) need(&c->scratch, &c->scratch_room, code_scratch_lanes(m->stages, c->width));
  x->shift = base_alloc(sizeof(double) * sweep_settle_room(&m->settle, c->width));
  base_push(&c->sets, x);
  return x;
}

static set* set_of(sweep_convoy* c, const sweep_mode* m, double tolerance)
{
  for (int i = 0; i < c->sets.n; i++)
    if (c->sets.at[i]->m == m && c->sets.at[i]->tolerance == tolerance) return c->sets.at[i];
  return new_set(c, m, tolerance);
}

// ---- runs by themselves -------------------------------------------------------------------------

static void say_why(sweep_convoy* c, const char* why)
{
  if (!c->counts.why) c->counts.why = why;
}

// may it be taken along from here? then it waits for a lane
static bool joins(sweep_convoy* c, int which)
{
  member* x = &c->member[which];
  const char* why = "something is decided in every step";
  if (!walk_escort_is_plain(x->w, &x->x)) {
    say_why(c, why);
    return false;
  }
  const sweep_mode* m = sweep_mode_of(&x->x, &why);
  if (!m) {
    say_why(c, why);
    return false;
  }
  need(&x->rest, &x->rest_room, (size_t)m->inputs);
  need(&c->room, &c->room_room, sweep_mode_room(m));
  if (!sweep_mode_enter(m, &x->x, x->rest, c->room)) {
    say_why(c, "something is about to happen all the time");
    return false;
  }
  base_push(&set_of(c, m, sweep_finer * x->x.tolerance)->waiting, which);
  return true;
}

static void end(sweep_convoy* c, member* x)
{
  c->counts.along += x->along;
  walk_track* t = walk_escort_close(x->w);
  x->w = NULL;
  c->task->end(c->task->context, x->run, t, x->notes, base_notes_count(x->notes) > x->said);
}

// by itself until it is taken along, or over
static void go_on(sweep_convoy* c, int which)
{
  member* x = &c->member[which];
  while (!walk_escort_is_over(x->w)) {
    const bool due =
        x->turns <= 0 && x->brief < most_short && !(walk_escort_time(x->w) < x->alone_to);
    if (due && joins(c, which)) return;
    if (due) x->turns = 1 << x->brief++;
    walk_escort_turn(x->w);
    x->turns--;
  }
  end(c, x);
}

// another run in place of a free one; false: there are no more
static bool begin(sweep_convoy* c, int which)
{
  member* x = &c->member[which];
  for (;;) {
    walk_options o;
    if (!c->task->next(c->task->context, &o, &x->notes, &x->run)) return false;
    c->counts.runs++;
    x->w = walk_escort_open(c->s, &o, x->notes);
    if (x->w) break;
    c->task->end(c->task->context, x->run, NULL, x->notes, false);
  }
  x->said = base_notes_count(x->notes);
  x->along = false;
  x->turns = x->brief = 0;
  x->alone_to = -INFINITY;
  go_on(c, which);
  return true;
}

// ---- side by side -------------------------------------------------------------------------------

// where a stretch has come to
typedef struct reached
{
  step_lanes_state state;
  double t, work; // work along it
  const double* y;
  int64_t steps; // tried
} reached;

// behind a stretch the run goes on by itself
static void set_down(sweep_convoy* c, int which, const reached* at)
{
  member* x = &c->member[which];
  const bool moved = at->t > x->x.t, ended = at->state == STEP_LANES_ENDED;
  c->counts.steps += at->steps;
  x->along = x->along || moved;
  // a trial is made in any case
  x->brief = at->steps > few_steps ? 0 : x->brief + 1;
  x->turns = ended ? 0 : 1 << x->brief;
  x->alone_to = ended ? x->x.until : -INFINITY;
  if (moved) walk_escort_set_down(x->w, at->t, at->y, at->y + c->s->n, x->x.work + at->work);
  go_on(c, which);
}

static void out_of_lane(set* s, int lane, step_lanes_state state)
{
  sweep_convoy* c = s->c;
  const int which = s->member[lane];
  reached at = {.state = state, .y = c->y};
  at.t = step_lanes_get(s->lanes, lane, c->y, &at.steps);
  at.work = s->m->power >= 0 ? step_lanes_sum(s->lanes, lane) : 0;
  s->member[lane] = -1;
  s->busy--;
  set_down(c, which, &at);
}

static void put(set* s, int lane)
{
  const int which = s->waiting.at[--s->waiting.n];
  const member* x = &s->c->member[which];
  const step_lanes_run run = {
      .t = x->x.t, .t_end = x->x.until, .longest = x->x.longest, .y = x->x.e->q, .rest = x->rest};
  step_lanes_put(s->lanes, lane, &run);
  s->member[lane] = which;
  s->busy++;
}

// every lane gets a run, or goes along with one
static void fill(set* s)
{
  const int W = s->c->width;
  int with = -1;
  for (int lane = 0; lane < W; lane++) {
    if (s->member[lane] < 0 && s->waiting.n) put(s, lane);
    if (s->member[lane] >= 0) with = lane;
  }
  for (int lane = 0; lane < W && with >= 0; lane++)
    if (s->member[lane] < 0) step_lanes_idle(s->lanes, lane, with);
}

// steps in a set until some run leaves it
static void step(set* s)
{
  fill(s);
  while (!step_lanes_step(s->lanes)) continue;
  for (int lane = 0; lane < s->c->width; lane++) {
    if (s->member[lane] < 0) continue;
    const step_lanes_state state = step_lanes_look(s->lanes, lane);
    if (state != STEP_LANES_RUNNING) out_of_lane(s, lane, state);
  }
}

// t, t_end, longest step, y, the other inputs
static void pack(const set* s, const member* x, double* to)
{
  const int state = 2 * s->m->n;
  to[0] = x->x.t;
  to[1] = x->x.until;
  to[2] = x->x.longest;
  memcpy(to + 3, x->x.e->q, sizeof(double) * (size_t)state);
  memcpy(to + 3 + state, x->rest, sizeof(double) * (size_t)(s->m->inputs - 1 - state));
}

// all that wait in a set are carried by someone else to where they come
static void carry(set* s)
{
  sweep_convoy* c = s->c;
  const int count = s->waiting.n, in = s->m->inputs + 2, out = 4 + 2 * s->m->n;
  static const step_lanes_state ends[] = {STEP_LANES_LOST, STEP_LANES_LOST, STEP_LANES_LEFT,
                                          STEP_LANES_ENDED};
  double *from = base_alloc(sizeof(double) * (size_t)count * (size_t)(in + out)),
         *to = from + (size_t)count * (size_t)in;
  int* which = base_alloc(sizeof(int) * (size_t)count);
  memcpy(which, s->waiting.at, sizeof(int) * (size_t)count);
  s->waiting.n = 0;
  for (int i = 0; i < count; i++) pack(s, &c->member[which[i]], from + (size_t)i * (size_t)in);
  const bool carried = c->carrier->carry(c->carrier->context, s->m, s->tolerance, count, from, to);
  for (int i = 0; i < count; i++) {
    member* x = &c->member[which[i]];
    const double* end = to + (size_t)i * (size_t)out;
    const reached at = {.state = carried ? ends[(int)end[0]] : STEP_LANES_LOST,
                        .t = carried ? end[1] : x->x.t,
                        .steps = carried ? (int64_t)end[2] : 0,
                        .work = carried ? end[3] : 0,
                        .y = end + 4};
    if (!carried) x->brief = most_short;
    set_down(c, which[i], &at);
  }
  free(which);
  free(from);
}

static set* fullest(const sweep_convoy* c)
{
  set* best = NULL;
  int most = 0;
  for (int i = 0; i < c->sets.n; i++) {
    set* x = c->sets.at[i];
    if (x->busy + x->waiting.n <= most) continue;
    most = x->busy + x->waiting.n;
    best = x;
  }
  return best;
}

void sweep_convoy_run(sweep_convoy* c, const sweep_convoy_task* task)
{
  c->task = task;
  bool more = true;
  for (;;) {
    for (int i = 0; i < c->members && more; i++)
      while (more && !c->member[i].w) more = begin(c, i);
    set* s = fullest(c);
    if (!s) break;
    if (c->carrier)
      carry(s);
    else
      step(s);
  }
}

const char* sweep_convoy_refusal(mech_system* s, const walk_options* o)
{
  base_notes* quiet = base_notes_new();
  walk_escort* w = walk_escort_open(s, o, quiet);
  const char* why = NULL;
  if (w) {
    walk_stretch x;
    // what does not suit at the start may later; what no mode sheds does not
    if (walk_escort_is_plain(w, &x)) sweep_mode_of(&x, &why);
    walk_escort_close(w);
  }
  base_notes_free(quiet);
  return why;
}
