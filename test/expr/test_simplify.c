// Simplification on the expressions of textbook systems.
#include "expr/tools.h"

static void becomes(const char* in, const char* want)
{
  expr_pool* p = expr_pool_new(0);
  expr e = expr_simplify(p, read_expr(p, in));
  CHECK_EXPR(p, e, want);
  CHECK(expr_simplify(p, e) == e);
  expr_pool_free(p);
}

TEST(two_masses_on_a_rod)
{
  becomes("m/2*((xi' + l*theta'*cos(theta))^2 + (eta' + l*theta'*sin(theta))^2)"
          " + m/2*((xi' - l*theta'*cos(theta))^2 + (eta' - l*theta'*sin(theta))^2)",
          "m*(l^2*theta'^2 + eta'^2 + xi'^2)");
}

TEST(double_pendulum_in_absolute_angles)
{
  becomes("m1/2*((l1*a'*cos(a))^2 + (l1*a'*sin(a))^2)"
          " + m2/2*((l1*a'*cos(a) + l2*b'*cos(b))^2 + (l1*a'*sin(a) + l2*b'*sin(b))^2)",
          "l1^2*a'^2*(m1 + m2)/2 + l1*l2*m2*a'*b'*cos(a - b) + l2^2*m2*b'^2/2");
}

TEST(double_pendulum_in_relative_angles)
{
  becomes("m1/2*((l1*a'*cos(a))^2 + (l1*a'*sin(a))^2) + m2/2*("
          "(l1*a'*cos(a) + l2*(a' + b')*(cos(a)*cos(b) - sin(a)*sin(b)))^2"
          " + (l1*a'*sin(a) + l2*(a' + b')*(sin(a)*cos(b) + cos(a)*sin(b)))^2)",
          "l1^2*a'^2*(m1 + m2)/2 + l1*l2*m2*a'*(a' + b')*cos(b) + l2^2*m2*(a' + b')^2/2");
}

// nodes asked for while the moment of gravity about the first joint of a chain of n links in
// relative angles is simplified
static uint64_t asked_for_links(int n)
{
  expr_pool* p = expr_pool_new(0);
  expr sum = expr_int(p, 0), angle = sum;
  for (int i = 0; i < n; i++) {
    const char name[] = {'q', (char)('a' + i), '\0'};
    angle = expr_add(p, angle, expr_symbol(p, name));
    const expr sine = expr_fn1(p, EXPR_SIN, angle);
    sum = expr_add(p, sum, expr_mul(p, expr_int(p, 2 * (n - i) - 1), sine));
  }
  const uint64_t before = expr_pool_work(p);
  CHECK(expr_simplify(p, sum) == sum);
  const uint64_t asked = expr_pool_work(p) - before;
  expr_pool_free(p);
  return asked;
}

// split into their parts they would have 2^n terms
TEST(angles_along_a_chain_stay_whole)
{
  const uint64_t few = asked_for_links(4), many = asked_for_links(8);
  CHECK(many <= 4 * few);
}

// but are split where that makes them fewer
TEST(angles_that_differ_in_signs_are_put_together)
{
  becomes("cos(a + b + c) + cos(a + b - c)", "2*cos(c)*cos(a + b)");
  becomes("m*sin(a + b) - m*cos(a)*sin(b)", "m*sin(a)*cos(b)");
  becomes("m*(sin(a + b) - cos(a)*sin(b))/(k + cos(a)*cos(b) - cos(a + b))",
          "m*sin(a)*cos(b)/(k + sin(a)*sin(b))");
}

TEST(pendulum_on_a_cart)
{
  becomes("M*x'^2/2 + m/2*((x' + l*q'*cos(q))^2 + l^2*q'^2*sin(q)^2)",
          "l^2*m*q'^2/2 + l*m*q'*x'*cos(q) + x'^2*(M + m)/2");
}

