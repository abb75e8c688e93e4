// The parts of a branch along which motions are stable, or are not. Their borders are the special
// points between its points: a tongue that is narrower than a step has two of them between the same
// two points, both of which lie outside.
#include "out/branches.h"
#include "out/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// the param and the state of a motion, each over its span along the branch
typedef struct spans
{
  int n, places;
  double* over;
} spans;

static double entry(const spans* s, double value, const study_stability* r, int j)
{
  return j == 0 ? value : j <= s->places ? r->q[j - 1] : r->v[j - 1 - s->places];
}

static spans spans_of(const model* m, const study_path* p)
{
  spans s = {1 + m->places + m->coords, m->places, NULL};
  s.over = base_alloc(sizeof(double) * (size_t)s.n);
  double size = 0;
  for (int j = 1; j < s.n; j++)
    for (int i = 0; i < p->points; i++)
      size = fmax(size, fabs(entry(&s, p->value[i], p->point[i], j)));
  for (int j = 0; j < s.n; j++) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < p->points; i++) {
      const double x = entry(&s, p->value[i], p->point[i], j);
      low = fmin(low, x);
      high = fmax(high, x);
    }
    const double rounding = 1e-9 * (j ? size : fmax(fabs(low), fabs(high)));
    s.over[j] = high - low > rounding ? 1 / (high - low) : 0;
  }
  return s;
}

static double distance(const spans* s, const study_path* p, int i, const study_special* x)
{
  double sum = 0;
  for (int j = 0; j < s->n; j++)
    sum +=
        pow((entry(s, p->value[i], p->point[i], j) - entry(s, x->value, x->at, j)) * s->over[j], 2);
  return sqrt(sum);
}

static double step_of(const spans* s, const study_path* p, int i)
{
  const study_special next = {.value = p->value[i + 1], .at = p->point[i + 1]};
  return distance(s, p, i, &next);
}

// for each special point the point before it; those that change nothing have -1
static int* places_of(const model* m, const study_path* p)
{
  int* after = base_alloc(sizeof(int) * (size_t)(p->specials + 1));
  spans s = spans_of(m, p);
  int before = 0;
  for (int k = 0; k < p->specials; k++) {
    const study_special* x = &p->special[k];
    double least = INFINITY;
    after[k] = -1;
    if (!x->at || (x->before > 0) == (x->behind > 0)) continue;
    for (int i = before; i + 1 < p->points; i++) {
      const double way = distance(&s, p, i, x) + distance(&s, p, i + 1, x);
      const double off = way - step_of(&s, p, i);
      if (!(off < least)) continue;
      least = off;
      after[k] = i;
    }
    if (after[k] >= 0) before = after[k];
  }
  free(s.over);
  return after;
}

// what motions are where none of their eigenvalues tells that they are unstable: as next to there
static study_stability_verdict calm(const study_path* p, int i)
{
  for (int d = 0; d < p->points; d++)
    for (int side = 0; side < 2; side++) {
      const int k = side ? i + 1 + d : i - d;
      if (k >= 0 && k < p->points && p->point[k]->verdict != STUDY_UNSTABLE)
        return p->point[k]->verdict;
    }
  return STUDY_UNSTABLE;
}

// do the special points from k on, up to `end`, lead from what motions are at point i to what they
// are at the next?
static bool leads(const study_path* p, const int* after, int i, int k, int end)
{
  bool unstable = p->point[i]->verdict == STUDY_UNSTABLE;
  for (; k < end; k++) {
    if (after[k] < 0) continue;
    if ((p->special[k].before > 0) != unstable) return false;
    unstable = p->special[k].behind > 0;
  }
  return unstable == (p->point[i + 1]->verdict == STUDY_UNSTABLE);
}

typedef struct parts
{
  out_part* at;
  int n;
} parts;

static void begin(parts* list, study_stability_verdict v, double value, int i)
{
  list->at[list->n++] = (out_part){v, value, value, i, i - 1};
}

// the step from point i on, with the special points from k on, up to `end`, along it
static void pass(parts* list, const study_path* p, const int* after, int i, int k, int end)
{
  if (leads(p, after, i, k, end))
    for (; k < end; k++) {
      if (after[k] < 0) continue;
      const bool unstable = p->special[k].behind > 0;
      list->at[list->n - 1].to = p->special[k].value;
      begin(list, unstable ? STUDY_UNSTABLE : calm(p, i), p->special[k].value, i + 1);
    }
  if (list->at[list->n - 1].verdict != p->point[i + 1]->verdict)
    begin(list, p->point[i + 1]->verdict, p->value[i + 1], i + 1);
  out_part* last = &list->at[list->n - 1];
  last->to = p->value[i + 1];
  last->last = i + 1;
}

int out_branches_parts(const model* m, const study_path* p, out_part** out)
{
  int* after = places_of(m, p);
  parts list = {base_alloc(sizeof *list.at * (size_t)(p->points + p->specials + 1)), 0};
  begin(&list, p->point[0]->verdict, p->value[0], 0);
  list.at[0].last = 0;
  int k = 0;
  for (int i = 0; i + 1 < p->points; i++) {
    int end = k;
    while (end < p->specials && after[end] <= i) end++;
    pass(&list, p, after, i, k, end);
    k = end;
  }
  free(after);
  *out = list.at;
  return list.n;
}
