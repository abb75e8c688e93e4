// The walk over an expression that the printers share; what differs comes from their styles.
#include "expr/print.h"

static void number(expr_printer* w, expr_piece piece)
{
  const bool minus = expr_q_sign(w->p, piece.e) < 0 && !piece.plus;
  const bool fraction = !expr_number_is_decimal(w->p, piece.e);
  const bool brackets =
      (minus && piece.bind > EXPR_BIND_SUM) || (fraction && piece.bind > w->style->fraction);
  if (brackets) base_text_add(w->out, w->style->open);
  if (minus) base_text_add(w->out, "-");
  w->style->number(w, piece.e);
  if (brackets) base_text_add(w->out, w->style->close);
}

static void sum(expr_printer* w, expr_piece piece)
{
  expr_list terms;
  expr_list_start(&terms);
  expr_terms_nice(w->p, piece.e, piece.turned, &terms);
  const bool brackets = piece.bind > EXPR_BIND_SUM;
  if (brackets) expr_piece_text(w, w->style->open);
  for (int i = 0; i < terms.n; i++) {
    const bool minus = expr_minus_sign(w->p, terms.at[i]) != piece.turned;
    if (i) expr_piece_text(w, minus ? " - " : " + ");
    if (i == 0 && minus) expr_piece_text(w, "-");
    expr_piece_plus(w, terms.at[i], EXPR_BIND_TERM);
  }
  if (brackets) expr_piece_text(w, w->style->close);
  expr_list_end(&terms);
}

// a power with a negative number above is a quotient
static void power(expr_printer* w, expr_piece piece)
{
  const expr exponent = expr_args_at(w->p, piece.e)[1];
  if (expr_kind_at(w->p, exponent) == EXPR_NUMBER && expr_q_sign(w->p, exponent) < 0)
    w->style->product(w, piece);
  else
    w->style->power(w, piece);
}

void expr_piece_arguments(expr_printer* w, expr e, const char* between)
{
  const uint32_t n = expr_at(w->p, e)->n;
  for (uint32_t i = 0; i < n; i++) {
    if (i) expr_piece_text(w, between);
    expr_piece_expr(w, expr_args_at(w->p, e)[i], EXPR_BIND_SUM);
  }
}

// ---- products -----------------------------------------------------------------------------------

static bool is_unit(const expr_pool* p, const expr_split* s)
{
  base_text t = {0};
  if (s->decimal)
    expr_number_text(p, &t, s->number);
  else
    expr_number_above(p, &t, s->number);
  const bool one = strcmp(t.at, "1") == 0;
  base_text_free(&t);
  return one;
}

bool expr_piece_factor_number(expr_printer* w, const expr_split* s, bool alone)
{
  if (!alone && is_unit(w->p, s)) return false;
  base_push(&w->stack,
            (expr_piece){
                .e = s->number, .bind = EXPR_BIND_TERM, .plus = true, .above_only = !s->decimal});
  return true;
}

expr expr_split_joined(const expr_pool* p, const expr_split* s, int count)
{
  for (int i = 0; s->roots.n && i < count; i++) {
    const expr f = s->above.at[i];
    if (expr_kind_at(p, f) == EXPR_POWER && expr_args_at(p, f)[1] == EXPR_HALF) return f;
  }
  return EXPR_NONE;
}

void expr_piece_roots(expr_printer* w, const expr_split* s, expr joined)
{
  expr_piece_text(w, w->style->root);
  for (int i = 0; i < s->roots.n; i++) {
    if (i) expr_piece_text(w, w->style->times_number);
    expr_piece_expr(w, s->roots.at[i], EXPR_BIND_TERM);
  }
  if (joined) {
    expr_piece_text(w, w->style->times);
    expr_piece_expr(w, expr_args_at(w->p, joined)[0], EXPR_BIND_TERM);
  }
  expr_piece_text(w, w->style->root_end);
}

void expr_piece_factor(expr_printer* w, const expr_split* s, expr f, expr_bind bind)
{
  if (f == s->turned)
    expr_piece_turned(w, f, bind);
  else
    expr_piece_expr(w, f, bind);
}

// ---- the walk -----------------------------------------------------------------------------------

static void expression(expr_printer* w, expr_piece piece)
{
  const expr e = piece.e;
  switch (expr_kind_at(w->p, e)) {
  case EXPR_NUMBER:
    number(w, piece);
    break;
  case EXPR_PI:
    base_text_add(w->out, w->style->pi);
    break;
  case EXPR_SYMBOL:
    w->style->symbol(w, e);
    break;
  case EXPR_SUM:
    sum(w, piece);
    break;
  case EXPR_PRODUCT:
    w->style->product(w, piece);
    break;
  case EXPR_POWER:
    power(w, piece);
    break;
  case EXPR_CALL:
    w->style->call(w, piece);
    break;
  case EXPR_LESS:
    expr_piece_arguments(w, e, " < ");
    break;
  case EXPR_LESS_EQ:
    expr_piece_arguments(w, e, w->style->less_eq);
    break;
  case EXPR_IF:
    w->style->branch(w, e);
    break;
  }
}

static void write(expr_printer* w, expr_piece piece)
{
  if (piece.text)
    base_text_add(w->out, piece.text);
  else if (piece.above_only)
    expr_number_above(w->p, w->out, piece.e);
  else if (piece.below_only)
    expr_number_below(w->p, w->out, piece.e);
  else
    expression(w, piece);
}

void expr_print_run(expr_printer* w, expr e)
{
  if (!e) {
    base_text_add(w->out, "undefined");
    return;
  }
  const size_t start = w->out->n;
  expr_piece_expr(w, e, EXPR_BIND_SUM);
  while (w->stack.n) {
    const expr_piece top = w->stack.at[--w->stack.n];
    if (w->out->n - start > EXPR_PRINT_MOST) {
      base_text_add(w->out, "...");
      break;
    }
    const int mark = w->stack.n;
    write(w, top);
    expr_piece_turn(w, mark);
  }
  base_list_free(&w->stack);
}
