// What constraints between places look like. A distance that is held is a rod, one that is bounded
// from above a string, from below an obstacle; that from an axis is a tube; a height that is
// bounded or held is ground; places that agree are joined by a hinge.

#include "model/parts.h"
#include "model/scene_sight.h"

#include <math.h>
#include <string.h>

// a row n . (a - b) + c = 0 about two points, or one and the world (other -1), that may be one of
// those of a hinge
typedef struct row
{
  model_sight_height h;
  const char* name;
  expr f;
  int sense; // as of a constraint
  bool rubs, taken;
} row;

typedef struct held
{
  model_scene_list* l;
  model_sight sight;
  BASE_LIST(row) rows;
  BASE_LIST(model_scene_foot) feet;
} held;

static expr number(const held* x, double value)
{
  return expr_double(x->l->s->pool, value);
}

static void copy(expr to[3], const expr from[3])
{
  memcpy(to, from, sizeof(expr) * 3);
}

// ---- distances ----------------------------------------------------------------------------------

static bool is_in(int n, const int* list, int k)
{
  for (int i = 0; i < n; i++)
    if (list[i] == k) return true;
  return false;
}

static bool switches(const model_change* c, int k)
{
  return is_in(c->releases, c->release, k) || is_in(c->imposes, c->impose, k);
}

// is the constraint let go or taken up on the way?
static bool is_switched(const model* m, int k)
{
  for (int i = 0; i < m->stages; i++)
    if (switches(&m->stage[i].change, k)) return true;
  for (int i = 0; i < m->events; i++)
    if (switches(&m->event[i].change, k)) return true;
  return false;
}

static void push_hinge(held* x, const char* name, const expr at[3], bool fixed)
{
  model_part p = model_scene_part(x->l->s, MODEL_PART_HINGE, name, NULL);
  copy(p.at, at);
  p.fixed = fixed;
  base_push(&x->l->parts, p);
}

// a ball of that radius about that place is shown: the point is held on it, and not by a rod
static bool is_shown_ball(const held* x, const expr place[3], expr length)
{
  const model* m = x->l->s->m;
  for (int i = 0; i < m->shows; i++) {
    if (m->show[i].shape != MODEL_SHOW_BALL) continue;
    bool same = fabs(model_sight_number(&x->sight, m->show[i].size[0]) -
                     model_sight_number(&x->sight, length)) < 1e-9;
    for (int k = 0; k < 3; k++)
      same = same && fabs(model_sight_number(&x->sight, m->show[i].at[k]) -
                          model_sight_number(&x->sight, place[k])) < 1e-9;
    if (same) return true;
  }
  return false;
}

static void add_distance(held* x, int k, const model_sight_distance* d)
{
  model_scope* s = x->l->s;
  const model_constraint* c = &s->m->constraint[k];
  const model_sight_point* point = &x->sight.points.at[d->point];
  const expr* other = d->other < 0 ? d->place : x->sight.points.at[d->other].at;
  const double level = -d->offset / d->scale;
  expr length = model_scene_length(s, c->f, other, point->at);
  if (length == EXPR_NONE) length = number(x, d->squared ? sqrt(fmax(level, 0)) : level);
  if (c->sense * d->scale > 0) {
    if (d->other >= 0) return;
    model_scene_foot foot = {.point = d->point, .length = length};
    copy(foot.place, other);
    base_push(&x->feet, foot);
    return;
  }
  if (d->other < 0 && is_shown_ball(x, other, length)) return;
  const bool slack = c->sense || is_switched(s->m, k);
  model_part p = model_scene_part(s, slack ? MODEL_PART_STRING : MODEL_PART_LINK, c->name, NULL);
  copy(p.at, other);
  copy(p.to, point->at);
  p.held = true;
  if (slack) p.size[0] = length;
  base_push(&x->l->parts, p);
  if (d->other < 0) push_hinge(x, c->name, other, true);
  for (int i = 0; i < 2 && !slack; i++) {
    const int j = i ? d->other : d->point;
    if (j >= 0 && !x->sight.points.at[j].heavy)
      push_hinge(x, c->name, x->sight.points.at[j].at, false);
  }
}

