// The values of all jumps at which the motion stands, as one problem.
//
// With the rates w = r + G sigma of their switching functions (second ones where these count),
//   w_i > 0 with sigma_i = 1,  w_i < 0 with sigma_i = -1,  w_i = 0 with any between
// is, by z = 1 - sigma and w = w+ - w-, the linear complementarity problem
//   w+ = -G z + w- + r + G 1 >= 0,  z >= 0;    2 - z >= 0,  w- >= 0.
// For frictions G = -E W D with W symmetric and not negative, E and D diagonal and positive: sigma
// in units of c_j, c_j/c_i = G_ij/G_ji, has a symmetric matrix, and Lemke's method ends with an
// answer (Cottle, Pang and Stone, The Linear Complementarity Problem (1992), 4.4.11). Where forces
// are not affine in the values the problem is made anew about the answer.
#include "contact/beside.h"
#include "contact/contact.h"
#include "contact/corners.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_turns = 8 };
// each moment that shows nothing is followed by one so many times as far
static const double further = 30;

typedef struct box
{
  engine* e;
  int count;
  const int* corner;
  double *G, *r, *noise; // w = r + G sigma, and what is nothing of w
  double *c, *B, *q, *z; // units; the problem
  cone_lcp* lcp;
} box;

static int rates_at(box* b, const double* sigma, double* w)
{
  engine* e = b->e;
  for (int k = 0; k < b->count; k++) e->side[b->corner[k]] = sigma[k];
  e->factored = false;
  if (contact_corner_accelerations(e)) return 1;
  engine_corner_rates(e);
  for (int k = 0; k < b->count; k++)
    w[k] = e->work.switching[e->program->modes.count + b->corner[k]];
  return 0;
}

// r and G about the values given, which stay; the rates there into w
static int linearise(box* b, double* sigma, double* w)
{
  const int n = b->count;
  double* there = b->q;
  if (rates_at(b, sigma, w)) return 1;
  for (int j = 0; j < n; j++) {
    const double kept = sigma[j], by = kept > 0 ? -1 : 1;
    sigma[j] += by;
    if (rates_at(b, sigma, there)) return 1;
    sigma[j] = kept;
    for (int i = 0; i < n; i++) b->G[i * n + j] = (there[i] - w[i]) / by;
  }
  for (int i = 0; i < n; i++) {
    double size = fabs(w[i]);
    b->r[i] = w[i];
    for (int j = 0; j < n; j++) {
      b->r[i] -= b->G[i * n + j] * sigma[j];
      size += fabs(b->G[i * n + j]);
    }
    b->noise[i] = engine_noise_force * size;
    for (int j = 0; j < n; j++)
      if (fabs(b->G[i * n + j]) <= engine_no_jump * size) b->G[i * n + j] = 0;
  }
  return 0;
}

// units of the values by which the matrix is symmetric, as far as it can be
static void find_units(box* b)
{
  const int n = b->count;
  for (int i = 0; i < n; i++) b->c[i] = 0;
  for (int first = 0; first < n; first++) {
    if (b->c[first] > 0) continue;
    b->c[first] = 1;
    for (bool found = true; found;) {
      found = false;
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n && b->c[i] > 0; j++) {
          const double ratio = b->G[i * n + j] / b->G[j * n + i];
          if (b->c[j] > 0 || !(ratio > 0) || !isfinite(ratio)) continue;
          b->c[j] = b->c[i] * ratio;
          found = true;
        }
    }
  }
  // each by what it does to its own rate
  for (int i = 0; i < n; i++) {
    const double own = fabs(b->G[i * n + i]) / b->c[i];
    b->z[i] = own > 0 ? sqrt(own) : 1;
  }
}

// sigma from the linear problem; false where none is found
static bool solve(box* b, double* sigma)
{
  const int n = b->count, size = 2 * n;
  double *B = b->B, *q = b->q, *unit = b->z + size;
  find_units(b);
  memcpy(unit, b->z, sizeof(double) * (size_t)n);
  memset(B, 0, sizeof(double) * (size_t)(size * size));
  double most = 0;
  for (int i = 0; i < n; i++) {
    q[i] = b->r[i];
    for (int j = 0; j < n; j++) {
      B[i * size + j] = -b->G[i * n + j] / (b->c[j] * unit[i] * unit[j]);
      q[i] += b->G[i * n + j];
    }
    q[i] /= unit[i];
    B[i * size + n + i] = 1;
    B[(n + i) * size + i] = -1;
    q[n + i] = 2 * b->c[i] * unit[i];
    most = fmax(most, fmax(fabs(q[i]), q[n + i]));
  }
  for (int i = 0; i < size && most > 0; i++) q[i] /= most;
  if (cone_lcp_lemke(b->lcp, size, B, q, b->z) != CONE_LCP_SOLVED) return false;
  for (int i = 0; i < n; i++) {
    const double z = b->z[i] * most / (b->c[i] * unit[i]);
    sigma[i] = fmax(-1, fmin(1, 1 - z));
  }
  return true;
}

// are these values those of the rates to which they lead?
static bool fits(const box* b, const double* sigma, const double* w)
{
  for (int i = 0; i < b->count; i++) {
    const bool up = w[i] > b->noise[i], down = w[i] < -b->noise[i];
    if ((up && sigma[i] < 1 - engine_at_limit) || (down && sigma[i] > -1 + engine_at_limit))
      return false;
  }
  return true;
}

