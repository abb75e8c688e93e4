#include "out/file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "out/fixture.h"

static const char* last_reason(const fixture* f)
{
  int n = base_notes_count(f->notes);
  return n ? base_notes_reason(f->notes, n - 1) : "";
}

TEST(tables_are_written_by_their_ending_and_nothing_is_left_beside)
{
  fixture* f = fixture_new(1);
  char* folder = fixture_folder(f);
  char* csv = base_arena_printf(f->arena, "%s/a.csv", folder);
  char* json = base_arena_printf(f->arena, "%s/b.JSON", folder);
  CHECK_INT(out_table_check(csv, f->notes), 0);
  CHECK_INT(out_table_write(&f->one, csv, f->notes), 0);
  CHECK_INT(out_table_write(&f->one, json, f->notes), 0);
  CHECK_INT(fixture_files_in(folder), 2);
  base_text want = {0};
  out_csv(&f->one, &want);
  CHECK_TEXT(fixture_file(f, csv, NULL), want.at);
  CHECK_INT(fixture_file(f, json, NULL)[0], '{');
  base_text_free(&want);
  fixture_free(f);
}

TEST(a_table_longer_than_a_piece_is_written_whole)
{
  fixture* f = fixture_new(1);
  enum { ROWS = 20000 };
  walk_table* t = &f->track[0].table;
  double* value = base_arena_take(f->arena, ROWS * 7 * sizeof *value);
  for (int i = 0; i < ROWS * 7; i++) value[i] = i / 7.0;
  t->value = value;
  t->rows = ROWS;
  f->m.stages = f->m.events = 0;
  char* path = fixture_path(f, "long.csv");
  CHECK_INT(out_table_write(&f->one, path, f->notes), 0);
  base_text want = {0};
  out_csv(&f->one, &want);
  CHECK(want.n > 2 << 20);
  size_t n = 0;
  char* got = fixture_file(f, path, &n);
  CHECK(n == want.n && memcmp(got, want.at, n) == 0);
  base_text_free(&want);
  fixture_free(f);
}

TEST(an_unknown_ending_is_wrong_and_says_what_would_be_right)
{
  fixture* f = fixture_new(1);
  static const char* const names[] = {"run.txt", "run", "", "csv", "/tmp", "some.csv/run"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    CHECK_INT(out_table_check(names[i], f->notes), 1);
    CHECK_INT(out_table_write(&f->one, names[i], f->notes), 1);
  }
  CHECK(strstr(base_notes_text(f->notes, 0), ".csv, .json or .h5") != NULL);
  fixture_free(f);
}

TEST(a_missing_folder_and_a_folder_in_the_way_are_named)
{
  fixture* f = fixture_new(1);
  char* folder = fixture_folder(f);
  char* missing = base_arena_printf(f->arena, "%s/no/such/run.csv", folder);
  CHECK_INT(out_table_check(missing, f->notes), 2);
  CHECK(strstr(last_reason(f), missing) && strstr(last_reason(f), "no folder"));
  CHECK_INT(out_table_write(&f->one, missing, f->notes), 2);
  CHECK(strstr(last_reason(f), "No such file or directory"));

  // a way through a plain file is no folder, even for root
  char* plain = base_arena_printf(f->arena, "%s/plain.csv", folder);
  CHECK_INT(out_table_write(&f->one, plain, f->notes), 0);
  char* through = base_arena_printf(f->arena, "%s/run.csv", plain);
  CHECK_INT(out_table_check(through, f->notes), 2);
  CHECK_INT(out_table_write(&f->one, through, f->notes), 2);
  CHECK(strstr(last_reason(f), "Not a directory"));

  char* in_the_way = base_arena_printf(f->arena, "%s/dir.csv", folder);
  mkdir(in_the_way, 0777);
  CHECK_INT(out_table_check(in_the_way, f->notes), 2);
  CHECK_INT(out_table_write(&f->one, in_the_way, f->notes), 2);
  CHECK(strstr(last_reason(f), "Is a directory"));
  CHECK_INT(fixture_files_in(folder), 2);
  fixture_free(f);
}

TEST(a_full_disk_is_reported_for_every_format)
{
  fixture* f = fixture_new(1);
  if (access("/dev/full", W_OK) != 0) {
    fixture_free(f);
    SKIP("there is no /dev/full");
  }
  CHECK_INT(out_table_write(&f->one, "/dev/full", f->notes), 2);
  CHECK(strstr(last_reason(f), "No space left on device"));
  char* folder = fixture_folder(f);
  static const char* const names[] = {"full.csv", "full.json", "full.h5"};
  for (int i = 0; i < 3; i++) {
    char* link = base_arena_printf(f->arena, "%s/%s", folder, names[i]);
    CHECK_INT(symlink("/dev/full", link), 0);
    int code = out_table_write(&f->one, link, f->notes);
    CHECK(code == 2 || (code == 1 && strstr(last_reason(f), "without HDF5")));
  }
  CHECK_INT(fixture_files_in(folder), 3);
  fixture_free(f);
}

TEST(a_file_that_fails_halfway_leaves_the_old_one)
{
  fixture* f = fixture_new(1);
  char* folder = fixture_folder(f);
  char* path = base_arena_printf(f->arena, "%s/run.csv", folder);
  CHECK(out_file_write(path, "old", 3, f->notes));
  out_file file;
  CHECK(out_file_open(&file, path, f->notes));
  CHECK(out_file_add(&file, "new", 3));
  file.fault = 28; // as if the disk were full
  CHECK(!out_file_close(&file, f->notes));
  CHECK_TEXT(fixture_file(f, path, NULL), "old");
  CHECK_INT(fixture_files_in(folder), 1);
  fixture_free(f);
}

TEST(a_link_is_followed_and_rights_are_kept)
{
  fixture* f = fixture_new(1);
  char* folder = fixture_folder(f);
  char* path = base_arena_printf(f->arena, "%s/real.csv", folder);
  char* link = base_arena_printf(f->arena, "%s/link.csv", folder);
  CHECK(out_file_write(path, "old", 3, f->notes));
  chmod(path, 0640);
  CHECK_INT(symlink("real.csv", link), 0);
  CHECK(out_file_write(link, "new", 3, f->notes));
  CHECK_TEXT(fixture_file(f, path, NULL), "new");
  struct stat s;
  lstat(link, &s);
  CHECK(S_ISLNK(s.st_mode));
  stat(path, &s);
  CHECK_INT(s.st_mode & 0777, 0640);
  fixture_free(f);
}

TEST(standard_output_takes_csv_and_reports_a_full_disk)
{
  fixture* f = fixture_new(1);
  // stdout of a child, so that ours stays as it is
  char* path = fixture_path(f, "stdout.csv");
  fflush(stdout);
  for (int full = 0; full < 2; full++) {
    pid_t child = fork();
    if (child == 0) {
      int fd = open(full ? "/dev/full" : path, O_WRONLY | O_CREAT, 0666);
      dup2(fd, 1);
      int code = out_table_write(&f->one, "-", f->notes);
      _exit(code * 10 + base_notes_errors(f->notes));
    }
    int status = 0;
    waitpid(child, &status, 0);
    CHECK_INT(WEXITSTATUS(status), full ? 21 : 0);
  }
  CHECK(strncmp(fixture_file(f, path, NULL), "t,x,y", 5) == 0);
  fixture_free(f);
}
