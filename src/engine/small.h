// What is small: every number by which engine, contact, rate and walk decide that something is
// nothing, each a multiple of a scale (scales.h) and with its reason. Part of the door of engine;
// checked by tools/small.py.
#pragma once

// A rounding is 1e-16 of a number. What solving a small system or meeting constraints leaves is
// some thousand of them.
static const double engine_noise_place = 4e-16; // of places: all that coordinates can tell
static const double engine_noise_met = 4e-15;   // of places: ten of them, where impacts are found
static const double engine_noise_gap = 1e-11;   // of places: a gap that is closed
static const double engine_noise_speed = 1e-9;  // of speeds: an approach or a slip that is none
static const double engine_noise_force = 1e-10; // of forces that balance, and of accelerations

static const double engine_noise_slope = 1e-14; // of slopes of forces: they are those of before
static const double engine_near_answer = 1e-3;  // of an answer: the correction that led to it
// of the mass of a coordinate in the metric: what is in its row where others move it
static const double engine_hardly_mass = 1e-6;
static const double engine_least_pivot = 1e-13; // of pivots of balanced rows: more is determined

static const double engine_noise_start = 1e-11;  // of the terms of an initial equation: it is met
static const double engine_noise_moved = 1e-13;  // of the numbers of a state: it is the same one
static const double engine_noise_state = 1e-11;  // of places and speeds: what events do not feel
static const double engine_noise_solved = 1e-14; // of speeds: what Newton's method ends with
static const double engine_noise_slip = 1e-11;   // of a switching function: an impact's rounding
static const double engine_noise_held = 1e-9;    // of one that holds the motion: drift of the steps
static const double engine_left_rest = 1e-8;     // of one that others hold: it has left
static const double engine_slip_ends = 3e-10;    // of speeds: slip of surfaces at its end
static const double engine_slip_stops = 1e-8;    // of speeds: the same of an inequality
static const double engine_slip_begins = 1e-11;  // of speeds: with this it begins where forces jump
static const double engine_slip_rests = 1e-10;   // of speeds: an inequality's slip that is none
static const double engine_slip_left = 1e-3;  // of what it stops at: less than rests, and not none
static const double engine_slip_begun = 5e-5; // of speeds: what began to slip is on its way
// of the tolerance, and no more than this of what has begun: slip in space near its end turns as
// fast as it is slow, and where it is not exact its direction is nothing
static const double engine_slip_inexact = 10;
static const double engine_slip_left_off = 0.1;
static const double engine_slip_smooth = 1e-8; // of speeds: where less begins an impulse does it
static const double engine_over_cone = 1e-9;   // of a squared bound: friction does not suffice
static const double engine_leak = 1e-12;      // of an open constraint: it was passed without a sign
static const double engine_has_pulled = 1e-7; // of forces: what may only press has pulled
static const double engine_open_gap = 1e-9;   // of places: a gap that a change has opened
static const double engine_beyond_gap = 1e-7; // of places: no rounding explains it
static const double engine_beyond_slip = 1e-7;    // of speeds: the same
static const double engine_speeds_settled = 1e-3; // of 1 - r: ratios r of speeds that are one
static const double engine_endless = 1e-3; // of impulses: what they grow by where that has no end
static const double engine_noise_kick = 1e-12; // of speeds: those that a change leaves as they are

// Of times, or of the run where that is longer: roundings of t; instants that are one; pauses after
// which what happens again and again has no end.
static const double engine_noise_root = 2e-15;
static const double engine_same_time = 1e-12;
static const double engine_no_pause = 1e-9;

// of the time in which the motion changes by its size: how far ahead is looked where neither forces
// nor accelerations decide. Long enough for a difference of the second order to be seen, short
// enough for the third not to.
static const double engine_look_ahead = 1e-5;

