// Runs that are kept as they go, and taken up.
#include "bead.h"

#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static bool stop_late(void* context, const zw_progress* p)
{
  return p->steps < *(const long*)context;
}

static zw_run_options options(void)
{
  zw_run_options o = zw_run_defaults();
  o.until = 20000;
  o.tolerance = 1e-6;
  o.method = "dop853";
  o.points = 50;
  return o;
}

static char* beside(const char* name, const char* ending)
{
  char* path = malloc(4096);
  snprintf(path, 4096, "%s%s", bead_path(name), ending);
  return path;
}

static bool is_there(const char* name, const char* ending)
{
  char* path = beside(name, ending);
  const bool there = access(path, F_OK) == 0;
  free(path);
  return there;
}

// the run and its table; how it ended
static zw_status make(const bead* b, const zw_run_options* o, const char* name)
{
  zw_track* t = zw_run(b->system, o, b->notes);
  if (!t) return ZW_BAD_INPUT;
  char* path = beside(name, "");
  const zw_track* tracks[] = {t};
  const zw_runs runs = {.track = tracks, .count = 1};
  CHECK_INT(zw_table_write(&runs, path, b->notes), ZW_OK);
  const zw_status status = zw_track_status(t);
  zw_track_free(t);
  free(path);
  return status;
}

TEST(a_run_that_was_broken_off_is_taken_up_to_the_same_table)
{
  bead b = bead_read(NULL);
  long steps = 45000;
  zw_run_options o = options();
  setenv("ZWANG_KEEP_EVERY", "0", 1);
  CHECK_INT(make(&b, &o, "whole.csv"), ZW_OK);
  char* path = beside("kept.csv", "");
  o.keep = path;
  o.progress = stop_late;
  o.progress_context = &steps;
  CHECK_INT(make(&b, &o, "kept.csv"), ZW_INTERRUPTED);
  CHECK(is_there("kept.csv", "") && is_there("kept.csv", ".journal"));
  CHECK(!is_there("kept.csv", ".part"));
  // what was kept is not written over by mistake
  o.progress = NULL;
  int before = zw_notes_count(b.notes);
  CHECK_INT(make(&b, &o, "kept.csv"), ZW_BAD_INPUT);
  CHECK(bead_noted(b.notes, before, "broken off before"));
  // nor taken for another run
  o.resume = true;
  o.points = 51;
  before = zw_notes_count(b.notes);
  CHECK_INT(make(&b, &o, "kept.csv"), ZW_BAD_INPUT);
  CHECK(bead_noted(b.notes, before, "belongs to another run"));
  o.points = 50;
  CHECK_INT(make(&b, &o, "kept.csv"), ZW_OK);
  CHECK(!is_there("kept.csv", ".journal") && !is_there("kept.csv", ".part"));
  char *whole = bead_file(bead_path("whole.csv")), *kept = bead_file(path);
  CHECK(whole && kept && !strcmp(whole, kept));
  unsetenv("ZWANG_KEEP_EVERY");
  free(whole);
  free(kept);
  free(path);
  bead_free(&b);
}

TEST(a_short_run_leaves_nothing_beside_its_table)
{
  bead b = bead_read(NULL);
  zw_run_options o = options();
  char* path = beside("short.csv", "");
  o.until = 1;
  o.keep = path;
  CHECK_INT(make(&b, &o, "short.csv"), ZW_OK);
  CHECK(is_there("short.csv", ""));
  CHECK(!is_there("short.csv", ".journal") && !is_there("short.csv", ".part"));
  free(path);
  bead_free(&b);
}

TEST(of_two_runs_into_one_table_the_second_is_refused)
{
  bead b = bead_read(NULL);
  zw_run_options o = options();
  char* path = beside("both.csv", "");
  o.until = 1;
  o.keep = path;
  zw_track* first = zw_run(b.system, &o, b.notes);
  const int before = zw_notes_count(b.notes);
  CHECK(first && !zw_run(b.system, &o, b.notes));
  CHECK(bead_noted(b.notes, before, "another run or sweep is writing"));
  // whoever gives the first back lets others in
  zw_track_free(first);
  zw_track* second = zw_run(b.system, &o, b.notes);
  CHECK(second);
  zw_track_free(second);
  CHECK(!is_there("both.csv", ".journal"));
  free(path);
  bead_free(&b);
}

TEST(what_cannot_be_taken_up_is_refused)
{
  bead b = bead_read(NULL);
  zw_run_options o = options();
  o.resume = true;
  int before = zw_notes_count(b.notes);
  CHECK(!zw_run(b.system, &o, b.notes));
  CHECK(bead_noted(b.notes, before, "needs --out"));
  char *path = beside("odd.csv", ""), *journal = beside("odd.csv", ".journal");
  FILE* f = fopen(journal, "w");
  fputs("a diary\n", f);
  fclose(f);
  o.keep = path;
  before = zw_notes_count(b.notes);
  CHECK(!zw_run(b.system, &o, b.notes));
  CHECK(bead_noted(b.notes, before, "not the journal of a run"));
  // it is nobody's to write over
  char* text = bead_file(journal);
  CHECK_TEXT(text, "a diary\n");
  free(text);
  free(path);
  free(journal);
  bead_free(&b);
}
