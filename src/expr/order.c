// Two orders of expressions: a fast one for the inside of sums and products, and the one a person
// would write. Neither depends on the history of the pool.
#include "expr/pool.h"

#define NICE_DEPTH 8
#define NICE_STEPS 500

static int rank_of(expr_kind kind)
{
  return kind == EXPR_NUMBER ? 0 : kind == EXPR_PI ? 1 : kind == EXPR_SYMBOL ? 2 : 3;
}

static int names(const expr_pool* p, expr a, expr b)
{
  const expr_name_entry *x = &p->symbols.at[expr_at(p, a)->first],
                        *y = &p->symbols.at[expr_at(p, b)->first];
  if (x->head != y->head) return x->head < y->head ? -1 : 1;
  return strcmp(x->name, y->name);
}

// as a person writes: in the order given to them, the others by name
static int ranks(const expr_pool* p, expr a, expr b)
{
  int x = p->symbols.at[expr_at(p, a)->first].rank, y = p->symbols.at[expr_at(p, b)->first].rank;
  if (x == y) return names(p, a, b);
  return x && (!y || x < y) ? -1 : 1;
}

void expr_rank_set(expr_pool* p, expr symbol, int rank)
{
  if (!symbol || expr_kind_at(p, symbol) != EXPR_SYMBOL) return;
  p->symbols.at[expr_at(p, symbol)->first].rank = rank;
}

// order of two expressions that are not powers, or powers seen whole
static int whole(const expr_pool* p, expr a, expr b)
{
  if (a == b) return 0;
  const expr_node *x = expr_at(p, a), *y = expr_at(p, b);
  int c = rank_of((expr_kind)x->kind) - rank_of((expr_kind)y->kind);
  if (c) return c;
  if (x->kind == EXPR_SYMBOL) return names(p, a, b);
  if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
  return a < b ? -1 : 1;
}

int expr_order(const expr_pool* p, expr a, expr b)
{
  if (a == b) return 0;
  int c = whole(p, expr_base(p, a), expr_base(p, b));
  return c ? c : whole(p, expr_exponent(p, a), expr_exponent(p, b));
}

uint64_t expr_order_key(const expr_pool* p, expr e)
{
  const expr base = expr_base(p, e);
  const expr_node* x = expr_at(p, base);
  const int rank = rank_of((expr_kind)x->kind);
  const uint64_t within = rank < 2 ? 0 : rank == 2 ? p->symbols.at[x->first].head : x->hash;
  return (uint64_t)rank << 62 | within >> 2;
}

// ---- as a person writes -------------------------------------------------------------------------

// how far a comparison may still look: levels down, and comparisons in all
typedef struct look
{
  int depth;
  int* left;
} look;

static look deeper(look l, int levels)
{
  return (look){l.depth - levels, l.left};
}

static int nice(const expr_pool* p, expr a, expr b, look l);

// number, pi, plain symbols, velocities, accelerations, sums, functions
static int class_of(const expr_pool* p, expr e)
{
  switch (expr_kind_at(p, e)) {
  case EXPR_NUMBER:
    return 0;
  case EXPR_PI:
    return 1;
  case EXPR_SYMBOL:
    return 2 + (expr_at(p, e)->level < 3 ? expr_at(p, e)->level : 3);
  case EXPR_SUM:
    return 6;
  case EXPR_CALL:
    return 8;
  default:
    return 7;
  }
}

static int nice_args(const expr_pool* p, expr a, expr b, look l)
{
  const expr_node *x = expr_at(p, a), *y = expr_at(p, b);
  for (uint32_t i = 0; i < x->n && i < y->n; i++) {
    int c = nice(p, p->arg[x->first + i], p->arg[y->first + i], l);
    if (c) return c;
  }
  return (int)x->n - (int)y->n;
}

// the first terms of a sum as they are written, signs aside; at most `room`
static int terms_of(const expr_pool* p, expr sum, int room, expr* out, look l)
{
  const expr_node* node = expr_at(p, sum);
  int n = 0;
  for (uint32_t i = 0; i < node->n && i < 32; i++) {
    expr t = p->arg[node->first + i];
    int k = n < room ? n++ : n;
    for (; k > 0 && nice(p, out[k - 1], t, l) > 0; k--)
      if (k < room) out[k] = out[k - 1];
    if (k < room) out[k] = t;
  }
  return n;
}

