// Normal form of a Hopf point. Private to study.
#pragma once

#include "study/chart.h"

// The first Lyapunov coefficient at the steady motion in the engine, after study_linear_at(), of
// the eigenvalue i w, and what it may be off by. shape: null, or 4n for the real and the imaginary
// part of q, changes of the state.
double study_hopf_coefficient(study_linear* l, const bool* ignorable, double w, base_arena* arena,
                              double* shape, double* error);
