// Relations between kernels that are used one way: roots, absolute values, squares of sine or
// cosine, sums that stand both above and below the line.
#include "expr/poly.h"

// ---- powers that have a rule --------------------------------------------------------------------

static int highest(const expr_ring* r, const expr_poly* a, int kernel)
{
  int most = 0;
  for (int i = 0; i < a->n; i++)
    if (expr_poly_row(r, a, i)[kernel] > most) most = expr_poly_row(r, a, i)[kernel];
  return most;
}

// out += coef * row * value^times, where row is a product of kernels
static void push_power(expr_ring* r, expr_poly* out, expr coef, const int8_t* row,
                       const expr_poly* value, int times)
{
  expr_poly term = {0};
  expr_poly_push(r, &term, coef, row);
  for (int k = 0; k < times && !r->failed; k++) {
    expr_poly next = expr_poly_mul(r, &term, value);
    expr_poly_free(r, &term);
    term = next;
  }
  for (int k = 0; k < term.n; k++) expr_poly_push(r, out, term.coef[k], expr_poly_row(r, &term, k));
  expr_poly_free(r, &term);
}

// kernel^below -> value, wherever the exponent is at least `below`
static void exchange(expr_ring* r, expr_poly* a, int kernel, int below, const expr_poly* value)
{
  expr_poly out = {0};
  for (int i = 0; i < a->n && !r->failed; i++) {
    int8_t row[r->width];
    memcpy(row, expr_poly_row(r, a, i), sizeof row);
    int times = row[kernel] > 0 ? row[kernel] / below : 0;
    row[kernel] = (int8_t)(row[kernel] - times * below);
    push_power(r, &out, a->coef[i], row, value, times);
  }
  expr_poly_tidy(r, &out);
  expr_poly_free(r, a);
  *a = out;
}

static int rule_of(const expr_kernel* k)
{
  return k->kind == EXPR_KERNEL_ROOT ? k->below : k->kind == EXPR_KERNEL_ABS ? 2 : 0;
}

void expr_poly_reduce_roots(expr_ring* r, expr_poly* a)
{
  // what a root is replaced by may hold other roots, but only those inside it
  for (int round = 0; round < 8 && !r->failed; round++) {
    bool found = false;
    for (int k = 0; k < r->kernel.n && !r->failed; k++) {
      expr_kernel kernel = r->kernel.at[k];
      int below = rule_of(&kernel);
      if (!below || highest(r, a, k) < below) continue;
      expr inside = expr_args_at(r->p, kernel.e)[0];
      expr_poly value = expr_poly_of(r, inside);
      if (kernel.kind == EXPR_KERNEL_ABS && !r->failed) {
        expr_poly square = expr_poly_mul(r, &value, &value);
        expr_poly_free(r, &value);
        value = square;
      }
      if (!r->failed) exchange(r, a, k, below, &value);
      expr_poly_free(r, &value);
      found = true;
    }
    if (!found) return;
  }
}

// sin^2 = sign (1 - cos^2), cos^2 = 1 - sign sin^2
void expr_poly_drop_square(expr_ring* r, expr_poly* a, int kernel)
{
  expr_kernel k = r->kernel.at[kernel];
  assert(k.pair >= 0);
  if (highest(r, a, kernel) < 2) return;
  expr_poly value = expr_poly_number(r, EXPR_ONE), other = expr_poly_kernel(r, k.pair, 2);
  bool sine = k.kind == EXPR_KERNEL_SINE;
  expr_poly_add(r, &value, &other, sine || k.sign > 0 ? EXPR_MINUS_ONE : EXPR_ONE);
  for (int i = 0; sine && k.sign < 0 && i < value.n; i++)
    value.coef[i] = expr_q_neg(r->p, value.coef[i]);
  exchange(r, a, kernel, 2, &value);
  expr_poly_free(r, &value);
  expr_poly_free(r, &other);
}

void expr_poly_drop_unit(expr_ring* r, expr_poly* a, const int kernel[4])
{
  if (highest(r, a, kernel[0]) < 2) return;
  expr_poly value = expr_poly_number(r, EXPR_ONE);
  for (int i = 1; i < 4; i++) {
    expr_poly square = expr_poly_kernel(r, kernel[i], 2);
    expr_poly_add(r, &value, &square, EXPR_MINUS_ONE);
    expr_poly_free(r, &square);
  }
  exchange(r, a, kernel[0], 2, &value);
  expr_poly_free(r, &value);
}

// ---- sums below the line ------------------------------------------------------------------------

static int lowest(const expr_ring* r, const expr_poly* a, int kernel)
{
  int least = 0;
  for (int i = 0; i < a->n; i++)
    if (expr_poly_row(r, a, i)[kernel] < least) least = expr_poly_row(r, a, i)[kernel];
  return least;
}

// lifts all exponents to zero or more; `shift` is what every term was multiplied by
static void lift(expr_ring* r, expr_poly* a, int8_t* shift)
{
  for (int k = 0; k < r->width; k++) {
    int low = k < r->kernel.n ? lowest(r, a, k) : 0;
    shift[k] = (int8_t)-low;
    for (int i = 0; low && i < a->n; i++) {
      int8_t* row = expr_poly_row(r, a, i);
      row[k] = (int8_t)(row[k] - low);
    }
  }
}

// multiplies every term by the kernels to the powers sign * shift
static void shift_by(expr_ring* r, expr_poly* a, const int8_t* shift, int sign)
{
  for (int i = 0; i < a->n; i++) {
    int8_t* row = expr_poly_row(r, a, i);
    for (int k = 0; k < r->width; k++) row[k] = (int8_t)(row[k] + sign * shift[k]);
  }
}

