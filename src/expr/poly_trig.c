// Relations between kernels: roots, absolute values, cos^2 + sin^2 = 1, sums of angles, and sums
// that stand both above and below the line.
#include "expr/poly.h"

// ---- powers that have a rule --------------------------------------------------------------------

static int highest(const expr_ring* r, const expr_poly* a, int kernel)
{
  int most = 0;
  for (int i = 0; i < a->n; i++)
    if (expr_poly_row(r, a, i)[kernel] > most) most = expr_poly_row(r, a, i)[kernel];
  return most;
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
    expr_poly term = {0};
    expr_poly_push(r, &term, a->coef[i], row);
    for (int k = 0; k < times && !r->failed; k++) {
      expr_poly next = expr_poly_mul(r, &term, value);
      expr_poly_free(&term);
      term = next;
    }
    for (int k = 0; k < term.n; k++)
      expr_poly_push(r, &out, term.coef[k], expr_poly_row(r, &term, k));
    expr_poly_free(&term);
  }
  expr_poly_tidy(r, &out);
  expr_poly_free(a);
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
        expr_poly_free(&value);
        value = square;
      }
      if (!r->failed) exchange(r, a, k, below, &value);
      expr_poly_free(&value);
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
  expr_poly_free(&value);
  expr_poly_free(&other);
}

// ---- fewer terms --------------------------------------------------------------------------------

// coefficients of X, X sin^2, X cos^2
typedef struct triple
{
  int at[3]; // terms, -1 when absent
  expr c[3];
} triple;

static triple triple_at(const expr_ring* r, const expr_poly* a, const int8_t* x, int s, int c)
{
  triple t;
  int8_t row[r->width];
  for (int i = 0; i < 3; i++) {
    memcpy(row, x, sizeof row);
    if (i == 1) row[s] = (int8_t)(row[s] + 2);
    if (i == 2) row[c] = (int8_t)(row[c] + 2);
    t.at[i] = expr_poly_find(r, a, row);
    t.c[i] = t.at[i] < 0 ? EXPR_ZERO : a->coef[t.at[i]];
  }
  return t;
}

static int terms_in(const triple* t)
{
  return (t->c[0] != EXPR_ZERO) + (t->c[1] != EXPR_ZERO) + (t->c[2] != EXPR_ZERO);
}

// X + l X - l sign X sin^2 - l X cos^2 is the same for every number l: the best of those that
// make one of the three vanish
static triple best_triple(expr_ring* r, const triple* t, int sign)
{
  expr_pool* p = r->p;
  expr signed_one = sign > 0 ? EXPR_ONE : EXPR_MINUS_ONE;
  expr choice[3] = {expr_q_neg(p, t->c[0]), expr_q_mul(p, signed_one, t->c[1]), t->c[2]};
  triple best = *t;
  for (int i = 0; i < 3; i++) {
    triple n = *t;
    expr minus = expr_q_neg(p, choice[i]);
    n.c[0] = expr_q_add(p, n.c[0], choice[i]);
    n.c[1] = expr_q_add(p, n.c[1], expr_q_mul(p, signed_one, minus));
    n.c[2] = expr_q_add(p, n.c[2], minus);
    if (terms_in(&n) < terms_in(&best)) best = n;
  }
  return best;
}

// puts the changed coefficients in; the polynomial must be tidied afterwards
static void apply(expr_ring* r, expr_poly* a, const triple* old, const triple* new, const int8_t* x,
                  int s, int c)
{
  for (int i = 0; i < 3; i++) {
    expr change = expr_q_add(r->p, new->c[i], expr_q_neg(r->p, old->c[i]));
    if (change == EXPR_ZERO) continue;
    int8_t row[r->width];
    memcpy(row, x, sizeof row);
    if (i == 1) row[s] = (int8_t)(row[s] + 2);
    if (i == 2) row[c] = (int8_t)(row[c] + 2);
    expr_poly_push(r, a, change, row);
  }
  expr_poly_tidy(r, a);
}

// one improvement with the pair of kernels s, c; false when there is none
static bool improve_square(expr_ring* r, expr_poly* a, int s, int c)
{
  int8_t x[r->width];
  for (int i = 0; i < a->n; i++)
    for (int step = 0; step < 2; step++) {
      memcpy(x, expr_poly_row(r, a, i), sizeof x);
      int k = step ? c : s;
      x[k] = (int8_t)(x[k] - 2);
      // negative powers are no help unless they are there already
      if (x[k] < 0 && x[k] + 2 > 0) continue;
      triple t = triple_at(r, a, x, s, c);
      if (terms_in(&t) < 2) continue;
      triple n = best_triple(r, &t, r->kernel.at[s].sign);
      if (terms_in(&n) >= terms_in(&t)) continue;
      apply(r, a, &t, &n, x, s, c);
      return true;
    }
  return false;
}

static void shorten_squares(expr_ring* r, expr_poly* a, int s)
{
  int c = r->kernel.at[s].pair;
  while (!r->failed && improve_square(r, a, s, c)) r->work -= 4 * a->n;
}

