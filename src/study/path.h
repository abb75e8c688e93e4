// A branch of motions over a param: walked along, and its special points found. Private to study.
#pragma once

#include "study/curve.h"
#include "study/stability.h"

// A motion on the branch
typedef struct study_place
{
  double *u, *t; // unknowns, and the unit tangent
  double second; // how near another branch comes (study_curve_tangent)
  double l1;     // first Lyapunov coefficient, on curves of Hopf points; else nan
  study_stability* at;
} study_place;

typedef BASE_LIST(study_place*) study_places;

typedef enum study_kind {
  STUDY_FOLD,
  STUDY_BRANCH,
  STUDY_HOPF,
  STUDY_KREIN,
  STUDY_DOUBLING,
  STUDY_TORUS,
  STUDY_GRAZING,
  STUDY_STANDSTILL,
  // on curves of such points in two params
  STUDY_CUSP,
  STUDY_TAKENS,
  STUDY_BAUTIN,
  STUDY_MIXED,
  STUDY_KINDS
} study_kind;

typedef struct study_found
{
  study_kind kind;
  study_place* place;
  double im;          // of the eigenvalue (argument of the multiplier) that crosses
  int before, behind; // how many are unstable on both sides, along the branch
  int idle;           // eigenvalues that are nothing for ever (multipliers that are one)
  int several;        // real ones that go through zero (one) there at once, where they are more
  double normal;      // coefficient of the normal form there; nan: not known, or none was asked for
  const char *form, *criticality;
  bool level;       // on a family at one value of the param
  bool pole;        // no fold, though the param turns: an eigenvalue goes through infinity
  double* measures; // there, of study_curve_measures
} study_found;

typedef BASE_LIST(study_found) study_founds;

// an extremum towards zero of what tells that something happens, along a motion; or the rate with
// which it is met
typedef struct study_touch
{
  int surface;      // which; below zero: any
  bool met;         // it happens, and the value is the rate
  double at, value; // time over the period
} study_touch;

typedef struct study_road
{
  study_curve* curve;
  const struct study_locus_of* locus; // null; or whose curve it is, in two params (locus.c)
  void (*second)(void* context, double value); // sets the second param; null: it is not followed
  double second_value;                         // where the branch lies
  // the motion of these unknowns with its eigenvalues or multipliers; null: none there
  study_stability* (*look)(void* context, const double* u);
  // motions looked at from here on are passed by, and no verdict on them is asked for; null: all
  // are looked at alike
  void (*brief)(void* context, bool on);
  // the equations are those of motions of so many periods from here on; null: they have none
  void (*wind)(void* context, int rounds);
  // why no motion was found next to the last, and whether it grazes something; null: not known
  const char* (*why)(void* context, bool* grazes);
  // How near the motion of these unknowns comes to something that does not happen along it: to
  // anything, which is told in `touch`, or to what stands there. False: to nothing. Null: not known
  bool (*touch)(void* context, const double* u, study_touch* touch);
  // what motions looked at leave behind for the next ones, in a fresh block, and put back (freed):
  // looks aside leave no traces; null: nothing
  void* (*mark)(void* context);
  void (*recall)(void* context, void* mark);
  // coefficient of the normal form: the first of Lyapunov at a Hopf point with the imaginary part,
  // that of a fold where it is zero; of periodic motions those of a doubling (im = pi) and of a
  // torus; nan: not known, 0: degenerate. Null: there are none
  double (*normal)(void* context, const double* u, double im);
  // At a Hopf point the squares of what coordinates swing by in the cycle 2 Re(q exp(i w t)); and a
  // and b of y' = a x^2 + b x y, x' = y, where a zero is double. False: not known. Null: never
  bool (*shape)(void* context, const double* u, double im, double* square);
  bool (*takens)(void* context, const double* u, double form[2]);
  // work done so far, in flights over one period; null: not counted
  double (*work)(void* context);
  void* context;
  const double* outwards; // the first branch begins at this crossing, and is followed away from it
  double most_work;       // where branches end, whatever lies behind; the first goes on
  double from, to;        // of the param
  double other_from, other_to; // of the one before it, on curves in two params
  double longest;              // step
  double resolved;             // roots along the branch, over the step
  int most;                    // points
  int behind;                  // points behind the first doubling; 0: all
} study_road;

study_place* study_place_empty(int wide);
study_place* study_place_new(const study_road* r, const double* u, const double* before);
// the same place on the way back; what is known of the motion is that of p
study_place* study_place_turned(const study_road* r, const study_place* p);
void study_place_free(study_place* p);
void study_found_free(study_found* f);
// the coefficient of the normal form of what was found; nan where it has none, or it is not known
double study_found_normal(const study_road* r, const study_found* f);
// what is known of the cycles born at a Hopf point is told in x, in memory of the arena
// (path_hopf.c)
void study_found_cycles(const study_road* r, const study_found* f, study_special* x,
                        base_arena* arena);
// Next to a crossing the sign of a test is rounding and may change there and back: is it the same
// crossing found again? What lies behind that is what lies behind the last, then, and its place is
// the one of the two that is known better.
bool study_found_again(const study_curve* c, study_found* f, study_founds* found);
// is one of the same kind at the same place in the list?
bool study_found_is_known(const study_curve* c, const study_found* f, const study_founds* list);
// those found going back that are known going ahead are dropped
void study_founds_drop_known(const study_curve* c, const study_founds* known, study_founds* found);
// Along the branch from `start`, on the side of its tangent (or of the other), until something ends
// it; what, in words. Points behind `start` are appended, and what is special between them.
const char* study_path_walk(const study_road* r, study_place* start, bool back,
                            study_places* points, study_founds* found);

