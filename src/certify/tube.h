// How far a series of the motion reaches, proved.
#pragma once

#include "certify/step.h"

#include <acb_mat.h>

// bounds need no more digits than a double has, and few terms of a series
enum { certify_tube_bits = 64, certify_tube_terms = 40 };

typedef struct certify_tube
{
  const certify_system* c;
  acb_ptr in, value, slope;
  acb_mat_t K, b, x, right, slopes;
  arb_ptr *p, *rise; // coefficients of t, q, v, and of their derivatives, so many
  int terms;
  mag_ptr tail; // what the others come to
  mag_t more;
  mag_ptr most;   // 2n: bounds of the rates
  mag_ptr wide;   // 2n: of the tube
  arb_mat_t rate; // 2n by 2n: bounds of their derivatives
  double share;   // of the reach that the coefficients show, proved at the step before
  int pieces;     // looked at for this step
  bool again;     // what stands still has its value
} certify_tube;

void certify_tube_open(certify_tube* u, const certify_system* c);
void certify_tube_close(certify_tube* u);

// The series of the motion m about (t, y), y a point, goes up to `order`. Gives a time tau: the
// solution through y is analytic for complex times within tau of t, and for these no further than
// wide[i] from the polynomial. 0: none was found.
double certify_tube_reach(certify_tube* u, const certify_motion* m, int order);
// Motions that begin within off[i] of y: how far they are from that through y at all times up to h,
// h <= tau, and at h, into off. False: not known to stay in the tube.
bool certify_tube_spread(certify_tube* u, const arb_t h, mag_ptr off);

// ---- one square of times (square.c) -------------------------------------------------------------

// The polynomials with as many digits and terms as bounds need, the others in `tail` for |s| <= R.
void certify_square_shorten(certify_tube* u, const certify_motion* m, int order, double radius);
// Inputs t + s, p(s), where wanted with the tube about them.
void certify_square_place(certify_tube* u, acb_srcptr s, bool tubed);
// Bounds over what was placed, added to those so far. False where the motion is not known to be
// analytic there; slopes also where the square may be too large, which makes things steep in tau.
bool certify_square_rates(certify_tube* u);
bool certify_square_slopes(certify_tube* u, bool real, double tau);
