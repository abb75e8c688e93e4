// Bychkov's equations of rolling in the variables of his paper (2004): Gaussian coordinates of the
// contact on both surfaces, the angle between their axes, and the angular velocity sigma, tau, n of
// the body on the axes e1, e2, e3 of the contact. Any regular charts.
//
// Legend, c: of the base. a_ij, b_ij first and second form, e1 = r_1/|r_1|, e3 along r_1 x r_2,
// e2 = e3 x e1, g = e3.e3c, s and c sine and cosine of the angle, P2 = (g s, c; -g c, s):
//   S   shape operator on e1, e2, kap_i = e2.de1/dq_i
//   j   velocity of the base's point at the contact, A, B, C angular velocity of the base, on e
//   D = S - g P2 Sc P2^T,  D u = (tau - B, A - sigma)          u: the contact over the body
//   q' from u, qc' from P2^T u,  angle' = -n + C - kap.q' + g kapc.qc'        (1.12)
//   W = (sigma, tau, n) - w1,  w1 = (-(S u)_2, (S u)_1, -kap.q')              turning of e
//   m' + W x m + (u + j) x Q = P                                              (2.5)
// with momentum Q, angular momentum m about the contact and moment P of gravity; masses at d_i from
// the contact: v_i = j + w x d_i + [r_i]*.

#include "model/roll_paper.h"

#include <stdlib.h>
#include <string.h>

const char* const model_paper_label[3] = {"sigma", "tau", "n"};

const char* model_paper_part_name(const model_paper* x, const char* part, const char* after)
{
  return base_arena_printf(x->s->arena, "%s.%s%s", x->name, part, after);
}

// a symbol for the value, where that is more than a number or a symbol
expr model_paper_define(model_paper* x, const char* part, expr value)
{
  expr_pool* p = x->s->pool;
  value = model_simpler(x->s, value);
  if (value == EXPR_NONE || expr_is_number(p, value) || expr_kind_of(p, value) == EXPR_SYMBOL)
    return value;
  const char* name = model_paper_part_name(x, part, "");
  const expr symbol = expr_symbol(p, name);
  base_push(&x->definition, ((model_named){name, symbol, value}));
  return symbol;
}

void model_paper_equate(model_paper* x, const char* name, expr left, expr right)
{
  base_push(&x->equation, ((model_named){name, left, model_simpler(x->s, right)}));
}

// a coordinate of the contact, which may be one of the model, and its rate
static void coordinate(model_paper* x, int k, expr* q, expr* rate)
{
  static const char* const names[MODEL_CONTACT_COORDS] = {"u", "v", "ub", "vb", "angle"};
  expr_pool* p = x->s->pool;
  *q = expr_symbol(p, model_paper_part_name(x, names[k], ""));
  *rate = expr_symbol(p, model_paper_part_name(x, names[k], "'"));
  x->q[k] = *q;
  x->named[k] = expr_rate(p, *q) == EXPR_NONE;
  if (x->named[k]) expr_rate_set(p, *q, *rate);
}

// ---- charts -------------------------------------------------------------------------------------

static expr ratio(model_paper* x, expr a, expr b)
{
  return expr_div(x->s->pool, a, b);
}

// Built-in charts are used where these are positive: radii, the cosine of a latitude, the distance
// from the axis of a torus. Their absolute values are themselves.
static expr positive(const model_paper* x, const model_surface* surface, const model_paper_chart* k,
                     expr e)
{
  expr_pool* p = x->s->pool;
  e = model_simpler(x->s, e);
  if (surface->kind == MODEL_PATCH) return e;
  const expr cosine = expr_fn1(p, EXPR_COS, k->q[1]);
  const expr R = surface->size[0], r = surface->size[1];
  expr from[8], to[8] = {cosine};
  int count = 1;
  for (int i = 0; i < 3; i++)
    if (surface->size[i] != EXPR_NONE) to[count++] = surface->size[i];
  if (surface->kind == MODEL_TORUS) to[count++] = expr_add(p, R, expr_mul(p, r, cosine));
  if (surface->kind == MODEL_CONE) to[count++] = expr_fn1(p, EXPR_SIN, R);
  for (int i = 0; i < count; i++) from[i] = expr_call(p, EXPR_ABS, 1, &to[i]);
  return model_simpler(x->s, expr_substitute(p, e, count, from, to));
}

