// A linear model in symbols, beside the numbers. Private to study.
#pragma once

#include "study/stability.h"

// r has its numbers; `along` of each input the coordinate along which it acts, -1 of a param with
// the symbol u; y the outputs. False with errors noted.
bool study_linearise_symbolic(study_linear* l, study_linearised* r, const int* along, const expr* u,
                              const expr* y, base_notes* notes);