// The place where a branch begins, next to u at the same value of the param; null where there is
// none. Where two branches cross the tangent is that of one of them.
study_place* study_path_start(const study_road* r, const double* u);
// What is special between the first places behind a start and ahead of it, and not found on either
// side: a start at a special point, to the last digit, lies on no side of it. Put before the others
// in `found`.
void study_path_join(const study_road* r, const study_place* behind, study_place* ahead,
                     const study_founds* known, study_founds* found);

// The branch ends at a: it is a special point where the motion grazes something. Why, in words
// (path_around.c).
const char* study_path_add_end(const study_road* r, const study_places* points,
                               const study_place* a, study_founds* found);
// the unknowns where the motions of a branch that ends come to graze something, extrapolated from
// the last; false where that is not known (path_touch.c)
bool study_path_touching(const study_road* r, const study_places* points, double* u);
// the same where motions take longer and longer, as they nearly come to rest: the param
bool study_path_standing(const study_road* r, const study_places* points, double* value);

// the place where an unknown, mostly the param, has the value, between two neighbours; null where
// none is found
study_place* study_path_at(const study_road* r, const study_place* a, const study_place* b,
                           int which, double value);

// The motions at some values of the param from the start along the list, as far as its first fold,
// into those of the grid that are null.
void study_path_grid(const study_road* r, const study_place* start, const study_places* list,
                     int count, const double* value, study_stability** grid);

// ---- between two places (path_between.c)
// ---------------------------------------------------------

// the way from a to b along the tangent of a
double study_path_length(const study_road* r, const study_place* a, const study_place* b);
// whether the param goes on or back at p beyond rounding
bool study_path_slopes(const study_road* r, const study_place* p);
// what the road has to remember, and that put back: around looks aside
void* study_path_mark(const study_road* r);
void study_path_recall(const study_road* r, void* mark);
// a stretch of the branch, by the way along the tangent of its first end
typedef struct study_stretch
{
  const study_road* r;
  const study_place *a, *b;
  double length;
  int kind, rank, idle;
  int before, behind, several; // unstable ones on both sides of what is looked for; real ones that
                               // go through zero at once there
  double size;
} study_stretch;
// the cubic through its ends, at s
void study_stretch_cubic(const study_stretch* w, double s, double* u);
// the place at s of it, from that cubic; null where none is found
study_place* study_stretch_place(const study_stretch* w, double s);
// the one where another branch crosses, about s (path_crossing.c)
study_place* study_stretch_crossing(const study_stretch* w, double s);
// the place at s of it, to be passed by; null where none is found
study_place* study_stretch_glance(const study_stretch* w, double s);
// the function that changes its sign where something of the kind is
double study_stretch_test(const study_stretch* w, const study_place* p);
// what is special between two neighbours is appended
void study_path_locate(const study_road* r, const study_place* a, const study_place* b,
                       study_founds* found);
// What is special at the very end of the range of an unknown is appended: a place there lies on no
// side of it, so it is told from one outside.
void study_path_end(const study_road* r, const study_place* inside, const study_place* outside,
                    int which, double end, study_founds* found);
// A test that comes near to zero at b, more than at a before (null: none) and c behind, may have
// gone through it and back: narrow tongues. Along a family at one value of the param no test tells
// what crosses it: the second smallest singular value comes to zero and goes back. What is special
// there is appended (path_around.c).
void study_path_dip(const study_road* r, const study_place* a, const study_place* b,
                    const study_place* c, study_founds* found);

// ---- what tells special points (path_tests.c) ---------------------------------------------------

// what the motion is: "equilibrium", "relative", "orbit"
const char* study_test_kind(const study_stability* r);
int study_test_unstable(const study_stability* r);
// the same next to a crossing, where the real one that goes through may not be told from nothing:
// it is counted by its sign
int study_test_beyond(const study_stability* r, int idle);
// growth of the one with exactly k others above it; nan where there are fewer
double study_test_growth(const study_stability* r, int k, double* im);
// imaginary part at which two eigenvalues are nearest to each other
double study_test_meeting(const study_stability* r);
// is it told from nothing?
bool study_test_is_below(const study_stability* r, int k);
// has the eigenvalue with exactly k others above it one of the same frequency that decays as fast?
bool study_test_has_partner(const study_stability* r, int k);
// Product of all eigenvalues (multipliers less `at`, which is 1 or -1) but the `idle` smallest,
// each over `size`: it changes its sign where one of them goes through zero.
double study_test_product(const study_stability* r, double at, int idle, double size);
double study_test_size(const study_stability* r);
// Product of the sums of two eigenvalues, each over `size` (products of two multipliers less 1),
// but for the `idle` smallest: nothing where a pair is imaginary (on the circle), or two reals
// cancel.
double study_test_pairs(const study_stability* r, int idle, double size);
// square of the frequency of the pair that is nearest to the axis: below zero for two reals
double study_test_square(const study_stability* r, int idle);
// is the pair that is nearest to that (to the circle) a complex one, and not two reals?
bool study_test_turns(const study_stability* r, int idle);
// how many are nothing for ever: zeros of the eigenvalues, ones of the multipliers
int study_test_idle(const study_stability* r);
// whether multipliers other than the `idle` ones are told from one: along a family of motions at
// one value of the param another is one for ever, and the sign of what is left is rounding
bool study_test_told(const study_stability* r, int idle);
