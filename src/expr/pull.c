// Sums of derivatives of many expressions at once, from the expressions down to the symbols, for
// many sets of weights.
//
// Legend: e_k expressions with weights w_k, s_j symbols; wanted sum_k w_k de_k/ds_j for all j.
// Each node x gets its weight y(x) = sum_k w_k de_k/dx from what uses it (reverse accumulation), so
// that every node is passed once however many symbols there are, and the weights are shared.
// A sum that holds all terms of a shorter one is taken as the shorter one and the rest: along a
// chain each link then passes on what it got, however long the chain behind it is.
#include "expr/pool.h"

#include <limits.h>

typedef struct node
{
  expr e;
  expr by;      // not EXPR_NONE: the node is this number times its only argument
  int first, n; // arguments that hold symbols
  int least;    // number of the first symbol inside
  int rank;     // nodes of higher rank are passed first
} node;

typedef BASE_LIST(expr) weights;

struct expr_pull
{
  expr_pool* p;
  int count, n;
  int* root;   // by expression: its node, -1 where it holds no symbol
  int* symbol; // by number: its node
  BASE_LIST(node) nodes;
  BASE_LIST(int) args;
  BASE_LIST(int) by_rank; // nodes
  weights* terms;         // by node: what adds up to the weight, empty between two runs
  BASE_LIST(int) heap;    // ranks of nodes that wait, the largest first
};

// ---- what holds what ----------------------------------------------------------------------------

// while the nodes are gathered
typedef struct gather
{
  expr_pull* t;
  const expr* symbols;
  expr_walk walk;
  int* place; // by place in the walk: the node, -1 where no symbol is inside
} gather;

static void hold_arguments(gather* g, node* x)
{
  expr_pull* t = g->t;
  for (uint32_t i = 0; i < expr_at(t->p, x->e)->n; i++) {
    const int at = g->place[expr_walk_place(&g->walk, expr_args_at(t->p, x->e)[i])];
    if (at < 0) continue;
    base_push(&t->args, at);
    if (t->nodes.at[at].least < x->least) x->least = t->nodes.at[at].least;
  }
}

static int add(expr_pull* t, node x)
{
  x.n = t->args.n - x.first;
  base_push(&t->nodes, x);
  return t->nodes.n - 1;
}

static void gather_nodes(gather* g, const expr* e)
{
  expr_pull* t = g->t;
  expr_walk_from(t->p, &g->walk, t->n, g->symbols, SIZE_MAX);
  for (int j = 0; j < t->n; j++) t->symbol[j] = add(t, (node){.e = g->symbols[j], .least = j});
  expr_walk_from(t->p, &g->walk, t->count, e, SIZE_MAX);
  g->place = base_alloc((size_t)g->walk.order.n * sizeof *g->place + 1);
  for (int i = 0; i < g->walk.order.n; i++) g->place[i] = -1;
  for (int j = 0; j < t->n; j++) g->place[expr_walk_place(&g->walk, g->symbols[j])] = t->symbol[j];
  for (int i = 0; i < g->walk.order.n; i++) {
    if (g->place[i] >= 0) continue;
    node x = {.e = g->walk.order.at[i], .first = t->args.n, .least = INT_MAX};
    const expr_kind kind = expr_kind_at(t->p, x.e);
    // conditions jump, they have no slope
    if (kind != EXPR_LESS && kind != EXPR_LESS_EQ) hold_arguments(g, &x);
    if (t->args.n > x.first) g->place[i] = add(t, x);
  }
  for (int k = 0; k < t->count; k++)
    t->root[k] = e[k] ? g->place[expr_walk_place(&g->walk, e[k])] : -1;
}

// ---- sums within sums ---------------------------------------------------------------------------

// the part of the sum `whole` comes in place of its terms; `of` tells these
static void nest(expr_pull* t, int whole, int part, expr by, const expr_map* of)
{
  const node x = t->nodes.at[whole];
  if (by != EXPR_ONE) {
    node scaled = {.e = t->nodes.at[part].e, .by = by, .first = t->args.n};
    scaled.least = t->nodes.at[part].least;
    base_push(&t->args, part);
    part = add(t, scaled);
  }
  const int first = t->args.n;
  base_push(&t->args, part);
  for (int i = 0; i < x.n; i++) {
    const int at = t->args.at[x.first + i];
    if (!expr_map_get(of, expr_core(t->p, t->nodes.at[at].e))) base_push(&t->args, at);
  }
  t->nodes.at[whole].first = first;
  t->nodes.at[whole].n = t->args.n - first;
}

