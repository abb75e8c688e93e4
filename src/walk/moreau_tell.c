// Results of contacts that steps alone know: of contacts that come and go, and the energy that any
// contact has taken. Forces are means over the step.
#include "contact/contact.h"
#include "walk/moreau.h"

#include <math.h>
#include <string.h>

// Energy that a row took in the step: its impulse on the mean of its velocities, against what is
// led by time. What a led wall gives is its work, and no loss.
static double taken(const walk_moreau* s, int row)
{
  const double u = walk_moreau_along(s, row, s->v) + walk_moreau_along(s, row, s->v_end);
  return -s->x[row] * (u / 2 + s->row[row].drift);
}

// is the row one of constraint k, or of its slip?
static bool belongs(const walk_moreau* s, int row, int k)
{
  const int of = s->row[row].of, slip = s->slip_of[k];
  if (of == k) return true;
  const int dry = of - s->m - s->first_dry,
            corner = dry >= 0 && dry < s->dries ? s->dry_corner[dry] : -1;
  if (corner >= 0 && s->e->program->modes.rubs[corner] == k + 1) return true;
  const int slips = s->e->model->constraint[k].slips;
  return slip >= 0 && of >= s->m + slip && of < s->m + slip + slips;
}

static double loss_of_points(const walk_moreau* s, const model_tell* x)
{
  double sum = 0;
  // an equation takes nothing; its friction does
  for (int row = 0; row < s->rows; row++)
    for (int i = 0; i < x->points && s->kind[row] != CONE_MANY_EQUAL; i++)
      if (belongs(s, row, x->point[i])) sum += taken(s, row);
  return sum;
}

static double loss_of_meeting(const walk_moreau* s, const model_tell* x)
{
  const int first = walk_moreau_first_touch(s);
  double sum = 0;
  for (int row = 0; row < s->rows; row++) {
    const int i = (s->row[row].of - first) / CONE_TOUCH_ROWS;
    if (s->row[row].of >= first &&
        contact_shapes_meeting(s->touches.by, &s->touches.list.touch.at[i]) == x->meeting)
      sum += taken(s, row);
  }
  return sum;
}

// nothing is lost yet; forces are those of a step
void walk_moreau_tell_start(walk_moreau* s)
{
  const model* m = s->e->model;
  for (int i = 0; i < m->tells; i++)
    if (m->tell[i].which == MODEL_RESULT_LOSS) s->e->told[i] = 0;
}

void walk_moreau_count_losses(walk_moreau* s)
{
  const model* m = s->e->model;
  for (int i = 0; i < m->tells; i++) {
    const model_tell* x = &m->tell[i];
    const bool looked_for = x->meeting >= 0 && m->meeting[x->meeting].looked_for;
    if (x->which == MODEL_RESULT_LOSS)
      s->taken[i] = looked_for ? loss_of_meeting(s, x) : loss_of_points(s, x);
  }
}

void walk_moreau_tell(walk_moreau* s)
{
  const model* m = s->e->model;
  for (int i = 0; i < m->tells; i++) {
    const model_tell* x = &m->tell[i];
    if (x->which == MODEL_RESULT_LOSS)
      s->lost[i] += s->taken[i];
    else
      s->e->told[i] = contact_shapes_result(s->touches.by, x->meeting, x->which, &s->touches.list,
                                            s->touches.impulse, s->h, s->v_end);
  }
}

// at the engine's time, which lies in the last step
void walk_moreau_show_losses(const walk_moreau* s)
{
  const model* m = s->e->model;
  const double share = s->h > 0 ? (s->e->in[0] - s->t) / s->h : 1;
  for (int i = 0; i < m->tells; i++)
    if (m->tell[i].which == MODEL_RESULT_LOSS)
      s->e->told[i] = s->lost_before[i] + share * (s->lost[i] - s->lost_before[i]);
}
