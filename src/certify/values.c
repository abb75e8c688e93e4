// Values of a graph over a box of complex numbers, every function analytic in the box: where it is
// not known to be, the value is not finite.
#include "certify/graph.h"

// Which way a choice goes where only real parts are compared; over the box both parts of the
// answer must be the same for all its points.
static void choose(acb_t y, acb_srcptr a, acb_srcptr b, acb_srcptr yes, acb_srcptr no)
{
  if (arb_lt(acb_realref(a), acb_realref(b)))
    acb_set(y, yes);
  else if (arb_gt(acb_realref(a), acb_realref(b)))
    acb_set(y, no);
  else
    acb_indeterminate(y);
}

// The angle of (x, y) near a real point: arc tangents whose cut is far from there.
static void angle(acb_t out, const acb_t y, const acb_t x, slong bits)
{
  acb_t ratio, one;
  acb_init(ratio);
  acb_init(one);
  const bool steep = arf_cmpabs(arb_midref(acb_realref(y)), arb_midref(acb_realref(x))) > 0;
  const bool below = arf_sgn(arb_midref(acb_realref(y))) < 0;
  const bool behind = arf_sgn(arb_midref(acb_realref(x))) < 0;
  acb_div(ratio, steep ? x : y, steep ? y : x, bits);
  // analytic where 1 + ratio^2 keeps away from the negative numbers
  acb_mul(one, ratio, ratio, bits);
  acb_add_ui(one, one, 1, bits);
  acb_sqrt_analytic(one, one, 1, bits);
  if (acb_is_finite(one))
    acb_atan(out, ratio, bits);
  else
    acb_indeterminate(out);
  acb_const_pi(one, bits);
  if (steep) {
    acb_mul_2exp_si(one, one, -1);
    acb_neg(out, out);
  }
  if (steep || behind) (below ? acb_sub : acb_add)(out, out, one, bits);
  acb_clear(ratio);
  acb_clear(one);
}

// f(a) where `guard`, a root or a logarithm of what must not meet the negative numbers, is finite
static void guarded(acb_t y, const acb_t a, const acb_t guard, void (*f)(acb_t, const acb_t, slong),
                    slong bits)
{
  if (acb_is_finite(guard))
    f(y, a, bits);
  else
    acb_indeterminate(y);
}

static void value(const certify_graph* g, int i, acb_srcptr input, acb_ptr v, slong bits)
{
  const certify_node* x = &g->node.at[i];
  acb_ptr y = v + i, a = v + x->a, b = v + x->b;
  switch (x->op) {
  case CERTIFY_CONSTANT:
    certify_graph_number(g->pool, x->source, acb_realref(y), bits);
    arb_zero(acb_imagref(y));
    break;
  case CERTIFY_INPUT:
    acb_set(y, input + x->a);
    break;
  case CERTIFY_SUM:
    acb_add(y, a, b, bits);
    break;
  case CERTIFY_PRODUCT:
    acb_mul(y, a, b, bits);
    break;
  case CERTIFY_INVERSE:
    acb_inv(y, a, bits);
    break;
  case CERTIFY_SQRT:
    acb_sqrt_analytic(y, a, 1, bits);
    break;
  case CERTIFY_POWER:
    acb_pow_analytic(y, a, b, 1, bits);
    break;
  case CERTIFY_EXP:
    acb_exp(y, a, bits);
    break;
  case CERTIFY_SIN:
    acb_sin(y, a, bits);
    break;
  case CERTIFY_COS:
    acb_cos(y, a, bits);
    break;
  case CERTIFY_SINH:
    acb_sinh(y, a, bits);
    break;
  case CERTIFY_COSH:
    acb_cosh(y, a, bits);
    break;
  case CERTIFY_LOG:
    acb_log_analytic(y, a, 1, bits);
    break;
  case CERTIFY_ASIN:
    guarded(y, a, b, acb_asin, bits);
    break; // b: sqrt(1 - a^2)
  case CERTIFY_ATAN:
    acb_sqrt_analytic(y, b, 1, bits); // b: 1 + a^2
    guarded(y, a, y, acb_atan, bits);
    break;
  case CERTIFY_ATAN2:
    angle(y, a, b, bits);
    break;
  case CERTIFY_CHOICE:
    choose(y, a, b, v + x->c, v + x->d);
    break;
  }
}

