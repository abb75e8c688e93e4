// A small problem of many.c as problems of contact.c, whose methods find answers where the states
// of Newton run in circles. G = S + K with S = L L^T symmetric (Cholesky with pivoting, S may be
// singular): the rows of L are gradients in a space with the mass matrix one. K, of gyroscopic
// forces, is small by the step: w = S x + (q + K x) is solved with K x of the answer before, again
// and again.
#include "cone/many.h"
#include "cone/small.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_rows = 16, most_rounds = 20 };

// L with S = L L^T, row by row in the order of G, and K; false: K is not small
static bool factor(const cone_many_problem* p, double* G, double* L, double* K)
{
  const int r = p->r;
  double largest = 0, uneven = 0;
  memset(G, 0, sizeof(double) * (size_t)(r * r));
  memset(L, 0, sizeof(double) * (size_t)(r * r));
  for (int i = 0; i < r; i++)
    for (int k = p->start[i]; k < p->start[i + 1]; k++) G[i * r + p->column[k]] += p->G[k];
  for (int i = 0; i < r; i++)
    for (int j = 0; j < r; j++) {
      largest = fmax(largest, fabs(G[i * r + j]));
      uneven = fmax(uneven, fabs(G[i * r + j] - G[j * r + i]));
    }
  if (uneven > 0.1 * largest) return false;
  for (int i = 0; i < r; i++)
    for (int j = 0; j < r; j++) K[i * r + j] = (G[i * r + j] - G[j * r + i]) / 2;
  for (int i = 0; i < r * r; i++) G[i] -= K[i];
  for (int k = 0; k < r; k++) {
    int best = 0;
    for (int i = 1; i < r; i++)
      if (G[i * r + i] > G[best * r + best]) best = i;
    const double pivot = G[best * r + best];
    if (!(pivot > cone_many_pivot * largest)) break;
    for (int i = 0; i < r; i++) L[i * r + k] = G[i * r + best] / sqrt(pivot);
    for (int i = 0; i < r; i++)
      for (int j = 0; j < r; j++) G[i * r + j] -= L[i * r + k] * L[j * r + k];
  }
  return true;
}

// where each row of the problem stands among the rows of its kind
static int places(const cone_many_problem* p, int* place, int* b, int* tangents)
{
  int contacts = 0;
  *b = *tangents = 0;
  for (int i = 0; i < p->r; i++) {
    if (p->kind[i] == CONE_MANY_EQUAL) place[i] = (*b)++;
    if (p->kind[i] == CONE_MANY_NORMAL) place[i] = contacts++;
  }
  for (int i = 0; i < p->r; i++)
    if (p->kind[i] == CONE_MANY_TANGENT)
      *tangents = p->pair && p->pair[i] >= 0 ? 2 : *tangents > 1 ? 2 : 1;
  for (int i = 0; i < p->r; i++) {
    if (p->kind[i] != CONE_MANY_TANGENT) continue;
    const bool second = p->pair && p->pair[i] >= 0 && p->pair[i] < i;
    place[i] = place[p->of[i]] * *tangents + second;
  }
  return contacts;
}

// the rows of the problem for contact.c
typedef struct dense
{
  double *M, *N, *N_B, *T, *F;
  double *d_N, *d_B, *d_T, *mu;
  int* place;
  int b, contacts, tangents;
} dense;

static void fill(const cone_many_problem* p, const double* L, dense* d)
{
  const int r = p->r;
  for (int i = 0; i < r; i++) {
    d->M[i * r + i] = 1;
    double* to = p->kind[i] == CONE_MANY_EQUAL    ? d->N_B
                 : p->kind[i] == CONE_MANY_NORMAL ? d->N
                                                  : d->T;
    memcpy(to + d->place[i] * r, L + i * r, sizeof(double) * (size_t)r);
    if (to == d->T) d->mu[d->place[p->of[i]]] = p->mu[i];
  }
}

// one problem with K x of the x at hand; false: without an answer
static bool solve(cone_many* f, cone_contact* c, const dense* d, const double* K)
{
  const cone_many_problem* p = f->p;
  const int r = p->r;
  for (int i = 0; i < r; i++) {
    double q = p->q[i];
    for (int j = 0; j < r; j++) q += K[i * r + j] * f->x[j];
    (p->kind[i] == CONE_MANY_EQUAL    ? d->d_B
     : p->kind[i] == CONE_MANY_NORMAL ? d->d_N
                                      : d->d_T)[d->place[i]] = q;
  }
  const cone_contact_problem problem = {.n = r,
                                        .b = d->b,
                                        .contacts = d->contacts,
                                        .tangents = d->tangents,
                                        .M = d->M,
                                        .F = d->F,
                                        .N_B = d->N_B,
                                        .d_B = d->d_B,
                                        .N = d->N,
                                        .d_N = d->d_N,
                                        .T = d->T,
                                        .d_T = d->d_T,
                                        .mu = d->mu};
  const cone_contact_result x = cone_contact_solve(c, &problem, false);
  for (int i = 0; i < r && x.count; i++)
    f->x[i] = (p->kind[i] == CONE_MANY_EQUAL    ? x.solution[0].lambda_B
               : p->kind[i] == CONE_MANY_NORMAL ? x.solution[0].lambda_N
                                                : x.solution[0].lambda_T)[d->place[i]];
  return x.count > 0;
}

bool cone_many_dense(cone_many* f, double allowed)
{
  const cone_many_problem* p = f->p;
  const int r = p->r;
  if (r > most_rows) return false;
  const size_t n = (size_t)r, nn = n * n;
  double* m = base_alloc((8 * nn + 6 * n) * sizeof *m);
  double *G = m, *L = G + nn, *K = L + nn, *v = K + 5 * nn;
  v += nn;
  dense d = {.M = K + nn,
             .N = K + 2 * nn,
             .N_B = K + 3 * nn,
             .T = K + 4 * nn,
             .F = v,
             .d_N = v + n,
             .d_B = v + 2 * n,
             .mu = v + 3 * n,
             .d_T = v + 4 * n,
             .place = base_alloc(sizeof(int) * (n + 1))};
  d.contacts = places(p, d.place, &d.b, &d.tangents);
  bool going = factor(p, G, L, K), solved = false;
  if (going) fill(p, L, &d);
  cone_contact* c = cone_contact_new(r, d.b, d.contacts, d.tangents);
  for (int k = 0; k < most_rounds && going && !solved; k++) {
    going = solve(f, c, &d, K);
    cone_many_product(f);
    solved = going && cone_many_fault(f) <= allowed;
  }
  cone_contact_free(c);
  free(m);
  free(d.place);
  return solved;
}
