// Friction in a cone by a semismooth Newton method on the equations of Alart and Curnier, Computer
// Methods in Applied Mechanics and Engineering 92 (1991) 353, begun by projected Gauss-Seidel:
//   lambda_N = max(0, lambda_N - rho alpha_N),
//   lambda_T = projection of lambda_T - rho alpha_T on the disc of radius mu max(0, ...).
// Their zeros are exactly the solutions. A slipping contact has lambda_T = -mu lambda_N s/|s|.
#include "cone/contact.h"
#include "cone/small.h"

#include <math.h>
#include <string.h>

// what contact i asks for, from its forces and accelerations
typedef struct local
{
  double normal;       // lambda_N - rho alpha_N
  bool both;           // of either sign
  double tangent[2];   // lambda_T - rho alpha_T
  double length;       // of it
  double radius;       // mu (base + max(0, normal)), or mu |normal|
  double direction[2]; // of slip
  bool slips;
} local;

static double rho(const cone_contact* f, int r)
{
  double d = f->D[(size_t)r * f->rows + r];
  return d > 0 ? 1 / d : 1;
}

// one rho for the tangents of a contact: the disc must stay a disc
static double rho_tangent(const cone_contact* f, int i)
{
  double most = 0;
  for (int k = 1; k <= f->t; k++) {
    int r = cone_contact_row(f, i, k);
    most = fmax(most, f->D[(size_t)r * f->rows + r]);
  }
  return most > 0 ? 1 / most : 1;
}

static local ask(const cone_contact* f, const double* x, const double* a, int i)
{
  local l = {0};
  int r = cone_contact_row(f, i, 0);
  l.normal = x[r] - rho(f, r) * a[r];
  l.both = cone_contact_both(f, i);
  l.radius = f->mu[i] * (f->offset[i] + (l.both ? fabs(l.normal) : fmax(0, l.normal)));
  l.slips = cone_contact_slips(f, i, l.direction);
  for (int k = 0; k < f->t; k++) {
    l.tangent[k] = x[r + 1 + k] - rho_tangent(f, i) * a[r + 1 + k];
    l.length = hypot(l.length, l.tangent[k]);
  }
  return l;
}

// the forces contact i ought to have
static void answer(const cone_contact* f, const local* l, double* x)
{
  x[0] = l->both ? l->normal : fmax(0, l->normal);
  for (int k = 0; k < f->t; k++)
    x[1 + k] = l->slips                 ? -l->radius * l->direction[k]
               : l->length <= l->radius ? l->tangent[k]
                                        : l->radius * l->tangent[k] / l->length;
}

static void accelerations(const cone_contact* f, const double* x, double* a)
{
  for (int r = 0; r < f->rows; r++) {
    double s = f->q[r];
    for (int j = 0; j < f->rows; j++) s += f->D[(size_t)r * f->rows + j] * x[j];
    a[r] = s;
  }
}

// F = x - answer; its size
static double residual(cone_contact* f, const double* x, double* F)
{
  double sum = 0;
  accelerations(f, x, f->alpha);
  for (int i = 0; i < f->c; i++) {
    int r = cone_contact_row(f, i, 0);
    local l = ask(f, x, f->alpha, i);
    answer(f, &l, F + r);
    for (int k = 0; k <= f->t; k++) {
      F[r + k] = x[r + k] - F[r + k];
      sum += F[r + k] * F[r + k];
    }
  }
  return sqrt(sum);
}

static double largest(const cone_contact* f, const double* x)
{
  double most = f->largest;
  for (int r = 0; r < f->rows; r++) most = fmax(most, fabs(x[r]));
  return most;
}

static bool sweep(cone_contact* f, int times)
{
  double* x = f->force;
  for (int turn = 0; turn < times; turn++) {
    double change = 0;
    for (int i = 0; i < f->c; i++) {
      int r = cone_contact_row(f, i, 0);
      for (int k = 0; k <= f->t; k++) {
        double s = f->q[r + k];
        for (int j = 0; j < f->rows; j++) s += f->D[(size_t)(r + k) * f->rows + j] * x[j];
        f->alpha[r + k] = s;
      }
      local l = ask(f, x, f->alpha, i);
      double new[3];
      answer(f, &l, new);
      for (int k = 0; k <= f->t; k++) {
        change = fmax(change, fabs(new[k] - x[r + k]));
        x[r + k] = new[k];
      }
    }
    if (!isfinite(change) || change > 1e12 * f->largest) return false;
    if (change <= cone_rounding * largest(f, x)) return true;
  }
  return true;
}

// d(normal)/dx is e_r - rho D_r; likewise for the tangents
static void add_row(const cone_contact* f, double factor, int r, double weight, double* J)
{
  for (int j = 0; j < f->rows; j++) J[j] += factor * weight * f->D[(size_t)r * f->rows + j];
  J[r] -= factor;
}