TEST(spherical_pendulum)
{
  becomes("m*l^2/2*((cos(q)*cos(f)*q' - sin(q)*sin(f)*f')^2"
          " + (cos(q)*sin(f)*q' + sin(q)*cos(f)*f')^2 + (sin(q)*q')^2)",
          "l^2*m*(f'^2*sin(q)^2 + q'^2)/2");
}

TEST(symmetric_top_in_euler_angles)
{
  becomes("A/2*(psi'*sin(theta)*sin(phi) + theta'*cos(phi))^2"
          " + A/2*(psi'*sin(theta)*cos(phi) - theta'*sin(phi))^2 + C/2*(psi'*cos(theta) + phi')^2",
          "(A*(psi'^2*sin(theta)^2 + theta'^2) + C*(phi' + psi'*cos(theta))^2)/2");
}

TEST(squares_of_sine_and_cosine)
{
  becomes("(sin(x)^2 + cos(x)^2)^3", "1");
  becomes("1 - sin(x)^2", "cos(x)^2");
  becomes("sin(x)^4 + 2*sin(x)^2*cos(x)^2 + cos(x)^4", "1");
  becomes("x^2*sin(t)^2 + x^2*cos(t)^2 + y^2*sin(t)^2 + z^2*cos(t)^2",
          "x^2 + y^2*sin(t)^2 + z^2*cos(t)^2");
  becomes("1/cos(x)^2 - tan(x)^2", "1");
  becomes("tan(x)*cos(x)", "sin(x)");
  becomes("cosh(x)^2 - sinh(x)^2", "1");
  becomes("sqrt(sin(x)^2 + cos(x)^2 + 3)", "2");
}

TEST(sums_of_angles)
{
  becomes("sin(a)*cos(b) + cos(a)*sin(b)", "sin(a + b)");
  becomes("cos(a)*cos(b) + sin(a)*sin(b)", "cos(a - b)");
  becomes("cos(a - b)*cos(b) - sin(a - b)*sin(b)", "cos(a)");
  becomes("sin(2*x) - 2*sin(x)*cos(x)", "0");
  becomes("xi'*cos(theta) + eta'*sin(theta)", "eta'*sin(theta) + xi'*cos(theta)");
}

TEST(quotients_cancel)
{
  becomes("(a^2 - b^2)/(a - b)", "a + b");
  becomes("a/(a + b) + b/(a + b)", "1");
  becomes("1 - a/(a + b)", "b/(a + b)");
  becomes("1/(x - y) + 1/(y - x)", "0");
  becomes("(x^2 + 2*x*y + y^2)/(x + y)^3", "1/(x + y)");
  becomes("1/(1/x + 1/y)", "x*y/(x + y)");
  becomes("(m*g*sin(q) - m*l*q'^2)/(m*l)", "g*sin(q)/l - q'^2");
}

TEST(common_factors_come_out)
{
  becomes("m*l1^2 + 2*m*l1*l2 + m*l2^2", "m*(l1 + l2)^2");
  becomes("a*x + b*x + c*x + a*y + b*y + c*y", "(a + b + c)*(x + y)");
  becomes("J*q'' + (m*x*cos(t)^2 + m*x*sin(t)^2)*q'' - L5", "q''*(J + m*x) - L5");
  becomes("x*(x + 1) - x^2", "x");
  becomes("g*l*m*(1 - cos(q))", "g*l*m*(1 - cos(q))");
}

TEST(roots_and_absolute_values_keep_their_sign)
{
  becomes("sqrt(x^2 + 2*x*y + y^2)", "abs(x + y)");
  becomes("abs(x)^2 - x^2", "0");
  becomes("sqrt(a + b)^4 - a^2", "b*(2*a + b)");
}

TEST(what_is_too_long_is_left_alone)
{
  becomes("sin(cos((pi + y + z - 4/3)^9*(u'^2 + u' - 1)^9))",
          "sin(cos((u'^2 + u' - 1)^9*(pi + y + z - 4/3)^9))");
  becomes("(a + b + c + d + e)^12*(f + g + h)^9", "(a + b + c + d + e)^12*(f + g + h)^9");
}

