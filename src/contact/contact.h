// contact: elements that switch and a state -> which of them hold, and impulses.
// Takes an engine at a state; gives its active rows, sides and modes, accelerations and reactions
// with them, velocities after impacts.
// Knows one instant; when things happen is told by walk.
#pragma once

#include "base/base.h"
#include "cone/cone.h"
#include "contact/grips.h"
#include "contact/inequalities.h"
#include "engine/engine.h"
#include "num/num.h"

// ---- an engine with its elements ----------------------------------------------------------------

engine* contact_engine_new(const mech_system* s, base_notes* notes);
// one of this program; `number` as in engine_new
engine* contact_engine_of(const engine_program* p, const double* number, base_notes* notes);
// the same for runs by time-stepping, whose steps decide what switches; not divided into parts.
// large: without full matrices where the system has many coordinates
engine* contact_engine_leaps_of(const engine_program* p, const double* number, base_notes* notes);
// the same for runs by flights, whose steps find who meets whom
engine* contact_engine_flights_of(const engine_program* p, const double* number, base_notes* notes);
engine* contact_engine_new_leaps(const mech_system* s, bool large, base_notes* notes);
// the same, without full matrices where the system has many coordinates (e->sparse)
engine* contact_engine_new_large(const mech_system* s, base_notes* notes);

// ---- accelerations and sides --------------------------------------------------------------------

// A way to find accelerations, the features of modes that it takes and those it cannot do without
// (ways.c). The first that takes all is used.
typedef struct contact_way
{
  const char* name;
  engine_features takes, needs;
  int (*accelerations)(engine* e); // into e->a; 0, or 1 with e->reason
} contact_way;
enum { CONTACT_WAYS = 8 };
extern const contact_way contact_ways[CONTACT_WAYS];
// what the mode asks of them
engine_features contact_ways_features(const engine* e);
// accelerations for the sides as they are, whatever is held there or decided with them
int contact_ways_plain(engine* e);

// Accelerations at the state in the input block, into e->a, with all that is held and pressed
// there. 0, or 1 with e->reason set.
int contact_accelerations(engine* e);
// the same, and the reactions, where it is enough to know them in the part of constraint k
int contact_accelerations_beside(engine* e, int k);
// reactions of least norm at the accelerations just computed, into e->lambda; returns what is left
double contact_reactions(engine* e);

// Take the side of every corner from the state in the input block; where a switching function is
// zero, the side to which the motion goes, or the hold where it is driven back from both. 0, or 1
// with e->reason.
int contact_sides(engine* e);
void contact_clear_sides(engine* e); // only of corners that the state stands beside
// the same, where there are inequalities, before it is decided for the first time what holds
int contact_first_sides(engine* e);
// as it was: held at corner i or not, and its side
void contact_put_corner(engine* e, int i, bool held, double side);
// Do constraints, contacts and other jumps that hold leave the motion no way off corner i? With its
// jump held as well, what each of them bears would be open.
bool contact_corner_is_bound(engine* e, int i);
// a side between its two, which is not asked for
void contact_fix_corner(engine* e, int i, double side);
// the motion meets corner i coming up (direction 1) or down (-1): it passes, or is held there
int contact_meet_corner(engine* e, int i, int direction);
// and with all that were met, and those at which it was held, together
int contact_settle_corners(engine* e);
// Jumps whose passages have accumulated: what is left of their motion is taken away, and they hold
// as far as they can. `rest`: for each corner how; contact_corner_size for what it is measured by.
// 0, or 1 with e->reason.
typedef enum contact_rest {
  CONTACT_PASSED, // it has no part in it
  CONTACT_SLOWED, // s comes to zero
  CONTACT_TURNED  // and s' with it
} contact_rest;
int contact_rest_corners(engine* e, const contact_rest* rest);
double contact_corner_size(engine* e, int i);

// ---- inequalities -------------------------------------------------------------------------------

contact_inequalities* contact_inequality_new(engine* e);
// false with an error noted: what is not taken together
bool contact_inequality_can(const engine* e, base_notes* notes);
void contact_inequality_free(contact_inequalities* u);
// contacts and impacts with friction are solved by Siconos first
void contact_inequality_use_siconos(engine* e);
// number of a constraint among the unilateral ones, -1
int contact_inequality_find(const contact_inequalities* u, int k);

