// Numbers, names, values and vectors of the language, one production for each choice.
#include "grammar.h"

#include <stdarg.h>
#include <stdio.h>

void fuzz_put(fuzz_grammar* g, const char* format, ...)
{
  char text[256];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  base_text_add(g->out, text);
}

void fuzz_put_number(fuzz_grammar* g)
{
  static const char* const plain[] = {"1",    "0",   "2", "0.5", "3",  "-1", "0.1",
                                      "9.81", "1/3", "4", "10",  "-2", "0.7"};
  static const char* const odd[] = {
      "1e-9", "1e6",  "1e300", "1e-300", "1e400",  "1e401",
      "007",  "1.",   ".5",    "1e",     "1e+",    "0.333333333333333333333333333333333333",
      "1..2", "2^64", "1e9^9", "0/0",    "2^1000", "99999999999999999999"};
  if (g->wild && fuzz_rarely(g->c, 6))
    fuzz_put(g, "%s", FUZZ_WORD(g->c, odd));
  else
    fuzz_put(g, "%s", FUZZ_WORD(g->c, plain));
}

void fuzz_put_name(fuzz_grammar* g, const char* letter, int count)
{
  static const char* const letters[] = {"p", "x", "F", "P", "B", "C", "E", "u",
                                        "l", "Q", "c", "S", "o", "t", "θ", "world"};
  if (g->wild && fuzz_rarely(g->c, 8)) letter = FUZZ_WORD(g->c, letters);
  fuzz_put(g, "%s%d", letter, fuzz_pick(g->c, g->wild ? count + 1 : count));
  if (g->wild && g->inside && fuzz_rarely(g->c, 3)) fuzz_put(g, "[i%d]", g->inside);
}

void fuzz_put_frame(fuzz_grammar* g)
{
  if (!g->frames || fuzz_rarely(g->c, 4))
    fuzz_put(g, "world");
  else
    fuzz_put_name(g, "F", g->frames);
}

void fuzz_put_body(fuzz_grammar* g)
{
  if (!g->bodies || fuzz_rarely(g->c, 4))
    fuzz_put_frame(g);
  else
    fuzz_put_name(g, "B", g->bodies);
}

void fuzz_put_point(fuzz_grammar* g)
{
  if (!g->points || fuzz_rarely(g->c, 3))
    fuzz_put_body(g);
  else
    fuzz_put_name(g, "P", g->points);
}

void fuzz_put_speed(fuzz_grammar* g)
{
  if (g->quasis && fuzz_rarely(g->c, 2))
    fuzz_put_name(g, "u", g->quasis);
  else
    fuzz_put_name(g, "x", g->coords);
}

void fuzz_put_unit(fuzz_grammar* g)
{
  static const char* const units[] = {"",    "m",     "kg",   "s",  "rad",  "m/s^2", "N", "kg*m^2",
                                      "deg", "N*s/m", "1/s",  "mm", "kN",   "min",   "h", "m^(1/2)",
                                      "rpm", "J/K",   "m^-1", "1",  "(kg)", "mol",   "Ω", "m s"};
  const char* unit = g->wild ? FUZZ_WORD(g->c, units) : "";
  if (*unit) fuzz_put(g, " [%s]", unit);
}

// ---- vectors ------------------------------------------------------------------------------------

static void put_motion(fuzz_grammar* g, fuzz_kind kind)
{
  static const char* const words[] = {"pos", "vel", "omega", "acc", "alpha"};
  const int most = kind <= FUZZ_PLACE ? 1 : kind == FUZZ_STATE ? 3 : 5;
  const int which = fuzz_pick(g->c, g->wild ? 5 : most);
  fuzz_put(g, "%s(", words[which]);
  if (which == 2 || which == 4)
    fuzz_put_body(g);
  else
    fuzz_put_point(g);
  if (fuzz_rarely(g->c, 3)) {
    fuzz_put(g, ", ");
    fuzz_put_frame(g);
  }
  fuzz_put(g, ")");
}

