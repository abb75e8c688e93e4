// The functions that the forms are made from, by themselves: T, its rates, S, R, g, gamma.
#include <string.h>

#include "mech/form.h"

// T kinetic and V potential energy; T', T'' the total time derivatives of T (Nielsen, Tzenov);
// S the energy of accelerations and R = S - sum_i G_i q_i'' (Appell, Tzenov), both without what is
// free of accelerations; g_hv = dq_h''/dq_v'' the dependent accelerations by the independent ones
// (Do Shan 1973, (1.8)); gamma the three-index symbols of the quasi-velocities (Hamel).

static void add(mech_equations* e, const mech_system* s, const char* name, const char* primes,
                expr value)
{
  expr symbol = mech_name_symbol(s, e->arena, name, primes);
  mech_add_definition(e, expr_name(s->pool, symbol), symbol, mech_tidy(s, value));
}

static expr energy_of_accelerations(const mech_system* s, bool forces)
{
  const expr S = mech_without_states(s, mech_energy_of_accelerations(s));
  if (!forces) return S;
  return expr_sub(s->pool, S, mech_dot(s->pool, s->model->places, s->G, 1, s->a, 1));
}

// what the form defines under that label, and what these definitions speak of
static bool take_from(mech_equations* e, mech_system* s, const char* form, const char* label,
                      const mech_choice* choice, base_notes* notes)
{
  const mech_form* f = mech_form_find(form);
  const char* why = f->unsuited(s, e->arena);
  if (why) {
    base_error(notes, BASE_NOWHERE, "`%s` belongs to the form `%s`, which does not suit: %s", label,
               form, why);
    return false;
  }
  mech_equations* from = f->derive(s, choice, notes);
  if (!from) return false;
  int found = 0;
  for (int i = 0; i < from->definitions; i++)
    found += strcmp(from->definition[i].label, label) == 0;
  for (int i = 0; i < from->definitions; i++) {
    const mech_equation* d = &from->definition[i];
    bool own = strcmp(d->label, label) == 0, energy = strcmp(d->label, "T") == 0;
    // quasi-velocities are told with the symbols that belong to them
    if (own || (strcmp(label, "gamma") == 0 && !energy))
      mech_add_definition(e, base_arena_strdup(e->arena, d->label), d->left, d->right);
  }
  if (!found) base_info(notes, BASE_NOWHERE, "all `%s` are zero", label);
  mech_equations_free(from);
  return true;
}

static bool show(mech_equations* e, mech_system* s, const char* name, const mech_choice* choice,
                 base_notes* notes)
{
  expr_pool* p = s->pool;
  const model* m = s->model;
  if (!strcmp(name, "T"))
    add(e, s, "T", "", model_kinetic(m));
  else if (!strcmp(name, "V"))
    add(e, s, "V", "", m->V);
  else if (!strcmp(name, "T'"))
    add(e, s, "T", "'", expr_total(p, model_kinetic(m)));
  else if (!strcmp(name, "T''"))
    add(e, s, "T", "''", expr_total(p, expr_total(p, model_kinetic(m))));
  else if (!strcmp(name, "S"))
    add(e, s, "S", "", energy_of_accelerations(s, false));
  else if (!strcmp(name, "R"))
    add(e, s, "R", "", energy_of_accelerations(s, true));
  else if (!strcmp(name, "g"))
    return take_from(e, s, "lagrange:independent", "g", choice, notes);
  else if (!strcmp(name, "gamma"))
    return take_from(e, s, "hamel", "gamma", choice, notes);
  else {
    base_error(notes, BASE_NOWHERE, "there is no function `%s` to show", name);
    base_help(notes, "choose among T, V, T', T'', S, R, g and gamma, with commas between");
    return false;
  }
  return true;
}

// no form of the table: only a title
static const mech_form functions = {.name = "functions", .title = "Functions of the forms"};

mech_equations* mech_show(const mech_system* system, const char* names, const mech_choice* choice,
                          base_notes* notes)
{
  if (system->n > MECH_DENSE) {
    base_error(notes, BASE_NOWHERE,
               "functions are written out for at most %d coordinates; the model has %d", MECH_DENSE,
               system->n);
    return NULL;
  }
  // forms leave out of large systems what nobody would read; here it is asked for
  const mech_system* whole = mech_to_read(system);
  mech_mass(whole);
  mech_system s = *whole;
  s.small = true;
  mech_equations* e = mech_equations_new(&functions);
  bool fine = true;
  int named = 0;
  for (const char* at = names; *at;) {
    size_t n = strcspn(at, ", ");
    const char* name = base_arena_strndup(e->arena, at, n);
    if (n) fine &= show(e, &s, name, choice, notes), named++;
    at += n;
    at += strspn(at, ", ");
  }
  if (!named) base_error(notes, BASE_NOWHERE, "nothing was named to be shown");
  if (fine && named) return mech_equations_finish(e, &s, notes);
  mech_equations_free(e);
  return NULL;
}
