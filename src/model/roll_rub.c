// Friction at a contact of surfaces: against slip, against rolling and against pivoting, dry and
// viscous (docs/rolling.md). Legend: s the velocity of slip, w the angular velocity of the body
// against the base, both on the tangents t1, t2 and the normal N of the contact.
//   slip       force  -mu N s/|s|    - d s
//   rolling    moment -k N w_t/|w_t| - d w_t    w_t on the tangents
//   pivoting   moment -k N w_n/|w_n| - d w_n    w_n along the normal
// Over a patch of radius a slip and pivoting are one motion (s_1, s_2, a w_n) with one law of both
// (roll_patch.c).
// Where such a motion ends, constraints that are off at the start may hold it, h = 1, and the dry
// part is their reaction. Where the surfaces are apart h = 1 as well, and there is no dry part.

#include "model/roll.h"

#include <math.h>

enum { DRY = 1, VISCOUS = 2 };

static const char* const what[LANG_RUBS][2] = {
    {"a coefficient of friction", "a coefficient of viscous friction"},
    {"a coefficient of rolling friction", "a coefficient of viscous rolling friction"},
    {"a coefficient of pivoting friction", "a coefficient of viscous pivoting friction"}};

// dry: a number, or the length k of a moment k N; viscous: force over velocity, moment over rate
static model_dim dim_of(int against, bool viscous)
{
  if (against == LANG_RUB_SLIP) return viscous ? model_dim_of(0, 1, -1) : model_dim_of(0, 0, 0);
  return viscous ? model_dim_of(2, 1, -1) : model_dim_of(1, 0, 0);
}

static bool read_one(model_touch* c, int i, bool viscous)
{
  model_scope* s = c->s;
  const lang_node* n = c->e->statement->rub[i][viscous];
  const char* name = what[i][viscous];
  expr *out = &c->mu[i][viscous], mu[2];
  *out = EXPR_NONE;
  if (!n) return true;
  if (c->e->statement->kind == LANG_ROLL && i == LANG_RUB_SLIP) {
    base_error(s->notes, n->place, "what rolls does not rub");
    base_help(s->notes, "a contact that slips is written: slide B as S on F as P at c with "
                        "friction 0.3; rolling friction and pivoting friction act on what rolls");
    return false;
  }
  const int coefficients = model_friction_read(s, n, name, dim_of(i, viscous), mu);
  if (!coefficients) return false;
  *out = mu[0];
  if (coefficients == 1) return true;
  if (i != LANG_RUB_SLIP || viscous) {
    base_error(s->notes, n->place, "two coefficients are for dry friction against slip");
    return false;
  }
  return model_friction_axes(s, c->e, n, mu, out, c->axial);
}

// what the clause `over radius` takes
static bool read_patch(model_touch* c)
{
  const lang_statement* st = c->e->statement;
  model_scope* s = c->s;
  expr a[2];
  c->patch = MODEL_PATCH_NONE;
  if (!st->patch) return true;
  if (c->axial[0] != EXPR_NONE || st->rub[LANG_RUB_PIVOTING][0]) {
    base_error(s->notes, st->patch->place,
               c->axial[0] != EXPR_NONE ? "friction over a patch has one coefficient"
                                        : "friction over a patch resists pivoting by itself");
    base_help(s->notes, "leave `%s` away",
              c->axial[0] != EXPR_NONE ? "over radius" : "with pivoting friction");
    return false;
  }
  if (model_friction_read(s, st->patch, "the radius of a patch", model_dim_of(1, 0, 0), a) != 1) {
    if (st->patch->kind == LANG_TUPLE)
      base_error(s->notes, st->patch->place, "a patch is round: it has one radius");
    return false;
  }
  if (model_scope_bound(s, a[0]) == 0) {
    base_error(s->notes, st->patch->place, "the radius of a patch is positive");
    base_help(s->notes, "without `over radius` friction acts at a point");
    return false;
  }
  const bool even = st->pressure.text && st->pressure.text[0] == 'u';
  c->patch = even ? MODEL_PATCH_UNIFORM : MODEL_PATCH_HERTZ;
  c->radius = a[0];
  return true;
}

bool model_roll_read_friction(model_touch* c)
{
  bool fine = true;
  c->axial[0] = EXPR_NONE;
  for (int i = 0; i < LANG_RUBS; i++)
    for (int k = 0; k < 2; k++) fine &= read_one(c, i, k);
  return read_patch(c) && fine;
}

