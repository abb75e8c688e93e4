// Text as a person would write it and as the model language reads it back.
#include "expr/print.h"

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

static void above(expr_printer* w, const expr_split* s)
{
  const int count = s->above.n;
  const expr joined = expr_split_joined(w->p, s, count);
  int written = expr_piece_factor_number(w, s, count == 0 && s->roots.n == 0);
  if (s->roots.n) {
    if (written++) expr_piece_text(w, "*");
    expr_piece_roots(w, s, joined);
  }
  for (int i = 0; i < count; i++) {
    if (s->above.at[i] == joined) continue;
    if (written++) expr_piece_text(w, "*");
    expr_piece_factor(w, s, s->above.at[i], EXPR_BIND_TERM);
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
  const bool brackets = piece.bind >= EXPR_BIND_BASE && args[1] != EXPR_HALF;
  if (brackets) expr_piece_text(w, "(");
  power_of(w, args[0], args[1], false);
  if (brackets) expr_piece_text(w, ")");
}

static void call_of(expr_printer* w, expr e, const char* name)
{
  expr_piece_text(w, name);
  expr_piece_text(w, "(");
  expr_piece_arguments(w, e, ", ");
  expr_piece_text(w, ")");
}

static void call(expr_printer* w, expr_piece piece)
{
  call_of(w, piece.e, expr_fn_name(expr_fn_of(w->p, piece.e)));
}

static void branch(expr_printer* w, expr e)
{
  call_of(w, e, "if");
}

static void number(expr_printer* w, expr e)
{
  expr_number_text(w->p, w->out, e);
}

static void symbol(expr_printer* w, expr e)
{
  base_text_add(w->out, expr_name(w->p, e));
}

void expr_print(const expr_pool* p, base_text* out, expr e)
{
  static const expr_style text = {.open = "(",
                                  .close = ")",
                                  .root = "sqrt(",
                                  .root_end = ")",
                                  .pi = "pi",
                                  .less_eq = " <= ",
                                  .times = "*",
                                  .times_number = "*",
                                  .fraction = EXPR_BIND_TERM,
                                  .number = number,
                                  .symbol = symbol,
                                  .product = product,
                                  .power = power,
                                  .call = call,
                                  .branch = branch};
  expr_printer w = {.p = p, .out = out, .style = &text};
  expr_print_run(&w, e);
}
