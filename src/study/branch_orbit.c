// Branches of periodic motions.
//
// Unknowns are the state x at the start, the period T and the param p. With the flow phi(T, x, p)
//   phi(T, x, p) - x = 0
// (ignorable coordinates may have moved on, angles by whole turns), the constraints at the start,
// and one condition for the period: where the equations have a period of their own, T k(p) = c with
// the rate k of their time; else f(x0) . (x - x0) = 0 tells the phase. The flow is followed
// together with its derivatives by x and p (branch_flight.c), so that Newton's method and the
// multipliers come from the same numbers.
#include "study/branch.h"
#include "study/orbit.h"
#include "study/swing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double tells = 1e-6;    // what a condition has to see of a direction
static const double still = 1e-4;    // speeds at the start against those of the first motion
static const double kept = 1e-7;     // of its changes over a period: the energy
static const double vanished = 1e-6; // pivots of what one flight tells
static const double parting = 1e3;   // of motions next to each other, within one period

static double* doubles(base_arena* a, int count)
{
  return base_arena_take(a, sizeof(double) * (size_t)(count + 1));
}

// ---- equations ----------------------------------------------------------------------------------

int study_rounds_rows(const study_rounds* o)
{
  return 2 * o->l->n + o->constraints + 1 + o->pins + (o->over != STUDY_OVER_PARAM);
}

static void put_closure(const study_rounds* o, const double* u, double* F, double* J)
{
  const int n = o->l->n, N = 2 * n, wide = N + 2;
  for (int i = 0; i < N; i++) {
    const bool free = i < n && o->ignorable[i];
    double off = o->y[i] - u[i];
    if (i < n && o->angle[i]) off -= 2 * M_PI * round(off / (2 * M_PI));
    F[i] = free ? 0 : off;
    for (int j = 0; J && j < N; j++)
      J[i * wide + j] = free ? 0 : o->y[N + i * (N + 1) + j] - (i == j);
    if (J) J[i * wide + N] = free ? 0 : o->end[i];
    if (J) J[i * wide + N + 1] = free ? 0 : o->y[N + i * (N + 1) + N];
  }
}

// Does the flow keep the energy? Then grad H . X = grad H over the period X of changes.
static bool keeps_energy(study_rounds* o, const double* u)
{
  engine* e = o->l->e;
  const int n = o->l->n, N = 2 * n;
  engine_state(e, o->t, u, u + n);
  study_kept_run(e, &o->energy);
  const double* g = o->energy.value + 1;
  double off = 0, size = 0;
  for (int j = 0; j < N; j++) {
    double change = -g[j];
    for (int i = 0; i < N; i++) {
      change += g[i] * o->y[N + i * (N + 1) + j];
      size = fmax(size, fabs(g[i] * o->y[N + i * (N + 1) + j]));
    }
    off = fmax(off, fabs(change));
  }
  return off <= kept * size;
}

// Where the flow keeps the energy H: of the equations that close the motion one follows from the
// others,
//   grad H . (phi - x) = O((phi - x)^2),
// but only where they hold. Beside that its derivatives are no combination of theirs, and Newton's
// method would take what is left of it for an equation. It is taken out: what is across grad H
// closes, and the energy closes the rest (Munoz-Almaraz and others, Physica D 181 (2003), 1).
static void drop_energy(const study_rounds* o, const double* u, double* F, double* J)
{
  engine* e = o->l->e;
  const int n = o->l->n, N = 2 * n, wide = N + 2;
  if (!o->keeps) return;
  engine_state(e, o->t, u, u + n);
  study_kept_run(e, &o->energy);
  const double* g = o->energy.value + 1;
  double square = 0;
  for (int i = 0; i < N; i++) square += g[i] * g[i];
  for (int j = 0; j <= wide && square > 0; j++) {
    double along = 0;
    if (j < wide && !J) continue;
    for (int i = 0; i < N; i++) along += g[i] * (j < wide ? J[i * wide + j] : F[i]);
    for (int i = 0; i < N; i++) *(j < wide ? J + i * wide + j : F + i) -= g[i] * along / square;
  }
}

