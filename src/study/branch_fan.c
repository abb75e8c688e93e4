// Branches that leave a steady motion where several real eigenvalues go through zero at once.
//
// Symmetry makes that common: of a square, of a circle. The null space of the derivatives is more
// than a plane then, and its tangents are the roots of forms of degree two or three in it. They are
// found from directions all around: along each of them, at a small distance held, Newton's method
// leads to the branch nearest to it. Each arm is followed for itself, outwards. Where arms lie in
// nearly all directions they are one, turned by a symmetry, and one of them is followed.
#include "study/branch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_null = 3, around = 24, most_arms = 32 };
static const double vanishing = 1e-7;                       // singular values over the largest
static const double distances[] = {0.02, 5e-3, 1e-3, 2e-4}; // of arms, in the measure of the curve
static const double beside = 1e-4; // of the range: where the branch that arms leave is looked at
static const double stays = 1e-3;  // of a direction: what Newton's method may turn it by
static const double same = 0.02;   // directions of arms that are one

// what arms are looked for from
typedef struct fan
{
  study_linear* l;
  const study_branches_options* o;
  const bool* ignorable;
  const study_special* at;
  base_arena* arena;
  study_ways* ways;
  study_curve curve;
  double *u, *t; // the crossing, and the tangent of the branch that arms leave
  int null;
  double* plane;          // across that tangent, one row each, unit vectors
  int arms, looks, still; // directions tried, and those that arms lie in exactly
  double *arm, *way;      // places on them, and their directions in the plane
} fan;

static bool stand(const fan* f, const double* q, const double* v, double value)
{
  engine* e = f->l->e;
  engine_state(e, f->at->at->t, q, v);
  e->factored = false;
  return engine_given_move(e, f->l->param, value) && !study_linear_at(f->l);
}

static study_ways* ways_here(const fan* f, double value, double* u)
{
  const double range = f->o->to - f->o->from;
  const double aside = (value < (f->o->from + f->o->to) / 2 ? 1e-3 : -1e-3) * range;
  study_ways* w = study_ways_new(f->l, f->ignorable, 0, NULL, value, aside, f->arena, u);
  w->second = f->o->second;
  return w;
}

// Unit vectors of the null space across the tangent, into the plane; false where they are too many
// or none.
static bool span_plane(fan* f)
{
  study_curve* c = &f->curve;
  const int wide = c->wide, rows = c->rows;
  double *F = base_alloc(sizeof(double) * (size_t)(rows + 1)),
         *J = base_alloc(sizeof(double) * (size_t)(rows * wide + 1)),
         *T = base_alloc(sizeof(double) * (size_t)(rows * wide + 1)),
         *W = base_alloc(sizeof(double) * (size_t)(wide * wide)),
         *sigma = base_alloc(sizeof(double) * (size_t)(wide + rows)), most = 0;
  bool fine = !c->f(c->context, f->u, F, J);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < wide; j++) T[j * rows + i] = J[i * wide + j] * c->weight[j];
  if (fine) num_singular(wide, rows, T, W, sigma);
  for (int j = 0; j < wide; j++) most = fmax(most, sigma[j]);
  for (int k = 0; k < wide && fine; k++) {
    if (sigma[k] > vanishing * most) continue;
    double* row = f->plane + f->null * wide;
    for (int j = 0; j < wide; j++) row[j] = c->weight[j] * W[k * wide + j];
    for (int h = -1; h < f->null; h++) {
      const double* other = h < 0 ? f->t : f->plane + h * wide;
      const double share = study_curve_dot(c, row, other);
      for (int j = 0; j < wide; j++) row[j] -= share * other[j];
    }
    const double size = sqrt(study_curve_dot(c, row, row));
    if (size < 1e-3) continue;
    for (int j = 0; j < wide; j++) row[j] /= size;
    fine = ++f->null <= most_null;
  }
  free(F), free(J), free(T), free(W), free(sigma);
  return fine && f->null > 1;
}

