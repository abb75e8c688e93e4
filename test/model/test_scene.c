// What there is to see of a model.

#include <math.h>
#include <string.h>

#include "check.h"
#include "given.h"

static int count(const model_scene* s, model_part_kind kind)
{
  int n = 0;
  for (int i = 0; i < s->parts; i++) n += s->part[i].kind == kind;
  return n;
}

static const model_part* find(const model_scene* s, model_part_kind kind, const char* name)
{
  for (int i = 0; i < s->parts; i++)
    if (s->part[i].kind == kind && strcmp(s->part[i].name, name) == 0) return &s->part[i];
  return NULL;
}

// the place of a part is an output of the model
static void stands_at(given* g, const expr at[3], const char* output)
{
  for (int k = 0; k < 3; k++) {
    base_text name = {0};
    base_text_printf(&name, "%s.%c", output, "xyz"[k]);
    CHECK(given_same(g, at[k], given_output(g, name.at)));
    base_text_free(&name);
  }
}

TEST(every_declared_body_is_seen_where_it_is)
{
  given g = given_text(
      "param l = 2\ncoord x, p, q\n"
      "frame F = world at (x, 0, 1) rotated z(p) x(q)\n"
      "particle P mass 1 = (l, x, 0) in F\npoint A = (0, 1, 0) in F\n"
      "rod R mass 1 from (0, 0, 0) to (0, 0, l) in F\n"
      "plate S mass 1 corners (0, 0, 0) (1, 0, 0) (0, 1, 0) in F\n"
      "disc D mass 1 radius 0.3 normal (0, 1, 0) at (1, 1, 1) in F\n"
      "ball B mass 1 radius 0.2 at (1, 0, 0) in F\nbody C mass 1 inertia (1, 2, 3) in F at (0, 2, "
      "0)\n"
      "point end = (0, 0, l) in F\ngravity (0, 0, -9.81)\n"
      "output P = pos(P)\noutput A = pos(A)\noutput e = pos(end)\noutput D = pos(D)\noutput C = "
      "pos(C)\n");
  CHECK_TEXT(given_errors(&g), "");
  if (!g.m) return;
  const model_scene* s = model_scene_make(g.m);
  CHECK(s->heavy);
  stands_at(&g, find(s, MODEL_PART_PARTICLE, "P")->at, "P");
  stands_at(&g, find(s, MODEL_PART_POINT, "A")->at, "A");
  stands_at(&g, find(s, MODEL_PART_ROD, "R")->to, "e");
  stands_at(&g, find(s, MODEL_PART_DISC, "D")->at, "D");
  stands_at(&g, find(s, MODEL_PART_BODY, "C")->at, "C");
  CHECK(find(s, MODEL_PART_PLATE, "S") && find(s, MODEL_PART_BALL, "B"));
  CHECK(find(s, MODEL_PART_FRAME, "F")->turns);
  given_free(&g);
}

TEST(a_rolling_body_is_seen_by_its_surface_on_its_base)
{
  given g = given_text("param m = 1\nbody stone mass m inertia (1, 2, 3)\ngravity (0, 0, -9.81)\n"
                       "frame table = world rotated z(t)\n"
                       "roll stone as ellipsoid(0.3, 0.2, 0.1) on table as plane at c\n");
  CHECK_TEXT(given_errors(&g), "");
  if (!g.m) return;
  const model_scene* s = model_scene_make(g.m);
  CHECK_INT(count(s, MODEL_PART_BODY), 0);
  CHECK_INT(count(s, MODEL_PART_SURFACE), 2);
  const model_part* table = find(s, MODEL_PART_SURFACE, "table");
  CHECK(table && table->is_base && table->chart == MODEL_CHART_PLANE);
  CHECK(find(s, MODEL_PART_SURFACE, "stone")->chart == MODEL_CHART_ROUND);
  CHECK(find(s, MODEL_PART_CONTACT, "c") != NULL);
  given_free(&g);
}

