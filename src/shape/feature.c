// Features of two bodies that may touch next: all points where the sides that face each other
// overlap.
//
// Two convex bodies touch in the plane across the axis that parts them most (sides.c): a normal of
// a side of one of them, or across an edge of each. Along the normal of a side F the other body has
// its lowest corner, from there the edge that leans least, and on it the side G that leans less: so
// G holds whatever of that body touches F first, a corner, an edge or a side. Where F and G
// overlap, seen along the normal, the corners of that polygon are corners of G above F, corners of
// F below G, and crossings of their edges; they are the same whichever of the two sides leads. Each
// gap is positive while the bodies are apart: a corner or an edge of one of the sides lies straight
// above the other one.
#include "shape/inside.h"
#include "shape/small.h"
#include "shape/vec.h"

#include <string.h>

// ---- one feature --------------------------------------------------------------------------------

void shape_feature_tell(const shape_feature* f, double number[SHAPE_FEATURE_NUMBERS])
{
  const double* part[] = {f->a, f->b, f->u, f->v};
  for (int k = 0; k < 12; k++) number[k] = part[k / 3][k % 3];
  number[12] = f->of[0];
  number[13] = f->of[1];
}

bool shape_feature_is(const shape_feature* f, const double* number)
{
  double own[SHAPE_FEATURE_NUMBERS];
  shape_feature_tell(f, own);
  for (int k = 0; k < SHAPE_FEATURE_NUMBERS; k++)
    if (own[k] != number[k]) return false;
  return true;
}

void shape_feature_add(shape_features_search* s, const shape_feature* f)
{
  double number[SHAPE_FEATURE_NUMBERS];
  if (s->count == SHAPE_MOST_FEATURES) return;
  shape_feature_tell(f, number);
  for (int i = 0; i < s->count; i++)
    if (s->out[i].around == f->around && shape_feature_is(&s->out[i], number)) return;
  s->out[s->count++] = *f;
}

void shape_feature_side(const shape_form* f, int side, double u[3], double v[3])
{
  if (f->kind == SHAPE_PLANE) {
    for (int k = 0; k < 3; k++) u[k] = k == 0, v[k] = k == 1;
    return;
  }
  const int* c = f->loop + f->face[side].from;
  vec_sub(f->point[c[1]], f->point[c[0]], u);
  vec_unit(u);
  vec_cross(f->face[side].n, u, v);
}

// a corner of one above a side of the other
static void add_above(shape_features_search* s, bool of_b, int side, int corner)
{
  const shape_form *own = of_b ? s->b : s->a, *other = of_b ? s->a : s->b;
  shape_feature f;
  memset(&f, 0, sizeof f);
  f.of[0] = f.of[1] = !of_b;
  shape_feature_side(own, side, f.u, f.v);
  // the normal goes into A
  for (int k = 0; k < 3 && !of_b; k++) f.v[k] = -f.v[k];
  if (own->kind != SHAPE_PLANE)
    vec_copy(own->point[own->loop[own->face[side].from]], of_b ? f.b : f.a);
  vec_copy(other->point[corner], of_b ? f.a : f.b);
  shape_feature_add(s, &f);
}

void shape_feature_edges(shape_features_search* s, const double a[2][3], const double b[2][3],
                         const double n[3])
{
  double u[3], v[3], across[3];
  shape_feature f;
  memset(&f, 0, sizeof f);
  f.of[0] = 1;
  vec_copy(a[0], f.a);
  vec_copy(b[0], f.b);
  vec_sub(a[1], a[0], f.u);
  vec_sub(b[1], b[0], f.v);
  vec_unit(f.u);
  vec_unit(f.v);
  shape_pose_turn(s->A, f.u, u);
  shape_pose_turn(s->B, f.v, v);
  vec_cross(u, v, across);
  for (int k = 0; k < 3 && vec_dot(across, n) < 0; k++) f.v[k] = -f.v[k];
  shape_feature_add(s, &f);
}

