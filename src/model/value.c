// Values of expressions: numbers, vectors, and things such as points and frames.

#include "model/scope.h"

model_value model_value_poison(void)
{
  return (model_value){.kind = MODEL_POISON};
}

model_value model_value_scalar(expr e, model_dim d)
{
  return (model_value){.kind = MODEL_SCALAR, .e = {e}, .d = {d}};
}

model_value model_value_vector(const expr e[3], model_dim d)
{
  return (model_value){.kind = MODEL_VECTOR, .e = {e[0], e[1], e[2]}, .d = {d, d, d}};
}

const char* model_value_describe(const model_value* v)
{
  switch (v->kind) {
  case MODEL_SCALAR:
    return "a number";
  case MODEL_VECTOR:
    return "a vector";
  case MODEL_THING:
    return model_sort_text(v->thing);
  case MODEL_POISON:
    break;
  }
  return "nothing";
}

const char* model_sort_text(const model_entry* e)
{
  static const char* const text[] = {[MODEL_IS_PARAM] = "a param",
                                     [MODEL_IS_COORD] = "a coordinate",
                                     [MODEL_IS_LET] = "a let",
                                     [MODEL_IS_QUASI] = "a quasi-velocity",
                                     [MODEL_IS_FRAME] = "a frame",
                                     [MODEL_IS_POINT] = "a point",
                                     [MODEL_IS_BODY] = "a body",
                                     [MODEL_IS_ORIENTATION] = "an orientation",
                                     [MODEL_IS_SURFACE] = "a surface",
                                     [MODEL_IS_JOINT] = "a joint",
                                     [MODEL_IS_SPRING] = "a spring or pull",
                                     [MODEL_IS_FUNCTION] = "a function",
                                     [MODEL_IS_STATE] = "a state",
                                     [MODEL_IS_TABLE] = "a table",
                                     [MODEL_IS_MEETING] = "a contact",
                                     [MODEL_IS_CONTACT] = "a contact",
                                     [MODEL_IS_CONSTRAINT] = "a constraint",
                                     [MODEL_IS_OUTPUT] = "an output",
                                     [MODEL_IS_POTENTIAL] = NULL};
  return text[e->sort] ? text[e->sort] : "a name";
}
