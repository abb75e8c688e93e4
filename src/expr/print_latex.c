// LaTeX of expressions: fractions, roots, functions with their powers on the name.
#include "expr/print.h"

static void number(expr_printer* w, expr e)
{
  if (!expr_number_is_decimal(w->p, e)) {
    base_text_add(w->out, "\\frac{");
    expr_number_above(w->p, w->out, e);
    base_text_add(w->out, "}{");
    expr_number_below(w->p, w->out, e);
    base_text_add(w->out, "}");
    return;
  }
  base_text t = {0};
  expr_number_text(w->p, &t, e);
  const char* ten = strchr(t.at, 'e');
  base_text_addn(w->out, t.at, ten ? (size_t)(ten - t.at) : t.n);
  if (ten) base_text_printf(w->out, " \\cdot 10^{%s}", ten + 1);
  base_text_free(&t);
}

static void symbol(expr_printer* w, expr e)
{
  expr_latex_name(w->out, expr_name(w->p, e));
}

// an argument short enough to stand without brackets
static bool is_bare(const expr_pool* p, expr a)
{
  expr_kind kind = expr_kind_at(p, a);
  return kind == EXPR_SYMBOL || kind == EXPR_PI;
}

static const char* latex_fn(expr_fn f)
{
  static const char* const text[] = {[EXPR_SQRT] = "\\sqrt",
                                     [EXPR_EXP] = "\\exp",
                                     [EXPR_LOG] = "\\ln",
                                     [EXPR_SIN] = "\\sin",
                                     [EXPR_COS] = "\\cos",
                                     [EXPR_TAN] = "\\tan",
                                     [EXPR_ASIN] = "\\arcsin",
                                     [EXPR_ACOS] = "\\arccos",
                                     [EXPR_ATAN] = "\\arctan",
                                     [EXPR_ATAN2] = "\\operatorname{atan2}",
                                     [EXPR_SINH] = "\\sinh",
                                     [EXPR_COSH] = "\\cosh",
                                     [EXPR_TANH] = "\\tanh",
                                     [EXPR_ABS] = "",
                                     [EXPR_SIGN] = "\\operatorname{sign}",
                                     [EXPR_MIN] = "\\min",
                                     [EXPR_MAX] = "\\max"};
  return text[f];
}

static void exponent(expr_printer* w, expr e, bool turned)
{
  expr_piece_text(w, "^{");
  if (turned)
    expr_piece_plus(w, e, EXPR_BIND_SUM);
  else
    expr_piece_expr(w, e, EXPR_BIND_SUM);
  expr_piece_text(w, "}");
}

// f(a), or f^n(a) when a power is given
static void call_of(expr_printer* w, expr e, expr power, bool turned)
{
  const expr_pool* p = w->p;
  expr_fn f = expr_fn_of(p, e);
  expr a = expr_args_at(p, e)[0];
  if (f == EXPR_EXP) {
    expr_piece_text(w, "e");
    exponent(w, a, false);
    return;
  }
  if (f == EXPR_ABS) {
    expr_piece_text(w, "\\left|");
    expr_piece_expr(w, a, EXPR_BIND_SUM);
    expr_piece_text(w, "\\right|");
    if (power) exponent(w, power, turned);
    return;
  }
  expr_piece_text(w, latex_fn(f));
  if (power) exponent(w, power, turned);
  if (is_bare(p, a) && expr_at(p, e)->n == 1) {
    expr_piece_text(w, " ");
    expr_piece_expr(w, a, EXPR_BIND_TERM);
  } else {
    expr_piece_text(w, "\\left(");
    expr_piece_arguments(w, e, ", ");
    expr_piece_text(w, "\\right)");
  }
}

