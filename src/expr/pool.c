// The pool: every distinct expression once, found by the hash of its structure.
#include "expr/pool.h"

#define FIRST_NODES   1024
#define ARGS_PER_NODE 16

// ---- table --------------------------------------------------------------------------------------

// Where a node is looked for: near those of what is made of arguments as late, and where NEAR of
// these places are taken near those of them that found none either, anywhere in the table. In a
// large pool what is at work stays in the cache. `latest` is the last made of its arguments,
// EXPR_NONE where there are none; the number in front of a product does not count: many have it.
enum { NEAR = 8, SPREAD = 64, TRIES = 6 };

typedef struct search
{
  uint64_t hash;
  size_t at, group; // SPREAD / 2 arguments as late; 0: of none
  int left;         // places nearby that are still to be looked at
  int tries;        // groups of places that are still to be looked at
} search;

static inline search search_from(uint64_t hash, expr latest)
{
  const size_t group = 2 * (size_t)latest / SPREAD, near = group * SPREAD + (hash >> 32) % SPREAD;
  return (search){hash, latest ? near : hash >> 32, group, NEAR, latest ? TRIES : 0};
}

static inline void step_on(search* s)
{
  if (--s->left > 0) {
    s->at++;
  } else if (s->tries > 0) {
    const uint64_t other = (s->group * TRIES + (size_t)s->tries) * 0x9e3779b97f4a7c15u;
    s->at = (other >> 32) * SPREAD + (s->hash >> (32 + s->tries)) % SPREAD;
    s->left = NEAR;
    s->tries--;
  } else {
    s->at += s->hash >> 40 | 1;
  }
}

// the next place that is empty or has such a hash
static inline size_t place_of(const expr_pool* p, search* s)
{
  const size_t last = p->table_room - 1;
  const uint32_t half = (uint32_t)s->hash;
  for (;; step_on(s)) {
    const expr_place* x = &p->table[s->at & last];
    if (!x->id || x->hash == half) return s->at & last;
  }
}

static expr latest_of(uint32_t n, const expr* args, bool scaled)
{
  expr latest = EXPR_NONE;
  for (uint32_t i = scaled; i < n; i++)
    if (args[i] > latest) latest = args[i];
  return latest;
}

static void table_grow(expr_pool* p)
{
  const size_t room = p->table_room ? 2 * p->table_room : 2 * FIRST_NODES;
  expr_place* table = base_alloc_with(p, room * sizeof *table);
  for (size_t id = 1; id < p->count; id++) {
    const expr_node* x = &p->node[id];
    search s = search_from(x->hash, latest_of(x->n, p->arg + x->first, x->core != id));
    while (table[s.at & (room - 1)].id) step_on(&s);
    table[s.at & (room - 1)] = (expr_place){(uint32_t)x->hash, (expr)id};
  }
  free(p->table);
  p->table = table;
  p->table_room = room;
}

// room for one more node with n arguments, and in the table; false when the pool is full
static bool make_room(expr_pool* p, size_t n)
{
  if (p->full || p->count >= p->limit || p->arg_count + n > ARGS_PER_NODE * p->limit) {
    p->full = true;
    return false;
  }
  if (p->count >= p->room) {
    const size_t room = p->room ? 2 * p->room : FIRST_NODES;
    p->node = base_realloc_with(p, p->node, room * sizeof *p->node);
    p->room = room;
  }
  if (p->arg_count + n > p->arg_room) {
    size_t room = p->arg_room;
    while (p->arg_count + n > room) room = room ? 2 * room : 4096;
    p->arg = base_realloc_with(p, p->arg, room * sizeof *p->arg);
    p->arg_room = room;
  }
  return true;
}

static expr add_node(expr_pool* p, size_t at, expr_node node)
{
  expr id = (expr)p->count++;
  p->node[id] = node;
  if (!node.core) p->node[id].core = id;
  p->table[at] = (expr_place){(uint32_t)node.hash, id};
  if (2 * p->count > p->table_room) table_grow(p);
  return id;
}

// ---- signs --------------------------------------------------------------------------------------

