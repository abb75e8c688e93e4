// The lists of methods and of models that come with zwang.
#include "bead.h"

#include "check.h"

TEST(every_method_has_a_name_and_a_line)
{
  int count = 0;
  for (; zw_method_name(count); count++) {
    CHECK(*zw_method_name(count));
    CHECK(zw_method_summary(count) && *zw_method_summary(count));
  }
  CHECK(count >= 7);
  CHECK(zw_method_summary(count) == NULL);
}

TEST(every_example_has_a_title_and_a_text_that_is_a_model)
{
  int count = 0;
  for (; zw_example_name(count); count++) {
    const char *name = zw_example_name(count), *text = zw_example_text(name);
    CHECK(zw_example_title(count) && *zw_example_title(count));
    CHECK(text != NULL);
    if (!text || count % 10) continue;
    zw_notes* n = zw_notes_new();
    zw_model* m = zw_model_read_text(name, text, strlen(text), NULL, 0, n);
    if (!m) check_fail(__FILE__, __LINE__, "%s is no model", name);
    if (m) CHECK_TEXT(zw_model_title(m), zw_example_title(count));
    zw_model_free(m);
    zw_notes_free(n);
  }
  CHECK(count > 100);
  CHECK(zw_example_title(count) == NULL);
  CHECK(zw_example_text("nobody") == NULL);
}
