// Contacts between shapes that are looked for: solids with their places, and rows of what touches.
// Private to contact.
#pragma once

#include "contact/contact.h"
#include "shape/shape.h"

// a solid: its form, and at the state looked at last its place, its velocity, and how that depends
// on the velocities of the coordinates: v = v0 + sum Jv_c q'_c, omega the same
typedef struct contact_solid
{
  const shape_form* form;
  shape_pose pose;
  int columns;
  int* column;
  double* J;           // six numbers a column: of v, then of omega
  double v0[3], w0[3]; // of what is led by time
  double speed;        // bound of its points
  int still; // bits of the axes of the world along which it never moves, turning about them
  int meeting;
  bool fixed;
} contact_solid;

typedef struct contact_meeting
{
  int first, count; // its solids
  int of;           // its number in the model
  double mu, restitution;
  double rolling, pivoting; // lengths
  code_kernel* law;         // mu of each point by its slip, the last input; null: all have the same
} contact_meeting;

// what belongs to a point of the list found last
typedef struct contact_record
{
  int a, b;
  shape_touch touch;
} contact_record;

struct contact_shapes
{
  engine* e;
  cone_toucher toucher;
  int solids, meetings;
  contact_solid* solid;
  contact_meeting* meeting;
  // numbers that change: the kernel puts them out, each to its place
  code_kernel* kernel;
  int outs;
  double** to;
  double *out, *scratch;
  double *law_in, *law_scratch; // of the laws of friction: inputs of the program and a slip
  double* box;
  int* boxed;
  shape_sweep* sweep;
  shape_pairs pairs;
  BASE_LIST(contact_record) record;
};

// shapes_rows.c: the rows of a point, into its place in the list; its columns are there
void contact_shapes_columns(const contact_shapes* s, const contact_record* r, cone_touches* list,
                            cone_touch* out);
void contact_shapes_rows(const contact_shapes* s, const contact_record* r, const cone_touches* list,
                         cone_touch* out);
// what turning of one against the other is measured with
double contact_shapes_length(const contact_solid* A, const contact_solid* B);
// its velocity along row k; and its coefficient of friction, where that depends on its slip
double contact_shapes_along(const cone_touches* list, const cone_touch* t, int k, const double* v);
void contact_shapes_rub(const contact_shapes* s, const contact_record* r, const cone_touches* list,
                        const double* v, cone_touch* out);
