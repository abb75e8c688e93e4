// Equations, functions, forms, and what a model is.
#include "bead.h"

#include "check.h"

#include <stdlib.h>

TEST(equations_come_in_every_form_and_style)
{
  bead b = bead_read(NULL);
  static const char* const styles[] = {"text", "latex", "c", "json"};
  static const char* const forms[] = {"lagrange", "maggi", "gauss"};
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 3; k++) {
      char* text = zw_equations(b.system, forms[k], styles[i], b.notes);
      if (!text || !*text) check_fail(__FILE__, __LINE__, "no %s as %s", forms[k], styles[i]);
      zw_text_free(text);
    }
  }
  CHECK_INT(zw_notes_errors(b.notes), 0);
  char* text = zw_equations(b.system, "lagrange", "text", b.notes);
  CHECK(text && strstr(text, "x''") != NULL);
  zw_text_free(text);
  bead_free(&b);
}

TEST(unknown_forms_and_styles_are_refused)
{
  bead b = bead_read(NULL);
  CHECK(zw_equations(b.system, "newton", "text", b.notes) == NULL);
  CHECK(bead_noted(b.notes, 0, "newton"));
  CHECK(zw_equations(b.system, "maggi", "html", b.notes) == NULL);
  CHECK(bead_noted(b.notes, 0, "html"));
  CHECK(zw_functions(b.system, "T", "c", b.notes) == NULL);
  CHECK(zw_functions(b.system, "nobody", "text", b.notes) == NULL);
  CHECK(zw_forms(b.system, "latex", b.notes) == NULL);
  CHECK(zw_check(b.system, "latex", b.notes) == NULL);
  CHECK_INT(zw_notes_errors(b.notes), 6);
  bead_free(&b);
}

TEST(functions_are_named_with_commas)
{
  bead b = bead_read(NULL);
  static const char* const styles[] = {"text", "latex", "json"};
  for (int i = 0; i < 3; i++) {
    char* text = zw_functions(b.system, "T,V,S", styles[i], b.notes);
    CHECK(text != NULL && strchr(text, 'T') && strchr(text, 'V') && strchr(text, 'S'));
    zw_text_free(text);
  }
  CHECK_INT(zw_notes_errors(b.notes), 0);
  bead_free(&b);
}

TEST(a_form_suits_or_the_reason_is_noted)
{
  bead b = bead_read(NULL);
  CHECK(zw_form_suits(b.system, "maggi", b.notes));
  CHECK_INT(zw_notes_errors(b.notes), 0);
  CHECK(!zw_form_suits(b.system, "nobody", b.notes));
  CHECK_INT(zw_notes_errors(b.notes), 1);
  char* text = zw_forms(b.system, "text", b.notes);
  CHECK(text && strstr(text, "maggi") != NULL);
  zw_text_free(text);
  text = zw_forms(b.system, "json", b.notes);
  CHECK(text && text[0] == '{');
  zw_text_free(text);
  bead_free(&b);
}

TEST(check_tells_what_the_model_is)
{
  bead b = bead_read(NULL);
  char* text = zw_check(b.system, "json", b.notes);
  CHECK(text && strstr(text, "\"dof_positions\": 1") != NULL);
  CHECK(text && strstr(text, "\"ring\"") != NULL);
  zw_text_free(text);
  text = zw_check(b.system, "text", b.notes);
  CHECK(text && strstr(text, "ring") != NULL);
  zw_text_free(text);
  bead_free(&b);
}

TEST(check_of_a_start_that_contradicts_is_null_with_the_reason)
{
  zw_notes* n = zw_notes_new();
  const char text[] = "coord x\nkinetic x'^2/2\nconstraint c: x = 1\ninitial x = 2\n";
  zw_model* m = zw_model_read_text("t", text, strlen(text), NULL, 0, n);
  zw_system* s = m ? zw_derive(m, n) : NULL;
  CHECK(s != NULL);
  CHECK(s && zw_check(s, "text", n) == NULL);
  CHECK(zw_notes_errors(n) > 0);
  zw_system_free(s);
  zw_model_free(m);
  zw_notes_free(n);
}

TEST(verify_says_whether_all_forms_agree)
{
  bead b = bead_read(NULL);
  bool ok = false;
  char* text = zw_verify(b.system, 5, "text", &ok, b.notes);
  CHECK(ok && text && strstr(text, "maggi") != NULL);
  zw_text_free(text);
  text = zw_verify(b.system, 0, "json", &ok, b.notes);
  CHECK(ok && text && strstr(text, "\"ok\": true") != NULL);
  zw_text_free(text);
  ok = true;
  CHECK(zw_verify(b.system, 5, "html", &ok, b.notes) == NULL);
  CHECK(!ok);
  bead_free(&b);
}
