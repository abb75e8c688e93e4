// The factor of an active set that rows enter and leave: S_FF = L L^T, L row by row. Private to
// cone.
#pragma once

#include <stdbool.h>
#include <string.h>

typedef struct cone_active_factor
{
  int k, stride; // members; numbers from a row of L to the next
  int* F;        // members in the order of the rows of L
  bool* in;      // by row of S: is in F
  double* L;
} cone_active_factor;

static inline double* cone_active_factor_row(const cone_active_factor* f, int i)
{
  return f->L + (long)i * f->stride;
}

// as many as every processor has registers for: wider ones would be laid down in memory after each
// sum where it has none
typedef double cone_active_two __attribute__((vector_size(16)));

static inline cone_active_two cone_active_load(const double* x)
{
  cone_active_two v;
  memcpy(&v, x, sizeof v);
  return v;
}

static inline double cone_active_dot(int n, const double* a, const double* b)
{
  cone_active_two first = {0}, second = {0};
  double rest = 0;
  int j = 0;
  for (; j + 4 <= n; j += 4) {
    first += cone_active_load(a + j) * cone_active_load(b + j);
    second += cone_active_load(a + j + 2) * cone_active_load(b + j + 2);
  }
  for (; j < n; j++) rest += a[j] * b[j];
  return (first[0] + first[1]) + (second[0] + second[1]) + rest;
}

// row s of S becomes the last member: u = L^-1 S_Fs, left = S_ss - u.u
void cone_active_factor_append(cone_active_factor* f, int s, const double* u, double left);
// member `at` is taken out; the row of S that it was
int cone_active_factor_leave(cone_active_factor* f, int at);
// x <- L^-T x
void cone_active_factor_back(const cone_active_factor* f, double* x);