// the direction of number k of those around, in the plane
static bool direction(const fan* f, int k, double* way)
{
  if (f->null == 2) {
    way[0] = cos(2 * M_PI * k / around + 0.1);
    way[1] = sin(2 * M_PI * k / around + 0.1);
    return k < around;
  }
  // of a cube: towards its faces, edges and corners
  double size = 0;
  for (int j = 0, left = k + (k >= 13); j < 3; j++, left /= 3) {
    way[j] = left % 3 - 1 + 0.05 * (j - 1);
    size += way[j] * way[j];
  }
  for (int j = 0; j < 3; j++) way[j] /= sqrt(size);
  return k < 26;
}

// The param for which the equations hold best at u, so that Newton's method leads to the arm that
// is nearest.
static void fit_param(study_curve* c, double* u)
{
  const int wide = c->wide, last = wide - 1;
  double *F = base_alloc(sizeof(double) * (size_t)(c->rows * (wide + 1) + 1)), *J = F + c->rows;
  double along = 0, size = 0;
  if (!c->f(c->context, u, F, J))
    for (int i = 0; i < c->rows; i++) {
      along += F[i] * J[i * wide + last];
      size += J[i * wide + last] * J[i * wide + last];
    }
  if (size > 0 && fabs(along / size) < c->weight[last]) u[last] -= along / size;
  free(F);
}

// the place on an arm next to the direction, where there is one, is kept if it is a new one
static void look_along(fan* f, const double* way)
{
  study_curve* c = &f->curve;
  const int wide = c->wide;
  double *u = base_alloc(sizeof(double) * (size_t)(2 * wide)), *row = u + wide, there[most_null];
  bool found = false;
  for (int j = 0; j < wide; j++)
    for (int h = 0; h < f->null; h++) row[j] += way[h] * f->plane[h * wide + j];
  for (size_t i = 0; i < sizeof distances / sizeof *distances && !found; i++) {
    const double far = distances[i];
    for (int j = 0; j < wide; j++) u[j] = f->u[j] + far * row[j];
    fit_param(c, u);
    if (!study_curve_correct(c, row, f->u, far, u)) continue;
    double size = 0, all = 0;
    for (int j = 0; j < wide; j++) u[j] -= f->u[j];
    for (int h = 0; h < f->null; h++) {
      there[h] = study_curve_dot(c, u, f->plane + h * wide);
      size += there[h] * there[h];
    }
    all = study_curve_dot(c, u, u);
    found = size > 0.25 * all && all < 9 * far * far;
    for (int h = 0; h < f->null; h++) there[h] /= sqrt(size);
  }
  double turned = 0;
  for (int h = 0; h < f->null && found; h++) turned += pow(there[h] - way[h], 2);
  f->looks++;
  f->still += found && turned < stays * stays;
  bool known = !found || f->arms == most_arms;
  for (int i = 0; i < f->arms && !known; i++) {
    double off = 0;
    for (int h = 0; h < f->null; h++) off += pow(there[h] - f->way[i * most_null + h], 2);
    known = off < same * same;
  }
  if (!known) {
    for (int j = 0; j < wide; j++) f->arm[f->arms * wide + j] = u[j] + f->u[j];
    memcpy(f->way + f->arms++ * most_null, there, sizeof(double) * (size_t)f->null);
  }
  free(u);
}

