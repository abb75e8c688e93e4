// Contacts between shapes while the model is built: who may touch whom. Private to model.
#pragma once

#include "model/parts.h"

// a body, and which shape of the statement it has
typedef struct model_meeting_body
{
  model_entry* thing;
  int shape;
} model_meeting_body;

typedef struct model_meeting_entry
{
  int bodies;
  model_meeting_body* body;
  // why near pairs are looked for as the motion goes; null: each point is a constraint
  const char* why;
} model_meeting_entry;

// solid.c: the shape as written, its sizes positive; false with errors noted
bool model_solid_read(model_scope* s, const lang_solid* x, model_solid* out);
// solid_mesh.c: the corners of a file of triangles
bool model_solid_mesh(model_scope* s, const lang_solid* x, model_solid* out);
// how many points it has at most above a plane, before anything is worked out; 0: not known, or
// none that go on event by event where these are not asked for
int model_solid_points(const lang_solid* x, bool events);
bool model_solid_is_box(const lang_solid* x); // in space
bool model_solid_is_plane(const lang_solid* x);
bool model_solid_is_round(const lang_solid* x);
bool model_solid_has_core(const lang_solid* x); // a round one touches it in one point
int model_solid_sides(
    const lang_solid* x); // of a flat one with corners around it; circle: 1; else 0

// meeting_still.c: does nothing move it, as its statement alone tells?
bool model_meeting_still(const model_scope* s, const model_entry* e);

// meeting_points.c: the points where two solids may touch, as constraints behind those of the model
typedef struct model_meeting_pair
{
  const model_entry *a, *b;
  const model_solid *A, *B;
  const char* name;
  model_constraint law; // sense, restitution, law of impact
} model_meeting_pair;
typedef BASE_LIST(int) model_meeting_points;
bool model_meeting_touch(model_scope* s, const model_meeting_pair* x, model_meeting_points* out);
void model_meeting_add(model_scope* s, const model_meeting_pair* x, expr gap, int slips,
                       const expr* slip, int from, model_meeting_points* out);
// is it the velocity of something that moves?
bool model_meeting_moves(model_scope* s, expr e);
// of the point of A that lies at y + arm, against B and in its axes
void model_meeting_velocity(model_scope* s, const model_meeting_pair* x, const expr y[3],
                            const expr arm[3], expr v[3]);
void model_meeting_tangents(model_scope* s, const expr n[3], expr t[2][3]); // two across a unit one
// meeting_core.c: the same for a round shape A and one whose core is a box or a cylinder
bool model_meeting_core(model_scope* s, const model_meeting_pair* x, model_meeting_points* out);
// meeting_sides.c: the same for two flat shapes with corners, off until they face each other
bool model_meeting_sides(model_scope* s, const model_meeting_pair* x, model_meeting_points* out);

// meeting_footing.c: the same for solids with edges in space. How many places a pair has; none: it
// is no pair of such.
typedef struct model_meeting_places
{
  int across, around;
} model_meeting_places;
model_meeting_places model_meeting_footings(const lang_solid* a, const lang_solid* b);
bool model_meeting_foot(model_scope* s, const model_meeting_pair* x, model_meeting_places places,
                        model_meeting_points* out);
// the axis of the world along which nothing moves, and about which alone both turn; -1: in space
int model_meeting_still_axis(model_scope* s, const model_meeting_pair* x);
