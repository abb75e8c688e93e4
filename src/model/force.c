// Generalised forces. A force F at the point P and a torque M on the body B give
//   Q_i = F . dv_P/dq_i',   Q_i = M . domega_B/dq_i'
// with the velocities resolved in the axes in which F and M are written.

#include <stdlib.h>
#include <string.h>

#include "model/guide.h"

typedef BASE_LIST(expr) terms;

typedef struct forces
{
  model_scope* s;
  terms* on; // one list per coordinate
  expr* speed;
  expr_index* by_speed;
  expr_numbers held; // coordinates whose speeds an expression holds
} forces;

// no force may hold these
enum { NEVER = MODEL_USES_JERK | MODEL_USES_ACCELERATION };

static bool may_act(model_scope* s, const lang_node* n, const expr* F, int parts)
{
  for (int i = 0; i < parts; i++)
    if (!model_expect_free(s, n, F[i], NEVER, "a force")) return false;
  return true;
}

static void force_on_coordinate(forces* f, const lang_statement* st)
{
  model_scope* s = f->s;
  expr Q;
  model_dim d;
  model_entry* e = model_names_find(&s->names, st->name.text);
  bool is_coord = e && e->sort == MODEL_IS_COORD;
  if (!e) {
    model_scope_unknown(s, "coordinate", st->name.text, st->name.place, 1 << MODEL_IS_COORD);
  } else if (!is_coord && e->sort != MODEL_IS_UNSUPPORTED) {
    base_error(s->notes, st->name.place, "a force acts on a coordinate, `%s` is %s", e->name,
               model_sort_text(e));
    base_help(s->notes, "a force at a point is written: force (fx, fy, fz) in F at P");
  }
  if (!model_eval_scalar(s, st->value, "a generalised force", &Q, &d)) return;
  if (!may_act(s, st->value, &Q, 1) || !is_coord) return;
  model_dim energy = model_dim_of(2, 1, -2);
  if (e->value.d[0].kind == MODEL_DIM_KNOWN &&
      !model_expect_dim(s, st->value, d, model_dim_div(energy, e->value.d[0]),
                        "this generalised force"))
    return;
  base_push(&f->on[e->index], Q);
}

// F dv/dq_i' on all coordinates; those whose speeds v does not hold are not asked
static void push_along(forces* f, expr F, expr v)
{
  expr_pool* p = f->s->pool;
  f->held.n = 0;
  if (v != EXPR_NONE) expr_index_list(p, f->by_speed, v, &f->held);
  // what has no value has none anywhere
  for (int i = 0; i < f->s->m->coords && v == EXPR_NONE; i++) base_push(&f->on[i], EXPR_NONE);
  for (int k = 0; k < f->held.n; k++) {
    const int i = f->held.at[k];
    const expr slope = expr_diff(p, v, f->speed[i]);
    if (slope != expr_int(p, 0)) base_push(&f->on[i], expr_mul(p, F, slope));
  }
}

// F . dv/dq_i' for all coordinates
static void add_projection(forces* f, const expr F[3], const expr v[3])
{
  const expr zero = expr_int(f->s->pool, 0);
  for (int k = 0; k < 3; k++)
    if (F[k] != zero && v[k] != zero) push_along(f, F[k], v[k]);
}

static bool read_vector(model_scope* s, const lang_statement* st, const char* what, model_dim dim,
                        expr F[3])
{
  model_dim d[3];
  if (!model_eval_vector(s, st->vector, what, F, d)) return false;
  for (int i = 0; i < 3; i++)
    if (!model_expect_dim(s, st->vector, d[i], dim, what)) return false;
  return may_act(s, st->vector, F, 3);
}

static void force_at_point(forces* f, const lang_statement* st)
{
  model_scope* s = f->s;
  expr F[3], v[3];
  const model_place* point;
  bool fine = read_vector(s, st, "a force", model_dim_of(1, 1, -2), F);
  const model_entry* frame = model_scope_frame(s, st->in);
  model_value at = model_eval(s, st->at);
  if (at.kind != MODEL_THING && at.kind != MODEL_POISON)
    base_error(s->notes, st->at->place, "a force acts at a point, frame or body, this is %s",
               model_value_describe(&at));
  if (!fine || !frame || at.kind != MODEL_THING) return;
  point = at.thing->origin;
  model_place_velocity(&s->kin, point, frame->axes, v);
  add_projection(f, F, v);
}

