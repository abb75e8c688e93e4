// Every error of a model has its own words; one mistake gives one error.

#include <stdio.h>

#include "check.h"
#include "given.h"

typedef struct mistake
{
  const char* text; // added to a model that is right
  const char* errors;
} mistake;

static const char right[] = "param m = 1 [kg], l = 2 [m], free = 3\n"
                            "coord x, y [m]\ncoord q [rad]\n"
                            "frame F = world at (x, y, 0) rotated z(q)\n"
                            "point P = (l, 0, 0) in F\n"
                            "particle M mass m = (0, l, 0) in F\n"
                            "constraint path: x - l = 0\n";

static void all_wrong(const mistake* list, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    base_text text = {0};
    base_text_printf(&text, "%s%s\n", right, list[i].text);
    given g = given_text(text.at);
    if (!CHECK_TEXT(given_errors(&g), list[i].errors)) printf("#     in: %s\n", list[i].text);
    CHECK(!g.m);
    base_text_free(&text);
    given_free(&g);
  }
}
#define ALL_WRONG(LIST) all_wrong(LIST, sizeof LIST / sizeof *LIST)

TEST(the_model_the_mistakes_are_added_to_is_right)
{
  given g = given_text(right);
  CHECK_TEXT(given_errors(&g), "");
  CHECK(g.m);
  given_free(&g);
}

TEST(names_that_are_wrong)
{
  static const mistake list[] = {
      {"let a = xx + 1", "unknown name `xx`"},
      {"let a = sinn(x)", "unknown function `sinn`"},
      {"let a = x(2)", "`x` is a coordinate, not a function"},
      {"let a = sin + 1", "`sin` is a function"},
      {"let a = path + 1", "`path` is a constraint, not a quantity"},
      {"let x = 1", "`x` is declared twice"},
      {"param t = 1", "`t` is a word of the language and cannot be declared"},
      {"coord pi", "`pi` is a word of the language and cannot be declared"},
      {"frame world = F", "`world` is a word of the language and cannot be declared"},
      {"let sin = 2", "`sin` is a word of the language and cannot be declared"},
      {"frame G = H at (0, 0, 0)", "unknown frame `H`"},
      {"frame G = P at (0, 0, 0)", "`P` is a point, not a frame"},
      {"point R = (0, 0, 0) in x", "`x` is a coordinate, not a frame"},
      {"force z = 1", "unknown coordinate `z`"},
      {"force l = 1", "a force acts on a coordinate, `l` is a param"},
      {"torque (0, 0, 1) in F on P", "`P` is a point, not a frame"},
      {"let a = reaction(pat)", "there is no constraint `pat`"},
      {"constraint path: y = 0", "the constraint `path` is declared twice"},
      {"output a = x\noutput a = y", "the output `a` is declared twice"},
      {"output a = x\nlet b = a",
       "the output `a` can be used only in outputs, plots, events and after `until`"},
  };
  ALL_WRONG(list);
}

TEST(values_of_the_wrong_kind)
{
  static const mistake list[] = {
      {"let a = pos(P) + 1", "cannot add a vector and a number"},
      {"let a = pos(P)*pos(P)", "a product of two vectors is not defined"},
      {"let a = 1/pos(P)", "cannot divide by a vector"},
      {"let a = pos(P)^2", "a power needs numbers, not a vector"},
      {"let a = P + 1", "`P` is a point, not a number or vector"},
      {"let a = P", "a let is a number or a vector, `P` is a point"},
      {"let a = P'", "a point has no derivative"},
      {"let a = x.x", "a number has no part .x"},
      {"let a = P.x", "a point has no part .x"},
      {"let a = pos(P).w", "a vector has the parts .x, .y and .z, not .w"},
      {"let a = (x, y)", "a vector has three parts, this has 2"},
      {"let a = (x, y, pos(P))", "a part of a vector is a number, this is a vector"},
      {"let a = sin(pos(P))", "the argument of a function is a number, this is a vector"},
      {"let a = dot(x, y)", "the argument is a vector (x, y, z), this is a number\n"
                            "the argument is a vector (x, y, z), this is a number"},
      {"let a = sin(q, q)", "`sin` does not take 2 arguments"},
      {"let a = min(x)", "`min` does not take 1 argument"},
      {"let a = energy(x)", "`energy` does not take 1 argument"},
      {"let a = pos(x)", "expected the name of a point, frame or body, this is a number"},
      {"let a = vel(P, P)", "`P` is a point, not a frame"},
      {"let a = omega(P)", "`P` is a point: it does not turn"},
      {"let a = if(x, 1, 2)", "expected a comparison such as x > 1"},
      {"let a = if(x > 0, 1, pos(P))", "one side is a number, the other a vector"},
      {"let a = (x > 0)", "a comparison stands only in if(...) and after `until`"},
      {"let a = 1/(x - x)", "division by zero"},
      {"let a = x'''", "this holds a third time derivative; the second is the highest"},
      {"let a = sin(x'')\nlet b = a'", "`sin` takes a pure number, this is in [m/s^2]"},
      {"let a = sin(q'')\nlet b = a'", "`sin` takes a pure number, this is in [1/s^2]"},
      {"let a = q''*q\nlet b = a'",
       "this holds a third time derivative; the second is the highest"},
      {"constraint c: pos(P) = 0", "one side is a vector, the other a number"},
      {"constraint c: P = 0", "`P` is a point; an equation is between numbers or vectors"},
      {"point R = 3 in F", "a place is a vector (x, y, z), this is a number"},
      {"frame G = F at (0, 0, 0) rotated z(pos(P))", "an angle is a number, this is a vector"},
      {"force (1, 0, 0) at x", "a force acts at a point, frame or body, this is a number"},
      {"output a = P", "an output is a number or a vector, this is a point"},
      {"plot pos(P) : t", "what is drawn is a number, this is a vector"},
      {"let a = smoothstep(1, 1, x)", "the two bounds of smoothstep are equal"},
  };
  ALL_WRONG(list);
}

