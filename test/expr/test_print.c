// Texts and LaTeX as a person would write them.
#include "expr/tools.h"

static void text(const char* in, const char* want)
{
  expr_pool* p = expr_pool_new(0);
  expr e = read_expr(p, in);
  CHECK_EXPR(p, e, want);
  CHECK(read_expr(p, want) == e);
  expr_pool_free(p);
}

static void latex(const char* in, const char* want)
{
  expr_pool* p = expr_pool_new(0);
  CHECK_LATEX(p, read_expr(p, in), want);
  expr_pool_free(p);
}

TEST(terms_and_factors_stand_in_a_natural_order)
{
  text("k1*xi' - L5 + m*l^2*theta''", "l^2*m*theta'' + k1*xi' - L5");
  text("1 - cos(theta)", "1 - cos(theta)");
  text("1 + x + x^2", "x^2 + x + 1");
  text("cos(q)*q'*m*(a + b)", "m*q'*(a + b)*cos(q)");
  text("-x - y", "-x - y");
  text("-x^2", "-x^2");
  text("y - x", "y - x");
}

TEST(fractions_and_brackets_are_no_more_than_needed)
{
  text("a/(2*b)", "a/(2*b)");
  text("a/2/b^2", "a/(2*b^2)");
  text("x/2", "x/2");
  text("3*x/4", "3*x/4");
  text("1/x", "1/x");
  text("1/(x*y)", "1/(x*y)");
  text("-1/x", "-1/x");
  text("(a + b)/c", "(a + b)/c");
  text("a/(b + c)", "a/(b + c)");
  text("(a + b)^2/(a - b)", "(a + b)^2/(a - b)");
  text("x^(-1/2)", "1/sqrt(x)");
  text("x^(1/3)", "x^(1/3)");
  text("x^y^z", "x^(y^z)");
  text("2^x", "2^x");
  text("(2/3)^x", "(2/3)^x");
  text("x^(2*n)", "x^(2*n)");
  text("x^(-n)", "x^(-n)");
  text("a*(b + c)*(-2)", "-2*a*(b + c)");
  text("sin(x)^2", "sin(x)^2");
  text("(x/y)^z", "(x/y)^z");
  text("(-2)^x", "(-2)^x");
}

TEST(numbers_are_written_as_a_person_wrote_them)
{
  text("0.6*x", "0.6*x");
  text("9.81", "9.81");
  text("-9.81*m", "-9.81*m");
  text("1/2", "1/2");
  text("1/3", "1/3");
  text("0.75", "3/4");
  text("-2/3", "-2/3");
  text("6.674e-11", "6.674e-11");
  text("2e11", "2e11");
  text("1000000", "1000000");
  text("0.001", "0.001");
  text("x/3 - 0.1", "x/3 - 0.1");
  text("sqrt(2)/2", "sqrt(2)/2");
  text("sqrt(2*g*h)", "sqrt(2*g*h)");
  text("sqrt(6)*x", "sqrt(2*3)*x");
}

TEST(conditions_and_functions_read_back)
{
  text("if(x < 2, x^2, 1/x)", "if(x < 2, x^2, 1/x)");
  text("if(x <= y, 1, 0)", "if(x <= y, 1, 0)");
  text("atan2(y, x) + min(x, y)", "atan2(y, x) + min(x, y)");
  text("pi/2 - x", "pi/2 - x");
}

TEST(latex_is_textbook_like)
{
  latex("m*l^2*theta''", "l^{2} m \\ddot{\\theta}");
  latex("a/(2*b)", "\\frac{a}{2 b}");
  latex("(a + b)/2", "\\frac{a + b}{2}");
  latex("sin(theta)^2", "\\sin^{2} \\theta");
  latex("cos(2*x)", "\\cos(2 x)");
  latex("sqrt(x + 1)", "\\sqrt{x + 1}");
  latex("1/sqrt(x)", "\\frac{1}{\\sqrt{x}}");
  latex("exp(-x)", "e^{-x}");
  latex("abs(x)", "\\left|x\\right|");
  latex("2^x*3", "3 \\cdot 2^{x}");
  latex("k*(x1 - x2)", "k (x_{1} - x_{2})");
  latex("xi'^2", "\\dot{\\xi}^{2}");
  latex("(a + b)^2", "(a + b)^{2}");
  latex("6e-11*x", "6 \\cdot 10^{-11} x");
}

