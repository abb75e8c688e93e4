// Constraints: f = left - right, their order, and whether they are linear in the highest
// derivatives.

#include <stdlib.h>
#include <string.h>

#include "model/parts.h"

int model_highest_order(model_scope* s, expr e)
{
  int uses = model_scope_uses(s, e);
  if (uses & MODEL_USES_ACCELERATION) return 2;
  if (uses & MODEL_USES_VELOCITY) return 1;
  return uses & MODEL_USES_COORD ? 0 : -1;
}

// all coordinates, velocities or accelerations, and where each is among them
static const expr_index* index_of(model_scope* s, int k, const expr** by)
{
  model* m = s->m;
  if (s->rate_count[k] != m->coords) {
    expr_index_free(s->rate_index[k]);
    s->rate_count[k] = m->coords;
    s->rate_list[k] = base_arena_take(s->arena, ((size_t)m->coords + 1) * sizeof(expr));
    for (int i = 0; i < m->coords; i++)
      s->rate_list[k][i] = k == 0 ? m->coord[i].q : k == 1 ? m->coord[i].v : m->coord[i].a;
    s->rate_index[k] = expr_index_new(m->coords, s->rate_list[k]);
  }
  *by = s->rate_list[k];
  return s->rate_index[k];
}

// affine in the highest derivatives: all second derivatives by them vanish
static bool is_linear(model_scope* s, expr f, int order)
{
  if (order == 0) return true;
  const expr* by;
  const expr_index* index = index_of(s, order, &by);
  expr_slope_list slope = {0}, second = {0};
  expr_slopes(s->pool, index, by, f, &slope);
  bool linear = true;
  for (int i = 0; linear && i < slope.n; i++) {
    if (!slope.at[i].value || !expr_index_any(s->pool, index, slope.at[i].value)) continue;
    expr_slopes(s->pool, index, by, slope.at[i].value, &second);
    for (int j = 0; linear && j < second.n; j++)
      linear = expr_is_zero(s->pool, second.at[j].value) == EXPR_YES;
  }
  base_list_free(&slope);
  base_list_free(&second);
  return linear;
}

// does f clearly change with a derivative of that order, so that these cannot all cancel?
static bool depends(model_scope* s, expr f, int order)
{
  if (order < 0) return false;
  const expr* by;
  const expr_index* index = index_of(s, order, &by);
  expr_slope_list slope = {0};
  expr_slopes(s->pool, index, by, f, &slope);
  bool clearly = false;
  for (int i = 0; i < slope.n && !clearly; i++)
    clearly = slope.at[i].value && expr_is_zero(s->pool, slope.at[i].value) == EXPR_NO;
  base_list_free(&slope);
  return clearly;
}

// what the parts of a statement cannot have together
static bool fits_together(model_scope* s, const lang_statement* st)
{
  int before = base_notes_errors(s->notes);
  const bool equal = st->relation == LANG_EQUAL;
  if (st->restitution && equal)
    base_error(s->notes, st->restitution->place,
               "only a constraint with `>=` or `<=` has impacts and a restitution");
  if (st->by.text && !equal)
    base_error(s->notes, st->by.place, "a control holds an equation, this is an inequality");
  return base_notes_errors(s->notes) == before;
}

// restitution and law of impact of a unilateral constraint
bool model_constraint_impact(model_scope* s, const lang_statement* st, model_constraint* c)
{
  static const char* const laws[] = {[MODEL_NEWTON] = "newton",
                                     [MODEL_POISSON] = "poisson",
                                     [MODEL_MOREAU] = "moreau",
                                     [MODEL_SEQUENTIAL] = "sequential",
                                     [MODEL_ENERGETIC] = "energetic"};
  model_dim d;
  const lang_node* n = st->restitution;
  c->restitution = EXPR_NONE;
  c->sense = st->relation == LANG_AT_LEAST ? 1 : st->relation == LANG_AT_MOST ? -1 : 0;
  for (int k = 0; st->impact_law.text && k < (int)(sizeof laws / sizeof *laws); k++)
    if (strcmp(st->impact_law.text, laws[k]) == 0) c->impact = (model_impact)k;
  if (!n) return true;
  const int never = MODEL_USES_STATE | MODEL_USES_JERK | MODEL_USES_RATE | MODEL_USES_TIME;
  if (!model_eval_scalar(s, n, "a restitution", &c->restitution, &d) ||
      !model_expect_dim(s, n, d, model_dim_of(0, 0, 0), "a restitution") ||
      !model_expect_free(s, n, c->restitution, never, "a restitution"))
    return false;
  const double e = model_scope_bound(s, c->restitution);
  model_scope_bound(s, expr_sub(s->pool, expr_int(s->pool, 1), c->restitution));
  if (e >= 0 && e <= 1) return true;
  base_error(s->notes, n->place, "a restitution lies between 0 and 1, this is %g", e);
  return false;
}

