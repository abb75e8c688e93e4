// Gauss's method with eight stages, of order 16, all stages evaluated side by side.
//
// The stages Y_i = y + sum_j mu_ij L_j, L_j = h b_j f(t + c_j h, Y_j), are found by repeated
// evaluation (van der Houwen and Sommeijer, J. Comput. Appl. Math. 29 (1990), 111), from slopes
// that continue the polynomial of the last step; y + sum_j L_j is the next state. Where q' = y is
// itself a component, its stages are summed from those of y just found, by the same mu: rounded
// numbers for both sums at once would not fit these to the last bit, and the energy would drift in
// proportion to time. t and y are summed with compensation, and the numbers are such that the
// method stays symplectic and symmetric as it is rounded (Antonana, Makazaga, Murua, Numerical
// Algorithms 76 (2017), 861).
//
// The error: on the basis of Legendre's polynomials the slope of the solution has coefficients a_0,
// a_1, ..., which fall geometrically or faster. The polynomial misses a_8 P_8 and what follows, and
// the end of the step sees that against the coefficient of P_8 in the propagation of errors, whose
// fall is alike: about h a_8^2 / (17 V), V = |a_1| + |a_2| + .... a_8 is continued from a_4 .. a_7.
// This is of order 16 and needs no further evaluations.
//
// Inside a step the polynomial is of order 8 only; states there are the ends of shorter steps that
// begin on it.
#include "step/gauss16.h"
#include "step/stepper.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { line = 64, most_turns = 24, half_of_them = 12, most_attempts = 60, not_finite = INT32_MAX };
// steps after which the noise of the slopes is looked at anew, unless it counted in the last one
enum { steps_unheard = 64 };
// coefficients of the slopes up to this many times those by rounding say nothing
static const double noise_share = 8;

// what a step may err, as a share of the tolerance: usually, and where all digits are wanted
static const double usual_share = 0.1, fine_share = 1e-7;
// how far beyond their stages slopes are looked at, in units of what the stages miss
static const double magnified = 4096;
static const double goal = 0.03; // what the iteration may leave, in units of the error of a step
static const double safety = 0.8, power = 1.0 / 17;
// errors of a step, between these its length is kept: a new one costs new columns
static const double low = 0.01, high = 0.2;
// The error goes with the square of a_8: what a turn changes may be this share of the a_8 that
// makes an error of one unit when the error is looked at.
static const double clear = 0.01;
// times the last step, beyond which its polynomial does not tell how it goes on
static const double far = 3;
// what a turn of the first step is to gain, for a step that may err by so much
static const double first_gain = 0.005, usual_error = 1e-11;

typedef struct gauss16
{
  step_stepper base;
  _Alignas(line) gauss16_table table;
  const gauss16_kind* kind;
  const step_abreast* lanes;
  void* context;    // of their functions
  gauss16_rhs* own; // lanes where the ode has none, else null
  int version;      // of the lanes
  // components that are moved; behind them those that are summed only, but steer
  int count, steering;
  gauss16_move* move;
  bool fine;             // the step is to be as exact as the numbers are
  double share, rel_tol; // of the tolerance that a step may err; the tolerance of a step
  double rounding;       // of the state, in units of the error
  double h, h_done;      // the next step (0: not known) and the last one, with signs
  double longest;        // beyond it the iteration did not end
  double error;          // of the last step
  double theta;          // of the last iteration: how much a turn gains
  int turns;             // of it
  bool settled;          // its last turn changed nothing
  double too_long;       // its error, where it was given up since that is above one unit
  double tried;          // the step whose slopes are in the lanes since it was too long, else 0
  bool known, continues; // slopes are kept: of the state alone, or of the last step
  bool stepped, amended;
  bool wary;               // a state was refused since the start
  bool heard, noisy;       // the noise was found at this state; it counted
  int unheard;             // steps since then
  int code;                // why the last evaluation was refused, 0 if it was not
  double t_carry, t_owed;  // t + t_carry is the time; the same at the start of the last step
  double *carry, *carried; // y + carry is the state; the same for the step being tried
  double *y_old, *carry_old, *y_new, *shift, *over, *rise, *more;
  double* noise;              // of the slopes, where it was heard
  double *slopes, *predicted; // eight for each component: of the last step, of a step to come
  const double **kept, **at;  // where they are
  base_wide* wide;            // a state with twice the digits
  double *rest, *miss;        // eight for each: see gauss16_sums and gauss16_miss
  double rest_for;            // the step for which there are columns of what mu lost
  double columns_for;         // the ratio of steps for which there are columns
  void* block;                // that all this lies in
  // vectors of eight lie within one line of the cache
  _Alignas(line) double weight[8]; // h b
  double columns[64];              // that continue the polynomial
  double lost[64];                 // h b times what mu lost
} gauss16;

