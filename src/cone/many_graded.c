// Large islands with friction: Newton on the velocities of the bodies, with a proximal term that is
// as large as it has to be.
//
// With the impulses of the round before, c, on the right (Rockafellar 1976) the law of a contact
// (many_cone.c) is one of y = c - rho w. Then x is a function of w = A u + q alone, and a round
// ends where nothing is left of the balance of the bodies, W u - A^T x(u). Where rho is small the
// zero is near, and a few turns of Newton find it, but many rounds are needed; where it is large
// Newton may run in circles: friction makes what is left no gradient of anything. So rho grows as
// long as rounds end; one that does not is taken back, and made again with a smaller rho. At the
// end of each its x is the next c.
//
// w is carried along with u, by A du: made anew from u it would lose, of what is held, digits that
// rho makes large again in the impulses.
#include "cone/many.h"
#include "cone/small.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { turns_of_a_round = 12, many_of_them = 8, first_of_them = 4 };
static const double smaller = 0.3, larger = 3; // the term after a round, and after none
static const double less_bold = 2;             // and after one that took many turns
static const double first_pause = 0.5,
                    longest_pause = 8; // rounds between a round that failed and a smaller term
static const double slow_counts = 0.5; // as a round: one of several turns
static const double largest_term = 1;  // of the mobility
// The first term: the farther from the laws, the larger, up to most_first. What moves as a whole
// changes states in every turn of a round with a small one, which does not end.
static const double term_of_fault = 300, most_first = 0.1;
static const double fast_round = 0.2;   // of the fault: the term is right as it is
static const double least_share = 0.05; // of the way of a turn: taken whatever is left
static const double wild = 1e3;         // of what was left at first: it leads nowhere
static const double slow = 0.5; // of what was left at first, after the first turns: it is no round
static const double nearly = 0.1; // the same: worth going on with where what there is would do
static const double round_enough = 0.1; // of the fault: a round need not be better than that
static const double round_good = 0.01;  // of what was left at first: it is a round

void cone_many_near_room(cone_many* f)
{
  cone_many_near* s = &f->near;
  const size_t r = (size_t)f->p->r, n = (size_t)f->bodies.unknowns, c = (size_t)f->bodies.contact.n,
               blocks = (size_t)f->bodies.blocks;
  double **by_row[] = {&s->centre, &s->w, &s->dw, &s->x, &s->kept_w, &s->safe_w, &s->found},
         **by_unknown[] = {&s->u, &s->du, &s->Wu, &s->kept, &s->left, &s->safe_u};
  const size_t rows = sizeof by_row / sizeof *by_row,
               unknowns = sizeof by_unknown / sizeof *by_unknown;
  const size_t need = rows * r + unknowns * n + c + blocks;
  if (need > s->room) {
    s->room = need + need / 2;
    s->memory = base_realloc(s->memory, sizeof(double) * s->room);
  }
  double* at = s->memory;
  for (size_t i = 0; i < rows; i++, at += r) *by_row[i] = at;
  for (size_t i = 0; i < unknowns; i++, at += n) *by_unknown[i] = at;
  s->rho = at;
  s->H = at + c;
}

static void copy(double* to, const double* from, int count)
{
  memcpy(to, from, sizeof(double) * (size_t)count);
}

// ---- where it stands ----------------------------------------------------------------------------

// x of contact i at w, and H = -dx/dw
static void press(cone_many* f, int i)
{
  cone_many_near* s = &f->near;
  const cone_many_body_contact* c = &f->bodies.contact.at[i];
  double y[CONE_MANY_ROWS] = {0}, *H = s->H + c->at;
  const double rho = s->rho[i];
  for (int k = 0; k < c->rows; k++) y[k] = s->centre[c->row[k]] - rho * s->w[c->row[k]];
  H[0] = 1;
  if (f->p->kind[c->row[0]] != CONE_MANY_EQUAL) {
    const cone_many_discs d = cone_many_discs_of(f, c->row[0]);
    cone_many_law(&d, y, H);
  }
  for (int k = 0; k < c->rows * c->rows; k++) H[k] *= rho;
  for (int k = 0; k < c->rows; k++) s->x[c->row[k]] = y[k];
}

// impulses at w; what is left of the balance, in the metric of the inertias
static double look(cone_many* f)
{
  cone_many_near* s = &f->near;
  for (int i = 0; i < f->bodies.contact.n; i++) press(f, i);
  cone_many_bodies_inertia(f, s->u, s->Wu);
  for (int i = 0; i < f->bodies.unknowns; i++) s->left[i] = -s->Wu[i];
  cone_many_bodies_push(f, s->x, 1, s->left);
  return cone_many_bodies_size(f, s->left);
}

// ---- a round ------------------------------------------------------------------------------------

