// Gaps and slips of two shapes, as expressions.
//
// A point y of A above a plane of B, in the axes of B: the gap is y_n - r, r the radius that rounds
// A; the point that touches, y - r n, moves against B with y' + omega x (-r n). Two round shapes:
// with d from the centre of B to that of A and n = d/|d|, the gap is |d| - (r_A + r_B), and they
// slip with the part across n of d' - (r_A omega_A + r_B omega_B) x n.
//
// A cylinder above a plane touches with the lowest point of each of its rims. With a its axis, s =
// n . a and q^2 = 1 - s^2, that of the rim about y lies at y - (R/q) (n - s a), as high as y_n - R
// q. Lying it touches along a line, which the two bear; standing, q = 0, with all of a rim, and
// then there is no lowest point.

#include "model/meeting.h"

// ---- one point ----------------------------------------------------------------------------------

// with a joint that is let go held: its force is asked for in the same model
bool model_meeting_moves(model_scope* s, expr e)
{
  return model_scope_uses(s, model_scope_held(s, e)) & MODEL_USES_VELOCITY;
}

void model_meeting_add(model_scope* s, const model_meeting_pair* x, expr gap, int slips,
                       const expr* slip, int from, model_meeting_points* out)
{
  model_constraint c = x->law;
  const bool several = x->A->points > 1;
  c.name = several ? base_arena_printf(s->arena, "%s.%d", x->name, 1 + out->n - from) : x->name;
  c.f = model_simpler(s, gap);
  c.linear = c.internal = true;
  c.pressure = expr_int(s->pool, 1);
  c.place = x->A->place;
  for (int k = 0; k < slips; k++) {
    const expr along = model_simpler(s, slip[k]);
    if (model_meeting_moves(s, along)) c.slip[c.slips++] = along;
  }
  if (model_highest_order(s, model_scope_held(s, c.f)) < 0) return;
  base_push(out, model_constraint_append(s, c));
}

// ---- a plane ------------------------------------------------------------------------------------

// A flat shape moves in the plane across its z axis: nothing moves along it.
static bool is_in_plane(model_scope* s, const model_meeting_pair* x, const expr v[3], int normal)
{
  const model_solid* flat = x->A->flat ? x->A : x->B;
  if (!flat->flat) return true;
  int still = 0;
  for (int k = 0; k < 3; k++) still += k != normal && !model_meeting_moves(s, v[k]);
  if (still) return true;
  base_error(s->notes, flat->place, "a %s is a shape in the plane, `%s` moves in space",
             flat->shape, x->A->fixed ? x->B->name : x->A->name);
  return false;
}

void model_meeting_velocity(model_scope* s, const model_meeting_pair* x, const expr y[3],
                            const expr arm[3], expr v[3])
{
  expr_pool* p = s->pool;
  expr w[3], carried[3], turning[3];
  for (int k = 0; k < 3; k++) v[k] = expr_total(p, y[k]);
  model_axes_omega(&s->kin, x->a->axes, x->b->axes, w);
  model_axes_omega(&s->kin, x->b->axes, x->b->axes, carried);
  model_vec_sub(p, w, carried, w);
  model_vec_cross(p, w, arm, turning);
  model_vec_add(p, v, turning, v);
}

// a corner above the plane: how high, and how fast what touches slips
typedef struct corner
{
  expr held[3]; // both where nothing is let go
  expr gap, slip[2];
  int many; // corners behind each other that are one
} corner;

static bool is_behind(const corner* a, const corner* b)
{
  bool same = true;
  for (int k = 0; k < 3; k++) same = same && a->held[k] == b->held[k];
  return same;
}

// In the plane corners behind each other are one: they are as high, and slip alike. Where a joint
// out of it is let go they share what they bear alike.
static int join(model_scope* s, int n, corner* all)
{
  expr_pool* p = s->pool;
  int count = 0;
  for (int i = 0, k; i < n; i++) {
    for (k = 0; k < count && !is_behind(&all[k], &all[i]); k++) {
    }
    if (k == count) {
      all[count] = all[i];
      all[count++].many = 1;
      continue;
    }
    corner* c = &all[k];
    const expr own = expr_ratio(p, 1, ++c->many), rest = expr_ratio(p, c->many - 1, c->many);
    expr* to[] = {&c->gap, &c->slip[0], &c->slip[1]};
    const expr more[] = {all[i].gap, all[i].slip[0], all[i].slip[1]};
    for (int j = 0; j < 3 && s->give[0]; j++)
      *to[j] = expr_add(p, expr_mul(p, rest, *to[j]), expr_mul(p, own, more[j]));
  }
  return count;
}

