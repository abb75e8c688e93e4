// Many runs over a param.
#include "bead.h"

#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static bool never(void* context, const zw_sweep_progress* p)
{
  *(long long*)context = p->total;
  return false;
}

TEST(a_sweep_writes_one_row_for_each_value)
{
  bead b = bead_read(NULL);
  const char* over[] = {"g=1,4,9"};
  zw_sweep_options o = zw_sweep_defaults();
  o.over = over;
  o.over_count = 1;
  o.results = "x, count(low)";
  o.out = bead_path("sweep.csv");
  zw_sweep_progress report;
  CHECK_INT(zw_sweep(b.model, &o, &report, b.notes), ZW_OK);
  CHECK_INT(report.total, 3);
  CHECK_INT(report.done, 3);
  CHECK_INT(report.failed, 0);
  char* text = bead_file(o.out);
  int lines = 0;
  for (const char* at = text; at && (at = strchr(at, '\n')); at++) lines++;
  CHECK_INT(lines, 4);
  CHECK(text && strncmp(text, "g,x,count(low)", 14) == 0);
  free(text);
  bead_free(&b);
}

TEST(rows_do_not_depend_on_the_threads)
{
  char* text[2];
  for (int i = 0; i < 2; i++) {
    bead b = bead_read(NULL);
    const char* over[] = {"g=1..9:17"};
    zw_sweep_options o = zw_sweep_defaults();
    o.over = over;
    o.over_count = 1;
    o.threads = i ? 3 : 1;
    o.out = bead_path("threads.csv");
    CHECK_INT(zw_sweep(b.model, &o, NULL, b.notes), ZW_OK);
    text[i] = bead_file(o.out);
    bead_free(&b);
  }
  CHECK(text[0] && text[1] && !strcmp(text[0], text[1]));
  free(text[0]);
  free(text[1]);
}

TEST(a_sweep_that_is_wrong_is_refused_with_the_reason)
{
  bead b = bead_read(NULL);
  static const char* const wrong[] = {"nobody=1,2", "g", "g=", "g=1..2", "g=1..2:0", ""};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    zw_sweep_options o = zw_sweep_defaults();
    o.over = &wrong[i];
    o.over_count = 1;
    o.out = bead_path("wrong.csv");
    const int before = zw_notes_errors(b.notes);
    if (zw_sweep(b.model, &o, NULL, b.notes) >= 0 || zw_notes_errors(b.notes) == before)
      check_fail(__FILE__, __LINE__, "over %s", wrong[i]);
  }
  const char* over[] = {"g=1,2"};
  zw_sweep_options o = zw_sweep_defaults();
  o.over = over;
  o.over_count = 1;
  o.results = "nobody";
  o.out = bead_path("wrong.csv");
  CHECK(zw_sweep(b.model, &o, NULL, b.notes) < 0);
  o.results = NULL;
  o.method = "nobody";
  CHECK(zw_sweep(b.model, &o, NULL, b.notes) < 0);
  o.method = NULL;
  o.out = bead_path("absent/wrong.csv");
  CHECK(zw_sweep(b.model, &o, NULL, b.notes) < 0);
  o.cookie = 0;
  CHECK(zw_sweep(b.model, &o, NULL, b.notes) < 0);
  CHECK(bead_file(bead_path("wrong.csv")) == NULL);
  bead_free(&b);
}

TEST(a_sweep_can_be_stopped_from_outside)
{
  bead b = bead_read(NULL);
  const char* over[] = {"g=1..9:2000"};
  long long total = 0;
  zw_sweep_options o = zw_sweep_defaults();
  o.over = over;
  o.over_count = 1;
  o.out = bead_path("stopped.csv");
  o.progress = never;
  o.progress_context = &total;
  zw_sweep_progress report;
  CHECK_INT(zw_sweep(b.model, &o, &report, b.notes), ZW_INTERRUPTED);
  CHECK_INT(total, 2000);
  CHECK(report.done < 2000);
  bead_free(&b);
}

TEST(a_run_that_fails_is_a_row_with_its_reason)
{
  zw_notes* n = zw_notes_new();
  const char text[] =
      "param a = 1\ncoord x\nkinetic x'^2/2\nconstraint c: x^2 = a\ninitial x ~ 1\nrun 0 .. 1\n";
  zw_model* m = zw_model_read_text("t", text, strlen(text), NULL, 0, n);
  CHECK(m != NULL);
  const char* over[] = {"a=1,-1"};
  zw_sweep_options o = zw_sweep_defaults();
  o.over = over;
  o.over_count = 1;
  o.out = bead_path("failing.csv");
  zw_sweep_progress report;
  CHECK(m && zw_sweep(m, &o, &report, n) >= ZW_UNFINISHED);
  CHECK_INT(report.failed, 1);
  zw_model_free(m);
  zw_notes_free(n);
}