TEST(sums_that_terms_share_come_out_closed)
{
  becomes("B*(p*s + q*c)*(p*c - q*s)*w - A*(p*s + q*c)*(p*c - q*s)*w",
          "w*(B - A)*(c*p - q*s)*(c*q + p*s)");
  becomes("k*x^2*sqrt(x^2 + y^2) + k*y^2*sqrt(x^2 + y^2)", "k*(x^2 + y^2)^(3/2)");
}

// the four parts of a unit quaternion, where that is told and wanted
TEST(squares_of_a_unit_quaternion_add_up_to_one)
{
  expr_pool* p = expr_pool_new(0);
  const expr four[4] = {read_expr(p, "w"), read_expr(p, "x"), read_expr(p, "y"), read_expr(p, "z")};
  const expr norm = read_expr(p, "A*(w^2 + x^2 + y^2 + z^2) + B*w^2");
  const expr below = read_expr(p, "u/(2*(w^2 + x^2 + y^2 + z^2))");
  expr_unit_set(p, four);
  CHECK_EXPR(p, expr_simplify(p, below), "u/(2*(w^2 + x^2 + y^2 + z^2))");
  CHECK(!expr_units_hold(p, true));
  CHECK_EXPR(p, expr_simplify(p, norm), "A + B*w^2");
  CHECK_EXPR(p, expr_simplify(p, below), "u/2");
  CHECK_EXPR(p, expr_simplify(p, read_expr(p, "w^2 + x^2 - y^2 - z^2")), "1 - 2*y^2 - 2*z^2");
  CHECK(expr_units_hold(p, false));
  CHECK_EXPR(p, expr_simplify(p, below), "u/(2*(w^2 + x^2 + y^2 + z^2))");
  expr_pool_free(p);
}

TEST(sums_of_squares_stay_closed_under_roots)
{
  becomes("sqrt((x' - 0.1)^2 + 1e-18)", "sqrt((x' - 0.1)^2 + 1e-18)");
  // those of angles add up
  becomes("sqrt((cos(a) + cos(b))^2 + (sin(a) + sin(b))^2)", "sqrt(2*(cos(a - b) + 1))");
}

// Lengths made smooth by a small number, as users write friction: where all that is squared
// vanishes, they are that number, in whatever they stand.
TEST(lengths_do_not_cancel_where_they_are_least)
{
  random_stream r = {7};
  for (int turn = 0; turn < 200; turn++) {
    expr_pool* p = expr_pool_new(0);
    const expr x = expr_symbol(p, "x"), y = expr_symbol(p, "y"),
               small = expr_ratio(p, 1, 100000000);
    const int a = 1 + (int)random_below(&r, 9), b = 1 + (int)random_below(&r, 99),
              c = 1 + (int)random_below(&r, 99);
    const expr u = expr_sub(p, expr_mul(p, expr_int(p, a), x), expr_ratio(p, b, 10)),
               w = expr_add(p, y, expr_ratio(p, c, 10));
    expr sum = expr_mul(p, small, small);
    sum = expr_add(p, sum, expr_mul(p, u, u));
    if (turn % 2) sum = expr_add(p, sum, expr_mul(p, w, w));
    const expr length = expr_pow(p, sum, expr_ratio(p, 1, 2));
    const expr in[] = {length, expr_div(p, expr_add(p, u, small), length),
                       expr_mul(p, expr_sub(p, length, y), length)};
    const double want[] = {1e-8, 1, 1e-8 * (1e-8 + c / 10.0)};
    const double at[] = {b / 10.0 / a, -c / 10.0};
    for (int i = 0; i < 3; i++)
      CHECK_NEAR(expr_value(p, expr_simplify(p, in[i]), 2, (expr[]){x, y}, at), want[i],
                 1e-6 * want[i]);
    expr_pool_free(p);
  }
}
