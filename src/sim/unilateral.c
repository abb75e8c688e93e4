// Unilateral constraints f >= 0: the principle of least constraint with inequalities.
//
// Of the constraints that can be stressed at an instant (f = 0 and f' = 0, by their order) those
// act that the least of Gauss's function needs (Sinitsyn 1990, (1.2)-(1.4), completed by
// complementarity):
//   min 1/2 (w - w0)^T M (w - w0),  N_B w + d_B = 0,  alpha = N_U w + d_U >= 0,
// with reactions lambda >= 0, lambda.alpha = 0. Those with lambda > 0 are held as equations until
// their reaction vanishes; the others loosen. Where both vanish the next moment decides.
// A closed constraint of order 0 that closes further is an impact: velocities jump by impulses that
// obey the same principle with the restitution of each contact.
#include "sim/unilateral.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// distances below this, against the size of the motion, are none
static const double gap_noise = 1e-11;
static const double violated = 1e-7;    // distances beyond a limit that no rounding explains
static const double speed_noise = 1e-9; // the same for velocities
enum { most_rounds = 20 };

// ---- set-up -------------------------------------------------------------------------------------

static void* take(sim_engine* e, int count, size_t size)
{
  return base_arena_take(e->arena, (size_t)(count + 1) * size);
}

sim_unilateral* sim_unilateral_new(sim_engine* e)
{
  const model* m = e->model;
  int count = 0;
  for (int k = 0; k < e->m; k++) count += m->constraint[k].sense != 0;
  if (!count) return NULL;
  sim_unilateral* u = take(e, 1, sizeof *u);
  const int n = e->n, rows = e->m;
  u->count = count;
  u->of = take(e, count, sizeof(int));
  u->sign = take(e, count, sizeof(double));
  u->restitution = take(e, count, sizeof(double));
  u->law = take(e, count, sizeof(int));
  u->present = take(e, count, sizeof(bool));
  u->closed = take(e, count, sizeof(bool));
  u->was = take(e, count, sizeof(bool));
  u->impulse = take(e, count, sizeof(double));
  u->alpha = take(e, count, sizeof(double));
  u->lambda = take(e, count, sizeof(double));
  u->candidate = take(e, count, sizeof(int));
  u->hit = take(e, count, sizeof(double));
  u->pause = take(e, count, sizeof(double));
  u->hits = take(e, count, sizeof(int));
  u->N = take(e, count * n, sizeof(double));
  u->d = take(e, count, sizeof(double));
  u->NB = take(e, rows * n, sizeof(double));
  u->dB = take(e, rows, sizeof(double));
  u->w = take(e, n, sizeof(double));
  u->v = take(e, n, sizeof(double));
  u->e = take(e, count, sizeof(double));
  u->slip = take(e, count, sizeof(int));
  u->held_before = take(e, e->modes.count, sizeof(bool));
  u->T = take(e, count * n, sizeof(double));
  u->dT = take(e, count, sizeof(double));
  u->mu = take(e, count, sizeof(double));
  int at = 0, rough = 0;
  for (int k = 0; k < e->m; k++) {
    const model_constraint* c = &m->constraint[k];
    if (!c->sense) continue;
    u->of[at] = k;
    u->sign[at] = c->sense;
    u->present[at] = !c->starts_off;
    u->law[at] = (int)c->impact;
    u->slip[at] = c->friction == EXPR_NONE ? -1 : rough++;
    u->hit[at] = u->pause[at] = NAN;
    at++;
  }
  u->least = num_least_new(n, rows, count);
  u->impact = num_impact_new(n, rows, count, rough ? 1 : 0);
  return u;
}

void sim_unilateral_free(sim_unilateral* u)
{
  if (!u) return;
  num_least_free(u->least);
  num_impact_free(u->impact);
}

int sim_unilateral_find(const sim_unilateral* u, int k)
{
  for (int i = 0; u && i < u->count; i++)
    if (u->of[i] == k) return i;
  return -1;
}

