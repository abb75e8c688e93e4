// The values of a run from its number: lists, grids and samples.
#include "sweep/sweep.h"

#include <assert.h>
#include <math.h>

static bool has_samples(const sweep_plan* p)
{
  return p->sampling != SWEEP_NONE && p->samples > 0;
}

int64_t sweep_plan_runs(const sweep_plan* p)
{
  int64_t runs = has_samples(p) ? p->samples : 1;
  for (int i = 0; i < p->axes; i++) {
    if (p->axis[i].kind == SWEEP_SAMPLED) continue;
    if (__builtin_mul_overflow(runs, p->axis[i].count, &runs)) return -1;
  }
  return runs;
}

// Steele, Lea and Flood (2014), the finaliser of SplitMix: a bijection that mixes all bits
static uint64_t mix(uint64_t x)
{
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

// in (0, 1), from seed, sample and dimension alone
static double random_share(uint64_t seed, int64_t sample, int dimension)
{
  const uint64_t bits = mix(mix(mix(seed) ^ (uint64_t)sample) + (uint64_t)dimension);
  const double share = ((double)(bits >> 11) + 0.5) * 0x1p-53;
  // the very last one is rounded up
  return share < 1 ? share : 1 - 0x1p-53;
}

static double along_powers(const sweep_axis* a, double share)
{
  return a->from * exp(share * log(a->to / a->from));
}

// share 0 gives `from`, share 1 gives `to`, exactly
static double between(const sweep_axis* a, double share)
{
  if (share <= 0) return a->from;
  if (share >= 1) return a->to;
  return a->logarithmic ? along_powers(a, share) : a->from + share * (a->to - a->from);
}

// samples that are drawn at a time: so many stay at hand, and a known number goes by vectors
enum { block = 256 };

// the same of the shares of samples, which lie between the ends
static void stretch(const sweep_axis* a, double* share)
{
  // a share that is written may be anything that the axis holds: that is read once
  const double from = a->from, way = a->to - from;
  if (a->logarithmic)
    for (int k = 0; k < block; k++) share[k] = along_powers(a, share[k]);
  else
    for (int k = 0; k < block; k++) share[k] = from + share[k] * way;
}

static double value_at(const sweep_axis* a, int64_t i)
{
  if (a->kind == SWEEP_LIST) return a->value[i];
  const double last = (double)(a->count - 1), x = (double)i;
  if (a->logarithmic || i == 0 || x == last) return between(a, x / last);
  // so that values of few digits keep few digits
  return (a->from * (last - x) + a->to * x) / last;
}

// the samples of runs that follow each other, where nothing else is varied
static void draw(const sweep_plan* p, int64_t first, int count, double* value)
{
  double share[block] = {0};
  const int axes = p->axes;
  for (int from = 0; from < count; from += block, value += block * axes) {
    const int many = count - from < block ? count - from : block;
    const int64_t run = first + from;
    for (int i = 0; i < axes; i++) {
      if (p->sampling == SWEEP_SOBOL)
        sweep_sobol_many(i, (uint64_t)run, many, share);
      else
        for (int k = 0; k < many; k++) share[k] = random_share(p->seed, run + k, i);
      stretch(&p->axis[i], share);
      for (int k = 0; k < many; k++) value[k * axes + i] = share[k];
    }
  }
}

// the place of a run on each list and grid; of samples nothing
static int64_t find_places(const sweep_plan* p, int64_t run, int64_t* at)
{
  for (int i = p->axes - 1; i >= 0; i--) {
    const sweep_axis* a = &p->axis[i];
    if (a->kind == SWEEP_SAMPLED) continue;
    at[i] = run % a->count;
    run /= a->count;
  }
  return run; // the number of its sample
}

// runs of lists and grids that follow each other: places are counted on, as on a clock
static void count_on(const sweep_plan* p, int64_t first, int count, double* value)
{
  assert(p->axes <= SWEEP_MOST_AXES);
  int64_t at[SWEEP_MOST_AXES] = {0};
  find_places(p, first, at);
  for (int k = 0; k < count; k++, value += p->axes) {
    for (int i = 0; i < p->axes; i++) value[i] = value_at(&p->axis[i], at[i]);
    for (int i = p->axes - 1; i >= 0 && ++at[i] == p->axis[i].count; i--) at[i] = 0;
  }
}

void sweep_plan_points(const sweep_plan* p, int64_t first, int count, double* value)
{
  int sampled = 0;
  for (int i = 0; i < p->axes; i++) sampled += p->axis[i].kind == SWEEP_SAMPLED;
  if (!sampled && !has_samples(p)) {
    assert(first + count <= sweep_plan_runs(p));
    count_on(p, first, count, value);
  } else if (sampled == p->axes && has_samples(p)) {
    assert(first + count <= p->samples);
    draw(p, first, count, value);
  } else
    for (int i = 0; i < count; i++) sweep_plan_point(p, first + i, value + i * p->axes);
}

void sweep_plan_point(const sweep_plan* p, int64_t run, double* value)
{
  int64_t at[SWEEP_MOST_AXES] = {0};
  run = find_places(p, run, at);
  for (int i = 0; i < p->axes; i++)
    if (p->axis[i].kind != SWEEP_SAMPLED) value[i] = value_at(&p->axis[i], at[i]);
  assert(run < (has_samples(p) ? p->samples : 1));
  for (int i = 0, dimension = 0; i < p->axes; i++) {
    if (p->axis[i].kind != SWEEP_SAMPLED) continue;
    const double share = p->sampling == SWEEP_SOBOL ? sweep_sobol(dimension, (uint64_t)run)
                                                    : random_share(p->seed, run, dimension);
    value[i] = between(&p->axis[i], share);
    dimension++;
  }
}