static bool answer(box* b, double* sigma, double* w)
{
  for (int turn = 0; turn < most_turns; turn++) {
    if (linearise(b, sigma, w)) return false;
    if (turn > 0 && fits(b, sigma, w)) return !rates_at(b, sigma, w);
    if (!solve(b, sigma)) return false;
  }
  return false;
}

// Values of these jumps, none of which is held, and the rates to which they lead; noise: what is
// nothing of them. Their values, as given, are where the search begins. The sides and accelerations
// are those found. False where none are.
static bool solve_box(engine* e, int count, const int* corner, double* sigma, double* w,
                      double* noise)
{
  const size_t n = (size_t)count;
  if (e->unilateral && e->unilateral->beside)
    return contact_beside_box(e, count, corner, sigma, w, noise);
  double* memory = base_alloc(sizeof(double) * (n * n + 2 * n + 4 * n * n + 5 * n + 1));
  box b = {.e = e, .count = count, .corner = corner, .G = memory, .noise = noise};
  b.r = b.G + n * n;
  b.c = b.r + n;
  b.B = b.c + n;
  b.q = b.B + 4 * n * n;
  b.z = b.q + 2 * n;
  b.lcp = cone_lcp_new(2 * count);
  const bool found = answer(&b, sigma, w);
  cone_lcp_free(b.lcp);
  free(memory);
  return found;
}

// ---- the next moment ----------------------------------------------------------------------------

static bool is_slipping(double rate, double noise)
{
  return fabs(rate) > noise;
}

// At its bound, and nothing moves yet. Where friction in space begins to slip with it the bound of
// that tells its direction, and so what is left for a jump, by the root of its own error only.
static bool is_open(const contact_jumps* j, double value, double rate, double noise)
{
  const double limit = j->beside_slip ? engine_near_limit : engine_at_limit;
  return !is_slipping(rate, noise) && fabs(value) >= 1 - limit;
}

// Does one of those that are open show what becomes of it, and do the others rest? Those that begin
// to slip together do so at rates of their own, and what is nothing of one is not that of another:
// while one is below that, and yet more than rounding, it cannot be told from rest.
static bool shows(const contact_jumps* j)
{
  bool any = false, clear = true;
  for (int k = 0; k < j->count; k++) {
    if (!is_open(j, j->value[k], j->rate[k], j->noise[k])) continue;
    const bool open = is_open(j, j->later[k], j->later_rate[k], j->noise[k]);
    any = any || !open;
    clear = clear && !(open && fabs(j->later_rate[k]) > engine_clearly_rests * j->noise[k]);
  }
  return any && clear;
}

// Where a value is at its bound and nothing moves yet the next moment tells: the same problem
// there, from the accelerations found, and later where what rests shows nothing. False: it has no
// answer.
static bool look_ahead(engine* e, contact_jumps* j)
{
  const double span = e->scales->span > 0 ? e->scales->span : 1, last = engine_look_ahead * span;
  const size_t values = sizeof(double) * (size_t)j->count;
  bool open = false, found = true;
  memcpy(j->later, j->value, values);
  memcpy(j->later_rate, j->rate, values);
  for (int k = 0; k < j->count; k++)
    open = open || is_open(j, j->value[k], j->rate[k], j->noise[k]);
  if (!open) return true;
  double* kept = base_alloc(sizeof(double) * (size_t)(e->program->inputs + j->count + e->n));
  double *noise = kept + e->program->inputs, *a = noise + j->count;
  memcpy(kept, e->in, sizeof(double) * (size_t)e->program->inputs);
  memcpy(a, e->a, sizeof(double) * (size_t)e->n);
  double h = fmin(last, engine_look_ahead * engine_scale_quick(e));
  for (bool more = true; more && found; h = fmin(last, further * h)) {
    engine_glide(e, h, a);
    memcpy(j->later, j->value, values);
    found = solve_box(e, j->count, j->corner, j->later, j->later_rate, noise);
    memcpy(e->in, kept, sizeof(double) * (size_t)e->program->inputs);
    more = !shows(j) && h < last;
  }
  e->factored = false;
  free(kept);
  return found;
}

// sides as they were found; those that begin to slip have let go
void contact_jumps_take(engine* e, const contact_jumps* j, bool* stuck)
{
  for (int k = 0; k < j->count; k++) {
    const int i = j->corner[k];
    const bool now = is_slipping(j->rate[k], j->noise[k]),
               soon = !now && is_slipping(j->later_rate[k], j->noise[k]);
    stuck[k] = !now && !soon;
    e->side[i] = now    ? (j->rate[k] > 0 ? 1 : -1)
                 : soon ? (j->later_rate[k] > 0 ? 1 : -1)
                        : j->later[k];
    if (soon) e->mode.standing[i] = ENGINE_LETS_GO;
  }
}

bool contact_jumps_solve(engine* e, contact_jumps* j)
{
  j->beside_slip = e->unilateral && e->unilateral->beside && e->unilateral->starting;
  for (int k = 0; k < j->count; k++) j->value[k] = fmax(-1, fmin(1, e->side[j->corner[k]]));
  return solve_box(e, j->count, j->corner, j->value, j->rate, j->noise) && look_ahead(e, j);
}