void fuzz_put_vector(fuzz_grammar* g, int depth, fuzz_kind kind)
{
  switch (depth > 0 ? fuzz_pick(g->c, 8) : 0) {
  case 4:
    if (kind == FUZZ_CONSTANT && !g->wild) break;
    put_motion(g, kind);
    return;
  case 5:
    fuzz_put(g, "cross(");
    fuzz_put_vector(g, depth - 1, kind);
    fuzz_put(g, ", ");
    fuzz_put_vector(g, depth - 1, kind);
    fuzz_put(g, ")");
    return;
  case 6:
    fuzz_put(g, "(");
    fuzz_put_vector(g, depth - 1, kind);
    fuzz_put(g, " + ");
    fuzz_put_vector(g, depth - 1, kind);
    fuzz_put(g, ")");
    return;
  case 7:
    fuzz_put_value(g, depth - 2, kind);
    fuzz_put(g, "*");
    fuzz_put_vector(g, depth - 1, kind);
    return;
  }
  const int n = g->wild && fuzz_rarely(g->c, 10) ? 2 + fuzz_pick(g->c, 5) : 3;
  for (int i = 0; i < n; i++) {
    fuzz_put(g, i ? ", " : "(");
    fuzz_put_value(g, depth - 2, kind);
  }
  fuzz_put(g, ")");
}

// ---- scalars ------------------------------------------------------------------------------------

static void put_leaf(fuzz_grammar* g, fuzz_kind kind)
{
  switch (fuzz_pick(g->c, 8)) {
  case 0:
  case 1:
    fuzz_put_number(g);
    return;
  case 2:
    fuzz_put_name(g, "p", g->params);
    return;
  case 3:
    fuzz_put(g, kind > FUZZ_CONSTANT || g->wild ? "t" : "pi");
    return;
  case 4:
    if (!g->lets || kind <= FUZZ_PLACE) break;
    fuzz_put_name(g, "l", g->lets);
    return;
  }
  if (kind == FUZZ_CONSTANT && !g->wild) {
    fuzz_put_number(g);
    return;
  }
  fuzz_put_name(g, "x", g->coords);
  const int primes = kind == FUZZ_PLACE ? 0 : fuzz_pick(g->c, kind == FUZZ_ALL ? 3 : 2);
  for (int i = 0; i < primes; i++) fuzz_put(g, "'");
  if (g->wild && fuzz_rarely(g->c, 10)) fuzz_put(g, "'''");
}

static void put_two(fuzz_grammar* g, const char* between, int depth, fuzz_kind kind)
{
  fuzz_put(g, "(");
  fuzz_put_value(g, depth - 1, kind);
  fuzz_put(g, "%s", between);
  fuzz_put_value(g, depth - 1, kind);
  fuzz_put(g, ")");
}

static void put_power(fuzz_grammar* g, int depth, fuzz_kind kind)
{
  static const char* const exponents[] = {"2", "3", "-1", "(1/2)", "0", "-2", "1", "10", "(-1/3)"};
  fuzz_put(g, "(");
  fuzz_put_value(g, depth - 1, kind);
  fuzz_put(g, ")^");
  if (g->wild && fuzz_rarely(g->c, 4)) {
    fuzz_put(g, "(");
    fuzz_put_value(g, depth - 1, kind);
    fuzz_put(g, ")");
  } else {
    fuzz_put(g, "%s", FUZZ_WORD(g->c, exponents));
  }
}

static void put_call(fuzz_grammar* g, int depth, fuzz_kind kind)
{
  static const char* const one[] = {"sin",  "cos",  "sqrt", "exp",  "tan",  "abs",  "sign", "log",
                                    "tanh", "atan", "asin", "acos", "sinh", "cosh", "step", "foo"};
  static const char* const more[] = {"min", "max", "atan2", "hypot", "smoothstep"};
  const bool several = fuzz_rarely(g->c, 4);
  const int which = fuzz_pick(g->c, several ? 5 : 15 + g->wild);
  const int n = several ? 2 + (which == 4) : 1;
  fuzz_put(g, "%s(", several ? more[which] : one[which]);
  for (int i = 0; i < n + (g->wild && fuzz_rarely(g->c, 20)); i++) {
    if (i) fuzz_put(g, ", ");
    fuzz_put_value(g, depth - 1, kind);
  }
  fuzz_put(g, ")");
}

