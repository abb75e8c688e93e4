// C99 text of an expression; the names of the symbols are asked of the caller.
#include "expr/print.h"

static void write(expr_printer* w, expr_piece piece);

static void constant(expr_printer* w, double x)
{
  base_text t = {0};
  base_text_double(&t, x);
  bool minus = t.at[0] == '-';
  if (minus) base_text_add(w->out, "(");
  base_text_add(w->out, t.at);
  if (!strpbrk(t.at, ".en")) base_text_add(w->out, ".0");
  if (minus) base_text_add(w->out, ")");
  base_text_free(&t);
}

static void join(expr_printer* w, expr e, const char* open, const char* between, const char* close)
{
  uint32_t n = expr_at(w->p, e)->n;
  expr_piece_text(w, open);
  for (uint32_t i = 0; i < n; i++) {
    if (i) expr_piece_text(w, between);
    expr_piece_expr(w, expr_args_at(w->p, e)[i], EXPR_BIND_SUM);
  }
  expr_piece_text(w, close);
}

// base^exponent for a positive exponent: a square of something short is written out
static void positive_power(expr_printer* w, expr base, expr exponent, double value)
{
  if (value == 1) {
    expr_piece_expr(w, base, EXPR_BIND_BASE);
  } else if (value == 0.5) {
    expr_piece_text(w, "sqrt(");
    expr_piece_expr(w, base, EXPR_BIND_SUM);
    expr_piece_text(w, ")");
  } else if (value == 2 && expr_kind_at(w->p, base) == EXPR_SYMBOL) {
    expr_piece_text(w, "(");
    expr_piece_expr(w, base, EXPR_BIND_BASE);
    expr_piece_text(w, "*");
    expr_piece_expr(w, base, EXPR_BIND_BASE);
    expr_piece_text(w, ")");
  } else {
    expr_piece_text(w, "pow(");
    expr_piece_expr(w, base, EXPR_BIND_SUM);
    expr_piece_text(w, ", ");
    expr_piece_plus(w, exponent, EXPR_BIND_SUM);
    expr_piece_text(w, ")");
  }
}

static void power(expr_printer* w, expr e)
{
  const expr* args = expr_args_at(w->p, e);
  if (expr_kind_at(w->p, args[1]) != EXPR_NUMBER) {
    join(w, e, "pow(", ", ", ")");
    return;
  }
  double value = expr_number(w->p, args[1]);
  if (value < 0) expr_piece_text(w, "(1.0/");
  positive_power(w, args[0], args[1], value < 0 ? -value : value);
  if (value < 0) expr_piece_text(w, ")");
}

static void sum(expr_printer* w, expr_piece piece)
{
  expr_list terms;
  expr_list_start(&terms);
  expr_terms_nice(w->p, piece.e, piece.turned, &terms);
  expr_piece_text(w, "(");
  for (int i = 0; i < terms.n; i++) {
    bool minus = expr_minus_sign(w->p, terms.at[i]) != piece.turned;
    expr_piece_text(w, i ? (minus ? " - " : " + ") : (minus ? "-" : ""));
    expr_piece_plus(w, terms.at[i], EXPR_BIND_TERM);
  }
  expr_piece_text(w, ")");
  expr_list_end(&terms);
}

static void product(expr_printer* w, expr_piece piece)
{
  expr_split s;
  int written = 0;
  expr_split_of(w->p, piece.e, &s);
  expr_piece_text(w, s.minus && !piece.plus ? "(-(" : "(");
  if (s.number != EXPR_ONE && s.number != EXPR_MINUS_ONE) {
    expr_piece_plus(w, s.number, EXPR_BIND_TERM);
    written++;
  }
  for (int i = 0; i < s.roots.n; i++) {
    if (written++) expr_piece_text(w, "*");
    expr_piece_text(w, "sqrt(");
    expr_piece_expr(w, s.roots.at[i], EXPR_BIND_SUM);
    expr_piece_text(w, ")");
  }
  for (int i = 0; i < s.above.n; i++) {
    if (written++) expr_piece_text(w, "*");
    if (s.above.at[i] == s.turned)
      expr_piece_turned(w, s.above.at[i], EXPR_BIND_TERM);
    else
      expr_piece_expr(w, s.above.at[i], EXPR_BIND_TERM);
  }
  if (!written) expr_piece_text(w, "1.0");
  for (int i = 0; i < s.below.n; i++) {
    const expr* args = expr_args_at(w->p, s.below.at[i]);
    expr_piece_text(w, "/");
    positive_power(w, args[0], args[1], -expr_number(w->p, args[1]));
  }
  expr_piece_text(w, s.minus && !piece.plus ? "))" : ")");
  expr_split_end(&s);
}

static void call(expr_printer* w, expr e)
{
  expr_fn f = expr_fn_of(w->p, e);
  expr a = expr_args_at(w->p, e)[0];
  if (f == EXPR_SIGN) {
    expr_piece_text(w, "((");
    expr_piece_expr(w, a, EXPR_BIND_SUM);
    expr_piece_text(w, " > 0) - (");
    expr_piece_expr(w, a, EXPR_BIND_SUM);
    expr_piece_text(w, " < 0))");
    return;
  }
  const char* name = f == EXPR_ABS   ? "fabs"
                     : f == EXPR_MIN ? "fmin"
                     : f == EXPR_MAX ? "fmax"
                                     : expr_fn_name(f);
  expr_piece_text(w, name);
  join(w, e, "(", ", ", ")");
}

static void write(expr_printer* w, expr_piece piece)
{
  expr e = piece.e;
  double x;
  switch (expr_kind_at(w->p, e)) {
  case EXPR_NUMBER:
  case EXPR_PI:
    x = expr_number(w->p, e);
    constant(w, piece.plus && x < 0 ? -x : x);
    break;
  case EXPR_SYMBOL:
    w->name(w->context, e, w->out);
    break;
  case EXPR_SUM:
    sum(w, piece);
    break;
  case EXPR_PRODUCT:
    product(w, piece);
    break;
  case EXPR_POWER:
    power(w, e);
    break;
  case EXPR_CALL:
    call(w, e);
    break;
  case EXPR_LESS:
    join(w, e, "", " < ", "");
    break;
  case EXPR_LESS_EQ:
    join(w, e, "", " <= ", "");
    break;
  case EXPR_IF:
    expr_piece_text(w, "(");
    expr_piece_expr(w, expr_args_at(w->p, e)[0], EXPR_BIND_SUM);
    expr_piece_text(w, " ? ");
    expr_piece_expr(w, expr_args_at(w->p, e)[1], EXPR_BIND_SUM);
    expr_piece_text(w, " : ");
    expr_piece_expr(w, expr_args_at(w->p, e)[2], EXPR_BIND_SUM);
    expr_piece_text(w, ")");
    break;
  }
}

void expr_print_c(const expr_pool* p, base_text* out, expr e, expr_name_c* name, void* context)
{
  expr_printer w = {.p = p, .out = out, .name = name, .context = context};
  expr_print_run(&w, e, write);
}