// ---- life ---------------------------------------------------------------------------------------

static void place_vectors(gauss16* s, double* at)
{
  const size_t n = (size_t)s->base.ode.n;
  double** place[] = {&s->base.y, &s->carry, &s->carried, &s->y_old, &s->carry_old, &s->y_new,
                      &s->shift,  &s->over,  &s->rise,    &s->more,  &s->noise};
  double** eight[] = {&s->slopes, &s->predicted, &s->rest, &s->miss};
  for (size_t i = 0; i < sizeof eight / sizeof *eight; i++, at += 8 * n) *eight[i] = at;
  for (size_t i = 0; i < sizeof place / sizeof *place; i++, at += n) *place[i] = at;
  s->wide = (base_wide*)at;
  s->kept = (const double**)(s->wide + n);
  s->at = s->kept + n;
  for (size_t i = 0; i < n; i++) {
    s->kept[i] = s->slopes + 8 * i;
    s->at[i] = s->predicted + 8 * i;
  }
  s->move = (gauss16_move*)(s->at + n);
}

static step_stepper* create(const step_method* method, const step_ode* ode)
{
  assert(ode->n >= 0 && (ode->rhs || ode->abreast));
  const size_t n = (size_t)ode->n;
  const size_t each = (4 * 8 + 11) * sizeof(double) + sizeof(base_wide) + 2 * sizeof(double*) +
                      sizeof(gauss16_move);
  void* block = base_alloc(line + sizeof(gauss16) + n * each);
  gauss16* s = (gauss16*)(((uintptr_t)block + line - 1) / line * line);
  s->block = block;
  s->base.method = method;
  s->base.ode = *ode;
  s->base.slack = 1;
  s->base.counts.order = 2 * gauss16_stages;
  place_vectors(s, (double*)(s + 1));
  gauss16_table_fill(&s->table);
  s->kind = gauss16_kind_here();
  s->own = ode->abreast ? NULL : gauss16_rhs_new(&s->base.ode);
  s->lanes = s->own ? gauss16_rhs_abreast(s->own) : ode->abreast;
  s->context = s->own ? s->own : ode->context;
  s->fine = ode->rel_tol <= step_all_digits;
  s->share = s->fine ? fine_share : usual_share;
  s->rel_tol = fmax(s->share * ode->rel_tol, DBL_MIN);
  s->version = s->lanes->version - 1;
  return &s->base;
}

static void destroy(step_stepper* base)
{
  gauss16* s = (gauss16*)base;
  free(s->own);
  free(s->block);
}

// the status for a refusal that no shorter step can mend
static step_status refuse(gauss16* s, double t)
{
  if (s->code == not_finite)
    return step_stepper_fail(&s->base, STEP_NOT_FINITE, "the right-hand side is not finite", t);
  if (s->code > 0)
    return step_stepper_fail(&s->base, STEP_RHS_FAILED, "the right-hand side cannot be evaluated",
                             t);
  snprintf(s->base.reason, sizeof s->base.reason,
           "the right-hand side gave up with code %d at t = %.17g", s->code, t);
  return STEP_RHS_FAILED;
}

// ---- components ---------------------------------------------------------------------------------

static bool steers(const gauss16* s, int i)
{
  const step_ode* o = &s->base.ode;
  return !(o->quiet && o->quiet[i]);
}

static void list_moves(gauss16* s)
{
  const step_abreast* l = s->lanes;
  if (s->version == l->version) return;
  s->version = l->version;
  s->count = 0;
  s->known = s->continues = false;
  for (int i = 0; i < s->base.ode.n; i++)
    if (l->Y[i] && l->rate[i] < 0) s->move[s->count++] = (gauss16_move){i, i};
  for (int i = 0; i < s->base.ode.n; i++)
    for (int k = 0; k < s->count && l->Y[i]; k++)
      if (l->rate[i] == s->move[k].of) s->move[k].sum = i;
  s->steering = s->count;
  for (int i = 0; i < s->base.ode.n; i++)
    if (!l->Y[i] && l->F[i] && steers(s, i)) s->move[s->steering++] = (gauss16_move){i, i};
}

