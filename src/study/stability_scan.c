// Stability over a param: the values where motions become unstable or stable again.
//
// g_k is the k-th largest real part of the eigenvalues (logarithm of the modulus of a multiplier).
// Between two values with c and more than c of them above zero, g_(c+1) goes through zero. Where it
// comes from below, its root is found by the Illinois method; where it is zero on one side
// (conservative systems), the end of that interval by halving. From value to value the motion found
// last is where the next is looked for, so one branch is followed.
#include "study/stability.h"

#include <math.h>
#include <stdlib.h>

static const double above_zero = 1e-9; // real parts over the largest eigenvalue
enum { most_turns = 80, probes = 14, closer = 12, halvings = 30 };

static int count_of(const study_stability* r)
{
  return r->period > 0 ? r->multipliers : r->count;
}

static double growth(const study_stability* r, int i)
{
  return r->period > 0 ? log(hypot(r->multiplier_re[i], r->multiplier_im[i]))
                       : study_stability_real(r, i);
}

static double threshold(const study_stability* r, int k)
{
  if (r->period > 0) return r->multiplier_blur[k];
  double size = 0;
  for (int i = 0; i < r->count; i++) size = fmax(size, hypot(r->re[i], r->im[i]));
  return above_zero * size;
}

static int unstable(const study_stability* r)
{
  int count = 0;
  for (int i = 0; i < count_of(r); i++) count += growth(r, i) > threshold(r, i);
  return count;
}

// index of the one with exactly k others above it; -1 where there are fewer
static int ranked(const study_stability* r, int k)
{
  for (int i = 0; i < count_of(r); i++) {
    int before = 0;
    for (int j = 0; j < count_of(r); j++)
      before += growth(r, j) > growth(r, i) || (growth(r, j) == growth(r, i) && j < i);
    if (before == k) return i;
  }
  return -1;
}

static double imaginary(const study_stability* r, int i)
{
  return r->period > 0 ? fabs(atan2(r->multiplier_im[i], r->multiplier_re[i])) : fabs(r->im[i]);
}

typedef struct bracket
{
  double low, high, g_low, g_high;
  int k;
  double im;
  const study_stability* near;
} bracket;

// g there; nan where there is no such motion
static double look(bracket* b, study_stability_at* at, void* context, double x, bool cut)
{
  study_stability* r = at(context, x, b->near);
  const int i = r ? ranked(r, b->k) : -1;
  double g = i < 0 ? NAN : growth(r, i);
  // what crosses is plain on the side where it is unstable
  if (i >= 0 && g > threshold(r, i)) b->im = imaginary(r, i);
  if (i >= 0 && cut) g = g > threshold(r, i) ? 1 : -1;
  study_stability_free(r);
  return g;
}

static bool narrow(bracket* b, study_stability_at* at, void* context, bool cut, double* root)
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

// g of rank k at a point next to the bracket, where it is told from zero; else nothing
static bool is_below(const study_scan* s, int i, int k, int count)
{
  if (i < 0 || i >= s->points || !s->point[i] || unstable(s->point[i]) != count) return false;
  const int at = ranked(s->point[i], k);
  return at >= 0 && growth(s->point[i], at) < -threshold(s->point[i], at);
}

static bool locate(study_scan* s, int i, study_stability_at* at, void* context, study_critical* out)
{
  const int from = unstable(s->point[i]), to = unstable(s->point[i + 1]);
  const bool rising = to > from;
  const int rank = rising ? from : to;
  int low = i, high = i + 1;
  // a value that hits the critical one itself is no end of an interval
  if (rising && !is_below(s, low, rank, from) && is_below(s, low - 1, rank, from)) low--;
  if (!rising && !is_below(s, high, rank, to) && is_below(s, high + 1, rank, to)) high++;
  const study_stability *a = s->point[low], *b = s->point[high];
  bracket k = {.low = s->value[low], .high = s->value[high], .k = rank, .near = a};
  const int ia = ranked(a, rank), ib = ranked(b, rank);
  if (ia < 0 || ib < 0) return false;
  k.g_low = growth(a, ia);
  k.g_high = growth(b, ib);
  k.im = imaginary(rising ? b : a, rising ? ib : ia);
  const bool crosses = rising ? is_below(s, low, rank, from) : is_below(s, high, rank, to);
  double root = k.low;
  if (!crosses) {
    k.g_low = rising ? -1 : 1;
    k.g_high = -k.g_low;
  }
  if (!narrow(&k, at, context, !crosses, &root)) return false;
  *out = (study_critical){
      .value = root, .im = k.im, .rising = rising, .kind = kind(a->period > 0, crosses, k.im)};
  return true;
}

// ---- between the values -------------------------------------------------------------------------

// The least distance of two eigenvalues: where it has a minimum between values, frequencies may
// meet and part again, unseen.
static double closest(const study_stability* r)
{
  double least = INFINITY, size = 0;
  const double* re = r->period > 0 ? r->multiplier_re : r->re;
  const double* im = r->period > 0 ? r->multiplier_im : r->im;
  for (int i = 0; i < count_of(r); i++) {
    size = fmax(size, hypot(re[i], im[i]));
    for (int j = 0; j < i; j++) least = fmin(least, hypot(re[i] - re[j], im[i] - im[j]));
  }
  // those that are always together say nothing
  return least < 1e-7 * size ? INFINITY : least;
}