static void add_tube(held* x, const model_constraint* c, const model_sight_distance* d, int axis)
{
  model_scope* s = x->l->s;
  const model_sight_point* point = &x->sight.points.at[d->point];
  model_part p = model_scene_part(s, MODEL_PART_TUBE, c->name, NULL);
  expr length = model_scene_length(s, c->f, d->place, point->at);
  if (length == EXPR_NONE) length = number(x, sqrt(fmax(-d->offset / d->scale, 0)));
  copy(p.at, d->place);
  copy(p.to, point->at);
  p.size[0] = length;
  p.normal[axis] = expr_int(s->pool, c->sense * d->scale > 0 ? -1 : 1);
  p.both = !c->sense;
  base_push(&x->l->parts, p);
}

// ---- ground -------------------------------------------------------------------------------------

// The plane of f = 0 for a point at p: n.(p - at) = f with n = df/dp, so that it holds the foot of
// the point, p - n f/|n|^2; of that only what lies along n, which does not change with the point.
static void add_ground(held* x, const row* r)
{
  model_scope* s = x->l->s;
  expr_pool* pool = s->pool;
  const model_sight_point* p = &x->sight.points.at[r->h.point];
  const double size = sqrt(r->h.normal[0] * r->h.normal[0] + r->h.normal[1] * r->h.normal[1] +
                           r->h.normal[2] * r->h.normal[2]);
  model_part g = model_scene_part(s, MODEL_PART_GROUND, r->name, NULL);
  expr n[3], height = expr_neg(pool, expr_mul(pool, r->f, number(x, 1 / size)));
  for (int i = 0; i < 3; i++) {
    n[i] = number(x, r->h.normal[i] / size);
    height = expr_add(pool, height, expr_mul(pool, n[i], p->at[i]));
  }
  height = expr_simplify(pool, height);
  if (!model_sight_is_free(s, height)) height = number(x, -r->h.offset / size);
  // what moves with time and holds on both sides drives the point: nothing it lies on; what turns
  // with time is no plane
  if (!r->sense && model_scope_uses(s, height) & MODEL_USES_TIME) return;
  if (!model_sight_is_free(s, expr_simplify(pool, expr_diff(pool, r->f, s->m->t)))) return;
  for (int i = 0; i < 3; i++) {
    g.at[i] = expr_mul(pool, n[i], height);
    g.normal[i] = r->sense < 0 ? expr_neg(pool, n[i]) : n[i];
    // beside the plane it stays where the point does not move
    if (r->h.normal[i] == 0 && !p->moves[i]) g.at[i] = p->at[i];
  }
  copy(g.to, p->at);
  g.both = !r->sense;
  g.held = r->rubs;
  model_scene_turn_ground(x->l, &x->sight, &g);
  base_push(&x->l->parts, g);
}

// ---- hinges -------------------------------------------------------------------------------------

// do the rows about these two hold all that one moves against the other?
static bool is_pinned(held* x, const row* first, int* count)
{
  const model_sight_point *a = &x->sight.points.at[first->h.point],
                          *b = first->h.other < 0 ? NULL : &x->sight.points.at[first->h.other];
  bool held_axis[3] = {false};
  *count = 0;
  for (int i = 0; i < x->rows.n; i++) {
    const row* r = &x->rows.at[i];
    if (r->taken || r->h.point != first->h.point || r->h.other != first->h.other) continue;
    if (r->sense) continue;
    ++*count;
    for (int k = 0; k < 3; k++)
      if (r->h.normal[k] != 0) held_axis[k] = true;
  }
  int wanted = 0;
  for (int k = 0; k < 3; k++) {
    const bool moves = a->moves[k] || (b && b->moves[k]);
    wanted += moves;
    if (moves && !held_axis[k]) return false;
  }
  return wanted > 1 && *count >= wanted;
}

// a point without mass at a hinge is part of the frame that carries it: a link from there
static void link_to(held* x, const expr at[3])
{
  model_scene_list* l = x->l;
  const char* carrier = NULL;
  for (int i = 0; i < l->parts.n && !carrier; i++)
    if (l->parts.at[i].kind == MODEL_PART_POINT &&
        memcmp(l->parts.at[i].at, at, 3 * sizeof *at) == 0)
      carrier = l->parts.at[i].carrier;
  for (int i = 0; i < l->parts.n && carrier && *carrier; i++) {
    if (l->parts.at[i].kind != MODEL_PART_FRAME || strcmp(l->parts.at[i].name, carrier) != 0)
      continue;
    model_part p = model_scene_part(l->s, MODEL_PART_LINK, carrier, NULL);
    copy(p.at, l->parts.at[i].at);
    copy(p.to, at);
    p.held = true;
    for (int k = 0; k < l->parts.n; k++) {
      const model_part* o = &l->parts.at[k];
      if ((o->kind == MODEL_PART_ROD || o->kind == MODEL_PART_LINK) &&
          memcmp(o->to, p.to, sizeof p.to) == 0)
        return;
    }
    if (memcmp(p.at, p.to, sizeof p.at) != 0) base_push(&l->parts, p);
    return;
  }
}

