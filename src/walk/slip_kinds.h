// Private to walk: what may begin to slip, and the stretch of the motion in which it does.
#pragma once

#include "contact/contact.h"
#include "walk/slip_onset.h"

typedef struct walk_slip_begins walk_slip_begins;

// one slip that begins
typedef struct walk_starting
{
  int i;                             // number of the grip, or of the inequality
  double excess_rate;                // of a grip: d(|T| - mu N)/dt
  double direction[MODEL_GRIP_ROWS]; // and the way of its slip
  bool young;                        // it has begun a moment ago, and is hardly on its way
  double speed, rate, growth;        // b, a and c of its size b + a s + c s^2/2
  double scale;                      // what it is measured by
} walk_starting;

struct walk_slip_kind
{
  // what begins to slip at the instant, into `out` where that is given; how many
  int (*find)(const walk_job* r, const walk_instant* in, walk_starting* out);
  // the law acts from here on, on the sides of the motion that begins; false where that is not
  // smooth, or where there is no need: it begins as well without (`as_well`)
  bool (*let_go)(walk_slip_begins* o);
  bool (*guess)(void* stretch, double h, double* Y); // for step_onset
  void (*hold)(walk_slip_begins* o);                 // as it was before
  double (*speed)(engine* e, int i);
  double (*gain)(engine* e, int i); // rate of the speed
  const double* bit; // of speeds: what is begun with where no stretch is found, known no better
};

struct walk_slip_begins
{
  walk_job* r;
  const walk_slip_kind* kind;
  int count;
  walk_starting* slip;
  double t, h;       // where it begins, and its length
  double longest;    // that it may have
  bool as_well;      // no stretch is needed
  double *q, *v, *a; // where it begins
  double* y;         // the state there, in the quasi-velocities of slip
  double* beside;    // work space
  double* watched;   // values of the events at the start, then of corners and inequalities
  double* tolerances;
  step_ode ode; // the flow's, no more exact than rounding in the slip allows
  step_onset step;
};

// Corners and inequalities at the state in the input block: what keeps its sign while nothing
// happens to them; nan where it is not known
void walk_onset_look(engine* e, double* value);
