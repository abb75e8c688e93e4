// Inside of cone_contact, for its own files and for impacts.
#pragma once

#include "cone/cone.h"
#include "cone/least_constraint.h"

// Legend: t tangents per contact, t + 1 rows each: normal, tangents; row (i, 0) is the normal one.
// Scaled by one factor per contact: force' = force * s_i, alpha' = alpha / s_i, so that the bound
// of friction keeps its form. alpha' = D force' + q over all rows, z = G^T force'.
enum { CONE_CONTACT_FACES = 8, CONE_CONTACT_PYRAMIDS = 16 }; // of a pyramid; most contacts with one

struct cone_contact
{
  int n_max, b_max, c_max, t;
  int c, rows, m;
  bool siconos; // is asked first
  const cone_contact_problem* p;
  const double* base; // scaled normal forces given before; the unknown normal force adds to them
  cone_least* least;  // reduction by the bilateral rows; the smooth problem
  cone_least* modes;  // forces of one combination of modes
  cone_lcp* lcp;
  num_null* null;
  double *s, *G, *D, *q, *mu, *offset;
  double* best;                     // forces with the least fault met
  double* held;                     // alpha of the shortest forces of given modes
  double* whole;                    // mu itself while Newton works with less
  double *force, *alpha;            // scaled
  double *B, *r, *x;                // Lemke
  double *E, *e, *I, *i, *one, *no; // rows of one combination of modes
  double *J, *F, *step, *trial;     // Newton
  double *lambda, *z, *rest;
  double* store; // solutions
  cone_contact_mode *mode, *modes_kept;
  int* pressed;     // rows that carry force
  int *pivot, sign; // of what they do to each other: the sign of its determinant, 0: singular
  double largest;   // scale of forces and accelerations, for tolerances
};

// row of contact i
static inline int cone_contact_row(const cone_contact* f, int i, int k)
{
  return i * (f->t + 1) + k;
}

// row of the problem that is row k of contact i
const double* cone_contact_given(const cone_contact* f, int i, int k, double* d);
// the direction of slip of contact i (t numbers of length one); false: at rest
bool cone_contact_slips(const cone_contact* f, int i, double* direction);

// does contact i hold both ways?
static inline bool cone_contact_both(const cone_contact* f, int i)
{
  return f->p->both && f->p->both[i];
}

// alpha' from force'; the worst fault of all laws over the largest number
double cone_contact_fault(cone_contact* f);
// classify force' and alpha'
void cone_contact_classify(cone_contact* f);
// Frictions along directions in which others hold a contact already (the joints of a mechanism in
// the plane, put into space) move nothing and could be anything: they are none. alpha' is known.
void cone_contact_drop_idle(cone_contact* f);
// add the solution in force' (and mode) to the result unless its motion is there already
void cone_contact_keep(cone_contact* f, cone_contact_result* out);

// rows and columns of the contacts that press in these modes, into `pressed`: how many; and K of
// what their forces do to each other, k by k
int cone_contact_pressing(cone_contact* f, const cone_contact_mode* mode);
void cone_contact_responses(const cone_contact* f, const cone_contact_mode* mode, int k, double* K);
// K x = F into `step`, K into J: by elimination where it is regular, which tells the sign of its
// determinant, else the shortest x
void cone_contact_answer(cone_contact* f, const cone_contact_mode* mode, int k);
// the forces of these modes, the shortest where they are not the only ones, judged by nothing yet;
// false: the slips do not allow the modes, or do not say the way of one
bool cone_contact_follow(cone_contact* f, const cone_contact_mode* mode);

// each leaves force' and, if true, a solution to the tolerance
bool cone_contact_lemke(cone_contact* f);
// fault with which a solution is taken where none is found to rounding
bool cone_contact_newton(cone_contact* f);
// the forces there made exact
void cone_contact_polish(cone_contact* f);
// by Siconos, where it is here
bool cone_contact_siconos(cone_contact* f);
// forces near a solution in space, by pyramids in the place of cones; false: none found
bool cone_contact_faces(cone_contact* f);
// one combination of modes in f->mode (planar, no base)
bool cone_contact_combination(cone_contact* f);
// all combinations
void cone_contact_enumerate(cone_contact* f, cone_contact_result* out);

// the problem reduced to its rows, D and q, without a solution; false with status and reason
bool cone_contact_prepare(cone_contact* f, const cone_contact_problem* p, cone_contact_result* out);
// the impulses of one contact, prepared, that expands with energetic restitution e, scaled; false:
// none were found
bool cone_impact_energetic(cone_contact* f, double e, double* force);
// base (contacts, or null): normal forces already in F, which count in the bound of friction
cone_contact_result cone_contact_solve_on(cone_contact* f, const cone_contact_problem* p,
                                          const double* base, bool enumerate);
