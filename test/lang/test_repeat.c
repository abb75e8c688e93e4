// Repetitions: indexed names, loops, sums, and what is refused.
#include "check.h"
#include "read.h"

#include <stdio.h>
#include <string.h>

static bool says(const char* text, const char* part)
{
  const bool found = strstr(read_text(text), part);
  if (!found) printf("# %s\n", read_text(text));
  return found;
}

TEST(a_repetition_is_what_it_stands_for)
{
  char written[4000];
  snprintf(written, sizeof written, "%s",
           read_text("coord x[1], x[2] [m]\ncoord x[3], x[4] [m]\nlet d[2] = x[2] - x[1]\n"));
  CHECK_TEXT(read_text("for i in 1..2 { coord x[2*i-1], x[2*i] [m] }\nlet d[2] = x[2] - x[1]\n"),
             written);
  snprintf(written, sizeof written, "%s",
           read_text("let a[1][1] = 1*1\nlet a[2][1] = 2*1\n"
                     "let a[2][2] = 2*2\n"));
  CHECK_TEXT(read_text("for i in 1..2 {\n for j in 1..i { let a[i, j] = i*j }\n}\n"), written);
  CHECK_TEXT(read_text("for i in 1..2 {\n for j in 1..i { let a[i][j] = i*j }\n}\n"), written);
}

TEST(bounds_are_params_written_anywhere)
{
  char written[4000];
  snprintf(written, sizeof written, "%s",
           read_text("let p[0] = 0\nlet p[1] = 1\nparam N = K - 1\nparam K = 2\n"));
  CHECK_TEXT(read_text("for i in 0..N { let p[i] = i }\nparam N = K - 1\nparam K = 2\n"), written);
}

TEST(a_sum_adds_what_it_repeats)
{
  char written[4000];
  snprintf(written, sizeof written, "%s",
           read_text("param N = 3\nlet s = x[1]*1 + x[2]*2 + x[3]*3\n"));
  CHECK_TEXT(read_text("param N = 3\nlet s = sum(i in 1..N: x[i]*i)\n"), written);
  CHECK(says("let s = 2*sum(i in 1..0: x[i]) + 1", "0"));
  // sum stays a name where no index follows
  CHECK_INT(read_errors("let s = sum\n"), 0);
}

TEST(a_range_that_is_empty_says_nothing)
{
  char written[400];
  snprintf(written, sizeof written, "%s", read_text("coord y\n"));
  CHECK_TEXT(read_text("for i in 3..2 { coord x[i] }\ncoord y\n"), written);
}

TEST(units_stay_units)
{
  CHECK(says("coord x[m]\n", "[m]"));
  CHECK(says("param a = 2, b = 3*a[m]\n", "[m]"));
  CHECK(says("for i in 1..2 { coord x[i][m] }\n", "x[2] [m]"));
}

TEST(items_of_a_stage_repeat)
{
  char written[4000];
  snprintf(
      written, sizeof written, "%s",
      read_text(
          "stage s { set k[1] = 1; release c[1]; set k[2] = 2; release c[2]; until t >= 1 }\n"));
  CHECK_TEXT(read_text("stage s { for i in 1..2 { set k[i] = i; release c[i] }; until t >= 1 }\n"),
             written);
}

TEST(errors_tell_the_index_and_are_said_once)
{
  const char* text = "for i in 4..9 {\n  coord x[i] +\n}\n";
  CHECK(says(text, "2:14"));
  CHECK(says(text, "(i = 4)"));
  CHECK_INT(read_errors(text), 1);
}

TEST(what_cannot_count_is_refused)
{
  CHECK(says("for i in 1..2.5 { }", "whole number"));
  CHECK(says("param N = 2 [m]\nfor i in 1..N { }", "has a unit"));
  CHECK(says("coord q\nfor i in 1..q { }", "no param"));
  CHECK(says("param a = 1\nfor a in 1..2 { }", "declared in the model"));
  CHECK(says("for i in 1..2 { for i in 1..2 { } }", "index of this repetition"));
  CHECK(says("param N = 2\nstage s { set N = 3; until t > 1 }\nfor i in 1..N { }", "changes"));
  CHECK(says("param a = b, b = a\nfor i in 1..a { }", "no value"));
  CHECK(says("for i in 1..2 { coord x\n", "not closed"));
  CHECK(says("for i in 1..1000000000 { }", "1000000000 turns"));
  CHECK(says("for i in 1..2000000000 { }", "at most 200000"));
  CHECK(says("param N = 1e12\nfor i in -N..N { }", "2000000000001 turns"));
  CHECK(says("for i in 1..1e300 { }", "too large"));
  CHECK(
      says("for i in 1..300 { for j in 1..300 { for k in 1..300 { } } }", "turns of repetitions"));
  CHECK(says("let s = sum(i in 1..1000000000: i)", "1000000000 turns"));
}

// a short text that repeats a long one is bounded by what it comes to
TEST(text_that_is_repeated_is_bounded)
{
  base_text text = {0};
  base_text_add(&text, "for i in 1..20000 { let a[i] = x");
  for (int k = 0; k < 2000; k++) base_text_add(&text, "+x");
  base_text_add(&text, " }");
  CHECK(says(text.at, "repetitions come to more than 16 MiB of text"));
  text.n = 0;
  base_text_add(&text, "let a = sum(i in 1..20000: x");
  for (int k = 0; k < 2000; k++) base_text_add(&text, "+x");
  base_text_add(&text, ")");
  CHECK(says(text.at, "repetitions come to more than 16 MiB of text"));
  base_text_free(&text);
}

// values of the command line are no part of a model: they have the same limits
TEST(sums_of_a_single_value_are_bounded)
{
  static const char* const sums[] = {"sum(i in 1..1e9: i)",
                                     "sum(i in 1..1000: sum(j in 1..1000: i*j))",
                                     "sum(i in 1..1e9: in 1..1: x)"};
  for (size_t k = 0; k < sizeof sums / sizeof *sums; k++) {
    base_arena* arena = base_arena_new();
    base_notes* notes = base_notes_new();
    CHECK(!lang_parse_expression("--set", sums[k], arena, notes));
    CHECK(strstr(base_notes_reason(notes, 0), "turns"));
    base_notes_free(notes);
    base_arena_free(arena);
  }
}
