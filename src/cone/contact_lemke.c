// Planar friction as a linear complementarity problem, Pfeiffer and Glocker, Multibody Dynamics
// with Unilateral Contacts (1996), chapter 5. For a contact at rest, with lambda_T = R - mu
// lambda_N:
//   0 <= lambda_N _|_ alpha_N,  0 <= R _|_ alpha_T + a,  0 <= a _|_ 2 mu lambda_N - R,
// a the backward part of alpha_T; for a slipping one lambda_T = -mu lambda_N sign only. A normal
// force given before (base) adds to lambda_N in the bound.
#include "cone/contact.h"

#include <math.h>
#include <string.h>

// unknowns of contact i in order: lambda_N, and R, a at rest
static int unknowns(const cone_contact* f, int i)
{
  double direction[2];
  return cone_contact_slips(f, i, direction) ? 1 : 3;
}

// lambda_T = T lambda_N + R + shift
static double along(const cone_contact* f, int i, double* shift)
{
  double direction[2] = {1, 0};
  cone_contact_slips(f, i, direction);
  *shift = -f->mu[i] * direction[0] * f->offset[i];
  return -f->mu[i] * direction[0];
}

// row `to` of B and r: alpha of contact row `from`
static void equation(cone_contact* f, int size, int to, int from)
{
  const double* D = f->D + (size_t)from * f->rows;
  double* B = f->B + (size_t)to * size;
  f->r[to] = f->q[from];
  for (int j = 0, at = 0; j < f->c; j++) {
    double shift, T = along(f, j, &shift);
    double N = D[cone_contact_row(f, j, 0)], t = D[cone_contact_row(f, j, 1)];
    B[at] = N + T * t;
    f->r[to] += t * shift;
    if (unknowns(f, j) == 3) B[at + 1] = t;
    at += unknowns(f, j);
  }
}

bool cone_contact_lemke(cone_contact* f)
{
  int size = 0;
  for (int i = 0; i < f->c; i++) size += unknowns(f, i);
  memset(f->B, 0, (size_t)size * size * sizeof *f->B);
  for (int i = 0, at = 0; i < f->c; at += unknowns(f, i), i++) {
    equation(f, size, at, cone_contact_row(f, i, 0));
    if (unknowns(f, i) == 1) continue;
    equation(f, size, at + 1, cone_contact_row(f, i, 1));
    f->B[(size_t)(at + 1) * size + at + 2] = 1;
    f->B[(size_t)(at + 2) * size + at] = 2 * f->mu[i];
    f->B[(size_t)(at + 2) * size + at + 1] = -1;
    f->r[at + 2] = 2 * f->mu[i] * f->offset[i];
  }
  if (cone_lcp_lemke(f->lcp, size, f->B, f->r, f->x) != CONE_LCP_SOLVED) return false;
  for (int i = 0, at = 0; i < f->c; at += unknowns(f, i), i++) {
    double shift, T = along(f, i, &shift);
    f->force[cone_contact_row(f, i, 0)] = f->x[at];
    f->force[cone_contact_row(f, i, 1)] =
        T * f->x[at] + shift + (unknowns(f, i) == 3 ? f->x[at + 1] : 0);
  }
  return true;
}
