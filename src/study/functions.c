// The equations of motion as functions of a state: rates, their slopes, masses, forces, reactions.
#include "study/linear.h"

#include <math.h>
#include <string.h>

struct study_functions
{
  engine* e;
  study_linear* linear; // once it was asked for
};

// what a run has at its start: sizes, constraints set aside
static bool begin(engine* e, base_notes* notes)
{
  const model* m = e->model;
  engine_time(e, 0);
  const double t = m->has_run ? engine_value(e, m->run_from) : 0;
  engine_time(e, t);
  if (m->stages && walk_change_first(e, &m->stage[0].change, notes)) return false;
  if (!walk_start(e, t, m->initials, m->initial, notes, NULL)) return false;
  engine_time(e, t);
  engine_set_aside(e);
  return walk_first_accelerations(e, notes);
}

study_functions* study_functions_new(mech_system* s, const double* number, base_notes* notes)
{
  const engine_kind kind = {.most = MECH_FULL, .large = s->n > MECH_FULL, .given = true};
  const engine_program* p = engine_program_of(s, kind, notes);
  engine* e = p ? contact_engine_of(p, number, notes) : NULL;
  if (!e) return NULL;
  if (!begin(e, notes)) {
    engine_free(e);
    return NULL;
  }
  study_functions* f = base_arena_take(e->arena, sizeof *f);
  f->e = e;
  return f;
}

void study_functions_free(study_functions* f)
{
  if (!f) return;
  study_linear_free(f->linear);
  engine_free(f->e);
}

bool study_functions_give(study_functions* f, const double* number, base_notes* notes)
{
  return engine_given_change(f->e, number, notes);
}

// which sides and inequalities hold here, without impacts: 0, or 1 with the engine's reason
static int decide(engine* e)
{
  if (!e->unilateral) return e->program->modes.count ? contact_sides(e) : 0;
  contact_clear_sides(e);
  return contact_first_sides(e) || contact_inequality_decide(e, false, NULL, NULL) ||
         contact_sides(e);
}

bool study_functions_at(study_functions* f, double t, const double* y, int stride,
                        base_notes* notes)
{
  engine* e = f->e;
  const int n = e->n;
  for (int i = 0; i < n; i++) {
    e->q[i] = y[(size_t)i * (size_t)stride];
    e->v[i] = y[(size_t)(n + i) * (size_t)stride];
  }
  engine_time(e, t);
  e->factored = false;
  *e->reason = 0;
  bool fine = !decide(e) && !contact_accelerations(e);
  for (int i = 0; i < n; i++) fine = fine && isfinite(e->a[i]);
  if (!fine)
    base_error(notes, BASE_NOWHERE, "at t = %.10g: %s", t,
               *e->reason ? e->reason : "the accelerations are not finite");
  return fine;
}

void study_functions_rates(const study_functions* f, double* rates, int stride)
{
  const engine* e = f->e;
  const int n = e->n;
  for (int i = 0; i < n; i++) {
    rates[(size_t)i * (size_t)stride] = e->v[i];
    rates[(size_t)(n + i) * (size_t)stride] = e->a[i];
  }
}

void study_functions_reactions(study_functions* f, double* lambda)
{
  contact_reactions(f->e);
  memcpy(lambda, f->e->lambda, sizeof(double) * (size_t)f->e->s->written);
}

static bool is_full(const engine* e, base_notes* notes)
{
  if (!e->sparse) return true;
  base_error(notes, BASE_NOWHERE, "the model has %d coordinates: full matrices are not made of it",
             e->n);
  return false;
}

bool study_functions_mass(study_functions* f, double* M, base_notes* notes)
{
  const engine* e = f->e;
  if (!is_full(e, notes)) return false;
  memcpy(M, e->M, sizeof(double) * (size_t)(e->n * e->n));
  return true;
}

bool study_functions_forces(study_functions* f, double* F, base_notes* notes)
{
  const engine* e = f->e;
  if (!is_full(e, notes)) return false;
  memcpy(F, e->F, sizeof(double) * (size_t)e->n);
  return true;
}

bool study_functions_jacobian(study_functions* f, double* J, base_notes* notes)
{
  engine* e = f->e;
  if (!is_full(e, notes)) return false;
  if (!f->linear) f->linear = study_linear_new(e, notes);
  if (!f->linear) return false;
  engine_kept_reactions(e);
  study_linear_again(f->linear);
  memcpy(J, f->linear->J, sizeof(double) * (size_t)(4 * e->n * e->n));
  return true;
}
