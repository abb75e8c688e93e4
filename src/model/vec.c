// Vectors of three expressions.

#include "model/kin.h"

void model_vec_zero(expr_pool* p, expr out[3])
{
  for (int i = 0; i < 3; i++) out[i] = expr_int(p, 0);
}

void model_vec_add(expr_pool* p, const expr a[3], const expr b[3], expr out[3])
{
  for (int i = 0; i < 3; i++) out[i] = expr_add(p, a[i], b[i]);
}

void model_vec_sub(expr_pool* p, const expr a[3], const expr b[3], expr out[3])
{
  for (int i = 0; i < 3; i++) out[i] = expr_sub(p, a[i], b[i]);
}

void model_vec_scale(expr_pool* p, expr s, const expr a[3], expr out[3])
{
  for (int i = 0; i < 3; i++) out[i] = expr_mul(p, s, a[i]);
}

void model_vec_cross(expr_pool* p, const expr a[3], const expr b[3], expr out[3])
{
  expr c[3];
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    c[i] = expr_sub(p, expr_mul(p, a[j], b[k]), expr_mul(p, a[k], b[j]));
  }
  for (int i = 0; i < 3; i++) out[i] = c[i];
}

expr model_vec_dot(expr_pool* p, const expr a[3], const expr b[3])
{
  expr term[3];
  for (int i = 0; i < 3; i++) term[i] = expr_mul(p, a[i], b[i]);
  return expr_sum(p, 3, term);
}

void model_vec_total(expr_pool* p, const expr a[3], expr out[3])
{
  for (int i = 0; i < 3; i++) out[i] = expr_total(p, a[i]);
}

bool model_vec_is_zero(expr_pool* p, const expr a[3])
{
  expr zero = expr_int(p, 0);
  return a[0] == zero && a[1] == zero && a[2] == zero;
}