static void put_if(fuzz_grammar* g, int depth, fuzz_kind kind)
{
  static const char* const relations[] = {" < ", " <= ", " > ", " >= "};
  fuzz_put(g, "if(");
  fuzz_put_value(g, depth - 1, kind);
  fuzz_put(g, "%s", FUZZ_WORD(g->c, relations));
  fuzz_put_value(g, depth - 2, kind);
  fuzz_put(g, ", ");
  fuzz_put_value(g, depth - 1, kind);
  fuzz_put(g, ", ");
  fuzz_put_value(g, depth - 1, kind);
  fuzz_put(g, ")");
}

static void put_mechanics(fuzz_grammar* g, fuzz_kind kind)
{
  static const char* const words[] = {"energy()",     "kinetic()",          "potential()",
                                      "momentum().x", "angmomentum().z",    "angmomentum(world).y",
                                      "power(c0)",    "norm(reaction(c0))", "c0.u"};
  if (g->constraints && kind == FUZZ_ALL && fuzz_rarely(g->c, 2)) {
    fuzz_put(g, "reaction(");
    fuzz_put_name(g, "C", g->constraints);
    fuzz_put(g, ")");
  } else {
    fuzz_put(g, "%s", FUZZ_WORD(g->c, words));
  }
}

// a number made of vectors, or of what the whole system has
static void put_part(fuzz_grammar* g, int depth, fuzz_kind kind)
{
  switch (fuzz_pick(g->c, kind == FUZZ_ALL || g->wild ? 5 : 3)) {
  case 0:
    if (kind == FUZZ_CONSTANT && !g->wild) {
      fuzz_put_number(g);
      return;
    }
    put_motion(g, kind);
    fuzz_put(g, ".%c", 'x' + fuzz_pick(g->c, 3));
    return;
  case 1:
    fuzz_put(g, "norm(");
    fuzz_put_vector(g, depth - 1, kind);
    fuzz_put(g, ")");
    return;
  case 2:
    fuzz_put(g, "dot(");
    fuzz_put_vector(g, depth - 1, kind);
    fuzz_put(g, ", ");
    fuzz_put_vector(g, depth - 1, kind);
    fuzz_put(g, ")");
    return;
  case 3:
    g->inside++;
    fuzz_put(g, "sum(i%d in 1..%d: ", g->inside, fuzz_pick(g->c, 4));
    fuzz_put_value(g, depth - 1, kind);
    fuzz_put(g, "*i%d)", g->inside);
    g->inside--;
    return;
  default:
    put_mechanics(g, kind);
  }
}

void fuzz_put_value(fuzz_grammar* g, int depth, fuzz_kind kind)
{
  switch (depth > 0 ? fuzz_pick(g->c, 16) : 0) {
  case 5:
  case 6:
    put_two(g, " + ", depth, kind);
    return;
  case 7:
    put_two(g, " - ", depth, kind);
    return;
  case 8:
  case 9:
    put_two(g, "*", depth, kind);
    return;
  case 10:
    put_two(g, "/", depth, kind);
    return;
  case 11:
    put_power(g, depth, kind);
    return;
  case 12:
  case 13:
    put_call(g, depth, kind);
    return;
  case 14:
    if (fuzz_rarely(g->c, 2))
      put_if(g, depth, kind);
    else
      put_part(g, depth, kind);
    return;
  case 15:
    fuzz_put(g, "-");
    fuzz_put_value(g, depth - 1, kind);
    return;
  default:
    put_leaf(g, kind);
  }
}
