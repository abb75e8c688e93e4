// Painleve's paradox: contacts that slip where no reactions, or several, obey the laws.
//
// With friction the normal acceleration of a contact that slips answers its force by p = W_nn -
// mu W_nt. Where p comes to zero on the way the force grows without bound: the contact jams.
// Beyond it, p < 0, there is no motion, or there are several. What rigid bodies do there is an
// impact without collision (Lecornu 1905; Genot, Brogliato 1999): velocities jump though nothing
// approaches, until the slip has ended. Its impulses are admissible just there: sticking needs
// P_T = -(W_nn/W_nt) P_N, and that is within the cone where p <= 0.
#include "contact/paradox.h"
#include "contact/contact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- where it is met ----------------------------------------------------------------------------

// does the contact in row r of the problem slip?
static bool slips(const contact_inequalities* u, int r)
{
  double slip = 0;
  for (int k = 0; k < u->tangents; k++) slip = hypot(slip, u->slip_now[r * u->tangents + k]);
  return slip > 0;
}

// of the contacts in `row` that slip, the one nearest to the paradox, as a place in `row`; -1
static int nearest(engine* e, int count, const int* row, double* margin)
{
  const contact_inequalities* u = e->unilateral;
  cone_contact_problem p;
  *margin = INFINITY;
  if (contact_slip_problem(e, count, row, false, &p)) return -1;
  // behind the contacts stand jumps of forces that take part, because the motion rests at them
  double* all = base_alloc(sizeof(double) * (size_t)(p.contacts + 1));
  cone_contact_mode* mode = base_alloc(sizeof *mode * (size_t)(p.contacts + 1));
  int found = -1;
  // what touches and does not slip is held, as far as nothing else is decided yet
  for (int r = 0; r < count; r++) {
    const bool open = u->mode[row[r]] == CONE_CONTACT_OPEN;
    mode[r] = slips(u, r) ? CONE_CONTACT_SLIP : open ? CONE_CONTACT_STICK : u->mode[row[r]];
  }
  for (int r = count; r < p.contacts; r++) mode[r] = CONE_CONTACT_STICK;
  const bool known = cone_contact_margins(u->contact, &p, mode, all);
  for (int r = 0; r < count && known; r++) {
    if (!slips(u, r) || !(all[r] < *margin)) continue;
    *margin = all[r];
    found = r;
  }
  free(all);
  free(mode);
  return found;
}

static int nearest_of_parts(engine* e, double* margin)
{
  const contact_inequalities* u = e->unilateral;
  int found = -1;
  *margin = INFINITY;
  for (int p = 0; p < e->parts; p++) {
    if (!e->part[p].e->unilateral) continue;
    double own;
    const int i = contact_paradox_nearest(engine_part_enter(e, p), &own);
    engine_part_leave(e, p);
    if (i < 0 || !(own < *margin)) continue;
    *margin = own;
    for (int j = 0; j < u->count; j++)
      if (u->part[j] == p && u->number[j] == i) found = j;
  }
  return found;
}

int contact_paradox_nearest(engine* e, double* margin)
{
  contact_inequalities* u = e->unilateral;
  if (u && e->parts) return nearest_of_parts(e, margin);
  *margin = INFINITY;
  if (!u || !u->rough) return -1;
  const int count = contact_slip_active(e), found = nearest(e, count, u->candidate, margin);
  return found < 0 ? -1 : u->candidate[found];
}

// The margin of contact i at the place q + h v: how it changes with a coordinate, and where along
// the motion it is zero. Coordinates that it depends on, with that place, into the text.
static void tell_place(engine* e, char* text, size_t room)
{
  const int n = e->n;
  double *slope = base_alloc(sizeof(double) * (size_t)(n + 1)), here, rate = 0, most = 0;
  int at = 0;
  contact_paradox_nearest(e, &here);
  for (int j = 0; j < n; j++) {
    const double kept = e->q[j], h = engine_difference * fmax(e->scales->place[j], fabs(kept));
    double above, below;
    e->q[j] = kept + h;
    contact_paradox_nearest(e, &above);
    e->q[j] = kept - h;
    contact_paradox_nearest(e, &below);
    e->q[j] = kept;
    slope[j] = h > 0 && isfinite(above - below) ? (above - below) / (2 * h) : 0;
    rate += slope[j] * e->v[j];
    most = fmax(most, fabs(slope[j]) * e->scales->place[j]);
  }
  const double left = rate != 0 ? -here / rate : 0;
  const double dt = fabs(left) <= engine_moment * engine_scale_quick(e) ? left : 0;
  *text = 0;
  for (int j = 0; j < n && (size_t)at < room; j++) {
    if (!(fabs(slope[j]) * e->scales->place[j] > engine_difference * most)) continue;
    at += snprintf(text + at, room - (size_t)at, "%s%s = %.10g", at ? ", " : " at ",
                   expr_name(e->s->pool, e->s->q[j]), e->q[j] + dt * e->v[j]);
  }
  free(slope);
}

