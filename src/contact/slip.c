// Contacts with Coulomb friction: open, sticking or slipping, decided for all of them together.
//
//   M w = F + N_B^T lambda_B + N^T lambda_N + T^T lambda_T
//   0 <= lambda_N, N w + d_N >= 0, complementary
//   slipping with u != 0:  lambda_T = -mu lambda_N u/|u|
//   at rest, u = 0:        |lambda_T| <= mu lambda_N, and = -mu lambda_N alpha/|alpha| where the
//                          slip begins with alpha = T w + d_T != 0
// While a contact sticks, constraints u = 0 hold it, in the plane one, in space two; while it slips
// the law stands in the forces. In space the law has no value at u = 0: where slip begins, the
// accelerations are those of the problem above with u = 0 until its speed is something. What that
// leaves out, the turning of u against alpha, is of the second order in that speed.
#include "contact/contact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// speeds against the largest seen: rest; the end of what begins to slip; the end of slip in space
static const double at_rest = 1e-10, has_begun = 5e-5, has_stopped = 1e-8;
enum { most_enumerated = 4 };

// ---- set-up -------------------------------------------------------------------------------------

static void* take(engine* e, int count, size_t size)
{
  return base_arena_take(e->arena, (size_t)(count + 1) * size);
}

static int slips_of(const engine* e, int i)
{
  const model_constraint* c = contact_inequality_constraint(e, i);
  return c->friction == EXPR_NONE ? 0 : c->slips;
}

// a state of no special kind in which all contacts slip; the one before is given back by `restore`
static double* unsettle(engine* e, int trial)
{
  double* kept = base_alloc(sizeof(double) * (size_t)e->inputs);
  memcpy(kept, e->in, sizeof(double) * (size_t)e->inputs);
  for (int j = 0; j < e->n; j++) {
    e->q[j] += 0.1 * sin(1.3 * j + trial + 1);
    e->v[j] = cos(2.1 * j + 1.7 * trial + 0.4);
  }
  for (int k = 0; k < e->m; k++)
    if (e->model->constraint[k].sticks) e->holds[k] = 0;
  return kept;
}

static void restore(engine* e, double* kept)
{
  memcpy(e->in, kept, sizeof(double) * (size_t)e->inputs);
  free(kept);
}

// The only corner in the force of friction of contact i, by how that force changes with its side;
// -1: none, or several. A force of another kind may have corners of its own: they are there without
// the reaction, too.
static int find_corner(engine* e, int i)
{
  const int n = e->n, corners = e->modes.count;
  int found = -1, count = 0;
  double* kept = unsettle(e, 0);
  double* without = base_alloc(sizeof(double) * (size_t)(n * corners + 1));
  const double* slope = e->coupling_out + n * e->m;
  for (int k = 0; k < e->m; k++) e->lambda[k] = 0;
  code_run(e->coupling, e->in, e->coupling_out, e->scratch);
  memcpy(without, slope, sizeof(double) * (size_t)(n * corners));
  e->lambda[e->unilateral->of[i]] = 1;
  code_run(e->coupling, e->in, e->coupling_out, e->scratch);
  for (int c = 0; c < corners; c++) {
    bool feels = false;
    for (int j = 0; j < n; j++) feels = feels || slope[j * corners + c] != without[j * corners + c];
    if (!feels) continue;
    found = c;
    count += e->modes.slides[c] ? 1 : 2;
  }
  restore(e, kept);
  free(without);
  return count == 1 ? found : -1;
}

// F_j per unit of the reaction of contact i, as its law has it, with the state in the input block
static double share(engine* e, int i, int j)
{
  const model_constraint* c = contact_inequality_constraint(e, i);
  const double* out = e->slip_out + e->unilateral->slip[i];
  double size = 0, sum = 0;
  for (int t = 0; t < c->slips; t++) size = hypot(size, out[1 + t * (e->n + 1)]);
  for (int t = 0; t < c->slips; t++)
    sum += out[1 + t * (e->n + 1)] / size * out[2 + t * (e->n + 1) + j];
  return -c->sense * out[0] * sum;
}

