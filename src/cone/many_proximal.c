// Large islands without friction: Newton on the velocities of the bodies, with a proximal term.
//
// x = max(0, x - rho w) is the law of a row (0 <= x, 0 <= w, x w = 0). The proximal point method
// (Rockafellar 1976) takes the x of the round before on the right, c; then x is a function of w = A
// u + q alone, and what is left of the balance of the bodies,
//   W u - A^T x(u),   x_i = max(0, c_i - rho_i w_i),
// is monotone in u: the gradient of a convex function where W is symmetric. Newton finds its zero
// from anywhere where it goes along each direction to the zero of what is left along it (Li, Sun
// and Toh 2018). A few turns make a round, and a few rounds the answer.
#include "cone/many.h"
#include "cone/small.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_rounds = 12, most_turns = 30, most_cuts = 12 };
static const double less = 0.3;          // of the proximal term, from round to round
static const double along_enough = 0.1;  // of what is left along a direction: it is its zero
static const double round_enough = 0.01; // of the fault: a round need not be better than that

static void make_room(cone_many* f)
{
  cone_many_near* s = &f->near;
  const size_t r = (size_t)f->p->r, n = (size_t)f->bodies.unknowns, need = 5 * r + 4 * n;
  const size_t blocks = CONE_MANY_ROUND * CONE_MANY_ROUND * r;
  if (need + blocks > s->room) {
    s->room = need + blocks + (need + blocks) / 2;
    s->memory = base_realloc(s->memory, sizeof(double) * s->room);
  }
  double **by_row[] = {&s->centre, &s->w, &s->dw, &s->x, &s->rho},
         **by_unknown[] = {&s->u, &s->du, &s->Wu, &s->Wdu};
  for (size_t i = 0; i < 5; i++) *by_row[i] = s->memory + i * r;
  for (size_t i = 0; i < 4; i++) *by_unknown[i] = s->memory + 5 * r + i * n;
  s->H = s->memory + need;
}

// x of row i where its velocity is w + t dw
static double respond(const cone_many* f, int i, double t)
{
  const cone_many_near* s = &f->near;
  const double x = s->centre[i] - s->rho[i] * (s->w[i] + t * s->dw[i]);
  return x > 0 || f->p->kind[i] == CONE_MANY_EQUAL ? x : 0;
}

// what is left along du at the share t of it
static double left_along(const cone_many* f, double t, double Wu, double Wdu)
{
  double sum = Wu + t * Wdu;
  for (int i = 0; i < f->p->r; i++) sum -= f->near.dw[i] * respond(f, i, t);
  return sum;
}

// how far along du: to the zero between 0 and 1 by the rule of Illinois
static double share_of(const cone_many* f)
{
  const cone_many_near* s = &f->near;
  double Wu = 0, Wdu = 0;
  for (int i = 0; i < f->bodies.unknowns; i++) {
    Wu += s->du[i] * s->Wu[i];
    Wdu += s->du[i] * s->Wdu[i];
  }
  double low = 0, high = 1, at_low = left_along(f, 0, Wu, Wdu), at_high = left_along(f, 1, Wu, Wdu);
  const double small = along_enough * fabs(at_low);
  double t = 1;
  if (!(at_low < 0) || at_high <= small) return t;
  for (int cut = 0; cut < most_cuts; cut++) {
    t = low - at_low * (high - low) / (at_high - at_low);
    const double at = left_along(f, t, Wu, Wdu);
    if (fabs(at) <= small) break;
    if (at < 0) {
      low = t;
      at_low = at;
      at_high /= 2;
    } else {
      high = t;
      at_high = at;
      at_low /= 2;
    }
  }
  return t;
}

static void look(cone_many* f)
{
  cone_many_near* s = &f->near;
  cone_many_bodies_rows(f, s->u, s->w);
  for (int i = 0; i < f->p->r; i++) s->w[i] += f->p->q[i];
  cone_many_bodies_inertia(f, s->u, s->Wu);
}

static void respond_all(cone_many* f)
{
  cone_many_near* s = &f->near;
  memset(s->dw, 0, sizeof(double) * (size_t)f->p->r);
  for (int i = 0; i < f->p->r; i++) s->x[i] = respond(f, i, 0);
}

// a turn of Newton: the largest change of the velocity of a row; -1: singular
static double turn(cone_many* f)
{
  cone_many_near* s = &f->near;
  double most = 0;
  respond_all(f);
  for (int i = 0; i < f->bodies.contact.n; i++) {
    const int row = f->bodies.contact.at[i].row[0];
    s->H[i * CONE_MANY_ROUND * CONE_MANY_ROUND] = s->x[row] != 0 ? s->rho[row] : 0;
  }
  if (!cone_many_bodies_factor(f, s->H)) return -1;
  for (int i = 0; i < f->bodies.unknowns; i++) s->du[i] = -s->Wu[i];
  cone_many_bodies_push(f, s->x, 1, s->du);
  num_fronts_solve(f->bodies.fronts, s->du);
  cone_many_bodies_rows(f, s->du, s->dw);
  cone_many_bodies_inertia(f, s->du, s->Wdu);
  const double share = share_of(f);
  for (int i = 0; i < f->bodies.unknowns; i++) s->u[i] += share * s->du[i];
  for (int i = 0; i < f->p->r; i++) most = fmax(most, fabs(s->dw[i]));
  look(f);
  return most;
}

// velocities of the bodies of the impulses at hand: W u = A^T x
static bool begin(cone_many* f)
{
  cone_many_near* s = &f->near;
  memcpy(s->x, f->x, sizeof(double) * (size_t)f->p->r);
  memset(s->u, 0, sizeof(double) * (size_t)f->bodies.unknowns);
  memset(s->H, 0, sizeof(double) * CONE_MANY_ROUND * CONE_MANY_ROUND * (size_t)f->p->r);
  cone_many_bodies_push(f, s->x, 1, s->u);
  if (!cone_many_bodies_factor(f, s->H)) return false;
  num_fronts_solve(f->bodies.fronts, s->u);
  look(f);
  return true;
}

static double judge(cone_many* f)
{
  memcpy(f->x, f->near.x, sizeof(double) * (size_t)f->p->r);
  cone_many_product(f);
  return cone_many_fault(f);
}

bool cone_many_proximal(cone_many* f, int* turns)
{
  cone_many_near* s = &f->near;
  double fast = 0;
  for (int i = 0; i < f->p->r; i++) {
    if (f->p->kind[i] == CONE_MANY_TANGENT) return false;
    fast = fmax(fast, fabs(f->p->q[i]));
  }
  if (!f->island.origin || !cone_many_bodies_open(f)) return false;
  make_room(f);
  if (!begin(f)) return false;
  double prox = cone_near_first, fault = judge(f), most = 0;
  for (int round = 0; round < most_rounds && fault > cone_many_solved; round++) {
    for (int i = 0; i < f->p->r; i++) {
      const bool equal = f->p->kind[i] == CONE_MANY_EQUAL;
      s->rho[i] = 1 / ((equal ? cone_near_least : prox) * f->diagonal[i]);
    }
    memcpy(s->centre, s->x, sizeof(double) * (size_t)f->p->r);
    for (int k = 0; k < most_turns; k++) {
      most = turn(f);
      (*turns)++;
      if (!(most > round_enough * fault * fast)) break;
    }
    if (most < 0) break;
    respond_all(f);
    fault = judge(f);
    prox = fmax(less * prox, cone_near_least);
  }
  return true;
}