// from the middle of a rim to its lowest point, in the axes of B, and the sine of the tilt; false:
// it never has one
static bool to_lowest(model_scope* s, const model_meeting_pair* x, int normal, expr arm[3],
                      expr* tilt)
{
  expr_pool* p = s->pool;
  expr end[2][3], a[3];
  for (int i = 0; i < 2; i++) {
    const model_place* at = model_place_add(&s->kin, x->a->origin, x->a->axes, x->A->point[i]);
    model_place_between(&s->kin, x->b->origin, at, x->b->axes, end[i]);
  }
  for (int k = 0; k < 3; k++)
    a[k] = model_simpler(s, expr_div(p, expr_sub(p, end[1][k], end[0][k]), x->A->length));
  const expr b = a[(normal + 1) % 3], c = a[(normal + 2) % 3];
  const expr square = model_simpler(s, expr_add(p, expr_mul(p, b, b), expr_mul(p, c, c)));
  if (square == expr_int(p, 0)) return false;
  const expr q = expr_fn1(p, EXPR_SQRT, square), share = expr_div(p, x->A->radius, q);
  for (int k = 0; k < 3; k++) arm[k] = expr_mul(p, share, expr_mul(p, a[normal], a[k]));
  arm[normal] = expr_neg(p, expr_mul(p, x->A->radius, q));
  *tilt = q;
  return true;
}

// A cylinder that comes to stand has no lowest point from there on: the motion ends, with that
// name. In flight it may turn as it likes: tilt and height over radius count together.
static const double stands_below = 1e-4;

static void watch_standing(model_scope* s, const model_meeting_pair* x, expr tilt, expr gap)
{
  expr_pool* p = s->pool;
  const expr term[3] = {tilt, expr_div(p, gap, x->A->radius), expr_double(p, -stands_below)};
  base_push(&s->ends, ((model_event){.name = base_arena_printf(
                                         s->arena,
                                         "events go no further (without `method` in the model "
                                         "steps of time do): `%s` comes to stand on its whole rim",
                                         x->A->name),
                                     .g = model_simpler(s, expr_sum(p, 3, term)),
                                     .direction = -1,
                                     .action = MODEL_LEAVE,
                                     .place = x->A->place}));
}

static bool refuse_standing(const model_scope* s, const model_meeting_pair* x)
{
  base_error(s->notes, x->A->place,
             "`%s` always stands on the plane: it touches with its whole rim, at no one point",
             x->A->name);
  base_help(s->notes, "leave `method` out of the model: steps of time take it");
  return false;
}

static bool above_plane(model_scope* s, const model_meeting_pair* x, model_meeting_points* out)
{
  const int normal = x->B->flat ? 1 : 2, from = out->n;
  corner* all = base_arena_take(s->arena, sizeof *all * (size_t)(x->A->points + 1));
  const bool rims = x->A->kind == MODEL_SOLID_CYLINDER;
  expr arm[3], tilt = EXPR_NONE;
  model_vec_zero(s->pool, arm);
  arm[normal] = expr_neg(s->pool, x->A->radius);
  if (rims && !to_lowest(s, x, normal, arm, &tilt)) return refuse_standing(s, x);
  for (int i = 0; i < x->A->points; i++) {
    const model_place* at = model_place_add(&s->kin, x->a->origin, x->a->axes, x->A->point[i]);
    expr y[3], v[3];
    model_place_between(&s->kin, x->b->origin, at, x->b->axes, y);
    model_meeting_velocity(s, x, y, arm, v);
    if (i == 0 && !is_in_plane(s, x, v, normal)) return false;
    for (int k = 0; k < 2; k++) all[i].slip[k] = v[(normal + 1 + k) % 3];
    all[i].gap = expr_add(s->pool, y[normal], arm[normal]);
    if (rims) watch_standing(s, x, tilt, all[i].gap);
    const expr own[3] = {all[i].gap, all[i].slip[0], all[i].slip[1]};
    for (int k = 0; k < 3; k++) all[i].held[k] = model_simpler(s, model_scope_held(s, own[k]));
  }
  const int count = join(s, x->A->points, all);
  for (int i = 0; i < count; i++) model_meeting_add(s, x, all[i].gap, 2, all[i].slip, from, out);
  return true;
}

// ---- two round shapes ---------------------------------------------------------------------------

int model_meeting_still_axis(model_scope* s, const model_meeting_pair* x)
{
  for (int k = 2; k >= 0; k--) {
    bool still = true;
    for (int i = 0; i < 3 && still; i++) {
      if (i == k)
        still = !model_meeting_moves(s, x->A->v[i]) && !model_meeting_moves(s, x->B->v[i]);
      else
        still = !model_meeting_moves(s, x->A->w[i]) && !model_meeting_moves(s, x->B->w[i]);
    }
    if (still) return k;
  }
  return -1;
}

