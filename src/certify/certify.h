// certify: a derived system -> its motion in long arithmetic, proved or plain.
// Takes a smooth system and a state near its start; gives the state at the end as decimals with a
// bound of their error, or says why not.
// Knows nothing of code, engine, rate and walk: what these compute can be held against it.
#pragma once

#include "mech/mech.h"

typedef struct certify_system certify_system;

// Null with the reason noted: stages, events that change the motion, inequalities, friction, laws
// that are not affine in the reactions, constraints nonlinear in the accelerations.
certify_system* certify_system_new(mech_system* s, base_notes* notes);
void certify_system_free(certify_system* c);

typedef struct certify_progress
{
  double t, t_from, t_to, step;
  int steps;
} certify_progress;

typedef struct certify_request
{
  const double *q, *v; // n each: near the start; what the model leaves open is taken from here
  double until;        // end of the motion; not finite: where the model says
  int digits;          // wanted of the end state
  bool proves;         // a proved enclosure; else the same series without a proof, much quicker
  int bits;            // most bits to be worked with, 0: the default
  // asked after every step, where it is not null; false ends the work
  bool (*progress)(void* context, const certify_progress* p);
  void* context;
} certify_request;

typedef struct certify_end
{
  int n;
  char **q, **v; // decimals
  // proved: no further from the truth than this; plain: what another number of bits changed
  double *q_error, *v_error;
  double until;
  double width; // the largest of the balls behind the decimals
  double drift; // proved: no constraint is further from zero than this, anywhere in the enclosure
  int steps, order, bits;
} certify_end;

// Null with the reason noted.
certify_end* certify_run(certify_system* c, const certify_request* r, base_notes* notes);
void certify_end_free(certify_end* e);

// base_foreign_alloc() and so on, of the program that has opened the module
typedef struct certify_memory
{
  void* (*take)(size_t n);
  void* (*resize)(void* p, size_t n);
  void (*give_back)(void* p);
} certify_memory;

// The room needs Arb, which few runs want: programs open it as a module of its own when asked for.
// The module has its own copies of the rooms below, so it must be of the same version. Its memory,
// Arb's among it, is that of the program's call: lack of it gives up the call. So does what Arb and
// FLINT would end the program for, with the reason noted.
typedef struct certify_module
{
  const char* version;
  // before all else of a call, and behind it
  void (*begin)(base_call* call, const certify_memory* memory, base_notes* notes);
  void (*end)(void);
  certify_system* (*system_new)(mech_system* s, base_notes* notes);
  void (*system_free)(certify_system* c);
  certify_end* (*run)(certify_system* c, const certify_request* r, base_notes* notes);
  void (*end_free)(certify_end* e);
} certify_module;
// the name of the one symbol that the module exports, a certify_module
#define CERTIFY_MODULE "certify_module_table"
