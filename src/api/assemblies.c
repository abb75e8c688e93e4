// All assemblies of a mechanism.
#include "api/api.h"

char* zw_assemblies(zw_system* s, const char* style, zw_notes* notes)
{
  API_ENTER(notes, NULL, API_IS(SYSTEM, s), API_HAS(style));
  base_notes* n = notes->notes;
  if (!out_assemblies_write(NULL, style, NULL)) {
    base_error(n, BASE_NOWHERE, "there is no format `%s`", style);
    base_help(n, "the formats are text and json");
    return NULL;
  }
  study_assemblies* r = study_assemblies_find(s->system, n);
  base_text text = {0};
  if (r) out_assemblies_write(r, style, &text);
  study_assemblies_free(r);
  return r ? api_hand_out_text(base_text_take(&text)) : NULL;
}
