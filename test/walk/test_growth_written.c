// How the work grows where the kinetic energy is written by hand, or coordinates are relative.
#include "growth.h"

#include "check.h"

// ---- families of models -------------------------------------------------------------------------

// a car and trailers behind it, T by their velocities
static void trailers(base_text* t, int n)
{
  base_text_printf(t,
                   "param N = %d, m = 1, J = 0.3, l = 1\ncoord x, y, a[0]\nlet u[0] = x'\n"
                   "let w[0] = y'\nkinetic m/2*(x'^2 + y'^2) + J/2*a[0]'^2\nfor i in 1..N {\n"
                   "  coord a[i]\n  let u[i] = u[i-1] + l*sin(a[i])*a[i]'\n"
                   "  let w[i] = w[i-1] - l*cos(a[i])*a[i]'\n"
                   "  kinetic m/2*(u[i]^2 + w[i]^2) + J/2*a[i]'^2\n"
                   "  constraint c[i]: u[i]*sin(a[i]) - w[i]*cos(a[i]) = 0\n}\n",
                   n);
}

// a pendulum of n links: `angle` is that of link i, `mass` says its inertia
static void links(base_text* t, int n, const char* angle, const char* mass)
{
  base_text_printf(t,
                   "param g = 9.81\nlet x[0] = 0\nlet y[0] = 0\nlet s[0] = 0\nfor i in 1..%d {\n"
                   "  param m[i] = 1, l[i] = 1\n  coord q[i]\n  let s[i] = %s\n"
                   "  let x[i] = x[i-1] + l[i]*sin(s[i])\n  let y[i] = y[i-1] - l[i]*cos(s[i])\n"
                   "  %s\n}\n",
                   n, angle, mass);
}

static const char by_T[] = "kinetic m[i]/2*(x[i]'^2 + y[i]'^2)\n  potential m[i]*g*y[i]";
static const char by_mass[] = "particle P[i] mass m[i] = (x[i], y[i], 0) in world";

static void chain(base_text* t, int n)
{
  links(t, n, "q[i]", by_T);
}

static void bends(base_text* t, int n)
{
  links(t, n, "s[i-1] + q[i]", by_T);
}

static void bent(base_text* t, int n)
{
  links(t, n, "s[i-1] + q[i]", by_mass);
}

static void sums(base_text* t, int n)
{
  base_text_printf(t,
                   "param N = %d\nfor i in 1..N { coord q[i] }\nfor k in 1..N {\n"
                   "  kinetic (sum(i in 1..k: cos(q[i])*q[i]')^2 + "
                   "sum(i in 1..k: sin(q[i])*q[i]')^2)/2\n}\n",
                   n);
}

static void pairs(base_text* t, int n)
{
  base_text_printf(t,
                   "param N = %d\nfor i in 1..N { coord q[i] }\nkinetic sum(i in 1..N: sum(j in "
                   "1..N: (2*N - i - j)*cos(q[i] - q[j])*q[i]'*q[j]'))/2\n",
                   n);
}

// relative to the centre of all
static void mean(base_text* t, int n)
{
  base_text_printf(
      t,
      "param N = %d\nfor i in 1..N { coord x[i] }\nlet c = sum(i in 1..N: i*x[i])/N^2\n"
      "for i in 1..N { kinetic i*(x[i]' - c')^2/2 + x[i]'^2 }\n",
      n);
}

// velocities in axes that turn from link to link
static void turning(base_text* t, int n)
{
  base_text_printf(t,
                   "coord x, y, a[1]\nlet u[1] = x'*cos(a[1]) + y'*sin(a[1])\n"
                   "let w[1] = y'*cos(a[1]) - x'*sin(a[1])\n"
                   "kinetic (u[1]^2 + w[1]^2 + a[1]'^2)/2\nfor i in 2..%d {\n  coord a[i]\n"
                   "  let d[i] = a[i] - a[i-1]\n"
                   "  let u[i] = u[i-1]*cos(d[i]) + (w[i-1] - a[i-1]')*sin(d[i])\n"
                   "  let w[i] = (w[i-1] - a[i-1]')*cos(d[i]) - u[i-1]*sin(d[i]) - a[i]'\n"
                   "  kinetic (u[i]^2 + w[i]^2 + a[i]'^2)/2\n}\n",
                   n);
}

