// The stack of the printers, and how terms and factors are put in order.
#include "expr/print.h"

#define TURN_DEPTH 1

void expr_piece_text(expr_printer* w, const char* text)
{
  base_push(&w->stack, (expr_piece){.text = text});
}

void expr_piece_expr(expr_printer* w, expr e, expr_bind bind)
{
  base_push(&w->stack, (expr_piece){.e = e, .bind = bind});
}

void expr_piece_plus(expr_printer* w, expr e, expr_bind bind)
{
  base_push(&w->stack, (expr_piece){.e = e, .bind = bind, .plus = true});
}

void expr_piece_turned(expr_printer* w, expr sum, expr_bind bind)
{
  base_push(&w->stack, (expr_piece){.e = sum, .bind = bind, .turned = true});
}

void expr_piece_turn(expr_printer* w, int mark)
{
  for (int i = mark, k = w->stack.n - 1; i < k; i++, k--) {
    expr_piece t = w->stack.at[i];
    w->stack.at[i] = w->stack.at[k];
    w->stack.at[k] = t;
  }
}

static bool is_negative(const expr_pool* p, expr e)
{
  expr c = expr_kind_at(p, e) == EXPR_NUMBER ? e : expr_coef(p, e);
  return expr_q_sign(p, c) < 0;
}

// the factor that can take the minus sign of a product: a sum whose terms are written with both
// signs; how terms are written is looked at a few levels down only
static expr turnable(const expr_pool* p, expr e, int depth);

static bool has_both_signs(const expr_pool* p, expr sum, int depth)
{
  const expr_node* node = expr_at(p, sum);
  bool plus = false, minus = false;
  if (node->kind != EXPR_SUM) return false;
  for (uint32_t i = 0; i < node->n && !(plus && minus); i++) {
    expr t = p->arg[node->first + i];
    bool negative = is_negative(p, t) && !(depth > 0 && turnable(p, t, depth - 1));
    plus |= !negative;
    minus |= negative;
  }
  return plus && minus;
}

static expr turnable(const expr_pool* p, expr e, int depth)
{
  const expr_node* node = expr_at(p, e);
  if (node->kind != EXPR_PRODUCT || !is_negative(p, e)) return EXPR_NONE;
  for (uint32_t i = 1; i < node->n; i++)
    if (has_both_signs(p, p->arg[node->first + i], depth)) return p->arg[node->first + i];
  return EXPR_NONE;
}

bool expr_minus_sign(const expr_pool* p, expr e)
{
  return is_negative(p, e) && !turnable(p, e, TURN_DEPTH);
}

static int by_term(const void* a, const void* b, void* pool)
{
  return expr_order_nice(pool, *(const expr*)a, *(const expr*)b);
}

static int by_factor(const void* a, const void* b, void* pool)
{
  return expr_order_factors(pool, *(const expr*)a, *(const expr*)b);
}

static void sort_list(const expr_pool* p, expr_list* l,
                      int compare(const void*, const void*, void*))
{
  if (l->n) qsort_r(l->at, (size_t)l->n, sizeof *l->at, compare, (void*)(uintptr_t)p);
}

void expr_terms_nice(const expr_pool* p, expr sum, bool turned, expr_list* out)
{
  uint32_t n = expr_at(p, sum)->n;
  for (uint32_t i = 0; i < n; i++) expr_list_push(out, expr_args_at(p, sum)[i]);
  sort_list(p, out, by_term);
  int first = 0;
  while (first < out->n && expr_minus_sign(p, out->at[first]) != turned) first++;
  if (first == out->n) return;
  expr t = out->at[first];
  for (int i = first; i > 0; i--) out->at[i] = out->at[i - 1];
  out->at[0] = t;
}

// is e a square root of a positive whole number?
static bool is_number_root(const expr_pool* p, expr e)
{
  return expr_kind_at(p, e) == EXPR_POWER && expr_args_at(p, e)[1] == EXPR_HALF &&
         expr_kind_at(p, expr_args_at(p, e)[0]) == EXPR_NUMBER &&
         expr_q_sign(p, expr_args_at(p, e)[0]) > 0;
}

static bool is_below(const expr_pool* p, expr e)
{
  return expr_kind_at(p, e) == EXPR_POWER &&
         expr_kind_at(p, expr_args_at(p, e)[1]) == EXPR_NUMBER &&
         expr_q_sign(p, expr_args_at(p, e)[1]) < 0;
}

void expr_split_of(const expr_pool* p, expr e, expr_split* s)
{
  s->number = EXPR_ONE;
  expr_list_start(&s->above);
  expr_list_start(&s->below);
  expr_list_start(&s->roots);
  const expr_node* node = expr_at(p, e);
  uint32_t n = node->kind == EXPR_PRODUCT ? node->n : 1;
  const expr* args = node->kind == EXPR_PRODUCT ? p->arg + node->first : &e;
  for (uint32_t i = 0; i < n; i++) {
    if (expr_kind_at(p, args[i]) == EXPR_NUMBER)
      s->number = args[i];
    else if (is_number_root(p, args[i]))
      expr_list_push(&s->roots, expr_args_at(p, args[i])[0]);
    else
      expr_list_push(is_below(p, args[i]) ? &s->below : &s->above, args[i]);
  }
  s->turned = turnable(p, e, TURN_DEPTH);
  s->minus = !s->turned && expr_q_sign(p, s->number) < 0;
  s->decimal = expr_number_is_decimal(p, s->number);
  sort_list(p, &s->above, by_factor);
  sort_list(p, &s->below, by_factor);
}

void expr_split_end(expr_split* s)
{
  expr_list_end(&s->above);
  expr_list_end(&s->below);
  expr_list_end(&s->roots);
}
