// What happens to the exported motion: events, ends of stages, outputs, and what they set.
//
// An event of the model is one of the C; so is the end of a stage, at which the next one sets what
// it sets. What is not an assignment (changes over a while, velocities carried across a change of
// what drives the motion, impositions beside inequalities) is left to who runs it, and told by a
// code.
#include "out/exported.h"
#include "out/text.h"

typedef struct happening
{
  const char* name;
  expr g, every, from; // EXPR_NONE: there is none
  int way;
  const model_change* change; // null: nothing
  bool stops;
} happening;

static int happenings(const out_exported* x, happening* list)
{
  const model* m = x->s->model;
  int count = 0;
  for (int i = 0; i < m->events; i++) {
    const model_event* e = &m->event[i];
    if (e->action == MODEL_LEAVE) continue;
    list[count++] = (happening){.name = e->name,
                                .g = e->every == EXPR_NONE ? e->g : EXPR_NONE,
                                .every = e->every,
                                .from = e->from,
                                .way = e->direction,
                                .change = e->action == MODEL_CHANGE ? &e->change : NULL,
                                .stops = e->action == MODEL_STOP};
  }
  for (int i = 0; i < m->stages; i++)
    list[count++] = (happening){.name = m->stage[i].name,
                                .g = m->stage[i].until,
                                .way = 1,
                                .change = i + 1 < m->stages ? &m->stage[i + 1].change : NULL,
                                .stops = i + 1 == m->stages};
  return count;
}

static happening* all_happenings(const out_exported* x, int* count)
{
  const model* m = x->s->model;
  happening* list = base_arena_take(x->arena, sizeof *list * (size_t)(m->events + m->stages + 1));
  *count = happenings(x, list);
  return list;
}

// does the motion feel how fast this param changes? then a jump of it moves velocities
static bool drives(const out_exported* x, int param)
{
  const mech_system* s = x->s;
  const model_param* a = &s->model->param[param];
  const expr rates[2] = {a->rate, a->rate2};
  bool found = false;
  for (int i = 0; i < s->n && !found; i++) found = expr_has_any(s->pool, s->F[i], 2, rates);
  for (int k = 0; k < s->m && !found; k++) found = expr_has_any(s->pool, s->c[k], 2, rates);
  return found;
}

static bool is_left_out(const out_exported* x, const model_change* c)
{
  for (int i = 0; i < c->sets; i++) {
    if (c->set[i].over != EXPR_NONE) return true;
    if (c->set[i].target == MODEL_SET_PARAM && c->carry != MODEL_CARRY_VELOCITY &&
        x->s->model->param[c->set[i].index].changes && drives(x, c->set[i].index))
      return true;
  }
  return false;
}

static expr value_or_zero(const out_exported* x, expr e)
{
  return e == EXPR_NONE ? expr_int(x->s->pool, 0) : e;
}

expr* out_exported_results(const out_exported* x, int* count)
{
  const model* m = x->s->model;
  int events, sets = 0, at = 0;
  const happening* list = all_happenings(x, &events);
  for (int i = 0; i < events; i++) sets += list[i].change ? list[i].change->sets : 0;
  expr* all = base_arena_take(x->arena, sizeof *all * (size_t)(3 * events + sets + m->outputs + 1));
  for (int i = 0; i < events; i++) {
    all[at++] = value_or_zero(x, list[i].g);
    all[at++] = value_or_zero(x, list[i].every);
    all[at++] = value_or_zero(x, list[i].from);
  }
  for (int i = 0; i < events; i++)
    for (int k = 0; list[i].change && k < list[i].change->sets; k++)
      all[at++] = list[i].change->set[k].value;
  for (int i = 0; i < m->outputs; i++) all[at++] = m->output[i].value;
  *count = at;
  return all;
}

static void add_names(base_text* out, const char* what, int count, const char* const* name)
{
  base_text_printf(out, "const char* const zwang_%s_name[%d] = {", what, count + 1);
  for (int i = 0; i < count; i++) {
    base_text_add(out, "\"");
    for (const char* c = name[i]; *c; c++)
      if (*c == '"' || *c == '\\' || *c == '?' || (unsigned char)*c < ' ')
        base_text_printf(out, "\\%03o", (unsigned char)*c);
      else
        base_text_addn(out, c, 1);
    base_text_add(out, "\", ");
  }
  base_text_add(out, "0};\n");
}

static void add_changes(int events, const happening* list, base_text* out)
{
  int sets = 0, switches = 0;
  base_text_add(out,
                "/* of each: the event, what it sets (0 a param, 1 a coordinate, 2 a velocity), "
                "its number */\nstatic const int set[][3] = {");
  for (int i = 0; i < events; i++)
    for (int k = 0; list[i].change && k < list[i].change->sets; k++, sets++) {
      const model_set* s = &list[i].change->set[k];
      base_text_printf(out, "{%d, %d, %d}, ", i, (int)s->target, s->index);
    }
  base_text_add(out, "{-1, 0, 0}};\n/* of each: the event, the constraint, whether it holds from "
                     "there on */\nstatic const int switched[][3] = {");
  for (int i = 0; i < events; i++) {
    const model_change* c = list[i].change;
    for (int k = 0; c && k < c->releases; k++, switches++)
      base_text_printf(out, "{%d, %d, 0}, ", i, c->release[k]);
    for (int k = 0; c && k < c->imposes; k++, switches++)
      base_text_printf(out, "{%d, %d, 1}, ", i, c->impose[k]);
  }
  base_text_printf(out, "{-1, 0, 0}};\nenum { SETS = %d, SWITCHES = %d };\n", sets, switches);
}

void out_exported_events(const out_exported* x, base_text* out)
{
  const model* m = x->s->model;
  int events;
  const happening* list = all_happenings(x, &events);
  const char** name = base_arena_take(x->arena, sizeof *name * (size_t)(events + m->outputs + 1));
  for (int i = 0; i < events; i++) name[i] = list[i].name;
  for (int i = 0; i < m->outputs; i++) name[events + i] = m->output[i].name;
  base_text_printf(out, "enum { EVENTS = %d, OUTPUTS = %d };\n", events, m->outputs);
  add_names(out, "event", events, name);
  add_names(out, "output", m->outputs, name + events);
  base_text_add(out, "/* 1 rising, -1 falling, 0 both */\nconst int zwang_event_way[] = {");
  for (int i = 0; i < events; i++) base_text_printf(out, "%d, ", list[i].way);
  base_text_add(out, "0};\n/* 0 it is told, 1 the motion ends, 2 something is set, 3 that is left "
                     "out here, 4 there is no such event: a sample, or a stage without end */\n"
                     "const int zwang_event_does[] = {");
  for (int i = 0; i < events; i++) {
    const bool never = list[i].g == EXPR_NONE && list[i].every == EXPR_NONE;
    const int does = never                            ? 4
                     : list[i].stops                  ? 1
                     : !list[i].change                ? 0
                     : is_left_out(x, list[i].change) ? 3
                                                      : 2;
    base_text_printf(out, "%d, ", does);
  }
  base_text_add(out, "4};\n");
  add_changes(events, list, out);
}
