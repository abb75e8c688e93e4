// Along a branch of motions: steps of pseudo-arclength.
//
// A step predicts along the tangent and corrects across it. It is taken where the tangent turns
// little and the way back leads to where it came from: another branch nearby would not. What lies
// between two points is looked for in path_between.c.
#include "study/locus.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double most_turning = 0.955; // cosine between two tangents
static const double shortest = 1e-9;      // step
static const double grazed = 1e-4;        // of the longest, where the motion grazes something
static const double nearly = 1.0 / 64;    // of the longest, where it is known why there is no other
static const double weak = 1e-3; // singular values: what is not told is not to be extrapolated
static const double parts =
    1e3; // multipliers: what is off the branch at the start grows so on the way
enum {
  most_level = 40,
  strides = 14,
  most_secants = 30
}; // of a family at one value of the param: points; its steps over others

// ---- places -------------------------------------------------------------------------------------

study_place* study_place_new(const study_road* r, const double* u, const double* before)
{
  const int wide = r->curve->wide;
  study_place* p = study_place_empty(wide);
  memcpy(p->u, u, sizeof(double) * (size_t)wide);
  p->second = study_curve_tangent(r->curve, p->u, before, p->t);
  p->l1 = NAN;
  if (isfinite(p->second)) p->at = r->look(r->context, p->u);
  if (p->at && r->locus) p->l1 = study_locus_lyapunov(r->locus, p->u, p->at);
  if (p->at) return p;
  study_place_free(p);
  return NULL;
}

// the param whose range is left first between a and p, and where that ends; -1: none
static int left_range(const study_road* r, const study_place* a, const study_place* p, double* end)
{
  const int last = r->curve->wide - 1;
  int left = -1;
  double first = INFINITY;
  for (int k = last; k >= last - (r->locus != NULL); k--) {
    const double from = k == last ? r->from : r->other_from, to = k == last ? r->to : r->other_to;
    if (!(p->u[k] > to || p->u[k] < from)) continue;
    const double border = p->u[k] > to ? to : from, way = p->u[k] - a->u[k];
    const double share = way != 0 ? (border - a->u[k]) / way : 0;
    if (!(share < first)) continue;
    first = share;
    left = k;
    *end = border;
  }
  return left;
}

// ---- steps --------------------------------------------------------------------------------------

// does the way back from b lead to a?
static bool leads_back(const study_road* r, const study_place* a, const study_place* b)
{
  const study_curve* c = r->curve;
  const double length = study_path_length(r, b, a);
  double *u = base_alloc(sizeof(double) * (size_t)c->wide), off = 0;
  for (int j = 0; j < c->wide; j++) u[j] = b->u[j] + length * b->t[j];
  const bool found = study_curve_correct(r->curve, b->t, b->u, length, u);
  for (int j = 0; j < c->wide; j++) off = fmax(off, fabs(u[j] - a->u[j]) / c->weight[j]);
  free(u);
  return found && off < 1e-6 * (1 + fabs(length));
}

// Along the cubic through the place before (null: none) and a, with their tangents, to the plane
// across the tangent at h. False where there is none.
static bool bend(const study_road* r, const study_place* before, const study_place* a, double h,
                 double* u)
{
  const study_curve* c = r->curve;
  const double length = before ? -study_path_length(r, a, before) : 0;
  if (!(length > 0) || h > 2 * length) return false;
  const double x = 1 + h / length, share = study_curve_dot(c, a->t, before->t);
  const double h00 = (1 + 2 * x) * (1 - x) * (1 - x), h10 = x * (1 - x) * (1 - x) * length;
  const double h01 = x * x * (3 - 2 * x), h11 = x * x * (x - 1) * length;
  if (share < most_turning || a->at->largest > parts || (c->plain && a->second < weak))
    return false;
  for (int j = 0; j < c->wide; j++)
    u[j] = h00 * before->u[j] + h10 * before->t[j] + h01 * a->u[j] + h11 * a->t[j] - a->u[j];
  const double along = h - study_curve_dot(c, a->t, u);
  for (int j = 0; j < c->wide; j++) u[j] += a->u[j] + along * a->t[j];
  return true;
}

