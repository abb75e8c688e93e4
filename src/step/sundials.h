// What the CVODE and the IDA stepper share: weights, finite differences, the blended dense output.
#pragma once

#include "step/step.h"

#include <nvector/nvector_serial.h>
#include <sundials/sundials_types.h>

struct step_sundials;
// what the steps of one of the libraries are made of
typedef struct step_sundials_library
{
  // one step towards `far` that ends at t_limit at the latest, where it ended into *t; a negative
  // flag where it failed, and the status of that flag
  int (*advance)(struct step_sundials* s, double far, double t_limit, double* t);
  step_status (*status_of)(struct step_sundials* s, int flag);
  // z by one step of Euler's method of length h; it is exact where the way is too short for the
  // library to begin with
  step_status (*euler)(struct step_sundials* s, double h);
  // where the end is not known: a time that gives the direction and the scale of the first step
  double (*far_end)(const struct step_sundials* s);
  bool (*interpolate)(struct step_sundials* s, double t); // z at t inside the last step
  long (*rejected)(struct step_sundials* s);              // trials since its start
} step_sundials_library;

typedef struct step_sundials
{
  step_stepper base;
  const step_sundials_library* calls;
  SUNContext library;
  N_Vector z;            // what the library integrates: y = z + offset in the first ode.n entries
  int size;              // of z, at least 1
  double* offset;        // sum of the small amendments; the library's history never sees them
  double *y_old, *work;  // state at t_old; scratch of `size`
  double *gap_old, *gap; // what the library's interpolant lacks at t_old and t
  bool gaps_ready;
  bool restart; // the state was amended by much: begin afresh at the next step
  bool started; // the library has been started and has made no step yet
  bool not_finite;
  int code;                // of the last evaluation
  double t_end, direction; // where the run goes; direction +1, -1, or 0 if not known yet
  long rejected_before;    // by earlier starts
  base_hold hold;          // of what the library has made
} step_sundials;

// memory for a stepper of `bytes` that begins with step_sundials, for `size` unknowns
void* step_sundials_new(size_t bytes, const step_method* method, const step_sundials_library* calls,
                        const step_ode* ode, int size);
void step_sundials_free(step_sundials* s);
// y = z + offset into s->work
const double* step_sundials_state(step_sundials* s, const double* z);
// weight of component i for a root-mean-square norm over `size` that is to be at most one
double step_sundials_weight(const step_sundials* s, int i, double y);
// increment for a difference quotient in component i
double step_sundials_increment(const step_sundials* s, int i, double y, double hf);
// take y as the state at t of a run towards t_end, before the library is started there
step_status step_sundials_begin(step_sundials* s, double t, const double* y, double t_end);
// of step_method: a step; y at t inside it; y as the state at its end, where small changes go to
// the offset and large ones ask for a restart
step_status step_sundials_step(step_stepper* base, double t_limit);
void step_sundials_dense(step_stepper* base, double t, double* y);
step_status step_sundials_amend(step_stepper* base, const double* y);
step_status step_sundials_fail(step_sundials* s, step_status status, const char* what);
// status for a failure that came out of the right-hand side
step_status step_sundials_refuse(step_sundials* s);
bool step_sundials_finite(int n, const double* x);
// handler for the library's messages: the last one becomes the reason
void step_sundials_message(int code, const char* module, const char* function, char* text, void* s);
