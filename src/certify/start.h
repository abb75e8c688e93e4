// The first state: enclosed by Krawczyk's test, or to all digits without it.
#pragma once

#include "certify/system.h"

// Fills y (2n: q, v) at time t from the guess in doubles. Null, or why not.
const char* certify_start_find(const certify_system* c, const arb_t t, const double* q,
                               const double* v, bool proves, slong bits, arb_ptr y);
// the largest of |f0|, |f1| over the enclosure y at t
double certify_start_drift(const certify_system* c, const arb_t t, arb_srcptr y, slong bits);
