// Inside of num_contact, for its own files and for impacts.
#pragma once

#include "cone/cone.h"
#include "cone/least_constraint.h"

// Legend: t tangents per contact, t + 1 rows each: normal, tangents; row (i, 0) is the normal one.
// Scaled by one factor per contact: force' = force * s_i, alpha' = alpha / s_i, so that the bound
// of friction keeps its form. alpha' = D force' + q over all rows, z = G^T force'.
enum { NUM_CONTACT_FACES = 8, NUM_CONTACT_PYRAMIDS = 16 }; // of a pyramid; most contacts with one

struct num_contact
{
  int n_max, b_max, c_max, t;
  int c, rows, m;
  bool siconos; // is asked first
  const num_contact_problem* p;
  const double* base; // scaled normal forces given before; the unknown normal force adds to them
  num_least* least;   // reduction by the bilateral rows; the smooth problem
  num_least* modes;   // forces of one combination of modes
  num_lcp* lcp;
  num_null* null;
  double *s, *G, *D, *q, *mu, *offset;
  double* best;                     // forces with the least fault met
  double* whole;                    // mu itself while Newton works with less
  double *force, *alpha;            // scaled
  double *B, *r, *x;                // Lemke
  double *E, *e, *I, *i, *one, *no; // rows of one combination of modes
  double *J, *F, *step, *trial;     // Newton
  double *lambda, *z, *rest;
  double* store; // solutions
  num_contact_mode *mode, *modes_kept;
  int* pressed;   // rows that carry force
  double largest; // scale of forces and accelerations, for tolerances
};

// row of contact i
static inline int num_contact_row(const num_contact* f, int i, int k)
{
  return i * (f->t + 1) + k;
}

// the direction of slip of contact i (t numbers of length one); false: at rest
bool num_contact_slips(const num_contact* f, int i, double* direction);

// alpha' from force'; the worst fault of all laws over the largest number
double num_contact_fault(num_contact* f);
// classify force' and alpha'
void num_contact_classify(num_contact* f);
// add the solution in force' (and mode) to the result unless its motion is there already
void num_contact_keep(num_contact* f, num_contact_result* out);

// each leaves force' and, if true, a solution to the tolerance
bool num_contact_lemke(num_contact* f);
// fault with which a solution is taken where none is found to rounding
extern const double num_contact_edge;
bool num_contact_newton(num_contact* f);
// the forces there made exact
void num_contact_polish(num_contact* f);
// by Siconos, where it is here
bool num_contact_siconos(num_contact* f);
// forces near a solution in space, by pyramids in the place of cones; false: none found
bool num_contact_faces(num_contact* f);
// one combination of modes in f->mode (planar, no base)
bool num_contact_combination(num_contact* f);
// all combinations
void num_contact_enumerate(num_contact* f, num_contact_result* out);

// base (contacts, or null): normal forces already in F, which count in the bound of friction
num_contact_result num_contact_solve_on(num_contact* f, const num_contact_problem* p,
                                        const double* base, bool enumerate);
