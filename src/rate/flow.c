// y' = f(t, y) of a system in quasi-velocities, and its implicit form for methods that solve that.
//
// At the state where they are chosen, Z spans the admissible directions and
//   u = C v,  C = (Z^T M Z)^-1 Z^T M,
// so that v = v_p + Z u there: the velocities along an orthonormal basis, and at the same time the
// momenta along the admissible directions up to a constant matrix. Elsewhere v follows from A v =
// -a0, C v = u: the velocity constraints are met by construction. With M in C, what the constraints
// fix in the acceleration (across the admissible directions in the metric of M) hardly enters u' =
// C a; near a singular position of a mechanism that part is nothing but amplified rounding. Away
// from such positions u may as well be some of the velocities themselves: then one kernel does it
// all (fused.c).
#include "contact/contact.h"
#include "rate/complement.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// absolute tolerance as a share of the relative one: components near zero are still worth digits
static const double absolute_share = 0.1;

// quality below which quasi-velocities are chosen anew; errors of some of the velocities come back
// larger in the others
static const double poor = 0.5, poor_velocities = 0.7;

// ---- quasi-velocities ---------------------------------------------------------------------------

// C Z factored: how far the choice is from singular
static bool factor_choice(rate_flow* f)
{
  const engine* e = f->e;
  const int n = e->n, l = f->l;
  num_multiply(l, n, l, f->C, e->work.Z, f->CZ);
  f->quality = 0;
  if (l && !num_lu(l, f->CZ, f->pivot)) return false;
  f->quality = 1;
  for (int k = 0; k < l; k++) f->quality = fmin(f->quality, fabs(f->CZ[k * l + k]) / f->best);
  return true;
}

// u are the velocities the kernel leaves independent
static bool take_velocities(rate_flow* f)
{
  engine* e = f->e;
  const int n = e->n;
  f->fused = rate_fused_choose(e);
  if (!f->fused || f->fused->l != f->l) f->fused = NULL;
  if (!f->fused || !f->reduced) return f->fused;
  memset(f->C, 0, sizeof(double) * (size_t)(n * n));
  for (int k = 0; k < f->l; k++) f->C[k * n + f->fused->independent[k]] = 1;
  f->best = 1;
  if (!factor_choice(f)) f->fused = NULL;
  if (f->fused) {
    f->best = f->quality;
    f->least = poor_velocities;
  }
  f->quality = 1;
  return f->fused;
}

// Velocities that the kernel in use makes dependent follow from the others: it gives no rates of
// them, and so they steer no step. Nor does the work, unless all the rest goes on by itself.
static void mark_dependent(rate_flow* f)
{
  const int n = f->e->n;
  const bool* depends = f->abreast ? rate_lanes_now(f->abreast).depends : NULL;
  for (int i = 0; i < n; i++) f->quiet[n + i] = depends && depends[i];
  f->quiet[2 * n] = !engine_is_led(f->e);
  f->meets = f->abreast && rate_lanes_meets(f->abreast);
}

void rate_flow_take_kernel(rate_flow* f, rate_lanes* abreast)
{
  f->abreast = abreast;
  mark_dependent(f);
}

void rate_flow_leave_kernel(rate_flow* f)
{
  rate_flow_take_kernel(f, NULL);
}

static int choose_velocities(rate_flow* f)
{
  engine* e = f->e;
  const int n = e->n;
  f->rows0 = 0;
  for (int k = 0; k < e->mode.rows; k++)
    f->rows0 += e->model->constraint[e->mode.row[k]].order == 0;
  f->ode.dae_n = f->ode.n + e->mode.rows + f->rows0 + e->mode.held_count;
  f->reduced = !f->full && e->mode.all_linear && e->mode.rows > 0;
  f->l = n;
  f->quality = f->best = 1;
  f->least = poor;
  f->fused = NULL;
  rate_complement_leave(f);
  f->features = rate_features(e) & ~(engine_features)(ENGINE_HOLDS_JUMP | ENGINE_NEAR_SINGULAR);
  f->effort = rate_fused_effort(e);
  if (f->abreast) rate_lanes_rebase(f->abreast);
  mark_dependent(f);
  if (!f->reduced) {
    if (!f->full && !e->mode.rows) take_velocities(f);
    return 0;
  }
  const int l = f->l = n - engine_velocity_rows(e);
  if (take_velocities(f)) return 0;
  f->best = 1;
  engine_velocity_rows(e);
  engine_equations(e);
  double *MZ = e->work.S, *S = f->CZ;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < l; k++) {
      double sum = 0;
      for (int j = 0; j < n; j++) sum += e->M[i * n + j] * e->work.Z[j * l + k];
      MZ[i * l + k] = sum;
    }
  for (int h = 0; h < l; h++)
    for (int k = 0; k < l; k++) {
      double sum = 0;
      for (int i = 0; i < n; i++) sum += e->work.Z[i * l + h] * MZ[i * l + k];
      S[h * l + k] = sum;
    }
  if (l && !num_cholesky(l, S, 0)) {
    snprintf(e->reason, sizeof e->reason,
             "the mass matrix is singular along the admissible directions");
    return 1;
  }
  for (int i = 0; i < n; i++) {
    double* column = e->work.w;
    for (int k = 0; k < l; k++) column[k] = MZ[i * l + k];
    num_cholesky_solve(l, S, column);
    for (int k = 0; k < l; k++) f->C[k * n + i] = column[k];
  }
  rate_complement_make(f);
  return 0;
}

