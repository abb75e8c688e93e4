// Private to geom: a position constraint solved for one of its coordinates.
#pragma once

#include "geom/geom.h"

// All numbers known at the point where the branch of a root is chosen.
typedef struct geom_known
{
  expr_pool* pool;
  int symbols;
  const expr* symbol;
  const double* value;
} geom_known;

double geom_known_value(const geom_known* k, expr e);

// q = value, free of q, from f = 0, on the branch through the point. EXPR_NONE where f is neither
// linear nor quadratic in q, nor linear in its sine or cosine. The smaller *cost, the simpler.
expr geom_eliminate(const geom_known* k, expr f, expr q, double* cost);
