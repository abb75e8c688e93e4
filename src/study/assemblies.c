// All assemblies of a mechanism: the real ones among the complex solutions of its equations.
#include "study/closure.h"

#include "contact/contact.h"
#include "walk/walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef double complex cx;

// Imaginary parts beside the size: where solutions fall together their paths end near by. What
// Newton's steps find from there is judged by itself.
static const double nearly_real = 0.01;
static const double well_placed = 1e-13; // last step beside the size of an unknown
static const double residual = 1e-9;     // of a row beside what its terms are
static const double nearly_holds = 1e-5; // the same at the end of a path
static const double small_row = 1e-3;    // of a row whose terms all vanish
static const double same_place = 1e-6;
enum { most_solutions = 4000, polishings = 60 };
static const int64_t most_work = 40000000000; // operations

static bool goes_on(void* closure)
{
  return ((const study_closure*)closure)->work < most_work;
}

// Newton's steps along the real line; where solutions fall together they halve what is left
static void polish(study_closure* c, cx* x, cx* F, cx* J, int* pivot)
{
  for (int turn = 0; turn < polishings; turn++) {
    study_closure_values(c, x, F, J);
    if (!num_complex_lu(c->N, J, pivot)) return;
    num_complex_solve(c->N, J, pivot, F);
    double step = 0;
    for (int i = 0; i < c->N; i++) {
      const double by = creal(F[i]);
      if (!isfinite(by)) return;
      step = fmax(step, fabs(by) / fmax(c->size[i], fabs(creal(x[i]))));
    }
    if (step > 1) return;
    for (int i = 0; i < c->N; i++) x[i] = creal(x[i]) - creal(F[i]);
    if (step < well_placed) return;
  }
}

// do all rows hold at x, those that were mixed, too?
static bool holds(study_closure* c, const cx* x, double allowed)
{
  const int M = c->rows, N = c->N;
  study_closure_run(c, x);
  const cx *f = (const cx*)c->out, *J = f + M;
  for (int k = 0; k < M; k++) {
    double scale = 0;
    for (int i = 0; i < N; i++) scale += cabs(J[k * N + i]) * fmax(c->size[i], cabs(x[i]));
    // where all of its terms vanish a row has the size of the others
    if (!(cabs(f[k]) <= allowed * fmax(scale, small_row))) return false;
  }
  return true;
}

// a root is not negative
static bool has_signs(const study_closure* c, const cx* x)
{
  for (int j = c->n; j < c->N; j++)
    if (creal(x[j]) < -same_place * c->size[j]) return false;
  return true;
}

// angles between -pi and pi, the first part of a quaternion that is not zero positive
static void settle(const study_closure* c, cx* x)
{
  const model* m = c->e->model;
  int settled = 0;
  for (int i = 0; i < c->n; i++) {
    double a = creal(x[i]);
    if (c->periodic[i]) {
      a = remainder(a, 2 * M_PI);
      // rounding does not tell the two ends apart
      if (a < -M_PI + same_place) a += 2 * M_PI;
      x[i] = a;
    }
    if (!c->even[i] || m->coord[i].vector == settled || fabs(a) < same_place) continue;
    settled = m->coord[i].vector;
    for (int j = 0; j < c->n && a < 0; j++)
      if (m->coord[j].vector == settled) x[j] = -x[j];
  }
}

static bool is_within(study_closure* c, const cx* x)
{
  engine* e = c->e;
  for (int i = 0; i < c->n; i++) e->q[i] = creal(x[i]);
  for (int k = 0; k < e->model->constraints; k++) {
    const model_constraint* row = &e->model->constraint[k];
    if (row->limit && row->limit * engine_value(e, row->f) < -same_place) return false;
  }
  return true;
}

static int compare(const void* a, const void* b, void* n)
{
  const double *x = a, *y = b;
  for (int i = 0; i < *(const int*)n; i++)
    if (fabs(x[i] - y[i]) > same_place) return x[i] < y[i] ? -1 : 1;
  return 0;
}

