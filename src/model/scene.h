// Parts of a picture while they are collected. Private to model.
#pragma once

#include "model/parts.h"
#include "model/surface.h"

typedef struct model_scene_list
{
  model_scope* s;
  BASE_LIST(model_part) parts;
  bool weighs; // the potential says which way things fall
  expr weight[3];
} model_scene_list;

// a part of that kind with nothing but zeros; kept by adding it to the list
model_part model_scene_part(const model_scope* s, model_part_kind kind, const char* name,
                            const model_entry* carrier);
// world axes: the place, and the axes
void model_scene_place(const model_scope* s, const model_place* p, expr out[3]);
void model_scene_axes(const model_scope* s, const model_axes* a, model_part* p);

// scene_force.c
void model_scene_forces(model_scene_list* l);

// scene_string.c
// length of the string between two points in world axes, zero where no inequality bounds them
expr model_scene_string(model_scope* s, const expr from[3], const expr to[3]);

// its length as a symbol where f bounds or tells the distance, EXPR_NONE where f is something else
expr model_scene_length(model_scope* s, expr f, const expr from[3], const expr to[3]);

// scene_rigid.c: rods between places whose distance never changes
void model_scene_rigid(model_scene_list* l);

// scene_ring.c: gimbals, bodies that are `held` as rings of the radius size[0] about `normal` in
// their own axes
void model_scene_rings(model_scene_list* l);

// scene_rope.c: ropes over wheels
void model_scene_ropes(model_scene_list* l);

// scene_held.c: rods, strings, ground and round obstacles of constraints
void model_scene_held(model_scene_list* l);
struct model_sight;
struct model_sight_point;
// scene_ground.c
// is ground along it drawn for what goes with its point?
bool model_scene_has_ground(const model_scene_list* l, const struct model_sight* x,
                            const model_part* g);
// under a wheel at p about the constant axis n that goes along an axis of the world: R d below, R
// with its sign
void model_scene_wheel_ground(model_scene_list* l, const struct model_sight* x,
                              const struct model_sight_point* p, const double n[3], int along,
                              double radius);
// tables that turn under what rolls on them
void model_scene_tables(model_scene_list* l);
// ground turns with a frame that turns about its normal with time
void model_scene_turn_ground(const model_scene_list* l, const struct model_sight* x, model_part* g);
// scene_spokes.c
typedef struct model_scene_foot
{
  int point;
  expr place[3], length;
} model_scene_foot;
// obstacles that bound one point: round ones, or feet of spokes where they overlap
void model_scene_feet(model_scene_list* l, const struct model_sight* x, int n,
                      const model_scene_foot* foot);
// scene_curve.c: a wire, or uneven ground; false where the constraint is none
bool model_scene_curve(model_scene_list* l, const struct model_sight* x, const model_constraint* c);
// scene_spring.c: springs and centres of the potential, springs of forces
void model_scene_springs(model_scene_list* l);
// scene_blade.c: blades and wheels of constraints on velocities
void model_scene_blades(model_scene_list* l);
// scene_solid.c: shapes of contacts
void model_scene_solids(model_scene_list* l);
// scene_joint.c: what frames and joints turn about
void model_scene_joints(model_scene_list* l);

// scene_guide.c: curves and surfaces that joints hold points on
void model_scene_guides(model_scene_list* l);

// scene_contact.c
// is the body drawn by a surface it touches with?
bool model_scene_has_surface(const model_scope* s, const model_entry* body);
void model_scene_contact(model_scene_list* l, const model_entry* e);
// the part p as a surface or curve at a place, in these axes
void model_scene_surface(model_scene_list* l, const model_surface* x, const model_place* at,
                         const model_axes* axes, model_part p);
