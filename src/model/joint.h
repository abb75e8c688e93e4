// joint: the frame of a joint on one of the two that it joins.
#pragma once

#include "model/parts.h"

typedef struct model_joint_frame
{
  expr r[3];        // its origin
  expr R[9];        // its axes as columns: x along the normal, z along the axis
  model_dim length; // of r
} model_joint_frame;

typedef enum model_joint_kind {
  MODEL_WELD,
  MODEL_HINGE,
  MODEL_SLIDER,
  MODEL_SCREW,
  MODEL_CYLINDRICAL,
  MODEL_UNIVERSAL,
  MODEL_SPHERICAL,
  MODEL_PLANAR,
  MODEL_FREE,
  MODEL_DISTANCE,
  MODEL_ON_CURVE,
  MODEL_ON_SURFACE,
  MODEL_JOINTS
} model_joint_kind;

typedef struct model_joint_law
{
  const char* name;
  const char* coord[4];
  bool turns_freely;
  int places, turns;
  int freedoms;
} model_joint_law;
extern const model_joint_law model_joint_laws[MODEL_JOINTS];

model_joint_kind model_joint_kind_of(const model_scope* s, const lang_statement* st);
bool model_joint_is_guided(model_joint_kind k); // a point on a curve or surface
// of a point on a curve or surface: its place there, in the axes of the joint on A; zero of others.
// False with errors noted.
bool model_joint_guide(model_scope* s, const model_entry* e, expr out[3]);
// on B and on A; false with errors noted
bool model_joint_frames(model_scope* s, const model_entry* e, model_joint_frame frame[2]);
// scene_guide.c: what its point is on, where it is on something
void model_scene_note_rail(model_scope* s, model_entry* e);
// joint_loop.c
bool model_joint_close(model_scope* s, model_entry* e);

// as written, or the origin and the axis number `axis`; false with errors noted
bool model_joint_frame_read(model_scope* s, const lang_end* end, int axis, model_joint_frame* out);
// axes turned by the constant matrix R, or by its transpose
const model_axes* model_joint_frame_turn(model_scope* s, const model_axes* from, const expr R[9],
                                         bool back);
// R v
void model_joint_frame_carry(model_scope* s, const expr R[9], const expr v[3], expr out[3]);
// turned by an angle about the common z of frames that lie alike on both
const model_axes* model_joint_frame_spin(model_scope* s, const model_axes* from, const expr R[9],
                                         expr angle);
