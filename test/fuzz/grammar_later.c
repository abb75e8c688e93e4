// Statements that came into the language later: delays, states, samples, patches of friction,
// curves and joints along them, parts that come with the program, contacts among many, corners as
// inequalities. They are drawn in models of their own, so that inputs found before mean what they
// meant.
#include "grammar.h"

static void put_delay(fuzz_grammar* g)
{
  static const char* const times[] = {"0.05", "p0", "0", "0.3", "1e-9", "2*p0", "t", "-1", "x0"};
  fuzz_put(g, "force ");
  fuzz_put_name(g, "x", g->coords);
  fuzz_put(g, " = -delay(");
  fuzz_put_value(g, 2, fuzz_rarely(g->c, 4) ? FUZZ_ALL : FUZZ_STATE);
  fuzz_put(g, ", %s)%s", FUZZ_WORD(g->c, times), fuzz_rarely(g->c, 4) ? "'" : "");
}

static void put_delayed_output(fuzz_grammar* g)
{
  fuzz_put(g, "output o%d = delay(delay(", g->outputs++);
  fuzz_put_value(g, 2, FUZZ_STATE);
  fuzz_put(g, ", 0.1), p0)");
}

static void put_state(fuzz_grammar* g)
{
  fuzz_put(g, "state z%d = 1\nrate z%d = ", g->lets, g->lets);
  g->lets++;
  fuzz_put_value(g, 3, fuzz_rarely(g->c, 4) ? FUZZ_ALL : FUZZ_STATE);
}

static void put_sample(fuzz_grammar* g)
{
  static const char* const times[] = {"0.1", "p0", "0.03", "0", "1e-12", "10"};
  fuzz_put(g, "memory k%d = 0\nsample a%d every %s { k%d = k%d + ", g->events, g->events,
           FUZZ_WORD(g->c, times), g->events, g->events);
  g->events++;
  fuzz_put_value(g, 2, FUZZ_STATE);
  fuzz_put(g, " }");
}

static void put_input(fuzz_grammar* g)
{
  fuzz_put(g, "input in%d = ", g->params);
  fuzz_put_number(g);
  fuzz_put(g, "\nforce x0 = in%d", g->params);
}

static void put_patch(fuzz_grammar* g)
{
  static const char* const spread[] = {"", " uniform", " hertz", " parabolic"};
  fuzz_put(g, "slide B%d as sphere(1) on world as plane at c%d with friction 0.2 over radius ",
           fuzz_pick(g->c, g->bodies + 1), g->contacts++);
  fuzz_put_value(g, 1, FUZZ_CONSTANT);
  fuzz_put(g, "%s", FUZZ_WORD(g->c, spread));
}

static void put_curve(fuzz_grammar* g)
{
  static const char* const more[] = {"", " of world", " of B0", " at (0, 1, 0)", " axis x"};
  const int k = g->surfaces++;
  fuzz_put(g, "curve S%d(u) = (cos(u), sin(u), ", k);
  fuzz_put_value(g, 1, FUZZ_CONSTANT);
  fuzz_put(g, "*u)\nball b%d mass 1 radius 0.1\njoint J%d: point b%d on curve S%d%s", k, g->joints,
           k, k, FUZZ_WORD(g->c, more));
  fuzz_put(g, "\ninitial J%d.u' = ", g->joints++);
  fuzz_put_number(g);
}

static void put_use(fuzz_grammar* g)
{
  static const char* const files[] = {"use std",         "use std \"wheels\"", "use std \"\"",
                                      "use std \"nix\"", "use std \"../std\"", "use \"nix.zw\""};
  fuzz_put(g, "%s", FUZZ_WORD(g->c, files));
}

static void put_among(fuzz_grammar* g)
{
  static const char* const shapes[] = {"circle(0.1)", "box(1, 2)", "sphere(0.2)", "segment",
                                       "box(1, 1, 1)"};
  static const char* const names[] = {"M[*]", "B[*]", "M[*].foot", "B0", "M[*][*]"};
  static const char* const with[] = {"", " with friction 0.5", " with restitution 0.3",
                                     " with restitution 0.3 sequential"};
  fuzz_put(g,
           "for i in 1..%d { coord y[i], z[i]; particle M[i] mass 1 = (y[i], z[i], 0) in world; "
           "initial y[i] = 3*i }\n",
           1 + fuzz_pick(g->c, 4));
  fuzz_put(g, "contacts n%d: among %s as %s", g->contacts++, FUZZ_WORD(g->c, names),
           FUZZ_WORD(g->c, shapes));
  if (fuzz_rarely(g->c, 2)) fuzz_put(g, " and world as %s", FUZZ_WORD(g->c, shapes));
  fuzz_put(g, "%s", FUZZ_WORD(g->c, with));
}

static void put_corner(fuzz_grammar* g)
{
  fuzz_put(g, "constraint C%d: %s(", g->constraints++, fuzz_pick(g->c, 2) ? "min" : "max");
  fuzz_put_value(g, 2, FUZZ_PLACE);
  fuzz_put(g, ", ");
  fuzz_put_value(g, 2, FUZZ_PLACE);
  fuzz_put(g, ") %s ", fuzz_rarely(g->c, 3) ? "<=" : ">=");
  fuzz_put_value(g, 1, FUZZ_CONSTANT);
  if (fuzz_rarely(g->c, 3)) fuzz_put(g, " with restitution 0.5");
}

void fuzz_put_later(fuzz_grammar* g)
{
  static void (*const statements[])(fuzz_grammar*) = {
      put_delay, put_state, put_sample, put_curve,          put_patch, put_among,
      put_use,   put_input, put_corner, put_delayed_output, put_delay, put_corner};
  statements[fuzz_pick(g->c, (int)(sizeof statements / sizeof *statements))](g);
}
