// In which ways a polynomial is written, and the shortest of them.
#include "expr/form.h"

// terms from which on a ring of their kernels alone is worth to be made
#define NARROWED 6

static const expr_style styles[] = {
    {{3, 2, 1, -1}, EXPR_REST_SHORTER, false, false, 1},
    {{3, 2, 1, -1}, EXPR_REST_SHORTER, false, true, 1.001},
    {{3, 2, 1, -1}, EXPR_REST_SHORTER, true, true, 0.97},
    {{3, 1, 0, -1}, EXPR_REST_SHORTER, false, true, 0.92},
    {{3, 1, 0, -1}, EXPR_REST_SHORTER, true, true, 0.92},
    {{-1}, EXPR_REST_FLAT, true, false, 0.95},
    {{-1}, EXPR_REST_NESTED, true, true, 0.75},
};

// which ways of writing differ at all for a polynomial
typedef struct telling
{
  bool line, numbers;
} telling;

static telling telling_of(expr_ring* r, const expr_poly* a)
{
  telling t = {.numbers = expr_form_number(r, a, false) != expr_form_number(r, a, true)};
  for (int k = 0; k < r->kernel.n && !t.line; k++) {
    if (r->kernel.at[k].kind != EXPR_KERNEL_SYMBOL) continue;
    for (int i = 0; i < a->n && !t.line; i++) t.line = expr_poly_row(r, a, i)[k] < 0;
  }
  return t;
}

// writes style i what one before it has written?
static bool is_written(telling t, int i)
{
  const expr_style* own = &styles[i];
  for (int k = 0; k < i; k++) {
    const expr_style* other = &styles[k];
    if (own->rest == other->rest && !memcmp(own->levels, other->levels, sizeof own->levels) &&
        !(t.line && own->line != other->line) && !(t.numbers && own->numbers != other->numbers))
      return true;
  }
  return false;
}

// Is there nothing to take out or to group, for any style? Where no kernel stands in two terms and
// no two numbers are equal in size, and at most one is below zero, nothing is shared.
static bool has_one_way(expr_ring* r, const expr_poly* a, telling t)
{
  if (a->n == 1) return true;
  if (t.line || t.numbers) return false;
  for (int k = 0; k < r->kernel.n; k++) {
    int count = 0;
    for (int i = 0; i < a->n; i++) count += expr_poly_row(r, a, i)[k] != 0;
    if (count > 1) return false;
  }
  int minus = 0;
  for (int i = 0; i < a->n; i++) {
    minus += expr_q_sign(r->p, a->coef[i]) < 0;
    for (int k = 0; k < i && !expr_form_is_unit(a->coef[i]); k++)
      if (a->coef[k] == a->coef[i] || a->coef[k] == expr_q_neg(r->p, a->coef[i])) return false;
  }
  return minus < 2;
}

// a closed sum may be written with all signs turned, which are half an operation each
static double least_of_kernel(const expr_ring* r, const expr_kernel* k)
{
  const double cost = expr_cost(r->p, k->e);
  return k->kind == EXPR_KERNEL_SUM ? cost - 0.5 * expr_at(r->p, k->e)->n : cost;
}

double expr_poly_least(const expr_ring* r, const expr_poly* a)
{
  double least = -1;
  bool square = false;
  for (int k = 0; k < r->kernel.n; k++) {
    const expr_kernel* own = &r->kernel.at[k];
    bool held = false, below = false;
    for (int i = 0; i < a->n; i++) {
      const int power = expr_poly_row(r, a, i)[k];
      held |= power != 0;
      below |= power < 0;
      square |= power > 1 || power < -1;
    }
    if (!held) continue;
    if (own->kind == EXPR_KERNEL_SUM ? r->mode != EXPR_RING_OPAQUE || below
                                     : own->kind > EXPR_KERNEL_COSINE || (below && own->pair >= 0))
      return 0;
    least += 1 + least_of_kernel(r, own);
  }
  return least + square;
}

// the ways whose cost is near the least
static unsigned near(int ways, const double* cost, double least)
{
  unsigned set = 0;
  for (int i = 0; i < ways; i++)
    if (cost[i] > 0 && cost[i] <= EXPR_NEAR * least) set |= 1u << i;
  return set;
}

