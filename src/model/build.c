// The whole way from a syntax tree to a model.

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "model/parts.h"

// distinct expressions a model may have
enum { POOL_LIMIT = 4000000 };

static model* model_new(const lang_tree* tree, base_arena* arena, expr_pool* pool,
                        base_notes* notes)
{
  model* m = base_arena_take(arena, sizeof *m);
  model_scope* s = base_arena_take(arena, sizeof *s);
  m->arena = arena;
  m->pool = pool;
  m->title = m->method = "";
  m->run_from = m->run_to = EXPR_NONE;
  m->method_place = BASE_NOWHERE;
  m->mechanism = tree->mechanism;
  m->scope = s;
  s->m = m;
  s->arena = arena;
  s->pool = m->pool;
  s->notes = notes;
  s->tree = tree;
  s->kin = (model_kin){.arena = arena, .pool = m->pool};
  s->errors_before = base_notes_errors(notes);
  return m;
}

// time, the world, the two energies
static void add_given(model_scope* s)
{
  model* m = s->m;
  m->t = expr_symbol(s->pool, "t");
  expr_rate_set(s->pool, m->t, expr_int(s->pool, 1));
  expr_rank_set(s->pool, m->t, MODEL_RANK_TIME);
  model_scope_mark(s, m->t, MODEL_USES_TIME);
  s->world = base_arena_take(s->arena, sizeof *s->world);
  s->world->sort = MODEL_IS_FRAME;
  s->world->name = "world";
  s->world->state = MODEL_DONE;
  s->world->place = BASE_NOWHERE;
  s->kinetic = model_scope_new_entry(s, MODEL_IS_KINETIC, "kinetic()", BASE_NOWHERE);
  s->potential = model_scope_new_entry(s, MODEL_IS_POTENTIAL, "potential()", BASE_NOWHERE);
}

// of a constraint: its parts, those of a vector or of an inequality that is several, and friction
// in space two more for each
static int most_rows(const lang_statement* st)
{
  const int parts = st->relation == LANG_EQUAL ? 3 : MODEL_FEW_PARTS;
  return st->friction ? 3 * parts : parts;
}

// quasi-velocities are numbered as written
static void make_room(model_scope* s)
{
  model* m = s->m;
  size_t n = (size_t)s->made_constraints + 1;
  for (int i = 0; i < s->constraints.n; i++)
    n += (size_t)most_rows(s->constraints.at[i]->statement);
  m->constraint = base_arena_take(s->arena, n * sizeof *m->constraint);
  m->reaction = base_arena_take(s->arena, n * sizeof *m->reaction);
  m->holds = base_arena_take(s->arena, n * sizeof *m->holds);
  for (int i = 0; i < s->entries.n; i++)
    if (s->entries.at[i]->sort == MODEL_IS_QUASI) s->entries.at[i]->index = m->quasis++;
  m->quasi = base_arena_take(s->arena, (size_t)(m->quasis + 1) * sizeof *m->quasi);
  m->contact = base_arena_take(s->arena, (size_t)(m->contacts + 1) * sizeof *m->contact);
  m->solid = base_arena_take(s->arena, (size_t)(m->solids + 1) * sizeof *m->solid);
  m->meeting = base_arena_take(s->arena, (size_t)(m->meetings + 1) * sizeof *m->meeting);
  // each at most once for each contact
  const size_t told = (size_t)(MODEL_RESULTS * (s->constraints.n + s->made_constraints +
                                                m->meetings + m->contacts) +
                               1);
  m->tell = base_arena_take(s->arena, told * sizeof *m->tell);
  m->facing = base_arena_take(s->arena, (size_t)(m->facings + 1) * sizeof *m->facing);
  m->footing = base_arena_take(s->arena, (size_t)(m->footings + 1) * sizeof *m->footing);
  m->solids = m->meetings = m->facings = m->footings = 0;
}