// order and linearity; terms that cancel do not count
static bool classify(model_scope* s, const lang_statement* st, model_constraint* c)
{
  base_place both = base_place_join(st->left->place, st->right->place);
  int never = MODEL_USES_REACTION | MODEL_USES_JERK;
  if (!model_expect_free(s, st->left, c->f, never, "a constraint")) return false;
  if (!model_delay_free(s, st->left, c->f, "a constraint")) return false;
  // a reaction cannot act on a state, a control need not
  if (!st->by.text && !model_state_free(s, st->left, c->f, "a constraint")) {
    base_help(s->notes, "a control may hold it: constraint %s: ... by u", c->name);
    return false;
  }
  c->order = model_highest_order(s, c->f);
  expr f = depends(s, c->f, c->order) ? c->f : model_simpler(s, c->f);
  int order = model_highest_order(s, f);
  if (order != c->order) {
    c->f = f;
    c->order = order;
  }
  if (c->order < 0) {
    base_error(s->notes, both, "the constraint `%s` holds no coordinate", c->name);
    return false;
  }
  c->linear = is_linear(s, c->f, c->order);
  if (c->restitution != EXPR_NONE && c->order != 0) {
    base_error(s->notes, st->restitution->place,
               "velocities do not jump at a constraint of order %d: it has no restitution",
               c->order);
    return false;
  }
  if (c->sense && c->order == 2 && !c->linear) {
    base_error(s->notes, both,
               "an inequality nonlinear in the accelerations is not taken; write it with `=`");
    return false;
  }
  if (c->linear || c->order < 2 || !st->by.text) return true;
  base_error(s->notes, both, "a control cannot hold a constraint nonlinear in the accelerations");
  return false;
}

// few coordinates: solved with full matrices, in a time that grows with the cube of their number
enum { few_coords = 60, most_of_few = 1000, most_of_many = 100000 };

static int written(const model* m)
{
  int count = 0;
  for (int k = 0; k < m->constraints; k++) count += !m->constraint[k].internal;
  return count;
}

int model_constraint_append(model_scope* s, model_constraint c)
{
  model* m = s->m;
  const char* force = c.by ? "control" : "reaction";
  m->reaction[m->constraints] =
      expr_symbol(s->pool, base_arena_printf(s->arena, "%s(%s)", force, c.name));
  model_scope_mark(s, m->reaction[m->constraints], MODEL_USES_REACTION);
  m->holds[m->constraints] = expr_symbol(s->pool, base_arena_printf(s->arena, "holds(%s)", c.name));
  m->constraint[m->constraints] = c;
  const bool few = m->coords <= few_coords;
  const int most = few ? most_of_few : most_of_many;
  if (!c.internal && m->constraints >= most && written(m) == most)
    base_error(s->notes, c.place, "a model of %s %d coordinates may have at most %d constraints",
               few ? "up to" : "more than", few_coords, most);
  return m->constraints++;
}

// in a plane the third part of a vector equation is 0 = 0, and is left out
static bool always_holds(model_scope* s, expr f)
{
  f = model_scope_held(s, f);
  return f == expr_int(s->pool, 0) || expr_is_zero(s->pool, f) == EXPR_YES;
}

// the values below nested calls of f, or the expression alone; 0 where there are more than `most`
static int spread(const expr_pool* p, expr e, expr_fn f, int most, expr* out)
{
  if (most < 1) return 0;
  if (expr_kind_of(p, e) != EXPR_CALL || expr_fn_of(p, e) != f) {
    out[0] = e;
    return 1;
  }
  const int first = spread(p, expr_arg(p, e, 0), f, most, out);
  const int second = first ? spread(p, expr_arg(p, e, 1), f, most - first, out + first) : 0;
  return second ? first + second : 0;
}

// min(a, b) >= c is a >= c and b >= c: at its corner both may have to hold. How many there are in
// the place of left and right, one where it is no such inequality.
int model_constraint_pieces(model_scope* s, const lang_statement* st, expr* a, expr* b)
{
  enum { most = MODEL_FEW_PARTS };
  if (st->relation == LANG_EQUAL || st->during.text) return 1;
  const bool least = st->relation == LANG_AT_LEAST;
  expr all[most];
  for (int side = 0; side < 2; side++) {
    expr *one = side ? b : a, *other = side ? a : b;
    const int count = spread(s->pool, one[0], least != side ? EXPR_MIN : EXPR_MAX, most, all);
    for (int k = count - 1; k >= 0 && count > 1; k--) {
      one[k] = all[k];
      other[k] = other[0];
    }
    if (count > 1) return count;
  }
  return 1;
}

