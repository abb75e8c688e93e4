// The lowest form of the energy along directions where its second variation is nothing.
//
// Along x = x0 + s N u + s^2 x_2 + ... the conditions dE/dx = 0, c = 0 are met order by order but
// for their part along N (Lyapunov, Schmidt): what is left there at order j is the gradient of
//   U_(j+1)(u) = u . g_j(u)/(j + 1),
// the form of degree j + 1 of the energy that is left when all other directions are at their best.
// The first of these forms that is not nothing decides: definite, and the energy is least
// (Lagrange, Dirichlet); negative somewhere, and an equilibrium of a natural system is unstable
// (Lyapunov 1892, Kozlov 1987). Power series by the tape of the energy's slopes, exact but for
// rounding.
#include "study/energy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_degree = 20, most_null = 6, first_tries = 40, tries = 400, descents = 8 };
static const double nothing = 1e-10; // a form against the second variation
static const double rounded = 1e-13; // a form that must be nothing, the same
static const double decided = 1e-6;  // the least value of a form against its largest

typedef struct form
{
  const study_energy* y;
  int N, m, z;
  code_kernel* kernel; // dE/dx, c
  code_jet* jet;
  double* scratch;
  num_null* border; // (H -C^T; C 0; N^T; D^T)
  double *K, *right, *x;
  int rows, wide;
  double* g; // coefficients along N: order by z
} form;

// the slopes of H - sum mu c with mu as inputs, and c
static bool build(form* f)
{
  const study_energy* y = f->y;
  engine* e = y->l->e;
  expr_pool* p = e->s->pool;
  const int inputs = e->program->inputs + f->m, outputs = f->N + f->m;
  expr* list = base_alloc(sizeof(expr) * (size_t)(inputs + outputs + 1));
  expr *input = list + outputs, E = y->E, missing;
  memcpy(input, e->program->input, sizeof(expr) * (size_t)e->program->inputs);
  for (int r = 0; r < f->m; r++) {
    char name[32];
    snprintf(name, sizeof name, "multiplier %d", r);
    input[e->program->inputs + r] = expr_symbol(p, name);
    E = expr_sub(p, E, expr_mul(p, input[e->program->inputs + r], y->c[r]));
  }
  expr_gradient(p, E, f->N, e->program->input + 1, list);
  for (int i = 0; i < e->n && y->pull; i++) list[i] = expr_sub(p, list[i], y->pull[i]);
  memcpy(list + f->N, y->c, sizeof(expr) * (size_t)f->m);
  engine_fix(e->program, outputs, list, list);
  bool whole = !expr_pool_full(p);
  for (int i = 0; i < outputs; i++) whole = whole && list[i] != EXPR_NONE;
  f->kernel = whole ? code_build(p, outputs, list, inputs, input, &missing) : NULL;
  f->jet = f->kernel ? code_jet_new(f->kernel, most_degree, 0) : NULL;
  free(list);
  if (!f->jet || !code_jet_is_smooth(f->jet)) return false;
  f->scratch = base_alloc(sizeof(double) * (code_jet_scratch(f->jet) + 1));
  return true;
}

static void make_border(form* f)
{
  const study_energy* y = f->y;
  const int N = f->N, m = f->m, wide = f->wide = N + m;
  f->rows = N + m + f->z + y->removed;
  f->K = base_alloc(sizeof(double) * (size_t)(f->rows * wide + f->rows + wide + 1));
  f->right = f->K + f->rows * wide;
  f->x = f->right + f->rows;
  for (int i = 0; i < N; i++) {
    memcpy(f->K + i * wide, y->H + i * N, sizeof(double) * (size_t)N);
    for (int r = 0; r < m; r++) f->K[i * wide + N + r] = -y->dc[r * N + i];
    for (int h = 0; h < f->z; h++) f->K[(N + m + h) * wide + i] = y->null[i * f->z + h];
    for (int h = 0; h < y->removed; h++) f->K[(N + m + f->z + h) * wide + i] = y->D[h * N + i];
  }
  for (int r = 0; r < m; r++)
    memcpy(f->K + (N + r) * wide, y->dc + r * N, sizeof(double) * (size_t)N);
  f->border = num_null_new(f->rows, wide);
  num_null_factor(f->border, f->rows, wide, f->K, 1e-11);
}

// b without its parts along orthonormal columns (N by count, or rows count by N)
static void clear_along(int N, int count, const double* Z, bool columns, double* b)
{
  for (int h = 0; h < count; h++) {
    double sum = 0, size = 0;
    for (int i = 0; i < N; i++) {
      const double z = columns ? Z[i * count + h] : Z[h * N + i];
      sum += z * b[i];
      size += z * z;
    }
    for (int i = 0; i < N && size > 0; i++)
      b[i] -= sum / size * (columns ? Z[i * count + h] : Z[h * N + i]);
  }
}

