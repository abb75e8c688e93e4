// Contacts between shapes, found anew wherever the motion is: places of all solids by one kernel,
// near pairs by their boxes, their points by the room shape.
#include "contact/shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Pairs are looked at within this share of the smaller body beyond what their speeds may close: a
// pair at rest is not lost for a rounding.
static const double beside = 0.02;
// impulses of a step may double the way of a body in it
static const double faster = 2;

// ---- the state ----------------------------------------------------------------------------------

static void see(contact_shapes* s, double t, const double* q, const double* v)
{
  engine* e = s->e;
  engine_state(e, t, q, v);
  if (s->kernel) code_run(s->kernel, e->in, s->out, s->scratch);
  for (int i = 0; i < s->outs; i++) *s->to[i] = s->out[i];
}

static void find_speed(contact_solid* x, const double* v)
{
  double u[6];
  for (int k = 0; k < 3; k++) u[k] = x->v0[k], u[3 + k] = x->w0[k];
  for (int c = 0; c < x->columns; c++)
    for (int k = 0; k < 6; k++) u[k] += x->J[6 * c + k] * v[x->column[c]];
  const double speed = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  const double turn = sqrt(u[3] * u[3] + u[4] * u[4] + u[5] * u[5]);
  x->speed = speed + (turn > 0 ? turn * x->form->reach : 0);
}

// ---- near pairs ---------------------------------------------------------------------------------

static void add_points(contact_shapes* s, int a, int b, const double* v, double h, double within,
                       cone_touches* list)
{
  const contact_solid *A = &s->solid[a], *B = &s->solid[b];
  shape_touch found[SHAPE_MOST_TOUCHES];
  if (A->fixed && B->fixed) return;
  const double near =
      faster * h * (A->speed + B->speed) + within + beside * contact_shapes_length(A, B);
  const int count = shape_meet(A->form, &A->pose, B->form, &B->pose, near, found);
  for (int i = 0; i < count; i++) {
    const contact_record r = {a, b, found[i]};
    cone_touch touch = {.id = (uint64_t)a << 44 | (uint64_t)b << 24 | found[i].feature};
    base_push(&s->record, r);
    contact_shapes_columns(s, &r, list, &touch);
    contact_shapes_rows(s, &r, list, &touch);
    contact_shapes_rub(s, &r, list, v, &touch);
    base_push(&list->touch, touch);
  }
}

static void add_meeting(contact_shapes* s, const contact_meeting* m, const double* v, double h,
                        double within, cone_touches* list)
{
  int n = 0;
  for (int i = m->first; i < m->first + m->count; i++) {
    const contact_solid* x = &s->solid[i];
    if (x->form->kind == SHAPE_PLANE) continue;
    const double margin = faster * h * x->speed + within + beside * x->form->reach;
    shape_box(x->form, &x->pose, margin, s->box + 6 * n, s->box + 6 * n + 3);
    s->boxed[n++] = i;
  }
  s->pairs.n = 0;
  shape_sweep_find(s->sweep, n, s->box, &s->pairs);
  for (int k = 0; k < s->pairs.n; k++)
    add_points(s, s->boxed[s->pairs.at[k].i], s->boxed[s->pairs.at[k].j], v, h, within, list);
  // planes are beside everything
  for (int p = m->first; p < m->first + m->count; p++) {
    if (s->solid[p].form->kind != SHAPE_PLANE) continue;
    for (int k = 0; k < n; k++) add_points(s, s->boxed[k], p, v, h, within, list);
  }
}

static int find(void* context, double t, const double* q, const double* v, double h, double within,
                cone_touches* list, const char** reason)
{
  contact_shapes* s = context;
  see(s, t, q, v);
  for (int i = 0; i < s->solids; i++) {
    find_speed(&s->solid[i], v);
    if (isfinite(s->solid[i].speed) && isfinite(s->solid[i].pose.p[0])) continue;
    *reason = "a body with a shape has left all numbers";
    return 1;
  }
  s->record.n = 0;
  for (int i = 0; i < s->meetings; i++) add_meeting(s, &s->meeting[i], v, h, within, list);
  return 0;
}

static int look(void* context, double t, const double* q, cone_touches* list, const char** reason)
{
  contact_shapes* s = context;
  (void)reason;
  see(s, t, q, s->e->v);
  for (int i = 0; i < list->touch.n && i < s->record.n; i++)
    contact_shapes_rows(s, &s->record.at[i], list, &list->touch.at[i]);
  return 0;
}

const cone_toucher* contact_shapes_toucher(contact_shapes* s)
{
  s->toucher = (cone_toucher){.context = s, .find = find, .look = look};
  return &s->toucher;
}
