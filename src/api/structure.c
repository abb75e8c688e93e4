// What the motion of a system keeps: symmetries, integrals, a measure.
#include "api/api.h"

enum { structure_cookie = 0x7374 };

static const api_options structure_options = {"zw_structure_defaults", structure_cookie,
                                              offsetof(zw_structure_options, cookie), 0, NULL};

zw_structure_options zw_structure_defaults(void)
{
  return (zw_structure_options){.cookie = structure_cookie};
}

char* zw_structure(zw_system* s, const zw_structure_options* o, const char* style, zw_notes* notes)
{
  API_ENTER(notes, NULL, API_IS(SYSTEM, s), API_FIT(o, structure_options), API_HAS(style));
  base_notes* n = notes->notes;
  if (!out_structure_write(NULL, style, NULL)) {
    base_error(n, BASE_NOWHERE, "there is no format `%s`", style);
    base_help(n, "the formats are text and json");
    return NULL;
  }
  study_point* p = api_state_solve(s, NULL, "--at", o->at, n);
  if (!p) return NULL;
  base_arena* arena = base_arena_new();
  expr* symbol;
  double* value;
  const int count = study_point_symbols(s->system, p, arena, &symbol, &value);
  geom_structure* r = geom_structure_find(s->system, count, symbol, value);
  base_text text = {0};
  if (r->unsuited) {
    base_error(n, BASE_NOWHERE, "symmetries and integrals are not looked for: %s", r->unsuited);
    base_help(n,
              "they are found for systems that do not depend on time, with constraints linear in "
              "the velocities and forces linear in them");
  } else {
    out_structure_write(r, style, &text);
  }
  const bool done = !r->unsuited;
  geom_structure_free(r);
  study_point_free(p);
  base_arena_free(arena);
  return done ? api_hand_out_text(base_text_take(&text)) : NULL;
}
