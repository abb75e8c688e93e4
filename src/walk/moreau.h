// Time-stepping after Moreau and Jean: sparse kernels, blocks of the mass matrix, one step. Private
// to walk.
#pragma once

#include "walk/run.h"

// entries of a sparse matrix, its values standing in the output of a kernel
typedef struct walk_entries
{
  int count;
  int *i, *j;
  const double* value;
} walk_entries;

// gradients of the constraints or slips, row by row
typedef struct walk_gradients
{
  int count;
  int* start;  // count + 1
  int* column; // coordinates
  const double* value;
} walk_gradients;

// a row of the problem of a step: entries of its gradient, and where W^-1 of it stands
typedef struct walk_row
{
  int of; // constraint, m + slip, pressure of dry friction and of guides behind, then
          // CONE_TOUCH_ROWS to a contact that comes and goes
  int count;
  const int* column;
  const double* value;
  double sign;  // of the row against the gradient
  double drift; // its velocity where nothing moves: of walls that are led
  double ease;  // what its shift may grow by, where it is no more than kept from closing
  int spread;   // from there to that of the next row
} walk_row;

// a right-hand side of a block, where it stands, and the one before of the same block plus one
typedef struct walk_side
{
  int at, next;
} walk_side;

// contacts that come and go in a step, and the impulses of the last one by their ids
typedef struct walk_touches
{
  const cone_toucher* by; // null: there are none
  cone_touches list;      // at the start of the step; rows point into it
  cone_touches end;       // at its end, where places are put back
  double* impulse;        // CONE_TOUCH_ROWS to each
  double* before;         // rates of gaps at the start of the step
  uint64_t* id;           // of the last step, places by their hash; 0: free
  double* kept;           // CONE_TOUCH_ROWS to each place
  int room, places;       // of impulses, and of ids, a power of two
  double deepest;         // overlap at the end of the last step
} walk_touches;

enum { WALK_MOREAU_HALVINGS = 3 }; // of a step, each in two

// steps that obey their laws nearly: how many are yet left whole, and how many the next time that
// halves are not better
typedef struct walk_halving
{
  int wait, pause;
} walk_halving;

struct walk_moreau
{
  engine* e;
  rate_leaps leaps; // its steps, for the walker
  int n, m;
  double t, h;
  double *q, *v; // start of the step
  double *q_end, *v_end;
  double *a, *lambda; // mean over the step
  double *v_free, *q_look, *dv;

  code_kernel* motion; // F, entries of M, dF/dq', dG/dq, and G
  code_kernel* felt;   // power of forces by reactions of inequalities; null: forces feel none
  code_kernel* limits; // f0, f1, c, entries of A; slips, their bounds, entries of dslip/dq'
  double *motion_out, *limits_out, *scratch;
  const double *F, *pull, *f0, *f1, *c, *slip, *bound; // pull: G
  walk_entries M, C, K;
  walk_gradients A, T;
  int* stick_of; // slip -> constraint that would hold it
  int* slip_of;  // constraint -> number of its slip, -1
  // forces with the sign of a velocity: their slips and bounds stand behind those of the contacts
  int dries, first_dry;
  expr *dry_slip, *dry_bound;
  int* dry_corner;  // of the program; -1
  double* dry_side; // the mean of the sign over the step; nan where it had no bound
  int guides;       // what holds both ways and rubs as a contact does
  // forces or bounds depend on reactions, those forces that are left do (moreau_felt.c), and what
  // the reactions of the step still changed by
  bool feels, driven;
  double unsettled;

  // blocks of coordinates that M, dF/dq' and dF/dq couple
  int blocks;
  int* block_start; // blocks + 1
  int* block_coord; // coordinates, block by block
  int *block_of, *place;
  size_t* W_start;
  double *W, *inertia; // factored, and as it is
  int* pivot;
  double* right; // of one block