// Two axes across the unit vector n, smooth but where n = -c: those across c, carried along by the
// shortest turn from c to n,  t = e - (e.n) (n + c)/(1 + c.n).  c lies askew to all axes, so that
// no pair is likely to come there.
void model_meeting_tangents(model_scope* s, const expr n[3], expr t[2][3])
{
  static const int c[3] = {2, 3, 6}, e[2][3] = {{3, -6, 2}, {6, 2, -3}};
  expr_pool* p = s->pool;
  expr axis[3], sum[3];
  for (int k = 0; k < 3; k++) axis[k] = expr_ratio(p, c[k], 7);
  const expr under = expr_add(p, expr_int(p, 1), model_vec_dot(p, axis, n));
  model_vec_add(p, n, axis, sum);
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < 3; k++) t[i][k] = expr_ratio(p, e[i][k], 7);
    const expr along = expr_div(p, model_vec_dot(p, t[i], n), under);
    for (int k = 0; k < 3; k++) t[i][k] = expr_sub(p, t[i][k], expr_mul(p, along, sum[k]));
  }
}

static bool round_on_round(model_scope* s, const model_meeting_pair* x, model_meeting_points* out)
{
  expr_pool* p = s->pool;
  expr d[3], n[3], v[3], w[3], u[3], turning[3], t[2][3], slip[2];
  const int still = model_meeting_still_axis(s, x);
  if ((x->A->flat || x->B->flat) && still < 0) {
    base_error(s->notes, x->A->place, "a circle is a shape in the plane, `%s` moves in space",
               x->A->fixed ? x->B->name : x->A->name);
    return false;
  }
  model_vec_sub(p, x->A->p, x->B->p, d);
  for (int k = 0; k < 3; k++) d[k] = k == still && x->A->flat ? expr_int(p, 0) : d[k];
  const expr square = model_simpler(s, model_vec_dot(p, d, d));
  long none;
  if (expr_is_int(p, square, &none) && none == 0) {
    base_error(s->notes, x->A->place, "the centres of `%s` and `%s` are always at one place",
               x->A->name, x->B->name);
    return false;
  }
  const expr distance = expr_fn1(p, EXPR_SQRT, square);
  for (int k = 0; k < 3; k++) n[k] = expr_div(p, d[k], distance);
  model_vec_sub(p, x->A->v, x->B->v, v);
  model_vec_scale(p, x->A->radius, x->A->w, w);
  model_vec_scale(p, x->B->radius, x->B->w, u);
  model_vec_add(p, w, u, w);
  model_vec_cross(p, w, n, turning);
  model_vec_sub(p, v, turning, v);
  const expr reach = expr_add(p, x->A->radius, x->B->radius);
  if (still >= 0) {
    const int a = (still + 1) % 3, b = (still + 2) % 3;
    slip[0] = expr_sub(p, expr_mul(p, n[a], v[b]), expr_mul(p, n[b], v[a]));
  } else {
    model_meeting_tangents(s, n, t);
    for (int k = 0; k < 2; k++) slip[k] = model_vec_dot(p, t[k], v);
  }
  model_meeting_add(s, x, expr_sub(p, distance, reach), still >= 0 ? 1 : 2, slip, out->n, out);
  return true;
}

static bool is_round(const model_solid* x)
{
  return x->kind == MODEL_SOLID_HULL && x->points == 1;
}

static bool has_core(const model_solid* x)
{
  return x->cored || x->kind == MODEL_SOLID_CYLINDER;
}

bool model_meeting_touch(model_scope* s, const model_meeting_pair* x, model_meeting_points* out)
{
  const model_solid *A = x->A, *B = x->B;
  const model_meeting_pair turned = {x->b, x->a, x->B, x->A, x->name, x->law};
  const bool round_a = is_round(A), round_b = is_round(B);
  if (A->kind == MODEL_SOLID_PLANE && B->kind == MODEL_SOLID_PLANE) return true;
  if (B->kind == MODEL_SOLID_PLANE) return above_plane(s, x, out);
  if (A->kind == MODEL_SOLID_PLANE) return above_plane(s, &turned, out);
  if (round_a && round_b) return round_on_round(s, x, out);
  if (round_a && has_core(B)) return model_meeting_core(s, x, out);
  if (round_b && has_core(A)) return model_meeting_core(s, &turned, out);
  return model_meeting_sides(s, x, out);
}
