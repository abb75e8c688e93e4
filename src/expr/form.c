// Polynomials written as a person would: common factors out, grouped by denominators, then by
// velocities, then by functions; coefficients that repeat are taken out as well.
#include "expr/form.h"

#define MOST_GROUPS 200
#define MOST_DEPTH  40

typedef struct writing
{
  expr_ring* r;
  const expr_style* style;
  int depth;
} writing;

static expr form(writing* w, const expr_poly* a);

int expr_form_level(const expr_kernel* k)
{
  switch (k->kind) {
  case EXPR_KERNEL_SUM:
    return 3;
  case EXPR_KERNEL_RATE:
    return 2;
  case EXPR_KERNEL_SYMBOL:
    return 0;
  default:
    return 1;
  }
}

static expr flat(writing* w, const expr_poly* a)
{
  expr_list terms;
  expr_list_start(&terms);
  for (int i = 0; i < a->n; i++)
    expr_list_push(&terms, expr_poly_term(w->r, a->coef[i], expr_poly_row(w->r, a, i)));
  expr e = expr_sum(w->r->p, terms.n, terms.at);
  expr_list_end(&terms);
  return e;
}

// ---- common factors -----------------------------------------------------------------------------

// exponents that all terms share: the lowest of positive ones, the highest of negative ones; over
// one line the lowest of negative ones
static bool common_row(const expr_ring* r, const expr_poly* a, bool line, int8_t* row)
{
  bool any = false;
  memset(row, 0, (size_t)r->width);
  for (int k = 0; k < r->kernel.n; k++) {
    int low = 127, high = -127;
    for (int i = 0; i < a->n; i++) {
      int e = expr_poly_row(r, a, i)[k];
      if (e < low) low = e;
      if (e > high) high = e;
    }
    bool below = line && r->kernel.at[k].kind == EXPR_KERNEL_SYMBOL;
    row[k] = (int8_t)(low > 0 || (below && low < 0) ? low : high < 0 ? high : 0);
    any |= row[k] != 0;
  }
  return any;
}

// the greatest that divides all, if fewer than `before` are left to write with it
static expr shared_number(expr_pool* p, const expr_poly* a, int before, bool eager)
{
  expr g = a->coef[0];
  for (int i = 0; i < a->n; i++) g = expr_q_gcd(p, g, a->coef[i]);
  const expr by = expr_q_inverse(p, g);
  int after = 1;
  for (int i = 0; i < a->n && after < before; i++)
    after += !expr_form_is_unit(expr_q_mul(p, a->coef[i], by));
  return after >= before || (after > 1 && !eager) ? EXPR_ONE : g;
}

expr expr_form_number(expr_ring* r, const expr_poly* a, bool eager)
{
  expr_pool* p = r->p;
  int before = 0, minus = 0;
  for (int i = 0; i < a->n; i++) {
    before += !expr_form_is_unit(a->coef[i]);
    minus += expr_q_sign(p, a->coef[i]) < 0;
  }
  // one taken out is one to write
  const expr g = before > 1 ? shared_number(p, a, before, eager) : EXPR_ONE;
  return minus == a->n ? expr_q_neg(p, g) : g;
}

static expr_poly without(expr_ring* r, const expr_poly* a, expr number, const int8_t* row)
{
  expr_poly out = expr_poly_copy(r, a);
  const expr by = expr_q_inverse(r->p, number);
  const int used = expr_ring_used(r);
  for (int i = 0; i < out.n; i++) {
    out.coef[i] = expr_q_mul(r->p, out.coef[i], by);
    int8_t* own = expr_poly_row(r, &out, i);
    for (int k = 0; k < used; k++) own[k] = (int8_t)(own[k] - row[k]);
  }
  return out;
}

// ---- groups -------------------------------------------------------------------------------------

typedef struct group
{
  expr_poly coef;  // without the kernels of the level
  expr_poly inner; // over the kernels of the level alone
} group;

typedef BASE_LIST(group) groups;

// the part of a row that belongs to the level, and the rest
static void split_row(const expr_ring* r, int level, const int8_t* row, int8_t* in, int8_t* out)
{
  memset(in, 0, (size_t)r->width);
  memset(out, 0, (size_t)r->width);
  for (int k = 0; k < r->kernel.n; k++)
    if (row[k]) (expr_form_level(&r->kernel.at[k]) == level ? in : out)[k] = row[k];
}

static void groups_free(expr_ring* r, groups* g)
{
  for (int i = 0; i < g->n; i++) {
    expr_poly_free(r, &g->at[i].coef);
    expr_poly_free(r, &g->at[i].inner);
  }
  base_list_free(g);
}

