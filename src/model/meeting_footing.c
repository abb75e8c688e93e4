// Boxes, hulls and capsules in space, event by event. What of two of them may touch next, a corner
// above a side, two edges, an end beside an edge, is found as the motion goes
// (contact/footing.c); there are far more such pairs of features than ever touch at once. So each
// pair of shapes has a few places, inequalities that are off until a feature stands in them, and
// what the feature is made of are params that change with it.
//
// A feature: a point a of A, one b of B, and two directions u, v, each of A or of B, all in own
// axes. In the world x = p_A + R_A a, y = p_B + R_B b, d = x - y, and
//   across: n = (u x v)/|u x v|. A corner above a side of the other has both directions in that
//           side, two edges have one each. The gap is n . d - r, r the radii of both.
//   around: n = e/|e|, with e what of d lies across u and v, which are at right angles; none, one
//           or both of them are zero: a point beside a point, a line or a plane. The gap is
//           |e| - r.
// They slip with the part across n of v_A + omega_A x (c - p_A) - v_B - omega_B x (c - p_B), c
// being where they touch. Across edges c = x + s u - r_A n, where x + s u and y + t v come nearest:
// s = (v x d) . (u x v)/|u x v|^2.

#include "model/meeting.h"

#include <string.h>

// symbols of a place in the order of MODEL_FOOTING_VALUES
typedef struct footing
{
  expr a[3], b[3], u[3], v[3], of[2]; // of: 1 of A, 0 of B
} footing;

// both bodies, and what is worked out of a footing, world axes
typedef struct meant
{
  const model_meeting_pair* x;
  int still;
  expr A[3], B[3], d[3], u[3], v[3], n[3], gap, c[3];
} meant;

// ---- who takes part -----------------------------------------------------------------------------

typedef enum sort { SPHERE, PLANE, CAPSULE, BOX, HULL, OTHER } sort;

static sort sort_of(const lang_solid* x)
{
  if (strcmp(x->shape.text, "sphere") == 0) return SPHERE;
  if (strcmp(x->shape.text, "plane") == 0) return PLANE;
  if (strcmp(x->shape.text, "capsule") == 0) return CAPSULE;
  if (strcmp(x->shape.text, "hull") == 0) return HULL;
  return model_solid_is_box(x) ? BOX : OTHER;
}

// Places of each pair: two sides overlap in a polygon with as many corners as both have; an axis
// crosses two edges of a side, and the nearest one.
static const struct
{
  sort a, b;
  model_meeting_places places;
} pairs[] = {{HULL, PLANE, {16, 0}}, {HULL, SPHERE, {0, 1}}, {BOX, BOX, {8, 0}},
             {BOX, HULL, {16, 0}},   {HULL, HULL, {16, 0}},  {CAPSULE, CAPSULE, {1, 4}},
             {CAPSULE, BOX, {3, 3}}, {CAPSULE, HULL, {3, 3}}};

model_meeting_places model_meeting_footings(const lang_solid* a, const lang_solid* b)
{
  const sort x = sort_of(a), y = sort_of(b);
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    if ((pairs[i].a == x && pairs[i].b == y) || (pairs[i].a == y && pairs[i].b == x))
      return pairs[i].places;
  return (model_meeting_places){0, 0};
}

// ---- one place ----------------------------------------------------------------------------------

static void turn(expr_pool* p, const expr R[9], const expr own[3], expr out[3])
{
  for (int i = 0; i < 3; i++) out[i] = model_vec_dot(p, R + 3 * i, own);
}

// a direction of A or of B
static void direct(expr_pool* p, const meant* m, expr of, const expr own[3], expr out[3])
{
  const expr rest = expr_sub(p, expr_int(p, 1), of);
  expr a[3], b[3];
  turn(p, m->x->A->R, own, a);
  turn(p, m->x->B->R, own, b);
  for (int i = 0; i < 3; i++) out[i] = expr_add(p, expr_mul(p, of, a[i]), expr_mul(p, rest, b[i]));
}

static void see(expr_pool* p, const footing* f, meant* m)
{
  turn(p, m->x->A->R, f->a, m->A);
  turn(p, m->x->B->R, f->b, m->B);
  model_vec_add(p, m->x->A->p, m->A, m->A);
  model_vec_add(p, m->x->B->p, m->B, m->B);
  model_vec_sub(p, m->A, m->B, m->d);
  direct(p, m, f->of[0], f->u, m->u);
  direct(p, m, f->of[1], f->v, m->v);
}

