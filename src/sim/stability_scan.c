// Stability over a param: the values where motions become unstable or stable again.
//
// g_k is the k-th largest real part of the eigenvalues (logarithm of the modulus of a multiplier).
// Between two values with c and more than c of them above zero, g_(c+1) goes through zero. Where it
// comes from below, its root is found by the Illinois method; where it is zero on one side
// (conservative systems), the end of that interval by halving. From value to value the motion found
// last is where the next is looked for, so one branch is followed.
#include "sim/stability.h"

#include <math.h>
#include <stdlib.h>

static const double above_zero = 1e-9; // real parts over the largest eigenvalue
enum { most_turns = 80 };

static int count_of(const sim_stability* r)
{
  return r->period > 0 ? r->multipliers : r->count;
}

static double growth(const sim_stability* r, int i)
{
  return r->period > 0 ? log(hypot(r->multiplier_re[i], r->multiplier_im[i])) : sim_stability_real(r, i);
}

static double threshold(const sim_stability* r, int k)
{
  if (r->period > 0) return r->multiplier_blur[k];
  double size = 0;
  for (int i = 0; i < r->count; i++) size = fmax(size, hypot(r->re[i], r->im[i]));
  return above_zero * size;
}

static int unstable(const sim_stability* r)
{
  int count = 0;
  for (int i = 0; i < count_of(r); i++) count += growth(r, i) > threshold(r, i);
  return count;
}

// index of the one with exactly k others above it; -1 where there are fewer
static int ranked(const sim_stability* r, int k)
{
  for (int i = 0; i < count_of(r); i++) {
    int before = 0;
    for (int j = 0; j < count_of(r); j++)
      before += growth(r, j) > growth(r, i) || (growth(r, j) == growth(r, i) && j < i);
    if (before == k) return i;
  }
  return -1;
}

static double imaginary(const sim_stability* r, int i)
{
  return r->period > 0 ? fabs(atan2(r->multiplier_im[i], r->multiplier_re[i])) : fabs(r->im[i]);
}

typedef struct bracket
{
  double low, high, g_low, g_high;
  int k;
  double im;
  const sim_stability* near;
} bracket;

// g there; nan where there is no such motion
static double look(bracket* b, sim_stability_at* at, void* context, double x, bool cut)
{
  sim_stability* r = at(context, x, b->near);
  const int i = r ? ranked(r, b->k) : -1;
  double g = i < 0 ? NAN : growth(r, i);
  // what crosses is plain on the side where it is unstable
  if (i >= 0 && g > threshold(r, i)) b->im = imaginary(r, i);
  if (i >= 0 && cut) g = g > threshold(r, i) ? 1 : -1;
  sim_stability_free(r);
  return g;
}

static bool narrow(bracket* b, sim_stability_at* at, void* context, bool cut, double* root)
{
  double weight_low = b->g_low, weight_high = b->g_high;
  const double enough = 1e-11 * (1 + fmax(fabs(b->low), fabs(b->high)));
  if (cut) {
    weight_low = b->g_low > 0 ? 1 : -1;
    weight_high = -weight_low;
  }
  for (int turn = 0; turn < most_turns && b->high - b->low > enough; turn++) {
    double x = (b->low + b->high) / 2;
    // halving now and then, so that the interval itself becomes small
    if (!cut && turn % 4 != 3)
      x = (b->low * weight_high - b->high * weight_low) / (weight_high - weight_low);
    if (!(x > b->low && x < b->high)) x = (b->low + b->high) / 2;
    const double g = look(b, at, context, x, cut);
    if (!isfinite(g)) return false;
    *root = x;
    if (g == 0) return true;
    if ((g > 0) == (weight_high > 0)) {
      b->high = x;
      weight_high = g;
      weight_low /= 2;
    } else {
      b->low = x;
      weight_low = g;
      weight_high /= 2;
    }
    if (!cut && fabs(g) < 1e-15) return true;
  }
  if (cut) *root = (b->low + b->high) / 2;
  return true;
}

// what happens where an eigenvalue (its imaginary part) or a multiplier (its argument) crosses
static const char* kind(bool periodic, bool crosses, double im)
{
  if (!periodic && im == 0) return "divergence";
  if (!periodic) return crosses ? "Hopf" : "flutter: two frequencies meet";
  if (im < 1e-3) return "a multiplier at 1";
  if (M_PI - im < 1e-3) return "a multiplier at -1: the period doubles";
  return crosses ? "Neimark and Sacker" : "two multipliers meet on the circle";
}

static bool locate(sim_scan* s, int i, sim_stability_at* at, void* context, sim_critical* out)
{
  const sim_stability *a = s->point[i], *b = s->point[i + 1];
  const int from = unstable(a), to = unstable(b);
  const bool rising = to > from;
  bracket k = {.low = s->value[i], .high = s->value[i + 1], .k = rising ? from : to, .near = a};
  const int ia = ranked(a, k.k), ib = ranked(b, k.k);
  if (ia < 0 || ib < 0) return false;
  k.g_low = growth(a, ia);
  k.g_high = growth(b, ib);
  k.im = imaginary(rising ? b : a, rising ? ib : ia);
  const bool crosses = rising ? k.g_low < -threshold(a, ia) : k.g_high < -threshold(b, ib);
  double root = k.low;
  if (!crosses) {
    k.g_low = rising ? -1 : 1;
    k.g_high = -k.g_low;
  }
  if (!narrow(&k, at, context, !crosses, &root)) return false;
  *out = (sim_critical){root, k.im, rising, kind(a->period > 0, crosses, k.im)};
  return true;
}

sim_scan* sim_stability_scan(double from, double to, int points, const sim_stability* near,
                             sim_stability_at* at, void* context)
{
  base_arena* arena = base_arena_new();
  sim_scan* s = base_arena_take(arena, sizeof *s);
  s->arena = arena;
  s->points = points;
  s->value = base_arena_take(arena, sizeof(double) * (size_t)points);
  s->point = base_arena_take(arena, sizeof *s->point * (size_t)points);
  s->critical = base_arena_take(arena, sizeof *s->critical * (size_t)points);
  for (int i = 0; i < points; i++) {
    s->value[i] = i + 1 == points ? to : from + (to - from) * i / (points - 1);
    s->point[i] = at(context, s->value[i], near);
    if (s->point[i]) near = s->point[i];
  }
  for (int i = 0; i + 1 < points; i++) {
    if (!s->point[i] || !s->point[i + 1]) continue;
    if (unstable(s->point[i]) == unstable(s->point[i + 1])) continue;
    if (locate(s, i, at, context, &s->critical[s->criticals])) s->criticals++;
  }
  return s;
}

void sim_scan_free(sim_scan* s)
{
  if (!s) return;
  for (int i = 0; i < s->points; i++) sim_stability_free(s->point[i]);
  base_arena_free(s->arena);
}
