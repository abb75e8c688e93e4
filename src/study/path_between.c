// Between two places of a branch: what changes there, and where.
//
// Test functions (path_tests.c) tell how many special points there are; the stretch is halved until
// there is one, which is the root of its function along the branch.
#include "study/locus.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_depth = 40, together_from = 12, most_secants = 12 };
static const double crossing = 0.05; // singular value at a crossing against those around
static const double level = 1e-10;   // part of a tangent that is along the param
static const double real = 1e-6; // imaginary parts of what is no pair, over the largest eigenvalue
static const double together = 1e-7; // roots that are one, over the step
static const double at_end = 1e-9;   // of the range: what is no further from its end

double study_path_length(const study_road* r, const study_place* a, const study_place* b)
{
  return study_curve_along(r->curve, a->t, a->u, b->u);
}

bool study_path_slopes(const study_road* r, const study_place* p)
{
  return fabs(p->t[r->curve->wide - 1]) > level;
}

void study_stretch_cubic(const study_stretch* w, double s, double* u)
{
  const study_curve* c = w->r->curve;
  const double x = s / w->length, h = w->length, *a = w->a->u, *b = w->b->u;
  const double m = fmax(0.1, study_curve_dot(c, w->a->t, w->b->t)); // ds of a over ds of b
  const double h00 = (1 + 2 * x) * (1 - x) * (1 - x), h10 = x * (1 - x) * (1 - x);
  const double h01 = x * x * (3 - 2 * x), h11 = x * x * (x - 1);
  for (int j = 0; j < c->wide; j++)
    u[j] = h00 * a[j] + h10 * h * w->a->t[j] + h01 * b[j] + h11 * h / m * w->b->t[j];
}

study_place* study_stretch_place(const study_stretch* w, double s)
{
  const study_curve* c = w->r->curve;
  const double x = s / w->length;
  double* u = base_alloc(sizeof(double) * (size_t)c->wide);
  bool found = false;
  // from there, else from the chord, else from the tangent
  for (int turn = 0; turn < 3 && !found; turn++) {
    const double *a = w->a->u, *b = w->b->u;
    for (int j = 0; j < c->wide; j++)
      u[j] = turn == 1 ? a[j] + x * (b[j] - a[j]) : a[j] + s * w->a->t[j];
    if (turn == 0) study_stretch_cubic(w, s, u);
    found = study_curve_correct(w->r->curve, w->a->t, w->a->u, s, u);
  }
  study_place* p = found ? study_place_new(w->r, u, w->a->t) : NULL;
  free(u);
  return p;
}

double study_stretch_test(const study_stretch* w, const study_place* p)
{
  if (w->r->locus) return study_locus_test(w->r, w->kind, w->a, p);
  switch (w->kind) {
  case STUDY_FOLD:
    return p->t[w->r->curve->wide - 1];
  case STUDY_BRANCH:
    return study_test_product(p->at, 1, w->idle, w->size);
  case STUDY_DOUBLING:
    return study_test_product(p->at, -1, 0, 1);
  case STUDY_GRAZING:
    return p->at->way == w->a->at->way ? -1 : 1;
  case STUDY_KREIN:
    return study_test_unstable(p->at) > w->rank ? 1 : -1;
  default:
    return study_test_growth(p->at, w->rank, NULL);
  }
}

// the same, to be passed by
study_place* study_stretch_glance(const study_stretch* w, double s)
{
  const study_road* r = w->r;
  if (r->brief) r->brief(r->context, true);
  study_place* p = study_stretch_place(w, s);
  if (r->brief) r->brief(r->context, false);
  return p;
}

static double test_within(void* context, double s)
{
  const study_stretch* w = context;
  study_place* p = study_stretch_glance(w, s);
  const double g = p ? study_stretch_test(w, p) : NAN;
  study_place_free(p);
  return g;
}

// The normal form of a fold or a Hopf point tells of the motion there whether it is stable, where
// no other eigenvalue does: neighbours leave a fold on one side, x' = a x^2, and spirals about a
// Hopf point go outwards or inwards, r' = l1 r^3. False where the form says nothing.
static bool judge_by_form(const study_found* f)
{
  study_stability* r = f->place->at;
  if (r->verdict != STUDY_MARGINAL) return true;
  if (!isfinite(f->normal) || f->normal == 0) return false;
  const bool outwards = f->kind == STUDY_FOLD || f->normal > 0;
  int silent = 0;
  for (int i = 0; i < r->count; i++) silent += !study_test_is_below(r, i);
  if (silent != (f->kind == STUDY_FOLD ? 1 : 2)) return false;
  r->verdict = outwards ? STUDY_UNSTABLE : STUDY_STABLE;
  r->why = f->kind == STUDY_FOLD
               ? "one eigenvalue is zero, and neighbours leave on one side: a fold"
           : outwards ? "one pair of eigenvalues is imaginary, and oscillations grow"
                      : "one pair of eigenvalues is imaginary, and oscillations die away";
  return true;
}

