// The inside of a pool: nodes, numbers, symbols, and the tools every file of this room shares.
#pragma once

#include "expr/expr.h"

#include <assert.h>
#include <gmp.h>
#include <stdlib.h>
#include <string.h>

// ids that every pool has from the start
#define EXPR_ZERO      ((expr)1)
#define EXPR_ONE       ((expr)2)
#define EXPR_MINUS_ONE ((expr)3)
#define EXPR_TWO       ((expr)4)
#define EXPR_HALF      ((expr)5)
#define EXPR_PI_ID     ((expr)6)
#define EXPR_E_ID      ((expr)7) // exp(1), the base that products see in exp(u)

// nested sums and products up to this many arguments are flattened into their parent; longer ones
// stay nested, so that a chain of n additions takes memory in proportion to n
#define EXPR_FLAT         256
#define EXPR_FLAT_PRODUCT 48
// the same where sums are to be shared: along a chain each holds the one before
#define EXPR_FLAT_SHARED 11
// rationals above and below at most this many bits; beyond it the pool counts as full
#define EXPR_NUMBER_BITS 65536
// whole numbers up to this size are found without a search
#define EXPR_WHOLE 16
// builders that call each other stop normalising below this depth
#define EXPR_DEPTH 100

typedef enum expr_sign_flag {
  EXPR_NONNEG = 1,  // value >= 0 wherever defined
  EXPR_POSITIVE = 2 // value > 0 wherever defined
} expr_sign_flag;

typedef struct expr_node
{
  uint64_t hash;    // of the structure and the names: the same in every pool
  uint64_t symbols; // bit i % 64 is set when symbol i may be inside
  uint32_t first;   // place of the arguments, the number or the symbol
  uint32_t n;       // arguments
  uint32_t core;    // of a product: itself without its number; else the node
  float cost;       // operations when written out as a tree
  uint8_t kind, fn, flags;
  uint8_t level;  // most primes of a symbol inside, those in arguments of functions aside
  bool all_minus; // a short sum whose terms all have a minus sign
  bool long_sums; // it is a sum of EXPR_LONG_SUM terms or more, or holds one
} expr_node;

// a rational; small ones (both parts below 2^62) without GMP
typedef struct expr_rational
{
  int64_t above, below;
  mpq_srcptr big; // null for small ones; in a pool one block, which is never changed
} expr_rational;

typedef struct expr_name_entry
{
  char* name;
  uint64_t head; // its first letters, the first one highest: names that differ there are not read
  expr node;
  expr rate;
  int rank; // where it is written: lower ones first, 0 after all others
} expr_name_entry;

// open addressing from 64-bit keys (never zero) to ids
typedef struct expr_map_entry
{
  uint64_t key; // 0: empty
  uint32_t value;
} expr_map_entry;

typedef struct expr_map
{
  expr_map_entry* at;
  size_t room, n; // room is a power of two
} expr_map;

// Numbers of nodes: those of EXPR_SPAN ids lie side by side, as nodes that are made one after
// another are met one after another. Open addressing by the golden section.
enum { EXPR_SPAN = 8 };
typedef struct expr_span
{
  uint32_t key; // the ids over EXPR_SPAN, plus one; 0: empty
  uint32_t number[EXPR_SPAN];
} expr_span;

typedef struct expr_spans
{
  expr_span* at;
  size_t room, n; // room is a power of two
} expr_spans;

// A place of the table that finds nodes: id 0: empty. With half of the hash beside it, nodes that
// only meet there are not looked at: in a large pool each lies in memory that is far away.
typedef struct expr_place
{
  uint32_t hash; // its lower half
  expr id;
} expr_place;

// four symbols of a unit quaternion: their squares add up to one
typedef struct expr_unit
{
  expr at[4];
} expr_unit;

// what a substitution that comes again and again has replaced so far
typedef struct expr_kept
{
  BASE_LIST(expr) pairs; // what is replaced, then by what
  bool shares;
  expr_spans done;
} expr_kept;

struct expr_pool
{
  expr_node* node;
  size_t count, room, limit;
  uint32_t* arg;
  size_t arg_count, arg_room;
  expr_place* table;
  size_t table_room;
  BASE_LIST(expr_rational) numbers;
  BASE_LIST(expr_name_entry) symbols;
  expr_map diffs;            // (expression, symbol) -> derivative
  expr_map totals;           // expression -> total time derivative
  expr_map simpler;          // expression -> simplified
  expr_map simpler_on_units; // the same where the units below are used
  BASE_LIST(expr_unit) units;
  bool units_hold; // simplification may use them
  expr_kept kept;
  expr_spans turned;              // sum -> the same with every sign turned
  expr whole[2 * EXPR_WHOLE + 1]; // small whole numbers that are there, by value
  uint64_t rate_mask;             // bits of the symbols that have a rate
  uint64_t work;                  // arguments of nodes asked for
  bool full;
  int depth;
};

