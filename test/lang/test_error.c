// Errors: what the user is shown for a wrong text, to the letter.
#include "check.h"
#include "read.h"

#include <stdlib.h>
#include <time.h>

TEST(an_unknown_statement_gets_a_suggestion)
{
  CHECK_TEXT(read_text("constrain blade: x = 0"),
             "a.zw:1:1: error: there is no statement `constrain`\n"
             "    1 | constrain blade: x = 0\n"
             "      | ^~~~~~~~~\n"
             "help: did you mean `constraint`?\n");
  CHECK_TEXT(read_text("  omega = 3"),
             "a.zw:1:3: error: there is no statement `omega`\n"
             "    1 |   omega = 3\n"
             "      |   ^~~~~\n"
             "help: a constant is written `param omega = ...`, an expression `let omega = ...`\n");
  CHECK_TEXT(read_text("let a = b\n  + c"),
             "a.zw:2:3: error: expected a statement, found `+`\n"
             "    2 |   + c\n"
             "      |   ^\n"
             "help: a line goes on when the line before ends in an operator or a comma\n");
}

TEST(all_errors_of_a_text_are_reported)
{
  CHECK_TEXT(
      read_text("let a = (1 + 2\n"
                "coord x\n"
                "lett b = 3\n"
                "stage s { set a 1; foo; carry on; until t >= 1 }\n"
                "param m = 7 $ 3\n"
                "model \"open\n"
                "rod R mass m from (0, 0, 0) in F\n"
                "coord y\n"),
      "a.zw:1:9: error: the bracket is not closed\n"
      "    1 | let a = (1 + 2\n"
      "      |         ^\n"
      "help: a `)` is missing\n"
      "a.zw:3:1: error: there is no statement `lett`\n"
      "    3 | lett b = 3\n"
      "      | ^~~~\n"
      "help: did you mean `let`?\n"
      "a.zw:4:17: error: expected `=`, found `1`\n"
      "    4 | stage s { set a 1; foo; carry on; until t >= 1 }\n"
      "      |                 ^\n"
      "a.zw:4:20: error: expected `set`, `until`, `carry`, `release` or `impose`, found `foo`\n"
      "    4 | stage s { set a 1; foo; carry on; until t >= 1 }\n"
      "      |                    ^~~\n"
      "a.zw:4:31: error: expected `limit`, `velocity` or `momentum`, found `on`\n"
      "    4 | stage s { set a 1; foo; carry on; until t >= 1 }\n"
      "      |                               ^~\n"
      "help: it is written: stage glide { set a = 1 over 0.3; until t >= 4 }\n"
      "a.zw:5:13: error: the sign `$` has no meaning here\n"
      "    5 | param m = 7 $ 3\n"
      "      |             ^\n"
      "help: it is written: param m = 7 [kg] \"mass\", l = 1 [m]\n"
      "a.zw:6:7: error: the quotes are not closed on this line\n"
      "    6 | model \"open\n"
      "      |       ^~~~~\n"
      "help: end the text with \"\n"
      "a.zw:7:33: error: `to` is missing\n"
      "    7 | rod R mass m from (0, 0, 0) in F\n"
      "      |                                 ^\n"
      "help: it is written: rod R mass m from (x, y, z) to (x, y, z) in F\n");
}

TEST(what_was_understood_is_kept_beside_errors)
{
  base_arena* arena = base_arena_new();
  base_notes* notes = base_notes_new();
  const char* text = "coord x\nlet = 3\ncoord y\n";
  lang_tree* t = lang_parse("a", text, strlen(text), NULL, NULL, arena, notes);
  CHECK_INT(base_notes_errors(notes), 1);
  CHECK_INT(t->count, 2);
  CHECK_TEXT(t->at[1]->param[0].name.text, "y");
  base_notes_free(notes);
  base_arena_free(arena);
}

TEST(missing_brackets_and_braces_are_shown_where_they_open)
{
  CHECK_TEXT(read_text("let a = f(1,\n  2\nlet b = 3\n"),
             "a.zw:1:10: error: the bracket is not closed\n"
             "    1 | let a = f(1,\n"
             "      |          ^\n"
             "help: a `)` is missing\n");
  CHECK_TEXT(read_text("let a = f(1 2)\n"), "a.zw:1:13: error: expected `)`, found `2`\n"
                                            "    1 | let a = f(1 2)\n"
                                            "      |             ^\n"
                                            "help: it is written: let p = x'*sin(x)\n");
  CHECK_TEXT(read_text("stage s {\n  set a = 1\nrun 0 .. 1\n"),
             "a.zw:1:9: error: the brace is not closed\n"
             "    1 | stage s {\n"
             "      |         ^\n"
             "help: a `}` is missing\n");
  CHECK_TEXT(read_text("let a = 1)"), "a.zw:1:10: error: the bracket was never opened\n"
                                      "    1 | let a = 1)\n"
                                      "      |          ^\n"
                                      "help: it is written: let p = x'*sin(x)\n");
}