static void torque_on_body(forces* f, const lang_statement* st)
{
  model_scope* s = f->s;
  expr M[3], w[3];
  bool fine = read_vector(s, st, "a torque", model_dim_of(2, 1, -2), M);
  const model_entry* frame = model_scope_frame(s, st->in);
  const model_entry* body = model_scope_frame(s, st->on);
  if (!fine || !frame || !body) return;
  model_axes_omega(&s->kin, body->axes, frame->axes, w);
  add_projection(f, M, w);
}

static void pull_against(forces* f, expr pull, expr rate)
{
  expr_pool* p = f->s->pool;
  if (pull != expr_int(p, 0)) push_along(f, expr_neg(p, pull), rate);
}

// a tension draws the ends together, against the rate of the length
static void tension(forces* f, const lang_statement* st)
{
  expr pull[6], rate[6];
  if (st->kind == LANG_BUSHING) {
    if (!model_bushing_drag(f->s, st, pull, rate)) return;
    for (int i = 0; i < 6; i++) pull_against(f, pull[i], rate[i]);
  } else if (model_spring_pull(f->s, st, pull, rate)) {
    pull_against(f, pull[0], rate[0]);
  }
}

// ---- along coordinates and quasi-velocities -----------------------------------------------------

// The coordinate or quasi-velocity pi after `along` or `by`: its velocity, and the unit of a force
// that does the work (force) d pi. Null with an error noted.
static const model_entry* direction(model_scope* s, lang_word word, expr* speed, model_dim* unit)
{
  const model_entry* e = model_names_find(&s->names, word.text);
  if (!e) {
    model_scope_unknown(s, "coordinate or quasi-velocity", word.text, word.place,
                        1 << MODEL_IS_COORD | 1 << MODEL_IS_QUASI);
    return NULL;
  }
  const bool coord = e->sort == MODEL_IS_COORD, quasi = e->sort == MODEL_IS_QUASI;
  if (!coord && !quasi) {
    if (e->sort != MODEL_IS_UNSUPPORTED)
      base_error(s->notes, word.place,
                 "a force acts along a coordinate or a quasi-velocity, `%s` is %s", e->name,
                 model_sort_text(e));
    return NULL;
  }
  if (e->poisoned) return NULL;
  if (quasi && s->m->quasi[e->index].order != 1) {
    base_error(s->notes, word.place, "`%s` is a pseudo-acceleration, a force acts along velocities",
               e->name);
    return NULL;
  }
  *speed = coord ? s->m->coord[e->index].v : s->m->quasi[e->index].value;
  *unit = model_dim_unknown();
  if (e->value.d[0].kind == MODEL_DIM_KNOWN)
    *unit = model_dim_div(model_dim_of(2, 1, coord ? -2 : -3), e->value.d[0]);
  return e;
}

// is the constraint of this name released or imposed somewhere?
bool model_force_switches(const model_scope* s, const char* name)
{
  for (int i = 0; i < s->tree->count; i++) {
    const lang_block* b = &s->tree->at[i]->block;
    for (int k = 0; k < b->releases; k++)
      if (strcmp(b->release[k].text, name) == 0) return true;
    for (int k = 0; k < b->imposes; k++)
      if (strcmp(b->impose[k].text, name) == 0) return true;
  }
  return false;
}

// resist C = R along pi: R d pi is the work of what is not ideal in C, while C holds
static void resistance(forces* f, const lang_statement* st)
{
  model_scope* s = f->s;
  expr R, speed;
  model_dim d, unit;
  const model_entry* c = model_names_find(&s->constraint_names, st->name.text);
  if (!c) model_scope_unknown_constraint(s, st->name.text, st->name.place);
  bool fine = c && !c->poisoned;
  fine &= direction(s, st->by, &speed, &unit) != NULL;
  fine &= model_eval_scalar(s, st->value, "a law of resistance", &R, &d);
  fine = fine && model_expect_dim(s, st->value, d, unit, "this resistance") &&
         may_act(s, st->value, &R, 1);
  if (!fine) return;
  if (c->parts == 1 && s->m->constraint[c->part_index[0]].by)
    base_error(s->notes, st->name.place,
               "`%s` is held by a control, which has no reaction to resist with", c->name);
  for (int i = 0; i < c->parts && model_force_switches(s, c->name); i++)
    if (c->part_index[i] >= 0) {
      R = expr_mul(s->pool, s->m->holds[c->part_index[i]], R);
      break;
    }
  push_along(f, R, speed);
}