// base^|exponent|
static void power_of(expr_printer* w, expr base, expr e, bool turned)
{
  const expr_pool* p = w->p;
  bool is_number = expr_kind_at(p, e) == EXPR_NUMBER;
  double value = is_number ? expr_number(p, e) : 0;
  if (turned) value = -value;
  if (value == 0.5) {
    expr_piece_text(w, "\\sqrt{");
    expr_piece_expr(w, base, EXPR_BIND_SUM);
    expr_piece_text(w, "}");
  } else if (value == 1) {
    expr_piece_expr(w, base, EXPR_BIND_TERM);
  } else if (expr_kind_at(p, base) == EXPR_CALL && value > 1 && expr_q_is_whole(p, e) &&
             !expr_is_fn(p, base, EXPR_EXP)) {
    call_of(w, base, e, turned);
  } else {
    expr_piece_expr(w, base, EXPR_BIND_BASE);
    exponent(w, e, turned);
  }
}

// a name of several letters, set upright
static bool is_word(const expr_pool* p, expr f)
{
  const expr base = f == EXPR_NONE ? f : expr_base(p, f);
  if (base == EXPR_NONE || expr_kind_at(p, base) != EXPR_SYMBOL) return false;
  base_text name = {0};
  expr_latex_name(&name, expr_name(p, base));
  const bool word = name.at && (strstr(name.at, "\\math") || strstr(name.at, "\\text"));
  base_text_free(&name);
  return word;
}

// words side by side would read as one
static const char* between(const expr_pool* p, expr before, expr after)
{
  return before != EXPR_NONE && (is_word(p, before) || is_word(p, after)) ? " \\, " : " ";
}

// operations beyond which a sum stands beside a fraction, where lines can be broken
#define LONG_SUM 12

static bool has_line(const expr_pool* p, expr e)
{
  const expr_node* node = expr_at(p, e);
  if (node->kind == EXPR_NUMBER) return !expr_number_is_decimal(p, e);
  if (node->kind == EXPR_POWER) {
    expr exponent = p->arg[node->first + 1];
    return expr_kind_at(p, exponent) == EXPR_NUMBER && expr_q_sign(p, exponent) < 0;
  }
  for (uint32_t i = 0; i < node->n && node->kind == EXPR_PRODUCT; i++)
    if (has_line(p, p->arg[node->first + i])) return true;
  return false;
}

// a sum too long or too high to stand above a line
static bool is_long(const expr_pool* p, expr f)
{
  expr base = expr_base(p, f);
  const expr_node* node = expr_at(p, base);
  if (node->kind != EXPR_SUM) return false;
  if (expr_cost(p, base) > LONG_SUM) return true;
  for (uint32_t i = 0; i < node->n; i++)
    if (has_line(p, p->arg[node->first + i])) return true;
  return false;
}

// the first factor that stands beside the fraction
static int beside(const expr_pool* p, const expr_split* s)
{
  int i = 0;
  while (i < s->above.n && !is_long(p, s->above.at[i])) i++;
  return i;
}

// the number and the first `count` factors
static void above(expr_printer* w, const expr_split* s, int count, bool line)
{
  expr before = EXPR_NONE;
  const expr joined = expr_split_joined(w->p, s, count);
  int written = expr_piece_factor_number(w, s, count == 0 && s->roots.n == 0);
  // a sum that is the whole of what stands above a line needs no brackets
  const bool bare = count == 1 && s->roots.n == 0 && line && !written;
  if (s->roots.n) {
    if (written++) expr_piece_text(w, " ");
    expr_piece_roots(w, s, joined);
  }
  for (int i = 0; i < count; i++) {
    expr f = s->above.at[i];
    if (f == joined) continue;
    // two numbers side by side would read as one
    bool digits = expr_kind_at(w->p, expr_base(w->p, f)) == EXPR_NUMBER;
    if (written++) expr_piece_text(w, digits ? " \\cdot " : between(w->p, before, f));
    before = f;
    expr_piece_factor(w, s, f, bare ? EXPR_BIND_SUM : EXPR_BIND_TERM);
  }
}

