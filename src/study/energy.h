// A conserved or falling energy near a steady motion. Private to study.
#pragma once

#include "study/stability.h"

typedef enum study_work {
  STUDY_WORK_NONE,
  STUDY_WORK_TAKES,    // proved
  STUDY_WORK_UNPROVED, // they take energy wherever it was looked
  STUDY_WORK_GIVES,    // at some state around
  STUDY_WORK_OTHER
} study_work;

// H among the states with the same values of what stays constant: c_r, which are the constraints at
// both levels and the momenta of symmetries. At the steady motion H - sum mu_r c_r is stationary.
typedef struct study_energy
{
  study_linear* l;
  base_arena* arena;
  study_work work; // of all forces, at states around
  bool complete;   // they take energy from every motion among those
  bool holonomic;
  expr E;     // the function whose forms are asked for
  expr* pull; // null, or n forces with a potential, which belongs to E and H, too
  expr power; // of all others
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
} study_energy;

// The signs at the engine's state, into *y; false where there is no such energy. `family`: true
// directions of neighbouring steady motions, N by count, or null for shifts along the group alone.
bool study_energy_signs(study_linear* l, const study_symmetry* s, int count, const double* family,
                        base_arena* arena, study_energy* y);

// What the lowest form of the energy says along `null`, where minus is 0: 1 it is definite, -1 it
// can be negative, 0 neither is known. Its degree into *degree.
int study_energy_form(const study_energy* y, int* degree);
// are there no forces that depend on the direction of the velocities?
bool study_energy_is_reversible(const study_energy* y);

// what of the forces has a potential, into y->pull, and the power of the others
void study_energy_take_potential(study_energy* y);
// derivative of E by number j of the state, that of the potential of `pull` with it
expr study_energy_slope(const study_energy* y, expr E, int j);
// the potential of `pull` at the engine's positions less that at others
double study_energy_of_pull(const study_energy* y, const double* from);
// second derivatives of x and of the potential of `pull` by the state at the engine's (N by N); the
// largest of them is returned
double study_energy_bend(const study_energy* y, expr x, double* out);
// where the multipliers are not fixed: those that make H as definite as can be
void study_energy_choose(study_energy* y);

// is nothing left of E along `null` in any degree looked at, all else at its best?
bool study_energy_is_flat(const study_energy* y);

// is it proved that this power of forces is nowhere positive around the engine's state?
bool study_power_takes(study_linear* l, expr power);
// is it proved that it is not nothing everywhere?
bool study_power_is_somewhere(study_linear* l, expr power);