static void join(held* x)
{
  for (int i = 0; i < x->rows.n; i++) {
    const row first = x->rows.at[i];
    int count;
    if (first.taken || first.sense) continue;
    if (!is_pinned(x, &first, &count)) continue;
    push_hinge(x, first.name, x->sight.points.at[first.h.point].at, first.h.other < 0);
    link_to(x, x->sight.points.at[first.h.point].at);
    if (first.h.other >= 0) link_to(x, x->sight.points.at[first.h.other].at);
    for (int j = i; j < x->rows.n; j++) {
      row* r = &x->rows.at[j];
      if (r->h.point == first.h.point && r->h.other == first.h.other) r->taken = true;
    }
  }
}

// ---- all ----------------------------------------------------------------------------------------

static void look_at(held* x, int k)
{
  const model_constraint* c = &x->l->s->m->constraint[k];
  model_sight_distance d;
  int axis;
  row r = {.name = c->name, .f = c->f, .sense = c->sense, .rubs = c->friction != EXPR_NONE};
  if (c->order || c->internal || c->contact || c->along || c->by || c->sticks) return;
  if (model_sight_distance_of(&x->sight, c->f, &d))
    add_distance(x, k, &d);
  else if (model_sight_height_of(&x->sight, c->f, &r.h))
    base_push(&x->rows, r);
  else if ((axis = model_sight_axis_of(&x->sight, c->f, &d)) >= 0)
    add_tube(x, c, &d, axis);
  else
    model_scene_curve(x->l, &x->sight, c);
}

// where an event turns a velocity around, something is struck
static void look_at_event(held* x, const model_event* e)
{
  row r = {.name = e->name, .f = e->g, .sense = -e->direction};
  bool throws = false;
  for (int i = 0; i < e->change.sets && e->action == MODEL_CHANGE; i++)
    throws |= e->change.set[i].target == MODEL_SET_VELOCITY;
  if (throws && e->direction && model_highest_order(x->l->s, e->g) == 0 &&
      model_sight_height_of(&x->sight, e->g, &r.h) && r.h.other < 0)
    base_push(&x->rows, r);
}

// A thing that can but go along a line slides on it. Up and down nothing lies under it.
static void add_guide(held* x, int point)
{
  model_scope* s = x->l->s;
  const model_sight_point* p = &x->sight.points.at[point];
  if (!p->heavy || p->moves[0] + p->moves[1] + p->moves[2] != 1 || p->moves[2]) return;
  const int axis = p->moves[1];
  const double fall = s->has_gravity ? model_sight_number(&x->sight, s->gravity[axis]) : 0;
  if (fall != 0) return;
  model_part g = model_scene_part(s, MODEL_PART_GROUND, p->name, NULL);
  copy(g.at, p->at);
  copy(g.to, p->at);
  g.at[axis] = expr_int(s->pool, 0);
  g.normal[1 - axis] = expr_int(s->pool, 1);
  g.held = true;
  if (!model_scene_has_ground(x->l, &x->sight, &g)) base_push(&x->l->parts, g);
}

void model_scene_held(model_scene_list* l)
{
  held x = {.l = l};
  if (model_sight_open(&x.sight, l)) {
    for (int k = 0; k < l->s->m->constraints; k++) look_at(&x, k);
    for (int i = 0; i < l->s->m->events; i++) look_at_event(&x, &l->s->m->event[i]);
    join(&x);
    for (int i = 0; i < x.rows.n; i++)
      if (!x.rows.at[i].taken && x.rows.at[i].h.other < 0) add_ground(&x, &x.rows.at[i]);
    for (int i = 0; i < x.sight.points.n; i++) add_guide(&x, i);
    model_scene_feet(l, &x.sight, x.feet.n, x.feet.at);
  }
  model_sight_close(&x.sight);
  base_list_free(&x.rows);
  base_list_free(&x.feet);
}