static void measure(gauss16* s)
{
  const step_stepper* b = &s->base;
  double most = 0;
  for (int i = 0; i < b->ode.n; i++) {
    const double absolute = b->ode.abs_tol ? s->share * b->ode.abs_tol[i] : 0, y = fabs(b->y[i]);
    const double unit = step_larger(DBL_MIN / DBL_EPSILON, b->slack * (absolute + s->rel_tol * y));
    const double over = steers(s, i) ? 1 / unit : 0;
    s->over[i] = over;
    most = step_larger(most, y * over);
  }
  s->rounding = DBL_EPSILON / 2 * most;
}

// ---- the stages ---------------------------------------------------------------------------------

// The weights add up to h. *out is filled in place: a copy of it would wait for all of these.
static void set_sums(gauss16* s, double h, const double* y, const double* carry, gauss16_sums* out)
{
  double left = h;
  for (int j = 1; j < 7; j++) left -= s->weight[j] = h * s->table.b[j];
  s->weight[0] = s->weight[7] = left / 2;
  out->mu = s->table.mu;
  out->weight = s->weight;
  out->h = h;
  out->count = s->count;
  out->move = s->move;
  out->Y = s->lanes->Y;
  out->y = y;
  out->carry = carry;
  out->over = s->over;
  out->rest = NULL;
}

static void set_times(gauss16* s, double t, double t_carry, double h)
{
  double at[8];
  for (int l = 0; l < 8; l++) at[l] = t + (t_carry + h * s->table.c[l]);
  s->lanes->times(s->context, at);
}

static int evaluate(gauss16* s)
{
  s->base.counts.evaluations++;
  return s->code = s->lanes->evaluate(s->context);
}

// all stages at one state
static int evaluate_at(gauss16* s, double t, double t_carry, const double* y)
{
  for (int i = 0; i < s->base.ode.n; i++)
    for (int l = 0; l < 8 && s->lanes->Y[i]; l++) s->lanes->Y[i][l] = y[i];
  set_times(s, t, t_carry, 0);
  return evaluate(s);
}

// the slopes at the state itself
static int stand(gauss16* s)
{
  if (s->known) return 0;
  if (evaluate_at(s, s->base.t, s->t_carry, s->base.y)) return s->code;
  for (int k = 0; k < s->steering; k++) {
    const int i = s->move[k].of;
    const double slope = s->lanes->F[i][0];
    if (!isfinite(slope)) return s->code = not_finite;
    for (int l = 0; l < 8; l++) s->slopes[8 * i + l] = slope;
  }
  s->known = true;
  return 0;
}

// slopes of the stages from those of a longer step with the same start
static void shorten(gauss16* s, double share, const double* const* slopes)
{
  double x[8], columns[64];
  for (int l = 0; l < 8; l++) x[l] = share * s->table.c[l];
  s->kind->basis(x, s->table.c, s->table.over, columns);
  s->kind->apply(columns, s->count, s->move, slopes, s->predicted);
}

// Slopes of the stages from the polynomial of the step before; the first step, and one that is far
// longer, begins with the last slope. A step that was too long tells more about a shorter one.
static void predict(gauss16* s, double h)
{
  if (s->tried != 0) {
    shorten(s, h / s->tried, s->lanes->F);
    return;
  }
  const double ratio = s->continues ? h / s->h_done : INFINITY;
  if (ratio > far) {
    for (int k = 0; k < s->count; k++)
      for (int l = 0, i = 8 * s->move[k].of; l < 8; l++) s->predicted[i + l] = s->slopes[i + 7];
    return;
  }
  if (s->columns_for != ratio) {
    double x[8];
    for (int l = 0; l < 8; l++) x[l] = 1 + ratio * s->table.c[l];
    s->kind->basis(x, s->table.c, s->table.over, s->columns);
    s->columns_for = ratio;
  }
  s->kind->apply(s->columns, s->count, s->move, s->kept, s->predicted);
}