// of places and speeds: a difference for a slope, half of the digits of a double, and the least
// that says anything where the law is curved
static const double engine_difference = 1e-7;
static const double engine_least_difference = 1e-11;
// of the tolerance and of the sizes: slip that begins is followed to no less
static const double engine_slip_exact = 1e-11;
// of a step: what happened there happened at its start
static const double engine_step_start = 1e-3;

// of the time in which the motion changes by its size: all but nothing changes
static const double engine_brief = 1e-3;

// of pivots of rows of length one, and of gradients against what they were: below this margin the
// rows are near a loss of rank, and what divides by them takes care
static const double engine_near_singular = 0.3;
// the same: what is divided by them is mostly rounding there, and an error estimate sees that alone
static const double engine_blown_up = 0.03;

// of pivots of the masses: a motion of the coordinates that moves nothing; of that motion: it is
// one of those that make it
static const double engine_folded = 1e-6, engine_folded_share = 0.2;

// of the run: nothing that a force or a speed does in this time was meant
static const double engine_moment = 1e-6;

// The limit of fast changes: the longest of them, of the quickest time of the motion; how exactly
// each is followed, of places and speeds, beyond what their extrapolation asks for; where that is
// down to rounding; a limit known to no better has not settled; two that differ by more are two.
static const double engine_limit_first = 0.1;
static const double engine_limit_exact = 1e-13;
static const double engine_limit_done = 1e-13;
static const double engine_limit_settled = 1e-7;
static const double engine_limit_same = 1e-6;

// Of a run whose end is not known, in times of the motion: by then it should be there; the clock
// has no digits left for what the motion does. And of the way made: the longest step.
static const double engine_open_time = 1e4;
static const double engine_open_clock = 1e15;
static const double engine_open_stride = 10;

// ---- inequalities and friction ------------------------------------------------------------------

static const double engine_told_slip = 1e-6; // of speeds: of a limit of speeds that was met
// of accelerations: rounding of one that is none, less than any that shows a moment later
static const double engine_only_touches = 1e-14;
static const double engine_same_answer = 1e-9; // of accelerations: two answers are one
static const double engine_two_answers = 1e-7; // of accelerations: they are two
static const double engine_no_jump = 1e-12;    // of rates on both sides of a corner: none is felt
static const double engine_no_force = 1e-12;   // of forces in the metric of the masses: none acts
static const double engine_past_side = 1e-12;  // of a side: a value between both may be beyond
// of the rate of a switching function without a force that has just ceased to hold: slip begins
static const double engine_hardly_slips = 1e-6;
// of what is nothing of a rate: less than this of it is rounding, and more may be slip that begins
static const double engine_clearly_rests = 1e-3;
// of the jump of a rate where nothing is held: none is left
static const double engine_no_way_left = 1e-9;
static const double engine_no_regime = 1e-12;    // of the gap's acceleration: its link has no part
static const double engine_no_impulse = 1e-12;   // of the largest impulse of an impact
static const double engine_least_hop = 1e-12;    // of places: lower bounces are none
static const double engine_in_flight = 1e-13;    // of places: with more what bounces has not landed
static const double engine_least_bounce = 1e-11; // of places: near it, times cannot be told
static const double engine_least_turn = 1e-9;    // of places: the same where contacts take turns
static const double engine_swing_told = 1e-12; // of a switching function: lower ones go no farther
static const double engine_least_swing = 1e-9; // of a switching function: the same of its swings
static const double engine_pulled = 1e-3;      // of the pressure: a fast change pulls it open
static const double engine_pulls = 1e-9;       // of the momenta of a change, of normal forces
static const double engine_at_limit = 1e-9;    // of the bound of friction: it stands at its limit
static const double engine_near_limit = 1e-6;  // and where what begins to slip tells it
static const double engine_slow_limit = 1e-8;  // of accelerations: and does not leave it
static const double engine_same_law = 1e-9;    // of a force: friction is what its law says
static const double engine_same_load = 1e-7;   // of friction: it does not tell how loads are shared
static const double engine_same_foot = 1e-6;   // of places: nearer by less is the same point
static const double engine_foot_solved = 1e-14;   // of places: Newton's method for it has ended
static const double engine_leaving = 1e-12;       // of the largest pressure so far: it is none
static const double engine_leaving_terms = 1e-14; // of the reaction that holds all forces: the same
static const double engine_torn = 1e-9;           // of places and speeds: a constraint has jumped
static const double engine_energy_jump = 1e-9;    // of the largest energy: it has jumped
static const double engine_shown_zero = 1e-12;    // of one: shown as zero in texts

