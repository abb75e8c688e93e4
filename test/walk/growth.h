// Counted work of families of models, each of a size, for the tests of growth.
#pragma once

#include "bench.h"

// work: arguments of nodes asked for, nodes and arguments looked at; made: characters of the text,
// arguments of the distinct nodes of the equations, operations of their tape
typedef struct growth_effort
{
  double work, made, operations;
} growth_effort;

typedef struct growth_family
{
  const char* name;
  void (*text)(base_text* t, int size);
  int smallest;
} growth_family;

growth_effort growth_effort_of(void text(base_text*, int), int size);
// from one size to its double the work for each thing made may grow by a few per cent: searches and
// sorting take logarithms
void growth_check(const growth_family* f);
