// The styles in which equations are written.
#pragma once

#include "out/out.h"

void out_equations_text(const mech_system* s, const mech_equations* e, base_text* out);
void out_equations_latex(const mech_system* s, const mech_equations* e, base_text* out);
void out_equations_c(const mech_system* s, const mech_equations* e, base_text* out);
void out_equations_json(const mech_system* s, const mech_equations* e, base_text* out);