static void below(expr_printer* w, const expr_split* s)
{
  expr before = EXPR_NONE;
  bool fraction = !s->decimal;
  if (fraction)
    base_push(&w->stack, (expr_piece){.e = s->number, .plus = true, .below_only = true});
  for (int i = 0; i < s->below.n; i++) {
    const expr* args = expr_args_at(w->p, s->below.at[i]);
    if (i || fraction) expr_piece_text(w, between(w->p, before, args[0]));
    before = args[0];
    bool whole = s->below.n == 1 && !fraction && args[1] == EXPR_MINUS_ONE;
    if (whole)
      expr_piece_expr(w, args[0], EXPR_BIND_SUM);
    else
      power_of(w, args[0], args[1], true);
  }
}

static void product(expr_printer* w, expr_piece piece)
{
  expr_split s;
  expr_split_of(w->p, piece.e, &s);
  bool minus = s.minus && !piece.plus, line = s.below.n || !s.decimal;
  bool brackets = piece.bind > EXPR_BIND_FACTOR || (minus && piece.bind > EXPR_BIND_SUM);
  if (brackets) expr_piece_text(w, "\\left(");
  if (minus) expr_piece_text(w, "-");
  int over = line ? beside(w->p, &s) : s.above.n;
  if (line) expr_piece_text(w, "\\frac{");
  above(w, &s, over, line);
  if (line) {
    expr_piece_text(w, "}{");
    below(w, &s);
    expr_piece_text(w, "}");
  }
  for (int i = over; i < s.above.n; i++) {
    expr_piece_text(w, i > over ? between(w->p, s.above.at[i - 1], s.above.at[i]) : " ");
    expr_piece_factor(w, &s, s.above.at[i], EXPR_BIND_TERM);
  }
  if (brackets) expr_piece_text(w, "\\right)");
  expr_split_end(&s);
}

static void power(expr_printer* w, expr_piece piece)
{
  const expr* args = expr_args_at(w->p, piece.e);
  bool brackets = piece.bind >= EXPR_BIND_BASE;
  if (brackets) expr_piece_text(w, "\\left(");
  power_of(w, args[0], args[1], false);
  if (brackets) expr_piece_text(w, "\\right)");
}

static void branch(expr_printer* w, expr e)
{
  const expr* args = expr_args_at(w->p, e);
  expr_piece_text(w, "\\begin{cases} ");
  expr_piece_expr(w, args[1], EXPR_BIND_SUM);
  expr_piece_text(w, " & ");
  expr_piece_expr(w, args[0], EXPR_BIND_SUM);
  expr_piece_text(w, " \\\\ ");
  expr_piece_expr(w, args[2], EXPR_BIND_SUM);
  expr_piece_text(w, " & \\text{otherwise} \\end{cases}");
}

static void call(expr_printer* w, expr_piece piece)
{
  const bool brackets = piece.bind >= EXPR_BIND_BASE && !expr_is_fn(w->p, piece.e, EXPR_ABS);
  if (brackets) expr_piece_text(w, "\\left(");
  call_of(w, piece.e, EXPR_NONE, false);
  if (brackets) expr_piece_text(w, "\\right)");
}

void expr_print_latex(const expr_pool* p, base_text* out, expr e)
{
  static const expr_style latex = {.open = "\\left(",
                                   .close = "\\right)",
                                   .root = "\\sqrt{",
                                   .root_end = "}",
                                   .pi = "\\pi",
                                   .less_eq = " \\le ",
                                   .times = " ",
                                   .times_number = " \\cdot ",
                                   .fraction = EXPR_BIND_FACTOR,
                                   .number = number,
                                   .symbol = symbol,
                                   .product = product,
                                   .power = power,
                                   .call = call,
                                   .branch = branch};
  expr_printer w = {.p = p, .out = out, .style = &latex};
  const size_t from = out->n;
  expr_print_run(&w, e);
  expr_latex_brackets(out, from);
}
