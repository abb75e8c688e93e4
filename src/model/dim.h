// Physical dimensions and units: gradual, so that what has no unit fits everything.
#pragma once

#include "base/base.h"
#include "expr/expr.h"

// a dimension is unknown (no unit was given), pure (a small factor such as 1/2 or pi), or known
typedef enum model_dim_kind { MODEL_DIM_UNKNOWN, MODEL_DIM_PURE, MODEL_DIM_KNOWN } model_dim_kind;

enum { MODEL_DIM_BASES = 7, MODEL_DIM_PARTS = 60 };

// Exponents of m, kg, s, A, K, mol, cd in sixtieths, so that halves, thirds and fifths are exact.
// What a dimension was made from decides how far a misfit may be trusted: a bare number beside a
// coordinate may stand for a quantity with a unit (2*x may be a force), beside a param with a unit
// it hardly does.
typedef struct model_dim
{
  uint8_t kind; // model_dim_kind
  bool param;   // a param with a unit is in it
  bool coord;   // a coordinate with a unit is in it
  bool factor;  // a bare factor is in it
  int16_t e[MODEL_DIM_BASES];
} model_dim;

model_dim model_dim_unknown(void);
model_dim model_dim_pure(void);
model_dim model_dim_one(void); // known, without dimension
// m^length kg^mass s^time
model_dim model_dim_of(int length, int mass, int time);
model_dim model_dim_mul(model_dim a, model_dim b);
model_dim model_dim_div(model_dim a, model_dim b);
model_dim model_dim_pow(model_dim a, double exponent);
model_dim model_dim_rate(model_dim a, int primes); // per second, once for each prime
// the result of a function such as sin: without dimension, but too weak to contradict a unit
model_dim model_dim_weak(void);
bool model_dim_same(const model_dim* a, const model_dim* b); // of two known ones
bool model_dim_is_one(const model_dim* a);
// may a and b be added? gives the dimension of the sum
bool model_dim_join(model_dim a, model_dim b, model_dim* sum);
// surely not what is wanted (in a statement that wants a definite dimension)
bool model_dim_misfits(const model_dim* a, const model_dim* wanted);
// surely has a dimension where a pure number is wanted
bool model_dim_has_unit(const model_dim* a);
// "m/s^2"; "1" when without dimension
const char* model_dim_text(base_arena* arena, const model_dim* a);

// Reads "kg*m^2/s"; false with errors noted. The scale is exact: 1 [deg] is pi/180.
bool model_unit_read(const char* text, base_place place, expr_pool* pool, base_notes* notes,
                     model_dim* dim, expr* scale);

// a number without a unit, which may be meant in the unit of a param
bool model_dim_is_bare(model_dim d);
