// An engine with all that switches in its system.
#include "contact/contact.h"

static void release(void* unilateral)
{
  sim_unilateral_free(unilateral);
}

static sim_engine* engine_of(const mech_system* s, sim_engine_kind kind, base_notes* notes)
{
  sim_engine* e = sim_engine_plain(s, kind, notes);
  if (!e) return NULL;
  e->unilateral = sim_unilateral_new(e);
  if (!e->unilateral) return e;
  sim_engine_attach(e, release, e->unilateral);
  e->hold_laws = sim_rough_hold;
  for (int i = 0; i < e->unilateral->count; i++) e->active[e->unilateral->of[i]] = false;
  sim_engine_rows(e);
  if (sim_unilateral_can(e, notes)) return e;
  sim_engine_free(e);
  return NULL;
}

sim_engine* sim_engine_new(const mech_system* s, base_notes* notes)
{
  return engine_of(s, (sim_engine_kind){.most = MECH_DENSE}, notes);
}

sim_engine* sim_engine_new_full(const mech_system* s, base_notes* notes)
{
  return engine_of(s, (sim_engine_kind){.most = MECH_FULL}, notes);
}

sim_engine* sim_engine_new_large(const mech_system* s, base_notes* notes)
{
  return engine_of(s, (sim_engine_kind){.large = true}, notes);
}
