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
#include "step/gauss16_stepper.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// what a step may err, as a share of the tolerance: usually, and where all digits are wanted
static const double usual_share = 0.1, fine_share = 1e-7;

// The error goes with the square of a_8: what a turn changes may be this share of the a_8 that
// makes an error of one unit when the error is looked at.
static const double clear = 0.01;

enum { most_attempts = 60 };
// lines of the cache in a page
enum { page_lines = 64, room_lines = page_lines + gauss16_block };
// steps after which the noise of the slopes is looked at anew, unless it counted in the last one
enum { steps_unheard = 64 };

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
  s->rate = s->at + n;
  for (size_t i = 0; i < n; i++) {
    s->kept[i] = s->slopes + 8 * i;
    s->at[i] = s->predicted + 8 * i;
  }
  s->move = (gauss16_move*)(s->rate + n);
  s->turn = (gauss16_turned*)(s->move + n);
  const uintptr_t end = (uintptr_t)(s->turn + n);
  s->room = (double*)((end + gauss16_line - 1) / gauss16_line * gauss16_line);
}

static step_stepper* create(const step_method* method, const step_ode* ode)
{
  assert(ode->n >= 0 && (ode->rhs || ode->abreast));
  const size_t n = (size_t)ode->n;
  const size_t each = (4 * 8 + 11) * sizeof(double) + sizeof(base_wide) + 3 * sizeof(double*) +
                      sizeof(gauss16_move) + sizeof(gauss16_turned);
  const size_t lines = (size_t)gauss16_line * (2 + room_lines);
  // the lines are written before they are read: zeros in them would be a good part of a short run
  void* block = base_realloc(NULL, lines + sizeof(gauss16) + n * each);
  gauss16* s = (gauss16*)(((uintptr_t)block + gauss16_line - 1) / gauss16_line * gauss16_line);
  memset(s, 0, offsetof(gauss16, table));
  memset(&s->kind, 0, sizeof(gauss16) - offsetof(gauss16, kind) + n * each);
  s->block = block;
  s->base.method = method;
  s->base.ode = *ode;
  s->base.slack = 1;
  s->base.counts.order = 2 * gauss16_stages;
  place_vectors(s, (double*)(s + 1));
  s->table = *gauss16_table_find();
  s->kind = gauss16_kind_here();
  s->own = ode->abreast ? NULL : gauss16_rhs_new(&s->base.ode);
  s->lanes = s->own ? gauss16_rhs_abreast(s->own) : ode->abreast;
  s->context = s->own ? s->own : ode->context;
  s->fine = ode->rel_tol <= step_all_digits;
  s->share = s->fine ? fine_share : usual_share;
  s->rel_tol = fmax(s->share * ode->rel_tol, DBL_MIN);
  s->enough = clear * sqrt(17 / s->rel_tol);
  s->first_share = gauss16_first_share(s->rel_tol);
  s->version = s->lanes->version - 1;
  return &s->base;
}

static void destroy(step_stepper* base)
{
  gauss16* s = (gauss16*)base;
  free(s->own);
  free(s->block);
}

// ---- components ---------------------------------------------------------------------------------

static int line_of(const double* at)
{
  return (int)((uintptr_t)at / gauss16_line % page_lines);
}

// Where processors look for a number in stores that are still under way they compare the last bits
// of addresses alone, those of a page, and wait for one that only looks the same. So work space
// lies in lines of the page in which as few as possible of the stages, slopes and numbers of the
// method are.
static void place_lines(gauss16* s)
{
  const step_abreast* l = s->lanes;
  int used[page_lines] = {0}, best = 0, least = INT32_MAX;
  for (int k = 0; k < s->count; k++) {
    used[line_of(l->Y[s->move[k].of])]++;
    used[line_of(l->F[s->move[k].of])]++;
    used[line_of(l->Y[s->move[k].sum])]++;
  }
  for (int j = 0; j < 64; j += 8) used[line_of(s->table.mu + j)]++;
  used[line_of(s->weight)]++;
  const int count = s->count < gauss16_block ? s->count : gauss16_block;
  const int first = line_of(s->room);
  for (int at = 0; at < page_lines && least > 0; at++) {
    int same = 0;
    for (int k = 0; k < count; k++) same += used[(first + at + k) % page_lines];
    if (same >= least) continue;
    least = same;
    best = at;
  }
  s->lines = s->room + 8 * best;
}

// the one of component `of` among those listed, which ascend; null
static gauss16_move* move_of(gauss16* s, int of)
{
  int from = 0, to = s->count;
  while (from < to) {
    const int middle = (from + to) / 2;
    if (s->move[middle].of < of)
      from = middle + 1;
    else
      to = middle;
  }
  return from < s->count && s->move[from].of == of ? &s->move[from] : NULL;
}

