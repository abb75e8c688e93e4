// guide: a curve or a surface that a point is held on, and its friction. Private to model.
#pragma once

#include "model/parts.h"
#include "model/surface.h"

typedef struct model_guide
{
  int ways;             // 1 a curve, 2 a surface
  expr y[3], at[3];     // the place of the point, and of the guide by its coordinates
  expr way[2], rate[2]; // those, and their rates
  expr reaction[3];     // of a curve: on the point, in the axes of y
} model_guide;

// unit tangents, perpendicular to each other, and of a surface the unit normal
void model_guide_axes(model_scope* s, const model_guide* g, expr t[2][3], expr n[3]);
// slip and normal force of the contact c; false where there are none
bool model_guide_slip(model_scope* s, const model_guide* g, model_constraint* c);
// the curve that a constraint of three parts holds its point on; false with errors noted
bool model_guide_read(model_scope* s, const model_entry* e, model_guide* g);