// sums by their terms; their signs do not count, so that a - b and b - a stand at the same place
static int nice_sums(const expr_pool* p, expr a, expr b, look l)
{
  expr x[6], y[6];
  int m = terms_of(p, a, 6, x, l), n = terms_of(p, b, 6, y, l);
  for (int i = 0; i < m && i < n; i++) {
    int c = expr_core(p, x[i]) == expr_core(p, y[i]) ? 0 : nice(p, x[i], y[i], l);
    if (c) return c;
  }
  return (int)expr_at(p, a)->n - (int)expr_at(p, b)->n;
}

static int nice_base(const expr_pool* p, expr a, expr b, look l)
{
  if (a == b) return 0;
  int c = class_of(p, a) - class_of(p, b);
  if (c) return c;
  const expr_node *x = expr_at(p, a), *y = expr_at(p, b);
  if (x->kind == EXPR_SYMBOL) return ranks(p, a, b);
  if (x->kind == EXPR_NUMBER) return expr_q_compare(p, b, a);
  if (x->kind == EXPR_CALL && x->fn != y->fn) return x->fn - y->fn;
  if (x->kind != y->kind) return x->kind - y->kind;
  if (x->kind == EXPR_SUM) {
    c = l.depth > 2 ? nice_sums(p, a, b, deeper(l, 2)) : 0;
    return c ? c : expr_order(p, a, b);
  }
  c = l.depth > 0 ? nice_args(p, a, b, deeper(l, 1)) : 0;
  return c ? c : expr_order(p, a, b);
}

static int nice_factor(const expr_pool* p, expr a, expr b, look l)
{
  if (a == b) return 0;
  int c = nice_base(p, expr_base(p, a), expr_base(p, b), l);
  if (c) return c;
  expr m = expr_exponent(p, a), n = expr_exponent(p, b);
  if (expr_kind_at(p, m) == EXPR_NUMBER && expr_kind_at(p, n) == EXPR_NUMBER)
    return expr_q_compare(p, n, m);
  return nice_base(p, m, n, l);
}

// the factors of a term without its number, as they are written; at most `room`
static int factors_of(const expr_pool* p, expr e, int room, expr* out, look l)
{
  const expr_node* node = expr_at(p, e);
  int n = 0;
  if (node->kind != EXPR_PRODUCT) {
    if (node->kind != EXPR_NUMBER) out[n++] = e;
    return n;
  }
  for (uint32_t i = 0; i < node->n && n < room; i++) {
    expr f = p->arg[node->first + i];
    if (expr_kind_at(p, f) == EXPR_NUMBER) continue;
    int k = n++;
    for (; k > 0 && nice_factor(p, out[k - 1], f, l) > 0; k--) out[k] = out[k - 1];
    out[k] = f;
  }
  return n;
}

static int nice(const expr_pool* p, expr a, expr b, look l)
{
  if (a == b) return 0;
  if (l.depth <= 0 || --*l.left < 0) return expr_order(p, a, b);
  int c = expr_at(p, b)->level - expr_at(p, a)->level;
  if (c) return c;
  expr x[24], y[24];
  int m = factors_of(p, a, 24, x, deeper(l, 1)), n = factors_of(p, b, 24, y, deeper(l, 1));
  for (int i = 0; i < m && i < n; i++) {
    c = nice_factor(p, x[i], y[i], deeper(l, 1));
    if (c) return c;
  }
  if (m != n) return n - m;
  return expr_order(p, a, b);
}

int expr_order_nice(const expr_pool* p, expr a, expr b)
{
  return nice(p, a, b, (look){NICE_DEPTH, &(int){NICE_STEPS}});
}

int expr_order_factors(const expr_pool* p, expr a, expr b)
{
  return nice_factor(p, a, b, (look){NICE_DEPTH, &(int){NICE_STEPS}});
}

bool expr_is_minus(const expr_pool* p, expr e)
{
  const expr_node* node = expr_at(p, e);
  if (node->kind == EXPR_NUMBER) return expr_q_sign(p, e) < 0;
  if (node->kind != EXPR_SUM) return expr_q_sign(p, expr_coef(p, e)) < 0;
  // a long one is not turned term by term: minus it is a number before it, which is minus already
  if (node->n > EXPR_FLAT) return false;
  uint32_t minus = 0;
  const expr* term = p->arg + node->first;
  for (uint32_t i = 0; i < node->n; i++)
    minus += expr_q_sign(p, expr_kind_at(p, term[i]) == EXPR_NUMBER ? term[i]
                                                                    : expr_coef(p, term[i])) < 0;
  if (2 * minus != node->n) return 2 * minus > node->n;
  // as many of each: the one that is written first tells
  expr first = term[0];
  for (uint32_t i = 1; i < node->n; i++)
    if (expr_order_nice(p, term[i], first) < 0) first = term[i];
  return expr_is_minus(p, first);
}