// Motions next to it part by sigma > 1 along the left singular vectors of X: closing them is told
// in the measure of the end. Each such combination of the equations over its sigma, those next to
// the start count as much as those next to the end, however far motions part on the way.
static void level_closure(const study_rounds* o, double* F, double* J)
{
  const int N = 2 * o->l->n, wide = N + 2;
  double* T = base_alloc(sizeof(double) * (size_t)(2 * N * N + N + N * (wide + 1)));
  double *U = T + N * N, *sigma = U + N * N, *row = sigma + N, most = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      const bool free = i < o->l->n && o->ignorable[i];
      T[i * N + j] = free ? 0 : o->y[N + i * (N + 1) + j];
      most = fmax(most, fabs(T[i * N + j]));
    }
  if (most > parting && isfinite(most)) {
    num_singular(N, N, T, U, sigma);
    for (int k = 0; k < N; k++) {
      double* to = row + k * (wide + 1);
      for (int j = 0; j <= wide; j++) {
        to[j] = 0;
        for (int i = 0; i < N; i++)
          to[j] += U[k * N + i] * (j == wide ? F[i] : J ? J[i * wide + j] : 0);
        to[j] /= fmax(1, sigma[k]);
      }
    }
    for (int k = 0; k < N; k++) {
      F[k] = row[k * (wide + 1) + wide];
      if (J) memcpy(J + k * wide, row + k * (wide + 1), sizeof(double) * (size_t)wide);
    }
  }
  free(T);
}

// f0 and f1 at the start
static void put_constraints(const study_rounds* o, double* F, double* J)
{
  study_linear* l = o->l;
  engine* e = l->e;
  const int N = 2 * l->n, wide = N + 2, last = l->width - 1;
  int at = 0;
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  for (int r = 0; r < e->mode.rows; r++) {
    const int k = e->mode.row[r], order = e->model->constraint[k].order;
    for (int level = order; level <= 1; level++, at++) {
      F[at] = level ? e->f1[k] : e->f0[k];
      if (!J) continue;
      memcpy(J + at * wide, l->G + at * N, sizeof(double) * (size_t)N);
      J[at * wide + N] = 0;
      J[at * wide + N + 1] = l->param < 0 ? 0 : (level ? l->D1 : l->D0)[k * l->width + last];
    }
  }
}

// the last unknown is the energy at the start, or the period
static void put_over(const study_rounds* o, const double* u, double* F, double* J)
{
  const int N = 2 * o->l->n;
  const bool energy = o->over == STUDY_OVER_ENERGY;
  if (energy) study_kept_run(o->l->e, &o->energy);
  *F = (energy ? o->energy.value[0] : u[N]) - u[N + 1];
  if (!J) return;
  memset(J, 0, sizeof(double) * (size_t)(N + 2));
  if (energy) memcpy(J, o->energy.value + 1, sizeof(double) * (size_t)N);
  J[N] = !energy;
  J[N + 1] = -1;
}

bool study_rounds_over(study_rounds* o, study_over over, double* u)
{
  engine* e = o->l->e;
  const int n = o->l->n, N = 2 * n;
  o->over = over;
  if (over == STUDY_OVER_PARAM) return true;
  if (e->s->H != EXPR_NONE) study_kept_build(e, -1, 1, &e->s->H, &o->energy);
  o->keeps = o->energy.count && study_rounds_whole(o, u) && keeps_energy(o, u);
  if (over == STUDY_OVER_PERIOD) u[N + 1] = u[N];
  if (over == STUDY_OVER_PERIOD) return true;
  if (!o->energy.count) return false;
  engine_state(e, o->t, u, u + n);
  study_kept_run(e, &o->energy);
  u[N + 1] = o->energy.value[0];
  return isfinite(u[N + 1]);
}

// multipliers that are one beyond those of every such motion: along each family there is one
static int families(const study_rounds* o)
{
  int count = o->pins + (o->over != STUDY_OVER_PARAM);
  for (int i = 0; i < o->l->n; i++) count -= o->ignorable[i];
  return count > 0 ? count : 0;
}