// What the coefficients a_6 and a_7 of the slopes are by rounding alone: those of a step of an
// eighth of h, which of a smooth motion would be a millionth. It uses up the lanes.
static void hear(gauss16* s, double h)
{
  gauss16_sums sum;
  const double part = h / 8;
  set_sums(s, part, s->base.y, s->carry, &sum);
  predict(s, part);
  s->kind->sweep(&sum, s->at);
  set_times(s, s->base.t, s->t_carry, part);
  s->tried = 0;
  s->unheard = 0;
  s->heard = !evaluate(s);
  if (!s->heard) return;
  double *all = s->predicted, slope = 0;
  s->kind->apply(s->table.legendre, s->steering, s->move, s->lanes->F, all);
  for (int k = 0; k < s->steering; k++) slope = step_larger(slope, fabs(all[8 * s->move[k].of]));
  for (int k = 0; k < s->steering; k++) {
    const int i = s->move[k].of;
    const double last = fabs(all[8 * i + 6]) + fabs(all[8 * i + 7]);
    s->noise[i] = last <= step_most_noise * slope ? last : 0;
  }
}

// The error of a step by the slopes at its stages, in its units. Coefficients that are rounding of
// the largest slope, or noise of the stages, say nothing.
static double error_of(gauss16* s, double h, double noise)
{
  double *all = s->predicted, slope = 0, most = 0, unheeded = 0;
  s->kind->apply(s->table.legendre, s->steering, s->move, s->lanes->F, all);
  for (int k = 0; k < s->steering; k++) slope = step_larger(slope, fabs(all[8 * s->move[k].of]));
  for (int k = 0; k < s->steering; k++) {
    const int i = s->move[k].of;
    const double* a = all + 8 * i;
    const double first = (fabs(a[1]) + fabs(a[2])) + fabs(a[3]);
    const double before = fabs(a[4]) + fabs(a[5]), last = fabs(a[6]) + fabs(a[7]);
    if (last <= 8 * DBL_EPSILON * slope || fabs(h) * last * s->over[i] <= noise) continue;
    // a_8 = last^2 / before
    const double V = first + before + last, a4 = step_larger(before, last), square = last * last;
    const double error = square * square / (a4 * a4 * V) * s->over[i];
    if (s->heard && last <= noise_share * s->noise[i])
      unheeded = step_larger(unheeded, error);
    else if (!(error <= most))
      most = error;
  }
  s->noisy = fabs(h) / 17 * unheeded > high;
  return fabs(h) / 17 * most;
}

// a rounding of the state or of its stages, in units of the error: from rest they grow from nothing
static double rounding_of_stages(const gauss16* s)
{
  double most = s->rounding;
  for (int k = 0; k < s->count; k++) {
    const int i = s->move[k].of;
    for (int l = 0; l < 8; l++)
      most = step_larger(most, DBL_EPSILON / 2 * fabs(s->lanes->Y[i][l]) * s->over[i]);
  }
  return most;
}

// Repeat until what is left is below the goal; false where it does not come to an end. The error of
// the stages after a turn is about their change in it, that of the end of the step theta times as
// much.
//
// The error of the step shows long before that (look): where it is too large, the rest is spared.
static bool iterate(gauss16* s, const gauss16_sums* sum, bool look)
{
  const double enough = look ? clear * sqrt(17 / s->rel_tol) : -1;
  double before = INFINITY;
  int growing = 0;
  for (s->turns = 0; s->turns < most_turns; s->turns++) {
    if (evaluate(s)) return false;
    const double change = s->kind->sweep(sum, s->lanes->F);
    if (!(change < INFINITY)) return false;
    // the stages are what their slopes give, whatever the turns before gained
    s->settled = change == 0;
    if (s->settled) return true;
    const double theta = s->turns ? change / before : step_larger(s->theta, 0.1);
    if (s->turns) s->theta = theta;
    if (theta * change <= goal && theta < 0.9) return true;
    if (change <= enough && before > enough) {
      s->too_long = error_of(s, sum->h, 8 * change);
      if (s->too_long > 1) return false;
    }
    if (s->turns > 1 && change > before / 2 && change <= 16 * rounding_of_stages(s)) return true;
    if (change > before && change > 1 && ++growing > 3) return false;
    // as many turns again would not do
    if (s->turns == half_of_them && change * pow(theta, half_of_them) > goal + s->rounding)
      return false;
    before = change;
  }
  return false;
}

