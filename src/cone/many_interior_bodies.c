// Turns of the interior point method among the velocities of bodies (many_interior.c):
//   (M + A^T D^-1 T A) v = A^T D^-1 b,   dx = D^-1 (b - T A v),   D^-1 = U^-1 W^2 U^-1.
#include "cone/many_interior.h"
#include "cone/round.h"
#include "cone/small.h"

#include <stdlib.h>
#include <string.h>

enum { balances = 2 }; // of bodies, solved for again

void cone_many_inner_room(cone_many_inner* s, const cone_many_bodies* b)
{
  const size_t blocks = (size_t)b->blocks;
  const size_t need = blocks + 2 * (size_t)b->unknowns;
  if (need > s->body_room)
    s->H = base_realloc(s->H, sizeof(double) * (s->body_room = need + need / 2));
  s->v = s->H + blocks;
  s->dv = s->v + b->unknowns;
}

// u <- D^-1 u of a contact, D^-1 = U^-1 W^2 U^-1
static void yield_to(const cone_many* f, int size, const int* row, double* u)
{
  const cone_many_inner* s = &f->inner;
  double w[CONE_MANY_ROWS] = {0};
  if (f->p->kind[row[0]] == CONE_MANY_EQUAL) {
    u[0] /= cone_interior_equal * f->diagonal[row[0]];
    return;
  }
  cone_many_get(size, row, s->turn, w);
  for (int k = 0; k < size; k++) u[k] /= s->unit[row[k]];
  cone_round_scaled(size, w, s->beta[row[0]], 2, u, u);
  for (int k = 0; k < size; k++) u[k] /= s->unit[row[k]];
}

bool cone_many_inner_factor(cone_many* f)
{
  cone_many_inner* s = &f->inner;
  for (int i = 0; i < f->bodies.contact.n; i++) {
    const cone_many_body_contact* c = &f->bodies.contact.at[i];
    double* H = s->H + c->at;
    for (int b = 0; b < c->rows; b++) {
      double u[CONE_MANY_ROWS] = {0};
      u[b] = 1;
      yield_to(f, c->rows, c->row, u);
      for (int a = 0; a < c->rows; a++) H[a * c->rows + b] = u[a];
    }
    for (int a = 0; a < c->rows; a++)
      for (int b = 1; b < c->rows; b++)
        H[a * c->rows + b] += H[a * c->rows] * cone_many_follows(f, c->row[0], c->row[b]);
  }
  return cone_many_bodies_factor(f, s->H);
}

// x <- D^-1 (x - T w)
static void press(const cone_many* f, const double* w, double* x)
{
  for (int i = 0; i < f->bodies.contact.n; i++) {
    const cone_many_body_contact* c = &f->bodies.contact.at[i];
    double b[CONE_MANY_ROWS];
    for (int k = 0; k < c->rows; k++) b[k] = x[c->row[k]] - w[c->row[k]];
    for (int k = 1; k < c->rows; k++)
      b[0] -= cone_many_follows(f, c->row[0], c->row[k]) * w[c->row[k]];
    yield_to(f, c->rows, c->row, b);
    cone_many_put(c->rows, c->row, b, x);
  }
}

// x <- (T G + D)^-1 x, and s->Av = A v. Where contacts press hard D^-1 is large, and impulses lose
// digits; what is left of the balance of the bodies, A^T x - M v, is solved for again.
void cone_many_inner_solve(cone_many* f, double* x)
{
  cone_many_inner* s = &f->inner;
  const size_t rows = sizeof(double) * (size_t)f->p->r;
  const size_t unknowns = sizeof(double) * (size_t)f->bodies.unknowns;
  memset(s->Av, 0, rows);
  memset(s->v, 0, unknowns);
  memcpy(s->push, x, rows);
  press(f, s->Av, s->push);
  cone_many_bodies_push(f, s->push, 1, s->v);
  num_fronts_solve(f->bodies.fronts, s->v);
  cone_many_bodies_rows(f, s->v, s->Av);
  press(f, s->Av, x);
  for (int turn = 0; turn < balances; turn++) {
    cone_many_bodies_inertia(f, s->v, s->dv);
    for (int i = 0; i < f->bodies.unknowns; i++) s->dv[i] = -s->dv[i];
    cone_many_bodies_push(f, x, 1, s->dv);
    num_fronts_solve(f->bodies.fronts, s->dv);
    for (int i = 0; i < f->bodies.unknowns; i++) s->v[i] += s->dv[i];
    cone_many_bodies_rows(f, s->dv, s->b);
    memset(s->push, 0, rows);
    press(f, s->b, s->push);
    for (int i = 0; i < f->p->r; i++) {
      x[i] += s->push[i];
      s->Av[i] += s->b[i];
    }
  }
}

// dz of these velocities: z and w stay together
void cone_many_inner_follow(const cone_many* f, double* dz)
{
  const cone_many_inner* s = &f->inner;
  for (int i = 0; i < f->bodies.contact.n; i++) {
    const cone_many_body_contact* c = &f->bodies.contact.at[i];
    const int n = c->row[0];
    dz[n] = s->rest[n] + s->Av[n];
    for (int k = 1; k < c->rows; k++) {
      const int t = c->row[k];
      dz[n] += cone_many_follows(f, n, t) * s->Av[t];
      dz[t] = s->rest[t] + s->Av[t] / s->unit[t];
    }
  }
}
