// Long and deep models: no overflow, no hang.

#include <stdio.h>

#include "check.h"
#include "given.h"

TEST(a_chain_of_ten_thousand_lets_is_resolved)
{
  base_text text = {0};
  enum { LONG = 10000 };
  base_text_add(&text, "coord x\nkinetic x'^2\n");
  for (int i = 0; i < LONG; i++) base_text_printf(&text, "let a%d = a%d + 1\n", i, i + 1);
  base_text_printf(&text, "let a%d = x\noutput o = a0\n", LONG);
  given g = given_text(text.at);
  CHECK_TEXT(given_errors(&g), "");
  if (g.m) CHECK_TEXT(given_print(&g, given_output(&g, "o")), "x + 10000");
  base_text_free(&text);
  given_free(&g);
}

TEST(a_circle_of_ten_thousand_lets_is_found)
{
  base_text text = {0};
  enum { LONG = 10000 };
  base_text_add(&text, "coord x\nkinetic x'^2\n");
  for (int i = 0; i < LONG; i++) base_text_printf(&text, "let a%d = a%d + 1\n", i, (i + 1) % LONG);
  given g = given_text(text.at);
  CHECK_INT(base_notes_errors(g.notes), 1);
  CHECK(strstr(given_errors(&g), "... needs `a0`"));
  base_text_free(&text);
  given_free(&g);
}

TEST(a_sum_of_twenty_thousand_terms_is_built_at_once)
{
  base_text text = {0};
  base_text_add(&text, "coord x\nkinetic x'^2\noutput o = 0");
  for (int i = 0; i < 20000; i++) base_text_add(&text, " + x");
  base_text_add(&text, "\noutput p = (0, 0, 0)");
  for (int i = 0; i < 20000; i++) base_text_add(&text, " - (x, 1, 0)");
  base_text_add(&text, "\n");
  given g = given_text(text.at);
  // the parser may have a bound of its own; if it takes the line, so do we
  if (g.m) {
    CHECK_TEXT(given_print(&g, given_output(&g, "o")), "20000*x");
    CHECK_TEXT(given_print(&g, given_output(&g, "p.y")), "-20000");
  } else {
    CHECK(base_notes_errors(g.notes) > 0);
  }
  base_text_free(&text);
  given_free(&g);
}

TEST(frames_carried_too_deep_are_refused)
{
  base_text text = {0};
  base_text_add(&text, "coord x\nkinetic x'^2\nframe F0 = world\n");
  for (int i = 1; i < 3000; i++)
    base_text_printf(&text, "frame F%d = F%d at (1, 0, 0) rotated x(x) y(1)\n", i, i - 1);
  given g = given_text(text.at);
  CHECK_TEXT(given_errors(&g), "more than 2000 frames, each carried by the one before");
  base_text_free(&text);
  given_free(&g);
}

TEST(many_declarations_are_found_quickly)
{
  base_text text = {0};
  enum { MANY = 5000 };
  for (int i = 0; i < MANY; i++)
    base_text_printf(&text, "coord x%d\nparam m%d = 1\nkinetic m%d*x%d'^2\nforce x%d = -x%d'\n", i,
                     i, i, i, i, i);
  given g = given_text(text.at);
  CHECK_TEXT(given_errors(&g), "");
  if (g.m) CHECK_INT(g.m->coords, MANY);
  base_text_free(&text);
  given_free(&g);
}
