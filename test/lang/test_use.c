// `use`: files beside the model, each once, none from outside.
#include "check.h"
#include "read.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char top[64];

static const char* path_of(const char* name)
{
  static char path[200];
  snprintf(path, sizeof path, "%s/%s", top, name);
  return path;
}

static void put(const char* name, const char* text)
{
  FILE* f = fopen(path_of(name), "w");
  if (f) {
    fputs(text, f);
    fclose(f);
  }
}

// a folder with a model's folder in it, and a file outside that folder
static void set_up(void)
{
  snprintf(top, sizeof top, "/tmp/zwang-use-XXXXXX");
  CHECK(mkdtemp(top) != NULL);
  mkdir(path_of("m"), 0700);
  mkdir(path_of("m/sub"), 0700);
  put("outside.zw", "coord outside\n");
}

static void tear_down(void)
{
  static const char* const names[] = {"m/sub/c.zw", "m/sub/d.zw", "m/a.zw",     "m/b.zw", "m/l.zw",
                                      "m/out.zw",   "m/up",       "outside.zw", "l.zw"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) unlink(path_of(names[i]));
  rmdir(path_of("m/sub"));
  rmdir(path_of("m"));
  rmdir(top);
}

// the tree or the notes with the folder's own path cut out
static const char* read_model(const char* name)
{
  static char keep[4000];
  const char* text = read_file(path_of(name), NULL);
  keep[0] = 0;
  for (const char* at; (at = strstr(text, top)); text = at + strlen(top) + 1)
    strncat(keep, text, (size_t)(at - text));
  strcat(keep, text);
  return keep;
}

TEST(used_files_are_taken_in_at_their_place_and_once)
{
  set_up();
  put("m/a.zw", "coord a1\nuse \"b.zw\"\nuse \"sub/c.zw\"\ncoord a2\n");
  put("m/b.zw", "coord b\nuse \"sub/c.zw\"\n");
  put("m/sub/c.zw", "coord c\nuse \"d.zw\"\n");
  put("m/sub/d.zw", "coord d");
  CHECK_TEXT(read_model("m/a.zw"), "coord a1\ncoord b\ncoord c\ncoord d\ncoord a2\n");
  tear_down();
}

TEST(a_file_of_functions_is_named_twice_without_harm)
{
  set_up();
  put("m/a.zw", "use \"b.zw\"\nuse \"./sub/../b.zw\"\n");
  put("m/b.zw", "part P(a = 1) { coord x }\nfunction f(x) = x\n");
  CHECK_TEXT(read_model("m/a.zw"),
             "function f(x) = x\n"
             "m/a.zw:2:5: note: `./sub/../b.zw` is named a second time; it is taken in once\n"
             "    2 | use \"./sub/../b.zw\"\n      |     ^~~~~~~~~~~~~~~\n");
  tear_down();
}

TEST(a_file_that_would_be_there_twice_is_refused)
{
  set_up();
  put("m/a.zw", "use \"b.zw\"\nuse \"b.zw\"\n");
  put("m/b.zw", "function f(x) = x\ncoord b\n");
  CHECK_TEXT(read_model("m/a.zw"),
             "m/a.zw:2:5: error: `b.zw` is taken in a second time, and holds more than parts and "
             "functions\n"
             "    2 | use \"b.zw\"\n      |     ^~~~~~\n"
             "m/b.zw:2:1: note: this would be there twice\n"
             "    2 | coord b\n      | ^~~~~~~\n"
             "help: name it once; what is to be there several times is a `part`\n");
  tear_down();
}

// std is no folder of the model
TEST(parts_come_with_the_program)
{
  const char* const put = "put Rod() on world as p\noutput a = p.l\n";
  char one[200], all[200], seen[2000];
  snprintf(one, sizeof one, "use std \"pendulums\"\nuse std \"pendulums\"\n%s", put);
  snprintf(all, sizeof all, "use std\n%s", put);
  snprintf(seen, sizeof seen, "%s", read_text(one));
  CHECK(strstr(seen, "joint p.pivot: hinge p.link") != NULL);
  CHECK_TEXT(read_text(all), seen);
}

TEST(a_file_that_takes_in_itself_is_refused)
{
  set_up();
  put("m/a.zw", "use \"b.zw\"\n");
  put("m/b.zw", "coord b\nuse \"a.zw\"\nuse \"b.zw\"\n");
  CHECK_TEXT(read_model("m/a.zw"), "m/b.zw:2:5: error: `a.zw` takes in itself\n"
                                   "    2 | use \"a.zw\"\n"
                                   "      |     ^~~~~~\n"
                                   "help: no file may use itself, directly or through others\n"
                                   "m/b.zw:3:5: error: `b.zw` takes in itself\n"
                                   "    3 | use \"b.zw\"\n"
                                   "      |     ^~~~~~\n"
                                   "help: no file may use itself, directly or through others\n");
  tear_down();
}

