// Equations of a form, in the style asked for.
#include "out/equations.h"

#include <assert.h>
#include <string.h>

typedef void writer(const mech_system* s, const mech_equations* e, base_text* out);

static const struct
{
  const char* name;
  out_style style;
  writer* write;
} styles[] = {{"text", OUT_TEXT, out_equations_text},
              {"latex", OUT_LATEX, out_equations_latex},
              {"c", OUT_C, out_equations_c},
              {"json", OUT_JSON, out_equations_json}};

enum { STYLES = sizeof styles / sizeof *styles };

int out_style_find(const char* name)
{
  for (int i = 0; i < STYLES; i++)
    if (strcmp(styles[i].name, name) == 0) return (int)styles[i].style;
  return -1;
}

void out_equations(const mech_system* s, const mech_equations* e, out_style style, base_text* out)
{
  base_arena* arena = base_arena_new();
  mech_equations page = style == OUT_C ? *e : out_equations_page(s, e, arena);
  int found = 0;
  while (found < STYLES && styles[found].style != style) found++;
  assert(found < STYLES);
  styles[found].write(s, &page, out);
  base_arena_free(arena);
}
