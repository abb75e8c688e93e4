// Looking at expressions: kinds, arguments, symbols, sizes.
#include "expr/pool.h"

expr_kind expr_kind_of(const expr_pool* p, expr e)
{
  return expr_kind_at(p, e);
}

int expr_arg_count(const expr_pool* p, expr e)
{
  return (int)expr_at(p, e)->n;
}

expr expr_arg(const expr_pool* p, expr e, int i)
{
  assert(i >= 0 && (uint32_t)i < expr_at(p, e)->n);
  return expr_args_at(p, e)[i];
}

expr_fn expr_fn_of(const expr_pool* p, expr e)
{
  assert(expr_kind_at(p, e) == EXPR_CALL);
  return (expr_fn)expr_at(p, e)->fn;
}

const char* expr_name(const expr_pool* p, expr symbol)
{
  assert(expr_kind_at(p, symbol) == EXPR_SYMBOL);
  return p->symbols.at[expr_at(p, symbol)->first].name;
}

int expr_symbol_count(const expr_pool* p)
{
  return p->symbols.n;
}

int expr_symbol_number(const expr_pool* p, expr symbol)
{
  assert(expr_kind_at(p, symbol) == EXPR_SYMBOL);
  return (int)expr_at(p, symbol)->first;
}

bool expr_has_any(const expr_pool* p, expr e, int n, const expr* symbols)
{
  if (!e || !expr_at(p, e)->symbols) return false;
  uint64_t mask = 0;
  for (int i = 0; i < n; i++) mask |= expr_at(p, symbols[i])->symbols;
  expr_looked += (uint64_t)n;
  if (!(expr_at(p, e)->symbols & mask)) return false;
  // with at most 64 symbols the masks are exact
  if (p->symbols.n <= 64) return true;
  bool found = false;
  expr_map seen = {0};
  BASE_LIST(expr) stack = {0};
  base_push(&stack, e);
  while (stack.n && !found) {
    expr top = stack.at[--stack.n];
    const expr_node* node = expr_at(p, top);
    const int most = node->kind == EXPR_SYMBOL ? n : 0;
    for (int i = 0; i < most; i++) found |= symbols[i] == top;
    expr_looked += (uint64_t)most + node->n;
    for (uint32_t i = 0; i < node->n; i++) {
      expr child = p->arg[node->first + i];
      if (!(expr_at(p, child)->symbols & mask) || expr_map_get(&seen, child)) continue;
      expr_map_set(&seen, child, 1);
      base_push(&stack, child);
    }
  }
  base_list_free(&stack);
  expr_map_free(&seen);
  return found;
}

bool expr_has(const expr_pool* p, expr e, expr symbol)
{
  return expr_has_any(p, e, 1, &symbol);
}

// Most are small: the nodes met so far are looked through one by one, up to so many. Arguments come
// before what uses them; false where there are more.
enum { small = 24 };

typedef struct few
{
  int n;
  expr at[small];
} few;

static bool is_met(const few* met, expr e)
{
  for (int i = met->n - 1; i >= 0; i--)
    if (met->at[i] == e) return true;
  return false;
}

static bool add_few(const expr_pool* p, expr e, few* met, int depth)
{
  const expr_node* node = expr_at(p, e);
  for (uint32_t k = 0; k < node->n; k++) {
    const expr child = p->arg[node->first + k];
    if (!is_met(met, child) && (depth == small || !add_few(p, child, met, depth + 1))) return false;
  }
  if (met->n == small) return false;
  met->at[met->n++] = e;
  return true;
}

static bool list_few(const expr_pool* p, int n, const expr* e, few* met)
{
  met->n = 0;
  for (int i = 0; i < n; i++)
    if (e[i] && !is_met(met, e[i]) && !add_few(p, e[i], met, 0)) return false;
  for (int i = 0; i < met->n; i++) expr_looked += expr_at(p, met->at[i])->n + 1;
  return true;
}

int expr_symbols(const expr_pool* p, int n, const expr* e, int room, expr* out)
{
  few met;
  expr_walk w = {0};
  int count = 0;
  const bool is_small = list_few(p, n, e, &met);
  if (!is_small) expr_walk_from(p, &w, n, e, SIZE_MAX);
  const expr* order = is_small ? met.at : w.order.at;
  for (int i = 0; i < (is_small ? met.n : w.order.n); i++) {
    if (expr_kind_at(p, order[i]) != EXPR_SYMBOL) continue;
    if (count < room) out[count] = order[i];
    count++;
  }
  expr_walk_free(&w);
  return count;
}

size_t expr_size(const expr_pool* p, int n, const expr* e)
{
  return expr_size_within(p, n, e, SIZE_MAX);
}

size_t expr_size_within(const expr_pool* p, int n, const expr* e, size_t most)
{
  few met;
  if (list_few(p, n, e, &met)) return (size_t)met.n;
  expr_walk w = {0};
  expr_walk_from(p, &w, n, e, most);
  size_t size = (size_t)w.order.n;
  expr_walk_free(&w);
  return size;
}
