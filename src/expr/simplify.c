// Smaller equal expressions: every region of sums, products and whole powers becomes a polynomial
// over its kernels, is shortened there and written down again; the shorter text wins.
#include "expr/poly.h"

#include <limits.h>

// term products for one region and for one call, and for each operation or node in them, so that
// the work grows with what is looked at
#define REGION_WORK 60000
#define CALL_WORK   2000000
#define EACH_WORK   300
// terms of a region multiplied out, for each of its operations, from which on nothing is tried: it
// would have to shrink that much again to be shorter
#define EACH_TERMS 4
// terms up to which a polynomial is written once more with its kernels in another order
#define MOST_ORDERED 12
// operations of its terms one by one, for each of the region's, from which on they are not written
#define LENGTH 4
// how much longer than with whole angles a polynomial of split ones may be to be written at all
#define SPLIT_LENGTH 1.25
// how long a text of closed sums may be beside the best
#define CLOSED 0.85
// nodes up to which shared operations are compared, and how many more a shorter text may take
#define MOST_COUNTED 3000
#define GROWTH       1.1

typedef struct best
{
  expr e;
  double cost;
  double allowed; // operations, what is shared computed once, that a shorter text may take
  long* work;
} best;

// what was seen of a region, over all looks at it
typedef struct looks
{
  bool same;      // multiplied out again it is the same polynomial,
  bool stable;    // and is not worth to be written again
  bool related;   // angles in it share parts, and it may become shorter by splitting them
  uint64_t whole; // the polynomial it is with whole angles, by its print; 0: not known
  uint64_t order; // of its kernels
  long length;
  uint64_t split;      // the polynomial whose angles were split last
  uint64_t written_of; // and the one that was written last, the ways near the best, and its length
  unsigned ways;
  double written;
} looks;

static double shared_cost(const expr_pool* p, expr e, long* work)
{
  int nodes;
  double c = expr_cost_shared(p, e, MOST_COUNTED, &nodes);
  *work -= nodes;
  return c;
}

// a shorter text that shares less would take longer to evaluate
static void offer(expr_pool* p, best* b, expr e)
{
  if (!e || p->full || e == b->e) return;
  double cost = expr_cost(p, e);
  if (cost > b->cost) return;
  if (!b->allowed) b->allowed = GROWTH * shared_cost(p, b->e, b->work);
  if (shared_cost(p, e, b->work) > b->allowed) return;
  b->e = e;
  b->cost = cost;
}

static bool has_kind(const expr_ring* r, expr_kernel_kind kind)
{
  for (int i = 0; i < r->kernel.n; i++)
    if (r->kernel.at[i].kind == kind) return true;
  return false;
}

// does a closed sum stand in two terms?
static bool has_common_sum(const expr_ring* r, const expr_poly* a)
{
  for (int k = 0; k < r->kernel.n; k++) {
    int count = 0;
    for (int i = 0; i < a->n; i++) count += expr_poly_row(r, a, i)[k] != 0;
    if (r->kernel.at[k].kind == EXPR_KERNEL_SUM && count > 1) return true;
  }
  return false;
}

// sums stay closed: only factors that terms share are taken out, and only where that helps much
static void offer_closed(expr_ring* r, const expr_poly* a, best* b)
{
  const double most = CLOSED * b->cost;
  if (r->failed || !has_common_sum(r, a) || expr_poly_least(r, a) >= most) return;
  expr e = expr_poly_form(r, a);
  if (e && expr_cost(r->p, e) < most) offer(r->p, b, e);
}

// forms of a polynomial: as it is, with higher roots, over one line
static void offer_forms(expr_ring* r, expr_poly* a, best* b, looks* l)
{
  if (r->mode == EXPR_RING_OPAQUE) {
    offer_closed(r, a, b);
    return;
  }
  // once more in the ways that were near the best
  const bool once = r->mode == EXPR_RING_PLAIN && l->whole;
  unsigned ways = once && l->whole == l->written_of ? l->ways : 0;
  const expr e = expr_poly_form_in(r, a, &ways);
  if (once && e) {
    l->ways = ways;
    l->written = expr_cost(r->p, e);
    l->written_of = l->whole;
  }
  offer(r->p, b, e);
  if (!r->failed && has_kind(r, EXPR_KERNEL_ROOT)) {
    expr_poly c = expr_poly_copy(r, a);
    if (expr_poly_raise_roots(r, &c)) offer(r->p, b, expr_poly_form(r, &c));
    expr_poly_free(r, &c);
  }
  if (!r->failed && has_kind(r, EXPR_KERNEL_SUM)) {
    expr_poly_join(r, a);
    if (!r->failed) expr_poly_choose_squares(r, a);
    if (!r->failed) expr_poly_choose_units(r, a);
    if (!r->failed) offer(r->p, b, expr_poly_form(r, a));
  }
}

