// What editors ask of the library.
#include "check.h"
#include "zwang/zwang.h"

#include <string.h>

TEST(a_text_is_laid_out_or_refused_with_the_reason)
{
  zw_notes* notes = zw_notes_new();
  static const char rough[] = "coord  x\nkinetic x'^2 / 2";
  char* neat = zw_format("a.zw", rough, strlen(rough), notes);
  CHECK_TEXT(neat, "coord x\nkinetic x'^2/2\n");
  zw_text_free(neat);
  CHECK(!zw_format("a.zw", "coord $", 7, notes));
  CHECK_INT(zw_notes_errors(notes), 1);
  CHECK(strstr(zw_notes_text(notes, 0), "a.zw:1:7"));
  CHECK(!zw_format(NULL, rough, 3, notes));
  CHECK(!zw_format("a.zw", NULL, 3, notes));
  CHECK_INT(zw_notes_errors(notes), 3);
  // bytes of comments, and what is never read
  CHECK(!zw_format("a.zw", "coord x # \xb1\n", 12, notes));
  CHECK_INT(zw_notes_errors(notes), 4);
  static const char skipped[] = "coord x\nfor i in 1..0 { initial x = 1e+ }\n";
  CHECK(!zw_format("a.zw", skipped, strlen(skipped), notes));
  CHECK_INT(zw_notes_errors(notes), 5);
  zw_notes_free(notes);
}

static bool says(zw_editor* e, const char* message, const char* want, zw_notes* notes)
{
  char* answer = zw_editor_take(e, message, strlen(message), notes);
  const bool found = answer && strstr(answer, want);
  if (!found) check_fail(__FILE__, __LINE__, "%s: %s", message, answer ? answer : "nothing");
  zw_text_free(answer);
  return found;
}

TEST(an_editor_is_answered_until_it_ends)
{
  zw_notes* notes = zw_notes_new();
  zw_editor* e = zw_editor_new();
  int status = -1;
  says(e, "{\"id\": 1, \"method\": \"initialize\"}", "hoverProvider", notes);
  says(e,
       "{\"method\": \"textDocument/didOpen\", \"params\": {\"textDocument\": "
       "{\"uri\": \"file:///a.zw\", \"text\": \"coord x\\nkinetic y\"}}}",
       "`y`", notes);
  CHECK(!zw_editor_ended(e, &status));
  says(e, "{\"id\": 2, \"method\": \"shutdown\"}", "null", notes);
  says(e, "{\"method\": \"exit\"}", "", notes);
  CHECK(zw_editor_ended(e, &status));
  CHECK_INT(status, 0);
  CHECK(!zw_editor_take(e, NULL, 0, notes));
  CHECK(!zw_editor_take(NULL, "{}", 2, notes));
  CHECK_INT(zw_notes_errors(notes), 2);
  zw_editor_free(e);
  CHECK(zw_editor_ended(NULL, NULL));
  CHECK(!zw_editor_take(e, "{}", 2, notes));
  zw_editor_free(NULL);
  zw_notes_free(notes);
}
