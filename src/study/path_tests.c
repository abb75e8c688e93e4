// Functions of the spectrum that go through zero where a branch changes its nature.
//
// An eigenvalue (a multiplier less 1, or less -1) goes through zero where the product of them all
// changes its sign; pairs of conjugates leave it alone. A pair goes over the imaginary axis (the
// unit circle) where the growth of the k-th fastest, k being those above it on both sides, does.
#include "study/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double above_zero = 1e-9; // real parts over the largest eigenvalue
static const double same = 1e-5;       // crossings that are one, in the measure of the curve
static const double off_by = 50;       // how far off a crossing is, over its second singular value
static const double farthest = 1e-3;   // and the most of that
static const double sharp = 1e-8;      // second singular value at one that is known well

static int count_of(const study_stability* r)
{
  return r->period > 0 ? r->multipliers : r->count;
}

static double growth(const study_stability* r, int i)
{
  return r->period > 0 ? log(hypot(r->multiplier_re[i], r->multiplier_im[i]))
                       : study_stability_real(r, i);
}

static double threshold(const study_stability* r, int i)
{
  return r->period > 0 ? r->multiplier_blur[i] : above_zero * study_test_size(r);
}

double study_test_size(const study_stability* r)
{
  double square = 0;
  if (r->period > 0) return 1;
  for (int i = 0; i < r->count; i++)
    square = fmax(square, r->re[i] * r->re[i] + r->im[i] * r->im[i]);
  return sqrt(square);
}

int study_test_unstable(const study_stability* r)
{
  const double least = r->period > 0 ? 0 : above_zero * study_test_size(r);
  int count = 0;
  for (int i = 0; i < count_of(r); i++)
    count += growth(r, i) > (r->period > 0 ? r->multiplier_blur[i] : least);
  return count;
}

int study_test_beyond(const study_stability* r, int idle)
{
  const int count = count_of(r), unstable = study_test_unstable(r);
  int *order = base_alloc(sizeof(int) * (size_t)(count + 1)), at = -1;
  const double* re = r->period > 0 ? r->multiplier_re : r->re;
  const double* im = r->period > 0 ? r->multiplier_im : r->im;
  const double one = r->period > 0 ? 1 : 0;
  // the nearest to the crossing behind the idle ones
  for (int turn = 0; turn <= idle && turn < count; turn++) {
    at = -1;
    for (int i = 0; i < count; i++)
      if (!order[i] && (at < 0 || hypot(re[i] - one, im[i]) < hypot(re[at] - one, im[at]))) at = i;
    order[at] = 1;
  }
  free(order);
  // what is told from nothing was counted
  if (at < 0 || im[at] != 0 || !(fabs(growth(r, at)) <= threshold(r, at))) return unstable;
  return unstable + (re[at] > one);
}

static int ranked(const study_stability* r, int k)
{
  const int count = count_of(r);
  double* g = base_alloc(sizeof(double) * (size_t)(count + 1));
  for (int i = 0; i < count; i++) g[i] = growth(r, i);
  int found = -1;
  for (int i = 0; i < count && found < 0; i++) {
    int before = 0;
    for (int j = 0; j < count; j++) before += g[j] > g[i] || (g[j] == g[i] && j < i);
    if (before == k) found = i;
  }
  free(g);
  return found;
}

double study_test_growth(const study_stability* r, int k, double* im)
{
  const int i = ranked(r, k);
  if (i < 0) return NAN;
  if (im)
    *im = r->period > 0 ? fabs(atan2(r->multiplier_im[i], r->multiplier_re[i])) : fabs(r->im[i]);
  return growth(r, i);
}

double study_test_meeting(const study_stability* r)
{
  double least = INFINITY, im = 0;
  for (int i = 0; i < r->count; i++)
    for (int j = 0; j < i; j++) {
      const double away = hypot(r->re[i] - r->re[j], r->im[i] - r->im[j]);
      if (!(r->im[i] > 0 && r->im[j] > 0 && away < least)) continue;
      least = away;
      im = (r->im[i] + r->im[j]) / 2;
    }
  return im;
}

bool study_test_is_below(const study_stability* r, int k)
{
  const int i = ranked(r, k);
  return i >= 0 && growth(r, i) < -threshold(r, i);
}

