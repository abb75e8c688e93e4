// Two flat shapes with corners, or one and a circle, event by event: every corner of one, or the
// centre, above every side of the other is an inequality, and of a circle the distance from every
// corner. Which of them count at a moment, the sides that face each other and the corners above
// them, is found as the motion goes (contact/facing.c); all others are off.
//
// Of B the side from corner w to the next, against the clock, with t along it and n out of it: a
// corner of A at y, in the axes of B, has the gap n . (y - w) and slips with t . y'. A circle of
// radius r about y that turns with omega against B has the gap n . (y - w) - r, and slips with
// t . y' - r omega; at a corner w it has n = (y - w)/|y - w|.

#include "model/meeting.h"

typedef struct side
{
  expr from[2], t[2], n[2], length;
} side;

static side side_of(model_scope* s, const model_solid* x, int j)
{
  expr_pool* p = s->pool;
  const expr *from = x->point[j], *to = x->point[(j + 1) % x->points];
  const expr d[2] = {expr_sub(p, to[0], from[0]), expr_sub(p, to[1], from[1])};
  const expr squares = expr_add(p, expr_mul(p, d[0], d[0]), expr_mul(p, d[1], d[1]));
  const expr length = expr_fn1(p, EXPR_SQRT, model_simpler(s, squares));
  side out = {.from = {from[0], from[1]}, .length = length};
  for (int k = 0; k < 2; k++) out.t[k] = model_simpler(s, expr_div(p, d[k], length));
  out.n[0] = out.t[1];
  out.n[1] = expr_neg(p, out.t[0]);
  return out;
}

static expr along(expr_pool* p, const expr a[2], const expr b[2])
{
  return expr_add(p, expr_mul(p, a[0], b[0]), expr_mul(p, a[1], b[1]));
}

static int add_row(model_scope* s, const model_meeting_pair* x, const side* on, const expr y[3],
                   model_meeting_points* out)
{
  expr_pool* p = s->pool;
  model_constraint c = x->law;
  const expr above[2] = {expr_sub(p, y[0], on->from[0]), expr_sub(p, y[1], on->from[1])};
  const expr speed[2] = {expr_total(p, y[0]), expr_total(p, y[1])};
  expr w[3], carried[3];
  model_axes_omega(&s->kin, x->a->axes, x->b->axes, w);
  model_axes_omega(&s->kin, x->b->axes, x->b->axes, carried);
  const expr turning = expr_mul(p, x->A->radius, expr_sub(p, w[2], carried[2]));
  c.name = base_arena_printf(s->arena, "%s.%d", x->name, 1 + out->n);
  c.f = model_simpler(s, expr_sub(p, along(p, on->n, above), x->A->radius));
  c.linear = c.internal = c.starts_off = true;
  c.pressure = expr_int(p, 1);
  c.place = x->A->place;
  c.slip[0] = model_simpler(s, expr_sub(p, along(p, on->t, speed), turning));
  c.slips = 1;
  const int row = model_constraint_append(s, c);
  base_push(out, row);
  return row;
}

// do both move in the plane of their axes?
static bool stays_in_plane(model_scope* s, const model_meeting_pair* x, expr z)
{
  const expr rate = model_scope_held(s, expr_total(s->pool, z));
  if (!(model_scope_uses(s, rate) & MODEL_USES_VELOCITY)) return true;
  base_error(s->notes, x->A->place, "a %s is a shape in the plane, `%s` moves in space",
             x->A->shape, x->A->fixed ? x->B->name : x->A->name);
  return false;
}

// corners of A above sides of B
static bool face(model_scope* s, const model_meeting_pair* x, model_meeting_points* out)
{
  model_facing* f = &s->m->facing[s->m->facings++];
  *f = (model_facing){
      .a = (int)(x->A - s->m->solid),
      .b = (int)(x->B - s->m->solid),
      .meeting = s->m->meetings,
      .row = base_arena_take(s->arena, sizeof(int) * (size_t)(x->A->points * x->B->points)),
      .gap = EXPR_NONE};
  for (int i = 0; i < x->A->points; i++) {
    const model_place* at = model_place_add(&s->kin, x->a->origin, x->a->axes, x->A->point[i]);
    expr y[3];
    model_place_between(&s->kin, x->b->origin, at, x->b->axes, y);
    if (!stays_in_plane(s, x, y[2])) return false;
    for (int j = 0; j < x->B->points; j++) {
      const side on = side_of(s, x->B, j);
      f->row[i * x->B->points + j] = add_row(s, x, &on, y, out);
    }
  }
  return true;
}

