// Coefficients of power series, order by order, for every node of a graph.
//
// With y = y(x(t)) and its derivative by t known through x', comparing coefficients of t^(k-1)
// gives coefficient k of y from those below it; e.g. y = exp x: y' = x' y, k y_k = sum_{j=1..k} j
// x_j y_{k-j}. (R. E. Moore 1966, chapter 11; A. Griewank, A. Walther 2008, table 13.1.)
#include "certify/graph.h"

#include <stdlib.h>

void certify_series_open(certify_series* s, const certify_graph* g, int order)
{
  *s = (certify_series){.graph = g, .order = order, .bits = 64};
  const size_t n = (size_t)g->node.n;
  s->c = base_alloc(sizeof(arb_ptr) * n);
  s->w = base_alloc(sizeof(arb_ptr) * n);
  s->side = base_alloc(n);
  for (size_t i = 0; i < n; i++) {
    s->c[i] = _arb_vec_init(g->node.at[i].still ? 1 : order + 1);
    if (g->node.at[i].weighted) s->w[i] = _arb_vec_init(g->node.at[i].still ? 1 : order + 1);
  }
}

void certify_series_close(certify_series* s)
{
  for (int i = 0; i < s->graph->node.n; i++) {
    const int room = s->graph->node.at[i].still ? 1 : s->order + 1;
    _arb_vec_clear(s->c[i], room);
    if (s->w[i]) _arb_vec_clear(s->w[i], room);
  }
  free(s->c);
  free(s->w);
  free(s->side);
}

// ---- values -------------------------------------------------------------------------------------

static signed char side(const arb_t a, const arb_t b)
{
  return arb_lt(a, b) ? 1 : arb_gt(a, b) ? 0 : -1;
}

static void value(certify_series* s, int i, const arb_ptr* input)
{
  const certify_node* x = &s->graph->node.at[i];
  arb_ptr* c = s->c;
  arb_ptr y = c[i];
  const slong bits = s->bits;
  switch (x->op) {
  case CERTIFY_CONSTANT:
    certify_graph_number(s->graph->pool, x->source, y, bits);
    break;
  case CERTIFY_INPUT:
    arb_set(y, input[x->a]);
    break;
  case CERTIFY_SUM:
    arb_add(y, c[x->a], c[x->b], bits);
    break;
  case CERTIFY_PRODUCT:
    arb_mul(y, c[x->a], c[x->b], bits);
    break;
  case CERTIFY_INVERSE:
    arb_inv(y, c[x->a], bits);
    break;
  case CERTIFY_SQRT:
    arb_sqrt(y, c[x->a], bits);
    break;
  case CERTIFY_POWER:
    arb_pow(y, c[x->a], c[x->b], bits);
    break;
  case CERTIFY_EXP:
    arb_exp(y, c[x->a], bits);
    break;
  case CERTIFY_SIN:
    arb_sin(y, c[x->a], bits);
    break;
  case CERTIFY_COS:
    arb_cos(y, c[x->a], bits);
    break;
  case CERTIFY_SINH:
    arb_sinh(y, c[x->a], bits);
    break;
  case CERTIFY_COSH:
    arb_cosh(y, c[x->a], bits);
    break;
  case CERTIFY_LOG:
    arb_log(y, c[x->a], bits);
    break;
  case CERTIFY_ASIN:
    arb_asin(y, c[x->a], bits);
    break;
  case CERTIFY_ATAN:
    arb_atan(y, c[x->a], bits);
    break;
  case CERTIFY_ATAN2:
    arb_atan2(y, c[x->a], c[x->b], bits);
    break;
  case CERTIFY_CHOICE:
    s->side[i] = side(c[x->a], c[x->b]);
    if (s->side[i] < 0)
      arb_indeterminate(y);
    else
      arb_set(y, c[s->side[i] ? x->c : x->d]);
    break;
  }
}

// ---- higher coefficients ------------------------------------------------------------------------

// sum over j = from..to of a_j b_(k-j); of what stands still only the first is not zero
static void convolve(const certify_series* s, arb_t out, const arb_ptr a, const arb_ptr b, int k,
                     int from, int to)
{
  arb_dot(out, NULL, 0, a + from, 1, b + (k - from), -1, to - from + 1, s->bits);
}

static void product(certify_series* s, const certify_node* x, arb_t y, int k)
{
  const certify_node* node = s->graph->node.at;
  if (node[x->a].still)
    arb_mul(y, s->c[x->a], s->c[x->b] + k, s->bits);
  else if (node[x->b].still)
    arb_mul(y, s->c[x->b], s->c[x->a] + k, s->bits);
  else
    convolve(s, y, s->c[x->a], s->c[x->b], k, 0, k);
}

static void sum(certify_series* s, const certify_node* x, arb_t y, int k)
{
  const certify_node* node = s->graph->node.at;
  if (node[x->a].still)
    arb_set(y, s->c[x->b] + k);
  else if (node[x->b].still)
    arb_set(y, s->c[x->a] + k);
  else
    arb_add(y, s->c[x->a] + k, s->c[x->b] + k, s->bits);
}

// y' = a'/b: k y_k b_0 = k a_k - sum_{j=1..k-1} j y_j b_{k-j}
static void arc(certify_series* s, const certify_node* x, int i, int k, arb_t rest)
{
  arb_ptr y = s->c[i] + k;
  arb_mul_ui(y, s->c[x->a] + k, (ulong)k, s->bits);
  if (k > 1) {
    convolve(s, rest, s->w[i], s->c[x->b], k, 1, k - 1);
    arb_sub(y, y, rest, s->bits);
  }
  arb_div(y, y, s->c[x->b], s->bits);
  arb_div_ui(y, y, (ulong)k, s->bits);
}

