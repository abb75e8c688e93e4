// Constraints as polynomials in the free accelerations w, where they are such: then all stationary
// points of Gauss's function can be found, not only those a search meets.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/inside.h"

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

enum { most_terms = 500 };

// values on the lattice, of a polynomial of given degree in l variables
typedef struct samples
{
  int l, degree, count;
  double h; // spacing
  unsigned char power[most_terms][LEAST_STATIONARY_MOST];
  double value[most_terms];
} samples;

// Newton's differences: points in the order of their total degree, each from those before
static void differences(const samples* x, double* newton)
{
  for (int i = 0; i < x->count; i++) newton[i] = 0;
  for (int total = 0; total <= x->degree; total++)
    for (int i = 0; i < x->count; i++) {
      int sum = 0;
      for (int k = 0; k < x->l; k++) sum += x->power[i][k];
      if (sum != total) continue;
      newton[i] = x->value[i];
      for (int j = 0; j < x->count; j++)
        if (j != i && newton[j] != 0)
          newton[i] -= newton[j] * binomials(x->l, x->power[i], x->power[j]);
    }
}

// A polynomial from its values on the lattice x = w / h, which determines it uniquely: differences
// in Newton's form, then expanded into powers.
static void lattice_terms(const samples* x, least_monomial* out)
{
  double newton[most_terms];
  const int l = x->l;
  differences(x, newton);
  for (int i = 0; i < x->count; i++) {
    out[i] = (least_monomial){0};
    memcpy(out[i].power, x->power[i], sizeof out[i].power);
  }
  for (int j = 0; j < x->count; j++) {
    if (newton[j] == 0) continue;
    double c[LEAST_STATIONARY_MOST][ENGINE_CURVED_DEGREE + 2] = {{0}};
    for (int k = 0; k < l; k++) {
      c[k][0] = 1;
      for (int q = 0; q < x->power[j][k]; q++) times_shifted(q, c[k], q, q + 1);
    }
    for (int i = 0; i < x->count; i++) {
      const unsigned char* p = x->power[i];
      double product = newton[j];
      for (int k = 0; k < l && product != 0; k++)
        product *= p[k] <= x->power[j][k] ? c[k][p[k]] * pow(x->h, -p[k]) : 0;
      out[i].c += product;
    }
  }
  drop_rounding(l, x->degree, x->h, x->count, x->value, out);
}

// ---- the constraints that hold ------------------------------------------------------------------

// of the size of the accelerations in question
static double spacing(const engine* e)
{
  const engine_curved* f = e->least;
  double h = 0;
  for (int k = 0; k < f->l; k++) h = fmax(h, fabs(f->r[k] / f->H[k * f->l + k]));
  for (int i = 0; i < e->n; i++) h = fmax(h, fmax(fabs(f->ap[i]), fabs(f->anchor_a[i])));
  return h > 0 ? h : 1;
}

// how many terms all of them have together, into f->term; 0: some are no polynomials, or too long
static int make_room(engine_curved* f)
{
  int room = 0;
  for (int j = 0; j < f->active; j++) {
    const int degree = f->degree[f->now[j]];
    const int terms = degree ? lattice(f->l, degree, NULL) : 0;
    if (!terms || terms > most_terms) return 0;
    room += terms;
  }
  if (f->term_room < room) {
    f->term = base_realloc(f->term, sizeof *f->term * (size_t)room);
    f->term_room = room;
  }
  return room;
}

// constraint j, which is of a higher degree than two, from its values; how many terms, 0: it has
// none somewhere
static int sampled_terms(engine* e, int j, least_monomial* out)
{
  const engine_curved* f = e->least;
  samples x = {.l = f->l, .degree = f->degree[f->now[j]], .h = spacing(e)};
  x.count = lattice(x.l, x.degree, x.power);
  for (int i = 0; i < x.count; i++) {
    double w[LEAST_STATIONARY_MOST], all[LEAST_STATIONARY_MOST];
    for (int k = 0; k < x.l; k++) w[k] = x.h * x.power[i][k];
    if (engine_curved_evaluate(e, w, all, NULL, NULL)) return 0;
    x.value[i] = all[j];
  }
  lattice_terms(&x, out);
  return x.count;
}

// the constraints as polynomials in w where they are such and small; null where not
const least_polynomial* engine_curved_polynomials(engine* e, least_polynomial* out)
{
  engine_curved* f = e->least;
  const int l = f->l;
  double phi[LEAST_STATIONARY_MOST], zero[LEAST_STATIONARY_MOST] = {0};
  double grad[LEAST_STATIONARY_MOST * LEAST_STATIONARY_MOST];
  double hess[LEAST_STATIONARY_MOST * LEAST_STATIONARY_MOST * LEAST_STATIONARY_MOST];
  if (!make_room(f) || engine_curved_evaluate(e, zero, phi, grad, hess)) return NULL;
  least_monomial* term = f->term;
  for (int j = 0; j < f->active; j++) {
    const int count = f->degree[f->now[j]] > 2
                          ? sampled_terms(e, j, term)
                          : quadratic_terms(l, phi[j], grad + j * l, hess + j * l * l, term);
    if (!count) return NULL;
    out[j] = (least_polynomial){count, term};
    term += count;
  }
  return out;
}