// 1 while the surfaces are together, where they may come apart
static expr together(const model_touch* c)
{
  const lang_statement* st = c->e->statement;
  const bool may_part = model_roll_can_part(st) || model_force_switches(c->s, c->e->name);
  return may_part ? c->s->m->holds[c->e->part_index[0]] : expr_int(c->s->pool, 1);
}

// the normal force; what can pull rubs then, too
static expr pressure(const model_touch* c)
{
  const expr N = c->s->m->reaction[c->e->part_index[0]];
  const lang_statement* st = c->e->statement;
  const bool holds = st->pull.text && st->pull.text[0] == 'h';
  return holds ? expr_call(c->s->pool, EXPR_ABS, 1, &N) : N;
}

// constraints s = 0
static void hold(const model_touch* c, int against, int rows, const expr* s, model_grip* out)
{
  static const char* const name[LANG_RUBS] = {"stick", "rest", "still"};
  out->rows = rows;
  for (int k = 0; k < rows; k++) {
    model_constraint x = {
        .name = base_arena_printf(c->s->arena, "%s.%s%d", c->e->name, name[against], k + 1),
        .f = s[k],
        .order = 1,
        .linear = true,
        .starts_off = true,
        .contact = 1 + c->e->contact,
        .place = c->e->place};
    out->stick[k] = model_constraint_append(c->s, x);
  }
}

// what the velocity is to be multiplied by: (h - 1) mu N/sqrt(s^2 + h) - d, or the first or last of
// both; EXPR_NONE for nothing
static expr factor_of(const model_touch* c, int against, unsigned parts, int rows, const expr* s,
                      model_contact* out)
{
  expr_pool* p = c->s->pool;
  const expr one = expr_int(p, 1), d = parts & VISCOUS ? c->mu[against][1] : EXPR_NONE;
  model_grip* grip = &out->grip[against];
  expr sum = d == EXPR_NONE ? EXPR_NONE : expr_neg(p, expr_mul(p, d, together(c)));
  if (!(parts & DRY)) return sum;
  grip->mu = c->mu[against][0];
  grip->rows = 0;
  if (grip->mu == EXPR_NONE) return sum;
  hold(c, against, rows, s, grip);
  const expr h = c->s->m->holds[grip->stick[0]];
  expr square[3] = {h};
  for (int k = 0; k < rows; k++) square[1 + k] = expr_mul(p, s[k], s[k]);
  const expr size = expr_fn1(p, EXPR_SQRT, expr_sum(p, 1 + rows, square));
  const expr f[4] = {grip->mu, pressure(c), expr_sub(p, h, one), expr_div(p, one, size)};
  const expr dry = expr_product(p, 4, f);
  return sum == EXPR_NONE ? dry : expr_add(p, sum, dry);
}

// friction along the directions t of the velocity `against`
static void add_law(const model_touch* c, int kind, unsigned parts, int rows, const expr* const* t,
                    model_rub* rub, model_contact* out)
{
  expr_pool* p = c->s->pool;
  expr s[2];
  for (int k = 0; k < rows; k++) s[k] = model_vec_dot(p, t[k], rub->against);
  const expr factor = factor_of(c, kind, parts, rows, s, out);
  if (factor == EXPR_NONE) return;
  if (!rub->acts) model_vec_zero(p, rub->law);
  rub->acts = true;
  for (int k = 0; k < rows; k++) {
    expr part[3];
    model_vec_scale(p, expr_mul(p, factor, s[k]), t[k], part);
    model_vec_add(p, rub->law, part, rub->law);
  }
}

// force and moment over a patch
static void add_patch(const model_touch* c, model_contact* out)
{
  expr_pool* p = c->s->pool;
  model_grip* grip = &out->grip[LANG_RUB_SLIP];
  const expr* const tangents[2] = {c->t1, c->t2};
  const expr w = model_vec_dot(p, c->N, out->turn.against);
  expr s[3], square[3];
  for (int k = 0; k < 2; k++) s[k] = model_vec_dot(p, tangents[k], out->slip.against);
  s[2] = expr_mul(p, c->radius, w);
  grip->mu = c->mu[LANG_RUB_SLIP][0];
  grip->patch = c->patch;
  grip->rational = c->e->statement->rational.text != NULL;
  hold(c, LANG_RUB_SLIP, 3, s, grip);
  const expr h = c->s->m->holds[grip->stick[0]], none = expr_sub(p, h, expr_int(p, 1));
  for (int k = 0; k < 3; k++) square[k] = expr_mul(p, s[k], s[k]);
  // at rest the law is not used, and is asked for away from its corners
  const expr aside = expr_mul(p, expr_int(p, 4), h);
  const expr slip[3] = {square[0], square[1], h}, bound[3] = {grip->mu, pressure(c), none};
  const model_patch_factors law = model_patch_law(p, c->patch, grip->rational, expr_sum(p, 3, slip),
                                                  expr_add(p, square[2], aside));
  const expr most = expr_product(p, 3, bound);
  model_vec_zero(p, out->slip.law);
  out->slip.acts = out->turn.acts = true;
  for (int k = 0; k < 2; k++) {
    expr part[3];
    model_vec_scale(p, expr_product(p, 3, (const expr[]){most, law.slip, s[k]}), tangents[k], part);
    model_vec_add(p, out->slip.law, part, out->slip.law);
  }
  const expr moment[4] = {most, law.pivot, s[2], c->radius};
  model_vec_scale(p, expr_product(p, 4, moment), c->N, out->turn.law);
}

