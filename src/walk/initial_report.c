// Why there is no initial state: which equations contradict each other, and where they stand.
#include "walk/initial.h"

#include <math.h>
#include <string.h>

enum { most_listed = 6 };

static double off_by(const walk_initial* p, int i)
{
  return fabs(p->out[i]) / p->scale[i];
}

// equations that are off at the engine's state, which the kernel has put out
static bool is_off(const walk_initial* p, int i, double largest)
{
  return off_by(p, i) > engine_worth_telling * (1 + largest);
}

// one that has no value there; false where all have
static bool report_undefined(const walk_initial* p, base_notes* notes)
{
  for (int i = 0; i < p->count; i++) {
    if (isfinite(p->out[i])) continue;
    base_error(
        notes, p->eq[i].place,
        "%s%s has no finite value at the start (a division by zero, or a root or logarithm of "
        "a negative number)",
        p->eq[i].constraint ? "constraint " : "this initial equation",
        p->eq[i].constraint ? p->eq[i].constraint : "");
    base_help(notes, "give a guess away from that point with `initial NAME ~ VALUE`");
    return true;
  }
  return false;
}

// what is off, and by how much
static void list_offs(const walk_initial* p, double largest, const base_notes* notes,
                      base_text* out)
{
  int listed = 0;
  for (int i = 0; i < p->count; i++) {
    if (!is_off(p, i, largest)) continue;
    if (++listed > most_listed) continue;
    base_text_add(out, listed > 1 ? ", " : "");
    if (p->eq[i].constraint)
      base_text_printf(out, "constraint `%s`%s is off by %.6g", p->eq[i].constraint,
                       p->eq[i].holds_velocity ? " (velocities)" : "", p->out[i]);
    else
      base_text_printf(out, "`%s` is off by %.6g",
                       base_notes_quote(notes, p->eq[i].place, p->e->arena), p->out[i]);
  }
  if (listed > most_listed) base_text_printf(out, " and %d more", listed - most_listed);
  if (!listed) base_text_add(out, "they stay unsolved");
}

// "the constraints `a` and `b` contradict each other": those that are off, each once
static void name_constraints(const walk_initial* p, double largest, base_text* out)
{
  const char* name[most_listed];
  int count = 0, more = 0;
  for (int i = 0; i < p->count; i++) {
    bool told = !is_off(p, i, largest);
    for (int k = 0; k < count; k++) told = told || !strcmp(name[k], p->eq[i].constraint);
    if (told) continue;
    if (count < most_listed)
      name[count++] = p->eq[i].constraint;
    else
      more++;
  }
  if (count < 2) {
    base_text_add(out, "no state satisfies the constraints together");
    return;
  }
  base_text_add(out, "the constraints ");
  for (int k = 0; k < count; k++)
    base_text_printf(out, "%s`%s`", !k ? "" : k + 1 < count || more ? ", " : " and ", name[k]);
  base_text_add(out, more ? " and others contradict each other" : " contradict each other");
}

// Constraints on positions fit, their velocities do not: what is driven stands where it cannot be
// led on.
static bool is_dead(const walk_initial* p, double largest)
{
  bool velocities = false, places = false;
  for (int i = 0; i < p->count; i++) {
    if (!is_off(p, i, largest)) continue;
    const int k = model_constraint_find(p->e->model, p->eq[i].constraint);
    const bool rate = p->eq[i].holds_velocity && k >= 0 && p->e->model->constraint[k].order == 0;
    velocities = velocities || rate;
    places = places || !rate;
  }
  return velocities && !places;
}

// Of what is off an initial value is pointed at, the worst, since constraints are rarely what was
// mistyped.
void walk_initial_report(walk_initial* p, base_notes* notes)
{
  code_run(p->kernel, p->e->in, p->out, p->scratch);
  if (report_undefined(p, notes)) return;
  double largest = 0;
  for (int i = 0; i < p->count; i++) largest = fmax(largest, off_by(p, i));
  int worst = -1;
  bool asked = false;
  for (int i = 0; i < p->count; i++) {
    const bool given = !p->eq[i].constraint;
    asked = asked || given;
    if (!is_off(p, i, largest)) continue;
    const bool worse = worst < 0 || off_by(p, i) > off_by(p, worst);
    const bool was_given = worst >= 0 && !p->eq[worst].constraint;
    if (given != was_given ? given : worse) worst = i;
  }
  base_text what = {0}, offs = {0};
  if (asked)
    base_text_add(&what, "the initial values and the constraints contradict each other");
  else
    name_constraints(p, largest, &what);
  list_offs(p, largest, notes, &offs);
  base_error(notes, worst >= 0 ? p->eq[worst].place : BASE_NOWHERE,
             "%s; at the nearest state found %s", what.at, offs.at);
  if (asked)
    base_help(notes,
              "write `~` in place of `=` where a value is only a guess that may be adjusted");
  else if (is_dead(p, largest))
    base_help(notes, "positions fit, velocities do not: a mechanism at a dead position cannot be "
                     "led on from there; start beside it");
  else
    base_help(notes, "leave one of them out, or change its right side");
  base_text_free(&what);
  base_text_free(&offs);
}
