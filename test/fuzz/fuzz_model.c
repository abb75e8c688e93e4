// libFuzzer on the front end: any bytes become a model or errors, never a crash, a leak or a hang.
#include "model/model.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t n)
{
  base_arena* arena = base_arena_new();
  base_notes* notes = base_notes_new();
  lang_limits limits = lang_limits_default();
  lang_tree* tree = lang_parse("fuzz.zw", (const char*)bytes, n, NULL, &limits, arena, notes);
  model* m = NULL;
  if (tree && base_notes_errors(notes) == 0) m = model_build(tree, 0, NULL, notes);
  // a model, or a reason why there is none
  if (!m && base_notes_errors(notes) == 0) abort();
  model_free(m);
  base_notes_free(notes);
  base_arena_free(arena);
  return 0;
}
