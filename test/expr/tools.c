// Reading, showing and drawing expressions for the tests.
#include "expr/tools.h"

#include <ctype.h>
#include <stdio.h>

// ---- reading ------------------------------------------------------------------------------------

typedef struct reader
{
  expr_pool* p;
  const char* at;
  const char* whole;
} reader;

static expr read_sum(reader* r);

static void fault(const reader* r)
{
  check_fail(__FILE__, __LINE__, "cannot read \"%s\" at \"%s\"", r->whole, r->at);
}

static void blanks(reader* r)
{
  while (*r->at == ' ') r->at++;
}

static bool take(reader* r, const char* token)
{
  blanks(r);
  size_t n = strlen(token);
  if (strncmp(r->at, token, n) != 0) return false;
  r->at += n;
  return true;
}

static expr read_number(reader* r)
{
  const char* from = r->at;
  while (isdigit((unsigned char)*r->at) || *r->at == '.') r->at++;
  if (*r->at == 'e' && (isdigit((unsigned char)r->at[1]) || r->at[1] == '-')) {
    r->at += 2;
    while (isdigit((unsigned char)*r->at)) r->at++;
  }
  return expr_decimal(r->p, from, (size_t)(r->at - from));
}

static expr read_if(reader* r)
{
  expr a = read_sum(r);
  bool equal = take(r, "<=");
  if (!equal && !take(r, "<")) fault(r);
  expr b = read_sum(r);
  if (!take(r, ",")) fault(r);
  expr yes = read_sum(r);
  if (!take(r, ",")) fault(r);
  expr no = read_sum(r);
  if (!take(r, ")")) fault(r);
  return expr_if(r->p, equal ? expr_less_eq(r->p, a, b) : expr_less(r->p, a, b), yes, no);
}

static expr read_call(reader* r, const char* name)
{
  if (strcmp(name, "if") == 0) return read_if(r);
  for (int f = 0; f < EXPR_FN_COUNT; f++) {
    if (strcmp(name, expr_fn_name((expr_fn)f)) != 0) continue;
    expr args[2] = {EXPR_NONE, EXPR_NONE};
    int n = expr_fn_args((expr_fn)f);
    for (int i = 0; i < n; i++) {
      args[i] = read_sum(r);
      if (!take(r, i + 1 < n ? "," : ")")) fault(r);
    }
    return expr_call(r->p, (expr_fn)f, n, args);
  }
  fault(r);
  return EXPR_NONE;
}

static bool in_name(unsigned char c)
{
  return isalnum(c) || c == '_' || c == '.' || c >= 128;
}

static expr read_name(reader* r)
{
  char name[64];
  size_t n = 0;
  while (in_name((unsigned char)*r->at) && n < 60) name[n++] = *r->at++;
  while (*r->at == '\'' && n < 62) name[n++] = *r->at++;
  name[n] = 0;
  if (take(r, "(")) return read_call(r, name);
  if (strcmp(name, "pi") == 0) return expr_pi(r->p);
  return expr_symbol(r->p, name);
}

static expr read_atom(reader* r)
{
  blanks(r);
  if (take(r, "(")) {
    expr e = read_sum(r);
    if (!take(r, ")")) fault(r);
    return e;
  }
  if (isdigit((unsigned char)*r->at)) return read_number(r);
  if (in_name((unsigned char)*r->at)) return read_name(r);
  fault(r);
  return EXPR_NONE;
}

static expr read_power(reader* r)
{
  expr a = read_atom(r);
  if (!take(r, "^")) return a;
  bool minus = take(r, "-");
  expr b = read_power(r);
  return expr_pow(r->p, a, minus ? expr_neg(r->p, b) : b);
}

static expr read_term(reader* r)
{
  bool minus = take(r, "-");
  expr a = read_power(r);
  for (;;) {
    if (take(r, "*"))
      a = expr_mul(r->p, a, read_power(r));
    else if (take(r, "/"))
      a = expr_div(r->p, a, read_power(r));
    else
      return minus ? expr_neg(r->p, a) : a;
  }
}

static expr read_sum(reader* r)
{
  expr a = read_term(r);
  for (;;) {
    if (take(r, "+"))
      a = expr_add(r->p, a, read_term(r));
    else if (take(r, "-"))
      a = expr_sub(r->p, a, read_term(r));
    else
      return a;
  }
}

expr read_expr(expr_pool* p, const char* text)
{
  reader r = {p, text, text};
  expr e = read_sum(&r);
  blanks(&r);
  if (*r.at) fault(&r);
  return e;
}

// ---- showing ------------------------------------------------------------------------------------

char* show_expr(const expr_pool* p, expr e)
{
  base_text t = {0};
  expr_print(p, &t, e);
  return base_text_take(&t);
}

char* show_latex(const expr_pool* p, expr e)
{
  base_text t = {0};
  expr_print_latex(p, &t, e);
  return base_text_take(&t);
}

// ---- drawing ------------------------------------------------------------------------------------

