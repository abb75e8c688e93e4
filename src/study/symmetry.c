// Affine fields that leave the equations of motion as they are.
//
// A field eta(q) = C q + c moves the state by X = (C q + c, C v). Motions are led into motions
// where
//   da/dq (C q + c) + da/dv C v = C a          (a: the accelerations, constraints included)
// on the constraint surface; X is to stay on it, and the kinetic energy to be the same. These are
// linear equations for the n (n + 1) entries of C and c; at more states than needed their common
// null space is the Lie algebra of such fields. Shifts of ignorable coordinates, turns of the plane
// or of space about an axis in fixed axes (with the angles or quaternions that go with them), and
// shifts of several coordinates at once are of this kind.
#include "study/symmetry.h"

#include "study/stability.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_coords = 24, twelfths = 12 };
static const double dependent = 1e-8; // pivots of the equations
static const double nearly = 1e-8;    // entries this near to a fraction are it
static const double new_part = 1e-6;  // of a direction: what is new in it
static const double at_rest = 1e-12;  // what symmetries move a state by, over the state

static double* doubles(base_arena* a, int count)
{
  return base_arena_take(a, sizeof(double) * (size_t)(count + 1));
}

void study_symmetry_apply(int n, const double* C, const double* c, const double* x, double* out)
{
  for (int i = 0; i < n; i++) {
    double sum = c ? c[i] : 0;
    for (int j = 0; j < n; j++) sum += C[i * n + j] * x[j];
    out[i] = sum;
  }
}

void study_symmetry_sum(const study_symmetry* s, const double* xi, int k, double* out_C,
                        double* out_c)
{
  const int n = s->n;
  memset(out_C, 0, sizeof(double) * (size_t)(n * n));
  memset(out_c, 0, sizeof(double) * (size_t)n);
  for (int h = 0; h < s->count; h++) {
    const double share = xi ? xi[h] : h == k;
    for (int i = 0; i < n * n; i++) out_C[i] += share * s->C[h * n * n + i];
    for (int i = 0; i < n; i++) out_c[i] += share * s->c[h * n + i];
  }
}

void study_symmetry_at(const study_symmetry* s, int k, const double* q, const double* v,
                       double* out)
{
  const int n = s->n;
  study_symmetry_apply(n, s->C + k * n * n, s->c + k * n, q, out);
  study_symmetry_apply(n, s->C + k * n * n, NULL, v, out + n);
}

study_symmetry study_symmetry_shifts(int n, const bool* ignorable, base_arena* arena)
{
  study_symmetry s = {.n = n};
  for (int i = 0; i < n; i++) s.count += ignorable[i];
  s.C = doubles(arena, s.count * n * n);
  s.c = doubles(arena, s.count * n);
  for (int i = 0, k = 0; i < n; i++)
    if (ignorable[i]) s.c[k++ * n + i] = 1;
  return s;
}

// ---- the equations ------------------------------------------------------------------------------

typedef struct sampler
{
  study_linear* l;
  code_kernel* slope; // dT/dq, dT/dv
  double *out, *scratch;
  int unknowns, count;
  double* rows;
} sampler;

static code_kernel* build_slope(engine* e)
{
  const int N = 2 * e->n;
  expr* list = base_alloc(sizeof(expr) * (size_t)(2 * N));
  expr_gradient(e->s->pool, e->model->T, N, e->program->input + 1, list);
  engine_fix(e->program, N, list, list + N);
  bool whole = true;
  for (int i = 0; i < N; i++) whole = whole && list[N + i] != EXPR_NONE;
  expr missing;
  code_kernel* k =
      whole ? code_build(e->s->pool, N, list + N, e->program->inputs, e->program->input, &missing)
            : NULL;
  free(list);
  return k;
}

