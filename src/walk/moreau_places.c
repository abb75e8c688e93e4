// Places at the end of a step, put back where a gap is closed beyond zero.
//
// Laws of velocities leave a gap closed by up to h |u|/2 where something lands, and let it drift
// where surfaces are curved. The nearest places, in the metric of W, with no gap below zero are
// q + W^-1 A^T x,  0 <= x, A W^-1 A^T x + gap >= 0, complementary (Schindler, Rezaei and Glocker;
// Acary 2013): the problem of a step once more, with gaps in the place of velocities and without
// friction. Gaps are not linear in places, so there are a few turns; and where places have moved,
// other points, sides and edges are the nearest, so each turn finds them anew.
//
// Lifting what lies on top costs energy (moreau_energy.c). Where nobody can pay for it, bodies go
// back on their way as far as they must; if they overlap there with others that have moved on, all
// of this is done again, a few times.
#include "contact/contact.h"
#include "walk/moreau.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { most_turns = 40, most_ways_back = 3 };
static const double nearby = 4; // of the deepest overlap: gaps that lifting may close

static double allowed_at(const walk_moreau* s, int k)
{
  const int from = s->A.start[k], count = s->A.start[k + 1] - from;
  return walk_moreau_allowed(s, count, s->A.column + from, s->A.value + from);
}

static double allowed_touch(const walk_moreau* s, const cone_touch* c)
{
  const cone_touches* list = &s->touches.end;
  return walk_moreau_allowed(s, c->columns, list->column.at + c->column, list->value.at + c->value);
}

// ---- gaps at the end ----------------------------------------------------------------------------

// contacts that come and go: found, also those with gaps `within`, or those found before
static int find(walk_moreau* s, bool again, double within)
{
  walk_touches* u = &s->touches;
  const double t = s->t + s->h;
  const char* reason = "contacts could not be found";
  if (!u->by) return 0;
  if (!again) u->end.touch.n = u->end.column.n = u->end.value.n = 0;
  const int failed =
      again ? u->by->look(u->by->context, t, s->q_end, &u->end, &reason)
            : u->by->find(u->by->context, t, s->q_end, s->v_end, s->h, within, &u->end, &reason);
  if (failed) snprintf(s->e->reason, sizeof s->e->reason, "%s", reason);
  return failed;
}

// the limits, and these
static int look(walk_moreau* s, bool again)
{
  walk_moreau_look(s, s->t + s->h, s->q_end, s->v_end);
  return find(s, again, 0);
}

static double deepest_touch(const walk_moreau* s)
{
  double most = 0;
  for (int i = 0; i < s->touches.end.touch.n; i++)
    most = fmax(most, -s->touches.end.touch.at[i].gap);
  return most;
}

// the deepest overlap of all; *over: one is more than allowed
static double deepest(walk_moreau* s, bool* over)
{
  const contact_inequalities* u = s->e->unilateral;
  double most = 0;
  *over = false;
  for (int i = 0; u && i < u->count; i++) {
    const int k = u->of[i];
    if (!u->present[i] || u->both[i] || s->e->model->constraint[k].order) continue;
    const double depth = -u->sign[i] * s->f0[k];
    if (depth > most) most = depth;
    *over = *over || (depth > 0 && depth > allowed_at(s, k));
  }
  s->touches.deepest = deepest_touch(s);
  for (int i = 0; i < s->touches.end.touch.n; i++) {
    const cone_touch* c = &s->touches.end.touch.at[i];
    *over = *over || (c->gap < 0 && -c->gap > allowed_touch(s, c));
  }
  return fmax(most, s->touches.deepest);
}

// ---- rows of places -----------------------------------------------------------------------------

static void add_gap(walk_moreau* s, int k, double sign, double shift, cone_many_kind kind)
{
  const int row = walk_moreau_add_row(s, kind, k, sign, shift, 0), from = s->A.start[k];
  s->row[row].count = s->A.start[k + 1] - from;
  s->row[row].column = s->A.column + from;
  s->row[row].value = s->A.value + from;
}

