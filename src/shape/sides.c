// Two bodies with sides: the axis along which they are parted most, or overlap least, is a normal
// of a side of one of them, or lies across an edge of each. Along a normal, the opposite side of
// the other is cut by what stands upright on the edges of this side: its corners are the points of
// contact. Across two edges there is one point.
//
// What lies on a part of a side, and sticks out beyond it, is parted by an axis across edges as
// soon as it is tilted by anything: outside, its corners are below the plane of the side. The
// points on the side are then no less those that it comes to lie on, in the same step: they are
// there, too, where the axis is nearly the normal of the side. Each says of a point of one body
// that it stays above the other, which is true whatever parts them.
#include "shape/inside.h"
#include "shape/small.h"
#include "shape/vec.h"

enum { most_corners = 2 * SHAPE_MOST_POINTS };

typedef struct corners
{
  int n;
  double at[most_corners][3];
  int name[most_corners]; // corner of the other side, or beyond them a cut
  // the edge of the other side, by its first corner, that goes on from here; that a cut lies on; -1
  int edge[most_corners], on[most_corners];
} corners;

// of all points of a form, own axes, the least of n . x
static double least(const shape_form* f, const double n[3])
{
  double low = INFINITY;
  for (int i = 0; i < f->points; i++) low = fmin(low, vec_dot(n, f->point[i]));
  return low;
}

double shape_part_by_sides(const shape_form* f, const shape_pose* F, const shape_form* g,
                           const shape_pose* G, int* side)
{
  double most = -INFINITY;
  for (int i = 0; i < f->faces; i++) {
    double n[3], own[3], d[3];
    shape_pose_turn(F, f->face[i].n, n);
    shape_pose_turn_back(G, n, own);
    vec_sub(G->p, F->p, d);
    const double apart = vec_dot(n, d) + least(g, own) - f->face[i].d;
    if (!(apart > most)) continue;
    most = apart;
    *side = i;
  }
  return most;
}

// ---- across edges -------------------------------------------------------------------------------

shape_crossing shape_part_by_edges(const shape_search* s)
{
  shape_crossing best = {.apart = -INFINITY};
  double ca[3], cb[3], between[3];
  shape_pose_point(s->A, s->a->middle, ca);
  shape_pose_point(s->B, s->b->middle, cb);
  vec_sub(ca, cb, between);
  for (int i = 0; i < s->a->ways; i++)
    for (int j = 0; j < s->b->ways; j++) {
      double u[3], v[3], n[3], own_a[3], own_b[3], d[3];
      shape_pose_turn(s->A, s->a->way[i], u);
      shape_pose_turn(s->B, s->b->way[j], v);
      vec_cross(u, v, n);
      if (vec_unit(n) < shape_parallel) continue;
      if (vec_dot(n, between) < 0)
        for (int k = 0; k < 3; k++) n[k] = -n[k];
      shape_pose_turn_back(s->A, n, own_a);
      for (int k = 0; k < 3; k++) d[k] = -n[k];
      shape_pose_turn_back(s->B, d, own_b);
      vec_sub(s->A->p, s->B->p, d);
      const double apart = vec_dot(n, d) + least(s->a, own_a) + least(s->b, own_b);
      if (!(apart > best.apart)) continue;
      best = (shape_crossing){.apart = apart, .way = {i, j}};
      vec_copy(n, best.n);
    }
  return best;
}

int shape_lowest_edge(const shape_form* f, int way, const double n[3])
{
  double low = INFINITY;
  int found = 0;
  for (int e = 0; e < f->edges; e++) {
    const double *x = f->point[f->edge[e][0]], *y = f->point[f->edge[e][1]];
    double u[3], across[3];
    vec_sub(y, x, u);
    vec_cross(u, f->way[way], across);
    if (vec_length(across) > 2 * shape_parallel * vec_length(u)) continue;
    const double at = vec_dot(n, x) + vec_dot(n, y);
    if (!(at < low)) continue;
    low = at;
    found = e;
  }
  return found;
}

