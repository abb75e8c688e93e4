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
