// Reading models from files and texts, and what a model tells.
#include "bead.h"

#include "check.h"

#include <math.h>
#include <stdio.h>

TEST(a_model_tells_its_names_and_params)
{
  bead b = bead_read(NULL);
  CHECK_TEXT(zw_model_title(b.model), "A bead on a ring");
  CHECK_INT(zw_model_coords(b.model), 2);
  CHECK_TEXT(zw_model_coord(b.model, 0), "x");
  CHECK_TEXT(zw_model_coord(b.model, 1), "y");
  CHECK_INT(zw_model_constraints(b.model), 1);
  CHECK_TEXT(zw_model_constraint(b.model, 0), "ring");
  CHECK_NEAR(zw_model_param(b.model, "g"), 9.81, 1e-15);
  CHECK(isnan(zw_model_param(b.model, "nobody")));
  CHECK(isnan(zw_model_param(b.model, "")));
  bead_free(&b);
}

TEST(params_are_listed_in_their_order_without_what_nobody_wrote)
{
  zw_notes* n = zw_notes_new();
  const char text[] = "param late = 0.2 [s], k = 4\ncoord x\nkinetic x'^2/2\n"
                      "force x = -k*delay(x, late)\nparam c = k/2\n";
  zw_model* m = zw_model_read_text("t", text, strlen(text), NULL, 0, n);
  CHECK_INT(zw_model_params(m), 3);
  CHECK_TEXT(zw_model_param_name(m, 0), "late");
  CHECK_TEXT(zw_model_param_name(m, 1), "k");
  CHECK_TEXT(zw_model_param_name(m, 2), "c");
  CHECK(!zw_model_param_name(m, 3) && !zw_model_param_name(m, -1));
  zw_model_free(m);
  zw_notes_free(n);
}

TEST(params_are_overridden_and_given_in_SI)
{
  bead b = bead_read("m=3/2");
  CHECK_NEAR(zw_model_param(b.model, "m"), 1.5, 0);
  bead_free(&b);
  zw_notes* n = zw_notes_new();
  const char text[] = "param l = 30 [cm]\ncoord x\nkinetic l*x'^2/2\n";
  zw_model* m = zw_model_read_text("t", text, strlen(text), NULL, 0, n);
  CHECK_NEAR(m ? zw_model_param(m, "l") : NAN, 0.3, 1e-16);
  CHECK_TEXT(m ? zw_model_title(m) : "", "");
  zw_model_free(m);
  zw_notes_free(n);
}

TEST(an_override_that_is_wrong_is_refused_with_the_reason)
{
  static const char* const wrong[] = {"nobody=1", "m", "m=", "m=2*", "=3", "", "m=x"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    zw_notes* n = zw_notes_new();
    zw_model* m = zw_model_read_text("t", bead_text, strlen(bead_text), &wrong[i], 1, n);
    if (m) check_fail(__FILE__, __LINE__, "--set %s is taken", wrong[i]);
    CHECK(zw_notes_errors(n) > 0);
    zw_model_free(m);
    zw_notes_free(n);
  }
}

TEST(only_the_length_given_is_read)
{
  zw_notes* n = zw_notes_new();
  const char text[] = "coord x\nkinetic x'^2/2\nnonsense";
  zw_model* m = zw_model_read_text("t", text, strlen(text) - strlen("nonsense"), NULL, 0, n);
  CHECK(m != NULL);
  CHECK_INT(zw_notes_count(n), 0);
  zw_model_free(m);
  zw_notes_free(n);
}

TEST(a_file_is_read_and_may_use_others)
{
  FILE* f = fopen(bead_path("part.zw"), "w");
  fputs("param k = 4\n", f);
  fclose(f);
  f = fopen(bead_path("whole.zw"), "w");
  fputs("use \"part.zw\"\ncoord x\nkinetic x'^2/2\npotential k*x^2/2\n", f);
  fclose(f);
  zw_notes* n = zw_notes_new();
  zw_model* m = zw_model_read(bead_path("whole.zw"), NULL, 0, n);
  CHECK_NEAR(m ? zw_model_param(m, "k") : NAN, 4, 0);
  CHECK_INT(zw_notes_count(n), 0);
  zw_model_free(m);
  zw_notes_free(n);
}

TEST(a_text_in_memory_cannot_use_files)
{
  zw_notes* n = zw_notes_new();
  const char text[] = "use \"part.zw\"\ncoord x\nkinetic x'^2/2\n";
  CHECK(zw_model_read_text("t", text, strlen(text), NULL, 0, n) == NULL);
  CHECK(zw_notes_errors(n) > 0);
  zw_notes_free(n);
}

