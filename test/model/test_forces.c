// Generalised forces against virtual work.

#include <stdio.h>

#include "check.h"
#include "given.h"

static const char scene[] =
    "param k = 1.5, a = 0.3\ncoord x, y, p, q\n"
    "frame F = world at (x, t*y, y) rotated x(p) z(q + t)\n"
    "frame G = F at (0, y, 1) rotated y(a) z(p)\n"
    "frame H = world rotated x(q)\n"
    "point P = (x, y*p, 1) in G\n"
    "point hx = (1, 0, 0) in H\npoint hy = (0, 1, 0) in H\npoint hz = (0, 0, 1) in H\n"
    "point gx = (1, 0, 0) in G\npoint gy = (0, 1, 0) in G\npoint gz = (0, 0, 1) in G\n"
    "kinetic x'^2 + y'^2 + p'^2 + q'^2\n"
    "stage { set a = 2 over 1 }\n"
    "output p = pos(P)\n";

static given with(const char* more)
{
  base_text text = {0};
  base_text_printf(&text, "%s%s", scene, more);
  given g = given_text(text.at);
  base_text_free(&text);
  CHECK_TEXT(given_errors(&g), "");
  return g;
}

// Q_i = f . d pos/d q_i, with f given by the output f in world axes
static void equals_virtual_work(given* g)
{
  expr_pool* p = g->m->pool;
  for (int i = 0; i < g->m->coords; i++) {
    expr work = expr_int(p, 0);
    for (int k = 0; k < 3; k++) {
      char f[8], x[8];
      snprintf(f, sizeof f, "f.%c", "xyz"[k]);
      snprintf(x, sizeof x, "p.%c", "xyz"[k]);
      expr slope = expr_diff(p, given_output(g, x), g->m->coord[i].q);
      work = expr_add(p, work, expr_mul(p, given_output(g, f), slope));
    }
    CHECK(given_same(g, g->m->Q[i], work));
  }
}

TEST(a_force_in_world_axes_does_its_virtual_work)
{
  given g = with("force (x', 2, -k*t) at P\noutput f = (x', 2, -k*t)\n");
  if (g.m) equals_virtual_work(&g);
  given_free(&g);
}

TEST(a_force_in_the_axes_of_a_frame_does_its_virtual_work)
{
  given g = with("force (x', y*q', -k*t) in H at P\n"
                 "output f = x'*pos(hx) + y*q'*pos(hy) - k*t*pos(hz)\n");
  if (g.m) equals_virtual_work(&g);
  given_free(&g);
}

TEST(a_torque_is_a_couple_of_forces)
{
  given one = with("torque (k, x', 3*q') in G on G\n");
  given two = with("force (0, 0, k) in G at gy\nforce (0, 0, -k) in G at G\n"
                   "force (x', 0, 0) in G at gz\nforce (-x', 0, 0) in G at G\n"
                   "force (0, 3*q', 0) in G at gx\nforce (0, -3*q', 0) in G at G\n");
  for (int i = 0; one.m && two.m && i < one.m->coords; i++)
    for (unsigned seed = 1; seed <= 3; seed++) {
      motion at = {seed, 0.4};
      double want = given_value(&two, two.m->Q[i], at);
      CHECK_NEAR(given_value(&one, one.m->Q[i], at), want, 1e-11 * (1 + fabs(want)));
    }
  given_free(&one);
  given_free(&two);
}

TEST(a_torque_in_other_axes_is_the_same_torque_resolved)
{
  given g = with("torque (k, x', 3*q') in H on G\n"
                 "output w = omega(G, H)\n");
  for (int i = 0; g.m && i < g.m->coords; i++) {
    expr_pool* p = g.m->pool;
    expr f[3] = {expr_symbol(p, "k"), expr_symbol(p, "x'"),
                 expr_mul(p, expr_int(p, 3), expr_symbol(p, "q'"))};
    expr work = expr_int(p, 0);
    for (int k = 0; k < 3; k++) {
      char name[8];
      snprintf(name, sizeof name, "w.%c", "xyz"[k]);
      expr slope = expr_diff(p, given_output(&g, name), g.m->coord[i].v);
      work = expr_add(p, work, expr_mul(p, f[k], slope));
    }
    CHECK(given_same(&g, g.m->Q[i], work));
  }
  given_free(&g);
}

TEST(forces_on_a_coordinate_add_up)
{
  given g = given_text("param k = 2\ncoord x, y\nkinetic x'^2 + y'^2\n"
                       "force x = -k*x'\nforce x = t\nforce y = x*y'\n"
                       "output fx = t - k*x'\noutput fy = x*y'\n");
  CHECK_TEXT(given_errors(&g), "");
  CHECK(given_same(&g, g.m->Q[0], given_output(&g, "fx")));
  CHECK(given_same(&g, g.m->Q[1], given_output(&g, "fy")));
  given_free(&g);
}

TEST(a_force_may_use_the_energy)
{
  given g = given_text("coord x\nkinetic x'^2/2\npotential x^2/2\nforce x = -energy()*x'\n"
                       "output f = -(x'^2/2 + x^2/2)*x'\n");
  CHECK_TEXT(given_errors(&g), "");
  CHECK(given_same(&g, g.m->Q[0], given_output(&g, "f")));
  given_free(&g);
}
