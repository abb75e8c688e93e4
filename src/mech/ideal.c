// The ideal constraints of a system alone, as the forms take them: servo constraints, hidden ones
// among them, follow as further equations, their controls standing among the forces.
#include <string.h>

#include "mech/servo.h"

mech_system* mech_servo_ideal(const mech_system* s, base_arena* arena)
{
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

const char* mech_form_unsuited(const mech_form* form, const mech_system* s, base_arena* arena)
{
  if (s->n > MECH_DENSE)
    return base_arena_printf(arena, "it has %d coordinates; forms are written out for at most %d",
                             s->n, MECH_DENSE);
  for (int k = 0; k < s->m; k++)
    if (mech_is_nonlinear(s, k) && !form->curved)
      return base_arena_printf(arena, "the constraint `%s` is nonlinear in the accelerations",
                               s->model->constraint[k].name);
  return form->unsuited(mech_servo_ideal(s, arena), arena);
}

// numbers of constraints among the ideal ones
static const int* renumbered(const mech_system* s, const mech_choice* choice, base_arena* arena)
{
  int* rows = base_arena_take(arena, sizeof(int) * (size_t)(choice->rank + 1));
  for (int i = 0; i < choice->rank; i++) {
    rows[i] = 0;
    for (int k = 0; k < choice->rows[i]; k++) rows[i] += s->role[k].ideal;
  }
  return rows;
}

mech_equations* mech_equations_of(const mech_form* form, mech_system* s, const mech_choice* choice,
                                  base_notes* notes)
{
  base_arena* arena = base_arena_new();
  mech_choice mine = {0};
  if (choice) mine = *choice;
  if (choice && choice->rows) mine.rows = renumbered(s, choice, arena);
  mech_equations* e = NULL;
  const char* why = mech_form_unsuited(form, s, arena);
  if (why)
    base_error(notes, BASE_NOWHERE, "the form `%s` does not suit this model: %s", form->name, why);
  else
    e = form->derive(mech_servo_ideal(s, arena), choice ? &mine : NULL, notes);
  for (int k = 0; e && k < s->m; k++)
    if (!s->role[k].ideal)
      mech_add_equation(e, s->model->constraint[k].name, mech_tidy(s, s->model->constraint[k].f),
                        s->zero[0]);
  base_arena_free(arena);
  return e;
}
