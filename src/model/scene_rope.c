// Ropes over wheels. What goes along a line as far as a wheel turns, beside that line by its own
// radius, hangs on a rope from its rim; two weights whose heights have one sum hang on a rope over
// a wheel between them.

#include "model/scene_sight.h"

#include <math.h>
#include <string.h>

typedef struct ropes
{
  model_scene_list* l;
  model_sight sight;
} ropes;

static void push_rope(ropes* x, const char* name, const expr from[3], const expr to[3])
{
  model_part p = model_scene_part(x->l->s, MODEL_PART_STRING, name, NULL);
  memcpy(p.at, from, sizeof p.at);
  memcpy(p.to, to, sizeof p.to);
  base_push(&x->l->parts, p);
}

// ---- from the rim of a wheel --------------------------------------------------------------------

// the axis of a frame that stays as it turns: its number, and its direction
static int axle_of(const ropes* x, const model_part* frame, double n[3])
{
  for (int own = 0; own < 3; own++) {
    bool stays = true;
    for (int k = 0; k < 3; k++) {
      n[k] = model_sight_number(&x->sight, frame->rotation[3 * k + own]);
      stays = stays && isfinite(n[k]);
    }
    if (stays) return own;
  }
  return -1;
}

static bool has_disc(const ropes* x, const expr at[3])
{
  for (int i = 0; i < x->l->parts.n; i++)
    if (x->l->parts.at[i].kind == MODEL_PART_DISC &&
        memcmp(x->l->parts.at[i].at, at, sizeof x->l->parts.at[i].at) == 0)
      return true;
  return false;
}

static void push_wheel(ropes* x, const model_part* frame, int own, double radius)
{
  if (has_disc(x, frame->at)) return;
  model_part w = model_scene_part(x->l->s, MODEL_PART_DISC, frame->name, NULL);
  memcpy(w.at, frame->at, sizeof w.at);
  memcpy(w.rotation, frame->rotation, sizeof w.rotation);
  w.turns = w.held = true;
  w.carrier = frame->name;
  w.size[0] = expr_double(x->l->s->pool, radius);
  w.normal[own] = expr_int(x->l->s->pool, 1);
  base_push(&x->l->parts, w);
}

// the rim beside the point: from the axle across it and the line k, by the radius; false where the
// line does not touch the rim
static bool rim_beside(const ropes* x, const model_sight_point* p, const model_part* frame, int k,
                       double radius, expr rim[3])
{
  double most = 0;
  for (int i = 0; i < 3; i++) {
    rim[i] = frame->at[i];
    if (i == k) continue;
    const double off =
        model_sight_number(&x->sight, p->at[i]) - model_sight_number(&x->sight, frame->at[i]);
    rim[i] = p->at[i];
    most = hypot(most, off);
  }
  return fabs(most - radius) <= 1e-6 * radius;
}

// f = a + b p_k + c angle, or the same of the rates
static bool from_wheel(ropes* x, const model_constraint* c, const double* f, int point, int part)
{
  const model* m = x->l->s->m;
  const model_sight_point* p = &x->sight.points.at[point];
  const model_part frame = x->l->parts.at[part];
  const int k = model_sight_line_of(p);
  double n[3], rate[MODEL_SIGHTS], turn[MODEL_SIGHTS], one[MODEL_SIGHTS], by[3];
  const int own = axle_of(x, &frame, n);
  if (own < 0 || !(fabs(n[k]) < 1e-9)) return false;
  expr v[3], rim[3];
  model_vec_total(x->l->s->pool, p->at, v);
  model_sight_values(&x->sight, c->order ? v[k] : p->at[k], rate);
  for (int i = 0; i < MODEL_SIGHTS; i++) one[i] = 1;
  for (int i = 0; i < m->coords; i++) {
    bool turned = false;
    for (int j = 0; j < 9; j++)
      turned = turned || expr_has(x->l->s->pool, frame.rotation[j], m->coord[i].q);
    if (!turned) continue;
    model_sight_values(&x->sight, c->order ? m->coord[i].v : m->coord[i].q, turn);
    if (model_sight_fit(3, (const double* const[]){rate, turn, one}, f, by) != MODEL_FIT_GOOD ||
        !(fabs(by[0]) > 1e-9))
      continue;
    const double radius = fabs(by[1] / by[0]);
    if (!(radius > 1e-9) || !rim_beside(x, p, &frame, k, radius, rim)) continue;
    push_rope(x, c->name, rim, p->at);
    push_wheel(x, &frame, own, radius);
    return true;
  }
  return false;
}

// ---- over a wheel between two -------------------------------------------------------------------

