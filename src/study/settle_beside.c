// The equilibrium or steady motion next to a state, beside inequalities and friction.
#include "study/stability.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// how far below nothing a gap or a reaction may be
static const double still_holds = 1e-9;
// a way to see which gaps a fall closes, and to take gradients by
static const double a_little = 1e-6;
// square of the share of a gradient that others leave where it depends on them
static const double depends = 1e-8;

// At rest an inequality that presses is an equation, and one that does not is not there.
//
// Friction holds any force below its bound, so that places at rest fill whole regions. Where it
// holds what is guessed, that is one of them. Else it does nothing in the equilibrium found: one
// without friction is one with it.
typedef struct beside
{
  model model;
  bool* held;
  int* number; // of each constraint of the whole here, -1: it is not there
  int weakest; // of those that pressed before the last was added; -1: none was
} beside;

// why the way below is not gone, or null: it takes inequalities of positions alone, and contacts of
// shapes whose points are such; with friction only at rest
const char* study_settle_not_plain(const model* m)
{
  for (int k = 0; k < m->constraints; k++) {
    const model_constraint* c = &m->constraint[k];
    if (c->contact && (c->sense || c->friction != EXPR_NONE))
      return "a surface that rolls or slides may leave another";
    if (c->sense && c->order != 0) return "there is an inequality between velocities";
    if (c->during && !c->sticks) return "a constraint holds only while another does";
    if (c->friction != EXPR_NONE && m->settle != MODEL_AT_REST)
      return "with friction what is steady depends on how it came about";
  }
  for (int i = 0; i < m->meetings; i++)
    if (m->meeting[i].looked_for)
      return "which of its many points of contact bear is found by the motion alone";
  if (m->facings || m->footings)
    return "which corners and sides face each other is found by the motion alone";
  return m->stages ? "its stages change it" : NULL;
}

bool study_settle_unequal(const model* m)
{
  bool any = m->meetings > 0;
  for (int k = 0; k < m->constraints; k++)
    any = any || m->constraint[k].sense || m->constraint[k].sticks;
  return any;
}

// Forces of friction have the factor 1 - h, h = 1 where the contact sticks (model/force.c).
// What does not press has no reaction either.
static void change_forces(const model* m, beside* b, base_arena* arena)
{
  const size_t room = 2 * (size_t)m->constraints + 1;
  expr* from = base_arena_take(arena, sizeof(expr) * room);
  expr* to = base_arena_take(arena, sizeof(expr) * room);
  int count = 0;
  for (int k = 0; k < m->constraints; k++) {
    if (m->constraint[k].sticks) {
      from[count] = m->holds[k];
      to[count++] = expr_int(m->pool, 1);
    }
    if (b->number[k] < 0) {
      from[count] = m->reaction[k];
      to[count++] = expr_int(m->pool, 0);
    }
  }
  b->model.Q = base_arena_take(arena, sizeof(expr) * ((size_t)m->coords + 1));
  expr_substitute_all(m->pool, m->coords, m->Q, count, from, to, b->model.Q);
}

static void leave_out(const model* m, beside* b, base_arena* arena)
{
  const size_t room = (size_t)m->constraints + 1;
  b->model = *m;
  // what is shown or reported plays no part, and may ask for reactions that are not there
  b->model.outputs = b->model.plots = b->model.tells = 0;
  b->model.meetings = b->model.solids = 0;
  b->model.constraint = base_arena_take(arena, sizeof *m->constraint * room);
  b->model.reaction = base_arena_take(arena, sizeof(expr) * room);
  b->model.holds = base_arena_take(arena, sizeof(expr) * room);
  int count = 0;
  for (int k = 0; k < m->constraints; k++) {
    const model_constraint* c = &m->constraint[k];
    b->number[k] = -1;
    if (c->hidden || c->sticks || (c->sense && !b->held[k])) continue;
    b->number[k] = count;
    model_constraint* to = &b->model.constraint[count];
    *to = *c;
    to->sense = 0;
    to->guides = false;
    if (c->sense || c->guides) to->friction = EXPR_NONE;
    if (c->sense || c->guides) to->slips = 0;
    b->model.holds[count] = m->holds[k];
    b->model.reaction[count++] = m->reaction[k];
  }
  b->model.constraints = count;
  change_forces(m, b, arena);
}

