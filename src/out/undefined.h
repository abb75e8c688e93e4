// Cells of tables that have no value. Private to out.
#pragma once

#include "out/out.h"

// One warning for all runs together that names the columns with such cells, and where they begin.
void out_undefined_note(const out_runs* r, base_notes* notes);