// ---- measures -----------------------------------------------------------------------------------

static const model_constraint* constraint(const sim_engine* e, int i)
{
  return &e->model->constraint[e->unilateral->of[i]];
}

static double size_of(int n, const double* x)
{
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

static double row_norm(const sim_engine* e, const double* A, int k)
{
  double sum = 0;
  for (int j = 0; j < e->n; j++) sum += A[k * e->n + j] * A[k * e->n + j];
  return sqrt(sum);
}

// gap and its rate with the sign of the inequality, as distances; levels evaluated
double sim_unilateral_gap(const sim_engine* e, int i)
{
  const int k = e->unilateral->of[i];
  const double norm = row_norm(e, e->LA, k);
  return e->unilateral->sign[i] * e->f0[k] / (norm > 0 ? norm : 1);
}

double sim_unilateral_rate(const sim_engine* e, int i)
{
  const int k = e->unilateral->of[i];
  const double norm = row_norm(e, e->LA, k);
  return e->unilateral->sign[i] * e->f1[k] / (norm > 0 ? norm : 1);
}

static void evaluate_levels(sim_engine* e)
{
  code_run(e->levels, e->in, e->level_out, e->scratch);
}

// the sizes against which a gap or a speed is nothing; they grow with the motion
static double length_scale(sim_engine* e)
{
  e->length_seen = fmax(e->length_seen, size_of(e->n, e->q));
  return fmax(e->length_seen, 1e-6);
}

static double speed_scale(sim_engine* e)
{
  e->speed_seen = fmax(e->speed_seen, size_of(e->n, e->v));
  return fmax(e->speed_seen, 1e-6);
}

static void read_restitutions(sim_engine* e)
{
  sim_unilateral* u = e->unilateral;
  for (int i = 0; i < u->count; i++) {
    const expr r = constraint(e, i)->restitution;
    u->restitution[i] = r == EXPR_NONE ? 0 : sim_value(e, r);
  }
}

// ---- the start ----------------------------------------------------------------------------------

int sim_unilateral_hold_violated(sim_engine* e)
{
  sim_unilateral* u = e->unilateral;
  int added = 0;
  evaluate_levels(e);
  for (int i = 0; i < u->count; i++) {
    const int order = constraint(e, i)->order;
    if (!u->present[i] || e->active[u->of[i]] || order == 2) continue;
    const double over = order == 0 ? sim_unilateral_gap(e, i) : sim_unilateral_rate(e, i);
    if (!(over < -gap_noise * (order == 0 ? length_scale(e) : speed_scale(e)))) continue;
    e->active[u->of[i]] = true;
    added++;
  }
  if (added) sim_engine_rows(e);
  return added;
}

// ---- rows of the problem ------------------------------------------------------------------------

// bilateral rows N_B x + d_B = 0, at the level of accelerations (A a - c) or velocities (A v + f1 -
// A v); how many
static int bilateral_rows(sim_engine* e, bool velocities)
{
  sim_unilateral* u = e->unilateral;
  const int n = e->n;
  int rows = 0;
  for (int k = 0; k < e->m; k++) {
    const model_constraint* c = &e->model->constraint[k];
    if (!e->active[k] || c->sense || (velocities && c->order == 2)) continue;
    const double* A = velocities ? e->LA : e->A;
    memcpy(u->NB + rows * n, A + k * n, sizeof(double) * (size_t)n);
    u->dB[rows] = velocities ? e->f1[k] : -e->c[k];
    for (int j = 0; j < n && velocities; j++) u->dB[rows] -= A[k * n + j] * e->v[j];
    rows++;
  }
  return rows;
}

static void unilateral_row(sim_engine* e, int i, bool velocities, int row)
{
  sim_unilateral* u = e->unilateral;
  const int n = e->n, k = u->of[i];
  const double* A = velocities ? e->LA : e->A;
  double d = velocities ? e->f1[k] : -e->c[k];
  for (int j = 0; j < n && velocities; j++) d -= A[k * n + j] * e->v[j];
  for (int j = 0; j < n; j++) u->N[row * n + j] = u->sign[i] * A[k * n + j];
  u->d[row] = u->sign[i] * d;
}

// ---- impacts ------------------------------------------------------------------------------------

// constraints that take part in an impact: closed ones of order 0, and those of order 1 at or
// beyond their limit
static int impact_rows(sim_engine* e, int* row)
{
  sim_unilateral* u = e->unilateral;
  int rows = 0;
  for (int i = 0; i < u->count; i++) {
    const int order = constraint(e, i)->order;
    const bool touches = order == 0 ? u->closed[i] : order == 1;
    if (!u->present[i] || !touches) continue;
    if (order == 1 && sim_unilateral_rate(e, i) > speed_noise * speed_scale(e)) continue;
    row[rows++] = i;
  }
  return rows;
}

static bool closes(sim_engine* e, int i)
{
  const sim_unilateral* u = e->unilateral;
  return u->present[i] && u->closed[i] && constraint(e, i)->order == 0 &&
         sim_unilateral_rate(e, i) < -speed_noise * speed_scale(e);
}

static bool violates(sim_engine* e, int i)
{
  return e->unilateral->present[i] && constraint(e, i)->order == 1 &&
         sim_unilateral_rate(e, i) < -speed_noise * speed_scale(e);
}

static int refuse_impact(sim_engine* e, int i)
{
  snprintf(e->reason, sizeof e->reason,
           "the constraint `%s` is run into at this state (closing at %.6g): accelerations exist "
           "only after the impact",
           constraint(e, i)->name, -sim_unilateral_rate(e, i));
  return 1;
}

// Rows of slip of the contacts in `row`, T x + d_T, and the bounds of friction; false where none
// has friction.
static bool slip_rows(sim_engine* e, int count, const int* row)
{
  sim_unilateral* u = e->unilateral;
  const int n = e->n, each = n + 2;
  bool any = false;
  code_run(e->slips, e->in, e->slip_out, e->scratch);
  for (int r = 0; r < count; r++) {
    const int at = u->slip[row[r]];
    double* T = u->T + r * n;
    memset(T, 0, sizeof(double) * (size_t)n);
    u->dT[r] = u->mu[r] = 0;
    if (at < 0) continue;
    any = true;
    const double* out = e->slip_out + at * each;
    u->dT[r] = out[0];
    u->mu[r] = out[1];
    for (int j = 0; j < n; j++) {
      T[j] = out[2 + j];
      u->dT[r] -= T[j] * e->v[j];
    }
  }
  return any;
}

// velocities after the impact of everything that closes
static int impact(sim_engine* e)
{
  sim_unilateral* u = e->unilateral;
  const int n = e->n;
  int* row = u->candidate;
  const int count = impact_rows(e, row);
  num_impact_law law = NUM_IMPACT_NEWTON;
  for (int r = 0; r < count; r++) {
    unilateral_row(e, row[r], true, r);
    u->e[r] = constraint(e, row[r])->order == 0 ? u->restitution[row[r]] : 0;
    if (u->law[row[r]] == MODEL_POISSON) law = NUM_IMPACT_POISSON;
    if (u->law[row[r]] == MODEL_MOREAU) law = NUM_IMPACT_MOREAU;
  }
  const int bilateral = bilateral_rows(e, true);
  memcpy(u->v, e->v, sizeof(double) * (size_t)n);
  const bool rough = slip_rows(e, count, row);
  const num_impact_problem p = {.contact = {.n = n,
                                            .tangents = rough ? 1 : 0,
                                            .T = u->T,
                                            .d_T = u->dT,
                                            .mu = u->mu,
                                            .b = bilateral,
                                            .contacts = count,
                                            .M = e->M,
                                            .N_B = u->NB,
                                            .d_B = u->dB,
                                            .N = u->N,
                                            .d_N = u->d},
                                .v = u->v,
                                .e = u->e,
                                .law = law};
  const num_impact_result x = num_impact_solve(u->impact, &p);
  if (x.status != NUM_CONTACT_SOLVED && x.status != NUM_CONTACT_SEVERAL) {
    snprintf(e->reason, sizeof e->reason, "the impact on `%s` has no solution: %s",
             constraint(e, row[0])->name, x.reason);
    return 1;
  }
  memcpy(e->v, x.v, sizeof(double) * (size_t)n);
  for (int r = 0; r < count; r++) u->impulse[row[r]] += x.P_N[r];
  return 0;
}

static int settle_velocities(sim_engine* e, bool impacts)
{
  sim_unilateral* u = e->unilateral;
  for (int round = 0; round < most_rounds; round++) {
    code_run(e->eom, e->in, e->eom_out, e->scratch);
    evaluate_levels(e);
    int worst = -1;
    for (int i = 0; i < u->count; i++)
      if (closes(e, i) || violates(e, i)) worst = i;
    if (worst < 0) return 0;
    if (!impacts) return refuse_impact(e, worst);
    if (impact(e)) return 1;
  }
  snprintf(e->reason, sizeof e->reason, "impacts follow each other without end at this instant");
  return 1;
}

// ---- which ones are stressed --------------------------------------------------------------------

static int find_closed(sim_engine* e, const bool* closing)
{
  sim_unilateral* u = e->unilateral;
  evaluate_levels(e);
  for (int i = 0; i < u->count; i++) {
    const bool known = (closing && closing[i]) || e->active[u->of[i]];
    const bool near =
        constraint(e, i)->order == 0 && sim_unilateral_gap(e, i) <= gap_noise * length_scale(e);
    u->closed[i] = u->present[i] && (near || known);
    if (!u->closed[i] || constraint(e, i)->order ||
        sim_unilateral_gap(e, i) >= -violated * length_scale(e))
      continue;
    snprintf(e->reason, sizeof e->reason, "the constraint `%s` is violated by %.3g",
             constraint(e, i)->name, -sim_unilateral_gap(e, i));
    return 1;
  }
  return 0;
}

static void find_candidates(sim_engine* e, const bool* closing)
{
  sim_unilateral* u = e->unilateral;
  u->candidates = 0;
  for (int i = 0; i < u->count; i++) {
    const int order = constraint(e, i)->order;
    if (!u->present[i]) continue;
    const bool still = sim_unilateral_rate(e, i) <= speed_noise * speed_scale(e);
    const bool told = (closing && closing[i]) || u->was[i];
    const bool candidate =
        order == 0   ? u->closed[i] && still
        : order == 1 ? still || (told && fabs(sim_unilateral_rate(e, i)) <= 1e-6 * speed_scale(e))
                     : true;
    if (candidate) u->candidate[u->candidates++] = i;
  }
}

int sim_unilateral_candidates(sim_engine* e)
{
  if (find_closed(e, NULL)) return 1;
  find_candidates(e, NULL);
  return 0;
}

// w, and lambda and alpha of the candidates, at the state in the input block
static int least_constraint(sim_engine* e)
{
  sim_unilateral* u = e->unilateral;
  code_run(e->eom, e->in, e->eom_out, e->scratch);
  for (int r = 0; r < u->candidates; r++) unilateral_row(e, u->candidate[r], false, r);
  const num_least_problem p = {.n = e->n,
                               .b = bilateral_rows(e, false),
                               .u = u->candidates,
                               .M = e->M,
                               .F = e->F,
                               .N_B = u->NB,
                               .d_B = u->dB,
                               .N_U = u->N,
                               .d_U = u->d};
  const num_least_result x = num_least_solve(u->least, &p);
  if (x.status != NUM_LEAST_SOLVED) {
    snprintf(e->reason, sizeof e->reason, "the constraints admit no accelerations together: %s",
             x.reason);
    return 1;
  }
  memcpy(u->w, x.w, sizeof(double) * (size_t)e->n);
  for (int r = 0; r < u->candidates; r++) {
    u->lambda[u->candidate[r]] = x.lambda_U[r];
    u->alpha[u->candidate[r]] = x.alpha_U[r];
  }
  return 0;
}

// sizes against which a reaction or a loosening acceleration is nothing
static void noise_levels(sim_engine* e, double* force, double* acceleration)
{
  const sim_unilateral* u = e->unilateral;
  for (int i = 0; i < e->n; i++) {
    e->force_seen = fmax(e->force_seen, fabs(e->F[i]));
    e->acceleration_seen = fmax(e->acceleration_seen, fabs(u->w[i]));
    if (e->M[i * e->n + i] > 0)
      e->acceleration_seen = fmax(e->acceleration_seen, fabs(e->F[i]) / e->M[i * e->n + i]);
    for (int j = 0; j < e->n; j++)
      e->force_seen = fmax(e->force_seen, fabs(e->M[i * e->n + j] * u->w[j]));
  }
  *force = 1e-10 * e->force_seen;
  *acceleration = 1e-10 * e->acceleration_seen;
}

void sim_unilateral_see(sim_engine* e)
{
  double force, acceleration;
  memcpy(e->unilateral->w, e->a, sizeof(double) * (size_t)e->n);
  length_scale(e);
  speed_scale(e);
  noise_levels(e, &force, &acceleration);
}

// a moment later along the accelerations found, with the same candidates
static int moment_later(sim_engine* e, double* lambda, double* alpha)
{
  sim_unilateral* u = e->unilateral;
  const int n = e->n;
  double* kept = base_alloc(sizeof(double) * (size_t)e->inputs);
  memcpy(kept, e->in, sizeof(double) * (size_t)e->inputs);
  const double h = 1e-5 * fmin(1, length_scale(e) / fmax(speed_scale(e), 1e-300));
  for (int j = 0; j < n; j++) {
    e->q[j] += h * (e->v[j] + h / 2 * u->w[j]);
    e->v[j] += h * u->w[j];
  }
  sim_engine_time(e, e->in[0] + h);
  double* before = base_alloc(sizeof(double) * (size_t)(2 * u->count + n + 1));
  memcpy(before, u->lambda, sizeof(double) * (size_t)u->count);
  memcpy(before + u->count, u->alpha, sizeof(double) * (size_t)u->count);
  memcpy(before + 2 * u->count, u->w, sizeof(double) * (size_t)n);
  const int failed = least_constraint(e);
  memcpy(lambda, u->lambda, sizeof(double) * (size_t)u->count);
  memcpy(alpha, u->alpha, sizeof(double) * (size_t)u->count);
  memcpy(u->lambda, before, sizeof(double) * (size_t)u->count);
  memcpy(u->alpha, before + u->count, sizeof(double) * (size_t)u->count);
  memcpy(u->w, before + 2 * u->count, sizeof(double) * (size_t)n);
  memcpy(e->in, kept, sizeof(double) * (size_t)e->inputs);
  free(kept);
  free(before);
  return failed;
}

// hold what is stressed; where neither reaction nor loosening shows, the next moment decides
static int choose(sim_engine* e)
{
  sim_unilateral* u = e->unilateral;
  if (least_constraint(e)) return 1;
  double force, acceleration;
  noise_levels(e, &force, &acceleration);
  double* later = base_alloc(sizeof(double) * (size_t)(2 * u->count + 1));
  double* later_alpha = later + u->count;
  bool looked = false;
  for (int i = 0; i < u->count; i++) e->active[u->of[i]] = false;
  for (int r = 0; r < u->candidates; r++) {
    const int i = u->candidate[r], k = u->of[i];
    const double norm = row_norm(e, e->A, k);
    bool on = u->lambda[i] * norm > force;
    if (!on && !(u->alpha[i] > acceleration * norm)) {
      if (!looked && moment_later(e, later, later_alpha)) {
        free(later);
        return 1;
      }
      looked = true;
      on = later[i] > 0 || !(later_alpha[i] > 0);
    }
    e->active[k] = on;
  }
  free(later);
  return 0;
}

// ---- forces that depend on the reactions --------------------------------------------------------

// Friction and other laws of resistance: the problem is no minimum any more, and may have no
// solution or several. Every set of candidates is tried as the active one.
enum { most_tried = 12 };

static bool obeys(sim_engine* e)
{
  const sim_unilateral* u = e->unilateral;
  double force, acceleration;
  memcpy(u->w, e->a, sizeof(double) * (size_t)e->n);
  noise_levels(e, &force, &acceleration);
  for (int r = 0; r < u->candidates; r++) {
    const int i = u->candidate[r], k = u->of[i];
    const double norm = row_norm(e, e->A, k);
    double alpha = -e->c[k];
    for (int j = 0; j < e->n; j++) alpha += e->A[k * e->n + j] * e->a[j];
    u->lambda[i] = e->active[k] ? u->sign[i] * e->lambda[k] : 0;
    u->alpha[i] = e->active[k] ? 0 : u->sign[i] * alpha;
    if (u->lambda[i] * norm < -force || u->alpha[i] < -acceleration * norm) return false;
  }
  return true;
}

// accelerations with the candidates of the set held; corners that held the motion before may do so
static int try_set(sim_engine* e, unsigned set)
{
  const sim_unilateral* u = e->unilateral;
  memcpy(e->held, u->held_before, (size_t)e->modes.count);
  e->held_count = 0;
  for (int i = 0; i < e->modes.count; i++) e->held_count += e->held[i];
  for (int i = 0; i < u->count; i++) e->active[u->of[i]] = false;
  for (int r = 0; r < u->candidates; r++) e->active[u->of[u->candidate[r]]] = set >> r & 1;
  sim_engine_rows(e);
  sim_set_aside(e);
  return sim_sides(e) || sim_accelerations(e);
}

// is a set right that holds a constraint without reaction, or leaves one open without loosening?
// the next moment tells
static bool lasts(sim_engine* e)
{
  const int n = e->n;
  double* kept = base_alloc(sizeof(double) * (size_t)e->inputs);
  memcpy(kept, e->in, sizeof(double) * (size_t)e->inputs);
  const double h = 1e-6 * fmin(1, length_scale(e) / fmax(speed_scale(e), 1e-300));
  for (int j = 0; j < n; j++) {
    e->q[j] += h * (e->v[j] + h / 2 * kept[e->a - e->in + j]);
    e->v[j] += h * kept[e->a - e->in + j];
  }
  sim_engine_time(e, e->in[0] + h);
  bool moved;
  const bool fine = !sim_project(e, &moved) && !sim_accelerations(e) && obeys(e);
  memcpy(e->in, kept, sizeof(double) * (size_t)e->inputs);
  free(kept);
  return fine;
}

static int choose_by_trial(sim_engine* e)
{
  sim_unilateral* u = e->unilateral;
  if (u->candidates > most_tried) {
    snprintf(e->reason, sizeof e->reason,
             "more than %d contacts with forces that depend on reactions close at once",
             most_tried);
    return 1;
  }
  memcpy(u->held_before, e->held, (size_t)e->modes.count);
  unsigned found = 0, count = 0;
  const bool told = e->ambiguous;
  bool several = false;
  double* first = base_alloc(sizeof(double) * (size_t)(e->n + 1));
  for (unsigned set = 0; set < 1u << u->candidates; set++) {
    if (try_set(e, set) || !obeys(e) || !lasts(e)) continue;
    double apart = 0, size = 1e-300;
    for (int j = 0; j < e->n; j++) {
      apart = fmax(apart, fabs(e->a[j] - first[j]));
      size = fmax(size, fabs(first[j]));
    }
    // later sets hold more: sticking together is preferred to parting where both are right
    several = several || (count && apart > 1e-7 * size);
    memcpy(first, e->a, sizeof(double) * (size_t)e->n);
    found = set;
    count++;
  }
  free(first);
  if (!count) {
    snprintf(e->reason, sizeof e->reason,
             "no reactions and accelerations satisfy the contacts and their friction together: the "
             "motion does not exist (Painleve's paradox)");
    return 1;
  }
  // what sets that were not taken left open does not count
  e->ambiguous = told;
  const int failed = try_set(e, found);
  e->ambiguous = e->ambiguous || several;
  return failed;
}

int sim_unilateral_decide(sim_engine* e, bool impacts, const bool* closing)
{
  sim_unilateral* u = e->unilateral;
  read_restitutions(e);
  for (int i = 0; i < u->count; i++) {
    u->was[i] = e->active[u->of[i]];
    u->impulse[i] = 0;
  }
  if (find_closed(e, closing)) return 1;
  // the search for what holds starts from what holds in any case
  for (int i = 0; i < u->count; i++) e->active[u->of[i]] = false;
  if (settle_velocities(e, impacts)) return 1;
  find_candidates(e, closing);
  if (e->forces_feel) return choose_by_trial(e);
  if (choose(e)) return 1;
  sim_engine_rows(e);
  return 0;
}

sim_contact_change sim_unilateral_change(const sim_engine* e, int i)
{
  const sim_unilateral* u = e->unilateral;
  const bool now = e->active[u->of[i]];
  if (now && !u->was[i]) return SIM_CONTACT_ENGAGED;
  if (u->was[i] && !now) return SIM_CONTACT_LOOSENED;
  return u->impulse[i] > 0 ? SIM_CONTACT_HIT : SIM_CONTACT_KEPT;
}

// ---- what is watched ----------------------------------------------------------------------------

bool sim_unilateral_needs(const sim_engine* e, int i)
{
  return e->active[e->unilateral->of[i]] || constraint(e, i)->order == 2;
}

double sim_unilateral_watch(const sim_engine* e, int i)
{
  const sim_unilateral* u = e->unilateral;
  const int k = u->of[i];
  if (!u->present[i]) return 1;
  if (e->active[k]) return u->sign[i] * e->lambda[k];
  if (constraint(e, i)->order == 0) return u->sign[i] * e->f0[k];
  if (constraint(e, i)->order == 1) return u->sign[i] * e->f1[k];
  double sum = -e->c[k];
  for (int j = 0; j < e->n; j++) sum += e->A[k * e->n + j] * e->a[j];
  return u->sign[i] * sum;
}

// ---- redundant contacts -------------------------------------------------------------------------

static void active_candidates(sim_engine* e)
{
  sim_unilateral* u = e->unilateral;
  u->candidates = 0;
  for (int i = 0; i < u->count; i++)
    if (e->active[u->of[i]]) u->candidate[u->candidates++] = i;
}

void sim_unilateral_reactions(sim_engine* e)
{
  sim_unilateral* u = e->unilateral;
  active_candidates(e);
  if (!u->candidates || least_constraint(e)) return;
  for (int r = 0; r < u->candidates; r++) {
    const int i = u->candidate[r];
    e->lambda[u->of[i]] = u->sign[i] * u->lambda[i];
  }
}

int sim_unilateral_loose(sim_engine* e)
{
  sim_unilateral* u = e->unilateral;
  double force, acceleration;
  active_candidates(e);
  if (!u->candidates || least_constraint(e)) return -1;
  noise_levels(e, &force, &acceleration);
  for (int r = 0; r < u->candidates; r++) {
    const int i = u->candidate[r];
    if (u->alpha[i] > acceleration * row_norm(e, e->A, u->of[i])) return i;
  }
  return -1;
}
