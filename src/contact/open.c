// An engine with all that switches in its system.
#include "contact/contact.h"

static engine* engine_of(const mech_system* s, engine_kind kind, base_notes* notes);

static void release(void* unilateral)
{
  contact_inequality_free(unilateral);
}

// the elements of an engine; false with errors noted
static bool add_elements(engine* e, bool divide, base_notes* notes)
{
  if (divide && !engine_divide(e, engine_of, notes)) return false;
  e->unilateral = contact_inequality_new(e);
  if (!e->unilateral) return true;
  engine_attach(e, release, e->unilateral);
  e->hold_laws = contact_slip_hold;
  for (int i = 0; i < e->unilateral->count; i++) e->mode.active[e->unilateral->of[i]] = false;
  if (e->parts) contact_parts_new(e);
  engine_rows(e);
  // what it cannot decide is decided elsewhere, or in the steps
  return e->parts || e->by_impulses || contact_inequality_can(e, notes);
}

static engine* engine_of(const mech_system* s, engine_kind kind, base_notes* notes)
{
  engine* e = engine_plain(s, kind, notes);
  if (!e || add_elements(e, kind.divide, notes)) return e;
  engine_free(e);
  return NULL;
}

engine* contact_engine_new(const mech_system* s, base_notes* notes)
{
  return engine_of(s, (engine_kind){.most = MECH_DENSE, .divide = true}, notes);
}

engine* contact_engine_new_leaps(const mech_system* s, bool large, base_notes* notes)
{
  const engine_kind kind = {.most = MECH_FULL, .large = large, .by_impulses = true};
  return engine_of(s, kind, notes);
}

engine* contact_engine_new_large(const mech_system* s, base_notes* notes)
{
  return engine_of(s, (engine_kind){.large = true, .divide = true}, notes);
}