// one step of length h from a; null where it is too long
static study_place* step(const study_road* r, const study_place* before, const study_place* a,
                         double h, int* turns)
{
  const study_curve* c = r->curve;
  double* u = base_alloc(sizeof(double) * (size_t)(3 * c->wide));
  double *told = u + c->wide, *curved = told + c->wide;
  for (int j = 0; j < c->wide; j++) u[j] = told[j] = a->u[j] + h * a->t[j];
  const bool bent = bend(r, before, a, h, u);
  memcpy(curved, u, sizeof(double) * (size_t)c->wide);
  study_place* p = NULL;
  if ((*turns = study_curve_correct(r->curve, a->t, a->u, h, u)) > 0)
    p = study_place_new(r, u, a->t);
  if (p) {
    const double turning = study_curve_dot(c, a->t, p->t);
    for (int j = 0; j < c->wide; j++) told[j] -= p->u[j];
    for (int j = 0; j < c->wide; j++) curved[j] -= p->u[j];
    const double off = sqrt(study_curve_dot(c, told, told));
    const double missed = sqrt(study_curve_dot(c, curved, curved));
    const bool plain = *turns <= 3 && (turning > 0.999 || (bent && missed < 0.01 * fabs(h)));
    if (turning < most_turning || off > 0.3 * fabs(h) || !(plain || leads_back(r, a, p))) {
      study_place_free(p);
      p = NULL;
    }
  }
  free(u);
  return p;
}

// The place at a value of an unknown by the planes across the tangent at a: where that is nearly
// level, as next to a fold, the way along the branch tells places apart and the value does not. By
// secants that keep both sides (Illinois), then with the value itself.
static bool near_value(const study_road* r, const study_place* a, const study_place* b, int last,
                       double value, double* u)
{
  study_stretch w = {.r = r, .a = a, .b = b, .length = study_path_length(r, a, b)};
  double s[2] = {0, w.length}, off[2] = {a->u[last] - value, b->u[last] - value};
  const double close = 1e-3 * fabs(off[1] - off[0]);
  bool found = false;
  for (int turn = 0, side = -1; turn < most_secants && off[0] * off[1] < 0 && !found; turn++) {
    const double at = (s[0] * off[1] - s[1] * off[0]) / (off[1] - off[0]);
    study_place* p = study_stretch_glance(&w, at);
    if (!p) break;
    const double now = p->u[last] - value;
    const int k = now * off[0] > 0 ? 0 : 1;
    if (k == side) off[1 - k] /= 2;
    side = k;
    s[k] = at;
    off[k] = now;
    found = fabs(now) < close;
    memcpy(u, p->u, sizeof(double) * (size_t)r->curve->wide);
    study_place_free(p);
  }
  return found;
}

study_place* study_path_at(const study_road* r, const study_place* a, const study_place* b,
                           int last, double value)
{
  const study_curve* c = r->curve;
  double *u = base_alloc(sizeof(double) * (size_t)(2 * c->wide)), *row = u + c->wide;
  const double x = (value - a->u[last]) / (b->u[last] - a->u[last]);
  for (int j = 0; j < c->wide; j++) u[j] = a->u[j] + x * (b->u[j] - a->u[j]);
  row[last] = c->weight[last];
  const double along = (value - a->u[last]) / c->weight[last];
  study_place* p = NULL;
  if (study_curve_correct(r->curve, row, a->u, along, u) ||
      (near_value(r, a, b, last, value, u) && study_curve_correct(r->curve, row, a->u, along, u))) {
    u[last] = value;
    p = study_place_new(r, u, a->t);
  }
  free(u);
  return p;
}

void study_path_grid(const study_road* r, const study_place* start, const study_places* list,
                     int count, const double* value, study_stability** grid)
{
  const int last = r->curve->wide - 1;
  const study_place* a = start;
  double way = 0;
  for (int i = 0; i < list->n; i++) {
    const study_place* b = list->at[i];
    const double d = b->u[last] - a->u[last];
    if (way * d < 0) break;
    way = d;
    for (int k = 0; k < count; k++) {
      const double x = (value[k] - a->u[last]) / d;
      if (grid[k] || !(x >= -1e-12 && x <= 1 + 1e-12)) continue;
      study_place* p = study_path_at(r, a, b, last, value[k]);
      if (!p) continue;
      grid[k] = p->at;
      p->at = NULL;
      study_place_free(p);
    }
    a = b;
  }
}

