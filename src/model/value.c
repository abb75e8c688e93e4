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
  switch (e->sort) {
  case MODEL_IS_PARAM:
    return "a param";
  case MODEL_IS_COORD:
    return "a coordinate";
  case MODEL_IS_LET:
    return "a let";
  case MODEL_IS_QUASI:
    return "a quasi-velocity";
  case MODEL_IS_FRAME:
    return "a frame";
  case MODEL_IS_POINT:
    return "a point";
  case MODEL_IS_BODY:
    return "a body";
  case MODEL_IS_ORIENTATION:
    return "an orientation";
  case MODEL_IS_SURFACE:
    return "a surface";
  case MODEL_IS_JOINT:
    return "a joint";
  case MODEL_IS_SPRING:
    return "a spring or pull";
  case MODEL_IS_FUNCTION:
    return "a function";
  case MODEL_IS_STATE:
    return "a state";
  case MODEL_IS_MEETING:
  case MODEL_IS_CONTACT:
    return "a contact";
  case MODEL_IS_CONSTRAINT:
    return "a constraint";
  case MODEL_IS_OUTPUT:
    return "an output";
  case MODEL_IS_UNSUPPORTED:
  case MODEL_IS_KINETIC:
  case MODEL_IS_POTENTIAL:
    break;
  }
  return "a name";
}
