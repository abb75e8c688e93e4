// Results of contacts: gap(NAME), friction(NAME), slip(NAME), state(NAME).
//
// A contact has points, each an inequality f >= 0 (or <= 0) with the normal force N, the friction
// (F1, F2) along its slip (u1, u2). The gap is the least of all; friction is the length of the sum
// of all F of a pair of bodies, added up over the pairs; slip the largest |u| of those that press.

#include "model/meeting.h"

// friction below this share of its bound holds: beyond the rounding of the law where it slips
static const long held_below = 999999999, held_of = 1000000000;

static expr pressing(model_scope* s, int k)
{
  const model_constraint* c = &s->m->constraint[k];
  if (c->normal != EXPR_NONE) return c->normal;
  const expr factor[2] = {expr_int(s->pool, c->sense < 0 ? -1 : 1), s->m->reaction[k]};
  const expr along = expr_product(s->pool, 2, factor),
             N = c->sense ? along : expr_fn1(s->pool, EXPR_ABS, along);
  return c->pressure == EXPR_NONE ? N : expr_mul(s->pool, c->pressure, N);
}

static expr length(model_scope* s, int n, const expr* x)
{
  expr_pool* p = s->pool;
  expr sum = expr_int(p, 0);
  if (n == 1) return expr_fn1(p, EXPR_ABS, x[0]);
  for (int i = 0; i < n; i++) sum = expr_add(p, sum, expr_mul(p, x[i], x[i]));
  return expr_fn1(p, EXPR_SQRT, sum);
}

static expr if_positive(model_scope* s, expr x, expr yes, expr no)
{
  return expr_if(s->pool, expr_less(s->pool, expr_int(s->pool, 0), x), yes, no);
}

// ---- of one point -------------------------------------------------------------------------------

// 1 while friction may hold it; by steps of time, and where it is a jump of the forces, it always
// may
static expr may_hold(model_scope* s, int k)
{
  const model_constraint* c = &s->m->constraint[k];
  if (!model_constraint_sticks(c)) return expr_int(s->pool, 1);
  return expr_symbol(s->pool, base_arena_printf(s->arena, "holds(%s.stick1)", c->name));
}

// The force along part i of its slip: what holds it, or the law while it slips. Where the slip only
// begins its direction is not known yet: all that begin are taken to begin the same way.
static expr rubbing(model_scope* s, int k, int i)
{
  const model_constraint* c = &s->m->constraint[k];
  expr_pool* p = s->pool;
  if (c->friction == EXPR_NONE) return expr_int(p, 0);
  const expr speed = length(s, c->slips, c->slip);
  const expr most[3] = {expr_int(p, -1), c->friction, pressing(s, k)};
  const expr bound = expr_product(p, 3, most);
  // at rest the jump has a value between its sides, which the force has, too
  if (!model_constraint_sticks(c))
    return expr_mul(p, bound, expr_call(p, EXPR_SIGN, 1, &c->slip[0]));
  const expr slipping = if_positive(s, speed, expr_div(p, expr_mul(p, bound, c->slip[i]), speed),
                                    i ? expr_int(p, 0) : bound);
  const char* stick = base_arena_printf(s->arena, "%s.stick%d", c->name, i + 1);
  const expr held = expr_symbol(p, base_arena_printf(s->arena, "reaction(%s)", stick));
  model_scope_mark(s, held, MODEL_USES_REACTION);
  return if_positive(s, may_hold(s, k), held, slipping);
}

// the same as a force along axis i, and the slip along it
static expr rubbing_along(model_scope* s, int k, int i)
{
  const expr stretch = s->m->constraint[k].stretch[i], F = rubbing(s, k, i);
  return stretch == EXPR_NONE ? F : expr_mul(s->pool, stretch, F);
}

static expr slip_of(model_scope* s, int k)
{
  const model_constraint* c = &s->m->constraint[k];
  expr along[2];
  for (int i = 0; i < c->slips; i++)
    along[i] =
        c->stretch[i] == EXPR_NONE ? c->slip[i] : expr_div(s->pool, c->slip[i], c->stretch[i]);
  return c->slips ? length(s, c->slips, along) : expr_int(s->pool, 0);
}

// ---- of all points ------------------------------------------------------------------------------