// What mu lost to rounding, of which slopes near those of the step tell enough. Without it the
// method is symplectic and symmetric, but with a Hamiltonian that changes with h.
static void find_rest(gauss16* s, gauss16_sums* sum)
{
  double* of_rate = s->miss; // not needed before the stages are found
  if (s->rest_for != sum->h) {
    for (int j = 0; j < 64; j++) s->lost[j] = s->weight[j / 8] * s->table.mu_rest[j];
    s->rest_for = sum->h;
  }
  s->kind->apply(s->lost, s->count, s->move, s->at, s->rest);
  s->kind->apply(s->lost, s->count, s->move, (const double* const*)s->lanes->Y, of_rate);
  for (int k = 0; k < s->count; k++) {
    const int i = s->move[k].of, q = s->move[k].sum;
    for (int l = 0; l < 8; l++) {
      s->rest[8 * i + l] += s->carry[i];
      if (q != i) s->rest[8 * q + l] = s->carry[q] + of_rate[8 * i + l];
    }
  }
  sum->rest = s->rest;
}

// the stages of a step of length h and their slopes; look: it may be too long
static bool solve(gauss16* s, double h, bool look, gauss16_sums* sum)
{
  set_sums(s, h, s->base.y, s->carry, sum);
  predict(s, h);
  s->kind->sweep(sum, s->at);
  if (s->fine) find_rest(s, sum);
  set_times(s, s->base.t, s->t_carry, h);
  s->too_long = 0;
  return iterate(s, sum, look);
}

// sum L; its order is the same forwards and backwards
static inline double rise_of(const gauss16* s, int i)
{
  const step_abreast* l = s->lanes;
  const double *f = l->rate[i] >= 0 ? l->Y[l->rate[i]] : l->F[i], *w = s->weight;
  if (!f) return 0;
  const double a = w[0] * f[0] + w[7] * f[7], b = w[1] * f[1] + w[6] * f[6];
  const double c = w[2] * f[2] + w[5] * f[5], d = w[3] * f[3] + w[4] * f[4];
  return (a + b) + (c + d);
}

// y + (carry + rise)
static inline double end_of(double y, double carry, double rise, double* left)
{
  const double move = carry + rise, end = y + move, back = end - move;
  *left = (y - back) + (move - (end - back));
  return end;
}

// y + (carry + rise + more), where more is lost to the rounding of rise
static inline double fine_end_of(double y, double carry, double rise, double more, double* left)
{
  const base_wide move = base_wide_two_sum(rise, carry + more);
  const base_wide end = base_wide_two_sum(y, move.hi);
  const base_wide sum = base_wide_quick_sum(end.hi, end.lo + move.lo);
  *left = sum.lo;
  return sum.hi;
}

// sum_j h b_j x_j
static double weighed(const gauss16* s, const double* x)
{
  double sum = 0;
  for (int j = 0; j < 4; j++) sum += s->weight[j] * (x[j] + x[7 - j]);
  return sum;
}

// Y + times by of all stages, and by what that is as doubles
static int evaluate_beside(gauss16* s, double times, double* by)
{
  for (int i = 0; i < s->base.ode.n; i++) {
    double* Y = s->lanes->Y[i];
    for (int l = 0; l < 8 && Y; l++) {
      const double there = Y[l] + times * by[8 * i + l];
      by[8 * i + l] = there - Y[l];
      Y[l] = there;
    }
  }
  return evaluate(s);
}

// What the stages miss, s->miss, by slopes half way between those on both sides of them. Where
// constraints hold quantities at powers of two, slopes of the stages themselves have roundings that
// lean, since doubles below a power of two are twice as close as above.
static int miss_beside(gauss16* s, const gauss16_sums* sum)
{
  const double* const* F = s->lanes->F;
  if (evaluate_beside(s, magnified, s->miss)) return s->code;
  for (int k = 0; k < s->count; k++)
    memcpy(s->predicted + 8 * s->move[k].of, F[s->move[k].of], 8 * sizeof(double));
  if (evaluate_beside(s, -2, s->miss)) return s->code;
  for (int k = 0; k < s->count; k++)
    for (int l = 0, i = s->move[k].of; l < 8; l++)
      s->predicted[8 * i + l] = (s->predicted[8 * i + l] + F[i][l]) / 2;
  for (int i = 0; i < s->base.ode.n; i++)
    for (int l = 0; l < 8 && s->lanes->Y[i]; l++) s->lanes->Y[i][l] -= s->miss[8 * i + l] / 2;
  s->kind->miss(sum, s->at, s->miss);
  return 0;
}

