// Time-stepping in a run: what is made before its first step, a step as the walker asks for it, and
// what is kept of it.
#include "walk/moreau.h"

#include "contact/contact.h"
#include "walk/integrals.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { steps_of_a_span = 2000, most_broken = 50 };
enum { fine_halvings = 2, most_pause = 63 }; // where laws hold nearly
static const double steps_of_a_scale = 0.05; // of the shortest time scale
static const double most_steps = 2e7;
static const double enough_effort = 1e8; // products: a tenth of a second for the contacts of a step
static const double doubtful = 0.05;     // an energy balance off by more is worth a warning

// ---- before the first step ----------------------------------------------------------------------

// Bound of the rates of the motion without contacts: with M's diagonal, the row sums of dG/dq give
// squares of frequencies, those of dF/dq' rates of decay. The engine is at the start.
static double fastest_rate(walk_moreau* s)
{
  double *mass = s->q_look, *stiff = s->dv, *damp = s->v_free, most = 0;
  code_run(s->motion, s->e->in, s->motion_out, s->scratch);
  for (int i = 0; i < s->n; i++) mass[i] = stiff[i] = damp[i] = 0;
  for (int k = 0; k < s->M.count; k++)
    if (s->M.i[k] == s->M.j[k]) mass[s->M.i[k]] = s->M.value[k];
  for (int k = 0; k < s->K.count; k++) stiff[s->K.i[k]] += fabs(s->K.value[k]);
  for (int k = 0; k < s->C.count; k++) damp[s->C.i[k]] += fabs(s->C.value[k]);
  for (int i = 0; i < s->n; i++) {
    if (!(mass[i] > 0)) continue;
    most = fmax(most, fmax(sqrt(stiff[i] / mass[i]), damp[i] / mass[i]));
  }
  return most;
}

static bool choose_step(walk_job* r, walk_moreau* s)
{
  walk_track* t = r->track;
  const double span = r->t_end - t->t_from, rate = fastest_rate(s);
  const double by_span = span / steps_of_a_span, by_rate = steps_of_a_scale / rate;
  const double h = r->o->step > 0 ? r->o->step : fmin(by_span, by_rate);
  if (!isfinite(h)) {
    base_error(r->notes, BASE_NOWHERE,
               "neither the end of the run nor the forces say how long steps should be");
    base_help(r->notes, "say it with --step, or where to stop with --until");
    return false;
  }
  const double steps = ceil(span / h * (1 - engine_row_rounding));
  if (isfinite(steps) && !(steps <= most_steps)) {
    base_error(r->notes, BASE_NOWHERE, "steps of %.3g s would be %.3g in this run, more than %.0g",
               h, steps, most_steps);
    base_help(r->notes, "say how long they shall be with --step");
    return false;
  }
  const char* why = r->o->step > 0      ? "given"
                    : by_rate < by_span ? "a twentieth of the shortest time scale"
                                        : "1/2000 of the span";
  const double length = isfinite(steps) ? span / fmax(steps, 1) : h;
  const bool asked = r->o->method || r->s->model->method_place.file >= 0;
  t->method_why =
      base_arena_printf(t->arena,
                        "%s; fixed step %.6g s: %s; the tolerance is that "
                        "of the contact problem",
                        asked ? "asked for" : "near pairs of shapes are looked for", length, why);
  rate_flow_take_leaps(r->f, &s->leaps, h);
  return true;
}

static void read_restitutions(engine* e)
{
  contact_inequalities* u = e->unilateral;
  for (int i = 0; u && i < u->count; i++) {
    const expr x = e->model->constraint[u->of[i]].restitution;
    u->restitution[i] = x == EXPR_NONE ? 0 : engine_value(e, x);
  }
}

void walk_moreau_let_go(engine* e)
{
  contact_inequalities* u = e->unilateral;
  for (int i = 0; u && i < u->count; i++) e->mode.active[u->of[i]] = u->both[i] && u->present[i];
  for (int j = 0; u && j < u->links; j++) e->mode.active[u->link[j]] = false;
  engine_rows(e);
  read_restitutions(e);
}

static void note_residual(double* most, double value)
{
  *most = fmax(isnan(*most) ? 0 : *most, value);
}