// not of second degree
static void roots(base_text* t, int n)
{
  base_text_printf(t,
                   "let u[0] = 0\nfor i in 1..%d {\n  coord q[i]\n"
                   "  let u[i] = u[i-1] + cos(q[i])*q[i]'\n"
                   "  kinetic u[i]^2/2 + q[i]'^4/40 - sqrt(4 - q[i]'^2/10)\n}\n",
                   n);
}

// bodies with rotors of their own
static void rotors(base_text* t, int n)
{
  base_text_printf(t,
                   "frame F[0] = world at (0, 0, 0)\nfor i in 1..%d {\n  coord q[2*i-1], q[2*i]\n"
                   "  frame F[2*i-1] = F[2*i-2] at (0, -1, 0) rotated z(q[2*i-1])\n"
                   "  frame F[2*i] = F[2*i-1] at (0, -1, 0) rotated x(q[2*i])\n"
                   "  body B[i] mass 1 inertia (1, 2, 3) at (0, 1/2, 0) in F[2*i]\n"
                   "  kinetic (q[2*i-1]' + q[2*i]')^2/20\n}\n",
                   n / 2);
}

// a chain of bodies in a plane that is closed
static void closed(base_text* t, int n)
{
  base_text_printf(t,
                   "param N = %d, g = 9.81\nframe F[0] = world at (0, 0, 0)\nfor i in 1..N {\n"
                   "  coord q[i]\n  frame F[i] = F[i-1] at (0, -1, 0) rotated z(q[i])\n"
                   "  body B[i] mass 1 inertia (1, 2, 3) at (0, -1/2, 0) in F[i]\n}\n"
                   "point E = (0, -1, 0) in F[N]\nconstraint e: pos(E).x = 1\n"
                   "constraint f: pos(E).y = -0.8*N\ngravity (0, -g, 0)\n",
                   n);
}

// masses in a line, each place the one before and one coordinate more
static void steps(base_text* t, int n)
{
  base_text_printf(t,
                   "let s[0] = 0\nfor i in 1..%d {\n  coord x[i]\n  param m[i] = i\n"
                   "  let s[i] = s[i-1] + x[i]\n  kinetic m[i]*s[i]'^2/2\n"
                   "  potential s[i]^2/2 + cos(s[i])\n}\n",
                   n);
}

// ---- tests --------------------------------------------------------------------------------------

TEST(work_grows_no_faster_than_what_is_made_of_written_energies)
{
  static const growth_family list[] = {
      {"trailers", trailers, 28}, {"chain", chain, 28},     {"bends", bends, 16},
      {"bent", bent, 16},         {"sums", sums, 28},       {"pairs", pairs, 16},
      {"mean", mean, 28},         {"turning", turning, 16}, {"roots", roots, 28},
      {"rotors", rotors, 16},     {"closed", closed, 16},
  };
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) growth_check(&list[i]);
}

// n^2 entries of a bounded number of operations each, whatever is written and along whichever
// angles
TEST(equations_of_written_energies_grow_as_their_entries)
{
  static void (*const list[])(base_text*, int) = {trailers, chain, bends,  bent,
                                                  sums,     mean,  turning};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    const growth_effort e = growth_effort_of(list[i], 40), twice = growth_effort_of(list[i], 80);
    CHECK(twice.operations <= 4.1 * e.operations);
  }
}

// what repeats the sum before and a term more is added up once
TEST(tapes_of_nested_sums_grow_as_their_coordinates)
{
  const growth_effort e = growth_effort_of(steps, 100), twice = growth_effort_of(steps, 200);
  CHECK(twice.operations <= 2.1 * e.operations);
}
