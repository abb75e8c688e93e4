// Constraints nonlinear in the accelerations in a system of parts: each part has its own branches.
//
// A place is an engine in which such constraints may hold: the system itself, or one of its parts.
#include "engine/inside.h"

#include <math.h>
#include <string.h>

int engine_curved_places(const engine* e)
{
  return e->parts ? e->parts : 1;
}

static const engine* at(const engine* e, int which)
{
  return e->parts ? e->part[which].e : e;
}

bool engine_curved_holds(const engine* e, int which)
{
  return at(e, which)->mode.curved;
}

engine* engine_curved_enter(engine* e, int which)
{
  return e->parts ? engine_part_enter(e, which) : e;
}

const char* engine_curved_name_at(const engine* e, int which)
{
  return engine_curved_name(at(e, which));
}

int engine_curved_lost(const engine* e)
{
  for (int p = 0; p < engine_curved_places(e); p++)
    if (at(e, p)->mode.curved && at(e, p)->least->lost) return p;
  return -1;
}

bool engine_curved_complete(const engine* e)
{
  for (int p = 0; p < engine_curved_places(e); p++)
    if (at(e, p)->mode.curved && !at(e, p)->least->complete) return false;
  return true;
}

void engine_curved_anchored(const engine* e, double* a)
{
  memcpy(a, e->a, sizeof(double) * (size_t)e->n);
  for (int p = 0; p < engine_curved_places(e); p++) {
    const engine* x = at(e, p);
    for (int i = 0; i < x->n && x->mode.curved; i++)
      a[e->parts ? e->part[p].coord[i] : i] = x->least->anchor_a[i];
  }
}

double engine_curved_change(const engine* e, int which, const double* before, int* most)
{
  const int n = at(e, which)->n;
  double apart = 0, size = 0;
  for (int i = 0; i < n; i++) {
    const int k = e->parts ? e->part[which].coord[i] : i;
    if (i == 0 || fabs(e->a[k] - before[k]) > apart) *most = k;
    apart = fmax(apart, fabs(e->a[k] - before[k]));
    size = fmax(size, fmax(fabs(e->a[k]), fabs(before[k])));
  }
  return size > 0 ? apart / size : 0;
}

int engine_curved_choose(engine* e, bool ahead)
{
  if (!e->parts) return engine_curved_choose_one(e, ahead);
  int failed = 0;
  for (int p = 0; p < e->parts && !failed; p++) {
    if (!e->part[p].e->mode.curved) continue;
    failed = engine_curved_choose_one(engine_part_enter(e, p), ahead);
    engine_part_leave(e, p);
    engine_part_show(e, p);
  }
  return failed;
}

void engine_curved_anchor(engine* e)
{
  if (!e->parts) engine_curved_anchor_one(e);
  for (int p = 0; p < e->parts; p++)
    if (e->part[p].e->mode.curved) engine_curved_anchor_one(engine_part_enter(e, p));
}
