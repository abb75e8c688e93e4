// Along a branch of motions: steps of pseudo-arclength, and what lies between two of them.
//
// A step predicts along the tangent and corrects across it. It is taken where the tangent turns
// little and the way back leads to where it came from: another branch nearby would not. Between two
// points the test functions (path_tests.c) tell how many special points there are; the stretch is
// halved until there is one, which is the root of its function along the branch.
#include "study/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_depth = 40, around = 8 };
static const double most_turning = 0.955; // cosine between two tangents
static const double shortest = 1e-9;      // step
static const double crossing = 0.05;      // singular value at a crossing against those around
static const double agreed = 1e-13;       // two polynomials about a crossing
static const double resolved = 1e-13;     // roots along the branch, over the step

// ---- places -------------------------------------------------------------------------------------

static study_place* place_empty(int wide)
{
  study_place* p = base_alloc(sizeof *p);
  p->u = base_alloc(sizeof(double) * (size_t)(2 * wide));
  p->t = p->u + wide;
  return p;
}

study_place* study_place_new(const study_road* r, const double* u, const double* before)
{
  const int wide = r->curve->wide;
  study_place* p = place_empty(wide);
  memcpy(p->u, u, sizeof(double) * (size_t)wide);
  p->second = study_curve_tangent(r->curve, p->u, before, p->t);
  if (isfinite(p->second)) p->at = r->look(r->context, p->u);
  if (p->at) return p;
  study_place_free(p);
  return NULL;
}

void study_place_free(study_place* p)
{
  if (!p) return;
  study_stability_free(p->at);
  free(p->u);
  free(p);
}

static double param(const study_road* r, const study_place* p)
{
  return p->u[r->curve->wide - 1];
}

// ---- between two places -------------------------------------------------------------------------

// a stretch of the branch, by the way along the tangent of its first end
typedef struct stretch
{
  const study_road* r;
  const study_place *a, *b;
  double length;
  int kind, rank, idle;
  double size;
} stretch;

static double length_of(const study_road* r, const study_place* a, const study_place* b)
{
  double* d = base_alloc(sizeof(double) * (size_t)r->curve->wide);
  for (int j = 0; j < r->curve->wide; j++) d[j] = b->u[j] - a->u[j];
  const double length = study_curve_dot(r->curve, a->t, d);
  free(d);
  return length;
}

// the place at s of the stretch, from the cubic through its ends; null where none is found
static study_place* place_within(const stretch* w, double s)
{
  const study_curve* c = w->r->curve;
  const double x = s / w->length, h = w->length;
  const double m = fmax(0.1, study_curve_dot(c, w->a->t, w->b->t)); // ds of a over ds of b
  double* u = base_alloc(sizeof(double) * (size_t)c->wide);
  const double h00 = (1 + 2 * x) * (1 - x) * (1 - x), h10 = x * (1 - x) * (1 - x);
  const double h01 = x * x * (3 - 2 * x), h11 = x * x * (x - 1);
  for (int j = 0; j < c->wide; j++)
    u[j] = h00 * w->a->u[j] + h10 * h * w->a->t[j] + h01 * w->b->u[j] + h11 * h / m * w->b->t[j];
  study_place* p = NULL;
  if (study_curve_correct(w->r->curve, w->a->t, w->a->u, s, u))
    p = study_place_new(w->r, u, w->a->t);
  free(u);
  return p;
}

