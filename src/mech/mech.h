// mech: model -> equations of motion, one file per classical form.
// Takes a model; gives the common linear problem of all forms, and each form as a textbook prints
// it. Holds expressions only: no doubles, no files, no native code.
#pragma once

#include "base/base.h"
#include "expr/expr.h"
#include "model/model.h"

// How a constraint takes part in the motion.
typedef struct mech_role
{
  bool ideal;  // its reaction acts along its own gradient
  bool leads;  // not ideal: its accelerations determine a control
  bool behind; // ideal: what is hidden behind a servo constraint was found with it holding
  int servo;   // not ideal: the written servo constraint it belongs to
  int index; // of the written servo constraint: differentiations until the control appears, plus 1
} mech_role;

// The one problem under all forms, at an instant (n coordinates, m constraints):
//   M a = F + A^T Lambda,   A a = c
// with M = d2T/dq'2, F_i = Q_i - dV/dq_i + dT/dq_i - (d/dt dT/dq_i' without its terms in q''),
// row k of A the derivative of constraint k by its highest derivatives (order 0: df/dq, order 1:
// df/dq', order 2: df/dq''), and A a = c the constraint differentiated up to accelerations.
// Kondrenkina (2018), I(3.9), I(3.20); Lambda has the sign of I(3.20).
// A constraint nonlinear in the accelerations has A = df/dq'' and c = A q'' - f, both holding q'',
// so that A a = c says f = 0 there too. F may hold reactions (laws of resistance) and holds the
// controls of servo constraints, whose rows of A give no reaction.
typedef struct mech_change mech_change;

// entries that are not zero, row by row: those of row i are at start[i] .. start[i + 1]
typedef struct mech_rows
{
  int count;
  int *start, *column;
  expr* value;
} mech_rows;

// Systems of more than MECH_MANY coordinates also have M and A row by row, as have fewer ones whose
// constraints bind bodies to each other as a tree; those of more than
// MECH_FULL have them in no other way, and M and A are null. Forms are written out for at most
// MECH_DENSE.
enum { MECH_MANY = 60, MECH_DENSE = 300, MECH_FULL = 2000 };

typedef struct mech_system
{
  const model* model; // with the hidden constraints behind the written ones
  int written;        // constraints of the model as written
  // per constraint: how it takes part (servo ones and hidden ones are not ideal)
  mech_role* role;
  expr_pool* pool;
  base_arena* arena;
  int n, m;
  mech_rows M_rows; // lower triangle with its whole diagonal; start null: not kept so
  mech_rows A_rows;
  expr* M; // n by n, row-major
  // Where the masses hang on each other as a deep tree M is full of long sums, and whoever runs the
  // motion does without them. Then this is the tree, and M is null until somebody asks for it.
  const model_tree* hung;
  void (*write)(struct mech_system* s); // then makes M
  expr* F;                              // n
  expr* A;                              // m by n
  expr* c;                              // m
  expr* f0; // m: residual of the position level, EXPR_NONE where there is none
  expr* f1; // m: residual of the velocity level, EXPR_NONE where there is none (order 2)
  // H = sum q' dT/dq' - T + V; along the motion dH/dt = power (holds reaction symbols: constraints
  // that move or are not homogeneous do work)
  expr H, power;
  // the two sides of Lagrange's equations: E_i = sum_j M_ij a_j + h_i, G_i = Q_i - dV/dq_i; F = G -
  // h
  expr *h, *G;
  // symbols in the order of the coordinates (zero: n times the number zero, to put in their place)
  expr *q, *v, *a, *zero;
  // the velocities are not all those of coordinates: how they were changed; null: they are
  const mech_change* change;
  bool small; // the entries were simplified, and forms may simplify what they print
  bool moves; // M and h are as they are soonest made and run, not as people read them
  // What is made of the system once and serves all who share it. Its lock is that of the pool, too:
  // where several threads share the system, who makes or looks at expressions holds it.
  base_kept* kept;
} mech_system;

// Null with errors noted (a control that cannot hold its constraint; the expression limit).
mech_system* mech_derive(const model* m, base_notes* notes);
void mech_free(mech_system* s);
// The same system as people read it, on which forms are written: derived once more where it was
// only meant to move. It lives as long as s.
const mech_system* mech_to_read(const mech_system* s);
// Forces along the coordinates but for those of gravity and of inertia, which act on the nodes of
// the tree.
void mech_tree_forces(const mech_system* s, const model_tree* t, expr* out);
// M, written first where it was not: full, null for more than MECH_FULL coordinates; and by rows,
// which few coordinates do not have. Who asks holds the lock of the pool.
const expr* mech_mass(const mech_system* s);
const mech_rows* mech_mass_rows(const mech_system* s);
// all expressions that the masses along a tree are made of; the caller frees them
int mech_tree_terms(const model_tree* t, expr** out);
// how many coordinates stand before another on the way to the world, or with it, in all
double mech_tree_pairs(const model_tree* t);
// sum over i of A_ki x_i
expr mech_row_dot(const mech_system* s, int k, const expr* x);
// is constraint k nonlinear in the accelerations?
bool mech_is_nonlinear(const mech_system* s, int k);

