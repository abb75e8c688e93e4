// Sweeps that learn from one another: Gauss and Seidel (many_sweep.c) to and fro as a map x -> g(x)
// whose fixed point is looked for.
//
// Anderson (1965), as Walker and Ni (2011, (2.2)) write it: with F = g - x of the last few x, the
// next x is g - sum gamma_j dg_j, gamma least |F - sum gamma_j dF_j|. An x after which F is larger
// by far is taken back, and what was learned is forgotten.
//
// Contacts that press each other from all sides have impulses that move nothing. Where all of them
// are held and cannot be, sweeps go on along such impulses by the same F again and again, until one
// leaves its cone. The way there is known: it is taken at once.
#include "cone/many.h"
#include "cone/small.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { abreast = 8 };
static const double far_worse = 2;     // of the last F: an x that is taken back
static const double straight = 0.02;   // of F: what it changes by where sweeps go straight on
static const double worth_a_leap = 2;  // pairs of sweeps that a way must be long
static const double beyond = 1.000001; // of the way to the edge: so that it is left

static void make_room(cone_many_relax* s, int r)
{
  double** all[] = {&s->x, &s->g, &s->F, &s->F_before, &s->g_before, &s->safe};
  const int single = sizeof all / sizeof *all, count = single + 2 * CONE_MANY_LEARNED;
  if (r > s->room) {
    s->room = r + r / 2 + 16;
    s->memory = base_realloc(s->memory, sizeof(double) * (size_t)s->room * (size_t)count);
  }
  double* at = s->memory;
  for (int k = 0; k < single; k++, at += s->room) *all[k] = at;
  for (int k = 0; k < CONE_MANY_LEARNED; k++, at += s->room) s->dF[k] = at;
  for (int k = 0; k < CONE_MANY_LEARNED; k++, at += s->room) s->dg[k] = at;
}

// impulses weighed by what they move; sums side by side, which need not wait for each other
static double dot(const cone_many* f, const double* a, const double* b)
{
  const double* d = f->diagonal;
  const int r = f->p->r;
  double sum[abreast] = {0}, all = 0;
  int i = 0;
  for (; i + abreast <= r; i += abreast)
    for (int k = 0; k < abreast; k++) sum[k] += d[i + k] * a[i + k] * b[i + k];
  for (; i < r; i++) all += d[i] * a[i] * b[i];
  for (int k = 0; k < abreast; k++) all += sum[k];
  return all;
}

void cone_many_relax_begin(cone_many* f)
{
  cone_many_relax* s = &f->relax;
  make_room(s, f->p->r);
  memcpy(s->x, f->x, sizeof(double) * (size_t)f->p->r);
  s->pairs = 0;
  s->last = INFINITY;
}

// ---- straight on --------------------------------------------------------------------------------

// the least positive t with (bound + t d_bound)^2 = |x + t d|^2 for squares and products of x and
// d, from inside
static double leaves(double bound, double d_bound, double xx, double xd, double dd)
{
  const double a = d_bound * d_bound - dd, b = bound * d_bound - xd, c = bound * bound - xx;
  const double square = b * b - a * c;
  double least = d_bound < 0 ? -bound / d_bound : INFINITY;
  if (!(c > cone_relax_edge * bound * bound)) return INFINITY; // it is on the edge, and slips
  if (!(square >= 0)) return least;
  for (int sign = -1; sign <= 1; sign += 2) {
    const double t = c / (sign * sqrt(square) - b);
    if (t > 0 && t < least) least = t;
  }
  return least;
}

// how far along F until a contact leaves its cone
static double way_to_edge(const cone_many* f)
{
  const cone_many_problem* p = f->p;
  const double *g = f->relax.g, *F = f->relax.F;
  double way = INFINITY;
  for (int n = 0; n < p->r; n++) {
    if (p->kind[n] != CONE_MANY_NORMAL || !(g[n] > 0)) continue;
    if (F[n] < 0) way = fmin(way, -g[n] / F[n]);
    for (int k = f->first[n]; k < f->first[n + 1]; k++) {
      const int i = f->tangent[k], o = cone_many_pair(f, i);
      const double mu = p->mu[i], y = o < 0 ? 0 : g[o], d = o < 0 ? 0 : F[o];
      way = fmin(way, leaves(mu * g[n], mu * F[n], g[i] * g[i] + y * y, g[i] * F[i] + y * d,
                             F[i] * F[i] + d * d));
    }
  }
  return way;
}