// looked at with numbers, at states of no special kind
bool contact_slip_feels_otherwise(engine* e, int k)
{
  const int i = contact_inequality_find(e->unilateral, k);
  if (!e->unilateral || i < 0 || !slips_of(e, i)) return true;
  bool other = false;
  for (int trial = 0; trial < 3 && !other; trial++) {
    double* kept = unsettle(e, trial);
    code_run(e->slips, e->in, e->slip_out, e->scratch);
    double size = 0;
    for (int j = 0; j < e->n; j++) size = fmax(size, fabs(share(e, i, j)));
    for (int j = 0; j < e->n && !other; j++) {
      const expr slope = expr_diff(e->s->pool, e->s->F[j], e->model->reaction[k]);
      other = expr_has(e->s->pool, slope, e->model->reaction[k]) ||
              !(fabs(engine_value(e, slope) - share(e, i, j)) <= 1e-9 * size);
    }
    restore(e, kept);
  }
  return other;
}

// corners of the forces that are there without reactions, too: a motion may be held at them
static bool holds_elsewhere(engine* e)
{
  const mech_system* s = e->s;
  expr *F = take(e, e->n, sizeof(expr)), *zero = take(e, e->m, sizeof(expr));
  for (int k = 0; k < e->m; k++) zero[k] = expr_int(s->pool, 0);
  expr_substitute_all(s->pool, e->n, s->F, e->m, e->model->reaction, zero, F);
  const engine_corners left = engine_corners_find(s->pool, e->arena, e->n, F, 0, NULL);
  for (int i = 0; i < left.count; i++)
    if (left.slides[i]) return true;
  return false;
}

// friction of contacts is all there is of forces that depend on reactions or hold a motion
static bool only_contacts_rub(engine* e)
{
  const contact_inequalities* u = e->unilateral;
  if (!e->forces_feel || e->least || holds_elsewhere(e)) return false;
  for (int k = 0; k < e->m; k++)
    if (!e->s->role[k].ideal || (e->felt[k] && contact_slip_feels_otherwise(e, k))) return false;
  for (int i = 0; i < u->count; i++)
    if (slips_of(e, i) == 1 && e->felt[u->of[i]] && u->corner[i] < 0) return false;
  return true;
}

// does sign(slip) stand in the forces, or sign(-slip)?
static double way_of_corner(engine* e, int i)
{
  const contact_inequalities* u = e->unilateral;
  double* kept = unsettle(e, 0);
  code_run(e->slips, e->in, e->slip_out, e->scratch);
  code_run(e->switches, e->in, e->switching, e->scratch);
  const bool same = e->switching[u->corner[i]] * e->slip_out[u->slip[i] + 1] > 0;
  restore(e, kept);
  return same ? 1 : -1;
}

void contact_slip_new(engine* e)
{
  contact_inequalities* u = e->unilateral;
  const int count = u->count;
  u->slip = take(e, count, sizeof(int));
  u->corner = take(e, count, sizeof(int));
  u->corner_sign = take(e, count, sizeof(double));
  u->mode = take(e, count, sizeof *u->mode);
  u->mode_was = take(e, count, sizeof *u->mode_was);
  u->guess = take(e, count, sizeof *u->guess);
  u->starts = take(e, count, sizeof(bool));
  int at = 0;
  for (int i = 0; i < count; i++) {
    const int slips = slips_of(e, i);
    u->corner[i] = -1;
    u->slip[i] = slips ? at : -1;
    at += slips ? 1 + slips * (e->n + 1) : 0;
    u->tangents = slips > u->tangents ? slips : u->tangents;
    if (slips == 1 && e->forces_feel) u->corner[i] = find_corner(e, i);
    if (u->corner[i] >= 0) u->corner_sign[i] = way_of_corner(e, i);
  }
  const int rows = count * u->tangents;
  u->T = take(e, rows * e->n, sizeof(double));
  u->dT = take(e, rows, sizeof(double));
  u->slip_now = take(e, rows, sizeof(double));
  u->mu = take(e, count, sizeof(double));
  u->rough = u->tangents && only_contacts_rub(e);
  if (u->rough) u->contact = cone_contact_new(e->n, e->m, count, u->tangents);
}

