// Fewer terms by cos^2 + sin^2 = 1 and by the sine and cosine of sums of angles.
// Each pass goes once over the terms: coefficients change in place, new terms wait in `extra`.
#include "expr/poly.h"

typedef struct pass
{
  expr_ring* r;
  expr_poly* a;
  expr_poly extra;
  bool changed;
} pass;

static void end_pass(pass* x)
{
  expr_poly* a = x->a;
  x->r->work -= a->n;
  if (!x->changed) {
    expr_poly_free(x->r, &x->extra);
    return;
  }
  int n = 0;
  for (int i = 0; i < a->n; i++) {
    if (a->coef[i] == EXPR_ZERO) continue;
    if (n != i) memcpy(expr_poly_row(x->r, a, n), expr_poly_row(x->r, a, i), (size_t)x->r->width);
    a->coef[n++] = a->coef[i];
  }
  a->n = n;
  expr_poly_add(x->r, a, &x->extra, EXPR_ONE);
  expr_poly_free(x->r, &x->extra);
}

// ---- squares ------------------------------------------------------------------------------------

// coefficients of X, X sin^2, X cos^2
typedef struct triple
{
  int at[3]; // terms, -1 when absent
  expr c[3];
} triple;

static void shift_row(const expr_ring* r, int8_t* row, const int8_t* x, int which, int s, int c)
{
  memcpy(row, x, (size_t)r->width);
  if (which == 1) row[s] = (int8_t)(row[s] + 2);
  if (which == 2) row[c] = (int8_t)(row[c] + 2);
}

static triple triple_at(const pass* p, const int8_t* x, int s, int c)
{
  triple t;
  int8_t row[p->r->width];
  for (int i = 0; i < 3; i++) {
    shift_row(p->r, row, x, i, s, c);
    t.at[i] = expr_poly_find(p->r, p->a, row);
    t.c[i] = t.at[i] < 0 ? EXPR_ZERO : p->a->coef[t.at[i]];
  }
  return t;
}

static int terms_in(const triple* t)
{
  return (t->c[0] != EXPR_ZERO) + (t->c[1] != EXPR_ZERO) + (t->c[2] != EXPR_ZERO);
}

