// Private to walk: the bodies and gaps of flights, as they are made of a system.
#pragma once

#include "walk/flights.h"

// A system on its way to bodies and gaps: expressions, and the reason why it is none.
enum { WALK_FLIGHT_HELD = 2 * WALK_FLIGHT_COORDS };
// slopes by the coordinates, and the slopes of these
typedef struct walk_flight_quadratic
{
  bool is_one;
  int n, coord[WALK_FLIGHT_HELD];
  expr slope[WALK_FLIGHT_HELD], bend[WALK_FLIGHT_HELD][WALK_FLIGHT_HELD];
} walk_flight_quadratic;
// An inequality: sense f >= 0 as its quadratic; f = fixed + rest, and where `root` it is the square
// of the rest that is quadratic.
typedef struct walk_flight_draft
{
  walk_flight_quadratic x;
  bool root;
  expr fixed, rest, square;
} walk_flight_draft;
typedef struct walk_flight_builder
{
  engine* e;
  expr_pool* pool;
  expr_index *places, *others; // symbols of coordinates; of all else that may change
  int* body_of;                // coordinate -> body
  walk_flight_draft* draft;    // of the gaps
  walk_flights* f;
  const char* why;
} walk_flight_builder;
typedef BASE_LIST(expr) walk_flight_exprs;

// false, with the reason kept if it is the first
bool walk_flights_refuse(walk_flight_builder* b, const char* why);
void* walk_flights_take(walk_flight_builder* b, int count, size_t size);
bool walk_flights_is_constant(const walk_flight_builder* b, expr x);
// slopes and bends of x; x->is_one where these are constant and few
void walk_flights_look_at(walk_flight_builder* b, expr x, walk_flight_quadratic* out);
// coordinates i and j are of one body
void walk_flights_join(walk_flight_builder* b, int i, int j);
// where a coordinate stands in its body
int walk_flights_place_in(const walk_flight_body* body, int coord);
// values of a list with all coordinates at zero; to be freed
double* walk_flights_values(walk_flight_builder* b, const walk_flight_exprs* list);

// flights_gaps.c: the inequalities of the model as expressions, what belongs together by them; as
// numbers, from number `first` of the gaps on
bool walk_flights_sketch_gaps(walk_flight_builder* b);
void walk_flights_join_by_gaps(walk_flight_builder* b);
bool walk_flights_fill_gaps(walk_flight_builder* b);

// flights_solids.c: shapes that are looked for: whether they are round, and what belongs together
// by them; their families and centres, and the gaps between round ones and fixed ones behind those
// of the inequalities
bool walk_flights_sketch_solids(walk_flight_builder* b);
bool walk_flights_fill_solids(walk_flight_builder* b);