// at a corner the normal goes from it to the centre y of the circle
static side corner_of(model_scope* s, const model_solid* x, int j, const expr y[3])
{
  expr_pool* p = s->pool;
  const expr* from = x->point[j];
  const expr d[2] = {expr_sub(p, y[0], from[0]), expr_sub(p, y[1], from[1])};
  const expr length = expr_fn1(p, EXPR_SQRT, along(p, d, d));
  side out = {.from = {from[0], from[1]}};
  for (int k = 0; k < 2; k++) out.n[k] = expr_div(p, d[k], length);
  out.t[0] = expr_neg(p, out.n[1]);
  out.t[1] = out.n[0];
  return out;
}

// how far y is from a side, its ends included: what of the way along it lies beyond these, and the
// height above it, as the sides of a triangle
static expr distance(model_scope* s, const side* on, const expr y[3])
{
  expr_pool* p = s->pool;
  const expr above[2] = {expr_sub(p, y[0], on->from[0]), expr_sub(p, y[1], on->from[1])};
  const expr half = expr_mul(p, expr_ratio(p, 1, 2), on->length);
  const expr off_middle = expr_fn1(p, EXPR_ABS, expr_sub(p, along(p, on->t, above), half));
  const expr both[2] = {expr_int(p, 0), expr_sub(p, off_middle, half)};
  const expr way[2] = {expr_call(p, EXPR_MAX, 2, both), along(p, on->n, above)};
  return expr_fn1(p, EXPR_SQRT, along(p, way, way));
}

// no direction leads from a corner to a centre that never leaves it
static bool refuse_centre(const model_scope* s, const model_meeting_pair* x)
{
  if (expr_pool_full(s->pool)) return false;
  base_error(s->notes, x->A->place, "the centre of this circle always stays in a corner of `%s`",
             x->B->name);
  base_help(s->notes, "shapes that touch begin apart, or side by side");
  return false;
}

// a circle above the sides of B, and apart from its corners
static bool face_round(model_scope* s, const model_meeting_pair* x, model_meeting_points* out)
{
  const int n = x->B->points;
  model_facing *f = &s->m->facing[s->m->facings++], *g = &s->m->facing[s->m->facings++];
  *f = (model_facing){.a = (int)(x->A - s->m->solid),
                      .b = (int)(x->B - s->m->solid),
                      .meeting = s->m->meetings,
                      .row = base_arena_take(s->arena, sizeof(int) * (size_t)(2 * n)),
                      .gap = EXPR_NONE};
  *g = (model_facing){f->b, f->a, f->meeting, f->row + n, EXPR_NONE};
  expr y[3];
  model_place_between(&s->kin, x->b->origin, x->a->origin, x->b->axes, y);
  if (!stays_in_plane(s, x, y[2])) return false;
  for (int j = 0; j < n; j++) {
    const side on = side_of(s, x->B, j);
    const expr apart[2] = {f->gap, distance(s, &on, y)};
    f->gap = j ? expr_call(s->pool, EXPR_MIN, 2, apart) : apart[1];
    f->row[j] = add_row(s, x, &on, y, out);
  }
  f->gap = expr_sub(s->pool, f->gap, x->A->radius);
  for (int j = 0; j < n; j++) {
    const side on = corner_of(s, x->B, j, y);
    if (on.n[0] == EXPR_NONE || on.n[1] == EXPR_NONE) return refuse_centre(s, x);
    g->row[j] = add_row(s, x, &on, y, out);
  }
  return true;
}

bool model_meeting_sides(model_scope* s, const model_meeting_pair* x, model_meeting_points* out)
{
  const model_meeting_pair turned = {x->b, x->a, x->B, x->A, x->name, x->law};
  if (x->A->points == 1) return face_round(s, x, out);
  if (x->B->points == 1) return face_round(s, &turned, out);
  return face(s, x, out) && face(s, &turned, out);
}
