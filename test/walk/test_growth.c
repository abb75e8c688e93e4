// How the work from a text to a tape grows with what comes out, counted, not timed.
#include "growth.h"

#include "check.h"

// ---- families of models -------------------------------------------------------------------------

// a pendulum of n links on a cart
static void cart(base_text* t, int n)
{
  base_text_add(t, "param m0 = 2, g = 9.81\ncoord x, q1");
  for (int i = 2; i <= n; i++) base_text_printf(t, ", q%d", i);
  base_text_add(t, "\nparticle P0 mass m0 = (x, 0, 0) in world\nlet x0 = x\nlet y0 = 0*x\n");
  for (int i = 1; i <= n; i++)
    base_text_printf(
        t,
        "param m%d = 1, l%d = 1\nlet x%d = x%d - l%d*sin(q%d)\n"
        "let y%d = y%d + l%d*cos(q%d)\nparticle P%d mass m%d = (x%d, y%d, 0) in world\n",
        i, i, i, i - 1, i, i, i, i - 1, i, i, i, i, i, i);
  base_text_add(t, "gravity (0, -g, 0)\n");
}

// bodies one on the other, each turned about another axis than the one before
static void arm(base_text* t, int n)
{
  base_text_add(t, "param g = 9.81\nframe F0 = world at (0, 0, 0)\ncoord q1");
  for (int i = 2; i <= n; i++) base_text_printf(t, ", q%d", i);
  for (int i = 1; i <= n; i++)
    base_text_printf(t,
                     "\nparam l%d = 1\nframe F%d = F%d at (0, -l%d, 0) rotated %c(q%d)\n"
                     "body B%d mass 1 inertia (1, 2, 3) at (0, -l%d/2, 0) in F%d",
                     i, i, i - 1, i, "zx"[i % 2], i, i, i, i);
  base_text_add(t, "\ngravity (0, -g, 0)\n");
}

// orientations one on the other
static void joints(base_text* t, int n)
{
  base_text_add(t, "param g = 9.81, h = 0.5\nframe F0 = world at (0, 0, 0)\n");
  for (int i = 1; i <= n; i++)
    base_text_printf(t,
                     "orientation Q%d\nframe F%d = F%d at (0, 0, -h) rotated by Q%d\n"
                     "body B%d mass 1 inertia (1, 2, 3) at (0, 0, -h/2) in F%d\n",
                     i, i, i - 1, i, i, i);
  base_text_add(t, "gravity (0, 0, -g)\n");
}

// masses in a plane, each at a fixed distance from the one before
static void rods(base_text* t, int n)
{
  base_text_printf(t,
                   "param N = %d, g = 9.81\ncoord x[0], y[0]\nconstraint a: x[0] = 0\n"
                   "constraint b: y[0] = 0\nfor i in 1..N {\n  coord x[i], y[i]\n"
                   "  particle P[i] mass 1 = (x[i], y[i], 0) in world\n"
                   "  constraint c[i]: (x[i] - x[i-1])^2 + (y[i] - y[i-1])^2 = 1\n"
                   "  initial x[i] = i\n}\ngravity (0, -g, 0)\n",
                   n);
}

// free bodies hinged to each other
static void hinged(base_text* t, int n)
{
  base_text_add(t, "param g = 9.81, h = 0.5\npoint U0 = (0, 0, 0) in world\n");
  for (int i = 1; i <= n; i++)
    base_text_printf(t,
                     "coord x%d, y%d, z%d\norientation Q%d\n"
                     "frame F%d = world at (x%d, y%d, z%d) rotated by Q%d\n"
                     "body B%d mass 1 inertia (1, 2, 3) at (0, 0, 0) in F%d\n"
                     "point T%d = (0, 0, h) in F%d\npoint U%d = (0, 0, -h) in F%d\n"
                     "constraint j%d: pos(T%d) = pos(U%d)\n",
                     i, i, i, i, i, i, i, i, i, i, i, i, i, i, i, i, i, i - 1);
  base_text_add(t, "gravity (0, 0, -g)\n");
}