// What is asked of the motion at a special point: its normal form, which tells what energies and
// forms of higher degree would, else all of them.
static void look_closely(const study_stretch* w, double s, study_found* f)
{
  const study_road* r = w->r;
  f->normal = NAN;
  if (f->kind != STUDY_FOLD && f->kind != STUDY_HOPF) return;
  if (r->normal) f->normal = r->normal(r->context, f->place->u, f->im);
  if (!r->brief || judge_by_form(f)) return;
  study_place* p = study_stretch_place(w, s);
  if (!p) return;
  study_place_free(f->place);
  f->place = p;
}

// the place of a special point, to be looked at closely later on where that is done
static study_place* special_place(const study_stretch* w, double s)
{
  switch (w->kind) {
  case STUDY_BRANCH:
    return study_stretch_crossing(w, s);
  case STUDY_FOLD:
  case STUDY_HOPF:
    return study_stretch_glance(w, s);
  default:
    return study_stretch_place(w, s);
  }
}

// Does what changes its sign along with the slope of the param grow beyond bounds there, in place
// of going through zero?
static bool is_pole(const study_stretch* w, const study_place* p)
{
  if (w->kind != STUDY_FOLD || p->at->period > 0) return false;
  const double a = study_test_product(w->a->at, 1, w->idle, w->size);
  const double b = study_test_product(w->b->at, 1, w->idle, w->size);
  const double there = study_test_product(p->at, 1, w->idle, w->size);
  return a * b < 0 && fabs(there) > 10 * fmax(fabs(a), fabs(b));
}

static void look_at_fold(const study_stretch* w, study_found* f)
{
  const int last = w->r->curve->wide - 1;
  const double here = f->place->u[last], a = w->a->u[last] - here, b = w->b->u[last] - here;
  f->pole = is_pole(w, f->place);
  if (a * b > 0) f->form = a < 0 ? "below" : "above";
}

static void add_found(study_stretch* w, double s, study_founds* found)
{
  study_place* p = special_place(w, s);
  // the arms of a fork are a fold, too; at the crossing itself Newton's method may find no place
  const double usual = fmax(w->a->second, w->b->second);
  bool meets = w->kind == STUDY_FOLD && (!p || p->second < crossing * usual);
  if (meets) {
    study_place* sharp = study_stretch_crossing(w, s);
    meets = sharp && sharp->second < (p ? 0.2 * p->second : crossing * usual);
    const bool better = meets || !p;
    study_place_free(better ? p : sharp);
    p = better ? sharp : p;
  }
  if (!p) return;
  study_found f = {.kind = (study_kind)w->kind, .place = p, .idle = w->idle};
  f.measures = study_curve_measures(w->r->curve);
  f.before = w->before;
  f.behind = w->behind;
  f.several = w->several;
  // of a null space of more than a plane, the direction that goes on
  if (w->several > 1) memcpy(p->t, w->a->t, sizeof(double) * (size_t)w->r->curve->wide);
  if (f.before == f.behind && w->kind == STUDY_BRANCH) {
    f.before = study_test_beyond(w->a->at, w->idle);
    f.behind = study_test_beyond(w->b->at, w->idle);
  }
  if (meets) f.kind = STUDY_BRANCH;
  if (f.kind == STUDY_FOLD) look_at_fold(w, &f);
  if (w->kind == STUDY_HOPF || w->kind == STUDY_TORUS) study_test_growth(p->at, w->rank, &f.im);
  if (w->kind == STUDY_KREIN) f.im = study_test_meeting(p->at);
  look_closely(w, s, &f);
  if (study_found_again(w->r->curve, &f, found))
    study_found_free(&f);
  else
    base_push(found, f);
}

