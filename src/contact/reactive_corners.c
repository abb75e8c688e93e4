// The sides of corners that lie in the reactions, as in mu*abs(reaction(C)).
//
// No state tells them: sides are taken, the accelerations and reactions solved for, and the answer
// is asked whether it confirms them. It is seen when no answer does (no motion exists: Painleve
// 1895) and when several do (the motion is not determined). Corners that do not influence each
// other, like contacts of separate bodies, are decided apart from each other; within a group all
// combinations are tried, or, where the group is too large for that, those that a semi-smooth
// Newton iteration meets: the sides that an answer contradicts are exchanged.
#include "contact/contact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_enumerated = 10, most_answers = 4, most_exchanges = 200 };

typedef struct answer
{
  double *a, *lambda, *side;
} answer;

typedef struct decision
{
  engine* e;
  int count;  // of corners in the reactions
  int* list;  // their numbers
  int* group; // per corner of the list, the first of its group
  double *s, *room;
  answer start, found[most_answers];
} decision;

static void keep(const engine* e, const answer* x)
{
  memcpy(x->a, e->a, sizeof(double) * (size_t)e->n);
  memcpy(x->lambda, e->lambda, sizeof(double) * (size_t)e->m);
  memcpy(x->side, e->side, sizeof(double) * (size_t)e->program->modes.count);
}

static void put_back(engine* e, const answer* x)
{
  memcpy(e->a, x->a, sizeof(double) * (size_t)e->n);
  memcpy(e->lambda, x->lambda, sizeof(double) * (size_t)e->m);
  memcpy(e->side, x->side, sizeof(double) * (size_t)e->program->modes.count);
}

static decision begin(engine* e)
{
  const int n = e->n, m = e->m, corners = e->program->modes.count;
  const size_t each = (size_t)(n + m + corners);
  decision d = {.e = e,
                .list = base_alloc(sizeof(int) * 2 * (size_t)(corners + 1)),
                .room = base_alloc(sizeof(double) * (each * (most_answers + 1) + (size_t)corners))};
  d.group = d.list + corners + 1;
  for (int i = 0; i < corners; i++)
    if (e->program->modes.reactive[i]) {
      d.list[d.count++] = i;
      e->side[i] = e->side[i] > 0 ? 1 : -1;
    }
  for (int i = 0; i <= most_answers; i++) {
    double* at = d.room + each * (size_t)i;
    *(i ? &d.found[i - 1] : &d.start) = (answer){at, at + n, at + n + m};
  }
  d.s = d.room + each * (most_answers + 1);
  keep(e, &d.start);
  return d;
}

// switching functions at the answer in the input block
static const double* switching(engine* e)
{
  code_run(e->program->switches, e->in, e->work.switching, e->work.scratch);
  return e->work.switching;
}

// The forces as they are: where a reaction passes zero the reactions alone say nothing of what is
// small.
static double force_scale(const engine* e)
{
  double scale = 0;
  for (int k = 0; k < e->m; k++) scale = fmax(scale, fabs(e->lambda[k]));
  for (int i = 0; i < e->n; i++) scale = fmax(scale, fabs(e->F[i]));
  return scale;
}

// ---- groups -------------------------------------------------------------------------------------

static void join(decision* d, int i, int j)
{
  const int from = d->group[i], to = d->group[j];
  for (int k = 0; k < d->count; k++)
    if (d->group[k] == from) d->group[k] = to;
}

// Two corners belong together where the side of one moves the switching function of the other.
static void find_groups(decision* d)
{
  engine* e = d->e;
  for (int i = 0; i < d->count; i++) d->group[i] = i;
  const bool known = !engine_coupled_solve(e);
  if (known) memcpy(d->s, switching(e), sizeof(double) * (size_t)e->program->modes.count);
  for (int i = 0; i < d->count; i++) {
    put_back(e, &d->start);
    e->side[d->list[i]] *= -1;
    const bool solved = known && !engine_coupled_solve(e);
    const double *s = solved ? switching(e) : NULL, rounding = engine_no_force * force_scale(e);
    for (int j = 0; j < d->count; j++)
      if (j != i && (!solved || fabs(s[d->list[j]] - d->s[d->list[j]]) > rounding)) join(d, j, i);
  }
  put_back(e, &d->start);
}

// the corners of one group, into `own`; how many
static int members(const decision* d, int group, int* own)
{
  int count = 0;
  for (int i = 0; i < d->count; i++)
    if (d->group[i] == group) own[count++] = d->list[i];
  return count;
}

// ---- one group ----------------------------------------------------------------------------------

// exchange the sides that the reactions found contradict; how many
static int exchange(engine* e, int count, const int* own, bool change)
{
  const double *s = switching(e), rounding = engine_no_force * force_scale(e);
  int wrong = 0;
  for (int i = 0; i < count; i++) {
    if (!(s[own[i]] * e->side[own[i]] < -rounding)) continue;
    wrong++;
    if (change) e->side[own[i]] *= -1;
  }
  return wrong;
}

static bool same(const engine* e, const answer* x)
{
  double scale = 0, apart = 0;
  for (int i = 0; i < e->n; i++) {
    scale = fmax(scale, fmax(fabs(e->a[i]), fabs(x->a[i])));
    apart = fmax(apart, fabs(e->a[i] - x->a[i]));
  }
  return apart <= engine_same_answer * scale;
}