TEST(errors_in_used_files_name_the_file)
{
  set_up();
  put("m/a.zw", "use \"sub/c.zw\"\nlet\n");
  put("m/sub/c.zw", "coord x\nlett\n");
  CHECK_TEXT(read_model("m/a.zw"), "m/sub/c.zw:2:1: error: there is no statement `lett`\n"
                                   "    2 | lett\n"
                                   "      | ^~~~\n"
                                   "help: did you mean `let`?\n"
                                   "m/a.zw:2:4: error: expected a name before the end of the line\n"
                                   "    2 | let\n"
                                   "      |    ^\n"
                                   "help: it is written: let p = x'*sin(x)\n");
  tear_down();
}

static void check_refused(const char* use, const char* reason)
{
  char text[200];
  snprintf(text, sizeof text, "use \"%s\"\n", use);
  put("m/a.zw", text);
  base_arena* arena = base_arena_new();
  base_notes* notes = base_notes_new();
  lang_tree* t = lang_parse_file(path_of("m/a.zw"), NULL, arena, notes);
  CHECK_INT(t->count, 0);
  CHECK_INT(base_notes_errors(notes), 1);
  if (base_notes_count(notes)) CHECK_TEXT(base_notes_reason(notes, 0), reason);
  base_notes_free(notes);
  base_arena_free(arena);
}

TEST(files_outside_the_folder_are_refused)
{
  set_up();
  CHECK_INT(symlink("../outside.zw", path_of("m/l.zw")), 0);
  CHECK_INT(symlink("..", path_of("m/up")), 0);
  check_refused("../outside.zw", "`../outside.zw` is outside the folder of the model");
  check_refused("sub/../../outside.zw",
                "`sub/../../outside.zw` is outside the folder of the model");
  check_refused("../m/b.zw", "`../m/b.zw` is outside the folder of the model");
  check_refused("/etc/passwd", "`/etc/passwd` is outside the folder of the model");
  check_refused("l.zw", "`l.zw` leads outside the folder of the model");
  check_refused("up/outside.zw", "`up/outside.zw` leads outside the folder of the model");
  check_refused("none.zw", "cannot read `none.zw`: there is no such file");
  check_refused("sub", "cannot read `sub`: it is a folder");
  check_refused("", "expected the name of a file in the quotes");
  tear_down();
}

TEST(a_file_that_cannot_be_read_is_reported_once)
{
  set_up();
  put("m/a.zw", "use \"sub\"\nuse \"sub\"\n");
  CHECK_TEXT(read_model("m/a.zw"), "m/a.zw:1:5: error: cannot read `sub`: it is a folder\n"
                                   "    1 | use \"sub\"\n"
                                   "      |     ^~~~~\n");
  tear_down();
}

TEST(a_folder_whose_name_begins_alike_is_outside)
{
  set_up();
  put("m/sub/c.zw", "use \"../b.zw\"\n");
  put("m/b.zw", "coord b\n");
  // a model in m/sub may not look into m
  CHECK_TEXT(read_model("m/sub/c.zw"),
             "m/sub/c.zw:1:5: error: `../b.zw` is outside the folder of the model\n"
             "    1 | use \"../b.zw\"\n"
             "      |     ^~~~~~~~~\n"
             "help: only files in that folder and below can be used\n");
  tear_down();
}

TEST(the_number_and_the_size_of_used_files_are_bounded)
{
  set_up();
  put("m/a.zw", "use \"b.zw\"\nuse \"sub/c.zw\"\n");
  put("m/b.zw", "coord b\n");
  put("m/sub/c.zw", "coord c\n");
  lang_limits limits = lang_limits_default();
  limits.files = 2;
  CHECK(strstr(read_file(path_of("m/a.zw"), &limits), "more than 2 files are taken in") != NULL);
  limits = lang_limits_default();
  limits.file_bytes = 38;
  CHECK(strstr(read_file(path_of("m/a.zw"), &limits),
               "with `sub/c.zw` the model is larger than the limit of 38 bytes") != NULL);
  limits.file_bytes = 100;
  CHECK_TEXT(read_file(path_of("m/a.zw"), &limits), "coord b\ncoord c\n");
  tear_down();
}

TEST(a_file_that_cannot_be_read_gives_no_tree)
{
  set_up();
  base_arena* arena = base_arena_new();
  base_notes* notes = base_notes_new();
  CHECK(lang_parse_file(path_of("none.zw"), NULL, arena, notes) == NULL);
  CHECK_INT(base_notes_errors(notes), 1);
  base_notes_free(notes);
  base_arena_free(arena);
  tear_down();
}

TEST(a_text_that_is_no_file_cannot_use_others)
{
  CHECK_TEXT(read_text("use \"b.zw\""),
             "a.zw:1:5: error: this text is not a file, so it cannot use others\n"
             "    1 | use \"b.zw\"\n"
             "      |     ^~~~~~\n");
}
