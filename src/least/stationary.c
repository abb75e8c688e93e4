// All stationary points of a quadratic on a curved set: chooses the way, collects what it finds.
#include "least/stationary.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

least_stationary* least_stationary_new(int l_max, int s_max)
{
  assert(l_max >= 1 && l_max <= LEAST_STATIONARY_MOST && s_max >= 0 && s_max <= l_max);
  least_stationary* f = base_alloc(sizeof *f);
  f->l_max = l_max;
  f->s_max = s_max;
  f->gradients = num_null_new(s_max > 0 ? s_max : 1, l_max);
  f->jacobian = num_null_new(l_max + s_max + 1, l_max + s_max);
  f->paths = least_stationary_paths_new(l_max, s_max);
  f->known = least_stationary_known_new(l_max, s_max);
  f->general = least_stationary_general_new(l_max, s_max);
  return f;
}

void least_stationary_free(least_stationary* f)
{
  if (!f) return;
  num_null_free(f->gradients);
  num_null_free(f->jacobian);
  least_stationary_paths_free(f->paths);
  least_stationary_known_free(f->known);
  least_stationary_general_free(f->general);
  free(f);
}

// rank of the gradients at a few general places of the frame: less than s means redundant
// constraints, not a singular point
static void find_generic_rank(least_stationary* f)
{
  least_stationary_frame* q = &f->frame;
  int rank = 0;
  least_stationary_point at;
  least_stationary_flat flat;
  q->generic_rank = 0;
  for (int k = 1; k <= 6 && rank < q->p->s; k++) {
    double x[STATIONARY_L], w[STATIONARY_L];
    for (int i = 0; i < q->n; i++) x[i] = sin(12.9898 * k + 78.233 * (i + 1));
    least_stationary_frame_place(q, x, w);
    if (least_stationary_judge(f, w, &at, &flat) && at.rank > rank) rank = at.rank;
  }
  q->generic_rank = rank;
}

static int by_value(const void* a, const void* b)
{
  const least_stationary_point *x = a, *y = b;
  if (x->U != y->U) return x->U < y->U ? -1 : 1;
  for (int i = 0; i < STATIONARY_L; i++)
    if (x->w[i] != y->w[i]) return x->w[i] < y->w[i] ? -1 : 1;
  return 0;
}

static const least_stationary_set* finish(least_stationary* f)
{
  least_stationary_set* set = &f->set;
  qsort(set->point, (size_t)set->count, sizeof *set->point, by_value);
  set->empty = set->count == 0;
  set->continuum = set->count > 0 && set->point[0].continuum;
  if (f->overflow) set->complete = false;
  if (set->empty) {
    set->least_phi = f->best_phi;
    memcpy(set->least_at, f->best_at, sizeof set->least_at);
  }
  return set;
}

// Ends of paths were found. Sets of more than isolated points, which no path need show, and a
// second look.
static void look_beside_paths(least_stationary* f, bool sound)
{
  least_stationary_frame* q = &f->frame;
  least_stationary_set* set = &f->set;
  // lengths too far apart: what is far looks infinite to the paths, what is small like a point
  const bool even = fmax(q->unit, q->longest) < 1e3 * fmin(q->unit, q->shortest);
  const int found = set->count;
  set->method = "homotopy";
  set->complete = sound && even;
  least_stationary_search(f, set->complete ? 8 + 2 * q->n : 40 + 20 * q->n);
  least_stationary_known_looked(f, set->complete && set->count == found);
}

static void solve_polynomials(least_stationary* f)
{
  least_stationary_frame* q = &f->frame;
  least_stationary_set* set = &f->set;
  bool redundant = q->generic_rank < q->l - q->n + q->m;
  if (q->m == 1 && q->degree[q->index[0]] <= 2) {
    set->method = "quadric";
    set->complete = true;
    least_stationary_quadric(f);
    if (set->count == 0) least_stationary_search(f, 4);
  } else if (!redundant && least_stationary_homotopy_paths(q) > 0) {
    look_beside_paths(f, least_stationary_homotopy(f));
  } else {
    set->method = "search";
    set->complete = false;
    least_stationary_search(f, 60 + 20 * q->n);
  }
}

// the frame of the problem, and nothing found yet
static bool begin(least_stationary* f, const least_stationary_problem* p)
{
  least_stationary_set* set = &f->set;
  set->count = set->paths = 0;
  set->complete = set->empty = set->continuum = false;
  set->least_phi = 0;
  memset(set->least_at, 0, sizeof set->least_at);
  f->overflow = false;
  f->best_phi = INFINITY;
  if (!least_stationary_frame_make(f, p)) return false;
  set->method = "affine";
  set->complete = true;
  return true;
}

const least_stationary_set* least_stationary_all(least_stationary* f,
                                                 const least_stationary_problem* p)
{
  least_stationary_frame* q = &f->frame;
  least_stationary_set* set = &f->set;
  if (!begin(f, p)) return NULL;
  if (q->contradictory) {
    f->best_phi = q->apart;
    memcpy(f->best_at, q->origin, sizeof f->best_at);
    return finish(f);
  }
  find_generic_rank(f);
  if (q->m == 0)
    least_stationary_add(f, q->origin, NULL);
  else if (p->polynomial)
    solve_polynomials(f);
  else {
    set->method = "search";
    set->complete = false;
    least_stationary_search(f, 60 + 20 * q->n);
    if (set->count == 0 && !isfinite(f->best_phi)) return NULL;
  }
  return finish(f);
}

const least_stationary_set* least_stationary_again(least_stationary* f,
                                                   const least_stationary_problem* p)
{
  const least_stationary_frame* q = &f->frame;
  if (!p->polynomial) return least_stationary_all(f, p);
  if (!begin(f, p)) return NULL;
  const bool by_paths = !q->contradictory && q->m == p->s && q->n == q->l &&
                        !(q->m == 1 && q->degree[q->index[0]] <= 2);
  if (!by_paths) return least_stationary_all(f, p);
  find_generic_rank(f);
  if (q->generic_rank < q->m) return least_stationary_all(f, p);
  least_stationary_paths_prepare(f);
  if (least_stationary_known_follow(f)) {
    f->set.method = "homotopy";
    // how nearly the constraints can be met
    if (f->set.count == 0) least_stationary_search(f, 4);
    return finish(f);
  }
  f->set.count = 0;
  if (!least_stationary_general_follow(f)) return least_stationary_all(f, p);
  look_beside_paths(f, least_stationary_paths_collect(f));
  return finish(f);
}