// Operations of the terms one by one, at least, what they share taken out; 0 as above.
static double least_flat(const expr_ring* r, const expr_poly* a)
{
  double least = -1;
  int left[a->n];
  memset(left, 0, sizeof left);
  for (int k = 0; k < r->kernel.n; k++) {
    int low = 127, high = -127;
    for (int i = 0; i < a->n; i++) {
      const int power = expr_poly_row(r, a, i)[k];
      if (power < low) low = power;
      if (power > high) high = power;
    }
    const int shared = low > 0 ? low : high < 0 ? high : 0;
    const double each = 1 + least_of_kernel(r, &r->kernel.at[k]);
    if (shared) least += each;
    for (int i = 0; i < a->n; i++)
      if (expr_poly_row(r, a, i)[k] != shared) least += each, left[i]++;
  }
  // what is all shared is a number
  for (int i = 0; i < a->n; i++) least += !left[i];
  return least;
}

static expr best_form(expr_ring* r, const expr_poly* a, unsigned* ways)
{
  enum { all = sizeof styles / sizeof *styles };
  expr best = EXPR_NONE;
  double least = 0, costs[all] = {0};
  const telling t = telling_of(r, a);
  const double possible = expr_poly_least(r, a),
               possible_flat = possible > 0 ? least_flat(r, a) : 0;
  const int count = has_one_way(r, a, t) ? 1 : all;
  for (int i = 0; i < count && !r->failed; i++) {
    if (*ways ? !(*ways >> i & 1) : is_written(t, i)) continue;
    const double bound = styles[i].rest == EXPR_REST_FLAT ? possible_flat : possible;
    if (best && bound >= styles[i].better * least) continue;
    expr e = expr_form_write(r, &styles[i], a);
    // without work left the polynomials inside were cut short
    if (r->failed) break;
    const double cost = costs[i] = expr_cost(r->p, e);
    if (best && cost >= styles[i].better * least) continue;
    best = e;
    least = cost;
  }
  *ways = near(count, costs, least);
  return best;
}

// The ring of the kernels in a alone, and a over it: rows are shorter, and hold no room for kernels
// that join later.
static expr_ring narrowed(const expr_ring* r, const expr_poly* a, expr_poly* out)
{
  expr_ring to = {.p = r->p, .mode = r->mode, .top = r->top, .work = r->work};
  int place[r->kernel.n + 1], from[r->kernel.n + 1];
  for (int k = 0; k < r->kernel.n; k++) {
    bool held = false;
    const int pair = r->kernel.at[k].pair;
    for (int i = 0; i < a->n && !held; i++) {
      const int8_t* row = expr_poly_row(r, a, i);
      held = row[k] || (pair >= 0 && row[pair]);
    }
    place[k] = held ? to.kernel.n : -1;
    if (!held) continue;
    from[to.kernel.n] = k;
    base_push(&to.kernel, r->kernel.at[k]);
  }
  to.width = (to.kernel.n + 7) / 8 * 8;
  for (int k = 0; k < to.kernel.n; k++)
    if (to.kernel.at[k].pair >= 0) to.kernel.at[k].pair = place[to.kernel.at[k].pair];
  int8_t row[to.width + 1];
  memset(row, 0, sizeof row);
  *out = (expr_poly){0};
  for (int i = 0; i < a->n; i++) {
    for (int k = 0; k < to.kernel.n; k++) row[k] = expr_poly_row(r, a, i)[from[k]];
    expr_poly_push(&to, out, a->coef[i], row);
  }
  return to;
}

expr expr_poly_form_in(expr_ring* r, const expr_poly* a, unsigned* ways)
{
  if (a->n < NARROWED) return best_form(r, a, ways);
  expr_poly own;
  expr_ring s = narrowed(r, a, &own);
  const expr e = best_form(&s, &own, ways);
  r->work = s.work;
  r->failed |= s.failed;
  expr_poly_free(&s, &own);
  expr_ring_free(&s);
  return e;
}

expr expr_poly_form(expr_ring* r, const expr_poly* a)
{
  unsigned all = 0;
  return expr_poly_form_in(r, a, &all);
}
