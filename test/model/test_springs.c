// Springs, pulls and functions against what they stand for.

#include <string.h>

#include "check.h"
#include "given.h"

static const char things[] = "param k = 3 [N/m], L = 0.4 [m], c = 0.2 [kg/s], F = 1.5 [N]\ncoord "
                             "x, y, z [m]\ncoord p [rad]\n"
                             "frame A = world at (x, y, 0) rotated z(p)\n"
                             "particle P mass 2 = (0.3, 0, z) in A\npoint O = (0.1*sin(t), 1, 0)\n";

static given with(const char* more)
{
  return given_both(things, more);
}

static void are_the_same(const char* one, const char* other)
{
  given_are_alike(things, one, other);
}

TEST(a_spring_is_its_energy_and_its_damper)
{
  are_the_same("spring s: from O to P stiffness k length L damping c preload F\n",
               "let r = pos(P) - pos(O)\nlet l = norm(r)\n"
               "potential k/2*(l - L)^2 + F*l\nforce -c*l'/l*r at P\n");
}

TEST(a_spring_without_a_length_has_no_root)
{
  given g = with("spring s: from (0, 0, 0) to P stiffness k\n");
  CHECK_TEXT(given_errors(&g), "");
  CHECK(!strstr(given_print(&g, g.m->V), "sqrt"));
  given_free(&g);
}

TEST(a_pull_is_a_force_at_each_end)
{
  are_the_same("point R = (0, 0.2, 0) in A\npull d: from P to R = F*(1 + d.length/L) + c*d.rate\n",
               "point R = (0, 0.2, 0) in A\nlet r = pos(R) - pos(P)\nlet l = norm(r)\n"
               "let f = F*(1 + l/L) + c*l'\nforce f/l*r at P\nforce -f/l*r at R\n");
}

TEST(functions_take_numbers_vectors_and_points)
{
  are_the_same("function away(a, b) = norm(pos(a) - pos(b))\nfunction twice(v) = 2*v\n"
               "function energy_of(l) = k/2*l^2\npotential energy_of(away(P, O))\n"
               "force twice((F, c*x', 0)) at P\n",
               "potential k/2*norm(pos(P) - pos(O))^2\nforce (2*F, 2*c*x', 0) at P\n");
}

// an argument hides the name of the model, and only inside
TEST(an_argument_hides_a_name)
{
  are_the_same("function f(x, y) = x - 3*y\nforce x = f(y, x)\n", "force x = y - 3*x\n");
}

static void is_refused(const char* text, const char* reason)
{
  given_is_refused(things, text, reason);
}

TEST(wrong_springs_pulls_and_functions_are_refused)
{
  is_refused("spring s: from O to O stiffness k\n", "`s` begins and ends at one place");
  is_refused("spring s: from O to 3 stiffness k\n",
             "expected a point, frame or body, this is a number");
  is_refused("spring s: from O to P stiffness k*sin(p)\n",
             "a stiffness cannot depend on coordinates");
  is_refused("spring s: from O to P stiffness F\n", "a stiffness is in [kg/s^2], this is in [N]");
  is_refused("spring s: from O to P stiffness k length x'\n",
             "a natural length cannot depend on velocities");
  is_refused("spring s: from O to P stiffness k damping x''\n",
             "a damping cannot depend on accelerations");
  is_refused("spring s: from O to P\n", "`stiffness` is missing");
  is_refused("spring s: from O to P stiffness k\nforce x = s\n",
             "`s` is a spring or pull, not a quantity");
  is_refused("pull s: from O to P = s.force\n",
             "a definition in a circle: `s.force` needs `s.force`");
  is_refused("pull s: from O to P = x''\n", "a pull cannot depend on accelerations");
  is_refused("bushing s: A on A stiffness k\n", "a bushing joins two bodies, `A` is named twice");
  is_refused("bushing s: A on world stiffness (k, k)\n",
             "the stiffness of a bushing is written (x, y, z), or as one number");
  is_refused("bushing s: A on world stiffness (k, k, x)\n",
             "the stiffness cannot depend on coordinates");
  is_refused("bushing s: A on world turning 3*x'\n", "the stiffness cannot depend on velocities");
  is_refused("bushing s: A on nobody stiffness k\n", "unknown frame `nobody`");
  is_refused("bushing s: A on world\n",
             "expected `stiffness`, `turning` or `damping` before the end of the line");
  is_refused("function f(a, a) = a\n", "two arguments are called `a`");
  is_refused("function f(a) = g(a)\nfunction g(a) = f(a)\n",
             "a definition in a circle: `f` needs `g` needs `f`");
  is_refused("function f(a) = a\nforce x = f(1, 2)\n", "`f` takes 1 argument, not 2");
  is_refused("function f(a) = a\nforce x = f\n",
             "`f` is a function: write its arguments in brackets");
  is_refused("function sin(a) = a\n", "`sin` is a word of the language and cannot be declared");
}

TEST(a_function_of_the_language_stays_what_it_is)
{
  is_refused("function pos(a) = a\n", "`pos` is a function of the language");
}

// each doubles the last
TEST(functions_of_functions_end)
{
  base_text text = {0};
  base_text_add(&text, "function f0(a) = a\n");
  for (int i = 1; i < 40; i++)
    base_text_printf(&text, "function f%d(a) = f%d(a) + f%d(2*a)\n", i, i - 1, i - 1);
  base_text_add(&text, "force x = f39(x)\n");
  given g = with(text.at);
  CHECK(strstr(given_errors(&g), "too many calls of functions") != NULL);
  given_free(&g);
  base_text_free(&text);
}

TEST(a_bushing_is_its_energy_and_its_damper)
{
#define HELD                                                   \
  "coord a, b\nframe B = A at (0.1, z, 0) rotated x(a) y(b)\n" \
  "particle R mass 1 = (0, 0, 1) in B\n"
  are_the_same(HELD
               "bushing s: B at (0, 0, 0.2) on A at (0.1, 0, 0) stiffness (k, 2*k, 0) damping c\n",
               HELD "let d = (0.2*sin(b), z - 0.2*sin(a)*cos(b), 0.2*cos(a)*cos(b))\nlet u = d'\n"
                    "potential k/2*d.x^2 + k*d.y^2\nforce z = -c*u.y\n"
                    "force a = 0.2*c*(u.y*cos(a)*cos(b) + u.z*sin(a)*cos(b))\n"
                    "force b = -0.2*c*(u.x*cos(b) + u.y*sin(a)*sin(b) - u.z*cos(a)*sin(b))\n");
}

// a turn by a about x: 4 sin(a/2)^2
TEST(a_bushing_holds_turns_without_a_root)
{
  are_the_same("coord a\nframe B = A rotated x(a)\nparticle R mass 1 = (0, 0, 1) in B\n"
               "bushing s: B on A turning (5, 6, 7) turning damping (1, 2, 3)\n",
               "coord a\nframe B = A rotated x(a)\nparticle R mass 1 = (0, 0, 1) in B\n"
               "potential 10*sin(a/2)^2\nforce a = -a'\n");
}
