// Which expressions a moving picture needs at every frame.
#include "out/view.h"

typedef struct list
{
  expr* at;
  int n;
} list;

static void add(list* l, int count, const expr* e)
{
  for (int i = 0; i < count; i++) l->at[l->n++] = e[i];
}

static void add_part(list* l, const model_part* p)
{
  add(l, 3, p->at);
  add(l, 3, p->to);
  add(l, 3, p->third);
  add(l, 9, p->rotation);
  add(l, 3, p->size);
  add(l, 3, p->normal);
  add(l, 1, &p->mass);
  add(l, 6, p->inertia);
  add(l, 3, p->force);
  add(l, 2, p->touch);
}

int out_seen_plot(const model* m, const model_scene* s, int plot)
{
  int at = out_seen_part(s->parts, 0);
  for (int i = 0; i < plot; i++) at += 1 + m->plot[i].curves;
  return at;
}

int out_seen_force(const model* m, const model_scene* s, int part)
{
  int at = out_seen_plot(m, s, m->plots);
  for (int i = 0; i < part; i++)
    if (s->part[i].kind == MODEL_PART_FORCE) at += 1 + 4 * m->coords;
  return at;
}

int out_view_watch(const model* m, const model_scene* s, base_arena* arena, expr** watch)
{
  list l = {
      .at = base_arena_take(arena, sizeof(expr) * (size_t)(out_seen_force(m, s, s->parts) + 1))};
  const expr T = model_kinetic(m);
  add(&l, 1, &T);
  add(&l, 1, &m->V);
  add(&l, 3, s->gravity);
  for (int i = 0; i < s->parts; i++) add_part(&l, &s->part[i]);
  for (int i = 0; i < m->plots; i++) {
    add(&l, 1, &m->plot[i].x);
    add(&l, m->plot[i].curves, m->plot[i].y);
  }
  for (int i = 0; i < s->parts; i++) {
    if (s->part[i].kind != MODEL_PART_FORCE) continue;
    add(&l, 1, &s->part[i].reaction);
    add(&l, m->coords, s->part[i].gradient);
    add(&l, 3 * m->coords, s->part[i].jacobian);
  }
  *watch = l.at;
  return l.n;
}
