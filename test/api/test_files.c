// Tables, plots, pages and films.
#include "bead.h"

#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

TEST(a_place_can_be_asked_for_before_a_long_run)
{
  zw_notes* n = zw_notes_new();
  CHECK_INT(zw_table_check(bead_path("a.csv"), n), ZW_OK);
  CHECK_INT(zw_table_check(bead_path("a.json"), n), ZW_OK);
  CHECK_INT(zw_table_check("-", n), ZW_OK);
  CHECK_INT(zw_plot_check(bead_path("a.gp"), n), ZW_OK);
  CHECK_INT(zw_view_check(bead_path("a.html"), n), ZW_OK);
  CHECK_INT(zw_notes_errors(n), 0);
  CHECK_INT(zw_table_check(bead_path("a.xyz"), n), ZW_BAD_INPUT);
  CHECK_INT(zw_table_check(bead_path("absent/a.csv"), n), ZW_BAD_INPUT);
  CHECK_INT(zw_table_check("", n), ZW_BAD_INPUT);
  CHECK_INT(zw_plot_check(bead_path("a.xyz"), n), ZW_BAD_INPUT);
  CHECK_INT(zw_plot_check(bead_path("absent/a.gp"), n), ZW_BAD_INPUT);
  CHECK_INT(zw_view_check(bead_path("absent/a.html"), n), ZW_BAD_INPUT);
  CHECK_INT(zw_film_check(bead_path("a.xyz"), n), ZW_BAD_INPUT);
  CHECK_INT(zw_notes_errors(n), 7);
  zw_notes_free(n);
}

TEST(a_film_is_possible_or_the_reason_is_noted)
{
  zw_notes* n = zw_notes_new();
  const zw_status can = zw_film_check(bead_path("a.mp4"), n);
  CHECK(can == ZW_OK ? zw_notes_errors(n) == 0 : zw_notes_errors(n) == 1);
  zw_film_options o = zw_film_defaults();
  CHECK_INT(o.width, 960);
  CHECK_INT(o.height, 540);
  CHECK_NEAR(o.fps, 30, 0);
  const int before = zw_notes_errors(n);
  CHECK(zw_film_write(bead_path("absent.html"), &o, bead_path("a.mp4"), n) < 0);
  CHECK(zw_notes_errors(n) > before);
  CHECK(access(bead_path("a.mp4"), F_OK) != 0);
  o.cookie = 0;
  CHECK_INT(zw_film_write(bead_path("absent.html"), &o, bead_path("a.mp4"), n), ZW_BAD_INPUT);
  zw_notes_free(n);
}

TEST(a_table_has_a_line_for_each_row)
{
  bead b = bead_read(NULL);
  zw_track* t = bead_run(&b, 5);
  const zw_track* tracks[] = {t};
  const zw_runs runs = {.track = tracks, .count = 1};
  CHECK_INT(zw_table_write(&runs, bead_path("table.csv"), b.notes), ZW_OK);
  char* text = bead_file(bead_path("table.csv"));
  int lines = 0;
  for (const char* at = text; at && (at = strchr(at, '\n')); at++) lines++;
  CHECK_INT(lines, zw_track_rows(t) + 1);
  CHECK(text && strncmp(text, "t,x,y,x',y',", 12) == 0);
  free(text);
  CHECK_INT(zw_table_write(&runs, bead_path("table.json"), b.notes), ZW_OK);
  text = bead_file(bead_path("table.json"));
  CHECK(text && strstr(text, "\"reaction.ring\""));
  free(text);
  CHECK_INT(zw_columns_check(b.system, "y,reaction.*", b.notes), ZW_OK);
  CHECK_INT(zw_columns_check(b.system, "nobody", b.notes), ZW_BAD_INPUT);
  const zw_runs chosen = {.track = tracks, .count = 1, .columns = "y,reaction.*", .units = true};
  CHECK_INT(zw_table_write(&chosen, bead_path("chosen.csv"), b.notes), ZW_OK);
  text = bead_file(bead_path("chosen.csv"));
  // of x^2 + y^2 = 1 m^2
  const char head[] = "t [s],y [m],reaction.ring [kg/s^2]\n";
  CHECK(text && strncmp(text, head, strlen(head)) == 0);
  free(text);
  text = zw_table_text(&chosen, b.notes);
  CHECK(text && strstr(text, "t [s]"));
  zw_text_free(text);
  text = zw_table_json(&chosen, b.notes);
  CHECK(text && strstr(text, "\"y\": [") && !strstr(text, "\"x\": ["));
  zw_text_free(text);
  const zw_runs wrong = {.track = tracks, .count = 1, .columns = "nobody"};
  CHECK_INT(zw_table_write(&wrong, bead_path("wrong.csv"), b.notes), ZW_BAD_INPUT);
  CHECK(access(bead_path("wrong.csv"), F_OK) != 0);
  CHECK(zw_table_text(&wrong, b.notes) == NULL);
  CHECK_INT(zw_table_write(&runs, bead_path("table.xyz"), b.notes), ZW_BAD_INPUT);
  CHECK(zw_table_write(&runs, bead_path("absent/table.csv"), b.notes) < 0);
  CHECK(access(bead_path("table.xyz"), F_OK) != 0);
  zw_track_free(t);
  bead_free(&b);
}

