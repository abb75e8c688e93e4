// Spheres and capsules against each other and against bodies with sides: where a point or a segment
// comes nearest.
#include "shape/inside.h"
#include "shape/small.h"
#include "shape/vec.h"

static double clamp(double x)
{
  return x < 0 ? 0 : x > 1 ? 1 : x;
}

// Nearest points of p0 + s (p1 - p0) and q0 + t (q1 - q0): the least of a quadratic in the square,
// found on its edges where it is not inside.
void shape_segments(double p[2][3], double q[2][3], double* s, double* t)
{
  double u[3], v[3], w[3];
  vec_sub(p[1], p[0], u);
  vec_sub(q[1], q[0], v);
  vec_sub(p[0], q[0], w);
  const double uu = vec_dot(u, u), vv = vec_dot(v, v), uv = vec_dot(u, v);
  const double uw = vec_dot(u, w), vw = vec_dot(v, w), det = uu * vv - uv * uv;
  *s = det > shape_parallel * shape_parallel * uu * vv ? clamp((uv * vw - vv * uw) / det) : 0.5;
  *t = vv > 0 ? clamp((uv * *s + vw) / vv) : 0;
  *s = uu > 0 ? clamp((uv * *t - uw) / uu) : 0;
  *t = vv > 0 ? clamp((uv * *s + vw) / vv) : 0;
}

bool shape_is_beside(const double end[3], double other[2][3], bool ends_too, double* share)
{
  double way[3], r[3];
  vec_sub(other[1], other[0], way);
  vec_sub(end, other[0], r);
  *share = vec_dot(way, r) / vec_dot(way, way);
  const double margin = ends_too ? -shape_in_plane : shape_in_plane;
  return *share > margin && *share < 1 - margin;
}

static void add_nearest(shape_search* s, const double a[3], const double b[3], unsigned feature)
{
  shape_touch t = {.feature = SHAPE_FEATURE_POINTS + feature, .normal = SHAPE_OF_POINTS};
  vec_copy(a, t.a);
  vec_copy(b, t.b);
  shape_search_add(s, &t);
}

static void between(double p[2][3], double share, double out[3])
{
  for (int k = 0; k < 3; k++) out[k] = p[0][k] + share * (p[1][k] - p[0][k]);
}

// the one or two points of a form, the second the first again where it has one
static void ends_of(const shape_form* f, const shape_pose* x, double own[2][3], double world[2][3])
{
  for (int i = 0; i < 2; i++) {
    vec_copy(f->point[i < f->points ? i : 0], own[i]);
    shape_pose_point(x, own[i], world[i]);
  }
}

static bool are_parallel(double p[2][3], double q[2][3], double sine)
{
  double u[3], v[3], across[3];
  vec_sub(p[1], p[0], u);
  vec_sub(q[1], q[0], v);
  vec_cross(u, v, across);
  return vec_length(across) < sine * vec_length(u) * vec_length(v);
}

void shape_search_points(shape_search* s)
{
  double a[2][3], b[2][3], p[2][3], q[2][3], x[3], y[3], share[2];
  ends_of(s->a, s->A, a, p);
  ends_of(s->b, s->B, b, q);
  const bool both = s->a->points == 2 && s->b->points == 2;
  const bool lie = both && are_parallel(p, q, shape_nearly_parallel);
  bool beside = false;
  // beside each other: at the ends of the stretch they share
  for (int i = 0; lie && i < 4; i++) {
    const bool of_a = i < 2;
    if (!shape_is_beside(of_a ? p[i] : q[i - 2], of_a ? q : p, of_a, &share[1])) continue;
    between(of_a ? b : a, share[1], of_a ? y : x);
    vec_copy(of_a ? a[i] : b[i - 2], of_a ? x : y);
    add_nearest(s, x, y, 1 + (unsigned)i);
    beside = true;
  }
  shape_segments(p, q, &share[0], &share[1]);
  const bool inner = share[0] > 0 && share[0] < 1 && share[1] > 0 && share[1] < 1;
  if (beside && (!inner || are_parallel(p, q, shape_parallel))) return;
  between(a, share[0], x);
  between(b, share[1], y);
  add_nearest(s, x, y, 0);
}

// ---- against sides ------------------------------------------------------------------------------

// is p, in the plane of the face, beside none of its edges? *beside: the first that it is beside
static bool is_over(const shape_form* f, const shape_face* face, const double p[3])
{
  const int* c = f->loop + face->from;
  for (int k = 0; k < face->count; k++) {
    const double *x = f->point[c[k]], *y = f->point[c[(k + 1) % face->count]];
    double way[3], r[3], out[3];
    vec_sub(y, x, way);
    vec_sub(p, x, r);
    vec_cross(way, face->n, out);
    if (face->count == 2 ? vec_dot(way, r) < 0 : vec_dot(out, r) > 0) return false;
  }
  return true;
}