static double test(const stretch* w, const study_place* p)
{
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

static double test_within(void* context, double s)
{
  const stretch* w = context;
  study_place* p = place_within(w, s);
  const double g = p ? test(w, p) : NAN;
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

static void take_nodes(const stretch* w, double s, double spacing, nodes* n)
{
  n->count = 0;
  for (int k = 0; k < around; k++) {
    const int side = k < around / 2 ? k - around / 2 : k - around / 2 + 1;
    study_place* p = place_within(w, s + spacing * side);
    if (!p) continue;
    n->g[n->count] = test(w, p);
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

static study_place* place_of_crossing(const stretch* w, double s)
{
  const study_curve* c = w->r->curve;
  nodes n = {.wide = c->wide};
  n.u = base_alloc(sizeof(double) * (size_t)(c->wide * (around + 3)));
  double *root = n.u + c->wide * around, *inner = root + c->wide, *best = inner + c->wide;
  double least = INFINITY;
  for (double spacing = 0.9; spacing > 0.02 && least > agreed; spacing /= 3) {
    take_nodes(w, s, spacing * w->length, &n);
    if (n.count < around) continue;
    root_of_nodes(&n, 0, around, root);
    root_of_nodes(&n, 1, around - 1, inner);
    double off = 0;
    for (int j = 0; j < c->wide; j++) off = fmax(off, fabs(root[j] - inner[j]) / c->weight[j]);
    if (!(off < least)) continue;
    least = off;
    memcpy(best, root, sizeof(double) * (size_t)c->wide);
  }
  study_place* found = isfinite(least) ? study_place_new(w->r, best, w->a->t) : NULL;
  free(n.u);
  return found ? found : place_within(w, s);
}

static void add_found(stretch* w, double s, study_founds* found)
{
  study_place* p = w->kind == STUDY_BRANCH ? place_of_crossing(w, s) : place_within(w, s);
  // the arms of a fork are a fold, too
  bool meets =
      w->kind == STUDY_FOLD && p && p->second < crossing * fmax(w->a->second, w->b->second);
  if (meets) {
    study_place* sharp = place_of_crossing(w, s);
    meets = sharp && sharp->second < 0.2 * p->second;
    study_place_free(meets ? p : sharp);
    p = meets ? sharp : p;
  }
  if (!p) return;
  study_found f = {.kind = (study_kind)w->kind, .place = p};
  f.measures = study_curve_measures(w->r->curve);
  f.before = study_test_unstable(w->a->at);
  f.behind = study_test_unstable(w->b->at);
  if (meets) f.kind = STUDY_BRANCH;
  if (w->kind == STUDY_HOPF || w->kind == STUDY_TORUS) study_test_growth(p->at, w->rank, &f.im);
  if (w->kind == STUDY_KREIN) f.im = study_test_meeting(p->at);
  base_push(found, f);
}

// which of the tests change between the ends; how many
static int changes(const study_road* r, const study_place* a, const study_place* b, bool* which)
{
  const int last = r->curve->wide - 1;
  const bool orbit = a->at->period > 0;
  const int idle = study_test_idle(a->at) < study_test_idle(b->at) ? study_test_idle(a->at)
                                                                   : study_test_idle(b->at);
  const double size = study_test_size(a->at);
  const double one =
      study_test_product(a->at, 1, idle, size) * study_test_product(b->at, 1, idle, size);
  memset(which, 0, STUDY_KINDS);
  which[STUDY_FOLD] = a->t[last] * b->t[last] < 0;
  which[STUDY_BRANCH] = one < 0 && !which[STUDY_FOLD];
  which[STUDY_DOUBLING] =
      orbit && study_test_product(a->at, -1, 0, 1) * study_test_product(b->at, -1, 0, 1) < 0;
  which[STUDY_GRAZING] = a->at->way != b->at->way;
  const int more = abs(study_test_unstable(a->at) - study_test_unstable(b->at));
  const int explained = (one < 0) + which[STUDY_DOUBLING];
  which[orbit ? STUDY_TORUS : STUDY_HOPF] = more > explained && (more - explained) % 2 == 0;
  int count = 0;
  for (int k = 0; k < STUDY_KINDS; k++) count += which[k];
  return count;
}

static void locate(const study_road* r, const study_place* a, const study_place* b, int depth,
                   study_founds* found);

static void halve(const stretch* w, int depth, study_founds* found)
{
  study_place* p = place_within(w, w->length / 2);
  if (!p) return;
  locate(w->r, w->a, p, depth + 1, found);
  locate(w->r, p, w->b, depth + 1, found);
  study_place_free(p);
}

static void locate(const study_road* r, const study_place* a, const study_place* b, int depth,
                   study_founds* found)
{
  bool which[STUDY_KINDS];
  const int count = changes(r, a, b, which);
  if (count == 0) return;
  stretch w = {.r = r, .a = a, .b = b, .length = length_of(r, a, b)};
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
    if (w.kind == STUDY_HOPF && !study_test_is_below((up < down ? a : b)->at, w.rank))
      w.kind = STUDY_KREIN;
    const double g[2] = {test(&w, a), test(&w, b)};
    if (!(g[0] * g[1] < 0)) continue;
    const double s =
        num_bracket(test_within, &w, 0, g[0], w.length, g[1], resolved * fabs(w.length));
    add_found(&w, s, found);
    if (w.kind == STUDY_KREIN) w.kind = STUDY_HOPF;
  }
}

// ---- steps --------------------------------------------------------------------------------------

// does the way back from b lead to a?
static bool leads_back(const study_road* r, const study_place* a, const study_place* b)
{
  const study_curve* c = r->curve;
  const double length = length_of(r, b, a);
  double *u = base_alloc(sizeof(double) * (size_t)c->wide), off = 0;
  for (int j = 0; j < c->wide; j++) u[j] = b->u[j] + length * b->t[j];
  const bool found = study_curve_correct(r->curve, b->t, b->u, length, u);
  for (int j = 0; j < c->wide; j++) off = fmax(off, fabs(u[j] - a->u[j]) / c->weight[j]);
  free(u);
  return found && off < 1e-6 * (1 + fabs(length));
}

// one step of length h from a; null where it is too long
static study_place* step(const study_road* r, const study_place* a, double h, int* turns)
{
  const study_curve* c = r->curve;
  double *u = base_alloc(sizeof(double) * (size_t)(2 * c->wide)), *told = u + c->wide;
  for (int j = 0; j < c->wide; j++) u[j] = told[j] = a->u[j] + h * a->t[j];
  study_place* p = NULL;
  if ((*turns = study_curve_correct(r->curve, a->t, a->u, h, u)) > 0)
    p = study_place_new(r, u, a->t);
  if (p) {
    const double turning = study_curve_dot(c, a->t, p->t);
    for (int j = 0; j < c->wide; j++) told[j] -= p->u[j];
    const double off = sqrt(study_curve_dot(c, told, told));
    const bool plain = turning > 0.999 && *turns <= 3;
    if (turning < most_turning || off > 0.3 * fabs(h) || !(plain || leads_back(r, a, p))) {
      study_place_free(p);
      p = NULL;
    }
  }
  free(u);
  return p;
}

// the place where the param has the value, between two
study_place* study_path_at(const study_road* r, const study_place* a, const study_place* b,
                           double value)
{
  const study_curve* c = r->curve;
  const int last = c->wide - 1;
  double *u = base_alloc(sizeof(double) * (size_t)(2 * c->wide)), *row = u + c->wide;
  const double x = (value - a->u[last]) / (b->u[last] - a->u[last]);
  for (int j = 0; j < c->wide; j++) u[j] = a->u[j] + x * (b->u[j] - a->u[j]);
  row[last] = c->weight[last];
  study_place* p = NULL;
  if (study_curve_correct(r->curve, row, a->u, (value - a->u[last]) / c->weight[last], u)) {
    u[last] = value;
    p = study_place_new(r, u, a->t);
  }
  free(u);
  return p;
}

static bool has_closed(const study_road* r, const study_place* start, const study_place* p,
                       double h, int points)
{
  const study_curve* c = r->curve;
  double* d = base_alloc(sizeof(double) * (size_t)c->wide);
  for (int j = 0; j < c->wide; j++) d[j] = p->u[j] - start->u[j];
  const double off = sqrt(study_curve_dot(c, d, d)), along = study_curve_dot(c, start->t, d);
  free(d);
  return points > 4 && off < h && fabs(along) < h && off * off - along * along < 0.01 * h * h &&
         fabs(study_curve_dot(c, start->t, p->t)) > 0.99;
}

static void scale_to_one(const study_curve* c, double* t)
{
  const double size = sqrt(study_curve_dot(c, t, t));
  for (int j = 0; j < c->wide; j++) t[j] /= size;
}

// Unknowns that have become larger than what they are measured by are measured by themselves.
static void weigh_again(const study_road* r, study_place* start, study_place* p)
{
  const study_curve* c = r->curve;
  bool more = false;
  for (int j = 0; j < c->wide - 1; j++) {
    if (fabs(p->u[j]) <= 2 * c->weight[j]) continue;
    c->weight[j] = 4 * fabs(p->u[j]);
    more = true;
  }
  if (!more) return;
  scale_to_one(c, p->t);
  scale_to_one(c, start->t);
}

static study_place* turned(const study_road* r, const study_place* p)
{
  const int wide = r->curve->wide;
  study_place* out = place_empty(wide);
  memcpy(out->u, p->u, sizeof(double) * (size_t)wide);
  for (int j = 0; j < wide; j++) out->t[j] = -p->t[j];
  out->second = p->second;
  out->at = p->at;
  return out;
}

static bool has_doubled(const study_founds* found, int from)
{
  for (int i = from; i < found->n; i++)
    if (found->at[i].kind == STUDY_DOUBLING) return true;
  return false;
}

// the branch ends at a: it is a special point where the motion grazes something
static const char* add_end(const study_road* r, const study_place* a, study_founds* found)
{
  bool grazes = false;
  const char* why = r->why ? r->why(r->context, &grazes) : NULL;
  if (!why) return "no further motion was found next to the last";
  if (!grazes) return why;
  study_found f = {.kind = STUDY_GRAZING, .place = study_place_new(r, a->u, a->t)};
  f.measures = study_curve_measures(r->curve);
  f.before = f.behind = study_test_unstable(a->at);
  if (f.place) base_push(found, f);
  return why;
}

const char* study_path_walk(const study_road* r, study_place* start, bool back,
                            study_places* points, study_founds* found)
{
  // the start seen backwards shares its motion
  double* measures = study_curve_measures(r->curve);
  scale_to_one(r->curve, start->t);
  study_place* first = back ? turned(r, start) : start;
  study_place* a = first;
  const char* why = NULL;
  double h = r->longest / 4;
  const int before = points->n, founds_before = found->n;
  int behind = 0;
  while (!why) {
    int turns = 0;
    study_place* b = step(r, a, h, &turns);
    if (!b) {
      h /= 2;
      if (h < shortest) why = add_end(r, a, found);
      continue;
    }
    const double p = param(r, b), end = p > r->to ? r->to : r->from;
    if (p > r->to || p < r->from) {
      const bool there = fabs(param(r, a) - end) < 1e-12 * (r->to - r->from);
      study_place* last = there ? NULL : study_path_at(r, a, b, end);
      study_place_free(b);
      b = last;
      why = "the range of the param ends";
      if (!b) break;
    }
    locate(r, a, b, 0, found);
    const bool closed = has_closed(r, first, b, h, points->n - before);
    base_push(points, b);
    if (closed) {
      why = "the branch is closed";
      study_place* again = study_place_new(r, first->u, b->t);
      if (again) {
        locate(r, b, again, 0, found);
        base_push(points, again);
      }
    }
    if (r->behind && has_doubled(found, founds_before) && ++behind > r->behind)
      why = "its period doubles: motions of the next period are followed there";
    if (points->n - before >= r->most) why = "as many points as are wanted";
    if (turns <= 4 && study_curve_dot(r->curve, a->t, b->t) > 0.99) h = fmin(1.5 * h, r->longest);
    weigh_again(r, first, b);
    study_curve_measure(r->curve, b->u);
    a = b;
  }
  study_curve_restore(r->curve, measures);
  free(measures);
  if (back) {
    first->at = NULL;
    study_place_free(first);
  }
  return why;
}
