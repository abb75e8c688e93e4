// The matrix of masses for whoever reads it as expressions.
#include "mech/mech.h"

static void write_first(const mech_system* s)
{
  if (s->hung && !s->M) s->write((mech_system*)s);
}

const expr* mech_mass(const mech_system* s)
{
  write_first(s);
  return s->M;
}

const mech_rows* mech_mass_rows(const mech_system* s)
{
  write_first(s);
  return &s->M_rows;
}
