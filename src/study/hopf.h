// Normal forms of Hopf points and folds. Private to study.
#pragma once

#include "study/chart.h"

// The first Lyapunov coefficient at the steady motion in the engine, after study_linear_at(), of
// the eigenvalue i w, and what it may be off by.
double study_hopf_coefficient(study_linear* l, const bool* ignorable, double w, base_arena* arena,
                              double* error);
// the real and the imaginary part of q, changes of the state: 4n; false where they are not told
bool study_hopf_shape(study_linear* l, const bool* ignorable, double w, base_arena* arena,
                      double* shape);
// The size of a = <p, B(q, q)>/2 at a fold, A q = 0, A^T p = 0, <q, q> = <p, q> = 1 (Kuznetsov,
// (5.20)): how fast the two motions part, x' = beta + a x^2. The same otherwise.
double study_fold_coefficient(study_linear* l, const bool* ignorable, base_arena* arena,
                              double* error);
// The coefficients a and b of y' = a x^2 + b x y, x' = y, where an eigenvalue is zero twice with
// one vector (takens.c); false where it is not. The same otherwise.
bool study_takens_coefficients(study_linear* l, const bool* ignorable, base_arena* arena,
                               double form[2], double* error);
