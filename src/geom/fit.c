// Maps fitted by least squares: where they start, how far they go, in how many dimensions.
#include <math.h>
#include <string.h>

#include "geom/embedding.h"
#include "num/num.h"

// A map works when its metric is right to this part and the error still falls with the degree: on a
// box that is small enough any map comes close, but in too few dimensions the error has a floor.
static const double works = 1e-6, certain = 1e-9;
static const double falling = 0.1,
                    floor_of = 0.4; // error of a degree against that of the one before
enum { STARTS = 2 };

// ---- the start ----------------------------------------------------------------------------------

// the monomials u_a u_b of a coefficient put into the basis: u = half xi
static void add_quadratic(geom_patch* p, int k, const double* half, int a, int b, double value)
{
  for (int i = 0; i < p->basis; i++) {
    int total = 0, fits = 1;
    for (int j = 0; j < p->n; j++) {
      const int want = (j == a) + (j == b);
      total += p->power[i * p->n + j];
      fits &= p->power[i * p->n + j] == want;
    }
    // xi^2 = (1 + T_2)/2
    if (fits && total == 2)
      p->c[k * p->basis + i] += value * half[a] * half[b] * (a == b ? 0.5 : 1);
  }
}

static double uniform(uint64_t* seed)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

// Second tensors of the normals at the middle: the one of Gauss's equations where known; for two
// coordinates k1 in one direction and K/k1 in the other; else of the right size at random.
static void bend_start(geom_patch* p, const geom_numbers* r, const double* L, const double* half,
                       const double* b, uint64_t seed)
{
  const int n = p->n;
  double size = 0;
  for (int k = 0; k < geom_pairs(n); k++) size = fmax(size, fabs(r->sectional[k]));
  const double k1 = sqrt(size + 0.1 / (1 + size)), k2 = n == 2 ? r->sectional[0] / k1 : 0;
  for (int k = n; k < p->N; k++)
    for (int i = 0; i < n; i++)
      for (int j = i; j < n; j++) {
        double value = 0;
        if (b && k == n)
          value = b[i * n + j];
        else if (n == 2)
          value = k == n ? k1 * L[i * n] * L[j * n] + k2 * L[i * n + 1] * L[j * n + 1] : 0;
        else
          value = sqrt(r->g[i * n + i] * r->g[j * n + j]) * sqrt(size) * uniform(&seed);
        add_quadratic(p, k, half, i, j, (i == j ? 0.5 : 1) * value);
      }
}

// x = L^T (u + Gamma u u/2) + normals, of degree 2
static bool start(const geom_embedding* e, geom_patch* p, const double* b, uint64_t seed)
{
  const int n = p->n;
  double *middle = geom_take(e->arena, 2 * n + n * n, sizeof(double)), *half = middle + n;
  double* L = half + n;
  for (int i = 0; i < n; i++) {
    middle[i] = (p->low[i] + p->high[i]) / 2;
    half[i] = (p->high[i] - p->low[i]) / 2;
  }
  geom_place* at = geom_place_make(e->s, middle);
  const bool fine = at && at->at->regular;
  if (fine) {
    const geom_numbers* r = at->at;
    memcpy(L, r->g, sizeof(double) * (size_t)(n * n));
    num_cholesky(n, L, 0);
    for (int i = 0; i < n; i++)
      for (int j = i + 1; j < n; j++) L[i * n + j] = 0;
    for (int k = 0; k < n; k++) {
      // the linear basis functions stand behind the constant, in the order of the powers
      for (int i = 1; i <= n; i++)
        for (int a = 0; a < n; a++)
          if (p->power[i * n + a] == 1) p->c[k * p->basis + i] += L[a * n + k] * half[a];
      for (int a = 0; a < n; a++)
        for (int c = a; c < n; c++) {
          double sum = 0;
          for (int d = 0; d < n; d++) sum += L[d * n + k] * r->second[(d * n + a) * n + c];
          add_quadratic(p, k, half, a, c, (a == c ? 0.5 : 1) * sum);
        }
    }
    bend_start(p, r, L, half, b, seed);
  }
  geom_place_free(at);
  return fine;
}

