// Contacts between shapes. Where the pairs are few and their gaps smooth, each point of contact is
// an inequality like those that are written, with the same laws; else the near ones are looked for
// as the motion goes.

#include "model/meeting.h"

#include <string.h>

// Rows of the points of all pairs of a statement that are made to constraints: a gap, and two slips
// where there is friction. What is worked out for them grows with more than their square, to
// seconds; a thousand gaps without friction take less.
enum { most_rows = 450, most_gaps = 1000, rows_of_rough = 3 };

// ---- who may touch whom -------------------------------------------------------------------------

static bool is_thing(const model_entry* e)
{
  return e->sort == MODEL_IS_BODY || e->sort == MODEL_IS_FRAME || e->sort == MODEL_IS_POINT;
}

// how many bodies a word stands for, into `out` if not null
static int list_bodies(const model_scope* s, const lang_solid* x, int shape, int entries,
                       model_meeting_body* out)
{
  int count = 0;
  for (int i = 0; x->all && i < entries; i++) {
    model_entry* e = s->entries.at[i];
    if (!is_thing(e) || !lang_name_matches(x->name.text, e->name)) continue;
    if (out) out[count] = (model_meeting_body){e, shape};
    count++;
  }
  if (x->all) return count;
  model_entry* e =
      strcmp(x->name.text, "world") == 0 ? s->world : model_names_find(&s->names, x->name.text);
  if (!e || !is_thing(e)) return 0;
  if (out) *out = (model_meeting_body){e, shape};
  return 1;
}

static bool find_bodies(model_scope* s, const lang_statement* st, model_meeting_entry* t)
{
  const int entries = s->entries.n, before = base_notes_errors(s->notes);
  const int sorts = 1 << MODEL_IS_FRAME | 1 << MODEL_IS_BODY | 1 << MODEL_IS_POINT;
  for (int i = 0; i < st->solids; i++) {
    const lang_solid* x = &st->solid[i];
    const int count = list_bodies(s, x, i, entries, NULL);
    t->bodies += count;
    if (count) continue;
    const model_entry* e = x->all ? NULL : model_names_find(&s->names, x->name.text);
    if (e)
      base_error(s->notes, x->name.place, "a body or frame has a shape, `%s` is %s", x->name.text,
                 model_sort_text(e));
    else if (x->all)
      base_error(s->notes, x->name.place, "there is no body `%s`", x->name.text);
    else
      model_scope_unknown(s, "body", x->name.text, x->name.place, sorts);
  }
  t->body = base_arena_take(s->arena, sizeof *t->body * (size_t)(t->bodies + 1));
  t->bodies = 0;
  for (int i = 0; i < st->solids; i++)
    t->bodies += list_bodies(s, &st->solid[i], i, entries, t->body + t->bodies);
  return base_notes_errors(s->notes) == before;
}

// is a method asked for that goes from event to event?
static bool wants_events(const model_scope* s)
{
  for (int i = 0; i < s->tree->count; i++) {
    const lang_statement* st = s->tree->at[i];
    if (st->kind == LANG_METHOD && st->name.text)
      return strcmp(st->name.text, "moreau") != 0 && strcmp(st->name.text, "flights") != 0;
  }
  return false;
}

// flat ones, at least one of them with corners that a formula does not tell
static bool face_each_other(const lang_solid* a, const lang_solid* b)
{
  if (model_solid_is_round(a) ? model_solid_has_core(b)
                              : model_solid_is_round(b) && model_solid_has_core(a))
    return false;
  return model_solid_sides(a) * model_solid_sides(b) > 1;
}

// Points where a pair may touch if it is smooth, corners above sides where these are decided event
// by event; -1: they are looked for in steps of time
static int points_of_pair(const lang_solid* a, const lang_solid* b, bool events)
{
  const bool plane_a = model_solid_is_plane(a), plane_b = model_solid_is_plane(b);
  const model_meeting_places places = model_meeting_footings(a, b);
  if (plane_a && plane_b) return 0;
  if (places.across + places.around) return events ? places.across + places.around : -1;
  if (plane_a || plane_b) {
    const int points = model_solid_points(plane_a ? b : a, events);
    return points ? points : -1;
  }
  const bool round_a = model_solid_is_round(a), round_b = model_solid_is_round(b);
  if (round_a && round_b) return 1;
  if ((round_a && model_solid_has_core(b)) || (round_b && model_solid_has_core(a))) return 1;
  return events && face_each_other(a, b) ? 2 * model_solid_sides(a) * model_solid_sides(b) : -1;
}

static double pairs_of(const double* bodies, int i, int j)
{
  return i == j ? bodies[i] * (bodies[i] - 1) / 2 : bodies[i] * bodies[j];
}

// what a statement comes to
typedef struct counted
{
  double points, facings, footings;
} counted;