// by_q . (C q + c) + by_v . C v - by_a . C a = 0 as a row in C and c; by_a may be null
static void add_row(sampler* s, const double* by_q, const double* by_v, int a_row, double size)
{
  const engine* e = s->l->e;
  const int n = e->n;
  double* row = s->rows + s->count++ * s->unknowns;
  double most = 0;
  for (int j = 0; j < n; j++) {
    for (int k = 0; k < n; k++) {
      row[j * n + k] = by_q[j] * e->q[k] + by_v[j] * e->v[k] - (j == a_row ? e->a[k] : 0);
      most = fmax(most, fabs(row[j * n + k]));
    }
    row[n * n + j] = by_q[j];
    most = fmax(most, fabs(by_q[j]));
  }
  // rounding in a row that says nothing is not to be scaled up
  for (int i = 0; i < s->unknowns; i++)
    if (fabs(row[i]) < 1e-12 * fmax(size, most)) row[i] = 0;
}

static void add_state(sampler* s)
{
  study_linear* l = s->l;
  const engine* e = l->e;
  const int n = e->n, N = 2 * n;
  double size = 0;
  for (int i = 0; i < N * N; i++) size = fmax(size, fabs(l->J[i]));
  for (int i = 0; i < n; i++) {
    const double* row = l->J + (n + i) * N;
    add_row(s, row, row + n, i, size);
  }
  for (int i = 0; i < l->rows; i++) add_row(s, l->G + i * N, l->G + i * N + n, -1, 0);
  code_run(s->slope, e->in, s->out, s->scratch);
  add_row(s, s->out, s->out + n, -1, 0);
}

// states around the engine's, on the constraints
static bool sample(sampler* s, int states, double span)
{
  engine* e = s->l->e;
  const size_t bytes = sizeof(double) * (size_t)(2 * e->n);
  double* here = base_alloc(bytes);
  memcpy(here, e->q, bytes);
  const double t = e->in[0];
  uint64_t seed = 1918;
  int seen = 0;
  for (int turn = 0; turn < 3 * states && seen < states; turn++) {
    bool moved;
    for (int i = 0; i < 2 * e->n; i++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      const double part = (double)(seed >> 11) / 4503599627370496.0 - 1;
      e->q[i] = here[i] + 0.3 * part * (1 + 0.3 * fabs(here[i]));
    }
    if (span > 0) engine_time(e, t + span * turn * 0.3819660112501051);
    e->factored = false;
    if (engine_project(e, &moved) || contact_sides(e) || study_linear_at(s->l)) continue;
    study_linear_tangent(s->l);
    add_state(s);
    seen++;
  }
  memcpy(e->q, here, bytes);
  if (span > 0) engine_time(e, t);
  e->factored = false;
  free(here);
  return seen == states;
}

// ---- a plain basis ------------------------------------------------------------------------------

// Gauss and Jordan: each of the rows with a one where all others have a zero
static void clear(int rows, int width, double* B)
{
  bool* used = base_alloc((size_t)rows + 1);
  for (int turn = 0; turn < rows; turn++) {
    int at = -1, column = 0;
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < width && !used[i]; j++)
        if (at < 0 || fabs(B[i * width + j]) > fabs(B[at * width + column]) * (1 + 1e-6))
          at = i, column = j;
    used[at] = true;
    const double pivot = B[at * width + column];
    for (int j = 0; j < width; j++) B[at * width + j] /= pivot;
    for (int i = 0; i < rows; i++) {
      const double part = i == at ? 0 : B[i * width + column];
      for (int j = 0; j < width && part != 0; j++) B[i * width + j] -= part * B[at * width + j];
    }
  }
  free(used);
}

static double left_over(const sampler* s, const double* field)
{
  double most = 0;
  for (int r = 0; r < s->count; r++) {
    double sum = 0, size = 0;
    for (int i = 0; i < s->unknowns; i++) {
      const double term = s->rows[r * s->unknowns + i] * field[i];
      sum += term;
      size += fabs(term);
    }
    if (size > 0) most = fmax(most, fabs(sum) / (size + 1e-3));
  }
  return most;
}

// entries that are fractions in truth are made so; taken where the equations hold all the same
static void make_exact(const sampler* s, double* field)
{
  double* plain = base_alloc(sizeof(double) * (size_t)s->unknowns);
  for (int i = 0; i < s->unknowns; i++) {
    const double nearest = round(twelfths * field[i]) / twelfths;
    plain[i] = fabs(field[i] - nearest) < nearly ? nearest : field[i];
  }
  if (left_over(s, plain) < 1e-10) memcpy(field, plain, sizeof(double) * (size_t)s->unknowns);
  free(plain);
}

