// A change at an instant, for the files that carry it out. Private to walk.
#pragma once

#include "walk/run.h"

// what is remembered of the instant before
typedef struct walk_before
{
  double t;
  double *q, *v, *par, *p; // p: momenta
  double* target;          // of each changing param
  bool* sudden;            // params with an instantaneous change
  bool any_sudden, any_driving;
} walk_before;

// params take their new values
void walk_change_settle(engine* e, const walk_before* b);
// velocities by the limit of ever faster changes; 0, or 1 with an error noted
int walk_change_limit(engine* e, const model_change* c, walk_before* b, base_notes* notes);