static void check_whole(model_scope* s)
{
  model* m = s->m;
  if (expr_pool_full(s->pool)) {
    base_error(s->notes, BASE_NOWHERE,
               "the model is too large: its equations need more than %d "
               "expressions",
               POOL_LIMIT);
    return;
  }
  // a file that could not be read in full may lack what is asked for here
  if (base_notes_errors(s->notes) > 0) return;
  if (m->coords == 0) {
    base_error(s->notes, BASE_NOWHERE, "the model has no coordinates");
    base_help(s->notes, "declare one: coord x [m]");
  } else if (m->T == expr_int(s->pool, 0)) {
    base_error(s->notes, BASE_NOWHERE, "nothing has mass: the kinetic energy is zero");
    base_help(s->notes, "declare a particle or body, or write `kinetic m/2*x'^2`");
  }
}

static bool is_one(const model* m, base_arena* arena, expr x)
{
  expr* symbol = base_arena_take(arena, sizeof(expr) * (size_t)(m->params + 1));
  double* number = base_arena_take(arena, sizeof(double) * (size_t)(m->params + 1));
  for (int i = 0; i < m->params; i++) {
    symbol[i] = m->param[i].symbol;
    number[i] = m->param[i].number;
  }
  return x != EXPR_NONE && expr_value(m->pool, x, m->params, symbol, number) == 1;
}

// round, without friction, and as fast behind an impact as before: what never comes to rest
static bool flies(const model* m, base_arena* arena, const model_meeting* x)
{
  const bool rubs = x->friction != EXPR_NONE || x->rolling != EXPR_NONE || x->pivoting != EXPR_NONE;
  bool round = !rubs && is_one(m, arena, x->restitution);
  for (int i = 0; i < x->solids && round; i++) {
    const model_solid* s = &m->solid[x->solid[i]];
    round = s->kind == MODEL_SOLID_PLANE || s->points == 1;
  }
  return round;
}

// near pairs are looked for in steps of time, or between flights, unless another method is asked
// for
static void choose_method(model* m, base_arena* scratch)
{
  bool any = false, all_fly = true;
  for (int i = 0; i < m->meetings && !*m->method; i++) {
    if (!m->meeting[i].looked_for) continue;
    any = true;
    all_fly = all_fly && flies(m, scratch, &m->meeting[i]);
  }
  if (any) m->method = all_fly ? "flights" : "moreau";
}

// up to all that acts
static void build_mechanics(model_scope* s, base_arena* scratch)
{
  model* m = s->m;
  add_given(s);
  model_collect(s, scratch);
  make_room(s);
  model_orientation_build(s);
  model_resolve_all(s);
  model_roll_momenta(s);
  m->T_states = model_state_inertia(s);
  m->T = expr_add(s->pool, s->kinetic->value.e[0], m->T_states);
  m->V = s->potential->value.e[0];
  m->energy_terms = s->energy_terms.n;
  m->energy_term = s->energy_terms.at;
  m->T_added = expr_add(s->pool, s->kinetic_added, m->T_states);
  model_constraint_conditions(s);
  model_force_build(s);
  s->acts = true;
}

static void build(model_scope* s)
{
  base_arena* scratch = base_arena_new();
  build_mechanics(s, scratch);
  model_resolve_outputs(s);
  model_stage_build(s);
  model_initial_build(s);
  model_wish_build(s);
  model_show_build(s);
  model_table_watch(s);
  model_delay_build(s);
  model_meeting_build(s);
  model_joint_list(s);
  if (s->m->mechanism) model_mechanism_build(s);
  choose_method(s->m, scratch);
  check_whole(s);
  base_arena_free(scratch);
}

static void free_lists(model_scope* s)
{
  base_list_free(&s->entries);
  base_list_free(&s->constraints);
  base_list_free(&s->symbols);
  base_list_free(&s->energy_terms);
  base_list_free(&s->bad_units);
  base_list_free(&s->delays);
  for (int i = 0; i < 3; i++) expr_index_free(s->rate_index[i]);
  model_names_free(&s->names);
  model_names_free(&s->constraint_names);
  model_names_free(&s->joined);
  model_names_free(&s->placed);
  model_names_free(&s->output_names);
  free(s->buffer);
}

static void drop(model* m)
{
  free_lists(m->scope);
}

