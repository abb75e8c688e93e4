// Three and more coordinates: the smallest number of dimensions that works. Formulas first, then
// maps in numbers where they may need fewer.
#include <math.h>

#include "geom/embedding.h"

enum { BOXES = 4 };

double geom_embedding_work(const geom_embedding* e)
{
  return e->thorough ? 6e11 : 1.5e11;
}

// what is known of fewer dimensions than N; `tried`: maps in numbers were looked for
static void tell_fewer(geom_embedding* e, int first, bool tried)
{
  if (e->N <= first)
    geom_embedding_note(e, "fewer than %d dimensions do not suffice", e->N);
  else if (tried)
    geom_embedding_note(e, "fewer than %d dimensions are not excluded, but no such map was found",
                        e->N);
  else
    geom_embedding_note(e, "fewer than %d dimensions are not excluded%s", e->N,
                        e->thorough || e->n > GEOM_FIT ? ""
                                                       : "; --embed looks for a map in numbers");
}

// maps in numbers from `first` dimensions on, fewer than `before`, each with its share of the work
static bool fit_dimensions(geom_embedding* e, const geom_gauss* g, int first, int before, int boxes)
{
  double left = geom_embedding_work(e);
  for (int N = first; N < before && left > 0; N++) {
    const double share = left / (before - N);
    double work = share;
    if (geom_embedding_fit_somewhere(e, N, boxes, N == e->n + 1 ? g->b : NULL,
                                     N == e->n + 1 ? "a hypersurface" : "a submanifold", &work))
      return true;
    left -= share - work;
  }
  return false;
}

// a formula of many dimensions stays where no map in numbers does for the whole region
static bool improve(geom_embedding* e, const geom_gauss* g, int first)
{
  const int most = e->n * (e->n + 1) / 2, written = e->N;
  const bool worth = e->thorough && e->n <= GEOM_FIT && written > first;
  if (!worth) {
    tell_fewer(e, first, false);
    return true;
  }
  expr* x = e->x;
  e->N = 0;
  e->x = NULL;
  const int before = written <= most ? written : most + 1;
  if (!fit_dimensions(e, g, first, before, 1)) {
    e->x = x;
    geom_natural_find(e);
  }
  tell_fewer(e, first, true);
  return true;
}

bool geom_dimensions_find(geom_embedding* e)
{
  const geom_gauss g = geom_gauss_solve(e);
  const int first = g.verdict == GEOM_GAUSS_NONE ? e->n + 2 : e->n + 1;
  const bool formulas = !e->s->chart;
  if ((formulas &&
       (geom_chain_find(e) || geom_embedding_natural(e, first) || geom_split_find(e))) ||
      (g.verdict == GEOM_GAUSS_UNIQUE && geom_frame_find(e, false))) {
    tell_fewer(e, first, false);
    return true;
  }
  if (formulas && geom_natural_find(e)) return improve(e, &g, first);
  const int most = e->n * (e->n + 1) / 2;
  if (e->n <= GEOM_FIT && fit_dimensions(e, &g, first, most + 1, BOXES)) {
    tell_fewer(e, first, true);
    return true;
  }
  geom_embedding_note(e,
                      "every analytic metric of %d coordinates has a map near a point into %d "
                      "dimensions (Janet, Cartan)%s",
                      e->n, most,
                      e->n > GEOM_FIT ? "; maps in numbers are not tried for so many" : "");
  return false;
}