// q' along the motion in quasi-velocities u, as many as the constraints leave free: those declared
// in the model, completed where they are too few.
typedef struct mech_reduction
{
  int l;
  expr* u;        // l symbols
  expr* meaning;  // l: u in t, q, q'
  expr* Z;        // n by l: dq'/du
  expr* velocity; // n: q' in t, q, u
} mech_reduction;
// Null where constraints are not all of velocities and linear in them, where they depend on each
// other, or where a denominator is not proved to be other than zero.
mech_reduction* mech_reduce(const mech_system* s, base_arena* arena);

// ---- forms --------------------------------------------------------------------------------------

typedef struct mech_equation
{
  const char* label; // "xi", "v", "blade": what the equation belongs to
  expr left, right;
  int sense; // 0: left = right, 1: left >= right, -1: left <= right
} mech_equation;

// a sentence about a constraint or a quasi-velocity: what goes before its name, and after
typedef struct mech_remark
{
  const char *before, *name, *after;
} mech_remark;

typedef struct mech_form mech_form;

// One form of the equations, as printed and as solved.
typedef struct mech_equations
{
  const mech_form* form;
  base_arena* arena;
  int definitions; // shown first: quasi-velocities, q' in terms of them, abbreviations
  mech_equation* definition;
  int count; // the equations of motion, then the constraints at acceleration level
  mech_equation* equation;
  int reactions; // Lambda_k in terms of accelerations and state where the form gives them so
  mech_equation* reaction;
  int forces; // printed in their place: the force of a contact on its own axes
  mech_equation* force;
  // the same as a square or overdetermined consistent problem: each residual is affine in the
  // unknowns (accelerations q'', and reaction symbols where the form has them) unless a constraint
  // is nonlinear in the accelerations
  int unknowns;
  expr* unknown;
  int residuals;
  expr* residual;
  int assumptions; // expressions taken to be not zero (pivots)
  expr* assumption;
  int remarks; // what was left out, and why
  mech_remark* remark;
} mech_equations;

// Which constraints are independent, which velocities are taken as dependent and which of the
// declared quasi-velocities as independent; found from numbers by whoever has them. Null arrays:
// the form chooses by what is proved not to be zero.
typedef struct mech_choice
{
  int rank;
  const int* rows; // rank constraint numbers
  // rank coordinate numbers with a regular minor of A; with `quasi` given so many more follow, one
  // for each of those
  const int* dependent;
  int quasis;
  const int* quasi; // numbers of declared ones, the best first; null: as they are declared
  bool automatic;   // leave the declared quasi-velocities aside (they are singular here)
} mech_choice;

// In which velocities a form is written: those of the coordinates, with the angular velocities of
// orientations for the rates of their unit quaternions, or with declared quasi-velocities, too,
// where these are as many as the velocities that they are made of.
typedef enum mech_speeds { MECH_OF_COORDINATES, MECH_ANGULAR, MECH_AS_DECLARED } mech_speeds;

struct mech_form
{
  const char* name;    // "lagrange"
  const char* aliases; // "lagrange:multipliers", space-separated, "" if none
  const char* title;   // "Lagrange's equations with multipliers"
  const char* needs;   // one line: what it needs and where it is singular
  bool curved;         // takes constraints nonlinear in the accelerations
  mech_speeds speeds;
  // null if it suits the model, else the reason in words (from the arena)
  const char* (*unsuited)(const mech_system* s, base_arena* arena);
  mech_equations* (*derive)(mech_system* s, const mech_choice* choice, base_notes* notes);
};

// The system that a form is written for: the ideal constraints alone, in its velocities. Of the
// choice only the quasi-velocities count.
typedef struct mech_view
{
  const mech_system* whole;
  mech_system* system;
  mech_change* change;   // null: the velocities are those of the coordinates
  int* number;           // of each constraint of the whole here, -1: it is not there
  int speeds;            // velocities that are none of coordinates,
  expr *speed, *meaning; // their symbols, and what they are in t, q, q'
} mech_view;
mech_view mech_view_make(mech_speeds speeds, const mech_system* s, const mech_choice* choice,
                         base_arena* arena);
// The equations, with a choice of rows and columns of the view.
mech_equations* mech_view_equations(const mech_form* form, const mech_view* view,
                                    const mech_choice* choice, base_notes* notes);

// The equations of a form on the ideal constraints of the system; servo constraints, hidden ones
// among them, follow as further equations, their controls standing among the forces.
mech_equations* mech_equations_of(const mech_form* form, mech_system* s, const mech_choice* choice,
                                  base_notes* notes);
// null if the form suits the ideal constraints of the system, else the reason in words
const char* mech_form_unsuited(const mech_form* form, const mech_system* s, base_arena* arena);

int mech_form_count(void);
const mech_form* mech_form_at(int i);
const mech_form* mech_form_find(const char* name); // by name or alias; null if there is none
void mech_equations_free(mech_equations* e);

// The functions that forms are made from, named with commas between: T, V, T', T'', S, R, g, gamma;
// as definitions. Null with errors noted.
mech_equations* mech_show(const mech_system* s, const char* names, const mech_choice* choice,
                          base_notes* notes);

// For printing a large system: parts that are said again and again get names, defined first.
void mech_abbreviate(mech_equations* e, const mech_system* s);
