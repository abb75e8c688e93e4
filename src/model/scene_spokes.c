// Obstacles a point must stay away from. One is round. Several that overlap, of one size, would
// hide each other: they are places where a spoke of that length stands, one after another, and the
// point is the hub of a wheel without a rim.

#include "model/scene_sight.h"

#include <math.h>
#include <string.h>

static double apart(const model_sight* x, const expr a[3], const expr b[3])
{
  double sum = 0;
  for (int k = 0; k < 3; k++) {
    const double d = model_sight_number(x, a[k]) - model_sight_number(x, b[k]);
    sum += d * d;
  }
  return sqrt(sum);
}

// the least distance of one foot to the others of this point and length; infinite where there is
// none
static double to_next(const model_sight* x, int n, const model_scene_foot* foot, int which)
{
  double least = INFINITY;
  for (int i = 0; i < n; i++)
    if (i != which && foot[i].point == foot[which].point && foot[i].length == foot[which].length)
      least = fmin(least, apart(x, foot[i].place, foot[which].place));
  return least;
}

static expr square_apart(expr_pool* p, const expr a[3], const expr b[3])
{
  expr d[3];
  model_vec_sub(p, a, b, d);
  return model_vec_dot(p, d, d);
}

// of all feet of the wheel the nearest to the hub
static void nearest(const model_sight* x, int n, const model_scene_foot* foot, int first,
                    expr out[3])
{
  expr_pool* p = x->s->pool;
  const expr* hub = x->points.at[foot[first].point].at;
  expr least = square_apart(p, foot[first].place, hub);
  memcpy(out, foot[first].place, sizeof(expr) * 3);
  for (int i = first + 1; i < n; i++) {
    if (foot[i].point != foot[first].point || foot[i].length != foot[first].length) continue;
    const expr here = square_apart(p, foot[i].place, hub), nearer = expr_less(p, here, least);
    for (int k = 0; k < 3; k++) out[k] = expr_if(p, nearer, foot[i].place[k], out[k]);
    least = expr_if(p, nearer, here, least);
  }
}

// the ground that the feet of a wheel stand on, where they are in a line
static void add_ground(model_scene_list* l, const model_sight* x, const model_part* wheel,
                       const expr a[3], const expr b[3])
{
  double along[3], size = apart(x, a, b);
  for (int k = 0; k < 3; k++)
    along[k] = (model_sight_number(x, b[k]) - model_sight_number(x, a[k])) / size;
  if (along[2] != 0) return;
  model_part g = model_scene_part(l->s, MODEL_PART_GROUND, wheel->name, NULL);
  const double up = along[0] < 0 ? -1 : 1;
  g.normal[0] = expr_double(l->s->pool, -up * along[1]);
  g.normal[1] = expr_double(l->s->pool, up * along[0]);
  memcpy(g.at, a, sizeof g.at);
  memcpy(g.to, wheel->to, sizeof g.to);
  base_push(&l->parts, g);
}

static void add_wheel(model_scene_list* l, const model_sight* x, int n,
                      const model_scene_foot* foot, int first, double step)
{
  const double length = model_sight_number(x, foot[first].length);
  model_part p =
      model_scene_part(l->s, MODEL_PART_SPOKES, x->points.at[foot[first].point].name, NULL);
  memcpy(p.at, x->points.at[foot[first].point].at, sizeof p.at);
  nearest(x, n, foot, first, p.to);
  p.size[0] = foot[first].length;
  p.size[1] = expr_double(l->s->pool, 2 * asin(fmin(1, step / (2 * length))));
  base_push(&l->parts, p);
  for (int i = first + 1; i < n; i++)
    if (foot[i].point == foot[first].point) {
      add_ground(l, x, &p, foot[first].place, foot[i].place);
      return;
    }
}

void model_scene_feet(model_scene_list* l, const model_sight* x, int n,
                      const model_scene_foot* foot)
{
  for (int i = 0; i < n; i++) {
    const double step = to_next(x, n, foot, i), length = model_sight_number(x, foot[i].length);
    if (step > 0 && step < 2 * length) {
      bool later = false;
      for (int j = 0; j < i; j++) later |= foot[j].point == foot[i].point;
      if (!later) add_wheel(l, x, n, foot, i, step);
      continue;
    }
    model_part p = model_scene_part(l->s, MODEL_PART_ROUND, x->points.at[foot[i].point].name, NULL);
    memcpy(p.at, foot[i].place, sizeof p.at);
    memcpy(p.to, x->points.at[foot[i].point].at, sizeof p.to);
    p.size[0] = foot[i].length;
    base_push(&l->parts, p);
  }
}
