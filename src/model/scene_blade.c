// What constraints on velocities look like. With v the velocity of a point and e the axes of a
// frame,
//   e_k . v = 0                 the point does not go along e_k: a blade, or an axle, across it
//   e_k . v = R w, w a turn     the point rolls: it is the centre of a wheel of radius R
//   e_k . (v + w x R d) = 0     a wheel that may lean rolls on the ground: d the way down in its
//                               plane, w its angular velocity
// found in numbers, so however it is written.

#include "model/scene_sight.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FRAMES = 16, MOST_POINTS = 24, MOST_RATES = 8 };

typedef struct axes
{
  expr R[9];
  double e[9][MODEL_SIGHTS];
} axes;

typedef struct blades
{
  model_scene_list* l;
  model_sight sight;
  int frames, points;
  axes frame[MOST_FRAMES];
  int point[MOST_POINTS];
  double v[MOST_POINTS][3][MODEL_SIGHTS];
  const double* f; // the constraint at the states
} blades;

// ---- frames and points --------------------------------------------------------------------------

static void add_frame(blades* x, const expr R[9])
{
  for (int i = 0; i < x->frames; i++)
    if (memcmp(x->frame[i].R, R, sizeof x->frame[i].R) == 0) return;
  if (x->frames == MOST_FRAMES) return;
  axes* a = &x->frame[x->frames++];
  memcpy(a->R, R, sizeof a->R);
  for (int i = 0; i < 9; i++) model_sight_values(&x->sight, R[i], a->e[i]);
}

static void collect(blades* x)
{
  const model_part none = model_scene_part(x->l->s, MODEL_PART_FRAME, "", NULL);
  add_frame(x, none.rotation);
  for (int i = 0; i < x->l->parts.n; i++)
    if (x->l->parts.at[i].kind == MODEL_PART_FRAME) add_frame(x, x->l->parts.at[i].rotation);
  for (int i = 0; i < x->sight.points.n && x->points < MOST_POINTS; i++) {
    const model_sight_point* p = &x->sight.points.at[i];
    expr v[3];
    if (!p->free) continue;
    model_vec_total(x->l->s->pool, p->at, v);
    for (int k = 0; k < 3; k++) model_sight_values(&x->sight, v[k], x->v[x->points][k]);
    x->point[x->points++] = i;
  }
}

// ---- what is held -------------------------------------------------------------------------------

// e_k . v of a frame and a point
static void along(const blades* x, int frame, int point, int k, double out[MODEL_SIGHTS])
{
  for (int n = 0; n < MODEL_SIGHTS; n++) {
    out[n] = 0;
    for (int i = 0; i < 3; i++) out[n] += x->frame[frame].e[3 * i + k][n] * x->v[point][i][n];
  }
}

static void push_blade(blades* x, const model_constraint* c, int frame, int point, int k)
{
  const expr* R = x->frame[frame].R;
  model_part p = model_scene_part(x->l->s, MODEL_PART_BLADE, c->name, NULL);
  memcpy(p.at, x->sight.points.at[x->point[point]].at, sizeof p.at);
  for (int i = 0; i < 3; i++) {
    p.to[i] = expr_add(x->l->s->pool, p.at[i], R[3 * i + (k == 0 ? 1 : 0)]);
    p.normal[i] = R[3 * i + (k == 2 ? 1 : 2)];
  }
  base_push(&x->l->parts, p);
}

static bool is_blade(blades* x, const model_constraint* c)
{
  for (int frame = 0; frame < x->frames; frame++)
    for (int point = 0; point < x->points; point++)
      for (int k = 0; k < 3; k++) {
        double aside[MODEL_SIGHTS], by;
        along(x, frame, point, k, aside);
        if (!model_sight_varies(aside) ||
            model_sight_fit(1, (const double* const[]){aside}, x->f, &by) != MODEL_FIT_GOOD)
          continue;
        push_blade(x, c, frame, point, k);
        return true;
      }
  return false;
}

// ---- wheels -------------------------------------------------------------------------------------

