// Gauss's method as a stepper: its memory, its stages, lengths of steps. Private to step.
#pragma once

#include "step/gauss16.h"
#include "step/stepper.h"

enum { gauss16_line = 64 };

typedef struct gauss16
{
  step_stepper base;
  _Alignas(gauss16_line) gauss16_table table;
  const gauss16_kind* kind;
  const step_abreast* lanes;
  void* context;    // of their functions
  gauss16_rhs* own; // lanes where the ode has none, else null
  int version;      // of the lanes
  // components that are moved; behind them those that are summed only, but steer
  int count, steering;
  gauss16_move* move;
  // the first of them in turns that leave out what others do not need, and sums that they need
  gauss16_turned* turn;
  int sums;
  bool fine;             // the step is to be as exact as the numbers are
  double share, rel_tol; // of the tolerance that a step may err; the tolerance of a step
  double enough;         // what a turn may change when the error of the step is looked at
  double rounding;       // of the state, in units of the error
  double h, h_done;      // the next step (0: not known) and the last one, with signs
  double longest;        // beyond it the iteration did not end
  double error;          // of the last step
  double first_share;    // of the usual first step, for this tolerance
  double probe, gain; // a length tried before the first step (0: not any more), and its turns' gain
  double longer;      // what is tried instead of a first step that is far too short, else 0
  bool eager;         // the step being tried may be begun again longer
  double theta;       // of the last iteration: how much a turn gains
  double told;        // of it: how much turns leave of an error, 0: they did not tell
  double gained;      // the same of the last step of which it is known (0: none) ...
  double gained_for;  // for this length
  double change;      // by its last turn
  int turns;          // of it
  int took;           // turns of the last step that came to an end
  bool settled;       // its last turn changed nothing
  double too_long;    // its error, where it was given up since that is above one unit
  double tried; // a step from here whose slopes are in the lanes: too long, or a probe; else 0
  bool known, continues; // slopes are kept: of the state alone, or of the last step
  bool stepped, amended;
  bool heard, noisy;       // the noise was found at this state; it counted
  int unheard;             // steps since then
  bool out_of_length;      // no shorter step is left to be tried
  bool wary;               // a state was refused since the start
  int code;                // why the last evaluation was refused, 0 if it was not
  double t_carry, t_owed;  // t + t_carry is the time; the same at the start of the last step
  double *carry, *carried; // y + carry is the state; the same for the step being tried
  double *y_old, *carry_old, *y_new, *shift, *over, *rise, *more;
  double* noise;              // of the slopes, where it was heard
  double *slopes, *predicted; // eight for each component: of the last step, of a step to come
  const double **kept, **at;  // where they are
  const double** rate;        // by component: where its rate at the stages is, null: it has none
  base_wide* wide;            // a state with twice the digits
  double *rest, *miss;        // eight for each: see gauss16_sums and gauss16_miss
  double rest_for;            // the step for which there are columns of what mu lost
  double columns_for;         // the ratio of steps for which there are columns
  double *lines, *room;       // see gauss16_sums; where they are placed
  void* block;                // that all this lies in
  // vectors of eight lie within one line of the cache
  _Alignas(gauss16_line) double weight[8]; // h b
  double columns[64];                      // that continue the polynomial
  double folded[64];                       // mu h b
  double lost[64];                         // h b times what mu lost
} gauss16;

// errors of a step, between these its length is kept: a new one costs new columns
static const double gauss16_low = 0.01, gauss16_high = 0.2;
// An error of the last step below this is none.
static const double gauss16_nothing = 1e-14;
// times the last step, beyond which its polynomial does not tell how it goes on
static const double gauss16_far = 3;
static const double gauss16_safety = 0.8, gauss16_power = 1.0 / 17;

static inline bool gauss16_steers(const gauss16* s, int i)
{
  const step_ode* o = &s->base.ode;
  return !(o->quiet && o->quiet[i]);
}

// ---- the stages: gauss16_stages.c ---------------------------------------------------------------

// The weights add up to h. *out is filled in place: a copy of it would wait for all of these.
void gauss16_set_sums(gauss16* s, double h, const double* y, const double* carry,
                      gauss16_sums* out);
void gauss16_set_times(gauss16* s, double t, double t_carry, double h);
int gauss16_evaluate(gauss16* s);
// brief: only what turns need
int gauss16_evaluate_turn(gauss16* s, bool brief);
// Stages by slopes F; returns their largest change over its unit. Brief: only those that turns
// need, behind gauss16_begin_brief.
double gauss16_find_stages(gauss16* s, const gauss16_sums* sum, bool brief, const double* const* F);
void gauss16_begin_brief(gauss16* s, const gauss16_sums* sum);
// all stages at one state
int gauss16_evaluate_at(gauss16* s, double t, double t_carry, const double* y);
// the slopes at the state itself
int gauss16_stand(gauss16* s);
// slopes of the stages from those of a longer step with the same start
void gauss16_shorten(gauss16* s, double share, const double* const* slopes);
// Slopes of the stages from the polynomial of the step before, or of one with the same start that
// was tried; where there is none, the slope at the start.
void gauss16_predict(gauss16* s, double h);
void gauss16_predict_first(gauss16* s);
// what the last coefficients of the slopes are by rounding alone; uses up the lanes
void gauss16_hear(gauss16* s, double h);
// The error of a step by the slopes at its stages, in its units. Coefficients that are rounding of
// the largest slope, or noise of the stages, say nothing.
// Of the first `count` that move.
double gauss16_error_of(gauss16* s, double h, int count, double noise);
// Repeat until the stages stand, and all slopes there; false where it does not come to an end.
// look: the step may be too long, and is given up where that shows. brief: turns leave out what
// they do not need.
bool gauss16_iterate(gauss16* s, const gauss16_sums* sum, bool look, bool brief);
// the stages of a step of length h and their slopes; look: it may be too long
bool gauss16_solve(gauss16* s, double h, bool look, gauss16_sums* sum);

// ---- beyond the rounding of the stages: gauss16_refine.c ----------------------------------------

// The rise, and what more it were without the rounding of the stages.
//
// Rounded stages have more than one rest, and the iteration ends in the one on the side it comes
// from, which is always the same: the energy would fall in proportion to time. So what the stages
// miss, d, is found, and the slopes f(Y + d) are those half way between f(Y + D) and f(Y - D), and
// (f(Y + D) - f(Y - D)) / 2 K more, D = K d. What that leaves out is of order D^2, 1e-24.
bool gauss16_refine(gauss16* s, const gauss16_sums* sum);

// ---- lengths of steps: gauss16_length.c ---------------------------------------------------------

// A first step: two turns of the iteration over a short one tell how much a turn gains, which grows
// with the square of the length where forces depend on places.
void gauss16_first_length(gauss16* s, double direction, double left);
// how much longer it is for this tolerance
double gauss16_first_share(double rel_tol);
// Is the first step, of length h, whose turns have come to an end, far shorter than it may be? Then
// a longer one is tried from its slopes, and what a step takes beside its turns is spared. count:
// of the components that steer, those whose slopes are known.
bool gauss16_begins_longer(gauss16* s, double h, int count);
// the length of the next step by the error of this one, which is taken to grow on as it did
double gauss16_next_length(gauss16* s, double h, double error);