// At the start: the inequalities violated by the state become equations for the search of a
// consistent one. How many were added.
int contact_inequality_hold_violated(engine* e);
// one that the state violates where it has no gradient, as inside of a box; null
const model_constraint* contact_inequality_without_way(engine* e);

// Which constraints hold at the state in the input block, after the impacts it needs (`impacts`
// false: none are made, and a state that needs one is refused). Sets e->active and the rows.
// `closing`: constraints known to stand at their limit (located events), null or one flag each.
// `touched`: parts of the system that something happens to, null for all of them; the others keep
// what holds, unless one of theirs closes. 0, or 1 with e->reason.
int contact_inequality_decide(engine* e, bool impacts, const bool* closing, const bool* touched);
// the constraints that can be stressed at the state in the input block, into `candidate`. 0, or 1
// with e->reason.
int contact_inequality_candidates(engine* e);
// what the last decision changed for constraint i
contact_change contact_inequality_change(const engine* e, int i);
// what two decisions at one instant come to: one that takes hold and lets go is where it was
contact_change contact_change_both(contact_change first, contact_change then);
// does the motion stand at corner i, held by its jump or by others?
bool contact_corner_stands(const engine* e, int i);

// Where active constraints depend on one another their reactions are not unique: those of least
// norm that obey the inequalities, into e->lambda.
void contact_inequality_reactions(engine* e);
// The first active constraint that would loosen at the state in the input block, -1: none; alpha:
// its loosening acceleration. For redundant ones, whose reactions say nothing each by itself.
// which: not -1: this one, however little it loosens.
int contact_inequality_loose(engine* e, int which, double* alpha);

// let the sizes against which things are nothing grow with the motion: at the end of a step, with
// the accelerations of the engine
void contact_inequality_see(engine* e);
// gap velocity of constraint i as a distance per time; the levels are evaluated
double contact_inequality_rate(const engine* e, int i);
// and the gap itself, as a distance
double contact_inequality_gap(const engine* e, int i);

// The value that stays positive while the present mode goes on: the gap (or its velocity, or
// acceleration, by the order) of an open constraint, the reaction of an active one. The state in
// the input block has accelerations where `contact_inequality_needs` says so.
double contact_inequality_watch(const engine* e, int i);
bool contact_inequality_needs(const engine* e, int i);
// the same value with all that it needs; nan where that fails
double contact_inequality_value(engine* e, int i);
// of all of them at once: what one needs serves the others
void contact_inequality_values(engine* e, double* value);

// Those that stand open and still at their limit: what else holds keeps them there (still.c).
// States are put back on them, and their gaps say nothing. Found at the state in the input block,
// with what holds there; looked at again, at a state of the motion that goes on; until something
// happens.
void contact_still_find(engine* e);
void contact_still_look(engine* e);
void contact_still_forget(engine* e);
bool contact_is_still(const engine* e, int i);

// ---- flat shapes with corners -------------------------------------------------------------------

// do other corners and sides face each other at the state in the input block than are present?
bool contact_facing_changes(engine* e);
// those that do are present from here on, and no others; *any: that changes some, noted in
// `changed` by inequality; both may be null. 0, or 1 with e->reason: there are too many
int contact_facing_choose(engine* e, bool* changed, bool* any);
// the time in which shapes move by a part of their size at most, as fast as they are now
double contact_facing_while(engine* e);
// how far the nearest pair of shapes in space is apart, where asked for, into what is told
void contact_footing_tell(engine* e);
// how many that are open are beyond their limit and go on, or come to it just now
int contact_inequality_runs_into(engine* e);
// does the present mode not go on where forces have jumped, at the accelerations in the input
// block: a reaction pulls, friction does not hold, or an acceleration is beyond its limit?
bool contact_inequality_is_overrun(engine* e);
// the same for each part, into `touched`, at least one flag; any of them?
bool contact_overrun(engine* e, bool* touched);
// What a change of the state, of params or of what is released touches: kept before it; after it
// one flag for each part, to be freed; null where there are none.
typedef struct contact_before
{
  double* in;
  bool *active, *present;
} contact_before;
contact_before contact_before_keep(const engine* e);
bool* contact_touched_since(const engine* e, const contact_before* b);
void contact_before_free(contact_before* b);

// the engine that decides about inequality *i, and its number there; what it has seen of the motion
// is the scale of that inequality
engine* contact_inequality_place(const engine* e, int* i);
// inequality i has passed a corner: the next decision looks at its rate
void contact_inequality_bend(engine* e, int i);
int contact_closed(const engine* e); // how many press
// the first active contact that loosens, or slips, where contacts are redundant; see
// contact_inequality_loose
int contact_loose(engine* e, int which, double* alpha);

