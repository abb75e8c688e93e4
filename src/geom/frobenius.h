// Private to geom: Frobenius' theorem for the forms of a model.
#pragma once

#include "geom/growth.h"

// omega ^ d omega = 0: is the form integrable by itself?
expr_truth geom_frobenius_alone(const geom_pfaff* f, const expr* w);

// Which forms are integrable together with the others: truth[k] for each form of f;
// `solid` ones are integrable by themselves.
void geom_frobenius_together(const geom_pfaff* f, const expr* w, const geom_points* at,
                             const geom_growth* g, const bool* solid, expr_truth* truth);
