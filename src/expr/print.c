// Text as a person would write it and as the model language reads it back.
#include "expr/print.h"

static void write(expr_printer* w, expr_piece piece);

static void number(expr_printer* w, expr_piece piece)
{
  const expr_pool* p = w->p;
  bool minus = expr_q_sign(p, piece.e) < 0 && !piece.plus;
  bool fraction = !expr_number_is_decimal(p, piece.e);
  bool brackets =
      (minus && piece.bind > EXPR_BIND_SUM) || (fraction && piece.bind > EXPR_BIND_TERM);
  if (brackets) base_text_add(w->out, "(");
  if (minus) base_text_add(w->out, "-");
  expr_number_text(p, w->out, piece.e);
  if (brackets) base_text_add(w->out, ")");
}

static void sum(expr_printer* w, expr_piece piece)
{
  expr_list terms;
  expr_list_start(&terms);
  expr_terms_nice(w->p, piece.e, piece.turned, &terms);
  bool brackets = piece.bind > EXPR_BIND_SUM;
  if (brackets) expr_piece_text(w, "(");
  for (int i = 0; i < terms.n; i++) {
    bool minus = expr_minus_sign(w->p, terms.at[i]) != piece.turned;
    if (i) expr_piece_text(w, minus ? " - " : " + ");
    if (i == 0 && minus) expr_piece_text(w, "-");
    expr_piece_plus(w, terms.at[i], EXPR_BIND_TERM);
  }
  if (brackets) expr_piece_text(w, ")");
  expr_list_end(&terms);
}

// base^|exponent| for the factors below the line
static void power_of(expr_printer* w, expr base, expr exponent, bool turned)
{
  const expr_pool* p = w->p;
  base_text t = {0};
  bool is_number = expr_kind_at(p, exponent) == EXPR_NUMBER;
  bool minus = is_number && expr_q_sign(p, exponent) < 0 && !turned;
  if (is_number) expr_number_text(p, &t, exponent);
  if (t.at && strcmp(t.at, "1/2") == 0 && !minus) {
    expr_piece_text(w, "sqrt(");
    expr_piece_expr(w, base, EXPR_BIND_SUM);
    expr_piece_text(w, ")");
  } else if (t.at && strcmp(t.at, "1") == 0 && !minus) {
    expr_piece_expr(w, base, EXPR_BIND_FACTOR);
  } else {
    bool bare = is_number ? expr_q_is_whole(p, exponent) && !minus
                          : expr_kind_at(p, exponent) == EXPR_SYMBOL;
    expr_piece_expr(w, base, EXPR_BIND_BASE);
    expr_piece_text(w, bare ? "^" : "^(");
    if (is_number && !minus)
      expr_piece_plus(w, exponent, EXPR_BIND_SUM);
    else
      expr_piece_expr(w, exponent, EXPR_BIND_SUM);
    if (!bare) expr_piece_text(w, ")");
  }
  base_text_free(&t);
}

static void roots(expr_printer* w, const expr_split* s, expr inside)
{
  expr_piece_text(w, "sqrt(");
  for (int i = 0; i < s->roots.n; i++) {
    if (i) expr_piece_text(w, "*");
    expr_piece_expr(w, s->roots.at[i], EXPR_BIND_TERM);
  }
  if (inside) {
    expr_piece_text(w, "*");
    expr_piece_expr(w, expr_args_at(w->p, inside)[0], EXPR_BIND_TERM);
  }
  expr_piece_text(w, ")");
}

static bool is_root(const expr_pool* p, expr e)
{
  return expr_kind_at(p, e) == EXPR_POWER && expr_args_at(p, e)[1] == EXPR_HALF;
}

static void above(expr_printer* w, const expr_split* s)
{
  int written = 0;
  bool one = expr_q_compare(w->p, s->number, EXPR_ONE) == 0 || s->number == EXPR_MINUS_ONE;
  base_text t = {0};
  if (!s->decimal) {
    expr_number_above(w->p, &t, s->number);
    one = strcmp(t.at, "1") == 0;
  }
  if (!one || (s->above.n == 0 && s->roots.n == 0)) {
    base_push(&w->stack,
              (expr_piece){
                  .e = s->number, .bind = EXPR_BIND_TERM, .plus = true, .above_only = !s->decimal});
    written++;
  }
  base_text_free(&t);
  // roots of numbers join the first other root
  expr joined = EXPR_NONE;
  for (int i = 0; s->roots.n && i < s->above.n && !joined; i++)
    if (is_root(w->p, s->above.at[i])) joined = s->above.at[i];
  if (s->roots.n) {
    if (written++) expr_piece_text(w, "*");
    roots(w, s, joined);
  }
  for (int i = 0; i < s->above.n; i++) {
    if (s->above.at[i] == joined) continue;
    if (written++) expr_piece_text(w, "*");
    if (s->above.at[i] == s->turned)
      expr_piece_turned(w, s->above.at[i], EXPR_BIND_TERM);
    else
      expr_piece_expr(w, s->above.at[i], EXPR_BIND_TERM);
  }
}