static void derive(cone_contact* f, const double* x)
{
  memset(f->J, 0, (size_t)f->rows * f->rows * sizeof *f->J);
  for (int i = 0; i < f->c; i++) {
    int r = cone_contact_row(f, i, 0);
    local l = ask(f, x, f->alpha, i);
    double* J = f->J + (size_t)r * f->rows;
    for (int k = 0; k <= f->t; k++) J[(size_t)k * f->rows + r + k] = 1;
    const bool pressed = l.both || l.normal > 0;
    const double side = l.normal > 0 ? 1 : -1;
    if (pressed) add_row(f, 1, r, rho(f, r), J);
    for (int k = 0; k < f->t; k++) {
      double* Jk = J + (size_t)(k + 1) * f->rows;
      if (!l.slips && l.length <= l.radius) {
        add_row(f, 1, r + 1 + k, rho_tangent(f, i), Jk);
        continue;
      }
      // radius * unit: the derivative of the radius, then of the unit vector
      double unit = l.slips ? -l.direction[k] : l.tangent[k] / l.length;
      if (pressed) add_row(f, side * f->mu[i] * unit, r, rho(f, r), Jk);
      for (int o = 0; o < f->t && !l.slips; o++) {
        double turn = ((o == k) - unit * l.tangent[o] / l.length) * l.radius / l.length;
        add_row(f, turn, r + 1 + o, rho_tangent(f, i), Jk);
      }
    }
  }
}

static bool newton(cone_contact* f)
{
  double* x = f->force;
  double size = residual(f, x, f->F);
  for (int turn = 0; turn < 60; turn++) {
    if (size <= cone_newton_done * largest(f, x)) return true;
    derive(f, x);
    for (int r = 0; r < f->rows; r++) f->F[r] = -f->F[r];
    num_null_factor(f->null, f->rows, f->rows, f->J, cone_contact_pivot);
    num_null_solve(f->null, f->J, f->F, f->step);
    double factor = 1, next = INFINITY;
    for (int half = 0; half < 12; half++, factor /= 2) {
      for (int r = 0; r < f->rows; r++) f->trial[r] = x[r] + factor * f->step[r];
      next = residual(f, f->trial, f->lambda);
      if (next < size * (1 - cone_newton_descent * factor)) break;
    }
    // no descent left: rounding, or a corner
    if (!(next < size)) break;
    memcpy(x, f->trial, (size_t)f->rows * sizeof *x);
    size = residual(f, x, f->F);
  }
  return size <= cone_newton_solved * largest(f, x);
}

// the forces the laws ask for at the solution found: signs and bounds hold exactly
static void settle(cone_contact* f)
{
  accelerations(f, f->force, f->alpha);
  for (int i = 0; i < f->c; i++) {
    local l = ask(f, f->force, f->alpha, i);
    answer(f, &l, f->force + cone_contact_row(f, i, 0));
  }
}

void cone_contact_polish(cone_contact* f)
{
  newton(f);
  settle(f);
}

// forces somewhere inside the cones, of the size of the problem; the same ones every time
static void scatter(cone_contact* f, unsigned* seed)
{
  for (int i = 0; i < f->c; i++)
    for (int k = 0; k <= f->t; k++) {
      *seed = *seed * 1664525u + 1013904223u;
      double u = (double)(*seed >> 8) / (1 << 24), N = f->force[cone_contact_row(f, i, 0)];
      f->force[cone_contact_row(f, i, k)] =
          k == 0 ? fmax(0, 3 * u - 1) * f->largest : f->mu[i] * N * (2 * u - 1);
    }
}

// From less friction, where what is at the edge of slipping clearly slips, to all of it.
static bool approach(cone_contact* f)
{
  // the last but one is a part in 10^9 below
  enum { stages = 10 };
  double less = 0.1;
  double* whole = f->whole;
  bool found = false;
  memcpy(whole, f->mu, (size_t)f->c * sizeof *whole);
  memset(f->force, 0, (size_t)f->rows * sizeof *f->force);
  for (int k = 0; k < stages; k++, less = k + 1 < stages ? less / 10 : 0) {
    for (int i = 0; i < f->c; i++) f->mu[i] = (1 - less) * whole[i];
    if (k == 0 && !sweep(f, 200)) break;
    found = newton(f);
    if (!found && k == 0) break;
  }
  memcpy(f->mu, whole, (size_t)f->c * sizeof *whole);
  settle(f);
  return found;
}

// keep the forces with the least fault met so far
static void keep_best(cone_contact* f, double* least)
{
  const double fault = cone_contact_fault(f);
  if (!(fault < *least)) return;
  *least = fault;
  memcpy(f->best, f->force, (size_t)f->rows * sizeof *f->best);
}

bool cone_contact_newton(cone_contact* f)
{
  // sweeps before Newton: a few, many; then from the solution with pyramids, then from anywhere
  enum { starts = 10, tame = 3 };
  unsigned seed = 1;
  double least = INFINITY;
  memset(f->force, 0, (size_t)f->rows * sizeof *f->force);
  for (int k = 0; k < starts; k++) {
    if (k == tame && approach(f)) return true;
    if (k == tame) keep_best(f, &least);
    bool pyramid = k == 2 && cone_contact_faces(f);
    if (k >= tame) scatter(f, &seed);
    if (!pyramid && !sweep(f, k == 1 ? 200 : k == 2 ? 2000 : 20)) continue;
    const bool found = newton(f);
    settle(f);
    if (found) return true;
    keep_best(f, &least);
  }
  // at the edge of slipping redundant contacts leave their forces nearly free
  if (!(least <= cone_contact_edge)) return false;
  memcpy(f->force, f->best, (size_t)f->rows * sizeof *f->force);
  return true;
}