// a turn of Newton; false: singular
static bool make_turn(cone_many* f, double* left)
{
  cone_many_near* s = &f->near;
  const int r = f->p->r, n = f->bodies.unknowns;
  if (!cone_many_bodies_factor(f, s->H)) return false;
  copy(s->kept, s->u, n);
  copy(s->kept_w, s->w, r);
  copy(s->du, s->left, n);
  num_fronts_solve(f->bodies.fronts, s->du);
  cone_many_bodies_rows(f, s->du, s->dw);
  for (double share = 1;; share /= 2) {
    for (int i = 0; i < n; i++) s->u[i] = s->kept[i] + share * s->du[i];
    for (int i = 0; i < r; i++) s->w[i] = s->kept_w[i] + share * s->dw[i];
    const double now = look(f);
    if (now > (1 - cone_graded_gains * share) * *left && share > least_share) continue;
    *left = now;
    return true;
  }
}

// turns from the x of now as the centre; does it end? best: the fault of the best x so far
static bool make_round(cone_many* f, double best, double enough, int until, int* turns, int* taken)
{
  cone_many_near* s = &f->near;
  copy(s->centre, s->x, f->p->r);
  copy(s->safe_w, s->w, f->p->r);
  copy(s->safe_u, s->u, f->bodies.unknowns);
  const double first = look(f);
  double left = first;
  for (*taken = 0; *taken < turns_of_a_round && *turns < until && left > enough; ++*taken) {
    if (!make_turn(f, &left)) return false;
    (*turns)++;
    if (!(left <= wild * first)) return false;
    const double least = best <= cone_many_allowed(f) ? nearly : slow;
    if (*taken + 1 >= first_of_them && left > fmax(enough, least * first)) return false;
  }
  return left <= fmax(enough, round_good * first);
}

static void take_back(cone_many* f)
{
  cone_many_near* s = &f->near;
  copy(s->x, s->centre, f->p->r);
  copy(s->w, s->safe_w, f->p->r);
  copy(s->u, s->safe_u, f->bodies.unknowns);
}

// ---- rounds -------------------------------------------------------------------------------------

static void set_term(cone_many* f, double term)
{
  for (int i = 0; i < f->bodies.contact.n; i++) {
    const cone_many_body_contact* c = &f->bodies.contact.at[i];
    double own = 0;
    for (int k = 0; k < c->rows; k++) own = fmax(own, f->diagonal[c->row[k]]);
    f->near.rho[i] = 1 / (term * own);
  }
}

static double judge(cone_many* f, double* best)
{
  copy(f->x, f->near.x, f->p->r);
  cone_many_product(f);
  const double fault = cone_many_fault(f);
  if (fault < *best) {
    *best = fault;
    copy(f->near.found, f->near.x, f->p->r);
  }
  return fault;
}

// impulses and velocities of f->x; the largest that the balance may be off by for a fault of one
static double begin(cone_many* f)
{
  cone_many_near* s = &f->near;
  double fast = 0, soft = 0;
  copy(s->x, f->x, f->p->r);
  memset(s->u, 0, sizeof(double) * (size_t)f->bodies.unknowns);
  cone_many_bodies_push(f, s->x, 1, s->u);
  cone_many_bodies_freely(f, s->u);
  cone_many_bodies_rows(f, s->u, s->w);
  for (int i = 0; i < f->p->r; i++) {
    s->w[i] += f->p->q[i];
    fast = fmax(fast, fabs(f->p->q[i]));
    soft = fmax(soft, f->diagonal[i]);
  }
  return fast / sqrt(soft);
}

// how bold the next round is: rounds that end wait longer for a smaller term where such a one has
// not ended before
typedef struct boldness
{
  double term, pause, wait;
} boldness;

static void after_none(boldness* b)
{
  b->term = fmin(larger * b->term, largest_term);
  b->wait = b->pause = fmin(2 * b->pause + first_pause, longest_pause);
}

static void after_round(boldness* b, int taken, bool fast)
{
  if (taken >= many_of_them) {
    b->term = fmin(less_bold * b->term, largest_term);
    return;
  }
  if (fast) return;
  b->wait -= taken < first_of_them ? 1 : slow_counts;
  if (b->wait > 0) return;
  b->term = fmax(smaller * b->term, cone_graded_least);
  b->wait = 0;
  b->pause /= 2;
}

bool cone_many_graded(cone_many* f, int most, int* turns)
{
  if (!f->island.origin || !cone_many_is_bounded(f) || !cone_many_bodies_open(f)) return false;
  cone_many_near_room(f);
  const double unit = begin(f);
  double best = INFINITY, fault = judge(f, &best);
  boldness b = {.term = fmin(fmax(cone_graded_first, term_of_fault * fault), most_first)};
  const int until = *turns + most;
  for (int k = 0; k < most && fault > cone_many_allowed(f) && *turns < until; k++) {
    const double before = fault;
    int taken;
    set_term(f, b.term);
    if (make_round(f, best, round_enough * fault * unit, until, turns, &taken)) {
      fault = judge(f, &best);
      after_round(&b, taken, fault <= fast_round * before);
      continue;
    }
    take_back(f);
    if (b.term >= largest_term) break;
    after_none(&b);
  }
  copy(f->x, f->near.found, f->p->r);
  cone_many_product(f);
  return true;
}