static const model_part* frame_at(const blades* x, const expr at[3], expr angle)
{
  for (int i = 0; i < x->l->parts.n; i++) {
    const model_part* p = &x->l->parts.at[i];
    if (p->kind != MODEL_PART_FRAME || memcmp(p->at, at, sizeof p->at) != 0) continue;
    for (int k = 0; k < 9; k++)
      if (expr_has(x->l->s->pool, p->rotation[k], angle)) return p;
  }
  return NULL;
}

static bool has_disc(const blades* x, const expr at[3])
{
  for (int i = 0; i < x->l->parts.n; i++) {
    const model_part* p = &x->l->parts.at[i];
    if ((p->kind == MODEL_PART_DISC || p->kind == MODEL_PART_BALL) &&
        memcmp(p->at, at, sizeof p->at) == 0)
      return true;
  }
  return false;
}

// the axis of its frame that stays when the angle changes
static int axis_of(const blades* x, const model_part* frame, expr angle)
{
  for (int k = 0; k < 3; k++) {
    bool stays = true;
    for (int i = 0; i < 3; i++)
      stays = stays && !expr_has(x->l->s->pool, frame->rotation[3 * i + k], angle);
    if (stays) return k;
  }
  return -1;
}

// The ground under a wheel that goes along an axis k of the world: v = -R w/|w| with `rate` = R
// over the rate of its angle. Its axle never turns.
static void add_ground(blades* x, const model_part* frame, int point, int coord, int k, double rate)
{
  const model_scope* s = x->l->s;
  const int own = axis_of(x, frame, s->m->coord[coord].q);
  const model_entry* e = model_names_find(&s->names, frame->name);
  double n[3], w[3], turn[MODEL_SIGHTS], spin = 0;
  expr omega[3];
  if (own < 0 || !e || !e->axes) return;
  model_axes_omega(&x->l->s->kin, e->axes, NULL, omega);
  model_sight_values(&x->sight, s->m->coord[coord].v, turn);
  for (int i = 0; i < 3; i++) {
    double y[MODEL_SIGHTS];
    n[i] = model_sight_number(&x->sight, frame->rotation[3 * i + own]);
    if (!isfinite(n[i])) return;
    model_sight_values(&x->sight, omega[i], y);
    w[i] = y[0];
  }
  if (!(fabs(n[k]) < 1e-9)) return;
  for (int i = 0; i < 3; i++) spin += w[i] * n[i];
  model_scene_wheel_ground(x->l, &x->sight, &x->sight.points.at[x->point[point]], n, k,
                           rate * turn[0] / spin);
}

static bool push_wheel(blades* x, int point, int coord, double radius)
{
  const model_sight_point* p = &x->sight.points.at[x->point[point]];
  const model_part* frame = frame_at(x, p->at, x->l->s->m->coord[coord].q);
  if (!frame || has_disc(x, p->at)) return frame != NULL;
  const int axis = axis_of(x, frame, x->l->s->m->coord[coord].q);
  if (axis < 0) return false;
  model_part wheel = model_scene_part(x->l->s, MODEL_PART_DISC, frame->name, NULL);
  memcpy(wheel.at, p->at, sizeof wheel.at);
  memcpy(wheel.rotation, frame->rotation, sizeof wheel.rotation);
  wheel.turns = wheel.held = true;
  wheel.carrier = frame->name;
  wheel.size[0] = expr_double(x->l->s->pool, radius);
  wheel.normal[axis] = expr_int(x->l->s->pool, 1);
  base_push(&x->l->parts, wheel);
  return true;
}

static bool rolls(blades* x, int coord)
{
  double turn[MODEL_SIGHTS];
  model_sight_values(&x->sight, x->l->s->m->coord[coord].v, turn);
  for (int frame = 0; frame < x->frames; frame++)
    for (int point = 0; point < x->points; point++)
      for (int k = 0; k < 3; k++) {
        double way[MODEL_SIGHTS], by[2];
        along(x, frame, point, k, way);
        if (!model_sight_varies(way) ||
            model_sight_fit(2, (const double* const[]){way, turn}, x->f, by) != MODEL_FIT_GOOD ||
            !(fabs(by[0]) > 1e-9) || !(fabs(by[1]) > 1e-9 * fabs(by[0])))
          continue;
        if (!push_wheel(x, point, coord, fabs(by[1] / by[0]))) continue;
        const model_sight_point* p = &x->sight.points.at[x->point[point]];
        const model_part* turned = frame_at(x, p->at, x->l->s->m->coord[coord].q);
        if (frame == 0) add_ground(x, turned, point, coord, k, by[1] / by[0]);
        return true;
      }
  return false;
}