// ---- what is learned ----------------------------------------------------------------------------

// gamma of the equations dF^T dF gamma = dF^T F, a little stiffer so that they have an answer; the
// newest dF is the one whose products are not known yet
static void find_shares(cone_many* f, int m, int newest, double* gamma)
{
  cone_many_relax* s = &f->relax;
  double A[CONE_MANY_LEARNED * CONE_MANY_LEARNED], sum = 0;
  for (int i = 0; i < m; i++) {
    s->product[i][newest] = s->product[newest][i] = dot(f, s->dF[i], s->dF[newest]);
    gamma[i] = dot(f, s->dF[i], s->F);
    sum += s->product[i][i];
  }
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++) A[i * m + j] = s->product[i][j];
  for (int i = 0; i < m; i++) A[i * m + i] += cone_relax_stiff * sum;
  for (int i = 0; i < m; i++)
    for (int k = i + 1; k < m; k++) {
      const double share = A[k * m + i] / A[i * m + i];
      for (int j = i; j < m; j++) A[k * m + j] -= share * A[i * m + j];
      gamma[k] -= share * gamma[i];
    }
  for (int i = m - 1; i >= 0; i--) {
    for (int j = i + 1; j < m; j++) gamma[i] -= A[i * m + j] * gamma[j];
    gamma[i] /= A[i * m + i];
  }
}

static void learn(cone_many* f)
{
  cone_many_relax* s = &f->relax;
  const int r = f->p->r, to = (s->pairs - 1) % CONE_MANY_LEARNED;
  for (int i = 0; i < r && s->pairs; i++) {
    s->dF[to][i] = s->F[i] - s->F_before[i];
    s->dg[to][i] = s->g[i] - s->g_before[i];
  }
  memcpy(s->F_before, s->F, sizeof(double) * (size_t)r);
  memcpy(s->g_before, s->g, sizeof(double) * (size_t)r);
}

static void forget(cone_many_relax* s)
{
  s->pairs = 0;
  s->last = INFINITY;
}

// the next x
static void choose_next(cone_many* f)
{
  cone_many_relax* s = &f->relax;
  const int r = f->p->r, m = s->pairs < CONE_MANY_LEARNED ? s->pairs : CONE_MANY_LEARNED;
  const int newest = (s->pairs + CONE_MANY_LEARNED - 1) % CONE_MANY_LEARNED;
  double gamma[CONE_MANY_LEARNED];
  memcpy(s->x, s->g, sizeof(double) * (size_t)r);
  if (m && sqrt(dot(f, s->dF[newest], s->dF[newest])) < straight * s->last) {
    const double way = way_to_edge(f);
    if (isfinite(way) && way > worth_a_leap) {
      for (int i = 0; i < r; i++) s->x[i] += beyond * way * s->F[i];
      forget(s);
      return;
    }
  }
  s->pairs++;
  if (!m) return;
  find_shares(f, m, newest, gamma);
  for (int k = 0; k < m; k++)
    for (int i = 0; i < r; i++) s->x[i] -= gamma[k] * s->dg[k][i];
  for (int i = 0; i < r; i++)
    if (f->p->kind[i] == CONE_MANY_NORMAL && !(s->x[i] > 0)) s->x[i] = 0;
}

void cone_many_relax_go(cone_many* f, int pairs)
{
  cone_many_relax* s = &f->relax;
  const int r = f->p->r;
  const size_t bytes = sizeof(double) * (size_t)r;
  for (int k = 0; k < pairs; k++) {
    memcpy(f->x, s->x, bytes);
    cone_many_sweep(f, false);
    cone_many_sweep(f, true);
    memcpy(s->g, f->x, bytes);
    for (int i = 0; i < r; i++) s->F[i] = s->g[i] - s->x[i];
    const double size = sqrt(dot(f, s->F, s->F));
    if (!(size <= far_worse * s->last)) {
      memcpy(s->x, s->safe, bytes);
      forget(s);
      continue;
    }
    s->last = size;
    memcpy(s->safe, s->g, bytes);
    learn(f);
    choose_next(f);
  }
}
