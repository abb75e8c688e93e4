// Impacts of unilateral constraints that close: velocities jump by impulses that obey the principle
// of least constraint with the restitution of each contact, friction within its cone.
#include "contact/contact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  most_rounds = 20,
  most_turns = 50,
  most_blows = 100,
  most_rails = 8
}; // blows: per contact, one after the other

// constraints that take part in an impact: closed ones of order 0, and those of order 1 at their
// limit or carried beyond it by the impact
static int impact_rows(engine* e, int* row)
{
  contact_inequalities* u = e->unilateral;
  int rows = 0;
  for (int i = 0; i < u->count; i++)
    if (u->present[i] && u->joins[i]) row[rows++] = i;
  return rows;
}

static bool closes(engine* e, int i)
{
  const contact_inequalities* u = e->unilateral;
  return u->present[i] && u->closed[i] && !u->both[i] &&
         contact_inequality_constraint(e, i)->order == 0 &&
         contact_inequality_rate(e, i) < -engine_noise_speed * contact_inequality_speed(e, i);
}

static bool violates(engine* e, int i)
{
  return e->unilateral->present[i] && contact_inequality_constraint(e, i)->order == 1 &&
         contact_inequality_rate(e, i) < -engine_noise_speed * contact_inequality_speed(e, i);
}

static int refuse_impact(engine* e, int i)
{
  snprintf(e->reason, sizeof e->reason,
           "the constraint `%s` is run into at this state (closing at %.6g): accelerations exist "
           "only after the impact",
           contact_inequality_name(e, i), -contact_inequality_rate(e, i));
  return 1;
}

// What holds both ways takes part in the impacts of all others at once: one after the other it
// would have to hold through each of them.
static bool holds_in_turn(engine* e, int count, const int* row)
{
  const contact_inequalities* u = e->unilateral;
  for (int r = 0; r < count; r++) {
    if (!u->both[row[r]]) continue;
    snprintf(e->reason, sizeof e->reason,
             "impacts one after the other are not modelled beside the friction in space of `%s`, "
             "which holds both ways",
             contact_inequality_name(e, row[r]));
    return true;
  }
  return false;
}

// Friction that is a jump of the forces alone has no impulse: does a constraint that rubs so take
// one along its gradient?
static bool rubs_without_impulse(engine* e)
{
  const contact_inequalities* u = e->unilateral;
  for (int k = 0; k < e->m; k++) {
    const model_constraint* c = &e->model->constraint[k];
    const double* row = e->LA + k * e->n;
    if (c->friction == EXPR_NONE || model_constraint_sticks(c) || !e->mode.active[k]) continue;
    if (fabs(u->kick[k]) * engine_scale_mobility(e, row) <=
        engine_noise_speed * engine_scale_speed(e, row))
      continue;
    snprintf(e->reason, sizeof e->reason,
             "an impact presses `%s`, which holds both ways and rubs along a line: its friction "
             "in impacts is not modelled",
             c->name);
    return true;
  }
  return false;
}

// the impulses, each to its constraint
static void add_up(engine* e, int count, const cone_impact_result* x)
{
  contact_inequalities* u = e->unilateral;
  int b = 0;
  for (int k = 0; k < e->m; k++)
    if (contact_inequality_binds(e, k, true, false)) u->kick[k] += x->P_B[b++];
  for (int r = 0; r < count; r++) {
    const int i = u->candidate[r];
    const model_constraint* c = contact_inequality_constraint(e, i);
    u->kick[u->of[i]] += u->sign[i] * x->P_N[r];
    for (int k = 0; k < c->slips && k < u->tangents && c->friction != EXPR_NONE; k++)
      u->kick[c->stick[k]] += x->P_T[r * u->tangents + k];
  }
}

static void evaluate(engine* e)
{
  engine_equations(e);
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
}

// Contacts whose bounce would be lower than `engine_least_hop`, against the size of the motion, do
// not bounce: (e g-)^2 / (2 |alpha|), with the acceleration alpha that brings them back. Where
// several clatter their times follow no law by which the end could be told, and near the rounding
// of the coordinates there would be none. Alone it would come to rest after 2 e |g-| / ((1 - e)
// |alpha|). Poisson's law gives impulses back, not speeds: what touches without approaching bounces
// by what its neighbours press it with, and no contact is low where one of those that close is not.
static void find_low(engine* e)
{
  contact_inequalities* u = e->unilateral;
  bool known = !contact_active_set_free(e);
  for (int i = 0; i < u->count; i++) {
    const int k = u->of[i];
    double alpha = -e->c[k];
    for (int j = 0; j < e->n; j++) alpha += e->A[k * e->n + j] * u->w[j];
    const double norm = contact_inequality_norm(e, e->A, k), back = -u->sign[i] * alpha / norm;
    const double speed = u->restitution[i] * contact_inequality_rate(e, i);
    const double height = engine_least_hop * contact_inequality_length(e, i);
    u->low[i] = known && u->restitution[i] < 1 && back > 0 && speed * speed < 2 * back * height;
    if (!u->low[i]) continue;
    u->hop[i] = 2 * fabs(speed) / ((1 - u->restitution[i]) * back);
    u->hop_speed[i] = fabs(speed);
  }
  bool poisson = false, high = false;
  for (int i = 0; i < u->count; i++) {
    poisson = poisson || (u->present[i] && u->closed[i] && u->law[i] == MODEL_POISSON);
    high = high || (closes(e, i) && !u->low[i]);
  }
  for (int i = 0; i < u->count && poisson && high; i++) u->low[i] = false;
}

