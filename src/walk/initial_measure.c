// What unknowns and equations of an initial state are measured by.
//
// Places and velocities are as long as the kinetic energy of such a displacement or velocity says
// (engine/weights.c): of all states that the equations admit the nearest in this measure is taken,
// whatever units the model is written in. What belongs together has one size, X = max_j sqrt(m_j)
// |x_j| over the guesses; unknown j is then of the size X/sqrt(m_j), and equation i of the size
// sum_j |J_ij| X/sqrt(m_j).
#include "walk/initial.h"

#include <float.h>
#include <math.h>

enum { most_parts = 200 };
// roundings of an equation, in those of its terms
static const double rounding_of_terms = 64 * DBL_EPSILON;

// the size of what an expression adds up: |terms| in the place of the terms of its sums
static double size_of_terms(engine* e, expr f, int* parts)
{
  const expr_pool* p = e->s->pool;
  const expr_kind kind = expr_kind_of(p, f);
  if (++*parts > most_parts || (kind != EXPR_SUM && kind != EXPR_PRODUCT))
    return fabs(engine_value(e, f));
  double all = kind == EXPR_PRODUCT;
  for (int i = 0; i < expr_arg_count(p, f); i++) {
    const double part = size_of_terms(e, expr_arg(p, f, i), parts);
    all = kind == EXPR_SUM ? all + part : all * part;
  }
  return all;
}

// met but for the rounding of its terms, an equation tells no size
static bool is_rounding(const walk_initial* p, int i)
{
  const double off = fabs(p->out[i]);
  return off > 0 && off <= rounding_of_terms * size_of_terms(p->e, p->eq[i].f, &(int){0});
}

// how far the equations of one kind are from being met: |F_i| over the length of its row; the
// largest in each group that has no size yet
static void size_by_equations(walk_initial* p, int order, double* size)
{
  const engine* e = p->e;
  const int n = e->n, n2 = 2 * n;
  const int* group = e->scales->of.group;
  double* most = base_arena_take(e->arena, sizeof(double) * (size_t)(n + 1));
  code_run(p->kernel, e->in, p->out, p->scratch);
  for (int i = 0; i < p->count && !e->sparse; i++) {
    const double* J = p->out + p->count + i * n2 + order * n;
    double mobility = 0;
    int first = -1;
    for (int j = n - 1; j >= 0; j--) {
      if (J[j] == 0 || size[j] > 0 || !(e->work.mass[j] > 0)) continue;
      mobility += J[j] * J[j] / e->work.mass[j];
      first = j;
    }
    const double off = first >= 0 && !is_rounding(p, i) ? fabs(p->out[i]) / sqrt(mobility) : 0;
    if (isfinite(off) && first >= 0) most[group[first]] = fmax(most[group[first]], off);
  }
  for (int j = 0; j < n; j++)
    if (!(size[j] > 0) && e->work.mass[j] > 0) size[j] = most[group[j]] / sqrt(e->work.mass[j]);
}

static double power_of_two(double x)
{
  int exponent;
  frexp(x, &exponent);
  return ldexp(1, exponent);
}

// Sizes of two kinds, of places and velocities. Where nothing tells them: one; of velocities, that
// places change within the run.
void walk_initial_measure(walk_initial* p)
{
  engine* e = p->e;
  const int n = e->n;
  p->size = base_arena_take(e->arena, sizeof(double) * (size_t)(2 * n + 1));
  p->metric = base_arena_take(e->arena, sizeof(double) * (size_t)(2 * n + 1));
  p->scale = base_arena_take(e->arena, sizeof(double) * (size_t)(p->count + 1));
  for (int order = 0; order < 2; order++) {
    double* size = p->size + order * n;
    engine_sizes(e, order ? e->v : e->q, size);
    size_by_equations(p, order, size);
    for (int j = 0; j < n; j++) {
      const double span = e->scales->span > 0 ? e->scales->span : 1;
      if (!(size[j] > 0) || !isfinite(size[j])) size[j] = order ? p->size[j] / span : 1;
    }
  }
  for (int i = 0; i < 2 * n; i++) {
    const double rounded = power_of_two(p->size[i]);
    p->metric[i] = p->weight[i] * (rounded / p->size[i]);
    p->size[i] = rounded;
  }
  for (int i = 0; i < p->count; i++) p->scale[i] = walk_initial_terms(p, i);
}