TEST(statements_that_depend_on_what_they_must_not)
{
  static const mistake list[] = {
      {"param a = x", "a param cannot depend on coordinates"},
      {"param a = 2*t", "a param cannot depend on time"},
      {"frame G = F at (x', 0, 0)", "a place cannot depend on velocities"},
      {"frame G = F at (0, 0, 0) rotated z(free*q')", "an angle cannot depend on velocities"},
      {"particle N mass 1 = (x'', 0, 0) in F", "a place cannot depend on accelerations"},
      {"kinetic m*x''^2", "a kinetic energy is in [J], this is in [kg*m^2/s^4]"},
      {"kinetic free*x''^2", "a kinetic energy cannot depend on accelerations"},
      {"potential free*x'", "a potential cannot depend on velocities"},
      {"gravity (0, x, 0)", "gravity cannot depend on coordinates"},
      {"force x = free*x''", "a force cannot depend on accelerations"},
      {"resist path = free*x'' along x", "a force cannot depend on accelerations"},
      {"constraint c: y - reaction(path) = 0", "a constraint cannot depend on reactions"},
      {"initial x = reaction(path)", "an initial equation cannot depend on reactions"},
      {"initial x'' = 1", "an initial equation cannot depend on accelerations"},
      {"quasi v = reaction(path)*x'", "a quasi-velocity cannot depend on reactions"},
      {"quasi v = x", "the quasi-velocity `v` holds no velocity"},
      {"constraint c: l = 2", "the constraint `c` holds no coordinate"},
      {"constraint c: x - x = 0", "the constraint `c` holds no coordinate"},
      {"initial l = 2", "this initial equation holds no coordinate and no velocity"},
      {"run 0 .. x", "a time of the run cannot depend on coordinates"},
      {"kinetic free*x'^2\nlet p = momentum()",
       "`momentum` knows only declared masses, and this model has `kinetic` statements"},
      {"particle N mass -1 = (x, 0, 0) in F", "a mass cannot be negative, this is -1"},
      {"body B mass 1 inertia (1, 1) at (0, 0, 0) in F",
       "inertia is written (Ixx, Iyy, Izz) or (Ixx, Iyy, Izz, Ixy, Ixz, Iyz)"},
      {"disc D mass 1 radius 1 normal (0, 0, 0) at (0, 0, 0) in F", "a normal cannot be zero"},
      {"disc D mass 1 radius 1 at (0, 0, 0) in F", "`normal` is missing"},
      {"rod R mass 1 from (0, 0, 0) to (x, y, 0) in F\nlet w = omega(R)",
       "`R` turns in its frame by a law of its own; its angular velocity is not known"},
      {"rod R mass 1 from (0, 0, 0) to (x, y, 0) in F\npoint A = (0, 0, 0) in R",
       "`R` turns in its frame by a law of its own, so its axes are not known"},
  };
  ALL_WRONG(list);
}

TEST(circles_of_definitions_name_their_members)
{
  static const mistake list[] = {
      {"let a = b\nlet b = a", "a definition in a circle: `a` needs `b` needs `a`"},
      {"param a = a + 1", "a definition in a circle: `a` needs `a`"},
      {"param a = b, b = c, c = a", "a definition in a circle: `a` needs `b` needs `c` needs `a`"},
      {"frame A = B\nframe B = A", "a definition in a circle: `A` needs `B` needs `A`"},
      {"let p = q1'\nlet q1 = p", "a definition in a circle: `p` needs `q1` needs `p`"},
      {"let e = energy()\npotential e",
       "a definition in a circle: `e` needs `potential()` needs `e`"},
      {"output a = b\noutput b = a", "a definition in a circle: `a` needs `b` needs `a`"},
      // what only uses the circle is not reported again
      {"let a = b\nlet b = a\nlet c = a + 1\noutput o = c",
       "a definition in a circle: `a` needs `b` needs `a`"},
  };
  ALL_WRONG(list);
}