static void insert(study_scan* s, int at, double value, study_stability* r)
{
  for (int i = s->points; i > at; i--) {
    s->value[i] = s->value[i - 1];
    s->point[i] = s->point[i - 1];
  }
  s->value[at] = value;
  s->point[at] = r;
  s->points++;
}

// golden section on [i - 1, i + 1]; a value with another number of unstable ones is taken in
static bool look_between(study_scan* s, int i, study_stability_at* at, void* context)
{
  const double golden = 0.6180339887498949;
  const int count = unstable(s->point[i]);
  double low = s->value[i - 1], high = s->value[i + 1], d[2];
  for (int turn = 0; turn < probes; turn++) {
    const double x[2] = {high - golden * (high - low), low + golden * (high - low)};
    for (int k = 0; k < 2; k++) {
      study_stability* r = at(context, x[k], s->point[i]);
      if (r && unstable(r) != count) {
        insert(s, x[k] > s->value[i] ? i + 1 : i, x[k], r);
        return true;
      }
      d[k] = r ? closest(r) : INFINITY;
      study_stability_free(r);
    }
    if (d[0] < d[1])
      high = x[1];
    else
      low = x[0];
  }
  return false;
}

static void look_closer(study_scan* s, study_stability_at* at, void* context)
{
  for (int i = 1, looked = 0; i + 1 < s->points && looked < closer; i++) {
    const study_stability *a = s->point[i - 1], *b = s->point[i], *c = s->point[i + 1];
    if (!a || !b || !c || unstable(a) != unstable(b) || unstable(b) != unstable(c)) continue;
    const double d = closest(b);
    if (!(d < closest(a) && d <= closest(c))) continue;
    looked++;
    if (look_between(s, i, at, context)) i += 2;
  }
}

// ---- how many steady motions there are ----------------------------------------------------------

// between values with different numbers of them: where that changes, by halving
static void locate_births(study_scan* s, study_stability_at* at, void* context)
{
  for (int i = 0; i + 1 < s->points; i++) {
    const study_stability *a = s->point[i], *b = s->point[i + 1];
    if (!a || !b || a->others == b->others) continue;
    const study_stability* more = a->others > b->others ? a : b;
    double low = s->value[i], high = s->value[i + 1];
    for (int turn = 0; turn < halvings; turn++) {
      const double x = (low + high) / 2;
      study_stability* r = at(context, x, more);
      const bool as_low = r && r->others == a->others;
      study_stability_free(r);
      *(as_low ? &low : &high) = x;
    }
    study_critical* known = NULL;
    for (int k = 0; k < s->criticals; k++)
      if (fabs(s->critical[k].value - low) < 1e-4 * (s->value[s->points - 1] - s->value[0]))
        known = &s->critical[k];
    if (!known) {
      known = &s->critical[s->criticals++];
      *known = (study_critical){.value = (low + high) / 2, .kind = "fold: steady motions meet"};
    } else {
      known->kind = abs(a->others - b->others) == 2 ? "pitchfork" : "branches meet";
    }
    known->before = 1 + a->others;
    known->after = 1 + b->others;
  }
}

study_scan* study_stability_scan(double from, double to, int points, const study_stability* near,
                                 study_stability_at* at, void* context)
{
  base_arena* arena = base_arena_new();
  const size_t room = (size_t)(points + closer + 1);
  study_scan* s = base_arena_take(arena, sizeof *s);
  s->arena = arena;
  s->points = points;
  s->value = base_arena_take(arena, sizeof(double) * room);
  s->point = base_arena_take(arena, sizeof *s->point * room);
  s->critical = base_arena_take(arena, sizeof *s->critical * 2 * room);
  for (int i = 0; i < points; i++) {
    s->value[i] = i + 1 == points ? to : from + (to - from) * i / (points - 1);
    s->point[i] = at(context, s->value[i], near);
    if (s->point[i]) near = s->point[i];
  }
  look_closer(s, at, context);
  for (int i = 0; i + 1 < s->points; i++) {
    if (!s->point[i] || !s->point[i + 1]) continue;
    if (unstable(s->point[i]) == unstable(s->point[i + 1])) continue;
    if (locate(s, i, at, context, &s->critical[s->criticals])) s->criticals++;
  }
  locate_births(s, at, context);
  study_scan_look_above(s);
  return s;
}

// ---- what it becomes ----------------------------------------------------------------------------

static bool lies_above(double value, double critical)
{
  return value > critical + 1e-9 * (1 + fabs(critical));
}

void study_scan_look_above(study_scan* s)
{
  for (int k = 0; k < s->criticals; k++) {
    study_critical* c = &s->critical[k];
    double next = INFINITY;
    for (int i = 0; i < s->points; i++) {
      if (!s->point[i] || !lies_above(s->value[i], c->value) || s->value[i] >= next) continue;
      next = s->value[i];
      c->above = s->point[i];
    }
    for (int j = 0; j < s->criticals; j++)
      if (lies_above(s->critical[j].value, c->value) && s->critical[j].value < next)
        c->above = NULL;
  }
}

const char* study_critical_becomes(const study_critical* c)
{
  if (c->rising) return study_stability_word(STUDY_UNSTABLE);
  return c->above ? study_stability_word(c->above->verdict) : NULL;
}

void study_scan_free(study_scan* s)
{
  if (!s) return;
  for (int i = 0; i < s->points; i++) study_stability_free(s->point[i]);
  base_arena_free(s->arena);
}
