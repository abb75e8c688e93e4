// Which forces are the friction of a contact, and by which corners and reactions: found once.
#include "contact/beside.h"
#include "contact/contact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void* take(engine* e, int count, size_t size)
{
  return base_arena_take(e->arena, (size_t)(count + 1) * size);
}

// States of no special kind that are looked at, and how many of them have to tell: a gap has no
// direction inside of a core, so those further away are taken where the near ones tell nothing.
enum { most_trials = 15, tells_enough = 3 };

// a state of no special kind in which all contacts slip; the one before is given back by `restore`
static double* unsettle(engine* e, int trial)
{
  const double away = 0.1 * pow(4, trial / tells_enough);
  double* kept = base_alloc(sizeof(double) * (size_t)e->program->inputs);
  memcpy(kept, e->in, sizeof(double) * (size_t)e->program->inputs);
  e->in[0] += 0.1 * (trial + 1);
  for (int j = 0; j < e->n; j++) {
    e->q[j] += away * sin(1.3 * j + trial + 1);
    e->v[j] = cos(2.1 * j + 1.7 * trial + 0.4);
  }
  for (int k = 0; k < e->m; k++)
    if (e->model->constraint[k].sticks) e->holds[k] = 0;
  if (e->program->modes.count) contact_clear_sides(e);
  return kept;
}

static void restore(engine* e, double* kept)
{
  memcpy(e->in, kept, sizeof(double) * (size_t)e->program->inputs);
  free(kept);
}

// The only corner in the force of friction of contact i, by how that force changes with its side;
// -1: none, or several. A force of another kind may have corners of its own: they are there without
// the reaction, too; *shared: so is this one. False where the state of this trial tells nothing.
static bool find_corner_at(engine* e, int i, int trial, int* corner, bool* shared)
{
  const int n = e->n, corners = e->program->modes.count;
  int found = -1, count = 0;
  bool tells = true, others = false;
  double* kept = unsettle(e, trial);
  double* without = base_alloc(sizeof(double) * (size_t)(n * corners + 1));
  const double* slope = e->work.coupling_out + n * e->m;
  for (int k = 0; k < e->m; k++) e->lambda[k] = 0;
  code_run(e->program->coupling, e->in, e->work.coupling_out, e->work.scratch);
  memcpy(without, slope, sizeof(double) * (size_t)(n * corners));
  e->lambda[e->unilateral->of[i]] = 1;
  code_run(e->program->coupling, e->in, e->work.coupling_out, e->work.scratch);
  for (int c = 0; c < corners; c++) {
    bool feels = false, there = false;
    for (int j = 0; j < n; j++) {
      feels = feels || slope[j * corners + c] != without[j * corners + c];
      there = there || without[j * corners + c] != 0;
      tells = tells && isfinite(slope[j * corners + c]);
    }
    // a coefficient may have bends, as that of a speed has in abs(u): they are sides like others
    if (!feels || !e->program->modes.slides[c]) continue;
    found = c;
    others = there;
    count++;
  }
  restore(e, kept);
  free(without);
  *corner = count == 1 ? found : -1;
  *shared = count == 1 && others;
  return tells;
}

static int find_corner(engine* e, int i, bool* shared)
{
  int corner = -1;
  for (int trial = 0; trial < most_trials; trial++)
    if (find_corner_at(e, i, trial, &corner, shared)) break;
  return corner;
}

// F_j per unit of the reaction of contact i, as its law has it, with the state in the input block
static double share(engine* e, int i, int j)
{
  const model_constraint* c = contact_inequality_constraint(e, i);
  const double* out = e->work.slip_out + e->unilateral->slip[i];
  double size = 0, sum = 0;
  for (int t = 0; t < c->slips; t++) size = hypot(size, out[1 + t * (e->n + 1)]);
  for (int t = 0; t < c->slips; t++)
    sum += out[1 + t * (e->n + 1)] / size * out[2 + t * (e->n + 1) + j];
  return -c->sense * out[0] * sum;
}

// Do the forces at this state depend on the reaction otherwise than by its friction? `tells`: false
// where they have no value there.
static bool feels_otherwise_at(engine* e, int i, int trial, bool* tells)
{
  const expr reaction = e->model->reaction[e->unilateral->of[i]];
  bool other = false;
  double* kept = unsettle(e, trial);
  code_run(e->program->slips, e->in, e->work.slip_out, e->work.scratch);
  double size = 0;
  *tells = true;
  for (int j = 0; j < e->n; j++) size = fmax(size, fabs(share(e, i, j)));
  base_kept_lock(e->s->kept);
  for (int j = 0; j < e->n && !other && *tells; j++) {
    const expr slope = expr_diff(e->s->pool, e->s->F[j], reaction);
    const double off = fabs(engine_value(e, slope) - share(e, i, j));
    *tells = isfinite(off);
    other = expr_has(e->s->pool, slope, reaction) || off > engine_same_law * size;
  }
  base_kept_unlock(e->s->kept);
  restore(e, kept);
  return other;
}

