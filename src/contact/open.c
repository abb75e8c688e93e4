// An engine with all that switches in its system.
#include "contact/footing.h"

static void release(void* unilateral)
{
  contact_inequality_free(unilateral);
}

// what is present goes down
static void hold_parts(engine* e)
{
  const contact_inequalities* u = e->unilateral;
  for (int i = 0; i < u->count; i++)
    e->part[u->part[i]].e->unilateral->present[u->number[i]] = u->present[i];
  for (int j = 0; j < u->links; j++)
    e->part[u->part[u->link_of[j]]].e->unilateral->link_present[u->link_number[j]] =
        u->link_present[j];
}

// which inequality of which part each of the whole is
static void number_parts(engine* e)
{
  contact_inequalities* u = e->unilateral;
  u->part = engine_take(e, (size_t)u->count + 1, sizeof(int));
  u->number = engine_take(e, (size_t)u->count + 1, sizeof(int));
  u->link_number = engine_take(e, (size_t)u->links + 1, sizeof(int));
  for (int p = 0; p < e->parts; p++) {
    const engine_part* part = &e->part[p];
    contact_inequalities* own = part->e->unilateral;
    if (own) own->whole = engine_take(e, (size_t)own->count + 1, sizeof(int));
    for (int j = 0; own && j < own->count; j++) {
      const int i = contact_inequality_find(u, part->row[own->of[j]]);
      u->part[i] = p;
      u->number[i] = j;
      own->whole[j] = i;
    }
    for (int j = 0; own && j < own->links; j++)
      u->link_number[contact_regime_find(u, part->row[own->link[j]])] = j;
  }
  e->part_laws = hold_parts;
}

// near pairs that are looked for as the motion goes are found by steps of time alone
static bool finds_contacts(const engine* e, base_notes* notes)
{
  for (int i = 0; i < e->model->meetings; i++) {
    const model_meeting* x = &e->model->meeting[i];
    if (!x->looked_for) continue;
    base_error(notes, x->place, "the contacts of `%s` are found in steps of time alone: %s",
               x->name, x->why);
    base_help(notes,
              "take `method moreau`; contacts of boxes, hulls, capsules, spheres, planes and "
              "polygons that are few are decided event by event where the model itself says so: "
              "method dop853");
    return false;
  }
  return true;
}

// corners above sides that are inequalities each are told from event to event alone
static bool faces_by_events(const engine* e, base_notes* notes)
{
  const model* m = e->model;
  if (!m->facings && !m->footings) return true;
  const model_meeting* x = &m->meeting[m->facings ? m->facing[0].meeting : m->footing[0].meeting];
  base_error(notes, x->place,
             "the contacts of `%s` are decided event by event, as the method in the model asks for",
             x->name);
  base_help(notes, "leave `method` out of the model, or write `method moreau`");
  return false;
}

// one instant knows no steps: they are left out, which is said
static void warn_of_contacts(const engine* e, base_notes* notes)
{
  for (int i = 0; i < e->model->meetings; i++)
    if (e->model->meeting[i].looked_for)
      base_warning(notes, e->model->meeting[i].place,
                   "the contacts of `%s` are found in steps of time alone: they are left out here",
                   e->model->meeting[i].name);
}

// the elements of an engine; false with errors noted
static bool add_elements(engine* e, const double* number, base_notes* notes)
{
  if (!engine_parts_open(e, contact_engine_of, number, notes)) return false;
  if (!engine_delays_open(e, notes)) return false;
  e->unilateral = contact_inequality_new(e);
  if (!e->unilateral) return true;
  engine_attach(e, release, e->unilateral);
  e->hold_laws = contact_slip_hold;
  for (int i = 0; i < e->unilateral->count; i++)
    if (!e->unilateral->both[i]) e->mode.active[e->unilateral->of[i]] = false;
  if (e->parts) number_parts(e);
  if (!contact_facing_new(e, notes)) return false;
  engine_rows(e);
  // what it cannot decide is decided elsewhere, or in the steps
  return e->parts || e->by_impulses || contact_inequality_can(e, notes);
}

static engine* with_elements(engine* e, const double* number, base_notes* notes)
{
  if (add_elements(e, number, notes)) return e;
  engine_free(e);
  return NULL;
}

engine* contact_engine_of(const engine_program* p, const double* number, base_notes* notes)
{
  engine* e = engine_new(p, number, notes);
  if (!e || finds_contacts(e, notes)) return e ? with_elements(e, number, notes) : NULL;
  engine_free(e);
  return NULL;
}

static engine* engine_by(const mech_system* s, engine_kind kind, base_notes* notes)
{
  const engine_program* p = engine_program_of(s, kind, notes);
  engine* e = p ? engine_new(p, NULL, notes) : NULL;
  if (e) warn_of_contacts(e, notes);
  return e ? with_elements(e, NULL, notes) : NULL;
}

engine* contact_engine_new(const mech_system* s, base_notes* notes)
{
  return engine_by(s, (engine_kind){.most = MECH_DENSE, .divide = true}, notes);
}

engine* contact_engine_leaps_of(const engine_program* p, const double* number, base_notes* notes)
{
  engine* e = engine_new(p, number, notes);
  if (!e) return NULL;
  e->by_impulses = true;
  if (faces_by_events(e, notes)) return with_elements(e, number, notes);
  engine_free(e);
  return NULL;
}

engine* contact_engine_flights_of(const engine_program* p, const double* number, base_notes* notes)
{
  engine* e = engine_new(p, number, notes);
  if (!e) return NULL;
  e->in_flight = true;
  if (faces_by_events(e, notes)) return with_elements(e, number, notes);
  engine_free(e);
  return NULL;
}

engine* contact_engine_new_leaps(const mech_system* s, bool large, base_notes* notes)
{
  const engine_kind kind = {.most = MECH_FULL, .large = large};
  const engine_program* p = engine_program_of(s, kind, notes);
  return p ? contact_engine_leaps_of(p, NULL, notes) : NULL;
}

engine* contact_engine_new_large(const mech_system* s, base_notes* notes)
{
  return engine_by(s, (engine_kind){.large = true, .divide = true}, notes);
}
