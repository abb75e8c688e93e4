// What is small in the problems of contacts and in linear complementarity. All that is compared is
// a ratio: of the largest number of the problem, of the terms of a sum, of a pivot and what it was.
// Private to cone; checked by tools/small.py.
#pragma once

static const double cone_rounding = 1e-15; // of the largest number: a change that is none

// ---- complementarity ----------------------------------------------------------------------------

static const double cone_lcp_zero = 1e-12;       // of the largest scaled number: told from zero
static const double cone_lcp_proved = 1e-6;      // of the same, a residual: the answer is proved
static const double cone_lcp_allowed = 1e-9;     // of the same: an answer as it should be
static const double cone_indefinite = 1e-9;      // of the diagonal: the matrix is not semidefinite
static const double cone_dual_violated = 1e-13;  // of the terms of a row: it is worked on
static const double cone_dual_dependent = 1e-13; // of the squared sum of the multipliers
static const double cone_dual_empty = 1e-12;     // of the sum of the terms: no point satisfies all
static const double cone_dual_sharp = 1e-6;      // of one: a length worth a second, sharper look
static const double cone_dual_none = 1e-13;      // of the largest multiplier
static const double cone_lemke_pivot = 1e-10;    // of the largest entry of the column
static const double cone_lemke_same = 1e-11;     // of a ratio: rounding may have parted them
static const double cone_lemke_left = 1e-9; // of the largest number: what the artificial one leaves
static const double cone_shortest_rank = 1e-10; // of rows of length one: they are independent
static const double cone_shortest_null = 1e-13; // of pivots: a direction costs nothing

// ---- contacts with friction ---------------------------------------------------------------------

static const double cone_contact_good = 1e-10;    // of the largest number: fault of a good solution
static const double cone_contact_edge = 1e-7;     // the same, at the edge of existence
static const double cone_contact_tried = 1e-9;    // the same, of a combination that is tried
static const double cone_contact_pivot = 1e-12;   // of pivots: forces are determined
static const double cone_contact_idle = 1e-10;    // of what a contact moves: a force that does not
static const double cone_contact_same = 1e-8;     // of the forces: two solutions are one
static const double cone_newton_done = 1e-14;     // of the largest number: no more can be done
static const double cone_newton_solved = 1e-11;   // the same: a solution
static const double cone_newton_descent = 1e-4;   // of the residual: what a step must lower it by
static const double cone_siconos_contact = 1e-13; // of the largest number: asked of the library
static const double cone_siconos_many = 1e-11;    // the same for many contacts
static const double cone_impact_closing = 1e-12;  // of the largest speed: an approach, a slip
static const double cone_blow_exact = 1e-14;      // of the speeds before an impact: error of a step
static const double cone_blow_stops = 1e-13;      // of the same: slip that has come to its end
static const double cone_impact_gained = 1e-11;   // of the energy: an impact has given some

// ---- least constraint ---------------------------------------------------------------------------

static const double cone_least_noise = 1e-14;      // of the terms of a row
static const double cone_least_residual = 1e-8;    // of the largest number: refused above it
static const double cone_least_singular = 1e-13;   // of pivots of the reduced mass matrix
static const double cone_least_contradicts = 1e-9; // of the terms of a row
static const double cone_least_follows = 1e-11;    // of a gradient: it follows from the others

// ---- many contacts ------------------------------------------------------------------------------

// Of the largest number in a column: a pivot that is taken where it stands. What rounding grows by
// in a step is then at most 1 + 1/this, as usual for sparse systems (Duff, Erisman and Reid 1986).
static const double cone_band_stays = 0.1;
static const double cone_many_solved = 1e-11;          // of the largest number: the fault aimed at
static const double cone_many_enough = 1e-9;           // the same, where that is out of reach
static const double cone_many_coarse = 5e-7;           // the same, of thousands of rows
static const double cone_many_rounding = 64 * 2.2e-16; // of the terms of a sum
static const double cone_many_largest = 1e6;  // of the largest velocity: impulses times mobility
static const double cone_many_pivot = 1e-14;  // of the largest pivot
static const double cone_active_guess = 0.03; // of the largest impulse: one that presses
static const double cone_active_dependent = 1e-10; // of its own square: a row that others make up
static const double cone_active_violated = 1e-13;  // of the largest number: a row that has to enter
static const double cone_active_smooth = 1e-9;     // of the largest impulse: friction that is none
static const double cone_active_plain = 1e-4;      // of the same, a fault: Newton is tried
static const double cone_prox_least = 1e-9;        // of the mobility: the least regularisation
static const double cone_prox_small = 1e-8;        // the same: small enough to be left
static const double cone_near_first = 1e-3;        // the same without friction: of the first round
static const double cone_near_least = 1e-6;        // and of the last, and of equations
static const double cone_near_warm =
    1e-6; // of the largest velocity: a fault that Newton goes on from
static const double cone_graded_first = 1e-2;   // of the mobility with friction: of the first round
static const double cone_graded_least = 1e-8;   // and the least that rounds come to
static const double cone_graded_gains = 1e-4;   // of what was left, times the share of the way
static const double cone_turn_prox = 1e-6;      // of the mobility: the term of a last turn
static const double cone_mixed_least = 1e-9;    // the least of turns between sweeps
static const double cone_turn_near = 1e-5;      // of the largest velocity: a fault that it ends
static const double cone_interior_prox = 1e-13; // the same in the interior point method
static const double cone_interior_equal = 1e-5; // the same of an equation among bodies: in one turn
static const double cone_interior_smooth = 1e-3; // of what is left of y.z, as a velocity: of slips
static const double cone_interior_plain = 1e-3;  // of the largest velocity: Newton is tried
static const double cone_interior_done = 1e-7;   // of the largest velocity: left to Newton
static const double cone_interior_far = 1e-8;    // the same among bodies, where there is no Newton
static const double cone_relax_edge = 1e-9;      // of the bound's square: a friction on its bound
static const double cone_relax_stiff = 1e-10;    // of the squares of differences: their equations
static const double cone_slip_on_cone = 1e-13;   // of the normal impulse: a slip in its bound
static const double cone_slip_still = 1e-13;     // of one: directions of slip that turn less do not