// points of one pair of bodies follow each other and have the same directions of slip
static bool is_same_pair(const model_scope* s, const model_entry* e, int i, int j)
{
  const model_meeting* x = e->sort == MODEL_IS_MEETING ? &s->m->meeting[e->index] : NULL;
  return x ? x->pair[i] == x->pair[j] : i == j;
}

static expr friction_of(model_scope* s, const model_entry* e)
{
  expr_pool* p = s->pool;
  expr total = expr_int(p, 0);
  for (int i = 0; i < e->parts;) {
    expr sum[2] = {expr_int(p, 0), expr_int(p, 0)};
    int j = i, slips = 1;
    for (; j < e->parts && is_same_pair(s, e, i, j); j++) {
      const int k = e->part_index[j];
      slips = s->m->constraint[k].slips > slips ? s->m->constraint[k].slips : slips;
      for (int d = 0; d < s->m->constraint[k].slips; d++)
        sum[d] = expr_add(p, sum[d], rubbing_along(s, k, d));
    }
    total = expr_add(p, total, length(s, slips, sum));
    i = j;
  }
  return total;
}

static expr extreme(model_scope* s, expr_fn which, expr so_far, expr x)
{
  const expr both[2] = {so_far, x};
  return so_far == EXPR_NONE ? x : expr_call(s->pool, which, 2, both);
}

// of two flat shapes with corners: along the normal of the side that parts them most
static expr gap_of_sides(model_scope* s, const model_facing* pair)
{
  expr most = EXPR_NONE;
  if (pair->gap != EXPR_NONE) return pair->gap;
  for (int side = 0; side < 2; side++) {
    const model_facing* f = &pair[side];
    const int corners = s->m->solid[f->a].points, sides = s->m->solid[f->b].points;
    for (int j = 0; j < sides; j++) {
      expr low = EXPR_NONE;
      for (int i = 0; i < corners; i++)
        low = extreme(s, EXPR_MIN, low, s->m->constraint[f->row[i * sides + j]].f);
      most = extreme(s, EXPR_MAX, most, low);
    }
  }
  return most;
}

static expr most_slip(model_scope* s, const model_entry* e)
{
  expr_pool* p = s->pool;
  if (e->parts == 1) return slip_of(s, e->part_index[0]);
  expr most = expr_int(p, 0);
  for (int i = 0; i < e->parts; i++) {
    const int k = e->part_index[i];
    const expr both[2] = {most, if_positive(s, pressing(s, k), slip_of(s, k), expr_int(p, 0))};
    most = expr_call(p, EXPR_MAX, 2, both);
  }
  return most;
}

// 0 open, 1 held, 2 slipping: of several points the one that slips counts
static expr state_of(model_scope* s, const model_entry* e)
{
  expr_pool* p = s->pool;
  const expr share = expr_ratio(p, held_below, held_of);
  expr state = expr_int(p, 0);
  for (int i = 0; i < e->parts; i++) {
    const int k = e->part_index[i];
    const model_constraint* c = &s->m->constraint[k];
    const expr N = pressing(s, k);
    expr now = expr_int(p, 2);
    if (c->friction != EXPR_NONE && c->slips) {
      expr F[2];
      for (int d = 0; d < c->slips; d++) F[d] = rubbing(s, k, d);
      const expr bound[3] = {share, c->friction, N};
      const expr spare = expr_sub(p, expr_product(p, 3, bound), length(s, c->slips, F));
      const expr held = if_positive(s, spare, expr_int(p, 1), now);
      now = if_positive(s, may_hold(s, k), held, now);
    }
    const expr both[2] = {state, if_positive(s, N, now, expr_int(p, 0))};
    state = expr_call(p, EXPR_MAX, 2, both);
  }
  return state;
}

// ---- surfaces that roll and slide ---------------------------------------------------------------

// what the bound is of: the force F, or with two coefficients its parts, each by its own
static expr rubbing_of_surfaces(model_scope* s, const model_contact* c, expr F)
{
  expr_pool* p = s->pool;
  const model_grip* grip = &c->grip[0];
  expr part[2];
  if (grip->stretch[0] == EXPR_NONE) return F;
  for (int k = 0; k < 2; k++)
    part[k] = expr_div(p, model_vec_dot(p, c->force, c->along[k + 1]), grip->stretch[k]);
  return length(s, 2, part);
}