// the length of the string among the rods that are shown, as a number; 0 where there is none
static double string_of(const char* constraint)
{
  base_text text = {0};
  base_text_printf(&text,
                   "param l = 2, k = 3\ncoord x, y, s\nparticle P mass 1 = (x, y, 0) in world\n"
                   "particle C mass 1 = (s, 0, 0) in world\n%s\ninitial x = 1\n"
                   "show rod from C to P\n",
                   constraint);
  given g = given_text(text.at);
  base_text_free(&text);
  CHECK_TEXT(given_errors(&g), "");
  if (!g.m) return NAN;
  double length = NAN;
  const expr symbol[2] = {g.m->param[0].symbol, g.m->param[1].symbol};
  const model_part* p = find(model_scene_make(g.m), MODEL_PART_ROD, "rod");
  expr_values(g.m->pool, 1, &p->size[0], 2, symbol, (double[2]){2, 3}, &length);
  given_free(&g);
  return length;
}

TEST(a_rod_whose_length_an_inequality_bounds_is_a_string)
{
  CHECK_NEAR(string_of("constraint r: norm(pos(P) - pos(C)) <= l"), 2, 1e-15);
  CHECK_NEAR(string_of("constraint r: l - hypot(x - s, y) >= 0"), 2, 1e-15);
  CHECK_NEAR(string_of("constraint r: k*(l^2 - (x - s)^2 - y^2) >= 0"), 2, 1e-15);
  CHECK_NEAR(string_of("constraint r: (x - s)^2 + y^2 <= k^2"), 3, 1e-15);
  // a least distance, another distance, and a rod are none
  CHECK_NEAR(string_of("constraint r: norm(pos(P) - pos(C)) >= l/4"), 0, 0);
  CHECK_NEAR(string_of("constraint r: hypot(x, y) <= l"), 0, 0);
  CHECK_NEAR(string_of("constraint r: norm(pos(P) - pos(C)) = l"), 0, 0);
}

TEST(lengths_of_one_inertia_are_a_point)
{
  given g = given_text("param m = 1\ncoord y, z [m]\ncoord th [rad]\n"
                       "kinetic m/2*(y'^2 + z'^2) + m/2*th'^2\nconstraint s: y^2 + z^2 = 1\n");
  CHECK_TEXT(given_errors(&g), "");
  if (!g.m) return;
  const model_scene* s = model_scene_make(g.m);
  const model_part* p = find(s, MODEL_PART_PARTICLE, "point");
  CHECK(p != NULL);
  if (!p) return;
  CHECK(p->at[0] == expr_int(g.m->pool, 0));
  CHECK(p->at[1] == g.m->coord[0].q && p->at[2] == g.m->coord[1].q);
  CHECK_INT(count(s, MODEL_PART_FORCE), 1);
  given_free(&g);
}

TEST(a_constraint_is_tried_at_the_one_or_two_points_it_names)
{
  given g = given_text("coord x, y, p\nframe F = world at (x, y, 0) rotated z(p)\n"
                       "point A = (1, 0, 0) in F\nparticle P mass 1 = (0, 1, 0) in F\n"
                       "particle Q mass 1 = (0, -1, 0) in F\n"
                       "constraint blade: vel(A, F).y = 0\n"
                       "constraint two: dot(vel(P), vel(Q)) = 1\n"
                       "constraint three: pos(A).x + pos(P).x + pos(Q).x = 1\n");
  CHECK_TEXT(given_errors(&g), "");
  if (!g.m) return;
  const model_scene* s = model_scene_make(g.m);
  CHECK_INT(count(s, MODEL_PART_FORCE), 3);
  const model_part* f = find(s, MODEL_PART_FORCE, "blade");
  CHECK(f && strcmp(f->carrier, "A") == 0);
  f = find(s, MODEL_PART_FORCE, "two");
  CHECK(f && strcmp(f[0].carrier, "P") == 0 && strcmp(f[1].carrier, "Q") == 0);
  CHECK(f[1].holds == f[0].holds);
  CHECK(find(s, MODEL_PART_FORCE, "three") == NULL);
  given_free(&g);
}

