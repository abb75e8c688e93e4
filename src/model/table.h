// Tables: functions by their values on a grid. Private to model.
#pragma once

#include "model/scope.h"

typedef enum model_table_way {
  MODEL_TABLE_LINEAR,
  MODEL_TABLE_CUBIC,
  MODEL_TABLE_STEPS
} model_table_way;
typedef enum model_table_outside {
  MODEL_TABLE_REFUSE,
  MODEL_TABLE_HOLD,
  MODEL_TABLE_EXTEND
} model_table_outside;

typedef struct model_table
{
  int arguments;    // 1 or 2
  int count[2];     // knots along each; 1 where there is no second argument
  double* knot[2];  // ascending, in SI units
  double* value;    // [i * count[1] + j], in SI units
  model_dim dim[3]; // of the arguments, and of the value
  const char* argument[2];
  model_table_way way;
  model_table_outside outside;
} model_table;

// table_read.c: the rows of a file: arguments and value; false with errors noted
typedef struct model_table_rows
{
  int rows;
  double (*at)[3];
} model_table_rows;
bool model_table_read(model_scope* s, const lang_statement* st, model_table_rows* out);

// table_spline.c: the function of these arguments
expr model_table_expr(expr_pool* p, const model_table* t, const expr* x);
