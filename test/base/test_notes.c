// Notes: what the user is shown, to the letter.
#include "base/base.h"
#include "check.h"

#include <stdio.h>
#include <stdlib.h>

// the note for bytes from .. to of a text
static const char* shown(const char* text, size_t length, uint32_t from, uint32_t to)
{
  static char keep[2000];
  base_notes* n = base_notes_new();
  int file = base_notes_source(n, "a.zw", text, length);
  base_error(n, (base_place){file, from, to}, "wrong");
  snprintf(keep, sizeof keep, "%s", base_notes_text(n, 0));
  base_notes_free(n);
  return keep;
}

static const char* shown_text(const char* text, uint32_t from, uint32_t to)
{
  return shown(text, strlen(text), from, to);
}

TEST(a_note_shows_place_line_caret_reason_and_way_out)
{
  base_notes* n = base_notes_new();
  const char* text = "coord x\nlet p = thetta + 1\n";
  int file = base_notes_source(n, "skater.zw", text, strlen(text));
  base_place p = {file, 16, 22};
  base_error(n, p, "unknown name `%s`", "thetta");
  base_help(n, "did you mean `%s`?", "theta");
  base_help(n, "or so");
  CHECK_TEXT(base_notes_text(n, 0), "skater.zw:2:9: error: unknown name `thetta`\n"
                                    "    2 | let p = thetta + 1\n"
                                    "      |         ^~~~~~\n"
                                    "help: did you mean `theta`?\n"
                                    "help: or so\n");
  CHECK_TEXT(base_notes_reason(n, 0), "unknown name `thetta`");
  int line, column;
  base_notes_where(n, 0, &line, &column);
  CHECK_INT(line, 2);
  CHECK_INT(column, 9);
  base_arena* a = base_arena_new();
  CHECK_TEXT(base_notes_quote(n, p, a), "thetta");
  CHECK_TEXT(base_notes_quote(n, BASE_NOWHERE, a), "");
  CHECK_TEXT(base_notes_source_name(n, file), "skater.zw");
  base_arena_free(a);
  base_notes_free(n);
}

TEST(a_note_without_a_place_is_one_line)
{
  base_notes* n = base_notes_new();
  base_warning(n, BASE_NOWHERE, "%d steps rejected", 3);
  base_info(n, BASE_NOWHERE, "so far");
  CHECK_TEXT(base_notes_text(n, 0), "warning: 3 steps rejected\n");
  CHECK_TEXT(base_notes_text(n, 1), "note: so far\n");
  CHECK_INT(base_notes_level(n, 0), BASE_WARNING);
  CHECK_INT(base_notes_count(n), 2);
  CHECK_INT(base_notes_errors(n), 0);
  int line, column;
  base_notes_where(n, 0, &line, &column);
  CHECK_INT(line + column, 0);
  base_notes_free(n);
}

TEST(the_caret_stands_right_under_wide_and_combining_characters)
{
  CHECK_TEXT(shown_text("日本 + x", 9, 10), "a.zw:1:6: error: wrong\n"
                                            "    1 | 日本 + x\n"
                                            "      |        ^\n");
  CHECK_TEXT(shown_text("日本 + x", 3, 6), "a.zw:1:2: error: wrong\n"
                                           "    1 | 日本 + x\n"
                                           "      |   ^~\n");
  CHECK_TEXT(shown_text("e\xCC\x81 + x", 6, 7), "a.zw:1:6: error: wrong\n"
                                                "    1 | e\xCC\x81 + x\n"
                                                "      |     ^\n");
  CHECK_TEXT(shown_text("\tx", 1, 2), "a.zw:1:2: error: wrong\n"
                                      "    1 |  x\n"
                                      "      |  ^\n");
}

TEST(the_caret_may_stand_at_the_end_of_a_line_or_of_the_text)
{
  CHECK_TEXT(shown_text("ab\r\nc", 2, 2), "a.zw:1:3: error: wrong\n"
                                          "    1 | ab\n"
                                          "      |   ^\n");
  CHECK_TEXT(shown_text("ab\n", 3, 3), "a.zw:2:1: error: wrong\n"
                                       "    2 | \n"
                                       "      | ^\n");
  CHECK_TEXT(shown_text("", 0, 0), "a.zw:1:1: error: wrong\n"
                                   "    1 | \n"
                                   "      | ^\n");
}