TEST(units_that_do_not_fit)
{
  static const mistake list[] = {
      {"let a = x + t", "cannot add [m] and [s]"},
      {"let a = m - l", "cannot subtract [kg] and [m]"},
      {"let a = 2*l + m", "cannot add [m] and [kg]"},
      {"let a = sin(l)", "`sin` takes a pure number, this is in [m]"},
      {"let a = exp(x)", "`exp` takes a pure number, this is in [m]"},
      {"let a = 2^l", "an exponent is a pure number, this is in [m]"},
      {"let a = if(x > q, 1, 2)", "cannot compare [m] and [1]"},
      {"let a = min(x, q)", "cannot compare [m] and [1]"},
      {"let a = atan2(l, m)", "cannot compare [m] and [kg]"},
      {"constraint c: y = m", "cannot equate [m] and [kg]"},
      {"constraint c: x' - l = 0", "cannot subtract [m/s] and [m]"},
      {"initial y = m", "cannot equate [m] and [kg]"},
      {"initial q' = l", "cannot equate [1/s] and [m]"},
      {"force x = m*x", "this generalised force is in [N], this is in [kg*m]"},
      {"force q = m*x", "this generalised force is in [J], this is in [kg*m]"},
      {"kinetic m*x'/2", "a kinetic energy is in [J], this is in [kg*m/s]"},
      {"potential m*x", "a potential is in [J], this is in [kg*m]"},
      {"particle N mass l = (0, 0, 0) in F", "a mass is in [kg], this is in [m]"},
      {"point R = (m, 0, 0) in F", "a place is in [m], this is in [kg]"},
      {"gravity (0, 0, -l)", "gravity is in [m/s^2], this is in [m]"},
      {"force (l, 0, 0) at P", "a force is in [N], this is in [m]"},
      {"torque (l, 0, 0) on F", "a torque is in [J], this is in [m]"},
      {"ball B mass m radius m at (0, 0, 0) in F", "a radius is in [m], this is in [kg]"},
      {"body B mass m inertia (l, l, l) at (0, 0, 0) in F",
       "a moment of inertia is in [kg*m^2], this is in [m]\n"
       "a moment of inertia is in [kg*m^2], this is in [m]\n"
       "a moment of inertia is in [kg*m^2], this is in [m]"},
      {"frame G = F at (0, 0, 0) rotated z(l)", "an angle is a pure number, this is in [m]"},
      {"param a = l [kg]", "this param is in [kg], this is in [m]"},
      {"run 0 .. l", "a time is in [s], this is in [m]"},
      {"stage { set l = m }", "this value is in [m], this is in [kg]"},
      {"stage { set l = 1 over m }", "a duration is in [s], this is in [kg]"},
      {"stage { until t >= l }", "cannot compare [s] and [m]"},
      {"event e: x = m report", "cannot equate [m] and [kg]"},
      {"coord z [km]", "coordinates are kept in SI units, [km] is not one of them"},
      {"coord z [deg]", "coordinates are kept in SI units, [deg] is not one of them"},
      {"param a = 1 [kgg]", "unknown unit `kgg`"},
      {"coord u, v [mm/ss]", "unknown unit `ss`"},
      {"param a = 1 [m^]", "the exponent of a unit is a whole number or a ratio, as m^2 or "
                           "m^(1/2)"},
      {"param a = 1 [(m]", "a `)` is missing in this unit"},
      {"param a = 1 [kg m]", "cannot read the unit `kg m` from `m` on"},
      {"param a = 1 [2]", "expected a unit such as kg or m/s^2, found `2`"},
  };
  ALL_WRONG(list);
}

TEST(a_model_must_have_coordinates_and_mass)
{
  given g = given_text("param m = 1\n");
  CHECK_TEXT(given_errors(&g), "the model has no coordinates");
  given_free(&g);
  g = given_text("coord x\npotential x^2\n");
  CHECK_TEXT(given_errors(&g), "nothing has mass: the kinetic energy is zero");
  given_free(&g);
}

TEST(all_errors_of_a_file_are_reported)
{
  given g = given_text("coord x\nkinetic x'^2\nlet a = y1\nlet b = a + 1\nforce zz = 1\n"
                       "constraint c: b = q1\nrun 0 .. -1\n");
  CHECK_TEXT(given_errors(&g), "unknown name `y1`\nunknown name `q1`\nunknown coordinate `zz`\n"
                               "the run ends (-1) before it begins (0)");
  given_free(&g);
}

TEST(a_name_lost_in_a_line_that_cannot_be_read_is_not_reported_again)
{
  given g = given_text("param m = = 1\ncoord x\nkinetic m/2*x'^2\nlet a = nn\n");
  CHECK(strstr(given_notes(&g), "unknown name `nn`"));
  CHECK(!strstr(given_notes(&g), "unknown name `m`"));
  CHECK(!g.m);
  given_free(&g);
}

TEST(an_error_shows_its_place_and_the_likely_name)
{
  given g = given_text("coord theta\nkinetic theta'^2\nlet a = 1 + thta\n");
  CHECK_TEXT(given_notes(&g), "test.zw:3:13: error: unknown name `thta`\n"
                              "    3 | let a = 1 + thta\n"
                              "      |             ^~~~\n"
                              "help: did you mean `theta`?\n");
  given_free(&g);
}
