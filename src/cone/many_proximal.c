// Large islands: Newton on the velocities of the bodies, with a proximal term.
//
// With s = mu |w_t| added to the normal velocities the law of a contact reads (De Saxce and Feng
// 1998)  x = P(x - rho (w + s n)),  P the nearest point of the cone |x_t| <= mu x_n (many_cone.c).
// The proximal point method (Rockafellar 1976) takes the x of the round before on the right, c;
// then x is a function of w = A u + q alone, and what is left of the balance of the bodies,
//   W u - A^T x(u),   x = P(c - rho (A u + q + s n)),
// is monotone in u where s stays: the gradient of a convex function where W is symmetric. Newton
// finds its zero from anywhere where it goes along each direction to the zero of what is left along
// it (Li, Sun and Toh 2018). A few turns make a round, and a few rounds the answer. Where s follows
// the slips in the equations of a turn, a turn is one of Newton on the law itself, and a round near
// the answer ends it; such a turn is kept if it leaves less.
#include "cone/many.h"
#include "cone/small.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  most_rounds = 30,
  most_turns = 30,
  most_cuts = 12,
  block = CONE_MANY_ROUND * CONE_MANY_ROUND
};
static const double less = 0.1;          // of the proximal term, from round to round
static const double along_enough = 0.1;  // of what is left along a direction: it is its zero
static const double round_enough = 0.05; // of the fault: a round need not be better than that
static const double slow_round = 0.1;    // of the fault: the next round has a smaller term
static const double least_share = 0.1;   // of the way of a turn in which s follows
static const double kept_share = 0.3;    // of what was left, times the share: it is kept

static void make_room(cone_many* f)
{
  cone_many_near* s = &f->near;
  const size_t r = (size_t)f->p->r, n = (size_t)f->bodies.unknowns, c = (size_t)f->bodies.contact.n;
  double **by_row[] = {&s->centre, &s->w, &s->dw, &s->x},
         **by_unknown[] = {&s->u, &s->du, &s->Wu, &s->Wdu, &s->kept, &s->left},
         **by_contact[] = {&s->rho, &s->lift};
  const size_t need = 4 * r + 6 * n + (2 + block) * c;
  if (need > s->room) {
    s->room = need + need / 2;
    s->memory = base_realloc(s->memory, sizeof(double) * s->room);
  }
  double* at = s->memory;
  for (size_t i = 0; i < 4; i++, at += r) *by_row[i] = at;
  for (size_t i = 0; i < 6; i++, at += n) *by_unknown[i] = at;
  for (size_t i = 0; i < 2; i++, at += c) *by_contact[i] = at;
  s->H = at;
}

// ---- impulses of velocities ---------------------------------------------------------------------

// what contact i asks for where its velocity is w + t dw
static void ask(const cone_many* f, int i, double t, double y[CONE_MANY_ROUND])
{
  const cone_many_near* s = &f->near;
  const cone_many_body_contact* c = &f->bodies.contact.at[i];
  for (int k = 0; k < c->rows; k++) {
    const int row = c->row[k];
    y[k] = s->centre[row] - s->rho[i] * (s->w[row] + t * s->dw[row]);
  }
  y[0] -= s->rho[i] * s->lift[i];
}

static double friction_of(const cone_many* f, const cone_many_body_contact* c)
{
  return c->rows > 1 ? f->p->mu[c->row[1]] : 0;
}

