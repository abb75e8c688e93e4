// Constraints whose function has a jump, or a corner across the motion, where that is passed.
//
// An equation would have places or velocities jump with it, and no law says how: the run ends. So
// it does before the riser of a step, into which an inequality would have the body jump. Where the
// gap opens, as at the edge of a step, the body leaves; a bend of what it lies on is an impact, or
// it leaves: both are decided as ever.
#include "contact/contact.h"
#include "walk/instant.h"

#include <math.h>
#include <stdio.h>

static int jumps(engine* e, int k, int level, double off)
{
  snprintf(e->reason, sizeof e->reason,
           "the constraint `%s` jumps there: %s would have to jump with it (by about %.3g); "
           "smooth it, or let a stage `impose` what holds from there on",
           e->model->constraint[k].name, level == 0 ? "the place" : "velocities", off);
  return 1;
}

static int is_stepped(engine* e, int i, double before, double gap)
{
  snprintf(
      e->reason, sizeof e->reason,
      "the gap of `%s` jumps there, from %.6g to %.6g: the body meets the riser of a step, "
      "which the inequality does not describe; write the riser as one of its own, or smooth it",
      contact_inequality_name(e, i), before, gap);
  return 1;
}

// Is row k beside what it should be, by more than rounding, and was not before? One that knows
// nothing of what was passed is the same number on both sides, whatever it is off by: soon after a
// start from rest that is rounding, which is large against such speeds.
static bool is_off(const engine* e, int k, int level, const double* before)
{
  const double f = level == 0 ? e->f0[k] : e->f1[k];
  return f != before[level * e->m + k] && fabs(f) > engine_torn * engine_scale_row(e, k, level);
}

// inequality i on the sides now taken; before: its functions on those before
static int look_at_gap(walk_job* r, walk_instant* in, int i, const double* before)
{
  engine* e = r->e;
  const contact_inequalities* u = e->unilateral;
  const int k = u->of[i], order = contact_inequality_constraint(e, i)->order;
  if (!u->present[i] || order == 2) return 0;
  const bool held = e->mode.active[k], jumped = order == 0 && is_off(e, k, 0, before);
  if (jumped && u->sign[i] * e->f0[k] < 0)
    return is_stepped(e, i, u->sign[i] * before[k], u->sign[i] * e->f0[k]);
  if (!held || !(jumped || is_off(e, k, 1, before))) return 0;
  in->touched = true;
  contact_inequality_bend(e, i);
  if (e->parts) in->parts[u->part[i]] = true;
  return 0;
}

int walk_torn_look(walk_job* r, walk_instant* in, const double* before)
{
  engine* e = r->e;
  int failed = 0;
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  for (int level = 0; level <= 1; level++)
    for (int i = 0; i < e->mode.rows; i++) {
      const int k = e->mode.row[i];
      if (e->model->constraint[k].sense || e->model->constraint[k].order > level) continue;
      if (is_off(e, k, level, before))
        return jumps(e, k, level, fabs(level == 0 ? e->f0[k] : e->f1[k]));
    }
  for (int i = 0; e->unilateral && i < e->unilateral->count && !failed; i++)
    failed = look_at_gap(r, in, i, before);
  return failed;
}
