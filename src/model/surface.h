// Surfaces that bound bodies and bases: parametrised patches with their geometry. Private to model.
#pragma once

#include "lang/lang.h"
#include "model/scope.h"

typedef enum model_surface_kind {
  MODEL_PLANE,
  MODEL_SPHERE,
  MODEL_CYLINDER,
  MODEL_CONE,
  MODEL_ELLIPSOID,
  MODEL_TORUS,
  MODEL_CIRCLE, // a torus without thickness: the rim of a sharp disc
  MODEL_PARABOLOID,
  MODEL_PATCH // S(u, v) of the model
} model_surface_kind;

// r(u, v) with e3 along r_u x r_v. Closed surfaces have e3 outwards, open ones upwards.
typedef struct model_surface
{
  model_surface_kind kind;
  bool open;    // a body bounded by it lies on the side of e3
  bool curve;   // r(u) of the model: v means nothing
  expr size[3]; // radii, half-axes, an angle
  expr u, v;    // symbols of the parametrisation
  expr r[3], ru[3], rv[3];
  base_place place;
} model_surface;

// which surface an expression names, from its words alone; false if it names none
bool model_surface_kind_of(const model_scope* s, const lang_node* n, model_surface_kind* kind);
// is it the name of a curve of the model?
bool model_surface_is_curve(const model_scope* s, const lang_node* n);
// the surface or curve meant; false with errors noted
bool model_surface_read_guide(model_scope* s, const lang_node* n, model_surface* out);
// the surface meant, no curve; false with errors noted
bool model_surface_read(model_scope* s, const lang_node* n, model_surface* out);
// r, r_u, r_v with other expressions for u and v
void model_surface_at(const model_scope* s, const model_surface* x, expr u, expr v, expr r[3],
                      expr ru[3], expr rv[3]);
// x = a/|a|
void model_vec_unit(expr_pool* p, const expr a[3], expr out[3]);

// Can the point of a body's surface be told from its normal? Then: x in the body's axes where the
// outward normal is -m.
bool model_surface_has_gauss(model_surface_kind kind);
void model_surface_gauss(const model_scope* s, const model_surface* x, const expr m[3],
                         expr out[3]);

// Coordinates u, v of the point r with outward normal n, and e1 = r_u/|r_u| there, for surfaces
// whose contact point is known by place
void model_surface_chart(const model_scope* s, const model_surface* x, const expr r[3],
                         const expr n[3], expr uv[2], expr e1[3]);

// Weingarten map W = dn of the unit normal n at r, on the axes of the surface (3 by 3, row-major);
// n is the side the curvature is counted to.
void model_surface_weingarten(const model_scope* s, const model_surface* x, const expr r[3],
                              const expr n[3], const expr uv[2], expr W[9]);