// the rise of components with slopes of their own, from both sides of the stages
static int rise_beside(gauss16* s)
{
  const step_abreast* lanes = s->lanes;
  const int n = s->base.ode.n;
  double* ahead = s->y_new; // not needed before the rise is known
  if (evaluate_beside(s, magnified, s->miss)) return s->code;
  for (int i = 0; i < n; i++) ahead[i] = lanes->rate[i] < 0 ? rise_of(s, i) : 0;
  if (evaluate_beside(s, -2, s->miss)) return s->code;
  for (int i = 0; i < n; i++) {
    if (lanes->rate[i] >= 0) continue;
    const double apart = rise_of(s, i) - ahead[i];
    s->rise[i] = ahead[i];
    s->more[i] = apart / 2 - apart / (2 * magnified);
  }
  return 0;
}

// The rise, and what more it were without the rounding of the stages.
//
// Rounded stages have more than one rest, and the iteration ends in the one on the side it comes
// from, which is always the same: the energy would fall in proportion to time. So what the stages
// miss, d, is found, and the slopes f(Y + d) are those half way between f(Y + D) and f(Y - D), and
// (f(Y + D) - f(Y - D)) / 2 K more, D = K d. What that leaves out is of order D^2, 1e-24.
static bool refine(gauss16* s, const gauss16_sums* sum)
{
  // slopes of the stages as they stand
  if (!s->settled && evaluate(s)) return false;
  s->kind->miss(sum, s->lanes->F, s->miss);
  if (s->base.ode.wide_settle && miss_beside(s, sum)) return false;
  for (int i = 0; i < s->base.ode.n; i++) {
    const int rate = s->lanes->rate[i];
    if (rate < 0) continue;
    s->rise[i] = rise_of(s, i);
    s->more[i] = weighed(s, s->miss + 8 * rate);
  }
  return !rise_beside(s);
}

// ---- lengths ------------------------------------------------------------------------------------

// A first step: two turns of the iteration over a short one tell how much a turn gains, which grows
// with the square of the length where forces depend on places.
static void first_length(gauss16* s, double direction, double left)
{
  const step_stepper* b = &s->base;
  const step_abreast* l = s->lanes;
  double size = 0, speed = 0;
  for (int i = 0; i < b->ode.n; i++) size = step_larger(size, fabs(b->y[i]));
  for (int k = 0; k < s->steering; k++)
    speed = step_larger(speed, fabs(s->slopes[8 * s->move[k].of]));
  const double h = direction * fmin(0.01 * (speed > 0 && size > 0 ? size / speed : 1), left);
  gauss16_sums sum;
  set_sums(s, h, b->y, s->carry, &sum);
  predict(s, INFINITY);
  s->kind->sweep(&sum, s->at);
  set_times(s, b->t, s->t_carry, h);
  s->h = h;
  if (evaluate(s)) return;
  const double first = s->kind->sweep(&sum, l->F), noise = 16 * s->rounding;
  if (evaluate(s)) return;
  const double second = s->kind->sweep(&sum, l->F);
  const double gain = first > noise ? step_larger(second, noise) / first : first_gain * first_gain;
  const double factor = sqrt(first_gain / gain) * pow(s->rel_tol / usual_error, power);
  s->h = direction * fmin(fabs(h) * fmin(factor, 100), left);
}

static double seventeenth(double x)
{
  const double x2 = x * x, x4 = x2 * x2, x8 = x4 * x4;
  return x8 * x8 * x;
}

// the length of the next step by the error of this one, which is taken to grow on as it did
static double next_length(gauss16* s, double h, double error)
{
  const double growth = s->error > 0 ? error / s->error * seventeenth(s->h_done / h) : 1;
  const double expected = error * (growth < 1 ? 1 : growth > 1e3 ? 1e3 : growth);
  s->error = error;
  if (s->turns > 14) return safety * h;
  if (expected > low && expected <= high) return h;
  const double factor = safety * pow(step_larger(expected, 1e-16), -power);
  if (factor > 1 && s->turns > 9) return h;
  return h * fmin(factor, error > 1e-14 ? 2 : 5);
}

