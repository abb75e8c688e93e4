// States side by side for a right-hand side that takes one at a time: evaluated one after the
// other.
#include "step/gauss16.h"

#include <stdlib.h>
#include <string.h>

struct gauss16_rhs
{
  step_abreast lanes;
  const step_ode* ode;
  double t[STEP_ABREAST];
  double **Y, *y, *dy;
  const double** F;
  int* rate;
};

static void times(void* context, const double* t)
{
  gauss16_rhs* r = context;
  memcpy(r->t, t, sizeof r->t);
}

static int evaluate(void* context)
{
  gauss16_rhs* r = context;
  const int n = r->ode->n;
  for (int l = 0; l < STEP_ABREAST; l++) {
    for (int i = 0; i < n; i++) r->y[i] = r->Y[i][l];
    const int code = r->ode->rhs(r->ode->context, r->t[l], r->y, r->dy);
    if (code) return code;
    for (int i = 0; i < n; i++) ((double*)r->F[i])[l] = r->dy[i];
  }
  return 0;
}

gauss16_rhs* gauss16_rhs_new(const step_ode* ode)
{
  const size_t n = (size_t)ode->n, pointer = sizeof(double*);
  const size_t doubles = (2 * STEP_ABREAST + 2) * n;
  gauss16_rhs* r =
      base_alloc(sizeof *r + 2 * n * pointer + doubles * sizeof(double) + n * sizeof(int) + 1);
  r->Y = (double**)(r + 1);
  r->F = (const double**)(r->Y + n);
  r->y = (double*)(r->F + n);
  r->dy = r->y + n;
  double* at = r->dy + n;
  for (size_t i = 0; i < n; i++, at += 2 * STEP_ABREAST) {
    r->Y[i] = at;
    r->F[i] = at + STEP_ABREAST;
  }
  r->rate = (int*)at;
  for (size_t i = 0; i < n; i++) r->rate[i] = -1;
  r->ode = ode;
  r->lanes =
      (step_abreast){.Y = r->Y, .F = r->F, .rate = r->rate, .times = times, .evaluate = evaluate};
  return r;
}

const step_abreast* gauss16_rhs_abreast(const gauss16_rhs* r)
{
  return &r->lanes;
}
