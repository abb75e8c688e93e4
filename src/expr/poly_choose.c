// Which of equal polynomials is the shortest: by cos^2 + sin^2 = 1 of each angle, and by the
// squares of a unit quaternion that add up to one.
#include "expr/poly.h"

long expr_poly_length(const expr_ring* r, const expr_poly* a)
{
  long n = 0;
  for (int i = 0; i < a->n; i++) {
    const int8_t* row = expr_poly_row(r, a, i);
    n += a->coef[i] != EXPR_ONE && a->coef[i] != EXPR_MINUS_ONE;
    for (int k = 0; k < r->kernel.n; k++)
      if (row[k]) n += 1 + (row[k] != 1) + (r->kernel.at[k].pair >= 0);
  }
  return n;
}

bool expr_poly_has_square(const expr_ring* r, const expr_poly* a, int kernel)
{
  for (int i = 0; i < a->n; i++)
    if (expr_poly_row(r, a, i)[kernel] >= 2) return true;
  return false;
}

// for each angle: as it stands, without sin^2, or without cos^2, whichever is shortest
bool expr_poly_choose_squares(expr_ring* r, expr_poly* a)
{
  int kernels = r->kernel.n;
  bool changed = false;
  for (int k = 0; k < kernels && !r->failed; k++) {
    if (r->kernel.at[k].kind != EXPR_KERNEL_SINE) continue;
    for (int side = 0; side < 2 && !r->failed; side++) {
      int square = side ? r->kernel.at[k].pair : k;
      if (!expr_poly_has_square(r, a, square)) continue;
      expr_poly b = expr_poly_copy(r, a);
      expr_poly_drop_square(r, &b, square);
      expr_poly_shorten(r, &b);
      if (!r->failed && expr_poly_length(r, &b) < expr_poly_length(r, a)) {
        expr_poly t = *a;
        *a = b;
        b = t;
        changed = true;
      }
      expr_poly_free(r, &b);
    }
  }
  return changed;
}

// the kernels of a unit, the k-th first; false where one of them is not there
static bool find_unit(const expr_ring* r, const expr_unit* u, int k, int kernel[4])
{
  for (int i = 0; i < 4; i++) {
    kernel[i] = expr_ring_find(r, u->at[(k + i) % 4]);
    if (kernel[i] < 0) return false;
  }
  return true;
}

// for each unit: without the square of one of its four, where that is shorter
void expr_poly_choose_units(expr_ring* r, expr_poly* a)
{
  const int units = r->p->units_hold ? r->p->units.n : 0;
  for (int i = 0; i < 4 * units && !r->failed; i++) {
    int kernel[4];
    if (!find_unit(r, &r->p->units.at[i / 4], i % 4, kernel)) continue;
    if (!expr_poly_has_square(r, a, kernel[0])) continue;
    expr_poly b = expr_poly_copy(r, a);
    expr_poly_drop_unit(r, &b, kernel);
    if (!r->failed && expr_poly_length(r, &b) < expr_poly_length(r, a)) {
      expr_poly t = *a;
      *a = b;
      b = t;
    }
    expr_poly_free(r, &b);
  }
}