static void set_input(form* f, int order, const double* x)
{
  const engine* e = f->y->l->e;
  for (int i = 0; i < f->N; i++) code_jet_set(f->jet, f->scratch, 1 + i, order, x[i]);
  for (int r = 0; r < f->m; r++)
    code_jet_set(f->jet, f->scratch, e->program->inputs + r, order, x[f->N + r]);
}

static void start(form* f)
{
  const engine* e = f->y->l->e;
  code_jet_clear(f->jet, f->scratch);
  for (int i = 0; i < e->program->inputs; i++) code_jet_set(f->jet, f->scratch, i, 0, e->in[i]);
  for (int r = 0; r < f->m; r++)
    code_jet_set(f->jet, f->scratch, e->program->inputs + r, 0, f->y->mu[r]);
  code_jet_run(f->jet, 0, f->scratch);
}

// x_j that meets order j, given what is there without it
static void meet(form* f, int j)
{
  const study_energy* y = f->y;
  memset(f->x, 0, sizeof(double) * (size_t)f->wide);
  set_input(f, j, f->x);
  code_jet_run(f->jet, j, f->scratch);
  memset(f->right, 0, sizeof(double) * (size_t)f->rows);
  for (int i = 0; i < f->wide; i++) f->right[i] = -code_jet_out(f->jet, f->scratch, i)[j];
  clear_along(f->N, f->z, y->null, true, f->right);
  clear_along(f->N, y->removed, y->D, false, f->right);
  num_null_solve(f->border, f->K, f->right, f->x);
}

// values U_3 ... U_most of the forms at u into U (by degree); the gradients in f->g
static bool expand(form* f, const double* u, int most, double* U)
{
  const study_energy* y = f->y;
  const int z = f->z;
  start(f);
  for (int j = 1; j < most; j++) {
    if (j == 1) {
      // along N, with the multipliers that go with it
      memset(f->right, 0, sizeof(double) * (size_t)f->rows);
      for (int h = 0; h < z; h++) f->right[f->wide + h] = u[h];
      num_null_solve(f->border, f->K, f->right, f->x);
    } else {
      meet(f, j);
    }
    set_input(f, j, f->x);
    code_jet_run(f->jet, j, f->scratch);
    double value = 0;
    for (int h = 0; h < z; h++) {
      double sum = 0;
      for (int i = 0; i < f->N; i++)
        sum += y->null[i * z + h] * code_jet_out(f->jet, f->scratch, i)[j];
      f->g[j * z + h] = sum;
      value += u[h] * sum / (j + 1);
    }
    if (!isfinite(value)) return false;
    U[j + 1] = value;
  }
  return true;
}

// in one dimension there are two directions, which follow each other
static int tries_of(int z, int most)
{
  return z == 1 && most > 2 ? 2 : most;
}

static void draw_direction(int z, int number, uint64_t* seed, double* u)
{
  if (z == 1) {
    u[0] = number % 2 ? -1 : 1;
    return;
  }
  double size = 0;
  for (int h = 0; h < z; h++) {
    double sum = -6;
    for (int k = 0; k < 12; k++) {
      *seed = *seed * 6364136223846793005u + 1442695040888963407u;
      sum += (double)(*seed >> 11) / 9007199254740992.0;
    }
    u[h] = sum;
    size += sum * sum;
  }
  for (int h = 0; h < z; h++) u[h] /= sqrt(size);
}

// down the form on the sphere, from u; the value reached
static double descend(form* f, int degree, double* u, double value)
{
  double U[most_degree + 2], next[most_null], step = 0.3;
  for (int turn = 0; turn < 200 && step > 1e-9; turn++) {
    double size = 0, along = 0, slope[most_null];
    if (!expand(f, u, degree, U)) return value;
    for (int h = 0; h < f->z; h++) along += f->g[(degree - 1) * f->z + h] * u[h];
    for (int h = 0; h < f->z; h++) {
      slope[h] = f->g[(degree - 1) * f->z + h] - along * u[h];
      size += slope[h] * slope[h];
    }
    if (!(size > 0)) break;
    for (;;) {
      double length = 0;
      for (int h = 0; h < f->z; h++) {
        next[h] = u[h] - step * slope[h] / sqrt(size);
        length += next[h] * next[h];
      }
      for (int h = 0; h < f->z; h++) next[h] /= sqrt(length);
      if (expand(f, next, degree, U) && U[degree] < value) break;
      step /= 2;
      if (step <= 1e-9) break;
    }
    if (step <= 1e-9) break;
    value = U[degree];
    memcpy(u, next, sizeof(double) * (size_t)f->z);
  }
  return value;
}