static model_value of_surfaces(model_scope* s, const model_entry* e, int which)
{
  const model_contact* c = &s->m->contact[e->contact];
  expr_pool* p = s->pool;
  expr normal[3], across[3];
  const expr N = model_vec_dot(p, c->force, c->normal);
  model_vec_scale(p, N, c->normal, normal);
  model_vec_sub(p, c->force, normal, across);
  const expr F = length(s, 3, across),
             speed = c->slip.acts ? length(s, 3, c->slip.against) : expr_int(p, 0);
  if (which == MODEL_RESULT_GAP)
    return model_value_scalar(s->m->constraint[c->gap].f, model_dim_of(1, 0, 0));
  if (which == MODEL_RESULT_FRICTION) return model_value_scalar(F, model_dim_of(1, 1, -2));
  if (which == MODEL_RESULT_SLIP) return model_value_scalar(speed, model_dim_of(1, 0, -1));
  expr closed = expr_int(p, c->rolls ? 1 : 2);
  const expr mu = c->grip[0].mu;
  if (c->grip[0].patch) {
    closed = expr_sub(p, closed, s->m->holds[c->grip[0].stick[0]]);
  } else if (!c->rolls && mu != EXPR_NONE) {
    const expr bound[3] = {expr_ratio(p, held_below, held_of), mu, N};
    const expr spare = expr_sub(p, expr_product(p, 3, bound), rubbing_of_surfaces(s, c, F));
    closed = if_positive(s, spare, expr_int(p, 1), closed);
  }
  return model_value_scalar(if_positive(s, N, closed, expr_int(p, 0)), model_dim_weak());
}

// ---- what steps tell ----------------------------------------------------------------------------

static bool is_looked_for(const model_scope* s, const model_entry* e)
{
  return e->sort == MODEL_IS_MEETING && s->m->meeting[e->index].looked_for;
}

// what friction takes at its points, or surfaces
static expr power_of(model_scope* s, const model_entry* e)
{
  expr_pool* p = s->pool;
  if (is_looked_for(s, e)) return EXPR_NONE;
  if (e->sort == MODEL_IS_CONTACT) return expr_neg(p, s->m->contact[e->contact].power);
  expr sum = expr_int(p, 0);
  for (int i = 0; i < e->parts; i++) {
    const int k = e->part_index[i];
    if (k < 0 || s->m->constraint[k].friction == EXPR_NONE) continue;
    for (int d = 0; d < s->m->constraint[k].slips; d++)
      sum = expr_sub(p, sum, expr_mul(p, rubbing(s, k, d), s->m->constraint[k].slip[d]));
  }
  return sum;
}

static model_value told(model_scope* s, const model_entry* e, model_result which)
{
  static const char* const names[MODEL_RESULTS] = {"gap",  "reaction", "friction",
                                                   "slip", "state",    "loss"};
  model* m = s->m;
  const expr x = expr_symbol(s->pool, base_arena_printf(s->arena, "%s(%s)", names[which], e->name));
  bool known = false;
  for (int i = 0; i < m->tells; i++) known = known || m->tell[i].symbol == x;
  // no force and no constraint may ask for it
  model_scope_mark(s, x, MODEL_USES_REACTION | MODEL_USES_TOLD);
  if (!known)
    m->tell[m->tells++] =
        (model_tell){.symbol = x,
                     .which = which,
                     .meeting = e->sort == MODEL_IS_MEETING ? e->index : -1,
                     .points = e->parts,
                     .point = e->part_index,
                     .power = which == MODEL_RESULT_LOSS ? power_of(s, e) : EXPR_NONE,
                     .place = e->place};
  return model_value_scalar(x, model_dim_unknown());
}

static expr gap_of(model_scope* s, const model_entry* e)
{
  expr least = EXPR_NONE;
  for (int i = 0; i < e->parts; i++) {
    const model_constraint* c = &s->m->constraint[e->part_index[i]];
    const bool above_side = e->sort == MODEL_IS_MEETING && c->starts_off;
    const expr f = c->sense < 0 ? expr_neg(s->pool, c->f) : c->f;
    if (!above_side) least = extreme(s, EXPR_MIN, least, f);
  }
  for (int i = 0; i < s->m->facings && e->sort == MODEL_IS_MEETING; i += 2)
    if (s->m->facing[i].meeting == e->index)
      least = extreme(s, EXPR_MIN, least, gap_of_sides(s, &s->m->facing[i]));
  // of features in space it is found with them
  for (int i = 0; i < s->m->footings && e->sort == MODEL_IS_MEETING; i++)
    if (s->m->footing[i].meeting == e->index)
      return extreme(s, EXPR_MIN, least, told(s, e, MODEL_RESULT_GAP).e[0]);
  return least;
}

