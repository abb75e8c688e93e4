// Velocities turned into the direction that a blade leaves free. Private to sim.
#pragma once

#include "sim/engine.h"

// The equations of motion for the active rows, in velocities x (the symbols of the velocities):
//   M x' = F + A^T Lambda,   A x' + b = 0,   A x + a0 = 0
typedef struct sim_rows
{
  int n, rows;
  expr *M, *F, *A, *b, *a0, *lambda, power;
  expr* rate; // q' by x
  int turns;  // pairs of velocities that were turned
  int* pair;  // coordinates i, j of each
  // of each, by the velocities: x_i, its slopes by v_i and v_j, and x_i' where v' = 0
  expr (*turned)[4];
} sim_rows;

// with x = q'; lists of all rows, of which the active ones are taken; in the engine's arena
sim_rows sim_rows_of(sim_engine* e, const expr* M, const expr* F, const expr* A, const expr* b,
                     const expr* a0, expr power);
// Turn the velocities of every row that binds two of them as a blade does; false if there is none.
bool sim_rows_turn(sim_engine* e, sim_rows* p);