// ---- contacts between shapes that are looked for: shapes.c --------------------------------------

// Of the model of an engine, with whom they are freed; null where there are none to look for, or
// with errors noted.
typedef struct contact_shapes contact_shapes;
contact_shapes* contact_shapes_new(engine* e, base_notes* notes);
const cone_toucher* contact_shapes_toucher(contact_shapes* s);
// false with an error noted where shapes lie in each other: no motion begins so
bool contact_shapes_begin(const cone_toucher* by, double t, const double* q, const double* v,
                          base_notes* notes);
// the meeting of the model that a point belongs to
int contact_shapes_meeting(const cone_toucher* by, const cone_touch* touch);
// A result of a meeting at the state looked at last: by the points of a list, three impulses to
// each, in a step h, and the velocities v after it.
double contact_shapes_result(const cone_toucher* by, int meeting, model_result which,
                             const cone_touches* list, const double* impulse, double h,
                             const double* v);

// ---- systems of parts: parts.c ------------------------------------------------------------------

// the part of inequality *i with the instant lent to it; *i becomes the number there
engine* contact_parts_enter(engine* e, int* i);
// is one of these inequalities in part p? flags of inequalities as those of part p, in `own`
bool contact_parts_touch(const engine* e, int p, const bool* closing);
const bool* contact_parts_flags(const engine* e, int p, const bool* flag, bool* own);
// are inequalities i and j decided together?
bool contact_are_together(const engine* e, int i, int j);
// sums over the parts with inequalities; what they change is taken back from the first kind
int contact_parts_count(engine* e, int (*what)(engine*));
double contact_parts_sum(engine* e, double (*what)(engine*));

// ---- shared by the files that decide ------------------------------------------------------------

const model_constraint* contact_inequality_constraint(const engine* e, int i);
// as it is told: of a contact of surfaces the name of the contact
const char* contact_inequality_name(const engine* e, int i);
double contact_inequality_norm(const engine* e, const double* A, int k); // of row k
// what gap and rate of inequality i, as distances, are measured by at the state in the input block
double contact_inequality_length(engine* e, int i);
double contact_inequality_speed(engine* e, int i);
// let the scales see the forces evaluated last and the accelerations w
void contact_inequality_see_forces(engine* e);
// a reaction, and a loosening acceleration A a - c, below which there is none; eom evaluated
double contact_inequality_least_force(const engine* e, int i);
double contact_inequality_least_acceleration(const engine* e, int i);
// how far ahead is looked where the state itself does not decide between the candidates
double contact_inequality_moment(const engine* e);
// Bilateral rows N_B x + d_B = 0 of accelerations or velocities into NB and dB, how many; the row
// of inequality i into N and d. `guides`: those that hold both ways and rub are among them.
bool contact_inequality_binds(const engine* e, int k, bool velocities,
                              bool guides); // has it a row?
int contact_inequality_bilateral(engine* e, bool velocities, bool guides);
void contact_inequality_row(engine* e, int i, bool velocities, int row);

// active_set.c
int contact_active_set_closed(engine* e, const bool* closing);
void contact_active_set_candidates(engine* e, const bool* closing);
int contact_active_set_choose(engine* e, void (*hold_on)(engine*)); // jumps, a moment later; null
int contact_active_set_free(engine* e); // accelerations without any of them, into w

// impact.c: what closes is hit, until nothing does; refused where impacts are not made
int contact_impact_settle(engine* e, bool impacts);

// fast_change.c: impulses of the reactions in a fast change; release what it would pull (any?); the
// first inequality that the state in the input block is beyond, or null; let go of those it has
// opened
void contact_fast_change_start(engine* e);
int contact_fast_change_note(engine* e, double dt);
bool contact_fast_change_release(engine* e);
const char* contact_fast_change_beyond(engine* e);
void contact_fast_change_open(engine* e);
// engine_kick with the impulse g, letting go of contacts that it would pull
int contact_fast_change_kick(engine* e, const double* g);

// load_sharing.c: do the laws leave open how contacts that slip share their load, and the motion
// with it? Forces, loosening accelerations and slips of the candidates as their problem was solved
bool contact_load_is_open(const engine* e, const double* lambda, const double* alpha,
                          const double* slip, int bilateral);