// the first degree whose form is not nothing; 0 where there is none, -1 where there is no series
static int lowest(form* f, double small)
{
  double U[most_degree + 2] = {0}, most[most_degree + 2] = {0};
  double* u = base_alloc(sizeof(double) * (size_t)(f->z + 1));
  uint64_t seed = 1892;
  bool fine = true;
  for (int i = 0; i < tries_of(f->z, first_tries) && fine; i++) {
    draw_direction(f->z, i, &seed, u);
    fine = expand(f, u, most_degree, U);
    for (int d = 3; d <= most_degree; d++) most[d] = fmax(most[d], fabs(U[d]));
  }
  free(u);
  if (!fine) return -1;
  for (int d = 3; d <= most_degree; d++)
    if (most[d] > small * f->y->size) return d;
  return 0;
}

// The energy itself at two distances along the series found: it must follow the form, on the
// constraints. What does not, decides nothing.
static bool holds(form* f, int degree, const double* u)
{
  const study_energy* y = f->y;
  engine* e = y->l->e;
  const int N = f->N, m = f->m;
  double U[most_degree + 2], *here = base_alloc(sizeof(double) * (size_t)(N + m + 1));
  double *c = here + N, before;
  memcpy(here, e->q, sizeof(double) * (size_t)N);
  bool fine = expand(f, u, degree, U);
  engine_values(e, 1, &e->s->H, &before);
  engine_values(e, m, y->c, c);
  for (int turn = 0; turn < 2 && fine; turn++) {
    const double s = turn ? 0.03 : 0.06;
    double after, off = 0, *now = base_alloc(sizeof(double) * (size_t)(m + 1));
    for (int i = 0; i < N; i++) {
      const double* a = code_jet_in(f->jet, f->scratch, 1 + i);
      e->q[i] = 0;
      for (int j = degree - 1; j >= 0; j--) e->q[i] = e->q[i] * s + a[j];
    }
    engine_values(e, 1, &e->s->H, &after);
    engine_values(e, m, y->c, now);
    // constraints are met up to the order of the series; their multipliers weigh what is left
    for (int r = 0; r < m; r++) off += y->mu[r] * (now[r] - c[r]);
    const double want = U[degree] * pow(s, degree),
                 got = after - before - off + study_energy_of_pull(y, here);
    fine = fabs(got - want) < 0.3 * fabs(want) + 1e-14 * fabs(before);
    free(now);
  }
  memcpy(e->q, here, sizeof(double) * (size_t)N);
  e->factored = false;
  free(here);
  return fine;
}

static int judge(form* f, int degree)
{
  double U[most_degree + 2] = {0}, u[most_null], best[descents][most_null], low[descents];
  double most = 0, least = INFINITY;
  uint64_t seed = 1987;
  for (int k = 0; k < descents; k++) low[k] = INFINITY;
  for (int i = 0; i < tries_of(f->z, tries); i++) {
    draw_direction(f->z, i, &seed, u);
    if (!expand(f, u, degree, U)) return 0;
    most = fmax(most, fabs(U[degree]));
    least = fmin(least, U[degree]);
    // the lowest few, to go down from
    for (int k = 0; k < descents; k++) {
      if (U[degree] >= low[k]) continue;
      low[k] = U[degree];
      memcpy(best[k], u, sizeof u);
      break;
    }
  }
  int lowest_one = 0;
  for (int k = 0; k < descents; k++) {
    if (!isfinite(low[k])) continue;
    if (f->z > 1) low[k] = descend(f, degree, best[k], low[k]);
    if (low[k] < low[lowest_one]) lowest_one = k;
  }
  least = fmin(least, low[lowest_one]);
  if (fabs(least) <= decided * most || !holds(f, degree, best[lowest_one])) return 0;
  return least > 0 ? 1 : -1;
}

// false where there are no series; close_form() in any case
static bool open_form(form* f, const study_energy* y)
{
  *f = (form){.y = y, .N = 2 * y->l->n, .m = y->rows, .z = y->zero};
  if (!build(f)) return false;
  make_border(f);
  f->g = base_alloc(sizeof(double) * (size_t)((most_degree + 1) * f->z));
  return true;
}

static void close_form(form* f)
{
  free(f->g);
  free(f->K);
  if (f->border) num_null_free(f->border);
  free(f->scratch);
  code_jet_free(f->jet);
  code_free(f->kernel);
}

int study_energy_form(const study_energy* y, int* degree)
{
  *degree = 0;
  if (y->minus || y->zero == 0 || y->zero > most_null) return 0;
  form f;
  int answer = 0;
  if (open_form(&f, y)) *degree = lowest(&f, nothing);
  if (*degree < 0) *degree = 0;
  if (*degree) answer = judge(&f, *degree);
  close_form(&f);
  return answer;
}

bool study_energy_is_flat(const study_energy* y)
{
  form f;
  const bool flat = open_form(&f, y) && lowest(&f, rounded) == 0;
  close_form(&f);
  return flat;
}