// ---- sums of angles -----------------------------------------------------------------------------

static expr angle_of(const expr_ring* r, int kernel)
{
  return expr_args_at(r->p, r->kernel.at[kernel].e)[0];
}

// row with kernel i down by one and j up by one
static void move(int8_t* row, int i, int j)
{
  row[i] = (int8_t)(row[i] - 1);
  row[j] = (int8_t)(row[j] + 1);
}

// replaces terms i and k, both of the shape X f g, by number * X * f(angle)
static bool merge_terms(expr_ring* r, expr_poly* a, int i, int k, const int8_t* x, expr number,
                        expr_fn f, expr angle)
{
  expr value = expr_trig(r->p, f, angle), core = expr_core(r->p, value);
  if (expr_kind_at(r->p, core) != EXPR_CALL || r->p->full) return false;
  int kernel = expr_ring_add(r, core);
  if (kernel < 0) return false;
  int8_t row[r->width];
  memcpy(row, x, sizeof row);
  row[kernel] = (int8_t)(row[kernel] + 1);
  int8_t first[r->width], second[r->width];
  memcpy(first, expr_poly_row(r, a, i), sizeof first);
  memcpy(second, expr_poly_row(r, a, k), sizeof second);
  expr ci = expr_q_neg(r->p, a->coef[i]), ck = expr_q_neg(r->p, a->coef[k]);
  expr_poly_push(r, a, ci, first);
  expr_poly_push(r, a, ck, second);
  expr_poly_push(r, a, expr_q_mul(r->p, number, expr_coef(r->p, value)), row);
  expr_poly_tidy(r, a);
  return true;
}

// term i holds cos a cos b or sin a cos b: look for its partner
static bool improve_angle(expr_ring* r, expr_poly* a, int i, int sa, int sb)
{
  expr_pool* p = r->p;
  int ca = r->kernel.at[sa].pair, cb = r->kernel.at[sb].pair;
  const int8_t* row = expr_poly_row(r, a, i);
  for (int shape = 0; shape < 2; shape++) {
    // cos a cos b with sin a sin b; sin a cos b with cos a sin b
    int f = shape ? sa : ca, f_other = shape ? ca : sa;
    if (row[f] < 1 || row[cb] < 1) continue;
    int8_t x[r->width], partner[r->width];
    memcpy(x, row, sizeof x);
    memcpy(partner, row, sizeof partner);
    x[f] = (int8_t)(x[f] - 1);
    x[cb] = (int8_t)(x[cb] - 1);
    move(partner, f, f_other);
    move(partner, cb, sb);
    int k = expr_poly_find(r, a, partner);
    if (k < 0) continue;
    bool same = a->coef[k] == a->coef[i], opposite = a->coef[k] == expr_q_neg(p, a->coef[i]);
    if (!same && !opposite) continue;
    bool plus = shape ? same : opposite; // of the angles
    expr angle = plus ? expr_add(p, angle_of(r, sa), angle_of(r, sb))
                      : expr_sub(p, angle_of(r, sa), angle_of(r, sb));
    if (merge_terms(r, a, i, k, x, a->coef[i], shape ? EXPR_SIN : EXPR_COS, angle)) return true;
  }
  return false;
}

static bool improve_angles(expr_ring* r, expr_poly* a)
{
  for (int sa = 0; sa < r->kernel.n; sa++) {
    if (r->kernel.at[sa].kind != EXPR_KERNEL_SINE || r->kernel.at[sa].sign < 0) continue;
    for (int sb = 0; sb < r->kernel.n; sb++) {
      if (sa == sb || r->kernel.at[sb].kind != EXPR_KERNEL_SINE || r->kernel.at[sb].sign < 0)
        continue;
      for (int i = 0; i < a->n; i++)
        if (improve_angle(r, a, i, sa, sb)) return true;
    }
  }
  return false;
}

void expr_poly_shorten(expr_ring* r, expr_poly* a)
{
  for (bool more = true; more && !r->failed;) {
    int before = a->n;
    for (int k = 0; k < r->kernel.n && !r->failed; k++)
      if (r->kernel.at[k].kind == EXPR_KERNEL_SINE) shorten_squares(r, a, k);
    while (!r->failed && improve_angles(r, a)) r->work -= 4 * a->n;
    more = a->n < before;
  }
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
    expr_poly term = {0};
    expr_poly_push(r, &term, a->coef[i], row);
    for (int k = 0; k < times && !r->failed; k++) {
      expr_poly next = expr_poly_mul(r, &term, sum);
      expr_poly_free(&term);
      term = next;
    }
    for (int k = 0; k < term.n; k++)
      expr_poly_push(r, &out, term.coef[k], expr_poly_row(r, &term, k));
    expr_poly_free(&term);
  }
  expr_poly_tidy(r, &out);
  expr_poly_free(a);
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
    expr_poly_free(a);
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
    expr_poly_free(&sum);
  }
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
    expr_poly_free(&sum);
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
  expr_poly_free(&b);
  return zero;
}