int study_rounds_at(void* context, const double* u, double* F, double* J)
{
  study_rounds* o = context;
  study_linear* l = o->l;
  engine* e = l->e;
  const int n = l->n, N = 2 * n, wide = N + 2, at = N + o->constraints;
  if (!study_rounds_fly(o, u)) return 1;
  if (!study_rounds_put(o, u)) return 1;
  put_closure(o, u, F, J);
  drop_energy(o, u, F, J);
  level_closure(o, F, J);
  engine_state(e, o->t, u, u + n);
  e->factored = false;
  if (study_linear_at(l)) return 1;
  study_linear_tangent(l);
  put_constraints(o, F + N, J ? J + N * wide : NULL);
  if (J) memset(J + at * wide, 0, sizeof(double) * (size_t)wide);
  if (o->timed) {
    // T |k| = c for each round; without a rate in the equations T is what was told
    const bool known = o->rate != EXPR_NONE;
    const double k = known ? engine_value(e, o->rate) : 1;
    const double slope = known ? engine_value(e, o->rate_slope) : 0;
    F[at] = u[N] * fabs(k) / (o->turn * o->rounds) - 1;
    if (J) J[at * wide + N] = fabs(k) / (o->turn * o->rounds);
    if (J) J[at * wide + N + 1] = u[N] * copysign(slope, k * slope) / (o->turn * o->rounds);
  } else {
    F[at] = 0;
    for (int j = 0; j < N; j++) F[at] += o->phase[j] * (u[j] - o->start[j]);
    for (int j = 0; J && j < N; j++) J[at * wide + j] = o->phase[j];
  }
  for (int k = 0; k < o->pins; k++) {
    F[at + 1 + k] = u[o->pin[k]] - o->start[o->pin[k]];
    for (int j = 0; J && j < wide; j++) J[(at + 1 + k) * wide + j] = j == o->pin[k];
  }
  if (o->over != STUDY_OVER_PARAM)
    put_over(o, u, F + at + 1 + o->pins, J ? J + (at + 1 + o->pins) * wide : NULL);
  int bad = 0;
  for (int i = 0; i < study_rounds_rows(o); i++) bad |= !isfinite(F[i]);
  return bad;
}

// ---- one of each family -------------------------------------------------------------------------

// Directions along which no equation tells members of a family apart are told by a coordinate or
// velocity that stays as it is: ignorable coordinates first.
void study_rounds_pick(study_rounds* o, const double* u)
{
  const int n = o->l->n, N = 2 * n, wide = N + 2;
  for (int i = 0; i < n; i++)
    if (o->ignorable[i]) o->pin[o->pins++] = i;
  for (int i = 0; i < N && o->pins < N; i++) {
    const int rows = study_rounds_rows(o);
    double* F = base_alloc(sizeof(double) * (size_t)(rows * (wide + 1) + wide * wide));
    double *J = F + rows, *Z = J + rows * wide, seen = 0;
    int z = 0;
    if (!study_rounds_at(o, u, F, J)) z = study_steady_null(wide, rows, J, 0, vanished, Z);
    for (int k = 0; k < z; k++) seen = fmax(seen, fabs(Z[i * z + k]));
    free(F);
    if (z <= 1) return;
    if (seen > tells) o->pin[o->pins++] = i;
  }
}

study_rounds* study_rounds_new(study_linear* l, const bool* ignorable, bool timed,
                               const study_stability* r, double value, study_hybrid* hybrid,
                               base_arena* arena, double* u)
{
  engine* e = l->e;
  const int n = e->n, N = 2 * n;
  study_rounds* o = base_arena_take(arena, sizeof *o);
  *o = (study_rounds){
      .l = l, .arena = arena, .ignorable = ignorable, .timed = timed, .t = r->t, .rounds = 1};
  o->hybrid = hybrid;
  o->tolerance = STUDY_EXACT;
  o->still = still;
  o->rate = o->rate_slope = EXPR_NONE;
  o->y = doubles(arena, N * (N + 2));
  o->end = doubles(arena, N);
  o->u = doubles(arena, N + 2);
  o->start = doubles(arena, N + 2);
  o->phase = doubles(arena, N);
  o->pin = base_arena_take(arena, sizeof(int) * (size_t)(N + 2));
  o->angle = base_arena_take(arena, (size_t)n + 1);
  for (int k = 0; k < e->mode.rows; k++) {
    const int order = e->model->constraint[e->mode.row[k]].order;
    o->constraints += order == 0 ? 2 : order == 1;
  }
  memcpy(u, r->q, sizeof(double) * (size_t)n);
  memcpy(u + n, r->v, sizeof(double) * (size_t)n);
  u[N] = r->period;
  u[N + 1] = value;
  memcpy(o->start, u, sizeof(double) * (size_t)(N + 2));
  engine_state(e, o->t, u, u + n);
  e->factored = false;
  if (contact_accelerations(e)) return o;
  memcpy(o->phase, e->v, sizeof(double) * (size_t)n);
  memcpy(o->phase + n, e->a, sizeof(double) * (size_t)n);
  double size = 0;
  for (int j = 0; j < N; j++) size = fmax(size, fabs(o->phase[j]));
  for (int j = 0; j < N && size > 0; j++) {
    o->fast += o->phase[j] * o->phase[j] / size;
    o->phase[j] /= size;
  }
  study_orbit_angles(l, ignorable, o->angle);
  if (timed) {
    o->rate = study_period_rate(l, &o->rate_slope);
    o->turn = u[N] * (o->rate == EXPR_NONE ? 1 : fabs(engine_value(e, o->rate)));
  }
  return o;
}

