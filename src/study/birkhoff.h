// Birkhoff's normal form of two oscillations. Private to study.
#pragma once

#include "study/energy.h"

// The verdict on an equilibrium of two degrees of freedom whose eigenvalues are imaginary and whose
// energy is neither least nor greatest: changed where the form decides, else r->why says what is
// missing. At the engine's state, after study_linear_at().
void study_birkhoff_judge(study_linear* l, const study_energy* y, study_stability* r);