static void see_across(expr_pool* p, const footing* f, meant* m)
{
  const expr one = expr_int(p, 1), r = m->x->A->radius;
  expr across[3], side[3];
  model_vec_cross(p, m->u, m->v, across);
  const expr square = model_vec_dot(p, across, across), length = expr_fn1(p, EXPR_SQRT, square);
  for (int k = 0; k < 3; k++) m->n[k] = expr_div(p, across[k], length);
  m->gap = expr_sub(p, model_vec_dot(p, m->n, m->d), expr_add(p, r, m->x->B->radius));
  // edges alone are gone along; a corner of B is itself where a side of A touches it
  const expr edges = expr_mul(p, f->of[0], expr_sub(p, one, f->of[1]));
  const expr corner = expr_mul(p, f->of[0], f->of[1]);
  model_vec_cross(p, m->v, m->d, side);
  const expr s = expr_mul(p, edges, expr_div(p, model_vec_dot(p, side, across), square));
  for (int k = 0; k < 3; k++) {
    const expr term[4] = {m->A[k], expr_neg(p, expr_mul(p, corner, m->d[k])),
                          expr_mul(p, s, m->u[k]), expr_neg(p, expr_mul(p, r, m->n[k]))};
    m->c[k] = expr_sum(p, 4, term);
  }
}

static void see_around(expr_pool* p, const footing* f, meant* m)
{
  const expr one = expr_int(p, 1), ra = m->x->A->radius, rb = m->x->B->radius;
  const expr along[2] = {model_vec_dot(p, m->d, m->u), model_vec_dot(p, m->d, m->v)};
  expr e[3];
  for (int k = 0; k < 3; k++) {
    const expr term[3] = {m->d[k], expr_neg(p, expr_mul(p, along[0], m->u[k])),
                          expr_neg(p, expr_mul(p, along[1], m->v[k]))};
    e[k] = expr_sum(p, 3, term);
  }
  const expr length = expr_fn1(p, EXPR_SQRT, model_vec_dot(p, e, e));
  for (int k = 0; k < 3; k++) m->n[k] = expr_div(p, e[k], length);
  m->gap = expr_sub(p, length, expr_add(p, ra, rb));
  // beside a line of A it is the point of B that touches
  const expr other = f->of[0], own = expr_sub(p, one, other);
  for (int k = 0; k < 3; k++) {
    const expr a = expr_sub(p, m->A[k], expr_mul(p, ra, m->n[k])),
               b = expr_add(p, m->B[k], expr_mul(p, rb, m->n[k]));
    m->c[k] = expr_add(p, expr_mul(p, own, a), expr_mul(p, other, b));
  }
}

// of the body at c, world axes
static void velocity(expr_pool* p, const model_solid* x, const expr c[3], expr v[3])
{
  expr arm[3];
  model_vec_sub(p, c, x->p, arm);
  model_vec_cross(p, x->w, arm, v);
  model_vec_add(p, x->v, v, v);
}

// In a plane across axis k there is one direction of slip, k x n over its length. Sides that look
// along k have none and never touch: what is added is far below rounding for all others.
static expr slip_in_plane(expr_pool* p, const expr n[3], const expr v[3], int k)
{
  const int a = (k + 1) % 3, b = (k + 2) % 3;
  const expr term[3] = {expr_mul(p, n[a], n[a]), expr_mul(p, n[b], n[b]), expr_double(p, 1e-60)};
  return expr_div(p, expr_sub(p, expr_mul(p, n[a], v[b]), expr_mul(p, n[b], v[a])),
                  expr_fn1(p, EXPR_SQRT, expr_sum(p, 3, term)));
}

// tangents by the normal alone: points of one plane have the same, and their friction is added up
static int slips_of(model_scope* s, const meant* m, expr slip[2])
{
  expr_pool* p = s->pool;
  expr v[3], w[3], t[2][3];
  velocity(p, m->x->A, m->c, v);
  velocity(p, m->x->B, m->c, w);
  model_vec_sub(p, v, w, v);
  if (m->still >= 0) {
    slip[0] = slip_in_plane(p, m->n, v, m->still);
    return 1;
  }
  model_meeting_tangents(s, m->n, t);
  for (int k = 0; k < 2; k++) slip[k] = model_vec_dot(p, t[k], v);
  return 2;
}