// the branch along an arm, outwards; null where it is none
static study_branches* follow(fan* f, const double* arm)
{
  const int n = f->l->n, last = f->curve.wide - 1;
  const double value = arm[last];
  if (value < f->o->from || value > f->o->to) return NULL;
  double* u = base_arena_take(f->arena, sizeof(double) * (size_t)(n * (n + 3)));
  if (!stand(f, arm, f->at->at->v, value)) return NULL;
  study_ways* w = ways_here(f, value, u);
  study_curve c = study_curve_new(w->c.wide, study_ways_rows(w), study_ways_at, w);
  study_road road = study_ways_road(f->o, f->l->e->model, w, &c);
  double* from = base_arena_take(f->arena, sizeof(double) * (size_t)(w->c.wide + 1));
  memcpy(from, u, sizeof(double) * (size_t)w->c.wide);
  memcpy(from, f->u, sizeof(double) * (size_t)n);
  from[w->c.wide - 1] = f->u[last];
  road.outwards = from;
  base_notes* quiet = base_notes_new();
  study_branches* out = study_branches_run(road, u, f->o, quiet);
  base_notes_free(quiet);
  study_curve_free(&c);
  study_ways_free(w);
  return out;
}

// The tangent of the branch that arms leave, from a motion of it a little aside; false where there
// is none.
static bool look_beside(fan* f, double aside)
{
  study_curve* c = &f->curve;
  const int wide = c->wide, last = wide - 1;
  double* row = base_alloc(sizeof(double) * (size_t)wide);
  memcpy(f->t, f->u, sizeof(double) * (size_t)wide);
  f->t[last] += aside * c->weight[last];
  row[last] = c->weight[last];
  const bool found = study_curve_correct(c, row, f->u, aside, f->t) > 0;
  free(row);
  for (int j = 0; j < wide; j++) f->t[j] -= f->u[j];
  const double size = sqrt(study_curve_dot(c, f->t, f->t));
  for (int j = 0; j < wide; j++) f->t[j] /= size;
  return found;
}

static bool open(fan* f)
{
  const int n = f->l->n;
  f->u = base_arena_take(f->arena, sizeof(double) * (size_t)(n * (n + 3)));
  if (!stand(f, f->at->at->q, f->at->at->v, f->at->value)) return false;
  f->ways = ways_here(f, f->at->value, f->u);
  f->curve = study_curve_new(f->ways->c.wide, study_ways_rows(f->ways), study_ways_at, f->ways);
  f->curve.plain = study_ways_plain;
  const int wide = f->curve.wide;
  study_curve_weigh(&f->curve, f->u, f->o->to - f->o->from);
  f->t = base_arena_take(f->arena, sizeof(double) * (size_t)(wide * (most_null + 2)));
  f->plane = f->t + wide;
  f->arm = base_arena_take(f->arena, sizeof(double) * (size_t)(wide * most_arms));
  f->way = base_arena_take(f->arena, sizeof(double) * (size_t)(most_null * most_arms));
  return (look_beside(f, beside) || look_beside(f, -beside)) && span_plane(f);
}

static void spread(study_branches* b, int branch, fan* f)
{
  double way[most_null];
  const bool fine = open(f);
  for (int k = 0; fine && direction(f, k, way); k++) look_along(f, way);
  // all around: one arm, turned
  if (2 * f->still > f->looks) f->arms = 1;
  b->more = b->more || !f->arms || b->count + f->arms > STUDY_MOST_BRANCHES;
  for (int i = 0; i < f->arms && b->count < STUDY_MOST_BRANCHES; i++) {
    study_branches* more = follow(f, f->arm + i * f->curve.wide);
    if (more) study_branches_append(b, more, branch, f->at->value);
  }
  if (f->ways) study_curve_free(&f->curve);
  study_ways_free(f->ways);
}

void study_branches_fan(study_branches* b, study_linear* l, const study_branches_options* o,
                        const bool* ignorable)
{
  for (int i = 0; i < b->count; i++)
    for (int k = 0; k < b->path[i].specials; k++) {
      const study_special* x = &b->path[i].special[k];
      if (x->several < 2 || !x->at || x->at->period > 0 || x->at->C) continue;
      fan f = {.l = l, .o = o, .ignorable = ignorable, .at = x, .arena = base_arena_new()};
      spread(b, i, &f);
      base_arena_free(f.arena);
    }
}