// A reaction times df/dq, df/dq' or df/dq'' is a generalised force, energy over a coordinate: so it
// is in J over the unit of f, over as many seconds as f has derivatives.
static const char* reaction_unit(model_scope* s, const model_dim* f, const model_constraint* c)
{
  if (f->kind != MODEL_DIM_KNOWN || c->by) return NULL;
  const model_dim energy = model_dim_of(2, 1, -2 - c->order), unit = model_dim_div(energy, *f);
  const char* text = model_dim_text(s->arena, &unit);
  return strcmp(text, "J") == 0 ? "N*m" : text; // of an angle it is a moment
}

void model_constraint_resolve(model_scope* s, model_entry* e)
{
  const lang_statement* st = e->statement;
  expr a[MODEL_FEW_PARTS], b[MODEL_FEW_PARTS];
  model_dim d[3];
  int parts, kept = 0;
  bool fine = fits_together(s, st);
  s->speaks_of = 0;
  fine &= model_eval_sides(s, st->left, st->right, &parts, a, b, d);
  e->speaks_of = s->speaks_of;
  for (int i = 0; i < 2 && i < s->speaks_of; i++) e->spoken[i] = s->spoken[i];
  if (fine && parts == 3 && st->by.text) {
    base_error(s->notes, st->by.place, "one control holds one number, this constraint is a vector");
    base_help(s->notes, "write a constraint for each part, each with a control of its own");
    fine = false;
  }
  e->poisoned = !fine;
  if (!fine) return;
  const bool vector = parts == 3;
  if (!vector) parts = model_constraint_pieces(s, st, a, b);
  e->parts = parts;
  e->splits = !vector && parts > 1;
  for (int i = 0; i < parts; i++) {
    model_constraint c = {.name = e->name,
                          .f = expr_sub(s->pool, a[i], b[i]),
                          .by = st->by.text ? base_arena_strdup(s->arena, st->by.text) : NULL,
                          .place = e->place};
    e->part_index[i] = -1;
    if (vector) c.name = base_arena_printf(s->arena, "%s.%c", e->name, "xyz"[i]);
    if (e->splits) c.name = base_arena_printf(s->arena, "%s.%d", e->name, i + 1);
    if (vector && (i < 2 || kept) && always_holds(s, c.f)) continue;
    kept++;
    const bool sound = model_constraint_impact(s, st, &c) && classify(s, st, &c);
    c.unit = reaction_unit(s, &d[vector ? i : 0], &c);
    if (sound)
      e->part_index[i] = model_constraint_append(s, c);
    else
      e->poisoned = true;
  }
}

// the inequality NAME after `while`
static int condition(model_scope* s, const lang_statement* st, const model_constraint* c)
{
  const model_entry* e = model_names_find(&s->constraint_names, st->during.text);
  if (!e) {
    model_scope_unknown_constraint(s, st->during.text, st->during.place);
    return 0;
  }
  if (e->poisoned || e->part_index[0] < 0) return 0;
  const model_constraint* other = &s->m->constraint[e->part_index[0]];
  if (e->splits) {
    base_error(s->notes, st->during.place,
               "`%s` is %d inequalities, of which one may touch and another not", e->name,
               e->parts);
    base_help(s->notes, "write them one by one, and name the one that it holds with");
    return 0;
  }
  if (e->parts != 1 || !other->sense || other->order != 0) {
    base_error(s->notes, st->during.place,
               "a constraint holds with a contact: `%s` is no inequality of positions", e->name);
    return 0;
  }
  if (c->sense || c->by || c->order != 1) {
    base_error(s->notes, st->during.place,
               "what holds only with a contact is an equation of velocities");
    if (c->order == 0 && !c->sense)
      base_help(s->notes, "write its rate, for example x' = R*phi': in flight positions part");
    return 0;
  }
  return 1 + e->part_index[0];
}

void model_constraint_conditions(model_scope* s)
{
  for (int i = 0; i < s->constraints.n; i++) {
    const model_entry* e = s->constraints.at[i];
    if (!e->statement || !e->statement->during.text || e->poisoned) continue;
    for (int k = 0; k < e->parts; k++) {
      if (e->part_index[k] < 0) continue;
      model_constraint* c = &s->m->constraint[e->part_index[k]];
      c->during = condition(s, e->statement, c);
      if (!c->during) break;
    }
  }
}
