#include "out/text.h"

#include <stdlib.h>

#include "check.h"

TEST(words_for_a_terminal_have_no_control_characters)
{
  base_text t = {0};
  out_text_plain(&t, "a\x1b[31mred\n\ttab\x7f \xc2\x9b \xe2\x80\xae \xce\xb8 \xff.");
  CHECK_TEXT(t.at, "a [31mred  tab      \xce\xb8 ?.");
  base_text_free(&t);
}

TEST(words_are_padded_by_columns_not_bytes)
{
  base_text t = {0};
  out_text_pad(&t, "\xce\xb8\xce\xb8", 4);
  base_text_add(&t, "|");
  CHECK_TEXT(t.at, "\xce\xb8\xce\xb8  |");
  base_text_free(&t);
}

TEST(long_formulas_are_broken_after_an_operator)
{
  base_text t = {0};
  out_text_wrap(&t, "a*x'' = b*(c + d + e) + f - g", 0, 4, 24);
  CHECK_TEXT(t.at, "a*x'' = b*(c + d + e) +\n    f - g");
  t.n = 0;
  out_text_wrap(&t, "a*x'' + b*y'' = c*(d + e) + f - g", 0, 4, 24);
  CHECK_TEXT(t.at, "a*x'' + b*y'' =\n    c*(d + e) + f - g");
  t.n = 0;
  out_text_wrap(&t, "short = 1", 2, 4, 20);
  CHECK_TEXT(t.at, "short = 1");
  t.n = 0;
  out_text_wrap(&t, "a_name_that_is_longer_than_a_line = and_another_one + b", 0, 2, 10);
  CHECK_TEXT(t.at, "a_name_that_is_longer_than_a_line =\n  and_another_one +\n  b");
  t.n = 0;
  out_text_wrap(&t, "", 0, 2, 10);
  CHECK_TEXT(t.at, "");
  base_text_free(&t);
}

TEST(breaking_a_formula_only_changes_spaces)
{
  const char* formula =
      "m*(a + b*(c - d + e*(f + g)) - h) + i*(j + k) - (l + m)*(n - o) = p + q - r";
  for (int width = 1; width < 90; width++) {
    base_text t = {0}, back = {0};
    out_text_wrap(&t, formula, 0, 3, width);
    for (size_t i = 0; i < t.n; i++) {
      if (t.at[i] != '\n') {
        base_text_addn(&back, t.at + i, 1);
        continue;
      }
      base_text_add(&back, " ");
      i += 3;
    }
    CHECK_TEXT(back.at, formula);
    base_text_free(&t);
    base_text_free(&back);
  }
}
