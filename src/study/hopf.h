// Normal forms of Hopf points and folds. Private to study.
#pragma once

#include "study/chart.h"

// The first Lyapunov coefficient at the steady motion in the engine, after study_linear_at(), of
// the eigenvalue i w, and what it may be off by. shape: null, or 4n for the real and the imaginary
// part of q, changes of the state.
double study_hopf_coefficient(study_linear* l, const bool* ignorable, double w, base_arena* arena,
                              double* shape, double* error);
// The size of a = <p, B(q, q)>/2 at a fold, A q = 0, A^T p = 0, <q, q> = <p, q> = 1 (Kuznetsov,
// (5.20)): how fast the two motions part, x' = beta + a x^2. The same otherwise.
double study_fold_coefficient(study_linear* l, const bool* ignorable, base_arena* arena,
                              double* error);