double shape_feature_look(const shape_feature* f, const shape_form* a, const shape_pose* A,
                          const shape_form* b, const shape_pose* B, double normal[3], double at[3])
{
  const double* own[2] = {f->u, f->v};
  double x[3], y[3], d[3], way[2][3];
  shape_pose_point(A, f->a, x);
  shape_pose_point(B, f->b, y);
  vec_sub(x, y, d);
  for (int i = 0; i < 2; i++) shape_pose_turn(f->of[i] > 0 ? A : B, own[i], way[i]);
  const double ra = a->kind == SHAPE_HULL ? a->radius : 0,
               rb = b->kind == SHAPE_HULL ? b->radius : 0;
  if (f->around) {
    vec_along(d, -vec_dot(d, way[0]), way[0], normal);
    vec_along(normal, -vec_dot(d, way[1]), way[1], normal);
    const double gap = vec_unit(normal) - ra - rb;
    vec_along(f->of[0] > 0 ? y : x, f->of[0] > 0 ? rb : -ra, normal, at);
    return gap;
  }
  double across[3], side[3];
  vec_cross(way[0], way[1], across);
  vec_copy(across, normal);
  vec_unit(normal);
  vec_cross(way[1], d, side);
  const bool edges = f->of[0] > 0 && !(f->of[1] > 0);
  vec_along(f->of[0] > 0 && !edges ? y : x,
            edges ? vec_dot(side, across) / vec_dot(across, across) : 0, way[0], at);
  vec_along(at, -ra, normal, at);
  return vec_dot(normal, d) - ra - rb;
}

// ---- two sides ----------------------------------------------------------------------------------

// corners of a side around it, world axes
typedef struct outline
{
  const shape_form* f;
  int n;
  const int* name;
  double at[SHAPE_MOST_POINTS][3];
} outline;

static void draw(const shape_form* f, const shape_pose* F, int side, outline* out)
{
  out->f = f;
  out->n = f->kind == SHAPE_PLANE ? 0 : f->face[side].count;
  out->name = out->n ? f->loop + f->face[side].from : NULL;
  for (int i = 0; i < out->n; i++) shape_pose_point(F, f->point[out->name[i]], out->at[i]);
}

static void edge_of(const outline* o, int k, double way[3])
{
  vec_sub(o->at[(k + 1) % o->n], o->at[k], way);
}

// are both edges one direction, seen along n?
static bool are_parallel(const double u[3], const double v[3], const double n[3])
{
  double across[3];
  vec_cross(u, v, across);
  return fabs(vec_dot(across, n)) <= shape_crossing_sine * vec_length(u) * vec_length(v);
}

// How far corner i of one side is beyond edge k of another, seen along n, about which that one goes
// around against the clock; within rounding it is at the edge: zero
static double beyond(const outline* o, int i, const outline* on, int k, const double n[3],
                     double size)
{
  double way[3], out[3], r[3], own[2][3];
  edge_of(on, k, way);
  vec_cross(way, n, out);
  vec_unit(out);
  vec_sub(o->at[i], on->at[k], r);
  edge_of(o, i, own[0]);
  edge_of(o, (i + o->n - 1) % o->n, own[1]);
  const bool along = are_parallel(own[0], way, n) || are_parallel(own[1], way, n);
  const double by = vec_dot(out, r);
  return fabs(by) > (shape_standing + (along ? shape_crossing_sine : 0)) * size ? by : 0;
}

// is corner i of one side straight above or below the other?
static bool stands_on(const outline* o, int i, const outline* on, const double n[3], double size)
{
  for (int k = 0; k < on->n; k++)
    if (beyond(o, i, on, k, n, size) > 0) return false;
  return true;
}

// is there a corner of the other side at this place, seen along n?
static bool meets_corner(const double x[3], const outline* o, const double n[3], double size)
{
  for (int i = 0; i < o->n; i++) {
    double r[3];
    vec_sub(x, o->at[i], r);
    vec_along(r, -vec_dot(r, n), n, r);
    if (vec_length(r) <= 2 * shape_standing * size) return true;
  }
  return false;
}

// do edge i of one and edge j of the other cross between their ends? One that ends at the other has
// a corner there, which stands on that side.
static bool do_cross(const outline o[2], int i, int j, const double n[3], const double back[3],
                     double size)
{
  const double first = beyond(&o[0], i, &o[1], j, back, size),
               second = beyond(&o[0], (i + 1) % o[0].n, &o[1], j, back, size);
  if (!(first * second < 0)) return false;
  const double from = beyond(&o[1], j, &o[0], i, n, size),
               to = beyond(&o[1], (j + 1) % o[1].n, &o[0], i, n, size);
  return from * to < 0;
}

