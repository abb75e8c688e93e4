// A run that is led from outside: it goes on when it is told to.
#include "walk/checkpoint.h"
#include "walk/run.h"
#include "walk/step_ends.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct walk_state
{
  walk_options o;
  double* number; // of the params
  bool given;     // other ones than the engine has
  walk_job r;
};

// what comes before a checkpoint among the bytes
typedef struct heading
{
  int params;
} heading;

bool walk_run_try(mech_system* s, const walk_options* o, base_notes* notes)
{
  walk_job r = {.s = s, .o = o, .notes = base_notes_new()};
  const bool fine = walk_run_open(&r);
  for (int i = 0; i < base_notes_count(r.notes) && !fine; i++)
    if (base_notes_level(r.notes, i) == BASE_ERROR)
      base_error(notes, BASE_NOWHERE, "%s", base_notes_reason(r.notes, i));
  walk_run_close(&r);
  walk_track_free(r.track);
  base_notes_free(r.notes);
  return fine;
}

// not yet at the start
static walk_state* take(mech_system* s, const walk_options* o)
{
  const model* m = s->model;
  walk_state* w = base_alloc(sizeof *w);
  w->o = *o;
  w->o.at_count = w->o.points = 0;
  w->o.every = 0;
  w->o.watched = 0;
  w->o.curves = false;
  w->o.no_rows = true;
  w->number = base_alloc(sizeof *w->number * (size_t)(m->params + 1));
  for (int i = 0; i < m->params; i++) w->number[i] = o->number ? o->number[i] : m->param[i].number;
  w->o.number = w->number;
  w->r = (walk_job){.s = s, .o = &w->o};
  return w;
}

// false with errors noted
static bool begin(walk_state* w, base_notes* notes)
{
  w->r.notes = notes;
  if (!walk_run_open(&w->r)) return false;
  walk_run_begin(&w->r);
  return true;
}

void walk_state_free(walk_state* w)
{
  if (!w) return;
  walk_run_close(&w->r);
  walk_track_free(w->r.track);
  free(w->number);
  free(w);
}

walk_state* walk_state_new(mech_system* s, const walk_options* o, base_notes* notes)
{
  walk_state* w = take(s, o);
  if (begin(w, notes)) return w;
  walk_state_free(w);
  return NULL;
}

void walk_state_give(walk_state* w, const double* number)
{
  const size_t bytes = sizeof(double) * (size_t)w->r.s->model->params;
  w->given = w->given || memcmp(w->number, number, bytes) != 0;
  memcpy(w->number, number, bytes);
}

void walk_state_go_on(walk_state* w, double dt, base_notes* notes)
{
  walk_job* r = &w->r;
  r->notes = notes;
  r->told = base_notes_count(notes);
  if (r->over) return;
  const double t = r->stepper->t;
  r->t_end = t + dt;
  if (w->given) {
    const walk_found input = {WALK_INPUT, 0, t, 1};
    w->given = false;
    walk_run_happen(r, &input, 1);
  }
  walk_run_go_on(r);
  if (!r->over) r->track->t_reached = r->stepper->t;
}

void walk_state_put(walk_state* w, const double* place, base_notes* notes)
{
  w->r.put = place;
  w->given = true;
  walk_state_go_on(w, 0, notes);
  w->r.put = NULL;
}

bool walk_state_again(walk_state* w, const char* bytes, size_t n, base_notes* notes)
{
  walk_job* r = &w->r;
  r->notes = notes;
  r->told = base_notes_count(notes);
  r->over = false;
  r->just_changed = -1;
  r->track->status = WALK_DONE;
  r->track->reason = "";
  r->track->happenings = 0;
  base_arena_free(r->track->kept);
  r->track->kept = NULL;
  w->given = false;
  heading h;
  const size_t numbers = sizeof(double) * (size_t)r->s->model->params, skip = sizeof h + numbers;
  if (n < skip) return false;
  memcpy(w->number, bytes + sizeof h, numbers);
  return walk_checkpoint_read(r, bytes + skip, n - skip);
}

engine* walk_state_engine(walk_state* w)
{
  walk_job* r = &w->r;
  return rate_flow_load(r->f, r->stepper->t, r->stepper->y) ? NULL : r->e;
}

int walk_state_stage(const walk_state* w)
{
  return w->r.stage;
}

const char* walk_state_method(const walk_state* w)
{
  return w->r.moreau || w->r.flights ? w->r.track->method : NULL;
}

double walk_state_time(const walk_state* w)
{
  return w->r.over ? w->r.track->t_reached : w->r.stepper->t;
}

const double* walk_state_number(const walk_state* w)
{
  return w->number;
}

const walk_track* walk_state_track(const walk_state* w)
{
  return w->r.track;
}

bool walk_state_row(walk_state* w, double* row, base_notes* notes)
{
  walk_job* r = &w->r;
  const double t = walk_state_time(w);
  const double* y = r->stepper->y;
  if (t < r->stepper->t) {
    r->stepper->method->dense(r->stepper, t, r->y);
    y = r->y;
  }
  if (!walk_rows_read(r->record, t, y, row)) return true;
  base_error(notes, BASE_NOWHERE, "at t = %.10g: %s", t, r->e->reason);
  return false;
}

// ---- as bytes -----------------------------------------------------------------------------------

bool walk_state_save(walk_state* w, base_text* out, base_notes* notes)
{
  walk_job* r = &w->r;
  const heading h = {r->s->model->params};
  r->notes = notes;
  r->told = base_notes_count(notes);
  // what is given counts from here on
  if (w->given) walk_state_go_on(w, 0, notes);
  base_text bytes = {0};
  const bool fine = walk_checkpoint_make(r, &bytes);
  if (fine) {
    base_text_addn(out, (const char*)&h, sizeof h);
    base_text_addn(out, (const char*)w->number, sizeof(double) * (size_t)h.params);
    base_text_addn(out, bytes.at, bytes.n);
  } else {
    base_error(notes, BASE_NOWHERE, "at t = %.10g the run cannot be saved: %s", walk_state_time(w),
               r->over ? "it is over" : "something is under way there");
    if (!r->over) base_help(notes, "a moment later it can");
  }
  base_text_free(&bytes);
  return fine;
}

static bool read(walk_state* w, const char* bytes, size_t n)
{
  heading h;
  const size_t numbers = sizeof(double) * (size_t)w->r.s->model->params;
  if (n < sizeof h + numbers) return false;
  memcpy(&h, bytes, sizeof h);
  if (h.params != w->r.s->model->params) return false;
  memcpy(w->number, bytes + sizeof h, numbers);
  base_notes* quiet = base_notes_new();
  const bool fine = begin(w, quiet) &&
                    walk_checkpoint_read(&w->r, bytes + sizeof h + numbers, n - sizeof h - numbers);
  base_notes_free(quiet);
  return fine;
}

walk_state* walk_state_load(mech_system* s, const walk_options* o, const char* bytes, size_t n,
                            base_notes* notes)
{
  walk_state* w = take(s, o);
  if (read(w, bytes, n)) {
    w->r.notes = notes;
    return w;
  }
  base_error(notes, BASE_NOWHERE, "what was saved is of another model, or of other options");
  walk_state_free(w);
  return NULL;
}