TEST(a_line_that_asks_for_more_is_shown_where_it_ends)
{
  CHECK_TEXT(read_text("let a = 2*\n\noutput b = a\n"),
             "a.zw:1:11: error: expected a value; the line goes on to a new statement\n"
             "    1 | let a = 2*\n"
             "      |           ^\n"
             "help: it is written: let p = x'*sin(x)\n");
  CHECK_TEXT(read_text("param a = 1,\nparam b = 2\n"),
             "a.zw:1:13: error: expected a name; the line goes on to a new statement\n"
             "    1 | param a = 1,\n"
             "      |             ^\n"
             "help: it is written: param m = 7 [kg] \"mass\", l = 1 [m]\n");
  CHECK_TEXT(read_text("let a = 2*(\nlet b = 2\nlet c = (\nlet d = 3\n"),
             "a.zw:1:12: error: expected a value; the line goes on to a new statement\n"
             "    1 | let a = 2*(\n"
             "      |            ^\n"
             "help: it is written: let p = x'*sin(x)\n"
             "a.zw:3:10: error: expected a value; the line goes on to a new statement\n"
             "    3 | let c = (\n"
             "      |          ^\n"
             "help: it is written: let p = x'*sin(x)\n");
  CHECK_TEXT(read_text("let a = 1 +\n"),
             "a.zw:1:12: error: expected a value before the end of the text\n"
             "    1 | let a = 1 +\n"
             "      |            ^\n"
             "help: it is written: let p = x'*sin(x)\n");
}

TEST(clauses_are_checked)
{
  CHECK_TEXT(read_text("rod R mas m from (0,0,0) to (1,0,0) in F"),
             "a.zw:1:7: error: `mass` is missing\n"
             "    1 | rod R mas m from (0,0,0) to (1,0,0) in F\n"
             "      |       ^~~\n"
             "help: did you mean `mass`?\n"
             "help: it is written: rod R mass m from (x, y, z) to (x, y, z) in F\n");
  CHECK_TEXT(read_text("ball B mass 1 radius 2 mass 3"),
             "a.zw:1:24: error: `mass` is given twice\n"
             "    1 | ball B mass 1 radius 2 mass 3\n"
             "      |                        ^~~~\n"
             "help: it is written: ball B mass m radius r at (x, y, z) in F\n");
  CHECK_TEXT(read_text("stage { until t > 1; until t > 2 }"),
             "a.zw:1:22: error: `until` is given twice\n"
             "    1 | stage { until t > 1; until t > 2 }\n"
             "      |                      ^~~~~\n"
             "help: it is written: stage glide { set a = 1 over 0.3; until t >= 4 }\n");
  CHECK_TEXT(read_text("frame F = world rotated w(1)"),
             "a.zw:1:25: error: expected a rotation about x, y or z, found `w`\n"
             "    1 | frame F = world rotated w(1)\n"
             "      |                         ^\n"
             "help: it is written: frame B = A at (x, y, 0) rotated z(theta)\n");
  CHECK_TEXT(read_text("particle P mass (1) [kg] = (0,0,0) in F"),
             "a.zw:1:21: error: the unit `[kg]` cannot stand here\n"
             "    1 | particle P mass (1) [kg] = (0,0,0) in F\n"
             "      |                     ^~~~\n"
             "help: units belong to params, coordinates and numbers: param m = 7 [kg]\n");
  CHECK_TEXT(read_text("constraint y >= 0 with restitution 1 newtn"),
             "a.zw:1:38: error: expected `newton`, `poisson`, `moreau`, `sequential` or "
             "`energetic`, found `newtn`\n"
             "    1 | constraint y >= 0 with restitution 1 newtn\n"
             "      |                                      ^~~~~\n"
             "help: did you mean `newton`?\n");
  CHECK_TEXT(read_text("stage { set 2*x = 1 }"),
             "a.zw:1:13: error: only a name can be set, with or without primes\n"
             "    1 | stage { set 2*x = 1 }\n"
             "      |             ^~~\n"
             "help: it is written: stage glide { set a = 1 over 0.3; until t >= 4 }\n");
}