TEST(a_file_that_cannot_be_read_is_an_error)
{
  zw_notes* n = zw_notes_new();
  CHECK(zw_model_read(bead_path("absent.zw"), NULL, 0, n) == NULL);
  CHECK(bead_noted(n, 0, "absent.zw"));
  // a folder is no file
  CHECK(zw_model_read(bead_path(""), NULL, 0, n) == NULL);
  CHECK(zw_model_read("", NULL, 0, n) == NULL);
  CHECK_INT(zw_notes_errors(n), 3);
  zw_notes_free(n);
}

TEST(all_errors_of_a_text_are_noted)
{
  zw_notes* n = zw_notes_new();
  const char text[] = "coord x\nkinetic x'^2/2\nforce x = -k*x\nforce y = 1\nnonsense\n";
  CHECK(zw_model_read_text("t", text, strlen(text), NULL, 0, n) == NULL);
  CHECK(zw_notes_errors(n) >= 1);
  CHECK(zw_model_read_text("t", "", 0, NULL, 0, n) == NULL || zw_notes_count(n) >= 0);
  zw_notes_free(n);
}

TEST(texts_that_are_no_models_do_no_harm)
{
  static const char* const texts[] = {"",
                                      "\n\n",
                                      "\xff\xfe",
                                      "coord",
                                      "(((((",
                                      "model \"",
                                      "x'''''''''''''",
                                      "coord x\nkinetic 1/0*x'^2",
                                      "constraint c: = 0",
                                      "{ } ]"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    zw_notes* n = zw_notes_new();
    zw_model* m = zw_model_read_text("t", texts[i], strlen(texts[i]), NULL, 0, n);
    zw_system* s = m ? zw_derive(m, n) : NULL;
    if (!s && zw_notes_errors(n) == 0)
      check_fail(__FILE__, __LINE__, "no reason for `%s`", texts[i]);
    zw_system_free(s);
    zw_model_free(m);
    zw_notes_free(n);
  }
}

TEST(a_param_is_given_with_each_evaluation_unless_the_model_is_another_one_for_other_values)
{
  zw_notes* n = zw_notes_new();
  const char text[] = "param k = 4\nparam m = 2*k\nparam s = 1\ncoord x\nkinetic m*x'^2/2\n"
                      "force x = -k*x - s*x\nevent turn: x = 0 { set s = -s }\ninitial x = 1\n";
  zw_model* m = zw_model_read_text("t", text, strlen(text), NULL, 0, n);
  CHECK(m != NULL);
  CHECK(zw_model_give(m, "k", n));
  CHECK(zw_model_give(m, "k", n)); // once more changes nothing
  CHECK(!zw_model_give(m, "s", n));
  CHECK(!zw_model_give(m, "nobody", n));
  CHECK_INT(zw_notes_errors(n), 1); // nobody of that name
  zw_model_free(m);
  zw_notes_free(n);
}

TEST(a_start_is_given_in_place_of_the_models_own)
{
  zw_notes* n = zw_notes_new();
  const char text[] = "param k = 4\ncoord x\nkinetic x'^2/2\nforce x = -k*x\ninitial x = 1\n";
  zw_model* m = zw_model_read_text("t", text, strlen(text), NULL, 0, n);
  CHECK(m != NULL);
  CHECK_INT(zw_model_start(m, "x", 0.25, n), ZW_OK);
  CHECK_INT(zw_model_start(m, "x'", 3, n), ZW_OK);
  CHECK_INT(zw_model_start(m, "k", 3, n), ZW_BAD_INPUT);
  CHECK_INT(zw_model_start(m, "nobody", 3, n), ZW_BAD_INPUT);
  CHECK_INT(zw_model_start(m, "x", NAN, n), ZW_BAD_INPUT);
  CHECK_INT(zw_notes_errors(n), 3);
  zw_system* s = zw_derive(m, n);
  zw_run_options o = zw_run_defaults();
  o.until = 1;
  o.points = 2;
  zw_track* t = s ? zw_run(s, &o, n) : NULL;
  CHECK(t != NULL);
  CHECK_NEAR(zw_track_value(t, 0, 1), 0.25, 0);
  CHECK_NEAR(zw_track_value(t, 1, 1), 0.25 * cos(2) + 1.5 * sin(2), 1e-9);
  zw_track_free(t);
  zw_system_free(s);
  zw_model_free(m);
  zw_notes_free(n);
}