// ---- pool ---------------------------------------------------------------------------------------

// the node of these arguments, made at the first call; core EXPR_NONE stands for the node itself
expr expr_intern(expr_pool* p, expr_kind kind, int fn, int n, const expr* args, expr core);
expr expr_intern_number(expr_pool* p, expr_rational q); // a big one is copied
static inline uint64_t expr_mix(uint64_t a, uint64_t b)
{
  uint64_t x = a ^ (b + 0x9e3779b97f4a7c15u + (a << 6) + (a >> 2));
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  return x ^ (x >> 32);
}

static inline const expr_node* expr_at(const expr_pool* p, expr e)
{
  assert(e && e < p->count);
  return &p->node[e];
}
static inline expr_kind expr_kind_at(const expr_pool* p, expr e)
{
  return (expr_kind)expr_at(p, e)->kind;
}
static inline const expr* expr_args_at(const expr_pool* p, expr e)
{
  return p->arg + expr_at(p, e)->first;
}
static inline bool expr_is_fn(const expr_pool* p, expr e, expr_fn f)
{
  return expr_at(p, e)->kind == EXPR_CALL && expr_at(p, e)->fn == f;
}
// a term is number * core
static inline expr expr_core(const expr_pool* p, expr e)
{
  return expr_at(p, e)->core;
}
static inline expr expr_coef(const expr_pool* p, expr e)
{
  return expr_at(p, e)->core == e ? EXPR_ONE : expr_args_at(p, e)[0];
}
// a factor is base ^ exponent
static inline expr expr_base(const expr_pool* p, expr e)
{
  return expr_at(p, e)->kind == EXPR_POWER ? expr_args_at(p, e)[0] : e;
}
static inline expr expr_exponent(const expr_pool* p, expr e)
{
  return expr_at(p, e)->kind == EXPR_POWER ? expr_args_at(p, e)[1] : EXPR_ONE;
}

// operations when e is written out as a tree
static inline double expr_cost(const expr_pool* p, expr e)
{
  return (double)expr_at(p, e)->cost;
}
double expr_cost_of(const expr_pool* p, expr_kind kind, int n, const expr* args);
double expr_cost_own(const expr_pool* p, expr_kind kind, int n, const expr* args);
// operations when what is shared is computed once; very large beyond `most` nodes
double expr_cost_shared(const expr_pool* p, expr e, int most, int* nodes);

// ---- numbers: ids of rationals in, ids out ------------------------------------------------------

expr expr_q_add(expr_pool* p, expr a, expr b);
expr expr_q_mul(expr_pool* p, expr a, expr b);
expr expr_q_neg(expr_pool* p, expr a);
expr expr_q_inverse(expr_pool* p, expr a);     // a is not zero
expr expr_q_pow(expr_pool* p, expr a, long n); // EXPR_NONE when the result would be too long
int expr_q_compare(const expr_pool* p, expr a, expr b);
int expr_q_sign(const expr_pool* p, expr a);
bool expr_q_is_whole(const expr_pool* p, expr a);
bool expr_q_is_even(const expr_pool* p, expr a); // a whole even number
expr expr_q_gcd(expr_pool* p, expr a, expr b);   // largest rational that divides both, positive
expr expr_q_floor(expr_pool* p, expr a);
size_t expr_q_bits(const expr_pool* p, expr a);
void expr_q_get(const expr_pool* p, expr a, mpq_t out); // out is initialised
expr expr_q_put(expr_pool* p, mpq_t value);             // value in lowest terms

// derivative of a power or a smooth function by its argument i alone
expr expr_partial(expr_pool* p, expr e, int i);

// ---- order --------------------------------------------------------------------------------------

// total order of expressions that does not depend on the history of the pool
int expr_order(const expr_pool* p, expr a, expr b);
// a number by which that order can be told where two differ in it: nodes are not looked at again
uint64_t expr_order_key(const expr_pool* p, expr e);
// order in which a person would write terms: higher degree first, then by name
int expr_order_nice(const expr_pool* p, expr a, expr b);
// and factors: symbols, velocities, sums, functions
int expr_order_factors(const expr_pool* p, expr a, expr b);
static inline bool expr_is_all_minus(const expr_pool* p, expr e)
{
  return expr_at(p, e)->all_minus;
}
// would a person write the sum with all signs turned?
bool expr_is_minus(const expr_pool* p, expr e);

// ---- terms --------------------------------------------------------------------------------------

