// Two coordinates without an ignorable one: the second tensor and the surface it makes, or the map
// by least squares, whichever is better.
#include <math.h>
#include <string.h>

#include "geom/codazzi.h"
#include "geom/embedding.h"

static const double works = 1e-6;   // a map in numbers works when its metric is right to this part
static const double hopeful = 1e-2; // residual of b from which the surface is worth integrating
enum { BOXES = 4 };

static void patch_slope(const void* map, const double* q, double* dx)
{
  geom_patch_eval(map, q, NULL, dx, NULL);
}

static double error_of(const geom_embedding* e, const geom_patch* p)
{
  return geom_isometry_error(e->s, p, patch_slope, 3, p->low, p->high, 41);
}

static const char* kind_of(const geom_second* b)
{
  if (b->least > 0) return "positive: elliptic equations";
  if (b->most < 0) return "negative: hyperbolic equations";
  return "of both signs: equations of mixed type";
}

// what was found of the second tensor, in words
static void tell(geom_embedding* e, const geom_second* b, double error, double apart)
{
  geom_embedding_note(e, "the curvature is %s; between %.4g and %.4g on the region", kind_of(b),
                      b->least, b->most);
  geom_embedding_note(e,
                      "Gauss's and Codazzi's equations hold to %.1e for the second tensor found "
                      "(degree %d); the surface integrated from it has a metric right to %.1e, two "
                      "ways to its corners end %.1e apart",
                      b->residual, b->b.degree, error, apart);
}

// Both roads, the better surface taken: the map by least squares, and the second tensor (near that
// of the map where there is one) with the derivational formulas.
static bool on_box(geom_embedding* e, const double* low, const double* high, double* least)
{
  double work = geom_embedding_work(e);
  const geom_isometry fit = geom_embedding_fit(e, 3, low, high, NULL, &work);
  const bool near = fit.error < 1e-3;
  geom_second b = {0};
  geom_patch x = {0};
  double apart = 0, error = NAN;
  if (geom_second_find(e->s, e->arena, low, high, near ? &fit.patch : NULL, e->thorough ? 18 : 10,
                       1e-10, &b) &&
      b.residual < hopeful &&
      geom_second_surface(e->s, e->arena, &b, low, high, b.b.degree + 4, &x, &apart))
    error = error_of(e, &x);
  const bool second = error < fit.error || isnan(fit.error);
  *least = fmin(*least, second ? error : fit.error);
  if (!((second ? error : fit.error) < works)) return false;
  if (isfinite(error)) tell(e, &b, error, apart);
  if (isfinite(error) && !second)
    geom_embedding_note(e, "the map below is that of least squares on its metric, which is better");
  return geom_embedding_patch(e, second ? &x : &fit.patch, second ? error : fit.error, "a surface");
}

bool geom_surface_find(geom_embedding* e)
{
  double *low = geom_take(e->arena, 2, sizeof(double)),
         *high = geom_take(e->arena, 2, sizeof(double));
  memcpy(low, e->low, 2 * sizeof *low);
  memcpy(high, e->high, 2 * sizeof *high);
  double least = INFINITY;
  for (int i = 0; i < BOXES; i++) {
    double *l = geom_take(e->arena, 4, sizeof(double)), *h = l + 2;
    memcpy(l, low, 2 * sizeof *l);
    memcpy(h, high, 2 * sizeof *h);
    if (on_box(e, l, h, &least)) {
      if (i) geom_embedding_note(e, "on a part of the region only, around the point");
      e->low = l;
      e->high = h;
      return true;
    }
    geom_embedding_shrink(e, low, high);
  }
  geom_embedding_note(e, "no surface found: least error of its metric %.2g", least);
  return false;
}