// one that the state found violates begins to press, one that would have to pull lets go
static bool change(engine* e, const model* m, beside* b)
{
  int worst = -1;
  double most = still_holds;
  contact_reactions(e);
  for (int k = 0; k < m->constraints; k++) {
    double off;
    if (!m->constraint[k].sense) continue;
    if (b->held[k])
      off = e->lambda[b->number[k]];
    else
      engine_values(e, 1, &m->constraint[k].f, &off);
    off *= -m->constraint[k].sense;
    if (!(off > most)) continue;
    most = off;
    worst = k;
  }
  b->weakest = -1;
  for (int k = 0; worst >= 0 && !b->held[worst] && k < m->constraints; k++)
    if (m->constraint[k].sense && b->held[k] &&
        (b->weakest < 0 || fabs(e->lambda[b->number[k]]) < fabs(e->lambda[b->number[b->weakest]])))
      b->weakest = k;
  if (worst >= 0) b->held[worst] = !b->held[worst];
  return worst >= 0;
}

// Where one that was added leaves no state at all, it takes the place of the weakest.
static bool exchange(beside* b)
{
  if (b->weakest < 0) return false;
  b->held[b->weakest] = false;
  b->weakest = -1;
  return true;
}

static double gap_of(engine* e, const model_constraint* c)
{
  double gap;
  engine_values(e, 1, &c->f, &gap);
  return gap * c->sense;
}

// how long, by its speed over a little way of the fall, a gap takes to close; endless: it does not
static double closing(engine* e, const model_constraint* c, double fastest)
{
  const double gap = gap_of(e, c);
  for (int i = 0; i < e->n; i++) e->q[i] += a_little * e->a[i] / fastest;
  const double less = gap - gap_of(e, c);
  for (int i = 0; i < e->n; i++) e->q[i] -= a_little * e->a[i] / fastest;
  return less > 0 ? fmax(gap, 0) / less : INFINITY;
}

// the gradients of what is held, made perpendicular to each other
typedef struct basis
{
  int n, count;
  double* row;
} basis;

// Takes up the gradient of f at the engine's state unless it depends on those that are there.
static bool is_new(engine* e, expr f, basis* b)
{
  double *g = b->row + (size_t)b->count * (size_t)b->n, size = 0, left = 0;
  if (b->count == b->n) return false;
  for (int i = 0; i < b->n; i++) {
    double more, less;
    const double q = e->q[i];
    e->q[i] = q + a_little;
    engine_values(e, 1, &f, &more);
    e->q[i] = q - a_little;
    engine_values(e, 1, &f, &less);
    e->q[i] = q;
    g[i] = (more - less) / (2 * a_little);
    size += g[i] * g[i];
  }
  for (int k = 0; k < b->count; k++) {
    double along = 0;
    for (int i = 0; i < b->n; i++) along += b->row[k * b->n + i] * g[i];
    for (int i = 0; i < b->n; i++) g[i] -= along * b->row[k * b->n + i];
  }
  for (int i = 0; i < b->n; i++) left += g[i] * g[i];
  if (!(left > depends * size)) return false;
  for (int i = 0; i < b->n; i++) g[i] /= sqrt(left);
  b->count++;
  return true;
}

// of the open ones that a fall closes the one that it closes next; -1: none
static int next_closed(const model* m, const beside* b, const double* when)
{
  int next = -1;
  for (int k = 0; k < m->constraints; k++)
    if (m->constraint[k].sense && !b->held[k] && isfinite(when[k]) &&
        (next < 0 || when[k] < when[next]))
      next = k;
  return next;
}