TEST(runs_that_differ_in_a_param_share_a_table_and_a_plot)
{
  bead b[2] = {bead_read("m=1"), bead_read("m=3")};
  zw_track* t[2];
  for (int i = 0; i < 2; i++) {
    zw_run_options o = zw_run_defaults();
    o.points = 5;
    o.curves = true;
    t[i] = zw_run(b[i].system, &o, b[i].notes);
    CHECK(t[i] != NULL);
  }
  const zw_track* tracks[] = {t[0], t[1]};
  const double value[] = {1, 3};
  const zw_runs runs = {.track = tracks, .count = 2, .varied = "m", .value = value};
  CHECK_INT(zw_table_write(&runs, bead_path("both.csv"), b[0].notes), ZW_OK);
  char* text = bead_file(bead_path("both.csv"));
  CHECK(text && strncmp(text, "m,t,", 4) == 0);
  free(text);
  CHECK_INT(zw_plot_write(&runs, bead_path("both.gp"), b[0].notes), ZW_OK);
  text = bead_file(bead_path("both.gp"));
  CHECK(text && strstr(text, "plot"));
  free(text);
  CHECK_INT(zw_plot_write(&runs, bead_path("both.xyz"), b[0].notes), ZW_BAD_INPUT);
  for (int i = 0; i < 2; i++) {
    zw_track_free(t[i]);
    bead_free(&b[i]);
  }
}

TEST(a_page_needs_a_run_with_its_scene)
{
  bead b = bead_read(NULL);
  zw_run_options o = zw_run_defaults();
  o.scene = true;
  zw_track *seen = zw_run(b.system, &o, b.notes), *plain = bead_run(&b, 5);
  const zw_track* tracks[] = {seen};
  zw_runs runs = {.track = tracks, .count = 1};
  zw_view_options v = zw_view_defaults();
  v.form = "maggi";
  CHECK_INT(zw_view_write(&runs, &v, bead_path("bead.html"), b.notes), ZW_OK);
  char* text = bead_file(bead_path("bead.html"));
  CHECK(text && strstr(text, "A bead on a ring"));
  free(text);
  char *whole = zw_view_json(&runs, &v, false, b.notes),
       *moving = zw_view_json(&runs, &v, true, b.notes);
  CHECK(whole && strstr(whole, "\"forms\"") && strstr(whole, "A bead on a ring"));
  // the runs are the same to the last byte, and all there is beside the title
  CHECK(moving && !strstr(moving, "\"forms\"") && !strstr(moving, "\"sources\""));
  const char* run = moving ? strstr(moving, "\"runs\"") : NULL;
  CHECK(run && whole && strstr(whole, run) && strlen(run) > strlen(moving) / 2);
  zw_text_free(whole);
  zw_text_free(moving);
  v.form = "nobody";
  CHECK(!zw_view_json(&runs, &v, false, b.notes));
  CHECK_INT(zw_view_write(&runs, &v, bead_path("other.html"), b.notes), ZW_BAD_INPUT);
  v = zw_view_defaults();
  v.cookie = 0;
  CHECK_INT(zw_view_write(&runs, &v, bead_path("other.html"), b.notes), ZW_BAD_INPUT);
  tracks[0] = plain;
  v = zw_view_defaults();
  CHECK_INT(zw_view_write(&runs, &v, bead_path("other.html"), b.notes), ZW_BAD_INPUT);
  CHECK(!zw_view_json(&runs, &v, true, b.notes));
  runs.count = 0;
  CHECK_INT(zw_view_write(&runs, &v, bead_path("other.html"), b.notes), ZW_BAD_INPUT);
  CHECK(access(bead_path("other.html"), F_OK) != 0);
  // a live page is made of a viewer that is a file
  char* old = getenv("ZWANG_LIVE") ? strdup(getenv("ZWANG_LIVE")) : NULL;
  setenv("ZWANG_LIVE", "/nowhere", 1);
  CHECK_INT(zw_live_check(b.notes), ZW_BAD_INPUT);
  if (old)
    setenv("ZWANG_LIVE", old, 1);
  else
    unsetenv("ZWANG_LIVE");
  free(old);
  zw_track_free(seen);
  zw_track_free(plain);
  bead_free(&b);
}