static void fill_chart(model_paper* x, const model_surface* surface, const char* which,
                       model_paper_chart* out)
{
  expr_pool* p = x->s->pool;
  expr t[2][3], d[3][3], n[3], b[3];
  model_surface_at(x->s, surface, out->q[0], out->q[1], out->r, t[0], t[1]);
  for (int i = 0; i < 3; i++) {
    d[0][i] = expr_diff(p, t[0][i], out->q[0]);
    d[1][i] = expr_diff(p, t[0][i], out->q[1]);
    d[2][i] = expr_diff(p, t[1][i], out->q[1]);
  }
  model_vec_cross(p, t[0], t[1], n);
  const expr a11 = model_simpler(x->s, model_vec_dot(p, t[0], t[0]));
  const expr a12 = model_simpler(x->s, model_vec_dot(p, t[0], t[1]));
  const expr a = model_simpler(x->s, model_vec_dot(p, n, n));
  const expr side = positive(x, surface, out, expr_fn1(p, EXPR_SQRT, a11));
  const expr area = positive(x, surface, out, expr_fn1(p, EXPR_SQRT, a));
  model_vec_scale(p, ratio(x, expr_int(p, 1), side), t[0], out->e[0]);
  model_vec_scale(p, ratio(x, expr_int(p, 1), area), n, out->e[2]);
  model_vec_cross(p, out->e[2], out->e[0], out->e[1]);
  for (int k = 0; k < 3; k++) {
    b[k] = model_simpler(x->s, model_vec_dot(p, d[k], out->e[2]));
    for (int i = 0; i < 3; i++) out->e[k][i] = model_simpler(x->s, out->e[k][i]);
  }
  // S12 = (a11 b12 - a12 b11)/(a11 sqrt a), S22 = (a11^2 b22 - 2 a11 a12 b12 + a12^2 b11)/(a11 a)
  const expr S[3] = {
      ratio(x, b[0], a11),
      ratio(x, expr_sub(p, expr_mul(p, a11, b[1]), expr_mul(p, a12, b[0])), expr_mul(p, a11, area)),
      ratio(
          x,
          expr_add(p,
                   expr_sub(p, expr_mul(p, expr_mul(p, a11, a11), b[2]),
                            expr_mul(p, expr_mul(p, expr_int(p, 2), a11), expr_mul(p, a12, b[1]))),
                   expr_mul(p, expr_mul(p, a12, a12), b[0])),
          expr_mul(p, a11, a))};
  static const char* const shape[3] = {"S11", "S12", "S22"};
  for (int k = 0; k < 3; k++)
    out->S[k] =
        model_paper_define(x, base_arena_printf(x->s->arena, "%s%s", shape[k], which), S[k]);
  for (int k = 0; k < 2; k++) {
    const expr along = ratio(x, expr_mul(p, a12, model_vec_dot(p, t[0], d[k])), a11);
    const expr kap = ratio(x, expr_sub(p, model_vec_dot(p, t[1], d[k]), along), area);
    out->kap[k] =
        model_paper_define(x, base_arena_printf(x->s->arena, "kap%d%s", k + 1, which), kap);
  }
  out->J[0] = model_simpler(x->s, side);
  out->J[1] = model_simpler(x->s, ratio(x, a12, side));
  out->J[2] = model_simpler(x->s, ratio(x, area, side));
}

// (g s x1 + c x2, -g c x1 + s x2, g x3): components on e of a vector on ec
static void onto_body(const model_paper* x, const expr v[3], expr out[3])
{
  expr_pool* p = x->s->pool;
  const expr gs = expr_mul(p, x->g, x->sine), gc = expr_mul(p, x->g, x->cosine);
  const expr first = expr_add(p, expr_mul(p, gs, v[0]), expr_mul(p, x->cosine, v[1]));
  const expr second = expr_sub(p, expr_mul(p, x->sine, v[1]), expr_mul(p, gc, v[0]));
  out[2] = expr_mul(p, x->g, v[2]);
  out[0] = first;
  out[1] = second;
}

// components of a vector of the base's axes on e, named
static void on_contact(model_paper* x, const char* const names[3], const expr v[3], expr out[3])
{
  expr_pool* p = x->s->pool;
  expr on[3], turned[3];
  for (int k = 0; k < 3; k++) on[k] = model_simpler(x->s, model_vec_dot(p, v, x->base.e[k]));
  onto_body(x, on, turned);
  for (int k = 0; k < 3; k++) out[k] = model_paper_define(x, names[k], turned[k]);
}

// ---- kinematics ---------------------------------------------------------------------------------

// rates of the coordinates of a chart from the velocity u over it
static void move_chart(model_paper* x, model_paper_chart* k, const expr u[2],
                       const char* const names[2])
{
  expr_pool* p = x->s->pool;
  const expr second = ratio(x, u[1], k->J[2]);
  const expr first = ratio(x, expr_sub(p, u[0], expr_mul(p, k->J[1], k->rate[1])), k->J[0]);
  model_paper_equate(x, model_paper_part_name(x, names[1], ""), k->rate[1], second);
  model_paper_equate(x, model_paper_part_name(x, names[0], ""), k->rate[0], first);
}