TEST(values_of_a_sweep_may_be_numbers)
{
  bead b = bead_read(NULL);
  const double values[] = {1.0 / 3, 4, 9};
  const double* given[] = {values};
  const long long counts[] = {3};
  const char *name[] = {"g"}, *text[] = {"g=0.33333333333333331,4,9"};
  double by_number[9], by_text[9];
  zw_sweep_options o = zw_sweep_defaults();
  o.over_count = 1;
  o.results = "x";
  o.table_room = 3;
  o.over = text;
  o.table = by_text;
  CHECK_INT(zw_sweep(b.model, &o, NULL, b.notes), ZW_OK);
  o.over = name;
  o.over_values = given;
  o.over_counts = counts;
  o.table = by_number;
  CHECK_INT(zw_sweep(b.model, &o, NULL, b.notes), ZW_OK);
  for (int i = 0; i < 9; i++) CHECK_NEAR(by_number[i], by_text[i], 0);
  // with no counts, with none of them, with what is no number, of what is not there
  const double infinite[] = {INFINITY};
  const char* nothing[] = {"nothing"};
  o.over_counts = NULL;
  CHECK_INT(zw_sweep(b.model, &o, NULL, b.notes), ZW_BAD_INPUT);
  o.over_counts = (const long long[]){0};
  CHECK_INT(zw_sweep(b.model, &o, NULL, b.notes), ZW_BAD_INPUT);
  o.over_counts = (const long long[]){1};
  o.over_values = (const double* const[]){infinite};
  CHECK_INT(zw_sweep(b.model, &o, NULL, b.notes), ZW_BAD_INPUT);
  o.over_values = given;
  o.over = nothing;
  CHECK_INT(zw_sweep(b.model, &o, NULL, b.notes), ZW_BAD_INPUT);
  bead_free(&b);
}

TEST(rows_of_a_sweep_may_stay_in_memory)
{
  bead b = bead_read(NULL);
  const char *over[] = {"g=1,4,9"}, *basin[] = {"left: x=-1, y=0", "right: x=1, y=0"};
  zw_sweep_options o = zw_sweep_defaults();
  o.over = over;
  o.over_count = 1;
  o.results = "x, count(low)";
  o.basin = basin;
  o.basin_count = 2;
  long long runs = 0;
  char* columns = zw_sweep_plan(b.model, &o, &runs, b.notes);
  CHECK_TEXT(columns, "g\nx\ncount(low)\nbasin\nquality");
  zw_text_free(columns);
  CHECK_INT(runs, 3);
  double table[4 * 5];
  for (int i = 0; i < 20; i++) table[i] = 77;
  o.table = table;
  o.table_room = 3;
  zw_sweep_progress report;
  CHECK_INT(zw_sweep(b.model, &o, &report, b.notes), ZW_OK);
  CHECK_INT(report.done, 3);
  for (int i = 0; i < 3; i++) {
    const double g = (i + 1) * (i + 1), *row = table + 5 * i;
    char set[20];
    snprintf(set, sizeof set, "g=%g", g);
    bead one = bead_read(set);
    zw_track* t = bead_run(&one, 2);
    CHECK_NEAR(row[0], g, 0);
    // runs of a sweep go side by side, and meet those alone to the tolerance
    CHECK_NEAR(row[1], zw_track_value(t, zw_track_rows(t) - 1, 1), 1e-10);
    CHECK_NEAR(row[2], zw_track_events(t), 0);
    CHECK_NEAR(row[3], row[1] > 0, 0);
    CHECK_NEAR(row[4], 0, 0);
    CHECK_NEAR(zw_track_values(t)[1], zw_track_value(t, 0, 1), 0);
    CHECK(!strcmp(zw_track_unit(t, 1), "m"));
    zw_track_free(t);
    bead_free(&one);
  }
  CHECK_NEAR(table[15], 77, 0);
  // no more than there is room for
  o.table_room = 1;
  table[5] = 77;
  CHECK_INT(zw_sweep(b.model, &o, &report, b.notes), ZW_OK);
  CHECK_NEAR(table[5], 77, 0);
  o.plot = "x.svg";
  CHECK_INT(zw_sweep(b.model, &o, &report, b.notes), ZW_BAD_INPUT);
  bead_free(&b);
}