// half of what is allowed stays, so that what lies still is left alone
static void choose_rows(walk_moreau* s, double near)
{
  const engine* e = s->e;
  const contact_inequalities* u = e->unilateral;
  s->rows = 0;
  for (int r = 0; r < e->mode.rows; r++) {
    const int k = e->mode.row[r];
    if (e->model->constraint[k].order == 0) add_gap(s, k, 1, s->f0[k], CONE_MANY_EQUAL);
  }
  for (int i = 0; u && i < u->count; i++) {
    const int k = u->of[i];
    const double gap = u->sign[i] * s->f0[k];
    if (!u->present[i] || u->both[i] || e->model->constraint[k].order || gap > near) continue;
    add_gap(s, k, u->sign[i], gap + allowed_at(s, k) / 2, CONE_MANY_NORMAL);
  }
  for (int i = 0; i < s->touches.end.touch.n; i++) {
    const cone_touches* list = &s->touches.end;
    const cone_touch* c = &list->touch.at[i];
    if (c->gap > near) continue;
    const double shift = c->gap + allowed_touch(s, c) / 2;
    const int of = walk_moreau_first_touch(s) + CONE_TOUCH_ROWS * i,
              row = walk_moreau_add_row(s, CONE_MANY_NORMAL, of, 1, shift, 0);
    s->row[row].count = c->columns;
    s->row[row].column = list->column.at + c->column;
    s->row[row].value = list->value.at + c->value;
  }
}

// W^-1 A^T x, added to s->dv
static void move(walk_moreau* s)
{
  for (int row = 0; row < s->rows; row++)
    for (int p = s->row[row].spread; p < s->row[row + 1].spread && s->x[row] != 0; p++)
      s->dv[s->reached.at[p]] += s->spread.at[p] * s->x[row];
}

// ---- energy -------------------------------------------------------------------------------------

static double energy(walk_moreau* s)
{
  double out[engine_energies];
  engine_state(s->e, s->t + s->h, s->q_end, s->v_end);
  code_run(s->e->program->energy, s->e->in, out, s->e->work.scratch);
  return out[0];
}

// places are lifted where gaps are closed beyond zero by up to `depth`; *over: some are left
static int lift(walk_moreau* s, double depth, bool* over)
{
  *over = true;
  for (int turn = 0; turn < most_turns && *over; turn++) {
    const double fault = s->fault, allowed = s->allowed;
    if (find(s, false, nearby * depth)) return 1;
    choose_rows(s, nearby * depth);
    if (walk_moreau_assemble(s)) return 1;
    walk_moreau_solve(s);
    s->fault = fault;
    s->allowed = allowed;
    move(s);
    walk_moreau_join_groups(s);
    for (int i = 0; i < s->n; i++) s->q_end[i] = s->q_look[i] + s->dv[i];
    walk_moreau_meet_norms(s);
    if (look(s, false)) return 1;
    depth = deepest(s, over);
  }
  return 0;
}

static int put_back(walk_moreau* s)
{
  bool over;
  if (!s->e->unilateral && !s->touches.by) return 0;
  walk_moreau_meet_norms(s);
  // without equations nothing has moved since the limits were looked at
  if (s->e->mode.rows ? look(s, false) : find(s, false, 0)) return 1;
  double depth = deepest(s, &over);
  if (!walk_moreau_find_groups(s) && !over) return 0;
  memset(s->dv, 0, sizeof(double) * (size_t)s->n);
  memcpy(s->q_look, s->q_end, sizeof(double) * (size_t)s->n);
  if (!over && !walk_moreau_owe(s)) return 0;
  const double before = energy(s);
  for (int way = 0;; way++) {
    if (over && lift(s, depth, &over)) return 1;
    if (way == most_ways_back || !walk_moreau_go_back(s)) break;
    if (look(s, false)) return 1;
    depth = deepest(s, &over);
    if (!over) break;
  }
  walk_moreau_pay(s);
  s->released += energy(s) - before;
  if (look(s, true)) return 1;
  s->touches.deepest = deepest_touch(s);
  return 0;
}

int walk_moreau_put_back(walk_moreau* s)
{
  s->unpaid = 0;
  if (put_back(s)) return 1;
  s->overlap = fmax(s->overlap, s->touches.deepest);
  return 0;
}