static void below(expr_printer* w, const expr_split* s)
{
  bool fraction = !s->decimal;
  int n = s->below.n + fraction;
  if (!n) return;
  expr_piece_text(w, n > 1 ? "/(" : "/");
  if (fraction)
    base_push(
        &w->stack,
        (expr_piece){.e = s->number, .bind = EXPR_BIND_FACTOR, .plus = true, .below_only = true});
  for (int i = 0; i < s->below.n; i++) {
    if (i || fraction) expr_piece_text(w, "*");
    const expr* args = expr_args_at(w->p, s->below.at[i]);
    power_of(w, args[0], args[1], true);
  }
  if (n > 1) expr_piece_text(w, ")");
}

static void product(expr_printer* w, expr_piece piece)
{
  expr_split s;
  expr_split_of(w->p, piece.e, &s);
  bool minus = s.minus && !piece.plus;
  bool brackets = piece.bind > EXPR_BIND_TERM || (minus && piece.bind > EXPR_BIND_SUM);
  // a single factor above is no product
  if (s.above.n + s.roots.n == 1 && s.below.n == 0 && s.number == EXPR_ONE)
    brackets = piece.bind > EXPR_BIND_FACTOR;
  if (brackets) expr_piece_text(w, "(");
  if (minus) expr_piece_text(w, "-");
  above(w, &s);
  below(w, &s);
  if (brackets) expr_piece_text(w, ")");
  expr_split_end(&s);
}

static void power(expr_printer* w, expr_piece piece)
{
  const expr* args = expr_args_at(w->p, piece.e);
  bool is_number = expr_kind_at(w->p, args[1]) == EXPR_NUMBER;
  if (is_number && expr_q_sign(w->p, args[1]) < 0) {
    product(w, piece);
    return;
  }
  bool brackets = piece.bind >= EXPR_BIND_BASE && args[1] != EXPR_HALF;
  if (brackets) expr_piece_text(w, "(");
  power_of(w, args[0], args[1], false);
  if (brackets) expr_piece_text(w, ")");
}

static void arguments(expr_printer* w, expr e, const char* between)
{
  uint32_t n = expr_at(w->p, e)->n;
  for (uint32_t i = 0; i < n; i++) {
    if (i) expr_piece_text(w, between);
    expr_piece_expr(w, expr_args_at(w->p, e)[i], EXPR_BIND_SUM);
  }
}

static void call(expr_printer* w, expr e, const char* name)
{
  expr_piece_text(w, name);
  expr_piece_text(w, "(");
  arguments(w, e, ", ");
  expr_piece_text(w, ")");
}

static void write(expr_printer* w, expr_piece piece)
{
  expr e = piece.e;
  if (piece.above_only) {
    expr_number_above(w->p, w->out, e);
    return;
  }
  if (piece.below_only) {
    expr_number_below(w->p, w->out, e);
    return;
  }
  switch (expr_kind_at(w->p, e)) {
  case EXPR_NUMBER:
    number(w, piece);
    break;
  case EXPR_PI:
    base_text_add(w->out, "pi");
    break;
  case EXPR_SYMBOL:
    base_text_add(w->out, expr_name(w->p, e));
    break;
  case EXPR_SUM:
    sum(w, piece);
    break;
  case EXPR_PRODUCT:
    product(w, piece);
    break;
  case EXPR_POWER:
    power(w, piece);
    break;
  case EXPR_CALL:
    call(w, e, expr_fn_name(expr_fn_of(w->p, e)));
    break;
  case EXPR_LESS:
    arguments(w, e, " < ");
    break;
  case EXPR_LESS_EQ:
    arguments(w, e, " <= ");
    break;
  case EXPR_IF:
    call(w, e, "if");
    break;
  }
}

void expr_print(const expr_pool* p, base_text* out, expr e)
{
  expr_printer w = {.p = p, .out = out};
  expr_print_run(&w, e, write);
}