// the limits are evaluated at the end of the step
static void note_residuals(walk_job* r)
{
  const walk_moreau* s = r->moreau;
  const contact_inequalities* u = s->e->unilateral;
  for (int k = 0, i = 0; k < s->m; k++) {
    const model_constraint* c = &s->e->model->constraint[k];
    walk_residual* most = &r->track->residual[k];
    // they stand in the order of the model
    while (c->sense && u->of[i] < k) i++;
    if (c->sense ? !u->present[i] : !s->e->mode.active[k]) continue;
    const double f0 = c->sense ? fmax(0, -c->sense * s->f0[k]) : fabs(s->f0[k]);
    const double f1 = c->sense ? fmax(0, -c->sense * s->f1[k]) : fabs(s->f1[k]);
    if (c->order == 0) note_residual(&most->position, f0);
    if (c->order == 1 || (c->order == 0 && !c->sense)) note_residual(&most->velocity, f1);
    if (c->order != 2) continue;
    double left = -s->c[k], norm = 0;
    for (int p = s->A.start[k]; p < s->A.start[k + 1]; p++) {
      left += s->A.value[p] * s->a[s->A.column[p]];
      norm += s->A.value[p] * s->A.value[p];
    }
    left /= norm > 0 ? sqrt(norm) : 1;
    note_residual(&most->acceleration, c->sense ? fmax(0, -c->sense * left) : fabs(left));
  }
}

bool walk_moreau_open(walk_job* r)
{
  base_kept_lock(r->s->kept);
  const int before = base_notes_errors(r->notes);
  r->moreau = walk_moreau_new(r->e, r->notes);
  if (r->moreau) r->moreau->effort = r->o->effort > 0 ? r->o->effort : enough_effort;
  contact_shapes* shapes = r->moreau ? contact_shapes_new(r->e, r->notes) : NULL;
  if (shapes) r->moreau->touches.by = contact_shapes_toucher(shapes);
  base_kept_unlock(r->s->kept);
  return r->moreau && base_notes_errors(r->notes) == before;
}

// friction comes from the contact problem: its law in the forces is off, as where it sticks
static void put_laws_off(engine* e)
{
  for (int k = 0; k < e->m; k++)
    if (e->model->constraint[k].sticks) e->holds[k] = 1;
}

void walk_moreau_started(engine* e)
{
  walk_moreau_let_go(e);
  put_laws_off(e);
  walk_moreau_sides(e);
}

static int leap(void* context, double t, const double* y, double to, double* y_to);
static void load(void* context);

bool walk_moreau_prepare(walk_job* r)
{
  walk_moreau* s = r->moreau;
  const size_t bytes = sizeof(double) * (size_t)s->n;
  s->leaps = (rate_leaps){leap, load, r};
  s->t = r->track->t_from;
  s->rest = NAN;
  memcpy(s->q, r->e->q, bytes);
  memcpy(s->v, r->e->v, bytes);
  walk_moreau_look(s, s->t, s->q, s->v);
  if (s->touches.by && !contact_shapes_begin(s->touches.by, s->t, s->q, s->v, r->notes))
    return false;
  walk_moreau_tell_start(s);
  note_residuals(r);
  if (r->o->tolerance > 0)
    base_warning(r->notes, BASE_NOWHERE,
                 "--tol does not steer the method moreau; its steps are fixed, by --step");
  return choose_step(r, s);
}

// ---- a state with what belongs to it ------------------------------------------------------------

// the sides of corners in forces and outputs, each by its own switching function
void walk_moreau_sides(engine* e)
{
  if (!e->program->modes.count) return;
  code_run(e->program->switches, e->in, e->work.switching, e->work.scratch);
  for (int i = 0; i < e->program->modes.count; i++) {
    const double x = e->work.switching[i];
    e->side[i] = x > 0 ? 1 : x < 0 ? -1 : e->program->modes.slides[i] ? 0 : 1;
  }
}

// does a param that enters the energy or the constraints change at once, the velocities following?
static bool pushes(const engine* e, const model_change* c)
{
  for (int i = 0; i < c->sets && c->carry != MODEL_CARRY_VELOCITY; i++) {
    if (c->set[i].target != MODEL_SET_PARAM || c->set[i].over != EXPR_NONE) continue;
    for (int k = 0; k < e->p; k++)
      if (e->program->changing[k] == c->set[i].index && e->program->drives[k]) return true;
  }
  return false;
}