// With two coefficients m r_k the forces lie in a cone over an ellipse: that of coefficient m for
// the slips along r_k t_k.
static void add_slip(const model_touch* c, model_contact* out)
{
  const expr* const tangents[2] = {c->t1, c->t2};
  if (c->patch) {
    add_patch(c, out);
    add_law(c, LANG_RUB_SLIP, VISCOUS, 2, tangents, &out->slip, out);
    return;
  }
  if (c->axial[0] == EXPR_NONE) {
    add_law(c, LANG_RUB_SLIP, DRY | VISCOUS, 2, tangents, &out->slip, out);
    return;
  }
  expr stretched[2][3];
  for (int k = 0; k < 2; k++) {
    model_vec_scale(c->s->pool, c->axial[k], tangents[k], stretched[k]);
    out->grip[LANG_RUB_SLIP].stretch[k] = c->axial[k];
  }
  const expr* const axes[2] = {stretched[0], stretched[1]};
  add_law(c, LANG_RUB_SLIP, DRY, 2, axes, &out->slip, out);
  add_law(c, LANG_RUB_SLIP, VISCOUS, 2, tangents, &out->slip, out);
}

// M = the law and what holds the turning, in world axes
static void find_moment(const model_touch* c, model_contact* out)
{
  expr_pool* p = c->s->pool;
  const expr* const along[LANG_RUBS][2] = {{NULL}, {c->t1, c->t2}, {c->N}};
  expr M[3];
  out->has_moment = out->turn.acts || c->e->statement->rubber.text;
  model_vec_zero(p, M);
  if (c->e->statement->rubber.text)
    model_vec_scale(p, c->s->m->reaction[c->e->part_index[3]], c->N, M);
  if (out->turn.acts) model_vec_add(p, M, out->turn.law, M);
  for (int i = LANG_RUB_ROLLING; i < LANG_RUBS; i++)
    for (int k = 0; k < out->grip[i].rows; k++) {
      expr part[3];
      model_vec_scale(p, c->s->m->reaction[out->grip[i].stick[k]], along[i][k], part);
      model_vec_add(p, M, part, M);
    }
  if (c->patch) {
    expr part[3];
    const expr held = c->s->m->reaction[out->grip[LANG_RUB_SLIP].stick[2]];
    model_vec_scale(p, expr_mul(p, c->radius, held), c->N, part);
    model_vec_add(p, M, part, M);
  }
  model_axes_change(&c->s->kin, c->base->axes, NULL, M, out->moment);
}

void model_roll_rub(model_touch* c, model_contact* out)
{
  const model_kin* kin = &c->s->kin;
  expr_pool* p = kin->pool;
  const expr *const tangents[2] = {c->t1, c->t2}, *const normal[1] = {c->N};
  expr w[3], wc[3];
  model_roll_slip(c, out->slip.against);
  model_axes_omega(kin, c->body->axes, c->base->axes, w);
  model_axes_omega(kin, c->base->axes, c->base->axes, wc);
  model_vec_sub(p, w, wc, out->turn.against);
  add_slip(c, out);
  add_law(c, LANG_RUB_ROLLING, DRY | VISCOUS, 2, tangents, &out->turn, out);
  add_law(c, LANG_RUB_PIVOTING, DRY | VISCOUS, 1, normal, &out->turn, out);
  find_moment(c, out);
  out->power = expr_int(p, 0);
  for (int k = 0; k < 2; k++) {
    const model_rub* rub = k ? &out->turn : &out->slip;
    if (rub->acts) out->power = expr_add(p, out->power, model_vec_dot(p, rub->law, rub->against));
  }
}