// ---- steps --------------------------------------------------------------------------------------

static step_status start(step_stepper* base, double t, const double* y, double t_end)
{
  (void)t_end;
  gauss16* s = (gauss16*)base;
  const size_t bytes = (size_t)base->ode.n * sizeof(double);
  base->t = base->t_old = t;
  base->reason[0] = 0;
  memmove(base->y, y, bytes);
  memset(s->carry, 0, bytes);
  s->t_carry = 0;
  s->h = s->h_done = 0;
  s->longest = INFINITY;
  s->error = 0;
  s->theta = 1;
  s->known = s->continues = s->stepped = s->amended = s->wary = s->noisy = false;
  s->unheard = 0;
  if (!step_all_finite((size_t)base->ode.n, y))
    return step_stepper_fail(&s->base, STEP_NOT_FINITE, "the state is not finite", t);
  list_moves(s);
  return stand(s) ? refuse(s, t) : STEP_OK;
}

static void swap(double** a, double** b)
{
  double* t = *a;
  *a = *b;
  *b = t;
}

static void keep_slopes(gauss16* s)
{
  for (int i = 0; i < s->base.ode.n; i++)
    if (s->lanes->F[i]) memcpy(s->slopes + 8 * i, s->lanes->F[i], 8 * sizeof *s->slopes);
}

static void accept(gauss16* s, double h, double t_new, double t_carry)
{
  step_counts* c = &s->base.counts;
  const double length = fabs(h);
  swap(&s->y_old, &s->base.y);
  swap(&s->base.y, &s->y_new);
  swap(&s->carry_old, &s->carry);
  swap(&s->carry, &s->carried);
  s->base.t_old = s->base.t;
  s->base.t = t_new;
  s->t_owed = s->t_carry;
  s->t_carry = t_carry;
  s->h_done = h;
  s->known = s->continues = s->stepped = true;
  s->amended = false;
  if (c->steps == 0 || length < c->smallest_step) c->smallest_step = length;
  if (length > c->largest_step) c->largest_step = length;
  c->last_step = length;
  c->steps++;
}

// put the end of the step on what it must satisfy, beyond the last bit of a double: a constraint
// met in doubles has its roundings at the same places again and again, and they do work
static bool settle(gauss16* s, double h)
{
  const step_ode* o = &s->base.ode;
  if (!o->wide_settle) return true;
  for (int i = 0; i < o->n; i++) s->wide[i] = (base_wide){s->y_new[i], s->carried[i]};
  if (o->wide_settle(o->context, base_wide_two_sum(s->base.t, h + s->t_carry), s->wide))
    return s->code = 1, false;
  for (int i = 0; i < o->n; i++) {
    s->y_new[i] = s->wide[i].hi;
    s->carried[i] = s->wide[i].lo;
  }
  return true;
}

// a step of length h: its error, infinite where there is none
static double try_step(gauss16* s, double h, bool look)
{
  const int n = s->base.ode.n;
  gauss16_sums sum;
  if (!solve(s, h, look, &sum)) return s->too_long > 1 ? s->too_long : INFINITY;
  const double error = error_of(s, h, 0);
  const bool fine = s->fine && error <= 1;
  if (fine && !refine(s, &sum)) return INFINITY;
  for (int i = 0; i < n; i++)
    s->y_new[i] =
        fine ? fine_end_of(s->base.y[i], s->carry[i], s->rise[i], s->more[i], &s->carried[i])
             : end_of(s->base.y[i], s->carry[i], rise_of(s, i), &s->carried[i]);
  if (fine && !settle(s, h)) return INFINITY;
  if (step_all_finite((size_t)n, s->y_new)) return error;
  s->code = not_finite;
  return INFINITY;
}

// All stages lie inside the step; where states were refused before, its end is looked at, too.
static bool ends_well(gauss16* s, double t)
{
  if (!s->wary) return true;
  if (!evaluate_at(s, t, 0, s->y_new)) {
    for (int k = 0; k < s->steering; k++)
      if (!isfinite(s->lanes->F[s->move[k].of][0])) s->code = not_finite;
    if (!s->code) return true;
  }
  s->continues = false;
  return false;
}

