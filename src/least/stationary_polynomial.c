// Constraints given as lists of monomials: value, gradient, Hessian, degree, size of the terms.
#include "least/stationary.h"

#include <math.h>
#include <string.h>

static double power(double x, int k)
{
  double y = 1;
  for (; k > 0; k >>= 1, x *= x)
    if (k & 1) y *= x;
  return y;
}

int least_stationary_degree(const least_polynomial* f, int l)
{
  int d = 0;
  for (int t = 0; t < f->terms; t++) {
    int k = 0;
    for (int i = 0; i < l; i++) k += f->term[t].power[i];
    if (f->term[t].c != 0 && k > d) d = k;
  }
  return d;
}

double least_stationary_terms(const least_polynomial* f, int l, const double* w)
{
  double s = 0;
  for (int t = 0; t < f->terms; t++) {
    double a = fabs(f->term[t].c);
    for (int i = 0; i < l; i++)
      if (f->term[t].power[i]) a *= power(fabs(w[i]), f->term[t].power[i]);
    s += a;
  }
  return s;
}

// one monomial by its factors a_i = w_i^p, with their first and second derivatives b_i, e_i
typedef struct factors
{
  int n;
  int variable[STATIONARY_L];
  double a[STATIONARY_L], b[STATIONARY_L], e[STATIONARY_L];
} factors;

static void factor(const least_monomial* t, int l, const double* w, factors* k)
{
  k->n = 0;
  for (int i = 0; i < l; i++) {
    int p = t->power[i];
    if (!p) continue;
    double two = p > 1 ? power(w[i], p - 2) : 0, one = p > 1 ? two * w[i] : 1;
    k->variable[k->n] = i;
    k->a[k->n] = one * w[i];
    k->b[k->n] = p * one;
    k->e[k->n++] = p * (p - 1) * two;
  }
}

// c prod a over all factors but x and y
static double others(const factors* k, double c, int x, int y)
{
  for (int i = 0; i < k->n; i++)
    if (i != x && i != y) c *= k->a[i];
  return c;
}

static void add_term(const least_monomial* t, int l, const double* w, double* phi, double* grad,
                     double* hess)
{
  factors k;
  factor(t, l, w, &k);
  if (phi) *phi += others(&k, t->c, -1, -1);
  for (int i = 0; grad && i < k.n; i++) grad[k.variable[i]] += k.b[i] * others(&k, t->c, i, -1);
  for (int i = 0; hess && i < k.n; i++)
    for (int j = 0; j <= i; j++) {
      double h =
          i == j ? k.e[i] * others(&k, t->c, i, -1) : k.b[i] * k.b[j] * others(&k, t->c, i, j);
      hess[k.variable[i] * l + k.variable[j]] += h;
      if (i != j) hess[k.variable[j] * l + k.variable[i]] += h;
    }
}

static bool all_finite(int n, const double* x)
{
  for (int i = 0; x && i < n; i++)
    if (!isfinite(x[i])) return false;
  return true;
}

bool least_stationary_eval(const least_stationary_problem* p, const double* w, double* phi,
                           double* grad, double* hess)
{
  int l = p->l, s = p->s;
  if (!all_finite(l, w)) return false;
  if (p->polynomial) {
    if (phi) memset(phi, 0, (size_t)s * sizeof *phi);
    if (grad) memset(grad, 0, (size_t)(s * l) * sizeof *grad);
    if (hess) memset(hess, 0, (size_t)(s * l * l) * sizeof *hess);
    for (int j = 0; j < s; j++)
      for (int t = 0; t < p->polynomial[j].terms; t++)
        add_term(p->polynomial[j].term + t, l, w, phi ? phi + j : NULL, grad ? grad + j * l : NULL,
                 hess ? hess + j * l * l : NULL);
  } else if (s > 0 && p->eval(p->context, w, phi, grad, hess))
    return false;
  return all_finite(s, phi) && all_finite(s * l, grad) && all_finite(s * l * l, hess);
}
