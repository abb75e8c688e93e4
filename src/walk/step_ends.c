// The ends of steps, noted several side by side.
//
// Energies, integrals, and the residuals of constraints that the kernel of the accelerations meets
// by itself tell how good a run is, and steer nothing. So they wait until the lanes of the
// processor are full of ends.
#include "walk/step_ends.h"

#include "rate/rate.h"
#include "walk/integrals.h"

#include <math.h>
#include <string.h>

struct walk_ends
{
  int lanes, count;
  bool residuals; // they are noted here
  double *in, *energy, *integrals, *levels, *work, *scratch;
};

static double* lanes_of(walk_job* r, int lanes, int rows)
{
  double* at = base_arena_take(r->e->arena, sizeof(double) * (size_t)(lanes * (rows + 1) + 8));
  return (double*)(((uintptr_t)at + 63) & ~(uintptr_t)63);
}

// Whoever watches the run must not be noticed by it: the caller's progress function is told of
// residuals some steps late.
static bool is_quiet(const walk_job* r)
{
  const model* m = r->s->model;
  return !m->events && !m->stages && !m->contacts;
}

walk_ends* walk_ends_new(walk_job* r)
{
  if (!r->f->abreast || !is_quiet(r)) return NULL;
  const engine* e = r->e;
  const code_kernel* kernel[] = {e->program->energy, e->program->integrals, e->program->levels};
  walk_ends* s = base_arena_take(e->arena, sizeof *s);
  s->lanes = code_lanes_of(e->program->energy);
  s->residuals = e->mode.rows > 0 && rate_lanes_meets(r->f->abreast);
  s->in = lanes_of(r, s->lanes, e->program->inputs);
  s->energy = lanes_of(r, s->lanes, code_outputs(e->program->energy));
  s->integrals = lanes_of(r, s->lanes, code_outputs(e->program->integrals));
  s->levels = lanes_of(r, s->lanes, code_outputs(e->program->levels));
  s->work = base_arena_take(e->arena, sizeof(double) * (size_t)s->lanes);
  size_t room = 0;
  for (int i = 0; i < 2 + s->residuals; i++) {
    const size_t need = code_scratch_lanes(kernel[i], s->lanes);
    if (need > room) room = need;
    if (code_outputs(kernel[i])) code_native(kernel[i], s->lanes);
  }
  s->scratch = lanes_of(r, 1, (int)room + 8);
  return s;
}

void walk_ends_add(walk_job* r, double t, const double* y)
{
  walk_ends* s = r->ends;
  engine* e = r->e;
  const int lanes = s->lanes, at = s->count++;
  if (!e->mode.rows || s->residuals) engine_state(e, t, y, y + e->n);
  for (int i = 0; i < e->program->inputs; i++) s->in[i * lanes + at] = e->in[i];
  s->work[at] = y[2 * e->n];
  if (s->count == lanes) walk_ends_note(r);
}

static void note_residuals(walk_job* r, int lane)
{
  engine* e = r->e;
  const walk_ends* s = r->ends;
  for (int i = 0; i < 2 * e->m; i++) e->work.level_out[i] = s->levels[i * s->lanes + lane];
  engine_residuals_found(e, e->work.g, e->work.br);
  walk_run_keep_residuals(r, e->work.g, e->work.br);
}

void walk_ends_note(walk_job* r)
{
  walk_ends* s = r->ends;
  const engine* e = r->e;
  if (!s || !s->count) return;
  const int lanes = s->lanes;
  if (s->residuals) {
    rate_lanes_settle_lanes(r->abreast, s->in);
    code_run_lanes(e->program->levels, lanes, s->in, s->levels, s->scratch);
  }
  code_run_lanes(e->program->energy, lanes, s->in, s->energy, s->scratch);
  if (r->track->integrals)
    code_run_lanes(e->program->integrals, lanes, s->in, s->integrals, s->scratch);
  for (int l = 0; l < s->count; l++) {
    const double H = s->energy[l], T = s->energy[lanes + l], V = s->energy[3 * lanes + l];
    if (s->residuals) note_residuals(r, l);
    walk_run_keep_energy(r, (walk_energy){.H = H, .T = T, .E = T + V}, s->work[l]);
    walk_integrals_keep(r, s->integrals + l, lanes);
  }
  s->count = 0;
}