// looked at with numbers, at states of no special kind
bool contact_slip_feels_otherwise(engine* e, int k)
{
  const int i = contact_inequality_find(e->unilateral, k);
  if (!e->unilateral || i < 0 || !contact_slip_count(e, i)) return true;
  int told = 0;
  for (int trial = 0; trial < most_trials && told < tells_enough; trial++) {
    bool tells;
    if (feels_otherwise_at(e, i, trial, &tells)) return true;
    told += tells;
  }
  return !told;
}

// corners of the forces that are there without reactions, too: a motion may be held at them
static bool holds_elsewhere(engine* e)
{
  const mech_system* s = e->s;
  bool found = false;
  expr *F = take(e, e->n, sizeof(expr)), *zero = take(e, e->m, sizeof(expr));
  base_kept_lock(s->kept);
  for (int k = 0; k < e->m; k++) zero[k] = expr_int(s->pool, 0);
  expr_substitute_all(s->pool, e->n, s->F, e->m, e->model->reaction, zero, F);
  const engine_corners left = engine_corners_find(s->pool, e->arena, e->n, F, 0, 0, NULL);
  base_kept_unlock(s->kept);
  for (int i = 0; i < left.count; i++) found = found || left.slides[i];
  return found;
}

// friction of contacts is all there is of forces that depend on reactions or hold a motion
static bool only_contacts_rub(engine* e)
{
  const contact_inequalities* u = e->unilateral;
  if (!e->program->forces_feel || e->least || holds_elsewhere(e)) return false;
  for (int k = 0; k < e->m; k++)
    if (!e->s->role[k].ideal || (e->program->felt[k] && contact_slip_feels_otherwise(e, k)))
      return false;
  for (int i = 0; i < u->count; i++)
    if (contact_slip_count(e, i) == 1 && e->program->felt[u->of[i]] && u->corner[i] < 0)
      return false;
  return true;
}

// In space friction has no corner by which all else could be decided: it is decided with all else,
// unless that is nonlinear in the accelerations, or one in the plane is not known by a corner of
// its own: a side that goes with the contact has no value for a force that acts without it.
static bool rubs_beside(engine* e)
{
  const contact_inequalities* u = e->unilateral;
  if (u->tangents < 2 || u->corner_shared || e->least || !e->program->forces_feel) return false;
  for (int i = 0; i < u->count; i++)
    if (contact_slip_count(e, i) == 1 && e->program->felt[u->of[i]] && u->corner[i] < 0)
      return false;
  return true;
}

// does sign(slip) stand in the forces, or sign(-slip)?
static double way_of_corner(engine* e, int i)
{
  const contact_inequalities* u = e->unilateral;
  double* kept = unsettle(e, 0);
  code_run(e->program->slips, e->in, e->work.slip_out, e->work.scratch);
  code_run(e->program->switches, e->in, e->work.switching, e->work.scratch);
  const bool same = e->work.switching[u->corner[i]] * e->work.slip_out[u->slip[i] + 1] > 0;
  restore(e, kept);
  return same ? 1 : -1;
}

void contact_slip_new(engine* e)
{
  contact_inequalities* u = e->unilateral;
  const int count = u->count;
  u->slip = take(e, count, sizeof(int));
  u->corner = take(e, count, sizeof(int));
  u->corner_sign = take(e, count, sizeof(double));
  u->mode = take(e, count, sizeof *u->mode);
  u->mode_was = take(e, count, sizeof *u->mode_was);
  u->guess = take(e, count, sizeof *u->guess);
  u->starts = take(e, count, sizeof(bool));
  u->starts_was = take(e, count, sizeof(bool));
  u->gripped = take(e, count, sizeof(bool));
  int at = 0;
  for (int i = 0; i < count; i++) {
    const int slips = contact_slip_count(e, i);
    bool shared = false;
    u->corner[i] = -1;
    u->slip[i] = slips ? at : -1;
    at += slips ? 1 + slips * (e->n + 1) : 0;
    // what holds both ways is decided as in space, where the sign of its force is open
    const int ways = slips && u->both[i] ? 2 : slips;
    u->tangents = ways > u->tangents ? ways : u->tangents;
    if (slips == 1 && e->program->forces_feel) u->corner[i] = find_corner(e, i, &shared);
    u->corner_shared = u->corner_shared || shared;
    if (u->corner[i] >= 0) u->corner_sign[i] = way_of_corner(e, i);
  }
  const bool alone = u->tangents && only_contacts_rub(e), beside = !alone && rubs_beside(e);
  const int all = count + (beside ? e->program->modes.count : 0), rows = all * u->tangents;
  u->T = take(e, rows * e->n, sizeof(double));
  u->dT = take(e, rows, sizeof(double));
  u->slip_now = take(e, rows, sizeof(double));
  u->mu = take(e, all, sizeof(double));
  u->both_now = take(e, all, sizeof(bool));
  u->rough = alone || beside;
  if (u->rough) u->contact = cone_contact_new(e->n, e->m, all, u->tangents);
  if (!beside) {
    contact_tree_new(e);
    return;
  }
  u->beside = contact_beside_new(e, count, u->tangents);
  u->guess = take(e, all, sizeof *u->guess);
  u->N = take(e, all * e->n, sizeof(double));
  u->d = take(e, all, sizeof(double));
}
