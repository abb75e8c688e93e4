// Groups of motions that the equations do not notice. Private to study.
#pragma once

#include "study/linear.h"

// Fields eta_k(q) = C_k q + c_k: displacing every coordinate by them, and every velocity by C_k v,
// changes neither T nor constraints nor what follows from the equations.
typedef struct study_symmetry
{
  int n, count;
  double* C; // count by n by n
  double* c; // count by n
} study_symmetry;

// All such fields near the engine's state, a basis of them in the arena; where the equations depend
// on time, those of all times from now to now + span.
study_symmetry study_symmetry_find(study_linear* l, double span, base_arena* arena);
// shifts of single coordinates
study_symmetry study_symmetry_shifts(int n, const bool* ignorable, base_arena* arena);
// sum of xi_k eta_k (xi null: eta_k alone): C into out_C (n by n), c into out_c
void study_symmetry_sum(const study_symmetry* s, const double* xi, int k, double* out_C,
                        double* out_c);
// out = C x, and + c where c is not null
void study_symmetry_apply(int n, const double* C, const double* c, const double* x, double* out);
// what field k does to the state: 2n
void study_symmetry_at(const study_symmetry* s, int k, const double* q, const double* v,
                       double* out);
// The f directions of F (2n by f) and those that symmetries of the equations move the state of the
// engine along, which belong to the family of a steady motion whatever their size is; how many.
// Room for 2n by 2n.
int study_symmetry_family(study_linear* l, int f, double* F);
// x without its part along the `count` columns before, as the next column of F (N rows, `most`
// wide); false where no more than `least` is left
bool study_symmetry_column(int N, int most, int count, double least, double* x, double* F);
