// Evaluations beside the run: rows, curves and the rows of happenings read the motion and leave no
// trace in it.
//
// An evaluation starts from what the one before left: accelerations and reactions are the guess of
// the next, sizes seen grow, kernels are made after so many of them. So all of that is put back
// behind the rows, in one place, and a run makes the same steps whatever is read of it.
#include "contact/contact.h"
#include "walk/rows.h"

#include <string.h>

// of one engine: that of the whole, or of a part
typedef struct kept
{
  double* in;             // the input block: state, accelerations, reactions, sides
  double* norm_seen;      // per constraint
  double *alpha, *lambda; // per inequality
  double margin, theta;
  int rank;
  long evaluations;
} kept;

struct walk_aside
{
  int depth, count;
  double quality;
  kept* of; // the whole, then its parts
};

static kept make(base_arena* arena, const engine* e)
{
  const size_t inequalities = e->unilateral ? (size_t)e->unilateral->count : 0;
  return (kept){.in = base_arena_take(arena, sizeof(double) * ((size_t)e->program->inputs + 1)),
                .norm_seen = base_arena_take(arena, sizeof(double) * ((size_t)e->m + 1)),
                .alpha = base_arena_take(arena, sizeof(double) * (inequalities + 1)),
                .lambda = base_arena_take(arena, sizeof(double) * (inequalities + 1))};
}

walk_aside* walk_aside_new(walk_track* track, const rate_flow* flow)
{
  const engine* e = flow->e;
  walk_aside* a = base_arena_take(track->arena, sizeof *a);
  a->count = 1 + e->parts;
  a->of = base_arena_take(track->arena, sizeof *a->of * (size_t)a->count);
  a->of[0] = make(track->arena, e);
  for (int p = 0; p < e->parts; p++) a->of[1 + p] = make(track->arena, e->part[p].e);
  return a;
}

static void keep(kept* k, const engine* e)
{
  const contact_inequalities* u = e->unilateral;
  memcpy(k->in, e->in, sizeof(double) * (size_t)e->program->inputs);
  if (e->work.norm_seen) memcpy(k->norm_seen, e->work.norm_seen, sizeof(double) * (size_t)e->m);
  k->margin = e->margin;
  k->rank = e->rank;
  k->evaluations = e->evaluations;
  if (!u) return;
  memcpy(k->alpha, u->alpha, sizeof(double) * (size_t)u->count);
  memcpy(k->lambda, u->lambda, sizeof(double) * (size_t)u->count);
  k->theta = u->theta;
}

static void put_back(const kept* k, engine* e)
{
  contact_inequalities* u = e->unilateral;
  memcpy(e->in, k->in, sizeof(double) * (size_t)e->program->inputs);
  if (e->work.norm_seen) memcpy(e->work.norm_seen, k->norm_seen, sizeof(double) * (size_t)e->m);
  e->margin = k->margin;
  e->rank = k->rank;
  e->evaluations = k->evaluations;
  // factors belong to the states of the rows
  e->factored = false;
  if (e->sparse) e->sparse->factored = false;
  if (!u) return;
  memcpy(u->alpha, k->alpha, sizeof(double) * (size_t)u->count);
  memcpy(u->lambda, k->lambda, sizeof(double) * (size_t)u->count);
  u->theta = k->theta;
}

void walk_aside_begin(walk_aside* a, const rate_flow* f)
{
  if (a->depth++) return;
  a->quality = f->quality;
  engine_scales_freeze(f->e, true);
  keep(&a->of[0], f->e);
  for (int p = 1; p < a->count; p++) keep(&a->of[p], f->e->part[p - 1].e);
}

void walk_aside_end(walk_aside* a, rate_flow* f)
{
  if (--a->depth) return;
  f->quality = a->quality;
  engine_scales_freeze(f->e, false);
  put_back(&a->of[0], f->e);
  for (int p = 1; p < a->count; p++) put_back(&a->of[p], f->e->part[p - 1].e);
}