// ---- boxes --------------------------------------------------------------------------------------

void geom_embedding_shrink(const geom_embedding* e, double* low, double* high)
{
  for (int i = 0; i < e->n; i++) {
    double here = (low[i] + high[i]) / 2;
    for (int k = 0; k < e->s->symbols; k++)
      if (e->s->symbol[k] == e->s->q[i]) here = e->s->value[k];
    here = fmin(fmax(here, low[i]), high[i]);
    low[i] = here + (low[i] - here) / 2;
    high[i] = here + (high[i] - here) / 2;
  }
}

// the highest degree that is worth its work
static int most_degree(const geom_embedding* e)
{
  if (e->n <= 2) return e->thorough ? 26 : 20;
  if (e->n == 3) return e->thorough ? 10 : 8;
  return e->n == 4 ? 6 : 5;
}

// from the start of that number
static geom_isometry fit_from(geom_embedding* e, int N, const double* low, const double* high,
                              const double* b, int number, double* work)
{
  geom_patch p = geom_patch_take(e->arena, e->n, N, e->n <= 3 ? 4 : 3, low, high);
  geom_isometry r = {.error = NAN, .before = NAN};
  if (!start(e, &p, b, 11 + 1000 * (uint64_t)number)) return r;
  return geom_isometry_find(e->s, e->arena, &p, most_degree(e),
                            e->n > 2      ? 1e-9
                            : e->thorough ? 1e-12
                                          : 5e-12,
                            work);
}

geom_isometry geom_embedding_fit(geom_embedding* e, int N, const double* low, const double* high,
                                 const double* b, double* work)
{
  return fit_from(e, N, low, high, b, 0, work);
}

// an error that does not fall with the degree is a floor, no truncation
static bool has_floor(const geom_isometry* r)
{
  return !(r->error < floor_of * r->before) && !isnan(r->before);
}

static bool is_map(const geom_isometry* r)
{
  return r->error < certain || (r->error < works && r->error < falling * r->before);
}

// on the box, or on ever smaller ones around the point
bool geom_embedding_fit_somewhere(geom_embedding* e, int N, int boxes, const double* b,
                                  const char* how, double* work)
{
  const size_t bytes = sizeof(double) * (size_t)e->n;
  double *low = geom_take(e->arena, 2 * e->n, sizeof(double)), *high = low + e->n;
  memcpy(low, e->low, bytes);
  memcpy(high, e->high, bytes);
  double best = INFINITY;
  bool stopped = false;
  for (int i = 0; i<boxes&& * work> 0; i++) {
    double *l = geom_take(e->arena, 2 * e->n, sizeof(double)), *h = l + e->n;
    memcpy(l, low, bytes);
    memcpy(h, high, bytes);
    // a floor is believed from two starts
    geom_isometry r = fit_from(e, N, l, h, b, 0, work);
    for (int k = 1; k < STARTS && !is_map(&r) && has_floor(&r) && e->n > 2 && *work > 0; k++) {
      const geom_isometry again = fit_from(e, N, l, h, b, k, work);
      if (again.error < r.error) r = again;
    }
    if (is_map(&r)) {
      if (i) geom_embedding_note(e, "on a part of the region only, around the point");
      e->low = l;
      e->high = h;
      return geom_embedding_patch(e, &r.patch, r.error, how);
    }
    best = fmin(best, r.error);
    stopped = r.error < 1e-2 && has_floor(&r) && *work > 0;
    if (stopped) break;
    geom_embedding_shrink(e, low, high);
  }
  geom_embedding_note(e, "no map into %d dimensions found: least error of the metric %.2g%s", N,
                      best,
                      stopped      ? ", which does not fall with the degree, from two starts"
                      : *work <= 0 ? ", when the work allowed was done"
                                   : "");
  return false;
}