// which of the tests change between the ends; how many
static int changes(const study_road* r, const study_place* a, const study_place* b, bool* which)
{
  if (r->locus) return study_locus_changes(r, a, b, which);
  const int last = r->curve->wide - 1;
  const bool orbit = a->at->period > 0;
  const int idle = study_test_idle(a->at) < study_test_idle(b->at) ? study_test_idle(a->at)
                                                                   : study_test_idle(b->at);
  const double size = study_test_size(a->at);
  const double one =
      study_test_product(a->at, 1, idle, size) * study_test_product(b->at, 1, idle, size);
  memset(which, 0, STUDY_KINDS);
  const bool told = study_test_told(a->at, idle) && study_test_told(b->at, idle);
  which[STUDY_FOLD] =
      a->t[last] * b->t[last] < 0 && (study_path_slopes(r, a) || study_path_slopes(r, b));
  which[STUDY_BRANCH] = told && one < 0 && !which[STUDY_FOLD];
  which[STUDY_DOUBLING] =
      orbit && study_test_product(a->at, -1, 0, 1) * study_test_product(b->at, -1, 0, 1) < 0;
  which[STUDY_GRAZING] = a->at->way != b->at->way;
  const int more = abs(study_test_unstable(a->at) - study_test_unstable(b->at));
  const int explained = (told && one < 0) + which[STUDY_DOUBLING];
  which[orbit ? STUDY_TORUS : STUDY_HOPF] = more > explained && (more - explained) % 2 == 0;
  int count = 0;
  for (int k = 0; k < STUDY_KINDS; k++) count += which[k];
  return count;
}

static void locate(const study_road* r, const study_place* a, const study_place* b, int depth,
                   study_founds* found);

static void halve(const study_stretch* w, int depth, study_founds* found)
{
  study_place* p = study_stretch_glance(w, w->length / 2);
  if (!p) return;
  locate(w->r, w->a, p, depth + 1, found);
  locate(w->r, p, w->b, depth + 1, found);
  study_place_free(p);
}

// A pair that is not told from the axis yet may be beyond it: the root of its growth, by secants,
// lies a little outside. Nan where it does not.
static double root_outside(study_stretch* w, const double g[2])
{
  double x[2] = {0, w->length}, y[2] = {g[0], g[1]};
  for (int turn = 0; turn < most_secants; turn++) {
    const double next = x[1] - y[1] * (x[1] - x[0]) / (y[1] - y[0]);
    if (!(next > -w->length && next < 2 * w->length)) return NAN;
    x[0] = x[1];
    y[0] = y[1];
    x[1] = next;
    if (fabs(x[1] - x[0]) <= w->r->resolved * w->length) return next;
    y[1] = test_within(w, next);
    if (y[1] == 0) return next;
    if (!isfinite(y[1]) || fabs(y[1]) >= fabs(y[0])) return fabs(y[0]) < 1e-12 ? x[0] : NAN;
  }
  return x[1];
}

// where the test of the stretch is zero; nan where it is not
static double root_of(study_stretch* w)
{
  const double g[2] = {study_stretch_test(w, w->a), study_stretch_test(w, w->b)};
  if (g[0] * g[1] < 0)
    return num_bracket(test_within, w, 0, g[0], w->length, g[1], w->r->resolved * fabs(w->length));
  return w->kind == STUDY_HOPF ? root_outside(w, g) : NAN;
}

// The kind of what goes over the axis (the circle) at s: a pair, or a real one.
static study_kind kind_at(const study_stretch* w, double s)
{
  study_place* p = study_stretch_glance(w, s);
  double im = NAN;
  if (p) study_test_growth(p->at, w->rank, &im);
  const bool orbit = p && p->at->period > 0;
  const double size = orbit ? 1 : p ? study_test_size(p->at) : 0;
  study_place_free(p);
  if (im < real * size) return STUDY_BRANCH;
  return orbit && M_PI - im < real ? STUDY_DOUBLING : (study_kind)w->kind;
}