  // rows of the contact problem
  int rows, room;
  walk_row* row;
  bool* forced;       // found closed at the end of the step
  double *gap, *rate; // per constraint at the start of the step, with the sign of the inequality
  double *x, *w, *x_kept; // x_kept: per constraint and slip, of the step before
  cone_many_kind* kind;
  int *normal, *pair;
  double *mu, *shift;
  BASE_LIST(int) reached;   // coordinates that each row moves, all of the blocks that it touches
  BASE_LIST(double) spread; // and W^-1 of it there
  // what is still to be solved: per block the last of its right-hand sides plus one, 0: none; the
  // blocks that have some; and room where they stand side by side
  BASE_LIST(walk_side) sides;
  BASE_LIST(int) sided;
  int* first_side;
  double* beside;
  int beside_room;
  // rows that have an entry at coordinate i, with their values: from met[i] to met[i + 1]
  int *met, *met_row, met_room;
  // rows one after the other, with their signs
  int *A_start, *A_column;
  double* A_value;
  double* met_value;
  int *G_start, *G_column, *G_fill, *mark;
  double *G, *sum;
  int *col_start, *col_row;
  double* col;
  int G_room;
  cone_many* many;
  walk_touches touches;

  // energy taken so far, where the model asks for it: now, a step ago; and in the last step alone
  double *lost, *lost_before, *taken;
  double speed;    // largest in this step
  double released; // energy given up in contacts in the last step
  double given;    // and by potentials that jump with time
  // Blocks that rows join form groups, each with one of them as its root; per block what contacts
  // gave, without the work of walls that are led, what lifting costs, what the way back to the
  // start would cost in its place, the energy of its motion at the start and now, and its ties
  int* group;
  double *gained, *cost, *back, *had, *has;
  unsigned char *tie, *tied; // tied: what it always has
  double* spin;              // two vectors of all coordinates
  bool* changes;             // per coordinate: its force, but for inertia, may do so in a step
  bool* led;                 // per constraint and slip: its rate is not zero where nothing moves
  long solved, sweeps, turns, most_rows;
  double fault, worst_fault;  // of the laws of contacts: in the last step, and in the worst
  double allowed;             // what much work on the last problem has left to be gone on with
  double effort;              // how much that is, in products
  double unpaid, most_unpaid; // energy that contacts gave and nothing was left to pay for
  double overlap;             // the deepest of contacts that come and go, at the end of a step
  double fall;                // energy that the forces of the last step give to what is at rest
  double rest;                // since then all rests; nan: something moves
  int broken;                 // steps on end whose impulses obey nothing
  long unsolved, halved;      // steps that went on with more than the tolerance, or in two halves
  walk_halving halving;
  bool may_halve;                     // the step under way, where its laws are not obeyed
  double* half[WALK_MOREAU_HALVINGS]; // the state in the middle of a step, and its reactions
};

// null with errors noted: what this method cannot take
walk_moreau* walk_moreau_new(engine* e, base_notes* notes);
void walk_moreau_free(walk_moreau* s);

// moreau_dry.c: forces -c sign(u) du/dq' are taken out of F, with their u and c
void walk_moreau_dry(walk_moreau* s, expr* F);
// the sides of their corners in the last step
void walk_moreau_dry_sides(const walk_moreau* s);
// moreau_felt.c: F without friction of contacts, which the contact problem brings
void walk_moreau_forces(engine* e, expr* F);
// and without terms of inertia in the velocities
void walk_moreau_leave_inertia(engine* e, expr* F);
// is there a reaction in these?
bool walk_moreau_asks(const engine* e, int count, const expr* list);
// of the forces that depend on reactions of inequalities, by these
expr walk_moreau_felt_power(engine* e);
// are the reactions of this turn those that it was made with? Those of the next are told; true at
// the last turn, too, with s->unsettled
bool walk_moreau_settled(walk_moreau* s, int turn);
// is constraint k the norm of a quaternion?
bool walk_moreau_is_norm(const walk_moreau* s, int k);
// each quaternion at the end of the step becomes one of length one, with a rate perpendicular to
// it; true where no other constraint is in use
bool walk_moreau_meet_norms(walk_moreau* s);
// quaternions become of length one
void walk_moreau_unit(const walk_moreau* s, double* q);
// rates of quaternions of length one, the same spin at another place
void walk_moreau_carry(const walk_moreau* s, const double* from, const double* to, double* v);
// evaluate the limits at a state
void walk_moreau_look(walk_moreau* s, double t, const double* q, const double* v);
// take a step of length h from t, q, v; 0, or 1 with the engine's reason
int walk_moreau_step(walk_moreau* s);

// moreau_tell.c: the step that was made is one of the motion: what contacts are asked for
void walk_moreau_tell(walk_moreau* s);
// while the rows are still those of the velocities: the energy that each takes in this step
void walk_moreau_count_losses(walk_moreau* s);
void walk_moreau_tell_start(walk_moreau* s);
void walk_moreau_show_losses(const walk_moreau* s);