// places of all parts of a kind as numbers, at coordinates that are all 0.3
static int parts_of(given* g, const model_scene* s, model_part_kind kind, double at[8][3],
                    double to[8][3])
{
  expr symbol[64];
  double value[64];
  int n = 0, found = 0;
  for (int i = 0; i < g->m->params; i++)
    symbol[n] = g->m->param[i].symbol, value[n++] = g->m->param[i].number;
  for (int i = 0; i < g->m->coords; i++) symbol[n] = g->m->coord[i].q, value[n++] = 0.3;
  symbol[n] = g->m->t, value[n++] = 0;
  for (int i = 0; i < s->parts && found < 8; i++) {
    if (s->part[i].kind != kind) continue;
    expr_values(g->m->pool, 3, s->part[i].at, n, symbol, value, at[found]);
    expr_values(g->m->pool, 3, s->part[i].to, n, symbol, value, to[found++]);
  }
  return found;
}

TEST(numbered_lengths_are_several_points)
{
  given g = given_text("param k = 2\ncoord x1, x2, x3 [m]\n"
                       "kinetic x1'^2/2 + 3*x2'^2/2 + x3'^2/2\n"
                       "potential k/2*(x2 - x1 - 1.5)^2 + k/2*(x3 - x2)^2\n");
  CHECK_TEXT(given_errors(&g), "");
  if (!g.m) return;
  const model_scene* s = model_scene_make(g.m);
  CHECK_INT(count(s, MODEL_PART_PARTICLE), 3);
  CHECK(find(s, MODEL_PART_PARTICLE, "point 2")->at[0] == g.m->coord[1].q);
  CHECK_INT(count(s, MODEL_PART_SPRING), 2);
  CHECK_INT(count(s, MODEL_PART_GROUND), 3);
  given_free(&g);
}

TEST(what_is_always_as_far_from_a_place_hangs_on_a_rod)
{
  given g = given_text("param l = 2, c = 0.5\ncoord a, b\ngravity (0, 0, -9.81)\n"
                       "particle P mass 1 = (c + sin(3*t) + l*sin(a), 0, -l*cos(a)) in world\n"
                       "particle Q mass 1 = (c + sin(3*t) + l*sin(a) + sin(b), 0, "
                       "-l*cos(a) - cos(b)) in world\n");
  CHECK_TEXT(given_errors(&g), "");
  if (!g.m) return;
  const model_scene* s = model_scene_make(g.m);
  double at[8][3], to[8][3];
  CHECK_INT(parts_of(&g, s, MODEL_PART_LINK, at, to), 2);
  CHECK_NEAR(at[0][0], 0.5, 1e-12);
  CHECK_NEAR(at[0][2], 0, 1e-12);
  CHECK_NEAR(to[1][2], -2 * cos(0.3) - cos(0.3), 1e-12);
  CHECK_INT(parts_of(&g, s, MODEL_PART_HINGE, at, to), 1);
  // the support goes with the shaking
  CHECK(expr_has(g.m->pool, find(s, MODEL_PART_HINGE, "P")->at[0], g.m->t));
  given_free(&g);
}

TEST(a_point_with_coordinates_of_its_own_hangs_on_nothing)
{
  given g = given_text("coord x, y, r, p\nparticle P mass 1 = (x, y, 0) in world\n"
                       "particle Q mass 1 = (r*cos(p), r*sin(p), 0) in world\n"
                       "particle W mass 1 = (cos(p) + 0.2*cos(3*p), sin(p), 0) in world\n");
  CHECK_TEXT(given_errors(&g), "");
  if (!g.m) return;
  const model_scene* s = model_scene_make(g.m);
  CHECK_INT(count(s, MODEL_PART_LINK), 0);
  CHECK_INT(count(s, MODEL_PART_HINGE), 0);
  given_free(&g);
}