// ---- rows ---------------------------------------------------------------------------------------

void contact_slip_slips(engine* e, int count, const int* row)
{
  contact_inequalities* u = e->unilateral;
  const int n = e->n, t = u->tangents;
  memset(u->T, 0, sizeof(double) * (size_t)(count * t * n));
  memset(u->dT, 0, sizeof(double) * (size_t)(count * t));
  code_run(e->slips, e->in, e->slip_out, e->scratch);
  for (int r = 0; r < count; r++) {
    const double* out = e->slip_out + u->slip[row[r]];
    const int slips = slips_of(e, row[r]);
    u->mu[r] = slips ? out[0] : 0;
    for (int k = 0; k < slips; k++) {
      double* T = u->T + (r * t + k) * n;
      memcpy(T, out + 2 + k * (n + 1), sizeof(double) * (size_t)n);
      u->dT[r * t + k] = out[1 + k * (n + 1)];
      for (int j = 0; j < n; j++) u->dT[r * t + k] -= T[j] * e->v[j];
    }
  }
}

// What the slip of contact i is measured by, its kernel evaluated
static double slip_scale(const engine* e, int i)
{
  const double* T = e->slip_out + e->unilateral->slip[i] + 2;
  double most = 0;
  for (int k = 0; k < slips_of(e, i); k++)
    most = fmax(most, engine_scale_speed(e, T + k * (e->n + 1)));
  return most;
}

// The speed below which slip that begins is nothing: of that scale, or of what a fall along the
// place of the contact gives.
static double begun(const engine* e, int i)
{
  const double *T = e->slip_out + e->unilateral->slip[i] + 2,
               *N = e->LA + e->unilateral->of[i] * e->n;
  double falls = 0;
  for (int k = 0; k < slips_of(e, i); k++) {
    const double* row = T + k * (e->n + 1);
    const double along = fmax(engine_scale_place(e, row), engine_scale_place(e, N));
    falls = fmax(falls, sqrt(engine_scale_acceleration(e, row) * along));
  }
  return has_begun * fmax(slip_scale(e, i), falls);
}

static double speed_of(const engine* e, int i)
{
  const double* out = e->slip_out + e->unilateral->slip[i];
  double speed = 0;
  for (int k = 0; k < slips_of(e, i); k++) speed = hypot(speed, out[1 + k * (e->n + 1)]);
  return speed;
}

// rows of slip at the level of accelerations, and the slip itself where there is some
static void slips_of_accelerations(engine* e, int count, const int* row)
{
  contact_inequalities* u = e->unilateral;
  const int n = e->n, t = u->tangents;
  engine_scales_see(e, e->q, e->v, NULL);
  contact_slip_slips(e, count, row);
  for (int r = 0; r < count; r++) {
    const int i = row[r];
    const model_constraint* c = contact_inequality_constraint(e, i);
    const bool rests = u->starts[i] || speed_of(e, i) <= at_rest * slip_scale(e, i);
    for (int k = 0; k < t; k++) {
      const bool there = k < slips_of(e, i);
      u->slip_now[r * t + k] = there && !rests && !(e->active[c->stick[0]])
                                   ? e->slip_out[u->slip[i] + 1 + k * (n + 1)]
                                   : 0;
      if (!there) continue;
      memcpy(u->T + (r * t + k) * n, e->A + c->stick[k] * n, sizeof(double) * (size_t)n);
      u->dT[r * t + k] = -e->c[c->stick[k]];
    }
  }
}

