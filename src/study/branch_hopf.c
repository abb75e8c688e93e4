// Periodic motions that are born at Hopf points, as branches of their own.
//
// Next to the steady motion x0 with eigenvalue i w and shape q the cycle is x0 + 2 e Re(q exp(i w
// t)) but for smaller terms, its period 2 pi/w. With the part of x - x0 along Re q held, Newton's
// method finds it for some e, and the branch is followed from there.
#include "study/branch.h"
#include "study/hopf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double sizes[] = {0.1, 0.03, 0.01, 3e-3, 1e-3, 1e-4, 1e-5}; // e
static const double smallest = 0.03; // against the first cycle found
static const double nearest = 0.02;  // of the range: how far the param may be from the Hopf point

// what a cycle is looked for from
typedef struct birth
{
  study_linear* l;
  const study_special* at;
  const study_branches_options* o;
  double* shape; // 4n
  base_arena* arena;
} birth;

// the unknowns of the cycle of size e, into u; null where there is none
static study_rounds* cycle(const birth* b, double e, double* u)
{
  const study_stability* x = b->at->at;
  const int n = x->n, N = 2 * n, wide = N + 2;
  study_stability* r = study_stability_new(b->l->e);
  double* from = base_arena_take(b->arena, sizeof(double) * (size_t)(2 * wide + 1));
  double *row = from + wide, along = 0;
  r->t = x->t;
  r->period = from[N] = 2 * M_PI / b->at->im;
  for (int j = 0; j < N; j++) {
    from[j] = j < n ? x->q[j] : x->v[j - n];
    *(j < n ? r->q + j : r->v + j - n) = from[j] + 2 * e * b->shape[j];
    row[j] = b->shape[j];
  }
  from[N + 1] = b->at->value;
  engine_given_move(b->l->e, b->l->param, b->at->value);
  study_rounds* w = study_rounds_new(b->l, x->ignorable, false, r, b->at->value, NULL, b->arena, u);
  if (b->o->tolerance > 0) w->tolerance = b->o->tolerance;
  study_rounds_pick(w, u);
  study_curve c = study_rounds_curve(w);
  for (int j = 0; j < wide; j++)
    c.weight[j] = j < N ? 2 * e : j == N ? from[N] : b->o->to - b->o->from;
  study_curve_measure(&c, u);
  double size = sqrt(study_curve_dot(&c, row, row));
  for (int j = 0; j < wide; j++) row[j] /= size;
  for (int j = 0; j < wide; j++) from[j] = u[j] - from[j];
  along = study_curve_dot(&c, row, from);
  for (int j = 0; j < wide; j++) from[j] = u[j] - from[j];
  bool fine = study_curve_correct(&c, row, from, along, u) > 0;
  fine = fine && fabs(u[N + 1] - b->at->value) < nearest * (b->o->to - b->o->from) &&
         fabs(u[N] - from[N]) < 0.3 * from[N];
  study_curve_free(&c);
  study_stability_free(r);
  if (fine) return w;
  study_rounds_free(w);
  return NULL;
}

// the branch of cycles from one Hopf point; null where none was found
static study_branches* follow(const birth* b)
{
  const int wide = 2 * b->l->n + 2;
  double* u = base_arena_take(b->arena, sizeof(double) * (size_t)(wide + 1));
  study_rounds* w = NULL;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes && !w; i++) w = cycle(b, sizes[i], u);
  if (!w) return NULL;
  study_curve c = study_rounds_curve(w);
  c.newborn = true;
  base_notes* quiet = base_notes_new();
  study_road road = study_road_of(b->o, &c, study_rounds_look, study_rounds_wind, w);
  road.why = study_rounds_why;
  road.touch = study_rounds_touch;
  road.work = study_rounds_work;
  study_road_take_second(&road, b->o, b->l->e->model, study_rounds_second);
  w->second = b->o->second;
  // smaller ones are not told from the steady motion well
  w->still = smallest;
  study_branches* out = study_branches_run(road, u, b->o, quiet);
  base_notes_free(quiet);
  study_curve_free(&c);
  study_rounds_free(w);
  return out;
}

void study_branches_append(study_branches* b, study_branches* more, int from, double value)
{
  study_path* all = base_arena_take(b->arena, sizeof *all * (size_t)(b->count + more->count + 1));
  memcpy(all, b->path, sizeof *all * (size_t)b->count);
  for (int i = 0; i < more->count; i++) {
    study_path* p = &all[b->count + i];
    *p = more->path[i];
    p->from = i ? p->from + b->count : from;
    if (i == 0) p->from_value = value;
  }
  b->path = all;
  b->count += more->count;
  b->more = b->more || more->more;
  study_locus* loci = base_arena_take(b->arena, sizeof *loci * (size_t)(b->loci + more->loci + 1));
  for (int i = 0; i < b->loci; i++) loci[i] = b->locus[i];
  for (int i = 0; i < more->loci; i++) {
    loci[b->loci + i] = more->locus[i];
    loci[b->loci + i].branch += b->count - more->count;
  }
  b->locus = loci;
  b->loci += more->loci;
  more->loci = 0;
  more->next = b->next;
  b->next = more;
  more->count = more->grids = 0;
}

void study_branches_hopf(study_branches* b, study_linear* l, const study_branches_options* o)
{
  const int steady = b->count, n = l->n;
  for (int i = 0; i < steady; i++)
    for (int k = 0; k < b->path[i].specials; k++) {
      const study_special* x = &b->path[i].special[k];
      if (strcmp(x->kind, "hopf") != 0 || !x->at || x->at->C || !(x->im > 0)) continue;
      engine* e = l->e;
      birth from = {.l = l, .at = x, .o = o, .arena = base_arena_new()};
      from.shape = base_arena_take(from.arena, sizeof(double) * (size_t)(4 * n + 1));
      study_branches* more = NULL;
      engine_state(e, x->at->t, x->at->q, x->at->v);
      e->factored = false;
      if (engine_given_move(e, l->param, x->value) && !study_linear_at(l)) {
        if (study_hopf_shape(l, x->at->ignorable, x->im, from.arena, from.shape))
          more = follow(&from);
      }
      if (more) study_branches_append(b, more, i, x->value);
      base_arena_free(from.arena);
    }
}
