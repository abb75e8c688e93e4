// A curve of solutions of F(u) = 0, one unknown more than equations that count. Private to study.
#pragma once

#include "num/num.h"

typedef struct study_curve
{
  int wide, rows;   // unknowns, the param last; equations, of which some may follow from others
  num_equations* f; // F, and J row by row
  bool rough;       // some derivatives are differences: Newton's steps do not square
  bool newborn;     // unknowns begin as the root of the param: their slopes there say little
  double squared;   // steps, over the unknowns, whose square is nothing
  // the next values are wanted as they are, not on the way to a solution; null: they always are
  void (*settle)(void* context);
  // derivatives are wanted with their rounding, or with what is no more than that made nothing (as
  // at first); null: they are all alike
  void (*plain)(void* context, bool on);
  void* context;
  double* weight;    // what each unknown is measured by
  double* size;      // of each equation: its largest derivative, so measured, around here
  double *F, *J, *y; // work space
  double *W, *sigma;
  double* seen; // where J was found at a solution, and the weights then
  bool is_seen; // it still is what was found there
  num_null* null;
} study_curve;

study_curve study_curve_new(int wide, int rows, num_equations* f, void* context);
void study_curve_free(study_curve* c);
// a . b in the measure of the weights
double study_curve_dot(const study_curve* c, const double* a, const double* b);
// the way from `from` to `to` along a, so measured
double study_curve_along(const study_curve* c, const double* a, const double* from,
                         const double* to);
// The solution with t . (u - from) = along, by Newton's method from u; returns how many turns, 0
// where it does not converge.
int study_curve_correct(study_curve* c, const double* t, const double* from, double along,
                        double* u);
// The step y that solves J y = F, `rows` of the equations and one for the plane behind them, less
// its parts that are the rounding of F (curve_told.c).
void study_curve_told_step(study_curve* c, const double* u);
// Equations are measured by their derivatives at u from here on: where branches cross, they may
// vanish.
void study_curve_measure(study_curve* c, const double* u);
// what unknowns and equations are measured by, in a fresh block; and put back
double* study_curve_measures(const study_curve* c);
void study_curve_restore(study_curve* c, const double* measures);
// Unit tangent at the solution u, on the side of `before` (null: where the param grows), into t.
// Returns how near another curve comes: the second smallest singular value over the largest.
double study_curve_tangent(study_curve* c, const double* u, const double* before, double* t);
// a unit vector across t along which another curve leaves: the one of the second smallest
void study_curve_across(study_curve* c, const double* u, const double* t, double* out);
// The place where two curves cross next to u, which is put there, from a solution beside it; false
// where none is found (crossing.c)
bool study_curve_cross(study_curve* c, const double* beside, double* u);
// The unknowns are measured from here on as they are at u, the param by its range.
void study_curve_weigh(study_curve* c, const double* u, double range);
