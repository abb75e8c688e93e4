// What branches are made of: steady motions, or periodic ones. Private to study.
#pragma once

#include "study/mesh.h"
#include "study/path.h"

// Steady motions over a param: unknowns (q, xi, p), equations those of a motion that the group of
// all symmetries carries along, and what picks one of each family (branch_steady.c)
typedef struct study_ways
{
  study_linear* l;
  base_arena* arena;
  study_symmetry s, shifts; // of the equations; of ignorable coordinates alone
  study_carried c;
  const bool* ignorable;
  int second; // the second param, where there is one
  int pins;   // linear conditions: rows of `wide`, and their values
  double *pin, *pinned;
  study_family family;
  bool brief; // motions are looked at in passing: no verdict is asked for
  // Values and derivatives found last, and whether the engine and its linear system still stand
  // there: the same place is asked for its tangent, its motion and its measures.
  bool seen, stands;
  double *seen_u, *seen_F, *seen_J;
} study_ways;

// The engine of l stands at a steady motion for the value of the param; `u` becomes its unknowns.
// count, initial: equations that pick one of the family where they hold. aside: how far from the
// value motions are looked at to tell a family from a crossing.
study_ways* study_ways_new(study_linear* l, const bool* ignorable, int count,
                           const model_initial* initial, double value, double aside,
                           base_arena* arena, double* u);
void study_ways_free(study_ways* w);
int study_ways_rows(const study_ways* w);
int study_ways_at(void* context, const double* u, double* F, double* J); // num_equations
study_stability* study_ways_look(void* context, const double* u);
void study_ways_second(void* context, double value); // sets the second param
void study_ways_brief(void* context, bool on);
void study_ways_plain(void* context, bool on);
void* study_ways_mark(void* context);
void study_ways_recall(void* context, void* mark);
double study_ways_normal(void* context, const double* u, double im);
bool study_ways_shape(void* context, const double* u, double im, double* square);
bool study_ways_takens(void* context, const double* u, double form[2]);

// Motions that the walker makes, with all that happens along them: events, stages, impacts, stick
// and slip, jumps of forces (hybrid.c)
typedef struct study_hybrid study_hybrid;

// Periodic motions over a param: unknowns (x, T, p) with the state x at the start (branch_orbit.c)
typedef struct study_rounds
{
  study_linear* l;
  base_arena* arena;
  const bool* ignorable;
  int second;            // the second param, where there is one
  bool timed;            // the equations have a period of their own
  bool* angle;           // coordinates that may grow by whole turns
  double t;              // the start
  int constraints;       // conditions on the start
  int rounds;            // periods of the equations, or of the first branch, in one of the motion
  expr rate, rate_slope; // of the time in the equations, and by the param
  double turn;           // period times that rate
  double fast;           // speed there, along it
  double still;          // shares of it that are rest
  bool shrunk;           // it came to rest with the motion looked at last
  bool parted;           // neighbours of the motion looked at last part too far to be followed
  double *start, *phase; // unknowns that the branch began with; the direction of motion there
  int pins, *pin;        // unknowns that stay as they were
  study_over over;       // what the last unknown is
  study_kept energy;     // and its derivatives, where it is that
  bool keeps;            // the flow keeps it
  // who flies (branch_flight.c): polynomials on a mesh, steps, and runs where the motion is no
  // smooth one (else null)
  study_mesh* mesh;
  double tolerance; // how exact motions on it are, relative
  step_ode ode;
  step_stepper* stepper;
  study_hybrid* hybrid;
  bool (*run)(study_hybrid* h, const double* u, double* y, double* end);
  const struct study_flier* flier; // who flew last
  double work;                     // flights over one period so far
  bool flown;                      // the numbers below are those of u
  double *u, *y, *end; // y: the end, its derivatives by state and param; the speed there
} study_rounds;

// From the periodic motion of r for the value of the param; `u` becomes its unknowns.
study_rounds* study_rounds_new(study_linear* l, const bool* ignorable, bool timed,
                               const study_stability* r, double value, study_hybrid* hybrid,
                               base_arena* arena, double* u);
