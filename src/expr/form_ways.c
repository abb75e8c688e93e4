// In which ways a polynomial is written, and the shortest of them.
#include "expr/form.h"

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

// Operations that any way takes at least: each symbol, sine and cosine stands there once, what goes
// between two of them is one, and so is a power. 0 where other kernels may become one.
static double least_cost(const expr_ring* r, const expr_poly* a)
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
    if (own->kind > EXPR_KERNEL_COSINE || (below && own->pair >= 0)) return 0;
    least += 1 + expr_cost(r->p, own->e);
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

expr expr_poly_form_in(expr_ring* r, const expr_poly* a, unsigned* ways)
{
  enum { all = sizeof styles / sizeof *styles };
  expr best = EXPR_NONE;
  double least = 0, costs[all] = {0};
  const telling t = telling_of(r, a);
  const double possible = least_cost(r, a);
  const int count = has_one_way(r, a, t) ? 1 : all;
  for (int i = 0; i < count && !r->failed; i++) {
    if (*ways ? !(*ways >> i & 1) : is_written(t, i)) continue;
    if (best && possible >= styles[i].better * least) continue;
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

expr expr_poly_form(expr_ring* r, const expr_poly* a)
{
  unsigned all = 0;
  return expr_poly_form_in(r, a, &all);
}