static uint8_t sign_of_sum(const expr_pool* p, int n, const expr* args)
{
  uint8_t flags = EXPR_NONNEG;
  for (int i = 0; i < n; i++) {
    uint8_t f = expr_at(p, args[i])->flags;
    if (!(f & EXPR_NONNEG)) return 0;
    flags |= f;
  }
  return flags;
}

static uint8_t sign_of_product(const expr_pool* p, int n, const expr* args)
{
  uint8_t flags = EXPR_NONNEG | EXPR_POSITIVE;
  for (int i = 0; i < n; i++) flags &= expr_at(p, args[i])->flags;
  return flags;
}

static uint8_t sign_of_power(const expr_pool* p, const expr* args)
{
  uint8_t base = expr_at(p, args[0])->flags;
  if (base & EXPR_POSITIVE) return base;
  if (base & EXPR_NONNEG) return EXPR_NONNEG;
  if (expr_kind_at(p, args[1]) != EXPR_NUMBER) return 0;
  // a fractional power is only defined where it is not negative
  bool never_negative = expr_q_is_even(p, args[1]) || !expr_q_is_whole(p, args[1]);
  return never_negative ? EXPR_NONNEG : 0;
}

static uint8_t sign_of_call(const expr_pool* p, expr_fn f, const expr* args)
{
  uint8_t a = expr_at(p, args[0])->flags;
  switch (f) {
  case EXPR_EXP:
  case EXPR_COSH:
    return EXPR_NONNEG | EXPR_POSITIVE;
  case EXPR_ABS:
    return EXPR_NONNEG;
  case EXPR_ACOS:
    return EXPR_NONNEG;
  case EXPR_ATAN:
  case EXPR_SINH:
  case EXPR_TANH:
  case EXPR_SIGN:
    return a;
  case EXPR_MIN:
    return a & expr_at(p, args[1])->flags;
  case EXPR_MAX:
    return a | expr_at(p, args[1])->flags;
  default:
    return 0;
  }
}

static uint8_t sign_of(const expr_pool* p, expr_kind kind, int fn, int n, const expr* args)
{
  switch (kind) {
  case EXPR_PI:
    return EXPR_NONNEG | EXPR_POSITIVE;
  case EXPR_SUM:
    return sign_of_sum(p, n, args);
  case EXPR_PRODUCT:
    return sign_of_product(p, n, args);
  case EXPR_POWER:
    return sign_of_power(p, args);
  case EXPR_CALL:
    return sign_of_call(p, (expr_fn)fn, args);
  case EXPR_IF:
    return expr_at(p, args[1])->flags & expr_at(p, args[2])->flags;
  default:
    return 0;
  }
}

static bool all_minus(const expr_pool* p, int n, const expr* terms)
{
  if (n > EXPR_FLAT) return false;
  for (int i = 0; i < n; i++) {
    const expr number =
        expr_kind_at(p, terms[i]) == EXPR_NUMBER ? terms[i] : expr_coef(p, terms[i]);
    if (expr_q_sign(p, number) > 0) return false;
  }
  return true;
}

// ---- nodes --------------------------------------------------------------------------------------