// do the parts of the level differ?
static bool is_split_by(const expr_ring* r, const expr_poly* a, int level)
{
  const int8_t* first = expr_poly_row(r, a, 0);
  for (int k = 0; k < r->kernel.n; k++) {
    if (expr_form_level(&r->kernel.at[k]) != level) continue;
    for (int i = 1; i < a->n; i++)
      if (expr_poly_row(r, a, i)[k] != first[k]) return true;
  }
  return false;
}

// one group for each different part of the level
static groups group_by(expr_ring* r, const expr_poly* a, int level)
{
  groups g = {0};
  int8_t in[r->width], out[r->width];
  for (int i = 0; i < a->n; i++) {
    split_row(r, level, expr_poly_row(r, a, i), in, out);
    int k = 0;
    while (k < g.n && memcmp(g.at[k].inner.power, in, (size_t)r->width) != 0) k++;
    if (k == g.n) {
      group fresh = {0};
      expr_poly_push(r, &fresh.inner, EXPR_ONE, in);
      base_push(&g, fresh);
    }
    expr_poly_push(r, &g.at[k].coef, a->coef[i], out);
    if (g.n > MOST_GROUPS) break;
  }
  for (int k = 0; k < g.n; k++) expr_poly_tidy(r, &g.at[k].coef);
  return g;
}

// b = number * a, or EXPR_NONE
static expr ratio_of(expr_ring* r, const expr_poly* a, const expr_poly* b)
{
  if (a->n != b->n || memcmp(a->power, b->power, (size_t)a->n * (size_t)r->width) != 0)
    return EXPR_NONE;
  expr q = expr_q_mul(r->p, b->coef[0], expr_q_inverse(r->p, a->coef[0]));
  for (int i = 1; i < a->n; i++)
    if (expr_q_mul(r->p, q, a->coef[i]) != b->coef[i]) return EXPR_NONE;
  return q;
}

// groups with proportional (or equal) coefficients become one: m x'^2 + m y'^2 -> m (x'^2 + y'^2)
static void cluster(expr_ring* r, groups* g, bool equal)
{
  int n = 0;
  for (int i = 0; i < g->n; i++) {
    bool joined = false;
    for (int k = 0; k < n && !joined; k++) {
      expr q = ratio_of(r, &g->at[k].coef, &g->at[i].coef);
      if (!q || (equal && !expr_form_is_unit(q))) continue;
      expr_poly_add(r, &g->at[k].inner, &g->at[i].inner, q);
      expr_poly_free(r, &g->at[i].coef);
      expr_poly_free(r, &g->at[i].inner);
      joined = true;
    }
    if (!joined) g->at[n++] = g->at[i];
  }
  g->n = n;
}

static bool is_number(const expr_ring* r, const expr_poly* a)
{
  if (a->n != 1) return false;
  for (int k = 0; k < r->kernel.n; k++)
    if (a->power[k]) return false;
  return true;
}

// coefficients that differ only by factors become one: a s (p + q) + b c (p + q)
static void share(expr_ring* r, groups* g)
{
  for (int i = 0; i < g->n; i++) {
    group* x = &g->at[i];
    int8_t row[r->width];
    if (x->coef.n < 2) continue;
    common_row(r, &x->coef, false, row);
    expr_poly bare = without(r, &x->coef, EXPR_ONE, row), factor = {0};
    expr_poly_push(r, &factor, EXPR_ONE, row);
    expr_poly inner = expr_poly_mul(r, &x->inner, &factor);
    expr_poly_free(r, &factor);
    expr_poly_free(r, &x->coef);
    expr_poly_free(r, &x->inner);
    *x = (group){bare, inner};
  }
  cluster(r, g, true);
}

static expr combined(writing* w, groups* g)
{
  expr_pool* p = w->r->p;
  expr_list terms;
  expr_list_start(&terms);
  for (int i = 0; i < g->n; i++) {
    const group* x = &g->at[i];
    // a number as coefficient stays with each term
    if (is_number(w->r, &x->coef)) {
      expr_poly inner = expr_poly_copy(w->r, &x->inner);
      for (int k = 0; k < inner.n; k++)
        inner.coef[k] = expr_q_mul(p, inner.coef[k], x->coef.coef[0]);
      expr_list_push(&terms, g->n == 1 ? form(w, &inner) : flat(w, &inner));
      expr_poly_free(w->r, &inner);
    } else {
      expr_list_push(&terms, expr_mul(p, form(w, &x->coef), form(w, &x->inner)));
    }
  }
  expr e = expr_sum(p, terms.n, terms.at);
  expr_list_end(&terms);
  return e;
}

