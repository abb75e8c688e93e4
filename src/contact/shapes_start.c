// Where a motion begins no shape lies in another: steps of time would push them apart at once, and
// the energy of that would come from nowhere.
#include "contact/shapes.h"

#include <math.h>

// of a share of the smaller shape: deeper by how much, which is negative where they do not meet so
static double beyond(const contact_shapes* s, const contact_record* r, double gap)
{
  const double size = fmin(s->solid[r->a].form->reach, s->solid[r->b].form->reach);
  return -gap - engine_shapes_begin * size;
}

static const model_solid* solid_of(const contact_shapes* s, int i)
{
  const contact_meeting* m = &s->meeting[s->solid[i].meeting];
  return &s->e->model->solid[s->e->model->meeting[m->of].solid[i - m->first]];
}

static void refuse(const contact_shapes* s, const contact_record* r, double depth,
                   base_notes* notes)
{
  const model_solid *a = solid_of(s, r->a), *b = solid_of(s, r->b);
  const model_meeting* x = &s->e->model->meeting[s->meeting[s->solid[r->a].meeting].of];
  base_error(notes, x->place, "at the start the %s of `%s` and the %s of `%s` overlap by %.3g",
             a->shape, a->name, b->shape, b->name, depth);
  base_help(notes, "give them starts at which they touch or are apart");
}

bool contact_shapes_begin(const cone_toucher* by, double t, const double* q, const double* v,
                          base_notes* notes)
{
  contact_shapes* s = by->context;
  cone_touches list = {0};
  const char* reason = "";
  const bool found = !by->find(by->context, t, q, v, 0, 0, &list, &reason);
  int worst = -1;
  for (int i = 0; i < list.touch.n; i++) {
    const double depth = beyond(s, &s->record.at[i], list.touch.at[i].gap);
    if (depth > 0 &&
        (worst < 0 || depth > beyond(s, &s->record.at[worst], list.touch.at[worst].gap)))
      worst = i;
  }
  if (worst >= 0) refuse(s, &s->record.at[worst], -list.touch.at[worst].gap, notes);
  if (!found) base_error(notes, BASE_NOWHERE, "at the start: %s", reason);
  base_list_free(&list.touch);
  base_list_free(&list.column);
  base_list_free(&list.value);
  return found && worst < 0;
}