void contact_paradox_explain(engine* e, int i)
{
  char place[120];
  int own = i;
  engine* x = contact_inequality_place(e, &own);
  double margin;
  tell_place(e, place, sizeof place);
  contact_paradox_nearest(e, &margin);
  code_run(x->program->slips, x->in, x->work.slip_out, x->work.scratch);
  snprintf(e->reason, sizeof e->reason,
           "Painleve's paradox: contact `%s` jams, slipping with friction mu = %.6g: its normal "
           "force grows without bound%s; `beyond paradox: impact` goes on from there",
           contact_inequality_name(e, i), x->work.slip_out[x->unilateral->slip[own]], place);
}

// ---- the impact without collision ---------------------------------------------------------------

// rows of contact i as equations behind the first `rows`: no gap, no slip; how many there are then
static int hold_contact(engine* e, int i, int rows)
{
  contact_inequalities* u = e->unilateral;
  const int n = e->n, slips = contact_slip_count(e, i);
  contact_inequality_row(e, i, true, 0);
  contact_slip_slips(e, 1, &i);
  memcpy(u->NB + rows * n, u->N, sizeof(double) * (size_t)n);
  u->dB[rows++] = u->d[0];
  memcpy(u->NB + rows * n, u->T, sizeof(double) * (size_t)(slips * n));
  for (int k = 0; k < slips; k++) u->dB[rows++] = u->dT[k];
  return rows;
}

// the other closed contacts
static int others(const engine* e, int i, int* row)
{
  const contact_inequalities* u = e->unilateral;
  int count = 0;
  for (int j = 0; j < u->count; j++)
    if (j != i && u->present[j] && u->closed[j] && contact_inequality_constraint(e, j)->order == 0)
      row[count++] = j;
  return count;
}

static void momenta(const engine* e, double* F)
{
  for (int a = 0; a < e->n; a++) {
    F[a] = 0;
    for (int b = 0; b < e->n; b++) F[a] += e->M[a * e->n + b] * e->v[b];
  }
}

static cone_contact_result solve(engine* e, int rows, int count, const int* row, const double* F)
{
  contact_inequalities* u = e->unilateral;
  for (int r = 0; r < count; r++) contact_inequality_row(e, row[r], true, r);
  contact_slip_slips(e, count, row);
  cone_contact_problem p = contact_problem_of(e, rows, count);
  p.F = F;
  return cone_contact_solve(u->contact, &p, false);
}

// the impulses of a solution whose equations from `first` on are those of contact i
static void add_up(engine* e, int i, int first, int count, const int* row,
                   const cone_contact_solution* s)
{
  contact_inequalities* u = e->unilateral;
  const model_constraint* c = contact_inequality_constraint(e, i);
  int b = 0;
  for (int k = 0; k < e->m; k++)
    if (contact_inequality_binds(e, k, true, true)) u->kick[k] += s->lambda_B[b++];
  u->impulse[i] += s->lambda_B[first];
  u->kick[u->of[i]] += u->sign[i] * s->lambda_B[first];
  for (int k = 0; k < contact_slip_count(e, i); k++)
    u->kick[c->stick[k]] += s->lambda_B[first + 1 + k];
  for (int r = 0; r < count; r++) {
    u->impulse[row[r]] += s->lambda_N[r];
    u->kick[u->of[row[r]]] += u->sign[row[r]] * s->lambda_N[r];
    for (int k = 0; k < contact_slip_count(e, row[r]); k++)
      u->kick[contact_inequality_constraint(e, row[r])->stick[k]] +=
          s->lambda_T[r * u->tangents + k];
  }
}

