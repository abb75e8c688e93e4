// A place for the tests of geometry: the params of a model made by hand, time and coordinates, with
// numbers.
#pragma once

#include "mech/hand.h"

typedef struct place
{
  int n;
  expr symbol[HAND_MOST];
  double value[HAND_MOST];
} place;

// params as given, t = 0, coordinate i at q[i]
static inline place place_of(const hand* h, const double* q)
{
  place p = {0};
  for (int i = 0; i < h->m.params; i++) {
    p.symbol[p.n] = h->m.param[i].symbol;
    p.value[p.n++] = h->m.param[i].number;
  }
  p.symbol[p.n] = h->m.t;
  p.value[p.n++] = 0;
  for (int i = 0; i < h->m.coords; i++) {
    p.symbol[p.n] = h->m.coord[i].q;
    p.value[p.n++] = q[i];
  }
  return p;
}
