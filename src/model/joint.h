// joint: the frame of a joint on one of the two that it joins.
#pragma once

#include "model/parts.h"

typedef struct model_joint_frame
{
  expr r[3];        // its origin
  expr R[9];        // its axes as columns: x along the normal, z along the axis
  model_dim length; // of r
} model_joint_frame;

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