bool study_test_has_partner(const study_stability* r, int k)
{
  const int i = ranked(r, k);
  for (int j = 0; i >= 0 && j < r->count; j++) {
    const double off = hypot(r->re[j] + r->re[i], r->im[j] - r->im[i]);
    if (j != i && off < 0.1 * fabs(r->re[i]) + above_zero * study_test_size(r)) return true;
  }
  return false;
}

int study_test_idle(const study_stability* r)
{
  int count = 0;
  if (r->period > 0) return r->idle;
  for (int i = 0; i < r->count; i++) count += r->re[i] == 0 && r->im[i] == 0;
  return count;
}

bool study_test_told(const study_stability* r, int idle)
{
  int ones = 0;
  for (int i = 0; r->period > 0 && i < r->multipliers; i++)
    ones += hypot(r->multiplier_re[i] - 1, r->multiplier_im[i]) <= r->multiplier_blur[i];
  return ones <= idle;
}

static double square(const double z[2])
{
  return z[0] * z[0] + z[1] * z[1];
}

// Numbers of the complex plane; mostly few, and asked for at every place of a branch
enum { few = 16 };
typedef struct numbers
{
  double (*z)[2], here[few][2];
} numbers;

static void numbers_free(numbers* s)
{
  if (s->z != s->here) free(s->z);
}

// eigenvalues over `size`, or multipliers less `at`, the smallest first
static double (*sorted(const study_stability* r, double at, double size, numbers* s))[2]
{
  const bool orbit = r->period > 0;
  const int count = count_of(r);
  s->z = count <= few ? s->here : base_alloc(sizeof *s->z * (size_t)count);
  double(*z)[2] = s->z;
  for (int i = 0; i < count; i++) {
    const double next[2] = {orbit ? r->multiplier_re[i] - at : r->re[i] / size,
                            orbit ? r->multiplier_im[i] : r->im[i] / size};
    // each goes to where it belongs
    int to = i;
    for (; to > 0 && square(z[to - 1]) > square(next); to--) memcpy(z[to], z[to - 1], sizeof *z);
    memcpy(z[to], next, sizeof *z);
  }
  return z;
}

double study_test_product(const study_stability* r, double at, int idle, double size)
{
  const int count = count_of(r);
  numbers s;
  double(*z)[2] = sorted(r, at, size, &s);
  double re = 1, im = 0;
  for (int i = idle; i < count; i++) {
    const double next = re * z[i][0] - im * z[i][1];
    im = re * z[i][1] + im * z[i][0];
    re = next;
  }
  numbers_free(&s);
  return re;
}

double study_test_pairs(const study_stability* r, int idle, double size)
{
  const bool orbit = r->period > 0;
  const int count = count_of(r);
  numbers s;
  double(*z)[2] = sorted(r, 1, size, &s);
  double re = 1, im = 0;
  for (int i = idle; i < count; i++)
    for (int j = idle; j < i; j++) {
      double x = z[i][0] + z[j][0], y = z[i][1] + z[j][1];
      // (1 + a)(1 + b) - 1 = a + b + a b
      if (orbit) x += z[i][0] * z[j][0] - z[i][1] * z[j][1];
      if (orbit) y += z[i][0] * z[j][1] + z[i][1] * z[j][0];
      const double next = re * x - im * y;
      im = re * y + im * x;
      re = next;
    }
  numbers_free(&s);
  return re;
}

double study_test_square(const study_stability* r, int idle)
{
  const int count = count_of(r);
  numbers s;
  double(*z)[2] = sorted(r, 1, 1, &s), least = INFINITY, square = 0;
  for (int i = idle; i < count; i++)
    for (int j = idle; j < i; j++) {
      const double off = hypot(z[i][0] + z[j][0], z[i][1] + z[j][1]);
      if (!(off < least)) continue;
      least = off;
      square = z[i][0] * z[j][0] - z[i][1] * z[j][1];
    }
  numbers_free(&s);
  return square;
}