// A ball where it turns in all three ways; what turns in two, with one axis that stays when the
// last angle changes, is a wheel.
static void push_round(blades* x, const model_part* frame, const expr spin[3], double radius)
{
  const model_scope* s = x->l->s;
  int turns = 0, axis = -1;
  for (int i = 0; i < s->m->coords; i++) {
    if (!expr_has_any(s->pool, expr_sum(s->pool, 3, spin), 1, &s->m->coord[i].v)) continue;
    const int own = axis_of(x, frame, s->m->coord[i].q);
    if (own >= 0) axis = own;
    turns++;
  }
  const bool wheel = turns < 3 && axis >= 0;
  model_part p = model_scene_part(s, wheel ? MODEL_PART_DISC : MODEL_PART_BALL, frame->name, NULL);
  memcpy(p.at, frame->at, sizeof p.at);
  memcpy(p.rotation, frame->rotation, sizeof p.rotation);
  p.turns = p.held = true;
  p.carrier = frame->name;
  p.size[0] = expr_double(s->pool, radius);
  if (wheel) p.normal[axis] = expr_int(s->pool, 1);
  base_push(&x->l->parts, p);
}

// a frame that turns, how it turns and how its origin goes
typedef struct turning
{
  model_part frame;
  expr spin[3];
  double w[3][MODEL_SIGHTS], v[3][MODEL_SIGHTS];
} turning;

// the first frame of this kind, none of which is drawn as a wheel or ball yet
static bool any_turning(blades* x, bool (*is_one)(blades* x, const turning* t))
{
  model_scope* s = x->l->s;
  for (int i = 0; i < x->l->parts.n; i++) {
    turning t = {.frame = x->l->parts.at[i]};
    const model_entry* e =
        t.frame.kind == MODEL_PART_FRAME ? model_names_find(&s->names, t.frame.name) : NULL;
    if (!e || !e->axes || has_disc(x, t.frame.at)) continue;
    expr way[3];
    model_axes_omega(&s->kin, e->axes, NULL, t.spin);
    model_vec_total(s->pool, t.frame.at, way);
    for (int k = 0; k < 3; k++) model_sight_values(&x->sight, t.spin[k], t.w[k]);
    for (int k = 0; k < 3; k++) model_sight_values(&x->sight, way[k], t.v[k]);
    if (is_one(x, &t)) return true;
  }
  return false;
}

// e_k . v = (turn of the body there) . c: what rolls in all directions is a ball of radius |c|
static bool rolls_as_ball(blades* x, const turning* t)
{
  for (int k = 0; k < 3; k++) {
    double by[4];
    if (model_sight_fit(4, (const double* const[]){t->v[k], t->w[0], t->w[1], t->w[2]}, x->f, by) !=
            MODEL_FIT_GOOD ||
        !(fabs(by[0]) > 1e-9))
      continue;
    const double radius = sqrt(by[1] * by[1] + by[2] * by[2] + by[3] * by[3]) / fabs(by[0]);
    if (!(radius > 1e-9)) continue;
    push_round(x, &t->frame, t->spin, radius);
    return true;
  }
  return false;
}

// the way down in the plane across the axis a
static void down_across(const double g[3], const double a[3], double out[3])
{
  const double dot = g[0] * a[0] + g[1] * a[1] + g[2] * a[2];
  for (int i = 0; i < 3; i++) out[i] = g[i] - dot * a[i];
  const double size = sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
  for (int i = 0; i < 3; i++) out[i] /= size;
}