int walk_moreau_hold(walk_job* r, const model_change* c)
{
  const walk_moreau* s = r->moreau;
  engine* e = r->e;
  const contact_inequalities* u = e->unilateral;
  bool any = false, moved;
  if (!u || !pushes(e, c)) return 0;
  for (int i = 0; i < u->count; i++) {
    const bool presses = u->present[i] && (u->both[i] || u->sign[i] * s->lambda[u->of[i]] > 0);
    e->mode.active[u->of[i]] = presses;
    for (int j = 0; j < u->links; j++)
      if (u->link_of[j] == i) e->mode.active[u->link[j]] = presses && u->link_present[j];
    any = any || presses;
  }
  if (!any) return 0;
  engine_rows(e);
  return engine_project(e, &moved);
}

// what the last step gave, at the engine's state
static void load(void* context)
{
  const walk_job* r = context;
  const walk_moreau* s = r->moreau;
  engine* e = s->e;
  memcpy(e->a, s->a, sizeof(double) * (size_t)s->n);
  if (s->m) memcpy(e->lambda, s->lambda, sizeof(double) * (size_t)s->m);
  walk_moreau_sides(e);
  walk_moreau_dry_sides(s);
  walk_moreau_show_losses(s);
}

void walk_moreau_load(walk_job* r, double x)
{
  walk_moreau* s = r->moreau;
  for (int i = 0; i < s->n; i++) {
    s->q_look[i] = s->q[i] + x * (s->q_end[i] - s->q[i]);
    s->dv[i] = s->v[i] + x * (s->v_end[i] - s->v[i]);
  }
  // without the rounding of the way there
  if (x == 1)
    engine_state(s->e, s->t + s->h, s->q_end, s->v_end);
  else
    engine_state(s->e, s->t + x * s->h, s->q_look, s->dv);
  load(r);
}

// ---- what is noted ------------------------------------------------------------------------------

void walk_moreau_note(walk_job* r)
{
  const walk_moreau* s = r->moreau;
  note_residuals(r);
  r->jumps += s->released + s->given;
  // between contacts; an impact may change what is kept
  if (s->released == 0)
    walk_integrals_note(r);
  else
    walk_integrals_jump(r);
}

void walk_moreau_judge(walk_job* r)
{
  const walk_moreau* s = r->moreau;
  r->track->laws = (walk_laws){.problems = s->solved,
                               .rows = s->most_rows,
                               .fault = s->worst_fault,
                               .unsolved = s->unsolved,
                               .halved = s->halved,
                               .overlap = s->overlap,
                               .gained = s->most_unpaid,
                               .rest = s->rest};
  walk_trust_energy(r, doubtful, "try a smaller --step");
  walk_trust_laws(r, "try a smaller --step");
}

// ---- a step -------------------------------------------------------------------------------------

// of forces and of moving constraints, by the middle of the step; what contacts take are jumps
static double work(walk_job* r)
{
  const walk_moreau* s = r->moreau;
  engine* e = r->e;
  double power;
  walk_moreau_load(r, 0.5);
  for (int k = 0; k < s->m; k++)
    if (e->model->constraint[k].sense || e->model->constraint[k].sticks) e->lambda[k] = 0;
  code_run(e->program->work, e->in, &power, e->work.scratch);
  double felt = 0;
  if (s->felt) {
    memcpy(e->lambda, s->lambda, sizeof(double) * (size_t)s->m);
    code_run(s->felt, e->in, &felt, s->scratch);
  }
  return s->h * (power + felt);
}

static bool is_finite(const walk_moreau* s)
{
  for (int i = 0; i < s->n; i++)
    if (!isfinite(s->q_end[i]) || !isfinite(s->v_end[i])) return false;
  return true;
}

static int make_step(walk_job* r, double t, const double* y, double to, double* y_to)
{
  walk_moreau* s = r->moreau;
  const size_t n = (size_t)s->n, bytes = sizeof(double) * n;
  s->t = t;
  s->h = to - t;
  memcpy(s->q, y, bytes);
  memcpy(s->v, y + n, bytes);
  put_laws_off(s->e);
  walk_moreau_look(s, t, s->q, s->v);
  if (walk_moreau_step(s)) return 1;
  memcpy(y_to, s->q_end, bytes);
  memcpy(y_to + n, s->v_end, bytes);
  y_to[2 * n] = y[2 * n];
  if (!is_finite(s)) return 0;
  y_to[2 * n] += work(r);
  return walk_moreau_jumps(r);
}

