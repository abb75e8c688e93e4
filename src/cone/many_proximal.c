// Large islands without friction: Newton on the velocities of the bodies, with a proximal term.
//
// The law of a contact reads x = max(0, x - rho w). The proximal point method (Rockafellar 1976)
// takes the x of the round before on the right, c; then x is a function of w = A u + q alone, and
// what is left of the balance of the bodies,
//   W u - A^T x(u),   x = max(0, c - rho (A u + q)),
// is monotone in u: the gradient of a convex function where W is symmetric. Newton finds its zero
// from anywhere where it goes along each direction to the zero of what is left along it (Li, Sun
// and Toh 2018). A few turns make a round, and a few rounds the answer. With friction there is no
// such function; many_graded.c.
#include "cone/many.h"
#include "cone/small.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_rounds = 30, most_turns = 30, most_cuts = 12 };
static const double less = 0.1;          // of the proximal term, from round to round
static const double along_enough = 0.1;  // of what is left along a direction: it is its zero
static const double round_enough = 0.05; // of the fault: a round need not be better than that
static const double slow_round = 0.1;    // of the fault: the next round has a smaller term

static void make_room(cone_many* f)
{
  cone_many_near* s = &f->near;
  const size_t r = (size_t)f->p->r, n = (size_t)f->bodies.unknowns, c = (size_t)f->bodies.contact.n,
               blocks = (size_t)f->bodies.blocks;
  double **by_row[] = {&s->centre, &s->w, &s->dw, &s->x},
         **by_unknown[] = {&s->u, &s->du, &s->Wu, &s->Wdu, &s->kept, &s->left};
  const size_t need = 4 * r + 6 * n + c + blocks;
  if (need > s->room) {
    s->room = need + need / 2;
    s->memory = base_realloc(s->memory, sizeof(double) * s->room);
  }
  double* at = s->memory;
  for (size_t i = 0; i < 4; i++, at += r) *by_row[i] = at;
  for (size_t i = 0; i < 6; i++, at += n) *by_unknown[i] = at;
  s->rho = at;
  s->H = at + c;
}

// ---- impulses of velocities ---------------------------------------------------------------------

// the impulse of contact i where its velocity is w + t dw; its slope
static double ask(const cone_many* f, int i, double t, double* slope)
{
  const cone_many_near* s = &f->near;
  const int row = f->bodies.contact.at[i].row[0];
  const double y = s->centre[row] - s->rho[i] * (s->w[row] + t * s->dw[row]);
  const bool presses = f->p->kind[row] == CONE_MANY_EQUAL || y > 0;
  if (slope) *slope = presses ? s->rho[i] : 0;
  return presses ? y : 0;
}

// what is left along du at the share t of it
static double left_along(const cone_many* f, double t, double Wu, double Wdu)
{
  double sum = Wu + t * Wdu;
  for (int i = 0; i < f->bodies.contact.n; i++)
    sum -= f->near.dw[f->bodies.contact.at[i].row[0]] * ask(f, i, t, NULL);
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

// ---- where it stands ----------------------------------------------------------------------------

// velocities of the rows at u, impulses, and their slopes; what is left of the balance, in the
// metric of the inertias
static double look(cone_many* f)
{
  cone_many_near* s = &f->near;
  cone_many_bodies_rows(f, s->u, s->w);
  for (int i = 0; i < f->p->r; i++) s->w[i] += f->p->q[i];
  cone_many_bodies_inertia(f, s->u, s->Wu);
  memset(s->dw, 0, sizeof(double) * (size_t)f->p->r);
  for (int i = 0; i < f->bodies.contact.n; i++)
    s->x[f->bodies.contact.at[i].row[0]] = ask(f, i, 0, s->H + f->bodies.contact.at[i].at);
  for (int i = 0; i < f->bodies.unknowns; i++) s->left[i] = -s->Wu[i];
  cone_many_bodies_push(f, s->x, 1, s->left);
  return cone_many_bodies_size(f, s->left);
}

// the way of a turn of Newton; false: singular
static bool find_way(cone_many* f)
{
  cone_many_near* s = &f->near;
  if (!cone_many_bodies_factor(f, s->H)) return false;
  memcpy(s->kept, s->u, sizeof(double) * (size_t)f->bodies.unknowns);
  memcpy(s->du, s->left, sizeof(double) * (size_t)f->bodies.unknowns);
  num_fronts_solve(f->bodies.fronts, s->du);
  return true;
}

static double go_along(cone_many* f)
{
  cone_many_near* s = &f->near;
  cone_many_bodies_rows(f, s->du, s->dw);
  cone_many_bodies_inertia(f, s->du, s->Wdu);
  const double share = share_of(f);
  for (int i = 0; i < f->bodies.unknowns; i++) s->u[i] = s->kept[i] + share * s->du[i];
  return look(f);
}

static double judge(cone_many* f)
{
  memcpy(f->x, f->near.x, sizeof(double) * (size_t)f->p->r);
  cone_many_product(f);
  return cone_many_fault(f);
}

// turns from the x of now as the centre; false: singular
static bool make_round(cone_many* f, double prox, double enough, int until, int* turns)
{
  cone_many_near* s = &f->near;
  double soft = 0, noise = 0;
  for (int i = 0; i < f->bodies.contact.n; i++) {
    const int row = f->bodies.contact.at[i].row[0];
    const double own = f->diagonal[row];
    s->rho[i] = 1 / ((f->p->kind[row] == CONE_MANY_EQUAL ? cone_near_least : prox) * own);
    noise += own * pow(s->rho[i] * f->p->q[row], 2);
    soft = fmax(soft, own);
  }
  // what rounding leaves is left
  enough = fmax(enough / sqrt(soft), cone_many_rounding * sqrt(noise));
  memcpy(s->centre, s->x, sizeof(double) * (size_t)f->p->r);
  double left = look(f);
  for (int k = 0; k < most_turns && *turns < until && left > enough; k++) {
    if (!find_way(f)) return false;
    (*turns)++;
    left = go_along(f);
  }
  return true;
}

bool cone_many_proximal(cone_many* f, int most, int* turns)
{
  cone_many_near* s = &f->near;
  double fast = 0;
  for (int i = 0; i < f->p->r; i++) {
    if (f->p->kind[i] == CONE_MANY_TANGENT) return false;
    fast = fmax(fast, fabs(f->p->q[i]));
  }
  if (!f->island.origin || !cone_many_bodies_open(f)) return false;
  make_room(f);
  memcpy(s->x, f->x, sizeof(double) * (size_t)f->p->r);
  memset(s->u, 0, sizeof(double) * (size_t)f->bodies.unknowns);
  cone_many_bodies_push(f, s->x, 1, s->u);
  cone_many_bodies_freely(f, s->u);
  double fault = judge(f), prox = cone_near_first;
  const int until = *turns + most;
  double best = fault;
  for (int round = 0; round < most_rounds && fault > cone_many_solved && *turns < until; round++) {
    const double before = fault;
    if (!make_round(f, prox, round_enough * best * fast, until, turns)) break;
    fault = judge(f);
    best = fmin(best, fault);
    if (fault > slow_round * before) prox = fmax(less * prox, cone_near_least);
  }
  return true;
}
