// Kinetic and potential energy of all masses, and what the model adds to them.
// A mass m is spread over points i of a frame with weights mu_i (mean) and G_ij (second moments);
// with v_o the velocity of the frame's origin and u_i = r_i' + w x r_i in the frame's axes
//   T = m/2 (v_o^2 + 2 v_o . sum mu_i u_i + sum G_ij u_i . u_j) + 1/2 spin . J spin
// which for a rod is m/6 (va.va + va.vb + vb.vb), for a particle m/2 v.v. The terms v_o^2 of all
// masses are added along the places that carry them: each place adds its part of v^2 once, times
// all the mass it carries. That part has a term for each place before: what people know of a double
// pendulum. Where masses hang far from the world v_o is carried from place to place instead.

#include <stdlib.h>
#include <string.h>

#include "model/parts.h"

expr model_mass_mean(model_scope* s, const model_mass* b, int i)
{
  static const int below[3][3] = {{1, 0, 0}, {2, 2, 0}, {0, 2, 2}};
  int k = below[b->points - 1][i];
  return k ? expr_ratio(s->pool, 1, k) : expr_int(s->pool, 0);
}

// over the parallelogram r1 + s (r2 - r1) + w (r3 - r1): the weights are 1-s-w, s, w
expr model_mass_moment(model_scope* s, const model_mass* b, int i, int j)
{
  static const int twelfths[3][3][3] = {
      {{12}}, {{4, 2}, {2, 4}}, {{2, -1, -1}, {-1, 4, 3}, {-1, 3, 4}}};
  return expr_ratio(s->pool, twelfths[b->points - 1][i][j], 12);
}

void model_mass_centre(model_scope* s, const model_mass* b, expr r[3])
{
  model_vec_zero(s->pool, r);
  for (int i = 0; i < b->points; i++) {
    expr part[3];
    model_vec_scale(s->pool, model_mass_mean(s, b, i), b->r[i], part);
    model_vec_add(s->pool, r, part, r);
  }
}