expr expr_intern(expr_pool* p, expr_kind kind, int fn, int n, const expr* args, expr core)
{
  uint64_t hash = expr_mix((uint64_t)kind * 64 + (uint64_t)fn + 1, (uint64_t)n);
  uint64_t symbols = 0;
  uint8_t level = 0;
  const int scaled = core != EXPR_NONE;
  expr latest = EXPR_NONE;
  bool long_sums = kind == EXPR_SUM && n >= EXPR_LONG_SUM;
  p->work += (uint64_t)n + 1;
  for (int i = 0; i < n; i++) {
    const expr_node* a = expr_at(p, args[i]);
    hash = expr_mix(hash, a->hash);
    symbols |= a->symbols;
    if (a->level > level) level = a->level;
    if (args[i] > latest && i >= scaled) latest = args[i];
    long_sums |= a->long_sums;
  }
  search s = search_from(hash, latest);
  size_t at = place_of(p, &s);
  for (; p->table[at].id; step_on(&s), at = place_of(p, &s)) {
    const expr_node* o = &p->node[p->table[at].id];
    if (o->hash == hash && o->kind == kind && o->fn == fn && o->n == (uint32_t)n &&
        memcmp(p->arg + o->first, args, (size_t)n * sizeof *args) == 0)
      return p->table[at].id;
  }
  // the arguments may lie in the list that grows
  bool inside = n && args >= p->arg && args < p->arg + p->arg_count;
  size_t offset = inside ? (size_t)(args - p->arg) : 0;
  if (!make_room(p, (size_t)n)) return EXPR_ZERO;
  if (inside) args = p->arg + offset;
  expr_node node = {.hash = hash, .symbols = symbols, .n = (uint32_t)n, .core = core};
  node.kind = (uint8_t)kind;
  node.fn = (uint8_t)fn;
  node.level = kind == EXPR_CALL ? 0 : level;
  node.flags = sign_of(p, kind, fn, n, args);
  node.all_minus = kind == EXPR_SUM && all_minus(p, n, args);
  node.long_sums = long_sums;
  node.cost = (float)expr_cost_of(p, kind, n, args);
  node.first = (uint32_t)p->arg_count;
  if (n) memcpy(p->arg + p->arg_count, args, (size_t)n * sizeof *args);
  p->arg_count += (size_t)n;
  return add_node(p, at, node);
}

static uint64_t hash_integer(uint64_t h, mpz_srcptr z)
{
  h = expr_mix(h, (uint64_t)(mpz_sgn(z) + 2));
  for (size_t i = 0; i < mpz_size(z); i++) h = expr_mix(h, mpz_getlimbn(z, (mp_size_t)i));
  return h;
}

static bool same_number(expr_rational a, expr_rational b)
{
  if (a.big || b.big) return a.big && b.big && mpq_equal(a.big, b.big);
  return a.above == b.above && a.below == b.below;
}

// GMP's memory is of the call under way, a pool may live longer: its numbers lie in blocks of ours
static mpq_srcptr copy_number(const expr_pool* p, mpq_srcptr q)
{
  const mpz_srcptr part[2] = {mpq_numref(q), mpq_denref(q)};
  const size_t limbs = mpz_size(part[0]) + mpz_size(part[1]);
  mpq_ptr copy = base_alloc_with(p, sizeof *copy + limbs * sizeof(mp_limb_t));
  mp_limb_t* at = (mp_limb_t*)(copy + 1);
  mpz_ptr to[2] = {mpq_numref(copy), mpq_denref(copy)};
  for (int i = 0; i < 2; i++) {
    const size_t n = mpz_size(part[i]);
    memcpy(at, mpz_limbs_read(part[i]), n * sizeof *at);
    mpz_roinit_n(to[i], at, mpz_sgn(part[i]) < 0 ? -(mp_size_t)n : (mp_size_t)n);
    at += n;
  }
  return copy;
}

expr expr_intern_number(expr_pool* p, expr_rational q)
{
  uint64_t hash;
  int sign;
  const bool few = !q.big && q.below == 1 && q.above >= -EXPR_WHOLE && q.above <= EXPR_WHOLE;
  if (few && p->whole[q.above + EXPR_WHOLE]) return p->whole[q.above + EXPR_WHOLE];
  if (q.big) {
    hash = hash_integer(hash_integer(7, mpq_numref(q.big)), mpq_denref(q.big));
    sign = mpq_sgn(q.big);
  } else {
    hash = expr_mix(expr_mix(5, (uint64_t)q.above), (uint64_t)q.below);
    sign = (q.above > 0) - (q.above < 0);
  }
  search s = search_from(hash, EXPR_NONE);
  size_t at = place_of(p, &s);
  for (; p->table[at].id; step_on(&s), at = place_of(p, &s)) {
    const expr_node* o = &p->node[p->table[at].id];
    if (o->hash == hash && o->kind == EXPR_NUMBER && same_number(p->numbers.at[o->first], q))
      return p->table[at].id;
  }
  if (!make_room(p, 0)) return EXPR_ZERO;
  expr_node node = {.hash = hash, .kind = EXPR_NUMBER, .first = (uint32_t)p->numbers.n};
  node.flags = sign > 0 ? EXPR_NONNEG | EXPR_POSITIVE : sign == 0 ? EXPR_NONNEG : 0;
  if (q.big) q.big = copy_number(p, q.big);
  base_push_with(p, &p->numbers, q);
  const expr id = add_node(p, at, node);
  if (few) p->whole[q.above + EXPR_WHOLE] = id;
  return id;
}

