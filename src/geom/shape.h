// Private to geom: what the files on the kind of a space share.
#pragma once

#include "geom/metric_series.h"

// factors.c: the splitting into factors near the random points 1 and 2
void geom_factors_find(geom_shape* r, const geom_space* s);
