// What a contact shows: its coordinates on both charts, the angle between their axes, and the
// angular velocity of the body on the axes of the contact. Bychkov (2004) in the words of
// docs/rolling.md:
//   e1 = r_u/|r_u|, e3 = r_u x r_v/|r_u x r_v|, e2 = e3 x e1, the same with c on the base,
//   e3 = g e3c, tan(angle) = g e1.e1c/e1.e2c,   sigma, tau, n = omega.e1, omega.e2, omega.e3

#include "model/roll.h"

static const char* const names[MODEL_CONTACT_COORDS] = {"u", "v", "ub", "vb", "angle"};
static const char* const speeds[3] = {"sigma", "tau", "n"};

static model_entry* part_of(const model_touch* c, const char* name)
{
  return model_names_find(&c->s->names, base_arena_printf(c->s->arena, "%s.%s", c->e->name, name));
}

// e3 points out of the body where its surface is closed, into it where it is open
static int sign_of_body(const model_touch* c)
{
  return c->on_body.open ? 1 : -1;
}

static void body_axes(const model_touch* c, expr uv[2], expr e1[3], expr e3[3])
{
  expr_pool* p = c->s->pool;
  if (c->u != EXPR_NONE) {
    uv[0] = c->u;
    uv[1] = c->v;
    model_vec_unit(p, c->ru, e1);
  } else {
    expr out[3];
    model_vec_scale(p, expr_int(p, -1), c->m, out);
    model_surface_chart(c->s, &c->on_body, c->x, out, uv, e1);
  }
  model_vec_scale(p, expr_int(p, sign_of_body(c)), c->m, e3);
}

static void base_axes(const model_touch* c, expr uv[2], expr e1[3], expr e3[3])
{
  expr_pool* p = c->s->pool;
  model_vec_scale(p, expr_int(p, c->side), c->N, e3);
  if (c->ub != EXPR_NONE) {
    uv[0] = c->ub;
    uv[1] = c->vb;
    model_vec_unit(p, c->rub, e1);
  } else {
    model_surface_chart(c->s, &c->on_base, c->y, e3, uv, e1);
  }
}

static void set_value(const model_touch* c, const char* name, expr value, model_dim d)
{
  model_entry* e = part_of(c, name);
  if (e->sort == MODEL_IS_COORD) return;
  e->value = model_value_scalar(value, d);
  e->poisoned = false;
}

static void set_speeds(const model_touch* c, model_contact* out)
{
  model* m = c->s->m;
  out->quasi = part_of(c, speeds[0])->sort == MODEL_IS_QUASI;
  for (int i = 0; i < 3; i++) {
    set_value(c, speeds[i], out->speed[i], model_dim_rate(model_dim_weak(), 1));
    const model_entry* e = part_of(c, speeds[i]);
    if (out->quasi)
      m->quasi[e->index] = (model_quasi){
          .name = e->name, .unit = "rad/s", .value = out->speed[i], .order = 1, .place = e->place};
  }
}

void model_roll_show(model_touch* c, model_contact* out)
{
  expr_pool* p = c->s->pool;
  const model_kin* kin = &c->s->kin;
  expr e[3][3], ec[3][3], along[3], w[3];
  body_axes(c, out->value, e[0], e[2]);
  base_axes(c, out->value + 2, ec[0], ec[2]);
  model_vec_cross(p, e[2], e[0], e[1]);
  model_vec_cross(p, ec[2], ec[0], ec[1]);
  // e3 = g e3c
  expr g = expr_int(p, sign_of_body(c) * c->side);
  model_axes_change(kin, c->body->axes, c->base->axes, e[0], along);
  const expr parts[2] = {expr_mul(p, g, model_vec_dot(p, along, ec[0])),
                         model_vec_dot(p, along, ec[1])};
  out->value[4] = expr_call(p, EXPR_ATAN2, 2, parts);
  for (int i = 0; i < MODEL_CONTACT_COORDS; i++) {
    out->coord[i] = base_arena_printf(c->s->arena, "%s.%s", c->e->name, names[i]);
    out->given[i] = part_of(c, names[i])->sort == MODEL_IS_COORD;
    out->rate[i] = expr_total(p, out->value[i]);
    set_value(c, names[i], out->value[i], model_dim_unknown());
  }
  for (int i = 0; i < 3; i++) model_axes_change(kin, c->body->axes, NULL, e[i], out->axis[i]);
  model_axes_change(kin, c->base->axes, NULL, c->rho, out->rho);
  model_axes_spin(kin, c->body->axes, w);
  for (int i = 0; i < 3; i++) out->speed[i] = model_vec_dot(p, w, e[i]);
  set_speeds(c, out);
}
