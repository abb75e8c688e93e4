// Forms: from the corners of a body its sides and edges.
//
// The hull grows by one point at a time: the triangles that see it go, and their rim is joined with
// it. Triangles in one plane are then one side. Corners inside of sides are let go.
#include "shape/shape.h"
#include "shape/small.h"
#include "shape/vec.h"

#include <stdlib.h>
#include <string.h>

typedef struct triangle
{
  int at[3];
  double n[3], d;
  bool gone;
} triangle;

typedef struct hull
{
  int n;
  const double (*x)[3];
  double eps;
  BASE_LIST(triangle) list;
} hull;

static void add_triangle(hull* h, int a, int b, int c)
{
  triangle t = {.at = {a, b, c}};
  double u[3], v[3];
  vec_sub(h->x[b], h->x[a], u);
  vec_sub(h->x[c], h->x[a], v);
  vec_cross(u, v, t.n);
  vec_unit(t.n);
  t.d = vec_dot(t.n, h->x[a]);
  base_push(&h->list, t);
}

// four points that are not in one plane; false where there are none
static bool find_first(const hull* h, int first[4])
{
  double most = 0, u[3], v[3], n[3];
  first[0] = 0;
  for (int i = 1; i < h->n; i++)
    if (vec_apart(h->x[i], h->x[0]) > most) most = vec_apart(h->x[first[1] = i], h->x[0]);
  if (!(most > 0)) return false;
  most = 0;
  vec_sub(h->x[first[1]], h->x[0], u);
  for (int i = 1; i < h->n; i++) {
    vec_sub(h->x[i], h->x[0], v);
    vec_cross(u, v, n);
    if (vec_length(n) > most) most = vec_length(n), first[2] = i;
  }
  if (!(most > h->eps * vec_length(u))) return false;
  vec_sub(h->x[first[2]], h->x[0], v);
  vec_cross(u, v, n);
  vec_unit(n);
  double far = 0;
  for (int i = 1; i < h->n; i++) {
    vec_sub(h->x[i], h->x[0], v);
    if (fabs(vec_dot(n, v)) > fabs(far)) far = vec_dot(n, v), first[3] = i;
  }
  if (far > 0) {
    const int kept = first[1];
    first[1] = first[2];
    first[2] = kept;
  }
  return fabs(far) > h->eps;
}

static bool has_rim(const hull* h, int a, int b, int upto)
{
  for (int i = 0; i < upto; i++) {
    const triangle* t = &h->list.at[i];
    for (int k = 0; k < 3 && !t->gone; k++)
      if (t->at[k] == b && t->at[(k + 1) % 3] == a) return true;
  }
  return false;
}

static void add_point(hull* h, int i)
{
  const int upto = h->list.n;
  bool* sees = base_alloc(sizeof *sees * (size_t)upto);
  bool any = false;
  for (int k = 0; k < upto; k++) {
    triangle* t = &h->list.at[k];
    sees[k] = !t->gone && vec_dot(t->n, h->x[i]) - t->d > h->eps;
    any = any || sees[k];
  }
  for (int k = 0; k < upto; k++)
    if (sees[k]) h->list.at[k].gone = true;
  for (int k = 0; k < upto && any; k++)
    for (int e = 0; e < 3 && sees[k]; e++) {
      const int a = h->list.at[k].at[e], b = h->list.at[k].at[(e + 1) % 3];
      if (has_rim(h, a, b, upto)) add_triangle(h, a, b, i);
    }
  free(sees);
}

// ---- sides --------------------------------------------------------------------------------------

typedef struct corner
{
  int at;
  double angle;
} corner;

static int by_angle(const void* a, const void* b)
{
  const double x = ((const corner*)a)->angle, y = ((const corner*)b)->angle;
  return (x > y) - (x < y);
}

