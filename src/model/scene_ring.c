// Gimbals. A body in the middle of which another turns, both about that place, would hide it: it is
// the ring that holds the axle of the other, and its own axle is a diameter of it. Its radius is
// that of a thin ring of its inertia, n.J n = m r^2 about its normal n.

#include "model/scene_sight.h"

#include <math.h>
#include <string.h>

typedef struct ring
{
  int body, own, carried; // parts: the body, its hinge, and that of what it carries
  double radius;
} ring;

static bool is_at(const model_part* a, const model_part* b)
{
  return memcmp(a->at, b->at, sizeof a->at) == 0;
}

// the hinge at the middle of a body: its own, or that of what it carries
static int hinge_of(const model_scene_list* l, const model_part* body, bool own)
{
  for (int i = 0; i < l->parts.n; i++) {
    const model_part* h = &l->parts.at[i];
    if (h->kind == MODEL_PART_HINGE && is_at(h, body) &&
        strcmp(own ? h->name : h->carrier, body->carrier) == 0)
      return i;
  }
  return -1;
}

// a direction of the world in the axes of a part, as it always is; false where it turns there
static bool in_axes(const model_sight* x, const model_part* p, const expr way[3], double out[3])
{
  for (int k = 0; k < 3; k++) {
    double sum[MODEL_SIGHTS] = {0};
    for (int i = 0; i < 3; i++) {
      double R[MODEL_SIGHTS], w[MODEL_SIGHTS];
      model_sight_values(x, p->rotation[3 * i + k], R);
      model_sight_values(x, way[i], w);
      for (int n = 0; n < MODEL_SIGHTS; n++) sum[n] += R[n] * w[n];
    }
    for (int n = 0; n < MODEL_SIGHTS; n++)
      if (!(fabs(sum[n] - sum[0]) < 1e-9)) return false;
    out[k] = sum[0];
  }
  return true;
}

static bool is_ring(model_scene_list* l, const model_sight* x, int part, ring* out)
{
  static const int at[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
  model_part* b = &l->parts.at[part];
  double own[3], carried[3], n[3], size = 0, J = 0;
  *out = (ring){part, hinge_of(l, b, true), hinge_of(l, b, false), 0};
  if (b->kind != MODEL_PART_BODY || !*b->carrier || out->own < 0 || out->carried < 0 ||
      !in_axes(x, b, l->parts.at[out->own].normal, own) ||
      !in_axes(x, b, l->parts.at[out->carried].normal, carried))
    return false;
  for (int k = 0; k < 3; k++) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    n[k] = own[i] * carried[j] - own[j] * carried[i];
    size = hypot(size, n[k]);
  }
  if (!(size > 0.1)) return false;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      J += n[i] * n[k] / (size * size) * model_sight_number(x, b->inertia[at[i][k]]);
  out->radius = sqrt(J / model_sight_number(x, b->mass));
  if (!isfinite(out->radius) || !(out->radius > 0)) return false;
  for (int k = 0; k < 3; k++) b->normal[k] = expr_double(l->s->pool, n[k] / size);
  return true;
}

// a place on an axle, that far from its middle
static void along(expr_pool* pool, const model_part* hinge, double far, expr out[3])
{
  for (int k = 0; k < 3; k++)
    out[k] = expr_add(pool, hinge->at[k], expr_mul(pool, expr_double(pool, far), hinge->normal[k]));
}

// In place of a hinge in the middle: two pins on the ring that holds it, or on its own where the
// world does, and the axle from what turns, `inner` from the middle, to them.
static void hold(model_scene_list* l, int hinge, double inner, double outer)
{
  const model_part middle = l->parts.at[hinge];
  for (int side = 0; side < 2; side++) {
    const double sign = side ? 1 : -1;
    model_part pin = middle, axle = model_scene_part(l->s, MODEL_PART_LINK, middle.name, NULL);
    along(l->s->pool, &middle, sign * outer, pin.at);
    along(l->s->pool, &middle, sign * inner, axle.at);
    memcpy(axle.to, pin.at, sizeof axle.to);
    axle.held = true;
    pin.fixed = middle.fixed && side == 0;
    if (side)
      base_push(&l->parts, pin);
    else
      l->parts.at[hinge] = pin;
    if (inner < outer) base_push(&l->parts, axle);
  }
}

void model_scene_rings(model_scene_list* l)
{
  enum { MOST = 8 };
  ring found[MOST];
  model_sight x;
  int n = 0;
  const int parts = l->parts.n;
  if (model_sight_open(&x, l)) {
    for (int i = 0; i < parts && n < MOST; i++) n += is_ring(l, &x, i, &found[n]);
    for (int i = 0; i < n; i++) {
      double inner = 0;
      for (int k = 0; k < n; k++)
        if (found[k].own == found[i].carried) inner = found[k].radius;
      hold(l, found[i].carried, inner, found[i].radius);
    }
    // the outermost, on what is no ring
    for (int i = 0; i < n; i++) {
      bool in_ring = false;
      for (int k = 0; k < n; k++) in_ring = in_ring || found[k].carried == found[i].own;
      if (!in_ring) hold(l, found[i].own, found[i].radius, found[i].radius);
      l->parts.at[found[i].body].held = true;
      l->parts.at[found[i].body].size[0] = expr_double(l->s->pool, found[i].radius);
    }
  }
  model_sight_close(&x);
}
