// Units: the table of scales, and models whose units must not be held against them.

#include <stdio.h>

#include "check.h"
#include "given.h"

static double in_si(const char* unit)
{
  base_text text = {0};
  base_text_printf(&text, "coord x\nkinetic x'^2\nparam a = 1 [%s]\n", unit);
  given g = given_text(text.at);
  CHECK_TEXT(given_errors(&g), "");
  double value = g.m ? g.m->param[0].number : NAN;
  base_text_free(&text);
  given_free(&g);
  return value;
}

TEST(units_are_turned_into_si)
{
  static const struct
  {
    const char* unit;
    double value;
  } table[] = {{"m", 1},
               {"kg", 1},
               {"g", 1e-3},
               {"mg", 1e-6},
               {"s", 1},
               {"ms", 1e-3},
               {"us", 1e-6},
               {"min", 60},
               {"h", 3600},
               {"km", 1000},
               {"cm", 0.01},
               {"mm", 0.001},
               {"km/h", 1 / 3.6},
               {"km^2", 1e6},
               {"cm^3", 1e-6},
               {"L", 1e-3},
               {"N", 1},
               {"kN", 1000},
               {"mN*m", 1e-3},
               {"J", 1},
               {"MJ", 1e6},
               {"kW", 1000},
               {"hPa", 100},
               {"bar", 1e5},
               {"mbar", 100},
               {"GHz", 1e9},
               {"deg", 0.017453292519943295},
               {"rpm", 0.10471975511965977},
               {"rad/s", 1},
               {"deg/s", 0.017453292519943295},
               {"1/s", 1},
               {"1/ms", 1000},
               {"kg*m^2/s^2", 1},
               {"g/(cm*s)", 0.1},
               {"m^(1/2)", 1},
               {"km^(-1)", 1e-3},
               {"km^-2", 1e-6},
               {"N*s/m", 1},
               {"kohm", 1000},
               {"mT", 1e-3},
               {"uF", 1e-6},
               {"das", 10},
               {"dm", 0.1},
               {"cd", 1},
               {"mol", 1},
               {"kV/mA", 1e6},
               {"km/s\u00B2", 1000},
               {"g\u00B7cm\u00B2", 1e-7},
               {"mm\u00B3\u00D7s", 1e-9},
               {"1", 1}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    double got = in_si(table[i].unit);
    if (!(fabs(got - table[i].value) <= 4e-16 * table[i].value))
      check_fail(__FILE__, __LINE__, "1 [%s] is %.17g, want %.17g", table[i].unit, got,
                 table[i].value);
  }
}

TEST(angles_in_degrees_are_exact)
{
  given g = given_text("param a = 30 [deg], w = 3000 [rpm]\ncoord x\nkinetic x'^2\n");
  expr_pool* p = g.m->pool;
  CHECK(g.m->param[0].value == expr_mul(p, expr_ratio(p, 1, 6), expr_pi(p)));
  CHECK(g.m->param[1].value == expr_mul(p, expr_int(p, 100), expr_pi(p)));
  given_free(&g);
}

TEST(a_quantity_with_a_unit_is_not_scaled_again)
{
  given g = given_text("param l = 5 [km], d = 2*l [km], e = 3*l\ncoord x [m]\n"
                       "particle P mass 1 = (x, 0, 0) in world\n"
                       "stage { set l = 7; until t >= 1 }\nstage { set l = 2*l }\n");
  CHECK_TEXT(given_errors(&g), "");
  CHECK_NEAR(g.m->param[0].number, 5000, 0);
  CHECK_NEAR(g.m->param[1].number, 10000, 0);
  CHECK_NEAR(g.m->param[2].number, 15000, 0);
  // a stage sets values in SI, and a bare number there is pointed out
  CHECK(g.m->stage[0].change.set[0].value == expr_int(g.m->pool, 7));
  CHECK_INT(base_notes_count(g.notes), 1);
  CHECK_INT(base_notes_level(g.notes, 0), BASE_WARNING);
  expr twice = expr_mul(g.m->pool, expr_int(g.m->pool, 2), g.m->param[0].symbol);
  CHECK(g.m->stage[1].change.set[0].value == twice);
  given_free(&g);
}