// ---- calls --------------------------------------------------------------------------------------

static model_value refuse(model_scope* s, const lang_node* n, const char* why, const char* name)
{
  base_error(s->notes, n->place, why, name);
  return model_value_poison();
}

model_value model_results_reaction(model_scope* s, const model_entry* e)
{
  if (is_looked_for(s, e)) return told(s, e, MODEL_RESULT_REACTION);
  expr sum = expr_int(s->pool, 0);
  for (int i = 0; i < e->parts; i++) sum = expr_add(s->pool, sum, s->m->reaction[e->part_index[i]]);
  return model_value_scalar(sum, model_dim_of(1, 1, -2));
}

// the contact that is named; null with an error noted, or where it has one already
static model_entry* contact_of(model_scope* s, const lang_node* n)
{
  const lang_node* name = n->kid[0];
  if (name->kind != LANG_NAME) {
    base_error(s->notes, name->place, "expected the name of a contact");
    return NULL;
  }
  model_entry* e = model_names_find(&s->constraint_names, name->text);
  if (!e)
    model_scope_unknown_constraint(s, name->text, name->place);
  else if (e->state != MODEL_DONE)
    base_error(s->notes, n->place, "a constraint cannot depend on reactions");
  return e && e->state == MODEL_DONE && !e->poisoned ? e : NULL;
}

// of several equations that guide a point, the one that carries the friction
static const model_entry* rubbing_part(model_scope* s, const model_entry* e)
{
  if (!e->guide || !e->rubs || e->parts == 1) return e;
  model_entry* one = base_arena_take(s->arena, sizeof *one);
  *one = *e;
  one->parts = 1;
  one->part_index = one->few_parts;
  one->part_index[0] = model_force_row(e);
  return one;
}

// in its own friction
static model_value while_read(model_scope* s, const lang_node* n, const model_entry* e, int which)
{
  if (which == MODEL_RESULT_SLIP)
    return model_value_scalar(model_friction_own_slip(s, e), model_dim_of(1, 0, -1));
  return refuse(s, n, "the friction of `%s` may depend on its slip, on no other result of it",
                e->name);
}

// of points that are constraints
static model_value of_points(model_scope* s, const lang_node* n, model_entry* whole, int which)
{
  const bool rubs = model_force_friction(s, whole);
  const model_entry* e = rubbing_part(s, whole);
  const model_constraint* c = e->parts ? &s->m->constraint[e->part_index[0]] : NULL;
  if (c && (c->order || (!c->sense && which == MODEL_RESULT_GAP)))
    return refuse(s, n, "`%s` is no contact: it has no gap", e->name);
  if (whole->rubs < 0) return model_value_poison();
  if (which == MODEL_RESULT_LOSS) return told(s, e, MODEL_RESULT_LOSS);
  if (!rubs && e->sort != MODEL_IS_MEETING && which != MODEL_RESULT_GAP)
    return refuse(s, n, "`%s` has no friction: how it slips is not known", e->name);
  if (whole->poisoned) return model_value_poison();
  if (!e->parts) return refuse(s, n, "`%s` has no points in reach", e->name);
  switch (which) {
  case MODEL_RESULT_GAP:
    return model_value_scalar(gap_of(s, e), model_dim_unknown());
  case MODEL_RESULT_FRICTION:
    return model_value_scalar(friction_of(s, e), model_dim_of(1, 1, -2));
  case MODEL_RESULT_SLIP:
    return model_value_scalar(most_slip(s, e), model_dim_of(1, 0, -1));
  default:
    return model_value_scalar(state_of(s, e), model_dim_weak());
  }
}

model_value model_results_call(model_scope* s, const lang_node* n, int which)
{
  model_entry* e = contact_of(s, n);
  if (!e) return model_value_poison();
  if (e->rubs == MODEL_RUBS_BEING_READ) return while_read(s, n, e, which);
  if (is_looked_for(s, e)) return told(s, e, (model_result)which);
  if (e->sort != MODEL_IS_CONTACT) return of_points(s, n, e, which);
  return which == MODEL_RESULT_LOSS ? told(s, e, MODEL_RESULT_LOSS) : of_surfaces(s, e, which);
}
