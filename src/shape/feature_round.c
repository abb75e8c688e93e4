// Features of spheres and capsules: their ends and axes beside hulls and each other.
//
// Each end is beside one side, edge or corner of the other body. The axis of a capsule crosses
// edges: the nearest one, and those of the side that it leans to least where it lies above that,
// so that it may lie on two of them; or it passes a corner. All of these are distances between
// parts of the bodies, none is less than that of the bodies themselves.
#include "shape/inside.h"
#include "shape/small.h"
#include "shape/vec.h"

#include <string.h>

static void between(double p[2][3], double share, double out[3])
{
  for (int k = 0; k < 3; k++) out[k] = p[0][k] + share * (p[1][k] - p[0][k]);
}

// a point of A beside a point of B, a line or a plane, which belongs to A (of) or to B
static void add_around(shape_features_search* s, const double a[3], const double b[3],
                       const double u[3], const double v[3], bool of)
{
  shape_feature f;
  memset(&f, 0, sizeof f);
  f.around = true;
  vec_copy(a, f.a);
  vec_copy(b, f.b);
  if (u) vec_copy(u, f.u);
  if (v) vec_copy(v, f.v);
  f.of[0] = u && of;
  f.of[1] = v && of;
  shape_feature_add(s, &f);
}

// ---- a hull -------------------------------------------------------------------------------------

// the axis in the axes of the hull; of a sphere a point
static void axis_of(const shape_form* a, const shape_pose* A, const shape_pose* B,
                    double axis[2][3])
{
  for (int i = 0; i < 2; i++) {
    double world[3];
    shape_pose_point(A, a->point[i < a->points ? i : 0], world);
    shape_pose_back(B, world, axis[i]);
  }
}

// an end beside what of the hull is nearest to it
static void add_end(shape_features_search* s, int i, const shape_nearest* x)
{
  const shape_form* b = s->b;
  double u[3], v[3];
  if (x->face >= 0) {
    shape_feature_side(b, x->face, u, v);
    add_around(s, s->a->point[i], b->point[b->loop[b->face[x->face].from]], u, v, false);
    return;
  }
  const int from = x->edge[0] < x->edge[1] ? x->edge[0] : x->edge[1];
  const int to = x->edge[0] < x->edge[1] ? x->edge[1] : x->edge[0];
  vec_sub(b->point[to], b->point[from], u);
  vec_unit(u);
  add_around(s, s->a->point[i], b->point[from], from < to ? u : NULL, NULL, false);
}

// what of the hull the axis is next to
typedef struct passing
{
  double distance;
  int edge;    // crossed between all ends, or -1
  int corner;  // passed between the ends of the axis, or -1
  int part[2]; // ends of the edge, the corner twice: the sides that hold them are looked at
  int face;    // that alone
} passing;

static passing nearest_to_axis(const shape_features_search* s, double axis[2][3],
                               const shape_nearest end[2])
{
  const shape_form* b = s->b;
  const int i = end[1].distance < end[0].distance;
  passing best = {.distance = end[i].distance,
                  .edge = -1,
                  .corner = -1,
                  .face = end[i].face,
                  .part = {end[i].edge[0], end[i].edge[1]}};
  for (int e = 0; e < b->edges; e++) {
    double edge[2][3], at[3], on[3], t, r;
    for (int k = 0; k < 2; k++) vec_copy(b->point[b->edge[e][k]], edge[k]);
    shape_segments(axis, edge, &t, &r);
    between(axis, t, at);
    between(edge, r, on);
    if (!(t > 0 && t < 1) || !(vec_apart(at, on) < best.distance)) continue;
    const int corner = r > 0 && r < 1 ? -1 : b->edge[e][r > 0];
    best = (passing){
        .distance = vec_apart(at, on),
        .edge = corner < 0 ? e : -1,
        .corner = corner,
        .face = -1,
        .part = {corner < 0 ? b->edge[e][0] : corner, corner < 0 ? b->edge[e][1] : corner}};
  }
  return best;
}

static bool holds(const shape_form* b, int face, const int part[2])
{
  bool first = false, second = false;
  for (int k = 0; k < b->face[face].count; k++) {
    const int c = b->loop[b->face[face].from + k];
    first = first || c == part[0];
    second = second || c == part[1];
  }
  return first && second;
}

// the side at what is nearest to which the axis leans least
static int side_below(const shape_form* b, const passing* x, const double way[3])
{
  double least = INFINITY;
  int found = 0;
  if (x->face >= 0) return x->face;
  for (int i = 0; i < b->faces; i++) {
    const double lean = fabs(vec_dot(b->face[i].n, way));
    if (!holds(b, i, x->part) || !(lean < least)) continue;
    least = lean;
    found = i;
  }
  return found;
}

