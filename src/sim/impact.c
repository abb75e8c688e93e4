// Impacts of unilateral constraints that close: velocities jump by impulses that obey the principle
// of least constraint with the restitution of each contact, friction within its cone.
#include "sim/unilateral.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_rounds = 20, most_blows = 100 }; // blows: per contact, one after the other

// constraints that take part in an impact: closed ones of order 0, and those of order 1 at or
// beyond their limit
static int impact_rows(sim_engine* e, int* row)
{
  sim_unilateral* u = e->unilateral;
  int rows = 0;
  for (int i = 0; i < u->count; i++) {
    const int order = sim_unilateral_constraint(e, i)->order;
    const bool touches = order == 0 ? u->closed[i] : order == 1;
    if (!u->present[i] || !touches) continue;
    if (order == 1 && sim_unilateral_rate(e, i) > sim_speed_noise * sim_unilateral_speed(e))
      continue;
    row[rows++] = i;
  }
  return rows;
}

static bool closes(sim_engine* e, int i)
{
  const sim_unilateral* u = e->unilateral;
  return u->present[i] && u->closed[i] && sim_unilateral_constraint(e, i)->order == 0 &&
         sim_unilateral_rate(e, i) < -sim_speed_noise * sim_unilateral_speed(e);
}

static bool violates(sim_engine* e, int i)
{
  return e->unilateral->present[i] && sim_unilateral_constraint(e, i)->order == 1 &&
         sim_unilateral_rate(e, i) < -sim_speed_noise * sim_unilateral_speed(e);
}

static int refuse_impact(sim_engine* e, int i)
{
  snprintf(e->reason, sizeof e->reason,
           "the constraint `%s` is run into at this state (closing at %.6g): accelerations exist "
           "only after the impact",
           sim_unilateral_constraint(e, i)->name, -sim_unilateral_rate(e, i));
  return 1;
}

// the impulses, each to its constraint
static void add_up(sim_engine* e, int count, const num_impact_result* x)
{
  sim_unilateral* u = e->unilateral;
  int b = 0;
  for (int k = 0; k < e->m; k++)
    if (sim_unilateral_binds(e, k, true)) u->kick[k] += x->P_B[b++];
  for (int r = 0; r < count; r++) {
    const int i = u->candidate[r];
    const model_constraint* c = sim_unilateral_constraint(e, i);
    u->kick[u->of[i]] += u->sign[i] * x->P_N[r];
    for (int k = 0; k < c->slips && k < u->tangents && c->friction != EXPR_NONE; k++)
      u->kick[c->stick[k]] += x->P_T[r * u->tangents + k];
  }
}

// do rows A v + d move by themselves, d being more than the rounding of what it was made from?
static bool moves(int rows, int n, const double* A, const double* d, const double* v)
{
  for (int i = 0; i < rows; i++) {
    double size = 0;
    for (int j = 0; j < n; j++) size += fabs(A[i * n + j] * v[j]);
    if (fabs(d[i]) > 1e-12 * size) return true;
  }
  return false;
}

// Energy that the law of impact made: none is believed where surfaces move, which may well give
// some.
static double made(const num_impact_problem* p, const num_impact_result* x)
{
  const num_contact_problem* c = &p->contact;
  if (!x->gained || moves(c->b, c->n, c->N_B, c->d_B, p->v) ||
      moves(c->contacts, c->n, c->N, c->d_N, p->v) ||
      moves(c->contacts * c->tangents, c->n, c->T, c->d_T, p->v))
    return 0;
  return x->energy_after - x->energy_before;
}

// velocities after the impact of everything that closes
static int impact(sim_engine* e)
{
  sim_unilateral* u = e->unilateral;
  const int n = e->n;
  int* row = u->candidate;
  const int count = impact_rows(e, row);
  num_impact_law law = NUM_IMPACT_NEWTON;
  bool sequential = false;
  for (int r = 0; r < count; r++) {
    sim_unilateral_row(e, row[r], true, r);
    u->e[r] = sim_unilateral_constraint(e, row[r])->order == 0 ? u->restitution[row[r]] : 0;
    if (u->law[row[r]] == MODEL_POISSON) law = NUM_IMPACT_POISSON;
    if (u->law[row[r]] == MODEL_MOREAU) law = NUM_IMPACT_MOREAU;
    sequential = sequential || u->law[row[r]] == MODEL_SEQUENTIAL;
  }
  const int bilateral = sim_unilateral_bilateral(e, true);
  memcpy(u->v, e->v, sizeof(double) * (size_t)n);
  sim_rough_slips(e, count, row);
  const num_impact_problem p = {.contact = {.n = n,
                                            .tangents = u->tangents,
                                            .T = u->T,
                                            .d_T = u->dT,
                                            .mu = u->mu,
                                            .b = bilateral,
                                            .contacts = count,
                                            .M = e->M,
                                            .N_B = u->NB,
                                            .d_B = u->dB,
                                            .N = u->N,
                                            .d_N = u->d},
                                .v = u->v,
                                .e = u->e,
                                .law = law,
                                .sequential = sequential,
                                .most = sequential ? most_blows * count : 0};
  const num_impact_result x = num_impact_solve(u->impact, &p);
  if (x.status != NUM_CONTACT_SOLVED && x.status != NUM_CONTACT_SEVERAL) {
    snprintf(e->reason, sizeof e->reason, "the impact on `%s` has no solution: %s",
             sim_unilateral_constraint(e, row[0])->name, x.reason);
    return 1;
  }
  e->ambiguous = e->ambiguous || x.status == NUM_CONTACT_SEVERAL;
  memcpy(e->v, x.v, sizeof(double) * (size_t)n);
  for (int r = 0; r < count; r++) u->impulse[row[r]] += x.P_N[r];
  add_up(e, count, &x);
  u->gained += made(&p, &x);
  return 0;
}

int sim_impact_settle(sim_engine* e, bool impacts)
{
  sim_unilateral* u = e->unilateral;
  for (int round = 0; round < most_rounds; round++) {
    code_run(e->eom, e->in, e->eom_out, e->scratch);
    code_run(e->levels, e->in, e->level_out, e->scratch);
    int worst = -1;
    for (int i = 0; i < u->count; i++)
      if (closes(e, i) || violates(e, i)) worst = i;
    if (worst < 0) return 0;
    if (!impacts) return refuse_impact(e, worst);
    if (impact(e)) return 1;
  }
  snprintf(e->reason, sizeof e->reason, "impacts follow each other without end at this instant");
  return 1;
}