// Is the polynomial all that is written of the ring? Not with roots, nor with sums below the line,
// which may cancel.
static bool is_alone(const expr_ring* r)
{
  return !has_kind(r, EXPR_KERNEL_ROOT) && !has_kind(r, EXPR_KERNEL_SUM);
}

// Would any way of writing a polynomial, read again, be the same polynomial, with nothing to be
// done to it? So it is without roots and closed sums, once nothing more was found to shorten.
static bool is_stable(const expr_ring* r)
{
  return !r->failed && !r->p->units_hold && is_alone(r) && !has_kind(r, EXPR_KERNEL_ABS);
}

// May a polynomial be written in fewer operations with its kernels in another order? What is a
// square, or shares its factors in several ways, may; of long ones it is one in fifty at most.
static bool is_of_order(const expr_ring* r, const expr_poly* a)
{
  if (a->n > MOST_ORDERED) return false;
  for (int i = 0; i < a->n; i++)
    for (int k = 0; k < r->kernel.n; k++)
      if (expr_poly_row(r, a, i)[k] > 1) return true;
  return false;
}

// The same for the same terms, whatever the order of kernels and terms; *order: of the kernels.
static uint64_t print_of(const expr_ring* r, const expr_poly* a, uint64_t* order)
{
  uint64_t sum = 1;
  bool held[r->kernel.n + 1];
  memset(held, 0, sizeof held);
  for (int i = 0; i < a->n; i++) {
    uint64_t term = 0;
    const int8_t* row = expr_poly_row(r, a, i);
    for (int k = 0; k < r->kernel.n; k++) {
      if (!row[k]) continue;
      held[k] = true;
      term += expr_mix(r->kernel.at[k].e, (uint64_t)row[k]);
    }
    sum += expr_mix(a->coef[i], term);
  }
  *order = 1;
  for (int k = 0; k < r->kernel.n; k++)
    if (held[k]) *order = expr_mix(*order, r->kernel.at[k].e);
  return sum;
}

// Is a polynomial of whole angles worth to be written? Once more only with its kernels in another
// order: that decides between ways of equal length, so that the best way may become shorter, if not
// by much.
static bool is_new(const expr_ring* r, const expr_poly* a, const best* b, looks* l)
{
  const uint64_t before = l->whole, ordered = l->order;
  l->whole = 0;
  if (r->failed || !is_alone(r)) return !r->failed;
  l->whole = print_of(r, a, &l->order);
  l->length = expr_poly_length(r, a);
  if ((double)l->length > LENGTH * (b->cost + 1)) return false;
  if (l->whole != before || l->whole != l->written_of) return true;
  return l->order != ordered && l->written <= EXPR_NEAR * b->cost;
}

// And of split ones? Not where it is the same as with whole ones, since all were put together
// again, nor where it is much longer.
static bool is_split_new(const expr_ring* r, const expr_poly* a, const looks* l)
{
  uint64_t order;
  if (r->failed || !l->whole) return !r->failed;
  return print_of(r, a, &order) != l->whole &&
         (double)expr_poly_length(r, a) <= SPLIT_LENGTH * (double)l->length;
}

