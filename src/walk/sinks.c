// The table of sinks: what is kept of a run as it goes, whatever makes its steps. The walker tells
// them where it stands; what they keep is in the track, and nothing of it steers the run.
#include "walk/sinks.h"

#include "contact/contact.h"
#include "walk/integrals.h"
#include "walk/losses.h"

#include <string.h>

// ---- residuals ----------------------------------------------------------------------------------

// the steps of some methods meet the constraints in a sense of their own
static void open_residuals(walk_job* r)
{
  if (!r->stepper->method->decides) walk_run_note_residuals(r);
}

// of the levels as the state was put on them, where that was done by a kernel
static void see_residuals(walk_job* r)
{
  engine* e = r->e;
  if (!r->f->abreast || !e->mode.rows) {
    walk_run_note_residuals(r);
    return;
  }
  engine_residuals_found(e, e->work.g, e->work.br);
  walk_run_keep_residuals(r, e->work.g, e->work.br);
}

// ---- energy -------------------------------------------------------------------------------------

static void open_energy(walk_job* r)
{
  walk_run_keep_energy(r, r->start, r->y_start[2 * r->e->n]);
}

static void jump_energy(walk_job* r, const walk_instant* in)
{
  if (in->jumped) r->jumps += walk_run_energy(r).H - in->H;
}

// ---- integrals ----------------------------------------------------------------------------------

static void note_integrals(walk_job* r, const double* y)
{
  (void)y;
  walk_integrals_note(r);
}

static void jump_integrals(walk_job* r, const walk_instant* in)
{
  if (in->set) walk_integrals_jump(r);
}

// ---- rows and curves ----------------------------------------------------------------------------

static void open_rows(walk_job* r)
{
  walk_rows* c = r->record;
  const double t = r->track->t_from;
  if (!c->times) walk_run_add_row(r, t, r->y_start, -1);
  while (!r->over && c->due < c->count && c->times[c->due] <= t) {
    c->due++;
    walk_run_add_row(r, t, r->y_start, -1);
  }
}

static void note_rows(walk_job* r, double from, double to, bool ends)
{
  const step_stepper* s = r->stepper;
  (void)from;
  walk_run_rows_up_to(r, to, ends);
  if (!ends || r->record->times || r->over) return;
  // no times were asked for: every step
  memcpy(r->y, s->y, sizeof(double) * (size_t)r->f->ode.n);
  walk_run_add_row(r, s->t, r->y, -1);
}

static void open_curves(walk_job* r)
{
  if (r->record->curves) walk_rows_curve(r->record, r->track->t_from, r->y_start, r->stage);
}

static void note_curves(walk_job* r, double from, double to, bool ends)
{
  (void)ends;
  if (r->record->curves) walk_run_curves_up_to(r, from, to);
}

// ---- progress -----------------------------------------------------------------------------------

static void ask(walk_job* r)
{
  const step_stepper* s = r->stepper;
  if (r->o->progress && !r->over) walk_run_asks(r, s->t, s->t - s->t_old, s->counts.steps);
}

// ---- who keeps the run --------------------------------------------------------------------------

static void keep_rows(walk_job* r)
{
  const walk_keeper* k = r->o->keeper;
  if (k) k->rows(k->context, r->track);
}

// ---- the table ----------------------------------------------------------------------------------

static const walk_sink sinks[] = {
    {"residuals", .open = open_residuals, .met = see_residuals},
    {"energy", .open = open_energy, .step = walk_run_note_energy, .jump = jump_energy},
    {"integrals", .open = walk_integrals_start, .step = note_integrals,
     .before = walk_integrals_note, .jump = jump_integrals},
    // shown in rows: open before the first of them, and counted behind those of a stretch
    {"losses at the start", .open = walk_losses_open, .enter = walk_losses_enter,
     .jump = walk_losses_jump},
    {"curves", .open = open_curves, .along = note_curves},
    {"rows", .open = open_rows, .along = note_rows},
    {"losses", .along = walk_losses_along},
    {"events", .happening = walk_run_remember},
    {"keeper", .turn = keep_rows},
    {"progress", .turn = ask},
};
enum { count = sizeof sinks / sizeof *sinks };
// The table is constant: unrolled, only the calls are left of it.
#define EACH_SINK _Pragma("GCC unroll 16") for (int i = 0; i < count; i++)

void walk_sinks_open(walk_job* r)
{
  EACH_SINK
  if (sinks[i].open) sinks[i].open(r);
}

void walk_sinks_met(walk_job* r)
{
  EACH_SINK
  if (sinks[i].met) sinks[i].met(r);
}

void walk_sinks_step(walk_job* r, const double* y)
{
  EACH_SINK
  if (sinks[i].step) sinks[i].step(r, y);
}

void walk_sinks_along(walk_job* r, double from, double to, bool ends)
{
  EACH_SINK
  if (sinks[i].along) sinks[i].along(r, from, to, ends);
}

void walk_sinks_before(walk_job* r)
{
  EACH_SINK
  if (sinks[i].before) sinks[i].before(r);
}

void walk_sinks_enter(walk_job* r)
{
  EACH_SINK
  if (sinks[i].enter) sinks[i].enter(r);
}

void walk_sinks_jump(walk_job* r, const walk_instant* in)
{
  EACH_SINK
  if (sinks[i].jump) sinks[i].jump(r, in);
}

void walk_sinks_happening(walk_job* r, const walk_found* found, const char* name, const double* y)
{
  EACH_SINK
  if (sinks[i].happening) sinks[i].happening(r, found, name, y);
}

void walk_sinks_turn(walk_job* r)
{
  EACH_SINK
  if (sinks[i].turn) sinks[i].turn(r);
}
