// Many contacts handed to Siconos: equations are eliminated, the rest is one problem of cones in
// space, dense. A contact without a second tangent, or smooth, has rows v = r in their place.
#include "cone/many.h"
#include "cone/siconos.h"
#include "cone/small.h"

#include <stdlib.h>
#include <string.h>

enum { most_contacts = 1500 }; // its dense matrix has 9 times the square of that

typedef struct reduction
{
  int equations, contacts;
  int* place;    // of row i: among the equations, or 3 contact + k
  int* row;      // of each place of a contact, -1: none
  double *E, *C; // G of the equations, and E^-1 G of what presses on them
  int* pivot;
} reduction;

static void find_places(const cone_many_problem* p, reduction* s)
{
  for (int i = 0; i < 3 * s->contacts; i++) s->row[i] = -1;
  int equations = 0, contacts = 0;
  for (int i = 0; i < p->r; i++) {
    if (p->kind[i] == CONE_MANY_EQUAL) s->place[i] = equations++;
    if (p->kind[i] == CONE_MANY_NORMAL) s->place[i] = 3 * contacts++;
  }
  for (int i = 0; i < p->r; i++) {
    if (p->kind[i] != CONE_MANY_TANGENT) continue;
    const int first = s->place[p->of[i]] + 1;
    s->place[i] = s->row[first] < 0 ? first : first + 1;
    s->row[s->place[i]] = i;
  }
  for (int i = 0; i < p->r; i++)
    if (p->kind[i] == CONE_MANY_NORMAL) s->row[s->place[i]] = i;
}

// C = E^-1 G_EC, its right side E^-1 q in the last column; false: the equations depend on each
// other
static bool eliminate(const cone_many_problem* p, reduction* s)
{
  const size_t e = (size_t)s->equations, columns = 3 * (size_t)s->contacts + 1;
  for (int i = 0; i < p->r; i++) {
    if (p->kind[i] != CONE_MANY_EQUAL) continue;
    for (int k = p->start[i]; k < p->start[i + 1]; k++) {
      const int j = p->column[k];
      if (p->kind[j] == CONE_MANY_EQUAL)
        s->E[(size_t)s->place[i] * e + (size_t)s->place[j]] = p->G[k];
      else
        s->C[(size_t)s->place[j] * e + (size_t)s->place[i]] = p->G[k];
    }
    s->C[(columns - 1) * e + (size_t)s->place[i]] = p->q[i];
  }
  if (!num_lu(s->equations, s->E, s->pivot)) return false;
  for (size_t c = 0; c < columns; c++) num_lu_solve(s->equations, s->E, s->pivot, s->C + c * e);
  return true;
}

// D (by columns) and q of the contacts alone: G_CC - G_CE E^-1 G_EC, q_C - G_CE E^-1 q_E
static void reduce(const cone_many_problem* p, const reduction* s, double* D, double* q, double* mu)
{
  const size_t e = (size_t)s->equations, rows = 3 * (size_t)s->contacts;
  for (size_t r = 0; r < rows; r++) {
    const int i = s->row[r];
    if (i < 0) {
      D[r * rows + r] = 1;
      continue;
    }
    q[r] = p->q[i];
    if (p->kind[i] == CONE_MANY_TANGENT) mu[r / 3] = p->mu[i];
    for (int k = p->start[i]; k < p->start[i + 1]; k++) {
      const int j = p->column[k], at = s->place[j];
      if (p->kind[j] != CONE_MANY_EQUAL) {
        D[(size_t)at * rows + r] += p->G[k];
        continue;
      }
      for (size_t c = 0; c < rows; c++) D[c * rows + r] -= p->G[k] * s->C[c * e + (size_t)at];
      q[r] -= p->G[k] * s->C[rows * e + (size_t)at];
    }
  }
}

static void read_back(const cone_many_problem* p, const reduction* s, const double* r, double* x)
{
  const size_t e = (size_t)s->equations, rows = 3 * (size_t)s->contacts;
  for (int i = 0; i < p->r; i++) {
    if (p->kind[i] != CONE_MANY_EQUAL) {
      x[i] = r[s->place[i]];
      continue;
    }
    const size_t at = (size_t)s->place[i];
    x[i] = -s->C[rows * e + at];
    for (size_t c = 0; c < rows; c++) x[i] -= s->C[c * e + at] * r[c];
  }
}

bool cone_many_siconos(cone_many* f)
{
  const cone_many_problem* p = f->p;
  reduction s = {0};
  for (int i = 0; i < p->r; i++) {
    if (f->first[i + 1] - f->first[i] > 2) return false; // it is asked for one cone alone
    s.equations += p->kind[i] == CONE_MANY_EQUAL;
    s.contacts += p->kind[i] == CONE_MANY_NORMAL;
  }
  if (!s.contacts || s.contacts > most_contacts || cone_siconos_absent()) return false;
  const size_t e = (size_t)s.equations, rows = 3 * (size_t)s.contacts;
  s.place = base_alloc(((size_t)p->r + rows + e) * sizeof(int));
  s.row = s.place + p->r;
  s.pivot = s.row + rows;
  s.E = base_alloc((e * e + e * (rows + 1) + rows + 1) * sizeof(double));
  s.C = s.E + e * e;
  double* r = s.C + e * (rows + 1);
  find_places(p, &s);
  bool found = eliminate(p, &s);
  if (found) {
    double *D = base_alloc(rows * rows * sizeof *D), *q = base_alloc(rows * sizeof *q),
           *mu = base_alloc((size_t)s.contacts * sizeof *mu);
    reduce(p, &s, D, q, mu);
    found = cone_siconos_solve(s.contacts, D, q, mu, cone_siconos_many, r);
  }
  if (found) read_back(p, &s, r, f->x);
  free(s.place);
  free(s.E);
  return found;
}
