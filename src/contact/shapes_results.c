// Results of contacts between shapes that are looked for.
#include "contact/shapes.h"

#include <math.h>

// more pairs than this: only those that are near are known
enum { most_pairs_for_gaps = 100 };
// friction below its bound by more than this share of it holds
static const double held_below = 1 - engine_moreau_told;

static int solid_a(const cone_touch* t)
{
  return (int)(t->id >> 44);
}

int contact_shapes_meeting(const cone_toucher* by, const cone_touch* touch)
{
  const contact_shapes* s = by->context;
  return s->meeting[s->solid[solid_a(touch)].meeting].of;
}

// the least of all pairs, whatever is near; not a number where they are too many
static double least_gap(const contact_shapes* s, const contact_meeting* m)
{
  double least = INFINITY, n[3], at[3];
  shape_touch found[SHAPE_MOST_TOUCHES];
  if ((double)m->count * (m->count - 1) / 2 > most_pairs_for_gaps) {
    for (int i = 0; i < s->record.n; i++) {
      const contact_record* r = &s->record.at[i];
      const contact_solid *A = &s->solid[r->a], *B = &s->solid[r->b];
      if (&s->meeting[A->meeting] != m) continue;
      least = fmin(least, shape_look(&r->touch, A->form, &A->pose, B->form, &B->pose, n, at));
    }
    return isfinite(least) ? least : NAN;
  }
  for (int i = m->first; i < m->first + m->count; i++)
    for (int j = i + 1; j < m->first + m->count; j++) {
      const contact_solid *A = &s->solid[i], *B = &s->solid[j];
      if (A->fixed && B->fixed) continue;
      const int count = shape_meet(A->form, &A->pose, B->form, &B->pose, INFINITY, found);
      for (int k = 0; k < count; k++)
        least = fmin(least, shape_look(&found[k], A->form, &A->pose, B->form, &B->pose, n, at));
    }
  return isfinite(least) ? least : NAN;
}

typedef struct sums
{
  double normal, friction, slip;
  int state;
} sums;

// The points of a pair have their tangents by the same rule, and on one side by the same normal:
// their forces are added before their length is taken.
static sums add_up(const contact_shapes* s, int meeting, const cone_touches* list,
                   const double* impulse, const double* v)
{
  sums out = {0};
  double pair[2] = {0};
  for (int i = 0; i < list->touch.n; i++) {
    const cone_touch* t = &list->touch.at[i];
    const double* x = impulse + CONE_TOUCH_ROWS * i;
    if (s->meeting[s->solid[solid_a(t)].meeting].of != meeting) continue;
    for (int k = 1; k <= t->slips; k++) pair[k - 1] += x[k];
    const bool last = i + 1 == list->touch.n || t->id >> 24 != list->touch.at[i + 1].id >> 24;
    if (last) {
      out.friction += hypot(pair[0], pair[1]);
      pair[0] = pair[1] = 0;
    }
    if (!(x[0] > 0)) continue;
    double u = 0;
    for (int k = 1; k <= t->slips; k++) u = hypot(u, contact_shapes_along(list, t, k, v));
    const double F = !t->slips ? 0 : t->slips < 2 ? fabs(x[1]) : hypot(x[1], x[2]);
    const int state = t->mu > 0 && F < held_below * t->mu * x[0] ? 1 : 2;
    out.normal += x[0];
    out.slip = fmax(out.slip, u);
    out.state = state > out.state ? state : out.state;
  }
  return out;
}

double contact_shapes_result(const cone_toucher* by, int meeting, model_result which,
                             const cone_touches* list, const double* impulse, double h,
                             const double* v)
{
  const contact_shapes* s = by->context;
  const contact_meeting* m = s->meeting;
  while (m->of != meeting) m++;
  if (which == MODEL_RESULT_GAP) return least_gap(s, m);
  const sums x = add_up(s, meeting, list, impulse, v);
  switch (which) {
  case MODEL_RESULT_REACTION:
    return x.normal / h;
  case MODEL_RESULT_FRICTION:
    return x.friction / h;
  case MODEL_RESULT_SLIP:
    return x.slip;
  default:
    return x.state;
  }
}