void certify_graph_values(const certify_graph* g, acb_srcptr input, acb_ptr out, slong bits,
                          bool again)
{
  for (int i = 0; i < g->node.n; i++)
    if (!again || !g->node.at[i].still) value(g, i, input, out, bits);
}

// ---- derivatives --------------------------------------------------------------------------------

static void product_slope(const certify_node* x, acb_srcptr v, acb_ptr w, acb_t y, slong bits)
{
  acb_zero(y);
  if (!acb_is_zero(w + x->a)) acb_mul(y, w + x->a, v + x->b, bits);
  if (!acb_is_zero(w + x->b)) acb_addmul(y, v + x->a, w + x->b, bits);
}

// (b a' - a b') / c
static void angle_slope(const certify_node* x, acb_srcptr v, acb_ptr w, acb_t y, slong bits)
{
  acb_mul(y, v + x->b, w + x->a, bits);
  acb_submul(y, v + x->a, w + x->b, bits);
  acb_div(y, y, v + x->c, bits);
}

// y of a alone, whose slope is not zero
static void slope_of_one(const certify_node* x, int i, acb_srcptr v, acb_srcptr a, acb_t y,
                         slong bits)
{
  switch (x->op) {
  case CERTIFY_INVERSE:
    acb_mul(y, a, v + i, bits);
    acb_mul(y, y, v + i, bits);
    acb_neg(y, y);
    break;
  case CERTIFY_SQRT:
    acb_div(y, a, v + i, bits);
    acb_mul_2exp_si(y, y, -1);
    break;
  case CERTIFY_POWER:
    acb_mul(y, a, v + i, bits);
    acb_mul(y, y, v + x->b, bits);
    acb_div(y, y, v + x->a, bits);
    break;
  case CERTIFY_EXP:
    acb_mul(y, a, v + i, bits);
    break;
  case CERTIFY_COS:
    acb_mul(y, a, v + x->b, bits);
    acb_neg(y, y);
    break;
  case CERTIFY_SIN:
  case CERTIFY_SINH:
  case CERTIFY_COSH:
    acb_mul(y, a, v + x->b, bits);
    break;
  default: // y' = a'/b
    acb_div(y, a, v + x->b, bits);
    break;
  }
}

static void slope(const certify_graph* g, int i, int input, acb_srcptr v, acb_ptr w, slong bits)
{
  const certify_node* x = &g->node.at[i];
  acb_ptr y = w + i;
  if (x->op == CERTIFY_CONSTANT || x->still) {
    acb_zero(y);
  } else if (x->op == CERTIFY_INPUT) {
    acb_set_ui(y, x->a == input);
  } else if (x->op == CERTIFY_SUM) {
    acb_add(y, w + x->a, w + x->b, bits);
  } else if (x->op == CERTIFY_PRODUCT) {
    product_slope(x, v, w, y, bits);
  } else if (x->op == CERTIFY_ATAN2) {
    angle_slope(x, v, w, y, bits);
  } else if (x->op == CERTIFY_CHOICE) {
    choose(y, v + x->a, v + x->b, w + x->c, w + x->d);
  } else if (acb_is_zero(w + x->a)) {
    acb_zero(y);
  } else {
    slope_of_one(x, i, v, w + x->a, y, bits);
  }
}

void certify_graph_slopes(const certify_graph* g, int input, acb_srcptr value, acb_ptr out,
                          slong bits)
{
  for (int i = 0; i < g->node.n; i++) slope(g, i, input, value, out, bits);
}
