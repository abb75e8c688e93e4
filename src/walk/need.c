// Contacts event by event, or by steps of time where that is slow or cannot go on; flights, or
// another method where bodies do not fly.
#include "contact/contact.h"
#include "walk/happenings.h"
#include "walk/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// States looked at for instants: below the first nothing is said; and what a run may take in all,
// at the pace so far, before it counts as slow
static const double few_looks = 5e3, most_looks = 1e5;

// What looking costs: a gap is one, the forces of what is closed the square of the coordinates. A
// pile that comes to rest has more impacts the nearer it is to it, in every group of contacts;
// event by event that may take days. What is beyond these, some ten seconds so far and a minute in
// all, is left to steps of time where nobody asked for events.
static const double little_work = 1e8, most_work = 6e8;
enum { gaps_of_a_pile = 100 };

// is what was done more than little, and more than most of the run at the pace so far?
static bool exceeds(const walk_job* r, double done, double little, double most)
{
  const double from = r->track->t_from, share = (r->stepper->t - from) / (r->t_end - from);
  return share >= 0 && done > fmax(little, share * most);
}

static bool is_slow(const walk_job* r)
{
  return exceeds(r, (double)r->watch->loads, few_looks, most_looks);
}

static bool is_endless(const walk_job* r)
{
  return exceeds(r, r->looking, little_work, most_work);
}

static void count_looking(walk_job* r)
{
  const double n = r->e->n, looks = (double)(r->watch->loads - r->looked);
  r->looking += looks * (r->e->unilateral->count + (contact_closed(r->e) ? n * n : 0));
  r->looked = r->watch->loads;
}

// is it one, with the params as they are?
static bool is_one(const model* m, expr x)
{
  if (x == EXPR_NONE) return false;
  expr* symbol = base_alloc(sizeof *symbol * (size_t)(m->params + 1));
  double* number = base_alloc(sizeof *number * (size_t)(m->params + 1));
  for (int i = 0; i < m->params; i++) {
    symbol[i] = m->param[i].symbol;
    number[i] = m->param[i].number;
  }
  const bool one = expr_value(m->pool, x, m->params, symbol, number) == 1;
  free(symbol);
  free(number);
  return one;
}

// with restitution one throughout nothing ever comes to rest
static bool may_rest(const model* m)
{
  bool all = true;
  for (int i = 0; i < m->meetings && all; i++) all = is_one(m, m->meeting[i].restitution);
  // neighbours mostly share theirs
  expr last = EXPR_NONE;
  for (int k = 0; k < m->constraints && all; k++) {
    const expr e = m->constraint[k].restitution;
    if (!m->constraint[k].sense || (e != EXPR_NONE && e == last)) continue;
    all = is_one(m, e);
    last = e;
  }
  return !all;
}

// several contacts with friction in space
static bool is_rough(const model* m)
{
  int rough = 0;
  for (int k = 0; k < m->constraints; k++) {
    const model_constraint* c = &m->constraint[k];
    rough += c->sense && c->friction != EXPR_NONE && c->slips == 2;
  }
  return rough > 1;
}

// many gaps, and impacts that take energy
static bool is_pile(const model* m)
{
  int gaps = 0;
  for (int k = 0; k < m->constraints; k++) gaps += m->constraint[k].sense != 0;
  return gaps >= gaps_of_a_pile && may_rest(m);
}

// did nobody ask for accuracy, or for what events alone answer?
static bool is_free(const model* m, const walk_options* o)
{
  return !(o->tolerance > 0 || m->tolerance > 0 || o->beyond || m->beyond);
}

static bool goes_by_need(const model* m, const walk_options* o)
{
  const char* asked = o->method ? o->method : m->method;
  if (*asked) return false;
  return o->contacts == WALK_CONTACTS_BY_NEED ||
         (o->contacts == WALK_CONTACTS_UNSAID && is_free(m, o) && (is_rough(m) || is_pile(m)));
}

