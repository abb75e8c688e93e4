// Expressions -> nodes: numbers and params as constants, quotients as inverses, tangents as sines
// over cosines; each node stands behind its arguments and each expression is there once.
#include "certify/graph.h"

#include <stdlib.h>
#include <string.h>

void certify_graph_open(certify_graph* g, expr_pool* pool, int inputs, const expr* input,
                        int knowns, const expr* known, const expr* value)
{
  *g = (certify_graph){.pool = pool,
                       .inputs = inputs,
                       .input = input,
                       .knowns = knowns,
                       .known = known,
                       .value = value,
                       .slots = 1024};
  g->slot = base_alloc(sizeof(expr) * (size_t)g->slots);
  g->slot_node = base_alloc(sizeof(int) * (size_t)g->slots);
}

void certify_graph_close(certify_graph* g)
{
  for (int i = 0; i < g->node.n; i++) arb_clear(g->node.at[i].number);
  base_list_free(&g->node);
  free(g->slot);
  free(g->slot_node);
}

// ---- which expression is which node -------------------------------------------------------------

static int slot_of(const certify_graph* g, expr e)
{
  unsigned at = e * 2654435761u & (unsigned)(g->slots - 1);
  while (g->slot[at] != EXPR_NONE && g->slot[at] != e) at = (at + 1) & (unsigned)(g->slots - 1);
  return (int)at;
}

static void remember(certify_graph* g, expr e, int node)
{
  if (2 * (g->used + 1) > g->slots) {
    const certify_graph old = *g;
    g->slots *= 2;
    g->slot = base_alloc(sizeof(expr) * (size_t)g->slots);
    g->slot_node = base_alloc(sizeof(int) * (size_t)g->slots);
    for (int i = 0; i < old.slots; i++) {
      if (old.slot[i] == EXPR_NONE) continue;
      const int at = slot_of(g, old.slot[i]);
      g->slot[at] = old.slot[i];
      g->slot_node[at] = old.slot_node[i];
    }
    free(old.slot);
    free(old.slot_node);
  }
  const int at = slot_of(g, e);
  g->slot[at] = e;
  g->slot_node[at] = node;
  g->used++;
}

// ---- nodes --------------------------------------------------------------------------------------

static int put(certify_graph* g, certify_node x)
{
  arb_init(x.number);
  base_push(&g->node, x);
  return g->node.n - 1;
}

static bool is_still(const certify_graph* g, int i)
{
  return g->node.at[i].still;
}

static int constant(certify_graph* g, expr number)
{
  return put(g, (certify_node){.op = CERTIFY_CONSTANT, .source = number, .still = true});
}

static int whole(certify_graph* g, long value)
{
  return certify_graph_add(g, expr_int(g->pool, value));
}

static int unary(certify_graph* g, certify_op op, int a)
{
  return put(g, (certify_node){.op = op, .a = a, .still = is_still(g, a)});
}

static int binary(certify_graph* g, certify_op op, int a, int b)
{
  return put(g,
             (certify_node){.op = op, .a = a, .b = b, .still = is_still(g, a) && is_still(g, b)});
}

static void weigh(certify_graph* g, int i)
{
  g->node.at[i].weighted = true;
}

static int negative(certify_graph* g, int a)
{
  return binary(g, CERTIFY_PRODUCT, whole(g, -1), a);
}

// the value `yes` where a < b, else `no`
static int choice(certify_graph* g, int a, int b, int yes, int no)
{
  const bool still = is_still(g, a) && is_still(g, b) && is_still(g, yes) && is_still(g, no);
  return put(
      g, (certify_node){.op = CERTIFY_CHOICE, .a = a, .b = b, .c = yes, .d = no, .still = still});
}

// a sine and its cosine (or the hyperbolic ones), behind each other; the number of the first
static int pair(certify_graph* g, certify_op sine, certify_op cosine, int a)
{
  weigh(g, a);
  const int s = unary(g, sine, a), c = unary(g, cosine, a);
  g->node.at[s].b = c;
  g->node.at[c].b = s;
  return s;
}

