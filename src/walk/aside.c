// Evaluations beside the run: rows, curves and the rows of happenings read the motion and leave no
// trace in it.
//
// An evaluation starts from what the one before left: accelerations and reactions are the guess of
// the next, sizes seen grow, kernels are made after so many of them. So all of that is put back
// behind the rows, in one place, and a run makes the same steps whatever is read of it.
#include "contact/contact.h"
#include "walk/rows.h"

#include <string.h>

struct walk_aside
{
  int depth;
  double* in;             // the input block: state, accelerations, reactions, sides
  double* norm_seen;      // per constraint
  double *alpha, *lambda; // per inequality
  double margin, quality, theta;
  double length_seen, speed_seen, acceleration_seen, force_seen;
  int rank;
  long evaluations;
};

walk_aside* walk_aside_new(walk_track* track, const rate_flow* flow)
{
  const engine* e = flow->e;
  walk_aside* a = base_arena_take(track->arena, sizeof *a);
  const size_t inequalities = e->unilateral ? (size_t)e->unilateral->count : 0;
  a->in = base_arena_take(track->arena, sizeof(double) * ((size_t)e->inputs + 1));
  a->norm_seen = base_arena_take(track->arena, sizeof(double) * ((size_t)e->m + 1));
  a->alpha = base_arena_take(track->arena, sizeof(double) * (inequalities + 1));
  a->lambda = base_arena_take(track->arena, sizeof(double) * (inequalities + 1));
  return a;
}

void walk_aside_begin(walk_aside* a, const rate_flow* f)
{
  const engine* e = f->e;
  const contact_inequalities* u = e->unilateral;
  if (a->depth++) return;
  memcpy(a->in, e->in, sizeof(double) * (size_t)e->inputs);
  if (e->norm_seen) memcpy(a->norm_seen, e->norm_seen, sizeof(double) * (size_t)e->m);
  a->margin = e->margin;
  a->rank = e->rank;
  a->quality = f->quality;
  a->length_seen = e->length_seen;
  a->speed_seen = e->speed_seen;
  a->acceleration_seen = e->acceleration_seen;
  a->force_seen = e->force_seen;
  a->evaluations = e->evaluations;
  if (!u) return;
  memcpy(a->alpha, u->alpha, sizeof(double) * (size_t)u->count);
  memcpy(a->lambda, u->lambda, sizeof(double) * (size_t)u->count);
  a->theta = u->theta;
}

void walk_aside_end(walk_aside* a, rate_flow* f)
{
  engine* e = f->e;
  contact_inequalities* u = e->unilateral;
  if (--a->depth) return;
  memcpy(e->in, a->in, sizeof(double) * (size_t)e->inputs);
  if (e->norm_seen) memcpy(e->norm_seen, a->norm_seen, sizeof(double) * (size_t)e->m);
  e->margin = a->margin;
  e->rank = a->rank;
  f->quality = a->quality;
  e->length_seen = a->length_seen;
  e->speed_seen = a->speed_seen;
  e->acceleration_seen = a->acceleration_seen;
  e->force_seen = a->force_seen;
  e->evaluations = a->evaluations;
  // factors belong to the states of the rows
  e->factored = false;
  if (e->sparse) e->sparse->factored = false;
  if (!u) return;
  memcpy(u->alpha, a->alpha, sizeof(double) * (size_t)u->count);
  memcpy(u->lambda, a->lambda, sizeof(double) * (size_t)u->count);
  u->theta = a->theta;
}