// The last unknown is no param but what tells members of a family apart; its value into u. False
// where there is no such thing.
bool study_rounds_over(study_rounds* o, study_over over, double* u);
// pins what tells members of a family apart at u, where the motion is periodic
void study_rounds_pick(study_rounds* o, const double* u);
void study_rounds_free(study_rounds* o);
// motions of so many periods from here on
void study_rounds_wind(void* context, int rounds);
// The flight from u: its end and derivatives into y, the speed there into `end`; false: there is
// none (branch_flight.c)
bool study_rounds_fly(study_rounds* o, const double* u);
// the same, with nothing left to close on the way
bool study_rounds_whole(study_rounds* o, const double* u);
// the flight from u by steps, whatever comes back: as above, and not kept
bool study_rounds_steps(study_rounds* o, const double* u);
// coefficient of the normal form where the period doubles (im = pi) or a torus is born (im: the
// angle), nan: not known (branch_normal.c)
double study_rounds_normal(void* context, const double* u, double im);
// was the last flight one on the mesh?
bool study_rounds_on_mesh(const study_rounds* o);
// the param of u into the engine
bool study_rounds_put(const study_rounds* o, const double* u);
int study_rounds_rows(const study_rounds* o);
study_curve study_rounds_curve(study_rounds* o);
int study_rounds_at(void* context, const double* u, double* F, double* J); // num_equations
study_stability* study_rounds_look(void* context, const double* u);
double study_rounds_work(void* context);
void study_rounds_second(void* context, double value); // sets the second param
// why nothing was found last; null: not known
// (hybrid_touch.c)
bool study_rounds_touch(void* context, const double* u, study_touch* touch);
const char* study_rounds_why(void* context, bool* grazes);

// Does the model have what switches, so that a motion is no smooth one?
bool study_hybrid_is(const engine* e);
// does time appear in the equations, or in what things happen by?
bool study_hybrid_timed(const engine* e);
// The periodic motion next to the initial state, with the values of the params: its unknowns into
// u. Null with errors noted.
study_hybrid* study_hybrid_find(mech_system* s, const double* number, int param,
                                const study_stability_options* o, base_arena* arena,
                                study_rounds** rounds, double* u, base_notes* notes);
void study_hybrid_free(study_hybrid* h);
// The flight from u: the end and its derivatives, as of a smooth one. False with the reason kept.
bool study_hybrid_fly(study_hybrid* h, const double* u, double* y, double* end);
// flights are made with this value of a param from here on
void study_hybrid_give(study_hybrid* h, int param, double value);
// what is known of the flight made last
void study_hybrid_keep(study_hybrid* h, const double* u, study_stability* r);
const char* study_hybrid_reason(const study_hybrid* h);
// multipliers of the periodic motion next to the initial state; null with errors noted
study_stability* study_hybrid_orbit(mech_system* s, const study_stability_options* o,
                                    base_notes* notes);

study_road study_road_of(const study_branches_options* o, study_curve* curve,
                         study_stability* (*look)(void*, const double*), void (*wind)(void*, int),
                         void* context);
// special points of the road are followed over the second param of the options, where there is one
void study_road_take_second(study_road* r, const study_branches_options* o, const model* m,
                            void (*second)(void*, double));
// that along steady motions
study_road study_ways_road(const study_branches_options* o, const model* m, study_ways* w,
                           study_curve* curve);
enum { STUDY_MOST_BRANCHES = 40 };
// the paths of `more` behind those of b; the first leaves path `from` at the value
void study_branches_append(study_branches* b, study_branches* more, int from, double value);
// branches of steady motions from where several eigenvalues go through zero at once, behind the
// others (branch_fan.c)
void study_branches_fan(study_branches* b, study_linear* l, const study_branches_options* o,
                        const bool* ignorable);
// branches of periodic motions from the Hopf points found, behind the others
void study_branches_hopf(study_branches* b, study_linear* l, const study_branches_options* o);
// All branches from the motion of these unknowns on; null with errors noted.
study_branches* study_branches_run(study_road road, const double* u,
                                   const study_branches_options* o, base_notes* notes);
