// Rolling and sliding contact of a body's surface with a base's (docs/rolling.md).
// The bodies have places and attitudes of their own; the contact adds where they touch. Legend, all
// in the axes of the base: N unit normal into the body, y the contact on the base, rho from the
// centre of the body's surface to the contact, d from the base's origin to the contact on the body.
//   the surfaces touch    N.(d - y) = 0                        its reaction is the normal force
//   y below d             t1.(d - y) = t2.(d - y) = 0          no reaction
//   normals opposite      r_u.N = r_v.N = 0 on the body        no reaction
//   no slip               t.(v_O + w x rho - v_c - w_c x y) = 0   reactions: the tangential force
// Where the normal of the body tells its point (sphere, ellipsoid, torus, paraboloid) and where the
// base is a plane, the places are formulas and need no coordinates.

#include "model/roll.h"

#include <string.h>

bool model_roll_has_patch_coords(model_surface_kind kind, bool on_base)
{
  if (!on_base) return !model_surface_has_gauss(kind);
  return kind != MODEL_PLANE && !model_roll_has_normal_coords(kind);
}

// on closed round bases the contact is told by a unit vector, which has no poles
bool model_roll_has_normal_coords(model_surface_kind kind)
{
  return kind == MODEL_SPHERE || kind == MODEL_ELLIPSOID;
}

// ---- declaring ----------------------------------------------------------------------------------

static const char* const names[MODEL_CONTACT_COORDS] = {"u", "v", "ub", "vb", "angle"};
static const char* const speeds[3] = {"sigma", "tau", "n"};
static const char* const normals[3] = {"bx", "by", "bz"};

// a name for a formula, filled in when the contact is worked out
static void make_named(model_scope* s, const model_entry* e, model_sort sort, const char* part)
{
  const char* name = base_arena_printf(s->arena, "%s.%s", e->name, part);
  model_entry* x = model_scope_new_entry(s, sort, name, e->place);
  x->made = x->poisoned = true;
  x->state = MODEL_DONE;
  if (!model_names_find(&s->names, name)) model_names_add(&s->names, x);
}

// the first contact of a body with a frame of its own brings the quasi-velocities
static bool brings_speeds(model_scope* s, const lang_statement* st)
{
  model_entry* body = st->name.text ? model_names_find(&s->names, st->name.text) : NULL;
  if (!body || !body->own || body->is_rolled || body->joint || st->kind != LANG_ROLL) return false;
  return body->is_rolled = true;
}

static void declare_coords(model_scope* s, model_entry* e, model_surface_kind kind, bool on_base)
{
  const int first = on_base ? 2 : 0;
  const bool patch = model_roll_has_patch_coords(kind, on_base);
  for (int i = first; i < first + 2; i++) {
    if (patch)
      model_coord_make(s, e, names[i], "", 0);
    else
      make_named(s, e, MODEL_IS_LET, names[i]);
  }
  if (!on_base || !model_roll_has_normal_coords(kind)) return;
  const bool inside = e->statement->direction.text != NULL;
  model_coord_make_vector(s, e, 3, normals, 2, inside ? -1 : 1);
}

void model_roll_declare(model_scope* s, model_entry* e)
{
  const lang_statement* st = e->statement;
  model_surface_kind body = MODEL_PLANE, base = MODEL_PLANE;
  // what names no surface is told when it is read
  model_surface_kind_of(s, st->left, &body);
  model_surface_kind_of(s, st->right, &base);
  declare_coords(s, e, body, false);
  declare_coords(s, e, base, true);
  make_named(s, e, MODEL_IS_LET, names[4]);
  const bool quasi = brings_speeds(s, st);
  for (int i = 0; i < 3; i++) make_named(s, e, quasi ? MODEL_IS_QUASI : MODEL_IS_LET, speeds[i]);
  e->contact = s->m->contacts++;
  s->made_constraints += 11;
}

// ---- the base -----------------------------------------------------------------------------------

static model_entry* part_of(const model_touch* c, const char* name)
{
  return model_names_find(&c->s->names, base_arena_printf(c->s->arena, "%s.%s", c->e->name, name));
}

static expr coord_of(const model_touch* c, const char* name)
{
  return part_of(c, name)->value.e[0];
}

void model_roll_base_coords(const model_touch* c, expr out[3])
{
  const bool is_round = model_roll_has_normal_coords(c->on_base.kind);
  for (int i = 0; i < (is_round ? 3 : 2); i++)
    out[i] = coord_of(c, is_round ? normals[i] : names[2 + i]);
}