// One solution of the impact that begins with the velocities u->v, its rows made linear about those
// in the input block, which it replaces.
static int solve(engine* e, int count, const int* row, cone_impact_result* x)
{
  contact_inequalities* u = e->unilateral;
  const int n = e->n;
  cone_impact_law law = CONE_IMPACT_NEWTON;
  bool sequential = false;
  for (int r = 0; r < count; r++) {
    contact_inequality_row(e, row[r], true, r);
    const bool bounces = contact_inequality_constraint(e, row[r])->order == 0 && !u->low[row[r]];
    u->e[r] = bounces && !u->both[row[r]] ? u->restitution[row[r]] : 0;
    u->both_now[r] = u->both[row[r]];
    if (u->law[row[r]] == MODEL_POISSON) law = CONE_IMPACT_POISSON;
    if (u->law[row[r]] == MODEL_MOREAU) law = CONE_IMPACT_MOREAU;
    if (u->law[row[r]] == MODEL_ENERGETIC) law = CONE_IMPACT_ENERGETIC;
    sequential = sequential || u->law[row[r]] == MODEL_SEQUENTIAL;
  }
  const bool in_turn = sequential || law == CONE_IMPACT_ENERGETIC;
  if (in_turn && holds_in_turn(e, count, row)) return 1;
  const int bilateral = contact_inequality_bilateral(e, true, false);
  contact_slip_slips(e, count, row);
  cone_impact_problem p = {.contact = contact_problem_of(e, bilateral, count),
                           .v = u->v,
                           .e = u->e,
                           .law = law,
                           .sequential = sequential,
                           .most = in_turn ? most_blows * count : 0};
  p.contact.both = u->both_now;
  *x = cone_impact_solve(u->impact, &p);
  memcpy(e->v, x->v, sizeof(double) * (size_t)n);
  if (x->status == CONE_CONTACT_SOLVED || x->status == CONE_CONTACT_SEVERAL) return 0;
  snprintf(e->reason, sizeof e->reason, "the impact on `%s` has no solution: %s",
           contact_inequality_name(e, row[0]), x->reason);
  return 1;
}

// How far the state in the input block, levels evaluated, is from what binds the velocities, each
// row against its own speeds.
// Inequalities of order 1 that it violates join the impact.
static double off(engine* e)
{
  contact_inequalities* u = e->unilateral;
  double most = 0;
  for (int i = 0; i < u->count; i++) {
    if (!violates(e, i)) continue;
    u->joins[i] = true;
    most = fmax(most, -contact_inequality_rate(e, i) / contact_inequality_speed(e, i));
  }
  for (int k = 0; k < e->m; k++) {
    if (!contact_inequality_binds(e, k, true, false)) continue;
    const double speed = engine_scale_speed(e, e->LA + k * e->n);
    if (e->f1[k] != 0) most = fmax(most, fabs(e->f1[k]) / speed);
  }
  return most;
}

static int refuse_velocities(engine* e, int count, const int* row)
{
  int first = 0;
  while (first < count - 1 && contact_inequality_constraint(e, row[first])->order > 0) first++;
  snprintf(e->reason, sizeof e->reason,
           "the impact on `%s` has no velocities after it that all constraints admit",
           contact_inequality_name(e, row[first]));
  return 1;
}

// Velocities after the impact of everything that closes, by one set of impulses for all:
// inequalities of order 1 that are open before it are taken in where it would carry the velocities
// beyond them, and constraints nonlinear in the velocities are met by Newton's method, their
// impulses along the gradients after the impact.
static int strike(engine* e, int* count, cone_impact_result* x)
{
  contact_inequalities* u = e->unilateral;
  int* row = u->candidate;
  bool met = false;
  for (int turn = 0; !met; turn++) {
    if (turn == most_turns) return refuse_velocities(e, *count, row);
    *count = impact_rows(e, row);
    if (solve(e, *count, row, x)) return 1;
    evaluate(e);
    double rest = off(e);
    met = rest <= engine_noise_solved;
    // once more where it is close: Newton's method doubles the digits
    if (!met && rest <= engine_noise_speed) {
      if (solve(e, *count, row, x)) return 1;
      evaluate(e);
      met = off(e) <= engine_noise_speed;
    }
  }
  return 0;
}

