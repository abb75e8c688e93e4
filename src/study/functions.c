// The equations of motion as functions of a state: rates, their slopes, masses, forces, reactions.
#include "study/linear.h"

#include <math.h>
#include <string.h>

// of accelerations: two ways to the same ones differ by rounding, two functions by what the state
// beside the start is off the constraints, a thousandth
static const double lanes_agree = 1e-9;

struct study_functions
{
  engine* e;
  study_linear* linear; // once it was asked for
  bool tried;           // whether states may go side by side
  rate_flow abreast;    // of which the lanes are used alone; null: they may not
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

// ---- side by side -------------------------------------------------------------------------------

bool study_functions_lanes(study_functions* f, const double* y, int count, int stride,
                           double* rates)
{
  const step_abreast* ode = rate_lanes_ode(f->abreast.abreast);
  const int n = f->e->n, used = count < STEP_ABREAST ? count : STEP_ABREAST;
  for (int i = 0; i < 2 * n; i++) {
    const double* from = y + (size_t)i * (size_t)stride;
    // lanes without a state of their own have the last one again
    for (int l = 0; ode->Y[i] && l < STEP_ABREAST; l++)
      ode->Y[i][l] = from[l < used ? l : used - 1];
  }
  if (ode->evaluate(&f->abreast)) return false;
  bool fine = true;
  for (int i = 0; i < n; i++) {
    const double *v = y + (size_t)(n + i) * (size_t)stride, *a = ode->F[n + i];
    double *to = rates + (size_t)i * (size_t)stride, *to_a = to + (size_t)n * (size_t)stride;
    for (int l = 0; l < used; l++) {
      to[l] = v[l];
      to_a[l] = a[l];
      fine &= isfinite(a[l]);
    }
  }
  return fine;
}

// Off the constraints equations of motion are not the only ones of their kind: where an expression
// was written shorter with the help of a constraint, as with the norm of a quaternion, values there
// are others. Both ways are to give the same function: they are compared beside the start.
static bool agrees(study_functions* f, base_notes* quiet)
{
  const engine* e = f->e;
  const int n = e->n;
  double* y = base_arena_take(e->arena, sizeof *y * 6 * (size_t)n);
  double *one = y + 2 * n, *many = one + 2 * n, size = 0, off = 0;
  for (int i = 0; i < 2 * n; i++) {
    const double at = i < n ? e->q[i] : e->v[i - n];
    y[i] = at + 1e-3 * (1 + fabs(at)) * sin(1 + 2.0 * i);
  }
  if (!study_functions_at(f, e->in[0], y, 1, quiet)) return false;
  study_functions_rates(f, one, 1);
  if (!study_functions_lanes(f, y, 1, 1, many)) return false;
  for (int i = n; i < 2 * n; i++) {
    size = fmax(size, fabs(one[i]));
    off = fmax(off, fabs(one[i] - many[i]));
  }
  return off <= lanes_agree * size;
}

// Where nothing has to be decided at each state, and no velocity is found from the others: states
// off the constraints are not mended.
static void try_lanes(study_functions* f)
{
  engine* e = f->e;
  f->tried = true;
  const engine_features asked = rate_features(e);
  if (e->unilateral || e->program->modes.count || (asked & ENGINE_DELAYS)) return;
  if (rate_refusal(RATE_EIGHT, asked)) return;
  rate_lanes* lanes = rate_lanes_new(e, RATE_ALL);
  rate_lanes_rebase(lanes);
  if (!rate_lanes_ready(lanes) || rate_lanes_eliminates(lanes)) return;
  f->abreast = (rate_flow){.e = e, .abreast = lanes};
  base_notes* quiet = base_notes_new();
  if (!agrees(f, quiet)) f->abreast.abreast = NULL;
  base_notes_free(quiet);
}

bool study_functions_begin_lanes(study_functions* f, double t)
{
  if (!f->tried) try_lanes(f);
  if (!f->abreast.abreast) return false;
  engine_time(f->e, t);
  rate_lanes_rebase(f->abreast.abreast); // with the inputs of now
  return rate_lanes_ready(f->abreast.abreast);
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