static void nest_sums(expr_pull* t)
{
  BASE_LIST(expr) sums = {0};
  BASE_LIST(int) nodes = {0};
  for (int i = 0; i < t->nodes.n; i++) {
    if (expr_kind_at(t->p, t->nodes.at[i].e) != EXPR_SUM) continue;
    base_push(&sums, t->nodes.at[i].e);
    base_push(&nodes, i);
  }
  expr_part* part = base_alloc((size_t)sums.n * sizeof *part + 1);
  expr_parts(t->p, sums.n, sums.at, part);
  for (int k = 0; k < sums.n; k++) {
    if (part[k].sum < 0) continue;
    const expr inner = sums.at[part[k].sum];
    expr_map of = {0};
    for (uint32_t i = 0; i < expr_at(t->p, inner)->n; i++)
      expr_map_set(&of, expr_core(t->p, expr_args_at(t->p, inner)[i]), 1);
    const expr by = expr_q_mul(t->p, part[k].above, expr_q_inverse(t->p, part[k].below));
    nest(t, nodes.at[k], nodes.at[part[k].sum], by, &of);
    expr_map_free(&of);
  }
  free(part);
  base_list_free(&sums);
  base_list_free(&nodes);
}

// ---- ranks: users above what they use -----------------------------------------------------------

typedef struct visit
{
  int node, next;
} visit;

static void rank_from(expr_pull* t, int root)
{
  BASE_LIST(visit) stack = {0};
  base_push(&stack, (visit){root, 0});
  while (stack.n) {
    visit* top = &stack.at[stack.n - 1];
    node* x = &t->nodes.at[top->node];
    if (x->rank < 0 && top->next < x->n) {
      const int child = t->args.at[x->first + top->next++];
      if (t->nodes.at[child].rank < 0) base_push(&stack, (visit){child, 0});
      continue;
    }
    if (x->rank < 0) {
      x->rank = t->by_rank.n;
      base_push(&t->by_rank, top->node);
    }
    stack.n--;
  }
  base_list_free(&stack);
}

expr_pull* expr_pull_new(expr_pool* p, int count, const expr* e, int n, const expr* symbols)
{
  expr_pull* t = base_alloc(sizeof *t);
  *t = (expr_pull){.p = p, .count = count, .n = n};
  t->root = base_alloc((size_t)count * sizeof *t->root + 1);
  t->symbol = base_alloc((size_t)n * sizeof *t->symbol + 1);
  gather g = {.t = t, .symbols = symbols};
  gather_nodes(&g, e);
  nest_sums(t);
  for (int i = 0; i < t->nodes.n; i++) t->nodes.at[i].rank = -1;
  for (int i = 0; i < t->nodes.n; i++) rank_from(t, i);
  t->terms = base_alloc((size_t)t->nodes.n * sizeof *t->terms + 1);
  expr_walk_free(&g.walk);
  free(g.place);
  return t;
}

void expr_pull_free(expr_pull* t)
{
  if (!t) return;
  for (int i = 0; i < t->nodes.n; i++) base_list_free(&t->terms[i]);
  free(t->terms);
  free(t->root);
  free(t->symbol);
  base_list_free(&t->nodes);
  base_list_free(&t->args);
  base_list_free(&t->by_rank);
  base_list_free(&t->heap);
  free(t);
}

// ---- one set of weights -------------------------------------------------------------------------

static void queue(expr_pull* t, int rank)
{
  int i = t->heap.n;
  base_push(&t->heap, rank);
  for (; i > 0 && t->heap.at[(i - 1) / 2] < rank; i = (i - 1) / 2)
    t->heap.at[i] = t->heap.at[(i - 1) / 2];
  t->heap.at[i] = rank;
}

static int highest(expr_pull* t)
{
  const int top = t->heap.at[0], rank = t->heap.at[--t->heap.n], n = t->heap.n;
  int i = 0;
  for (int child; child = 2 * i + 1, child < n; i = child) {
    child += child + 1 < n && t->heap.at[child + 1] > t->heap.at[child];
    if (t->heap.at[child] <= rank) break;
    t->heap.at[i] = t->heap.at[child];
  }
  t->heap.at[i] = rank;
  return t->by_rank.at[top];
}

static void give(expr_pull* t, int to, expr weight)
{
  if (weight == EXPR_ZERO) return;
  if (!t->terms[to].n) queue(t, t->nodes.at[to].rank);
  base_push(&t->terms[to], weight);
}

// The terms as they are: they are added up where they part, or where they become many. Then the
// next set of weights that comes along here finds their sum.
static void hand_over(expr_pull* t, int from, int to)
{
  weights* list = &t->terms[from];
  if (list->n > EXPR_FLAT_SHARED) {
    list->at[0] = expr_sum_long(t->p, list->n, list->at);
    list->n = 1;
  }
  if (t->terms[to].n) {
    for (int i = 0; i < list->n; i++) give(t, to, list->at[i]);
    return;
  }
  queue(t, t->nodes.at[to].rank);
  const weights spare = t->terms[to];
  t->terms[to] = *list;
  *list = spare;
}

