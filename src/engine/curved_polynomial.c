// Constraints as polynomials in the free accelerations w, where they are such: then all stationary
// points of Gauss's function can be found, not only those a search meets.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"

// Taylor's polynomial of a quadratic about w = 0
static int quadratic_terms(int l, double phi, const double* grad, const double* hess,
                           least_monomial* out)
{
  int count = 0;
  out[count++] = (least_monomial){.c = phi};
  for (int i = 0; i < l; i++) {
    out[count] = (least_monomial){.c = grad[i]};
    out[count++].power[i] = 1;
  }
  for (int i = 0; i < l; i++)
    for (int j = i; j < l; j++) {
      out[count] = (least_monomial){.c = i == j ? hess[i * l + i] / 2 : hess[i * l + j]};
      out[count].power[i]++;
      out[count++].power[j]++;
    }
  return count;
}

// exponents of all monomials of l variables up to a degree, in some order; null: count them
static int lattice(int l, int degree, unsigned char (*power)[LEAST_STATIONARY_MOST])
{
  unsigned char at[LEAST_STATIONARY_MOST] = {0};
  int count = 0, total = 0;
  for (;;) {
    if (power) memcpy(power[count], at, sizeof at);
    count++;
    int i = 0;
    while (i < l && total == degree) {
      total -= at[i];
      at[i++] = 0;
    }
    if (i == l) return count;
    at[i]++;
    total++;
  }
}

// value of the Newton basis polynomial prod_i x_i (x_i - 1) ... (x_i - p_i + 1) / p_i! at integers
static double binomials(int l, const unsigned char* x, const unsigned char* p)
{
  double product = 1;
  for (int i = 0; i < l; i++)
    for (int k = 0; k < p[i]; k++) product *= (double)(x[i] - k) / (k + 1);
  return product;
}

// multiply a polynomial of one variable, coefficients c[0..n], by (x - k) / d
static void times_shifted(int n, double* c, double k, double d)
{
  for (int i = n + 1; i >= 0; i--) c[i] = ((i ? c[i - 1] : 0) - k * (i <= n ? c[i] : 0)) / d;
}

// Coefficients that differences of the values leave as rounding are none: a difference of order k
// adds 2^k values with weights up to 2^k, and powers from it as much again.
static void drop_rounding(int l, int degree, double h, int count, const double* value,
                          least_monomial* out)
{
  double most = 0;
  for (int i = 0; i < count; i++) most = fmax(most, fabs(value[i]));
  const double rounding = most * DBL_EPSILON * pow(4, degree);
  for (int i = 0; i < count; i++) {
    int total = 0;
    for (int k = 0; k < l; k++) total += out[i].power[k];
    if (fabs(out[i].c) * pow(h, total) <= rounding) out[i].c = 0;
  }
}

// A polynomial of given degree from its values on the lattice x = w / h: differences in Newton's
// form, then expanded into powers. The lattice determines it uniquely.
static int lattice_terms(int l, int degree, double h, int count, const double* value,
                         unsigned char (*power)[LEAST_STATIONARY_MOST], least_monomial* out)
{
  double* newton = base_alloc(sizeof(double) * (size_t)count);
  // points in the order of their total degree: each coefficient from those before
  for (int total = 0; total <= degree; total++)
    for (int i = 0; i < count; i++) {
      int sum = 0;
      for (int k = 0; k < l; k++) sum += power[i][k];
      if (sum != total) continue;
      newton[i] = value[i];
      for (int j = 0; j < count; j++)
        if (j != i && newton[j] != 0) newton[i] -= newton[j] * binomials(l, power[i], power[j]);
    }
  for (int i = 0; i < count; i++) {
    out[i] = (least_monomial){0};
    memcpy(out[i].power, power[i], sizeof out[i].power);
  }
  for (int j = 0; j < count; j++) {
    if (newton[j] == 0) continue;
    double c[LEAST_STATIONARY_MOST][ENGINE_CURVED_DEGREE + 2] = {{0}};
    for (int k = 0; k < l; k++) {
      c[k][0] = 1;
      for (int q = 0; q < power[j][k]; q++) times_shifted(q, c[k], q, q + 1);
    }
    for (int i = 0; i < count; i++) {
      double product = newton[j];
      for (int k = 0; k < l && product != 0; k++)
        product *= power[i][k] <= power[j][k] ? c[k][power[i][k]] * pow(h, -power[i][k]) : 0;
      out[i].c += product;
    }
  }
  drop_rounding(l, degree, h, count, value, out);
  free(newton);
  return count;
}

enum { most_terms = 500 };

// the constraints as polynomials in w where they are such and small; null where not
const least_polynomial* engine_curved_polynomials(engine* e, least_polynomial* out)
{
  engine_curved* f = e->least;
  const int l = f->l;
  int room = 0;
  for (int j = 0; j < f->active; j++) {
    const int degree = f->degree[f->now[j]];
    const int terms = degree ? lattice(l, degree, NULL) : 0;
    if (!terms || terms > most_terms) return NULL;
    room += terms;
  }
  f->term = base_realloc(f->term, sizeof *f->term * (size_t)(room + 1));
  double phi[LEAST_STATIONARY_MOST];
  double zero[LEAST_STATIONARY_MOST] = {0};
  double* grad = base_alloc(sizeof(double) * (size_t)(f->active * l * (l + 1)));
  double* hess = grad + f->active * l;
  bool fine = !engine_curved_evaluate(e, zero, phi, grad, hess);
  // a lattice of the size of the accelerations in question
  double h = 0;
  for (int k = 0; k < l; k++) h = fmax(h, fabs(f->r[k] / f->H[k * l + k]));
  for (int i = 0; i < e->n; i++) h = fmax(h, fmax(fabs(f->ap[i]), fabs(f->anchor_a[i])));
  if (!(h > 0)) h = 1;
  int at = 0;
  for (int j = 0; j < f->active && fine; j++) {
    const int degree = f->degree[f->now[j]];
    least_monomial* term = f->term + at;
    if (degree <= 2) {
      at += quadratic_terms(l, phi[j], grad + j * l, hess + j * l * l, term);
    } else {
      const int count = lattice(l, degree, NULL);
      unsigned char(*power)[LEAST_STATIONARY_MOST] = base_alloc(sizeof *power * (size_t)count);
      double* value = base_alloc(sizeof(double) * (size_t)count);
      lattice(l, degree, power);
      for (int i = 0; i < count && fine; i++) {
        double w[LEAST_STATIONARY_MOST], all[LEAST_STATIONARY_MOST];
        for (int k = 0; k < l; k++) w[k] = h * power[i][k];
        fine = !engine_curved_evaluate(e, w, all, NULL, NULL);
        value[i] = all[j];
      }
      at += lattice_terms(l, degree, h, count, value, power, term);
      free(power);
      free(value);
    }
    out[j] = (least_polynomial){(int)(f->term + at - term), term};
  }
  free(grad);
  return fine ? out : NULL;
}