// of the curvatures of surfaces that touch: so little is left between them that steps fail there
static const double engine_all_but_line = 1e-3;
// of the mobility of a contact without friction: with it, so little is left that it jams
static const double engine_jammed = 1e-6;

// Pivots of rows of length one below this follow from the others: redundant rows are so to the
// accuracy of the states at which they are compared.
static const double engine_redundant = 1e-9;
static const double engine_met_redundant = 1e-6; // of places and speeds: one that does not hold
static const double engine_not_shared = 1e-11;   // of balanced rows: corners that hold the same
static const double engine_shared_motion = 1e-8; // of one: a direction that is their own
static const double engine_shared_rows = 1e-7;   // of the terms of a row: it says the same
static const double engine_shared_size = 1e-9;   // of all unknowns: the same

// ---- steps, rows and events ---------------------------------------------------------------------

static const double engine_step_back = 1e-3;     // of the step behind: a rate is taken over it
static const double engine_short_look = 1e-3;    // of a step: how far beside an instant is looked
static const double engine_row_rounding = 1e-12; // of the number of rows or steps: it is whole
static const double engine_moves_freely = 1e-6;  // of a unit motion along what is left free
static const double engine_lost_gradient = 1e-5; // of a gradient at the start of a step
static const double engine_visible = 1e-6;       // of energy, coordinates, velocities: no rounding
static const double engine_usual_tolerance = 1e-10; // of places and speeds: where none is asked for
static const double engine_every_bit = 1e-13;   // a tolerance: roundings of the work show below it
static const double engine_doubles_end = 1e-15; // a tolerance: doubles have too few digits
static const double engine_loose = 1e-7;        // a tolerance: order 8 serves as well
static const double engine_wide_end = 1e-30;    // a tolerance: twice the digits are too few
static const double engine_loosest = 1e-3;      // a tolerance: above, few methods get on
static const double engine_guess_moved = 1e-9;  // of a guess: it had to give way
static const double engine_guess_rounding = 1e-12; // of the largest guess: rounding of it
static const double engine_assembly_far = 0.05;    // of a size: two assemblies, no rounding of one
static const double engine_assembly_near = 2;      // times as far from the guesses: about as near
static const double engine_balance_left = 1e-7; // of accelerations by single forces: their rounding
static const double engine_contradiction = 1e-6; // of the terms of a row of accelerations
static const double engine_nanosecond = 1e-9;    // of a second: the unit of the clock

// Kinds of happenings, of times: instants of one kind nearer than this happen without progress.
static const double engine_again_events = 1e-12;
static const double engine_again_forces = 1e-9;
static const double engine_again_gaps = 1e-13;

// The watchdog. Of the way made, and of the mean of the steps so far: steps that have fallen to
// nothing; of the largest place: how well a cubic must meet it.
static const double engine_fallen = 1e-6;
static const double engine_collapsed = 1e-4;
static const double engine_met_by_rounding = 1e-13;

// ---- time-stepping ------------------------------------------------------------------------------

