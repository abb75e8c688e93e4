// Bodies that meet only in impacts, each flying by itself in between: one queue of what happens to
// them next. Private to walk.
//
// Between impacts the coordinates of a body run along parabolas,
//   q(t) = q + v (t - t0) + a (t - t0)^2 / 2,
// which stay valid until it is hit, whatever happens to others. A gap is a quadratic function of
// the coordinates of one body or two, so that it is a polynomial in time of degree 2 or 4, whose
// first fall through zero is known. Each body keeps the first of all that await it, and a heap of
// the bodies has the next one of all on top: an impact costs what its neighbourhood costs, and the
// logarithm of their number. After Alder and Wainwright, J. Chem. Phys. 31 (1959), 459; with one
// event for a body, Lubachevsky, J. Comput. Phys. 94 (1991), 255.
#pragma once

#include "walk/run.h"

enum {
  WALK_FLIGHT_COORDS = 6,  // most of a body
  WALK_FLIGHT_SQUARES = 6, // most of a gap
  WALK_FLIGHT_AXES = 3,
  WALK_FLIGHT_NOBODY = -1
};

// sum over m of D_m (row_m . q + shift_m)^2 / 2 + G . q + c >= 0, q those of body[0], then of
// body[1]
typedef struct walk_flight_gap
{
  int body[2]; // the second may be nobody
  int n;       // coordinates of both
  int squares;
  double D[WALK_FLIGHT_SQUARES], shift[WALK_FLIGHT_SQUARES];
  double row[WALK_FLIGHT_SQUARES][2 * WALK_FLIGHT_COORDS];
  double G[2 * WALK_FLIGHT_COORDS], c;
  double restitution;
  bool sequential; // impacts that feel each other are made one after the other
  const char* name;
} walk_flight_gap;

// a gap with another body that is looked at only while that is in a cell nearby
typedef struct walk_flight_pair
{
  int partner, gap;
} walk_flight_pair;

// a part of the way of a body in the last step
typedef struct walk_flight_piece
{
  int before; // the one before, -1
  double t;
  double q[WALK_FLIGHT_COORDS], v[WALK_FLIGHT_COORDS];
} walk_flight_piece;

typedef struct walk_flight_body
{
  int n;
  int coord[WALK_FLIGHT_COORDS];
  double W[WALK_FLIGHT_COORDS * WALK_FLIGHT_COORDS]; // inverse of its masses
  double a[WALK_FLIGHT_COORDS];
  int gaps, *gap; // that it has a part in, whoever is near
  int pairs;      // and those with bodies nearby, by these
  walk_flight_pair* pair;
  // its centre, the point whose distance from those of others is looked at
  bool centred;
  double centre[WALK_FLIGHT_AXES][WALK_FLIGHT_COORDS], offset[WALK_FLIGHT_AXES];
  double radius;
  uint64_t families; // whose round bodies it meets
  int64_t cell[WALK_FLIGHT_AXES];
  int next, before; // in the list of its cell
  double leaves;    // its cell, along an axis to one side
  int leaves_axis, leaves_side;
  // its flight
  double t;
  double q[WALK_FLIGHT_COORDS], v[WALK_FLIGHT_COORDS];
  long changes;
  int piece; // the last one of the step
  // the first that awaits it, as its partner flew when that was found
  double due;
  int due_gap; // as walk_flights_gap has it; -1: it leaves its cell
  long due_changes;
  // the last that happened to it
  double hit;
  int hit_gap;
  double hit_normal[WALK_FLIGHT_COORDS];
  int hits; // at one instant
} walk_flight_body;

// round bodies that meet each other, near ones looked for
typedef struct walk_flight_family
{
  const char* name;
  double restitution;
  bool sequential;
} walk_flight_family;
enum { WALK_FLIGHT_FAMILIES = 64 };

struct walk_flights
{
  engine* e;
  int bodies, gaps, families;
  int more_gaps; // those that shapes will make
  walk_flight_family family[WALK_FLIGHT_FAMILIES];
  walk_flight_gap made; // between the two round bodies asked for last
  walk_flight_body* body;
  walk_flight_gap* gap;
  // cells, no smaller than the largest distance at which two meet, in lists by their numbers
  double cell;
  double reach; // the largest distance at which two meet
  int axes, buckets, *bucket;
  int *heap, *place; // bodies by what is due, the next one first; where each stands
  BASE_LIST(walk_flight_piece) pieces;
  double t, until;   // the instant of the queue, the end of the run
  double t_old, to;  // the last step
  double released;   // energy by the impacts of the last step
  long made_impacts; // in the last step
  step_flights ode;  // for the stepper
  char reason[160];
};

// Why a system cannot go by flights, or null (flights_build.c); with the queue made, at the
// engine's state, where it can.
const char* walk_flights_build(walk_job* r, walk_flights** out);

// flights_queue.c: all bodies fly from t on with the state y; up to `to`, or as many impacts as
// there are bodies: the instant reached. The state at an instant of that way.
void walk_flights_launch(walk_flights* f, double t, const double* y);
int walk_flights_fly(walk_flights* f, double to, double* reached);
void walk_flights_at(const walk_flights* f, double t, double* y);

// flights_cells.c: which gaps are distances of centres, to be looked at nearby only; the cells of
// all bodies at the instant of the queue; when a body leaves its own, and that it does
void walk_flights_find_centres(walk_flights* f, base_arena* arena);
void walk_flights_fill_cells(walk_flights* f);
void walk_flights_find_leaving(const walk_flights* f, walk_flight_body* b, double now);
void walk_flights_leave_cell(walk_flights* f, int body);
// the gap of this number; below -1 the one between the body and round body -2 - number, made anew
// with each call
const walk_flight_gap* walk_flights_gap(walk_flights* f, int body, int gap);
// the gaps between a body and those in the cells around it, by their numbers
typedef void walk_flights_each(walk_flights* f, int body, int gap, double now);
void walk_flights_each_near(walk_flights* f, int body, double now, walk_flights_each* each);

// flights_gap.c: the first fall of c0 + c1 t + c2 t^2 through zero behind t = 0
double walk_flights_fall(double c0, double c1, double c2);
// the time from `now` on after which a gap falls through zero; infinite: never
double walk_flights_closing(const walk_flights* f, const walk_flight_gap* g, double now);
// the velocities of its bodies after the impact at the instant t, at which they stand: 0, or 1 with
// the reason
int walk_flights_hit(walk_flights* f, const walk_flight_gap* g, double t);