static void try_ring(expr_pool* p, expr e, expr_ring_mode mode, best* b, long* work, looks* l)
{
  expr_ring r;
  const double cost = 4 + expr_cost(p, e);
  long given = *work < REGION_WORK ? *work : REGION_WORK;
  if ((double)given > EACH_WORK * cost) given = (long)(EACH_WORK * cost);
  bool useful = expr_ring_of(&r, p, 1, &e, mode, given);
  if (mode == EXPR_RING_OPAQUE) useful &= has_kind(&r, EXPR_KERNEL_SUM);
  if (useful) {
    if (mode == EXPR_RING_PLAIN) l->related = expr_ring_has_related_angles(&r);
    bool changed = false;
    expr_poly a = expr_poly_of(&r, e);
    expr_poly_reduce_roots(&r, &a);
    if (has_kind(&r, EXPR_KERNEL_SINE)) {
      expr_poly_shorten(&r, &a);
      changed = expr_poly_choose_squares(&r, &a);
    }
    expr_poly_choose_units(&r, &a);
    const bool fresh = mode == EXPR_RING_PLAIN   ? is_new(&r, &a, b, l)
                       : mode == EXPR_RING_SPLIT ? is_split_new(&r, &a, l)
                                                 : !r.failed;
    if (fresh && a.n <= EACH_TERMS * cost) offer_forms(&r, &a, b, l);
    if (mode == EXPR_RING_PLAIN) {
      l->same = !changed && is_stable(&r);
      l->stable = l->same && !is_of_order(&r, &a);
      l->related = l->related && (r.failed || !expr_poly_is_split_in_vain(&r, &a));
    }
    expr_poly_free(&r, &a);
  }
  *work -= given - (r.work > 0 ? r.work : 0);
  expr_ring_free(&r);
}

static expr region(expr_pool* p, expr e, long* work, looks* l)
{
  best b = {e, expr_cost(p, e), 0, work};
  if (*work <= 0) return e;
  l->related = false;
  if (!l->stable) try_ring(p, e, EXPR_RING_PLAIN, &b, work, l);
  if (l->related && (!l->whole || l->whole != l->split) && *work > 0) {
    const expr whole = b.e;
    try_ring(p, e, EXPR_RING_SPLIT, &b, work, l);
    l->split = l->whole;
    if (b.e != whole) l->same = l->stable = false;
  }
  if (expr_kind_at(p, e) == EXPR_SUM && *work > 0) try_ring(p, e, EXPR_RING_OPAQUE, &b, work, l);
  // its polynomial was left far behind
  if (l->same && l->written > EXPR_NEAR * b.cost) l->stable = true;
  return b.e;
}

// nodes whose value is used by anything but a sum, a product or a whole power end a region
static void mark_roots(const expr_pool* p, const expr_walk* w, bool* root)
{
  for (int k = 0; k < w->order.n; k++) {
    const expr_node* node = expr_at(p, w->order.at[k]);
    bool inside = node->kind == EXPR_SUM || node->kind == EXPR_PRODUCT;
    if (node->kind == EXPR_POWER) {
      expr exponent = p->arg[node->first + 1];
      inside = expr_kind_at(p, exponent) == EXPR_NUMBER && expr_q_is_whole(p, exponent);
    }
    for (uint32_t i = 0; i < node->n && !inside; i++)
      root[expr_walk_place(w, p->arg[node->first + i])] = true;
  }
  root[w->order.n - 1] = true;
}

static bool is_region(const expr_pool* p, expr e, bool root)
{
  expr_kind kind = expr_kind_at(p, e);
  return kind == EXPR_SUM || (root && (kind == EXPR_PRODUCT || kind == EXPR_POWER));
}

static expr again(expr_pool* p, expr e, long* work)
{
  if (expr_is_bare(p, e)) return e;
  // a second look may see what the first one made visible
  looks l = {0};
  for (int i = 0; i < 3; i++) {
    expr next = region(p, e, work, &l);
    if (next == e) break;
    e = next;
  }
  return e;
}

void expr_unit_set(expr_pool* p, const expr four[4])
{
  for (int i = 0; i < p->units.n; i++)
    if (p->units.at[i].at[0] == four[0]) return;
  expr_unit u;
  memcpy(u.at, four, sizeof u.at);
  base_push_with(p, &p->units, u);
  // what was found with fewer of them may be shorter now
  expr_map_free(&p->simpler_on_units);
  p->simpler_on_units = (expr_map){0};
}

bool expr_units_hold(expr_pool* p, bool hold)
{
  const bool before = p->units_hold;
  p->units_hold = hold;
  return before;
}

typedef struct simplifier
{
  expr_pool* p;
  expr_walk w;
  expr* to;        // by place: what became of it
  bool* root;      // it ends a region
  bool* of_angles; // a sine or cosine is in it
  expr_list args;
} simplifier;