// constraint C: ... by pi: the control u of C does the work u d pi
static void control(forces* f, const model_entry* e)
{
  model_scope* s = f->s;
  model* m = s->m;
  expr speed;
  model_dim unit;
  if (!e->statement->by.text || e->poisoned || e->part_index[0] < 0) return;
  if (!direction(s, e->statement->by, &speed, &unit)) return;
  model_constraint* c = &m->constraint[e->part_index[0]];
  c->along = base_arena_take(s->arena, sizeof(expr) * (size_t)(m->coords + 1));
  expr_gradient(s->pool, speed, m->coords, f->speed, c->along);
  for (int i = 0; i < m->coords; i++)
    if (c->along[i] != expr_int(s->pool, 0))
      base_push(&f->on[i], expr_mul(s->pool, m->reaction[e->part_index[0]], c->along[i]));
}

// the speeds of slip named after `along`; the reaction is then the pressing force itself
static bool named_slip(model_scope* s, const lang_statement* st, model_constraint* c)
{
  model_dim unit;
  c->pressure = expr_int(s->pool, 1);
  for (int k = 0; k < 2 && st->slip[k].text; k++) {
    if (!direction(s, st->slip[k], &c->slip[k], &unit)) return false;
    c->slips = k + 1;
  }
  return true;
}

// where it slips: along speeds that are named, along a guide, or on the surface that an equation
// describes
static bool find_slip(model_scope* s, model_entry* e, model_constraint* c)
{
  if (e->statement->slip[0].text) return named_slip(s, e->statement, c);
  if (e->sort == MODEL_IS_CONSTRAINT && (e->parts == 1 || e->splits))
    return model_friction_geometry(s, e, c);
  if (e->sort == MODEL_IS_CONSTRAINT) e->guide = base_arena_take(s->arena, sizeof *e->guide);
  return (e->sort == MODEL_IS_JOINT || model_guide_read(s, e, e->guide)) &&
         model_guide_slip(s, e->guide, c);
}

// one equation of positions, or those of a guide
static bool may_rub(const model_entry* e, const model_constraint* c)
{
  const bool several = e->sort == MODEL_IS_CONSTRAINT && e->parts > 1 && !e->splits;
  if (e->sort == MODEL_IS_JOINT) return e->guide != NULL;
  return c->order == 0 && !c->by && !(several && (c->sense || e->statement->slip[0].text));
}

static bool read_friction(model_scope* s, model_entry* e, model_constraint* c)
{
  const lang_node* n = e->statement->friction;
  expr mu[2];
  if (!may_rub(e, c)) {
    base_error(
        s->notes, n->place,
        "friction belongs to a contact: a single constraint on positions, or a point that is "
        "guided along a curve or surface");
    return false;
  }
  const int coefficients =
      model_friction_read(s, n, "a coefficient of friction", model_dim_of(0, 0, 0), mu);
  c->friction = coefficients ? mu[0] : EXPR_NONE;
  if (!coefficients) return false;
  if (!find_slip(s, e, c)) return false;
  c->friction = model_friction_with_own_slip(s, e, mu[0], c);
  if (coefficients == 2 && !model_friction_stretch(s, e, mu, c)) return false;
  c->guides = !c->sense && c->slips == 2;
  return true;
}

// Where the slip ends, constraints that are off at the start may hold it; h = 1 then.
static void add_sticking(model_scope* s, model_constraint* c)
{
  for (int k = 0; k < c->slips; k++) {
    const model_constraint x = {.name = base_arena_printf(s->arena, "%s.stick%d", c->name, k + 1),
                                .f = c->slip[k],
                                .order = 1,
                                .linear = true,
                                .starts_off = true,
                                .internal = true,
                                .sticks = true,
                                .restitution = EXPR_NONE,
                                .place = c->place};
    c->stick[k] = model_constraint_append(s, x);
  }
}

// (1 - h) u/|u|, in the plane (1 - h) sign(u)
static expr way_of_slip(model_scope* s, const model_constraint* c, int part)
{
  expr_pool* p = s->pool;
  if (!c->sense && !c->guides) return expr_call(p, EXPR_SIGN, 1, &c->slip[0]);
  const expr h = s->m->holds[c->stick[0]], slipping = expr_sub(p, expr_int(p, 1), h);
  if (c->slips == 1) return expr_mul(p, slipping, expr_call(p, EXPR_SIGN, 1, &c->slip[0]));
  return expr_div(p, expr_mul(p, slipping, c->slip[part]), model_friction_held_speed(s, c));
}

// can something be struck?
static bool has_impacts(const model* m)
{
  for (int k = 0; k < m->constraints; k++)
    if (m->constraint[k].sense && m->constraint[k].order == 0) return true;
  return false;
}