// Tangents of the unit normal n that turn with it without a pole but one: the reflection that takes
// k to -n, n to -k, applied to two vectors across k. The pole n = -k is put where no axis of a
// problem is likely to be.
static void tangents(expr_pool* p, const expr n[3], expr t1[3], expr t2[3])
{
  static const int k[3] = {2, 3, 6}, across[2][3] = {{6, 2, -3}, {-3, 6, -2}};
  expr sevenths[3], sum[3], *out[2] = {t1, t2};
  for (int i = 0; i < 3; i++) {
    sevenths[i] = expr_ratio(p, k[i], 7);
    sum[i] = expr_add(p, sevenths[i], n[i]);
  }
  expr below = expr_add(p, expr_int(p, 1), model_vec_dot(p, sevenths, n));
  for (int j = 0; j < 2; j++) {
    expr a[3], part[3];
    for (int i = 0; i < 3; i++) a[i] = expr_ratio(p, across[j][i], 7);
    model_vec_scale(p, expr_div(p, model_vec_dot(p, a, n), below), sum, part);
    model_vec_sub(p, a, part, out[j]);
  }
}

// outward normal of the ellipsoid at (a n1, b n2, c n3)
static void base_round(model_touch* c)
{
  expr_pool* p = c->s->pool;
  expr n[3], grad[3];
  for (int i = 0; i < 3; i++) {
    n[i] = coord_of(c, normals[i]);
    c->y[i] = expr_mul(p, c->on_base.size[i], n[i]);
    grad[i] = expr_div(p, n[i], c->on_base.size[i]);
  }
  if (c->on_base.kind == MODEL_ELLIPSOID) model_vec_unit(p, grad, n);
  tangents(p, n, c->t1, c->t2);
  model_vec_scale(p, expr_int(p, c->side), n, c->N);
  expr square[4];
  for (int i = 0; i < 3; i++) {
    expr x = coord_of(c, normals[i]);
    square[i] = expr_mul(p, x, x);
  }
  square[3] = expr_int(p, -1);
  c->below[2] = model_constraint_append(
      c->s, (model_constraint){.name = base_arena_printf(c->s->arena, "%s.norm", c->e->name),
                               .f = expr_sum(p, 4, square),
                               .linear = true,
                               .internal = true,
                               .place = c->e->place});
}

static void base_plane(model_touch* c)
{
  expr_pool* p = c->s->pool;
  for (int i = 0; i < 3; i++) {
    c->N[i] = expr_int(p, i == 2 ? c->side : 0);
    c->t1[i] = expr_int(p, i == 0);
    c->t2[i] = expr_int(p, i == 1);
  }
}

static void base_patch(model_touch* c)
{
  expr_pool* p = c->s->pool;
  expr normal[3];
  c->ub = coord_of(c, names[2]);
  c->vb = coord_of(c, names[3]);
  model_surface_at(c->s, &c->on_base, c->ub, c->vb, c->y, c->rub, c->rvb);
  model_vec_cross(p, c->rub, c->rvb, normal);
  for (int i = 0; i < 3; i++) normal[i] = model_simpler(c->s, normal[i]);
  expr square = model_simpler(c->s, model_vec_dot(p, normal, normal));
  expr size = expr_fn1(p, EXPR_SQRT, square);
  model_vec_scale(p, expr_div(p, expr_int(p, c->side), size), normal, c->N);
  model_vec_unit(p, c->rub, c->t1);
  model_vec_cross(p, c->N, c->t1, c->t2);
}

// ---- the body -----------------------------------------------------------------------------------

static int append(model_touch* c, const char* part, expr f, int order, bool force)
{
  model_constraint x = {.name = base_arena_printf(c->s->arena, "%s.%s", c->e->name, part),
                        .unit = strcmp(part, "pivot") == 0 ? "N*m" : "N",
                        .f = f,
                        .order = order,
                        .linear = true,
                        .internal = !force,
                        .contact = force ? 1 + c->e->contact : 0,
                        .place = c->e->place};
  int k = model_constraint_append(c->s, x);
  if (force) c->e->part_index[c->e->parts++] = k;
  return k;
}

static void body_patch(model_touch* c)
{
  expr_pool* p = c->s->pool;
  c->u = coord_of(c, names[0]);
  c->v = coord_of(c, names[1]);
  model_surface_at(c->s, &c->on_body, c->u, c->v, c->x, c->ru, c->rv);
  append(c, "across_u", model_vec_dot(p, c->m, c->ru), 0, false);
  append(c, "across_v", model_vec_dot(p, c->m, c->rv), 0, false);
}

