// Between two places of a branch: what changes there, and where.
//
// Test functions (path_tests.c) tell how many special points there are; the stretch is halved until
// there is one, which is the root of its function along the branch.
#include "study/locus.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_depth = 40, around = 8, most_secants = 12 };
static const double crossing = 0.05; // singular value at a crossing against those around
static const double agreed = 1e-13;  // two polynomials about a crossing
static const double sharper = 0.1;   // what nearer places have to bring
static const double noisy = 1e-11;   // agreement that more distant ones are tried for
static const double widest = 0.9;    // first distance of places around a crossing, over the step
static const double near_root =
    0.05; // roots of polynomials from where the test is zero, over the step
static const double nearest = 1e-4; // places around a crossing, over the step
static const double level = 1e-10;  // part of a tangent that is along the param
static const double at_end = 1e-9;  // of the range: what is no further from its end

double study_path_length(const study_road* r, const study_place* a, const study_place* b)
{
  return study_curve_along(r->curve, a->t, a->u, b->u);
}

bool study_path_slopes(const study_road* r, const study_place* p)
{
  return fabs(p->t[r->curve->wide - 1]) > level;
}

// the cubic through the ends of the stretch, at s
static void cubic(const study_stretch* w, double s, double* u)
{
  const study_curve* c = w->r->curve;
  const double x = s / w->length, h = w->length, *a = w->a->u, *b = w->b->u;
  const double m = fmax(0.1, study_curve_dot(c, w->a->t, w->b->t)); // ds of a over ds of b
  const double h00 = (1 + 2 * x) * (1 - x) * (1 - x), h10 = x * (1 - x) * (1 - x);
  const double h01 = x * x * (3 - 2 * x), h11 = x * x * (x - 1);
  for (int j = 0; j < c->wide; j++)
    u[j] = h00 * a[j] + h10 * h * w->a->t[j] + h01 * b[j] + h11 * h / m * w->b->t[j];
}

// the place at s of the stretch, from that cubic; null where none is found
static study_place* place_within(const study_stretch* w, double s)
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
    if (turn == 0) cubic(w, s, u);
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
  study_place* p = place_within(w, s);
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

// Where two branches cross, places near by are ill determined. Some around, at a distance, are not:
// the root of the polynomial through them, and the unknowns there. They are taken as far apart as
// the polynomial is good, that is with the same root without the outermost two.
typedef struct nodes
{
  int count, wide;
  double g[around], *u; // values of the test, unknowns
} nodes;

static void take_nodes(const study_stretch* w, double s, double spacing, nodes* n)
{
  n->count = 0;
  for (int k = 0; k < around; k++) {
    const int side = k < around / 2 ? k - around / 2 : k - around / 2 + 1;
    study_place* p = study_stretch_glance(w, s + spacing * side);
    if (!p) continue;
    n->g[n->count] = study_stretch_test(w, p);
    memcpy(n->u + n->count * n->wide, p->u, sizeof(double) * (size_t)n->wide);
    n->count += isfinite(n->g[n->count]);
    study_place_free(p);
  }
}

// Lagrange's polynomials in the value of the test at zero, of nodes from `first` to before `last`
static void root_of_nodes(const nodes* n, int first, int last, double* root)
{
  memset(root, 0, sizeof(double) * (size_t)n->wide);
  for (int k = first; k < last; k++) {
    double share = 1;
    for (int h = first; h < last; h++)
      if (h != k) share *= n->g[h] / (n->g[h] - n->g[k]);
    for (int j = 0; j < n->wide; j++) root[j] += share * n->u[k * n->wide + j];
  }
}

// the unknowns are functions of the test: with another root among the nodes they are not
static bool is_monotone(const nodes* n)
{
  for (int k = 2; k < n->count; k++)
    if (!((n->g[k] - n->g[k - 1]) * (n->g[1] - n->g[0]) > 0)) return false;
  return true;
}

// the root of nodes with this spacing, and how well two polynomials agree on it; infinite: no root
static double root_about(const study_stretch* w, double s, double spacing, nodes* n, double* root)
{
  const study_curve* c = w->r->curve;
  double *inner = root + c->wide, off = 0;
  take_nodes(w, s, spacing * w->length, n);
  if (n->count < around || !is_monotone(n)) return INFINITY;
  root_of_nodes(n, 0, around, root);
  root_of_nodes(n, 1, around - 1, inner);
  for (int j = 0; j < c->wide; j++) off = fmax(off, fabs(root[j] - inner[j]) / c->weight[j]);
  return off;
}

// The place at s where none is determined well: Newton's, else the cubic itself, off by the fourth
// power of the step
static study_place* place_about(const study_stretch* w, double s)
{
  study_place* p = place_within(w, s);
  double* u = base_alloc(sizeof(double) * (size_t)w->r->curve->wide);
  if (!p) {
    cubic(w, s, u);
    p = study_place_new(w->r, u, w->a->t);
  }
  free(u);
  return p;
}

// is the root of a polynomial where the test changes its sign?
static bool is_there(const study_stretch* w, double s, const double* u)
{
  const double along = study_curve_along(w->r->curve, w->a->t, w->a->u, u);
  return fabs(along - s) < near_root * fabs(w->length);
}