static inline double positive(double x, double otherwise)
{
  return x > 0 ? x : otherwise;
}

// of the slopes: that of velocities, and of the rates of u
static void find_noise(rate_flow* f)
{
  const int n = f->e->n;
  double *of_rates = f->slope_noise + n, *rate = f->reduced ? f->rate_noise : of_rates;
  engine_scales_noise(f->e, f->slope_noise, rate);
  for (int i = 0; i < n && f->reduced; i++) of_rates[i] = rate_flow_speed_size(f, i, rate);
}

// Each component near zero is held to a share of its own scale, and to no more than the rounding of
// what it is computed from.
void rate_flow_set_tolerances(rate_flow* f)
{
  const engine_scales* s = f->e->scales;
  const int n = f->e->n;
  const bool reduced = f->reduced;
  const double *V = s->speed, *terms = s->speed_terms;
  double *of_place = f->abs_tol, *of_speed = f->abs_tol + n;
  const double wish = absolute_share * f->tolerance;
  const double least = f->wide     ? engine_wide_least * f->tolerance
                       : f->series ? engine_series_least
                                   : engine_balanced;
  for (int i = 0; i < n; i++) {
    const double place = wish * s->place[i], place_least = least * s->place_terms[i],
                 speed = wish * (reduced ? rate_flow_speed_size(f, i, V) : V[i]),
                 speed_least = least * (reduced ? rate_flow_speed_size(f, i, terms) : terms[i]);
    of_place[i] = positive(place > place_least ? place : place_least, least);
    of_speed[i] = positive(speed > speed_least ? speed : speed_least, least);
  }
  f->abs_tol[2 * n] = positive(wish * engine_scale_energy(f->e), least);
  if (f->heeds_noise) find_noise(f);
}

int rate_flow_rebase(rate_flow* f)
{
  if (choose_velocities(f)) return 1;
  rate_flow_set_tolerances(f);
  return 0;
}

bool rate_flow_is_poor(const rate_flow* f)
{
  if (f->full) return false;
  if (f->effort < rate_fused_effort(f->e)) return true;
  if (!f->reduced) return false;
  if (!(f->quality > f->least)) return true;
  // near a singular position the choice made last is the best; velocities are a poor one there
  return !(f->e->margin > engine_near_singular) && (!f->lasting || f->fused);
}

void rate_flow_store(const rate_flow* f, double work, double* y)
{
  const engine* e = f->e;
  const int n = e->n;
  engine_copy(n, e->q, y);
  y[2 * n] = work;
  if (f->reduced) {
    for (int k = 0; k < n; k++) {
      y[n + k] = 0;
      for (int j = 0; k < f->l && j < n; j++) y[n + k] += f->C[k * n + j] * e->v[j];
    }
  } else {
    engine_copy(n, e->v, y + n);
    if (f->abreast) rate_lanes_turn(f->abreast, y + n);
  }
}

// v = v_p + Z s with (C Z) s = u - C v_p, at the engine's positions
static int velocities(rate_flow* f, const double* u)
{
  engine* e = f->e;
  const int n = e->n, l = f->l;
  if (rate_complement_velocities(f, u)) return 0;
  if (n - engine_velocity_rows(e) != l) {
    snprintf(e->reason, sizeof e->reason, "the number of independent constraints changes");
    return 1;
  }
  num_null_solve(e->work.null, e->work.Ar, e->work.br, e->v);
  if (!factor_choice(f)) {
    snprintf(e->reason, sizeof e->reason, "the quasi-velocities are singular");
    return 1;
  }
  double* s = e->work.w;
  for (int k = 0; k < l; k++) {
    s[k] = u[k];
    for (int j = 0; j < n; j++) s[k] -= f->C[k * n + j] * e->v[j];
  }
  num_lu_solve(l, f->CZ, f->pivot, s);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < l; k++) e->v[i] += e->work.Z[i * l + k] * s[k];
  return 0;
}

