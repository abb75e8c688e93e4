#include "made.h"

fuzz_made fuzz_make(fuzz_choices* c)
{
  base_text text = {0};
  fuzz_model(c, &text);
  fuzz_show(text.at);
  fuzz_made m = {.notes = zw_notes_new()};
  m.model = zw_model_read_text("fuzz.zw", text.at, text.n, NULL, 0, m.notes);
  FUZZ_HOLDS(m.model || zw_notes_errors(m.notes));
  if (m.model) m.system = zw_derive(m.model, m.notes);
  FUZZ_HOLDS(m.system || zw_notes_errors(m.notes));
  base_text_free(&text);
  return m;
}

void fuzz_unmake(fuzz_made* m)
{
  zw_system_free(m->system);
  zw_model_free(m->model);
  zw_notes_free(m->notes);
}

void fuzz_drop(char* text, const fuzz_made* m)
{
  FUZZ_HOLDS(text || zw_notes_errors(m->notes));
  zw_text_free(text);
}