static const double engine_moreau_gap = 1e-12; // of places: a gap that a step has closed
static const double engine_moreau_deep = 1e-9; // of places: an overlap that is put back
// of the largest velocity that contacts change: laws that are broken by more are told; the step is
// made in two halves; nothing obeys them, and the run ends where that goes on
static const double engine_moreau_told = 1e-9;
static const double engine_moreau_coarse = 1e-3;
static const double engine_moreau_gained = 1e-12; // of the energy: laws that give more are broken
static const double engine_moreau_rest = 1e-6;    // of the speed of a fall in one step: none
static const double engine_moreau_broken = 0.1;
static const double engine_shapes_begin = 1e-6; // of the smaller: how deep numbers as written lie
static const double engine_moreau_away = 1e-6;  // of what it falls with: what moves away yet
static const double engine_moreau_law = 1e-9;   // of a force: it is the law of dry friction

// ---- constraints nonlinear in the accelerations -------------------------------------------------

static const double engine_same_least = 1e-10;  // of Gauss's function: two minima are as low
static const double engine_other_point = 1e-5;  // of accelerations: they are two points
static const double engine_gain_solved = 1e-12; // of accelerations: Newton's method has ended
static const double engine_gain_apart = 1e-12;  // of the square of the accelerations: two points
static const double engine_less_already = 1e-9; // of Gauss's function: a rival is less
static const double engine_other_branch = 1e-6; // of accelerations: they have jumped
static const double engine_behind_end = 1e-3;   // of accelerations: what is behind the end of one

// of an instant: moments behind the end of a branch, the first and the last
static const double engine_branch_first = 1e-11;
static const double engine_branch_last = 1e-6;

// ---- y' -----------------------------------------------------------------------------------------

static const double engine_balanced = 1e-15; // of the terms of a sum that balances: its rounding
static const double engine_series_least = 1e-17;    // the same: no part of the terms of a series
static const double engine_wide_least = 1e-3;       // of the tolerance: for what hardly moves
static const double engine_safe_pivot = 1e-10;      // of a row: elimination by it is safe
static const double engine_series_converged = 1e-6; // of the terms of a series of an event
static const double engine_series_noise = 1e-12;    // of an event's size: rounding of its series

// Twice the digits: of the terms of a residual, where it is rounding, where it falls no more, where
// it is hopeless; of a value, where it is the double that was given.
static const double engine_wide_refined = 0x1p-102;
static const double engine_wide_exact = 0x1p-101;
static const double engine_wide_near_exact = 1e-27;
static const double engine_wide_hopeless = 0x1p-88;
static const double engine_same_double = 4e-16;
static const double engine_weak_pivot = 1e-6; // of rows of length one: not followed
static const double engine_wide_rank = 1e-9;  // the same for initial equations
// of the mass matrix, where a motion without inertia is to be named: one that rounding spoilt
static const double engine_no_inertia = 1e-12;
// of the terms of a kinetic energy along an admitted motion, for each coordinate: their rounding
static const double engine_inertia_rounding = 0x1p-50;
static const double engine_part_named = 0.1; // of the largest part of such a motion: also named

// ---- engines ------------------------------------------------------------------------------------

static const double engine_same_ratio = 1e-13;     // of a ratio of two values: it is rational
static const double engine_least_influence = 1e-9; // of a row's largest: a control has none on it
// Of the mass of a coordinate with the same unit: with less it has none of its own, as an angle
// whose arm is zero for the moment. Where no unit is written one may be a length, the other an
// angle, and no more is said than that its square is rounding. Of the largest mass of those it is
// bound to: what is less was lent by an entry that is rounding.
static const double engine_least_of_unknown = 1e-18;
static const double engine_least_lent = 1e-26;
static const double engine_least_mass = 1e-6; // of the mass of its like: it has theirs
static const double engine_step_part = 1e-3;  // of the run: steps over which rounding adds up
static const double engine_terms_step = 1e-3; // of a scale: step of a derivative
static const double engine_jump_made = 1e-9;  // of speeds: an impulse has made the jump
static const double engine_hopeless = 1e-8; // of places and speeds: they are not on the constraints