// ---- nested by the most frequent factor ---------------------------------------------------------

// the kernel whose taking out saves most, among those with exponents of one sign in two terms or
// more; only sums when `closed`; -1 when there is none
static int best_factor(const expr_ring* r, const expr_poly* a, bool closed, int* sign)
{
  int best = -1;
  double most = 0;
  for (int k = 0; k < r->kernel.n; k++)
    for (int s = 1; s >= -1; s -= 2) {
      int count = 0;
      if (closed && r->kernel.at[k].kind != EXPR_KERNEL_SUM) continue;
      for (int i = 0; i < a->n; i++) count += s * expr_poly_row(r, a, i)[k] > 0;
      double saved = (count - 1) * (1 + expr_cost(r->p, r->kernel.at[k].e));
      if (count < 2 || saved <= most) continue;
      most = saved;
      best = k;
      *sign = s;
    }
  return best;
}

// terms with the kernel, and the others
static expr parted(writing* w, const expr_poly* a, int kernel, int sign)
{
  expr_ring* r = w->r;
  groups g = {0};
  group with = {0}, rest = {0};
  for (int i = 0; i < a->n; i++) {
    const int8_t* row = expr_poly_row(r, a, i);
    expr_poly_push(r, sign * row[kernel] > 0 ? &with.coef : &rest.coef, a->coef[i], row);
  }
  with.inner = expr_poly_number(r, EXPR_ONE);
  base_push(&g, with);
  if (rest.coef.n) {
    rest.inner = expr_poly_number(r, EXPR_ONE);
    base_push(&g, rest);
    share(r, &g);
  }
  expr e = combined(w, &g);
  groups_free(w->r, &g);
  return e;
}

// none where no two terms share a factor
static expr nested(writing* w, const expr_poly* a)
{
  int sign = 1, kernel = best_factor(w->r, a, false, &sign);
  return kernel < 0 ? EXPR_NONE : parted(w, a, kernel, sign);
}

// ---- choice -------------------------------------------------------------------------------------

// without common factors
static expr primitive(writing* w, const expr_poly* a)
{
  expr_poly root;
  if (expr_poly_root(w->r, a, &root)) {
    expr e = expr_pow(w->r->p, form(w, &root), EXPR_TWO);
    expr_poly_free(w->r, &root);
    return e;
  }
  int sign = 1, closed = w->r->mode == EXPR_RING_OPAQUE ? best_factor(w->r, a, true, &sign) : -1;
  if (closed >= 0) return parted(w, a, closed, sign);
  for (const int* level = w->style->levels; *level >= 0; level++) {
    if (!is_split_by(w->r, a, *level)) continue;
    groups g = group_by(w->r, a, *level);
    bool split = g.n > 1 && g.n <= MOST_GROUPS;
    if (split) cluster(w->r, &g, false);
    if (split) share(w->r, &g);
    // one cluster that is the whole again would go round in circles
    bool useful = split && (g.n > 1 || !is_number(w->r, &g.at[0].coef));
    expr e = useful ? combined(w, &g) : EXPR_NONE;
    groups_free(w->r, &g);
    if (useful) return e;
  }
  if (w->style->rest == EXPR_REST_FLAT) return flat(w, a);
  expr other = nested(w, a);
  if (other && w->style->rest == EXPR_REST_NESTED) return other;
  expr one = flat(w, a);
  if (!other) return one;
  return expr_cost(w->r->p, other) < expr_cost(w->r->p, one) ? other : one;
}

static expr form(writing* w, const expr_poly* a)
{
  expr_ring* r = w->r;
  if (a->n == 0) return EXPR_ZERO;
  if (a->n == 1) return expr_poly_term(r, a->coef[0], a->power);
  if (w->depth >= MOST_DEPTH || r->failed) return flat(w, a);
  w->depth++;
  int8_t row[r->width];
  bool factor = common_row(r, a, w->style->line && w->depth == 1, row);
  expr number = expr_form_number(r, a, w->style->numbers || w->depth > 1), e;
  if (factor || number != EXPR_ONE) {
    expr_poly rest = without(r, a, number, row);
    e = expr_mul(r->p, expr_poly_term(r, number, row), primitive(w, &rest));
    expr_poly_free(r, &rest);
  } else {
    e = primitive(w, a);
  }
  w->depth--;
  return e;
}

expr expr_form_write(expr_ring* r, const expr_style* style, const expr_poly* a)
{
  writing w = {r, style, 0};
  return form(&w, a);
}