// The one with `rank` others above it, which goes over the axis (the circle) somewhere, and those
// of the other ranks up to `last` that do so together with it: its partner, or real ones at the
// same place. How many they are.
static int locate_rank(study_stretch* w, int rank, int last, bool rising, study_founds* found)
{
  const int kind = w->kind, way = rising ? 1 : -1;
  const study_place *calm = rising ? w->a : w->b, *other = rising ? w->b : w->a;
  w->rank = rank;
  // nothing goes through where it is nothing on one side: two frequencies meet
  if (kind == STUDY_HOPF && !study_test_is_below(calm->at, rank) &&
      study_test_has_partner(other->at, rank))
    w->kind = STUDY_KREIN;
  const double s = root_of(w);
  int count = 2;
  if (isfinite(s) && w->kind == kind) {
    const study_kind there = kind_at(w, s);
    for (count = 1; there != (study_kind)kind && rank + way * count != last + way; count++) {
      w->rank = rank + way * count;
      const double next = root_of(w);
      if (!(fabs(next - s) <= together * fabs(w->length)) || kind_at(w, next) != there) break;
    }
    if (there == (study_kind)kind) count = 2;
    w->kind = (int)there;
  }
  w->rank = rising ? rank : rank - count + 1;
  w->before = rising ? w->rank : w->rank + count;
  w->behind = rising ? w->rank + count : w->rank;
  w->several = w->kind == STUDY_BRANCH && count > 1 ? count : 0;
  if (isfinite(s)) add_found(w, s, found);
  w->kind = kind;
  w->several = 0;
  return count;
}

// what goes over the axis (the circle) without a sign that tells, in the order along the branch
static void locate_ranks(study_stretch* w, int up, int down, study_founds* found)
{
  const int low = up < down ? up : down, high = up < down ? down : up;
  if (up < down)
    for (int k = low; k < high;) k += locate_rank(w, k, high - 1, true, found);
  else
    for (int k = high - 1; k >= low;) k -= locate_rank(w, k, low, false, found);
}

static void locate(const study_road* r, const study_place* a, const study_place* b, int depth,
                   study_founds* found)
{
  bool which[STUDY_KINDS];
  int count = changes(r, a, b, which);
  if (count == 0) return;
  study_stretch w = {.r = r, .a = a, .b = b, .length = study_path_length(r, a, b)};
  // what halving does not part goes through at once: ranks tell of all of them
  if (depth >= together_from && !r->locus && which[STUDY_BRANCH] &&
      (which[STUDY_HOPF] || which[STUDY_TORUS])) {
    which[STUDY_BRANCH] = false;
    count--;
  }
  const int up = study_test_unstable(a->at), down = study_test_unstable(b->at);
  w.idle = study_test_idle(a->at) < study_test_idle(b->at) ? study_test_idle(a->at)
                                                           : study_test_idle(b->at);
  w.size = study_test_size(a->at);
  if (!(w.length > 0)) return;
  if (count > 1 && depth < most_depth) {
    halve(&w, depth, found);
    return;
  }
  for (w.kind = 0; w.kind < STUDY_KINDS; w.kind++) {
    if (!which[w.kind]) continue;
    w.before = up, w.behind = down;
    w.rank = up < down ? up : down;
    if (!r->locus && (w.kind == STUDY_HOPF || w.kind == STUDY_TORUS)) {
      locate_ranks(&w, up, down, found);
      continue;
    }
    const double s = root_of(&w);
    if (isfinite(s)) add_found(&w, s, found);
  }
}

void* study_path_mark(const study_road* r)
{
  return r->mark ? r->mark(r->context) : NULL;
}

void study_path_recall(const study_road* r, void* mark)
{
  if (mark) r->recall(r->context, mark);
}

void study_path_locate(const study_road* r, const study_place* a, const study_place* b,
                       study_founds* found)
{
  bool which[STUDY_KINDS];
  if (!changes(r, a, b, which)) return;
  void* mark = study_path_mark(r);
  locate(r, a, b, 0, found);
  study_path_recall(r, mark);
}

void study_path_end(const study_road* r, const study_place* inside, const study_place* outside,
                    int which, double end, study_founds* found)
{
  study_founds about = {0};
  study_place* before = NULL;
  // one that is nothing to the last digit has no sign: it is told from before the end on
  if (!r->locus && study_test_idle(inside->at) > study_test_idle(outside->at)) {
    const study_stretch w = {
        .r = r, .a = inside, .b = outside, .length = study_path_length(r, inside, outside)};
    before = study_stretch_glance(&w, -w.length);
  }
  study_path_locate(r, before ? before : inside, outside, &about);
  study_place_free(before);
  for (int i = 0; i < about.n; i++) {
    const double off = fabs(about.at[i].place->u[which] - end);
    if (off <= at_end * r->curve->weight[which] &&
        !study_found_is_known(r->curve, &about.at[i], found))
      base_push(found, about.at[i]);
    else
      study_found_free(&about.at[i]);
  }
  base_list_free(&about);
}
