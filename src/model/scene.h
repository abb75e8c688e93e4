// Parts of a picture while they are collected. Private to model.
#pragma once

#include "model/parts.h"

typedef struct model_scene_list
{
  model_scope* s;
  BASE_LIST(model_part) parts;
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

// scene_contact.c
// is the body drawn by a surface it touches with?
bool model_scene_has_surface(const model_scope* s, const model_entry* body);
void model_scene_contact(model_scene_list* l, const model_entry* e);