// R of the wheel beside the ropes, and where its ropes leave it
static void ropes_of(const char* more, int ropes, double level)
{
  base_text text = {0};
  base_text_printf(
      &text,
      "param R = 0.2\ncoord u, v, phi\ngravity (0, -9.81, 0)\n"
      "particle A mass 2 = (-R, u, 0) in world\n"
      "particle B mass 1 = (R, v, 0) in world\n"
      "frame W = world rotated z(phi)\nbody wheel mass 1 inertia (0, 0, 0.02) in W\n%s\n",
      more);
  given g = given_text(text.at);
  base_text_free(&text);
  CHECK_TEXT(given_errors(&g), "");
  if (!g.m) return;
  const model_scene* s = model_scene_make(g.m);
  double at[8][3], to[8][3];
  CHECK_INT(parts_of(&g, s, MODEL_PART_STRING, at, to), ropes);
  if (ropes) {
    CHECK_NEAR(at[0][0], -0.2, 1e-12);
    CHECK_NEAR(at[0][1], level, 1e-12);
    CHECK_INT(parts_of(&g, s, MODEL_PART_DISC, at, to), 1);
  }
  given_free(&g);
}

TEST(weights_hang_on_ropes_over_wheels)
{
  ropes_of("constraint a: u' = R*phi'\nconstraint b: v' + R*phi' = 0", 2, 0);
  ropes_of("constraint a: 3*u = 3*R*phi - 1\nconstraint b: v = 2 - R*phi", 2, 0);
  ropes_of("constraint a: u + v = -3", 2, 0);
  ropes_of("constraint a: 2*u + 2*v - 8 = 0", 2, 4);
  // a wheel of another radius, and what goes the same way, is held by something else
  ropes_of("constraint a: u' = 2*R*phi'", 0, 0);
  ropes_of("constraint a: u - v = 1", 0, 0);
}

// the table under a ball that grips it: whether it turns, and about where
static bool table_of(const char* grips, double centre[3])
{
  base_text text = {0};
  base_text_printf(&text,
                   "param r = 0.1, Om = 3\ncoord x, y, ax, ay\n"
                   "kinetic (x'^2 + y'^2)/2 + 0.002*(ax'^2 + ay'^2)\n%s\n"
                   "show ball radius r at (x, y, r)\n",
                   grips);
  given g = given_text(text.at);
  base_text_free(&text);
  CHECK_TEXT(given_errors(&g), "");
  if (!g.m) return false;
  double at[8][3], to[8][3];
  const model_scene* s = model_scene_make(g.m);
  bool turns = false;
  for (int i = 0; i < s->parts; i++)
    turns = turns || (s->part[i].kind == MODEL_PART_GROUND && s->part[i].turns &&
                      expr_has(g.m->pool, s->part[i].rotation[0], g.m->t));
  if (turns && parts_of(&g, s, MODEL_PART_GROUND, at, to) == 1) memcpy(centre, at[0], sizeof at[0]);
  given_free(&g);
  return turns;
}

TEST(a_table_turns_under_what_grips_it)
{
  double c[3] = {NAN, NAN, NAN};
  CHECK(table_of("constraint a: x' - r*ay' = -Om*y\nconstraint b: y' + r*ax' = Om*x", c));
  CHECK_NEAR(hypot(c[0], c[1]), 0, 1e-12);
  CHECK_NEAR(c[2], 0.1, 1e-12);
  CHECK(table_of("constraint a: x' + y' - r*ay' = Om*(x - 2 - y - 1)\n"
                 "constraint b: y' + r*ax' = Om*(x - 2)",
                 c));
  CHECK_NEAR(c[0], 2, 1e-12);
  CHECK_NEAR(c[1], -1, 1e-12);
  // at rest, and drawn apart
  CHECK(!table_of("constraint a: x' - r*ay' = 0\nconstraint b: y' + r*ax' = 0", c));
  CHECK(!table_of("constraint a: x' - r*ay' = Om*x\nconstraint b: y' + r*ax' = Om*y", c));
}