// Heights of two that have the sum S: the wheel is where they are measured from, as they hang below
// it; S above the ground where they are measured from there.
static void over_wheel(ropes* x, const char* name, const model_sight_point* const p[2], int k,
                       double sum)
{
  model_scope* s = x->l->s;
  expr_pool* pool = s->pool;
  const int across = k == 0 ? 1 : 0, third = 3 - k - across;
  double side[2], radius;
  for (int i = 0; i < 2; i++) side[i] = model_sight_number(&x->sight, p[i]->at[across]);
  radius = fabs(side[1] - side[0]) / 2;
  if (!(radius > 1e-9) || p[0]->at[third] != p[1]->at[third]) return;
  model_part w = model_scene_part(s, MODEL_PART_DISC, name, NULL);
  const double up = model_sight_number(&x->sight, s->gravity[k]) < 0 ? 1 : -1;
  const expr level = expr_double(pool, sum * up > 0 ? sum : 0);
  w.at[k] = level;
  w.at[across] = expr_double(pool, (side[0] + side[1]) / 2);
  w.at[third] = p[0]->at[third];
  w.size[0] = expr_double(pool, radius);
  w.normal[2] = expr_int(pool, 1);
  w.held = w.turns = true;
  // own z across both; it turns as the first goes
  const expr angle =
      expr_div(pool, p[0]->at[k], expr_double(pool, side[0] < side[1] ? -radius : radius));
  const expr c = expr_fn1(pool, EXPR_COS, angle), sine = expr_fn1(pool, EXPR_SIN, angle);
  for (int i = 0; i < 9; i++) w.rotation[i] = expr_int(pool, 0);
  const double sense = (k - across + 3) % 3 == 1 ? 1 : -1;
  w.rotation[3 * third + 2] = expr_double(pool, sense);
  w.rotation[3 * across] = c, w.rotation[3 * across + 1] = expr_neg(pool, sine);
  w.rotation[3 * k] = sine, w.rotation[3 * k + 1] = c;
  base_push(&x->l->parts, w);
  for (int i = 0; i < 2; i++) {
    expr rim[3];
    memcpy(rim, p[i]->at, sizeof rim);
    rim[k] = level;
    push_rope(x, name, rim, p[i]->at);
  }
  model_part pin = model_scene_part(s, MODEL_PART_HINGE, name, NULL);
  memcpy(pin.at, w.at, sizeof pin.at);
  pin.normal[third] = expr_int(pool, 1);
  pin.fixed = true;
  base_push(&x->l->parts, pin);
}

// f = a + b (p_k + q_k)
static bool of_two(ropes* x, const model_constraint* c, const double* f, int i, int j)
{
  const model_scope* s = x->l->s;
  const model_sight_point *p = &x->sight.points.at[i], *q = &x->sight.points.at[j];
  const int k = model_sight_line_of(p);
  double one[MODEL_SIGHTS], by[3];
  if (c->order || k != model_sight_line_of(q) || !s->has_gravity ||
      !(fabs(model_sight_number(&x->sight, s->gravity[k])) > 0))
    return false;
  for (int n = 0; n < MODEL_SIGHTS; n++) one[n] = 1;
  if (model_sight_fit(3, (const double* const[]){one, p->x[k], q->x[k]}, f, by) != MODEL_FIT_GOOD ||
      !(fabs(by[1]) > 1e-9) || fabs(by[1] - by[2]) > 1e-7 * fabs(by[1]))
    return false;
  over_wheel(x, c->name, (const model_sight_point* const[2]){p, q}, k, -by[0] / by[1]);
  return true;
}

// ---- all ----------------------------------------------------------------------------------------

static bool goes_along(const model_sight_point* p)
{
  return p->heavy && model_sight_line_of(p) >= 0;
}

static void look_at(ropes* x, const model_constraint* c)
{
  double f[MODEL_SIGHTS];
  const int points = x->sight.points.n, parts = x->l->parts.n;
  model_sight_values(&x->sight, c->f, f);
  if (!model_sight_varies(f)) return;
  for (int i = 0; i < points; i++) {
    if (!goes_along(&x->sight.points.at[i])) continue;
    for (int j = 0; j < parts; j++)
      if (x->l->parts.at[j].kind == MODEL_PART_FRAME && from_wheel(x, c, f, i, j)) return;
    for (int j = i + 1; j < points; j++)
      if (goes_along(&x->sight.points.at[j]) && of_two(x, c, f, i, j)) return;
  }
}

void model_scene_ropes(model_scene_list* l)
{
  ropes x = {.l = l};
  const model* m = l->s->m;
  if (model_sight_open(&x.sight, l))
    for (int i = 0; i < m->constraints; i++) {
      const model_constraint* c = &m->constraint[i];
      if (c->order <= 1 && !c->internal && !c->contact && !c->along && !c->by && !c->sticks)
        look_at(&x, c);
    }
  model_sight_close(&x.sight);
}