int rate_flow_load(rate_flow* f, double t, const double* y)
{
  engine* e = f->e;
  engine_state(e, t, y, y + e->n);
  if (f->abreast) rate_lanes_settle(f->abreast);
  if (f->leaps) f->leaps->load(f->leaps->context);
  return f->reduced ? velocities(f, y + e->n) : 0;
}

int rate_flow_forces(rate_flow* f)
{
  if (f->leaps) return 0;
  if (contact_accelerations(f->e)) return 1;
  contact_reactions(f->e);
  return 0;
}

// ---- the system ---------------------------------------------------------------------------------

static double power_now(engine* e)
{
  double power;
  if (e->program->work_needs_reactions) contact_reactions(e);
  code_run(e->program->work, e->in, &power, e->work.scratch);
  return power + (e->unilateral ? contact_slip_power(e) + contact_regime_power(e) : 0);
}

// Near a singular position A a = c divides by small numbers: the errors of a state inside a step,
// which is not quite on the constraints, would be blown up. It is put on them first, in all stages
// of a step or in none: on the constraints both are the same motion, beside them they differ, and a
// mixture has no order.
static int settle(rate_flow* f, const double* y)
{
  engine* e = f->e;
  bool moved = false;
  if (!f->reduced) return engine_project(e, &moved);
  if (engine_project_positions(e, &moved)) return 1;
  return moved ? velocities(f, y + e->n) : 0;
}

void rate_flow_before_step(rate_flow* f)
{
  // whatever was read since the last step leaves no trace in this one
  if (f->e->sparse) f->e->sparse->factored = false;
  f->settling = f->e->mode.rows && f->e->margin < engine_near_singular;
  // a kernel with its pivots chosen beforehand loses digits there; series go on without it
  if (f->settling && f->series && f->abreast) rate_flow_leave_kernel(f);
}

int rate_flow_general(rate_flow* f, double t, const double* y, double* dy)
{
  engine* e = f->e;
  const int n = e->n;
  if (rate_flow_load(f, t, y)) return 1;
  if (f->settling && settle(f, y)) return 1;
  if (contact_accelerations(e)) return 1;
  memcpy(dy, e->v, sizeof(double) * (size_t)n);
  if (f->reduced) {
    for (int k = 0; k < n; k++) {
      dy[n + k] = 0;
      for (int j = 0; k < f->l && j < n; j++) dy[n + k] += f->C[k * n + j] * e->a[j];
    }
  } else {
    memcpy(dy + n, e->a, sizeof(double) * (size_t)n);
  }
  dy[2 * n] = power_now(e);
  return 0;
}

// the values between the sides of the jumps that hold the motion, and what they hold at zero
static void take_held(engine* e, const double* sigma)
{
  for (int i = 0, at = 0; i < e->program->modes.count && e->mode.held_count; i++)
    if (e->mode.held[i]) e->side[i] = sigma[at++];
}

static void give_held(engine* e, double* r)
{
  if (!e->mode.held_count) return;
  engine_corner_rates(e);
  for (int i = 0, at = 0; i < e->program->modes.count; i++)
    if (e->mode.held[i])
      r[at++] = e->work.switching[e->mode.twice[i] ? e->program->modes.count + i : i];
}

