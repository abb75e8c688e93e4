// Forces of contacts against the laws: how far they are from them, what the modes are, what is
// kept.
#include "cone/contact.h"
#include "cone/small.h"

#include <math.h>
#include <string.h>

bool cone_contact_slips(const cone_contact* f, int i, double* direction)
{
  double s = 0;
  if (f->p->slip)
    for (int k = 0; k < f->t; k++) s = hypot(s, f->p->slip[i * f->t + k]);
  if (s == 0) return false;
  for (int k = 0; k < f->t; k++) direction[k] = f->p->slip[i * f->t + k] / s;
  return true;
}

// row of the problem that is row k of contact i
const double* cone_contact_given(const cone_contact* f, int i, int k, double* d)
{
  const cone_contact_problem* p = f->p;
  if (k == 0) {
    *d = p->d_N[i];
    return p->N + (size_t)i * p->n;
  }
  int j = i * f->t + k - 1;
  *d = p->d_T[j];
  return p->T + (size_t)j * p->n;
}

static double norm(int n, const double* x)
{
  double s = 0;
  for (int i = 0; i < n; i++) s = hypot(s, x[i]);
  return s;
}

// fault of the law of friction at contact i
static double friction_fault(const cone_contact* f, int i, double normal)
{
  const double *T = f->force + cone_contact_row(f, i, 1), *a = f->alpha + cone_contact_row(f, i, 1);
  double bound = f->mu[i] * normal, direction[2], worst = 0;
  if (cone_contact_slips(f, i, direction)) {
    for (int k = 0; k < f->t; k++) worst = fmax(worst, fabs(T[k] + bound * direction[k]));
    return worst;
  }
  worst = norm(f->t, T) - bound;
  double rate = norm(f->t, a);
  // either no tangential motion, or all of the friction against it
  double against = 0;
  for (int k = 0; k < f->t && rate > 0; k++)
    against = fmax(against, fabs(T[k] + bound * a[k] / rate));
  return fmax(worst, fmin(rate, against));
}

double cone_contact_fault(cone_contact* f)
{
  double worst = 0, most = f->largest;
  for (int r = 0; r < f->rows; r++) {
    long double a = f->q[r];
    for (int s = 0; s < f->rows; s++) a += (long double)f->D[(size_t)r * f->rows + s] * f->force[s];
    f->alpha[r] = (double)a;
    most = fmax(most, fabs(f->force[r]));
    if (!isfinite(f->alpha[r])) return INFINITY;
  }
  for (int i = 0; i < f->c; i++) {
    int r = cone_contact_row(f, i, 0);
    double x = f->force[r], a = f->alpha[r];
    const bool both = cone_contact_both(f, i);
    worst = fmax(worst, both ? fabs(a) : fmax(-x, fmax(-a, fmin(x, a))));
    const double normal = f->offset[i] + (both ? fabs(x) : fmax(0, x));
    if (f->t) worst = fmax(worst, friction_fault(f, i, normal));
  }
  return most > 0 ? worst / most : 0;
}

// what is something of forces' and alpha'
static double largest(const cone_contact* f)
{
  double most = f->largest;
  for (int r = 0; r < f->rows; r++) most = fmax(most, fabs(f->force[r]));
  return most;
}

// does contact i neither slip nor begin to?
static bool rests(const cone_contact* f, int i, double most)
{
  double direction[2];
  return !cone_contact_slips(f, i, direction) &&
         norm(f->t, f->alpha + cone_contact_row(f, i, 1)) <= cone_contact_good * most;
}

void cone_contact_classify(cone_contact* f)
{
  const double most = largest(f);
  for (int i = 0; i < f->c; i++) {
    const double* a = f->alpha + cone_contact_row(f, i, 1);
    double direction[2];
    cone_contact_mode slip = CONE_CONTACT_SLIP;
    bool slides = cone_contact_slips(f, i, direction);
    if (f->t == 1 && (slides ? direction[0] : a[0]) < 0) slip = CONE_CONTACT_SLIP_BACK;
    bool pressed = cone_contact_both(f, i) ||
                   f->force[cone_contact_row(f, i, 0)] + f->offset[i] > cone_contact_good * most;
    bool rest = f->t == 0 || rests(f, i, most);
    f->mode[i] = !pressed ? CONE_CONTACT_OPEN : rest ? CONE_CONTACT_STICK : slip;
  }
}

// what the part of a friction along d adds to the motion, squared
static double moves(const cone_contact* f, int i, const double* d)
{
  double square = 0;
  for (int j = 0; j < f->m; j++) {
    double sum = 0;
    for (int k = 0; k < f->t; k++)
      sum += d[k] * f->G[(size_t)cone_contact_row(f, i, 1 + k) * f->m + j];
    square += sum * sum;
  }
  return square;
}

