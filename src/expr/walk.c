// Maps from ids, and walks over expression graphs without recursion.
#include "expr/pool.h"

_Thread_local uint64_t expr_looked;

uint64_t expr_looks(void)
{
  return expr_looked;
}

static void map_grow(const void* owner, expr_map* m)
{
  expr_map wide = {.room = m->room ? 2 * m->room : 32, .n = m->n};
  const size_t size = wide.room * sizeof *wide.at;
  wide.at = owner ? base_alloc_with(owner, size) : base_alloc(size);
  for (size_t i = 0; i < m->room; i++)
    if (m->at[i].key) *expr_map_find(&wide, m->at[i].key) = m->at[i];
  free(m->at);
  *m = wide;
}

void expr_map_set(expr_map* m, uint64_t key, uint32_t value)
{
  expr_map_set_with(NULL, m, key, value);
}

void expr_map_set_with(const void* owner, expr_map* m, uint64_t key, uint32_t value)
{
  assert(key);
  if (2 * (m->n + 1) > m->room) map_grow(owner, m);
  expr_map_entry* entry = expr_map_find(m, key);
  m->n += !entry->key;
  *entry = (expr_map_entry){key, value};
}

void expr_map_free(expr_map* m)
{
  free(m->at);
  *m = (expr_map){0};
}

void expr_list_grow(expr_list* l)
{
  const size_t size = 2 * (size_t)l->room * sizeof *l->at;
  if (l->at == l->local) {
    l->at = base_alloc(size);
    memcpy(l->at, l->local, sizeof l->local);
  } else {
    l->at = base_realloc(l->at, size);
  }
  l->room *= 2;
}

// ---- spans --------------------------------------------------------------------------------------

static void spans_grow(const void* owner, expr_spans* m)
{
  expr_spans wide = {.room = m->room ? 2 * m->room : 16, .n = m->n};
  const size_t size = wide.room * sizeof *wide.at;
  wide.at = owner ? base_alloc_with(owner, size) : base_alloc(size);
  for (size_t i = 0; i < m->room; i++)
    if (m->at[i].key) *expr_span_find(&wide, (m->at[i].key - 1) * EXPR_SPAN) = m->at[i];
  free(m->at);
  *m = wide;
}

uint32_t* expr_spans_place(const void* owner, expr_spans* m, expr e)
{
  if (2 * (m->n + 1) > m->room) spans_grow(owner, m);
  expr_span* span = expr_span_find(m, e);
  m->n += !span->key;
  span->key = e / EXPR_SPAN + 1;
  return &span->number[e % EXPR_SPAN];
}

void expr_spans_free(expr_spans* m)
{
  free(m->at);
  *m = (expr_spans){0};
}

// ---- walks --------------------------------------------------------------------------------------

typedef struct step
{
  expr e;
  uint32_t next; // argument to visit next
} step;

// The arguments are far away in a large pool: they come while others are looked at.
static void fetch(const expr_pool* p, const expr_node* node)
{
  enum { most = 16 };
  for (uint32_t i = 0; i < node->n && i < most; i++)
    __builtin_prefetch(&p->node[p->arg[node->first + i]]);
}

bool expr_walk_from(const expr_pool* p, expr_walk* w, int n, const expr* roots, size_t most)
{
  BASE_LIST(step) stack = {0};
  bool whole = true;
  for (int i = 0; i < n && whole; i++) {
    if (!roots[i] || expr_walk_place(w, roots[i]) >= 0) continue;
    base_push(&stack, (step){roots[i], 0});
    while (stack.n) {
      step* top = &stack.at[stack.n - 1];
      const expr_node* node = expr_at(p, top->e);
      if (!top->next) fetch(p, node);
      if (top->next < node->n) {
        expr child = p->arg[node->first + top->next++];
        if (w->only_long_sums && !expr_at(p, child)->long_sums) continue;
        if (expr_walk_place(w, child) < 0) base_push(&stack, (step){child, 0});
        continue;
      }
      // a node can wait on the stack twice when it is shared
      uint32_t* number = expr_spans_place(NULL, &w->place, top->e);
      if (!*number) {
        expr_looked += node->n + 1;
        base_push(&w->order, top->e);
        *number = (uint32_t)w->order.n;
      }
      stack.n--;
      if ((size_t)w->order.n > most) {
        whole = false;
        break;
      }
    }
  }
  base_list_free(&stack);
  return whole;
}

void expr_walk_free(expr_walk* w)
{
  base_list_free(&w->order);
  expr_spans_free(&w->place);
}