static expr along_chart(const model_paper* x, const model_paper_chart* k)
{
  expr_pool* p = x->s->pool;
  return expr_add(p, expr_mul(p, k->kap[0], k->rate[0]), expr_mul(p, k->kap[1], k->rate[1]));
}

// D and u
static void roll_over(model_paper* x, const expr turn[3], expr u[2])
{
  expr_pool* p = x->s->pool;
  const expr s = x->sine, c = x->cosine, two = expr_int(p, 2);
  const expr ss = expr_mul(p, s, s), cc = expr_mul(p, c, c), sc = expr_mul(p, s, c);
  const expr *S = x->body.S, *T = x->base.S;
  const expr cross = expr_mul(p, expr_mul(p, two, x->g), expr_mul(p, sc, T[1]));
  const expr X[3] = {expr_add(p, expr_add(p, expr_mul(p, ss, T[0]), expr_mul(p, cc, T[2])), cross),
                     expr_add(p, expr_mul(p, sc, expr_sub(p, T[2], T[0])),
                              expr_mul(p, expr_mul(p, x->g, expr_sub(p, ss, cc)), T[1])),
                     expr_sub(p, expr_add(p, expr_mul(p, cc, T[0]), expr_mul(p, ss, T[2])), cross)};
  static const char* const names[3] = {"D11", "D12", "D22"};
  expr D[3];
  for (int k = 0; k < 3; k++)
    D[k] = model_paper_define(x, names[k], expr_sub(p, S[k], expr_mul(p, x->g, X[k])));
  const expr det = expr_sub(p, expr_mul(p, D[0], D[2]), expr_mul(p, D[1], D[1]));
  const expr sr = expr_sub(p, x->w[0], turn[0]), tr = expr_sub(p, x->w[1], turn[1]);
  u[0] = model_paper_define(
      x, "u1", ratio(x, expr_add(p, expr_mul(p, sr, D[1]), expr_mul(p, tr, D[2])), det));
  u[1] = model_paper_define(
      x, "u2",
      expr_neg(p, ratio(x, expr_add(p, expr_mul(p, sr, D[0]), expr_mul(p, tr, D[1])), det)));
}

static void kinematics(model_paper* x, const expr turn[3], expr u[2])
{
  expr_pool* p = x->s->pool;
  static const char* const on_body[2] = {"u", "v"};
  static const char* const on_base[2] = {"ub", "vb"};
  static const char* const turning[3] = {"W1", "W2", "W3"};
  roll_over(x, turn, u);
  const expr gs = expr_mul(p, x->g, x->sine), gc = expr_mul(p, x->g, x->cosine);
  const expr uc[2] = {expr_sub(p, expr_mul(p, gs, u[0]), expr_mul(p, gc, u[1])),
                      expr_add(p, expr_mul(p, x->cosine, u[0]), expr_mul(p, x->sine, u[1]))};
  move_chart(x, &x->body, u, on_body);
  move_chart(x, &x->base, uc, on_base);
  const expr own = along_chart(x, &x->body), other = along_chart(x, &x->base);
  const expr spin = expr_sub(p, turn[2], x->w[2]);
  model_paper_equate(x, model_paper_part_name(x, "angle", ""), x->angle_rate,
                     expr_add(p, expr_sub(p, spin, own), expr_mul(p, x->g, other)));
  const expr* S = x->body.S;
  const expr first = expr_add(p, expr_mul(p, S[0], u[0]), expr_mul(p, S[1], u[1]));
  const expr second = expr_add(p, expr_mul(p, S[1], u[0]), expr_mul(p, S[2], u[1]));
  const expr W[3] = {expr_add(p, x->w[0], second), expr_sub(p, x->w[1], first),
                     expr_add(p, x->w[2], own)};
  for (int k = 0; k < 3; k++) x->W[k] = model_paper_define(x, turning[k], W[k]);
}

// ---- the whole ----------------------------------------------------------------------------------

static void name_variables(model_paper* x)
{
  expr_pool* p = x->s->pool;
  expr angle;
  for (int k = 0; k < 2; k++) {
    coordinate(x, k, &x->body.q[k], &x->body.rate[k]);
    coordinate(x, 2 + k, &x->base.q[k], &x->base.rate[k]);
  }
  coordinate(x, 4, &angle, &x->angle_rate);
  x->sine = expr_fn1(p, EXPR_SIN, angle);
  x->cosine = expr_fn1(p, EXPR_COS, angle);
  x->g = expr_int(p, (x->c->on_body.open ? 1 : -1) * x->c->side);
  for (int k = 0; k < 3; k++) {
    x->w[k] = expr_symbol(p, model_paper_part_name(x, model_paper_label[k], ""));
    expr_rate_set(p, x->w[k], expr_symbol(p, model_paper_part_name(x, model_paper_label[k], "'")));
  }
}

