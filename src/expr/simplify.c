// Smaller equal expressions: every region of sums, products and whole powers becomes a polynomial
// over its kernels, is shortened there and written down again; the shorter text wins.
#include "expr/poly.h"

// term products for one region and for one call, and for each operation or node in them, so that
// the work grows with what is looked at
#define REGION_WORK 60000
#define CALL_WORK   2000000
#define EACH_WORK   300
// terms of a region multiplied out, for each of its operations, from which on nothing is tried: it
// would have to shrink that much again to be shorter
#define EACH_TERMS 4
// nodes up to which shared operations are compared, and how many more a shorter text may take
#define MOST_COUNTED 3000
#define GROWTH       1.1

typedef struct best
{
  expr e;
  double cost;
  double allowed; // operations, what is shared computed once, that a shorter text may take
  long* work;
  bool stable; // multiplied out again it would only be written as it is
} best;

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

// about how many operations the terms take
static long length_of(const expr_ring* r, const expr_poly* a)
{
  long n = 0;
  for (int i = 0; i < a->n; i++) {
    const int8_t* row = expr_poly_row(r, a, i);
    n += a->coef[i] != EXPR_ONE && a->coef[i] != EXPR_MINUS_ONE;
    for (int k = 0; k < r->kernel.n; k++)
      if (row[k]) n += 1 + (row[k] != 1) + (r->kernel.at[k].pair >= 0);
  }
  return n;
}

static bool has_square(const expr_ring* r, const expr_poly* a, int kernel)
{
  for (int i = 0; i < a->n; i++)
    if (expr_poly_row(r, a, i)[kernel] >= 2) return true;
  return false;
}

// for each angle: as it stands, without sin^2, or without cos^2, whichever is shortest
static void choose_squares(expr_ring* r, expr_poly* a)
{
  int kernels = r->kernel.n;
  for (int k = 0; k < kernels && !r->failed; k++) {
    if (r->kernel.at[k].kind != EXPR_KERNEL_SINE) continue;
    for (int side = 0; side < 2 && !r->failed; side++) {
      int square = side ? r->kernel.at[k].pair : k;
      if (!has_square(r, a, square)) continue;
      expr_poly b = expr_poly_copy(r, a);
      expr_poly_drop_square(r, &b, square);
      expr_poly_shorten(r, &b);
      if (!r->failed && length_of(r, &b) < length_of(r, a)) {
        expr_poly t = *a;
        *a = b;
        b = t;
      }
      expr_poly_free(r, &b);
    }
  }
}

// the kernels of a unit, the k-th first; false where one of them is not there
static bool find_unit(const expr_ring* r, const expr_unit* u, int k, int kernel[4])
{
  for (int i = 0; i < 4; i++) {
    kernel[i] = expr_ring_find(r, u->at[(k + i) % 4]);
    if (kernel[i] < 0) return false;
  }
  return true;
}

// for each unit: without the square of one of its four, where that is shorter
static void choose_units(expr_ring* r, expr_poly* a)
{
  const int units = r->p->units_hold ? r->p->units.n : 0;
  for (int i = 0; i < 4 * units && !r->failed; i++) {
    int kernel[4];
    if (!find_unit(r, &r->p->units.at[i / 4], i % 4, kernel)) continue;
    if (!has_square(r, a, kernel[0])) continue;
    expr_poly b = expr_poly_copy(r, a);
    expr_poly_drop_unit(r, &b, kernel);
    if (!r->failed && length_of(r, &b) < length_of(r, a)) {
      expr_poly t = *a;
      *a = b;
      b = t;
    }
    expr_poly_free(r, &b);
  }
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
  if (r->failed || !has_common_sum(r, a)) return;
  expr e = expr_poly_form(r, a);
  if (e && expr_cost(r->p, e) < 0.85 * b->cost) offer(r->p, b, e);
}