static void blades(base_text* t, int n)
{
  for (int i = 1; i <= n; i++)
    base_text_printf(t,
                     "coord x%d, y%d, a%d\nkinetic (x%d'^2 + y%d'^2 + a%d'^2)/2\n"
                     "constraint b%d: x%d'*sin(a%d) - y%d'*cos(a%d) = 0\n",
                     i, i, i, i, i, i, i, i, i, i, i);
}

// every two attract each other
static void planets(base_text* t, int n)
{
  for (int i = 0; i < n; i++) {
    base_text_printf(t, "coord x%d, y%d\nparticle P%d mass 1 = (x%d, y%d, 0) in world\n", i, i, i,
                     i, i);
    for (int j = 0; j < i; j++)
      base_text_printf(t, "potential -1/sqrt((x%d - x%d)^2 + (y%d - y%d)^2)\n", i, j, i, j);
  }
}

static void forces(base_text* t, int n)
{
  base_text_add(t, "coord x, y, z\nframe B = world at (x, y, z)\n"
                   "body C mass 1 inertia (1, 1, 1) at (0, 0, 0) in B\n");
  for (int i = 1; i <= n; i++)
    base_text_printf(t,
                     "point P%d = (%d, %d, 1) in B\n"
                     "force (-x'*%d, sin(y*%d), -z) in world at P%d\n",
                     i, i, i % 7, i, i, i);
}

static void long_sum(base_text* t, int n)
{
  base_text_add(t, "coord x\nkinetic x'^2/2\npotential 0");
  for (int i = 1; i <= n; i++) base_text_printf(t, " + sin(%d*x)/%d", i, i);
  base_text_add(t, "\n");
}

static void nested(base_text* t, int n)
{
  base_text_add(t, "coord x\nkinetic x'^2/2\nlet a0 = x\n");
  for (int i = 1; i <= n; i++)
    base_text_printf(t, "let a%d = a%d*sin(a%d) + %d*x\n", i, i - 1, i - 1, i);
  base_text_printf(t, "force x = -a%d\n", n);
}

static void params(base_text* t, int n)
{
  base_text_add(t, "coord x\nkinetic x'^2/2\nparam p0 = 1\n");
  for (int i = 1; i <= n; i++) base_text_printf(t, "param p%d = p%d + 0.1\n", i, i - 1);
  base_text_printf(t, "force x = -p%d*x\n", n);
}

static void stages(base_text* t, int n)
{
  base_text_add(t, "param a = 1\ncoord x\nkinetic x'^2/2\npotential a*x^2/2\ninitial x = 1\n");
  for (int i = 1; i <= n; i++)
    base_text_printf(t,
                     "stage s%d { set a = %d; until t >= %d }\nevent e%d: x = %d/1000 rising "
                     "report\noutput o%d = x^%d*%d\n",
                     i, i, i, i, i, i, i % 5 + 1, i);
}

// ---- tests --------------------------------------------------------------------------------------

TEST(work_grows_no_faster_than_what_is_made)
{
  static const growth_family list[] = {
      {"cart", cart, 28},       {"arm", arm, 16},        {"joints", joints, 4},
      {"rods", rods, 50},       {"hinged", hinged, 10},  {"blades", blades, 40},
      {"planets", planets, 16}, {"forces", forces, 200}, {"sum", long_sum, 400},
      {"nested", nested, 100},  {"params", params, 400}, {"stages", stages, 100},
  };
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) growth_check(&list[i]);
}

// n^2 entries of a few operations each, however long the chain
TEST(equations_of_a_chain_grow_as_their_entries)
{
  const growth_effort e = growth_effort_of(cart, 56), twice = growth_effort_of(cart, 112);
  CHECK(twice.operations <= 4.1 * e.operations);
}