static void add_edge(shape_features_search* s, double axis[2][3], int from, int to)
{
  const shape_form* b = s->b;
  double edge[2][3], t, r, at[3], on[3], own[3], n[3];
  vec_copy(b->point[from < to ? from : to], edge[0]);
  vec_copy(b->point[from < to ? to : from], edge[1]);
  shape_segments(axis, edge, &t, &r);
  between(axis, t, at);
  between(edge, r, on);
  vec_sub(at, on, own);
  shape_pose_turn(s->B, own, n);
  shape_feature_edges(s, (const double(*)[3])s->a->point, (const double(*)[3])edge, n);
}

// does the axis come nearest to edge k of the side between all ends, above it?
static bool crosses_above(const shape_form* b, int face, int k, double axis[2][3])
{
  const shape_face* f = &b->face[face];
  const int* c = b->loop + f->from;
  double edge[2][3], u[3], v[3], across[3], at[3], t, r;
  vec_copy(b->point[c[k]], edge[0]);
  vec_copy(b->point[c[(k + 1) % f->count]], edge[1]);
  vec_sub(axis[1], axis[0], u);
  vec_sub(edge[1], edge[0], v);
  vec_cross(u, v, across);
  if (vec_length(across) <= shape_crossing_sine * vec_length(u) * vec_length(v)) return false;
  shape_segments(axis, edge, &t, &r);
  between(axis, t, at);
  return t > 0 && t < 1 && r > 0 && r < 1 && vec_dot(f->n, at) > f->d;
}

static void add_axis(shape_features_search* s, double axis[2][3], const passing* x)
{
  const shape_form* b = s->b;
  double way[3], own[3];
  vec_sub(axis[1], axis[0], way);
  vec_unit(way);
  vec_sub(s->a->point[1], s->a->point[0], own);
  vec_unit(own);
  if (x->corner >= 0) add_around(s, s->a->point[0], b->point[x->corner], own, NULL, true);
  if (x->edge >= 0) add_edge(s, axis, b->edge[x->edge][0], b->edge[x->edge][1]);
  const int face = side_below(b, x, way);
  const int* c = b->loop + b->face[face].from;
  for (int k = 0; k < b->face[face].count; k++)
    if (crosses_above(b, face, k, axis)) add_edge(s, axis, c[k], c[(k + 1) % b->face[face].count]);
}

void shape_features_round(shape_features_search* s)
{
  double axis[2][3];
  shape_nearest end[2];
  axis_of(s->a, s->A, s->B, axis);
  for (int i = 0; i < 2; i++) end[i] = shape_nearest_of(s->b, axis[i]);
  const bool capsule = s->a->points == 2;
  passing x = {.distance = end[0].distance};
  if (capsule) x = nearest_to_axis(s, axis, end);
  s->apart = x.distance - s->a->radius;
  if (s->apart > s->near) return;
  for (int i = 0; i < s->a->points; i++) add_end(s, i, &end[i]);
  if (capsule) add_axis(s, axis, &x);
}

// ---- capsules -----------------------------------------------------------------------------------

void shape_features_capsules(shape_features_search* s)
{
  const shape_form* f[2] = {s->a, s->b};
  double end[2][2][3], way[2][3], at[2][3], share[2], u[3], v[3], across[3], d[3];
  for (int i = 0; i < 2; i++) {
    const shape_pose* F = i ? s->B : s->A;
    for (int k = 0; k < 2; k++) shape_pose_point(F, f[i]->point[k], end[i][k]);
    vec_sub(f[i]->point[1], f[i]->point[0], way[i]);
    vec_unit(way[i]);
  }
  shape_segments(end[0], end[1], &share[0], &share[1]);
  for (int i = 0; i < 2; i++) between(end[i], share[i], at[i]);
  s->apart = vec_apart(at[0], at[1]) - s->a->radius - s->b->radius;
  if (s->apart > s->near) return;
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++) {
      double on;
      if (!shape_is_beside(end[i][k], end[!i], i == 0, &on)) continue;
      add_around(s, f[0]->point[i ? 0 : k], f[1]->point[i ? k : 0], way[!i], NULL, i);
    }
  vec_sub(end[0][1], end[0][0], u);
  vec_sub(end[1][1], end[1][0], v);
  vec_sub(at[0], at[1], d);
  vec_cross(u, v, across);
  const bool inner = share[0] > 0 && share[0] < 1 && share[1] > 0 && share[1] < 1;
  if (inner && vec_length(across) > shape_crossing_sine * vec_length(u) * vec_length(v))
    shape_feature_edges(s, (const double(*)[3])f[0]->point, (const double(*)[3])f[1]->point, d);
  if (!s->count)
    add_around(s, f[0]->point[share[0] > 0.5], f[1]->point[share[1] > 0.5], NULL, NULL, false);
}
