// What delayed values remember: pieces of what was delayed, along the motion. Part of the door of
// engine.
//
// A piece is one of the steps, or what was left of it by something that happened inside; in it each
// delayed expression is a sum of Chebyshev polynomials. Pieces between which values or their rates
// may jump belong to different segments. Which segment is read now is part of the mode: it changes
// where a break arrives, and steps end there. Each delay has its own way of reading; no step is
// longer than the shortest delay, so that all that is read was recorded before the step.
#pragma once

#include "base/base.h"

struct engine;

enum {
  engine_delay_terms = 16, // of a piece; at so many places is it read
  // breaks of a higher derivative than this are none for any of the methods
  engine_delay_breaks = 9,
  engine_delay_none = -1, // the segment before the start
};

typedef struct engine_delay_piece
{
  double from, to;
} engine_delay_piece;

typedef struct engine_delay_segment
{
  double from;
  int first; // its first piece
  int order; // of the lowest derivative that may jump where it begins
} engine_delay_segment;

typedef struct engine_delays
{
  int count;
  int* param; // of each, among those that change
  double* lag;
  double longest, shortest;
  bool recording;
  int* reads; // the segment that is read now
  BASE_LIST(engine_delay_segment) segment;
  BASE_LIST(engine_delay_piece) piece;
  BASE_LIST(double) term; // piece by piece, delay by delay
  double value[];         // work space: of each at every place, then of each
} engine_delays;

// null where the model has none; false with an error noted where a time is no time
bool engine_delays_open(struct engine* e, base_notes* notes);
// what is delayed is what it is now, and was so before
void engine_delays_stand(struct engine* e);
// from time t on all is recorded, before it everything was as it is now
void engine_delays_begin(struct engine* e, double t);
// where to read the piece from `from` to `to`, of the places 0 .. engine_delay_terms - 1
double engine_delays_place(double from, double to, int i);
// what is delayed is read off the engine's state as place i
void engine_delays_read(struct engine* e, int i);
// all places were read
void engine_delays_piece(struct engine* e, double from, double to);
// the motion goes on from t with a break of this derivative
void engine_delays_break(struct engine* e, double t, int order);
// when the next break arrives at one of them
double engine_delays_next(const struct engine* e);
// those that have arrived by t are read from their new segments; the lowest order of them
int engine_delays_arrive(struct engine* e, double t);
// values and rates at the time t into the params; a part of engine_time()
void engine_delays_at(struct engine* e, double t);
