// What expressions mean: exact numbers, functions, vectors, derivatives, choices.

#include "check.h"
#include "given.h"

// the outputs a and b are the same expression, or at least the same function
static void same(const char* a, const char* b)
{
  base_text text = {0};
  base_text_printf(&text,
                   "param k = 3\ncoord x, y, q\nkinetic x'^2 + y'^2 + q'^2\n"
                   "frame F = world at (x, y, 0) rotated z(q)\n"
                   "let v = (x, y, q)\nlet p = x'*sin(q)\nquasi u = x'*q\n"
                   "output a = %s\noutput b = %s\n",
                   a, b);
  given g = given_text(text.at);
  CHECK_TEXT(given_errors(&g), "");
  expr one = g.m ? given_output(&g, "a") : EXPR_NONE, two = g.m ? given_output(&g, "b") : 0;
  if (g.m && one != two && !given_same(&g, one, two))
    check_fail(__FILE__, __LINE__, "%s is %s, not %s", a, given_print(&g, one), b);
  base_text_free(&text);
  given_free(&g);
}

static double number(const char* text)
{
  base_text all = {0};
  base_text_printf(&all, "coord x\nkinetic x'^2\nparam a = %s\n", text);
  given g = given_text(all.at);
  CHECK_TEXT(given_errors(&g), "");
  double value = g.m ? g.m->param[0].number : NAN;
  base_text_free(&all);
  given_free(&g);
  return value;
}

TEST(primes_are_total_time_derivatives)
{
  same("p'", "x''*sin(q) + x'*q'*cos(q)");
  same("u'", "x''*q + x'*q'");
  same("(x^2)'", "2*x*x'");
  same("(x^2)''", "2*x'^2 + 2*x*x''");
  same("v'.y", "y'");
  same("k'", "0");
  same("(t^2)'", "2*t");
}

TEST(vectors_follow_their_rules)
{
  same("dot(v, (1, 2, 3))", "x + 2*y + 3*q");
  same("cross(v, (0, 0, 1)).x", "y");
  same("cross(v, (0, 0, 1)).y", "-x");
  same("norm(v)^2", "x^2 + y^2 + q^2");
  same("(2*v).x + (v*2).y + (v/2).z", "2*x + 2*y + q/2");
  same("(-v + v - (v - (1, 1, 1))).z", "1 - q");
  same("(k*v*k/k).x", "k*x");
  same("if(x > y, v, 2*v).x", "if(x > y, x, 2*x)");
}

TEST(choices_meet_their_bounds)
{
  CHECK_NEAR(number("step(0)"), 1, 0);
  CHECK_NEAR(number("step(-1)"), 0, 0);
  CHECK_NEAR(number("smoothstep(1, 3, 0)"), 0, 0);
  CHECK_NEAR(number("smoothstep(1, 3, 1)"), 0, 0);
  CHECK_NEAR(number("smoothstep(1, 3, 2)"), 0.5, 0);
  CHECK_NEAR(number("smoothstep(1, 3, 1.5)"), 0.15625, 0);
  CHECK_NEAR(number("smoothstep(3, 1, 1.5)"), 0.84375, 0);
  CHECK_NEAR(number("smoothstep(3, 1, 4)"), 0, 0);
  CHECK_NEAR(number("smoothstep(3, 1, 0)"), 1, 0);
  CHECK_NEAR(number("smoothstep(1, 3, 3)"), 1, 0);
  CHECK_NEAR(number("smoothstep(1, 3, 4)"), 1, 0);
  CHECK_NEAR(number("if(1 < 1, 5, 6)"), 6, 0);
  CHECK_NEAR(number("if(1 <= 1, 5, 6)"), 5, 0);
  CHECK_NEAR(number("if(2 > 1, 5, 6)"), 5, 0);
  CHECK_NEAR(number("if(1 >= 2, 5, 6)"), 6, 0);
}

TEST(functions_of_numbers)
{
  CHECK_NEAR(number("hypot(3, 4)"), 5, 0);
  CHECK_NEAR(number("hypot(2, 3, 6)"), 7, 0);
  CHECK_NEAR(number("min(3, 1, 2)"), 1, 0);
  CHECK_NEAR(number("max(3, 1, 2, 5)"), 5, 0);
  CHECK_NEAR(number("abs(-3)*sign(-2)"), -3, 0);
  CHECK_NEAR(number("atan2(1, -1)"), 2.356194490192345, 1e-15);
  CHECK_NEAR(number("sqrt(2)*exp(1)*log(2)"), 2.6646178985895514, 1e-15);
  CHECK_NEAR(number("asin(0.5) + acos(0.5) + atan(1)"), 2.356194490192345, 1e-15);
  CHECK_NEAR(number("sinh(1) - cosh(1) + tanh(0)"), -0.36787944117144233, 1e-15);
  CHECK_NEAR(number("tan(0.5) + cos(0.5) - sin(0.5)"), 0.9444595131299602, 1e-15);
}

