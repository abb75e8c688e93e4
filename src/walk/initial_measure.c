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
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { most_parts = 200 };
// numbers that are kept on the stack: short runs would take them from the heap again and again
enum { most_few = 64 };
// roundings of an equation, in those of its terms
static const double rounding_of_terms = 64 * DBL_EPSILON;

// What the sums and products of the equations are made of: values, and how they are put together.
typedef struct terms
{
  code_kernel* values; // null: some have none
  // each in front of its parts: n for a sum of n, -n for a product of n, 0 for a value
  BASE_LIST(int) shape;
  BASE_LIST(expr) part;
} terms;

static void release(void* thing)
{
  terms* x = thing;
  code_free(x->values);
  base_list_free(&x->shape);
  base_list_free(&x->part);
  free(x);
}

static void take_apart(const expr_pool* p, expr f, int most, terms* x)
{
  const expr_kind kind = expr_kind_of(p, f);
  const bool split = x->shape.n < most && (kind == EXPR_SUM || kind == EXPR_PRODUCT);
  const int count = split ? expr_arg_count(p, f) : 0;
  base_push(&x->shape, kind == EXPR_SUM ? count : -count);
  if (!split) base_push(&x->part, f);
  for (int i = 0; i < count; i++) take_apart(p, expr_arg(p, f, i), most, x);
}

static terms* make(const walk_initial* p)
{
  const engine_program* program = p->e->program;
  expr_pool* pool = program->s->pool;
  terms* x = base_alloc(sizeof *x);
  for (int i = 0; i < p->count; i++) take_apart(pool, p->eq[i].f, x->shape.n + most_parts, x);
  expr_substitute_all(pool, x->part.n, x->part.at, program->fixed, program->fixed_from,
                      program->fixed_to, x->part.at);
  bool defined = true;
  for (int i = 0; i < x->part.n; i++) defined = defined && x->part.at[i] != EXPR_NONE;
  if (defined)
    x->values =
        code_build(pool, x->part.n, x->part.at, program->inputs, program->input, &(expr){0});
  return x;
}

static const terms* terms_of(const walk_initial* p)
{
  engine* e = p->e;
  walk_initial_words by;
  const base_key key = walk_initial_key(p, "terms", &by);
  void* found;
  base_kept_open(e->s->kept);
  if (!base_kept_find(e->s->kept, key, &found)) {
    found = make(p);
    engine_keep(e, key, found, release);
  }
  base_kept_unlock(e->s->kept);
  walk_initial_key_end(&by);
  return found;
}

// the size of what is added up: |terms| in the place of the terms of sums
static double size_of(const int** shape, const double** value)
{
  const int count = *(*shape)++;
  if (!count) return fabs(*(*value)++);
  double all = count < 0;
  for (int i = 0; i < abs(count); i++) {
    const double part = size_of(shape, value);
    all = count > 0 ? all + part : all * part;
  }
  return all;
}

// of each equation; noughts where one has no value
static void sizes_of_terms(const walk_initial* p, double* size)
{
  const terms* x = terms_of(p);
  if (!x->values) return;
  const size_t parts = (size_t)x->part.n, room = parts + code_scratch(x->values) + 1;
  _Alignas(64) double few[most_few];
  double* value = room > most_few ? base_alloc(sizeof *value * room) : few;
  code_run(x->values, p->e->in, value, value + parts);
  const int* shape = x->shape.at;
  const double* at = value;
  for (int i = 0; i < p->count; i++) size[i] = size_of(&shape, &at);
  if (value != few) free(value);
}

// How far the equations are from being met; met but for the rounding of its terms, one tells no
// size.
static double* misses(const walk_initial* p)
{
  double* off = base_arena_take(p->e->arena, sizeof(double) * (size_t)(2 * p->count + 1));
  double* largest = off + p->count;
  bool any = false;
  for (int i = 0; i < p->count; i++) {
    off[i] = fabs(p->out[i]);
    any = any || off[i] > 0;
  }
  if (any) sizes_of_terms(p, largest);
  for (int i = 0; i < p->count; i++)
    if (off[i] <= rounding_of_terms * largest[i]) off[i] = 0;
  return off;
}

// miss: how far the equations are from being met, null: not told. That over the length of the row
// of one kind; the largest in each group that has no size yet
static void size_by_equations(walk_initial* p, const double* miss, int order, double* size)
{
  const engine* e = p->e;
  const int n = e->n, n2 = 2 * n;
  const int* group = e->scales->of.group;
  double* most = base_arena_take(e->arena, sizeof(double) * (size_t)(n + 1));
  for (int i = 0; miss && i < p->count; i++) {
    const double* J = p->out + p->count + i * n2 + order * n;
    double mobility = 0;
    int first = -1;
    for (int j = n - 1; j >= 0; j--) {
      if (J[j] == 0 || size[j] > 0 || !(e->work.mass[j] > 0)) continue;
      mobility += J[j] * J[j] / e->work.mass[j];
      first = j;
    }
    const double off = first >= 0 ? miss[i] / sqrt(mobility) : 0;
    if (isfinite(off) && first >= 0) most[group[first]] = fmax(most[group[first]], off);
  }
  for (int j = 0; j < n; j++)
    if (!(size[j] > 0) && e->work.mass[j] > 0) size[j] = most[group[j]] / sqrt(e->work.mass[j]);
}

// the least above x > 0, by the bits of the exponent where that has all its digits
static double power_of_two(double x)
{
  const uint64_t exponents = (uint64_t)0x7ff << 52;
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits &= exponents;
  if (bits) {
    double below;
    memcpy(&below, &bits, sizeof below);
    return 2 * below;
  }
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
  if (!p->fresh) code_run(p->kernel, e->in, p->out, p->scratch);
  const double* miss = e->sparse ? NULL : misses(p);
  for (int order = 0; order < 2; order++) {
    double* size = p->size + order * n;
    engine_sizes(e, order ? e->v : e->q, size);
    size_by_equations(p, miss, order, size);
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
