// A derived system as graphs: the linear problem of the motion, the equations of the start.
#pragma once

#include "certify/certify.h"
#include "certify/graph.h"

typedef struct certify_entry
{
  int row, column, node;
} certify_entry;

typedef BASE_LIST(certify_entry) certify_entry_list;

// Motion: K x = b with x = (accelerations, reactions), rows: n of Lagrange, then one for each
// constraint. Inputs of all graphs: t, q, v.
struct certify_system
{
  mech_system* s;
  base_arena* arena;
  int n, size;
  int rows, *row; // constraints that take part
  expr *input, *known, *value;
  certify_graph motion;
  certify_entry_list entry;
  int* right;
  // Start: equations in (q, v) at the first instant, what the model says and all levels of the
  // constraints; slope: their derivatives, row by row
  certify_graph start;
  int equations, *equation, *slope;
  int levels; // the last ones are those of constraints
};