static bool is_root(const expr_pool* p, const expr_node* node)
{
  if (node->kind != EXPR_POWER) return false;
  const expr exponent = p->arg[node->first + 1];
  return expr_kind_at(p, exponent) == EXPR_NUMBER && !expr_q_is_whole(p, exponent);
}

// arguments as they have become, in s->args
static expr rebuilt(simplifier* s, expr old)
{
  const expr_node node = *expr_at(s->p, old);
  s->args.n = 0;
  for (uint32_t i = 0; i < node.n; i++)
    expr_list_push(&s->args, s->to[expr_walk_place(&s->w, s->p->arg[node.first + i])]);
  return expr_rebuild(s->p, old, s->args.at);
}

// Under a root a sum of squares stays one: multiplied out, (v - 0.1)^2 + 1e-18 is below zero by
// rounding where v is 0.1. Sums of sines and cosines are left out: their squares add up to shorter
// sums that do not cancel so.
static expr closed_base(simplifier* s, expr base)
{
  const int place = expr_walk_place(&s->w, base);
  const expr became = s->to[place];
  const uint8_t before = expr_at(s->p, base)->flags & EXPR_NONNEG;
  if (!before || s->of_angles[place] || expr_at(s->p, became)->flags & EXPR_NONNEG) return became;
  const expr closed = rebuilt(s, base);
  return closed && expr_at(s->p, closed)->flags & EXPR_NONNEG ? closed : base;
}

// the same node of what its arguments have become
static expr built_anew(simplifier* s, expr old)
{
  const expr_node node = *expr_at(s->p, old);
  expr made;
  if (is_root(s->p, &node)) {
    const expr pair[] = {closed_base(s, s->p->arg[node.first]), s->p->arg[node.first + 1]};
    made = expr_rebuild(s->p, old, pair);
  } else
    made = rebuilt(s, old);
  // what turns out undefined is left as it was
  return made ? made : old;
}

static void note_angles(simplifier* s, int k)
{
  const expr_node* node = expr_at(s->p, s->w.order.at[k]);
  s->of_angles[k] = node->kind == EXPR_CALL && (node->fn == EXPR_SIN || node->fn == EXPR_COS);
  for (uint32_t i = 0; i < node->n && !s->of_angles[k]; i++)
    s->of_angles[k] = s->of_angles[expr_walk_place(&s->w, s->p->arg[node->first + i])];
}

expr expr_simplify(expr_pool* p, expr e)
{
  if (!e) return EXPR_NONE;
  expr_map* simpler = p->units_hold && p->units.n ? &p->simpler_on_units : &p->simpler;
  expr known = expr_map_get(simpler, e);
  if (known) return known;
  simplifier s = {.p = p};
  expr_walk_from(p, &s.w, 1, &e, SIZE_MAX);
  const int count = s.w.order.n;
  long work = count < CALL_WORK / EACH_WORK ? EACH_WORK * count : CALL_WORK;
  s.to = base_alloc((size_t)count * sizeof *s.to);
  s.root = base_alloc((size_t)count * sizeof *s.root);
  s.of_angles = base_alloc((size_t)count * sizeof *s.of_angles);
  mark_roots(p, &s.w, s.root);
  expr_list_start(&s.args);
  for (int k = 0; k < count; k++) {
    const expr old = s.w.order.at[k];
    note_angles(&s, k);
    s.to[k] = expr_map_get(simpler, old);
    if (s.to[k]) continue;
    const expr built = built_anew(&s, old);
    s.to[k] = is_region(p, built, s.root[k]) ? again(p, built, &work) : built;
    if (expr_kind_at(p, old) == EXPR_SUM) expr_map_set_with(p, simpler, old, s.to[k]);
  }
  expr r = s.to[count - 1];
  best b = {e, expr_cost(p, e), 0, &work};
  offer(p, &b, r);
  r = b.e;
  expr_map_set_with(p, simpler, e, r);
  expr_map_set_with(p, simpler, r, r);
  expr_list_end(&s.args);
  free(s.to);
  free(s.root);
  free(s.of_angles);
  expr_walk_free(&s.w);
  return r;
}
