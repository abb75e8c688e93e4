// An instant at which something happens, for the files that decide about it. Private to walk.
#pragma once

#include "walk/run.h"

// the state in.y at the instant; memory for what is kept of it
void walk_instant_open(walk_job* r, walk_instant* in);
void walk_instant_close(walk_job* r, walk_instant* in);
// the engine is put there, before the first change of it; false when the run is over
bool walk_instant_enter(walk_job* r, walk_instant* in);
// what the model asks for is set; what follows from it is decided with everything else
bool walk_instant_set(walk_job* r, walk_instant* in, const model_change* c);
// one decision, and the steps start anew behind it
void walk_instant_go_on(walk_job* r, walk_instant* in);

// ---- parts of the decision: 0, or 1 with the engine's reason -----------------------------------

// corners found, as far as the state still stands at them: on their other side, or held there
int walk_corners_meet(walk_job* r, walk_instant* in);
// the same for the first time: refused where an energy would jump, or a constraint have places or
// velocities jump
int walk_corners_pass(walk_job* r, walk_instant* in);
// where passages of jumps accumulate, the motion comes to rest at them some time later
int walk_corners_rest(walk_job* r, walk_instant* in);
// Constraints on the sides now taken: refused where one has the state jump, from the functions f0
// and f1 behind them; what an inequality makes of it is decided with the others.
int walk_torn_look(walk_job* r, walk_instant* in, const double* before);
// those at which the engine stands at t have been decided there: the rounding of that meets none
void walk_corners_stand(walk_job* r, double t);
// the state goes to where the first of the gaps that close here has closed, less than a rounding of
// the time away
int walk_impact_place(walk_job* r, const walk_instant* in);
// inequalities: impacts, and which of them hold from here on
int walk_contacts_decide(walk_job* r, walk_instant* in);
// impacts that accumulate come to rest at once, some time later; `again`: those of this instant are
// counted, and what has been found closed since then may be in the last of its bounces
int walk_bounces_rest(walk_job* r, walk_instant* in, bool again);
// bounce_flights.c: where another thing happens: which of those that bounce are in flight
void walk_bounces_apart(walk_job* r, double t);
// bounce_sides.c: jumps that bounces pass. Room for them; the sides up to an instant; the impacts
// at t, all of them noted; those that every bounce has come to rest at do so, and hold the motion;
// and the sides of now, but for the means from t to the end of what these pass, and friction by
// which one of them stuck, which holds; behind that end it is let go, to be decided anew
void walk_bounces_open(walk_events* w, const engine* e);
void walk_bounces_pass(walk_job* r, const walk_instant* in);
void walk_bounces_note(walk_job* r, double t);
int walk_bounces_stand(walk_job* r, const bool* closing);
int walk_bounces_sides(walk_job* r, const bool* closing, double t, double end);
void walk_bounces_let_go(walk_job* r, const bool* closing);
// bounce_span.c: the state, with what was decided, goes on from t to the instant `to`, these
// contacts being held; *quiet: nothing else happens on the way. Where something does, what it left
// is of no use, and all is put back as it was kept.
int walk_span_carry(walk_job* r, const bool* held, double t, double to, bool* quiet);
void walk_span_keep(walk_job* r, base_text* kept);
void walk_span_put_back(walk_job* r, base_text* kept);
// rows due while impacts that were taken together, or the end of a slip, took a moment
int walk_contacts_rows(walk_job* r, const walk_instant* in);
// friction of surfaces: what came to its end sticks, and what was set lets others slip
int walk_grips_decide(walk_job* r, walk_instant* in);
// the branch of a curved constraint that would be followed with what was set: is there one? has the
// choice of the sides left it?
bool walk_branch_follow(walk_job* r);
bool walk_branch_left(const walk_job* r);
// another branch of a curved constraint
int walk_branch_decide(walk_job* r, const walk_instant* in);

// A step failed where a contact jams, or all but does: the run ends with that reason, or goes on
// from there. False: none does.
bool walk_paradox_blocks(walk_job* r);

// ---- behind it ----------------------------------------------------------------------------------

// slip of surfaces that begins, at the engine's state; moves on to in->until
void walk_grips_begin(walk_job* r, walk_instant* in);
// the same of rough contacts, whose events are told before it
void walk_slips_begin(walk_job* r, walk_instant* in);
// what is kept with the state after
void walk_grips_told(walk_job* r, const walk_instant* in);
void walk_branch_told(walk_job* r, const walk_instant* in);
// friction of constraints that cannot let go: it holds the motion from here on, or no more
void walk_corners_told(walk_job* r, const walk_instant* in);
// a stage that has begun here, after stage `before`, may be over at once
void walk_stage_begun(walk_job* r, const walk_instant* in, int before);