TEST(the_caret_keeps_its_column_at_large_line_numbers)
{
  char* text = base_alloc(1234568);
  memset(text, '\n', 1234567);
  text[1234566] = 'x';
  CHECK_TEXT(shown(text, 1234567, 1234566, 1234567), "a.zw:1234567:1: error: wrong\n"
                                                     "1234567 | x\n"
                                                     "        | ^\n");
  free(text);
}

TEST(a_place_of_several_lines_is_marked_on_its_first)
{
  CHECK_TEXT(shown_text("x = (1,\n2,\n3)", 4, 13), "a.zw:1:5: error: wrong\n"
                                                   "    1 | x = (1,\n"
                                                   "      |     ^~~\n");
}

TEST(signs_that_would_steer_the_terminal_are_replaced)
{
  CHECK_TEXT(shown("a\x1b[31m\0b", 8, 7, 8), "a.zw:1:8: error: wrong\n"
                                             "    1 | a\uFFFD[31m\uFFFDb\n"
                                             "      |        ^\n");
  CHECK_TEXT(shown_text("\xFFz", 0, 1), "a.zw:1:1: error: wrong\n"
                                        "    1 | \uFFFDz\n"
                                        "      | ^\n");
  base_notes* n = base_notes_new();
  base_error(n, BASE_NOWHERE, "no file `%s`", "a\x1b[2Jb\xFF\u202E");
  CHECK_TEXT(base_notes_reason(n, 0), "no file `a\uFFFD[2Jb\uFFFD\uFFFD`");
  base_notes_free(n);
}

TEST(a_long_line_is_cut_around_the_place)
{
  enum { length = 100000 };
  char* text = base_alloc(length + 1);
  for (int i = 0; i < length; i++) text[i] = (char)('0' + i % 10);
  CHECK_TEXT(shown(text, length, 50000, 50003),
             "a.zw:1:50001: error: wrong\n"
             "    1 | …0123456789012345678901234567890123456789012345678901234567890123456789"
             "012345678901234567890123456789…\n"
             "      |                                          ^~~\n");
  CHECK_TEXT(shown(text, length, 5, 6),
             "a.zw:1:6: error: wrong\n"
             "    1 | 0123456789012345678901234567890123456789012345678901234567890123456789"
             "012345678901234567890123456789…\n"
             "      |      ^\n");
  CHECK_TEXT(shown(text, length, length, length),
             "a.zw:1:100001: error: wrong\n"
             "    1 | …0123456789012345678901234567890123456789\n"
             "      |                                          ^\n");
  free(text);
}

TEST(a_hundred_errors_are_kept_and_the_rest_counted)
{
  base_notes* n = base_notes_new();
  int file = base_notes_source(n, "a.zw", "x", 1);
  for (int i = 0; i < 250; i++) {
    base_error(n, (base_place){file, 0, 1}, "error %d", i);
    base_help(n, "way %d", i);
  }
  base_warning(n, BASE_NOWHERE, "still heard");
  CHECK_INT(base_notes_errors(n), 250);
  CHECK_INT(base_notes_count(n), 102);
  CHECK_TEXT(base_notes_reason(n, 99), "error 99");
  CHECK_TEXT(base_notes_text(n, 100), "note: 150 more like these, not shown\n");
  CHECK_TEXT(base_notes_reason(n, 101), "still heard");
  base_notes_free(n);
}

TEST(places_join_within_a_file)
{
  base_place a = {0, 5, 7}, b = {0, 1, 6}, other = {1, 2, 3};
  base_place j = base_place_join(a, b);
  CHECK_INT(j.from, 1);
  CHECK_INT(j.to, 7);
  CHECK_INT(base_place_join(a, other).to, 7);
  CHECK_INT(base_place_join(BASE_NOWHERE, other).from, 2);
  CHECK_INT(base_place_join(other, BASE_NOWHERE).from, 2);
}