// each factor gets the product of the others
static void give_factors(expr_pull* t, const node* x, int n, expr weight)
{
  expr_pool* p = t->p;
  expr_list factor;
  expr_list_start(&factor);
  for (uint32_t i = 0; i < expr_at(p, x->e)->n; i++)
    expr_list_push(&factor, expr_args_at(p, x->e)[i]);
  for (int i = 0, k = 0; k < x->n; i++) {
    const int to = t->args.at[x->first + k];
    const expr own = factor.at[i];
    if (t->nodes.at[to].e != own) continue;
    k++;
    if (t->nodes.at[to].least >= n) continue;
    factor.at[i] = weight;
    give(t, to, expr_product(p, factor.n, factor.at));
    factor.at[i] = own;
  }
  expr_list_end(&factor);
}

// what argument i of a power or function gets: 0 where the other branch is taken
static expr share(expr_pool* p, expr e, int i, expr weight)
{
  const expr* args = expr_args_at(p, e);
  const bool first = expr_is_fn(p, e, EXPR_MIN);
  if (first || expr_is_fn(p, e, EXPR_MAX)) {
    const expr least = expr_less_eq(p, args[first ? 0 : 1], args[first ? 1 : 0]);
    return i ? expr_if(p, least, EXPR_ZERO, weight) : expr_if(p, least, weight, EXPR_ZERO);
  }
  if (expr_kind_at(p, e) != EXPR_IF) return expr_mul(p, expr_partial(p, e, i), weight);
  return i == 1 ? expr_if(p, args[0], weight, EXPR_ZERO) : expr_if(p, args[0], EXPR_ZERO, weight);
}

static void give_arguments(expr_pull* t, const node* x, int n, expr weight)
{
  for (int i = 0, k = 0; k < x->n; i++) {
    const int to = t->args.at[x->first + k];
    if (t->nodes.at[to].e != expr_args_at(t->p, x->e)[i]) continue;
    k++;
    if (t->nodes.at[to].least < n) give(t, to, share(t->p, x->e, i, weight));
  }
}

static int only_receiver(const expr_pull* t, const node* x, int n)
{
  int found = -1;
  for (int i = 0; i < x->n; i++) {
    const int to = t->args.at[x->first + i];
    if (t->nodes.at[to].least >= n) continue;
    if (found >= 0) return -1;
    found = to;
  }
  return found;
}

static void pass_on(expr_pull* t, int at, int n)
{
  const node* x = &t->nodes.at[at];
  expr_looked += (uint64_t)x->n + 1;
  const bool adds = expr_kind_at(t->p, x->e) == EXPR_SUM;
  const int only = adds && !x->by ? only_receiver(t, x, n) : -1;
  if (only >= 0) {
    hand_over(t, at, only);
  } else {
    const expr weight = expr_sum_long(t->p, t->terms[at].n, t->terms[at].at);
    if (x->by)
      give(t, t->args.at[x->first], expr_mul(t->p, x->by, weight));
    else if (adds)
      for (int i = 0; i < x->n; i++) {
        const int to = t->args.at[x->first + i];
        if (t->nodes.at[to].least < n) give(t, to, weight);
      }
    else if (expr_kind_at(t->p, x->e) == EXPR_PRODUCT)
      give_factors(t, x, n, weight);
    else
      give_arguments(t, x, n, weight);
  }
  t->terms[at].n = 0;
}

static int by_number(const void* a, const void* b)
{
  return ((const expr_slope*)a)->number - ((const expr_slope*)b)->number;
}

void expr_pull_run(expr_pull* t, int count, const expr_slope* weight, int n, expr_slope_list* out)
{
  assert(n <= t->n);
  out->n = 0;
  for (int k = 0; k < count; k++) {
    const int root = t->root[weight[k].number];
    if (root >= 0 && t->nodes.at[root].least < n) give(t, root, weight[k].value);
  }
  while (t->heap.n) {
    const int at = highest(t);
    const node* x = &t->nodes.at[at];
    if (expr_kind_at(t->p, x->e) != EXPR_SYMBOL) {
      pass_on(t, at, n);
      continue;
    }
    const expr value = expr_sum_long(t->p, t->terms[at].n, t->terms[at].at);
    t->terms[at].n = 0;
    if (value != EXPR_ZERO) base_push(out, (expr_slope){x->least, value});
  }
  if (out->n > 1) qsort(out->at, (size_t)out->n, sizeof *out->at, by_number);
}

void expr_pullback(expr_pool* p, int count, const expr* e, const expr* weight, int n,
                   const expr* symbols, expr* out)
{
  bool whole = true;
  for (int k = 0; k < count; k++) whole = whole && e[k] && weight[k];
  for (int j = 0; j < n; j++) out[j] = whole ? EXPR_ZERO : EXPR_NONE;
  if (!whole) return;
  expr_slope_list given = {0}, got = {0};
  for (int k = 0; k < count; k++) base_push(&given, (expr_slope){k, weight[k]});
  expr_pull* t = expr_pull_new(p, count, e, n, symbols);
  expr_pull_run(t, count, given.at, n, &got);
  for (int i = 0; i < got.n; i++) out[got.at[i].number] = got.at[i].value;
  expr_pull_free(t);
  base_list_free(&given);
  base_list_free(&got);
}