// y with y' = a'/b
static int arc(certify_graph* g, certify_op op, int a, int b)
{
  const int y = binary(g, op, a, b);
  weigh(g, y);
  return y;
}

static int square(certify_graph* g, int a)
{
  return binary(g, CERTIFY_PRODUCT, a, a);
}

static int root(certify_graph* g, int a)
{
  return unary(g, CERTIFY_SQRT, a);
}

static int arc_sine(certify_graph* g, int a)
{
  const int one = whole(g, 1), rest = binary(g, CERTIFY_SUM, one, negative(g, square(g, a)));
  return arc(g, CERTIFY_ASIN, a, root(g, rest));
}

static int quotient(certify_graph* g, int a, int b)
{
  return binary(g, CERTIFY_PRODUCT, a, unary(g, CERTIFY_INVERSE, b));
}

static int arc_tangent_of_two(certify_graph* g, int y, int x)
{
  const int both = binary(g, CERTIFY_SUM, square(g, y), square(g, x));
  weigh(g, x);
  weigh(g, y);
  const int i = binary(g, CERTIFY_ATAN2, y, x);
  g->node.at[i].c = both;
  weigh(g, i);
  return i;
}

// the cosine e of node a stands behind its sine, which may be asked for as well
static int partner(certify_graph* g, expr e, expr_fn sine, int a)
{
  const expr s = expr_fn1(g->pool, sine, expr_arg(g->pool, e, 0));
  if (expr_kind_of(g->pool, s) == EXPR_CALL && expr_fn_of(g->pool, s) == sine)
    return certify_graph_add(g, s) + 1;
  return (sine == EXPR_SIN ? pair(g, CERTIFY_SIN, CERTIFY_COS, a)
                           : pair(g, CERTIFY_SINH, CERTIFY_COSH, a)) +
         1;
}

static int call(certify_graph* g, expr e)
{
  const int a = certify_graph_add(g, expr_arg(g->pool, e, 0));
  const int b = expr_arg_count(g->pool, e) > 1 ? certify_graph_add(g, expr_arg(g->pool, e, 1)) : -1;
  int s;
  switch (expr_fn_of(g->pool, e)) {
  case EXPR_SQRT:
    return root(g, a);
  case EXPR_EXP:
    weigh(g, a);
    return unary(g, CERTIFY_EXP, a);
  case EXPR_LOG:
    return arc(g, CERTIFY_LOG, a, a);
  case EXPR_SIN:
    return pair(g, CERTIFY_SIN, CERTIFY_COS, a);
  case EXPR_COS:
    return partner(g, e, EXPR_SIN, a);
  case EXPR_TAN:
    s = pair(g, CERTIFY_SIN, CERTIFY_COS, a);
    return quotient(g, s, s + 1);
  case EXPR_SINH:
    return pair(g, CERTIFY_SINH, CERTIFY_COSH, a);
  case EXPR_COSH:
    return partner(g, e, EXPR_SINH, a);
  case EXPR_TANH:
    s = pair(g, CERTIFY_SINH, CERTIFY_COSH, a);
    return quotient(g, s, s + 1);
  case EXPR_ASIN:
    return arc_sine(g, a);
  case EXPR_ACOS:
    s = certify_graph_add(g, expr_div(g->pool, expr_pi(g->pool), expr_int(g->pool, 2)));
    return binary(g, CERTIFY_SUM, s, negative(g, arc_sine(g, a)));
  case EXPR_ATAN:
    return arc(g, CERTIFY_ATAN, a, binary(g, CERTIFY_SUM, whole(g, 1), square(g, a)));
  case EXPR_ATAN2:
    return arc_tangent_of_two(g, a, b);
  case EXPR_ABS:
    return choice(g, a, whole(g, 0), negative(g, a), a);
  case EXPR_SIGN:
    return choice(g, a, whole(g, 0), whole(g, -1), whole(g, 1));
  case EXPR_MIN:
    return choice(g, a, b, a, b);
  case EXPR_MAX:
    return choice(g, a, b, b, a);
  default:
    break;
  }
  return whole(g, 0);
}