// the problem of the contacts in `row` at the state in the input block
static cone_contact_result solve(engine* e, int count, const int* row, bool all)
{
  contact_inequalities* u = e->unilateral;
  // without reactions no friction acts; held by constraints its law has a value
  for (int k = 0; k < e->m; k++) e->lambda[k] = 0;
  for (int i = 0; i < u->count; i++)
    for (int k = 0; k < slips_of(e, i); k++)
      e->holds[contact_inequality_constraint(e, i)->stick[k]] = 1;
  code_run(e->eom, e->in, e->eom_out, e->scratch);
  contact_slip_hold(e);
  for (int r = 0; r < count; r++) contact_inequality_row(e, row[r], false, r);
  slips_of_accelerations(e, count, row);
  for (int r = 0; r < count; r++) u->guess[r] = u->mode[row[r]];
  const cone_contact_problem p = {.n = e->n,
                                  .b = contact_inequality_bilateral(e, false),
                                  .contacts = count,
                                  .tangents = u->tangents,
                                  .M = e->M,
                                  .F = e->F,
                                  .N_B = u->NB,
                                  .d_B = u->dB,
                                  .N = u->N,
                                  .d_N = u->d,
                                  .T = u->T,
                                  .d_T = u->dT,
                                  .mu = u->mu,
                                  .slip = u->slip_now,
                                  .guess = u->guess};
  return cone_contact_solve(u->contact, &p, all);
}

// ---- the decision -------------------------------------------------------------------------------

void contact_slip_forget(engine* e)
{
  contact_inequalities* u = e->unilateral;
  memcpy(u->mode_was, u->mode, sizeof *u->mode * (size_t)u->count);
  for (int i = 0; i < u->count; i++)
    for (int k = 0; k < slips_of(e, i); k++)
      e->active[contact_inequality_constraint(e, i)->stick[k]] = false;
}

void contact_forget(engine* e, const bool* touched)
{
  if (!e->parts && e->unilateral && e->unilateral->rough) contact_slip_forget(e);
  for (int p = 0; p < e->parts; p++) {
    if (touched && !touched[p]) continue;
    contact_forget(engine_part_enter(e, p), NULL);
    engine_part_leave(e, p);
  }
}

bool contact_slips_in_space(const engine* e)
{
  bool any = false;
  for (int p = 0; p < e->parts; p++) any = any || contact_slips_in_space(e->part[p].e);
  return any || (e->unilateral && e->unilateral->rough && e->unilateral->tangents == 2);
}

static int no_answer(engine* e, const cone_contact_result* x)
{
  if (x->status == CONE_CONTACT_NONE)
    snprintf(e->reason, sizeof e->reason,
             "no reactions and accelerations satisfy the contacts and their friction together: the "
             "motion does not exist (Painleve's paradox)");
  else
    snprintf(e->reason, sizeof e->reason, "the contacts and their friction: %s", x->reason);
  return 1;
}

// of several motions the one that goes on as before, else the one that sticks most
static const cone_contact_solution* pick(const engine* e, const cone_contact_result* x, int count)
{
  const cone_contact_solution* best = &x->solution[0];
  int most = -1;
  for (int s = 0; s < x->count; s++) {
    int sticks = 0, same = 0;
    for (int r = 0; r < count; r++) {
      sticks += x->solution[s].mode[r] == CONE_CONTACT_STICK;
      same += x->solution[s].mode[r] == e->unilateral->guess[r];
    }
    const int score = same == count ? 1000000 : sticks;
    if (score <= most) continue;
    most = score;
    best = &x->solution[s];
  }
  return best;
}

// where neither force nor motion shows at a contact, or where it stands at the very limit of
// sticking, the next moment decides
static bool is_open_question(engine* e, const cone_contact_solution* x, int r)
{
  const contact_inequalities* u = e->unilateral;
  const int i = u->candidate[r], t = u->tangents;
  if (x->lambda_N[r] <= contact_inequality_least_force(e, i))
    return x->alpha_N[r] <= contact_inequality_least_acceleration(e, i);
  double size = 0, rate = 0, slip = 0, scale = 0;
  for (int k = 0; k < t; k++) {
    size = hypot(size, x->lambda_T[r * t + k]);
    rate = hypot(rate, x->alpha_T[r * t + k]);
    slip = hypot(slip, u->slip_now[r * t + k]);
    scale = fmax(scale, engine_scale_acceleration(e, u->T + (r * t + k) * e->n));
  }
  if (!slips_of(e, i) || slip > 0) return false;
  return u->mu[r] * x->lambda_N[r] - size <= 1e-9 * u->mu[r] * x->lambda_N[r] &&
         rate <= 1e-8 * scale;
}