expr expr_scale(expr_pool* p, expr number, expr e); // number * e
expr expr_radical(expr_pool* p, expr number, expr exponent);
expr expr_intern_power(expr_pool* p, expr base, expr exponent);
expr expr_trig(expr_pool* p, expr_fn f, expr a); // sin, cos, tan with exact values and shifts
bool expr_known_order(const expr_pool* p, expr a, expr b, int* order); // of two constants

// ---- walking ------------------------------------------------------------------------------------

// nodes and arguments looked at on this thread, for expr_looks()
extern _Thread_local uint64_t expr_looked;

// Where a key is looked for first. Nodes that are made one after another are met one after another:
// those of one block lie side by side, in one line of the cache, and blocks by the golden section,
// which keeps them apart. Of a pair the upper half is the node. `room` is a power of two.
enum { EXPR_MAP_BLOCK = 4 };
static inline size_t expr_map_start(uint64_t key, size_t room)
{
  const uint64_t pair = key >> 32 ? key << 32 | key >> 32 : key;
  const uint64_t hash = pair / EXPR_MAP_BLOCK * 0x9e3779b97f4a7c15u;
  const uint64_t block = (hash >> 32) * (room / EXPR_MAP_BLOCK) >> 32;
  return block * EXPR_MAP_BLOCK + pair % EXPR_MAP_BLOCK;
}
// the entry of the key, or the empty one where it belongs; there is room
static inline expr_map_entry* expr_map_find(const expr_map* m, uint64_t key)
{
  size_t i = expr_map_start(key, m->room);
  while (m->at[i].key && m->at[i].key != key) i = (i + 1) & (m->room - 1);
  return &m->at[i];
}
// 0 when absent
static inline uint32_t expr_map_get(const expr_map* m, uint64_t key)
{
  return m->n ? expr_map_find(m, key)->value : 0;
}
void expr_map_set(expr_map* m, uint64_t key, uint32_t value);
// of a map that belongs to an owner who may be older than the call
void expr_map_set_with(const void* owner, expr_map* m, uint64_t key, uint32_t value);
void expr_map_free(expr_map* m);

// the span of the node, or the empty one where it belongs; there is room
static inline expr_span* expr_span_find(const expr_spans* m, expr e)
{
  const uint32_t key = e / EXPR_SPAN + 1;
  size_t i = (key * 0x9e3779b97f4a7c15u >> 32) * m->room >> 32;
  while (m->at[i].key && m->at[i].key != key) i = (i + 1) & (m->room - 1);
  return &m->at[i];
}

// 0 when absent
static inline uint32_t expr_spans_get(const expr_spans* m, expr e)
{
  return m->n ? expr_span_find(m, e)->number[e % EXPR_SPAN] : 0;
}
// where the number of the node stands, 0 so far; those of an owner who may be older than the call,
// or null
uint32_t* expr_spans_place(const void* owner, expr_spans* m, expr e);
void expr_spans_free(expr_spans* m);

// distinct nodes below the given ones, arguments before what uses them
typedef struct expr_walk
{
  BASE_LIST(expr) order;
  expr_spans place;    // id -> place in order, plus one
  bool only_long_sums; // arguments without them are left out
} expr_walk;

// stops early, with false, at more than `most` nodes
bool expr_walk_from(const expr_pool* p, expr_walk* w, int n, const expr* roots, size_t most);
static inline int expr_walk_place(const expr_walk* w, expr e)
{
  return (int)expr_spans_get(&w->place, e) - 1;
}
void expr_walk_free(expr_walk* w);

// a short list on the stack that moves to the heap when it grows
typedef struct expr_list
{
  expr* at;
  int n, room;
  expr local[24];
} expr_list;

static inline void expr_list_start(expr_list* l)
{
  l->at = l->local;
  l->n = 0;
  l->room = 24;
}
void expr_list_grow(expr_list* l);
static inline void expr_list_push(expr_list* l, expr e)
{
  if (l->n == l->room) expr_list_grow(l);
  l->at[l->n++] = e;
}
static inline void expr_list_end(expr_list* l)
{
  if (l->at != l->local) free(l->at);
}

// the node again with other arguments, through the builders
expr expr_rebuild(expr_pool* p, expr e, const expr* args);

// ---- polynomials in chosen symbols --------------------------------------------------------------

// e = sum of coef[i] * monomial[i]; monomials are products of powers of the symbols, no two equal
typedef struct expr_group
{
  int n;
  expr* monomial;
  expr* coef;
} expr_group;

// `strict`: false when e is no polynomial in the symbols; else such parts go to the coefficients of
// the monomial one. Also false when the work would be too much.
bool expr_group_by(expr_pool* p, expr e, int n, const expr* symbols, bool strict, expr_group* out);
void expr_group_free(expr_group* g);
