// libFuzzer on single expressions, as given on the command line: --set, --state.
#include "lang/lang.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t n)
{
  base_arena* arena = base_arena_new();
  base_notes* notes = base_notes_new();
  char* text = base_strndup((const char*)bytes, n);
  lang_node* e = lang_parse_expression("--set", text, arena, notes);
  // an expression, or a reason why there is none
  if (!e && base_notes_errors(notes) == 0) abort();
  free(text);
  base_notes_free(notes);
  base_arena_free(arena);
  return 0;
}