TEST(latex_brackets_are_as_high_as_what_they_hold)
{
  latex("k*(a/b + c)", "k \\left(\\frac{a}{b} + c\\right)");
  latex("k*(a*(b + c) + sin(2*x))", "k \\left(a (b + c) + \\sin(2 x)\\right)");
  latex("abs(a + b)*(c + d)", "(c + d) \\left|a + b\\right|");
}

TEST(latex_of_long_sums_stands_beside_the_fraction)
{
  latex("m*(x^2/y + z)/2", "\\frac{m}{2} \\left(\\frac{x^{2}}{y} + z\\right)");
  latex("(a*b*c + d*e*f + u*v*w + x*y*z + k^2 + l^2)/2",
        "\\frac{1}{2} (a b c + d e f + k^{2} + l^{2} + u v w + x y z)");
  latex("m*(a + b)*sin(x)/2", "\\frac{m (a + b) \\sin x}{2}");
}

static void name(const char* in, const char* want)
{
  base_text t = {0};
  expr_latex_name(&t, in);
  CHECK_TEXT(t.at, want);
  base_text_free(&t);
}

TEST(names_become_letters_indices_and_dots)
{
  name("x", "x");
  name("x'", "\\dot{x}");
  name("theta''", "\\ddot{\\theta}");
  name("k1", "k_{1}");
  name("theta12'", "\\dot{\\theta}_{12}");
  name("Theta", "\\Theta");
  name("left_arm", "\\mathit{left\\_arm}");
  name("m_1", "m_{1}");
  name("F_max", "F_{\\mathrm{max}}");
  name("mass", "\\mathrm{mass}");
  name("Ixx", "I_{xx}");
  name("IBxz", "I_{Bxz}");
  name("kv'", "\\dot{k}_{v}");
  name("ma1", "m_{a1}");
  name("mu", "\\mu");
  name("g_eta_xi", "g_{\\eta \\xi}");
  name("Lambda_rear_x", "\\Lambda_{\\mathrm{rear},x}");
  name("Lambda_C.x", "\\Lambda_{\\mathrm{C.x}}");
  name("gamma_Q.wx_v", "\\gamma_{\\mathrm{Q.wx},v}");
  name("θ", "\\theta");
  name("θ1''", "\\ddot{\\theta}_{1}");
  name("Q.w", "Q_{w}");
  name("x''''", "x^{(4)}");
  name("größe", "\\text{größe}");
  name("ж", "ж");
  name("delay(phi, T)", "\\phi(t - T)");
  name("delay(x1', 0.05)", "\\dot{x}_{1}(t - 0.05)");
  name("delay(θ, tau)'", "\\dot{\\theta}(t - \\tau)");
  name("delay(x + y, T)", "\\mathrm{delay(x + y, T)}");
}

TEST(a_minus_sign_goes_into_a_difference)
{
  expr_pool* p = expr_pool_new(0);
  CHECK_EXPR(p, read_expr(p, "-k*(x1 - x2)"), "k*(x2 - x1)");
  CHECK_EXPR(p, read_expr(p, "y - 2*k*(x1 - x2)*(a + b)"), "2*k*(a + b)*(x2 - x1) + y");
  CHECK_EXPR(p, read_expr(p, "-(a - b)/c"), "(b - a)/c");
  CHECK_EXPR(p, read_expr(p, "-z*(u - w*(a - b)) - x"), "-x - z*(u + w*(b - a))");
  CHECK_EXPR(p, read_expr(p, "-k*(a + b)"), "-k*(a + b)");
  CHECK_LATEX(p, read_expr(p, "-(a - b)/c"), "\\frac{b - a}{c}");
  expr_pool_free(p);
}
