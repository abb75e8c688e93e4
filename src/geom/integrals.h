// Private to geom: what a motion keeps, as linear equations near a point.
#pragma once

#include "geom/jets.h"

geom_pde geom_integrals_positions(const geom_local* x);
geom_pde geom_integrals_linear(const geom_local* x);
geom_pde geom_integrals_quadratic(const geom_local* x);
geom_pde geom_integrals_measure(const geom_local* x);
geom_pde geom_integrals_symmetries(const geom_local* x);
