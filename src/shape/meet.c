// The points of a pair: who looks for them.
#include "shape/inside.h"
#include "shape/small.h"
#include "shape/vec.h"

// points around the end of a cylinder that a plane may meet
enum { around = 8 };

void shape_search_add(shape_search* s, const shape_touch* t)
{
  double n[3], at[3];
  if (s->count == SHAPE_MOST_TOUCHES) return;
  if (shape_look(t, s->a, s->A, s->b, s->B, n, at) <= s->within) s->out[s->count++] = *t;
}

static void above_plane(shape_search* s, const double own[3], unsigned feature, bool rolls)
{
  shape_touch t = {
      .feature = SHAPE_FEATURE_PLANE + feature, .normal = SHAPE_OF_B, .rolls_a = rolls};
  vec_copy(own, t.a);
  t.along_b[s->b->flat ? 1 : 2] = 1;
  shape_search_add(s, &t);
}

// points around both ends, one of them the lowest
static void rims(shape_search* s)
{
  double up[3] = {0}, n[3];
  up[s->b->flat ? 1 : 2] = 1;
  shape_pose_turn(s->B, up, n);
  shape_pose_turn_back(s->A, n, up);
  const double tilt = hypot(up[0], up[1]);
  const double first = tilt > shape_parallel ? atan2(-up[1], -up[0]) : 0;
  for (int end = 0; end < 2; end++)
    for (int k = 0; k < around; k++) {
      const double phi = first + 2 * M_PI * k / around;
      const double own[3] = {s->a->radius * cos(phi), s->a->radius * sin(phi),
                             (end ? 1 : -1) * s->a->length / 2};
      above_plane(s, own, (unsigned)(around * end + k), k == 0 && tilt > shape_nearly_parallel);
    }
}

void shape_search_plane(shape_search* s)
{
  for (int i = 0; i < s->a->points; i++) above_plane(s, s->a->point[i], (unsigned)i, false);
  if (s->a->kind == SHAPE_CYLINDER) rims(s);
}

static bool is_round(const shape_form* f)
{
  return f->kind == SHAPE_HULL && f->points <= 2 && f->radius > 0;
}

static bool is_sphere(const shape_form* f)
{
  return is_round(f) && f->points == 1;
}

typedef void searcher(shape_search* s);

// who finds the points of A and B; null where nobody does
static searcher* finder(const shape_form* a, const shape_form* b)
{
  if (a->kind == SHAPE_PLANE) return NULL;
  if (b->kind == SHAPE_PLANE) return shape_search_plane;
  if (b->kind == SHAPE_CYLINDER && a->flat) return NULL;
  if (b->kind == SHAPE_CYLINDER)
    return is_sphere(a) ? shape_search_in_cylinder : shape_search_cylinder;
  if (a->kind == SHAPE_CYLINDER) return NULL;
  if (is_round(a)) return is_round(b) ? shape_search_points : shape_search_hull;
  return !is_round(b) && a->flat == b->flat ? shape_search_sides : NULL;
}

bool shape_meets(const shape_form* a, const shape_form* b)
{
  return (a->kind == SHAPE_PLANE && b->kind == SHAPE_PLANE) || finder(a, b) || finder(b, a);
}

static void turn_around(shape_touch* t)
{
  double kept[3];
  const double round = t->round_a;
  t->round_a = t->round_b;
  t->round_b = round;
  const bool rolls = t->rolls_a;
  t->rolls_a = t->rolls_b;
  t->rolls_b = rolls;
  vec_copy(t->a, kept);
  vec_copy(t->b, t->a);
  vec_copy(kept, t->b);
  vec_copy(t->along_a, kept);
  vec_copy(t->along_b, t->along_a);
  vec_copy(kept, t->along_b);
  if (t->normal == SHAPE_OF_POINTS || t->normal == SHAPE_OF_EDGES) return;
  t->normal = t->normal == SHAPE_OF_A ? SHAPE_OF_B : SHAPE_OF_A;
  for (int k = 0; k < 3; k++) {
    t->along_a[k] = -t->along_a[k];
    t->along_b[k] = -t->along_b[k];
  }
}

int shape_meet(const shape_form* a, const shape_pose* A, const shape_form* b, const shape_pose* B,
               double within, shape_touch* out)
{
  shape_search s = {a, b, A, B, within, 0, out};
  searcher* find = finder(a, b);
  if (find) {
    find(&s);
    return s.count;
  }
  find = finder(b, a);
  if (!find) return 0;
  s = (shape_search){b, a, B, A, within, 0, out};
  find(&s);
  // an axis across edges has the same sign: both the order and the side of it change
  for (int i = 0; i < s.count; i++) turn_around(&out[i]);
  return s.count;
}
