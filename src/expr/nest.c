// Sums within sums: which sum holds all terms of which shorter one, each times one number.
//
// Sums are met by length, their terms (without their numbers) are counted in the order in which
// they first appear. A sum is kept at its newest term: along a chain each sum adds a term of its
// own to those before, so that a longer sum finds it there among few.
#include "expr/pool.h"

// shorter sums tried for each sum
#define TRIES 8

typedef struct term
{
  int core; // its count
  expr coef;
} term;

typedef struct nesting
{
  const expr_pool* p;
  expr_map place;          // core -> count plus one
  BASE_LIST(term) terms;   // of all sums
  BASE_LIST(int) head;     // by core: the last sum kept there, -1 for none
  BASE_LIST(int) mark;     // by core: the last sum that holds it
  BASE_LIST(expr) coef;    // by core: its number there
  BASE_LIST(int) newest;   // cores of one sum, descending
  int *first, *n, *before; // by sum: its terms; the sum kept before it at the same core
} nesting;

static int core_count(nesting* s, expr core)
{
  const uint32_t known = expr_map_get(&s->place, core);
  if (known) return (int)known - 1;
  base_push(&s->head, -1);
  base_push(&s->mark, -1);
  base_push(&s->coef, EXPR_NONE);
  expr_map_set(&s->place, core, (uint32_t)s->head.n);
  return s->head.n - 1;
}

static int descending(const void* a, const void* b)
{
  return *(const int*)b - *(const int*)a;
}

static void read_terms(nesting* s, int k, expr sum)
{
  s->newest.n = 0;
  s->first[k] = s->terms.n;
  s->n[k] = (int)expr_at(s->p, sum)->n;
  expr_looked += (uint64_t)s->n[k] + 1;
  for (int i = 0; i < s->n[k]; i++) {
    const expr e = expr_args_at(s->p, sum)[i], coef = expr_coef(s->p, e);
    const int core = core_count(s, expr_core(s->p, e));
    base_push(&s->terms, (term){core, coef});
    base_push(&s->newest, core);
    s->mark.at[core] = k;
    s->coef.at[core] = coef;
  }
  qsort(s->newest.at, (size_t)s->newest.n, sizeof(int), descending);
}

// a / b = c / d
static bool in_proportion(const expr_pool* p, expr a, expr b, expr c, expr d)
{
  if ((a == c && b == d) || (a == b && c == d)) return true;
  if (a == c || b == d || a == b || c == d) return false;
  mpq_t x, y, z;
  mpq_inits(x, y, z, NULL);
  expr_q_get(p, a, x);
  expr_q_get(p, d, y);
  mpq_mul(z, x, y);
  expr_q_get(p, b, x);
  expr_q_get(p, c, y);
  mpq_mul(x, x, y);
  const bool equal = mpq_equal(x, z);
  mpq_clears(x, y, z, NULL);
  return equal;
}

static bool is_part(const nesting* s, int part, int whole)
{
  const term* t = &s->terms.at[s->first[part]];
  for (int i = 0; i < s->n[part]; i++)
    if (s->mark.at[t[i].core] != whole ||
        !in_proportion(s->p, s->coef.at[t[i].core], t[i].coef, s->coef.at[t[0].core], t[0].coef))
      return false;
  return true;
}

// the longest of a few, those with the newest terms first
static int longest_part(const nesting* s, int whole)
{
  int best = -1, tried = 0;
  for (int r = 0; r < s->newest.n && tried < TRIES; r++) {
    if (best >= 0 && s->n[best] >= s->newest.n - r) break;
    for (int part = s->head.at[s->newest.at[r]]; part >= 0 && tried < TRIES; tried++) {
      if ((best < 0 || s->n[part] > s->n[best]) && is_part(s, part, whole)) best = part;
      part = s->before[part];
    }
  }
  return best;
}

typedef struct entry
{
  expr sum;
  int number, n;
} entry;

static int shorter_first(const void* a, const void* b)
{
  const entry *x = a, *y = b;
  if (x->n != y->n) return x->n - y->n;
  return (x->sum > y->sum) - (x->sum < y->sum);
}

void expr_parts(const expr_pool* p, int n, const expr* sums, expr_part* out)
{
  if (n <= 0) return;
  nesting s = {.p = p, .first = base_alloc((size_t)n * 3 * sizeof(int))};
  s.n = s.first + n;
  s.before = s.n + n;
  entry* order = base_alloc((size_t)n * sizeof *order);
  for (int i = 0; i < n; i++) order[i] = (entry){sums[i], i, (int)expr_at(p, sums[i])->n};
  qsort(order, (size_t)n, sizeof *order, shorter_first);
  for (int i = 0; i < n; i++) {
    const int k = order[i].number;
    read_terms(&s, k, sums[k]);
    const int part = longest_part(&s, k), newest = s.newest.at[0];
    out[k] = (expr_part){.sum = part};
    if (part >= 0) {
      const term* t = &s.terms.at[s.first[part]];
      out[k].above = s.coef.at[t->core];
      out[k].below = t->coef;
    }
    s.before[k] = s.head.at[newest];
    s.head.at[newest] = k;
  }
  free(order);
  free(s.first);
  expr_map_free(&s.place);
  base_list_free(&s.terms);
  base_list_free(&s.head);
  base_list_free(&s.mark);
  base_list_free(&s.coef);
  base_list_free(&s.newest);
}

// what holds none is not looked into
int expr_sums_within(const expr_pool* p, int n, const expr* e, expr** out)
{
  BASE_LIST(expr) sums = {0}, roots = {0};
  for (int i = 0; i < n; i++)
    if (e[i] && expr_at(p, e[i])->long_sums) base_push(&roots, e[i]);
  expr_looked += (uint64_t)n;
  expr_walk w = {.only_long_sums = true};
  expr_walk_from(p, &w, roots.n, roots.at, SIZE_MAX);
  for (int i = 0; i < w.order.n; i++) {
    const expr_node* x = expr_at(p, w.order.at[i]);
    if (x->kind == EXPR_SUM && x->n >= EXPR_LONG_SUM) base_push(&sums, w.order.at[i]);
  }
  expr_walk_free(&w);
  base_list_free(&roots);
  *out = sums.at;
  return sums.n;
}

expr expr_unnumbered(const expr_pool* p, expr e)
{
  return e ? expr_core(p, e) : EXPR_NONE;
}