// the modes a moment later along the accelerations in u->w
static int moment_later(engine* e, cone_contact_mode* mode)
{
  contact_inequalities* u = e->unilateral;
  double* kept = base_alloc(sizeof(double) * (size_t)e->inputs);
  memcpy(kept, e->in, sizeof(double) * (size_t)e->inputs);
  const double h = contact_inequality_moment(e);
  engine_glide(e, h, u->w);
  const cone_contact_result x = solve(e, u->candidates, u->candidate, false);
  if (x.count) memcpy(mode, x.solution[0].mode, sizeof *mode * (size_t)u->candidates);
  memcpy(e->in, kept, sizeof(double) * (size_t)e->inputs);
  free(kept);
  return x.count ? 0 : no_answer(e, &x);
}

// contact i is in this mode from here on; `rests`: without slip now
static void take_mode(engine* e, int i, cone_contact_mode mode, bool rests)
{
  contact_inequalities* u = e->unilateral;
  const model_constraint* c = contact_inequality_constraint(e, i);
  const int slips = slips_of(e, i);
  e->active[u->of[i]] = mode != CONE_CONTACT_OPEN;
  u->mode[i] = mode;
  if (!slips || mode == CONE_CONTACT_OPEN) return;
  for (int k = 0; k < slips; k++) e->active[c->stick[k]] = mode == CONE_CONTACT_STICK;
  if (u->corner[i] >= 0)
    e->side[u->corner[i]] = u->corner_sign[i] * (mode == CONE_CONTACT_SLIP_BACK ? -1 : 1);
  u->starts[i] = slips == 2 && rests && mode == CONE_CONTACT_SLIP;
  u->starting += u->starts[i];
}

static void take_modes(engine* e, const cone_contact_mode* mode, const double* slip)
{
  contact_inequalities* u = e->unilateral;
  const int t = u->tangents;
  u->starting = 0;
  for (int i = 0; i < u->count; i++) {
    u->starts[i] = false;
    u->mode[i] = CONE_CONTACT_OPEN;
  }
  for (int r = 0; r < u->candidates; r++) {
    bool rests = true;
    for (int k = 0; k < t; k++) rests = rests && slip[r * t + k] == 0;
    cone_contact_mode m = mode[r];
    // in a problem of both kinds one in the plane has its way by its only part
    if (slips_of(e, u->candidate[r]) == 1 && !rests && m == CONE_CONTACT_SLIP && slip[r * t] < 0)
      m = CONE_CONTACT_SLIP_BACK;
    take_mode(e, u->candidate[r], m, rests);
  }
}

int contact_slip_choose(engine* e)
{
  contact_inequalities* u = e->unilateral;
  const int count = u->candidates, t = u->tangents;
  engine_rows(e);
  code_run(e->slips, e->in, e->slip_out, e->scratch);
  for (int i = 0; i < u->count; i++)
    u->starts[i] = u->starts[i] && u->was[i] && speed_of(e, i) < 0.9 * begun(e, i);
  const cone_contact_result x = solve(e, count, u->candidate, count <= most_enumerated);
  if (!x.count) return no_answer(e, &x);
  const cone_contact_solution* s = pick(e, &x, count);
  e->ambiguous = e->ambiguous || x.count > 1;
  cone_contact_mode* mode = base_alloc(sizeof *mode * (size_t)(2 * count + 1));
  double* slip = base_alloc(sizeof *slip * (size_t)(count * t + 1));
  memcpy(mode, s->mode, sizeof *mode * (size_t)count);
  memcpy(slip, u->slip_now, sizeof *slip * (size_t)(count * t));
  memcpy(u->w, s->w, sizeof(double) * (size_t)e->n);
  for (int r = 0; r < count; r++)
    if (t == 2 && slips_of(e, u->candidate[r]) == 1 && mode[r] == CONE_CONTACT_SLIP &&
        s->alpha_T[r * t] < 0)
      mode[r] = CONE_CONTACT_SLIP_BACK;
  contact_inequality_see_forces(e);
  e->ambiguous = e->ambiguous || contact_load_is_open(e, s->lambda_N, s->alpha_N, slip,
                                                      contact_inequality_bilateral(e, false));
  bool* open = base_alloc((size_t)count + 1);
  bool any = false;
  for (int r = 0; r < count; r++) {
    open[r] = is_open_question(e, s, r);
    any = any || open[r];
  }
  int failed = any ? moment_later(e, mode + count) : 0;
  for (int r = 0; r < count && any; r++)
    if (open[r]) mode[r] = mode[count + r];
  if (!failed) take_modes(e, mode, slip);
  free(open);
  free(slip);
  free(mode);
  engine_set_aside(e);
  return failed;
}