// Of two tangents the direction whose force moves least: of the products a, b; b, c of their rows
// the eigenvector of the smaller eigenvalue, without a difference of like numbers
static void idlest(const cone_contact* f, int i, double* d)
{
  d[0] = 1;
  if (f->t == 1) return;
  const double *one = f->G + (size_t)cone_contact_row(f, i, 1) * f->m, *other = one + f->m;
  double a = 0, b = 0, c = 0;
  for (int j = 0; j < f->m; j++) {
    a += one[j] * one[j];
    b += one[j] * other[j];
    c += other[j] * other[j];
  }
  const double along = fabs(a - c) / 2 + hypot((a - c) / 2, b), length = hypot(along, b);
  const int less = a < c ? 0 : 1;
  d[less] = length > 0 ? along / length : 1;
  d[1 - less] = length > 0 ? -b / length : 0;
}

void cone_contact_drop_idle(cone_contact* f)
{
  const double most = largest(f);
  for (int i = 0; i < f->c; i++) {
    // what slips, if it is led to, has the friction of its law
    if (f->t && !rests(f, i, most)) continue;
    const double* g = f->G + (size_t)cone_contact_row(f, i, 0) * f->m;
    double d[2] = {0}, part = 0, size = 0, *force = f->force + cone_contact_row(f, i, 1);
    for (int j = 0; j < (f->t + 1) * f->m; j++) size += g[j] * g[j];
    const double least = cone_contact_idle * cone_contact_idle * size;
    idlest(f, i, d);
    if (moves(f, i, d) > least) continue;
    const bool all = f->t > 1 && moves(f, i, (double[]){d[1], -d[0]}) <= least;
    for (int k = 0; k < f->t; k++) part += d[k] * force[k];
    for (int k = 0; k < f->t; k++) force[k] = all ? 0 : force[k] - part * d[k];
  }
}

// lambda_B and w of the forces in f->lambda (unscaled)
static void motion(cone_contact* f, double* w, double* lambda_B)
{
  const cone_contact_problem* p = f->p;
  int n = p->n;
  memset(f->z, 0, (size_t)f->m * sizeof *f->z);
  for (int r = 0; r < f->rows; r++)
    for (int j = 0; j < f->m; j++) f->z[j] += f->G[(size_t)r * f->m + j] * f->force[r];
  if (p->W) {
    for (int j = 0; j < n; j++) w[j] = p->w0[j] + f->z[j];
    return;
  }
  cone_least_motion(f->least, f->z, w);
  for (int i = 0; i < n; i++) {
    long double s = -p->F[i];
    for (int j = 0; j < n; j++) s += (long double)p->M[(size_t)i * n + j] * w[j];
    f->rest[i] = (double)s;
  }
  for (int i = 0; i < f->c; i++)
    for (int k = 0; k <= f->t; k++) {
      double d;
      const double* N = cone_contact_given(f, i, k, &d);
      double force = f->force[cone_contact_row(f, i, k)] / f->s[i];
      for (int j = 0; j < n; j++) f->rest[j] -= N[j] * force;
    }
  cone_least_bilateral(f->least, f->rest, lambda_B);
}

void cone_contact_keep(cone_contact* f, cone_contact_result* out)
{
  if (out->count >= CONE_CONTACT_SOLUTIONS) return;
  const cone_contact_problem* p = f->p;
  size_t each = (size_t)(2 * f->n_max + f->b_max + 2 * f->c_max * (f->t + 1));
  double* w = f->store + each * (size_t)out->count;
  double *z = w + f->n_max, *lambda_B = z + f->n_max, *force = lambda_B + f->b_max;
  double *alpha = force + f->rows, fault = cone_contact_fault(f);
  cone_contact_mode* mode = f->modes_kept + (size_t)f->c_max * (size_t)out->count;
  motion(f, w, lambda_B);
  memcpy(z, f->z, (size_t)f->m * sizeof *z);
  for (int s = 0; s < out->count; s++) {
    const double* other = f->store + each * (size_t)s + f->n_max;
    double apart = 0, size = f->largest;
    for (int j = 0; j < f->m; j++) {
      apart = fmax(apart, fabs(z[j] - other[j]));
      size = fmax(size, fabs(z[j]));
    }
    if (apart <= cone_contact_same * size) return;
  }
  cone_contact_solution* s = &out->solution[out->count++];
  for (int i = 0; i < f->c; i++) {
    mode[i] = f->mode[i];
    for (int k = 0; k <= f->t; k++) {
      int r = cone_contact_row(f, i, k), to = k == 0 ? i : f->c + i * f->t + k - 1;
      double d;
      const double* N = cone_contact_given(f, i, k, &d);
      long double a = d;
      for (int j = 0; j < p->n; j++) a += (long double)N[j] * w[j];
      bool closed = f->mode[i] != CONE_CONTACT_OPEN && (k == 0 || f->mode[i] == CONE_CONTACT_STICK);
      force[to] = f->force[r] / f->s[i];
      alpha[to] = closed && f->force[r] != 0 && fabs(f->alpha[r]) <= cone_contact_good * f->largest
                      ? 0
                      : (double)a;
    }
  }
  *s = (cone_contact_solution){.w = w,
                               .lambda_B = lambda_B,
                               .lambda_N = force,
                               .lambda_T = force + f->c,
                               .alpha_N = alpha,
                               .alpha_T = alpha + f->c,
                               .mode = mode,
                               .residual = fault};
}
