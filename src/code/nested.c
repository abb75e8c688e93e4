// Sums within sums: along a chain each sum holds the one before.
#include "code/nested.h"

#include <stdlib.h>

static int by_whole(const void* a, const void* b)
{
  const code_nested *x = a, *y = b;
  return (x->whole > y->whole) - (x->whole < y->whole);
}

bool code_nested_is_next(const expr_pool* p, expr term, expr part, int k)
{
  return k < expr_arg_count(p, part) &&
         expr_unnumbered(p, term) == expr_unnumbered(p, expr_arg(p, part, k));
}

// do the terms stand in the same order in both?
static bool in_order(const expr_pool* p, expr whole, expr part)
{
  int k = 0;
  for (int i = 0; i < expr_arg_count(p, whole); i++)
    k += code_nested_is_next(p, expr_arg(p, whole, i), part, k);
  return k == expr_arg_count(p, part);
}

// above / below as a number; 0 where that has no exact sum
static double ratio(const expr_pool* p, bool exact, const expr_part* x)
{
  if (x->above == x->below) return 1;
  const base_wide a = expr_number_wide(p, x->above), b = expr_number_wide(p, x->below);
  if (a.hi == -b.hi && a.lo == -b.lo) return -1;
  return exact ? 0 : a.hi / b.hi;
}

void code_nested_find(const expr_pool* p, bool exact, int count, const expr* out,
                      code_nested_sums* sums)
{
  expr* sum = NULL;
  const int n = expr_sums_within(p, count, out, &sum);
  expr_part* inner = base_alloc((size_t)n * sizeof *inner + 1);
  expr_parts(p, n, sum, inner);
  for (int i = 0; i < n; i++) {
    const double by = inner[i].sum >= 0 ? ratio(p, exact, &inner[i]) : 0;
    if (by == 0 || !in_order(p, sum[i], sum[inner[i].sum])) continue;
    base_push(sums, (code_nested){sum[i], sum[inner[i].sum], by});
  }
  if (sums->n) qsort(sums->at, (size_t)sums->n, sizeof *sums->at, by_whole);
  free(inner);
  free(sum);
}

const code_nested* code_nested_in(const code_nested_sums* sums, expr whole)
{
  const code_nested key = {.whole = whole};
  return sums->n ? bsearch(&key, sums->at, (size_t)sums->n, sizeof key, by_whole) : NULL;
}