static uint8_t primes_of(const char* name)
{
  size_t n = strlen(name), primes = 0;
  while (primes < n && primes < 255 && name[n - 1 - primes] == '\'') primes++;
  return (uint8_t)primes;
}

static uint64_t head_of(const char* name)
{
  uint64_t head = 0;
  for (int left = 8; left; left--) {
    head = head << 8 | (unsigned char)*name;
    name += *name != 0;
  }
  return head;
}

expr expr_symbol(expr_pool* p, const char* name)
{
  uint64_t hash = 3;
  for (const char* c = name; *c; c++) hash = expr_mix(hash, (unsigned char)*c);
  search s = search_from(hash, EXPR_NONE);
  size_t at = place_of(p, &s);
  for (; p->table[at].id; step_on(&s), at = place_of(p, &s)) {
    const expr_node* o = &p->node[p->table[at].id];
    if (o->hash == hash && o->kind == EXPR_SYMBOL &&
        strcmp(p->symbols.at[o->first].name, name) == 0)
      return p->table[at].id;
  }
  if (!make_room(p, 0)) return EXPR_ZERO;
  uint32_t index = (uint32_t)p->symbols.n;
  char* own = base_alloc_with(p, strlen(name) + 1);
  strcpy(own, name);
  base_push_with(p, &p->symbols,
                 (expr_name_entry){own, head_of(own), (expr)p->count, EXPR_NONE, 0});
  expr_node node = {.hash = hash, .kind = EXPR_SYMBOL, .first = index};
  node.symbols = (uint64_t)1 << (index % 64);
  node.level = primes_of(name);
  return add_node(p, at, node);
}

// ---- life ---------------------------------------------------------------------------------------

expr_pool* expr_pool_new(size_t limit)
{
  expr_pool* p = base_alloc(sizeof *p);
  p->limit = limit ? limit : 8000000;
  if (p->limit < 16) p->limit = 16;
  if (p->limit > 250000000) p->limit = 250000000;
  p->count = 1;
  table_grow(p);
  // both lists exist from the start: an offset into nothing is undefined
  make_room(p, 1);
  memset(&p->node[0], 0, sizeof p->node[0]);
  const int64_t start[][2] = {{0, 1}, {1, 1}, {-1, 1}, {2, 1}, {1, 2}};
  for (size_t i = 0; i < sizeof start / sizeof *start; i++) {
    expr e = expr_intern_number(p, (expr_rational){start[i][0], start[i][1], NULL});
    assert(e == EXPR_ZERO + i);
    (void)e;
  }
  expr pi = expr_intern(p, EXPR_PI, 0, 0, NULL, EXPR_NONE);
  expr e = expr_intern(p, EXPR_CALL, EXPR_EXP, 1, (expr[]){EXPR_ONE}, EXPR_NONE);
  assert(pi == EXPR_PI_ID && e == EXPR_E_ID);
  (void)pi;
  (void)e;
  return p;
}

void expr_pool_free(expr_pool* p)
{
  if (!p) return;
  for (int i = 0; i < p->numbers.n; i++) free((mpq_ptr)p->numbers.at[i].big);
  for (int i = 0; i < p->symbols.n; i++) free(p->symbols.at[i].name);
  base_list_free(&p->numbers);
  base_list_free(&p->symbols);
  expr_map_free(&p->diffs);
  expr_map_free(&p->totals);
  expr_map_free(&p->simpler);
  expr_map_free(&p->simpler_on_units);
  base_list_free(&p->units);
  expr_spans_free(&p->turned);
  expr_spans_free(&p->kept.done);
  base_list_free(&p->kept.pairs);
  free(p->node);
  free(p->arg);
  free(p->table);
  free(p);
}

bool expr_pool_full(const expr_pool* p)
{
  return p->full;
}

uint64_t expr_pool_work(const expr_pool* p)
{
  return p->work;
}