void study_rounds_free(study_rounds* o)
{
  if (o) study_kept_free(&o->energy);
  if (o && o->stepper) step_method_dop853.destroy(o->stepper);
  if (o) study_mesh_free(o->mesh);
}

static void settle(void* context)
{
  study_rounds* o = context;
  if (!o->mesh || !study_mesh_settle(o->mesh)) return;
  o->flown = false;
}

study_curve study_rounds_curve(study_rounds* o)
{
  study_curve c = study_curve_new(2 * o->l->n + 2, study_rounds_rows(o), study_rounds_at, o);
  c.settle = settle;
  c.squared *= fmax(1, sqrt(o->tolerance / STUDY_EXACT));
  return c;
}

// ---- one motion ---------------------------------------------------------------------------------

void study_rounds_wind(void* context, int rounds)
{
  study_rounds* o = context;
  if (o->mesh && o->rounds != rounds) study_mesh_forget(o->mesh);
  o->rounds = rounds;
  o->flown = false;
}

void study_rounds_second(void* context, double value)
{
  study_rounds* o = context;
  engine_given_move(o->l->e, o->second, value);
  if (o->hybrid) study_hybrid_give(o->hybrid, o->second, value);
  if (o->mesh) study_mesh_settle(o->mesh);
  o->flown = false;
}

double study_rounds_work(void* context)
{
  return ((const study_rounds*)context)->work;
}

// the map over the period on the admissible changes, Phi, and the change along the motion among
// them
static void map_of(const study_rounds* o, int d, double* Phi, double* shift)
{
  const study_linear* l = o->l;
  const engine* e = l->e;
  const int n = e->n, N = 2 * n;
  for (int k = 0; k < d; k++)
    for (int i = 0; i < N; i++) {
      double X = 0;
      for (int j = 0; j < N; j++) X += o->y[N + i * (N + 1) + j] * l->W[j * d + k];
      for (int h = 0; h < d; h++) Phi[h * d + k] += l->W[i * d + h] * X;
      shift[k] += l->W[i * d + k] * (i < n ? e->v[i] : e->a[i - n]);
    }
}

study_stability* study_rounds_look(void* context, const double* u)
{
  study_rounds* o = context;
  study_linear* l = o->l;
  engine* e = l->e;
  const int n = e->n, N = 2 * n;
  if (!study_rounds_whole(o, u) || !study_rounds_put(o, u)) return NULL;
  engine_state(e, o->t, u, u + n);
  e->factored = false;
  if (study_linear_at(l)) return NULL;
  // a motion of no size is none: beyond it lie those behind, half a period later
  double speed = 0;
  for (int j = 0; j < N; j++) speed += o->phase[j] * (j < n ? e->v[j] : e->a[j - n]);
  o->shrunk = !o->timed && !(speed > o->still * o->fast);
  if (o->shrunk) return NULL;
  const int d = study_linear_tangent(l);
  study_stability* r = study_stability_new(e);
  memcpy(r->ignorable, o->ignorable, (size_t)n);
  study_stability_keep(e, r);
  r->t = o->t;
  r->period = u[N];
  r->dimension = d;
  if (study_rounds_on_mesh(o)) {
    study_swings s = study_swings_new(r);
    study_mesh_swing(o->mesh, &s);
  }
  double *Phi = doubles(r->arena, d * d), *shift = doubles(r->arena, d);
  map_of(o, d, Phi, shift);
  if (o->hybrid) study_hybrid_keep(o->hybrid, u, r);
  o->parted = !study_floquet_spectrum(r, d, Phi, o->timed ? NULL : shift, o->timed, families(o));
  if (!o->parted) {
    if (!o->hybrid) study_floquet_linear(l, r);
    return r;
  }
  study_stability_free(r);
  return NULL;
}

const char* study_rounds_why(void* context, bool* grazes)
{
  const study_rounds* o = context;
  const char* why = o->hybrid ? study_hybrid_reason(o->hybrid) : NULL;
  *grazes = why != NULL;
  if (why) return why;
  if (o->parted) return "motions next to it part too far within one period to be followed";
  return o->shrunk ? "the motion shrinks to the steady one" : NULL;
}