static study_symmetry take(const sampler* s, int count, const double* basis, base_arena* arena)
{
  const int n = s->l->n, U = s->unknowns;
  double* B = base_alloc(sizeof(double) * (size_t)(count * U + 1));
  for (int k = 0; k < count; k++)
    for (int i = 0; i < U; i++) B[k * U + i] = basis[i * count + k];
  clear(count, U, B);
  study_symmetry out = {.n = n};
  out.C = doubles(arena, count * n * n);
  out.c = doubles(arena, count * n);
  for (int k = 0; k < count; k++) {
    make_exact(s, B + k * U);
    if (left_over(s, B + k * U) > 1e-8) continue;
    memcpy(out.C + out.count * n * n, B + k * U, sizeof(double) * (size_t)(n * n));
    memcpy(out.c + out.count * n, B + k * U + n * n, sizeof(double) * (size_t)n);
    out.count++;
  }
  free(B);
  return out;
}

study_symmetry study_symmetry_find(study_linear* l, double span, base_arena* arena)
{
  engine* e = l->e;
  const int n = e->n, U = n * (n + 1), states = n + 8;
  study_symmetry none = {.n = n};
  if (n > most_coords) return none;
  sampler s = {.l = l, .unknowns = U, .slope = build_slope(e)};
  if (!s.slope) return none;
  const int most = states * (n + 2 * e->m + 1);
  s.out = base_alloc(sizeof(double) * (size_t)(2 * n));
  s.scratch = base_alloc(sizeof(double) * (code_scratch(s.slope) + 1));
  s.rows = base_alloc(sizeof(double) * (size_t)most * (size_t)U);
  double* basis = base_alloc(sizeof(double) * (size_t)U * (size_t)U);
  study_symmetry found = none;
  if (sample(&s, states, span)) {
    const int count = study_steady_null(U, s.count, s.rows, 0, dependent, basis);
    found = take(&s, count, basis, arena);
  }
  free(basis);
  free(s.rows);
  free(s.scratch);
  free(s.out);
  code_free(s.slope);
  return found;
}

// ---- what they lead along -----------------------------------------------------------------------

bool study_symmetry_column(int N, int most, int count, double least, double* x, double* F)
{
  double size = 0;
  for (int turn = 0; turn < 2; turn++)
    for (int h = 0; h < count; h++) {
      double sum = 0;
      for (int i = 0; i < N; i++) sum += F[i * most + h] * x[i];
      for (int i = 0; i < N; i++) x[i] -= sum * F[i * most + h];
    }
  for (int i = 0; i < N; i++) size += x[i] * x[i];
  if (!(sqrt(size) > least)) return false;
  for (int i = 0; i < N; i++) F[i * most + count] = x[i] / sqrt(size);
  return true;
}

int study_symmetry_family(study_linear* l, int f, double* F)
{
  const int N = 2 * l->n;
  base_arena* arena = base_arena_new();
  const study_symmetry s = study_symmetry_find(l, 0, arena);
  double *x = doubles(arena, N), *all = doubles(arena, N * N);
  int count = 0;
  for (int k = 0; k < f + s.count && count < N; k++) {
    double size = 0, state = 0;
    memset(x, 0, sizeof(double) * (size_t)N);
    if (k >= f) study_symmetry_at(&s, k - f, l->e->q, l->e->v, x);
    for (int i = 0; i < N; i++) {
      if (k < f) x[i] = F[i * f + k];
      size += x[i] * x[i];
      state += l->e->q[i] * l->e->q[i];
    }
    // what stands on the axis of a symmetry is not moved by it
    if (!(sqrt(size) > at_rest * (1 + sqrt(state)))) continue;
    for (int i = 0; i < N; i++) x[i] /= sqrt(size);
    count += study_symmetry_column(N, N, count, new_part, x, all);
  }
  for (int i = 0; i < N; i++)
    for (int k = 0; k < count; k++) F[i * count + k] = all[i * N + k];
  base_arena_free(arena);
  return count;
}