static uint64_t next(random_stream* r)
{
  r->state += 0x9e3779b97f4a7c15u;
  uint64_t z = r->state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

uint32_t random_below(random_stream* r, uint32_t n)
{
  return (uint32_t)(next(r) >> 33) % n;
}

double random_between(random_stream* r, double from, double to)
{
  return from + (to - from) * (double)(next(r) >> 11) * 0x1p-53;
}

void random_symbols(expr_pool* p, expr out[RANDOM_SYMBOLS])
{
  const char* const names[] = {"x", "y", "z", "u'"};
  for (int i = 0; i < RANDOM_SYMBOLS; i++) out[i] = expr_symbol(p, names[i]);
}

static expr random_leaf(expr_pool* p, random_stream* r)
{
  expr symbols[RANDOM_SYMBOLS];
  random_symbols(p, symbols);
  uint32_t k = random_below(r, 10);
  if (k < 7) return symbols[random_below(r, RANDOM_SYMBOLS)];
  if (k == 7) return expr_pi(p);
  return expr_ratio(p, (long)random_below(r, 9) - 4, 1 + (long)random_below(r, 4));
}

static expr random_call(expr_pool* p, random_stream* r, expr a, bool smooth)
{
  const expr_fn gentle[] = {EXPR_SIN, EXPR_COS, EXPR_SIN,  EXPR_COS,
                            EXPR_TAN, EXPR_EXP, EXPR_ATAN, EXPR_TANH};
  const expr_fn rough[] = {EXPR_ABS,  EXPR_SIGN, EXPR_SQRT, EXPR_LOG,
                           EXPR_SINH, EXPR_COSH, EXPR_ASIN, EXPR_ACOS};
  bool pick = smooth || random_below(r, 3);
  return expr_fn1(p, pick ? gentle[random_below(r, 8)] : rough[random_below(r, 8)], a);
}

static expr random_two(expr_pool* p, random_stream* r, expr a, expr b, bool smooth)
{
  switch (random_below(r, smooth ? 8 : 11)) {
  case 0:
  case 1:
  case 2:
    return expr_add(p, a, b);
  case 3:
    return expr_sub(p, a, b);
  case 4:
  case 5:
  case 6:
    return expr_mul(p, a, b);
  case 7:
    return expr_div(p, a, b);
  case 8:
    return expr_call(p, EXPR_MIN, 2, (expr[]){a, b});
  case 9:
    return expr_call(p, EXPR_ATAN2, 2, (expr[]){a, b});
  default:
    return expr_if(p, expr_less(p, a, b), b, expr_mul(p, a, a));
  }
}

// undefined draws (a division by zero) are drawn again as a leaf
expr random_expr(expr_pool* p, random_stream* r, int size, bool smooth)
{
  expr e = EXPR_NONE;
  if (size <= 0) return random_leaf(p, r);
  uint32_t k = random_below(r, 10);
  if (k < 2) {
    e = random_call(p, r, random_expr(p, r, size - 1, smooth), smooth);
  } else if (k == 2) {
    e = expr_pow(p, random_expr(p, r, size - 1, smooth), expr_int(p, 2 + (long)random_below(r, 2)));
  } else {
    int left = (int)random_below(r, (uint32_t)size);
    expr a = random_expr(p, r, left, smooth), b = random_expr(p, r, size - 1 - left, smooth);
    e = random_two(p, r, a, b, smooth);
  }
  return e ? e : random_leaf(p, r);
}

static expr random_factor(expr_pool* p, random_stream* r, const expr* symbols)
{
  expr a = symbols[random_below(r, 3)], b = symbols[random_below(r, 3)], two = expr_int(p, 2);
  switch (random_below(r, 9)) {
  case 0:
    return expr_fn1(p, EXPR_SIN, a);
  case 1:
    return expr_fn1(p, EXPR_COS, a);
  case 2:
    return expr_pow(p, expr_fn1(p, EXPR_SIN, a), two);
  case 3:
    return expr_pow(p, expr_fn1(p, EXPR_COS, a), two);
  case 4:
    return expr_fn1(p, EXPR_COS, expr_sub(p, a, b));
  case 5:
    return expr_fn1(p, EXPR_SIN, expr_add(p, a, b));
  case 6:
    return expr_fn1(p, EXPR_TAN, a);
  case 7:
    return expr_fn1(p, EXPR_SQRT, expr_add(p, expr_pow(p, a, two), expr_int(p, 1)));
  default:
    return a;
  }
}

static expr random_sum(expr_pool* p, random_stream* r, uint32_t terms)
{
  expr symbols[RANDOM_SYMBOLS], sum = expr_int(p, 0);
  random_symbols(p, symbols);
  for (uint32_t i = 0; i < terms; i++) {
    expr t = expr_ratio(p, (long)random_below(r, 7) - 3, 1 + (long)random_below(r, 2));
    uint32_t factors = 1 + random_below(r, 4);
    for (uint32_t k = 0; k < factors; k++) t = expr_mul(p, t, random_factor(p, r, symbols));
    sum = expr_add(p, sum, t);
  }
  return sum;
}

expr random_mechanics(expr_pool* p, random_stream* r)
{
  expr e = random_sum(p, r, 1 + random_below(r, 5)), d = random_sum(p, r, 1 + random_below(r, 3));
  uint32_t k = random_below(r, 3);
  expr q = k == 0 ? expr_div(p, e, d) : k == 1 ? expr_mul(p, e, d) : e;
  e = expr_add(p, q ? q : e, random_sum(p, r, 2));
  return random_below(r, 5) ? e : expr_pow(p, e, expr_int(p, 2));
}
