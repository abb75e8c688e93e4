// Inverse dynamics: the forces along chosen coordinates that make a given motion.
//
// At each instant some places, velocities and accelerations are given; the constraints tell the
// others: f0(q) = 0 with q_i given by Newton's steps, A v = -a0 with v_i given, A a = c with a_i
// given. What is missing in the equations of motion, g = M a - F, is made by the forces u along the
// coordinates chosen (B u) and by the reactions of the constraints (A^T lambda). On the motions Z
// that the constraints admit, A Z = 0, reactions do no work:
//   Z^T B u = Z^T g.
// Where there are more forces than freedoms the smallest are taken; where they cannot make the
// motion that is told.
#include "contact/contact.h"
#include "engine/engine.h"
#include "study/study.h"
#include "walk/walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_turns = 50 };
static const double well_placed = 1e-13; // last of Newton's steps beside the size of the places
static const double contradicts = 1e-8;  // what is left of a row beside its scale
static const double not_made = 1e-7;     // of g, beside its size, that forces cannot make

typedef struct work
{
  engine* e;
  const study_motion* motion;
  study_inverse* r;
  code_kernel* kernel; // M, F, A, c, f0, f1
  double *out, *scratch;
  const double *M, *F, *A, *c, *f0, *f1;
  num_null* null;
  double *rows, *right, *x, *Z, *g, *ZB, *Zg;
  int* along;
} work;

static bool compile(work* w, base_notes* notes)
{
  engine* e = w->e;
  const mech_system* s = e->s;
  const int n = e->n, m = e->m, count = n * n + n + m * n + 3 * m;
  if (!mech_mass(s)) {
    base_error(notes, BASE_NOWHERE, "the model has too many coordinates for inverse dynamics");
    return false;
  }
  expr *list = base_alloc(sizeof(expr) * (size_t)(count + 1)), *at = list, missing = EXPR_NONE;
  for (int i = 0; i < n * n; i++) *at++ = mech_mass(s)[i];
  for (int i = 0; i < n; i++) *at++ = s->F[i];
  for (int i = 0; i < m * n; i++) *at++ = s->A[i];
  for (int i = 0; i < m; i++) *at++ = s->c[i];
  for (int i = 0; i < m; i++) *at++ = s->f0[i] ? s->f0[i] : expr_int(s->pool, 0);
  for (int i = 0; i < m; i++) *at++ = s->f1[i] ? s->f1[i] : expr_int(s->pool, 0);
  engine_fix(e->program, count, list, list);
  w->kernel = code_build(s->pool, count, list, e->program->inputs, e->program->input, &missing);
  free(list);
  if (!w->kernel) {
    base_error(notes, BASE_NOWHERE, "the equations of motion cannot be evaluated");
    return false;
  }
  w->out = engine_doubles(e, count + 1);
  w->scratch = engine_doubles(e, (int)code_scratch(w->kernel) + 1);
  w->M = w->out;
  w->F = w->M + n * n;
  w->A = w->F + n;
  w->c = w->A + m * n;
  w->f0 = w->c + m;
  w->f1 = w->f0 + m;
  return true;
}

static void evaluate(work* w)
{
  code_run(w->kernel, w->e->in, w->out, w->scratch);
}

// ---- the motion ---------------------------------------------------------------------------------

// rows of constraints up to an order, those of the coordinates given behind them; how many
static int stack(work* w, int order, const double* f, const double* given)
{
  const engine* e = w->e;
  const int n = e->n;
  int rows = 0;
  for (int k = 0; k < e->m; k++) {
    if (!e->mode.active[k] || e->model->constraint[k].order > order) continue;
    memcpy(w->rows + rows * n, w->A + k * n, sizeof(double) * (size_t)n);
    w->right[rows++] = f[k];
  }
  for (int i = 0; given && i < w->motion->coords; i++) {
    double* row = w->rows + rows * n;
    memset(row, 0, sizeof(double) * (size_t)n);
    row[w->motion->coord[i]] = 1;
    w->right[rows++] = given[i];
  }
  return rows;
}

static const double* given_at(const work* w, int row, int level)
{
  return w->motion->value + ((size_t)row * 3 + (size_t)level) * (size_t)w->motion->coords;
}

static bool tell_free(const work* w, int rank, const char* what, base_notes* notes)
{
  const engine* e = w->e;
  const int left = e->n - rank;
  base_text names = {0};
  num_null_basis(w->null, w->Z);
  for (int i = 0; i < e->model->places; i++) {
    double most = 0;
    for (int k = 0; k < left; k++) most = fmax(most, fabs(w->Z[i * left + k]));
    if (most > engine_moves_freely)
      base_text_printf(&names, "%s`%s`", names.n ? ", " : "", e->model->coord[i].name);
  }
  base_error(notes, BASE_NOWHERE, "the motion does not tell the %s of %s", what,
             names.at ? names.at : "all coordinates");
  base_help(notes, "give as many coordinates as there are freedoms");
  base_text_free(&names);
  return false;
}