// the ends of an edge of a side, own axes, from the lower number to the higher
static void ends_of(const outline* o, int k, double out[2][3])
{
  const int i = o->name[k], j = o->name[(k + 1) % o->n];
  vec_copy(o->f->point[i < j ? i : j], out[0]);
  vec_copy(o->f->point[i < j ? j : i], out[1]);
}

// where both sides overlap; the first is of B, or of A
static void overlap(shape_features_search* s, bool of_b, const int side[2], const double n[3])
{
  const shape_form* form[2] = {of_b ? s->b : s->a, of_b ? s->a : s->b};
  const shape_pose* pose[2] = {of_b ? s->B : s->A, of_b ? s->A : s->B};
  const double size = fmin(s->a->reach, s->b->reach);
  double other[3], back[3], into[3];
  outline o[2];
  for (int i = 0; i < 2; i++) draw(form[i], pose[i], side[i], &o[i]);
  for (int k = 0; k < 3; k++) back[k] = -n[k], into[k] = of_b ? n[k] : -n[k];
  for (int i = 0; i < o[1].n; i++)
    if (stands_on(&o[1], i, &o[0], n, size)) add_above(s, of_b, side[0], o[1].name[i]);
  shape_pose_turn(pose[1], form[1]->face[side[1]].n, other);
  // a side upright on the first has corners and edges alone
  if (!(vec_dot(other, n) < -shape_crossing_sine)) return;
  for (int i = 0; i < o[0].n; i++)
    if (stands_on(&o[0], i, &o[1], back, size) && !meets_corner(o[0].at[i], &o[1], n, size))
      add_above(s, !of_b, side[1], o[0].name[i]);
  for (int i = 0; i < o[0].n; i++)
    for (int j = 0; j < o[1].n; j++) {
      double end[2][2][3];
      if (!do_cross(o, i, j, n, back, size)) continue;
      ends_of(&o[0], i, end[of_b]);
      ends_of(&o[1], j, end[!of_b]);
      shape_feature_edges(s, (const double(*)[3])end[0], (const double(*)[3])end[1], into);
    }
}

// ---- which sides --------------------------------------------------------------------------------

static bool has_edge(const shape_form* f, int side, const int edge[2])
{
  int found = 0;
  const int* c = f->loop + f->face[side].from;
  for (int k = 0; k < f->face[side].count; k++) found += c[k] == edge[0] || c[k] == edge[1];
  return found == 2;
}

// along n, world axes: the side on the edge that leans least from the lowest corner
static int facing_side(const shape_form* g, const shape_pose* G, const double n[3])
{
  double own[3], least = INFINITY;
  int low = 0, found = 0, edge[2] = {0, 0};
  shape_pose_turn_back(G, n, own);
  for (int i = 1; i < g->points; i++)
    if (vec_dot(own, g->point[i]) < vec_dot(own, g->point[low])) low = i;
  for (int k = 0; k < g->edges; k++) {
    if (g->edge[k][0] != low && g->edge[k][1] != low) continue;
    const double *x = g->point[low],
                 *y = g->point[g->edge[k][0] == low ? g->edge[k][1] : g->edge[k][0]];
    const double lean = (vec_dot(own, y) - vec_dot(own, x)) / vec_apart(x, y);
    if (!(lean < least)) continue;
    least = lean;
    memcpy(edge, g->edge[k], sizeof edge);
  }
  least = INFINITY;
  for (int i = 0; i < g->faces; i++) {
    if (!has_edge(g, i, edge) || !(vec_dot(own, g->face[i].n) < least)) continue;
    least = vec_dot(own, g->face[i].n);
    found = i;
  }
  return found;
}

static void above_side(shape_features_search* s, bool of_b, int side)
{
  const shape_form *f = of_b ? s->b : s->a, *g = of_b ? s->a : s->b;
  const shape_pose *F = of_b ? s->B : s->A, *G = of_b ? s->A : s->B;
  const double z[3] = {0, 0, 1};
  double n[3];
  shape_pose_turn(F, f->kind == SHAPE_PLANE ? z : f->face[side].n, n);
  overlap(s, of_b, (const int[2]){side, facing_side(g, G, n)}, n);
}

