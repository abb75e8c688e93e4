// A conserved or falling energy near a steady motion. Private to sim.
#pragma once

#include "study/stability.h"

typedef enum sim_work { SIM_WORK_NONE, SIM_WORK_TAKES, SIM_WORK_OTHER } sim_work;

// H among the states with the same values of what stays constant: c_r, which are the constraints at
// both levels and the momenta of symmetries. At the steady motion H - sum mu_r c_r is stationary.
typedef struct sim_energy
{
  sim_linear* l;
  base_arena* arena;
  sim_work work; // of all forces, at states around
  bool complete; // they take energy from every motion among those
  bool holonomic;
  int rows;
  expr* c;
  double* mu;
  double* dc; // rows by N
  double* H;  // second derivatives, N by N
  double size;
  int removed; // directions along which H and c do not change, for certain: removed by N
  double* D;
  int k; // changes that keep c, without those: N by k
  double* Y;
  int plus, zero, minus; // signs of H on them
  double* null;          // N by zero
} sim_energy;

// The signs at the engine's state, into *y; false where there is no such energy. `family`: true
// directions of neighbouring steady motions, N by count, or null for shifts along the group alone.
bool sim_energy_signs(sim_linear* l, const sim_symmetry* s, int count, const double* family,
                      base_arena* arena, sim_energy* y);

// What the lowest form of the energy says along `null`, where minus is 0: 1 it is definite, -1 it
// can be negative, 0 neither is known. Its degree into *degree.
int sim_energy_form(const sim_energy* y, int* degree);
// are there no forces that depend on the direction of the velocities?
bool sim_energy_is_reversible(const sim_energy* y);
