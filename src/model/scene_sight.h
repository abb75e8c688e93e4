// What expressions are of, found in their numbers at some states drawn at random: a distance, a
// height above a plane, the difference of two places. Whether they are written as norms, as squares
// or multiplied out does not matter. Private to the pictures of model.
#pragma once

#include "model/scene.h"

enum { MODEL_SIGHTS = 24 }; // states

typedef struct model_sight_point
{
  const char* name;
  expr at[3];
  double x[3][MODEL_SIGHTS];
  bool moves[3]; // along which axes
  bool free;     // along some
  bool heavy;    // something with mass is there
} model_sight_point;

typedef struct model_sight
{
  model_scene_list* l;
  model_scope* s;
  int symbols;
  expr* symbol;
  double* state; // symbols at each of the states
  BASE_LIST(model_sight_point) points;
} model_sight;

// the points of the picture so far; false where there are too many to look at
bool model_sight_open(model_sight* x, model_scene_list* l);
void model_sight_close(model_sight* x);
// an expression at the states
void model_sight_values(const model_sight* x, expr e, double out[MODEL_SIGHTS]);
bool model_sight_varies(const double y[MODEL_SIGHTS]);
// the one axis of the world that a point goes along; -1: it goes along none or several
int model_sight_line_of(const model_sight_point* p);
// the number of an expression without coordinates; nan where it has some
double model_sight_number(const model_sight* x, expr e);
// free of coordinates, velocities, reactions
bool model_sight_is_free(model_scope* s, expr e);

// y = sum of by[i] column[i], by least squares over the states: does it hold, and are the columns
// independent?
typedef enum model_fit { MODEL_FIT_NOT, MODEL_FIT_LOOSE, MODEL_FIT_GOOD } model_fit;
enum { MODEL_FIT_MOST = 8 };
model_fit model_sight_fit(int n, const double* const column[], const double* y, double* by);

// expressions under the roots in e that hold coordinates; how many, at most `room`
int model_sight_roots(const model_sight* x, expr e, int room, expr* out);

// f = offset + scale d or d^2 with d the distance of two points, or of a point and a place that no
// coordinate moves
typedef struct model_sight_distance
{
  int point, other; // other: -1 where it is the place
  expr place[3];
  bool squared;
  double scale, offset;
} model_sight_distance;
bool model_sight_distance_of(const model_sight* x, expr f, model_sight_distance* out);
// the same with d the distance of a point from an axis of the world, or one along it; which, -1:
// none
int model_sight_axis_of(const model_sight* x, expr f, model_sight_distance* out);

// f = offset + normal . (place of a point, less that of another where there is one)
typedef struct model_sight_height
{
  int point, other;
  double normal[3];
  double offset;
} model_sight_height;
bool model_sight_height_of(const model_sight* x, expr f, model_sight_height* out);
