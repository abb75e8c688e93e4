// Names: any order of statements, params that change or follow, --set.

#include "check.h"
#include "given.h"

TEST(the_order_of_statements_does_not_matter)
{
  given g = given_text("output E = energy()\nlet b = a*k\nkinetic m/2*x'^2\nlet a = x^2\n"
                       "potential b\nparam k = 2*c, m = c\ncoord x\nparam c = 1.5\n"
                       "output E0 = 0.75*x'^2 + 3*x^2\n");
  CHECK_TEXT(given_errors(&g), "");
  CHECK(given_same(&g, given_output(&g, "E"), given_output(&g, "E0")));
  CHECK_NEAR(g.m->param[0].number, 3, 0);
  given_free(&g);
}

TEST(names_of_the_mechanics_stay_free)
{
  given g = given_text("param alpha = 1, omega = 2, energy = 3\ncoord x\nkinetic x'^2\n"
                       "frame F = world at (x, 0, 0) rotated z(alpha*x)\n"
                       "output o = omega(F).z + omega + energy + energy()\n");
  CHECK_TEXT(given_errors(&g), "");
  given_free(&g);
}

TEST(letters_of_any_alphabet_make_names)
{
  given g = given_text("coord θ, φ\nkinetic θ'^2 + φ'^2\nlet größe = θ*φ\noutput o = größe'\n");
  CHECK_TEXT(given_errors(&g), "");
  CHECK_INT(model_coord_find(g.m, "φ"), 1);
  given_free(&g);
}

TEST(constraints_and_outputs_have_names_of_their_own)
{
  given g = given_text("coord x\nparam a = 1\nkinetic x'^2\nconstraint a: x = a\noutput a = 2*a\n"
                       "event a: x = 2 report\n");
  CHECK_TEXT(given_errors(&g), "");
  CHECK_INT(model_constraint_find(g.m, "a"), 0);
  given_free(&g);
}

TEST(outputs_may_use_outputs)
{
  given g = given_text("coord x\nkinetic x'^2\noutput b = 2*a\noutput a = x^2\n"
                       "output c = 2*x^2\nplot b : a\nevent e: b = 3 report\n");
  CHECK_TEXT(given_errors(&g), "");
  CHECK(given_output(&g, "b") == given_output(&g, "c"));
  CHECK(g.m->plot[0].y[0] == given_output(&g, "c"));
  given_free(&g);
}

TEST(a_param_that_stages_set_has_rates)
{
  given g = given_text("param a = 1, b = 2*a, c = 2\ncoord x\n"
                       "particle P mass 1 = (x, a, 0) in world\n"
                       "stage { set a = 2 over 1 }\n"
                       "output ra = a'\noutput rb = b'\noutput rc = c'\n");
  CHECK_TEXT(given_errors(&g), "");
  const model_param* p = g.m->param;
  CHECK(p[0].changes && !p[1].changes && !p[2].changes);
  CHECK(given_output(&g, "ra") == p[0].rate);
  // b follows a
  CHECK(given_output(&g, "rb") == expr_mul(g.m->pool, expr_int(g.m->pool, 2), p[0].rate));
  CHECK(given_output(&g, "rc") == expr_int(g.m->pool, 0));
  CHECK_NEAR(p[1].number, 2, 0);
  CHECK(expr_has(g.m->pool, g.m->T, p[0].rate));
  given_free(&g);
}

TEST(set_overrides_params_and_what_is_made_of_them)
{
  const char* text = "param m = 1 [kg], l = 2*m, a = 30 [deg]\ncoord x\nkinetic m/2*x'^2\n";
  const model_override set[] = {{"m", "8/3"}, {"a", "60"}};
  given g = given_set(text, 2, set);
  CHECK_TEXT(given_errors(&g), "");
  CHECK(g.m->param[0].value == expr_ratio(g.m->pool, 8, 3));
  CHECK(g.m->param[1].value == expr_ratio(g.m->pool, 16, 3));
  // in the unit of the declaration
  CHECK_NEAR(g.m->param[2].number, 1.0471975511965976, 1e-15);
  given_free(&g);
}

TEST(set_may_use_other_params)
{
  const model_override set[] = {{"m", "2*k"}};
  given g = given_set("param m = 1, k = 3\ncoord x\nkinetic m/2*x'^2\n", 1, set);
  CHECK_TEXT(given_errors(&g), "");
  CHECK_NEAR(g.m->param[0].number, 6, 0);
  given_free(&g);
}

TEST(a_wrong_set_is_an_error)
{
  const char* text = "param mass = 1\ncoord x\nkinetic mass/2*x'^2\n";
  const model_override unknown[] = {{"mas", "2"}}, bad[] = {{"mass", "2 +"}},
                       coord[] = {{"x", "2"}}, depends[] = {{"mass", "x"}};
  given g = given_set(text, 1, unknown);
  CHECK_TEXT(given_notes(&g), "--set:1:1: error: unknown param `mas`\n"
                              "    1 | mas=2\n"
                              "      | ^~~\n"
                              "help: did you mean `mass`?\n");
  given_free(&g);
  g = given_set(text, 1, bad);
  CHECK_INT(base_notes_errors(g.notes), 1);
  given_free(&g);
  g = given_set(text, 1, coord);
  CHECK_TEXT(given_errors(&g), "unknown param `x`");
  given_free(&g);
  g = given_set(text, 1, depends);
  CHECK_TEXT(given_errors(&g), "a param cannot depend on coordinates");
  given_free(&g);
}

TEST(a_param_without_a_finite_value_is_an_error)
{
  given g = given_text("param a = log(0 - 1)\ncoord x\nkinetic x'^2\n");
  CHECK_INT(base_notes_errors(g.notes), 1);
  given_free(&g);
}

TEST(params_keep_their_words)
{
  given g = given_text("param m = 7 [kg] \"mass at each end\"\ncoord x\nkinetic m*x'^2\n");
  CHECK_TEXT(g.m->param[0].note, "mass at each end");
  CHECK_TEXT(g.m->param[0].unit, "kg");
  CHECK_INT(model_param_find(g.m, "m"), 0);
  CHECK_INT(model_param_find(g.m, "n"), -1);
  given_free(&g);
}
