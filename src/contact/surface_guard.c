// Contacts that cease to be one: watched at the start and at the end of every step; and contacts
// that would have to pull, told after the run.
#include "contact/contact.h"

#include <math.h>
#include <stdio.h>

// what is zero but for rounding is shown as zero
static double rounded(double x)
{
  return fabs(x) < engine_shown_zero ? 0 : x;
}

// the distance of surfaces in flight that is not known, as of a disc that falls flat: their contact
static const model_contact* unknown_gap(engine* e)
{
  const model* m = e->model;
  bool flies = false;
  for (int i = 0; i < m->contacts; i++)
    flies = flies || (m->contact[i].lands && !e->mode.active[m->contact[i].gap]);
  if (!flies) return NULL;
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  for (int i = 0; i < m->contacts; i++)
    if (m->contact[i].lands && !isfinite(e->f0[m->contact[i].gap])) return &m->contact[i];
  return NULL;
}

bool contact_guard_broken(engine* e)
{
  const model* m = e->model;
  const double* g = e->work.guard;
  if (m->contacts == 0) return false;
  const model_contact* lost = unknown_gap(e);
  if (lost) {
    snprintf(e->reason, sizeof e->reason,
             "contact `%s`: which point of the body would touch first is not determined in this "
             "attitude",
             lost->name);
    return true;
  }
  code_run(e->program->guards, e->in, e->work.guard, e->work.scratch);
  for (int i = 0; i < m->contacts; i++)
    for (int k = 0; k < m->contact[i].guards; k++, g++) {
      const model_contact* c = &m->contact[i];
      if (!e->mode.active[c->gap] || *g > 0) continue;
      int n =
          snprintf(e->reason, sizeof e->reason, "contact `%s`: %s", c->name, c->guard[k].reason);
      // the point, on the surfaces that have charts
      for (int j = 0; j < 4 && n < (int)sizeof e->reason; j++)
        if (c->given[j])
          n += snprintf(e->reason + n, sizeof e->reason - (size_t)n, "%s%s = %.9g",
                        j && c->given[j - 1] ? ", " : " at ", c->coord[j],
                        rounded(engine_value(e, c->value[j])));
      return true;
    }
  return false;
}

bool contact_guard_tells(const engine* e, int i)
{
  const model_contact* c = &e->model->contact[i];
  return c->pull != MODEL_PULL_HOLDS && !c->lands && e->mode.active[c->gap];
}

void contact_guard_note(engine* e, int i, double t, double N, double rounding)
{
  const bool pulls = N < -(engine_pulls * e->shown[i] + rounding);
  e->shown[i] = fmax(e->shown[i], fabs(N));
  if (pulls && !(e->pull[i] <= t)) e->pull[i] = t;
}

void contact_guard_forget(engine* e, double t)
{
  for (int i = 0; i < e->model->contacts; i++)
    if (e->pull[i] > t) e->pull[i] = NAN;
}

void contact_guard_warn(const engine* e, double reached, base_notes* notes)
{
  const model* m = e->model;
  for (int i = 0; i < m->contacts; i++) {
    if (!(e->pull[i] <= reached)) continue;
    base_warning(notes, m->contact[i].place,
                 "the normal force of contact `%s` is negative at t = %.6g: without something that "
                 "pulls, the body would have left",
                 m->contact[i].name, e->pull[i]);
    base_help(notes,
              "`with release` behind the contact lets it go, `with hold` says that it holds");
  }
}