// the step was made in two halves, the first of which had these
static void join(walk_moreau* s, double t, const double* y, double to, const double* lambda,
                 double released, double given)
{
  const size_t n = (size_t)s->n, bytes = sizeof(double) * n;
  s->t = t;
  s->h = to - t;
  memcpy(s->q, y, bytes);
  memcpy(s->v, y + n, bytes);
  s->released += released;
  s->given += given;
  for (int k = 0; k < s->m; k++) s->lambda[k] = (s->lambda[k] + lambda[k]) / 2;
  for (int i = 0; i < s->n; i++) s->a[i] = (s->v_end[i] - s->v[i]) / s->h;
}

// A step whose impulses obey the laws badly is made in two halves, and these again, a few times;
// then the motion goes on with what was found. One that obeys them nearly is, too, but less often
// where that was of no use before: what its contacts are then off by is not of its length.
static bool may_halve(const walk_moreau* s, int depth)
{
  return depth < fine_halvings && s->halving.wait == 0;
}

// Impulses that obey the laws nearly may give energy, where nothing moves that could pay for it.
static bool gives_energy(const walk_job* r)
{
  const walk_moreau* s = r->moreau;
  return s->fault > engine_moreau_told && s->unpaid > engine_moreau_gained * r->track->energy_scale;
}

static bool is_halved(const walk_job* r, int depth)
{
  const walk_moreau* s = r->moreau;
  if (s->fault > engine_moreau_coarse || gives_energy(r)) return depth < WALK_MOREAU_HALVINGS;
  return s->fault > fmax(s->allowed, engine_moreau_told) && may_halve(s, depth);
}

static int advance(walk_job* r, double t, const double* y, double to, double* y_to, int depth)
{
  walk_moreau* s = r->moreau;
  s->may_halve = may_halve(s, depth);
  if (make_step(r, t, y, to, y_to)) return 1;
  if (!is_halved(r, depth)) {
    walk_moreau_tell(s);
    s->most_unpaid = fmax(s->most_unpaid, s->unpaid);
    return 0;
  }
  double *middle = s->half[depth], *lambda = middle + 2 * s->n + 1;
  s->halved++;
  if (advance(r, t, y, t + (to - t) / 2, middle, depth + 1)) return 1;
  const double released = s->released, given = s->given, fault = s->fault;
  if (s->m) memcpy(lambda, s->lambda, sizeof(double) * (size_t)s->m);
  if (advance(r, t + (to - t) / 2, middle, to, y_to, depth + 1)) return 1;
  join(s, t, y, to, lambda, released, given);
  s->fault = fmax(s->fault, fault);
  return 0;
}

// of a step that was halved or not: how many that obey their laws nearly are left whole from now on
static void judge_halving(walk_moreau* s, bool was_halved)
{
  walk_halving* x = &s->halving;
  const bool solved = !(s->fault > engine_moreau_told);
  if (was_halved) {
    x->pause = solved                          ? x->pause / 2
               : 2 * x->pause + 1 < most_pause ? 2 * x->pause + 1
                                               : most_pause;
    x->wait = solved ? 0 : x->pause;
  } else if (!solved && x->wait) {
    x->wait--;
  }
}

// All rests where its motion is nothing beside that of a fall in one step: what is left of it are
// the laws as far as they are obeyed.
static void judge_rest(walk_moreau* s)
{
  double energy = 0;
  for (int k = 0; k < s->M.count; k++)
    energy += s->v_end[s->M.i[k]] * s->M.value[k] * s->v_end[s->M.j[k]] / 2;
  if (!(energy <= engine_moreau_rest * engine_moreau_rest * s->fall))
    s->rest = NAN;
  else if (isnan(s->rest))
    s->rest = s->t + s->h;
}

static int leap(void* context, double t, const double* y, double to, double* y_to)
{
  walk_job* r = context;
  walk_moreau* s = r->moreau;
  const long halved = s->halved;
  memcpy(s->lost_before, s->lost, sizeof(double) * (size_t)s->e->model->tells);
  if (advance(r, t, y, to, y_to, 0)) return 1;
  judge_halving(s, s->halved > halved);
  judge_rest(s);
  s->worst_fault = fmax(s->worst_fault, s->fault);
  s->unsolved += s->fault > engine_moreau_told;
  // one such step is gone on with, and told; many on end say that there is no motion
  s->broken = s->fault > engine_moreau_broken ? s->broken + 1 : 0;
  if (s->broken < most_broken) return 0;
  snprintf(s->e->reason, sizeof s->e->reason,
           "for %d steps no impulses were found that obey the laws of the %d contacts and "
           "constraints of a step (off by %.2g of their velocities)",
           s->broken, s->rows, s->fault);
  return 1;
}
