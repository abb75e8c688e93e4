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