// the pairs of two shapes of the statement; `why` is told where none of it goes event by event
static void count_pairs(model_scope* s, const lang_solid* a, const lang_solid* b, double pairs,
                        counted* c, const char** why)
{
  const bool events = wants_events(s);
  const model_meeting_places places = model_meeting_footings(a, b);
  const int each = pairs > 0 ? points_of_pair(a, b, events) : 0;
  if (face_each_other(a, b)) c->facings += 2 * pairs;
  if (places.across + places.around) c->footings += pairs;
  c->points += pairs * each;
  if (each >= 0) return;
  *why = !events && points_of_pair(a, b, true) >= 0
             ? "the model itself names no method that goes from event to event"
             : base_arena_printf(s->arena, "where a %s touches a %s has no formula", a->shape.text,
                                 b->shape.text);
}

// why a statement is looked for as the motion goes; null: each point is a constraint
static const char* count_all(model_scope* s, const model_entry* e, counted* c)
{
  const lang_statement* st = e->statement;
  const model_meeting_entry* t = e->meeting;
  const char* why = NULL;
  // as many pairs of each two shapes as there are bodies that have them, and do not both stand
  // still
  double* have = base_arena_take(s->arena, 2 * sizeof *have * (size_t)(st->solids + 1));
  double* still = have + st->solids + 1;
  for (int i = 0; i < t->bodies; i++) {
    have[t->body[i].shape]++;
    still[t->body[i].shape] += model_meeting_still(s, t->body[i].thing);
  }
  for (int i = 0; i < st->solids; i++)
    for (int j = i; j < st->solids; j++)
      count_pairs(s, &st->solid[i], &st->solid[j], pairs_of(have, i, j) - pairs_of(still, i, j), c,
                  &why);
  if (why) return why;
  const int most = st->friction ? most_rows / rows_of_rough : most_gaps;
  if (c->points > most)
    return base_arena_printf(s->arena, "they have up to %.0f points, events take %d%s", c->points,
                             most, st->friction ? " with friction" : "");
  // their cones have more rows than a constraint has
  return st->rub[LANG_RUB_ROLLING][0] || st->rub[LANG_RUB_PIVOTING][0]
             ? "they resist rolling or pivoting"
             : NULL;
}

void model_meeting_declare(model_scope* s, model_entry* e)
{
  model_meeting_entry* t = base_arena_take(s->arena, sizeof *t);
  counted c = {0};
  e->poisoned = !find_bodies(s, e->statement, t);
  e->meeting = t;
  t->why = count_all(s, e, &c);
  if (!t->why) {
    s->made_constraints += 3 * (int)c.points;
    s->m->facings += (int)c.facings;
    s->m->footings += (int)c.footings;
  }
  s->m->solids += t->bodies;
  s->m->meetings++;
}

// ---- what they are ------------------------------------------------------------------------------

// the shape stands at the place of the body, along its axes
static bool place(model_scope* s, const model_entry* e, const lang_solid* x, model_solid* out)
{
  expr_pool* p = s->pool;
  if (e->poisoned) return false;
  if (e->turns && !model_solid_is_round(x)) {
    base_error(s->notes, x->name.place,
               "`%s` turns in its frame by a law of its own, so its axes are not known", e->name);
    return false;
  }
  out->name = e->name;
  model_place_between(&s->kin, NULL, e->origin, NULL, out->p);
  model_axes_rotation(&s->kin, e->axes, out->R);
  model_place_velocity(&s->kin, e->origin, NULL, out->v);
  model_axes_omega(&s->kin, e->axes, NULL, out->w);
  out->fixed = true;
  for (int k = 0; k < 3; k++) {
    const expr moving[] = {out->v[k], out->w[k]};
    for (int i = 0; i < 2; i++)
      out->fixed = out->fixed && model_scope_held(s, moving[i]) == expr_int(p, 0);
  }
  return true;
}

static const char* name_of(model_scope* s, const model_entry* e, const model_entry* a,
                           const model_entry* b)
{
  if (e->statement->kind == LANG_CONTACT) return e->name;
  return base_arena_printf(s->arena, "%s.%s.%s", e->name, a->name, b->name);
}

static bool make_points(model_scope* s, const model_entry* e, const model_solid* solid,
                        const model_constraint* law, model_meeting_points* out,
                        model_meeting_points* pair_of)
{
  const model_meeting_entry* t = e->meeting;
  int pairs = 0;
  for (int i = 0; i < t->bodies; i++)
    for (int j = i + 1; j < t->bodies; j++) {
      if (solid[i].fixed && solid[j].fixed) continue;
      const model_entry *a = t->body[i].thing, *b = t->body[j].thing;
      const model_meeting_pair pair = {
          .a = a, .b = b, .A = &solid[i], .B = &solid[j], .name = name_of(s, e, a, b), .law = *law};
      const lang_solid* written = e->statement->solid;
      const model_meeting_places places =
          model_meeting_footings(&written[t->body[i].shape], &written[t->body[j].shape]);
      if (!(places.across + places.around ? model_meeting_foot(s, &pair, places, out)
                                          : model_meeting_touch(s, &pair, out)))
        return false;
      while (pair_of->n < out->n) base_push(pair_of, pairs);
      pairs++;
    }
  return true;
}