// Of places and speeds: distances from the constraints that are left alone, mostly, and near a
// singular position, where every bit counts. Of the distance over which rows change by about
// themselves: differences of them keep half their digits; and at most so much shorter at once.
static const double engine_put_usual = 4e-15;
static const double engine_put_least = 1e-16;
static const double engine_short_way = 1e-5;
static const double engine_way_shorter = 1e-6;

static const double engine_determined = 1e-7;    // of one: left of an unknown that is determined
static const double engine_worth_telling = 1e-9; // of an equation's size: it is off
static const double engine_terms_off = 1e-9;     // of the terms of a constraint: it does not hold

// Flat shapes with corners, of the size of the smaller one: nearer than this their corners and
// sides are looked at; corners beyond the end of a side by less than rounding still stand on it;
// the way they may go before they are looked at again, short against the turn that changes what
// faces what.
static const double engine_facing_near = 0.25;
static const double engine_facing_end = 1e-10;
static const double engine_facing_way = 0.1;
// Shapes in space, the same: edges that pass each other do so in a shorter while; points of contact
// nearer than this, or behind each other, are one.
static const double engine_footing_way = 0.03;
static const double engine_footing_same = 1e-9;

// Large systems. Of a pivot, of what it was: rounding; a row that follows from others, at a state
// and among the equations of a start. Of the forces left by redundant reactions: all but none; of
// the squared singular values: what is added to them. Of a Newton step: less leads nowhere.
static const double engine_sparse_pivot = 1e-13;
static const double engine_dependent = 1e-11;
static const double engine_dependent_start = 1e-12;
static const double engine_sparse_left = 1e-13;
static const double engine_sparse_share = 1e-7;
static const double engine_least_share = 1e-3;

// ---- singular positions -------------------------------------------------------------------------

static const double engine_beside = 1e-3;      // of places, or of one: a state of no special kind
static const double engine_no_gradient = 1e-4; // of a gradient beside: it has vanished here

// Of the size of the motion: errors of a passage that begins far off, and nearer and nearer by,
// where rounding shows; one that is as good as the first.
static const double engine_passage_first = 3e-13;
static const double engine_passage_like = 5e-13;
static const double engine_passage_next = 1e-12;
static const double engine_passage_near = 1e-11;
static const double engine_passage_last = 1e-10;

// Of the way that its nodes keep away: instants of poles of reactions are known to rounding; nearer
// a reaction is larger than can be told. Of the largest at the nodes: a residue that is rounding.
static const double engine_pole_placed = 1e-14;
static const double engine_at_pole = 1e-9;
static const double engine_no_pole = 1e-9;

static const double engine_on_branch = 1e-10;      // of the motion: a polynomial is on its branch
static const double engine_same_state = 1e-9;      // of the motion: two states are one
static const double engine_singular_exact = 1e-11; // of accelerations: known to no more near one
static const double engine_told_apart = 1e-6;      // of a margin: what is nearer is the position
static const double engine_all_but = 1e-3;         // of the margin before a step: all but met
static const double engine_shortest_part = 1e-10;  // of a step: it is no longer divided
static const double engine_zero_found = 1e-4;      // of a step: its zero is known well enough
static const double engine_vanished = 1e-3;        // of the largest singular value
static const double engine_same_direction = 1e-4;  // of one, the cosine of an angle
static const double engine_same_basis = 1e-6;      // of one: what is left of a direction
static const double engine_quadric_solved = 1e-7;  // of the terms of a quadric: a branch
static const double engine_quadric_done = 1e-14;   // the same: Newton's method has ended
static const double engine_quadric_pivot = 1e-10;  // of rows of length one: they are independent
static const double engine_branch_share = 1e-3;    // of a velocity: it lies along a branch
static const double engine_branch_shown = 1e-4;    // of the largest component: shown in texts
static const double engine_branch_rest = 1e-6;     // of the fastest so far: no more than rest
static const double engine_branch_way = 1e-4; // of the largest coordinate: rows are differentiated
