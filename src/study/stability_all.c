// All steady motions that many starts lead to, beside the one next to the initial state.
//
// Newton's method from states spread over the space (angles over a turn, other coordinates a few
// units to both sides), with the speeds of ignorable coordinates as they are; motions that differ
// by whole turns or by ignorable coordinates alone are one.
#include "study/orbit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { starts_each = 100, fewest = 200, most_starts = 800, most_others = 40 };
static const double apart = 1e-5;

static double draw(uint64_t* seed)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

typedef struct search
{
  study_linear* l;
  study_stability* r;
  int count; // initial equations
  const model_initial* initial;
  bool* angle;
  study_stability* found[most_others];
  int others;
} search;

static double off_by(const search* s, int i, double a, double b)
{
  double off = a - b;
  if (s->angle[i]) off -= 2 * M_PI * round(off / (2 * M_PI));
  return fabs(off) / (1 + fabs(b));
}

static bool is_same(const search* s, const double* x, const study_stability* r)
{
  const int n = r->n;
  for (int i = 0; i < n; i++) {
    if (!r->ignorable[i] && off_by(s, i, x[i], r->q[i]) > apart) return false;
    if (fabs(x[n + i] - r->v[i]) > apart * (1 + fabs(r->v[i]))) return false;
  }
  return true;
}

static bool is_known(const search* s, const double* x)
{
  bool known = is_same(s, x, s->r);
  for (int k = 0; k < s->others; k++) known = known || is_same(s, x, s->found[k]);
  return known;
}

// angles into one turn, so that a motion is shown as one would write it
static void unwind(const search* s)
{
  engine* e = s->l->e;
  for (int i = 0; i < e->n; i++)
    if (s->angle[i]) e->q[i] -= 2 * M_PI * round(e->q[i] / (2 * M_PI));
  e->factored = false;
}

// from the state in the engine
static void try_start(search* s)
{
  engine* e = s->l->e;
  bool moved;
  e->factored = false;
  if (s->others == most_others || engine_project(e, &moved) || contact_sides(e)) return;
  if (!study_steady_try(s->l, s->r->ignorable, s->count, s->initial)) return;
  unwind(s);
  if (is_known(s, e->q)) return;
  base_notes* quiet = base_notes_new();
  study_stability* r = study_stability_here(s->l, s->r, quiet);
  base_notes_free(quiet);
  if (r) s->found[s->others++] = r;
}

static void start_at(search* s, const double* q, const double* v)
{
  engine* e = s->l->e;
  memcpy(e->q, q, sizeof(double) * (size_t)e->n);
  memcpy(e->v, v, sizeof(double) * (size_t)e->n);
  try_start(s);
}

static void start_anywhere(search* s, uint64_t* seed)
{
  engine* e = s->l->e;
  for (int i = 0; i < e->n; i++) {
    const double q = s->r->q[i], part = draw(seed);
    e->v[i] = s->r->ignorable[i] ? s->r->v[i] : 0;
    e->q[i] = s->r->ignorable[i] ? q : s->angle[i] ? M_PI * part : q + 3 * (1 + fabs(q)) * part;
  }
  try_start(s);
}

// by the first coordinate that differs
static int by_place(const void* a, const void* b)
{
  const study_stability *x = *(study_stability*const*)a, *y = *(study_stability*const*)b;
  for (int i = 0; i < x->n; i++)
    if (fabs(x->q[i] - y->q[i]) > apart) return x->q[i] < y->q[i] ? -1 : 1;
  return 0;
}

void study_stability_others(study_linear* l, int count, const model_initial* initial,
                            const study_stability* near, study_stability* r)
{
  engine* e = l->e;
  search s = {.l = l, .r = r, .count = count, .initial = initial};
  s.angle = base_arena_take(r->arena, (size_t)e->n + 1);
  engine_state(e, r->t, r->q, r->v);
  e->factored = false;
  study_orbit_angles(l, r->ignorable, s.angle);
  if (near) start_at(&s, near->q, near->v);
  for (int k = 0; near && k < near->others; k++) start_at(&s, near->other[k]->q, near->other[k]->v);
  int starts = fewest + starts_each * e->n;
  if (starts > most_starts) starts = most_starts;
  uint64_t seed = 1744;
  for (int i = 0; i < starts; i++) start_anywhere(&s, &seed);
  qsort(s.found, (size_t)s.others, sizeof s.found[0], by_place);
  r->others = s.others;
  r->other = base_arena_take(r->arena, sizeof *r->other * (size_t)(s.others + 1));
  memcpy(r->other, s.found, sizeof *r->other * (size_t)s.others);
  engine_state(e, r->t, r->q, r->v);
  e->factored = false;
}
