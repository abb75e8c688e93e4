// Places as they are written: three lengths.

#include "model/parts.h"

enum {
  MOVING = MODEL_USES_VELOCITY | MODEL_USES_ACCELERATION | MODEL_USES_JERK | MODEL_USES_REACTION |
           MODEL_USES_RATE
};

bool model_place_vector(model_scope* s, const lang_node* n, const char* what, expr r[3],
                        model_dim* length)
{
  model_dim d[3];
  if (!model_eval_vector(s, n, what, r, d)) return false;
  for (int i = 0; i < 3; i++) {
    if (!model_expect_dim(s, n, d[i], model_dim_of(1, 0, 0), what)) return false;
    if (!model_expect_free(s, n, r[i], MOVING, what)) return false;
    // one part in metres makes the whole a length
    model_dim metre = model_dim_of(1, 0, 0);
    if (d[i].kind == MODEL_DIM_KNOWN && model_dim_same(&d[i], &metre) &&
        (length->kind != MODEL_DIM_KNOWN || d[i].param))
      *length = d[i];
  }
  return true;
}