bool contact_loads_pass(const engine* e); // from a contact to others, and back?

// enumeration.c: every set of candidates is tried as the active one
int contact_enumeration_choose(engine* e);

// ---- friction: slip.c ---------------------------------------------------------------------------

// slip_rows.c: how many directions of slip contact i has; with the slip kernel evaluated its speed,
// what that is measured by, and below what it has not begun
int contact_slip_count(const engine* e, int i);
double contact_slip_size(const engine* e, int i);
double contact_slip_scale(const engine* e, int i);
double contact_slip_begun(const engine* e, int i);
double contact_slip_acceleration(const engine* e, int i); // the scale of those across it
bool contact_slip_moves(cone_contact_mode m);             // to either side
// the problem of the contacts in `row` at the state in the input block, 0, or 1 with e->reason;
// solved, all: with every answer of it
int contact_slip_problem(engine* e, int count, const int* row, bool decided,
                         cone_contact_problem* p);
cone_contact_result contact_slip_solve(engine* e, int count, const int* row, bool all,
                                       bool decided);
// accelerations of the contacts in the modes that were decided, or along the tree of masses; no
// solution where one has no way yet
cone_contact_result contact_slip_go_on(engine* e, int count, const int* row, bool* along);
// says that there is none; 1
int contact_slip_no_answer(engine* e, const cone_contact_result* x);
// modes of the candidates in a solution; and of those that it leaves open, by what
// the next moment says. `mode` has room for twice as many, the solution is gone after that;
// non-zero with a reason where there is no motion then.
void contact_slip_read_modes(const engine* e, const cone_contact_solution* s,
                             cone_contact_mode* mode);
int contact_slip_answer_later(engine* e, const cone_contact_solution* s, cone_contact_mode* mode);
// slip_tree.c: the motion of the forces and of these contacts along the tree of masses, F, A and c
// with it, false: by M; handed to their problem; the reactions of bilateral constraints with its
// solution
void contact_tree_new(engine* e);
bool contact_tree_move(engine* e, int count, const int* row);
void contact_tree_take(const engine* e, cone_contact_problem* p);
void contact_tree_reactions(engine* e, int count, const cone_contact_solution* s);
// no law of slip acts until contact_slip_hold; rows and modes of contacts, A and c evaluated
void contact_slip_still(engine* e);
void contact_slip_rows(engine* e, int count, const int* row, bool decided);
// the active contacts become the candidates; how many
int contact_slip_active(engine* e);
void contact_slip_new(engine* e);
// do forces feel the reaction of constraint k otherwise than by the friction of its contact?
bool contact_slip_feels_otherwise(engine* e, int k);
// Rows of slip T x + d_T of the contacts `row` at the level of velocities, and bounds of friction.
void contact_slip_slips(engine* e, int count, const int* row);
// the problem whose rows stand in the arrays of the inequalities, by the forces in e->F
cone_contact_problem contact_problem_of(const engine* e, int bilateral, int count);
// let go of what sticks before everything is decided anew; the modes are kept as those before
void contact_slip_forget(engine* e);
// the same where it is decided so, in touched parts (null: all)
void contact_forget(engine* e, const bool* touched);
// do contacts of the system slip in space?
bool contact_slips_in_space(const engine* e);
// open, sticking or slipping: all candidates together, into e->active
int contact_slip_choose(engine* e);
contact_change contact_slip_change(const engine* e, int i);
// are there contacts that say the same, begin to slip, or share what holds the motion with jumps of
// the forces, so that each force alone says nothing? the same of the part of constraint k
bool contact_is_redundant(const engine* e);
bool contact_is_redundant_beside(const engine* e, int k);
// do the accelerations come from the contact problem itself? and they
bool contact_slip_solves(const engine* e);
int contact_slip_accelerations(engine* e);
// where a contact is open, or its slip begins, its law has no value: kernels are told that it holds
void contact_slip_hold(engine* e);
// power of friction where slip begins, with the accelerations in the input block
double contact_slip_power(engine* e);
// is the corner decided with the contacts?
bool contact_slip_owns(const engine* e, int corner);
// where friction is one of the jumps of the forces and no mode of its contact: the corner of
// inequality i, else -1
int contact_slip_jump(const engine* e, int i);
// has its last impact brought inequality i to stick?
bool contact_slip_gripped(const engine* e, int i);
// is it that of a contact that is open or sticks, whose friction is the same on either side?
bool contact_slip_is_idle(const engine* e, int corner);
// is it the slip of contacts that are off or open, and of nothing else?
bool contact_slip_is_off(const engine* e, int corner);
// the part whose contacts own the corner, -1
int contact_slip_owner(const engine* e, int corner);
// The value that stays positive while contact i goes on sticking, or beginning to slip; 1 where
// there is nothing to watch. With accelerations where it sticks.
double contact_slip_watch(engine* e, int i);
// of all of them at once: what one needs serves the others
void contact_slip_watches(engine* e, double* value);
bool contact_slip_is_watched(const engine* e, int i);
// the first active contact that loosens or slips at the state in the input block, -1, as
// contact_inequality_loose
int contact_slip_loose(engine* e, int which, double* alpha);
// Is slip that began, and is held as if it rested, accelerated along itself no more at the
// accelerations in the input block, as where a force has jumped?
bool contact_slip_is_turned(engine* e);
// the speed of slip in space of contact i; 0 where it does not slip, or not in space
double contact_slip_speed(engine* e, int i);
// and how fast that speed grows with the accelerations in the input block
double contact_slip_rate(const engine* e, int i);
// slip in space is nothing against the motion, whose steps are as exact as this
bool contact_slip_has_stopped(engine* e, int i, double exact);
// is there more of it than rest?
bool contact_slip_goes_on(engine* e, int i);
// the slip of inequality i, where it slips in space and not from here on
bool contact_slip_in_space(engine* e, int i, double slip[2]);