// moreau_rows.c: the rows of a step, and the motion v along one; a force with the sign of a
// velocity that would drive it there, with e->reason
double walk_moreau_along(const walk_moreau* s, int row, const double* v);
bool walk_moreau_drives(walk_moreau* s);
// the overlap of a row with this gradient that is left as it is
double walk_moreau_allowed(const walk_moreau* s, int count, const int* column, const double* value);
void walk_moreau_choose_rows(walk_moreau* s);
// a row of a gradient, behind the others; x is its guess
int walk_moreau_add_row(walk_moreau* s, cone_many_kind kind, int of, double sign, double shift,
                        double x);
// does what still moves away at the start come back and close the gap in this step? It ends there,
// and is struck in the next: to stop it at once would leave it above, with more energy. A way of
// `nothing` in the step is none.
bool walk_moreau_returns(const walk_moreau* s, double before, double freely, double nothing);
// the number of the first row of contacts that come and go, CONE_TOUCH_ROWS to each
int walk_moreau_first_touch(const walk_moreau* s);
// moreau_delassus.c: G = A W^-1 A^T of them; 0, or 1 with e->reason where one moves nothing
int walk_moreau_assemble(walk_moreau* s);
// the problem of these rows, solved as well as can be; the fault is in s->fault
void walk_moreau_solve(walk_moreau* s);
// moreau_touches.c: contacts that come and go at the start of a step, their rows, and what is kept
// of their impulses; 0, or 1 with e->reason
int walk_moreau_find_touches(walk_moreau* s);
int walk_moreau_look_at_touches(walk_moreau* s);
void walk_moreau_add_touches(walk_moreau* s);
void walk_moreau_keep_touches(walk_moreau* s);
// room for the impulses of so many ids, 0 or a power of two
void walk_moreau_touch_room(walk_moreau* s, int places);
void walk_moreau_free_touches(walk_moreau* s);
// moreau_places.c: places at the end are put back where gaps are closed beyond zero; 0, or 1 with
// e->reason
int walk_moreau_put_back(walk_moreau* s);
// moreau_energy.c: which of the forces G may change in a step
void walk_moreau_know_forces(walk_moreau* s, const expr* G);
// groups of bodies, and what is led
void walk_moreau_new_groups(walk_moreau* s);
// of quaternions that nothing turns: the change of their rates in a step without impulses
void walk_moreau_keep_spin(walk_moreau* s, const double* rate, double* change);
// those of the step, and what contacts gave: P . (u + u+)/2; true where there is one that pushes
bool walk_moreau_find_groups(walk_moreau* s);
// the blocks of rows that push, or hold, are one group
void walk_moreau_join_groups(walk_moreau* s);
// s->q_look are the places before they were lifted, s->dv the way from there: does any group owe?
bool walk_moreau_owe(walk_moreau* s);
// Groups that cannot pay for where they are go back on the way to where they began; true where one
// did
bool walk_moreau_go_back(walk_moreau* s);
// and pay, with their velocities at the end
void walk_moreau_pay(walk_moreau* s);
// W = M - h/2 dF/dq' - h^2/4 dG/dq and F at the middle of the step, factored block by block
int walk_moreau_factor(walk_moreau* s);
// inequalities that stood as equations while a state was looked for become inequalities again, with
// the restitutions of now
void walk_moreau_let_go(engine* e);
// the sides of corners in forces and outputs, each by its own switching function
void walk_moreau_sides(engine* e);
// the engine's state is that at a share x of the way from the start of the step to its end
void walk_moreau_load(walk_job* r, double x);
// corners of the energies that the last step passed: 0, or 1 with the engine's reason
int walk_moreau_jumps(walk_job* r);

// ---- in a run -----------------------------------------------------------------------------------

// before the start is looked for: what it cannot take is refused; false with errors noted
bool walk_moreau_open(walk_job* r);
// the state of the start is found
void walk_moreau_started(engine* e);
// the flow is made: the length of a step, and who makes it; false with errors noted
bool walk_moreau_prepare(walk_job* r);
// what presses takes part in a sudden change of what drives the motion, as an equation (let_go
// takes it back); 0, or 1 with the engine's reason
int walk_moreau_hold(walk_job* r, const model_change* c);
// what the last step is worth, with the engine at its end; at the end of the run, its numbers
void walk_moreau_note(walk_job* r);
void walk_moreau_judge(walk_job* r);