// X + l X - l sign X sin^2 - l X cos^2 is the same for every number l: the best of those that
// make one of the three vanish
static triple best_triple(expr_pool* p, const triple* t, int sign)
{
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

static void apply(pass* p, const triple* t, const int8_t* x, int s, int c)
{
  for (int i = 0; i < 3; i++) {
    int8_t row[p->r->width];
    if (t->at[i] >= 0) {
      p->a->coef[t->at[i]] = t->c[i];
    } else if (t->c[i] != EXPR_ZERO) {
      shift_row(p->r, row, x, i, s, c);
      expr_poly_push(p->r, &p->extra, t->c[i], row);
    }
  }
  p->changed = true;
}

static bool has_negative(const expr_ring* r, const expr_poly* a, int kernel)
{
  for (int i = 0; i < a->n; i++)
    if (expr_poly_row(r, a, i)[kernel] < 0) return true;
  return false;
}

// true when something got shorter
static bool shorten_squares(expr_ring* r, expr_poly* a, int s)
{
  int c = r->kernel.at[s].pair;
  bool negative[2] = {has_negative(r, a, s), has_negative(r, a, c)};
  pass p = {.r = r, .a = a};
  int8_t x[r->width];
  for (int i = 0; i < a->n; i++)
    for (int side = 0; side < 2; side++) {
      int k = side ? c : s, power = expr_poly_row(r, a, i)[k];
      // X must not have negative powers unless there are some already
      if (power < 2 && !(negative[side] && power <= 0)) continue;
      if (a->coef[i] == EXPR_ZERO) continue;
      memcpy(x, expr_poly_row(r, a, i), sizeof x);
      x[k] = (int8_t)(x[k] - 2);
      triple t = triple_at(&p, x, s, c);
      if (terms_in(&t) < 2) continue;
      triple n = best_triple(r->p, &t, r->kernel.at[s].sign);
      if (terms_in(&n) < terms_in(&t)) apply(&p, &n, x, s, c);
    }
  end_pass(&p);
  return p.changed;
}

// ---- sums of angles -----------------------------------------------------------------------------

static expr angle_of(const expr_ring* r, int kernel)
{
  return expr_args_at(r->p, r->kernel.at[kernel].e)[0];
}

// replaces terms i and k, both of the shape X f g, by number * X * f(angle)
static bool merge_terms(pass* p, int i, int k, const int8_t* x, expr_fn f, expr angle)
{
  expr_ring* r = p->r;
  expr value = expr_trig(r->p, f, angle), core = expr_core(r->p, value);
  if (expr_kind_at(r->p, core) != EXPR_CALL || r->p->full) return false;
  int kernel = expr_ring_add(r, core);
  if (kernel < 0) return false;
  int8_t row[r->width];
  memcpy(row, x, sizeof row);
  row[kernel] = (int8_t)(row[kernel] + 1);
  expr number = expr_q_mul(r->p, p->a->coef[i], expr_coef(r->p, value));
  expr_poly_push(r, &p->extra, number, row);
  p->a->coef[i] = p->a->coef[k] = EXPR_ZERO;
  p->changed = true;
  return true;
}

// term i holds cos a cos b or sin a cos b: look for its partner sin a sin b or cos a sin b
static bool merge_angles(pass* p, int i, int sa, int sb)
{
  expr_ring* r = p->r;
  expr_poly* a = p->a;
  int ca = r->kernel.at[sa].pair, cb = r->kernel.at[sb].pair;
  for (int shape = 0; shape < 2; shape++) {
    const int8_t* row = expr_poly_row(r, a, i);
    int f = shape ? sa : ca, other = shape ? ca : sa;
    if (row[f] < 1 || row[cb] < 1) continue;
    int8_t x[r->width], partner[r->width];
    memcpy(x, row, sizeof x);
    x[f] = (int8_t)(x[f] - 1);
    x[cb] = (int8_t)(x[cb] - 1);
    memcpy(partner, x, sizeof partner);
    partner[other] = (int8_t)(partner[other] + 1);
    partner[sb] = (int8_t)(partner[sb] + 1);
    int k = expr_poly_find(r, a, partner);
    if (k < 0 || a->coef[k] == EXPR_ZERO) continue;
    bool same = a->coef[k] == a->coef[i];
    if (!same && a->coef[k] != expr_q_neg(r->p, a->coef[i])) continue;
    bool plus = shape ? same : !same; // of the angles
    expr u = angle_of(r, sa), v = angle_of(r, sb);
    expr angle = plus ? expr_add(r->p, u, v) : expr_sub(r->p, u, v);
    if (merge_terms(p, i, k, x, shape ? EXPR_SIN : EXPR_COS, angle)) return true;
  }
  return false;
}

// the sines of the angles whose sine or cosine stands in the row
static int angles_in(const expr_ring* r, const int8_t* row, int room, int* out)
{
  int n = 0;
  for (int k = 0; k < r->kernel.n && n < room; k++) {
    const expr_kernel* x = &r->kernel.at[k];
    if (x->kind == EXPR_KERNEL_SINE && x->sign > 0 && (row[k] > 0 || row[x->pair] > 0))
      out[n++] = k;
  }
  return n;
}

static bool shorten_angles(expr_ring* r, expr_poly* a)
{
  pass p = {.r = r, .a = a};
  for (int i = 0; i < a->n; i++) {
    int sines[12], n = angles_in(r, expr_poly_row(r, a, i), 12, sines);
    bool done = n < 2 || a->coef[i] == EXPR_ZERO;
    for (int u = 0; u < n && !done; u++)
      for (int v = 0; v < n && !done; v++)
        if (u != v) done = merge_angles(&p, i, sines[u], sines[v]);
  }
  end_pass(&p);
  return p.changed;
}

void expr_poly_shorten(expr_ring* r, expr_poly* a)
{
  for (bool more = true; more && !r->failed;) {
    more = false;
    for (int k = 0; k < r->kernel.n && !r->failed; k++)
      while (r->kernel.at[k].kind == EXPR_KERNEL_SINE && !r->failed && shorten_squares(r, a, k))
        more = true;
    while (!r->failed && shorten_angles(r, a)) more = true;
  }
}