// ---- Painleve's paradox: paradox.c --------------------------------------------------------------

// the active contact that slips nearest to where its normal force grows without bound, -1; and how
// near, as cone_contact_margins
int contact_paradox_nearest(engine* e, double* margin);
// that it jams there, into e->reason
void contact_paradox_explain(engine* e, int i);
// where several motions obeyed the laws in the last decision: all of them; none: ""
const char* contact_paradox_answers(engine* e);

// ---- constraints that hold with a contact: sliding_regime.c -----------------------------------

void contact_regime_new(engine* e);
int contact_regime_find(const contact_inequalities* u,
                        int k); // number of constraint k among them, -1
// before a decision: links are on whose contact is closed; after the start: some were switched on
void contact_regime_link(engine* e);
bool contact_regime_start(engine* e);
// after it: links of contacts that loosen are off, or a sliding regime begins, or goes on; closing:
// as for contact_inequality_decide
int contact_regime_choose(engine* e, const bool* closing);
// the same beside friction: no sliding regimes. Links are on with their contacts, in any case
int contact_regime_choose_rough(engine* e);
void contact_regime_follow(engine* e, const bool* closing);
// contact i, which was found to stand at the end of a regime: does its link take hold there?
bool contact_regime_grips(engine* e, int i);
// regimes under way, one number for each part and at least one; put back where a decision failed
void contact_regime_keep(const engine* e, int* regime);
void contact_regime_put_back(engine* e, const int* regime);
int contact_regime_accelerations(engine* e);
// power of the link, which slips, with the accelerations in the input block
double contact_regime_power(engine* e);

// ---- what is watched of contacts of surfaces ----------------------------------------------------

// is some contact none any more at the state in the input block? then e->reason says why
bool contact_guard_broken(engine* e);
// where steps fail: do surfaces all but conform in the input block's state? e->reason says which
bool contact_guard_blocks(engine* e);
// how many guards of contacts the state keeps, of each contact those before the first that it
// breaks
int contact_guard_kept(engine* e);
// would it be told that contact i pulls?
bool contact_guard_tells(const engine* e, int i);
// its normal force N at t, of which `rounding` says nothing; what was noted after t was not reached
void contact_guard_note(engine* e, int i, double t, double N, double rounding);
void contact_guard_forget(engine* e, double t);
// tell of those that pulled before the run ended
void contact_guard_warn(const engine* e, double reached, base_notes* notes);

// ---- the nearest point of a base ----------------------------------------------------------------

// is contact i open, on a base that may be near in several places?
bool contact_foot_is_followed(const engine* e, int i);
// put the point of the base that is the nearest of all in the state in the input block, whatever
// was there; false where it is not found
bool contact_foot_seed(engine* e, int i);
// is another point than that of the state in the input block nearer to contact i?
bool contact_foot_is_passed(engine* e, int i);
// follow the nearest point at the state in the input block; 0, or 1 with e->reason
int contact_foot_change(engine* e, int i);