TEST(numbers_are_exact)
{
  given g = given_text("coord x\nkinetic x'^2\nparam a = 1/3, b = 0.1 + 0.2, c = 3*a, d = pi/6\n");
  CHECK_TEXT(given_errors(&g), "");
  CHECK_TEXT(given_print(&g, g.m->param[0].value), "1/3");
  CHECK(g.m->param[1].value == expr_ratio(g.m->pool, 3, 10));
  CHECK(g.m->param[2].value == expr_int(g.m->pool, 1));
  CHECK_TEXT(given_print(&g, g.m->param[3].value), "pi/6");
  given_free(&g);
}

TEST(powers_bind_and_group_as_usual)
{
  CHECK_NEAR(number("-2^2"), -4, 0);
  CHECK_NEAR(number("2^3^2"), 512, 0);
  CHECK_NEAR(number("8/4/2"), 1, 0);
  CHECK_NEAR(number("8 - 4 - 2"), 2, 0);
  CHECK_NEAR(number("2*3/4*2 - 1 + 5*2^2/4"), 7, 0);
}

TEST(constraints_know_their_order)
{
  given g = given_text("coord x, y\nkinetic x'^2 + y'^2\n"
                       "constraint x*y = 1\nconstraint c1: x'*y + x = 0\n"
                       "constraint x'^2 - y'^2 = 0\nconstraint c3: x''*y + x'^2 = 1\n"
                       "constraint (x'^2)' - 2*x'*x'' + x' = 0\n");
  CHECK_TEXT(given_errors(&g), "");
  static const struct
  {
    const char* name;
    int order;
    bool linear;
  } want[] = {{"c2", 0, true}, {"c1", 1, true}, {"c4", 1, false}, {"c3", 2, true}, {"c5", 1, true}};
  CHECK_INT(g.m->constraints, 5);
  for (int i = 0; i < 5; i++) {
    CHECK_TEXT(g.m->constraint[i].name, want[i].name);
    CHECK_INT(g.m->constraint[i].order, want[i].order);
    CHECK_INT(g.m->constraint[i].linear, want[i].linear);
    CHECK_INT(model_constraint_find(g.m, want[i].name), i);
  }
  CHECK_TEXT(expr_name(g.m->pool, g.m->reaction[1]), "reaction(c1)");
  given_free(&g);
}

TEST(a_vector_constraint_gives_one_for_each_part_that_can_fail)
{
  given g = given_text("coord x, y, q\n"
                       "frame F = world at (x, y, 0) rotated z(q)\n"
                       "body B mass 1 inertia (1, 1, 1) at (0, 0, 0) in F\n"
                       "point P = (1, 0, 0) in F\n"
                       "constraint pin: pos(P) = (2, 3, 0)\n"
                       "output r = reaction(pin)\noutput rx = reaction(pin.x)\n"
                       "output rz = reaction(pin).z\n"
                       "stage { release pin }\n");
  CHECK_TEXT(given_errors(&g), "");
  CHECK_INT(g.m->constraints, 2);
  CHECK_TEXT(g.m->constraint[0].name, "pin.x");
  CHECK_TEXT(g.m->constraint[1].name, "pin.y");
  CHECK(given_output(&g, "rx") == g.m->reaction[0]);
  CHECK(given_output(&g, "r.y") == g.m->reaction[1]);
  CHECK(given_output(&g, "rz") == expr_int(g.m->pool, 0));
  CHECK_INT(g.m->stage[0].change.releases, 2);
  given_free(&g);
}

TEST(quasi_velocities_and_pseudo_accelerations)
{
  given g = given_text("coord x [m], q [rad]\nparam m = 1, J = 1\nkinetic m*x'^2 + J*q'^2\n"
                       "quasi v = x'*cos(q)\nquasi w = q'\nquasi a = x''/x'\n");
  CHECK_TEXT(given_errors(&g), "");
  CHECK_INT(g.m->quasis, 3);
  CHECK_INT(g.m->quasi[0].order, 1);
  CHECK_TEXT(g.m->quasi[0].unit, "m/s");
  CHECK_TEXT(g.m->quasi[1].unit, "rad/s");
  CHECK_INT(g.m->quasi[2].order, 2);
  given_free(&g);
}