static void list_turns(gauss16* s)
{
  const step_abreast* l = s->lanes;
  s->sums = 0;
  for (int k = 0; k < s->count; k++) {
    const int of = s->move[k].of, sum = s->move[k].sum;
    s->turn[k] = (gauss16_turned){.i = of, .Y = l->Y[of]};
    if (!l->turn || sum == of || !l->turning[sum]) continue;
    s->turn[s->count + s->sums++] = (gauss16_turned){sum, l->Y[of], l->Y[sum], 0, 0};
  }
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
  for (int i = 0; i < s->base.ode.n; i++) {
    gauss16_move* of = l->Y[i] ? move_of(s, l->rate[i]) : NULL;
    if (of) of->sum = i;
  }
  list_turns(s);
  s->steering = s->count;
  for (int i = 0; i < s->base.ode.n; i++)
    if (!l->Y[i] && l->F[i] && gauss16_steers(s, i)) s->move[s->steering++] = (gauss16_move){i, i};
  for (int i = 0; i < s->base.ode.n; i++) s->rate[i] = l->rate[i] >= 0 ? l->Y[l->rate[i]] : l->F[i];
  place_lines(s);
}

static void measure(gauss16* s)
{
  const step_stepper* b = &s->base;
  const double share = b->slack * s->share, rel_tol = b->slack * s->rel_tol;
  double most = 0;
  for (int i = 0; i < b->ode.n; i++) {
    s->over[i] = 0;
    if (!gauss16_steers(s, i)) continue;
    const double absolute = b->ode.abs_tol ? share * b->ode.abs_tol[i] : 0, y = fabs(b->y[i]);
    const double over = 1 / step_larger(DBL_MIN / DBL_EPSILON, absolute + rel_tol * y);
    s->over[i] = over;
    most = step_larger(most, y * over);
  }
  s->rounding = DBL_EPSILON / 2 * most;
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

// ---- steps --------------------------------------------------------------------------------------

static step_status start(step_stepper* base, double t, const double* y, double t_end)
{
  (void)t_end;
  gauss16* s = (gauss16*)base;
  const size_t bytes = (size_t)base->ode.n * sizeof(double);
  const step_status status = step_stepper_begin(base, t, y);
  memset(s->carry, 0, bytes);
  s->t_carry = 0;
  s->h = s->h_done = 0;
  s->longest = INFINITY;
  s->error = 0;
  s->probe = 0;
  s->theta = 1;
  s->gained = 0;
  s->took = 0;
  s->known = s->continues = s->stepped = s->amended = s->wary = s->noisy = false;
  s->unheard = 0;
  if (status != STEP_OK) return status;
  list_moves(s);
  return gauss16_stand(s) ? step_stepper_refuse(&s->base, s->code, t) : STEP_OK;
}

static void keep_slopes(gauss16* s)
{
  for (int i = 0; i < s->base.ode.n; i++)
    if (s->lanes->F[i]) memcpy(s->slopes + 8 * i, s->lanes->F[i], 8 * sizeof *s->slopes);
}

static void accept(gauss16* s, double h, double t_new, double t_carry)
{
  step_swap(&s->y_old, &s->base.y);
  step_swap(&s->base.y, &s->y_new);
  step_swap(&s->carry_old, &s->carry);
  step_swap(&s->carry, &s->carried);
  s->base.t_old = s->base.t;
  s->base.t = t_new;
  s->t_owed = s->t_carry;
  s->t_carry = t_carry;
  s->h_done = h;
  s->known = s->continues = s->stepped = true;
  s->amended = false;
  step_stepper_count(&s->base, fabs(h));
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

// the ends with what the stages lost to rounding, put on what they must satisfy
static bool end_finely(gauss16* s, double h)
{
  for (int i = 0; i < s->base.ode.n; i++)
    s->y_new[i] = fine_end_of(s->base.y[i], s->carry[i], s->rise[i], s->more[i], &s->carried[i]);
  return settle(s, h);
}

// a step of length h: its error, infinite where there is none
static double try_step(gauss16* s, double h, bool look)
{
  const int n = s->base.ode.n;
  gauss16_sums sum;
  if (!gauss16_solve(s, h, look, &sum)) return s->too_long > 1 ? s->too_long : INFINITY;
  const double error = gauss16_error_of(s, h, s->steering, 0);
  bool finite;
  if (s->fine && error <= 1) {
    if (!gauss16_refine(s, &sum) || !end_finely(s, h)) return INFINITY;
    finite = step_all_finite((size_t)n, s->y_new);
  } else {
    finite = s->kind->ends(&sum, n, s->rate, s->y_new, s->carried);
  }
  if (finite) return error;
  s->code = step_not_finite;
  return INFINITY;
}

// All stages lie inside the step; where states were refused before, its end is looked at, too.
static bool ends_well(gauss16* s, double t)
{
  if (!s->wary) return true;
  if (!gauss16_evaluate_at(s, t, 0, s->y_new)) {
    for (int k = 0; k < s->steering; k++)
      if (!isfinite(s->lanes->F[s->move[k].of][0])) s->code = step_not_finite;
    if (!s->code) return true;
  }
  s->continues = false;
  return false;
}

// the end of a step of length h at t_new; false where it is refused
static bool finish(gauss16* s, double h, double wish, double error, double t_new, double t_carry)
{
  keep_slopes(s);
  if (!ends_well(s, t_new)) return false;
  // a step that only ends where it must says little about the next
  if (fabs(h) == wish || error > gauss16_high) s->h = gauss16_next_length(s, h, error);
  if (fabs(s->h) > s->longest) s->h = h < 0 ? -s->longest : s->longest;
  s->longest *= 1.1;
  accept(s, h, t_new, t_carry);
  return true;
}

// what is tried after a step of length h, the first one or not, that errs so much
static double shorter(gauss16* s, double h, bool first, double wish, double error)
{
  const double length = fabs(h);
  // a shorter step that is no better: is it noise?
  if (!first && isfinite(error) && !s->heard && s->code >= 0) {
    gauss16_hear(s, h);
    if (s->heard) return wish;
  }
  s->tried = isfinite(error) ? h : 0;
  if (isfinite(error))
    return length * step_larger(gauss16_safety * pow(error, -gauss16_power), 0.2);
  s->longest = 0.9 * length;
  return length * (s->continues ? 0.5 : 0.25);
}

// A trial of this length; true where the step is made. *wish: what is tried next, where it is not.
static bool attempt(gauss16* s, double t_limit, bool first, double* wish)
{
  step_stepper* base = &s->base;
  const double t = base->t, direction = t_limit < t ? -1 : 1;
  const step_trial trial = step_trial_of(t, t_limit, *wish);
  const double length = trial.length;
  const bool last = trial.last;
  s->out_of_length = trial.spent;
  if (s->out_of_length) return false;
  const double h = direction * length, add = h + s->t_carry;
  const double t_new = last ? t_limit : t + add;
  s->eager = first && !last && s->probe > 0 && !s->fine;
  double error = try_step(s, h, length > base->least_step);
  if (s->longer > 0) {
    *wish = s->longer;
    return false;
  }
  if (step_stepper_takes(base, length, error)) {
    if (finish(s, h, *wish, error, t_new, last ? 0 : add - (t_new - t))) return true;
    error = INFINITY;
  }
  *wish = shorter(s, h, first, *wish, error);
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
  if (gauss16_stand(s)) return step_stepper_refuse(&s->base, s->code, t);
  s->tried = 0;
  if (s->h * direction <= 0) gauss16_first_length(s, direction, left);
  double wish = step_larger(fabs(s->h), base->least_step);
  s->heard = false;
  if (s->noisy || ++s->unheard > steps_unheard) gauss16_hear(s, direction * wish);
  bool first = true;
  for (int k = 0; k < most_attempts; k++) {
    if (attempt(s, t_limit, first, &wish)) return STEP_OK;
    if (s->out_of_length || s->code < 0) break;
    if (s->longer > 0) continue;
    first = false;
    s->wary = s->wary || s->code;
    base->counts.rejected++;
  }
  // no length is left: was it the right-hand side or the error?
  if (s->code != 0) return step_stepper_refuse(&s->base, s->code, t);
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
  gauss16_shorten(s, share, s->kept);
  gauss16_sums sum;
  gauss16_set_sums(s, h, s->y_old, s->carry_old, &sum);
  s->kind->sweep(&sum, s->at);
  gauss16_set_times(s, base->t_old, s->t_owed, h);
  const bool solved = gauss16_iterate(s, &sum, false, false);
  s->theta = theta;
  if (solved)
    s->kind->ends(&sum, n, s->rate, y, s->carried); // what they lose is not needed
  else
    for (int i = 0; i < n; i++) y[i] = NAN;
  // an amended end bends the curve in proportion
  for (int i = 0; i < n && s->amended; i++) y[i] += share * s->shift[i];
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