// corners of the triangles in the plane of t, around it; how many
static int corners_of(hull* h, int first, corner* out)
{
  const triangle* t = &h->list.at[first];
  double middle[3] = {0}, u[3], v[3];
  int count = 0;
  for (int i = first; i < h->list.n; i++) {
    triangle* o = &h->list.at[i];
    bool same = !o->gone;
    for (int k = 0; k < 3 && same; k++)
      same = fabs(vec_dot(t->n, h->x[o->at[k]]) - t->d) <= 2 * h->eps && vec_dot(t->n, o->n) > 0;
    for (int k = 0; k < 3 && same; k++) {
      bool known = false;
      for (int c = 0; c < count; c++) known = known || out[c].at == o->at[k];
      if (!known) out[count++].at = o->at[k];
    }
    o->gone = o->gone || same;
  }
  for (int c = 0; c < count; c++) vec_along(middle, 1.0 / count, h->x[out[c].at], middle);
  vec_sub(h->x[out[0].at], middle, u);
  vec_unit(u);
  vec_cross(t->n, u, v);
  for (int c = 0; c < count; c++) {
    double r[3];
    vec_sub(h->x[out[c].at], middle, r);
    out[c].angle = atan2(vec_dot(r, v), vec_dot(r, u));
  }
  qsort(out, (size_t)count, sizeof *out, by_angle);
  return count;
}

// Corners where the way around the side does not turn to the left are none; each that goes may make
// its neighbours go.
static int keep_corners(const hull* h, const double n[3], corner* c, int count)
{
  for (int i = 0, left = count; left > 0 && count > 2; left--) {
    const double* before = h->x[c[(i + count - 1) % count].at];
    const double *x = h->x[c[i].at], *after = h->x[c[(i + 1) % count].at];
    double u[3], v[3], turn[3];
    vec_sub(x, before, u);
    vec_sub(after, x, v);
    vec_cross(u, v, turn);
    if (vec_dot(turn, n) > shape_parallel * vec_length(u) * vec_length(v)) {
      i = (i + 1) % count;
      continue;
    }
    memmove(c + i, c + i + 1, sizeof *c * (size_t)(count - i - 1));
    count--;
    i = (i + count - 1) % count;
    left = count + 1;
  }
  return count;
}

typedef struct sides
{
  BASE_LIST(shape_face) face;
  BASE_LIST(int) loop;
} sides;

static void make_sides(hull* h, sides* out)
{
  corner* around = base_alloc(sizeof *around * (size_t)h->n);
  for (int i = 0; i < h->list.n; i++) {
    if (h->list.at[i].gone) continue;
    const triangle t = h->list.at[i];
    const int count = keep_corners(h, t.n, around, corners_of(h, i, around));
    shape_face f = {.d = t.d, .from = out->loop.n, .count = count};
    vec_copy(t.n, f.n);
    for (int c = 0; c < count; c++) base_push(&out->loop, around[c].at);
    base_push(&out->face, f);
  }
  free(around);
}

// the lines of a flat body, and both sides of a segment
static void make_lines(int n, const double (*x)[3], sides* out)
{
  for (int i = 0; i < n; i++) {
    const int j = (i + 1) % n;
    shape_face f = {
        .n = {x[j][1] - x[i][1], x[i][0] - x[j][0], 0}, .from = out->loop.n, .count = 2};
    vec_unit(f.n);
    f.d = vec_dot(f.n, x[i]);
    base_push(&out->loop, i);
    base_push(&out->loop, j);
    base_push(&out->face, f);
  }
}

// points that are no corner of a side are let go
static void keep_points(shape_form* f)
{
  int *number = base_alloc(sizeof *number * (size_t)(f->points + 1)), kept = 0, loop = 0;
  for (int i = 0; i < f->faces; i++) loop += f->face[i].count;
  for (int k = 0; k < loop; k++) number[f->loop[k]] = 1;
  for (int i = 0; i < f->points; i++) {
    if (!number[i]) continue;
    vec_copy(f->point[i], f->point[kept]);
    number[i] = kept++;
  }
  for (int k = 0; k < loop; k++) f->loop[k] = number[f->loop[k]];
  f->points = kept;
  free(number);
}