// j with its rates, A, B, C, gravity
static void base_motion(model_paper* x, expr turn[3])
{
  static const char *const j[3] = {"j1", "j2", "j3"}, *const G[3] = {"G1", "G2", "G3"};
  static const char* const w[3] = {"A", "B", "C"};
  const model_kin* kin = &x->s->kin;
  const model_entry* base = x->c->base;
  expr v[3], spin[3], carried_by[3], g[3];
  model_place_velocity(kin, base->origin, base->axes, v);
  model_axes_omega(kin, base->axes, base->axes, spin);
  model_vec_cross(kin->pool, spin, x->base.r, carried_by);
  model_vec_add(kin->pool, v, carried_by, v);
  on_contact(x, j, v, x->j);
  on_contact(x, w, spin, turn);
  model_vec_zero(kin->pool, g);
  if (x->s->has_gravity) model_axes_change(kin, NULL, base->axes, x->s->gravity, g);
  on_contact(x, G, g, x->gravity);
  for (int k = 0; k < 3; k++) {
    const int last = x->definition.n;
    for (int i = 0; i < last; i++) {
      if (x->definition.at[i].symbol != x->j[k]) continue;
      const expr rate = model_paper_define(x, base_arena_printf(x->s->arena, "j%d'", k + 1),
                                           expr_total(kin->pool, x->definition.at[i].value));
      expr_rate_set(kin->pool, x->j[k], rate);
    }
  }
}

static bool is_carried(const model_scope* s, const model_contact* c, int i)
{
  for (int k = 0; k < 7; k++)
    if (c->carrier[k] == i) return false;
  for (int k = 0; k < MODEL_CONTACT_COORDS; k++)
    if (c->given[k] && c->value[k] == s->m->coord[i].q) return false;
  // unit vectors that tell the contact
  const size_t n = strlen(c->name);
  return strncmp(s->m->coord[i].name, c->name, n) != 0 || s->m->coord[i].name[n] != '.';
}

// the rates were for this derivation alone
static void forget_rates(const model_paper* x)
{
  expr_pool* p = x->s->pool;
  for (int k = 0; k < 3; k++) {
    expr_rate_set(p, x->w[k], EXPR_NONE);
    if (!expr_is_number(p, x->j[k])) expr_rate_set(p, x->j[k], EXPR_NONE);
  }
  for (int k = 0; k < MODEL_CONTACT_COORDS; k++)
    if (x->named[k]) expr_rate_set(p, x->q[k], EXPR_NONE);
}

static void give(model_paper* x, model_contact* out)
{
  base_arena* arena = x->s->arena;
  const size_t size = sizeof *out->definition;
  out->definitions = x->definition.n;
  out->equations = x->equation.n;
  out->definition = base_arena_take(arena, size * (size_t)(out->definitions + 1));
  out->equation = base_arena_take(arena, size * (size_t)(out->equations + 1));
  memcpy(out->on_axes, x->force, sizeof out->on_axes);
  memcpy(out->weight, x->weight, sizeof out->weight);
  memcpy(out->definition, x->definition.at, size * (size_t)out->definitions);
  memcpy(out->equation, x->equation.at, size * (size_t)out->equations);
  base_list_free(&x->definition);
  base_list_free(&x->equation);
}

static const model_entry* entry_of(const model_scope* s, int contact)
{
  for (int i = 0; i < s->entries.n; i++) {
    const model_entry* e = s->entries.at[i];
    if (e->sort == MODEL_IS_CONTACT && e->contact == contact) return e;
  }
  return NULL;
}

void model_contact_write(const model* m, int contact)
{
  model_scope* s = m->scope;
  model_contact* out = &m->contact[contact];
  const model_entry* e = entry_of(s, contact);
  const model_touch* c = e ? e->touch : NULL;
  if (out->equations || !c || c->on_body.kind == MODEL_CIRCLE) return;
  int count = 0;
  for (int i = 0; i < s->entries.n; i++) {
    if (!s->entries.at[i]->mass) continue;
    if (!model_paper_suits(s->entries.at[i])) return;
    count++;
  }
  model_paper x = {.s = s, .c = c, .name = e->name};
  expr turn[3], u[2];
  name_variables(&x);
  fill_chart(&x, &c->on_body, "", &x.body);
  fill_chart(&x, &c->on_base, "c", &x.base);
  base_motion(&x, turn);
  kinematics(&x, turn, u);
  model_weight* list = base_arena_take(s->arena, sizeof *list * (size_t)(count + 1));
  for (int i = 0, k = 0; i < s->entries.n; i++)
    if (s->entries.at[i]->mass) model_paper_weigh(&x, s->entries.at[i], &list[k++]);
  model_paper_momenta(&x, count, list, u);
  for (int i = 0; i < m->coords; i++)
    if (is_carried(s, out, i)) model_paper_carried(&x, count, list, &m->coord[i]);
  forget_rates(&x);
  give(&x, out);
}