// does it end here, to be made again by steps of time? asked once
static bool is_left(walk_job* r)
{
  const bool at_once = r->o->contacts == WALK_CONTACTS_BY_NEED;
  if (r->asked_need || !(at_once || is_endless(r))) return false;
  r->asked_need = true;
  return goes_by_need(r->s->model, r->o);
}

void walk_need_look(walk_job* r)
{
  if (r->moreau || !r->e->unilateral || (r->told_slow && r->asked_need)) return;
  count_looking(r);
  if (!is_slow(r)) return;
  if (is_left(r)) {
    r->track->slow = true;
    walk_run_give_up(r, "contacts are slow event by event");
    return;
  }
  if (r->told_slow) return;
  r->told_slow = true;
  base_info(r->notes, BASE_NOWHERE,
            "contacts are slow event by event: %ld states were looked at up to t = %.6g",
            r->watch->loads, r->stepper->t);
  base_help(r->notes, "`--method moreau` is faster; `--contacts auto` takes it where it is needed");
}

// ---- in the place of what cannot go on ----------------------------------------------------------

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
  if (t && t->slow && o->contacts == WALK_CONTACTS_UNSAID)
    base_help(notes, "`--contacts events` stays with events, however long that takes");
  walk_track_free(t);
  return u;
}

// why another method made it, in the place of its being asked for
static void tell_why(walk_track* u, const char* instead)
{
  static const char asked_for[] = "asked for; ";
  const size_t skip = sizeof asked_for - 1;
  if (strncmp(u->method_why, asked_for, skip) == 0) u->method_why += skip;
  u->method_why = base_arena_printf(u->arena, "%s; %s", instead, u->method_why);
}

// Is there nothing to make again? Where nothing was said, what ends without a contact has another
// reason.
static bool is_final(const walk_track* t, const walk_options* o, bool flies)
{
  const bool unsaid = !flies && o->contacts == WALK_CONTACTS_UNSAID;
  return t->status != WALK_UNFINISHED || (unsaid && !t->closed && !t->slow);
}

static const char* why_again(const walk_track* t, const walk_options* o, bool flies)
{
  if (flies) return "flights do not go on";
  if (o->contacts == WALK_CONTACTS_BY_NEED) return "contacts auto";
  return t->slow ? "contacts are slow event by event" : "contacts do not go on event by event";
}

// are events asked for where the model has steps of time only because its pairs are looked for?
static bool asks_for_events(const model* m, const walk_options* o)
{
  return o->contacts == WALK_CONTACTS_EVENTS && !o->method && m->method_place.file < 0 &&
         strcmp(m->method, "moreau") == 0;
}

walk_track* walk_run(mech_system* s, const walk_options* o, base_notes* notes)
{
  if (asks_for_events(s->model, o)) {
    walk_options by_events = *o;
    by_events.method = "dop853"; // which says why it cannot
    return walk_run_plainly(s, &by_events, notes);
  }
  const char* asked = o->method ? o->method : s->model->method;
  const bool flies = strcmp(asked, "flights") == 0;
  if (o->onward || (!flies && !goes_by_need(s->model, o))) return walk_run_plainly(s, o, notes);
  walk_options first = *o;
  const int told = base_notes_count(notes);
  if (!flies || may_rest(s->model)) first.keeper = NULL;
  walk_track* t = walk_run_plainly(s, &first, notes);
  if (!t && !flies) return NULL;
  if (t && is_final(t, o, flies)) {
    if (o->keeper && !first.keeper) o->keeper->rows(o->keeper->context, t);
    return t;
  }
  if (t && first.keeper) return t;
  const char* other = flies ? beside_flights(s->model) : "moreau";
  const char* why = why_again(t, o, flies);
  walk_track* u = run_again(s, o, other, t, told, notes);
  if (u && u != t) tell_why(u, why);
  return u;
}