bool study_test_turns(const study_stability* r, int idle)
{
  const bool orbit = r->period > 0;
  const int count = count_of(r);
  numbers s;
  double(*z)[2] = sorted(r, 1, 1, &s), least = INFINITY;
  bool turns = false;
  for (int i = idle; i < count; i++)
    for (int j = idle; j < i; j++) {
      double x = z[i][0] + z[j][0], y = z[i][1] + z[j][1];
      if (orbit) x += z[i][0] * z[j][0] - z[i][1] * z[j][1];
      if (orbit) y += z[i][0] * z[j][1] + z[i][1] * z[j][0];
      if (!(hypot(x, y) < least)) continue;
      least = hypot(x, y);
      turns = z[i][1] != 0;
    }
  numbers_free(&s);
  return turns;
}

const char* study_test_kind(const study_stability* r)
{
  if (r->period > 0) return "orbit";
  for (int i = 0; i < r->n; i++)
    if (r->v[i] != 0) return "relative";
  return "equilibrium";
}

double study_found_normal(const study_road* r, const study_found* f)
{
  // those of folds and Hopf points are known since they were found
  if (f->kind == STUDY_FOLD || f->kind == STUDY_HOPF) return f->normal;
  if (!r->normal || (f->kind != STUDY_DOUBLING && f->kind != STUDY_TORUS)) return NAN;
  return r->normal(r->context, f->place->u, f->kind == STUDY_DOUBLING ? M_PI : f->im);
}

// Two crossings next to each other: what becomes unstable at one is stable again at the other, as
// at the borders of a narrow tongue, or one more does there. Both are crossings to rounding, then:
// next to one crossing, where signs are rounding, only one is.
static bool are_two(const study_found* a, const study_found* b)
{
  return a->before != a->behind && b->before != b->behind && a->behind == b->before &&
         fmax(a->place->second, b->place->second) < sharp;
}

// How far apart two crossings may be that are one: the second singular value tells how far from a
// crossing a place is that stands for it.
static double blurred(const study_found* a, const study_found* b)
{
  return fmax(same, fmin(farthest, off_by * fmax(a->place->second, b->place->second)));
}

// the place of b into a, seen along the same way
static void take_place(const study_curve* c, study_found* a, study_found* b)
{
  study_place* worse = a->place;
  a->place = b->place;
  b->place = worse;
  if (study_curve_dot(c, a->place->t, worse->t) >= 0) return;
  for (int j = 0; j < c->wide; j++) a->place->t[j] = -a->place->t[j];
}

bool study_found_again(const study_curve* c, study_found* f, study_founds* found)
{
  double* d = base_alloc(sizeof(double) * (size_t)c->wide);
  bool known = false;
  for (int i = 0; i < found->n && f->kind == STUDY_BRANCH && !known; i++) {
    if (found->at[i].kind != STUDY_BRANCH || are_two(&found->at[i], f)) continue;
    for (int j = 0; j < c->wide; j++) d[j] = found->at[i].place->u[j] - f->place->u[j];
    known = sqrt(study_curve_dot(c, d, d)) < blurred(&found->at[i], f);
    if (known) found->at[i].behind = f->behind;
    if (known && f->place->second < found->at[i].place->second) take_place(c, &found->at[i], f);
  }
  free(d);
  return known;
}

bool study_found_is_known(const study_curve* c, const study_found* f, const study_founds* list)
{
  bool known = false;
  for (int i = 0; i < list->n && !known; i++) {
    const study_found* g = &list->at[i];
    double far = 0;
    for (int j = 0; j < c->wide; j++)
      far = fmax(far, fabs(g->place->u[j] - f->place->u[j]) / c->weight[j]);
    known = g->kind == f->kind && far < same && fabs(g->im - f->im) <= same * (1 + fabs(f->im));
  }
  return known;
}

void study_founds_drop_known(const study_curve* c, const study_founds* known, study_founds* found)
{
  study_founds copy = *known;
  int left = 0;
  for (int i = 0; i < found->n; i++) {
    const int behind = found->at[i].behind;
    found->at[i].behind = found->at[i].before; // what lies behind it the other way
    // a start at a special point may have it on both sides
    const bool same_kind =
        found->at[i].kind != STUDY_BRANCH && study_found_is_known(c, &found->at[i], known);
    if (same_kind || study_found_again(c, &found->at[i], &copy)) {
      study_found_free(&found->at[i]);
      continue;
    }
    found->at[i].behind = behind;
    found->at[left++] = found->at[i];
  }
  found->n = left;
}
