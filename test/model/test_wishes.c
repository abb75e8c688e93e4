// Runs, tolerances, methods, plots, shows.

#include <stdio.h>

#include "check.h"
#include "given.h"

static given with(const char* more)
{
  base_text text = {0};
  base_text_printf(&text,
                   "param a = 2, r = 0.1 [m], m = 1 [kg], J = 1 [kg*m^2]\n"
                   "coord x, y [m], q [rad]\n"
                   "frame F = world at (x, y, 0) rotated z(q)\n"
                   "body P mass m inertia (J, J, J) at (r, 0, 0) in F\n%s\n",
                   more);
  given g = given_text(text.at);
  base_text_free(&text);
  return g;
}

TEST(a_run_is_bounded_by_params_and_numbers)
{
  given g = with("model \"Title\"\nrun 0 .. 3*a\ntolerance 1e-8\nmethod dop853");
  CHECK_TEXT(given_errors(&g), "");
  CHECK(g.m->has_run);
  CHECK_TEXT(given_print(&g, g.m->run_from), "0");
  CHECK_TEXT(given_print(&g, g.m->run_to), "3*a");
  CHECK_NEAR(g.m->tolerance, 1e-8, 0);
  CHECK_TEXT(g.m->method, "dop853");
  CHECK_TEXT(g.m->title, "Title");
  given_free(&g);
}

TEST(without_wishes_nothing_is_wished)
{
  given g = with("");
  CHECK(!g.m->has_run);
  CHECK_NEAR(g.m->tolerance, 0, 0);
  CHECK_TEXT(g.m->method, "");
  CHECK_TEXT(g.m->title, "");
  given_free(&g);
}

TEST(plots_are_labelled_as_written_with_units)
{
  given g = with("plot y : x \"Path\"\nplot q, q', x' : t\nplot a*y + 1 : 2*x\nplot m*x'^2 : q''");
  CHECK_TEXT(given_errors(&g), "");
  const model_plot* p = g.m->plot;
  CHECK_INT(g.m->plots, 4);
  CHECK_TEXT(p[0].title, "Path");
  CHECK_TEXT(p[0].y_label[0], "y [m]");
  CHECK_TEXT(p[0].x_label, "x [m]");
  CHECK(p[0].same_scale);
  CHECK_INT(p[1].curves, 3);
  CHECK_TEXT(p[1].y_label[0], "q [rad]");
  CHECK_TEXT(p[1].y_label[1], "q' [rad/s]");
  CHECK_TEXT(p[1].y_label[2], "x' [m/s]");
  CHECK_TEXT(p[1].x_label, "t [s]");
  CHECK(!p[1].same_scale);
  CHECK_TEXT(p[2].y_label[0], "a*y + 1");
  CHECK(!p[2].same_scale);
  CHECK_TEXT(p[3].y_label[0], "m*x'^2 [J]");
  CHECK_TEXT(p[3].x_label, "q'' [rad/s^2]");
  given_free(&g);
}

TEST(shows_are_in_world_axes)
{
  given g = with("show ball radius r at P\nshow box (r, r, 2*r) in F\nshow rod from F to P\n"
                 "show rod from (0, 0, 0) to (r, 0, 0) in F\ntrace P\n"
                 "output p = pos(P)\noutput o = pos(F)");
  CHECK_TEXT(given_errors(&g), "");
  const model_show* s = g.m->show;
  CHECK_INT(g.m->shows, 5);
  CHECK_INT(s[0].shape, MODEL_SHOW_BALL);
  CHECK(s[0].at[0] == given_output(&g, "p.x"));
  CHECK_TEXT(given_print(&g, s[0].size[0]), "r");
  CHECK_INT(s[1].shape, MODEL_SHOW_BOX);
  CHECK_TEXT(given_print(&g, s[1].size[2]), "2*r");
  CHECK_TEXT(given_print(&g, s[1].rotation[0]), "cos(q)");
  CHECK_TEXT(given_print(&g, s[1].rotation[1]), "-sin(q)");
  CHECK_TEXT(given_print(&g, s[1].rotation[3]), "sin(q)");
  CHECK_INT(s[2].shape, MODEL_SHOW_ROD);
  CHECK(s[2].at[1] == given_output(&g, "o.y"));
  CHECK(s[2].to[1] == given_output(&g, "p.y"));
  CHECK(s[3].to[1] == given_output(&g, "p.y"));
  CHECK_INT(s[4].shape, MODEL_SHOW_TRACE);
  CHECK_TEXT(s[4].name, "P");
  given_free(&g);
}

TEST(an_output_named_like_a_coordinate_is_refused)
{
  given g = with("output x = 2*x");
  CHECK(!g.m);
  CHECK_INT(base_notes_count(g.notes), 1);
  CHECK_INT(base_notes_level(g.notes, 0), BASE_ERROR);
  given_free(&g);
}

TEST(outputs_have_units_where_they_are_known)
{
  given g = with("output v = x'\noutput w = q'\noutput e = m*x'^2/2\noutput n = a*x\n"
                 "output p = pos(P)");
  CHECK_TEXT(given_errors(&g), "");
  static const char* const unit[] = {"m/s", "rad/s", "J", "", "m", "m", "m"};
  CHECK_INT(g.m->outputs, 7);
  for (int i = 0; i < g.m->outputs; i++) CHECK_TEXT(g.m->output[i].unit, unit[i]);
  given_free(&g);
}

TEST(mistakes_in_wishes)
{
  static const char* const wrong[][2] = {
      {"run 0 .. 1\nrun 0 .. 2", "`run` is said twice"},
      {"model \"a\"\nmodel \"b\"", "`model` is said twice"},
      {"tolerance 1e-3\ntolerance 1e-4", "`tolerance` is said twice"},
      {"method a\nmethod b", "`method` is said twice"},
      {"run 5 .. 5", "the run ends (5) before it begins (5)"},
      {"tolerance 0", "a tolerance is a number from 1e-30 to 0.1"},
      {"tolerance -1e-3", "a tolerance is a number from 1e-30 to 0.1"},
      {"tolerance x", "a tolerance is a number from 1e-30 to 0.1"},
      {"trace Z", "unknown name `Z`"},
      {"show ball radius m at P", "a radius is in [m], this is in [kg]"},
      {"show box (1, 1, 1) in G", "unknown frame `G`"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    given g = with(wrong[i][0]);
    if (!CHECK_TEXT(given_errors(&g), wrong[i][1])) printf("#     in: %s\n", wrong[i][0]);
    given_free(&g);
  }
}