static void at_edges(shape_features_search* s, const shape_crossing* x)
{
  const shape_form* f[2] = {s->a, s->b};
  const shape_pose* F[2] = {s->A, s->B};
  double end[2][2][3];
  for (int i = 0; i < 2; i++) {
    double n[3], own[3];
    for (int k = 0; k < 3; k++) n[k] = i ? -x->n[k] : x->n[k];
    shape_pose_turn_back(F[i], n, own);
    const int edge = shape_lowest_edge(f[i], x->way[i], own);
    for (int k = 0; k < 2; k++) vec_copy(f[i]->point[f[i]->edge[edge][k]], end[i][k]);
  }
  shape_feature_edges(s, (const double(*)[3])end[0], (const double(*)[3])end[1], x->n);
}

static void features_of_sides(shape_features_search* s)
{
  int side_a = 0, side_b = 0;
  const double more = shape_edges_more * fmin(s->a->reach, s->b->reach);
  const double by_a = shape_part_by_sides(s->a, s->A, s->b, s->B, &side_a);
  const double by_b = shape_part_by_sides(s->b, s->B, s->a, s->A, &side_b);
  s->apart = fmax(by_a, by_b);
  if (s->apart > s->near) return;
  const shape_search search = {.a = s->a, .b = s->b, .A = s->A, .B = s->B};
  const shape_crossing x = shape_part_by_edges(&search);
  const bool across = x.apart > s->apart + more;
  s->apart = fmax(s->apart, x.apart);
  if (s->apart > s->near) return;
  if (across)
    at_edges(s, &x);
  else
    above_side(s, by_b >= by_a - more, by_b >= by_a - more ? side_b : side_a);
}

static void features_above_plane(shape_features_search* s)
{
  const double z[3] = {0, 0, 1};
  double n[3], own[3], d[3], low = INFINITY;
  shape_pose_turn(s->B, z, n);
  shape_pose_turn_back(s->A, n, own);
  vec_sub(s->A->p, s->B->p, d);
  for (int i = 0; i < s->a->points; i++) low = fmin(low, vec_dot(own, s->a->point[i]));
  s->apart = vec_dot(n, d) + low;
  if (s->apart <= s->near) above_side(s, true, 0);
}

// ---- who looks for them -------------------------------------------------------------------------

static bool is_round(const shape_form* f)
{
  return f->kind == SHAPE_HULL && f->radius > 0;
}

static bool has_sides(const shape_form* f)
{
  return f->kind == SHAPE_HULL && f->faces > 0;
}

typedef void searcher(shape_features_search* s);

static searcher* finder(const shape_form* a, const shape_form* b)
{
  if (has_sides(a) && b->kind == SHAPE_PLANE) return features_above_plane;
  if (has_sides(a) && has_sides(b)) return features_of_sides;
  if (is_round(a) && has_sides(b)) return shape_features_round;
  return is_round(a) && is_round(b) ? shape_features_capsules : NULL;
}

// of B and A instead of A and B; the normal goes into the other one
static void turn_around(shape_feature* f)
{
  const shape_feature x = *f;
  vec_copy(x.a, f->b);
  vec_copy(x.b, f->a);
  if (f->around) {
    f->of[0] = vec_dot(f->u, f->u) > 0 ? 1 - x.of[0] : 0;
    f->of[1] = vec_dot(f->v, f->v) > 0 ? 1 - x.of[1] : 0;
    return;
  }
  const bool edges = x.of[0] > 0 && !(x.of[1] > 0);
  if (!edges) {
    f->of[0] = f->of[1] = 1 - x.of[0];
    for (int k = 0; k < 3; k++) f->v[k] = -x.v[k];
    return;
  }
  // the axis of A first again: -(u x v) = v x u
  vec_copy(x.v, f->u);
  vec_copy(x.u, f->v);
}

int shape_features(const shape_form* a, const shape_pose* A, const shape_form* b,
                   const shape_pose* B, double near, double* apart, shape_feature* out)
{
  shape_features_search s = {a, b, A, B, near, INFINITY, 0, out};
  searcher* find = finder(a, b);
  const bool turned = !find;
  if (turned) {
    s = (shape_features_search){b, a, B, A, near, INFINITY, 0, out};
    find = finder(b, a);
  }
  if (find) find(&s);
  for (int i = 0; i < s.count && turned; i++) turn_around(&out[i]);
  *apart = s.apart;
  return s.count;
}
