// A mechanism: a model of which the kinematics alone are asked for.
//
// Where constraints and drives determine all velocities, masses and forces do not matter, and may
// be missing. Each coordinate is given an inertia of one, nothing acts, and the equations of motion
// A a = c have one solution. Reactions and energies would be those of these inertias: what is made
// of them is left out. Accelerations are outputs, and a coordinate that turns back tells so: it is
// at a dead position of whatever would be driven by it.

#include "model/parts.h"

static bool is_hidden(model_scope* s, expr e)
{
  return e != EXPR_NONE && (model_scope_uses(s, e) & MODEL_USES_REACTION) != 0;
}

static void tell(model_scope* s, base_place place, const char* what, const char* name)
{
  base_info(s->notes, place, "the %s `%s` needs masses or forces, and is left out", what, name);
}

// ---- what depends on forces ---------------------------------------------------------------------

static void drop_outputs(model_scope* s)
{
  model* m = s->m;
  int kept = 0;
  for (int i = 0; i < m->outputs; i++) {
    const model_output* x = &m->output[i];
    const bool hidden = is_hidden(s, x->value);
    if (hidden && !x->integral) tell(s, x->place, "output", x->name);
    // integrals belong to motions under forces
    if (!hidden && !x->integral) m->output[kept++] = *x;
  }
  m->outputs = kept;
}

static void drop_plots(model_scope* s)
{
  model* m = s->m;
  int kept = 0;
  for (int i = 0; i < m->plots; i++) {
    bool hidden = is_hidden(s, m->plot[i].x);
    for (int k = 0; k < m->plot[i].curves; k++) hidden = hidden || is_hidden(s, m->plot[i].y[k]);
    if (!hidden) m->plot[kept++] = m->plot[i];
  }
  m->plots = kept;
}

// numbers of events stand in plots: they stay, and do not happen
static void drop_events(model_scope* s)
{
  model* m = s->m;
  for (int i = 0; i < m->events; i++) {
    if (!is_hidden(s, m->event[i].g)) continue;
    tell(s, m->event[i].place, "event", m->event[i].name);
    m->event[i].g = expr_int(s->pool, 1);
  }
  for (int i = 0; i < m->stages; i++) {
    if (!is_hidden(s, m->stage[i].until)) continue;
    base_error(s->notes, m->stage[i].place,
               "the end of stage `%s` depends on forces, which a mechanism alone does not have",
               m->stage[i].name);
  }
}

// ---- what is put in their place -----------------------------------------------------------------

static void put_inertia(model_scope* s)
{
  model* m = s->m;
  expr_pool* p = s->pool;
  const expr half = expr_ratio(p, 1, 2), two = expr_int(p, 2);
  m->T = m->T_states;
  for (int i = 0; i < m->places; i++) {
    m->T = expr_add(p, m->T, expr_mul(p, half, expr_pow(p, m->coord[i].v, two)));
    m->Q[i] = expr_int(p, 0);
  }
  m->V = expr_int(p, 0);
  m->T_added = m->T;
  m->inertias = m->energy_terms = 0;
  m->massless = false;
  m->weighed_out = true;
  // nothing hangs on anything
  m->hung = true;
  m->tree = NULL;
}

// a control is no force here, it holds its constraint as any other does
static void hold(model_scope* s)
{
  model* m = s->m;
  for (int k = 0; k < m->constraints; k++) {
    m->constraint[k].along = NULL;
    m->constraint[k].by = NULL;
    m->constraint[k].friction = EXPR_NONE;
  }
  m->settle = MODEL_AS_WRITTEN;
  // the drive says where it is; what the model starts from tells one assembly from another
  for (int i = 0; i < m->initials && s->tree->driven; i++) m->initial[i].guess = true;
}

static const char* rate_of_rate(model_scope* s, const char* unit)
{
  return *unit ? base_arena_printf(s->arena, "%s/s^2", unit) : "";
}

static void add_accelerations(model_scope* s)
{
  model* m = s->m;
  model_output* all = base_arena_take(s->arena, sizeof *all * (size_t)(m->outputs + m->places + 1));
  int count = 0;
  for (int i = 0; i < m->places; i++)
    all[count++] = (model_output){.name = base_arena_printf(s->arena, "%s''", m->coord[i].name),
                                  .unit = rate_of_rate(s, m->coord[i].unit),
                                  .value = m->coord[i].a,
                                  .place = m->coord[i].place};
  for (int i = 0; i < m->outputs; i++) all[count++] = m->output[i];
  m->output = all;
  m->outputs = count;
}

// parts of a unit vector or quaternion come and go without anything standing still
static void add_dead_positions(model_scope* s)
{
  model* m = s->m;
  model_event* all =
      base_arena_take(s->arena, sizeof *all * (size_t)(m->events + m->places + m->constraints + 1));
  for (int i = 0; i < m->events; i++) all[i] = m->event[i];
  m->event = all;
  for (int i = 0; i < m->places; i++) {
    const model_coord* c = &m->coord[i];
    if (c->vector) continue;
    all[m->events++] =
        (model_event){.name = base_arena_printf(s->arena, "dead position of %s", c->name),
                      .g = c->v,
                      .action = MODEL_REPORT,
                      .every = EXPR_NONE,
                      .from = EXPR_NONE,
                      .place = c->place};
  }
}

// A stop, a rope, a floor bind nothing that is driven: it is told where they are reached
static void let_go(model_scope* s)
{
  model* m = s->m;
  for (int k = 0; k < m->constraints; k++) {
    model_constraint* c = &m->constraint[k];
    if (c->contact || !(c->sense || c->sticks || c->during)) continue;
    c->starts_off = true;
    if (c->sense && c->order == 0)
      m->event[m->events++] =
          (model_event){.name = base_arena_printf(s->arena, "%s is reached", c->name),
                        .g = c->f,
                        .action = MODEL_REPORT,
                        .every = EXPR_NONE,
                        .from = EXPR_NONE,
                        .place = c->place};
    c->limit = c->order == 0 ? c->sense : 0;
    c->sense = c->during = 0;
    c->sticks = c->guides = false;
  }
}

void model_mechanism_build(model_scope* s)
{
  drop_outputs(s);
  drop_plots(s);
  drop_events(s);
  put_inertia(s);
  hold(s);
  add_accelerations(s);
  add_dead_positions(s);
  let_go(s);
}