static bool contradiction(double t, const char* what, double off, base_notes* notes)
{
  base_error(notes, BASE_NOWHERE, "at t = %.10g: the %s given contradict the constraints (%.2g)", t,
             what, off);
  return false;
}

static bool find_places(work* w, int row, base_notes* notes)
{
  engine* e = w->e;
  const int n = e->n;
  const double *want = given_at(w, row, 0), t = w->motion->t[row];
  double* off = w->g;
  for (int turn = 0; turn < most_turns; turn++) {
    evaluate(w);
    for (int i = 0; i < w->motion->coords; i++) off[i] = want[i] - e->q[w->motion->coord[i]];
    int rows = stack(w, 0, w->f0, off);
    for (int k = 0; k < rows - w->motion->coords; k++) w->right[k] = -w->right[k];
    const int rank = num_null_factor(w->null, rows, n, w->rows, 0);
    if (rank < n) return tell_free(w, rank, "places", notes);
    const double left = num_null_solve(w->null, w->rows, w->right, w->x);
    double step = 0, size = 1;
    for (int i = 0; i < n; i++) {
      step = fmax(step, fabs(w->x[i]));
      size = fmax(size, fabs(e->q[i]));
      e->q[i] += w->x[i];
    }
    if (!isfinite(step)) break;
    if (step <= well_placed * size && left <= contradicts) return true;
    if (step <= well_placed * size) return contradiction(t, "places", left, notes);
  }
  return contradiction(t, "places", NAN, notes);
}

static bool find_velocities(work* w, int row, base_notes* notes)
{
  engine* e = w->e;
  const int n = e->n;
  double* off = w->g;
  for (int turn = 0; turn < most_turns; turn++) {
    evaluate(w);
    for (int i = 0; i < w->motion->coords; i++)
      off[i] = given_at(w, row, 1)[i] - e->v[w->motion->coord[i]];
    const int rows = stack(w, 1, w->f1, off);
    for (int k = 0; k < rows - w->motion->coords; k++) w->right[k] = -w->right[k];
    const int rank = num_null_factor(w->null, rows, n, w->rows, 0);
    if (rank < n) return tell_free(w, rank, "velocities", notes);
    const double left = num_null_solve(w->null, w->rows, w->right, w->x);
    double step = 0, size = 1;
    for (int i = 0; i < n; i++) {
      step = fmax(step, fabs(w->x[i]));
      size = fmax(size, fabs(e->v[i]));
      e->v[i] += w->x[i];
    }
    if (step > well_placed * size) continue;
    return left <= contradicts || contradiction(w->motion->t[row], "velocities", left, notes);
  }
  return contradiction(w->motion->t[row], "velocities", NAN, notes);
}

static bool find_accelerations(work* w, int row, base_notes* notes)
{
  engine* e = w->e;
  evaluate(w);
  const int rows = stack(w, 2, w->c, given_at(w, row, 2));
  const int rank = num_null_factor(w->null, rows, e->n, w->rows, 0);
  if (rank < e->n) return tell_free(w, rank, "accelerations", notes);
  double size = 1;
  for (int k = 0; k < rows; k++) size = fmax(size, fabs(w->right[k]));
  const double left = num_null_solve(w->null, w->rows, w->right, w->x);
  memcpy(e->a, w->x, sizeof(double) * (size_t)e->n);
  return left <= contradicts * size ||
         contradiction(w->motion->t[row], "accelerations", left, notes);
}

// ---- the forces ---------------------------------------------------------------------------------

static bool find_forces(work* w, int row, base_notes* notes)
{
  engine* e = w->e;
  study_inverse* r = w->r;
  const int n = e->n, count = r->forces;
  // the missing force, and what it is the difference of
  double size = 0;
  for (int i = 0; i < n; i++) {
    double sum = -w->F[i];
    size = fmax(size, fabs(w->F[i]));
    for (int j = 0; j < n; j++) {
      sum += w->M[i * n + j] * e->a[j];
      size = fmax(size, fabs(w->M[i * n + j] * e->a[j]));
    }
    w->g[i] = sum;
  }
  const int rows = stack(w, 2, w->c, NULL), rank = num_null_factor(w->null, rows, n, w->rows, 0),
            l = n - rank;
  num_null_basis(w->null, w->Z);
  for (int k = 0; k < l; k++) {
    w->Zg[k] = 0;
    for (int i = 0; i < n; i++) w->Zg[k] += w->Z[i * l + k] * w->g[i];
    for (int j = 0; j < count; j++) w->ZB[k * count + j] = w->Z[w->along[j] * l + k];
  }
  num_null* f = num_null_new(l ? l : 1, count);
  const int made = num_null_factor(f, l, count, w->ZB, 0);
  double* u = r->force + (size_t)row * (size_t)count;
  num_null_solve(f, w->ZB, w->Zg, u);
  num_null_free(f);
  double left = 0;
  for (int k = 0; k < l; k++) {
    double sum = -w->Zg[k];
    for (int j = 0; j < count; j++) sum += w->ZB[k * count + j] * u[j];
    left = fmax(left, fabs(sum));
  }
  if (made < count) r->redundant = count - made > r->redundant ? count - made : r->redundant;
  r->freedoms = l;
  if (left <= not_made * fmax(size, r->scale)) {
    r->scale = fmax(r->scale, size);
    return true;
  }
  base_error(notes, BASE_NOWHERE,
             "at t = %.10g: forces along the coordinates chosen cannot make this motion (%.3g is "
             "missing along what is free)",
             w->motion->t[row], left);
  base_help(notes, "%d force%s for %d freedom%s: choose others with --along", count,
            count == 1 ? "" : "s", l, l == 1 ? "" : "s");
  return false;
}