static void try_edges(const shape_form* f, const shape_face* face, const double p[3],
                      shape_nearest* best)
{
  const int *c = f->loop + face->from, edges = face->count == 2 ? 1 : face->count;
  double point[2][3];
  for (int k = 0; k < 2; k++) vec_copy(p, point[k]);
  for (int k = 0; k < edges; k++) {
    const int i = c[k], j = c[(k + 1) % face->count];
    double s, t, at[3], edge[2][3];
    vec_copy(f->point[i], edge[0]);
    vec_copy(f->point[j], edge[1]);
    shape_segments(point, edge, &s, &t);
    between(edge, t, at);
    if (!(vec_apart(p, at) < best->distance)) continue;
    best->distance = vec_apart(p, at);
    best->face = -1;
    best->edge[0] = t < 1 ? i : j;
    best->edge[1] = t > 0 ? j : i;
    best->feature = (unsigned)(256 + (i < j ? i * 256 + j : j * 256 + i));
    vec_copy(at, best->at);
  }
}

shape_nearest shape_nearest_of(const shape_form* f, const double p[3])
{
  shape_nearest best = {.distance = -INFINITY};
  for (int i = 0; i < f->faces; i++) {
    const double over = vec_dot(f->face[i].n, p) - f->face[i].d;
    if (!(over > best.distance)) continue;
    best = (shape_nearest){.distance = over, .face = i, .feature = (unsigned)i};
    vec_along(p, -over, f->face[i].n, best.at);
  }
  if (best.distance <= 0 || is_over(f, &f->face[best.face], best.at)) return best;
  best.distance = INFINITY;
  for (int i = 0; i < f->faces; i++) {
    const double over = vec_dot(f->face[i].n, p) - f->face[i].d;
    double at[3];
    if (over < 0 || over > best.distance) continue;
    vec_along(p, -over, f->face[i].n, at);
    if (is_over(f, &f->face[i], at)) {
      best = (shape_nearest){.distance = over, .face = i, .feature = (unsigned)i};
      vec_copy(at, best.at);
    } else {
      try_edges(f, &f->face[i], p, &best);
    }
  }
  return best;
}

static void add_end(shape_search* s, int i)
{
  double world[3], p[3];
  shape_pose_point(s->A, s->a->point[i], world);
  shape_pose_back(s->B, world, p);
  if (s->b->flat) p[2] = 0;
  const shape_nearest x = shape_nearest_of(s->b, p);
  shape_touch t = {.feature = SHAPE_FEATURE_POINTS + ((unsigned)(1 + i) << 17) + x.feature,
                   .normal = x.face >= 0 ? SHAPE_OF_B : SHAPE_OF_POINTS};
  vec_copy(s->a->point[i], t.a);
  vec_copy(x.at, t.b);
  if (x.face >= 0) vec_copy(s->b->face[x.face].n, t.along_b);
  shape_search_add(s, &t);
}

// where the middle of a capsule lies across an edge
static void add_crossing(shape_search* s)
{
  double own[2][3], p[2][3], best = INFINITY, x[3], y[3];
  unsigned feature = 0;
  ends_of(s->a, s->A, own, p);
  for (int e = 0; e < s->b->edges; e++) {
    double q[2][3], u, v, at[3], on[3];
    for (int i = 0; i < 2; i++) shape_pose_point(s->B, s->b->point[s->b->edge[e][i]], q[i]);
    shape_segments(p, q, &u, &v);
    between(p, u, at);
    between(q, v, on);
    if (!(u > 0 && u < 1) || !(vec_apart(at, on) < best)) continue;
    best = vec_apart(at, on);
    feature = (unsigned)e;
    between(own, u, x);
    shape_pose_back(s->B, on, y);
  }
  if (isfinite(best)) add_nearest(s, x, y, feature);
}

void shape_search_hull(shape_search* s)
{
  for (int i = 0; i < s->a->points; i++) add_end(s, i);
  if (s->a->points == 2) add_crossing(s);
}

// ---- a sphere and a cylinder --------------------------------------------------------------------

void shape_search_in_cylinder(shape_search* s)
{
  const double r = s->b->radius, half = s->b->length / 2;
  double world[3], p[3];
  shape_pose_point(s->A, s->a->point[0], world);
  shape_pose_back(s->B, world, p);
  const double rho = hypot(p[0], p[1]);
  const double c = rho > 0 ? p[0] / rho : 1, d = rho > 0 ? p[1] / rho : 0;
  shape_touch t = {.feature = SHAPE_FEATURE_POINTS, .normal = SHAPE_OF_POINTS};
  vec_copy(s->a->point[0], t.a);
  const bool above = fabs(p[2]) > half, beside = rho > r;
  const bool to_end = above ? !beside : !beside && half - fabs(p[2]) < r - rho;
  const double share = beside || !to_end ? r : rho;
  t.b[0] = c * share;
  t.b[1] = d * share;
  t.b[2] = above || to_end ? copysign(half, p[2]) : p[2];
  if (to_end) {
    t.normal = SHAPE_OF_B;
    t.along_b[2] = copysign(1, p[2]);
  } else if (!above && !beside) {
    t.normal = SHAPE_OF_B;
    t.along_b[0] = c;
    t.along_b[1] = d;
  }
  shape_search_add(s, &t);
}
