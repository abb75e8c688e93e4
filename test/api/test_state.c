// One state: accelerations and reactions, the released and the comparison system.
#include "bead.h"

#include "check.h"

#include <math.h>

// At rest at (x, y) on the ring: m a = (0, -m g) + 2 Λ (x, y) and x x'' + y y'' = 0, so
// Λ = m g y/2, x'' = g x y, y'' = -g x^2.
TEST(the_initial_state_has_its_accelerations_and_reactions)
{
  bead b = bead_read(NULL);
  zw_point* p = zw_eval(b.system, NULL, NULL, b.notes);
  CHECK(p != NULL);
  CHECK_NEAR(zw_point_value(p, "x"), 0.6, 1e-15);
  CHECK_NEAR(zw_point_value(p, "y"), -0.8, 1e-15);
  CHECK_NEAR(zw_point_value(p, "y'"), 0, 1e-15);
  CHECK_NEAR(zw_point_value(p, "x''"), -9.81 * 0.48, 1e-13);
  CHECK_NEAR(zw_point_value(p, "y''"), -9.81 * 0.36, 1e-13);
  CHECK_NEAR(zw_point_value(p, "reaction.ring"), -9.81 * 0.8, 1e-13);
  zw_point_free(p);
  bead_free(&b);
}

TEST(a_name_that_is_not_there_is_nan)
{
  bead b = bead_read(NULL);
  zw_point* p = zw_eval(b.system, NULL, NULL, b.notes);
  static const char* const names[] = {"",  "z", "x'''", "reaction.", "reaction.rod", "control.ring",
                                      "'", "x "};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!isnan(zw_point_value(p, names[i])))
      check_fail(__FILE__, __LINE__, "`%s` has a value", names[i]);
  zw_point_free(p);
  bead_free(&b);
}

TEST(every_form_gives_the_same_at_a_state_of_ones_own)
{
  bead b = bead_read(NULL);
  static const char* const forms[] = {NULL, "lagrange", "maggi", "gauss", "appell"};
  for (int i = 0; i < 5; i++) {
    zw_point* p = zw_eval(b.system, forms[i], "x=1, y=0, x'=0, y'=3", b.notes);
    CHECK(p != NULL);
    if (!p) continue;
    CHECK_NEAR(zw_point_value(p, "x''"), -9, 1e-12);
    CHECK_NEAR(zw_point_value(p, "y''"), -9.81, 1e-12);
    CHECK_NEAR(zw_point_value(p, "reaction.ring"), -9, 1e-12);
    zw_point_free(p);
  }
  CHECK_INT(zw_notes_errors(b.notes), 0);
  bead_free(&b);
}

TEST(a_state_or_form_that_is_wrong_is_refused)
{
  bead b = bead_read(NULL);
  CHECK(zw_eval(b.system, "nobody", NULL, b.notes) == NULL);
  CHECK(zw_eval(b.system, NULL, "z=1", b.notes) == NULL);
  CHECK(zw_eval(b.system, NULL, "x=", b.notes) == NULL);
  // plainly off the ring
  CHECK(zw_eval(b.system, NULL, "x=2, y=2", b.notes) == NULL);
  CHECK(zw_notes_errors(b.notes) >= 4);
  bead_free(&b);
}

TEST(a_state_with_few_digits_is_moved_and_that_is_said)
{
  bead b = bead_read(NULL);
  zw_point* p = zw_eval(b.system, NULL, "x=0.6001, y=-0.8", b.notes);
  CHECK(p != NULL);
  CHECK(bead_noted(b.notes, 0, "moved"));
  if (p) CHECK_NEAR(hypot(zw_point_value(p, "x"), zw_point_value(p, "y")), 1, 1e-14);
  zw_point_free(p);
  bead_free(&b);
}

TEST(the_text_of_a_point_names_what_it_holds)
{
  bead b = bead_read(NULL);
  zw_point* p = zw_eval(b.system, "maggi", NULL, b.notes);
  char* text = zw_point_text(p, "json", false);
  CHECK(text && strstr(text, "\"accelerations\"") && strstr(text, "\"reactions\""));
  zw_text_free(text);
  text = zw_point_text(p, "text", true);
  CHECK(text && strstr(text, "ring"));
  zw_text_free(text);
  zw_point_free(p);
  bead_free(&b);
}

TEST(released_of_the_ring_the_bead_falls_freely)
{
  bead b = bead_read(NULL);
  zw_point* p = zw_eval(b.system, NULL, NULL, b.notes);
  CHECK(zw_point_release(p, "ring", b.notes));
  char* text = zw_point_text(p, "text", false);
  CHECK(text && strstr(text, "released"));
  CHECK(text && strstr(text, "-9.81"));
  zw_text_free(text);
  CHECK(!zw_point_release(p, "rod", b.notes));
  CHECK(bead_noted(b.notes, 0, "rod"));
  zw_point_free(p);
  p = zw_eval(b.system, NULL, NULL, b.notes);
  CHECK(zw_point_release(p, "", b.notes));
  zw_point_free(p);
  bead_free(&b);
}