// Does the contact in row r take an impulse, more than a rounding of the largest, or of the speeds
// of the motion, as where another bounces all but no more? At the start no masses are seen yet.
static bool is_struck(const engine* e, int count, const cone_impact_result* x, int r)
{
  const double* N = e->unilateral->N + r * e->n;
  double most = 0;
  for (int i = 0; i < count; i++) most = fmax(most, x->P_N[i]);
  const double mobility = engine_scale_mobility(e, N);
  return x->P_N[r] > engine_no_impulse * most &&
         (mobility == 0 || x->P_N[r] * mobility > engine_noise_kick * engine_scale_speed(e, N));
}

// ---- links
// --------------------------------------------------------------------------------------- Rough
// bodies do not grip what they do not press: the links of a contact bind where it takes an impulse,
// and do not where it leaves without one. All sets of contacts whose links bind are tried, the
// largest first.

// contacts with links that are on, at most 8; how many
static int gripping(const engine* e, int* rail)
{
  const contact_inequalities* u = e->unilateral;
  int rails = 0;
  for (int j = 0; j < u->links; j++) {
    bool known = !e->mode.active[u->link[j]] || rails == most_rails;
    for (int k = 0; k < rails; k++) known = known || rail[k] == u->link_of[j];
    if (!known) rail[rails++] = u->link_of[j];
  }
  return rails;
}

static void switch_links(engine* e, int rails, const int* rail, unsigned off)
{
  const contact_inequalities* u = e->unilateral;
  for (int k = 0; k < rails; k++)
    for (int j = 0; j < u->links; j++)
      if (u->link_of[j] == rail[k])
        e->mode.active[u->link[j]] = u->link_present[j] && !(off >> k & 1);
}

// do contacts whose links are on press, and the others leave without an impulse?
static bool is_consistent(engine* e, int rails, const int* rail, unsigned off, int count,
                          const cone_impact_result* x)
{
  const contact_inequalities* u = e->unilateral;
  for (int k = 0; k < rails; k++) {
    bool presses = false;
    for (int r = 0; r < count; r++)
      if (u->candidate[r] == rail[k]) presses = is_struck(e, count, x, r);
    const double still = engine_noise_speed * contact_inequality_speed(e, rail[k]);
    if (off >> k & 1 ? presses || !(contact_inequality_rate(e, rail[k]) > still) : !presses)
      return false;
  }
  return true;
}

static int strike_with(engine* e, int rails, const int* rail, unsigned off, int* count,
                       cone_impact_result* x)
{
  switch_links(e, rails, rail, off);
  memcpy(e->v, e->unilateral->v, sizeof(double) * (size_t)e->n);
  evaluate(e);
  return strike(e, count, x);
}

// Where no set is consistent, links that are on bind whether their contact presses or not.
static int strike_linked(engine* e, int* count, cone_impact_result* x)
{
  int rail[most_rails];
  const int rails = gripping(e, rail);
  for (int many = 0; many <= rails; many++)
    for (unsigned off = 0; off < 1u << rails; off++) {
      if (__builtin_popcount(off) != many) continue;
      if (!strike_with(e, rails, rail, off, count, x) &&
          is_consistent(e, rails, rail, off, *count, x))
        return 0;
    }
  return strike_with(e, rails, rail, 0, count, x);
}

static int impact(engine* e)
{
  contact_inequalities* u = e->unilateral;
  int count = 0;
  cone_impact_result x;
  memcpy(u->v, e->v, sizeof(double) * (size_t)e->n);
  find_low(e);
  for (int i = 0; i < u->count; i++) {
    const int order = contact_inequality_constraint(e, i)->order;
    const double still = engine_noise_speed * contact_inequality_speed(e, i);
    u->joins[i] = order == 0 ? u->closed[i] : order == 1 && contact_inequality_rate(e, i) <= still;
  }
  if (u->links ? strike_linked(e, &count, &x) : strike(e, &count, &x)) return 1;
  e->ambiguous = e->ambiguous || x.status == CONE_CONTACT_SEVERAL;
  for (int r = 0; r < count; r++)
    if (is_struck(e, count, &x, r)) u->impulse[u->candidate[r]] += x.P_N[r];
  add_up(e, count, &x);
  u->struck = true;
  if (x.gained) u->gained += x.work;
  return 0;
}

int contact_impact_settle(engine* e, bool impacts)
{
  contact_inequalities* u = e->unilateral;
  for (int round = 0; round < most_rounds; round++) {
    evaluate(e);
    int worst = -1;
    for (int i = 0; i < u->count; i++)
      if (closes(e, i) || violates(e, i)) worst = i;
    if (worst < 0) return 0;
    if (!impacts) return refuse_impact(e, worst);
    if (impact(e) || rubs_without_impulse(e)) return 1;
  }
  snprintf(e->reason, sizeof e->reason, "impacts follow each other without end at this instant");
  return 1;
}
