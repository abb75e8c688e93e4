// One step of the motion by its power series.
#pragma once

#include "certify/system.h"

#include <arb_mat.h>

typedef struct certify_motion
{
  const certify_system* c;
  certify_series series;
  int order;      // there is room up to this one
  arb_ptr* input; // coefficients of t, q, v
  arb_ptr* x;     // of accelerations and reactions
  signed char* side;
} certify_motion;

void certify_motion_open(certify_motion* m, const certify_system* c, int order);
void certify_motion_close(certify_motion* m);

// Series up to `order` about (t, y). Null, or why not.
const char* certify_step_expand(certify_motion* m, const arb_t t, arb_srcptr y, int order,
                                slong bits);
// Without a proof: the time in which terms behind `order` stay below 2^-bits of the others.
double certify_step_length(const certify_motion* m, int order, slong bits);
// y at t + h
void certify_step_sum(const certify_motion* m, int order, const arb_t h, arb_ptr y, slong bits);