TEST(ground_lies_under_a_wheel_that_rolls)
{
  given g = given_text("param R = 0.2\ncoord x, p\ngravity (0, -9.81, 0)\n"
                       "frame C = world at (x, 1, 0)\nframe W = C at (0.5, 0, 0) rotated z(-p)\n"
                       "body cart mass 3 inertia (0, 0, 0.1) at (0, 0.3, 0) in C\n"
                       "body wheel mass 1 inertia (0, 0, 0.02) in W\nconstraint roll: x' = R*p'\n");
  CHECK_TEXT(given_errors(&g), "");
  if (!g.m) return;
  const model_scene* s = model_scene_make(g.m);
  double at[8][3], to[8][3];
  CHECK_INT(parts_of(&g, s, MODEL_PART_GROUND, at, to), 1);
  CHECK_NEAR(at[0][1], 0.8, 1e-12);
  CHECK_NEAR(to[0][0], 0.8, 1e-12);
  given_free(&g);
}

TEST(a_bowl_is_seen_under_what_slides_in_it)
{
  given g = given_text("coord x, y, z\nparticle P mass 1 = (x, y, z) in world\n"
                       "constraint bowl: 2*z = x^2 - x*y\n");
  CHECK_TEXT(given_errors(&g), "");
  if (!g.m) return;
  const model_part* p = find(model_scene_make(g.m), MODEL_PART_SURFACE, "bowl");
  CHECK(p && p->is_base);
  if (!p) return;
  double r[3];
  const expr symbol[2] = {p->u, p->v};
  expr_values(g.m->pool, 3, p->r, 2, symbol, (double[2]){0.6, 0.2}, r);
  CHECK_NEAR(r[2], (0.36 - 0.12) / 2, 1e-15);
  given_free(&g);
}

TEST(a_body_that_another_turns_in_is_a_ring)
{
  given g = given_text("coord a, b, c\nframe O = world rotated z(a)\nframe I = O rotated x(b)\n"
                       "frame S = I rotated z(c)\nbody outer mass 2 inertia (1, 0.5, 1) in O\n"
                       "body inner mass 1 inertia (0.1, 0.16, 0.1) in I\n"
                       "body rotor mass 1 inertia (0.01, 0.01, 0.02) in S\n");
  CHECK_TEXT(given_errors(&g), "");
  if (!g.m) return;
  const model_scene* s = model_scene_make(g.m);
  const model_part* outer = find(s, MODEL_PART_BODY, "outer");
  CHECK(outer->held && find(s, MODEL_PART_BODY, "inner")->held);
  CHECK(!find(s, MODEL_PART_BODY, "rotor")->held);
  // across both axles, along y; m r^2 = 0.5
  CHECK_NEAR(expr_number(g.m->pool, outer->size[0]), 0.5, 1e-12);
  CHECK_NEAR(fabs(expr_number(g.m->pool, outer->normal[1])), 1, 1e-12);
  double at[8][3], to[8][3];
  // two pins each: on the world below and above, and on both rings
  CHECK_INT(parts_of(&g, s, MODEL_PART_HINGE, at, to), 6);
  int fixed = 0;
  for (int i = 0; i < s->parts; i++)
    fixed += s->part[i].kind == MODEL_PART_HINGE && s->part[i].fixed;
  CHECK_INT(fixed, 1);
  for (int i = 0; i < 6; i++) {
    const double r = sqrt(at[i][0] * at[i][0] + at[i][1] * at[i][1] + at[i][2] * at[i][2]);
    CHECK(fabs(r - 0.5) < 1e-9 || fabs(r - 0.4) < 1e-9);
  }
  given_free(&g);
}