// What rests on nothing falls onto something: from the guess on, all that its fall closes presses,
// one after the other, but what would say no more than the others do, as the upper corners of a box
// that lies on the lower ones; or, where it closes nothing, the nearest.
static bool hold_more(engine* e, const model* m, beside* b, base_notes* notes)
{
  int nearest = -1;
  double fastest = 0;
  const bool falls = walk_first_accelerations(e, notes);
  for (int i = 0; i < e->n; i++) fastest = fmax(fastest, fabs(e->a[i]));
  basis held = {.n = e->n, .row = base_alloc(sizeof(double) * (size_t)(e->n * e->n + 1))};
  double* when = base_alloc(sizeof(double) * (size_t)(m->constraints + 1));
  for (int k = 0; k < m->constraints; k++) {
    const model_constraint* c = &m->constraint[k];
    when[k] = INFINITY;
    if (b->number[k] >= 0 && c->order == 0) is_new(e, c->f, &held);
    if (!c->sense || b->held[k]) continue;
    when[k] = falls ? closing(e, c, fastest) : INFINITY;
    if (nearest < 0 || gap_of(e, c) < gap_of(e, &m->constraint[nearest])) nearest = k;
  }
  bool any = false;
  for (int k; (k = next_closed(m, b, when)) >= 0; when[k] = INFINITY)
    if (is_new(e, m->constraint[k].f, &held)) any = b->held[k] = true;
  if (!any && nearest >= 0) b->held[nearest] = true;
  free(held.row);
  free(when);
  return nearest >= 0;
}

// the state without what is not held, and what has to change of that
static bool settle_once(beside* b, const model* m, bool falls, double* before, double* q, double* v,
                        bool* changed, base_notes* notes)
{
  mech_system* s = mech_derive(&b->model, notes);
  const bool first = !*changed;
  const bool found = !falls && s && study_settle_smooth(s, first ? before : NULL, q, v, notes);
  engine* e = s ? contact_engine_new(s, notes) : NULL;
  *changed = false;
  if (e) {
    const size_t bytes = sizeof(double) * (size_t)e->n;
    engine_time(e, 0);
    engine_time(e, m->has_run ? engine_value(e, m->run_from) : 0);
    memcpy(e->q, found ? q : before, bytes);
    memcpy(e->v, found ? v : before + e->n, bytes);
    if (!found) *changed = exchange(b) || hold_more(e, m, b, notes);
    if (found) *changed = walk_first_accelerations(e, notes) && change(e, m, b);
    engine_free(e);
  }
  mech_free(s);
  return found;
}

// which of them press, from what is held in b on; `falls`: what the guess falls onto to begin with
static bool find(const model* m, beside* b, bool falls, double* before, double* q, double* v,
                 base_arena* arena, base_notes* notes)
{
  bool found = true, changed = false;
  for (int turns = 4 * m->constraints + 2; turns > 0; turns--) {
    leave_out(m, b, arena);
    const int said = base_notes_count(notes);
    found = settle_once(b, m, falls, before, q, v, &changed, notes);
    falls = false;
    if (!changed) break;
    base_notes_cut(notes, said);
  }
  if (changed) base_error(notes, m->settle_place, "which inequalities press at rest was not found");
  return found && !changed;
}

static double apart(const model* m, const double* a, const double* b)
{
  double sum = 0;
  for (int i = 0; i < m->places; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

static bool any_held(const model* m, const beside* b)
{
  bool any = false;
  for (int k = 0; k < m->constraints; k++) any = any || b->held[k];
  return any;
}

// Where nothing presses, something that does may be nearer: a rod above its stop stands upright
// farther off.
static void look_below(const model* m, double* before, double* q, double* v, base_arena* arena)
{
  const size_t bytes = sizeof(double) * (size_t)m->coords;
  beside b = {.weakest = -1,
              .held = base_arena_take(arena, (size_t)m->constraints + 1),
              .number = base_arena_take(arena, sizeof(int) * ((size_t)m->constraints + 1))};
  double *at = base_arena_take(arena, bytes + 1), *speed = base_arena_take(arena, bytes + 1);
  base_notes* unsaid = base_notes_new();
  if (find(m, &b, true, before, at, speed, arena, unsaid) && any_held(m, &b) &&
      apart(m, at, before) < apart(m, q, before)) {
    memcpy(q, at, bytes);
    memcpy(v, speed, bytes);
  }
  base_notes_free(unsaid);
}

bool study_settle_beside(const model* m, double* before, double* q, double* v, base_notes* notes)
{
  base_arena* arena = base_arena_new();
  beside b = {.weakest = -1,
              .held = base_arena_take(arena, (size_t)m->constraints + 1),
              .number = base_arena_take(arena, sizeof(int) * ((size_t)m->constraints + 1))};
  memset(before, 0, sizeof(double) * (size_t)(2 * m->coords));
  const bool found = find(m, &b, false, before, q, v, arena, notes);
  if (found && !any_held(m, &b)) look_below(m, before, q, v, arena);
  base_arena_free(arena);
  return found;
}