// the symbols of a place; each is a param that the run sets
static void name_values(model_scope* s, const char* name, expr* value)
{
  static const char* const word[MODEL_FOOTING_VALUES] = {"ax", "ay", "az", "bx", "by", "bz", "ux",
                                                         "uy", "uz", "vx", "vy", "vz", "pu", "pv"};
  for (int i = 0; i < MODEL_FOOTING_VALUES; i++) {
    value[i] = expr_symbol(s->pool, base_arena_printf(s->arena, "%s:%s", name, word[i]));
    model_scope_mark(s, value[i], MODEL_USES_CHANGING);
  }
}

static int add_place(model_scope* s, const model_meeting_pair* x, const model_footing* at, int i,
                     model_meeting_points* out)
{
  model_constraint c = x->law;
  footing f;
  meant m = {.x = x, .still = at->still};
  const bool across = i < at->across;
  expr* value = at->value + MODEL_FOOTING_VALUES * i;
  c.name = base_arena_printf(s->arena, "%s.%d", x->name, 1 + out->n);
  name_values(s, c.name, value);
  memcpy(&f, value, sizeof f);
  see(s->pool, &f, &m);
  (across ? see_across : see_around)(s->pool, &f, &m);
  c.f = m.gap;
  c.linear = c.internal = c.starts_off = true;
  c.pressure = expr_int(s->pool, 1);
  c.place = x->A->place;
  c.slips = slips_of(s, &m, c.slip);
  const int row = model_constraint_append(s, c);
  base_push(out, row);
  return row;
}

bool model_meeting_foot(model_scope* s, const model_meeting_pair* x, model_meeting_places places,
                        model_meeting_points* out)
{
  model_footing* f = &s->m->footing[s->m->footings++];
  const int count = places.across + places.around;
  *f = (model_footing){
      .a = (int)(x->A - s->m->solid),
      .b = (int)(x->B - s->m->solid),
      .meeting = s->m->meetings,
      .still = model_meeting_still_axis(s, x),
      .across = places.across,
      .around = places.around,
      .row = base_arena_take(s->arena, sizeof(int) * (size_t)count),
      .value = base_arena_take(s->arena, sizeof(expr) * (size_t)(MODEL_FOOTING_VALUES * count))};
  for (int i = 0; i < count; i++) f->row[i] = add_place(s, x, f, i, out);
  return true;
}

// What stands in a place before anything does: a point apart from a plane that looks along none of
// the axes, or from a point.
static const double nothing[2][MODEL_FOOTING_VALUES] = {
    {0, 0, 0, -2, -2, -2, 1, -1, 0, 1, 1, -2, 0, 0}, {0, 0, 0, -2, -3, -5}};

// they become the last of the params
void model_meeting_build(model_scope* s)
{
  model* m = s->m;
  int more = 0;
  for (int i = 0; i < m->footings; i++)
    more += MODEL_FOOTING_VALUES * (m->footing[i].across + m->footing[i].around);
  if (!more) return;
  model_param* all = base_arena_take(s->arena, sizeof *all * (size_t)(m->params + more + 1));
  if (m->params) memcpy(all, m->param, sizeof *all * (size_t)m->params);
  m->param = all;
  for (int i = 0; i < m->footings; i++) {
    model_footing* f = &m->footing[i];
    f->param = m->params;
    for (int k = 0; k < MODEL_FOOTING_VALUES * (f->across + f->around); k++) {
      const double* by = nothing[k / MODEL_FOOTING_VALUES >= f->across];
      m->param[m->params++] =
          (model_param){.name = expr_name(s->pool, f->value[k]),
                        .unit = "",
                        .note = "",
                        .symbol = f->value[k],
                        .rate = EXPR_NONE,
                        .rate2 = EXPR_NONE,
                        .value = expr_double(s->pool, by[k % MODEL_FOOTING_VALUES]),
                        .number = by[k % MODEL_FOOTING_VALUES],
                        .definition = EXPR_NONE,
                        .scale = 1,
                        .changes = true,
                        .made = true,
                        .place = m->meeting[f->meeting].place};
    }
  }
}
