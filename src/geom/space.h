// Private to geom: what the files on the metric share.
#pragma once

#include "geom/eliminate.h"
#include "geom/pfaff.h"
#include "geom/tensor.h"

// zeroed room for n things, never none
void* geom_take(base_arena* a, int n, size_t size);
// the numbers known, with other values of the space's coordinates
double* geom_space_values(const geom_space* s, const double* q, base_arena* arena);
// Metric and position constraints `rest` at all coordinates q: f, df [k][i], ddf [k][i][j]; false
// where they have no value
bool geom_space_jets(const geom_space* s, const double* q, base_arena* arena, geom_jet* j,
                     double* f, double* df, double* ddf);
// a space of some of the coordinates with a metric of its own
geom_space* geom_space_part(const geom_space* s, int n, const expr* q, const expr* g);
// "x = 1, y = 2"
char* geom_point_words(const geom_space* s, const double* q, base_arena* arena);