// a body at the centre of a wheel of which the inertia alone is known is that wheel
static void push_leaning(blades* x, const model_part* frame, int axis, double radius)
{
  const model_scope* s = x->l->s;
  model_part wheel = model_scene_part(s, MODEL_PART_DISC, frame->name, NULL), *body = NULL;
  memcpy(wheel.at, frame->at, sizeof wheel.at);
  memcpy(wheel.rotation, frame->rotation, sizeof wheel.rotation);
  wheel.turns = true;
  wheel.carrier = frame->name;
  for (int i = 0; i < x->l->parts.n && !body; i++) {
    model_part* p = &x->l->parts.at[i];
    if (p->kind == MODEL_PART_BODY && memcmp(p->at, frame->at, sizeof p->at) == 0 &&
        memcmp(p->rotation, frame->rotation, sizeof p->rotation) == 0)
      body = p;
  }
  if (body) wheel = *body;
  wheel.kind = MODEL_PART_DISC;
  wheel.held = true;
  wheel.size[0] = expr_double(s->pool, radius);
  wheel.normal[axis] = expr_int(s->pool, 1);
  if (body)
    *body = wheel;
  else
    base_push(&x->l->parts, wheel);
}

// the k-th row of v + w x R d for the axis of a frame as axle: R, zero where it is none
static double radius_about(const blades* x, const turning* t, double axle[3][MODEL_SIGHTS], int k)
{
  const model_scope* s = x->l->s;
  double g[3] = {0, 0, -1}, turned[MODEL_SIGHTS], by[2];
  for (int i = 0; i < 3 && s->has_gravity; i++) g[i] = model_sight_number(&x->sight, s->gravity[i]);
  for (int n = 0; n < MODEL_SIGHTS; n++) {
    double d[3];
    down_across(g, (const double[3]){axle[0][n], axle[1][n], axle[2][n]}, d);
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    turned[n] = t->w[i][n] * d[j] - t->w[j][n] * d[i];
    if (!isfinite(turned[n])) return 0;
  }
  if (!model_sight_varies(turned) || !model_sight_varies(t->v[k]) ||
      model_sight_fit(2, (const double* const[]){t->v[k], turned}, x->f, by) != MODEL_FIT_GOOD)
    return 0;
  return fabs(by[0]) > 1e-9 && by[1] / by[0] > 1e-9 ? by[1] / by[0] : 0;
}

static bool rolls_leaning(blades* x, const turning* t)
{
  for (int own = 0; own < 3; own++) {
    double axle[3][MODEL_SIGHTS], radius = 0;
    for (int k = 0; k < 3; k++)
      model_sight_values(&x->sight, t->frame.rotation[3 * k + own], axle[k]);
    for (int k = 0; k < 3 && !(radius > 0); k++) radius = radius_about(x, t, axle, k);
    if (!(radius > 0)) continue;
    push_leaning(x, &t->frame, own, radius);
    return true;
  }
  return false;
}

static void look_at(blades* x, const model_constraint* c, expr e)
{
  const model* m = x->l->s->m;
  double f[MODEL_SIGHTS];
  model_sight_values(&x->sight, e, f);
  x->f = f;
  // what friction speaks of slips: no blade
  bool done = e == c->f && is_blade(x, c);
  for (int k = 0, tried = 0; k < m->coords && !done && tried < MOST_RATES; k++)
    if (expr_has(x->l->s->pool, e, m->coord[k].v)) done = rolls(x, k), tried++;
  if (!done && !any_turning(x, rolls_as_ball)) any_turning(x, rolls_leaning);
}

void model_scene_blades(model_scene_list* l)
{
  const model* m = l->s->m;
  blades* x = base_alloc(sizeof *x);
  *x = (blades){.l = l};
  if (model_sight_open(&x->sight, l)) {
    collect(x);
    for (int i = 0; i < m->constraints; i++) {
      const model_constraint* c = &m->constraint[i];
      if (c->internal || c->contact || c->along || c->sticks) continue;
      if (c->order == 1 && c->linear) look_at(x, c, c->f);
      if (c->order == 0 && c->slips == 1) look_at(x, c, c->slip[0]);
    }
  }
  model_sight_close(&x->sight);
  free(x);
}
