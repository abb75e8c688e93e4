// Initial equations, and those given beside the model.

#include "check.h"
#include "given.h"

static const char start[] = "param l = 2\ncoord x, y, q\n"
                            "frame F = world at (x, y, 0) rotated z(q)\n"
                            "body B mass 1 inertia (1, 1, 1) at (0, 0, 0) in F\n"
                            "quasi v = vel(B, F).x\n";

static given with(const char* more)
{
  base_text text = {0};
  base_text_printf(&text, "%s%s\n", start, more);
  given g = given_text(text.at);
  base_text_free(&text);
  return g;
}

TEST(initial_values_of_coordinates_are_recognised)
{
  given g = with("initial x = 2*l\ninitial q' ~ 3\ninitial x + y = 1\ninitial v = 4");
  CHECK_TEXT(given_errors(&g), "");
  CHECK_INT(g.m->initials, 4);
  const model_initial* i = g.m->initial;
  CHECK_INT(i[0].coord, 0);
  CHECK_INT(i[0].order, 0);
  CHECK(!i[0].guess);
  CHECK_TEXT(given_print(&g, i[0].value), "2*l");
  CHECK_INT(i[1].coord, 2);
  CHECK_INT(i[1].order, 1);
  CHECK(i[1].guess);
  CHECK_INT(i[2].coord, -1);
  CHECK_INT(i[3].coord, -1);
  given_free(&g);
}

TEST(a_right_side_with_coordinates_is_an_equation_not_a_value)
{
  given g = with("initial x = y");
  CHECK_TEXT(given_errors(&g), "");
  CHECK_INT(g.m->initial[0].coord, -1);
  given_free(&g);
}

TEST(a_vector_equation_is_taken_apart)
{
  given g = with("initial omega(B) = (0, 0, 3)\ninitial vel(B) = (1, 2, 0)");
  CHECK_TEXT(given_errors(&g), "");
  CHECK_INT(g.m->initials, 3);
  CHECK_INT(g.m->initial[0].coord, 2);
  CHECK_INT(g.m->initial[1].coord, 0);
  CHECK_INT(g.m->initial[2].coord, 1);
  given_free(&g);
  g = with("initial omega(B) = (1, 0, 3)");
  CHECK_TEXT(given_errors(&g), "the part .x of this initial equation cannot hold");
  given_free(&g);
}

TEST(contradictory_initial_values_are_an_error)
{
  given g = with("initial x = 1\ninitial x = l");
  CHECK_TEXT(given_errors(&g), "contradictory initial values of `x`");
  given_free(&g);
  g = with("initial x' = 1\ninitial x' = 2");
  CHECK_TEXT(given_errors(&g), "contradictory initial values of `x'`");
  given_free(&g);
}

TEST(equal_values_and_guesses_do_not_contradict)
{
  given g = with("initial x = 2\ninitial x = l\ninitial x ~ 7\ninitial x' = 1");
  CHECK_TEXT(given_errors(&g), "");
  CHECK_INT(g.m->initials, 4);
  given_free(&g);
}

TEST(equations_beside_the_model_use_its_names)
{
  given g = with("let a = x*y\nrun 0 .. 1");
  base_notes* notes = base_notes_new();
  model_initial* list = NULL;
  int n = model_equations(g.m, "--state", "x=1, x' = 2*l, a ~ 3, pos(B) = (1, 2, 0)", notes, &list);
  CHECK_INT(n, 5);
  CHECK_INT(base_notes_errors(notes), 0);
  if (n == 5) {
    CHECK_INT(list[0].coord, 0);
    CHECK_INT(list[1].order, 1);
    CHECK(list[2].guess && list[2].coord == -1);
    CHECK_INT(list[4].coord, 1);
  }
  CHECK_INT(g.m->initials, 0);
  base_notes_free(notes);
  given_free(&g);
}

TEST(wrong_equations_beside_the_model_are_errors)
{
  static const char* const wrong[] = {"x=1, zz=2", "x=1, x=2", "x", "x=", "x''=1", "l=1"};
  given g = with("run 0 .. 1");
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    base_notes* notes = base_notes_new();
    model_initial* list = NULL;
    CHECK_INT(model_equations(g.m, "--state", wrong[i], notes, &list), -1);
    CHECK_INT(base_notes_errors(notes), 1);
    base_notes_free(notes);
  }
  given_free(&g);
}
