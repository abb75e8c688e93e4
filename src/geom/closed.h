// Private to geom: integrals and symmetries as formulas.
#pragma once

#include "geom/ansatz.h"

// what all searches share
typedef struct geom_search
{
  geom_structure* r;
  const mech_system* s;
  base_arena* work;
  int symbols;
  const expr* symbol;
  double* value; // of the symbols; changed at will
  geom_library basis;
  const double* given;
  double* others;    // with other params
  geom_states fresh; // states that no coefficients were fitted at
  geom_states other; // likewise, at other params; none: there are none
} geom_search;

// fills the formulas of r
void geom_closed_find(geom_structure* r, int symbols, const expr* symbol, const double* value);
// closed_symmetries.c: fields that keep energies and constraints
void geom_closed_symmetries(geom_search* w);
// density.c: the density of the invariant measure
void geom_density_find(geom_search* w);
// the momentum X.p
expr geom_closed_momentum(const geom_search* w, const expr* X);
// shorter where that is affordable
expr geom_closed_tidy(expr_pool* p, expr e);

// Vectors that are independent of each other: each is taken where something of it is left.
typedef struct geom_independent
{
  int length, count, room;
  double* at;
} geom_independent;
geom_independent geom_independent_make(int length, int room, base_arena* arena);
// `size`: of the terms that x is the sum of
bool geom_independent_take(geom_independent* w, const double* x, double size);
// rows of R (count by columns) in the order of their cost: few terms of low degree first
int* geom_closed_order(int count, int columns, const double* R, const int* degree,
                       base_arena* arena);
