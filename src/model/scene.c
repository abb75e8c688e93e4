// What there is to see of a model: its particles, bodies and frames, and what `show` and `trace`
// add.

#include "model/scene.h"

#include <stdlib.h>
#include <string.h>

// ---- what the model declares --------------------------------------------------------------------

// the points that carry the mass, world axes
static void mass_place(model_scope* s, const model_mass* b, int i, expr out[3])
{
  model_scene_place(s, model_place_add(&s->kin, b->origin, b->axes, b->r[i]), out);
}

// a thin line from a frame's origin to what the frame carries
static void add_link(model_scene_list* l, const model_entry* e, const expr to[3])
{
  const model_scope* s = l->s;
  if (!e->carrier || e->carrier == s->world) return;
  model_part p = model_scene_part(s, MODEL_PART_LINK, e->name, e->carrier);
  expr apart[3];
  model_scene_place(s, e->carrier->origin, p.at);
  for (int i = 0; i < 3; i++) p.to[i] = to[i];
  model_vec_sub(s->pool, p.to, p.at, apart);
  if (!model_vec_is_zero(s->pool, apart)) base_push(&l->parts, p);
}

static void add_frame(model_scene_list* l, const model_entry* e)
{
  model_part p = model_scene_part(l->s, MODEL_PART_FRAME, e->name, e->carrier);
  model_scene_place(l->s, e->origin, p.at);
  model_scene_axes(l->s, e->axes, &p);
  base_push(&l->parts, p);
  add_link(l, e, p.at);
}

static void add_point(model_scene_list* l, const model_entry* e)
{
  const model_part_kind kind = e->mass ? MODEL_PART_PARTICLE : MODEL_PART_POINT;
  model_part p = model_scene_part(l->s, kind, e->name, e->carrier);
  model_scene_place(l->s, e->origin, p.at);
  p.mass = e->mass ? e->mass->m : p.mass;
  base_push(&l->parts, p);
  if (e->mass) add_link(l, e, p.at);
}

static void take_inertia(const model_mass* b, model_part* p)
{
  p->mass = b->m;
  for (int i = 0; i < 6; i++) p->inertia[i] = b->J[i];
}

static model_part_kind kind_of(const model_entry* e)
{
  switch (e->shape) {
  case LANG_ROD:
    return MODEL_PART_ROD;
  case LANG_PLATE:
    return MODEL_PART_PLATE;
  case LANG_DISC:
    return MODEL_PART_DISC;
  case LANG_BALL:
    return MODEL_PART_BALL;
  default:
    if (e->size[0]) return MODEL_PART_BOX;
    return e->radius ? MODEL_PART_BALL : MODEL_PART_BODY;
  }
}

// does a body that its frame carries begin or end where the frame does?
static bool begins_at(const model_scene_list* l, const model_entry* e, const expr end[3])
{
  expr origin[3], apart[3];
  if (!e->carrier || e->carrier == l->s->world) return true;
  model_scene_place(l->s, e->carrier->origin, origin);
  model_vec_sub(l->s->pool, end, origin, apart);
  return model_vec_is_zero(l->s->pool, apart);
}

static void add_body(model_scene_list* l, const model_entry* e)
{
  model_scope* s = l->s;
  model_part p = model_scene_part(s, kind_of(e), e->name, e->own ? e : e->carrier);
  p.mass = e->mass->m;
  mass_place(s, e->mass, 0, p.at);
  if (p.kind == MODEL_PART_ROD || p.kind == MODEL_PART_PLATE) {
    mass_place(s, e->mass, 1, p.to);
    if (p.kind == MODEL_PART_PLATE) mass_place(s, e->mass, 2, p.third);
    base_push(&l->parts, p);
    if (p.kind == MODEL_PART_ROD && !begins_at(l, e, p.to)) add_link(l, e, p.at);
    return;
  }
  // the axes after the last turn, which the inertia of a body of revolution does not need
  model_scene_axes(s, e->own ? e->axes : e->carrier->axes, &p);
  take_inertia(e->mass, &p);
  if (p.kind == MODEL_PART_BALL || p.kind == MODEL_PART_DISC) p.size[0] = e->radius;
  for (int i = 0; i < 3 && p.kind == MODEL_PART_BOX; i++) p.size[i] = e->size[i];
  for (int i = 0; i < 3 && p.kind == MODEL_PART_DISC; i++) p.normal[i] = e->normal[i];
  if (!e->own) add_link(l, e, p.at);
  if (!model_scene_has_surface(s, e)) base_push(&l->parts, p);
}

