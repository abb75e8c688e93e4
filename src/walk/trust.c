// Whether the numbers of a run are to be trusted.
//
// Three things must hold whatever the model is: energy changes by the work of the forces alone,
// constraints are met, and forces that jump are those of the side on which the motion is. A run
// that breaks one of them keeps its rows, with the reason for doubt.
#include "walk/run.h"

#include <float.h>
#include <math.h>
#include <string.h>

// errors of single steps that may add up over a run
static const double steps_added = 1e4;
// of the size that all energy of a run would give to something: below it, it rests, and what is
// seen of it is what rounding of all the others leaves there
static const double rounding_at_rest = 64 * DBL_EPSILON;

double walk_trust_allowed(double tolerance)
{
  return fmax(engine_visible, steps_added * tolerance);
}

// the first reason counts; every one is told
static void doubt(walk_job* r, const char* text, const char* help)
{
  if (!*r->track->doubt) r->track->doubt = text;
  base_warning(r->notes, BASE_NOWHERE, "%s", text);
  base_help(r->notes, "%s", help);
}

// What rests has no energy, and no work is done on it, but by the rounding of its speeds. That is
// told by what its forces, which balance, could give it in the run: their work on such speeds.
static double rounding_of_energy(engine* e)
{
  const engine_scales* s = e->scales;
  double sum = 0;
  // steps of time have no use for the masses of scales
  engine_equations(e);
  engine_scales_see_forces(e);
  engine_scales_see_terms(e);
  for (int i = 0; i < e->n; i++) {
    // a weight that a floor bears is the same everywhere, and no difference shows it
    const double weight = s->like[i] > 0 ? fabs(e->F[i]) / s->like[i] : 0;
    const double speed = fmax(s->seen[i].terms, weight) * s->span;
    sum += s->like[i] * engine_noise_kick * speed * speed;
  }
  return sum;
}

void walk_trust_energy(walk_job* r, double allowed, const char* help)
{
  walk_track* t = r->track;
  const double off = fabs(t->energy_balance) / (t->energy_scale > 0 ? t->energy_scale : 1);
  // a potential without a value, as of a logarithm beyond its pole, has no balance to be off by
  if (isnan(off) && isfinite(r->start.H))
    doubt(r,
          "the energy, a number at the start, is none at the end: the motion has left where the "
          "energies are defined; do not trust these numbers",
          help);
  else if (off > allowed && !(fabs(t->energy_balance) <= rounding_of_energy(r->e)))
    doubt(r,
          base_arena_printf(t->arena,
                            "the energy balance is off by %.2g of the largest energy: do not "
                            "trust these numbers",
                            off),
          help);
}

// The speed that the energy of the run would give to that mass, or the way in its time (level 0).
static double natural_size(const walk_job* r, double mass, int level)
{
  if (!(mass > 0) || !(r->track->energy_scale > 0)) return 0;
  const double speed = sqrt(2 * r->track->energy_scale / mass);
  return level ? speed : speed * r->e->scales->span;
}

double walk_trust_rest(const walk_job* r, int coord, int level)
{
  const engine_scales* s = r->e->scales;
  const double natural = natural_size(r, s->like[coord], level),
               seen = level ? s->speed[coord] : s->place[coord];
  return seen < rounding_at_rest * natural ? natural : seen;
}

// What nothing moves has no size but rounding, which the solution of all equations together brings
// to it: where all that was seen along a row is rounding of what the energy of the run could be
// there, that; else rounding of rounding, once a step.
static double rounding_of_row(const walk_job* r, int k, int level, double size)
{
  const engine* e = r->e;
  const engine_scales* s = e->scales;
  double mass = 0;
  if (e->sparse) return 0;
  for (int i = 0; i < e->n; i++)
    if (e->LA[k * e->n + i] != 0 && (mass <= 0 || s->like[i] < mass)) mass = s->like[i];
  const double natural = natural_size(r, mass, level);
  return size < rounding_at_rest * natural ? rounding_at_rest * natural
                                           : steps_added * DBL_EPSILON * DBL_EPSILON * natural;
}

// Off by this distance (level 0) or speed (level 1), against what was seen along constraint k in
// the steps, however few the rows are; its levels are evaluated.
static bool has_drifted(const walk_job* r, int k, double off, int level)
{
  const double norm = engine_level_norm(r->e, k), row = engine_scale_row(r->e, k, level);
  const double size = norm > 0 ? row / norm : row;
  return off > walk_trust_allowed(r->track->tolerance) * size &&
         off > rounding_of_row(r, k, level, size);
}

void walk_trust_constraints(walk_job* r, const char* help)
{
  walk_track* t = r->track;
  code_run(r->e->program->levels, r->e->in, r->e->work.level_out, r->e->work.scratch);
  for (int k = 0; k < t->model->constraints; k++) {
    const double off[] = {t->residual[k].position, t->residual[k].velocity};
    for (int level = 0; level < 2; level++) {
      if (!has_drifted(r, k, off[level], level)) continue;
      doubt(r,
            base_arena_printf(
                t->arena, "the constraint `%s` is off by %.2g%s: do not trust these numbers",
                t->model->constraint[k].name, off[level], level ? " in the velocities" : ""),
            help);
      break;
    }
  }
}

void walk_trust_sides(walk_job* r, const char* help)
{
  const int i = r->watch->astray;
  if (i < 0) return;
  const char* text = base_notes_quote(r->notes, r->e->program->modes.place[i], r->e->arena);
  doubt(r,
        base_arena_printf(r->track->arena,
                          "a force%s%.50s%s was taken on the wrong side of its corner or jump: do "
                          "not trust these numbers",
                          *text ? " (`" : "", text, *text ? "`)" : ""),
        help);
}

void walk_trust_laws(walk_job* r, const char* help)
{
  const walk_laws* l = &r->track->laws;
  if (!l->unsolved) return;
  const char* text = base_arena_printf(
      r->track->arena,
      "in %ld of %ld steps contacts obey their laws to %.2g of their velocities only", l->unsolved,
      r->stepper->counts.steps, l->fault);
  if (l->fault > engine_moreau_coarse) {
    doubt(r, text, help);
    return;
  }
  base_warning(r->notes, BASE_NOWHERE, "%s", text);
  base_help(r->notes, "%s", help);
}