// ---- edges --------------------------------------------------------------------------------------

static void take_edges(shape_form* f, base_arena* arena, int loop)
{
  f->edge = base_arena_take(arena, sizeof *f->edge * (size_t)(loop + 1));
  f->way = base_arena_take(arena, sizeof *f->way * (size_t)(loop + 1));
  for (int i = 0; i < f->faces && !f->flat; i++)
    for (int k = 0; k < f->face[i].count; k++) {
      const int* c = f->loop + f->face[i].from;
      const int a = c[k], b = c[(k + 1) % f->face[i].count];
      double way[3], across[3];
      bool known = false;
      // each edge is met once in each direction
      if (a > b) continue;
      f->edge[f->edges][0] = a;
      f->edge[f->edges++][1] = b;
      vec_sub(f->point[b], f->point[a], way);
      vec_unit(way);
      for (int w = 0; w < f->ways && !known; w++) {
        vec_cross(way, f->way[w], across);
        known = vec_length(across) < shape_parallel;
      }
      if (!known) vec_copy(way, f->way[f->ways++]);
    }
}

static void take_sides(shape_form* f, base_arena* arena, const sides* s)
{
  f->faces = s->face.n;
  f->face = base_arena_take(arena, sizeof *f->face * (size_t)(s->face.n + 1));
  f->loop = base_arena_take(arena, sizeof *f->loop * (size_t)(s->loop.n + 1));
  if (s->face.n) memcpy(f->face, s->face.at, sizeof *f->face * (size_t)s->face.n);
  if (s->loop.n) memcpy(f->loop, s->loop.at, sizeof *f->loop * (size_t)s->loop.n);
  keep_points(f);
  take_edges(f, arena, s->loop.n);
}

static bool make_hull(shape_form* f, base_arena* arena, double size)
{
  sides s = {0};
  bool fine = true;
  if (f->flat) {
    make_lines(f->points, (const double(*)[3])f->point, &s);
  } else {
    hull h = {.n = f->points, .x = (const double(*)[3])f->point, .eps = shape_in_plane * size};
    int c[4] = {0};
    fine = find_first(&h, c);
    for (int k = 0; k < 4 && fine; k++) {
      static const int sides_of[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
      add_triangle(&h, c[sides_of[k][0]], c[sides_of[k][1]], c[sides_of[k][2]]);
    }
    for (int i = 0; i < f->points && fine; i++) add_point(&h, i);
    if (fine) make_sides(&h, &s);
    base_list_free(&h.list);
  }
  if (fine) take_sides(f, arena, &s);
  base_list_free(&s.face);
  base_list_free(&s.loop);
  return fine;
}

shape_form* shape_form_new(base_arena* arena, shape_kind kind, bool flat, double radius,
                           double length, int points, const double (*point)[3])
{
  shape_form* f = base_arena_take(arena, sizeof *f);
  *f = (shape_form){.kind = kind, .flat = flat, .radius = radius, .length = length};
  f->points = points;
  f->point = base_arena_take(arena, sizeof *f->point * (size_t)(points + 1));
  for (int i = 0; i < points; i++) {
    vec_copy(point[i], f->point[i]);
    vec_along(f->middle, 1.0 / points, point[i], f->middle);
    f->reach = fmax(f->reach, vec_length(point[i]));
  }
  if (kind == SHAPE_CYLINDER) f->reach = hypot(radius, length / 2);
  if (kind == SHAPE_HULL) f->reach += radius;
  if (kind == SHAPE_PLANE) f->reach = INFINITY;
  // spheres and capsules have no sides
  if (kind != SHAPE_HULL || radius > 0) return f;
  return make_hull(f, arena, f->reach) && f->points <= SHAPE_MOST_POINTS ? f : NULL;
}