// C ... with friction mu: the point that touches is pulled against its slip u by mu times the
// normal force, and held at u = 0 by no more
static void rub(forces* f, int number)
{
  model_scope* s = f->s;
  expr_pool* p = s->pool;
  model_constraint* c = &s->m->constraint[number];
  // Friction along a line of what holds both ways is a jump of the forces; beside contacts it is
  // decided with them: impacts that press it rub there.
  if (!c->sense && c->normal == EXPR_NONE && has_impacts(s->m)) c->guides = true;
  if (c->sense || c->guides) add_sticking(s, c);
  const expr reaction = s->m->reaction[number];
  const expr size = c->sense > 0             ? reaction
                    : c->sense < 0           ? expr_neg(p, reaction)
                    : c->normal != EXPR_NONE ? c->normal
                                             : expr_call(p, EXPR_ABS, 1, &reaction);
  const expr mu = model_friction_in_force(s, c);
  for (int k = 0; k < c->slips; k++) {
    const expr factor[4] = {mu, c->pressure, size, way_of_slip(s, c, k)};
    const expr pull = expr_neg(p, expr_product(p, 4, factor));
    push_along(f, pull, c->slip[k]);
  }
}

int model_force_row(const model_entry* e)
{
  for (int i = 0; i < e->parts; i++)
    if (e->part_index[i] >= 0) return e->part_index[i];
  return -1;
}

// what rubs is read when it is first asked for: its results may be wanted before its force is
bool model_force_friction(model_scope* s, model_entry* e)
{
  const lang_node* n = e->statement ? e->statement->friction : NULL;
  if (!n || e->poisoned) return false;
  if (e->sort != MODEL_IS_MEETING && model_force_row(e) < 0) return false;
  if (e->rubs) return e->rubs > 0;
  e->rubs = MODEL_RUBS_BEING_READ;
  bool fine;
  if (e->sort == MODEL_IS_MEETING) {
    fine = model_meeting_friction(s, e);
  } else {
    fine = read_friction(s, e, &s->m->constraint[model_force_row(e)]);
    for (int i = 1; i < e->parts && e->splits && fine; i++)
      fine = read_friction(s, e, &s->m->constraint[e->part_index[i]]);
  }
  e->rubs = fine ? 1 : -1;
  return fine;
}

static void friction(forces* f, model_entry* e)
{
  if (!model_force_friction(f->s, e)) return;
  for (int i = 0; i < e->parts; i++)
    if (e->part_index[i] >= 0 && f->s->m->constraint[e->part_index[i]].friction != EXPR_NONE)
      rub(f, e->part_index[i]);
}

static bool is_between(const lang_statement* st)
{
  return st->kind >= LANG_SPRING && st->kind <= LANG_BUSHING;
}

// what a statement adds
static void act(forces* f, const lang_statement* st)
{
  if (st->kind == LANG_TORQUE) torque_on_body(f, st);
  if (st->kind == LANG_RESIST) resistance(f, st);
  if (is_between(st)) tension(f, st);
  if (st->kind == LANG_FORCE && st->name.text) force_on_coordinate(f, st);
  if (st->kind == LANG_FORCE && !st->name.text) force_at_point(f, st);
}

void model_force_build(model_scope* s)
{
  model* m = s->m;
  size_t n = (size_t)m->coords + 1;
  forces f = {.s = s, .on = base_alloc(n * sizeof *f.on), .speed = base_alloc(n * sizeof(expr))};
  for (int i = 0; i < m->coords; i++) f.speed[i] = m->coord[i].v;
  f.by_speed = expr_index_new(m->coords, f.speed);
  for (int i = 0; i < s->tree->count && !expr_pool_full(s->pool); i++) act(&f, s->tree->at[i]);
  for (int i = 0; i < s->constraints.n; i++) {
    control(&f, s->constraints.at[i]);
    friction(&f, s->constraints.at[i]);
  }
  for (int i = 0; i < s->entries.n; i++)
    if (s->entries.at[i]->sort == MODEL_IS_MEETING || s->entries.at[i]->sort == MODEL_IS_JOINT)
      friction(&f, s->entries.at[i]);
  for (int i = 0; i < m->contacts; i++)
    for (int k = 0; k < 2; k++) {
      const model_rub* rub = k ? &m->contact[i].turn : &m->contact[i].slip;
      if (rub->acts) add_projection(&f, rub->law, rub->against);
    }
  m->Q = base_arena_take(s->arena, n * sizeof *m->Q);
  model_state_rates(s, m->Q);
  for (int i = 0; i < m->coords; i++) {
    base_push(&f.on[i], m->Q[i] ? m->Q[i] : expr_int(s->pool, 0));
    m->Q[i] = model_simpler(s, expr_sum(s->pool, f.on[i].n, f.on[i].at));
    base_list_free(&f.on[i]);
  }
  free(f.on);
  free(f.speed);
  base_list_free(&f.held);
  expr_index_free(f.by_speed);
}