// the answers that confirm the sides of their group, the present sides first
static int enumerate(decision* d, int count, const int* own)
{
  engine* e = d->e;
  int answers = 0;
  for (unsigned pattern = 0; pattern < 1u << count && answers < most_answers; pattern++) {
    put_back(e, &d->start);
    for (int i = 0; i < count; i++)
      if (pattern >> i & 1) e->side[own[i]] *= -1;
    if (engine_coupled_solve(e) || exchange(e, count, own, false)) continue;
    bool known = false;
    for (int i = 0; i < answers; i++) known = known || same(e, &d->found[i]);
    if (!known) keep(e, &d->found[answers++]);
  }
  return answers;
}

// one answer of a large group: all contradicted sides at once, later one at a time
static int iterate(decision* d, int count, const int* own)
{
  engine* e = d->e;
  put_back(e, &d->start);
  for (int turn = 0; turn < most_exchanges; turn++) {
    if (engine_coupled_solve(e)) return 0;
    if (!exchange(e, count, own, false)) {
      keep(e, &d->found[0]);
      return 1;
    }
    if (turn < most_exchanges / 2) {
      exchange(e, count, own, true);
      continue;
    }
    int last = count;
    while (last > 0 && !exchange(e, 1, own + last - 1, false)) last--;
    if (last > 0) exchange(e, 1, own + last - 1, true);
  }
  return 0;
}

static int no_answer(engine* e, int count)
{
  if (count > most_enumerated)
    snprintf(e->reason, sizeof e->reason,
             "no accelerations and reactions were found that satisfy the laws of resistance of %d "
             "coupled contacts together",
             count);
  else if (count)
    snprintf(e->reason, sizeof e->reason,
             "no accelerations and reactions satisfy the laws of resistance together here: the "
             "motion does not exist (Painleve's paradox)");
  return 1;
}

// ---- reactions that are not determined ----------------------------------------------------------

// Of constraints that depend on each other only the sum of the reactions is determined; a force
// that depends on one of them is not. The rank without row k tells.
static int undetermined(engine* e)
{
  const int n = e->n;
  engine_equations(e);
  e->factored = false;
  int rank = -1;
  for (int without = -1; without < e->s->written; without++) {
    if (without >= 0 &&
        !(e->mode.active[without] && engine_is_ideal(e, without) && e->program->felt[without]))
      continue;
    int rows = 0;
    for (int k = 0; k < e->s->written; k++)
      if (e->mode.active[k] && engine_is_ideal(e, k) && k != without)
        memcpy(e->work.Ar + rows++ * n, e->A + k * n, sizeof(double) * (size_t)n);
    const int now = num_null_factor(e->work.null, rows, n, e->work.Ar, engine_redundant);
    if (without < 0) rank = now;
    if (without < 0 || now < rank) continue;
    snprintf(e->reason, sizeof e->reason,
             "a force depends on the reaction of `%s`, which is not determined: the constraint "
             "follows from the others",
             e->model->constraint[without].name);
    return 1;
  }
  return 0;
}

// What is hidden behind a servo constraint was derived with all constraints on that it moves with.
static int hidden_astray(engine* e)
{
  int hidden = -1;
  for (int k = e->s->written; k < e->m; k++)
    if (e->mode.active[k]) hidden = e->s->role[k].servo;
  for (int k = 0; k < e->s->written && hidden >= 0; k++) {
    if (e->mode.active[k] || !e->s->role[k].behind) continue;
    snprintf(e->reason, sizeof e->reason,
             "the constraint `%s` is off, and what is hidden behind `%s` is known only where it "
             "holds",
             e->model->constraint[k].name, e->model->constraint[hidden].name);
    return 1;
  }
  return 0;
}

// All answers that confirm themselves, the present sides first. Allocates: not for steps.
static int decide(engine* e)
{
  const bool rough = e->unilateral && e->unilateral->rough;
  if (e->mode.implied_count && e->program->forces_feel && !rough && undetermined(e)) return 1;
  if (hidden_astray(e)) return 1;
  engine_control_rows(e);
  decision d = begin(e);
  int failed = 0, own_count = 0, *own = base_alloc(sizeof(int) * (size_t)(d.count + 1));
  if (d.count > 1) find_groups(&d);
  if (d.count == 1) d.group[0] = 0;
  if (!d.count) failed = engine_coupled_solve(e);
  for (int g = 0; g < d.count && !failed; g++) {
    own_count = members(&d, g, own);
    if (!own_count) continue;
    const int answers =
        own_count > most_enumerated ? iterate(&d, own_count, own) : enumerate(&d, own_count, own);
    e->ambiguous = e->ambiguous || answers > 1;
    failed = !answers;
    // the other groups go on from here
    if (answers) put_back(e, &d.found[0]);
    keep(e, &d.start);
  }
  free(d.list);
  free(d.room);
  free(own);
  return failed ? no_answer(e, d.count ? own_count : 0) : 0;
}

int engine_coupled_accelerations(engine* e)
{
  return e->deciding ? decide(e) : engine_coupled_solve(e);
}