// forms of a polynomial: as it is, with higher roots, over one line
static void offer_forms(expr_ring* r, expr_poly* a, best* b)
{
  if (r->mode == EXPR_RING_OPAQUE) {
    offer_closed(r, a, b);
    return;
  }
  if (!r->failed) offer(r->p, b, expr_poly_form(r, a));
  if (!r->failed && has_kind(r, EXPR_KERNEL_ROOT)) {
    expr_poly c = expr_poly_copy(r, a);
    if (expr_poly_raise_roots(r, &c)) offer(r->p, b, expr_poly_form(r, &c));
    expr_poly_free(r, &c);
  }
  if (!r->failed && has_kind(r, EXPR_KERNEL_SUM)) {
    expr_poly_join(r, a);
    if (!r->failed) choose_squares(r, a);
    if (!r->failed) choose_units(r, a);
    if (!r->failed) offer(r->p, b, expr_poly_form(r, a));
  }
}

// Would the form of a polynomial, read again, be the same polynomial over the same kernels, with
// nothing to be done to it? So it is without roots, closed sums, squares of sines and products of
// several angles.
static bool is_stable(const expr_ring* r, const expr_poly* a)
{
  int angles = 0;
  for (int k = 0; k < r->kernel.n; k++) {
    const expr_kernel_kind kind = r->kernel.at[k].kind;
    if (kind == EXPR_KERNEL_ROOT || kind == EXPR_KERNEL_ABS || kind == EXPR_KERNEL_SUM)
      return false;
    if (kind != EXPR_KERNEL_SINE) continue;
    if (++angles > 1 || has_square(r, a, k) || has_square(r, a, r->kernel.at[k].pair)) return false;
  }
  return !r->failed && !r->p->units_hold;
}

static void try_ring(expr_pool* p, expr e, expr_ring_mode mode, best* b, long* work, bool* related)
{
  expr_ring r;
  const double cost = 4 + expr_cost(p, e);
  long given = *work < REGION_WORK ? *work : REGION_WORK;
  if ((double)given > EACH_WORK * cost) given = (long)(EACH_WORK * cost);
  bool useful = expr_ring_of(&r, p, 1, &e, mode, given);
  if (mode == EXPR_RING_OPAQUE) useful &= has_kind(&r, EXPR_KERNEL_SUM);
  if (useful) {
    if (mode == EXPR_RING_PLAIN) *related = expr_ring_has_related_angles(&r);
    expr_poly a = expr_poly_of(&r, e);
    expr_poly_reduce_roots(&r, &a);
    if (has_kind(&r, EXPR_KERNEL_SINE)) {
      expr_poly_shorten(&r, &a);
      choose_squares(&r, &a);
    }
    choose_units(&r, &a);
    if (a.n <= EACH_TERMS * cost) offer_forms(&r, &a, b);
    if (mode == EXPR_RING_PLAIN) b->stable = b->e != e && !*related && is_stable(&r, &a);
    expr_poly_free(&r, &a);
  }
  *work -= given - (r.work > 0 ? r.work : 0);
  expr_ring_free(&r);
}

// *stable: in, whether sums that are multiplied out are known to give e again, out, to give what is
// returned again
static expr region(expr_pool* p, expr e, long* work, bool* stable)
{
  best b = {e, expr_cost(p, e), 0, work, *stable};
  bool related = false;
  if (*work <= 0) return e;
  if (!*stable) try_ring(p, e, EXPR_RING_PLAIN, &b, work, &related);
  if (related && *work > 0) try_ring(p, e, EXPR_RING_SPLIT, &b, work, &related);
  const expr opened = b.e;
  if (expr_kind_at(p, e) == EXPR_SUM && *work > 0)
    try_ring(p, e, EXPR_RING_OPAQUE, &b, work, &related);
  *stable = b.stable && b.e == opened;
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
  // a second look may see what the first one made visible
  bool stable = false;
  for (int i = 0; i < 3; i++) {
    expr next = region(p, e, work, &stable);
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
  best b = {e, expr_cost(p, e), 0, &work, false};
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