// a body that stands twice in the list would touch itself
static bool is_once(model_scope* s, const model_entry* e)
{
  const model_meeting_entry* t = e->meeting;
  bool once = true;
  for (int i = 0; i < t->bodies; i++) t->body[i].thing->met = false;
  for (int i = 0; i < t->bodies && once; i++) {
    once = !t->body[i].thing->met || t->body[i].thing == s->world;
    t->body[i].thing->met = true;
    if (!once)
      base_error(s->notes, e->statement->solid[t->body[i].shape].name.place,
                 "`%s` cannot touch itself", t->body[i].thing->name);
  }
  return once;
}

bool model_meeting_friction(model_scope* s, const model_entry* e)
{
  const lang_node* n = e->statement->friction;
  model_meeting* x = &s->m->meeting[e->index];
  expr mu[2];
  const int coefficients =
      model_friction_read(s, n, "a coefficient of friction", model_dim_of(0, 0, 0), mu);
  x->friction = coefficients == 1 ? mu[0] : EXPR_NONE;
  if (coefficients == 2) {
    base_error(s->notes, n->place, "shapes have no axes that two coefficients could belong to");
    base_help(s->notes,
              "write one; two are taken by `slide B as S on F as P at c with friction "
              "(mu1, mu2)` and by `constraint c: pos(P).z >= 0 with friction (mu1, mu2)`");
  }
  for (int i = 0; coefficients == 1 && i < x->points; i++) {
    model_constraint* c = &s->m->constraint[x->point[i]];
    if (c->slips) c->friction = model_friction_with_own_slip(s, e, x->friction, c);
  }
  return coefficients == 1;
}

// friction against turning: the length that times the normal force is the largest moment
static bool read_turning(model_scope* s, const model_entry* e, lang_rub against, expr* out)
{
  const lang_node* n = e->statement->rub[against][0];
  const bool rolls = against == LANG_RUB_ROLLING;
  expr k[2];
  *out = EXPR_NONE;
  if (!n) return true;
  const char* name =
      rolls ? "a coefficient of rolling friction" : "a coefficient of pivoting friction";
  const int coefficients = model_friction_read(s, n, name, model_dim_of(1, 0, 0), k);
  if (coefficients == 2)
    base_error(s->notes, n->place, "two coefficients are for dry friction against slip");
  if (coefficients == 1) *out = k[0];
  return coefficients == 1;
}

void model_meeting_resolve(model_scope* s, model_entry* e)
{
  const lang_statement* st = e->statement;
  const model_meeting_entry* t = e->meeting;
  model* m = s->m;
  model_solid* solid = m->solid + m->solids;
  model_solid* shape = base_arena_take(s->arena, sizeof *shape * (size_t)(st->solids + 1));
  model_constraint law = {.friction = EXPR_NONE};
  expr rolling, pivoting;
  bool fine = !e->poisoned && is_once(s, e) && model_constraint_impact(s, st, &law);
  fine &= read_turning(s, e, LANG_RUB_ROLLING, &rolling);
  fine &= read_turning(s, e, LANG_RUB_PIVOTING, &pivoting);
  law.sense = 1;
  for (int i = 0; i < st->solids; i++) fine &= model_solid_read(s, &st->solid[i], &shape[i]);
  model_meeting* x = &m->meeting[m->meetings];
  *x = (model_meeting){.name = e->name,
                       .solids = t->bodies,
                       .solid = base_arena_take(s->arena, sizeof(int) * (size_t)(t->bodies + 1)),
                       .looked_for = t->why,
                       .why = t->why,
                       .friction = EXPR_NONE,
                       .rolling = rolling,
                       .pivoting = pivoting,
                       .restitution = law.restitution,
                       .impact = law.impact,
                       .place = e->place};
  for (int i = 0; fine && i < t->bodies; i++) {
    solid[i] = shape[t->body[i].shape];
    fine = place(s, t->body[i].thing, &st->solid[t->body[i].shape], &solid[i]);
    x->solid[i] = m->solids + i;
  }
  model_meeting_points points = {0}, pair = {0};
  fine = fine && (t->why || make_points(s, e, solid, &law, &points, &pair));
  e->poisoned = !fine;
  if (fine) {
    e->parts = x->points = points.n;
    e->part_index = x->point = base_arena_take(s->arena, sizeof(int) * (size_t)(points.n + 1));
    x->pair = base_arena_take(s->arena, sizeof(int) * (size_t)(points.n + 1));
    if (points.n) memcpy(x->point, points.at, sizeof(int) * (size_t)points.n);
    if (points.n) memcpy(x->pair, pair.at, sizeof(int) * (size_t)points.n);
    m->solids += t->bodies;
    e->index = m->meetings++;
  }
  base_list_free(&points);
  base_list_free(&pair);
}
