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

// normal curvature of a form, or of its inverse, along x
static double along(const double f[3], const double x[2], bool inverse)
{
  const double square = x[0] * x[0] + x[1] * x[1];
  const double sum = f[0] * x[0] * x[0] + 2 * f[1] * x[0] * x[1] + f[2] * x[1] * x[1];
  return inverse ? square / sum : sum / square;
}

// curvatures of body and base in the direction in which they come nearest to each other: that which
// the relative form F, I - E S or B - S, takes to next to nothing
static void curvatures(engine* e, const model_contact* c, double* body, double* base)
{
  double f[2][3], F[4];
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 3; k++) f[i][k] = engine_value(e, c->shape[i][k]);
  const double *B = f[0], *S = f[1];
  if (c->by_radii) {
    F[0] = 1 - B[0] * S[0] - B[1] * S[1];
    F[1] = -B[0] * S[1] - B[1] * S[2];
    F[2] = -B[1] * S[0] - B[2] * S[1];
    F[3] = 1 - B[1] * S[1] - B[2] * S[2];
  } else {
    F[0] = B[0] - S[0];
    F[1] = F[2] = B[1] - S[1];
    F[3] = B[2] - S[2];
  }
  const bool first = hypot(F[0], F[1]) > hypot(F[2], F[3]);
  const double x[2] = {first ? F[1] : F[3], first ? -F[0] : -F[2]};
  *body = along(B, x, c->by_radii);
  *base = along(S, x, false);
}

// guard k of contact c is broken, or all but is
static void explain(engine* e, const model_contact* c, int k)
{
  const int room = (int)sizeof e->reason;
  int n = snprintf(e->reason, sizeof e->reason, "contact `%s`: %s", c->name, c->guard[k].reason);
  double body, base;
  if (c->guard[k].conforms && n < room) {
    curvatures(e, c, &body, &base);
    n += snprintf(e->reason + n, (size_t)(room - n),
                  " (curvature %.9g of the body, %.9g of the base)", rounded(body), rounded(base));
  }
  // the point, on the surfaces that have charts
  for (int j = 0; j < 4 && n < room; j++)
    if (c->given[j])
      n += snprintf(e->reason + n, (size_t)(room - n), "%s%s = %.9g",
                    j && c->given[j - 1] ? ", " : " at ", c->coord[j],
                    rounded(engine_value(e, c->value[j])));
}

bool contact_guard_blocks(engine* e)
{
  const model* m = e->model;
  const double* g = e->work.guard;
  if (m->contacts) code_run(e->program->guards, e->in, e->work.guard, e->work.scratch);
  for (int i = 0; i < m->contacts; i++)
    for (int k = 0; k < m->contact[i].guards; k++, g++) {
      const model_contact* c = &m->contact[i];
      if (!e->mode.active[c->gap] || !c->guard[k].conforms || *g > engine_all_but_line) continue;
      explain(e, c, k);
      return true;
    }
  return false;
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
      explain(e, c, k);
      return true;
    }
  return false;
}

int contact_guard_kept(engine* e)
{
  const model* m = e->model;
  const double* g = e->work.guard;
  int kept = 0;
  if (m->contacts) code_run(e->program->guards, e->in, e->work.guard, e->work.scratch);
  for (int i = 0; i < m->contacts; i++) {
    bool fine = true;
    for (int k = 0; k < m->contact[i].guards; k++, g++) {
      fine = fine && (!e->mode.active[m->contact[i].gap] || *g > 0);
      kept += fine;
    }
  }
  return kept;
}

bool contact_guard_tells(const engine* e, int i)
{
  const model_contact* c = &e->model->contact[i];
  // where rows depend on each other nothing tells how they share the load
  return c->pull != MODEL_PULL_HOLDS && !c->lands && e->mode.active[c->gap] &&
         !engine_implied_beside(e, c->gap);
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
