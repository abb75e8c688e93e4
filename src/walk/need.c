// Contacts event by event, or by steps of time where that is slow or cannot go on; flights, or
// another method where bodies do not fly.
#include "walk/happenings.h"
#include "walk/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// States looked at for instants: below the first nothing is said; and what a run may take in all,
// at the pace so far, before it counts as slow
static const double few_looks = 5e3, most_looks = 1e5;

static bool is_slow(const walk_job* r)
{
  const double from = r->track->t_from, share = (r->stepper->t - from) / (r->t_end - from);
  if (r->moreau || !r->e->unilateral || !(share >= 0)) return false;
  return (double)r->watch->loads > fmax(few_looks, share * most_looks);
}

void walk_need_look(walk_job* r)
{
  if (r->told_slow || !is_slow(r)) return;
  r->told_slow = true;
  if (r->o->by_need) {
    walk_run_give_up(r, "contacts are slow event by event");
    return;
  }
  base_info(r->notes, BASE_NOWHERE,
            "contacts are slow event by event: %ld states were looked at up to t = %.6g",
            r->watch->loads, r->stepper->t);
  base_help(r->notes, "`--method moreau` is faster; `--contacts auto` takes it where it is needed");
}

// ---- in the place of what cannot go on ----------------------------------------------------------

// with restitution one throughout nothing ever comes to rest
static bool may_rest(const model* m)
{
  bool all = true;
  long value;
  for (int i = 0; i < m->meetings && all; i++)
    all = m->meeting[i].restitution != EXPR_NONE &&
          expr_is_int(m->pool, m->meeting[i].restitution, &value) && value == 1;
  for (int k = 0; k < m->constraints && all; k++)
    all = !m->constraint[k].sense ||
          (m->constraint[k].restitution != EXPR_NONE &&
           expr_is_int(m->pool, m->constraint[k].restitution, &value) && value == 1);
  return !all;
}

// what takes a model that does not go by flights: steps of time, where near pairs are looked for
static const char* beside_flights(const model* m)
{
  for (int i = 0; i < m->meetings; i++)
    if (m->meeting[i].looked_for) return "moreau";
  return "dop853";
}

// why there is no track, or no more of it
static void read_reason(const walk_track* t, const base_notes* notes, size_t room, char* out)
{
  const int last = base_notes_count(notes) - 1;
  const char* refused = last >= 0 ? base_notes_reason(notes, last) : "";
  snprintf(out, room, "%s", t ? t->reason : refused);
}

// The same run by another method. What is kept on the way must not be begun twice.
static walk_track* run_again(mech_system* s, const walk_options* o, const char* method,
                             walk_track* t, int told, base_notes* notes)
{
  char why[400];
  walk_options other = *o;
  read_reason(t, notes, sizeof why, why);
  other.method = method;
  base_notes_cut(notes, told);
  walk_track* u = walk_run_plainly(s, &other, notes);
  if (!u && t) {
    base_notes_cut(notes, told);
    base_warning(notes, BASE_NOWHERE, "%s; the method `%s` does not take this model", why, method);
    return t;
  }
  if (!u) return NULL;
  base_info(notes, BASE_NOWHERE, "the run was made by `%s`: %s", method, why);
  walk_track_free(t);
  return u;
}

walk_track* walk_run(mech_system* s, const walk_options* o, base_notes* notes)
{
  const char* asked = o->method ? o->method : s->model->method;
  const bool flies = strcmp(asked, "flights") == 0;
  if (o->onward || (!flies && (!o->by_need || *asked))) return walk_run_plainly(s, o, notes);
  walk_options first = *o;
  const int told = base_notes_count(notes);
  if (!flies || may_rest(s->model)) first.keeper = NULL;
  walk_track* t = walk_run_plainly(s, &first, notes);
  if (!t && !flies) return NULL;
  if (t && t->status != WALK_UNFINISHED) {
    if (o->keeper && !first.keeper) o->keeper->rows(o->keeper->context, t);
    return t;
  }
  if (t && first.keeper) return t;
  const char* other = flies ? beside_flights(s->model) : "moreau";
  walk_track* u = run_again(s, o, other, t, told, notes);
  if (u && u != t)
    u->method_why = base_arena_printf(
        u->arena, "%s; %s", flies ? "flights do not go on" : "contacts auto", u->method_why);
  return u;
}