static bool slips(cone_contact_mode m)
{
  return m == CONE_CONTACT_SLIP || m == CONE_CONTACT_SLIP_BACK;
}

contact_change contact_slip_change(const engine* e, int i)
{
  const contact_inequalities* u = e->unilateral;
  if (!slips_of(e, i) || u->mode[i] == u->mode_was[i]) return CONTACT_KEPT;
  if (slips(u->mode[i])) return CONTACT_SLIPPING;
  return slips(u->mode_was[i]) ? CONTACT_STICKING : CONTACT_KEPT;
}

// the law of slip acts where a closed contact was found to slip, and has some to go by
void contact_slip_hold(engine* e)
{
  const contact_inequalities* u = e->unilateral;
  for (int i = 0; i < u->count && u->rough; i++)
    for (int k = 0; k < slips_of(e, i); k++) {
      const int stick = contact_inequality_constraint(e, i)->stick[k];
      e->holds[stick] = !(e->active[u->of[i]] && slips(u->mode[i]) && !u->starts[i]);
    }
}

// ---- accelerations ------------------------------------------------------------------------------

bool contact_slip_solves(const engine* e)
{
  const contact_inequalities* u = e->unilateral;
  return u && u->rough && (u->starting || (e->implied_count && !e->by_impulses));
}

static int active_contacts(engine* e)
{
  contact_inequalities* u = e->unilateral;
  u->candidates = 0;
  for (int i = 0; i < u->count; i++)
    if (e->active[u->of[i]]) u->candidate[u->candidates++] = i;
  return u->candidates;
}

int contact_slip_accelerations(engine* e)
{
  contact_inequalities* u = e->unilateral;
  const int count = active_contacts(e), t = u->tangents;
  const cone_contact_result x = solve(e, count, u->candidate, false);
  if (!x.count) return no_answer(e, &x);
  const cone_contact_solution* s = &x.solution[0];
  memcpy(e->a, s->w, sizeof(double) * (size_t)e->n);
  int b = 0;
  for (int k = 0; k < e->m; k++) {
    const model_constraint* c = &e->model->constraint[k];
    if (e->active[k] && !c->sense && !c->sticks) e->lambda[k] = s->lambda_B[b++];
  }
  for (int r = 0; r < count; r++) {
    const int i = u->candidate[r];
    const model_constraint* c = contact_inequality_constraint(e, i);
    e->lambda[u->of[i]] = u->sign[i] * s->lambda_N[r];
    u->alpha[i] = s->alpha_N[r];
    for (int k = 0; k < slips_of(e, i); k++)
      if (e->active[c->stick[k]] || u->starts[i]) e->lambda[c->stick[k]] = s->lambda_T[r * t + k];
  }
  for (int i = 0; i < e->n; i++)
    if (!isfinite(e->a[i])) return no_answer(e, &x);
  return 0;
}

double contact_slip_power(engine* e)
{
  const contact_inequalities* u = e->unilateral;
  double power = 0;
  if (e->parts) return contact_parts_sum(e, contact_slip_power);
  if (!u->starting) return 0;
  code_run(e->slips, e->in, e->slip_out, e->scratch);
  for (int i = 0; i < u->count; i++)
    for (int k = 0; k < 2 && u->starts[i]; k++)
      power += e->lambda[contact_inequality_constraint(e, i)->stick[k]] *
               e->slip_out[u->slip[i] + 1 + k * (e->n + 1)];
  return power;
}