static model* build_again(const model_scope* s, const char* joint, base_notes* notes)
{
  model* m = model_new(s->tree, s->arena, s->pool, notes);
  base_arena* scratch = base_arena_new();
  m->scope->overrides = s->overrides;
  m->scope->override = s->override;
  m->scope->released = joint;
  build_mechanics(m->scope, scratch);
  base_arena_free(scratch);
  return m;
}

// the tree may be freed after the build
static void forget_tree(model_scope* s)
{
  s->tree = NULL;
  s->notes = NULL;
  s->override = NULL;
  for (int i = 0; i < s->entries.n; i++) {
    const lang_statement* st = s->entries.at[i]->statement;
    s->entries.at[i]->shape = st ? (int)st->kind : -1;
    s->entries.at[i]->damped = st && st->damping;
    s->entries.at[i]->statement = NULL;
    s->entries.at[i]->node = NULL;
  }
}

// params may count repetitions: the text is read again where they are given other values
static const lang_tree* counted_by(const lang_tree* tree, int overrides,
                                   const model_override* override, base_arena* arena,
                                   base_notes* notes)
{
  lang_setting* list = base_arena_take(arena, sizeof *list * (size_t)(overrides + 1));
  for (int i = 0; i < overrides; i++) list[i] = (lang_setting){override[i].name, override[i].value};
  return lang_parse_again(tree, overrides, list, arena, notes);
}

static void mark_counting(model* m, const lang_tree* tree)
{
  for (int i = 0; i < tree->counting; i++) {
    const int k = model_param_find(m, tree->counts[i]);
    if (k >= 0) m->param[k].counts = true;
  }
}

model* model_build(const lang_tree* tree, int overrides, const model_override* override,
                   base_notes* notes)
{
  assert(tree && notes);
  base_arena* reading = base_arena_new();
  tree = counted_by(tree, overrides, override, reading, notes);
  model* m = tree ? model_new(tree, base_arena_new(), expr_pool_new(POOL_LIMIT), notes) : NULL;
  if (m) {
    m->scope->overrides = overrides;
    m->scope->override = override;
    m->scope->again = build_again;
    m->scope->drop = drop;
    build(m->scope);
    mark_counting(m, tree);
    forget_tree(m->scope);
  }
  base_arena_free(reading);
  if (base_notes_errors(notes) == 0) return m;
  model_free(m);
  return NULL;
}

void model_free(model* m)
{
  if (!m) return;
  free_lists(m->scope);
  expr_pool_free(m->pool);
  base_arena_free(m->arena);
}

int model_param_find(const model* m, const char* name)
{
  for (int i = 0; i < m->params; i++)
    if (strcmp(m->param[i].name, name) == 0) return i;
  return -1;
}

int model_coord_find(const model* m, const char* name)
{
  for (int i = 0; i < m->coords; i++)
    if (strcmp(m->coord[i].name, name) == 0) return i;
  return -1;
}

int model_constraint_find(const model* m, const char* name)
{
  for (int i = 0; i < m->constraints; i++)
    if (strcmp(m->constraint[i].name, name) == 0) return i;
  return -1;
}

bool model_constraint_is_shown(const model* m, int k)
{
  return !m->constraint[k].internal && !m->constraint[k].contact;
}

int model_constraints_shown(const model* m)
{
  int shown = 0;
  for (int k = 0; k < m->constraints; k++) shown += model_constraint_is_shown(m, k);
  return shown;
}

// other friction is a jump of the forces alone
int model_constraint_sticks(const model_constraint* c)
{
  return c->friction != EXPR_NONE && (c->sense || c->guides) ? c->slips : 0;
}

bool model_constraint_binds(const model* m, int k)
{
  return !m->constraint[k].sense || m->constraint[k].contact;
}

bool model_constraint_starts(const model* m, int k)
{
  bool on = !m->constraint[k].starts_off;
  if (m->stages == 0) return on;
  // the first stage begins with the motion
  const model_change* c = &m->stage[0].change;
  for (int i = 0; i < c->imposes; i++) on = on || c->impose[i] == k;
  for (int i = 0; i < c->releases; i++) on = on && c->release[i] != k;
  return on;
}
