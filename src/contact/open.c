// An engine with all that switches in its system.
#include "contact/contact.h"

static engine* engine_of(const engine_program* p, base_notes* notes);

static void release(void* unilateral)
{
  contact_inequality_free(unilateral);
}

// the elements of an engine; false with errors noted
static bool add_elements(engine* e, base_notes* notes)
{
  if (!engine_parts_open(e, engine_of, notes)) return false;
  e->unilateral = contact_inequality_new(e);
  if (!e->unilateral) return true;
  engine_attach(e, release, e->unilateral);
  e->hold_laws = contact_slip_hold;
  for (int i = 0; i < e->unilateral->count; i++) e->mode.active[e->unilateral->of[i]] = false;
  if (e->parts) contact_parts_new(e);
  engine_rows(e);
  return e->parts || contact_inequality_can(e, notes);
}

static engine* engine_of(const engine_program* p, base_notes* notes)
{
  engine* e = engine_new(p, notes);
  if (!e || add_elements(e, notes)) return e;
  engine_free(e);
  return NULL;
}

static engine* engine_by(const mech_system* s, engine_kind kind, base_notes* notes)
{
  const engine_program* p = engine_program_of(s, kind, notes);
  return p ? engine_of(p, notes) : NULL;
}

engine* contact_engine_new(const mech_system* s, base_notes* notes)
{
  return engine_by(s, (engine_kind){.most = MECH_DENSE, .divide = true}, notes);
}

engine* contact_engine_new_full(const mech_system* s, base_notes* notes)
{
  return engine_by(s, (engine_kind){.most = MECH_FULL}, notes);
}

engine* contact_engine_new_large(const mech_system* s, base_notes* notes)
{
  return engine_by(s, (engine_kind){.large = true, .divide = true}, notes);
}