// numbers that stand for quantities must not cause errors
TEST(models_with_some_units_are_accepted)
{
  static const char* const models[] = {
      "coord x [m]\nkinetic x'^2/2\npotential 2*x^2\nforce x = -3*x'\n",
      "coord x [m]\nkinetic x'^2\nforce x = -x\n",
      "coord x, y [m]\nkinetic x'^2 + y'^2\nconstraint c: x'' + 2*x' + 3*x = 0\n",
      "param m = 1 [kg]\ncoord y [m]\nkinetic m*y'^2/2\npotential m*9.81*y\n",
      "param m = 1 [kg]\ncoord y [m]\nkinetic m*y'^2/2\npotential m*10*y\n",
      "param m = 1 [kg], l = 1\ncoord q [rad]\nkinetic m*l^2*q'^2/2\npotential -m*9.81*l*cos(q)\n",
      "param m = 1 [kg]\ncoord q [rad]\nparticle P mass m = (sin(q), -cos(q), 0) in world\n",
      "coord x [m]\nkinetic x'^2\nforce x = sin(t)\nlet a = exp(-t) + cos(3*t)\noutput b = a + x\n",
      "coord x [m]\nkinetic x'^2\nframe F = world at (cos(t), t^2/2, x) rotated z(t) x(2*t)\n",
      "coord x [m], q [rad]\nkinetic (x'^2)/2 + 2*q'^2\nconstraint c: x - 2*q = 0\n",
      "coord x, y [m]\nkinetic x'^2 + y'^2\nconstraint c: y - sin(2*x) = 0\n",
      "coord x [m]\nparam k = 2\nkinetic x'^2\npotential k*x^2 + k*x\n",
      "param k = 2 [N/m], m = 1 [kg]\ncoord x [m]\nkinetic m/2*x'^2\npotential k/2*x^2 + 3\n"
      "run 0 .. 2*pi*sqrt(m/k)\n",
      "param J = 1 [kg*m^2], M = 2 [N*m]\ncoord q [rad]\nkinetic J/2*q'^2\nforce q = M - 0.1*q'\n",
      "param R = 1 [m], m = 1 [kg]\ncoord x [m], q [rad]\nkinetic m/2*x'^2 + m*R^2/4*q'^2\n"
      "constraint c: x' - R*q' = 0\n",
      "coord x [m]\nparam v = 3 [km/h], m = 1 [kg]\nkinetic m*x'^2\ninitial x' = v\n",
      "coord x [m]\nparam A = 2 [m], w = 3 [1/s]\nkinetic x'^2\nconstraint c: x - A*sin(w*t) = 0\n",
  };
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    given g = given_text(models[i]);
    if (!CHECK_TEXT(given_errors(&g), "")) printf("#     in: %s\n", models[i]);
    given_free(&g);
  }
}

TEST(numbers_may_have_units)
{
  given g = given_text("param l = 1 [m]\ncoord x [m]\ncoord a [rad]\nparam J = 1 [kg*m^2], m = 1 "
                       "[kg]\nkinetic m*x'^2 + J*a'^2\n"
                       "force x = 2 [kN]*sin(a) + 3 [N/cm]*x\nforce a = 90 [deg]*2 [N*m]\n");
  CHECK_TEXT(given_errors(&g), "");
  CHECK_TEXT(given_print(&g, g.m->Q[0]), "300*x + 2000*sin(a)");
  CHECK_TEXT(given_print(&g, g.m->Q[1]), "pi");
  given_free(&g);
  g = given_text("coord x [m]\nkinetic x'^2\nforce x = 2 [kg] + 3 [N]\ninitial x = 3 [s]\n");
  CHECK_TEXT(given_errors(&g), "cannot add [kg] and [N]\ncannot equate [m] and [s]");
  given_free(&g);
  const model_override cm = {"l", "5 [cm]"}, kg = {"l", "5 [kg]"};
  g = given_set("param l = 1 [m]\ncoord x [m]\nkinetic x'^2\noutput o = l*x\n", 1, &cm);
  CHECK_NEAR(g.m->param[0].number, 0.05, 1e-16);
  given_free(&g);
  g = given_set("param l = 1 [m]\ncoord x [m]\nkinetic x'^2\noutput o = l*x\n", 1, &kg);
  CHECK_TEXT(given_errors(&g), "this param is in [m], this is in [kg]");
  given_free(&g);
}
