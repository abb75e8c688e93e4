// The stages of a step of Gauss's method: begun from the polynomial of the last step, repeated
// until they stand, and what they say of the error (see method_gauss16.c).
#include "step/gauss16_stepper.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { most_turns = 24, half_of_them = 12 };
// turns of the last step, the first not counted, from which on those of the next are without what
// they do not need, and all slopes are found behind them
enum { worth_brief = 2 };
// turns that do not halve what the best one changed: none of the next will
enum { idle_turns = 3 };
// coefficients of the slopes up to this many times those by rounding say nothing
static const double noise_share = 8;
// Of what was heard before, beside what is heard now: noise is a matter of chance, and of many
// components some always seem to have none. What is kept is below step_most_noise of the slopes
// that are now: after a fast beginning they are smaller.
static const double noise_kept = 0.9;
// times the coefficients that are heard: noise of the slopes at eight stages
static const double noise_of_stages = 100;

static const double goal = 0.03; // what the iteration may leave, in units of the error of a step
// What a turn is taken to leave of an error where none has told yet; by how much that may have
// grown in a step that tells nothing; and how far apart what two turns leave is alike.
static const double usual_gain = 0.1, untold_growth = 2, alike = 4;

// The weights add up to h. *out is filled in place: a copy of it would wait for all of these.
void gauss16_set_sums(gauss16* s, double h, const double* y, const double* carry, gauss16_sums* out)
{
  s->kind->weigh(h, s->table.b, s->weight);
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
  out->lines = s->lines;
}

void gauss16_set_times(gauss16* s, double t, double t_carry, double h)
{
  double at[8];
  for (int l = 0; l < 8; l++) at[l] = t + (t_carry + h * s->table.c[l]);
  s->lanes->times(s->context, at);
}

int gauss16_evaluate(gauss16* s)
{
  s->base.counts.evaluations++;
  return s->code = s->lanes->evaluate(s->context);
}

// all stages at one state
int gauss16_evaluate_at(gauss16* s, double t, double t_carry, const double* y)
{
  for (int i = 0; i < s->base.ode.n; i++)
    if (s->lanes->Y[i]) s->kind->spread(y[i], s->lanes->Y[i]);
  gauss16_set_times(s, t, t_carry, 0);
  return gauss16_evaluate(s);
}

// the slopes at the state itself
int gauss16_stand(gauss16* s)
{
  if (s->known) return 0;
  if (gauss16_evaluate_at(s, s->base.t, s->t_carry, s->base.y)) return s->code;
  for (int k = 0; k < s->steering; k++) {
    const int i = s->move[k].of;
    const double slope = s->lanes->F[i][0];
    if (!isfinite(slope)) return s->code = step_not_finite;
    s->kind->spread(slope, s->slopes + 8 * i);
  }
  s->known = true;
  return 0;
}

// slopes of the stages from those of a longer step with the same start
void gauss16_shorten(gauss16* s, double share, const double* const* slopes)
{
  double columns[64];
  s->kind->basis(0, share, s->table.c, s->table.over, columns);
  s->kind->apply(columns, s->count, s->move, slopes, s->predicted);
}

static void predict_far(gauss16* s, double from, double by, const double* const* slopes)
{
  s->kind->apply(s->table.legendre, s->count, s->move, slopes, s->predicted);
  s->kind->far_off(&s->table, from, by, s->count, s->move, s->predicted);
}

// from those of another step with the same start, which was too long, or a short one before the
// first
static void predict_by_tried(gauss16* s, double share)
{
  if (share <= 1) {
    gauss16_shorten(s, share, s->lanes->F);
    return;
  }
  predict_far(s, 0, share, s->lanes->F);
}

// where no step was made yet: the slope at the start
void gauss16_predict_first(gauss16* s)
{
  for (int k = 0; k < s->count; k++) {
    const int i = 8 * s->move[k].of;
    s->kind->spread(s->slopes[i + 7], s->predicted + i);
  }
}

