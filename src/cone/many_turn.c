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

// a contact at x that asks for y: its mobility, the impulses that would hold it, and p and H to be
// made
typedef struct turned
{
  int rows;
  double x[CONE_MANY_ROWS], y[CONE_MANY_ROWS], held[CONE_MANY_ROWS], p[CONE_MANY_ROWS];
  double own, term, *H;
} turned;

// the tangents from .. to - 1, one or two, which slip
static void slip_of(turned* s, int from, int to, double mu)
{
  const bool turns = to - from > 1;
  const double *x = s->x + from, *y = s->y + from, length = hypot(y[0], turns ? y[1] : 0);
  const double share = fmin(mu * fmax(s->x[0], 0) / length, 1 - s->term),
               stiff = 1 / (s->term * s->own);
  const double t[2] = {y[0] / length, turns ? y[1] / length : 0}, across[2] = {-t[1], t[0]};
  const double left = turns ? x[0] * across[0] + x[1] * across[1] : 0;
  for (int a = 0; a < to - from; a++) {
    double* H = s->H + (from + a) * s->rows;
    s->p[from + a] = mu * s->held[0] * t[a] - left * share / (1 - share) * across[a];
    H[0] = mu * stiff * t[a];
    for (int b = 0; b < 2 && turns; b++)
      H[from + b] = share / (1 - share) / s->own * across[a] * across[b];
  }
}

static void hold(turned* s, int from, int to)
{
  for (int k = from; k < to; k++) {
    s->p[k] = s->held[k];
    s->H[k * s->rows + k] = 1 / (s->term * s->own);
  }
}

// p into near.x, H
static void law_of(cone_many* f, int i, double term)
{
  cone_many_near* s = &f->near;
  const cone_many_body_contact* c = &f->bodies.contact.at[i];
  turned z = {.rows = c->rows, .term = term, .H = s->H + c->at};
  memset(z.H, 0, sizeof(double) * (size_t)(c->rows * c->rows));
  for (int k = 0; k < c->rows; k++) z.own = fmax(z.own, f->diagonal[c->row[k]]);
  for (int k = 0; k < c->rows; k++) {
    const double w = f->w[c->row[k]];
    z.x[k] = f->x[c->row[k]];
    z.y[k] = z.x[k] - w / z.own;
    z.held[k] = z.x[k] - w / (term * z.own);
  }
  if (f->p->kind[c->row[0]] == CONE_MANY_EQUAL) {
    hold(&z, 0, 1);
  } else if (z.y[0] > 0) {
    const cone_many_discs d = cone_many_discs_of(f, c->row[0]);
    hold(&z, 0, 1);
    for (int g = 0; g < d.groups; g++) {
      const int from = d.first[g], to = d.first[g + 1];
      if (hypot(z.y[from], to - from > 1 ? z.y[from + 1] : 0) <= d.mu[g] * z.y[0])
        hold(&z, from, to);
      else
        slip_of(&z, from, to, d.mu[g]);
    }
  }
  for (int k = 0; k < c->rows; k++) s->x[c->row[k]] = z.p[k];
}

// to = near.x + sign H of near.w
static void press(const cone_many* f, const double* w, double sign, double* to)
{
  const cone_many_near* s = &f->near;
  for (int i = 0; i < f->bodies.contact.n; i++) {
    const cone_many_body_contact* c = &f->bodies.contact.at[i];
    for (int a = 0; a < c->rows; a++) {
      double sum = s->x[c->row[a]];
      for (int b = 0; b < c->rows; b++) sum += sign * s->H[c->at + a * c->rows + b] * w[c->row[b]];
      to[c->row[a]] = sum;
    }
  }
}

bool cone_many_turn(cone_many* f, double term, int* turns)
{
  cone_many_near* s = &f->near;
  const int r = f->p->r;
  if (!f->island.origin || !cone_many_is_bounded(f) || !cone_many_bodies_open(f)) return false;
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