// Poisson's law gives e of the impulse back; sticking lasts, the gap opens.
static void give_back(engine* e, int i, int first, double P, double* v)
{
  contact_inequalities* u = e->unilateral;
  const int n = e->n, slips = contact_slip_count(e, i);
  const double share = u->law[i] == MODEL_POISSON ? u->restitution[i] : 0;
  if (!(share > 0)) return;
  double *F = base_alloc(sizeof(double) * (size_t)(2 * n + 1)), *N = F + n;
  memcpy(N, u->NB + first * n, sizeof(double) * (size_t)n);
  memcpy(e->v, v, sizeof(double) * (size_t)n);
  momenta(e, F);
  for (int j = 0; j < n; j++) F[j] += share * P * N[j];
  memmove(u->NB + first * n, u->NB + (first + 1) * n, sizeof(double) * (size_t)(slips * n));
  memmove(u->dB + first, u->dB + first + 1, sizeof(double) * (size_t)slips);
  const cone_contact_result x = solve(e, first + slips, 0, NULL, F);
  if (x.count) {
    memcpy(v, x.solution[0].w, sizeof(double) * (size_t)n);
    u->impulse[i] += share * P;
    u->kick[u->of[i]] += u->sign[i] * share * P;
    for (int k = 0; k < slips; k++)
      u->kick[contact_inequality_constraint(e, i)->stick[k]] += x.solution[0].lambda_B[first + k];
  }
  free(F);
}

// the impulses press, and what ends the slip is friction
static bool is_admissible(const engine* e, int i, const double* P, double mu)
{
  double T = 0;
  for (int k = 0; k < contact_slip_count(e, i); k++) T = hypot(T, P[1 + k]);
  return P[0] > 0 && T <= (1 + engine_jammed) * mu * P[0];
}

int contact_paradox_strike(engine* e, int i)
{
  contact_inequalities* u = e->unilateral;
  const int n = e->n;
  engine_equations(e);
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  const int first = contact_inequality_bilateral(e, true, true), rows = hold_contact(e, i, first);
  const double mu = u->mu[0];
  int* row = base_alloc(sizeof(int) * (size_t)(u->count + 1));
  double* F = base_alloc(sizeof(double) * (size_t)(2 * n + 1));
  const int count = others(e, i, row);
  momenta(e, F);
  const cone_contact_result x = solve(e, rows, count, row, F);
  const bool fine = x.count && is_admissible(e, i, x.solution[0].lambda_B + first, mu);
  if (fine) {
    const double P = x.solution[0].lambda_B[first];
    memcpy(F, x.solution[0].w, sizeof(double) * (size_t)n);
    add_up(e, i, first, count, row, &x.solution[0]);
    give_back(e, i, first, P, F);
    memcpy(e->v, F, sizeof(double) * (size_t)n);
    u->struck = true;
    u->jammed = i;
  } else {
    snprintf(e->reason, sizeof e->reason,
             "Painleve's paradox: no impact without collision ends the slip of `%s`",
             contact_inequality_name(e, i));
  }
  free(F);
  free(row);
  return !fine;
}

int contact_paradox_beyond(engine* e)
{
  contact_inequalities* u = e->unilateral;
  double margin;
  if (e->beyond != MODEL_BEYOND_IMPACT || u->jammed >= 0) return -1;
  const int found = nearest(e, u->candidates, u->candidate, &margin);
  return found >= 0 && margin < engine_jammed ? u->candidate[found] : -1;
}

// ---- several answers ----------------------------------------------------------------------------

static const char* const words[] = {[CONE_CONTACT_OPEN] = "opens",
                                    [CONE_CONTACT_STICK] = "sticks",
                                    [CONE_CONTACT_SLIP] = "slips",
                                    [CONE_CONTACT_SLIP_BACK] = "slips back"};

void contact_paradox_list(engine* e, const cone_contact_result* x)
{
  contact_inequalities* u = e->unilateral;
  const size_t room = sizeof u->answers;
  size_t at = 0;
  *u->answers = 0;
  for (int s = 0; s < x->count && x->count > 1; s++)
    for (int r = 0; r < u->candidates && at < room; r++) {
      const cone_contact_mode mode = x->solution[s].mode[r];
      const double N = x->solution[s].lambda_N[r];
      at += (size_t)snprintf(u->answers + at, room - at, "%s`%s` %s",
                             s && !r ? "; or "
                             : r     ? ", "
                                     : "",
                             contact_inequality_name(e, u->candidate[r]), words[mode]);
      if (mode != CONE_CONTACT_OPEN && at < room)
        at += (size_t)snprintf(u->answers + at, room - at, " (pressed by %.4g)", N);
    }
}

const char* contact_paradox_answers(engine* e)
{
  for (int p = 0; p < e->parts; p++)
    if (e->part[p].e->unilateral && *e->part[p].e->unilateral->answers)
      return e->part[p].e->unilateral->answers;
  return e->unilateral ? e->unilateral->answers : "";
}