// at stages behind the last step, in units of it
static void predict_behind(gauss16* s, double ratio)
{
  if (ratio > gauss16_far * (1 + 4 * DBL_EPSILON)) {
    predict_far(s, 1, ratio, s->kept);
    return;
  }
  if (s->columns_for != ratio) {
    s->kind->basis(1, ratio, s->table.c, s->table.over, s->columns);
    s->columns_for = ratio;
  }
  s->kind->apply(s->columns, s->count, s->move, s->kept, s->predicted);
}

// Slopes of the stages from the polynomial of the step before, or of one with the same start that
// was tried; where there is none, the slope at the start.
void gauss16_predict(gauss16* s, double h)
{
  if (s->tried != 0)
    predict_by_tried(s, h / s->tried);
  else if (s->continues)
    predict_behind(s, h / s->h_done);
  else
    gauss16_predict_first(s);
}

// What the coefficients a_6 and a_7 of the slopes are by rounding alone: those of a step of an
// eighth of h, which of a smooth motion would be a millionth. It uses up the lanes.
void gauss16_hear(gauss16* s, double h)
{
  gauss16_sums sum;
  const double part = h / 8;
  gauss16_set_sums(s, part, s->base.y, s->carry, &sum);
  gauss16_predict(s, part);
  s->kind->sweep(&sum, s->at);
  gauss16_set_times(s, s->base.t, s->t_carry, part);
  s->tried = 0;
  s->unheard = 0;
  s->heard = !gauss16_evaluate(s);
  if (!s->heard) return;
  double *all = s->predicted, slope = 0;
  s->kind->apply(s->table.legendre, s->steering, s->move, s->lanes->F, all);
  for (int k = 0; k < s->steering; k++) slope = step_larger(slope, fabs(all[8 * s->move[k].of]));
  for (int k = 0; k < s->steering; k++) {
    const int i = s->move[k].of;
    const double last = fabs(all[8 * i + 6]) + fabs(all[8 * i + 7]);
    const double heard = last <= step_most_noise * slope ? last : 0;
    const double kept = noise_kept * s->noise[i], most = step_most_noise * slope;
    s->noise[i] = step_larger(heard, kept < most ? kept : most);
  }
}

