// Inequalities in a system of parts: what is asked or decided is so in the part it concerns, as if
// that were alone.
//
// The inequalities of the whole are what the walk looks at; those of the parts are what decides.
// What a stage releases goes down with the rows, what a decision found comes up after it.
#include "contact/contact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void contact_inequality_bend(engine* e, int i)
{
  contact_inequality_place(e, &i)->unilateral->bent[i] = true;
}

engine* contact_inequality_place(const engine* e, int* i)
{
  const contact_inequalities* u = e->unilateral;
  if (!e->parts) return (engine*)e;
  engine* x = e->part[u->part[*i]].e;
  *i = u->number[*i];
  return x;
}

engine* contact_parts_enter(engine* e, int* i)
{
  const int number = *i;
  contact_inequality_place(e, i);
  return engine_part_enter(e, e->unilateral->part[number]);
}

const bool* contact_parts_flags(const engine* e, int p, const bool* flag, bool* own)
{
  const contact_inequalities* u = e->unilateral;
  for (int i = 0; i < u->count && flag; i++)
    if (u->part[i] == p) own[u->number[i]] = flag[i];
  return flag ? own : NULL;
}

bool contact_parts_touch(const engine* e, int p, const bool* closing)
{
  const contact_inequalities* u = e->unilateral;
  for (int i = 0; closing && i < u->count; i++)
    if (u->part[i] == p && closing[i]) return true;
  return false;
}

// each part by itself; how many said yes
int contact_parts_count(engine* e, int (*what)(engine*))
{
  int count = 0;
  for (int p = 0; p < e->parts; p++) {
    if (!e->part[p].e->unilateral) continue;
    count += what(engine_part_enter(e, p));
    engine_part_leave(e, p);
  }
  return count;
}

double contact_parts_sum(engine* e, double (*what)(engine*))
{
  double sum = 0;
  for (int p = 0; p < e->parts; p++)
    if (e->part[p].e->unilateral) sum += what(engine_part_enter(e, p));
  return sum;
}

// ---- what something happens to ------------------------------------------------------------------

bool contact_are_together(const engine* e, int i, int j)
{
  return !e->parts || e->unilateral->part[i] == e->unilateral->part[j];
}

contact_before contact_before_keep(const engine* e)
{
  const contact_inequalities* u = e->unilateral;
  contact_before b = {0};
  if (!e->parts) return b;
  b.in = base_alloc(sizeof(double) * (size_t)e->program->inputs);
  memcpy(b.in, e->in, sizeof(double) * (size_t)e->program->inputs);
  b.active = base_alloc((size_t)e->m + 1);
  memcpy(b.active, e->mode.active, (size_t)e->m);
  b.present = base_alloc((size_t)e->m + 1);
  for (int i = 0; u && i < u->count; i++) b.present[u->of[i]] = u->present[i];
  for (int j = 0; u && j < u->links; j++) b.present[u->link[j]] = u->link_present[j];
  return b;
}

void contact_before_free(contact_before* b)
{
  free(b->in);
  free(b->active);
  free(b->present);
}

// the state of a part, but for rounding, or a param in its forces
static bool has_moved(const engine* e, const engine_part* p, const contact_before* b)
{
  const double *q = b->in + (e->q - e->in), *v = b->in + (e->v - e->in),
               *par = b->in + (e->par - e->in);
  bool moved = false;
  for (int i = 0; i < p->n; i++) {
    const int k = p->coord[i];
    moved = moved || fabs(e->q[k] - q[k]) > engine_noise_moved * e->scales->place_terms[k] ||
            fabs(e->v[k] - v[k]) > engine_noise_moved * e->scales->speed_terms[k];
  }
  for (int i = 0; i < e->p; i++) moved = moved || (p->param[i] && e->par[i] != par[i]);
  return moved;
}

bool* contact_touched_since(const engine* e, const contact_before* b)
{
  const contact_inequalities* u = e->unilateral;
  if (!e->parts) return NULL;
  bool* touched = base_alloc((size_t)e->parts + 1);
  for (int p = 0; p < e->parts; p++) {
    const engine_part* part = &e->part[p];
    touched[p] = has_moved(e, part, b);
    for (int k = 0; k < part->m; k++)
      touched[p] = touched[p] || e->mode.active[part->row[k]] != b->active[part->row[k]];
  }
  for (int i = 0; u && i < u->count; i++)
    if (u->present[i] != b->present[u->of[i]]) touched[u->part[i]] = true;
  for (int j = 0; u && j < u->links; j++)
    if (u->link_present[j] != b->present[u->link[j]]) touched[u->part[u->link_of[j]]] = true;
  return touched;
}