// theta = angle of (b, a): theta' (a^2 + b^2) = b a' - a b'; one of them may stand still
static void angle(certify_series* s, const certify_node* x, int i, int k, arb_t rest)
{
  const certify_node* node = s->graph->node.at;
  arb_ptr y = s->c[i] + k;
  arb_zero(y);
  for (int turn = 0; turn < 2; turn++) {
    const int moving = turn ? x->b : x->a, other = turn ? x->a : x->b;
    if (node[moving].still) continue;
    if (node[other].still)
      arb_mul(rest, s->c[other], s->w[moving] + k, s->bits);
    else
      convolve(s, rest, s->c[other], s->w[moving], k, 0, k - 1);
    (turn ? arb_sub : arb_add)(y, y, rest, s->bits);
  }
  if (k > 1) {
    convolve(s, rest, s->w[i], s->c[x->c], k, 1, k - 1);
    arb_sub(y, y, rest, s->bits);
  }
  arb_div(y, y, s->c[x->c], s->bits);
  arb_div_ui(y, y, (ulong)k, s->bits);
}

// y = a^p: k a_0 y_k = p sum_{j=1..k} j a_j y_{k-j} - sum_{j=1..k-1} a_{k-j} j y_j
static void power(certify_series* s, const certify_node* x, int i, int k, arb_t rest)
{
  arb_ptr y = s->c[i] + k;
  convolve(s, y, s->w[x->a], s->c[i], k, 1, k);
  arb_mul(y, y, s->c[x->b], s->bits);
  if (k > 1) {
    convolve(s, rest, s->w[i], s->c[x->a], k, 1, k - 1);
    arb_sub(y, y, rest, s->bits);
  }
  arb_div(y, y, s->c[x->a], s->bits);
  arb_div_ui(y, y, (ulong)k, s->bits);
}

static void root(certify_series* s, const certify_node* x, int i, int k, arb_t rest)
{
  arb_ptr y = s->c[i] + k;
  arb_set(y, s->c[x->a] + k);
  if (k > 1) {
    convolve(s, rest, s->c[i], s->c[i], k, 1, k - 1);
    arb_sub(y, y, rest, s->bits);
  }
  arb_div(y, y, s->c[i], s->bits);
  arb_mul_2exp_si(y, y, -1);
}

// y with k y_k = sign * sum_{j=1..k} j a_j z_{k-j}: exponentials, sines, cosines
static void turned(certify_series* s, const certify_node* x, int i, int k, int z, bool minus)
{
  arb_ptr y = s->c[i] + k;
  convolve(s, y, s->w[x->a], s->c[z], k, 1, k);
  arb_div_ui(y, y, (ulong)k, s->bits);
  if (minus) arb_neg(y, y);
}

static void chosen(certify_series* s, const certify_node* x, int i, int k)
{
  const int taken = s->side[i] == 1 ? x->c : x->d;
  if (s->side[i] < 0)
    arb_indeterminate(s->c[i] + k);
  else if (s->graph->node.at[taken].still)
    arb_zero(s->c[i] + k);
  else
    arb_set(s->c[i] + k, s->c[taken] + k);
}

static void coefficient(certify_series* s, int i, int k, const arb_ptr* input, arb_t rest)
{
  const certify_node* x = &s->graph->node.at[i];
  arb_ptr y = s->c[i] + k;
  switch (x->op) {
  case CERTIFY_CONSTANT:
    break;
  case CERTIFY_INPUT:
    arb_set(y, input[x->a] + k);
    break;
  case CERTIFY_SUM:
    sum(s, x, y, k);
    break;
  case CERTIFY_PRODUCT:
    product(s, x, y, k);
    break;
  case CERTIFY_INVERSE:
    convolve(s, rest, s->c[x->a], s->c[i], k, 1, k);
    arb_mul(y, rest, s->c[i], s->bits);
    arb_neg(y, y);
    break;
  case CERTIFY_SQRT:
    root(s, x, i, k, rest);
    break;
  case CERTIFY_POWER:
    power(s, x, i, k, rest);
    break;
  case CERTIFY_EXP:
    turned(s, x, i, k, i, false);
    break;
  case CERTIFY_SIN:
  case CERTIFY_SINH:
  case CERTIFY_COSH:
    turned(s, x, i, k, x->b, false);
    break;
  case CERTIFY_COS:
    turned(s, x, i, k, x->b, true);
    break;
  case CERTIFY_LOG:
  case CERTIFY_ASIN:
  case CERTIFY_ATAN:
    arc(s, x, i, k, rest);
    break;
  case CERTIFY_ATAN2:
    angle(s, x, i, k, rest);
    break;
  case CERTIFY_CHOICE:
    chosen(s, x, i, k);
    break;
  }
}

void certify_series_extend(certify_series* s, int k, const arb_ptr* input)
{
  arb_t rest;
  arb_init(rest);
  // what stands still is known until more digits are asked for
  const bool anew = k == 0 && s->bits != s->still_bits;
  if (anew) s->still_bits = s->bits;
  for (int i = 0; i < s->graph->node.n; i++) {
    if (s->graph->node.at[i].still && !anew) continue;
    if (k == 0)
      value(s, i, input);
    else
      coefficient(s, i, k, input, rest);
    if (s->w[i]) arb_mul_ui(s->w[i] + k, s->c[i] + k, (ulong)k, s->bits);
  }
  arb_clear(rest);
}

bool certify_series_is_decided(const certify_series* s, const signed char* before)
{
  for (int i = 0; i < s->graph->node.n; i++)
    if (s->graph->node.at[i].op == CERTIFY_CHOICE &&
        (s->side[i] < 0 || (before && s->side[i] != before[i])))
      return false;
  return true;
}