TEST(texts_that_are_no_text_get_their_own_errors)
{
  CHECK_TEXT(read_bytes("let a = \0 1", 11, NULL),
             "a.zw:1:9: error: a zero byte in the text\n"
             "    1 | let a = \uFFFD 1\n"
             "      |         ^\n"
             "help: a model is plain text; this file may be of another kind\n");
  CHECK_TEXT(read_text("let gr\xFC = 1"), "a.zw:1:7: error: the byte 0xFC is not UTF-8 here\n"
                                          "    1 | let gr\uFFFD = 1\n"
                                          "      |       ^\n"
                                          "help: save the file as UTF-8\n");
  CHECK_TEXT(read_text("coord x # gr\xFCn\ncoord y"),
             "a.zw:1:13: error: the byte 0xFC is not UTF-8 here\n"
             "    1 | coord x # gr\uFFFDn\n"
             "      |             ^\n"
             "help: save the file as UTF-8\n");
  CHECK_TEXT(read_text("# all\rcoord x\r"),
             "a.zw:1:6: error: a carriage return without a line feed\n"
             "    1 | # all coord x\n"
             "      |      ^\n"
             "help: save the file with line ends LF or CRLF\n");
  CHECK_TEXT(read_bytes("\xFF\xFEm\0o\0", 6, NULL),
             "a.zw:1:1: error: the text is UTF-16, not UTF-8\n"
             "    1 | \n"
             "      | ^\n"
             "help: a model is a plain text file in UTF-8\n");
  CHECK_TEXT(read_text("let a\u00A0= 1"),
             "a.zw:1:6: error: a blank that is not a plain blank\n"
             "    1 | let a\u00A0= 1\n"
             "      |      ^\n"
             "help: replace it by a plain blank; it may come from a word "
             "processor\n");
  CHECK_TEXT(read_text("model “A”"), "a.zw:1:7: error: the sign `“` has no meaning here\n"
                                     "    1 | model “A”\n"
                                     "      |       ^\n"
                                     "help: use plain quotes: \"\n");
}

TEST(wrong_numbers_and_units_get_their_own_errors)
{
  CHECK_TEXT(read_text("let a = 2x + 1"), "a.zw:1:9: error: `2x` is neither a number nor a name\n"
                                          "    1 | let a = 2x + 1\n"
                                          "      |         ^~\n"
                                          "help: a product is written with a star: 2*x\n");
  CHECK_TEXT(read_text("let a = 1e999999999"),
             "a.zw:1:9: error: the number is out of range\n"
             "    1 | let a = 1e999999999\n"
             "      |         ^~~~~~~~~~~\n"
             "help: numbers have at most 400 digits and exponents from -400 to 400\n");
  CHECK_TEXT(read_text("let a = 9.8.1"), "a.zw:1:9: error: the number has two decimal points\n"
                                         "    1 | let a = 9.8.1\n"
                                         "      |         ^~~~~\n"
                                         "help: it is written: let p = x'*sin(x)\n");
  CHECK_TEXT(read_text("coord x [m\ncoord y [m]"),
             "a.zw:1:9: error: the unit is not closed on this line\n"
             "    1 | coord x [m\n"
             "      |         ^\n"
             "help: a unit is written in brackets: [m/s]\n");
  CHECK_TEXT(read_text("coord x []"),
             "a.zw:1:9: error: the brackets hold no unit\n"
             "    1 | coord x []\n"
             "      |         ^~\n"
             "help: write [1] for a pure number, or leave the brackets out\n");
}

TEST(errors_are_counted_one_for_each_wrong_statement)
{
  CHECK_INT(read_errors("coord\nlet\nrun\nrun 3\nplot x\nforce\ntorque (1,2,3)\nevent e: x stop\n"),
            8);
  CHECK_INT(read_errors("event e: x = 0\ninitial x\nuse other\nuse \"x.zw\"\nmodel\nparam a\n"), 6);
  CHECK_INT(read_errors("$ $ $\n$\n\n$ coord\n"), 3);
}

// texts that would take minutes if a line or the text were looked through again and again
static void check_quick(const char* piece, int times)
{
  base_text t = {0};
  for (int i = 0; i < times; i++) base_text_add(&t, piece);
  clock_t start = clock();
  CHECK(read_errors(t.at) > 0);
  CHECK((double)(clock() - start) / CLOCKS_PER_SEC < 20);
  base_text_free(&t);
}

TEST(the_time_to_read_grows_with_the_length_only)
{
  check_quick("\"", 3000001);
  check_quick("\"\" ", 1000000);
  check_quick("let a = [", 400000);
  check_quick("[m] ", 1000000);
  check_quick("$\n", 1000000);
  check_quick("(", 4000000);
  check_quick("let a = f(\n", 400000);
  check_quick("stage { set a = ( ; }\n", 200000);
  check_quick("stage { ", 400000);
}

TEST(limits_are_kept)
{
  lang_limits limits = lang_limits_default();
  limits.statements = 3;
  CHECK_TEXT(read_bytes("coord a\ncoord b\ncoord c\ncoord d\ncoord e\n", 40, &limits),
             "a.zw:4:1: error: more than 3 statements\n"
             "    4 | coord d\n"
             "      | ^~~~~\n");
  limits.file_bytes = 10;
  CHECK_TEXT(read_bytes("coord a\ncoord b\n", 16, &limits),
             "error: a.zw: the text is larger than the limit of 10 bytes\n");
  char* name = base_alloc(300);
  memset(name, 'a', 299);
  CHECK(strstr(read_expression(name), "the name is too long (299 bytes)") != NULL);
  free(name);
}