void model_mass_angular(model_scope* s, const model_mass* b, expr L[3])
{
  static const int at[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
  for (int i = 0; i < 3; i++) {
    expr row[3] = {b->J[at[i][0]], b->J[at[i][1]], b->J[at[i][2]]};
    L[i] = model_vec_dot(s->pool, row, b->spin);
  }
}

// v_o in the axes of the mass
static void origin_velocity(model_scope* s, const model_mass* b, expr out[3])
{
  model_vec_zero(s->pool, out);
  if (!b->origin) return;
  model_place_reach(&s->kin, (model_place*)b->origin);
  model_axes_change(&s->kin, b->origin->axes, b->axes, b->origin->v, out);
}

// all of T but m/2 v_o^2, which belongs to it where velocities are carried
static expr relative_kinetic(model_scope* s, const model_mass* b, bool carried)
{
  expr_pool* p = s->pool;
  expr u[3][3], mean[3], v[3], terms[9];
  int n = 0;
  model_vec_zero(p, mean);
  for (int i = 0; i < b->points; i++) {
    expr part[3];
    model_place_term(&s->kin, b->axes, b->r[i], u[i]);
    model_vec_scale(p, model_mass_mean(s, b, i), u[i], part);
    model_vec_add(p, mean, part, mean);
  }
  if (carried) origin_velocity(s, b, v);
  if (carried) terms[n++] = model_vec_dot(p, v, v);
  terms[n++] = expr_mul(p, expr_int(p, 2),
                        carried ? model_vec_dot(p, v, mean)
                                : model_place_dot(&s->kin, b->origin, b->axes, mean));
  for (int i = 0; i < b->points; i++)
    for (int j = i; j < b->points; j++) {
      expr weight = expr_mul(p, model_mass_moment(s, b, i, j), expr_int(p, i == j ? 1 : 2));
      terms[n++] = expr_mul(p, weight, model_vec_dot(p, u[i], u[j]));
    }
  // a velocity that was carried far holds all the way
  expr half = expr_ratio(p, 1, 2), all = expr_sum(p, n, terms);
  if (!carried) all = model_simpler(s, all);
  expr T = expr_mul(p, expr_mul(p, half, b->m), all);
  if (!b->has_J) return T;
  expr L[3];
  model_mass_angular(s, b, L);
  expr turning = expr_mul(p, half, model_vec_dot(p, L, b->spin));
  return expr_add(p, T, model_simpler(s, turning));
}

typedef BASE_LIST(expr) terms;

// ---- mass carried by places ---------------------------------------------------------------------

typedef struct carrier
{
  model_place* place;
  terms masses;
} carrier;

typedef BASE_LIST(carrier) carriers;

// marks are numbers in the list, from one on
static void load(carriers* list, const model_place* at, expr m)
{
  if (!at) return;
  for (model_place* p = (model_place*)at; p && !p->mark; p = (model_place*)p->prev) {
    base_push(list, (carrier){.place = p});
    p->mark = list->n;
  }
  base_push(&list->at[at->mark - 1].masses, m);
}

static int deeper_first(const void* a, const void* b)
{
  const carrier *x = a, *y = b;
  if (x->place->depth != y->place->depth) return y->place->depth - x->place->depth;
  return x->place->mark - y->place->mark;
}

// from the last places inward: what one of them adds, times all the mass it carries
static void add_carried(model_scope* s, carriers* list,
                        expr (*of)(model_scope* s, const model_place* p), terms* out)
{
  expr_pool* p = s->pool;
  if (list->n) qsort(list->at, (size_t)list->n, sizeof *list->at, deeper_first);
  for (int i = 0; i < list->n; i++) list->at[i].place->mark = i + 1;
  for (int i = 0; i < list->n; i++) {
    carrier* c = &list->at[i];
    expr m = expr_sum(p, c->masses.n, c->masses.at);
    const model_place* below = c->place->prev;
    if (below) base_push(&list->at[below->mark - 1].masses, m);
    base_push(out, expr_mul(p, m, of(s, c->place)));
  }
  for (int i = 0; i < list->n; i++) {
    list->at[i].place->mark = 0;
    base_list_free(&list->at[i].masses);
  }
  base_list_free(list);
}

// Places between the world and the origins of the masses, on an average, from which on velocities
// are carried: a term for each of them, a product of sines and cosines, is then more than what
// turns a velocity and adds to it.
enum { FAR = 5 };

static bool is_far(const model_scope* s)
{
  double masses = 0, before = 0;
  for (int i = 0; i < s->entries.n; i++) {
    const model_mass* b = s->entries.at[i]->mass;
    if (!b) continue;
    masses++;
    before += model_place_depth(b->origin);
  }
  return before > FAR * masses;
}

// of m/2 v_o^2
static expr kinetic_of(model_scope* s, const model_place* at)
{
  expr square = model_simpler(s, model_place_increment(&s->kin, at));
  return expr_mul(s->pool, expr_ratio(s->pool, 1, 2), square);
}

static bool mass_energies(model_scope* s, terms* out)
{
  carriers list = {0};
  bool fine = true;
  const bool carried = is_far(s);
  for (int i = 0; i < s->entries.n && !expr_pool_full(s->pool); i++) {
    const model_entry* x = s->entries.at[i];
    if (!x->statement || (!x->statement->mass && !x->statement->density)) continue;
    fine &= !x->poisoned;
    if (!x->mass || x->poisoned) continue;
    base_push(out, relative_kinetic(s, x->mass, carried));
    if (!carried) load(&list, x->mass->origin, x->mass->m);
  }
  add_carried(s, &list, kinetic_of, out);
  return fine;
}

// ---- energies -----------------------------------------------------------------------------------

static void poison(model_entry* e, expr_pool* p)
{
  e->poisoned = true;
  e->value = model_value_scalar(expr_int(p, 0), model_dim_unknown());
}

// `instead`: the help where it holds what is forbidden, or null
static bool added_energy(model_scope* s, const lang_statement* st, int forbidden, const char* what,
                         const char* instead, expr* e)
{
  model_dim d;
  if (!model_eval_scalar(s, st->value, what, e, &d) ||
      !model_expect_dim(s, st->value, d, model_dim_of(2, 1, -2), what))
    return false;
  if (model_expect_free(s, st->value, *e, forbidden | MODEL_USES_DELAY, what)) return true;
  if (instead) base_help(s->notes, "%s", instead);
  return false;
}

static expr sum_up(model_scope* s, terms* list)
{
  expr e = list->n ? expr_sum(s->pool, list->n, list->at) : expr_int(s->pool, 0);
  base_list_free(list);
  return model_simpler(s, e);
}

void model_kinetic_resolve(model_scope* s, model_entry* e)
{
  terms list = {0}, added = {0};
  bool fine = mass_energies(s, &list);
  int never = MODEL_USES_ACCELERATION | MODEL_USES_JERK | MODEL_USES_REACTION;
  for (int i = 0; i < s->tree->count; i++) {
    const lang_statement* st = s->tree->at[i];
    expr T;
    if (st->kind != LANG_KINETIC) continue;
    if (added_energy(s, st, never, "a kinetic energy", NULL, &T)) {
      base_push(&added, T);
      base_push(&s->energy_terms, (model_energy_term){T, true, st->place});
    } else {
      fine = false;
    }
  }
  for (int i = 0; i < added.n; i++) base_push(&list, added.at[i]);
  s->kinetic_added = sum_up(s, &added);
  e->value = model_value_scalar(sum_up(s, &list), model_dim_unknown());
  if (!fine) poison(e, s->pool);
}

// ---- potential ----------------------------------------------------------------------------------

static const model_place* centre_of(model_scope* s, const model_mass* b)
{
  expr centre[3];
  model_mass_centre(s, b, centre);
  return model_place_add(&s->kin, b->origin, b->axes, centre);
}

// V = -m g . centre for every mass; each term of the place is turned, not the whole
static expr weight(model_scope* s, const model_mass* b)
{
  expr x[3];
  model_place_between(&s->kin, NULL, centre_of(s, b), NULL, x);
  return expr_neg(s->pool, expr_mul(s->pool, b->m, model_vec_dot(s->pool, s->gravity, x)));
}

static expr weight_of(model_scope* s, const model_place* at)
{
  expr x[3];
  model_axes_change(&s->kin, at->axes, NULL, at->r, x);
  return expr_neg(s->pool, model_vec_dot(s->pool, s->gravity, x));
}

static void weigh(model_scope* s, terms* out)
{
  carriers list = {0};
  const bool carried = is_far(s);
  for (int i = 0; i < s->entries.n && !expr_pool_full(s->pool); i++) {
    const model_mass* b = s->entries.at[i]->mass;
    if (!b || s->entries.at[i]->poisoned) continue;
    if (carried)
      load(&list, centre_of(s, b), b->m);
    else
      base_push(out, weight(s, b));
  }
  add_carried(s, &list, weight_of, out);
}

bool model_energy_gravity(model_scope* s, const lang_statement* st, expr g[3])
{
  expr own[3];
  model_dim d[3];
  const model_entry* frame = model_scope_frame(s, st->in);
  if (!frame || !model_eval_vector(s, st->vector, "gravity", own, d)) return false;
  model_axes_change(&s->kin, frame->axes, NULL, own, g);
  for (int i = 0; i < 3; i++) {
    int never = MODEL_USES_STATE | MODEL_USES_JERK | MODEL_USES_RATE;
    if (!model_expect_dim(s, st->vector, d[i], model_dim_of(1, 0, -2), "gravity")) return false;
    if (model_expect_free(s, st->vector, g[i], never, "gravity")) continue;
    if (!(model_scope_uses(s, own[i]) & never))
      base_help(s->notes, "the axes of `%s` turn with them", st->in.text);
    return false;
  }
  return true;
}

static bool add_gravity(model_scope* s, const lang_statement* st, terms* list)
{
  expr g[3];
  if (s->has_gravity) {
    base_error(s->notes, st->place, "gravity is given a second time");
    base_help(s->notes, "one field acts on every mass; fields that act together are one sum");
    return false;
  }
  if (!model_energy_gravity(s, st, g)) return false;
  s->has_gravity = true;
  memcpy(s->gravity, g, sizeof g);
  weigh(s, list);
  return true;
}

static bool add_spring(model_scope* s, const lang_statement* st, terms* list)
{
  const model_entry* e = model_spring_energy(s, st);
  if (!e || e->poisoned) return false;
  base_push(list, e->value.e[0]);
  base_push(&s->energy_terms, (model_energy_term){e->value.e[0], false, st->place});
  return true;
}

void model_potential_resolve(model_scope* s, model_entry* e)
{
  terms weights = {0}, list = {0};
  bool fine = true;
  for (int i = 0; i < s->tree->count; i++) {
    const lang_statement* st = s->tree->at[i];
    expr V;
    if (st->kind == LANG_GRAVITY) fine &= add_gravity(s, st, &weights);
    if (st->kind == LANG_SPRING || st->kind == LANG_TORSION || st->kind == LANG_BUSHING)
      fine &= add_spring(s, st, &list);
    if (st->kind != LANG_POTENTIAL) continue;
    int moving = MODEL_USES_VELOCITY | MODEL_USES_ACCELERATION | MODEL_USES_JERK |
                 MODEL_USES_REACTION | MODEL_USES_RATE;
    if (added_energy(s, st, moving, "a potential",
                     "what depends on velocities is written as a force: force x = ...", &V)) {
      base_push(&list, V);
      base_push(&s->energy_terms, (model_energy_term){V, false, st->place});
    } else {
      fine = false;
    }
  }
  for (int i = 0; i < s->entries.n; i++)
    fine &= !(s->entries.at[i]->mass && s->entries.at[i]->poisoned);
  s->beside_weight = list.n ? expr_sum(s->pool, list.n, list.at) : expr_int(s->pool, 0);
  for (int i = 0; i < list.n; i++) base_push(&weights, list.at[i]);
  base_list_free(&list);
  e->value = model_value_scalar(sum_up(s, &weights), model_dim_unknown());
  if (!fine) poison(e, s->pool);
}
