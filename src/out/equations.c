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
  for (int i = 0; i < STYLES; i++)
    if (styles[i].style == style) {
      styles[i].write(s, e, out);
      return;
    }
  assert(!"an unknown style");
}
