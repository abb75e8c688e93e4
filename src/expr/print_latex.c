// LaTeX of expressions: fractions, roots, functions with their powers on the name.
#include "expr/print.h"

static void write(expr_printer* w, expr_piece piece);

static void number(expr_printer* w, expr_piece piece)
{
  const expr_pool* p = w->p;
  bool minus = expr_q_sign(p, piece.e) < 0 && !piece.plus;
  bool fraction = !expr_number_is_decimal(p, piece.e);
  bool brackets =
      (minus && piece.bind > EXPR_BIND_SUM) || (fraction && piece.bind >= EXPR_BIND_BASE);
  if (brackets) base_text_add(w->out, "\\left(");
  if (minus) base_text_add(w->out, "-");
  if (fraction) {
    base_text_add(w->out, "\\frac{");
    expr_number_above(p, w->out, piece.e);
    base_text_add(w->out, "}{");
    expr_number_below(p, w->out, piece.e);
    base_text_add(w->out, "}");
  } else {
    base_text t = {0};
    expr_number_text(p, &t, piece.e);
    char* e = strchr(t.at, 'e');
    if (e) {
      base_text_addn(w->out, t.at, (size_t)(e - t.at));
      base_text_printf(w->out, " \\cdot 10^{%s}", e + 1);
    } else {
      base_text_add(w->out, t.at);
    }
    base_text_free(&t);
  }
  if (brackets) base_text_add(w->out, "\\right)");
}

static void sum(expr_printer* w, expr_piece piece)
{
  expr_list terms;
  expr_list_start(&terms);
  expr_terms_nice(w->p, piece.e, piece.turned, &terms);
  bool brackets = piece.bind > EXPR_BIND_SUM;
  if (brackets) expr_piece_text(w, "\\left(");
  for (int i = 0; i < terms.n; i++) {
    bool minus = expr_minus_sign(w->p, terms.at[i]) != piece.turned;
    if (i) expr_piece_text(w, minus ? " - " : " + ");
    if (i == 0 && minus) expr_piece_text(w, "-");
    expr_piece_plus(w, terms.at[i], EXPR_BIND_TERM);
  }
  if (brackets) expr_piece_text(w, "\\right)");
  expr_list_end(&terms);
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

static void arguments(expr_printer* w, expr e, const char* between)
{
  uint32_t n = expr_at(w->p, e)->n;
  for (uint32_t i = 0; i < n; i++) {
    if (i) expr_piece_text(w, between);
    expr_piece_expr(w, expr_args_at(w->p, e)[i], EXPR_BIND_SUM);
  }
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
static void call(expr_printer* w, expr e, expr power, bool turned)
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
    arguments(w, e, ", ");
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
    call(w, base, e, turned);
  } else {
    expr_piece_expr(w, base, EXPR_BIND_BASE);
    exponent(w, e, turned);
  }
}

static void roots(expr_printer* w, const expr_split* s, expr inside)
{
  expr_piece_text(w, "\\sqrt{");
  for (int i = 0; i < s->roots.n; i++) {
    if (i) expr_piece_text(w, " \\cdot ");
    expr_piece_expr(w, s->roots.at[i], EXPR_BIND_TERM);
  }
  if (inside) {
    expr_piece_text(w, " ");
    expr_piece_expr(w, expr_args_at(w->p, inside)[0], EXPR_BIND_TERM);
  }
  expr_piece_text(w, "}");
}

static bool is_root(const expr_pool* p, expr e)
{
  return expr_kind_at(p, e) == EXPR_POWER && expr_args_at(p, e)[1] == EXPR_HALF;
}

static bool is_unit(const expr_pool* p, expr number, bool decimal)
{
  base_text t = {0};
  if (decimal)
    expr_number_text(p, &t, number);
  else
    expr_number_above(p, &t, number);
  bool one = strcmp(t.at, "1") == 0;
  base_text_free(&t);
  return one;
}

// a name of several letters, set upright
static bool is_word(const expr_pool* p, expr f)
{
  const expr base = f == EXPR_NONE ? f : expr_base(p, f);
  if (base == EXPR_NONE || expr_kind_at(p, base) != EXPR_SYMBOL) return false;
  base_text name = {0};
  expr_latex_name(&name, expr_name(p, base));
  const bool word = name.at && strstr(name.at, "\\math") != NULL;
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

static void factor(expr_printer* w, const expr_split* s, expr f, expr_bind bind)
{
  if (f == s->turned)
    expr_piece_turned(w, f, bind);
  else
    expr_piece_expr(w, f, bind);
}

// the number and the first `count` factors
static void above(expr_printer* w, const expr_split* s, int count, bool line)
{
  expr before = EXPR_NONE;
  int written = 0;
  bool alone = count == 0 && s->roots.n == 0;
  // a sum that is the whole of what stands above a line needs no brackets
  bool bare = count == 1 && s->roots.n == 0 && line;
  if (alone || !is_unit(w->p, s->number, s->decimal)) {
    base_push(&w->stack,
              (expr_piece){
                  .e = s->number, .bind = EXPR_BIND_TERM, .plus = true, .above_only = !s->decimal});
    written++;
    bare = false;
  }
  expr joined = EXPR_NONE;
  for (int i = 0; s->roots.n && i < count && !joined; i++)
    if (is_root(w->p, s->above.at[i])) joined = s->above.at[i];
  if (s->roots.n) {
    if (written++) expr_piece_text(w, " ");
    roots(w, s, joined);
  }
  for (int i = 0; i < count; i++) {
    expr f = s->above.at[i];
    if (f == joined) continue;
    // two numbers side by side would read as one
    bool digits = expr_kind_at(w->p, expr_base(w->p, f)) == EXPR_NUMBER;
    if (written++) expr_piece_text(w, digits ? " \\cdot " : between(w->p, before, f));
    before = f;
    factor(w, s, f, bare ? EXPR_BIND_SUM : EXPR_BIND_TERM);
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
    factor(w, &s, s.above.at[i], EXPR_BIND_TERM);
  }
  if (brackets) expr_piece_text(w, "\\right)");
  expr_split_end(&s);
}

static void power(expr_printer* w, expr_piece piece)
{
  const expr* args = expr_args_at(w->p, piece.e);
  if (expr_kind_at(w->p, args[1]) == EXPR_NUMBER && expr_q_sign(w->p, args[1]) < 0) {
    product(w, piece);
    return;
  }
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
    base_text_add(w->out, "\\pi");
    break;
  case EXPR_SYMBOL:
    expr_latex_name(w->out, expr_name(w->p, e));
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
  case EXPR_CALL: {
    bool brackets = piece.bind >= EXPR_BIND_BASE && !expr_is_fn(w->p, e, EXPR_ABS);
    if (brackets) expr_piece_text(w, "\\left(");
    call(w, e, EXPR_NONE, false);
    if (brackets) expr_piece_text(w, "\\right)");
    break;
  }
  case EXPR_LESS:
    arguments(w, e, " < ");
    break;
  case EXPR_LESS_EQ:
    arguments(w, e, " \\le ");
    break;
  case EXPR_IF:
    branch(w, e);
    break;
  }
}

void expr_print_latex(const expr_pool* p, base_text* out, expr e)
{
  expr_printer w = {.p = p, .out = out};
  size_t from = out->n;
  expr_print_run(&w, e, write);
  expr_latex_brackets(out, from);
}
