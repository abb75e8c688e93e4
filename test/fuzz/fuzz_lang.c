// libFuzzer on the parser: any bytes become a tree or errors, and a tree printed reads back the
// same.
#include "lang/lang.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t n);

static void check_print(const lang_tree* tree, base_arena* arena)
{
  base_text once = {0}, twice = {0};
  base_text_add(&once, "");
  base_text_add(&twice, "");
  lang_print_tree(tree, &once);
  base_notes* notes = base_notes_new();
  lang_tree* again = lang_parse("printed.zw", once.at, once.n, NULL, NULL, arena, notes);
  // full brackets nest deeper than what was written, so only the depth may be refused
  bool deep = false;
  for (int i = 0; i < base_notes_count(notes); i++)
    deep |= strstr(base_notes_reason(notes, i), "more than 200") != NULL;
  if (base_notes_errors(notes) && !deep) abort();
  if (!deep) lang_print_tree(again, &twice);
  if (!deep && strcmp(once.at, twice.at) != 0) abort();
  base_notes_free(notes);
  base_text_free(&once);
  base_text_free(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t n)
{
  base_arena* arena = base_arena_new();
  base_notes* notes = base_notes_new();
  lang_tree* tree = lang_parse("fuzz.zw", (const char*)bytes, n, NULL, NULL, arena, notes);
  if (tree && base_notes_errors(notes) == 0) check_print(tree, arena);
  base_notes_free(notes);
  base_arena_free(arena);
  return 0;
}
