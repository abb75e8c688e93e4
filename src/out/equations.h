// The styles in which equations are written.
#pragma once

#include "out/out.h"

// The equations as people want to read them: sides shortened further than motion needs, and where
// they would still fill many pages, abbreviations for what they share, as further definitions.
mech_equations out_equations_page(const mech_system* s, const mech_equations* e, base_arena* arena);

void out_equations_text(const mech_system* s, const mech_equations* e, base_text* out);
void out_equations_latex(const mech_system* s, const mech_equations* e, base_text* out);
void out_equations_c(const mech_system* s, const mech_equations* e, base_text* out);
void out_equations_json(const mech_system* s, const mech_equations* e, base_text* out);

// Formulas in LaTeX, reaction(NAME) written as Lambda with an index where no name is taken by that.
typedef struct out_formulas
{
  const mech_system* s;
  int reactions;
  expr *from, *to;
} out_formulas;
out_formulas out_formulas_make(const mech_system* s, base_arena* arena);
char* out_formula_latex(const out_formulas* f, expr e); // the caller's