// Implicit form with both levels kept (Gear, Gupta, Leimkuhler 1985), y = (q, v, work, Lambda, mu,
// sigma), sigma the jumps of the forces that hold the motion at s = 0:
//   q' = v + A0^T mu,  M v' = F(sigma) + A^T Lambda,  work' = power,  f1 = 0 (order 2: A v' = c),
//   f0 = 0,  s = 0
static int residual(void* context, double t, const double* y, const double* dy, double* r)
{
  rate_flow* f = context;
  engine* e = f->e;
  const int n = e->n, base = 2 * n + 1;
  const double *lambda = y + base, *mu = lambda + e->mode.rows, *sigma = mu + f->rows0;
  assert(!f->reduced);
  engine_state(e, t, y, y + n);
  take_held(e, sigma);
  memcpy(e->a, dy + n, sizeof(double) * (size_t)n);
  for (int k = 0; k < e->mode.rows; k++) e->lambda[e->mode.row[k]] = lambda[k];
  engine_equations(e);
  if (e->m) code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  double energy[engine_energies];
  code_run(e->program->energy, e->in, energy, e->work.scratch);
  for (int i = 0; i < n; i++) {
    r[i] = dy[i] - e->v[i];
    double sum = -e->F[i];
    for (int j = 0; j < n; j++) sum += e->M[i * n + j] * dy[n + j];
    for (int k = 0; k < e->mode.rows; k++) sum -= e->A[e->mode.row[k] * n + i] * lambda[k];
    r[n + i] = sum;
  }
  r[2 * n] = dy[2 * n] - energy[2];
  for (int k = 0, at = 0; k < e->mode.rows; k++) {
    const int row = e->mode.row[k], order = e->model->constraint[row].order;
    r[base + k] = e->f1[row];
    if (order == 2) {
      r[base + k] = -e->c[row];
      for (int j = 0; j < n; j++) r[base + k] += e->A[row * n + j] * dy[n + j];
    }
    if (order > 0) continue;
    for (int i = 0; i < n; i++) r[i] -= e->A[row * n + i] * mu[at];
    r[base + e->mode.rows + at++] = e->f0[row];
  }
  give_held(e, r + base + e->mode.rows + f->rows0);
  for (int i = 0; i < f->ode.dae_n; i++)
    if (!isfinite(r[i])) return 1;
  return 0;
}

static int consistent(void* context, double t, const double* ode_y, double* y, double* dy)
{
  rate_flow* f = context;
  engine* e = f->e;
  memset(y, 0, sizeof(double) * (size_t)f->ode.dae_n);
  memset(dy, 0, sizeof(double) * (size_t)f->ode.dae_n);
  memcpy(y, ode_y, sizeof(double) * (size_t)f->ode.n);
  if (rate_of_one(f, t, ode_y, dy) || contact_accelerations(e)) return 1;
  engine_kept_reactions(e);
  for (int k = 0; k < e->mode.rows; k++) y[f->ode.n + k] = e->lambda[e->mode.row[k]];
  double* sigma = y + f->ode.n + e->mode.rows + f->rows0;
  for (int i = 0, at = 0; i < e->program->modes.count && e->mode.held_count; i++)
    if (e->mode.held[i]) sigma[at++] = e->side[i];
  return 0;
}

static int leap(void* context, double t, const double* y, double to, double* y_to)
{
  const rate_leaps* l = ((rate_flow*)context)->leaps;
  return l->leap(l->context, t, y, to, y_to);
}

void rate_flow_take_leaps(rate_flow* f, const rate_leaps* leaps, double length)
{
  f->leaps = leaps;
  f->ode.leap = leap;
  f->ode.leap_length = length;
}

void rate_flow_scale(rate_flow* f, const double* y)
{
  engine* e = f->e;
  if (engine_scales_see_steered(e, y, f->reduced ? e->v : y + e->n,
                                f->reduced ? NULL : f->quiet + e->n))
    rate_flow_set_tolerances(f);
}

rate_flow* rate_flow_new(engine* e, double tolerance, bool full)
{
  rate_flow* f = base_arena_take(e->arena, sizeof *f);
  const int n = 2 * e->n + 1, most = n + 2 * e->m;
  double* abs_tol = base_arena_take(e->arena, sizeof(double) * (size_t)(2 * most + n));
  bool* quiet = f->quiet = base_arena_take(e->arena, sizeof(bool) * (size_t)most);
  f->abs_tol = abs_tol;
  f->slope_noise = abs_tol + most;
  f->rate_noise = f->slope_noise + most;
  f->heeds_noise = true;
  f->tolerance = tolerance;
  for (int i = 0; i < most; i++) abs_tol[i] = tolerance * absolute_share;
  for (int i = e->model->places; i < e->n; i++) quiet[i] = true; // the integrals of states
  f->e = e;
  f->full = full || engine_is_large(e);
  // all velocities by impulses need no others
  const size_t square = e->sparse || (full && e->by_impulses) ? 1 : (size_t)e->n * (size_t)e->n;
  f->C = base_arena_take(e->arena, sizeof(double) * 2 * square);
  f->CZ = f->C + square;
  f->pivot = base_arena_take(e->arena, sizeof(int) * (size_t)e->n);
  f->ode = (step_ode){.n = n,
                      .rhs = rate_of_one,
                      .context = f,
                      .residual = residual,
                      .consistent = consistent,
                      .rel_tol = tolerance,
                      .abs_tol = abs_tol,
                      .slope_noise = f->slope_noise,
                      .quiet = quiet,
                      .rest = e->p ? &e->t_rest : NULL};
  return f;
}
