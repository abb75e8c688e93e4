// Many contacts at once: w = G x + q with one law per row, G sparse.
//
// Sweeps of Gauss and Seidel, each row projected on its law (Moreau 1999; Jourdan, Alart and Jean
// 1998), find roughly which rows act from the guess of the step before; Newton (many_newton.c) then
// solves to the last digits. Where its states run in circles, more sweeps come between.
#include "cone/many.h"
#include "cone/small.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const double cone_many_tolerance = cone_many_solved;
enum { first_sweeps = 8, more_sweeps = 40, most_rounds = 5, last_sweeps = 400000 };

cone_many* cone_many_new(int r_max)
{
  cone_many* f = base_alloc(sizeof *f);
  *f = (cone_many){.r_max = r_max, .band = cone_band_new()};
  const size_t r = (size_t)r_max + 1;
  double* m = f->diagonal = base_alloc(5 * r * sizeof *m);
  f->centre = m + r;
  f->right = m + 2 * r;
  f->unit = m + 3 * r;
  f->turn = m + 4 * r;
  int* k = f->order = base_alloc(3 * r * sizeof *k);
  f->index = k + r;
  f->unknown = k + 2 * r;
  f->state = base_alloc(r * sizeof *f->state);
  f->seen = base_alloc(r * sizeof *f->seen);
  return f;
}

void cone_many_free(cone_many* f)
{
  if (!f) return;
  cone_band_free(f->band);
  free(f->diagonal);
  free(f->order);
  free(f->state);
  free(f->seen);
  free(f);
}

static double row_value(const cone_many* f, int i)
{
  const cone_many_problem* p = f->p;
  double w = p->q[i];
  for (int k = p->start[i]; k < p->start[i + 1]; k++) w += p->G[k] * f->x[p->column[k]];
  return w;
}

void cone_many_product(cone_many* f)
{
  for (int i = 0; i < f->p->r; i++) f->w[i] = row_value(f, i);
}

// x_i, and y of the other tangent in space, put on the law of the row
static double projected(const cone_many* f, int i, double x, double y)
{
  const cone_many_problem* p = f->p;
  if (p->kind[i] == CONE_MANY_EQUAL) return x;
  if (p->kind[i] == CONE_MANY_NORMAL) return fmax(x, 0);
  const double bound = p->mu[i] * fmax(f->x[p->of[i]], 0), length = hypot(x, y);
  return length > bound ? x * (bound / length) : x;
}

// what a row asks for: x - w/G_ii of it, and of the other tangent
static double asked(const cone_many* f, int i, double w, double w_pair, double* other)
{
  const double d = cone_many_scale(f, i);
  const int o = cone_many_pair(f, i);
  *other = o < 0 ? 0 : f->x[o] - w_pair / d;
  return f->x[i] - w / d;
}

// Against the largest q; the cone_many_rounding of large impulses is excused, not their size, which
// grows without end where rows exclude one another.
double cone_many_fault(const cone_many* f)
{
  double worst = 0, scale = 0, large = 0;
  for (int i = 0; i < f->p->r; i++) {
    const double d = cone_many_scale(f, i);
    const int o = cone_many_pair(f, i);
    double y;
    const double x = asked(f, i, f->w[i], o < 0 ? 0 : f->w[o], &y);
    const double off = d * fabs(f->x[i] - projected(f, i, x, y));
    if (!(off <= worst)) worst = off; // keeps a nan
    scale = fmax(scale, fabs(f->p->q[i]));
    large = fmax(large, d * fabs(f->x[i]));
  }
  if (worst <= cone_many_rounding * large) return 0;
  return scale > 0 ? worst / scale : worst;
}

// to and fro: what presses at one end is felt at the other after a single pair of sweeps
static void sweep(cone_many* f, bool back)
{
  const int r = f->p->r;
  for (int k = 0; k < r; k++) {
    const int i = f->order[back ? r - 1 - k : k];
    const int o = cone_many_pair(f, i);
    double y;
    const double x = asked(f, i, row_value(f, i), o < 0 ? 0 : row_value(f, o), &y);
    f->x[i] = projected(f, i, x, y);
    if (o >= 0) f->x[o] = projected(f, o, y, x);
  }
}

static void read_diagonal(cone_many* f)
{
  const cone_many_problem* p = f->p;
  for (int i = 0; i < p->r; i++) {
    f->diagonal[i] = 0;
    for (int k = p->start[i]; k < p->start[i + 1]; k++)
      if (p->column[k] == i) f->diagonal[i] += p->G[k];
    assert(f->diagonal[i] > 0);
  }
}

void cone_many_use_siconos(cone_many* f)
{
  f->siconos = true;
}

// its answer, made exact where it is not yet
static bool by_siconos(cone_many* f, cone_many_result* out)
{
  if (!cone_many_siconos(f)) return false;
  cone_many_product(f);
  return cone_many_fault(f) <= cone_many_tolerance || cone_many_newton(f, false, &out->turns);
}

// Where Newton's states run in circles, or redundant rows leave no more digits: other methods, and
// sweeps alone, as many as the size of the problem allows.
static bool by_other_ways(cone_many* f, cone_many_result* out)
{
  const size_t size = sizeof(double) * (size_t)f->p->r;
  cone_many_product(f);
  if (cone_many_fault(f) <= cone_many_enough) return true;
  double* kept = base_alloc(size);
  memcpy(kept, f->x, size);
  bool solved = cone_many_dense(f, cone_many_enough);
  if (!solved) memcpy(f->x, kept, size);
  free(kept);
  solved = solved || (!f->siconos && by_siconos(f, out));
  for (int k = 0; k < last_sweeps / f->p->r && !solved; k += 20) {
    for (int i = 0; i < 20; i++) sweep(f, i % 2);
    out->sweeps += 20;
    cone_many_product(f);
    solved = cone_many_fault(f) <= cone_many_enough;
  }
  return solved;
}

cone_many_result cone_many_solve(cone_many* f, const cone_many_problem* p, double* x, double* w)
{
  assert(p->r <= f->r_max);
  cone_many_result out = {.solved = true};
  f->p = p;
  f->x = x;
  f->w = w;
  if (p->r == 0) return out;
  read_diagonal(f);
  cone_many_sort(f);
  out.solved = f->siconos && by_siconos(f, &out);
  for (int round = 0; round < most_rounds && !out.solved; round++) {
    const int sweeps = round ? more_sweeps : first_sweeps;
    for (int i = 0; i < sweeps; i++) sweep(f, i % 2);
    out.sweeps += sweeps;
    out.solved = cone_many_newton(f, round > 0, &out.turns);
  }
  if (!out.solved) out.solved = by_other_ways(f, &out);
  out.fault = cone_many_fault(f);
  return out;
}
