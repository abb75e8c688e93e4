// Checkpoints of a run: instants at which it starts anew.
#include "walk/checkpoint.h"

#include "contact/contact.h"
#include "walk/image.h"
#include "walk/method.h"
#include "walk/singular.h"
#include "walk/step_ends.h"

#include <math.h>
#include <string.h>

// Operations between two checkpoints, about a second or more; a step makes some evaluations. So few
// steps at least that starting anew does not show, so many at most.
static const double operations_between = 2e9;
enum { most_between = 20000, least_between = 5000, evaluations_of_a_step = 16 };
// what decides contacts in its steps is made of the equations anew, which takes as long as some
// thousand of them
enum { between_leaps = 100000 };

static long between(const walk_job* r)
{
  if (r->o->between_checkpoints > 0) return r->o->between_checkpoints;
  if (r->moreau) return between_leaps;
  const double n = r->e->n, solve = r->e->sparse ? n : n * n * n;
  const double step = evaluations_of_a_step * (engine_operations(r->e->program) + solve);
  return (long)fmin(fmax(operations_between / step, least_between), most_between);
}

// does slip begin, its speed still nothing?
static bool slip_begins(const engine* e)
{
  bool any = e->unilateral && e->unilateral->starting;
  for (int p = 0; p < e->parts && !any; p++) any = slip_begins(e->part[p].e);
  return any;
}

// nothing is under way that is known only to what would be forgotten
static bool is_quiet(const walk_job* r)
{
  const walk_singular* w = r->singular;
  if (r->f->wide || r->f->settling || r->e->passage || r->rapid) return false;
  if (w && (w->parked || w->level || isfinite(w->limit) || !isnan(w->ahead) || !isnan(w->closing)))
    return false;
  return !slip_begins(r->e);
}

// ---- taking up ----------------------------------------------------------------------------------

// what stands before the rest of the bytes
typedef struct heading
{
  double t, work;
  step_counts counts;
} heading;

// What the user was told since the steps began is told again by a run that is taken up: its level
// and reason.
static void pass_notes(walk_image* m, walk_job* r)
{
  base_notes* list = r->notes;
  int count = base_notes_count(list) - r->told;
  WALK_IMAGE(m, count);
  for (int i = 0; i < count && (m->out || m->fits); i++) {
    base_level level = m->out ? base_notes_level(list, r->told + i) : BASE_INFO;
    const char* reason = m->out ? base_notes_reason(list, r->told + i) : "";
    WALK_IMAGE(m, level);
    walk_image_text(m, r->track->arena, &reason);
    if (m->out || !m->fits) continue;
    if (level == BASE_WARNING)
      base_warning(list, BASE_NOWHERE, "%s", reason);
    else if (level == BASE_INFO)
      base_info(list, BASE_NOWHERE, "%s", reason);
  }
}

static void write(walk_job* r, base_text* out)
{
  const step_stepper* s = r->stepper;
  heading h = {.t = s->t, .work = s->y[2 * r->e->n], .counts = s->counts};
  walk_image m = {.out = out, .fits = true};
  walk_image_text(&m, NULL, &r->track->method);
  WALK_IMAGE(&m, h);
  pass_notes(&m, r);
  walk_image_job(&m, r);
}

// the steps start at the state that was read
static bool restart(walk_job* r, const heading* h)
{
  step_stepper* s = r->stepper;
  walk_singular_restart(r);
  if (rate_flow_rebase(r->f)) return false;
  if (!r->f->reduced && !r->f->leaps) engine_see_margin(r->e);
  rate_flow_store(r->f, h->work, r->y);
  rate_flow_set_tolerances(r->f);
  r->stepper = s = walk_method_renew(r);
  s->slack = r->fineness;
  if (s->method->start(s, h->t, r->y, r->t_end) != STEP_OK) return false;
  s->counts = h->counts;
  return true;
}

// Take up, with the run at its start, what was written; false where that does not fit.
static bool read(walk_job* r, const char* bytes, size_t n)
{
  walk_image m = {.at = bytes, .left = n, .fits = true};
  const char* method = "";
  heading h;
  if (r->over) return false;
  walk_image_text(&m, r->track->arena, &method);
  WALK_IMAGE(&m, h);
  if (!m.fits) return false;
  const step_method* other = strcmp(method, r->track->method) ? step_method_find(method) : NULL;
  if (other && (!r->may_change_method || !walk_method_change(r, other, ""))) return false;
  if (strcmp(method, r->track->method) != 0) return false;
  pass_notes(&m, r);
  walk_image_job(&m, r);
  return m.fits && !m.left && restart(r, &h);
}

void walk_checkpoint_take_up(walk_job* r)
{
  const walk_onward* o = r->o->onward;
  if (read(r, o->bytes, o->n))
    walk_track_move(r->track, o->track);
  else
    walk_run_give_up(r, "what was kept of the run does not fit it");
}

// ---- starting anew ------------------------------------------------------------------------------

// The run begins again from these bytes as if it had been broken off; where it cannot it is as it
// was.
static bool begin_again(walk_job* r, const base_text* bytes)
{
  walk_job old = *r;
  base_notes* quiet = base_notes_new();
  *r = (walk_job){.s = old.s, .o = old.o, .notes = quiet};
  const bool fine =
      walk_run_open(r) && walk_run_begin(r) && read(r, bytes->at, bytes->n) && !r->over;
  walk_track* left = fine ? old.track : r->track;
  if (fine) walk_track_move(r->track, old.track);
  walk_run_close(fine ? &old : r);
  if (!fine) *r = old;
  walk_track_free(left);
  base_notes_free(quiet);
  r->notes = old.notes;
  r->told = old.told;
  return fine;
}

bool walk_checkpoint_make(walk_job* r, base_text* bytes)
{
  if (r->over || !is_quiet(r)) return false;
  walk_ends_note(r);
  if (rate_flow_load(r->f, r->stepper->t, r->stepper->y)) return false;
  write(r, bytes);
  return begin_again(r, bytes);
}

bool walk_checkpoint_read(walk_job* r, const char* bytes, size_t n)
{
  return read(r, bytes, n) && !r->over;
}

void walk_checkpoint_turn(walk_job* r)
{
  const walk_keeper* k = r->o->keeper;
  if (!r->checkpoint) r->checkpoint = between(r);
  if (r->over || r->turns < r->checkpoint || !(r->stepper->t < r->t_end) || !is_quiet(r)) return;
  // the motion behind an event that set the state shows itself first
  if (r->just_changed >= 0) return;
  r->checkpoint = r->turns + between(r);
  base_text bytes = {0};
  if (walk_checkpoint_make(r, &bytes) && k) k->checkpoint(k->context, r->track, bytes.at, bytes.n);
  base_text_free(&bytes);
}