// edge: that of A and that of B
static void add_crossing(shape_search* s, const shape_crossing* x, int edge[2])
{
  double own[2][3], n[3], end[2][2][3], share[2], across[3];
  const shape_form* f[2] = {s->a, s->b};
  const shape_pose* F[2] = {s->A, s->B};
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < 3; k++) n[k] = i ? -x->n[k] : x->n[k];
    shape_pose_turn_back(F[i], n, own[i]);
    edge[i] = shape_lowest_edge(f[i], x->way[i], own[i]);
    for (int k = 0; k < 2; k++)
      shape_pose_point(F[i], f[i]->point[f[i]->edge[edge[i]][k]], end[i][k]);
  }
  shape_segments(end[0], end[1], &share[0], &share[1]);
  shape_touch t = {.feature = SHAPE_FEATURE_EDGES + (unsigned)(edge[0] % 1024 * 1024) +
                              (unsigned)(edge[1] % 1024),
                   .normal = SHAPE_OF_EDGES};
  for (int k = 0; k < 3; k++) {
    const double *a0 = s->a->point[s->a->edge[edge[0]][0]],
                 *a1 = s->a->point[s->a->edge[edge[0]][1]];
    const double *b0 = s->b->point[s->b->edge[edge[1]][0]],
                 *b1 = s->b->point[s->b->edge[edge[1]][1]];
    t.a[k] = a0[k] + share[0] * (a1[k] - a0[k]);
    t.b[k] = b0[k] + share[1] * (b1[k] - b0[k]);
    t.along_a[k] = s->a->way[x->way[0]][k];
    t.along_b[k] = s->b->way[x->way[1]][k];
  }
  shape_pose_turn(s->A, t.along_a, own[0]);
  shape_pose_turn(s->B, t.along_b, own[1]);
  vec_cross(own[0], own[1], across);
  t.sign = vec_dot(across, x->n) < 0 ? -1 : 1;
  shape_search_add(s, &t);
}

// ---- on a side ----------------------------------------------------------------------------------

// the side of g that looks against n most, world axes; *along: n . its normal
static int opposite(const shape_form* g, const shape_pose* G, const double n[3], double* along)
{
  double own[3];
  int found = 0;
  *along = INFINITY;
  shape_pose_turn_back(G, n, own);
  for (int i = 0; i < g->faces; i++)
    if (vec_dot(g->face[i].n, own) < *along) {
      *along = vec_dot(g->face[i].n, own);
      found = i;
    }
  return found;
}

// what of the corners is below the plane n . x = d
static void cut(const corners* in, const double n[3], double d, int name, corners* c)
{
  c->n = 0;
  for (int i = 0; i < in->n && c->n + 2 < most_corners; i++) {
    const int j = (i + 1) % in->n;
    const double over = vec_dot(n, in->at[i]) - d, next = vec_dot(n, in->at[j]) - d;
    if (over <= 0) {
      c->name[c->n] = in->name[i];
      c->edge[c->n] = in->edge[i];
      c->on[c->n] = in->on[i];
      vec_copy(in->at[i], c->at[c->n++]);
    }
    // a line has no way back
    if ((in->n == 2 && j == 0) || (over <= 0) == (next <= 0)) continue;
    double way[3];
    vec_sub(in->at[j], in->at[i], way);
    c->name[c->n] = name;
    c->on[c->n] = in->edge[i];
    c->edge[c->n] = over <= 0 ? -1 : in->edge[i];
    vec_along(in->at[i], over / (over - next), way, c->at[c->n++]);
  }
}

// a side and the one of the other body against it
typedef struct facing
{
  bool of_b; // the side is one of B
  int side;
  const shape_form *f, *g;
  const shape_pose *F, *G;
} facing;

static const shape_face* other_side(const facing* x)
{
  double n[3], along;
  shape_pose_turn(x->F, x->f->face[x->side].n, n);
  return &x->g->face[opposite(x->g, x->G, n, &along)];
}

// the other side as it is cut by this one, in the axes of F; in one of the two
static const corners* cut_other(const facing* x, const shape_face* other, corners two[2])
{
  const shape_form *f = x->f, *g = x->g;
  const shape_face* face = &f->face[x->side];
  const int* around = f->loop + face->from;
  two[0].n = other->count;
  for (int i = 0; i < other->count; i++) {
    double world[3];
    two[0].name[i] = g->loop[other->from + i];
    two[0].edge[i] = i;
    two[0].on[i] = -1;
    shape_pose_point(x->G, g->point[two[0].name[i]], world);
    shape_pose_back(x->F, world, two[0].at[i]);
  }
  for (int k = 0; k < face->count; k++) {
    const double *from = f->point[around[k]], *to = f->point[around[(k + 1) % face->count]];
    double way[3], out[3];
    vec_sub(to, from, way);
    // out of the side in its plane; of a line out over its first end
    vec_cross(way, face->n, out);
    for (int i = 0; i < 3 && face->count == 2; i++) out[i] = -way[i];
    vec_unit(out);
    cut(&two[k % 2], out, vec_dot(out, from), SHAPE_MOST_POINTS + k, &two[(k + 1) % 2]);
  }
  return &two[face->count % 2];
}