static void collect(study_closure* c, const num_monodromy_end* found, study_assemblies* r)
{
  const int n = c->n, N = c->N, marks = study_closure_marks(c);
  cx *x = base_alloc(sizeof(cx) * (size_t)(N * (N + 2) + 1)), *F = x + N, *J = F + N;
  cx* mark = base_alloc(sizeof(cx) * (size_t)(marks * (found->count + 1) + 1));
  int* pivot = base_alloc(sizeof(int) * (size_t)(N + 1));
  int known = 0;
  r->q = base_arena_take(r->arena, sizeof(double) * (size_t)(n * found->count + 1));
  for (int k = 0; k < found->count; k++) {
    bool real = true, fresh = true;
    for (int i = 0; i < N; i++) {
      const cx z = found->x[(size_t)k * (size_t)N + (size_t)i];
      real = real && fabs(cimag(z)) <= nearly_real * fmax(c->size[i], cabs(z));
      x[i] = creal(z);
    }
    r->solutions += holds(c, found->x + (size_t)k * (size_t)N, nearly_holds);
    if (!real) continue;
    polish(c, x, F, J, pivot);
    if (!holds(c, x, residual) || !has_signs(c, x)) continue;
    settle(c, x);
    cx* own = mark + known * marks;
    study_closure_mark(c, x, own);
    for (int h = 0; h < known && fresh; h++) {
      bool same = true;
      for (int i = 0; i < marks && same; i++)
        same = cabs(own[i] - mark[h * marks + i]) <= same_place * (1 + cabs(own[i]));
      fresh = !same;
    }
    if (!fresh) continue;
    known++;
    if (!is_within(c, x)) {
      r->beyond++;
      continue;
    }
    for (int i = 0; i < n; i++) r->q[r->count * n + i] = creal(x[i]);
    r->count++;
  }
  qsort_r(r->q, (size_t)r->count, sizeof(double) * (size_t)n, compare, &r->n);
  free(x);
  free(mark);
  free(pivot);
}

// the engine at the start of the run; where guesses lead to is where sizes are taken from
static bool begin(engine* e, base_notes* notes)
{
  const model* m = e->model;
  engine_time(e, 0);
  const double t = m->has_run ? engine_value(e, m->run_from) : 0;
  engine_time(e, t);
  if (m->stages && walk_change_first(e, &m->stage[0].change, notes)) return false;
  base_notes* quiet = base_notes_new();
  if (!walk_start(e, t, m->initials, m->initial, quiet, NULL))
    memset(e->q, 0, sizeof(double) * (size_t)e->n);
  base_notes_free(quiet);
  engine_time(e, t);
  return true;
}

static study_assemblies* search(study_closure* c)
{
  const num_monodromy p = {.n = c->N,
                           .size = c->size,
                           .context = c,
                           .values = study_closure_values,
                           .marks = study_closure_marks(c),
                           .mark = study_closure_mark,
                           .most = most_solutions,
                           .go_on = goes_on,
                           .seed = 1};
  base_arena* arena = base_arena_new();
  study_assemblies* r = base_arena_take(arena, sizeof *r);
  *r = (study_assemblies){.arena = arena, .model = c->e->model, .t = c->e->in[0], .n = c->n};
  num_monodromy_end found = num_monodromy_solve(&p);
  r->whole = found.whole;
  r->lost = found.lost;
  collect(c, &found, r);
  free(found.x);
  return r;
}

study_assemblies* study_assemblies_find(mech_system* s, base_notes* notes)
{
  engine* e = contact_engine_new(s, notes);
  if (!e) return NULL;
  const model* m = e->model;
  study_closure* c = begin(e, notes) ? study_closure_new(e, m->initials, m->initial, notes) : NULL;
  study_assemblies* r = c ? search(c) : NULL;
  if (r && !r->whole)
    base_warning(notes, BASE_NOWHERE,
                 "the search was broken off: there may be more assemblies than these");
  study_closure_free(c);
  engine_free(e);
  return r;
}

void study_assemblies_free(study_assemblies* r)
{
  if (r) base_arena_free(r->arena);
}