static void touch_body(model_touch* c)
{
  const model_kin* kin = &c->s->kin;
  model_axes_change(kin, c->base->axes, c->body->axes, c->N, c->m);
  if (c->on_body.kind == MODEL_SPHERE) {
    // the attitude does not matter
    model_surface_gauss(c->s, &c->on_body, c->m, c->x);
    model_vec_scale(kin->pool, expr_neg(kin->pool, c->on_body.size[0]), c->N, c->rho);
    return;
  }
  if (model_surface_has_gauss(c->on_body.kind))
    model_surface_gauss(c->s, &c->on_body, c->m, c->x);
  else
    body_patch(c);
  model_axes_change(kin, c->body->axes, c->base->axes, c->x, c->rho);
}

// Where the attitudes are known beforehand it may be known that the surfaces cannot touch: one has
// no normal, or the other no point with the opposite one.
static bool can_touch(const model_touch* c)
{
  const expr* const all[] = {c->N, c->t1, c->t2, c->x, c->rho};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    for (int i = 0; i < 3; i++)
      if (all[k][i] == EXPR_NONE) {
        model_roll_no_point(c);
        return false;
      }
  return true;
}

// ---- constraints --------------------------------------------------------------------------------

static void close_gap(model_touch* c)
{
  expr_pool* p = c->s->pool;
  expr d[3], apart[3];
  model_place_between(&c->s->kin, c->base->origin, c->centre, c->base->axes, d);
  model_vec_add(p, d, c->rho, d);
  if (c->on_base.kind == MODEL_PLANE) {
    c->y[0] = d[0], c->y[1] = d[1], c->y[2] = expr_int(p, 0);
    append(c, "gap", model_vec_dot(p, c->N, d), 0, true);
    return;
  }
  model_vec_sub(p, d, c->y, apart);
  const bool patch = model_roll_has_patch_coords(c->on_base.kind, true);
  c->below[0] = append(c, "below_u", model_vec_dot(p, patch ? c->rub : c->t1, apart), 0, false);
  c->below[1] = append(c, "below_v", model_vec_dot(p, patch ? c->rvb : c->t2, apart), 0, false);
  append(c, "gap", model_vec_dot(p, c->N, apart), 0, true);
}

void model_roll_slip(const model_touch* c, expr out[3])
{
  const model_kin* kin = &c->s->kin;
  expr_pool* p = kin->pool;
  const model_axes* to = c->base->axes;
  expr w[3], wc[3], v[3], vc[3], turning[3], carried[3];
  model_place_velocity(kin, c->centre, to, v);
  model_place_velocity(kin, c->base->origin, to, vc);
  model_axes_omega(kin, c->body->axes, to, w);
  model_axes_omega(kin, to, to, wc);
  model_vec_cross(p, w, c->rho, turning);
  model_vec_cross(p, wc, c->y, carried);
  model_vec_add(p, v, turning, v);
  model_vec_add(p, vc, carried, vc);
  model_vec_sub(p, v, vc, out);
}

// what rolls on rubber does not pivot either: N.(omega - omega_c) = 0
static void hold_pivoting(model_touch* c)
{
  const model_kin* kin = &c->s->kin;
  const model_axes* to = c->base->axes;
  expr w[3], wc[3];
  model_axes_omega(kin, c->body->axes, to, w);
  model_axes_omega(kin, to, to, wc);
  model_vec_sub(kin->pool, w, wc, w);
  append(c, "pivot", model_vec_dot(kin->pool, c->N, w), 1, true);
}

static void hold_slip(model_touch* c)
{
  expr slip[3];
  model_roll_slip(c, slip);
  append(c, "slip1", model_vec_dot(c->s->pool, c->t1, slip), 1, true);
  append(c, "slip2", model_vec_dot(c->s->pool, c->t2, slip), 1, true);
}