// a spring between its ends; a pull is a line
static void add_spring(model_scene_list* l, const model_entry* e)
{
  const bool spring = e->shape == LANG_SPRING;
  model_part p =
      model_scene_part(l->s, spring ? MODEL_PART_SPRING : MODEL_PART_LINK, e->name, NULL);
  model_scene_place(l->s, e->ends[0], p.at);
  model_scene_place(l->s, e->ends[1], p.to);
  base_push(&l->parts, p);
  p.kind = MODEL_PART_DAMPER;
  if (spring && e->damped) base_push(&l->parts, p);
}

// ---- what it shows beside -----------------------------------------------------------------------

static bool is_between(const model_part* p, const expr a[3], const expr b[3])
{
  const size_t size = sizeof p->at;
  return (memcmp(p->at, a, size) == 0 && memcmp(p->to, b, size) == 0) ||
         (memcmp(p->at, b, size) == 0 && memcmp(p->to, a, size) == 0);
}

// a rod that is shown stands for what would be drawn between its ends
static void drop_between(model_scene_list* l, const model_show* x)
{
  int n = 0;
  for (int i = 0; i < l->parts.n; i++) {
    const model_part* p = &l->parts.at[i];
    const bool line = p->kind == MODEL_PART_LINK || p->kind == MODEL_PART_STRING ||
                      p->kind == MODEL_PART_SPRING || p->kind == MODEL_PART_DAMPER;
    if (!(line && is_between(p, x->at, x->to))) l->parts.at[n++] = *p;
  }
  l->parts.n = n;
}

static void add_show(model_scene_list* l, const model_show* x)
{
  if (x->shape == MODEL_SHOW_ROD) drop_between(l, x);
  static const model_part_kind kinds[] = {MODEL_PART_BALL, MODEL_PART_BOX, MODEL_PART_ROD,
                                          MODEL_PART_TRACE};
  model_part p = model_scene_part(l->s, kinds[x->shape], x->name, NULL);
  p.shown = true;
  for (int i = 0; i < 3; i++) {
    p.at[i] = x->at[i];
    if (x->shape == MODEL_SHOW_ROD) p.to[i] = x->to[i];
    if (x->shape == MODEL_SHOW_BOX) p.size[i] = x->size[i];
  }
  if (x->shape == MODEL_SHOW_BALL) p.size[0] = x->size[0];
  if (x->shape == MODEL_SHOW_ROD) p.size[0] = model_scene_string(l->s, p.at, p.to);
  if (x->shape == MODEL_SHOW_BOX) {
    p.turns = true;
    memcpy(p.rotation, x->rotation, sizeof p.rotation);
  }
  base_push(&l->parts, p);
}

// ---- a point by its coordinates -----------------------------------------------------------------

enum { MOST_OF_COORDS = 16 };

// the digits at the end of a name: x1 and y1 are of one point, x1 and x2 of two
static const char* digits_of(const char* name)
{
  const char* end = name + strlen(name);
  while (end > name && end[-1] >= '0' && end[-1] <= '9') end--;
  return end > name ? end : name + strlen(name);
}

// x, y or z, whichever point they are of
static int letter_of(const char* name)
{
  const char* letter = digits_of(name) == name + 1 ? strchr("xyz", name[0]) : NULL;
  return letter ? (int)(letter - "xyz") : -1;
}

typedef struct by_coords
{
  const char* digits;
  expr inertia;
  bool taken[3];
  int count;
  model_part part;
} by_coords;

// Takes a coordinate into the point of its digits: along x, y, z where it is called so, else as the
// next of them. What has another inertia than they is not of that point.
static void take_coord(by_coords* p, const model_coord* c, expr inertia)
{
  const int letter = letter_of(c->name), axis = letter < 0 ? p->count : letter;
  if (p->count == 3 || p->taken[axis] || (p->count && p->inertia != inertia)) return;
  p->inertia = inertia;
  p->taken[axis] = true;
  p->part.at[axis] = c->q;
  p->part.mass = inertia;
  p->count++;
}

