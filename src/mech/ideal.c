// The ideal constraints of a system alone, as the forms take them: servo constraints, hidden ones
// among them, follow as further equations, their controls standing among the forces.
#include <string.h>

#include "mech/change.h"
#include "mech/servo.h"

mech_system* mech_servo_ideal(const mech_system* moving, base_arena* arena)
{
  const mech_system* s = mech_to_read(moving);
  mech_system* ideal = base_arena_take(arena, sizeof *ideal);
  model* m = base_arena_take(arena, sizeof *m);
  const size_t room = (size_t)s->m + 1;
  *ideal = *s;
  *m = *s->model;
  ideal->model = m;
  m->constraint = base_arena_take(arena, sizeof *m->constraint * room);
  m->reaction = mech_take(arena, (int)room);
  m->holds = mech_take(arena, (int)room);
  ideal->role = base_arena_take(arena, sizeof *s->role * room);
  ideal->A = mech_take(arena, (int)room * s->n);
  ideal->c = mech_take(arena, (int)room);
  ideal->f0 = mech_take(arena, (int)room);
  ideal->f1 = mech_take(arena, (int)room);
  int count = 0;
  for (int k = 0; k < s->m; k++) {
    if (!s->role[k].ideal) continue;
    m->constraint[count] = s->model->constraint[k];
    m->reaction[count] = s->model->reaction[k];
    m->holds[count] = s->model->holds[k];
    ideal->role[count] = s->role[k];
    memcpy(ideal->A + count * s->n, s->A + k * s->n, sizeof(expr) * (size_t)s->n);
    ideal->c[count] = s->c[k];
    ideal->f0[count] = s->f0[k];
    ideal->f1[count] = s->f1[k];
    count++;
  }
  m->constraints = ideal->m = ideal->written = count;
  return ideal;
}

static void list_speeds(const mech_change* c, base_arena* arena, mech_view* v)
{
  v->speed = mech_take(arena, c->l);
  v->meaning = mech_take(arena, c->l);
  for (int i = 0; i < c->l; i++) {
    if (!c->is_new[i]) continue;
    v->speed[v->speeds] = c->to->v[i];
    v->meaning[v->speeds++] = c->meaning[i];
  }
}

mech_view mech_view_make(mech_speeds speeds, const mech_system* s, const mech_choice* choice,
                         base_arena* arena)
{
  mech_view v = {.whole = s, .system = mech_servo_ideal(s, arena)};
  const bool before = expr_units_hold(s->pool, true);
  v.change = mech_change_make(v.system, speeds, choice, arena);
  v.number = base_arena_take(arena, sizeof(int) * (size_t)(s->m + 1));
  int ideal = 0, count = 0;
  for (int k = 0; k < s->m; k++) {
    const bool there = s->role[k].ideal && !(v.change && v.change->left_out[ideal]);
    v.number[k] = there ? count++ : -1;
    ideal += s->role[k].ideal;
  }
  if (v.change) v.system = v.change->to;
  if (v.change) list_speeds(v.change, arena, &v);
  expr_units_hold(s->pool, before);
  return v;
}

const char* mech_form_unsuited(const mech_form* form, const mech_system* s, base_arena* arena)
{
  if (s->n > MECH_DENSE)
    return base_arena_printf(arena, "it has %d coordinates; forms are written out for at most %d",
                             s->n, MECH_DENSE);
  for (int k = 0; k < s->m; k++)
    if (mech_is_nonlinear(s, k) && !form->curved)
      return base_arena_printf(arena, "the constraint `%s` is nonlinear in the accelerations",
                               s->model->constraint[k].name);
  const char* why = form->unsuited(mech_servo_ideal(s, arena), arena);
  // in other velocities it may: of a quaternion's four rates one has no inertia
  return why && form->speeds
             ? form->unsuited(mech_view_make(form->speeds, s, NULL, arena).system, arena)
             : why;
}

mech_equations* mech_view_equations(const mech_form* form, const mech_view* view,
                                    const mech_choice* choice, base_notes* notes)
{
  const mech_system* s = view->whole;
  const bool before = expr_units_hold(s->pool, true);
  mech_equations* e = form->derive(view->system, choice, notes);
  if (e && view->change) mech_change_finish(view->change, e);
  for (int k = 0; e && k < s->m; k++) {
    if (s->role[k].ideal) continue;
    const model_constraint* f = &s->model->constraint[k];
    const expr left = view->change ? mech_change_in(view->change, f->f) : f->f;
    mech_add_equation(e, f->name, mech_tidy(s, left), s->zero[0]);
  }
  expr_units_hold(s->pool, before);
  return e;
}

// rows of the whole by their numbers in the view; dependent velocities are those of coordinates
static mech_choice seen(const mech_view* view, const mech_choice* choice, base_arena* arena)
{
  mech_choice mine = *choice;
  int* rows = base_arena_take(arena, sizeof(int) * (size_t)(choice->rank + 1));
  mine.rank = 0;
  for (int i = 0; choice->rows && i < choice->rank; i++)
    if (view->number[choice->rows[i]] >= 0) rows[mine.rank++] = view->number[choice->rows[i]];
  mine.rows = choice->rows ? rows : NULL;
  if (!view->change) return mine;
  mine.dependent = NULL;
  mine.quasi = NULL;
  return mine;
}

mech_equations* mech_equations_of(const mech_form* form, mech_system* s, const mech_choice* choice,
                                  base_notes* notes)
{
  base_arena* arena = base_arena_new();
  mech_equations* e = NULL;
  const char* why = mech_form_unsuited(form, s, arena);
  if (why) {
    base_error(notes, BASE_NOWHERE, "the form `%s` does not suit this model: %s", form->name, why);
  } else {
    const mech_view view = mech_view_make(form->speeds, s, choice, arena);
    mech_choice mine = {0};
    if (choice) mine = seen(&view, choice, arena);
    e = mech_view_equations(form, &view, choice ? &mine : NULL, notes);
  }
  base_arena_free(arena);
  return e;
}