// a to a whole power, by squares
static int whole_power(certify_graph* g, int a, long n)
{
  if (n < 0) return unary(g, CERTIFY_INVERSE, whole_power(g, a, -n));
  if (n == 1) return a;
  const int half = square(g, whole_power(g, a, n / 2 > 0 ? n / 2 : 1));
  return n == 2 || n % 2 == 0 ? half : binary(g, CERTIFY_PRODUCT, half, a);
}

static int power(certify_graph* g, expr e)
{
  expr_pool* p = g->pool;
  const expr base = expr_arg(p, e, 0), exponent = expr_arg(p, e, 1);
  const int a = certify_graph_add(g, base);
  long n;
  if (expr_is_int(p, exponent, &n) && n != 0) return whole_power(g, a, n);
  if (expr_is_int(p, expr_mul(p, exponent, expr_int(p, 2)), &n) && n % 2 != 0)
    return n == 1 ? root(g, a) : whole_power(g, root(g, a), n);
  const int c = certify_graph_add(g, exponent);
  if (is_still(g, c)) {
    weigh(g, a);
    const int i = binary(g, CERTIFY_POWER, a, c);
    g->node.at[i].still = is_still(g, a);
    weigh(g, i);
    return i;
  }
  const int product = binary(g, CERTIFY_PRODUCT, c, arc(g, CERTIFY_LOG, a, a));
  weigh(g, product);
  return unary(g, CERTIFY_EXP, product);
}

static int symbol(certify_graph* g, expr e)
{
  for (int i = 0; i < g->inputs; i++)
    if (g->input[i] == e) return put(g, (certify_node){.op = CERTIFY_INPUT, .a = i});
  for (int i = 0; i < g->knowns; i++)
    if (g->known[i] == e) return certify_graph_add(g, g->value[i]);
  if (g->stranger == EXPR_NONE) g->stranger = e;
  return whole(g, 0);
}

static int many(certify_graph* g, certify_op op, expr e)
{
  // what stands still first, so that it is put together once
  int still = -1, moving = -1;
  for (int k = 0; k < expr_arg_count(g->pool, e); k++) {
    const int a = certify_graph_add(g, expr_arg(g->pool, e, k));
    int* sum = is_still(g, a) ? &still : &moving;
    *sum = *sum < 0 ? a : binary(g, op, *sum, a);
  }
  return still < 0 ? moving : moving < 0 ? still : binary(g, op, still, moving);
}

static int made(certify_graph* g, expr e)
{
  expr_pool* p = g->pool;
  switch (expr_kind_of(p, e)) {
  case EXPR_NUMBER:
  case EXPR_PI:
    return constant(g, e);
  case EXPR_SYMBOL:
    return symbol(g, e);
  case EXPR_SUM:
    return many(g, CERTIFY_SUM, e);
  case EXPR_PRODUCT:
    return many(g, CERTIFY_PRODUCT, e);
  case EXPR_POWER:
    return power(g, e);
  case EXPR_CALL:
    return call(g, e);
  case EXPR_IF: {
    // a <= b is b < a turned round; where both are equal no side is decided anyway
    const expr condition = expr_arg(p, e, 0);
    const int a = certify_graph_add(g, expr_arg(p, condition, 0));
    const int b = certify_graph_add(g, expr_arg(p, condition, 1));
    const int yes = certify_graph_add(g, expr_arg(p, e, 1));
    return choice(g, a, b, yes, certify_graph_add(g, expr_arg(p, e, 2)));
  }
  default:
    return whole(g, 0);
  }
}

int certify_graph_add(certify_graph* g, expr e)
{
  const int at = slot_of(g, e);
  if (g->slot[at] == e) return g->slot_node[at];
  const int i = made(g, e);
  remember(g, e, i);
  return i;
}

void certify_graph_number(const expr_pool* p, expr number, arb_t out, slong bits)
{
  if (expr_kind_of(p, number) == EXPR_PI) {
    arb_const_pi(out, bits);
    return;
  }
  base_text text = {0};
  expr_number_exact(p, &text, number);
  fmpq_t ratio;
  fmpq_init(ratio);
  fmpq_set_str(ratio, text.at, 10);
  arb_set_fmpq(out, ratio, bits);
  fmpq_clear(ratio);
  base_text_free(&text);
}