// what is left along du at the share t of it
static double left_along(const cone_many* f, double t, double Wu, double Wdu)
{
  double sum = Wu + t * Wdu;
  for (int i = 0; i < f->bodies.contact.n; i++) {
    const cone_many_body_contact* c = &f->bodies.contact.at[i];
    double y[CONE_MANY_ROUND];
    ask(f, i, t, y);
    if (f->p->kind[c->row[0]] != CONE_MANY_EQUAL)
      cone_many_nearest(c->rows, friction_of(f, c), y, NULL);
    for (int k = 0; k < c->rows; k++) sum -= f->near.dw[c->row[k]] * y[k];
  }
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

static double slip_of(const cone_many* f, const cone_many_body_contact* c)
{
  double sum = 0;
  for (int k = 1; k < c->rows; k++) sum = hypot(sum, f->near.w[c->row[k]]);
  return sum;
}

// velocities of the rows at u, s of their slips where it follows, impulses, and their slopes; what
// is left of the balance, in the metric of the inertias
static double look(cone_many* f, bool follow)
{
  cone_many_near* s = &f->near;
  cone_many_bodies_rows(f, s->u, s->w);
  for (int i = 0; i < f->p->r; i++) s->w[i] += f->p->q[i];
  cone_many_bodies_inertia(f, s->u, s->Wu);
  memset(s->dw, 0, sizeof(double) * (size_t)f->p->r);
  for (int i = 0; i < f->bodies.contact.n; i++) {
    const cone_many_body_contact* c = &f->bodies.contact.at[i];
    double y[CONE_MANY_ROUND], *H = s->H + i * block, slip = slip_of(f, c), mu = friction_of(f, c);
    if (follow) s->lift[i] = mu * slip;
    ask(f, i, 0, y);
    bool slides = false;
    H[0] = 1;
    if (f->p->kind[c->row[0]] != CONE_MANY_EQUAL) slides = cone_many_nearest(c->rows, mu, y, H);
    for (int k = 0; k < c->rows * c->rows; k++) H[k] *= s->rho[i];
    for (int k = 1; k < c->rows && follow && slides && slip > 0; k++)
      for (int a = 0; a < c->rows; a++)
        H[a * c->rows + k] += H[a * c->rows] * mu * s->w[c->row[k]] / slip;
    for (int k = 0; k < c->rows; k++) s->x[c->row[k]] = y[k];
  }
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

static double go(cone_many* f, double share, bool follow)
{
  cone_many_near* s = &f->near;
  for (int i = 0; i < f->bodies.unknowns; i++) s->u[i] = s->kept[i] + share * s->du[i];
  return look(f, follow);
}

// along the way with s that follows; false: nowhere is less left
static bool go_following(cone_many* f, double* left)
{
  for (double share = 1; share > least_share; share /= 2) {
    const double now = go(f, share, true);
    if (!(now <= (1 - kept_share * share) * *left)) continue;
    *left = now;
    return true;
  }
  go(f, 0, true);
  return false;
}

static void go_along(cone_many* f, double* left)
{
  cone_many_near* s = &f->near;
  cone_many_bodies_rows(f, s->du, s->dw);
  cone_many_bodies_inertia(f, s->du, s->Wdu);
  *left = go(f, share_of(f), false);
}

static double judge(cone_many* f)
{
  memcpy(f->x, f->near.x, sizeof(double) * (size_t)f->p->r);
  cone_many_product(f);
  return cone_many_fault(f);
}

// turns from the x of now as the centre; false: singular
static bool make_round(cone_many* f, bool rough, double prox, double enough, int until, int* turns)
{
  cone_many_near* s = &f->near;
  bool follow = rough;
  double soft = 0, noise = 0;
  for (int i = 0; i < f->p->r; i++) soft = fmax(soft, f->diagonal[i]);
  for (int i = 0; i < f->bodies.contact.n; i++) {
    const cone_many_body_contact* c = &f->bodies.contact.at[i];
    double own = 0;
    for (int k = 0; k < c->rows; k++) own = fmax(own, f->diagonal[c->row[k]]);
    s->rho[i] = 1 / ((f->p->kind[c->row[0]] == CONE_MANY_EQUAL ? cone_near_least : prox) * own);
    s->lift[i] = 0;
    for (int k = 0; k < c->rows; k++) noise += own * pow(s->rho[i] * f->p->q[c->row[k]], 2);
  }
  // what rounding leaves is left
  enough = fmax(enough / sqrt(soft), cone_many_rounding * sqrt(noise));
  memcpy(s->centre, s->x, sizeof(double) * (size_t)f->p->r);
  double left = look(f, rough);
  for (int k = 0; k < most_turns && *turns < until && left > enough; k++) {
    if (!find_way(f)) return false;
    (*turns)++;
    if (!follow) {
      go_along(f, &left);
      continue;
    }
    follow = go_following(f, &left);
    if (!follow) left = look(f, false); // from here on with s as it is
  }
  return true;
}

bool cone_many_proximal(cone_many* f, int most, int* turns)
{
  cone_many_near* s = &f->near;
  double fast = 0;
  bool rough = false;
  for (int i = 0; i < f->p->r; i++) {
    rough = rough || f->p->kind[i] == CONE_MANY_TANGENT;
    fast = fmax(fast, fabs(f->p->q[i]));
  }
  if (!f->island.origin || !cone_many_is_round(f) || !cone_many_bodies_open(f)) return false;
  make_room(f);
  memcpy(s->x, f->x, sizeof(double) * (size_t)f->p->r);
  memset(s->u, 0, sizeof(double) * (size_t)f->bodies.unknowns);
  cone_many_bodies_push(f, s->x, 1, s->u);
  cone_many_bodies_freely(f, s->u);
  double fault = judge(f), prox = cone_near_first;
  const double aim = rough ? cone_many_enough : cone_many_solved;
  const int until = *turns + most;
  double best = fault;
  for (int round = 0; round < most_rounds && fault > aim && *turns < until; round++) {
    const double before = fault;
    if (!make_round(f, rough, prox, round_enough * best * fast, until, turns)) break;
    fault = judge(f);
    best = fmin(best, fault);
    if (fault > slow_round * before) prox = fmax(less * prox, cone_near_least);
  }
  return true;
}
