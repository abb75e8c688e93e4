// The layout of texts: as is the custom, and the model stays what it is.
#include "check.h"
#include "read.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

static void lay(const char* text, const char* want)
{
  base_text out = {0};
  CHECK(lang_layout(text, strlen(text), &out));
  CHECK_TEXT(out.n ? out.at : "", want);
  base_text_free(&out);
}

TEST(blanks_and_indents_are_as_is_the_custom)
{
  lay("", "");
  lay("\n\n  param a=1 ,b = -2[m]\r\n\n\n\nlet c = a - -b*( a+1 ) ^ 2   # why\n\n",
      "param a = 1, b = -2[m]\n\nlet c = a - -b*(a + 1)^2   # why\n");
  lay("for i in 1..N-1 {\ncoord x[i]\n if\n}\n", "for i in 1..N-1 {\n  coord x[i]\n  if\n}\n");
  lay("stage a{set b=1 over 0.3;until t>=4}", "stage a { set b = 1 over 0.3; until t >= 4 }\n");
  lay("kinetic x'^2 +\ny'^2\n", "kinetic x'^2 +\n    y'^2\n");
  lay("frame A=world at (0,0,1) rotated z( a )\n", "frame A = world at (0, 0, 1) rotated z(a)\n");
  lay("joint j: hinge B axis -x on A\n", "joint j: hinge B axis -x on A\n");
  // columns stay
  lay("param m  = 7   [kg]\nparam k1 = 0.6 [N]\n", "param m  = 7   [kg]\nparam k1 = 0.6 [N]\n");
  lay("initial x =  1\ninitial y = -1\n", "initial x =  1\ninitial y = -1\n");
  lay("initial x =  1\n", "initial x = 1\n");
}

TEST(what_is_no_token_is_not_laid_out)
{
  base_text out = {0};
  CHECK(!lang_layout("let a = 1 $ 2\n", 14, &out));
  base_text_free(&out);
  CHECK(!lang_layout("let a\0b\n", 8, &out));
  base_text_free(&out);
}

// the tree of a text, printed
static char* tree_of(const char* text, size_t length, const char* folder)
{
  base_arena* arena = base_arena_new();
  base_notes* notes = base_notes_new();
  const lang_tree* tree = lang_parse("a.zw", text, length, folder, NULL, arena, notes);
  CHECK_INT(base_notes_errors(notes), 0);
  base_text printed = {0};
  if (tree) lang_print_tree(tree, &printed);
  base_notes_free(notes);
  base_arena_free(arena);
  return base_text_take(&printed);
}

static void squeeze(char* text)
{
  char* to = text;
  for (const char* from = text; *from; from++)
    if (!(from[0] == ' ' && from[1] == ' ')) *to++ = *from;
  *to = 0;
}

TEST(models_stay_what_they_are_and_a_second_time_changes_nothing)
{
  const char* source = getenv("ZWANG_SOURCE");
  base_text folder = {0}, pattern = {0};
  base_text_printf(&folder, "%s/models", source ? source : ".");
  base_text_printf(&pattern, "%s/*.zw", folder.at);
  glob_t files = {0};
  glob(pattern.at, 0, NULL, &files);
  CHECK(files.gl_pathc > 100);
  for (size_t i = 0; i < files.gl_pathc; i++) {
    size_t length;
    const char* why;
    char* text = base_file_read(files.gl_pathv[i], 1 << 20, &length, &why);
    char* before = tree_of(text, length, folder.at);
    // without indents and columns, too
    for (int way = 0; way < 2; way++) {
      base_text once = {0}, twice = {0};
      CHECK(lang_layout(text, strlen(text), &once));
      CHECK(lang_layout(once.at, once.n, &twice));
      CHECK_TEXT(twice.at, once.at);
      char* after = tree_of(once.at, once.n, folder.at);
      CHECK_TEXT(after, before);
      free(after);
      base_text_free(&once);
      base_text_free(&twice);
      squeeze(text);
    }
    free(before);
    free(text);
  }
  globfree(&files);
  base_text_free(&folder);
  base_text_free(&pattern);
}
