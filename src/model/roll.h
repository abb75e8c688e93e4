// A contact while it is built: the geometry of both surfaces where they touch. Private to model.
#pragma once

#include "model/parts.h"
#include "model/surface.h"

typedef struct model_touch
{
  model_scope* s;
  model_entry* e;
  const model_entry *body, *base;
  const model_place* centre; // of the body's surface
  model_surface on_body, on_base;
  expr mu[LANG_RUBS][2]; // coefficients of friction, dry and viscous; EXPR_NONE without
  expr axial[2]; // of slip along t1 and t2, where they differ: then mu is one; else EXPR_NONE
  model_patch patch;
  expr radius;  // of it
  bool lands;   // it can let go, and land
  int below[3]; // constraints that tell where the base is touched
  int side;     // +1: the body is on the side of the base's e3, -1 inside
  // in the base's axes
  expr N[3];           // unit normal of the base, into the body
  expr y[3];           // the contact on the base
  expr t1[3], t2[3];   // unit tangents, N x t1 = t2
  expr ub, vb;         // coordinates of the base's chart, where it has them
  expr rub[3], rvb[3]; // and its tangents
  expr rho[3];         // from the centre of the body's surface to the contact
  // in the body's axes
  expr m[3]; // N
  expr x[3]; // rho
  expr u, v; // coordinates of the body's chart, where it has them
  expr ru[3], rv[3];
} model_touch;

// coordinates a contact needs beyond those of the two bodies
bool model_roll_has_patch_coords(model_surface_kind kind, bool on_base);
bool model_roll_has_normal_coords(model_surface_kind kind);

// velocity of the body's point at the contact against the base's, axes of the base
void model_roll_slip(const model_touch* c, expr out[3]);
// coefficients of friction; false with errors noted
bool model_roll_read_friction(model_touch* c);
// may the surfaces come apart by themselves?
bool model_roll_can_part(const lang_statement* st);
// does it land, by impacts? false with errors noted
bool model_roll_read_landing(model_touch* c);
// then its constraints are an inequality and what holds with it; false with errors noted
bool model_roll_land(model_touch* c, model_contact* out);
// the coordinates by which the contact on the base is told: of its chart, or of its normal
void model_roll_base_coords(const model_touch* c, expr out[3]);
// which point of the base is the nearest in flight
void model_roll_near(const model_touch* c, model_contact* out);
// friction against slip, rolling and pivoting
void model_roll_rub(model_touch* c, model_contact* out);
// the law of a patch: s times this is force and moment over it and mu N; V2, U2 the squares of slip
// and pivoting
typedef struct model_patch_factors
{
  expr slip, pivot;
} model_patch_factors;
model_patch_factors model_patch_law(expr_pool* p, model_patch patch, bool rational, expr V2,
                                    expr U2);
// where it stops being a contact
void model_roll_guard(const model_touch* c, model_contact* out);
void model_roll_no_point(const model_touch* c); // an error: the surfaces cannot touch
// what the table shows of it
void model_roll_show(model_touch* c, model_contact* out);