// by the equations of the crossing itself; null where they have no root there
static study_place* place_defined(const study_stretch* w, double s)
{
  study_place* p = place_about(w, s);
  const study_place* beside = s > w->length / 2 ? w->a : w->b;
  double* u = base_alloc(sizeof(double) * (size_t)w->r->curve->wide);
  if (p) memcpy(u, p->u, sizeof(double) * (size_t)w->r->curve->wide);
  const bool found = p && study_curve_cross(w->r->curve, beside->u, u) && is_there(w, s, u);
  study_place_free(p);
  p = found ? study_place_new(w->r, u, w->a->t) : NULL;
  free(u);
  return p;
}

static study_place* place_of_crossing(const study_stretch* w, double s)
{
  const study_curve* c = w->r->curve;
  study_place* defined = place_defined(w, s);
  if (defined) return defined;
  nodes n = {.wide = c->wide};
  n.u = base_alloc(sizeof(double) * (size_t)(c->wide * (around + 3)));
  double *root = n.u + c->wide * around, *best = root + 2 * c->wide, least = INFINITY;
  // nearer ones are better by powers of their distance, or noisier
  for (double spacing = widest, worse = 0; spacing > nearest && worse < 2; spacing /= 3) {
    const double off = root_about(w, s, spacing, &n, root);
    worse = off < sharper * least || !isfinite(least) ? 0 : worse + 1;
    if (!(off < sharper * least)) continue;
    least = off;
    memcpy(best, root, sizeof(double) * (size_t)c->wide);
    if (least < agreed) break;
  }
  // where that is noise already, places further apart have less of it
  for (double spacing = 3 * widest; spacing < 10 * widest && least > noisy; spacing *= 3) {
    const double off = root_about(w, s, spacing, &n, root);
    if (!(off < least)) continue;
    least = off;
    memcpy(best, root, sizeof(double) * (size_t)c->wide);
  }
  const bool known = isfinite(least) && is_there(w, s, best);
  study_place* found = known ? study_place_new(w->r, best, w->a->t) : NULL;
  free(n.u);
  return found ? found : place_about(w, s);
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
  study_place* p = place_within(w, s);
  if (!p) return;
  study_place_free(f->place);
  f->place = p;
}

// the place of a special point, to be looked at closely later on where that is done
static study_place* special_place(const study_stretch* w, double s)
{
  switch (w->kind) {
  case STUDY_BRANCH:
    return place_of_crossing(w, s);
  case STUDY_FOLD:
  case STUDY_HOPF:
    return study_stretch_glance(w, s);
  default:
    return place_within(w, s);
  }
}

static void add_found(study_stretch* w, double s, study_founds* found)
{
  study_place* p = special_place(w, s);
  // the arms of a fork are a fold, too; at the crossing itself Newton's method may find no place
  const double usual = fmax(w->a->second, w->b->second);
  bool meets = w->kind == STUDY_FOLD && (!p || p->second < crossing * usual);
  if (meets) {
    study_place* sharp = place_of_crossing(w, s);
    meets = sharp && sharp->second < (p ? 0.2 * p->second : crossing * usual);
    const bool better = meets || !p;
    study_place_free(better ? p : sharp);
    p = better ? sharp : p;
  }
  if (!p) return;
  study_found f = {.kind = (study_kind)w->kind, .place = p, .idle = w->idle};
  f.measures = study_curve_measures(w->r->curve);
  f.before = study_test_unstable(w->a->at);
  f.behind = study_test_unstable(w->b->at);
  if (f.before == f.behind && w->kind == STUDY_BRANCH) {
    f.before = study_test_beyond(w->a->at, w->idle);
    f.behind = study_test_beyond(w->b->at, w->idle);
  }
  if (meets) f.kind = STUDY_BRANCH;
  const int last = w->r->curve->wide - 1;
  const double a = w->a->u[last] - p->u[last], b = w->b->u[last] - p->u[last];
  if (f.kind == STUDY_FOLD && a * b > 0) f.form = a < 0 ? "below" : "above";
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

static void locate(const study_road* r, const study_place* a, const study_place* b, int depth,
                   study_founds* found)
{
  bool which[STUDY_KINDS];
  const int count = changes(r, a, b, which);
  if (count == 0) return;
  study_stretch w = {.r = r, .a = a, .b = b, .length = study_path_length(r, a, b)};
  const int up = study_test_unstable(a->at), down = study_test_unstable(b->at);
  w.rank = up < down ? up : down;
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
    // nothing goes through where it is nothing on one side: two frequencies meet
    if (w.kind == STUDY_HOPF && !study_test_is_below((up < down ? a : b)->at, w.rank) &&
        study_test_has_partner((up < down ? b : a)->at, w.rank))
      w.kind = STUDY_KREIN;
    const double g[2] = {study_stretch_test(&w, a), study_stretch_test(&w, b)};
    const bool inside = g[0] * g[1] < 0;
    if (!inside && w.kind != STUDY_HOPF) continue;
    const double s =
        inside ? num_bracket(test_within, &w, 0, g[0], w.length, g[1], r->resolved * fabs(w.length))
               : root_outside(&w, g);
    if (isfinite(s)) add_found(&w, s, found);
    if (w.kind == STUDY_KREIN) w.kind = STUDY_HOPF;
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
