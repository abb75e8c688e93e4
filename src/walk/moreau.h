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
  int* start;     // count + 1
  int* column;    // coordinates
  int* reach;     // per row: places of W^-1 A^T, from reach[k] to reach[k + 1]
  int* reached;   // their coordinates: those of all blocks the row touches
  double* spread; // and values
  const double* value;
} walk_gradients;

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

  code_kernel* motion; // F, entries of M, dF/dq', dF/dq
  code_kernel* limits; // f0, f1, c, entries of A; slips, their bounds, entries of dslip/dq'
  double *motion_out, *limits_out, *scratch;
  const double *F, *f0, *f1, *c, *slip, *bound;
  walk_entries M, C, K;
  walk_gradients A, T;
  int* slip_of; // constraint -> number of its slip, -1
  // forces with the sign of a velocity: their slips and bounds stand behind those of the contacts
  int dries, first_dry;
  expr *dry_slip, *dry_bound;
  walk_gradients nothing; // of the rows that press them

  // blocks of coordinates that M, dF/dq' and dF/dq couple
  int blocks;
  int* block_start; // blocks + 1
  int* block_coord; // coordinates, block by block
  int *block_of, *place;
  size_t* W_start;
  double* W;
  int* pivot;
  double* right; // of one block

  // rows of the contact problem
  int rows;
  int* row_of;        // constraint, or m + slip
  double* sign;       // of the row against the gradient
  bool* forced;       // found closed at the end of the step
  double *gap, *rate; // per constraint at the start of the step, with the sign of the inequality
  double *x, *w, *x_kept; // x_kept: per constraint and slip, of the step before
  cone_many_kind* kind;
  int *normal, *pair;
  double *mu, *shift;
  int *touch_start, *touch; // coordinate -> rows
  int *G_start, *G_column, *G_fill, *mark;
  double *G, *sum;
  int *col_start, *col_row;
  double* col;
  int G_room;
  cone_many* many;
  const cone_toucher* toucher; // contacts that come and go; null: there are none

  double speed;    // largest in this step
  double released; // energy given up in contacts in the last step
  double given;    // and by potentials that jump with time
  long solved, sweeps, turns, most_rows;
  double worst_fault;
};

// null with errors noted: what this method cannot take
walk_moreau* walk_moreau_new(engine* e, base_notes* notes);
void walk_moreau_free(walk_moreau* s);

// moreau_dry.c: forces -c sign(u) du/dq' are taken out of F; how many, with their u and c
int walk_moreau_dry(engine* e, expr* F, expr** slip, expr** bound);
// is constraint k the norm of a quaternion?
bool walk_moreau_is_norm(const walk_moreau* s, int k);
// evaluate the limits at a state
void walk_moreau_look(walk_moreau* s, double t, const double* q, const double* v);
// the largest rate of the motion at the start: 1/s
double walk_moreau_rate(walk_moreau* s);
// take a step of length h from t, q, v; 0, or 1 with the engine's reason
int walk_moreau_step(walk_moreau* s);
// x <- W^-1 x for one block, x in the places of s->right
void walk_moreau_solve_block(walk_moreau* s, int b);

// moreau_rows.c: the rows of a step, where their gradients are, and the motion v along one; a force
// with the sign of a velocity that would drive it there, with e->reason
const walk_gradients* walk_moreau_gradients(const walk_moreau* s, int row, int* k);
double walk_moreau_along(const walk_moreau* s, int row, const double* v);
bool walk_moreau_drives(walk_moreau* s);
void walk_moreau_choose_rows(walk_moreau* s);
// G = A W^-1 A^T of them; 0, or 1 with e->reason where one moves nothing
int walk_moreau_assemble(walk_moreau* s);
// W = M - h/2 dF/dq' - h^2/4 dF/dq and F at the middle of the step, factored block by block
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