static bool has_closed(const study_road* r, const study_place* start, const study_place* p,
                       double h, int points)
{
  const study_curve* c = r->curve;
  const double along = study_curve_along(c, start->t, start->u, p->u);
  if (points <= 4 || !(fabs(along) < h)) return false;
  double square = 0;
  for (int j = 0; j < c->wide; j++) square += pow((p->u[j] - start->u[j]) / c->weight[j], 2);
  const double off = sqrt(square);
  return off < h && fabs(along) < h && off * off - along * along < 0.01 * h * h &&
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

static bool has_doubled(const study_founds* found, int from)
{
  for (int i = from; i < found->n; i++)
    if (found->at[i].kind == STUDY_DOUBLING) return true;
  return false;
}

// does the last one found stand for a place where eigenvalues grow beyond bounds? It is dropped
static bool drop_pole(study_founds* found, int from)
{
  if (found->n <= from || !found->at[found->n - 1].pole) return false;
  study_found_free(&found->at[--found->n]);
  return true;
}

// the step below which there is none next to the last: where it is known why, that is soon told;
// where the motion grazes something, the end is extrapolated from places about it
static double least_step(const study_road* r)
{
  bool grazes = false;
  const bool told = r->why && r->why(r->context, &grazes);
  if (!told || (grazes && !r->touch)) return shortest;
  return (grazes ? grazed : nearly) * r->longest;
}

// The param does not change over many points: a family at one value, which has no end, or, where
// the period grows, one that comes nearer and nearer to a motion from a state of rest to such a
// one.
static const char* stands(const study_road* r, const study_places* points, int before)
{
  if (r->locus || points->n - before < most_level) return NULL;
  study_place* const* last = points->at + points->n - most_level;
  for (int k = 0; k < most_level; k++)
    if (study_path_slopes(r, last[k])) return NULL;
  const double grown = last[most_level - 1]->at->period / last[0]->at->period;
  return grown > 1.1
             ? "the period grows at one value of the param, towards a motion from rest to rest"
             : "it is a family of motions at one value of the param";
}

// why a branch of so many points is not followed further; null: it is
static const char* is_enough(const study_road* r, int points)
{
  if (points >= r->most) return "as many points as are wanted";
  const bool spent = r->work && r->work(r->context) > r->most_work;
  return spent ? "as much work as is allowed is done" : NULL;
}

// over a family at one value of the param there is no range to be divided
static double longest_step(const study_road* r, const study_place* p)
{
  return r->locus || study_path_slopes(r, p) ? r->longest : strides * r->longest;
}

// The place b behind a, or the end of the range between them, with what is special up to there and
// at that end; null where a is that end itself.
static study_place* within_range(const study_road* r, const study_place* before,
                                 const study_place* a, study_place* b, study_founds* found,
                                 const char** why)
{
  double end = 0;
  const int beyond = left_range(r, a, b, &end);
  study_place* outside = beyond < 0 ? NULL : b;
  if (outside) {
    const bool there = fabs(a->u[beyond] - end) < 1e-12 * r->curve->weight[beyond];
    b = there ? NULL : study_path_at(r, a, outside, beyond, end);
    if (there) study_path_end(r, a, outside, beyond, end, found);
    *why = "the range of the param ends";
  }
  if (b) study_path_dip(r, before, a, b, found);
  if (b) study_path_locate(r, a, b, found);
  if (b && outside) study_path_end(r, b, outside, beyond, end, found);
  study_place_free(outside);
  return b;
}

const char* study_path_walk(const study_road* r, study_place* start, bool back,
                            study_places* points, study_founds* found)
{
  // the start seen backwards shares its motion
  double* measures = study_curve_measures(r->curve);
  void* mark = study_path_mark(r);
  scale_to_one(r->curve, start->t);
  study_place* first = back ? study_place_turned(r, start) : start;
  study_place *a = first, *before_last = NULL;
  const char* why = NULL;
  double h = r->longest / 4;
  const int before = points->n, founds_before = found->n;
  int behind = 0;
  while (!why) {
    int turns = 0;
    study_place* b = step(r, before_last, a, h, &turns);
    if (!b) {
      h /= 2;
      if (h < least_step(r)) why = study_path_add_end(r, points, a, found);
      continue;
    }
    b = within_range(r, before_last, a, b, found, &why);
    if (b && drop_pole(found, founds_before)) {
      study_place_free(b);
      b = NULL;
      why = "the equations have no values at the next motion";
    }
    if (!b) break;
    const bool closed = has_closed(r, first, b, h, points->n - before);
    base_push(points, b);
    if (closed) {
      why = "the branch is closed";
      study_place* again = study_place_new(r, first->u, b->t);
      if (again) {
        study_path_locate(r, b, again, found);
        base_push(points, again);
      }
    }
    if (r->locus && study_locus_ends(r->locus, found, founds_before))
      why = "the pair is real: saddles follow";
    if (r->behind && has_doubled(found, founds_before) && ++behind > r->behind)
      why = "its period doubles: motions of the next period are followed there";
    if (!why) why = stands(r, points, before);
    if (is_enough(r, points->n - before)) why = is_enough(r, points->n - before);
    if (turns <= 4 && study_curve_dot(r->curve, a->t, b->t) > 0.99)
      h = fmin(1.5 * h, longest_step(r, b));
    weigh_again(r, first, b);
    study_curve_measure(r->curve, b->u);
    before_last = a;
    a = b;
  }
  study_curve_restore(r->curve, measures);
  free(measures);
  study_path_recall(r, mark);
  if (back) {
    first->at = NULL;
    study_place_free(first);
  }
  return why;
}

// ---- the start ----------------------------------------------------------------------------------

static const double crossed = 1e-7; // second singular value: below it two branches meet
static const double beside = 0.1;   // of the longest step: where one of the two is looked for
static const double noise = 1e-6;   // derivatives at the start over those beside it

// from u to a motion at a value of the param a little aside; false where none is found
static bool look_beside(const study_road* r, const double* u, double aside, double* way)
{
  const int wide = r->curve->wide, last = wide - 1;
  double *v = base_alloc(sizeof(double) * (size_t)(2 * wide)), *row = v + wide;
  memcpy(v, u, sizeof(double) * (size_t)wide);
  row[last] = r->curve->weight[last];
  v[last] += aside * r->curve->weight[last];
  const bool found = study_curve_correct(r->curve, row, u, aside, v);
  for (int j = 0; j < wide; j++) way[j] = v[j] - u[j];
  free(v);
  return found;
}

// Where all derivatives of an equation vanish but for rounding, they are no measure of it: those a
// little aside are.
static void measure_beside(const study_road* r, const double* u)
{
  study_curve* c = r->curve;
  const int wide = c->wide, last = wide - 1;
  double *v = base_alloc(sizeof(double) * (size_t)wide), *measures = study_curve_measures(c);
  memcpy(v, u, sizeof(double) * (size_t)wide);
  v[last] += (u[last] < (r->from + r->to) / 2 ? 1 : -1) * beside * r->longest * c->weight[last];
  study_curve_measure(c, v);
  bool rounded = false;
  for (int i = 0; i < c->rows; i++) rounded |= measures[wide + i] < noise * c->size[i];
  if (!rounded) study_curve_restore(c, measures);
  free(measures);
  free(v);
}

study_place* study_path_start(const study_road* r, const double* u)
{
  const int wide = r->curve->wide, last = wide - 1;
  double *v = base_alloc(sizeof(double) * (size_t)(3 * wide)), *row = v + wide, *way = row + wide;
  memcpy(v, u, sizeof(double) * (size_t)wide);
  row[last] = r->curve->weight[last];
  measure_beside(r, u);
  study_place* p = study_curve_correct(r->curve, row, u, 0, v) ? study_place_new(r, v, NULL) : NULL;
  const double h = beside * r->longest;
  if (p && p->second < crossed && (look_beside(r, v, h, way) || look_beside(r, v, -h, way))) {
    study_place_free(p);
    p = study_place_new(r, v, way);
  }
  free(v);
  return p;
}

void study_path_join(const study_road* r, const study_place* behind, study_place* ahead,
                     const study_founds* known, study_founds* found)
{
  study_founds about = {0};
  int fresh = 0;
  study_place* a = study_place_turned(r, behind);
  scale_to_one(r->curve, a->t);
  scale_to_one(r->curve, ahead->t);
  double* measures = study_curve_measures(r->curve);
  study_curve_measure(r->curve, ahead->u);
  study_path_locate(r, a, ahead, &about);
  study_curve_restore(r->curve, measures);
  free(measures);
  for (int i = 0; i < about.n; i++) {
    if (study_found_is_known(r->curve, &about.at[i], known) ||
        study_found_is_known(r->curve, &about.at[i], found)) {
      study_found_free(&about.at[i]);
      continue;
    }
    base_push(found, about.at[i]);
    for (int k = found->n - 1; k > fresh; k--) found->at[k] = found->at[k - 1];
    found->at[fresh++] = about.at[i];
  }
  base_list_free(&about);
  a->at = NULL;
  study_place_free(a);
}
