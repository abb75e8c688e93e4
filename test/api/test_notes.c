// Status, version, notes, and what every zw_*_free accepts.
#include "bead.h"

#include "check.h"

TEST(every_status_has_one_line_of_english)
{
#define X(NAME, VALUE, TEXT)              \
  CHECK_TEXT(zw_status_text(NAME), TEXT); \
  CHECK_INT(NAME, VALUE);
  ZW_STATUS_LIST(X)
#undef X
  CHECK(zw_status_text((zw_status)77) != NULL);
}

TEST(the_version_has_numbers_with_points)
{
  const char* v = zw_version();
  CHECK(strspn(v, "0123456789.") == strlen(v) && strchr(v, '.') != NULL);
}

TEST(everything_freed_may_be_null)
{
  zw_text_free(NULL);
  zw_notes_free(NULL);
  zw_model_free(NULL);
  zw_system_free(NULL);
  zw_point_free(NULL);
  zw_track_free(NULL);
}

TEST(new_notes_are_empty)
{
  zw_notes* n = zw_notes_new();
  CHECK_INT(zw_notes_count(n), 0);
  CHECK_INT(zw_notes_errors(n), 0);
  zw_notes_free(n);
}

TEST(a_note_shows_file_line_and_reason)
{
  zw_notes* n = zw_notes_new();
  const char text[] = "coord x\nkinetic x'^2/2\nforce x = -k*x\n";
  CHECK(zw_model_read_text("spring.zw", text, strlen(text), NULL, 0, n) == NULL);
  CHECK_INT(zw_notes_errors(n), 1);
  CHECK_INT(zw_notes_level(n, 0), ZW_ERROR);
  const char* told = zw_notes_text(n, 0);
  CHECK(strstr(told, "spring.zw:3:12") != NULL);
  CHECK(strstr(told, "force x = -k*x") != NULL);
  CHECK(strstr(told, "^") != NULL);
  zw_notes_free(n);
}

TEST(errors_are_counted_apart_from_other_notes)
{
  zw_notes* n = zw_notes_new();
  // two constraints that say the same are a warning of the run, no error
  const char text[] =
      "coord x, y\nkinetic x'^2/2 + y'^2/2\nconstraint a: x = y\nconstraint b: 2*x = 2*y\n"
      "run 0 .. 1\n";
  zw_model* m = zw_model_read_text("twice.zw", text, strlen(text), NULL, 0, n);
  zw_system* s = m ? zw_derive(m, n) : NULL;
  zw_run_options o = zw_run_defaults();
  zw_track* t = s ? zw_run(s, &o, n) : NULL;
  CHECK(t != NULL);
  CHECK_INT(zw_notes_errors(n), 0);
  bool warned = false;
  for (int i = 0; i < zw_notes_count(n); i++) warned = warned || zw_notes_level(n, i) == ZW_WARNING;
  CHECK(warned);
  zw_track_free(t);
  zw_system_free(s);
  zw_model_free(m);
  zw_notes_free(n);
}