static step_status step(step_stepper* base, double t_limit)
{
  gauss16* s = (gauss16*)base;
  const double t = base->t, left = fabs(t_limit - t), direction = t_limit < t ? -1 : 1;
  if (left == 0) return STEP_OK;
  list_moves(s);
  measure(s);
  if (s->h * direction < 0) s->known = s->continues = false;
  if (stand(s)) return refuse(s, t);
  if (s->h * direction <= 0) first_length(s, direction, left);
  double wish = step_larger(fabs(s->h), base->least_step);
  s->tried = 0;
  s->heard = false;
  if (s->noisy || ++s->unheard > steps_unheard) hear(s, direction * wish);
  for (int attempt = 0; attempt < most_attempts; attempt++) {
    const bool last = wish >= left * (1 - 1e-12);
    const double length = last ? left : 2 * wish > left ? left / 2 : wish;
    if (!last && length < 16 * DBL_EPSILON * fabs(t)) break;
    const double h = direction * length, add = h + s->t_carry;
    const double t_new = last ? t_limit : t + add;
    double error = try_step(s, h, length > base->least_step);
    if (error <= 1 || (length <= base->least_step && isfinite(error))) {
      keep_slopes(s);
      if (ends_well(s, t_new)) {
        // a step that only ends where it must says little about the next
        if (length == wish || error > high) s->h = next_length(s, h, error);
        if (fabs(s->h) > s->longest) s->h = direction * s->longest;
        s->longest *= 1.1;
        accept(s, h, t_new, last ? 0 : add - (t_new - t));
        return STEP_OK;
      }
      error = INFINITY;
    }
    if (s->code < 0) break;
    s->wary = s->wary || s->code;
    base->counts.rejected++;
    // a shorter step that is no better: is it noise?
    if (attempt && isfinite(error) && !s->heard) {
      hear(s, h);
      if (s->heard) continue;
    }
    if (!isfinite(error)) s->longest = 0.9 * length;
    s->tried = isfinite(error) ? h : 0;
    wish = length * (isfinite(error) ? step_larger(safety * pow(error, -power), 0.2)
                     : s->continues  ? 0.5
                                     : 0.25);
  }
  // no length is left: was it the right-hand side or the error?
  if (s->code != 0) return refuse(s, t);
  return step_stepper_fail(&s->base, STEP_STEP_TOO_SMALL, "the step size became too small", t);
}

// ---- inside the step ----------------------------------------------------------------------------

static void dense(step_stepper* base, double t, double* y)
{
  gauss16* s = (gauss16*)base;
  const int n = base->ode.n;
  if (!s->stepped || t == base->t) {
    memcpy(y, base->y, (size_t)n * sizeof *y);
    return;
  }
  memcpy(y, s->y_old, (size_t)n * sizeof *y);
  const double h = t - base->t_old, share = h / s->h_done, theta = s->theta;
  if (h == 0) return;
  double left;
  shorten(s, share, s->kept);
  gauss16_sums sum;
  set_sums(s, h, s->y_old, s->carry_old, &sum);
  s->kind->sweep(&sum, s->at);
  set_times(s, base->t_old, s->t_owed, h);
  const bool solved = iterate(s, &sum, false);
  s->theta = theta;
  for (int i = 0; i < n; i++) {
    y[i] = solved ? end_of(s->y_old[i], s->carry_old[i], rise_of(s, i), &left) : NAN;
    // an amended end bends the curve in proportion
    if (s->amended) y[i] += share * s->shift[i];
  }
  if (!solved)
    step_stepper_fail(&s->base, STEP_RHS_FAILED, "the right-hand side cannot be evaluated", t);
}

static step_status amend(step_stepper* base, const double* y)
{
  gauss16* s = (gauss16*)base;
  return step_stepper_amend(base, y, 1e4 * DBL_EPSILON, &s->amended, s->shift, s->carry);
}

const step_method step_method_gauss16 = {
    .name = "gauss16",
    .summary = "Gauss's method of order 16, its eight stages evaluated side by side",
    .abreast_form = true,
    .create = create,
    .destroy = destroy,
    .start = start,
    .step = step,
    .dense = dense,
    .amend = amend,
};