// The error of a step by the slopes at its stages, in its units. Coefficients that are rounding of
// the largest slope, or noise of the stages, say nothing.
double gauss16_error_of(gauss16* s, double h, int count, double noise)
{
  double *all = s->predicted, slope = 0, most = 0, unheeded = 0;
  s->kind->apply(s->table.legendre, count, s->move, s->lanes->F, all);
  for (int k = 0; k < count; k++) slope = step_larger(slope, fabs(all[8 * s->move[k].of]));
  for (int k = 0; k < count; k++) {
    const int i = s->move[k].of;
    const double* a = all + 8 * i;
    const double first = (fabs(a[1]) + fabs(a[2])) + fabs(a[3]);
    const double before = fabs(a[4]) + fabs(a[5]), last = fabs(a[6]) + fabs(a[7]);
    if (last <= 8 * DBL_EPSILON * slope || fabs(h) * last * s->over[i] <= noise) continue;
    // a_8 = last^2 / before
    const double V = first + before + last, a4 = step_larger(before, last), square = last * last;
    // a component may begin as nothing: of a first step its unit is that of the end
    const double grown = s->eager ? 1 + s->rel_tol * fabs(h * a[0]) * s->over[i] : 1;
    const double error = square * square / (a4 * a4 * V * grown) * s->over[i];
    if (s->heard && last <= noise_share * s->noise[i])
      unheeded = step_larger(unheeded, error);
    else if (!(error <= most))
      most = error;
  }
  s->noisy = fabs(h) / 17 * unheeded > gauss16_high;
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

// turns gain nothing any more but on roundings
static bool has_come_to_rounding(const gauss16* s, double change, double before)
{
  return s->turns > 1 && change > before / 2 && change <= 16 * rounding_of_stages(s);
}

// What the noise of slopes may change in a turn, in units of the error. Of a step that is tried:
// what was heard of it; that turns do not gain may as well be a step too long for them. A part of
// one that was made is not too long: as much of the largest slope as noise may be.
static double noise_of_turns(const gauss16* s, double h, bool tried)
{
  double slope = 0, over = 0, heard = 0;
  for (int k = 0; k < s->count; k++) {
    const int i = s->move[k].of;
    over = step_larger(over, s->over[i]);
    for (int l = 0; l < 8; l++) slope = step_larger(slope, fabs(s->lanes->F[i][l]));
  }
  for (int k = 0; k < s->steering; k++)
    heard = step_larger(heard, s->noise[s->move[k].of] * s->over[s->move[k].of]);
  return fabs(h) * (tried ? noise_of_stages * heard : step_most_noise * slope * over);
}

// Slopes that are differences of large terms let the stages go round: turns change them by the
// noise of the slopes times the step, again and again, and a shorter step has no less of it in the
// same time. least: what the best turn changed, idle: turns since it was halved.
static bool goes_round(const gauss16* s, double h, bool tried, double change, double* least,
                       int* idle)
{
  *idle = change > *least / 2 ? *idle + 1 : 0;
  if (change < *least) *least = change;
  return *idle >= idle_turns && change <= noise_of_turns(s, h, tried);
}

// what is gained by slopes at the stages found last
static double once_more(bool brief, double theta)
{
  return brief ? theta : 1;
}

// by the slopes known so far; a turn changed the stages by this much
static bool errs_too_much(gauss16* s, double h, double change, bool brief)
{
  s->too_long = gauss16_error_of(s, h, brief ? s->count : s->steering, 8 * change);
  return s->too_long > 1;
}

void gauss16_begin_brief(gauss16* s, const gauss16_sums* sum)
{
  s->kind->fold(sum->mu, sum->weight, s->folded);
  for (int k = 0; k < s->count + s->sums; k++) {
    s->turn[k].y = sum->y[s->turn[k].i];
    s->turn[k].over = sum->over[s->turn[k].i];
  }
}

double gauss16_find_stages(gauss16* s, const gauss16_sums* sum, bool brief, const double* const* F)
{
  return brief ? s->kind->turn(s->folded, s->count, s->sums, s->turn, F) : s->kind->sweep(sum, F);
}

int gauss16_evaluate_turn(gauss16* s, bool brief)
{
  if (!brief) return gauss16_evaluate(s);
  s->base.counts.evaluations++;
  return s->code = s->lanes->turn(s->context);
}

// What a turn leaves of an error is told by two turns that leave alike shares. One that leaves far
// less than the one before has put right for good what was the most of it, as what forces of time
// alone do, what that moves in turn, and what masses do all alike beside a spring: its share is
// that of two errors that have nothing to do with each other, and of the one that is left no turn
// has told yet. The same with far more.
static bool tells(double theta, double before)
{
  return theta < alike * before && before < alike * theta;
}

// What turns of a step of length h leave, by the steps before. With the length it grows in
// proportion where forces depend on speeds, with its square where they depend on places.
static double known_gain(const gauss16* s, double h)
{
  if (!(s->gained > 0)) return usual_gain;
  const double ratio = fabs(h) / s->gained_for, linear = s->gained * ratio;
  return step_larger(linear, fmin(linear * ratio, usual_gain));
}

// by a step of length h, whose turns have come to an end
static void learn_gain(gauss16* s, double h)
{
  const double known = known_gain(s, h);
  if (s->told > 0)
    s->gained = s->told;
  else if (s->gained > 0)
    s->gained = step_larger(known, fmin(untold_growth * known, usual_gain));
  s->gained_for = fabs(h);
}

// The error of the stages after a turn is about their change in it, that of the end of the step
// what the next turn leaves of this, and one more where slopes are found at these stages (brief).
// The next turns are taken to leave as much as the last two did, at least as those of the steps
// before, and as is usual where neither is known.
static bool leaves_little(gauss16* s, double change, double before, double theta_before,
                          double known, bool brief)
{
  const double theta = s->turns ? change / before : usual_gain;
  const bool told = tells(theta, theta_before);
  const double most = told ? theta : step_larger(theta, theta_before),
               left = step_larger(most, known);
  if (told && !has_come_to_rounding(s, change, before)) s->told = most;
  return left * change * once_more(brief, left) <= goal && theta < 0.9;
}

// Repeat until what is left is below the goal; false where it does not come to an end.
//
// The error of the step shows long before that (look): where it is too large, the rest is spared.
static bool turn_about(gauss16* s, const gauss16_sums* sum, bool look, bool brief)
{
  const double enough = look ? s->enough : -1, known = known_gain(s, sum->h);
  double before = INFINITY, least = INFINITY, theta_before = 0;
  int growing = 0, idle = 0;
  s->told = 0;
  for (s->turns = 0; s->turns < most_turns; s->turns++) {
    if (gauss16_evaluate_turn(s, brief)) return false;
    const double change = gauss16_find_stages(s, sum, brief, s->lanes->F);
    if (!(change < INFINITY)) return false;
    s->change = change;
    // the stages are what their slopes give, whatever the turns before gained
    s->settled = change == 0;
    if (s->settled) return true;
    const double theta = change / before; // 0 in the first turn
    if (s->turns) s->theta = theta;
    if (leaves_little(s, change, before, theta_before, known, brief)) return true;
    if (change <= enough && before > enough && errs_too_much(s, sum->h, change, brief))
      return false;
    if (has_come_to_rounding(s, change, before)) return true;
    if (goes_round(s, sum->h, look, change, &least, &idle)) return true;
    if (change > before && change > 1 && ++growing > 3) return false;
    // as many turns again would not do
    if (s->turns == half_of_them && change * pow(theta, half_of_them) > goal + s->rounding)
      return false;
    before = change;
    theta_before = theta;
  }
  return false;
}

// Where few turns do, as in a part of a step that was made, one more would be no gain.
static bool is_brief(const gauss16* s, bool look)
{
  return s->lanes->turn && !s->fine && look && (s->took >= worth_brief || s->probe > 0);
}

bool gauss16_iterate(gauss16* s, const gauss16_sums* sum, bool look, bool brief)
{
  if (!turn_about(s, sum, look, brief)) return false;
  if (look) learn_gain(s, sum->h);
  if (!brief) return true;
  if (s->eager && gauss16_begins_longer(s, sum->h, s->count)) return false;
  // what was left out: the sums of these stages, then all slopes there
  s->kind->sweep(sum, s->lanes->F);
  return !gauss16_evaluate(s);
}

// What mu lost to rounding, of which slopes near those of the step tell enough. Without it the
// method is symplectic and symmetric, but with a Hamiltonian that changes with h.
static void find_rest(gauss16* s, gauss16_sums* sum)
{
  if (s->rest_for != sum->h) {
    for (int j = 0; j < 64; j++) s->lost[j] = s->weight[j / 8] * s->table.mu_rest[j];
    s->rest_for = sum->h;
  }
  s->kind->owe(sum, s->lost, s->at, s->rest);
  sum->rest = s->rest;
}

// the stages of a step of length h and their slopes; look: it may be too long
bool gauss16_solve(gauss16* s, double h, bool look, gauss16_sums* sum)
{
  gauss16_set_sums(s, h, s->base.y, s->carry, sum);
  const bool brief = is_brief(s, look);
  if (brief) gauss16_begin_brief(s, sum);
  gauss16_predict(s, h);
  gauss16_find_stages(s, sum, brief, s->at);
  if (s->fine) find_rest(s, sum);
  gauss16_set_times(s, s->base.t, s->t_carry, h);
  s->too_long = s->longer = 0;
  const bool solved = gauss16_iterate(s, sum, look, brief) &&
                      !(s->eager && gauss16_begins_longer(s, h, s->steering));
  if (solved) s->took = s->turns;
  return solved;
}
