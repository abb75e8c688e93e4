// Friction in space with the cone replaced by a pyramid: a linear complementarity problem, Stewart
// and Trinkle, International Journal for Numerical Methods in Engineering 39 (1996) 2673. Its
// solution is where Newton's method on the true cone begins. For a contact at rest, with directions
// e_k around the circle and lambda_T = sum beta_k e_k:
//   0 <= lambda_N _|_ alpha_N,  0 <= beta_k _|_ e_k.alpha_T + a,  0 <= a _|_ mu lambda_N - sum
//   beta.
#include "cone/contact.h"

#include <math.h>
#include <string.h>

enum { faces = CONE_CONTACT_FACES };

static int unknowns(const cone_contact* f, int i)
{
  double direction[2];
  return cone_contact_slips(f, i, direction) ? 1 : faces + 2;
}

static double side(int face, int k)
{
  double angle = 2 * M_PI * face / faces;
  return k == 0 ? cos(angle) : sin(angle);
}

// row `to` of B and r: the combination `weight` (t + 1) of the rows of contact i
static void equation(cone_contact* f, int size, int to, int i, const double* weight)
{
  double *B = f->B + (size_t)to * size, constant = 0;
  for (int w = 0; w <= f->t; w++) {
    int r = cone_contact_row(f, i, w);
    const double* D = f->D + (size_t)r * f->rows;
    constant += weight[w] * f->q[r];
    for (int j = 0, at = 0; j < f->c; at += unknowns(f, j), j++) {
      double direction[2];
      bool slips = cone_contact_slips(f, j, direction);
      B[at] += weight[w] * D[cone_contact_row(f, j, 0)];
      for (int k = 0; k < f->t; k++) {
        double t = weight[w] * D[cone_contact_row(f, j, k + 1)];
        if (slips) {
          B[at] -= f->mu[j] * direction[k] * t;
          constant -= f->mu[j] * direction[k] * t * f->offset[j];
        } else
          for (int face = 0; face < faces; face++) B[at + 1 + face] += side(face, k) * t;
      }
    }
  }
  f->r[to] = constant;
}

static void fill(cone_contact* f, int size)
{
  memset(f->B, 0, (size_t)size * size * sizeof *f->B);
  for (int i = 0, at = 0; i < f->c; at += unknowns(f, i), i++) {
    equation(f, size, at, i, (double[]){1, 0, 0});
    if (unknowns(f, i) == 1) continue;
    int last = at + faces + 1;
    for (int face = 0; face < faces; face++) {
      equation(f, size, at + 1 + face, i, (double[]){0, side(face, 0), side(face, 1)});
      f->B[(size_t)(at + 1 + face) * size + last] = 1;
      f->B[(size_t)last * size + at + 1 + face] = -1;
    }
    f->B[(size_t)last * size + at] = f->mu[i];
    f->r[last] = f->mu[i] * f->offset[i];
  }
}

bool cone_contact_faces(cone_contact* f)
{
  int size = 0;
  for (int i = 0; i < f->c; i++) size += unknowns(f, i);
  if (f->t != 2 || f->c > CONE_CONTACT_PYRAMIDS) return false;
  fill(f, size);
  if (cone_lcp_lemke(f->lcp, size, f->B, f->r, f->x) != CONE_LCP_SOLVED) return false;
  for (int i = 0, at = 0; i < f->c; at += unknowns(f, i), i++) {
    double direction[2], *force = f->force + cone_contact_row(f, i, 0);
    bool slips = cone_contact_slips(f, i, direction);
    force[0] = f->x[at];
    for (int k = 0; k < f->t; k++) {
      force[1 + k] = slips ? -f->mu[i] * direction[k] * (f->x[at] + f->offset[i]) : 0;
      for (int face = 0; face < faces && !slips; face++)
        force[1 + k] += side(face, k) * f->x[at + 1 + face];
    }
  }
  return true;
}
