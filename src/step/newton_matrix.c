// The matrix I - g df/dy of Newton's iteration, by difference quotients.
//
// Columns that have no row in common are found by one evaluation (Curtis, Powell and Reid 1974): a
// cloth or a chain in the coordinates of its bodies takes as many as a body has neighbours,
// whatever its size. What is the same to the last bit with and without a change of a component does
// not depend on it.
#include "step/newton_matrix.h"

#include <float.h>
#include <math.h>
#include <string.h>

// of the size of a component: how far beside the state is looked at
static const double beside = 0x1p-10;

typedef BASE_LIST(int) numbers;

struct step_newton_matrix
{
  int n;
  bool known;         // which depends on which
  numbers start, row; // of J, column by column
  int groups;
  int* group; // of a column
  double *J, *y, *f, *g;
  num_shifted* matrix;
};

step_newton_matrix* step_newton_new(int n)
{
  step_newton_matrix* m = base_alloc(sizeof *m);
  m->n = n;
  m->group = base_alloc(sizeof(int) * (size_t)(n + 1));
  m->y = base_alloc(sizeof(double) * (3 * (size_t)n + 1));
  m->f = m->y + n;
  m->g = m->f + n;
  return m;
}

void step_newton_free(step_newton_matrix* m)
{
  if (!m) return;
  num_shifted_free(m->matrix);
  base_list_free(&m->start);
  base_list_free(&m->row);
  free(m->group);
  free(m->J);
  free(m->y);
  free(m);
}

// ---- which depends on which ---------------------------------------------------------------------

// to one side or the other, as chance has it, but always the same
static void step_aside(step_newton_matrix* m, const double* y, const double* inc)
{
  uint64_t bits = 0x9e3779b97f4a7c15u;
  for (int i = 0; i < m->n; i++) {
    bits ^= bits << 13;
    bits ^= bits >> 7;
    bits ^= bits << 17;
    const double share = (double)(bits >> 11) * 0x1p-53;
    m->y[i] =
        y[i] + (bits & 1 ? 1 : -1) * (0.5 + share) * beside * fabs(inc[i]) / sqrt(DBL_EPSILON);
  }
}

// rows of column j; false where the rates refuse
static bool find_rows(step_newton_matrix* m, step_newton_rates* rates, void* context, int j,
                      double inc)
{
  const double kept = m->y[j];
  m->y[j] = kept + inc;
  int code = rates(context, m->y, m->g);
  if (code) {
    m->y[j] = kept - inc;
    code = rates(context, m->y, m->g);
  }
  m->y[j] = kept;
  for (int i = 0; i < m->n && !code; i++)
    if (m->g[i] != m->f[i]) base_push(&m->row, i);
  return !code;
}

static void find_all_rows(step_newton_matrix* m)
{
  m->start.n = m->row.n = 0;
  for (int j = 0; j < m->n; j++) {
    base_push(&m->start, m->row.n);
    for (int i = 0; i < m->n; i++) base_push(&m->row, i);
  }
}

static void find_pattern(step_newton_matrix* m, step_newton_rates* rates, void* context,
                         const double* y, const double* inc)
{
  step_aside(m, y, inc);
  bool fine = !rates(context, m->y, m->f);
  if (!fine) {
    memcpy(m->y, y, sizeof(double) * (size_t)m->n);
    fine = !rates(context, m->y, m->f);
  }
  for (int j = 0; j < m->n && fine; j++) {
    base_push(&m->start, m->row.n);
    fine = find_rows(m, rates, context, j, inc[j]);
  }
  if (!fine) find_all_rows(m);
  base_push(&m->start, m->row.n);
}

// the first group in which no column has a row of this one
static void find_groups(step_newton_matrix* m)
{
  const size_t n = (size_t)m->n;
  // the groups that hold a row, and the last column that met a group there
  numbers* of_row = base_alloc(sizeof *of_row * (n + 1));
  int* met = base_alloc(sizeof(int) * (n + 1));
  for (int j = 0; j < m->n; j++) {
    for (int k = m->start.at[j]; k < m->start.at[j + 1]; k++) {
      const numbers* held = &of_row[m->row.at[k]];
      for (int i = 0; i < held->n; i++) met[held->at[i]] = j + 1;
    }
    int g = 0;
    while (g < m->groups && met[g] == j + 1) g++;
    if (g == m->groups) m->groups++;
    m->group[j] = g;
    for (int k = m->start.at[j]; k < m->start.at[j + 1]; k++) base_push(&of_row[m->row.at[k]], g);
  }
  for (size_t i = 0; i < n; i++) base_list_free(&of_row[i]);
  free(of_row);
  free(met);
}

// ---- its values ---------------------------------------------------------------------------------

// columns of a group at once, all to one side
static int evaluate_group(step_newton_matrix* m, step_newton_rates* rates, void* context,
                          const double* y, const double* inc, int g, double side)
{
  for (int j = 0; j < m->n; j++) m->y[j] = m->group[j] == g ? y[j] + side * inc[j] : y[j];
  return rates(context, m->y, m->g);
}

static int find_values(step_newton_matrix* m, step_newton_rates* rates, void* context,
                       const double* y, const double* f, const double* inc)
{
  for (int g = 0; g < m->groups; g++) {
    double side = 1;
    int code = evaluate_group(m, rates, context, y, inc, g, side);
    // the other way where the first is refused
    if (code > 0) code = evaluate_group(m, rates, context, y, inc, g, side = -1);
    if (code) return code;
    for (int j = 0; j < m->n; j++)
      for (int k = m->start.at[j]; k < m->start.at[j + 1] && m->group[j] == g; k++)
        m->J[k] = (m->g[m->row.at[k]] - f[m->row.at[k]]) / (side * inc[j]);
  }
  return 0;
}

int step_newton_find(step_newton_matrix* m, step_newton_rates* rates, void* context,
                     const double* y, const double* f, const double* inc)
{
  if (!m->known) {
    find_pattern(m, rates, context, y, inc);
    find_groups(m);
    m->J = base_alloc(sizeof(double) * ((size_t)m->row.n + 1));
    m->matrix = num_shifted_new(m->n, &(num_rows){m->start.at, m->row.at});
    m->known = true;
  }
  return find_values(m, rates, context, y, f, inc);
}

bool step_newton_factor(step_newton_matrix* m, double g)
{
  return num_shifted_factor(m->matrix, g, m->J);
}

void step_newton_solve(const step_newton_matrix* m, double* x)
{
  num_shifted_solve(m->matrix, x);
}