// F = sum of the reactions times their directions, in world axes
static void find_force(model_touch* c, model_contact* out)
{
  expr_pool* p = c->s->pool;
  const expr* along[3] = {c->N, c->t1, c->t2};
  expr F[3];
  model_vec_zero(p, F);
  for (int k = 0; k < c->e->parts && k < 3; k++) {
    expr part[3];
    model_vec_scale(p, c->s->m->reaction[c->e->part_index[k]], along[k], part);
    model_vec_add(p, F, part, F);
  }
  const model_grip* grip = &out->grip[LANG_RUB_SLIP];
  for (int k = 0; k < grip->rows && k < 2; k++) {
    expr part[3];
    const expr T = c->s->m->reaction[grip->stick[k]];
    const bool axial = c->axial[0] != EXPR_NONE;
    model_vec_scale(p, axial ? expr_mul(p, T, c->axial[k]) : T, along[k + 1], part);
    model_vec_add(p, F, part, F);
  }
  if (out->slip.acts) model_vec_add(p, F, out->slip.law, F);
  model_axes_change(&c->s->kin, c->base->axes, NULL, F, out->force);
  model_axes_change(&c->s->kin, c->base->axes, NULL, c->N, out->normal);
  for (int k = 0; k < 3; k++)
    model_axes_change(&c->s->kin, c->base->axes, NULL, along[k], out->along[k]);
}

// ---- the whole ----------------------------------------------------------------------------------

// of a ball or disc the centre, of other bodies and of frames the origin of their frame
static const model_place* centre_of(const model_entry* body)
{
  bool shaped =
      body->statement && (body->statement->kind == LANG_BALL || body->statement->kind == LANG_DISC);
  if (body->sort == MODEL_IS_BODY && !body->own && !shaped) return body->mass->origin;
  return body->origin;
}

static bool read(model_touch* c)
{
  const lang_statement* st = c->e->statement;
  bool fine = model_surface_read(c->s, st->left, &c->on_body);
  fine &= model_surface_read(c->s, st->right, &c->on_base);
  c->body = model_scope_frame(c->s, st->name);
  c->base = model_scope_frame(c->s, st->on);
  fine &= model_roll_read_friction(c);
  if (st->rubber.text &&
      (st->kind != LANG_ROLL || st->rub[LANG_RUB_PIVOTING][0] || st->rub[LANG_RUB_PIVOTING][1])) {
    base_error(c->s->notes, st->rubber.place,
               st->kind != LANG_ROLL ? "what slides may pivot; `without pivoting` belongs to `roll`"
                                     : "what does not pivot has no friction against it");
    return false;
  }
  fine &= model_roll_read_landing(c);
  if (!fine || !c->body || !c->base) return false;
  if (c->body == c->base) {
    base_error(c->s->notes, st->on.place, "`%s` cannot roll on itself", st->name.text);
    return false;
  }
  if (c->on_base.kind == MODEL_CIRCLE) {
    base_error(c->s->notes, st->right->place, "a circle has no surface to roll on");
    base_help(c->s->notes, "let the circle be the body's and roll that on the other");
    return false;
  }
  c->side = st->direction.text ? -1 : 1;
  c->centre = centre_of(c->body);
  return true;
}

static model_pull pull_of(const lang_statement* st)
{
  if (model_roll_can_part(st)) return MODEL_PULL_RELEASES;
  if (!st->pull.text) return MODEL_PULL_TELLS;
  return MODEL_PULL_HOLDS;
}

void model_roll_resolve(model_scope* s, model_entry* e)
{
  model_touch c = {.s = s, .e = e, .ub = EXPR_NONE, .u = EXPR_NONE};
  e->poisoned = true;
  if (!read(&c)) return;
  if (c.on_base.kind == MODEL_PLANE)
    base_plane(&c);
  else if (model_roll_has_normal_coords(c.on_base.kind))
    base_round(&c);
  else
    base_patch(&c);
  touch_body(&c);
  if (!can_touch(&c)) return;
  close_gap(&c);
  if (e->statement->kind == LANG_ROLL) hold_slip(&c);
  if (e->statement->rubber.text) hold_pivoting(&c);
  s->m->massless |= c.on_base.kind != MODEL_PLANE || c.u != EXPR_NONE;
  e->axes = c.base->axes;
  e->origin = model_place_add(&s->kin, c.base->origin, c.base->axes, c.y);
  e->frames = c.base->frames + 1;
  e->length = model_dim_of(1, 0, 0);
  model_contact* out = &s->m->contact[e->contact];
  *out = (model_contact){.name = e->name, .place = e->place};
  out->rolls = e->statement->kind == LANG_ROLL;
  out->pull = pull_of(e->statement);
  model_roll_rub(&c, out);
  find_force(&c, out);
  out->gap = e->part_index[0];
  if (!model_roll_land(&c, out)) return;
  model_roll_near(&c, out);
  model_roll_guard(&c, out);
  model_roll_show(&c, out);
  model_touch* kept = base_arena_take(s->arena, sizeof *kept);
  *kept = c;
  e->touch = kept;
  e->poisoned = false;
}
