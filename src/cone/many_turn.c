// A turn of Newton for a large island with friction, where the states of its contacts are nearly
// right: among the velocities of the bodies (many_bodies.c), with the laws of Alart and Curnier
// (1991) at y = x - w/own, own the mobility of the contact, in the form x+ = p - H (w+ - w):
//   open   p = 0, H = 0
//   held   p = x - w/(term own), H = 1/(term own): w+ = 0 but for a proximal term
//   slips  along t = y_t/|y_t|: the normal as held; along t mu times it; across, with
//          k = mu x_n/|y_t|, from (1 - k) dx = -x - k dw/own.
// With w - q = A v, v the velocities of now:  (W + A^T H A) v+ = A^T (p + H A v).
#include "cone/many.h"
#include "cone/small.h"

#include <math.h>
#include <string.h>

enum { block = CONE_MANY_ROUND * CONE_MANY_ROUND };

// p and H of a contact that slips
static void slip_of(const cone_many_body_contact* c, const double* x, const double* y, double mu,
                    double own, double term, const double* held, double* p, double* H)
{
  double length = 0;
  for (int k = 1; k < c->rows; k++) length = hypot(length, y[k]);
  const double share = fmin(mu * fmax(x[0], 0) / length, 1 - term), stiff = 1 / (term * own);
  const double t[CONE_MANY_ROUND] = {0, y[1] / length, c->rows > 2 ? y[2] / length : 0};
  const double across[CONE_MANY_ROUND] = {0, -t[2], t[1]};
  const bool turns = c->rows > 2;
  const double left = turns ? x[1] * across[1] + x[2] * across[2] : 0;
  p[0] = held[0];
  H[0] = stiff;
  for (int a = 1; a < c->rows; a++) {
    p[a] = mu * held[0] * t[a] - left * share / (1 - share) * across[a];
    H[a * c->rows] = mu * stiff * t[a];
    for (int b = 1; b < c->rows && turns; b++)
      H[a * c->rows + b] = share / (1 - share) / own * across[a] * across[b];
  }
}

// p into near.x, H
static void law_of(cone_many* f, int i, double term)
{
  cone_many_near* s = &f->near;
  const cone_many_body_contact* c = &f->bodies.contact.at[i];
  double x[CONE_MANY_ROUND] = {0}, y[CONE_MANY_ROUND] = {0}, p[CONE_MANY_ROUND] = {0},
         held[CONE_MANY_ROUND] = {0}, *H = s->H + i * block, own = 0, length = 0;
  memset(H, 0, sizeof(double) * block);
  for (int k = 0; k < c->rows; k++) own = fmax(own, f->diagonal[c->row[k]]);
  const double stiff = 1 / (term * own);
  for (int k = 0; k < c->rows; k++) {
    const double w = f->w[c->row[k]];
    x[k] = f->x[c->row[k]];
    y[k] = x[k] - w / own;
    held[k] = x[k] - stiff * w;
    if (k) length = hypot(length, y[k]);
  }
  const bool equal = f->p->kind[c->row[0]] == CONE_MANY_EQUAL;
  const double mu = c->rows > 1 ? f->p->mu[c->row[1]] : 0;
  if (equal || (y[0] > 0 && length <= mu * y[0])) {
    memcpy(p, held, sizeof p);
    for (int k = 0; k < c->rows; k++) H[k * c->rows + k] = stiff;
  } else if (y[0] > 0) {
    slip_of(c, x, y, mu, own, term, held, p, H);
  }
  for (int k = 0; k < c->rows; k++) s->x[c->row[k]] = p[k];
}

// to = near.x + sign H of near.w
static void press(const cone_many* f, const double* w, double sign, double* to)
{
  const cone_many_near* s = &f->near;
  for (int i = 0; i < f->bodies.contact.n; i++) {
    const cone_many_body_contact* c = &f->bodies.contact.at[i];
    for (int a = 0; a < c->rows; a++) {
      double sum = s->x[c->row[a]];
      for (int b = 0; b < c->rows; b++)
        sum += sign * s->H[i * block + a * c->rows + b] * w[c->row[b]];
      to[c->row[a]] = sum;
    }
  }
}

bool cone_many_turn(cone_many* f, double term, int* turns)
{
  cone_many_near* s = &f->near;
  const int r = f->p->r;
  if (!f->island.origin || !cone_many_is_round(f) || !cone_many_bodies_open(f)) return false;
  cone_many_near_room(f);
  const int n = f->bodies.unknowns;
  for (int i = 0; i < f->bodies.contact.n; i++) law_of(f, i, term);
  if (!cone_many_bodies_factor(f, s->H)) return false;
  (*turns)++;
  for (int i = 0; i < r; i++) s->w[i] = f->w[i] - f->p->q[i];
  press(f, s->w, 1, s->dw);
  memset(s->u, 0, sizeof(double) * (size_t)n);
  cone_many_bodies_push(f, s->dw, 1, s->u);
  num_fronts_solve(f->bodies.fronts, s->u);
  // a second time for what is left of the balance: H is large
  for (int pass = 0;; pass++) {
    cone_many_bodies_rows(f, s->u, s->dw);
    for (int i = 0; i < r; i++) s->dw[i] -= s->w[i];
    press(f, s->dw, -1, f->x);
    if (pass) return true;
    cone_many_bodies_inertia(f, s->u, s->left);
    for (int i = 0; i < n; i++) s->left[i] = -s->left[i];
    cone_many_bodies_push(f, f->x, 1, s->left);
    num_fronts_solve(f->bodies.fronts, s->left);
    for (int i = 0; i < n; i++) s->u[i] += s->left[i];
  }
}