// Where no masses are placed, lengths of the same constant inertia are taken for the Cartesian
// coordinates of a point: kinetic m/2*(x'^2 + y'^2); those numbered x1, x2, .. for those of
// several.
static void add_points_by_coords(model_scene_list* l)
{
  model_scope* s = l->s;
  const model* m = s->m;
  by_coords point[MOST_OF_COORDS];
  int points = 0;
  for (int i = 0; i < m->coords; i++) {
    const model_coord* c = &m->coord[i];
    const bool length = strcmp(c->unit, "m") == 0 || (!*c->unit && letter_of(c->name) >= 0);
    const expr M = expr_simplify(s->pool, expr_diff(s->pool, expr_diff(s->pool, m->T, c->v), c->v));
    if (!length || M == EXPR_NONE || M == expr_int(s->pool, 0) ||
        model_scope_uses(s, M) & MODEL_USES_STATE)
      continue;
    int k = 0;
    while (k < points && strcmp(point[k].digits, digits_of(c->name)) != 0) k++;
    if (k == MOST_OF_COORDS) return;
    if (k == points) {
      const char* name = *digits_of(c->name)
                             ? base_arena_printf(s->arena, "point %s", digits_of(c->name))
                             : "point";
      point[points++] = (by_coords){.digits = digits_of(c->name),
                                    .part = model_scene_part(s, MODEL_PART_PARTICLE, name, NULL)};
    }
    take_coord(&point[k], c, M);
  }
  for (int k = 0; k < points; k++) base_push(&l->parts, point[k].part);
}

// something with an extent is shown, so nothing has to stand for it
static bool shows_body(const model* m)
{
  for (int i = 0; i < m->shows; i++)
    if (m->show[i].shape == MODEL_SHOW_BALL || m->show[i].shape == MODEL_SHOW_BOX) return true;
  return false;
}

// a wheel that was found stands for the point of coordinates under it
static void drop_under_wheel(model_scene_list* l, int point)
{
  for (int i = point + 1; i < l->parts.n; i++) {
    const model_part *p = &l->parts.at[i], *under = &l->parts.at[point];
    if (!(p->held && (p->kind == MODEL_PART_DISC || p->kind == MODEL_PART_BALL))) continue;
    bool above = true;
    for (int k = 0; k < 3; k++)
      above = above && (p->at[k] == under->at[k] || under->at[k] == expr_int(l->s->pool, 0));
    if (!above) continue;
    for (int k = point; k + 1 < l->parts.n; k++) l->parts.at[k] = l->parts.at[k + 1];
    l->parts.n--;
    return;
  }
}

// ---- the whole ----------------------------------------------------------------------------------

static void add_entry(model_scene_list* l, const model_entry* e)
{
  if (e->poisoned) return;
  if (e->sort == MODEL_IS_FRAME && e != l->s->world) add_frame(l, e);
  if (e->sort == MODEL_IS_POINT) add_point(l, e);
  if (e->sort == MODEL_IS_BODY) add_body(l, e);
  if (e->ends[1]) add_spring(l, e);
  if (e->sort == MODEL_IS_CONTACT && e->touch) model_scene_contact(l, e);
}

model_scene* model_scene_make(model* m)
{
  model_scope* s = m->scope;
  model_scene* scene = base_arena_take(s->arena, sizeof *scene);
  const expr zero = expr_int(s->pool, 0);
  model_scene_list l = {.s = s, .weight = {zero, zero, zero}};
  bool masses = false;
  for (int i = 0; i < s->entries.n; i++) {
    add_entry(&l, s->entries.at[i]);
    masses = masses || s->entries.at[i]->mass;
  }
  const int point = l.parts.n;
  const bool alone = !masses && !shows_body(m);
  if (alone) add_points_by_coords(&l);
  const int points = l.parts.n;
  model_scene_blades(&l);
  for (int i = points - 1; i >= point; i--) drop_under_wheel(&l, i);
  model_scene_rigid(&l);
  model_scene_tables(&l);
  model_scene_joints(&l);
  model_scene_rings(&l);
  model_scene_ropes(&l);
  model_scene_held(&l);
  model_scene_springs(&l);
  model_scene_solids(&l);
  model_scene_guides(&l);
  model_scene_forces(&l);
  for (int i = 0; i < m->shows; i++) add_show(&l, &m->show[i]);
  scene->parts = l.parts.n;
  scene->part = base_arena_take(s->arena, sizeof *scene->part * (size_t)(l.parts.n + 1));
  if (l.parts.n) memcpy(scene->part, l.parts.at, sizeof *scene->part * (size_t)l.parts.n);
  base_list_free(&l.parts);
  scene->heavy = s->has_gravity || l.weighs;
  for (int i = 0; i < 3; i++) scene->gravity[i] = s->has_gravity ? s->gravity[i] : l.weight[i];
  return scene;
}