bool contact_slip_owns(const engine* e, int corner)
{
  const contact_inequalities* u = e->unilateral;
  if (e->parts) return contact_parts_owner(e, corner) >= 0;
  for (int i = 0; u && u->rough && i < u->count; i++)
    if (u->corner[i] == corner) return true;
  return false;
}

// ---- what is watched ----------------------------------------------------------------------------

bool contact_slip_is_watched(const engine* e, int i)
{
  e = contact_inequality_place(e, &i);
  const contact_inequalities* u = e->unilateral;
  if (!u->rough || !e->active[u->of[i]] || !slips_of(e, i)) return false;
  return u->starts[i] || (u->mode[i] == CONE_CONTACT_STICK && !e->implied_count);
}

double contact_slip_watch(engine* e, int i)
{
  if (e->parts) return contact_parts_slip_watch(e, i);
  const contact_inequalities* u = e->unilateral;
  const model_constraint* c = contact_inequality_constraint(e, i);
  code_run(e->slips, e->in, e->slip_out, e->scratch);
  if (u->starts[i]) return 1 - speed_of(e, i) / begun(e, i);
  if (contact_accelerations(e)) return NAN;
  double T = 0;
  for (int k = 0; k < slips_of(e, i); k++) T = hypot(T, e->lambda[c->stick[k]]);
  const double most = e->slip_out[u->slip[i]] * fmax(0, u->sign[i] * e->lambda[u->of[i]]);
  return T > 0 || most > 0 ? (most * most - T * T) / fmax(T * T, most * most) : 1;
}

int contact_slip_loose(engine* e, int which, double* alpha)
{
  contact_inequalities* u = e->unilateral;
  const int count = active_contacts(e), t = u->tangents;
  const cone_contact_result x = solve(e, count, u->candidate, false);
  if (!x.count) return -1;
  const cone_contact_solution* s = &x.solution[0];
  memcpy(u->w, s->w, sizeof(double) * (size_t)e->n);
  contact_inequality_see_forces(e);
  for (int r = 0; r < count; r++) {
    const int i = u->candidate[r];
    double rate = 0, scale = 0;
    for (int k = 0; k < t; k++) {
      rate = hypot(rate, s->alpha_T[r * t + k]);
      scale = fmax(scale, engine_scale_acceleration(e, u->T + (r * t + k) * e->n));
    }
    const bool sticks = u->mode[i] == CONE_CONTACT_STICK && slips_of(e, i);
    const double opens = s->alpha_N[r] / contact_inequality_norm(e, e->A, u->of[i]);
    *alpha = sticks && rate > opens ? rate : opens;
    const bool moves = s->alpha_N[r] > contact_inequality_least_acceleration(e, i) ||
                       (sticks && rate > 10 * engine_noise_force * scale);
    if (which < 0 ? moves : i == which) return i;
  }
  return -1;
}

double contact_slip_speed(engine* e, int i)
{
  if (e->parts) return contact_parts_slip_speed(e, i);
  const contact_inequalities* u = e->unilateral;
  if (!u->rough || slips_of(e, i) != 2 || !e->active[u->of[i]] || u->starts[i] ||
      u->mode[i] == CONE_CONTACT_STICK)
    return 0;
  code_run(e->slips, e->in, e->slip_out, e->scratch);
  return speed_of(e, i);
}

bool contact_slip_has_stopped(engine* e, int i)
{
  const double speed = contact_slip_speed(e, i);
  e = contact_inequality_place(e, &i);
  return speed > 0 && speed <= has_stopped * slip_scale(e, i);
}

double contact_slip_rate(const engine* e, int i)
{
  e = contact_inequality_place(e, &i);
  const model_constraint* c = contact_inequality_constraint(e, i);
  const double* out = e->slip_out + e->unilateral->slip[i];
  double rate = 0;
  for (int k = 0; k < 2; k++) {
    double alpha = -e->c[c->stick[k]];
    for (int j = 0; j < e->n; j++) alpha += e->A[c->stick[k] * e->n + j] * e->a[j];
    rate += alpha * out[1 + k * (e->n + 1)];
  }
  return rate / speed_of(e, i);
}