// terms with S^-k become terms with S^-K, K the largest k, multiplied by S^(K-k)
static void to_common(expr_ring* r, expr_poly* a, int kernel, const expr_poly* sum, int most)
{
  expr_poly out = {0};
  for (int i = 0; i < a->n && !r->failed; i++) {
    int8_t row[r->width];
    memcpy(row, expr_poly_row(r, a, i), sizeof row);
    int times = most + row[kernel];
    row[kernel] = 0;
    push_power(r, &out, a->coef[i], row, sum, times);
  }
  expr_poly_tidy(r, &out);
  expr_poly_free(r, a);
  *a = out;
}

// divides by the sum as long as that leaves no rest; returns the power that is left
static int cancel(expr_ring* r, expr_poly* a, expr_poly* sum, int most)
{
  int8_t shift[r->width], shift_sum[r->width];
  lift(r, a, shift);
  lift(r, sum, shift_sum);
  expr_poly quotient;
  while (most > 0 && expr_poly_divide(r, a, sum, &quotient)) {
    expr_poly_free(r, a);
    *a = quotient;
    shift_by(r, a, shift_sum, 1);
    most--;
  }
  shift_by(r, a, shift, -1);
  return most;
}

void expr_poly_join(expr_ring* r, expr_poly* a)
{
  for (int k = 0; k < r->kernel.n && !r->failed; k++) {
    if (r->kernel.at[k].kind != EXPR_KERNEL_SUM || lowest(r, a, k) == 0) continue;
    int most = -lowest(r, a, k);
    expr_poly sum = expr_poly_of(r, r->kernel.at[k].e);
    if (!r->failed) to_common(r, a, k, &sum, most);
    expr_poly_reduce_roots(r, a);
    expr_poly_shorten(r, a);
    if (!r->failed) most = cancel(r, a, &sum, most);
    for (int i = 0; i < a->n; i++) expr_poly_row(r, a, i)[k] = (int8_t)-most;
    expr_poly_free(r, &sum);
  }
}

// the terms that hold the kernel to this power, without it
static expr_poly part_with(expr_ring* r, const expr_poly* a, int kernel, int power)
{
  expr_poly out = {0};
  for (int i = 0; i < a->n; i++) {
    int8_t row[r->width];
    memcpy(row, expr_poly_row(r, a, i), sizeof row);
    if (row[kernel] != power) continue;
    row[kernel] = 0;
    expr_poly_push(r, &out, a->coef[i], row);
  }
  return out;
}

bool expr_poly_raise_roots(expr_ring* r, expr_poly* a)
{
  bool found = false;
  for (int k = 0; k < r->kernel.n && !r->failed; k++) {
    expr_kernel kernel = r->kernel.at[k];
    if (kernel.kind != EXPR_KERNEL_ROOT) continue;
    expr_poly base = expr_poly_of(r, expr_args_at(r->p, kernel.e)[0]), out = {0};
    for (int power = -8; power <= 8 && base.n > 1 && !r->failed; power++) {
      expr_poly part = part_with(r, a, k, power), below = expr_poly_copy(r, &base);
      int times = power == 0 || !part.n ? 0 : 4 - cancel(r, &part, &below, 4);
      found |= times > 0;
      for (int i = 0; i < part.n; i++) {
        expr_poly_row(r, &part, i)[k] = (int8_t)(power + times * kernel.below);
        expr_poly_push(r, &out, part.coef[i], expr_poly_row(r, &part, i));
      }
      expr_poly_free(r, &part);
      expr_poly_free(r, &below);
    }
    expr_poly_tidy(r, &out);
    bool whole = base.n > 1 && lowest(r, a, k) >= -8 && highest(r, a, k) <= 8;
    if (whole && !r->failed) {
      expr_poly t = *a;
      *a = out;
      out = t;
    }
    expr_poly_free(r, &out);
    expr_poly_free(r, &base);
  }
  return found && !r->failed;
}

void expr_poly_clear_row(expr_ring* r, int n, expr_poly* row)
{
  for (int k = 0; k < r->kernel.n && !r->failed; k++) {
    int most = 0;
    for (int i = 0; i < n; i++)
      if (-lowest(r, &row[i], k) > most) most = -lowest(r, &row[i], k);
    if (r->kernel.at[k].kind != EXPR_KERNEL_SUM || most == 0) continue;
    expr_poly sum = expr_poly_of(r, r->kernel.at[k].e);
    for (int i = 0; i < n && !r->failed; i++) to_common(r, &row[i], k, &sum, most);
    expr_poly_free(r, &sum);
    // the sum may itself bring sums below the line
    k = -1;
  }
  for (int k = 0; k < r->kernel.n && !r->failed; k++) {
    int8_t shift[r->width];
    memset(shift, 0, sizeof shift);
    for (int i = 0; i < n; i++)
      if (-lowest(r, &row[i], k) > shift[k]) shift[k] = (int8_t)-lowest(r, &row[i], k);
    for (int i = 0; shift[k] && i < n; i++) shift_by(r, &row[i], shift, 1);
  }
}

void expr_poly_clear_below(expr_ring* r, expr_poly* a)
{
  expr_poly_clear_row(r, 1, a);
  expr_poly_reduce_roots(r, a);
  // a root that was reduced may have brought negative powers
  expr_poly_clear_row(r, 1, a);
}

bool expr_poly_is_zero(expr_ring* r, const expr_poly* a)
{
  if (a->n == 0) return true;
  expr_poly b = expr_poly_copy(r, a);
  for (int k = 0; k < r->kernel.n && !r->failed; k++)
    if (r->kernel.at[k].kind == EXPR_KERNEL_SINE) expr_poly_drop_square(r, &b, k);
  bool zero = b.n == 0;
  expr_poly_free(r, &b);
  return zero;
}
