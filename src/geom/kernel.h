// Private to geom: vector fields that span the kernel of some one-forms.
#pragma once

#include "geom/points.h"

// fields: list of vector fields, each N expressions
typedef struct geom_fields
{
  int count;
  expr* X; // count by N
} geom_fields;

// Kernel of the chosen forms (numbers into f->w's rows, taken from w), by elimination along pivots
// that are clearly not zero at the first of the points.
geom_fields geom_kernel(const geom_pfaff* f, const expr* w, int forms, const int* form,
                        const geom_points* at);