// ---- the whole ----------------------------------------------------------------------------------

static bool begin(engine* e, double t, base_notes* notes)
{
  const model* m = e->model;
  const char* why = e->unilateral             ? "it has inequalities"
                    : e->program->forces_feel ? "its forces depend on reactions, or on controls"
                    : e->least                ? "a constraint is nonlinear in the accelerations"
                                              : NULL;
  if (why) {
    base_error(notes, BASE_NOWHERE, "inverse dynamics do not take this model: %s", why);
    return false;
  }
  engine_time(e, t);
  if (m->stages && walk_change_first(e, &m->stage[0].change, notes)) return false;
  // where guesses lead to tells one assembly from another
  base_notes* quiet = base_notes_new();
  walk_start(e, t, m->initials, m->initial, quiet, NULL);
  base_notes_free(quiet);
  engine_time(e, t);
  return true;
}

static bool solve(work* w, base_notes* notes)
{
  engine* e = w->e;
  const study_motion* motion = w->motion;
  for (int row = 0; row < motion->rows; row++) {
    engine_time(e, motion->t[row]);
    if (!find_places(w, row, notes) || !find_velocities(w, row, notes)) return false;
    if (e->program->modes.count && contact_sides(e)) {
      base_error(notes, BASE_NOWHERE, "at t = %.10g: %s", motion->t[row], e->reason);
      return false;
    }
    if (!find_accelerations(w, row, notes) || !find_forces(w, row, notes)) return false;
    memcpy(w->r->q + row * e->n, e->q, sizeof(double) * (size_t)e->n);
  }
  return true;
}

static void make_room(work* w)
{
  engine* e = w->e;
  const int n = e->n, rows = e->m + w->motion->coords, count = w->r->forces;
  w->null = num_null_new(rows + 1, n);
  w->rows = engine_doubles(e, (rows + 1) * n);
  w->right = engine_doubles(e, rows + 1);
  w->x = engine_doubles(e, n);
  w->Z = engine_doubles(e, n * n);
  w->g = engine_doubles(e, n + w->motion->coords);
  w->ZB = engine_doubles(e, n * count + 1);
  w->Zg = engine_doubles(e, n);
}

study_inverse* study_inverse_find(mech_system* s, const study_motion* motion, int forces,
                                  const int* along, base_notes* notes)
{
  engine* e = contact_engine_new(s, notes);
  if (!e) return NULL;
  base_arena* arena = base_arena_new();
  study_inverse* r = base_arena_take(arena, sizeof *r);
  *r = (study_inverse){.arena = arena,
                       .model = e->model,
                       .rows = motion->rows,
                       .forces = forces,
                       .n = e->n,
                       .t = motion->t};
  r->along = base_arena_take(arena, sizeof(int) * (size_t)(forces + 1));
  memcpy(r->along, along, sizeof(int) * (size_t)forces);
  r->force = base_arena_take(arena, sizeof(double) * (size_t)(motion->rows * forces + 1));
  r->q = base_arena_take(arena, sizeof(double) * (size_t)(motion->rows * e->n + 1));
  work w = {.e = e, .motion = motion, .r = r, .along = r->along};
  make_room(&w);
  const bool fine = begin(e, motion->t[0], notes) && compile(&w, notes) && solve(&w, notes);
  if (fine && r->redundant > 0)
    base_warning(notes, BASE_NOWHERE,
                 "there are more forces than freedoms, %d of them redundant: of all that make the "
                 "motion the smallest are given",
                 r->redundant);
  code_free(w.kernel);
  num_null_free(w.null);
  engine_free(e);
  if (fine) return r;
  base_arena_free(arena);
  return NULL;
}

void study_inverse_free(study_inverse* r)
{
  if (r) base_arena_free(r->arena);
}