// is an edge of f that which goes on from corner i of a side?
static bool is_edge(const shape_form* f, int edge, const shape_face* face, int i)
{
  const int *loop = f->loop + face->from, *end = f->edge[edge];
  const int from = loop[i], to = loop[(i + 1) % face->count];
  return (end[0] == from && end[1] == to) || (end[0] == to && end[1] == from);
}

// does corner i stand where two edges cross, of A and of B?
static bool is_crossing(const facing* x, const shape_face* other, const corners* c, int i,
                        const int edge[2])
{
  if (c->on[i] < 0) return false;
  return is_edge(x->f, edge[x->of_b], &x->f->face[x->side], c->name[i] - SHAPE_MOST_POINTS) &&
         is_edge(x->g, edge[!x->of_b], other, c->on[i]);
}

// but for the point where edges cross, if these are there already
static void add_side(shape_search* s, bool of_b, int side, const int* crossed)
{
  const facing x = {
      of_b, side, of_b ? s->b : s->a, of_b ? s->a : s->b, of_b ? s->B : s->A, of_b ? s->A : s->B};
  const shape_face *face = &x.f->face[side], *other = other_side(&x);
  corners two[2];
  const corners* c = cut_other(&x, other, two);
  for (int i = 0; i < c->n; i++) {
    if (crossed && is_crossing(&x, other, c, i, crossed)) continue;
    const double over = vec_dot(face->n, c->at[i]) - face->d;
    double world[3];
    // two cuts by one plane are told apart by their order
    bool again = false;
    for (int j = 0; j < i; j++) again = again || c->name[j] == c->name[i];
    shape_touch t = {.feature = (of_b ? SHAPE_FEATURE_SIDE_B : SHAPE_FEATURE_SIDE_A) +
                                (unsigned)(side % 512 * 2048) +
                                (unsigned)(c->name[i] + (again ? SHAPE_MOST_POINTS * 2 : 0)),
                     .normal = of_b ? SHAPE_OF_B : SHAPE_OF_A};
    vec_along(c->at[i], -over, face->n, of_b ? t.b : t.a);
    shape_pose_point(x.F, c->at[i], world);
    shape_pose_back(x.G, world, of_b ? t.a : t.b);
    // the normal goes into A
    for (int k = 0; k < 3; k++) (of_b ? t.along_b : t.along_a)[k] = (of_b ? 1 : -1) * face->n[k];
    shape_search_add(s, &t);
  }
}

// across edges, and on a side that is nearly across the same axis
static void add_edges(shape_search* s, const shape_crossing* x)
{
  const double back[3] = {-x->n[0], -x->n[1], -x->n[2]};
  double along_a, along_b, normal[3], across[3];
  int edge[2];
  add_crossing(s, x, edge);
  const int side_a = opposite(s->a, s->A, x->n, &along_a),
            side_b = opposite(s->b, s->B, back, &along_b);
  const bool of_b = !(along_a < along_b - shape_edge_handicap);
  shape_pose_turn(of_b ? s->B : s->A, of_b ? s->b->face[side_b].n : s->a->face[side_a].n, normal);
  vec_cross(normal, x->n, across);
  if (vec_length(across) < shape_nearly_parallel) add_side(s, of_b, of_b ? side_b : side_a, edge);
}

void shape_search_sides(shape_search* s)
{
  int side_a = 0, side_b = 0;
  const double by_a = shape_part_by_sides(s->a, s->A, s->b, s->B, &side_a);
  const double by_b = shape_part_by_sides(s->b, s->B, s->a, s->A, &side_b);
  const double most = fmax(by_a, by_b), size = s->a->reach + s->b->reach;
  if (most > s->within) return;
  const shape_crossing x = shape_part_by_edges(s);
  if (x.apart > s->within) return;
  // of two sides as good, always the same one
  const bool of_b = !(by_a > by_b + shape_edge_handicap * size);
  if (x.apart > most + shape_edge_handicap * size)
    add_edges(s, &x);
  else
    add_side(s, of_b, of_b ? side_b : side_a, NULL);
}
