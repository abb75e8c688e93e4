// Bychkov's equations while they are written: see roll_paper.c for the letters. Private to model.
#pragma once

#include "model/roll.h"

typedef struct model_paper_chart
{
  expr q[2], rate[2]; // coordinates
  expr r[3], e[3][3];
  expr S[3]; // 11, 12, 22
  expr kap[2];
  expr J[3]; // u1 = J0 q1' + J1 q2', u2 = J2 q2'
} model_paper_chart;

typedef struct model_paper
{
  model_scope* s;
  const model_touch* c;
  const char* name;
  model_paper_chart body, base;
  expr q[MODEL_CONTACT_COORDS];
  bool named[MODEL_CONTACT_COORDS]; // by this derivation, not coordinates of the model
  expr g, sine, cosine, angle_rate;
  expr w[3]; // sigma, tau, n
  expr W[3]; // turning of e
  expr j[3], gravity[3];
  BASE_LIST(model_named) definition, equation;
  model_named force[3];
  expr weight[3];
} model_paper;

extern const char* const model_paper_label[3]; // sigma, tau, n

const char* model_paper_part_name(const model_paper* x, const char* part, const char* after);
// a symbol for the value, where that is more than a number or a symbol
expr model_paper_define(model_paper* x, const char* part, expr value);
void model_paper_equate(model_paper* x, const char* name, expr left, expr right);

// ---- masses: roll_paper_masses.c ---------------------------------------------------------------

// a mass on the axes of the contact
typedef struct model_weight
{
  expr m;
  expr x[3], d[3], v[3]; // from the body's origin (its axes), from the contact, velocity
  expr H[3];             // angular momentum about its own centre
  expr own[3];           // its angular velocity against the body, axes of the body
} model_weight;

// is what turns with the frame, about one point of it
bool model_paper_suits(const model_entry* e);
void model_paper_weigh(const model_paper* x, const model_entry* e, model_weight* out);
// along a carried coordinate: m a.dr/dalpha + H'.dw/dalpha', and the same for gravity
void model_paper_carried(model_paper* x, int count, const model_weight* list,
                         const model_coord* alpha);
// (2.5) in letters, and what they stand for
void model_paper_momenta(model_paper* x, int count, const model_weight* list, const expr u[2]);
